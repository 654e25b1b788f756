//! Two versions of a message type: the changes, which version still understands the other, and
//! values carried over.
//!
//! Invariants: a verdict is called proven only where the proof and the trial agree. Values are
//! carried over without loss in silence: every part without a place is listed with its reason.
//!
//! Absent on purpose: changes to schemas, and invented values: what the other version requires and
//! the value lacks is given by the caller, or is missing.
//!
//! ```
//! use roadwire_evolution::{Comparison, Understanding, Version};
//! use roadwire_layout::Rules;
//! # use roadwire_frontend::{Source, compile};
//!
//! # let model = |text: &str| compile(&[Source::new("demo.asn", text)]).unwrap().model;
//! let old = model("Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
//!     Motion ::= SEQUENCE { speed INTEGER (0..100) }
//! END");
//! let new = model("Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN
//!     Motion ::= SEQUENCE { speed INTEGER (0..100), lane INTEGER (1..14) OPTIONAL }
//! END");
//! let version = |model| Version { model, type_id: roadwire_model::Model::find(model, "Motion").unwrap() };
//! let comparison = Comparison::new(version(&old), version(&new));
//!
//! assert_eq!(comparison.changes()[0].to_string(), "lane: added, an optional component");
//!
//! // In BER the new version reads the old one's messages; the old one refuses those with the new component.
//! let ber = comparison.verdict(Rules::Ber, 100).unwrap();
//! assert_eq!(ber.new_reads_old.understanding, Understanding::All);
//! assert_eq!(ber.old_reads_new.understanding, Understanding::InPart);
//! // In UPER there is one bit more in front: messages are taken for others.
//! let uper = comparison.verdict(Rules::Uper, 100).unwrap();
//! assert_eq!(uper.old_reads_new.understanding, Understanding::Misread);
//! ```
//!
//! A verdict is proven from the layouts, and then tried. The proof walks the layouts of both
//! versions side by side and finds all that can happen to a value; a random value that the
//! interpreter reads shows that something does happen. Where both say the same, the verdict is
//! proven. Where trying shows what the layouts rule out, that is a [`Contradiction`], and a mistake
//! of ours.
#![forbid(unsafe_code)]

mod agree;
mod changes;
mod migrate;
mod outcome;
mod pairing;
mod shape;
mod trial;
mod verdict;
mod walk;

use roadwire_layout::Rules;
use roadwire_model::{Model, TypeId, Value};

pub use changes::{Change, Changed};
pub use migrate::{Given, Lost, Migration, Why};
pub use outcome::Outcomes;
pub use trial::{Example, Tried};
pub use verdict::{Contradiction, NoVerdict, Octets, Reading, Understanding, Verdict};
pub use walk::Reason;

use pairing::{Pairings, Versions};

/// One version of a message: a type of a model.
#[derive(Clone, Copy, Debug)]
pub struct Version<'m> {
    /// The model.
    pub model: &'m Model,
    /// The type.
    pub type_id: TypeId,
}

/// Two versions of a message.
#[derive(Clone, Copy, Debug)]
pub struct Comparison<'m> {
    versions: Versions<'m>,
    ids: (TypeId, TypeId),
    seed: u64,
}

impl<'m> Comparison<'m> {
    /// Compares two versions.
    #[must_use]
    pub fn new(old: Version<'m>, new: Version<'m>) -> Self {
        let versions = Versions { from: old.model, to: new.model };
        Comparison { versions, ids: (old.type_id, new.type_id), seed: 1 }
    }

    /// The same with other random values.
    #[must_use]
    pub fn seeded(self, seed: u64) -> Self {
        Comparison { seed, ..self }
    }

    /// The same with the versions exchanged.
    #[must_use]
    pub fn reversed(self) -> Self {
        Comparison { versions: self.versions.reversed(), ids: (self.ids.1, self.ids.0), ..self }
    }

    /// The changes, outer parts before inner ones. A change in a type that is used at several
    /// places is listed once.
    ///
    /// # Panics
    /// On a type id of another model.
    #[must_use]
    pub fn changes(&self) -> Vec<Change> {
        changes::changes(self.versions, self.ids)
    }

    /// Which version understands the other under one set of rules: proven, and tried with `values`
    /// random values of each version, or, until an example of all that is possible was found, up to
    /// ten times as many.
    ///
    /// # Errors
    /// A version has no encoding under the rules; or proof and trial contradict each other, which
    /// is a mistake of ours.
    ///
    /// # Panics
    /// On a type id of another model.
    pub fn verdict(&self, rules: Rules, values: usize) -> Result<Verdict, NoVerdict> {
        verdict::verdict(self.versions, self.ids, rules, values, self.seed)
    }

    /// Carries a value of the old version over to the new one. What has no place is left out, with
    /// the nearest optional component around it, and listed.
    ///
    /// # Errors
    /// There is no such value of the new version: it requires a component that is missing, or one
    /// that has no place.
    ///
    /// # Panics
    /// On a type id of another model.
    pub fn migrate(&self, value: &Value) -> Result<Migration, Lost> {
        self.migrate_with(value, &[])
    }

    /// The same with values for components that the new version has and the value does not. A
    /// component that has a value of its own keeps it.
    ///
    /// # Errors
    /// As [`migrate`](Self::migrate).
    ///
    /// # Panics
    /// On a type id of another model.
    pub fn migrate_with(&self, value: &Value, given: &[Given]) -> Result<Migration, Lost> {
        migrate::migrate(&Pairings::new(self.versions), self.ids, value, given)
    }

    /// The type of a component of the new version: components and alternatives from the outside in,
    /// with points between them, and `[]` for each element of a list (`objects[].shape.length`), or
    /// `[2]` for its third.
    ///
    /// # Errors
    /// The path up to the first part that the new version does not have; the whole path if no
    /// component ends it.
    ///
    /// # Panics
    /// On a type id of another model.
    pub fn field(&self, path: &str) -> Result<TypeId, String> {
        migrate::field(self.versions.to, self.ids.1, path)
    }

    /// Whether `read` is what the new version should make of `written`, a value of the old one:
    /// [`Outcomes::AGREES`], [`Outcomes::SKIPS`] for parts that it does not know, or
    /// [`Outcomes::MISREADS`]; and in which field it is misread.
    ///
    /// # Panics
    /// On a type id of another model.
    #[must_use]
    pub fn judge(&self, written: &Value, read: &Value) -> (Outcomes, String) {
        agree::judge(&Pairings::new(self.versions), self.ids, written, read)
    }
}
