//! Arbitrary XML: it gives an error or a value, and a listener is called once for each bit.

mod support;

use roadwire_engine::{Limits, decode, decode_with, encode_to_vec};
use roadwire_layout::{Layout, Rules, lower};
use roadwire_model::Value;
use roadwire_wire::ErrorKind;
use support::{Codec, Heard};

const DEFINITIONS: &str = r#"
A ::= SEQUENCE {
    a [XER:ATTRIBUTE] INTEGER (0..99) OPTIONAL,
    b BOOLEAN, c ENUMERATED { x, y, ..., z }, d REAL, e NULL,
    f BIT STRING { p(0), q(9) }, g OCTET STRING (SIZE(0..20)), h OBJECT IDENTIFIER,
    i UTF8String, j SEQUENCE OF INTEGER, k SET { l INTEGER, m NULL OPTIONAL, ... },
    n CHOICE { o A, r NULL, ... } OPTIONAL,
    s [XER:LIST] SEQUENCE OF INTEGER DEFAULT {}, t DATE, ..., [[ u INTEGER, v INTEGER OPTIONAL ]], w NULL }
"#;

const DOCUMENTS: [&str; 2] = [
    r#"<A a="5"><b><true/></b><c><y/></c><d>1.5E0</d><e/><f>1000000001</f><g>00FF</g><h>1.2.840</h><i>a&lt;<soh/>é</i><j><INTEGER>1</INTEGER></j><k><l>2</l><m/><new>x</new></k><n><r/></n><s>1 2 3</s><t>2024-02-29</t><u>1</u><v>2</v><w/><later a="b"><c/></later></A>"#,
    "<?xml version='1.0'?>\n<!-- a -->\n<A xmlns:p = 'urn:p' a = ' 5 ' >\n <b>true</b><?go on?><c > <x ></x > </c><d>-INF</d><e></e><f> 1 0 </f><g/><h>2.999</h><i><![CDATA[<]]>&#x20;</i><j/><k><m/><l>2</l></k><n><o><b><false/></b><c><z/></c><d>0</d><e/><f/><g/><h>1.2</h><i/><j/><k><l>1</l></k><t>2024-02-29</t></o></n><t>2024-02-29</t></A>\n\n",
];

/// Namespaces, and texts between elements.
const QUALIFIED: &str = r#"
A ::= [XER:NAMESPACE AS "urn:a" PREFIX "a"] [XER:EMBED-VALUES] SEQUENCE {
    texts SEQUENCE OF UTF8String,
    b [XER:NAMESPACE AS "urn:b&"] [XER:ATTRIBUTE] INTEGER (0..99) OPTIONAL,
    c [XER:NAMESPACE AS "urn:a"] [XER:DEFAULT-FOR-EMPTY AS 5] INTEGER,
    d [XER:NAMESPACE AS "urn:b&"] [XER:DEFAULT-FOR-EMPTY AS "x"] UTF8String (SIZE (1..9)),
    e SEQUENCE OF i [XER:NAMESPACE AS "urn:a"] BOOLEAN,
    f [XER:NAMESPACE AS "urn:a"] A OPTIONAL, ..., g NULL }
"#;

const QUALIFIED_DOCUMENTS: [&str; 2] = [
    r#"<a:A xmlns:a="urn:a" xmlns:ns1="urn:b&amp;" ns1:b="7">one<a:c>6</a:c>two<ns1:d>y</ns1:d>&lt;3<e><a:i><true/></a:i></e><g/><a:new><b/></a:new>end</a:A>"#,
    "<A xmlns='urn:a' xmlns:b='urn:b&#38;' b:b='7'><c/>t<!-- u -->v<b:d/>\n<e xmlns=''/><f xmlns:b='urn:x' xmlns:c='urn:b&amp;'><![CDATA[<]]><c>1</c><c:d>z</c:d><e xmlns=''/><b:n b:m='1'/></f></A>\n",
];

/// Each type's layout, and documents of it.
fn subjects() -> [(Layout, [&'static str; 2]); 2] {
    [(DEFINITIONS, DOCUMENTS), (QUALIFIED, QUALIFIED_DOCUMENTS)].map(|(definitions, documents)| {
        let codec = Codec::new(definitions);
        (lower(&codec.model, codec.root, Rules::Exer).unwrap(), documents)
    })
}

fn listen(layout: &Layout, octets: &[u8]) -> (Result<usize, String>, Heard) {
    let mut heard = Heard::default();
    let mut value = Value::Unset;
    let limits = Limits::for_input(octets);
    let done = decode_with(layout, octets, &mut value, &limits, &mut heard).map_err(|error| error.to_string());
    (done, heard)
}

#[test]
fn every_bit_is_told_once_and_the_value_comes_back() {
    let subjects = subjects();
    for (layout, document) in
        subjects.iter().flat_map(|(layout, documents)| documents.map(|document| (layout, document)))
    {
        let (done, heard) = listen(layout, document.as_bytes());
        assert_eq!(done, Ok(document.len() * 8));
        assert_eq!((heard.next, heard.depth), (document.len() * 8, 0));
        let mut value = Value::Unset;
        decode(layout, document.as_bytes(), &mut value).unwrap();
        let written = encode_to_vec(layout, &value, 1 << 16).unwrap();
        let mut again = Value::Unset;
        decode(layout, &written, &mut again).unwrap();
        assert_eq!(again, value, "{}", String::from_utf8_lossy(&written));
    }
}

#[test]
fn broken_documents_are_refused_without_a_panic() {
    subjects().iter().for_each(|(layout, documents)| break_documents(layout, documents));
}

fn break_documents(layout: &Layout, documents: &[&str; 2]) {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let pieces = [
        "<",
        ">",
        "/",
        "&",
        ";",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "\"",
        "'",
        "=",
        "<?x ?>",
        "\u{ffff}",
        "&#0;",
        "</A>",
        "<a>",
        " xmlns:b='urn:a'",
        " ",
    ];
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..30_000 {
        let mut octets = documents[round % 2].as_bytes().to_vec();
        for _ in 0..=random(3) {
            let at = random(octets.len());
            match random(5) {
                0 => octets.truncate(at.max(1)),
                1 => octets[at] = random(256) as u8,
                2 => drop(octets.splice(at..at, pieces[random(pieces.len())].bytes())),
                3 => drop(octets.remove(at)),
                _ => {
                    let end = (at + random(20)).min(octets.len());
                    let part = octets[at..end].to_vec();
                    let to = random(octets.len());
                    drop(octets.splice(to..to, part));
                }
            }
            if octets.is_empty() {
                break;
            }
        }
        let mut value = Value::Unset;
        let plain = decode(layout, &octets, &mut value).map_err(|error| error.to_string());
        let (told, heard) = listen(layout, &octets);
        assert_eq!(plain, told, "{}", String::from_utf8_lossy(&octets));
        match plain {
            Ok(bits) => {
                assert_eq!(heard.next, bits, "{}", String::from_utf8_lossy(&octets));
                let written = encode_to_vec(layout, &value, 1 << 16);
                assert!(written.is_ok(), "{written:?}: {}", String::from_utf8_lossy(&octets));
                accepted += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(accepted > 300 && refused > 1000, "{accepted} {refused}");
}

#[test]
fn nesting_is_limited() {
    let [(layout, _), _] = subjects();
    let open = "<n><o><b><true/></b><c><x/></c><d>0</d><e/><f/><g/><h>1.2</h><i/><j/><k><l>1</l></k>";
    let document = format!(
        "<A><b><true/></b><c><x/></c><d>0</d><e/><f/><g/><h>1.2</h><i/><j/><k><l>1</l></k>{}",
        open.repeat(500)
    );
    let unknown =
        format!("<A><b><true/></b><c><x/></c><d>0</d><e/><f/><g/><h>1.2</h><i/><j/><k><l>1</l>{}", "<z>".repeat(500));
    for document in [document, unknown] {
        let error = decode(&layout, document.as_bytes(), &mut Value::Unset).unwrap_err();
        assert!(matches!(error.kind, ErrorKind::TooDeep { .. }), "{error}");
    }
}

#[test]
fn namespace_declarations_in_scope_are_limited() {
    let [_, (layout, _)] = subjects();
    let declarations: String = (0..100).map(|at| format!(" xmlns:p{at}='urn:{at}'")).collect();
    let document = format!("<A xmlns='urn:a'{declarations}><c/></A>");
    let error = decode(&layout, document.as_bytes(), &mut Value::Unset).unwrap_err();
    assert!(error.to_string().contains("namespace declarations in scope above the limit of 64"), "{error}");
}

#[test]
fn what_is_kept_takes_its_namespaces_along() {
    let [_, (layout, documents)] = subjects();
    let mut value = Value::Unset;
    decode(&layout, documents[1].as_bytes(), &mut value).unwrap();
    let written = String::from_utf8(encode_to_vec(&layout, &value, 1 << 16).unwrap()).unwrap();
    let kept = "<b:n xmlns:b='urn:x' b:m='1'/>";
    assert!(written.contains(kept), "{written}");
}

/// X.693 §8.5: an element of a list is an alternative, known or not, and the list continues after
/// it.
#[test]
fn list_keeps_an_element_with_an_alternative_of_a_later_version() {
    let (old, new) = ("CHOICE { a NULL, ... }", "CHOICE { a NULL, ..., b INTEGER }");
    let text = r#"[{"a":null},{"b":7},{"a":null}]"#;
    for rules in [Rules::Xer, Rules::Cxer, Rules::Exer] {
        let [old, new] = [old, new].map(|of| Codec::under(rules, &format!("A ::= SEQUENCE OF {of}")).unwrap());
        let octets = new.encode(&new.value(text)).unwrap();
        let read = old.decode(&octets).unwrap_or_else(|error| panic!("{rules}: {error}"));
        assert!(
            matches!(&read, Value::List(all) if matches!(all[..], [Value::Choice(..), Value::UnknownChoice(_), Value::Choice(..)])),
            "{rules}: {read:?}"
        );
        assert_eq!(old.encode(&read), Ok(octets), "{rules}");
    }
}
