//! Values that are not composed of others (X.690 §8.2 to §8.26).

use roadwire_layout::tlv::item_values;
use roadwire_layout::{Contents, Span};
use roadwire_model::TypeId;
use roadwire_wire::rt::TwosComplement;
use roadwire_wire::rt::tlv::Identifier;

use super::Walk;
use crate::plan::{Amount, Arg, Coding, Cond, Int, Num, Place, Prim, Reason, Stmt, Str, Tlv, Unknown, Value, Var};
use crate::types::Repr;
use crate::walk::wide;

/// The known properties of a primitive value before its contents.
#[derive(Clone, Copy)]
pub(super) struct Front {
    /// The last octet of its identifier; the whole identifier where the form of the value is not
    /// known yet: in a thorough plan, what is read, and strings with [segments](Self::segment).
    pub(super) tag: Identifier,
    /// Whether a long string is in segments.
    pub(super) is_segmented: bool,
    /// In a thorough plan, the identifier of a segment.
    pub(super) segment: Option<Identifier>,
}

impl Front {
    /// As arguments.
    pub(super) fn tag(self) -> Arg {
        Arg::Num(Num::Const(self.tag.into()))
    }

    pub(super) fn segment(self) -> Option<Arg> {
        self.segment.map(|segment| Arg::Num(Num::Const(segment.into())))
    }
}

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    pub(super) fn leaf(&mut self, id: TypeId, front: Front, leaf: &Contents, place: &Place) {
        match *leaf {
            Contents::Integer { .. } | Contents::WideInteger { .. } if self.draft.types.is_wide(id) => {
                self.long_integer(front, leaf, place);
            }
            Contents::Null => self.null(front),
            Contents::Boolean => self.truth(front, place),
            Contents::Integer { lower, upper } => self.integer(id, front, (lower, upper), place),
            Contents::WideInteger { lower, upper } => self.wide_integer(id, front, (lower, upper), place),
            Contents::Real => self.real(front, place),
            Contents::Enumerated { values, extensible, .. } => {
                let numbers = item_values(self.draft.layout, values).collect();
                self.enumerated(id, front, numbers, extensible, place);
            }
            Contents::Bits { lower, upper, trim: None } if *self.draft.types.repr(id) == Repr::BitString => {
                self.any_bits(id, front, (lower, upper), place);
            }
            Contents::Bits { lower, upper, trim } => self.bits(id, front, (lower, upper), trim, place),
            Contents::UtcTime => self.time(id, front, 12, place),
            Contents::GeneralizedTime => self.time(id, front, 14, place),
            Contents::Digits { pattern } => {
                let pattern = vec![Arg::Text(self.draft.layout.name(pattern).to_owned())];
                self.moved(id, front, [Tlv::PutDigits, Tlv::TakeDigits], pattern, place);
            }
            Contents::Duration => self.moved(id, front, [Tlv::PutDuration, Tlv::TakeDuration], Vec::new(), place),
            Contents::Time { settings, canonical } if self.draft.types.stands_alone() => {
                let settings = Arg::Ranges(self.draft.layout.numbers(settings).to_vec());
                let more = vec![settings, Arg::Flag(canonical)];
                self.moved(id, front, [Tlv::PutTimeText, Tlv::TakeTimeText], more, place);
            }
            Contents::Octets { lower, upper } => self.octets(id, front, (lower, upper), place),
            Contents::Oid { .. } if *self.draft.types.repr(id) == Repr::Oid => self.oid(id, front, place),
            Contents::Utf8 { lower, upper } => self.text(id, front, (lower, upper), None, place),
            Contents::Characters { lower, upper, width, alphabet } => {
                let alphabet = self.draft.layout.numbers(alphabet).to_vec();
                match width == 1 && alphabet.iter().all(|code| *code < 128) {
                    true => self.text(id, front, (lower, upper), Some(alphabet), place),
                    false => self.characters(id, front, (lower, upper), (width, alphabet), place),
                }
            }
            _ => self.draft.give_up(),
        }
    }

    fn null(&mut self, front: Front) {
        match self.draft.is_encoder() {
            true => self.front(front.tag, 0),
            false if self.draft.is_thorough => {
                let octets = self.take_contents(front);
                self.draft.push(Stmt::RejectIf(Cond::Differs(Num::Length(Str::Var(octets)), 0)));
            }
            false => self.draft.push(Stmt::ExpectOctets([front.tag as u8, 0])),
        }
    }

    fn truth(&mut self, front: Front, place: &Place) {
        if self.draft.is_encoder() {
            self.front(front.tag, 1);
            return self.put(Num::TruthOctet(place.clone()), 1);
        }
        let octet = self.one_octet(front);
        self.draft.push(Stmt::Set(place.clone(), Value::IsNot0(Num::Var(octet))));
    }

    fn real(&mut self, front: Front, place: &Place) {
        if self.draft.is_encoder() {
            return self.write(Tlv::PutReal, vec![front.tag(), Arg::Value(place.clone())]);
        }
        let value = self.draft.variable();
        self.read(value, Tlv::TakeReal, front);
        self.draft.push(Stmt::Set(place.clone(), Value::Var(value)));
    }

    fn integer(&mut self, id: TypeId, front: Front, bounds: (i64, i64), place: &Place) {
        let Some(int) = self.draft.types.int(id).filter(|int| int.bits <= 64) else { return self.draft.give_up() };
        if self.draft.is_encoder() {
            let value = self.draft.named(Num::Integer(id, place.clone()).to(Int::I64));
            self.draft.push_if(bounds != ALL, Stmt::RejectIf(Cond::Beyond(value, bounds)));
            return self.put_number(front, bounds, Num::Var(value));
        }
        let number = self.take_number(front, bounds);
        self.draft.push(Stmt::Set(place.clone(), Value::Integer(id, Num::Var(number).to(int))));
    }

    /// A number whose bounds are not both in 64 bits with sign.
    fn wide_integer(&mut self, id: TypeId, front: Front, bounds: (Option<Span>, Option<Span>), place: &Place) {
        let is_any = *self.draft.types.repr(id) == Repr::AnyInteger && bounds == (None, None);
        let (Some(int), Some((lower, upper))) = (self.draft.types.int(id), self.wide_bounds(bounds)) else {
            return self.draft.give_up();
        };
        let tag = front.tag();
        match (is_any, self.draft.is_encoder()) {
            (true, true) => self.write(Tlv::PutInteger, vec![tag, Arg::Value(place.clone())]),
            (true, false) => {
                let octets = self.take_contents(front);
                self.draft.push(Stmt::RejectIf(Cond::NotShortest(octets)));
                self.draft.push(Stmt::Set(place.clone(), Value::AnyInteger(octets)));
            }
            // A number of any length that has bounds is the interpreter's beyond 64 bits.
            _ if int == Int::I64 => {
                let within = |bound: i128| bound.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
                let bounds = (lower.map_or(i64::MIN, within), upper.map_or(i64::MAX, within));
                self.integer(id, front, bounds, place);
            }
            (_, is_encoder) => {
                let number = self.draft.variable();
                let (put, take) = match int {
                    Int::U64 => (Tlv::PutUnsigned, Tlv::TakeUnsigned),
                    _ => (Tlv::PutMachine, Tlv::TakeMachine),
                };
                match is_encoder {
                    true => self.draft.push(Stmt::Let(number, Num::Integer(id, place.clone()))),
                    false => self.read(number, take, front),
                }
                let bounds = (lower.unwrap_or(i128::MIN), upper.unwrap_or(i128::MAX));
                self.draft.because(Reason::Integer);
                self.draft.reject_if(Cond::bare_outside(Num::Var(number), bounds, int.bounds()));
                match is_encoder {
                    true => self.write(put, vec![tag, Arg::Num(Num::Var(number))]),
                    false => self.draft.push(Stmt::Set(place.clone(), Value::Integer(id, Num::Var(number)))),
                }
            }
        }
    }

    /// A number of any length, in plans that stand alone.
    fn long_integer(&mut self, front: Front, leaf: &Contents, place: &Place) {
        let range = match *leaf {
            Contents::Integer { lower, upper } => wide::near((Some(lower.into()), Some(upper.into()))),
            Contents::WideInteger { lower, upper } => {
                wide::reported(self.draft.layout, lower.unwrap_or_default(), upper.unwrap_or_default())
            }
            _ => return self.draft.give_up(),
        };
        let coding = match self.draft.is_encoder() {
            true => Coding::Element { tag: front.tag() },
            false => Coding::Contents(self.take_contents(front)),
        };
        wide::integer(self.draft, place, coding, range);
    }

    /// Bounds as numbers; `None` if one has more than 128 bits.
    fn wide_bounds(&self, (lower, upper): (Option<Span>, Option<Span>)) -> Option<(Option<i128>, Option<i128>)> {
        let number = |bound: Option<Span>| match bound {
            Some(bound) => TwosComplement::read_signed(self.draft.layout.octets(bound)).map(Some),
            None => Some(None),
        };
        Some((number(lower)?, number(upper)?))
    }

    fn enumerated(&mut self, id: TypeId, front: Front, numbers: Vec<(i64, u32)>, is_extensible: bool, place: &Place) {
        let bounds = numbers.first().zip(numbers.last()).map(|(least, most)| (least.0, most.0));
        let Some(enumerators) = self.draft.types.items(id) else { return self.draft.give_up() };
        if self.draft.is_thorough && is_extensible {
            return self.any_item(id, front, place);
        }
        if self.draft.is_encoder() {
            let of = |ordinal: usize| numbers.iter().find(|one| one.1 as usize == ordinal).map_or(0, |one| one.0);
            let numbers = (0..enumerators.all().count()).map(of).collect();
            let unknown = if is_extensible { Unknown::Greatest } else { Unknown::None };
            let value = self.draft.named(Num::item(id, place, numbers, Int::I64, unknown));
            self.draft.push_if(is_extensible, Stmt::RejectIf(Cond::IsGreatest(value)));
            return self.put_number(front, bounds.unwrap_or_default(), Num::Var(value));
        }
        let Some(bounds) = bounds else { return self.draft.give_up() };
        let number = match self.draft.is_thorough {
            true => self.take_number(front, ALL),
            false => self.take_number(front, bounds),
        };
        let items = numbers.iter().map(|(number, ordinal)| (*number, *ordinal as usize)).collect();
        self.draft.push(Stmt::Set(place.clone(), Value::ItemOf { id, number: Num::Var(number), items }));
    }

    /// An item by its number, which may be one of a later version.
    fn any_item(&mut self, id: TypeId, front: Front, place: &Place) {
        if self.draft.is_encoder() {
            let number = self.draft.named(Num::Amount(Box::new(Amount::Widened(place.clone()))));
            self.draft.reject_no_item(number);
            return self.put_number(front, ALL, Num::Var(number));
        }
        let number = self.take_number(front, ALL);
        self.draft.reject_no_item(number);
        self.draft.push(Stmt::Set(place.clone(), Value::Integer(id, Num::Var(number))));
    }

    /// Text that primitives write and read, with these further arguments.
    fn moved(&mut self, id: TypeId, front: Front, [put, take]: [Tlv; 2], more: Vec<Arg>, place: &Place) {
        if !matches!(self.draft.types.repr(id), Repr::Text(_) | Repr::String) {
            return self.draft.give_up();
        }
        if self.draft.is_encoder() {
            let args = vec![front.tag(), Arg::Object(place.clone())];
            let segment = front.segment().into_iter().collect();
            return self.write(put, [args, more, segment].concat());
        }
        let octets = self.take_string(front, place);
        let args = vec![Arg::Exclusive(place.clone()), Arg::Octets(Str::Var(octets))];
        self.draft.push(Stmt::Do(Prim::Tlv(take), [args, more].concat()));
    }

    fn time(&mut self, id: TypeId, front: Front, digits: u8, place: &Place) {
        if self.draft.is_encoder() && self.draft.is_thorough {
            let args = vec![front.tag(), Arg::Object(place.clone()), Arg::Flag(digits == 14)];
            return self.write(Tlv::PutTime, args.into_iter().chain(front.segment()).collect());
        }
        if self.draft.is_encoder() {
            // Any other form than to the second in UTC is left to the interpreter, which may change
            // it (X.690 §11.7, §11.8).
            self.draft.push(Stmt::RejectIf(Cond::NotUtc(place.clone(), digits)));
            return self.put_string(front, Str::Characters(place.clone()), front.is_segmented);
        }
        let octets = self.take_string(front, place);
        self.draft.push(Stmt::RejectIf(Cond::NotVisible(octets)));
        self.draft.push(Stmt::Utf8(octets));
        self.draft.fill(id, place, Str::Var(octets), (0, u64::MAX));
        let is_utc_alone = self.draft.types.stands_alone() && !self.draft.is_thorough;
        self.draft.push_if(is_utc_alone, Stmt::RejectIf(Cond::NotUtc(place.clone(), digits)));
    }

    fn octets(&mut self, id: TypeId, front: Front, bounds: (u64, u64), place: &Place) {
        if !self.draft.is_encoder() {
            let octets = self.take_string(front, place);
            return self.draft.fill(id, place, Str::Var(octets), bounds);
        }
        match *self.draft.types.repr(id) {
            Repr::FixedOctets(count @ 0..=127) => {
                self.front(front.tag, count as u8);
                self.write(Tlv::PutOctets, vec![Arg::Shared(place.clone())]);
            }
            Repr::FixedOctets(count) if count <= 1000 || !front.is_segmented => {
                self.put_string(front, Str::Fixed(place.clone()), false);
            }
            Repr::Octets(_) | Repr::OctetString | Repr::LentOctets => {
                let octets = Str::Octets(place.clone());
                self.draft.reject_if(Cond::size_outside(Num::Length(octets.clone()), bounds));
                self.put_string(front, octets, front.is_segmented);
            }
            _ => self.draft.give_up(),
        }
    }

    fn oid(&mut self, id: TypeId, front: Front, place: &Place) {
        if self.draft.is_encoder() {
            return self.put_string(front, Str::Octets(place.clone()), false);
        }
        let octets = self.take_contents(front);
        self.draft.push(Stmt::RejectIf(Cond::NotOid(octets)));
        self.draft.fill(id, place, Str::Var(octets), (0, u64::MAX));
    }

    /// Text in UTF-8, or in characters of one octet that are in an alphabet.
    fn text(&mut self, id: TypeId, front: Front, bounds: (u64, u64), alphabet: Option<Vec<u32>>, place: &Place) {
        if self.draft.is_encoder() {
            let text = Str::Characters(place.clone());
            match alphabet {
                None => self.draft.reject_if(Cond::size_outside(Num::Characters(text.clone()), bounds)),
                Some(alphabet) => {
                    self.draft.reject_if(Cond::size_outside(Num::OctetCount(text.clone()), bounds));
                    self.draft.push(Stmt::RejectIf(Cond::NotAllIn(text.clone(), alphabet)));
                }
            }
            return self.put_string(front, text, front.is_segmented);
        }
        let octets = self.take_string(front, place);
        let text = Str::Var(octets);
        match alphabet {
            None => {
                self.draft.push(Stmt::Utf8(octets));
                self.draft.reject_if(Cond::size_outside(Num::Characters(text.clone()), bounds));
            }
            Some(alphabet) => {
                self.draft.reject_if(Cond::size_outside(Num::Length(text.clone()), bounds));
                self.draft.push(Stmt::RejectIf(Cond::NotAllIn(text.clone(), alphabet)));
                self.draft.push(Stmt::Utf8(octets));
            }
        }
        self.draft.fill(id, place, text, (0, u64::MAX));
    }

    /// Characters that are not octets of ASCII.
    fn characters(
        &mut self,
        id: TypeId,
        front: Front,
        (lower, upper): (u64, u64),
        (width, alphabet): (u8, Vec<u32>),
        place: &Place,
    ) {
        let number = |number: u64| Arg::Num(Num::Const(number));
        let more = match self.draft.is_encoder() {
            true => {
                let count = Num::Characters(Str::Characters(place.clone()));
                self.draft.reject_if(Cond::size_outside(count.clone(), (lower, upper)));
                // A longer string is in segments (X.690 §9.2).
                let most = 1000 / u64::from(width);
                let is_refused = front.is_segmented && front.segment.is_none();
                self.draft.push_if(is_refused, Stmt::RejectIf(Cond::Above(count, most)));
                vec![number(width.into()), Arg::Ranges(alphabet)]
            }
            false => vec![number(width.into()), number(lower), number(upper), Arg::Ranges(alphabet)],
        };
        self.moved(id, front, [Tlv::PutCharacters, Tlv::TakeCharacters], more, place);
    }

    fn put_string(&mut self, front: Front, octets: Str, is_segmented: bool) {
        self.draft.push(Stmt::Settle);
        if let Some(segment) = front.segment() {
            return self.write(Tlv::PutString, vec![front.tag(), Arg::Octets(octets), segment]);
        }
        // A longer string is in segments (X.690 §9.2).
        let is_long = Cond::Above(Num::OctetCount(octets.clone()), 1000);
        self.draft.push_if(is_segmented, Stmt::RejectIf(is_long));
        self.write(Tlv::PutString, vec![front.tag(), Arg::Octets(octets)]);
    }

    /// A number between bounds, which has been checked.
    fn put_number(&mut self, front: Front, (lower, upper): (i64, i64), value: Num) {
        let by = match octets_of(lower).max(octets_of(upper)) {
            1 => {
                self.front(front.tag, 1);
                return self.put(Num::LowOctet(Box::new(value)), 1);
            }
            most @ 2..=6 => Tlv::PutNumber { most, signed: lower < 0 },
            _ => Tlv::PutLongNumber,
        };
        self.write(by, vec![front.tag(), Arg::Num(value)]);
    }

    /// The contents of a value that is never in segments.
    fn take_contents(&mut self, front: Front) -> Var {
        self.draft.take_slice(Prim::Tlv(Tlv::Open), vec![front.tag()])
    }

    /// The contents of a string. In a thorough plan it may be in segments, which may be joined in
    /// its place.
    pub(super) fn take_string(&mut self, front: Front, place: &Place) -> Var {
        let Some(segment) = front.segment() else { return self.take_contents(front) };
        self.draft.take_slice(Prim::Tlv(Tlv::Open), vec![front.tag(), segment, Arg::Exclusive(place.clone())])
    }

    fn one_octet(&mut self, front: Front) -> Var {
        let octet = self.draft.variable();
        self.read(octet, Tlv::OneOctet, front);
        octet
    }

    fn read(&mut self, var: Var, by: Tlv, front: Front) {
        self.draft.push(Stmt::Read(vec![var], Prim::Tlv(by), vec![front.tag()]));
    }

    /// A number between bounds.
    fn take_number(&mut self, front: Front, bounds: (i64, i64)) -> Var {
        let number = self.draft.variable();
        match octets_of(bounds.0).max(octets_of(bounds.1)) {
            1 => {
                let octet = self.one_octet(front);
                self.draft.push(Stmt::Let(number, Num::Var(octet).to(Int::I8).to(Int::I64)));
            }
            most @ 2..=6 => self.read(number, Tlv::TakeNumber(most), front),
            _ => self.read(number, Tlv::TakeLongNumber, front),
        }
        if bounds != ALL {
            self.draft.because(Reason::Integer);
        }
        self.draft.push(Stmt::RejectIf(Cond::Beyond(number, bounds)));
        number
    }
}

/// All numbers of 64 bits with sign.
const ALL: (i64, i64) = (i64::MIN, i64::MAX);

/// How many octets a number takes.
fn octets_of(number: i64) -> usize {
    roadwire_wire::rt::TwosComplement::signed(number.into()).octets().len()
}
