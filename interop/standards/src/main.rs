//! Decodes messages with the types of rasn's crates of standards and encodes them again.
//!
//! Each line of the input has a type, encoding rules and a message in hexadecimal; each line of the
//! output has the message again, or `error: ` and why not.

use rasn::{Codec, Decode, Encode};
use rasn_its::{ieee1609dot2, ts103097};

fn main() {
    for line in std::io::stdin().lines() {
        let line = line.expect("text");
        let [name, rules, digits] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}: three words") };
        let octet = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("digits");
        let octets: Vec<u8> = (0..digits.len()).step_by(2).map(octet).collect();
        let rules = match rules {
            "ber" => Codec::Ber,
            "der" => Codec::Der,
            "coer" => Codec::Coer,
            "oer" => Codec::Oer,
            "uper" => Codec::Uper,
            _ => panic!("{rules}: which encoding rules?"),
        };
        let again = match name {
            "CertificateList" => again::<rasn_pkix::CertificateList>(rules, &octets),
            "Certificate" => again::<rasn_pkix::Certificate>(rules, &octets),
            "LDAPMessage" => again::<rasn_ldap::LdapMessage>(rules, &octets),
            "Message" => again::<rasn_snmp::v1::Message<rasn_snmp::v1::Pdus>>(rules, &octets),
            "AS-REQ" => again::<rasn_kerberos::AsReq>(rules, &octets),
            "AS-REP" => again::<rasn_kerberos::AsRep>(rules, &octets),
            "TGS-REQ" => again::<rasn_kerberos::TgsReq>(rules, &octets),
            "TGS-REP" => again::<rasn_kerberos::TgsRep>(rules, &octets),
            "KRB-ERROR" => again::<rasn_kerberos::KrbError>(rules, &octets),
            "ContentInfo" => again::<rasn_cms::ContentInfo>(rules, &octets),
            "SignedData" => again::<rasn_cms::SignedData>(rules, &octets),
            "EnvelopedData" => again::<rasn_cms::EnvelopedData>(rules, &octets),
            "OCSPRequest" => again::<rasn_ocsp::OcspRequest>(rules, &octets),
            "OCSPResponse" => again::<rasn_ocsp::OcspResponse>(rules, &octets),
            "BasicOCSPResponse" => again::<rasn_ocsp::BasicOcspResponse>(rules, &octets),
            "EtsiTs103097Data" => again::<ts103097::EtsiTs103097Data>(rules, &octets),
            "EtsiTs103097Certificate" => again::<ts103097::EtsiTs103097Certificate>(rules, &octets),
            "Ieee1609Dot2Data" => again::<ieee1609dot2::Ieee1609Dot2Data>(rules, &octets),
            "IEEE1609dot2.Certificate" => again::<ieee1609dot2::Certificate>(rules, &octets),
            _ => panic!("{name}: which type?"),
        };
        match again {
            Ok(octets) => println!("{}", octets.iter().map(|octet| format!("{octet:02x}")).collect::<String>()),
            Err(error) => println!("error: {}", error.replace('\n', " ")),
        }
    }
}

fn again<T: Decode + Encode>(rules: Codec, octets: &[u8]) -> Result<Vec<u8>, String> {
    let value = rules.decode_from_binary::<T>(octets).map_err(|error| format!("decoding: {error}"))?;
    rules.encode_to_binary(&value).map_err(|error| format!("encoding: {error}"))
}
