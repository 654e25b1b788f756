//! Encoding JSON text: the structure. On one line, without white space.

use roadwire_layout::{Alternative, JsonNode, Name, Node, NodeId, Others, Span};
use roadwire_wire::rt::json::{self, Quoted};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar, Unknown, faults};

use crate::conditions;
use crate::encode::{Encoder, Family};

mod leaf;

/// JER.
#[derive(Default)]
pub(crate) struct Json;

impl Family for Json {
    #[inline(never)]
    fn node<'n>(encoder: &mut Encoder<'n, '_, '_, Self>, id: NodeId, value: &dyn Data) -> Result<(), Rejected> {
        let node = encoder.layout.node(id);
        match node {
            Node::Json(node) => encoder.json(node, value),
            Node::Contained { string, content, .. } => encoder.containing(*string, *content, value),
            _ => encoder.of_any_family(node, value),
        }
    }
}

impl<'n> Encoder<'n, '_, '_, Json> {
    #[inline(never)]
    pub(crate) fn json(&mut self, node: &'n JsonNode, value: &dyn Data) -> Result<(), Rejected> {
        match *node {
            JsonNode::Document { content } => self.node(content, value),
            JsonNode::Object { .. } => self.object(node, value),
            JsonNode::Conditional { object, tests } => self.conditional(object, tests, value),
            JsonNode::Single { .. } => self.single(node, value),
            JsonNode::Array { .. } => self.array(node, value),
            JsonNode::Selected { .. } => self.selected(node, value),
            JsonNode::Number { .. } => self.json_integer(node, value),
            _ => self.json_leaf(node, value),
        }
    }

    #[inline(never)]
    fn object(&mut self, node: &'n JsonNode, value: &dyn Data) -> Result<(), Rejected> {
        let JsonNode::Object { members, .. } = *node else { return self.misplaced() };
        self.open_object(node, value)?;
        let mut first = true;
        for (at, member) in self.layout.members(members).iter().enumerate() {
            match value.component(member.component as usize) {
                Some(component) if self.is_component_sent(member, component) => {
                    self.put_name(member.name, first)?;
                    first = false;
                    if self.node(member.node, component).is_err() {
                        return Err(self.within_member(member));
                    }
                }
                Some(_) => {}
                None => self.absent_member(node, at, value)?,
            }
        }
        if !value.unknown().is_empty() {
            self.other_members(node, first, value)?;
        }
        self.put(b"}")?;
        self.depth -= 1;
        Ok(())
    }

    /// An object some of whose members depend on others.
    fn conditional(&mut self, object: NodeId, tests: Span, value: &dyn Data) -> Result<(), Rejected> {
        match conditions::broken(self.layout, object, tests, value) {
            None => self.node(object, value),
            Some((member, kind)) => {
                self.fail(kind);
                Err(self.within_member(member))
            }
        }
    }

    #[inline(never)]
    fn open_object(&mut self, node: &'n JsonNode, value: &dyn Data) -> Result<(), Rejected> {
        let JsonNode::Object { members, extensible, keyed, .. } = *node else { return self.misplaced() };
        self.descend()?;
        if !value.is_record(extensible) {
            return self.mismatch("a SEQUENCE without additions that it has no place for");
        }
        if keyed {
            self.look_at_keys(members, value);
        }
        self.put(b"{")
    }

    #[inline(never)]
    fn absent_member(&mut self, node: &JsonNode, at: usize, value: &dyn Data) -> Result<(), Rejected> {
        let JsonNode::Object { members, groups, .. } = *node else { return self.misplaced() };
        self.absent(members, groups, at, value)
    }

    /// Selects the rows of the open types inside, which may precede their keys.
    #[cold]
    #[inline(never)]
    fn look_at_keys(&mut self, members: Span, value: &dyn Data) {
        let layout = self.layout;
        for member in layout.members(members) {
            if let Some(component) = value.component(member.component as usize) {
                self.key_within(member.node, component);
            }
        }
    }

    fn key_within(&mut self, id: NodeId, value: &dyn Data) {
        match *self.layout.node(id) {
            // Before any content.
            Node::Key { slot, keys, .. } => _ = self.slots.select(self.layout, slot, keys, value),
            Node::Json(JsonNode::Object { keyed: true, members, .. }) => self.look_at_keys(members, value),
            Node::Scope { record, slots } => {
                let outer = self.slots.enter(self.layout.numbers(slots));
                self.key_within(record, value);
                self.slots.leave(self.layout.numbers(slots), &outer);
            }
            _ => {}
        }
    }

    #[cold]
    #[inline(never)]
    fn other_members(&mut self, node: &JsonNode, first: bool, value: &dyn Data) -> Result<(), Rejected> {
        let JsonNode::Object { members, additions, others, .. } = *node else { return self.misplaced() };
        let unknown = value.unknown();
        let ascending = unknown.windows(2).all(|pair| pair[0].index < pair[1].index);
        if !ascending || unknown.first().is_some_and(|first| first.index < additions) {
            return self.mismatch("a SEQUENCE whose unknown additions ascend, and come after the known ones");
        }
        let layout = self.layout;
        let known = |name: Quoted<'_>| layout.members(members).iter().any(|one| name.is(layout.name(one.name)));
        let mut first = first;
        for one in unknown {
            self.other(one, first, others == Others::Kept && !member_of(&one.octets).is_none_or(known))?;
            first = false;
        }
        Ok(())
    }

    /// Something that the module has no name for: the text of a member, or octets of another
    /// encoding.
    fn other(&mut self, unknown: &Unknown, first: bool, is_member: bool) -> Result<(), Rejected> {
        if !first {
            self.put(b",")?;
        }
        if is_member {
            return self.put(&unknown.octets);
        }
        self.put(b"\"...")?;
        self.writer.text(|text| text.put_unsigned(unknown.index.into()))?;
        self.put(b"\":")?;
        self.hexadecimal(&unknown.octets)
    }

    /// A CHOICE: an object with one member.
    #[inline(never)]
    fn single(&mut self, node: &'n JsonNode, value: &dyn Data) -> Result<(), Rejected> {
        let Some((which, content)) = value.alternative() else { return self.single_of_later(node, value) };
        let alternative = self.open_single(node, which)?;
        if self.node(alternative.node, content).is_err() {
            return Err(self.within_alternative(alternative));
        }
        self.depth -= 1;
        self.put(b"}")
    }

    #[inline(never)]
    fn open_single(&mut self, node: &'n JsonNode, which: usize) -> Result<&'n Alternative, Rejected> {
        let JsonNode::Single { alternatives, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        let layout = self.layout;
        let Some(alternative) = layout.alternatives(alternatives).get(which) else {
            let kind = ErrorKind::ChoiceIndex { index: which as u64, count: alternatives.count.into() };
            return Err(self.fail(kind));
        };
        self.put(b"{")?;
        self.put_name(alternative.name, true)?;
        Ok(alternative)
    }

    #[cold]
    #[inline(never)]
    fn single_of_later(&mut self, node: &JsonNode, value: &dyn Data) -> Result<(), Rejected> {
        let JsonNode::Single { alternatives, additions, extensible, others } = *node else { return self.misplaced() };
        match value.unknown() {
            [unknown] if extensible && unknown.index >= additions => {
                let layout = self.layout;
                let all = layout.alternatives(alternatives);
                let known = |name: Quoted<'_>| all.iter().any(|one| name.is(layout.name(one.name)));
                self.put(b"{")?;
                self.other(unknown, true, others == Others::Kept && !member_of(&unknown.octets).is_none_or(known))?;
                self.put(b"}")
            }
            _ => self.mismatch("a CHOICE with one of its alternatives"),
        }
    }

    #[inline(never)]
    fn array(&mut self, node: &'n JsonNode, value: &dyn Data) -> Result<(), Rejected> {
        let JsonNode::Array { element, .. } = *node else { return self.misplaced() };
        let count = self.open_array(node, value)?;
        for at in 0..count {
            if at > 0 {
                self.put(b",")?;
            }
            self.list_element(element, at, value)?;
        }
        self.depth -= 1;
        self.put(b"]")
    }

    #[inline(never)]
    fn open_array(&mut self, node: &JsonNode, value: &dyn Data) -> Result<usize, Rejected> {
        let JsonNode::Array { lower, upper, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        let Some(count) = value.length() else {
            return Err(self.fail(ErrorKind::Mismatch { expected: "a list" }));
        };
        let size = count as u64;
        if size < lower || size > upper {
            return Err(self.fail(ErrorKind::Size { size, lower, upper }));
        }
        self.put(b"[")?;
        Ok(count)
    }

    /// An open type. The row is not encoded again, so the key must select the row that the value
    /// has.
    #[inline(never)]
    fn selected(&mut self, node: &'n JsonNode, value: &dyn Data) -> Result<(), Rejected> {
        let JsonNode::Selected { slot, rows } = *node else { return self.misplaced() };
        let selected = self.slots.get(slot);
        match (value.alternative(), value.scalar()) {
            (Some((row, content)), _) => {
                let inner = self.layout.numbers(rows).get(row).filter(|_| selected == Some(row));
                let Some(inner) = inner else { return self.inconsistent() };
                self.descend()?;
                self.node(NodeId(*inner), content)?;
                self.depth -= 1;
                Ok(())
            }
            (None, Scalar::Octets(octets)) if selected.is_some() => {
                self.put(b"{\"...\":")?;
                self.hexadecimal(octets)?;
                self.put(b"}")
            }
            (None, Scalar::Octets(octets)) => self.hexadecimal(octets),
            _ => self.mismatch("an open type"),
        }
    }

    /// A string, or the value that it contains.
    #[inline(never)]
    fn containing(&mut self, string: NodeId, content: NodeId, value: &dyn Data) -> Result<(), Rejected> {
        let Some((0, inner)) = value.alternative() else { return self.node(string, value) };
        self.descend()?;
        self.put(b"{\"containing\":")?;
        self.node(content, inner)?;
        self.depth -= 1;
        self.put(b"}")
    }

    #[cold]
    #[inline(never)]
    fn inconsistent(&mut self) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::Malformed(faults::json::OPEN_OTHER)))
    }

    /// Writes a comma unless it is the first, the name and a colon.
    #[inline(always)]
    fn put_name(&mut self, name: Name, is_first: bool) -> Result<(), Rejected> {
        let key = self.layout.json_name(name, is_first);
        self.writer.text(|text| text.put_slice(key))
    }

    #[inline(always)]
    fn put(&mut self, text: &[u8]) -> Result<(), Rejected> {
        self.writer.put_whole_octets(text)
    }
}

/// The name, if the octets are exactly the text of a member, and the name is not reserved.
fn member_of(octets: &[u8]) -> Option<Quoted<'_>> {
    let (name, end) = json::string_if(octets, 0)?;
    let colon = json::space(octets, end);
    octets.get(colon).filter(|octet| **octet == b':')?;
    let end = json::skip(octets, colon + 1).ok()?;
    (end == octets.len() && json::reserved_index(name.characters()).is_none()).then_some(name)
}
