//! Prints the messages of the study of release 2 and their envelopes, for `interop/today.py`:
//! schema, type, rules, name, octets and JER.

use roadwire_lab::studies::today::messages;

fn main() -> Result<(), String> {
    for one in messages()? {
        let octets = roadwire_peers::hex::encode(&one.octets);
        let (shipped, _) = roadwire_peers::content::shipped(one.schema.name())?;
        println!("{} {} {} {} {octets} {}", one.schema, shipped.pdu(), one.rules, one.name, one.jer);
    }
    Ok(())
}
