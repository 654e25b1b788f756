//! Statements that put values into memory.

use roadwire_model::TypeId;

use super::Printer;
use super::places::name;
use crate::data::item_names;
use roadwire_plan::{Block, Element, Num, Place, Repr, Stmt, Str, Until, Value, Var};

impl Printer<'_, '_> {
    pub(super) fn overwrite(&mut self, element: &Element, at: Var, place: &Place, until: &Until, body: &Block) {
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

    pub(super) fn set(&mut self, place: &Place, value: &Value) {
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
            Value::Real(bits) => self.line(format!("{to} = f64::from_bits({});", self.number(bits))),
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
            Value::Array(..) | Value::Indexed { .. } | Value::Some(_) => self.set_received(&place, value),
            Value::HighFlags(id, bits, shift) => {
                let (object, (_, word)) = (place.object().to_owned(), self.flags(*id));
                self.line(format!("{object}.0 = ({} >> {shift}) as {word};", name(*bits)));
            }
            Value::Var(var) => self.line(format!("{to} = {};", name(*var))),
            Value::Referred(var) => self.line(format!("{to} = *{};", name(*var))),
        }
    }

    /// Makes a CHOICE hold an alternative that has been read.
    pub(super) fn set_alternative(&mut self, id: TypeId, alternative: usize, place: &Place, inner: Var, value: &Value) {
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

    pub(super) fn set_item(&mut self, to: &str, id: TypeId, number: &Num, items: &[(i64, usize)]) {
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
    pub(super) fn fill(&mut self, id: TypeId, place: &Place, bound: Var, from: &Str, (lower, upper): (u64, u64)) {
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

    pub(super) fn choose(&mut self, id: TypeId, alternative: usize, place: &Place, inner: Var) {
        let Some(variants) = self.types.variants(id) else { return };
        self.types.choose_as(&variants[alternative], &self.place(place), &name(inner), self.out);
    }

    pub(super) fn element(&mut self, Element { list, list_id, id, item, .. }: &Element, body: &Block) {
        let Repr::List { storage, .. } = *self.types.repr(*list_id) else { return };
        let append = self.types.begin_element(*id, storage, &name(*list), name(*item), self.out);
        self.block(body);
        if let Some(append) = append.filter(|_| body.last() != Some(&Stmt::GiveUp)) {
            self.line(append);
        }
    }
}
