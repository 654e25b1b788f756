//! Revoked certificates: those of lists, and those that the receiver no longer trusts.

use std::collections::{BTreeMap, BTreeSet};

use roadwire_messages::ieee1609dot2_2022::{CertificateId, LinkageData};

use super::certificate::{Certificate, Issuer};
use super::crl::{Crl, Holder};
use super::linkage::{self, Value};
use crate::HashedId8;

/// The most periods for which the values of a list are kept.
const MOST_PERIODS: usize = 4;

#[derive(Debug, Clone, Default)]
pub(super) struct Revocations {
    digests: BTreeSet<HashedId8>,
    /// By the authority whose certificates they revoke, and the series.
    lists: BTreeMap<(HashedId8, u16), List>,
}

/// All that lists of an authority and a series revoke.
#[derive(Debug, Clone, Default)]
struct List {
    hashes: BTreeSet<[u8; 10]>,
    /// When the newest full list with seeds was issued.
    issued: u32,
    holders: BTreeSet<Holder>,
    /// The linkage values of the holders in some periods.
    values: BTreeMap<u16, BTreeSet<Value>>,
}

impl Revocations {
    /// Revokes the certificate with this digest.
    pub(super) fn add(&mut self, digest: HashedId8) {
        self.digests.insert(digest);
    }

    /// Revokes what a list has. A certificate that is revoked by its hash stays so. A full list with seeds replaces the seeds of all earlier lists, whose certificates it has as well (§7.3.4); an earlier full list is not needed.
    pub(super) fn add_list(&mut self, crl: &Crl) {
        let list = self.lists.entry((crl.craca, crl.series)).or_default();
        list.hashes.extend(&crl.hashes);
        list.values.clear();
        if crl.is_full && !crl.holders.is_empty() {
            if crl.issued < list.issued {
                return;
            }
            if crl.issued > list.issued {
                list.issued = crl.issued;
                list.holders.clear();
            }
        }
        list.holders.extend(&crl.holders);
    }

    /// Whether one of these certificates, each of which the next one issued, is revoked.
    pub(super) fn has_one_of(&mut self, chain: &[&Certificate]) -> bool {
        if self.digests.is_empty() && self.lists.is_empty() {
            return false;
        }
        // A digest is the end of a HashedId10.
        let ids: Vec<[u8; 10]> = chain.iter().flat_map(|certificate| certificate.equal_ids()).collect();
        if ids.iter().any(|id| self.digests.contains(&id[2..])) {
            return true;
        }
        // The authority is a certificate of the chain, or above one that is trusted without its issuer.
        let is_whole = chain.last().is_some_and(|last| last.issuer() == Issuer::Itself);
        let lists = self.lists.iter_mut().filter(|((craca, _), _)| !is_whole || ids.iter().any(|id| id[2..] == *craca));
        for ((craca, series), list) in lists {
            let is_of_list = |certificate: &&&Certificate| {
                let content = &certificate.value().to_be_signed;
                content.craca_id == craca[5..] && content.crl_series == *series
            };
            if chain.iter().filter(is_of_list).any(|certificate| list.has(certificate)) {
                return true;
            }
        }
        false
    }
}

impl List {
    fn has(&mut self, certificate: &Certificate) -> bool {
        if certificate.equal_ids().iter().any(|id| self.hashes.contains(id)) {
            return true;
        }
        let CertificateId::LinkageData(data) = &certificate.value().to_be_signed.id else { return false };
        self.has_value(data) || self.has_group(data)
    }

    fn has_value(&mut self, data: &LinkageData) -> bool {
        if !self.values.contains_key(&data.i_cert) {
            if self.values.len() >= MOST_PERIODS {
                self.values.pop_first();
            }
            self.values.insert(data.i_cert, values(&self.holders, data.i_cert));
        }
        self.values.get(&data.i_cert).is_some_and(|values| values.contains(&data.linkage_value))
    }

    fn has_group(&self, data: &LinkageData) -> bool {
        let Some(group) = &data.group_linkage_value else { return false };
        let mut groups = self.holders.iter().filter(|holder| holder.j_max.is_none());
        groups.any(|holder| {
            holder.seeds_at(data.i_cert).is_some_and(|seeds| linkage::value(&seeds, group.j_value) == group.value)
        })
    }
}

/// The linkage values of all holders in a period.
fn values(holders: &BTreeSet<Holder>, period: u16) -> BTreeSet<Value> {
    let mut found = BTreeSet::new();
    for holder in holders {
        let (Some(j_max), Some(seeds)) = (holder.j_max, holder.seeds_at(period)) else { continue };
        found.extend((0..=u32::from(j_max)).map(|j| linkage::value(&seeds, j.to_be_bytes())));
    }
    found
}

impl Holder {
    /// The seeds of a period; nothing before the seeds' own, and after the last one with certificates.
    fn seeds_at(&self, period: u16) -> Option<[linkage::Seed; 2]> {
        let periods = period.checked_sub(self.i_rev).filter(|_| period <= self.i_max)?;
        Some(self.seeds.map(|seed| seed.evolved(periods)))
    }
}
