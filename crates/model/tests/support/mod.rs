//! A small model with every kind of type in it, built by hand.
#![allow(dead_code, unreachable_pub)]

use roadwire_model::types::*;
use roadwire_model::{Alphabet, BigInt, IntegerRange, Size, Value};

/// The model, and its type `Everything`:
///
/// ```asn1
/// Everything ::= SEQUENCE {
///     flag BOOLEAN, nothing NULL OPTIONAL, small INTEGER (0..255), big INTEGER, odd INTEGER (-5..5, ...),
///     color ENUMERATED { red, green, ..., blue }, real REAL, fixed BIT STRING (SIZE (7)), bits BIT STRING (SIZE (1..13)),
///     flags BIT STRING { first(0), third(2) }, hash OCTET STRING (SIZE (8)), data OCTET STRING (SIZE (0..20, ...)),
///     id OBJECT IDENTIFIER, relative RELATIVE-OID, name UTF8String (SIZE (1..24)), digits NumericString (FROM ("0".."9")) (SIZE (0..16)),
///     latin TeletexString, when GeneralizedTime, list SEQUENCE (SIZE (1..40)) OF INTEGER (0..255), pick Pick,
///     five INTEGER DEFAULT 5, tree Tree OPTIONAL, holder Holder, any ANY OPTIONAL,
///     ..., added INTEGER, [[ grouped BOOLEAN, also INTEGER OPTIONAL ]]
/// }
/// Pick ::= CHOICE { a INTEGER, b BOOLEAN, ..., c NULL }
/// Tree ::= SEQUENCE { label IA5String, children SEQUENCE OF Tree, next Tree OPTIONAL }
/// Holder ::= SEQUENCE { key INTEGER (0..9), content open type: 1 BOOLEAN, 2 Tree, by @key }
/// ```
pub struct Everything {
    pub model: Model,
    pub everything: TypeId,
    pub tree: TypeId,
    pub pick: TypeId,
    pub holder: TypeId,
}

pub fn everything() -> Everything {
    let mut model = Model::default();
    let m = &mut model;
    let boolean = add(m, Kind::Boolean);
    let null = add(m, Kind::Null);
    let small = add(m, integer(Some(0), Some(255), false));
    let big = add(m, integer(None, None, false));
    let odd = add(m, integer(Some(-5), Some(5), true));
    let real = add(m, Kind::Real { parts: None });
    let items = |names: &[&str], from: i64| names.iter().zip(from..).map(|(n, v)| (n.to_string(), v)).collect();
    let color = add(
        m,
        Kind::Enumerated(Enumerators {
            root: items(&["red", "green"], 0),
            additions: items(&["blue"], 2),
            extensible: true,
        }),
    );
    let fixed = add(m, Kind::BitString { size: size(7, Some(7), false), named: vec![], contains: None });
    let bits = add(m, Kind::BitString { size: size(1, Some(13), false), named: vec![], contains: None });
    let named = vec![("first".to_owned(), 0), ("third".to_owned(), 2)];
    let flags = add(m, Kind::BitString { size: Size::default(), named, contains: None });
    let hash = add(m, Kind::OctetString { size: size(8, Some(8), false), contains: None });
    let data = add(m, Kind::OctetString { size: size(0, Some(20), true), contains: None });
    let id = add(m, Kind::ObjectIdentifier);
    let relative = add(m, Kind::RelativeOid);
    let name = add(m, string(StringKind::Utf8, size(1, Some(24), false), None));
    let digits = add(m, string(StringKind::Numeric, size(0, Some(16), false), Some((0x30, 0x39))));
    let latin = add(m, string(StringKind::Teletex, Size::default(), None));
    let ia5 = add(m, string(StringKind::Ia5, Size::default(), None));
    let when = add(m, Kind::Time { kind: TimeKind::Generalized, settings: Vec::new() });
    let list = add(m, list_of(small, size(1, Some(40), false)));
    let pick = add(
        m,
        Kind::Choice {
            alternatives: vec![
                alternative("a", big, false),
                alternative("b", boolean, false),
                alternative("c", null, true),
            ],
            extensible: true,
        },
    );
    let tree = add(m, Kind::Null);
    let children = add(m, list_of(tree, Size::default()));
    m.types[tree.0 as usize].kind = Kind::Sequence {
        set: false,
        components: vec![root("label", ia5), root("children", children), optional("next", tree)],
        extensible: false,
    };
    let key = add(m, integer(Some(0), Some(9), false));
    let table = Table {
        link: vec!["key".into()],
        level: 0,
        rows: vec![(Value::from(1), boolean), (Value::from(2), tree)],
        extensible: true,
    };
    let content = add(m, Kind::Open { table: Some(table) });
    // The open type precedes the component that selects its content.
    let holder = add(
        m,
        Kind::Sequence { set: false, components: vec![root("content", content), root("key", key)], extensible: false },
    );
    let any = add(m, Kind::Open { table: None });
    let field = |field, component: Component| Component { field, ..component };
    let everything = add(
        m,
        Kind::Sequence {
            set: false,
            components: vec![
                root("flag", boolean),
                optional("nothing", null),
                root("small", small),
                root("big", big),
                root("odd", odd),
                root("color", color),
                root("real", real),
                root("fixed", fixed),
                root("bits", bits),
                root("flags", flags),
                root("hash", hash),
                root("data", data),
                root("id", id),
                root("relative", relative),
                root("name", name),
                root("digits", digits),
                root("latin", latin),
                root("when", when),
                root("list", list),
                root("pick", pick),
                Component { presence: Presence::Default(Value::from(5)), ..root("five", big) },
                optional("tree", tree),
                root("holder", holder),
                optional("any", any),
                field(Field::Addition, root("added", big)),
                field(Field::Group(0), root("grouped", boolean)),
                field(Field::Group(0), optional("also", big)),
            ],
            extensible: true,
        },
    );
    Everything { model, everything, tree, pick, holder }
}

pub fn add(model: &mut Model, kind: Kind) -> TypeId {
    model.add(Type { name: None, reference: None, tags: vec![], kind, instructions: vec![] })
}

pub fn integer(lower: Option<i64>, upper: Option<i64>, extensible: bool) -> Kind {
    let range = IntegerRange { lower: lower.map(BigInt::from), upper: upper.map(BigInt::from), extensible };
    Kind::Integer { range, named: vec![] }
}

pub fn size(lower: u64, upper: Option<u64>, extensible: bool) -> Size {
    Size { lower, upper, extensible }
}

pub fn string(kind: StringKind, size: Size, alphabet: Option<(u32, u32)>) -> Kind {
    let alphabet = alphabet.map(|range| Alphabet { ranges: vec![range] });
    Kind::String { kind, size, alphabet, alphabet_extensible: false }
}

pub fn list_of(element: TypeId, size: Size) -> Kind {
    Kind::SequenceOf { set: false, element, element_name: None, size }
}

pub fn root(name: &str, type_id: TypeId) -> Component {
    Component { name: name.into(), type_id, presence: Presence::Mandatory, field: Field::Root }
}

pub fn optional(name: &str, type_id: TypeId) -> Component {
    Component { presence: Presence::Optional, ..root(name, type_id) }
}

pub fn alternative(name: &str, type_id: TypeId, addition: bool) -> Alternative {
    Alternative { name: name.into(), type_id, addition }
}

/// A JER text of `Everything`, as it is written.
pub const EVERYTHING: &str = concat!(
    r#"{"flag":true,"nothing":null,"small":255,"big":-340282366920938463463374607431768211457,"odd":-5,"color":"blue","#,
    r#""real":1.5e300,"fixed":"FE","bits":{"value":"8900","length":9},"flags":{"value":"A0","length":3},"#,
    r#""hash":"00112233AABBCCDD","data":"","id":"1.2.840.113549","relative":"8571.3.2","name":"zürich \"\\\n😀\u0001","#,
    r#""digits":"0049","latin":"é","when":"20240229123456.7Z","list":[0,255,7],"pick":{"c":null},"#,
    r#""tree":{"label":"a","children":[{"label":"b","children":[]}],"next":{"label":"c","children":[]}},"#,
    r#""holder":{"content":{"label":"in","children":[]},"key":2},"any":"0500","added":3,"grouped":false,"also":1,"#,
    r#""...2":"C0FFEE","...7":""}"#
);
