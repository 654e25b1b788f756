//! Times of X.680 §38: text of ISO 8601, property settings, and the rows of X.691 Table 2.

use roadwire_wire::rt::time::{Interval, Settings, Time, row};

use super::support::{read_time as read, text_of};

/// Texts, the codes of their settings, and the rows of X.691 Table 2 from 0 on.
const TEXTS: [(&str, [u8; 9], [u8; 3]); 64] = {
    const N: u8 = row::NONE;
    [
        ("19C", [1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, N]),
        ("15C", [1, 1, 2, 0, 0, 0, 0, 0, 0], [0, 0, N]),
        ("16C", [1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, N]),
        ("00C", [1, 1, 2, 0, 0, 0, 0, 0, 0], [0, 0, N]),
        ("-19C", [1, 1, 3, 0, 0, 0, 0, 0, 0], [1, 1, N]),
        ("+123C", [1, 1, 5, 0, 0, 0, 0, 0, 0], [1, 1, N]),
        ("1985", [1, 2, 1, 0, 0, 0, 0, 0, 0], [2, 2, N]),
        ("1582", [1, 2, 1, 0, 0, 0, 0, 0, 0], [2, 2, N]),
        ("1581", [1, 2, 2, 0, 0, 0, 0, 0, 0], [2, 2, N]),
        ("0000", [1, 2, 2, 0, 0, 0, 0, 0, 0], [2, 2, N]),
        ("-0001", [1, 2, 3, 0, 0, 0, 0, 0, 0], [3, 3, N]),
        ("-9999", [1, 2, 3, 0, 0, 0, 0, 0, 0], [3, 3, N]),
        ("+12345", [1, 2, 5, 0, 0, 0, 0, 0, 0], [3, 3, N]),
        ("-123456", [1, 2, 6, 0, 0, 0, 0, 0, 0], [3, 3, N]),
        ("1985-04", [1, 3, 1, 0, 0, 0, 0, 0, 0], [4, 4, N]),
        ("+12345-04", [1, 3, 5, 0, 0, 0, 0, 0, 0], [5, 5, N]),
        ("1985-04-12", [1, 4, 1, 0, 0, 0, 0, 0, 0], [6, 6, N]),
        ("-0002-04-12", [1, 4, 3, 0, 0, 0, 0, 0, 0], [7, 7, N]),
        ("1985-102", [1, 5, 1, 0, 0, 0, 0, 0, 0], [8, 8, N]),
        ("-1985-102", [1, 5, 3, 0, 0, 0, 0, 0, 0], [9, 9, N]),
        ("1985-W15", [1, 6, 1, 0, 0, 0, 0, 0, 0], [10, 10, N]),
        ("-1985-W15", [1, 6, 3, 0, 0, 0, 0, 0, 0], [11, 11, N]),
        ("1985-W15-5", [1, 7, 1, 0, 0, 0, 0, 0, 0], [12, 12, N]),
        ("+12345-W15-5", [1, 7, 5, 0, 0, 0, 0, 0, 0], [13, 13, N]),
        ("15", [2, 0, 0, 1, 1, 0, 0, 0, 1], [14, N, 14]),
        ("15Z", [2, 0, 0, 1, 2, 0, 0, 0, 1], [15, N, 15]),
        ("15+01", [2, 0, 0, 1, 3, 0, 0, 0, 1], [16, N, 16]),
        ("15:27", [2, 0, 0, 20, 1, 0, 0, 0, 1], [17, N, 17]),
        ("15:27Z", [2, 0, 0, 20, 2, 0, 0, 0, 1], [18, N, 18]),
        ("15:27-05:30", [2, 0, 0, 20, 3, 0, 0, 0, 1], [19, N, 19]),
        ("15:27:46", [2, 0, 0, 39, 1, 0, 0, 0, 1], [20, N, 20]),
        ("15:27:46Z", [2, 0, 0, 39, 2, 0, 0, 0, 1], [21, N, 21]),
        ("15:27:46+12:01", [2, 0, 0, 39, 3, 0, 0, 0, 1], [22, N, 22]),
        ("24:00:00", [2, 0, 0, 39, 1, 0, 0, 0, 2], [20, N, 20]),
        ("15.5", [2, 0, 0, 2, 1, 0, 0, 0, 1], [23, N, 23]),
        ("15.05Z", [2, 0, 0, 3, 2, 0, 0, 0, 1], [24, N, 24]),
        ("15.500+01", [2, 0, 0, 4, 3, 0, 0, 0, 1], [25, N, 25]),
        ("15:27.3", [2, 0, 0, 21, 1, 0, 0, 0, 1], [26, N, 26]),
        ("15:27.35Z", [2, 0, 0, 22, 2, 0, 0, 0, 1], [27, N, 27]),
        ("15:27.000-01", [2, 0, 0, 23, 3, 0, 0, 0, 1], [28, N, 28]),
        ("15:27:35.5", [2, 0, 0, 40, 1, 0, 0, 0, 1], [29, N, 29]),
        ("15:27:35.123456789012345678Z", [2, 0, 0, 57, 2, 0, 0, 0, 1], [30, N, 30]),
        ("15:27:35.5+01", [2, 0, 0, 40, 3, 0, 0, 0, 1], [31, N, 31]),
        ("1985-04-12T15:27:46", [3, 4, 1, 39, 1, 0, 0, 0, 1], [32, 6, 20]),
        ("19CT24Z", [3, 1, 1, 1, 2, 0, 0, 0, 2], [32, 0, 15]),
        ("1985/1986", [4, 2, 1, 0, 0, 1, 1, 0, 0], [33, 2, N]),
        ("15:00/16:00", [4, 0, 0, 20, 1, 1, 2, 0, 1], [34, N, 17]),
        ("1985-04-12T15/1985-04-13T15", [4, 4, 1, 1, 1, 1, 3, 0, 1], [35, 6, 14]),
        ("P1Y2M3DT4H5M6.5S", [4, 0, 0, 0, 0, 2, 0, 0, 0], [36, N, N]),
        ("1985-04-12/P1D", [4, 4, 1, 0, 0, 3, 1, 0, 0], [37, 6, N]),
        ("15:27/PT1H", [4, 0, 0, 20, 1, 3, 2, 0, 1], [38, N, 17]),
        ("1985-04-12T15/P1W", [4, 4, 1, 1, 1, 3, 3, 0, 1], [39, 6, 14]),
        ("P1D/1985-04-12", [4, 4, 1, 0, 0, 4, 1, 0, 0], [40, 6, N]),
        ("PT1H/15:27Z", [4, 0, 0, 20, 2, 4, 2, 0, 1], [41, N, 18]),
        ("P1D/1985-04-12T15", [4, 4, 1, 1, 1, 4, 3, 0, 1], [42, 6, 14]),
        ("R/1985/1986", [5, 2, 1, 0, 0, 1, 1, 1, 0], [43, 2, N]),
        ("R5/15:00/16:00", [5, 0, 0, 20, 1, 1, 2, 2, 1], [44, N, 17]),
        ("R12/1985T15/1986T15", [5, 2, 1, 1, 1, 1, 3, 3, 1], [45, 2, 14]),
        ("R0/P1D", [5, 0, 0, 0, 0, 2, 0, 2, 0], [46, N, N]),
        ("R999/1985/P1D", [5, 2, 1, 0, 0, 3, 1, 4, 0], [47, 2, N]),
        ("R1/15/P1D", [5, 0, 0, 1, 1, 3, 2, 2, 1], [48, N, 14]),
        ("R10/P1D/1985", [5, 2, 1, 0, 0, 4, 1, 3, 0], [50, 2, N]),
        ("R10/P1D/15", [5, 0, 0, 1, 1, 4, 2, 3, 1], [51, N, 14]),
        ("R123456/P1D/1985T15", [5, 2, 1, 1, 1, 4, 3, 7, 1], [52, 2, 14]),
    ]
};

#[test]
fn texts_are_read_and_written() {
    for (text, _, rows) in TEXTS {
        let time = read(text);
        assert_eq!((time.rows(), time.row()), (rows, rows[0]), "{text}");
        assert!(time.is_whole(), "{text}");
        assert_eq!(text_of(&time, text.len()).as_deref(), Some(text));
        for room in 0..text.len() {
            assert_eq!(text_of(&time, room), None, "{text} in {room}");
        }
    }
}

#[test]
fn a_value_has_one_setting_of_each_property() {
    for (text, codes, _) in TEXTS {
        let time = read(text);
        for place in 0..9 {
            for code in 1..=57 {
                let mut one = [0; 9];
                one[place] = code;
                let admits = Settings::from_codes(one).admits(&time);
                assert_eq!(admits, codes[place] == code, "{text}, property {place}, setting {code}");
            }
        }
        assert!(Settings::default().admits(&time) && Settings::from_codes(codes).admits(&time), "{text}");
    }
    // Both points must have a setting.
    for (text, settings) in [
        ("1985/1500", "Year=Basic"),
        ("1985/1985-04", "Date=Y"),
        ("15/15Z", "Local-or-UTC=L"),
        ("15/15:27", "Time=H"),
        ("23/24", "Midnight=Start"),
        ("24/23", "Midnight=End"),
    ] {
        assert!(!Settings::read(settings).unwrap().admits(&read(text)), "{settings} of {text}");
    }
}

#[test]
fn rows_follow_from_settings() {
    let full = |codes: [u8; 9]| Settings::from_codes(codes).rows();
    for (text, codes, rows) in TEXTS {
        let digits = if rows[2] == row::NONE { 0 } else { (codes[3] - 1) % 19 };
        assert_eq!(full(codes), Some((rows, digits)), "{text}");
        // Parts that are not needed do not matter; without those that are there are several rows.
        let needs_point = codes[0] >= 4 && codes[5] != 2;
        let needed = [true, rows[1] != row::NONE, rows[1] != row::NONE, rows[2] != row::NONE, rows[2] != row::NONE];
        for place in 0..9 {
            let mut other = codes;
            other[place] = 0;
            let is_needed = match place {
                0..5 => needed[place],
                5 => codes[0] >= 4,
                6 => needs_point,
                _ => false,
            };
            let wanted = if is_needed { None } else { Some((rows, digits)) };
            assert_eq!(full(other), wanted, "{text} without {place}");
        }
    }
    assert_eq!(full([1, 2, 1, 5, 1, 0, 0, 0, 0]), Some(([2, 2, row::NONE], 0)), "no time of day has digits");
    assert_eq!(full([4, 0, 0, 0, 0, 2, 0, 0, 0]), Some(([36, row::NONE, row::NONE], 0)));
}

/// X.680 §38.2.
#[test]
fn settings_have_names() {
    for (text, place, code) in [
        ("Basic=Date", 0, 1),
        ("Basic=Time", 0, 2),
        ("Basic=Date-Time", 0, 3),
        ("Basic=Interval", 0, 4),
        ("Basic=Rec-Interval", 0, 5),
        ("Date=C", 1, 1),
        ("Date=Y", 1, 2),
        ("Date=YM", 1, 3),
        ("Date=YMD", 1, 4),
        ("Date=YD", 1, 5),
        ("Date=YW", 1, 6),
        ("Date=YWD", 1, 7),
        ("Year=Basic", 2, 1),
        ("Year=Proleptic", 2, 2),
        ("Year=Negative", 2, 3),
        ("Year=L5", 2, 5),
        ("Year=L18", 2, 18),
        ("Time=H", 3, 1),
        ("Time=HF1", 3, 2),
        ("Time=HF18", 3, 19),
        ("Time=HM", 3, 20),
        ("Time=HMF2", 3, 22),
        ("Time=HMS", 3, 39),
        ("Time=HMSF18", 3, 57),
        ("Local-or-UTC=L", 4, 1),
        ("Local-or-UTC=Z", 4, 2),
        ("Local-or-UTC=LD", 4, 3),
        ("Interval-type=SE", 5, 1),
        ("Interval-type=D", 5, 2),
        ("Interval-type=SD", 5, 3),
        ("Interval-type=DE", 5, 4),
        ("SE-point=Date", 6, 1),
        ("SE-point=Time", 6, 2),
        ("SE-point=Date-Time", 6, 3),
        ("Recurrence=Unlimited", 7, 1),
        ("Recurrence=R1", 7, 2),
        ("Recurrence=R18", 7, 19),
        ("Midnight=Start", 8, 1),
        ("Midnight=End", 8, 2),
    ] {
        let mut codes = [0; 9];
        codes[place] = code;
        assert_eq!(Settings::read(text).map(|settings| settings.codes()), Ok(codes), "{text}");
    }
    let both = Settings::read("  Date = YMD\t Year=\n Basic ").unwrap();
    assert_eq!(both.codes(), [0, 4, 1, 0, 0, 0, 0, 0, 0]);
    for text in [
        " ",
        "Date",
        "Date=",
        "Date=X",
        "date=Y",
        "Day=Y",
        "Date=Y Date=YM",
        "Date=Y Date=Y",
        "Date=Y Year",
        "Year=L4",
        "Year=L19",
        "Year=L05",
        "Year=L+5",
        "Year=5",
        "Time=HF0",
        "Time=HF19",
        "Time=HF",
        "Time=F1",
        "Time=HS",
        "Recurrence=R0",
        "Recurrence=R19",
        "Recurrence=1",
        "Midnight=Noon",
    ] {
        assert!(Settings::read(text).is_err(), "{text}");
    }
}

#[test]
fn settings_are_combined_and_kept_in_numbers() {
    let settings = |text| Settings::read(text).unwrap();
    let (date, year, other) = (settings("Date=YMD"), settings("Year=Basic"), settings("Date=Y Year=Basic"));
    assert_eq!(date.and(year), Some(settings("Date=YMD Year=Basic")));
    assert_eq!((date.and(date), date.and(other), other.and(date)), (Some(date), None, None));
    assert_eq!((year.and(other), Settings::default().and(date)), (Some(other), Some(date)));
    assert_eq!(date.and(Settings::default()), Some(date));
    let all = Settings::from_codes([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(all.numbers(), [0x0102_0304, 0x0506_0708, 0x0900_0000]);
    assert_eq!(Settings::from_numbers(all.numbers()), all);
}

#[test]
fn rows_of_intervals_say_what_defines_them() {
    for at in 0..=u8::MAX {
        let wanted = match at {
            33..=35 | 43..=45 => Some(Interval::StartEnd),
            36 | 46 => Some(Interval::Duration),
            37..=39 | 47..=49 => Some(Interval::StartDuration),
            40..=42 | 50..=52 => Some(Interval::DurationEnd),
            _ => None,
        };
        assert_eq!(Time::interval(at), wanted, "{at}");
    }
    assert_eq!((row::COUNT, row::TEXT, row::NONE), (53, 254, 255), "rows, and what stands in place of one");
}

#[test]
fn numbers_have_ranges() {
    for (good, bad) in [
        ("1985-01", "1985-00"),
        ("1985-12", "1985-13"),
        ("1985-04-01", "1985-04-00"),
        ("1985-04-31", "1985-04-32"),
        ("1985-001", "1985-000"),
        ("1985-366", "1985-367"),
        ("1985-W01", "1985-W00"),
        ("1985-W53", "1985-W54"),
        ("1985-W10-1", "1985-W10-0"),
        ("1985-W10-7", "1985-W10-8"),
        ("00", "25"),
        ("24", "25Z"),
        ("23:59", "23:60"),
        ("24:00", "24:01"),
        ("23:59:60", "23:59:61"),
        ("24:00:00", "24:00:01"),
        ("24:00:00.0", "24:00:00.1"),
        ("15+15", "15+16"),
        ("15-15:59", "15-15:60"),
        ("1985-04-12T15", "1985-04-32T15"),
        ("1985-04-12T24", "1985-04-12T25"),
        ("1985-01/1985-02", "1985-01/1985-13"),
        ("1985-01/1985-03", "1985-13/1985-01"),
        ("1985-01/P1D", "1985-13/P1D"),
        ("P1D/1985-01", "P1D/1985-13"),
        ("15:00/16:00", "15:00/16:60"),
        ("R5/1985-01/P1D", "R5/1985-13/P1D"),
        ("R5/15/16", "R5/15/25"),
    ] {
        assert!(read(good).is_whole(), "{good}");
        assert!(!read(bad).is_whole(), "{bad}");
    }
}

/// The rows picked with the least numbers, with the greatest, and with numbers that ascend by 1 and
/// by 7.
#[test]
fn a_value_with_settings_is_picked_by_random_numbers() {
    for (settings, least, greatest, by_one, by_seven) in [
        ("Basic=Date", "16C", "-999999-W53-7", "-10004-07", "-100C"),
        (
            "Basic=Date-Time",
            "16CT00",
            "-999999-W53-7T23:59:59.999999999999999999-15:59",
            "-10004-07T11.000000012Z",
            "-100CT05.000084Z",
        ),
        ("Basic=Time", "00", "23:59:59.999999999999999999-15:59", "04.05", "04.00000000000035"),
        (
            "Basic=Time Time=HMF3 Local-or-UTC=LD",
            "00:00.000+00",
            "23:59.999-15:59",
            "02:03.004+07:05",
            "14:21.028+01:35",
        ),
        ("Basic=Time Time=HMS Midnight=End", "24:00:00", "24:00:00-15:59", "24:00:00-08:06", "24:00:00-08:42"),
        ("Basic=Date Date=YWD Year=Basic", "1600-W01-1", "9999-W53-7", "1602-W05-6", "1614-W29-1"),
        ("Basic=Date Date=YD Year=Proleptic", "0000-001", "1581-028", "0002-006", "0014-008"),
        ("Basic=Date Date=C Year=L7", "+10000C", "-99999C", "-10000C", "-10000C"),
        ("Basic=Date Date=YM Year=Negative", "-0001-01", "-9999-12", "-0003-04", "-0015-10"),
        ("Basic=Interval Interval-type=D", "P0.0W", "P99Y99M99DT99H99M99S", "P11.0014W", "P91Y5DT19M26S"),
        (
            "Basic=Interval Interval-type=SE SE-point=Date Date=Y Year=Proleptic",
            "0000/0000",
            "1581/1581",
            "0001/0005",
            "0007/0035",
        ),
        (
            "Basic=Interval",
            "16C/16C",
            "P99Y99M99DT99H99M99S/-999999-W53-7T23:59:59.999999999999999999-15:59",
            "P29Y31DT33M34S",
            "P17MT31H45.00266S/17CT07:02:09.000000196",
        ),
        (
            "Basic=Rec-Interval Interval-type=DE SE-point=Time Recurrence=R3 Time=H Local-or-UTC=Z",
            "R100/P0.0W/00Z",
            "R999/P99Y99M99DT99H99M99S/23Z",
            "R111/P5MT7H9S/02Z",
            "R177/P35MT49H63S/14Z",
        ),
        (
            "Basic=Rec-Interval Interval-type=SD SE-point=Time Recurrence=Unlimited Time=H Local-or-UTC=L",
            "R/00/P0.0W",
            "R/23/P99Y99M99DT99H99M99S",
            "R/01/P5MT7H9S",
            "R/07/P35MT49H63S",
        ),
        (
            "Basic=Rec-Interval Interval-type=D Recurrence=R1",
            "R0/P0.0W",
            "R9/P99Y99M99DT99H99M99S",
            "R5/P11.0014W",
            "R0/P91Y5DT19M26S",
        ),
    ] {
        let codes = Settings::read(settings).unwrap();
        let mut numbers = (0, 0);
        let picks = [
            codes.pick(&mut |_| 0),
            codes.pick(&mut |below| below - 1),
            codes.pick(&mut |below| {
                numbers.0 += 1;
                numbers.0 % below
            }),
            codes.pick(&mut |below| {
                numbers.1 += 7;
                numbers.1 % below
            }),
        ];
        let texts = picks.map(|time| time.and_then(|time| text_of(&time, 99)));
        let wanted = [least, greatest, by_one, by_seven].map(Some);
        assert_eq!(texts.each_ref().map(Option::as_deref), wanted, "{settings}");
    }
}
