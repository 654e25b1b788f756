//! The study's figure.

use roadwire_layout::Rules;

use super::measured::Evolution;
use roadwire_measure::plot::{Bar, BarGroup, BarPlot, Plot};

/// The encodings that are drawn: of those with the same octets, one.
const DRAWN: [Rules; 10] = [
    Rules::Uper,
    Rules::Aper,
    Rules::Coer,
    Rules::Exi,
    Rules::Protobuf,
    Rules::Cbor,
    Rules::Der,
    Rules::Cer,
    Rules::Jer,
    Rules::Xer,
];

impl Evolution {
    /// All figures.
    pub(super) fn all_pictures(&self) -> Vec<(String, Plot)> {
        let groups = [("", "mandatory components"), ("-full", "all containers")].map(|(content, name)| BarGroup {
            name: name.into(),
            bars: DRAWN.into_iter().flat_map(|rules| self.bars(content, rules)).collect(),
        });
        let plot = BarPlot {
            title: "The same CAM in four versions".into(),
            x: "octets (logarithmic)".into(),
            shades: ["1.3.0", "1.4.1", "2.1.1", "2.3.1"].map(Into::into).into(),
            marks: None,
            groups: groups.into(),
            notes: vec!["All containers: those of 1.4.1, with 23 points of the path.".into()],
        };
        vec![("evolution-cam.svg".into(), plot.into())]
    }

    fn bars(&self, content: &str, rules: Rules) -> Vec<Bar> {
        let of = |step: &str, at: usize| self.cost(&format!("{step}{content}"), rules).map(|cost| cost.octets[at]);
        let versions = [of("cam-1.4.1", 0), of("cam-1.4.1", 1), of("cam-2.1.1", 1), of("cam-2.3.1", 1)];
        let bar = |(shade, octets): (usize, Option<usize>)| {
            let value = octets? as f64;
            let name = if shade == 0 { rules.to_string() } else { String::new() };
            Some(Bar { name, remark: String::new(), value, interval: (value, value), mark: None, shade })
        };
        versions.into_iter().enumerate().filter_map(bar).collect()
    }
}
