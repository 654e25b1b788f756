//! The study's drawings.

use super::cells::Engine;
use super::encoding::Encoding;
use super::fit::{Fit, Line, is_one_of_the_64};
use super::measured::{Ieee1609, Row};
use super::tables::{ORDER, published};
use crate::engine::Direction;
use crate::plot::{Bar, BarGroup, BarPlot, Cloud, Panel, ScatterPlot};

impl Ieee1609 {
    /// File names and SVG.
    pub fn figures(&self) -> Vec<(String, String)> {
        let mut figures = vec![("ieee1609-lengths.svg".into(), self.drawn_lengths().svg())];
        figures.extend(self.normal().map(|normal| ("ieee1609-decode.svg".into(), self.drawn_times(normal).svg())));
        for (name, encoding) in [("oer", Encoding::OerOriginal), ("uper-o", Encoding::UperOriginal)] {
            let drawn = self.drawn_fit(encoding, Engine::Lent);
            figures.extend(drawn.map(|plot| (format!("ieee1609-extrapolation-{name}.svg"), plot.svg())));
        }
        figures
    }

    fn drawn_lengths(&self) -> BarPlot {
        let groups = self.groups(
            Engine::Toed,
            "2",
            ["vendor 2, UPER-O", "vendor 2, UPER-P", "vendor 2, OER", "1609.2"],
            |row| {
                let octets = row.octets as f64;
                Some((octets, (octets, octets)))
            },
        );
        BarPlot {
            title: "Lengths of the paper's messages".into(),
            x: "octets (logarithmic)".into(),
            shades: vec!["ours".into()],
            marks: Some("printed".into()),
            groups,
        }
    }

    /// Of types that borrow, beside the best that the paper has of each encoding.
    fn drawn_times(&self, normal: f64) -> BarPlot {
        let columns = ["vendor 2, UPER-O, custom", "vendor 2, UPER-P, custom", "vendor 2, OER, custom", "1609.2"];
        let groups = self.groups(Engine::Lent, "3", columns, |row| {
            let time = row.decode.as_ref()?;
            Some((time.median * normal, (time.p25 * normal, time.p75 * normal)))
        });
        BarPlot {
            title: "Decoding the paper's messages, normalised to 3 GHz".into(),
            x: "nanoseconds (logarithmic); bar: median, whisker: quartiles".into(),
            shades: vec!["roadwire-lent".into()],
            marks: Some("the paper's hand-optimised code".into()),
            groups,
        }
    }

    /// One group for each of the ten, one bar for each encoding, beside the printed figures of a table's columns.
    fn groups(
        &self,
        engine: Engine,
        table: &str,
        columns: [&str; 4],
        value: impl Fn(&Row) -> Option<(f64, (f64, f64))>,
    ) -> Vec<BarGroup> {
        let published = published();
        let bar = |name: &str, row: &Row, column: &str| {
            let (value, interval) = value(row)?;
            let printed = published.iter().find(|of| of.table == table && of.row == name && of.column == column);
            let mark = printed.map(|of| of.value);
            let remark = mark.map_or(String::new(), |mark| format!(" (printed {mark:.0})"));
            Some(Bar { name: row.encoding.name().into(), remark, value, interval, mark, shade: 0 })
        };
        let group = |(name, of): (String, Vec<_>)| {
            let rows = ORDER.into_iter().zip(columns);
            let bars = rows.filter_map(|(encoding, column)| bar(&name, self.of_ten(&of, encoding, engine)?, column));
            BarGroup { bars: bars.collect(), name }
        };
        self.ten().into_iter().map(group).collect()
    }

    /// The paper's way to the Basic Safety Message, and where that lies.
    fn drawn_fit(&self, encoding: Encoding, engine: Engine) -> Option<ScatterPlot> {
        let fit = Fit::of(self, encoding, engine)?;
        let panel = |what: &str, x: fn(&Row) -> f64, line: Line| {
            let rows = |of: &dyn Fn(&str) -> bool| -> Vec<&Row> {
                let fits = |row: &&Row| row.encoding == encoding && row.engine == engine && of(&row.message);
                self.rows.iter().filter(fits).collect()
            };
            let measured = |rows: Vec<&Row>| -> Vec<(f64, f64)> {
                rows.into_iter().filter_map(|row| Some((x(row), row.time(Direction::Decode)?))).collect()
            };
            let (all, bsm) = (measured(rows(&is_one_of_the_64)), measured(rows(&|name| name.starts_with("BSM-"))));
            let told = bsm.iter().map(|(x, _)| (*x, line.at(*x))).collect();
            let cloud = |name: &str, points| Cloud { name: name.into(), points };
            Panel {
                x: what.into(),
                clouds: vec![
                    cloud("the 64 messages", all),
                    cloud("BSM with digest and with certificate, measured", bsm),
                    cloud("extrapolated", told),
                ],
                line: (line.at_zero, line.slope),
                remark: format!("R² {:.2}", line.explained),
            }
        };
        Some(ScatterPlot {
            title: format!("Decoding {}, {}: the paper's extrapolation", encoding.name(), engine.name()),
            y: "nanoseconds".into(),
            panels: vec![
                panel("length, octets", |row| row.octets as f64, fit.by_size),
                panel("optional parts", |row| row.parts as f64, fit.by_parts),
            ],
        })
    }
}
