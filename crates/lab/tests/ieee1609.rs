//! The messages of the study of IEEE 1609.2: their lengths, in both executors; their signatures;
//! and refusals.

use roadwire_engine::{Item, Limits, Listener, Tapped, What};
use roadwire_lab::studies::ieee1609::cells::Engine;
use roadwire_lab::studies::ieee1609::description::{Description, Kind, all};
use roadwire_lab::studies::ieee1609::encoding::{Encoding, MESSAGE, Parts};
use roadwire_lab::studies::ieee1609::secured::{Binary, OerOriginal, Secured, UperOriginal, UperP};
use roadwire_lab::studies::ieee1609::{message, passes, spans, verifying};
use roadwire_layout::{Coer, Layout, Oer, Tls, Uper};
use roadwire_measure::cell::Direction;
use roadwire_measure::random::Random;
use roadwire_messages::ieee1609dot2_2013;
use roadwire_papers::{dot2_original_2015, dot2_p_2015};
use roadwire_wire::{Step, Tap};

/// Each message in each of its encodings: its value, and the interpreter's octets.
fn each(mut then: impl FnMut(&Parts, &Description, &str, &[u8])) {
    for encoding in Encoding::ALL {
        let parts = Parts::new(encoding).unwrap();
        for of in all().unwrap() {
            let Some(value) = message(&parts, &of).unwrap() else { continue };
            let octets = parts.encode(MESSAGE, &value).unwrap();
            then(&parts, &of, &value.to_string(), &octets);
        }
    }
}

#[test]
fn lengths_are_the_recipes_and_both_executors_round_trip() {
    let mut count = 0;
    each(|parts, of, text, octets| {
        let name = format!("{} in {}", of.name, parts.encoding.name());
        assert_eq!(Some(octets.len()), of.length(parts.encoding), "{name}");
        let again = parts.decode(MESSAGE, octets).unwrap();
        assert_eq!(again, serde_json::from_str::<serde_json::Value>(text).unwrap(), "{name}");
        for engine in [Engine::Toed, Engine::Soed, Engine::Lent] {
            let mut cell = engine.cell(parts, text).map_err(|absent| absent.0).unwrap();
            assert_eq!(cell.bytes().as_deref(), Ok(octets), "{name}, {}", engine.name());
            // Decodes over the remains of a refused message.
            assert_eq!(
                cell.recode(&octets[..octets.len() / 2], octets).as_deref(),
                Ok(octets),
                "{name}, {}",
                engine.name()
            );
        }
        count += 1;
    });
    assert_eq!(count, 4 * 64 + 4 * 3 + 3);
}

#[test]
fn rasn_has_the_same_octets() {
    each(|parts, of, text, octets| {
        if parts.encoding == Encoding::Binary {
            return;
        }
        let name = format!("{} in {}", of.name, parts.encoding.name());
        let mut cell = Engine::Rasn.cell(parts, text).map_err(|absent| absent.0).unwrap();
        assert_eq!(cell.bytes().as_deref(), Ok(octets), "{name}");
        assert_eq!(cell.recode(octets, octets).as_deref(), Ok(octets), "{name}");
    });
}

#[test]
fn every_proper_prefix_is_refused() {
    each(|parts, of, text, octets| {
        let mut cell = Engine::Toed.cell(parts, text).map_err(|absent| absent.0).unwrap();
        for length in 0..octets.len() {
            let read = cell.recode(octets, &octets[..length]);
            assert!(read.is_err(), "{length} octets of {} in {}", of.name, parts.encoding.name());
        }
    });
}

#[test]
fn signatures_verify_and_no_bit_of_what_is_signed_can_change() {
    let mut random = Random::new(2015);
    each(|parts, of, _, octets| {
        if !matches!(of.kind, Kind::Signed | Kind::Partial) {
            return;
        }
        let name = format!("{} in {}", of.name, parts.encoding.name());
        assert_eq!(verifying::verify(parts, of, octets), Ok(()), "{name}");
        let spans = spans::Spans::of(parts, octets).unwrap();
        assert_eq!(spans.certificates.len(), of.certificates(), "{name}");
        let signed = spans.message.into_iter().chain(spans.certificates.iter().map(|(_, unsigned)| *unsigned));
        for (from, to) in signed {
            // Testing every bit of the paper's messages would take minutes, so only some bits are
            // tested.
            let count = if of.row.is_some() { 40 } else { 4 };
            for _ in 0..count {
                let bit = from + random.below(to - from);
                let mut flipped = octets.to_vec();
                flipped[bit / 8] ^= 0x80 >> (bit % 8);
                assert!(verifying::verify(parts, of, &flipped).is_err(), "{name}: bit {bit} of {from} to {to}");
            }
        }
    });
}

#[test]
fn what_is_encrypted_is_read_by_each_recipient() {
    let mut open = 0;
    each(|parts, of, _, octets| {
        let roadwire_lab::studies::ieee1609::description::Signer::Recipients(count) = of.signer else { return };
        for recipient in 0..count {
            // The content is unsecured octets; a ciphertext without room for a tag has no content.
            let plain = verifying::opened(parts, octets, recipient).unwrap();
            assert_eq!(plain.is_none(), of.name == "SecuredData-062", "{}", of.name);
            open += usize::from(plain.is_some_and(|plain| plain.len() == of.octets(parts.encoding) - 16));
        }
        let last = octets.len() - 1;
        let mut changed = octets.to_vec();
        changed[last] ^= 0x80;
        let read = verifying::opened(parts, &changed, 0);
        assert!(read.is_err() || of.name == "SecuredData-062", "{}", of.name);
    });
    assert_eq!(open, 4 * (1 + 2 + 3));
}

/// Parts of a message: each with its number, and where it begins and ends.
#[derive(Default, Debug, PartialEq)]
struct Parted {
    open: Vec<(usize, usize)>,
    parts: Vec<(usize, usize, usize)>,
}

impl Tap for Parted {
    fn begins(&mut self, part: usize, at: usize) {
        // A part that begins again replaces the earlier one.
        self.open.retain(|(other, _)| *other != part);
        self.parts.retain(|(other, ..)| *other != part);
        self.open.push((part, at));
    }
    fn ends(&mut self, part: usize, octets: &[u8], at: usize) {
        assert!(at <= octets.len() * 8);
        let open = self.open.pop().unwrap();
        assert_eq!(open.0, part);
        self.parts.push((part, open.1, at));
    }
}

/// The calls of a tap when a message is decoded, and when it is encoded again.
fn parted<S: Secured>(octets: &[u8]) -> Result<[Parted; 2], String> {
    let (mut place, mut decoded, mut encoded) = (None, Parted::default(), Parted::default());
    S::decode_tapped(octets, &mut place, &mut decoded).map_err(|error| error.to_string())?;
    let mut output = vec![0; octets.len() + 64];
    let length = S::encode_tapped(&place.unwrap(), &mut output, &mut encoded).map_err(|error| error.to_string())?;
    assert_eq!(&output[..length], octets);
    Ok([decoded, encoded])
}

fn parted_in(encoding: Encoding, octets: &[u8]) -> Result<[Parted; 2], String> {
    match encoding {
        Encoding::Binary => parted::<Binary>(octets),
        Encoding::UperOriginal => parted::<UperOriginal>(octets),
        Encoding::UperP => parted::<UperP>(octets),
        Encoding::OerOriginal => parted::<OerOriginal>(octets),
    }
}

/// The same for a type that owns its strings.
fn parted_owned<M, E>(octets: &[u8]) -> [Parted; 2]
where
    M: for<'a> Tapped<'a, E>,
{
    let (mut message, mut decoded, mut encoded) = (M::default(), Parted::default(), Parted::default());
    message.decode_tapped(octets, &mut decoded).unwrap();
    let mut output = vec![0; octets.len() + 64];
    let length = message.encode_tapped(&mut output, &mut encoded).unwrap();
    assert_eq!(&output[..length], octets);
    [decoded, encoded]
}

#[test]
fn a_tap_hears_of_parts_in_one_pass() {
    each(|parts, of, text, octets| {
        let name = format!("{} in {}", of.name, parts.encoding.name());
        let [decoded, encoded] = parted_in(parts.encoding, octets).unwrap();
        assert_eq!(decoded, encoded, "{name}");
        let owned = match parts.encoding {
            Encoding::Binary => vec![parted_owned::<ieee1609dot2_2013::SecuredData, Tls>(octets)],
            Encoding::UperOriginal => vec![parted_owned::<dot2_original_2015::SecuredData, Uper>(octets)],
            Encoding::UperP => vec![parted_owned::<dot2_p_2015::SecuredData, Uper>(octets)],
            Encoding::OerOriginal => vec![
                parted_owned::<dot2_original_2015::SecuredData, Oer>(octets),
                parted_owned::<dot2_original_2015::SecuredData, Coer>(octets),
            ],
        };
        assert!(owned.iter().flatten().all(|heard| *heard == decoded), "{name}");
        let signed = spans::Spans::of(parts, octets).unwrap().message;
        let heard = decoded.parts.iter().find(|(part, ..)| *part == 0).map(|(_, from, to)| (*from, *to));
        assert_eq!(heard, signed, "{name}");
        assert_eq!(decoded.parts.len(), if signed.is_some() { 2 } else { 0 }, "{name}");
        // The schema determines the order.
        let order: Vec<usize> = decoded.parts.iter().map(|(part, ..)| *part).collect();
        assert!(order.is_empty() || order == if parts.encoding == Encoding::UperP { [1, 0] } else { [0, 1] }, "{name}");
        // In PER, a payload in fragments of 16K is left to the interpreter.
        if of.name != "SecuredData-004" {
            return;
        }
        let mut value: serde_json::Value = serde_json::from_str(text).unwrap();
        let data = ["/content/signed/unsignedData/payload/data", "/type/signed/unsigned_data/data"];
        let data = if parts.encoding == Encoding::Binary { data[1] } else { data[0] };
        *value.pointer_mut(data).unwrap() = "5A".repeat(1 << 14).into();
        let octets = parts.encode(MESSAGE, &value).unwrap();
        let long = parted_in(parts.encoding, &octets).unwrap();
        assert_eq!(long[0], long[1]);
    });
}

#[test]
fn what_a_tap_hears_of_refused_octets_is_refused() {
    let mut random = Random::new(2026);
    each(|parts, of, text, octets| {
        if of.row.is_none() {
            return;
        }
        let mut cell = Engine::Lent.cell(parts, text).map_err(|absent| absent.0).unwrap();
        for length in 0..octets.len() {
            assert!(parted_in(parts.encoding, &octets[..length]).is_err(), "{length} octets of {}", of.name);
        }
        for _ in 0..60 {
            let mut changed = octets.to_vec();
            let at = random.below(changed.len());
            changed[at] = random.next() as u8;
            // An encoding that is not canonical is written differently.
            let again = cell.recode(octets, &changed);
            if again.as_ref().is_ok_and(|again| *again != changed) {
                continue;
            }
            assert_eq!(parted_in(parts.encoding, &changed).map(|_| ()), again.map(|_| ()), "{}", of.name);
        }
    });
}

#[test]
fn signed_in_one_pass() {
    let mut random = Random::new(1609);
    each(|parts, of, text, octets| {
        let mut value: serde_json::Value = serde_json::from_str(text).unwrap();
        let signature = match parts.encoding {
            Encoding::Binary => ["/type/signed/signature", "/type/signed_partial_payload/signature"],
            _ => ["/content/signed/signature/ecdsaNistP256"; 2],
        };
        let place = signature.into_iter().find(|place| value.pointer(place).is_some());
        let Some(place) = place else {
            assert!(passes::cells(parts, of, text, octets).unwrap().is_none(), "{}", of.name);
            return;
        };
        let name = format!("{} in {}", of.name, parts.encoding.name());
        // A signer has no signature yet.
        let place = value.pointer_mut(place).unwrap();
        let r = if parts.encoding == Encoding::Binary { "x_coordinate_only" } else { "xOnly" };
        *place = serde_json::json!({ "r": { r: "00".repeat(32) }, "s": "00".repeat(32) });
        let (passes, mut cells) = passes::cells(parts, of, &value.to_string(), octets).unwrap().unwrap();
        assert_eq!(passes::Work::ALL[4], passes::Work::Signature);
        assert_eq!(cells[4].bytes().as_deref(), Ok(octets), "{name}");
        assert_eq!(cells[4].recode(octets, octets).as_deref(), Ok(octets), "{name}");
        let numbers = (passes.signature.1 - 512, passes.signature.1);
        for (from, to) in [passes.signed, numbers].into_iter().filter(|_| of.row.is_some()) {
            for _ in 0..4 {
                let bit = from + random.below(to - from);
                let mut flipped = octets.to_vec();
                flipped[bit / 8] ^= 0x80 >> (bit % 8);
                assert!(cells[4].recode(octets, &flipped).is_err(), "{name}: bit {bit}");
            }
        }
        // Data that does not begin at an octet border is moved; a sender holds back data after a
        // signature.
        let whole = parts.encoding == Encoding::Binary || parts.encoding == Encoding::OerOriginal;
        assert!(!whole || passes.moved(Direction::Encode) == 0, "{name}");
        let is_p = parts.encoding == Encoding::UperP;
        assert_eq!((passes.held_by_sender() > 0, passes.kept_by_receiver() > 0), (is_p, is_p), "{name}");
    });
}

/// A spacer has no meaning and is not checked: a nonzero spacer is read and written again; inside
/// the signed data the signature detects it, outside nothing does.
#[test]
fn spacers_that_are_not_zero() {
    let parts = Parts::new(Encoding::UperP).unwrap();
    let of = all().unwrap().into_iter().find(|of| of.name == "SecuredData-025").unwrap();
    let value = message(&parts, &of).unwrap().unwrap();
    let places: [(&[&str], bool); 5] = [
        (&[], false),
        (&["content", "signed"], false),
        (&["content", "signed", "signer"], false),
        (&["content", "signed", "unsignedData", "payload"], true),
        (&["content", "signed", "unsignedData", "header"], true),
    ];
    for (path, signed) in places {
        let mut changed = value.clone();
        let place = path.iter().fold(&mut changed, |place, step| &mut place[*step]);
        place["spacer"] = 1.into();
        let octets = parts.encode(MESSAGE, &changed).unwrap();
        for engine in [Engine::Toed, Engine::Soed, Engine::Lent] {
            let mut cell = engine.cell(&parts, &value.to_string()).map_err(|absent| absent.0).unwrap();
            assert_eq!(cell.recode(&octets, &octets).as_ref(), Ok(&octets), "{path:?}");
        }
        assert_eq!(verifying::verify(&parts, &of, &octets).is_err(), signed, "{path:?}");
    }
}

/// More certificates than the types hold inline, and lengths beyond the enclosing value.
#[test]
fn long_chains_and_lengths_that_overlap() {
    let of = all().unwrap().into_iter().find(|of| of.name == "SecuredData-059").unwrap();
    for encoding in Encoding::ALL {
        let parts = Parts::new(encoding).unwrap();
        let value = message(&parts, &of).unwrap().unwrap();
        let octets = parts.encode(MESSAGE, &value).unwrap();
        let mut long = value.clone();
        let pointer = match encoding {
            Encoding::Binary => "/type/signed/signer/certificate_chain",
            Encoding::UperP => "/content/signed/signer/signer/chain",
            _ => "/content/signed/signer/chain",
        };
        let chain = long.pointer_mut(pointer).unwrap().as_array_mut().unwrap();
        chain.extend_from_within(..);
        let six = parts.encode(MESSAGE, &long).unwrap();
        for engine in [Engine::Toed, Engine::Soed, Engine::Lent] {
            let mut cell = engine.cell(&parts, &value.to_string()).map_err(|absent| absent.0).unwrap();
            assert_eq!(cell.recode(&octets, &six).as_ref(), Ok(&six), "{}", encoding.name());
            assert_eq!(cell.recode(&six, &octets).as_ref(), Ok(&octets), "{}", encoding.name());
        }
        if encoding == Encoding::Binary {
            // Version, content type, type of signer, and the length of the chain in two octets.
            assert_eq!(octets[..5], [2, 1, 4, 0x81, 0x89]);
            for length in [0x8188u16, 0x818a, 0x8fff, 0xbfff] {
                let mut wrong = octets.clone();
                wrong[3..5].copy_from_slice(&length.to_be_bytes());
                for engine in [Engine::Toed, Engine::Soed, Engine::Lent] {
                    let mut cell = engine.cell(&parts, &value.to_string()).map_err(|absent| absent.0).unwrap();
                    assert!(cell.recode(&octets, &wrong).is_err(), "{length:#x}");
                }
            }
        }
    }
}

/// The bits of lengths and counts.
#[derive(Default)]
struct Lengths(Vec<(usize, usize)>);

impl Listener for Lengths {
    fn enter(&mut self, _: Step<'_>) {}
    fn leave(&mut self) {}
    fn item(&mut self, _: &Layout, item: &Item<'_>) {
        if matches!(item.what, What::Length(_)) {
            self.0.push((item.bit, item.bits));
        }
    }
}

/// Lengths and counts that do not match: more certificates than octets, strings that extend into
/// the following data, and beyond the end. All codecs refuse the same, and write the same again for
/// accepted input.
#[test]
fn every_length_that_is_another() {
    let of = all().unwrap().into_iter().find(|of| of.name == "SecuredData-059").unwrap();
    for encoding in Encoding::ALL {
        let parts = Parts::new(encoding).unwrap();
        let value = message(&parts, &of).unwrap().unwrap();
        let octets = parts.encode(MESSAGE, &value).unwrap();
        let mut lengths = Lengths::default();
        parts.listen(MESSAGE, &octets, &Limits::for_input(&octets), &mut lengths).unwrap();
        let mut cells = [Engine::Toed, Engine::Soed, Engine::Lent]
            .map(|engine| engine.cell(&parts, &value.to_string()).map_err(|absent| absent.0).unwrap());
        let mut refused = 0;
        for (bit, bits) in &lengths.0 {
            // Short and long ones, a length of lengths, and fragments of 16K and more.
            for other in [0x00u8, 0x01, 0x7f, 0x80, 0x81, 0x84, 0x88, 0xbf, 0xc0, 0xc4, 0xff] {
                let mut wrong = octets.clone();
                for at in 0..8.min(*bits) {
                    let (place, mask) = ((bit + at) / 8, 0x80 >> ((bit + at) % 8));
                    wrong[place] = wrong[place] & !mask | if other >> (7 - at) & 1 == 1 { mask } else { 0 };
                }
                let [toed, soed, lent] = cells.each_mut().map(|cell| cell.recode(&octets, &wrong));
                assert_eq!(toed, soed, "{}, bit {bit}: {other:#x}", encoding.name());
                assert_eq!(lent, soed, "{}, bit {bit}: {other:#x}", encoding.name());
                refused += usize::from(soed.is_err());
            }
        }
        assert!(lengths.0.len() > 10 && refused > 8 * lengths.0.len(), "{} of {}", refused, lengths.0.len());
    }
}
