//! Terms over bit vectors, each made once. A truth value has one bit.

mod known;
mod script;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};

/// A term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Id(u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Op {
    Const(u64),
    Sym(String),
    /// Bits of a term, from this one up.
    Extract(Id, u32),
    /// The first one highest.
    Concat(Vec<Id>),
    Not(Id),
    And(Id, Id),
    Or(Id, Id),
    Xor(Id, Id),
    /// A sum of multiples, and a constant.
    Linear(Vec<(Id, u64)>, u64),
    Equal(Id, Id),
    Below(Id, Id),
    BelowSigned(Id, Id),
    Ite(Id, Id, Id),
    Shl(Id, Id),
    Shr(Id, Id),
}

struct Node {
    op: Op,
    width: u32,
    /// The greatest number that it may be, if it has at most 64 bits.
    most: u64,
}

/// All terms of a proof.
#[derive(Default)]
pub(crate) struct Terms {
    nodes: Vec<Node>,
    known: HashMap<(Op, u32), Id>,
    /// How many bits hold a number that was made wider with its sign.
    signed: HashMap<Id, u32>,
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

impl Terms {
    fn add(&mut self, op: Op, width: u32, most: u64) -> Id {
        let most = most.min(mask(width));
        let next = Id(self.nodes.len() as u32);
        let id = *self.known.entry((op.clone(), width)).or_insert(next);
        if id == next {
            self.nodes.push(Node { op, width, most });
        }
        id
    }

    fn op(&self, id: Id) -> &Op {
        &self.nodes[id.0 as usize].op
    }

    /// How many bits it has.
    pub(crate) fn width(&self, id: Id) -> u32 {
        self.nodes[id.0 as usize].width
    }

    /// The greatest number that it may be.
    pub(crate) fn most(&self, id: Id) -> u64 {
        self.nodes[id.0 as usize].most
    }

    /// The number, if it is known.
    pub(crate) fn value(&self, id: Id) -> Option<u64> {
        match *self.op(id) {
            Op::Const(number) => Some(number),
            _ => None,
        }
    }

    pub(crate) fn constant(&mut self, number: u64, width: u32) -> Id {
        if width > 64 {
            let (high, low) = (self.constant(0, width - 64), self.constant(number, 64));
            return self.concat(vec![high, low]);
        }
        let number = number & mask(width);
        self.add(Op::Const(number), width, number)
    }

    pub(crate) fn word(&mut self, number: u64) -> Id {
        self.constant(number, 64)
    }

    pub(crate) fn truth(&mut self, truth: bool) -> Id {
        self.constant(truth.into(), 1)
    }

    /// A free number up to a greatest one.
    pub(crate) fn symbol(&mut self, name: &str, width: u32, most: u64) -> Id {
        self.add(Op::Sym(name.to_owned()), width, most)
    }

    pub(crate) fn extract(&mut self, of: Id, low: u32, width: u32) -> Id {
        let whole = self.width(of);
        assert!(width > 0 && low + width <= whole, "bits of a term");
        if low == 0 && width == whole {
            return of;
        }
        match self.op(of).clone() {
            Op::Const(number) => self.constant(number >> low, width),
            Op::Extract(inner, at) => self.extract(inner, at + low, width),
            Op::Concat(parts) => {
                let (mut above, mut taken) = (whole, Vec::new());
                for part in parts {
                    let bits = self.width(part);
                    let (from, to) = (low.max(above - bits), (low + width).min(above));
                    if from < to {
                        taken.push(self.extract(part, from - (above - bits), to - from));
                    }
                    above -= bits;
                }
                self.concat(taken)
            }
            Op::Ite(test, yes, no) if self.value(yes).is_some() && self.value(no).is_some() => {
                let (yes, no) = (self.extract(yes, low, width), self.extract(no, low, width));
                self.ite(test, yes, no)
            }
            _ if whole <= 64 && self.most(of) >> low == 0 => self.constant(0, width),
            _ => {
                let most = if whole <= 64 { self.most(of) >> low } else { u64::MAX };
                self.add(Op::Extract(of, low), width, most)
            }
        }
    }

    /// The first part is highest.
    pub(crate) fn concat(&mut self, parts: Vec<Id>) -> Id {
        let mut flat: Vec<Id> = Vec::new();
        for part in parts {
            let inner = match self.op(part) {
                Op::Concat(inner) => inner.clone(),
                _ => vec![part],
            };
            for part in inner {
                let joined = flat.last().and_then(|last| self.joined(*last, part));
                match joined {
                    Some(joined) => *flat.last_mut().expect("it was joined with the last one") = joined,
                    None => flat.push(part),
                }
            }
        }
        if let [one] = flat[..] {
            return one;
        }
        let width: u32 = flat.iter().map(|part| self.width(*part)).sum();
        let mut most = u64::MAX;
        if width <= 64 {
            most = flat
                .iter()
                .fold(0u64, |all, part| (all.checked_shl(self.width(*part)).unwrap_or(0)) | self.most(*part));
        }
        self.add(Op::Concat(flat), width, most)
    }

    /// Two neighbours as one term.
    fn joined(&mut self, high: Id, low: Id) -> Option<Id> {
        let (of_high, of_low) = (self.width(high), self.width(low));
        match (self.op(high).clone(), self.op(low).clone()) {
            (Op::Const(a), Op::Const(b)) if of_high + of_low <= 64 => {
                Some(self.constant(a.checked_shl(of_low).unwrap_or(0) | b, of_high + of_low))
            }
            (Op::Extract(a, from), Op::Extract(b, to)) if a == b && from == to + of_low => {
                Some(self.extract(a, to, of_high + of_low))
            }
            // Zeros above a number that has no more bits.
            (Op::Const(0), Op::Extract(of, 0))
                if of_high + of_low <= self.width(of) && self.width(of) <= 64 && self.most(of) <= mask(of_low) =>
            {
                Some(self.extract(of, 0, of_high + of_low))
            }
            _ => None,
        }
    }

    /// With zeros above.
    pub(crate) fn zero_extended(&mut self, id: Id, width: u32) -> Id {
        match width - self.width(id) {
            0 => id,
            more => {
                let zeros = self.constant(0, more);
                self.concat(vec![zeros, id])
            }
        }
    }

    /// With the sign above.
    pub(crate) fn sign_extended(&mut self, id: Id, width: u32) -> Id {
        let own = self.width(id);
        if own == width {
            return id;
        }
        // (x ^ sign) - sign
        let wide = self.zero_extended(id, width);
        let sign = self.constant(1 << (own - 1), width);
        let turned = self.xor(wide, sign);
        let wide = self.minus(turned, sign);
        self.signed.insert(wide, own);
        wide
    }

    pub(crate) fn not(&mut self, id: Id) -> Id {
        let width = self.width(id);
        match *self.op(id) {
            Op::Const(number) => self.constant(!number, width),
            Op::Not(inner) => inner,
            _ => self.add(Op::Not(id), width, u64::MAX),
        }
    }

    /// Both terms cut where either of them is.
    fn pieces(&mut self, a: Id, b: Id) -> Vec<(Id, Id)> {
        let ends = |terms: &Terms, id: Id| {
            let mut at = terms.width(id);
            let parts = match terms.op(id) {
                Op::Concat(parts) => parts.clone(),
                _ => vec![id],
            };
            let mut ends = vec![at];
            for part in parts {
                at -= terms.width(part);
                ends.push(at);
            }
            ends
        };
        let mut cuts = ends(self, a);
        cuts.extend(ends(self, b));
        cuts.sort_unstable();
        cuts.dedup();
        let mut pieces = Vec::new();
        for pair in cuts.windows(2).rev() {
            let (low, width) = (pair[0], pair[1] - pair[0]);
            pieces.push((self.extract(a, low, width), self.extract(b, low, width)));
        }
        pieces
    }

    pub(crate) fn and(&mut self, a: Id, b: Id) -> Id {
        self.bitwise(a, b, Op::And, |known, _| (known == 0, known == u64::MAX))
    }

    pub(crate) fn or(&mut self, a: Id, b: Id) -> Id {
        self.bitwise(a, b, Op::Or, |known, width| (known == mask(width), known == 0))
    }

    pub(crate) fn xor(&mut self, a: Id, b: Id) -> Id {
        self.bitwise(a, b, Op::Xor, |known, _| (false, known == 0))
    }

    /// `absorbs` says of a known operand whether it is the result, and whether the other one is.
    fn bitwise(&mut self, a: Id, b: Id, op: fn(Id, Id) -> Op, absorbs: fn(u64, u32) -> (bool, bool)) -> Id {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "operands have one width");
        let is_and = matches!(op(a, b), Op::And(..));
        // A known operand cuts the other one into its runs of equal bits.
        let (a, b) = if self.value(a).is_some() { (b, a) } else { (a, b) };
        if let (Some(number), true) = (self.value(b), width > 1) {
            let mut parts = Vec::new();
            let mut at = width;
            while at > 0 {
                let bit = number >> (at - 1) & 1;
                let run = (1..=at).take_while(|run| number >> (at - run) & 1 == bit).count() as u32;
                at -= run;
                let part = self.extract(a, at, run);
                let (zeros, ones) = (self.constant(0, run), self.constant(u64::MAX, run));
                parts.push(match (op(a, b), bit) {
                    (Op::And(..), 0) => zeros,
                    (Op::Or(..), 1) => ones,
                    (Op::Xor(..), 1) => self.not(part),
                    _ => part,
                });
            }
            return self.concat(parts);
        }
        let pieces = self.pieces(a, b);
        if pieces.len() > 1 {
            let parts = pieces.into_iter().map(|(a, b)| self.bitwise(a, b, op, absorbs)).collect();
            return self.concat(parts);
        }
        if width <= 64 {
            for (one, other) in [(a, b), (b, a)] {
                let Some(known) = self.value(one) else { continue };
                let known = if is_and && known == mask(width) { u64::MAX } else { known };
                match absorbs(known, width) {
                    (true, _) => return one,
                    (_, true) => return other,
                    _ => {}
                }
            }
        }
        if a == b {
            return if matches!(op(a, b), Op::Xor(..)) { self.constant(0, width) } else { a };
        }
        let negated = self.not(a);
        if width == 1 && negated == b {
            return self.truth(!is_and);
        }
        let (a, b) = (a.min(b), a.max(b));
        let most = if is_and { self.most(a).min(self.most(b)) } else { u64::MAX };
        self.add(op(a, b), width, most)
    }

    /// As a sum of multiples.
    fn linear(&self, id: Id) -> (Vec<(Id, u64)>, u64) {
        match self.op(id) {
            Op::Const(number) => (Vec::new(), *number),
            Op::Linear(parts, more) => (parts.clone(), *more),
            _ => (vec![(id, 1)], 0),
        }
    }

    fn sum(&mut self, a: Id, b: Id, times: u64) -> Id {
        let width = self.width(a);
        assert_eq!(width, self.width(b), "operands have one width");
        let ((parts, more), (others, other)) = (self.linear(a), self.linear(b));
        let mut all: BTreeMap<Id, u64> = parts.into_iter().collect();
        for (id, count) in others {
            let count = count.wrapping_mul(times);
            all.entry(id).and_modify(|one| *one = one.wrapping_add(count) & mask(width)).or_insert(count & mask(width));
        }
        let more = more.wrapping_add(other.wrapping_mul(times)) & mask(width);
        all.retain(|_, count| *count != 0);
        self.of_linear(all.into_iter().collect(), more, width)
    }

    fn of_linear(&mut self, parts: Vec<(Id, u64)>, more: u64, width: u32) -> Id {
        if parts.is_empty() {
            return self.constant(more, width);
        }
        if let ([(id, 1)], 0) = (&parts[..], more) {
            return *id;
        }
        let most = parts.iter().try_fold(u128::from(more), |sum, (id, count)| {
            let part = u128::from(self.most(*id)) * u128::from(*count);
            Some(sum + part).filter(|sum| *sum <= mask(width).into())
        });
        let most = most.map_or(u64::MAX, |most| most as u64);
        self.add(Op::Linear(parts, more), width, most)
    }

    pub(crate) fn plus(&mut self, a: Id, b: Id) -> Id {
        self.sum(a, b, 1)
    }

    pub(crate) fn minus(&mut self, a: Id, b: Id) -> Id {
        self.sum(a, b, u64::MAX)
    }

    pub(crate) fn times(&mut self, a: Id, times: u64) -> Id {
        let width = self.width(a);
        if let Op::Ite(test, yes, no) = *self.op(a) {
            // Sums of known numbers have one form.
            let (yes, no) = (self.times(yes, times), self.times(no, times));
            return self.ite(test, yes, no);
        }
        let (parts, more) = self.linear(a);
        if parts.iter().any(|(id, _)| matches!(self.op(*id), Op::Ite(..))) {
            let mut sum = self.constant(more.wrapping_mul(times), width);
            for (id, count) in parts {
                let part = self.times(id, count.wrapping_mul(times));
                sum = self.sum(sum, part, 1);
            }
            return sum;
        }
        let parts = parts.into_iter().map(|(id, count)| (id, count.wrapping_mul(times) & mask(width)));
        let parts = parts.filter(|(_, count)| *count != 0).collect();
        self.of_linear(parts, more.wrapping_mul(times) & mask(width), width)
    }

    pub(crate) fn equal(&mut self, a: Id, b: Id) -> Id {
        if a == b {
            return self.truth(true);
        }
        let pieces = self.pieces(a, b);
        if pieces.len() > 1 {
            let mut all = self.truth(true);
            for (a, b) in pieces {
                let one = self.equal(a, b);
                all = self.and(all, one);
            }
            return all;
        }
        let width = self.width(a);
        if width <= 64 {
            let difference = self.minus(a, b);
            if let Some(known) = self.value(difference) {
                return self.truth(known == 0);
            }
            for (one, other) in [(a, b), (b, a)] {
                let Some(number) = self.value(one) else { continue };
                if number > self.most(other) {
                    return self.truth(false);
                }
                if width == 1 {
                    return if number == 1 { other } else { self.not(other) };
                }
                // One of two known numbers.
                if let Op::Ite(test, yes, no) = *self.op(other) {
                    let (yes, no) = (self.equal(yes, one), self.equal(no, one));
                    return self.ite(test, yes, no);
                }
            }
        }
        let (a, b) = (a.min(b), a.max(b));
        self.add(Op::Equal(a, b), 1, 1)
    }

    pub(crate) fn below(&mut self, a: Id, b: Id) -> Id {
        let (known, other) = (self.value(a), self.value(b));
        if let (Some(a), Some(b)) = (known, other) {
            return self.truth(a < b);
        }
        if other.is_some_and(|other| self.most(a) < other) {
            return self.truth(true);
        }
        if known.is_some_and(|known| known >= self.most(b)) || other == Some(0) {
            return self.truth(false);
        }
        // Sums without an overflow: what one has more than the other decides.
        for (less, more, verdict) in [(a, b, true), (b, a, false)] {
            let rest = self.minus(more, less);
            let (parts, least) = self.linear(rest);
            let wide = |sum: u128, (id, count): &(Id, u64)| {
                sum.saturating_add(u128::from(self.most(*id)).saturating_mul((*count).into()))
            };
            let most = parts.iter().fold(u128::from(least), wide);
            let is_sum = most + u128::from(self.most(less)) <= mask(self.width(a)).into();
            if is_sum && (least > 0 || !verdict) {
                return self.truth(verdict);
            }
        }
        self.add(Op::Below(a, b), 1, 1)
    }

    pub(crate) fn at_most(&mut self, a: Id, b: Id) -> Id {
        let above = self.below(b, a);
        self.not(above)
    }

    pub(crate) fn below_signed(&mut self, a: Id, b: Id) -> Id {
        let width = self.width(a);
        if let (Some(a), Some(b)) = (self.value(a), self.value(b)) {
            let signed = |number: u64| (number << (64 - width)) as i64;
            return self.truth(signed(a) < signed(b));
        }
        self.add(Op::BelowSigned(a, b), 1, 1)
    }

    pub(crate) fn ite(&mut self, test: Id, yes: Id, no: Id) -> Id {
        assert_eq!(self.width(yes), self.width(no), "operands have one width");
        match self.value(test) {
            Some(0) => return no,
            Some(_) => return yes,
            None if yes == no => return yes,
            None => {}
        }
        if let Op::Not(inner) = *self.op(test) {
            return self.ite(inner, no, yes);
        }
        let width = self.width(yes);
        if width == 1 {
            match (self.value(yes), self.value(no)) {
                (Some(1), _) => return self.or(test, no),
                (Some(_), _) => {
                    let not = self.not(test);
                    return self.and(not, no);
                }
                (_, Some(0)) => return self.and(test, yes),
                (_, Some(_)) => {
                    let not = self.not(test);
                    return self.or(not, yes);
                }
                _ => {}
            }
        }
        let pieces = self.pieces(yes, no);
        if pieces.len() > 1 {
            let parts = pieces.into_iter().map(|(yes, no)| self.ite(test, yes, no)).collect();
            return self.concat(parts);
        }
        let most = self.most(yes).max(self.most(no));
        self.add(Op::Ite(test, yes, no), width, most)
    }

    pub(crate) fn shl(&mut self, a: Id, by: Id) -> Id {
        let width = self.width(a);
        match self.value(by) {
            Some(0) => a,
            Some(by) if by >= width.into() => self.constant(0, width),
            Some(by) => {
                let (rest, zeros) = (self.extract(a, 0, width - by as u32), self.constant(0, by as u32));
                self.concat(vec![rest, zeros])
            }
            None => self.add(Op::Shl(a, by), width, u64::MAX),
        }
    }

    pub(crate) fn shr(&mut self, a: Id, by: Id) -> Id {
        let width = self.width(a);
        match self.value(by) {
            Some(0) => a,
            Some(by) if by >= width.into() => self.constant(0, width),
            Some(by) => {
                let (zeros, rest) = (self.constant(0, by as u32), self.extract(a, by as u32, width - by as u32));
                self.concat(vec![zeros, rest])
            }
            None => self.add(Op::Shr(a, by), width, self.most(a)),
        }
    }
}
