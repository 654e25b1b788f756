//! How functions reject. Those that codecs call first only say that they do; if they do, another
//! one walks the same message, and says what is wrong, and where.

use roadwire_layout::Family;
use roadwire_plan::{Block, Cond, Mover, Prim, Reason, Stmt, Stream};

use super::statements::{Cursor, Printer};

/// The code of an error, as the runtime names it.
pub(super) fn code_of(reason: Reason) -> &'static str {
    match reason {
        Reason::Integer => "RW_INTEGER_RANGE",
        Reason::IntegerWidth => "RW_INTEGER_WIDTH",
        Reason::Size => "RW_SIZE_RANGE",
        Reason::Item => "RW_ENUMERATED_INDEX",
        Reason::ItemNumber => "RW_ENUMERATED_NUMBER",
        Reason::Choice => "RW_CHOICE_INDEX",
        Reason::Component => "RW_COMPONENT_MISSING",
        Reason::Selected => "RW_VALUE_MISMATCH",
        Reason::OpenType => "RW_OPEN_TYPE_EMPTY",
        Reason::OpenTypeTrailing => "RW_OPEN_TYPE_TRAILING",
        Reason::NamedBits => "RW_BIT_STRING",
        Reason::Truth => "RW_TLV_BOOLEAN",
        Reason::Null => "RW_TLV_NULL",
        Reason::TagOfComponent => "RW_TLV_TAG_COMPONENT",
        Reason::TagTrailing => "RW_TLV_TAG_TRAILING",
        Reason::TagOfSet => "RW_TLV_TAG_SET",
        Reason::ComponentAgain => "RW_TLV_SET_REPEATED",
        Reason::TagOfChoice => "RW_TLV_TAG_CHOICE",
        Reason::Trailing => "RW_CONTENTS_TRAILING",
        Reason::WireType => "RW_FIELDS_WIRE_TYPE_OTHER",
        Reason::Field => "RW_FIELDS_UNKNOWN",
        Reason::FieldOfChoice => "RW_FIELDS_CHOICE_UNKNOWN",
        Reason::NoField => "RW_FIELDS_CHOICE_NONE",
        Reason::ItemKind => "RW_CBOR_TYPE",
        Reason::ItemTag => "RW_CBOR_TAG",
        Reason::ItemBits => "RW_CBOR_BITS_UNUSED",
        Reason::Key => "RW_CBOR_KEY_UNKNOWN",
        Reason::DefaultSent => "RW_CBOR_DEFAULT",
        Reason::NoEntry => "RW_CBOR_GROUP_EMPTY",
        Reason::Entries => "RW_CBOR_CHOICE",
        Reason::KeyOfChoice => "RW_CBOR_CHOICE_UNKNOWN",
        Reason::Length => "RW_VECTORS_LENGTH",
        Reason::Member => "RW_JER_UNKNOWN",
        Reason::Alternative => "RW_JER_CHOICE",
        Reason::MemberTwice => "RW_JER_DUPLICATE",
        Reason::StringPlace => "RW_EXI_STRING",
        Reason::Rare => "RW_RARE",
    }
}

/// The code that belongs to a condition, whatever the type.
fn told(condition: &Cond) -> Option<&'static str> {
    Some(match condition {
        Cond::NotAllIn(..) | Cond::NotFit(_, (0, u64::MAX), _) => "RW_TEXT_ALPHABET",
        Cond::NotOid(_) => "RW_OID_CONTENTS",
        Cond::Remainder(..) => "RW_TEXT_PART",
        Cond::BeyondInput(_) | Cond::MoreThanLeft(_) => "RW_INPUT_TRUNCATED",
        Cond::HasUnknown(_) | Cond::NotUtc(..) => "RW_RARE",
        Cond::NoIdentifier => "rw_why_tag(&r, 0)",
        Cond::NotVisible(_) => "RW_TEXT_ALPHABET",
        _ => return None,
    })
}

impl Printer<'_, '_> {
    /// The statement that rejects.
    pub(super) fn refusal(&self, code: &str) -> String {
        if let Some(otherwise) = &self.otherwise {
            return format!("goto {otherwise};");
        }
        match (self.is_thorough, self.is_in_vector) {
            (true, true) => format!("return rw_refuse(error, rw_in_vector({code}));"),
            (true, false) => format!("return rw_refuse(error, {code});"),
            _ => "return RW_REJECTED;".into(),
        }
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
        if let (Cond::Outside { .. } | Cond::BareOutside { .. }, Some(why)) = (condition, self.why_outside.take()) {
            return self.reject_as(&text, &why);
        }
        let code = match condition {
            Cond::All(all) => all.iter().find_map(told),
            condition => told(condition),
        };
        self.reject_as(&text, code.unwrap_or(self.reason));
    }

    /// To the interpreter, a number outside its range that had more than 16 octets is too wide:
    /// where the number begins is remembered, if it is compared with a range.
    pub(super) fn before_number(&mut self, statement: &Stmt, rest: &[Stmt]) {
        let function = match statement {
            _ if !self.is_thorough => return,
            Stmt::Stream(Stream::TakeDetermined { .. }) => "rw_why_range",
            Stmt::Get(_, Prim::Mover(Mover::TakeCountedUnsigned | Mover::TakeCountedSigned), _) => "rw_why_whole_range",
            _ => return,
        };
        let is_compared =
            |statement: &Stmt| matches!(statement, Stmt::RejectIf(Cond::Outside { .. } | Cond::BareOutside { .. }));
        if rest.iter().take(2).any(is_compared) {
            let start = self.fresh("start");
            self.line(format!("const uint64_t {start} = r.at;"));
            self.why_outside = Some(format!("{function}(&r, {start})"));
        }
    }

    /// Calls a function that returns 0, or else the code of an error.
    pub(super) fn try_call(&mut self, call: impl AsRef<str>) {
        let call = call.as_ref();
        match self.is_thorough {
            true => self.call_part(&format!("rw_refuse(error, {call})")),
            false => self.call_part(call),
        }
    }

    /// Reads whole values; `code` is that of those that are whole.
    pub(super) fn try_whole(&mut self, call: &str, code: &str) {
        if !self.is_thorough {
            return self.call_part(call);
        }
        self.line(format!("if ({call} != 0) {{"));
        self.line(format!("return rw_refuse(error, rw_why_whole(&r, {code}));"));
        self.line("}");
    }

    /// Calls a function that, if it is to say what is wrong, has said it.
    pub(super) fn call_part(&mut self, call: &str) {
        self.line(format!("if ({call} != 0) {{"));
        match (self.is_in_vector, &self.otherwise) {
            (false, None) => self.line("return RW_REJECTED;"),
            _ => self.refuse("error->code"),
        }
        self.line("}");
    }

    /// Reads ahead: where the statements would refuse something, others come next. The input and
    /// the path of an error are then what they were.
    pub(super) fn ahead(&mut self, body: &Block, fails: &Block) {
        let (before, depth, is_read) = (self.fresh("before"), self.fresh("depth"), self.fresh("is_read"));
        let after = self.fresh("after");
        self.line("{");
        self.line(format!("const rw_input {before} = r;"));
        self.line(format!("const uint32_t {depth} = error->depth;"));
        self.line(format!("bool {is_read} = false;"));
        self.line("{");
        let outer = self.otherwise.replace(after.clone());
        self.block(body);
        self.otherwise = outer;
        self.line("}");
        self.line(format!("{is_read} = true;"));
        self.out.line(format!("{after}:"));
        self.line(format!("r = {before};"));
        self.line(format!("error->depth = {depth};"));
        self.line(format!("if (!{is_read}) {{"));
        self.block(fails);
        self.line("}");
        self.line("}");
    }

    /// Statements of a component, an alternative or an element with a number.
    pub(super) fn part(&mut self, number: &str, inside: impl FnOnce(&mut Self)) {
        if !self.is_thorough {
            return inside(self);
        }
        let (suffix, stream) = match (self.is_encoder(), self.cursor) {
            (true, _) => ("written", "w"),
            (false, Cursor::Values) => ("value", "r"),
            (false, Cursor::Bits | Cursor::Whole) => ("read", "r"),
        };
        self.line(format!("rw_enter_{suffix}(error, {number}, &{stream});"));
        // Its variables are its own, but for the code of the next event.
        let is_own = !(self.is_encoder() && self.family == Family::Events);
        if is_own {
            self.line("{");
        }
        inside(self);
        if is_own {
            self.line("}");
        }
        self.line(format!("rw_leave_{suffix}(error, &{stream});"));
    }
}
