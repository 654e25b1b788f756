//! The paper's extrapolation from the measured messages to the Basic Safety Message: a line through
//! the times, by length or by the number of optional parts, whichever fits better.

use super::cells::Engine;
use super::encoding::Encoding;
use super::measured::{Ieee1609, Row};
use roadwire_measure::cell::Direction;

/// A line by least squares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// Its value at zero.
    pub at_zero: f64,
    /// Its slope.
    pub slope: f64,
    /// R²: the share of the variance that it explains.
    pub explained: f64,
}

impl Line {
    /// Fits points; `None` for fewer than three, or if all have the same x.
    #[must_use]
    pub fn through(points: &[(f64, f64)]) -> Option<Line> {
        let count = points.len() as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (x, y) = (mean(|point| point.0), mean(|point| point.1));
        let sum = |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>();
        let (xx, xy) = (sum(&|p| (p.0 - x).powi(2)), sum(&|p| (p.0 - x) * (p.1 - y)));
        let yy = sum(&|p| (p.1 - y).powi(2));
        if points.len() < 3 || xx == 0.0 || yy == 0.0 {
            return None;
        }
        let slope = xy / xx;
        Some(Line { at_zero: y - slope * x, slope, explained: xy * xy / (xx * yy) })
    }

    /// Its value at a point.
    #[must_use]
    pub fn at(&self, x: f64) -> f64 {
        self.at_zero + self.slope * x
    }
}

/// The paper's method, for one implementation and encoding.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// By length.
    pub by_size: Line,
    /// By the number of optional parts.
    pub by_parts: Line,
}

impl Fit {
    /// Fits the decoding times of the 64 messages; `None` if they are not all measured.
    #[must_use]
    pub fn of(study: &Ieee1609, encoding: Encoding, engine: Engine) -> Option<Fit> {
        let of = |row: &&Row| row.encoding == encoding && row.engine == engine && is_one_of_the_64(&row.message);
        let rows: Vec<&Row> = study.rows.iter().filter(of).collect();
        let points = |x: fn(&Row) -> f64| -> Vec<(f64, f64)> {
            rows.iter().filter_map(|row| Some((x(row), row.time(Direction::Decode)?))).collect()
        };
        let by_size = points(|row| row.octets as f64);
        if by_size.len() != MESSAGES {
            return None;
        }
        Some(Fit { by_size: Line::through(&by_size)?, by_parts: Line::through(&points(|row| row.parts as f64))? })
    }

    /// Whether the number of parts fits better.
    #[must_use]
    pub fn parts_fit_better(&self) -> bool {
        self.by_parts.explained > self.by_size.explained
    }
}

/// How many messages the paper had.
const MESSAGES: usize = 64;

/// Only the paper's own messages have numbers.
pub(super) fn is_one_of_the_64(name: &str) -> bool {
    name.strip_prefix("SecuredData-").is_some_and(|number| number.len() == 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_points_on_a_line_explains_all() {
        let line = Line::through(&[(1.0, 5.0), (2.0, 7.0), (4.0, 11.0)]).unwrap();
        assert!((line.at(10.0) - 23.0).abs() < 1e-9 && (line.explained - 1.0).abs() < 1e-9, "{line:?}");
        let line = Line::through(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)]).unwrap();
        assert!(line.slope.abs() < 1e-9 && line.explained.abs() < 1e-9, "{line:?}");
        assert_eq!(Line::through(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)]), None);
    }

    #[test]
    fn a_line_through_scattered_points_is_the_one_worked_out_by_hand() {
        // Means 3 and 4; Σ(x−3)(y−4) = 6, Σ(x−3)² = 10, Σ(y−4)² = 6: slope 0.6, at zero 2.2, R² =
        // 36/60.
        let line = Line::through(&[(1.0, 2.0), (2.0, 4.0), (3.0, 5.0), (4.0, 4.0), (5.0, 5.0)]).unwrap();
        let found = [line.slope, line.at_zero, line.explained, line.at(10.0)];
        let wanted = [0.6, 2.2, 0.6, 8.2];
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9), "{line:?}");
        assert_eq!(Line::through(&[(1.0, 1.0), (2.0, 2.0)]), None);
    }
}
