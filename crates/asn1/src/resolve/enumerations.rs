//! ENUMERATED (X.680 §20), and the named numbers of INTEGER and BIT STRING.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use roadwire_model::Enumerators;

use super::Resolver;
use super::parameters::Scope;
use crate::ast::{EnumItem, Enumeration, Ident, NamedNumber};
use roadwire_source::Outcome;

/// How many items, named numbers or named bits one type may have: each takes some hundred octets.
const MAX_ITEMS: usize = 100_000;

impl Resolver<'_> {
    pub(super) fn enumerators(&mut self, body: &Enumeration, implied: bool, scope: &Rc<Scope>) -> Outcome<Enumerators> {
        self.count_items(body.root.iter().chain(&body.additions).map(|item| &item.name))?;
        let mut names = HashMap::new();
        for item in body.root.iter().chain(&body.additions) {
            let key = item.name.name.clone();
            self.no_duplicate(&mut names, &key, &item.name, "this item")?;
        }
        let mut numbers = HashMap::new();
        let mut given = HashSet::new();
        for item in &body.root {
            if let Some(number) = self.item_number(item, scope)? {
                let what = format!("the number {number}");
                self.no_duplicate(&mut numbers, &number, &item.name, &what)?;
                given.insert(number);
            }
        }
        // X.680 §20.3: those without a number take the next free ones, from 0.
        let mut next = 0i64;
        let mut root = Vec::new();
        for item in &body.root {
            let number = match self.item_number(item, scope)? {
                Some(number) => number,
                None => {
                    while given.contains(&next) {
                        next += 1;
                    }
                    next += 1;
                    next - 1
                }
            };
            numbers.entry(number).or_insert_with(|| item.name.clone());
            root.push((item.name.name.to_string(), number));
        }
        // X.680 §20.4 to §20.6: additions count up.
        let mut last: Option<i64> = None;
        let mut additions = Vec::new();
        for item in &body.additions {
            let number = match self.item_number(item, scope)? {
                Some(number) => {
                    let what = format!("the number {number}");
                    self.no_duplicate(&mut numbers, &number, &item.name, &what)?;
                    if last.is_some_and(|l| number <= l) {
                        return Err(self.error(
                            "asn1.enum.order",
                            item.name.span,
                            format!("the numbers of additions ascend (X.680 §20.4), {number} does not"),
                        ));
                    }
                    number
                }
                None => {
                    let mut number = last.map_or(0, |l| l.saturating_add(1));
                    while numbers.contains_key(&number) {
                        number = number.saturating_add(1);
                    }
                    numbers.insert(number, item.name.clone());
                    number
                }
            };
            last = Some(number);
            additions.push((item.name.name.to_string(), number));
        }
        Ok(Enumerators { root, additions, extensible: body.extensible || implied })
    }

    fn count_items<'i>(&mut self, mut names: impl Iterator<Item = &'i Ident>) -> Outcome<()> {
        match names.nth(MAX_ITEMS) {
            Some(first_beyond) => Err(self.error(
                "asn1.limit.items",
                first_beyond.span,
                format!("more than {MAX_ITEMS} items or named numbers in one type"),
            )),
            None => Ok(()),
        }
    }

    fn item_number(&mut self, item: &EnumItem, scope: &Rc<Scope>) -> Outcome<Option<i64>> {
        let Some(value) = &item.value else {
            return Ok(None);
        };
        let number = self.integer_value(value, scope)?;
        // Leaves room for the numbers after it.
        match number.to_i64().filter(|n| n.unsigned_abs() < 1 << 62) {
            Some(number) => Ok(Some(number)),
            None => Err(self.error(
                "asn1.value.range",
                value.span,
                format!("{number} is too great for an enumeration item"),
            )),
        }
    }

    /// `{ a(1), b(2) }` of INTEGER.
    pub(super) fn named_numbers(&mut self, list: &[NamedNumber], scope: &Rc<Scope>) -> Outcome<Vec<(String, BigInt)>> {
        self.count_items(list.iter().map(|item| &item.name))?;
        let mut numbers: Vec<(String, BigInt)> = Vec::new();
        let mut names = std::collections::HashMap::new();
        let mut values = std::collections::HashMap::new();
        for item in list {
            let number = self.integer_value(&item.value, scope)?;
            self.no_duplicate(&mut names, &item.name.name.clone(), &item.name, "this name")?;
            let what = format!("the number {number}");
            self.no_duplicate(&mut values, &number, &item.name, &what)?;
            numbers.push((item.name.name.to_string(), number));
        }
        Ok(numbers)
    }

    /// `{ a(1), b(2) }` of BIT STRING.
    pub(super) fn named_bits(&mut self, list: &[NamedNumber], scope: &Rc<Scope>) -> Outcome<Vec<(String, u64)>> {
        let numbers = self.named_numbers(list, scope)?;
        let mut bits = Vec::new();
        for ((name, number), item) in numbers.into_iter().zip(list) {
            let Some(bit) = number.to_u64() else {
                return Err(self.error("asn1.value.range", item.value.span, format!("{number} is not a bit position")));
            };
            bits.push((name, bit));
        }
        Ok(bits)
    }

    /// Reports an error if `key` occurred before, with the first position as a note.
    pub(super) fn no_duplicate<K: std::hash::Hash + Eq + Clone>(
        &mut self,
        seen: &mut HashMap<K, Ident>,
        key: &K,
        at: &Ident,
        what: &str,
    ) -> Outcome<()> {
        if let Some(first) = seen.get(key) {
            let note = self.defined_at(first);
            return Err(self.sink.error_note(
                "asn1.name.duplicate",
                at.span,
                format!("`{}`: {what} is there already", at.name),
                Some(note),
            ));
        }
        seen.insert(key.clone(), at.clone());
        Ok(())
    }
}
