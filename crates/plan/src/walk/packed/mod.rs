//! Values one after the other: bits under UPER and APER, octets under OER, bits between event codes
//! in EXI.
//!
//! Rare forms (numbers and sizes outside an extensible root, additions of later versions, parts of
//! 16K units or more) are rejected, and the interpreter takes the message over.

mod additions;
mod choice;
mod events;
mod fragments;
mod items;
mod list;
pub(crate) mod merged;
mod number;
mod octet;
mod open;
pub(crate) mod phase;
mod real;
mod record;
mod string;
pub(crate) mod strings;
mod time;
mod wide;

use std::collections::HashSet;

use roadwire_layout::{Count, Extent, Family, Form, Layout, LengthForm, Node, NodeId, Width};
use roadwire_model::TypeId;

use crate::pdu::Pdu;
use crate::plan::{Amount, Arg, Cond, Draft, Mover, Num, Place, Prim, Reason, Stmt, Stream, Value, Var};
use crate::planner::Entry;
use crate::walk::walker::Walker;
use events::Code;
use items::Items;
use phase::{Ends, Phase};

/// The body of a function.
pub(crate) fn body<'a, 'm: 'a>(
    pdu: &'a Pdu<'a, 'm>,
    draft: &mut Draft<'a, 'm>,
    (id, node): (TypeId, NodeId),
    entry: Entry,
) {
    let layout = draft.layout;
    let (id, is_encoder) = (draft.types.canonical(id), draft.is_encoder());
    let mut walk = Walk {
        ends: &pdu.ends,
        merged: &pdu.merged,
        phase: (entry != Entry::Part).then_some(0),
        is_plain: matches!(entry, Entry::Plain | Entry::Usual),
        is_usual: entry == Entry::Usual,
        is_octet: layout.rules.family() == Family::Octet,
        next: if is_encoder { Code::Known { left_out: 0, bits: 0 } } else { Code::Done },
        draft,
    };
    walk.begin_events();
    let is_call = entry == Entry::General && walk.draft.is_recursive_message(id);
    // Events surround what is called.
    if is_call && !matches!(layout.node(node), Node::Events(_)) {
        walk.call(id, node, &Place::value());
    } else {
        walk.structure(id, node, &Place::value());
        match walk.takes_any_event() {
            true => walk.end_events(node),
            false => walk.happen(),
        }
    }
    walk.settle();
}

struct Walk<'d, 'a, 'm> {
    draft: &'d mut Draft<'a, 'm>,
    ends: &'a Ends,
    /// Contents of elements that are separate functions because of the elements merged into them.
    merged: &'a HashSet<NodeId>,
    /// Where in its octet the next bit is.
    phase: Phase,
    /// Whether values have a known set of parts: no optional ones, or those of usual values.
    is_plain: bool,
    is_usual: bool,
    /// Whether everything is whole octets: OER.
    is_octet: bool,
    /// The next event code, in a stream of events.
    next: Code,
}

impl<'a, 'm: 'a> Walker<'a, 'm> for Walk<'_, 'a, 'm> {
    fn draft(&mut self) -> &mut Draft<'a, 'm> {
        self.draft
    }
}

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.draft.types.canonical(id);
        if self.draft.types.is_recursive(id) || self.draft.types.is_shared(id, self.is_plain) {
            return self.call(id, node, place);
        }
        self.structure(id, node, place);
    }

    /// An optional part or an element: inline, or by a separate function.
    fn part(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.draft.types.canonical(id);
        if self.draft.types.is_function(id) { self.call(id, node, place) } else { self.value(id, node, place) }
    }

    /// Calls a separate function.
    fn call(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.settle();
        self.draft.call(id, node, place);
        self.phase = self.ends.after(self.draft.layout, node, self.phase);
    }

    fn structure(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.within(id, |walk| walk.content(id, node, place));
    }

    fn content(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let (layout, is_encoder) = (self.draft.layout, self.draft.is_encoder());
        reason(layout.node(node), is_encoder).into_iter().for_each(|reason| self.draft.because(reason));
        match *layout.node(node) {
            Node::Word { .. }
            | Node::WideWord { .. }
            | Node::Integer { .. }
            | Node::WideInteger { .. }
            | Node::Extension { .. }
                if self.draft.types.is_wide(id) =>
            {
                self.wide(node, place);
            }
            Node::Null => {}
            Node::Boolean { bits } => self.boolean(bits, place),
            Node::Word { width: Width::Anywhere(bits), form: form @ (Form::Unsigned | Form::Signed), lower, upper }
                if !is_encoder =>
            {
                self.machine_word(id, (bits, form), layout.bounds(lower, upper), place);
            }
            Node::Word { width, form, lower, upper } => {
                self.word(id, (width, form), layout.bounds(lower, upper), place);
            }
            Node::Enumerated { width, root, additions, ordinals, .. } => {
                let items = Items { width, root, added: additions, ordinals: layout.numbers(ordinals) };
                self.enumerated(id, &items, place);
            }
            Node::Extension { root, beyond } => self.extensible_integer(id, root, beyond, place),
            Node::Bits { extent, trim, whole } => {
                let whole = !self.bits(id, &extent, trim.least(), place) && whole;
                if whole && extent.count == Count::Fixed {
                    self.pad(phase::padding(extent.lower) as u32);
                }
            }
            Node::Integer { form, lower, upper } if self.is_octet => {
                self.integer(id, form, (layout.bound(lower), layout.bound(upper)), place);
            }
            Node::Numbered { values, extensible, .. } => self.numbered(id, values, extensible, place),
            Node::Octets { extent } => self.any_octets(id, &extent, place),
            Node::Characters { extent, characters } => {
                self.characters(id, &extent, layout.character_set(characters), place);
            }
            Node::Text { utf8: true, lower, upper, .. } => self.text(id, (lower, upper), place),
            Node::Integer { form, lower, upper } => {
                self.determined_integer(id, form, (layout.bound(lower), layout.bound(upper)), place);
            }
            Node::List { extent, element, sorted } => {
                self.level(true, |walk| walk.list(id, &extent, element, sorted, place));
            }
            Node::Record { .. } => self.level(true, |walk| walk.record(id, node, place)),
            Node::Choice { .. } => self.level(true, |walk| walk.choice(id, node, place)),
            Node::Events(ref event) => self.event(id, event, place),
            Node::Real => self.real(place),
            Node::BinaryReal { bits, mantissa, exponent } => self.binary_real(bits, (mantissa, exponent), place),
            Node::Time { node, rows, settings } => self.time(id, (node, rows, settings), place),
            Node::Scope { record, slots } if has_octets(layout) => {
                self.draft.keys.enter(layout, slots);
                self.content(id, record, place);
            }
            Node::Key { node, .. } if has_octets(layout) => self.content(id, node, place),
            Node::Open | Node::Table { .. } if self.draft.types.is_open(id) => self.open_type(id, node, place),
            Node::Open | Node::Table { .. } | Node::Oid { .. } => match octets_of(layout, node) {
                Some(extent) => self.any_octets(id, &extent, place),
                None => self.draft.give_up(),
            },
            _ => self.draft.give_up(),
        }
    }

    fn boolean(&mut self, bits: u8, place: &Place) {
        if !self.draft.is_encoder() {
            let var = self.take(bits.into());
            return self.set(place, Value::IsNot0(Num::Var(var)));
        }
        let truth = Num::Truth(place.clone());
        let number = if bits == 1 { truth } else { amount(Amount::Times(truth, (1 << bits) - 1)) };
        self.put(number, bits.into());
    }

    /// A bit that is 0: the value is in the root.
    fn in_root(&mut self, is_extensible: bool) {
        if !is_extensible {
            return;
        }
        if self.draft.is_encoder() {
            return self.put(Num::Const(0), 1);
        }
        let outside = self.take(1);
        self.draft.reject_rare(Cond::Differs(Num::Var(outside), 0));
    }

    /// Aligns to the next octet border.
    fn align(&mut self) {
        match self.phase {
            Some(at) => self.pad(phase::padding(at) as u32),
            None => {
                self.settle();
                self.push(Stream::Align);
                self.phase = Some(0);
            }
        }
    }

    /// Bits without a meaning.
    fn pad(&mut self, bits: u32) {
        match self.draft.is_encoder() {
            true => self.put(Num::Const(0), bits),
            false => self.expect(None, bits),
        }
    }

    /// Aligns to the start of the units after their count.
    fn begin_units(&mut self, extent: &Extent, count: Num) {
        if !extent.aligned || self.phase == Some(0) {
            return;
        }
        if extent.lower > 0 {
            return self.align();
        }
        self.settle();
        self.push(Stream::AlignIf(count));
    }

    /// Aligns to the start of a length determinant.
    fn begin_determinant(&mut self) {
        if self.draft.layout.length_form == LengthForm::Aligned {
            self.align();
        }
    }

    fn put(&mut self, number: Num, bits: u32) {
        self.phase = phase::advance(self.phase, bits.into());
        self.push(Stream::Put { number, bits });
    }

    fn put_octets(&mut self, number: Num, width: Num, most: u32) {
        self.push(Stream::PutOctets { number, width, most });
    }

    fn take(&mut self, bits: u32) -> Var {
        let var = self.variable();
        self.expect(Some(var), bits);
        var
    }

    fn expect(&mut self, var: Option<Var>, bits: u32) {
        self.phase = phase::advance(self.phase, bits.into());
        self.push(Stream::Take { var, bits });
    }

    fn reject(&mut self, condition: Cond) {
        self.draft.push(Stmt::RejectIf(condition));
    }

    fn set(&mut self, place: &Place, value: Value) {
        self.draft.push(Stmt::Set(place.clone(), value));
    }

    /// A primitive that takes the address of the writer.
    fn apart(&mut self, by: Mover, args: Vec<Arg>) {
        self.draft.push(Stmt::Apart(Prim::Mover(by), args));
    }

    fn act(&mut self, by: Mover, args: Vec<Arg>) {
        self.draft.push(Stmt::Do(Prim::Mover(by), args));
    }

    /// The value that a primitive reads.
    fn get(&mut self, by: Mover) -> Var {
        self.settle();
        self.draft.get(Prim::Mover(by), Vec::new())
    }

    fn settle(&mut self) {
        self.draft.push(Stmt::Settle);
    }

    /// Whether additions, alternatives and items of a later version are kept.
    fn keeps_later(&self) -> bool {
        !self.is_plain && self.draft.types.stands_alone() && has_octets(self.draft.layout)
    }

    fn push(&mut self, statement: Stream) {
        self.draft.push(Stmt::Stream(statement));
    }

    fn variable(&mut self) -> Var {
        self.draft.variable()
    }
}

/// The fault that a value of a node may have. In memory, an item is an index.
fn reason(node: &Node, is_encoder: bool) -> Option<Reason> {
    match node {
        Node::Word { .. } | Node::Integer { .. } | Node::Extension { .. } => Some(Reason::Integer),
        Node::Numbered { .. } if !is_encoder => Some(Reason::ItemNumber),
        Node::Enumerated { .. } | Node::Numbered { .. } => Some(Reason::Item),
        Node::Bits { .. } | Node::Octets { .. } | Node::Characters { .. } | Node::Text { .. } => Some(Reason::Size),
        Node::List { .. } => Some(Reason::Size),
        Node::Choice { .. } => Some(Reason::Choice),
        Node::Record { .. } => Some(Reason::Component),
        Node::Open | Node::Table { .. } => Some(Reason::OpenType),
        _ => None,
    }
}

fn amount(amount: Amount) -> Num {
    Num::Amount(Box::new(amount))
}

/// The octets of an open type, which generated types hold of it, or of an object identifier.
fn octets_of(layout: &Layout, node: NodeId) -> Option<Extent> {
    let mut extent = open_extent(layout);
    if matches!(layout.node(node), Node::Oid { .. }) {
        extent.lower = 0;
    }
    has_octets(layout).then_some(extent)
}

/// The octets of an open type. What has no octets in itself takes one there.
fn open_extent(layout: &Layout) -> Extent {
    let (lower, aligned) = (layout.least_octets(), layout.length_form == LengthForm::Aligned);
    Extent { lower, upper: u64::MAX, count: Count::Determinant, extensible: false, aligned }
}

/// Whether open types are octets after their length. In EXI they are elements.
fn has_octets(layout: &Layout) -> bool {
    matches!(layout.rules.family(), Family::Packed | Family::Octet)
}
