//! Which row of its table an open type has, for straight-line code of all families: the components
//! that select rows, and where they are in memory.

use std::collections::{HashMap, HashSet};

use roadwire_layout::{
    Addition, CborNode, FieldNode, JsonNode, Layout, Member, Node, NodeId, ONLY, Span, TlvNode, XmlNode,
};
use roadwire_model::{Component, Kind, Presence, TypeId, Value};

use crate::plan::{Cond, Draft, Int, Num, Pattern, Place, Selector, Stmt, Var};
use crate::types::{Repr, Types};

/// The components that select rows, by slot, as far as a function has come. Those of enclosing
/// functions are not there.
#[derive(Clone, Default)]
pub(crate) struct Keys(HashMap<u32, Key>);

#[derive(Clone)]
enum Key {
    /// It has not been coded. Whether a row is selected where it is absent.
    Ahead { if_absent: bool },
    /// It has been, and is in this place, which may be an `Option`, unless a flag says that it
    /// could not be read.
    Passed { id: TypeId, place: Place, is_option: bool, unread: Option<Var> },
}

/// The row of an open type.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Row {
    /// Its identifier is not in reach.
    Unknown,
    /// Nothing has selected one: the content stays octets.
    Ahead,
    /// There is no other.
    Only,
    /// The number in a variable.
    Selected(Var),
}

impl Row {
    /// The condition under which it is not `row`; `None` if it always is.
    pub(crate) fn differs(self, row: usize) -> Option<Cond> {
        match self {
            Row::Only => (row != 0).then_some(Cond::True),
            Row::Selected(var) => Some(Cond::Differs(Num::Var(var), row as u64)),
            Row::Unknown | Row::Ahead => Some(Cond::True),
        }
    }
}

impl Keys {
    /// A record begins whose components select rows (pairs of slot and initial row).
    pub(crate) fn enter(&mut self, layout: &Layout, slots: Span) {
        let ahead = |pair: &[u32]| (pair[0], Key::Ahead { if_absent: pair[1] != u32::MAX });
        self.0.extend(layout.numbers(slots).chunks_exact(2).map(ahead));
    }

    /// Whether a component that selects rows has not been coded.
    pub(crate) fn has_ahead(&self) -> bool {
        self.0.values().any(|key| matches!(key, Key::Ahead { .. }))
    }

    /// Whether the component that selects rows of this slot has not been coded.
    pub(crate) fn is_ahead(&self, slot: u32) -> bool {
        matches!(self.0.get(&slot), Some(Key::Ahead { .. }))
    }

    /// The flag that says whether the component that selects rows of this slot could not be read.
    pub(crate) fn flag(&mut self, slot: u32, flag: Var) {
        if let Some(Key::Passed { unread, .. }) = self.0.get_mut(&slot) {
            *unread = Some(flag);
        }
    }

    /// The same for all components in a member that select rows.
    pub(crate) fn flag_all(&mut self, layout: &Layout, node: NodeId, flag: Var) {
        if !self.0.is_empty() {
            slots(layout, node).into_iter().for_each(|slot| self.flag(slot, flag));
        }
    }

    /// Whether a component in a member selects rows.
    pub(crate) fn has_some(&self, layout: &Layout, node: NodeId) -> bool {
        !self.0.is_empty() && slots(layout, node).iter().any(|slot| self.0.contains_key(slot))
    }

    /// A component with this node has been coded from or to `field`.
    pub(crate) fn pass(
        &mut self,
        types: &Types<'_>,
        layout: &Layout,
        component: &Component,
        node: NodeId,
        field: &Place,
    ) {
        if !self.0.is_empty() {
            self.find(types, layout, (component, node), Some(field));
        }
    }

    /// Finds the keys in a component. They are out of reach in a part that may be absent; and where
    /// a component with a DEFAULT may be absent without selecting the row of it.
    fn find(&mut self, types: &Types<'_>, layout: &Layout, of: (&Component, NodeId), place: Option<&Place>) {
        let (component, node) = of;
        let (id, is_option) = (component.type_id, Types::is_option(component));
        match *layout.node(node) {
            Node::Key { node, slot, .. } => {
                let is_sure = match component.presence {
                    Presence::Default(_) => {
                        matches!(self.0.get(&slot), Some(Key::Ahead { if_absent: true } | Key::Passed { .. }))
                    }
                    _ => true,
                };
                match place.filter(|_| is_sure) {
                    Some(place) => {
                        self.0.insert(slot, Key::Passed { id, place: place.clone(), is_option, unread: None })
                    }
                    None => self.0.remove(&slot),
                };
                return self.find(types, layout, (component, node), place);
            }
            Node::Scope { record: node, .. }
            | Node::Tlv(TlvNode::Tagged { contents: node, .. })
            | Node::Fields(FieldNode::Single { content: node, .. } | FieldNode::Delimited { content: node })
            | Node::Xml(XmlNode::Tags { content: node, .. }) => {
                return self.find(types, layout, (component, node), place);
            }
            _ => {}
        }
        let Kind::Sequence { components, .. } = types.kind(id) else { return };
        let place = place.filter(|_| !is_option);
        for member in members(layout, node) {
            let at = member.component as usize;
            let field = place.map(|place| place.component(id, at));
            self.find(types, layout, (&components[at], member.node), field.as_ref());
        }
    }

    /// The row of the open type `open`, whose slot is `slot`; a variable is named for it.
    pub(crate) fn row(&self, draft: &mut Draft<'_, '_>, open: TypeId, slot: u32) -> Row {
        match self.0.get(&slot) {
            _ if slot == ONLY => Row::Only,
            None => Row::Unknown,
            Some(Key::Ahead { if_absent: false }) => Row::Ahead,
            // The content is of the row of the DEFAULT, and what follows has to select the same.
            Some(Key::Ahead { if_absent: true }) => Row::Unknown,
            Some(Key::Passed { id, place, is_option, unread }) => {
                let Some(rows) = rows(draft.types, open, *id) else { return Row::Unknown };
                let by = Selector { id: *id, place: place.clone(), is_option: *is_option, unread: *unread, rows };
                let row = draft.variable();
                draft.push(Stmt::Row { row, by });
                Row::Selected(row)
            }
        }
    }
}

/// The slots of the components in a field that select rows.
pub(crate) fn slots(layout: &Layout, node: NodeId) -> Vec<u32> {
    let (mut all, mut open, mut seen) = (Vec::new(), vec![node], HashSet::new());
    while let Some(node) = open.pop() {
        // A type may contain itself.
        if !seen.insert(node) {
            continue;
        }
        match *layout.node(node) {
            Node::Key { node, slot, .. } => {
                all.push(slot);
                open.push(node);
            }
            Node::Scope { record: node, .. }
            | Node::Fields(FieldNode::Single { content: node, .. } | FieldNode::Delimited { content: node }) => {
                open.push(node);
            }
            _ => open.extend(members(layout, node).iter().rev().map(|member| member.node)),
        }
    }
    all
}

/// The components of a record, with its additions.
fn members(layout: &Layout, record: NodeId) -> Vec<&Member> {
    let (root, additions) = match *layout.node(record) {
        Node::Record { members, additions, .. } | Node::Cbor(CborNode::Map { members, additions, .. }) => {
            (members, additions)
        }
        Node::Tlv(TlvNode::Record { members, .. })
        | Node::Fields(FieldNode::Message { members, .. })
        | Node::Json(JsonNode::Object { members, .. })
        | Node::Xml(XmlNode::Components { members, .. }) => (members, Span::default()),
        _ => return Vec::new(),
    };
    let added = layout.additions(additions).iter().flat_map(|addition| match addition {
        Addition::Single(member) => vec![member],
        Addition::Group(group) => members(layout, *group),
    });
    layout.members(root).iter().chain(added).collect()
}

/// The rows that values select; `None` if one cannot be a pattern.
fn rows(types: &Types<'_>, open: TypeId, id: TypeId) -> Option<Vec<(Pattern, usize)>> {
    let mut rows = Vec::new();
    for (at, (value, _)) in types.table(open)?.rows.iter().enumerate() {
        match compared(types, id, value) {
            Compared::Unsupported => return None,
            Compared::Never => {}
            Compared::With(pattern) => rows.push((pattern, at)),
        }
    }
    Some(rows)
}

/// How a value in memory is compared with one of a table.
enum Compared {
    /// It cannot be it.
    Never,
    With(Pattern),
    Unsupported,
}

fn compared(types: &Types<'_>, id: TypeId, value: &Value) -> Compared {
    match (types.repr(id), value, types.kind(id)) {
        (Repr::Integer(_), Value::Integer(number), _) => {
            let (least, most) = types.int(id).map_or((i128::MIN, i128::MAX), Int::bounds);
            match number.to_i128().filter(|number| (least..=most).contains(number)) {
                Some(number) => Compared::With(Pattern::Number(number)),
                None => Compared::Never,
            }
        }
        (_, Value::Integer(number), _) if types.is_wide(id) => {
            Compared::With(Pattern::WideInteger(number.to_bigint().to_signed_bytes_be()))
        }
        (Repr::AnyInteger, Value::Integer(number), _) => match number.to_i128().map(i64::try_from) {
            Some(Ok(number)) => Compared::With(Pattern::AnyInteger(number)),
            _ => Compared::Unsupported,
        },
        (Repr::Bool, Value::Boolean(value), _) => Compared::With(Pattern::Truth(*value)),
        (Repr::Enum, Value::Enumerated(ordinal), Kind::Enumerated(enumerators)) => {
            let item = *ordinal as usize;
            match item < enumerators.all().count() {
                true => Compared::With(Pattern::Item(id, item)),
                false => Compared::Unsupported,
            }
        }
        (Repr::Oid, Value::Oid(oid), _) => Compared::With(Pattern::Oid(oid.contents().to_vec())),
        (Repr::Choice, Value::Choice(which, inner), Kind::Choice { alternatives, .. }) if !types.is_open(id) => {
            let which = *which as usize;
            let Some(one) = alternatives.get(which).filter(|one| !types.is_boxed(id, one.type_id)) else {
                return Compared::Unsupported;
            };
            match compared(types, one.type_id, inner) {
                Compared::With(pattern) => Compared::With(Pattern::Alternative(id, which, Box::new(pattern))),
                other => other,
            }
        }
        _ => Compared::Unsupported,
    }
}
