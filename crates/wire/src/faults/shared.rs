//! Faults that several families of encoding rules share.

faults! {
    /// The length of an open type is 0, but its contents have at least one octet (X.691 §11.1.3,
    /// §11.2).
    OPEN_TYPE_EMPTY = "open-type.empty", "expected an octet or more in an open type, found none";
    /// The value of an open type or extension addition is shorter than its length says (X.691
    /// §11.1.3).
    OPEN_TYPE_TRAILING = "open-type.trailing", "expected the end of an open type";
    /// An open type precedes the identifier that selects its type, and the identifier selects a
    /// type different from that of the content (X.682 §10).
    OPEN_TYPE_IDENTIFIER = "open-type.identifier", "expected the identifier of the content before it, found that of another type";
    /// The extension bit is set, but no presence bits follow, or 16K or more (X.691 §19.8, X.696
    /// §16.4).
    ADDITIONS_COUNT = "additions.count", "expected 1 to 16383 presence bits of extension additions";
    /// All components have been read, but the value that holds them has not ended.
    CONTENTS_TRAILING = "contents.trailing", "expected the end of a value";
    /// An INTEGER with length 0 (X.691 §11.8, X.696 §10).
    INTEGER_EMPTY = "integer.empty", "expected an octet or more of an INTEGER, found none";
    /// The first octet, which counts unused bits, is missing or above 7, or counts unused
    /// bits although none follow (X.690 §8.6.2).
    BIT_STRING = "bit-string.contents", "expected the number of unused bits, 0 to 7, and octets that have them";
    /// A BIT STRING of a variable size in OER or Protocol Buffers: the octet that counts unused
    /// bits is missing, above 7, or counts more bits than follow (X.696 §13.3).
    UNUSED_BITS = "bit-string.unused-bits", "expected an octet that counts unused bits, 0 to 7 and no more than there are";
    /// Not one of the forms of X.690 §8.5.
    REAL = "real.contents", "expected the contents octets of a REAL";
    /// No octets, an arc that does not end, or one that begins with the octet 80 (X.690 §8.19.2).
    OID = "oid.contents", "expected the contents octets of an object identifier";
    /// Each number of a TIME is in range, but together they are not a valid date or time, or not
    /// one with the type's property settings (X.691 §32).
    TIME = "time.numbers", "expected the numbers of a time of this type, found others";
    /// A character string whose octets are not a multiple of two for BMPString, of four for
    /// UniversalString (X.690 §8.23).
    CHARACTER = "text.part", "expected whole characters, found a part of one";
    /// OER: no alternative has this tag, in a CHOICE that is not extensible (X.696 §20).
    CHOICE_TAG = "choice.index", "unexpected tag";
    /// Presentation language: no alternative has this number.
    CHOICE_NUMBER = "choice.index", "unexpected alternative number";
    /// The number of an enumeration item that the type does not have.
    ENUMERATED_NUMBER = "enumerated.number", "unexpected item number";
    /// XER: something else is in its place.
    COMPONENT_MISSING = "component.missing", "expected the element of a mandatory component";
}
