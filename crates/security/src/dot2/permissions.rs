//! Who may issue which permissions (IEEE 1609.2 §6.4: `PsidGroupPermissions`, `PsidSspRange`,
//! `SspRange`).

use roadwire_messages::ieee1609dot2_2022::{
    EndEntityType, PsidGroupPermissions, PsidSsp, PsidSspRange, ServiceSpecificPermissions, SspRange,
    SubjectPermissions, ToBeSignedCertificate,
};
use roadwire_wire::Octets;

/// Whether a certificate's permissions are valid by themselves (§6.4.8): each application once,
/// chains of at least one certificate below it, and at most one group for all other applications.
pub(super) fn are_valid(certificate: &ToBeSignedCertificate) -> bool {
    let issue = to_issue(certificate);
    let request = certificate.cert_request_permissions.as_deref().unwrap_or(&[]);
    let is_for_all = |group: &&PsidGroupPermissions| matches!(group.subject_permissions, SubjectPermissions::All(()));
    has_each_once(certificate.app_permissions.as_deref().unwrap_or(&[]))
        && issue.iter().all(|group| group.min_chain_length >= 1)
        && [issue, request].iter().all(|groups| groups.iter().filter(is_for_all).count() <= 1)
}

/// The permissions to issue of a certificate.
pub(super) fn to_issue(certificate: &ToBeSignedCertificate) -> &[PsidGroupPermissions] {
    certificate.cert_issue_permissions.as_deref().unwrap_or(&[])
}

/// Whether each application is listed once.
pub(super) fn has_each_once(permissions: &[PsidSsp]) -> bool {
    let mut applications: Vec<u64> = permissions.iter().map(|one| one.psid).collect();
    applications.sort_unstable();
    applications.is_sorted_by(|a, b| a < b)
}

/// Whether an issuer may give all permissions to issue that a certificate has: its ranges are
/// within the issuer's ("consistency with issuing certificate" of `SspRange` and `BitmapSspRange`),
/// and there is a chain that both permit. Each chain is compared with every issuer above its end,
/// so a certificate may permit chains that its issuer does not.
pub(super) fn may_delegate(issuer: &[PsidGroupPermissions], groups: &[PsidGroupPermissions]) -> bool {
    let is_given = |group: &PsidGroupPermissions| match &group.subject_permissions {
        SubjectPermissions::All(()) => {
            issuer.iter().any(|above| matches!(above.subject_permissions, SubjectPermissions::All(())))
        }
        SubjectPermissions::Explicit(ranges) => ranges.iter().all(|range| {
            let is_included = |above: Option<&SspRange>| includes(above, range.ssp_range.as_ref());
            issuer.iter().any(|above| gives(issuer, &above.subject_permissions, range.psid, is_included))
        }),
        SubjectPermissions::UnknownAddition(_) => false,
    };
    let permit_a_chain = |group: &PsidGroupPermissions| issuer.iter().any(|above| reaches(above, group));
    groups.is_empty() || groups.iter().all(is_given) && groups.iter().any(permit_a_chain)
}

/// Whether an issuer so many certificates above may give all permissions to request that a
/// certificate has.
pub(super) fn may_let_request(issuer: &[PsidGroupPermissions], groups: &[PsidGroupPermissions], below: i64) -> bool {
    let above =
        || issuer.iter().filter(|above| has_length(above, below) && above.ee_type.0 & EndEntityType::ENROLL != 0);
    groups.iter().all(|group| match &group.subject_permissions {
        SubjectPermissions::All(()) => {
            above().any(|above| matches!(above.subject_permissions, SubjectPermissions::All(())))
        }
        SubjectPermissions::Explicit(ranges) => ranges.iter().all(|range| {
            let is_included = |above: Option<&SspRange>| includes(above, range.ssp_range.as_ref());
            above().any(|above| gives(issuer, &above.subject_permissions, range.psid, is_included))
        }),
        SubjectPermissions::UnknownAddition(_) => false,
    })
}

/// Whether one group of an issuer gives permissions of an application whose range the issuer's must
/// include.
fn gives(
    issuer: &[PsidGroupPermissions],
    group: &SubjectPermissions,
    psid: u64,
    is_included: impl Fn(Option<&SspRange>) -> bool,
) -> bool {
    match group {
        // All other applications.
        SubjectPermissions::All(()) => !issuer.iter().flat_map(explicit).any(|range| range.psid == psid),
        SubjectPermissions::Explicit(ranges) => {
            ranges.iter().any(|range| range.psid == psid && is_included(range.ssp_range.as_ref()))
        }
        SubjectPermissions::UnknownAddition(_) => false,
    }
}

/// Whether there is a chain that is permitted below a certificate, and, one longer, below its
/// issuer.
fn reaches(issuer: &PsidGroupPermissions, group: &PsidGroupPermissions) -> bool {
    let (Some((least, most)), Some((issuers_least, issuers_most))) = (lengths(group), lengths(issuer)) else {
        return false;
    };
    let have_one_end = issuer.ee_type.0 & group.ee_type.0 != 0;
    have_one_end && least.saturating_add(1) <= issuers_most && issuers_least <= most.saturating_add(1)
}

/// Whether an issuer's range includes a range. Where there is none, it is all.
fn includes(issuer: Option<&SspRange>, range: Option<&SspRange>) -> bool {
    match (issuer, range) {
        (None | Some(SspRange::All(())), _) => true,
        (Some(SspRange::Opaque(issuer)), Some(SspRange::Opaque(list))) => list.iter().all(|one| issuer.contains(one)),
        (Some(SspRange::BitmapSspRange(issuer)), Some(SspRange::BitmapSspRange(range))) => {
            let octet = |of: &Octets<32>, at: usize| of.0.get(at).copied().unwrap_or(0);
            issuer.ssp_value.0.len() == issuer.ssp_bitmask.0.len()
                && range.ssp_value.0.len() == range.ssp_bitmask.0.len()
                && (0..32).all(|at| {
                    let above = octet(&issuer.ssp_bitmask, at);
                    let value = octet(&issuer.ssp_value, at) ^ octet(&range.ssp_value, at);
                    octet(&range.ssp_bitmask, at) & above == above && value & above == 0
                })
        }
        _ => false,
    }
}

/// Whether a certificate with these permissions to issue may stand so many certificates above an
/// end entity with this permission.
pub(super) fn may_issue(groups: &[PsidGroupPermissions], permission: &PsidSsp, below: i64) -> bool {
    let is_covered = |range: Option<&SspRange>| covers(range, permission.ssp.as_ref());
    groups
        .iter()
        .filter(|group| has_length(group, below) && group.ee_type.0 & EndEntityType::APP != 0)
        .any(|group| gives(groups, &group.subject_permissions, permission.psid, is_covered))
}

fn explicit(group: &PsidGroupPermissions) -> &[PsidSspRange] {
    match &group.subject_permissions {
        SubjectPermissions::Explicit(ranges) => ranges,
        _ => &[],
    }
}

fn has_length(group: &PsidGroupPermissions, below: i64) -> bool {
    lengths(group).is_some_and(|(least, most)| (least..=most).contains(&below))
}

/// The lengths of chains that a group permits: at least `minChainLength`, which is at least 1, and
/// at most `chainLengthRange` more; -1 stands for any number.
fn lengths(group: &PsidGroupPermissions) -> Option<(i64, i64)> {
    let least = group.min_chain_length;
    let most = match group.chain_length_range {
        -1 => i64::MAX,
        range => least.saturating_add(range),
    };
    (1 <= least && least <= most).then_some((least, most))
}

/// The octets of service-specific permissions: empty where they are absent. Nothing for a form that
/// a later version of the standard has.
pub(super) fn octets(permission: &PsidSsp) -> Option<&[u8]> {
    match &permission.ssp {
        Some(ServiceSpecificPermissions::Opaque(octets)) => Some(&octets.0),
        Some(ServiceSpecificPermissions::BitmapSsp(octets)) => Some(octets.0.as_slice()),
        Some(ServiceSpecificPermissions::UnknownAddition(_)) => None,
        None => Some(&[]),
    }
}

/// Whether a range has these service-specific permissions. Where there is no range, any will do
/// (`PsidSspRange`).
fn covers(range: Option<&SspRange>, ssp: Option<&ServiceSpecificPermissions>) -> bool {
    use ServiceSpecificPermissions as Ssp;
    match (range, ssp) {
        (None | Some(SspRange::All(())), _) => true,
        (Some(SspRange::Opaque(list)), None) => list.iter().any(|one| one.0.is_empty()),
        (Some(SspRange::Opaque(list)), Some(Ssp::Opaque(ssp))) => list.contains(ssp),
        (Some(SspRange::BitmapSspRange(range)), Some(Ssp::BitmapSsp(ssp))) => {
            let octets = range.ssp_value.0.iter().zip(range.ssp_bitmask.0.iter());
            let ssp = ssp.0.iter().copied().chain(std::iter::repeat(0));
            let is_same = octets.zip(ssp).all(|((value, mask), ssp)| (value ^ ssp) & mask == 0);
            is_same && range.ssp_value.0.len() == range.ssp_bitmask.0.len()
        }
        _ => false,
    }
}
