//! Octet encoding rules (X.696), basic and canonical. Encoders write the canonical form under both.

use std::collections::HashSet;

use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use roadwire_model::{
    Alphabet, Alternative as ModelAlternative, Enumerators, IntegerRange, Kind, RealParts, Settings, Size, StringKind,
    TagClass, TimeKind, Type, TypeId,
};

use roadwire_wire::rt::time::row;

use crate::build::Builder;
use crate::error::LowerError;
use crate::structure::repertoire;
use crate::times::{Numbers, Values};
use crate::{CharacterSet, Count, Extent, Form, Layout, LengthForm, Node, NodeId, Rules, Span, Width, tag};

pub(crate) fn lower(mut builder: Builder<'_>, root: TypeId, rules: Rules) -> Result<Layout, LowerError> {
    builder.length_form = LengthForm::Definite;
    // §16.2.3: the preamble is whole octets.
    builder.bitmap_unit = 8;
    let node = builder.octet_node(root)?;
    let name = builder.type_name(root);
    Ok(builder.finish(rules, name, node))
}

impl<'m> Builder<'m> {
    fn octet_node(&mut self, id: TypeId) -> Result<NodeId, LowerError> {
        let id = self.model.untagged(id);
        self.node_of(id, |builder, this| {
            let node = builder.octet_kind(id, this)?;
            builder.containing(node, this, Self::octet_node)
        })
    }

    fn octet_kind(&mut self, id: TypeId, this: &'m Type) -> Result<Node, LowerError> {
        Ok(match &this.kind {
            // §9
            Kind::Boolean => Node::Boolean { bits: 8 },
            // §15
            Kind::Null => Node::Null,
            Kind::Integer { range, .. } => self.octet_integer(range)?,
            Kind::Enumerated(enumerators) => self.numbered(enumerators),
            Kind::Real { parts } => parts.as_deref().and_then(float).unwrap_or(Node::Real),
            Kind::BitString { size, named, .. } => {
                let count = counted(size, Count::InOctets);
                // §13.3: an extensible size is not visible, but it is an effective size constraint.
                let trim = Self::trim(!named.is_empty(), size.lower)?;
                Node::Bits { extent: extent(size, count), trim, whole: true }
            }
            // §14
            Kind::OctetString { size, .. } => Node::Octets { extent: extent(size, counted(size, Count::Determinant)) },
            // §21, §22
            Kind::ObjectIdentifier => Node::Oid { relative: false },
            Kind::RelativeOid => Node::Oid { relative: true },
            // §23, §24
            Kind::Iri { .. } => Node::Text { utf8: true, lower: 0, upper: u64::MAX, alphabet: Span::default() },
            Kind::String { kind, size, alphabet, alphabet_extensible } => {
                let alphabet = alphabet.as_ref().filter(|_| !alphabet_extensible);
                self.octet_string(*kind, size, alphabet)
            }
            Kind::Time { kind, settings } => self.octet_time(*kind, settings)?,
            // §16, §18
            Kind::Sequence { set, components, extensible } => {
                self.record(id, *set, components, *extensible, Self::octet_node)?
            }
            // §17, §19
            Kind::SequenceOf { element, size, set, .. } => Node::List {
                extent: extent(size, Count::Quantity),
                element: self.octet_node(*element)?,
                // §31.8
                sorted: *set,
            },
            Kind::Choice { alternatives, extensible } => self.tagged(alternatives, *extensible)?,
            // §30
            Kind::Open { table } => match table {
                Some(table) => self.open_type(table, Self::octet_node)?,
                None => Node::Open,
            },
            // §25, §26, §28
            Kind::External(sequence) => {
                let inner = self.model.get(*sequence);
                self.octet_kind(*sequence, inner)?
            }
        })
    }

    /// §10: depending on the bounds, in 1, 2, 4 or 8 octets, or in as few as hold it. An extensible
    /// constraint is not visible (§8.2.3).
    fn octet_integer(&mut self, range: &IntegerRange) -> Result<Node, LowerError> {
        let range = range.lasting();
        let form = match &range.lower {
            Some(lower) if !lower.is_negative() => Form::Unsigned,
            _ => Form::Signed,
        };
        let wide = |bound: &Option<BigInt>| bound.as_ref().map(ToPrimitive::to_i128);
        Ok(match (wide(&range.lower), wide(&range.upper)) {
            (Some(Some(lower)), Some(Some(upper))) => match fixed_width(form, lower, upper) {
                Some(bits) => self.word(Width::Anywhere(bits), form, lower, upper),
                None => self.integer_node(form, Some(lower), Some(upper)),
            },
            (lower @ (None | Some(Some(_))), upper @ (None | Some(Some(_)))) => {
                self.integer_node(form, lower.flatten(), upper.flatten())
            }
            _ => {
                let mut octets = |bound: &Option<BigInt>| bound.as_ref().map_or(Span::default(), |of| self.wide(of));
                let (lower, upper) = (octets(&range.lower), octets(&range.upper));
                Node::WideInteger { form, lower, upper }
            }
        })
    }

    /// §11: by its number.
    fn numbered(&mut self, enumerators: &Enumerators) -> Node {
        let values = self.item_numbers(enumerators);
        Node::Numbered { values, extensible: enumerators.extensible, items: self.item_names(enumerators) }
    }

    /// §27: characters of a fixed width, with a length in octets unless the size is fixed; other
    /// types in their octets (X.690 §8.23).
    fn octet_string(&mut self, kind: StringKind, size: &Size, alphabet: Option<&Alphabet>) -> Node {
        let Some(whole) = repertoire(kind) else {
            let Extent { lower, upper, .. } = extent(size, Count::Determinant);
            return Node::Text { utf8: kind == StringKind::Utf8, lower, upper, alphabet: Span::default() };
        };
        let bits = match kind {
            StringKind::Bmp => 16,
            StringKind::Universal => 32,
            _ => 8,
        };
        let alphabet = alphabet.unwrap_or(&whole);
        let ranges: Vec<u32> = alphabet.ranges.iter().flat_map(|(first, last)| [*first, *last]).collect();
        let characters = self.character_set(CharacterSet { bits, indexed: false, alphabet: &ranges });
        Node::Characters { extent: extent(size, counted(size, Count::InOctets)), characters }
    }

    /// §29: a record of numbers for years, months, days, times of day in whole numbers or with a
    /// fraction of a second, both together, and durations. All other times, and types with several
    /// forms, are text, as in other implementations; the string type makes no difference to the
    /// octets.
    fn octet_time(&mut self, kind: TimeKind, settings: &[Settings]) -> Result<Node, LowerError> {
        if matches!(kind, TimeKind::Utc | TimeKind::Generalized) {
            return Ok(self.octet_string(StringKind::Visible, &Size::default(), None));
        }
        let values = Values::of(kind, settings)?;
        let [row, date, clock] = values.rows;
        let is_numbers = (date == row::NONE || row::YEARS.contains(&date))
            && (clock == row::NONE || !(row::FRACTIONS..row::SECOND_FRACTIONS).contains(&clock));
        if !(row <= row::DATE_TIME && is_numbers || row == row::DURATION) {
            let text = self.octet_string(StringKind::Visible, &Size::default(), None);
            return Ok(self.time_text(&values, text));
        }
        let mut duration = [(0, None); 9];
        duration[7] = (1, None);
        let year = |builder: &mut Self| Ok(builder.integer_node(Form::Signed, Some(0), Some(9999)));
        let integer = Self::octet_integer;
        self.time_node(&values, Numbers { integer, year, duration, extensible: false, fraction: None, minutes: true })
    }

    /// §20: an alternative has its outermost tag in front; an untagged CHOICE has the tag of its
    /// own alternative.
    fn tagged(&mut self, all: &'m [ModelAlternative], extensible: bool) -> Result<Node, LowerError> {
        let (order, root) = self.ordered(all);
        let (mut alternatives, mut tags) = (Vec::new(), Vec::new());
        for (place, at) in (0..).zip(order) {
            let inner = self.model.get(all[at].type_id).tags.is_empty();
            if inner && place >= root {
                let message = format!("{}: a CHOICE without a tag as an extension addition", all[at].name);
                return Err(LowerError { message });
            }
            let place = if inner { place | tag::INNER } else { place };
            for found in self.tags_of(all[at].type_id)? {
                tags.extend([found, place]);
            }
            alternatives.push(self.alternative(all, at, Self::octet_node)?);
        }
        let (alternatives, tags) = (self.alternatives(alternatives), self.numbers(tags));
        Ok(Node::Choice { extensible, width: Width::Anywhere(0), root, alternatives, tags })
    }

    /// The tags that a type may begin with: its own, or those of its alternatives.
    fn tags_of(&self, id: TypeId) -> Result<Vec<u32>, LowerError> {
        let mut found = Vec::new();
        let mut open = vec![id];
        let mut seen = HashSet::new();
        while let Some(id) = open.pop() {
            let this = self.model.get(id);
            match (this.tags.first(), &this.kind) {
                _ if !seen.insert(id) => {}
                (Some(own), _) if own.number >= tag::MOST => {
                    return Err(LowerError { message: format!("a tag with the number {}", own.number) });
                }
                (Some(own), _) => {
                    let class = match own.class {
                        TagClass::Universal => 0,
                        TagClass::Application => 1,
                        TagClass::Context => 2,
                        TagClass::Private => 3,
                    };
                    found.push(class << 30 | own.number);
                }
                (None, Kind::Choice { alternatives, extensible }) => {
                    open.extend(alternatives.iter().rev().map(|one| one.type_id));
                    // The tags of alternatives of later versions.
                    found.extend(extensible.then_some(tag::ANY));
                }
                (None, _) => return Err(LowerError { message: "an alternative without a tag".into() }),
            }
        }
        Ok(found)
    }
}

/// §10.2: the width of 8, 16, 32 or 64 bits that holds a range.
fn fixed_width(form: Form, lower: i128, upper: i128) -> Option<u32> {
    let holds = |bits: &u32| match form {
        Form::Signed => lower >= -(1 << (bits - 1)) && upper < 1 << (bits - 1),
        Form::Unsigned | Form::Offset => upper < 1 << bits,
    };
    [8, 16, 32, 64].into_iter().find(holds)
}

/// §12.2, §12.3: a format of IEEE 754 if it holds all values that the constraints allow; otherwise
/// contents octets (§12.4).
fn float(parts: &RealParts) -> Option<Node> {
    let (mantissa, exponent) = (parts.mantissa.narrow(), parts.exponent.narrow());
    let fits = |most: i64, (least, greatest): (i64, i64)| {
        -most <= mantissa.0 && mantissa.1 <= most && least <= exponent.0 && exponent.1 <= greatest
    };
    let bits = match parts.is_binary() {
        true if fits((1 << 24) - 1, (-149, 104)) => 32,
        true if fits((1 << 53) - 1, (-1074, 971)) => 64,
        _ => return None,
    };
    Some(Node::BinaryReal { bits, mantissa, exponent: (exponent.0 as i16, exponent.1 as i16) })
}

/// How a string's size is encoded: not at all if it is fixed (§13.1, §14.1, §27.2), otherwise as
/// `otherwise`.
fn counted(size: &Size, otherwise: Count) -> Count {
    if !size.extensible && size.fixed().is_some() { Count::Fixed } else { otherwise }
}

/// An extensible constraint is not visible (§8.2.3). A constraint that does not affect the encoding
/// is still checked.
fn extent(size: &Size, count: Count) -> Extent {
    let (lower, upper) = size.lasting();
    Extent { lower, upper, count, extensible: false, aligned: false }
}
