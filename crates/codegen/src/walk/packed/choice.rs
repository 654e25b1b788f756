//! CHOICE, which begins with the index or the tag of its alternative.

use roadwire_layout::{Node, NodeId, Span, Width, tag};
use roadwire_model::{Kind, TypeId};

use super::{Walk, amount, grouped, phase};
use crate::plan::{Amount, Cond, Num, Place, Stmt, Stream};
use crate::types::Repr;
use phase::Phase;

/// How the alternative is selected.
#[derive(Clone, Copy)]
enum Told {
    /// By its index.
    Index(Width),
    /// By its tag.
    Tag(Span),
}

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    pub(super) fn choice(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let (layout, types) = (self.draft.layout, self.draft.types);
        let Node::Choice { extensible, width, root, alternatives, tags } = *layout.node(node) else {
            return self.draft.give_up();
        };
        let (Repr::Choice(_), Kind::Choice { alternatives: all, .. }) = (types.repr(id), types.kind(id)) else {
            return self.draft.give_up();
        };
        let told = if tags.count == 0 { Told::Index(width) } else { Told::Tag(tags) };
        let ways = layout.alternatives(alternatives);
        let rooted: Vec<(usize, TypeId, NodeId)> = ways
            .iter()
            .take(root as usize)
            .map(|one| (one.alternative as usize, all[one.alternative as usize].type_id, one.node))
            .collect();
        match self.draft.is_encoder() {
            true => {
                let has_others = extensible || ways.len() > root as usize;
                self.put_choice(id, &rooted, told, (extensible, root, has_others), place);
            }
            false => self.take_choice(id, &rooted, told, (extensible, root), place),
        }
    }

    fn put_choice(
        &mut self,
        id: TypeId,
        rooted: &[(usize, TypeId, NodeId)],
        told: Told,
        (is_extensible, root, has_others): (bool, u32, bool),
        place: &Place,
    ) {
        if let (true, Some((alternative, content, node))) = (self.is_plain, rooted.first().copied()) {
            let inner = self.variable();
            self.push(Stream::Bind { id, alternative, place: place.clone(), inner });
            self.tell(told, 0, is_extensible, root);
            return self.value(content, node, &Place::reference(inner));
        }
        // What is pending continues inside each alternative.
        let before = self.phase;
        let mut end: Option<Phase> = None;
        let mut arms = Vec::new();
        for (index, (alternative, content, node)) in rooted.iter().copied().enumerate() {
            let inner = self.variable();
            self.phase = before;
            let arm = self.block(|walk| {
                walk.draft.push(Stmt::MayBeUnused(inner));
                walk.tell(told, index, is_extensible, root);
                walk.alternative(content, node, &Place::reference(inner));
            });
            arms.push((alternative, inner, arm));
            end = Some(end.map_or(self.phase, |other| phase::join(other, self.phase)));
        }
        self.draft.push(Stmt::Switch { id, place: place.clone(), arms, has_others });
        self.phase = end.flatten();
    }

    fn alternative(&mut self, content: TypeId, node: NodeId, place: &Place) {
        match self.draft.types.has_list(content) {
            true => self.part(content, node, place),
            false => self.value(content, node, place),
        }
    }

    /// Writes the index or tag of the alternative.
    fn tell(&mut self, told: Told, index: usize, is_extensible: bool, root: u32) {
        match told {
            Told::Index(width) => {
                let most = u64::from(root).saturating_sub(1);
                self.put_root_number(Num::Const(index as u64), width, is_extensible, most);
            }
            Told::Tag(tags) => {
                let mut pairs = self.draft.layout.numbers(tags).chunks_exact(2);
                // An untagged CHOICE writes the tag of its alternative.
                if let Some(pair) = pairs.find(|pair| pair[1] as usize == index) {
                    let (octets, bits) = tag_octets(pair[0]);
                    self.put(amount(Amount::Hex(octets)), bits);
                }
            }
        }
    }

    fn take_choice(
        &mut self,
        id: TypeId,
        rooted: &[(usize, TypeId, NodeId)],
        told: Told,
        (is_extensible, root): (bool, u32),
        place: &Place,
    ) {
        let Some(patterns) = self.patterns(told, root) else { return self.draft.give_up() };
        let index = match told {
            Told::Tag(_) => self.take(8),
            Told::Index(Width::Anywhere(bits)) => self.take(bits + u32::from(is_extensible)),
            Told::Index(width) => self.take_root_number(width, is_extensible, u64::from(root).saturating_sub(1)),
        };
        let is_hex = matches!(told, Told::Tag(_));
        if let (true, Some((alternative, content, node))) = (self.is_plain, rooted.first().copied()) {
            self.reject(grouped(match is_hex {
                true => Cond::DiffersHex(index, patterns[0]),
                false => Cond::Differs(Num::Var(index), patterns[0]),
            }));
            self.push(Stream::Flush);
            let inner = self.choose(id, alternative, place);
            return self.value(content, node, &inner);
        }
        self.push(Stream::Flush);
        let before = self.phase;
        let mut end: Option<Phase> = None;
        let mut arms = Vec::new();
        for ((alternative, content, node), pattern) in rooted.iter().copied().zip(patterns) {
            self.phase = before;
            let arm = self.block(|walk| {
                if walk.is_local(content) {
                    let content = walk.local(content, node);
                    return walk.push(Stream::SetTo { id, alternative, place: place.clone(), content });
                }
                let inner = walk.choose(id, alternative, place);
                walk.alternative(content, node, &inner);
                walk.settle();
            });
            arms.push((pattern, pattern, arm));
            end = Some(end.map_or(self.phase, |other| phase::join(other, self.phase)));
        }
        self.push(Stream::Match { number: Num::Var(index), is_hex, arms });
        self.phase = end.flatten();
    }

    /// Makes a CHOICE hold an alternative, and returns the place of its content.
    pub(super) fn choose(&mut self, id: TypeId, alternative: usize, place: &Place) -> Place {
        let inner = self.variable();
        self.draft.push(Stmt::Choose { id, alternative, place: place.clone(), inner });
        Place::reference(inner)
    }

    /// The number of each root alternative: its tag's octet, or its index; `None` if a tag has more than one octet.
    fn patterns(&self, told: Told, root: u32) -> Option<Vec<u64>> {
        let tags = match told {
            Told::Index(_) => return Some((0..root.into()).collect()),
            Told::Tag(tags) => tags,
        };
        let pairs = self.draft.layout.numbers(tags).chunks_exact(2);
        let octet = |at: u32| pairs.clone().find(|pair| pair[1] == at).filter(|pair| pair[0] & tag::MOST < 63);
        (0..root).map(|at| octet(at).map(|pair| (pair[0] >> 30 << 6 | pair[0] & 63).into())).collect()
    }
}

/// A tag's octets as a number, and how many bits those are (X.696 §8.7).
fn tag_octets(own: u32) -> (u64, u32) {
    let (class, number) = (u64::from(own >> 30), u64::from(own & tag::MOST));
    if number < 63 {
        return (class << 6 | number, 8);
    }
    let groups = (64 - number.leading_zeros()).div_ceil(7);
    let octet = |group: u32| number >> (group * 7) & 0x7f | if group > 0 { 0x80 } else { 0 };
    ((0..groups).rev().fold(class << 6 | 63, |octets, group| octets << 8 | octet(group)), 8 + groups * 8)
}
