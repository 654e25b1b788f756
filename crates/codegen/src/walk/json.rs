//! JER: JSON text in the one form that is written, members in textual order and no white space.

use roadwire_layout::{JsonNode, Member, Node, NodeId, Presence, Span};
use roadwire_model::{Field, Kind, TypeId};

use super::text::{leaves, number, put_alternatives, refuse_other_lengths, take_alternatives};
use crate::plan::{Arg, Block, Component, Cond, Draft, Element, Num, Place, Prim, Stmt, Str, Text, Value, Var};
use crate::types::Repr;
use crate::walk::keys::{Keys, Row};

/// The body of a function.
pub(crate) fn body(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId) {
    let id = draft.types.canonical(id);
    Walk { draft, keys: Keys::default() }.structure(id, node, &Place::value());
}

struct Walk<'d, 'a, 'm> {
    draft: &'d mut Draft<'a, 'm>,
    keys: Keys,
}

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.draft.types.canonical(id);
        if !leaves(self.draft, id, node, place) {
            self.structure(id, node, place);
        }
    }

    fn structure(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.draft.enter(id);
        self.inside(id, node, place);
        self.draft.leave();
    }

    fn inside(&mut self, id: TypeId, node: NodeId, place: &Place) {
        match *self.draft.layout.node(node) {
            Node::Json(json) => self.json(id, json, place),
            Node::Scope { record, slots } => {
                self.keys.enter(self.draft.layout, slots);
                self.inside(id, record, place);
            }
            Node::Key { node, .. } => self.inside(id, node, place),
            _ => self.draft.give_up(),
        }
    }

    fn json(&mut self, id: TypeId, json: JsonNode, place: &Place) {
        match json {
            JsonNode::Selected { slot, rows } if self.draft.types.is_open(id) => self.open(id, slot, rows, place),
            JsonNode::Nothing => self.text("null"),
            JsonNode::Truth => self.truth(place),
            JsonNode::Number { lower, upper } => number(self.draft, id, (lower, upper), place),
            JsonNode::Item { .. } => self.item(id, place),
            JsonNode::BitDigits { fixed, lower, upper, .. } => self.bits(id, fixed, (lower, upper), place),
            JsonNode::Digits { lower, upper } => self.digits(id, (lower, upper), place),
            JsonNode::Quoted { lower, upper, alphabet } => self.string(id, (lower, upper), alphabet, place),
            JsonNode::Array { lower, upper, element } => self.list(id, (lower, upper), element, place),
            JsonNode::Object { members, extensible, .. } => self.object(id, members, extensible, place),
            JsonNode::Single { alternatives, .. } => self.choice(id, alternatives, place),
            JsonNode::Document { .. }
            | JsonNode::Float
            | JsonNode::Dotted { .. }
            | JsonNode::OpenDigits
            | JsonNode::Selected { .. } => self.draft.give_up(),
        }
    }

    fn object(&mut self, id: TypeId, members: Span, is_extensible: bool, place: &Place) {
        let Kind::Sequence { .. } = self.draft.types.kind(id) else { return self.draft.give_up() };
        let members = self.draft.layout.members(members);
        match self.draft.is_encoder() {
            true => self.put_object(id, members, is_extensible, place),
            false => self.take_object(id, members, is_extensible, place),
        }
    }

    fn put_object(&mut self, id: TypeId, members: &[Member], is_extensible: bool, place: &Place) {
        let Kind::Sequence { components, .. } = self.draft.types.kind(id) else { return };
        if components.iter().any(|component| self.draft.types.has_named_bits_default(component)) {
            // Trailing zero bits are ignored in this comparison, so comparing words is not enough.
            return self.draft.give_up();
        }
        let in_group = |at: usize| matches!(components[at].field, Field::Group(_));
        let groups = (0..components.len()).filter(|at| in_group(*at));
        let mut refused: Vec<Cond> =
            groups.map(|at| Cond::Sent(Component { record: id, at }, place.component(id, at))).collect();
        refused.extend(is_extensible.then(|| Cond::HasUnknown(place.clone())));
        if !refused.is_empty() {
            self.draft.push(Stmt::Settle);
            self.draft.push(Stmt::RejectIf(Cond::Any(refused)));
        }
        // If the first member is mandatory, commas and the bracket are constants.
        let is_sure = members.first().is_some_and(|first| first.presence == Presence::Mandatory);
        let start = (!is_sure).then(|| self.position());
        for (order, member) in members.iter().enumerate().filter(|(_, member)| !in_group(member.component as usize)) {
            let at = member.component as usize;
            let Some(name) = quoted(&components[at].name) else { return self.draft.give_up() };
            let lead = if is_sure && order == 0 { '{' } else { ',' };
            let (one, field) = (Component { record: id, at }, place.component(id, at));
            if member.presence == Presence::Mandatory {
                self.text(&format!("{lead}{name}:"));
                self.value(components[at].type_id, member.node, &field);
            } else {
                let (inner, content) = self.draft.sent_content(one, &field);
                let then = self.block(|walk| {
                    walk.text(&format!("{lead}{name}:"));
                    walk.value(components[at].type_id, member.node, &content);
                });
                self.draft.push(Stmt::IfSent { component: one, place: field.clone(), inner, then });
            }
            self.pass(one, member.node, &field);
        }
        match start {
            None => self.text("}"),
            Some(start) => self.close(start, *b"{}"),
        }
    }

    fn take_object(&mut self, id: TypeId, members: &[Member], is_extensible: bool, place: &Place) {
        let Kind::Sequence { components, .. } = self.draft.types.kind(id) else { return };
        if is_extensible {
            self.draft.push(Stmt::Settle);
            self.draft.push(Stmt::ForgetUnknown(place.clone()));
        }
        self.text("{");
        let is_sure = members.first().is_some_and(|first| first.presence == Presence::Mandatory);
        let first = (!is_sure).then(|| {
            self.draft.push(Stmt::Settle);
            let first = self.draft.variable();
            self.draft.push(Stmt::LetFlag(first));
            first
        });
        for (order, member) in members.iter().enumerate() {
            let at = member.component as usize;
            let (one, field) = (Component { record: id, at }, place.component(id, at));
            if matches!(components[at].field, Field::Group(_)) {
                self.draft.push(Stmt::Clear(one, field));
                continue;
            }
            let Some(name) = quoted(&components[at].name) else { return self.draft.give_up() };
            let name = format!("{name}:");
            if member.presence == Presence::Mandatory {
                match first {
                    None => self.text(&format!("{}{name}", if order == 0 { "" } else { "," })),
                    Some(first) => {
                        self.draft.push(Stmt::Settle);
                        let comes = Cond::Member(first, name);
                        self.draft.push(Stmt::RejectIf(Cond::Not(Box::new(comes))));
                        self.draft.push(Stmt::ClearFlag(first));
                    }
                }
                self.value(components[at].type_id, member.node, &field);
                self.pass(one, member.node, &field);
                continue;
            }
            let condition = match first {
                None => Cond::Accept(format!(",{name}")),
                Some(first) => Cond::Member(first, name),
            };
            let then = self.block(|walk| {
                first.into_iter().for_each(|first| walk.draft.push(Stmt::ClearFlag(first)));
                let content = walk.draft.present(one, &field);
                walk.value(components[at].type_id, member.node, &content);
            });
            let otherwise = Some(vec![Stmt::Clear(one, field.clone())]);
            self.draft.push(Stmt::If { condition, then, otherwise });
            self.pass(one, member.node, &field);
        }
        self.text("}");
    }

    fn choice(&mut self, id: TypeId, alternatives: Span, place: &Place) {
        let keys = self.keys.clone();
        let walk = |draft: &mut Draft<'a, 'm>, id, node, place: &Place| {
            Walk { draft, keys: keys.clone() }.value(id, node, place)
        };
        if self.draft.is_encoder() {
            return put_alternatives(self.draft, id, alternatives, place, |draft, alternative, node, place| {
                let Some(label) = quoted(&alternative.name) else { return draft.give_up() };
                draft.push(Stmt::Text(format!("{{{label}:")));
                walk(draft, alternative.type_id, node, place);
                draft.push(Stmt::Text("}".into()));
            });
        }
        self.text("{");
        let comes = |_: &Draft<'a, 'm>, alternative: &roadwire_model::Alternative, _| {
            Some(Cond::Accept(format!("{}:", quoted(&alternative.name)?)))
        };
        take_alternatives(self.draft, id, alternatives, place, comes, |draft, alternative, node, place| {
            walk(draft, alternative.type_id, node, place);
        });
        self.text("}");
    }

    /// Each element has a comma in front; the first becomes the bracket.
    fn list(&mut self, id: TypeId, bounds: (u64, u64), node: NodeId, place: &Place) {
        let Repr::List { element, storage } = *self.draft.types.repr(id) else { return self.draft.give_up() };
        if self.draft.is_encoder() {
            self.draft.push(Stmt::Settle);
            refuse_other_lengths(self.draft, Num::Elements(place.clone()), bounds, storage);
            let (start, item) = (self.draft.variable(), self.draft.variable());
            self.draft.push(Stmt::Position(start));
            let body = self.block(|walk| {
                walk.text(",");
                walk.value(element, node, &Place::reference(item));
            });
            self.draft.push(Stmt::Each { item, list: place.clone(), body });
            return self.close(start, *b"[]");
        }
        self.text("[");
        self.draft.push(Stmt::Settle);
        let (list, item) = (self.draft.variable(), self.draft.variable());
        let element_id = self.draft.types.canonical(element);
        self.draft.push(Stmt::Refill { list, place: place.clone() });
        let place = self.draft.element(element_id, item);
        let body = self.block(|walk| walk.value(element_id, node, &place));
        self.draft.push(Stmt::Separated { element: Element { list, list_id: id, id: element_id, item }, body });
        refuse_other_lengths(self.draft, Num::Elements(Place::variable(list)), bounds, storage);
    }

    fn truth(&mut self, place: &Place) {
        let place = place.clone();
        self.draft.push(match self.draft.is_encoder() {
            true => Stmt::PutTruth { place, texts: ["true".into(), "false".into()] },
            false => Stmt::SetBy(place, Prim::Text(Text::TakeTruth)),
        });
    }

    fn item(&mut self, id: TypeId, place: &Place) {
        let Some((_, enumerators)) = self.draft.types.enumeration(id) else { return self.draft.give_up() };
        let place = place.clone();
        let labels = enumerators.all().map(|(label, _)| label);
        if self.draft.is_encoder() {
            let labels = labels.map(|label| quoted(label).unwrap_or_default()).collect();
            return self.draft.push(Stmt::PutLabel { id, place, labels });
        }
        let known = labels.zip(0..).filter(|(label, _)| quoted(label).is_some());
        let labels = known.map(|(label, at)| (label.to_owned(), at)).collect();
        self.draft.push(Stmt::SetByLabel { id, place, by: Prim::Text(Text::TakeName), labels });
    }

    fn bits(&mut self, id: TypeId, fixed: Option<u64>, (lower, upper): (u64, u64), place: &Place) {
        let number = |number: u64| Arg::Num(Num::Const(number));
        match (self.draft.types.repr(id), fixed, self.draft.is_encoder()) {
            (Repr::BitWord | Repr::BitString, None, true) => {
                self.act(Text::PutBits, vec![Arg::Scalar(place.clone()), number(lower), number(upper)]);
            }
            (Repr::BitWord | Repr::BitString, None, false) => {
                self.act(Text::TakeBits, vec![Arg::Exclusive(place.clone()), number(lower), number(upper)]);
            }
            (&Repr::BitFlags { bits, .. }, Some(fixed), true) if u64::from(bits) == fixed => {
                self.draft.push(Stmt::Settle);
                let has_more = Cond::FlagsAbove(place.clone(), bits);
                self.draft.push_if(!matches!(bits, 8 | 16 | 32 | 64), Stmt::RejectIf(has_more));
                let (shift, octets) = (64 - u32::from(bits), fixed.div_ceil(8));
                self.act(Text::PutDigits, vec![Arg::FlagOctets { place: place.clone(), shift, octets }]);
            }
            (&Repr::BitFlags { bits, .. }, Some(fixed), false) if u64::from(bits) == fixed => {
                self.draft.push(Stmt::Settle);
                let digits = self.draft.variable();
                self.draft.push(Stmt::TakeFlagDigits { digits, octets: fixed.div_ceil(8) });
                self.draft.push_if(fixed % 8 != 0, Stmt::RejectIf(Cond::HasBitsBelow(digits, bits)));
                self.draft.push(Stmt::Set(place.clone(), Value::HighFlags(id, digits, 64 - u32::from(bits))));
            }
            _ => self.draft.give_up(),
        }
    }

    fn digits(&mut self, id: TypeId, bounds: (u64, u64), place: &Place) {
        match (self.draft.types.repr(id), self.draft.is_encoder()) {
            (Repr::FixedOctets(_), true) => self.act(Text::PutDigits, vec![Arg::Shared(place.clone())]),
            (Repr::FixedOctets(_), false) => self.act(Text::Fill, vec![Arg::Exclusive(place.clone())]),
            (Repr::Octets(_), true) => {
                self.draft.push(Stmt::Settle);
                let length = Num::Length(Str::Octets(place.clone()));
                self.draft.push(Stmt::RejectIf(Cond::SizeOutside(length, bounds)));
                self.act(Text::PutDigits, vec![Arg::Contents(place.clone())]);
            }
            (Repr::Octets(_), false) => {
                self.draft.push(Stmt::Settle);
                let (digits, bound) = (self.draft.variable(), self.draft.variable());
                self.draft.push(Stmt::Get(digits, Prim::Text(Text::TakeDigits), Vec::new()));
                self.draft.push(Stmt::RejectIf(Cond::HalfOutside(digits, bounds)));
                let count = Num::Half(digits);
                let place = Some(place.clone());
                self.draft.push(Stmt::FillDigits { octets: bound, place, digits, count, is_inline: true });
            }
            _ => self.draft.give_up(),
        }
    }

    fn string(&mut self, id: TypeId, bounds: (u64, u64), alphabet: Span, place: &Place) {
        if !matches!(self.draft.types.repr(id), Repr::Text(_) | Repr::String) {
            return self.draft.give_up();
        }
        let ranges = self.draft.layout.numbers(alphabet).to_vec();
        self.draft.push(Stmt::Settle);
        if self.draft.is_encoder() {
            self.draft.push(Stmt::RejectIf(Cond::NotFit(Str::Characters(place.clone()), bounds, ranges)));
            return self.draft.push(Stmt::Apart(Prim::Text(Text::PutString), vec![Arg::Object(place.clone())]));
        }
        let text = self.draft.variable();
        self.draft.push(Stmt::Get(text, Prim::Text(Text::TakeString), Vec::new()));
        self.draft.push(Stmt::RejectIf(Cond::NotFit(Str::Var(text), bounds, ranges)));
        self.draft.push(Stmt::Set(place.clone(), Value::TextOf(id, text)));
    }

    /// An open type whose row is selected; objects are read with their keys first, wherever these are.
    fn open(&mut self, id: TypeId, slot: u32, rows: Span, place: &Place) {
        self.draft.push(Stmt::Settle);
        let rows: Vec<NodeId> = self.draft.layout.numbers(rows).iter().map(|node| NodeId(*node)).collect();
        let count = self.draft.types.table(id).map_or(0, |table| table.rows.len());
        let row = self.keys.row(self.draft, id, slot);
        if matches!(row, Row::Unknown | Row::Ahead) {
            return self.draft.give_up();
        }
        match self.draft.is_encoder() {
            true => self.put_open(id, row, &rows, count, place),
            false => self.take_open(id, row, &rows, count, place),
        }
    }

    fn put_open(&mut self, id: TypeId, row: Row, rows: &[NodeId], count: usize, place: &Place) {
        let mut arms = Vec::new();
        for (at, node) in rows.iter().enumerate().take(count) {
            let inner = self.draft.variable();
            let arm = self.block(|walk| {
                walk.draft.push(Stmt::MayBeUnused(inner));
                walk.draft.reject_if(row.differs(at));
                let row = walk.draft.types.row(id, at);
                walk.value(row, *node, &Place::reference(inner));
            });
            arms.push((at, inner, arm));
        }
        let inner = self.draft.variable();
        let put = Stmt::Do(Prim::Text(Text::PutDigits), vec![Arg::Contents(Place::reference(inner))]);
        let text = |text: &str| Stmt::PutText(text.into());
        let explicit = vec![text("{\"...\":"), put.clone(), text("}")];
        let arm = match row {
            Row::Selected(row) => {
                vec![Stmt::If { condition: Cond::NoRow(row), then: vec![put], otherwise: Some(explicit) }]
            }
            _ => explicit,
        };
        arms.push((count, inner, arm));
        self.draft.push(Stmt::SwitchOpen { id, place: place.clone(), arms, others: None });
    }

    fn take_open(&mut self, id: TypeId, row: Row, rows: &[NodeId], count: usize, place: &Place) {
        let Row::Selected(row) = row else {
            let Some(node) = rows.first().filter(|_| count > 0) else { return self.draft.give_up() };
            let inner = self.draft.variable();
            self.draft.push(Stmt::ChooseOnly { id, alternative: 0, place: place.clone(), inner });
            let row = self.draft.types.row(id, 0);
            return self.value(row, *node, &Place::reference(inner));
        };
        let mut arms = Vec::new();
        for (at, node) in rows.iter().enumerate().take(count) {
            let arm = self.block(|walk| {
                let inner = walk.draft.variable();
                walk.draft.push(Stmt::Choose { id, alternative: at, place: place.clone(), inner });
                let row = walk.draft.types.row(id, at);
                walk.value(row, *node, &Place::reference(inner));
            });
            arms.push((at as u64, arm));
        }
        let others = self.block(|walk| {
            let digits = walk.draft.variable();
            walk.draft.push(Stmt::Get(digits, Prim::Text(Text::TakeDigits), Vec::new()));
            let inner = walk.draft.variable();
            walk.draft.push(Stmt::ChooseOnly { id, alternative: count, place: place.clone(), inner });
            let count = Num::Half(digits);
            walk.draft.push(Stmt::FillDigits { octets: inner, place: None, digits, count, is_inline: false });
        });
        self.draft.push(Stmt::SelectRow { row, arms, others });
    }

    fn pass(&mut self, one: Component, node: NodeId, field: &Place) {
        let (types, layout) = (self.draft.types, self.draft.layout);
        self.keys.pass(types, layout, types.component(one), node, field);
    }

    fn block(&mut self, inside: impl FnOnce(&mut Self)) -> Block {
        self.draft.begin();
        inside(self);
        self.draft.take()
    }

    fn text(&mut self, text: &str) {
        self.draft.push(Stmt::Text(text.into()));
    }

    fn act(&mut self, by: Text, args: Vec<Arg>) {
        self.draft.push(Stmt::Do(Prim::Text(by), args));
    }

    fn position(&mut self) -> Var {
        self.draft.push(Stmt::Settle);
        let start = self.draft.variable();
        self.draft.push(Stmt::Position(start));
        start
    }

    fn close(&mut self, start: Var, [open, end]: [u8; 2]) {
        self.act(Text::CloseList, vec![Arg::Num(Num::Var(start)), Arg::Octet(open), Arg::Octet(end)]);
    }
}

/// A name as a JSON string; straight-line code only handles names that need no escapes.
fn quoted(name: &str) -> Option<String> {
    let plain = name.chars().all(|character| character.is_ascii_graphic() && !matches!(character, '"' | '\\'));
    plain.then(|| format!("\"{name}\""))
}
