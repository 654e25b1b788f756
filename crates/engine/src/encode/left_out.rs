//! Encoding: families that the engine was built without. In place of each is an error.

#[allow(unused_imports, reason = "all families are built")]
use super::Encoder;

/// A module in place of a family's, with what the encoder holds for it, and its entries.
macro_rules! left_out {
    ($feature:literal $module:ident: $($method:ident($node:ty))* ; $($state:ident)*) => {
        #[cfg(not(feature = $feature))]
        pub(super) mod $module {
            use roadwire_wire::{Data, Rejected};

            use super::Encoder;

            $(
                /// Nothing.
                #[derive(Clone, Copy, Default)]
                pub(crate) struct $state {}
            )*

            impl Encoder<'_, '_, '_> {
                $(
                    #[cold]
                    pub(in crate::encode) fn $method(&mut self, _: &$node, _: &dyn Data) -> Result<(), Rejected> {
                        Err(self.not_built($feature))
                    }
                )*
            }
        }
    };
}

left_out!("tlv" tlv: tagged(roadwire_layout::Node) tagged_record(roadwire_layout::Node)
    tagged_choice(roadwire_layout::Node) tagged_list(roadwire_layout::Node) element(roadwire_layout::Node););
left_out!("fields" fields: keyed(roadwire_layout::FieldNode););
left_out!("events" event: event(roadwire_layout::EventNode); Events);
left_out!("xml" xml: xml(roadwire_layout::XmlNode); Tag Document);
left_out!("json" json: json(roadwire_layout::JsonNode););
left_out!("vectors" presentation: presentation(roadwire_layout::PresentationNode););
left_out!("times" times: time(roadwire_layout::Node););
left_out!("alloc" heap: table(roadwire_layout::Node) key(roadwire_layout::Node) scope(roadwire_layout::Node)
    heap_leaf(roadwire_layout::Node) sorted_list(roadwire_layout::Node); Slots);
#[cfg(not(feature = "alloc"))]
pub(super) use self::heap::Slots;

#[cfg(not(feature = "alloc"))]
impl Encoder<'_, '_, '_> {
    #[cold]
    pub(super) fn long_integer(
        &mut self,
        _: roadwire_layout::Form,
        _: &[u8],
        _: &[u8],
        _: &[u8],
    ) -> Result<(), roadwire_wire::Rejected> {
        Err(self.not_built("alloc"))
    }
}
