//! Functions that the tests share.

use roadwire_model::random::Rng;

/// One of the messages with a few bits or octets changed, some of them to one of these four.
pub(crate) fn mutant(pool: &[Vec<u8>], four: [u8; 4], rng: &mut Rng) -> Vec<u8> {
    let mut octets = pool[rng.below(pool.len() as u64) as usize].clone();
    for _ in 0..=rng.below(2) {
        let at = rng.below(octets.len().clamp(1, 40) as u64) as usize;
        match rng.below(6) {
            0 => octets.truncate(at),
            1 => octets.insert(at.min(octets.len()), rng.next_u64() as u8),
            2 => octets.extend_from_slice(&[rng.next_u64() as u8; 9]),
            3 => octets.get_mut(at).into_iter().for_each(|octet| *octet = four[rng.below(4) as usize]),
            _ => octets.get_mut(at).into_iter().for_each(|octet| *octet ^= 1 << rng.below(8)),
        }
    }
    octets
}
