//! Prints what functions do in the presentation language: heads of several fields, and vectors
//! after their lengths.

use roadwire_model::TypeId;
use roadwire_plan::{Arg, Block, Cond, Element, Num, Place, Prim, Repr, Stmt, Store, Str, Until, Var, Vectors};

use super::names::int_name;
use super::numbers::constant;
use super::places::name;
use super::statements::Printer;

impl Printer<'_, '_> {
    pub(super) fn in_vectors(&mut self, statement: &Stmt) {
        match statement {
            Stmt::StoreHead { octets, stores, room } => self.store_head(*octets, stores, *room),
            Stmt::PutInline(place) => {
                let octets = self.view(place);
                self.try_call(format!("rw_put_octets_whole(&w, {octets})"));
            }
            Stmt::CloseAnywhere { start, room } => {
                self.try_call(format!("rw_close_vector(&w, {}, {room})", name(*start)));
            }
            Stmt::CloseFixed { start, room } => {
                self.try_call(format!("rw_close_sized_vector(&w, {}, {room})", name(*start)));
            }
            Stmt::Write(Prim::Vectors(by), args) => self.put_vector_part(*by, args),
            Stmt::SplitHead(octets) => {
                let head = self.fresh("head");
                self.line(format!("const uint8_t *{head} = rw_split_head(&r, {octets});"));
                self.reject_as(&format!("{head} == NULL"), "RW_INPUT_TRUNCATED");
                self.octets = head;
            }
            Stmt::LetItem { item, id, number, numbers } => self.let_item(*item, *id, *number, numbers),
            Stmt::TakeRest { var, by: Prim::Vectors(by), .. } => {
                let function = match by {
                    Vectors::TakePsid => "rw_take_psid",
                    _ => "rw_take_vector_number",
                };
                self.declare("uint64_t", &name(*var));
                self.try_call(format!("{function}(&r, &{})", name(*var)));
            }
            Stmt::Split { inside, rest, count } => {
                let (inside, rest) = (name(*inside), name(*rest));
                self.declare("rw_octets", &inside);
                self.declare("rw_octets", &rest);
                self.try_call(match count {
                    Some(count) => format!("rw_split(&r, {}, &{inside}, &{rest})", name(*count)),
                    None => format!("rw_split_counted(&r, &{inside}, &{rest})"),
                });
            }
            Stmt::Read(variables, Prim::Vectors(Vectors::TakeFlags), args) => {
                let ([flags], [octets]) = (variables.as_slice(), args.as_slice()) else {
                    return drop(self.lacks(statement));
                };
                let (flags, octets) = (name(*flags), self.argument(octets));
                self.declare("uint64_t", &flags);
                self.try_call(format!("rw_take_vector_flags(&r, {octets}, &{flags})"));
            }
            Stmt::Skip(Prim::Vectors(Vectors::TakeOther), args) => {
                let [Arg::Exclusive(place), octets] = args.as_slice() else { return drop(self.lacks(statement)) };
                let Some(id) = self.type_of(place) else { return drop(self.lacks(&"an alternative")) };
                let (octets, other) = (self.argument(octets), self.choose_other(id, place));
                self.try_call(format!("rw_take_other_vector(&r, {octets}, &{other})"));
            }
            Stmt::Continue(octets) => self.line(format!("rw_continue(&r, &{});", name(*octets))),
            Stmt::Overwrite { element, place, until, body, .. } => self.overwrite(element, place, until, body),
            other => self.in_text(other),
        }
    }

    /// Several fields at once, and room after them.
    fn store_head(&mut self, octets: usize, stores: &[Store], room: usize) {
        let head = self.fresh("head");
        self.line(format!("uint8_t *{head} = rw_room(&w, {});", octets + room));
        self.reject_as(&format!("{head} == NULL"), "RW_OUTPUT_FULL");
        for store in stores {
            match store {
                Store::Array { at, place } => {
                    let Some(Repr::FixedOctets(count)) = self.repr_of(place) else {
                        return drop(self.lacks(place));
                    };
                    if count > 0 {
                        let array = self.array(place);
                        self.line(format!("memcpy({head} + {at}, {array}, {count});"));
                    }
                }
                Store::Number { at, number, octets } => {
                    let number = self.number(number);
                    self.line(format!("rw_store_number({head} + {at}, {number}, {octets});"));
                }
            }
        }
    }

    fn put_vector_part(&mut self, by: Vectors, args: &[Arg]) {
        if let (Vectors::PutOther, [Arg::Octets(Str::Var(other)), octets, Arg::Ranges(numbers)]) = (by, args) {
            let (octets, numbers) = (self.argument(octets), self.alphabet(numbers));
            return self.try_call(format!("rw_put_other_vector(&w, {}, {octets}, {numbers})", name(*other)));
        }
        let ([arg], function) = (
            args,
            match by {
                Vectors::PutNumber => "rw_put_vector_number",
                Vectors::PutPsid => "rw_put_psid",
                Vectors::PutCounted => "rw_put_vector_octets",
                _ => return drop(self.lacks(&by)),
            },
        ) else {
            return drop(self.lacks(&by));
        };
        let arg = self.argument(arg);
        self.try_call(format!("{function}(&w, {arg})"));
    }

    /// Names an item, as a pointer to a variable of its own.
    fn let_item(&mut self, item: Var, id: TypeId, number: Var, numbers: &[i64]) {
        let Some(held) = int_name(self.types.item_int(id)) else { return drop(self.lacks(&"an item")) };
        let (item, items) = (name(item), (0..).zip(numbers).map(|(at, number)| (*number as u64, at)));
        let items: Vec<(u64, usize)> = items.collect();
        self.line(format!("{held} {item}_item;"));
        self.set_item(&format!("{item}_item"), id, &name(number), &items);
        self.line(format!("const {held} *{item} = &{item}_item;"));
    }

    fn overwrite(&mut self, element: &Element, place: &Place, until: &Until, body: &Block) {
        let text = self.place(place);
        self.bind(element.list, element.list_id, &text.address());
        self.line(format!("{}->count = 0;", name(element.list)));
        match until {
            Until::Count(count) => {
                let index = self.fresh("i");
                self.line(format!("for (uint64_t {index} = 0; {index} != {count}; {index}++) {{"));
            }
            Until::End => self.line("while (r.at < r.end) {"),
            Until::Fails(condition) => {
                let condition = self.condition(condition);
                self.line(format!("while ({condition}) {{"));
            }
            Until::Bracket => return self.between_commas(body, |printer| printer.element(element, body)),
        }
        self.element(element, body);
        self.line("}");
    }

    /// A number of the presentation language.
    pub(super) fn vector_number(&mut self, number: &Num) -> String {
        match number {
            Num::OrFront(bits, var) => format!("({} | {})", constant(*bits), name(*var)),
            Num::SignExtended(var, bits) => {
                let sign = constant(1 << (63 - bits));
                format!("(({} ^ {sign}) - {sign})", name(*var))
            }
            // They are octets already.
            Num::Half(digits) if self.is_thorough => format!("((uint64_t){}.size)", name(*digits)),
            Num::Half(digits) => format!("((uint64_t){}.size / 2)", name(*digits)),
            Num::Since(start) => format!("(w.stored - {})", name(*start)),
            other => self.lacks(other),
        }
    }

    /// A condition on what selects, or announces, other fields.
    pub(super) fn vector_condition(&mut self, condition: &Cond) -> String {
        match condition {
            Cond::IsItem(id, place, wanted) => {
                let (constants, held) = (self.types.items(*id).0, self.place(place).value());
                one_of(wanted.iter().map(|at| format!("{held} == {}", constants[*at as usize])))
            }
            Cond::IsNumber(place, wanted) => {
                let held = self.widened(place);
                one_of(wanted.iter().map(|number| format!("{held} == {}", constant((*number).into()))))
            }
            Cond::HasBit(place, bits) => {
                let mask = bits.iter().fold(0u64, |mask, bit| mask | 1 << bit);
                format!("({} & {}) != 0", self.widened(place), constant(mask))
            }
            Cond::HasElement(id, place, wanted) => self.has_element(*id, place, wanted),
            Cond::PresenceDiffers(condition, place) => {
                let condition = self.condition(condition);
                format!("({condition}) != {}", self.place(place).presence())
            }
            Cond::BitsAboveDiffer(var, bits, wanted) => format!("{} >> {bits} != {}", name(*var), constant(*wanted)),
            other => self.event_condition(other),
        }
    }

    /// Whether some element of a list is one of these alternatives, as a variable.
    fn has_element(&mut self, id: TypeId, list: &Place, wanted: &[u32]) -> String {
        let (Some(list_id), choices) = (self.type_of(list), self.types.choices(id)) else {
            return self.lacks(&"a list");
        };
        let Some(most) = self.types.most_elements(list_id) else { return self.lacks(&"a list without a bound") };
        let (has, index, text) = (self.fresh("has"), self.fresh("i"), self.place(list));
        let (count, held) = (text.member("count"), text.member(&format!("items[{index}].choice")));
        let is = one_of(wanted.iter().map(|at| format!("{held} == {}", choices[*at as usize])));
        self.reject_if(&format!("{count} > {most}"));
        self.line(format!("bool {has} = false;"));
        self.line(format!("for (uint64_t {index} = 0; {index} < {count}; {index}++) {{"));
        self.line(format!("{has} = {has} || {is};"));
        self.line("}");
        has
    }
}

fn one_of(conditions: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = conditions.collect();
    match all.as_slice() {
        [] => "false".into(),
        [one] => one.clone(),
        all => format!("({})", all.join(" || ")),
    }
}
