//! How long the security envelope of a vehicle's CAMs is on average, at any rates (2015, V-C1).

use serde::Deserialize;

use crate::quantity::Quantity;
use crate::report::table::Table;
use crate::verdict::Measured;

/// Of TS 103 097 and EN 302 637-2, as the 2015 study has them (V-C1): messages a second, and how many of them have the certificate.
pub(crate) const PUBLISHED: Rates = Rates { messages: 10.0, certificates: 1.0 };

/// What a vehicle sends in a second.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub struct Rates {
    /// Messages (f_CAM), in Hz.
    pub messages: f64,
    /// How many of them at the least carry the certificate (f_cert), in Hz.
    pub certificates: f64,
}

/// What a study asks for.
#[derive(Debug, Clone, Deserialize)]
pub struct Averages {
    /// Name of the message with the signer's digest.
    pub digest: String,
    /// Name of that with the certificate.
    pub certificate: String,
    /// At these rates.
    pub rates: Vec<Rates>,
}

/// The smallest average length of an envelope, in octets: those that have to carry the certificate do, the others have its digest. At most every message carries one.
#[must_use]
pub fn average_envelope(digest: f64, certificate: f64, rates: Rates) -> f64 {
    let with = rates.certificates.min(rates.messages);
    ((rates.messages - with) * digest + with * certificate) / rates.messages
}

/// The averages of the lengths that were measured, for each encoding.
pub fn table(averages: &Averages, rules: &[String], measured: Measured<'_>) -> Table {
    let length_of =
        |message: &str, rules: &str| Quantity::parse(&format!("{rules}/octets:{message}"))?.value(measured).ok();
    let lengths: Vec<(&String, f64, f64)> = rules
        .iter()
        .filter_map(|rules| {
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
