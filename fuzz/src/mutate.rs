//! Mutants for runs without a fuzzer, the same from the same seed.

use roadwire_model::random::Rng;

/// One of the seeds, changed in a few places, with pieces of others and of the dictionary in it.
#[must_use]
pub fn mutant(seeds: &[Vec<u8>], dictionary: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut out = Vec::new();
    mutant_into(&mut out, seeds, dictionary, rng);
    out
}

/// The same in place of what `out` holds.
pub fn mutant_into(out: &mut Vec<u8>, seeds: &[Vec<u8>], dictionary: &[Vec<u8>], rng: &mut Rng) {
    out.clear();
    out.extend_from_slice(pick(seeds, rng));
    for _ in 0..=rng.below(4) {
        let at = rng.below(out.len() as u64 + 1) as usize;
        let length = (rng.below(24) as usize).min(out.len() - at);
        match rng.below(11) {
            0 => drop(out.drain(at..at + length)),
            1 => {
                let to = rng.below(out.len() as u64 + 1) as usize;
                out.extend_from_within(at..at + length);
                out[to..].rotate_right(length);
            }
            2 | 3 => {
                let piece = pick(dictionary, rng);
                out.splice(at..at + if rng.percent(50) { length } else { 0 }, piece.iter().copied());
            }
            4 => {
                let other = pick(seeds, rng);
                let from = rng.below(other.len() as u64 + 1) as usize;
                let taken = other.iter().skip(from).take(rng.below(200) as usize);
                out.splice(at..at + length, taken.copied());
            }
            5 if rng.percent(20) => out.truncate(at),
            6 => {
                let count = 1 + rng.below(4) as usize;
                out.splice(at..at, rng.next_u64().to_le_bytes().into_iter().take(count));
            }
            7 => out
                .get_mut(at)
                .into_iter()
                .for_each(|octet| *octet = [0, 0x40, 0x7f, 0x80, 0xc4, 0xff][rng.below(6) as usize]),
            8 => bits_alike(out, at * 8 + rng.below(8) as usize, rng),
            _ => out.get_mut(at).into_iter().for_each(|octet| *octet ^= 1 << rng.below(8)),
        }
    }
}

/// Makes some bits all zeros or all ones, or but for the last one: a number at its bound, wherever
/// it begins.
fn bits_alike(out: &mut [u8], first: usize, rng: &mut Rng) {
    let (count, how) = (1 + rng.below(40) as usize, rng.below(4));
    for bit in first..(first + count).min(out.len() * 8) {
        let is_one = (how & 1 == 1) != (how & 2 == 2 && bit + 1 == first + count);
        let mask = 0x80 >> (bit % 8);
        out[bit / 8] = if is_one { out[bit / 8] | mask } else { out[bit / 8] & !mask };
    }
}

fn pick<'s>(from: &'s [Vec<u8>], rng: &mut Rng) -> &'s [u8] {
    from.get(rng.below(from.len() as u64) as usize).map_or(&[], Vec::as_slice)
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
