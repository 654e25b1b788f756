//! Rules of headers and envelopes that a plausible mistake would break: `mutants/bugs/capture.toml`
//! plants these.

use roadwire_capture::file::Reader;
use roadwire_capture::security::{Content, Envelope, Signer};
use roadwire_capture::wsmp::{Address, Psid, Wsmp};
use roadwire_capture::{Check, Dissection, LinkType, frame_check_sequence};

/// The code of an envelope's fault, and its octet.
fn fault(hex: &str) -> (&'static str, usize) {
    let octets = octets(hex);
    let error = Envelope::decode(&octets).expect_err(hex);
    (error.code(), error.octet)
}

fn content(hex: &str) -> (Content, Option<u64>, Option<Signer>) {
    let octets = octets(hex);
    let (found, _) = Envelope::decode(&octets).expect(hex);
    (found.content, found.psid, found.signer)
}

/// TS 103 097 V1.1.1 §4.2.15: Time64 counts from 2010; from V1.2.1 on from 2004.
#[test]
fn times_of_v1_1_1_count_from_2010() {
    let of = |hex: &str| {
        let octets = octets(hex);
        Envelope::decode(&octets).expect(hex).0.generation_time().map(|time| time.to_string())
    };
    assert_eq!(of("01 02 09 00 0000000000000000 00 00").as_deref(), Some("2010-01-01T00:00:00.000000Z"));
    assert_eq!(of("02 09 00 0000000000000000 00 00 00").as_deref(), Some("2004-01-01T00:00:00.000000Z"));
}

#[test]
fn data_inside_signed_data_has_protocol_version_3() {
    assert_eq!(fault("03 81 00 40 0280 00 00 01 24 81 01"), ("security.version", 4));
}

/// IEEE 1609.2 §6.3.8: HashedData is an extensible CHOICE, whose additions have a length.
#[test]
fn a_hash_that_is_an_addition_has_a_length() {
    let sha_384 = format!("03 81 00 20 81 30{} 00 01 24 81 01", "11".repeat(48));
    assert_eq!(content(&sha_384), (Content::SignedElsewhere, Some(36), Some(Signer::Certificate)));
}

/// IEEE 1609.2 §6.3.13: MissingCrlIdentifier is extensible.
#[test]
fn additions_of_missing_crl_identifier_are_skipped() {
    let signed = (Content::Signed, Some(36), Some(Signer::Certificate));
    assert_eq!(content("03 81 00 40 0380 00 04 01 24 80 010203 0405 02 07 80 01 24 81 01"), signed);
}

#[test]
fn header_info_fields_have_their_lengths() {
    let digest = Some(Signer::Digest([1, 2, 3, 4, 5, 6, 7, 8]));
    // Expiry time alone, and a request for a certificate alone.
    for fields in ["20 01 24 0000000000000103", "08 01 24 010203"] {
        assert_eq!(
            content(&format!("03 81 00 40 0380 00 {fields} 80 0102030405060708")),
            (Content::Signed, Some(36), digest),
            "{fields}"
        );
    }
    // A PSID of more octets than a number has is none.
    assert_eq!(
        content("03 81 00 40 0380 00 00 09 010203040506070809 82"),
        (Content::Signed, None, Some(Signer::Itself))
    );
}

#[test]
fn a_signer_after_an_encryption_key_is_not_looked_for() {
    assert_eq!(content("03 81 00 40 0380 00 02 01 24 82 00 80 81"), (Content::Signed, Some(36), None));
}

#[test]
fn both_requests_for_certificates_have_no_payload() {
    for choice in ["83", "84"] {
        assert_eq!(content(&format!("03 {choice} 01 ff")), (Content::CertificateRequest, None, None));
    }
}

/// X.696 §8.6.4: no indefinite lengths.
#[test]
fn an_indefinite_length_is_refused() {
    assert_eq!(fault("03 80 80 aabb"), ("security.length", 2));
}

#[test]
fn a_payload_of_the_first_age_that_is_encrypted_has_no_octets_to_read() {
    for kind in ["02", "04"] {
        let octets = octets(&format!("02 00 {kind} 02 abcd 00"));
        let (found, _) = Envelope::decode(&octets).expect("a message");
        assert_eq!((found.content, found.payload), (Content::Encrypted, &[][..]), "{kind}");
    }
}

/// TS 103 097 V1.2.1 §4.1: at most four octets.
#[test]
fn int_x_has_at_most_three_more_octets_and_none_of_its_marks() {
    assert_eq!(fault("02 f0 00 00 00 00 00"), ("security.length", 1));
    let long = format!("02 00 01 8082 {} 00", "cc".repeat(130));
    let octets = octets(&long);
    assert_eq!(Envelope::decode(&octets).expect("a message").0.payload, [0xcc; 130]);
}

/// TS 103 097 V1.2.1 §5.4: generation time with confidence, expiry, place, digests that are asked
/// for, the application, a chain.
#[test]
fn header_fields_of_the_first_age_have_their_lengths() {
    let fields =
        ["01 0000000000000102 07", "02 00000103", "03 00000001000000020003", "04 03 800102", "05 24", "80 03 00"];
    let all = fields.join("");
    for from in 0..fields.len() - 1 {
        let some = fields[from..].join("");
        let length = octets(&some).len();
        let hex = format!("02 {length:02x} {some} 01 02 abcd 00");
        assert_eq!(content(&hex), (Content::Signed, Some(36), Some(Signer::Certificate)), "{all} from {from}");
    }
}

/// TS 103 097 V1.1.1 §5.4: the message type stands for the application.
#[test]
fn message_types_of_v1_1_1_are_applications() {
    let psid = |kind: &str| content(&format!("01 00 03 05 {kind} 00 00")).1;
    assert_eq!(["0001", "0002", "0003"].map(psid), [Some(37), Some(36), None]);
}

/// An SHB with a CAM of three octets.
const PACKET: &str = "11 00 50 01 20 50 02 00 0007 01 00 1400000102030405 00000000 00000000 00000000 0000 0000 00000000 07d1 0000 0202aa";
const WLAN: &str = "8800 0000 ffffffffffff 000102030405 ffffffffffff 0000 2000 aaaa03 000000 8947";

/// Hardware takes it off, and four octets can have the right sum by chance.
#[test]
fn an_ethernet_frame_of_which_nothing_is_known_has_no_frame_check_sequence() {
    let mut frame = octets(&format!("ffffffffffff 000102030405 8947 {PACKET}"));
    frame.extend(frame_check_sequence(&frame).to_le_bytes());
    assert_eq!(Dissection::new(LinkType::ETHERNET, Check::Unknown, &frame).checksum, None);
    assert!(Dissection::new(LinkType::ETHERNET, Check::Present, &frame).checksum.is_some());
}

/// A receiver's flag counts, and with it nothing of the frame is a message.
#[test]
fn a_frame_that_its_receiver_calls_damaged_has_no_message() {
    let ppi = |flags: &str| format!("00 00 2000 69000000 0200 1400 0000000000000000 {flags} 00000000000000000000");
    for (link_type, receiver, code) in [
        (LinkType::RADIOTAP, "00 00 0900 02000000 40".to_owned(), Some("frame.checksum")),
        (LinkType::PPI, ppi("0400"), Some("frame.checksum")),
        (LinkType::PPI, ppi("0200"), None),
    ] {
        let frame = octets(&format!("{receiver} {WLAN} {PACKET}"));
        let found = Dissection::new(link_type, Check::Unknown, &frame);
        assert_eq!(found.problem.map(|problem| problem.code()), code, "{receiver}");
        assert_eq!(found.message().is_some(), code.is_none(), "{receiver}");
    }
}

#[test]
fn a_packet_without_a_payload_has_no_transport_header() {
    let packet = octets(&PACKET.replace("0007", "0000").replace("07d1 0000 0202aa", ""));
    let found = Dissection::of_geonetworking(&packet);
    assert_eq!((found.problem, found.btp, found.message()), (None, None, None));
}

/// The packet ends with its envelope, which has a signature after the payload.
#[test]
fn a_secured_packet_ends_with_its_envelope() {
    let inside = PACKET.strip_prefix("11 00 50 01").expect("a basic header");
    let length = octets(inside).len();
    let packet = octets(&format!("12 00 50 01 03 81 00 40 0380 {length:02x} {inside} 00 01 24 82 aabbcc"));
    let found = Dissection::of_geonetworking(&packet);
    assert_eq!((found.problem, found.message()), (None, Some(&[2, 2, 0xaa][..])));
    assert_eq!(found.packet(), Some(&packet[..]));
}

#[test]
fn a_wave_short_message_has_version_3_in_three_bits() {
    let decoded =
        |first: &str| Wsmp::decode(&octets(&format!("{first} 00 20 00"))).map(|_| ()).map_err(|error| error.code());
    assert_eq!(decoded("03"), Ok(()));
    assert_eq!(decoded("07"), Err("wsmp.version"));
    let octets = octets("03 00 8001 00");
    assert_eq!(Wsmp::decode(&octets).expect("a message").0.address, Address::Psid(Psid(0x81)));
}

fn internet(hex: &str) -> Option<(&'static str, usize)> {
    let octets = octets(hex);
    Dissection::new(LinkType::RAW, Check::Unknown, &octets).problem.map(|problem| (problem.code(), problem.octet))
}

#[test]
fn a_later_fragment_of_ipv4_is_refused() {
    let packet = "45 00 0014 0000 0001 40 11 0000 7f000001 7f000001";
    assert_eq!(internet(packet), Some(("ip.fragment", 6)));
}

/// RFC 8200 §4.3 to §4.6: a length counts units of eight octets after the first.
#[test]
fn extension_headers_of_ipv6_are_skipped_by_their_length() {
    let udp = "1f40 1f40 000c 0000 00140a55";
    let addresses = "fe800000000000000000000000000001 fe800000000000000000000000000002";
    for next in ["00", "2b", "3c"] {
        let extension = "11 01 0000 00000000 0000000000000000";
        let frame = octets(&format!("60000000 001c {next} 40 {addresses} {extension} {udp}"));
        let found = Dissection::new(LinkType::IPV6, Check::Unknown, &frame);
        assert_eq!((found.problem, found.message()), (None, Some(&[0, 0x14, 0x0a, 0x55][..])), "{next}");
    }
}

/// The limit itself is allowed.
#[test]
fn a_record_of_16_mib_is_read() {
    const MOST: usize = 16 << 20;
    let file = |length: usize| {
        let mut file = octets("d4c3b2a1 0200 0400 00000000 00000000 00000400 01000000 00000000 00000000");
        file.extend((length as u32).to_le_bytes());
        file.extend((length as u32).to_le_bytes());
        file.resize(file.len() + length, 0);
        file
    };
    let read = |length: usize| {
        let file = file(length);
        Reader::new(&file[..])
            .next_frame()
            .map(|frame| frame.map(|frame| frame.octets.len()).map_err(|error| error.code()))
    };
    assert_eq!(read(MOST), Some(Ok(MOST)));
    assert_eq!(read(MOST + 1), Some(Err("capture.limit.length")));
}

/// A block has 512 frames, or the frames with which it reaches 32 KiB.
#[test]
fn blocks_of_a_file_begin_after_512_frames_or_32_kib() {
    let begins = |frames: u32, length: u32| {
        let mut file = octets("d4c3b2a1 0200 0400 00000000 00000000 00000400 01000000");
        for _ in 0..frames {
            file.extend([0; 8]);
            file.extend([length.to_le_bytes(), length.to_le_bytes()].concat());
            file.resize(file.len() + length as usize, 0);
        }
        let chunk = Reader::new(&file[..]).chunk(usize::MAX);
        let begins: Vec<usize> = chunk.entries().enumerate().filter(|(_, one)| one.begins).map(|(at, _)| at).collect();
        begins
    };
    assert_eq!(begins(1025, 1), [0, 512, 1024]);
    assert_eq!(begins(9, 8 << 10), [0, 4, 8]);
}

fn octets(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(|octet| !octet.is_ascii_whitespace()).collect();
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).expect("digits"), 16).expect(hex))
        .collect()
}
