//! Decoding: the structure.

use alloc::vec::Vec;

use roadwire_layout::{Addition, Alternative, Count, Extent, Layout, Member, Node, NodeId, Presence, Span};
use roadwire_wire::per::{self, Length};
use roadwire_wire::{Data, Error, ErrorKind, Path, Reader, Rejected, Scalar, Shape, Step, Unknown};

use crate::limits::Limits;
use crate::listener::{Item, Listener, What};

pub(crate) fn message<'n, L: Listener>(
    layout: &'n Layout,
    input: &[u8],
    value: &mut dyn Data,
    limits: &Limits,
    listener: &mut L,
) -> Result<usize, Error<'n>> {
    let mut decoder =
        Decoder { layout, reader: Reader::new(input), base: 0, error: None, depth: 0, limits: *limits, listener };
    match decoder.node(layout.root, value) {
        Ok(()) => {
            let read = decoder.reader.position();
            if L::ACTIVE && read % 8 != 0 {
                decoder.item(read, 8 - read % 8, What::Padding, Scalar::Unset);
            }
            Ok(read)
        }
        Err(Rejected) => Err(decoder.into_error()),
    }
}

pub(crate) struct Decoder<'n, 'a, 'l, L> {
    pub(crate) layout: &'n Layout,
    pub(crate) reader: Reader<'a>,
    /// Where the reader's first bit lies in the message; not 0 in the content of a fragmented open type.
    base: usize,
    error: Option<Error<'n>>,
    depth: u32,
    limits: Limits,
    listener: &'l mut L,
}

impl<'n, L: Listener> Decoder<'n, '_, '_, L> {
    pub(crate) fn node(&mut self, id: NodeId, value: &mut dyn Data) -> Result<(), Rejected> {
        match *self.layout.node(id) {
            Node::Record { extensible, components, members, additions, bitmap } => {
                if components > 0 && !value.begin(Shape::Record(components as usize)) {
                    return self.mismatch("a SEQUENCE");
                }
                self.record(extensible, bitmap, members, additions, value)
            }
            Node::Choice { extensible, bits, root, alternatives } => {
                self.choice(extensible, bits, root, alternatives, value)
            }
            Node::List { ref extent, element } => self.list(extent, element, value),
            Node::Extension { root, beyond } => {
                let outside = self.extension_bit()?;
                self.leaf(if outside { beyond } else { root }, value)
            }
            _ => self.leaf(id, value),
        }
    }

    #[inline(never)]
    fn record(
        &mut self,
        extensible: bool,
        bitmap: u16,
        members: Span,
        additions: Span,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        self.descend()?;
        let layout = self.layout;
        let members = layout.members(members);
        let extended = extensible && self.extension_bit()?;
        let mut presence = self.reader.position();
        self.skip(usize::from(bitmap))?;
        if L::ACTIVE {
            self.show_bitmap(members, presence);
        }
        for member in members {
            if member.presence != Presence::Mandatory {
                presence += 1;
                if !self.reader.bit_at(presence - 1) {
                    continue;
                }
            }
            self.member(member, value)?;
        }
        if extended {
            self.additions(layout.additions(additions), value)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn member(&mut self, member: &Member, value: &mut dyn Data) -> Result<(), Rejected> {
        let step = Step::Name(self.layout.name(member.name));
        self.enter(step);
        let done = match value.component_mut(member.component as usize) {
            Some(component) => self.node(member.node, component),
            None => self.mismatch("a SEQUENCE with this component"),
        };
        self.leave(step, done)
    }

    #[inline(never)]
    fn additions(&mut self, known: &'n [Addition], value: &mut dyn Data) -> Result<(), Rejected> {
        let at = self.reader.position();
        let Ok(count) = per::take_small_length(&mut self.reader) else {
            return Err(self.refuse(at, 8, "a number of extension additions that is 0 or 16K and above"));
        };
        self.show(at, What::AdditionCount(count), Scalar::Unset);
        let presence = self.reader.position();
        self.skip(count)?;
        if L::ACTIVE {
            for index in 0..count {
                let there = self.reader.bit_at(presence + index);
                let name = known.get(index).map_or("", |addition| match addition {
                    Addition::Single(member) => self.layout.name(member.name),
                    Addition::Group(_) => "[[ ]]",
                });
                self.item(presence + index, 1, What::Addition(index, name, there), Scalar::Unset);
            }
        }
        for index in 0..count {
            let there = self.reader.bit_at(presence + index);
            match known.get(index) {
                Some(Addition::Single(member)) if there => {
                    self.open(Content::Member(member), value)?;
                }
                Some(Addition::Group(group)) if there => {
                    self.open(Content::Group(*group), value)?;
                }
                None if there || index + 1 == count => {
                    let mut unknown = Unknown { index: index as u32, octets: Vec::new() };
                    // The last presence bit is kept even if it is 0: it tells how many there were.
                    if there {
                        self.open_octets(&mut unknown.octets)?;
                    }
                    if !value.keep(unknown) {
                        return self.mismatch("a SEQUENCE that can keep unknown additions");
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn choice(
        &mut self,
        extensible: bool,
        bits: u8,
        root: u32,
        alternatives: Span,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        self.descend()?;
        let layout = self.layout;
        let alternatives = layout.alternatives(alternatives);
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
            let name = known.map_or("", |alternative| layout.name(alternative.name));
            self.show(at, What::Choice(index, name), Scalar::Unset);
        }
        match known {
            Some(alternative) if addition => {
                self.open(Content::Alternative(alternative), value)?;
            }
            Some(alternative) if index < u64::from(root) => self.alternative(alternative, value)?,
            None if addition => {
                let Ok(index) = u32::try_from(index - u64::from(root)) else {
                    return Err(self.fail_at(ErrorKind::ChoiceIndex { index, count: alternatives.len() as u64 }, at));
                };
                let mut unknown = Unknown { index, octets: Vec::new() };
                self.open_octets(&mut unknown.octets)?;
                if !value.keep(unknown) {
                    return self.mismatch("a CHOICE that can keep an unknown alternative");
                }
            }
            _ => return Err(self.fail_at(ErrorKind::ChoiceIndex { index, count: u64::from(root) }, at)),
        }
        self.depth -= 1;
        Ok(())
    }

    fn alternative(&mut self, alternative: &Alternative, value: &mut dyn Data) -> Result<(), Rejected> {
        let step = Step::Name(self.layout.name(alternative.name));
        self.enter(step);
        let done = match value.choose(alternative.alternative as usize) {
            Some(content) => self.node(alternative.node, content),
            None => self.mismatch("a CHOICE with this alternative"),
        };
        self.leave(step, done)
    }

    #[inline(never)]
    fn list(&mut self, extent: &Extent, element: NodeId, value: &mut dyn Data) -> Result<(), Rejected> {
        self.descend()?;
        if !value.begin(Shape::List) {
            return self.mismatch("a list");
        }
        let mut at = 0u64;
        let mut chunk = self.first_chunk(extent)?;
        loop {
            let end = at + chunk.units;
            while at < end {
                self.count_element()?;
                let step = Step::Index(at as u32);
                self.enter(step);
                let done = match value.push() {
                    Some(item) => self.node(element, item),
                    None => Err(self.fail(ErrorKind::Capacity { size: end })),
                };
                self.leave(step, done)?;
                at += 1;
            }
            if !chunk.more {
                self.depth -= 1;
                return Ok(());
            }
            chunk = self.next_chunk()?;
        }
    }

    /// Reads how many units come first, and whether another length determinant follows them.
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
    pub(crate) fn next_chunk(&mut self) -> Result<Chunk, Rejected> {
        let at = self.reader.position();
        let chunk = match per::take_length(&mut self.reader) {
            Ok(Length::Last(units)) => Chunk { units: units as u64, more: false },
            Ok(Length::Fragment(units)) => Chunk { units: units as u64, more: true },
            Err(Rejected) => {
                return Err(self.refuse(at, 8, "a fragment of no or of more than four times 16K units"));
            }
        };
        self.show(at, What::Length(chunk.units), Scalar::Unset);
        Ok(chunk)
    }

    /// Reads an open type (X.691 §11.2) and decodes its content; what that leaves over is skipped.
    fn open(&mut self, content: Content<'n>, value: &mut dyn Data) -> Result<(), Rejected> {
        let at = self.reader;
        if let Ok(Length::Last(octets)) = per::take_length(&mut self.reader) {
            self.show(at.position(), What::OpenLength(octets), Scalar::Unset);
            let Ok(outer) = self.reader.enter(octets * 8) else { return self.truncated(octets * 8) };
            self.content(content, value)?;
            let left = self.reader.remaining();
            if L::ACTIVE && left > 0 {
                self.item(self.reader.position(), left, What::Padding, Scalar::Unset);
            }
            self.reader.leave(outer);
            return Ok(());
        }
        self.reader = at;
        self.open_fragments(content, value)
    }

    /// The same from 16K octets on: the fragments are put together first.
    #[cold]
    fn open_fragments(&mut self, content: Content<'n>, value: &mut dyn Data) -> Result<(), Rejected> {
        let base = self.base + self.reader.position();
        let mut octets = Vec::new();
        self.open_octets(&mut octets)?;
        let mut nested = Decoder {
            layout: self.layout,
            reader: Reader::new(&octets),
            base,
            error: None,
            depth: self.depth,
            limits: self.limits,
            listener: &mut *self.listener,
        };
        let done = nested.content(content, value);
        let (error, limits) = (nested.error, nested.limits);
        self.limits = limits;
        if done.is_err() {
            self.error = error;
        }
        done
    }

    fn content(&mut self, content: Content<'n>, value: &mut dyn Data) -> Result<(), Rejected> {
        match content {
            Content::Member(member) => self.member(member, value),
            Content::Group(group) => self.node(group, value),
            Content::Alternative(alternative) => self.alternative(alternative, value),
        }
    }

    /// Reads an open type's octets, length included.
    pub(crate) fn open_octets(&mut self, octets: &mut Vec<u8>) -> Result<(), Rejected> {
        loop {
            let chunk = self.next_chunk()?;
            let units = chunk.units as usize;
            let at = self.reader.position();
            if self.reader.need(units * 8).is_err() {
                return self.truncated(units * 8);
            }
            let start = octets.len();
            octets.resize(start + units, 0);
            if let Some(place) = octets.get_mut(start..) {
                self.reader.take_octets(place)?;
            }
            self.show(at, What::Unknown, Scalar::Octets(octets.get(start..).unwrap_or(&[])));
            if !chunk.more {
                return Ok(());
            }
        }
    }

    /// Reads an unsigned number of up to 64 bits.
    pub(crate) fn take(&mut self, bits: u32) -> Result<u64, Rejected> {
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
        match self.limits.elements.checked_sub(1) {
            Some(left) => {
                self.limits.elements = left;
                Ok(())
            }
            None => Err(self.fail(ErrorKind::TooLong { length: u64::MAX, limit: 0 })),
        }
    }

    fn descend(&mut self) -> Result<(), Rejected> {
        self.depth += 1;
        let limit = self.limits.depth;
        if self.depth > limit { Err(self.fail(ErrorKind::TooDeep { limit })) } else { Ok(()) }
    }

    fn enter(&mut self, step: Step<'n>) {
        if L::ACTIVE {
            self.listener.enter(step);
        }
    }

    fn leave(&mut self, step: Step<'n>, done: Result<(), Rejected>) -> Result<(), Rejected> {
        if L::ACTIVE {
            self.listener.leave();
        }
        done.map_err(|rejected| self.within(rejected, step))
    }

    /// Shows what has been read since bit `from`.
    pub(crate) fn show(&mut self, from: usize, what: What<'_>, value: Scalar<'_>) {
        if L::ACTIVE {
            self.item(from, self.reader.position() - from, what, value);
        }
    }

    fn item(&mut self, from: usize, bits: usize, what: What<'_>, value: Scalar<'_>) {
        self.listener.item(self.layout, &Item { bit: self.base + from, bits, what, value });
    }

    fn show_bitmap(&mut self, members: &[Member], mut at: usize) {
        for member in members.iter().filter(|member| member.presence != Presence::Mandatory) {
            let there = self.reader.bit_at(at);
            self.item(at, 1, What::Presence(self.layout.name(member.name), there), Scalar::Unset);
            at += 1;
        }
    }

    /// A reader said no from bit `at` on: either fewer than `least` bits are left, or what is there is not allowed.
    #[cold]
    pub(crate) fn refuse(&mut self, at: usize, least: usize, otherwise: &'static str) -> Rejected {
        let left = self.reader.position() + self.reader.remaining() - at;
        if left < least || self.reader.remaining() == 0 {
            self.fail_at(ErrorKind::Truncated { missing: least.saturating_sub(left).max(1) }, at)
        } else {
            self.fail_at(ErrorKind::Malformed(otherwise), at)
        }
    }

    #[cold]
    pub(crate) fn truncated<T>(&mut self, bits: usize) -> Result<T, Rejected> {
        Err(self.fail(ErrorKind::Truncated { missing: bits.saturating_sub(self.reader.remaining()) }))
    }

    pub(crate) fn mismatch(&mut self, expected: &'static str) -> Result<(), Rejected> {
        Err(self.fail(ErrorKind::Mismatch { expected }))
    }

    pub(crate) fn fail(&mut self, kind: ErrorKind) -> Rejected {
        self.fail_at(kind, self.reader.position())
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn fail_at(&mut self, kind: ErrorKind, bit: usize) -> Rejected {
        if self.error.is_none() {
            self.error = Some(Error { kind, bit: self.base + bit, path: Path::root() });
        }
        Rejected
    }

    #[cold]
    #[inline(never)]
    fn within(&mut self, rejected: Rejected, step: Step<'n>) -> Rejected {
        if let Some(error) = &mut self.error {
            error.path.prepend(step);
        }
        rejected
    }

    #[cold]
    fn into_error(self) -> Error<'n> {
        let bit = self.base + self.reader.position();
        self.error.unwrap_or(Error { kind: ErrorKind::Truncated { missing: 1 }, bit, path: Path::root() })
    }
}

/// What an open type contains.
#[derive(Clone, Copy)]
enum Content<'n> {
    Member(&'n Member),
    Group(NodeId),
    Alternative(&'n Alternative),
}

/// How many units follow, and whether another length determinant comes after them.
#[derive(Clone, Copy)]
pub(crate) struct Chunk {
    pub(crate) units: u64,
    pub(crate) more: bool,
}
