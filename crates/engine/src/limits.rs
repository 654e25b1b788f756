//! What a message may ask of the decoder.

/// Bounds on what a decoder does for one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many levels values may nest. CAM needs 8, DENM 9.
    pub depth: u32,
    /// How many list elements and characters there may be in all. Elements of no bits would otherwise cost an attacker nothing.
    pub elements: u64,
}

impl Limits {
    /// Levels of nesting, unless told otherwise.
    pub const DEPTH: u32 = 100;

    /// The limits that [`decode`](crate::decode) uses: an element for each bit of the input, and 64K more.
    #[must_use]
    pub const fn for_input(input: &[u8]) -> Self {
        Limits { depth: Limits::DEPTH, elements: input.len() as u64 * 8 + 65_536 }
    }
}
