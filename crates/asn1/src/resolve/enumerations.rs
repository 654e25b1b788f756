//! ENUMERATED: numbers given and numbers assigned (X.680 §20).

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use num_traits::ToPrimitive;
use roadwire_model::Enumerators;

use super::Resolver;
use super::parameters::Scope;
use crate::ast::{EnumItem, Enumeration};
use crate::diagnostic::Outcome;

impl Resolver<'_> {
    pub(super) fn enumerators(&mut self, body: &Enumeration, implied: bool, scope: &Rc<Scope>) -> Outcome<Enumerators> {
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

    fn item_number(&mut self, item: &EnumItem, scope: &Rc<Scope>) -> Outcome<Option<i64>> {
        let Some(value) = &item.value else {
            return Ok(None);
        };
        let number = self.integer_value(value, scope)?;
        // Room to count on from it.
        match number.to_i64().filter(|n| n.unsigned_abs() < 1 << 62) {
            Some(number) => Ok(Some(number)),
            None => Err(self.error(
                "asn1.value.range",
                value.span,
                format!("{number} is too great for an enumeration item"),
            )),
        }
    }
}
