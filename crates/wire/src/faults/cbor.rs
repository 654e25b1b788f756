//! CBOR in its deterministic form (RFC 8949 §4.2.1).

faults! {
    /// The additional information 28, 29 or 30 (RFC 8949 §3).
    HEAD = "cbor.head", "a head with reserved additional information";
    /// A number in more octets than it needs (§4.2.1).
    HEAD_SHORTEST = "cbor.head.shortest", "a head of more octets than its number needs";
    /// A string, an array or a map whose length is not told in front (§3.2, §4.2.1).
    INDEFINITE = "cbor.indefinite", "an item of indefinite length";
    /// The octet FF where an item is due (§3.2.1).
    BREAK = "cbor.break", "the end of an item of indefinite length that has not begun";
    /// A simple value below 32 in two octets (§3.3).
    SIMPLE = "cbor.simple", "a simple value in two octets that has a form of one";
    /// The type asks for another kind of item.
    TYPE = "cbor.type", "a data item of another kind than the type has";
    /// The type asks for another tag.
    TAG = "cbor.tag", "another tag than the type has";
    /// Keys of components and alternatives are unsigned integers.
    KEY = "cbor.key", "a key that is no unsigned integer";
    /// Keys ascend in the order of their octets, and none is there twice (§4.2.1, §5.6).
    KEY_ORDER = "cbor.key.order", "a key that does not come after the one before it";
    /// The key of no component of a type that is not extensible, or one of more than 32 bits.
    KEY_UNKNOWN = "cbor.key.unknown", "a key that the type does not have";
    /// A component equal to its DEFAULT is not there.
    DEFAULT = "cbor.default", "a component that is equal to its DEFAULT";
    /// An addition group of which no component is there is not there either.
    GROUP_EMPTY = "cbor.group.empty", "an addition group without components";
    /// A CHOICE is a map with one entry.
    CHOICE = "cbor.choice", "a CHOICE with no alternative, or with more than one";
    /// The key of no alternative of a CHOICE that is not extensible, or one of more than 32 bits.
    CHOICE_UNKNOWN = "cbor.choice.unknown", "the key of no alternative";
    /// An integer of up to 64 bits as a bignum, or a bignum with a zero octet in front (§3.4.3).
    BIGNUM = "cbor.bignum", "a bignum that is not the preferred form of its number";
    /// A float that a shorter one is equal to (§4.2.2).
    FLOAT = "cbor.float", "a float that is longer than its value needs";
    /// NaN has one encoding, F9 7E 00.
    NAN = "cbor.float.nan", "a NaN other than the one of 16 bits without a payload";
    /// Bits of the last octet that the string does not have are zero.
    BITS_UNUSED = "cbor.bits.unused", "bits that a bit string does not have and that are not zero";
    /// Zero bits at the end carry no meaning where bits have names (X.680 §22.7), and are not there.
    BITS_ZEROS = "cbor.bits.zeros", "zero bits at the end of a bit string with named bits";
    /// A text string is UTF-8 (§3.1).
    TEXT = "cbor.text", "a text string that is not UTF-8";
    /// The elements of a SET OF ascend in the order of their octets.
    ORDER = "cbor.order", "an element of a SET OF that is below the one before it";
}
