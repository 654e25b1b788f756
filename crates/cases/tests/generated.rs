//! Generated code on the cases of each set of rules.

mod support;

use std::cell::{Cell, RefCell};

use roadwire_cases::markdown::{Block, Section};
use roadwire_cases::module::Module;
use roadwire_cases::{Made, Sample, generated};
use roadwire_layout::{Family, Rules, value_notation};
use support::{Interpreter, ROOM, Subject, hex, is_decoded, is_encoded, is_error, run_all};

#[test]
fn generated_code_is_right() {
    run_all(|rules, file, section| Generated { rules, file: file.into(), codes: Vec::new(), gap: Gap::of(section) });
}

struct Generated {
    rules: Rules,
    file: String,
    /// For the last module: the codes, or why there is none.
    codes: Vec<Result<Code, String>>,
    gap: Gap,
}

/// Code, and the interpreter of the same type.
struct Code {
    make: fn() -> Box<dyn Sample>,
    /// Holds the value that was decoded last: nothing of an earlier message may stay.
    used: RefCell<Box<dyn Sample>>,
    interpreter: Interpreter,
    /// The type is a SEQUENCE of the type under test.
    wrapped: bool,
    /// The type under test has the same octets.
    same_octets: bool,
}

/// The error of generated code where its types cannot hold a value: the block `generated` of a
/// section.
struct Gap {
    text: Option<String>,
    seen: Cell<bool>,
}

impl Gap {
    fn of(section: &Section) -> Gap {
        let block = section.blocks.iter().find(|block| block.kind == "generated");
        Gap { text: block.map(|block| block.text.trim().to_owned()), seen: Cell::new(false) }
    }

    /// An error is none if it is the gap's.
    fn allows(&self, found: Result<(), String>) -> Result<(), String> {
        match (&found, &self.text) {
            (Err(error), Some(text)) if error.contains(text) => {
                self.seen.set(true);
                Ok(())
            }
            _ => found,
        }
    }
}

impl Generated {
    fn check(&self, check: impl Fn(&Code) -> Result<(), String>) -> Result<(), String> {
        if self.codes.is_empty() {
            return Err("no block with a module in front".into());
        }
        self.codes.iter().try_for_each(|code| self.gap.allows(code.as_ref().map_err(String::clone).and_then(&check)))
    }
}

impl Subject for Generated {
    fn module(&mut self, block: &Block) -> Result<(), String> {
        let module = Module::of(block).ok_or("no module")?;
        let Some(made) = generated(self.rules, &self.file, block.line) else {
            return Err("code was generated from another text: build again".into());
        };
        let code = |made: &Made| match *made {
            Made::Type { make, wrapped } => Code::new(self.rules, module.clone(), make, wrapped),
            Made::Nothing(error) => Err(format!("no code is generated: {error}")),
        };
        self.codes = made.iter().map(code).collect();
        Ok(())
    }

    fn both_ways(&self, value: &str, octets: &[u8]) -> Result<(), String> {
        self.check(|code| code.both_ways(value, octets))
    }

    fn decodes(&self, octets: &[u8], value: &str) -> Result<(), String> {
        self.check(|code| match code.same_octets {
            true => is_decoded(octets, &code.decode(octets)?, &code.value(value)),
            false => Ok(()),
        })
    }

    fn refuses_octets(&self, octets: &[u8], error: &str) -> Result<(), String> {
        self.check(|code| if code.same_octets { is_error(code.decode(octets), error) } else { Ok(()) })
    }

    /// The error of generated code may have other words.
    fn refuses_value(&self, value: &str, _: &str) -> Result<(), String> {
        self.check(|code| code.refuses(value))
    }

    fn end(&self) -> Result<(), String> {
        match &self.gap.text {
            Some(text) if !self.gap.seen.get() => Err(format!("generated code does not say {text:?}")),
            _ => Ok(()),
        }
    }
}

impl Code {
    fn new(rules: Rules, module: Module, make: fn() -> Box<dyn Sample>, wrapped: bool) -> Result<Code, String> {
        let module = if wrapped { module.wrapped() } else { module };
        let same_octets = !wrapped || matches!(rules.family(), Family::Packed | Family::Octet | Family::Vectors);
        let used = RefCell::new(make());
        Ok(Code { make, used, interpreter: Interpreter::new(rules, module)?, wrapped, same_octets })
    }

    /// The value under test as one of the code's type.
    fn value(&self, text: &str) -> String {
        if self.wrapped { Module::wrapped_value(text) } else { text.to_owned() }
    }

    /// The value has the octets that the interpreter writes, and they the value.
    fn both_ways(&self, text: &str, octets: &[u8]) -> Result<(), String> {
        let text = self.value(text);
        let encoded = self.interpreter.encode(&text)?;
        if self.same_octets {
            is_encoded(&text, &encoded, octets)?;
        }
        let mut sample = (self.make)();
        let layout = &self.interpreter.layout;
        roadwire_engine::decode(layout, &encoded, sample.data_mut()).map_err(|error| error.to_string())?;
        is_encoded(&text, &sample.encode(ROOM).map_err(|error| error.to_string())?, &encoded)?;
        is_decoded(&encoded, &self.decode(&encoded)?, &text)
    }

    /// A value that generated types can hold is refused when it is encoded.
    fn refuses(&self, text: &str) -> Result<(), String> {
        let mut sample = (self.make)();
        let text = self.value(text);
        // Text is read without a look at constraints.
        let Interpreter { model, root, .. } = &self.interpreter;
        let layout = value_notation(model, *root, true).map_err(|error| error.to_string())?;
        if roadwire_engine::decode(&layout, text.as_bytes(), sample.data_mut()).is_err() {
            return Ok(());
        }
        match sample.encode(ROOM) {
            Err(_) => Ok(()),
            Ok(octets) => Err(format!("{text} is encoded {}", hex(&octets))),
        }
    }

    /// The value as JER; all octets must be used.
    fn decode(&self, octets: &[u8]) -> Result<String, String> {
        let mut sample = self.used.borrow_mut();
        let bits = sample.decode(octets).map_err(|error| error.to_string())?;
        self.interpreter.all_used(bits, octets)?;
        let encoded = roadwire_engine::encode_to_vec(&self.interpreter.layout, sample.data(), ROOM);
        self.interpreter.decode(&encoded.map_err(|error| error.to_string())?)
    }
}
