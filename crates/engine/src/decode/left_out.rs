//! Decoding: stand-ins for features that the engine was built without. Each returns an error.

#[allow(unused_imports, reason = "all is built")]
use super::{Decoder, Family, Listener};

/// A module in place of one that is left out.
macro_rules! left_out {
    ($feature:literal $module:ident: $($method:ident($node:ty))*) => {
        #[cfg(not(feature = $feature))]
        pub(crate) mod $module {
            use roadwire_wire::{Data, Rejected};

            use super::{Decoder, Family, Listener};

            impl<L: Listener, F: Family> Decoder<'_, '_, '_, '_, L, F> {
                $(
                    #[cold]
                    pub(crate) fn $method(&mut self, _: &$node, _: &mut dyn Data) -> Result<(), Rejected> {
                        Err(self.not_built($feature))
                    }
                )*
            }
        }
    };
}

left_out!("times" times: time(roadwire_layout::Node));
#[cfg(not(feature = "alloc"))]
impl<'n, L: Listener, F: Family> Decoder<'n, '_, '_, '_, L, F> {
    /// Without a heap, what a string contains stays in the string.
    pub(crate) fn contained(
        &mut self,
        node: &'n roadwire_layout::Node,
        value: &mut dyn roadwire_wire::Data,
    ) -> Result<(), roadwire_wire::Rejected> {
        if let roadwire_layout::Node::Contained { string, .. } = *node {
            self.node(string, value)
        } else {
            self.misplaced()
        }
    }
}

left_out!("alloc" table: fitting(roadwire_layout::Node) table(roadwire_layout::Node) key(roadwire_layout::Node) scope(roadwire_layout::Node)
    heap_leaf(roadwire_layout::Node));

/// Without a heap: unknown additions are not kept.
#[cfg(not(feature = "alloc"))]
mod passed_over {
    use roadwire_layout::{Form, Node};
    use roadwire_wire::{Data, Rejected, Scalar, Unknown};

    use super::{Decoder, Family, Listener};
    use crate::listener::What;
    use crate::packed::decode::extent::Chunk;
    use crate::packed::decode::open::Content;

    impl<'n, L: Listener, F: Family> Decoder<'n, '_, '_, '_, L, F> {
        /// Skips an unknown addition or alternative.
        #[cold]
        #[inline(never)]
        pub(crate) fn unknown(&mut self, index: u32, there: bool, value: &mut dyn Data) -> Result<(), Rejected> {
            if there {
                self.pass_open_type()?;
            }
            let unknown = Unknown { index, octets: [] };
            if value.keep(unknown) { Ok(()) } else { self.mismatch("a type that has unknown additions") }
        }

        /// Skips an alternative of a later version, whose tag has been read.
        #[cold]
        #[inline(never)]
        pub(crate) fn unknown_tagged(&mut self, node: &'n Node, _: u32, value: &mut dyn Data) -> Result<(), Rejected> {
            let Node::Choice { root, alternatives, .. } = *node else { return self.misplaced() };
            self.unknown(alternatives.count - root, true, value)
        }

        fn pass_open_type(&mut self) -> Result<(), Rejected> {
            let mut octets = 0;
            loop {
                let chunk = self.next_chunk()?;
                let at = self.reader.position();
                octets += chunk.units;
                if octets < self.layout.least_octets() {
                    return self.empty_open_type(at);
                }
                self.skip(usize::try_from(chunk.units).unwrap_or(usize::MAX).saturating_mul(8))?;
                self.show(at, What::Unknown, Scalar::Unset);
                if !chunk.more {
                    return Ok(());
                }
            }
        }

        #[cold]
        pub(crate) fn open_fragments(&mut self, _: Content<'n>, _: &mut dyn Data) -> Result<(), Rejected> {
            // An invalid length determinant is reported as such.
            self.next_chunk()?;
            Err(self.not_built("alloc"))
        }

        #[cold]
        pub(crate) fn long_integer(
            &mut self,
            _: Chunk,
            _: Form,
            _: (&[u8], &[u8]),
            _: &mut dyn Data,
        ) -> Result<(), Rejected> {
            Err(self.not_built("alloc"))
        }
    }
}
