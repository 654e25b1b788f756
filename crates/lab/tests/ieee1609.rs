//! The messages of the study of IEEE 1609.2: their lengths, in both executors; their signatures; and what is refused.

use roadwire_lab::ieee1609::cells::Engine;
use roadwire_lab::ieee1609::description::{Description, Kind, all};
use roadwire_lab::ieee1609::encoding::{Encoding, MESSAGE, Parts};
use roadwire_lab::ieee1609::{message, signing};
use roadwire_lab::measure::random::Random;

/// Each message in each encoding that it is in: its value, and its octets as the interpreter writes that.
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
            // Over the remains of a message that was refused.
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
        assert_eq!(signing::verify(parts, of, octets), Ok(()), "{name}");
        let spans = signing::Spans::of(parts, octets).unwrap();
        assert_eq!(spans.certificates.len(), of.certificates(), "{name}");
        let signed = spans.message.into_iter().chain(spans.certificates.iter().map(|(_, unsigned)| *unsigned));
        for (from, to) in signed {
            // Each bit of the paper's messages takes minutes; some of each message do not.
            let count = if of.row.is_some() { 40 } else { 4 };
            for _ in 0..count {
                let bit = from + random.below(to - from);
                let mut flipped = octets.to_vec();
                flipped[bit / 8] ^= 0x80 >> (bit % 8);
                assert!(signing::verify(parts, of, &flipped).is_err(), "{name}: bit {bit} of {from} to {to}");
            }
        }
    });
}

#[test]
fn what_is_encrypted_is_read_by_each_recipient() {
    let mut open = 0;
    each(|parts, of, _, octets| {
        let roadwire_lab::ieee1609::description::Signer::Recipients(count) = of.signer else { return };
        for recipient in 0..count {
            // What is inside is unsecured octets; a ciphertext without room for a tag has nothing inside.
            let plain = signing::opened(parts, octets, recipient).unwrap();
            assert_eq!(plain.is_none(), of.name == "SecuredData-062", "{}", of.name);
            open += usize::from(plain.is_some_and(|plain| plain.len() == of.octets(parts.encoding) - 16));
        }
        let last = octets.len() - 1;
        let mut changed = octets.to_vec();
        changed[last] ^= 0x80;
        let read = signing::opened(parts, &changed, 0);
        assert!(read.is_err() || of.name == "SecuredData-062", "{}", of.name);
    });
    assert_eq!(open, 4 * (1 + 2 + 3));
}

/// A spacer carries nothing, and nothing checks that: one that is not zero is read and written again; inside what is signed the signature tells, outside nobody does.
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
        assert_eq!(signing::verify(&parts, &of, &octets).is_err(), signed, "{path:?}");
    }
}

/// More certificates than the types hold themselves, and lengths that reach beyond what is around them.
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
