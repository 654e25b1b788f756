//! Air time, layers, resource blocks and message rates, against figures worked out by hand from the
//! clauses.

use roadwire_airtime::dcc::{self, Adaptive};
use roadwire_airtime::{Access, Frame, Rate, Security, TooLong, Transport, load, lte, nr};

/// IEEE 802.11-2016 §17.4.3, at 10 MHz. Three messages by hand: the symbols are counted one by one.
#[test]
fn air_time_is_preamble_signal_and_whole_symbols() {
    // A CAM of 41 octets, not secured: 41 + 4 + 28 + 8 + 4 + 8 + 30 = 123 octets, 22 + 984 = 1006
    // bits, 20.96 symbols of 48 bits.
    let cam = Frame::new(41, Transport::SingleHop, Security::None);
    assert_eq!((cam.psdu(), Rate::Mbps6.airtime_us(cam.psdu())), (123, Ok(40 + 8 * 21)));
    // A DENM of 40 octets to an area, with a certificate of IEEE 1609.2 and its place: 40 + 4 +
    // 44 + 8 = 96 octets in the envelope, which has 236 + 10; 96 + 246 + 4 + 8 + 30 = 384; 22 +
    // 3072 = 3094 bits, 64.5 symbols.
    let denm = Frame::new(40, Transport::Area, Security::DotTwoCertificate);
    assert_eq!(denm.psdu(), 374);
    let denm = denm.with_place();
    assert_eq!((denm.psdu(), Rate::Mbps6.airtime_us(denm.psdu())), (384, Ok(40 + 8 * 65)));
    // A CPM of 350 octets with the digest: 350 + 4 + 28 + 8 = 390 in the envelope, whose length
    // takes three octets: 95; 390 + 95 + 4 + 8 + 30 = 527; 22 + 4216 = 4238 bits, 88.3 symbols.
    let cpm = Frame::new(350, Transport::SingleHop, Security::DotTwoDigest);
    assert_eq!((cpm.psdu(), Rate::Mbps6.airtime_us(cpm.psdu())), (527, Ok(40 + 8 * 89)));
}

/// A frame of 200 octets takes 312 µs at 6 Mbit/s, as quoted (we have no source); one of 400 octets
/// takes 584. The quoted 576 is what comes out without the six tail bits: 16 + 3200 bits are 67
/// symbols.
#[test]
fn of_two_quoted_times_one_has_forgotten_the_tail() {
    assert_eq!(Rate::Mbps6.airtime_us(200), Ok(312));
    assert_eq!(Rate::Mbps6.airtime_us(400), Ok(584));
    assert_eq!(40 + 8 * (16 + 8 * 400u32).div_ceil(48), 576);
    assert_eq!(40 + 8 * (16 + 8 * 200u32).div_ceil(48), 312);
}

#[test]
fn rates_are_those_of_20_mhz_halved() {
    assert_eq!(Rate::ALL.map(Rate::kilobits), [3000, 4500, 6000, 9000, 12_000, 18_000, 24_000, 27_000]);
    // The symbols of 1000 octets: 8022 bits.
    let symbols = Rate::ALL.map(|rate| (rate.airtime_us(1000).unwrap() - 40) / 8);
    assert_eq!(symbols, [335, 223, 168, 112, 84, 56, 42, 38]);
    assert_eq!(Rate::from_megabits(4.5), Some(Rate::Mbps4_5));
    assert_eq!(Rate::from_megabits(5.0), None);
    // LENGTH has 12 bits (§17.3.4.3).
    assert!(Rate::Mbps27.airtime_us(4095).is_ok());
    assert_eq!(Rate::Mbps27.airtime_us(4096), Err(TooLong { octets: 4096 }));
}

/// IEEE 802.11-2016 Table 9-138 with aCWmin 15; AIFS as EN 302 663 V1.2.1 has them.
#[test]
fn access_categories_wait_58_to_149_microseconds() {
    assert_eq!(Access::ALL.map(Access::aifs_us), [58, 71, 110, 149]);
    assert_eq!(Access::ALL.map(Access::contention_window), [3, 7, 15, 15]);
}

/// The headers take what those of `roadwire-capture` do.
#[test]
fn headers_take_the_octets_that_they_are_encoded_in() {
    use roadwire_capture::geonetworking::{BasicHeader, CommonHeader};
    let octets = |name: &str, frame: Frame| {
        frame.layers().into_iter().find(|layer| layer.name == name).map(|layer| layer.octets as usize)
    };
    let frame = Frame::new(0, Transport::SingleHop, Security::None);
    assert_eq!(octets("geonetworking basic", frame), Some(BasicHeader::LENGTH));
    assert_eq!(octets("geonetworking common", frame), Some(CommonHeader::LENGTH));
    let extended = [
        (Transport::SingleHop, roadwire_capture::geonetworking::PacketType::Shb),
        (Transport::ManyHops, roadwire_capture::geonetworking::PacketType::Tsb),
        (
            Transport::Area,
            roadwire_capture::geonetworking::PacketType::Gbc(roadwire_capture::geonetworking::Shape::Circle),
        ),
        (Transport::One, roadwire_capture::geonetworking::PacketType::Guc),
    ];
    for (transport, packet_type) in extended {
        let input = [0; 64];
        let (_, rest) = roadwire_capture::geonetworking::ExtendedHeader::decode(packet_type, &input).unwrap();
        assert_eq!(transport.octets() as usize, input.len() - rest.len(), "{transport:?}");
    }
    let layers = frame.layers();
    assert_eq!(layers.iter().map(|layer| layer.octets).sum::<u32>(), frame.psdu());
}

/// IEEE 802.11-2016 Table 9-19: an MSDU has at most 2304 octets.
#[test]
fn a_message_that_no_frame_holds_is_told() {
    let around = 4 + 28 + 8 + 4 + 8;
    assert_eq!(Frame::new(2304 - around, Transport::SingleHop, Security::None).fits(), Ok(()));
    let longer = Frame::new(2305 - around, Transport::SingleHop, Security::None);
    assert_eq!(longer.fits(), Err(TooLong { octets: 2305 }));
    assert!(Frame::new(u32::MAX, Transport::Area, Security::DotTwoCertificate).fits().is_err());
}

#[test]
fn stations_fill_the_channel_up_to_the_limit() {
    // 0.6 s of a second, 10 frames of 312 µs each.
    assert_eq!(load::stations(load::LIMIT, 10.0, 312.0), 192);
    assert_eq!(load::stations(0.6, 1.0, 600.0), 1000);
    assert_eq!(load::stations(0.6, 1.0, 601.0), 998);
    // Once a second a frame takes longer: at 10 Hz a tenth of the difference.
    assert_eq!(load::average(300.0, 500.0, 10.0), 320.0);
    assert_eq!(load::average(300.0, 500.0, 1.0), 500.0);
}

/// TS 102 687 V1.2.1 Tables A.1 and A.2.
#[test]
fn reactive_control_slows_down_by_channel_load() {
    let hertz = |load, frame| dcc::reactive(load, frame).map(|state| state.hertz);
    assert_eq!(
        [0.0, 0.29, 0.3, 0.45, 0.5, 0.64, 0.65].map(|load| hertz(load, 336)),
        [Some(20.0), Some(20.0), Some(10.0), Some(5.0), Some(4.0), Some(4.0), Some(1.0)]
    );
    assert_eq!([0.0, 0.3, 0.4, 0.5, 0.6].map(|load| hertz(load, 501)), [10.0, 5.0, 2.5, 2.0, 1.0].map(Some));
    assert_eq!(hertz(0.1, 1001), None);
}

/// TS 102 687 V1.2.1 §5.4: stations that each take their share come to rest where the steps add
/// nothing.
#[test]
fn adaptive_control_comes_to_rest_at_the_fixed_point() {
    for stations in [30, 100, 400] {
        let mut one = Adaptive { share: 0.01 };
        for _ in 0..2000 {
            one = one.next(one.share * f64::from(stations));
        }
        let rest = Adaptive::at_rest(stations);
        assert!((one.share / rest.share - 1.0).abs() < 1e-6, "{stations}: {} is not {}", one.share, rest.share);
    }
    // 100 stations: 0.0012 * 0.68 / (0.016 + 0.12) = 0.006, which is a load of 0.6, and 17.9 frames
    // of 336 µs a second.
    assert!((Adaptive::at_rest(100).share - 0.006).abs() < 1e-9);
    assert!((Adaptive::at_rest(100).hertz(336) - 17.857).abs() < 1e-3);
    // Alone: 3 % of the time, but no more than 40 a second.
    assert_eq!((Adaptive::at_rest(1).share, Adaptive::at_rest(1).hertz(336)), (0.03, 40.0));
    assert_eq!(Adaptive::at_rest(1_000_000).share, 0.0006);
}

/// TS 36.213 Table 7.1.7.2.1-1 and §14.1.1.4C.
#[test]
fn lte_takes_the_least_subchannels_that_hold_the_block() {
    // 185 octets and 15 of headers are 1600 bits. I_TBS 7: 1480 bits in 12 blocks, 1800 in 15. 15 +
    // 2 blocks are two subchannels of ten.
    let taken = lte::DEFAULT.occupied(185).unwrap();
    assert_eq!((taken.blocks, taken.subchannels, taken.bits), (15, 2, 1800));
    // 8 blocks (968 bits) and 2 of control fill one subchannel.
    assert_eq!(lte::DEFAULT.occupied(121 - lte::OVERHEAD).unwrap().subchannels, 1);
    assert_eq!(lte::DEFAULT.occupied(122 - lte::OVERHEAD).unwrap().subchannels, 2);
    // All 50 blocks less 2: 48 blocks, 5992 bits.
    assert_eq!(lte::DEFAULT.occupied(749 - lte::OVERHEAD).unwrap().bits, 5992);
    assert!(lte::DEFAULT.occupied(750 - lte::OVERHEAD).is_err());
    // 11 to 20 are 16-QAM: MCS 11 has I_TBS 10.
    assert_eq!(lte::Pool { mcs: 11, ..lte::DEFAULT }.occupied(100).unwrap().bits, 1032);
    assert!(lte::Pool { mcs: 21, ..lte::DEFAULT }.occupied(1).is_err());
    assert!(lte::Pool { blocks: 0, ..lte::DEFAULT }.occupied(1).is_err());
    assert!(lte::DEFAULT.occupied(u32::MAX).is_err());
    // Ten a second of two subchannels: 20 of 5000.
    assert_eq!(lte::DEFAULT.load(185, 10.0), Ok(0.004));
}

/// TS 38.214 §8.1.3.2 and §5.1.3.2.
#[test]
fn nr_counts_resource_elements_that_are_left_for_data() {
    // One subchannel: 10 * (144 - 18) = 1260, less 10 * 12 * 3 of control, less 65 of its second
    // stage (59 bits * 1.125 / (2 * 526 / 1024) = 64.6): 835 elements, 857.8 bits, 856 in steps of
    // 8, and the next size is 888.
    assert_eq!(nr::DEFAULT.transport_block(1), Some(888));
    // Five: 6300 - 360 - 65 = 5875 elements, 6035.6 bits; (6035.6 - 24) / 128 = 46.97, so 47 *
    // 128 = 6016, and one code block.
    assert_eq!(nr::DEFAULT.transport_block(5), Some(6016));
    // Two subchannels hold 2152 bits: 269 octets.
    let octets = |bits: u32| bits / 8 - nr::OVERHEAD;
    assert_eq!(nr::DEFAULT.occupied(octets(888)).unwrap().subchannels, 1);
    assert_eq!(nr::DEFAULT.occupied(octets(888) + 1).unwrap().subchannels, 2);
    // There the PDU has more than 255 octets, and the length one octet more.
    assert_eq!(nr::DEFAULT.occupied(octets(2152) - 1).unwrap().subchannels, 2);
    assert_eq!(nr::DEFAULT.occupied(octets(2152)).unwrap().subchannels, 3);
    assert!(nr::DEFAULT.occupied(octets(6016)).is_err());
    assert!(nr::DEFAULT.occupied(u32::MAX).is_err());
    // Control that leaves nothing, and an unknown scheme.
    assert_eq!(nr::Pool { control_blocks: u32::MAX, ..nr::DEFAULT }.transport_block(1), None);
    assert_eq!(nr::Pool { mcs: 29, ..nr::DEFAULT }.transport_block(1), None);
}
