//! A quantity of the study.

use roadwire_airtime::Security;
use roadwire_layout::Rules;

use super::contents::Content;
use super::measured::{Airtime, RATE};
use crate::experiment::{Figure, Findings};
use crate::owner::Owner;

/// A quantity of the study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AirtimeFigure {
    /// `octets:MESSAGE:RULES`
    Octets(String, Rules),
    /// `frame:MESSAGE:RULES:SECURITY`: octets; `us:…`: microseconds at 6 Mbit/s; `stations:…`,
    /// `lte:…`, `nr:…`: stations at 10 Hz up to a load of 0.6.
    Enveloped(What, String, Rules, Security),
    /// `psdu:OCTETS`: microseconds of a PSDU at 6 Mbit/s.
    Psdu(u32),
    /// `certificate:RULES:SECURITY`: the share of a CAM's time that the certificate takes once a
    /// second at 10 Hz, 0 to 1.
    Certificate(Rules, Security),
    /// `load:RULES:PER_KM`: of the simulated road; `range:…`: how far nine of ten messages arrive,
    /// in metres.
    Load(Rules, u32),
    Range(Rules, u32),
    /// `reception:RULES:PER_KM:METRES`
    Reception(Rules, u32, u32),
    /// `published:mean:PLACE`, `published:largest:PLACE`: the difference from the published road in
    /// this place, from 1.
    Published(bool, usize),
    /// `closed-form`: the largest difference of a share from it, 0 to 1.
    ClosedForm,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Frame,
    Us,
    Stations,
    Lte,
    Nr,
}

impl AirtimeFigure {
    /// From the parts of its name.
    pub(super) fn parse(parts: &[&str]) -> Option<AirtimeFigure> {
        let envelope = |name: &str| Security::ALL.into_iter().find(|security| security.name() == name);
        let message = |name: &str| Content::find(name).map(|content| content.name.to_string());
        Some(match parts {
            ["closed-form"] => AirtimeFigure::ClosedForm,
            ["psdu", octets] => AirtimeFigure::Psdu(octets.parse().ok()?),
            ["published", which @ ("mean" | "largest"), place] => {
                AirtimeFigure::Published(*which == "largest", place.parse::<usize>().ok()?.checked_sub(1)?)
            }
            ["octets", name, rules] => AirtimeFigure::Octets(message(name)?, rules.parse().ok()?),
            ["certificate", rules, security] => AirtimeFigure::Certificate(rules.parse().ok()?, envelope(security)?),
            ["load", rules, per_km] => AirtimeFigure::Load(rules.parse().ok()?, per_km.parse().ok()?),
            ["range", rules, per_km] => AirtimeFigure::Range(rules.parse().ok()?, per_km.parse().ok()?),
            ["reception", rules, per_km, metres] => {
                AirtimeFigure::Reception(rules.parse().ok()?, per_km.parse().ok()?, metres.parse().ok()?)
            }
            [what, name, rules, security] => {
                let what = match *what {
                    "frame" => What::Frame,
                    "us" => What::Us,
                    "stations" => What::Stations,
                    "lte" => What::Lte,
                    "nr" => What::Nr,
                    _ => return None,
                };
                AirtimeFigure::Enveloped(what, message(name)?, rules.parse().ok()?, envelope(security)?)
            }
            _ => return None,
        })
    }

    fn of(&self, study: &Airtime) -> Option<f64> {
        Some(match self {
            AirtimeFigure::Octets(message, rules) => study.octets(message, *rules)?.into(),
            AirtimeFigure::Enveloped(what, message, rules, security) => match what {
                What::Frame => study.frame(message, *rules, *security)?.psdu().into(),
                What::Us => study.us(message, *rules, *security)?.into(),
                What::Stations => study.stations(message, *rules, *security)? as f64,
                What::Lte => study.lte(message, *rules, *security)?.1 as f64,
                What::Nr => study.nr(message, *rules, *security)?.1 as f64,
            },
            AirtimeFigure::Psdu(octets) => RATE.airtime_us(*octets).ok()?.into(),
            AirtimeFigure::Certificate(rules, security) => study.certificate_share(*rules, *security)?.1,
            AirtimeFigure::Load(rules, per_km) => study.road(*rules, *per_km)?.load,
            AirtimeFigure::Range(rules, per_km) => study.road(*rules, *per_km)?.range()?,
            AirtimeFigure::Reception(rules, per_km, metres) => study.road(*rules, *per_km)?.at(*metres)?,
            AirtimeFigure::Published(is_largest, place) => {
                study.held.get(*place)?.differences()[usize::from(*is_largest)]
            }
            AirtimeFigure::ClosedForm if study.saturated.is_empty() => return None,
            AirtimeFigure::ClosedForm => study.saturated.iter().map(|one| one.difference()).fold(0.0, f64::max),
        })
    }
}

impl Figure for AirtimeFigure {
    fn experiment(&self) -> &'static str {
        super::NAME
    }

    /// Nothing depends on the machine.
    fn owner(&self) -> Owner {
        Owner::Encoding
    }

    fn is(&self, other: &dyn Figure) -> bool {
        other.of() == Some(self)
    }

    fn value(&self, findings: &dyn Findings) -> Result<f64, String> {
        let study = findings.of().ok_or("the study was not run")?;
        self.of(study).ok_or_else(|| "it is not in this run, or no frame holds it".into())
    }

    #[cfg(test)]
    fn plant(&self, _: &mut dyn Findings, _: f64) -> Option<()> {
        // No claim has any of them.
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_others_refused() {
        let parse = |name: &str| AirtimeFigure::parse(&name.split(':').collect::<Vec<_>>());
        for name in [
            "octets:cam-mandatory:uper",
            "us:denm-2014:coer:1609.2-certificate",
            "lte:cpm-40:jer:none",
            "psdu:200",
            "certificate:uper:v1-digest",
            "reception:xer:120:500",
            "published:largest:4",
            "closed-form",
        ] {
            assert!(parse(name).is_some(), "{name}");
        }
        for name in [
            "",
            "psdu:-1",
            "us:cam-mandatory:uper",
            "us:no:uper:none",
            "published:mean:0",
            "load:uper",
            "lte:cam-2014:uper:rot13",
        ] {
            assert!(parse(name).is_none(), "{name}");
        }
    }
}
