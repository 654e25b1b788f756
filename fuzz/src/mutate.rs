//! Mutants for runs without a fuzzer, the same from the same seed.

use roadwire_model::random::Rng;

/// One of the seeds, changed in a few places, with pieces of others and of the dictionary in it.
#[must_use]
pub fn mutant(seeds: &[Vec<u8>], dictionary: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut out = pick(seeds, rng);
    for _ in 0..=rng.below(4) {
        let at = rng.below(out.len() as u64 + 1) as usize;
        let length = (rng.below(24) as usize).min(out.len() - at);
        match rng.below(10) {
            0 => drop(out.drain(at..at + length)),
            1 => {
                let piece = out[at..at + length].to_vec();
                let to = rng.below(out.len() as u64 + 1) as usize;
                out.splice(to..to, piece);
            }
            2 | 3 => {
                let piece = pick(dictionary, rng);
                out.splice(at..at + if rng.percent(50) { length } else { 0 }, piece);
            }
            4 => {
                let other = pick(seeds, rng);
                let from = rng.below(other.len() as u64 + 1) as usize;
                let taken = other.iter().skip(from).take(rng.below(200) as usize);
                out.splice(at..at + length, taken.copied());
            }
            5 if rng.percent(20) => out.truncate(at),
            6 => {
                let count = 1 + rng.below(4);
                let octets = rng.octets(count);
                out.splice(at..at, octets);
            }
            7 => out
                .get_mut(at)
                .into_iter()
                .for_each(|octet| *octet = [0, 0x40, 0x7f, 0x80, 0xc4, 0xff][rng.below(6) as usize]),
            _ => out.get_mut(at).into_iter().for_each(|octet| *octet ^= 1 << rng.below(8)),
        }
    }
    out
}

fn pick(from: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    from.get(rng.below(from.len() as u64) as usize).cloned().unwrap_or_default()
}

/// The entries of a dictionary as libFuzzer reads it: `"..."` with `\x..`, `\\` and `\"`, one on a
/// line, `#` for comments.
#[must_use]
pub fn dictionary(text: &str) -> Vec<Vec<u8>> {
    let quoted = |line: &str| Some(line.trim().strip_prefix('"')?.strip_suffix('"')?.to_owned());
    text.lines().filter_map(quoted).map(|entry| unescaped(&entry)).collect()
}

fn unescaped(entry: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = entry.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = |digits: &[u8]| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
        let (octet, used) = match (first, after) {
            (b'\\', [b'x', high, low, ..]) => (code(&[*high, *low]).unwrap_or(b'?'), 3),
            (b'\\', [plain, ..]) => (*plain, 1),
            _ => (*first, 0),
        };
        out.push(octet);
        rest = after.get(used..).unwrap_or(&[]);
    }
    out
}
