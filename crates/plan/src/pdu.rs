//! A message type under one set of rules.

use std::collections::HashSet;

use roadwire_layout::{Family, JsonNode, Layout, Node, NodeId, Properties, Rules, XmlNode, lower_without_contents};
use roadwire_model::TypeId;

use crate::error::PlanError;
use crate::plain::has_plain_values;
use crate::types::Types;
use crate::types::measure::WRITTEN_OUT;
use crate::walk::packed::merged;
use crate::walk::packed::phase::Ends;
use crate::walk::packed::strings::Strings;

/// The limit for levels of nesting (`roadwire_engine::Limits::DEPTH`): deeper types are left to the
/// interpreter, which counts levels.
pub const MOST_LEVELS: u32 = 100;

/// A message type and its layout under one set of rules.
pub struct Pdu<'a, 'm> {
    pub(crate) types: &'a Types<'m>,
    /// The type, as it is in the list of messages.
    pub id: TypeId,
    /// The type that represents it; see [`Types::canonical`].
    pub root: TypeId,
    /// Its layout.
    pub layout: Layout,
    /// Whether encoding instructions make its layout differ from that of XER, so that a part may
    /// have another function in each message.
    pub is_instructed: bool,
    /// Properties of its encoding, such as its least size.
    pub properties: Properties,
    /// Whether there is straight-line code for plain values: constraints allow them, and their
    /// fields are at fixed places.
    pub has_plain: bool,
    pub(crate) ends: Ends,
    /// Contents of elements that are separate functions because of the elements merged into them.
    pub(crate) merged: HashSet<NodeId>,
    /// Its character strings, in a stream of events.
    pub(crate) strings: Strings,
}

impl<'a, 'm> Pdu<'a, 'm> {
    /// The messages `roots` under some rules, each type once. Those of one set of rules share the
    /// functions of their parts.
    ///
    /// # Errors
    /// A type that has no layout.
    pub fn all(types: &'a Types<'m>, roots: &[TypeId], rules: Rules) -> Result<Vec<Self>, PlanError> {
        let mut seen = HashSet::new();
        let roots = roots.iter().copied().filter(|root| seen.insert(types.canonical(*root)));
        // Generated types hold strings.
        let layout = |root| lower_without_contents(types.source, root, rules).map(|layout| (root, layout));
        let lowered = roots.map(layout).collect::<Result<Vec<_>, _>>().map_err(|error| PlanError(error.to_string()))?;
        let strings = Strings::of(&lowered.iter().map(|(_, layout)| layout).collect::<Vec<_>>());
        Ok(lowered
            .into_iter()
            .zip(strings)
            .map(|((id, layout), strings)| Pdu::of(types, id, layout, strings))
            .collect())
    }

    fn of(types: &'a Types<'m>, id: TypeId, layout: Layout, strings: Strings) -> Self {
        let rules = layout.rules;
        Pdu {
            types,
            id,
            root: types.canonical(id),
            is_instructed: rules == Rules::Exer
                && lower_without_contents(types.source, id, Rules::Xer)
                    .is_ok_and(|xer| Layout { rules, ..xer } != layout),
            properties: Properties::of(&layout),
            has_plain: has_fixed_places(rules.family()) && has_plain_values(types, id),
            ends: Ends::default(),
            merged: merged::shared(&layout, types.options.written_out.unwrap_or(WRITTEN_OUT)),
            strings,
            layout,
        }
    }

    /// The node at which the function of the message begins; `None` if all is left to the
    /// interpreter.
    #[must_use]
    pub fn start(&self) -> Option<NodeId> {
        let (types, root) = (self.types, self.layout.root);
        let is_planned = types.has_functions(self.root) && types.levels(self.root) <= MOST_LEVELS;
        let start = match *self.layout.node(root) {
            Node::Json(JsonNode::Document { content }) => Some(content),
            Node::Xml(XmlNode::Prolog { element, namespaces }) => (namespaces.count == 0).then_some(element),
            _ => Some(root),
        };
        start.filter(|_| is_planned)
    }

    /// Whether a type may take two levels of nesting: a list of Protocol Buffers may be in a
    /// message of its own, and an addition group is a map in a map in CBOR.
    #[must_use]
    pub fn takes_two_levels(&self) -> bool {
        match self.layout.rules.family() {
            Family::Fields | Family::Cbor => true,
            Family::Tlv
            | Family::Packed
            | Family::Octet
            | Family::Events
            | Family::Xml
            | Family::Json
            | Family::Vectors => false,
        }
    }

    /// Whether there is straight-line code for usual values.
    #[must_use]
    pub fn has_usual(&self) -> bool {
        self.layout.rules.family() != Family::Events && self.types.has_usual_parts(self.root)
    }

    /// Whether there are parts of it for which a tap is called.
    #[must_use]
    pub fn is_told(&self) -> bool {
        self.layout.rules.family().borrows_and_taps() && self.types.leads_to_tap(self.root)
    }

    /// Whether a node has character strings in a table.
    #[must_use]
    pub fn has_strings(&self, node: NodeId) -> bool {
        self.strings.are_in(node)
    }

    /// How many strings that table has in place.
    #[must_use]
    pub fn strings_in_place(&self) -> u32 {
        self.strings.in_place
    }

    /// How many strings a message with that table has at most; `None` without a bound.
    #[must_use]
    pub fn most_strings(&self) -> Option<u32> {
        self.strings.most
    }
}

/// Whether fields of plain values are at fixed places. Behind tags, keys and lengths of other
/// values they are not.
fn has_fixed_places(family: Family) -> bool {
    match family {
        Family::Packed | Family::Octet | Family::Events => true,
        Family::Tlv | Family::Fields | Family::Cbor | Family::Vectors | Family::Json | Family::Xml => false,
    }
}
