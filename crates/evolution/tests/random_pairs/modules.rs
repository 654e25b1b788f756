//! Random pairs of modules: a type, and the same type after some random changes.

use roadwire_model::random::Rng;

/// Two versions of a module with the type `T`.
pub(crate) struct Pair {
    pub(crate) name: String,
    pub(crate) old: String,
    pub(crate) new: String,
}

/// Pair `number` of those that `seed` gives: the same on every machine.
pub(crate) fn pair(seed: u64, number: u64) -> Pair {
    let mut rng = Rng::new(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut maker = Maker { rng: &mut rng, names: 0 };
    let old = maker.any(3);
    let mut new = old.clone();
    for _ in 0..1 + maker.below(4) {
        let nodes = count(&new);
        let mut at = maker.below(nodes);
        change(&mut maker, &mut new, &mut at);
    }
    let mut versions = [old, new].map(|of| module(&of));
    if maker.rng.percent(50) {
        versions.reverse();
    }
    let [old, new] = versions;
    Pair { name: format!("{seed}/{number}"), old, new }
}

fn module(of: &Node) -> String {
    format!("Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN T ::= {} END", text(of))
}

/// A type.
#[derive(Clone, Debug)]
enum Node {
    Null,
    Boolean,
    Real,
    Oid,
    Integer(Range),
    Enumerated(Items),
    Bits {
        named: Vec<(String, u64)>,
        size: Option<Range>,
    },
    Octets(Option<Range>),
    Text {
        kind: &'static str,
        alphabet: Option<(char, char)>,
        size: Option<Range>,
    },
    /// A string that contains a type.
    Containing(Box<Node>),
    /// A SEQUENCE or a SET.
    Record(Record),
    Choice(Vec<Member>, Option<Vec<Member>>),
    /// A SEQUENCE OF or a SET OF.
    List {
        set: bool,
        size: Option<Range>,
        element: Box<Node>,
    },
    /// The type itself.
    Recursive,
}

/// From, to, and whether there is an extension marker.
#[derive(Clone, Copy, Debug)]
struct Range {
    lower: Option<i64>,
    upper: Option<i64>,
    extensible: bool,
}

#[derive(Clone, Debug)]
struct Items {
    root: Vec<String>,
    additions: Option<Vec<String>>,
}

#[derive(Clone, Debug)]
struct Record {
    set: bool,
    root: Vec<Member>,
    additions: Option<Vec<Addition>>,
    /// The rest of the root, after the second extension marker.
    last: Vec<Member>,
}

#[derive(Clone, Debug)]
enum Addition {
    Single(Member),
    Group(Vec<Member>),
}

#[derive(Clone, Debug)]
struct Member {
    name: String,
    node: Node,
    presence: Presence,
}

#[derive(Clone, Debug, PartialEq)]
enum Presence {
    Mandatory,
    Optional,
    /// With a value of this number among those of the type.
    Default(u64),
}

struct Maker<'r> {
    rng: &'r mut Rng,
    names: usize,
}

impl Maker<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.rng.below(bound as u64) as usize
    }

    fn percent(&mut self, chance: u32) -> bool {
        self.rng.percent(chance)
    }

    fn one<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("n{}", self.names)
    }

    /// A type whose structures are nested `depth` deep at most.
    fn any(&mut self, depth: u32) -> Node {
        if depth == 0 || self.percent(if depth == 3 { 5 } else { 55 }) {
            return self.leaf();
        }
        match self.below(10) {
            0..=4 => Node::Record(self.record(depth - 1)),
            5 | 6 => {
                let root = (0..1 + self.below(3)).map(|_| self.member(depth - 1)).collect();
                let additions = self.percent(50).then(|| self.members(2, depth - 1));
                Node::Choice(root, additions)
            }
            7 | 8 => {
                let (set, size) = (self.percent(30), self.size(0));
                Node::List { set, size, element: Box::new(self.any(depth - 1)) }
            }
            _ => Node::Containing(Box::new(self.any(depth - 1))),
        }
    }

    fn record(&mut self, depth: u32) -> Record {
        let (set, root) = (self.percent(20), self.members(4, depth));
        let additions = self.percent(50).then(|| {
            let count = self.below(3);
            (0..count).map(|_| self.addition(depth)).collect()
        });
        let last = if additions.is_some() && self.percent(15) { self.members(2, depth) } else { Vec::new() };
        Record { set, root, additions, last }
    }

    fn addition(&mut self, depth: u32) -> Addition {
        if self.percent(50) {
            return Addition::Single(self.member(depth));
        }
        Addition::Group((0..1 + self.below(3)).map(|_| self.member(depth)).collect())
    }

    fn members(&mut self, most: usize, depth: u32) -> Vec<Member> {
        (0..self.below(most + 1)).map(|_| self.member(depth)).collect()
    }

    fn member(&mut self, depth: u32) -> Member {
        // A recursive type is finite where a component may be absent.
        if self.percent(2) {
            return Member { name: self.name(), node: Node::Recursive, presence: Presence::Optional };
        }
        let node = self.any(depth);
        let presence = self.presence();
        Member { name: self.name(), node, presence }
    }

    fn presence(&mut self) -> Presence {
        match self.below(10) {
            0..=5 => Presence::Mandatory,
            6 | 7 => Presence::Optional,
            _ => Presence::Default(self.rng.below(4)),
        }
    }

    fn leaf(&mut self) -> Node {
        match self.below(20) {
            0 => Node::Null,
            1 | 2 => Node::Boolean,
            3 => Node::Real,
            4 => Node::Oid,
            5..=9 => Node::Integer(self.range()),
            10 | 11 => Node::Enumerated(self.items()),
            12 | 13 => Node::Bits { named: self.named(), size: self.size(0) },
            14..=16 => Node::Octets(self.size(0)),
            _ => {
                let kind = self.one(&["IA5String", "VisibleString", "PrintableString", "NumericString", "UTF8String"]);
                let alphabet = self.percent(30).then(|| self.alphabet(kind));
                Node::Text { kind, alphabet, size: self.size(0) }
            }
        }
    }

    fn alphabet(&mut self, kind: &str) -> (char, char) {
        match kind {
            "NumericString" => ('0', self.one(&['3', '7', '9'])),
            _ => (self.one(&['a', 'c']), self.one(&['d', 'h', 'z'])),
        }
    }

    fn range(&mut self) -> Range {
        let lower = self.one(&[0, 0, 0, 1, -1, -100, 7, -40_000, 1000]);
        let span = self.one(&[0, 1, 3, 7, 8, 15, 99, 255, 256, 65_535, 65_536, 1 << 32, (1 << 62) - 1]);
        let bounds = match self.below(8) {
            0 => (None, None),
            1 => (Some(lower), None),
            2 if self.percent(30) => (None, Some(lower)),
            _ => (Some(lower), Some(lower + span)),
        };
        Range { lower: bounds.0, upper: bounds.1, extensible: self.percent(15) }
    }

    fn size(&mut self, least: i64) -> Option<Range> {
        if self.percent(25) {
            return None;
        }
        let lower = least.max(self.one(&[0, 0, 1, 1, 2, 4, 8, 17]));
        let upper = match self.below(8) {
            0 => None,
            1 | 2 => Some(lower.max(1)),
            _ => Some(lower + self.one(&[1, 2, 3, 4, 8, 13, 30])),
        };
        let lower = if upper == Some(1) { lower.min(1) } else { lower };
        Some(Range { lower: Some(lower), upper, extensible: self.percent(20) })
    }

    fn items(&mut self) -> Items {
        let root = (0..1 + self.below(5)).map(|_| self.name()).collect();
        let count = self.below(3);
        Items { root, additions: self.percent(40).then(|| (0..count).map(|_| self.name()).collect()) }
    }

    fn named(&mut self) -> Vec<(String, u64)> {
        if self.percent(60) {
            return Vec::new();
        }
        (0..1 + self.rng.below(3)).map(|place| (self.name(), place)).collect()
    }
}

/// How many types there are in a type, itself among them.
fn count(node: &Node) -> usize {
    let of = |members: &[Member]| members.iter().map(|member| count(&member.node)).sum::<usize>();
    1 + match node {
        Node::Containing(inner) => count(inner),
        Node::List { element, .. } => count(element),
        Node::Choice(root, additions) => of(root) + additions.as_deref().map_or(0, of),
        Node::Record(record) => members(record).map(|member| count(&member.node)).sum(),
        _ => 0,
    }
}

fn members(record: &Record) -> impl Iterator<Item = &Member> {
    let additions = record.additions.iter().flatten().flat_map(|addition| match addition {
        Addition::Single(member) => std::slice::from_ref(member),
        Addition::Group(members) => members,
    });
    record.root.iter().chain(additions).chain(&record.last)
}

fn members_mut(record: &mut Record) -> impl Iterator<Item = &mut Member> {
    let additions = record.additions.iter_mut().flatten().flat_map(|addition| match addition {
        Addition::Single(member) => std::slice::from_mut(member),
        Addition::Group(members) => members,
    });
    record.root.iter_mut().chain(additions).chain(&mut record.last)
}

/// Changes the type that `at` counts down to.
fn change(maker: &mut Maker<'_>, node: &mut Node, at: &mut usize) -> bool {
    if *at == 0 {
        change_here(maker, node);
        return true;
    }
    *at -= 1;
    let mut inside = |member: &mut Member| change(maker, &mut member.node, at);
    match node {
        Node::Containing(inner) => change(maker, inner, at),
        Node::List { element, .. } => change(maker, element, at),
        Node::Choice(root, additions) => root.iter_mut().chain(additions.iter_mut().flatten()).any(&mut inside),
        Node::Record(record) => members_mut(record).any(&mut inside),
        _ => false,
    }
}

fn change_here(maker: &mut Maker<'_>, node: &mut Node) {
    if maker.percent(8) {
        *node = maker.any(1);
        return;
    }
    match node {
        Node::Integer(range) => {
            let step = maker.one(&[1, 1, 2, 8, 100, 256]);
            match maker.below(6) {
                0 => range.extensible = !range.extensible,
                1 => range.upper = range.upper.map(|upper| upper + step),
                2 => range.lower = range.lower.map(|lower| lower - step),
                3 => {
                    range.lower = range.lower.map(|lower| lower + step);
                    range.upper = range.upper.map(|upper| upper + step);
                }
                4 => (range.lower, range.upper) = (None, None),
                _ => *range = maker.range(),
            }
        }
        Node::Enumerated(items) => change_items(maker, items),
        Node::Bits { named, size } => match maker.below(3) {
            0 => *named = maker.named(),
            1 if named.len() > 1 => {
                let (first, last) = (named[0].1, named[1].1);
                (named[0].1, named[1].1) = (last, first);
            }
            _ => *size = maker.size(0),
        },
        Node::Octets(size) => *size = maker.size(0),
        Node::Text { kind, alphabet, size } => match maker.below(4) {
            0 => *alphabet = alphabet.is_none().then(|| maker.alphabet(kind)),
            1 => {
                *kind = maker.one(&["IA5String", "VisibleString", "UTF8String"]);
                *alphabet = None;
            }
            _ => *size = maker.size(0),
        },
        Node::Record(record) => change_record(maker, record),
        Node::Choice(root, additions) => match (maker.below(4), additions) {
            (0, additions @ None) => *additions = Some(Vec::new()),
            (0 | 1, Some(additions)) => additions.push(maker.member(1)),
            (2, _) => change_members(maker, root, 1),
            (_, Some(additions)) => change_members(maker, additions, 0),
            (_, None) => change_members(maker, root, 1),
        },
        Node::List { set, size, .. } => match maker.below(3) {
            0 => *set = !*set,
            _ => *size = maker.size(0),
        },
        // A type without parameters is replaced, or put into another type.
        Node::Null | Node::Boolean | Node::Real | Node::Oid | Node::Recursive => match maker.below(3) {
            0 => *node = maker.any(1),
            _ => *node = maker.leaf(),
        },
        Node::Containing(inner) => {
            *node = if maker.percent(50) { Node::Octets(None) } else { (**inner).clone() };
        }
    }
}

fn change_items(maker: &mut Maker<'_>, items: &mut Items) {
    match (maker.below(6), &mut items.additions) {
        (0, additions) => *additions = if additions.is_some() { None } else { Some(Vec::new()) },
        (1 | 2, Some(additions)) => additions.push(maker.name()),
        (1 | 2, None) => items.root.push(maker.name()),
        (3, _) if items.root.len() > 1 => {
            let at = maker.below(items.root.len());
            items.root.remove(at);
        }
        (4, _) => {
            let at = maker.below(items.root.len() + 1);
            items.root.insert(at, maker.name());
        }
        _ => {
            let at = maker.below(items.root.len());
            items.root[at] = maker.name();
        }
    }
}

fn change_record(maker: &mut Maker<'_>, record: &mut Record) {
    match (maker.below(9), &mut record.additions) {
        (0, _) => record.set = !record.set,
        (1, additions @ None) => *additions = Some(Vec::new()),
        (1..=3, Some(additions)) => additions.push(maker.addition(1)),
        // Groups apart, together, or as single additions.
        (4 | 5, Some(additions)) if !additions.is_empty() => {
            let at = maker.below(additions.len());
            let members = match additions.remove(at) {
                Addition::Single(member) => vec![member],
                Addition::Group(members) => members,
            };
            match maker.below(3) {
                0 => additions
                    .splice(at..at, members.into_iter().map(|member| Addition::Group(vec![member])))
                    .for_each(drop),
                1 => additions.splice(at..at, members.into_iter().map(Addition::Single)).for_each(drop),
                _ => {
                    let next = (at < additions.len()).then(|| additions.remove(at));
                    let more = match next {
                        Some(Addition::Single(member)) => vec![member],
                        Some(Addition::Group(members)) => members,
                        None => vec![maker.member(1)],
                    };
                    additions.insert(at, Addition::Group(members.into_iter().chain(more).collect()));
                }
            }
        }
        (6, Some(additions)) if !additions.is_empty() => {
            let at = maker.below(additions.len());
            match &mut additions[at] {
                Addition::Single(member) => member.presence = maker.presence(),
                Addition::Group(members) => change_members(maker, members, 1),
            }
        }
        _ => change_members(maker, &mut record.root, 0),
    }
}

/// Adds, removes, renames or moves a member, or changes its presence; `least` are left.
fn change_members(maker: &mut Maker<'_>, members: &mut Vec<Member>, least: usize) {
    if members.is_empty() {
        members.push(maker.member(1));
        return;
    }
    let at = maker.below(members.len());
    match maker.below(6) {
        0 => members.insert(at, maker.member(1)),
        1 => members.push(maker.member(1)),
        2 if members.len() > least => drop(members.remove(at)),
        3 => members[at].name = maker.name(),
        4 => {
            let member = members.remove(at);
            let to = maker.below(members.len() + 1);
            members.insert(to, member);
        }
        _ if !matches!(members[at].node, Node::Recursive) => members[at].presence = maker.presence(),
        _ => {}
    }
}

fn text(node: &Node) -> String {
    match node {
        Node::Null => "NULL".into(),
        Node::Boolean => "BOOLEAN".into(),
        Node::Real => "REAL".into(),
        Node::Oid => "OBJECT IDENTIFIER".into(),
        Node::Recursive => "T".into(),
        Node::Integer(Range { lower: None, upper: None, .. }) => "INTEGER".into(),
        Node::Integer(range) => format!("INTEGER ({})", between(*range)),
        Node::Enumerated(Items { root, additions }) => {
            let more =
                additions.iter().flat_map(|additions| [String::from("...")].into_iter().chain(additions.clone()));
            let all: Vec<String> = root.iter().cloned().chain(more).collect();
            format!("ENUMERATED {{ {} }}", all.join(", "))
        }
        Node::Bits { named, size } => {
            let names: Vec<String> = named.iter().map(|(name, place)| format!("{name}({place})")).collect();
            let names = if names.is_empty() { String::new() } else { format!(" {{ {} }}", names.join(", ")) };
            format!("BIT STRING{names}{}", sized(*size))
        }
        Node::Octets(size) => format!("OCTET STRING{}", sized(*size)),
        Node::Text { kind, alphabet, size } => {
            let from = alphabet.map_or(String::new(), |(first, last)| format!(" (FROM (\"{first}\"..\"{last}\"))"));
            format!("{kind}{from}{}", sized(*size))
        }
        Node::Containing(inner) => format!("OCTET STRING (CONTAINING {})", text(inner)),
        Node::Record(record) => text_of_record(record),
        Node::Choice(root, additions) => {
            let one = |member: &Member| format!("{} {}", member.name, text(&member.node));
            let mut all: Vec<String> = root.iter().map(one).collect();
            if let Some(additions) = additions {
                all.push("...".into());
                all.extend(additions.iter().map(one));
            }
            format!("CHOICE {{ {} }}", all.join(", "))
        }
        Node::List { set, size, element } => {
            let keyword = if *set { "SET" } else { "SEQUENCE" };
            format!("{keyword}{} OF {}", sized(*size), text(element))
        }
    }
}

fn text_of_record(record: &Record) -> String {
    let mut all: Vec<String> = record.root.iter().map(text_of_member).collect();
    if let Some(additions) = &record.additions {
        all.push("...".into());
        all.extend(additions.iter().map(|addition| match addition {
            Addition::Single(member) => text_of_member(member),
            Addition::Group(members) => {
                format!("[[ {} ]]", members.iter().map(text_of_member).collect::<Vec<_>>().join(", "))
            }
        }));
        if !record.last.is_empty() {
            all.push("...".into());
            all.extend(record.last.iter().map(text_of_member));
        }
    }
    format!("{} {{ {} }}", if record.set { "SET" } else { "SEQUENCE" }, all.join(", "))
}

fn text_of_member(member: &Member) -> String {
    let presence = match (&member.presence, &member.node) {
        (Presence::Mandatory, Node::Recursive) | (Presence::Optional, _) => " OPTIONAL".to_owned(),
        (Presence::Mandatory, _) => String::new(),
        (Presence::Default(number), node) => match value(node, *number) {
            Some(value) => format!(" DEFAULT {value}"),
            None => " OPTIONAL".to_owned(),
        },
    };
    format!("{} {}{presence}", member.name, text(&member.node))
}

/// A value of a type, for types whose values are easily written.
fn value(node: &Node, number: u64) -> Option<String> {
    match node {
        Node::Boolean => Some(if number % 2 == 0 { "TRUE" } else { "FALSE" }.into()),
        Node::Integer(Range { lower, upper, .. }) => {
            let lowest = lower.or(upper.map(|upper| upper - number as i64)).unwrap_or(0);
            let value = lowest + number as i64;
            Some(upper.map_or(value, |upper| value.min(upper)).to_string())
        }
        Node::Enumerated(Items { root, .. }) => root.get(number as usize % root.len()).cloned(),
        Node::Octets(size) => {
            let octets = size.and_then(|size| size.lower).unwrap_or(number as i64) as usize;
            Some(format!("'{}'H", "5a".repeat(octets)))
        }
        Node::Bits { size, .. } => {
            let bits = size.and_then(|size| size.lower).unwrap_or(number as i64) as usize;
            Some(format!("'{}'B", "1".repeat(bits)))
        }
        _ => None,
    }
}

fn sized(size: Option<Range>) -> String {
    size.map_or(String::new(), |size| format!(" (SIZE ({}))", between(size)))
}

fn between(range: Range) -> String {
    let bound = |bound: Option<i64>, none: &str| bound.map_or_else(|| none.to_owned(), |bound| bound.to_string());
    let marker = if range.extensible { ", ..." } else { "" };
    match (range.lower, range.upper) {
        (Some(lower), Some(upper)) if lower == upper => format!("{lower}{marker}"),
        (lower, upper) => format!("{}..{}{marker}", bound(lower, "MIN"), bound(upper, "MAX")),
    }
}
