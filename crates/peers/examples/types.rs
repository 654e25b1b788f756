//! Prints the types that a peer has for a message:
//! `cargo run -p roadwire-peers --example types -- rasn cam-1.4.1`, or `prost`.

#[path = "../build/types.rs"]
mod types;

use std::env;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let names: Vec<String> = env::args().skip(1).collect();
    let [peer, schema] = &names[..] else { return Err("which peer, and which schema? `rasn cam-1.4.1`".into()) };
    print!("{}", types::print(peer, schema)?);
    Ok(())
}
