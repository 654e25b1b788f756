//! Which row of its table an open type has, for straight-line code of all families: the components that select rows, and where they are in memory.

use std::collections::HashMap;

use roadwire_layout::{JsonNode, Layout, Node, NodeId, ONLY, Span, TlvNode};
use roadwire_model::{Component, Kind, Presence, TypeId, Value};

use crate::data::item_names;
use crate::place::Place;
use crate::plan;
use crate::source::Source;
use crate::types::{Repr, Types, bounds};

/// The components that select rows, by slot, as far as a function has come. Those of enclosing functions are not there.
#[derive(Clone, Default)]
pub(crate) struct Keys(HashMap<u32, Key>);

#[derive(Clone)]
enum Key {
    /// It has not been coded. Whether a row is selected where it is absent.
    Ahead { if_absent: bool },
    /// It has been, and is in this place, which may be an `Option`.
    Passed { id: TypeId, place: plan::Place, is_option: bool },
}

/// What selects the row of an open type.
pub(crate) enum Selected {
    /// What selects it is not in reach.
    Unknown,
    /// Nothing has selected one: the content stays octets.
    Ahead,
    /// There is no other.
    Only,
    /// The value of a type in a place, which may be an `Option`.
    By { id: TypeId, place: plan::Place, is_option: bool },
}

impl Keys {
    /// A record begins whose components select rows (pairs of slot and initial row).
    pub(crate) fn enter(&mut self, layout: &Layout, slots: Span) {
        let ahead = |pair: &[u32]| (pair[0], Key::Ahead { if_absent: pair[1] != u32::MAX });
        self.0.extend(layout.numbers(slots).chunks_exact(2).map(ahead));
    }

    /// A component with this node has been coded from or to `field`.
    pub(crate) fn pass(
        &mut self,
        types: &Types<'_>,
        layout: &Layout,
        component: &Component,
        node: NodeId,
        field: &plan::Place,
    ) {
        if !self.0.is_empty() {
            self.find(types, layout, (component, node), Some(field));
        }
    }

    /// Finds the keys in a component. They are out of reach in a part that may be absent; and where a component with a DEFAULT may be absent without selecting the row of it.
    fn find(&mut self, types: &Types<'_>, layout: &Layout, of: (&Component, NodeId), place: Option<&plan::Place>) {
        let (component, node) = of;
        let (id, is_option) = (component.type_id, Types::is_option(component));
        let members = match *layout.node(node) {
            Node::Key { node, slot, .. } => {
                let is_sure = match component.presence {
                    Presence::Default(_) => matches!(self.0.get(&slot), Some(Key::Ahead { if_absent: true })),
                    _ => true,
                };
                match place.filter(|_| is_sure) {
                    Some(place) => self.0.insert(slot, Key::Passed { id, place: place.clone(), is_option }),
                    None => self.0.remove(&slot),
                };
                return self.find(types, layout, (component, node), place);
            }
            Node::Scope { record: node, .. } | Node::Tlv(TlvNode::Tagged { contents: node, .. }) => {
                return self.find(types, layout, (component, node), place);
            }
            Node::Record { members, .. }
            | Node::Tlv(TlvNode::Record { members, .. })
            | Node::Json(JsonNode::Object { members, .. }) => members,
            _ => return,
        };
        let Kind::Sequence { components, .. } = types.kind(id) else { return };
        let place = place.filter(|_| !is_option);
        for member in layout.members(members) {
            let at = member.component as usize;
            let field = place.map(|place| place.component(id, at));
            self.find(types, layout, (&components[at], member.node), field.as_ref());
        }
    }

    /// What selects the row of the open type `open`, whose slot is `slot`.
    pub(crate) fn selected(&self, types: &Types<'_>, open: TypeId, slot: u32) -> Selected {
        match self.0.get(&slot) {
            _ if slot == ONLY => Selected::Only,
            None => Selected::Unknown,
            Some(Key::Ahead { .. }) => Selected::Ahead,
            Some(Key::Passed { id, place, is_option }) => match arms(types, open, *id, *is_option) {
                Some(_) => Selected::By { id: *id, place: place.clone(), is_option: *is_option },
                None => Selected::Unknown,
            },
        }
    }
}

/// Writes the row that the value of a type in a place selects, as a variable.
pub(crate) fn write_row(
    types: &Types<'_>,
    row: &str,
    open: TypeId,
    (id, is_option): (TypeId, bool),
    place: &Place,
    out: &mut Source,
) {
    let key = match (is_option, types.is_boxed_type(id)) {
        (_, false) => place.shared(),
        (false, true) => format!("&*{}", place.object()),
        (true, true) => format!("{}.as_deref()", place.object()),
    };
    out.line(format!("let {row} = match {key} {{"));
    arms(types, open, id, is_option).into_iter().flatten().for_each(|arm| out.line(arm));
    out.line("_ => usize::MAX,");
    out.line("};");
}

/// The arms of a match over the values that select rows; `None` if one cannot be a pattern.
fn arms(types: &Types<'_>, open: TypeId, id: TypeId, is_option: bool) -> Option<Vec<String>> {
    let mut arms = Vec::new();
    for (at, (value, _)) in types.table(open)?.rows.iter().enumerate() {
        match pattern(types, id, value) {
            Pattern::Unsupported => return None,
            Pattern::Never => {}
            Pattern::Is(pattern, guard) => {
                let pattern = if is_option { format!("Some({pattern})") } else { pattern };
                let guard = guard.map_or(String::new(), |guard| format!(" if {guard}"));
                arms.push(format!("{pattern}{guard} => {at},"));
            }
        }
    }
    Some(arms)
}

/// How a value in memory is compared with one of a table.
enum Pattern {
    /// It cannot be it.
    Never,
    /// A pattern for a reference to it, and a condition on the variable `key`.
    Is(String, Option<String>),
    Unsupported,
}

fn pattern(types: &Types<'_>, id: TypeId, value: &Value) -> Pattern {
    match (types.repr(id), value, types.kind(id)) {
        (Repr::Integer(rust), Value::Integer(number), _) => {
            let (least, most) = bounds(rust);
            match number.to_i128().filter(|number| (least..=most).contains(number)) {
                Some(number) => Pattern::Is(number.to_string(), None),
                None => Pattern::Never,
            }
        }
        (Repr::AnyInteger, Value::Integer(number), _) => match number.to_i128().map(i64::try_from) {
            Some(Ok(number)) => Pattern::Is("key".into(), Some(format!("key.to_i64() == Some({number})"))),
            _ => Pattern::Unsupported,
        },
        (Repr::Bool, Value::Boolean(value), _) => Pattern::Is(value.to_string(), None),
        (Repr::Enum(name), Value::Enumerated(ordinal), Kind::Enumerated(enumerators)) => {
            match item_names(enumerators).get(*ordinal as usize) {
                Some(item) => Pattern::Is(format!("{name}::{item}"), None),
                None => Pattern::Unsupported,
            }
        }
        (Repr::Oid, Value::Oid(oid), _) => {
            Pattern::Is("key".into(), Some(format!("key.0[..] == {:?}", oid.contents())))
        }
        (Repr::Choice(_), Value::Choice(which, inner), Kind::Choice { alternatives, .. }) if !types.is_open(id) => {
            let (Some(variants), Some(one)) = (types.variants(id), alternatives.get(*which as usize)) else {
                return Pattern::Unsupported;
            };
            if types.is_boxed(id, one.type_id) {
                return Pattern::Unsupported;
            }
            match pattern(types, one.type_id, inner) {
                Pattern::Is(pattern, guard) => {
                    Pattern::Is(format!("{}({pattern})", variants[*which as usize].path), guard)
                }
                other => other,
            }
        }
        _ => Pattern::Unsupported,
    }
}
