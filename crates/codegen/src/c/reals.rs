//! Prints what functions do with a REAL.

use roadwire_plan::{Arg, Mover, Var};

use super::places::name;
use super::statements::Printer;

impl Printer<'_, '_> {
    /// Writes a number in one of the forms of packed and octet rules.
    pub(super) fn put_real(&mut self, args: &[Arg]) {
        let [Arg::Value(place), form @ ..] = args else { return drop(self.lacks(&Mover::PutReal)) };
        let value = self.place(place).value();
        self.real("put", "w", &value, form);
    }

    pub(super) fn take_real(&mut self, var: Var, form: &[Arg]) {
        self.declare("double", &name(var));
        self.real("take", "r", &format!("&{}", name(var)), form);
    }

    fn real(&mut self, verb: &str, stream: &str, value: &str, form: &[Arg]) {
        let args: String = form.iter().map(|arg| format!(", {}", self.argument(arg))).collect();
        let call = match form {
            [Arg::Flag(_)] if self.is_whole() => format!("rw_{verb}_counted_real(&{stream}, {value})"),
            [Arg::Flag(_)] => format!("rw_{verb}_real(&{stream}, {value}{args})"),
            [_, _, _, _, _] => format!("rw_{verb}_binary_real(&{stream}, {value}{args})"),
            _ => return drop(self.lacks(&Mover::PutReal)),
        };
        self.try_call(call);
    }
}
