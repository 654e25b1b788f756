//! Values after tags in all forms of the basic encoding rules: lengths of more octets than they
//! need, those of the indefinite form, and strings in segments.

use roadwire_constructs::{MODULE, module, pdus};
use roadwire_layout::Rules;
use roadwire_model::random::{Generator, Rng};
use roadwire_model::{Model, TypeId, Value};
use roadwire_wire::rt::tlv::{self, Length};

use crate::c99::{Message, held, runs, settings};
use crate::compiled;
use crate::support::mutant;

/// Writes values in other forms.
struct Former<'r> {
    rng: &'r mut Rng,
    /// How many primitive values come before the one that is put in segments.
    before: u64,
}

impl Former<'_> {
    /// Values that follow each other.
    fn all(&mut self, mut octets: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        while !octets.is_empty() {
            let end = tlv::element(octets).unwrap();
            out.extend(self.one(&octets[..end]));
            octets = &octets[end..];
        }
        out
    }

    fn one(&mut self, octets: &[u8]) -> Vec<u8> {
        let (identifier, first) = tlv::identifier(octets).unwrap();
        let (length, second) = tlv::length(&octets[first..]).unwrap();
        let contents = &octets[first + second..];
        if identifier & tlv::CONSTRUCTED != 0 {
            let end = if length == Length::Indefinite { contents.len() - 2 } else { contents.len() };
            let inside = self.all(&contents[..end]);
            return self.constructed(identifier, &inside);
        }
        self.before = self.before.wrapping_sub(1);
        match self.before {
            0 => {
                let inside = self.segments(contents, 0);
                self.constructed(identifier | tlv::CONSTRUCTED, &inside)
            }
            _ => [&octets[..first], &self.length(contents.len()), contents].concat(),
        }
    }

    fn constructed(&mut self, identifier: u32, inside: &[u8]) -> Vec<u8> {
        let front = tlv::identifier_octets(identifier);
        match self.rng.below(2) {
            0 => [front.as_slice(), &[0x80], inside, &[0, 0]].concat(),
            _ => [front.as_slice(), &self.length(inside.len()), inside].concat(),
        }
    }

    fn length(&mut self, octets: usize) -> Vec<u8> {
        match self.rng.below(4) {
            0 => [&[0x84][..], &(octets as u32).to_be_bytes()].concat(),
            _ => tlv::length_octets(octets).as_slice().to_vec(),
        }
    }

    /// Octets of a bit string, or others, in segments, some of which have segments themselves.
    fn segments(&mut self, contents: &[u8], depth: u32) -> Vec<u8> {
        let is_bits = depth == 0 && self.rng.below(3) == 0 && contents.first().is_some_and(|unused| *unused < 8);
        let (segment, unused, octets) = match is_bits {
            true => (3, contents[0], &contents[1..]),
            false => (4, 0, contents),
        };
        let mut at = 0;
        let mut out = Vec::new();
        loop {
            let end = octets.len().min(at + self.rng.below(5) as usize);
            let is_last = end == octets.len();
            let mut part = octets[at..end].to_vec();
            if is_bits {
                part.insert(0, if is_last { unused } else { 0 });
            }
            let part = [&[segment][..], &self.length(part.len()), &part].concat();
            out.extend(match self.rng.below(4) {
                0 => self.constructed(u32::from(segment) | tlv::CONSTRUCTED, &part),
                _ => part,
            });
            if is_last {
                return out;
            }
            at = end;
        }
    }
}

/// Values of all constructs in other forms, each with one primitive value in segments or without
/// any: the interpreter says which of these are strings.
#[test]
fn any_form_of_basic_rules_is_taken() {
    let pdus = pdus();
    let model = compiled(&module(&pdus));
    for rules in [Rules::Ber, Rules::Cer] {
        let root = |name: &str| model.find(&format!("{MODULE}.{name}")).unwrap();
        let with: Vec<Message> =
            pdus.iter().filter_map(|pdu| Message::new(&model, &pdu.name, root(&pdu.name), rules).ok()).collect();
        let taken = held(&model, rules, "basic-forms", &with, |message| forms(&model, message, root(&message.name)));
        // More additions than C keeps.
        let rare: Vec<_> = taken.iter().filter(|(_, [all, by_c])| all - by_c > 1).collect();
        assert_eq!(rare.len(), 0, "{rules}: {rare:?}");
    }
}

fn forms(model: &Model, message: &Message, root: TypeId) -> Vec<Vec<u8>> {
    let mut rng = Rng::new(7);
    let mut all = Vec::new();
    for at in 0..40 {
        let settings = settings(at);
        let value = Generator::new(model, settings).value(root, &mut rng);
        let Ok(octets) = message.encoded(&value) else { continue };
        let before = rng.below(6);
        all.push(Former { rng: &mut rng, before }.all(&octets));
    }
    let count = if all.is_empty() { 0 } else { 80 };
    let mutants: Vec<Vec<u8>> = (0..count).map(|_| mutant(&all, [0, 0x80, 0x24, 0x30], &mut rng)).collect();
    [all, mutants].concat()
}

/// Strings that are not in place, and one that is; bits as a word.
const STRINGS: &str = "M DEFINITIONS IMPLICIT TAGS ::= BEGIN
    All ::= SEQUENCE { octets [0] OCTET STRING OPTIONAL, bits [40] BIT STRING OPTIONAL, text [2] UTF8String OPTIONAL,
        wide [1000] BMPString OPTIONAL, named [4] BIT STRING { a (0) } OPTIONAL,
        visible [5] VisibleString (SIZE (0..3000)) OPTIONAL, few [6] OCTET STRING (SIZE (2)) OPTIONAL,
        word [7] BIT STRING (SIZE (0..30)) OPTIONAL }
END";

fn one_of_all(at: usize, value: Value) -> Value {
    let mut components = vec![None; 8];
    components[at] = Some(value);
    Value::sequence(components)
}

/// Strings of as many octets as a segment has in CER, and of more: with and without segments.
#[test]
fn long_strings_are_in_segments() {
    let model = compiled(STRINGS);
    let sizes = [0, 999, 1000, 1001, 1998, 1999, 2000, 2001, 2999];
    let strings = sizes.iter().flat_map(|size| {
        let octets: Vec<u8> = (0..*size).map(|at| at as u8 | 1).collect();
        let text = "x".repeat(*size);
        let wide: String = (0..size / 2).map(|at| if at % 3 == 0 { 'x' } else { '\u{20ac}' }).collect();
        let bits = |left: usize| Value::bit_string(&octets, (size * 8).saturating_sub(left));
        [
            one_of_all(0, Value::OctetString(octets.clone())),
            one_of_all(1, bits(5)),
            one_of_all(2, Value::Text(text.clone())),
            one_of_all(3, Value::Text(wide)),
            one_of_all(4, bits(0)),
            one_of_all(5, Value::Text(text)),
        ]
    });
    let values: Vec<Value> = strings.collect();
    for rules in [Rules::Ber, Rules::Cer] {
        let message = [Message::of(&model, "All", rules)];
        let all: Vec<Vec<u8>> = values.iter().map(|value| message[0].encoded(value).unwrap()).collect();
        let taken = held(&model, rules, "long-strings", &message, |_| all.clone())["All"];
        assert_eq!(taken, [values.len(); 2], "{rules}");
    }
}

/// Strings in segments that end after each octet, in the levels that C has, and beyond.
#[test]
fn segments_have_segments() {
    // The others always take memory.
    let model = compiled(&STRINGS.replace("BMPString", "NULL").replace("VisibleString (SIZE (0..3000))", "NULL"));
    let message = [Message::of(&model, "All", Rules::Ber)];
    let of = |levels: usize, front: &[u8], back: &[u8]| {
        [&[0x30, 0x80, 0xa0, 0x80][..], &front.repeat(levels), &[4, 1, 5, 4, 1, 6], &back.repeat(levels), &[0; 4]]
            .concat()
    };
    let all: Vec<Vec<u8>> = (0..=40).map(|levels| of(levels, &[0x24, 0x80], &[0, 0])).collect();
    let taken = held(&model, Rules::Ber, "segments", &message, |_| all.clone())["All"];
    assert_eq!(taken, [41, 33]);
    let whole = of(3, &[0x24, 0x80], &[0, 0]);
    let cut: Vec<Vec<u8>> = (0..whole.len()).map(|end| whole[..end].to_vec()).collect();
    held(&model, Rules::Ber, "segments", &message, |_| cut.clone());
    runs(Rules::Ber, "segments", WITHOUT_MEMORY);
}

/// Without memory, a string in several segments needs a place in the value. 1 to 6: a message is
/// taken that should not be, or is refused.
const WITHOUT_MEMORY: &str = r#"
#include "generated.h"

static int32_t code;

static bool takes(const uint8_t *octets, size_t size)
{
    static c_all value;
    rw_error error;
    const bool is_taken = c_all_decode_ber(&value, octets, size, &error) == (ptrdiff_t)size;
    code = is_taken ? 0 : error.code;
    return is_taken;
}

int main(void)
{
    static const uint8_t one[] = {0x30, 9, 0xa0, 7, 4, 0, 4, 1, 5, 4, 0};
    static const uint8_t two[] = {0x30, 8, 0xa0, 6, 4, 1, 5, 4, 1, 6};
    static const uint8_t few[] = {0x30, 8, 0xa6, 6, 4, 1, 5, 4, 1, 6};
    static const uint8_t word[] = {0x30, 10, 0xa7, 8, 3, 2, 0, 5, 3, 2, 1, 6};
    static const uint8_t empty[] = {0x30, 5, 0xbf, 0x28, 2, 0x23, 0};
    if (!takes(one, sizeof one) || !takes(few, sizeof few)) {
        return 1;
    }
    if (!takes(word, sizeof word)) {
        return 2;
    }
    if (!takes(empty, sizeof empty)) {
        return 3;
    }
    return takes(two, sizeof two) || code != RW_MEMORY ? 4 : 0;
}
"#;
