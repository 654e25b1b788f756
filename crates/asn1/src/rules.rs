//! Which rule of the standard a diagnostic is about, and who does not hold modules to it.

use roadwire_source::Diagnostics;

/// The rule of a diagnostic code.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The code, such as `asn1.tag.duplicate`.
    pub code: &'static str,
    /// Its clause in the edition of 2021, or empty: the code stands for the grammar as a whole, or
    /// for a limit of ours.
    pub clause: &'static str,
    /// Other compilers that take modules against it without a word, as they were tried.
    pub taken_by: &'static [&'static str],
}

const ASN1TOOLS: &str = "asn1tools 0.169";
const PYCRATE: &str = "pycrate 0.8.1";
const ASN1C: &str = "asn1c 0.9.28";
const ERLANG: &str = "Erlang/OTP 25";

macro_rules! rules {
    ($($code:literal $clause:literal $($tool:ident)*;)*) => {
        /// All codes but those of limits (`asn1.limit`), in alphabetical order. A message that
        /// names a clause is about that one.
        pub const RULES: &[Rule] = &[$(Rule { code: $code, clause: $clause, taken_by: &[$($tool),*] }),*];
    };
}

rules! {
    "asn1.components-of" "X.680 §25.5" ASN1TOOLS ERLANG;
    "asn1.constraint.absent" "X.680 §51.8" ASN1TOOLS PYCRATE ASN1C ERLANG;
    "asn1.constraint.alphabet" "X.680 §51.7" ASN1C ERLANG;
    "asn1.constraint.bounds" "X.680 §51.4" ASN1TOOLS PYCRATE;
    "asn1.constraint.empty" "X.680 §51.1" ASN1TOOLS;
    "asn1.constraint.kind" "X.680 §51.1" ASN1TOOLS ERLANG;
    "asn1.constraint.parent" "X.680 §51.2";
    "asn1.constraint.settings" "X.680 §38.2";
    "asn1.constraint.size" "X.680 §51.5" ASN1TOOLS PYCRATE ERLANG;
    "asn1.constraint.unchecked" "";
    "asn1.enum.order" "X.680 §20.4" ASN1TOOLS PYCRATE;
    "asn1.export.unknown" "X.680 §13" ASN1TOOLS PYCRATE ASN1C;
    "asn1.extension.dropped" "X.680 §50.8";
    "asn1.import.ambiguous" "X.680 §13.16" ASN1TOOLS PYCRATE;
    "asn1.import.hidden" "X.680 §13" ASN1TOOLS PYCRATE;
    "asn1.import.module" "X.680 §13.16";
    "asn1.import.oid" "X.680 §13.16";
    "asn1.import.unknown" "X.680 §13.16";
    "asn1.import.unused" "X.680 §13.16";
    "asn1.lex.character" "X.680 §11";
    "asn1.lex.comment" "X.680 §12.6.4" PYCRATE ASN1C;
    "asn1.lex.name" "X.680 §12.2";
    "asn1.lex.string" "X.680 §12.10";
    "asn1.module.ambiguous" "X.680 §13.2" ASN1TOOLS PYCRATE;
    "asn1.module.duplicate" "X.680 §13.2" ASN1TOOLS PYCRATE ERLANG;
    "asn1.name.component" "X.680 §25" ASN1TOOLS ASN1C ERLANG;
    // asn1tools takes two components of one name, and refuses two items of one number.
    "asn1.name.duplicate" "X.680 §25.14";
    "asn1.name.field" "X.681 §9";
    "asn1.name.item" "X.680 §20" ASN1TOOLS;
    "asn1.name.role" "" ASN1TOOLS ASN1C;
    "asn1.name.unknown" "X.680 §14";
    "asn1.number.zero" "X.680 §12.8";
    "asn1.object.circular" "" ASN1TOOLS ASN1C;
    "asn1.object.class" "X.681 §12" ASN1TOOLS ASN1C ERLANG;
    "asn1.object.empty" "X.681 §12.3";
    "asn1.object.incomplete" "X.681 §11" ASN1TOOLS ASN1C;
    "asn1.object.syntax" "X.681 §10" ASN1TOOLS;
    "asn1.parameter.count" "X.683 §9" ASN1C;
    "asn1.syntax" "";
    "asn1.table.link" "X.682 §10.7";
    "asn1.table.set" "X.682 §10";
    "asn1.tag.duplicate" "X.680 §25.6" ASN1TOOLS;
    "asn1.tag.extension" "X.680 §52.7" ASN1TOOLS PYCRATE ERLANG;
    "asn1.tag.implicit" "X.680 §31.2.9" ASN1TOOLS PYCRATE;
    "asn1.tag.number" "X.680 §31" ERLANG;
    "asn1.tag.open" "X.680 §25.6" PYCRATE ERLANG;
    "asn1.tag.order" "X.680 §27.3";
    "asn1.tag.universal" "X.680 §31.2.2";
    "asn1.text.encoding" "X.680 §11";
    "asn1.type.circular" "" ASN1TOOLS;
    "asn1.type.empty" "X.680 §29.1";
    "asn1.type.infinite" "" ASN1TOOLS PYCRATE ASN1C ERLANG;
    "asn1.unsupported.macro" "X.208 Annex A";
    "asn1.value.character" "X.680 §41" ASN1TOOLS ASN1C ERLANG;
    "asn1.value.circular" "";
    "asn1.value.incomplete" "X.680 §25" ASN1TOOLS ASN1C;
    "asn1.value.open" "X.682 §10" ERLANG;
    "asn1.value.range" "X.680 §16.2" ASN1TOOLS ASN1C ERLANG;
    "asn1.value.type" "X.680 §16.2" ASN1C;
    "asn1.value.untyped" "X.681 §14.6";
    "asn1.version.order" "X.680 §25.1" ASN1TOOLS PYCRATE ERLANG;
    "asn1.x208.any" "X.208 §27";
    "asn1.x208.string" "X.680 §41.1";
}

/// Adds to the findings their clauses, and the compilers that accept such modules.
pub(crate) fn name(found: &mut Diagnostics) {
    for one in &mut found.0 {
        let Some(rule) = RULES.iter().find(|rule| rule.code == one.code) else { continue };
        let is_named = one.message.contains("(X.");
        one.rule = Some(rule.clause).filter(|clause| !clause.is_empty() && !is_named);
        one.taken_by = rule.taken_by;
    }
}
