//! Prints the ASN.1 messages of the study of IEEE 1609.2, for `interop/ieee1609.py`: schema, type,
//! rules, name, octets and JER.

use roadwire_lab::studies::ieee1609::description::all;
use roadwire_lab::studies::ieee1609::encoding::{Encoding, MESSAGE, Parts};
use roadwire_lab::studies::ieee1609::message;

fn main() -> Result<(), String> {
    for (encoding, schema, name) in [
        (Encoding::UperOriginal, "dot2-original-2015", "Dot2Original.SecuredData"),
        (Encoding::OerOriginal, "dot2-original-2015", "Dot2Original.SecuredData"),
        (Encoding::UperP, "dot2-p-2015", "Dot2P.SecuredData"),
    ] {
        let parts = Parts::new(encoding)?;
        for of in all()? {
            let Some(value) = message(&parts, &of)? else { continue };
            let octets = roadwire_peers::hex::encode(&parts.encode(MESSAGE, &value)?);
            println!("{schema} {name} {} {} {octets} {value}", encoding.rules(), of.name);
        }
    }
    Ok(())
}
