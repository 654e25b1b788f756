//! The study's tables.

use roadwire_layout::Rules;

use super::measured::{Documents, Length, Origin, rules};
use crate::gzip;
use crate::number::or_dash;
use crate::report::table::Table;

/// The encodings that gzip is shown of.
const COMPRESSED: [Rules; 6] = [Rules::Xer, Rules::Jer, Rules::Cbor, Rules::Protobuf, Rules::Aper, Rules::Uper];

impl Documents {
    /// All tables.
    pub(super) fn all_tables(&self) -> Vec<Table> {
        vec![self.sums(), self.octets(), self.packed(), self.compressed()]
    }

    /// The documents' names, in their order.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.lengths.iter().map(|one| one.document.as_str()).collect();
        names.dedup();
        names
    }

    /// The sum over all documents; none if one is missing.
    fn sum(&self, rules: Rules, of: impl Fn(&Length) -> usize) -> Option<usize> {
        self.names().into_iter().map(|name| self.length(name, rules).map(&of)).sum()
    }

    /// Where the lengths are from.
    fn origin(&self) -> String {
        match &self.origin {
            Origin::Folder(_) => "Encoded in this run from the authors' documents, by the interpreter.".into(),
            Origin::OnFile(day) => {
                format!("The documents were not there (`--material DIR`): lengths on file of {day}.")
            }
        }
    }

    /// One row for each encoding, over all documents.
    pub(super) fn sums(&self) -> Table {
        let documents = self.names().len();
        let title = format!("Octets of {documents} JSON documents in each encoding of their ASN.1, in sum");
        let mut table = Table::new(title, &["encoding", ">octets", ">with gzip", ">documents that gzip makes shorter"]);
        for rules in rules() {
            let shorter = self.lengths.iter().filter(|one| one.rules == rules && one.gzip < one.octets).count();
            table.row([
                rules.to_string(),
                or_dash(self.sum(rules, |one| one.octets)),
                or_dash(self.sum(rules, |one| one.gzip)),
                shorter.to_string(),
            ]);
        }
        table.notes.push(format!("{} {}", self.origin(), gzip::NOTE));
        table
    }

    fn octets(&self) -> Table {
        let mut table = Table::new("Octets of each document", &["document"]);
        table.heading.extend(rules().map(|rules| format!(">{rules}")));
        for name in self.names() {
            let cells = rules().map(|rules| or_dash(self.length(name, rules).map(|one| one.octets)));
            table.rows.push([name.to_string()].into_iter().chain(cells).collect());
        }
        table.notes.push(self.origin());
        table
    }

    /// Aligned and unaligned PER, and the authors' compiler.
    fn packed(&self) -> Table {
        let heading = ["document", ">aper", ">uper", ">aper more", ">the authors' compiler", "same octets as aper"];
        let mut table = Table::new("Aligned and unaligned PER, and the octets of the authors' compiler", &heading);
        for name in self.names() {
            let of = |rules| self.length(name, rules).map(|one| one.octets);
            let (aper, uper) = (of(Rules::Aper), of(Rules::Uper));
            let more = aper.zip(uper).map(|(aper, uper)| aper as i64 - uper as i64);
            let compiler = self.compiled.iter().find(|one| one.document == name);
            table.row([
                name.into(),
                or_dash(aper),
                or_dash(uper),
                or_dash(more),
                or_dash(compiler.map(|one| one.octets)),
                or_dash(compiler.map(|one| if one.is_same { "yes" } else { "no" })),
            ]);
        }
        table.notes.push(match &self.origin {
            Origin::Folder(_) => "–: the authors' repository has no octets of that document.".into(),
            Origin::OnFile(_) => format!("{} Octets of the authors' compiler are not on file.", self.origin()),
        });
        table
    }

    /// Before and after gzip.
    fn compressed(&self) -> Table {
        let mut table = Table::new("Octets of each document before / after gzip", &["document"]);
        table.heading.extend(COMPRESSED.map(|rules| format!(">{rules}")));
        for name in self.names() {
            let cell = |rules| self.length(name, rules).map(|one| format!("{} / {}", one.octets, one.gzip));
            let cells = COMPRESSED.map(|rules| or_dash(cell(rules)));
            table.rows.push([name.to_string()].into_iter().chain(cells).collect());
        }
        table.notes.push(gzip::NOTE.into());
        table
    }

    pub(super) fn data(&self) -> Table {
        let mut table = Table::new(
            "Lengths of the documents of json-2022 in our encodings",
            &["document", "rules", "octets", "gzip_octets"],
        );
        for one in &self.lengths {
            table.row([one.document.clone(), one.rules.to_string(), one.octets.to_string(), one.gzip.to_string()]);
        }
        table
    }
}
