//! The envelope's cells: in the binary format, and in ASN.1 of both years under the studies' rules.

use roadwire_layout::{Exi, ExiDefault, ExiFlat, ExiMerged, Protobuf, Rules, Tls, Uper};
use roadwire_messages::ts103097_1_1_1 as binary;
use roadwire_papers::etsi_envelope_2015 as asn1;

use super::{Executor, Over};
use crate::content::{Message, Schema};
use roadwire_measure::bench::Bench;
use roadwire_measure::cell::{Absent, Cell};

pub(super) fn cell<X: Executor>(message: &Message, rules: Rules) -> Result<Box<dyn Cell>, Absent> {
    let none = || Err(Absent(format!("the studies have no envelope in {rules}")));
    let Some(message) = &message.under(rules) else { return none() };
    let notation = message.schema.notation().map_err(Absent)?;
    macro_rules! bench {
        ($message:ty, $rules:ty) => {
            Bench::boxed(Over::<$message, $rules, X>::new(notation), &message.jer())
        };
    }
    macro_rules! in_asn1 {
        ($message:ty) => {
            match rules {
                Rules::Uper => bench!($message, Uper),
                Rules::Protobuf => bench!($message, Protobuf),
                Rules::Exi => bench!($message, Exi),
                Rules::ExiDefault => bench!($message, ExiDefault),
                Rules::ExiMerged => bench!($message, ExiMerged),
                Rules::ExiFlat => bench!($message, ExiFlat),
                Rules::Aper | Rules::Oer | Rules::Coer | Rules::Ber | Rules::Der | Rules::Cer => none(),
                Rules::Xer | Rules::Cxer | Rules::Exer | Rules::Jer | Rules::ExiSplit | Rules::Tls | Rules::Cbor => {
                    none()
                }
            }
        };
    }
    match message.schema {
        Schema::Envelope111 => bench!(binary::SecuredMessage, Tls),
        Schema::Envelope2014 => in_asn1!(asn1::SecuredMessage2014),
        Schema::Envelope2015 => in_asn1!(asn1::SecuredMessage),
        _ => none(),
    }
}
