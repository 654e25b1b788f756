//! The messages as values of the two ASN.1 schemas.

use roadwire_security::{EncryptedKey, Point, Signature};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::description::{Certificate, Description, Kind, Signer};
use super::encoding::{Encoding, Parts};
use super::material::{self, array, digits, fixed, hexadecimal, key, octets, region};
use super::signing::{Chain, Form, Holder, Read, SealedFor, fault, implicit};

/// How the values are made and read.
pub(super) const FORM: Form = Form {
    certificate,
    content: "content",
    signed: &["signed"],
    chain: "chain",
    digest: "digestP256",
    before: 0,
    read: read_certificate,
    signature: read_signature,
    sealed: read_sealed,
};

const CORNERS: [&str; 2] = ["northWest", "southEast"];

/// A message as JER, signed under the encoding of `parts`.
///
/// # Errors
/// Does not happen: tests cover it.
pub fn message(parts: &Parts, of: &Description) -> Result<Value, String> {
    let content = match of.kind {
        Kind::Unsecured => json!({ "unsecured": hexadecimal(&octets(&of.name, of.octets(parts.encoding))) }),
        Kind::Signed | Kind::Partial => json!({ "signed": signed(parts, of)? }),
        Kind::Encrypted => json!({ "encrypted": encrypted(parts, of)? }),
    };
    Ok(spaced(parts, json!({ "protocolVersion": 2, "content": content })))
}

/// Adds the spacer that the P schema has in some places.
fn spaced(parts: &Parts, mut value: Value) -> Value {
    if parts.encoding == Encoding::UperP {
        value["spacer"] = json!(0);
    }
    value
}

fn signed(parts: &Parts, of: &Description) -> Result<Value, String> {
    let unsigned = json!({ "payload": payload(parts, of), "header": header(parts, of) });
    let chain = super::signing::chain(&FORM, parts, of)?;
    let signer = match of.signer {
        Signer::Digest => json!({ "digestP256": hexadecimal(&chain.digest) }),
        Signer::Chain(_) => json!({ "chain": chain.certificates }),
        _ => json!({ "certificate": chain.certificates.last() }),
    };
    let signature = signature(&chain.key.sign(&parts.encode("ToBeSignedData", &unsigned)?));
    let signer = if parts.encoding == Encoding::UperP { spaced(parts, json!({ "signer": signer })) } else { signer };
    Ok(spaced(parts, json!({ "signer": signer, "unsignedData": unsigned, "signature": signature })))
}

fn payload(parts: &Parts, of: &Description) -> Value {
    let mut payload = json!({ "data": hexadecimal(&octets(&of.name, of.octets(parts.encoding))) });
    if of.kind == Kind::Partial {
        let external = super::signing::external(of);
        payload["extDataHash"] = json!({ "sha256": hexadecimal(&Sha256::digest(external)) });
    }
    spaced(parts, payload)
}

fn header(parts: &Parts, of: &Description) -> Value {
    let mut header = json!({ "psid": material::PSID });
    let has = &of.header;
    if has.generation_time {
        header["generationTime"] = json!(material::NOW_MICROSECONDS);
        header["generationTimeStdDev"] = json!(material::DEVIATION);
    }
    if has.expiry_time {
        header["expiryTime"] = json!(material::NOW_MICROSECONDS + material::EXPIRES_AFTER);
    }
    if has.location {
        header["generationLocation"] = material::place(0);
        header["generationLocation"]["elevation"] = json!(material::ELEVATION);
    }
    if has.unrecognized {
        let one = |i| hexadecimal(&array::<3>(&format!("unrecognized {i}")));
        header["unrecognizedRequest"] = (0..6).map(one).collect();
    }
    if has.request {
        header["p2pcdRequest"] = hexadecimal(&array::<3>("request"));
    }
    if has.missing_crl {
        header["missingCrl"] = json!(material::CRL_SERIES);
    }
    if has.message_type {
        header["messageType"] = json!(2);
    }
    if has.profile {
        header["securityProfile"] = json!("cam");
    }
    spaced(parts, header)
}

/// A certificate that `issuer` signs.
fn certificate(parts: &Parts, of: Certificate, holder: &str, issuer: &Chain) -> Result<Holder, String> {
    let mut unsigned = json!({
        "holder": "sdeAnonymous",
        "issuer": { "digest": hexadecimal(&issuer.digest) },
        "hashAlg": "sha256",
        "signatureAlg": "ecdsaNistP256",
        "cracaId": hexadecimal(&array::<3>("certificate revocation authority")),
        "id": { "additionalData": hexadecimal(&array::<18>(&format!("{holder} additional data"))) },
        "permissions": permissions(of, holder),
        "region": region(of.region, CORNERS),
        "expiration": material::NOW + 3_600,
        "crlSeries": material::CRL_SERIES,
        "assurance": 3
    });
    if of.lifetime {
        unsigned["lifetime"] = json!({ "seconds": material::LIFETIME });
    } else {
        unsigned["startValidity"] = json!(material::NOW - 3_600);
    }
    if of.encryption {
        let key = key(&format!("{holder} encryption")).map_err(fault)?;
        unsigned["encryptionKey"] = json!({ "eciesNistP256": point(&key.public()) });
    }
    let own = key(holder).map_err(fault)?;
    if of.implicit {
        return implicit(
            parts,
            (issuer, holder),
            &own,
            |at| json!({ "version": 3, "unsigned": unsigned, "material": { "reconstruction": point(at) } }),
        );
    }
    unsigned["verificationKey"] = json!({ "ecdsaNistP256": point(&own.public()) });
    let signature = signature(&issuer.key.sign(&parts.encode("ToBeSignedCertificate", &unsigned)?));
    Ok((json!({ "version": 2, "unsigned": unsigned, "material": { "signature": signature } }), own))
}

/// The first application has its own permissions, the second none, and the third one octet of
/// permissions.
fn permissions(of: Certificate, holder: &str) -> Value {
    let mut all = vec![json!({ "psid": material::PSID })];
    if of.ssp > 0 {
        all[0]["ssp"] = hexadecimal(&octets(&format!("{holder} permissions"), of.ssp));
    }
    if of.psids > 1 {
        all.push(json!({ "psid": material::MORE_PSIDS[0] }));
    }
    if of.psids > 2 {
        all.push(json!({ "psid": material::MORE_PSIDS[1], "ssp": "01" }));
    }
    all.into()
}

fn encrypted(parts: &Parts, of: &Description) -> Result<Value, String> {
    let sealed = super::signing::sealed(of, of.octets(parts.encoding), |data| {
        parts.encode("Content", &json!({ "unsecured": hexadecimal(data) }))
    })?;
    let recipients = sealed.recipients.iter().map(|(id, EncryptedKey { v, c, t })| {
        let key = json!({ "ecies": { "v": point(v), "c": hexadecimal(c), "t": hexadecimal(t) } });
        json!({ "cert": { "id": hexadecimal(id), "key": key } })
    });
    let ciphertext =
        json!({ "aes128ccm": { "nonce": hexadecimal(&sealed.nonce), "ccm": hexadecimal(&sealed.ciphertext) } });
    Ok(spaced(parts, json!({ "recipients": recipients.collect::<Vec<_>>(), "ciphertext": ciphertext })))
}

fn signature(signature: &Signature) -> Value {
    json!({ "ecdsaNistP256": { "r": point(&signature.r), "s": hexadecimal(&signature.s) } })
}

fn point(point: &Point) -> Value {
    match point {
        Point::XOnly(x) => json!({ "xOnly": hexadecimal(x) }),
        Point::Even(x) => json!({ "compressedY0": hexadecimal(x) }),
        Point::Odd(x) => json!({ "compressedY1": hexadecimal(x) }),
        Point::Uncompressed(x, y) => json!({ "uncompressed": hexadecimal(&[*x, *y].concat()) }),
    }
}

fn read_certificate(certificate: &Value) -> Option<Read> {
    let unsigned = &certificate["unsigned"];
    Some(Read {
        issuer: fixed(&unsigned["issuer"]["digest"])?,
        key: read_point(&unsigned["verificationKey"]["ecdsaNistP256"]),
        signature: read_signature(&certificate["material"]["signature"]),
        reconstruction: read_point(&certificate["material"]["reconstruction"]),
    })
}

fn read_signature(value: &Value) -> Option<Signature> {
    let value = &value["ecdsaNistP256"];
    Some(Signature { r: read_point(&value["r"])?, s: fixed(&value["s"])? })
}

fn read_sealed(message: &Value, recipient: usize) -> Option<SealedFor> {
    let data = &message["content"]["encrypted"];
    let key = &data["recipients"][recipient]["cert"]["key"]["ecies"];
    let sealed = &data["ciphertext"]["aes128ccm"];
    Some(SealedFor {
        key: EncryptedKey { v: read_point(&key["v"])?, c: fixed(&key["c"])?, t: fixed(&key["t"])? },
        nonce: fixed(&sealed["nonce"])?,
        ciphertext: digits(&sealed["ccm"])?,
    })
}

fn read_point(value: &Value) -> Option<Point> {
    material::point(value, ["xOnly", "compressedY0", "compressedY1"])
}
