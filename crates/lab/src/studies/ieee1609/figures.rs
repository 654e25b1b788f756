//! The study's drawings. The paper has none.

use super::cells::Engine;
use super::description::Description;
use super::encoding::Encoding;
use super::fit::{Fit, Line, is_one_of_the_64};
use super::measured::{Ieee1609, Row};
use super::tables::ORDER;
use crate::experiment::Printed;
use crate::processors::PROCESSORS;
use roadwire_measure::cell::Direction;
use roadwire_measure::plot::{Bar, BarGroup, BarPlot, Cloud, Panel, Plot, ScatterPlot};

/// The columns of the paper's tables of times that its figures here compare with.
const OFF_THE_SHELF: [&str; 4] = ["vendor 2, UPER-O, OTS", "vendor 2, UPER-P, OTS", "vendor 2, OER, OTS", "1609.2"];

/// The printed value of a row and a column, if there is one.
type Marks<'m> = &'m dyn Fn(&str, &str) -> Option<f64>;

/// A table of times of the paper, and the clock that turns them into cycles.
struct Clock {
    table: &'static str,
    mhz: f64,
    of: &'static str,
    /// The emulated processor of its kind.
    emulated: &'static str,
}

const CLOCKS: [Clock; 2] = [
    Clock { table: "3", mhz: 3000.0, of: "a desktop at 3 GHz", emulated: "x86-64" },
    Clock { table: "4", mhz: 800.0, of: "a Cohda MK4 at 800 MHz", emulated: "armv7" },
];

impl Ieee1609 {
    /// File names and plots.
    pub(super) fn all_pictures(&self, printed: Printed<'_>) -> Vec<(String, Plot)> {
        let mut figures = vec![("ieee1609-ours-lengths.svg".into(), self.drawn_lengths(printed).into())];
        figures.extend(
            self.normal().map(|normal| ("ieee1609-ours-decode.svg".into(), self.drawn_times(normal, printed).into())),
        );
        figures.extend(CLOCKS.iter().filter_map(|clock| {
            let plot = self.drawn_counts(clock, printed)?;
            Some((format!("ieee1609-ours-decode-{}.svg", clock.emulated), plot.into()))
        }));
        for (name, encoding) in [("oer", Encoding::OerOriginal), ("uper-o", Encoding::UperOriginal)] {
            let drawn = self.drawn_fit(encoding, Engine::Toed);
            figures.extend(drawn.map(|plot| (format!("ieee1609-ours-extrapolation-{name}.svg"), plot.into())));
        }
        figures
    }

    fn drawn_lengths(&self, printed: Printed<'_>) -> BarPlot {
        let columns = ["vendor 2, UPER-O", "vendor 2, UPER-P", "vendor 2, OER", "1609.2"];
        let printed = |row: &str, column: &str| printed(["2", row, column]);
        let groups = self.groups(&[(Engine::Toed, "")], (&printed, columns), |row| {
            let octets = row.octets as f64;
            Some((octets, (octets, octets)))
        });
        BarPlot {
            title: title("lengths of its messages"),
            x: "octets (logarithmic)".into(),
            shades: vec!["here".into()],
            marks: Some("printed (Table 2)".into()),
            groups,
            notes: vec!["Messages and ASN.1 schemas are reconstructions, fitted to the printed lengths.".into()],
        }
    }

    /// Compared with the paper's compiler output, and its decoder of 1609.2.
    fn drawn_times(&self, normal: f64, printed: Printed<'_>) -> BarPlot {
        let engines = [(Engine::Toed, ""), (Engine::Lent, ", borrowing")];
        let printed = |row: &str, column: &str| printed(["3", row, column]);
        let groups = self.groups(&engines, (&printed, OFF_THE_SHELF), |row| {
            let time = row.decode.as_ref()?;
            Some((time.median * normal, (time.p25 * normal, time.p75 * normal)))
        });
        BarPlot {
            title: title("decoding its messages, normalised to 3 GHz"),
            x: "nanoseconds (logarithmic); bar: median, whisker: quartiles".into(),
            shades: engines.map(|(engine, _)| engine.name().into()).into(),
            marks: Some("printed (Table 3)".into()),
            groups,
            notes: vec![
                self.on(),
                "Printed, ASN.1: vendor 2's compiler off the shelf (OTS); a Basic Safety Message is extrapolated. Printed, 1609.2: Security Innovation's \
                 decoder in C. Another language, another machine: no time of ours is of their code."
                    .into(),
                "Not drawn: vendor 1, and what vendor 2 optimised by hand (custom); the table beside it has the decoder by hand."
                    .into(),
            ],
        }
    }

    /// Instructions on an emulated processor, beside the cycles that the paper's processor took.
    /// `None` if that one was not emulated.
    fn drawn_counts(&self, clock: &Clock, printed: Printed<'_>) -> Option<BarPlot> {
        let processor = PROCESSORS.iter().find(|one| one.name == clock.emulated)?;
        self.counted.iter().find(|one| one.processor == clock.emulated)?;
        let engines = [(Engine::Toed, ""), (Engine::Lent, ", borrowing"), (Engine::ByHand, ", by hand")];
        let cycles = |row: &str, column: &str| Some(printed([clock.table, row, column])? * clock.mhz / 1000.0);
        let groups = self.groups(&engines, (&cycles, OFF_THE_SHELF), |row| {
            let count =
                self.instructions(clock.emulated, &row.message, row.encoding, row.engine, Direction::Decode)? as f64;
            Some((count, (count, count)))
        });
        Some(BarPlot {
            title: title("decoding its messages, in instructions"),
            x: "instructions; printed: cycles (logarithmic)".into(),
            shades: engines.map(|(engine, _)| engine.name().into()).into(),
            marks: Some(format!("printed (Table {}), cycles of {}", clock.table, clock.of)),
            groups,
            notes: vec![
                format!("{}.", processor.cpu),
                "These are instructions, not times: how many cycles one takes is the processor's. Printed, ASN.1: vendor 2's compiler off the shelf (OTS)."
                    .into(),
            ],
        })
    }

    fn on(&self) -> String {
        format!("This run is on {}.", self.run.machine.cpu)
    }

    /// One group for each of the ten messages, with a bar for each encoding and implementation; the
    /// first bar is compared with the printed figures of a table's columns.
    fn groups(
        &self,
        engines: &[(Engine, &str)],
        (printed, columns): (Marks<'_>, [&str; 4]),
        value: impl Fn(&Row) -> Option<(f64, (f64, f64))>,
    ) -> Vec<BarGroup> {
        let bar = |name: &str, of: &[Description], encoding: Encoding, column: &str, shade: usize| {
            let (engine, remark) = engines[shade];
            let row = self.of_ten(of, encoding, engine)?;
            let (value, interval) = value(row)?;
            let mark = printed(name, column).filter(|_| shade == 0);
            let printed = mark.map_or(String::new(), |mark| format!(" (printed {mark:.0})"));
            Some(Bar {
                name: format!("{}{remark}", row.encoding.name()),
                remark: printed,
                value,
                interval,
                mark,
                shade,
            })
        };
        let group = |(name, of): (String, Vec<Description>)| {
            let pairs = ORDER.into_iter().zip(columns);
            let all =
                pairs.flat_map(|(encoding, column)| (0..engines.len()).map(move |shade| (encoding, column, shade)));
            let bars = all.filter_map(|(encoding, column, shade)| bar(&name, &of, encoding, column, shade)).collect();
            BarGroup { bars, name }
        };
        self.ten().into_iter().map(group).collect()
    }

    /// The paper's extrapolation to the Basic Safety Message, and its measured time.
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
            title: title(&format!("decoding {} by {}, extrapolated as it did", encoding.name(), engine.name())),
            y: "nanoseconds".into(),
            panels: vec![
                panel("length, octets", |row| row.octets as f64, fit.by_size),
                panel("optional parts", |row| row.parts as f64, fit.by_parts),
            ],
            notes: vec![self.on()],
        })
    }
}

fn title(what: &str) -> String {
    format!("Ours (the paper has no figures): {what}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Run;
    use crate::studies::ieee1609::description;
    use crate::study;
    use roadwire_measure::stats::summarise;

    /// Every message by every implementation; one that borrows takes 22 ns, any other 50.
    fn figures() -> Vec<(String, String)> {
        let mut run = Run::sample();
        run.machine.mhz = 3000.0;
        let mut rows = Vec::new();
        for (of, encoding) in
            description::all().unwrap().iter().flat_map(|of| Encoding::ALL.map(|encoding| (of.clone(), encoding)))
        {
            let Some(octets) = of.length(encoding) else { continue };
            for engine in Engine::ALL.into_iter().filter(|engine| engine.has(encoding)) {
                let parts = of.optional_parts(encoding);
                let decode = summarise(&[if engine == Engine::Lent { 22.0 } else { 50.0 + octets as f64 / 1000.0 }]);
                rows.push(Row { decode, ..Row::new(of.name.clone(), encoding, engine, octets, parts) });
            }
        }
        let found = Ieee1609 { rows, ..Ieee1609::of(run) };
        let studies = study::all().unwrap();
        let study = studies.iter().find(|study| study.experiment == crate::studies::ieee1609::NAME).unwrap();
        let drawn = found.all_pictures(&|place| study.printed_at(place));
        drawn.into_iter().map(|(name, plot)| (name, plot.svg())).collect()
    }

    #[test]
    fn every_figure_says_that_the_paper_has_none() {
        let figures = figures();
        let names: Vec<&str> = figures.iter().map(|(name, _)| name.as_str()).collect();
        let ours = ["lengths", "decode", "extrapolation-oer", "extrapolation-uper-o"];
        assert_eq!(names, ours.map(|name| format!("ieee1609-ours-{name}.svg")));
        assert!(figures.iter().all(|(_, svg)| svg.contains(">Ours (the paper has no figures): ")));
    }

    #[test]
    fn printed_times_stand_beside_the_compiler_as_it_comes_and_nowhere_else() {
        let (_, svg) = &figures()[1];
        let lines = || svg.lines().filter(|line| line.starts_with("<text"));
        // Table 3, Signed-digest-small: 364 off the shelf and 165 by hand in UPER-O, 201 in 1609.2.
        assert!(
            svg.contains("(printed 364)<")
                && svg.contains("(printed 201)<")
                && !svg.contains("(printed 47)<")
                && !svg.contains("1320")
        );
        let borrowing = lines().filter(|line| line.contains(", borrowing<")).count();
        assert_eq!(
            (borrowing, lines().filter(|line| line.contains(">22<")).count()),
            (40, 40),
            "none of them with a print"
        );
        assert!(!svg.contains("hand-optimised") && svg.contains(">printed (Table 3)<"));
    }
}
