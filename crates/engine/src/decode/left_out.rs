//! Decoding: families that the engine was built without. In place of each is an error.

#[allow(unused_imports, reason = "all families are built")]
use super::{Decoder, Listener};

/// A module in place of a family's, with what the decoder holds for it, and its entries.
macro_rules! left_out {
    ($feature:literal $module:ident: $($method:ident($node:ty))* ; $($state:ident)*) => {
        #[cfg(not(feature = $feature))]
        pub(super) mod $module {
            use roadwire_wire::{Data, Rejected};

            use super::{Decoder, Listener};

            $(
                /// Nothing.
                #[derive(Clone, Copy, Default)]
                pub(in crate::decode) struct $state {}
            )*

            impl<L: Listener> Decoder<'_, '_, '_, '_, L> {
                $(
                    #[cold]
                    pub(in crate::decode) fn $method(&mut self, _: &$node, _: &mut dyn Data) -> Result<(), Rejected> {
                        Err(self.not_built($feature))
                    }
                )*
            }
        }
    };
}

left_out!("tlv" tlv: tagged(roadwire_layout::Node) tagged_record(roadwire_layout::Node)
    tagged_choice(roadwire_layout::Node) tagged_list(roadwire_layout::Node) element(roadwire_layout::Node););
left_out!("fields" fields: keyed(roadwire_layout::FieldNode); Run);
left_out!("events" event: event(roadwire_layout::EventNode); Events);
left_out!("xml" xml: xml(roadwire_layout::XmlNode); Tag Document);
left_out!("json" json: json(roadwire_layout::JsonNode););
left_out!("vectors" presentation: presentation(roadwire_layout::PresentationNode););
left_out!("times" times: time(roadwire_layout::Node););
left_out!("alloc" table: table(roadwire_layout::Node) key(roadwire_layout::Node) scope(roadwire_layout::Node)
    heap_leaf(roadwire_layout::Node););
#[cfg(not(feature = "alloc"))]
pub(super) use self::passed_over::Slots;

/// Without a heap: nothing is kept of what is unknown.
#[cfg(not(feature = "alloc"))]
mod passed_over {
    use roadwire_layout::{Form, Node};
    use roadwire_wire::{Data, Rejected, Scalar, Unknown};

    use super::{Decoder, Listener};
    use crate::decode::extent::Chunk;
    use crate::decode::open::Content;
    use crate::listener::What;

    /// No rows are selected.
    #[derive(Default)]
    pub(in crate::decode) struct Slots {}

    impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L> {
        /// Passes an unknown addition or alternative over.
        #[cold]
        #[inline(never)]
        pub(in crate::decode) fn unknown(
            &mut self,
            index: u32,
            there: bool,
            value: &mut dyn Data,
        ) -> Result<(), Rejected> {
            if there {
                self.pass_open_type()?;
            }
            let unknown = Unknown { index, octets: [] };
            if value.keep(unknown) { Ok(()) } else { self.mismatch("a type that has unknown additions") }
        }

        /// Passes an alternative of a later version over; its tag has been read.
        #[cold]
        #[inline(never)]
        pub(in crate::decode) fn unknown_tagged(
            &mut self,
            node: &'n Node,
            _: u32,
            value: &mut dyn Data,
        ) -> Result<(), Rejected> {
            let Node::Choice { root, alternatives, .. } = *node else { return self.misplaced() };
            self.unknown(alternatives.count - root, true, value)
        }

        fn pass_open_type(&mut self) -> Result<(), Rejected> {
            let mut octets = 0;
            loop {
                let chunk = self.next_chunk()?;
                let at = self.reader.position();
                octets += chunk.units;
                if octets < self.layout.lengths.least_octets() {
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
        pub(in crate::decode) fn open_fragments(&mut self, _: Content<'n>, _: &mut dyn Data) -> Result<(), Rejected> {
            // What is no length determinant is said to be none.
            self.next_chunk()?;
            Err(self.not_built("alloc"))
        }

        #[cold]
        pub(in crate::decode) fn long_integer(
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
