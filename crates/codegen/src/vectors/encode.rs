//! Encoders, which write octets forward at an offset in the output.

use roadwire_layout::{Layout, Node, NodeId, Span, VectorNode, Width};
use roadwire_model::TypeId;

use crate::data::item_names;
use crate::packed::determinant::outside;
use crate::packed::run::Place;
use crate::parts::Variant;
use crate::types::{Repr, bounds};
use crate::vectors::conditions::conditional_parts;
use crate::vectors::{Code, Fixed, Walk, alternatives, function};

pub(super) struct EncodeWriter<'a, 'm> {
    pub(super) code: Code<'a, 'm>,
    /// Pending parts: a run of octets.
    pub(super) run: Vec<Item>,
}

/// A part of a run.
#[derive(Clone)]
pub(super) enum Item {
    /// A statement needed by what follows.
    Statement(String),
    /// A number of this many octets: an expression of type `u64`.
    Number(String, usize),
    /// A reference to an array of this many octets.
    Array(String, usize),
    /// Room for this many octets that are written later. Nothing follows in the run.
    Room(usize),
}

/// The most nodes of a vector's element to visit, to estimate how many octets it usually takes.
const NODES: u32 = 10_000;
/// More pending parts than this are written before alternatives, not in each of them.
const WAITING: usize = 64;
/// The greatest length in one octet.
const SHORT: u64 = 127;

impl EncodeWriter<'_, '_> {
    fn statement(&mut self, statement: impl Into<String>) {
        self.run.push(Item::Statement(statement.into()));
    }

    fn number(&mut self, number: impl Into<String>, octets: usize) {
        self.run.push(Item::Number(number.into(), octets));
    }

    fn refuse_if(&mut self, condition: &str) {
        self.statement(format!("if {condition} {{"));
        self.statement("return Err(wire::Rejected);");
        self.statement("}");
    }

    fn refuse_count(&mut self, count: &str, lower: u64, upper: u64) {
        match (lower, upper) {
            (0, u64::MAX) => {}
            (0, upper) => self.refuse_if(&format!("{count} as u64 > {upper}")),
            (lower, upper) => self.refuse_if(&format!("!({lower}..={upper}).contains(&({count} as u64))")),
        }
    }

    fn word(&mut self, octets: usize, (lower, upper): (i128, i128), rust: &str, place: &Place) {
        let held = if rust == "u64" { "u64" } else { "i64" };
        let variable = self.code.variable();
        self.statement(format!("let {variable} = {} as {held};", place.value()));
        let (least, most) = bounds(rust);
        let (lower, upper) = (Some(lower).filter(|of| *of > least), Some(upper).filter(|of| *of < most));
        if let Some(outside) = outside(&variable, held, lower, upper) {
            self.refuse_if(&outside);
        }
        self.number(format!("({variable} as u64)"), octets);
    }

    fn item(&mut self, id: TypeId, octets: usize, extensible: bool, values: Span, place: &Place) {
        let Some((name, enumerators)) = self.code.types.enumeration(id) else { return self.leave_to_interpreter() };
        let variable = self.code.variable();
        let numbers = self.code.layout.numbers(values);
        // Without an early return, so that it compiles to the discriminant itself where possible.
        let unknown = numbers.iter().max().map_or(0, |most| u64::from(*most) + 1);
        let mut arms = format!("let {variable} = match {} {{ ", place.value());
        for (item, number) in item_names(enumerators).iter().zip(numbers) {
            arms += &format!("{name}::{item} => {number}u64, ");
        }
        if extensible {
            arms += &format!("{name}::UnknownAddition(_) => {unknown}u64, ");
        }
        self.statement(arms + "};");
        if extensible {
            self.refuse_if(&format!("{variable} == {unknown}"));
        }
        self.number(variable, octets);
    }

    fn flags(&mut self, id: TypeId, octets: usize, place: &Place) {
        let Repr::BitFlags { bits, .. } = *self.code.types.repr(id) else { return self.leave_to_interpreter() };
        let variable = self.code.variable();
        self.statement(format!("let {variable} = u64::from({}.0);", place.object()));
        self.refuse_if(&format!("{variable} >> {bits} != 0"));
        // One bit 1 for each further octet, and a 0.
        self.number(format!("({:#x} | {variable})", ((1u64 << octets) - 2) << bits), octets);
    }

    /// The rest of a run before a branch continues inside each branch.
    fn put_run(&mut self, run: Vec<Item>) {
        let octets: usize = run.iter().map(Item::octets).sum();
        let mut stores = Vec::new();
        let (mut at, mut room) = (0, 0);
        for item in run {
            let end = at + item.octets();
            match item {
                Item::Statement(statement) => self.code.out.line(statement),
                Item::Room(octets) => room += octets,
                Item::Array(array, _) => stores.push(format!("wire::rt::set_at(head, {at}, {array});")),
                Item::Number(number, 1) => stores.push(format!("head[{at}] = {number} as u8;")),
                Item::Number(number, octets @ (2 | 4 | 8)) => {
                    stores.push(format!("wire::rt::set_at(head, {at}, &({number} as u{}).to_be_bytes());", octets * 8));
                }
                Item::Number(number, octets) => stores.extend(
                    (0..octets)
                        .map(|one| format!("head[{}] = ({number} >> {}) as u8;", at + one, (octets - 1 - one) * 8)),
                ),
            }
            at = end;
        }
        if octets > 0 {
            self.code.out.line(format!("let head = wire::rt::head_at::<{octets}>(output, at)?;"));
            stores.iter().for_each(|store| self.code.out.line(store));
        }
        if octets + room > 0 {
            self.code.out.line(format!("at += {};", octets + room));
        }
    }
}

impl Item {
    fn octets(&self) -> usize {
        match self {
            Item::Statement(_) | Item::Room(_) => 0,
            Item::Number(_, octets) | Item::Array(_, octets) => *octets,
        }
    }
}

impl<'a, 'm> Walk<'a, 'm> for EncodeWriter<'a, 'm>
where
    'm: 'a,
{
    const SO_FAR: (&'static str, &'static str) = ("output", "at * 8");

    fn code(&mut self) -> &mut Code<'a, 'm> {
        &mut self.code
    }

    fn flush(&mut self) {
        let run = std::mem::take(&mut self.run);
        self.put_run(run);
    }

    fn leave_to_interpreter(&mut self) {
        self.run.clear();
        self.code.out.give_up();
    }

    fn fixed(&mut self, id: TypeId, fixed: Fixed, place: &Place) {
        match (fixed, self.code.types.repr(id)) {
            (Fixed::Nothing, _) => {}
            (Fixed::Word { octets, lower, upper, .. }, Repr::Integer(rust)) => {
                self.word(octets, (lower, upper), rust, place);
            }
            (Fixed::Array(octets), _) => self.run.push(Item::Array(place.shared(), octets)),
            (Fixed::Item { octets, extensible, values }, _) => self.item(id, octets, extensible, values, place),
            (Fixed::Flags { octets }, _) => self.flags(id, octets, place),
            (Fixed::Word { .. }, _) => self.leave_to_interpreter(),
        }
    }

    fn ones_number(&mut self, id: TypeId, node: &VectorNode, place: &Place) {
        let Repr::Integer(_) = self.code.types.repr(id) else { return self.leave_to_interpreter() };
        let put = if *node == VectorNode::Psid { "put_psid" } else { "put_number" };
        self.flush();
        // A number too large for the encoding is refused there.
        self.code.out.line(format!("at = wire::rt::vectors::straight::{put}(output, at, {} as u64)?;", place.value()));
    }

    fn octets_of(&mut self, id: TypeId, node: &VectorNode, place: &Place) {
        let VectorNode::Octets { field, lower, upper } = *node else { return self.leave_to_interpreter() };
        let object = place.object();
        let most = match *self.code.types.repr(id) {
            Repr::Octets(most) => most,
            Repr::OctetString | Repr::LentOctets => u64::MAX,
            _ => return self.leave_to_interpreter(),
        };
        let count = format!("({object}.0.len() as u64)");
        // There cannot be more than the capacity.
        self.refuse_count(&count, lower, if upper == most { u64::MAX } else { upper });
        match field {
            0 if most > SHORT => {
                self.flush();
                self.code.out.line(format!("at = wire::rt::vectors::straight::put_counted(output, at, &{object}.0)?;"));
                return;
            }
            0 => self.number(count, 1),
            _ => self.number(count, usize::from(field) / 8),
        }
        self.flush();
        self.code.out.line(match most {
            u64::MAX => format!("at = wire::rt::put_octets(output, at, &{object}.0)?;"),
            _ => format!("at = {object}.0.put_any(output, at)?;"),
        });
    }

    fn list(&mut self, id: TypeId, count: u64, element: NodeId, place: &Place) {
        let Repr::List { element: element_id, .. } = *self.code.types.repr(id) else {
            return self.leave_to_interpreter();
        };
        self.refuse_if(&format!("{}.len() as u64 != {count}", place.object()));
        self.flush();
        let item = self.code.variable();
        self.code.out.line(format!("for {item} in {} {{", place.shared()));
        self.part(element_id, element, &Place::reference(item));
        self.flush();
        self.code.out.line("}");
    }

    fn vector(&mut self, id: TypeId, node: &VectorNode, place: &Place) {
        let VectorNode::Vector { field, floor, ceiling, lower, upper, element } = *node else {
            return self.leave_to_interpreter();
        };
        let Repr::List { element: element_id, .. } = *self.code.types.repr(id) else {
            return self.leave_to_interpreter();
        };
        let upper = if upper == u32::MAX { u64::MAX } else { upper.into() };
        self.refuse_count(&format!("{}.len()", place.object()), lower.into(), upper);
        let room = match field {
            0 if usual(self.code.layout, element, &mut vec![self.code.node], &mut { NODES })
                .saturating_mul(u64::from(lower.max(1)))
                > SHORT =>
            {
                2
            }
            0 => 1,
            _ => usize::from(field) / 8,
        };
        self.run.push(Item::Room(room));
        self.flush();
        let (start, item) = (self.code.variable(), self.code.variable());
        self.code.out.line(format!("let {start} = at;"));
        self.code.out.line(format!("for {item} in {} {{", place.shared()));
        self.part(element_id, element, &Place::reference(item));
        self.flush();
        self.code.out.line("}");
        if field == 0 {
            self.code.out.line(format!("if wire::rt::vectors::straight::takes::<{room}>(at - {start}) {{"));
            self.code
                .out
                .line(format!("wire::rt::vectors::straight::put_length::<{room}>(output, {start}, at - {start})?;"));
            self.code.out.line("} else {");
            self.code
                .out
                .line(format!("at = wire::rt::vectors::straight::close_elsewhere(output, {start}, at, {room})?;"));
            self.code.out.line("}");
            return;
        }
        self.refuse_count(&format!("(at - {start})"), floor, ceiling);
        self.flush();
        self.code.out.line(format!(
            "wire::rt::vectors::straight::put_in_front(output, {start}, (at - {start}) as u64, {room})?;"
        ));
    }

    fn choice(&mut self, id: TypeId, node: &VectorNode, place: &Place) {
        let VectorNode::Choice { bits, extensible, alternatives: all, numbers } = *node else {
            return self.leave_to_interpreter();
        };
        let Some(all) = alternatives(&self.code, id, (all, numbers)) else { return self.leave_to_interpreter() };
        if self.run.len() > WAITING {
            self.flush();
        }
        let before = std::mem::take(&mut self.run);
        self.code.out.line(format!("match {} {{", place.shared()));
        for (one, number, Variant { path, alternative, .. }) in all {
            let inner = self.code.variable();
            self.run = before.clone();
            self.code.out.line(format!("{path}({inner}) => {{"));
            self.number(number.to_string(), usize::from(bits) / 8);
            self.content(alternative.type_id, one.node, &Place::reference(inner));
            self.flush();
            self.code.out.line("}");
        }
        if extensible {
            self.code.out.line("_ => return Err(wire::Rejected),");
        }
        self.code.out.line("}");
    }

    fn conditional(&mut self, id: TypeId, members: Span, place: &Place) {
        let Some(parts) = conditional_parts(self.code.types, id, place) else { return self.leave_to_interpreter() };
        for (member, (part, field, condition)) in self.code.layout.members(members).iter().zip(parts) {
            let tap = self.code.tap(id, member.component);
            let Some(condition) = condition else {
                self.component(tap, |encoder| encoder.value(part, member.node, &field));
                continue;
            };
            self.refuse_if(&format!("{condition} != {}.is_some()", field.object()));
            self.flush();
            let inner = self.code.variable();
            self.code.out.line(format!("if let Some({inner}) = &{} {{", field.object()));
            self.component(tap, |encoder| encoder.part(part, member.node, &Place::reference(inner)));
            self.flush();
            self.code.out.line("}");
        }
    }

    fn call(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.flush();
        let levels = self.code.call(id, node, "");
        let function = function(self.code.types, id);
        self.code.out.line(format!("at = encode_{function}({}, output, at{levels})?;", place.shared()));
    }
}

/// How many octets a value takes with one element in each vector, all optional parts, and the longest alternatives: this determines the room for a vector's length. Nodes in `open`
/// are being visited, and are not visited again; at most `left` nodes are visited.
fn usual(layout: &Layout, node: NodeId, open: &mut Vec<NodeId>, left: &mut u32) -> u64 {
    if open.contains(&node) || *left == 0 {
        return 0;
    }
    *left -= 1;
    open.push(node);
    let mut of = |node: NodeId| usual(layout, node, open, left);
    let octets = match *layout.node(node) {
        Node::Word { width: Width::Anywhere(bits), .. } => u64::from(bits) / 8,
        Node::Octets { extent } => extent.lower,
        Node::List { extent, element, .. } => extent.lower.saturating_mul(of(element)),
        Node::Record { members, .. } | Node::Vectors(VectorNode::Struct { members, .. }) => {
            layout.members(members).iter().map(|member| of(member.node)).sum()
        }
        Node::Vectors(node) => match node {
            VectorNode::Item { bits, .. } => u64::from(bits) / 8,
            VectorNode::Flags { octets } => octets.into(),
            VectorNode::Choice { bits, alternatives, .. } => {
                let longest = layout.alternatives(alternatives).iter().map(|one| of(one.node)).max();
                u64::from(bits) / 8 + longest.unwrap_or(0)
            }
            VectorNode::Octets { field, lower, .. } => u64::from(field / 8).max(1).saturating_add(lower),
            VectorNode::Vector { field, lower, element, .. } => {
                u64::from(field / 8).max(1) + of(element).saturating_mul(u64::from(lower.max(1)))
            }
            _ => 1,
        },
        _ => 0,
    };
    open.pop();
    octets
}
