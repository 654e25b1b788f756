//! REAL in all forms of its contents.

use roadwire_layout::{Family, Rules};
use roadwire_model::Value;
use roadwire_model::random::Rng;

use crate::c99::{Message, held};
use crate::{compiled, packed};

const REAL: &str = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN All ::= SEQUENCE { a REAL, b BOOLEAN } END";

/// Contents in a binary form, of any base and scale factor, with more octets than they need.
fn binary(rng: &mut Rng) -> Vec<u8> {
    let (first, mut octets) = (0x80 | rng.below(0x80) as u8, Vec::new());
    let length = match first & 3 {
        3 => [1, 2, 3, 4, 9, 16, 17, 40][rng.below(8) as usize],
        other => u64::from(other) + 1,
    };
    octets.push(first);
    octets.extend((first & 3 == 3).then_some(length as u8));
    let exponent = (rng.below(2400) as i64 - 1200) / [1, 3, 4, 4][usize::from(first >> 4 & 3)];
    let sign = if exponent < 0 { 0xff } else { 0 };
    octets.extend(vec![sign; length.saturating_sub(2) as usize]);
    octets.extend(exponent.to_be_bytes()[8 - length.min(2) as usize..].iter());
    octets.extend(vec![0; rng.below(3) as usize]);
    octets.extend((0..rng.below(20)).map(|_| if rng.below(4) == 0 { 0 } else { rng.next_u64() as u8 }));
    octets
}

/// Contents in a decimal form, some of which are between two doubles.
fn decimal(rng: &mut Rng) -> Vec<u8> {
    let value = f64::from_bits(rng.next_u64());
    let text = match rng.below(6) {
        0 => format!("{value:e}"),
        1 => format!("{:.*e}", rng.below(40) as usize, value),
        2 => format!("{}.{}E{}", rng.next_u64(), rng.next_u64(), rng.below(700) as i64 - 350),
        3 => format!("{},{}", rng.next_u64() as i64 >> rng.below(60), rng.next_u64() >> rng.below(60)),
        4 => format!("{}", rng.next_u64() as i64 >> rng.below(60)),
        // Halfway between two doubles: 2^53 + 1, and a little more.
        _ => format!("+9007199254740993{}E{}", ["", ".0", ".0000000000001"][rng.below(3) as usize], rng.below(3)),
    };
    let form = match (text.contains(['e', 'E']), text.contains(['.', ','])) {
        (true, _) => 3,
        (false, mark) => 1 + u8::from(mark),
    };
    let form = if rng.below(20) == 0 { rng.below(5) as u8 } else { form };
    [&[form][..], &b"  "[..rng.below(3) as usize], text.as_bytes()].concat()
}

#[test]
fn all_forms_of_reals_are_taken() {
    let model = compiled(REAL);
    let mut rng = Rng::new(3);
    let mut contents: Vec<Vec<u8>> = (0..6000).map(|_| binary(&mut rng)).collect();
    contents.extend((0..6000).map(|_| decimal(&mut rng)));
    contents.extend((0..=255).flat_map(|first| [vec![first], vec![first, 0], vec![first, 1, 1]]));
    contents.extend([b"\x01".to_vec(), [&b"\x01"[..], &[b'1'; 1000]].concat(), [&b"\x01"[..], &[b' '; 999]].concat()]);
    for rules in [Rules::Der, Rules::Uper, Rules::Aper, Rules::Oer] {
        let message = [Message::of(&model, "All", rules)];
        let zero = message[0].encoded(&Value::sequence([Some(Value::Real(0.0)), Some(Value::Boolean(true))])).unwrap();
        let of = |contents: &Vec<u8>| {
            let length = roadwire_wire::rt::tlv::length_octets(contents.len());
            if rules == Rules::Der {
                let inside = [&[0x80], length.as_slice(), contents, &[0x81, 1, 0xff]].concat();
                let length = roadwire_wire::rt::tlv::length_octets(inside.len());
                [&[0x30], length.as_slice(), &inside].concat()
            } else if rules.family() == Family::Packed && contents.len() > 127 {
                // Those of at least 128 octets have the two lengths of packed rules.
                [&(0x8000 | contents.len() as u16).to_be_bytes()[..], contents, &zero[1..]].concat()
            } else {
                [length.as_slice(), contents, &zero[1..]].concat()
            }
        };
        let messages: Vec<Vec<u8>> = contents.iter().map(of).collect();
        let [all, by_c] = held(&model, rules, "reals", &message, |_| messages.clone())["All"];
        assert!(all > 6000 && by_c == all, "{rules}: {by_c} of {all}");
    }
}

/// Numbers of JSON, of which some have more digits than a double, and strings and objects.
fn text(rng: &mut Rng) -> String {
    let value = f64::from_bits(rng.next_u64());
    let number = match rng.below(7) {
        0 => format!("{value:e}"),
        1 => format!("{:.*e}", rng.below(40) as usize, value),
        2 => format!("{}.{}E{}", rng.next_u64(), rng.next_u64(), rng.below(700) as i64 - 350),
        3 => format!("-{}.{}", rng.next_u64() >> rng.below(60), rng.next_u64() >> rng.below(60)),
        4 => format!("{}", rng.next_u64() as i64 >> rng.below(60)),
        5 => format!("0.{:06}e{}", rng.below(1_000_000), rng.below(9)),
        _ => ["\"-0\"", "\"INF\"", "\"-INF\"", "\"N\\u0061N\"", "\"\"", "\"1\"", "-0", "0.0"][rng.below(8) as usize]
            .to_owned(),
    };
    match rng.below(12) {
        0 => format!("{{\"base10Value\":{number}}}"),
        1 => format!("{{ \"base10V\\u0061lue\" : {number} }}"),
        2 => ["{}", "{\"a\":1}", "{\"base10Value\":1,\"a\":2}", "{\"base10Value\":", "[1]"][rng.below(5) as usize]
            .to_owned(),
        _ => number,
    }
}

#[test]
fn all_forms_of_reals_in_json_are_taken() {
    let model = compiled(REAL);
    let mut rng = Rng::new(3);
    let message = [Message::of(&model, "All", Rules::Jer)];
    let texts: Vec<Vec<u8>> =
        (0..8000).map(|_| format!("{{\"a\":{},\"b\":true}}", text(&mut rng)).into_bytes()).collect();
    let [all, by_c] = held(&model, Rules::Jer, "reals", &message, |_| texts.clone())["All"];
    assert!(all > 5000 && by_c == all, "{by_c} of {all}");
}

/// The bits of a number in groups of seven, the lowest first, perhaps with more groups of zeros.
fn groups(number: u128, more: u64) -> String {
    let (mut bits, mut left) = (String::new(), number);
    loop {
        let is_last = left >> 7 == 0;
        bits += &format!("{}{:07b}", u8::from(!is_last || more > 0), left & 0x7f);
        left >>= 7;
        if is_last {
            let zeros = (1..=more).map(|at| if at == more { "00000000" } else { "10000000" });
            return bits + &zeros.collect::<String>();
        }
    }
}

/// A mantissa and an exponent of 10, at their bounds and beyond.
fn float(rng: &mut Rng) -> String {
    let mantissa = match rng.below(8) {
        0 => rng.below(3).into(),
        1 => u128::from(u64::MAX) + u128::from(rng.below(5)) - 2,
        2 => u128::from(rng.next_u64()) << rng.below(64),
        3 => (1 << 53) + u128::from(rng.below(3)),
        _ => (rng.next_u64() >> rng.below(64)).into(),
    };
    let exponent = match rng.below(6) {
        0 => 16_381 + u128::from(rng.below(5)),
        1 => rng.next_u64().into(),
        2 => u128::from(rng.next_u64()) << rng.below(30),
        3 => 280 + u128::from(rng.below(60)),
        _ => rng.below(340).into(),
    };
    let one = |number, rng: &mut Rng| {
        let more = if rng.below(20) == 0 { rng.below(12) } else { 0 };
        format!("{}{}", rng.below(2), groups(number, more))
    };
    let bits = one(mantissa, rng) + &one(exponent, rng);
    let end = if rng.below(12) == 0 { rng.below(bits.len() as u64 + 1) as usize } else { bits.len() };
    bits[..end].to_owned()
}

#[test]
fn all_floats_of_exi_are_taken() {
    let model = compiled(REAL);
    for rules in [Rules::Exi, Rules::ExiDefault, Rules::ExiSplit] {
        let message = [Message::of(&model, "All", rules)];
        let mut rng = Rng::new(3);
        let written = |real| {
            let value = Value::sequence([Some(Value::Real(real)), Some(Value::Boolean(true))]);
            message[0].encoded(&value).unwrap().iter().map(|octet| format!("{octet:08b}")).collect::<String>()
        };
        // The bits before and after a number: zero is 18 bits, and one differs in the ninth.
        let (zero, one) = (written(0.0), written(1.0));
        let front = zero.bytes().zip(one.bytes()).take_while(|(zero, one)| zero == one).count() - 8;
        let behind = &zero[front + 18..];
        let mut all: Vec<Vec<u8>> =
            (0..12_000).map(|_| packed(&format!("{}{}{behind}", &zero[..front], float(&mut rng)))).collect();
        let reals = (0..3000).map(|_| f64::from_bits(rng.next_u64()));
        let reals = reals.chain([f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX, f64::MIN_POSITIVE, 5e-324, 0.1]);
        all.extend(reals.map(|real| packed(&written(real))));
        let [all, by_c] = held(&model, rules, "reals", &message, |_| all.clone())["All"];
        assert!(all > 6000 && by_c == all, "{rules}: {by_c} of {all}");
    }
}
