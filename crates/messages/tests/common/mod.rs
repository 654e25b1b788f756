//! The messages with each of their codecs under one set of rules `E`, over values as JER text.
#![allow(dead_code, unreachable_pub)]

#[path = "../../../source/tests/support/shared.rs"]
pub mod shared;

use roadwire_engine::Message;
use roadwire_layout::{Layout, RuleSet};
use roadwire_messages::{Schema, cam_1_3_0, cam_1_4_1, denm_1_2_0, denm_1_3_1};
use roadwire_model::{Kind, Model, TypeId, Value};
use roadwire_notation::Notation;
use roadwire_wire::Data;

/// A message type with its codecs.
pub trait Fixture {
    /// `CAM` or `DENM`.
    fn name(&self) -> &str;
    /// Whether it is the deployed version (also of the vectors), not the studied one.
    fn is_deployed(&self) -> bool;
    fn model(&self) -> &Model;
    fn root(&self) -> TypeId;
    fn codecs(&self) -> Vec<Box<dyn Codec + '_>>;
    /// Reads a value and returns an encoder of it with another number of bits in the bit string at
    /// `path`.
    fn encode_with_bits(&self, value: &str, path: &[&str]) -> Result<EncodeWithBits<'_>, String>;
}

/// From a number of bits, and whether the last one is 1, to octets or an error.
pub type EncodeWithBits<'a> = Box<dyn Fn(usize, bool) -> Result<Vec<u8>, String> + 'a>;

/// A codec over JER text. Errors are text too.
pub trait Codec {
    fn name(&self) -> &str;
    fn encode(&self, value: &str) -> Result<Vec<u8>, String>;
    fn decode(&self, octets: &[u8]) -> Result<String, String>;
    /// Decodes and encodes again, without JER between.
    fn recode(&self, octets: &[u8]) -> Result<Vec<u8>, String>;
}

pub struct Shipped<M, E> {
    pub schema: &'static Schema,
    pub model: Model,
    pub root: TypeId,
    pub layout: Layout,
    pub notation: Notation,
    deployed: bool,
    codec: std::marker::PhantomData<(M, E)>,
}

pub fn shipped<M: Message<E>, E: RuleSet>(name: &str, deployed: bool) -> Shipped<M, E> {
    let mut schemas = roadwire_messages::SCHEMAS.iter().chain(roadwire_papers::SCHEMAS);
    let schema = schemas.find(|schema| schema.name == name).unwrap();
    let sources: Vec<_> =
        schema.modules.iter().map(|(name, text)| roadwire_frontend::Source::new(*name, *text)).collect();
    let model = roadwire_frontend::compile(&sources).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
    let named = |pdu: &&&str| pdu.rsplit('.').next() == Some(&M::layout().type_name);
    let pdu = schema.pdus.iter().find(named).expect("a PDU of the schema");
    let root = model.find(pdu).unwrap();
    let layout = roadwire_layout::lower(&model, root, E::RULES).unwrap();
    let notation = Notation::new(&model, root).unwrap();
    Shipped { schema, model, root, layout, notation, deployed, codec: std::marker::PhantomData }
}

/// All messages under one set of rules.
pub fn fixtures<E: RuleSet + 'static>() -> Vec<Box<dyn Fixture>>
where
    cam_1_3_0::Cam: Message<E>,
    cam_1_4_1::Cam: Message<E>,
    denm_1_2_0::Denm: Message<E>,
    denm_1_3_1::Denm: Message<E>,
{
    vec![
        Box::new(shipped::<cam_1_3_0::Cam, E>("cam-1.3.0", false)),
        Box::new(shipped::<cam_1_4_1::Cam, E>("cam-1.4.1", true)),
        Box::new(shipped::<denm_1_2_0::Denm, E>("denm-1.2.0", false)),
        Box::new(shipped::<denm_1_3_1::Denm, E>("denm-1.3.1", true)),
    ]
}

impl<M: Message<E>, E: RuleSet> Fixture for Shipped<M, E> {
    fn name(&self) -> &str {
        &self.layout.type_name
    }
    fn is_deployed(&self) -> bool {
        self.deployed
    }
    fn model(&self) -> &Model {
        &self.model
    }
    fn root(&self) -> TypeId {
        self.root
    }
    fn codecs(&self) -> Vec<Box<dyn Codec + '_>> {
        vec![Box::new(Dynamic(self)), Box::new(Interpreted(self)), Box::new(Generated(self))]
    }
    fn encode_with_bits(&self, text: &str, path: &[&str]) -> Result<EncodeWithBits<'_>, String> {
        let value = self.notation.read(text).map_err(|error| error.to_string())?;
        let path: Vec<String> = path.iter().map(|step| (*step).to_owned()).collect();
        Ok(Box::new(move |bits, last| {
            let mut value = value.clone();
            let place = descend(&self.model, self.root, &mut value, &path).expect("the path leads to a value");
            match place {
                Value::BitString { octets, bits: count } => {
                    octets.resize(bits.div_ceil(8), 0);
                    octets[(bits - 1) / 8] |= u8::from(last) << (7 - (bits - 1) % 8);
                    *count = bits;
                }
                other => panic!("{other:?} is not a bit string"),
            }
            roadwire_engine::encode_to_vec(&self.layout, &value, 1 << 20).map_err(|error| error.to_string())
        }))
    }
}

/// The value at a path of component names, alternative names and element indexes.
fn descend<'v>(model: &Model, id: TypeId, value: &'v mut Value, path: &[String]) -> Option<&'v mut Value> {
    let Some((step, rest)) = path.split_first() else { return Some(value) };
    match (&model.get(id).kind, value) {
        (Kind::Sequence { components, .. }, Value::Sequence { components: values, .. }) => {
            let at = components.iter().position(|component| component.name == *step)?;
            descend(model, components[at].type_id, values[at].as_mut()?, rest)
        }
        (Kind::Choice { alternatives, .. }, Value::Choice(which, inner)) => {
            let one = &alternatives[*which as usize];
            (one.name == *step).then(|| descend(model, one.type_id, inner, rest))?
        }
        (Kind::SequenceOf { element, .. }, Value::List(values)) => {
            descend(model, *element, values.get_mut(step.parse::<usize>().ok()?)?, rest)
        }
        _ => None,
    }
}

/// The interpreter over dynamic values and a layout made at run time.
struct Dynamic<'a, M, E>(&'a Shipped<M, E>);
/// The interpreter over generated types and the layout in the tables.
struct Interpreted<'a, M, E>(&'a Shipped<M, E>);
/// The generated code.
struct Generated<'a, M, E>(&'a Shipped<M, E>);

impl<M, E> Codec for Dynamic<'_, M, E> {
    fn name(&self) -> &str {
        "interpreter over values"
    }
    fn encode(&self, text: &str) -> Result<Vec<u8>, String> {
        let value = self.0.notation.read(text).map_err(|error| error.to_string())?;
        roadwire_engine::encode_to_vec(&self.0.layout, &value, 1 << 20).map_err(|error| error.to_string())
    }
    fn decode(&self, octets: &[u8]) -> Result<String, String> {
        let mut value = Value::Unset;
        roadwire_engine::decode(&self.0.layout, octets, &mut value).map_err(|error| error.to_string())?;
        self.0.notation.write(&value).map_err(|error| error.to_string())
    }
    fn recode(&self, octets: &[u8]) -> Result<Vec<u8>, String> {
        let mut value = Value::Unset;
        roadwire_engine::decode(&self.0.layout, octets, &mut value).map_err(|error| error.to_string())?;
        roadwire_engine::encode_to_vec(&self.0.layout, &value, 1 << 20).map_err(|error| error.to_string())
    }
}

impl<M: Message<E>, E: RuleSet> Shipped<M, E> {
    fn read(&self, text: &str) -> Result<M, String> {
        let mut message = M::default();
        self.notation.read_into(text, &mut message).map_err(|error| error.to_string())?;
        Ok(message)
    }
    fn write(&self, message: &dyn Data) -> Result<String, String> {
        self.notation.write(message).map_err(|error| error.to_string())
    }
}

impl<M: Message<E>, E: RuleSet> Codec for Interpreted<'_, M, E> {
    fn name(&self) -> &str {
        "interpreter over generated types"
    }
    fn encode(&self, text: &str) -> Result<Vec<u8>, String> {
        let message = self.0.read(text)?;
        roadwire_engine::encode_to_vec(M::layout(), &message, 1 << 20).map_err(|error| error.to_string())
    }
    fn decode(&self, octets: &[u8]) -> Result<String, String> {
        let mut message = M::default();
        roadwire_engine::decode(M::layout(), octets, &mut message).map_err(|error| error.to_string())?;
        self.0.write(&message)
    }
    fn recode(&self, octets: &[u8]) -> Result<Vec<u8>, String> {
        let mut message = M::default();
        roadwire_engine::decode(M::layout(), octets, &mut message).map_err(|error| error.to_string())?;
        roadwire_engine::encode_to_vec(M::layout(), &message, 1 << 20).map_err(|error| error.to_string())
    }
}

impl<M: Message<E>, E: RuleSet> Codec for Generated<'_, M, E> {
    fn name(&self) -> &str {
        "generated code"
    }
    fn encode(&self, text: &str) -> Result<Vec<u8>, String> {
        let message = self.0.read(text)?;
        let mut output = vec![0; 1 << 16];
        let octets = message.encode(&mut output).map_err(|error| error.to_string())?;
        output.truncate(octets);
        Ok(output)
    }
    fn decode(&self, octets: &[u8]) -> Result<String, String> {
        let mut message = M::default();
        message.decode(octets).map_err(|error| error.to_string())?;
        self.0.write(&message)
    }
    fn recode(&self, octets: &[u8]) -> Result<Vec<u8>, String> {
        let mut message = M::default();
        message.decode(octets).map_err(|error| error.to_string())?;
        let mut output = vec![0; 1 << 16];
        let octets = message.encode(&mut output).map_err(|error| error.to_string())?;
        output.truncate(octets);
        Ok(output)
    }
}

/// The rows of a vector file, or `None` if the vectors are missing, which is noted.
#[track_caller]
pub fn rows(file: &str) -> Option<Vec<serde_json::Value>> {
    Some(vectors(file)?.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// A file of the vectors, or `None` if it is missing, which is noted.
#[track_caller]
pub fn vectors(file: &str) -> Option<String> {
    shared::shared_text(&format!("vectors/{file}"))
}

pub fn hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[at * 2..at * 2 + 2], 16).unwrap()).collect()
}
