//! What several families of encoding rules refuse.

faults! {
    /// The length of an open type is 0, but its contents have at least one octet (X.691 §11.1.3, §11.2).
    OPEN_TYPE_EMPTY = "open-type.empty", "an open type of no octets";
    /// The value of an open type or extension addition is shorter than its length says (X.691 §11.1.3).
    OPEN_TYPE_TRAILING = "open-type.trailing", "octets after the content of an open type";
    /// An open type precedes the identifier that selects its type, and the identifier selects another type than the content has (X.682 §10).
    OPEN_TYPE_IDENTIFIER = "open-type.identifier", "an identifier that selects another type than the content before it has";
    /// The extension bit is set, but no presence bits follow, or 16K or more (X.691 §19.8, X.696 §16.4).
    ADDITIONS_COUNT = "additions.count", "a number of extension additions that is 0 or 16K and above";
    /// All components have been read, but the value that holds them has not ended.
    CONTENTS_TRAILING = "contents.trailing", "more than the type has, inside a value";
    /// An INTEGER with length 0 (X.691 §11.8, X.696 §10).
    INTEGER_EMPTY = "integer.empty", "an integer of no octets";
    /// The first octet, which counts unused bits, is missing or above 7, or there are no bits that could be unused (X.690 §8.6.2).
    BIT_STRING = "bit-string.contents", "not the contents octets of a BIT STRING";
    /// A BIT STRING of a variable size in OER or Protocol Buffers: the octet that counts unused bits is missing, above 7, or counts bits that are not there (X.696 §13.3).
    UNUSED_BITS = "bit-string.unused-bits", "a bit string whose octet of unused bits is missing, or counts more bits than there can be";
    /// Not one of the forms of X.690 §8.5.
    REAL = "real.contents", "not the contents octets of a REAL";
    /// No octets, an arc that does not end, or one that begins with the octet 80 (X.690 §8.19.2).
    OID = "oid.contents", "not the contents octets of an object identifier";
    /// Each number of a TIME is in range, but together they are not a valid date or time, or not one with the type's property settings (X.691 §32).
    TIME = "time.numbers", "numbers that are no time of this type";
    /// A character string whose octets are not a multiple of two for BMPString, of four for UniversalString (X.690 §8.23).
    CHARACTER = "text.part", "a part of a character";
}
