//! The items of a column of an ENUMERATED.

use std::collections::HashMap;

use arrow_array::{Array, ArrayRef, cast::AsArray};
use roadwire_model::Enumerators;
use roadwire_wire::column::NOWHERE;
use roadwire_wire::ordinal_of_unknown_item;

use crate::values::Values;

/// The ordinal of each row; [`NOWHERE`] where it has none.
#[derive(Debug)]
pub(super) struct Items(pub(super) Vec<u32>);

impl Items {
    pub(super) fn new(items: &Enumerators, values: &Values, array: &ArrayRef) -> Items {
        let names = Names {
            ordinals: items.all().zip(0..).map(|((name, _), ordinal)| (name.as_str(), ordinal)).collect(),
            root: items.extensible.then_some(items.root.len() as u32),
        };
        if let Values::Dictionary(places, items) = values {
            // Each item is looked up once.
            let count = array.as_any_dictionary_opt().map_or(0, |array| array.values().len());
            let known: Vec<u32> = (0..count).map(|at| names.ordinal(items.text(at))).collect();
            return Items(places.iter().map(|place| known.get(*place).copied().unwrap_or(NOWHERE)).collect());
        }
        let nulls = array.logical_nulls();
        let mut last = (None, NOWHERE);
        let ordinal = |row| {
            if nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
                return NOWHERE;
            }
            // Rows beside each other often have the same item.
            let name = values.text(row);
            if last.0 != name || name.is_none() {
                last = (name, names.ordinal(name));
            }
            last.1
        };
        Items((0..array.len()).map(ordinal).collect())
    }

    pub(super) fn ordinal(&self, row: usize) -> Option<u32> {
        self.0.get(row).copied().filter(|ordinal| *ordinal != NOWHERE)
    }
}

struct Names<'m> {
    ordinals: HashMap<&'m str, u32>,
    /// How many are in the root, if there may be others.
    root: Option<u32>,
}

impl Names<'_> {
    fn ordinal(&self, name: Option<&str>) -> u32 {
        let known = |name| self.ordinals.get(name).copied().or_else(|| unknown_item(name, self.root?));
        name.and_then(known).unwrap_or(NOWHERE)
    }
}

/// The ordinal of `...N` or `...(N)`.
fn unknown_item(name: &str, root: u32) -> Option<u32> {
    let rest = name.strip_prefix("...")?;
    match rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(number) => ordinal_of_unknown_item(number.parse().ok()?),
        None => root.checked_add(rest.parse().ok()?),
    }
}
