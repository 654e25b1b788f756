//! The average size of a security envelope at the rates that a study asks for.

use roadwire_layout::Rules;

use super::table::Table;
use crate::measured::Measured;
use crate::quantity::{OfMessage, Quantity};
use crate::rates::{Averages, average_envelope};

/// The averages of the measured lengths, for each encoding.
pub(super) fn table(averages: &Averages, rules: &[Rules], measured: Measured<'_>) -> Table {
    let length_of = |message: &str, rules: Rules| {
        Quantity::Message { message: message.into(), rules, of: OfMessage::Octets }.value(measured).ok()
    };
    let lengths: Vec<(Rules, f64, f64)> = rules
        .iter()
        .filter_map(|&rules| {
            Some((rules, length_of(&averages.digest, rules)?, length_of(&averages.certificate, rules)?))
        })
        .collect();
    let mut table = Table::new(
        "The average size of a CAM's security envelope at other rates, octets",
        &[">f_CAM, Hz", ">f_cert, Hz"],
    );
    table.heading.extend(lengths.iter().map(|(rules, ..)| format!(">{rules}")));
    for rates in &averages.rates {
        let mut row = vec![rates.messages.to_string(), rates.certificates.to_string()];
        row.extend(
            lengths
                .iter()
                .map(|(_, digest, certificate)| format!("{:.1}", average_envelope(*digest, *certificate, *rates))),
        );
        table.rows.push(row);
    }
    table.notes.push(
        "`((f_CAM - f_cert) * s_digest + f_cert * s_certificate) / f_CAM`, where at most every message has the certificate."
            .into(),
    );
    table
}
