//! UPER and APER (X.691).

faults! {
    /// A length determinant that begins with the bits 11 gives zero or more than four times 16K units (X.691 §11.9.3.8).
    FRAGMENT = "packed.fragment", "a fragment of no or of more than four times 16K units";
    /// APER gives more than 8 octets for a number whose range needs at most 8 (X.691 §11.5.7.4).
    NUMBER = "packed.number", "a number of more than 64 bits, of a type whose range needs fewer";
    /// The index of an alternative that is an extension addition, as a normally small number (X.691 §23).
    CHOICE_INDEX = "packed.choice-index", "a choice index wider than 64 bits";
    /// The index of an item that is an extension addition, as a normally small number (X.691 §14).
    ENUMERATION_INDEX = "packed.enumeration-index", "an enumeration index wider than 32 bits";
}
