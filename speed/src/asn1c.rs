//! Times of the program that asn1c's code and `asn1c.c` make.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

/// The program's figures for some messages.
pub(crate) struct Times {
    /// How many it decodes, all their octets.
    pub(crate) decoded: usize,
    /// How many of these it encodes into the same octets: those that it times.
    pub(crate) same: usize,
    /// Nanoseconds for one message.
    pub(crate) encode: f64,
    pub(crate) decode: f64,
}

/// Runs the program with messages of the type `name`.
pub(crate) fn times(program: &str, name: &str, messages: &[Vec<u8>]) -> Times {
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program of asn1c runs");
    let mut text = String::new();
    for octets in messages {
        let digits: String = octets.iter().map(|octet| format!("{octet:02x}")).collect();
        text += &format!("{name} {digits}\n");
    }
    // It reads all before it writes, and each pipe is dropped after its use.
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads the messages");
    let mut line = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut line).expect("it writes a line");
    assert!(child.wait().expect("it ends").success(), "asn1c's program fails");
    let [_, decoded, same, encode, decode] = line.split_whitespace().collect::<Vec<_>>()[..] else {
        panic!("asn1c's program writes {line:?}")
    };
    let (count, time) = (|word: &str| word.parse().expect("a number"), |word: &str| word.parse().expect("a time"));
    Times { decoded: count(decoded), same: count(same), encode: time(encode), decode: time(decode) }
}
