//! BER, DER and CER (X.690).

faults! {
    /// X.690 §8.1.2.4.2.
    TAG_ZEROS = "tlv.tag.zeros", "a tag number with leading zeros";
    /// X.690 §8.1.2.2.
    TAG_LOW = "tlv.tag.low", "a tag number below 31 in octets of its own";
    /// The type has one tag, but another follows.
    TAG_OTHER = "tlv.tag.other", "the tag of another type";
    /// A mandatory component is expected, but a tag follows that is neither its own nor that of an optional component before it.
    TAG_COMPONENT = "tlv.tag.component", "the tag of another component";
    /// All mandatory components of a SEQUENCE that is not extensible have been read, but the tag that follows is not that of another component.
    TAG_TRAILING = "tlv.tag.trailing", "the tag of no component that may follow";
    /// In a SET that is not extensible.
    TAG_SET = "tlv.tag.set", "the tag of no component";
    /// In a CHOICE that is not extensible.
    TAG_CHOICE = "tlv.tag.choice", "the tag of no alternative";
    /// X.690 §8.1.3.5 c.
    LENGTH = "tlv.length", "the length octet 255";
    /// X.690 §8.1.3.2.
    LENGTH_INDEFINITE = "tlv.length.indefinite", "an indefinite length of a primitive value";
    /// Two octets 0 where a value should begin, outside of an indefinite length (X.690 §8.1.5).
    END_OF_CONTENTS = "tlv.end-of-contents", "end-of-contents octets";
    /// A SET has each component once (X.690 §8.11).
    SET_REPEATED = "tlv.set.repeated", "a component of a SET for the second time";
    /// An INTEGER or ENUMERATED without contents octets, or whose first nine bits are equal (X.690 §8.3.2).
    NUMBER = "tlv.number", "a number of no octets or of more than it needs";
    /// X.690 §8.8.2.
    NULL = "tlv.null", "a NULL with contents";
    /// X.690 §8.2.1.
    BOOLEAN = "tlv.boolean", "a BOOLEAN of not one octet";
    /// A constructed string holds only strings of its type (X.690 §8.6.4, §8.7.3).
    SEGMENT = "tlv.segment", "not a segment of a string";
    /// Only the last segment of a BIT STRING may have unused bits, 7 at most (X.690 §8.6.4).
    SEGMENT_UNUSED = "tlv.segment.unused-bits", "unused bits within a bit string";
}
