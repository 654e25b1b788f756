//! OER and COER (X.696).

faults! {
    /// A length determinant with the single octet 80, or one that exceeds the address space (X.696 §8.6).
    LENGTH = "octet.length", "a length in no octets, or of more octets than this machine can address";
    /// The octets that follow the length of an ENUMERATED (X.696 §11).
    ENUMERATED = "octet.enumerated", "an enumeration item's number in no octets, or wider than 64 bits";
    /// The number of elements of a SEQUENCE OF or SET OF (X.696 §17.2).
    QUANTITY = "octet.quantity", "a quantity in no octets, or wider than 64 bits";
    /// The tag of an alternative of a CHOICE (X.696 §8.7).
    TAG = "octet.tag", "a tag number below 63 in octets of its own, with zeros in front, or wider than 30 bits";
}
