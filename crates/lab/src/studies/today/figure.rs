//! A quantity of the study.

use roadwire_layout::Rules;

use super::measured::{INTERPRETER, Today};
use super::tables::Room;
use crate::experiment::{Figure, Findings};
use crate::owner::Owner;
use roadwire_measure::cell::Direction;
use roadwire_peers::content::today::{Content, SIGNERS};

/// A quantity of the study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TodayFigure {
    message: String,
    rules: Rules,
    of: Of,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Of {
    /// `octets:MESSAGE:RULES`
    Octets,
    /// `digest:MESSAGE:RULES`, `certificate:MESSAGE:RULES`: the length with an envelope under the
    /// same rules.
    Enveloped(usize),
    /// `road-digest:MESSAGE:RULES`, `road-certificate:MESSAGE:RULES`: with an envelope in COER.
    OnTheRoad(usize),
    /// `time:MESSAGE:RULES:ENGINE:DIRECTION`, nanoseconds.
    Time(String, Direction),
    /// `objects:RULES`: how many objects a CPM has room for in one packet, its signer named by
    /// digest.
    Objects,
    /// `object:RULES`: the octets of one object of a CPM.
    Object,
}

impl TodayFigure {
    /// From the parts of its name.
    pub(super) fn parse(parts: &[&str]) -> Option<TodayFigure> {
        let of_cpm = |rules: &str, of| Some(TodayFigure { message: "cpm-40".into(), rules: rules.parse().ok()?, of });
        let [what, message, rest @ ..] = parts else { return None };
        match (*what, rest) {
            ("objects", []) => return of_cpm(message, Of::Objects),
            ("object", []) => return of_cpm(message, Of::Object),
            _ => {}
        }
        let [rules, rest @ ..] = rest else { return None };
        let signer = |prefix: &str| SIGNERS.iter().position(|one| what.strip_prefix(prefix) == Some(one.name()));
        let of = match (*what, rest) {
            ("octets", []) => Of::Octets,
            ("time", [engine, direction]) => {
                let direction = Direction::ALL.into_iter().find(|one| one.name() == *direction)?;
                let engine = match *engine {
                    "toed" => "roadwire-toed",
                    "soed" => INTERPRETER,
                    "rasn" => "rasn",
                    _ => return None,
                };
                Of::Time(engine.into(), direction)
            }
            (_, []) => match (signer("road-"), signer("")) {
                (Some(at), _) => Of::OnTheRoad(at),
                (None, at) => Of::Enveloped(at?),
            },
            _ => return None,
        };
        let is_known = Content::find(message).is_some() || message.starts_with("envelope-");
        is_known.then_some(TodayFigure { message: (*message).into(), rules: rules.parse().ok()?, of })
    }

    fn of(&self, study: &Today) -> Result<f64, String> {
        let length = || study.length(&self.message, self.rules).ok_or("it is not in this run");
        let octets = match &self.of {
            Of::Octets => length()?.octets,
            Of::Enveloped(signer) => length()?.enveloped[*signer],
            Of::OnTheRoad(signer) => length()?.on_the_road[*signer],
            Of::Time(engine, direction) => {
                let row = study.row(&self.message, self.rules, engine).ok_or("it is not in this run")?;
                return row.time(*direction).ok_or_else(|| "it was not timed".into());
            }
            Of::Objects => return Room::of(study, self.rules).map(|room| room.objects[0] as f64),
            Of::Object => return Room::of(study, self.rules).map(|room| room.object),
        };
        Ok(octets as f64)
    }
}

impl Figure for TodayFigure {
    fn experiment(&self) -> &'static str {
        super::NAME
    }

    fn owner(&self) -> Owner {
        match self.of {
            Of::Time(..) => Owner::Machine,
            _ => Owner::Encoding,
        }
    }

    fn is(&self, other: &dyn Figure) -> bool {
        other.of() == Some(self)
    }

    fn value(&self, findings: &dyn Findings) -> Result<f64, String> {
        self.of(findings.of().ok_or("the study was not run")?)
    }

    fn message(&self) -> Option<&str> {
        Some(&self.message)
    }

    #[cfg(test)]
    fn plant(&self, findings: &mut dyn Findings, value: f64) -> Option<()> {
        use super::measured::Length;
        let study: &mut Today = findings.of_mut()?;
        let (message, rules, octets) = (self.message.clone(), self.rules, value as usize);
        let mut length =
            Length { message, rules, octets: 0, confirmed_by: String::new(), enveloped: [0; 2], on_the_road: [0; 2] };
        match self.of {
            Of::Octets => length.octets = octets,
            Of::Enveloped(signer) => length.enveloped[signer] = octets,
            Of::OnTheRoad(signer) => length.on_the_road[signer] = octets,
            _ => return None,
        }
        study.lengths.push(length);
        Some(())
    }
}
