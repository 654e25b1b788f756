//! Constraints that are more than their PER-visible part: which values they allow, and the errors
//! for others. Values are in ASN.1 value notation, of the parent type `B`.

use roadwire_asn1::{Compiled, Source, compile};
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Value, check};

fn compiled(text: &str) -> Compiled {
    let module = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{text}\nEND");
    compile(&[Source::new("m.asn", module.as_str())]).unwrap_or_else(|errors| panic!("{text}\n{}", errors.render()))
}

/// The errors for a value of `B` as a value of `T`.
fn broken(types: &str, value: &str) -> Vec<String> {
    let model = compiled(&format!("{types}\nv B ::= {value}")).model;
    let (_, value) = model.values.values().next().expect("one value");
    check::value(&model, model.find("M.T").unwrap(), value).iter().map(ToString::to_string).collect()
}

fn keeps(types: &str, values: &[&str]) {
    for value in values {
        assert_eq!(broken(types, value), [""; 0], "{types}: {value}");
    }
}

fn breaks(types: &str, values: &[&str], constraint: &str) {
    for value in values {
        let found = broken(types, value);
        assert!(
            found.iter().any(|one| one.contains(&format!("breaks the constraint {constraint}"))),
            "{types}: {value}: {found:?}"
        );
    }
}

#[test]
fn single_values() {
    let types = "B ::= INTEGER T ::= B (3 | 7 | 9)";
    keeps(types, &["3", "7", "9"]);
    breaks(types, &["4", "8"], "(3 | 7 | 9)");
    let types = "B ::= VisibleString T ::= B (\"on\" | \"off\")";
    keeps(types, &["\"on\"", "\"off\""]);
    breaks(types, &["\"xyz\"", "\"\""], "(\"on\" | \"off\")");
    let types = "B ::= BOOLEAN T ::= B (TRUE)";
    keeps(types, &["TRUE"]);
    breaks(types, &["FALSE"], "(TRUE)");
    let types = "B ::= ENUMERATED { x, y, z } T ::= B (x | z)";
    keeps(types, &["x", "z"]);
    breaks(types, &["y"], "(x | z)");
    let types = "B ::= OCTET STRING T ::= B ('01'H | '0203'H)";
    keeps(types, &["'01'H", "'0203'H"]);
    breaks(types, &["'02'H", "''H"], "('01'H | '0203'H)");
    let types = "B ::= BIT STRING T ::= B ('101'B)";
    keeps(types, &["'101'B"]);
    breaks(types, &["'1010'B", "'1'B"], "('101'B)");
    let types = "B ::= OBJECT IDENTIFIER T ::= B ({1 2 3} | {1 2 4})";
    keeps(types, &["{1 2 3}", "{1 2 4}"]);
    breaks(types, &["{1 2 5}"], "({1 2 3} | {1 2 4})");
    let types = "B ::= REAL T ::= B (0 | 1.5)";
    keeps(types, &["0", "1.5"]);
    breaks(types, &["2"], "(0 | 1.5)");
    let types = "B ::= SEQUENCE { a INTEGER, b BOOLEAN OPTIONAL } T ::= B ({a 1} | {a 2, b TRUE})";
    keeps(types, &["{a 1}", "{a 2, b TRUE}"]);
    breaks(types, &["{a 2}", "{a 1, b FALSE}"], "({a 1} | {a 2, b TRUE})");
    let types = "B ::= CHOICE { a INTEGER, b BOOLEAN } T ::= B (a : 1)";
    keeps(types, &["a : 1"]);
    breaks(types, &["a : 2", "b : TRUE"], "(a : 1)");
    let types = "B ::= NULL T ::= B (NULL)";
    keeps(types, &["NULL"]);
}

/// X.680 §22.7: trailing zero bits of named bits have no meaning.
#[test]
fn single_values_of_named_bits() {
    let types = "B ::= BIT STRING { app (0), enrol (1) } (SIZE (8)) T ::= B (ALL EXCEPT {})";
    keeps(types, &["{app}", "'01'B", "'10000000'B"]);
    breaks(types, &["{}", "'00000000'B"], "(ALL EXCEPT {})");
}

#[test]
fn gaps() {
    let types = "B ::= INTEGER T ::= B (0..4 | 6..10)";
    keeps(types, &["0", "4", "6", "10"]);
    breaks(types, &["5"], "(0..4 | 6..10)");
    let types = "B ::= OCTET STRING T ::= B (SIZE (1 | 4))";
    keeps(types, &["'01'H", "'01020304'H"]);
    breaks(types, &["'0102'H"], "(SIZE (1 | 4))");
    let types = "B ::= SEQUENCE OF NULL T ::= SEQUENCE SIZE (0 | 3) OF NULL";
    keeps(types, &["{}", "{NULL, NULL, NULL}"]);
    breaks(types, &["{NULL}"], "SIZE (0 | 3)");
    let types = "B ::= IA5String T ::= B (SIZE (1..2) | SIZE (5))";
    keeps(types, &["\"a\"", "\"abcde\""]);
    breaks(types, &["\"abc\""], "(SIZE (1..2) | SIZE (5))");
    let types = "B ::= INTEGER T ::= B (1 | 5 | 9)(2..9)";
    keeps(types, &["5", "9"]);
    breaks(types, &["6"], "(1 | 5 | 9)");
}

#[test]
fn except() {
    let types = "B ::= INTEGER T ::= B (0..10 EXCEPT 5)";
    keeps(types, &["0", "4", "6", "10"]);
    breaks(types, &["5"], "(0..10 EXCEPT 5)");
    let types = "B ::= INTEGER T ::= B (0..10)(ALL EXCEPT (2 | 3))";
    keeps(types, &["1", "4"]);
    breaks(types, &["2", "3"], "(ALL EXCEPT (2 | 3))");
    let types = "B ::= IA5String T ::= B (SIZE (1..4) EXCEPT (\"no\" | \"none\"))";
    keeps(types, &["\"yes\"", "\"noo\""]);
    breaks(types, &["\"no\"", "\"none\""], "(SIZE (1..4) EXCEPT (\"no\" | \"none\"))");
}

/// X.680 §50.4: intersection binds tighter than union, EXCEPT tighter than both.
#[test]
fn set_arithmetic() {
    let types = "B ::= IA5String T ::= B (SIZE (1) | FROM (\"ab\") ^ SIZE (2) | SIZE (3) EXCEPT \"xyz\")";
    keeps(types, &["\"x\"", "\"ab\"", "\"abc\""]);
    breaks(types, &["\"ax\"", "\"xyz\"", "\"\""], "(SIZE (1) | FROM");
}

#[test]
fn pattern() {
    let types = "B ::= UTF8String T ::= B (PATTERN \"a*\")";
    keeps(types, &["\"\"", "\"aaa\""]);
    breaks(types, &["\"zzz\"", "\"ab\""], "(PATTERN \"a*\")");
    let types = "p UTF8String ::= \"\\d#4\" B ::= UTF8String T ::= B (SIZE (4))(PATTERN p)";
    let model = compiled(types).model;
    let violations = |text: &str| check::value(&model, model.find("T").unwrap(), &text.into()).len();
    assert_eq!((violations("2024"), violations("20x4")), (0, 1));
}

/// The alphabet of a string whose characters take different numbers of octets is not PER-visible.
#[test]
fn alphabets() {
    let types = "B ::= UTF8String T ::= B (FROM (\"a\"..\"f\"))";
    keeps(types, &["\"abc\"", "\"\""]);
    breaks(types, &["\"xyz\""], "(FROM (\"a\"..\"f\"))");
    // All of one, or all of the other.
    let types = "B ::= IA5String T ::= B (FROM (\"ab\") | FROM (\"cd\"))";
    keeps(types, &["\"ab\"", "\"dc\""]);
    breaks(types, &["\"ac\""], "(FROM (\"ab\") | FROM (\"cd\"))");
}

#[test]
fn real_ranges_and_parts() {
    let types = "B ::= REAL T ::= B (0<..1.5 | 10)";
    keeps(types, &["0.5", "1.5", "10"]);
    breaks(types, &["0", "2", "-1"], "(0<..1.5 | 10)");
    let types = "B ::= REAL T ::= B (WITH COMPONENTS {mantissa (0..3), base (2), exponent (0)})";
    keeps(types, &["3", "2"]);
    // Covered by the effective constraint.
    let outside = "the number is outside the mantissas and exponents of its type";
    ["4", "0.5"].iter().for_each(|value| assert_eq!(broken(types, value), [outside], "{value}"));
}

#[test]
fn contained_subtypes() {
    let types = "B ::= INTEGER Odd ::= B (1 | 3 | 5) T ::= B (Odd | 10)";
    keeps(types, &["1", "5", "10"]);
    breaks(types, &["2", "6"], "(Odd | 10)");
    let types = "B ::= INTEGER Odd ::= B (1 | 3 | 5) T ::= B (0..10 EXCEPT Odd)";
    keeps(types, &["0", "2", "10"]);
    breaks(types, &["1", "3", "5"], "(0..10 EXCEPT Odd)");
    // A value set, and a separate type.
    let types = "B ::= INTEGER Values B ::= { 1 | 4 } T ::= B (Values)";
    keeps(types, &["1", "4"]);
    breaks(types, &["2"], "(Values)");
    let types = "B ::= UTF8String T ::= B (NumericString)";
    keeps(types, &["\"12 3\""]);
    breaks(types, &["\"a\""], "(NumericString)");
}

const RECORD: &str =
    "B ::= SEQUENCE { a INTEGER (0..9) OPTIONAL, b BOOLEAN OPTIONAL, c IA5String, d INTEGER DEFAULT 4 } ";

#[test]
fn inner_subtyping_of_structures() {
    let types = RECORD.to_owned() + "T ::= B (WITH COMPONENTS {..., a (1 | 3) PRESENT, b ABSENT})";
    keeps(&types, &["{a 1, c \"\"}", "{a 3, c \"x\", d 7}"]);
    breaks(&types, &["{c \"\"}"], "a PRESENT in a");
    breaks(&types, &["{a 1, b TRUE, c \"\"}"], "b ABSENT in b");
    breaks(&types, &["{a 2, c \"\"}"], "(1 | 3) in a");
    // X.680 §51.8.7, §51.8.9.3: a full specification names the components that are present.
    let types = RECORD.to_owned() + "T ::= B (WITH COMPONENTS {a, c})";
    keeps(&types, &["{a 1, c \"\"}"]);
    breaks(&types, &["{c \"\"}"], "a PRESENT in a");
    breaks(&types, &["{a 1, b TRUE, c \"\"}"], "WITH COMPONENTS {a, c} in b");
    // An optional component is not constrained while it is absent.
    let types = RECORD.to_owned() + "T ::= B (WITH COMPONENTS {..., a (5)})";
    keeps(&types, &["{c \"\"}", "{a 5, c \"\"}"]);
    breaks(&types, &["{a 4, c \"\"}"], "(5) in a");
    // A DEFAULT is a value.
    let types = RECORD.to_owned() + "T ::= B (WITH COMPONENTS {..., d (1..3)})";
    keeps(&types, &["{c \"\", d 2}"]);
    breaks(&types, &["{c \"\"}"], "(1..3) in d");
}

/// X.680 §37.5: inner constraints are of the associated type; X.690 §8.18 says which references
/// there are then.
#[test]
fn inner_subtyping_of_external() {
    let end = "encoding octet-aligned : ''H }";
    let direct = &format!("{{ direct-reference {{1 2 3}}, {end}");
    let other = &format!("{{ direct-reference {{1 2 4}}, {end}");
    let indirect = &format!("{{ indirect-reference 5, {end}");
    let both = &format!("{{ direct-reference {{1 2 3}}, indirect-reference 5, {end}");
    let described = &format!("{{ direct-reference {{1 2 3}}, data-value-descriptor \"x\", {end}");
    let types = |constraint: &str| format!("B ::= EXTERNAL T ::= B (WITH COMPONENTS {constraint})");
    let of = |inside: &str| types(&format!("{{..., identification (WITH COMPONENTS {inside})}}"));
    let no_syntax = of("{..., syntax ABSENT}");
    keeps(&no_syntax, &[indirect, both]);
    breaks(&no_syntax, &[direct], "(WITH COMPONENTS {..., identification");
    let one_syntax = of("{syntax ({1 2 3}) PRESENT}");
    keeps(&one_syntax, &[direct, described]);
    breaks(&one_syntax, &[other], "({1 2 3})");
    breaks(&one_syntax, &[indirect, both], "(WITH COMPONENTS {syntax");
    let negotiated = of("{..., context-negotiation PRESENT}");
    keeps(&negotiated, &[both]);
    breaks(&negotiated, &[direct, indirect], "(WITH COMPONENTS {..., context-negotiation PRESENT}");
    let context = of("{..., presentation-context-id (4)}");
    keeps(&context, &[direct, both]);
    breaks(&context, &[indirect], "(WITH COMPONENTS {..., identification");
    keeps(&of("{..., syntaxes ABSENT, fixed ABSENT}"), &[direct, indirect, both]);
    let bare = types("{identification, data-value}");
    keeps(&bare, &[direct, both]);
    breaks(&bare, &[described], "WITH COMPONENTS {identification, data-value} in");
    // The components of the encodings are also accepted.
    let encoded = types("{..., direct-reference PRESENT}");
    keeps(&encoded, &[direct, both]);
    breaks(&encoded, &[indirect], "direct-reference PRESENT");
}

#[test]
fn either_component() {
    let types = RECORD.to_owned() + "T ::= B (WITH COMPONENTS {..., a PRESENT} | WITH COMPONENTS {..., b PRESENT})";
    keeps(&types, &["{a 1, c \"\"}", "{b TRUE, c \"\"}", "{a 1, b TRUE, c \"\"}"]);
    breaks(&types, &["{c \"\"}"], "(WITH COMPONENTS {..., a PRESENT} | WITH COMPONENTS {..., b PRESENT})");
}

#[test]
fn inner_subtyping_of_choices() {
    let choice = "B ::= CHOICE { a INTEGER, b BOOLEAN, c NULL } ";
    let types = choice.to_owned() + "T ::= B (WITH COMPONENTS {..., b ABSENT, a (1..4)})";
    keeps(&types, &["a : 1", "c : NULL"]);
    breaks(&types, &["b : TRUE"], "b ABSENT in b");
    breaks(&types, &["a : 5"], "(1..4) in a");
    let types = choice.to_owned() + "T ::= B (WITH COMPONENTS {a, c})";
    keeps(&types, &["a : 1", "c : NULL"]);
    breaks(&types, &["b : TRUE"], "WITH COMPONENTS {a, c} in b");
    let types = choice.to_owned() + "T ::= B (WITH COMPONENTS {..., a PRESENT})";
    keeps(&types, &["a : 1"]);
    breaks(&types, &["b : TRUE"], "a PRESENT");
}

#[test]
fn inner_subtyping_of_lists() {
    let types = "B ::= SEQUENCE OF INTEGER T ::= B (WITH COMPONENT (1 | 3))";
    keeps(types, &["{}", "{1, 3, 3}"]);
    breaks(types, &["{1, 2}"], "(1 | 3) in [1]");
    let types = "B ::= SEQUENCE OF SEQUENCE OF INTEGER T ::= B (SIZE (1..2) ^ WITH COMPONENT (WITH COMPONENT (1)))";
    keeps(types, &["{{1}, {}}"]);
    breaks(types, &["{{}, {1, 1, 2}}"], "(1) in [1][2]");
}

/// X.680 §50.8, §52.3: values outside the root of an extensible constraint are valid, unless
/// another constraint follows.
#[test]
fn extensible_constraints() {
    keeps("B ::= INTEGER T ::= B (1 | 3, ...)", &["1", "2", "1000"]);
    keeps("B ::= IA5String T ::= B (SIZE (1 | 3, ...))", &["\"ab\""]);
    let types = "B ::= INTEGER E ::= B (0..9 EXCEPT 5, ...) T ::= E (2..8)";
    keeps(types, &["2", "8"]);
    breaks(types, &["5"], "(0..9 EXCEPT 5, ...)");
    let types = "B ::= UTF8String T ::= B (SIZE (1..2, ...))(PATTERN \"a*\")";
    keeps(types, &["\"a\""]);
    breaks(types, &["\"aaa\""], "(SIZE (1..2, ...))");
    // If an extensible set is excluded, only its root is known.
    let types = "B ::= INTEGER T ::= B (0..9 EXCEPT (3, ...))";
    keeps(types, &["4"]);
    breaks(types, &["3"], "(0..9 EXCEPT (3, ...))");
}

/// X.682 §10.3: for a field that is not an open type, the object set has the allowed values.
#[test]
fn table_constraints_on_values() {
    let types =
        "K ::= CLASS { &id INTEGER UNIQUE, &Type } one K ::= { &id 1, &Type NULL } two K ::= { &id 4, &Type BOOLEAN }
        Set K ::= { one | two } Open K ::= { one, ... }
        B ::= INTEGER T ::= K.&id ({Set})";
    keeps(types, &["1", "4"]);
    breaks(types, &["2"], "Set");
    keeps(&types.replace("{Set}", "{Open}"), &["2"]);
}

#[test]
fn parameters_are_what_they_are_in_each_use() {
    let types = "B ::= SEQUENCE { a INTEGER, b INTEGER }
        P {INTEGER:x} ::= INTEGER (x | 10) T ::= SEQUENCE { a P {1}, b P {2} }";
    keeps(types, &["{a 1, b 2}", "{a 10, b 10}"]);
    breaks(types, &["{a 2, b 2}"], "(x | 10) in a");
    breaks(types, &["{a 1, b 1}"], "(x | 10) in b");
}

/// PER-visible constraints are checked by encoders and decoders, and are not kept a second time.
#[test]
fn effective_constraints_are_not_kept_twice() {
    let compiled = compiled(
        "A ::= INTEGER (0..10) B ::= INTEGER (0..4 | 5..9) C ::= IA5String (SIZE (1..4) ^ FROM (\"a\"..\"z\"))
         D ::= INTEGER (0..9, ...) E ::= SEQUENCE SIZE (1..4, ...) OF A F ::= A (A | 3) G ::= SEQUENCE { a A (0..5) } (WITH COMPONENTS {a})
         H ::= INTEGER (0..10)(2..20) I ::= OCTET STRING (SIZE (0..MAX)) J ::= UTF8String (SIZE (1..4))",
    );
    assert!(compiled.model.constraints.is_empty(), "{:?}", compiled.model.constraints);
    assert!(compiled.notes.is_empty());
}

#[test]
fn what_is_not_checked_is_noted() {
    for (types, note) in [
        ("T ::= INTEGER (CONSTRAINED BY { -- prime -- })", "CONSTRAINED BY"),
        ("T ::= OCTET STRING (CONTAINING INTEGER ENCODED BY {2 1 1})", "ENCODED BY"),
        ("T ::= UTF8String (PATTERN \"\\N{upper}\")", "pattern"),
        ("T ::= GeneralizedTime (\"2020010100Z\"..\"2021010100Z\")", "times"),
        ("T ::= SEQUENCE { a OCTET STRING } (WITH COMPONENTS {a (CONTAINING NULL)})", "contains"),
        ("T ::= SEQUENCE { a T OPTIONAL } (WITH COMPONENTS {a (T)})", "of its own"),
        ("T ::= INSTANCE OF TYPE-IDENTIFIER (WITH COMPONENTS {..., value (NULL)})", "open type holds"),
        ("T ::= EXTERNAL (WITH COMPONENTS {..., data-value (SIZE (4))})", "part of EXTERNAL"),
    ] {
        let compiled = compiled(types);
        assert!(compiled.warnings.is_empty(), "{types}");
        assert!(compiled.notes.render().contains(note), "{types}: {}", compiled.notes.render());
        assert_eq!(compiled.notes.len(), 1, "{types}: {}", compiled.notes.render());
    }
    // An unsupported part does not exclude values.
    keeps("B ::= UTF8String T ::= B (ALL EXCEPT PATTERN \"\\N{upper}\")", &["\"x\""]);
}

/// Types that occur in each other's constraints, doubling at each level.
#[test]
fn the_size_of_a_constraint_is_bounded() {
    let mut types = "T0 ::= UTF8String (\"a\" | \"b\")\n".to_owned();
    for level in 1..60 {
        let inner = level - 1;
        types += &format!(
            "T{level} ::= UTF8String (PATTERN \"x{level}\" | (T{inner} ^ T{inner}) | T{inner} EXCEPT \"c\")\n"
        );
    }
    let compiled = compiled(&types);
    assert!(compiled.notes.render().contains("this large"));
    assert!(compiled.model.constraints.values().flatten().all(|one| one.set.weight() <= 10_000));
}

/// Random values satisfy constraints, and cover all parts of them; if none is found, this is
/// reported.
#[test]
fn random_values_keep_constraints() {
    for (types, different) in [
        ("T ::= INTEGER (3 | 7 | 9)", 3),
        ("T ::= INTEGER (0..1000000 EXCEPT 1..999998)", 3),
        ("T ::= VisibleString (\"on\" | \"off\")", 2),
        ("T ::= BOOLEAN (TRUE)", 1),
        ("T ::= ENUMERATED { x, y, z } (x | z)", 2),
        ("T ::= OCTET STRING (SIZE (1 | 4))", 50),
        ("T ::= BIT STRING { a (0), b (7) } (SIZE (8)) (ALL EXCEPT {})", 50),
        ("T ::= UTF8String (PATTERN \"[a-f]#(1,3)(-\\d+)?\")", 100),
        ("T ::= UTF8String (SIZE (4))(PATTERN \"\\d*\")", 20),
        ("T ::= IA5String (FROM (\"ab\") | FROM (\"cd\"))", 50),
        ("T ::= REAL (0..1.5)", 100),
        ("T ::= SEQUENCE OF INTEGER T2 ::= T (WITH COMPONENT (1 | 3) ^ SIZE (2 | 40))", 50),
        (
            "I ::= INTEGER (1 | 5) T ::= SEQUENCE { a I OPTIONAL, b BOOLEAN OPTIONAL, ..., [[ c NULL, d I ]] }
          (WITH COMPONENTS {..., a PRESENT} | WITH COMPONENTS {..., b (TRUE) PRESENT, c PRESENT})",
            8,
        ),
        (
            "T ::= CHOICE { a INTEGER, b BOOLEAN, c CHOICE { d NULL, e INTEGER } } (WITH COMPONENTS {..., b ABSENT, c (WITH COMPONENTS {e (7)})})",
            50,
        ),
        (
            "T ::= SEQUENCE { a T OPTIONAL, b INTEGER (0..9) } (WITH COMPONENTS {..., a (WITH COMPONENTS {..., b (3)})})",
            10,
        ),
    ] {
        let model = compiled(types).model;
        let root = model.find("T2").or(model.find("T")).unwrap();
        let generator = Generator::new(&model, Settings { unknown: 0, ..Settings::default() });
        let mut rng = Rng::new(20_261_122);
        let mut met: Vec<Value> = Vec::new();
        for _ in 0..400 {
            let value = generator.try_value(root, &mut rng).unwrap_or_else(|| panic!("{types}"));
            assert_eq!(check::value(&model, root, &value), [], "{types}: {value:?}");
            if !met.contains(&value) {
                met.push(value);
            }
        }
        assert!(met.len() >= different, "{types}: {} different values", met.len());
    }
    let none = compiled("T ::= SEQUENCE OF UTF8String (PATTERN \"a\")(PATTERN \"b\")").model;
    let generator = Generator::new(&none, Settings::default());
    let mut rng = Rng::new(1);
    let mut values = (0..20).map(|_| generator.try_value(none.find("T").unwrap(), &mut rng));
    assert!(values.any(|value| value.is_none()));
}
