//! Every leaf in every extent and presence, as ASN.1 from a table: for tests of the codecs and for
//! fuzzing.
//!
//! Invariants: the module depends on the table alone, and compiles. A new kind of leaf is a row of
//! the table, and is then tested in every extent and presence.
//!
//! Absent on purpose: codecs, values and expected octets: tests compare implementations on these
//! types.
//!
//! Each type of the module is a PDU with one kind of leaf in one extent, and has it in each
//! presence: mandatory, OPTIONAL, DEFAULT, as an extension addition and in an addition group. Each
//! extent has a separate type, because straight-line code leaves the whole message to the
//! interpreter if it does not support one of its parts.

/// A type of the module.
#[derive(Clone, Debug)]
pub struct Pdu {
    /// Its name, which is also that of the Rust type.
    pub name: String,
    /// Its definition.
    pub definition: String,
}

/// The module's name.
pub const MODULE: &str = "Constructs";

/// A CHOICE of all PDUs.
pub const ANY: &str = "Any";

/// The module's text.
#[must_use]
pub fn module(pdus: &[Pdu]) -> String {
    let definitions: String = pdus.iter().map(|pdu| format!("{}\n", pdu.definition)).collect();
    let alternatives: Vec<String> = pdus.iter().map(|pdu| format!("a-{0} {0}", pdu.name)).collect();
    let any = format!("{ANY} ::= CHOICE {{\n{}\n}}\n", alternatives.join(",\n"));
    format!("{MODULE} DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{any}{definitions}END\n")
}

/// All types.
#[must_use]
pub fn pdus() -> Vec<Pdu> {
    let mut pdus = Vec::new();
    for kind in SIZED {
        for size in SIZES.iter().filter(|size| kind.in_each || size.is_class) {
            let (name, leaf) = (format!("{}{}", kind.name, size.name), kind.leaf.replace("#", size.constraint));
            pdus.push(pdu(&name, &leaf, Some(&(kind.default)(size.default_length))));
        }
    }
    for (name, constraint, default) in INTEGERS {
        pdus.push(pdu(&format!("Integer{name}"), &format!("INTEGER {constraint}"), Some(default)));
    }
    for (name, leaf, default) in OTHERS {
        pdus.push(pdu(name, leaf, (!default.is_empty()).then_some(default)));
    }
    pdus
}

/// The leaf in each presence. The fields before it take three bits in packed encodings, so it does
/// not begin at an octet border.
fn pdu(name: &str, leaf: &str, default: Option<&str>) -> Pdu {
    let default = default.map_or(String::new(), |value| format!(" defaulted {leaf} DEFAULT {value},"));
    let definition = format!(
        "{name} ::= SEQUENCE {{ front INTEGER (0..7), mandatory {leaf}, optional {leaf} OPTIONAL,{default} ..., \
         addition {leaf}, [[ grouped {leaf}, beside {leaf} OPTIONAL ]] }}"
    );
    Pdu { name: name.to_owned(), definition }
}

/// An effective size constraint.
struct Size {
    name: &'static str,
    constraint: &'static str,
    /// A length that it allows.
    default_length: usize,
    /// Whether it represents its class.
    is_class: bool,
}

const fn class(name: &'static str, constraint: &'static str, default_length: usize) -> Size {
    Size { name, constraint, default_length, is_class: true }
}

/// A size at the border of a class.
const fn border(name: &'static str, constraint: &'static str, default_length: usize) -> Size {
    Size { name, constraint, default_length, is_class: false }
}

/// At 64 bits the codecs change from words to octets, at 64K packed encodings change from a number
/// of fixed width to fragments; fixed lengths of up to 16 bits are not aligned.
const SIZES: &[Size] = &[
    class("Any", "", 2),
    class("None", "(SIZE (0))", 0),
    border("UpTo1", "(SIZE (0..1))", 1),
    class("UpTo17", "(SIZE (0..17))", 3),
    border("UpTo64", "(SIZE (0..64))", 2),
    border("UpTo65", "(SIZE (0..65))", 0),
    border("Of2", "(SIZE (2))", 2),
    class("Of7", "(SIZE (7))", 7),
    border("Of64", "(SIZE (64))", 64),
    border("Of65", "(SIZE (65))", 65),
    class("From3", "(SIZE (3..20))", 4),
    class("From60", "(SIZE (60..300))", 60),
    border("From5", "(SIZE (5..MAX))", 6),
    class("Extensible", "(SIZE (0..9, ...))", 10),
    border("ExtensibleOf4", "(SIZE (4, ...))", 4),
    border("UpTo64K", "(SIZE (0..65535))", 2),
    class("Beyond64K", "(SIZE (1..65536))", 2),
];

/// A kind of leaf that has a size; `#` stands for the constraint.
struct Sized {
    name: &'static str,
    leaf: &'static str,
    /// Whether it is tested in each size, not only in one of each class.
    in_each: bool,
    /// A value of this length.
    default: fn(usize) -> String,
}

const fn sized(name: &'static str, leaf: &'static str, default: fn(usize) -> String) -> Sized {
    Sized { name, leaf, in_each: false, default }
}

const SIZED: &[Sized] = &[
    Sized { in_each: true, ..sized("Bits", "BIT STRING #", |length| format!("'{}'B", &"10".repeat(length)[..length])) },
    Sized { in_each: true, ..sized("Octets", "OCTET STRING #", |length| format!("'{}'H", "C5".repeat(length))) },
    sized("NamedBits", "BIT STRING { first (0), fourth (3) } #", |length| format!("'{}'B", "1".repeat(length))),
    sized("Ia5", "IA5String #", text),
    sized("Letters", "PrintableString (FROM (\"A\"..\"F\" | \"a\")) #", text),
    sized("Bmp", "BMPString #", text),
    sized("Utf8", "UTF8String #", text),
    sized("ListOfTruths", "SEQUENCE # OF BOOLEAN", |length| list("TRUE", length)),
    sized("ListOfPairs", "SEQUENCE # OF SEQUENCE { x INTEGER (0..3), y NULL OPTIONAL }", |length| {
        list("{ x 1 }", length)
    }),
    sized("SetOfNumbers", "SET # OF INTEGER (-9..9)", |length| list("-3", length)),
    sized("SetOfOctets", "SET # OF OCTET STRING (SIZE (0..3))", |length| list("'C5'H", length)),
];

fn text(length: usize) -> String {
    format!("\"{}\"", "a".repeat(length))
}

fn list(element: &str, length: usize) -> String {
    format!("{{ {} }}", vec![element; length].join(", "))
}

/// Name, constraint and a value of each range.
const INTEGERS: &[(&str, &str, &str)] = &[
    ("Any", "", "-1"),
    ("One", "(-5)", "-5"),
    ("Zero", "(0..0)", "0"),
    ("Bit", "(0..1)", "1"),
    ("Offset", "(10..41)", "11"),
    ("Octet", "(0..255)", "255"),
    ("OctetMore", "(0..256)", "256"),
    ("Signed8", "(-128..127)", "-128"),
    ("Signed8More", "(-128..128)", "128"),
    ("Two", "(0..65535)", "65535"),
    ("TwoMore", "(0..65536)", "65536"),
    ("Three", "(0..16777215)", "0"),
    ("Signed32", "(-2147483648..2147483647)", "-1"),
    ("Four", "(0..4294967295)", "4294967295"),
    ("FourMore", "(1..4294967297)", "4294967297"),
    ("Seven", "(0..72057594037927935)", "1"),
    ("Bits63", "(0..9223372036854775807)", "9223372036854775807"),
    ("Eight", "(0..18446744073709551615)", "18446744073709551615"),
    ("EightMore", "(0..18446744073709551616)", "18446744073709551616"),
    ("Signed64", "(-9223372036854775808..9223372036854775807)", "-9223372036854775808"),
    ("Signed64More", "(-1..9223372036854775808)", "9223372036854775808"),
    ("Wide", "(0..170141183460469231731687303715884105727)", "5"),
    ("FromZero", "(0..MAX)", "0"),
    ("FromBelow", "(-1000..MAX)", "-1000"),
    ("FromAbove", "(1000..MAX)", "1000"),
    ("UpTo", "(MIN..7)", "7"),
    ("Extensible", "(0..7, ...)", "300"),
    ("ExtensibleAbove", "(0..7, ..., 20..30)", "7"),
    ("ExtensibleHalf", "(3..MAX, ...)", "5"),
    ("ExtensibleEight", "(0..18446744073709551615, ...)", "0"),
];

/// Name, leaf and a value of types without an extent; empty if the notation has no such value.
const OTHERS: &[(&str, &str, &str)] = &[
    ("Truth", "BOOLEAN", "TRUE"),
    ("Nothing", "NULL", "NULL"),
    ("ItemOne", "ENUMERATED { only }", "only"),
    ("ItemTwo", "ENUMERATED { first, second }", "second"),
    ("ItemThree", "ENUMERATED { c (9), a (-1), b (300) }", "a"),
    ("ItemExtensible", "ENUMERATED { first, ... }", "first"),
    ("ItemAdded", "ENUMERATED { first, second, ..., third, fourth (200) }", "third"),
    ("RealNumber", "REAL", "0"),
    ("RealSingle", "REAL (WITH COMPONENTS { mantissa (-16777215..16777215), base (2), exponent (-149..104) })", "0"),
    ("Identifier", "OBJECT IDENTIFIER", "{ 1 2 840 }"),
    ("RelativeIdentifier", "RELATIVE-OID", "{ 4 5 }"),
    ("Iri", "OID-IRI", "\"/ISO/a\""),
    ("Utc", "UTCTime", "\"2401020304Z\""),
    ("Generalized", "GeneralizedTime", "\"20240102030405Z\""),
    ("Day", "DATE", "\"2024-02-29\""),
    ("TimeOfDay", "TIME-OF-DAY", "\"23:59:59\""),
    ("DayAndTime", "DATE-TIME", "\"2024-02-29T23:59:59\""),
    ("Length", "DURATION", "\"P1Y\""),
    ("Moment", "TIME", "\"2024\""),
    ("Contained", "OCTET STRING (CONTAINING INTEGER (0..300))", ""),
    ("Empty", "SEQUENCE {}", "{}"),
    ("EmptyExtensible", "SEQUENCE { ... }", "{}"),
    (
        "Either",
        "CHOICE { none BIT STRING (SIZE (0..3)), some OCTET STRING (SIZE (0..3)), ..., more NULL }",
        "none : ''B",
    ),
    ("Ways", "CHOICE { one BOOLEAN }", "one : TRUE"),
    // Many strings of which most are equal to another: EXI has tables of them.
    (
        "Labels",
        "SEQUENCE OF SEQUENCE { \
         a IA5String (SIZE (0..2)) (FROM (\"a\" | \"b\")), b IA5String (FROM (\"a\" | \"b\")) OPTIONAL }",
        "",
    ),
];

/// A module of types with tags of their own.
pub const TAGGED: &str = include_str!("tagged.asn");
