//! Decoders, which work on the rest of the input, or of the vector being read.

use roadwire_layout::{NodeId, Span, VectorNode};
use roadwire_model::TypeId;

use crate::data::item_names;
use crate::packed::determinant::outside;
use crate::packed::run::Place;
use crate::parts::Variant;
use crate::types::Repr;
use crate::vectors::conditions::conditional_parts;
use crate::vectors::{Code, Fixed, Walk, alternatives, function};

pub(super) struct DecodeWriter<'a, 'm> {
    pub(super) code: Code<'a, 'm>,
    /// Pending parts: a run of octets.
    pub(super) run: Vec<Item>,
}

/// A part of a run.
pub(super) enum Item {
    /// A statement to be run when the parts in front have been read.
    Statement(String),
    /// A variable of type `u64` for a number of this many octets.
    Number(String, usize),
    /// A variable for an array of this many octets.
    Array(String, usize),
}

impl DecodeWriter<'_, '_> {
    fn statement(&mut self, statement: impl Into<String>) {
        self.run.push(Item::Statement(statement.into()));
    }

    fn refuse_if(&mut self, condition: &str) {
        self.statement(format!("if {condition} {{"));
        self.statement("return Err(wire::Rejected);");
        self.statement("}");
    }

    fn refuse_outside(&mut self, number: &str, lower: u64, upper: u64) {
        match (lower, upper) {
            (0, u64::MAX) => {}
            (0, upper) => self.refuse_if(&format!("{number} as u64 > {upper}")),
            (lower, upper) => self.refuse_if(&format!("!({lower}..={upper}).contains(&({number} as u64))")),
        }
    }

    fn number(&mut self, octets: usize) -> String {
        let variable = self.code.variable();
        self.run.push(Item::Number(variable.clone(), octets));
        variable
    }

    fn word(&mut self, octets: usize, signed: bool, (lower, upper): (i128, i128), rust: &str) -> String {
        let variable = self.number(octets);
        let bits = octets * 8;
        let (held, number, full) = match signed {
            true => ("i64", format!("(({variable} << {0}) as i64 >> {0})", 64 - bits), -(1i128 << (bits - 1))),
            false => ("u64", variable, 0),
        };
        let lower = Some(lower).filter(|of| *of != full);
        let upper = Some(upper).filter(|of| *of != full + (1i128 << bits) - 1);
        if let Some(outside) = outside(&number, held, lower, upper) {
            self.refuse_if(&outside);
        }
        format!("{number} as {rust}")
    }

    fn item(&mut self, id: TypeId, octets: usize, values: Span) -> Option<String> {
        let (name, enumerators) = self.code.types.enumeration(id)?;
        let (number, variable) = (self.number(octets), self.code.variable());
        self.statement(format!("let {variable} = match {number} {{"));
        for (item, number) in item_names(enumerators).iter().zip(self.code.layout.numbers(values)) {
            self.statement(format!("{number} => {name}::{item},"));
        }
        self.statement("_ => return Err(wire::Rejected),");
        self.statement("};");
        Some(variable)
    }

    /// Reads a value of a fixed number of octets; returns the expression for it.
    fn expression(&mut self, id: TypeId, fixed: Fixed) -> Option<String> {
        match (fixed, self.code.types.repr(id).clone()) {
            (Fixed::Nothing, _) => Some("()".into()),
            (Fixed::Word { octets, signed, lower, upper }, Repr::Integer(rust)) => {
                Some(self.word(octets, signed, (lower, upper), rust))
            }
            (Fixed::Array(octets), _) => {
                let variable = self.code.variable();
                self.run.push(Item::Array(variable.clone(), octets));
                Some(variable)
            }
            (Fixed::Item { octets, values, .. }, _) => self.item(id, octets, values),
            (Fixed::Flags { octets }, Repr::BitFlags { name, word, bits }) => {
                let variable = self.number(octets);
                self.refuse_if(&format!("{variable} >> {bits} != {}", (1u64 << octets) - 2));
                Some(format!("{name}(({variable} & {:#x}) as {word})", (1u64 << bits) - 1))
            }
            _ => None,
        }
    }

    /// Reads a length of `field` bits, or a variable-length one; returns the variables for the octets that it counts, and for the rest after them.
    fn counted(&mut self, field: u8) -> (String, String) {
        let number = (field > 0).then(|| self.number(usize::from(field) / 8));
        self.flush();
        let (inside, rest) = (self.code.variable(), self.code.variable());
        self.code.out.line(match number {
            Some(number) => format!("let ({inside}, {rest}) = wire::rt::vectors::straight::split(r, {number})?;"),
            None => format!("let ({inside}, {rest}) = wire::rt::vectors::straight::take_counted(r)?;"),
        });
        (inside, rest)
    }

    /// Reads a list's elements, which are large, in place, possibly over those of an earlier message. Returns the variable for the list.
    fn elements(&mut self, id: TypeId, node: NodeId, place: &Place, head: &str) -> String {
        let (list, count, item) = (self.code.variable(), self.code.variable(), self.code.variable());
        self.code.out.line(format!("let {list} = {};", place.exclusive()));
        self.code.out.line(format!("let mut {count} = 0usize;"));
        self.code.out.line(format!("{head} {{"));
        self.code.out.line(format!("let {item} = wire::rt::Places::place({list}, {count}).ok_or(wire::Rejected)?;"));
        self.code.out.line(format!("{count} += 1;"));
        self.part(id, node, &Place::reference(item));
        self.flush();
        self.code.out.line("}");
        self.code.out.line(format!("wire::rt::Places::settle({list}, {count});"));
        list
    }

    /// Reads the content of an alternative of a CHOICE.
    fn alternative(&mut self, id: TypeId, node: NodeId, variant: &Variant<'_>, place: &Place) {
        let (path, content) = (&variant.path, variant.alternative.type_id);
        let is_small = self.code.types.is_small(id);
        let fixed = Fixed::of(&self.code, content, node).filter(|_| !self.code.types.is_recursive(content));
        let inner = self.code.variable();
        if let Some(value) = fixed.and_then(|fixed| self.expression(content, fixed)) {
            if is_small {
                return self.statement(format!("{} = {path}({value});", place.value()));
            }
            self.statement(format!("match {} {{", place.exclusive()));
            self.statement(format!("{path}({inner}) => *{inner} = {value},"));
            self.statement(format!("{inner} => {{"));
            self.statement("wire::rt::rare();");
            self.statement(format!("*{inner} = {path}({value});"));
            self.statement("}");
            return self.statement("}");
        }
        // A message that is filled again often has its large parts in place.
        let renew = format!("{} = {path}({});", place.value(), self.code.types.default_expression(content));
        if is_small {
            self.statement(renew);
        } else {
            self.statement(format!("if !matches!({}, {path}(_)) {{", place.value()));
            self.statement("wire::rt::rare();");
            self.statement(renew);
            self.statement("}");
        }
        self.statement("#[allow(irrefutable_let_patterns)]");
        self.statement(format!("let {path}({inner}) = {} else {{", place.exclusive()));
        self.statement("return Err(wire::Rejected);");
        self.statement("};");
        self.content(content, node, &Place::reference(inner));
    }
}

impl<'a, 'm> Walk<'a, 'm> for DecodeWriter<'a, 'm>
where
    'm: 'a,
{
    const SO_FAR: (&'static str, &'static str) = ("message", "(message.len() - r.len()) * 8");

    fn code(&mut self) -> &mut Code<'a, 'm> {
        &mut self.code
    }

    fn flush(&mut self) {
        let run = std::mem::take(&mut self.run);
        let octets: usize = run.iter().map(Item::octets).sum();
        if octets > 0 {
            self.code.out.line(format!(
                "let Some((head, rest)) = r.split_first_chunk::<{octets}>() else {{ return Err(wire::Rejected) }};"
            ));
            self.code.out.line("r = rest;");
        }
        let mut at = 0;
        for item in run {
            match &item {
                Item::Statement(statement) => self.code.out.line(statement),
                Item::Number(variable, octets) => {
                    self.code.out.line(format!("let {variable} = wire::rt::number_at(head, {at}, {octets});"));
                }
                Item::Array(variable, octets) => {
                    self.code.out.line(format!("let {variable}: [u8; {octets}] = wire::rt::array_at(head, {at});"));
                }
            }
            at += item.octets();
        }
    }

    fn leave_to_interpreter(&mut self) {
        self.run.clear();
        self.code.out.give_up();
    }

    fn fixed(&mut self, id: TypeId, fixed: Fixed, place: &Place) {
        match self.expression(id, fixed) {
            Some(value) => self.statement(format!("{} = {value};", place.value())),
            None => self.leave_to_interpreter(),
        }
    }

    fn ones_number(&mut self, id: TypeId, node: &VectorNode, place: &Place) {
        let Repr::Integer(rust) = *self.code.types.repr(id) else { return self.leave_to_interpreter() };
        let take = if *node == VectorNode::Psid { "take_psid" } else { "take_number" };
        self.flush();
        let (number, rest) = (self.code.variable(), self.code.variable());
        self.code.out.line(format!("let ({number}, {rest}) = wire::rt::vectors::straight::{take}(r)?;"));
        self.code.out.line(format!("r = {rest};"));
        self.statement(format!("{} = {number} as {rust};", place.value()));
    }

    fn octets_of(&mut self, id: TypeId, node: &VectorNode, place: &Place) {
        let VectorNode::Octets { field, lower, upper } = *node else { return self.leave_to_interpreter() };
        let object = place.object();
        let (octets, rest) = self.counted(field);
        self.code.out.line(format!("r = {rest};"));
        self.refuse_outside(&format!("{octets}.len()"), lower, upper);
        match self.code.types.repr(id) {
            Repr::Octets(_) => self.statement(format!("{object}.0.set({octets})?;")),
            Repr::OctetString => {
                self.statement(format!("{object}.0.clear();"));
                self.statement(format!("{object}.0.extend_from_slice({octets});"));
            }
            Repr::LentOctets => self.statement(format!("{} = wire::LentOctets::new({octets});", place.value())),
            _ => self.leave_to_interpreter(),
        }
    }

    fn list(&mut self, id: TypeId, count: u64, element: NodeId, place: &Place) {
        let Repr::List { element: element_id, .. } = self.code.types.repr(id).clone() else {
            return self.leave_to_interpreter();
        };
        // Elements of no octets cost an attacker nothing; the interpreter counts them.
        if self.code.properties.node(element).fewest == 0 {
            return self.leave_to_interpreter();
        }
        self.flush();
        self.elements(element_id, element, place, &format!("for _ in 0..{count}"));
    }

    fn vector(&mut self, id: TypeId, node: &VectorNode, place: &Place) {
        let VectorNode::Vector { field, floor, ceiling, lower, upper, element } = *node else {
            return self.leave_to_interpreter();
        };
        let Repr::List { element: element_id, .. } = self.code.types.repr(id).clone() else {
            return self.leave_to_interpreter();
        };
        // Elements of no octets are refused, if there are any.
        if self.code.properties.node(element).fewest == 0 {
            return self.leave_to_interpreter();
        }
        let (inside, rest) = self.counted(field);
        self.refuse_outside(&format!("{inside}.len()"), floor, ceiling);
        self.flush();
        self.code.out.line(format!("r = {inside};"));
        let list = self.elements(element_id, element, place, "while !r.is_empty()");
        self.code.out.line(format!("r = {rest};"));
        let upper = if upper == u32::MAX { u64::MAX } else { upper.into() };
        self.refuse_outside(&format!("{list}.len()"), lower.into(), upper);
    }

    fn choice(&mut self, id: TypeId, node: &VectorNode, place: &Place) {
        let VectorNode::Choice { bits, alternatives: all, numbers, .. } = *node else {
            return self.leave_to_interpreter();
        };
        let Some(all) = alternatives(&self.code, id, (all, numbers)) else { return self.leave_to_interpreter() };
        let number = self.number(usize::from(bits) / 8);
        self.flush();
        self.code.out.line(format!("match {number} {{"));
        for (one, number, variant) in &all {
            self.code.out.line(format!("{number} => {{"));
            self.alternative(id, one.node, variant, place);
            self.flush();
            self.code.out.line("}");
        }
        self.code.out.line("_ => return Err(wire::Rejected),");
        self.code.out.line("}");
    }

    fn conditional(&mut self, id: TypeId, members: Span, place: &Place) {
        let Some(parts) = conditional_parts(self.code.types, id, place) else { return self.leave_to_interpreter() };
        for (member, (part, field, condition)) in self.code.layout.members(members).iter().zip(parts) {
            let tap = self.code.tap(id, member.component);
            let Some(condition) = condition else {
                self.component(tap, |decoder| decoder.value(part, member.node, &field));
                continue;
            };
            self.flush();
            self.code.out.line(format!("if {condition} {{"));
            let (inner, insert) = (self.code.variable(), self.code.types.renew_expression(part));
            self.statement(format!("let {inner} = {}.{insert};", field.object()));
            self.component(tap, |decoder| decoder.part(part, member.node, &Place::reference(inner)));
            self.flush();
            self.code.out.line("} else {");
            self.code.out.line(format!("{} = None;", field.object()));
            self.code.out.line("}");
        }
    }

    fn call(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.flush();
        let levels = self.code.call(id, node, ", message");
        let function = function(self.code.types, id);
        self.code.out.line(format!("r = decode_{function}({}, r{levels})?;", place.exclusive()));
    }
}

impl Item {
    fn octets(&self) -> usize {
        match self {
            Item::Statement(_) => 0,
            Item::Number(_, octets) | Item::Array(_, octets) => *octets,
        }
    }
}
