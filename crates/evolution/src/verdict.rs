//! Which version still understands the other, under one set of rules.

use roadwire_layout::{LowerError, Rules, lower};
use roadwire_model::TypeId;

use crate::outcome::Outcomes;
use crate::pairing::Versions;
use crate::trial::{Example, Tried, attempt};
use crate::walk::{Proof, Reason, prove};

/// The verdict for one set of rules.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The rules.
    pub rules: Rules,
    /// Whether a value that both versions have has the same octets.
    pub octets: Octets,
    /// How the new version understands messages of the old one.
    pub new_reads_old: Reading,
    /// How the old version understands messages of the new one.
    pub old_reads_new: Reading,
}

/// Whether values that both versions have are written in the same octets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Octets {
    /// All of them: proven from the layouts.
    Same,
    /// Not all of them: an example shows it. Where.
    Differ(Reason),
    /// No value was found that both versions have.
    NoneShared,
    /// None was found that differs, but that there is none is not proven. Where one could be.
    NotProven(Reason),
}

/// How a reader understands the messages of a writer.
#[derive(Clone, Debug)]
pub struct Reading {
    /// In one word.
    pub understanding: Understanding,
    /// Whether that is proven: that nothing worse can happen is seen in the layouts, and that this
    /// does happen is seen in an example.
    pub proven: bool,
    /// Where, if not everything is understood.
    pub reason: Option<Reason>,
    /// The results of trying random values.
    pub tried: Tried,
    /// The outcomes that the layouts permit.
    pub bound: Outcomes,
}

/// How a reader understands the messages of a writer, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Understanding {
    /// It reads every message as it is.
    All,
    /// It reads every message, but for parts that it does not know and skips.
    Skipping,
    /// It reads some messages, and refuses the others.
    InPart,
    /// It refuses every message.
    Nothing,
    /// In some messages it loses its place, or takes octets for those of something else: it refuses
    /// them or misreads them, as it happens. No example of the latter was found.
    Astray,
    /// It takes some messages for others, and does not notice.
    Misread,
}

impl Understanding {
    /// All.
    pub const ALL: [Understanding; 6] = [
        Understanding::All,
        Understanding::Skipping,
        Understanding::InPart,
        Understanding::Nothing,
        Understanding::Astray,
        Understanding::Misread,
    ];

    /// A word for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Understanding::All => "all",
            Understanding::Skipping => "skipping",
            Understanding::InPart => "in-part",
            Understanding::Nothing => "nothing",
            Understanding::Astray => "astray",
            Understanding::Misread => "misread",
        }
    }

    /// Of the outcomes of all values.
    #[must_use]
    pub fn of(outcomes: Outcomes) -> Understanding {
        let reads = outcomes.meets(Outcomes::AGREES.or(Outcomes::SKIPS));
        if !outcomes.has(Outcomes::MISREADS) && outcomes.meets(Outcomes::CHANCE.or(Outcomes::ASTRAY)) {
            return Understanding::Astray;
        }
        match (outcomes.has(Outcomes::MISREADS), outcomes.has(Outcomes::REFUSES), reads) {
            (true, ..) => Understanding::Misread,
            (false, true, true) => Understanding::InPart,
            (false, true, false) => Understanding::Nothing,
            (false, false, _) if outcomes.has(Outcomes::SKIPS) => Understanding::Skipping,
            (false, false, _) => Understanding::All,
        }
    }

    /// The outcome that makes it this.
    fn outcome(self) -> Outcomes {
        match self {
            Understanding::All => Outcomes::AGREES,
            Understanding::Skipping => Outcomes::SKIPS,
            Understanding::InPart | Understanding::Nothing => Outcomes::REFUSES,
            Understanding::Astray => Outcomes::CHANCE,
            Understanding::Misread => Outcomes::MISREADS,
        }
    }
}

/// Proof and trial contradict each other: a mistake in this crate, or in the interpreter.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// The rules.
    pub rules: Rules,
    /// The outcome that the layouts rule out but a trial has shown; with the octets.
    pub what: String,
}

/// Why there is no verdict.
#[derive(Debug)]
pub enum NoVerdict {
    /// A version has no encoding under the rules.
    NoLayout(LowerError),
    /// Proof and trial contradict each other.
    Contradiction(Contradiction),
}

pub(crate) fn verdict(
    versions: Versions<'_>,
    (old, new): (TypeId, TypeId),
    rules: Rules,
    values: usize,
    seed: u64,
) -> Result<Verdict, NoVerdict> {
    let old_layout = lower(versions.from, old, rules).map_err(NoVerdict::NoLayout)?;
    let new_layout = lower(versions.to, new, rules).map_err(NoVerdict::NoLayout)?;
    let forth = prove(versions, (old, new), &old_layout, &new_layout);
    let back = prove(versions.reversed(), (new, old), &new_layout, &old_layout);
    let enough = |proof: &Proof| {
        let (bound, differs) = (Understanding::of(proof.outcomes), proof.differs.is_some());
        move |tried: &Tried| {
            let shown = Understanding::of(tried.outcomes());
            let settled = shown == bound || shown == Understanding::Misread || bound <= Understanding::Skipping;
            settled && (!differs || tried.other_octets > 0)
        }
    };
    let tried_forth = attempt(versions, (old, new), (&old_layout, &new_layout), (values, seed), enough(&forth));
    let tried_back =
        attempt(versions.reversed(), (new, old), (&new_layout, &old_layout), (values, !seed), enough(&back));
    for tried in [&tried_forth, &tried_back] {
        let Some(example) = &tried.unreadable else { continue };
        let what = format!("a version refuses a message of its own: {}", shown(example));
        return Err(NoVerdict::Contradiction(Contradiction { rules, what }));
    }
    let octets = octets(rules, [&forth, &back], [&tried_forth, &tried_back])?;
    Ok(Verdict {
        rules,
        octets,
        new_reads_old: reading(rules, forth, tried_forth)?,
        old_reads_new: reading(rules, back, tried_back)?,
    })
}

fn octets(rules: Rules, proofs: [&Proof; 2], tried: [&Tried; 2]) -> Result<Octets, NoVerdict> {
    let bound = proofs.iter().find_map(|proof| proof.differs.clone());
    let example = tried.iter().find_map(|tried| tried.difference.clone());
    let is_shared = tried.iter().any(|tried| tried.same_octets > 0);
    match (bound, example) {
        (None, None) if !is_shared && tried.iter().any(|tried| tried.values > 0) => Ok(Octets::NoneShared),
        (None, None) => Ok(Octets::Same),
        (Some(reason), Some(_)) => Ok(Octets::Differ(reason)),
        (Some(_), None) if !is_shared => Ok(Octets::NoneShared),
        (Some(reason), None) => Ok(Octets::NotProven(reason)),
        (None, Some(example)) => Err(NoVerdict::Contradiction(Contradiction {
            rules,
            what: format!("the layouts write the same octets, and yet {} has others", hex(&example.octets)),
        })),
    }
}

fn reading(rules: Rules, proof: Proof, tried: Tried) -> Result<Reading, NoVerdict> {
    let beyond = tried.outcomes().without(proof.outcomes.visible());
    if beyond != Outcomes::NONE {
        let example = match () {
            () if beyond.has(Outcomes::MISREADS) => tried.misreading.clone(),
            () if beyond.has(Outcomes::REFUSES) => tried.refusal.clone(),
            () => None,
        };
        let example = example.map_or(String::new(), |example| format!(": {}", shown(&example)));
        let what = format!("the layouts rule out that the reader {beyond} ({} is possible){example}", proof.outcomes);
        return Err(NoVerdict::Contradiction(Contradiction { rules, what }));
    }
    let shown = Understanding::of(tried.outcomes());
    let understanding = match Understanding::of(proof.outcomes) {
        // An example settles it.
        Understanding::Astray if shown == Understanding::Misread => Understanding::Misread,
        understanding => understanding,
    };
    let proven = match understanding {
        // That nothing is refused or misread is proven by the layouts alone.
        Understanding::All | Understanding::Skipping => true,
        Understanding::Astray => matches!(shown, Understanding::InPart | Understanding::Nothing),
        Understanding::InPart | Understanding::Nothing | Understanding::Misread => shown == understanding,
    };
    let of = |outcome: Outcomes| proof.reasons.iter().find(|(one, _)| *one == outcome);
    // A misreading that only an example shows is one of those who lost their place.
    let reason = of(Understanding::of(proof.outcomes).outcome()).or_else(|| of(Outcomes::REFUSES));
    let reason = reason.filter(|_| understanding != Understanding::All);
    let reason = reason.map(|(_, reason)| reason.clone());
    Ok(Reading { understanding, proven, reason, tried, bound: proof.outcomes })
}

fn shown(example: &Example) -> String {
    format!("{} in `{}`, octets {}", example.what, example.path, hex(&example.octets))
}

fn hex(octets: &[u8]) -> String {
    let shown = octets.iter().take(64).map(|octet| format!("{octet:02x}")).collect::<String>();
    if octets.len() > 64 { format!("{shown}...") } else { shown }
}
