//! The standard's definitions that are written in ASN.1.

/// The classes of X.681 Annexes A and B, and the associated types of X.680 §36.5, §37.5 and §44.5.
/// That of EXTERNAL is there as X.691 §30 and X.690 §8.18 also encode it.
pub(crate) const PRELUDE: &str = r#"
Built-In DEFINITIONS AUTOMATIC TAGS ::= BEGIN

TYPE-IDENTIFIER ::= CLASS { &id OBJECT IDENTIFIER UNIQUE, &Type }
    WITH SYNTAX { &Type IDENTIFIED BY &id }

ABSTRACT-SYNTAX ::= CLASS {
    &id OBJECT IDENTIFIER UNIQUE,
    &Type,
    &property BIT STRING { handles-invalid-encodings(0) } DEFAULT {}
} WITH SYNTAX { &Type IDENTIFIED BY &id [HAS PROPERTY &property] }

External ::= [UNIVERSAL 8] SEQUENCE {
    direct-reference [UNIVERSAL 6] OBJECT IDENTIFIER OPTIONAL,
    indirect-reference [UNIVERSAL 2] INTEGER OPTIONAL,
    data-value-descriptor [UNIVERSAL 7] ObjectDescriptor OPTIONAL,
    encoding CHOICE {
        single-ASN1-type [0] TYPE-IDENTIFIER.&Type,
        octet-aligned [1] OCTET STRING,
        arbitrary [2] BIT STRING
    }
}

Syntaxes ::= SEQUENCE { abstract OBJECT IDENTIFIER, transfer OBJECT IDENTIFIER }

Negotiation ::= SEQUENCE { presentation-context-id INTEGER, transfer-syntax OBJECT IDENTIFIER }

Identification ::= CHOICE {
    syntaxes Syntaxes,
    syntax OBJECT IDENTIFIER,
    presentation-context-id INTEGER,
    context-negotiation Negotiation,
    transfer-syntax OBJECT IDENTIFIER,
    fixed NULL
}

AssociatedExternal ::= SEQUENCE {
    identification Identification,
    data-value-descriptor ObjectDescriptor OPTIONAL,
    data-value OCTET STRING
}

EmbeddedPdv ::= [UNIVERSAL 11] SEQUENCE {
    identification Identification,
    data-value-descriptor ObjectDescriptor OPTIONAL,
    data-value OCTET STRING
} (WITH COMPONENTS { ..., data-value-descriptor ABSENT })

CharacterString ::= [UNIVERSAL 29] SEQUENCE {
    identification Identification,
    data-value-descriptor ObjectDescriptor OPTIONAL,
    string-value OCTET STRING
} (WITH COMPONENTS { ..., data-value-descriptor ABSENT })

END
"#;
