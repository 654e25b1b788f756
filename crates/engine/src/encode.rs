//! Encoding: the structure.

use roadwire_layout::{Addition, Alternative, Count, Extent, Layout, Member, Node, NodeId, Presence, Span};
use roadwire_wire::per::{self, Length};
use roadwire_wire::{Data, Error, ErrorKind, Path, Rejected, Scalar, Step, Writer};

use crate::equal::is_default;
use crate::limits::Limits;

pub(crate) fn message<'n>(layout: &'n Layout, value: &dyn Data, output: &mut [u8]) -> Result<usize, Error<'n>> {
    let capacity = output.len();
    let mut encoder = Encoder { layout, writer: Writer::new(output), error: None, depth: 0 };
    let done = encoder.node(layout.root, value);
    let (bit, error) = (encoder.writer.position(), encoder.error);
    match done.and_then(|()| encoder.writer.finish()) {
        Ok(octets) => Ok(octets),
        // The only thing that goes wrong without a word is a writer that is full.
        Err(Rejected) => {
            Err(error.unwrap_or(Error { kind: ErrorKind::OutputFull { capacity }, bit, path: Path::root() }))
        }
    }
}

pub(crate) struct Encoder<'n, 'w> {
    pub(crate) layout: &'n Layout,
    pub(crate) writer: Writer<'w>,
    error: Option<Error<'n>>,
    depth: u32,
}

impl<'n> Encoder<'n, '_> {
    pub(crate) fn node(&mut self, id: NodeId, value: &dyn Data) -> Result<(), Rejected> {
        match *self.layout.node(id) {
            Node::Record { extensible, bitmap, members, additions, .. } => {
                self.record(extensible, bitmap, members, additions, value)
            }
            Node::Choice { extensible, bits, root, alternatives } => {
                self.choice(extensible, bits, root, alternatives, value)
            }
            Node::List { ref extent, element } => self.list(extent, element, value),
            Node::Extension { root, beyond } => {
                let outside = !self.admits(root, value);
                self.writer.put_bit(outside)?;
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
        value: &dyn Data,
    ) -> Result<(), Rejected> {
        self.descend()?;
        let layout = self.layout;
        let members = layout.members(members);
        let extended = extensible && self.any_addition(additions, value);
        if extensible {
            self.writer.put_bit(extended)?;
        }
        if bitmap > 0 {
            self.bitmap(members, value)?;
        }
        for member in members {
            self.member(member, value)?;
        }
        if extended {
            self.additions(additions, value)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn bitmap(&mut self, members: &[Member], value: &dyn Data) -> Result<(), Rejected> {
        for member in members {
            if member.presence != Presence::Mandatory {
                self.writer.put_bit(self.present(member, value).is_some())?;
            }
        }
        Ok(())
    }

    fn member(&mut self, member: &Member, value: &dyn Data) -> Result<(), Rejected> {
        match self.present(member, value) {
            Some(component) => {
                let done = self.node(member.node, component);
                done.map_err(|rejected| self.within(rejected, Step::Name(self.layout.name(member.name))))
            }
            None if member.presence == Presence::Mandatory => {
                let rejected = self.fail(ErrorKind::Missing);
                Err(self.within(rejected, Step::Name(self.layout.name(member.name))))
            }
            None => Ok(()),
        }
    }

    /// The component where it is sent: there, and not its DEFAULT.
    fn present<'v>(&self, member: &Member, value: &'v dyn Data) -> Option<&'v dyn Data> {
        let component = value.component(member.component as usize)?;
        match member.presence {
            Presence::Default(place) if is_default(self.layout, place, component) => None,
            _ => Some(component),
        }
    }

    fn any_addition(&self, additions: Span, value: &dyn Data) -> bool {
        !value.unknown().is_empty()
            || self.layout.additions(additions).iter().any(|addition| self.addition_present(addition, value))
    }

    fn addition_present(&self, addition: &Addition, value: &dyn Data) -> bool {
        match addition {
            Addition::Single(member) => self.present(member, value).is_some(),
            Addition::Group(group) => match *self.layout.node(*group) {
                Node::Record { members, .. } => {
                    self.layout.members(members).iter().any(|member| self.present(member, value).is_some())
                }
                _ => false,
            },
        }
    }

    #[inline(never)]
    fn additions(&mut self, known: Span, value: &dyn Data) -> Result<(), Rejected> {
        let layout = self.layout;
        let known = layout.additions(known);
        let unknown = value.unknown();
        let count = unknown.last().map_or(0, |last| last.index as usize + 1).max(known.len());
        if per::put_small_length(&mut self.writer, count).is_err() {
            return Err(self.fail(ErrorKind::TooLong { length: count as u64, limit: per::FRAGMENT as u64 - 1 }));
        }
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
        for addition in known {
            if self.addition_present(addition, value) {
                let start = self.writer.position();
                match addition {
                    Addition::Single(member) => self.member(member, value)?,
                    Addition::Group(group) => self.node(*group, value)?,
                }
                per::close_open_type(&mut self.writer, start)?;
            }
        }
        for addition in unknown.iter().filter(|addition| addition.index as usize >= known.len()) {
            if !addition.octets.is_empty() {
                self.counted_octets(&addition.octets)?;
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
        value: &dyn Data,
    ) -> Result<(), Rejected> {
        self.descend()?;
        let layout = self.layout;
        let alternatives = layout.alternatives(alternatives);
        let Some((which, content)) = value.alternative() else {
            return self.unknown_alternative(extensible, alternatives.len() as u32 - root, value);
        };
        let Some(at) = alternatives.iter().position(|a| a.alternative as usize == which) else {
            return Err(self.fail(ErrorKind::ChoiceIndex { index: which as u64, count: alternatives.len() as u64 }));
        };
        let addition = at >= root as usize;
        if extensible {
            self.writer.put_bit(addition)?;
        }
        if addition {
            per::put_small(&mut self.writer, at as u64 - u64::from(root))?;
            let start = self.writer.position();
            self.alternative(&alternatives[at], content)?;
            per::close_open_type(&mut self.writer, start)?;
        } else {
            self.writer.put(at as u64, u32::from(bits))?;
            self.alternative(&alternatives[at], content)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn alternative(&mut self, alternative: &Alternative, content: &dyn Data) -> Result<(), Rejected> {
        let done = self.node(alternative.node, content);
        done.map_err(|rejected| self.within(rejected, Step::Name(self.layout.name(alternative.name))))
    }

    #[cold]
    fn unknown_alternative(&mut self, extensible: bool, known: u32, value: &dyn Data) -> Result<(), Rejected> {
        match value.unknown() {
            [unknown] if extensible && unknown.index >= known => {
                self.writer.put_bit(true)?;
                per::put_small(&mut self.writer, u64::from(unknown.index))?;
                self.counted_octets(&unknown.octets)?;
                self.depth -= 1;
                Ok(())
            }
            _ => Err(self.fail(ErrorKind::Mismatch { expected: "a CHOICE with one of its alternatives" })),
        }
    }

    #[inline(never)]
    fn list(&mut self, extent: &Extent, element: NodeId, value: &dyn Data) -> Result<(), Rejected> {
        self.descend()?;
        let Some(count) = value.length() else {
            return Err(self.fail(ErrorKind::Mismatch { expected: "a list" }));
        };
        let mut at = 0;
        let counted = self.extent(extent, count as u64)?;
        loop {
            let (end, more) = match counted {
                Counted::Told => (count, false),
                Counted::ByDeterminant => match per::put_length(&mut self.writer, count - at)? {
                    Length::Last(units) => (at + units, false),
                    Length::Fragment(units) => (at + units, true),
                },
            };
            while at < end {
                let Some(item) = value.element(at) else {
                    return Err(self.fail(ErrorKind::Mismatch { expected: "a list" }));
                };
                let done = self.node(element, item);
                done.map_err(|rejected| self.within(rejected, Step::Index(at as u32)))?;
                at += 1;
            }
            if !more {
                self.depth -= 1;
                return Ok(());
            }
        }
    }

    /// Checks a size and tells it, except where a determinant (in fragments, perhaps) does.
    pub(crate) fn extent(&mut self, extent: &Extent, units: u64) -> Result<Counted, Rejected> {
        let inside = extent.admits(units);
        if extent.extensible {
            self.writer.put_bit(!inside)?;
            if !inside {
                return Ok(Counted::ByDeterminant);
            }
        } else if !inside {
            return Err(self.fail(ErrorKind::Size { size: units, lower: extent.lower, upper: extent.upper }));
        }
        match extent.count {
            Count::Fixed => Ok(Counted::Told),
            Count::Field(bits) => {
                self.writer.put(units - extent.lower, u32::from(bits))?;
                Ok(Counted::Told)
            }
            Count::Determinant => Ok(Counted::ByDeterminant),
        }
    }

    /// Octets after their length determinant.
    pub(crate) fn counted_octets(&mut self, octets: &[u8]) -> Result<(), Rejected> {
        let mut rest = octets;
        loop {
            match per::put_length(&mut self.writer, rest.len())? {
                Length::Last(_) => return self.writer.put_octets(rest),
                Length::Fragment(units) => {
                    let (now, later) = rest.split_at(units);
                    self.writer.put_octets(now)?;
                    rest = later;
                }
            }
        }
    }

    /// Whether an extensible constraint's root has this value.
    fn admits(&self, root: NodeId, value: &dyn Data) -> bool {
        match (*self.layout.node(root), value.scalar()) {
            (Node::Word { lower, upper, .. }, Scalar::Integer(value)) => lower <= value && value <= upper,
            (Node::Integer { lower: Some(lower) }, Scalar::Integer(value)) => lower <= value,
            (Node::Integer { lower: Some(_) }, Scalar::WideInteger(octets)) => {
                octets.first().is_some_and(|first| first & 0x80 == 0)
            }
            (Node::WideWord { lower, upper, .. }, scalar) => crate::encode_leaf::with_octets(scalar, |octets| {
                crate::wide::compare(self.layout.octets(lower), octets).is_le()
                    && crate::wide::compare(octets, self.layout.octets(upper)).is_le()
            })
            .unwrap_or(false),
            (Node::WideInteger { lower }, scalar) => crate::encode_leaf::with_octets(scalar, |octets| {
                crate::wide::compare(self.layout.octets(lower), octets).is_le()
            })
            .unwrap_or(false),
            (Node::Integer { lower: None }, _) => true,
            _ => false,
        }
    }

    fn descend(&mut self) -> Result<(), Rejected> {
        self.depth += 1;
        if self.depth > Limits::DEPTH { Err(self.fail(ErrorKind::TooDeep { limit: Limits::DEPTH })) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn fail(&mut self, kind: ErrorKind) -> Rejected {
        if self.error.is_none() {
            self.error = Some(Error { kind, bit: self.writer.position(), path: Path::root() });
        }
        Rejected
    }

    #[cold]
    #[inline(never)]
    fn within(&mut self, rejected: Rejected, step: Step<'n>) -> Rejected {
        if self.error.is_none() {
            self.fail(ErrorKind::OutputFull { capacity: self.writer.capacity() });
        }
        if let Some(error) = &mut self.error {
            error.path.prepend(step);
        }
        rejected
    }
}

/// Who tells the number of units.
#[derive(Clone, Copy)]
pub(crate) enum Counted {
    /// It has been told, or there is just one.
    Told,
    /// A length determinant, which the caller writes before each fragment.
    ByDeterminant,
}
