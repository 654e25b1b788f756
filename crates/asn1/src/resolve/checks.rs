//! Checks on finished types: distinct tags (X.680 §25.6, §27.3, §29.4, §52.7) and types that have a
//! finite value.

use std::collections::{BTreeMap, HashMap, HashSet};

use roadwire_model::{Field, Kind, Presence, QualifiedName, Tag, TypeId};

use super::components::Structure;
use super::{Resolver, SlotState};

/// A component's possible outermost tags.
struct Tags {
    list: Vec<Tag>,
    /// An untagged open type may have any tag.
    any: bool,
    /// An extensible CHOICE without a tag has alternatives of later versions, with tags that are
    /// not known.
    unknown: bool,
}

/// A type whose tag may be unknown.
#[derive(Clone, Copy)]
enum Unknown {
    /// An alternative of a component that is a CHOICE.
    Alternative(usize),
    /// An addition at the extension insertion point of the type itself.
    Addition,
}

impl Resolver<'_> {
    /// The distinct-tag rules for every SEQUENCE, SET and CHOICE in the text.
    pub(super) fn check_structures(&mut self) {
        for structure in std::mem::take(&mut self.structures) {
            if !matches!(self.slot(structure.id).state, SlotState::Done) {
                continue;
            }
            match self.slot(structure.id).ty.kind.clone() {
                Kind::Choice { alternatives, .. } => {
                    let ids: Vec<TypeId> = alternatives.iter().map(|a| a.type_id).collect();
                    self.all_distinct(&structure, &ids, ("of a CHOICE", "§29.4"));
                }
                Kind::Sequence { set: true, components, .. } => {
                    let ids: Vec<TypeId> = components.iter().map(|c| c.type_id).collect();
                    self.all_distinct(&structure, &ids, ("of a SET", "§27.3"));
                    self.additions_ascend(&structure, &components);
                }
                Kind::Sequence { components, .. } => self.runs_distinct(&structure, &components),
                _ => {}
            }
        }
    }

    fn all_distinct(&mut self, structure: &Structure, ids: &[TypeId], of: (&str, &str)) {
        let mut seen: HashMap<Tag, usize> = HashMap::new();
        let mut unknown = structure.insertion.map(|_| Unknown::Addition);
        for (index, id) in ids.iter().enumerate() {
            let Some(tags) = self.outermost(*id) else {
                continue;
            };
            let twice = tags.list.iter().find_map(|t| seen.get(t).map(|at| (*t, *at)));
            if let Some((tag, at)) = twice {
                self.same_tag(structure, index, at, tag, of);
                continue;
            }
            for tag in tags.list {
                seen.insert(tag, index);
            }
            if tags.any && ids.len() > 1 {
                self.any_tag(structure, index);
            }
            if tags.unknown {
                self.next_unknown(structure, &mut unknown, Unknown::Alternative(index));
            }
        }
    }

    /// X.680 §27.3: an addition to a SET has a tag above those of the additions before it.
    fn additions_ascend(&mut self, structure: &Structure, components: &[roadwire_model::Component]) {
        let mut greatest: Option<Tag> = None;
        for (index, component) in components.iter().enumerate().filter(|(_, one)| one.field != Field::Root) {
            let list = self.outermost(component.type_id).map_or_else(Vec::new, |tags| tags.list);
            let is_below = list.iter().any(|tag| greatest.is_some_and(|greatest| *tag < greatest));
            if let Some(name) = structure.names.get(index).filter(|_| is_below) {
                let message =
                    format!("the tag of `{}` is below that of an earlier addition to the SET (X.680 §27.3)", name.name);
                self.sink.warning("asn1.tag.order", name.span, message);
            }
            greatest = greatest.max(list.into_iter().max());
        }
    }

    /// X.680 §52.7: additions of a later version can be of one insertion point only.
    fn next_unknown(&mut self, structure: &Structure, before: &mut Option<Unknown>, next: Unknown) {
        let name = |index: usize| structure.names.get(index);
        let told = match (before.replace(next), next) {
            (Some(Unknown::Alternative(first)), Unknown::Alternative(second)) => {
                name(first).zip(name(second)).map(|(first, second)| {
                    (second.span, format!("`{}` or of `{}`, which have no tags", first.name, second.name))
                })
            }
            (Some(Unknown::Alternative(only)), Unknown::Addition)
            | (Some(Unknown::Addition), Unknown::Alternative(only)) => name(only)
                .map(|only| (only.span, format!("`{}`, which has no tag, or an addition to this type", only.name))),
            (Some(Unknown::Addition), Unknown::Addition) | (None, _) => None,
        };
        if let Some((span, of_what)) = told {
            let message = format!("what a later version adds may be an alternative of {of_what} (X.680 §52.7)");
            self.error("asn1.tag.extension", span, message);
        }
    }

    /// X.680 §25.6: within a run of components that may be absent, and with the one after it.
    fn runs_distinct(&mut self, structure: &Structure, components: &[roadwire_model::Component]) {
        // Tags that may come next because earlier components are absent; with the addition group of
        // a mandatory component.
        let mut run: HashMap<Tag, (usize, Option<u32>)> = HashMap::new();
        let mut open_before = None;
        let mut unknown = None;
        for (index, component) in components.iter().enumerate() {
            if structure.insertion == Some(index) {
                self.next_unknown(structure, &mut unknown, Unknown::Addition);
            }
            let Some(tags) = self.outermost(component.type_id) else {
                continue;
            };
            let group = match component.field {
                Field::Group(g) => Some(g),
                _ => None,
            };
            let may_be_absent = component.presence != Presence::Mandatory;
            let twice = tags.list.iter().find_map(|t| {
                let (at, passed) = run.get(t)?;
                let same_group = passed.is_some() && *passed == group;
                (!same_group).then_some((*t, *at))
            });
            if let Some((tag, at)) = twice {
                let of = ("in a run of components that may be absent", "§25.6");
                self.same_tag(structure, index, at, tag, of);
                return;
            }
            if open_before.is_some() {
                if let Some(before) = open_before {
                    self.any_tag(structure, before);
                }
                return;
            }
            let before_open = |passed: &Option<u32>| passed.is_none() || *passed != group;
            if tags.any && run.values().any(|(_, passed)| before_open(passed)) {
                self.any_tag(structure, index);
                return;
            }
            if tags.unknown {
                self.next_unknown(structure, &mut unknown, Unknown::Alternative(index));
            }
            if !may_be_absent && component.field == Field::Root {
                run.clear();
                unknown = None;
                continue;
            }
            for tag in tags.list {
                run.insert(tag, (index, if may_be_absent { None } else { group }));
            }
            if tags.any && may_be_absent {
                open_before = Some(index);
            }
        }
        if structure.insertion == Some(components.len()) {
            self.next_unknown(structure, &mut unknown, Unknown::Addition);
        }
    }

    fn same_tag(&mut self, structure: &Structure, index: usize, before: usize, tag: Tag, (of, clause): (&str, &str)) {
        let (Some(name), Some(first)) = (structure.names.get(index), structure.names.get(before)) else {
            return;
        };
        let class = match tag.class {
            roadwire_model::TagClass::Universal => "UNIVERSAL ",
            roadwire_model::TagClass::Application => "APPLICATION ",
            roadwire_model::TagClass::Context => "",
            roadwire_model::TagClass::Private => "PRIVATE ",
        };
        let message = format!(
            "`{}` has the tag [{class}{}], as `{}` has: tags {of} must differ (X.680 {clause})",
            name.name, tag.number, first.name
        );
        let note = self.defined_at(first);
        self.sink.error_note("asn1.tag.duplicate", name.span, message, Some(note));
    }

    fn any_tag(&mut self, structure: &Structure, index: usize) {
        if let Some(name) = structure.names.get(index) {
            self.sink.error(
                "asn1.tag.open",
                name.span,
                format!(
                    "`{}` is an open type without a tag and may look like any other component here (X.680 §25.6)",
                    name.name
                ),
            );
        }
    }

    /// `None` for a type that was not built.
    fn outermost(&mut self, id: TypeId) -> Option<Tags> {
        let mut tags = Tags { list: Vec::new(), any: false, unknown: false };
        let mut visited = HashSet::new();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if !visited.insert(id) {
                continue;
            }
            let span = self.slot(id).span;
            self.spend(1, span).ok()?;
            let slot = self.slot(id);
            if !matches!(slot.state, SlotState::Done) {
                return None;
            }
            if let Some(first) = slot.ty.tags.first() {
                tags.list.push(*first);
                continue;
            }
            match &slot.ty.kind {
                Kind::Choice { alternatives, extensible } => {
                    tags.unknown |= *extensible;
                    open.extend(alternatives.iter().map(|a| a.type_id));
                }
                Kind::Open { .. } => tags.any = true,
                _ => {}
            }
        }
        Some(tags)
    }

    /// A type whose values would all be infinite has no value.
    pub(super) fn check_finite(&mut self, definitions: &BTreeMap<QualifiedName, TypeId>) {
        let finite = self.finite_types();
        let mut reported = vec![false; self.slots.len()];
        for start in 0..self.slots.len() {
            if finite[start] || reported[start] {
                continue;
            }
            // Follow the infinite parts until the circle closes.
            let mut path = Vec::new();
            let mut at = start;
            while !reported[at] {
                reported[at] = true;
                path.push(at);
                match self.needed(TypeId(at as u32)).into_iter().find(|n| !finite[n.0 as usize]) {
                    Some(next) => at = next.0 as usize,
                    None => break,
                }
            }
            let Some(from) = path.iter().position(|p| *p == at) else {
                continue;
            };
            let circle = &path[from..];
            // Best reported for a definition: one in the circle, or one of which a member of the
            // circle is a use.
            let name = circle.iter().find_map(|i| self.slots[*i].ty.known_as());
            let at = name.and_then(|n| definitions.get(n)).map_or(circle[0], |id| id.0 as usize);
            let what = name.map_or("this type".to_owned(), |n| format!("`{}`", n.name));
            let span = self.slots[at].span;
            self.error(
                "asn1.type.infinite",
                span,
                format!("{what} contains itself without end: it has no finite value"),
            );
        }
    }

    /// For each slot, whether it has a finite value: the least fixed point, by worklist.
    fn finite_types(&self) -> Vec<bool> {
        let count = self.slots.len();
        let mut finite = vec![false; count];
        let mut users: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut missing = vec![0u32; count];
        let mut ready = Vec::new();
        for (index, slot) in self.slots.iter().enumerate() {
            let needed = self.needed(TypeId(index as u32));
            let one_is_enough = matches!(slot.ty.kind, Kind::Choice { .. } | Kind::Open { .. });
            missing[index] = if one_is_enough { needed.len().min(1) as u32 } else { needed.len() as u32 };
            for child in needed {
                if let Some(list) = users.get_mut(child.0 as usize) {
                    list.push(index as u32);
                }
            }
            if missing[index] == 0 {
                ready.push(index);
            }
        }
        while let Some(index) = ready.pop() {
            if std::mem::replace(&mut finite[index], true) {
                continue;
            }
            for user in std::mem::take(&mut users[index]) {
                let left = &mut missing[user as usize];
                *left = left.saturating_sub(1);
                if *left == 0 {
                    ready.push(user as usize);
                }
            }
        }
        finite
    }

    /// The types that a value of this one needs (for a CHOICE and an open type: one of them).
    fn needed(&self, id: TypeId) -> Vec<TypeId> {
        let slot = self.slot(id);
        if !matches!(slot.state, SlotState::Done) {
            return Vec::new();
        }
        match &slot.ty.kind {
            Kind::Sequence { components, .. } => components
                .iter()
                .filter(|c| c.presence == Presence::Mandatory && c.field == Field::Root)
                .map(|c| c.type_id)
                .collect(),
            Kind::Choice { alternatives, .. } => alternatives.iter().map(|a| a.type_id).collect(),
            Kind::Open { table: Some(table) } if table.link.is_empty() && !table.extensible => {
                table.rows.iter().map(|row| row.1).collect()
            }
            Kind::SequenceOf { element, size, .. } if size.lower > 0 => vec![*element],
            Kind::OctetString { contains: Some(inner), .. } | Kind::BitString { contains: Some(inner), .. } => {
                vec![*inner]
            }
            _ => Vec::new(),
        }
    }
}
