//! Security envelopes of both ages, as far as it takes to find the payload: TS 103 097 V1.1.1 and
//! V1.2.1, and IEEE 1609.2, of which TS 103 097 V1.3.1 and later are profiles.
//!
//! Certificates and signatures are not read here: they are for a codec of the whole message, and
//! for the crate `roadwire-security`.

use crate::fault::{Error, faults};
use crate::octets::{Input, Output};
use crate::time::{self, Time};

/// A security envelope: the octets before its payload, the payload, and the octets after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope<'a> {
    /// The format that its first octet says.
    pub format: Format,
    /// How its payload is secured.
    pub content: Content,
    /// The octets before the payload.
    pub head: &'a [u8],
    /// The payload. It is empty where it is encrypted, or not in the message.
    pub payload: &'a [u8],
    /// The octets after the payload, up to the end of the envelope. In IEEE 1609.2 that end is
    /// unknown without reading certificates: there it is all that follows.
    pub tail: &'a [u8],
    /// Which application the message is for: PSID, ITS-AID, or what the message type of V1.1.1
    /// stands for (36 CAM, 37 DENM).
    pub psid: Option<u64>,
    /// When it was made: microseconds since 2004-01-01T00:00:00 UTC, counting leap seconds (TAI),
    /// see [`Time::of_message`]. In V1.1.1 since 2010-01-01:
    /// [`generation_time`](Envelope::generation_time) knows the difference.
    pub generated: Option<u64>,
    /// Who signed it.
    pub signer: Option<Signer>,
}

/// The format of a security envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// TS 103 097 V1.1.1: protocol version 1.
    V1_1,
    /// TS 103 097 V1.2.1: protocol version 2.
    V1_2,
    /// IEEE 1609.2-2016 and later: protocol version 3.
    Dot2,
}

impl Format {
    /// Its name in records: the standard and its version, such as `ts103097-1.2.1`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::V1_1 => "ts103097-1.1.1",
            Format::V1_2 => "ts103097-1.2.1",
            Format::Dot2 => "ieee1609.2",
        }
    }
}

/// How a payload is secured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// It is not.
    Unsecured,
    /// It is signed, and any receiver may read it.
    Signed,
    /// It is signed, and is not in the message: its hash alone is, or it is encrypted.
    SignedElsewhere,
    /// It is encrypted.
    Encrypted,
    /// A request for a certificate (IEEE 1609.2 §6.3.4).
    CertificateRequest,
}

/// Who signed a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signer {
    /// The holder of the certificate with this digest.
    Digest([u8; 8]),
    /// The holder of the certificate that is in the message, or of the last one of a chain.
    Certificate,
    /// The message itself has the key.
    Itself,
}

impl<'a> Envelope<'a> {
    /// Reads it, and returns what follows: in IEEE 1609.2 nothing ever does, see
    /// [`tail`](Envelope::tail).
    ///
    /// # Errors
    /// `security.version`, `security.content`, `security.nested`, `security.length`,
    /// `frame.truncated`.
    pub fn decode(input: &'a [u8]) -> Result<(Envelope<'a>, &'a [u8]), Error> {
        match input.first() {
            Some(1) => first_age(Input::new(input), Format::V1_1),
            Some(2) => first_age(Input::new(input), Format::V1_2),
            Some(3) => dot2(Input::new(input)).map(|envelope| (envelope, &input[input.len()..])),
            Some(_) => Err(Error::new(faults::SECURITY_VERSION, 0)),
            None => Err(Error::new(faults::TRUNCATED, 0)),
        }
    }

    /// When it was made, in UTC; nothing where it does not say so, or where the number is beyond
    /// 2^64 microseconds.
    #[must_use]
    pub fn generation_time(&self) -> Option<Time> {
        let since = if self.format == Format::V1_1 { time::from_2004_to_2010() } else { 0 };
        self.generated?.checked_add(since).map(Time::of_message)
    }

    /// Writes it.
    ///
    /// # Errors
    /// `output.full`.
    pub fn encode(&self, out: &mut Output<'_>) -> Result<(), Error> {
        [self.head, self.payload, self.tail].into_iter().try_for_each(|octets| out.octets(octets))
    }

    /// An envelope of this format of which nothing has been read but the protocol version.
    const fn empty(format: Format, content: Content) -> Envelope<'a> {
        let none: &[u8] = &[];
        Envelope { format, content, head: none, payload: none, tail: none, psid: None, generated: None, signer: None }
    }
}

/// TS 103 097 V1.1.1 and V1.2.1 §5.1: header fields, payload, trailer fields. V1.1.1 has a list of
/// payloads; the first one counts.
fn first_age(mut input: Input<'_>, format: Format) -> Result<(Envelope<'_>, &[u8]), Error> {
    let whole = input;
    let mut found = Envelope::empty(format, Content::Unsecured);
    // Protocol version, and in V1.1.1 the security profile.
    input.take(if format == Format::V1_1 { 2 } else { 1 })?;
    let length = int_x(&mut input)?;
    header_fields(input.take(length)?, &mut found);
    let payloads_end = if format == Format::V1_1 {
        let length = int_x(&mut input)?;
        let mut behind = input;
        behind.take(length)?;
        Some(behind.at())
    } else {
        None
    };
    let at = input.at();
    let payload_type = match payloads_end {
        Some(end) if end == at => 0,
        _ => input.u8()?,
    };
    found.content = match payload_type {
        0 => Content::Unsecured,
        1 => Content::Signed,
        2 | 4 => Content::Encrypted,
        3 => Content::SignedElsewhere,
        _ => return Err(Error::new(faults::SECURITY_CONTENT, at)),
    };
    let has_data = payloads_end != Some(at) && payload_type != 3;
    let data = if has_data {
        let length = int_x(&mut input)?;
        (input.at(), input.take(length)?)
    } else {
        (input.at(), &[][..])
    };
    if let Some(end) = payloads_end {
        // Data that goes beyond the list it is in.
        let more = end.checked_sub(input.at()).ok_or(Error::new(faults::TRUNCATED, at))?;
        input.take(more)?;
    }
    let length = int_x(&mut input)?;
    input.take(length)?;
    let (start, octets) = data;
    let is_clear = matches!(found.content, Content::Unsecured | Content::Signed);
    found.payload = if is_clear { octets } else { &[] };
    split(&mut found, whole.rest(), start, input.at());
    Ok((found, input.rest()))
}

/// Sets the octets before the payload, which begins at `start`, and those after it up to `end`.
fn split<'a>(found: &mut Envelope<'a>, whole: &'a [u8], start: usize, end: usize) {
    found.head = whole.get(..start).unwrap_or(&[]);
    found.tail = whole.get(start + found.payload.len()..end).unwrap_or(&[]);
}

/// The header fields before the first one whose length is not known here: a certificate, or
/// encrypted data (TS 103 097 V1.2.1 §5.4).
fn header_fields(octets: &[u8], found: &mut Envelope<'_>) {
    let mut input = Input::new(octets);
    while !input.rest().is_empty() && header_field(&mut input, found).is_some() {}
}

/// Nothing if the length of the field is not known.
fn header_field(input: &mut Input<'_>, found: &mut Envelope<'_>) -> Option<()> {
    match (input.u8().ok()?, found.format) {
        (0, _) => found.generated = Some(input.u64().ok()?),
        (1, _) => {
            found.generated = Some(input.u64().ok()?);
            input.u8().ok()?;
        }
        (2, _) => drop(input.take(4).ok()?),
        (3, _) => drop(input.take(10).ok()?),
        (4, _) => {
            let length = int_x(input).ok()?;
            input.take(length).ok()?;
        }
        (5, Format::V1_1) => {
            found.psid = match input.u16().ok()? {
                1 => Some(37),
                2 => Some(36),
                _ => None,
            };
        }
        (5, _) => found.psid = Some(int_x(input).ok()? as u64),
        (128, _) => match input.u8().ok()? {
            0 => found.signer = Some(Signer::Itself),
            1 => found.signer = Some(Signer::Digest(input.array().ok()?)),
            2 | 3 => {
                found.signer = Some(Signer::Certificate);
                return None;
            }
            _ => return None,
        },
        _ => return None,
    }
    Some(())
}

/// IntX (TS 103 097 V1.2.1 §4.1): as many leading ones as octets follow.
fn int_x(input: &mut Input<'_>) -> Result<usize, Error> {
    let at = input.at();
    let first = input.u8()?;
    let more = first.leading_ones();
    if more > 3 {
        return Err(Error::new(faults::SECURITY_LENGTH, at));
    }
    let head = usize::from(first & (0x7f >> more));
    Ok(input.take(more as usize)?.iter().fold(head, |value, octet| value << 8 | usize::from(*octet)))
}

/// Ieee1609Dot2Data in COER (IEEE 1609.2 §6.3).
fn dot2(mut input: Input<'_>) -> Result<Envelope<'_>, Error> {
    let whole = input.rest();
    input.u8()?;
    let at = input.at();
    let mut found = Envelope::empty(Format::Dot2, Content::Unsecured);
    let mut start = None;
    match input.u8()? {
        0x80 => (start, found.payload) = opaque(&mut input)?,
        0x81 => {
            found.content = Content::SignedElsewhere;
            // The hash algorithm.
            input.u8()?;
            let preamble = input.u8()?;
            if preamble & 0x40 != 0 && !inner(&mut input, &mut found, &mut start)? {
                // Encrypted, and then signed: the fields after it are not reached.
                split(&mut found, whole, whole.len(), whole.len());
                return Ok(found);
            }
            after_payload(&mut input, preamble, &mut found)?;
        }
        0x82 => found.content = Content::Encrypted,
        0x83 | 0x84 => found.content = Content::CertificateRequest,
        _ => return Err(Error::new(faults::SECURITY_CONTENT, at)),
    }
    split(&mut found, whole, start.unwrap_or(whole.len()), whole.len());
    Ok(found)
}

/// The data that is signed (IEEE 1609.2 §6.3.7): false if it is encrypted, so that its end is not
/// known.
fn inner<'a>(input: &mut Input<'a>, found: &mut Envelope<'a>, start: &mut Option<usize>) -> Result<bool, Error> {
    let at = input.at();
    if input.u8()? != 3 {
        return Err(Error::new(faults::SECURITY_VERSION, at));
    }
    let at = input.at();
    match input.u8()? {
        0x80 => {
            (*start, found.payload) = opaque(input)?;
            found.content = Content::Signed;
            Ok(true)
        }
        0x81 => Err(Error::new(faults::SECURITY_NESTED, at)),
        0x82 => Ok(false),
        _ => Err(Error::new(faults::SECURITY_CONTENT, at)),
    }
}

/// Reads the parts after the data in signed data: a hash of data elsewhere, additions, the header
/// info (IEEE 1609.2 §6.3.9), and who signed.
fn after_payload(input: &mut Input<'_>, preamble: u8, found: &mut Envelope<'_>) -> Result<(), Error> {
    if preamble & 0x20 != 0 {
        let is_sha_256 = input.u8()? == 0x80;
        let length = if is_sha_256 { 32 } else { length(input)? };
        input.take(length)?;
    }
    if preamble & 0x80 != 0 {
        additions(input)?;
    }
    let preamble = input.u8()?;
    let psid = {
        let length = length(input)?;
        input.take(length)?
    };
    found.psid = (psid.len() <= 8).then(|| psid.iter().fold(0, |value, octet| value << 8 | u64::from(*octet)));
    if preamble & 0x40 != 0 {
        found.generated = Some(input.u64()?);
    }
    // Expiry time, generation location, and a request for a certificate.
    for (bit, length) in [(0x20, 8), (0x10, 10), (0x08, 3)] {
        if preamble & bit != 0 {
            input.take(length)?;
        }
    }
    // A CRL that is missing, which is extensible.
    if preamble & 0x04 != 0 && input.take(6)?.first().is_some_and(|octet| octet & 0x80 != 0) {
        additions(input)?;
    }
    if preamble & 0x02 != 0 {
        // An encryption key, in one of many forms: the signer is not searched for.
        return Ok(());
    }
    if preamble & 0x80 != 0 {
        additions(input)?;
    }
    found.signer = match input.u8()? {
        0x80 => Some(Signer::Digest(input.array()?)),
        0x81 => Some(Signer::Certificate),
        0x82 => Some(Signer::Itself),
        _ => None,
    };
    Ok(())
}

/// Octets after their length, and where they begin.
fn opaque<'a>(input: &mut Input<'a>) -> Result<(Option<usize>, &'a [u8]), Error> {
    let length = length(input)?;
    Ok((Some(input.at()), input.take(length)?))
}

/// Extension additions: a bitmap, and an open type for each of its ones (X.696 §16.4, §16.5).
fn additions(input: &mut Input<'_>) -> Result<(), Error> {
    let bits = length(input)?;
    // The first octet says how many bits of the last one are unused: zeros, as in all canonical
    // encodings.
    let present: u32 = input.take(bits)?.iter().skip(1).map(|octet| octet.count_ones()).sum();
    for _ in 0..present {
        let length = length(input)?;
        input.take(length)?;
    }
    Ok(())
}

/// A length determinant (X.696 §8.6).
fn length(input: &mut Input<'_>) -> Result<usize, Error> {
    let at = input.at();
    let first = input.u8()?;
    if first < 0x80 {
        return Ok(first.into());
    }
    let more = usize::from(first & 0x7f);
    if more == 0 || more > 4 {
        return Err(Error::new(faults::SECURITY_LENGTH, at));
    }
    Ok(input.take(more)?.iter().fold(0, |value, octet| value << 8 | usize::from(*octet)))
}
