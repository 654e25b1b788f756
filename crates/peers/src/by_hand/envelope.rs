//! The security envelope in its binary format (TS 103 097 V1.1.1), by hand, as a person would write
//! it for the profiles of the studies' messages.
//!
//! It takes header fields and attributes in any order, each once at most: the signer's digest or
//! certificate, times, place and message type, signed payload of any length, and in the certificate
//! an issuer by digest, a verification key in compressed form, the assurance level, up to four
//! applications with their permissions, and a period. Everything is checked, including lengths
//! against their contents; nothing is a template. The rest of the format is refused: other
//! alternatives, unknown fields, extensions of the lists. The payload is borrowed from the input;
//! no heap is used.

use std::borrow::Cow;

use serde_json::Value;

use super::Refused;
use super::octets::{Input, Output, length_octets, number, octets, string};

/// Room for any of these messages.
pub(super) const ROOM: usize = 512;

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Envelope<'a> {
    profile: u8,
    signer: Signer,
    generation_time: u64,
    location: Option<Location>,
    message_type: Option<u16>,
    payload: Cow<'a, [u8]>,
    signature: Signature,
}

#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a vehicle has no heap for it")]
enum Signer {
    Digest([u8; 8]),
    Certificate(Certificate),
}

impl Default for Signer {
    fn default() -> Self {
        Signer::Digest([0; 8])
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Location {
    latitude: i32,
    longitude: i32,
    elevation: u16,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Certificate {
    issuer: [u8; 8],
    key: Option<Key>,
    assurance: Option<u8>,
    permissions: Option<Permissions>,
    start: u32,
    end: u32,
    signature: Signature,
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Key {
    odd: bool,
    x: [u8; 32],
}

/// Up to four applications.
#[derive(Debug, Clone, Default, PartialEq)]
struct Permissions {
    count: u8,
    all: [Permission; 4],
}

/// An application, and up to 31 octets of its service's permissions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Permission {
    aid: u32,
    octets: u8,
    ssp: [u8; 31],
}

/// R by its x coordinate.
#[derive(Debug, Clone, Default, PartialEq)]
struct Signature {
    r: [u8; 32],
    s: [u8; 32],
}

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
pub(super) fn encode(message: &Envelope<'_>, out: &mut [u8]) -> Result<usize, Refused> {
    let signer = match &message.signer {
        Signer::Digest(_) => 9,
        Signer::Certificate(certificate) => 1 + certificate.octets(),
    };
    let location = if message.location.is_some() { 11 } else { 0 };
    let message_type = if message.message_type.is_some() { 3 } else { 0 };
    let fields = 1 + signer + 9 + location + message_type;
    let payload = message.payload.len();
    let payload_field = 1 + length_octets(payload) + payload;
    let length =
        2 + length_octets(fields) + fields + length_octets(payload_field) + payload_field + 2 + SIGNATURE_OCTETS;
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
        out.put([MESSAGE_TYPE])?;
        out.put(number.to_be_bytes())?;
    }
    out.length(payload_field)?;
    out.put([SIGNED])?;
    out.length(payload)?;
    out.octets(&message.payload)?;
    out.put([1 + SIGNATURE_OCTETS as u8, SIGNATURE])?;
    message.signature.encode(&mut out)?;
    Ok(length)
}

/// Decodes over the content of the place.
#[inline]
pub(super) fn decode<'a>(octets: &'a [u8], place: &mut Option<Envelope<'a>>) -> Result<(), Refused> {
    let message = place.get_or_insert_default();
    let mut input = Input { rest: octets };
    let [1, profile] = input.take()? else { return Err(Refused::Range) };
    message.profile = profile;
    (message.location, message.message_type) = (None, None);
    let mut fields = input.vector()?;
    let mut seen = 0u32;
    while let Some(number) = fields.next() {
        let bit = match number {
            SIGNER_INFO => {
                message.signer.decode(&mut fields)?;
                1
            }
            GENERATION_TIME => {
                message.generation_time = u64::from_be_bytes(fields.take()?);
                2
            }
            GENERATION_LOCATION => {
                message.location = Some(Location {
                    latitude: i32::from_be_bytes(fields.take()?),
                    longitude: i32::from_be_bytes(fields.take()?),
                    elevation: u16::from_be_bytes(fields.take()?),
                });
                4
            }
            MESSAGE_TYPE => {
                message.message_type = Some(u16::from_be_bytes(fields.take()?));
                8
            }
            _ => return Err(Refused::Range),
        };
        if seen & bit != 0 {
            return Err(Refused::Range);
        }
        seen |= bit;
    }
    if seen & 3 != 3 {
        return Err(Refused::Range);
    }
    let mut payload = input.vector()?;
    if payload.take()? != [SIGNED] {
        return Err(Refused::Range);
    }
    message.payload = Cow::Borrowed(payload.vector()?.rest);
    let mut trailer = input.vector()?;
    if trailer.take()? != [SIGNATURE] {
        return Err(Refused::Range);
    }
    message.signature.decode(&mut trailer)?;
    if payload.rest.is_empty() && trailer.rest.is_empty() { Ok(()) } else { Err(Refused::Range) }
}

impl Signer {
    #[inline]
    fn decode(&mut self, input: &mut Input<'_>) -> Result<(), Refused> {
        match (input.take()?, &mut *self) {
            ([DIGEST], Signer::Digest(digest)) => *digest = input.take()?,
            ([DIGEST], _) => *self = Signer::Digest(input.take()?),
            ([CERTIFICATE], Signer::Certificate(certificate)) => certificate.decode(input)?,
            ([CERTIFICATE], _) => {
                let mut certificate = Certificate::default();
                certificate.decode(input)?;
                *self = Signer::Certificate(certificate);
            }
            _ => return Err(Refused::Range),
        }
        Ok(())
    }
}

/// How many octets an application's number takes.
fn aid_octets(aid: u32) -> usize {
    match aid {
        0..0x80 => 1,
        0x80..0x4000 => 2,
        0x4000..0x20_0000 => 3,
        0x20_0000..0x1000_0000 => 4,
        _ => 5,
    }
}

impl Permissions {
    fn used(&self) -> Result<&[Permission], Refused> {
        self.all.get(..self.count.into()).ok_or(Refused::Range)
    }

    fn octets(&self) -> Result<usize, Refused> {
        Ok(self.used()?.iter().map(|one| aid_octets(one.aid) + 1 + usize::from(one.octets)).sum())
    }

    fn encode(&self, out: &mut Output<'_>) -> Result<(), Refused> {
        out.length(self.octets()?)?;
        for one in self.used()? {
            match aid_octets(one.aid) {
                1 => out.put([one.aid as u8])?,
                2 => out.put((0x8000 | one.aid as u16).to_be_bytes())?,
                3 => out.put([0xc0 | (one.aid >> 16) as u8, (one.aid >> 8) as u8, one.aid as u8])?,
                4 => out.put((0xe000_0000 | one.aid).to_be_bytes())?,
                _ => return Err(Refused::Range),
            }
            out.put([one.octets])?;
            out.octets(one.ssp.get(..one.octets.into()).ok_or(Refused::Range)?)?;
        }
        Ok(())
    }

    fn decode(&mut self, input: &mut Input<'_>) -> Result<(), Refused> {
        self.count = 0;
        while !input.rest.is_empty() {
            let one = self.all.get_mut(usize::from(self.count)).ok_or(Refused::Range)?;
            let [first] = input.take()?;
            one.aid = match first {
                0..0x80 => first.into(),
                0x80..0xc0 => u32::from(first & 0x3f) << 8 | u32::from(input.take::<1>()?[0]),
                0xc0..0xe0 => u32::from(first & 0x1f) << 16 | u32::from(u16::from_be_bytes(input.take()?)),
                0xe0..0xf0 => {
                    let [a, b, c] = input.take()?;
                    u32::from_be_bytes([first & 0x0f, a, b, c])
                }
                _ => return Err(Refused::Range),
            };
            let ssp = input.vector()?.rest;
            one.octets = ssp.len() as u8;
            // Checking for an empty slice costs less than a call.
            if !ssp.is_empty() {
                one.ssp.get_mut(..ssp.len()).ok_or(Refused::Range)?.copy_from_slice(ssp);
            }
            self.count += 1;
        }
        Ok(())
    }
}

impl Certificate {
    /// How many octets it takes.
    fn octets(&self) -> usize {
        let attributes = self.attributes();
        1 + 10 + 2 + length_octets(attributes) + attributes + 1 + 9 + SIGNATURE_OCTETS
    }

    /// How many octets its attributes take. Permissions of too many are refused when they are
    /// written.
    fn attributes(&self) -> usize {
        let key = if self.key.is_some() { 35 } else { 0 };
        let assurance = if self.assurance.is_some() { 2 } else { 0 };
        let permissions = self.permissions.as_ref().map_or(0, |list| {
            let octets = list.octets().unwrap_or(0);
            1 + length_octets(octets) + octets
        });
        key + assurance + permissions
    }

    #[inline]
    fn encode(&self, out: &mut Output<'_>) -> Result<(), Refused> {
        out.put([1, 9, DIGEST])?;
        out.put(self.issuer)?;
        out.put([AUTHORIZATION_TICKET, 0])?;
        out.length(self.attributes())?;
        if let Some(key) = &self.key {
            out.put([VERIFICATION_KEY, 0, 2 + u8::from(key.odd)])?;
            out.put(key.x)?;
        }
        if let Some(level) = self.assurance {
            out.put([ASSURANCE_LEVEL, level])?;
        }
        if let Some(list) = &self.permissions {
            out.put([ITS_AID_SSP_LIST])?;
            list.encode(out)?;
        }
        out.put([9, TIME_START_AND_END])?;
        out.put(self.start.to_be_bytes())?;
        out.put(self.end.to_be_bytes())?;
        self.signature.encode(out)
    }

    #[inline]
    fn decode(&mut self, input: &mut Input<'_>) -> Result<(), Refused> {
        if input.take()? != [1, 9, DIGEST] {
            return Err(Refused::Range);
        }
        self.issuer = input.take()?;
        if input.take()? != [AUTHORIZATION_TICKET, 0] {
            return Err(Refused::Range);
        }
        let mut attributes = input.vector()?;
        let mut seen = 0u32;
        while let Some(number) = attributes.next() {
            let bit = match number {
                VERIFICATION_KEY => {
                    let [0, which @ 2..=3] = attributes.take()? else { return Err(Refused::Range) };
                    let key = self.key.get_or_insert_default();
                    *key = Key { odd: which == 3, x: attributes.take()? };
                    1
                }
                ASSURANCE_LEVEL => {
                    let [level] = attributes.take()?;
                    self.assurance = Some(level);
                    2
                }
                ITS_AID_SSP_LIST => {
                    self.permissions.get_or_insert_default().decode(&mut attributes.vector()?)?;
                    4
                }
                _ => return Err(Refused::Range),
            };
            if seen & bit != 0 {
                return Err(Refused::Range);
            }
            seen |= bit;
        }
        // Left over from an earlier message.
        if seen & 1 == 0 {
            self.key = None;
        }
        if seen & 2 == 0 {
            self.assurance = None;
        }
        if seen & 4 == 0 {
            self.permissions = None;
        }
        if input.take()? != [9, TIME_START_AND_END] {
            return Err(Refused::Range);
        }
        self.start = u32::from_be_bytes(input.take()?);
        self.end = u32::from_be_bytes(input.take()?);
        self.signature.decode(input)
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
    fn decode(&mut self, input: &mut Input<'_>) -> Result<(), Refused> {
        if input.take()? != [0, 0] {
            return Err(Refused::Range);
        }
        self.r = input.take()?;
        self.s = input.take()?;
        Ok(())
    }
}

/// The message from its JER text.
pub(super) fn read(text: &str) -> Result<Envelope<'static>, String> {
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
        payload: Cow::Owned(string(&value["payload_fields"][0]["signed"])?),
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
    let permissions = attribute("its_aid_ssp_list").and_then(Value::as_array).map(|all| -> Result<_, String> {
        let mut list = Permissions::default();
        for (place, one) in list.all.iter_mut().zip(all) {
            let ssp = string(&one["service_specific_permissions"])?;
            place.aid = number(&one["its_aid"])?;
            place.octets = ssp.len() as u8;
            place.ssp.get_mut(..ssp.len()).ok_or("too many permissions")?.copy_from_slice(&ssp);
            list.count += 1;
        }
        if all.len() > list.all.len() { Err("too many applications".into()) } else { Ok(list) }
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
