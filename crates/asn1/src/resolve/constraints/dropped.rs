//! Extension additions that a later constraint takes away (X.680 §50.8).

use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use roadwire_model::TypeId;
use roadwire_source::Span;

use super::super::Resolver;
use super::super::intervals::Intervals;
use super::super::strings::complement;
use super::{Facts, Visible};
use crate::ast::{Element, ElementKind, Set};

/// The last constraint of a type, if it is extensible: a constraint that is applied to the type
/// drops its marker and its additions.
pub(in super::super) struct Marker {
    /// The values of the root, of this constraint and of those before it.
    root: Facts,
    /// Which properties the constraint limits.
    limits: [bool; 3],
    /// The values of the additions, where they are named.
    named: Option<Facts>,
    span: Span,
}

/// A PER-visible property that a constraint limits.
#[derive(Clone, Copy)]
enum Limited {
    Values,
    Sizes,
    Characters,
}

impl Limited {
    const ALL: [Limited; 3] = [Limited::Values, Limited::Sizes, Limited::Characters];

    fn of(self, facts: &Facts) -> Option<&Intervals> {
        match self {
            Limited::Values => facts.ints.as_ref(),
            Limited::Sizes => facts.size.as_ref(),
            Limited::Characters => facts.chars.as_ref(),
        }
    }

    /// The complement of a set.
    fn outside(self, set: &Intervals) -> Intervals {
        match self {
            Limited::Values => complement(set),
            Limited::Sizes | Limited::Characters => complement(set).intersect(&Intervals::range(Some(0.into()), None)),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Limited::Values => "values",
            Limited::Sizes => "sizes",
            Limited::Characters => "characters",
        }
    }

    fn show(self, of: &Intervals) -> String {
        let end = |end: &Option<BigInt>, open: &str| match (self, end) {
            (_, None) => open.to_owned(),
            (Limited::Characters, Some(code)) => shown_character(code),
            (_, Some(number)) => number.to_string(),
        };
        let parts = of.iter().map(|(lower, upper)| match lower == upper && lower.is_some() {
            true => end(lower, ""),
            false => format!("{}..{}", end(lower, "MIN"), end(upper, "MAX")),
        });
        parts.collect::<Vec<_>>().join(" | ")
    }
}

fn shown_character(code: &BigInt) -> String {
    let character = code.to_u32().and_then(char::from_u32).filter(char::is_ascii_graphic);
    character.map_or_else(|| format!("U+{:04X}", code.to_u32().unwrap_or(0)), |shown| format!("\"{shown}\""))
}

/// The values that a constraint permits by itself, without those before it.
pub(super) struct Alone {
    left: Facts,
    extensible: [bool; 3],
    marked: bool,
    named: Option<Facts>,
    only_values: bool,
}

impl Alone {
    pub(super) fn of(visible: &Visible, set: &Set) -> Self {
        let extensible = [set.extensible, visible.size_extensible, visible.chars_extensible];
        let only_values = set.root.iter().chain(&set.additions).all(has_only_values);
        let left = visible.left.clone();
        Alone { left, extensible, marked: extensible.contains(&true), named: visible.added.clone(), only_values }
    }

    pub(super) fn is_extensible(&self) -> bool {
        self.marked
    }
}

/// Whether a constraint lists single values.
fn has_only_values(element: &Element) -> bool {
    match &element.kind {
        ElementKind::Value(_) => true,
        ElementKind::Union(parts) => parts.iter().all(has_only_values),
        _ => false,
    }
}

impl Resolver<'_> {
    /// Notes the marker of the constraint that a slot was narrowed by, and warns where it drops
    /// values that the marker before it stands for.
    pub(super) fn follow(&mut self, id: TypeId, alone: Alone, span: Span) {
        let slot = self.slot_mut(id);
        let root = slot.facts.clone();
        let limits = Limited::ALL.map(|one| one.of(&alone.left).is_some());
        let message = slot.marker.as_ref().and_then(|before| before.dropped(&alone, &root)).zip(slot.marker.clone());
        slot.marker = alone.marked.then(|| Rc::new(Marker { root, limits, named: alone.named, span }));
        if let Some((what, before)) = message {
            let text = self.as_written(before.span);
            let message = format!("this constraint drops the extension marker of `{text}`: {what} (X.680 §50.8)");
            self.sink.warning("asn1.extension.dropped", span, message);
        }
    }
}

impl Marker {
    /// Which values a constraint permits, and which of those that the marker stands for it loses;
    /// `None` if it excludes these by itself.
    fn dropped(&self, later: &Alone, now: &Facts) -> Option<String> {
        if !self.limits.contains(&true) {
            return (!later.only_values).then(|| "only values of its root are permitted here".to_owned());
        }
        Limited::ALL.into_iter().zip(self.limits).filter(|(_, limits)| *limits).find_map(|(one, _)| {
            let root = one.of(&self.root)?;
            let named = self.named.as_ref().and_then(|named| one.of(named));
            let extensible = later.extensible[one as usize];
            let own = one.of(&later.left).filter(|_| !extensible);
            let mut lost = one.outside(root);
            for set in own.into_iter().chain(named) {
                lost = lost.intersect(set);
            }
            if lost.is_empty() {
                return None;
            }
            let permitted = if extensible { root } else { one.of(now).unwrap_or(root) };
            let lost = named.map_or("no others".to_owned(), |_| format!("not {}", one.show(&lost)));
            Some(format!("{} {} are permitted here, {lost}", one.name(), one.show(permitted)))
        })
    }
}
