//! The primitives that are enumerated. `c/enumeration.c` has those of C by the same names.

use roadwire_wire::rt::{self, RealContents, cbor, events, fields, octet, packed, tlv, varint, vectors};
use roadwire_wire::{Reader, Rejected, Writer};

/// A value that was read, as 64 bits, and the bit where it ends.
pub(crate) type Read = Option<(u64, usize)>;

/// A primitive.
pub(crate) struct Primitive {
    pub(crate) name: &'static str,
    /// Octets before those that are enumerated.
    pub(crate) front: &'static [u8],
    /// It begins at any bit (1) or octet (8).
    pub(crate) step: usize,
    /// Whether the runtime of C has it.
    pub(crate) in_c: bool,
    /// Reads at a bit of the input.
    pub(crate) read: fn(&[u8], usize) -> Read,
    /// The same by another reader.
    pub(crate) again: Option<fn(&[u8], usize) -> Read>,
    pub(crate) write: fn(&mut Writer<'_>, u64) -> Result<(), Rejected>,
    /// Why an input is taken that is not what is written for its value: the input at the first bit,
    /// the value.
    pub(crate) other: fn(u64, u64) -> Option<&'static str>,
}

fn bits<T>(input: &[u8], at: usize, take: impl FnOnce(&mut Reader<'_>) -> Result<T, Rejected>) -> Option<(T, usize)> {
    let mut reader = Reader::new(input);
    reader.advance(at);
    take(&mut reader).ok().map(|value| (value, reader.position()))
}

fn octets<T>(
    input: &[u8],
    at: usize,
    take: impl FnOnce(&mut rt::OctetReader<'_>) -> Result<T, Rejected>,
) -> Option<(T, usize)> {
    let mut reader = rt::OctetReader::at(input, at / 8);
    take(&mut reader).ok().map(|value| (value, reader.position_in(input)))
}

/// Straight-line code returns where it ends, and its caller checks that this is inside the input.
fn straight<T>(input: &[u8], read: Result<(usize, T), Rejected>) -> Option<(T, usize)> {
    read.ok().filter(|(end, _)| *end <= input.len()).map(|(end, value)| (value, end * 8))
}

/// Writes by straight-line code, which has the rest of the output.
fn whole(
    writer: &mut Writer<'_>,
    write: impl FnOnce(&mut [u8], usize) -> Result<usize, Rejected>,
) -> Result<(), Rejected> {
    let mut out = [0; 64];
    let end = write(&mut out, 0)?;
    writer.put_octets(out.get(..end).ok_or(Rejected)?)
}

fn word<T: TryInto<u64>>((value, end): (T, usize)) -> Read {
    value.try_into().ok().map(|value| (value, end))
}

fn signed((value, end): (i64, usize)) -> (u64, usize) {
    (value as u64, end)
}

fn none(_: u64, _: u64) -> Option<&'static str> {
    None
}

/// A first octet of an input.
fn octet_at(input: u64, at: u32) -> u64 {
    input >> (56 - 8 * at) & 0xff
}

/// The groups of seven bits end in one of zeros.
fn zero_groups(input: u64, _: u64) -> Option<&'static str> {
    let last = (0..8).find(|at| octet_at(input, *at) < 0x80);
    // Where all eight octets say that more follow, the number has more of them.
    (last.is_none_or(|at| at > 0 && octet_at(input, at) == 0)).then_some("further groups of zeros")
}

/// Further groups after eight of zeros, of numbers that do not need them.
fn many_zero_groups(_: u64, value: u64) -> Option<&'static str> {
    (value.trailing_zeros() >= 56).then_some("further groups of zeros")
}

fn counted(input: u64, _: u64) -> Option<&'static str> {
    if octet_at(input, 0) >= 0x80 {
        return Some("a length in more octets than it takes");
    }
    (octet_at(input, 0) > 1 && octet_at(input, 1) == 0).then_some("leading octets of zeros")
}

fn counted_signed(input: u64, _: u64) -> Option<&'static str> {
    if octet_at(input, 0) >= 0x80 {
        return Some("a length in more octets than it takes");
    }
    let is_longer = matches!((octet_at(input, 1), octet_at(input, 2)), (0, 0..=0x7f) | (0xff, 0x80..));
    (octet_at(input, 0) > 1 && is_longer).then_some("leading octets of the sign")
}

/// One number in which an identifier and what is after it fit.
fn identifier(input: &[u8], at: usize) -> Read {
    let (identifier, octets) = tlv::identifier(input.get(at / 8..)?).ok()?;
    Some((identifier.into(), at + octets * 8))
}

fn length(input: &[u8], at: usize) -> Read {
    match tlv::length(input.get(at / 8..)?) {
        Ok((tlv::Length::Definite(length), octets)) => Some((length as u64, at + octets * 8)),
        _ => None,
    }
}

fn element(input: &[u8], at: usize) -> Read {
    let size = tlv::element(input.get(at / 8..)?).ok()?;
    Some((size as u64, at + size * 8))
}

fn characters(input: &[u8], at: usize) -> Read {
    let rest = input.get(at / 8..at / 8 + 3)?;
    let text = core::str::from_utf8(rest).ok()?;
    Some((text.chars().count() as u64, at + 24))
}

/// All primitives; those of C are in the same order there.
pub(crate) fn all() -> Vec<Primitive> {
    let bits_of =
        |name, read, write, other| Primitive { name, front: &[], step: 1, in_c: true, read, again: None, write, other };
    let octets_of = |name, front, read, write, other| Primitive {
        name,
        front,
        step: 8,
        in_c: true,
        read,
        again: None,
        write,
        other,
    };
    let rust = |primitive| Primitive { in_c: false, ..primitive };
    vec![
        bits_of(
            "packed count",
            |input, at| bits(input, at, packed::take_count).and_then(word),
            |writer, value| packed::put_count(writer, value as usize),
            |input, value| (value < 128 && octet_at(input, 0) & 0x80 != 0).then_some("two octets below 128"),
        ),
        rust(bits_of(
            "packed small number",
            |input, at| bits(input, at, |reader| packed::take_small(reader, false)),
            |writer, value| packed::put_small(writer, value, false),
            |input, value| {
                if input >> 63 == 0 {
                    None
                } else if input >> 62 & 1 != 0 {
                    Some("a length in more octets than it takes")
                } else if value < 64 {
                    Some("the long form below 64")
                } else {
                    Some("leading octets of zeros")
                }
            },
        )),
        rust(bits_of(
            "packed small length",
            |input, at| bits(input, at, |reader| packed::take_small_length(reader, false)).and_then(word),
            |writer, value| packed::put_small_length(writer, value as usize, false),
            |input, value| {
                if input >> 63 == 0 {
                    None
                } else if value <= 64 {
                    Some("the long form up to 64")
                } else {
                    Some("two octets below 128")
                }
            },
        )),
        bits_of(
            "packed unsigned number",
            |input, at| bits(input, at, packed::take_unsigned),
            |writer, value| {
                let octets = octet::octets_of(value);
                writer.put(octets.into(), 8)?;
                writer.put_wide(value, octets * 8)
            },
            |input, _| (octet_at(input, 0) > 1 && octet_at(input, 1) == 0).then_some("leading octets of zeros"),
        ),
        bits_of(
            "packed signed number",
            |input, at| bits(input, at, packed::take_signed).map(signed),
            |writer, value| octet::put_signed(writer, value as i64),
            counted_signed,
        ),
        bits_of("groups of seven bits", |input, at| bits(input, at, varint::take), varint::put, zero_groups),
        Primitive {
            front: &[0x80; 8],
            ..bits_of("groups after eight", |input, at| bits(input, at, varint::take), varint::put, many_zero_groups)
        },
        rust(bits_of(
            "EXI integer",
            |input, at| {
                let (value, end) = bits(input, at, |reader| events::take_integer(reader, true))?;
                i64::try_from(value).ok().map(|value| (value as u64, end))
            },
            |writer, value| events::put_integer(writer, i128::from(value as i64), true),
            |input, value| zero_groups(input << 1, value),
        )),
        octets_of(
            "OER length",
            &[],
            |input, at| bits(input, at, octet::take_length).and_then(word).filter(|(length, _)| length >> 56 == 0),
            |writer, value| octet::put_length(writer, value as usize),
            |input, value| (value < 128 || octet_at(input, 1) == 0).then_some("more octets than it takes"),
        ),
        octets_of(
            "OER unsigned number",
            &[],
            |input, at| bits(input, at, octet::take_counted_unsigned),
            octet::put_unsigned,
            counted,
        ),
        octets_of(
            "OER unsigned number of 3 octets",
            &[3],
            |input, at| bits(input, at, octet::take_counted_unsigned),
            octet::put_unsigned,
            counted,
        ),
        octets_of(
            "OER signed number",
            &[],
            |input, at| bits(input, at, octet::take_counted_signed).map(signed),
            |writer, value| octet::put_signed(writer, value as i64),
            counted_signed,
        ),
        octets_of(
            "OER signed number of 3 octets",
            &[3],
            |input, at| bits(input, at, octet::take_counted_signed).map(signed),
            |writer, value| octet::put_signed(writer, value as i64),
            counted_signed,
        ),
        rust(octets_of(
            "OER tag",
            &[],
            |input, at| bits(input, at, octet::take_tag).and_then(word),
            |writer, value| octet::put_tag(writer, value as u32),
            none,
        )),
        octets_of(
            "BER identifier",
            &[],
            identifier,
            |writer, value| writer.put_octets(tlv::identifier_octets(value as u32).as_slice()),
            |_, value| {
                (value as u32 & tlv::NUMBER == tlv::NUMBER).then_some("a number of more than 29 bits, as the greatest")
            },
        ),
        octets_of(
            "BER length",
            &[],
            length,
            |writer, value| writer.put_octets(tlv::length_octets(value as usize).as_slice()),
            |input, value| match value {
                u64::MAX => Some("a length of more than 64 bits, as the greatest"),
                _ => (value < 128 || octet_at(input, 1) == 0).then_some("more octets than it takes"),
            },
        ),
        octets_of("BER element", &[], element, |_, _| Ok(()), |_, _| Some("a value of any kind")),
        octets_of(
            "BER INTEGER",
            &[2],
            |input, at| straight(input, tlv::take_long_number(input, at / 8, 2)).map(signed),
            |writer, value| whole(writer, |out, at| tlv::put_long_number(out, at, 2, value as i64)),
            none,
        ),
        octets_of(
            "BER INTEGER of 3 octets",
            &[2, 3],
            |input, at| straight(input, tlv::take_long_number(input, at / 8, 2)).map(signed),
            |writer, value| whole(writer, |out, at| tlv::put_long_number(out, at, 2, value as i64)),
            none,
        ),
        rust(octets_of(
            "BER REAL of 3 octets",
            &[9, 3],
            |input, at| {
                let (value, end) = straight(input, tlv::take_real(input, at / 8, 9))?;
                Some((value.to_bits(), end))
            },
            |writer, value| whole(writer, |out, at| tlv::put_real(out, at, 9, f64::from_bits(value))),
            |input, _| match octet_at(input, 2) {
                0..=3 => Some("decimal (X.690 clause 8.5.8)"),
                first if first & 0x3c != 0 => Some("a base of 8 or 16, or a scale factor (clause 8.5.7)"),
                _ => Some("an even mantissa, or leading octets (clause 11.3.1)"),
            },
        )),
        octets_of("Protocol Buffers varint", &[], |input, at| bits(input, at, fields::take), varint::put, zero_groups),
        octets_of(
            "varint after eight octets",
            &[0x80; 8],
            |input, at| bits(input, at, fields::take),
            varint::put,
            many_zero_groups,
        ),
        octets_of(
            "CBOR head of an unsigned number",
            &[],
            |input, at| straight(input, cbor::straight::take_long(input, at / 8, 0)),
            |writer, value| cbor::put_head(writer, 0, value),
            none,
        ),
        octets_of(
            "CBOR integer",
            &[],
            |input, at| straight(input, cbor::straight::take_long_integer(input, at / 8)).map(signed),
            |writer, value| whole(writer, |out, at| cbor::straight::put_long_integer(out, at, value as i64)),
            none,
        ),
        octets_of(
            "CBOR float",
            &[],
            |input, at| {
                let (value, end) = straight(input, cbor::straight::take_float(input, at / 8))?;
                Some((value.to_bits(), end))
            },
            |writer, value| whole(writer, |out, at| cbor::straight::put_float(out, at, f64::from_bits(value))),
            none,
        ),
        octets_of(
            "vector number",
            &[],
            |input, at| bits(input, at, vectors::take_number),
            vectors::put_number,
            |input, _| {
                let octets = octet_at(input, 0).leading_ones_of_octet();
                (octets > 0).then_some("more octets than it takes")
            },
        ),
        octets_of("vector PSID", &[], |input, at| bits(input, at, vectors::take_psid), vectors::put_psid, none),
        octets_of("UTF-8 of 3 octets", &[], characters, |_, _| Ok(()), |_, _| Some("text")),
    ]
    .into_iter()
    .map(|primitive| Primitive { again: again(primitive.name), ..primitive })
    .collect()
}

trait LeadingOnes {
    fn leading_ones_of_octet(self) -> u32;
}

impl LeadingOnes for u64 {
    fn leading_ones_of_octet(self) -> u32 {
        (self as u8).leading_ones()
    }
}

/// A second reader of the same, of which results are the same.
fn again(name: &str) -> Option<fn(&[u8], usize) -> Read> {
    Some(match name {
        "OER length" => |input, at| {
            octets(input, at, |reader| reader.take_length()).and_then(word).filter(|(length, _)| length >> 56 == 0)
        },
        "OER unsigned number" | "OER unsigned number of 3 octets" => {
            |input, at| octets(input, at, |reader| reader.take_counted_unsigned())
        }
        "OER signed number" | "OER signed number of 3 octets" => {
            |input, at| octets(input, at, |reader| reader.take_counted_signed()).map(signed)
        }
        "Protocol Buffers varint" | "varint after eight octets" => |input, at| {
            let (value, octets) = fields::read(input.get(at / 8..)?).ok()?;
            Some((value, at + octets * 8))
        },
        "BER REAL of 3 octets" => |input, at| {
            let contents = input.get(at / 8 + 2..at / 8 + 5)?;
            RealContents::read(contents).ok().map(|value| (value.to_bits(), at + 40))
        },
        "vector number" => |input, at| rest(input, vectors::straight::take_number(input.get(at / 8..)?)),
        "vector PSID" => |input, at| rest(input, vectors::straight::take_psid(input.get(at / 8..)?)),
        _ => return None,
    })
}

fn rest(input: &[u8], taken: Result<(u64, &[u8]), Rejected>) -> Read {
    taken.ok().map(|(value, rest)| (value, (input.len() - rest.len()) * 8))
}
