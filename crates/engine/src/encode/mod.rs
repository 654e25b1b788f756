//! Encoding: what all families have in common. The interpreter of each family is in its own folder.
//!
//! A value nests as deep as its type, and each level (a record, a choice or a list) has a frame on
//! the stack. So these functions do little themselves: the work before and after the components,
//! rare forms and errors are in separate functions, and [`Family::node`] is a jump.

#[cfg(feature = "alloc")]
use roadwire_layout::Span;
use roadwire_layout::{Alternative, Layout, Member, Node, NodeId, Presence};
use roadwire_wire::{Data, Error, ErrorKind, Path, Rejected, Writer};

mod left_out;
#[cfg(feature = "alloc")]
mod order;
mod report;
#[cfg(feature = "alloc")]
mod table;
#[cfg(feature = "alloc")]
pub(crate) mod time;

use crate::equal::is_default;
use crate::families;
use crate::limits::Limits;
use crate::slots::Slots;

/// A family of encoding rules, with the additional state of its encoder.
pub(crate) trait Family: Default {
    /// Encodes a value for a node of one of its layouts.
    fn node<'n>(encoder: &mut Encoder<'n, '_, '_, Self>, id: NodeId, value: &dyn Data) -> Result<(), Rejected>;
}

/// Encodes into `output`, and returns the length in octets.
///
/// Errors are large, and a space-optimised codec should use little stack. So the first walk has no
/// room for an error; if something is wrong, a second walk of the value finds out what.
pub(crate) fn message<'n, F: Family>(
    layout: &'n Layout,
    value: &dyn Data,
    output: &mut [u8],
) -> Result<usize, Error<'n>> {
    let mut encoder = Encoder::<F>::new(layout, output);
    if encoder.node(layout.root, value).is_ok() {
        if let Ok(octets) = encoder.finish() {
            return Ok(octets);
        }
    }
    explain::<F>(layout, value, output)
}

/// Encodes, with room for an error.
#[cold]
#[inline(never)]
fn explain<'n, F: Family>(layout: &'n Layout, value: &dyn Data, output: &mut [u8]) -> Result<usize, Error<'n>> {
    let mut explanation = None;
    let mut encoder = Encoder::<F>::new(layout, output);
    encoder.explanation = Some(&mut explanation);
    let done = encoder.node(layout.root, value);
    let (capacity, bit) = (encoder.writer.capacity(), encoder.writer.position());
    let finished = encoder.finish();
    done.and(finished).map_err(|Rejected| explanation.unwrap_or_else(|| full(capacity, bit)))
}

/// The error if a writer fails without an explanation: the output is full.
fn full<'n>(capacity: usize, bit: usize) -> Error<'n> {
    Error { kind: ErrorKind::OutputFull { capacity }, bit, path: Path::root() }
}

pub(crate) struct Encoder<'n, 'w, 'e, F> {
    pub(crate) layout: &'n Layout,
    pub(crate) writer: Writer<'w>,
    pub(crate) depth: u32,
    pub(crate) slots: Slots,
    /// The family's own state.
    pub(crate) family: F,
    /// Where the first error goes, when anyone asks.
    explanation: Option<&'e mut Option<Error<'n>>>,
}

impl<'n, 'w, F: Family> Encoder<'n, 'w, '_, F> {
    fn new(layout: &'n Layout, output: &'w mut [u8]) -> Self {
        Encoder {
            layout,
            writer: Writer::new(output),
            depth: 0,
            slots: Slots::default(),
            family: F::default(),
            explanation: None,
        }
    }

    fn finish(self) -> Result<usize, Rejected> {
        if families::WHOLE && self.layout.least_octets() == 0 {
            self.writer.finish_octets()
        } else {
            self.writer.finish()
        }
    }

    #[inline(always)]
    pub(crate) fn node(&mut self, id: NodeId, value: &dyn Data) -> Result<(), Rejected> {
        F::node(self, id, value)
    }

    /// Encodes a node that any family may have: a string that contains a value, a key, an open type
    /// that it selects, and the record that contains both.
    pub(crate) fn of_any_family(&mut self, node: &'n Node, value: &dyn Data) -> Result<(), Rejected> {
        match node {
            Node::Table { .. } => self.table(node, value),
            Node::Key { .. } => self.key(node, value),
            Node::Scope { .. } => self.scope(node, value),
            Node::Contained { .. } => self.contained(node, value),
            _ => self.misplaced(),
        }
    }

    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    pub(crate) fn member(&mut self, member: &'n Member, value: &dyn Data) -> Result<(), Rejected> {
        let done = match value.component(member.component as usize) {
            Some(component) => self.node(member.node, component),
            None => self.missing(),
        };
        if done.is_ok() { Ok(()) } else { Err(self.within_member(member)) }
    }

    /// Whether a component is sent: present, and not its DEFAULT.
    pub(crate) fn present(&self, member: &Member, value: &dyn Data) -> bool {
        value.component(member.component as usize).is_some_and(|component| self.is_component_sent(member, component))
    }

    /// Whether a component that is present is sent.
    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    pub(crate) fn is_component_sent(&self, member: &Member, component: &dyn Data) -> bool {
        match member.presence {
            Presence::Default(place) => !is_default(self.layout, place, component),
            _ => true,
        }
    }

    /// Checks that a component may be absent: not in the root, nor in a group of which others are
    /// present (X.680 §25.12).
    #[cfg(feature = "alloc")]
    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    pub(crate) fn absent(&mut self, members: Span, groups: Span, at: usize, value: &dyn Data) -> Result<(), Rejected> {
        let layout = self.layout;
        let members = layout.members(members);
        let Some(member) = members.get(at).filter(|member| member.presence == Presence::Mandatory) else {
            return Ok(());
        };
        let there = |at: usize| members.get(at).is_some_and(|one| self.present(one, value));
        let group = layout.groups(groups).find(|group| group.contains(&at));
        if group.is_none_or(|mut group| group.any(there)) {
            self.fail(ErrorKind::Missing);
            return Err(self.within_member(member));
        }
        Ok(())
    }

    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    pub(crate) fn alternative(&mut self, alternative: &'n Alternative, content: &dyn Data) -> Result<(), Rejected> {
        match self.node(alternative.node, content) {
            Ok(()) => Ok(()),
            Err(Rejected) => Err(self.within_alternative(alternative)),
        }
    }

    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    pub(crate) fn list_element(&mut self, node: NodeId, at: usize, value: &dyn Data) -> Result<(), Rejected> {
        let done = match value.element(at) {
            Some(item) => self.node(node, item),
            None => self.mismatch("a list"),
        };
        if done.is_ok() { Ok(()) } else { Err(self.within_element(at)) }
    }

    pub(crate) fn descend(&mut self) -> Result<(), Rejected> {
        self.depth += 1;
        if self.depth > Limits::DEPTH { self.too_deep() } else { Ok(()) }
    }
}
