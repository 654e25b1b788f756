//! JER (X.697), and JSON (RFC 8259): a text that begins with `expected` says what should be there.

faults! {
    /// An object goes on, or ends.
    COMMA_OR_BRACE = "json.syntax", "expected `,` or `}`";
    /// An array goes on, or ends.
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
    STRING_END = "json.string", "the string does not end";
    /// RFC 8259 §7.
    STRING_CONTROL = "json.string", "a control character in a string is written as an escape";
    /// RFC 8259 §7.
    STRING_SURROGATE = "json.string", "half of a surrogate pair";
    /// RFC 8259 §7.
    STRING_ESCAPE = "json.string", "there is no such escape in JSON";
    /// RFC 8259 §7.
    STRING_DIGITS = "json.string", "an escape \\u has four hexadecimal digits";
    /// RFC 8259 §8.1.
    UTF8 = "json.utf8", "not UTF-8 text";
    /// RFC 8259 §6.
    NUMBER = "json.number", "a number has no leading zeros";
    /// In a value that is skipped: a limit of ours.
    LIMIT_DEPTH = "limit.depth", "nested deeper than 108 levels";
    /// A SEQUENCE or SET has each component once (X.697).
    MEMBER_DUPLICATE = "jer.member.duplicate", "this member is there twice";
    /// A name such as `...3`, under which an unknown extension addition is kept.
    ADDITION_DUPLICATE = "jer.member.duplicate", "this extension addition is there twice";
    /// A member's name in a SEQUENCE or SET that is not extensible.
    UNKNOWN_COMPONENT = "jer.member.unknown", "there is no component of this name";
    /// In the object of a BIT STRING.
    BITS_MEMBER = "jer.member.unknown", "unexpected member: there is just `value` and `length`";
    /// In the object of a REAL.
    REAL_MEMBER = "jer.member.unknown", "unexpected member: there is just `base10Value`";
    /// In the object of a BIT STRING.
    BITS_VALUE = "jer.member.missing", "member `value` is absent";
    /// In the object of a BIT STRING.
    BITS_LENGTH = "jer.member.missing", "member `length` is absent";
    /// In the object of a REAL.
    REAL_VALUE = "jer.member.missing", "member `base10Value` is absent";
    /// None, or more than one.
    CHOICE_MEMBERS = "jer.choice", "a CHOICE has one member, the alternative";
    /// A member's name in a CHOICE that is not extensible.
    UNKNOWN_ALTERNATIVE = "jer.choice", "there is no alternative of this name";
    /// A string that is not an item's name.
    UNKNOWN_ITEM = "jer.enumerated", "there is no item of this name";
    /// A number such as 1.5 or 1e3.
    INTEGER = "jer.integer", "an integer has neither fraction nor exponent";
    /// A character other than a hexadecimal digit.
    HEX = "jer.hex", "octets are hexadecimal digits";
    /// Half an octet is missing.
    HEX_ODD = "jer.hex", "an odd number of hexadecimal digits: not whole octets";
    /// A string is a BIT STRING only where the size is fixed (X.697).
    BITS_FORM = "jer.bits", "a BIT STRING without a fixed size is {\"value\": hexadecimal, \"length\": bits}";
    /// Two for each octet that holds one of the bits.
    BITS_DIGITS = "jer.bits", "another number of digits than the number of bits asks for";
    /// Unused bits of the last octet are 0.
    BITS_UNUSED = "jer.bits", "a bit after the last one is not zero";
    /// A string that contains a type, given as that type's value (X.697).
    CONTAINING = "jer.containing", "contents are given as hexadecimal digits here, not \"containing\"";
    /// `{"containing": value}` with another member.
    CONTAINING_ALONE = "jer.containing", "\"containing\" stands alone";
    /// A REAL as a string.
    REAL_SPECIAL = "jer.real", "a REAL as a string is \"-0\", \"INF\", \"-INF\" or \"NaN\"";
    /// A string that is not decimal numbers with dots between them.
    OID = "jer.oid", "arcs are decimal numbers with dots between, as in 1.2.840";
    /// X.690 §8.19.4.
    OID_START = "jer.oid", "an object identifier starts 0.0 to 0.39, 1.0 to 1.39, or 2 and any number";
    /// An open type whose type no other component selects.
    OPEN_DIGITS = "jer.open", "nothing tells the type inside this open type: give its octets, as hexadecimal digits in a string";
    /// `{"...": octets}` with another member.
    OPEN_OCTETS = "jer.open", "the octets of an open type stand alone";
    /// On encoding.
    OPEN_OTHER = "jer.open", "the value inside this open type is not of the type that its identifier selects";
    /// The type in memory cannot hold this value.
    NO_PLACE = "value.mismatch", "the in-memory type cannot hold this";
    /// The same for an extension addition of a later version.
    NO_PLACE_ADDITION = "value.mismatch", "the in-memory type keeps no extension addition with this place";
    /// The same for the value in an open type.
    NO_PLACE_OPEN = "value.mismatch", "the in-memory type takes an open type as {\"...\": octets}";
}
