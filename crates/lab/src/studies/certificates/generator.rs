//! Random certificates: as drawn by the paper's generator, judging by its numbers; and over the
//! whole schema.

use roadwire_papers::certificate_2017::{
    Certificate, CertificateDigestOtherAlgorithm, CircularRegion, Duration, EccPoint, EccPointUncompressed,
    EcdsaP256Signature, EncryptionKey, HashAlgorithm, ITSList, IdentifiedRegion, ItsAidSsp, PublicKey,
    PublicKeyAlgorithm, ReconstructionEccPoint, ReconstructionEccPointUncompressed, RectangularRegion,
    RegionDictionary, SignatureEccPoint, SignerInfo, SubjectAttributes, SubjectInfo, SubjectType, SymmAlgorithm,
    TimeStartAndDuration, TimeStartAndEnd, TwoDLocation, ValidityRestrictionRegion, ValidityRestrictionTime,
    ValidityRestrictions,
};
use serde::{Deserialize, Serialize};

use roadwire_measure::random::Random;

/// How certificates are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Generator {
    /// The structure and the distributions that reproduce the paper's size columns
    /// (`studies/certificates/analysis.md`).
    Fitted,
    /// Every alternative, presence, enumeration item and length with equal probability, over the
    /// whole schema.
    Uniform,
    /// As fitted, in which the parts of the user's file are then drawn as that says.
    Given,
}

/// The most elements of a list without a bound in the schema.
const LIST: usize = 8;

impl Generator {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Generator::Fitted => "fitted",
            Generator::Uniform => "uniform",
            Generator::Given => "given",
        }
    }

    /// The next certificate; of [`Generator::Given`] as it is before the user's parts are drawn.
    pub fn certificate(self, random: &mut Random) -> Certificate {
        match self {
            Generator::Fitted | Generator::Given => fitted(random),
            Generator::Uniform => uniform(random),
        }
    }
}

/// Only the forms of three points and the lengths of two permissions vary.
fn fitted(random: &mut Random) -> Certificate {
    let ssp = |random: &mut Random| {
        let length = 1 + random.below(9);
        ItsAidSsp { its_aid: random.below(10) as i64, service_specific_permissions: octets(random, length) }
    };
    let list = vec![ssp(random), ssp(random)];
    Certificate {
        version: 2,
        signer_info: SignerInfo::CertificateDigestSHA256(fixed(random)),
        subject_info: SubjectInfo {
            subject_type: SubjectType::AuthorizationTicket,
            subject_name: text(random, 1, LATIN),
        },
        subject_attributes: SubjectAttributes {
            verification_key: PublicKey { algorithm: PublicKeyAlgorithm::EciesNistp256, key: point(random) },
            encryption_key: Some(EncryptionKey {
                supported_symm_alg: SymmAlgorithm::Aes128Ccm,
                public_key: PublicKey { algorithm: PublicKeyAlgorithm::EciesNistp256, key: point(random) },
            }),
            assurance_level: fixed(random),
            reconstruction_value: None,
            its_list: ITSList::ItsAidSspList(list),
            ..SubjectAttributes::default()
        },
        validity_restrictions: ValidityRestrictions {
            time_of_validation: ValidityRestrictionTime::TimeStartAndDuration(TimeStartAndDuration {
                // 2014 to 2017, in seconds since 2004: nine digits, four octets.
                start_validity: 315_532_800 + random.below(94_694_400) as u32,
                duration: Duration::Hours(10 + random.below(90) as u16),
            }),
            ..ValidityRestrictions::default()
        },
        signature: signature(random),
    }
}

fn uniform(random: &mut Random) -> Certificate {
    let algorithm = |random: &mut Random| {
        [PublicKeyAlgorithm::EcdsaNistp256WithSha256, PublicKeyAlgorithm::EciesNistp256][random.below(2)]
    };
    let key = |random: &mut Random| PublicKey { algorithm: algorithm(random), key: point(random) };
    Certificate {
        version: random.below(256) as u8,
        signer_info: match random.below(3) {
            0 => SignerInfo::Self_(()),
            1 => SignerInfo::CertificateDigestSHA256(fixed(random)),
            _ => SignerInfo::CertificateDigestOtherAlgorithm(CertificateDigestOtherAlgorithm {
                algorithm: HashAlgorithm::Sha256,
                digest: fixed(random),
            }),
        },
        subject_info: SubjectInfo {
            subject_type: SUBJECTS[random.below(SUBJECTS.len())],
            subject_name: {
                let length = random.below(33);
                text(random, length, SCRIPTS)
            },
        },
        subject_attributes: SubjectAttributes {
            verification_key: key(random),
            encryption_key: maybe(random, |random| EncryptionKey {
                supported_symm_alg: SymmAlgorithm::Aes128Ccm,
                public_key: key(random),
            }),
            assurance_level: fixed(random),
            reconstruction_value: maybe(random, reconstruction),
            its_list: its_list(random),
            ..SubjectAttributes::default()
        },
        validity_restrictions: ValidityRestrictions {
            time_of_validation: time(random),
            region: maybe(random, region),
            ..ValidityRestrictions::default()
        },
        signature: signature(random),
    }
}

const SUBJECTS: [SubjectType; 6] = [
    SubjectType::EnrollmentCredential,
    SubjectType::AuthorizationTicket,
    SubjectType::AuthorizationAuthority,
    SubjectType::EnrollmentAuthority,
    SubjectType::RootCa,
    SubjectType::CrlSigner,
];

fn maybe<T>(random: &mut Random, some: impl FnOnce(&mut Random) -> T) -> Option<T> {
    (random.below(2) == 1).then(|| some(random))
}

fn point(random: &mut Random) -> EccPoint {
    match random.below(3) {
        0 => EccPoint::Compressed_Y_0(fixed(random)),
        1 => EccPoint::Compressed_Y_1(fixed(random)),
        _ => EccPoint::Uncompressed(EccPointUncompressed { x: fixed(random), y: fixed(random) }),
    }
}

fn reconstruction(random: &mut Random) -> ReconstructionEccPoint {
    match random.below(4) {
        0 => ReconstructionEccPoint::XCoordinateOnly(fixed(random)),
        1 => ReconstructionEccPoint::Compressed_Y_0(fixed(random)),
        2 => ReconstructionEccPoint::Compressed_Y_1(fixed(random)),
        _ => ReconstructionEccPoint::Uncompressed(ReconstructionEccPointUncompressed {
            x: fixed(random),
            y: fixed(random),
        }),
    }
}

fn signature(random: &mut Random) -> EcdsaP256Signature {
    let r = match random.below(3) {
        0 => SignatureEccPoint::XCoordinateOnly(fixed(random)),
        1 => SignatureEccPoint::Compressed_Y_0(fixed(random)),
        _ => SignatureEccPoint::Compressed_Y_1(fixed(random)),
    };
    EcdsaP256Signature { r, s: fixed(random) }
}

fn its_list(random: &mut Random) -> ITSList {
    let count = random.below(LIST + 1);
    if random.below(2) == 0 {
        return ITSList::ItsAidList((0..count).map(|_| integer(random)).collect());
    }
    ITSList::ItsAidSspList(
        (0..count)
            .map(|_| {
                let length = random.below(32);
                ItsAidSsp { its_aid: integer(random), service_specific_permissions: octets(random, length) }
            })
            .collect(),
    )
}

fn time(random: &mut Random) -> ValidityRestrictionTime {
    let time = |random: &mut Random| random.next() as u32;
    match random.below(3) {
        0 => ValidityRestrictionTime::TimeEnd(time(random)),
        1 => ValidityRestrictionTime::TimeStartAndEnd(TimeStartAndEnd {
            start_validity: time(random),
            end_validity: time(random),
        }),
        _ => {
            let units = [
                Duration::Microseconds,
                Duration::Milliseconds,
                Duration::Seconds,
                Duration::Minutes,
                Duration::Hours,
                Duration::SixtyHours,
                Duration::Years,
            ];
            ValidityRestrictionTime::TimeStartAndDuration(TimeStartAndDuration {
                start_validity: time(random),
                duration: units[random.below(units.len())](random.next() as u16),
            })
        }
    }
}

fn region(random: &mut Random) -> ValidityRestrictionRegion {
    match random.below(4) {
        0 => ValidityRestrictionRegion::CircularRegion(CircularRegion {
            center: place(random),
            radius: random.next() as u16,
        }),
        1 => ValidityRestrictionRegion::RectangularRegion(
            (0..=random.below(6))
                .map(|_| RectangularRegion { north_west: place(random), south_east: place(random) })
                .collect(),
        ),
        2 => ValidityRestrictionRegion::PolygonalRegion((0..3 + random.below(10)).map(|_| place(random)).collect()),
        _ => ValidityRestrictionRegion::IdentifiedRegion(IdentifiedRegion {
            region_dictionary: [RegionDictionary::Iso_3166_1, RegionDictionary::UnStats][random.below(2)],
            region_identifier: random.next() as u16,
            local_region: integer(random),
        }),
    }
}

/// Any latitude and longitude, 0.1 microdegrees, "unavailable" included.
fn place(random: &mut Random) -> TwoDLocation {
    TwoDLocation {
        latitude: random.below(1_800_000_002) as i32 - 900_000_000,
        longitude: (random.below(3_600_000_002) as i64 - 1_800_000_000) as i32,
    }
}

/// An unconstrained integer: all widths up to 64 bits are equally likely, so that not all take
/// eight octets.
fn integer(random: &mut Random) -> i64 {
    let width = random.below(64) as u32;
    (random.next() as i64) >> width
}

fn fixed<const N: usize>(random: &mut Random) -> [u8; N] {
    let mut octets = [0; N];
    for chunk in octets.chunks_mut(8) {
        chunk.copy_from_slice(&random.next().to_le_bytes()[..chunk.len()]);
    }
    octets
}

fn octets(random: &mut Random, length: usize) -> roadwire_wire::Octets<31> {
    let all: [u8; 31] = fixed(random);
    roadwire_wire::Octets(all.get(..length).and_then(|some| some.try_into().ok()).unwrap_or_default())
}

/// First and last character of each range.
const LATIN: &[(char, char)] = &[('a', 'z'), ('A', 'Z')];
/// One to four octets a character in UTF-8; characters without a text in XML are left out.
const SCRIPTS: &[(char, char)] = &[(' ', '~'), ('À', 'ÿ'), ('Α', 'Ρ'), ('一', '鿿'), ('😀', '🙏')];

fn text(random: &mut Random, length: usize, ranges: &[(char, char)]) -> roadwire_wire::Text<128> {
    let mut text = roadwire_wire::Text::new();
    for _ in 0..length {
        let (first, last) = ranges[random.below(ranges.len())];
        let (first, last) = (first as usize, last as usize);
        let character = u32::try_from(first + random.below(last - first + 1)).ok().and_then(char::from_u32);
        text.push(character.unwrap_or('?'));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_draws_the_same_certificates() {
        for generator in [Generator::Fitted, Generator::Uniform] {
            let draw = |seed| {
                let mut random = Random::new(seed);
                (0..20).map(|_| generator.certificate(&mut random)).collect::<Vec<_>>()
            };
            assert_eq!(draw(1), draw(1));
            assert_ne!(draw(1), draw(2));
        }
    }

    #[test]
    fn the_uniform_generator_reaches_every_alternative() {
        let mut random = Random::new(3);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..2000 {
            let c = Generator::Uniform.certificate(&mut random);
            let debug = format!("{c:?}");
            for name in [
                "Self_",
                "CertificateDigestSHA256",
                "CertificateDigestOtherAlgorithm",
                "CrlSigner",
                "Uncompressed",
                "XCoordinateOnly",
                "ItsAidList",
                "ItsAidSspList",
                "TimeEnd",
                "TimeStartAndEnd",
                "SixtyHours",
                "CircularRegion",
                "RectangularRegion(",
                "PolygonalRegion",
                "UnStats",
                "encryption_key: None",
                "reconstruction_value: None",
                "region: None",
            ] {
                if debug.contains(name) {
                    seen.insert(name);
                }
            }
        }
        assert_eq!(seen.len(), 18, "{seen:?}");
    }
}
