//! Instructions of an operation: emulated processors have these in place of times.

use serde::{Deserialize, Serialize};

use super::cells::Engine;
use super::description::{Description, in_encoding};
use super::encoding::Encoding;
use super::measured::Ieee1609;
use super::tables::{DENSITIES, ORDER, loads};
use crate::number::or_dash;
use crate::processors::{Cell, PROCESSORS};
use crate::report::table::Table;
use roadwire_measure::cell::Direction;

/// One message in one encoding by one implementation, on an emulated processor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// The processor's name among [`PROCESSORS`].
    pub processor: String,
    /// The message's name.
    pub message: String,
    /// How it is encoded.
    pub encoding: Encoding,
    /// The implementation.
    pub engine: Engine,
    /// Encoding or decoding.
    pub direction: Direction,
    /// The instructions of one operation.
    pub instructions: u64,
}

/// The clock of the paper's ARM, in cycles of a microsecond.
const COHDA: f64 = 800.0;

/// An implementation's name in lines of `processors/run`.
fn name(engine: Engine) -> String {
    engine.name().replace(' ', "-")
}

impl Ieee1609 {
    /// Adds what was counted of a message of this study: `SCHEMA:MESSAGE` is its name. `false` if
    /// the message is not of this run, or this was counted already.
    ///
    /// # Errors
    /// The length of the message differs from that in this run.
    pub(super) fn take_counted(&mut self, cell: &Cell) -> Result<bool, String> {
        let Some((schema, message)) = cell.message.split_once(':') else { return Ok(false) };
        let is_encoding = |one: &Encoding| one.schema().name() == schema && one.rules().name() == cell.rules;
        let is_engine = |one: &Engine| name(*one) == cell.engine;
        let direction = Direction::ALL.into_iter().find(|one| one.name() == cell.direction);
        let encoding = Encoding::ALL.into_iter().find(is_encoding);
        let engine = Engine::ALL.into_iter().find(is_engine);
        let (Some(direction), Some(encoding), Some(engine)) = (direction, encoding, engine) else { return Ok(false) };
        let Some(row) = self.row(message, encoding, engine) else { return Ok(false) };
        // By hand there are only decoders: the generated code encodes.
        if engine == Engine::ByHand && direction == Direction::Encode {
            return Ok(false);
        }
        if row.octets as u64 != cell.octets {
            return Err(format!("expected {} octets of {}, found {}", row.octets, cell.message, cell.octets));
        }
        let (processor, message) = (cell.processor.clone(), message.to_string());
        if self.instructions(&processor, &message, encoding, engine, direction).is_some() {
            return Ok(false);
        }
        let instructions = cell.instructions;
        self.counted.push(Counted { processor, message, encoding, engine, direction, instructions });
        Ok(true)
    }

    /// All counts, as [`Ieee1609::take_counted`] takes them.
    pub(super) fn counted_cells(&self) -> Vec<Cell> {
        let cell = |one: &Counted| {
            let row = self.row(&one.message, one.encoding, one.engine)?;
            Some(Cell {
                processor: one.processor.clone(),
                engine: name(one.engine),
                message: format!("{}:{}", one.encoding.schema().name(), one.message),
                rules: one.encoding.rules().name().into(),
                direction: one.direction.name().into(),
                octets: row.octets as u64,
                instructions: one.instructions,
            })
        };
        self.counted.iter().filter_map(cell).collect()
    }

    /// The instructions of an operation on an emulated processor.
    pub(super) fn instructions(
        &self,
        processor: &str,
        message: &str,
        encoding: Encoding,
        engine: Engine,
        direction: Direction,
    ) -> Option<u64> {
        let cell = (processor, message, encoding, engine, direction);
        let of = |one: &Counted| (one.encoding, one.engine, one.direction);
        let is_it = |one: &&Counted| (one.processor.as_str(), one.message.as_str()) == (cell.0, cell.1);
        let found = self.counted.iter().filter(is_it).find(|one| of(one) == (cell.2, cell.3, cell.4));
        found.map(|one| one.instructions)
    }

    /// The paper's Tables 3 to 5 in instructions: the desktop's, the ARM's, and a second of a road.
    /// Nothing where no processor was emulated.
    pub(super) fn counted_tables(&self) -> Vec<Table> {
        let are_there = |processor: &str| self.counted.iter().any(|one| one.processor == processor);
        let beside = |processor: &str| match processor {
            "x86-64" => " (beside Table 3, a desktop's)",
            "armv7" => " (beside Table 4, of an ARM at 800 MHz)",
            _ => "",
        };
        let emulated = PROCESSORS.iter().filter(|one| are_there(one.name));
        let mut tables: Vec<Table> = emulated
            .map(|one| {
                let title = format!("Decoding the paper's messages on {}: instructions{}", one.cpu, beside(one.name));
                self.counted_on(one.name, title)
            })
            .collect();
        tables.extend((are_there("armv7") && are_there("x86-64")).then(|| self.desktop_against_arm()));
        tables.extend(are_there("armv7").then(|| self.counted_loads()));
        tables
    }

    /// The implementations that were counted on a processor.
    fn counted_engines(&self, processor: &str, encoding: Encoding) -> Vec<Engine> {
        let is_there = |engine: &Engine| {
            let of = |one: &Counted| one.processor == processor && one.encoding == encoding && one.engine == *engine;
            self.counted.iter().any(of)
        };
        Engine::ALL.into_iter().filter(is_there).collect()
    }

    fn counted_on(&self, processor: &str, title: String) -> Table {
        let columns: Vec<(Encoding, Engine)> = ORDER
            .into_iter()
            .flat_map(|encoding| self.counted_engines(processor, encoding).into_iter().map(move |one| (encoding, one)))
            .collect();
        let mut heading = vec!["message".to_string()];
        heading.extend(columns.iter().map(|(encoding, engine)| format!(">{}, {}", encoding.name(), engine.name())));
        let mut table = Table { title, heading, ..Table::default() };
        let mut sums = vec![Some(0); columns.len()];
        for (name, of) in self.ten() {
            let mut row = vec![name];
            for ((encoding, engine), sum) in columns.iter().zip(&mut sums) {
                let of = in_encoding(&of, *encoding);
                let decode = |message| self.instructions(processor, message, *encoding, *engine, Direction::Decode);
                let count = of.and_then(|of| decode(&of.name));
                *sum = sum.zip(count).map(|(sum, count)| sum + count);
                row.push(or_dash(count));
            }
            table.rows.push(row);
        }
        table.rows.push([vec!["sum".to_string()], sums.into_iter().map(or_dash).collect()].concat());
        table.notes.push("Instructions are not times: how long one takes is the processor's.".into());
        table
    }

    /// The paper's comparison of two processors, in instructions of each: sums of the messages that
    /// both have.
    fn desktop_against_arm(&self) -> Table {
        let mut table = Table::new(
            "Desktop against ARM: instructions of decoding the paper's ten messages",
            &[
                "encoding",
                "engine",
                ">messages",
                ">x86-64",
                ">ARMv7",
                ">ARMv7 / x86-64",
                ">rank on x86-64",
                ">on ARMv7",
            ],
        );
        let sum = |processor: &str, encoding, engine| -> Option<(usize, u64)> {
            let count = |(_, of): (String, Vec<Description>)| {
                let of = in_encoding(&of, encoding)?;
                self.instructions(processor, &of.name, encoding, engine, Direction::Decode)
            };
            let counts: Vec<u64> = self.ten().into_iter().filter_map(count).collect();
            (!counts.is_empty()).then(|| (counts.len(), counts.iter().sum()))
        };
        let both = |(encoding, engine)| {
            let (desktop, arm) = (sum("x86-64", encoding, engine)?, sum("armv7", encoding, engine)?);
            (desktop.0 == arm.0).then_some((encoding, engine, desktop.0, desktop.1, arm.1))
        };
        let columns = ORDER.into_iter().flat_map(|encoding| Engine::ALL.map(|engine| (encoding, engine)));
        let found: Vec<_> = columns.filter_map(both).collect();
        for (encoding, engine, messages, desktop, arm) in &found {
            let desktop_rank = 1 + found.iter().filter(|other| other.3 < *desktop).count();
            let arm_rank = 1 + found.iter().filter(|other| other.4 < *arm).count();
            table.row([
                encoding.name().into(),
                engine.name().into(),
                messages.to_string(),
                desktop.to_string(),
                arm.to_string(),
                format!("{:.2}", *arm as f64 / *desktop as f64),
                desktop_rank.to_string(),
                arm_rank.to_string(),
            ]);
        }
        table.notes.push("Both are emulated. The rank is by instructions, of all rows here.".into());
        table
    }

    fn counted_loads(&self) -> Table {
        let has = |engine: &Engine| self.counted.iter().any(|one| one.processor == "armv7" && one.engine == *engine);
        let engines: Vec<Engine> = Engine::ALL.into_iter().filter(has).collect();
        let decode = |message: &str, encoding, engine| {
            self.instructions("armv7", message, encoding, engine, Direction::Decode).map(|count| count as f64)
        };
        let title = "Decoding in one second of a road on ARMv7, emulated: thousands of instructions (beside Table 5)";
        let mut table = loads(title, &DENSITIES, &engines, COHDA * 10.0, decode);
        table.notes.push(
            "%: the share of a second of the paper's ARM, at 800 MHz, if each instruction took one cycle. It is a scale, not a time.".into(),
        );
        table
    }

    /// Every count, for a file.
    pub(super) fn all_counted(&self) -> Table {
        let heading = ["processor", "message", "encoding", "engine", "direction", "instructions"];
        let mut table =
            Table::new("Messages of IEEE 1609.2 on emulated processors: instructions of one operation", &heading);
        for one in &self.counted {
            table.row([
                one.processor.clone(),
                one.message.clone(),
                one.encoding.name().into(),
                one.engine.name().into(),
                one.direction.name().into(),
                one.instructions.to_string(),
            ]);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::super::measured::Row;
    use super::*;
    use crate::experiment::Findings as _;
    use crate::record::Run;

    fn study() -> Ieee1609 {
        let row = |message: &str, encoding| Row::new(message.into(), encoding, Engine::Toed, 19, 0);
        let rows = ["SecuredData-001", "BSM-digest", "BSM-cert"].iter();
        let rows = rows.flat_map(|name| Encoding::ALL.map(|encoding| row(name, encoding))).collect();
        Ieee1609 { rows, ..Ieee1609::of(Run::sample()) }
    }

    fn cell(message: &str, rules: &'static str, octets: u64, instructions: u64) -> Cell {
        Cell {
            processor: "armv7".into(),
            engine: "roadwire-toed".into(),
            message: message.into(),
            rules: rules.into(),
            direction: "decode".into(),
            octets,
            instructions,
        }
    }

    #[test]
    fn a_count_is_of_the_schema_and_rules_that_the_line_names() {
        let mut study = study();
        for (schema, rules, count) in [
            ("dot2-original-2015", "uper", 300),
            ("dot2-p-2015", "uper", 200),
            ("dot2-original-2015", "oer", 100),
            ("ieee1609dot2-2013", "tls", 50),
        ] {
            let name = format!("{schema}:SecuredData-001");
            assert_eq!(study.take_counted(&cell(&name, rules, 19, count)), Ok(true));
        }
        let of = |encoding| {
            study.instructions("armv7", "SecuredData-001", encoding, Engine::Toed, Direction::Decode).unwrap()
        };
        assert_eq!(ORDER.map(of), [300, 200, 100, 50]);
        let tables = study.counted_tables();
        assert_eq!(tables[0].rows[0][..5], ["Unsecured", "300", "200", "100", "50"]);
        assert!(tables[0].title.contains("Table 4") && tables[1].title.contains("Table 5"), "{tables:?}");
        assert_eq!(study.files()[2].table.rows.len(), 4);
    }

    #[test]
    fn cells_that_the_run_does_not_have_are_not_taken_and_other_octets_are_refused() {
        let mut study = study();
        for (message, rules) in
            [("cam-mandatory", "uper"), ("dot2-p-2015:SecuredData-001", "oer"), ("dot2-p-2015:SecuredData-999", "uper")]
        {
            assert_eq!(study.take_counted(&cell(message, rules, 19, 1)), Ok(false), "{message}");
        }
        let why = study.take_counted(&cell("dot2-p-2015:BSM-cert", "uper", 20, 1)).unwrap_err();
        assert!(why.contains("expected 19 octets") && why.contains("found 20"), "{why}");
        assert!(study.counted_tables().is_empty());
    }

    #[test]
    fn what_decodes_by_hand_has_no_count_of_encoding() {
        let mut study = study();
        let row = study.rows[0].clone();
        study.rows.push(Row { message: "SecuredData-001".into(), engine: Engine::ByHand, ..row });
        study.rows.last_mut().unwrap().encoding = Encoding::OerOriginal;
        let decode = Cell { engine: "by-hand".into(), ..cell("dot2-original-2015:SecuredData-001", "oer", 19, 100) };
        let encode = Cell { direction: "encode".into(), ..decode.clone() };
        assert_eq!([decode, encode].map(|cell| study.take_counted(&cell)), [Ok(true), Ok(false)]);
    }

    /// `--with`: counts of another report fill what this one has not, and change nothing else.
    #[test]
    fn counts_of_another_report_fill_what_this_one_has_not() {
        let (mut here, mut there) = (study(), study());
        let p = |message: &str, count| cell(&format!("dot2-p-2015:{message}"), "uper", 19, count);
        here.take_counted(&p("BSM-cert", 100)).unwrap();
        for (message, count) in [("BSM-cert", 999), ("BSM-digest", 70)] {
            there.take_counted(&p(message, count)).unwrap();
        }
        let taken: Vec<bool> = there.cells().iter().map(|cell| here.take(cell).unwrap()).collect();
        assert_eq!(taken, [false, true]);
        let counts: Vec<u64> = here.counted.iter().map(|one| one.instructions).collect();
        assert_eq!(counts, [100, 70]);
    }

    /// The paper's two machines: a factor, and the ranks on each.
    #[test]
    fn the_desktop_and_the_arm_stand_side_by_side_with_their_ranks() {
        let mut study = study();
        for (processor, rules, count) in
            [("x86-64", "uper", 300), ("x86-64", "oer", 100), ("armv7", "uper", 140), ("armv7", "oer", 150)]
        {
            let name = "dot2-original-2015:BSM-cert";
            let cell = Cell { processor: processor.into(), ..cell(name, rules, 19, count) };
            study.take_counted(&cell).unwrap();
        }
        let tables = study.counted_tables();
        let table = tables.iter().find(|table| table.title.starts_with("Desktop against ARM")).unwrap();
        assert_eq!(table.rows[0][2..], ["1", "300", "140", "0.47", "2", "1"]);
        assert_eq!(table.rows[1][2..], ["1", "100", "150", "1.50", "1", "2"]);
        let pictures = study.all_pictures(&|[table, row, _]| (table == "4" && row == "BSM-cert").then_some(1000.0));
        let svg =
            |name: &str| pictures.iter().find(|(file, _)| file == name).unwrap_or_else(|| panic!("{name}")).1.svg();
        let arm = svg("ieee1609-ours-decode-armv7.svg");
        // A microsecond has 800 cycles.
        assert!(arm.contains("printed 800") && arm.contains("Cohda"), "{arm}");
        assert!(!svg("ieee1609-ours-decode-x86-64.svg").contains("printed 800"));
    }

    /// A second of the paper's ARM has 800 million cycles.
    #[test]
    fn a_second_of_a_road_is_a_share_of_the_cycles_of_the_papers_arm() {
        let mut study = study();
        for (message, count) in [("BSM-digest", 1000), ("BSM-cert", 2000)] {
            let name = format!("ieee1609dot2-2013:{message}");
            study.take_counted(&cell(&name, "tls", 19, count)).unwrap();
        }
        let table = study.counted_tables().pop().unwrap();
        let last = table.rows.last().unwrap();
        assert_eq!((last[0].as_str(), last[1].as_str()), ("1000", "100"));
        assert_eq!(last[9..], ["2000", "0.2500"]);
    }
}
