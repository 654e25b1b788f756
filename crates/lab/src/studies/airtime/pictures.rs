//! The study's figures.

use roadwire_layout::Rules;

use super::measured::Airtime;
use super::road::Held;
use roadwire_measure::plot::{Line, LinePlot, Plot, Scale};

/// The encodings that are drawn; of those with about the same times, one.
const DRAWN: [Rules; 6] = [Rules::Uper, Rules::Coer, Rules::Protobuf, Rules::Der, Rules::Jer, Rules::Xer];
/// The density that is drawn, in stations a kilometre: even a quick run has it.
const PER_KM: u32 = 120;

impl Airtime {
    /// All figures.
    pub(super) fn all_pictures(&self) -> Vec<(String, Plot)> {
        vec![
            ("airtime-reception.svg".into(), self.drawn_reception().into()),
            ("airtime-published.svg".into(), self.drawn_published().into()),
        ]
    }

    fn drawn_reception(&self) -> LinePlot {
        let line = |rules: Rules| {
            let road = self.road(rules, PER_KM)?;
            Some(Line { name: rules.to_string(), points: points(&road.reception) })
        };
        LinePlot {
            title: format!("A CAM in 1609.2: reception over distance, {PER_KM} stations a km, 10 Hz"),
            x: "metres".into(),
            y: "share received".into(),
            scale: Scale::Linear,
            lines: DRAWN.into_iter().filter_map(line).collect(),
            notes: vec!["Simulated. One message of ten has the certificate. Of encodings whose frames take about the same time, one is drawn.".into()],
        }
    }

    fn drawn_published(&self) -> LinePlot {
        // There is room for short names alone beside the lines.
        let pair = |(place, held): (usize, &Held)| {
            [("ours", &held.reception), ("published", &held.published)]
                .map(|(whose, reception)| Line { name: format!("{}, {whose}", place + 1), points: points(reception) })
        };
        let names: Vec<String> =
            self.held.iter().enumerate().map(|(place, held)| format!("{}: {}", place + 1, held.name())).collect();
        LinePlot {
            title: "Our simulation and a published one (Sepulcre et al. 2021)".into(),
            x: "metres".into(),
            y: "share received".into(),
            scale: Scale::Linear,
            lines: self.held.iter().enumerate().flat_map(pair).collect(),
            notes: vec![
                format!("{}.", names.join("; ")),
                "Stations a km, messages a second, octets without MAC header and frame check sequence; 6 Mbit/s, 23 dBm.".into(),
            ],
        }
    }
}

/// A point every 25 m.
fn points(reception: &[f64]) -> Vec<(f64, f64)> {
    reception.iter().enumerate().map(|(at, share)| (25.0 * at as f64, *share)).collect()
}
