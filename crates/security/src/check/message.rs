//! Rules on a message alone.

use super::{check_certificate, check_signature};
use crate::{Certificate, Profile, SecuredMessage, Signer, Violation};

/// The rules that a message violates: the order of its header fields, its profile, and those of the
/// certificates that it contains. Whether its signer may sign it is checked by
/// [`Trust::verify`](crate::Trust::verify). [`Encoded::read`](crate::Encoded::read) only accepts
/// shortest lengths, which end at element borders.
#[must_use]
pub fn check_message<M: SecuredMessage>(message: &M) -> Vec<Violation> {
    let mut found = check_envelope(message);
    match message.signer() {
        Signer::Certificate(certificate) => found.extend(check_certificate(certificate)),
        Signer::Chain(chain) => found.extend(chain.iter().flat_map(check_certificate)),
        _ => {}
    }
    found
}

/// The same without the certificates that it contains.
pub(crate) fn check_envelope<M: SecuredMessage>(message: &M) -> Vec<Violation> {
    let mut found = Vec::new();
    let fields = message.header_fields();
    let place = |number: &u8| (*number != M::SIGNER_INFO, *number);
    if !fields.is_sorted_by(|a, b| place(a) < place(b)) {
        found.push(Violation::HeaderFieldOrder);
    }
    check_profile(message, &fields, &mut found);
    found.extend(check_signature(message.signature()));
    found
}

const GENERATION_TIME: u8 = 0;
const GENERATION_LOCATION: u8 = 3;
const REQUEST_UNRECOGNIZED_CERTIFICATE: u8 = 4;
/// Message type or ITS-AID.
const APPLICATION: u8 = 5;

/// Clause 7.
fn check_profile<M: SecuredMessage>(message: &M, fields: &[u8], found: &mut Vec<Violation>) {
    let v1 = M::Certificate::VERSION == 1;
    let (cam, denm) = if v1 { (2, 1) } else { (36, 37) };
    let profile = message.profile();
    let (place, application) = match profile {
        Profile::Cam => (false, Some(cam)),
        Profile::Denm => (true, Some(denm)),
        Profile::Generic | Profile::None => (true, None),
    };
    let signer = match message.signer() {
        Signer::None | Signer::Unknown => false,
        Signer::Certificate(_) => true,
        Signer::Digest(_) | Signer::Chain(_) => profile != Profile::Denm,
        Signer::Itself | Signer::OtherDigest(_) => application.is_none(),
    };
    // In V1.2.1 the profile follows from the application; without a profile, that is missing.
    if v1 && profile == Profile::None {
        found.push(Violation::Profile);
    }
    let mut needed = vec![M::SIGNER_INFO, GENERATION_TIME];
    if place {
        needed.push(GENERATION_LOCATION);
    }
    if application.is_some() || !v1 {
        needed.push(APPLICATION);
    }
    if !needed.iter().all(|number| fields.contains(number)) {
        found.push(Violation::MissingHeaderField);
    }
    // The generic profile leaves other fields to the application.
    let known = |number: &u8| needed.contains(number) || *number == REQUEST_UNRECOGNIZED_CERTIFICATE && !place;
    if application.is_some() && !fields.iter().all(known) {
        found.push(Violation::HeaderField);
    }
    if application.is_some() && message.application() != application {
        found.push(Violation::Application);
    }
    if !signer {
        found.push(Violation::Signer);
    }
}
