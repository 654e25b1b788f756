//! Bits one after another from any place, in words of 64; and the parts of which messages in UPER
//! are made.

use serde_json::Value;

use super::{Refused, word};
use crate::hex;

/// Writes bits, most significant first.
pub(super) struct Writer<'a> {
    out: &'a mut [u8],
    at: usize,
    /// Up to 63 bits that are not yet written, from the left.
    held: u64,
    bits: usize,
    /// Whether all values were in their ranges.
    pub(super) ok: bool,
    short: bool,
}

impl<'a> Writer<'a> {
    #[inline(always)]
    pub(super) fn new(out: &'a mut [u8]) -> Self {
        Writer { out, at: 0, held: 0, bits: 0, ok: true, short: false }
    }

    /// Writes the first `bits` bits of words whose others are zero.
    #[inline(always)]
    pub(super) fn words<const N: usize>(&mut self, words: [u64; N], bits: usize) {
        for (at, word) in words.into_iter().enumerate() {
            self.word(word, (bits - 64 * at).min(64));
        }
    }

    #[inline(always)]
    fn word(&mut self, word: u64, width: usize) {
        self.held |= word >> self.bits;
        let bits = self.bits + width;
        if bits >= 64 {
            match self.out.get_mut(self.at..self.at + 8) {
                Some(place) => place.copy_from_slice(&self.held.to_be_bytes()),
                None => self.short = true,
            }
            self.at += 8;
            // By all 64 where nothing was held.
            self.held = (word << 1) << (63 - self.bits);
        }
        self.bits = bits % 64;
    }

    /// Writes the low `width` bits (1..=64) of `value`, which has no others set.
    #[inline(always)]
    pub(super) fn put(&mut self, width: usize, value: u64) {
        self.word(value << (64 - width), width);
    }

    /// Writes zeros up to a whole number of octets after the place `start`.
    #[inline(always)]
    pub(super) fn pad(&mut self, start: usize) {
        let bits = (start.wrapping_sub(self.place())) % 8;
        if bits > 0 {
            self.put(bits, 0);
        }
    }

    /// Writes with a copy of the state, which stays in registers in a loop.
    #[inline(always)]
    fn locally(&mut self, write: impl FnOnce(&mut Writer<'_>)) {
        let Writer { at, held, bits, ok, short, .. } = *self;
        let mut here = Writer { out: &mut *self.out, at, held, bits, ok, short };
        write(&mut here);
        let Writer { at, held, bits, ok, short, .. } = here;
        (self.at, self.held, self.bits, self.ok, self.short) = (at, held, bits, ok, short);
    }

    /// How many bits are written.
    #[inline(always)]
    pub(super) fn place(&self) -> usize {
        self.at * 8 + self.bits
    }

    /// Writes what is held; the octets in all.
    #[inline(always)]
    pub(super) fn finish(self) -> Result<usize, Refused> {
        if !self.ok {
            return Err(Refused::Range);
        }
        let length = self.at + self.bits.div_ceil(8);
        let held = self.held.to_be_bytes();
        match self.out.get_mut(self.at..length) {
            Some(place) if !self.short => place.iter_mut().zip(held).for_each(|(place, octet)| *place = octet),
            _ => return Err(Refused::Length),
        }
        Ok(length)
    }
}

/// Reads bits.
pub(super) struct Reader<'a> {
    octets: &'a [u8],
    at: usize,
    /// Whether all values were in their ranges.
    pub(super) ok: bool,
}

/// The octets that are read at the end of the input, with zeros after them.
const LAST: usize = 128;

impl<'a> Reader<'a> {
    #[inline(always)]
    pub(super) fn new(octets: &'a [u8]) -> Self {
        Reader { octets, at: 0, ok: true }
    }

    /// The next `bits` bits from the left of words, and after them anything.
    #[inline(always)]
    pub(super) fn words<const N: usize>(&mut self, bits: usize) -> Result<[u64; N], Refused> {
        const { assert!(8 * N < LAST) };
        let (first, shift) = (self.at / 8, self.at % 8);
        self.at += bits;
        if self.at > self.octets.len() * 8 {
            return Err(Refused::Length);
        }
        // An octet more than the words, which may begin inside one.
        Ok(match self.octets.get(first..first + 8 * N + 1) {
            Some(window) => shifted(window, shift),
            None => last(&self.octets[first..], shift),
        })
    }

    /// The next `width` bits (1..=64).
    #[inline(always)]
    pub(super) fn get(&mut self, width: usize) -> Result<u64, Refused> {
        let [word] = self.words(width)?;
        Ok(word >> (64 - width))
    }

    /// Skips padding up to a whole number of octets after the place `start`.
    #[inline(always)]
    pub(super) fn pad(&mut self, start: usize) -> Result<(), Refused> {
        let bits = (start.wrapping_sub(self.at)) % 8;
        if bits > 0 {
            self.ok &= self.get(bits)? == 0;
        }
        Ok(())
    }

    /// Reads with a copy of the state, which stays in registers in a loop.
    #[inline(always)]
    fn locally<E>(&mut self, read: impl FnOnce(&mut Reader<'a>) -> Result<(), E>) -> Result<(), E> {
        let mut here = Reader { ..*self };
        read(&mut here)?;
        *self = here;
        Ok(())
    }

    /// How many bits are read.
    #[inline(always)]
    pub(super) fn place(&self) -> usize {
        self.at
    }

    #[inline(always)]
    pub(super) fn finish(self) -> Result<(), Refused> {
        if self.ok { Ok(()) } else { Err(Refused::Range) }
    }
}

#[inline(always)]
fn shifted<const N: usize>(window: &[u8], shift: usize) -> [u64; N] {
    std::array::from_fn(|at| {
        let octets = &window[8 * at..8 * at + 9];
        word(octets) << shift | u64::from(octets[8]) >> (8 - shift)
    })
}

#[inline(never)]
fn last<const N: usize>(rest: &[u8], shift: usize) -> [u64; N] {
    let mut padded = [0; LAST];
    padded[..rest.len()].copy_from_slice(rest);
    shifted(&padded, shift)
}

/// A part of a message.
pub(super) trait Part: Sized {
    fn write(&self, out: &mut Writer<'_>);
    fn decode(&mut self, input: &mut Reader<'_>) -> Result<(), Refused>;
    /// The part from its JER value.
    fn read(value: &Value) -> Option<Self>;
}

/// Declares a run of fields with fixed widths, read and written as one: `WIDTH = CONSTANT;`, or
/// `WIDTH FIELD: TYPE [LEAST..=MOST] "PATH IN JER";`, of an enumeration with its items.
macro_rules! run {
    ($(#[$doc:meta])* $name:ident { $($width:literal $(= $constant:literal)? $($field:ident: $type:ty [$low:literal..=$high:literal] $path:literal $(of $items:expr)?)?;)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub(super) struct $name {
            $($(pub(super) $field: $type,)?)*
        }

        impl $name {
            pub(super) const BITS: usize = 0 $(+ $width)*;
            const WORDS: usize = Self::BITS.div_ceil(64);
        }

        impl $crate::by_hand::bits::Part for $name {
            #[inline(always)]
            fn write(&self, out: &mut $crate::by_hand::bits::Writer<'_>) {
                let mut ok = true;
                let mut words = $crate::by_hand::words::Pack::<{ $name::WORDS }>::new();
                $(
                    $(words.put($width, $constant);)?
                    $(words.put($width, $crate::by_hand::offset(self.$field as i64, $low, $high, &mut ok));)?
                )*
                out.ok &= ok;
                out.words(words.words, Self::BITS);
            }

            #[inline(always)]
            fn decode(&mut self, input: &mut $crate::by_hand::bits::Reader<'_>) -> Result<(), $crate::by_hand::Refused> {
                let mut ok = true;
                let mut words = $crate::by_hand::words::Unpack::<{ $name::WORDS }>::new(input.words(Self::BITS)?);
                $(
                    $(ok &= words.get($width) == $constant;)?
                    $(self.$field = $crate::by_hand::ranged(words.get($width), $low, $high, &mut ok) as $type;)?
                )*
                input.ok &= ok;
                Ok(())
            }

            fn read(value: &serde_json::Value) -> Option<Self> {
                Some($name { $($($field: $crate::by_hand::read::number(value, $path, $width, &[$(&$items)?])?,)?)* })
            }
        }
    };
}
pub(super) use run;

/// Declares a message or a part as parts one after another, each with its path in JER.
macro_rules! parts {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $type:ty = $path:literal;)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Default, PartialEq)]
        pub(super) struct $name {
            $(pub(super) $field: $type,)*
        }

        impl $crate::by_hand::bits::Part for $name {
            #[inline(always)]
            fn write(&self, out: &mut $crate::by_hand::bits::Writer<'_>) {
                $(self.$field.write(out);)*
            }

            #[inline(always)]
            fn decode(&mut self, input: &mut $crate::by_hand::bits::Reader<'_>) -> Result<(), $crate::by_hand::Refused> {
                $(self.$field.decode(input)?;)*
                Ok(())
            }

            fn read(value: &serde_json::Value) -> Option<Self> {
                Some($name { $($field: $crate::by_hand::bits::Part::read(value.pointer($path)?)?,)* })
            }
        }
    };
}
pub(super) use parts;

/// How many bits the number of items takes (X.691 §11.5.7).
const fn width(least: usize, most: usize) -> usize {
    (most - least + 1).next_power_of_two().trailing_zeros() as usize
}

/// A list of `LEAST` to `MOST` items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct List<T, const LEAST: usize, const MOST: usize> {
    pub(super) count: usize,
    all: [T; MOST],
}

impl<T: Copy + Default, const LEAST: usize, const MOST: usize> Default for List<T, LEAST, MOST> {
    fn default() -> Self {
        List { count: 0, all: [T::default(); MOST] }
    }
}

impl<T: Part + Copy + Default, const LEAST: usize, const MOST: usize> Part for List<T, LEAST, MOST> {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        let Some(used) = self.all.get(..self.count).filter(|used| used.len() >= LEAST) else {
            out.ok = false;
            return;
        };
        if const { width(LEAST, MOST) > 0 } {
            out.put(const { width(LEAST, MOST) }, (used.len() - LEAST) as u64);
        }
        out.locally(|out| used.iter().for_each(|one| one.write(out)));
    }

    #[inline(always)]
    fn decode(&mut self, input: &mut Reader<'_>) -> Result<(), Refused> {
        self.count = LEAST;
        if const { width(LEAST, MOST) > 0 } {
            self.count += input.get(const { width(LEAST, MOST) })? as usize;
        }
        let used = self.all.get_mut(..self.count).ok_or(Refused::Range)?;
        input.locally(|input| used.iter_mut().try_for_each(|one| one.decode(input)))
    }

    fn read(value: &Value) -> Option<Self> {
        let items = value.as_array()?;
        let mut list = Self { count: items.len(), ..Self::default() };
        for (place, item) in list.all.get_mut(..items.len())?.iter_mut().zip(items) {
            *place = T::read(item)?;
        }
        Some(list)
    }
}

/// A list whose size may be beyond its bounds elsewhere, which a bit before it denies.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Bounded<T>(pub(super) T);

impl<T: Part> Part for Bounded<T> {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        out.put(1, 0);
        self.0.write(out);
    }

    #[inline(always)]
    fn decode(&mut self, input: &mut Reader<'_>) -> Result<(), Refused> {
        input.ok &= input.get(1)? == 0;
        self.0.decode(input)
    }

    fn read(value: &Value) -> Option<Self> {
        T::read(value).map(Bounded)
    }
}

/// `LEAST` to `MOST` octets, or characters of `BITS` bits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Text<const BITS: usize, const LEAST: usize, const MOST: usize> {
    count: usize,
    all: [u8; MOST],
}

/// Octets.
pub(super) type Octets<const LEAST: usize, const MOST: usize> = Text<8, LEAST, MOST>;
/// An IA5String.
pub(super) type Ia5<const LEAST: usize, const MOST: usize> = Text<7, LEAST, MOST>;
/// A NumericString: a space is 0, digits are 1 to 10 (X.691 §30.5.4).
pub(super) type Numeric<const LEAST: usize, const MOST: usize> = Text<4, LEAST, MOST>;

impl<const BITS: usize, const LEAST: usize, const MOST: usize> Default for Text<BITS, LEAST, MOST> {
    fn default() -> Self {
        Text { count: 0, all: [0; MOST] }
    }
}

impl<const BITS: usize, const LEAST: usize, const MOST: usize> Part for Text<BITS, LEAST, MOST> {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        let Some(used) = self.all.get(..self.count).filter(|used| used.len() >= LEAST) else {
            out.ok = false;
            return;
        };
        if const { width(LEAST, MOST) > 0 } {
            out.put(const { width(LEAST, MOST) }, (used.len() - LEAST) as u64);
        }
        for characters in used.chunks(8) {
            let mut value = 0;
            for character in characters {
                let code = match (BITS, *character) {
                    (4, b' ') => 0,
                    (4, digit) => digit.wrapping_sub(b'0').wrapping_add(1),
                    (_, octet) => octet,
                };
                out.ok &= if BITS == 4 { code <= 10 } else { code.checked_shr(BITS as u32).unwrap_or(0) == 0 };
                value = value << BITS | u64::from(code) & ((1 << BITS) - 1);
            }
            out.put(BITS * characters.len(), value);
        }
    }

    #[inline(always)]
    fn decode(&mut self, input: &mut Reader<'_>) -> Result<(), Refused> {
        self.count = LEAST;
        if const { width(LEAST, MOST) > 0 } {
            self.count += input.get(const { width(LEAST, MOST) })? as usize;
        }
        for characters in self.all.get_mut(..self.count).ok_or(Refused::Range)?.chunks_mut(8) {
            let mut value = input.get(BITS * characters.len())?;
            for character in characters.iter_mut().rev() {
                let code = (value & ((1 << BITS) - 1)) as u8;
                value >>= BITS;
                input.ok &= BITS != 4 || code <= 10;
                *character = match (BITS, code) {
                    (4, 0) => b' ',
                    (4, digit) => b'0' + digit - 1,
                    (_, octet) => octet,
                };
            }
        }
        Ok(())
    }

    fn read(value: &Value) -> Option<Self> {
        let text = value.as_str()?;
        let octets = if BITS == 8 { hex::decode(text)? } else { text.as_bytes().to_vec() };
        let mut all = [0; MOST];
        all.get_mut(..octets.len())?.copy_from_slice(&octets);
        Some(Text { count: octets.len(), all })
    }
}

/// A UTF8String of 1 to `MOST` characters, in up to 127 octets. Its length is that of its octets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Utf8<const MOST: usize> {
    count: usize,
    all: [u8; 127],
}

impl<const MOST: usize> Default for Utf8<MOST> {
    fn default() -> Self {
        Utf8 { count: 0, all: [0; 127] }
    }
}

impl<const MOST: usize> Utf8<MOST> {
    fn is_whole(&self) -> bool {
        let text = self.all.get(..self.count).and_then(|octets| std::str::from_utf8(octets).ok());
        text.is_some_and(|text| (1..=MOST).contains(&text.chars().count()))
    }
}

impl<const MOST: usize> Part for Utf8<MOST> {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        out.ok &= self.is_whole();
        out.put(8, self.count as u64 & 127);
        for octets in self.all[..self.count.min(127)].chunks(8) {
            out.put(8 * octets.len(), octets.iter().fold(0, |value, octet| value << 8 | u64::from(*octet)));
        }
    }

    #[inline(always)]
    fn decode(&mut self, input: &mut Reader<'_>) -> Result<(), Refused> {
        self.count = input.get(8)? as usize;
        for octets in self.all.get_mut(..self.count).ok_or(Refused::Range)?.chunks_mut(8) {
            let value = input.get(8 * octets.len())? << (64 - 8 * octets.len());
            octets.copy_from_slice(&value.to_be_bytes()[..octets.len()]);
        }
        input.ok &= self.is_whole();
        Ok(())
    }

    fn read(value: &Value) -> Option<Self> {
        let text = value.as_str()?.as_bytes();
        let mut all = [0; 127];
        all.get_mut(..text.len())?.copy_from_slice(text);
        Some(Utf8 { count: text.len(), all })
    }
}
