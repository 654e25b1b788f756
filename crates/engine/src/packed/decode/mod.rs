//! Decoding: the structure, for nodes that are encoded one after the other.

use roadwire_layout::{Addition, Alternative, GROUP, Node, NodeId, Presence};
use roadwire_wire::rt::packed;
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar, Shape, faults};

pub(crate) mod extent;
#[cfg(feature = "alloc")]
mod heap;
mod leaf;
pub(crate) mod open;

use self::extent::Field;
use self::open::Content;
use crate::decode::{Decoder, Family};
use crate::families;
use crate::listener::{Listener, What};

/// PER and OER.
#[derive(Clone, Default)]
pub(crate) struct Packed;

impl Family for Packed {
    #[inline(never)]
    fn node<'n, L: Listener>(
        decoder: &mut Decoder<'n, '_, '_, '_, L, Self>,
        id: NodeId,
        value: &mut dyn Data,
    ) -> Result<(), Rejected> {
        decoder.shared(id, value)
    }
}

impl<'n, L: Listener, F: Family> Decoder<'n, '_, '_, '_, L, F> {
    /// Shared by families that write values one after the other.
    #[inline(always)]
    pub(crate) fn shared(&mut self, id: NodeId, value: &mut dyn Data) -> Result<(), Rejected> {
        let node = self.layout.node(id);
        match node {
            Node::Table { .. } => self.table(node, value),
            Node::Key { .. } => self.key(node, value),
            Node::Scope { .. } => self.scope(node, value),
            Node::Contained { .. } => self.contained(node, value),
            Node::Fitting { .. } => self.fitting(node, value),
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

    /// Reads the bits before a record's components.
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
                // The last presence bit is kept even if it is 0, to record how many there were.
                None if there || index + 1 == count => self.unknown(index as u32, there, value)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The number of presence bits of additions, and how many unused bits follow them.
    fn addition_count(&mut self) -> Result<(usize, usize), Rejected> {
        let at = self.reader.position();
        if families::is_octet(self.layout) {
            return self.addition_octets();
        }
        let aligned = self.is_aligned();
        let Ok(count) = packed::take_small_length(&mut self.reader, aligned) else {
            return Err(self.refuse(at, 8, faults::shared::ADDITIONS_COUNT));
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
            Chosen::UnknownTag(_) if !families::OCTET => self.misplaced()?,
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
        if families::OCTET && tags.count > 0 {
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
        match packed::take_small(&mut self.reader, aligned) {
            Ok(index) => Ok(Field { at, value: index.saturating_add(u64::from(root)) }),
            Err(Rejected) => Err(self.refuse(at, 7, faults::packed::CHOICE_INDEX)),
        }
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
                // The size is the sum of all chunks.
                return if fragmented { self.whole_size(at, extent) } else { Ok(()) };
            }
            fragmented = true;
            chunk = self.next_chunk()?;
        }
    }
}

/// Whether additions follow a record's root, and where the presence bits of its optional components
/// are.
enum Flags {
    Root(usize),
    Extended(usize),
}

/// An alternative, by how it is encoded.
pub(crate) enum Chosen<'n> {
    Root(&'n Alternative),
    Addition(&'n Alternative),
    /// By its index among the additions.
    Unknown(u32),
    /// By its tag.
    UnknownTag(u32),
}
