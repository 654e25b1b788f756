//! The schemas, each with all its codecs.

use std::sync::OnceLock;

use roadwire_frontend::Source;
use roadwire_layout::{Layout, Properties, Rules};
use roadwire_messages::{SCHEMAS, cam_1_3_0, cam_1_4_1, certificate_2017, denm_1_2_0, denm_1_3_1, etsi_envelope_2015};
use roadwire_messages::{ieee1609dot2_2017, ts103097_1_1_1, ts103097_1_2_1};
use roadwire_model::{Model, TypeId, Value};
use roadwire_notation::Notation;
use roadwire_wire::Error;

use crate::generated::Codec;
use crate::{constructs, kitchen_sink, table, tags};

include!(concat!(env!("OUT_DIR"), "/codecs.rs"));

/// A message type with the interpreter over values and, where it has generated types, the interpreter over these, and the generated code.
pub struct Subject {
    name: &'static str,
    modules: Vec<(&'static str, &'static str)>,
    model: Model,
    root: TypeId,
    notation: Notation,
    /// For each of [`Rules::ALL`], once it was asked for.
    lowered: [OnceLock<Lowered>; Rules::ALL.len()],
    codecs: Vec<Box<dyn Codec>>,
}

struct Lowered {
    layout: Layout,
    /// The fewest octets that it says a message has.
    fewest: u64,
}

/// All schemas: the shipped messages, and those in `schemas/`.
pub fn subjects() -> &'static [Subject] {
    static SUBJECTS: OnceLock<Vec<Subject>> = OnceLock::new();
    SUBJECTS.get_or_init(|| {
        let kitchen_sink = ("kitchen-sink.asn", include_str!("../schemas/kitchen-sink.asn"));
        let tagged = ("tags.asn", include_str!("../schemas/tags.asn"));
        let wide = ("wide.asn", include_str!("../schemas/wide.asn"));
        let constructs = ("constructs.asn", &*table::module(&table::pdus()).leak());
        vec![
            shipped("cam-1.3.0", 0, codecs!(cam_1_3_0::Cam)),
            shipped("cam-1.4.1", 0, codecs!(cam_1_4_1::Cam)),
            shipped("denm-1.2.0", 0, codecs!(denm_1_2_0::Denm)),
            shipped("denm-1.3.1", 0, codecs!(denm_1_3_1::Denm)),
            shipped("certificate-2017", 0, codecs!(certificate_2017::Certificate)),
            shipped("ieee1609dot2-2017", 0, codecs!(ieee1609dot2_2017::Ieee1609Dot2Data)),
            shipped("ieee1609dot2-2017", 1, codecs!(ieee1609dot2_2017::Certificate)),
            Subject::new("kitchen-sink", vec![kitchen_sink], "Kitchen.Sink", sinks()),
            Subject::new("tags", vec![tagged], "Tags.Message", codecs!(tags::Message)),
            Subject::new("wide", vec![wide], "Wide.Node", Vec::new()),
            shipped("etsi-envelope-2015", 0, codecs!(etsi_envelope_2015::SecuredMessage)),
            shipped("etsi-envelope-2015", 1, codecs!(etsi_envelope_2015::SecuredMessage2014)),
            Subject::new("constructs", vec![constructs], "Constructs.Any", codecs!(constructs::Any)),
        ]
    })
}

/// The kitchen sink's types, those that own their strings and those that borrow them.
fn sinks() -> Vec<Box<dyn Codec>> {
    let mut codecs = codecs!(kitchen_sink::Sink);
    codecs.extend(crate::lent::sinks());
    codecs
}

/// The schema that an octet stands for; the kitchen sink and the table of constructs, which have more of everything, for several.
pub(crate) fn pick(octet: u8) -> &'static Subject {
    const PLACES: [usize; PICKS as usize] = [7, 0, 8, 1, 12, 2, 8, 3, 7, 4, 12, 5, 7, 6, 10, 9, 12, 11];
    &subjects()[PLACES[usize::from(octet % PICKS)]]
}

/// The schemas in the presentation language.
pub fn presentation() -> &'static [Subject] {
    static SUBJECTS: OnceLock<Vec<Subject>> = OnceLock::new();
    SUBJECTS.get_or_init(|| {
        vec![
            shipped("ts103097-1.1.1", 0, codecs!(ts103097_1_1_1::SecuredMessage)),
            shipped("ts103097-1.2.1", 0, codecs!(ts103097_1_2_1::SecuredMessage)),
            shipped("ts103097-1.1.1", 1, codecs!(ts103097_1_1_1::Certificate)),
            shipped("ts103097-1.2.1", 1, codecs!(ts103097_1_2_1::Certificate)),
        ]
    })
}

/// The schema that an octet stands for, of those that have layouts under these rules.
pub(crate) fn pick_for(rules: Rules, octet: u8) -> &'static Subject {
    match rules.is_for_asn1() {
        true => pick(octet),
        false => &presentation()[usize::from(octet % PICKS) % presentation().len()],
    }
}

/// How many octets [`pick`] tells apart.
pub(crate) const PICKS: u8 = 18;

fn shipped(name: &str, pdu: usize, codecs: Vec<Box<dyn Codec>>) -> Subject {
    let schema = SCHEMAS.iter().find(|schema| schema.name == name).expect("a shipped schema");
    Subject::new(schema.name, schema.modules.to_vec(), schema.pdus[pdu], codecs)
}

impl Subject {
    fn new(
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
    /// On rules that it has none under: all rules with layouts are to have one for every schema here.
    #[must_use]
    pub fn layout(&self, rules: Rules) -> &Layout {
        &self.lowered(rules).layout
    }

    /// The fewest octets that its layout says a message has.
    pub(crate) fn fewest(&self, rules: Rules) -> u64 {
        self.lowered(rules).fewest
    }

    fn lowered(&self, rules: Rules) -> &Lowered {
        let place = Rules::ALL.iter().position(|one| *one == rules).expect("one of them all");
        self.lowered[place].get_or_init(|| {
            let layout = roadwire_layout::lower(&self.model, self.root, rules);
            let layout = layout.unwrap_or_else(|error| panic!("{} under {rules}: {error}", self.name));
            Lowered { fewest: Properties::of(&layout).octets.fewest, layout }
        })
    }

    /// Which rules there is generated code for.
    pub fn generated(&self) -> impl Iterator<Item = Rules> {
        self.codecs.iter().map(|codec| codec.rules())
    }

    /// Any octets: the codecs say the same, and what they accept goes there and back.
    pub fn octets(&self, rules: Rules, octets: &[u8]) {
        let (value, found) = self.answer(rules, octets);
        let others: Vec<Rules> = self.rules().filter(|other| *other != rules).collect();
        // Which of the other encodings, the octets say, so that all have their turn.
        let turn = octets.iter().fold(octets.len(), |sum, octet| sum.wrapping_mul(31) + usize::from(*octet));
        if let (true, Some(other)) = (found.is_ok(), others.get(turn % others.len().max(1))) {
            if let Some(octets) = self.check_taken(rules, *other, &value) {
                let _ = self.answer(*other, &octets);
            }
        }
    }

    /// All codecs say the same of these octets.
    fn answer(&self, rules: Rules, octets: &[u8]) -> (Value, Result<usize, Error<'_>>) {
        let (value, found) = self.check_octets(rules, octets);
        self.codecs(rules).for_each(|codec| codec.octets(self, octets, &value, &found));
        (value, found)
    }

    /// The encodings that it has.
    fn rules(&self) -> impl Iterator<Item = Rules> {
        let is_asn1 = self.modules.iter().all(|(file, _)| file.ends_with(".asn"));
        let has =
            move |rules: &Rules| if is_asn1 { rules.is_for_asn1() } else { matches!(rules, Rules::Tls | Rules::Jer) };
        Rules::ALL.into_iter().filter(has)
    }

    /// Any value, of the type or not: it is refused with its path, or it goes there and back.
    pub fn value(&self, rules: Rules, value: &Value) {
        self.check_value(rules, value);
        self.codecs(rules).for_each(|codec| codec.value(self, value));
    }

    /// Any text as a value: it is refused, or goes there and back.
    pub fn text(&self, text: &str) {
        let value = self.check_text(text);
        // Which encoding does not matter here.
        self.codecs.iter().take(1).for_each(|codec| codec.text(self, text, value.as_ref()));
        // What is a value by its form may still break constraints.
        value.iter().for_each(|value| self.value(Rules::Uper, value));
    }

    fn codecs(&self, rules: Rules) -> impl Iterator<Item = &dyn Codec> {
        self.codecs.iter().map(|codec| &**codec).filter(move |codec| codec.rules() == rules)
    }
}
