//! A plan being made: open blocks, variables, and what is left to the interpreter.

use std::collections::HashMap;

use roadwire_layout::{Layout, Member, NodeId, Presence as MemberPresence, Properties};
use roadwire_model::{Field, Presence, TypeId};

use super::{Arg, Block, Component, Cond, Int, Num, Place, Prim, Reason, Stmt, Str, Stream, Var};
use crate::pdu::Pdu;
use crate::planner::{Entry, GivenUp};
use crate::types::{Repr, Types};
use crate::walk::keys::{Keys, Row};
use crate::walk::packed::strings::Strings;

/// The direction of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From a value in memory to octets.
    Encode,
    /// From octets to a value in memory.
    Decode,
}

/// The plan of a function.
pub(crate) struct Draft<'a, 'm> {
    pub(crate) types: &'a Types<'m>,
    pub(crate) layout: &'a Layout,
    pub(crate) properties: &'a Properties,
    pub(crate) way: Way,
    /// How many levels of nesting surround the current part in this function.
    pub(crate) depth: u32,
    /// Whether statements say of which component or alternative they are.
    pub(crate) is_thorough: bool,
    /// The reason for which current statements reject.
    reason: Option<Reason>,
    /// Whether taps are called for parts of this message.
    is_tapped: bool,
    /// Whether it is a whole message's function; otherwise it is a part's.
    is_message: bool,
    blocks: Vec<Open>,
    variables: u32,
    /// Parts with character strings in a table.
    pub(crate) strings: &'a Strings,
    /// Whether something is in that table, or looked up there.
    pub(crate) uses_strings: bool,
    /// The nested types that are being walked.
    entered: Vec<TypeId>,
    /// The parts that are left to the interpreter, in the order found.
    pub(crate) given_up: Vec<GivenUp>,
    /// The components so far that select types of open types. Those of a block are not in reach
    /// after it.
    pub(crate) keys: Keys,
    /// Types whose functions are called, and so must be made.
    pub(crate) called: Vec<(TypeId, NodeId)>,
    /// The node for which each type's function is made, where another use of the type may have
    /// another.
    pub(crate) nodes: HashMap<TypeId, NodeId>,
}

/// A block that is not complete.
#[derive(Default)]
struct Open {
    block: Block,
    /// Whether the rest of it is the interpreter's.
    is_left: bool,
    /// The keys before it.
    keys: Keys,
    /// The reason before it.
    reason: Option<Reason>,
}

impl<'a, 'm> Draft<'a, 'm> {
    pub(crate) fn new(pdu: &'a Pdu<'a, 'm>, way: Way, entry: Entry) -> Self {
        Draft {
            types: pdu.types,
            layout: &pdu.layout,
            properties: &pdu.properties,
            way,
            is_thorough: false,
            reason: None,
            is_message: entry != Entry::Part,
            is_tapped: pdu.is_told() && !matches!(entry, Entry::Plain | Entry::Usual),
            depth: 0,
            blocks: vec![Open::default()],
            variables: 0,
            strings: &pdu.strings,
            uses_strings: false,
            entered: Vec::new(),
            given_up: Vec::new(),
            keys: Keys::default(),
            called: Vec::new(),
            nodes: HashMap::new(),
        }
    }

    /// The statements of the innermost block, which ends.
    pub(crate) fn take(&mut self) -> Block {
        let open = self.blocks.pop().unwrap_or_default();
        (self.keys, self.reason) = (open.keys, open.reason);
        open.block
    }

    pub(crate) fn is_encoder(&self) -> bool {
        self.way == Way::Encode
    }

    /// Adds a statement, unless the block is left to the interpreter from here on.
    pub(crate) fn push(&mut self, statement: Stmt) {
        if !self.has_given_up() {
            if let Some(open) = self.blocks.last_mut() {
                open.block.push(statement);
            }
        }
    }

    /// Adds a statement under a condition that is known here.
    pub(crate) fn push_if(&mut self, is_needed: bool, statement: Stmt) {
        if is_needed {
            self.push(statement);
        }
    }

    /// Begins a block; [`take`](Self::take) ends it.
    pub(crate) fn begin(&mut self) {
        self.blocks.push(Open { keys: self.keys.clone(), reason: self.reason, ..Open::default() });
    }

    /// A variable of its own.
    pub(crate) fn variable(&mut self) -> Var {
        self.variables += 1;
        Var(self.variables)
    }

    /// Names a number.
    pub(crate) fn named(&mut self, number: Num) -> Var {
        let var = self.variable();
        self.push(Stmt::Let(var, number));
        var
    }

    /// Names the order of the elements that come next.
    pub(crate) fn begin_order(&mut self) -> Var {
        let order = self.variable();
        self.push(Stmt::LetOrder(order));
        order
    }

    /// Names what a primitive reads.
    pub(crate) fn get(&mut self, by: Prim, args: Vec<Arg>) -> Var {
        let var = self.variable();
        self.push(Stmt::Get(var, by, args));
        var
    }

    /// Gives the reason for which the statements from here on reject.
    pub(crate) fn because(&mut self, reason: Reason) {
        if self.is_thorough {
            self.reason = Some(reason);
            self.push(Stmt::Settle);
            self.push(Stmt::Because(reason));
        }
    }

    /// Rejects a form that the plan does not have.
    pub(crate) fn reject_rare(&mut self, condition: Cond) {
        let reason = self.reason;
        self.because(Reason::Rare);
        self.push(Stmt::RejectIf(condition));
        reason.into_iter().for_each(|reason| self.because(reason));
    }

    /// Rejects a number that not even an item of a later version has.
    pub(crate) fn reject_no_item(&mut self, number: Var) {
        let most = 1 << 30;
        self.reject_if(Cond::outside(Num::Var(number), Int::I64, Some(-most), Some(most - 1)));
    }

    /// Begins a type; [`leave`](Self::leave) ends it.
    pub(crate) fn enter(&mut self, id: TypeId) {
        self.entered.push(id);
    }

    pub(crate) fn leave(&mut self) {
        self.entered.pop();
    }

    /// Rejects what is outside; nothing if nothing can be.
    pub(crate) fn reject_if(&mut self, condition: Option<Cond>) {
        condition.into_iter().for_each(|condition| self.push(Stmt::RejectIf(condition)));
    }

    /// Leaves the rest of the block to the interpreter. Other parts of it that would be left are
    /// still recorded.
    pub(crate) fn give_up(&mut self) {
        self.push(Stmt::GiveUp);
        self.blocks.last_mut().into_iter().for_each(|open| open.is_left = true);
        if let Some(part) = self.entered.last().copied() {
            let holder = self.entered.iter().rev().find(|id| **id != part).copied();
            let is_always = self.is_message && self.blocks.len() == 1;
            self.given_up.push(GivenUp { holder, part, is_always });
        }
    }

    /// Leaves a part to the interpreter before it is begun.
    pub(crate) fn give_up_part(&mut self, id: TypeId) {
        self.enter(id);
        self.give_up();
        self.leave();
    }

    /// Names a flag that is set.
    pub(crate) fn flag(&mut self) -> Var {
        let flag = self.variable();
        self.push(Stmt::LetFlag(flag));
        self.push(Stmt::MayBeUnused(flag));
        flag
    }

    /// Leaves the rest of the block to the thorough plan, if there is one.
    pub(crate) fn give_up_rare(&mut self) {
        if !self.types.stands_alone() || self.is_thorough {
            return self.give_up();
        }
        self.push(Stmt::GiveUp);
        self.blocks.last_mut().into_iter().for_each(|open| open.is_left = true);
    }

    fn has_given_up(&self) -> bool {
        self.blocks.iter().any(|open| open.is_left)
    }

    /// Whether a part has a function of its own: also each recursive type, whose function counts
    /// levels.
    pub(crate) fn is_function(&self, id: TypeId) -> bool {
        self.types.is_function(id) || self.types.is_shared(id, false) || self.types.is_recursive(id)
    }

    /// Calls the function of a message's type, if the message is recursive; returns whether it did.
    pub(crate) fn only_calls(&mut self, id: TypeId, node: NodeId) -> bool {
        let is_recursive = self.is_recursive_message(id);
        if is_recursive {
            self.call(id, node, &Place::value());
        }
        is_recursive
    }

    /// Whether a part has a function of its own, and that is for this node.
    pub(crate) fn calls_alike(&mut self, id: TypeId, node: NodeId) -> bool {
        self.has_given_up() || self.is_function(id) && *self.nodes.entry(id).or_insert(node) == node
    }

    /// Whether it is a whole message's function.
    pub(crate) fn is_message(&self) -> bool {
        self.is_message
    }

    /// Whether this is the function of a message that contains itself. It only calls that of its
    /// type, which counts levels.
    pub(crate) fn is_recursive_message(&self, id: TypeId) -> bool {
        self.is_message && self.types.is_recursive(id)
    }

    /// Calls the function of a part.
    pub(crate) fn call(&mut self, id: TypeId, node: NodeId, place: &Place) {
        if !self.has_given_up() {
            self.called.push((id, node));
        }
        let levels = self.types.reaches_recursion(id).then_some(self.depth);
        let is_tapped = self.is_tapped && self.types.leads_to_tap(id);
        let has_strings = self.strings.are_in(node);
        self.uses_strings |= has_strings;
        self.push(Stmt::Call { id, place: place.clone(), levels, is_tapped, has_strings });
    }

    /// A component has been coded from or to `place`; see [`Keys::pass`].
    pub(crate) fn pass(&mut self, one: Component, node: NodeId, place: &Place) {
        self.keys.pass(self.types, self.layout, self.types.component(one), node, place);
    }

    /// The row of an open type; see [`Keys::row`].
    pub(crate) fn row(&mut self, open: TypeId, slot: u32) -> Row {
        self.keys.clone().row(self, open, slot)
    }

    /// The number of a tapped component.
    pub(crate) fn tap(&self, id: TypeId, component: usize) -> Option<usize> {
        self.types.tap(id, component).filter(|_| self.is_tapped)
    }

    /// The component, as in the model.
    pub(crate) fn component(&self, one: Component) -> &'m roadwire_model::Component {
        self.types.component(one)
    }

    /// Whether a component is in each value.
    pub(crate) fn is_always(&self, one: Component, member: &Member) -> bool {
        member.presence == MemberPresence::Mandatory && self.component(one).field == Field::Root
    }

    pub(crate) fn has_default(&self, one: Component) -> bool {
        matches!(self.component(one).presence, Presence::Default(_))
    }

    /// The content of a component that is sent: the variable to which it is bound if it is
    /// optional, and its place.
    pub(crate) fn sent_content(&mut self, component: Component, place: &Place) -> (Option<Var>, Place) {
        let inner = Types::is_option(self.component(component)).then(|| self.variable());
        (inner, inner.map_or_else(|| place.clone(), Place::reference))
    }

    /// Where a decoder puts an element that is the variable `item`.
    pub(crate) fn element(&self, id: TypeId, item: Var) -> Place {
        if self.types.is_flat(id) { Place::variable(item) } else { Place::reference(item) }
    }

    /// Copies a string into a place, if the place holds such strings.
    pub(crate) fn fill(&mut self, id: TypeId, place: &Place, from: Str, bounds: (u64, u64)) {
        use Repr::{FixedOctets, LentOctets, LentText, OctetString, Octets, Oid, String, Text as Characters};
        let repr = self.types.repr(id);
        let is_lent = matches!(repr, LentOctets | LentText);
        if !is_lent && !matches!(repr, FixedOctets(_) | Octets(_) | OctetString | Oid | Characters(_) | String) {
            return self.give_up();
        }
        let bound = self.variable();
        self.push(Stmt::Fill { id, place: place.clone(), bound, from, bounds });
    }

    /// Text in octets that were read, into a place; its alphabet is checked, and its number of
    /// characters.
    pub(crate) fn fill_text(&mut self, id: TypeId, place: &Place, octets: Var, alphabet: Vec<u32>, bounds: (u64, u64)) {
        let text = Str::Var(octets);
        if alphabet.iter().any(|code| *code > 127) {
            self.push(Stmt::Utf8(octets));
            self.push(Stmt::RejectIf(Cond::NotFit(text.clone(), bounds, alphabet)));
        } else {
            self.push_if(!alphabet.is_empty(), Stmt::RejectIf(Cond::NotAllIn(text.clone(), alphabet)));
            self.push(Stmt::Utf8(octets));
            self.reject_if(Cond::size_outside(Num::Characters(text.clone()), bounds));
        }
        self.fill(id, place, text, (0, u64::MAX));
    }

    /// The bits in octets that were read, after the number of unused ones, as a bit string of any
    /// length.
    pub(crate) fn take_any_bits(&mut self, id: TypeId, octets: Var, bounds: (u64, u64), place: &Place) {
        let count = self.variable();
        self.push(Stmt::Stream(Stream::SplitBits { octets, count }));
        self.reject_if(Cond::size_outside(Num::Var(count), bounds));
        self.push(Stmt::Stream(Stream::SetBits { id, place: place.clone(), count }));
    }

    /// Reads the octets whose start and end a primitive returns.
    pub(crate) fn take_slice(&mut self, by: Prim, args: Vec<Arg>) -> Var {
        let (octets, inside) = (self.variable(), self.variable());
        self.push(Stmt::ReadSlice { octets, inside, by, args });
        octets
    }

    /// Where a decoder puts a component that is present.
    pub(crate) fn present(&mut self, component: Component, place: &Place) -> Place {
        if !Types::is_option(self.component(component)) {
            return place.clone();
        }
        let inner = self.variable();
        self.push(Stmt::Present { component, place: place.clone(), inner });
        Place::reference(inner)
    }
}
