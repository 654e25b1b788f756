//! The schema that a mapping derives from a type, as text.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

use num_bigint::BigInt;
use roadwire_model::{Enumerators, Kind, Model, TypeId};

use super::mapping::{self, Branch, IntegerType, Mapping, Part, Particle, Simple};
use crate::error::LowerError;
use crate::xml::names;
use crate::{Family, Rules};

/// The XML schema of a type's documents under one of the EXI rules. Named types with child elements
/// are complex types of that name.
///
/// # Errors
/// Rules without a schema.
pub fn xml_schema(model: &Model, root: TypeId, rules: Rules) -> Result<String, LowerError> {
    if rules.family() != Family::Events {
        return Err(LowerError { message: format!("{rules} has no XML schema") });
    }
    let mapping = Mapping { model, rules };
    let mut writer = Writer {
        mapping,
        names: HashMap::new(),
        taken: HashSet::new(),
        numbers: HashMap::new(),
        uses: uses(model),
        contents: HashMap::new(),
        open: Vec::new(),
        text: String::new(),
        depth: 1,
    };
    writer.element(&names::of_type(model, root), root, "");
    let document = core::mem::take(&mut writer.text);
    let mut types = BTreeMap::new();
    let mut done = HashSet::new();
    while let Some(id) = writer.open.pop() {
        if done.insert(id) {
            let name = writer.name_of(id).unwrap_or_default();
            writer.complex(id, &format!(" name=\"{name}\""));
            types.insert(name, core::mem::take(&mut writer.text));
        }
    }
    let types: String = types.into_values().collect();
    Ok(format!("{HEAD}<!-- {} -->\n{OPEN}{document}{types}</xs:schema>\n", about(rules)))
}

/// How often other types use each type.
fn uses(model: &Model) -> Vec<u32> {
    let mut uses = vec![0u32; model.types.len()];
    for at in 0..model.types.len() {
        for inner in inner_types(model, TypeId(at as u32)) {
            uses[inner.0 as usize] = uses[inner.0 as usize].saturating_add(1);
        }
    }
    uses
}

/// The types of a type's parts, without regard to tags.
fn inner_types(model: &Model, id: TypeId) -> Vec<TypeId> {
    let inner: Vec<TypeId> = match &model.get(id).kind {
        Kind::Sequence { components, .. } => components.iter().map(|one| one.type_id).collect(),
        Kind::Choice { alternatives, .. } => alternatives.iter().map(|one| one.type_id).collect(),
        Kind::SequenceOf { element, .. } => vec![*element],
        Kind::Open { table } => table.iter().flat_map(|table| &table.rows).map(|(_, id)| *id).collect(),
        Kind::External(sequence) => vec![*sequence],
        kind => kind.contained().into_iter().collect(),
    };
    inner.into_iter().map(|id| model.untagged(id)).collect()
}

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
const OPEN: &str = "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n";

/// The description of a mapping, for the schema's first comment.
const ABOUT: [(Rules, &str); 5] = [
    (Rules::Exi, "Derived from ASN.1 for strict EXI: restrictions of xs:integer"),
    (Rules::ExiDefault, "Derived from ASN.1 for EXI with default fidelity: the smallest built-in integer types"),
    (
        Rules::ExiMerged,
        "Derived from ASN.1 for EXI with default fidelity: the smallest built-in integer types, a SEQUENCE that has to be there merged into the element around it",
    ),
    (
        Rules::ExiFlat,
        "Derived from ASN.1 for EXI with default fidelity: the smallest built-in integer types, a SEQUENCE or CHOICE that has to be there merged into the element around it",
    ),
    (
        Rules::ExiSplit,
        "Derived from ASN.1 for strict EXI: restrictions of xs:integer; of more than 4096 values, and where it has to be there, an integer's offset from its least value is split into digits of 12 bits",
    ),
];

fn about(rules: Rules) -> &'static str {
    ABOUT.iter().find(|(one, _)| *one == rules).map_or("", |(_, about)| about)
}

struct Writer<'m> {
    mapping: Mapping<'m>,
    /// The names of complex types.
    names: HashMap<TypeId, String>,
    taken: HashSet<String>,
    /// The greatest number so far that was appended to a name to make it unique.
    numbers: HashMap<String, u32>,
    /// How often other types use each type.
    uses: Vec<u32>,
    /// Answers that were found for types without a name.
    contents: HashMap<(TypeId, Inside), bool>,
    /// Types that have been referred to and are still to be defined.
    open: Vec<TypeId>,
    text: String,
    depth: usize,
}

/// A content because of which a type without a name gets a name in the schema.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Inside {
    /// Another one without a name (or itself) that is used more than once. If such types were
    /// written out at each use, the text would double with each level.
    Repeated,
    /// One with a name, which may be merged into it: then it may contain itself, or be in as many
    /// places as that one.
    Named,
}

impl<'m> Writer<'m> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", self.depth * 2);
    }

    fn within(&mut self, begin: &str, end: &str, inner: impl FnOnce(&mut Self)) {
        self.line(begin);
        self.depth += 1;
        inner(self);
        self.depth -= 1;
        self.line(end);
    }

    /// The name of the complex type that is made for a type.
    fn name_of(&mut self, id: TypeId) -> Option<String> {
        if let Some(name) = self.names.get(&id) {
            return Some(name.clone());
        }
        let own = self.mapping.model.get(id).name.as_ref().map(|name| names::safe(&name.name).into_owned());
        let multiplies = own.is_none()
            && (self.is_repeated(id) && self.contains(id, Inside::Repeated)
                || self.mapping.merges_sequences() && self.contains(id, Inside::Named));
        let name = own.or_else(|| multiplies.then(|| names::of_type(self.mapping.model, id)))?;
        let mut free = name.clone();
        while self.taken.contains(&free) {
            let number = self.numbers.entry(name.clone()).or_insert(1);
            *number += 1;
            free = format!("{name}.{number}");
        }
        self.taken.insert(free.clone());
        self.names.insert(id, free.clone());
        Some(free)
    }

    fn is_repeated(&self, id: TypeId) -> bool {
        self.uses.get(id.0 as usize).is_some_and(|uses| *uses > 1)
    }

    /// Whether a type without a name contains such a type, itself or in others without a name.
    fn contains(&mut self, id: TypeId, what: Inside) -> bool {
        if let Some(known) = self.contents.get(&(id, what)) {
            return *known;
        }
        // A type that is found again meanwhile contains itself.
        self.contents.insert((id, what), true);
        let mut found = false;
        for inner in inner_types(self.mapping.model, id) {
            let this = self.mapping.model.get(inner);
            let is_it = match what {
                Inside::Repeated => this.name.is_none() && self.is_repeated(inner),
                Inside::Named => this.name.is_some(),
            };
            let is_complex = self.mapping.simple(&this.kind).is_none();
            found = found || is_complex && (is_it || this.name.is_none() && self.contains(inner, what));
        }
        self.contents.insert((id, what), found);
        found
    }

    /// An element with the attributes `occurs` in addition to its name.
    fn element(&mut self, name: &str, id: TypeId, occurs: &str) {
        let id = self.mapping.model.untagged(id);
        let begin = format!("<xs:element name=\"{name}\"{occurs}");
        if let Some(simple) = self.mapping.simple(&self.mapping.model.get(id).kind) {
            return self.simple(&begin, &simple);
        }
        if let Some(type_name) = self.name_of(id) {
            self.open.push(id);
            return self.line(&format!("{begin} type=\"{type_name}\"/>"));
        }
        self.within(&format!("{begin}>"), "</xs:element>", |writer| writer.complex(id, ""));
    }

    fn complex(&mut self, id: TypeId, name: &str) {
        let mapping = self.mapping;
        let kind = match &mapping.model.get(id).kind {
            Kind::External(sequence) => &mapping.model.get(*sequence).kind,
            kind => kind,
        };
        let begin = format!("<xs:complexType{name}>");
        self.within(&begin, "</xs:complexType>", |writer| match kind {
            Kind::Sequence { components, .. } => {
                let particles = mapping.particles(components);
                writer.within("<xs:sequence>", "</xs:sequence>", |writer| writer.particles(&particles));
            }
            Kind::SequenceOf { element, element_name, size, .. } => {
                let (least, most) = size.root();
                let most = if most <= mapping::MOST_COUNTED { most.to_string() } else { "unbounded".to_owned() };
                let occurs = format!(" minOccurs=\"{least}\" maxOccurs=\"{most}\"");
                let branches = mapping.items(*element, element_name.as_deref());
                writer.within("<xs:sequence>", "</xs:sequence>", |writer| match branches {
                    Some(branches) => writer.choice(&branches, &occurs),
                    None => writer.element(&mapping.item(element_name.as_deref()), *element, &occurs),
                });
            }
            Kind::Choice { alternatives, .. } => {
                writer.choice(&mapping.branches(alternatives), "");
            }
            kind => {
                if let Some((rows, octets)) = mapping.contents(kind) {
                    writer.within("<xs:choice>", "</xs:choice>", |writer| {
                        rows.into_iter().for_each(|(name, id)| writer.element(&name, id, ""));
                        writer.simple(&format!("<xs:element name=\"{}\"", mapping::OCTETS), &octets);
                    });
                }
            }
        });
    }

    fn particles(&mut self, particles: &[Particle<'m>]) {
        for particle in particles {
            let occurs = if particle.optional { " minOccurs=\"0\"" } else { "" };
            self.part(&particle.part, &particle.component.name, particle.component.type_id, occurs);
        }
    }

    fn choice(&mut self, branches: &[Branch<'m>], occurs: &str) {
        self.within(&format!("<xs:choice{occurs}>"), "</xs:choice>", |writer| {
            for Branch { alternative, part } in branches {
                match part {
                    Part::Merged(_) => writer.within("<xs:sequence>", "</xs:sequence>", |writer| {
                        writer.part(part, &alternative.name, alternative.type_id, "");
                    }),
                    _ => writer.part(part, &alternative.name, alternative.type_id, ""),
                }
            }
        });
    }

    /// A component or alternative.
    fn part(&mut self, part: &Part<'m>, component: &str, id: TypeId, occurs: &str) {
        match part {
            Part::Element(name) => self.element(name, id, occurs),
            Part::Digits(digits) => {
                if let Kind::Integer { range, .. } = &self.mapping.kind(id) {
                    let least = range.lower.as_ref().map_or(String::new(), ToString::to_string);
                    self.line(&format!("<!-- {component}: {least} and as much as these digits of 12 bits say -->"));
                }
                for (name, most) in digits {
                    let digit =
                        IntegerType { built_in: None, lower: Some(BigInt::ZERO), upper: Some(BigInt::from(*most)) };
                    self.simple(&format!("<xs:element name=\"{name}\""), &Simple::Integer(digit));
                }
            }
            Part::Merged(inner) => self.particles(inner),
            Part::Either(branches) => self.choice(branches, ""),
        }
    }

    /// An element without child elements.
    fn simple(&mut self, element: &str, simple: &Simple<'m>) {
        let (base, facets) = match simple {
            Simple::Null => return self.line(&format!("{element}><xs:complexType/></xs:element>")),
            Simple::Boolean => ("xs:boolean", String::new()),
            Simple::ItemNumber(items, IntegerType { built_in: Some(name), .. }) => {
                let items: Vec<String> = items.all().map(|(item, number)| format!("{item} {number}")).collect();
                self.line(&format!("<!-- {} -->", items.join(", ")));
                return self.line(&format!("{element} type=\"{name}\"/>"));
            }
            Simple::Integer(integer) | Simple::ItemNumber(_, integer) => match integer.built_in {
                Some(name) => return self.line(&format!("{element} type=\"{name}\"/>")),
                None => ("xs:integer", bounds(integer)),
            },
            Simple::Enumeration(items) => ("xs:string", enumeration(items)),
            Simple::Double => ("xs:double", String::new()),
            Simple::Octets { lower, upper } => ("xs:hexBinary", lengths(*lower, *upper)),
            Simple::Bits { lower, upper, .. } if lower == upper => {
                let octets = upper.div_ceil(8);
                ("xs:hexBinary", lengths(octets, octets))
            }
            Simple::Bits { .. } => return self.bits(element),
            Simple::Text { lower, upper, .. } => ("xs:string", lengths(*lower, *upper)),
            Simple::Arcs { .. } => {
                let item = "<xs:simpleType><xs:restriction base=\"xs:nonNegativeInteger\"/></xs:simpleType>";
                let list = format!("<xs:simpleType><xs:list>{item}</xs:list></xs:simpleType>");
                return self.line(&format!("{element}>{list}</xs:element>"));
            }
        };
        // An anonymous type: an element of a named type from which others are derived has an event
        // code for xsi:type (EXI §8.5.4.4.2).
        let restriction = match facets.as_str() {
            "" => format!("<xs:restriction base=\"{base}\"/>"),
            facets => format!("<xs:restriction base=\"{base}\">{facets}</xs:restriction>"),
        };
        self.line(&format!("{element}><xs:simpleType>{restriction}</xs:simpleType></xs:element>"));
    }

    /// Bits as octets, with an attribute for the number of unused bits in the last octet.
    fn bits(&mut self, element: &str) {
        let seven = IntegerType { built_in: None, lower: Some(BigInt::ZERO), upper: Some(BigInt::from(7)) };
        let restriction = format!("<xs:restriction base=\"xs:integer\">{}</xs:restriction>", bounds(&seven));
        self.within(&format!("{element}>"), "</xs:element>", |writer| {
            writer.within("<xs:complexType>", "</xs:complexType>", |writer| {
                writer.within("<xs:simpleContent>", "</xs:simpleContent>", |writer| {
                    writer.within("<xs:extension base=\"xs:hexBinary\">", "</xs:extension>", |writer| {
                        let attribute = "<xs:attribute name=\"unused\" use=\"required\">";
                        let kind = format!("<xs:simpleType>{restriction}</xs:simpleType>");
                        writer.line(&format!("{attribute}{kind}</xs:attribute>"));
                    });
                });
            });
        });
    }
}

fn facet(name: &str, value: &dyn std::fmt::Display) -> String {
    format!("<xs:{name} value=\"{value}\"/>")
}

fn bounds(integer: &IntegerType) -> String {
    let lower = integer.lower.as_ref().map(|lower| facet("minInclusive", lower));
    let upper = integer.upper.as_ref().map(|upper| facet("maxInclusive", upper));
    lower.into_iter().chain(upper).collect()
}

fn lengths(lower: u64, upper: u64) -> String {
    let least = (lower > 0).then(|| facet("minLength", &lower));
    let most = (upper < u64::MAX).then(|| facet("maxLength", &upper));
    least.into_iter().chain(most).collect()
}

fn enumeration(items: &Enumerators) -> String {
    items.all().map(|(name, _)| facet("enumeration", name)).collect()
}
