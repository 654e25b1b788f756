//! The study's figures.

use roadwire_layout::Rules;

use super::measured::Today;
use super::tables::PACKET;
use roadwire_measure::plot::{Bar, BarGroup, BarPlot, Line, LinePlot, Plot, Scale};

/// The encodings that are drawn: of those with the same octets for these messages, one.
const DRAWN: [Rules; 11] = [
    Rules::Uper,
    Rules::Aper,
    Rules::Coer,
    Rules::Exi,
    Rules::ExiDefault,
    Rules::Protobuf,
    Rules::Cbor,
    Rules::Der,
    Rules::Cer,
    Rules::Jer,
    Rules::Xer,
];

impl Today {
    /// All figures.
    pub(super) fn all_pictures(&self) -> Vec<(String, Plot)> {
        vec![
            ("today-lengths.svg".into(), self.drawn_lengths().into()),
            ("today-objects.svg".into(), self.drawn_objects().into()),
        ]
    }

    fn drawn_lengths(&self) -> BarPlot {
        let bar = |message: &str, rules: Rules| {
            let length = self.length(message, rules)?;
            let value = length.octets as f64;
            Some(Bar {
                name: rules.to_string(),
                remark: format!(" ({})", length.on_the_road[1]),
                value,
                interval: (value, value),
                mark: Some(length.on_the_road[1] as f64),
                shade: 0,
            })
        };
        let groups = ["cam-typical", "denm-typical", "cpm-10", "vam-typical"].map(|message| BarGroup {
            name: message.into(),
            bars: DRAWN.into_iter().filter_map(|rules| bar(message, rules)).collect(),
        });
        BarPlot {
            title: "Messages of release 2".into(),
            x: "octets (logarithmic)".into(),
            shades: vec!["message".into()],
            marks: Some("with its envelope in COER, certificate included".into()),
            groups: groups.into(),
            notes: vec!["oer has coer's lengths here, and ber has der's; cxer and exer have xer's.".into()],
        }
    }

    fn drawn_objects(&self) -> LinePlot {
        let line = |rules: Rules| {
            let point = |objects: u32| {
                let length = self.length(&format!("cpm-{objects}"), rules)?;
                Some((f64::from(objects), length.on_the_road[0] as f64))
            };
            Line { name: rules.to_string(), points: [1, 10, 40, 128].into_iter().filter_map(point).collect() }
        };
        let mut lines: Vec<Line> =
            [Rules::Uper, Rules::Coer, Rules::Protobuf, Rules::Der, Rules::Jer].into_iter().map(line).collect();
        lines.push(Line {
            name: "one packet".into(),
            points: [1.0, 128.0].into_iter().map(|objects| (objects, PACKET as f64)).collect(),
        });
        LinePlot {
            title: "A CPM in its envelope, over its objects".into(),
            x: "objects".into(),
            y: "octets".into(),
            scale: Scale::Logarithmic,
            lines,
            notes: vec!["The envelope is in COER, and its signer is named by digest.".into()],
        }
    }
}
