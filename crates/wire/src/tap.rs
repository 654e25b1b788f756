//! Taps: called where chosen parts of a message begin and end, while it is encoded or decoded.

/// Is called where chosen parts of a message begin and end, in the same pass in which the message
/// is encoded or decoded. The parts are chosen when the code is generated. So a signed part can be
/// hashed before anything after it is read.
///
/// If straight-line code gives up, the interpreter starts again, and so do the calls: a part that
/// begins again replaces the earlier one.
pub trait Tap {
    /// Whether calls have any effect.
    #[inline(always)]
    fn is_active(&self) -> bool {
        true
    }

    /// The part with this number begins at bit `at`.
    fn begins(&mut self, part: usize, at: usize);

    /// The part ends before bit `at`. `octets` begins with all bits of the message up to there; in
    /// an encoder, those after it have no meaning yet.
    fn ends(&mut self, part: usize, octets: &[u8], at: usize);
}

/// No tap.
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
