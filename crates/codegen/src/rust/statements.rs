//! Statements as lines.

use roadwire_model::TypeId;

use super::conditions::tag_patterns;
use super::places::name;
use super::{Cursor, Printer, no_text};
use roadwire_plan::{Arg, Block, Component, Num, Place, Prim, Stmt, Tlv, Var, Way};

impl Printer<'_, '_> {
    pub(super) fn block(&mut self, block: &Block) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        self.out.line(line);
    }

    /// Names what an expression is.
    pub(super) fn named(&mut self, var: Var, value: impl AsRef<str>) {
        self.line(format!("let {} = {};", name(var), value.as_ref()));
    }

    /// Binds a pattern, and rejects what it does not fit.
    pub(super) fn need(&mut self, pattern: &str, value: &str) {
        self.line(format!("let {pattern} = {value} else {{ return Err(wire::Rejected) }};"));
    }

    /// A block after its head, with its end.
    pub(super) fn inside(&mut self, head: impl AsRef<str>, block: &Block) {
        self.line(head);
        self.block(block);
        self.line("}");
    }

    /// A match: what is done for each pattern, and for others.
    pub(super) fn select<'b>(
        &mut self,
        value: &str,
        arms: impl Iterator<Item = (String, &'b Block)>,
        others: Others<'_>,
    ) {
        self.line(format!("match {value} {{"));
        arms.for_each(|(pattern, block)| self.inside(format!("{pattern} => {{"), block));
        match others {
            Others::None => {}
            Others::Rejected => self.line("_ => return Err(wire::Rejected),"),
            Others::Block(block) => self.inside("_ => {", block),
        }
        self.line("}");
    }

    fn statement(&mut self, statement: &Stmt) {
        use Stmt::{Apart, ClearFlag, Do, Get, LetFlag, LetOrder, Position, PutText, SetBy, SettleOrder};
        match statement {
            Stmt::Let(var, number) => self.named(*var, self.number(number)),
            Stmt::LetMut(var, number) => self.line(format!("let mut {} = {};", name(*var), self.number(number))),
            Stmt::Is(var, condition) => self.named(*var, self.condition(condition)),
            Stmt::RejectIf(condition) => self.out.refuse_if(&self.condition(condition)),
            Stmt::GiveUp => self.line("return Err(wire::Rejected);"),
            Stmt::Need(var, place) => {
                self.need(&format!("Some({})", name(*var)), &format!("&{}", self.place(place).object()));
            }
            Stmt::Utf8(var) => {
                let text = name(*var);
                self.need(&format!("Ok({text})"), &format!("core::str::from_utf8({text})"));
            }
            Stmt::Call { id, place, levels, is_tapped, has_strings } => {
                self.call_part(*id, place, *levels, (*is_tapped, *has_strings));
            }
            Stmt::TapBegins(part) => self.line(format!("tap.begins({part}, {});", self.so_far().1)),
            Stmt::TapEnds(part) => self.tap_ends(*part),
            Stmt::Row { row, by } => self.row(*row, by),
            Stmt::Stream(statement) => self.stream_statement(statement),
            Stmt::Set(..) | Stmt::SetAlternative { .. } | Stmt::Fill { .. } | Stmt::Refill { .. } => {
                self.hold(statement)
            }
            Stmt::ForgetUnknown(_) | Stmt::Clear(..) | Stmt::SetAbsent(..) => self.hold(statement),
            Stmt::Present { .. } | Stmt::Choose { .. } | Stmt::ChooseOnly { .. } => self.hold(statement),
            Stmt::If { .. } | Stmt::IfSent { .. } | Stmt::Chain(_) | Stmt::Select { .. } => self.branch(statement),
            Stmt::Switch { .. } | Stmt::SwitchOpen { .. } | Stmt::SelectTag(..) => self.branch(statement),
            Stmt::SelectRow { .. } => self.branch(statement),
            Stmt::Each { .. } | Stmt::Times { .. } | Stmt::While { .. } => self.repeated(statement),
            Stmt::Overwrite { .. } | Stmt::Separated { .. } => self.repeated(statement),
            Stmt::Write(..) | Stmt::PutWord { .. } | Stmt::LetWord { .. } | Stmt::Mark(_) => self.put_at(statement),
            Stmt::Close(..) | Stmt::StoreHead { .. } | Stmt::PutInline(_) => self.put_at(statement),
            Stmt::CloseAnywhere { .. } | Stmt::CloseFixed { .. } => self.put_at(statement),
            Stmt::Read(..) | Stmt::ReadSlice { .. } | Stmt::Skip(..) | Stmt::Within { .. } => self.take_at(statement),
            Stmt::ExpectOctets(_) | Stmt::Window | Stmt::LetPart { .. } => self.take_at(statement),
            Stmt::LetHead { .. } | Stmt::Advance(_) => self.take_at(statement),
            Stmt::SplitHead(_) | Stmt::LetArray { .. } | Stmt::LetItem { .. } => self.take_rest(statement),
            Stmt::TakeRest { .. } | Stmt::Split { .. } | Stmt::Continue(_) => self.take_rest(statement),
            PutText(_) | Do(..) | Apart(..) | Get(..) | SetBy(..) => self.text_statement(statement),
            LetOrder(_) | SettleOrder(_) | Position(_) | LetFlag(_) | ClearFlag(_) | Stmt::MayBeUnused(_) => {
                self.text_statement(statement)
            }
            Stmt::SetFlagsBy(..) | Stmt::PutTruth { .. } | Stmt::PutLabel { .. } => self.text_value(statement),
            Stmt::SetByLabel { .. } | Stmt::TakeFlagDigits { .. } | Stmt::FillDigits { .. } => {
                self.text_value(statement)
            }
            Stmt::FillArray(..) | Stmt::FillArcs { .. } | Stmt::FillBits(..) => self.text_value(statement),
            Stmt::TakeCharacters { .. } => self.text_value(statement),
            // A pass turns these into words, or into constant text.
            Stmt::Put { .. } | Stmt::PutArray { .. } | Stmt::Room(_) | Stmt::PutHead { .. } => {}
            Stmt::Expect { .. } | Stmt::TakeHead { .. } | Stmt::Settle | Stmt::Text(_) => {}
            Stmt::TakeNumber { .. } | Stmt::TakeArray { .. } => {}
            // Thorough plans have these, and those that stand alone: the interpreter takes their
            // part.
            Stmt::Named { .. } | Stmt::Because(_) | Stmt::Loop { .. } | Stmt::CountTo { .. } | Stmt::Ahead { .. } => {}
            Stmt::PutInteger(_) | Stmt::TakeInteger(_) => {}
        }
    }

    /// Changes what a place holds.
    fn hold(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Set(place, value) => self.set(place, value),
            Stmt::SetAlternative { id, alternative, place, inner, value } => {
                self.set_alternative(*id, *alternative, place, *inner, value);
            }
            Stmt::Fill { id, place, bound, from, bounds } => self.fill(*id, place, *bound, from, *bounds),
            Stmt::Refill { list, place } => {
                self.named(*list, self.place(place).exclusive());
                self.line(format!("{}.clear();", name(*list)));
            }
            Stmt::ForgetUnknown(place) => {
                let place = self.place(place);
                self.line(format!("if !{}.unknown.is_empty() {{", place.object()));
                self.line(format!("{}.unknown = wire::Additions::new();", place.object()));
                self.line("}");
            }
            Stmt::Clear(component, place) => {
                self.line(self.types.clear(self.types.component(*component), &self.place(place)));
            }
            Stmt::SetAbsent(component, place) => {
                let absent = self.types.absent(self.types.component(*component));
                self.line(format!("{} = {absent};", self.place(place).object()));
            }
            Stmt::Present { component, place, inner } => {
                let insert = self.types.renew_expression(self.types.component(*component).type_id);
                self.named(*inner, format!("{}.{insert}", self.place(place).object()));
            }
            Stmt::Choose { id, alternative, place, inner } => {
                self.choose(*id, *alternative, place, *inner);
                self.line(format!("let _ = &{};", name(*inner)));
            }
            Stmt::ChooseOnly { id, alternative, place, inner } => self.choose(*id, *alternative, place, *inner),
            other => self.line(no_text(other)),
        }
    }

    /// Branches.
    fn branch(&mut self, statement: &Stmt) {
        match statement {
            Stmt::If { condition, then, otherwise: None } => {
                self.inside(format!("if {} {{", self.condition(condition)), then);
            }
            Stmt::If { condition, then, otherwise: Some(otherwise) } => {
                self.line(format!("if {} {{", self.condition(condition)));
                self.block(then);
                self.inside("} else {", otherwise);
            }
            Stmt::IfSent { component, place, inner, then } => {
                self.inside(self.if_sent(*component, place, *inner), then);
            }
            Stmt::Chain(arms) => {
                for (condition, block) in arms {
                    self.line(format!("if {} {{", self.condition(condition)));
                    self.block(block);
                    self.line(self.otherwise());
                }
                self.line("{");
                self.line("return Err(wire::Rejected);");
                self.line("}");
            }
            Stmt::Switch { id, place, arms, has_others } => {
                let others = if *has_others { Others::Rejected } else { Others::None };
                self.switch(*id, place, arms, others);
            }
            Stmt::SwitchOpen { id, place, arms, others } => {
                self.switch(*id, place, arms, others.as_ref().map_or(Others::None, Others::Block));
            }
            Stmt::Select { number, arms, others } => {
                let arms = arms.iter().map(|(key, block)| (key.to_string(), block));
                self.select(&self.number(number), arms, others.as_ref().map_or(Others::Rejected, Others::Block));
            }
            Stmt::SelectTag(arms, others) => {
                let arms = arms.iter().map(|(tags, block)| (tag_patterns(tags), block));
                self.select("input.get(at)", arms, others.as_ref().map_or(Others::Rejected, Others::Block));
            }
            Stmt::SelectRow { row, arms, others } => {
                let arms = arms.iter().map(|(at, block)| (at.to_string(), block));
                self.select(&name(*row), arms, Others::Block(others));
            }
            other => self.line(no_text(other)),
        }
    }

    /// The start of what is done for a component that is sent.
    pub(super) fn if_sent(&self, component: Component, place: &Place, inner: Option<Var>) -> String {
        let place = self.place(place);
        match inner {
            None => format!("if {} {{", self.types.sent(self.types.component(component), &place)),
            Some(inner) => format!("if let Some({}) = &{} {{", name(inner), place.object()),
        }
    }

    /// Loops.
    fn repeated(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Each { item, list, body } => {
                self.inside(format!("for {} in {} {{", name(*item), self.place(list).shared()), body);
            }
            Stmt::Times { count, element, body } => {
                self.line(format!("for _ in 0..{} {{", self.operand(count)));
                self.element(element, body);
                self.line("}");
            }
            Stmt::While { condition, element, body } => {
                self.line(format!("while {} {{", self.condition(condition)));
                self.element(element, body);
                self.line("}");
            }
            Stmt::Overwrite { element, at, place, until, body } => self.overwrite(element, *at, place, until, body),
            Stmt::Separated { element, body } => self.between_commas(body, |printer| printer.element(element, body)),
            other => self.line(no_text(other)),
        }
    }

    /// Writes at a position of the output.
    fn put_at(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Write(Prim::Tlv(Tlv::PutInteger), args) => self.put_integer(args),
            Stmt::Write(by, args) => {
                let call = self.call(*by, args, &["output", "at"]);
                self.line(format!("at = {call}?;"));
            }
            Stmt::PutWord { by, parts, constant, octets } => self.put_word(*by, parts, *constant, octets),
            Stmt::LetWord { variables: (word, octets), by, number } => {
                let call = self.call(*by, &[Arg::Num(number.clone())], &[]);
                self.line(format!("let ({}, {}) = {call};", name(*word), name(*octets)));
            }
            Stmt::Mark(start) => self.named(*start, "at"),
            Stmt::Close(by, start) => {
                self.line(format!("at = {}(output, {}, at)?;", self.function(*by), name(*start)));
            }
            Stmt::StoreHead { octets, stores, room } => self.store_head(*octets, stores, *room),
            Stmt::PutInline(place) => self.line(format!("at = {}.0.put_any(output, at)?;", self.place(place).object())),
            Stmt::CloseAnywhere { start, room } => {
                let (start, rt) = (name(*start), "wire::rt::vectors::straight");
                self.line(format!("if {rt}::takes::<{room}>(at - {start}) {{"));
                self.line(format!("{rt}::put_length::<{room}>(output, {start}, at - {start})?;"));
                self.line("} else {");
                self.line(format!("at = {rt}::close_elsewhere(output, {start}, at, {room})?;"));
                self.line("}");
            }
            Stmt::CloseFixed { start, room } => {
                let (start, rt) = (name(*start), "wire::rt::vectors::straight");
                self.line(format!("{rt}::put_in_front(output, {start}, (at - {start}) as u64, {room})?;"));
            }
            other => self.line(no_text(other)),
        }
    }

    /// Reads at a position of the input.
    fn take_at(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Read(variables, by, args) => {
                let variables: Vec<String> = variables.iter().map(|var| name(*var)).collect();
                let call = self.call(*by, args, &["input", "at"]);
                self.line(format!("let (at_, {}) = {call}?;", variables.join(", ")));
                self.line("at = at_;");
            }
            Stmt::ReadSlice { octets, inside, by, args } => {
                let (octets, inside) = (name(*octets), name(*inside));
                let call = self.call(*by, args, &["input", "at"]);
                self.line(format!("let ({inside}, {octets}) = {call}?;"));
                self.line(format!("at = {octets};"));
                self.need(&format!("Some({octets})"), &format!("input.get({inside}..at)"));
            }
            Stmt::Skip(by, args) => {
                let call = self.call(*by, args, &["input", "at"]);
                self.line(format!("at = {call}?;"));
            }
            Stmt::Within { inside, by, args, body } => {
                let call = self.call(*by, args, &["input", "at"]);
                self.line("at = {");
                self.line(format!("let (mut at, {}) = {call}?;", name(*inside)));
                self.line(format!("let end = {};", name(*inside)));
                self.block(body);
                if body.last() != Some(&Stmt::GiveUp) {
                    self.out.refuse_if("at != end");
                    self.line("at");
                }
                self.line("};");
            }
            Stmt::ExpectOctets([first, second]) => {
                let second = if *second == 0x80 { format!("{second:#x}") } else { second.to_string() };
                self.line(format!("at = wire::rt::tlv::expect(input, at, [{first}, {second}])?;"));
            }
            Stmt::Window => self.line("let word = wire::rt::window(input, at);"),
            Stmt::LetPart { var, left: 0, right } => self.named(*var, format!("word >> {right}")),
            Stmt::LetPart { var, left, right } => self.named(*var, format!("word << {left} >> {right}")),
            Stmt::LetHead { variables, by, front, after } => self.let_head(*variables, *by, *front, *after),
            Stmt::Advance(octets) => self.line(format!("at += {octets};")),
            other => self.line(no_text(other)),
        }
    }

    /// Reads from the rest of the input.
    fn take_rest(&mut self, statement: &Stmt) {
        match statement {
            Stmt::SplitHead(octets) => {
                self.need("Some((head, rest))", &format!("r.split_first_chunk::<{octets}>()"));
                self.line("r = rest;");
            }
            Stmt::LetArray { var, at, octets } => {
                self.line(format!("let {}: [u8; {octets}] = wire::rt::array_at(head, {at});", name(*var)));
            }
            Stmt::LetItem { item, id, number, numbers } => {
                let items: Vec<(i64, usize)> = numbers.iter().copied().zip(0..).collect();
                self.set_item(&format!("let {}", name(*item)), *id, &Num::Var(*number), &items);
            }
            Stmt::TakeRest { var, rest, by } => {
                let (function, rest) = (self.function(*by), name(*rest));
                self.line(format!("let ({}, {rest}) = {function}(r)?;", name(*var)));
                self.line(format!("r = {rest};"));
            }
            Stmt::Split { inside, rest, count } => {
                let by = count.map_or("take_counted(r)".into(), |count| format!("split(r, {})", name(count)));
                self.line(format!("let ({}, {}) = wire::rt::vectors::straight::{by}?;", name(*inside), name(*rest)));
            }
            Stmt::Continue(var) => self.line(format!("r = {};", name(*var))),
            other => self.line(no_text(other)),
        }
    }

    fn tap_ends(&mut self, part: usize) {
        if self.way == Way::Encode && matches!(self.cursor, Cursor::Bits | Cursor::Whole) {
            self.line("if tap.is_active() {");
            self.apart("w.flush()?;");
            self.line("}");
        }
        let (message, at) = self.so_far();
        self.line(format!("tap.ends({part}, {message}, {at});"));
    }

    /// The arguments of a tap: the message so far, and the next bit.
    fn so_far(&self) -> (&'static str, &'static str) {
        match (self.way, self.cursor) {
            (Way::Encode, Cursor::Bits | Cursor::Whole) => ("w.output()", "w.position()"),
            (Way::Decode, Cursor::Bits) => ("r.octets()", "r.position()"),
            (Way::Decode, Cursor::Whole) => ("input", "r.position_in(input)"),
            (Way::Encode, _) => ("output", "at * 8"),
            (Way::Decode, _) => ("message", "(message.len() - r.len()) * 8"),
        }
    }

    /// A part of a word, which is not shifted.
    pub(super) fn part(&self, number: &Num) -> String {
        match number {
            Num::Shr(..) => self.number(number),
            _ => self.operand(number),
        }
    }

    fn switch(&mut self, id: TypeId, place: &Place, arms: &[(usize, Var, Block)], others: Others<'_>) {
        let Some(variants) = self.types.variants(id) else { return };
        let unknown = format!("{}::UnknownAddition", self.types.name(id));
        let path = |at: usize| variants.get(at).map_or(&unknown, |variant| &variant.path);
        let arms = arms.iter().map(|(at, inner, block)| (format!("{}({})", path(*at), name(*inner)), block));
        self.select(&self.place(place).shared(), arms, others);
    }
}

/// The last arm of a match.
pub(super) enum Others<'b> {
    /// There are no others.
    None,
    Rejected,
    Block(&'b Block),
}
