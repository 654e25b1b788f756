//! The least and the greatest size of an encoding: no value is outside these bounds, and a value
//! that is constructed reaches each of them, where the list at the end does not say why none does.

use std::collections::HashMap;

use roadwire_asn1::{Source, compile};
use roadwire_constructs::{MODULE, module, pdus};
use roadwire_engine::{decode, encode_to_vec};
use roadwire_layout::{Family, Layout, Properties, Rules, lower};
use roadwire_model::data::equal;
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{
    Alternative, BigInt, Field, IntegerRange, Kind, Model, Oid, Presence, Size, TimeKind, TypeId, Value,
};
use roadwire_wire::ordinal_of_unknown_item;

/// More octets than any value of these types takes.
const ROOM: usize = 1 << 26;
/// The random values of each type in each encoding: inside extensible roots, and outside.
const VALUES: usize = 12;

/// The end of the range of sizes that a value is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum End {
    Least,
    Most,
}

#[test]
fn values_are_within_the_bounds_and_reach_them() {
    let all = pdus();
    let model = compile(&[Source::new("constructs.asn", module(&all).as_str())]).unwrap().model;
    let (mut outside, mut missed, mut reached) = (Vec::new(), Vec::new(), 0);
    for rules in Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1()) {
        let mut builder = Extremes::new(&model, rules);
        for pdu in &all {
            let id = model.find(&format!("{MODULE}.{}", pdu.name)).unwrap();
            let layout = lower(&model, id, rules).unwrap();
            let place = |what: &str| format!("{rules} {} {what}", pdu.name);
            outside.extend(random_outside(&model, id, &layout).map(|what| place(&what)));
            let bounds = Properties::of(&layout).message;
            for (end, bound) in [(End::Least, Some(bounds.fewest)), (End::Most, bounds.most)] {
                let Some(bound) = bound else { continue };
                let value = builder.value(id, end);
                let bits = bits(&layout, &value).unwrap_or_else(|| panic!("{}: {value:?}", place("is not encoded")));
                let is_outside = if end == End::Least { bits < bound } else { bits > bound };
                outside.extend(is_outside.then(|| place(&format!("{end:?}: {bits} bits, bound {bound}"))));
                if bits == bound {
                    reached += 1;
                } else if !is_outside {
                    missed.push((rules, pdu.name.clone(), end, format!("{bits} bits of {bound}")));
                }
            }
        }
    }
    assert!(outside.is_empty(), "{} are outside:\n{}", outside.len(), outside.join("\n"));
    let is_excused = |(rules, name, end, _): &(Rules, String, End, String)| {
        OUT_OF_REACH.iter().any(|one| one.is_for(*rules, name, *end))
    };
    let unexpected: Vec<String> = missed
        .iter()
        .filter(|one| !is_excused(one))
        .map(|one| format!("{} {} {:?}: {}", one.0, one.1, one.2, one.3))
        .collect();
    assert!(unexpected.is_empty(), "{} are not reached ({reached} are):\n{}", unexpected.len(), unexpected.join("\n"));
    for (one, listed) in OUT_OF_REACH.iter().flat_map(|one| one.names.iter().map(move |listed| (one, *listed))) {
        let is_used = missed.iter().any(|(rules, name, end, _)| name == listed && one.is_for(*rules, name, *end));
        assert!(is_used, "{listed} {:?}: the bound is reached, although {}", one.end, one.why);
    }
    assert!(reached > 4000, "{reached} bounds are reached");
}

/// Values in extensible roots are within the bounds of these, all values within those of all.
fn random_outside(model: &Model, id: TypeId, layout: &Layout) -> Option<String> {
    let properties = Properties::of(layout);
    for (extensions, bounds) in [(0, properties.message_in_roots), (60, properties.message)] {
        // XML does not have all characters, and EXI not all values beyond a root.
        let in_roots = layout.rules.family() == Family::Events;
        let generator = Generator::new(model, Settings { extensions, in_roots, ..Settings::default() });
        let mut rng = Rng::new(49);
        for _ in 0..VALUES {
            let value = generator.value(id, &mut rng);
            let Some(bits) = bits(layout, &value) else { continue };
            if bits < bounds.fewest || bounds.most.is_some_and(|most| most < bits) {
                return Some(format!("{bits} bits, not within {bounds:?}: {value:?}").chars().take(400).collect());
            }
        }
    }
    None
}

/// The bits of an encoding; `None` if the value has none.
fn bits(layout: &Layout, value: &Value) -> Option<u64> {
    let octets = encode_to_vec(layout, value, ROOM).ok()?;
    match layout.rules.family() {
        // A string that should contain a value may have none.
        Family::Packed | Family::Events => Some(decode(layout, &octets, &mut Value::Unset).ok()? as u64),
        Family::Octet | Family::Tlv | Family::Fields | Family::Xml | Family::Json | Family::Vectors | Family::Cbor => {
            Some(octets.len() as u64 * 8)
        }
    }
}

/// Builds values whose encodings are as short, or as long, as any. Of each part it tries the values
/// at the ends of its constraints, and takes the one whose encoding by itself is shortest or
/// longest.
struct Extremes<'m> {
    model: &'m Model,
    rules: Rules,
    layouts: HashMap<TypeId, Layout>,
    known: HashMap<(TypeId, End), Vec<Value>>,
}

impl<'m> Extremes<'m> {
    fn new(model: &'m Model, rules: Rules) -> Self {
        Extremes { model, rules, layouts: HashMap::new(), known: HashMap::new() }
    }

    fn value(&mut self, id: TypeId, end: End) -> Value {
        self.ranked(id, end)
            .first()
            .cloned()
            .unwrap_or_else(|| panic!("{}: no value of {:?}", self.rules, self.model.get(id)))
    }

    /// Values of a type, the best for this end first.
    fn ranked(&mut self, id: TypeId, end: End) -> Vec<Value> {
        if let Some(known) = self.known.get(&(id, end)) {
            return known.clone();
        }
        let candidates = self.candidates(id, end);
        let (model, rules) = (self.model, self.rules);
        let layout = self.layouts.entry(id).or_insert_with(|| lower(model, id, rules).unwrap());
        let mut ranked: Vec<(u64, Value)> =
            candidates.into_iter().filter_map(|value| Some((bits(layout, &value)?, value))).collect();
        ranked.sort_by_key(|(bits, _)| *bits);
        if end == End::Most {
            ranked.reverse();
        }
        let ranked: Vec<Value> = ranked.into_iter().map(|(_, value)| value).take(3).collect();
        self.known.insert((id, end), ranked.clone());
        ranked
    }

    fn candidates(&mut self, id: TypeId, end: End) -> Vec<Value> {
        let model = self.model;
        match &model.get(id).kind {
            Kind::Boolean => vec![Value::Boolean(false), Value::Boolean(true)],
            Kind::Null => vec![Value::Null],
            Kind::Integer { range, .. } => {
                let ends = [&range.lower, &range.upper].into_iter().flatten();
                let ends = ends.flat_map(|end| [end.clone(), end - 1, end + 1]);
                let numbers =
                    ends.chain([0, 1, -1].map(BigInt::from)).filter(|number| range.extensible || is_in(range, number));
                numbers.map(|number| Value::Integer(number.into())).collect()
            }
            Kind::Enumerated(items) => {
                // The last is the first index that no item has.
                let known = 0..=items.all().count() as u32 - u32::from(!items.extensible);
                let numbers = [-(1 << 30), -1, 0, 1, 9, (1 << 30) - 1];
                let unknown = numbers.into_iter().filter_map(ordinal_of_unknown_item).chain([(1 << 31) - 1]);
                known.chain(unknown.filter(|_| items.extensible)).map(Value::Enumerated).collect()
            }
            Kind::Real { .. } => REALS.map(Value::Real).to_vec(),
            Kind::BitString { size, .. } => {
                let of = |bits: u64| {
                    let first = [0x80].into_iter().chain([0; 8192]).collect();
                    let all = |octet: u8| vec![octet; bits.div_ceil(8) as usize];
                    [all(0), all(0xff), first].map(|octets: Vec<u8>| Value::bit_string(&octets, bits as usize))
                };
                sizes(size, end).into_iter().flat_map(of).collect()
            }
            Kind::OctetString { contains: Some(content), .. } => vec![Value::choice(0, self.value(*content, end))],
            Kind::OctetString { size, .. } => {
                let of = |octets: u64| [0, 0xff].map(|octet| Value::OctetString(vec![octet; octets as usize]));
                sizes(size, end).into_iter().flat_map(of).collect()
            }
            Kind::ObjectIdentifier => vec![Value::Oid(Oid::absolute(&[0, 0].map(BigInt::from)).unwrap())],
            Kind::RelativeOid => vec![Value::Oid(Oid::relative(&[0].map(BigInt::from)).unwrap())],
            Kind::Iri { .. } => vec![Value::Text("/0".into())],
            Kind::String { size, alphabet, .. } => {
                let ends = alphabet.iter().flat_map(|all| all.ranges.iter().flat_map(|(first, last)| [*first, *last]));
                let characters: Vec<char> = CHARACTERS.into_iter().chain(ends.filter_map(char::from_u32)).collect();
                let of = |size: u64| characters.iter().map(move |one| one.to_string().repeat(size as usize));
                sizes(size, end).into_iter().flat_map(of).map(Value::Text).collect()
            }
            Kind::Time { kind, .. } => times(*kind).iter().map(|text| Value::Text((*text).into())).collect(),
            Kind::SequenceOf { element, size, .. } => {
                let elements = self.ranked(*element, end);
                let of = |count: u64| elements.iter().map(move |one| Value::List(vec![one.clone(); count as usize]));
                sizes(size, end).into_iter().flat_map(of).collect()
            }
            Kind::Choice { alternatives, .. } => {
                let each = (0..).zip(alternatives);
                let of = |(at, one): (u32, &Alternative)| {
                    self.ranked(one.type_id, end).into_iter().map(move |value| Value::choice(at, value))
                };
                each.flat_map(of).collect()
            }
            Kind::Sequence { components, .. } => {
                let each = components.iter().map(|one| match (end, &one.presence, one.field) {
                    // X.693 §9.5: canonical XER writes a component at its DEFAULT.
                    (End::Least, Presence::Default(own), _) if self.rules != Rules::Cxer => Some(own.clone()),
                    (End::Least, Presence::Default(_), _) => Some(self.value(one.type_id, end)),
                    (End::Least, Presence::Optional, _) => None,
                    (End::Least, Presence::Mandatory, field) if field != Field::Root => None,
                    (End::Most, Presence::Default(own), _) if self.rules != Rules::Cxer => {
                        let ranked = self.ranked(one.type_id, end);
                        ranked.into_iter().find(|value| !equal(model, one.type_id, value, own))
                    }
                    _ => Some(self.value(one.type_id, end)),
                });
                vec![Value::sequence(each.collect::<Vec<_>>())]
            }
            kind => panic!("the table of constructs has no {}", kind.name()),
        }
    }
}

fn is_in(range: &IntegerRange, number: &BigInt) -> bool {
    range.lower.as_ref().is_none_or(|lower| lower <= number) && range.upper.as_ref().is_none_or(|upper| number <= upper)
}

/// The sizes of the shortest and the longest encodings: the ends of the constraint, and those
/// beside a fragment of 16K units (X.691 §11.9.3.8).
fn sizes(size: &Size, end: End) -> Vec<u64> {
    const FRAGMENT: u64 = 1 << 14;
    let (lower, upper) = size.lasting();
    match end {
        End::Least => vec![lower, size.lower],
        // Without an end there is nothing to reach.
        End::Most if upper == u64::MAX => vec![size.upper.unwrap_or(size.lower), lower],
        End::Most => vec![upper, (upper - upper % FRAGMENT).saturating_sub(1).max(lower), lower],
    }
}

const CHARACTERS: [char; 12] =
    ['\0', '\u{1}', ' ', '"', '&', '<', 'a', '\u{7f}', '\u{80}', '\u{800}', '\u{fffd}', '\u{10ffff}'];

const REALS: [f64; 13] = [
    0.0,
    -0.0,
    1.0,
    0.5,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    -1.797_693_134_862_315_7e308,
    -2.225_073_858_507_201_4e-308,
    -1.234_567_890_123_456_7e-300,
    5e-324,
    // A mantissa of 17 digits and 57 bits.
    -7.637_340_908_749_007_5e-152,
    -16_777_215.0,
];

fn times(kind: TimeKind) -> &'static [&'static str] {
    match kind {
        TimeKind::Utc => &["2401020304Z", "240102030405Z", "240102030405+0100"],
        TimeKind::Generalized => &["2024010203", "20240102030405Z", "20240102030405.123+0100"],
        TimeKind::Date => &["2024-02-29", "2010-01-01", "1600-01-01", "9999-12-31"],
        TimeKind::TimeOfDay => &["23:59:59", "00:00:00"],
        TimeKind::DateTime => {
            &["2024-02-29T23:59:59", "2010-01-01T00:00:00", "1600-01-01T00:00:00", "9999-12-31T23:59:59"]
        }
        TimeKind::Duration => &["P0D", "P1Y", "PT0S"],
        TimeKind::Time => &["2024", "20C", "12", "T12", "P1Y", "2024-02-29"],
    }
}

/// Bounds that no value reaches, or none that is built.
struct OutOfReach {
    /// In these encodings.
    of: fn(Rules) -> bool,
    /// Of these types.
    names: &'static [&'static str],
    end: End,
    why: &'static str,
}

impl OutOfReach {
    fn is_for(&self, rules: Rules, name: &str, end: End) -> bool {
        (self.of)(rules) && self.end == end && self.names.contains(&name)
    }
}

const OUT_OF_REACH: &[OutOfReach] = &[
    OutOfReach {
        of: |rules| rules != Rules::Cxer,
        names: &[
            "BitsNone",
            "OctetsNone",
            "NamedBitsNone",
            "Ia5None",
            "LettersNone",
            "BmpNone",
            "Utf8None",
            "ListOfTruthsNone",
            "ListOfPairsNone",
            "SetOfNumbersNone",
            "SetOfOctetsNone",
            "IntegerOne",
            "IntegerZero",
            "IntegerOctetMore",
            "IntegerSigned8More",
            "IntegerTwoMore",
            "IntegerFourMore",
            "IntegerEightMore",
            "IntegerSigned64More",
            "Nothing",
            "ItemOne",
            "ItemTwo",
            "ItemThree",
            "ItemExtensible",
            "Empty",
            "EmptyExtensible",
        ],
        end: End::Most,
        why: "no other value takes as much as the DEFAULT, which is not written",
    },
    OutOfReach {
        of: |_| true,
        names: &["Iri", "Utc", "Generalized", "Day", "TimeOfDay", "DayAndTime", "Length", "Moment"],
        end: End::Least,
        why: "the form of such a text is not part of the layout: bounds are those of any text",
    },
    OutOfReach {
        of: |_| true,
        names: &["Contained"],
        end: End::Least,
        why: "the bounds are those of the string, and no encoding of a number is empty",
    },
    OutOfReach {
        of: |rules| rules.family() == Family::Events,
        names: &[
            "Ia5Of7",
            "Ia5From3",
            "Ia5From60",
            "Ia5Beyond64K",
            "LettersOf7",
            "LettersFrom3",
            "LettersFrom60",
            "LettersBeyond64K",
            "BmpOf7",
            "BmpFrom3",
            "BmpFrom60",
            "BmpBeyond64K",
            "Utf8Of7",
            "Utf8From3",
            "Utf8From60",
            "Utf8Beyond64K",
        ],
        end: End::Least,
        why: "a string is as short as a reference to an equal one, which the first string has not",
    },
];
