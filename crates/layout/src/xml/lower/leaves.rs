//! Values that are text, or an empty element.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use roadwire_model::{Alphabet, Enumerators, Kind, Size, StringKind, TimeKind, Type, TypeId};

use super::instructions::{Instructions, Naming, quoted};
use crate::build::Builder;
use crate::error::LowerError;
use crate::{Default, Items, Name, Node, Span, XmlNode, XmlSpace};

/// The texts of items: their names, names from TEXT (§31), or their numbers (§34).
fn item_names(builder: &mut Builder<'_>, items: &Enumerators, instructions: &Instructions) -> Items {
    let names: Vec<String> = items
        .all()
        .map(|(name, number)| match instructions.use_number {
            true => number.to_string(),
            false => written(name, instructions),
        })
        .collect();
    builder.names_of_items(names.iter().map(String::as_str))
}

/// A name as changed by the last TEXT instruction for it.
fn written(name: &str, instructions: &Instructions) -> String {
    let is_for = |item: &Option<String>| item.as_ref().is_none_or(|item| item == name);
    let last = instructions.text.iter().rev().find(|(item, _)| is_for(item));
    last.map_or(&Naming::Same, |(_, naming)| naming).of(name)
}

fn number_names(builder: &mut Builder<'_>, named: &[(String, BigInt)], instructions: &Instructions) -> Span {
    let small: Vec<(String, i128)> =
        named.iter().filter_map(|(name, number)| Some((written(name, instructions), number.to_i128()?))).collect();
    let items = builder.names_of_items(small.iter().map(|(name, _)| name.as_str()));
    let pairs: Vec<u32> = (items.start()..)
        .zip(&small)
        .flat_map(|(item, (_, number))| [item, builder.default_place(Default::Integer(*number))])
        .collect();
    builder.numbers(pairs)
}

/// A value that is neither composed of others nor an open type.
pub(super) fn leaf(builder: &mut Builder<'_>, this: &Type, instructions: &Instructions, canonical: bool) -> XmlNode {
    let has_names = !instructions.text.is_empty();
    let is_text = has_names || instructions.modified;
    match &this.kind {
        Kind::Boolean => XmlNode::TrueFalse { text: is_text },
        // §8.3.6: always numbers, even if they have names, unless there is TEXT (§31).
        Kind::Integer { range, named } => {
            let node = builder.bounds(range);
            let node = builder.add(node);
            let names = if has_names { number_names(builder, named, instructions) } else { Span::default() };
            XmlNode::Decimal { range: node, extensible: range.extensible, names }
        }
        Kind::Enumerated(items) => XmlNode::ItemName {
            root: u32::try_from(items.root.len()).unwrap_or(u32::MAX),
            items: item_names(builder, items, instructions),
            text: is_text || instructions.use_number,
        },
        Kind::Real { .. } => XmlNode::Scientific { text: is_text, plain: instructions.decimal },
        // §8.3.9: always digits, even if bits have names.
        Kind::BitString { size, named, .. } => XmlNode::Binary {
            lower: size.lower,
            upper: most(size),
            extensible: size.extensible,
            trim: !named.is_empty(),
        },
        Kind::OctetString { size, contains } => XmlNode::OctetDigits {
            lower: size.lower,
            upper: most(size),
            extensible: size.extensible,
            base64: instructions.base64,
            contains: contains.is_some() && !instructions.base64,
        },
        Kind::ObjectIdentifier => XmlNode::Arcs { relative: false },
        Kind::RelativeOid => XmlNode::Arcs { relative: true },
        Kind::Iri { .. } => text(builder, None, &Size::default(), "", instructions),
        Kind::String { kind, size, alphabet, alphabet_extensible } => {
            let whole = repertoire(*kind);
            let alphabet = alphabet.as_ref().filter(|_| !alphabet_extensible).or(whole.as_ref());
            text(builder, alphabet, size, "", instructions)
        }
        Kind::Time { kind, .. } => {
            let pattern = match kind {
                TimeKind::Date => "0000-00-00",
                TimeKind::TimeOfDay => "00:00:00",
                TimeKind::DateTime => "0000-00-00T00:00:00",
                TimeKind::Utc | TimeKind::Generalized | TimeKind::Time | TimeKind::Duration => "",
            };
            let text = text(builder, repertoire(StringKind::Visible).as_ref(), &Size::default(), pattern, instructions);
            match kind {
                TimeKind::Utc | TimeKind::Generalized if canonical => XmlNode::CanonicalTime {
                    content: builder.add(Node::Xml(text)),
                    generalized: *kind == TimeKind::Generalized,
                },
                _ => text,
            }
        }
        _ => XmlNode::Empty,
    }
}

/// Parses the value that an element without content stands for (§23).
pub(super) fn default_for_empty(builder: &mut Builder<'_>, id: TypeId, text: &str) -> Result<u32, LowerError> {
    let default = match (&builder.model.get(id).kind, quoted(text)) {
        (Kind::Boolean, _) => match text {
            "TRUE" => Some(Default::Boolean(true)),
            "FALSE" => Some(Default::Boolean(false)),
            _ => None,
        },
        (Kind::Integer { named, .. }, _) => {
            let is_it = |pair: &&(String, BigInt)| pair.0 == text;
            let number = named.iter().find(is_it).map(|(_, number)| number.clone());
            let number = number.or_else(|| text.replace("- ", "-").parse().ok());
            number.and_then(|number| number.to_i128()).map(Default::Integer)
        }
        (Kind::Enumerated(items), _) => {
            let place = items.all().position(|(name, _)| name == text);
            place.and_then(|place| u32::try_from(place).ok()).map(Default::Enumerated)
        }
        (Kind::Real { .. }, _) => text.replace("- ", "-").parse().ok().map(Default::Real),
        (Kind::String { .. }, Some((string, ""))) => Some(Default::Text(builder.octets(string.as_bytes()))),
        _ => None,
    };
    match default {
        Some(default) => Ok(builder.default_place(default)),
        None => Err(LowerError { message: format!("no lowering yet of DEFAULT-FOR-EMPTY AS {text} for this type") }),
    }
}

/// An open type without a table: an element, or hexadecimal digits (X.681 §14.6).
pub(super) fn open() -> XmlNode {
    XmlNode::OctetDigits { lower: 0, upper: u64::MAX, extensible: false, base64: false, contains: true }
}

fn most(size: &Size) -> u64 {
    size.upper.unwrap_or(u64::MAX)
}

fn text(
    builder: &mut Builder<'_>,
    alphabet: Option<&Alphabet>,
    size: &Size,
    pattern: &str,
    instructions: &Instructions,
) -> XmlNode {
    let ranges: Vec<u32> =
        alphabet.map_or(Vec::new(), |all| all.ranges.iter().flat_map(|(first, last)| [*first, *last]).collect());
    XmlNode::CharacterData {
        lower: size.lower,
        upper: most(size),
        alphabet: builder.numbers(ranges),
        pattern: if pattern.is_empty() { Name::default() } else { builder.name(pattern) },
        extensible: size.extensible,
        controls: !instructions.modified,
        space: instructions.space.unwrap_or(XmlSpace::Preserve),
    }
}

/// The characters of a type; `None` for all. Types without a known repertoire have one character up
/// to U+00FF for each octet.
pub(crate) fn repertoire(kind: StringKind) -> Option<Alphabet> {
    let ranges = match kind {
        StringKind::Utf8 | StringKind::Universal => return None,
        StringKind::Bmp => vec![(0, 0xffff)],
        StringKind::Teletex
        | StringKind::Videotex
        | StringKind::Graphic
        | StringKind::General
        | StringKind::ObjectDescriptor => vec![(0, 0xff)],
        _ => return crate::structure::repertoire(kind),
    };
    Some(Alphabet { ranges })
}
