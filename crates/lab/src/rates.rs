//! The average length of the security envelope of a vehicle's CAMs, for any rates (2015, V-C1).

use serde::Deserialize;

/// The rates of TS 103 097 and EN 302 637-2 in the 2015 study (V-C1): messages a second, and how
/// many of them have the certificate.
pub(crate) const PUBLISHED: Rates = Rates { messages: 10.0, certificates: 1.0 };

/// The messages that a vehicle sends in a second.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Rates {
    /// Messages (f_CAM), in Hz.
    pub messages: f64,
    /// How many of them at least carry the certificate (f_cert), in Hz.
    pub certificates: f64,
}

/// The averages that a study requests.
#[derive(Debug, Clone, Deserialize)]
pub struct Averages {
    /// Name of the message with the signer's digest.
    pub digest: String,
    /// Name of that with the certificate.
    pub certificate: String,
    /// The rates.
    pub rates: Vec<Rates>,
}

/// The smallest average length of an envelope, in octets: messages that must carry the certificate
/// do, the others have its digest. At most every message carries one.
#[must_use]
pub fn average_envelope(digest: f64, certificate: f64, rates: Rates) -> f64 {
    let with = rates.certificates.min(rates.messages);
    ((rates.messages - with) * digest + with * certificate) / rates.messages
}
