//! Signed lists of revoked certificates (IEEE 1609.2 §7.3, §7.4).

use roadwire_engine::Message;
use roadwire_messages::Coer;
use roadwire_messages::ieee1609dot2_2022 as schema;
use roadwire_wire::Additions;

use super::certificate::Certificate;
use super::linkage::Seed;
use super::message::Signed;
use super::permissions;
use crate::{Fault, HashedId8, Violation};

/// Types of the lists: `schemas/` of this crate.
#[allow(clippy::all, unreachable_pub, missing_docs, dead_code)]
pub mod contents {
    include!(concat!(env!("OUT_DIR"), "/ieee1609dot2_crl_2022.rs"));
}

use contents::{CracaType, CrlContents, CrlSsp, TypeSpecificCrlContents as Specific};

/// The application of the lists (`CrlPsid`).
const PSID: u64 = 256;

/// The content of a list.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Crl {
    /// The digest of the authority whose certificates are revoked.
    pub(super) craca: HashedId8,
    pub(super) series: u16,
    /// When it was issued, in seconds since 2004 (TAI).
    pub(super) issued: u32,
    /// Whether it has all certificates that are revoked, and not only those since the list before
    /// it.
    pub(super) is_full: bool,
    pub(super) hashes: Vec<[u8; 10]>,
    pub(super) holders: Vec<Holder>,
}

/// Seeds of certificates of one holder, or of a group of holders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Holder {
    /// The period of the seeds.
    pub(super) i_rev: u16,
    /// The last period in which there are certificates.
    pub(super) i_max: u16,
    /// The most certificates in a period; nothing for a group, whose certificates have their own j.
    pub(super) j_max: Option<u8>,
    pub(super) seeds: [Seed; 2],
}

/// The content of a list in a message whose signature has been verified.
///
/// # Errors
/// [`Fault::Encoding`], [`Fault::TrailingOctets`] and [`Fault::Version`]; [`Fault::Payload`]: it is
/// not in the clear; [`Fault::ListEntries`]; [`Fault::Violations`]: another application, header
/// fields that a list does not have, or a list that ends before it begins.
pub(super) fn read(message: &Signed) -> Result<Crl, Fault> {
    let tbs = &message.value().tbs_data;
    let header = &tbs.header_info;
    if header.psid != PSID {
        return Err(Fault::Violations(vec![Violation::Application]));
    }
    let has_others = header.generation_time.is_some()
        || header.expiry_time.is_some()
        || header.generation_location.is_some()
        || header.p2pcd_learning_request.is_some()
        || header.missing_crl_identifier.is_some()
        || header.encryption_key.is_some();
    if has_others || header.pdu_functional_type.is_some() {
        return Err(Fault::Violations(vec![Violation::HeaderField]));
    }
    let payload = match tbs.payload.data.as_ref().map(|data| &data.content) {
        Some(schema::Ieee1609Dot2Content::UnsecuredData(payload)) => &payload.0,
        _ => return Err(Fault::Payload),
    };
    let list: CrlContents = decoded(payload)?;
    if list.next_crl <= list.issue_date {
        return Err(Fault::Violations(vec![Violation::Period]));
    }
    let is_full = matches!(
        list.type_specific,
        Specific::FullHashCrl(_) | Specific::FullLinkedCrl(_) | Specific::FullLinkedCrlWithAlg(_)
    );
    let (hashes, holders) = match list.type_specific {
        Specific::FullHashCrl(list) | Specific::DeltaHashCrl(list) => {
            understood(list.entries.iter().map(|entry| &entry.unknown).chain([&list.unknown]))?;
            (list.entries.iter().map(|entry| entry.id).collect(), Vec::new())
        }
        Specific::FullLinkedCrl(list) | Specific::DeltaLinkedCrl(list) => {
            understood([&list.unknown])?;
            (Vec::new(), holders(list.i_rev, list.individual, list.groups, list.groups_single_seed.is_some())?)
        }
        Specific::FullLinkedCrlWithAlg(list) | Specific::DeltaLinkedCrlWithAlg(list) => {
            understood([&list.unknown])?;
            (Vec::new(), holders(list.i_rev, list.individual, list.groups, list.groups_single_seed.is_some())?)
        }
        Specific::UnknownAddition(_) => return Err(Fault::ListEntries),
    };
    Ok(Crl { craca: list.crl_craca, series: list.crl_series, issued: list.issue_date, is_full, hashes, holders })
}

impl Crl {
    /// How many certificates, holders and groups it has.
    pub(super) fn entries(&self) -> usize {
        self.hashes.len() + self.holders.len()
    }

    /// Whether the holder of this certificate, issued by that one, may sign the list (§7.4.3).
    pub(super) fn may_be_signed_by(&self, signer: &Certificate, issuer: Option<&Certificate>) -> bool {
        let permissions = signer.value().to_be_signed.app_permissions.as_deref().unwrap_or(&[]);
        let ssp = permissions.iter().find(|one| one.psid == PSID).and_then(permissions::octets);
        let Some(Ok(ssp)) = ssp.map(decoded::<CrlSsp>) else { return false };
        let craca = match ssp.associated_craca {
            CracaType::IsCraca => Some(signer.digest()),
            CracaType::IssuerIsCraca => issuer.map(Certificate::digest),
        };
        craca == Some(self.craca) && ssp.crls.contains(&self.series)
    }
}

fn holders(
    i_rev: u16,
    individual: Option<Vec<contents::JMaxGroup>>,
    groups: Option<Vec<contents::GroupCrlEntry>>,
    has_single_seeds: bool,
) -> Result<Vec<Holder>, Fault> {
    // How a single seed makes a linkage value is not known here.
    if has_single_seeds {
        return Err(Fault::ListEntries);
    }
    let mut found = Vec::new();
    for of_j in individual.iter().flatten() {
        understood([&of_j.unknown])?;
        for of_authorities in &of_j.contents {
            understood([&of_authorities.unknown])?;
            for of_i in &of_authorities.contents {
                if of_i.single_seed.is_some() {
                    return Err(Fault::ListEntries);
                }
                understood(of_i.contents.iter().map(|one| &one.unknown).chain([&of_i.unknown]))?;
                found.extend(of_i.contents.iter().map(|one| Holder {
                    i_rev,
                    i_max: of_i.i_max,
                    j_max: Some(of_j.jmax),
                    seeds: [
                        Seed { authority: of_authorities.la1_id, seed: one.linkage_seed1 },
                        Seed { authority: of_authorities.la2_id, seed: one.linkage_seed2 },
                    ],
                }));
            }
        }
    }
    understood(groups.iter().flatten().map(|group| &group.unknown))?;
    found.extend(groups.iter().flatten().map(|group| Holder {
        i_rev,
        i_max: group.i_max,
        j_max: None,
        seeds: [
            Seed { authority: group.la1_id, seed: group.linkage_seed1 },
            Seed { authority: group.la2_id, seed: group.linkage_seed2 },
        ],
    }));
    Ok(found)
}

/// Refuses additions of a later version of the standard: an entry may be another one with them.
fn understood<'a>(additions: impl IntoIterator<Item = &'a Additions>) -> Result<(), Fault> {
    let is_plain = additions.into_iter().all(|additions| additions.as_slice().is_empty());
    if is_plain { Ok(()) } else { Err(Fault::ListEntries) }
}

/// A value that takes all of the octets.
fn decoded<M: Message<Coer>>(octets: &[u8]) -> Result<M, Fault> {
    let mut value = M::default();
    let length = value.decode(octets)? / 8;
    value.check()?;
    match octets.len() - length.min(octets.len()) {
        0 => Ok(value),
        count => Err(Fault::TrailingOctets { count }),
    }
}
