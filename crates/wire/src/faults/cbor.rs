//! CBOR in its deterministic form (RFC 8949 §4.2.1).

faults! {
    /// The additional information 28, 29 or 30 (RFC 8949 §3).
    HEAD = "cbor.head", "expected additional information other than 28, 29 and 30, found one of these";
    /// A number in more octets than it needs (§4.2.1).
    HEAD_SHORTEST = "cbor.head.shortest", "expected the shortest head of its number";
    /// A string, an array or a map of indefinite length (§3.2, §4.2.1).
    INDEFINITE = "cbor.indefinite", "expected a definite length, found an indefinite one";
    /// The octet FF where an item is expected (§3.2.1).
    BREAK = "cbor.break", "expected a data item, found the end of one of indefinite length";
    /// A simple value below 32 in two octets (§3.3).
    SIMPLE = "cbor.simple", "expected a simple value below 32 in one octet, found it in two";
    /// The type requires a different kind of item.
    TYPE = "cbor.type", "expected another kind of data item";
    /// The type requires a different tag.
    TAG = "cbor.tag", "unexpected tag";
    /// Keys of components and alternatives are unsigned integers.
    KEY = "cbor.key", "expected an unsigned integer as the key";
    /// Keys ascend in the order of their octets, and none occurs twice (§4.2.1, §5.6).
    KEY_ORDER = "cbor.key.order", "expected a key above the one before it";
    /// No component has this key, in a type that is not extensible; or the key has more than 32
    /// bits.
    KEY_UNKNOWN = "cbor.key.unknown", "unexpected key";
    /// A component equal to its DEFAULT must be omitted.
    DEFAULT = "cbor.default", "expected a value other than the DEFAULT, found the DEFAULT";
    /// An empty addition group must be omitted.
    GROUP_EMPTY = "cbor.group.empty", "expected a component or more in an addition group, found none";
    /// A CHOICE is a map with one entry.
    CHOICE = "cbor.choice", "expected one entry in the map of a CHOICE";
    /// No alternative has this key, in a CHOICE that is not extensible; or the key has more than 32
    /// bits.
    CHOICE_UNKNOWN = "cbor.choice.unknown", "unexpected key";
    /// An integer of up to 64 bits as a bignum, or a bignum with a leading zero octet (§3.4.3).
    BIGNUM = "cbor.bignum", "expected the preferred form of a number, found another one";
    /// A shorter float has the same value (§4.2.2).
    FLOAT = "cbor.float", "expected the shortest float of its value, found a longer one";
    /// NaN has one encoding, F9 7E 00.
    NAN = "cbor.float.nan", "expected the NaN f97e00, found another one";
    /// Unused bits of the last octet are zero.
    BITS_UNUSED = "cbor.bits.unused", "expected zeros as the unused bits of a bit string, found ones";
    /// Trailing zero bits have no meaning where bits have names (X.680 §22.7), and must be omitted.
    BITS_ZEROS = "cbor.bits.zeros", "expected named bits without zeros at the end, found zeros";
    /// A text string is UTF-8 (§3.1).
    TEXT = "cbor.text", "expected UTF-8 in a text string, found other octets";
    /// The elements of a SET OF ascend in the order of their octets.
    ORDER = "cbor.order", "expected the elements of a SET OF in ascending order, found a lesser one";
}
