//! The presentation language of TLS (RFC 5246 §4), with what TS 103 097 and IEEE 1609.2 add to it.

faults! {
    /// A number that begins with one bit 1 for each further octet has more octets than its form allows.
    NUMBER = "vectors.number", "a number of more octets than its form allows";
    /// The flags of a type have a fixed number of octets, which their first bits give.
    FLAGS = "vectors.flags", "flags in another number of octets";
    /// The length of a vector.
    LENGTH = "vectors.length", "a length of more octets than this machine can address";
    /// A vector has a length above 0, but its elements have no octets, so that their number is unknown.
    ELEMENT_EMPTY = "vectors.element.empty", "octets in a vector whose elements have none";
    /// The length of a vector must be that of a whole number of elements (RFC 5246 §4.3).
    ELEMENT_CUT = "vectors.element.cut", "a vector that ends inside of an element";
}
