//! BER, DER and CER (X.690).

faults! {
    /// X.690 §8.1.2.4.2.
    TAG_ZEROS = "tlv.tag.zeros", "expected a tag number without leading zeros";
    /// X.690 §8.1.2.2.
    TAG_LOW = "tlv.tag.low", "expected a tag number of 31 or more after such a first octet";
    /// The type has one tag, but another follows.
    TAG_OTHER = "tlv.tag.other", "unexpected tag";
    /// A mandatory component is expected, but a tag follows that is neither its own nor that of an
    /// optional component before it.
    TAG_COMPONENT = "tlv.tag.component", "unexpected tag";
    /// All mandatory components of a SEQUENCE that is not extensible have been read, but the tag
    /// that follows is not that of another component.
    TAG_TRAILING = "tlv.tag.trailing", "unexpected tag";
    /// In a SET that is not extensible.
    TAG_SET = "tlv.tag.set", "unexpected tag";
    /// In a CHOICE that is not extensible.
    TAG_CHOICE = "tlv.tag.choice", "unexpected tag";
    /// X.690 §8.1.3.5 c.
    LENGTH = "tlv.length", "expected a length octet of 0 to 254, found 255";
    /// X.690 §8.1.3.2.
    LENGTH_INDEFINITE = "tlv.length.indefinite", "expected a definite length of a primitive value, found an indefinite one";
    /// Two octets 0 where a value should begin, outside of an indefinite length (X.690 §8.1.5).
    END_OF_CONTENTS = "tlv.end-of-contents", "expected a value, found end-of-contents octets";
    /// A SET has each component once (X.690 §8.11).
    SET_REPEATED = "tlv.set.repeated", "expected each component of a SET once, found one again";
    /// An INTEGER or ENUMERATED without contents octets, or whose first nine bits are equal (X.690
    /// §8.3.2).
    NUMBER = "tlv.number", "expected a number in as few octets as it needs, at least one";
    /// X.690 §8.8.2.
    NULL = "tlv.null", "expected a NULL of no octets";
    /// X.690 §8.2.1.
    BOOLEAN = "tlv.boolean", "expected a BOOLEAN of one octet";
    /// A constructed string holds only strings of its type (X.690 §8.6.4, §8.7.3).
    SEGMENT = "tlv.segment", "unexpected tag in a string";
    /// Only the last segment of a BIT STRING may have unused bits, 7 at most (X.690 §8.6.4).
    SEGMENT_UNUSED = "tlv.segment.unused-bits", "expected unused bits, 7 at most, only at the end of a bit string";
}
