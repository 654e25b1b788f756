//! Enums and flags.

use std::collections::HashSet;

use roadwire_model::{Coding, Enumerators, Kind, Length, Size};
use roadwire_source::Outcome;

use super::Resolver;
use crate::ast::{Enumeration, Name, Number};

impl Resolver<'_, '_> {
    pub(super) fn enumeration(&mut self, name: &Name, given: &Enumeration) -> Outcome<(Kind, Option<Coding>)> {
        if given.items.is_empty() {
            return self.error("tls.enum.empty", name.span, format!("`{}` has no items", name.text));
        }
        self.distinct(&given.items)?;
        let most = given.items.iter().map(|(_, number)| number.value).max().unwrap_or(0);
        let greatest = given.greatest.map_or(most, |greatest| greatest.value);
        for (_, number) in &given.items {
            if number.value > greatest || i64::try_from(number.value).is_err() || number.value >> 30 != 0 {
                return self.error("tls.number.range", number.span, format!("above the greatest number, {greatest}"));
            }
        }
        for (first, last) in &given.reserved {
            if last.value < first.value || last.value > greatest {
                return self.error("tls.number.range", last.span, format!("not from {} to {greatest}", first.value));
            }
            if let Some((item, number)) =
                given.items.iter().find(|(_, number)| (first.value..=last.value).contains(&number.value))
            {
                return self.error(
                    "tls.enum.reserved",
                    number.span,
                    format!("the number of `{}` is reserved", item.text),
                );
            }
        }
        let root = given.items.iter().map(|(name, number)| (name.text.clone(), number.value as i64)).collect();
        let octets = Length::field_octets(greatest);
        if octets > 4 {
            let span = given.greatest.map_or(name.span, |greatest| greatest.span);
            return self.error("tls.number.range", span, "numbers of more than four octets");
        }
        // RFC 5246 §4.5: as wide as the greatest number.
        let enumerators = Enumerators { root, additions: Vec::new(), extensible: true };
        Ok((Kind::Enumerated(enumerators), Some(Coding::Item(octets as u8))))
    }

    pub(super) fn flags(&mut self, name: &Name, given: &[(Name, Number)]) -> Outcome<(Kind, Option<Coding>)> {
        const PER_OCTET: u64 = 7;
        if given.is_empty() {
            return self.error("tls.enum.empty", name.span, format!("`{}` has no flags", name.text));
        }
        self.distinct(given)?;
        let most = given.iter().map(|(_, number)| number.value).max().unwrap_or(0);
        if most >= PER_OCTET * 8 {
            return self.error("tls.number.range", name.span, "flags from 0 to 55 are what there is room for");
        }
        // The first bit on the wire is that of the last flag that fits.
        let bits = (most / PER_OCTET + 1) * PER_OCTET;
        let named = given.iter().map(|(name, number)| (name.text.clone(), bits - 1 - number.value)).collect();
        let size = Size { lower: bits, upper: Some(bits), extensible: false };
        Ok((Kind::BitString { size, named, contains: None }, Some(Coding::Flags)))
    }

    /// Names and numbers, none twice.
    fn distinct(&mut self, given: &[(Name, Number)]) -> Outcome<()> {
        let (mut names, mut numbers) = (HashSet::new(), HashSet::new());
        for (name, number) in given {
            if !names.insert(&name.text) {
                return self.error("tls.name.duplicate", name.span, format!("`{}` is there before", name.text));
            }
            if !numbers.insert(number.value) {
                return self.error(
                    "tls.enum.number",
                    number.span,
                    format!("{} is another item's number", number.value),
                );
            }
        }
        Ok(())
    }
}
