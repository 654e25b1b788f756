//! Basic, distinguished and canonical encoding rules (X.690).
//!
//! All three are decoded alike. Encoders write the DER form (§10, §11) under BER as well, except
//! where it has a cost: a SET in textual order, a SET OF in the order of its elements, times
//! unchanged, and bit strings with named bits no shorter than their least size. CER has indefinite
//! lengths and segments (§9).

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use roadwire_model::{
    Alphabet, Alternative as ModelAlternative, Component, Enumerators, Field, IntegerRange, Kind, Model,
    Presence as ModelPresence, Settings, Size, StringKind, Tag, TagClass, TimeKind, Type, TypeId,
};
use roadwire_wire::rt::tlv::{self, Identifier};

use crate::build::{Builder, Scope};
use crate::error::LowerError;
use crate::structure::repertoire;
use crate::{Alternative, Contents, Layout, Member, Node, NodeId, Order, Presence, Rules, Span, TlvNode};

pub(crate) fn lower(mut builder: Builder<'_>, root: TypeId, rules: Rules) -> Result<Layout, LowerError> {
    let node = Lowering { rules }.node(&mut builder, root)?;
    let name = builder.type_name(root);
    Ok(builder.finish(rules, name, node))
}

#[derive(Clone, Copy)]
struct Lowering {
    rules: Rules,
}

impl Lowering {
    /// Uses of a type with different tags are different types here.
    fn node<'m>(self, builder: &mut Builder<'m>, id: TypeId) -> Result<NodeId, LowerError> {
        builder.node_of(id, |builder, this| {
            let node = self.tagged(builder, id, this)?;
            builder.containing(node, this, |builder, id| self.node(builder, id))
        })
    }

    /// §8.14: each tag adds an identifier and a length.
    fn tagged<'m>(self, builder: &mut Builder<'m>, id: TypeId, this: &'m Type) -> Result<Node, LowerError> {
        let Some((innermost, outer)) = this.tags.split_last() else { return self.contents(builder, id, this) };
        let (innermost, indefinite) = (identifier(*innermost)?, self.rules == Rules::Cer);
        let mut node = match self.primitive(builder, id, this) {
            Some(contents) => TlvNode::Primitive { identifier: innermost, contents, indefinite },
            None => {
                let contents = if let Kind::Open { .. } | Kind::External(_) = &this.kind {
                    let node = self.contents(builder, id, this)?;
                    builder.add(node)
                } else {
                    builder.contents_of(id, |builder, id, this| self.contents(builder, id, this))?
                };
                TlvNode::Tagged { identifier: innermost | tlv::CONSTRUCTED, contents, indefinite }
            }
        };
        for tag in outer.iter().rev() {
            let contents = builder.add(Node::Tlv(node));
            node = TlvNode::Tagged { identifier: identifier(*tag)? | tlv::CONSTRUCTED, contents, indefinite };
        }
        Ok(Node::Tlv(node))
    }

    /// The contents inside the tags of a value that is composed of others, or of an open type.
    fn contents<'m>(self, builder: &mut Builder<'m>, id: TypeId, this: &'m Type) -> Result<Node, LowerError> {
        match &this.kind {
            Kind::Sequence { set, components, extensible } => self.record(builder, id, *set, components, *extensible),
            Kind::SequenceOf { set, element, size, .. } => {
                let (lower, upper) = size.lasting();
                let element = self.node(builder, *element)?;
                let sorted = *set && self.rules != Rules::Ber;
                Ok(Node::Tlv(TlvNode::List { lower, upper, element, sorted }))
            }
            Kind::Choice { alternatives, extensible } => self.choice(builder, id, alternatives, *extensible),
            Kind::Open { table } => self.open(builder, table.as_ref()),
            Kind::External(sequence) => {
                let inner = builder.model.get(*sequence);
                self.contents(builder, *sequence, inner)
            }
            kind => Err(LowerError { message: format!("{kind:?} has no tag") }),
        }
    }

    /// The contents octets of a value that is not composed of others; `None` for the other types.
    fn primitive(self, builder: &mut Builder<'_>, id: TypeId, this: &Type) -> Option<Contents> {
        Some(match &this.kind {
            Kind::Sequence { .. } | Kind::SequenceOf { .. } | Kind::Choice { .. } => return None,
            Kind::Open { .. } | Kind::External(_) => return None,
            Kind::Boolean => Contents::Boolean,
            Kind::Null => Contents::Null,
            Kind::Integer { range, .. } => integer(builder, range),
            Kind::Enumerated(enumerators) => {
                // Uses of the type with other tags share its items.
                let untagged = builder.model.untagged(id);
                if let Some(known) = builder.enumerated.get(&untagged) {
                    return Some(*known);
                }
                let contents = enumerated(builder, enumerators);
                builder.enumerated.insert(untagged, contents);
                contents
            }
            Kind::Real { .. } => Contents::Real,
            Kind::BitString { size, named, .. } => {
                let (lower, upper) = size.lasting();
                // §11.2.2: all trailing zero bits are removed, whatever the size.
                let least = if self.rules == Rules::Ber { lower } else { 0 };
                Contents::Bits { lower, upper, trim: (!named.is_empty()).then_some(least) }
            }
            Kind::OctetString { size, .. } => {
                let (lower, upper) = size.lasting();
                Contents::Octets { lower, upper }
            }
            Kind::ObjectIdentifier => Contents::Oid { relative: false },
            Kind::RelativeOid => Contents::Oid { relative: true },
            Kind::Iri { .. } => Contents::Utf8 { lower: 0, upper: u64::MAX },
            Kind::String { kind, size, alphabet, alphabet_extensible } => {
                string(builder, *kind, size, alphabet.as_ref().filter(|_| !alphabet_extensible))
            }
            Kind::Time { kind, settings } => self.time(builder, *kind, settings),
        })
    }

    /// §8.25, §8.26; §11.7 and §11.8 have a canonical form for the older two.
    fn time(self, builder: &mut Builder<'_>, kind: TimeKind, settings: &[Settings]) -> Contents {
        let pattern = match kind {
            TimeKind::Utc if self.rules != Rules::Ber => return Contents::UtcTime,
            TimeKind::Generalized if self.rules != Rules::Ber => return Contents::GeneralizedTime,
            TimeKind::Time => {
                let settings = builder.numbers(settings.iter().flat_map(Settings::numbers).collect::<Vec<_>>());
                return Contents::Time { settings, canonical: self.rules != Rules::Ber };
            }
            TimeKind::Utc | TimeKind::Generalized => {
                return string(builder, StringKind::Visible, &Size::default(), None);
            }
            TimeKind::Duration => return Contents::Duration,
            TimeKind::Date => "0000-00-00",
            TimeKind::TimeOfDay => "00:00:00",
            TimeKind::DateTime => "0000-00-00T00:00:00",
        };
        Contents::Digits { pattern: builder.name(pattern) }
    }

    /// §8.9 to §8.11
    fn record<'m>(
        self,
        builder: &mut Builder<'m>,
        id: TypeId,
        set: bool,
        components: &'m [Component],
        extensible: bool,
    ) -> Result<Node, LowerError> {
        builder.scopes.push(Scope { id, at: None, keys: Vec::new() });
        let order = self.order(builder, set, components);
        let mut members = Vec::new();
        for (at, component) in components.iter().enumerate() {
            members.push(self.member(builder, at, component)?);
        }
        if order == Order::Sorted {
            members.sort_by_key(|member| builder.smallest_tag(components[member.component as usize].type_id, true));
        }
        let members = builder.members(members);
        let additions = Additions::of(components);
        let groups = builder.numbers(additions.groups.iter().flat_map(|group| [group.start, group.count]));
        let record = Node::Tlv(TlvNode::Record {
            members,
            additions: extensible.then_some(additions.all),
            known: additions.known,
            groups,
            order,
        });
        let keys = builder.scopes.pop().map_or(Vec::new(), |scope| scope.keys);
        Ok(builder.scope(record, &keys))
    }

    /// §9.3: under CER an untagged CHOICE in a SET is sorted by its smallest tag; §10.3: under DER
    /// by the tag of the chosen alternative.
    fn order(self, builder: &mut Builder<'_>, set: bool, components: &[Component]) -> Order {
        let has_additions = components.iter().any(|component| component.field != Field::Root);
        let has_untagged = components.iter().any(|component| builder.model.get(component.type_id).tags.is_empty());
        match (set, self.rules) {
            (false, _) => Order::Textual,
            (true, Rules::Ber) => Order::Any,
            (true, Rules::Cer) if has_additions && has_untagged => {
                let mut places: Vec<u32> = (0..to_u32(components.len())).collect();
                places.sort_by_key(|place| builder.smallest_tag(components[*place as usize].type_id, true));
                Order::SortedByPlace(builder.numbers(places))
            }
            (true, Rules::Cer) if !has_additions => Order::Sorted,
            (true, _) if has_additions || has_untagged => Order::SortedByValue,
            (true, _) => Order::Sorted,
        }
    }

    fn member<'m>(self, builder: &mut Builder<'m>, at: usize, component: &'m Component) -> Result<Member, LowerError> {
        let presence = match &component.presence {
            ModelPresence::Default(value) => Presence::Default(builder.default_of(component, value)?),
            ModelPresence::Optional => Presence::Optional,
            // A value of an earlier version does not have it.
            ModelPresence::Mandatory if component.field == Field::Addition => Presence::Optional,
            ModelPresence::Mandatory => Presence::Mandatory,
        };
        let name = builder.name(&component.name);
        builder.reached(at);
        Ok(Member { name, node: self.node(builder, component.type_id)?, component: to_u32(at), presence })
    }

    /// §8.13: an untagged CHOICE is the chosen alternative.
    fn choice<'m>(
        self,
        builder: &mut Builder<'m>,
        id: TypeId,
        all: &'m [ModelAlternative],
        extensible: bool,
    ) -> Result<Node, LowerError> {
        if is_its_own_alternative(builder.model, id) {
            return Err(LowerError { message: "a CHOICE that is an untagged alternative of itself".into() });
        }
        let mut alternatives = Vec::new();
        for (at, one) in all.iter().enumerate() {
            let name = builder.name(&one.name);
            let node = self.node(builder, one.type_id)?;
            alternatives.push(Alternative { name, node, alternative: to_u32(at) });
        }
        let root = to_u32(all.iter().filter(|one| !one.addition).count());
        Ok(Node::Tlv(TlvNode::Choice { alternatives: builder.alternatives(alternatives), root, extensible }))
    }

    /// §8.15: an open type is the value that fills it.
    fn open<'m>(self, builder: &mut Builder<'m>, table: Option<&'m roadwire_model::Table>) -> Result<Node, LowerError> {
        let node = match table {
            Some(table) => builder.open_type(table, |builder, id| self.node(builder, id))?,
            None => Node::Open,
        };
        Ok(match node {
            Node::Table { slot, rows } => Node::Tlv(TlvNode::Open { slot, rows }),
            _ => Node::Tlv(TlvNode::Open { slot: 0, rows: Span::default() }),
        })
    }
}

/// Where the extension additions are among a type's components.
struct Additions {
    all: Span,
    known: u32,
    groups: Vec<Span>,
}

impl Additions {
    fn of(components: &[Component]) -> Self {
        let is_root = |component: &&Component| component.field == Field::Root;
        let start = match components.iter().position(|component| component.field != Field::Root) {
            Some(start) => start,
            // The position of the extension marker is not known without an addition; components
            // after it have other tags.
            None => components.len(),
        };
        let count = components.iter().filter(|component| !is_root(component)).count();
        let mut additions =
            Additions { all: Span { start: to_u32(start), count: to_u32(count) }, known: 0, groups: Vec::new() };
        let mut last = None;
        for (at, component) in components.iter().enumerate() {
            match component.field {
                Field::Root => continue,
                Field::Addition => additions.known += 1,
                Field::Group(_) if last == Some(component.field) => {
                    if let Some(group) = additions.groups.last_mut() {
                        group.count += 1;
                    }
                }
                Field::Group(_) => {
                    additions.known += 1;
                    additions.groups.push(Span { start: to_u32(at), count: 1 });
                }
            }
            last = Some(component.field);
        }
        additions
    }
}

/// Whether an untagged CHOICE is one of its own alternatives, and so infinite.
fn is_its_own_alternative(model: &Model, id: TypeId) -> bool {
    let mut open = vec![id];
    let mut seen = std::collections::HashSet::new();
    while let Some(next) = open.pop() {
        let this = model.get(next);
        let Kind::Choice { alternatives, .. } = &this.kind else { continue };
        for one in alternatives.iter().filter(|one| model.get(one.type_id).tags.is_empty()) {
            if one.type_id == id {
                return true;
            }
            if seen.insert(one.type_id) {
                open.push(one.type_id);
            }
        }
    }
    false
}

/// §8.1.2
fn identifier(tag: Tag) -> Result<Identifier, LowerError> {
    if tag.number >= tlv::NUMBER {
        return Err(LowerError { message: format!("the tag number {} is too large", tag.number) });
    }
    let class = match tag.class {
        TagClass::Universal => 0,
        TagClass::Application => 1,
        TagClass::Context => 2,
        TagClass::Private => 3,
    };
    Ok(class << 30 | tag.number)
}

fn integer(builder: &mut Builder<'_>, range: &IntegerRange) -> Contents {
    let range = range.lasting();
    let narrow = |bound: Option<&BigInt>| bound.and_then(ToPrimitive::to_i64);
    match (narrow(range.lower.as_ref()), narrow(range.upper.as_ref())) {
        (Some(lower), Some(upper)) => Contents::Integer { lower, upper },
        _ => Contents::WideInteger {
            lower: range.lower.as_ref().map(|bound| builder.wide(bound)),
            upper: range.upper.as_ref().map(|bound| builder.wide(bound)),
        },
    }
}

fn enumerated(builder: &mut Builder<'_>, enumerators: &Enumerators) -> Contents {
    let mut numbers: Vec<(i64, u32)> = enumerators.all().map(|(_, number)| *number).zip(0..).collect();
    numbers.sort_unstable();
    let values = numbers.into_iter().flat_map(|(number, ordinal)| [(number >> 32) as u32, number as u32, ordinal]);
    Contents::Enumerated {
        values: builder.numbers(values.collect::<Vec<_>>()),
        items: builder.item_names(enumerators),
        extensible: enumerators.extensible,
    }
}

/// §8.23: types without a known repertoire have one character for each octet.
fn string(builder: &mut Builder<'_>, kind: StringKind, size: &Size, alphabet: Option<&Alphabet>) -> Contents {
    let (lower, upper) = size.lasting();
    let width = match kind {
        StringKind::Utf8 => return Contents::Utf8 { lower, upper },
        StringKind::Bmp => 2,
        StringKind::Universal => 4,
        _ => 1,
    };
    let whole = repertoire(kind).unwrap_or(Alphabet { ranges: vec![(0, 0xff)] });
    let alphabet = if repertoire(kind).is_some() { alphabet.unwrap_or(&whole) } else { &whole };
    let ranges: Vec<u32> = alphabet.ranges.iter().flat_map(|(first, last)| [*first, *last]).collect();
    Contents::Characters { lower, upper, width, alphabet: builder.numbers(ranges) }
}

fn to_u32(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32 components")
}
