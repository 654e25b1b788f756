//! A signed message in the envelope of TS 103 097 V2.1.1, COER (X.696), by hand, for the profiles
//! of CAM, DENM, CPM and VAM: a payload that is not encrypted, a time, perhaps a place, and a
//! signer by digest or by its certificate.
//!
//! The certificate is an authorization ticket without a name or a region, with up to eight
//! permissions and a compressed key; signatures are on NIST P-256 with x alone. Anything else is
//! refused. The payload is borrowed from the input; no heap is used.

use std::borrow::Cow;

use serde_json::Value;

use super::Refused;
use super::octets::{Input, Output, number, octets, string};

/// Room for a packet.
pub(super) const ROOM: usize = 4096;

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Data<'a> {
    payload: Cow<'a, [u8]>,
    psid: u32,
    time: u64,
    place: Option<Place>,
    signer: Signer,
    signature: Signature,
}

#[derive(Debug, Clone, PartialEq)]
struct Place {
    latitude: i32,
    longitude: i32,
    elevation: u16,
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

#[derive(Debug, Clone, Default, PartialEq)]
struct Certificate {
    issuer: [u8; 8],
    craca: [u8; 3],
    series: u16,
    start: u32,
    /// The unit's place in its list, and how many.
    duration: (u8, u16),
    count: u8,
    permissions: [Permission; 8],
    odd: bool,
    key: [u8; 32],
    signature: Signature,
}

/// An application, and a bitmap of up to 31 octets.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Permission {
    psid: u32,
    octets: u8,
    ssp: [u8; 31],
}

#[derive(Debug, Clone, Default, PartialEq)]
struct Signature {
    r: [u8; 32],
    s: [u8; 32],
}

/// Version 3, signedData, SHA-256, data alone, version 3, unsecuredData.
const HEAD: [u8; 6] = [3, 0x81, 0, 0x40, 3, 0x80];

const LATITUDE: i32 = 900_000_000;
const LONGITUDE: i32 = 1_800_000_000;

#[inline]
pub(super) fn encode(message: &Data<'_>, out: &mut [u8; ROOM]) -> Result<usize, Refused> {
    let mut out = Output { rest: out };
    out.put(HEAD)?;
    put_length(message.payload.len(), &mut out)?;
    out.octets(&message.payload)?;
    // A time, and perhaps a place.
    out.put([0x40 | if message.place.is_some() { 0x10 } else { 0 }])?;
    put_number(message.psid, &mut out)?;
    out.put(message.time.to_be_bytes())?;
    if let Some(place) = &message.place {
        place.check()?;
        out.put(place.latitude.to_be_bytes())?;
        out.put(place.longitude.to_be_bytes())?;
        out.put(place.elevation.to_be_bytes())?;
    }
    match &message.signer {
        Signer::Digest(digest) => {
            out.put([0x80])?;
            out.put(*digest)?;
        }
        Signer::Certificate(certificate) => {
            // One certificate.
            out.put([0x81, 1, 1])?;
            certificate.encode(&mut out)?;
        }
    }
    message.signature.encode(&mut out)?;
    Ok(ROOM - out.rest.len())
}

/// Decodes over the content of the place.
#[inline]
pub(super) fn decode<'a>(input: &'a [u8], place: &mut Option<Data<'a>>) -> Result<(), Refused> {
    let message = place.get_or_insert_default();
    let mut input = Input { rest: input };
    expect(HEAD, &mut input)?;
    let length = length(&mut input)?;
    message.payload = Cow::Borrowed(slice(length, &mut input)?);
    let [header] = input.take()?;
    message.psid = get_number(&mut input)?;
    message.time = u64::from_be_bytes(input.take()?);
    message.place = match header {
        0x40 => None,
        0x50 => {
            let place = Place {
                latitude: i32::from_be_bytes(input.take()?),
                longitude: i32::from_be_bytes(input.take()?),
                elevation: u16::from_be_bytes(input.take()?),
            };
            place.check()?;
            Some(place)
        }
        _ => return Err(Refused::Range),
    };
    match (input.take()?, &mut message.signer) {
        ([0x80], Signer::Digest(digest)) => *digest = input.take()?,
        ([0x80], other) => *other = Signer::Digest(input.take()?),
        ([0x81], Signer::Certificate(certificate)) => certificate.decode(&mut input)?,
        ([0x81], other) => {
            let mut certificate = Certificate::default();
            certificate.decode(&mut input)?;
            *other = Signer::Certificate(certificate);
        }
        _ => return Err(Refused::Range),
    }
    message.signature.decode(&mut input)
}

impl Place {
    #[inline(always)]
    fn check(&self) -> Result<(), Refused> {
        let fits = (-LATITUDE..=LATITUDE + 1).contains(&self.latitude)
            && (-LONGITUDE + 1..=LONGITUDE + 1).contains(&self.longitude);
        if fits { Ok(()) } else { Err(Refused::Range) }
    }
}

impl Certificate {
    #[inline]
    fn encode(&self, out: &mut Output<'_>) -> Result<(), Refused> {
        // Signed; version 3, explicit, the issuer by SHA-256.
        out.put([0x80, 3, 0, 0x80])?;
        out.put(self.issuer)?;
        // Permissions alone; no name.
        out.put([0x10, 0x83])?;
        out.put(self.craca)?;
        out.put(self.series.to_be_bytes())?;
        out.put(self.start.to_be_bytes())?;
        let (unit, duration) = self.duration;
        if unit > 6 {
            return Err(Refused::Range);
        }
        out.put([0x80 | unit])?;
        out.put(duration.to_be_bytes())?;
        out.put([1, self.count])?;
        for one in self.permissions.get(..self.count.into()).ok_or(Refused::Range)? {
            out.put([0x80])?;
            put_number(one.psid, out)?;
            let ssp = one.ssp.get(..one.octets.into()).ok_or(Refused::Range)?;
            out.put([0x81, one.octets + 1, one.octets])?;
            out.octets(ssp)?;
        }
        out.put([0x80, 0x80, 0x82 + u8::from(self.odd)])?;
        out.put(self.key)?;
        self.signature.encode(out)
    }

    #[inline]
    fn decode(&mut self, input: &mut Input<'_>) -> Result<(), Refused> {
        expect([1, 1, 0x80, 3, 0, 0x80], input)?;
        self.issuer = input.take()?;
        expect([0x10, 0x83], input)?;
        self.craca = input.take()?;
        self.series = u16::from_be_bytes(input.take()?);
        self.start = u32::from_be_bytes(input.take()?);
        let [unit] = input.take()?;
        self.duration = (unit.wrapping_sub(0x80), u16::from_be_bytes(input.take()?));
        let [octets, count] = input.take()?;
        if octets != 1 || self.duration.0 > 6 {
            return Err(Refused::Range);
        }
        self.count = count;
        for one in self.permissions.get_mut(..count.into()).ok_or(Refused::Range)? {
            expect([0x80], input)?;
            one.psid = get_number(input)?;
            let [tag, open, octets] = input.take()?;
            if tag != 0x81 || open != octets.wrapping_add(1) {
                return Err(Refused::Range);
            }
            let ssp = slice(octets.into(), input)?;
            one.ssp.get_mut(..ssp.len()).ok_or(Refused::Range)?.copy_from_slice(ssp);
            one.octets = octets;
        }
        let [0x80, 0x80, form @ 0x82..=0x83] = input.take()? else { return Err(Refused::Range) };
        self.odd = form == 0x83;
        self.key = input.take()?;
        self.signature.decode(input)
    }
}

impl Signature {
    #[inline(always)]
    fn encode(&self, out: &mut Output<'_>) -> Result<(), Refused> {
        out.put([0x80, 0x80])?;
        out.put(self.r)?;
        out.put(self.s)
    }

    #[inline(always)]
    fn decode(&mut self, input: &mut Input<'_>) -> Result<(), Refused> {
        expect([0x80, 0x80], input)?;
        self.r = input.take()?;
        self.s = input.take()?;
        Ok(())
    }
}

#[inline(always)]
fn expect<const N: usize>(octets: [u8; N], input: &mut Input<'_>) -> Result<(), Refused> {
    if input.take()? == octets { Ok(()) } else { Err(Refused::Range) }
}

#[inline(always)]
fn slice<'a>(length: usize, input: &mut Input<'a>) -> Result<&'a [u8], Refused> {
    let (inside, rest) = input.rest.split_at_checked(length).ok_or(Refused::Length)?;
    input.rest = rest;
    Ok(inside)
}

/// A length of up to 65535 octets (X.696 §8.6.5).
#[inline(always)]
fn put_length(octets: usize, out: &mut Output<'_>) -> Result<(), Refused> {
    match octets {
        0..0x80 => out.put([octets as u8]),
        0x80..0x100 => out.put([0x81, octets as u8]),
        0x100..0x1_0000 => out.put([0x82, (octets >> 8) as u8, octets as u8]),
        _ => Err(Refused::Range),
    }
}

#[inline(always)]
fn length(input: &mut Input<'_>) -> Result<usize, Refused> {
    let [first] = input.take()?;
    let (length, least) = match first {
        0..=0x7F => (first.into(), 0),
        0x81 => (input.take::<1>()?[0].into(), 0x80),
        0x82 => (u16::from_be_bytes(input.take()?).into(), 0x100),
        _ => return Err(Refused::Range),
    };
    if length >= least { Ok(length) } else { Err(Refused::Range) }
}

/// A number without bounds above, in as few octets as it has.
#[inline(always)]
fn put_number(value: u32, out: &mut Output<'_>) -> Result<(), Refused> {
    let [a, b, c, d] = value.to_be_bytes();
    match value {
        0..0x100 => out.put([1, d]),
        0x100..0x1_0000 => out.put([2, c, d]),
        0x1_0000..0x100_0000 => out.put([3, b, c, d]),
        _ => out.put([4, a, b, c, d]),
    }
}

#[inline(always)]
fn get_number(input: &mut Input<'_>) -> Result<u32, Refused> {
    let (number, least) = match input.take()? {
        [1] => (input.take::<1>()?[0].into(), 0),
        [2] => (u16::from_be_bytes(input.take()?).into(), 0x100),
        [3] => {
            let [a, b, c] = input.take()?;
            (u32::from_be_bytes([0, a, b, c]), 0x1_0000)
        }
        [4] => (u32::from_be_bytes(input.take()?), 0x100_0000),
        _ => return Err(Refused::Range),
    };
    if number >= least { Ok(number) } else { Err(Refused::Range) }
}

/// The message from its JER text.
pub(super) fn read(text: &str) -> Result<Data<'static>, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let signed = &value["content"]["signedData"];
    let header = &signed["tbsData"]["headerInfo"];
    let place = header.get("generationLocation").map(|place| {
        Ok::<_, String>(Place {
            latitude: number(&place["latitude"])?,
            longitude: number(&place["longitude"])?,
            elevation: number(&place["elevation"])?,
        })
    });
    Ok(Data {
        payload: Cow::Owned(string(&signed["tbsData"]["payload"]["data"]["content"]["unsecuredData"])?),
        psid: number(&header["psid"])?,
        time: number(&header["generationTime"])?,
        place: place.transpose()?,
        signer: match signed["signer"].get("digest") {
            Some(digest) => Signer::Digest(octets(digest)?),
            None => Signer::Certificate(read_certificate(&signed["signer"]["certificate"][0])?),
        },
        signature: read_signature(&signed["signature"])?,
    })
}

fn read_certificate(value: &Value) -> Result<Certificate, String> {
    const UNITS: [&str; 7] = ["microseconds", "milliseconds", "seconds", "minutes", "hours", "sixtyHours", "years"];
    let signed = &value["toBeSigned"];
    let period = &signed["validityPeriod"];
    let mut units = UNITS.iter().zip(0..).filter_map(|(unit, at)| Some((at, period["duration"].get(unit)?)));
    let (unit, duration) = units.next().ok_or("no duration")?;
    let all = signed["appPermissions"].as_array().ok_or("no permissions")?;
    let mut permissions = [Permission::default(); 8];
    for (at, one) in all.iter().enumerate() {
        let ssp = string(&one["ssp"]["bitmapSsp"])?;
        let place = permissions.get_mut(at).ok_or("too many permissions")?;
        (place.psid, place.octets) = (number(&one["psid"])?, ssp.len() as u8);
        place.ssp.get_mut(..ssp.len()).ok_or("too long a bitmap")?.copy_from_slice(&ssp);
    }
    let key = &signed["verifyKeyIndicator"]["verificationKey"]["ecdsaNistP256"];
    let even = key.get("compressed-y-0");
    Ok(Certificate {
        issuer: octets(&value["issuer"]["sha256AndDigest"])?,
        craca: octets(&signed["cracaId"])?,
        series: number(&signed["crlSeries"])?,
        start: number(&period["start"])?,
        duration: (unit, number(duration)?),
        count: all.len() as u8,
        permissions,
        odd: even.is_none(),
        key: octets(even.unwrap_or(&key["compressed-y-1"]))?,
        signature: read_signature(&value["signature"])?,
    })
}

fn read_signature(value: &Value) -> Result<Signature, String> {
    let signature = &value["ecdsaNistP256Signature"];
    Ok(Signature { r: octets(&signature["rSig"]["x-only"])?, s: octets(&signature["sSig"])? })
}
