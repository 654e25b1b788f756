//! Encoding: stand-ins for features that the engine was built without. Each returns an error.

#[allow(unused_imports, reason = "all is built")]
use crate::encode::{Encoder, Family};

/// A module in place of one that is left out.
macro_rules! left_out {
    ($feature:literal $module:ident: $($method:ident($node:ty))*) => {
        #[cfg(not(feature = $feature))]
        pub(crate) mod $module {
            use roadwire_wire::{Data, Rejected};

            use crate::encode::{Encoder, Family};

            impl<F: Family> Encoder<'_, '_, '_, F> {
                $(
                    #[cold]
                    pub(crate) fn $method(&mut self, _: &$node, _: &dyn Data) -> Result<(), Rejected> {
                        Err(self.not_built($feature))
                    }
                )*
            }
        }
    };
}

left_out!("times" times: time(roadwire_layout::Node));
left_out!("alloc" heap: table(roadwire_layout::Node) key(roadwire_layout::Node) scope(roadwire_layout::Node)
    heap_leaf(roadwire_layout::Node) sorted_list(roadwire_layout::Node));

#[cfg(not(feature = "alloc"))]
impl<F: Family> Encoder<'_, '_, '_, F> {
    /// Without a heap, what a string contains stays in the string.
    pub(crate) fn contained(
        &mut self,
        node: &roadwire_layout::Node,
        value: &dyn roadwire_wire::Data,
    ) -> Result<(), roadwire_wire::Rejected> {
        if let roadwire_layout::Node::Contained { string, .. } = *node {
            self.node(string, value)
        } else {
            self.misplaced()
        }
    }

    #[cold]
    pub(crate) fn long_integer(
        &mut self,
        _: roadwire_layout::Form,
        _: &[u8],
        _: &[u8],
        _: &[u8],
    ) -> Result<(), roadwire_wire::Rejected> {
        Err(self.not_built("alloc"))
    }
}
