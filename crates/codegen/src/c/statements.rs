//! Statements as lines.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;

use roadwire_layout::Family;
use roadwire_model::{Kind, Presence, TypeId};
use roadwire_plan::{Arg, Block, Component, Element, Num, Place, Prim, Repr, Root, Step, Stmt, Str, Var, Way};

use super::names::{CTypes, UNKNOWN, room};
use super::numbers::constant;
use super::places::{Text, name};
use super::reasons::code_of;
use crate::names::snake;
use crate::source::Source;

/// The stream that functions move along.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Cursor {
    /// Bits.
    Bits,
    /// Whole octets: no bits wait in the writer.
    Whole,
    /// Values after tags and lengths, up to an end.
    Values,
}

impl Cursor {
    /// That of a family; `None` if it has no C.
    pub(super) fn of(family: Family) -> Option<Cursor> {
        match family {
            Family::Packed | Family::Events => Some(Cursor::Bits),
            Family::Octet => Some(Cursor::Whole),
            Family::Tlv | Family::Fields | Family::Cbor | Family::Vectors | Family::Json => Some(Cursor::Values),
            Family::Xml => None,
        }
    }
}

/// A function's body being printed.
pub(super) struct Printer<'p, 'm> {
    pub(super) types: &'p CTypes<'p, 'm>,
    pub(super) way: Way,
    /// The suffix of the names of functions.
    pub(super) suffix: &'p str,
    pub(super) out: &'p mut Source,
    /// The variable that is the word which was read last.
    pub(super) word: String,
    /// How many octets the input has at least.
    pub(super) head: u64,
    /// The expression for the address of the octets that were read last.
    pub(super) octets: String,
    /// The variable with the bits that were split off last.
    pub(super) bits: String,
    /// The variables that point to bit strings.
    pub(super) bit_strings: HashSet<Var>,
    pub(super) cursor: Cursor,
    pub(super) family: Family,
    /// Whether the function says what is wrong, and where.
    pub(super) is_thorough: bool,
    /// The code of the error where a statement rejects, if its condition does not show one.
    pub(super) reason: &'static str,
    /// Why a number that was read is refused if it is outside its range, as an expression.
    pub(super) why_outside: Option<String>,
    /// Whether this is an element of a vector, where the end of the input is that of the vector.
    pub(super) is_in_vector: bool,
    /// Where a function that only reads ahead continues if something is wrong.
    pub(super) otherwise: Option<String>,
    /// The variable with the order of the elements that come next.
    pub(super) order: Option<Var>,
    /// Names of further variables.
    pub(super) names: usize,
    /// The type of the function's value, and of what variables point to.
    pub(super) value: TypeId,
    pub(super) bound: HashMap<Var, TypeId>,
    /// A statement that the printer does not have.
    pub(super) missing: &'p mut Option<String>,
}

impl<'p, 'm> Printer<'p, 'm> {
    /// Of a function of some rules for a type's value.
    pub(super) fn new(
        types: &'p CTypes<'p, 'm>,
        (way, suffix, family): (Way, &'p str, Family),
        value: TypeId,
        out: &'p mut Source,
        missing: &'p mut Option<String>,
    ) -> Self {
        Printer {
            types,
            way,
            suffix,
            out,
            word: String::new(),
            head: 0,
            octets: "r.octets".into(),
            bits: String::new(),
            bit_strings: HashSet::new(),
            cursor: Cursor::of(family).unwrap_or(Cursor::Values),
            family,
            is_thorough: false,
            reason: "RW_REJECTED",
            why_outside: None,
            is_in_vector: false,
            otherwise: None,
            order: None,
            names: 0,
            value,
            bound: HashMap::new(),
            missing,
        }
    }
}

impl Printer<'_, '_> {
    pub(super) fn is_encoder(&self) -> bool {
        self.way == Way::Encode
    }

    pub(super) fn is_whole(&self) -> bool {
        self.cursor == Cursor::Whole
    }

    /// A block: words that are read in it are not those of what follows it.
    pub(super) fn block(&mut self, block: &Block) {
        let (word, head, octets, reason) = (self.word.clone(), self.head, self.octets.clone(), self.reason);
        self.lines(block);
        (self.word, self.head, self.octets, self.reason) = (word, head, octets, reason);
    }

    pub(super) fn lines(&mut self, block: &Block) {
        for (at, statement) in block.iter().enumerate() {
            self.before_number(statement, &block[at + 1..]);
            self.statement(statement);
        }
    }

    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        self.out.line(line);
    }

    /// Declares a variable that a call sets. A function that says what is wrong calls another one
    /// in between, and compilers do not see that it is set.
    pub(super) fn declare(&mut self, held: &str, name: &str) {
        let value = match (self.is_thorough, held) {
            (false, _) => "",
            (true, "rw_octets" | "rw_bit_string") => " = {NULL, 0, 0}",
            (true, _) => " = 0",
        };
        self.line(format!("{held} {name}{value};"));
    }

    /// Says what the printer does not have: no code is generated then.
    pub(super) fn lacks(&mut self, what: &impl Debug) -> String {
        self.missing.get_or_insert_with(|| {
            let what = format!("{what:?}");
            let words = what.split(|character: char| !character.is_alphanumeric() && character != ' ');
            format!("the printer has no {}", words.map(str::trim).find(|word| !word.is_empty()).unwrap_or_default())
        });
        "0".into()
    }

    /// A name that nothing else in the function has.
    pub(super) fn fresh(&mut self, of: &str) -> String {
        self.names += 1;
        format!("{of}{}", self.names)
    }

    /// Declares a pointer to what is in a place.
    pub(super) fn bind(&mut self, var: Var, id: TypeId, address: &str) {
        let Some(held) = self.types.held(id) else { return drop(self.lacks(&"a pointer")) };
        let constant = if self.way == Way::Encode { "const " } else { "" };
        self.line(format!("{constant}{held} *{} = {address};", name(var)));
        self.bound.insert(var, id);
    }

    /// The type of what is in a place.
    pub(super) fn type_of(&self, place: &Place) -> Option<TypeId> {
        match (place.steps.last(), place.root) {
            (Some(Step::Component(one)), _) => Some(self.types.component(*one).type_id),
            (None, Root::Value) => Some(self.value),
            (None, Root::Reference(var) | Root::Variable(var)) => self.bound.get(&var).copied(),
            (Some(Step::Unboxed), _) => None,
        }
    }

    /// How memory holds the value in a place.
    pub(super) fn repr_of(&self, place: &Place) -> Option<Repr> {
        self.type_of(place).map(|id| *self.types.repr(id))
    }

    /// The address of a component or an element: of an array, that of its first octet.
    pub(super) fn address(&self, id: TypeId, text: &str) -> String {
        match self.types.repr(id) {
            Repr::FixedOctets(_) | Repr::WideInteger(_) => text.to_owned(),
            _ => format!("&{text}"),
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Let(var, number) => {
                let number = self.number(number);
                self.line(format!("const uint64_t {} = {number};", name(*var)));
            }
            Stmt::LetMut(var, number) => {
                let number = self.number(number);
                self.line(format!("uint64_t {} = {number};", name(*var)));
            }
            Stmt::Is(var, condition) => {
                let condition = self.condition(condition);
                self.line(format!("const bool {} = {condition};", name(*var)));
            }
            Stmt::RejectIf(condition) => self.reject_where(condition),
            Stmt::Need(var, place) => self.need(*var, place),
            Stmt::GiveUp => self.refuse("RW_RARE"),
            Stmt::Named { at, body } => self.part(&at.to_string(), |printer| printer.block(body)),
            Stmt::Because(reason) => self.reason = code_of(*reason),
            Stmt::MayBeUnused(var) => self.line(format!("(void){};", name(*var))),
            Stmt::Settle => {}
            Stmt::PutInteger(wide) => self.put_integer(wide),
            Stmt::TakeInteger(wide) => self.take_integer(wide),
            Stmt::Row { row, by } => self.row(*row, by),
            Stmt::Call { id, place, levels, is_tapped: false, has_strings } => {
                self.call(*id, place, *levels, *has_strings);
            }
            Stmt::Stream(statement) => self.stream(statement),
            Stmt::Set(place, value) => self.set(place, value),
            Stmt::SetAlternative { id, alternative, place, inner: _, value } => {
                self.choose(*id, *alternative, place, None);
                self.set_content(*id, *alternative, place, value);
            }
            Stmt::ForgetUnknown(place) => {
                let count = self.place(place).member("unknown.count");
                self.line(format!("{count} = 0;"));
            }
            Stmt::Clear(component, place) | Stmt::SetAbsent(component, place) => self.clear(*component, place),
            Stmt::Present { component, place, inner } => self.present(*component, place, *inner),
            Stmt::Choose { id, alternative, place, inner } | Stmt::ChooseOnly { id, alternative, place, inner } => {
                self.choose(*id, *alternative, place, Some(*inner));
            }
            Stmt::Refill { list, place } => {
                let (text, id) = (self.place(place), self.type_of(place));
                match id {
                    Some(id) => self.bind(*list, id, &text.address()),
                    None => drop(self.lacks(statement)),
                }
                self.line(format!("{}->count = 0;", name(*list)));
                if id.is_some_and(|id| self.types.most_elements(id).is_none()) {
                    self.line(format!("{}->items = NULL;", name(*list)));
                }
            }
            Stmt::Position(var) => self.position(*var),
            Stmt::LetOrder(order) => self.order = Some(*order),
            Stmt::SettleOrder(order) => self.try_call(format!("rw_settle_order(&w, &{})", name(*order))),
            Stmt::Do(Prim::Mover(by), args) | Stmt::Apart(Prim::Mover(by), args) => self.act(*by, args),
            Stmt::Get(var, Prim::Mover(by), args) => self.get(*var, *by, args),
            other => self.branch(other),
        }
    }

    fn branch(&mut self, statement: &Stmt) {
        match statement {
            Stmt::If { condition, then, otherwise } => {
                let condition = self.condition(condition);
                self.line(format!("if ({condition}) {{"));
                self.block(then);
                if let Some(otherwise) = otherwise {
                    self.line("} else {");
                    self.block(otherwise);
                }
                self.line("}");
            }
            Stmt::IfSent { component, place, inner, then } => {
                self.if_sent(*component, place, *inner, then);
                self.line("}");
            }
            Stmt::Switch { id, place, arms, .. } => self.switch(*id, place, arms, None),
            Stmt::SwitchOpen { id, place, arms, others } => self.switch(*id, place, arms, others.as_ref()),
            Stmt::SelectRow { row, arms, others } => {
                self.select(&name(*row), arms.iter().map(|(at, block)| (*at, block)), Some(others));
            }
            Stmt::Select { number, arms, others } => {
                let number = self.number(number);
                self.select(&number, arms.iter().map(|(key, block)| (*key, block)), others.as_ref());
            }
            Stmt::Loop { condition, body } => {
                let condition = self.condition(condition);
                self.line(format!("while ({condition}) {{"));
                self.block(body);
                self.line("}");
            }
            Stmt::Ahead { body, fails } => self.ahead(body, fails),
            Stmt::CountTo { at, number, body } => {
                let (at, number) = (name(*at), self.number(number));
                self.line(format!("for (; {at} < {number}; {at}++) {{"));
                self.block(body);
                self.line("}");
            }
            Stmt::Each { item, list, body } => self.each(*item, list, None, body),
            Stmt::Times { count, element, body } => self.times(count, element, body),
            other => self.whole(other),
        }
    }

    /// A branch on a number: the statements for each, and for all others.
    pub(super) fn select<'b>(
        &mut self,
        number: &str,
        arms: impl Iterator<Item = (u64, &'b Block)>,
        others: Option<&Block>,
    ) {
        self.line(format!("switch ({number}) {{"));
        for (key, block) in arms {
            self.line(format!("case {}: {{", constant(key)));
            self.end_case(block);
        }
        self.default(others);
    }

    /// The statements of a case, and its end.
    pub(super) fn end_case(&mut self, block: &Block) {
        self.block(block);
        if block.last() != Some(&Stmt::GiveUp) {
            self.line("break;");
        }
        self.line("}");
    }

    /// The statements for all others, and the end of a branch; without them they are rejected.
    pub(super) fn default(&mut self, others: Option<&Block>) {
        self.default_as(others, self.reason);
    }

    /// The same with the code of an error.
    pub(super) fn default_as(&mut self, others: Option<&Block>, code: &str) {
        match others {
            Some(others) => {
                self.line("default: {");
                self.block(others);
                self.line("}");
            }
            None => {
                self.line("default:");
                self.refuse(code);
            }
        }
        self.line("}");
    }

    /// The start of what is done for a component that is sent.
    pub(super) fn if_sent(&mut self, component: Component, place: &Place, inner: Option<Var>, then: &Block) {
        let sent = self.sent(component, place);
        self.line(format!("if ({sent}) {{"));
        if let Some(inner) = inner {
            let id = self.types.component(component).type_id;
            let address = self.address(id, &self.place(place).value());
            self.bind(inner, id, &address);
        }
        self.block(then);
    }

    /// A branch on the alternative of a CHOICE, or of an open type.
    fn switch(&mut self, id: TypeId, place: &Place, arms: &[(usize, Var, Block)], others: Option<&Block>) {
        let (choices, text) = (self.types.choices(id), self.place(place));
        self.line(format!("switch ({}) {{", text.member("choice")));
        for (at, var, block) in arms {
            match choices.get(*at) {
                Some(choice) => {
                    self.line(format!("case {choice}: {{"));
                    self.bind_content(*var, (id, *at), &text);
                }
                None => {
                    self.line(format!("case {}: {{", self.types.constant(id, UNKNOWN)));
                    let other = text.member(&format!("as.{}", snake(UNKNOWN)));
                    self.line(format!("const rw_addition *{} = &{other};", name(*var)));
                }
            }
            self.end_case(block);
        }
        self.default(others);
    }

    /// Binds the content of a CHOICE that has an alternative.
    pub(super) fn bind_content(&mut self, var: Var, (id, alternative): (TypeId, usize), text: &Text) {
        let Kind::Choice { alternatives, .. } = self.types.kind(id) else { return };
        let (member, one) = (&CTypes::members(alternatives)[alternative], &alternatives[alternative]);
        let member = text.member(&format!("as.{member}"));
        let address = match self.types.is_alternative_apart(id, one) {
            true => member,
            false => self.address(one.type_id, &member),
        };
        self.bind(var, one.type_id, &address);
    }

    /// The statements for each element of a list, and maybe its number.
    pub(super) fn each(&mut self, item: Var, list: &Place, at: Option<Var>, body: &Block) {
        let Some((id, element)) = self.list_of(list) else { return };
        let text = self.place(list);
        let count = text.member("count");
        self.fits_in_place(id, &count);
        let index = at.map_or_else(|| self.fresh("i"), name);
        let order = self.order.take().map(|order| self.let_order(&name(order), id, &count));
        self.line(format!("for (uint64_t {index} = 0; {index} < {count}; {index}++) {{"));
        let address = self.address(element, &self.element_of(id, &text.member(""), &index));
        self.bind(item, element, &address);
        self.part(&format!("(uint32_t){index}"), |printer| printer.block(body));
        self.line("}");
        order.into_iter().for_each(|order| self.line(format!("w.size = {order}.size;")));
    }

    /// The list in a place, and its elements' type.
    pub(super) fn list_of(&mut self, place: &Place) -> Option<(TypeId, TypeId)> {
        let id = self.type_of(place);
        match id.map(|id| *self.types.repr(id)) {
            Some(Repr::List { element, .. }) => id.zip(Some(element)),
            _ => {
                self.lacks(&"a list");
                None
            }
        }
    }

    /// Declares the order of a list's elements.
    fn let_order(&mut self, order: &str, list: TypeId, count: &str) -> String {
        let has_more = self.is_thorough && self.types.most_in_root(list).is_some();
        let ends = self.types.most_elements(list).map_or("NULL".to_owned(), |most| {
            self.line(format!("uint32_t {order}_ends[{}];", room(most)));
            if has_more { format!("{count} > {most} ? NULL : {order}_ends") } else { format!("{order}_ends") }
        });
        self.line(format!("rw_order {order} = rw_order_of(&w, {ends});"));
        order.to_owned()
    }

    fn times(&mut self, count: &Num, element: &Element, body: &Block) {
        let (count, index) = (self.number(count), self.fresh("i"));
        // Thorough plans have elements of vectors so.
        let was_in_vector = self.is_in_vector;
        self.is_in_vector |= self.family == Family::Vectors;
        self.counted(element, (&index, &count), body);
        self.is_in_vector = was_in_vector;
    }

    fn call(&mut self, id: TypeId, place: &Place, levels: Option<u32>, has_strings: bool) {
        self.allocate_mandatory(place);
        let (way, mut more) = match self.way {
            Way::Encode => ("encode", "&w".to_owned()),
            Way::Decode => ("decode", "&r".to_owned()),
        };
        if self.types.takes_memory_in(id, (self.family, self.way, self.is_thorough)) {
            more += ", arena";
        }
        if let Some(depth) = levels {
            more += &format!(", levels - {depth}");
        }
        if has_strings {
            more += ", strings";
        }
        let address = self.place(place).address();
        let part = if self.is_thorough { "why" } else { "part" };
        let more = if self.is_thorough { more + ", error" } else { more };
        self.call_part(&format!("{}_{way}_{}_{part}({address}, {more})", self.types.type_name(id), self.suffix));
    }

    /// The octets or the text in a place, as octets of the input are. One that is longer than its
    /// place is rejected.
    pub(super) fn view(&mut self, place: &Place) -> String {
        let (text, repr) = (self.place(place), self.repr_of(place));
        let (member, most) = match repr {
            Some(Repr::LentOctets | Repr::LentText | Repr::String) => return text.value(),
            Some(Repr::Oid) => {
                if self.way == Way::Encode {
                    self.reject_as(&format!("!rw_is_oid({})", text.value()), "RW_OID_CONTENTS");
                }
                return text.value();
            }
            Some(Repr::Octets(most)) => (text.member("octets"), most),
            Some(Repr::Text(most)) => (format!("(const uint8_t *){}", text.member("text")), most),
            Some(Repr::FixedOctets(count)) => return format!("rw_octets_of({}, {count})", self.array(place)),
            _ => return self.lacks(place),
        };
        let size = text.member("size");
        if self.way == Way::Encode {
            self.reject_as(&format!("{size} > {most}"), "RW_SIZE_CAPACITY");
        }
        format!("rw_octets_of({member}, {size})")
    }

    pub(super) fn view_of(&mut self, text: &Str) -> String {
        match text {
            Str::Octets(place) | Str::Characters(place) | Str::Fixed(place) => self.view(place),
            Str::Var(octets) => name(*octets),
        }
    }

    pub(super) fn argument(&mut self, arg: &Arg) -> String {
        match arg {
            Arg::Num(number) | Arg::Count(number) => self.number(number),
            Arg::BitCount(place) => format!("(uint64_t){}", self.place(place).member("bits")),
            Arg::BitSize { bounds: (lower, upper), is_fixed, is_trimmed } => {
                format!("{}, {}, {is_fixed}, {is_trimmed}", constant(*lower), constant(*upper))
            }
            Arg::Greatest => "UINT64_MAX".into(),
            Arg::Hex(number) => format!("{number:#x}u"),
            Arg::Flag(flag) => flag.to_string(),
            Arg::Octets(text) => self.view_of(text),
            Arg::Contents(place) | Arg::Object(place) | Arg::Shared(place) => self.view(place),
            other => self.lacks(other),
        }
    }

    /// Binds what an optional component holds.
    fn need(&mut self, var: Var, place: &Place) {
        let text = self.place(place);
        let Some(id) = self.type_of(place) else { return drop(self.lacks(place)) };
        self.reject_as(&format!("!{}", text.presence()), "RW_COMPONENT_MISSING");
        let address = self.address(id, &text.value());
        self.bind(var, id, &address);
    }

    fn present(&mut self, component: Component, place: &Place, inner: Var) {
        let (text, id) = (self.place(place), self.types.component(component).type_id);
        self.line(format!("{} = true;", text.presence()));
        if self.types.is_component_apart(component.record, self.types.component(component)) {
            self.allocate(id, &text.address());
        }
        let address = self.address(id, &text.value());
        self.bind(inner, id, &address);
    }

    fn clear(&mut self, component: Component, place: &Place) {
        let (text, this) = (self.place(place), self.types.component(component));
        match &this.presence {
            Presence::Default(value) => self.assign(&text.value(), this.type_id, value),
            _ => self.line(format!("{} = false;", text.presence())),
        }
    }

    pub(super) fn choose(&mut self, id: TypeId, alternative: usize, place: &Place, inner: Option<Var>) {
        let (choices, text) = (self.types.choices(id), self.place(place));
        self.line(format!("{} = {};", text.member("choice"), choices[alternative]));
        if let Kind::Choice { alternatives, .. } = self.types.kind(id) {
            let one = &alternatives[alternative];
            if self.types.is_alternative_apart(id, one) {
                let member = &CTypes::members(alternatives)[alternative];
                self.allocate(one.type_id, &text.member(&format!("as.{member}")));
            }
        }
        if let Some(inner) = inner {
            self.bind_content(inner, (id, alternative), &text);
        }
    }
}
