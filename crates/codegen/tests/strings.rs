//! Messages of a module share functions, and so the tables of strings that EXI has.

use roadwire_codegen::{Options, generate};
use roadwire_frontend::{Source, compile};
use roadwire_layout::Rules;

/// The source for these messages.
fn source(messages: &[&str]) -> String {
    let text = "Strings DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        Name ::= SEQUENCE { text UTF8String (SIZE (0..9)), list SEQUENCE (SIZE (0..9)) OF BOOLEAN }
        One ::= SEQUENCE { name Name OPTIONAL }
        Two ::= SEQUENCE { name Name OPTIONAL, other Name OPTIONAL }
        Many ::= SEQUENCE { names SEQUENCE OF Name }
    END";
    let model =
        compile(&[Source::new("strings.asn", text)]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    let find = |name: &&str| model.find(&format!("Strings.{name}")).unwrap();
    let roots: Vec<_> = messages.iter().map(find).collect();
    generate(&model, &roots, &[Rules::Exi], Options::default()).unwrap().source
}

#[test]
fn a_message_with_one_string_has_no_table() {
    let source = source(&["One"]);
    assert!(source.contains("wire::rt::events::put(&mut w") && !source.contains("events::Written"));
}

#[test]
fn all_messages_of_a_module_have_the_largest_table() {
    for (messages, in_place) in [(["One", "Two"], 2), (["Two", "One"], 2), (["One", "Many"], 4), (["Many", "Two"], 4)] {
        let source = source(&messages);
        assert!(source.contains(&format!("strings: &mut wire::rt::events::Written<'v, {in_place}>")), "{messages:?}");
        assert!(!source.contains("wire::rt::events::put(&mut w"), "{messages:?} have functions without it");
    }
}
