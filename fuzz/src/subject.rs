//! A message type with all its codecs.

use std::sync::OnceLock;

use roadwire_frontend::Source;
use roadwire_layout::{Layout, Properties, Rules};
use roadwire_model::{Model, TypeId, Value};
use roadwire_notation::Notation;
use roadwire_wire::Error;

use crate::programs::Taped;

/// A generated type under one set of rules.
pub(crate) trait Codec: Send + Sync {
    fn rules(&self) -> Rules;
    /// Any octets, with the result of the interpreter over values: the interpreter over generated
    /// types and the generated code must agree with it.
    fn octets(&self, subject: &Subject, octets: &[u8], value: &Value, dynamic: &Result<usize, Error<'_>>);
    /// Any value that the generated type can hold.
    fn value(&self, subject: &Subject, value: &Value);
    /// Any text as a value, with the value.
    fn text(&self, subject: &Subject, text: &str, value: Option<&Value>);
    /// Its straight-line code, if that is to run alone.
    fn fast(&self) -> Option<Box<dyn Fast>> {
        None
    }
}

/// The straight-line code of a generated type, over one message that is used again.
pub(crate) trait Fast {
    /// Decodes, and encodes what was accepted.
    fn answer(&mut self, octets: &[u8]) -> Answer;
    /// Why it is refused: the code of the error, and its path.
    fn reason(&mut self, octets: &[u8]) -> Option<(&'static str, String)>;
}

/// An answer of straight-line code to octets.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Answer {
    /// Or left to the interpreter.
    Refused,
    /// How many bits it read, and how many octets it wrote, if it did; whether these are those that
    /// it read.
    Accepted { bits: usize, written: Option<usize>, same: bool },
}

/// A message type with the interpreter over values and, if it has generated types, the interpreter
/// over these, and the generated code.
pub struct Subject {
    name: &'static str,
    modules: Vec<(&'static str, &'static str)>,
    model: Model,
    root: TypeId,
    notation: Notation,
    /// For each of [`Rules::ALL`], lowered when first used.
    lowered: [OnceLock<Lowered>; Rules::ALL.len()],
    codecs: Vec<Box<dyn Codec>>,
}

struct Lowered {
    layout: Layout,
    /// The fewest octets of a message by this layout.
    fewest: u64,
    taped: Option<Taped>,
}

impl Subject {
    pub(crate) fn new(
        name: &'static str,
        modules: Vec<(&'static str, &'static str)>,
        pdu: &str,
        codecs: Vec<Box<dyn Codec>>,
    ) -> Self {
        let sources: Vec<Source> = modules.iter().map(|(file, text)| Source::new(*file, *text)).collect();
        let model = roadwire_frontend::compile(&sources).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
        let root = model.find(pdu).expect("its PDU");
        let notation = Notation::new(&model, root).expect("its notation");
        Subject { name, modules, model, root, notation, lowered: Default::default(), codecs }
    }

    /// Its schema's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name
    }

    /// Its modules' text.
    pub fn modules(&self) -> impl Iterator<Item = &'static str> {
        self.modules.iter().map(|(_, text)| *text)
    }

    /// Its model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Its type.
    #[must_use]
    pub fn root(&self) -> TypeId {
        self.root
    }

    /// Its values as text.
    #[must_use]
    pub fn notation(&self) -> &Notation {
        &self.notation
    }

    /// Its layout, made at run time.
    ///
    /// # Panics
    /// On rules under which it has none: every schema here must have a layout under all rules that
    /// have layouts.
    #[must_use]
    pub fn layout(&self, rules: Rules) -> &Layout {
        &self.lowered(rules).layout
    }

    /// The fewest octets of a message by its layout.
    pub(crate) fn fewest(&self, rules: Rules) -> u64 {
        self.lowered(rules).fewest
    }

    /// The program, if it has one.
    pub(crate) fn taped(&self, rules: Rules) -> Option<&Taped> {
        self.lowered(rules).taped.as_ref()
    }

    fn lowered(&self, rules: Rules) -> &Lowered {
        let place = Rules::ALL.iter().position(|one| *one == rules).expect("one of them all");
        self.lowered[place].get_or_init(|| {
            let layout = roadwire_layout::lower(&self.model, self.root, rules);
            let layout = layout.unwrap_or_else(|error| panic!("{} under {rules}: {error}", self.name));
            let taped = Taped::new(&self.model, self.root, &layout);
            Lowered { fewest: Properties::of(&layout).octets.fewest, taped, layout }
        })
    }

    /// The rules for which there is generated code.
    pub fn generated(&self) -> impl Iterator<Item = Rules> {
        self.codecs.iter().map(|codec| codec.rules())
    }

    /// Any octets: the codecs agree, and accepted octets are decoded and encoded again.
    pub fn octets(&self, rules: Rules, octets: &[u8]) {
        let (value, found) = self.answer(rules, octets);
        let others: Vec<Rules> = self.rules().filter(|other| *other != rules).collect();
        // The octets select one of the other encodings, so that all are used.
        let turn = octets.iter().fold(octets.len(), |sum, octet| sum.wrapping_mul(31) + usize::from(*octet));
        if let (true, Some(other)) = (found.is_ok(), others.get(turn % others.len().max(1))) {
            if let Some(octets) = self.check_taken(rules, *other, &value) {
                let _ = self.answer(*other, &octets);
            }
        }
    }

    /// Checks that all codecs agree on these octets.
    pub(crate) fn answer(&self, rules: Rules, octets: &[u8]) -> (Value, Result<usize, Error<'_>>) {
        let (value, found) = self.check_octets(rules, octets);
        self.check_tape(rules, octets, &value, &found);
        self.codecs(rules).for_each(|codec| codec.octets(self, octets, &value, &found));
        (value, found)
    }

    /// Its encodings.
    fn rules(&self) -> impl Iterator<Item = Rules> {
        let is_asn1 = self.modules.iter().all(|(file, _)| file.ends_with(".asn"));
        let has =
            move |rules: &Rules| if is_asn1 { rules.is_for_asn1() } else { matches!(rules, Rules::Tls | Rules::Jer) };
        Rules::ALL.into_iter().filter(has)
    }

    /// Any value, of the type or not: it is refused with its path, or encoded and decoded again.
    pub fn value(&self, rules: Rules, value: &Value) {
        self.check_value(rules, value);
        self.check_taped_value(rules, value);
        self.codecs(rules).for_each(|codec| codec.value(self, value));
    }

    /// Any text as a value: it is refused, or read and written again.
    pub fn text(&self, text: &str) {
        let value = self.check_text(text);
        // The encoding does not matter here.
        self.codecs.iter().take(1).for_each(|codec| codec.text(self, text, value.as_ref()));
        // A well-formed value may still break constraints.
        value.iter().for_each(|value| self.value(Rules::Uper, value));
    }

    /// The straight-line code that runs alone.
    pub(crate) fn fast(&self) -> impl Iterator<Item = (Rules, Box<dyn Fast>)> {
        self.codecs.iter().filter_map(|codec| Some((codec.rules(), codec.fast()?)))
    }

    fn codecs(&self, rules: Rules) -> impl Iterator<Item = &dyn Codec> {
        self.codecs.iter().map(|codec| &**codec).filter(move |codec| codec.rules() == rules)
    }
}
