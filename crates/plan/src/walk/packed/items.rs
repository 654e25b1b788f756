//! Enumeration items by their index (X.691 §14).

use roadwire_layout::Width;
use roadwire_model::TypeId;

use super::{Walk, amount, phase};
use crate::plan::{Amount, Bit, Cond, Int, Mover, Num, Place, Stmt, Value, Var};
use crate::walk::walker::Walker;

/// How many bits the index of an added item or alternative has, of which the first is 0 if it is
/// below 64 (X.691 §11.6).
pub(super) const ADDED_INDEX: u32 = 7;

/// How many indexes of added items or alternatives are below 64 and begin with as many zero bits as
/// a root index has.
pub(super) fn most_added(bits: u32) -> u32 {
    1 << (ADDED_INDEX - bits.max(1))
}

/// The extension bit before the index of an added item.
const ADDED: u64 = 1 << ADDED_INDEX;

/// How many indexes are below this: others have another form.
const MOST_INDEX: u64 = 64;

/// Where an item of a later version stands for its index among the additions, it is this number and
/// the index.
const LATER: i128 = i32::MIN as i128;

/// The greatest index of an item of a later version, among all items; where there are items with
/// negative numbers, no such item has this number or a lower one.
const MOST_LATER: u64 = i32::MAX as u64;
const MOST_LATER_BESIDE_NEGATIVE: u64 = (1 << 30) - 1;

/// The items of an enumeration.
pub(super) struct Items<'n> {
    pub(super) width: Width,
    /// How many are in the root.
    pub(super) root: u32,
    /// How many are added, if it is extensible.
    pub(super) added: Option<u32>,
    /// The places of the items in the type, in the order of their indexes; none if that is the
    /// same.
    pub(super) ordinals: &'n [u32],
}

impl Items<'_> {
    /// The place of the item with an index.
    fn place(&self, index: usize) -> usize {
        self.ordinals.get(index).map_or(index, |ordinal| *ordinal as usize)
    }

    /// The index of the item at a place.
    fn index(&self, place: usize) -> u64 {
        self.ordinals.iter().position(|other| *other as usize == place).unwrap_or(place) as u64
    }

    /// The width of a root index where added items are coded as well; otherwise they are left to
    /// the interpreter.
    fn with_added(&self) -> Option<u32> {
        match (self.width, self.added) {
            (Width::Anywhere(bits @ 0..ADDED_INDEX), Some(added @ 1..)) if added <= most_added(bits) => Some(bits),
            _ => None,
        }
    }
}

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    pub(super) fn enumerated(&mut self, id: TypeId, items: &Items<'_>, place: &Place) {
        if let (true, Some(added)) = (self.has_rare_forms(), items.added) {
            return match self.draft.is_encoder() {
                true => self.put_any_index(id, items, added, place),
                false => self.take_any_index(id, items, added, place),
            };
        }
        if let (Some(bits), Some(added)) = (self.with_later(id, items), items.added) {
            return match self.draft.is_encoder() {
                true => self.put_any_or_later(id, items, (bits, added), place),
                false => self.take_any_or_later(id, items, (bits, added), place),
            };
        }
        let with_added = items.with_added().filter(|_| !self.is_plain);
        match (self.draft.is_encoder(), with_added) {
            (true, None) => self.put_item(id, items, place),
            (true, Some(bits)) => self.put_any_item(id, items, bits, place),
            (false, None) => self.take_item(id, items, place),
            (false, Some(bits)) => self.take_any_item(id, items, bits, place),
        }
    }

    /// The width of a root index where items of a later version are kept.
    fn with_later(&self, id: TypeId, items: &Items<'_>) -> Option<u32> {
        let (Width::Anywhere(bits @ 0..ADDED_INDEX), true) = (items.width, self.keeps_later()) else { return None };
        self.most_later(id).map(|_| bits)
    }

    /// The greatest index of an item of a later version; `None` if an item has a number that stands
    /// for one.
    fn most_later(&self, id: TypeId) -> Option<u64> {
        let items = self.draft.types.items(id).filter(|items| items.extensible)?;
        match items.all().map(|(_, number)| *number).min() {
            None | Some(0..) => Some(MOST_LATER),
            Some(least) if i128::from(least) > LATER + i128::from(MOST_LATER_BESIDE_NEGATIVE) => {
                Some(MOST_LATER_BESIDE_NEGATIVE)
            }
            Some(_) => None,
        }
    }

    /// Whether a number stands for an item of a later version.
    fn is_later(&self, id: TypeId, number: Var) -> Cond {
        let is_negative = Cond::AtLeast(Num::Var(number), 1 << 63);
        match self.most_later(id) {
            Some(most @ ..MOST_LATER) => {
                let end = (LATER + i128::from(most) + 1) as u64;
                Cond::All(vec![is_negative, Cond::Not(Box::new(Cond::AtLeast(Num::Var(number), end)))])
            }
            _ => is_negative,
        }
    }

    /// Writes any item with any index.
    fn put_any_index(&mut self, id: TypeId, items: &Items<'_>, added: u32, place: &Place) {
        let Some(enumerators) = self.draft.types.items(id) else { return self.draft.give_up() };
        let number = self.draft.named(amount(Amount::Widened(place.clone())));
        let known = |walk: &mut Self| {
            let count = enumerators.all().count();
            let numbers = (0..count).map(|at| items.index(at)).collect();
            let unknown = enumerators.extensible.then_some(count as u64);
            let index = walk.draft.named(amount(Amount::ItemIndex { id, place: place.clone(), numbers, unknown }));
            walk.reject(Cond::AtLeast(Num::Var(index), count as u64));
            let root = u64::from(items.root);
            walk.either(
                Cond::AtLeast(Num::Var(index), root),
                |walk| {
                    walk.put_constant(1);
                    walk.put_small(amount(Amount::OffsetFrom(index, root.into())));
                },
                |walk| walk.put_root_number(Num::Var(index), items.width, true, root - 1),
            );
        };
        let Some(most) = self.most_later(id) else { return known(self) };
        self.either(
            self.is_later(id, number),
            |walk| {
                let later = walk.draft.named(amount(Amount::OffsetFrom(number, LATER)));
                let most = most - u64::from(items.root);
                walk.reject(Cond::NotWithin(Num::Var(later), (added.into(), most)));
                walk.put_constant(1);
                walk.put_small(Num::Var(later));
            },
            known,
        );
    }

    /// Reads any item with any index.
    fn take_any_index(&mut self, id: TypeId, items: &Items<'_>, added: u32, place: &Place) {
        let (root, added) = (items.root as usize, added as usize);
        let is_added = Bit { word: self.take(1), mask: None };
        self.either(
            Cond::IsSet(is_added),
            |walk| {
                let most = walk.most_later(id);
                let index = walk.take_small(Mover::TakeSmallItem, most.unwrap_or(MOST_LATER) - root as u64);
                let later = Stmt::Set(place.clone(), Value::Integer(id, amount(Amount::PlusLower(index, LATER))));
                let later = if most.is_some() { vec![later] } else { vec![Stmt::GiveUp] };
                if added == 0 {
                    return later.into_iter().for_each(|statement| walk.draft.push(statement));
                }
                let known = walk.block(|walk| {
                    walk.set_item(id, index, (root..root + added).map(|at| items.place(at)), place);
                });
                let condition = Cond::AtLeast(Num::Var(index), added as u64);
                walk.draft.push(Stmt::If { condition, then: later, otherwise: Some(known) });
            },
            |walk| {
                let number = walk.take_number(items.width, root as u64 - 1);
                walk.set_item(id, number, (0..root).map(|at| items.place(at)), place);
            },
        );
    }

    /// Writes any item, also one of a later version.
    fn put_any_or_later(&mut self, id: TypeId, items: &Items<'_>, (bits, added): (u32, u32), place: &Place) {
        let number = self.draft.named(amount(Amount::Widened(place.clone())));
        self.settle();
        let start = self.phase;
        let then = self.block(|walk| {
            let later = walk.draft.named(amount(Amount::OffsetFrom(number, LATER)));
            walk.reject(Cond::AtLeast(Num::Var(later), MOST_INDEX));
            if added > 0 {
                walk.reject(Cond::Fewer(Num::Var(later), added.into()));
            }
            walk.put(Num::Or(Box::new(Num::Var(later)), ADDED), 1 + ADDED_INDEX);
            walk.settle();
        });
        let end = self.phase;
        self.phase = start;
        let otherwise = self.block(|walk| {
            match added {
                1..=64 => walk.put_any_item(id, items, bits, place),
                _ => walk.put_item(id, items, place),
            }
            walk.settle();
        });
        let condition = self.is_later(id, number);
        self.draft.push(Stmt::If { condition, then, otherwise: Some(otherwise) });
        self.phase = phase::join(end, self.phase);
    }

    /// Reads any item: an index that no item has is that of a later version.
    fn take_any_or_later(&mut self, id: TypeId, items: &Items<'_>, (bits, added): (u32, u32), place: &Place) {
        let (root, added) = (items.root as usize, added as usize);
        let start = self.phase;
        let number = self.take(1 + bits);
        self.settle();
        let root_end = self.phase;
        let then = self.block(|walk| {
            let index = walk.take_added_index(number, bits);
            let later = Stmt::Set(place.clone(), Value::Integer(id, amount(Amount::PlusLower(index, LATER))));
            if added == 0 {
                return walk.draft.push(later);
            }
            let known = walk.block(|walk| {
                walk.set_item(id, index, (root..root + added).map(|at| items.place(at)), place);
            });
            let condition = Cond::AtLeast(Num::Var(index), added as u64);
            walk.draft.push(Stmt::If { condition, then: vec![later], otherwise: Some(known) });
        });
        let otherwise = self.block(|walk| {
            if root as u64 != 1 << bits {
                walk.reject(Cond::AtLeast(Num::Var(number), root as u64));
            }
            walk.set_item(id, number, (0..root).map(|at| items.place(at)), place);
        });
        let condition = Cond::AtLeast(Num::Var(number), 1 << bits);
        self.draft.push(Stmt::If { condition, then, otherwise: Some(otherwise) });
        self.phase = phase::join(start, root_end);
    }

    /// The index of an added item or alternative below 64, of which the first bits have been read
    /// after an extension bit (X.691 §11.6).
    pub(super) fn take_added_index(&mut self, first: Var, bits: u32) -> Var {
        let rest = self.take(ADDED_INDEX - bits);
        self.settle();
        let first = Num::And(Box::new(Num::Var(first)), (1 << bits) - 1);
        let high = self.draft.named(first.shl(ADDED_INDEX - bits));
        let index = self.draft.named(Num::Amount(Box::new(Amount::SumBits(high, rest))));
        self.draft.reject_rare(Cond::AtLeast(Num::Var(index), MOST_INDEX));
        self.settle();
        index
    }

    fn put_item(&mut self, id: TypeId, items: &Items<'_>, place: &Place) {
        let Some(enumerators) = self.draft.types.items(id) else { return self.draft.give_up() };
        let count = enumerators.all().count();
        let has_others = items.added.is_some() || enumerators.extensible || count > items.root as usize;
        let var = if !has_others && items.ordinals.is_empty() {
            self.draft.named(Num::Ordinal(place.clone()).to(Int::U64))
        } else {
            let numbers = (0..count).map(|at| items.index(at)).collect();
            let unknown = enumerators.extensible.then_some(count as u64);
            self.draft.named(amount(Amount::ItemIndex { id, place: place.clone(), numbers, unknown }))
        };
        if has_others {
            self.reject(Cond::AtLeast(Num::Var(var), items.root.into()));
        }
        self.put_root_number(Num::Var(var), items.width, items.added.is_some(), u64::from(items.root) - 1);
    }

    /// Writes an item of the root or an added one; `bits` is the width of a root index.
    fn put_any_item(&mut self, id: TypeId, items: &Items<'_>, bits: u32, place: &Place) {
        let Some(enumerators) = self.draft.types.items(id) else { return self.draft.give_up() };
        let root = u64::from(items.root);
        let index = |at: usize| match items.index(at).checked_sub(root) {
            Some(added) => ADDED + added,
            None => items.index(at),
        };
        let numbers = (0..enumerators.all().count()).map(index).collect();
        let unknown = enumerators.extensible.then_some(ADDED * 2);
        let var = self.draft.named(amount(Amount::ItemIndex { id, place: place.clone(), numbers, unknown }));
        self.reject(Cond::AtLeast(Num::Var(var), ADDED * 2));
        self.settle();
        let start = self.phase;
        let then = self.block(|walk| walk.put(Num::Var(var), 1 + ADDED_INDEX));
        self.phase = start;
        let otherwise = Some(self.block(|walk| walk.put(Num::Var(var), 1 + bits)));
        self.draft.push(Stmt::If { condition: Cond::AtLeast(Num::Var(var), ADDED), then, otherwise });
        self.phase = phase::join(start, self.phase);
    }

    fn take_item(&mut self, id: TypeId, items: &Items<'_>, place: &Place) {
        let (root, is_extensible) = (u64::from(items.root), items.added.is_some());
        let number = match items.width {
            // With an extension marker, the bit before it must be 0: any addition gives an index
            // above the root's.
            Width::Anywhere(mut bits) => {
                match self.draft.is_thorough {
                    true => self.in_root(is_extensible),
                    false => bits += u32::from(is_extensible),
                }
                let var = self.take(bits);
                if root != 1u64 << bits {
                    self.reject(Cond::AtLeast(Num::Var(var), root));
                }
                var
            }
            width => self.take_root_number(width, is_extensible, root - 1),
        };
        self.set_item(id, number, (0..items.root as usize).map(|at| items.place(at)), place);
    }

    fn set_item(&mut self, id: TypeId, number: Var, items: impl Iterator<Item = usize>, place: &Place) {
        self.set(place, Value::Indexed { id, number, items: items.collect() });
    }

    /// Reads an item of the root or an added one; `bits` is the width of a root index, with which
    /// the index of an added one begins.
    fn take_any_item(&mut self, id: TypeId, items: &Items<'_>, bits: u32, place: &Place) {
        let (root, added) = (items.root as usize, items.added.unwrap_or(0) as usize);
        let start = self.phase;
        let number = self.take(1 + bits);
        self.settle();
        let root_end = self.phase;
        let then = self.block(|walk| {
            let number = walk.take(ADDED_INDEX - bits);
            walk.draft.reject_rare(Cond::AtLeast(Num::Var(number), added as u64));
            walk.set_item(id, number, (root..root + added).map(|at| items.place(at)), place);
        });
        let otherwise = self.block(|walk| {
            walk.reject(Cond::AtLeast(Num::Var(number), root as u64));
            walk.set_item(id, number, (0..root).map(|at| items.place(at)), place);
        });
        if self.draft.is_thorough {
            self.draft.reject_rare(Cond::Above(Num::Var(number), 1 << bits));
        }
        let condition = Cond::Equals(Num::Var(number), 1 << bits);
        self.draft.push(Stmt::If { condition, then, otherwise: Some(otherwise) });
        self.phase = phase::join(start, root_end);
    }
}
