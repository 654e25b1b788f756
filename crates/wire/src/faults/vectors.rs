//! The presentation language of TLS (RFC 5246 §4), with what TS 103 097 and IEEE 1609.2 add to it.

faults! {
    /// A number that begins with one bit 1 for each further octet has more octets than its form
    /// allows.
    NUMBER = "vectors.number", "expected a number in as many octets as its form allows, found more";
    /// The flags of a type have a fixed number of octets, which their first bits give.
    FLAGS = "vectors.flags", "expected flags";
    /// The length of a vector.
    LENGTH = "vectors.length", "expected a length that this machine can address, found a greater one";
    /// A vector has a length above 0, but its elements have no octets, so that their number is
    /// unknown.
    ELEMENT_EMPTY = "vectors.element.empty", "expected an empty vector, as its elements have no octets";
    /// The length of a vector must be that of a whole number of elements (RFC 5246 §4.3).
    ELEMENT_CUT = "vectors.element.cut", "expected whole elements in a vector, found a part of one at the end";
}
