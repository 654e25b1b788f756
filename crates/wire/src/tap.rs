//! Who hears where parts of a message lie while it is encoded or decoded.

/// Hears where those parts of a message begin and end that a program chose when its code was generated, in the one pass in which the message is encoded or decoded: what is signed can be
/// hashed before anything behind it is looked at.
///
/// Where straight-line code gives up, the interpreter begins anew, and so does what it tells: a part that begins again is what counts.
pub trait Tap {
    /// Whether anyone listens.
    #[inline(always)]
    fn is_active(&self) -> bool {
        true
    }

    /// The part with this number begins at bit `at`.
    fn begins(&mut self, part: usize, at: usize);

    /// It ends in front of bit `at`. `octets` begins with all bits of the message up to there; what an encoder has behind them means nothing yet.
    fn ends(&mut self, part: usize, octets: &[u8], at: usize);
}

/// Nobody.
impl Tap for () {
    #[inline(always)]
    fn is_active(&self) -> bool {
        false
    }
    #[inline(always)]
    fn begins(&mut self, _: usize, _: usize) {}
    #[inline(always)]
    fn ends(&mut self, _: usize, _: &[u8], _: usize) {}
}
