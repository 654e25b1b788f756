//! Decoders of thorough plans: the components of a SET in any order, each once (X.690 §8.11).

use roadwire_layout::{Member, Order};
use roadwire_model::TypeId;

use super::Walk;
use super::tags::Tags;
use crate::plan::{Component, Cond, Place, Reason, Stmt, Var};
use crate::walk::delimited::{Delimited, Record};
use crate::walk::walker::Walker;

/// A component, and the flag that it has not come.
struct Part<'l> {
    member: &'l Member,
    one: Component,
    place: Place,
    lacks: Var,
}

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    /// Whether the components are read in any order. A row of a table is selected by what came
    /// before.
    pub(super) fn in_any_order(&self) -> bool {
        self.takes_any_form() && !self.draft.keys.has_ahead()
    }

    /// `known` is how many additions the schema has.
    pub(super) fn take_set(&mut self, id: TypeId, record: &Record<'a>, (known, order): (u32, Order), place: &Place) {
        self.draft.push_if(record.is_extensible, Stmt::ForgetUnknown(place.clone()));
        let parts: Vec<Part<'_>> = record.members.iter().map(|member| self.part_of(id, member, place)).collect();
        let arms: Vec<_> = parts.iter().filter_map(|part| self.take_part(part)).collect();
        let mut otherwise = self.block(|walk| match (record.is_extensible, order) {
            (true, Order::Any) => {
                let mut tags = Tags::default();
                for member in &record.members {
                    Tags::of(walk.draft.layout, member.node).into_iter().for_each(|own| tags.extend(own));
                }
                let addition = walk.take_unknown(&tags, known, place);
                walk.draft.push(addition);
            }
            // Where a value is written, it does not come in its place.
            (true, _) => walk.draft.reject_rare(Cond::True),
            (false, _) => {
                walk.draft.because(Reason::TagOfSet);
                walk.draft.push(Stmt::RejectIf(Cond::True));
            }
        });
        for (condition, then) in arms.into_iter().rev() {
            otherwise = vec![Stmt::If { condition, then, otherwise: Some(otherwise) }];
        }
        let condition = self.more();
        let body = [vec![Stmt::RejectIf(Cond::NoIdentifier)], otherwise].concat();
        self.draft.because(Reason::TagOfSet);
        self.draft.push(Stmt::Loop { condition, body });
        for part in &parts {
            if self.draft.is_always(part.one, part.member) {
                self.named(part.one.at, |walk| {
                    walk.draft.because(Reason::Component);
                    walk.draft.push(Stmt::RejectIf(Cond::Var(part.lacks)));
                });
            }
        }
        self.all_groups(id, record, place);
    }

    /// A component that has not come.
    fn part_of<'l>(&mut self, id: TypeId, member: &'l Member, place: &Place) -> Part<'l> {
        let (one, place) = place.member(id, member);
        let part = Part { member, one, place, lacks: self.draft.flag() };
        if !self.draft.is_always(one, member) {
            self.draft.push(Stmt::Clear(one, part.place.clone()));
        }
        part
    }

    /// Where the tag of a component comes, its value.
    fn take_part(&mut self, part: &Part<'_>) -> Option<(Cond, Vec<Stmt>)> {
        let comes = self.comes(part.member.node)?;
        let type_id = self.draft.component(part.one).type_id;
        let then = self.block(|walk| {
            walk.named(part.one.at, |walk| {
                walk.draft.because(Reason::ComponentAgain);
                walk.draft.push(Stmt::RejectIf(Cond::Not(Box::new(Cond::Var(part.lacks)))));
                let content = match walk.draft.is_always(part.one, part.member) {
                    true => part.place.clone(),
                    false => walk.draft.present(part.one, &part.place),
                };
                walk.value(type_id, part.member.node, &content);
            });
            walk.refuse_default_in_group(part.one, &part.place);
            walk.draft.push(Stmt::ClearFlag(part.lacks));
        });
        self.draft.pass(part.one, part.member.node, &part.place);
        Some((comes, then))
    }
}
