//! `reads one|two|four|eight TIMES`: reads the mandatory CAM of the studies in UPER so many times,
//! at most so many integers at a time. `.ci/lanes` counts its instructions.

use std::env;
use std::hint::black_box;

use roadwire_lanes::{Form, Lane, Lanes, Most};

const MESSAGE: [u8; 41] = [
    0x01, 0x02, 0x8f, 0x55, 0xe8, 0x35, 0x2d, 0xb8, 0x00, 0x5a, 0x4a, 0xbd, 0x2a, 0x0e, 0x45, 0x16, 0x6e, 0x00, 0xf0,
    0x0a, 0xa3, 0x38, 0x4a, 0xa8, 0x8e, 0x00, 0xa9, 0x91, 0x22, 0xb6, 0x84, 0x02, 0xc0, 0x8a, 0x64, 0x23, 0xa9, 0x23,
    0x10, 0x1a, 0xa4,
];

/// The lanes of this message's shape, one for each word of a tape: bit, width, least value, range.
/// Words without bits say what is present.
const LANES: [(u32, u8, i64, u64); 41] = [
    (0, 8, 0, 255),
    (8, 8, 0, 255),
    (16, 32, 0, 4_294_967_295),
    (48, 16, 0, 65_535),
    (0, 0, 0, 0),
    (0, 0, 0, 0),
    (68, 8, 0, 255),
    (76, 31, -900_000_000, 1_800_000_001),
    (107, 32, -1_800_000_000, 3_600_000_001),
    (139, 12, 0, 4095),
    (151, 12, 0, 4095),
    (163, 12, 0, 3601),
    (175, 20, -100_000, 900_001),
    (195, 4, 0, 15),
    (0, 0, 0, 0),
    (0, 0, 18, 0),
    (0, 0, 0, 0),
    (0, 0, 0, 0),
    (0, 0, 0, 0),
    (208, 12, 0, 3601),
    (220, 7, 1, 126),
    (227, 14, 0, 16_383),
    (241, 7, 1, 126),
    (248, 2, 0, 2),
    (250, 10, 1, 1022),
    (260, 3, 0, 4),
    (263, 6, 1, 61),
    (269, 9, -160, 321),
    (278, 7, 0, 102),
    (285, 16, -30_000, 60_001),
    (301, 3, 0, 7),
    (304, 3, 0, 2),
    (307, 16, -32_766, 65_533),
    (323, 4, 0, 8),
    (0, 0, 0, 0),
    (0, 0, 0, 0),
    (0, 0, 0, 0),
    (0, 0, 0, 0),
    (0, 0, 0, 0),
    (0, 0, 0, 0),
    (0, 0, 0, 0),
];

fn main() -> Result<(), String> {
    let wanted: Vec<String> = env::args().skip(1).collect();
    let [most, times] = &wanted[..] else { return Err("expected `one|two|four|eight TIMES`".into()) };
    let ways = [("one", Most::One), ("two", Most::Two), ("four", Most::Four), ("eight", Most::Eight)];
    let way = ways.iter().find(|(name, _)| name == most);
    let (_, most) = *way.ok_or_else(|| format!("expected one, two, four or eight, found `{most}`"))?;
    let times: u32 = times.parse().map_err(|error| format!("expected a number, found `{times}`: {error}"))?;
    if most > Most::of_this_processor() {
        return Err(format!("this processor reads {:?} at most", Most::of_this_processor()));
    }
    let lane = |(bit, width, lower, range)| Lane { bit, width, form: Form::Offset, lower, range };
    let lanes = Lanes::new(MESSAGE.len(), &LANES.map(lane)).ok_or("lanes outside of the message")?;
    let mut words = [0; LANES.len()];
    let taken = (0..times).filter(|_| black_box(&lanes).read_by(most, black_box(&MESSAGE), &mut words)).count();
    match taken == times as usize && words[3] == 0x2db8 {
        true => Ok(()),
        false => Err(format!("the message was read {taken} times of {times}, its time as {}", words[3])),
    }
}
