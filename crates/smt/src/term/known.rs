//! Facts about terms.

use super::{Id, Op, Terms, mask};

impl Terms {
    /// Whether so many bits hold a number of 64 bits in two's complement.
    pub(crate) fn fits(&mut self, number: Id, bits: u32) -> Id {
        let is_small = bits >= 64 || self.most(number) < 1 << (bits - 1);
        if is_small || self.signed.get(&number).is_some_and(|own| *own <= bits) {
            return self.truth(true);
        }
        let low = self.extract(number, 0, bits);
        let again = self.sign_extended(low, 64);
        self.equal(again, number)
    }

    /// The conditions that all have to hold for a truth value to hold.
    pub(crate) fn conjuncts(&mut self, of: Id) -> Vec<Id> {
        match *self.op(of) {
            Op::Const(1) => Vec::new(),
            Op::And(a, b) => [self.conjuncts(a), self.conjuncts(b)].concat(),
            Op::Not(inner) => match *self.op(inner) {
                Op::Or(a, b) => {
                    let (a, b) = (self.not(a), self.not(b));
                    [self.conjuncts(a), self.conjuncts(b)].concat()
                }
                _ => vec![of],
            },
            _ => vec![of],
        }
    }

    /// A truth value under conditions that hold.
    pub(crate) fn under(&mut self, of: Id, guard: &[Id]) -> Id {
        if self.value(of).is_some() {
            return of;
        }
        let not = self.not(of);
        for known in guard.iter().rev() {
            if *known == of {
                return self.truth(true);
            }
            if *known == not {
                return self.truth(false);
            }
        }
        match *self.op(of) {
            Op::And(a, b) => {
                let (a, b) = (self.under(a, guard), self.under(b, guard));
                self.and(a, b)
            }
            Op::Or(a, b) => {
                let (a, b) = (self.under(a, guard), self.under(b, guard));
                self.or(a, b)
            }
            Op::Not(a) => {
                let a = self.under(a, guard);
                self.not(a)
            }
            _ => of,
        }
    }

    /// All that a number may be, if these are known numbers.
    pub(crate) fn values(&self, of: Id) -> Option<Vec<u64>> {
        let mut all = match self.op(of) {
            Op::Const(number) => vec![*number],
            Op::Ite(_, yes, no) => [self.values(*yes)?, self.values(*no)?].concat(),
            Op::Linear(parts, more) => match parts[..] {
                [(id, count)] => self
                    .values(id)?
                    .into_iter()
                    .map(|one| one.wrapping_mul(count).wrapping_add(*more) & mask(self.width(of)))
                    .collect(),
                _ => {
                    let mut sums = vec![*more];
                    for (id, count) in parts {
                        let one = self.values(*id)?;
                        if one.len() * sums.len() > 4096 {
                            return self.few(of);
                        }
                        let add = |sum: u64, one: &u64| one.wrapping_mul(*count).wrapping_add(sum);
                        sums = sums.iter().flat_map(|sum| one.iter().map(|one| add(*sum, one))).collect();
                        sums.sort_unstable();
                        sums.dedup();
                    }
                    sums.into_iter().map(|one| one & mask(self.width(of))).collect()
                }
            },
            Op::Concat(parts) => match parts[..] {
                [zeros, id] if self.value(zeros) == Some(0) => self.values(id)?,
                _ => return self.few(of),
            },
            _ => return self.few(of),
        };
        all.sort_unstable();
        all.dedup();
        Some(all)
    }

    fn few(&self, of: Id) -> Option<Vec<u64>> {
        (self.most(of) < 64).then(|| (0..=self.most(of)).collect())
    }
}
