//! A term is made simpler when it is made: it has to keep its value.

use std::collections::HashMap;

use super::{Id, Op, Terms, mask};

/// Values of more than 64 bits are kept as bits, the highest first.
fn value(terms: &Terms, id: Id, symbols: &HashMap<String, u64>) -> Vec<bool> {
    let width = terms.width(id);
    let bits = |number: u64| (0..width).rev().map(|at| number >> at & 1 == 1).collect::<Vec<_>>();
    let of = |id: &Id| value(terms, *id, symbols);
    let number = |id: &Id| of(id).iter().fold(0u64, |all, bit| all << 1 | u64::from(*bit));
    let signed = |id: &Id| (number(id) << (64 - terms.width(*id))) as i64;
    match terms.op(id) {
        Op::Const(number) => bits(*number),
        Op::Sym(name) => bits(symbols[name]),
        Op::Extract(inner, low) => {
            let all = of(inner);
            let end = all.len() - *low as usize;
            all[end - width as usize..end].to_vec()
        }
        Op::Concat(parts) => parts.iter().flat_map(of).collect(),
        Op::Not(inner) => of(inner).iter().map(|bit| !bit).collect(),
        Op::And(a, b) => of(a).iter().zip(of(b)).map(|(a, b)| *a && b).collect(),
        Op::Or(a, b) => of(a).iter().zip(of(b)).map(|(a, b)| *a || b).collect(),
        Op::Xor(a, b) => of(a).iter().zip(of(b)).map(|(a, b)| *a != b).collect(),
        Op::Linear(parts, more) => {
            bits(parts.iter().fold(*more, |sum, (id, count)| sum.wrapping_add(number(id).wrapping_mul(*count))))
        }
        Op::Equal(a, b) => vec![of(a) == of(b)],
        Op::Below(a, b) => vec![of(a) < of(b)],
        Op::BelowSigned(a, b) => vec![signed(a) < signed(b)],
        Op::Ite(test, yes, no) => of(if of(test)[0] { yes } else { no }),
        Op::Shl(a, by) => bits(number(a).checked_shl(number(by).min(64) as u32).unwrap_or(0)),
        Op::Shr(a, by) => bits(number(a).checked_shr(number(by).min(64) as u32).unwrap_or(0)),
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }
}

#[test]
fn simpler_terms_have_the_same_value() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for _ in 0..2_000 {
        let mut terms = Terms::default();
        let symbols: HashMap<String, u64> = [("a", 8, 255), ("b", 8, 9), ("c", 1, 1)]
            .map(|(name, _, most)| (name.to_owned(), random.below(most + 1)))
            .into();
        let mut all = vec![
            (terms.symbol("a", 8, 255), symbols["a"]),
            (terms.symbol("b", 8, 9), symbols["b"]),
            (terms.constant(random.0, 8), random.0 & 255),
        ];
        let mut truths = vec![(terms.symbol("c", 1, 1), symbols["c"]), (terms.truth(true), 1)];
        for _ in 0..30 {
            let (a, x) = all[random.below(all.len() as u64) as usize];
            let (b, y) = all[random.below(all.len() as u64) as usize];
            let (test, z) = truths[random.below(truths.len() as u64) as usize];
            let (other, w) = truths[random.below(truths.len() as u64) as usize];
            let low = random.below(8) as u32;
            let times = random.below(12);
            match random.below(18) {
                0 => all.push((terms.and(a, b), x & y)),
                1 => all.push((terms.or(a, b), x | y)),
                2 => all.push((terms.xor(a, b), x ^ y)),
                3 => all.push((terms.not(a), !x & 255)),
                4 => all.push((terms.plus(a, b), (x + y) & 255)),
                5 => all.push((terms.minus(a, b), x.wrapping_sub(y) & 255)),
                6 => all.push((terms.times(a, times), (x * times) & 255)),
                7 => all.push((terms.ite(test, a, b), if z == 1 { x } else { y })),
                8 => all.push((terms.shl(a, b), x.checked_shl(y as u32).unwrap_or(0) & 255)),
                9 => all.push((terms.shr(a, b), x.checked_shr(y as u32).unwrap_or(0))),
                10 => {
                    let part = terms.extract(a, low, 8 - low);
                    all.push((terms.zero_extended(part, 8), x >> low));
                }
                11 => {
                    let part = terms.extract(a, 0, low + 1);
                    let sign = x << (63 - low);
                    all.push((terms.sign_extended(part, 8), ((sign as i64) >> (63 - low)) as u64 & 255));
                }
                12 => {
                    let (high, rest) = (terms.extract(a, 4, 4), terms.extract(b, 0, 4));
                    all.push((terms.concat(vec![high, rest]), x & 0xf0 | y & 15));
                }
                13 => truths.push((terms.equal(a, b), (x == y).into())),
                14 => truths.push((terms.below(a, b), (x < y).into())),
                15 => truths.push((terms.below_signed(a, b), ((x as i8) < (y as i8)).into())),
                16 => truths.push((terms.and(test, other), z & w)),
                _ => {
                    let not = terms.not(test);
                    truths.push((terms.or(not, other), (1 - z) | w));
                }
            }
        }
        for (id, wanted) in all.iter().chain(&truths) {
            let found = value(&terms, *id, &symbols).iter().fold(0u64, |all, bit| all << 1 | u64::from(*bit));
            assert_eq!(found & mask(terms.width(*id)), *wanted);
            assert!(*wanted <= terms.most(*id), "{wanted} is above {}", terms.most(*id));
            if let Some(values) = terms.values(*id) {
                assert!(values.contains(wanted));
            }
        }
        // Under conditions that hold, a truth value is the same.
        let guard: Vec<Id> = truths.iter().filter(|(_, truth)| *truth == 1).map(|(id, _)| *id).take(3).collect();
        for (id, wanted) in &truths {
            let under = terms.under(*id, &guard);
            assert_eq!(u64::from(value(&terms, under, &symbols)[0]), *wanted);
            let all = terms.conjuncts(*id);
            assert_eq!(all.iter().all(|one| value(&terms, *one, &symbols)[0]), *wanted == 1);
        }
    }
}

#[test]
fn few_octets_hold_a_number_that_fits() {
    for number in [0u64, 1, 127, 128, 255, 256, 0x7fff, 0x8000, u64::MAX, u64::MAX - 127, u64::MAX - 128, 1 << 63] {
        for octets in 1..=8 {
            let mut terms = Terms::default();
            let id = terms.symbol("a", 64, u64::MAX);
            let fits = terms.fits(id, octets * 8);
            let found = value(&terms, fits, &[("a".to_owned(), number)].into())[0];
            let shift = 64 - octets * 8;
            assert_eq!(found, ((number << shift) as i64 >> shift) as u64 == number, "{number} in {octets}");
        }
    }
}
