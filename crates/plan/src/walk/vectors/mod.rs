//! The presentation language of TS 103 097 V1 and IEEE 1609.2-2013: structs, and vectors after
//! their lengths.

mod fixed;
pub(super) mod presence;

use roadwire_layout::{Layout, Node, NodeId, Span, VectorNode, Width};
use roadwire_model::{Kind, TypeId};

use crate::plan::{
    Arg, Component, Cond, Draft, Element, Int, Num, Place, Prim, Reason, Stmt, Str, Until, Value, Var, Vectors,
};
use crate::types::Repr;
use crate::walk::vectors::fixed::Fixed;
use crate::walk::vectors::presence::conditions;
use crate::walk::walker::Walker;

/// The most nodes of a vector's element to visit, to estimate how many octets it usually takes.
const NODES: u32 = 10_000;
/// The greatest length in one octet.
const SHORT: u64 = 127;

/// The body of a whole message's function.
pub(crate) fn message(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId) {
    let mut walk = Walk { draft, root: node };
    walk.value(id, node, &Place::value());
}

/// The body of a part's function.
pub(crate) fn body(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId) {
    let id = draft.types.canonical(id);
    let mut walk = Walk { draft, root: node };
    walk.structure(id, node, &Place::value());
}

struct Walk<'d, 'a, 'm> {
    draft: &'d mut Draft<'a, 'm>,
    /// The node whose function it is.
    root: NodeId,
}

impl<'a, 'm: 'a> Walker<'a, 'm> for Walk<'_, 'a, 'm> {
    fn draft(&mut self) -> &mut Draft<'a, 'm> {
        self.draft
    }
}

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.draft.types.canonical(id);
        match self.draft.types.is_recursive(id) || self.draft.types.is_shared(id, false) {
            true => self.draft.call(id, node, place),
            false => self.structure(id, node, place),
        }
    }

    /// An element or an optional part: inline, or by a separate function.
    fn part(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.draft.types.canonical(id);
        match self.draft.types.is_function(id) {
            true => self.draft.call(id, node, place),
            false => self.value(id, node, place),
        }
    }

    /// An alternative.
    fn content(&mut self, id: TypeId, node: NodeId, place: &Place) {
        match self.draft.types.has_list(id) {
            true => self.part(id, node, place),
            false => self.value(id, node, place),
        }
    }

    fn structure(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.within(id, |walk| match Fixed::of(walk.draft, id, node) {
            Some(fixed) => walk.fixed(id, fixed, place),
            None => walk.level(true, |walk| walk.inside(id, node, place)),
        });
    }

    fn inside(&mut self, id: TypeId, node: NodeId, place: &Place) {
        match *self.draft.layout.node(node) {
            Node::List { extent, element, .. } => self.list(id, extent.lower, element, place),
            Node::Record { members, .. } | Node::Vectors(VectorNode::Struct { members, .. }) => {
                self.components(id, members, place);
            }
            Node::Vectors(VectorNode::Variable) => {
                self.variable_number(id, [Vectors::PutNumber, Vectors::TakeNumber], place)
            }
            Node::Vectors(VectorNode::Psid) => self.variable_number(id, [Vectors::PutPsid, Vectors::TakePsid], place),
            Node::Vectors(VectorNode::Choice { bits, alternatives, numbers, extensible }) => {
                let keeps = extensible && self.draft.is_thorough;
                self.choice(id, (usize::from(bits) / 8, keeps), (alternatives, numbers), place);
            }
            Node::Vectors(VectorNode::Octets { field, lower, upper }) => self.octets(id, field, (lower, upper), place),
            Node::Vectors(vector @ VectorNode::Vector { .. }) => self.vector(id, vector, place),
            _ => self.draft.give_up(),
        }
    }

    fn octets(&mut self, id: TypeId, field: u8, (lower, upper): (u64, u64), place: &Place) {
        self.draft.because(Reason::Size);
        if !self.draft.is_encoder() {
            let (octets, rest) = self.counted(field, (lower, upper));
            self.draft.push(Stmt::Continue(rest));
            self.count_outside(Num::Length(Str::Var(octets)), (lower, upper));
            return match self.draft.types.repr(id) {
                Repr::Octets(_) | Repr::OctetString | Repr::LentOctets => {
                    self.draft.push(Stmt::Set(place.clone(), Value::OctetsOf(id, octets)));
                }
                _ => self.draft.give_up(),
            };
        }
        let most = match *self.draft.types.repr(id) {
            Repr::Octets(most) => most,
            Repr::OctetString | Repr::LentOctets => u64::MAX,
            _ => return self.draft.give_up(),
        };
        let count = Num::Length(Str::Octets(place.clone())).to(Int::U64);
        // There cannot be more than the capacity.
        self.count_outside(count.clone(), (lower, if upper == most { u64::MAX } else { upper }));
        if field == 0 && most > SHORT {
            return self
                .draft
                .push(Stmt::Write(Prim::Vectors(Vectors::PutCounted), vec![Arg::Contents(place.clone())]));
        }
        self.put(count, usize::from(field / 8).max(1));
        self.draft.push(match most {
            u64::MAX => Stmt::Write(Prim::PutOctets, vec![Arg::Contents(place.clone())]),
            _ => Stmt::PutInline(place.clone()),
        });
    }

    /// Elements without a length.
    fn list(&mut self, id: TypeId, count: u64, node: NodeId, place: &Place) {
        let Repr::List { element, .. } = *self.draft.types.repr(id) else { return self.draft.give_up() };
        if self.draft.is_encoder() {
            self.draft.because(Reason::Size);
            self.draft.push(Stmt::RejectIf(Cond::LengthDiffers(place.clone(), count)));
            self.draft.push(Stmt::Settle);
            return self.each(place, |walk, place| walk.part(element, node, place));
        }
        // Elements of no octets cost an attacker nothing; the interpreter counts them.
        if self.draft.properties.node(node).fewest == 0 {
            return self.draft.give_up();
        }
        self.elements(id, element, node, place, Some(count));
    }

    fn vector(&mut self, id: TypeId, vector: VectorNode, place: &Place) {
        let VectorNode::Vector { field, floor, ceiling, lower, upper, element: node } = vector else { return };
        let Repr::List { element, .. } = *self.draft.types.repr(id) else { return self.draft.give_up() };
        let bounds = (lower.into(), if upper == u32::MAX { u64::MAX } else { upper.into() });
        self.draft.because(Reason::Size);
        if self.draft.is_encoder() {
            return self.put_vector(field, (floor, ceiling), bounds, (element, node), place);
        }
        // Elements of no octets are refused, if there are any.
        if self.draft.properties.node(node).fewest == 0 {
            return self.draft.give_up();
        }
        let (inside, rest) = self.counted(field, (floor, ceiling));
        self.count_outside(Num::Length(Str::Var(inside)), (floor, ceiling));
        self.draft.push(Stmt::Settle);
        self.draft.push(Stmt::Continue(inside));
        let list = match self.draft.is_thorough {
            true => self.elements_up_to(id, element, node, place, bounds.1),
            false => self.elements(id, element, node, place, None),
        };
        self.draft.push(Stmt::Continue(rest));
        self.count_outside(Num::Elements(Place::variable(list)), bounds);
    }

    fn put_vector(
        &mut self,
        field: u8,
        octets: (u64, u64),
        bounds: (u64, u64),
        (id, node): (TypeId, NodeId),
        place: &Place,
    ) {
        self.count_outside(Num::Elements(place.clone()), bounds);
        let usual =
            || usual(self.draft.layout, node, &mut vec![self.root], &mut { NODES }).saturating_mul(bounds.0.max(1));
        let room = match field {
            0 if usual() > SHORT => 2,
            0 => 1,
            _ => usize::from(field) / 8,
        };
        self.draft.push(Stmt::Room(room));
        self.draft.push(Stmt::Settle);
        let start = self.draft.variable();
        self.draft.push(Stmt::Mark(start));
        self.each(place, |walk, place| walk.part(id, node, place));
        if field == 0 {
            return self.draft.push(Stmt::CloseAnywhere { start, room });
        }
        self.count_outside(Num::Since(start), octets);
        self.draft.push(Stmt::CloseFixed { start, room });
    }

    /// `keeps` is whether alternatives of a later version are kept.
    fn choice(
        &mut self,
        id: TypeId,
        (octets, keeps): (usize, bool),
        (alternatives, numbers): (Span, Span),
        place: &Place,
    ) {
        let (Repr::Choice, Kind::Choice { alternatives: types, .. }) =
            (self.draft.types.repr(id), self.draft.types.kind(id))
        else {
            return self.draft.give_up();
        };
        let numbers = self.draft.layout.numbers(numbers);
        let count = Arg::Num(Num::Const(octets as u64));
        self.draft.because(Reason::Choice);
        if self.draft.is_encoder() {
            let later = keeps.then(|| {
                let other = self.draft.variable();
                let args = vec![Arg::Octets(Str::Var(other)), count, Arg::Ranges(numbers.to_vec())];
                (other, vec![Stmt::Write(Prim::Vectors(Vectors::PutOther), args)])
            });
            let all = self.draft.layout.alternatives(alternatives);
            return self.put_alternatives(id, alternatives, later, place, |walk, order, one, node, place| {
                walk.put(Num::Const(numbers[order].into()), octets);
                walk.named(all[order].alternative as usize, |walk| walk.content(one.type_id, node, place));
            });
        }
        let all = self.draft.layout.alternatives(alternatives).iter().zip(numbers);
        let number = Num::Var(self.take(octets));
        let mut arms = Vec::new();
        for (one, number) in all {
            let (at, content) = (one.alternative as usize, types[one.alternative as usize].type_id);
            let arm = self.block(|walk| walk.named(at, |walk| walk.take_alternative(id, at, content, one.node, place)));
            arms.push((u64::from(*number), arm));
        }
        let args = vec![Arg::Exclusive(place.clone()), count];
        let others = keeps.then(|| vec![Stmt::Skip(Prim::Vectors(Vectors::TakeOther), args)]);
        self.draft.push(Stmt::Select { number, arms, others });
    }

    /// Reads the content of an alternative of a CHOICE.
    fn take_alternative(&mut self, id: TypeId, alternative: usize, content: TypeId, node: NodeId, place: &Place) {
        let fixed = Fixed::of(self.draft, content, node).filter(|_| !self.draft.types.is_recursive(content));
        let (inner, place) = (self.draft.variable(), place.clone());
        if let Some(value) = fixed.and_then(|fixed| self.take_fixed(content, fixed)) {
            return self.draft.push(Stmt::SetAlternative { id, alternative, place, inner, value });
        }
        self.draft.push(Stmt::ChooseOnly { id, alternative, place, inner });
        self.content(content, node, &Place::reference(inner));
    }

    /// The fields of a struct, some of which are present under conditions.
    fn components(&mut self, id: TypeId, members: Span, place: &Place) {
        let Some(conditions) = conditions(self.draft.types, id, place) else { return self.draft.give_up() };
        for (member, (at, condition)) in
            self.draft.layout.members(members).iter().zip(conditions.into_iter().enumerate())
        {
            let one = Component { record: id, at };
            let (part, field) = (self.draft.component(one).type_id, place.component(id, at));
            let tap = self.draft.tap(id, member.component as usize);
            let Some(condition) = condition else {
                self.named(at, |walk| walk.tapped(tap, |walk| walk.value(part, member.node, &field)));
                continue;
            };
            if self.draft.is_encoder() {
                let differs = Cond::PresenceDiffers(Box::new(condition), field.clone());
                self.draft.because(Reason::Component);
                self.named(at, |walk| walk.draft.push(Stmt::RejectIf(differs)));
                self.draft.push(Stmt::Settle);
                let inner = self.draft.variable();
                let then = self.block(|walk| {
                    walk.named(at, |walk| {
                        walk.tapped(tap, |walk| walk.part(part, member.node, &Place::reference(inner)));
                    });
                });
                self.draft.push(Stmt::IfSent { component: one, place: field, inner: Some(inner), then });
                continue;
            }
            let then = self.block(|walk| {
                walk.named(at, |walk| {
                    let inner = walk.draft.variable();
                    walk.draft.push(Stmt::Present { component: one, place: field.clone(), inner });
                    walk.tapped(tap, |walk| walk.part(part, member.node, &Place::reference(inner)));
                });
            });
            let otherwise = Some(vec![Stmt::SetAbsent(one, field)]);
            self.draft.push(Stmt::If { condition, then, otherwise });
        }
    }

    /// A component that may be tapped.
    fn tapped(&mut self, tap: Option<usize>, value: impl FnOnce(&mut Self)) {
        let Some(part) = tap else { return value(self) };
        self.draft.push(Stmt::TapBegins(part));
        value(self);
        self.draft.push(Stmt::TapEnds(part));
    }

    fn put(&mut self, number: Num, octets: usize) {
        self.draft.push(Stmt::Put { number, octets: octets as u32 });
    }

    /// A number of so many octets.
    fn take(&mut self, octets: usize) -> Var {
        let var = self.draft.variable();
        self.draft.push(Stmt::TakeNumber { var, octets });
        var
    }

    /// Reads a length of `field` bits, or one in as many octets as its first ones say: the octets
    /// that it counts, and the rest after them. Thorough plans reject one out of bounds before
    /// that.
    fn counted(&mut self, field: u8, bounds: (u64, u64)) -> (Var, Var) {
        let mut count = (field > 0).then(|| self.take(usize::from(field) / 8));
        if self.draft.is_thorough {
            let length = count.unwrap_or_else(|| self.take_rest(Vectors::TakeNumber));
            self.draft.because(Reason::Length);
            self.draft.push(Stmt::RejectIf(Cond::HasBitsAbove(Num::Var(length), 60)));
            self.draft.because(Reason::Size);
            self.count_outside(Num::Var(length), bounds);
            count = Some(length);
        }
        let (inside, rest) = (self.draft.variable(), self.draft.variable());
        self.draft.push(Stmt::Split { inside, rest, count });
        (inside, rest)
    }

    fn count_outside(&mut self, count: Num, bounds: (u64, u64)) {
        let is_any = bounds == (0, u64::MAX);
        self.draft.push_if(!is_any, Stmt::RejectIf(Cond::CountOutside(count, bounds)));
    }

    /// Reads a list's elements, which are large, in place, possibly over those of an earlier
    /// message: so many, or up to the end.
    fn elements(&mut self, list_id: TypeId, id: TypeId, node: NodeId, place: &Place, count: Option<u64>) -> Var {
        let (list, at, item) = (self.draft.variable(), self.draft.variable(), self.draft.variable());
        let body = self.block(|walk| walk.part(id, node, &Place::reference(item)));
        let element = Element { list, list_id, id, item, fewest: 0 };
        let until = count.map_or(Until::End, Until::Count);
        self.draft.push(Stmt::Overwrite { element, at, place: place.clone(), until, body });
        list
    }

    /// In a thorough plan: reads elements up to the end, and rejects more than so many.
    fn elements_up_to(&mut self, list_id: TypeId, id: TypeId, node: NodeId, place: &Place, most: u64) -> Var {
        let (list, item) = (self.draft.variable(), self.draft.variable());
        self.draft.push(Stmt::Refill { list, place: place.clone() });
        let is_full = Cond::AtLeast(Num::Elements(Place::variable(list)), most);
        let one = self.block(|walk| walk.part(id, node, &Place::reference(item)));
        let element = Element { list, list_id, id, item, fewest: 0 };
        let one = Stmt::Times { count: Num::Const(1), element, body: one };
        let body = [Stmt::RejectIf(is_full)].into_iter().filter(|_| most < u64::MAX).chain([one]).collect();
        self.draft.push(Stmt::Loop { condition: Cond::BeforeEnd, body });
        list
    }
}

/// How many octets a value takes with one element in each vector, all optional parts, and the
/// longest alternatives: this determines the room for a vector's length. Nodes in `open` are being
/// visited, and are not visited again; at most `left` nodes are visited.
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
