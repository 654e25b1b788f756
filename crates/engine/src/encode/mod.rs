//! Encoding: the structure.
//!
//! A value nests as deep as its type does, and for each level there is a frame of [`Encoder::record`], [`Encoder::choice`] or [`Encoder::list`] on the stack. So these do little
//! themselves: what is done before and after the components, what is rare and what goes wrong are functions of their own, and [`Encoder::node`] is a jump.

use roadwire_layout::{Addition, Alternative, GROUP, Layout, Lengths, Member, Node, NodeId, Presence, Span};
use roadwire_wire::per;
use roadwire_wire::{Data, Error, ErrorKind, Path, Rejected, Writer, oer};

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
#[cfg(feature = "alloc")]
mod order;
#[cfg(feature = "vectors")]
mod presentation;
mod report;
#[cfg(feature = "alloc")]
mod table;
mod tagged;
#[cfg(feature = "alloc")]
mod time;
#[cfg(feature = "tlv")]
mod tlv;
#[cfg(feature = "xml")]
mod xml;

use self::extent::Run;
pub(crate) use self::leaf::bits_of;
#[allow(unused_imports, reason = "empty where all families are built")]
use self::left_out::*;
use crate::equal::is_default;
use crate::families;
use crate::limits::Limits;
use crate::range;
#[cfg(feature = "alloc")]
use crate::slots::Slots;

/// Encodes into `output`, and tells how many octets it took.
///
/// Errors are large, and a space-optimised codec is to have little on its stack; so first there is no place for one, and when something is wrong, the value
/// is walked again to say what.
pub(crate) fn message<'n>(layout: &'n Layout, value: &dyn Data, output: &mut [u8]) -> Result<usize, Error<'n>> {
    families::check(layout.rules)?;
    let mut encoder = Encoder::new(layout, output);
    if encoder.node(layout.root, value).is_ok() {
        if let Ok(octets) = encoder.finish() {
            return Ok(octets);
        }
    }
    explain(layout, value, output)
}

/// Encodes, with a place for an error.
#[cold]
#[inline(never)]
fn explain<'n>(layout: &'n Layout, value: &dyn Data, output: &mut [u8]) -> Result<usize, Error<'n>> {
    let mut explanation = None;
    let mut encoder = Encoder::new(layout, output);
    encoder.explanation = Some(&mut explanation);
    let done = encoder.node(layout.root, value);
    let (capacity, bit) = (encoder.writer.capacity(), encoder.writer.position());
    let finished = encoder.finish();
    done.and(finished).map_err(|Rejected| explanation.unwrap_or_else(|| full(capacity, bit)))
}

/// The only thing that goes wrong without a word is a writer that is full.
fn full<'n>(capacity: usize, bit: usize) -> Error<'n> {
    Error { kind: ErrorKind::OutputFull { capacity }, bit, path: Path::root() }
}

pub(crate) struct Encoder<'n, 'w, 'e> {
    pub(crate) layout: &'n Layout,
    pub(crate) writer: Writer<'w>,
    depth: u32,
    /// Of XML: the start tag that is being written.
    tag: xml::Tag,
    document: xml::Document,
    events: event::Events,
    pub(crate) slots: Slots,
    /// Where the first error goes, when anyone asks.
    explanation: Option<&'e mut Option<Error<'n>>>,
}

impl<'n, 'w> Encoder<'n, 'w, '_> {
    fn new(layout: &'n Layout, output: &'w mut [u8]) -> Self {
        Encoder {
            layout,
            writer: Writer::new(output),
            depth: 0,
            tag: xml::Tag::default(),
            document: xml::Document::default(),
            events: event::Events::default(),
            slots: Slots::default(),
            explanation: None,
        }
    }

    fn finish(self) -> Result<usize, Rejected> {
        match self.layout.lengths {
            Lengths::Definite | Lengths::Varint if families::WHOLE => self.writer.finish_octets(),
            _ => self.writer.finish(),
        }
    }

    #[inline(never)]
    pub(crate) fn node(&mut self, id: NodeId, value: &dyn Data) -> Result<(), Rejected> {
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
            Node::List { sorted: true, .. } => self.sorted_list(node, value),
            Node::List { .. } => self.list(node, value),
            Node::Extension { .. } => self.extension(node, value),
            _ => self.leaf(node, value),
        }
    }

    #[inline(never)]
    fn extension(&mut self, node: &'n Node, value: &dyn Data) -> Result<(), Rejected> {
        let Node::Extension { root, beyond } = *node else { return self.misplaced() };
        let outside = !range::admits(self.layout, root, value.scalar());
        self.writer.put_bit(outside)?;
        self.node(if outside { beyond } else { root }, value)
    }

    #[inline(never)]
    fn record(&mut self, node: &'n Node, value: &dyn Data) -> Result<(), Rejected> {
        let Node::Record { bitmap, members, .. } = *node else { return self.misplaced() };
        if bitmap > MOST_FLAGS {
            return self.wide_record(node, value);
        }
        let presence = self.open_record(node, value)?;
        if presence << bitmap != 0 {
            return self.extended_record(node, presence, value);
        }
        self.members(members, presence, value)?;
        self.depth -= 1;
        Ok(())
    }

    #[inline(never)]
    fn extended_record(&mut self, node: &'n Node, presence: u64, value: &dyn Data) -> Result<(), Rejected> {
        let Node::Record { members, .. } = *node else { return self.misplaced() };
        self.members(members, presence, value)?;
        self.additions(node, value)?;
        self.depth -= 1;
        Ok(())
    }

    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    fn members(&mut self, members: Span, presence: u64, value: &dyn Data) -> Result<(), Rejected> {
        let mut presence = presence;
        for member in self.layout.members(members) {
            if member.presence != Presence::Mandatory {
                let there = presence >> 63 == 1;
                presence <<= 1;
                if !there {
                    continue;
                }
            }
            self.member(member, value)?;
        }
        Ok(())
    }

    /// Writes what is in front of a record's components. The flags that tell which of those that may be absent are there come back left-aligned, with
    /// that of the additions behind them.
    #[inline(never)]
    fn open_record(&mut self, node: &'n Node, value: &dyn Data) -> Result<u64, Rejected> {
        let Node::Record { extensible, components, bitmap, padding, members, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        if components != GROUP && !value.is_record(extensible) {
            self.mismatch("a SEQUENCE without additions that it has no place for")?;
        }
        let mut presence = 0u64;
        if bitmap > 0 {
            for member in self.layout.members(members) {
                if member.presence != Presence::Mandatory {
                    presence = presence << 1 | u64::from(self.present(member, value));
                }
            }
        }
        let extended = extensible && self.any_addition(node, value);
        if extensible {
            self.writer.put_bit(extended)?;
        }
        self.writer.put(presence, u32::from(bitmap))?;
        self.writer.put(0, u32::from(padding))?;
        Ok((presence << 1 | u64::from(extended)) << (MOST_FLAGS - bitmap))
    }

    /// A record with more components that may be absent than there are flags in a word.
    #[cold]
    #[inline(never)]
    fn wide_record(&mut self, node: &'n Node, value: &dyn Data) -> Result<(), Rejected> {
        let Node::Record { extensible, padding, members, .. } = *node else { return self.misplaced() };
        self.descend()?;
        let members = self.layout.members(members);
        let extended = extensible && self.any_addition(node, value);
        if extensible {
            self.writer.put_bit(extended)?;
        }
        for member in members.iter().filter(|member| member.presence != Presence::Mandatory) {
            self.writer.put_bit(self.present(member, value))?;
        }
        self.writer.put(0, u32::from(padding))?;
        for member in members {
            if member.presence == Presence::Mandatory || self.present(member, value) {
                self.member(member, value)?;
            }
        }
        if extended {
            self.additions(node, value)?;
        }
        self.depth -= 1;
        Ok(())
    }

    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    fn member(&mut self, member: &'n Member, value: &dyn Data) -> Result<(), Rejected> {
        let done = match value.component(member.component as usize) {
            Some(component) => self.node(member.node, component),
            None => self.missing(),
        };
        if done.is_ok() { Ok(()) } else { Err(self.within_member(member)) }
    }

    /// Whether a component is sent: there, and not its DEFAULT.
    fn present(&self, member: &Member, value: &dyn Data) -> bool {
        value.component(member.component as usize).is_some_and(|component| self.is_component_sent(member, component))
    }

    /// Whether a component that is there is sent.
    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    fn is_component_sent(&self, member: &Member, component: &dyn Data) -> bool {
        match member.presence {
            Presence::Default(place) => !is_default(self.layout, place, component),
            _ => true,
        }
    }

    /// A component is not there: one of the root may not be absent, nor one of a group of which others are there (X.680 §25.12).
    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    fn absent(&mut self, members: Span, groups: Span, at: usize, value: &dyn Data) -> Result<(), Rejected> {
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

    #[inline(never)]
    fn any_addition(&self, node: &Node, value: &dyn Data) -> bool {
        let Node::Record { additions, .. } = *node else { return false };
        !value.unknown().is_empty()
            || self.layout.additions(additions).iter().any(|addition| self.addition_present(addition, value))
    }

    fn addition_present(&self, addition: &Addition, value: &dyn Data) -> bool {
        match addition {
            Addition::Single(member) => self.present(member, value),
            Addition::Group(group) => match *self.layout.node(*group) {
                Node::Record { members, .. } => {
                    self.layout.members(members).iter().any(|member| self.present(member, value))
                }
                _ => false,
            },
        }
    }

    #[inline(never)]
    fn additions(&mut self, node: &'n Node, value: &dyn Data) -> Result<(), Rejected> {
        let Node::Record { additions, .. } = *node else { return self.misplaced() };
        let known = self.layout.additions(additions);
        let unknown = value.unknown();
        let ascending = unknown.windows(2).all(|pair| pair[0].index < pair[1].index);
        if !ascending || unknown.first().is_some_and(|first| (first.index as usize) < known.len()) {
            return self.mismatch("a SEQUENCE whose unknown additions ascend, and come after the known ones");
        }
        let count = unknown.last().map_or(0, |last| last.index as usize + 1).max(known.len());
        let unused = self.addition_count(count)?;
        for addition in known {
            self.writer.put_bit(self.addition_present(addition, value))?;
        }
        let mut next = known.len();
        for addition in unknown.iter().filter(|addition| addition.index as usize >= known.len()) {
            while next < addition.index as usize {
                self.writer.put_bit(false)?;
                next += 1;
            }
            // Without octets it only says how many presence bits there were.
            self.writer.put_bit(!addition.octets.is_empty())?;
            next += 1;
        }
        self.writer.put(0, unused)?;
        for addition in known {
            if self.addition_present(addition, value) {
                let start = self.begin_open_type()?;
                match addition {
                    Addition::Single(member) => self.member(member, value)?,
                    Addition::Group(group) => self.node(*group, value)?,
                }
                self.close_open_type(start)?;
            }
        }
        for addition in unknown.iter().filter(|addition| addition.index as usize >= known.len()) {
            if !addition.octets.is_empty() {
                self.kept_open_type(&addition.octets)?;
            }
        }
        Ok(())
    }

    /// Tells how many additions there are presence bits for, and how many zero bits follow them.
    fn addition_count(&mut self, count: usize) -> Result<u32, Rejected> {
        if count >= per::FRAGMENT {
            return Err(self.fail(ErrorKind::TooLong { length: count as u64, limit: per::FRAGMENT as u64 - 1 }));
        }
        let aligned = self.is_aligned();
        match self.layout.lengths {
            // X.696 §16.4: a bit string of variable size.
            Lengths::Definite | Lengths::Varint if families::WHOLE => {
                self.octet_count(count, 1)?;
                Ok((count.next_multiple_of(8) - count) as u32)
            }
            _ => per::put_small_length(&mut self.writer, count, aligned).map(|()| 0),
        }
    }

    /// Writes an open type whose octets were kept, as [`Unknown`](roadwire_wire::Unknown) says.
    fn kept_open_type(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        match self.layout.lengths {
            Lengths::Definite if families::DEFINITE && oer::is_open_type(octets) => self.writer.put_octets(octets),
            Lengths::Definite | Lengths::Varint => self.mismatch("an unknown addition with its length in front"),
            _ => self.counted_octets(octets),
        }
    }

    #[inline(never)]
    fn choice(&mut self, node: &'n Node, value: &dyn Data) -> Result<(), Rejected> {
        let Some((which, content)) = value.alternative() else { return self.unknown_alternative(node, value) };
        match self.open_choice(node, which)? {
            Chosen::Root(alternative) => self.alternative(alternative, content)?,
            Chosen::Addition(alternative) => self.added_alternative(alternative, content)?,
        }
        self.depth -= 1;
        Ok(())
    }

    /// Writes the index.
    #[inline(never)]
    fn open_choice(&mut self, node: &'n Node, which: usize) -> Result<Chosen<'n>, Rejected> {
        let Node::Choice { extensible, width, root, alternatives, tags } = *node else { return Err(Rejected) };
        self.descend()?;
        let alternatives = self.layout.alternatives(alternatives);
        let found = alternatives.iter().enumerate().find(|(_, one)| one.alternative as usize == which);
        let Some((at, alternative)) = found else {
            return Err(self.fail(ErrorKind::ChoiceIndex { index: which as u64, count: alternatives.len() as u64 }));
        };
        if families::TAGS && tags.count > 0 {
            self.put_tag_of(tags, at)?;
            return Ok(if at < root as usize { Chosen::Root(alternative) } else { Chosen::Addition(alternative) });
        }
        let at = at as u64;
        if at < u64::from(root) {
            if extensible {
                self.writer.put_bit(false)?;
            }
            self.put_field(at, width)?;
            return Ok(Chosen::Root(alternative));
        }
        let aligned = self.is_aligned();
        self.writer.put_bit(true)?;
        per::put_small(&mut self.writer, at - u64::from(root), aligned)?;
        Ok(Chosen::Addition(alternative))
    }

    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    fn alternative(&mut self, alternative: &'n Alternative, content: &dyn Data) -> Result<(), Rejected> {
        match self.node(alternative.node, content) {
            Ok(()) => Ok(()),
            Err(Rejected) => Err(self.within_alternative(alternative)),
        }
    }

    #[cfg_attr(not(all(target_os = "none", target_pointer_width = "32")), inline(always))]
    fn list_element(&mut self, node: NodeId, at: usize, value: &dyn Data) -> Result<(), Rejected> {
        let done = match value.element(at) {
            Some(item) => self.node(node, item),
            None => self.mismatch("a list"),
        };
        if done.is_ok() { Ok(()) } else { Err(self.within_element(at)) }
    }

    #[inline(never)]
    fn added_alternative(&mut self, alternative: &'n Alternative, content: &dyn Data) -> Result<(), Rejected> {
        let start = self.begin_open_type()?;
        self.alternative(alternative, content)?;
        self.close_open_type(start)
    }

    #[cold]
    #[inline(never)]
    fn unknown_alternative(&mut self, node: &Node, value: &dyn Data) -> Result<(), Rejected> {
        let Node::Choice { extensible, root, alternatives, tags, .. } = *node else { return self.misplaced() };
        if families::TAGS && extensible && tags.count > 0 {
            return self.unknown_tagged(tags, value);
        }
        match value.unknown() {
            [unknown] if extensible && unknown.index >= alternatives.count - root && !unknown.octets.is_empty() => {
                let aligned = self.is_aligned();
                self.writer.put_bit(true)?;
                per::put_small(&mut self.writer, u64::from(unknown.index), aligned)?;
                self.counted_octets(&unknown.octets)
            }
            // It has not been kept.
            [_] if !cfg!(feature = "alloc") => Err(self.not_built("alloc")),
            _ => self.mismatch("a CHOICE with one of its alternatives"),
        }
    }

    #[inline(never)]
    fn list(&mut self, node: &'n Node, value: &dyn Data) -> Result<(), Rejected> {
        let Node::List { element, .. } = *node else { return self.misplaced() };
        let mut run = self.open_list(node, value)?;
        let mut at = 0;
        loop {
            let end = at + run.units;
            while at < end {
                self.list_element(element, at, value)?;
                at += 1;
            }
            if !run.more {
                self.depth -= 1;
                return Ok(());
            }
            run = self.next_run(value.length().unwrap_or(0).saturating_sub(at))?;
        }
    }

    #[inline(never)]
    fn open_list(&mut self, node: &Node, value: &dyn Data) -> Result<Run, Rejected> {
        let Node::List { ref extent, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        let Some(count) = value.length() else {
            return Err(self.fail(ErrorKind::Mismatch { expected: "a list" }));
        };
        self.first_run(extent, count, 0)
    }

    fn descend(&mut self) -> Result<(), Rejected> {
        self.depth += 1;
        if self.depth > Limits::DEPTH { self.too_deep() } else { Ok(()) }
    }
}

/// With so many components that may be absent, the flags for them and for the additions are one word.
const MOST_FLAGS: u16 = 63;

/// An alternative by the way in which it lies on the wire.
enum Chosen<'n> {
    Root(&'n Alternative),
    Addition(&'n Alternative),
}
