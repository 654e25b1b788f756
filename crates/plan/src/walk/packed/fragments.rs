//! Strings, lists and open types that may come in fragments of 16K units (X.691 §11.9.3.8), in
//! thorough plans; bit strings of any kind in plans that stand alone.

use roadwire_layout::{Count, Extent, Family, LengthForm, NodeId};
use roadwire_model::TypeId;

use super::Walk;
use crate::plan::{Arg, Element, Mover, Num, Place, Prim, Size, Stream, Units, Var};
use crate::types::Repr;
use crate::walk::walker::Walker;

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    /// Whether rare forms of packed rules are coded.
    pub(super) fn has_rare_forms(&self) -> bool {
        self.draft.is_thorough && self.draft.layout.rules.family() == Family::Packed && self.keeps_later()
    }

    /// How the number of units is coded that may come in fragments; `None` if they may not, or are
    /// left to others.
    pub(super) fn fragments(&self, extent: &Extent) -> Option<Size> {
        let has_determinant = extent.count == Count::Determinant || extent.extensible;
        self.size_of(extent).filter(|_| self.has_rare_forms() && has_determinant)
    }

    fn size_of(&self, extent: &Extent) -> Option<Size> {
        let field = match extent.count {
            Count::Fixed => Some((0, false)),
            Count::Field { bits, aligned } => Some((bits, aligned)),
            Count::Determinant => None,
            Count::InOctets => None,
            Count::Quantity => return None,
        };
        Some(Size {
            bounds: (extent.lower, extent.upper),
            is_extensible: extent.extensible,
            field,
            has_aligned_units: extent.aligned,
            is_aligned: self.draft.layout.length_form == LengthForm::Aligned,
        })
    }

    /// A string; returns whether it may come in fragments, and so has been coded.
    pub(super) fn string_of_units(&mut self, id: TypeId, extent: &Extent, units: Units, place: &Place) -> bool {
        let has_place = match units {
            Units::Bits(_) => matches!(self.draft.types.repr(id), Repr::BitWord | Repr::BitString),
            Units::Octets => matches!(self.draft.types.repr(id), Repr::LentOctets | Repr::Oid),
            Units::Text(_) => matches!(self.draft.types.repr(id), Repr::Text(_) | Repr::String | Repr::LentText),
            Units::Characters { .. } if self.draft.is_encoder() => true,
            Units::Characters { .. } => matches!(self.draft.types.repr(id), Repr::String),
        };
        let Some(size) = self.fragments(extent).filter(|_| has_place) else { return false };
        self.units_of(id, size, units, place);
        true
    }

    fn units_of(&mut self, id: TypeId, size: Size, units: Units, place: &Place) {
        self.settle();
        let place = place.clone();
        self.push(match self.draft.is_encoder() {
            true => Stream::PutUnits { place, size, units },
            false => Stream::TakeUnits { id, place, size, units },
        });
        self.phase = None;
    }

    /// Any number of bits, in plans that stand alone; returns whether they are coded.
    pub(super) fn bits_in_units(&mut self, id: TypeId, extent: &Extent, trim: Option<u64>, place: &Place) -> bool {
        let has_place = matches!(self.draft.types.repr(id), Repr::BitWord | Repr::BitString);
        let Some(size) = self.size_of(extent).filter(|_| has_place && self.keeps_later()) else { return false };
        self.units_of(id, size, Units::Bits(trim), place);
        true
    }

    /// The elements of a list.
    pub(super) fn put_elements(&mut self, (element, node): (TypeId, NodeId), size: Size, list: &Place) {
        self.settle();
        self.phase = None;
        let item = self.variable();
        let body = self.block(|walk| {
            walk.part(element, node, &Place::reference(item));
            walk.settle();
        });
        self.push(Stream::PutElements { item, list: list.clone(), size, body });
        self.phase = None;
    }

    /// The same for a decoder.
    pub(super) fn take_elements(&mut self, element: Element, node: NodeId, size: Size, place: &Place) {
        self.settle();
        self.phase = None;
        let body = self.block(|walk| {
            walk.part(element.id, node, &Place::reference(element.item));
            walk.settle();
        });
        self.push(Stream::TakeElements { element, place: place.clone(), size, body });
        self.phase = None;
    }

    /// Writes the index of an added alternative or item.
    pub(super) fn put_small(&mut self, index: Num) {
        self.settle();
        self.act(Mover::PutSmall, vec![Arg::Num(index), self.is_aligned()]);
        self.phase = None;
    }

    /// Reads one of at most `most`.
    pub(super) fn take_small(&mut self, by: Mover, most: u64) -> Var {
        self.settle();
        self.phase = None;
        let args = vec![self.is_aligned(), Arg::Num(Num::Const(most))];
        self.draft.get(Prim::Mover(by), args)
    }

    /// An open type with a content of known type, which `inside` reads.
    pub(super) fn content_in_fragments(&mut self, inside: impl FnOnce(&mut Self)) {
        self.settle();
        let (outer, is_aligned) = (self.variable(), self.draft.layout.length_form == LengthForm::Aligned);
        self.push(Stream::BeginContent { outer, is_aligned });
        self.phase = is_aligned.then_some(0);
        inside(self);
        self.settle();
        self.push(Stream::EndContent { outer });
        self.phase = is_aligned.then_some(0);
    }
}
