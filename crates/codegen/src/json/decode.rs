//! Writes decoders: of the form that encoders write, members in textual order and no white space.

use roadwire_layout::{JsonNode, Layout, Node, NodeId, Presence, Span};
use roadwire_model::{Component, Field, Kind, Presence as ModelPresence, TypeId};

use super::encode::outside;
use super::{octets_literal, part_function, quoted};
use crate::data::{alternative_names, constant, field_names, item_names};
use crate::packed::run::Place;
use crate::source::Source;
use crate::types::{INLINE_LEAVES, Repr, Storage, Types};

pub(super) struct DecodeWriter<'a, 'm> {
    types: &'a Types<'m>,
    layout: &'a Layout,
    out: &'a mut Source,
    /// Types whose functions are called and so have to be written.
    pub(super) called: Vec<(TypeId, NodeId)>,
    /// Constant text that comes next.
    text: String,
    variables: usize,
}

impl<'a, 'm> DecodeWriter<'a, 'm> {
    pub(super) fn new(types: &'a Types<'m>, layout: &'a Layout, out: &'a mut Source) -> Self {
        DecodeWriter { types, layout, out, called: Vec::new(), text: String::new(), variables: 0 }
    }

    /// Writes a function's body: from the reader `r` to `value`.
    pub(super) fn body(&mut self, id: TypeId, node: NodeId) {
        self.structure(self.types.canonical(id), node, &Place::reference("value"));
        self.settle();
    }

    fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.types.canonical(id);
        if self.types.is_recursive(id) {
            // The interpreter counts the levels.
            return self.leave_to_interpreter();
        }
        if self.types.is_function(id) {
            self.settle();
            let (Repr::Struct(name) | Repr::Choice(name)) = self.types.repr(id) else { return };
            let function = part_function(name);
            self.out.line("r = {");
            self.out.line("let mut r = r;");
            self.out.line(format!("decode_{function}({}, &mut r)?;", place.exclusive()));
            self.out.line("r");
            self.out.line("};");
            self.called.push((id, node));
            return;
        }
        self.structure(id, node, place);
    }

    fn structure(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let Node::Json(json) = *self.layout.node(node) else { return self.leave_to_interpreter() };
        match json {
            JsonNode::Nothing => self.text.push_str("null"),
            JsonNode::Truth => {
                self.settle();
                self.out.line(format!("{} = r.take_truth()?;", place.value()));
            }
            JsonNode::Number { lower, upper } => self.number(id, lower, upper, place),
            JsonNode::Item { .. } => self.item(id, place),
            JsonNode::BitDigits { fixed, .. } => self.bits(id, fixed, place),
            JsonNode::Digits { lower, upper } => self.digits(id, lower, upper, place),
            JsonNode::Quoted { lower, upper, alphabet } => self.string(id, (lower, upper), alphabet, place),
            JsonNode::Array { lower, upper, element } => self.list(id, lower, upper, element, place),
            JsonNode::Object { .. } => self.object(id, json, place),
            JsonNode::Single { alternatives, .. } => self.choice(id, alternatives, place),
            JsonNode::Document { .. }
            | JsonNode::Float
            | JsonNode::Dotted { .. }
            | JsonNode::OpenDigits
            | JsonNode::Selected { .. } => self.leave_to_interpreter(),
        }
    }

    fn number(&mut self, id: TypeId, lower: i128, upper: i128, place: &Place) {
        let Repr::Integer(rust) = self.types.repr(id) else { return self.leave_to_interpreter() };
        if *rust == "i128" {
            return self.leave_to_interpreter();
        }
        self.settle();
        let (number, signed) = (self.variable(), lower < 0);
        self.out.line(format!("let {number} = r.take_{}()?;", if signed { "signed" } else { "unsigned" }));
        let wide = if signed { "i64" } else { "u64" };
        // What does not fit into the type is outside its bounds too.
        let (least, most) = bounds(rust);
        let outside = outside(wide, &number, lower.max(least), upper.min(most));
        if !outside.is_empty() {
            self.refuse_if(&outside.join(" || "));
        }
        self.out.line(format!("{} = {number} as {rust};", place.value()));
    }

    fn item(&mut self, id: TypeId, place: &Place) {
        let (Repr::Enum(name), Kind::Enumerated(enumerators)) = (self.types.repr(id).clone(), self.types.kind(id))
        else {
            return self.leave_to_interpreter();
        };
        self.settle();
        self.out.line(format!("{} = match r.take_name()? {{", place.value()));
        for ((label, _), item) in enumerators.all().zip(item_names(enumerators)) {
            if quoted(label).is_some() {
                self.out.line(format!("{} => {name}::{item},", octets_literal(label)));
            }
        }
        self.out.line("_ => return Err(wire::Rejected),");
        self.out.line("};");
    }

    fn bits(&mut self, id: TypeId, fixed: Option<u64>, place: &Place) {
        match (self.types.repr(id), fixed) {
            (Repr::BitFlags { bits, word, .. }, Some(fixed)) if u64::from(*bits) == fixed => {
                let (octets, shift) = (fixed.div_ceil(8), 64 - u32::from(*bits));
                self.settle();
                let digits = self.variable();
                self.out.line(format!("let mut {digits} = [0u8; 8];"));
                self.out.line(format!("r.fill(&mut {digits}[..{octets}])?;"));
                self.out.line(format!("let {digits} = u64::from_be_bytes({digits});"));
                if fixed % 8 != 0 {
                    self.refuse_if(&format!("{digits} << {bits} != 0"));
                }
                self.out.line(format!("{}.0 = ({digits} >> {shift}) as {word};", place.object()));
            }
            _ => self.leave_to_interpreter(),
        }
    }

    fn digits(&mut self, id: TypeId, lower: u64, upper: u64, place: &Place) {
        match self.types.repr(id) {
            Repr::FixedOctets(_) => {
                self.settle();
                self.out.line(format!("r.fill({})?;", place.exclusive()));
            }
            Repr::Octets(_) => {
                self.settle();
                let (digits, octets) = (self.variable(), self.variable());
                self.out.line(format!("let {digits} = r.take_digits()?;"));
                self.refuse_if(&format!("!({lower}..={upper}).contains(&({digits}.len() as u64 / 2))"));
                self.out.line(format!("let {octets} = {};", place.exclusive()));
                self.out.line(format!("{octets}.0.clear();"));
                self.out.line(format!("for _ in 0..{digits}.len() / 2 {{"));
                self.out.line(format!("if {octets}.0.try_push(0).is_err() {{ return Err(wire::Rejected) }}"));
                self.out.line("}");
                self.out.line(format!("wire::json::fill({digits}, &mut {octets}.0)?;"));
            }
            _ => self.leave_to_interpreter(),
        }
    }

    fn string(&mut self, id: TypeId, (lower, upper): (u64, u64), alphabet: Span, place: &Place) {
        let fixed = match self.types.repr(id) {
            Repr::Text(_) => true,
            Repr::String => false,
            _ => return self.leave_to_interpreter(),
        };
        self.settle();
        let text = self.variable();
        self.out.line(format!("let {text} = r.take_string()?;"));
        let ranges = self.layout.numbers(alphabet);
        self.refuse_if(&format!("!wire::json::fits({text}, {lower}, {upper}, &{ranges:?})"));
        self.out.line(format!("{}.clear();", place.object()));
        self.out.line(if fixed {
            format!("if {}.try_push_str({text}).is_err() {{ return Err(wire::Rejected) }}", place.object())
        } else {
            format!("{}.push_str({text});", place.object())
        });
    }

    fn list(&mut self, id: TypeId, lower: u64, upper: u64, element: NodeId, place: &Place) {
        let Repr::List { element: element_id, storage } = self.types.repr(id).clone() else {
            return self.leave_to_interpreter();
        };
        if storage == Storage::Heap {
            return self.leave_to_interpreter();
        }
        self.text.push('[');
        self.settle();
        let (list, item) = (self.variable(), self.variable());
        let element_id = self.types.canonical(element_id);
        let push = |value: &str| match storage {
            Storage::Inline(_) => format!("if {list}.try_push({value}).is_err() {{ return Err(wire::Rejected) }}"),
            _ => format!("{list}.push({value});"),
        };
        self.out.line(format!("let {list} = {};", place.exclusive()));
        self.out.line(format!("{list}.clear();"));
        self.out.line("if !r.accept(b\"]\") {");
        self.out.line("loop {");
        let empty = self.types.default_expression(element_id);
        if self.types.leaves(element_id) > INLINE_LEAVES || matches!(self.types.repr(element_id), Repr::List { .. }) {
            // In its place, for it is large.
            self.out.line(push(&empty));
            self.out.line(format!("let Some({item}) = {list}.last_mut() else {{ return Err(wire::Rejected) }};"));
            self.value(element_id, element, &Place::reference(item));
            self.settle();
        } else {
            self.out.line(format!("let mut {item}: {} = {empty};", self.types.rust(element_id)));
            self.value(element_id, element, &Place::new(item.clone()));
            self.settle();
            self.out.line(push(&item));
        }
        self.out.line("if !r.accept(b\",\") {");
        self.out.line("break;");
        self.out.line("}");
        self.out.line("}");
        self.out.line("r.expect(b\"]\")?;");
        self.out.line("}");
        if lower > 0 || !matches!(storage, Storage::Inline(most) if most == upper) {
            let length = format!("{list}.len() as u64");
            if upper < u64::MAX {
                self.refuse_if(&format!("!({lower}..={upper}).contains(&({length}))"));
            } else if lower > 0 {
                self.refuse_if(&format!("({length}) < {lower}"));
            }
        }
    }

    fn object(&mut self, id: TypeId, node: JsonNode, place: &Place) {
        let (JsonNode::Object { members, extensible, .. }, Kind::Sequence { components, .. }) =
            (node, self.types.kind(id))
        else {
            return self.leave_to_interpreter();
        };
        let fields = field_names(components);
        if extensible {
            self.settle();
            self.out.line(format!("if !{}.unknown.is_empty() {{", place.object()));
            self.out.line(format!("{}.unknown = wire::Additions::new();", place.object()));
            self.out.line("}");
        }
        let members = self.layout.members(members).to_vec();
        self.text.push('{');
        let sure = members.first().is_some_and(|first| first.presence == Presence::Mandatory);
        let first = (!sure).then(|| {
            self.settle();
            let first = self.variable();
            self.out.line(format!("let mut {first} = true;"));
            first
        });
        for (order, member) in members.iter().enumerate() {
            let at = member.component as usize;
            let (component, field) = (&components[at], place.field(&fields[at]));
            if matches!(component.field, Field::Group(_)) {
                self.settle();
                self.out.line(format!("{} = {};", field.object(), self.absent(component)));
                continue;
            }
            let Some(name) = quoted(&component.name) else { return self.leave_to_interpreter() };
            let name = format!("{name}:");
            if member.presence == Presence::Mandatory {
                match &first {
                    None => {
                        let comma = if order == 0 { "" } else { "," };
                        self.text.push_str(&format!("{comma}{name}"));
                    }
                    Some(first) => {
                        self.settle();
                        self.refuse_if(&format!("!r.member({first}, {})", octets_literal(&name)));
                        self.out.line(format!("{first} = false;"));
                    }
                }
                self.value(component.type_id, member.node, &field);
                continue;
            }
            self.settle();
            match &first {
                None => self.out.line(format!("if r.accept({}) {{", octets_literal(&format!(",{name}")))),
                Some(first) => {
                    self.out.line(format!("if r.member({first}, {}) {{", octets_literal(&name)));
                    self.out.line(format!("{first} = false;"));
                }
            }
            if Types::is_option(component) {
                let inner = self.variable();
                let insert = self.types.insert_expression(component.type_id);
                self.out.line(format!("let {inner} = {}.{insert};", field.object()));
                self.value(component.type_id, member.node, &Place::reference(inner));
            } else {
                self.value(component.type_id, member.node, &field);
            }
            self.settle();
            self.out.line("} else {");
            self.out.line(format!("{} = {};", field.object(), self.absent(component)));
            self.out.line("}");
        }
        self.text.push('}');
    }

    /// What a component is when it is not there.
    fn absent(&self, component: &Component) -> String {
        match &component.presence {
            ModelPresence::Default(value) if !Types::is_option(component) => {
                constant(self.types, component.type_id, value)
            }
            _ => "None".into(),
        }
    }

    fn choice(&mut self, id: TypeId, alternatives: Span, place: &Place) {
        let (Repr::Choice(name), Kind::Choice { alternatives: all, .. }) =
            (self.types.repr(id).clone(), self.types.kind(id))
        else {
            return self.leave_to_interpreter();
        };
        let variants = alternative_names(all);
        self.text.push('{');
        self.settle();
        for one in self.layout.alternatives(alternatives).to_vec() {
            let at = one.alternative as usize;
            let Some(label) = quoted(&all[at].name) else { continue };
            self.out.line(format!("if r.accept({}) {{", octets_literal(&format!("{label}:"))));
            // A message that is filled again has its large parts in place already.
            let inner = self.variable();
            self.out.line(format!("if !matches!({}, {name}::{}(_)) {{", place.value(), variants[at]));
            let empty = self.types.default_expression(all[at].type_id);
            self.out.line(format!("{} = {name}::{}({empty});", place.value(), variants[at]));
            self.out.line("}");
            self.out.line("#[allow(irrefutable_let_patterns)]");
            self.out.line(format!(
                "let {name}::{}({inner}) = {} else {{ return Err(wire::Rejected) }};",
                variants[at],
                place.exclusive()
            ));
            self.value(all[at].type_id, one.node, &Place::reference(inner));
            self.settle();
            self.out.line("} else");
        }
        self.out.line("{");
        self.out.line("return Err(wire::Rejected);");
        self.out.line("}");
        self.text.push('}');
    }

    fn refuse_if(&mut self, condition: &str) {
        self.out.line(format!("if {condition} {{"));
        self.out.line("return Err(wire::Rejected);");
        self.out.line("}");
    }

    fn leave_to_interpreter(&mut self) {
        self.text.clear();
        self.refuse_if("true");
    }

    /// Reads the constant text that comes next.
    fn settle(&mut self) {
        let text = std::mem::take(&mut self.text);
        if !text.is_empty() {
            self.out.line(format!("r.expect({})?;", octets_literal(&text)));
        }
    }

    fn variable(&mut self) -> String {
        self.variables += 1;
        format!("v{}", self.variables)
    }
}

/// What a primitive type holds.
fn bounds(rust: &str) -> (i128, i128) {
    match rust {
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" => (0, u64::MAX.into()),
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        _ => (i64::MIN.into(), i64::MAX.into()),
    }
}
