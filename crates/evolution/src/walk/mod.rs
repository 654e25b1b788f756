//! The proof: two layouts of one set of rules side by side, the writer's and the reader's. It finds
//! every outcome that a value can have; what it does not find cannot happen.

mod leaf;
mod record;

use std::collections::{BTreeMap, HashMap, HashSet};

use roadwire_layout::{Layout, Node, NodeId, Properties, Rules};
use roadwire_model::{Kind, TypeId};

use crate::outcome::Outcomes;
use crate::pairing::{self, Versions, plain, same_kind};
use crate::shape::{Choice, FirstOctets, Key, List, OneOf, Shape, is_framed, shape};

/// The outcomes that follow from the layouts.
#[derive(Clone, Debug)]
pub(crate) struct Proof {
    /// The possible outcomes of a value.
    pub(crate) outcomes: Outcomes,
    /// Where values that both versions have can differ in their octets, if that can be.
    pub(crate) differs: Option<Reason>,
    /// Why outcomes other than agreement can happen: the first place for each.
    pub(crate) reasons: Vec<(Outcomes, Reason)>,
}

/// A place, and the difference found at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The field, from the outside in; empty for the message itself.
    pub path: String,
    /// The difference.
    pub what: String,
}

/// Compares two layouts, that of the writer and that of the reader, of the types `ids`.
pub(crate) fn prove(versions: Versions<'_>, ids: (TypeId, TypeId), writer: &Layout, reader: &Layout) -> Proof {
    let framed = is_framed(writer.rules.family());
    let mut walk = Walk {
        versions,
        writer,
        reader,
        framed,
        known: HashMap::new(),
        visited: HashSet::new(),
        changed: true,
        depth: 0,
        path: Vec::new(),
        reasons: BTreeMap::new(),
        differs: None,
        is_shared: true,
    };
    let mut outcomes = Outcomes::NONE;
    // Recursive types: a least fixed point, since values are finite. Each round adds an outcome to
    // some pair of nodes, or is the last one.
    while walk.changed {
        walk.changed = false;
        walk.visited.clear();
        outcomes = walk.nodes(Meaning::Same(ids.0, ids.1), writer.root, reader.root);
    }
    if outcomes.has(Outcomes::ASTRAY) && are_apart(writer, reader) {
        outcomes = walk.refuses("its messages are longer or shorter than any that the reader has");
        walk.reasons.insert(
            outcomes.order(),
            (
                outcomes,
                Reason {
                    path: String::new(),
                    what: "all messages are longer, or shorter, than any of the reader's".into(),
                },
            ),
        );
    }
    let reasons = walk.reasons.into_values().collect();
    Proof { outcomes, differs: walk.differs, reasons }
}

/// Whether no message of one version is as long as one of the other: then none can be read,
/// whatever is in it.
fn are_apart(one: &Layout, other: &Layout) -> bool {
    let (from, to) = (Properties::of(one).octets, Properties::of(other).octets);
    let is_below = |most: Option<u64>, fewest: u64| most.is_some_and(|most| most < fewest);
    let is_apart = is_grown(one) && is_below(from.most, to.fewest) || is_grown(other) && is_below(to.most, from.fewest);
    is_apart && has_fixed_roots(one) && has_fixed_roots(other)
}

/// Whether nothing of a later version makes a message longer.
fn is_grown(layout: &Layout) -> bool {
    let is_extensible =
        |node: &Node| matches!(node, Node::Record { extensible: true, .. } | Node::Choice { extensible: true, .. });
    !layout.nodes.iter().any(is_extensible)
        && !layout.nodes.iter().any(|node| matches!(node, Node::Numbered { extensible: true, .. }))
}

/// Whether there is no integer or size outside an extensible root.
fn has_fixed_roots(layout: &Layout) -> bool {
    !layout.nodes.iter().any(|node| match node {
        // A number of OER may have more octets than it needs.
        Node::Extension { .. } | Node::Enumerated { additions: Some(_), .. } | Node::Numbered { .. } => true,
        Node::Bits { extent, .. } | Node::Octets { extent } | Node::List { extent, .. } => extent.extensible,
        Node::Characters { extent, .. } => extent.extensible,
        node => matches!(node, Node::Vectors(_)),
    })
}

/// Whether the reader takes what it reads for what the writer means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Meaning {
    /// Values of one type and of its counterpart.
    Same(TypeId, TypeId),
    /// Values of parts that are no counterparts: whatever is accepted is misread.
    Another,
}

struct Walk<'m> {
    versions: Versions<'m>,
    writer: &'m Layout,
    reader: &'m Layout,
    /// Whether a reader knows where each part ends.
    framed: bool,
    known: HashMap<(Meaning, NodeId, NodeId), Outcomes>,
    visited: HashSet<(Meaning, NodeId, NodeId)>,
    changed: bool,
    depth: u32,
    path: Vec<String>,
    reasons: BTreeMap<u8, (Outcomes, Reason)>,
    differs: Option<Reason>,
    /// Whether both versions can have what is being compared: not inside parts that are no
    /// counterparts.
    is_shared: bool,
}

/// Nodes that are nested deeper than this are not compared: nothing is proven of them.
const DEEPEST: u32 = 400;

impl<'m> Walk<'m> {
    fn nodes(&mut self, meaning: Meaning, one: NodeId, other: NodeId) -> Outcomes {
        let meaning = self.meaning(meaning);
        let pair = (meaning, one, other);
        if !self.visited.insert(pair) {
            return self.known.get(&pair).copied().unwrap_or_default();
        }
        if self.depth > DEEPEST {
            self.differ("nested too deep to be compared");
            return self.unknown("nested too deep to be compared");
        }
        self.depth += 1;
        let was_shared = self.is_shared;
        self.is_shared = was_shared && meaning != Meaning::Another;
        let outcomes = self.shapes(meaning, shape(self.writer, one), shape(self.reader, other));
        self.is_shared = was_shared;
        self.depth -= 1;
        if self.known.insert(pair, outcomes).unwrap_or_default() != outcomes {
            self.changed = true;
        }
        outcomes
    }

    /// Types of different kinds are no counterparts.
    fn meaning(&self, meaning: Meaning) -> Meaning {
        let Meaning::Same(one, other) = meaning else { return meaning };
        let (one, other) = (plain(self.versions.from, one), plain(self.versions.to, other));
        let is_same = same_kind(&self.versions.from.get(one).kind, &self.versions.to.get(other).kind);
        if is_same { Meaning::Same(one, other) } else { Meaning::Another }
    }

    /// The kinds of types that are counterparts.
    fn kinds(&self, meaning: Meaning) -> Option<(&'m Kind, &'m Kind)> {
        let Meaning::Same(one, other) = meaning else { return None };
        Some((&self.versions.from.get(one).kind, &self.versions.to.get(other).kind))
    }

    fn shapes(&mut self, meaning: Meaning, one: Shape, other: Shape) -> Outcomes {
        let outcomes = match (one, other) {
            (Shape::Inner(one), Shape::Inner(other)) => return self.nodes(meaning, one, other),
            (Shape::Inner(one), other) => return self.shapes(meaning, shape(self.writer, one), other),
            (one, Shape::Inner(other)) => return self.shapes(meaning, one, shape(self.reader, other)),
            (Shape::Marked { mark: one, node: from, .. }, Shape::Marked { mark: other, node: to, .. }) => {
                if one == other {
                    return self.nodes(meaning, from, to);
                }
                self.differ("the mark before it");
                match self.framed {
                    true => self.refuses("the mark before it is another"),
                    false => self.astray("the mark before it has another width"),
                }
            }
            (Shape::Leaf(one), Shape::Leaf(other)) => self.leaves(meaning, &one, &other),
            (Shape::Items(one), Shape::Items(other)) => self.items(meaning, &one, &other),
            (Shape::Record(one), Shape::Record(other)) => self.records(meaning, &one, &other),
            (Shape::Choice(one), Shape::Choice(other)) => self.choices(meaning, &one, &other),
            (Shape::List(one), Shape::List(other)) => self.lists(meaning, &one, &other),
            (Shape::Extended { root: one, beyond: from }, Shape::Extended { root: other, beyond: to }) => {
                let inner = self.nodes(meaning, one, other);
                if format!("{:?}", shape(self.writer, one)) != format!("{:?}", shape(self.reader, other)) {
                    self.differ("which values are in the root");
                }
                inner.or(self.nodes(meaning, from, to))
            }
            (Shape::Table { rows: one }, Shape::Table { rows: other }) => self.tables(meaning, &one, &other),
            (Shape::Contained { string: one, content: from }, Shape::Contained { string: other, content: to }) => {
                return self.contained(meaning, (one, from), (other, to));
            }
            (Shape::Contained { .. }, _) | (_, Shape::Contained { .. }) => {
                self.differ("what the string contains");
                return self.unknown("only one of the versions says what the string contains");
            }
            (Shape::Other(one), Shape::Other(other)) if one == other => Outcomes::AGREES,
            (one, other) => {
                self.differ("the coding");
                self.apart(&one, &other)
            }
        };
        match meaning {
            Meaning::Same(..) => outcomes,
            Meaning::Another => outcomes.as_another(),
        }
    }

    /// Values of different shapes: at most, one is taken for the other.
    fn apart(&mut self, one: &Shape, other: &Shape) -> Outcomes {
        if let (true, Some(one), Some(other)) = (self.framed, mark(one), mark(other)) {
            if one != other {
                return self.refuses("the mark before it is another");
            }
        }
        match (self.framed, first_octets(one) & first_octets(other), width(one), width(other)) {
            (true, 0, ..) => self.refuses("the value first_octets different"),
            (true, ..) => self.taken("it is taken for a value of another sort"),
            (false, _, Some(one), Some(other)) if one == other => self.taken("its bits stand for other values"),
            (false, ..) => self.astray("it has another width"),
        }
    }

    fn choices(&mut self, meaning: Meaning, one: &Choice, other: &Choice) -> Outcomes {
        let pairs = self.contents(meaning);
        let mut places = HashMap::new();
        for (place, to) in other.alternatives.iter().enumerate() {
            to.keys.iter().for_each(|key| {
                places.entry(key).or_insert(place);
            });
        }
        let same_header = one.code == other.code;
        if !same_header {
            self.differ("the index of the alternative");
        }
        let mut all = Outcomes::NONE;
        for from in &one.alternatives {
            let at = from.alternative as usize;
            let place = pairs.as_ref().and_then(|all| all.places.get(at).copied().flatten());
            self.path.push(self.name_of(meaning, at));
            let is_root = matches!(from.keys.first(), Some(Key::Root(_)));
            let in_step = same_header || !is_root && one.code.parameters.first() == other.code.parameters.first();
            let outcomes = match (in_step, target(&from.keys, &places, &other.alternatives)) {
                (false, _) => self.astray("the index of the alternative has another width"),
                (true, Target::Several) => self.unknown("its tags lead to several alternatives"),
                (true, Target::None) => self.unknown_alternative(from, other, place.is_some()),
                (true, Target::One(to)) => {
                    let is_same = place == Some(to.alternative as usize);
                    let inner = match (&pairs, is_same) {
                        (Some(all), true) => {
                            let types = Meaning::Same(all.from[at], all.to[to.alternative as usize]);
                            self.nodes(types, from.node, to.node)
                        }
                        _ => {
                            self.note(Outcomes::MISREADS, "it is read as another alternative");
                            self.nodes(Meaning::Another, from.node, to.node).as_another()
                        }
                    };
                    match (from.framed, to.framed) {
                        (true, true) => inner.framed(),
                        (false, false) => inner,
                        _ => self.astray("only one of the versions has it as an addition"),
                    }
                }
            };
            if place.is_some() && !self.is_key_kept(from, other, place) {
                self.differ("the key of the alternative");
            }
            self.path.pop();
            all = all.or(outcomes);
        }
        all
    }

    fn unknown_alternative(&mut self, from: &OneOf, other: &Choice, is_paired: bool) -> Outcomes {
        let may_be_later = other.extensible && !matches!(from.keys.first(), Some(Key::Root(_)) | Some(Key::Any));
        match (may_be_later, self.framed || from.framed, is_paired) {
            (false, ..) => self.refuses("the reader has no such alternative"),
            (true, false, _) => self.astray("the reader does not know where it ends"),
            (true, true, true) => self.misreads("the reader does not recognise the alternative"),
            (true, true, false) => self.skips("the reader does not know the alternative"),
        }
    }

    fn is_key_kept(&self, from: &OneOf, other: &Choice, place: Option<usize>) -> bool {
        let to = other.alternatives.iter().find(|to| Some(to.alternative as usize) == place);
        to.is_some_and(|to| to.keys == from.keys && to.framed == from.framed)
    }

    fn lists(&mut self, meaning: Meaning, one: &List, other: &List) -> Outcomes {
        if one.code != other.code {
            self.differ("how the number of elements is written");
            if !self.framed {
                return self.astray("the number of elements is written in another way");
            }
            return self.taken("elements are written in another way");
        }
        if self.is_packed_otherwise(one, other) {
            self.differ("the coding");
            return self.taken("packed elements are taken for others of another width");
        }
        if one.sorted != other.sorted {
            self.differ("the order of elements");
        }
        if !self.framed && one.extensible && (one.lower, one.upper) != (other.lower, other.upper) {
            self.differ("which numbers of elements are in the root");
        }
        // Where no bit says whether a number is in the root, an extensible constraint allows all.
        let all_of =
            |list: &List| if list.extensible && self.framed { (0, u64::MAX) } else { (list.lower, list.upper) };
        let (from, to) = (all_of(one), all_of(other));
        let inside = from.0.max(to.0)..=from.1.min(to.1);
        let shares = !inside.is_empty() || other.extensible;
        let mut all = Outcomes::NONE;
        if from.0 < to.0 || from.1 > to.1 {
            all = all.or(self.refuses("the reader has no such number of elements"));
        }
        if !shares && !one.extensible {
            return all;
        }
        let none = (one.lower == 0 || one.extensible) && (other.lower == 0 || other.extensible);
        if none {
            all = all.or(Outcomes::AGREES);
        }
        if one.upper == 0 && !one.extensible || *inside.end() == 0 && !other.extensible {
            return all;
        }
        let types = match self.kinds(meaning) {
            Some((Kind::SequenceOf { element: one, .. }, Kind::SequenceOf { element: other, .. })) => {
                Meaning::Same(*one, *other)
            }
            _ => Meaning::Another,
        };
        self.path.push("[0]".into());
        let each = self.nodes(types, one.element, other.element);
        self.path.pop();
        let several = each.then(each);
        all = all.or(each).or(several).or(several.then(several));
        if matches!(self.kinds(meaning), Some((Kind::SequenceOf { set: true, .. }, _))) && each.has(Outcomes::MISREADS)
        {
            // Elements of a set that are taken for each other are the same set.
            all = all.or(Outcomes::AGREES).or(Outcomes::SKIPS);
        }
        let has_order = one.upper > 1 || one.extensible;
        if self.is_deterministic() && other.sorted && !one.sorted && has_order {
            all = all.or(self.refuses("the reader wants elements in the order of their octets"));
        }
        all
    }

    /// Whether the reader sees other elements in packed ones, and another number of them: eight
    /// octets may be one number or eight.
    fn is_packed_otherwise(&self, one: &List, other: &List) -> bool {
        let first_octets_of = |layout, element| first_octets(&shape(layout, element));
        one.packed && first_octets_of(self.writer, one.element) & first_octets_of(self.reader, other.element) == 0
    }

    fn tables(&mut self, meaning: Meaning, one: &[NodeId], other: &[NodeId]) -> Outcomes {
        match self.kinds(meaning) {
            Some((Kind::Open { table: Some(_) }, Kind::Open { table: Some(_) })) => {}
            Some((Kind::Open { table: None }, Kind::Open { table: Some(_) }))
            | Some((Kind::Open { table: Some(_) }, Kind::Open { table: None })) => {
                return self.skips("its type is not known").or(Outcomes::AGREES);
            }
            _ => return Outcomes::AGREES,
        }
        let Some(rows) = self.contents(meaning) else { return Outcomes::AGREES };
        let mut all = Outcomes::AGREES;
        for (at, pair) in rows.places.iter().copied().enumerate() {
            let nodes = pair.and_then(|place| Some((one.get(at)?, other.get(place)?, place)));
            let outcomes = match nodes {
                Some((one, node, place)) => {
                    self.nodes(Meaning::Same(rows.from[at], rows.to[place]), *one, *node).framed()
                }
                None => self.skips("the reader does not know its content"),
            };
            all = all.or(outcomes);
        }
        all
    }

    /// A string, and the value in it.
    fn contained(&mut self, meaning: Meaning, one: (NodeId, NodeId), other: (NodeId, NodeId)) -> Outcomes {
        let strings = self.nodes(meaning, one.0, other.0);
        let types = match self.kinds(meaning).map(|(from, to)| (from.contained(), to.contained())) {
            Some((Some(from), Some(to))) => Meaning::Same(from, to),
            _ => Meaning::Another,
        };
        strings.then(self.nodes(types, one.1, other.1).framed())
    }

    /// The types of which a value may be inside: alternatives, rows of a table, what a string
    /// contains.
    fn contents(&self, meaning: Meaning) -> Option<Contents> {
        Some(match self.kinds(meaning)? {
            (Kind::Choice { alternatives: from, .. }, Kind::Choice { alternatives: to, .. }) => Contents {
                places: pairing::alternatives(self.versions, from, to),
                from: from.iter().map(|one| one.type_id).collect(),
                to: to.iter().map(|one| one.type_id).collect(),
            },
            (Kind::Open { table: Some(from) }, Kind::Open { table: Some(to) }) => Contents {
                places: pairing::rows(from, to),
                from: from.rows.iter().map(|row| row.1).collect(),
                to: to.rows.iter().map(|row| row.1).collect(),
            },
            (from, to) => Contents { places: vec![Some(0)], from: vec![from.contained()?], to: vec![to.contained()?] },
        })
    }

    /// Whether a reader refuses what is not written as it would write it.
    fn is_deterministic(&self) -> bool {
        self.writer.rules == Rules::Cbor
    }

    /// The name of a component or alternative.
    fn name_of(&self, meaning: Meaning, at: usize) -> String {
        match self.kinds(meaning) {
            Some((Kind::Sequence { components, .. }, _)) => components.get(at).map(|one| one.name.clone()),
            Some((Kind::Choice { alternatives, .. }, _)) => alternatives.get(at).map(|one| one.name.clone()),
            _ => None,
        }
        .unwrap_or_else(|| "?".into())
    }
}

/// The types of which a value may be inside another.
struct Contents {
    /// For each of the writer's, the place of the reader's.
    places: Vec<Option<usize>>,
    from: Vec<TypeId>,
    to: Vec<TypeId>,
}

/// The alternative that a reader takes these keys for.
fn target<'o>(keys: &[Key], places: &HashMap<&Key, usize>, all: &'o [OneOf]) -> Target<&'o OneOf> {
    let any = places.get(&Key::Any);
    let find = |key: &Key| if *key == Key::Any { any } else { places.get(key).or(any) };
    Target::of(keys.iter().map(|key| find(key).and_then(|place| Some((*place, all.get(*place)?)))))
}

/// Where a part leads that a reader knows by its keys.
enum Target<T> {
    None,
    One(T),
    /// Depending on the value.
    Several,
}

impl<T> Target<T> {
    fn of(each: impl Iterator<Item = Option<(usize, T)>>) -> Target<T> {
        let mut found: Option<Option<(usize, T)>> = None;
        for one in each {
            match (&found, one) {
                (None, one) => found = Some(one),
                (Some(Some((at, _))), Some((other, _))) if *at == other => {}
                (Some(None), None) => {}
                _ => return Target::Several,
            }
        }
        found.flatten().map_or(Target::None, |(_, one)| Target::One(one))
    }
}

/// The mark before a value, which names its sort.
fn mark(shape: &Shape) -> Option<String> {
    let number = |parameters: &[i128]| parameters.first().map(ToString::to_string);
    match shape {
        Shape::Marked { mark, .. } => Some(mark.clone()),
        Shape::Leaf(leaf) if leaf.is_tagged => number(&leaf.code.parameters),
        Shape::Items(items) if items.is_tagged => number(&items.code.parameters),
        Shape::Leaf(_) | Shape::Items(_) | Shape::Record(_) | Shape::Choice(_) | Shape::List(_) => None,
        Shape::Extended { .. } | Shape::Table { .. } | Shape::Contained { .. } => None,
        Shape::Inner(_) | Shape::Other(_) => None,
    }
}

fn first_octets(shape: &Shape) -> FirstOctets {
    match shape {
        Shape::Leaf(leaf) => leaf.first_octets,
        Shape::Items(items) => items.first_octets,
        Shape::Record(record) => record.first_octets,
        Shape::Choice(choice) => choice.first_octets,
        Shape::List(list) => list.first_octets,
        Shape::Marked { first_octets, .. } => *first_octets,
        Shape::Extended { .. } | Shape::Table { .. } | Shape::Contained { .. } => crate::shape::ANY_FIRST_OCTETS,
        Shape::Inner(_) | Shape::Other(_) => crate::shape::ANY_FIRST_OCTETS,
    }
}

/// The width of a value, if all values have the same.
fn width(shape: &Shape) -> Option<u64> {
    match shape {
        Shape::Leaf(leaf) => leaf.bits,
        Shape::Items(items) => items.bits,
        Shape::Record(_) | Shape::Choice(_) | Shape::List(_) | Shape::Marked { .. } => None,
        Shape::Extended { .. } | Shape::Table { .. } | Shape::Contained { .. } => None,
        Shape::Inner(_) | Shape::Other(_) => None,
    }
}

/// Outcomes, and where they come from.
impl Walk<'_> {
    fn refuses(&mut self, what: &str) -> Outcomes {
        self.note(Outcomes::REFUSES, what)
    }

    fn skips(&mut self, what: &str) -> Outcomes {
        self.note(Outcomes::SKIPS, what)
    }

    fn misreads(&mut self, what: &str) -> Outcomes {
        self.note(Outcomes::MISREADS, what)
    }

    fn astray(&mut self, what: &str) -> Outcomes {
        self.note(Outcomes::CHANCE, what);
        Outcomes::ASTRAY
    }

    /// Notes that another value is accepted by chance.
    fn taken(&mut self, what: &str) -> Outcomes {
        self.note(Outcomes::CHANCE, what)
    }

    /// Nothing is known.
    fn unknown(&mut self, what: &str) -> Outcomes {
        self.taken(what).or(if self.framed { Outcomes::NONE } else { Outcomes::ASTRAY })
    }

    fn note(&mut self, outcome: Outcomes, what: &str) -> Outcomes {
        let reason = self.reason(what);
        self.reasons.entry(outcome.order()).or_insert((outcome, reason));
        outcome
    }

    /// Notes that a value of both versions may be written in two ways.
    fn differ(&mut self, what: &str) {
        if !self.is_shared {
            return;
        }
        if self.differs.is_none() {
            self.differs = Some(self.reason(what));
        }
    }

    fn reason(&self, what: &str) -> Reason {
        Reason { path: self.path.join(".").replace(".[", "["), what: what.to_owned() }
    }
}
