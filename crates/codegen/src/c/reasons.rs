//! How functions reject. Those that codecs call first only say that they do; if they do, another
//! one walks the same message, and says what is wrong, and where.

use roadwire_plan::{Cond, Reason};

use super::statements::Printer;

/// The code of an error, as the runtime names it.
pub(super) fn code_of(reason: Reason) -> &'static str {
    match reason {
        Reason::Integer => "RW_INTEGER_RANGE",
        Reason::Size => "RW_SIZE_RANGE",
        Reason::Item => "RW_ENUMERATED_INDEX",
        Reason::ItemNumber => "RW_ENUMERATED_NUMBER",
        Reason::Choice => "RW_CHOICE_INDEX",
        Reason::Component => "RW_COMPONENT_MISSING",
        Reason::OpenType => "RW_OPEN_TYPE_EMPTY",
        Reason::Rare => "RW_RARE",
    }
}

/// The code that belongs to a condition, whatever the type.
fn told(condition: &Cond) -> Option<&'static str> {
    Some(match condition {
        Cond::NotAllIn(..) => "RW_TEXT_ALPHABET",
        Cond::NotOid(_) => "RW_OID_CONTENTS",
        Cond::Remainder(..) => "RW_TEXT_PART",
        Cond::BeyondInput(_) => "RW_INPUT_TRUNCATED",
        Cond::HasUnknown(_) => "RW_RARE",
        _ => return None,
    })
}

impl Printer<'_, '_> {
    /// The statement that rejects.
    pub(super) fn refusal(&self, code: &str) -> String {
        if self.explains { format!("return rw_refuse(error, {code});") } else { "return RW_REJECTED;".into() }
    }

    pub(super) fn refuse(&mut self, code: &str) {
        let refusal = self.refusal(code);
        self.line(refusal);
    }

    pub(super) fn reject_as(&mut self, condition: &str, code: &str) {
        self.line(format!("if ({condition}) {{"));
        self.refuse(code);
        self.line("}");
    }

    /// Rejects with what may be wrong with the type.
    pub(super) fn reject_if(&mut self, condition: &str) {
        self.reject_as(condition, self.reason);
    }

    pub(super) fn reject_where(&mut self, condition: &Cond) {
        let text = self.condition(condition);
        self.reject_as(&text, told(condition).unwrap_or(self.reason));
    }

    /// Calls a function that returns 0, or else the code of an error.
    pub(super) fn try_call(&mut self, call: impl AsRef<str>) {
        let call = call.as_ref();
        match self.explains {
            true => self.call_part(&format!("rw_refuse(error, {call})")),
            false => self.call_part(call),
        }
    }

    /// Calls a function that, if it is to say what is wrong, has said it.
    pub(super) fn call_part(&mut self, call: &str) {
        self.line(format!("if ({call} != 0) {{"));
        self.line("return RW_REJECTED;");
        self.line("}");
    }

    /// Statements of a component, an alternative or an element with a number.
    pub(super) fn part(&mut self, number: &str, inside: impl FnOnce(&mut Self)) {
        if !self.explains {
            return inside(self);
        }
        let (suffix, stream) = if self.is_encoder() { ("written", "w") } else { ("read", "r") };
        self.line(format!("rw_enter_{suffix}(error, {number}, &{stream});"));
        // Its variables are its own.
        self.line("{");
        inside(self);
        self.line("}");
        self.line(format!("rw_leave_{suffix}(error, &{stream});"));
    }
}
