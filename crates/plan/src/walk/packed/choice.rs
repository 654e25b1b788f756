//! CHOICE, which begins with the index or the tag of its alternative.

use std::collections::HashMap;

use roadwire_layout::{LengthForm, Node, NodeId, Span, Width, tag};
use roadwire_model::{Kind, TypeId};

use super::items::{ADDED_INDEX, most_added};
use super::phase::Phase;
use super::{Walk, amount, phase};
use crate::plan::{Amount, Bit, Block, Cond, Mover, Num, Place, Stmt, Stream, Var};
use crate::types::Repr;
use crate::walk::walker::Walker;

/// How the alternative is selected.
#[derive(Clone, Copy)]
enum Told {
    /// By its index.
    Index(Width),
    /// By its tag.
    Tag(Span),
}

/// An alternative: its place in the type, its type, and its node.
type Way = (usize, TypeId, NodeId);

/// Alternatives: of the root, and added.
type Ways<'w> = (&'w [Way], &'w [Way]);

/// The numbers of an alternative, of which all but the first follow in octets of their own, and
/// what is done for it.
type Arm = (Vec<u64>, Block);

/// Where an alternative of a later version is kept, and how many octets of its tag have been read.
#[derive(Clone)]
struct Later {
    id: TypeId,
    place: Place,
    read: u64,
}

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    pub(super) fn choice(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let (layout, types) = (self.draft.layout, self.draft.types);
        let Node::Choice { extensible, width, root, alternatives, tags } = *layout.node(node) else {
            return self.draft.give_up();
        };
        let (Repr::Choice, Kind::Choice { alternatives: all, .. }) = (types.repr(id), types.kind(id)) else {
            return self.draft.give_up();
        };
        let told = if tags.count == 0 { Told::Index(width) } else { Told::Tag(tags) };
        let ways: Vec<Way> = layout
            .alternatives(alternatives)
            .iter()
            .map(|one| (one.alternative as usize, all[one.alternative as usize].type_id, one.node))
            .collect();
        let ways = ways.split_at(root as usize);
        match self.draft.is_encoder() {
            true => self.put_choice(id, ways, told, extensible, place),
            false => self.take_choice(id, ways, told, extensible, place),
        }
    }

    fn put_choice(&mut self, id: TypeId, (rooted, added): Ways<'_>, told: Told, is_extensible: bool, place: &Place) {
        let root = rooted.len();
        if let (true, Some((at, (alternative, content, node)))) = (self.is_plain, self.chosen(id, rooted)) {
            let inner = self.variable();
            self.push(Stream::Bind { id, alternative, place: place.clone(), inner });
            self.tell(told, at, is_extensible, root);
            return self.value(content, node, &Place::reference(inner));
        }
        // Pending bits continue inside each alternative.
        let before = self.phase;
        let mut ends = Vec::new();
        let mut arms = Vec::new();
        for (index, (alternative, content, node)) in rooted.iter().chain(added).copied().enumerate() {
            let inner = self.variable();
            self.phase = before;
            let arm = self.block(|walk| {
                walk.draft.push(Stmt::MayBeUnused(inner));
                walk.tell(told, index, is_extensible, root);
                let place = Place::reference(inner);
                match index < root {
                    true => walk.named(alternative, |walk| walk.alternative(content, node, &place)),
                    // X.691 §23.8, X.696 §20.3
                    false => walk.put_open_type(|walk| {
                        walk.named(alternative, |walk| walk.content_of(content, node, &place));
                    }),
                }
            });
            arms.push((alternative, inner, arm));
            ends.push(self.phase);
        }
        let keeps = is_extensible && self.keeps_others(told);
        if keeps {
            let other = self.variable();
            let is_aligned = self.draft.layout.length_form == LengthForm::Aligned;
            let put = match told {
                Told::Index(_) => Stream::PutOther { other, known: added.len() as u64, is_aligned },
                Told::Tag(tags) => Stream::PutTagged { other, known: self.known_tags(tags) },
            };
            arms.push((root + added.len(), other, vec![Stmt::Stream(put)]));
            ends.push(phase::after_open_type(self.draft.layout));
        }
        self.draft.push(Stmt::Switch { id, place: place.clone(), arms, has_others: is_extensible && !keeps });
        self.phase = phase::join_all(&ends);
    }

    /// Whether alternatives of a later version are kept.
    fn keeps_others(&self, told: Told) -> bool {
        let is_usual = matches!(told, Told::Index(Width::Anywhere(0..ADDED_INDEX)) | Told::Tag(_));
        (is_usual || self.has_rare_forms()) && self.keeps_later()
    }

    /// The alternative that plain or usual values have, and its place in the order.
    fn chosen(&self, id: TypeId, rooted: &[Way]) -> Option<(usize, Way)> {
        let usual = rooted.iter().position(|(alternative, ..)| self.has(id, *alternative));
        let at = usual.unwrap_or(0);
        rooted.get(at).map(|way| (at, *way))
    }

    fn alternative(&mut self, content: TypeId, node: NodeId, place: &Place) {
        match self.draft.types.has_list(content) {
            true => self.part(content, node, place),
            false => self.value(content, node, place),
        }
    }

    /// Writes the index or tag of the alternative.
    fn tell(&mut self, told: Told, index: usize, is_extensible: bool, root: usize) {
        match told {
            Told::Index(_) if index >= root && self.has_rare_forms() => {
                self.put_constant(1);
                self.put_small(Num::Const((index - root) as u64));
            }
            Told::Index(_) if index >= root => match index - root {
                added @ 0..64 => self.put(Num::Const(1 << ADDED_INDEX | added as u64), 1 + ADDED_INDEX),
                _ => self.draft.give_up_rare(),
            },
            Told::Index(width) => {
                let most = (root as u64).saturating_sub(1);
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

    fn take_choice(&mut self, id: TypeId, (rooted, added): Ways<'_>, told: Told, is_extensible: bool, place: &Place) {
        let root = rooted.len();
        let numbers: Option<Vec<Vec<u64>>> = (0..root).map(|at| self.numbers(told, at)).collect();
        let Some(numbers) = numbers else { return self.draft.give_up() };
        let (keeps, is_thorough) = (is_extensible && self.keeps_others(told), self.draft.is_thorough);
        if let (true, true, Told::Index(width)) = (is_extensible, self.has_rare_forms(), told) {
            return self.take_any_choice(id, (rooted, added), width, place);
        }
        let index = match told {
            Told::Tag(_) => self.take(8),
            Told::Index(Width::Anywhere(bits)) if is_thorough && !keeps => {
                self.in_root(is_extensible);
                self.take(bits)
            }
            Told::Index(Width::Anywhere(bits)) => self.take(bits + u32::from(is_extensible)),
            Told::Index(width) => self.take_root_number(width, is_extensible, (root as u64).saturating_sub(1)),
        };
        let is_hex = matches!(told, Told::Tag(_));
        if is_hex && is_thorough && !is_extensible {
            self.settle();
            self.act(Mover::CheckTag, Vec::new());
        }
        if let (true, Some((at, (alternative, content, node)))) = (self.is_plain, self.chosen(id, rooted)) {
            self.reject(match is_hex {
                true => Cond::DiffersHex(index, numbers[at][0]),
                false => Cond::Differs(Num::Var(index), numbers[at][0]),
            });
            for number in &numbers[at][1..] {
                let octet = self.take(8);
                self.reject(Cond::DiffersHex(octet, *number));
            }
            self.push(Stream::Flush);
            let inner = self.choose(id, alternative, place);
            return self.value(content, node, &inner);
        }
        self.push(Stream::Flush);
        let (arms, mut ends) = self.root_arms(id, rooted, numbers, place);
        let mut arms = arms;
        match told {
            Told::Index(Width::Anywhere(bits)) if keeps => {
                let then = self.block(|walk| walk.take_any_added(id, (added, bits), index, place));
                let otherwise = Some(self.block(|walk| walk.match_numbers(index, is_hex, arms, None)));
                let condition = Cond::AtLeast(Num::Var(index), 1 << bits);
                self.draft.push(Stmt::If { condition, then, otherwise });
                ends.push(phase::after_open_type(self.draft.layout));
            }
            _ => {
                arms.extend(self.take_added(id, (root, added), told, place));
                // The index of an added alternative is not as long.
                ends.extend((keeps || !added.is_empty()).then(|| phase::after_open_type(self.draft.layout)));
                let later = keeps.then(|| Later { id, place: place.clone(), read: 1 });
                self.match_numbers(index, is_hex, arms, later);
            }
        }
        self.phase = phase::join_all(&ends);
    }

    /// The statements for each alternative of the root, and where they end.
    fn root_arms(
        &mut self,
        id: TypeId,
        rooted: &[Way],
        numbers: Vec<Vec<u64>>,
        place: &Place,
    ) -> (Vec<Arm>, Vec<Phase>) {
        let before = self.phase;
        let (mut arms, mut ends) = (Vec::new(), Vec::new());
        for ((alternative, content, node), numbers) in rooted.iter().copied().zip(numbers) {
            self.phase = before;
            let arm = self.block(|walk| {
                walk.named(alternative, |walk| walk.take_alternative(id, (alternative, content, node), place));
            });
            arms.push((numbers, arm));
            ends.push(self.phase);
        }
        (arms, ends)
    }

    /// An extensible CHOICE with any index.
    fn take_any_choice(&mut self, id: TypeId, (rooted, added): Ways<'_>, width: Width, place: &Place) {
        let is_extended = Bit { word: self.take(1), mask: None };
        self.settle();
        let (start, is_aligned) = (self.phase, self.draft.layout.length_form == LengthForm::Aligned);
        let then = self.block(|walk| {
            let index = walk.take_small(Mover::TakeSmallChoice, u64::MAX);
            let known = walk.added_arms(id, (0, added), Told::Index(width), place);
            let later = vec![Stmt::Stream(Stream::TakeLater { id, place: place.clone(), index, is_aligned })];
            let arms = known.into_iter().map(|(numbers, block)| (numbers[0], numbers[0], block)).collect();
            walk.push(Stream::Match { number: Num::Var(index), is_hex: false, arms, others: Some(later) });
        });
        self.phase = start;
        let otherwise = Some(self.block(|walk| {
            let index = walk.take_number(width, (rooted.len() as u64).saturating_sub(1));
            walk.settle();
            let numbers = (0..rooted.len() as u64).map(|at| vec![at]).collect();
            let (arms, _) = walk.root_arms(id, rooted, numbers, place);
            walk.match_numbers(index, false, arms, None);
        }));
        self.draft.push(Stmt::If { condition: Cond::IsSet(is_extended), then, otherwise });
        self.phase = None;
    }

    fn take_alternative(&mut self, id: TypeId, (alternative, content, node): Way, place: &Place) {
        if self.is_local(content) {
            let content = self.local(content, node);
            return self.push(Stream::SetTo { id, alternative, place: place.clone(), content });
        }
        let inner = self.choose(id, alternative, place);
        self.alternative(content, node, &inner);
        self.settle();
    }

    /// A decoder's statements for added alternatives: an arm for each tag, or one for all indexes
    /// that begin with the bits that were read.
    fn take_added(&mut self, id: TypeId, (root, added): (usize, &[Way]), told: Told, place: &Place) -> Vec<Arm> {
        let arms = self.added_arms(id, (root, added), told, place);
        let Told::Index(width) = told else { return arms };
        match width {
            Width::Anywhere(bits @ 0..ADDED_INDEX) if !arms.is_empty() && added.len() <= most_added(bits) as usize => {
                let arm = self.block(|walk| {
                    let rest = walk.take(ADDED_INDEX - bits);
                    walk.settle();
                    walk.match_numbers(rest, false, arms, None);
                });
                vec![(vec![1 << bits], arm)]
            }
            // Of so many alternatives, added ones are left to the interpreter.
            _ => Vec::new(),
        }
    }

    /// The statements for each added alternative, after its tag or its index.
    fn added_arms(&mut self, id: TypeId, (root, added): (usize, &[Way]), told: Told, place: &Place) -> Vec<Arm> {
        let mut arms = Vec::new();
        for (at, (alternative, content, node)) in added.iter().copied().enumerate() {
            let at = if let Told::Index(_) = told { at } else { root + at };
            let Some(numbers) = self.numbers(told, at) else { continue };
            self.phase = None;
            let arm = self.block(|walk| {
                walk.take_open_type(|walk| {
                    walk.named(alternative, |walk| {
                        let inner = walk.choose(id, alternative, place);
                        walk.content_of(content, node, &inner);
                    });
                });
            });
            arms.push((numbers, arm));
        }
        arms
    }

    /// A decoder's statements for an added alternative, after the first bits of its index; one of a
    /// later version is kept.
    fn take_any_added(&mut self, id: TypeId, (added, bits): (&[Way], u32), first: Var, place: &Place) {
        let index = self.take_added_index(first, bits);
        let known = self.added_arms(id, (0, added), Told::Index(Width::Anywhere(bits)), place);
        self.phase = None;
        let later = self.block(|walk| {
            let count = walk.open_length();
            walk.push(Stream::TakeOther { id, place: place.clone(), index: Num::Var(index), count });
        });
        if known.is_empty() {
            return later.into_iter().for_each(|statement| self.draft.push(statement));
        }
        let otherwise = Some(self.block(|walk| walk.match_numbers(index, false, known, None)));
        let condition = Cond::AtLeast(Num::Var(index), added.len() as u64);
        self.draft.push(Stmt::If { condition, then: later, otherwise });
    }

    /// The statements for a number that was read, and for the octets that follow it.
    fn match_numbers(&mut self, number: Var, is_hex: bool, arms: Vec<Arm>, later: Option<Later>) {
        let (mut groups, mut places) = (Vec::<(u64, Vec<Arm>)>::new(), HashMap::new());
        for (mut numbers, block) in arms {
            let first = numbers.remove(0);
            let at = *places.entry(first).or_insert(groups.len());
            if at == groups.len() {
                groups.push((first, Vec::new()));
            }
            groups[at].1.push((numbers, block));
        }
        let arm = |(first, mut group): (u64, Vec<Arm>)| match group.as_slice() {
            [(rest, _)] if rest.is_empty() => (first, first, group.remove(0).1),
            _ => {
                let block = self.block(|walk| {
                    let rest = walk.take(8);
                    walk.settle();
                    let later = later.clone().map(|later| Later { read: later.read + 1, ..later });
                    walk.match_numbers(rest, is_hex, group, later);
                });
                (first, first, block)
            }
        };
        let arms = groups.into_iter().map(arm).collect();
        let others = later
            .map(|Later { id, place, read }| vec![Stmt::Settle, Stmt::Stream(Stream::TakeTagged { id, place, read })]);
        self.push(Stream::Match { number: Num::Var(number), is_hex, arms, others });
    }

    /// The tags of all alternatives.
    fn known_tags(&self, tags: Span) -> Vec<u32> {
        self.draft.layout.numbers(tags).iter().step_by(2).copied().collect()
    }

    /// The numbers of an alternative: its tag's octets, or its index in the root; `None` if it has
    /// no tag of its own.
    fn numbers(&self, told: Told, at: usize) -> Option<Vec<u64>> {
        let Told::Tag(tags) = told else { return Some(vec![at as u64]) };
        let mut pairs = self.draft.layout.numbers(tags).chunks_exact(2);
        let (octets, bits) = tag_octets(pairs.find(|pair| pair[1] as usize == at)?[0]);
        Some((0..bits / 8).rev().map(|octet| octets >> (octet * 8) & 0xff).collect())
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
