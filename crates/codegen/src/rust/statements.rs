//! Statements as lines.

use roadwire_model::TypeId;

use super::conditions::tag_patterns;
use super::function;
use super::places::name;
use super::text::octets_literal;
use super::{Cursor, Printer};
use crate::data::item_names;
use crate::plan::{
    Arg, Block, Cbor, Count, Element, Fields, Num, Place, Prim, Stmt, Store, Str, Tlv, Until, Value, Var, Vectors, Way,
};
use crate::types::Repr;

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

    fn overwrite(&mut self, element: &Element, at: Var, place: &Place, until: &Until, body: &Block) {
        let (list, at, item) = (name(element.list), name(at), name(element.item));
        self.line(format!("let {list} = {};", self.place(place).exclusive()));
        self.line(format!("let mut {at} = 0usize;"));
        let one = |printer: &mut Self| {
            printer.line(format!("let {item} = wire::rt::Places::place({list}, {at}).ok_or(wire::Rejected)?;"));
            printer.line(format!("{at} += 1;"));
            printer.block(body);
        };
        let head = match until {
            Until::Bracket => String::new(),
            Until::Count(count) => format!("for _ in 0..{count} {{"),
            Until::End => "while !r.is_empty() {".into(),
            Until::Fails(condition) => format!("while {} {{", self.condition(condition)),
        };
        if head.is_empty() {
            self.between_commas(body, one);
        } else {
            self.line(head);
            one(self);
            self.line("}");
        }
        self.line(format!("wire::rt::Places::settle({list}, {at});"));
    }

    fn put_integer(&mut self, args: &[Arg]) {
        let [Arg::Num(tag), Arg::Value(place)] = args else { return };
        let (tag, place) = (self.number(tag), self.place(place));
        let put = format!("wire::rt::tlv::put_string(output, at, {tag}, octets)");
        self.line(format!("at = {}.with_octets(|octets| {put})?;", place.object()));
    }

    fn put_word(&mut self, by: Prim, parts: &[(Num, u32)], constant: u64, octets: &Count) {
        let part = |(number, shift): &(Num, u32)| match shift {
            0 => self.part(number),
            shift => format!("{} << {shift}", self.operand(number)),
        };
        let mut parts: Vec<String> = parts.iter().map(part).collect();
        if constant != 0 || parts.is_empty() || by == Prim::Tlv(Tlv::PutWord) {
            parts.push(format!("{constant:#x}"));
        }
        let octets = match octets {
            Count::Known(octets) => octets.to_string(),
            Count::And(0, var) => name(*var),
            Count::And(octets, var) => format!("{octets} + {}", name(*var)),
        };
        let (function, word) = (self.function(by), parts.join(" | "));
        self.line(format!("at = {function}(output, at, {word}, {octets})?;"));
    }

    fn store_head(&mut self, octets: usize, stores: &[Store], room: usize) {
        if octets > 0 {
            self.line(format!("let head = wire::rt::head_at::<{octets}>(output, at)?;"));
        }
        for store in stores {
            match store {
                Store::Array { at, place } => {
                    self.line(format!("wire::rt::set_at(head, {at}, {});", self.place(place).shared()));
                }
                Store::Number { at, number, octets } => {
                    let number = self.operand(number);
                    match octets {
                        1 => self.line(format!("head[{at}] = {number} as u8;")),
                        2 | 4 | 8 => {
                            let bits = octets * 8;
                            self.line(format!("wire::rt::set_at(head, {at}, &({number} as u{bits}).to_be_bytes());"));
                        }
                        octets => (0..*octets).for_each(|one| {
                            let (at, shift) = (at + one as usize, (octets - 1 - one) * 8);
                            self.line(format!("head[{at}] = ({number} >> {shift}) as u8;"));
                        }),
                    }
                }
            }
        }
        self.line(format!("at += {};", octets + room));
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
    fn part(&self, number: &Num) -> String {
        match number {
            Num::Shr(..) => self.number(number),
            _ => self.operand(number),
        }
    }

    fn let_head(&mut self, (number, octets): (Var, Var), by: Prim, front: u8, after: u32) {
        let mut word = if after == 0 { "word".to_owned() } else { format!("word << {}", after * 8) };
        if front != 0 {
            word = format!("{word} ^ {:#x}", u64::from(front) << 56);
        }
        let (function, octets) = (self.function(by), name(octets));
        self.line(format!("let ({}, {octets}) = {function}({word})?;", name(number)));
        self.line(if after == 0 { format!("at += {octets};") } else { format!("at += {after} + {octets};") });
    }

    fn set(&mut self, place: &Place, value: &Value) {
        let place = self.place(place);
        let to = place.value();
        match value {
            Value::Integer(id, number) => {
                self.line(self.types.set_number(*id, &place, &self.number(number)));
            }
            Value::Null => self.line(format!("{to} = ();")),
            Value::OctetsOf(id, octets) => {
                let (object, octets) = (place.object(), name(*octets));
                match self.types.repr(*id) {
                    Repr::Octets(_) => self.line(format!("{object}.0.set({octets})?;")),
                    Repr::LentOctets => self.line(format!("{to} = wire::LentOctets::new({octets});")),
                    _ => {
                        self.line(format!("{object}.0.clear();"));
                        self.line(format!("{object}.0.extend_from_slice({octets});"));
                    }
                }
            }
            Value::AnyInteger(octets) => {
                let octets = name(*octets);
                let number = format!("wire::Integer::from_octets({octets})");
                self.line(format!("let Some({octets}) = {number} else {{ return Err(wire::Rejected) }};"));
                self.line(format!("{to} = {octets};"));
            }
            Value::IsNot0(number) => self.line(format!("{to} = {} != 0;", self.operand(number))),
            Value::Real(bits) => self.line(format!("{to} = f64::from_bits({});", self.operand(bits))),
            Value::Sent { bits, count, sent } => {
                let (bits, count, sent) = (name(*bits), name(*count), name(*sent));
                let value = format!("{bits} << ({count} - {sent})");
                self.line(format!("{to} = wire::BitWord {{ value: {value}, bits: {count} as u8 }};"));
            }
            Value::LowestBit(number) => self.line(format!("{to} = {} & 1 != 0;", self.operand(number))),
            Value::Flags(id, number) => {
                let (flags, word) = self.flags(*id);
                self.line(format!("{to} = {flags}({} as {word});", self.operand(number)));
            }
            Value::Bits(bits, count) => {
                let bits = self.operand(bits);
                self.line(format!("{to} = wire::BitWord {{ value: {bits}, bits: {} }};", self.number(count)));
            }
            Value::Item { id, number, numbers } => {
                let items: Vec<(i64, usize)> = numbers.iter().copied().zip(0..).collect();
                self.set_item(&to, *id, number, &items);
            }
            Value::ItemOf { id, number, items } => self.set_item(&to, *id, number, items),
            Value::Received(received) => self.set_received(&place, received),
            Value::HighFlags(id, bits, shift) => {
                let (object, (_, word)) = (place.object().to_owned(), self.flags(*id));
                self.line(format!("{object}.0 = ({} >> {shift}) as {word};", name(*bits)));
            }
            Value::Var(var) => self.line(format!("{to} = {};", name(*var))),
            Value::Referred(var) => self.line(format!("{to} = *{};", name(*var))),
        }
    }

    /// Makes a CHOICE hold an alternative that has been read.
    fn set_alternative(&mut self, id: TypeId, alternative: usize, place: &Place, inner: Var, value: &Value) {
        let Some(variants) = self.types.variants(id) else { return };
        let (path, place, inner) = (&variants[alternative].path, self.place(place), name(inner));
        let value = match value {
            Value::Integer(_, number) => self.number(number),
            Value::Var(var) => name(*var),
            Value::Flags(id, number) => {
                let (flags, word) = self.flags(*id);
                format!("{flags}({} as {word})", self.operand(number))
            }
            _ => "()".into(),
        };
        if self.types.is_small(id) {
            return self.line(format!("{} = {path}({value});", place.value()));
        }
        self.line(format!("match {} {{", place.exclusive()));
        self.line(format!("{path}({inner}) => *{inner} = {value},"));
        self.line(format!("{inner} => {{"));
        self.line("wire::rt::rare();");
        self.line(format!("*{inner} = {path}({value});"));
        self.line("}");
        self.line("}");
    }

    fn set_item(&mut self, to: &str, id: TypeId, number: &Num, items: &[(i64, usize)]) {
        let Some((enumeration, enumerators)) = self.types.enumeration(id) else { return };
        let names = item_names(enumerators);
        self.line(format!("{to} = match {} {{", self.number(number)));
        for (number, at) in items.iter().filter(|(_, at)| *at < names.len()) {
            self.line(format!("{number} => {enumeration}::{},", names[*at]));
        }
        self.line("_ => return Err(wire::Rejected),");
        self.line("};");
    }

    /// Copies a string into a place.
    fn fill(&mut self, id: TypeId, place: &Place, bound: Var, from: &Str, (lower, upper): (u64, u64)) {
        let (bound, from, place) = (name(bound), self.string(from), self.place(place).exclusive());
        self.line(format!("let {bound} = {place};"));
        match *self.types.repr(id) {
            Repr::FixedOctets(count) => {
                self.out.refuse_if(&format!("{from}.len() != {count}"));
                self.line(format!("{bound}.copy_from_slice({from});"));
            }
            Repr::Octets(_) | Repr::OctetString | Repr::Oid => {
                if lower > 0 || upper < u64::MAX {
                    self.out.refuse_if(&format!("!({lower}..={upper}).contains(&({from}.len() as u64))"));
                }
                self.line(format!("{bound}.0.clear();"));
                match self.types.repr(id) {
                    Repr::Octets(_) => self.out.refuse_if(&format!("{bound}.0.try_extend_from_slice({from}).is_err()")),
                    _ => self.line(format!("{bound}.0.extend_from_slice({from});")),
                }
            }
            Repr::Text(_) => {
                self.line(format!("{bound}.clear();"));
                self.out.refuse_if(&format!("{bound}.try_push_str({from}).is_err()"));
            }
            _ => {
                self.line(format!("{bound}.clear();"));
                self.line(format!("{bound}.push_str({from});"));
            }
        }
    }

    fn switch(&mut self, id: TypeId, place: &Place, arms: &[(usize, Var, Block)], has_others: bool) {
        let Some(variants) = self.types.variants(id) else { return };
        self.line(format!("match {} {{", self.place(place).shared()));
        let unknown = format!("{}::UnknownAddition", self.types.repr(id).name());
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

    fn choose(&mut self, id: TypeId, alternative: usize, place: &Place, inner: Var) {
        let Some(variants) = self.types.variants(id) else { return };
        self.types.choose_as(&variants[alternative], &self.place(place), &name(inner), self.out);
    }

    pub(super) fn element(&mut self, Element { list, list_id, id, item }: &Element, body: &Block) {
        let Repr::List { storage, .. } = *self.types.repr(*list_id) else { return };
        let begun = self.types.begin_element(*id, storage, &name(*list), name(*item), self.out);
        self.block(body);
        if body.last() != Some(&Stmt::GiveUp) {
            begun.end(self.out);
        }
    }

    fn call_part(&mut self, id: TypeId, place: &Place, levels: Option<u32>, (is_tapped, has_strings): (bool, bool)) {
        let place = self.place(place);
        let of = match self.cursor {
            Cursor::Bits | Cursor::Whole => self.types.repr(id).name().to_owned(),
            _ => function(self.types, id),
        };
        let (way, place) = match self.way {
            Way::Encode => ("encode", place.shared()),
            Way::Decode => ("decode", place.exclusive()),
        };
        let name = format!("{way}_{of}{}", self.suffix);
        let mut levels = levels.map_or(String::new(), |depth| format!(", levels - {depth}"));
        if has_strings {
            levels += ", strings";
        }
        let tap = if is_tapped { ", tap" } else { "" };
        match (self.way, self.cursor) {
            (Way::Encode, Cursor::Octets | Cursor::Rest) => {
                self.line(format!("at = {name}({place}, output, at{levels}{tap})?;"));
            }
            (Way::Decode, Cursor::Octets) => self.line(format!("at = {name}({place}, input, at, end{levels})?;")),
            (Way::Decode, Cursor::Rest) => {
                let message = if is_tapped { ", message" } else { "" };
                self.line(format!("r = {name}({place}, r{levels}{message}{tap})?;"));
            }
            (Way::Decode, Cursor::Whole) => {
                let input = if is_tapped { ", input" } else { "" };
                self.line(format!("r = {name}({place}, r{levels}{input}{tap})?;"));
            }
            _ => {
                let stream = self.stream();
                self.apart(&format!("{name}({place}, &mut {stream}{levels}{tap})?;"));
            }
        }
        self.out.calls(name);
    }

    pub(super) fn call(&self, by: Prim, args: &[Arg], first: &[&str]) -> String {
        let arg = |arg: &Arg| match arg {
            Arg::Num(number) => self.operand(number),
            Arg::Plain(number) => self.number(number),
            Arg::Hex(number) => format!("{number:#x}"),
            Arg::Value(place) => self.place(place).value(),
            Arg::Shared(place) => self.place(place).shared(),
            Arg::Octets(text) => self.octets(text),
            Arg::Contents(place) => format!("&{}.0", self.place(place).object()),
            Arg::WholeBits(place) => format!("{}.octets()", self.place(place).object()),
            Arg::Count(number) => format!("{} as usize", self.operand(number)),
            Arg::Flag(flag) => flag.to_string(),
            Arg::Ranges(ranges) => format!("&{ranges:?}"),
            Arg::Bytes(place) => format!("{}.as_bytes()", self.place(place).object()),
            Arg::Slice(var) => name(*var),
            Arg::Octet(octet) => format!("b'{}'", char::from(*octet)),
            Arg::Text(text) => octets_literal(text),
            Arg::Scalar(place) => format!("wire::Data::scalar({})", self.place(place).shared()),
            Arg::Object(place) => format!("&{}", self.place(place).object()),
            Arg::Exclusive(place) => self.place(place).exclusive(),
            Arg::FlagOctets { place, shift, octets } => {
                format!("&(u64::from({}.0) << {shift}).to_be_bytes()[..{octets}]", self.place(place).object())
            }
            Arg::Word(place) => format!("{0}.value, {0}.bits.into()", self.place(place).object()),
            Arg::BitSize { bounds: (lower, upper), is_fixed, is_trimmed } => format!(
                "wire::rt::cbor::strings::BitSize {{ lower: {lower}, upper: {upper}, is_fixed: {is_fixed}, is_trimmed: {is_trimmed} }}"
            ),
            Arg::Greatest => "u64::MAX".into(),
            Arg::End => "end".into(),
            Arg::Unknown(place) => format!("wire::Data::unknown({})", self.place(place).shared()),
            Arg::BitCount(place) => format!("u32::from({}.bits)", self.place(place).object()),
        };
        let args: Vec<String> = first.iter().map(|one| (*one).to_owned()).chain(args.iter().map(arg)).collect();
        format!("{}({})", self.function(by), args.join(", "))
    }

    /// The path of a primitive.
    fn function(&self, by: Prim) -> String {
        let name = match by {
            Prim::PutOctets => return "wire::rt::put_octets".into(),
            Prim::Vectors(by) => return vectors(by),
            Prim::Mover(by) => return self.mover(by),
            Prim::Text(by) => return format!("{}.{}", self.stream(), super::text::method(by)),
            Prim::Fields(by) => return fields(by),
            Prim::Tlv(by) => return tlv(by),
            Prim::Cbor(Cbor::PutBitString) => return "wire::rt::cbor::strings::put_bit_string".into(),
            Prim::Cbor(Cbor::TakeBitString) => return "wire::rt::cbor::strings::take_bit_string".into(),
            Prim::Cbor(Cbor::Sort) => return "wire::rt::cbor::strings::sort".into(),
            Prim::Cbor(by) => match by {
                Cbor::PutBitString | Cbor::TakeBitString | Cbor::Sort => String::new(),
                Cbor::PutWord => "put_word".into(),
                Cbor::PutLong => "put_long".into(),
                Cbor::PutLongInteger => "put_long_integer".into(),
                Cbor::PutBits => "put_bits".into(),
                Cbor::PutArray => "put_array".into(),
                Cbor::PutFloat => "put_float".into(),
                Cbor::TakeLong => "take_long".into(),
                Cbor::TakeLongInteger => "take_long_integer".into(),
                Cbor::TakeBits => "take_bits".into(),
                Cbor::TakeFloat => "take_float".into(),
                Cbor::TakeArray(count) => format!("take_array::<{count}>"),
                Cbor::TakeSlice => "take_slice".into(),
                Cbor::HeadWord(most) => format!("head_word::<{most}>"),
                Cbor::IntegerWord(most) => format!("integer_word::<{most}>"),
                Cbor::TakeHead(most) => format!("take_head::<{most}>"),
                Cbor::TakeInteger(most) => format!("take_integer::<{most}>"),
            },
        };
        format!("wire::rt::cbor::straight::{name}")
    }
}

fn fields(by: Fields) -> String {
    let name = match by {
        Fields::Close => return "wire::rt::fields::close".into(),
        Fields::PutNumber(bits) => format!("put_number::<{bits}>"),
        Fields::TakeNumber(octets) => format!("take_number::<{octets}>"),
        Fields::PutWord => "put_word".into(),
        Fields::PutString => "put_string".into(),
        Fields::PutBits => "put_bits".into(),
        Fields::PutContents => "put_contents".into(),
        Fields::PutLongNumber => "put_long_number".into(),
        Fields::Open => "open".into(),
        Fields::TakeOctet => "take_octet".into(),
        Fields::TakeLongNumber => "take_long_number".into(),
        Fields::TakeEight => "take_eight".into(),
        Fields::TakeContents => "take_contents".into(),
    };
    format!("wire::rt::fields::straight::{name}")
}

fn tlv(by: Tlv) -> String {
    let name = match by {
        Tlv::PutNumber { most, signed } => format!("put_number::<{most}, {signed}>"),
        Tlv::TakeNumber(most) => format!("take_number::<{most}>"),
        Tlv::PutWord => "put_word".into(),
        Tlv::PutElement => "put_element".into(),
        Tlv::PutUnknown => "put_unknown".into(),
        Tlv::PutOther => "put_other".into(),
        Tlv::TakeUnknown => "take_unknown".into(),
        Tlv::TakeOther => "take_other".into(),
        Tlv::PutString | Tlv::PutInteger => "put_string".into(),
        Tlv::PutOctets => "put_octets".into(),
        Tlv::PutAnyBits => "put_any_bits".into(),
        Tlv::PutLongBits => "put_long_bits".into(),
        Tlv::PutNamedBits => "put_named_bits".into(),
        Tlv::TakeNamedBits => "take_named_bits".into(),
        Tlv::PutReal => "put_real".into(),
        Tlv::PutCharacters => "put_characters".into(),
        Tlv::PutDigits => "put_digits".into(),
        Tlv::PutDuration => "put_duration".into(),
        Tlv::TakeDigits => "take_digits".into(),
        Tlv::TakeDuration => "take_duration".into(),
        Tlv::PutUnsigned => "put_unsigned".into(),
        Tlv::PutMachine => "put_machine".into(),
        Tlv::Sort => "sort".into(),
        Tlv::TakeLongBits => "take_long_bits".into(),
        Tlv::TakeReal => "take_real".into(),
        Tlv::TakeCharacters => "take_characters".into(),
        Tlv::TakeUnsigned => "take_unsigned".into(),
        Tlv::TakeMachine => "take_machine".into(),
        Tlv::PutBits => "put_bits".into(),
        Tlv::PutLongNumber => "put_long_number".into(),
        Tlv::Close => "close".into(),
        Tlv::Open => "open".into(),
        Tlv::Whole => "whole".into(),
        Tlv::OneOctet => "one_octet".into(),
        Tlv::TakeBits => "take_bits".into(),
        Tlv::TakeLongNumber => "take_long_number".into(),
    };
    format!("wire::rt::tlv::{name}")
}

fn vectors(by: Vectors) -> String {
    let name = match by {
        Vectors::PutNumber => "put_number",
        Vectors::PutPsid => "put_psid",
        Vectors::PutCounted => "put_counted",
        Vectors::TakeNumber => "take_number",
        Vectors::TakePsid => "take_psid",
    };
    format!("wire::rt::vectors::straight::{name}")
}
