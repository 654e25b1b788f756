//! Efficient XML Interchange (W3C EXI 1.0, second edition), bit-packed, informed by the schema that
//! [`xml_schema`] prints.
//!
//! The grammars of that schema (§8.5.4) are computed here; a layout only keeps the width of each
//! event code. There are five mappings of types to XML: `exi` is strict, with restrictions of
//! `xs:integer`; `exi-default` has the default fidelity options and the smallest built-in integer
//! types; `exi-merged` is the same, but a mandatory SEQUENCE has no element of its own; `exi-flat`
//! is like `exi-merged`, but a mandatory CHOICE, one that is an alternative, and one in a SEQUENCE
//! OF have none either; `exi-split` is like `exi`, but a mandatory integer of more than 4096 values
//! is several elements, each a digit of at most 12 bits.

mod mapping;
mod schema;

use num_traits::ToPrimitive;
use roadwire_model::{Component, Field, Kind, Model, Presence as ModelPresence};
use roadwire_model::{IntegerRange, TypeId};

pub use self::mapping::row_elements;
pub use self::schema::xml_schema;

use self::mapping::{Branch, IntegerType, Mapping, Part, Particle, Simple};
use crate::build::Builder;
use crate::error::LowerError;
use crate::structure::to_u32;
use crate::xml::names;
use crate::{Alternative, EventNode, Form, Layout, Member, Node, NodeId, Number, Presence, Rules, Span, Width};

pub(crate) fn lower(model: &Model, root: TypeId, rules: Rules) -> Result<Layout, LowerError> {
    let mut builder = Builder::new(model);
    let lowering = Lowering { mapping: Mapping { model, rules } };
    let element = lowering.element(&mut builder, &names::of_type(model, root), root, 0)?;
    let node = lowering.add(&mut builder, EventNode::Document { element, strict: lowering.mapping.is_strict() });
    let name = builder.type_name(root);
    Ok(builder.finish(rules, name, node))
}

#[derive(Clone, Copy)]
struct Lowering<'m> {
    mapping: Mapping<'m>,
}

/// The events that can follow a part of an element's content.
#[derive(Clone, Copy)]
enum Behind {
    /// One of so many events.
    Events(usize),
    /// Whatever a SEQUENCE OF makes of it, which knows the code.
    NextItem,
}

impl<'m> Lowering<'m> {
    /// §6.2: how many bits distinguish `events` events. Unless the grammar is strict, there is one
    /// more code, for all other events.
    fn code(self, events: usize) -> u8 {
        let codes = events + usize::from(!self.mapping.is_strict());
        (usize::BITS - codes.saturating_sub(1).leading_zeros()) as u8
    }

    /// The width of the code after a part.
    fn follow(self, behind: Behind) -> u8 {
        match behind {
            Behind::Events(events) => self.code(events),
            Behind::NextItem => 0,
        }
    }

    fn add(self, builder: &mut Builder<'m>, node: EventNode) -> NodeId {
        builder.add(Node::Events(node))
    }

    /// An element of a type, followed by a code of `follow` bits.
    fn element(self, builder: &mut Builder<'m>, name: &str, id: TypeId, follow: u8) -> Result<NodeId, LowerError> {
        let content = self.content(builder, id)?;
        let name = builder.name(name);
        let node = match self.mapping.simple(self.mapping.kind(id)) {
            None | Some(Simple::Null) => EventNode::Element { name, content, follow },
            Some(_) => EventNode::Leaf { name, value: content, code: self.code(1), follow },
        };
        Ok(self.add(builder, node))
    }

    /// The content of an element of a type.
    fn content(self, builder: &mut Builder<'m>, id: TypeId) -> Result<NodeId, LowerError> {
        let id = self.mapping.model.untagged(id);
        builder.node_of(id, |builder, this| self.kind(builder, &this.kind))
    }

    fn kind(self, builder: &mut Builder<'m>, kind: &'m Kind) -> Result<Node, LowerError> {
        if let Some(simple) = self.mapping.simple(kind) {
            return Ok(self.value(builder, simple, kind));
        }
        if let Some((rows, octets)) = self.mapping.contents(kind) {
            return self.open(builder, rows, octets, kind);
        }
        match kind {
            Kind::Sequence { components, extensible, .. } => {
                let particles = self.mapping.particles(components);
                let (node, _) = self.sequence(builder, components, *extensible, &particles, None)?;
                Ok(Node::Events(node))
            }
            Kind::SequenceOf { element, element_name, size, .. } => {
                let (lower, upper) = size.root();
                let (element, events) = match self.mapping.items(*element, element_name.as_deref()) {
                    Some(branches) => {
                        let (choice, events) = self.choice(builder, &branches, Some(Behind::NextItem))?;
                        (self.add(builder, choice), events)
                    }
                    None => {
                        let item = self.mapping.item(element_name.as_deref());
                        (self.element(builder, &item, *element, 0)?, 1)
                    }
                };
                Ok(Node::Events(EventNode::Repeat {
                    lower,
                    upper,
                    element,
                    events: to_u32(events),
                    single: self.code(events),
                    either: self.code(events + 1),
                    last: self.code(1),
                    bounded: upper <= mapping::MOST_COUNTED,
                }))
            }
            Kind::Choice { alternatives, .. } => {
                let branches = self.mapping.branches(alternatives);
                Ok(Node::Events(self.choice(builder, &branches, None)?.0))
            }
            Kind::External(sequence) => self.kind(builder, &builder.model.get(*sequence).kind),
            _ => Err(refused("no XML for a type of this kind")),
        }
    }

    /// §8.5.4.1.5, §8.5.4.1.8.1: an event code selects among the optional components that may come
    /// next, the first mandatory one, and the end if there is none.
    ///
    /// `behind`: what comes after the last component, if not the end of an element around them.
    /// Also returns how many events can be the first.
    fn sequence(
        self,
        builder: &mut Builder<'m>,
        components: &'m [Component],
        extensible: bool,
        particles: &[Particle<'m>],
        behind: Option<Behind>,
    ) -> Result<(EventNode, usize), LowerError> {
        let mut next = behind.unwrap_or(Behind::Events(1));
        let mut members = Vec::new();
        for particle in particles.iter().rev() {
            let id = particle.component.type_id;
            let (node, first) = self.part(builder, &particle.part, id, next)?;
            next = match next {
                Behind::Events(events) if particle.optional => Behind::Events(events + 1),
                _ => Behind::Events(first),
            };
            let presence = match &particle.component.presence {
                ModelPresence::Mandatory if particle.component.field == Field::Addition => Presence::Optional,
                ModelPresence::Mandatory => Presence::Mandatory,
                ModelPresence::Optional => Presence::Optional,
                ModelPresence::Default(value) => Presence::Default(builder.default_of(particle.component, value)?),
            };
            let name = builder.name(&particle.component.name);
            members.push(Member { name, node, component: to_u32(particle.at), presence });
        }
        members.reverse();
        let groups = groups(components);
        let Behind::Events(events) = next else { return Err(refused("a SEQUENCE without components")) };
        let node = EventNode::Sequence {
            components: to_u32(components.len()),
            members: builder.members(members),
            groups: builder.numbers(groups),
            first: behind.is_none().then(|| self.code(events)),
            extensible,
        };
        Ok((node, events))
    }

    /// A component or alternative, and how many events can be its first.
    fn part(
        self,
        builder: &mut Builder<'m>,
        part: &Part<'m>,
        id: TypeId,
        behind: Behind,
    ) -> Result<(NodeId, usize), LowerError> {
        match (part, self.mapping.kind(id)) {
            (Part::Element(name), _) => Ok((self.element(builder, name, id, self.follow(behind))?, 1)),
            (Part::Merged(inner), Kind::Sequence { components, extensible, .. }) => {
                let (node, first) = self.sequence(builder, components, *extensible, inner, Some(behind))?;
                Ok((self.add(builder, node), first))
            }
            (Part::Either(branches), _) => {
                let (node, first) = self.choice(builder, branches, Some(behind))?;
                Ok((self.add(builder, node), first))
            }
            (Part::Digits(digits), Kind::Integer { range, .. }) => {
                let value = digit_bits(builder, range).ok_or_else(|| refused("digits of no integer"))?;
                let value = builder.add(value);
                let name = builder.name(digits.first().map_or("", |(name, _)| name));
                // The digits' elements have no codes: in strict mode, there is only one event each
                // time.
                let leaf = EventNode::Leaf { name, value, code: self.code(1), follow: self.follow(behind) };
                Ok((self.add(builder, leaf), 1))
            }
            _ => Err(refused("no XML for a part of this kind")),
        }
    }

    /// §8.5.4.1.8.2: alternatives in textual order. `behind` as in [`sequence`](Self::sequence).
    /// Also returns how many events can be the first.
    fn choice(
        self,
        builder: &mut Builder<'m>,
        branches: &[Branch<'m>],
        behind: Option<Behind>,
    ) -> Result<(EventNode, usize), LowerError> {
        let mut alternatives = Vec::new();
        let mut starts = vec![0];
        let mut events = 0;
        for (at, Branch { alternative, part }) in branches.iter().enumerate() {
            let after = behind.unwrap_or(Behind::Events(1));
            let (node, first) = self.part(builder, part, alternative.type_id, after)?;
            let name = builder.name(&alternative.name);
            alternatives.push(Alternative { name, node, alternative: to_u32(at) });
            events += first;
            starts.push(to_u32(events));
        }
        let is_one_each = events == branches.len();
        let node = EventNode::Choice {
            alternatives: builder.alternatives(alternatives),
            starts: if is_one_each { Span::default() } else { builder.numbers(starts) },
            first: behind.is_none().then(|| self.code(events)),
            octets: None,
        };
        Ok((node, events))
    }

    /// An open type, or a string that contains a type, is an element with the name of the type in
    /// it, or an element with its octets.
    fn open(
        self,
        builder: &mut Builder<'m>,
        rows: Vec<(String, TypeId)>,
        octets: Simple<'m>,
        kind: &'m Kind,
    ) -> Result<Node, LowerError> {
        let mut alternatives = Vec::new();
        for (at, (name, id)) in rows.into_iter().enumerate() {
            let node = self.element(builder, &name, id, self.code(1))?;
            alternatives.push(Alternative { name: builder.name(&name), node, alternative: to_u32(at) });
        }
        let value = self.value(builder, octets, kind);
        let value = builder.add(value);
        let name = builder.name(mapping::OCTETS);
        let leaf = EventNode::Leaf { name, value, code: self.code(1), follow: self.code(1) };
        let octets = Some(self.add(builder, leaf));
        let first = Some(self.code(alternatives.len() + 1));
        let alternatives = builder.alternatives(alternatives);
        Ok(Node::Events(EventNode::Choice { alternatives, starts: Span::default(), first, octets }))
    }

    fn value(self, builder: &mut Builder<'m>, simple: Simple<'m>, kind: &'m Kind) -> Node {
        match simple {
            Simple::Null => Node::Events(EventNode::Empty { first: self.code(1) }),
            Simple::Boolean => Node::Boolean { bits: 1 },
            Simple::Integer(integer) => match kind {
                Kind::Integer { range, .. } => self.integer(builder, range, &integer),
                _ => Node::Null,
            },
            // §7.2
            Simple::Enumeration(items) => {
                let count = items.all().count();
                Node::Enumerated {
                    width: Width::Anywhere(usize::BITS - count.saturating_sub(1).leading_zeros()),
                    root: to_u32(count),
                    additions: None,
                    ordinals: Span::default(),
                    items: builder.item_names(items),
                }
            }
            Simple::ItemNumber(items, integer) => Node::Events(EventNode::ItemNumber {
                values: builder.item_numbers(items),
                items: builder.item_names(items),
                number: number(&integer),
            }),
            Simple::Double => Node::Events(EventNode::Real),
            Simple::Octets { lower, upper } => Node::Events(EventNode::Octets { lower, upper }),
            Simple::Bits { lower, upper, trim } => {
                Node::Events(EventNode::Bits { lower, upper, trim, code: self.code(1) })
            }
            Simple::Text { lower, upper, ranges } => {
                let alphabet = builder.numbers(ranges.into_iter().flat_map(|(first, last)| [first, last]));
                Node::Events(EventNode::Text { lower, upper, alphabet })
            }
            Simple::Arcs { relative } => Node::Events(EventNode::Arcs { relative }),
        }
    }

    /// §7.1.5, §7.1.6, §7.1.9
    fn integer(self, builder: &mut Builder<'m>, range: &IntegerRange, integer: &IntegerType) -> Node {
        let bounds = builder.bounds(range);
        match (integer.bits(), bounds) {
            (Some(bits), Node::Word { lower, upper, .. }) if integer.base() == builder.bound_of(lower) => {
                return Node::Word { width: Width::Anywhere(bits.into()), form: Form::Offset, lower, upper };
            }
            (Some(bits), Node::Word { lower, upper, .. }) if integer.base() == Some(0) => {
                return Node::Word { width: Width::Anywhere(bits.into()), form: Form::Unsigned, lower, upper };
            }
            (Some(bits), Node::WideWord { lower, upper, .. }) => {
                return Node::WideWord { width: Width::Anywhere(bits.into()), lower, upper };
            }
            _ => {}
        }
        let range = builder.add(bounds);
        Node::Events(EventNode::Integer { range, number: number(integer) })
    }
}

fn refused(message: &str) -> LowerError {
    LowerError { message: message.into() }
}

fn number(integer: &IntegerType) -> Number {
    match integer.bits().zip(integer.base().and_then(|base| i16::try_from(base).ok())) {
        Some((bits, base)) => Number::Bits { bits, base },
        None if integer.is_negative() => Number::Signed,
        None => Number::Unsigned,
    }
}

/// An integer as digits of 12 bits, the first with as few bits as needed: its offset from the least
/// value.
fn digit_bits(builder: &mut Builder<'_>, range: &IntegerRange) -> Option<Node> {
    let (lower, upper) = (range.lower.as_ref()?.to_i128()?, range.upper.as_ref()?.to_i128()?);
    let bits = mapping::offsets(range)?.bits();
    Some(builder.word(Width::Anywhere(bits as u32), Form::Offset, lower, upper))
}

/// The addition groups: first component and how many.
fn groups(components: &[Component]) -> Vec<u32> {
    let mut groups = Vec::new();
    let mut at = 0;
    while let Some(component) = components.get(at) {
        let mut end = at + 1;
        if let Field::Group(group) = component.field {
            while components.get(end).is_some_and(|next| next.field == Field::Group(group)) {
                end += 1;
            }
            groups.extend([to_u32(at), to_u32(end - at)]);
        }
        at = end;
    }
    groups
}
