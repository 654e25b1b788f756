//! The schemas, each with all its codecs.

use std::sync::OnceLock;

use roadwire_layout::Rules;
use roadwire_messages::{cam_1_3_0, cam_1_4_1, cam_2_3_1, cpm_2_1_1, cpm_tr_103562};
use roadwire_messages::{denm_1_2_0, denm_1_3_1, denm_2_3_1, ivim_2_1_1, mapem_2_1_1};
use roadwire_messages::{ieee1609dot2_2013, ieee1609dot2_2017, ieee1609dot2_2022};
use roadwire_messages::{rtcmem_2_1_1, spatem_2_1_1, srem_2_1_1, ssem_2_1_1, vam_2_3_1};
use roadwire_messages::{ts102941_2_2_1, ts103097_1_1_1, ts103097_1_2_1};
use roadwire_papers::{certificate_2017, etsi_envelope_2015};

use crate::subject::{Codec, Subject};
use crate::{constructs, kitchen_sink, table, tags};

include!(concat!(env!("OUT_DIR"), "/codecs.rs"));

/// All schemas: the shipped messages, those of papers, and those in `schemas/`.
pub fn subjects() -> &'static [Subject] {
    static SUBJECTS: OnceLock<Vec<Subject>> = OnceLock::new();
    SUBJECTS.get_or_init(|| {
        let kitchen_sink = ("kitchen-sink.asn", include_str!("../schemas/kitchen-sink.asn"));
        let tagged = ("tags.asn", include_str!("../schemas/tags.asn"));
        let wide = ("wide.asn", include_str!("../schemas/wide.asn"));
        let constructs = ("constructs.asn", &*table::module(&table::pdus()).leak());
        vec![
            shipped("cam-1.3.0", 0, codecs!(cam_1_3_0::Cam)),
            shipped("cam-1.4.1", 0, codecs!(cam_1_4_1::Cam)),
            shipped("denm-1.2.0", 0, codecs!(denm_1_2_0::Denm)),
            shipped("denm-1.3.1", 0, codecs!(denm_1_3_1::Denm)),
            shipped("certificate-2017", 0, codecs!(certificate_2017::Certificate)),
            shipped("ieee1609dot2-2017", 0, codecs!(ieee1609dot2_2017::Ieee1609Dot2Data)),
            shipped("ieee1609dot2-2017", 1, codecs!(ieee1609dot2_2017::Certificate)),
            Subject::new("kitchen-sink", vec![kitchen_sink], "Kitchen.Sink", sinks()),
            Subject::new("tags", vec![tagged], "Tags.Message", codecs!(tags::Message)),
            Subject::new("wide", vec![wide], "Wide.Node", Vec::new()),
            shipped("etsi-envelope-2015", 0, codecs!(etsi_envelope_2015::SecuredMessage)),
            shipped("etsi-envelope-2015", 1, codecs!(etsi_envelope_2015::SecuredMessage2014)),
            Subject::new("constructs", vec![constructs], "Constructs.Any", codecs!(constructs::Any)),
        ]
    })
}

/// The kitchen sink's types, those that own their strings and those that borrow them.
fn sinks() -> Vec<Box<dyn Codec>> {
    let mut codecs = codecs!(kitchen_sink::Sink);
    codecs.extend(crate::borrowing::sinks());
    codecs
}

/// The schema selected by an octet; several octets select the kitchen sink and the table of
/// constructs, which have more constructs.
pub(crate) fn pick(octet: u8) -> &'static Subject {
    const PLACES: [usize; PICKS as usize] = [7, 0, 8, 1, 12, 2, 8, 3, 7, 4, 12, 5, 7, 6, 10, 9, 12, 11];
    &subjects()[PLACES[usize::from(octet % PICKS)]]
}

/// The schemas in the presentation language.
pub fn presentation() -> &'static [Subject] {
    static SUBJECTS: OnceLock<Vec<Subject>> = OnceLock::new();
    SUBJECTS.get_or_init(|| {
        vec![
            shipped("ts103097-1.1.1", 0, codecs!(ts103097_1_1_1::SecuredMessage)),
            shipped("ts103097-1.2.1", 0, codecs!(ts103097_1_2_1::SecuredMessage)),
            shipped("ts103097-1.1.1", 1, codecs!(ts103097_1_1_1::Certificate)),
            shipped("ts103097-1.2.1", 1, codecs!(ts103097_1_2_1::Certificate)),
        ]
    })
}

/// Shipped messages that the others do not have: targets with an octet for a schema do not select
/// them, only `seeded` does. The profiles of TS 103 097 have the codecs of IEEE 1609.2.
pub(crate) fn further() -> &'static [Subject] {
    static SUBJECTS: OnceLock<Vec<Subject>> = OnceLock::new();
    SUBJECTS.get_or_init(|| {
        vec![
            shipped("cam-2.3.1", 0, codecs!(cam_2_3_1::Cam)),
            shipped("denm-2.3.1", 0, codecs!(denm_2_3_1::Denm)),
            shipped("cpm-tr-103562", 0, codecs!(cpm_tr_103562::Cpm)),
            shipped("cpm-2.1.1", 0, codecs!(cpm_2_1_1::CollectivePerceptionMessage)),
            shipped("vam-2.3.1", 0, codecs!(vam_2_3_1::Vam)),
            shipped("ivim-2.1.1", 0, codecs!(ivim_2_1_1::Ivim)),
            shipped("spatem-2.1.1", 0, codecs!(spatem_2_1_1::Spatem)),
            shipped("mapem-2.1.1", 0, codecs!(mapem_2_1_1::Mapem)),
            shipped("srem-2.1.1", 0, codecs!(srem_2_1_1::Srem)),
            shipped("ssem-2.1.1", 0, codecs!(ssem_2_1_1::Ssem)),
            shipped("rtcmem-2.1.1", 0, codecs!(rtcmem_2_1_1::Rtcmem)),
            shipped("ieee1609dot2-2013", 0, codecs!(ieee1609dot2_2013::SecuredData)),
            shipped("ieee1609dot2-2022", 0, codecs!(ieee1609dot2_2022::Ieee1609Dot2Data)),
            shipped("ieee1609dot2-2022", 1, codecs!(ieee1609dot2_2022::Certificate)),
            shipped("ts102941-2.2.1", 0, codecs!(ts102941_2_2_1::EtsiTs102941Data)),
        ]
    })
}

/// The schema selected by an octet, among those that have layouts under these rules.
pub(crate) fn pick_for(rules: Rules, octet: u8) -> &'static Subject {
    match rules.is_for_asn1() {
        true => pick(octet),
        false => &presentation()[usize::from(octet % PICKS) % presentation().len()],
    }
}

/// How many octets [`pick`] distinguishes.
pub(crate) const PICKS: u8 = 18;

fn shipped(name: &str, pdu: usize, codecs: Vec<Box<dyn Codec>>) -> Subject {
    let mut schemas = roadwire_messages::SCHEMAS.iter().chain(roadwire_papers::SCHEMAS);
    let schema = schemas.find(|schema| schema.name == name).expect("a schema of this name");
    Subject::new(schema.name, schema.modules.to_vec(), schema.pdus[pdu], codecs)
}
