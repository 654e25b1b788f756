//! The generator reports the sizes in memory that the compiler gives the types, or a little more.

use roadwire_codegen::{Integers, Options, generate};

/// The sizes that the generator reports for the PDUs of a schema.
fn told(name: &str, box_above: u64) -> Vec<u64> {
    let schema = roadwire_messages::SCHEMAS.iter().find(|schema| schema.name == name).unwrap();
    let sources: Vec<_> =
        schema.modules.iter().map(|(file, text)| roadwire_frontend::Source::new(*file, *text)).collect();
    let model = roadwire_frontend::compile(&sources).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    let roots: Vec<_> = schema.pdus.iter().map(|pdu| model.find(pdu).unwrap()).collect();
    let options = Options { box_above, integers: Integers::Word, ..Options::default() };
    generate(&model, &roots, &[], options).unwrap().sizes
}

#[test]
fn sizes_are_those_of_the_compiler() {
    macro_rules! sizes {
        ($($name:literal $($path:ident)::+ $(above $box_above:expr)?;)*) => { $(
            let found = size_of::<roadwire_messages::$($path)::+>() as u64;
            let box_above = [$($box_above,)? Options::BOX_ABOVE][0];
            let wanted = told($name, box_above)[0];
            println!("{}: {found}, told {wanted}", $name);
            assert!(found <= wanted && wanted <= found + found / 20, "{}: {found} octets, told {wanted}", $name);
        )* };
    }
    sizes! {
        "cam-1.3.0" cam_1_3_0::Cam;
        "cam-1.4.1" cam_1_4_1::Cam;
        "cam-2.3.1" cam_2_3_1::Cam above 4096;
        "denm-1.3.1" denm_1_3_1::Denm;
        "denm-2.3.1" denm_2_3_1::Denm above 131_072;
        "cpm-tr-103562" cpm_tr_103562::Cpm;
        "cpm-2.1.1" cpm_2_1_1::CollectivePerceptionMessage;
        "vam-2.3.1" vam_2_3_1::Vam;
        "ivim-2.1.1" ivim_2_1_1::Ivim;
        "spatem-2.1.1" spatem_2_1_1::Spatem;
        "mapem-2.1.1" mapem_2_1_1::Mapem above 4096;
        "srem-2.1.1" srem_2_1_1::Srem above 4096;
        "ssem-2.1.1" ssem_2_1_1::Ssem;
        "rtcmem-2.1.1" rtcmem_2_1_1::Rtcmem;
        "ieee1609dot2-2017" ieee1609dot2_2017::Ieee1609Dot2Data;
        "ieee1609dot2-2022" ieee1609dot2_2022::Ieee1609Dot2Data;
        "ts103097-1.2.1" ts103097_1_2_1::SecuredMessage;
    }
}
