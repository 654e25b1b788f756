//! JER: JSON text in the one form that is written, members in textual order and no white space;
//! decoders of thorough plans take any other form.

mod any_form;
mod keys_ahead;
mod object;

use roadwire_layout::{JsonNode, Node, NodeId, Span};
use roadwire_model::TypeId;

use crate::plan::{Arg, Component, Cond, Draft, Num, Place, Prim, Reason, Stmt, Str, Text, Until, Value, Var};
use crate::types::Repr;
use crate::walk::keys::Row;
use crate::walk::open::OpenType;
use crate::walk::text::{
    arcs, calls, characters, digits, number, refuse_other_lengths, take_alternatives, take_elements,
};
use crate::walk::vectors::presence::conditions;
use crate::walk::walker::Walker;

/// The primitives for octets.
const DIGITS: (Text, Text) = (Text::PutDigits, Text::TakeDigits);

/// The body of a function.
pub(crate) fn body(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId) {
    let (id, only_calls) = (draft.types.canonical(id), draft.is_recursive_message(id));
    let mut walk = Walk { draft };
    let is_around = walk.in_any_form() && walk.draft.is_message();
    if is_around {
        walk.act(Text::Begin, Vec::new());
    }
    match only_calls {
        true => walk.value(id, node, &Place::value()),
        false => walk.structure(id, node, &Place::value()),
    }
    if is_around {
        walk.act(Text::End, Vec::new());
    }
}

struct Walk<'d, 'a, 'm> {
    draft: &'d mut Draft<'a, 'm>,
}

impl<'a, 'm: 'a> Walker<'a, 'm> for Walk<'_, 'a, 'm> {
    fn draft(&mut self) -> &mut Draft<'a, 'm> {
        self.draft
    }
}

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.draft.types.canonical(id);
        if !calls(self.draft, id, node, place) {
            self.structure(id, node, place);
        }
    }

    fn structure(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.within(id, |walk| walk.inside(id, node, place));
    }

    fn inside(&mut self, id: TypeId, node: NodeId, place: &Place) {
        match *self.draft.layout.node(node) {
            Node::Json(json) => self.json(id, json, place),
            Node::Scope { record, slots } => {
                self.draft.keys.enter(self.draft.layout, slots);
                self.inside(id, record, place);
            }
            Node::Key { node, .. } => self.inside(id, node, place),
            _ => self.draft.give_up(),
        }
    }

    fn json(&mut self, id: TypeId, json: JsonNode, place: &Place) {
        use JsonNode::{Array, Object, Selected, Single};
        let is_level = matches!(json, Array { .. } | Object { .. } | Selected { .. } | Single { .. });
        self.level(is_level, |walk| walk.content(id, json, place));
    }

    fn content(&mut self, id: TypeId, json: JsonNode, place: &Place) {
        if let Some(reason) = reason(json, self.draft.is_encoder()) {
            self.draft.because(reason);
        }
        match json {
            JsonNode::Selected { slot, rows } if self.draft.types.is_open(id) => self.open(id, slot, rows, place),
            JsonNode::Nothing if self.in_any_form() => self.act(Text::TakeNull, Vec::new()),
            JsonNode::Nothing => self.text("null"),
            JsonNode::Truth => self.truth(place),
            JsonNode::Number { lower, upper } => number(self.draft, id, (lower, upper), place),
            JsonNode::Item { .. } => self.item(id, place),
            JsonNode::BitDigits { fixed, lower, upper, trim } => self.bits(id, fixed, (lower, upper, trim), place),
            JsonNode::Digits { lower, upper } => digits(self.draft, id, (lower, upper), place, DIGITS),
            JsonNode::OpenDigits => self.open_digits(id, place),
            // No value selects a row.
            JsonNode::Selected { rows, .. } if rows.count == 0 => {
                self.or_explicit(|walk| walk.explicit(id, place), |walk| walk.open_digits(id, place));
            }
            JsonNode::Float => self.real(place),
            JsonNode::Dotted { relative } => {
                self.draft.push_if(self.draft.is_encoder(), Stmt::Text("\"".into()));
                arcs(self.draft, relative, place, Text::TakeName);
                self.draft.push_if(self.draft.is_encoder(), Stmt::Text("\"".into()));
            }
            JsonNode::Quoted { lower, upper, alphabet } => {
                characters(self.draft, id, (lower, upper), alphabet, place, (Text::PutString, Text::TakeString));
            }
            JsonNode::Array { lower, upper, element } => self.list(id, (lower, upper), element, place),
            JsonNode::Object { members, groups, extensible, additions, .. } => {
                self.object(id, members, groups, extensible.then_some(additions), place);
            }
            JsonNode::Single { alternatives, extensible, additions, .. } => {
                self.choice(id, alternatives, extensible.then_some(additions), place);
            }
            JsonNode::Conditional { object, .. } => self.conditional(id, object, place),
            JsonNode::Document { .. } | JsonNode::Selected { .. } => self.draft.give_up(),
        }
    }

    /// An object some of whose members depend on others, which is checked before they are written
    /// and after they are read.
    fn conditional(&mut self, id: TypeId, object: NodeId, place: &Place) {
        let is_encoder = self.draft.is_encoder();
        if is_encoder {
            self.has_selected(id, place);
        }
        self.inside(id, object, place);
        if !is_encoder {
            self.has_selected(id, place);
        }
    }

    fn has_selected(&mut self, id: TypeId, place: &Place) {
        let Some(conditions) = conditions(self.draft.types, id, place) else { return self.draft.give_up() };
        self.draft.push(Stmt::Settle);
        for (at, condition) in conditions.into_iter().enumerate() {
            let (Some(condition), one, field) = (condition, Component { record: id, at }, place.component(id, at))
            else {
                continue;
            };
            if !self.draft.is_thorough {
                self.draft.push(Stmt::RejectIf(Cond::PresenceDiffers(Box::new(condition), field)));
                continue;
            }
            let not = |condition: &Cond| Cond::Not(Box::new(condition.clone()));
            let has = Cond::Sent(one, field);
            self.named(at, |walk| {
                walk.draft.because(Reason::Component);
                walk.draft.push(Stmt::RejectIf(Cond::All(vec![condition.clone(), not(&has)])));
                walk.draft.because(Reason::Selected);
                walk.draft.push(Stmt::RejectIf(Cond::All(vec![not(&condition), has])));
            });
        }
    }

    /// `added` is how many extension additions are known, if there may be others.
    fn choice(&mut self, id: TypeId, alternatives: Span, added: Option<u32>, place: &Place) {
        if self.in_any_form() {
            return self.take_any_choice(id, alternatives, added, place);
        }
        if self.draft.is_encoder() {
            let layout = self.draft.layout;
            let later = added.filter(|_| self.draft.is_thorough).map(|added| {
                let inner = self.draft.variable();
                let names = self.alternative_names(id, alternatives);
                let put = vec![Arg::Octets(Str::Var(inner)), Arg::Num(Num::Const(added.into())), names];
                let text = |text: &str| Stmt::Text(text.into());
                (inner, vec![text("{"), Stmt::Do(Prim::Text(Text::PutOther), put), text("}")])
            });
            return self.put_alternatives(id, alternatives, later, place, |walk, at, alternative, node, place| {
                let Some(label) = quoted(&alternative.name) else { return walk.draft.give_up() };
                let at = layout.alternatives(alternatives)[at].alternative as usize;
                walk.text(&format!("{{{label}:"));
                walk.named(at, |walk| walk.value(alternative.type_id, node, place));
                walk.text("}");
            });
        }
        self.text("{");
        let comes = |_: &Draft<'a, 'm>, alternative: &roadwire_model::Alternative, _| {
            Some(Cond::Accept(format!("{}:", quoted(&alternative.name)?)))
        };
        take_alternatives(self.draft, id, alternatives, place, comes, |draft, alternative, node, place| {
            Walk { draft }.value(alternative.type_id, node, place);
        });
        self.text("}");
    }

    /// An encoder writes a comma before each element; the first becomes the bracket.
    fn list(&mut self, id: TypeId, bounds: (u64, u64), node: NodeId, place: &Place) {
        let Repr::List { element, storage } = *self.draft.types.repr(id) else { return self.draft.give_up() };
        if self.in_any_form() {
            return self.take_any_list(id, bounds, (element, node), place);
        }
        if !self.draft.is_encoder() {
            self.text("[");
            return take_elements(self.draft, id, bounds, place, Until::Bracket, |draft, id, place| {
                Walk { draft }.value(id, node, place);
            });
        }
        self.draft.push(Stmt::Settle);
        refuse_other_lengths(self.draft, Num::Elements(place.clone()), bounds, storage);
        let start = self.position();
        self.each(place, |walk, place| {
            walk.text(",");
            walk.value(element, node, place);
        });
        self.close(start, *b"[]");
    }

    fn truth(&mut self, place: &Place) {
        let place = place.clone();
        self.draft.push(match self.draft.is_encoder() {
            true => Stmt::PutTruth { place, texts: ["true".into(), "false".into()] },
            false => Stmt::SetBy(place, Prim::Text(Text::TakeTruth), Vec::new()),
        });
    }

    fn real(&mut self, place: &Place) {
        match self.draft.is_encoder() {
            true => self.act(Text::PutReal, vec![Arg::Value(place.clone())]),
            false => self.draft.push(Stmt::SetBy(place.clone(), Prim::Text(Text::TakeReal), Vec::new())),
        }
    }

    fn item(&mut self, id: TypeId, place: &Place) {
        let Some(enumerators) = self.draft.types.items(id) else { return self.draft.give_up() };
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

    fn bits(&mut self, id: TypeId, fixed: Option<u64>, (lower, upper, trim): (u64, u64, bool), place: &Place) {
        let is_thorough = self.draft.is_thorough;
        let number = |number: u64| Arg::Num(Num::Const(number));
        match (self.draft.types.repr(id), self.draft.is_encoder()) {
            // The form without a length is that of equal bounds.
            (Repr::BitWord | Repr::BitString, _) if fixed.is_some() != (lower == upper) => self.draft.give_up(),
            (Repr::BitWord | Repr::BitString, true) => {
                let args = [Arg::Scalar(place.clone()), number(lower), number(upper)].into_iter();
                let is_trimmed = self.draft.types.stands_alone().then_some(Arg::Flag(trim));
                self.act(Text::PutBits, args.chain(is_trimmed).collect());
            }
            (Repr::BitWord | Repr::BitString, false) => {
                let args = [Arg::Exclusive(place.clone()), number(lower), number(upper)].into_iter();
                self.act(Text::TakeBits, args.chain(is_thorough.then_some(Arg::Flag(trim))).collect());
            }
            (&Repr::BitFlags { bits, .. }, true) if fixed == Some(bits.into()) => {
                let has_more = Cond::FlagsAbove(place.clone(), bits);
                self.draft.push_if(!matches!(bits, 8 | 16 | 32 | 64), Stmt::RejectIf(has_more));
                let (shift, octets) = (64 - u32::from(bits), u64::from(bits).div_ceil(8));
                self.act(Text::PutDigits, vec![Arg::FlagOctets { place: place.clone(), shift, octets }]);
            }
            (&Repr::BitFlags { bits, .. }, false) if fixed == Some(bits.into()) => {
                let digits = self.draft.variable();
                if is_thorough {
                    let args = vec![number(bits.into()), Arg::Flag(trim)];
                    self.draft.push(Stmt::Get(digits, Prim::Text(Text::TakeFlags), args));
                } else {
                    self.draft.push(Stmt::TakeFlagDigits { digits, octets: u64::from(bits).div_ceil(8) });
                    self.draft.push_if(bits % 8 != 0, Stmt::RejectIf(Cond::HasBitsBelow(digits, bits)));
                }
                self.draft.push(Stmt::Set(place.clone(), Value::HighFlags(id, digits, 64 - u32::from(bits))));
            }
            _ => self.draft.give_up(),
        }
    }

    /// An open type whose row is selected; objects are read with their keys first, wherever these
    /// are.
    fn open(&mut self, id: TypeId, slot: u32, rows: Span, place: &Place) {
        self.draft.push(Stmt::Settle);
        let Some(open) = OpenType::of(self.draft, id, slot, rows) else { return };
        if open.row == Row::Ahead {
            return self.draft.give_up();
        }
        self.or_explicit(
            |walk| open.take_octets(walk.draft, place, |draft, id, octets| Walk { draft }.explicit(id, octets)),
            |walk| walk.put_or_take(open, place),
        );
    }

    fn put_or_take(&mut self, open: OpenType, place: &Place) {
        let value = |draft: &mut Draft<'a, 'm>, id, node, place: &Place| Walk { draft }.value(id, node, place);
        open.code(self.draft, place, value, |draft, id, octets| {
            if !draft.is_encoder() {
                return Walk { draft }.open_digits(id, octets);
            }
            let put = Stmt::Do(Prim::Text(Text::PutDigits), vec![Arg::Contents(octets.clone())]);
            let text = |text: &str| Stmt::PutText(text.into());
            let explicit = vec![text("{\"...\":"), put.clone(), text("}")];
            match open.row {
                Row::Selected(row) => {
                    draft.push(Stmt::If { condition: Cond::NoRow(row), then: vec![put], otherwise: Some(explicit) });
                }
                _ => explicit.into_iter().for_each(|statement| draft.push(statement)),
            }
        });
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

/// The fault that a value may have.
const fn reason(json: JsonNode, is_encoder: bool) -> Option<Reason> {
    Some(match json {
        JsonNode::Number { .. } => Reason::Integer,
        JsonNode::Item { .. } if is_encoder => Reason::Item,
        JsonNode::BitDigits { .. } | JsonNode::Digits { .. } | JsonNode::Quoted { .. } | JsonNode::Array { .. } => {
            Reason::Size
        }
        _ => return None,
    })
}

/// A name as a JSON string; straight-line code only handles names that need no escapes.
fn quoted(name: &str) -> Option<String> {
    let plain = name.chars().all(|character| character.is_ascii_graphic() && !matches!(character, '"' | '\\'));
    plain.then(|| format!("\"{name}\""))
}
