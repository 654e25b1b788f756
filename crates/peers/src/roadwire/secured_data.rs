//! The messages of IEEE 1609.2: in its own binary format, and in the ASN.1 of the study's schemas
//! under the study's rules.

use roadwire_layout::{Oer, Rules, Tls, Uper};
use roadwire_messages::ieee1609dot2_2013 as binary;
use roadwire_papers::{dot2_original_2015 as original, dot2_p_2015 as p};

use super::{Executor, Over};
use crate::content::Schema;
use roadwire_measure::bench::Bench;
use roadwire_measure::cell::{Absent, Cell};

pub(super) fn cell<X: Executor>(schema: Schema, rules: Rules, jer: &str) -> Result<Box<dyn Cell>, Absent> {
    let notation = schema.notation().map_err(Absent)?;
    match (schema, rules) {
        (Schema::SecuredData2013, Rules::Tls) => Bench::boxed(Over::<binary::SecuredData, Tls, X>::new(notation), jer),
        (Schema::SecuredDataOriginal, Rules::Uper) => {
            Bench::boxed(Over::<original::SecuredData, Uper, X>::new(notation), jer)
        }
        (Schema::SecuredDataOriginal, Rules::Oer) => {
            Bench::boxed(Over::<original::SecuredData, Oer, X>::new(notation), jer)
        }
        (Schema::SecuredDataP, Rules::Uper) => Bench::boxed(Over::<p::SecuredData, Uper, X>::new(notation), jer),
        (other, rules) => Err(Absent(format!("no study has {other} in {rules}"))),
    }
}
