//! All ways of reading give the same.

use roadwire_lanes::{Form, Lane, Lanes, Most};

/// Xorshift, so that the crate needs no other.
struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }

    fn lane(&mut self, octets: usize) -> Lane {
        loop {
            let width = [self.next(65), self.next(13), 8, 0, 64][self.next(5) as usize] as u8;
            let bits = octets as u64 * 8;
            let bit = self.next(bits) as u32;
            if u64::from(bit) + u64::from(width) > bits || (bit % 8) + u32::from(width) > 64 {
                continue;
            }
            let form = [Form::Offset, Form::Unsigned, Form::Signed][self.next(3) as usize];
            let most = if width == 0 { 0 } else { u64::MAX >> (64 - width) };
            // Usually all that the bits can be is in the range: of many integers, one outside hides
            // the others.
            let ranges = [self.next(most.saturating_add(1).max(1)), most / 2 + 1, 0, most];
            let range = ranges[self.next(64).min(3) as usize];
            let above = if self.next(32) == 0 { self.next((most / 2).max(1)) } else { 0 };
            let lower = match form {
                Form::Offset => self.next(2000) as i64 - 1000,
                Form::Unsigned => above as i64,
                Form::Signed => above.wrapping_sub(most / 2 + 1) as i64,
            };
            let range = range.min(u64::MAX - above);
            return Lane { bit, width, form, lower, range };
        }
    }
}

/// The integer of a lane, bit by bit.
fn integer(lane: &Lane, message: &[u8]) -> i128 {
    let bit = |at: usize| i128::from(message[at / 8] >> (7 - at % 8) & 1);
    let places = lane.bit as usize..lane.bit as usize + usize::from(lane.width);
    let bits = places.clone().fold(0, |number, at| number << 1 | bit(at));
    match lane.form {
        _ if lane.width == 0 => lane.lower.into(),
        Form::Offset => bits + i128::from(lane.lower),
        Form::Unsigned => bits,
        Form::Signed => bits - (bit(places.start) << lane.width),
    }
}

#[test]
fn as_many_are_read_at_a_time_as_the_build_is_for() {
    let has_eight =
        cfg!(all(avx512, target_feature = "avx512f", target_feature = "avx512bw", target_feature = "avx512vbmi"));
    let least = match cfg!(target_feature = "avx2") {
        true if has_eight => Most::Eight,
        true => Most::Four,
        false if cfg!(all(target_arch = "aarch64", target_endian = "little")) => Most::Two,
        false => Most::One,
    };
    assert!(Most::of_this_processor() >= least, "{:?} instead of {least:?}", Most::of_this_processor());
}

#[test]
fn every_way_reads_the_same() {
    let mut random = Random(7);
    let rounds = if cfg!(miri) { 40 } else { 20_000 };
    let mut within = 0;
    for round in 0..rounds {
        // In some of them the integers are far from each other.
        let octets = 8 + random.next(if round % 3 == 0 { 300 } else { 40 }) as usize;
        let count = random.next(if round % 4 == 0 { 5 } else { 40 });
        let lanes: Vec<Lane> = (0..count).map(|_| random.lane(octets)).collect();
        let made = Lanes::new(octets, &lanes).unwrap();
        let message: Vec<u8> = (0..octets).map(|_| random.next(256) as u8).collect();
        let mut words = vec![0; lanes.len()];
        let is_within = made.read(&message, &mut words);
        for most in [Most::One, Most::Two, Most::Four] {
            let mut others = vec![0; lanes.len()];
            assert_eq!(made.read_by(most, &message, &mut others), is_within, "{lanes:?} {message:02x?}");
            assert_eq!(words, others, "{lanes:?} {message:02x?}");
        }
        let is_in = |lane: &Lane| {
            let value = integer(lane, &message) - i128::from(lane.lower);
            (0..=i128::from(lane.range)).contains(&value)
        };
        assert_eq!(is_within, lanes.iter().all(is_in), "{lanes:?} {message:02x?}");
        if is_within {
            within += 1;
            for (lane, word) in lanes.iter().zip(&words) {
                assert_eq!(*word, integer(lane, &message) as u64, "{lane:?} {message:02x?}");
            }
        }
    }
    assert!(within > rounds / 3 && within < rounds, "{within} of {rounds}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let lane = Lane { bit: 60, width: 4, form: Form::Offset, lower: 0, range: 15 };
    assert!(Lanes::new(7, &[]).is_none());
    assert!(Lanes::new(8, &[lane]).is_some());
    assert!(Lanes::new(8, &[Lane { bit: 61, ..lane }]).is_none());
    assert!(Lanes::new(9, &[Lane { bit: 1, width: 64, ..lane }]).is_none());
    assert!(Lanes::new(9, &[Lane { bit: 8, width: 64, ..lane }]).is_some());
    assert!(Lanes::new(9, &[Lane { bit: 8, width: 65, ..lane }]).is_none());
    assert!(Lanes::new(9, &[Lane { bit: u32::MAX, ..lane }]).is_none());
    let lanes = Lanes::new(9, &[lane, lane]).unwrap();
    assert!(!lanes.read(&[0; 8], &mut [0; 2]));
    assert!(!lanes.read(&[0; 10], &mut [0; 2]));
    assert!(!lanes.read(&[0; 9], &mut [0; 1]));
    assert!(lanes.read(&[0; 9], &mut [0; 3]));
}
