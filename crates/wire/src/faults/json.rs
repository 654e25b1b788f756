//! JER (X.697), and JSON (RFC 8259): a text that begins with `expected` says what should be there.

faults! {
    /// An object continues, or ends.
    COMMA_OR_BRACE = "json.syntax", "expected `,` or `}`";
    /// An array continues, or ends.
    COMMA_OR_BRACKET = "json.syntax", "expected `,` or `]`";
    /// RFC 8259 §4.
    MEMBER_NAME = "json.syntax", "expected a member's name in quotes";
    /// RFC 8259 §4.
    COLON = "json.syntax", "expected `:`";
    /// Something other than white space follows the value.
    END = "json.syntax", "expected the end: the value is complete";
    /// RFC 8259 §6.
    DIGIT = "json.syntax", "expected a digit";
    /// RFC 8259 §3.
    VALUE = "json.syntax", "expected a value";
    /// JSON has no numbers for these (RFC 8259 §6).
    SPECIAL_NUMBER = "json.syntax", "not a JSON value; JER has \"NaN\", \"INF\" and \"-INF\" in quotes";
    /// A word other than `null`, `true` and `false`.
    WORD = "json.syntax", "not a JSON value; names and text stand in quotes";
    /// RFC 8259 §7.
    STRING_END = "json.string", "expected the end of a string, found the end of the text";
    /// RFC 8259 §7.
    STRING_CONTROL = "json.string", "expected a control character as an escape, found it as it is";
    /// RFC 8259 §7.
    STRING_SURROGATE = "json.string", "expected both halves of a surrogate pair, found one";
    /// RFC 8259 §7.
    STRING_ESCAPE = "json.string", "expected an escape that JSON has, found another one";
    /// RFC 8259 §7.
    STRING_DIGITS = "json.string", "expected four hexadecimal digits after \\u, found something else";
    /// RFC 8259 §8.1.
    UTF8 = "json.utf8", "expected UTF-8 text, found other octets";
    /// RFC 8259 §6.
    NUMBER = "json.number", "expected a number without leading zeros, found one with them";
    /// In a value that is skipped: a limit of ours.
    LIMIT_DEPTH = "limit.depth", "nested deeper than the limit of 108 levels";
    /// A SEQUENCE or SET has each component once (X.697).
    MEMBER_DUPLICATE = "jer.member.duplicate", "this member occurs twice";
    /// A name such as `...3`, under which an unknown extension addition is kept.
    ADDITION_DUPLICATE = "jer.member.duplicate", "this extension addition occurs twice";
    /// A member's name in a SEQUENCE or SET that is not extensible.
    UNKNOWN_COMPONENT = "jer.member.unknown", "there is no component of this name";
    /// In the object of a BIT STRING.
    BITS_MEMBER = "jer.member.unknown", "unexpected member; expected `value` or `length`";
    /// In the object of a REAL.
    REAL_MEMBER = "jer.member.unknown", "unexpected member; expected `base10Value`";
    /// In the object of a BIT STRING.
    BITS_VALUE = "jer.member.missing", "expected the member `value`, found none";
    /// In the object of a BIT STRING.
    BITS_LENGTH = "jer.member.missing", "expected the member `length`, found none";
    /// In the object of a REAL.
    REAL_VALUE = "jer.member.missing", "expected the member `base10Value`, found none";
    /// None, or more than one.
    CHOICE_MEMBERS = "jer.choice", "expected one member in a CHOICE, the alternative, found none or more";
    /// A member's name in a CHOICE that is not extensible.
    UNKNOWN_ALTERNATIVE = "jer.choice", "there is no alternative of this name";
    /// A string that is not an item's name.
    UNKNOWN_ITEM = "jer.enumerated", "there is no item of this name";
    /// A number such as 1.5 or 1e3.
    INTEGER = "jer.integer", "expected an integer without fraction and exponent, found one with them";
    /// A character other than a hexadecimal digit.
    HEX = "jer.hex", "expected hexadecimal digits, found another character";
    /// Half an octet is missing.
    HEX_ODD = "jer.hex", "expected two hexadecimal digits for each octet, found an odd number of digits";
    /// A string is a BIT STRING only where the size is fixed (X.697).
    BITS_FORM = "jer.bits", "expected {\"value\": hexadecimal, \"length\": bits} for a BIT STRING without a fixed size, found a string";
    /// Two for each octet that holds one of the bits.
    BITS_DIGITS = "jer.bits", "expected as many digits as the number of bits takes, found another number";
    /// Unused bits of the last octet are 0.
    BITS_UNUSED = "jer.bits", "expected zeros after the last bit, found ones";
    /// A string that contains a type, given as that type's value (X.697).
    CONTAINING = "jer.containing", "expected hexadecimal digits, found \"containing\", which this type does not have";
    /// `{"containing": value}` with another member.
    CONTAINING_ALONE = "jer.containing", "expected \"containing\" alone, found another member";
    /// A string instead of a number.
    REAL_SPECIAL = "jer.real", "expected \"-0\", \"INF\", \"-INF\" or \"NaN\" as the string of a REAL, found another one";
    /// A string that is not decimal numbers with dots between them.
    OID = "jer.oid", "expected arcs as decimal numbers with dots between, as in 1.2.840, found something else";
    /// X.690 §8.19.4.
    OID_START = "jer.oid", "expected an object identifier that starts 0.0 to 0.39, 1.0 to 1.39, or 2 and any number, found another start";
    /// An open type whose type no other component selects.
    OPEN_DIGITS = "jer.open", "expected the octets of an open type as hexadecimal digits in a string: no component selects its type";
    /// `{"...": octets}` with another member.
    OPEN_OCTETS = "jer.open", "expected the octets of an open type alone, found another member";
    /// On encoding.
    OPEN_OTHER = "jer.open", "expected a value of the type that the identifier selects in an open type, found another one";
    /// The type in memory cannot hold this value.
    NO_PLACE = "value.mismatch", "expected a value that the in-memory type can hold, found another one";
    /// The type in memory cannot hold this extension addition of a later version.
    NO_PLACE_ADDITION = "value.mismatch", "expected an extension addition that the in-memory type keeps, found one with another place";
    /// The type in memory cannot hold the value in an open type.
    NO_PLACE_OPEN = "value.mismatch", "expected {\"...\": octets} for an open type that the in-memory type keeps as octets, found something else";
}
