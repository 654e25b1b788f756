//! The components of a SEQUENCE or SET.

use std::collections::{HashMap, HashSet};

use roadwire_layout::{Family, Presence as Bit};
use roadwire_model::{Component, Field, Kind, Presence};

use super::{Meaning, Target, Walk};
use crate::outcome::Outcomes;
use crate::pairing::{self, Pairings, plain, same_kind};
use crate::shape::{Key, Order, Part, Record, Shape, What, shape};

/// The components of two types, and which are counterparts.
struct Pairs<'m> {
    from: &'m [Component],
    to: &'m [Component],
    counterparts: Vec<Option<usize>>,
}

impl Pairs<'_> {
    fn of(&self, at: usize) -> Option<usize> {
        self.counterparts.get(at).copied().flatten()
    }
}

/// Components of the writer that the reader has read as components of its own.
type Delivered = HashSet<(usize, usize)>;

impl<'m> Walk<'m> {
    pub(super) fn records(&mut self, meaning: Meaning, one: &Record, other: &Record) -> Outcomes {
        let pairs = match self.kinds(meaning) {
            Some((Kind::Sequence { components: from, .. }, Kind::Sequence { components: to, .. })) => {
                Some(Pairs { from, to, counterparts: pairing::components(self.versions, from, to) })
            }
            _ => None,
        };
        if one.complete {
            self.defaults(one, other);
        }
        let mut delivered = HashSet::new();
        let mut all = self.parts(pairs.as_ref(), &complete(one), other, &mut delivered);
        let Some(pairs) = pairs else { return all };
        let is_in_step = all.meets(Outcomes::IN_STEP);
        // A component that the reader has, but does not find here.
        for (at, place) in pairs.counterparts.iter().enumerate() {
            let Some(place) = place.filter(|place| !delivered.contains(&(at, *place))) else { continue };
            let (from, to) = (&pairs.from[at], &pairs.to[place]);
            self.path.push(from.name.clone());
            let has_place = self.has_place(from, to);
            self.differ("where the component is");
            if !is_in_step {
                self.path.pop();
                continue;
            }
            let lost = match has_place {
                true => self.misreads("the reader does not find the component"),
                false => self.skips("the component has another type"),
            };
            let may_be_absent = from.presence == Presence::Mandatory && from.field == Field::Root;
            let absent = if may_be_absent { Outcomes::NONE } else { self.absent(from, to) };
            // The reader takes octets of another part for it, which may happen to be equal.
            let coincidence = if all.has(Outcomes::MISREADS) { Outcomes::AGREES } else { Outcomes::NONE };
            all = all.then(lost.or(absent).or(coincidence));
            self.path.pop();
        }
        all
    }

    /// A component at its DEFAULT is written, unless it is an addition and its whole group is
    /// absent: so it makes a difference which additions come together.
    fn defaults(&mut self, one: &Record, other: &Record) {
        let targets = targets(&one.parts, &other.parts);
        for (at, part) in one.parts.iter().enumerate().filter(|(_, part)| matches!(part.presence, Bit::Default(_))) {
            let same = match targets[at] {
                Target::One(to) => {
                    let place = |at: usize| match targets[at] {
                        Target::One(to) => Some(to),
                        Target::None | Target::Several => None,
                    };
                    let written = together(&one.parts, at).map(place);
                    part.group.is_some() == other.parts[to].group.is_some()
                        && written.eq(together(&other.parts, to).map(Some))
                }
                Target::None | Target::Several => false,
            };
            if !same {
                self.differ("components at their DEFAULT");
            }
        }
    }

    fn parts(
        &mut self,
        pairs: Option<&Pairs<'m>>,
        one: &Record,
        other: &Record,
        delivered: &mut Delivered,
    ) -> Outcomes {
        if one.complete != other.complete {
            self.differ("components at their DEFAULT");
        }
        match (one.order, other.order) {
            (Order::Places { unit }, Order::Places { .. }) => self.by_place(pairs, one, other, unit, delivered),
            (Order::Events, Order::Events) => self.by_event(pairs, one, other, delivered),
            (Order::Keys { .. } | Order::AnyKeys, Order::Keys { .. } | Order::AnyKeys) => {
                self.by_key(pairs, one, other, delivered)
            }
            _ => self.unknown("the components are written in another way"),
        }
    }

    /// PER, OER: first bits for the parts that may be absent, then the parts, and additions after
    /// them.
    fn by_place(
        &mut self,
        pairs: Option<&Pairs<'m>>,
        one: &Record,
        other: &Record,
        unit: u32,
        delivered: &mut Delivered,
    ) -> Outcomes {
        let preamble = |record: &Record| {
            let optional = record.parts.iter().filter(|part| !part.addition && part.presence != Bit::Mandatory);
            (optional.count() + usize::from(record.extensible)).next_multiple_of(unit as usize)
        };
        if preamble(one) != preamble(other) || one.extensible != other.extensible {
            self.differ("the leading bits");
            self.give_up(pairs, &one.parts, delivered);
            return self.astray("the bits before the components differ");
        }
        let split =
            |record: &'_ Record| record.parts.iter().position(|part| part.addition).unwrap_or(record.parts.len());
        let ((first, additions), (others, known)) =
            (one.parts.split_at(split(one)), other.parts.split_at(split(other)));
        let mut all = Outcomes::AGREES;
        for at in 0..first.len().max(others.len()) {
            let next = match (first.get(at), others.get(at)) {
                (Some(one), Some(other)) if is_optional(one) == is_optional(other) => {
                    self.part(pairs, one, other, delivered)
                }
                (Some(one), None) if is_optional(one) => Outcomes::AGREES
                    .or(self.refuses("the reader does not know the component"))
                    .or(self.astray("the reader does not know the component")),
                (None, Some(other)) if is_optional(other) => Outcomes::AGREES,
                _ => {
                    self.differ("the components of the root");
                    self.astray("the components of the root are others")
                }
            };
            if !all.then(next).meets(Outcomes::IN_STEP) || next.has(Outcomes::ASTRAY) {
                self.give_up(pairs, &one.parts[at.min(one.parts.len())..], delivered);
            }
            all = all.then(next);
            if !all.meets(Outcomes::IN_STEP) {
                return all;
            }
        }
        if additions.len() != known.len() && !additions.is_empty() && !known.is_empty() {
            self.differ("the number of additions");
        }
        for (at, addition) in additions.iter().enumerate() {
            let next = match known.get(at) {
                Some(other) => self.part(pairs, addition, other, delivered).framed(),
                None => self.skips("the reader does not know the addition"),
            };
            all = all.then(next.or(Outcomes::AGREES));
        }
        all
    }

    /// Notes that what becomes of these parts has been counted: they are refused, or what is read
    /// for them is left to chance.
    fn give_up(&self, pairs: Option<&Pairs<'m>>, parts: &[Part], delivered: &mut Delivered) {
        for part in parts {
            match part.what {
                What::Component(at) => {
                    let place = pairs.and_then(|pairs| pairs.of(at as usize));
                    delivered.extend(place.map(|place| (at as usize, place)));
                }
                What::Group => {
                    if let Shape::Record(group) = shape(self.writer, part.node) {
                        self.give_up(pairs, &group.parts, delivered);
                    }
                }
            }
        }
    }

    /// EXI: parts one after the other, with codes whose widths are those of the parts' nodes.
    fn by_event(
        &mut self,
        pairs: Option<&Pairs<'m>>,
        one: &Record,
        other: &Record,
        delivered: &mut Delivered,
    ) -> Outcomes {
        if one.header != other.header {
            self.differ("the first event code");
            return self.astray("the first event code has another width");
        }
        let places: Vec<_> =
            (0..one.parts.len()).map(|at| other.parts.get(at).map_or(Target::None, |_| Target::One(at))).collect();
        let known = with_whole_groups(one, other, &places);
        let mut all = Outcomes::AGREES;
        for at in 0..one.parts.len().max(other.parts.len()) {
            let next = match (one.parts.get(at), known.get(at)) {
                (Some(one), Some(other)) if may_be_absent(one) == may_be_absent(other) => {
                    self.part(pairs, one, other, delivered)
                }
                _ => {
                    self.differ("which events can come next");
                    self.astray("other events can come next")
                }
            };
            all = all.then(next);
        }
        all
    }

    /// Parts that are known by their tags, names or numbers.
    fn by_key(
        &mut self,
        pairs: Option<&Pairs<'m>>,
        one: &Record,
        other: &Record,
        delivered: &mut Delivered,
    ) -> Outcomes {
        if one.header != other.header {
            self.differ("the parts that are not elements");
            return self.unknown("other components are not elements");
        }
        if one.rearranged != other.rearranged {
            self.differ("the order of components");
        }
        let targets = targets(&one.parts, &other.parts);
        // Where the writer has each part of the reader's.
        let mut sources: Vec<Option<usize>> = vec![None; other.parts.len()];
        for (at, target) in targets.iter().enumerate() {
            if let Target::One(to) = target {
                sources[*to].get_or_insert(at);
            }
        }
        let has_all = one.parts.iter().all(|part| !may_be_absent(part));
        let members = with_whole_groups(one, other, &targets);
        let mut all = Outcomes::AGREES;
        let mut furthest: Option<usize> = None;
        let mut swallowed = false;
        for (at, (part, found)) in one.parts.iter().zip(&targets).enumerate() {
            let next = match found {
                Target::Several => self.unknown("its tags lead to several components"),
                Target::None => {
                    swallowed = other.extensible;
                    let is_paired = match (pairs, part.what) {
                        (Some(pairs), What::Component(at)) => pairs.of(at as usize).is_some(),
                        _ => false,
                    };
                    let unknown = self.unknown_part(other, at, &sources);
                    // A counterpart elsewhere is counted where the reader does not find it.
                    if is_paired && unknown.has(Outcomes::SKIPS) { unknown.or(Outcomes::AGREES) } else { unknown }
                }
                Target::One(to) => {
                    let mut outcomes = self.part(pairs, part, &members[*to], delivered).framed();
                    let is_behind = furthest.is_some_and(|furthest| furthest > *to);
                    if is_ordered(other) && (is_behind || swallowed && is_greedy(other, *to)) {
                        let order = "the components are in another order";
                        let is_required = !may_be_absent(&other.parts[*to]);
                        let wrong = match !is_required && other.extensible && is_greedy(other, *to) {
                            // An addition is taken for an unknown one, or is not where these may
                            // be.
                            true => self.misreads(order).or(self.refuses(order)),
                            false => self.refuses(order),
                        };
                        let is_certain = is_behind && has_all;
                        outcomes = if is_certain { wrong } else { outcomes.or(wrong) };
                    }
                    if swallowed && !is_ordered(other) && self.is_kept_as_unknown(&other.parts[*to]) {
                        let after = "an addition after an unknown one is taken for unknown";
                        outcomes = outcomes.or(self.misreads(after)).or(self.refuses(after));
                    }
                    if furthest.is_some_and(|furthest| furthest > *to) {
                        self.differ("the order of components");
                    }
                    furthest = furthest.max(Some(*to));
                    outcomes
                }
            };
            all = all.then(if is_optional(part) || part.addition {
                next.or(self.part_absent(pairs, part, found, &members))
            } else if part.empty_if_absent {
                next.or(self.part_empty(pairs, part, found, &members))
            } else {
                next
            });
        }
        if one.rearranged && is_ordered(other) {
            all = all.or(self.refuses("the components are in another order"));
        }
        for (at, part) in other.parts.iter().enumerate() {
            if sources[at].is_some() || is_optional(part) {
                continue;
            }
            let outcomes = match part.group {
                None if part.empty_if_absent => self.misreads("the reader takes a missing list for an empty one"),
                None if part.addition => Outcomes::AGREES,
                None => self.refuses("a component is missing that the reader requires"),
                // Required if another member of its group is present.
                Some(group) => {
                    let of_group = |target: &Target<usize>| matches!(target, Target::One(to) if other.parts[*to].group == Some(group));
                    match targets.iter().any(of_group) {
                        true => {
                            self.refuses("a member of a group is missing that the reader requires").or(Outcomes::AGREES)
                        }
                        false => Outcomes::AGREES,
                    }
                }
            };
            all = all.then(outcomes);
        }
        all
    }

    /// Whether an addition of a SET is taken for an unknown one after an unknown one: XER keeps all
    /// elements from there on.
    fn is_kept_as_unknown(&self, part: &Part) -> bool {
        self.reader.rules.family() == Family::Xml && part.addition
    }

    /// A part that the reader does not know, the writer's at place `at`.
    fn unknown_part(&mut self, other: &Record, at: usize, sources: &[Option<usize>]) -> Outcomes {
        let name = "the reader does not know the component";
        if !other.extensible {
            return self.refuses(name);
        }
        let Order::Keys { start, end, .. } = other.order else { return self.skips(name) };
        let before = |to: usize| sources[to].is_some_and(|source| source < at);
        let after = |to: usize| sources[to].is_some_and(|source| source > at);
        let is_mandatory = |to: &usize| !is_optional(&other.parts[*to]) && !other.parts[*to].addition;
        let too_early = (0..start.min(other.parts.len())).any(|to| is_mandatory(&to) && !before(to));
        let maybe_early = (0..start.min(other.parts.len())).any(after);
        let too_late = (end..other.parts.len()).any(before);
        match (too_early || too_late, maybe_early) {
            (true, _) => {
                self.refuses("an unknown component is not where the reader expects additions").or(Outcomes::SKIPS)
            }
            (false, true) => {
                self.refuses("an unknown component is not where the reader expects additions").or(self.skips(name))
            }
            (false, false) => self.skips(name),
        }
    }

    /// A part of the writer and the part of the reader that reads it.
    fn part(&mut self, pairs: Option<&Pairs<'m>>, one: &Part, other: &Part, delivered: &mut Delivered) -> Outcomes {
        let (from, to) = match (one.what, other.what) {
            (What::Component(from), What::Component(to)) => (from as usize, to as usize),
            (What::Group, What::Group) => {
                let (Shape::Record(from), Shape::Record(to)) =
                    (shape(self.writer, one.node), shape(self.reader, other.node))
                else {
                    return self.unknown("no group");
                };
                return self.parts(pairs, &from, &to, delivered).or(Outcomes::AGREES);
            }
            _ if self.is_by_place(one, other) => {
                let of = |walk: &Self, part: &Part, layout| match part.what {
                    What::Group => shape(layout, part.node),
                    What::Component(_) => Shape::Record(walk.alone(part)),
                };
                let (Shape::Record(from), Shape::Record(to)) =
                    (of(self, one, self.writer), of(self, other, self.reader))
                else {
                    return self.unknown("no group");
                };
                return self.parts(pairs, &from, &to, delivered).or(Outcomes::AGREES);
            }
            _ => {
                self.differ("an addition group");
                let inner = self.nodes(Meaning::Another, one.node, other.node).as_another();
                if inner.has(Outcomes::MISREADS) {
                    self.note(Outcomes::MISREADS, "an addition group is read as a component");
                } else {
                    self.give_up(pairs, std::slice::from_ref(one), delivered);
                }
                return inner.or(Outcomes::AGREES).or(self.left_out(pairs, one));
            }
        };
        let Some(pairs) = pairs else {
            let inner = self.nodes(Meaning::Another, one.node, other.node);
            return if is_optional(one) { inner.or(Outcomes::AGREES) } else { inner };
        };
        self.path.push(pairs.from.get(from).map_or_else(String::new, |one| one.name.clone()));
        let outcomes = if pairs.of(from) == Some(to) {
            delivered.insert((from, to));
            let (one_type, other_type) = (&pairs.from[from], &pairs.to[to]);
            let has_other_default = is_default(one_type) != is_default(other_type)
                || !self.same_default(one_type, other_type)
                || is_default(one_type) && self.has_other_zeros(one_type, other_type);
            if has_other_default {
                self.differ("the DEFAULT");
            }
            let mut inner = self.nodes(Meaning::Same(one_type.type_id, other_type.type_id), one.node, other.node);
            if self.is_deterministic() && is_default(other_type) && !self.same_default(one_type, other_type) {
                inner = inner.or(self.refuses("the reader wants no component that is at its DEFAULT"));
            }
            // A required part of the reader's that may be absent.
            if is_optional(one) || one.addition {
                inner.or(self.absent_for(one_type, other_type, other))
            } else {
                inner
            }
        } else {
            self.differ("the content of this place");
            let inner = self.nodes(Meaning::Another, one.node, other.node).as_another();
            if inner.has(Outcomes::MISREADS) {
                self.note(Outcomes::MISREADS, "it is read as another component");
            }
            // The octets that are read instead may happen to be equal.
            let inner = if inner.has(Outcomes::MISREADS) { inner.or(Outcomes::AGREES) } else { inner };
            if is_optional(one) || one.addition { inner.or(Outcomes::AGREES) } else { inner }
        };
        self.path.pop();
        outcomes
    }

    /// The outcome if all of a part is left out: DEFAULTs may differ.
    fn left_out(&mut self, pairs: Option<&Pairs<'m>>, part: &Part) -> Outcomes {
        let Some(pairs) = pairs else { return Outcomes::AGREES };
        let parts = match (part.what, shape(self.writer, part.node)) {
            (What::Group, Shape::Record(group)) => group.parts,
            _ => vec![part.clone()],
        };
        let mut all = Outcomes::AGREES;
        for part in parts {
            let What::Component(at) = part.what else { continue };
            if let Some(place) = pairs.of(at as usize) {
                all = all.or(self.absent(&pairs.from[at as usize], &pairs.to[place]));
            }
        }
        all
    }

    /// Whether an addition and an addition group are written alike.
    fn is_by_place(&self, one: &Part, other: &Part) -> bool {
        let is_record = |layout, part: &Part| {
            part.what != What::Group
                || matches!(shape(layout, part.node), Shape::Record(Record { order: Order::Places { .. }, .. }))
        };
        !self.framed && is_record(self.writer, one) && is_record(self.reader, other)
    }

    /// An addition as a group of one member.
    fn alone(&self, part: &Part) -> Record {
        let unit = if self.writer.rules.family() == Family::Octet { 8 } else { 1 };
        let part = Part { addition: false, presence: Bit::Mandatory, ..part.clone() };
        let (order, first_octets) = (Order::Places { unit }, crate::shape::ANY_FIRST_OCTETS);
        let parts = vec![part];
        Record { order, extensible: false, complete: false, parts, rearranged: false, first_octets, header: Vec::new() }
    }

    /// The outcome where the writer leaves out a part.
    fn part_absent(
        &mut self,
        pairs: Option<&Pairs<'m>>,
        part: &Part,
        found: &Target<usize>,
        members: &[Part],
    ) -> Outcomes {
        let (Target::One(to), Some(pairs), What::Component(at)) = (found, pairs, part.what) else {
            return Outcomes::AGREES;
        };
        let to = &members[*to];
        let What::Component(place) = to.what else { return Outcomes::AGREES };
        match pairs.of(at as usize) == Some(place as usize) {
            true => self.absent_for(&pairs.from[at as usize], &pairs.to[place as usize], to),
            false if is_optional(to) || to.addition => Outcomes::AGREES,
            false => self.refuses("a component may be missing that the reader requires"),
        }
    }

    /// The outcome where the writer has a list without elements, for which it writes nothing.
    fn part_empty(
        &mut self,
        pairs: Option<&Pairs<'m>>,
        part: &Part,
        found: &Target<usize>,
        members: &[Part],
    ) -> Outcomes {
        let What::Component(at) = part.what else { return Outcomes::AGREES };
        let place = pairs.and_then(|pairs| pairs.of(at as usize));
        let Target::One(to) = found else {
            // A counterpart elsewhere is counted where the reader does not find it.
            return if place.is_some() {
                Outcomes::AGREES
            } else {
                self.skips("the reader does not know the component")
            };
        };
        let to = &members[*to];
        let is_counterpart = matches!(to.what, What::Component(to) if place == Some(to as usize));
        match is_optional(to) || to.addition {
            _ if to.empty_if_absent => Outcomes::AGREES,
            true if is_counterpart => self.misreads("the reader takes an empty list for a missing one"),
            true => Outcomes::AGREES,
            false => self.refuses("a component may be missing that the reader requires"),
        }
    }

    fn absent_for(&mut self, from: &Component, to: &Component, part: &Part) -> Outcomes {
        if part.empty_if_absent && !is_optional(part) {
            return self.misreads("the reader takes a missing list for an empty one");
        }
        if !is_optional(part) && !part.addition && self.framed {
            return self.refuses("a component may be missing that the reader requires");
        }
        if part.group.is_some() && !is_optional(part) {
            return self.absent(from, to).or(self.refuses("a component may be missing that the reader requires"));
        }
        self.absent(from, to)
    }

    /// The value that an absent component has for the reader.
    fn absent(&mut self, from: &Component, to: &Component) -> Outcomes {
        match (&from.presence, &to.presence) {
            (Presence::Default(_), Presence::Default(_)) if self.same_default(from, to) => Outcomes::AGREES,
            (Presence::Default(_), _) if !self.has_place(from, to) => self.skips("the component has another type"),
            (Presence::Default(_), _) => self.misreads("an absent component stands for another value"),
            (Presence::Mandatory | Presence::Optional, _) => Outcomes::AGREES,
        }
    }

    /// Whether trailing zero bits mean something to one component alone: then a value with more of
    /// them than the DEFAULT is left out by the other alone.
    fn has_other_zeros(&self, from: &Component, to: &Component) -> bool {
        match (&self.versions.from.get(from.type_id).kind, &self.versions.to.get(to.type_id).kind) {
            (Kind::BitString { named: one, .. }, Kind::BitString { named: other, .. }) => {
                one.is_empty() != other.is_empty()
            }
            _ => false,
        }
    }

    /// Whether a value of one component can be one of the other.
    fn has_place(&self, from: &Component, to: &Component) -> bool {
        let (from, to) = (plain(self.versions.from, from.type_id), plain(self.versions.to, to.type_id));
        same_kind(&self.versions.from.get(from).kind, &self.versions.to.get(to).kind)
    }

    fn same_default(&self, from: &Component, to: &Component) -> bool {
        match (&from.presence, &to.presence) {
            (Presence::Default(one), Presence::Default(other)) => {
                let ids = (from.type_id, to.type_id);
                crate::agree::judge(&Pairings::new(self.versions), ids, one, other).0 == Outcomes::AGREES
            }
            _ => !is_default(from) && !is_default(to),
        }
    }
}

/// Who writes components at their DEFAULT leaves none of them out.
fn complete(record: &Record) -> Record {
    let mut record = record.clone();
    for part in record.parts.iter_mut().filter(|part| record.complete && matches!(part.presence, Bit::Default(_))) {
        part.presence = Bit::Mandatory;
    }
    record
}

fn is_optional(part: &Part) -> bool {
    part.presence != Bit::Mandatory
}

fn may_be_absent(part: &Part) -> bool {
    is_optional(part) || part.addition
}

fn is_default(component: &Component) -> bool {
    matches!(component.presence, Presence::Default(_))
}

/// The reader's parts, those of an addition group as parts that may be absent if they come from one
/// group, or one addition, of the writer's: then they are absent together.
fn with_whole_groups(one: &Record, other: &Record, targets: &[Target<usize>]) -> Vec<Part> {
    let mut members = other.parts.clone();
    let sources = |group: u32| {
        let each = one.parts.iter().zip(targets).enumerate().filter_map(move |(at, (part, target))| match target {
            Target::One(to) if other.parts[*to].group == Some(group) => Some((at, part)),
            Target::One(_) | Target::None | Target::Several => None,
        });
        each.collect::<Vec<_>>()
    };
    for part in &mut members {
        let Some(group) = part.group else { continue };
        let sources = sources(group);
        let unit = |(at, part): &(usize, &Part)| part.group.map_or((false, *at), |group| (true, group as usize));
        let is_one_unit = sources.windows(2).all(|pair| unit(&pair[0]) == unit(&pair[1]));
        let own = sources
            .iter()
            .find(|(at, _)| matches!(&targets[*at], Target::One(to) if other.parts[*to].what == part.what));
        let is_alone = sources.len() == 1;
        if is_one_unit && own.is_some_and(|(_, own)| is_alone || !is_optional(own)) {
            (part.group, part.addition) = (None, true);
        }
    }
    members
}

/// The parts that are present or absent together with one: those of its addition group, or itself.
fn together(parts: &[Part], at: usize) -> impl Iterator<Item = usize> {
    let group = parts[at].group;
    (0..parts.len()).filter(move |other| *other == at || group.is_some() && parts[*other].group == group)
}

fn is_ordered(record: &Record) -> bool {
    matches!(record.order, Order::Keys { .. })
}

/// Whether a part is one of those that are taken for unknown ones once one of these has been read.
fn is_greedy(record: &Record, at: usize) -> bool {
    matches!(record.order, Order::Keys { end, greedy: true, .. } if at < end)
}

/// The part that a reader takes each part's keys for.
fn targets(all: &[Part], known: &[Part]) -> Vec<Target<usize>> {
    let mut places = HashMap::new();
    for (at, key) in known.iter().enumerate().flat_map(|(at, part)| part.keys.iter().map(move |key| (at, key))) {
        places.entry(key).or_insert(at);
    }
    let any = places.get(&Key::Any).copied();
    let find = |key: &Key| if *key == Key::Any { any } else { places.get(key).copied().or(any) };
    all.iter().map(|part| Target::of(part.keys.iter().map(|key| find(key).map(|at| (at, at))))).collect()
}
