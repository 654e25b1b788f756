//! The mandatory fields of a DENM (EN 302 637-3), UPER, by hand: 40 octets, or 43 with
//! validityDuration.

use super::words::{Pack, Unpack};
use super::{Refused, offset, ranged};

/// Octets of the message.
pub(super) const fn length(validity: bool) -> usize {
    if validity { 43 } else { 40 }
}

/// A DENM of only mandatory fields, in the units of TS 102 894-2; enumerations as their numbers.
/// `validity_duration` is 600 s where it is not sent.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Denm {
    pub(crate) protocol_version: u8,
    pub(crate) message_id: u8,
    pub(crate) station_id: u32,
    pub(crate) originating_station_id: u32,
    pub(crate) sequence_number: u16,
    pub(crate) detection_time: u64,
    pub(crate) reference_time: u64,
    pub(crate) latitude: i32,
    pub(crate) longitude: i32,
    pub(crate) semi_major_confidence: u16,
    pub(crate) semi_minor_confidence: u16,
    pub(crate) semi_major_orientation: u16,
    pub(crate) altitude_value: i32,
    pub(crate) altitude_confidence: u8,
    pub(crate) validity_duration: u32,
    pub(crate) station_type: u8,
}

/// Encodes, with validityDuration if `VALIDITY`; `LENGTH` is [`length`]`(VALIDITY)`.
#[inline]
pub(super) fn encode<const VALIDITY: bool, const LENGTH: usize>(m: &Denm, out: &mut [u8]) -> Result<usize, Refused> {
    let Some(out) = out.first_chunk_mut::<LENGTH>() else {
        return Err(Refused::Length);
    };
    const { assert!(LENGTH == length(VALIDITY)) };
    // X.691 19.5 (canonical): a component equal to its default is not sent.
    let mut ok = (m.validity_duration != 600) == VALIDITY;
    let mut p = Pack::<6>::new();
    p.put(8, m.protocol_version.into());
    p.put(8, m.message_id.into());
    p.put(32, m.station_id.into());
    p.put(3, 0);
    p.put(4, 0);
    p.put(1, u64::from(VALIDITY));
    p.put(1, 0);
    p.put(32, m.originating_station_id.into());
    p.put(16, m.sequence_number.into());
    p.put(42, offset(m.detection_time as i64, 0, 4_398_046_511_103, &mut ok));
    p.put(42, offset(m.reference_time as i64, 0, 4_398_046_511_103, &mut ok));
    p.put(31, offset(m.latitude.into(), -900_000_000, 900_000_001, &mut ok));
    p.put(32, offset(m.longitude.into(), -1_800_000_000, 1_800_000_001, &mut ok));
    p.put(12, offset(m.semi_major_confidence.into(), 0, 4095, &mut ok));
    p.put(12, offset(m.semi_minor_confidence.into(), 0, 4095, &mut ok));
    p.put(12, offset(m.semi_major_orientation.into(), 0, 3601, &mut ok));
    p.put(20, offset(m.altitude_value.into(), -100_000, 800_001, &mut ok));
    p.put(4, offset(m.altitude_confidence.into(), 0, 15, &mut ok));
    if VALIDITY {
        p.put(17, offset(m.validity_duration.into(), 0, 86_400, &mut ok));
    }
    p.put(8, m.station_type.into());
    if !ok {
        return Err(Refused::Range);
    }
    let (whole, rest) = out.split_at_mut(40);
    for (octets, word) in whole.chunks_exact_mut(8).zip(p.words) {
        octets.copy_from_slice(&word.to_be_bytes());
    }
    if VALIDITY {
        rest.copy_from_slice(&p.words[5].to_be_bytes()[..3]);
    }
    Ok(LENGTH)
}

/// Decodes; a DENM with anything else present is refused.
#[inline]
pub(super) fn decode<const VALIDITY: bool, const LENGTH: usize>(octets: &[u8]) -> Result<Denm, Refused> {
    let Some(octets) = octets.first_chunk::<LENGTH>() else {
        return Err(Refused::Length);
    };
    let (whole, rest) = octets.split_at(40);
    let mut words = [0; 6];
    for (word, octets) in words.iter_mut().zip(whole.chunks_exact(8)) {
        *word = super::word(octets);
    }
    if let [a, b, c] = *rest {
        words[5] = u64::from_be_bytes([a, b, c, 0, 0, 0, 0, 0]);
    }
    let mut ok = true;
    let mut u = Unpack::new(words);
    let protocol_version = u.get(8) as u8;
    let message_id = u.get(8) as u8;
    let station_id = u.get(32) as u32;
    ok &= u.get(3) == 0;
    ok &= u.get(4) == 0;
    ok &= u.get(1) == u64::from(VALIDITY);
    ok &= u.get(1) == 0;
    let originating_station_id = u.get(32) as u32;
    let sequence_number = u.get(16) as u16;
    let detection_time = ranged(u.get(42), 0, 4_398_046_511_103, &mut ok) as u64;
    let reference_time = ranged(u.get(42), 0, 4_398_046_511_103, &mut ok) as u64;
    let latitude = ranged(u.get(31), -900_000_000, 900_000_001, &mut ok) as i32;
    let longitude = ranged(u.get(32), -1_800_000_000, 1_800_000_001, &mut ok) as i32;
    let semi_major_confidence = ranged(u.get(12), 0, 4095, &mut ok) as u16;
    let semi_minor_confidence = ranged(u.get(12), 0, 4095, &mut ok) as u16;
    let semi_major_orientation = ranged(u.get(12), 0, 3601, &mut ok) as u16;
    let altitude_value = ranged(u.get(20), -100_000, 800_001, &mut ok) as i32;
    let altitude_confidence = ranged(u.get(4), 0, 15, &mut ok) as u8;
    let validity_duration = if VALIDITY { ranged(u.get(17), 0, 86_400, &mut ok) as u32 } else { 600 };
    let station_type = u.get(8) as u8;
    if !ok {
        return Err(Refused::Range);
    }
    Ok(Denm {
        protocol_version,
        message_id,
        station_id,
        originating_station_id,
        sequence_number,
        detection_time,
        reference_time,
        latitude,
        longitude,
        semi_major_confidence,
        semi_minor_confidence,
        semi_major_orientation,
        altitude_value,
        altitude_confidence,
        validity_duration,
        station_type,
    })
}
