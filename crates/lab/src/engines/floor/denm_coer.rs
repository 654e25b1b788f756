//! The mandatory fields of a DENM (EN 302 637-3), COER (X.696), by hand: 50 octets.

use super::denm::Denm;
use super::words::{Pack, Unpack};
use super::{Refused, within};

/// Octets of the message.
const LENGTH: usize = 50;

/// Encodes.
#[inline]
pub(super) fn encode(m: &Denm, out: &mut [u8]) -> Result<usize, Refused> {
    let Some(out) = out.first_chunk_mut::<LENGTH>() else {
        return Err(Refused::Length);
    };
    let mut ok = m.validity_duration == 600;
    let mut p = Pack::<7>::new();
    p.put(8, m.protocol_version.into());
    p.put(8, m.message_id.into());
    p.put(32, m.station_id.into());
    // denm: neither situation, location nor alacarte
    p.put(8, 0x00);
    // management: no additions, no optional components
    p.put(8, 0x00);
    p.put(32, m.originating_station_id.into());
    p.put(16, m.sequence_number.into());
    p.put(64, within(m.detection_time as i64, 0, 4_398_046_511_103, &mut ok) as u64);
    p.put(64, within(m.reference_time as i64, 0, 4_398_046_511_103, &mut ok) as u64);
    p.put(32, within(m.latitude.into(), -900_000_000, 900_000_001, &mut ok) as u32 as u64);
    p.put(32, within(m.longitude.into(), -1_800_000_000, 1_800_000_001, &mut ok) as u32 as u64);
    p.put(16, within(m.semi_major_confidence.into(), 0, 4095, &mut ok) as u64);
    p.put(16, within(m.semi_minor_confidence.into(), 0, 4095, &mut ok) as u64);
    p.put(16, within(m.semi_major_orientation.into(), 0, 3601, &mut ok) as u64);
    p.put(32, within(m.altitude_value.into(), -100_000, 800_001, &mut ok) as u32 as u64);
    p.put(8, within(m.altitude_confidence.into(), 0, 15, &mut ok) as u64);
    p.put(8, m.station_type.into());
    if !ok {
        return Err(Refused::Range);
    }
    for (octets, word) in out.chunks_exact_mut(8).zip(p.words) {
        octets.copy_from_slice(&word.to_be_bytes());
    }
    out[48..].copy_from_slice(&p.words[6].to_be_bytes()[..2]);
    Ok(LENGTH)
}

/// Decodes; anything beyond the mandatory fields is refused.
#[inline]
pub(super) fn decode(octets: &[u8]) -> Result<Denm, Refused> {
    let Some(octets) = octets.first_chunk::<LENGTH>() else {
        return Err(Refused::Length);
    };
    let mut words = [0; 7];
    for (word, octets) in words.iter_mut().zip(octets.chunks_exact(8)) {
        *word = super::word(octets);
    }
    words[6] = super::word(&octets[LENGTH - 8..]) << 48;
    let mut ok = true;
    let mut u = Unpack::new(words);
    let protocol_version = u.get(8) as u8;
    let message_id = u.get(8) as u8;
    let station_id = u.get(32) as u32;
    // denm: neither situation, location nor alacarte
    ok &= u.get(8) == 0x00;
    // management: no additions, no optional components
    ok &= u.get(8) == 0x00;
    let originating_station_id = u.get(32) as u32;
    let sequence_number = u.get(16) as u16;
    let detection_time = within((u.get(32) << 32 | u.get(32)) as i64, 0, 4_398_046_511_103, &mut ok) as u64;
    let reference_time = within((u.get(32) << 32 | u.get(32)) as i64, 0, 4_398_046_511_103, &mut ok) as u64;
    let latitude = within((u.get(32) as i32).into(), -900_000_000, 900_000_001, &mut ok) as i32;
    let longitude = within((u.get(32) as i32).into(), -1_800_000_000, 1_800_000_001, &mut ok) as i32;
    let semi_major_confidence = within((u.get(16)) as i64, 0, 4095, &mut ok) as u16;
    let semi_minor_confidence = within((u.get(16)) as i64, 0, 4095, &mut ok) as u16;
    let semi_major_orientation = within((u.get(16)) as i64, 0, 3601, &mut ok) as u16;
    let altitude_value = within((u.get(32) as i32).into(), -100_000, 800_001, &mut ok) as i32;
    let altitude_confidence = within((u.get(8)) as i64, 0, 15, &mut ok) as u8;
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
        station_type,
        validity_duration: 600,
    })
}
