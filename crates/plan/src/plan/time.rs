//! Times as records of numbers (X.691 §32, X.696 §29): which numbers come, in which form.

/// The forms of a time type's numbers, as a table. The first form is that of a whole value.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeForm {
    /// The row of X.691 Table 2, and those of dates and times of day, as a layout has them.
    pub rows: [u8; 3],
    /// Sets of property settings, of three numbers each.
    pub settings: Vec<u32>,
    pub forms: Vec<NumberForm>,
    pub parts: Vec<TimePart>,
    /// Whether numbers of octets begin at octet borders.
    pub is_aligned: bool,
}

/// A form of one number, or of several.
#[derive(Clone, Debug, PartialEq)]
pub enum NumberForm {
    /// So many bits.
    Word { slot: Slot, bits: u32, is_aligned: bool, is_signed: bool, offset: i64, bounds: (i64, i64) },
    /// As few octets as hold it, after their number.
    Integer { slot: Slot, is_signed: bool, offset: i64, bounds: (i64, i64) },
    /// A bit that says which of two forms follows: the second one outside of the first one's
    /// bounds.
    Extension { slot: Slot, root: usize, beyond: usize },
    /// Presence bits, padding, and parts.
    Record { bitmap: u16, padding: u8, parts: std::ops::Range<usize> },
    /// The index of a part, whose number is in a slot.
    Choice { slot: Slot, bits: u32, is_aligned: bool, parts: std::ops::Range<usize> },
}

/// A component or an alternative.
#[derive(Clone, Debug, PartialEq)]
pub struct TimePart {
    pub name: String,
    pub form: usize,
    /// The number of an alternative.
    pub number: u8,
    /// Of an optional component: the number that is present with it.
    pub presence: Option<Slot>,
    /// Whether it belongs to the first or to the second point of an interval, if it is one.
    pub point: Option<bool>,
}

/// A number of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    Century,
    Year,
    Month,
    Week,
    Day,
    Hours,
    Minutes,
    Seconds,
    Fraction,
    Digits,
    /// The sign of a difference from UTC, 1 for a negative one; its hours and its minutes; all of
    /// it in minutes.
    Sign,
    HoursAhead,
    MinutesAhead,
    Difference,
    /// Which row a date or a time of day is, and in which range of years a year is.
    DateRow,
    ClockRow,
    Years,
    /// The row of the value.
    Row,
    Recurrence,
    /// The numbers of a duration from years to seconds.
    Duration(u8),
    DurationDigits,
    DurationFraction,
}
