//! Who may issue which permissions (IEEE 1609.2 §6.4: `PsidGroupPermissions`, `PsidSspRange`, `SspRange`).

use roadwire_messages::ieee1609dot2_2022::{
    EndEntityType, PsidGroupPermissions, PsidSsp, PsidSspRange, ServiceSpecificPermissions, SspRange,
    SubjectPermissions,
};

/// Whether a certificate with these permissions to issue may stand so many certificates above an end entity with this permission.
pub(super) fn may_issue(groups: &[PsidGroupPermissions], permission: &PsidSsp, below: i64) -> bool {
    let is_explicit = groups.iter().flat_map(explicit).any(|range| range.psid == permission.psid);
    groups.iter().filter(|group| has_length(group, below) && group.ee_type.0 & EndEntityType::APP != 0).any(|group| {
        match &group.subject_permissions {
            // All other applications.
            SubjectPermissions::All(()) => !is_explicit,
            SubjectPermissions::Explicit(ranges) => ranges.iter().any(|range| {
                range.psid == permission.psid && covers(range.ssp_range.as_ref(), permission.ssp.as_ref())
            }),
            SubjectPermissions::UnknownAddition(_) => false,
        }
    })
}

fn explicit(group: &PsidGroupPermissions) -> &[PsidSspRange] {
    match &group.subject_permissions {
        SubjectPermissions::Explicit(ranges) => ranges,
        _ => &[],
    }
}

/// At least `minChainLength`, and at most `chainLengthRange` more; -1 stands for any number.
fn has_length(group: &PsidGroupPermissions, below: i64) -> bool {
    let least = group.min_chain_length;
    let most = match group.chain_length_range {
        -1 => i64::MAX,
        range => least.saturating_add(range),
    };
    least >= 1 && (least..=most).contains(&below)
}

/// The octets of service-specific permissions; none of the default ones, and of those of a later version of the standard.
pub(super) fn octets(permission: &PsidSsp) -> &[u8] {
    match &permission.ssp {
        Some(ServiceSpecificPermissions::Opaque(octets)) => &octets.0,
        Some(ServiceSpecificPermissions::BitmapSsp(octets)) => octets.0.as_slice(),
        Some(ServiceSpecificPermissions::UnknownAddition(_)) | None => &[],
    }
}

/// Whether a range has these service-specific permissions. Where there is no range, any will do (`PsidSspRange`).
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
