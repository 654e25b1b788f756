//! Nearly correct texts, for the tests of the front ends.

/// xorshift64*: the same mutants everywhere.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit.max(1)
    }
}

/// A text with up to four places cut out, written again, filled with one of the `pieces`, cut off
/// or changed. It is not empty.
pub(crate) fn mutant(random: &mut Random, text: &[u8], pieces: &[&str]) -> Vec<u8> {
    let mut out = text.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(out.len());
        let length = random.below(40).min(out.len() - at);
        match random.below(6) {
            0 => drop(out.drain(at..at + length)),
            1 => {
                let piece = out[at..at + length].to_vec();
                let to = random.below(out.len());
                out.splice(to..to, piece);
            }
            2 | 3 => {
                let piece = pieces[random.below(pieces.len())].bytes();
                out.splice(at..at, piece);
            }
            4 => out.truncate(at.max(1)),
            _ => {
                if let Some(byte) = out.get_mut(at) {
                    *byte = random.below(256) as u8;
                }
            }
        }
        if out.is_empty() {
            out.push(b' ');
        }
    }
    out
}
