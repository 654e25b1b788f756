//! Which Rust type holds a value of each ASN.1 type, shared by all encodings.

use std::collections::{BTreeMap, HashMap, HashSet};

use num_traits::ToPrimitive;
use roadwire_model::{Component, Field, IntegerRange, Kind, Model, Presence, QualifiedName, Size, StringKind, TypeId};

use crate::measure::{self, Measure, Shared};
use crate::names::{distinct, type_name};
use crate::taps::Taps;
use crate::{GenerateError, Options};

/// Optional parts and elements with more leaves than this become functions of their own.
pub(crate) const INLINE_LEAVES: usize = 10;
/// Where a program chooses to have some elements of lists in place, it has so many octets of those of numbers.
const SMALL_LIST: u64 = 32;
/// Lists of up to this many elements are stored inline.
const INLINE_ELEMENTS: u64 = 256;
/// Strings of up to this many octets are stored inline.
const INLINE_OCTETS: u64 = 1024;

/// Where strings are borrowed, those of one length of up to this many octets are not: they are copied in less time than a reference to them takes to be kept.
const COPIED_OCTETS: u64 = 64;

/// Elements of lists with more leaves than this are made in their places; an empty value of a smaller one costs little stack, and is moved in fewer instructions.
const MOVED_LEAVES: usize = 40;

/// So many levels types may nest; values are read to 100.
const DEEPEST: usize = 500;

/// Values of up to this many octets are rather written anew than looked at.
const SMALL: u64 = 128;

/// How a type is held in memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Repr {
    Bool,
    Null,
    /// A primitive integer type.
    Integer(&'static str),
    Real,
    Enum(String),
    /// A newtype over an unsigned integer for a bit string of a fixed number of bits.
    BitFlags {
        name: String,
        word: &'static str,
        bits: u8,
    },
    /// Up to 64 bits.
    BitWord,
    BitString,
    FixedOctets(u64),
    Octets(u64),
    OctetString,
    /// One that the input lends.
    LentOctets,
    Text(u64),
    String,
    /// One that the input lends.
    LentText,
    Oid,
    Struct(String),
    Choice(String),
    List {
        element: TypeId,
        storage: Storage,
    },
}

impl Repr {
    /// The name of what has a definition of its own.
    pub(crate) fn name(&self) -> &str {
        match self {
            Repr::Enum(name) | Repr::Struct(name) | Repr::Choice(name) | Repr::BitFlags { name, .. } => name,
            _ => "",
        }
    }
}

/// Where a list's elements are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Storage {
    Inline(u64),
    /// Inline up to the root's bound, or up to what the program chooses, on the heap beyond.
    Extensible(u64),
    Heap,
}

/// All types reachable from the roots.
pub(crate) struct Types<'m> {
    pub(crate) model: &'m Model,
    reprs: BTreeMap<TypeId, Repr>,
    measures: HashMap<TypeId, Measure>,
    shared: Shared,
    /// Of CHOICEs, where that is not the first one: the alternative of the empty value.
    first_finite: HashMap<TypeId, usize>,
    /// In the order in which they are written.
    pub(crate) order: Vec<TypeId>,
    /// Names of type assignments that are just another name for a Rust type.
    pub(crate) aliases: BTreeMap<TypeId, String>,
    /// Names of type assignments that differ from another type's in name, tags or constraints that no codec sees, and that type.
    pub(crate) synonyms: Vec<(String, &'m QualifiedName, TypeId)>,
    /// Types that contain themselves: boxed where they are used, and coded by functions that count the levels.
    recursive: HashSet<TypeId>,
    /// Uses of them by which they do, each by the type that it is in.
    ways_back: HashSet<(TypeId, TypeId)>,
    /// Those in which there is something that the input lends.
    lending: HashSet<TypeId>,
    taps: Taps,
    taken: HashSet<String>,
    pub(crate) options: Options,
}

impl<'m> Types<'m> {
    pub(crate) fn collect(model: &'m Model, roots: &[TypeId], options: Options) -> Result<Self, GenerateError> {
        let taken = RESERVED.iter().map(|name| (*name).to_owned()).collect();
        let mut types = Types {
            model,
            reprs: BTreeMap::new(),
            measures: HashMap::new(),
            shared: Shared::default(),
            first_finite: HashMap::new(),
            order: Vec::new(),
            aliases: BTreeMap::new(),
            synonyms: Vec::new(),
            recursive: HashSet::new(),
            ways_back: HashSet::new(),
            lending: HashSet::new(),
            taps: Taps::default(),
            taken,
            options,
        };
        for root in roots {
            types.visit(*root, "Message", &mut Vec::new())?;
        }
        types.find_lending();
        types.first_finite = measure::first_finite(&types);
        types.shared = Shared::find(&types, roots, types.options.written_out);
        types.taps = Taps::find(&types)?;
        for (name, id) in &model.definitions {
            let id = types.canonical(*id);
            if types.reprs.contains_key(&id) && model.get(id).name.as_ref() != Some(name) {
                let synonym = types.claim(&type_name(&name.name));
                types.synonyms.push((synonym, name, id));
            }
        }
        Ok(types)
    }

    /// Types that contain themselves do not keep an order, so it is gone over until nothing is found.
    fn find_lending(&mut self) {
        loop {
            let found: Vec<TypeId> =
                self.order.iter().copied().filter(|id| !self.lends(*id) && self.begins_to_lend(*id)).collect();
            if found.is_empty() {
                return;
            }
            self.lending.extend(found);
        }
    }

    fn begins_to_lend(&self, id: TypeId) -> bool {
        match (self.repr(id), self.kind(id)) {
            (Repr::LentOctets | Repr::LentText, _) => true,
            (Repr::List { element, .. }, _) => self.lends(*element),
            (_, Kind::Sequence { components, .. }) => components.iter().any(|one| self.lends(one.type_id)),
            (_, Kind::Choice { alternatives, .. }) => alternatives.iter().any(|one| self.lends(one.type_id)),
            _ => false,
        }
    }

    /// Whether there is something in it that the input lends.
    pub(crate) fn lends(&self, id: TypeId) -> bool {
        self.lending.contains(&self.canonical(id))
    }

    /// Whether types are such that they may borrow from the input.
    pub(crate) const fn is_borrowed(&self) -> bool {
        self.options.borrowed
    }

    /// The number of a component that programs hear of.
    pub(crate) fn tap(&self, id: TypeId, component: usize) -> Option<usize> {
        self.taps.parts.get(&(self.canonical(id), component)).copied()
    }

    /// Whether there is such a component somewhere in it.
    pub(crate) fn leads_to_tap(&self, id: TypeId) -> bool {
        self.taps.leading.contains(&self.canonical(id))
    }

    /// All ways to such components, by names, and their numbers.
    pub(crate) fn ways_to_taps(&self, root: TypeId) -> Vec<(Vec<&'m str>, usize)> {
        let mut ways = Vec::new();
        if self.leads_to_tap(root) {
            self.taps.ways(self, root, &mut Vec::new(), &mut ways);
        }
        ways
    }

    /// A Rust type's name with its lifetime, where it has one.
    pub(crate) fn with_lifetime(&self, name: &str, id: TypeId, lifetime: &str) -> String {
        if self.lends(id) { format!("{name}<{lifetime}>") } else { name.to_owned() }
    }

    /// The type that stands for all uses of it that differ in tags only; of EXTERNAL and its like, the SEQUENCE that defines it.
    pub(crate) fn canonical(&self, id: TypeId) -> TypeId {
        canonical(self.model, id)
    }

    /// How a type is held.
    pub(crate) fn repr(&self, id: TypeId) -> &Repr {
        &self.reprs[&self.canonical(id)]
    }

    /// What a canonical type is.
    pub(crate) fn kind(&self, id: TypeId) -> &'m Kind {
        &self.model.get(self.canonical(id)).kind
    }

    /// Whether it contains itself.
    pub(crate) fn is_recursive(&self, id: TypeId) -> bool {
        self.recursive.contains(&self.canonical(id))
    }

    /// Whether a use of a type in `holder` is on the heap. In the presentation language that is where the type would contain itself. In ASN.1 it is every use of such a type: there, its DEFAULT values
    /// have to have one type.
    pub(crate) fn is_boxed(&self, holder: TypeId, id: TypeId) -> bool {
        let (holder, id) = (self.canonical(holder), self.canonical(id));
        let everywhere = self.model.codings.is_empty() && self.recursive.contains(&id);
        everywhere || self.ways_back.contains(&(holder, id))
    }

    /// What the parts of a type add up to.
    pub(crate) fn measure(&self, id: TypeId) -> Measure {
        self.measures.get(&self.canonical(id)).copied().unwrap_or_default()
    }

    /// Whether a type is used more than once and not small: it has a function of its own, in code for plain values only or in other code.
    pub(crate) fn is_shared(&self, id: TypeId, is_plain: bool) -> bool {
        self.has_functions(id) && self.shared.contains(self.canonical(id), is_plain)
    }

    /// Whether an enumeration has too many items to be written out at each use.
    pub(crate) fn has_too_many_items(&self, id: TypeId) -> bool {
        !self.has_functions(id) && self.shared.contains(self.canonical(id), false)
    }

    /// The first alternative of a CHOICE whose empty value does not come back to it.
    pub(crate) fn first_finite(&self, id: TypeId) -> usize {
        self.first_finite.get(&self.canonical(id)).copied().unwrap_or(0)
    }

    /// Whether a type that contains itself is somewhere in it.
    pub(crate) fn reaches_recursion(&self, id: TypeId) -> bool {
        self.measure(id).reaches_recursion
    }

    /// Whether some values have parts on the heap: parts without a bound, or of a type that contains itself. (Beyond its root, an extensible list has them there; without a heap, no others.)
    pub(crate) fn has_heap(&self) -> bool {
        let is_on_heap = |repr: &Repr| {
            matches!(
                repr,
                Repr::BitString
                    | Repr::OctetString
                    | Repr::LentOctets
                    | Repr::String
                    | Repr::LentText
                    | Repr::Oid
                    | Repr::List { storage: Storage::Heap, .. }
            )
        };
        !self.recursive.is_empty() || self.reprs.values().any(is_on_heap)
    }

    /// How many levels it nests, up to types that contain themselves.
    pub(crate) fn levels(&self, id: TypeId) -> u32 {
        self.measure(id).levels
    }

    /// The Rust type's name as it stands in a field or variant of `holder`.
    pub(crate) fn field(&self, holder: TypeId, id: TypeId) -> String {
        if self.is_boxed(holder, id) { format!("Box<{}>", self.rust(id)) } else { self.rust(id) }
    }

    /// The Rust type's name.
    pub(crate) fn rust(&self, id: TypeId) -> String {
        let id = self.canonical(id);
        match self.aliases.get(&id) {
            Some(alias) => self.with_lifetime(alias, id, "'a"),
            None => self.rust_structure(id),
        }
    }

    /// The same, without aliases.
    pub(crate) fn rust_structure(&self, id: TypeId) -> String {
        match self.repr(id) {
            Repr::Bool => "bool".into(),
            Repr::Null => "()".into(),
            Repr::Integer(name) => (*name).into(),
            Repr::Real => "f64".into(),
            Repr::Enum(name) | Repr::Struct(name) | Repr::Choice(name) | Repr::BitFlags { name, .. } => {
                self.with_lifetime(name, id, "'a")
            }
            Repr::BitWord => "wire::BitWord".into(),
            Repr::BitString => "wire::BitString".into(),
            Repr::FixedOctets(count) => format!("[u8; {count}]"),
            Repr::Octets(most) => format!("wire::Octets<{most}>"),
            Repr::OctetString => "wire::OctetString".into(),
            Repr::LentOctets => "wire::LentOctets<'a>".into(),
            Repr::Text(most) => format!("wire::Text<{most}>"),
            Repr::String => "String".into(),
            Repr::LentText => "wire::LentText<'a>".into(),
            Repr::Oid => "wire::Oid".into(),
            Repr::List { element, storage: Storage::Inline(most) } => {
                format!("wire::List<{}, {most}>", self.rust(*element))
            }
            Repr::List { element, storage: Storage::Extensible(most) } => {
                format!("wire::ExtensibleList<{}, {most}>", self.rust(*element))
            }
            Repr::List { element, storage: Storage::Heap } => format!("Vec<{}>", self.rust(*element)),
        }
    }

    /// An expression for the empty value.
    pub(crate) fn default_expression(&self, id: TypeId) -> String {
        match self.repr(id) {
            Repr::FixedOctets(count) => format!("[0; {count}]"),
            _ => "Default::default()".into(),
        }
    }

    /// A call on an `Option` that puts the empty value there if there is none.
    pub(crate) fn insert_expression(&self, id: TypeId) -> String {
        match self.repr(id) {
            Repr::FixedOctets(count) => format!("get_or_insert([0; {count}])"),
            _ => "get_or_insert_default()".into(),
        }
    }

    /// The same, but where a value is small, one that is there already is not kept: to write over it costs less than a branch that nothing foretells.
    pub(crate) fn renew_expression(&self, id: TypeId) -> String {
        if self.is_small(id) { format!("insert({})", self.default_expression(id)) } else { self.insert_expression(id) }
    }

    /// Whether a value takes few octets, and no heap that were worth keeping.
    pub(crate) fn is_small(&self, id: TypeId) -> bool {
        self.measure(id).width.is_some_and(|octets| octets <= SMALL)
    }

    /// Whether an empty value takes much of the stack.
    pub(crate) fn is_large(&self, id: TypeId) -> bool {
        self.measure(id).leaves > MOVED_LEAVES
    }

    /// Whether a value is put together from a few numbers and strings that are always there; see [`Measure::is_flat`].
    pub(crate) fn is_flat(&self, id: TypeId) -> bool {
        self.measure(id).is_flat
    }

    /// Whether the struct's field for a component is an `Option`.
    pub(crate) fn is_option(component: &Component) -> bool {
        match component.presence {
            Presence::Optional => true,
            Presence::Default(_) => false,
            Presence::Mandatory => component.field != Field::Root,
        }
    }

    /// Whether a list is somewhere in it.
    pub(crate) fn has_list(&self, id: TypeId) -> bool {
        self.measure(id).has_list
    }

    /// Whether types like it have functions of their own.
    pub(crate) fn has_functions(&self, id: TypeId) -> bool {
        matches!(self.repr(id), Repr::Struct(_) | Repr::Choice(_))
    }

    /// Whether an optional part, an element or an alternative of this type is coded by a function of its own: large ones, and those with loops.
    pub(crate) fn is_function(&self, id: TypeId) -> bool {
        self.has_functions(id) && (self.measure(id).leaves > INLINE_LEAVES || self.has_list(id))
    }

    fn visit(&mut self, id: TypeId, wanted: &str, path: &mut Vec<TypeId>) -> Result<(), GenerateError> {
        let id = self.canonical(id);
        if path.contains(&id) {
            self.recursive.insert(id);
            self.ways_back.extend(path.last().map(|holder| (*holder, id)));
            return Ok(());
        }
        if self.reprs.contains_key(&id) {
            return Ok(());
        }
        if path.len() >= DEEPEST {
            return Err(GenerateError(format!("types nest more than {DEEPEST} levels, which no message may")));
        }
        path.push(id);
        let this = self.model.get(id);
        let named = this.name.as_ref().map(|name| type_name(&name.name));
        let name = named.clone().unwrap_or_else(|| wanted.to_owned());
        let repr = match &this.kind {
            Kind::Boolean => Repr::Bool,
            Kind::Null => Repr::Null,
            Kind::Real { .. } => Repr::Real,
            Kind::Integer { range, .. } => Repr::Integer(integer(range, &name)?),
            Kind::Enumerated(_) => Repr::Enum(self.claim(&name)),
            Kind::BitString { size, .. } => match (size.fixed(), size.upper) {
                (Some(bits @ 1..=64), _) if !size.extensible && named.is_some() => {
                    let bits = bits as u8;
                    Repr::BitFlags { name: self.claim(&name), word: unsigned(u32::from(bits)), bits }
                }
                (_, Some(..=64)) if !size.extensible => Repr::BitWord,
                _ => Repr::BitString,
            },
            Kind::OctetString { size, .. } => octets(size, self.options.borrowed),
            Kind::String { kind, size, .. } => text(*kind, size, self.options.borrowed),
            Kind::Iri { .. } | Kind::Time { .. } => Repr::String,
            Kind::ObjectIdentifier | Kind::RelativeOid => Repr::Oid,
            Kind::Open { .. } if self.options.borrowed => Repr::LentOctets,
            Kind::Open { .. } => Repr::OctetString,
            Kind::Sequence { components, .. } => {
                let name = self.claim(&name);
                for component in components {
                    self.visit(component.type_id, &(name.clone() + &type_name(&capitalised(&component.name))), path)?;
                }
                Repr::Struct(name)
            }
            Kind::Choice { alternatives, .. } => {
                let name = self.claim(&name);
                for one in alternatives {
                    self.visit(one.type_id, &(name.clone() + &type_name(&capitalised(&one.name))), path)?;
                }
                Repr::Choice(name)
            }
            Kind::SequenceOf { element, size, .. } => {
                self.visit(*element, &(name.clone() + "Element"), path)?;
                let storage = match (size.upper, size.extensible) {
                    _ if self.is_boxed(id, *element) => Storage::Heap,
                    (Some(most @ ..=INLINE_ELEMENTS), false) => Storage::Inline(most),
                    (Some(most @ ..=INLINE_ELEMENTS), true) => Storage::Extensible(most),
                    _ if self.options.elements_in_place > 0 => {
                        let fit = self.measure(*element).flat_octets.map_or(0, |octets| SMALL_LIST / octets.max(1));
                        Storage::Extensible(fit.max(self.options.elements_in_place.into()))
                    }
                    _ => Storage::Heap,
                };
                Repr::List { element: *element, storage }
            }
            Kind::External(_) => return Err(GenerateError(format!("{name} is defined by itself"))),
        };
        path.pop();
        let structural = matches!(repr, Repr::Enum(_) | Repr::Struct(_) | Repr::Choice(_) | Repr::BitFlags { .. });
        if !structural && self.recursive.contains(&id) {
            return Err(GenerateError(format!("{name} is a list of itself, which has no Rust type")));
        }
        if let (Some(named), false) = (named, structural) {
            let alias = self.claim(&named);
            self.aliases.insert(id, alias);
        }
        let measure = Measure::of(self, id, &repr);
        self.measures.insert(id, measure);
        self.reprs.insert(id, repr);
        self.order.push(id);
        Ok(())
    }

    fn claim(&mut self, name: &str) -> String {
        distinct(name.to_owned(), &mut self.taken)
    }
}

fn canonical(model: &Model, id: TypeId) -> TypeId {
    let id = model.untagged(id);
    match model.get(id).kind {
        Kind::External(sequence) => model.untagged(sequence),
        _ => id,
    }
}

/// Names of Rust's prelude that generated code uses itself; everything else it names with its crate in front.
const RESERVED: [&str; 14] = [
    "Box", "Clone", "Copy", "Debug", "Default", "Err", "None", "Ok", "Option", "Result", "Self", "Some", "String",
    "Vec",
];

fn capitalised(name: &str) -> String {
    let mut characters = name.chars();
    characters.next().map_or(String::new(), |first| first.to_uppercase().chain(characters).collect())
}

/// The smallest primitive that holds every root value; where values outside the root are valid too, the 64-bit one.
fn integer(range: &IntegerRange, name: &str) -> Result<&'static str, GenerateError> {
    let lower = range.lower.as_ref().map(|bound| bound.to_i128());
    let upper = range.upper.as_ref().map(|bound| bound.to_i128());
    let too_wide = || GenerateError(format!("{name}: an integer beyond 127 bits has no in-memory type yet"));
    if range.extensible {
        // Outside of the root there are negative numbers as well.
        let fits =
            |bound: Option<Option<i128>>| bound.is_none_or(|bound| bound.is_some_and(|of| i64::try_from(of).is_ok()));
        return Ok(if fits(lower) && fits(upper) { "i64" } else { "i128" });
    }
    let (lower, upper) = match (lower, upper) {
        (Some(None), _) | (_, Some(None)) => return Err(too_wide()),
        (Some(Some(lower)), Some(Some(upper))) => (lower, upper),
        (Some(Some(0..)), None) => return Ok("u64"),
        _ => return Ok("i64"),
    };
    let unsigned: [(&str, i128); 4] =
        [("u8", u8::MAX.into()), ("u16", u16::MAX.into()), ("u32", u32::MAX.into()), ("u64", u64::MAX.into())];
    let signed: [(&str, i128, i128); 5] = [
        ("i8", i8::MIN.into(), i8::MAX.into()),
        ("i16", i16::MIN.into(), i16::MAX.into()),
        ("i32", i32::MIN.into(), i32::MAX.into()),
        ("i64", i64::MIN.into(), i64::MAX.into()),
        ("i128", i128::MIN, i128::MAX),
    ];
    let fits_unsigned = unsigned.iter().find(|(_, most)| lower >= 0 && upper <= *most).map(|(name, _)| *name);
    let fits_signed = signed.iter().find(|(_, least, most)| lower >= *least && upper <= *most).map(|one| one.0);
    fits_unsigned.or(fits_signed).ok_or_else(too_wide)
}

/// The smallest unsigned primitive with this many bits.
pub(crate) fn unsigned(bits: u32) -> &'static str {
    match bits {
        0..=8 => "u8",
        9..=16 => "u16",
        17..=32 => "u32",
        _ => "u64",
    }
}

/// The least and greatest number of a primitive type.
pub(crate) fn bounds(rust: &str) -> (i128, i128) {
    match rust {
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" => (0, u64::MAX.into()),
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "i64" => (i64::MIN.into(), i64::MAX.into()),
        _ => (i128::MIN, i128::MAX),
    }
}

fn octets(size: &Size, borrowed: bool) -> Repr {
    let most_inline = if borrowed { COPIED_OCTETS } else { INLINE_OCTETS };
    match (size.fixed(), size.upper) {
        (Some(count), _) if !size.extensible && count <= most_inline => Repr::FixedOctets(count),
        _ if borrowed => Repr::LentOctets,
        (_, Some(most @ ..=INLINE_OCTETS)) if !size.extensible => Repr::Octets(most),
        _ => Repr::OctetString,
    }
}

fn text(kind: StringKind, size: &Size, borrowed: bool) -> Repr {
    let widest = match kind {
        StringKind::Numeric | StringKind::Printable | StringKind::Ia5 | StringKind::Visible => 1,
        StringKind::Bmp => 3,
        StringKind::Utf8 | StringKind::Universal => 4,
        _ => 2,
    };
    match size.upper {
        Some(most) if !size.extensible && most <= INLINE_OCTETS / widest => Repr::Text(most * widest),
        _ if borrowed && kind == StringKind::Utf8 => Repr::LentText,
        _ => Repr::String,
    }
}
