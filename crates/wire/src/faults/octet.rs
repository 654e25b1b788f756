//! OER and COER (X.696).

faults! {
    /// A length determinant with the single octet 80, or one that exceeds the address space (X.696
    /// §8.6).
    LENGTH = "octet.length", "expected a length in an octet or more, that this machine can address";
    /// The octets that follow the length of an ENUMERATED (X.696 §11).
    ENUMERATED = "octet.enumerated", "expected the number of an item in 1 to 8 octets";
    /// The number of elements of a SEQUENCE OF or SET OF (X.696 §17.2).
    QUANTITY = "octet.quantity", "expected a number of elements in 1 to 8 octets";
    /// The tag of an alternative of a CHOICE (X.696 §8.7).
    TAG = "octet.tag", "expected a tag in its shortest form, with a number of at most 30 bits";
}
