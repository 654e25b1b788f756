//! Decides how each type is held in memory.

use roadwire_model::{Component, Kind, Presence, Size, StringKind, TypeId};

use super::measure::Measure;
use crate::error::PlanError;
use crate::types::memory::Memory;
use crate::types::{COPIED_OCTETS, DEEPEST, INLINE_ELEMENTS, INLINE_OCTETS, Repr, SMALL_LIST, Storage, Types, numbers};

impl<'m> Types<'m> {
    pub(super) fn visit(&mut self, id: TypeId, path: &mut Vec<TypeId>) -> Result<(), PlanError> {
        let id = self.canonical(id);
        if let Some(at) = path.iter().position(|one| *one == id) {
            self.close_circle(&path[at..]);
            return Ok(());
        }
        if self.reprs.contains_key(&id) {
            return Ok(());
        }
        if path.len() >= DEEPEST {
            return Err(PlanError(format!("types nest more than {DEEPEST} levels, which no message may")));
        }
        path.push(id);
        let this = self.model.get(id);
        let repr = match &this.kind {
            Kind::Boolean => Repr::Bool,
            Kind::Null => Repr::Null,
            Kind::Real { .. } => Repr::Real,
            Kind::Integer { range, .. } => numbers::integer(range, &self.options, || self.label_in(path))?,
            Kind::Enumerated(_) => Repr::Enum,
            Kind::BitString { size, .. } => match (size.fixed(), size.upper) {
                (Some(bits @ 1..=64), _) if !size.extensible && this.name.is_some() => {
                    Repr::BitFlags { bits: bits as u8 }
                }
                (_, Some(..=64)) if !size.extensible => Repr::BitWord,
                _ => Repr::BitString,
            },
            Kind::OctetString { size, .. } => octets(size, self.options.borrowed),
            Kind::String { kind, size, .. } => text(*kind, size, self.options.borrowed),
            Kind::Iri { .. } | Kind::Time { .. } => Repr::String,
            Kind::ObjectIdentifier | Kind::RelativeOid => Repr::Oid,
            Kind::Open { .. } if self.options.borrowed => Repr::LentOctets,
            Kind::Open { .. } => Repr::OctetString,
            Kind::Sequence { components, .. } => self.visit_components(components, path)?,
            Kind::Choice { alternatives, .. } => {
                for one in alternatives {
                    self.visit(one.type_id, path)?;
                }
                Repr::Choice
            }
            Kind::SequenceOf { element, size, .. } => {
                self.visit(*element, path)?;
                Repr::List { element: *element, storage: self.storage(id, *element, size) }
            }
            Kind::External(_) => return Err(PlanError(format!("{} is defined by itself", self.label_in(path)))),
        };
        if !repr.is_defined() && self.recursive.contains(&id) {
            let name = self.label_in(path);
            return Err(PlanError(format!("{name} is a list of itself, which no type in memory can be")));
        }
        path.pop();
        self.memory.insert(id, Memory::of(self, id, &repr));
        let measure = Measure::of(self, id, &repr);
        self.measures.insert(id, measure);
        self.reprs.insert(id, repr);
        self.order.push(id);
        Ok(())
    }

    fn visit_components(&mut self, components: &'m [Component], path: &mut Vec<TypeId>) -> Result<Repr, PlanError> {
        for component in components {
            if let Presence::Default(value) = &component.presence {
                if self.has_content(component.type_id, value) {
                    let (holder, component) = (self.label_in(path), &component.name);
                    return Err(PlanError(format!(
                        "the DEFAULT of `{component}` in {holder} has a value of an open type, or of what a string \
                         contains: octets, which generated types keep of these, differ by encoding"
                    )));
                }
            }
            self.visit(component.type_id, path)?;
        }
        Ok(Repr::Struct)
    }

    /// Where a list has its elements.
    fn storage(&self, list: TypeId, element: TypeId, size: &Size) -> Storage {
        let storage = match (size.upper, size.extensible) {
            _ if self.is_boxed(list, element) => Storage::Heap,
            (Some(most @ ..=INLINE_ELEMENTS), false) => Storage::Inline(most),
            (Some(most @ ..=INLINE_ELEMENTS), true) => Storage::Extensible(most),
            _ if self.options.elements_in_place > 0 => {
                let fit = self.measure(element).flat_octets.map_or(0, |octets| SMALL_LIST / octets.max(1));
                Storage::Extensible(fit.max(self.options.elements_in_place.into()))
            }
            _ => Storage::Heap,
        };
        let takes = Memory::list(self.memory(element), storage).octets;
        if takes > self.options.box_above { Storage::Heap } else { storage }
    }

    /// Notes that the last of these types contains the first one. If that is a list which an open
    /// type contains again, the first structure in it is what is recursive: a list has no
    /// functions.
    pub(super) fn close_circle(&mut self, circle: &[TypeId]) {
        let is_structure = |id: &TypeId| matches!(self.kind(*id), Kind::Sequence { .. } | Kind::Choice { .. });
        let has_open = circle.iter().any(|id| self.is_open(*id));
        let first = if has_open { circle.iter().position(is_structure).unwrap_or(0) } else { 0 };
        let holder = if first == 0 { circle.last() } else { circle.get(first - 1) };
        self.recursive.insert(circle[first]);
        self.ways_back.extend(holder.map(|holder| (*holder, circle[first])));
    }

    /// The name in an error of the last of these types, each of which is used by the one before it.
    fn label_in(&self, path: &[TypeId]) -> String {
        let mut label = String::new();
        for (at, id) in path.iter().enumerate() {
            let holder = at.checked_sub(1).map(|before| path[before]);
            match (&self.model.get(*id).name, holder) {
                (Some(name), _) => label.clone_from(&name.name),
                (None, None) => label = "the message".into(),
                (None, Some(holder)) => match self.labels(holder, *id).first() {
                    Some(part) => label = format!("{label}.{part}"),
                    None => label = format!("an element of {label}"),
                },
            }
        }
        label
    }
}

pub(super) fn octets(size: &Size, borrowed: bool) -> Repr {
    let most_inline = if borrowed { COPIED_OCTETS } else { INLINE_OCTETS };
    match (size.fixed(), size.upper) {
        (Some(count), _) if !size.extensible && count <= most_inline => Repr::FixedOctets(count),
        _ if borrowed => Repr::LentOctets,
        (_, Some(most @ ..=INLINE_OCTETS)) if !size.extensible => Repr::Octets(most),
        _ => Repr::OctetString,
    }
}

pub(super) fn text(kind: StringKind, size: &Size, borrowed: bool) -> Repr {
    let widest = match kind {
        StringKind::Numeric | StringKind::Printable | StringKind::Ia5 | StringKind::Visible => 1,
        StringKind::Bmp => 3,
        StringKind::Utf8 | StringKind::Universal => 4,
        _ => 2,
    };
    match size.upper {
        Some(most) if !size.extensible && most <= INLINE_OCTETS / widest => Repr::Text(most * widest),
        _ if borrowed && kind == StringKind::Utf8 => Repr::LentText,
        _ => Repr::String,
    }
}
