//! The encoding rules, one row each: everything about a set of rules except its layouts.

use core::fmt;
use core::str::FromStr;

use roadwire_wire::names::distance_within;

/// Encoding rules whose layouts share node kinds. In each crate, a family's code is in a folder or
/// file of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// PER (X.691): values one after the other, in as few bits as hold them.
    Packed,
    /// OER (X.696): values one after the other, in whole octets.
    Octet,
    /// BER, DER and CER (X.690): values after identifiers and lengths.
    Tlv,
    /// Protocol Buffers: values after field numbers.
    Fields,
    /// EXI: a stream of events.
    Events,
    /// XER (X.693): an XML document.
    Xml,
    /// JER (X.697): JSON text.
    Json,
    /// The TLS-style binary: structs, and vectors after their lengths.
    Vectors,
    /// CBOR: maps whose keys are numbers.
    Cbor,
}

impl Family {
    /// All.
    pub const ALL: [Family; 9] = [
        Family::Packed,
        Family::Octet,
        Family::Tlv,
        Family::Fields,
        Family::Events,
        Family::Xml,
        Family::Json,
        Family::Vectors,
        Family::Cbor,
    ];

    /// Its name, which is also that of folders, files and features.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Family::Packed => "packed",
            Family::Octet => "octet",
            Family::Tlv => "tlv",
            Family::Fields => "fields",
            Family::Events => "events",
            Family::Xml => "xml",
            Family::Json => "json",
            Family::Vectors => "vectors",
            Family::Cbor => "cbor",
        }
    }

    /// Whether encodings are text rather than octets.
    #[must_use]
    pub const fn is_text(self) -> bool {
        matches!(self, Family::Xml | Family::Json)
    }

    /// Its rules.
    pub fn rules(self) -> impl Iterator<Item = Rules> {
        Rules::ALL.into_iter().filter(move |rules| rules.family() == self)
    }

    /// Whether generated code under these rules can borrow strings from its input, and call taps
    /// for parts of a message.
    #[must_use]
    pub const fn borrows_and_taps(self) -> bool {
        matches!(self, Family::Packed | Family::Octet | Family::Vectors)
    }
}

/// Passes the names of all rules, as in [`Rules`], to a macro, for code that is written once for
/// each.
#[macro_export]
macro_rules! for_each_rules {
    ($macro:ident) => {
        $macro! { Uper Aper Oer Coer Ber Der Cer Xer Cxer Exer Jer Protobuf Exi ExiDefault ExiMerged ExiFlat ExiSplit Tls Cbor }
    };
}

/// The same for the rules under which ASN.1 types have layouts.
#[macro_export]
macro_rules! for_each_rules_of_asn1 {
    ($macro:ident) => {
        $macro! { Uper Aper Oer Coer Ber Der Cer Xer Cxer Exer Jer Protobuf Exi ExiDefault ExiMerged ExiFlat ExiSplit Cbor }
    };
}

// Each property is a match of its own: a microcontroller's image links those that it asks for, and
// not all of the table.
macro_rules! table {
    ($($rules:ident: $name:literal $title:literal, $family:ident, feature $feature:literal $(, canonical of $basic:ident)?;)*) => {
        /// A set of encoding rules. Its name is the same in code, on the command line, in file
        /// names, JSON and reports.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rules {
            $(
                #[doc = $title]
                $rules,
            )*
        }

        impl Rules {
            /// All, in the order in which they are listed for users.
            pub const ALL: [Rules; [$(Rules::$rules),*].len()] = [$(Rules::$rules),*];

            /// The name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Rules::$rules => $name,)* }
            }

            /// A description in one line.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $(Rules::$rules => $title,)* }
            }

            /// The family that they belong to.
            #[must_use]
            pub const fn family(self) -> Family {
                match self { $(Rules::$rules => Family::$family,)* }
            }

            /// The feature of `roadwire-engine` with the interpreter for their layouts: the
            /// family's name, except for aligned PER.
            #[must_use]
            pub const fn feature(self) -> &'static str {
                match self { $(Rules::$rules => $feature,)* }
            }

            /// If these rules are canonical: the rules from whose encodings they allow only one for
            /// each value.
            #[must_use]
            pub const fn canonical_of(self) -> Option<Rules> {
                let of: &[Rules] = match self { $(Rules::$rules => &[$(Rules::$basic)?],)* };
                of.first().copied()
            }
        }

        $(
            #[doc = concat!("[`Rules::", stringify!($rules), "`] as a type.")]
            #[derive(Clone, Copy, Debug)]
            pub struct $rules;

            impl RuleSet for $rules {
                const RULES: Rules = Rules::$rules;
            }
        )*
    };
}

table! {
    Uper: "uper" "ASN.1 packed, unaligned (X.691)", Packed, feature "packed";
    Aper: "aper" "ASN.1 packed, aligned (X.691)", Packed, feature "aligned";
    Oer: "oer" "ASN.1 octet (X.696)", Octet, feature "octet";
    Coer: "coer" "ASN.1 octet, canonical (X.696)", Octet, feature "octet", canonical of Oer;
    Ber: "ber" "ASN.1 basic (X.690)", Tlv, feature "tlv";
    Der: "der" "ASN.1 distinguished (X.690)", Tlv, feature "tlv", canonical of Ber;
    Cer: "cer" "ASN.1 canonical (X.690)", Tlv, feature "tlv", canonical of Ber;
    Xer: "xer" "ASN.1 XML (X.693)", Xml, feature "xml";
    Cxer: "cxer" "ASN.1 XML, canonical (X.693)", Xml, feature "xml", canonical of Xer;
    Exer: "exer" "ASN.1 XML, extended (X.693)", Xml, feature "xml";
    Jer: "jer" "ASN.1 JSON (X.697), in which people read and write values", Json, feature "json";
    Protobuf: "protobuf" "Protocol Buffers", Fields, feature "fields";
    Exi: "exi" "Efficient XML Interchange, strict", Events, feature "events";
    ExiDefault: "exi-default" "Efficient XML Interchange, default fidelity", Events, feature "events";
    ExiMerged: "exi-merged" "Efficient XML Interchange, default fidelity, nesting merged", Events, feature "events";
    ExiFlat: "exi-flat" "Efficient XML Interchange, default fidelity, nesting and choices merged", Events, feature "events";
    ExiSplit: "exi-split" "Efficient XML Interchange, strict, wide integers split", Events, feature "events";
    Tls: "tls" "TLS-style binary (TS 103 097 v1, IEEE 1609.2-2013)", Vectors, feature "vectors";
    Cbor: "cbor" "Concise Binary Object Representation, deterministic (RFC 8949)", Cbor, feature "cbor";
}

impl Rules {
    /// Whether encodings are text rather than octets.
    #[must_use]
    pub const fn is_text(self) -> bool {
        self.family().is_text()
    }

    /// Whether ASN.1 types have layouts under them: all except those of the presentation language.
    #[must_use]
    pub const fn is_for_asn1(self) -> bool {
        !matches!(self.family(), Family::Vectors)
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no rules have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownRules {
    /// The rules that it may stand for: of the same letters in another case, of another name for
    /// the format, or the only ones that differ in one letter.
    pub meant: Option<Rules>,
}

impl fmt::Display for UnknownRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(meant) = self.meant {
            return write!(f, "unknown encoding rules; did you mean {meant}?");
        }
        f.write_str("unknown encoding rules; known are")?;
        Rules::ALL.iter().try_for_each(|rules| write!(f, " {rules}"))
    }
}

impl core::error::Error for UnknownRules {}

impl FromStr for Rules {
    type Err = UnknownRules;

    fn from_str(name: &str) -> Result<Self, UnknownRules> {
        let found = Rules::ALL.into_iter().find(|rules| rules.name() == name);
        found.ok_or_else(|| UnknownRules { meant: meant_by(name) })
    }
}

/// Other names for formats, in small letters.
const OTHER_NAMES: [(&str, Rules); 6] = [
    ("json", Rules::Jer),
    ("xml", Rules::Xer),
    ("per", Rules::Uper),
    ("unaligned", Rules::Uper),
    ("aligned", Rules::Aper),
    ("proto", Rules::Protobuf),
];

#[cold]
fn meant_by(name: &str) -> Option<Rules> {
    if let Some((_, rules)) = OTHER_NAMES.into_iter().find(|(other, _)| other.eq_ignore_ascii_case(name)) {
        return Some(rules);
    }
    (0..=1).find_map(|distance| {
        let mut near = Rules::ALL.into_iter().filter(|rules| distance_within(name, rules.name(), distance).is_some());
        near.next().filter(|_| near.next().is_none())
    })
}

/// Rules as a type, by which generated codecs are selected.
pub trait RuleSet {
    /// Which rules.
    const RULES: Rules;
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! names {
        ($($name:ident)*) => { &[$(Rules::$name),*][..] };
    }

    #[test]
    fn all_rules_are_handed_to_macros() {
        assert_eq!(for_each_rules!(names), Rules::ALL);
        let of_asn1 = Rules::ALL.iter().filter(|rules| rules.is_for_asn1());
        assert!(for_each_rules_of_asn1!(names).iter().eq(of_asn1));
    }

    #[test]
    fn a_name_that_no_rules_have_suggests_the_ones_that_are_meant() {
        let meant = |name: &str| name.parse::<Rules>().unwrap_err().meant;
        let pairs = [("UPER", Rules::Uper), ("json", Rules::Jer), ("XML", Rules::Xer), ("per", Rules::Uper)];
        for (name, rules) in pairs.into_iter().chain([("coerr", Rules::Coer), ("exi_merged", Rules::ExiMerged)]) {
            assert_eq!(meant(name), Some(rules), "{name}");
        }
        assert_eq!(meant("yer"), None, "several differ in one letter");
        assert_eq!(meant("gser"), None);
    }

    #[test]
    fn each_family_has_rules() {
        assert!(Family::ALL.into_iter().all(|family| family.rules().count() > 0));
        assert!(Family::ALL.into_iter().flat_map(Family::rules).count() == Rules::ALL.len());
    }

    #[test]
    fn names_are_found() {
        for rules in Rules::ALL {
            assert_eq!(rules.name().parse(), Ok(rules));
            assert!(rules.canonical_of().is_none_or(|basic| basic.family() == rules.family()));
        }
        assert!("Uper".parse::<Rules>().is_err());
    }
}
