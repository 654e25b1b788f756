//! The study's own tables.

use super::batched::{Batched, ROADWIRE};
use super::exchange::Experiment;
use super::figure::MS;
use super::generator::Generator;
use super::peer::Refused;
use super::secured::Secured;
use super::spaced::title;
use super::spread::Spread;
use super::{Certificates, Order};
use crate::number::{or_dash, significant};
use crate::report::table::Table;
use roadwire_measure::stats::Summary;

impl Certificates {
    /// All tables, the paper's Table I first.
    pub(super) fn all_tables(&self) -> Vec<Table> {
        let mut tables: Vec<Table> = self.largest().map(certificates).into_iter().collect();
        if let (Some(table), Some([sender, receiver])) = (tables.first_mut(), &self.between) {
            table.notes.push(format!("Two programs: the sender ran on {sender}, the receiver on {receiver}."));
        }
        tables.push(self.batches());
        tables.push(self.position());
        let uniform = self.experiments.iter().find(|e| e.generator == Generator::Uniform);
        tables.extend(uniform.map(certificates));
        let given = self.experiments.iter().find(|e| e.generator == Generator::Given);
        tables.extend(given.map(certificates));
        for Secured { around, experiment, interpreted } in &self.secured {
            let mut table = statistics(experiment, format!("{} {}", experiment.certificates, around.title()));
            if !interpreted.is_empty() {
                let names = interpreted.join(", ");
                table.notes.push(format!("Interpreted here, so not to be compared by time with the others: {names}."));
            }
            tables.push(table);
        }
        tables
    }

    /// The single records of the largest experiment's first certificates.
    pub(super) fn single_records(&self) -> Table {
        let mut table = Table::new(
            "Single records of the certificate study: the certificate's number, its place in the order, one call each way",
            &["certificate", "rules", "place", "octets", "encode_ns", "decode_ns"],
        );
        let Some(experiment) = self.largest() else {
            return table;
        };
        let codecs = experiment.rows.len().max(1);
        for (i, sample) in self.samples.iter().enumerate() {
            table.row([
                (i / codecs).to_string(),
                experiment.rows.get(sample.codec).map_or("", |row| &row.rules).into(),
                sample.place.to_string(),
                or_dash(sample.octets),
                sample.encode.to_string(),
                or_dash(sample.decode),
            ]);
        }
        table
    }

    /// The fitted generator's certificates in batches, our codecs and all others.
    pub(super) fn fitted(&self) -> Table {
        let fitted = || self.batched.iter().filter(|b| b.generator == Generator::Fitted);
        let mut peers: Vec<&str> = Vec::new();
        for batch in fitted().filter(|b| b.engine != ROADWIRE) {
            if !peers.contains(&batch.engine.as_str()) {
                peers.push(&batch.engine);
            }
        }
        let mut heading: Vec<String> = ["encoding", ">encode ns", ">decode ns"].map(Into::into).into();
        heading.extend(peers.iter().flat_map(|peer| [format!(">{peer}, encode"), format!(">{peer}, decode")]));
        heading.push(">by straight-line code, %".into());
        let heading: Vec<&str> = heading.iter().map(String::as_str).collect();
        let mut table = Table::new("The certificate study's certificates, in batches", &heading);
        let time = |summary: Option<&Summary>| or_dash(summary.map(|time| significant(time.median, 3)));
        for own in fitted().filter(|b| b.engine == ROADWIRE) {
            let share = own.straight_encode.zip(own.straight_decode).map(|(a, b)| significant(100.0 * a.min(b), 3));
            let mut row = vec![title(&own.rules), time(own.encode.as_ref()), time(own.decode.as_ref())];
            for peer in &peers {
                let batch = self.batch_by(&own.rules, peer);
                row.extend([time(batch.and_then(|b| b.encode.as_ref())), time(batch.and_then(|b| b.decode.as_ref()))]);
            }
            row.push(or_dash(share));
            table.rows.push(row);
        }
        table
    }

    fn batches(&self) -> Table {
        let mut table = Table::new(
            "The same certificates in batches: CPU time without a clock around each",
            &[
                "generator",
                "encoding",
                "engine",
                ">encode ns",
                ">±MAD",
                ">times roadwire's",
                ">straight-line %",
                ">decode ns",
                ">±MAD",
                ">times roadwire's",
                ">straight-line %",
            ],
        );
        for batch in &self.batched {
            let own = self.batched.iter().find(|own| {
                own.engine == ROADWIRE
                    && own.engine != batch.engine
                    && (own.generator, &own.rules) == (batch.generator, &batch.rules)
            });
            let cells = |time: fn(&Batched) -> Option<&Summary>, straight: Option<f64>| {
                let ratio = time(batch).zip(own.and_then(time)).map(|(peer, own)| peer.median / own.median);
                [
                    or_dash(time(batch).map(|s| format!("{:.1}", s.median))),
                    or_dash(time(batch).map(|s| format!("{:.1}", s.mad))),
                    or_dash(ratio.map(|ratio| format!("{ratio:.1}"))),
                    or_dash(straight.map(|share| format!("{:.0}", share * 100.0))),
                ]
            };
            let [e1, e2, e3, e4] = cells(|batch| batch.encode.as_ref(), batch.straight_encode);
            let [d1, d2, d3, d4] = cells(|batch| batch.decode.as_ref(), batch.straight_decode);
            let (generator, rules, engine) = (batch.generator.name().into(), title(&batch.rules), batch.by());
            table.row([generator, rules, engine, e1, e2, e3, e4, d1, d2, d3, d4]);
        }
        for refused in &self.refused {
            let Refused { generator, engine, rules, why } = refused;
            table.notes.push(format!("{engine} has no times in {rules} ({}): {why}", generator.name()));
        }
        table.notes.extend(self.single.iter().map(|why| format!("All from one process: {why}.")));
        table.notes.push(
            "Medians over rounds in random order, one codec running warm at a time. straight-line: share of the certificates that \
             generated code does without handing them to the interpreter; encodings are comparable only where these shares are."
                .into(),
        );
        table
    }

    /// Random order compared with the paper's.
    fn position(&self) -> Table {
        let mut table = Table::new(
            "Position: random order of the encodings beside the paper's fixed one",
            &["encoding", ">encode ns, random", ">paper's", ">ratio", ">decode ns, random", ">paper's", ">ratio"],
        );
        let paper = self.experiments.iter().find(|e| e.order == Order::Paper);
        let Some(paper) = paper else { return table };
        // The experiment of the same size, so that both are equally warm.
        let random = self.series().find(|e| e.certificates == paper.certificates).or_else(|| self.largest());
        let Some(random) = random else { return table };
        for (a, b) in random.rows.iter().zip(&paper.rows) {
            let pair = |a: &Option<Spread>, b: &Option<Spread>| match (a, b) {
                (Some(a), Some(b)) => [
                    format!("{:.0}", a.median),
                    format!("{:.0}", b.median),
                    format!("{:.2}", b.median / a.median.max(1.0)),
                ],
                _ => [or_dash::<u8>(None), or_dash::<u8>(None), or_dash::<u8>(None)],
            };
            let [e1, e2, e3] = pair(&a.encode, &b.encode);
            let [d1, d2, d3] = pair(&a.decode, &b.decode);
            table.row([title(&a.rules), e1, e2, e3, d1, d2, d3]);
        }
        table.notes.push(format!("Medians over {} certificates each, the clock included.", paper.certificates));
        table
    }
}

/// Table I as in the paper, with quantiles and speeds.
fn certificates(experiment: &Experiment) -> Table {
    let (count, generator) = (experiment.certificates, experiment.generator.name());
    statistics(experiment, format!("{count} certificates of the {generator} generator"))
}

/// The same of any messages.
fn statistics(experiment: &Experiment, of: String) -> Table {
    let mut table = Table::new(
        format!("{of}: times and sizes"),
        &[
            "encoding",
            ">encode, mean ms",
            ">var. ms²",
            ">SD ms",
            ">median ms",
            ">decode, mean ms",
            ">var. ms²",
            ">SD ms",
            ">median ms",
            ">octets, mean",
            ">var.",
            ">SD",
            ">least",
            ">greatest",
            ">encode octets/ms",
            ">decode octets/ms",
        ],
    );
    let times = |spread: Option<&Spread>| {
        let show = |value: fn(&Spread) -> f64| or_dash(spread.map(|s| significant(value(s), 4)));
        [show(|s| s.mean / MS), show(|s| s.variance / (MS * MS)), show(|s| s.sd / MS), show(|s| s.median / MS)]
    };
    let mut add = |name: &str, encode: Option<&Spread>, decode: Option<&Spread>, octets: Option<&Spread>| {
        let [e1, e2, e3, e4] = times(encode);
        let [d1, d2, d3, d4] = times(decode);
        let size = |value: fn(&Spread) -> f64, digits: usize| or_dash(octets.map(|s| format!("{:.digits$}", value(s))));
        let speed = |time: Option<&Spread>| {
            or_dash(octets.zip(time).map(|(octets, time)| format!("{:.0}", octets.mean / (time.mean / MS))))
        };
        table.row([
            name.into(),
            e1,
            e2,
            e3,
            e4,
            d1,
            d2,
            d3,
            d4,
            size(|s| s.mean, 4),
            size(|s| s.variance, 4),
            size(|s| s.sd, 4),
            size(|s| s.min, 0),
            size(|s| s.max, 0),
            speed(encode),
            speed(decode),
        ]);
    };
    for row in &experiment.rows {
        add(&title(&row.rules), row.encode.as_ref(), row.decode.as_ref(), row.octets.as_ref());
    }
    add("(empty region)", experiment.empty_encode.as_ref(), experiment.empty_decode.as_ref(), None);
    table.notes.push(format!(
        "Wall time of one call between two readings of the clock, which take part in it as the empty region shows; {:.1} s in all. Octets by \
         milliseconds is the paper's \"speed\": it rewards an encoding for being long.",
        experiment.seconds
    ));
    for row in &experiment.rows {
        if let Some(why) = &row.failure {
            table.notes.push(format!("{}: {} failures, the first: {why}", title(&row.rules), row.failures));
        }
    }
    table
}
