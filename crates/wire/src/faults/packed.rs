//! UPER and APER (X.691).

faults! {
    /// A length determinant that begins with the bits 11 gives zero or more than four times 16K
    /// units (X.691 §11.9.3.8).
    FRAGMENT = "packed.fragment", "expected a fragment of 1 to 4 times 16384 units";
    /// APER gives more than 8 octets for a number whose range needs at most 8 (X.691 §11.5.7.4).
    NUMBER = "packed.number", "expected a number of at most 64 bits, found a longer one";
    /// The index of an alternative that is an extension addition, as a normally small number (X.691
    /// §23).
    CHOICE_INDEX = "packed.choice-index", "expected a choice index of at most 64 bits, found a longer one";
    /// The index of an item that is an extension addition, as a normally small number (X.691 §14).
    ENUMERATION_INDEX = "packed.enumeration-index", "expected an enumeration index of at most 32 bits, found a longer one";
}
