//! Properties that a layout has without encoding anything, under all rules of ASN.1.

use roadwire_frontend::{Source, compile};
use roadwire_layout::{EventNode, Family, Layout, Node, PresenceTold, Properties, Rules, lower};

fn properties(body: &str, rules: Rules) -> Properties {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= {body} END");
    let model = compile(&[Source::new("m.asn", text)]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    Properties::of(&lower(&model, model.find("A").unwrap(), rules).unwrap())
}

fn of_asn1() -> impl Iterator<Item = Rules> {
    Rules::ALL.into_iter().filter(|rules| rules.is_for_asn1())
}

#[test]
fn each_family_tells_in_its_own_way_what_is_present() {
    for rules in of_asn1() {
        let told = match rules.name() {
            "uper" | "aper" | "oer" | "coer" => PresenceTold::Bitmap,
            "ber" | "der" | "cer" | "protobuf" | "cbor" => PresenceTold::Tags,
            "xer" | "cxer" | "exer" | "jer" => PresenceTold::Name,
            _ => PresenceTold::Event,
        };
        let optional = properties("SEQUENCE { a BOOLEAN, b BOOLEAN OPTIONAL }", rules);
        assert_eq!(optional.presence, told, "{rules}");
        // In Protocol Buffers each field may be absent.
        if rules != Rules::Protobuf {
            let mandatory = properties("SEQUENCE { a BOOLEAN, b BOOLEAN }", rules);
            assert_eq!(mandatory.presence, PresenceTold::NoOptionalParts, "{rules}");
        }
    }
}

#[test]
fn an_extension_mark_keeps_what_later_versions_add() {
    for rules in of_asn1() {
        // A stream of events has what its schema has.
        let keeps = !rules.name().starts_with("exi");
        for marked in ["SEQUENCE { a BOOLEAN, ... }", "CHOICE { a BOOLEAN, ... }"] {
            assert_eq!(properties(marked, rules).keeps_additions, keeps, "{rules}: {marked}");
            let plain = marked.replace(", ...", "");
            assert!(!properties(&plain, rules).keeps_additions, "{rules}: {plain}");
        }
    }
}

#[test]
fn numbers_have_a_fixed_width_or_take_what_they_need() {
    for rules in of_asn1() {
        let of = properties("SEQUENCE { a INTEGER (0..1000), b ENUMERATED { x, y }, c BOOLEAN }", rules);
        let counts = match rules.name() {
            "uper" | "aper" => (2, 0),
            // An item's number has as many octets as it needs.
            "oer" | "coer" => (1, 1),
            // 1000 is less than 4096, the widest range that has bits (EXI §7.1.9).
            "exi" | "exi-split" => (1, 0),
            // An unsignedShort has as many octets as it needs, an unsignedByte (an item's number) 8
            // bits.
            "exi-default" | "exi-merged" | "exi-flat" => (1, 1),
            _ => (0, 2),
        };
        assert_eq!((of.fixed_numbers, of.varying_numbers), counts, "{rules}");
    }
}

/// The element of a list of a type that contains itself takes what the type takes.
#[test]
fn nodes_of_a_cycle_have_lower_bounds() {
    let text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        A ::= SEQUENCE { n INTEGER (0..255), more SEQUENCE (SIZE (0..4)) OF A }
    END";
    let model = compile(&[Source::new("m.asn", text)]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    let layout = lower(&model, model.find("A").unwrap(), Rules::Exi).unwrap();
    let element = layout.nodes.iter().find_map(|node| match node {
        Node::Events(EventNode::Repeat { element, .. }) => Some(*element),
        _ => None,
    });
    let found = Properties::of(&layout);
    // A number of 8 bits, and a bit for the end of the list.
    assert_eq!(found.node(element.unwrap()).fewest, 9);
    // The header and the code of the document element are before them.
    assert_eq!((found.message.fewest, found.message.most), (9 + 9, None));
}

fn layout(body: &str, rules: Rules) -> Layout {
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= {body} END");
    let model = compile(&[Source::new("m.asn", text)]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    lower(&model, model.find("A").unwrap(), rules).unwrap()
}

/// The most bits of all values, and of those in extensible roots.
fn most(body: &str, rules: Rules) -> [Option<u64>; 2] {
    let found = Properties::of(&layout(body, rules));
    [found.message.most, found.message_in_roots.most]
}

#[test]
fn values_outside_an_extensible_root_have_no_greatest_size() {
    assert_eq!(most("INTEGER (0..7, ...)", Rules::Uper), [None, Some(4)]);
    assert_eq!(most("INTEGER (0..7)", Rules::Uper), [Some(3), Some(3)]);
    assert_eq!(most("OCTET STRING (SIZE (2, ...))", Rules::Uper), [None, Some(17)]);
    assert_eq!(most("SEQUENCE (SIZE (0..3, ...)) OF BOOLEAN", Rules::Aper), [None, Some(6)]);
    assert_eq!(most("IA5String (SIZE (1..2, ...))", Rules::Uper), [None, Some(16)]);
    assert_eq!(most("INTEGER (0..7, ...)", Rules::Xer), [None, Some(8 * "<A>7</A>".len() as u64)]);
    // X.696 §8.2.3: an extensible root is not visible.
    assert_eq!(most("INTEGER (0..7, ...)", Rules::Oer), [None, None]);
}

/// An index of 31 bits, or a number of 31 bits with its sign.
#[test]
fn items_of_later_versions_have_a_greatest_size() {
    let body = "ENUMERATED { a, b, ..., c }";
    assert_eq!(most(body, Rules::Uper), [Some(1 + 1 + 8 + 32), Some(1 + 7)]);
    assert_eq!(most(body, Rules::Oer), [Some(40), Some(8)]);
    assert_eq!(most(body, Rules::Der), [Some(8 * (2 + 4)), Some(8 * (2 + 1))]);
    assert_eq!(most("ENUMERATED { a, b }", Rules::Uper), [Some(1), Some(1)]);
}

/// X.691 §11.9.3.8: 64K bits take a fragment, and the length 0 after it.
#[test]
fn fragments_have_bounds() {
    let of = |size: u64| most(&format!("BIT STRING (SIZE (1..{size}))"), Rules::Uper)[0];
    // Two fragments' lengths and that of the rest are longer than those of one more bit.
    assert_eq!(of(65536), Some(65535 + 8 + 16));
    assert_eq!(of(65536 + 128), Some(65536 + 128 + 8 + 16));
    assert_eq!(most("OCTET STRING (SIZE (0..100000))", Rules::Uper)[0], Some(8 * 100_000 + 8 + 8 + 16));
    assert_eq!(
        most("SEQUENCE { ..., a OCTET STRING (SIZE (20000)) }", Rules::Uper)[0],
        Some(1 + 7 + 1 + 8 + 16 + 160_000)
    );
}

#[test]
fn the_component_without_a_greatest_size_is_named() {
    let body = "SEQUENCE { a BOOLEAN, b SEQUENCE (SIZE (1..4)) OF CHOICE { c NULL, ..., d SEQUENCE { e INTEGER (0..7, ...) } } }";
    // EXI has no values beyond roots, and Protocol Buffers no numbers beyond 64 bits.
    let has_all = |rules: &Rules| *rules != Rules::Protobuf && rules.family() != Family::Events;
    for rules in of_asn1().filter(has_all) {
        let path = layout(body, rules).unbounded_component();
        assert_eq!(path.as_deref(), Some("b[].d.e"), "{rules}");
    }
    for rules in of_asn1() {
        let path = |body| layout(body, rules).unbounded_component();
        assert_eq!(
            path("SEQUENCE { a BOOLEAN, l SEQUENCE OF SEQUENCE { t UTF8String } }").as_deref(),
            Some("l"),
            "{rules}"
        );
        assert_eq!(path("SEQUENCE { a BOOLEAN, o [7] OCTET STRING OPTIONAL }").as_deref(), Some("o"), "{rules}");
        assert_eq!(path("SEQUENCE { a BOOLEAN, ... , [[ g A OPTIONAL ]] }").as_deref(), Some("g"), "{rules}");
        assert_eq!(path("OCTET STRING").as_deref(), Some(""), "{rules}");
        assert_eq!(path("SEQUENCE { a BOOLEAN, b INTEGER (0..7) }"), None, "{rules}");
    }
}

/// Computing properties takes no stack for each level: types nest as deep as modules say.
#[test]
fn deep_types_need_little_stack() {
    const DEPTH: usize = 450;
    let types: String =
        (0..DEPTH).map(|at| format!("T{at} ::= SEQUENCE {{ a BOOLEAN, t T{} OPTIONAL }} ", at + 1)).collect();
    let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {types} T{DEPTH} ::= BOOLEAN END");
    let model = compile(&[Source::new("m.asn", text)]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    for rules in of_asn1() {
        let layout = lower(&model, model.find("T0").unwrap(), rules).unwrap();
        let thread = std::thread::Builder::new().stack_size(64 << 10);
        let found = thread.spawn(move || Properties::of(&layout)).unwrap().join().unwrap();
        if rules == Rules::Uper {
            assert_eq!((found.message.fewest, found.message.most), (2, Some(2 * DEPTH as u64 + 1)));
        }
    }
}

/// Nodes have 32 bits for it.
#[test]
fn the_least_size_of_named_bits_is_below_2_32() {
    for (size, is_one) in [(u64::from(u32::MAX) - 1, true), (u64::from(u32::MAX), false), (1 << 40, false)] {
        let text = format!("M DEFINITIONS ::= BEGIN A ::= BIT STRING {{ a(0) }} (SIZE ({size}..MAX)) END");
        let model = compile(&[Source::new("m.asn", text)]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
        for rules in [Rules::Uper, Rules::Aper, Rules::Oer, Rules::Protobuf] {
            let lowered = lower(&model, model.find("A").unwrap(), rules).map(drop).map_err(|error| error.to_string());
            let refused = "a BIT STRING with named bits of at least 2^32 - 1 bits".to_owned();
            assert_eq!(lowered, if is_one { Ok(()) } else { Err(refused) }, "{size} {rules}");
        }
    }
}
