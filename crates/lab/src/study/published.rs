//! The published figures of a study, from `studies/NAME/published.csv`.

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
    /// What the paper printed.
    pub value: f64,
    /// How many decimals it printed.
    pub decimals: usize,
    /// Section or page.
    pub place: String,
    /// Our measurement with which it is compared, if any.
    pub ours: Option<Formula>,
    /// The name of the [`Fit`] from which our value results, if any.
    pub fit: String,
    /// The other figure that it repeats, if any: it is then not counted.
    pub same: String,
    /// A note about it.
    pub note: String,
}

impl Published {
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
    if lines.next() != Some("table,row,column,unit,value,where,ours,fit,same,note") {
        return Err("published.csv: unexpected heading".into());
    }
    lines
        .enumerate()
        .map(|(i, line)| {
            let wrong = |what: String| format!("published.csv line {}: {what}", i + 2);
            let fields = fields(line);
            let [table, row, column, unit, value, place, ours, fit, same, note] = fields.as_slice() else {
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
                same: same.clone(),
                note: note.clone(),
            })
        })
        .collect()
}
