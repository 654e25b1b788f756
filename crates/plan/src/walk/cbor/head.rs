//! Heads of data items: major types with numbers (RFC 8949 §3).

use roadwire_wire::rt::cbor;
use roadwire_wire::rt::cbor::straight::LONGEST;

use crate::plan::{Arg, Cbor, Cond, Draft, Int, Num, Prim, Stmt, Var};
use crate::walk::cbor::entry::{Content, Entry};
use crate::walk::cbor::{Map, certain, conditions, item, put_count};
use crate::walk::walker::Walker;

impl Map<'_> {
    pub(super) fn put(&self, draft: &mut Draft<'_, '_>, entries: &[Entry<'_>]) {
        let sent: Vec<Option<Var>> = entries.iter().map(|entry| self.sent(draft, entry)).collect();
        match self.keeps(draft) {
            true => {
                let entries = Num::Sum(certain(&sent), conditions(&sent));
                write(draft, Cbor::PutMap, vec![Arg::Num(entries), Arg::Unknown(self.place.clone())]);
            }
            false => put_count(draft, &sent),
        }
        for (entry, sent) in entries.iter().zip(sent) {
            match (entry.content, sent) {
                (Content::Member(member), None) => {
                    constant(draft, &head_octets(0, entry.key));
                    let (component, field) = self.of(member);
                    let type_id = draft.component(component).type_id;
                    Walker::named(draft, component.at, |draft| item(draft, type_id, member.node, &field));
                    draft.pass(component, member.node, &field);
                }
                (Content::Member(member), Some(_)) => self.put_optional(draft, entry.key, member),
                (Content::Group(members), Some(sent)) => {
                    let then = draft.block(|draft| {
                        constant(draft, &head_octets(0, entry.key));
                        self.put_group(draft, members);
                    });
                    draft.push(Stmt::If { condition: Cond::Var(sent), then, otherwise: None });
                }
                (Content::Group(_), None) => {}
            }
        }
        if self.keeps(draft) {
            let numbers = [self.root, entries.len() as u64 - self.root].map(|number| Arg::Num(Num::Const(number)));
            let args = [Arg::Unknown(self.place.clone())].into_iter().chain(numbers).collect();
            write(draft, Cbor::PutUnknown, args);
        }
    }
}

/// Octets that are the same in every message.
pub(super) fn constant(draft: &mut Draft<'_, '_>, octets: &[u8]) {
    for octet in octets {
        let bits = u64::from(*octet);
        draft.push(match draft.is_encoder() {
            true => Stmt::Put { number: Num::Const(bits), octets: 1 },
            false => Stmt::Expect { octets: 1, bits, mask: 0xff, var: None },
        });
    }
}

pub(super) fn put(draft: &mut Draft<'_, '_>, number: Num, octets: u32) {
    draft.push(Stmt::Put { number, octets });
}

/// Octets some of whose bits are known, as a variable.
pub(super) fn expect(draft: &mut Draft<'_, '_>, octets: u32, bits: u64, mask: u64) -> Var {
    let var = draft.variable();
    draft.push(Stmt::Expect { octets, bits, mask, var: Some(var) });
    var
}

/// A head of at most so many octets, with a number of 64 bits.
pub(super) fn put_number(draft: &mut Draft<'_, '_>, front: u8, most: usize, number: Num) {
    match most {
        1 => put(draft, number.or(front.into()), 1),
        LONGEST => write(draft, Cbor::PutLong, vec![Arg::Hex(front.into()), Arg::Num(number)]),
        _ => put_head(draft, Cbor::HeadWord(most), front, most, number),
    }
}

/// A head of at most so many octets, with a number that may be negative.
pub(super) fn put_signed(draft: &mut Draft<'_, '_>, most: usize, number: Num) {
    match most {
        LONGEST => write(draft, Cbor::PutLongInteger, vec![Arg::Num(number)]),
        _ => put_head(draft, Cbor::IntegerWord(most), 0, most, number),
    }
}

pub(super) fn put_head(draft: &mut Draft<'_, '_>, head: Cbor, front: u8, most: usize, number: Num) {
    let variables = (draft.variable(), draft.variable());
    draft.push(Stmt::PutHead { head: Prim::Cbor(head), front, most, number, variables });
}

/// A head of at most so many octets: its number, without sign.
pub(super) fn take_number(draft: &mut Draft<'_, '_>, front: u8, most: usize) -> Num {
    match most {
        LONGEST => Num::Var(read(draft, Cbor::TakeLong, vec![Arg::Hex(front.into())])),
        _ => take_head(draft, Cbor::TakeHead(most), front, most),
    }
}

/// A head of at most so many octets: its number, which may be negative.
pub(super) fn take_signed(draft: &mut Draft<'_, '_>, most: usize) -> Num {
    match most {
        LONGEST => Num::Var(read(draft, Cbor::TakeLongInteger, Vec::new())),
        _ => take_head(draft, Cbor::TakeInteger(most), 0, most),
    }
}

pub(super) fn take_head(draft: &mut Draft<'_, '_>, by: Cbor, front: u8, most: usize) -> Num {
    let variables = (draft.variable(), draft.variable());
    draft.push(Stmt::TakeHead { by: Prim::Cbor(by), front, most, variables });
    Num::Var(variables.0)
}

/// The head of what has a size between two bounds.
pub(super) fn put_counted(draft: &mut Draft<'_, '_>, front: u8, size: Num, bounds: (u64, u64)) {
    draft.reject_if(Cond::size_outside(size.clone(), bounds));
    if bounds.0 == bounds.1 {
        return constant(draft, &head_octets(front, bounds.0));
    }
    put_number(draft, front, cbor::head_octets(bounds.1) as usize, size.to(Int::U64));
}

/// The head of what has a size between two bounds: the size.
pub(super) fn take_counted(draft: &mut Draft<'_, '_>, front: u8, (lower, upper): (u64, u64)) -> Num {
    if lower == upper {
        constant(draft, &head_octets(front, lower));
        return Num::Typed(lower);
    }
    let count = if upper < 24 {
        let octet = expect(draft, 1, front.into(), 0xe0);
        Num::Var(draft.named(Num::Var(octet).and(0x1f)))
    } else {
        take_number(draft, front, cbor::head_octets(upper) as usize)
    };
    draft.reject_if(Cond::outside(count.clone(), Int::U64, Some(lower.into()), Some(upper.into())));
    count
}

pub(super) fn write(draft: &mut Draft<'_, '_>, by: Cbor, args: Vec<Arg>) {
    draft.push(Stmt::Write(Prim::Cbor(by), args));
}

pub(super) fn read(draft: &mut Draft<'_, '_>, by: Cbor, args: Vec<Arg>) -> Var {
    let var = draft.variable();
    draft.push(Stmt::Read(vec![var], Prim::Cbor(by), args));
    var
}

/// A head's octets.
pub(super) fn head_octets(front: u8, number: u64) -> Vec<u8> {
    let count = cbor::head_octets(number) as usize - 1;
    if count == 0 {
        return vec![front | number as u8];
    }
    let mut octets = vec![front | (24 + count.trailing_zeros() as u8)];
    octets.extend_from_slice(&number.to_be_bytes()[8 - count..]);
    octets
}

/// How many octets an integer between these takes at most; `None` where that is not a head.
pub(super) fn most_octets(lower: i128, upper: i128) -> Option<usize> {
    let most = cbor::integer_octets(lower).max(cbor::integer_octets(upper)) as usize;
    (most <= LONGEST).then_some(most)
}
