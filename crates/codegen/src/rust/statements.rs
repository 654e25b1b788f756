//! Statements as lines.

use roadwire_model::TypeId;

use super::conditions::tag_patterns;
use super::places::name;
use super::{Cursor, Printer};
use roadwire_plan::{Arg, Block, Num, Place, Prim, Stmt, Tlv, Var, Way};

impl Printer<'_, '_> {
    pub(super) fn block(&mut self, block: &Block) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        self.out.line(line);
    }

    /// A block after its head.
    fn inside(&mut self, head: impl AsRef<str>, block: &Block) {
        self.line(head);
        self.block(block);
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Let(var, number) => self.line(format!("let {} = {};", name(*var), self.number(number))),
            Stmt::LetMut(var, number) => self.line(format!("let mut {} = {};", name(*var), self.number(number))),
            Stmt::Is(var, condition) => self.line(format!("let {} = {};", name(*var), self.condition(condition))),
            Stmt::Decrement(var) => self.line(format!("{} -= 1;", name(*var))),
            Stmt::RejectIf(condition) => self.out.refuse_if(&self.condition(condition)),
            Stmt::GiveUp => self.line("return Err(wire::Rejected);"),
            Stmt::Need(var, place) => {
                let place = self.place(place);
                self.line(format!(
                    "let Some({}) = &{} else {{ return Err(wire::Rejected) }};",
                    name(*var),
                    place.object()
                ));
            }
            Stmt::PutWord { by, parts, constant, octets } => self.put_word(*by, parts, *constant, octets),
            Stmt::LetWord { variables: (word, octets), by, number } => {
                let call = self.call(*by, &[Arg::Num(number.clone())], &[]);
                self.line(format!("let ({}, {}) = {call};", name(*word), name(*octets)));
            }
            Stmt::Write(Prim::Tlv(Tlv::PutInteger), args) => self.put_integer(args),
            Stmt::Write(by, args) => {
                let call = self.call(*by, args, &["output", "at"]);
                self.line(format!("at = {call}?;"));
            }
            Stmt::StoreHead { octets, stores, room } => self.store_head(*octets, stores, *room),
            Stmt::PutInline(place) => {
                let place = self.place(place);
                self.line(format!("at = {}.0.put_any(output, at)?;", place.object()));
            }
            Stmt::CloseAnywhere { start, room } => {
                let start = name(*start);
                self.line(format!("if wire::rt::vectors::straight::takes::<{room}>(at - {start}) {{"));
                self.line(format!(
                    "wire::rt::vectors::straight::put_length::<{room}>(output, {start}, at - {start})?;"
                ));
                self.line("} else {");
                self.line(format!("at = wire::rt::vectors::straight::close_elsewhere(output, {start}, at, {room})?;"));
                self.line("}");
            }
            Stmt::CloseFixed { start, room } => {
                let start = name(*start);
                self.line(format!(
                    "wire::rt::vectors::straight::put_in_front(output, {start}, (at - {start}) as u64, {room})?;"
                ));
            }
            Stmt::SplitHead(octets) => {
                self.line(format!(
                    "let Some((head, rest)) = r.split_first_chunk::<{octets}>() else {{ return Err(wire::Rejected) }};"
                ));
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
                let by = match count {
                    Some(count) => format!("split(r, {})", name(*count)),
                    None => "take_counted(r)".into(),
                };
                self.line(format!("let ({}, {}) = wire::rt::vectors::straight::{by}?;", name(*inside), name(*rest)));
            }
            Stmt::Continue(var) => self.line(format!("r = {};", name(*var))),
            Stmt::Forget(place) => self.line(format!("{} = None;", self.place(place).object())),
            Stmt::TapBegins(part) => self.line(format!("tap.begins({part}, {});", self.so_far().1)),
            Stmt::TapEnds(part) => {
                if self.way == Way::Encode && matches!(self.cursor, Cursor::Bits | Cursor::Whole) {
                    self.line("if tap.is_active() {");
                    self.apart("w.flush()?;");
                    self.line("}");
                }
                let (message, at) = self.so_far();
                self.line(format!("tap.ends({part}, {message}, {at});"));
            }
            Stmt::SetAlternative { id, alternative, place, inner, value } => {
                self.set_alternative(*id, *alternative, place, *inner, value);
            }
            Stmt::Overwrite { element, at, place, until, body } => self.overwrite(element, *at, place, until, body),
            Stmt::Mark(start) => self.line(format!("let {} = at;", name(*start))),
            Stmt::Close(by, start) => {
                let function = self.function(*by);
                self.line(format!("at = {function}(output, {}, at)?;", name(*start)));
            }
            Stmt::ReadSlice { octets, inside, by, args } => {
                let (octets, inside) = (name(*octets), name(*inside));
                let call = self.call(*by, args, &["input", "at"]);
                self.line(format!("let ({inside}, {octets}) = {call}?;"));
                self.line(format!("at = {octets};"));
                self.line(format!(
                    "let Some({octets}) = input.get({inside}..at) else {{ return Err(wire::Rejected) }};"
                ));
            }
            Stmt::Skip(by, args) => {
                let call = self.call(*by, args, &["input", "at"]);
                self.line(format!("at = {call}?;"));
            }
            Stmt::ExpectOctets([first, second]) => {
                let second = if *second == 0x80 { format!("{second:#x}") } else { second.to_string() };
                self.line(format!("at = wire::rt::tlv::expect(input, at, [{first}, {second}])?;"));
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
            Stmt::Window => self.line("let word = wire::rt::window(input, at);"),
            Stmt::LetPart { var, left, right } => {
                let word = if *left == 0 { "word".to_owned() } else { format!("word << {left}") };
                self.line(format!("let {} = {word} >> {right};", name(*var)));
            }
            Stmt::LetHead { variables, by, front, after } => self.let_head(*variables, *by, *front, *after),
            Stmt::Advance(octets) => self.line(format!("at += {octets};")),
            Stmt::Read(variables, by, args) => {
                let variables: Vec<String> = variables.iter().map(|var| name(*var)).collect();
                let call = self.call(*by, args, &["input", "at"]);
                self.line(format!("let (at_, {}) = {call}?;", variables.join(", ")));
                self.line("at = at_;");
            }
            Stmt::Utf8(var) => {
                let text = name(*var);
                self.line(format!(
                    "let Ok({text}) = core::str::from_utf8({text}) else {{ return Err(wire::Rejected) }};"
                ));
            }
            Stmt::Set(place, value) => self.set(place, value),
            Stmt::Fill { id, place, bound, from, bounds } => self.fill(*id, place, *bound, from, *bounds),
            Stmt::ForgetUnknown(place) => {
                let place = self.place(place);
                self.line(format!("if !{}.unknown.is_empty() {{", place.object()));
                self.line(format!("{}.unknown = wire::Additions::new();", place.object()));
                self.line("}");
            }
            Stmt::Clear(component, place) => {
                self.line(self.types.clear(self.types.component(*component), &self.place(place)));
            }
            Stmt::Present { component, place, inner } => {
                let (insert, place) =
                    (self.types.renew_expression(self.types.component(*component).type_id), self.place(place));
                self.line(format!("let {} = {}.{insert};", name(*inner), place.object()));
            }
            Stmt::If { condition, then, otherwise } => {
                self.inside(format!("if {} {{", self.condition(condition)), then);
                otherwise.iter().for_each(|block| self.inside("} else {", block));
                self.line("}");
            }
            Stmt::IfSent { component, place, inner, then } => {
                let place = self.place(place);
                let head = match inner {
                    None => format!("if {} {{", self.types.sent(self.types.component(*component), &place)),
                    Some(inner) => format!("if let Some({}) = &{} {{", name(*inner), place.object()),
                };
                self.inside(head, then);
                self.line("}");
            }
            Stmt::Switch { id, place, arms, has_others } => self.switch(*id, place, arms, *has_others),
            Stmt::Select { number, arms } => {
                self.line(format!("match {} {{", self.number(number)));
                for (key, block) in arms {
                    self.inside(format!("{key} => {{"), block);
                    self.line("}");
                }
                self.line("_ => return Err(wire::Rejected),");
                self.line("}");
            }
            Stmt::SwitchOpen { id, place, arms, others } => self.switch_open(*id, place, arms, others.as_ref()),
            Stmt::Chain(arms) => {
                for (condition, block) in arms {
                    self.inside(format!("if {} {{", self.condition(condition)), block);
                    self.line(self.otherwise());
                }
                self.line("{");
                self.line("return Err(wire::Rejected);");
                self.line("}");
            }
            Stmt::SelectTag(arms, others) => {
                self.line("match input.get(at) {");
                for (tags, block) in arms {
                    self.inside(format!("{} => {{", tag_patterns(tags)), block);
                    self.line("}");
                }
                match others {
                    Some(block) => {
                        self.inside("_ => {", block);
                        self.line("}");
                    }
                    None => self.line("_ => return Err(wire::Rejected),"),
                }
                self.line("}");
            }
            Stmt::SelectRow { row, arms, others } => {
                self.line(format!("match {} {{", name(*row)));
                for (at, block) in arms {
                    self.inside(format!("{at} => {{"), block);
                    self.line("}");
                }
                self.inside("_ => {", others);
                self.line("}");
                self.line("}");
            }
            Stmt::Row { row, by } => self.row(*row, by),
            Stmt::Choose { id, alternative, place, inner } => {
                self.choose(*id, *alternative, place, *inner);
                self.line(format!("let _ = &{};", name(*inner)));
            }
            Stmt::ChooseOnly { id, alternative, place, inner } => self.choose(*id, *alternative, place, *inner),
            Stmt::Each { item, list, body } => {
                self.inside(format!("for {} in {} {{", name(*item), self.place(list).shared()), body);
                self.line("}");
            }
            Stmt::Refill { list, place } => {
                self.line(format!("let {} = {};", name(*list), self.place(place).exclusive()));
                self.line(format!("{}.clear();", name(*list)));
            }
            Stmt::Times { count, element, body } => {
                self.line(format!("for _ in 0..{} {{", self.number(count)));
                self.element(element, body);
                self.line("}");
            }
            Stmt::While { condition, element, body } => {
                self.line(format!("while {} {{", self.condition(condition)));
                self.element(element, body);
                self.line("}");
            }
            Stmt::Call { id, place, levels, is_tapped, has_strings } => {
                self.call_part(*id, place, *levels, (*is_tapped, *has_strings));
            }
            Stmt::Stream(statement) => self.stream_statement(statement),
            Stmt::PutText(_)
            | Stmt::Do(..)
            | Stmt::Apart(..)
            | Stmt::Get(..)
            | Stmt::SetBy(..)
            | Stmt::SetFlagsBy(..)
            | Stmt::Position(_)
            | Stmt::LetFlag(_)
            | Stmt::ClearFlag(_)
            | Stmt::PutTruth { .. }
            | Stmt::PutLabel { .. }
            | Stmt::SetByLabel { .. }
            | Stmt::TakeFlagDigits { .. }
            | Stmt::FillDigits { .. }
            | Stmt::FillArray(..)
            | Stmt::FillArcs { .. }
            | Stmt::FillBits(..)
            | Stmt::TakeCharacters { .. }
            | Stmt::Separated { .. }
            | Stmt::SetAbsent(..)
            | Stmt::MayBeUnused(_) => self.text_statement(statement),
            // A pass turns these into words, or into constant text.
            Stmt::Put { .. } | Stmt::PutArray { .. } | Stmt::Room(_) | Stmt::PutHead { .. } => {}
            Stmt::Expect { .. } | Stmt::TakeHead { .. } | Stmt::Settle | Stmt::Text(_) => {}
            Stmt::TakeNumber { .. } | Stmt::TakeArray { .. } => {}
        }
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

    fn switch(&mut self, id: TypeId, place: &Place, arms: &[(usize, Var, Block)], has_others: bool) {
        let Some(variants) = self.types.variants(id) else { return };
        self.line(format!("match {} {{", self.place(place).shared()));
        let unknown = format!("{}::UnknownAddition", self.types.name(id));
        for (at, inner, block) in arms {
            let path = variants.get(*at).map_or(&unknown, |variant| &variant.path);
            self.inside(format!("{path}({}) => {{", name(*inner)), block);
            self.line("}");
        }
        if has_others {
            self.line("_ => return Err(wire::Rejected),");
        }
        self.line("}");
    }

    fn switch_open(&mut self, id: TypeId, place: &Place, arms: &[(usize, Var, Block)], others: Option<&Block>) {
        let Some(variants) = self.types.variants(id) else { return };
        self.line(format!("match {} {{", self.place(place).shared()));
        for (at, inner, block) in arms {
            self.inside(format!("{}({}) => {{", variants[*at].path, name(*inner)), block);
            self.line("}");
        }
        if let Some(block) = others {
            self.inside("_ => {", block);
            self.line("}");
        }
        self.line("}");
    }
}
