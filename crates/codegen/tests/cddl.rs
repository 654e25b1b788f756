//! The CDDL schema of the mapping to CBOR, as text.

use roadwire_asn1::{Source, compile};
use roadwire_layout::cddl_schema;

fn schema(definitions: &str, of: &str) -> String {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {definitions} END");
    let model =
        compile(&[Source::new("m.asn", text.as_str())]).unwrap_or_else(|found| panic!("{}", found.render())).model;
    let root = model.find(of).expect("it is there");
    cddl_schema(&model, root).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn records_choices_and_lists_are_rules() {
    let found = schema(
        "A ::= SEQUENCE { speed Speed, lane INTEGER (1..14) OPTIONAL, where Place, ..., colour Colour,
            [[ path SEQUENCE (SIZE (1..40)) OF Place, note UTF8String (SIZE (0..9)) DEFAULT \"-\" ]], next A }
         Speed ::= INTEGER (0..16383)
         Colour ::= ENUMERATED { red, dark-blue (7), ... }
         Place ::= CHOICE { zone IA5String (SIZE (4)), point SEQUENCE { x INTEGER, y REAL }, ..., none NULL }",
        "A",
    );
    let wanted = "; Written by roadwire from ASN.1.

A = {
  0: 0..16383,  ; speed, Speed
  ? 1: 1..14,  ; lane, INTEGER
  2: Place,  ; where
  ? 3: Colour,  ; colour
  ? 4: {
    0: [1*40 Place],  ; path
    ? 1: tstr .size (0..36),  ; note, UTF8String, has a DEFAULT
  },
  ? 5: A,  ; next
  * uint => any,  ; of later versions
}

Place = {
     0 => tstr .size 4  ; zone, IA5String
  // 1 => Place-point  ; point
  // 2 => null  ; none, NULL
  // 3..4294967298 => any  ; of later versions
}

Colour = &(
  red: 0,
  dark-blue: 7,
) / int

Place-point = {
  0: int / biguint / bignint,  ; x, INTEGER
  1: float,  ; y, REAL
}
";
    assert_eq!(found, wanted, "{found}");
}

#[test]
fn leaves_have_their_sizes_in_octets() {
    let of = |leaf: &str| {
        let found = schema(&format!("A ::= {leaf}"), "A");
        found.trim_end().rsplit_once("\nA = ").expect("there is a rule").1.to_owned()
    };
    for (leaf, wanted) in [
        ("BOOLEAN", "bool"),
        ("INTEGER (-5..5)", "-5..5"),
        ("INTEGER (5)", "5"),
        ("INTEGER (0..7, ...)", "int / biguint / bignint"),
        ("INTEGER (0..MAX)", "uint / biguint"),
        ("INTEGER (MIN..7)", "-18446744073709551616..7 / bignint"),
        ("INTEGER (0..18446744073709551615)", "uint"),
        ("BIT STRING (SIZE (9))", "bytes .size 2"),
        ("BIT STRING (SIZE (0..9))", "bytes .size (1..3)"),
        ("BIT STRING", "bytes"),
        ("OCTET STRING (SIZE (3..MAX))", "bytes .size (3..18446744073709551615)"),
        ("PrintableString (SIZE (1..3))", "tstr .size (1..3)"),
        ("BMPString (SIZE (2))", "tstr .size (2..6)"),
        ("OBJECT IDENTIFIER", "#6.111(bytes)"),
        ("RELATIVE-OID", "#6.110(bytes)"),
        ("GeneralizedTime", "tstr"),
        ("SEQUENCE OF INTEGER", "[* (int / biguint / bignint)]"),
        ("SEQUENCE (SIZE (2..MAX)) OF SEQUENCE (SIZE (1..2)) OF NULL", "[2* [1*2 null]]"),
    ] {
        assert_eq!(of(leaf), wanted, "{leaf}");
    }
}

#[test]
fn an_open_type_has_its_rows() {
    let found = schema(
        "A ::= SEQUENCE { id C.&id ({S}), value C.&Type ({S}{@id}) } C ::= CLASS { &id INTEGER (0..9) UNIQUE, &Type } WITH SYNTAX { &Type BY &id }
         S C ::= { {BOOLEAN BY 1} | {SEQUENCE OF A BY 2} | {INTEGER BY 3} }",
        "A",
    );
    let wanted = "  1: #6.24((bytes .cbor bool) / (bytes .cbor A-value-2) / (bytes .cbor (int / biguint / bignint)) / bytes),  ; value, open type\n";
    assert!(found.contains(wanted), "{found}");
    assert!(found.ends_with("A-value-2 = [* A]\n"), "{found}");
}
