//! Encoding: the structure, for nodes that are encoded one after the other.

use roadwire_layout::{Addition, Alternative, GROUP, Node, NodeId, Presence, Span};
use roadwire_wire::rt::octet;
use roadwire_wire::rt::packed;
use roadwire_wire::{Data, ErrorKind, Rejected};

pub(crate) mod extent;
#[cfg(feature = "alloc")]
mod heap;
pub(crate) mod leaf;

use self::extent::Run;
use crate::encode::{Encoder, Family};
use crate::{families, range};

/// PER and OER.
#[derive(Default)]
pub(crate) struct Packed;

impl Family for Packed {
    #[inline(never)]
    fn node<'n>(encoder: &mut Encoder<'n, '_, '_, Self>, id: NodeId, value: &dyn Data) -> Result<(), Rejected> {
        encoder.shared(id, value)
    }
}

impl<'n, F: Family> Encoder<'n, '_, '_, F> {
    /// Shared by families that write values one after the other.
    #[inline(always)]
    pub(crate) fn shared(&mut self, id: NodeId, value: &dyn Data) -> Result<(), Rejected> {
        let node = self.layout.node(id);
        match node {
            Node::Table { .. } => self.table(node, value),
            Node::Key { .. } => self.key(node, value),
            Node::Scope { .. } => self.scope(node, value),
            Node::Contained { .. } => self.contained(node, value),
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

    /// Writes the bits before a record's components. Returns the presence bits of optional
    /// components, left-aligned, followed by the flag for additions.
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

    /// A record with more optional components than there are flags in a word.
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
            // An entry without octets only records how many presence bits there were.
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

    /// Writes the number of presence bits of additions, and returns how many zero bits follow them.
    fn addition_count(&mut self, count: usize) -> Result<u32, Rejected> {
        if count >= packed::FRAGMENT {
            return Err(self.fail(ErrorKind::TooLong { length: count as u64, limit: packed::FRAGMENT as u64 - 1 }));
        }
        let aligned = self.is_aligned();
        if !families::is_octet(self.layout) {
            return packed::put_small_length(&mut self.writer, count, aligned).map(|()| 0);
        }
        // X.696 §16.4: a bit string of variable size.
        self.octet_count(count, 1)?;
        Ok((count.next_multiple_of(8) - count) as u32)
    }

    /// Writes an open type whose octets were kept in the form that
    /// [`Unknown`](roadwire_wire::Unknown) describes.
    fn kept_open_type(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        if !families::is_octet(self.layout) {
            return self.counted_octets(octets);
        }
        if octet::is_open_type(octets) {
            self.writer.put_octets(octets)
        } else {
            self.mismatch("an unknown addition with its length in front")
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
        if families::OCTET && tags.count > 0 {
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
        packed::put_small(&mut self.writer, at - u64::from(root), aligned)?;
        Ok(Chosen::Addition(alternative))
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
        if families::OCTET && extensible && tags.count > 0 {
            return self.unknown_tagged(tags, value);
        }
        match value.unknown() {
            [unknown] if extensible && unknown.index >= alternatives.count - root && !unknown.octets.is_empty() => {
                let aligned = self.is_aligned();
                self.writer.put_bit(true)?;
                packed::put_small(&mut self.writer, u64::from(unknown.index), aligned)?;
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
    pub(crate) fn open_list(&mut self, node: &Node, value: &dyn Data) -> Result<Run, Rejected> {
        let Node::List { ref extent, .. } = *node else { return Err(Rejected) };
        self.descend()?;
        let Some(count) = value.length() else {
            return Err(self.fail(ErrorKind::Mismatch { expected: "a list" }));
        };
        self.first_run(extent, count, 0)
    }
}

/// With up to this many optional components, their flags and that for additions fit into one word.
const MOST_FLAGS: u16 = 63;

/// An alternative, by how it is encoded.
enum Chosen<'n> {
    Root(&'n Alternative),
    Addition(&'n Alternative),
}
