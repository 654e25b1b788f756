//! The envelope's cells: in the binary format, and in ASN.1 of both years under the rules that the studies have.

use roadwire_layout::{Exi, ExiDefault, ExiMerged, Protobuf, Tls, Uper};
use roadwire_messages::{etsi_envelope_2015 as asn1, ts103097_1_1_1 as binary};

use super::{Executor, Over};
use crate::content::{Message, Schema};
use crate::engine::{Absent, Bench, Cell};

pub(super) fn cell<X: Executor>(message: &Message, rules: &str) -> Result<Box<dyn Cell>, Absent> {
    let Some(message) = &message.under(rules) else {
        return Err(Absent(format!("the studies have no envelope in {rules}")));
    };
    let schema = message.schema;
    let notation = schema.notation().map_err(Absent)?;
    macro_rules! bench {
        ($($message:ident)::+, $rules:ty) => {
            Bench::boxed(Over::<$($message)::+, $rules, X>::new(notation), message)
        };
    }
    match (schema, rules) {
        (Schema::Envelope111, "tls") => bench!(binary::SecuredMessage, Tls),
        (Schema::Envelope2014, "uper") => bench!(asn1::SecuredMessage2014, Uper),
        (Schema::Envelope2014, "protobuf") => bench!(asn1::SecuredMessage2014, Protobuf),
        (Schema::Envelope2014, "exi") => bench!(asn1::SecuredMessage2014, Exi),
        (Schema::Envelope2014, "exi-default") => bench!(asn1::SecuredMessage2014, ExiDefault),
        (Schema::Envelope2014, "exi-merged") => bench!(asn1::SecuredMessage2014, ExiMerged),
        (Schema::Envelope2015, "uper") => bench!(asn1::SecuredMessage, Uper),
        (Schema::Envelope2015, "protobuf") => bench!(asn1::SecuredMessage, Protobuf),
        (Schema::Envelope2015, "exi") => bench!(asn1::SecuredMessage, Exi),
        (Schema::Envelope2015, "exi-default") => bench!(asn1::SecuredMessage, ExiDefault),
        (Schema::Envelope2015, "exi-merged") => bench!(asn1::SecuredMessage, ExiMerged),
        _ => Err(Absent(format!("{schema} has no {rules}"))),
    }
}
