//! The papers' figures of times, from `[[figures]]` in `studies/NAME/study.toml`: only these series
//! and contents.

use roadwire_layout::Rules;
use serde::Deserialize;

use roadwire_measure::cell::Direction;
use roadwire_peers::Kind;

/// A figure of a paper that is drawn again.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Asked {
    /// Its number in the paper.
    pub(crate) number: String,
    /// Its title there, without the processor.
    pub(crate) title: String,
    /// The processor.
    pub(crate) processor: String,
    /// The direction that it shows.
    pub(crate) direction: Direction,
    /// How bars are grouped.
    pub(crate) groups: Groups,
    /// The paper's encodings.
    pub(crate) series: Vec<Series>,
    /// The paper's messages.
    pub(crate) contents: Vec<Content>,
    /// The same on processors that are emulated.
    #[serde(default)]
    pub(crate) others: Vec<Other>,
    /// A note about it.
    #[serde(default)]
    pub(crate) notes: Vec<String>,
}

/// The same on a processor that is emulated.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Other {
    /// The name of the emulated processor.
    pub(crate) emulated: String,
    /// The paper's figure of the processor that it stands for, if the paper has one.
    #[serde(flatten)]
    pub(crate) paper: Option<OfPaper>,
}

/// A figure of the paper, of one processor.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct OfPaper {
    /// Its number in the paper.
    pub(crate) number: String,
    /// The processor.
    pub(crate) processor: String,
}

/// How bars are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Groups {
    /// The encoding: a group has a bar for each content.
    Series,
    /// The content: a group has a bar for each encoding.
    Contents,
}

/// One of the paper's encodings.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Series {
    /// The paper's name for it.
    pub(crate) name: String,
    /// The encoding rules.
    #[serde(with = "crate::rules")]
    pub(crate) rules: Rules,
    /// The kind of code.
    pub(crate) kind: Kind,
}

/// One of the paper's messages.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Content {
    /// The paper's name for it.
    pub(crate) name: String,
    /// The message's name here.
    pub(crate) message: String,
}

/// A bar's label, series and content.
pub(crate) type Labelled<'a> = (&'a str, &'a Series, &'a Content);

impl Asked {
    /// The bars of each group: the group's name, then the name, series and content of each bar.
    pub(crate) fn bars(&self) -> Vec<(&str, Vec<Labelled<'_>>)> {
        match self.groups {
            Groups::Series => {
                let bars = |series| self.contents.iter().map(move |content| (content.name.as_str(), series, content));
                self.series.iter().map(|series| (series.name.as_str(), bars(series).collect())).collect()
            }
            Groups::Contents => {
                let bars = |content| self.series.iter().map(move |series| (series.name.as_str(), series, content));
                self.contents.iter().map(|content| (content.name.as_str(), bars(content).collect())).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::processors::PROCESSORS;
    use crate::study;
    use roadwire_peers::content::Message;

    fn of(name: &str) -> Vec<Asked> {
        study::all().unwrap().into_iter().find(|study| study.name == name).unwrap().figures
    }

    #[test]
    fn the_papers_figures_are_of_messages_and_encodings_that_even_a_quick_run_has() {
        let mut numbers = Vec::new();
        for study in study::all().unwrap() {
            for asked in &study.figures {
                for content in &asked.contents {
                    assert!(study.quick.contains(&content.message), "{}: {content:?}", study.name);
                }
                for series in &asked.series {
                    assert!(study.rules.contains(&series.rules), "{}: {series:?}", study.name);
                    let has = |content: &Content| Message::find(&content.message).unwrap().under(series.rules);
                    assert!(asked.contents.iter().any(|content| has(content).is_some()), "{series:?}");
                }
                numbers.push(format!("{} {} {}", study.name, asked.number, asked.direction.name()));
                // A panel for each processor.
                let mut emulated: Vec<&str> = asked.others.iter().map(|other| other.emulated.as_str()).collect();
                let mut all = PROCESSORS.map(|one| one.name);
                emulated.sort_unstable();
                all.sort_unstable();
                assert_eq!(emulated, all, "{}, Figure {}", study.name, asked.number);
                // ARMv7 is in no figure of these papers.
                let without = asked.others.iter().filter(|other| other.paper.is_none());
                assert!(without.map(|other| other.emulated.as_str()).eq(["armv7"]));
            }
        }
        assert_eq!(numbers, ["etsi-2015 1 encode", "etsi-2015 4 decode", "etsi-2014 1 encode"]);
    }

    #[test]
    fn series_and_contents_are_the_papers() {
        let names = |asked: &Asked| {
            let series: Vec<String> = asked.series.iter().map(|one| one.name.clone()).collect();
            let contents: Vec<String> = asked.contents.iter().map(|one| one.name.clone()).collect();
            (series, contents)
        };
        let contents = ["CAM", "DENM", "Sec.1w/o", "Sec.1w", "Sec.2", "Sec.3"].map(String::from).to_vec();
        let in_2014 = ["binary", "ASN.1-SOED", "ASN.1-TOED", "protobuf-SOED", "protobuf-TOED"].map(String::from);
        let in_2015 = ["binary", "protobuf", "ASN.1", "EXI"].map(String::from);
        for asked in of("etsi-2014") {
            assert_eq!(names(&asked), (in_2014.to_vec(), contents.clone()));
        }
        for asked in of("etsi-2015") {
            assert_eq!(names(&asked), (in_2015.to_vec(), contents.clone()));
        }
    }

    #[test]
    fn bars_are_grouped_either_way() {
        let mut asked = of("etsi-2014").remove(0);
        assert_eq!(asked.groups, Groups::Series);
        let groups = asked.bars();
        assert_eq!((groups.len(), groups[1].0, groups[1].1[5].0), (5, "ASN.1-SOED", "Sec.3"));
        asked.groups = Groups::Contents;
        let groups = asked.bars();
        assert_eq!((groups.len(), groups[5].0, groups[5].1[1].0), (6, "Sec.3", "ASN.1-SOED"));
    }
}
