//! Decoding: the structure.
//!
//! As in encoding, what has a frame on the stack for each level of nesting, [`Decoder::record`], [`Decoder::choice`] and [`Decoder::list`], does little itself.

use alloc::vec::Vec;
use core::num::NonZeroUsize;

use roadwire_layout::{Addition, Alternative, Count, Extent, Layout, Member, Node, NodeId, Presence};
use roadwire_wire::per::{self, Length};
use roadwire_wire::{Data, Error, ErrorKind, Path, Reader, Rejected, Scalar, Shape, Step, Unknown};

use crate::limits::Limits;
use crate::listener::{Item, Listener, What};
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
    if !L::ACTIVE {
        let mut decoder = Decoder::new(layout, input, limits, listener);
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
    pub(crate) depth: u32,
    /// Elements and characters so far.
    elements: u64,
    limits: Limits,
    slots: Slots,
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
            depth: 0,
            elements: 0,
            limits: *limits,
            slots,
            listener,
            explanation: None,
        }
    }

    #[inline(never)]
    pub(crate) fn node(&mut self, id: NodeId, value: &mut dyn Data) -> Result<(), Rejected> {
        let node = self.layout.node(id);
        match node {
            Node::Word { .. } => self.word(node, value),
            Node::Enumerated { .. } => self.enumerated(node, value),
            Node::Record { .. } => self.record(node, value),
            Node::Choice { .. } => self.choice(node, value),
            Node::List { .. } => self.list(node, value),
            Node::Extension { .. } => self.extension(node, value),
            Node::Table { .. } => self.table(node, value),
            Node::Key { .. } => self.key(node, value),
            Node::Scope { .. } => self.scope(node, value),
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
        let Node::Record { extensible, bitmap, components, members, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        if components > 0 && !value.begin(Shape::Record(components as usize)) {
            self.mismatch("a SEQUENCE")?;
        }
        let extended = extensible && self.extension_bit()?;
        let presence = self.reader.position();
        self.skip(usize::from(bitmap))?;
        if L::ACTIVE {
            self.show_bitmap(self.layout.members(members), presence);
        }
        Ok(if extended { Flags::Extended(presence) } else { Flags::Root(presence) })
    }

    #[inline(always)]
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

    #[inline(always)]
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
        let at = self.reader.position();
        let Ok(count) = per::take_small_length(&mut self.reader) else {
            return Err(self.refuse(at, 8, "a number of extension additions that is 0 or 16K and above"));
        };
        self.show(at, What::AdditionCount(count), Scalar::Unset);
        let presence = self.reader.position();
        self.skip(count)?;
        if L::ACTIVE {
            self.show_additions(known, presence, count);
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

    /// Keeps an unknown addition or alternative.
    #[cold]
    #[inline(never)]
    fn unknown(&mut self, index: u32, there: bool, value: &mut dyn Data) -> Result<(), Rejected> {
        let mut unknown = Unknown { index, octets: Vec::new() };
        if there {
            self.open_octets(&mut unknown.octets)?;
        }
        if value.keep(unknown) { Ok(()) } else { self.mismatch("a type that can keep unknown additions") }
    }

    #[inline(never)]
    fn choice(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        match self.open_choice(node)? {
            Chosen::Root(alternative) => self.alternative(alternative, value)?,
            Chosen::Addition(alternative) => self.open(Content::Alternative(alternative), value)?,
            Chosen::Unknown(index) => self.unknown(index, true, value)?,
        }
        self.depth -= 1;
        Ok(())
    }

    /// Reads the index.
    #[inline(never)]
    pub(crate) fn open_choice(&mut self, node: &'n Node) -> Result<Chosen<'n>, Rejected> {
        let Node::Choice { extensible, bits, root, alternatives } = *node else { return Err(Rejected) };
        self.descend()?;
        let alternatives = self.layout.alternatives(alternatives);
        let addition = extensible && self.extension_bit()?;
        let at = self.reader.position();
        let index = if addition {
            match per::take_small(&mut self.reader) {
                Ok(index) => index.saturating_add(u64::from(root)),
                Err(Rejected) => return Err(self.refuse(at, 7, "a choice index wider than 64 bits")),
            }
        } else {
            self.take(u32::from(bits))?
        };
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

    #[inline(always)]
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

    /// An open type: what its key selects where there is a place for it, or octets.
    #[inline(never)]
    fn table(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Table { slot, rows } = *node else { return self.misplaced() };
        if let Some(row) = self.slots.get(slot) {
            let inner = self.layout.numbers(rows).get(row).copied();
            if let Some((inner, content)) = inner.zip(value.choose(row)) {
                self.descend()?;
                self.open(Content::Node(NodeId(inner)), content)?;
                self.depth -= 1;
                return Ok(());
            }
        }
        self.leaf(&Node::Open, value)
    }

    #[inline(never)]
    fn key(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Key { node, slot, keys } = *node else { return self.misplaced() };
        self.node(node, value)?;
        self.slots.select(self.layout, slot, keys, value);
        Ok(())
    }

    #[inline(never)]
    fn scope(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Scope { record, slots } = *node else { return self.misplaced() };
        let outer = self.slots.enter(self.layout.numbers(slots));
        self.node(record, value)?;
        self.slots.leave(self.layout.numbers(slots), &outer);
        Ok(())
    }

    #[inline(never)]
    fn list(&mut self, node: &'n Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::List { extent, element } = node else { return self.misplaced() };
        self.descend()?;
        if !value.begin(Shape::List) {
            return self.mismatch("a list");
        }
        let mut at = 0u64;
        let mut fragmented = false;
        let mut chunk = self.first_chunk(extent)?;
        loop {
            let end = at + chunk.units;
            while at < end {
                self.count_element()?;
                if L::ACTIVE {
                    self.listener.enter(Step::Index(at as u32));
                }
                let done = match value.push() {
                    Some(item) => self.node(*element, item),
                    None => self.full(end),
                };
                if L::ACTIVE {
                    self.listener.leave();
                }
                if done.is_err() {
                    return Err(self.within_element(at));
                }
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

    /// Checks the size of what came in fragments.
    #[cold]
    #[inline(never)]
    pub(crate) fn whole_size(&mut self, size: u64, extent: &Extent) -> Result<(), Rejected> {
        if extent.extensible || extent.admits(size) {
            return Ok(());
        }
        Err(self.fail(ErrorKind::Size { size, lower: extent.lower, upper: extent.upper }))
    }

    /// Reads how many units come first, and whether another length determinant follows them.
    #[inline(never)]
    pub(crate) fn first_chunk(&mut self, extent: &Extent) -> Result<Chunk, Rejected> {
        if extent.extensible && self.extension_bit()? {
            return self.next_chunk();
        }
        let at = self.reader.position();
        let chunk = match extent.count {
            Count::Fixed => return Ok(Chunk { units: extent.lower, more: false }),
            Count::Field(bits) => {
                let units = extent.lower + self.take(u32::from(bits))?;
                self.show(at, What::Length(units), Scalar::Unset);
                Chunk { units, more: false }
            }
            Count::Determinant => self.next_chunk()?,
        };
        // The rest of a fragmented string may still bring it up to the least size; `Chunk::more` is then set.
        if chunk.units > extent.upper || (chunk.units < extent.lower && !chunk.more) {
            let kind = ErrorKind::Size { size: chunk.units, lower: extent.lower, upper: extent.upper };
            return Err(self.fail_at(kind, at));
        }
        Ok(chunk)
    }

    /// Reads a length determinant.
    #[inline(never)]
    pub(crate) fn next_chunk(&mut self) -> Result<Chunk, Rejected> {
        let at = self.reader.position();
        let chunk = match per::take_length(&mut self.reader) {
            Ok(Length::Last(units)) => Chunk { units: units as u64, more: false },
            Ok(Length::Fragment(units)) => Chunk { units: units as u64, more: true },
            Err(Rejected) => {
                // Two leading ones with a number that no fragment has; otherwise the determinant's second octet is missing.
                let is_fragment = self.reader.position() > at && self.reader.bit_at(at) && self.reader.bit_at(at + 1);
                let kind = if is_fragment {
                    ErrorKind::Malformed("a fragment of no or of more than four times 16K units")
                } else {
                    ErrorKind::Truncated { missing: 8 - self.reader.remaining().min(7) }
                };
                return Err(self.fail_at(kind, at));
            }
        };
        self.show(at, What::Length(chunk.units), Scalar::Unset);
        Ok(chunk)
    }

    /// Reads an open type (X.691 §11.2) and decodes its content; what that leaves over is skipped.
    #[inline(never)]
    fn open(&mut self, content: Content<'n>, value: &mut dyn Data) -> Result<(), Rejected> {
        let at = self.reader;
        let Ok(Length::Last(octets)) = per::take_length(&mut self.reader) else {
            self.reader = at;
            return self.open_fragments(content, value);
        };
        self.show(at.position(), What::OpenLength(octets), Scalar::Unset);
        if octets == 0 {
            return self.empty_open_type(at.position());
        }
        let Ok(outer) = self.reader.enter(octets * 8) else { return self.truncated(octets * 8) };
        self.content(content, value)?;
        let left = self.reader.remaining();
        if L::ACTIVE && left > 0 {
            self.item(self.reader.position(), left, What::Padding, Scalar::Unset);
        }
        self.reader.leave(outer);
        Ok(())
    }

    /// The same from 16K octets on: the fragments are put together first. The listener hears of them as they lie, and then of what is in them as
    /// items of no bits, for a value may lie on both sides of a length determinant.
    #[cold]
    #[inline(never)]
    fn open_fragments(&mut self, content: Content<'n>, value: &mut dyn Data) -> Result<(), Rejected> {
        let start = self.reader;
        let mut octets = Vec::new();
        self.open_octets(&mut octets)?;
        let end = self.detached.or(NonZeroUsize::new(self.reader.position()));
        let mut nested = Decoder {
            layout: self.layout,
            reader: Reader::new(&octets),
            detached: end,
            depth: self.depth,
            elements: self.elements,
            limits: self.limits,
            slots: core::mem::take(&mut self.slots),
            listener: &mut *self.listener,
            explanation: self.explanation.as_deref_mut(),
        };
        let done = nested.content(content, value);
        if done.is_err() {
            nested.within(|_| ());
        }
        self.elements = nested.elements;
        self.slots = nested.slots;
        if let (Err(Rejected), Some(Some(error))) = (done, &mut self.explanation) {
            error.bit = position_in_fragments(start, error.bit);
        }
        done
    }

    fn content(&mut self, content: Content<'n>, value: &mut dyn Data) -> Result<(), Rejected> {
        match content {
            Content::Member(member) => self.member(member, value),
            Content::Node(node) => self.node(node, value),
            Content::Alternative(alternative) => self.alternative(alternative, value),
        }
    }

    /// Reads an open type's octets, length included.
    pub(crate) fn open_octets(&mut self, octets: &mut Vec<u8>) -> Result<(), Rejected> {
        loop {
            let chunk = self.next_chunk()?;
            let at = self.reader.position();
            let start = octets.len();
            self.append_octets(chunk, octets)?;
            if octets.is_empty() {
                return self.empty_open_type(at);
            }
            self.show(at, What::Unknown, Scalar::Octets(octets.get(start..).unwrap_or(&[])));
            if !chunk.more {
                return Ok(());
            }
        }
    }

    pub(crate) fn append_octets(&mut self, chunk: Chunk, octets: &mut Vec<u8>) -> Result<(), Rejected> {
        let units = chunk.units as usize;
        // Before any memory is asked for.
        if self.reader.need(units * 8).is_err() {
            return self.truncated(units * 8);
        }
        let start = octets.len();
        octets.resize(start + units, 0);
        self.reader.take_octets(octets.get_mut(start..).unwrap_or(&mut []))
    }

    /// Reads an unsigned number of up to 64 bits.
    #[inline(never)]
    pub(crate) fn take(&mut self, bits: u32) -> Result<u64, Rejected> {
        if bits > 57 {
            return self.take_wide(bits);
        }
        match self.reader.take(bits) {
            Ok(value) => Ok(value),
            Err(Rejected) => self.truncated(bits as usize),
        }
    }

    #[cold]
    #[inline(never)]
    fn take_wide(&mut self, bits: u32) -> Result<u64, Rejected> {
        match self.reader.take_wide(bits) {
            Ok(value) => Ok(value),
            Err(Rejected) => self.truncated(bits as usize),
        }
    }

    fn skip(&mut self, bits: usize) -> Result<(), Rejected> {
        match self.reader.skip(bits) {
            Ok(()) => Ok(()),
            Err(Rejected) => self.truncated(bits),
        }
    }

    pub(crate) fn extension_bit(&mut self) -> Result<bool, Rejected> {
        let at = self.reader.position();
        let bit = self.take(1)? == 1;
        self.show(at, What::Extension(bit), Scalar::Unset);
        Ok(bit)
    }

    /// Counts an element (or a character) against the limit.
    pub(crate) fn count_element(&mut self) -> Result<(), Rejected> {
        self.elements += 1;
        if self.elements > self.limits.elements { self.too_many() } else { Ok(()) }
    }

    fn descend(&mut self) -> Result<(), Rejected> {
        self.depth += 1;
        if self.depth > self.limits.depth { self.too_deep() } else { Ok(()) }
    }

    /// Shows what has been read since bit `from`.
    #[inline(always)]
    pub(crate) fn show(&mut self, from: usize, what: What<'_>, value: Scalar<'_>) {
        if L::ACTIVE {
            self.item(from, self.reader.position() - from, what, value);
        }
    }

    fn item(&mut self, from: usize, bits: usize, what: What<'_>, value: Scalar<'_>) {
        let (bit, bits) = self.detached.map_or((from, bits), |end| (end.get(), 0));
        self.listener.item(self.layout, &Item { bit, bits, what, value });
    }

    fn show_bitmap(&mut self, members: &[Member], mut at: usize) {
        for member in members.iter().filter(|member| member.presence != Presence::Mandatory) {
            let there = self.reader.bit_at(at);
            self.item(at, 1, What::Presence(self.layout.name(member.name), there), Scalar::Unset);
            at += 1;
        }
    }

    fn show_additions(&mut self, known: &[Addition], presence: usize, count: usize) {
        for index in 0..count {
            let there = self.reader.bit_at(presence + index);
            let name = known.get(index).map_or("", |addition| match addition {
                Addition::Single(member) => self.layout.name(member.name),
                Addition::Group(_) => "[[ ]]",
            });
            self.item(presence + index, 1, What::Addition(index, name, there), Scalar::Unset);
        }
    }
}

/// What goes wrong.
impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L> {
    /// A reader said no from bit `at` on: either fewer than `least` bits are left, or what is there is not allowed.
    #[cold]
    #[inline(never)]
    pub(crate) fn refuse(&mut self, at: usize, least: usize, otherwise: &'static str) -> Rejected {
        let left = self.reader.position() + self.reader.remaining() - at;
        if left < least || self.reader.remaining() == 0 {
            self.fail_at(ErrorKind::Truncated { missing: least.saturating_sub(left).max(1) }, at)
        } else {
            self.fail_at(ErrorKind::Malformed(otherwise), at)
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn truncated<T>(&mut self, bits: usize) -> Result<T, Rejected> {
        Err(self.fail(ErrorKind::Truncated { missing: bits.saturating_sub(self.reader.remaining()) }))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn mismatch(&mut self, expected: &'static str) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::Mismatch { expected }))
    }

    /// No layout has a node here that a function was not made for.
    #[cold]
    #[inline(never)]
    pub(crate) fn misplaced(&mut self) -> Result<(), Rejected> {
        self.mismatch("of the kind that the layout has")
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn full(&mut self, size: u64) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::Capacity { size }))
    }

    #[cold]
    #[inline(never)]
    fn too_many(&mut self) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::TooLong { length: self.elements, limit: self.limits.elements }))
    }

    /// X.691 §11.1.3, §11.2: what is in an open type is a complete encoding, and that has at least one octet.
    #[cold]
    #[inline(never)]
    fn empty_open_type(&mut self, at: usize) -> Result<(), Rejected> {
        Err(self.fail_at(ErrorKind::Malformed("an open type of no octets"), at))
    }

    #[cold]
    #[inline(never)]
    fn too_deep(&mut self) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::TooDeep { limit: self.limits.depth }))
    }

    #[cold]
    pub(crate) fn fail(&mut self, kind: ErrorKind) -> Rejected {
        self.fail_at(kind, self.reader.position())
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn fail_at(&mut self, kind: ErrorKind, bit: usize) -> Rejected {
        if let Some(place) = &mut self.explanation {
            place.get_or_insert(Error { kind, bit, path: Path::root() });
        }
        Rejected
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn within_member(&mut self, member: &Member) -> Rejected {
        let layout = self.layout;
        self.within(|path| path.prepend_name(layout, layout.place_of_member(member)))
    }

    #[cold]
    #[inline(never)]
    fn within_alternative(&mut self, alternative: &Alternative) -> Rejected {
        let layout = self.layout;
        self.within(|path| path.prepend_name(layout, layout.place_of_alternative(alternative)))
    }

    #[cold]
    #[inline(never)]
    fn within_element(&mut self, at: u64) -> Rejected {
        self.within(|path| path.prepend_index(at as u32))
    }

    fn within(&mut self, prepend: impl FnOnce(&mut Path<'n>)) -> Rejected {
        let bit = self.reader.position();
        if let Some(place) = &mut self.explanation {
            prepend(&mut place.get_or_insert_with(|| at_end(bit)).path);
        }
        Rejected
    }
}

/// Where bit `bit` of an open type's content lies in the message; `reader` is at the first of its length determinants.
fn position_in_fragments(mut reader: Reader<'_>, bit: usize) -> usize {
    let mut left = bit;
    while let Ok(Length::Fragment(octets)) = per::take_length(&mut reader) {
        if left < octets * 8 || reader.skip(octets * 8).is_err() {
            break;
        }
        left -= octets * 8;
    }
    reader.position() + left
}

/// Whether additions follow a record's root, and where the bits are that tell which of the components that may be absent are there.
enum Flags {
    Root(usize),
    Extended(usize),
}

/// What an open type contains.
#[derive(Clone, Copy)]
enum Content<'n> {
    Member(&'n Member),
    Node(NodeId),
    Alternative(&'n Alternative),
}

/// An alternative by the way in which it lies on the wire.
pub(crate) enum Chosen<'n> {
    Root(&'n Alternative),
    Addition(&'n Alternative),
    /// By its place among the additions.
    Unknown(u32),
}

/// How many units follow, and whether another length determinant comes after them.
#[derive(Clone, Copy)]
pub(crate) struct Chunk {
    pub(crate) units: u64,
    pub(crate) more: bool,
}
