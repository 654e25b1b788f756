//! The mandatory fields of a CAM (EN 302 637-2), UPER, by hand: 327 bits with V1.3.0's curvature,
//! 322 with V1.4.1's, 41 octets both.

use super::words::{Pack, Unpack};
use super::{Refused, offset, ranged};

/// Octets of a mandatory-only CAM in either version.
pub(super) const LENGTH: usize = 41;

/// A CAM of only mandatory fields, in the units of TS 102 894-2; enumerations as their numbers.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Cam {
    pub(crate) protocol_version: u8,
    pub(crate) message_id: u8,
    pub(crate) station_id: u32,
    pub(crate) generation_delta_time: u16,
    pub(crate) station_type: u8,
    pub(crate) latitude: i32,
    pub(crate) longitude: i32,
    pub(crate) semi_major_confidence: u16,
    pub(crate) semi_minor_confidence: u16,
    pub(crate) semi_major_orientation: u16,
    pub(crate) altitude_value: i32,
    pub(crate) altitude_confidence: u8,
    pub(crate) heading_value: u16,
    pub(crate) heading_confidence: u8,
    pub(crate) speed_value: u16,
    pub(crate) speed_confidence: u8,
    pub(crate) drive_direction: u8,
    pub(crate) vehicle_length_value: u16,
    pub(crate) vehicle_length_confidence: u8,
    pub(crate) vehicle_width: u8,
    pub(crate) acceleration_value: i16,
    pub(crate) acceleration_confidence: u8,
    pub(crate) curvature_value: i16,
    pub(crate) curvature_confidence: u8,
    pub(crate) curvature_calculation_mode: u8,
    pub(crate) yaw_rate_value: i16,
    pub(crate) yaw_rate_confidence: u8,
}

/// Encodes; CurvatureValue is `MIN..=MAX` in `BITS` bits.
#[inline]
pub(super) fn encode<const BITS: usize, const MIN: i64, const MAX: i64>(
    m: &Cam,
    out: &mut [u8],
) -> Result<usize, Refused> {
    let Some(out) = out.first_chunk_mut::<LENGTH>() else {
        return Err(Refused::Length);
    };
    let mut ok = true;
    let mut p = Pack::<6>::new();
    p.put(8, m.protocol_version.into());
    p.put(8, m.message_id.into());
    p.put(32, m.station_id.into());
    p.put(16, m.generation_delta_time.into());
    p.put(3, 0);
    p.put(1, 0);
    p.put(8, m.station_type.into());
    p.put(31, offset(m.latitude.into(), -900_000_000, 900_000_001, &mut ok));
    p.put(32, offset(m.longitude.into(), -1_800_000_000, 1_800_000_001, &mut ok));
    p.put(12, offset(m.semi_major_confidence.into(), 0, 4095, &mut ok));
    p.put(12, offset(m.semi_minor_confidence.into(), 0, 4095, &mut ok));
    p.put(12, offset(m.semi_major_orientation.into(), 0, 3601, &mut ok));
    p.put(20, offset(m.altitude_value.into(), -100_000, 800_001, &mut ok));
    p.put(4, offset(m.altitude_confidence.into(), 0, 15, &mut ok));
    p.put(2, 0);
    p.put(7, 0);
    p.put(12, offset(m.heading_value.into(), 0, 3601, &mut ok));
    p.put(7, offset(m.heading_confidence.into(), 1, 127, &mut ok));
    p.put(14, offset(m.speed_value.into(), 0, 16_383, &mut ok));
    p.put(7, offset(m.speed_confidence.into(), 1, 127, &mut ok));
    p.put(2, offset(m.drive_direction.into(), 0, 2, &mut ok));
    p.put(10, offset(m.vehicle_length_value.into(), 1, 1023, &mut ok));
    p.put(3, offset(m.vehicle_length_confidence.into(), 0, 4, &mut ok));
    p.put(6, offset(m.vehicle_width.into(), 1, 62, &mut ok));
    p.put(9, offset(m.acceleration_value.into(), -160, 161, &mut ok));
    p.put(7, offset(m.acceleration_confidence.into(), 0, 102, &mut ok));
    p.put(BITS, offset(m.curvature_value.into(), MIN, MAX, &mut ok));
    p.put(3, offset(m.curvature_confidence.into(), 0, 7, &mut ok));
    p.put(1, 0);
    p.put(2, offset(m.curvature_calculation_mode.into(), 0, 2, &mut ok));
    p.put(16, offset(m.yaw_rate_value.into(), -32_766, 32_767, &mut ok));
    p.put(4, offset(m.yaw_rate_confidence.into(), 0, 8, &mut ok));
    if !ok {
        return Err(Refused::Range);
    }
    for (octets, word) in out.chunks_exact_mut(8).zip(p.words) {
        octets.copy_from_slice(&word.to_be_bytes());
    }
    out[40] = (p.words[5] >> 56) as u8;
    Ok(LENGTH)
}

/// Decodes; a CAM with anything beyond the mandatory fields is refused.
#[inline]
pub(super) fn decode<const BITS: usize, const MIN: i64, const MAX: i64>(octets: &[u8]) -> Result<Cam, Refused> {
    let Some(octets) = octets.first_chunk::<LENGTH>() else {
        return Err(Refused::Length);
    };
    let mut words = [0; 6];
    for (word, octets) in words.iter_mut().zip(octets.chunks_exact(8)) {
        *word = super::word(octets);
    }
    words[5] = u64::from(octets[40]) << 56;
    let mut ok = true;
    let mut u = Unpack::new(words);
    let protocol_version = u.get(8) as u8;
    let message_id = u.get(8) as u8;
    let station_id = u.get(32) as u32;
    let generation_delta_time = u.get(16) as u16;
    ok &= u.get(3) == 0;
    ok &= u.get(1) == 0;
    let station_type = u.get(8) as u8;
    let latitude = ranged(u.get(31), -900_000_000, 900_000_001, &mut ok) as i32;
    let longitude = ranged(u.get(32), -1_800_000_000, 1_800_000_001, &mut ok) as i32;
    let semi_major_confidence = ranged(u.get(12), 0, 4095, &mut ok) as u16;
    let semi_minor_confidence = ranged(u.get(12), 0, 4095, &mut ok) as u16;
    let semi_major_orientation = ranged(u.get(12), 0, 3601, &mut ok) as u16;
    let altitude_value = ranged(u.get(20), -100_000, 800_001, &mut ok) as i32;
    let altitude_confidence = ranged(u.get(4), 0, 15, &mut ok) as u8;
    ok &= u.get(2) == 0;
    ok &= u.get(7) == 0;
    let heading_value = ranged(u.get(12), 0, 3601, &mut ok) as u16;
    let heading_confidence = ranged(u.get(7), 1, 127, &mut ok) as u8;
    let speed_value = ranged(u.get(14), 0, 16_383, &mut ok) as u16;
    let speed_confidence = ranged(u.get(7), 1, 127, &mut ok) as u8;
    let drive_direction = ranged(u.get(2), 0, 2, &mut ok) as u8;
    let vehicle_length_value = ranged(u.get(10), 1, 1023, &mut ok) as u16;
    let vehicle_length_confidence = ranged(u.get(3), 0, 4, &mut ok) as u8;
    let vehicle_width = ranged(u.get(6), 1, 62, &mut ok) as u8;
    let acceleration_value = ranged(u.get(9), -160, 161, &mut ok) as i16;
    let acceleration_confidence = ranged(u.get(7), 0, 102, &mut ok) as u8;
    let curvature_value = ranged(u.get(BITS), MIN, MAX, &mut ok) as i16;
    let curvature_confidence = ranged(u.get(3), 0, 7, &mut ok) as u8;
    ok &= u.get(1) == 0;
    let curvature_calculation_mode = ranged(u.get(2), 0, 2, &mut ok) as u8;
    let yaw_rate_value = ranged(u.get(16), -32_766, 32_767, &mut ok) as i16;
    let yaw_rate_confidence = ranged(u.get(4), 0, 8, &mut ok) as u8;
    if !ok {
        return Err(Refused::Range);
    }
    Ok(Cam {
        protocol_version,
        message_id,
        station_id,
        generation_delta_time,
        station_type,
        latitude,
        longitude,
        semi_major_confidence,
        semi_minor_confidence,
        semi_major_orientation,
        altitude_value,
        altitude_confidence,
        heading_value,
        heading_confidence,
        speed_value,
        speed_confidence,
        drive_direction,
        vehicle_length_value,
        vehicle_length_confidence,
        vehicle_width,
        acceleration_value,
        acceleration_confidence,
        curvature_value,
        curvature_confidence,
        curvature_calculation_mode,
        yaw_rate_value,
        yaw_rate_confidence,
    })
}
