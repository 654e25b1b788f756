//! The characters of the string types without constraints (X.680 §41), and the forms of the time
//! types.

use roadwire_wire::rt::time::{Settings, Time, row};

use crate::constraint::Alphabet;
use crate::types::{StringKind, TimeKind};

const ALL: &[(u32, u32)] = &[(0, 0xd7ff), (0xe000, 0x10_ffff)];

/// Ascending ranges of code points. Types without a known repertoire have one character for each
/// octet.
pub(crate) fn characters(kind: StringKind) -> &'static [(u32, u32)] {
    match kind {
        StringKind::Utf8 | StringKind::Universal => ALL,
        StringKind::Numeric => &[(0x20, 0x20), (0x30, 0x39)],
        StringKind::Printable => {
            &[(0x20, 0x20), (0x27, 0x29), (0x2b, 0x3a), (0x3d, 0x3d), (0x3f, 0x3f), (0x41, 0x5a), (0x61, 0x7a)]
        }
        StringKind::Ia5 => &[(0, 0x7f)],
        StringKind::Visible => &[(0x20, 0x7e)],
        StringKind::Bmp => &[(0, 0xd7ff), (0xe000, 0xffff)],
        StringKind::Teletex
        | StringKind::Videotex
        | StringKind::Graphic
        | StringKind::General
        | StringKind::ObjectDescriptor => &[(0, 0xff)],
    }
}

/// Whether one of the ranges has the code point.
pub(crate) fn contains(ranges: &[(u32, u32)], code: u32) -> bool {
    ranges.iter().any(|(first, last)| (*first..=*last).contains(&code))
}

/// The type's characters that its permitted alphabet allows.
pub(crate) fn permitted(kind: StringKind, alphabet: Option<&Alphabet>) -> Vec<(u32, u32)> {
    let own = characters(kind);
    let Some(alphabet) = alphabet else { return own.to_vec() };
    let pairs = alphabet.ranges.iter().flat_map(|a| own.iter().map(move |b| (a.0.max(b.0), a.1.min(b.1))));
    pairs.filter(|(first, last)| first <= last).collect()
}

/// Whether a text has the form of its time type. The ranges of months, days, hours, minutes and
/// seconds are checked one by one; lengths of months are not.
pub(crate) fn is_time(kind: TimeKind, settings: &[Settings], text: &str) -> bool {
    let time = || Time::read(text).filter(Time::is_whole);
    match kind {
        TimeKind::Utc => utc(text),
        TimeKind::Generalized => generalized(text),
        TimeKind::Date => date(text),
        TimeKind::TimeOfDay => time_of_day(text),
        TimeKind::DateTime => text.split_once('T').is_some_and(|(day, time)| date(day) && time_of_day(time)),
        TimeKind::Duration => time().is_some_and(|time| time.row() == row::DURATION),
        TimeKind::Time => {
            time().is_some_and(|time| settings.is_empty() || settings.iter().any(|settings| settings.admits(&time)))
        }
    }
}

/// X.680 §47: two digits of the year, seconds may be left out, then the zone.
fn utc(text: &str) -> bool {
    let Some((local, zone)) = split_zone(text) else { return false };
    matches!(local.len(), 10 | 12) && digits(local) && local.get(2..).is_some_and(in_range) && !zone.is_empty()
}

/// X.680 §46: hours with or without minutes and seconds, a fraction of the last of these, then no
/// zone or one.
fn generalized(text: &str) -> bool {
    let Some((local, _)) = split_zone(text) else { return false };
    let (whole, fraction) = local.split_once(['.', ',']).unwrap_or((local, "0"));
    matches!(whole.len(), 10 | 12 | 14)
        && digits(whole)
        && whole.get(4..).is_some_and(in_range)
        && !fraction.is_empty()
        && digits(fraction)
}

/// The local time, and the zone: nothing, `Z`, or a difference in hours or hours and minutes.
fn split_zone(text: &str) -> Option<(&str, &str)> {
    if let Some(local) = text.strip_suffix('Z') {
        return Some((local, "Z"));
    }
    match text.find(['+', '-']) {
        None => Some((text, "")),
        Some(at) => {
            let zone = text.get(at + 1..)?;
            let fits =
                matches!(zone.len(), 2 | 4) && digits(zone) && pairs(zone).zip([23, 59]).all(|(n, max)| n <= max);
            fits.then(|| (&text[..at], &text[at..]))
        }
    }
}

/// Month, day, hour, minute, second as pairs of digits, as far as there are any.
fn in_range(text: &str) -> bool {
    pairs(text).zip([(1, 12), (1, 31), (0, 23), (0, 59), (0, 59)]).all(|(n, (low, high))| (low..=high).contains(&n))
}

fn date(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 10
        && bytes[4] == b'-'
        && bytes[7] == b'-'
        && digits(&text.replace('-', ""))
        && text.replace('-', "").get(4..).is_some_and(|rest| rest.len() == 4 && in_range(rest))
}

fn time_of_day(text: &str) -> bool {
    let plain = text.replace(':', "");
    let bytes = text.as_bytes();
    bytes.len() == 8
        && bytes[2] == b':'
        && bytes[5] == b':'
        && digits(&plain)
        && plain.len() == 6
        && pairs(&plain).zip([24, 59, 59]).all(|(n, max)| n <= max)
}

fn digits(text: &str) -> bool {
    text.bytes().all(|octet| octet.is_ascii_digit())
}

/// The numbers in pairs of digits.
fn pairs(text: &str) -> impl Iterator<Item = u8> + '_ {
    text.as_bytes().chunks_exact(2).map(|pair| (pair[0].wrapping_sub(b'0')) * 10 + pair[1].wrapping_sub(b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_time() {
        use TimeKind::*;
        for (kind, good, bad) in [
            (
                Utc,
                &["2402291234Z", "240229123456Z", "2402291234+0100"][..],
                &["", "Z", "240229123456", "2413291234Z", "24022912345Z", "2402é91234Z"][..],
            ),
            (
                Generalized,
                &[
                    "2024022912",
                    "202402291234",
                    "20240229123456",
                    "20240229123456.789Z",
                    "2024022912,5+01",
                    "20240229123456-0130",
                ],
                &[
                    "",
                    "20240229",
                    "2024022925",
                    "20240229123456.",
                    "20240229123456.Z",
                    "20240229123456+1",
                    "2024022912é",
                    "+",
                    "20240229+2500",
                ],
            ),
            (Date, &["2024-02-29"], &["2024-2-29", "20240229", "2024-13-01", "2024-02-30x", "é024-02-2"]),
            (TimeOfDay, &["23:59:59"], &["23:60:00", "2:3:4", "23:59", "235959", "23:5:599"]),
            (DateTime, &["2024-02-29T23:59:59"], &["2024-02-29", "2024-02-29 23:59:59"]),
            (Duration, &["P1Y2M", "PT5.3S"], &["P", "1Y", "P1x"]),
        ] {
            good.iter().for_each(|text| assert!(is_time(kind, &[], text), "{text}"));
            bad.iter().for_each(|text| assert!(!is_time(kind, &[], text), "{text}"));
        }
    }
}
