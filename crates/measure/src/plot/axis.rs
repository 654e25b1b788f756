//! Logarithmic and linear scales, their ticks, and readable numbers.

use super::svg::{Anchor, Svg};

/// From a range of positive values to a range of the drawing.
pub(super) struct LogAxis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl LogAxis {
    /// Covers the positive values among `values`, drawn between `from` and `to`.
    pub(super) fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let (low, high) = values
            .filter(|v| *v > 0.0 && v.is_finite())
            .fold((f64::INFINITY, 0.0f64), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = if low > high { (1.0, 10.0) } else { (low, high) };
        // Up to the next tick on each side.
        let step = |v: f64, up: bool| {
            let decade = 10f64.powf(v.log10().floor());
            let steps = [1.0, 2.0, 5.0, 10.0].map(|s| s * decade);
            if up {
                steps.into_iter().find(|s| *s >= v * 0.999_999).unwrap_or(v)
            } else {
                steps.into_iter().rev().find(|s| *s <= v * 1.000_001).unwrap_or(v)
            }
        };
        let (low, mut high) = (step(low, false), step(high, true));
        if high <= low {
            high = low * 10.0;
        }
        LogAxis { low, high, from, to }
    }

    /// The position of a value; values that are not positive are at the low end.
    pub(super) fn place(&self, value: f64) -> f64 {
        let part = (value.max(self.low) / self.low).ln() / (self.high / self.low).ln();
        self.from + part.min(1.0) * (self.to - self.from)
    }

    /// Ticks with numbers, and those without.
    pub(super) fn ticks(&self) -> (Vec<f64>, Vec<f64>) {
        let decades = (self.high / self.low).log10();
        let (mut named, mut plain) = (Vec::new(), Vec::new());
        let mut decade = 10f64.powf((self.low * 0.999_999).log10().floor());
        while decade <= self.high * 1.000_001 {
            for step in 1..10 {
                let value = decade * f64::from(step);
                if value < self.low * 0.999_999 || value > self.high * 1.000_001 {
                    continue;
                }
                let has_name = step == 1 || (decades < 3.5 && (step == 2 || step == 5));
                if has_name { &mut named } else { &mut plain }.push(value);
            }
            decade *= 10.0;
        }
        (named, plain)
    }
}

/// A scale of either sort.
pub(super) enum Across {
    Log(LogAxis),
    Linear(LinearAxis),
}

impl Across {
    /// The position of a value; values outside are at the nearer end.
    pub(super) fn place(&self, value: f64) -> f64 {
        match self {
            Across::Log(axis) => axis.place(value),
            Across::Linear(axis) => axis.place(value),
        }
    }

    /// Ticks with numbers, and those without.
    pub(super) fn ticks(&self) -> (Vec<f64>, Vec<f64>) {
        match self {
            Across::Log(axis) => axis.ticks(),
            Across::Linear(axis) => (axis.ticks(), Vec::new()),
        }
    }

    /// Draws it below a plot that lies between two heights, with a grid of fine lines up, a frame,
    /// and its label.
    pub(super) fn draw_below(&self, svg: &mut Svg, top: f64, bottom: f64, label: &str) {
        let (from, to) = match self {
            Across::Log(axis) => (axis.from, axis.to),
            Across::Linear(axis) => (axis.from, axis.to),
        };
        let (named, plain) = self.ticks();
        for value in plain {
            svg.line((self.place(value), bottom), (self.place(value), bottom + 3.0), "stroke=\"black\"");
        }
        for value in named {
            let place = self.place(value);
            svg.line((place, top), (place, bottom), "stroke=\"#ccc\"");
            svg.line((place, bottom), (place, bottom + 6.0), "stroke=\"black\"");
            svg.text((place, bottom + 20.0), Anchor::Middle, 12.0, &number(value));
        }
        svg.rect((from, top), (to - from, bottom - top), "fill=\"none\" stroke=\"black\"");
        svg.text(((from + to) / 2.0, bottom + 44.0), Anchor::Middle, 13.0, label);
    }
}

/// From zero and positive values to a range of the drawing.
pub(super) struct LinearAxis {
    step: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl LinearAxis {
    /// Up to the tick above the greatest of `values`; drawn between `from` and `to`.
    pub(super) fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let most = values.filter(|value| value.is_finite()).fold(0.0, f64::max);
        let most = if most > 0.0 { most } else { 1.0 };
        let decade = 10f64.powf((most / STEPS).log10().floor());
        let step = [1.0, 2.0, 5.0].map(|step| step * decade).into_iter().find(|step| most / step <= STEPS);
        let step = step.unwrap_or(10.0 * decade);
        LinearAxis { step, high: (most / step).ceil() * step, from, to }
    }

    /// The least and the greatest value.
    pub(super) fn range(&self) -> (f64, f64) {
        (0.0, self.high)
    }

    /// Where a value is.
    pub(super) fn place(&self, value: f64) -> f64 {
        self.from + (value / self.high).clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// Ticks with numbers.
    pub(super) fn ticks(&self) -> Vec<f64> {
        (0..=(self.high / self.step).round() as u32).map(|tick| f64::from(tick) * self.step).collect()
    }
}

/// The most ticks of a linear axis, besides zero.
const STEPS: f64 = 7.0;

/// 0.2, 7, 1 000, 10⁶.
pub(super) fn number(value: f64) -> String {
    if value >= 99_999.5 {
        let exponent = value.log10().floor();
        let mantissa = value / 10f64.powf(exponent);
        let power: String = format!("{exponent}").chars().map(superscript).collect();
        return if (mantissa - 1.0).abs() < 1e-6 { format!("10{power}") } else { format!("{mantissa:.0}·10{power}") };
    }
    if value >= 999.5 {
        return format!("{} {:03}", (value / 1000.0 + 1e-9).floor(), (value % 1000.0).round());
    }
    let digits = if value >= 0.999 || value == 0.0 { 0 } else { (-value.log10()).ceil() as usize };
    format!("{value:.digits$}")
}

fn superscript(digit: char) -> char {
    match digit {
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁻',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown: Vec<String> =
            [0.002, 0.5, 1.0, 20.0, 500.0, 1000.0, 50_000.0, 100_000.0, 2e6].into_iter().map(number).collect();
        assert_eq!(shown, ["0.002", "0.5", "1", "20", "500", "1 000", "50 000", "10⁵", "2·10⁶"]);
    }

    #[test]
    fn an_axis_covers_its_values_and_has_ticks_at_both_ends() {
        let axis = LogAxis::new([187.0, 1924.0].into_iter(), 0.0, 100.0);
        assert_eq!((axis.low, axis.high), (100.0, 2000.0));
        let (named, _) = axis.ticks();
        assert_eq!(named, [100.0, 200.0, 500.0, 1000.0, 2000.0]);
        assert!(axis.place(100.0).abs() < 1e-9 && (axis.place(2000.0) - 100.0).abs() < 1e-9);
        assert!(axis.place(0.0).abs() < 1e-9, "zero has no place on a logarithmic axis");
    }

    #[test]
    fn a_linear_axis_begins_at_zero_and_ends_at_a_tick() {
        for (most, high, ticks) in
            [(815.0, 1000.0, 6), (64.0, 70.0, 8), (32.0, 35.0, 8), (0.32, 0.35, 8), (0.1, 0.1, 6)]
        {
            let axis = LinearAxis::new([most / 2.0, most].into_iter(), 10.0, 110.0);
            assert!((axis.range().1 - high).abs() < 1e-9 && axis.ticks().len() == ticks, "{most}: {:?}", axis.ticks());
            assert!((axis.place(0.0) - 10.0).abs() < 1e-9 && (axis.place(high) - 110.0).abs() < 1e-9);
        }
        assert_eq!(LinearAxis::new(std::iter::empty(), 0.0, 1.0).ticks().len(), 6);
    }

    #[test]
    fn an_axis_without_values_still_has_a_range() {
        let axis = LogAxis::new(std::iter::empty(), 0.0, 1.0);
        assert!(axis.high > axis.low);
        let axis = LogAxis::new([10.0].into_iter(), 0.0, 1.0);
        assert!(axis.high > axis.low);
    }
}
