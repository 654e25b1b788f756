//! The pools of a layout while it is being built, shared by all lowerings.

use std::collections::HashMap;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use roadwire_model::data::equal;
use roadwire_model::{Component, Enumerators, IntegerRange, Kind, Model, Presence, Type, TypeId, Value};
use roadwire_wire::BitWord;

use crate::error::LowerError;
use crate::names::Names;
use crate::{
    Addition, Alternative, Bound, CharacterSet, Contents, Default, Form, Items, Layout, LengthForm, Member, Name, Node,
    NodeId, Rules, Span, Trim, Width,
};

/// A layout being built.
pub(crate) struct Builder<'m> {
    pub(crate) model: &'m Model,
    /// How lengths are encoded.
    pub(crate) length_form: LengthForm,
    /// Whether strings that contain a value have nodes for it.
    pub(crate) contents: bool,
    /// Zero bits pad a record's bitmap to a multiple of this many bits.
    pub(crate) bitmap_unit: usize,
    /// The contents of enumerations that have been lowered, in the TLV family.
    pub(crate) enumerated: HashMap<TypeId, Contents>,
    nodes: Vec<Node>,
    /// The node of each type lowered so far, and of types being lowered, which may refer to
    /// themselves.
    lowered: HashMap<(TypeId, Part), NodeId>,
    /// How many records are around those that are being lowered.
    begun: HashMap<(TypeId, Part), usize>,
    members: Vec<Member>,
    additions: Vec<Addition>,
    alternatives: Vec<Alternative>,
    numbers: Vec<u32>,
    items: Vec<Name>,
    defaults: Vec<Default>,
    /// The DEFAULTs of components that the DEFAULT of a whole record leaves out: indexes in
    /// `defaults`, by type and component.
    own_defaults: HashMap<(TypeId, usize), u32>,
    octets: Vec<u8>,
    /// The names.
    pub(crate) names: Names,
    /// The records being lowered, outermost first, with the keys that open types inside need.
    pub(crate) scopes: Vec<Scope>,
    /// How many slots there are.
    pub(crate) slots: u32,
    /// The outermost scope from which the type being lowered needs a key.
    pub(crate) reach: usize,
    /// How many nested types are being lowered.
    depth: usize,
}

/// A record being lowered.
pub(crate) struct Scope {
    pub(crate) id: TypeId,
    /// The component being lowered, if those after it follow it in the encoding.
    pub(crate) at: Option<usize>,
    pub(crate) keys: Vec<Key>,
}

/// A component that selects a row of a table.
pub(crate) struct Key {
    pub(crate) slot: u32,
    /// The component indexes from the record to the component.
    pub(crate) path: Vec<u32>,
    /// The rows' values, as indexes of defaults.
    pub(crate) rows: Span,
    /// The row of the component's DEFAULT.
    pub(crate) absent: Option<u32>,
}

/// The part of a type with tags: all of it, or only what is inside the tags.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Whole,
    Contents,
}

/// More nodes than any module needs. Types that need keys from outside are lowered once for each
/// use.
const MOST_NODES: usize = 4_000_000;

/// The deepest nesting of types on the path where they are first found: lowering is recursive.
/// (Values nest at most 100 levels.)
const DEEPEST: usize = 500;

impl<'m> Builder<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        Builder {
            model,
            length_form: LengthForm::Fragmented,
            contents: true,
            bitmap_unit: 1,
            enumerated: HashMap::new(),
            nodes: Vec::new(),
            lowered: HashMap::new(),
            begun: HashMap::new(),
            members: Vec::new(),
            additions: Vec::new(),
            alternatives: Vec::new(),
            numbers: Vec::new(),
            items: Vec::new(),
            defaults: Vec::new(),
            own_defaults: HashMap::new(),
            octets: Vec::new(),
            names: Names::default(),
            scopes: Vec::new(),
            slots: 0,
            reach: usize::MAX,
            depth: 0,
        }
    }

    /// The name of the type of a layout.
    pub(crate) fn type_name(&self, root: TypeId) -> String {
        self.model.get(root).known_as().map_or(String::new(), |name| name.name.clone())
    }

    pub(crate) fn finish(self, rules: Rules, type_name: String, root: NodeId) -> Layout {
        Layout {
            rules,
            length_form: self.length_form,
            type_name: type_name.into(),
            root,
            nodes: self.nodes.into(),
            members: self.members.into(),
            additions: self.additions.into(),
            alternatives: self.alternatives.into(),
            numbers: self.numbers.into(),
            items: self.items.into(),
            defaults: self.defaults.into(),
            octets: self.octets.into(),
            names: self.names.text.into(),
        }
    }

    /// The node of a type, lowered by `lower` unless it has been lowered before.
    pub(crate) fn node_of(
        &mut self,
        id: TypeId,
        lower: impl FnOnce(&mut Self, &'m Type) -> Result<Node, LowerError>,
    ) -> Result<NodeId, LowerError> {
        self.node_of_part((id, Part::Whole), lower)
    }

    /// The node of the contents inside a type's tags. Uses of a type with different tags share it.
    pub(crate) fn contents_of(
        &mut self,
        id: TypeId,
        lower: impl FnOnce(&mut Self, TypeId, &'m Type) -> Result<Node, LowerError>,
    ) -> Result<NodeId, LowerError> {
        let id = self.model.untagged(id);
        self.node_of_part((id, Part::Contents), |builder, this| lower(builder, id, this))
    }

    fn node_of_part(
        &mut self,
        key: (TypeId, Part),
        lower: impl FnOnce(&mut Self, &'m Type) -> Result<Node, LowerError>,
    ) -> Result<NodeId, LowerError> {
        if let Some(node) = self.lowered.get(&key) {
            // Where the type contains itself through a record, what selects a row of its open types
            // is in that one.
            let is_in_another = self.begun.get(&key).is_some_and(|around| *around < self.scopes.len());
            if !is_in_another || !self.is_selected_outside(key.0) {
                return Ok(*node);
            }
        }
        if self.nodes.len() > MOST_NODES {
            return Err(LowerError { message: "more nodes than a layout may have".into() });
        }
        let level = usize::from(key.1 == Part::Whole);
        if self.depth + level > DEEPEST {
            return Err(LowerError { message: format!("types nest more than {DEEPEST} levels, which no message may") });
        }
        self.depth += level;
        let place = self.add(Node::Null);
        let before = (self.lowered.insert(key, place), self.begun.insert(key, self.scopes.len()));
        let model = self.model;
        let outer = core::mem::replace(&mut self.reach, usize::MAX);
        self.nodes[place.0 as usize] = lower(self, model.get(key.0))?;
        self.depth -= level;
        if self.reach < self.scopes.len() {
            // Its open types depend on what is around this use.
            self.lowered.remove(&key);
        }
        self.begun.remove(&key);
        if let (Some(node), Some(around)) = before {
            self.lowered.insert(key, node);
            self.begun.insert(key, around);
        }
        self.reach = self.reach.min(outer);
        Ok(place)
    }

    pub(crate) fn node(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize]
    }

    pub(crate) fn members_of(&self, span: Span) -> Vec<Member> {
        self.members[span.range()].to_vec()
    }

    pub(crate) fn additions_of(&self, span: Span) -> Vec<Addition> {
        self.additions[span.range()].to_vec()
    }

    pub(crate) fn add(&mut self, node: Node) -> NodeId {
        self.nodes.push(node);
        NodeId(index(self.nodes.len() - 1))
    }

    pub(crate) fn name(&mut self, name: &str) -> Name {
        self.names.place(name)
    }

    pub(crate) fn octets(&mut self, octets: &[u8]) -> Span {
        append(&mut self.octets, octets.iter().copied())
    }

    /// A bound of a node.
    pub(crate) fn bound(&mut self, bound: i128) -> Bound {
        Bound::new(bound, &mut self.octets)
    }

    /// The number of a bound.
    pub(crate) fn bound_of(&self, bound: Bound) -> Option<i128> {
        bound.get(&self.octets)
    }

    /// A bound of a node, if there is one.
    pub(crate) fn any_bound(&mut self, bound: Option<i128>) -> Bound {
        bound.map_or(Bound::NONE, |bound| self.bound(bound))
    }

    /// A word from `lower` to `upper`.
    pub(crate) fn word(&mut self, width: Width, form: Form, lower: i128, upper: i128) -> Node {
        Node::Word { width, form, lower: self.bound(lower), upper: self.bound(upper) }
    }

    /// An integer after its length.
    pub(crate) fn integer_node(&mut self, form: Form, lower: Option<i128>, upper: Option<i128>) -> Node {
        Node::Integer { form, lower: self.any_bound(lower), upper: self.any_bound(upper) }
    }

    /// How characters are encoded.
    pub(crate) fn character_set(&mut self, set: CharacterSet<'_>) -> u32 {
        append(&mut self.numbers, set.numbers()).start
    }

    /// The least size of a bit string with named bits.
    pub(crate) fn trim(named: bool, least: u64) -> Result<Trim, LowerError> {
        match u32::try_from(least) {
            _ if !named => Ok(Trim::NONE),
            Ok(least) if Trim(least) != Trim::NONE => Ok(Trim(least)),
            _ => Err(LowerError { message: "a BIT STRING with named bits of at least 2^32 - 1 bits".into() }),
        }
    }

    pub(crate) fn numbers(&mut self, numbers: impl IntoIterator<Item = u32>) -> Span {
        append(&mut self.numbers, numbers)
    }

    pub(crate) fn members(&mut self, members: Vec<Member>) -> Span {
        append(&mut self.members, members)
    }

    pub(crate) fn additions(&mut self, additions: Vec<Addition>) -> Span {
        append(&mut self.additions, additions)
    }

    pub(crate) fn alternatives(&mut self, alternatives: Vec<Alternative>) -> Span {
        append(&mut self.alternatives, alternatives)
    }

    /// The numbers of enumeration items, as [`Layout::item_numbers`] reads them.
    pub(crate) fn item_numbers(&mut self, enumerators: &Enumerators) -> Span {
        self.numbers(enumerators.all().flat_map(|(_, number)| [(number >> 32) as u32, *number as u32]))
    }

    /// Pairs of first and last code.
    pub(crate) fn ranges(&mut self, ranges: &[(u32, u32)]) -> Span {
        self.numbers(ranges.iter().flat_map(|(first, last)| [*first, *last]))
    }

    pub(crate) fn item_names(&mut self, enumerators: &Enumerators) -> Items {
        self.names_of_items(enumerators.all().map(|(name, _)| name.as_str()))
    }

    pub(crate) fn names_of_items<'s>(&mut self, names: impl Iterator<Item = &'s str>) -> Items {
        let names: Vec<Name> = names.map(|name| self.name(name)).collect();
        let Span { start, count } = append(&mut self.items, names);
        Items::at(start, count)
    }

    pub(crate) fn default_place(&mut self, default: Default) -> u32 {
        self.defaults.push(default);
        index(self.defaults.len() - 1)
    }

    /// Stores a bound of more than 128 bits.
    pub(crate) fn wide(&mut self, value: &BigInt) -> Span {
        let octets = value.to_signed_bytes_be();
        self.octets(&octets)
    }

    /// A node that only holds an integer's bounds, not its encoding.
    pub(crate) fn bounds(&mut self, range: &IntegerRange) -> Node {
        match (&range.lower, &range.upper) {
            (Some(lower), Some(upper)) => match (lower.to_i128(), upper.to_i128()) {
                (Some(lower), Some(upper)) => self.word(Width::Anywhere(0), Form::Offset, lower, upper),
                _ => Node::WideWord { width: Width::Anywhere(0), lower: self.wide(lower), upper: self.wide(upper) },
            },
            (Some(lower), None) => match lower.to_i128() {
                Some(_) => self.integer_node(Form::Signed, lower.to_i128(), None),
                None => Node::WideInteger { form: Form::Signed, lower: self.wide(lower), upper: Span::default() },
            },
            (None, Some(upper)) => match upper.to_i128() {
                Some(_) => self.integer_node(Form::Signed, None, upper.to_i128()),
                None => Node::WideInteger { form: Form::Signed, lower: Span::default(), upper: self.wide(upper) },
            },
            (None, None) => self.integer_node(Form::Signed, None, None),
        }
    }

    /// Puts the DEFAULT of a component into the pool.
    pub(crate) fn default_of(&mut self, component: &Component, value: &Value) -> Result<u32, LowerError> {
        self.default_value(component.type_id, value)
            .map_err(|error| LowerError { message: format!("the DEFAULT of `{}`: {error}", component.name) })
    }

    /// Puts a value of type `id` into the pool: a DEFAULT, or what selects the row of a table.
    pub(crate) fn default_value(&mut self, id: TypeId, value: &Value) -> Result<u32, LowerError> {
        let model = self.model;
        let default = match (&model.get(id).kind, value) {
            (_, Value::Null) => Default::Null,
            (_, Value::Boolean(value)) => Default::Boolean(*value),
            (_, Value::Integer(value)) => {
                let value = value.to_bigint();
                match value.to_i128() {
                    Some(value) => Default::Integer(value),
                    None => Default::WideInteger(self.wide(&value)),
                }
            }
            (_, Value::Enumerated(ordinal)) => Default::Enumerated(*ordinal),
            (_, Value::Real(value)) => Default::Real(*value),
            (Kind::BitString { named, .. }, Value::BitString { octets, bits }) if !named.is_empty() => {
                let is_one = |at: usize| octets.get(at / 8).is_some_and(|octet| octet >> (7 - at % 8) & 1 == 1);
                let bits = (0..*bits).rev().find(|at| is_one(*at)).map_or(0, |last| last + 1);
                Default::NamedBits(self.octets(&octets[..bits.div_ceil(8)]), index(bits))
            }
            (_, Value::BitString { octets, bits }) => match BitWord::from_octets(octets, *bits) {
                Some(word) => Default::Word(word),
                None => Default::Bits(self.octets(octets), index(*bits)),
            },
            (_, Value::OctetString(octets)) => Default::Octets(self.octets(octets)),
            (_, Value::Text(text)) => Default::Text(self.octets(text.as_bytes())),
            (_, Value::Oid(oid)) => Default::Oid(self.octets(oid.contents())),
            (Kind::Sequence { components, .. }, Value::Sequence { components: values, .. }) => {
                let mut places = Vec::new();
                for (at, (component, value)) in components.iter().zip(values).enumerate() {
                    places.push(match (value, &component.presence) {
                        (Some(value), Presence::Default(own)) if equal(model, component.type_id, value, own) => {
                            Default::OR_ABSENT | self.default_value(component.type_id, value)?
                        }
                        (Some(value), _) => self
                            .default_value(component.type_id, value)
                            .map_err(|LowerError { message }| within(component, &message))?,
                        (None, Presence::Default(own)) => Default::OR_ABSENT | self.own_default(id, at, own)?,
                        (None, _) => u32::MAX,
                    });
                }
                Default::Record(self.numbers(places))
            }
            (Kind::SequenceOf { element, .. }, Value::List(values)) => {
                let places: Result<Vec<u32>, _> = values.iter().map(|v| self.default_value(*element, v)).collect();
                Default::List(self.numbers(places?))
            }
            (Kind::Choice { alternatives, .. }, Value::Choice(which, value)) => {
                let inner = alternatives.get(*which as usize).ok_or_else(|| unfit("CHOICE"))?.type_id;
                Default::Choice(*which, self.default_value(inner, value)?)
            }
            (kind, Value::Choice(0, value)) if kind.contained().is_some() => {
                let inner = kind.contained().ok_or_else(|| unfit("a string"))?;
                Default::Choice(0, self.default_value(inner, value)?)
            }
            // Without a link nothing selects the row, and the content stays octets.
            (Kind::Open { table: Some(table) }, Value::Choice(row, value))
                if !table.link.is_empty() || table.only().is_some() =>
            {
                let (_, inner) = table.rows.get(*row as usize).ok_or_else(|| unfit("open type"))?;
                Default::Choice(*row, self.default_value(*inner, value)?)
            }
            (Kind::Open { .. }, _) => return Err(unselected()),
            (kind, _) => return Err(unfit(kind.name())),
        };
        Ok(self.default_place(default))
    }
}

impl Builder<'_> {
    /// The DEFAULT of component `at` of a type, put into the pool once; `u32::MAX` inside itself,
    /// where it would be infinite.
    fn own_default(&mut self, id: TypeId, at: usize, value: &Value) -> Result<u32, LowerError> {
        if let Some(place) = self.own_defaults.get(&(id, at)) {
            return Ok(*place);
        }
        let Kind::Sequence { components, .. } = &self.model.get(id).kind else { return Err(unfit("SEQUENCE")) };
        let component = components.get(at).ok_or_else(|| unfit("SEQUENCE"))?.type_id;
        self.own_defaults.insert((id, at), u32::MAX);
        let place = self.default_value(component, value)?;
        self.own_defaults.insert((id, at), place);
        Ok(place)
    }
}

fn unfit(kind: &str) -> LowerError {
    LowerError { message: format!("this is not a value of {kind}") }
}

fn unselected() -> LowerError {
    let message =
        "a value of an open type whose content nothing selects, which stays octets, cannot be compared with them";
    LowerError { message: message.into() }
}

fn within(component: &Component, message: &str) -> LowerError {
    LowerError { message: format!("in `{}`, {message}", component.name) }
}

fn append<T>(pool: &mut Vec<T>, new: impl IntoIterator<Item = T>) -> Span {
    let start = index(pool.len());
    pool.extend(new);
    Span { start, count: index(pool.len()) - start }
}

/// An index in a pool. A module with 2^32 entries would not fit into memory.
fn index(place: usize) -> u32 {
    u32::try_from(place).expect("fewer than 2^32 entries")
}
