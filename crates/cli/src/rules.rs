//! Encoding rules as the command line knows them.

use roadwire_layout::Rules;

/// What a set of rules is, in one line.
pub(crate) fn title(rules: Rules) -> &'static str {
    match rules {
        Rules::Uper => "ASN.1 packed, unaligned (X.691)",
        Rules::Aper => "ASN.1 packed, aligned (X.691)",
        Rules::Oer => "ASN.1 octet (X.696)",
        Rules::Coer => "ASN.1 octet, canonical (X.696)",
        Rules::Ber => "ASN.1 basic (X.690)",
        Rules::Der => "ASN.1 distinguished (X.690)",
        Rules::Cer => "ASN.1 canonical (X.690)",
        Rules::Xer => "ASN.1 XML (X.693)",
        Rules::Cxer => "ASN.1 XML, canonical (X.693)",
        Rules::Exer => "ASN.1 XML, extended (X.693)",
        Rules::Jer => "ASN.1 JSON (X.697), in which people read and write values",
        Rules::Protobuf => "Protocol Buffers",
        Rules::Exi => "Efficient XML Interchange, strict",
        Rules::ExiDefault => "Efficient XML Interchange, default fidelity",
        Rules::ExiMerged => "Efficient XML Interchange, default fidelity, nesting merged",
        Rules::ExiSplit => "Efficient XML Interchange, strict, wide integers split",
        Rules::Tls => "TLS-style binary (TS 103 097 v1, IEEE 1609.2-2013)",
        _ => "",
    }
}

/// Whether what is kept as octets, for want of a type, means the same under both. (In jer it is written down for people.)
pub(crate) fn share_octets(from: Rules, to: Rules) -> bool {
    let family = |rules| match rules {
        Rules::Oer | Rules::Coer => Rules::Oer,
        Rules::Ber | Rules::Der | Rules::Cer => Rules::Ber,
        Rules::Xer | Rules::Cxer | Rules::Exer => Rules::Xer,
        Rules::Exi | Rules::ExiDefault | Rules::ExiMerged | Rules::ExiSplit => Rules::Exi,
        other => other,
    };
    [from, to].contains(&Rules::Jer) || family(from) == family(to)
}

/// Whether it is text rather than octets.
pub(crate) fn is_text(rules: Rules) -> bool {
    matches!(rules, Rules::Jer | Rules::Xer | Rules::Cxer | Rules::Exer)
}
