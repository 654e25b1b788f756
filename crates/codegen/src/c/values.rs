//! Statements that put values into memory.

use roadwire_model::{Kind, Presence, TypeId};
use roadwire_plan::{Block, Component, Element, Num, Place, Repr, Stmt, Value, Var};

use super::names::{CTypes, int_name};
use super::numbers::constant;
use super::places::name;
use super::statements::Printer;

impl Printer<'_, '_> {
    pub(super) fn set(&mut self, place: &Place, value: &Value) {
        let to = self.place(place).value();
        match value {
            Value::Null => {}
            Value::Integer(id, number) => {
                let number = self.number(number);
                let held = self.types.held(*id).unwrap_or_default();
                self.line(format!("{to} = ({held})({number});"));
            }
            Value::IsNot0(number) => {
                let number = self.number(number);
                self.line(format!("{to} = {number} != 0;"));
            }
            Value::LowestBit(number) => {
                let number = self.number(number);
                self.line(format!("{to} = ({number} & 1) != 0;"));
            }
            Value::Flags(id, number) => {
                let number = self.number(number);
                self.line(format!("{to} = ({})({number});", self.types.held(*id).unwrap_or_default()));
            }
            Value::Bits(bits, count) => {
                let (bits, count) = (self.number(bits), self.number(count));
                self.line(format!("{to}.value = {bits};"));
                self.line(format!("{to}.bits = (uint8_t)({count});"));
            }
            Value::Real(bits) => {
                let bits = self.number(bits);
                self.line(format!("{to} = rw_real_of({bits});"));
            }
            Value::Sent { bits, count, sent } => {
                let (bits, count, sent) = (name(*bits), name(*count), name(*sent));
                self.line(format!("{to}.value = rw_shl({bits}, {count} - {sent});"));
                self.line(format!("{to}.bits = (uint8_t){count};"));
            }
            Value::Indexed { id, number, items } => {
                let items: Vec<(u64, usize)> = (0..).zip(items.iter().copied()).collect();
                self.set_item(&to, *id, &name(*number), &items);
            }
            Value::Item { id, number, numbers } => {
                let number = self.number(number);
                let items: Vec<(u64, usize)> = numbers.iter().map(|number| *number as u64).zip(0..).collect();
                self.set_item(&to, *id, &number, &items);
            }
            Value::ItemOf { id, number, items } => {
                let number = self.number(number);
                let items: Vec<(u64, usize)> = items.iter().map(|(number, at)| (*number as u64, *at)).collect();
                self.set_item(&to, *id, &number, &items);
            }
            Value::OctetsOf(_, octets) => self.fill(place, &name(*octets), (0, u64::MAX)),
            Value::Array(var, count) => {
                let to = self.array(place);
                for at in 0..*count {
                    let shift = (count - 1 - at) * 8;
                    self.line(format!("{to}[{at}] = (uint8_t)({} >> {shift});", name(*var)));
                }
            }
            Value::Var(var) if self.repr_of(place) == Some(Repr::Real) => self.line(format!("{to} = {};", name(*var))),
            Value::Var(var) | Value::Referred(var) => {
                let is_array = matches!(self.repr_of(place), Some(Repr::FixedOctets(_) | Repr::WideInteger(_)));
                let to = if is_array { self.array(place) } else { to };
                self.copy_from(&to, self.type_of(place), *var);
            }
            Value::Some(var) => {
                let presence = self.place(place).presence();
                self.line(format!("{presence} = true;"));
                self.copy_from(&to, self.type_of(place), *var);
            }
            other => self.text_value(&to, other),
        }
    }

    /// Sets an item by what was read of it: the item itself where that is its number.
    pub(super) fn set_item(&mut self, to: &str, id: TypeId, number: &str, items: &[(u64, usize)]) {
        let (constants, Some(enumerators)) = self.types.items(id) else { return };
        let numbers: Vec<i64> = enumerators.all().map(|(_, number)| *number).collect();
        let held = int_name(self.types.item_int(id)).unwrap_or_default();
        let is_number = items.iter().all(|(wanted, at)| numbers.get(*at) == Some(&(*wanted as i64)));
        let is_dense = (0..).zip(items).all(|(at, (wanted, _))| at == *wanted);
        if is_number && is_dense {
            self.reject_if(&format!("{number} > {}", items.len() - 1));
            return self.line(format!("{to} = ({held}){number};"));
        }
        self.line(format!("switch ({number}) {{"));
        for (wanted, at) in items.iter().filter(|(_, at)| *at < constants.len()) {
            self.line(format!("case {}: {to} = {}; break;", constant(*wanted), constants[*at]));
        }
        self.line("default:");
        self.refuse(self.reason);
        self.line("}");
    }

    /// The content of the alternative that a CHOICE has.
    pub(super) fn set_content(&mut self, id: TypeId, alternative: usize, place: &Place, value: &Value) {
        let Kind::Choice { alternatives, .. } = self.types.kind(id) else { return };
        let members = CTypes::members(alternatives);
        let to = self.place(place).member(&format!("as.{}", members[alternative]));
        let is_apart = self.types.is_alternative_apart(id, &alternatives[alternative]);
        let to = if is_apart { format!("(*{to})") } else { to };
        match value {
            Value::Null => {}
            Value::Integer(id, number) | Value::Flags(id, number) => {
                let number = self.number(number);
                self.line(format!("{to} = ({})({number});", self.types.held(*id).unwrap_or_default()));
            }
            Value::Var(var) | Value::Referred(var) => {
                self.copy_from(&to, Some(alternatives[alternative].type_id), *var)
            }
            other => drop(self.lacks(other)),
        }
    }

    /// Whether a component is sent.
    pub(super) fn sent(&mut self, component: Component, place: &Place) -> String {
        let (text, this) = (self.place(place), self.types.component(component));
        match &this.presence {
            Presence::Default(value) => format!("!({})", self.equals(&text.value(), this.type_id, value)),
            _ => text.presence(),
        }
    }

    /// So many elements of a list. Where it is not in place, it gets room for all, or for one more
    /// than the input can hold.
    pub(super) fn counted(&mut self, element: &Element, (at, count): (&str, &str), body: &Block) {
        let is_bounded = element.fewest > 0 && self.types.most_elements(element.list_id).is_none();
        let room = is_bounded.then(|| {
            let room = self.fresh("room");
            self.line(format!("const uint64_t {room} = rw_elements(&r, {count}, {});", element.fewest));
            self.allocate_elements(&format!("{}->items", name(element.list)), element.id, &room);
            room
        });
        self.line(format!("for (uint64_t {at} = 0; {at} != {count}; {at}++) {{"));
        self.element_in(element, room, body);
        self.line("}");
    }

    /// A new element of a list whose number of elements is not known.
    pub(super) fn element(&mut self, element: &Element, body: &Block) {
        self.element_in(element, None, body);
    }

    pub(super) fn element_in(&mut self, element: &Element, room: Option<String>, body: &Block) {
        let Element { list, list_id, id, item, .. } = element;
        let list = name(*list);
        let in_root = self.types.most_in_root(*list_id);
        match (self.types.most_elements(*list_id), room) {
            (Some(most), _) if self.is_thorough && in_root.is_some() => self.grow_beyond(&list, *id, most),
            (Some(most), _) => self.reject_as(&format!("{list}->count == {most}"), "RW_SIZE_RANGE"),
            (None, Some(room)) => self.reject_as(&format!("{list}->count == {room}"), "RW_INPUT_TRUNCATED"),
            (None, None) => self.grow(&list, *id),
        }
        let address = self.address(*id, &self.element_of(*list_id, &format!("{list}->"), &format!("{list}->count")));
        self.bind(*item, *id, &address);
        self.part(&format!("{list}->count"), |printer| printer.block(body));
        if body.last() != Some(&Stmt::GiveUp) {
            self.line(format!("{list}->count++;"));
        }
    }

    /// Large elements in place.
    pub(super) fn each_place(&mut self, element: &Element, at: Var, count: &Num, place: &Place, body: &Block) {
        let (count, at) = (self.number(count), name(at));
        let (text, list) = (self.place(place), name(element.list));
        self.bind(element.list, element.list_id, &text.address());
        self.line(format!("{list}->count = 0;"));
        if self.types.most_elements(element.list_id).is_none() {
            self.line(format!("{list}->items = NULL;"));
        }
        self.counted(element, (&at, &count), body);
    }
}
