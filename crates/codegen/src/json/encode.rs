//! Writes encoders.

use roadwire_layout::{JsonNode, Layout, Node, NodeId, Presence, Span};
use roadwire_model::{Field, Kind, Presence as ModelPresence, TypeId};

use super::{octets_literal, part_function, quoted, sent};
use crate::data::{alternative_names, field_names, item_names};
use crate::packed::run::Place;
use crate::source::Source;
use crate::types::{Repr, Storage, Types};

pub(super) struct EncodeWriter<'a, 'm> {
    types: &'a Types<'m>,
    layout: &'a Layout,
    out: &'a mut Source,
    /// Types whose functions are called and so have to be written.
    pub(super) called: Vec<(TypeId, NodeId)>,
    /// Constant text on its way out.
    text: String,
    variables: usize,
}

impl<'a, 'm> EncodeWriter<'a, 'm> {
    pub(super) fn new(types: &'a Types<'m>, layout: &'a Layout, out: &'a mut Source) -> Self {
        EncodeWriter { types, layout, out, called: Vec::new(), text: String::new(), variables: 0 }
    }

    /// Writes a function's body: from `value` to the writer `w`.
    pub(super) fn body(&mut self, id: TypeId, node: NodeId) {
        self.structure(self.types.canonical(id), node, &Place::reference("value"));
        self.flush();
    }

    fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.types.canonical(id);
        if self.types.is_recursive(id) {
            // The interpreter counts the levels.
            return self.leave_to_interpreter();
        }
        if self.types.is_function(id) {
            self.flush();
            let (Repr::Struct(name) | Repr::Choice(name)) = self.types.repr(id) else { return };
            let function = part_function(name);
            // On a copy, so that the writer itself stays in registers.
            self.out.line("w = {");
            self.out.line("let mut w = w;");
            self.out.line(format!("encode_{function}({}, &mut w)?;", place.shared()));
            self.out.line("w");
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
                self.flush();
                self.out
                    .line(format!("w.put_slice(if {} {{ &b\"true\"[..] }} else {{ b\"false\" }})?;", place.value()));
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
        self.flush();
        let value = place.value();
        let outside = outside(rust, &value, lower, upper);
        if !outside.is_empty() {
            self.refuse_if(&outside.join(" || "));
        }
        let signed = rust.starts_with('i') && lower < 0;
        let (put, wide) = if signed { ("put_signed", "i64") } else { ("put_unsigned", "u64") };
        self.out.line(format!("w.{put}({value} as {wide})?;"));
    }

    fn item(&mut self, id: TypeId, place: &Place) {
        let (Repr::Enum(name), Kind::Enumerated(enumerators)) = (self.types.repr(id).clone(), self.types.kind(id))
        else {
            return self.leave_to_interpreter();
        };
        let items = item_names(enumerators);
        self.flush();
        self.out.line(format!("w.put_slice(match {} {{", place.value()));
        for ((label, _), item) in enumerators.all().zip(&items) {
            let text = quoted(label).unwrap_or_default();
            self.out.line(format!("{name}::{item} => &{}[..],", octets_literal(&text)));
        }
        if enumerators.extensible {
            self.out.line(format!("{name}::UnknownAddition(_) => return Err(wire::Rejected),"));
        }
        self.out.line("})?;");
    }

    fn bits(&mut self, id: TypeId, fixed: Option<u64>, place: &Place) {
        match (self.types.repr(id), fixed) {
            (Repr::BitFlags { bits, .. }, Some(fixed)) if u64::from(*bits) == fixed => {
                let octets = fixed.div_ceil(8);
                self.flush();
                let object = place.object();
                if !matches!(bits, 8 | 16 | 32 | 64) {
                    self.refuse_if(&format!("{object}.0 >> {bits} != 0"));
                }
                let shift = 64 - u32::from(*bits);
                self.out.line(format!("w.put_digits(&(u64::from({object}.0) << {shift}).to_be_bytes()[..{octets}])?;"));
            }
            _ => self.leave_to_interpreter(),
        }
    }

    fn digits(&mut self, id: TypeId, lower: u64, upper: u64, place: &Place) {
        match self.types.repr(id) {
            Repr::FixedOctets(_) => {
                self.flush();
                self.out.line(format!("w.put_digits({})?;", place.shared()));
            }
            Repr::Octets(_) => {
                self.flush();
                let octets = format!("{}.0", place.object());
                self.refuse_if(&format!("!({lower}..={upper}).contains(&({octets}.len() as u64))"));
                self.out.line(format!("w.put_digits(&{octets})?;"));
            }
            _ => self.leave_to_interpreter(),
        }
    }

    fn string(&mut self, id: TypeId, (lower, upper): (u64, u64), alphabet: Span, place: &Place) {
        if !matches!(self.types.repr(id), Repr::Text(_) | Repr::String) {
            return self.leave_to_interpreter();
        }
        self.flush();
        let ranges = self.layout.numbers(alphabet);
        let text = place.object();
        self.refuse_if(&format!("!wire::json::fits(&{text}, {lower}, {upper}, &{ranges:?})"));
        self.out.line("w = {");
        self.out.line("let mut w = w;");
        self.out.line(format!("w.put_string(&{text})?;"));
        self.out.line("w");
        self.out.line("};");
    }

    /// Each element has a comma in front; the first becomes the bracket.
    fn list(&mut self, id: TypeId, lower: u64, upper: u64, element: NodeId, place: &Place) {
        let Repr::List { element: element_id, storage } = self.types.repr(id).clone() else {
            return self.leave_to_interpreter();
        };
        if storage == Storage::Heap {
            return self.leave_to_interpreter();
        }
        self.flush();
        if lower > 0 || !matches!(storage, Storage::Inline(most) if most == upper) {
            let length = format!("{}.len() as u64", place.object());
            if upper < u64::MAX {
                self.refuse_if(&format!("!({lower}..={upper}).contains(&({length}))"));
            } else if lower > 0 {
                self.refuse_if(&format!("({length}) < {lower}"));
            }
        }
        let (start, item) = (self.variable(), self.variable());
        self.out.line(format!("let {start} = w.position();"));
        self.out.line(format!("for {item} in {} {{", place.shared()));
        self.text.push(',');
        self.value(element_id, element, &Place::reference(item));
        self.flush();
        self.out.line("}");
        self.out.line(format!("w.close_list({start}, b'[', b']')?;"));
    }

    fn object(&mut self, id: TypeId, node: JsonNode, place: &Place) {
        let (JsonNode::Object { members, extensible, .. }, Kind::Sequence { components, .. }) =
            (node, self.types.kind(id))
        else {
            return self.leave_to_interpreter();
        };
        let fields = field_names(components);
        if components.iter().any(|component| self.has_named_bits_default(component)) {
            // Equal but for trailing zero bits is equal: not a comparison of words.
            return self.leave_to_interpreter();
        }
        let members = self.layout.members(members).to_vec();
        let in_group = |at: usize| matches!(components[at].field, Field::Group(_));
        let mut refused: Vec<String> = (0..components.len())
            .filter(|at| in_group(*at))
            .map(|at| sent(self.types, &components[at], place.field(&fields[at]).object()))
            .collect();
        if extensible {
            refused.push(format!("!{}.unknown.is_empty()", place.object()));
        }
        if !refused.is_empty() {
            self.flush();
            self.refuse_if(&refused.join(" || "));
        }
        // With a member that is sure to be there in front of all others, commas and bracket are constants.
        let sure = members.first().is_some_and(|first| first.presence == Presence::Mandatory);
        let start = (!sure).then(|| {
            self.flush();
            let start = self.variable();
            self.out.line(format!("let {start} = w.position();"));
            start
        });
        for (order, member) in members.iter().enumerate() {
            let at = member.component as usize;
            if in_group(at) {
                continue;
            }
            let Some(name) = quoted(&components[at].name) else { return self.leave_to_interpreter() };
            let lead = if sure && order == 0 { '{' } else { ',' };
            let (component, field) = (&components[at], place.field(&fields[at]));
            if member.presence == Presence::Mandatory {
                self.text.push_str(&format!("{lead}{name}:"));
                self.value(component.type_id, member.node, &field);
                continue;
            }
            self.flush();
            if Types::is_option(component) {
                let inner = self.variable();
                self.out.line(format!("if let Some({inner}) = &{} {{", field.object()));
                self.text.push_str(&format!("{lead}{name}:"));
                self.value(component.type_id, member.node, &Place::reference(inner));
            } else {
                self.out.line(format!("if {} {{", sent(self.types, component, field.object())));
                self.text.push_str(&format!("{lead}{name}:"));
                self.value(component.type_id, member.node, &field);
            }
            self.flush();
            self.out.line("}");
        }
        match start {
            None => self.text.push('}'),
            Some(start) => {
                self.flush();
                self.out.line(format!("w.close_list({start}, b'{{', b'}}')?;"));
            }
        }
    }

    fn has_named_bits_default(&self, component: &roadwire_model::Component) -> bool {
        let named = matches!(self.types.kind(component.type_id), Kind::BitString { named, .. } if !named.is_empty());
        let flags = matches!(self.types.repr(component.type_id), Repr::BitFlags { .. });
        named && !flags && matches!(component.presence, ModelPresence::Default(_))
    }

    fn choice(&mut self, id: TypeId, alternatives: Span, place: &Place) {
        let (Repr::Choice(name), Kind::Choice { alternatives: all, extensible }) =
            (self.types.repr(id).clone(), self.types.kind(id))
        else {
            return self.leave_to_interpreter();
        };
        let variants = alternative_names(all);
        // What is on its way out goes on inside each alternative.
        let before = std::mem::take(&mut self.text);
        self.out.line(format!("match {} {{", place.shared()));
        for one in self.layout.alternatives(alternatives).to_vec() {
            let at = one.alternative as usize;
            let inner = self.variable();
            self.out.line(format!("{name}::{}({inner}) => {{", variants[at]));
            self.text.clone_from(&before);
            match quoted(&all[at].name) {
                Some(label) => {
                    self.text.push_str(&format!("{{{label}:"));
                    self.value(all[at].type_id, one.node, &Place::reference(inner));
                    self.text.push('}');
                }
                None => self.leave_to_interpreter(),
            }
            self.flush();
            self.out.line("}");
        }
        if *extensible {
            self.out.line("_ => return Err(wire::Rejected),");
        }
        self.out.line("}");
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

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        if !text.is_empty() {
            self.out.line(format!("w.put({})?;", octets_literal(&text)));
        }
    }

    fn variable(&mut self) -> String {
        self.variables += 1;
        format!("v{}", self.variables)
    }
}

/// The comparisons that tell whether a number of a primitive type is outside its bounds: none where the type holds no others.
pub(super) fn outside(rust: &str, value: &str, lower: i128, upper: i128) -> Vec<String> {
    let (least, most): (i128, i128) = match rust {
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" => (0, u64::MAX.into()),
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        _ => (i64::MIN.into(), i64::MAX.into()),
    };
    let mut outside = Vec::new();
    if lower > least {
        outside.push(format!("{value} < {lower}"));
    }
    if upper < most {
        outside.push(format!("{value} > {upper}"));
    }
    outside
}
