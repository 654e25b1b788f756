//! Values that may be wrong in any way, from a few octets.

use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::value::Integer;
use roadwire_model::{BigInt, Model, TypeId, Unknown, Value};

/// Makes a value by a recipe: an octet of settings, eight octets of seed, and then one corruption
/// for each three octets.
pub(crate) fn value(model: &Model, root: TypeId, recipe: &[u8]) -> Value {
    let octet = |at: usize| recipe.get(at).copied().unwrap_or(0);
    let kind = octet(0);
    let settings = Settings {
        optional: [0, 30, 60, 100][usize::from(kind & 3)],
        extensions: [0, 25][usize::from(kind >> 2 & 1)],
        unknown: [0, 10][usize::from(kind >> 3 & 1)],
        boundary: [20, 80][usize::from(kind >> 4 & 1)],
        open_types: octet(1) & 1 == 0,
        max_elements: [3, 40][usize::from(kind >> 5 & 1)],
        max_length: [10, 200][usize::from(kind >> 6 & 1)],
        budget: [60, 400][usize::from(kind >> 7)],
        ..Settings::default()
    };
    let mut seed = [0; 8];
    seed.iter_mut().enumerate().for_each(|(at, place)| *place = octet(1 + at));
    let mut value = Generator::new(model, settings).value(root, &mut Rng::new(u64::from_le_bytes(seed)));
    for spoiling in recipe.get(9..).unwrap_or(&[]).chunks_exact(3).take(8) {
        let place = usize::from(u16::from_le_bytes([spoiling[0], spoiling[1]]));
        let count = count(&value);
        if let Some(node) = nth(&mut value, &mut (place % count)) {
            spoil(node, spoiling[2]);
        }
    }
    value
}

/// How many values a value consists of, including itself.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Sequence { components, .. } => components.iter().flatten().map(count).sum(),
        Value::List(elements) => elements.iter().map(count).sum(),
        Value::Choice(_, inner) => count(inner),
        _ => 0,
    }
}

fn nth<'v>(value: &'v mut Value, left: &mut usize) -> Option<&'v mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Value::Sequence { components, .. } => components.iter_mut().flatten().find_map(|one| nth(one, left)),
        Value::List(elements) => elements.iter_mut().find_map(|one| nth(one, left)),
        Value::Choice(_, inner) => nth(inner, left),
        _ => None,
    }
}

fn spoil(value: &mut Value, how: u8) {
    let detail = how >> 4;
    match (&mut *value, how & 0x0f) {
        (_, 0) => *value = other_kind(detail),
        (Value::Integer(number), _) => *number = integer(number, how),
        (Value::Enumerated(ordinal), _) => {
            *ordinal = [0, 1, 4, 5, 70, 1 << 16, u32::MAX, ordinal.wrapping_add(1)][usize::from(how % 8)];
        }
        (Value::Real(real), _) => {
            *real = [f64::NAN, f64::INFINITY, -0.0, f64::MIN_POSITIVE / 4.0, f64::MAX, 0.1][usize::from(how % 6)];
        }
        (Value::BitString { octets, bits }, 1..=4) => {
            // The octets no longer agree with the number of bits.
            *bits = [0, bits.wrapping_add(1), bits.wrapping_add(8), usize::MAX][usize::from(how % 4)];
            octets.truncate((*bits / 8).min(usize::from(detail)));
        }
        (Value::BitString { bits, .. }, _) => {
            *value = Value::bit_string(&[detail; 40], bits.wrapping_add(usize::from(how)) % 320);
        }
        (Value::OctetString(octets), _) => octets.resize([0, 1, 5, 300, 16_384, 70_000][usize::from(how % 6)], how),
        (Value::Text(text), 1..=4) => text.clear(),
        (Value::Text(text), _) => {
            text.push(['\0', 'Z', '\x7f', '\u{e9}', '\u{20ac}', '\u{1f600}', ' '][usize::from(how % 7)])
        }
        (Value::List(elements), 1..=4) => elements.truncate(usize::from(detail)),
        (Value::List(elements), 5) => elements.push(Value::Unset),
        (Value::List(elements), _) => {
            if let Some(last) = elements.last().cloned() {
                // Sizes of nested lists multiply.
                let more = [1, 2, 40, 300][usize::from(how % 4)].min(2000 / count(&last));
                elements.resize(elements.len() + more, last);
            }
        }
        (Value::Sequence { unknown, .. }, 1..=3) => {
            let octets = vec![how; usize::from(detail)];
            let least = unknown.last().map_or(5, |last| last.index.saturating_add(1));
            unknown.push(Unknown {
                index: [least, 7, 64, 16_383, u32::MAX][usize::from(how >> 4) % 5].max(least),
                octets,
            });
        }
        (Value::Sequence { components, .. }, 4) => components.truncate(usize::from(detail)),
        (Value::Sequence { components, .. }, 5) => components.push(Some(Value::Null)),
        (Value::Sequence { components, .. }, _) => {
            if let Some(place) = components.get_mut(usize::from(how >> 2) % 16) {
                *place = None;
            }
        }
        (Value::Choice(index, _), _) => {
            *index = [0, 1, 2, 12, 13, 99, u32::MAX, index.wrapping_add(1)][usize::from(how % 8)]
        }
        (Value::UnknownChoice(unknown), _) => unknown.index = [3, 4, 64, u32::MAX][usize::from(how % 4)],
        _ => *value = other_kind(detail),
    }
}

fn integer(number: &Integer, how: u8) -> Integer {
    let near = |by: i128| match number.to_string().parse::<i128>() {
        Ok(value) => value.saturating_add(by).into(),
        Err(_) => 0i128.into(),
    };
    match how % 12 {
        0 => near(1),
        1 => near(-1),
        2 => near(1 << 20),
        3 => near(-(1 << 33)),
        4 => i128::MAX.into(),
        5 => i128::MIN.into(),
        6 => (BigInt::from(1) << 127u32).into(),
        7 => (BigInt::from(-1) << 200u32).into(),
        8 => (BigInt::from(1) << 2100u32).into(),
        9 => i128::from(u64::MAX).into(),
        10 => i128::from(i64::MIN).into(),
        _ => 0i128.into(),
    }
}

fn other_kind(which: u8) -> Value {
    match which {
        0 => Value::Unset,
        1 => Value::Null,
        2 => Value::Boolean(true),
        3 => Value::from(3),
        4 => Value::Enumerated(1),
        5 => Value::Real(1.5),
        6 => Value::bit_string(&[0xa5], 7),
        7 => Value::OctetString(vec![1, 2, 3]),
        8 => Value::from("text"),
        9 => Value::sequence([]),
        10 => Value::sequence([Some(Value::Null), None]),
        11 => Value::List(vec![]),
        12 => Value::List(vec![Value::Null; 3]),
        13 => Value::choice(0, 1),
        14 => Value::UnknownChoice(Unknown { index: 3, octets: vec![0] }),
        // Deeper than any codec goes.
        _ => (0..150).fold(Value::Null, |inner, _| Value::List(vec![inner])),
    }
}
