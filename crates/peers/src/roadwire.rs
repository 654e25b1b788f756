//! roadwire's own codecs over the same generated types: straight-line code (TOED) and programs made
//! at run time (SOED); beside them the interpreter, and programs that leave a message on the tape.

mod interpreted;
mod programmed;
pub mod shipped;
pub mod taped;
mod typed;

use std::any::type_name;

use roadwire_engine::Message as Generated;
use roadwire_layout::{Rules, lower};
use roadwire_messages::{cam_1_3_0, cam_1_4_1, denm_1_2_0, denm_1_3_1};
use roadwire_notation::Notation;
use roadwire_program::Program;
use roadwire_wire::Data;

use self::interpreted::Interpreted;
use self::programmed::Programmed;
use self::taped::Taped;
use self::typed::Typed;
use crate::content::{Message, Schema};
use crate::{Engine, Kind, TimedRegion};
use roadwire_measure::bench::Recoder;
use roadwire_measure::cell::{Absent, Cell, Transcode};

/// More octets than any of the messages, also as text.
pub const ROOM: usize = 1 << 18;

/// The source of the module that measures generated code, for programs that are made for a type of
/// the user.
pub const TYPED: &str = include_str!("roadwire/typed.rs");

/// The name of the interpreter among the engines.
pub const INTERPRETER: &str = "roadwire-interpreter";

/// The straight-line code.
pub struct Toed;

/// Programs made at run time, which fill the generated types; the interpreter for what has none.
pub struct Soed;

/// The interpreter over the generated types.
pub struct Interpreter;

/// Programs that leave a message on the tape.
pub struct OnTape;

/// The message under these rules, as its schema has it.
fn under(message: &Message, rules: Rules) -> Result<Message, Absent> {
    message.under(rules).ok_or_else(|| Absent(format!("the studies have no {} in {rules}", message.schema)))
}

/// A message in memory from its JER text.
pub(super) fn message<M: Data + Default>(notation: &Notation, text: &str) -> Result<M, String> {
    let mut message = M::default();
    notation.read_into(text, &mut message).map_err(|error| error.to_string())?;
    Ok(message)
}

/// A message in octets, as the interpreter writes it from its JER text.
///
/// # Errors
/// The text is not a value of the schema, or has no octets under these rules.
pub fn octets(schema: Schema, rules: Rules, jer: &str) -> Result<Vec<u8>, String> {
    let (model, root) = schema.model()?;
    let value = schema.notation()?.read(jer).map_err(|error| error.to_string())?;
    let layout = lower(&model, root, rules).map_err(|error| error.to_string())?;
    roadwire_engine::encode_to_vec(&layout, &value, ROOM).map_err(|error| error.to_string())
}

/// The program of a schema's message under these rules; `None` if it has none.
fn program(schema: Schema, rules: Rules) -> Result<Option<Program>, Absent> {
    let (model, root) = schema.model().map_err(Absent)?;
    let layout = lower(&model, root, rules).map_err(|error| Absent(error.to_string()))?;
    Ok(Program::new(&model, root, &layout))
}

fn at_run_time(schema: Schema, rules: Rules, jer: &str, program: Option<Program>) -> Result<Box<dyn Cell>, Absent> {
    let octets = octets(schema, rules, jer).map_err(Absent)?;
    shipped::at_run_time(schema.name(), schema.message().map_err(Absent)?, rules, &octets, program)
}

impl Toed {
    fn cell_of(schema: Schema, rules: Rules, jer: &str) -> Result<Box<dyn Cell>, Absent> {
        let make = shipped::generated(schema.name(), schema.message().map_err(Absent)?, rules)?;
        make(&octets(schema, rules, jer).map_err(Absent)?)
    }

    fn transcoder<M: Generated<E> + 'static, E: 'static>(_: Schema, _: Rules) -> Result<Box<dyn Transcode>, Absent> {
        Ok(Recoder::boxed(Typed::<M, E>::new(&[], ROOM)))
    }
}

impl Soed {
    fn cell_of(schema: Schema, rules: Rules, jer: &str) -> Result<Box<dyn Cell>, Absent> {
        at_run_time(schema, rules, jer, program(schema, rules)?)
    }

    fn transcoder<M: Generated<E> + 'static, E: 'static>(
        schema: Schema,
        rules: Rules,
    ) -> Result<Box<dyn Transcode>, Absent> {
        match program(schema, rules)? {
            Some(program) => Ok(Recoder::boxed(Programmed::<M>::new(program, M::layout(), &[]))),
            None => Interpreter::transcoder::<M, E>(schema, rules),
        }
    }
}

impl Interpreter {
    fn cell_of(schema: Schema, rules: Rules, jer: &str) -> Result<Box<dyn Cell>, Absent> {
        at_run_time(schema, rules, jer, None)
    }

    fn transcoder<M: Generated<E> + 'static, E: 'static>(_: Schema, _: Rules) -> Result<Box<dyn Transcode>, Absent> {
        Ok(Recoder::boxed(Interpreted::<M>::new(M::layout(), &[])))
    }
}

impl OnTape {
    fn cell_of(schema: Schema, rules: Rules, jer: &str) -> Result<Box<dyn Cell>, Absent> {
        let (model, root) = schema.model().map_err(Absent)?;
        Taped::new(&model, root, rules).map_err(Absent)?.cell(jer)
    }

    fn transcoder<M: Generated<E> + 'static, E: 'static>(_: Schema, _: Rules) -> Result<Box<dyn Transcode>, Absent> {
        Err(Absent(format!("recorded traffic is measured with generated types, such as {}", type_name::<M>())))
    }
}

/// `with_rules!(rules, E => expression)`: the expression with the type `E` for these [`Rules`]. It
/// is only used with ASN.1 types.
macro_rules! with_rules {
    (($d:tt) $rules:expr, $e:ident => $body:expr) => {{
        macro_rules! each {
            ($d($d type:ident)*) => {
                match $rules {
                    $d(Rules::$d type => { type $e = roadwire_layout::$d type; $body })*
                    Rules::Tls => Err(Absent(format!("types of ASN.1 have no layout under {}", $rules))),
                }
            };
        }
        roadwire_layout::for_each_rules_of_asn1!(each)
    }};
    ($rules:expr, $e:ident => $body:expr) => {
        with_rules!(($) $rules, $e => $body)
    };
}

macro_rules! engine {
    ($engine:ty, $name:expr, $kind:expr, $allocation:literal) => {
        impl Engine for $engine {
            fn name(&self) -> &str {
                $name
            }

            fn version(&self) -> &str {
                env!("CARGO_PKG_VERSION")
            }

            fn kind(&self) -> Kind {
                $kind
            }

            fn origin(&self) -> &str {
                "roadwire"
            }

            fn timed_region(&self) -> TimedRegion {
                TimedRegion {
                    allocation: $allocation.into(),
                    presizing: "output buffer reused".into(),
                    population: "outside".into(),
                    validation: "all ranges and lengths".into(),
                }
            }

            fn cell(&self, message: &Message, rules: Rules) -> Result<Box<dyn Cell>, Absent> {
                let message = under(message, rules)?;
                <$engine>::cell_of(message.schema, rules, &message.jer())
            }

            fn cell_of(&self, schema: Schema, rules: Rules, jer: &str) -> Result<Box<dyn Cell>, Absent> {
                <$engine>::cell_of(schema, rules, jer)
            }

            fn transcoder(&self, schema: Schema, rules: Rules) -> Result<Box<dyn Transcode>, Absent> {
                with_rules!(rules, E => match schema {
                    Schema::Cam130 => <$engine>::transcoder::<cam_1_3_0::Cam, E>(schema, rules),
                    Schema::Cam141 => <$engine>::transcoder::<cam_1_4_1::Cam, E>(schema, rules),
                    Schema::Denm120 => <$engine>::transcoder::<denm_1_2_0::Denm, E>(schema, rules),
                    Schema::Denm131 => <$engine>::transcoder::<denm_1_3_1::Denm, E>(schema, rules),
                    other => Err(Absent(format!("no traffic of {other} is recorded"))),
                })
            }
        }
    };
}
engine!(Toed, "roadwire-toed", Kind::Toed, "none");
engine!(Soed, "roadwire-soed", Kind::Soed, "none: tape reused");
engine!(Interpreter, INTERPRETER, Kind::Beside, "none");
engine!(OnTape, taped::NAME, Kind::Beside, "none: tape reused");
