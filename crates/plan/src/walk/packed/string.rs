//! Strings of bits, octets and characters.

use roadwire_layout::{CharacterSet, Count, Extent};
use roadwire_model::TypeId;

use super::{Walk, amount, open_extent, phase};
use crate::plan::{Amount, Arg, Cond, Int, Mover, Num, Place, Str, Stream, Units, Value};
use crate::types::Repr;

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    /// Returns whether zeros up to whole octets have been added.
    pub(super) fn bits(&mut self, id: TypeId, extent: &Extent, trim: Option<u64>, place: &Place) -> bool {
        let is_named = trim.is_some() && self.draft.is_encoder() && self.draft.is_thorough;
        if self.string_of_units(id, extent, Units::Bits(trim), place)
            || is_named && self.bits_in_units(id, extent, trim, place)
        {
            return true;
        }
        if !self.draft.is_encoder() {
            return self.take_bits(id, extent, place);
        }
        match *self.draft.types.repr(id) {
            Repr::BitFlags { bits, .. } if extent.count == Count::Fixed => {
                let var = self.put_flags(bits, place);
                self.begin_units(extent, Num::Const(1));
                self.put(var, bits.into());
            }
            Repr::BitWord => self.word_of_bits(extent, trim, place),
            Repr::BitString if extent.count == Count::InOctets && trim.is_none() => {
                self.put_counted_bits(extent, place)
            }
            Repr::BitString
                if extent.count == Count::InOctets
                    || extent.upper <= 64 && !(trim.is_none() && self.has_more(extent)) =>
            {
                let word = self.variable();
                self.push(Stream::NeedAnyWord(word, place.clone()));
                self.word_of_bits(extent, trim, &Place::variable(word));
            }
            Repr::BitString if trim.is_none() && !self.is_octet => {
                let count = self.draft.named(Num::Elements(place.clone()).to(Int::U64));
                self.put_count(extent, Num::Var(count));
                self.begin_units(extent, Num::Var(count));
                self.settle();
                self.apart(Mover::PutBits, vec![Arg::WholeBits(place.clone()), Arg::Count(Num::Var(count))]);
                self.phase = None;
            }
            _ => return self.bits_in_units(id, extent, trim, place) || self.gives_up(),
        }
        false
    }

    fn gives_up(&mut self) -> bool {
        self.draft.give_up();
        false
    }

    /// Whether sizes beyond an extensible root are coded.
    pub(super) fn has_more(&self, extent: &Extent) -> bool {
        extent.extensible && self.keeps_later()
    }

    /// Names the bits of a named bit string, of which no more may be set.
    pub(super) fn put_flags(&mut self, bits: u8, place: &Place) -> Num {
        let var = self.draft.named(Num::Flags(place.clone()));
        if !matches!(bits, 8 | 16 | 32 | 64) {
            self.reject(Cond::HasBitsAbove(Num::Var(var), bits.into()));
        }
        Num::Var(var)
    }

    /// Up to 64 bits. Those of named bits that are to be removed, or to be added, are left to the
    /// interpreter.
    fn word_of_bits(&mut self, extent: &Extent, trim: Option<u64>, place: &Place) {
        if let Some(least) = trim {
            self.reject(Cond::NotTrimmed(place.clone(), least));
        }
        let bits = || Num::BitCount(place.clone()).widened();
        match extent.count {
            Count::InOctets => self.put_counted_word(extent, place),
            Count::Fixed if !extent.extensible => {
                self.put_count(extent, bits());
                self.begin_units(extent, Num::Const(1));
                self.put(Num::Bits(place.clone()), extent.lower as u32);
            }
            Count::Determinant => self.draft.give_up(),
            _ => {
                let count = self.draft.named(bits());
                self.put_count(extent, Num::Var(count));
                self.begin_units(extent, Num::Var(count));
                self.settle();
                self.act(Mover::PutWide, vec![Arg::Num(Num::Bits(place.clone())), Arg::BitCount(place.clone())]);
                self.phase = None;
            }
        }
    }

    fn take_bits(&mut self, id: TypeId, extent: &Extent, place: &Place) -> bool {
        match *self.draft.types.repr(id) {
            Repr::BitFlags { bits, .. } if extent.count == Count::Fixed => {
                self.begin_units(extent, Num::Const(1));
                let var = self.take(bits.into());
                self.set(place, Value::Flags(id, Num::Var(var)));
            }
            Repr::BitWord | Repr::BitString if extent.count == Count::InOctets => {
                self.take_counted_bits(id, extent, place);
            }
            Repr::BitWord if self.is_octet && extent.count == Count::Fixed => {
                let var = self.take(extent.lower as u32);
                self.set(place, Value::Bits(Num::Var(var), Num::Const(extent.lower)));
            }
            Repr::BitWord | Repr::BitString
                if extent.upper <= 64 && extent.count != Count::Determinant && !self.has_more(extent) =>
            {
                let count = self.take_count(extent);
                self.begin_units(extent, count.clone());
                self.settle();
                self.phase = None;
                self.push(Stream::TakeBitWord { id, place: place.clone(), count });
            }
            Repr::BitString if !self.is_octet => {
                let count = self.take_count(extent);
                self.begin_units(extent, count.clone());
                self.settle();
                self.phase = None;
                self.push(Stream::TakeBitString { place: place.clone(), count });
            }
            _ => return self.bits_in_units(id, extent, None, place) || self.gives_up(),
        }
        false
    }

    /// Octets with the length that the rules have.
    pub(super) fn any_octets(&mut self, id: TypeId, extent: &Extent, place: &Place) {
        if self.string_of_units(id, extent, Units::Octets, place) {
            return;
        }
        if self.is_counted(extent) {
            self.counted_octets(id, extent, place);
        } else if self.draft.is_encoder() {
            self.put_octet_string(id, extent, place);
        } else {
            self.take_octet_string(id, extent, place);
        }
    }

    fn put_octet_string(&mut self, id: TypeId, extent: &Extent, place: &Place) {
        match *self.draft.types.repr(id) {
            Repr::FixedOctets(count @ 1..=7) => {
                let var = self.draft.named(amount(Amount::ArrayBits(place.clone(), count)));
                self.begin_units(extent, Num::Const(1));
                self.put(Num::Var(var), count as u32 * 8);
            }
            Repr::FixedOctets(_) => {
                self.begin_units(extent, Num::Const(1));
                self.settle();
                self.act(Mover::PutArray, vec![Arg::Shared(place.clone())]);
            }
            Repr::Octets(_) | Repr::OctetString | Repr::LentOctets | Repr::Oid => {
                let count = self.draft.named(Num::Length(Str::Octets(place.clone())).to(Int::U64));
                self.put_count(extent, Num::Var(count));
                let end = phase::after_units(extent, 8, self.phase);
                self.begin_units(extent, Num::Var(count));
                self.settle();
                self.put_string(id, place);
                self.phase = end;
            }
            _ => self.draft.give_up(),
        }
    }

    /// Octets without a length.
    pub(super) fn put_string(&mut self, id: TypeId, place: &Place) {
        let args = vec![Arg::Contents(place.clone())];
        match self.draft.types.repr(id) {
            Repr::Octets(_) => self.act(Mover::PutInline, args),
            _ => self.apart(Mover::PutOctets, args),
        }
    }

    fn take_octet_string(&mut self, id: TypeId, extent: &Extent, place: &Place) {
        match *self.draft.types.repr(id) {
            Repr::FixedOctets(count) if self.is_octet => {
                let var = self.variable();
                self.phase = phase::advance(self.phase, count * 8);
                self.push(Stream::TakeArray { var, octets: count as u32 });
                self.set(place, Value::Var(var));
            }
            Repr::FixedOctets(count @ 1..=7) => {
                self.begin_units(extent, Num::Const(1));
                let var = self.take(count as u32 * 8);
                self.set(place, Value::Array(var, count));
            }
            Repr::FixedOctets(_) => {
                self.begin_units(extent, Num::Const(1));
                self.settle();
                self.act(Mover::TakeArray, vec![Arg::Exclusive(place.clone())]);
            }
            Repr::Octets(_) | Repr::LentOctets | Repr::OctetString | Repr::Oid => {
                let count = self.take_count(extent);
                let end = phase::after_units(extent, 8, self.phase);
                self.begin_units(extent, count.clone());
                self.settle();
                self.phase = end;
                self.take_string(id, count, place);
            }
            _ => self.draft.give_up(),
        }
    }

    /// So many octets.
    pub(super) fn take_string(&mut self, id: TypeId, count: Num, place: &Place) {
        let place = place.clone();
        self.push(match self.draft.types.repr(id) {
            Repr::Octets(_) => Stream::TakeInline { place, count },
            _ => Stream::TakeOctets { id, place, count },
        });
    }

    pub(super) fn characters(&mut self, id: TypeId, extent: &Extent, characters: CharacterSet<'_>, place: &Place) {
        let (is_encoder, bits) = (self.draft.is_encoder(), characters.bits);
        let alphabet = characters.alphabet.to_vec();
        let units = Units::Characters { bits, indexed: characters.indexed, alphabet: alphabet.clone() };
        if self.string_of_units(id, extent, units, place) {
            return;
        }
        match self.draft.types.repr(id) {
            Repr::Text(_) | Repr::String => {}
            Repr::LentText if is_encoder => {}
            _ => return self.draft.give_up(),
        }
        if !is_encoder {
            let count = match extent.count {
                Count::InOctets => self.units(extent, bits),
                _ => self.take_count(extent),
            };
            let end = phase::after_units(extent, bits.into(), self.phase);
            self.begin_units(extent, count.clone());
            self.settle();
            self.phase = end;
            let (place, indexed) = (place.clone(), characters.indexed);
            return self.push(Stream::TakeCharacters { id, place, count, bits, indexed, alphabet });
        }
        let count = self.draft.named(Num::Characters(Str::Characters(place.clone())).to(Int::U64));
        match extent.count {
            Count::InOctets => self.put_length_of(extent, count, bits),
            _ => self.put_count(extent, Num::Var(count)),
        }
        let end = phase::after_units(extent, bits.into(), self.phase);
        self.begin_units(extent, Num::Var(count));
        self.settle();
        let numbers = [Arg::Num(Num::Const(bits.into())), Arg::Flag(characters.indexed), Arg::Ranges(alphabet)];
        let text = Arg::Object(place.clone());
        self.apart(Mover::PutCharacters, std::iter::once(text).chain(numbers).collect());
        if self.is_octet {
            self.push(Stream::FlushWriter);
        }
        self.phase = end;
    }

    /// Text in UTF-8 after its length.
    pub(super) fn text(&mut self, id: TypeId, bounds: (u64, u64), place: &Place) {
        let outside = characters_outside(bounds, place);
        if self.is_octet {
            return self.counted_text(id, (outside, bounds.1), place);
        }
        let extent = Extent { lower: 0, ..open_extent(self.draft.layout) };
        if self.draft.is_encoder() {
            self.draft.reject_if(outside);
            if self.string_of_units(id, &extent, Units::Text(bounds.1), place) {
                return;
            }
            self.begin_determinant();
            self.settle();
            return self.apart(Mover::PutText, vec![Arg::Object(place.clone())]);
        }
        if !matches!(self.draft.types.repr(id), Repr::Text(_) | Repr::String | Repr::LentText) {
            return self.draft.give_up();
        }
        if self.string_of_units(id, &extent, Units::Text(bounds.1), place) {
            return outside.into_iter().for_each(|outside| self.push(Stream::RejectNow(outside)));
        }
        self.begin_determinant();
        self.settle();
        let count = self.variable();
        self.push(Stream::TakeCount { var: count, is_word: false });
        self.push(Stream::TakeText { id, place: place.clone(), count, most: bounds.1 });
        outside.into_iter().for_each(|outside| self.push(Stream::RejectNow(outside)));
    }
}

/// The condition under which a text has too few or too many characters.
fn characters_outside(bounds: (u64, u64), place: &Place) -> Option<Cond> {
    (bounds != (0, u64::MAX)).then(|| Cond::CharactersOutside(place.clone(), bounds))
}
