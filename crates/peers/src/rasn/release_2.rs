//! The messages of release 2, and their envelope.

use roadwire_layout::Rules;
use roadwire_measure::bench::Bench;
use roadwire_measure::cell::{Absent, Cell};

use super::Over;
use super::rules::{Coer, Der, Oer, Uper};
use crate::content::Schema;

printed! { cam_2_3_1 denm_2_3_1 cpm_2_1_1 vam_2_3_1 ts103097_2_1_1 }

/// `None` for a message, or rules, of which nothing is known here.
pub(super) fn cell(schema: Schema, rules: Rules, jer: &str) -> Option<Result<Box<dyn Cell>, Absent>> {
    macro_rules! read {
        ($($schema:ident $message:ty: [$($rules:ident)*];)*) => {
            match (schema, rules) {
                $($((Schema::$schema, Rules::$rules) => {
                    return Some(Bench::boxed(Over::<$message, $rules>::of_octets(schema, rules), jer));
                })*)*
                _ => {}
            }
        };
    }
    read! {
        Cam231 cam_2_3_1::CAM: [Uper Coer];
        Denm231 denm_2_3_1::DENM: [Uper];
        Cpm211 cpm_2_1_1::CollectivePerceptionMessage: [Uper Coer Der];
        Vam231 vam_2_3_1::VAM: [Uper];
        Data211 ts103097_2_1_1::Ieee1609Dot2Data: [Oer Coer];
    }
    let why = match (schema, rules) {
        (Schema::Cam231 | Schema::Denm231 | Schema::Vam231, Rules::Der) => {
            "rasn does not know named bits, whose zeros at the end are not sent in DER"
        }
        (Schema::Denm231, Rules::Coer) => {
            "rasn does not write tags above 62 (cause codes) in COER: an assertion of its own fails"
        }
        (Schema::Vam231, Rules::Coer) => "rasn accepts a VAM in COER that ends before its last component",
        _ => return None,
    };
    Some(Err(Absent(why.into())))
}
