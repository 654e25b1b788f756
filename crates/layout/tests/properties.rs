//! Properties that a layout has without encoding anything, under all rules of ASN.1.

use roadwire_frontend::{Source, compile};
use roadwire_layout::{EventNode, Node, PresenceTold, Properties, Rules, lower};

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
