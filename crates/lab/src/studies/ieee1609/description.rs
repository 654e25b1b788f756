//! The messages, independent of the schema: the content of each, and its required length.

use super::encoding::Encoding;

/// One of the study's messages (a row of `studies/ieee1609/messages.csv`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// The paper's name: `SecuredData-025`.
    pub name: String,
    /// The row of the paper's tables in which it is, if any.
    pub row: Option<String>,
    /// The kind of content.
    pub kind: Kind,
    /// Octets of payload in the binary format and in ASN.1; for encrypted messages, of the
    /// ciphertext with its tag.
    octets: (usize, usize),
    /// Who signs it, or the number of recipients for whom it is encrypted.
    pub signer: Signer,
    /// The content of each certificate that it includes.
    pub certificate: Certificate,
    /// The content of the header.
    pub header: Header,
    /// Its length in each encoding that has such a message.
    lengths: [Option<usize>; 4],
}

/// The kind of content of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Unsecured octets.
    Unsecured,
    /// Signed octets.
    Signed,
    /// Signed octets, signed together with others that are sent separately.
    Partial,
    /// Encrypted octets.
    Encrypted,
}

/// Who signed a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signer {
    /// Nobody.
    None,
    /// A signer identified by the digest of its certificate.
    Digest,
    /// A signer whose certificate is included.
    Certificate,
    /// The same, with this many certificates: the signer's, and those above.
    Chain(usize),
    /// Nobody: it is encrypted for this many recipients.
    Recipients(usize),
}

/// The content of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Certificate {
    /// Whether it is implicit: without a signature, but with a point from which the key is
    /// reconstructed.
    pub implicit: bool,
    /// Where it is valid.
    pub region: Region,
    /// For how many applications: 1 to 3.
    pub psids: usize,
    /// Octets of permissions of the first application.
    pub ssp: usize,
    /// Whether it has a lifetime instead of a start of validity.
    pub lifetime: bool,
    /// Whether it has a key for encryption to its holder.
    pub encryption: bool,
}

/// Where a certificate is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "what they are is their name")]
pub enum Region {
    None,
    Circle,
    Rectangles(usize),
    Polygon(usize),
}

/// The content of a header besides the application. The last five are only in the ASN.1 schemas.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Header {
    /// `G`: the generation time, and its precision.
    pub generation_time: bool,
    /// `E`: the expiry time.
    pub expiry_time: bool,
    /// `L`: where it was made.
    pub location: bool,
    /// `U`: six digests of unknown certificates.
    pub unrecognized: bool,
    /// `Q`: the digest of a requested certificate.
    pub request: bool,
    /// `R`: a missing revocation list.
    pub missing_crl: bool,
    /// `M`: the type of message.
    pub message_type: bool,
    /// `S`: the profile.
    pub profile: bool,
}

/// The message that an encoding has, of those that correspond to one of the paper's; if ASN.1 has a
/// separate message, that one.
pub(super) fn in_encoding(of: &[Description], encoding: Encoding) -> Option<&Description> {
    of.iter().rev().find(|of| of.length(encoding).is_some())
}

impl Description {
    /// Its length under an encoding, octets; `None` if there is no such message.
    #[must_use]
    pub fn length(&self, encoding: Encoding) -> Option<usize> {
        self.lengths[encoding as usize]
    }

    /// Octets of payload; for encrypted messages, of the ciphertext with its tag.
    #[must_use]
    pub fn octets(&self, encoding: Encoding) -> usize {
        if encoding == Encoding::Binary { self.octets.0 } else { self.octets.1 }
    }

    /// How many optional parts its header and certificates have under an encoding.
    #[must_use]
    pub fn optional_parts(&self, encoding: Encoding) -> usize {
        let Header { generation_time, expiry_time, location, .. } = self.header;
        let mut parts = [generation_time, expiry_time, location].into_iter().filter(|is| *is).count();
        if encoding != Encoding::Binary {
            let Header { unrecognized, request, missing_crl, message_type, profile, .. } = self.header;
            // The deviation of the time is a separate part there.
            let more = [generation_time, unrecognized, request, missing_crl, message_type, profile];
            parts += more.into_iter().filter(|is| *is).count();
            parts += usize::from(matches!(self.kind, Kind::Signed | Kind::Partial))
                + usize::from(self.kind == Kind::Partial);
        }
        parts + self.certificates() * self.certificate.optional_parts(encoding)
    }

    /// How many certificates it includes.
    #[must_use]
    pub fn certificates(&self) -> usize {
        match self.signer {
            Signer::Certificate => 1,
            Signer::Chain(count) => count,
            Signer::None | Signer::Digest | Signer::Recipients(_) => 0,
        }
    }
}

impl Certificate {
    fn optional_parts(&self, encoding: Encoding) -> usize {
        // The start of validity or the lifetime; a key for encryption.
        let both = 1 + usize::from(self.encryption);
        match encoding {
            Encoding::Binary => both,
            // The region, the verification key, and each application's permissions.
            _ => both + 1 + usize::from(!self.implicit) + self.psids - usize::from(self.psids > 1),
        }
    }
}

/// All messages, in the order of their numbers.
///
/// # Errors
/// An error in the file, with its line.
pub fn all() -> Result<Vec<Description>, String> {
    let mut lines = include_str!("../../../../../studies/ieee1609/messages.csv").lines().enumerate();
    if lines.next().map(|(_, heading)| heading) != Some(HEADING) {
        return Err("messages.csv: unexpected heading".into());
    }
    lines.map(|(at, line)| parse(line).ok_or_else(|| format!("messages.csv line {}", at + 1))).collect()
}

const HEADING: &str = "message,row,kind,octets,signer,certificate,header,tls,uper-original,uper-p,oer-original";

fn parse(line: &str) -> Option<Description> {
    let fields: Vec<&str> = line.split(',').collect();
    let [name, row, kind, octets, signer, certificate, header, binary, original, p, oer] = fields[..] else {
        return None;
    };
    let length = |text: &str| if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) };
    Some(Description {
        name: name.into(),
        row: (!row.is_empty()).then(|| row.into()),
        kind: match kind {
            "unsecured" => Kind::Unsecured,
            "signed" => Kind::Signed,
            "partial" => Kind::Partial,
            "encrypted" => Kind::Encrypted,
            _ => return None,
        },
        octets: match octets.split_once('/') {
            None => (octets.parse().ok()?, octets.parse().ok()?),
            Some((binary, asn1)) => (binary.parse().ok()?, asn1.parse().ok()?),
        },
        signer: match signer.split_once(' ') {
            None if signer.is_empty() => Signer::None,
            None if signer == "digest" => Signer::Digest,
            None if signer == "certificate" => Signer::Certificate,
            Some(("chain", count)) => Signer::Chain(count.parse().ok()?),
            Some(("recipients", count)) => Signer::Recipients(count.parse().ok()?),
            _ => return None,
        },
        certificate: parse_certificate(certificate)?,
        header: parse_header(header)?,
        lengths: [length(binary)?, length(original)?, length(p)?, length(oer)?],
    })
}

fn parse_certificate(text: &str) -> Option<Certificate> {
    let mut one =
        Certificate { implicit: false, region: Region::None, psids: 1, ssp: 2, lifetime: false, encryption: false };
    for word in text.split(' ') {
        match word.split_once('=') {
            None => match word {
                "" | "A" => {}
                "B" => one = Certificate { region: Region::Circle, psids: 3, ..one },
                "implicit" => one = Certificate { implicit: true, ssp: 0, lifetime: true, ..one },
                "circle" => one.region = Region::Circle,
                "encryption" => one.encryption = true,
                "lifetime" => one.lifetime = true,
                _ => return None,
            },
            Some((word, count)) => {
                let count = count.parse().ok()?;
                match word {
                    "rectangles" => one.region = Region::Rectangles(count),
                    "polygon" => one.region = Region::Polygon(count),
                    "psids" => one.psids = count,
                    "ssp" => one.ssp = count,
                    _ => return None,
                }
            }
        }
    }
    Some(one)
}

fn parse_header(text: &str) -> Option<Header> {
    let mut header = Header::default();
    for letter in text.chars() {
        *(match letter {
            'G' => &mut header.generation_time,
            'E' => &mut header.expiry_time,
            'L' => &mut header.location,
            'U' => &mut header.unrecognized,
            'Q' => &mut header.request,
            'R' => &mut header.missing_crl,
            'M' => &mut header.message_type,
            'S' => &mut header.profile,
            _ => return None,
        }) = true;
    }
    Some(header)
}
