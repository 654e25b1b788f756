//! The time types of X.680 §38 that have just one form: text in memory, numbers on the wire.

use num_bigint::BigInt;
use roadwire_model::{IntegerRange, TimeKind};

use crate::build::Builder;
use crate::lower::LowerError;
use crate::{Member, Node, Presence};

/// The node of an integer under the rules at hand.
pub(crate) type IntegerNode<'m> = fn(&mut Builder<'m>, &IntegerRange) -> Result<Node, LowerError>;

impl<'m> Builder<'m> {
    /// DATE, TIME-OF-DAY and DATE-TIME are records of numbers (X.691 §32, X.696 §29), in which nothing is optional: so that of DATE-TIME is the one of DATE and then the
    /// one of TIME-OF-DAY.
    pub(crate) fn fields(
        &mut self,
        kind: TimeKind,
        year: fn(&mut Self) -> Result<Node, LowerError>,
        integer: IntegerNode<'m>,
    ) -> Result<Node, LowerError> {
        let (pattern, has_date, has_time) = match kind {
            TimeKind::Date => ("0000-00-00", true, false),
            TimeKind::TimeOfDay => ("00:00:00", false, true),
            TimeKind::DateTime => ("0000-00-00T00:00:00", true, true),
            _ => return Err(LowerError { message: format!("{kind:?} has no lowering yet (X.691 §32, X.696 §29)") }),
        };
        let mut members = Vec::new();
        if has_date {
            let year = year(self)?;
            members.push(self.number("year", year));
        }
        let date = [("month", 1, 12), ("day", 1, 31)];
        let time = [("hours", 0, 24), ("minutes", 0, 59), ("seconds", 0, 60)];
        let numbers = date.iter().filter(|_| has_date).chain(time.iter().filter(|_| has_time));
        for (name, lower, upper) in numbers {
            let node = integer(self, &range(*lower, Some(*upper), false))?;
            members.push(self.number(name, node));
        }
        let pattern = self.name(pattern);
        Ok(Node::Fields { pattern, members: self.members(members) })
    }

    /// DURATION-INTERVAL-ENCODING (X.691 §32.6, X.696 §29): years, months, weeks, days, hours, minutes, seconds, and the number and value of a fraction's digits.
    pub(crate) fn duration(&mut self, ranges: [IntegerRange; 9], integer: IntegerNode<'m>) -> Result<Node, LowerError> {
        let names =
            ["years", "months", "weeks", "days", "hours", "minutes", "seconds", "number-of-digits", "fractional-value"];
        let mut members = Vec::new();
        for (name, range) in names.into_iter().zip(ranges) {
            let node = integer(self, &range)?;
            members.push(self.number(name, node));
        }
        Ok(Node::Duration { members: self.members(members) })
    }

    pub(crate) fn number(&mut self, name: &str, node: Node) -> Member {
        Member { name: self.name(name), node: self.add(node), component: 0, presence: Presence::Mandatory }
    }
}

/// A range of integers.
pub(crate) fn range(lower: i64, upper: Option<i64>, extensible: bool) -> IntegerRange {
    IntegerRange { lower: Some(BigInt::from(lower)), upper: upper.map(BigInt::from), extensible }
}
