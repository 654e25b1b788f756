//! Decoding: the structure.
//!
//! As in encoding, what has a frame on the stack for each level of nesting, [`Decoder::record`], [`Decoder::choice`] and [`Decoder::list`], does little itself.

use core::num::NonZeroUsize;

use roadwire_layout::{Addition, Alternative, GROUP, Layout, Member, Node, NodeId, Presence};
use roadwire_wire::per;
use roadwire_wire::{Data, Error, ErrorKind, Path, Reader, Rejected, Scalar, Shape, Step};

#[cfg(feature = "alloc")]
mod complete;
#[cfg(feature = "events")]
mod event;
mod extent;
#[cfg(feature = "fields")]
mod fields;
#[cfg(feature = "alloc")]
mod heap;
#[cfg(feature = "json")]
mod json;
mod leaf;
mod left_out;
mod octets;
mod open;
#[cfg(feature = "vectors")]
mod presentation;
mod report;
#[cfg(feature = "alloc")]
mod table;
mod tagged;
#[cfg(feature = "tlv")]
mod tlv;
#[cfg(feature = "xml")]
mod xml;

use self::extent::Field;
#[allow(unused_imports, reason = "empty where all families are built")]
use self::left_out::*;
use self::open::Content;
use crate::families;
use crate::limits::Limits;
use crate::listener::{Listener, What};
#[cfg(feature = "alloc")]
use crate::slots::Slots;

/// Decodes into `value`, and tells how many bits it took. As in encoding, an error is looked for in a second walk; a listener has the message walked once.
#[inline(always)]
pub(crate) fn message<'n, L: Listener>(
    layout: &'n Layout,
    input: &[u8],
    value: &mut dyn Data,
    limits: &Limits,
    listener: &mut L,
) -> Result<usize, Error<'n>> {
    families::check(layout.rules)?;
    if !L::ACTIVE {
        let mut decoder = Decoder::new(layout, input, limits, listener);
        decoder.place = value.place() as u64;
        if decoder.node(layout.root, value).is_ok() {
            return Ok(decoder.reader.position());
        }
    }
    explain(layout, input, value, limits, listener)
}

/// Decodes, with a place for an error.
#[cold]
#[inline(never)]
fn explain<'n, L: Listener>(
    layout: &'n Layout,
    input: &[u8],
    value: &mut dyn Data,
    limits: &Limits,
    listener: &mut L,
) -> Result<usize, Error<'n>> {
    let mut explanation = None;
    let mut decoder = Decoder::new(layout, input, limits, listener);
    decoder.place = value.place() as u64;
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

/// A reader that says no without a word is at its end.
fn at_end<'n>(bit: usize) -> Error<'n> {
    Error { kind: ErrorKind::Truncated { missing: 1 }, bit, path: Path::root() }
}

pub(crate) struct Decoder<'n, 'a, 'l, 'e, L> {
    pub(crate) layout: &'n Layout,
    pub(crate) reader: Reader<'a>,
    /// The reader is over the content of an open type in fragments, put together, which lies in front of this bit of the message.
    detached: Option<NonZeroUsize>,
    /// Whether what is being read has an indefinite length, and so goes on to its end-of-contents octets.
    indefinite: bool,
    pub(crate) depth: u32,
    /// Elements and characters so far.
    elements: u64,
    /// Octets of heap so far that parts of a dynamic value take, and how many each takes.
    heap: u64,
    place: u64,
    limits: Limits,
    slots: Slots,
    /// Of XML: the start tag that was begun last.
    tag: xml::Tag,
    /// Of XML: whether it is one of several words with white space between them that is next.
    spaced: bool,
    document: xml::Document,
    events: event::Events,
    /// Of fields: which of a list's elements are next.
    run: fields::Run,
    pub(crate) listener: &'l mut L,
    /// Where the first error goes, when anyone asks.
    explanation: Option<&'e mut Option<Error<'n>>>,
}

impl<'n, 'a, 'l, L: Listener> Decoder<'n, 'a, 'l, '_, L> {
    fn new(layout: &'n Layout, input: &'a [u8], limits: &Limits, listener: &'l mut L) -> Self {
        let reader = Reader::new(input);
        let slots = Slots::default();
        Decoder {
            layout,
            reader,
            detached: None,
            indefinite: false,
            depth: 0,
            elements: 0,
            heap: 0,
            place: 0,
            limits: *limits,
            slots,
            tag: xml::Tag::default(),
            spaced: false,
            document: xml::Document::default(),
            events: event::Events::default(),
            run: fields::Run::default(),
            listener,
            explanation: None,
        }
    }

    #[inline(never)]
    pub(crate) fn node(&mut self, id: NodeId, value: &mut dyn Data) -> Result<(), Rejected> {
        let node = self.layout.node(id);
        match node {
            Node::Json(json) => self.json(json, value),
            Node::Table { .. } => self.table(node, value),
            Node::Key { .. } => self.key(node, value),
            Node::Scope { .. } => self.scope(node, value),
            Node::Tagged { .. } => self.tagged(node, value),
            Node::TaggedRecord { .. } => self.tagged_record(node, value),
            Node::TaggedChoice { .. } => self.tagged_choice(node, value),
            Node::TaggedList { .. } => self.tagged_list(node, value),
            Node::Element { .. } => self.element(node, value),
            Node::Xml(node) => self.xml(node, value),
            Node::Event(node) => self.event(node, value),
            Node::Keyed(field) => self.keyed(field, value),
            Node::Presentation(node) => self.presentation(node, value),
            // What all others have in common.
            _ if !cfg!(feature = "packed") => Err(self.not_built("packed")),
            Node::Word { .. } => self.word(node, value),
            Node::Enumerated { .. } => self.enumerated(node, value),
            Node::Record { .. } => self.record(node, value),
            Node::Choice { .. } => self.choice(node, value),
            Node::List { .. } => self.list(node, value),
            Node::Extension { .. } => self.extension(node, value),
            _ => self.leaf(node, value),
        }
    }

    #[inline(never)]
    fn extension(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Extension { root, beyond } = *node else { return self.misplaced() };
        let outside = self.extension_bit()?;
        self.node(if outside { beyond } else { root }, value)
    }

    #[inline(never)]
    fn record(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        match self.open_record(node, value)? {
            Flags::Root(presence) => self.members(node, presence, value)?,
            Flags::Extended(presence) => return self.extended_record(node, presence, value),
        }
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn extended_record(&mut self, node: &'n Node, presence: usize, value: &mut dyn Data) -> Result<(), Rejected> {
        self.members(node, presence, value)?;
        self.additions(node, value)?;
        self.depth -= 1;
        Ok(())
    }

    /// Reads what is in front of a record's components.
    #[inline(never)]
    fn open_record(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<Flags, Rejected> {
        let Node::Record { extensible, bitmap, padding, components, members, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        if components != GROUP {
            self.begin_record(components, value)?;
        }
        let extended = extensible && self.extension_bit()?;
        let presence = self.reader.position();
        self.skip(usize::from(bitmap) + usize::from(padding))?;
        if L::ACTIVE {
            self.show_bitmap(self.layout.members(members), presence);
            self.show_padding(usize::from(padding));
        }
        Ok(if extended { Flags::Extended(presence) } else { Flags::Root(presence) })
    }

    /// Makes a place a record with so many components.
    pub(crate) fn begin_record(&mut self, components: u32, value: &mut dyn Data) -> Result<(), Rejected> {
        self.take_places(components)?;
        if value.begin(Shape::Record(components as usize)) { Ok(()) } else { self.mismatch("a SEQUENCE") }
    }

    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    fn members(&mut self, node: &'n Node, presence: usize, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Record { members, .. } = *node else { return self.misplaced() };
        let mut presence = presence;
        for member in self.layout.members(members) {
            if member.presence != Presence::Mandatory {
                presence += 1;
                if !self.reader.bit_at(presence - 1) {
                    continue;
                }
            }
            self.member(member, value)?;
        }
        Ok(())
    }

    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    fn member(&mut self, member: &'n Member, value: &mut dyn Data) -> Result<(), Rejected> {
        if L::ACTIVE {
            self.listener.enter(Step::Name(self.layout.name(member.name)));
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

    #[inline(never)]
    fn additions(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Record { additions, .. } = *node else { return self.misplaced() };
        let known = self.layout.additions(additions);
        let (count, unused) = self.addition_count()?;
        let presence = self.reader.position();
        self.skip(count + unused)?;
        if L::ACTIVE {
            self.show_additions(known, presence, count);
            self.show_padding(unused);
        }
        for index in 0..count {
            let there = self.reader.bit_at(presence + index);
            match known.get(index) {
                Some(Addition::Single(member)) if there => self.open(Content::Member(member), value)?,
                Some(Addition::Group(group)) if there => self.open(Content::Node(*group), value)?,
                // The last presence bit is kept even if it is 0: it tells how many there were.
                None if there || index + 1 == count => self.unknown(index as u32, there, value)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// How many additions there are presence bits for, and how many bits follow those.
    fn addition_count(&mut self) -> Result<(usize, usize), Rejected> {
        let at = self.reader.position();
        if self.is_definite() {
            return self.addition_octets();
        }
        let aligned = self.is_aligned();
        let Ok(count) = per::take_small_length(&mut self.reader, aligned) else {
            return Err(self.refuse(at, 8, "a number of extension additions that is 0 or 16K and above"));
        };
        self.show(at, What::AdditionCount(count), Scalar::Unset);
        Ok((count, 0))
    }

    #[inline(never)]
    fn choice(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        match self.open_choice(node)? {
            Chosen::Root(alternative) => self.alternative(alternative, value)?,
            Chosen::Addition(alternative) => self.open(Content::Alternative(alternative), value)?,
            Chosen::Unknown(index) => self.unknown(index, true, value)?,
            Chosen::UnknownTag(_) if !families::TAGS => self.misplaced()?,
            Chosen::UnknownTag(tag) => self.unknown_tagged(node, tag, value)?,
        }
        self.depth -= 1;
        Ok(())
    }

    /// Reads the index.
    #[inline(never)]
    pub(crate) fn open_choice(&mut self, node: &'n Node) -> Result<Chosen<'n>, Rejected> {
        let Node::Choice { extensible, width, root, alternatives, tags } = *node else { return Err(Rejected) };
        self.descend()?;
        if families::TAGS && tags.count > 0 {
            return self.open_tagged(node);
        }
        let alternatives = self.layout.alternatives(alternatives);
        let addition = extensible && self.extension_bit()?;
        let Field { at, value: index } = if addition { self.addition_index(root)? } else { self.take_field(width)? };
        let known = usize::try_from(index).ok().and_then(|index| alternatives.get(index));
        if L::ACTIVE {
            let name = known.map_or("", |alternative| self.layout.name(alternative.name));
            self.show(at, What::Choice(index, name), Scalar::Unset);
        }
        match (known, u32::try_from(index.wrapping_sub(u64::from(root)))) {
            (Some(alternative), _) if addition => Ok(Chosen::Addition(alternative)),
            (Some(alternative), _) if index < u64::from(root) => Ok(Chosen::Root(alternative)),
            (None, Ok(index)) if addition => Ok(Chosen::Unknown(index)),
            _ => {
                let count = if addition { alternatives.len() as u64 } else { u64::from(root) };
                Err(self.fail_at(ErrorKind::ChoiceIndex { index, count }, at))
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn addition_index(&mut self, root: u32) -> Result<Field, Rejected> {
        let (at, aligned) = (self.reader.position(), self.is_aligned());
        match per::take_small(&mut self.reader, aligned) {
            Ok(index) => Ok(Field { at, value: index.saturating_add(u64::from(root)) }),
            Err(Rejected) => Err(self.refuse(at, 7, "a choice index wider than 64 bits")),
        }
    }

    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    fn alternative(&mut self, alternative: &'n Alternative, value: &mut dyn Data) -> Result<(), Rejected> {
        if L::ACTIVE {
            self.listener.enter(Step::Name(self.layout.name(alternative.name)));
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

    #[inline(never)]
    fn list(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::List { extent, element, .. } = node else { return self.misplaced() };
        self.descend()?;
        if !value.begin(Shape::List) {
            return self.mismatch("a list");
        }
        let mut at = 0u64;
        let mut fragmented = false;
        let mut chunk = self.first_chunk(extent, 0)?;
        loop {
            let end = at + chunk.units;
            while at < end {
                self.count_element()?;
                self.element_at(*element, at, end, value)?;
                at += 1;
            }
            if !chunk.more {
                self.depth -= 1;
                // No chunk of several tells the size.
                return if fragmented { self.whole_size(at, extent) } else { Ok(()) };
            }
            fragmented = true;
            chunk = self.next_chunk()?;
        }
    }

    /// One more element of a list, of which there are at least `size`.
    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    fn element_at(&mut self, element: NodeId, at: u64, size: u64, value: &mut dyn Data) -> Result<(), Rejected> {
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

/// Whether additions follow a record's root, and where the bits are that tell which of the components that may be absent are there.
enum Flags {
    Root(usize),
    Extended(usize),
}

/// An alternative by the way in which it lies on the wire.
pub(crate) enum Chosen<'n> {
    Root(&'n Alternative),
    Addition(&'n Alternative),
    /// By its place among the additions.
    Unknown(u32),
    /// By its tag.
    UnknownTag(u32),
}
