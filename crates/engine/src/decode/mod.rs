//! Decoding: what all families have in common. The interpreter of each family is in its own folder.
//!
//! As in encoding, functions that have a stack frame for each level of nesting (a record, a choice,
//! a list) do little themselves.

use core::num::NonZeroUsize;

use roadwire_layout::{Alternative, Layout, Member, Node, NodeId};
use roadwire_wire::{Data, Error, ErrorKind, Path, Reader, Rejected, Scalar, Shape, Step};

#[cfg(feature = "alloc")]
mod complete;
#[cfg(feature = "alloc")]
mod fitting;
mod left_out;
mod octets;
mod report;
#[cfg(feature = "alloc")]
mod table;

use crate::limits::Limits;
use crate::listener::{Listener, What};
use crate::slots::Slots;

/// A family of encoding rules, with the additional state of its decoder.
pub(crate) trait Family: Clone + Default {
    /// Decodes a node of one of its layouts.
    fn node<'n, L: Listener>(
        decoder: &mut Decoder<'n, '_, '_, '_, L, Self>,
        id: NodeId,
        value: &mut dyn Data,
    ) -> Result<(), Rejected>;
}

/// Decodes into `value`, and returns the length in bits. As in encoding, a second walk finds out
/// about an error; with a listener, there is only one walk.
#[inline(always)]
pub(crate) fn message<'n, L: Listener, F: Family>(
    layout: &'n Layout,
    input: &[u8],
    value: &mut dyn Data,
    limits: &Limits,
    listener: &mut L,
) -> Result<usize, Error<'n>> {
    if !L::ACTIVE {
        let mut decoder = Decoder::<_, F>::new(layout, input, limits, listener);
        decoder.place = place_of(value);
        if decoder.node(layout.root, value).is_ok() {
            return Ok(decoder.reader.position());
        }
    }
    explain::<L, F>(layout, input, value, limits, listener)
}

/// [`Data::place`], which no value has without a heap.
fn place_of(value: &dyn Data) -> u64 {
    #[cfg(feature = "alloc")]
    return value.place() as u64;
    #[cfg(not(feature = "alloc"))]
    {
        let _ = value;
        0
    }
}

/// Decodes, with room for an error.
#[cold]
#[inline(never)]
fn explain<'n, L: Listener, F: Family>(
    layout: &'n Layout,
    input: &[u8],
    value: &mut dyn Data,
    limits: &Limits,
    listener: &mut L,
) -> Result<usize, Error<'n>> {
    let mut explanation = None;
    let mut decoder = Decoder::<_, F>::new(layout, input, limits, listener);
    decoder.place = place_of(value);
    decoder.explanation = Some(&mut explanation);
    let done = decoder.node(layout.root, value);
    let read = decoder.reader.position();
    if done.is_err() {
        return Err(explanation.unwrap_or_else(|| at_end(read)));
    }
    if L::ACTIVE && read % 8 != 0 {
        decoder.item(read, 8 - read % 8, What::Padding, Scalar::Unset);
    }
    Ok(read)
}

/// The error if a reader fails without an explanation: the input has ended.
fn at_end<'n>(bit: usize) -> Error<'n> {
    Error { kind: ErrorKind::Truncated { missing: 1 }, bit, path: Path::root() }
}

pub(crate) struct Decoder<'n, 'a, 'l, 'e, L, F> {
    pub(crate) layout: &'n Layout,
    pub(crate) reader: Reader<'a>,
    /// Set if the reader is over the reassembled fragments of an open type: the bit of the message
    /// after these.
    pub(crate) detached: Option<NonZeroUsize>,
    pub(crate) depth: u32,
    /// Elements and characters so far.
    pub(crate) elements: u64,
    /// Octets of heap that parts of a dynamic value take so far, and how many each part takes.
    pub(crate) heap: u64,
    pub(crate) place: u64,
    pub(crate) limits: Limits,
    pub(crate) slots: Slots,
    /// The family's state.
    pub(crate) family: F,
    pub(crate) listener: &'l mut L,
    /// Room for the first error, if it is wanted.
    pub(crate) explanation: Option<&'e mut Option<Error<'n>>>,
}

impl<'n, 'a, 'l, L: Listener, F: Family> Decoder<'n, 'a, 'l, '_, L, F> {
    fn new(layout: &'n Layout, input: &'a [u8], limits: &Limits, listener: &'l mut L) -> Self {
        let reader = Reader::new(input);
        let (slots, family) = (Slots::default(), F::default());
        Decoder {
            layout,
            reader,
            detached: None,
            depth: 0,
            elements: 0,
            heap: 0,
            place: 0,
            limits: *limits,
            slots,
            family,
            listener,
            explanation: None,
        }
    }

    /// A decoder for octets that have been reassembled, and that precede bit `end` of the message.
    pub(crate) fn nested<'b>(
        &'b mut self,
        octets: &'b [u8],
        end: Option<NonZeroUsize>,
        family: F,
    ) -> Decoder<'n, 'b, 'b, 'b, L, F> {
        Decoder {
            layout: self.layout,
            reader: Reader::new(octets),
            detached: end,
            depth: self.depth,
            elements: self.elements,
            heap: self.heap,
            place: self.place,
            limits: self.limits,
            slots: core::mem::take(&mut self.slots),
            family,
            listener: &mut *self.listener,
            explanation: self.explanation.as_deref_mut(),
        }
    }

    /// A decoder at the same place, with these slots and this state of the family. It has no
    /// listener, and no room for an error.
    #[cfg(feature = "alloc")]
    pub(crate) fn silent<'s>(&self, slots: Slots, family: F, listener: &'s mut ()) -> Decoder<'n, 'a, 's, 's, (), F> {
        Decoder {
            layout: self.layout,
            reader: self.reader,
            detached: self.detached,
            depth: self.depth,
            elements: self.elements,
            heap: self.heap,
            place: self.place,
            limits: self.limits,
            slots,
            family,
            listener,
            explanation: None,
        }
    }

    #[inline(always)]
    pub(crate) fn node(&mut self, id: NodeId, value: &mut dyn Data) -> Result<(), Rejected> {
        F::node(self, id, value)
    }

    /// Decodes a node that any family may have: a string that contains a value, a key, an open type
    /// that it selects, and the record that contains both.
    pub(crate) fn of_any_family(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        match node {
            Node::Table { .. } => self.table(node, value),
            Node::Key { .. } => self.key(node, value),
            Node::Scope { .. } => self.scope(node, value),
            Node::Contained { .. } => self.contained(node, value),
            Node::Fitting { .. } => self.fitting(node, value),
            _ => self.misplaced(),
        }
    }

    /// Makes a value a record with `components` components.
    pub(crate) fn begin_record(&mut self, components: u32, value: &mut dyn Data) -> Result<(), Rejected> {
        self.take_places(components)?;
        if value.begin(Shape::Record(components as usize)) { Ok(()) } else { self.mismatch("a SEQUENCE") }
    }

    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    pub(crate) fn member(&mut self, member: &'n Member, value: &mut dyn Data) -> Result<(), Rejected> {
        if L::ACTIVE {
            self.listener.enter(self.layout.step(member.name, member.component));
        }
        let done = match value.component_mut(member.component as usize) {
            Some(component) => self.node(member.node, component),
            None => self.mismatch("a SEQUENCE with this component"),
        };
        if L::ACTIVE {
            self.listener.leave();
        }
        if done.is_ok() { Ok(()) } else { Err(self.within_member(member)) }
    }

    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    pub(crate) fn alternative(&mut self, alternative: &'n Alternative, value: &mut dyn Data) -> Result<(), Rejected> {
        if L::ACTIVE {
            self.listener.enter(self.layout.step(alternative.name, alternative.alternative));
        }
        let done = match value.choose(alternative.alternative as usize) {
            Some(content) => self.node(alternative.node, content),
            None => self.mismatch("a CHOICE with this alternative"),
        };
        if L::ACTIVE {
            self.listener.leave();
        }
        if done.is_ok() { Ok(()) } else { Err(self.within_alternative(alternative)) }
    }

    /// Decodes the next element of a list, of which there are at least `size`.
    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    pub(crate) fn element_at(
        &mut self,
        element: NodeId,
        at: u64,
        size: u64,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        if L::ACTIVE {
            self.listener.enter(Step::Index(at as u32));
        }
        let done = match value.push() {
            Some(item) => self.node(element, item),
            None => self.full(size),
        };
        if L::ACTIVE {
            self.listener.leave();
        }
        if done.is_ok() { Ok(()) } else { Err(self.within_element(at)) }
    }
}
