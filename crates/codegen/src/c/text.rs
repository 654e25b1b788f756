//! Prints what functions do that write or read text: constants, and values between them.

use roadwire_model::TypeId;
use roadwire_plan::{Arg, Block, Cond, Num, Place, Prim, Repr, Stmt, Str, Text, Value, Var};

use super::names::int_name;
use super::numbers::constant;
use super::places::name;
use super::statements::Printer;

impl Printer<'_, '_> {
    pub(super) fn in_text(&mut self, statement: &Stmt) {
        match statement {
            Stmt::PutText(text) => match self.is_encoder() {
                true => self.try_call(format!("rw_put_literal(&w, {})", literal(text))),
                false => self.reject_if(&format!("!rw_accept(&r, {})", literal(text))),
            },
            Stmt::Do(Prim::Text(by), args) | Stmt::Apart(Prim::Text(by), args) => self.act_text(*by, args),
            Stmt::Get(var, Prim::Text(by), args) => self.get_text(*var, *by, args),
            Stmt::SetBy(place, Prim::Text(Text::TakeTruth), _) => {
                let (any, address) = (self.any_form(), self.place(place).address());
                self.try_call(format!("rw_{any}_truth(&r, {address})"));
            }
            Stmt::SetBy(place, Prim::Text(Text::TakeReal), _) => {
                let address = self.place(place).address();
                self.try_call(format!("rw_take_json_real(&r, {address})"));
            }
            Stmt::LetFlag(var) => self.line(format!("bool {} = true;", name(*var))),
            Stmt::ClearFlag(var) => self.line(format!("{} = false;", name(*var))),
            Stmt::PutTruth { place, texts: [yes, no] } => {
                let value = self.place(place).value();
                self.line(format!("if ({value}) {{"));
                self.try_call(format!("rw_put_literal(&w, {})", literal(yes)));
                self.line("} else {");
                self.try_call(format!("rw_put_literal(&w, {})", literal(no)));
                self.line("}");
            }
            Stmt::PutLabel { id, place, labels } => self.put_label(*id, place, labels),
            Stmt::SetByLabel { id, place, by: Prim::Text(Text::TakeName), labels } => {
                self.set_by_label(*id, place, labels);
            }
            Stmt::TakeFlagDigits { digits, octets } => {
                self.declare("uint64_t", &name(*digits));
                self.try_call(format!("rw_take_digits_word(&r, {octets}, &{})", name(*digits)));
            }
            Stmt::FillArray(place, digits) | Stmt::FillDigits { place, digits, .. } if self.is_thorough => {
                self.fill(place, &name(*digits), (0, u64::MAX));
            }
            Stmt::FillDigits { place, digits, count, .. } => self.fill_digits(place, *digits, *count),
            Stmt::FillArcs { place, text, is_relative } => {
                let (text, to) = (name(*text), self.place(place).address());
                self.try_call(match self.is_thorough {
                    true => format!("rw_any_arcs({text}, {is_relative}, arena, {to})"),
                    false => format!("rw_new_arcs({text}, {is_relative}, RW_JER_OID, arena, {to})"),
                });
            }
            Stmt::FillArray(place, digits) => {
                let Some(Repr::FixedOctets(count)) = self.repr_of(place) else { return drop(self.lacks(place)) };
                let array = self.array(place);
                self.try_call(format!("rw_fill_digits({}, {array}, {count})", name(*digits)));
            }
            Stmt::TakeCharacters { place, by: Text::TakeString, bounds: (lower, upper), ranges, .. } => {
                let (text, alphabet) = (self.place(place), self.alphabet(ranges));
                let bounds = format!("{}, {}", constant(*lower), constant(*upper));
                let ([function, any], to) = match self.repr_of(place) {
                    Some(Repr::Text(most)) => (
                        ["rw_take_quoted", "rw_any_text"],
                        format!("(uint8_t *){}, {most}, &{}", text.member("text"), text.member("size")),
                    ),
                    Some(Repr::String | Repr::LentText) => {
                        (["rw_new_quoted", "rw_any_new_text"], format!("arena, {}", text.address()))
                    }
                    _ => return drop(self.lacks(place)),
                };
                let function = if self.is_thorough { any } else { function };
                self.try_call(format!("{function}(&r, {bounds}, {alphabet}, {to})"));
            }
            Stmt::Separated { element, body } => self.between_commas(body, |printer| printer.element(element, body)),
            other => drop(self.lacks(other)),
        }
    }

    fn act_text(&mut self, by: Text, args: &[Arg]) {
        let call = match (by, args) {
            (Text::PutReal, [Arg::Value(place)]) => format!("rw_put_json_real(&w, {})", self.place(place).value()),
            (Text::PutSigned, [number]) => format!("rw_put_signed_decimal(&w, {})", self.argument(number)),
            (Text::PutUnsigned, [number]) => format!("rw_put_decimal(&w, {})", self.argument(number)),
            (Text::PutDigits, [Arg::FlagOctets { place, shift, octets }]) => {
                let (digits, flags) = (self.fresh("digits"), self.widened(place));
                self.line(format!("uint8_t {digits}[8];"));
                self.line(format!("rw_store({digits}, ({flags}) << {shift});"));
                format!("rw_put_digits(&w, rw_octets_of({digits}, {octets}))")
            }
            (Text::PutDigits, [octets]) => format!("rw_put_digits(&w, {})", self.argument(octets)),
            (Text::PutString, [text]) => format!("rw_put_quoted(&w, {})", self.argument(text)),
            (Text::CloseList, [start, Arg::Octet(open), Arg::Octet(close)]) => {
                format!("rw_close_list(&w, {}, {open}, {close})", self.argument(start))
            }
            (Text::PutBits, [Arg::Scalar(place), lower, upper, is_trimmed]) => {
                let kind = if self.is_bit_string(place) { "bits" } else { "word" };
                let size = [lower, upper, is_trimmed].map(|arg| self.argument(arg)).join(", ");
                format!("rw_put_digits_of_{kind}(&w, {}, {size})", self.place(place).address())
            }
            (Text::PutArcs, [contents, is_relative]) => {
                format!("rw_put_arcs(&w, {}, {})", self.argument(contents), self.argument(is_relative))
            }
            (Text::TakeBits, [Arg::Exclusive(place), lower, upper, is_trimmed]) => {
                let kind = if self.is_bit_string(place) { "bits" } else { "word_bits" };
                let size = [lower, upper, is_trimmed].map(|arg| self.argument(arg)).join(", ");
                format!("rw_any_{kind}(&r, {size}, {})", self.place(place).address())
            }
            (Text::TakeBits, [Arg::Exclusive(place), lower, upper]) => {
                let verb = if self.is_bit_string(place) { "lend" } else { "take" };
                let bounds = format!("{}, {}", self.argument(lower), self.argument(upper));
                format!("rw_{verb}_digits_of_bits(&r, {bounds}, {})", self.place(place).address())
            }
            // It continues after a value that was skipped, all of which has been read.
            (Text::Resume, [Arg::Num(Num::Var(after))]) => {
                self.reject_if("r.at != r.end");
                return self.line(format!("r = {};", name(*after)));
            }
            (Text::SkipValue, [value]) => format!("rw_skip_value(&r, &{})", self.argument(value)),
            (Text::PassValue, []) => "rw_pass_json(&r)".into(),
            (Text::Begin, []) => "rw_begin_text(&r)".into(),
            (Text::End, []) => "rw_end_text(&r)".into(),
            (Text::Open, [Arg::Octet(bracket)]) => format!("rw_open_bracket(&r, {bracket})"),
            (Text::TakeComma, [first]) => format!("rw_pass_comma(&r, {})", self.argument(first)),
            (Text::OnlyMember, []) => format!("rw_only_member(&r, {})", self.reason),
            (Text::TakeNull, []) => format!("rw_any_word(&r, {})", literal("null")),
            (Text::PutUnknown, [Arg::Unknown(place), known, Arg::Names(names)]) => {
                let (known, names) = (self.argument(known), self.name_table(names));
                format!("rw_put_members(&w, &{}, {known}, {names})", self.place(place).member("unknown"))
            }
            (Text::PutOther, [Arg::Octets(Str::Var(other)), known, Arg::Names(names)]) => {
                let (known, names) = (self.argument(known), self.name_table(names));
                format!("rw_put_unnamed(&w, {}, {known}, {names})", name(*other))
            }
            (Text::TakeUnknown, [Arg::Exclusive(place), name, known]) => {
                let (name, known) = (self.argument(name), self.argument(known));
                format!("rw_keep_member(&r, &{name}, {known}, &{})", self.place(place).member("unknown"))
            }
            (Text::SettleUnknown, [Arg::Exclusive(place), known]) => {
                let known = self.argument(known);
                format!("rw_settle_members(&{}, {known})", self.place(place).member("unknown"))
            }
            (Text::TakeOther, [Arg::Exclusive(place), name, known]) => {
                let (name, known, id) = (self.argument(name), self.argument(known), self.type_of(place));
                let Some(id) = id else { return drop(self.lacks(&"an alternative")) };
                let other = self.choose_other(id, place);
                format!("rw_take_unnamed(&r, &{name}, {known}, {}, &{other})", self.reason)
            }
            other => return drop(self.lacks(&other)),
        };
        self.try_call(call);
    }

    /// The verb of a function that takes any form, or only the one that is written.
    fn any_form(&self) -> &'static str {
        if self.is_thorough { "any" } else { "take" }
    }

    /// A table of names, and how many there are.
    fn name_table(&mut self, names: &[String]) -> String {
        if names.is_empty() {
            return "NULL, 0".into();
        }
        let table = self.fresh("names");
        let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
        self.line(format!("static const char *const {table}[] = {{{}}};", quoted.join(", ")));
        format!("{table}, {}", names.len())
    }

    /// The same for any form.
    fn get_any_text(&mut self, var: Var, by: Text, args: &[Arg]) {
        let var = name(var);
        let listed = |printer: &mut Self, args: &[Arg]| -> String {
            args.iter().map(|arg| format!("{}, ", printer.argument(arg))).collect()
        };
        let (held, call) = match (by, args) {
            (Text::FindName, [of, Arg::Names(names)]) => {
                let (of, names) = (self.argument(of), self.name_table(names));
                return self.line(format!("const uint64_t {var} = rw_find_name(&{of}, {names});"));
            }
            (Text::TakeSigned | Text::TakeUnsigned, bounded) => {
                let bounded = listed(self, bounded);
                ("uint64_t", format!("rw_any_integer(&r, {}, {bounded}&{var})", by == Text::TakeSigned))
            }
            (Text::TakeName, []) => ("rw_octets", format!("rw_any_string(&r, &{var})")),
            (Text::TakeMember, first) => ("rw_octets", format!("rw_take_member(&r, {}&{var})", listed(self, first))),
            (Text::TakeDigits, [bounds @ .., Arg::Flag(true)]) => {
                ("rw_octets", format!("rw_any_digits(&r, {}true, &{var})", listed(self, bounds)))
            }
            (Text::TakeDigits, bounds) => {
                ("rw_octets", format!("rw_any_digits(&r, {}false, &{var})", listed(self, bounds)))
            }
            (Text::TakeExplicit, []) => ("rw_octets", format!("rw_any_open_octets(&r, &{var})")),
            (Text::TakeFlags, args) => ("uint64_t", format!("rw_any_flags(&r, {}&{var})", listed(self, args))),
            other => return drop(self.lacks(&other)),
        };
        self.line(format!("{held} {var};"));
        self.try_call(call);
    }

    fn get_text(&mut self, var: Var, by: Text, args: &[Arg]) {
        if self.is_thorough {
            return self.get_any_text(var, by, args);
        }
        let var = name(var);
        let (held, function) = match (by, args) {
            (Text::TakeSigned, []) => ("uint64_t", "rw_take_signed_decimal"),
            (Text::TakeUnsigned, []) => ("uint64_t", "rw_take_decimal"),
            (Text::TakeName | Text::TakeDigits, []) => ("rw_octets", "rw_take_name"),
            (Text::SkipValue, []) => ("rw_input", "rw_skip_value"),
            (Text::Here, []) => return self.line(format!("rw_input {var} = r;")),
            (Text::Revisit, [Arg::Num(Num::Var(skipped))]) => {
                self.line(format!("rw_input {var} = r;"));
                return self.line(format!("r = {};", name(*skipped)));
            }
            other => return drop(self.lacks(&other)),
        };
        self.line(format!("{held} {var};"));
        self.try_call(format!("{function}(&r, &{var})"));
    }

    fn put_label(&mut self, id: TypeId, place: &Place, labels: &[String]) {
        let (constants, item) = (self.types.items(id).0, self.place(place).value());
        self.line(format!("switch ({item}) {{"));
        for (one, label) in constants.iter().zip(labels) {
            self.line(format!("case {one}: {{"));
            self.try_call(format!("rw_put_literal(&w, {})", literal(label)));
            self.line("break;");
            self.line("}");
        }
        match self.types.items(id).1.filter(|items| self.is_thorough && items.extensible) {
            None => self.default(None),
            Some(items) => {
                self.line("default: {");
                let known = items.additions.len();
                self.try_call(format!("rw_put_later_label(&w, {item}, {known}, {})", self.reason));
                self.line("}");
                self.line("}");
            }
        }
    }

    fn set_by_label(&mut self, id: TypeId, place: &Place, labels: &[(String, usize)]) {
        let ((constants, items), to, label) = (self.types.items(id), self.place(place).value(), self.fresh("label"));
        let held = int_name(self.types.item_int(id)).unwrap_or_default();
        if self.is_thorough {
            let labels: Vec<_> = labels.iter().filter(|(_, item)| *item < constants.len()).collect();
            let names: Vec<String> = labels.iter().map(|(label, _)| label.clone()).collect();
            let extensible = items.filter(|items| items.extensible);
            let known = extensible.map_or("UINT64_MAX".into(), |items| items.additions.len().to_string());
            let (names, later) = (self.name_table(&names), format!("{label}_later"));
            self.declare("uint64_t", &label);
            self.declare("int32_t", &later);
            self.try_call(format!("rw_any_item(&r, {names}, {known}, &{label}, &{later})"));
            self.line(format!("switch ({label}) {{"));
            for (at, (_, item)) in labels.iter().enumerate() {
                self.line(format!("case {at}: {to} = ({held}){}; break;", constants[*item]));
            }
            match extensible {
                Some(_) => self.line(format!("default: {to} = {later}; break;")),
                None => self.line("default: break;"),
            }
            return self.line("}");
        }
        self.declare("rw_octets", &label);
        self.try_call(format!("rw_take_name(&r, &{label})"));
        for (at, (text, item)) in labels.iter().filter(|(_, item)| *item < constants.len()).enumerate() {
            let otherwise = if at == 0 { "" } else { "} else " };
            self.line(format!("{otherwise}if (rw_is_name(&{label}, {})) {{", literal(text)));
            self.line(format!("{to} = ({held}){};", constants[*item]));
        }
        self.line("} else {");
        self.line("return RW_REJECTED;");
        self.line("}");
    }

    fn fill_digits(&mut self, place: &Place, digits: Var, count: Var) {
        let (text, count) = (self.place(place), name(count));
        let most = match self.repr_of(place) {
            Some(Repr::Octets(most)) => most,
            Some(Repr::LentOctets) => {
                return self.try_call(format!("rw_lend_digits({}, {})", name(digits), text.address()));
            }
            _ => return drop(self.lacks(place)),
        };
        self.reject_if(&format!("{count} > {most}"));
        self.line(format!("{} = (uint32_t){count};", text.member("size")));
        self.try_call(format!("rw_fill_digits({}, {}, {count})", name(digits), text.member("octets")));
    }

    /// Elements with commas between them, and the bracket after the last one.
    pub(super) fn between_commas(&mut self, body: &Block, element: impl FnOnce(&mut Self)) {
        self.line("if (!rw_accept(&r, \"]\", 1)) {");
        self.line("for (;;) {");
        element(self);
        if body.last() != Some(&Stmt::GiveUp) {
            self.line("if (!rw_accept(&r, \",\", 1)) {");
            self.line("break;");
            self.line("}");
        }
        self.line("}");
        self.reject_if("!rw_accept(&r, \"]\", 1)");
        self.line("}");
    }

    pub(super) fn text_condition(&mut self, condition: &Cond) -> String {
        match condition {
            Cond::NotBracket(bracket) => format!("rw_comes_more(&r, {bracket})"),
            Cond::LacksMember(name) => format!("rw_lacks_member(&r, \"{name}\")"),
            Cond::HasOctets => "rw_has_octets(&r)".into(),
            Cond::Accept(text) => format!("rw_accept(&r, {})", literal(text)),
            Cond::Member(first, text) => format!("rw_member(&r, {}, {})", name(*first), literal(text)),
            Cond::HasBitsBelow(var, bits) => format!("{} << {bits} != 0", name(*var)),
            other => self.lacks(other),
        }
    }

    pub(super) fn text_value(&mut self, to: &str, value: &Value) {
        let Value::HighFlags(id, bits, shift) = value else { return drop(self.lacks(value)) };
        self.line(format!("{to} = ({})({} >> {shift});", self.types.held(*id).unwrap_or_default(), name(*bits)));
    }
}

/// Constant text, and how many octets it has.
fn literal(text: &str) -> String {
    let escaped = |octet: u8| match octet {
        // Two of the latter begin a trigraph.
        b'"' | b'\\' | b'?' => format!("\\{}", char::from(octet)),
        b' '..=b'~' => char::from(octet).to_string(),
        octet => format!("\\{octet:03o}"),
    };
    format!("\"{}\", {}", text.bytes().map(escaped).collect::<String>(), text.len())
}
