//! Limits on what a message may cost the decoder.

/// Bounds on what a decoder does for one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many levels values may nest. CAM needs 8, DENM 9.
    pub depth: u32,
    /// How many list elements and characters there may be in all. Elements of no bits would
    /// otherwise cost an attacker nothing.
    pub elements: u64,
    /// How many octets of heap the elements, components and alternatives of a dynamic value may
    /// take, without the contents of strings: a message of a few octets may have many absent
    /// components. A list that grows may hold twice as much.
    pub heap: u64,
}

impl Limits {
    /// The default for levels of nesting.
    pub const DEPTH: u32 = 100;

    /// The limits that [`decode`](crate::decode) uses: an element for each bit of the input, plus
    /// 64K; 512 octets of heap for each octet of the input, plus 16 MiB. For a large input (more
    /// than half a megabyte), 64 octets of heap for each octet, plus 256 MiB.
    #[must_use]
    pub const fn for_input(input: &[u8]) -> Self {
        let octets = input.len() as u64;
        let (small, large) = (octets * 512 + (16 << 20), octets * 64 + (256 << 20));
        let heap = if small < large { small } else { large };
        Limits { depth: Limits::DEPTH, elements: octets * 8 + 65_536, heap }
    }
}
