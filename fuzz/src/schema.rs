//! The schemas, each with all its codecs.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::OnceLock;

use roadwire_asn1::Source;
use roadwire_engine::Message;
use roadwire_layout::{Layout, Rules, Uper};
use roadwire_messages::{SCHEMAS, cam_1_3_0, cam_1_4_1, denm_1_2_0, denm_1_3_1};
use roadwire_model::{Model, TypeId, Value};
use roadwire_notation::Notation;

use crate::kitchen_sink;

/// A message type with the interpreter over values, the interpreter over its generated type, and the generated code.
pub trait Subject: Send + Sync {
    /// Its schema's name.
    fn name(&self) -> &str;
    /// Its modules' text.
    fn module(&self) -> &str;
    /// Its model.
    fn model(&self) -> &Model;
    /// Its type.
    fn root(&self) -> TypeId;
    /// Its layout, made at run time.
    fn layout(&self) -> &Layout;
    /// Its values as text.
    fn notation(&self) -> &Notation;
    /// Any octets: the codecs say the same, and what they accept goes there and back.
    fn octets(&self, octets: &[u8]);
    /// Any value, of the type or not: it is refused with its path, or it goes there and back.
    fn value(&self, value: &Value);
    /// Any text as a value in JER: it is refused, or goes there and back.
    fn jer_text(&self, text: &str);
}

/// All schemas: the shipped messages and the kitchen sink.
pub fn subjects() -> &'static [Box<dyn Subject>] {
    static SUBJECTS: OnceLock<Vec<Box<dyn Subject>>> = OnceLock::new();
    SUBJECTS.get_or_init(|| {
        vec![
            shipped::<cam_1_3_0::Cam>("cam-1.3.0"),
            shipped::<cam_1_4_1::Cam>("cam-1.4.1"),
            shipped::<denm_1_2_0::Denm>("denm-1.2.0"),
            shipped::<denm_1_3_1::Denm>("denm-1.3.1"),
            generated::<kitchen_sink::Sink>(
                "kitchen-sink",
                include_str!("../schemas/kitchen-sink.asn"),
                "Kitchen.Sink",
            ),
            Box::new(Schema::new("wide", include_str!("../schemas/wide.asn"), "Wide.Node")),
        ]
    })
}

/// The schema that an octet stands for; the kitchen sink, which has more of everything, for three of eight.
pub(crate) fn pick(octet: u8) -> &'static dyn Subject {
    &*subjects()[[0, 1, 2, 3, 4, 4, 4, 5][usize::from(octet % 8)]]
}

/// A schema with the interpreter over values.
pub(crate) struct Schema {
    name: &'static str,
    module: &'static str,
    pub(crate) model: Model,
    pub(crate) root: TypeId,
    pub(crate) layout: Layout,
    pub(crate) notation: Notation,
}

/// One with a generated type as well.
pub(crate) struct Generated<M> {
    pub(crate) schema: Schema,
    message: PhantomData<fn() -> M>,
}

fn shipped<M: Message<Uper> + PartialEq + Debug + 'static>(name: &str) -> Box<dyn Subject> {
    let schema = SCHEMAS.iter().find(|schema| schema.name == name).expect("a shipped schema");
    let [(_, module)] = schema.modules else { panic!("{name} has one file") };
    generated::<M>(schema.name, module, schema.pdu())
}

fn generated<M>(name: &'static str, module: &'static str, pdu: &str) -> Box<dyn Subject>
where
    M: Message<Uper> + PartialEq + Debug + 'static,
{
    Box::new(Generated::<M> { schema: Schema::new(name, module, pdu), message: PhantomData })
}

impl Schema {
    fn new(name: &'static str, module: &'static str, pdu: &str) -> Self {
        let model = roadwire_asn1::compile(&[Source::new(name, module)]).expect("a good module").model;
        let root = model.find(pdu).expect("its PDU");
        let layout = roadwire_layout::lower(&model, root, Rules::Uper).expect("its layout");
        let notation = Notation::new(&model, root).expect("its notation");
        Schema { name, module, model, root, layout, notation }
    }
}

impl Subject for Schema {
    fn name(&self) -> &str {
        self.name
    }
    fn module(&self) -> &str {
        self.module
    }
    fn model(&self) -> &Model {
        &self.model
    }
    fn root(&self) -> TypeId {
        self.root
    }
    fn layout(&self) -> &Layout {
        &self.layout
    }
    fn notation(&self) -> &Notation {
        &self.notation
    }
    fn octets(&self, octets: &[u8]) {
        let _ = self.check_octets(octets);
    }
    fn value(&self, value: &Value) {
        self.check_value(value);
    }
    fn jer_text(&self, text: &str) {
        self.check_text(text);
    }
}

impl<M: Message<Uper> + PartialEq + Debug> Subject for Generated<M> {
    fn name(&self) -> &str {
        self.schema.name
    }
    fn module(&self) -> &str {
        self.schema.module
    }
    fn model(&self) -> &Model {
        &self.schema.model
    }
    fn root(&self) -> TypeId {
        self.schema.root
    }
    fn layout(&self) -> &Layout {
        &self.schema.layout
    }
    fn notation(&self) -> &Notation {
        &self.schema.notation
    }
    fn octets(&self, octets: &[u8]) {
        self.check_octets(octets);
    }
    fn value(&self, value: &Value) {
        self.schema.check_value(value);
        self.check_value(value);
    }
    fn jer_text(&self, text: &str) {
        self.check_text(text);
    }
}
