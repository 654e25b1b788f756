//! Prints the messages of the study of IEEE 1609.2 that are in ASN.1, for `interop/ieee1609.py`: schema file, type, rules, name, octets and JER.

use roadwire_lab::ieee1609::description::all;
use roadwire_lab::ieee1609::encoding::{Encoding, MESSAGE, Parts};
use roadwire_lab::ieee1609::message;

fn main() -> Result<(), String> {
    for (encoding, file, name) in [
        (Encoding::UperOriginal, "studies/dot2-original.asn", "Dot2Original.SecuredData"),
        (Encoding::OerOriginal, "studies/dot2-original.asn", "Dot2Original.SecuredData"),
        (Encoding::UperP, "studies/dot2-p.asn", "Dot2P.SecuredData"),
    ] {
        let parts = Parts::new(encoding)?;
        for of in all()? {
            let Some(value) = message(&parts, &of)? else { continue };
            let octets = roadwire_lab::hex::encode(&parts.encode(MESSAGE, &value)?);
            println!("{file} {name} {} {} {octets} {value}", encoding.rules(), of.name);
        }
    }
    Ok(())
}
