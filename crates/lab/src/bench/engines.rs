//! roadwire's codecs for a user's messages: generated code, and the interpreter over values whose
//! type is known at run time only.

use std::path::PathBuf;
use std::sync::Arc;

use roadwire_layout::{Rules, lower};
use roadwire_measure::cell::{Absent, Cell, Transcode};
use roadwire_model::{Model, TypeId};
use roadwire_peers::content::{Message, Schema};
use roadwire_peers::roadwire::shipped;
use roadwire_peers::roadwire::taped::{self, Taped};
use roadwire_peers::{Engine, Kind, TimedRegion, program};

use super::own::Own;
use crate::interpreted::Interpreted;

/// The engine of generated code, as in the studies.
pub const GENERATED: &str = "roadwire-toed";
/// The interpreter. In the studies it works on generated types, here on values.
pub const INTERPRETER: &str = roadwire_peers::roadwire::INTERPRETER;

/// Programs over tapes.
pub const PROGRAM: &str = taped::NAME;

/// A type of compiled modules.
pub(super) struct Compiled {
    pub(super) model: Model,
    pub(super) root: TypeId,
}

impl Compiled {
    /// Those of `rules` in which the type has an encoding.
    pub(super) fn encodings(&self, rules: &[Rules]) -> Vec<Rules> {
        rules.iter().copied().filter(|rules| lower(&self.model, self.root, *rules).is_ok()).collect()
    }

    pub(super) fn interpreted(&self, rules: Rules) -> Result<Interpreted, Absent> {
        Interpreted::new(&self.model, self.root, rules).map_err(Absent)
    }
}

/// How a type is coded that is known at run time only.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// Over values.
    Interpreter,
    /// Over tapes.
    Program,
}

/// A type that is known at run time only.
pub(super) struct AtRunTime {
    compiled: Arc<Compiled>,
    way: Way,
}

impl AtRunTime {
    pub(super) fn new(compiled: Arc<Compiled>, way: Way) -> Self {
        AtRunTime { compiled, way }
    }
}

impl Engine for AtRunTime {
    fn name(&self) -> &str {
        match self.way {
            Way::Interpreter => INTERPRETER,
            Way::Program => PROGRAM,
        }
    }

    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn kind(&self) -> Kind {
        Kind::Soed
    }

    fn origin(&self) -> &str {
        "roadwire"
    }

    fn timed_region(&self) -> TimedRegion {
        match self.way {
            Way::Interpreter => TimedRegion { allocation: "values, when decoding".into(), ..timed_region() },
            Way::Program => {
                let validation = "all that the encoding depends on".into();
                TimedRegion { allocation: "none: tape reused".into(), validation, ..timed_region() }
            }
        }
    }

    fn cell(&self, message: &Message, rules: Rules) -> Result<Box<dyn Cell>, Absent> {
        let Compiled { model, root } = &*self.compiled;
        match self.way {
            Way::Interpreter => self.compiled.interpreted(rules)?.cell(&message.jer()),
            Way::Program => Taped::new(model, *root, rules).map_err(Absent)?.cell(&message.jer()),
        }
    }

    fn transcoder(&self, _: Schema, _: Rules) -> Result<Box<dyn Transcode>, Absent> {
        Err(no_traffic())
    }
}

/// Generated code: of this program, or of one that is made for the type.
pub(super) struct Generated {
    compiled: Arc<Compiled>,
    code: Code,
}

enum Code {
    /// Of the message with this schema and name.
    Shipped {
        schema: String,
        message: String,
    },
    Program(Result<PathBuf, String>),
}

impl Generated {
    pub(super) fn new(own: &Own, compiled: Arc<Compiled>) -> Self {
        let code = match own.is_shipped() {
            true => Code::Shipped { schema: own.schema.clone(), message: own.type_name.clone() },
            false => Code::Program(own.program.clone()),
        };
        Generated { compiled, code }
    }
}

impl Engine for Generated {
    fn name(&self) -> &str {
        GENERATED
    }

    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn kind(&self) -> Kind {
        Kind::Toed
    }

    fn origin(&self) -> &str {
        "roadwire"
    }

    fn timed_region(&self) -> TimedRegion {
        timed_region()
    }

    fn cell(&self, message: &Message, rules: Rules) -> Result<Box<dyn Cell>, Absent> {
        let octets = || self.compiled.interpreted(rules)?.octets(&message.jer()).map_err(Absent);
        match &self.code {
            Code::Shipped { schema, message } => shipped::generated(schema, message, rules)?(&octets()?),
            Code::Program(Ok(path)) => program::cell(path, [rules.name(), message.id, "own"], &octets()?)
                .map_err(|Absent(why)| Absent(format!("the program with generated code: {why}"))),
            Code::Program(Err(why)) => Err(Absent(why.clone())),
        }
    }

    fn transcoder(&self, _: Schema, _: Rules) -> Result<Box<dyn Transcode>, Absent> {
        Err(no_traffic())
    }
}

fn timed_region() -> TimedRegion {
    TimedRegion {
        allocation: "lists and strings without a bound, when decoding".into(),
        presizing: "output buffer reused".into(),
        population: "outside".into(),
        validation: "all ranges and lengths".into(),
    }
}

fn no_traffic() -> Absent {
    Absent("only the values that the user gives are measured".into())
}
