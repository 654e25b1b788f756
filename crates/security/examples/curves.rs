//! How long it takes to verify a message of IEEE 1609.2 on each curve, and what of it is reading:
//! `cargo run --release -p roadwire-security --example curves`.
//!
//! The least of 15 batches, on one thread: other programs can only make it longer.

use std::time::Instant;

use roadwire_security::dot2::{Certificate, Curve, SecretKey, Signed, SignerForm, Verifier, schema};
use roadwire_security::{Fault, Verdict};

const BATCHES: usize = 15;
const MESSAGES: u32 = 50;

fn main() -> Result<(), Fault> {
    println!("{:16} {:>8} {:>12} {:>12} {:>12}", "curve", "octets", "read", "verify", "with chain");
    for curve in Curve::ALL {
        let key = |number| SecretKey::from_bytes(curve, &vec![number; curve.octets()]);
        let mut root = content(&key(1)?)?;
        root.to_be_signed.cert_issue_permissions = Some(vec![schema::PsidGroupPermissions {
            subject_permissions: schema::SubjectPermissions::All(()),
            min_chain_length: 1,
            ee_type: schema::EndEntityType(schema::EndEntityType::APP),
            ..Default::default()
        }]);
        let root = Certificate::sign(root, None, &key(1)?)?;
        let mut ticket = content(&key(2)?)?;
        ticket.to_be_signed.app_permissions = Some(vec![schema::PsidSsp { psid: 36, ssp: None }]);
        let ticket = Certificate::sign(ticket, Some(&root), &key(1)?)?;
        let header = schema::HeaderInfo { psid: 36, generation_time: Some(1_000_000), ..Default::default() };
        let message = Signed::sign(&[7; 300], header, &ticket, SignerForm::Digest, &key(2)?)?;
        let octets = message.octets();
        let mut receiver = Verifier::new();
        receiver.add(ticket.clone());
        let reading = microseconds(|| assert!(Signed::read(octets).is_ok()));
        let verifying = microseconds(|| assert!(receiver.verify(octets, None).verdict == Verdict::Valid));
        // A certificate that has not been heard: its issuer's signature as well.
        let mut trusting = Verifier::new();
        trusting.trust(root)?;
        let with_chain = microseconds(|| {
            let mut receiver = trusting.clone();
            receiver.add(ticket.clone());
            assert!(receiver.verify(octets, None).verdict == Verdict::Valid);
        });
        let length = octets.len();
        println!("{:16} {length:8} {reading:9.1} µs {verifying:9.1} µs {with_chain:9.1} µs", curve.name());
    }
    Ok(())
}

fn content(key: &SecretKey) -> Result<schema::CertificateBase, Fault> {
    let mut value = schema::CertificateBase { version: 3, ..Default::default() };
    value.to_be_signed.id = schema::CertificateId::None(());
    value.to_be_signed.validity_period = schema::ValidityPeriod { start: 0, duration: schema::Duration::Hours(1) };
    value.to_be_signed.verify_key_indicator = schema::VerificationKeyIndicator::VerificationKey(key.public()?);
    Ok(value)
}

/// For one call.
fn microseconds(mut call: impl FnMut()) -> f64 {
    let batches = (0..BATCHES).map(|_| {
        let start = Instant::now();
        (0..MESSAGES).for_each(|_| call());
        start.elapsed().as_secs_f64() * 1e6 / f64::from(MESSAGES)
    });
    batches.fold(f64::INFINITY, f64::min)
}
