//! The security envelope in its binary format (TS 103 097 V1.1.1), by hand: header fields and attributes in any order, of the sorts that the studies' messages have; any other one is refused.

use serde_json::Value;

use super::Refused;
use crate::hex;

/// Room for any of these messages.
pub(super) const ROOM: usize = 512;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Envelope {
    profile: u8,
    signer: Signer,
    generation_time: u64,
    location: Option<Location>,
    message_type: Option<u16>,
    signature: Signature,
}

#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a vehicle has no heap for it")]
enum Signer {
    Digest([u8; 8]),
    Certificate(Certificate),
}

#[derive(Debug, Clone, PartialEq)]
struct Location {
    latitude: i32,
    longitude: i32,
    elevation: u16,
}

#[derive(Debug, Clone, PartialEq)]
struct Certificate {
    issuer: [u8; 8],
    key: Option<Key>,
    assurance: Option<u8>,
    permissions: Option<Permissions>,
    start: u32,
    end: u32,
    signature: Signature,
}

#[derive(Debug, Clone, PartialEq)]
struct Key {
    odd: bool,
    x: [u8; 32],
}

/// Applications of numbers below 128, with permissions of no octets.
#[derive(Debug, Clone, Default, PartialEq)]
struct Permissions {
    count: u8,
    aids: [u8; 4],
}

/// R by its x coordinate.
#[derive(Debug, Clone, PartialEq)]
struct Signature {
    r: [u8; 32],
    s: [u8; 32],
}

const CAM: u16 = 2;
const DENM: u16 = 1;

const GENERATION_TIME: u8 = 0;
const GENERATION_LOCATION: u8 = 3;
const MESSAGE_TYPE: u8 = 5;
const SIGNER_INFO: u8 = 128;

const DIGEST: u8 = 1;
const CERTIFICATE: u8 = 2;

const AUTHORIZATION_TICKET: u8 = 1;

const VERIFICATION_KEY: u8 = 0;
const ASSURANCE_LEVEL: u8 = 2;
const ITS_AID_SSP_LIST: u8 = 33;

const TIME_START_AND_END: u8 = 1;

const SIGNED: u8 = 1;
const SIGNATURE: u8 = 1;
const SIGNATURE_OCTETS: usize = 66;

#[inline]
pub(super) fn encode(message: &Envelope, out: &mut [u8]) -> Result<usize, Refused> {
    let signer = match &message.signer {
        Signer::Digest(_) => 9,
        Signer::Certificate(certificate) => 1 + certificate.octets(),
    };
    let location = if message.location.is_some() { 11 } else { 0 };
    let message_type = if message.message_type.is_some() { 3 } else { 0 };
    let fields = 1 + signer + 9 + location + message_type;
    let length = 2 + 1 + usize::from(fields > 127) + fields + 3 + 2 + SIGNATURE_OCTETS;
    let mut out = Output { rest: out.get_mut(..length).ok_or(Refused::Length)? };
    out.put([1, message.profile])?;
    out.length(fields)?;
    out.put([SIGNER_INFO])?;
    match &message.signer {
        Signer::Digest(digest) => {
            out.put([DIGEST])?;
            out.put(*digest)?;
        }
        Signer::Certificate(certificate) => {
            out.put([CERTIFICATE])?;
            certificate.encode(&mut out)?;
        }
    }
    out.put([GENERATION_TIME])?;
    out.put(message.generation_time.to_be_bytes())?;
    if let Some(location) = &message.location {
        out.put([GENERATION_LOCATION])?;
        out.put(location.latitude.to_be_bytes())?;
        out.put(location.longitude.to_be_bytes())?;
        out.put(location.elevation.to_be_bytes())?;
    }
    if let Some(number) = message.message_type {
        if number != CAM && number != DENM {
            return Err(Refused::Range);
        }
        out.put([MESSAGE_TYPE])?;
        out.put(number.to_be_bytes())?;
    }
    out.put([2, SIGNED, 0, 1 + SIGNATURE_OCTETS as u8, SIGNATURE])?;
    message.signature.encode(&mut out)?;
    Ok(length)
}

#[inline]
pub(super) fn decode(octets: &[u8]) -> Result<Envelope, Refused> {
    let mut input = Input { rest: octets };
    let [version, profile] = input.take()?;
    let (mut signer, mut generation_time, mut location, mut message_type) = (None, None, None, None);
    let mut fields = input.vector()?;
    while let Some(number) = fields.next() {
        match number {
            SIGNER_INFO => {
                signer = Some(match fields.take()? {
                    [DIGEST] => Signer::Digest(fields.take()?),
                    [CERTIFICATE] => Signer::Certificate(Certificate::decode(&mut fields)?),
                    _ => return Err(Refused::Range),
                });
            }
            GENERATION_TIME => generation_time = Some(u64::from_be_bytes(fields.take()?)),
            GENERATION_LOCATION => {
                location = Some(Location {
                    latitude: i32::from_be_bytes(fields.take()?),
                    longitude: i32::from_be_bytes(fields.take()?),
                    elevation: u16::from_be_bytes(fields.take()?),
                });
            }
            MESSAGE_TYPE => message_type = Some(u16::from_be_bytes(fields.take()?)),
            _ => return Err(Refused::Range),
        }
    }
    if input.take()? != [2, SIGNED, 0] || version != 1 {
        return Err(Refused::Range);
    }
    let mut trailer = input.vector()?;
    let [kind] = trailer.take()?;
    let signature = Signature::decode(&mut trailer)?;
    match (signer, generation_time) {
        (Some(signer), Some(generation_time)) if kind == SIGNATURE && trailer.rest.is_empty() => {
            Ok(Envelope { profile, signer, generation_time, location, message_type, signature })
        }
        _ => Err(Refused::Range),
    }
}

impl Certificate {
    /// How many octets it takes.
    fn octets(&self) -> usize {
        1 + 10 + 2 + 1 + self.attributes() + 1 + 9 + SIGNATURE_OCTETS
    }

    fn attributes(&self) -> usize {
        let permissions = self.permissions.as_ref().map_or(0, |list| 2 + 2 * usize::from(list.count));
        let key = if self.key.is_some() { 35 } else { 0 };
        key + if self.assurance.is_some() { 2 } else { 0 } + permissions
    }

    #[inline]
    fn encode(&self, out: &mut Output<'_>) -> Result<(), Refused> {
        out.put([1, 9, DIGEST])?;
        out.put(self.issuer)?;
        out.put([AUTHORIZATION_TICKET, 0, self.attributes() as u8])?;
        if let Some(key) = &self.key {
            out.put([VERIFICATION_KEY, 0, 2 + u8::from(key.odd)])?;
            out.put(key.x)?;
        }
        if let Some(level) = self.assurance {
            out.put([ASSURANCE_LEVEL, level])?;
        }
        if let Some(list) = &self.permissions {
            out.put([ITS_AID_SSP_LIST, 2 * list.count])?;
            for aid in list.aids.get(..list.count.into()).ok_or(Refused::Range)? {
                out.put([*aid, 0])?;
            }
        }
        out.put([9, TIME_START_AND_END])?;
        out.put(self.start.to_be_bytes())?;
        out.put(self.end.to_be_bytes())?;
        self.signature.encode(out)
    }

    #[inline]
    fn decode(input: &mut Input<'_>) -> Result<Certificate, Refused> {
        if input.take()? != [1, 9, DIGEST] {
            return Err(Refused::Range);
        }
        let issuer = input.take()?;
        if input.take()? != [AUTHORIZATION_TICKET, 0] {
            return Err(Refused::Range);
        }
        let (mut key, mut assurance, mut permissions) = (None, None, None);
        let mut attributes = input.vector()?;
        while let Some(number) = attributes.next() {
            match number {
                VERIFICATION_KEY => {
                    let [0, which @ 2..=3] = attributes.take()? else { return Err(Refused::Range) };
                    key = Some(Key { odd: which == 3, x: attributes.take()? });
                }
                ASSURANCE_LEVEL => assurance = attributes.next(),
                ITS_AID_SSP_LIST => {
                    let mut list = Permissions::default();
                    let mut all = attributes.vector()?;
                    while let Some(aid) = all.next() {
                        let place = list.aids.get_mut(usize::from(list.count)).ok_or(Refused::Range)?;
                        if aid > 127 || all.take()? != [0] {
                            return Err(Refused::Range);
                        }
                        *place = aid;
                        list.count += 1;
                    }
                    permissions = Some(list);
                }
                _ => return Err(Refused::Range),
            }
        }
        if input.take()? != [9, TIME_START_AND_END] {
            return Err(Refused::Range);
        }
        let start = u32::from_be_bytes(input.take()?);
        let end = u32::from_be_bytes(input.take()?);
        Ok(Certificate { issuer, key, assurance, permissions, start, end, signature: Signature::decode(input)? })
    }
}

impl Signature {
    #[inline]
    fn encode(&self, out: &mut Output<'_>) -> Result<(), Refused> {
        out.put([0, 0])?;
        out.put(self.r)?;
        out.put(self.s)
    }

    #[inline]
    fn decode(input: &mut Input<'_>) -> Result<Signature, Refused> {
        if input.take()? != [0, 0] {
            return Err(Refused::Range);
        }
        Ok(Signature { r: input.take()?, s: input.take()? })
    }
}

struct Input<'a> {
    rest: &'a [u8],
}

impl<'a> Input<'a> {
    #[inline(always)]
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Refused> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(Refused::Length)?;
        self.rest = rest;
        Ok(*taken)
    }

    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// What a length in octets stands in front of, of up to 16383.
    #[inline(always)]
    fn vector(&mut self) -> Result<Input<'a>, Refused> {
        let [first] = self.take()?;
        let length = match first {
            0..0x80 => usize::from(first),
            0x80..0xC0 => usize::from(first & 0x3F) << 8 | usize::from(self.take::<1>()?[0]),
            _ => return Err(Refused::Range),
        };
        let (inside, rest) = self.rest.split_at_checked(length).ok_or(Refused::Length)?;
        self.rest = rest;
        Ok(Input { rest: inside })
    }
}

struct Output<'a> {
    rest: &'a mut [u8],
}

impl Output<'_> {
    #[inline(always)]
    fn put<const N: usize>(&mut self, octets: [u8; N]) -> Result<(), Refused> {
        let (place, rest) = std::mem::take(&mut self.rest).split_first_chunk_mut().ok_or(Refused::Length)?;
        *place = octets;
        self.rest = rest;
        Ok(())
    }

    #[inline(always)]
    fn length(&mut self, octets: usize) -> Result<(), Refused> {
        if octets < 128 { self.put([octets as u8]) } else { self.put([0x80 | (octets >> 8) as u8, octets as u8]) }
    }
}

/// The message from its JER text.
pub(super) fn read(text: &str) -> Result<Envelope, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let field = |name: &str| value["header_fields"].as_array()?.iter().find_map(|field| field.get(name));
    let signer = field("signer_info").ok_or("no signer")?;
    let location = field("generation_location").map(|place| {
        Ok::<_, String>(Location {
            latitude: number(&place["latitude"])?,
            longitude: number(&place["longitude"])?,
            elevation: u16::from_be_bytes(octets(&place["elevation"])?),
        })
    });
    Ok(Envelope {
        profile: number(&value["security_profile"])?,
        signer: match signer.get("certificate_digest") {
            Some(digest) => Signer::Digest(octets(digest)?),
            None => Signer::Certificate(read_certificate(&signer["certificate"])?),
        },
        generation_time: number(field("generation_time").ok_or("no time")?)?,
        location: location.transpose()?,
        message_type: field("message_type").map(number).transpose()?,
        signature: read_signature(&value["trailer_fields"][0]["signature"])?,
    })
}

fn read_certificate(value: &Value) -> Result<Certificate, String> {
    let attribute = |name: &str| value["subject_attributes"].as_array()?.iter().find_map(|one| one.get(name));
    let key = attribute("verification_key").map(|key| {
        let point = &key["ecdsa_nistp256_with_sha256"];
        let even = point.get("compressed_lsb_y_0");
        Ok::<_, String>(Key { odd: even.is_none(), x: octets(even.unwrap_or(&point["compressed_lsb_y_1"]))? })
    });
    let assurance = attribute("assurance_level").map(|level| Ok::<_, String>(octets::<1>(level)?[0]));
    let permissions = attribute("its_aid_ssp_list").and_then(Value::as_array).map(|all| {
        let mut list = Permissions::default();
        for (place, one) in list.aids.iter_mut().zip(all) {
            *place = number(&one["its_aid"])?;
            list.count += 1;
        }
        Ok::<_, String>(list)
    });
    let period = &value["validity_restrictions"][0]["time_start_and_end"];
    Ok(Certificate {
        issuer: octets(&value["signer_info"][0]["certificate_digest"])?,
        key: key.transpose()?,
        assurance: assurance.transpose()?,
        permissions: permissions.transpose()?,
        start: number(&period["start_validity"])?,
        end: number(&period["end_validity"])?,
        signature: read_signature(&value["signature"])?,
    })
}

fn read_signature(value: &Value) -> Result<Signature, String> {
    let signature = &value["ecdsa_nistp256_with_sha256"];
    Ok(Signature { r: octets(&signature["r"]["x_coordinate_only"])?, s: octets(&signature["s"])? })
}

fn number<T: TryFrom<i64>>(value: &Value) -> Result<T, String> {
    value.as_i64().and_then(|number| number.try_into().ok()).ok_or_else(|| format!("{value} is not the number"))
}

fn octets<const N: usize>(value: &Value) -> Result<[u8; N], String> {
    let found = value.as_str().and_then(hex::decode).and_then(|octets| octets.try_into().ok());
    found.ok_or_else(|| format!("{value} is not {N} octets"))
}
