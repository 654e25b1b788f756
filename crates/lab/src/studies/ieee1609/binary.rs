//! The messages as values of IEEE 1609.2-2013's own format.

use roadwire_security::{EncryptedKey, Point, Signature};
use serde_json::{Value, json};

use super::description::{Certificate, Description, Kind, Signer};
use super::encoding::{Encoding, MESSAGE, Parts};
use super::material::{self, digits, fixed, hexadecimal, key, octets, region};
use super::signing::{Chain, Form, Holder, Read, SealedFor, fault, implicit};

/// How the values are made and read.
pub(super) const FORM: Form = Form {
    certificate,
    content: "type",
    signed: &["signed", "signed_partial_payload"],
    chain: "certificate_chain",
    digest: "certificate_digest_with_ecdsap256",
    before: 8,
    read: read_certificate,
    signature: read_signature,
    sealed: read_sealed,
};

const CORNERS: [&str; 2] = ["north_west", "south_east"];

/// A message as JER, signed.
///
/// # Errors
/// Does not happen: tests cover it.
pub fn message(parts: &Parts, of: &Description) -> Result<Value, String> {
    let body = match of.kind {
        Kind::Unsecured => json!({ "unsecured": hexadecimal(&octets(&of.name, of.octets(Encoding::Binary))) }),
        Kind::Signed => json!({ "signed": signed(parts, of)? }),
        Kind::Partial => json!({ "signed_partial_payload": signed(parts, of)? }),
        Kind::Encrypted => json!({ "encrypted": encrypted(parts, of)? }),
    };
    Ok(json!({ "protocol_version": 2, "type": body }))
}

fn signed(parts: &Parts, of: &Description) -> Result<Value, String> {
    let chain = super::signing::chain(&FORM, parts, of)?;
    let signer = match of.signer {
        Signer::Digest => json!({ "certificate_digest_with_ecdsap256": hexadecimal(&chain.digest) }),
        Signer::Chain(_) => json!({ "certificate_chain": chain.certificates }),
        _ => json!({ "certificate": chain.certificates.last() }),
    };
    let unsigned = unsigned(of);
    let mut hashed = vec![if of.kind == Kind::Partial { PARTIAL } else { SIGNED }];
    hashed.extend(parts.encode("ToBeSignedData", &unsigned)?);
    if of.kind == Kind::Partial {
        hashed.extend(super::signing::external(of));
    }
    Ok(json!({ "signer": signer, "unsigned_data": unsigned, "signature": signature(&chain.key.sign(&hashed)) }))
}

/// Numbers of content types.
const SIGNED: u8 = 1;
const PARTIAL: u8 = 9;

fn unsigned(of: &Description) -> Value {
    let has = &of.header;
    let mut unsigned = json!({
        "tf": flags(&[has.generation_time, has.expiry_time, has.location]),
        "psid": material::PSID,
        "data": hexadecimal(&octets(&of.name, of.octets(Encoding::Binary)))
    });
    if has.generation_time {
        unsigned["generation_time"] = json!({ "time": material::NOW_MICROSECONDS, "log_std_dev": material::DEVIATION });
    }
    if has.expiry_time {
        unsigned["expiry_time"] = json!(material::NOW_MICROSECONDS + material::EXPIRES_AFTER);
    }
    if has.location {
        unsigned["generation_location"] = material::place(0);
        unsigned["generation_location"]["elevation"] = hexadecimal(&material::ELEVATION.to_be_bytes());
    }
    unsigned
}

/// A certificate that `issuer` signs.
fn certificate(parts: &Parts, of: Certificate, holder: &str, issuer: &Chain) -> Result<Holder, String> {
    // The explicit certificates' lengths leave no room for additional data.
    let additional = if of.implicit { octets(&format!("{holder} additional data"), 18) } else { Vec::new() };
    let mut unsigned = json!({
        "holder_type": "sde_anonymous",
        "cf": flags(&[true, of.lifetime, of.encryption]),
        "signer_id": hexadecimal(&issuer.digest),
        "signature_alg": "ecdsa_nistp256_with_sha256",
        "anonymous_scope": {
            "additional_data": hexadecimal(&additional),
            "permissions": { "specified": permissions(of, holder) },
            "region": region(of.region, CORNERS)
        },
        "expiration": material::NOW + 3_600,
        "crl_series": material::CRL_SERIES
    });
    if of.lifetime {
        unsigned["lifetime"] = json!(material::LIFETIME);
    } else {
        unsigned["start_validity"] = json!(material::NOW - 3_600);
    }
    if of.encryption {
        let key = key(&format!("{holder} encryption")).map_err(fault)?;
        unsigned["encryption_key"] =
            json!({ "ecies_nistp256": { "supported_symm_alg": "aes_128_ccm", "public_key": point(&key.public()) } });
    }
    let own = key(holder).map_err(fault)?;
    if of.implicit {
        return implicit(
            parts,
            (issuer, holder),
            &own,
            |at| json!({ "implicit": { "unsigned_certificate": unsigned, "reconstruction_value": point(at) } }),
        );
    }
    unsigned["verification_key"] = json!({ "ecdsa_nistp256_with_sha256": point(&own.public()) });
    let mut hashed = vec![EXPLICIT];
    hashed.extend(parts.encode("ToBeSignedCertificate", &unsigned)?);
    let signature = signature(&issuer.key.sign(&hashed));
    Ok((json!({ "explicit": { "unsigned_certificate": unsigned, "signature": signature } }), own))
}

/// The version and type of an explicit certificate.
const EXPLICIT: u8 = 2;

/// As in ASN.1, where permissions can be absent; here they can be empty.
fn permissions(of: Certificate, holder: &str) -> Value {
    let one = |psid: u32, ssp: Vec<u8>| json!({ "psid": psid, "service_specific_permissions": hexadecimal(&ssp) });
    let mut all = vec![one(material::PSID, octets(&format!("{holder} permissions"), of.ssp))];
    if of.psids > 1 {
        all.push(one(material::MORE_PSIDS[0], Vec::new()));
    }
    if of.psids > 2 {
        all.push(one(material::MORE_PSIDS[1], vec![1]));
    }
    all.into()
}

fn encrypted(parts: &Parts, of: &Description) -> Result<Value, String> {
    let sealed = super::signing::sealed(of, of.octets(Encoding::Binary), |data| {
        // The plaintext is a content type and its content: a message without its version.
        let message = json!({ "protocol_version": 2, "type": { "unsecured": hexadecimal(data) } });
        Ok(parts.encode(MESSAGE, &message)?.split_off(1))
    })?;
    let recipients = sealed.recipients.iter().map(|(id, EncryptedKey { v, c, t })| {
        let key = json!({ "v": point(v), "c": hexadecimal(c), "t": hexadecimal(t) });
        json!({ "cert_id": hexadecimal(id), "enc_key": key })
    });
    let ciphertext = json!({ "nonce": hexadecimal(&sealed.nonce), "ccm_ciphertext": hexadecimal(&sealed.ciphertext) });
    Ok(json!({
        "symm_algorithm": "aes_128_ccm",
        "recipients": recipients.collect::<Vec<_>>(),
        "ciphertext": ciphertext
    }))
}

/// Up to seven flags, the first in the last of seven bits, as a JER bit string.
fn flags(set: &[bool]) -> Value {
    let number = set.iter().rev().fold(0, |number, is| number << 1 | u8::from(*is));
    hexadecimal(&[number << 1])
}

fn signature(signature: &Signature) -> Value {
    json!({ "r": point(&signature.r), "s": hexadecimal(&signature.s) })
}

fn point(point: &Point) -> Value {
    match point {
        Point::XOnly(x) => json!({ "x_coordinate_only": hexadecimal(x) }),
        Point::Even(x) => json!({ "compressed_lsb_y_0": hexadecimal(x) }),
        Point::Odd(x) => json!({ "compressed_lsb_y_1": hexadecimal(x) }),
        Point::Uncompressed(x, y) => json!({ "uncompressed": { "x": hexadecimal(x), "y": hexadecimal(y) } }),
    }
}

fn read_certificate(certificate: &Value) -> Option<Read> {
    let one = if certificate["explicit"].is_object() { &certificate["explicit"] } else { &certificate["implicit"] };
    let unsigned = &one["unsigned_certificate"];
    Some(Read {
        issuer: fixed(&unsigned["signer_id"])?,
        key: read_point(&unsigned["verification_key"]["ecdsa_nistp256_with_sha256"]),
        signature: read_signature(&one["signature"]),
        reconstruction: read_point(&one["reconstruction_value"]),
    })
}

fn read_signature(value: &Value) -> Option<Signature> {
    Some(Signature { r: read_point(&value["r"])?, s: fixed(&value["s"])? })
}

fn read_sealed(message: &Value, recipient: usize) -> Option<SealedFor> {
    let data = &message["type"]["encrypted"];
    let key = &data["recipients"][recipient]["enc_key"];
    Some(SealedFor {
        key: EncryptedKey { v: read_point(&key["v"])?, c: fixed(&key["c"])?, t: fixed(&key["t"])? },
        nonce: fixed(&data["ciphertext"]["nonce"])?,
        ciphertext: digits(&data["ciphertext"]["ccm_ciphertext"])?,
    })
}

fn read_point(value: &Value) -> Option<Point> {
    material::point(value, ["x_coordinate_only", "compressed_lsb_y_0", "compressed_lsb_y_1"])
}
