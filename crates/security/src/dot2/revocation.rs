//! Revoked certificates: those of lists, and those that the receiver no longer trusts.

use std::collections::{BTreeMap, BTreeSet};

use roadwire_messages::ieee1609dot2_2022::{CertificateId, GroupLinkageValue, LinkageData};

use super::certificate::{Certificate, Issuer};
use super::crl::{Crl, Holder};
use super::linkage::{self, Seed, Value};
use crate::{Fault, HashedId8};

/// The most periods whose values are kept of a list. Of messages that are valid now there are two
/// at most.
const MOST_PERIODS: usize = 4;
/// The most periods, all holders of a list together, from the one of the seeds to the last with
/// certificates.
const MOST_STEPS: u64 = 1 << 24;
/// The most linkage values of a list that are kept: 36 MiB.
const MOST_VALUES: u64 = 1 << 22;

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
    /// The holders in the periods that were asked for last.
    periods: BTreeMap<u16, Period>,
    /// How often a period was asked for.
    asked: u64,
}

/// The holders of a list in one period.
#[derive(Debug, Clone, Default)]
struct Period {
    /// Those who have certificates in this period or later, with the seeds of this period, or of a
    /// later one that theirs begin with.
    holders: Vec<Holder>,
    /// Seeds of groups, whose certificates have their own j.
    groups: Vec<[Seed; 2]>,
    /// The linkage values of the others, in order.
    values: Vec<Value>,
    /// When it was asked for last.
    asked: u64,
}

impl Revocations {
    /// Revokes the certificate with this digest.
    pub(super) fn add(&mut self, digest: HashedId8) {
        self.digests.insert(digest);
    }

    /// Revokes the certificates of a list. A certificate that is revoked by its hash stays so. A
    /// full list with seeds replaces the seeds of all earlier lists, whose certificates it has as
    /// well (§7.3.4); an earlier full list is not needed.
    ///
    /// # Errors
    /// [`Fault::ListLimit`]; nothing is revoked then.
    pub(super) fn add_list(&mut self, crl: &Crl) -> Result<(), Fault> {
        let list = self.lists.entry((crl.craca, crl.series)).or_default();
        let is_full = crl.is_full && !crl.holders.is_empty();
        if is_full && crl.issued < list.issued {
            list.hashes.extend(&crl.hashes);
            return Ok(());
        }
        let replaces = is_full && crl.issued > list.issued;
        let mut holders: BTreeSet<Holder> = if replaces { BTreeSet::new() } else { list.holders.clone() };
        holders.extend(&crl.holders);
        let sum = |of: fn(&Holder) -> u64| holders.iter().map(of).sum::<u64>();
        if sum(Holder::steps) > MOST_STEPS || sum(Holder::values_of_period) > MOST_VALUES {
            return Err(Fault::ListLimit);
        }
        if replaces {
            list.issued = crl.issued;
        }
        list.hashes.extend(&crl.hashes);
        list.holders = holders;
        list.periods.clear();
        Ok(())
    }

    /// Whether one of these certificates, each of which the next one issued, is revoked.
    pub(super) fn has_one_of(&mut self, chain: &[&Certificate]) -> bool {
        self.has_hash_of(chain) || self.has_linkage_value_of(chain)
    }

    /// Whether one of these certificates is revoked by its digest or its hash. That takes no time.
    pub(super) fn has_hash_of(&self, chain: &[&Certificate]) -> bool {
        if self.digests.is_empty() && self.lists.is_empty() {
            return false;
        }
        // A digest is the end of a HashedId10.
        let is_revoked =
            |certificate: &&Certificate| certificate.equal_ids().iter().any(|id| self.digests.contains(&id[2..]));
        let is_listed = |(list, certificate): (&List, &Certificate)| {
            certificate.equal_ids().iter().any(|id| list.hashes.contains(id))
        };
        chain.iter().any(is_revoked) || self.listed(chain).any(is_listed)
    }

    /// Whether lists have seeds of holders, of which one of these certificates may be.
    pub(super) fn has_seeds_for(&self, chain: &[&Certificate]) -> bool {
        if self.lists.is_empty() {
            return false;
        }
        let is_it = |(list, one): (&List, &Certificate)| !list.holders.is_empty() && linkage_data(one).is_some();
        self.listed(chain).any(is_it)
    }

    /// Whether one of these certificates is revoked by its linkage value. Of each period, that
    /// takes time once.
    pub(super) fn has_linkage_value_of(&mut self, chain: &[&Certificate]) -> bool {
        if self.lists.is_empty() {
            return false;
        }
        let lists = of_chain(chain);
        let mut lists = self.lists.iter_mut().filter(|(name, _)| lists(name));
        lists.any(|(name, list)| {
            let of_list = chain.iter().filter(|certificate| is_of_list(certificate, name));
            of_list.filter_map(|certificate| linkage_data(certificate)).any(|data| list.has(data))
        })
    }

    /// Each certificate with each list that it belongs to.
    fn listed<'l, 'c>(&'l self, chain: &'l [&'c Certificate]) -> impl Iterator<Item = (&'l List, &'c Certificate)> {
        let lists = of_chain(chain);
        let lists = self.lists.iter().filter(move |(name, _)| lists(name));
        lists.flat_map(move |(name, list)| {
            chain.iter().filter(move |certificate| is_of_list(certificate, name)).map(move |one| (list, *one))
        })
    }
}

/// Which lists are of an authority that is a certificate of the chain, or may be above one that is
/// trusted without its issuer.
fn of_chain(chain: &[&Certificate]) -> impl Fn(&(HashedId8, u16)) -> bool + use<> {
    let is_whole = chain.last().is_some_and(|last| last.issuer() == Issuer::Itself);
    let ids: Vec<[u8; 10]> = chain.iter().flat_map(|certificate| certificate.equal_ids()).collect();
    move |(craca, _)| !is_whole || ids.iter().any(|id| id[2..] == *craca)
}

/// Whether a certificate names the lists of this authority and series.
fn is_of_list(certificate: &Certificate, (craca, series): &(HashedId8, u16)) -> bool {
    let content = &certificate.value().to_be_signed;
    content.craca_id == craca[5..] && content.crl_series == *series
}

fn linkage_data(certificate: &Certificate) -> Option<&LinkageData> {
    match &certificate.value().to_be_signed.id {
        CertificateId::LinkageData(data) => Some(data),
        _ => None,
    }
}

impl List {
    /// Whether it has seeds of which this linkage value, or this value of a group, is made.
    fn has(&mut self, data: &LinkageData) -> bool {
        if self.holders.is_empty() {
            return false;
        }
        let period = self.period(data.i_cert);
        let is_of_group = |group: &GroupLinkageValue| {
            period.groups.iter().any(|seeds| linkage::value(seeds, group.j_value) == group.value)
        };
        period.values.binary_search(&data.linkage_value).is_ok()
            || data.group_linkage_value.as_ref().is_some_and(is_of_group)
    }

    fn period(&mut self, number: u16) -> &Period {
        if !self.periods.contains_key(&number) {
            // From the nearest period before it: seeds have no way back.
            let made = match self.periods.range(..number).next_back() {
                Some((_, before)) => Period::new(number, &before.holders),
                None => Period::new(number, &self.holders),
            };
            self.make_room(made.values.len());
            self.periods.insert(number, made);
        }
        self.asked += 1;
        let period = self.periods.entry(number).or_default();
        period.asked = self.asked;
        period
    }

    /// Forgets periods that were not asked for the longest.
    fn make_room(&mut self, values: usize) {
        let is_full = |periods: &BTreeMap<u16, Period>| {
            let kept: usize = periods.values().map(|period| period.values.len()).sum();
            periods.len() >= MOST_PERIODS || (kept + values) as u64 > MOST_VALUES
        };
        while is_full(&self.periods) {
            let oldest = self.periods.iter().min_by_key(|(_, period)| period.asked).map(|(number, _)| *number);
            let Some(oldest) = oldest else { return };
            self.periods.remove(&oldest);
        }
    }
}

impl Period {
    fn new<'h>(number: u16, holders: impl IntoIterator<Item = &'h Holder>) -> Period {
        let holders: Vec<Holder> = holders.into_iter().filter_map(|holder| holder.at(number)).collect();
        let has_begun = |holder: &&Holder| holder.i_rev == number;
        let (mut groups, mut values) = (Vec::new(), Vec::new());
        for holder in holders.iter().filter(has_begun) {
            match holder.j_max {
                Some(j_max) => {
                    values.extend((0..=u32::from(j_max)).map(|j| linkage::value(&holder.seeds, j.to_be_bytes())));
                }
                None => groups.push(holder.seeds),
            }
        }
        values.sort_unstable();
        Period { holders, groups, values, asked: 0 }
    }
}

impl Holder {
    /// The holder with the seeds of a period, or with its first ones if they are of a later period;
    /// nothing after the last one with certificates.
    fn at(&self, period: u16) -> Option<Holder> {
        if period > self.i_max {
            return None;
        }
        let periods = period.saturating_sub(self.i_rev);
        Some(Holder { i_rev: self.i_rev.max(period), seeds: self.seeds.map(|seed| seed.evolved(periods)), ..*self })
    }

    /// How often its seeds are evolved up to its last period.
    fn steps(&self) -> u64 {
        self.i_max.saturating_sub(self.i_rev).into()
    }

    /// How many linkage values it has in a period.
    fn values_of_period(&self) -> u64 {
        self.j_max.map_or(0, |j_max| u64::from(j_max) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dot2::linkage::steps;

    const CRACA: HashedId8 = [7; 8];

    fn holder(number: u8, i_rev: u16, i_max: u16, j_max: Option<u8>) -> Holder {
        let seed = |authority: u8| Seed { authority: [authority; 2], seed: [number; 16] };
        Holder { i_rev, i_max, j_max, seeds: [seed(1), seed(2)] }
    }

    fn revocations(holders: &[Holder]) -> Revocations {
        let mut made = Revocations::default();
        made.add_list(&crl(holders)).unwrap();
        made
    }

    fn crl(holders: &[Holder]) -> Crl {
        let holders = holders.to_vec();
        Crl { craca: CRACA, series: 1, issued: 1, is_full: false, hashes: Vec::new(), holders }
    }

    /// Whether the certificates of a holder in a period are revoked.
    fn has(revocations: &mut Revocations, of: &Holder, period: u16, j: u32) -> bool {
        let seeds = of.seeds.map(|seed| seed.evolved(period - of.i_rev));
        let value = linkage::value(&seeds, j.to_be_bytes());
        let mut data = LinkageData { i_cert: period, ..Default::default() };
        match of.j_max {
            Some(_) => data.linkage_value = value,
            None => data.group_linkage_value = Some(GroupLinkageValue { j_value: j.to_be_bytes(), value }),
        }
        revocations.lists.get_mut(&(CRACA, 1)).unwrap().has(&data)
    }

    #[test]
    fn holders_and_groups_of_one_list_are_revoked() {
        let (one, group) = (holder(1, 5, 20, Some(3)), holder(2, 5, 20, None));
        let other = holder(3, 5, 20, Some(3));
        for later in [holder(4, 9, 30, Some(1)), holder(4, 9, 30, None)] {
            let mut list = revocations(&[one, group, later]);
            // Periods in any order, more than are kept.
            for period in [12, 5, 20, 9, 10, 11, 6, 5, 19, 20] {
                assert!(has(&mut list, &one, period, 3) && !has(&mut list, &one, period, 4), "{period}");
                assert!(has(&mut list, &group, period, 70_000), "{period}");
                assert!(!has(&mut list, &other, period, 3), "{period}");
                assert!(period < 9 || has(&mut list, &later, period, 1), "{period}");
            }
            assert!(!has(&mut list, &one, 21, 3) && !has(&mut list, &group, 21, 1), "after the last period");
            assert!(has(&mut list, &later, 30, 1));
        }
    }

    #[test]
    fn seeds_are_evolved_once_and_not_for_each_message() {
        for j_max in [Some(20), None] {
            let holders: Vec<Holder> = (0..100).map(|number| holder(number, 0, u16::MAX, j_max)).collect();
            let mut list = revocations(&holders);
            let mut ask = |period: u16| {
                let data = LinkageData {
                    i_cert: period,
                    group_linkage_value: Some(GroupLinkageValue::default()),
                    ..Default::default()
                };
                let before = steps();
                assert!(!list.lists.get_mut(&(CRACA, 1)).unwrap().has(&data));
                steps() - before
            };
            assert_eq!(ask(1000), 100 * 2 * 1000);
            assert_eq!([ask(1000), ask(1000)], [0, 0], "the second message in a period");
            assert_eq!([ask(1001), ask(1000), ask(1001)], [100 * 2, 0, 0], "from the nearest period");
            assert_eq!([ask(1002), ask(1003)], [100 * 2; 2]);
            // 1000 was asked for before 1001.
            assert_eq!([ask(1004), ask(1001)], [100 * 2, 0]);
        }
    }

    #[test]
    fn list_that_takes_too_many_steps_is_refused() {
        let long = |count: u32| -> Vec<Holder> {
            let one = |number: u32| {
                let mut one = holder(0, 0, u16::MAX, None);
                one.seeds[0].seed[..4].copy_from_slice(&number.to_be_bytes());
                one
            };
            (0..count).map(one).collect()
        };
        let mut list = revocations(&long(256));
        assert_eq!(list.add_list(&crl(&long(257))), Err(Fault::ListLimit));
        assert_eq!(list.lists[&(CRACA, 1)].holders.len(), 256);
        let wide: Vec<Holder> = long(16_385).iter().map(|one| Holder { i_max: 0, j_max: Some(255), ..*one }).collect();
        assert_eq!(Revocations::default().add_list(&crl(&wide[1..])), Ok(()));
        assert_eq!(Revocations::default().add_list(&crl(&wide)), Err(Fault::ListLimit));
    }

    #[test]
    fn values_of_few_periods_are_kept() {
        let wide: Vec<Holder> = (0..=255).map(|number| holder(number, 0, 9, Some(255))).collect();
        let mut list = revocations(&wide);
        let kept = |list: &Revocations| -> Vec<u16> { list.lists[&(CRACA, 1)].periods.keys().copied().collect() };
        for period in 0..9 {
            assert!(has(&mut list, &wide[3], period, 255));
        }
        assert_eq!(kept(&list), [5, 6, 7, 8]);
    }
}
