//! Whose property a quantity is.

/// Whose property a quantity is: this determines what a run of ours can say about a printed figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// That of the encoding and the content: every correct implementation has the same.
    Encoding,
    /// The implementation's.
    Implementation,
    /// The machine's and the implementation's.
    Machine,
}
