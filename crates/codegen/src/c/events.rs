//! Prints what functions do in streams of events: codes, numbers in groups of seven bits, and
//! strings that may refer to equal ones.

use roadwire_plan::{
    Amount, Arg, Block, Codes, Cond, Event, Events, Form, Mover, Num, Place, Prim, Repeat, Repr, Stmt, Str, Stream, Var,
};

use super::conditions::not_within;
use super::numbers::{constant, modulo};
use super::places::name;
use super::statements::Printer;

impl Printer<'_, '_> {
    pub(super) fn in_events(&mut self, statement: &Stream) {
        match statement {
            Stream::LetCode { variables: (code, width), left_out, bits } => {
                let (left_out, bits) = (self.number(left_out), self.number(bits));
                self.line(format!("uint64_t {} = {left_out};", name(*code)));
                self.line(format!("uint64_t {} = {bits};", name(*width)));
            }
            Stream::Peel { var, most, taken } => {
                let (word, var, before) = (self.fresh("word"), name(*var), self.word.clone());
                self.line(format!("uint64_t {word} = {before};"));
                self.declare("uint64_t", &var);
                self.try_call(format!("rw_peel(&r, &{word}, {most}, {taken}, &{var})"));
                self.word = word;
            }
            Stream::Match { number, arms, .. } => self.match_ranges(number, arms),
            Stream::Event(event) => self.event(event),
            other => drop(self.lacks(other)),
        }
    }

    pub(super) fn spread(&mut self, statement: &Stmt) {
        let Stmt::LetWord { variables: (word, bits), by: Prim::Mover(Mover::Spread(_)), number } = statement else {
            return drop(self.lacks(statement));
        };
        let (number, word, bits) = (self.number(number), name(*word), name(*bits));
        self.declare("uint64_t", &word);
        self.declare("uint64_t", &bits);
        self.line(format!("rw_spread({number}, &{word}, &{bits});"));
    }

    /// The next event, in a thorough decoder.
    pub(super) fn do_event(&mut self, by: Events, args: &[Arg]) {
        let call = match (by, args) {
            (Events::Begin, [is_strict]) => {
                let is_strict = self.argument(is_strict);
                self.line(format!("rw_event next = {{0, false, {is_strict}}};"));
                return self.line("(void)next;");
            }
            (Events::Document, []) => "rw_begin_document(&r, &next)".into(),
            (Events::Expect, [bits, is_first]) => {
                format!("rw_expect_event(&r, {}, {}, &next)", self.argument(bits), self.argument(is_first))
            }
            (Events::Happens, [is_end]) => format!("rw_happens(&r, {}, &next)", self.argument(is_end)),
            (Events::Empty, [Arg::Octets(string)]) => return self.empty(string),
            (Events::Skip, []) => return self.line("next.left_out--;"),
            (Events::NotSelected, [which, count]) => {
                format!("rw_not_selected(&r, {}, {}, &next)", self.argument(which), self.argument(count))
            }
            (Events::Element, [more, at, codes @ ..]) => {
                let (more, at, repeat) = (self.argument(more), self.argument(at), self.fresh("repeat"));
                let codes: Vec<String> = codes.iter().map(|code| self.argument(code)).collect();
                self.line(format!("static const rw_repeat {repeat} = {{{}}};", codes.join(", ")));
                format!("rw_next_element(&r, {at}, &{repeat}, &next, &{more})")
            }
            (Events::Bits, [Arg::Exclusive(place), form @ ..]) => {
                let kind = if self.is_bit_string(place) { "bits" } else { "word" };
                let form: Vec<String> = form.iter().map(|arg| self.argument(arg)).collect();
                let address = self.place(place).address();
                format!("rw_any_event_{kind}(&r, {}, &next, {address})", form.join(", "))
            }
            other => return drop(self.lacks(&other)),
        };
        self.try_call(call);
    }

    pub(super) fn read_event(&mut self, by: Events, variables: &[Var], args: &[Arg]) {
        let [var] = variables else { return drop(self.lacks(&by)) };
        let (var, listed) = (name(*var), args.iter().map(|arg| format!("{}, ", self.listed(arg))).collect::<String>());
        let call = match by {
            Events::Select => {
                return self.line(format!("const uint64_t {var} = rw_select_event({listed}&next);"));
            }
            Events::EndsEmpty => {
                self.line(format!("bool {var};"));
                return self.try_call(format!("rw_ends_empty(&r, &next, &{var})"));
            }
            Events::Bits => {
                let word = self.fresh("bits");
                self.line(format!("rw_bits {word};"));
                self.try_call(format!("rw_any_event_word(&r, {listed}&next, &{word})"));
                return self.line(format!("const uint64_t {var} = {word}.value;"));
            }
            Events::Groups => format!("rw_any_groups(&r, RW_EXI_LENGTH, &{var})"),
            Events::Octets => format!("rw_octets_ahead(&r, &{var})"),
            Events::ItemNumber => format!("rw_any_item_of_number(&r, {listed}&{var})"),
            Events::Integer => format!("rw_any_event_integer(&r, {listed}&{var})"),
            other => return drop(self.lacks(&other)),
        };
        self.declare("uint64_t", &var);
        self.try_call(call);
    }

    fn listed(&mut self, arg: &Arg) -> String {
        if let Arg::Ranges(numbers) = arg { self.alphabet(numbers) } else { self.argument(arg) }
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::OrEmpty { string, code, second, full } => {
                let (before, bits) = (self.word.clone(), code + second);
                self.let_word("rw_window(&r)");
                let word = self.word.clone();
                // In the usual case, the first code is read again.
                self.line(format!("if ({word} >> {} == {}) {{", 64 - bits, constant(1 << second)));
                self.line(format!("r.at += {bits};"));
                self.reject_if("r.at > r.end");
                self.empty(string);
                self.line("} else {");
                self.block(full);
                self.line("}");
                self.word = before;
            }
            Event::PutBits { place, form, .. } => {
                let (text, form) = (self.place(place), bit_form(form));
                self.try_call(match self.is_bit_string(place) {
                    true => format!("rw_put_event_bits(&w, {}, {form})", text.value()),
                    false => format!("rw_put_event_word(&w, {}, {form})", text.address()),
                });
            }
            Event::TakeBits { place, form, .. } => {
                let kind = if self.is_bit_string(place) { "bits" } else { "word" };
                let (address, form) = (self.place(place).address(), bit_form(form));
                self.try_call(format!("rw_take_event_{kind}(&r, {form}, {address})"));
            }
            Event::TakeFewBits { place, octets, unused, count, bounds } => {
                let (octets, unused, count) = (name(*octets), name(*unused), name(*count));
                let (text, bits) = (self.place(place), self.fresh("bits"));
                self.line(format!("const uint64_t {count} = {octets} * 8 - {unused};"));
                self.reject_if(&not_within(&count, *bounds));
                self.declare("uint64_t", &bits);
                self.try_call(format!("rw_take(&r, (uint32_t){octets} * 8, &{bits})"));
                self.line(format!("{} = {bits} >> {unused};", text.member("value")));
                self.line(format!("{} = (uint8_t){count};", text.member("bits")));
            }
            Event::PutText { place, count, alphabet, partition } => {
                let (text, alphabet) = (self.view(place), self.alphabet(alphabet));
                let count = name(*count);
                self.try_call(format!("rw_put_referred(&w, strings, {text}, {count}, {partition:?}, {alphabet})"));
            }
            Event::TakeText { .. } => self.take_event_text(event),
            Event::Repeat(repeat) => self.repeat(repeat),
            other => drop(self.lacks(other)),
        }
    }

    /// Empties a string in a place.
    fn empty(&mut self, string: &Str) {
        let (Str::Octets(place) | Str::Characters(place)) = string else { return drop(self.lacks(string)) };
        let text = self.place(place);
        match self.repr_of(place) {
            Some(Repr::LentOctets | Repr::LentText | Repr::String) => {
                self.line(format!("{} = rw_octets_of(NULL, 0);", text.value()))
            }
            _ => self.line(format!("{} = 0;", text.member("size"))),
        }
    }

    /// Characters, or a reference to an equal string that came before.
    fn take_event_text(&mut self, event: &Event) {
        let Event::TakeText { place, number, alphabet, bounds, partition, .. } = event else { return };
        let (number, alphabet) = (name(*number), self.alphabet(alphabet));
        let Some(partition) = partition else {
            return self.take_direct_text("r", &format!("{number} - 2"), &alphabet, place);
        };
        let (from, count) = (self.fresh("from"), self.fresh("count"));
        self.line(format!("rw_reader {from};"));
        self.declare("uint64_t", &count);
        self.try_call(format!("rw_find_text(&r, strings, {number}, {partition:?}, &{from}, &{count})"));
        if *bounds != (0, u64::MAX) {
            self.reject_if(&not_within(&count, *bounds));
        }
        self.take_direct_text(&from, &count, &alphabet, place);
        self.try_call(format!("rw_pass_text(&r, strings, {number}, {partition:?}, &{from})"));
    }

    fn take_direct_text(&mut self, reader: &str, count: &str, alphabet: &str, place: &Place) {
        let (text, repr) = (self.place(place), self.repr_of(place));
        if matches!(repr, Some(Repr::LentText | Repr::String)) {
            let to = format!("arena, {}", text.address());
            return self.try_call(format!("rw_new_event_text(&{reader}, {count}, {alphabet}, {to})"));
        }
        let Some(Repr::Text(most)) = repr else { return drop(self.lacks(place)) };
        let to = format!("(uint8_t *){}, {most}, &{}", text.member("text"), text.member("size"));
        let verb = if self.is_thorough { "any" } else { "take" };
        self.try_call(format!("rw_{verb}_event_text(&{reader}, {count}, {alphabet}, {to})"));
    }

    /// Elements after event codes.
    fn repeat(&mut self, repeat: &Repeat) {
        let Codes { lower, upper, single, either, last, events } = repeat.codes;
        let (list, at, code) = (name(repeat.element.list), name(repeat.at), name(repeat.code));
        let (address, before) = (self.place(&repeat.place).address(), self.word.clone());
        self.bind(repeat.element.list, repeat.element.list_id, &address);
        self.line(format!("{list}->count = 0;"));
        self.line(format!("uint64_t {at} = 0;"));
        self.line("for (;;) {");
        if repeat.is_bounded {
            let end = self.fresh("end");
            self.line(format!("if ({at} == {}) {{", constant(upper)));
            self.declare("uint64_t", &end);
            self.reject_if(&format!("rw_take(&r, {last}, &{end}) != 0 || {end} != 0"));
            self.line("break;");
            self.line("}");
        }
        let width = name(repeat.width);
        let (bits, is_enough) = match lower {
            0 => (format!("{either}"), String::new()),
            _ => (format!("{at} < {lower} ? {single} : {either}"), format!(" && {at} >= {}", constant(lower))),
        };
        self.line(format!("const unsigned {width} = {bits};"));
        self.let_word("rw_window(&r)");
        let word = self.word.clone();
        self.line(format!("uint64_t {code} = {word} >> 1 >> (63 - {width});"));
        self.line(format!("r.at += {width};"));
        self.reject_if("r.at > r.end");
        self.line(format!("if ({code} >= {events}) {{"));
        self.line(format!("if ({code} == {events}{is_enough}) {{"));
        self.line("break;");
        self.line("}");
        self.line("return RW_REJECTED;");
        self.line("}");
        // The element begins in the same word.
        self.let_word(&format!("{word} << {width}"));
        if !repeat.is_bounded && upper < u64::MAX {
            self.reject_if(&format!("{at} == {}", constant(upper)));
        }
        self.line(format!("{at}++;"));
        self.element(&repeat.element, &repeat.body);
        self.line("}");
        self.word = before;
    }

    /// Statements for ranges of a number; others are rejected.
    fn match_ranges(&mut self, number: &Num, arms: &[(u64, u64, Block)]) {
        let number = self.number(number);
        for (at, (first, last, block)) in arms.iter().enumerate() {
            let within = format!("!({})", not_within(&number, (*first, *last)));
            self.line(format!("{}if ({within}) {{", if at == 0 { "" } else { "} else " }));
            self.block(block);
        }
        self.line("} else {");
        self.line("return RW_REJECTED;");
        self.line("}");
    }

    pub(super) fn event_amount(&mut self, amount: &Amount) -> String {
        match amount {
            Amount::UnusedBits(count) => format!("((8 - {} % 8) % 8)", name(*count)),
            Amount::MaskedShl(place, var) => format!("(rw_masked({}) << {})", self.place(place).address(), name(*var)),
            Amount::SumBits(one, other) => format!("({} + {})", name(*one), name(*other)),
            Amount::Chosen { var, is_below, bound, yes, no } => {
                let is = if *is_below { "<" } else { "==" };
                format!(
                    "({} {is} {} ? {} : {})",
                    name(*var),
                    constant(*bound),
                    constant((*yes).into()),
                    constant((*no).into())
                )
            }
            Amount::NotAt { var, bound, times } => {
                format!("({} != {} ? {} : 0)", name(*var), constant(*bound), constant((*times).into()))
            }
            Amount::Magnitude(var) => format!("({0} ^ (0 - ({0} >> 63)))", name(*var)),
            Amount::WithoutBase(var, base) => format!("({} - {})", name(*var), modulo((*base).into())),
            Amount::WithBase(var, base) => format!("({} + {})", name(*var), modulo((*base).into())),
            Amount::Signed { magnitude, sign } => format!("({} ^ (0 - {}))", name(*magnitude), name(*sign)),
            other => self.lacks(other),
        }
    }

    pub(super) fn event_condition(&mut self, condition: &Cond) -> String {
        match condition {
            Cond::SkipsEvents => "next.left_out > 0".into(),
            Cond::IsEmpty(string) => format!("({}).size == 0", self.view_of(string)),
            Cond::NotOctetCount(octets) => format!("{} - 1 > 6", name(*octets)),
            other => self.text_condition(other),
        }
    }

    pub(super) fn put_event(&mut self, by: Mover, args: &[Arg]) {
        let call = match (by, args) {
            (Mover::PutVarint, [number]) => format!("rw_put_groups(&w, {})", self.argument(number)),
            (Mover::PutEventText, [text, Arg::Ranges(alphabet)]) => {
                let (text, alphabet) = (self.argument(text), self.alphabet(alphabet));
                format!("rw_put_event_text(&w, {text}, {alphabet})")
            }
            (Mover::PutReal, [Arg::Value(place)]) => format!("rw_put_event_real(&w, {})", self.place(place).value()),
            (Mover::PutArcs, [contents, is_relative]) => {
                format!("rw_put_event_arcs(&w, {}, {})", self.argument(contents), self.argument(is_relative))
            }
            (Mover::TakeArcs, [is_relative, Arg::Exclusive(place)]) => {
                format!("rw_new_event_arcs(&r, {}, arena, {})", self.argument(is_relative), self.place(place).address())
            }
            other => return drop(self.lacks(&other)),
        };
        self.try_call(call);
    }

    pub(super) fn get_event(&mut self, var: Var, by: Mover) {
        let (held, verb) = match by {
            Mover::TakeVarint => ("uint64_t", "groups"),
            Mover::TakeReal => ("double", "event_real"),
            by => return drop(self.lacks(&by)),
        };
        self.declare(held, &name(var));
        self.try_call(format!("rw_take_{verb}(&r, &{})", name(var)));
    }
}

fn bit_form(Form { lower, upper, trim, code }: &Form) -> String {
    format!("{}, {}, {trim}, {code}", constant(*lower), constant(*upper))
}
