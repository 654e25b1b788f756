//! Prints the security envelopes of the ETSI studies in JER, for `interop/envelope.py`.

use roadwire_peers::content::MESSAGES;

fn main() {
    for message in MESSAGES.iter().filter(|message| message.id.starts_with("envelope-")) {
        println!("{} {}", message.id, message.jer());
    }
}
