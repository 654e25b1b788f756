//! The published figures of a study, from `studies/NAME/published.csv`.

use std::fmt;

use crate::claims::formula::{Formula, Sets};
use crate::csv::fields;
use crate::experiment::FigureOf;
use crate::quantity::{OfMessage, OfOperation, Quantity};

/// One published figure.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Published {
    /// Number of the table.
    pub table: String,
    /// The table's row.
    pub row: String,
    /// The table's column.
    pub column: String,
    /// Unit of the value.
    pub unit: String,
    /// The printed value.
    pub value: f64,
    /// How many decimals it printed.
    pub decimals: usize,
    /// Section or page.
    pub place: String,
    /// Our measurement with which it is compared, if any.
    pub ours: Option<Formula>,
    /// The name of the [`Fit`] from which our value results, if any.
    pub fit: String,
    /// Whether it counts among the figures of its study.
    pub counted: Counted,
    /// A note about it.
    pub note: String,
}

/// Whether a figure counts among the figures of its study.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Counted {
    /// It is a result, and counts.
    #[default]
    Once,
    /// It repeats another figure.
    With(String),
    /// It is a condition of the study, such as a number of runs.
    Condition,
    /// Claims judge it: the claims' names.
    AsClaim(Vec<String>),
}

impl Counted {
    /// From the column `counted`: empty, `condition`, `claim NAME…`, or the figure that it repeats.
    fn read(text: &str) -> Counted {
        match text {
            "" => Counted::Once,
            "condition" => Counted::Condition,
            _ => match text.strip_prefix("claim ") {
                Some(claims) => Counted::AsClaim(claims.split(' ').map(str::to_string).collect()),
                None => Counted::With(text.into()),
            },
        }
    }
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Counted::Once => Ok(()),
            Counted::With(other) => f.write_str(other),
            Counted::Condition => f.write_str("a condition"),
            Counted::AsClaim(claims) => write!(f, "claim {}", claims.join(", ")),
        }
    }
}

impl Published {
    /// Whether it counts among the figures of its study.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        self.counted == Counted::Once
    }

    /// The quantity, if there is only one.
    #[must_use]
    pub fn quantity(&self) -> Option<&Quantity> {
        match &self.ours {
            Some(Formula::Quantity(quantity)) => Some(quantity),
            _ => None,
        }
    }
}

/// The value that a paper prints for a quantity.
///
/// # Errors
/// It prints no such figure.
pub(crate) fn printed(quantity: &Quantity, published: &[Published]) -> Result<f64, String> {
    let of = |wanted: &Quantity| {
        let figure = published.iter().find(|figure| figure.quantity() == Some(wanted));
        figure.map(|figure| figure.value).ok_or_else(|| "the paper prints no such figure".to_string())
    };
    match quantity {
        Quantity::Message { of: OfMessage::Operation(_, _, OfOperation::Memory), .. } => {
            let parts = [OfOperation::Heap, OfOperation::Stack].map(|part| quantity.of_operation(part));
            parts.iter().flatten().map(of).sum()
        }
        Quantity::Experiment(FigureOf(figure)) => match figure.as_printed() {
            Some(printed) => of(&Quantity::Experiment(FigureOf(printed))),
            None => of(quantity),
        },
        other => of(other),
    }
}

/// Reads `published.csv`.
///
/// # Errors
/// The line that is wrong, and why.
pub(super) fn read(csv: &str, sets: &Sets) -> Result<Vec<Published>, String> {
    let mut lines = csv.lines();
    if lines.next() != Some("table,row,column,unit,value,where,ours,fit,counted,note") {
        return Err("published.csv: unexpected heading".into());
    }
    lines
        .enumerate()
        .map(|(i, line)| {
            let wrong = |what: String| format!("published.csv line {}: {what}", i + 2);
            let fields = fields(line);
            let [table, row, column, unit, value, place, ours, fit, counted, note] = fields.as_slice() else {
                return Err(wrong("not ten fields".into()));
            };
            let formula = |text: &String| Formula::parse(text, sets).map_err(wrong);
            Ok(Published {
                table: table.clone(),
                row: row.clone(),
                column: column.clone(),
                unit: unit.clone(),
                value: value.parse().map_err(|_| wrong("value".into()))?,
                decimals: value.split_once('.').map_or(0, |(_, decimals)| decimals.len()),
                place: place.clone(),
                ours: Some(ours).filter(|text| !text.is_empty()).map(formula).transpose()?,
                fit: fit.clone(),
                counted: Counted::read(counted),
                note: note.clone(),
            })
        })
        .collect()
}
