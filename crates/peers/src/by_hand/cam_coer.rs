//! The mandatory fields of a CAM (EN 302 637-2), of either version, COER (X.696), by hand: 53
//! octets.

use super::cam::Cam;
use super::words::{Pack, Unpack};
use super::{Refused, within};

/// Octets of the message.
const LENGTH: usize = 53;

/// Encodes.
#[inline]
pub(super) fn encode<const MIN: i64, const MAX: i64>(m: &Cam, out: &mut [u8]) -> Result<usize, Refused> {
    let Some(out) = out.first_chunk_mut::<LENGTH>() else {
        return Err(Refused::Length);
    };
    let mut ok = true;
    let mut p = Pack::<7>::new();
    p.put(8, m.protocol_version.into());
    p.put(8, m.message_id.into());
    p.put(32, m.station_id.into());
    p.put(16, m.generation_delta_time.into());
    // camParameters: no additions, neither optional container
    p.put(8, 0x00);
    // basicContainer: no additions
    p.put(8, 0x00);
    p.put(8, m.station_type.into());
    p.put(32, within(m.latitude.into(), -900_000_000, 900_000_001, &mut ok) as u32 as u64);
    p.put(32, within(m.longitude.into(), -1_800_000_000, 1_800_000_001, &mut ok) as u32 as u64);
    p.put(16, within(m.semi_major_confidence.into(), 0, 4095, &mut ok) as u64);
    p.put(16, within(m.semi_minor_confidence.into(), 0, 4095, &mut ok) as u64);
    p.put(16, within(m.semi_major_orientation.into(), 0, 3601, &mut ok) as u64);
    p.put(32, within(m.altitude_value.into(), -100_000, 800_001, &mut ok) as u32 as u64);
    p.put(8, within(m.altitude_confidence.into(), 0, 15, &mut ok) as u64);
    // highFrequencyContainer: its first alternative, by tag
    p.put(8, 0x80);
    // none of seven optional components
    p.put(8, 0x00);
    p.put(16, within(m.heading_value.into(), 0, 3601, &mut ok) as u64);
    p.put(8, within(m.heading_confidence.into(), 1, 127, &mut ok) as u64);
    p.put(16, within(m.speed_value.into(), 0, 16_383, &mut ok) as u64);
    p.put(8, within(m.speed_confidence.into(), 1, 127, &mut ok) as u64);
    p.put(8, within(m.drive_direction.into(), 0, 2, &mut ok) as u64);
    p.put(16, within(m.vehicle_length_value.into(), 1, 1023, &mut ok) as u64);
    p.put(8, within(m.vehicle_length_confidence.into(), 0, 4, &mut ok) as u64);
    p.put(8, within(m.vehicle_width.into(), 1, 62, &mut ok) as u64);
    p.put(16, within(m.acceleration_value.into(), -160, 161, &mut ok) as u16 as u64);
    p.put(8, within(m.acceleration_confidence.into(), 0, 102, &mut ok) as u64);
    p.put(16, within(m.curvature_value.into(), MIN, MAX, &mut ok) as u16 as u64);
    p.put(8, within(m.curvature_confidence.into(), 0, 7, &mut ok) as u64);
    p.put(8, within(m.curvature_calculation_mode.into(), 0, 2, &mut ok) as u64);
    p.put(16, within(m.yaw_rate_value.into(), -32_766, 32_767, &mut ok) as u16 as u64);
    p.put(8, within(m.yaw_rate_confidence.into(), 0, 8, &mut ok) as u64);
    if !ok {
        return Err(Refused::Range);
    }
    for (octets, word) in out.chunks_exact_mut(8).zip(p.words) {
        octets.copy_from_slice(&word.to_be_bytes());
    }
    out[48..].copy_from_slice(&p.words[6].to_be_bytes()[..5]);
    Ok(LENGTH)
}

/// Decodes; anything beyond the mandatory fields is refused.
#[inline]
pub(super) fn decode<const MIN: i64, const MAX: i64>(octets: &[u8]) -> Result<Cam, Refused> {
    let Some(octets) = octets.first_chunk::<LENGTH>() else {
        return Err(Refused::Length);
    };
    let mut words = [0; 7];
    for (word, octets) in words.iter_mut().zip(octets.chunks_exact(8)) {
        *word = super::word(octets);
    }
    words[6] = super::word(&octets[LENGTH - 8..]) << 24;
    let mut ok = true;
    let mut u = Unpack::new(words);
    let protocol_version = u.get(8) as u8;
    let message_id = u.get(8) as u8;
    let station_id = u.get(32) as u32;
    let generation_delta_time = u.get(16) as u16;
    // camParameters: no additions, neither optional container
    ok &= u.get(8) == 0x00;
    // basicContainer: no additions
    ok &= u.get(8) == 0x00;
    let station_type = u.get(8) as u8;
    let latitude = within((u.get(32) as i32).into(), -900_000_000, 900_000_001, &mut ok) as i32;
    let longitude = within((u.get(32) as i32).into(), -1_800_000_000, 1_800_000_001, &mut ok) as i32;
    let semi_major_confidence = within((u.get(16)) as i64, 0, 4095, &mut ok) as u16;
    let semi_minor_confidence = within((u.get(16)) as i64, 0, 4095, &mut ok) as u16;
    let semi_major_orientation = within((u.get(16)) as i64, 0, 3601, &mut ok) as u16;
    let altitude_value = within((u.get(32) as i32).into(), -100_000, 800_001, &mut ok) as i32;
    let altitude_confidence = within((u.get(8)) as i64, 0, 15, &mut ok) as u8;
    // highFrequencyContainer: its first alternative, by tag
    ok &= u.get(8) == 0x80;
    // none of seven optional components
    ok &= u.get(8) == 0x00;
    let heading_value = within((u.get(16)) as i64, 0, 3601, &mut ok) as u16;
    let heading_confidence = within((u.get(8)) as i64, 1, 127, &mut ok) as u8;
    let speed_value = within((u.get(16)) as i64, 0, 16_383, &mut ok) as u16;
    let speed_confidence = within((u.get(8)) as i64, 1, 127, &mut ok) as u8;
    let drive_direction = within((u.get(8)) as i64, 0, 2, &mut ok) as u8;
    let vehicle_length_value = within((u.get(16)) as i64, 1, 1023, &mut ok) as u16;
    let vehicle_length_confidence = within((u.get(8)) as i64, 0, 4, &mut ok) as u8;
    let vehicle_width = within((u.get(8)) as i64, 1, 62, &mut ok) as u8;
    let acceleration_value = within((u.get(16) as i16).into(), -160, 161, &mut ok) as i16;
    let acceleration_confidence = within((u.get(8)) as i64, 0, 102, &mut ok) as u8;
    let curvature_value = within((u.get(16) as i16).into(), MIN, MAX, &mut ok) as i16;
    let curvature_confidence = within((u.get(8)) as i64, 0, 7, &mut ok) as u8;
    let curvature_calculation_mode = within((u.get(8)) as i64, 0, 2, &mut ok) as u8;
    let yaw_rate_value = within((u.get(16) as i16).into(), -32_766, 32_767, &mut ok) as i16;
    let yaw_rate_confidence = within((u.get(8)) as i64, 0, 8, &mut ok) as u8;
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
