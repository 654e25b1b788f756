//! Decoding JSON text: the structure. A value begins at the reader's position: the caller has
//! skipped white space.

use alloc::boxed::Box;
use alloc::vec::Vec;

use roadwire_layout::{Alternative, JsonNode, Member, Node, NodeId, Others, Presence, Span};
use roadwire_wire::rt::json::{self, Quoted};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar, Shape, Step, Unknown, faults};

use crate::conditions;
use crate::decode::{Decoder, Family};
use crate::listener::{Listener, What};
use crate::seen::Seen;

mod keys;
mod leaf;
mod token;

/// JER.
#[derive(Clone, Default)]
pub(crate) struct Json;

impl Family for Json {
    #[inline(never)]
    fn node<'n, L: Listener>(
        decoder: &mut Decoder<'n, '_, '_, '_, L, Self>,
        id: NodeId,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let node = decoder.layout.node(id);
        match node {
            Node::Json(node) => decoder.json(node, value),
            Node::Contained { string, content, .. } => decoder.containing(*string, *content, value),
            _ => decoder.of_any_family(node, value),
        }
    }
}

impl<'n, 'a, L: Listener> Decoder<'n, 'a, '_, '_, L, Json> {
    #[inline(never)]
    pub(crate) fn json(&mut self, node: &'n JsonNode, value: &mut dyn Data) -> Result<(), Rejected> {
        match *node {
            JsonNode::Document { content } => self.document(content, value),
            JsonNode::Object { .. } => self.object(node, value),
            JsonNode::Conditional { object, tests } => self.conditional(object, tests, value),
            JsonNode::Single { .. } => self.single(node, value),
            JsonNode::Array { .. } => self.array(node, value),
            JsonNode::Selected { .. } => self.selected(node, value),
            _ => self.json_leaf(node, value),
        }
    }

    /// RFC 8259 §2: a value with white space around it. A byte order mark is skipped (§8.1).
    #[inline(never)]
    fn document(&mut self, content: NodeId, value: &mut dyn Data) -> Result<(), Rejected> {
        if self.reader.octets().starts_with("\u{feff}".as_bytes()) {
            self.pass(3, What::Padding);
        }
        self.space();
        self.node(content, value)?;
        self.space();
        if self.peek().is_some() {
            return self.syntax(faults::json::END);
        }
        Ok(())
    }

    #[inline(never)]
    fn object(&mut self, node: &'n JsonNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let JsonNode::Object { members, .. } = *node else { return self.misplaced() };
        let start = self.reader.position();
        self.open_object(node, value)?;
        let mut seen = Seen::default();
        let mut others = None;
        let mut next = 0;
        let mut first = true;
        while self.another(b'}', first)? {
            first = false;
            let at = self.at();
            let name = self.member_name()?;
            match self.find(members, name, next) {
                Some((index, member)) => {
                    if !seen.insert(index) {
                        return self.notation(at, faults::json::MEMBER_DUPLICATE);
                    }
                    next = index + 1;
                    self.member(member, value)?;
                }
                None => self.other_member(node, at, name, &mut others)?,
            }
        }
        if seen.count() < members.count as usize {
            self.absent(node, &seen, start)?;
        }
        if let Some(others) = others {
            self.keep_others(node, *others, value)?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// An object, and then which of its members depend on others.
    fn conditional(&mut self, object: NodeId, tests: Span, value: &mut dyn Data) -> Result<(), Rejected> {
        let start = self.reader.position();
        self.node(object, value)?;
        match conditions::broken(self.layout, object, tests, value) {
            None => Ok(()),
            Some((member, kind)) => {
                self.fail_at(kind, start);
                Err(self.within_member(member))
            }
        }
    }

    #[inline(never)]
    fn open_object(&mut self, node: &'n JsonNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let JsonNode::Object { components, members, groups, keyed, .. } = *node else { return self.misplaced() };
        self.descend()?;
        let start = self.reader.position();
        self.bracket(b'{', "an object")?;
        self.take_places(components)?;
        if !value.begin(Shape::Record(components as usize)) {
            return self.no_place(self.at());
        }
        if keyed {
            if let Some(member) = self.look_at_keys(members, groups, value) {
                self.fail_at(ErrorKind::Missing, start);
                return Err(self.within_member(member));
            }
        }
        Ok(())
    }

    /// The member with this name; usually it is the next in textual order.
    #[inline(never)]
    fn find(&self, members: Span, name: Quoted<'_>, next: usize) -> Option<(usize, &'n Member)> {
        let all = self.layout.members(members);
        let is_it = |member: &Member| name.is(self.layout.name(member.name));
        match all.get(next) {
            Some(member) if is_it(member) => Some((next, member)),
            _ => all.iter().enumerate().find(|(_, member)| is_it(member)),
        }
    }

    /// Checks that components of the root without OPTIONAL or DEFAULT are present, and those of an
    /// addition group if any of the group is (X.680 §25.12).
    #[inline(never)]
    fn absent(&mut self, node: &'n JsonNode, seen: &Seen, start: usize) -> Result<(), Rejected> {
        let JsonNode::Object { members, groups, .. } = *node else { return self.misplaced() };
        let layout = self.layout;
        for (at, member) in layout.members(members).iter().enumerate() {
            if member.presence != Presence::Mandatory || seen.has(at) {
                continue;
            }
            let group = layout.groups(groups).find(|group| group.contains(&at));
            if group.is_none_or(|mut group| group.any(|other| seen.has(other))) {
                self.fail_at(ErrorKind::Missing, start);
                return Err(self.within_member(member));
            }
        }
        Ok(())
    }

    /// A member that the type does not have.
    #[cold]
    #[inline(never)]
    fn other_member(
        &mut self,
        node: &'n JsonNode,
        at: usize,
        name: Quoted<'_>,
        others: &mut Option<Box<OtherMembers>>,
    ) -> Result<(), Rejected> {
        let JsonNode::Object { additions, extensible, others: fate, .. } = *node else { return self.misplaced() };
        match (json::reserved_index(name.characters()), fate) {
            (Some(index), _) if extensible && index >= additions => {
                let octets = self.hexadecimal(What::Unknown)?;
                others.get_or_insert_default().numbered.push((Unknown { index, octets }, at));
            }
            (None, Others::Ignored) if extensible => self.pass_value(What::Padding)?,
            (None, Others::Kept) if extensible => {
                self.pass_value(What::Unknown)?;
                let text = self.reader.octets().get(at..self.at()).unwrap_or(&[]);
                others.get_or_insert_default().named.push((text.to_vec(), at));
            }
            _ => return self.unknown_name(at, faults::json::UNKNOWN_COMPONENT, node),
        }
        Ok(())
    }

    /// Keeps those with a number first, and those with a name after them, in the order received.
    #[cold]
    #[inline(never)]
    fn keep_others(&mut self, node: &JsonNode, others: OtherMembers, value: &mut dyn Data) -> Result<(), Rejected> {
        let JsonNode::Object { additions, .. } = *node else { return self.misplaced() };
        let OtherMembers { mut numbered, named } = others;
        numbered.sort_by_key(|(unknown, _)| unknown.index);
        let mut next = additions;
        for (unknown, at) in numbered {
            if unknown.index < next {
                return self.notation(at, faults::json::ADDITION_DUPLICATE);
            }
            next = unknown.index.saturating_add(1);
            self.keep(unknown, at, value)?;
        }
        for (octets, at) in named {
            self.keep(Unknown { index: next, octets }, at, value)?;
            next = next.saturating_add(1);
        }
        Ok(())
    }

    fn keep(&mut self, unknown: Unknown, at: usize, value: &mut dyn Data) -> Result<(), Rejected> {
        if value.keep(unknown) {
            return Ok(());
        }
        self.notation(at, faults::json::NO_PLACE_ADDITION)
    }

    /// A CHOICE: an object with one member.
    #[inline(never)]
    fn single(&mut self, node: &'n JsonNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let start = self.at();
        let alternative = self.open_single(node, start, value)?;
        if let Some(alternative) = alternative {
            self.alternative(alternative, value)?;
        }
        self.close_single(start)?;
        self.depth -= 1;
        Ok(())
    }

    /// Reads the name; `None` if the alternative is unknown, and has been kept.
    #[inline(never)]
    fn open_single(
        &mut self,
        node: &'n JsonNode,
        start: usize,
        value: &mut dyn Data,
    ) -> Result<Option<&'n Alternative>, Rejected> {
        let JsonNode::Single { alternatives, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        self.bracket(b'{', "an object with one member, the alternative")?;
        if !self.another(b'}', true)? {
            self.notation(start, faults::json::CHOICE_MEMBERS)?;
        }
        let at = self.at();
        let name = self.member_name()?;
        let layout = self.layout;
        let found = layout.alternatives(alternatives).iter().find(|one| name.is(layout.name(one.name)));
        if found.is_none() {
            self.single_of_later(node, at, name, value)?;
        }
        Ok(found)
    }

    #[inline(never)]
    fn close_single(&mut self, start: usize) -> Result<(), Rejected> {
        if self.another(b'}', false)? { self.notation(start, faults::json::CHOICE_MEMBERS) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn single_of_later(
        &mut self,
        node: &'n JsonNode,
        at: usize,
        name: Quoted<'_>,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        let JsonNode::Single { additions, extensible, others, .. } = *node else { return self.misplaced() };
        let unknown = match (json::reserved_index(name.characters()), others) {
            (Some(index), _) if extensible && index >= additions => {
                Unknown { index, octets: self.hexadecimal(What::Unknown)? }
            }
            (None, Others::Kept) if extensible => {
                self.pass_value(What::Unknown)?;
                let text = self.reader.octets().get(at..self.at()).unwrap_or(&[]);
                Unknown { index: additions, octets: text.to_vec() }
            }
            _ => return self.unknown_name(at, faults::json::UNKNOWN_ALTERNATIVE, node),
        };
        self.keep(unknown, at, value)
    }

    #[inline(never)]
    fn array(&mut self, node: &'n JsonNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let JsonNode::Array { lower, upper, element } = *node else { return self.misplaced() };
        let start = self.reader.position();
        self.open_array(value)?;
        let mut count = 0u64;
        while self.another(b']', count == 0)? {
            if count == upper {
                return Err(self.fail_at(ErrorKind::Size { size: count + 1, lower, upper }, start));
            }
            self.count_element()?;
            if L::ACTIVE {
                self.listener.enter(Step::Index(count as u32));
            }
            let done = match value.push() {
                Some(item) => self.node(element, item),
                None => return self.full(count + 1),
            };
            if L::ACTIVE {
                self.listener.leave();
            }
            if done.is_err() {
                return Err(self.within_element(count));
            }
            count += 1;
        }
        if count < lower {
            return Err(self.fail_at(ErrorKind::Size { size: count, lower, upper }, start));
        }
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn open_array(&mut self, value: &mut dyn Data) -> Result<(), Rejected> {
        self.descend()?;
        self.bracket(b'[', "an array")?;
        if value.begin(Shape::List) { Ok(()) } else { self.no_place(self.at()) }
    }

    /// An open type: a value of the type that its key selects, or octets.
    #[inline(never)]
    fn selected(&mut self, node: &'n JsonNode, value: &mut dyn Data) -> Result<(), Rejected> {
        let JsonNode::Selected { slot, rows } = *node else { return self.misplaced() };
        if self.explicit_octets() {
            return self.open_octets_member(value);
        }
        let row = self.slots.fill(slot);
        let Some((row, inner)) = row.and_then(|row| Some((row, *self.layout.numbers(rows).get(row)?))) else {
            return self.open_digits(value);
        };
        let Some(content) = value.choose(row) else {
            return self.notation(self.at(), faults::json::NO_PLACE_OPEN);
        };
        self.descend()?;
        self.node(NodeId(inner), content)?;
        self.depth -= 1;
        Ok(())
    }

    /// A string, or an object with the one member `containing`: the value that the string contains.
    #[inline(never)]
    fn containing(&mut self, string: NodeId, content: NodeId, value: &mut dyn Data) -> Result<(), Rejected> {
        if !self.has_containing() {
            return self.node(string, value);
        }
        let Some(place) = value.choose(0) else { return self.notation(self.at(), faults::json::CONTAINING) };
        self.descend()?;
        self.bracket(b'{', "an object")?;
        self.another(b'}', true)?;
        self.member_name()?;
        self.node(content, place)?;
        if self.another(b'}', false)? {
            return self.notation(self.at(), faults::json::CONTAINING_ALONE);
        }
        self.depth -= 1;
        Ok(())
    }

    /// Whether an object with the one member `...` begins here.
    fn explicit_octets(&self) -> bool {
        let text = self.reader.octets();
        let at = self.at();
        let name = (text.get(at) == Some(&b'{')).then(|| json::string_if(text, json::space(text, at + 1))).flatten();
        name.is_some_and(|(name, end)| {
            let colon = json::space(text, end);
            name.is("...") && text.get(colon) == Some(&b':') && text.get(json::space(text, colon + 1)) == Some(&b'"')
        })
    }

    #[cold]
    #[inline(never)]
    fn open_octets_member(&mut self, value: &mut dyn Data) -> Result<(), Rejected> {
        self.bracket(b'{', "an object")?;
        self.another(b'}', true)?;
        self.member_name()?;
        self.hex_octets(0, u64::MAX, What::Value(""), value)?;
        if self.another(b'}', false)? {
            return self.notation(self.at(), faults::json::OPEN_OCTETS);
        }
        Ok(())
    }

    fn open_digits(&mut self, value: &mut dyn Data) -> Result<(), Rejected> {
        if self.peek() != Some(b'"') {
            return self.notation(self.at(), faults::json::OPEN_DIGITS);
        }
        self.hex_octets(0, u64::MAX, What::Value(""), value)
    }

    /// Skips a value of any kind.
    #[inline(never)]
    fn pass_value(&mut self, what: What<'_>) -> Result<(), Rejected> {
        let (text, at) = (self.reader.octets(), self.at());
        let end = json::skip(text, at).map_err(|fault| self.fault(fault))?;
        self.reader.advance_to(end * 8);
        self.show(at * 8, what, Scalar::Octets(text.get(at..end).unwrap_or(&[])));
        Ok(())
    }
}

/// Members that the type does not have, with their positions.
#[derive(Default)]
struct OtherMembers {
    numbered: Vec<(Unknown, usize)>,
    /// Name and value as in the text.
    named: Vec<(Vec<u8>, usize)>,
}
