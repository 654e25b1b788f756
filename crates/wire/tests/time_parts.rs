//! Texts that are times or none, durations, and times as the records of X.691 §32.

use roadwire_wire::rt::time::{Time, component, row};
use roadwire_wire::{Data, Scalar, Shape};

use super::support::{read_time as read, text_of};

#[test]
fn texts_of_another_form_are_none() {
    let texts = "1 198 19850 +1985 +0123 -0000 +01985 -01985 +012C 1C 123C +12C -00C 19c 1985- 1985-4 1985-4-12 \
        1985-04- 1985-04-1 1985-04-123 1985-04-12x 1985-1 1985-1234 1985-W 1985-W1 1985-W15- 1985-W15-55 \
        1985W15 15: 15:2 15:277 15:27: 15:27:4 15:27:46:00 15. 15, 15.5.5 15.1234567890123456789 15ZZ 15Zx \
        15+ 15+1 15+1:00 15+01: 15+01:0 15+01x 15x 1985-04-12T T15 1985-04-12T15T16 / 1985/ /1985 1985/15 \
        1985/1985T15 1985/1986/1987 P PT P1 1D P1D/ P1D/P1D /P1D P1D/x x/P1D R R5 R/ R5/1985 R5/15 R-5/P1D \
        Rx/P1D R1234567890123456789/P1D r5/P1D 1234567890123456789 +1234567890123456789";
    for text in texts.split(' ').chain(["", "1985-04-12 15"]) {
        assert!(Time::read(text).is_none(), "{text}");
    }
}

#[test]
fn durations_have_their_numbers_in_order() {
    for (text, wanted) in [
        ("P1Y", "P1Y"),
        ("P2M", "P2M"),
        ("P3W", "P3W"),
        ("P4D", "P4D"),
        ("PT5H", "PT5H"),
        ("PT6M", "PT6M"),
        ("PT7S", "PT7S"),
        ("P1Y2M4DT5H6M7S", "P1Y2M4DT5H6M7S"),
        ("P1YT7S", "P1YT7S"),
        ("P0D", "P0D"),
        ("P0Y0M0DT0H0M0S", "PT0S"),
        ("P0Y1M0D", "P1M0D"),
        ("P1Y0M4D", "P1Y4D"),
        ("P007D", "P7D"),
        ("P1.5Y", "P1.5Y"),
        ("PT1,50S", "PT1.50S"),
        ("P1DT0.05H", "P1DT0.05H"),
        ("P999999999999999999D", "P999999999999999999D"),
        ("PT1.123456789012345678S", "PT1.123456789012345678S"),
    ] {
        let time = read(text);
        assert_eq!((time.row(), time.is_whole()), (row::DURATION, true), "{text}");
        assert_eq!(text_of(&time, 99).as_deref(), Some(wanted), "{text}");
        for room in 0..wanted.len() {
            assert_eq!(text_of(&time, room), None, "{text} in {room}");
        }
    }
    let texts = "P PT P1YT P1 PY P1.Y P.5Y P1.5Y1M P1D1M P1M1Y P1Y1Y PT1S1M PT1M1H P1H P1S PT1Y PT1D PT1W PTT1H \
        PT1HT1M P1W1D P1Y1W P1WT1H P-1D P1X P1000000000000000000D PT1.1234567890123456789S";
    for text in texts.split(' ').chain(["P1D ", " P1D"]) {
        assert!(Time::read(text).is_none(), "{text}");
    }
}

fn at(data: &dyn Data, path: &[u32]) -> Option<i64> {
    match path {
        [] => data.integer(),
        [first, rest @ ..] => at(data.component(*first as usize)?, rest),
    }
}

fn place<'d>(data: &'d mut dyn Data, path: &[u32]) -> &'d mut dyn Data {
    match path {
        [] => data,
        [first, rest @ ..] => place(data.component_mut(*first as usize).unwrap(), rest),
    }
}

#[test]
fn a_time_is_a_record_of_its_parts() {
    use component::*;
    const TEXT: &str = "R5/1985-04-12T15:27:46.05-01:30/P1YT2.25H";
    let paths: [(&[u32], i64); 17] = [
        (&[RECURRENCE], 5),
        (&[START, DATE, CENTURY], 0),
        (&[START, DATE, YEAR], 1985),
        (&[START, DATE, MONTH], 4),
        (&[START, DATE, WEEK], 1),
        (&[START, DATE, DAY], 12),
        (&[START, CLOCK, HOURS], 15),
        (&[START, CLOCK, MINUTES], 27),
        (&[START, CLOCK, SECONDS], 46),
        (&[START, CLOCK, FRACTION], 5),
        (&[START, CLOCK, DIGITS], 2),
        (&[START, CLOCK, DIFFERENCE, HOURS], 1),
        (&[START, CLOCK, DIFFERENCE, MINUTES], 30),
        (&[DURATION, NUMBERS], 1),
        (&[DURATION, NUMBERS + 4], 2),
        (&[DURATION, FRACTION, DIGITS], 2),
        (&[DURATION, FRACTION, FRACTION], 25),
    ];
    let time = read(TEXT);
    let rows = time.rows();
    let mut other = Time::of_rows(rows);
    for (path, number) in paths {
        assert_eq!(at(&time, path), Some(number), "{path:?}");
        assert_eq!(at(&time, &[&[SELF, SELF], path].concat()), Some(number), "{path:?}");
        assert!(place(&mut other, path).set_integer(number), "{path:?}");
        assert_eq!(at(&other, path), Some(number), "{path:?}");
    }
    assert_eq!(at(&time, &[START, CLOCK, DIFFERENCE]), Some(-90));
    assert!(place(&mut other, &[START, CLOCK, DIFFERENCE, SIGN]).set(Scalar::Enumerated(1)));
    assert_eq!(text_of(&other, 99).as_deref(), Some(TEXT));
    assert!(other.is_whole());
    for path in [
        &[CENTURY][..],
        &[99],
        &[START, HOURS],
        &[START, DATE, HOURS],
        &[START, CLOCK, YEAR],
        &[START, CLOCK, DIFFERENCE, SECONDS],
        &[DURATION, NUMBERS + 1],
        &[DURATION, NUMBERS + 7],
        &[DURATION, DATE],
        &[DURATION, FRACTION, DATE],
    ] {
        assert_eq!(at(&time, path), None, "{path:?}");
    }
    let mut plain = read("1985");
    let absent =
        [&[RECURRENCE][..], &[START, CLOCK, DIGITS], &[START, CLOCK, DIFFERENCE, MINUTES], &[DURATION, FRACTION]];
    for path in absent {
        assert_eq!(at(&plain, path), None, "{path:?}");
    }
    for path in
        [&[START, HOURS][..], &[START, DATE, HOURS], &[START, CLOCK, YEAR], &[DURATION, NUMBERS + 7], &[DURATION, DATE]]
    {
        let (last, outer) = path.split_last().unwrap();
        assert!(place(&mut plain, outer).component_mut(*last as usize).is_none(), "{path:?}");
    }
    assert!(plain.component(usize::MAX).is_none() && plain.component_mut(usize::MAX).is_none());
    for path in [&[][..], &[START], &[START, DATE], &[START, CLOCK], &[DURATION], &[DURATION, FRACTION]] {
        let data = place(&mut plain, path);
        assert!(data.begin(Shape::Record(3)) && !data.begin(Shape::List), "{path:?}");
    }
    assert!(place(&mut other, &[RECURRENCE]).set_integer(-1) && !other.is_whole());
    let mut end = read("1985/1986");
    assert_eq!((at(&end, &[START, DATE, YEAR]), at(&end, &[END, DATE, YEAR])), (Some(1985), Some(1986)));
    assert!(place(&mut end, &[END, DATE, YEAR]).set_integer(1987));
    assert_eq!(text_of(&end, 99).as_deref(), Some("1985/1987"));
}

#[test]
fn a_time_is_a_choice_among_rows() {
    use component::*;
    for (text, rows, parts) in [
        ("1985-04-12", 6, &[(&[YEAR][..], 1985), (&[MONTH], 4), (&[DAY], 12)][..]),
        ("15:27", 17, &[(&[HOURS], 15), (&[MINUTES], 27)]),
        ("P3D", 36, &[(&[NUMBERS + 3], 3)]),
    ] {
        let time = read(text);
        let (found, part) = time.alternative().unwrap();
        assert_eq!(found, rows, "{text}");
        let mut other = Time::of_rows([row::NONE; 3]);
        let place_of = other.choose(rows).unwrap();
        for (path, number) in parts {
            assert_eq!(at(part, path), Some(*number), "{text} {path:?}");
            assert_eq!(at(time.part(), path), Some(*number), "{text} {path:?}");
            assert!(place(place_of, path).set_integer(*number), "{text} {path:?}");
        }
        assert_eq!(text_of(&other, 99).as_deref(), Some(text));
    }
    let time = read("1985T15");
    assert_eq!(at(time.part(), &[DATE, YEAR]), Some(1985));
    assert_eq!(time.component(START as usize).unwrap().component(DATE as usize).unwrap().alternative().unwrap().0, 2);
    assert_eq!(time.component(START as usize).unwrap().component(CLOCK as usize).unwrap().alternative().unwrap().0, 14);
    let interval = read("1985/1986");
    assert_eq!(at(interval.part(), &[END, DATE, YEAR]), Some(1986));
    let mut other = Time::of_rows([row::DATE_TIME, row::NONE, row::NONE]);
    assert!(other.choose(256).is_none());
    {
        let point = other.part_mut();
        for (part, row, number, value) in [(DATE, 4, YEAR, 1985), (CLOCK, 15, HOURS, 7)] {
            let part = point.component_mut(part as usize).unwrap();
            assert!(part.choose(256).is_none());
            assert!(place(part.choose(row).unwrap(), &[number]).set_integer(value));
        }
    }
    assert!(other.choose(usize::from(row::DATE_TIME)).is_some());
    assert_eq!(text_of(&other, 99).as_deref(), Some("1985-01T07Z"));
}

/// X.691 §32.2.3.
#[test]
fn a_year_is_in_the_range_it_was_read_from() {
    use component::*;
    for (year, range) in
        [(1748, 3), (1749, 2), (2004, 2), (2005, 0), (2020, 0), (2021, 1), (2276, 1), (2277, 3), (0, 3), (9999, 3)]
    {
        let mut time = Time::of_rows([2, 2, row::NONE]);
        let place_of = place(time.part_mut(), &[YEAR]);
        assert!(place_of.set(Scalar::Integer(year)) && !place_of.set(Scalar::Null));
        assert_eq!(
            place_of.alternative().map(|(range, number)| (range, number.integer())),
            Some((range, Some(year as i64)))
        );
        assert!(time.is_whole(), "{year}");
        for other in 0..4 {
            assert!(place(time.part_mut(), &[YEAR]).choose(other).is_some());
            assert_eq!(time.is_whole(), other == range, "{year} in {other}");
        }
    }
}

/// X.696 §29.
#[test]
fn a_difference_is_a_number_of_minutes() {
    use component::*;
    for (minutes, text) in [
        (0, "15+00"),
        (1, "15+00:01"),
        (60, "15+01"),
        (90, "15+01:30"),
        (-60, "15-01"),
        (-959, "15-15:59"),
        (-1, "15-00:01"),
    ] {
        let mut time = read("15+07:07");
        let difference = place(time.part_mut(), &[DIFFERENCE]);
        assert!(difference.set(Scalar::Integer(minutes)) && !difference.set(Scalar::Null));
        assert!(!difference.set(Scalar::Integer(i128::MAX)));
        assert_eq!(difference.scalar(), Scalar::Integer(minutes), "{text}");
        assert_eq!(text_of(&time, 99).as_deref(), Some(text));
        let sign = place(time.part_mut(), &[DIFFERENCE, SIGN]);
        assert_eq!(sign.scalar(), Scalar::Enumerated((minutes < 0).into()), "{text}");
        assert!(sign.set(Scalar::Enumerated(0)) && sign.set(Scalar::Enumerated(1)));
        assert!(!sign.set(Scalar::Enumerated(2)) && !sign.set(Scalar::Null));
    }
}
