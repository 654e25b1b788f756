//! The interpreter on the cases of each set of rules.

mod support;

use roadwire_cases::markdown::Block;
use roadwire_cases::module::Module;
use roadwire_layout::Rules;
use support::{Interpreter, Subject, is_decoded, is_encoded, is_error, run_all};

#[test]
fn interpreter_is_right() {
    run_all(|rules, _, _| Interpreted { rules, interpreter: None });
}

struct Interpreted {
    rules: Rules,
    interpreter: Option<Interpreter>,
}

impl Interpreted {
    fn interpreter(&self) -> Result<&Interpreter, String> {
        self.interpreter.as_ref().ok_or_else(|| "no block with a module in front".into())
    }
}

impl Subject for Interpreted {
    fn module(&mut self, block: &Block) -> Result<(), String> {
        self.interpreter = Some(Interpreter::new(self.rules, Module::of(block).ok_or("no module")?)?);
        Ok(())
    }

    fn both_ways(&self, value: &str, octets: &[u8]) -> Result<(), String> {
        is_encoded(value, &self.interpreter()?.encode(value)?, octets)?;
        self.decodes(octets, value)
    }

    fn decodes(&self, octets: &[u8], value: &str) -> Result<(), String> {
        is_decoded(octets, &self.interpreter()?.decode(octets)?, value)
    }

    fn refuses_octets(&self, octets: &[u8], error: &str) -> Result<(), String> {
        is_error(self.interpreter()?.decode(octets), error)
    }

    fn refuses_value(&self, value: &str, error: &str) -> Result<(), String> {
        is_error(self.interpreter()?.encode(value), error)
    }

    fn end(&self) -> Result<(), String> {
        Ok(())
    }
}
