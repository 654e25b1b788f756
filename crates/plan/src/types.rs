//! How a value of each ASN.1 type is held in memory, shared by all encodings.

mod labels;
mod lending;
pub(crate) mod measure;
mod memory;
mod numbers;
pub(crate) mod open;
pub(crate) mod taps;
mod visit;

use std::collections::{BTreeMap, HashMap, HashSet};

use roadwire_model::{Component, Enumerators, Field, Kind, Model, Presence, TypeId};

use self::measure::{Measure, Shared};
use self::taps::Taps;
use crate::error::PlanError;
use crate::options::Options;
use crate::plan::Int;

pub(crate) use self::memory::Memory;

/// Optional parts and elements with more leaves than this become separate functions.
pub(crate) const INLINE_LEAVES: usize = 10;
/// If a program chooses to store some elements of lists inline, this many octets of lists of
/// numbers are.
const SMALL_LIST: u64 = 32;
/// Lists of up to this many elements are stored inline.
const INLINE_ELEMENTS: u64 = 256;
/// Strings of up to this many octets are stored inline.
const INLINE_OCTETS: u64 = 1024;

/// Even if strings are borrowed, those of a fixed length of up to this many octets are not: copying
/// them takes less time than storing a reference.
const COPIED_OCTETS: u64 = 64;

/// Elements of lists with more leaves than this are built in place; an empty value of a smaller one
/// takes little stack, and is moved in fewer instructions.
const MOVED_LEAVES: usize = 40;

/// The deepest nesting of types; values are read to 100 levels.
const DEEPEST: usize = 500;

/// Values of up to this many octets are overwritten without a check of their old value.
const SMALL: u64 = 128;

/// How a type is held in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Repr {
    /// A truth value.
    Bool,
    /// Nothing.
    Null,
    /// A primitive integer type.
    Integer(Int),
    /// An integer of any length.
    AnyInteger,
    /// An integer in so many octets, in two's complement. Only where types stand alone.
    WideInteger(u64),
    /// 64 bits (IEEE 754).
    Real,
    /// One of the items of an ENUMERATED.
    Enum,
    /// An unsigned integer for a bit string of a fixed number of bits.
    BitFlags {
        /// How many.
        bits: u8,
    },
    /// Up to 64 bits.
    BitWord,
    /// Bits on the heap.
    BitString,
    /// So many octets.
    FixedOctets(u64),
    /// Up to so many octets, inline.
    Octets(u64),
    /// Octets on the heap.
    OctetString,
    /// Octets borrowed from the input.
    LentOctets,
    /// Text of up to so many octets, inline.
    Text(u64),
    /// Text on the heap.
    String,
    /// Text borrowed from the input.
    LentText,
    /// An object identifier: its contents octets.
    Oid,
    /// The components of a SEQUENCE or SET.
    Struct,
    /// An alternative of a CHOICE.
    Choice,
    /// The elements of a list.
    List {
        /// Their type.
        element: TypeId,
        /// Where they are.
        storage: Storage,
    },
}

impl Repr {
    /// Whether it has a definition of its own; otherwise the type has a name at most.
    pub fn is_defined(&self) -> bool {
        matches!(self, Repr::Enum | Repr::BitFlags { .. } | Repr::Struct | Repr::Choice)
    }
}

/// Where a list's elements are stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Storage {
    /// Inline, at most so many.
    Inline(u64),
    /// Inline up to the root's bound, or up to the number that the program chooses; on the heap
    /// beyond.
    Extensible(u64),
    /// On the heap.
    Heap,
}

/// All types reachable from the roots.
pub struct Types<'m> {
    /// The model, in which open types are as they are in memory.
    pub model: &'m Model,
    /// The model as it is.
    pub source: &'m Model,
    reprs: BTreeMap<TypeId, Repr>,
    measures: HashMap<TypeId, Measure>,
    memory: HashMap<TypeId, Memory>,
    shared: Shared,
    /// The alternative of the empty value, for CHOICEs where it is not the first.
    first_finite: HashMap<TypeId, usize>,
    /// In the order in which they are written.
    pub order: Vec<TypeId>,
    /// Recursive types: boxed where they are used, and coded by functions that count the levels.
    recursive: HashSet<TypeId>,
    /// The uses that make types recursive, as pairs of the containing and the used type.
    ways_back: HashSet<(TypeId, TypeId)>,
    /// Types that contain something borrowed from the input.
    lending: HashSet<TypeId>,
    taps: Taps,
    /// The choices of the program.
    pub options: Options,
}

impl<'m> Types<'m> {
    /// The types of `roots`. `model` is `source`, or what [`open::with_choices`] makes of it.
    pub fn collect(source: &'m Model, model: &'m Model, roots: &[TypeId], options: Options) -> Result<Self, PlanError> {
        let mut types = Types {
            model,
            source,
            reprs: BTreeMap::new(),
            measures: HashMap::new(),
            memory: HashMap::new(),
            shared: Shared::default(),
            first_finite: HashMap::new(),
            order: Vec::new(),
            recursive: HashSet::new(),
            ways_back: HashSet::new(),
            lending: HashSet::new(),
            taps: Taps::default(),
            options,
        };
        for root in roots {
            types.visit(*root, &mut Vec::new())?;
        }
        types.find_lending();
        types.first_finite = measure::first_finite(&types);
        types.shared = Shared::find(&types, roots, types.options.written_out);
        types.taps = Taps::find(&types)?;
        Ok(types)
    }

    /// Whether no interpreter stands behind straight-line code.
    pub(crate) const fn stands_alone(&self) -> bool {
        self.options.stands_alone
    }

    /// Whether types may borrow from the input.
    pub const fn is_borrowed(&self) -> bool {
        self.options.borrowed
    }

    /// The number of a tapped component.
    pub(crate) fn tap(&self, id: TypeId, component: usize) -> Option<usize> {
        self.taps.parts.get(&(self.canonical(id), component)).copied()
    }

    /// Whether it contains a tapped component.
    pub fn leads_to_tap(&self, id: TypeId) -> bool {
        self.taps.leading.contains(&self.canonical(id))
    }

    /// All paths to tapped components, by names, and their numbers.
    pub fn ways_to_taps(&self, root: TypeId) -> Vec<(Vec<&'m str>, usize)> {
        let mut ways = Vec::new();
        if self.leads_to_tap(root) {
            self.taps.ways(self, root, &mut Vec::new(), &mut ways);
        }
        ways
    }

    /// The type that represents all uses that differ only in tags; for EXTERNAL and similar types,
    /// the SEQUENCE that defines it.
    pub fn canonical(&self, id: TypeId) -> TypeId {
        canonical(self.model, id)
    }

    /// Whether it is one of these types.
    pub fn has(&self, id: TypeId) -> bool {
        self.reprs.contains_key(&self.canonical(id))
    }

    /// How a type is held.
    pub fn repr(&self, id: TypeId) -> &Repr {
        &self.reprs[&self.canonical(id)]
    }

    /// A component, as in the model.
    ///
    /// # Panics
    /// The type is no SEQUENCE or SET, or has no such component: not for those of a plan.
    pub fn component(&self, one: crate::plan::Component) -> &'m Component {
        match self.kind(one.record) {
            Kind::Sequence { components, .. } => &components[one.at],
            _ => unreachable!("components are of SEQUENCE and SET"),
        }
    }

    /// The kind of a canonical type.
    pub fn kind(&self, id: TypeId) -> &'m Kind {
        &self.model.get(self.canonical(id)).kind
    }

    /// Whether it is recursive.
    pub fn is_recursive(&self, id: TypeId) -> bool {
        self.recursive.contains(&self.canonical(id))
    }

    /// Whether a use of a type in `holder` is on the heap. In the presentation language this is a
    /// use by which a type contains itself, elsewhere every use of a
    /// [boxed type](Self::is_boxed_type).
    pub fn is_boxed(&self, holder: TypeId, id: TypeId) -> bool {
        let (holder, id) = (self.canonical(holder), self.canonical(id));
        self.is_boxed_type(id) || self.ways_back.contains(&(holder, id))
    }

    /// Whether a type is on the heap wherever it is a component or an alternative, so that DEFAULT
    /// values have a single type: one that takes much memory, and in ASN.1 one that is recursive.
    pub fn is_boxed_type(&self, id: TypeId) -> bool {
        let is_recursive = self.model.codings.is_empty() && self.is_recursive(id);
        is_recursive || self.takes_much_memory(id)
    }

    /// Whether a SEQUENCE, SET or CHOICE takes so much memory that uses of it are on the heap.
    pub(crate) fn takes_much_memory(&self, id: TypeId) -> bool {
        self.memory(id).octets > self.options.box_above && self.has_functions(id)
    }

    /// How much memory a value takes.
    pub(crate) fn memory(&self, id: TypeId) -> Memory {
        self.memory.get(&self.canonical(id)).copied().unwrap_or_default()
    }

    /// How many octets of memory a value takes at most on a machine of 64 bits, without what it has
    /// on the heap, as the compiler lays it out today.
    pub fn octets(&self, id: TypeId) -> u64 {
        self.memory(id).octets
    }

    /// How much memory a field or variant of `holder` takes.
    fn field_memory(&self, holder: TypeId, id: TypeId) -> Memory {
        if self.is_boxed(holder, id) { Memory::BOX } else { self.memory(id) }
    }

    /// The sums over the parts of a type.
    pub(crate) fn measure(&self, id: TypeId) -> Measure {
        self.measures.get(&self.canonical(id)).copied().unwrap_or_default()
    }

    /// Whether a type is used more than once and is not small, so that it has a separate function,
    /// in code for plain values or in other code.
    pub(crate) fn is_shared(&self, id: TypeId, is_plain: bool) -> bool {
        self.has_functions(id) && self.shared.contains(self.canonical(id), is_plain)
    }

    /// Whether an enumeration has too many items to be written inline at each use.
    pub(crate) fn has_too_many_items(&self, id: TypeId) -> bool {
        !self.has_functions(id) && self.shared.contains(self.canonical(id), false)
    }

    /// The first alternative of a CHOICE whose empty value does not contain the CHOICE again.
    pub fn first_finite(&self, id: TypeId) -> usize {
        self.first_finite.get(&self.canonical(id)).copied().unwrap_or(0)
    }

    /// Whether it contains a recursive type.
    pub fn reaches_recursion(&self, id: TypeId) -> bool {
        self.measure(id).reaches_recursion
    }

    /// Whether some values have parts on the heap: parts without a bound, or of a recursive type.
    /// (An extensible list uses the heap beyond its root; without a heap it cannot be longer.)
    pub fn has_heap(&self) -> bool {
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
        let is_boxed = |id: &TypeId| self.takes_much_memory(*id);
        !self.recursive.is_empty() || self.reprs.values().any(is_on_heap) || self.order.iter().any(is_boxed)
    }

    /// How many levels it nests, up to recursive types.
    pub fn levels(&self, id: TypeId) -> u32 {
        self.measure(id).levels
    }

    /// Whether a value takes few octets, and no heap that would be worth keeping.
    pub fn is_small(&self, id: TypeId) -> bool {
        self.measure(id).width.is_some_and(|octets| octets <= SMALL)
    }

    /// Whether an empty value takes much stack.
    pub fn is_large(&self, id: TypeId) -> bool {
        self.measure(id).leaves > MOVED_LEAVES
    }

    /// Whether a value is built from a few mandatory numbers and strings; see `Measure`.
    pub fn is_flat(&self, id: TypeId) -> bool {
        self.measure(id).is_flat
    }

    /// The items of an ENUMERATED; `None` if there are too many to be written inline at each use.
    pub fn items(&self, id: TypeId) -> Option<&'m Enumerators> {
        match self.kind(id) {
            Kind::Enumerated(enumerators) if !self.has_too_many_items(id) => Some(enumerators),
            _ => None,
        }
    }

    /// Whether comparing memory is not enough to recognise a component's DEFAULT: trailing zero
    /// bits of named bits have no meaning.
    pub fn has_named_bits_default(&self, component: &Component) -> bool {
        let named = matches!(self.kind(component.type_id), Kind::BitString { named, .. } if !named.is_empty());
        let flags = matches!(self.repr(component.type_id), Repr::BitFlags { .. });
        named && !flags && matches!(component.presence, Presence::Default(_))
    }

    /// Whether a component may hold nothing in memory.
    pub fn is_option(component: &Component) -> bool {
        match component.presence {
            Presence::Optional => true,
            Presence::Default(_) => false,
            Presence::Mandatory => component.field != Field::Root,
        }
    }

    /// Whether it contains a list.
    pub(crate) fn has_list(&self, id: TypeId) -> bool {
        self.measure(id).has_list
    }

    /// Whether this kind of type can have separate functions. An open type has none: its code needs
    /// the component that selects its type.
    pub fn has_functions(&self, id: TypeId) -> bool {
        matches!(self.repr(id), Repr::Struct | Repr::Choice) && !self.is_open(id)
    }

    /// Whether an optional part, an element or an alternative of this type is coded by a separate
    /// function: large ones, and those with loops.
    pub(crate) fn is_function(&self, id: TypeId) -> bool {
        self.has_functions(id) && (self.measure(id).leaves > INLINE_LEAVES || self.has_list(id))
    }
}

pub(crate) fn canonical(model: &Model, id: TypeId) -> TypeId {
    let id = model.untagged(id);
    match model.get(id).kind {
        Kind::External(sequence) => model.untagged(sequence),
        _ => id,
    }
}
