//! Decodes certificates, a line of hexadecimal digits each, and encodes them again; see
//! `certificates`.

mod pkix1explicit88;

use pkix1explicit88::Certificate;
use roadwire_engine::Message;
use roadwire_layout::Der;

fn main() {
    let store = std::env::args().nth(1).unwrap_or_default();
    let (mut all, mut wrong, mut decoded, mut encoded, mut output) = (0, 0, 0, 0, vec![0; 1 << 16]);
    for line in std::io::stdin().lines() {
        let line = line.expect("text");
        let octet = |at: usize| u8::from_str_radix(&line[at..at + 2], 16).expect("digits");
        let octets: Vec<u8> = (0..line.len()).step_by(2).map(octet).collect();
        let mut certificate = Certificate::default();
        all += 1;
        decoded += u32::from(Message::<Der>::decode_fast(&mut certificate, &octets).is_ok());
        let result = Message::<Der>::decode(&mut certificate, &octets);
        let again = result.and_then(|_| Message::<Der>::encode(&certificate, &mut output));
        if again.as_ref().is_ok_and(|length| output[..*length] == octets) {
            encoded += u32::from(Message::<Der>::encode_fast(&certificate, &mut output).is_ok());
        } else {
            wrong += 1;
            println!("{store}: certificate {all}: {again:?}");
        }
    }
    println!("{store}: {all} certificates, {wrong} not the same; straight-line code decodes {decoded} and encodes {encoded}");
    std::process::exit(i32::from(wrong > 0 || all == 0));
}
