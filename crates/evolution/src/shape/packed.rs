//! PER and OER, and what other families share with them: values one after the other.

use std::collections::HashMap;

use roadwire_layout::{Addition, Count, Extent, Family, Form, Layout, Member, Node, Presence, Span, Width, tag};
use roadwire_model::BigInt;

use super::{
    ANY_FIRST_OCTETS, Choice, Code, Domain, Items, Key, Leaf, List, OneOf, Order, Part, Record, Shape, What, numbers,
    pairs, rows, wide,
};

pub(super) fn shape(layout: &Layout, node: &Node) -> Shape {
    match *node {
        Node::Null => fixed("null", [], 0, Domain::All),
        Node::Boolean { bits } => fixed("boolean", [bits.into()], bits.into(), Domain::All),
        Node::Word { width, form, lower, upper } => {
            let (lower, upper) = layout.bounds(lower, upper);
            word(width, form, Some(lower.into()), Domain::Integers(Some(lower.into()), Some(upper.into())))
        }
        Node::WideWord { width, lower, upper } => {
            let (lower, upper) = (wide(layout, lower), wide(layout, upper));
            word(width, Form::Offset, lower.clone(), Domain::Integers(lower, upper))
        }
        Node::Integer { form, lower, upper } => {
            integer(form, layout.bound(lower).map(BigInt::from), layout.bound(upper).map(BigInt::from))
        }
        Node::WideInteger { form, lower, upper } => integer(form, wide(layout, lower), wide(layout, upper)),
        Node::Extension { root, beyond } => Shape::Extended { root, beyond },
        Node::Enumerated { width, root, additions, ordinals, items } => {
            let count = items.len().max(root + additions.unwrap_or(0));
            let order = layout.numbers(ordinals);
            let indexes: HashMap<u32, u32> = order.iter().copied().zip(0..).collect();
            let key = |ordinal: u32| match indexes.get(&ordinal) {
                Some(index) => Key::Root(*index),
                None if ordinal < root => Key::Root(ordinal),
                None => Key::Addition(ordinal - root),
            };
            let mut parameters = width_of(width);
            parameters.push(additions.is_some().into());
            let bits = if additions.is_none() { width_bits(width) } else { None };
            let keys = (0..count).map(key).collect();
            Shape::Items(Items {
                code: Code::of("index", parameters),
                bits,
                first_octets: ANY_FIRST_OCTETS,
                keys,
                open: additions.is_some(),
                is_tagged: false,
            })
        }
        Node::Numbered { values, extensible, .. } => Shape::Items(Items {
            code: Code::of("numbered", []),
            bits: None,
            first_octets: ANY_FIRST_OCTETS,
            keys: numbers(layout, values),
            open: extensible,
            is_tagged: false,
        }),
        Node::Real => Leaf::of("real", ANY_FIRST_OCTETS, Domain::All),
        Node::BinaryReal { bits, mantissa, exponent } => {
            fixed("float", [bits.into()], bits.into(), Domain::Equal(format!("{mantissa:?} {exponent:?}")))
        }
        Node::Oid { relative } => {
            Leaf::of(if relative { "relative" } else { "oid" }, first_octets(layout), Domain::All)
        }
        Node::Bits { whole, extent, trim } => {
            let mut parameters = extent_of(extent);
            parameters.push(whole.into());
            Shape::Leaf(Leaf { trim: trim.least(), ..string("bits", parameters, extent, 1, whole, Vec::new(), layout) })
        }
        Node::Octets { extent } => {
            Shape::Leaf(string("octets", extent_of(extent), extent, 8, true, Vec::new(), layout))
        }
        Node::Characters { extent, characters } => {
            let characters = layout.character_set(characters);
            let alphabet = pairs(characters.alphabet);
            let is_ascii = alphabet.iter().all(|(_, last)| *last < 0x80);
            if extent.count == Count::InOctets && characters.bits == 8 && !characters.indexed && is_ascii {
                // The same octets as those of UTF-8.
                let domain = Domain::Strings { lower: extent.lower, upper: extent.upper, alphabet, extensible: false };
                let code = Code::of("text", [1]);
                return Shape::Leaf(Leaf {
                    code,
                    bits: None,
                    first_octets: ANY_FIRST_OCTETS,
                    domain,
                    trim: None,
                    is_tagged: false,
                });
            }
            let mut parameters = extent_of(extent);
            parameters.extend([i128::from(characters.bits), i128::from(characters.indexed)]);
            Shape::Leaf(string("characters", parameters, extent, characters.bits.into(), false, alphabet, layout))
        }
        Node::Text { utf8, lower, upper, alphabet } => Shape::Leaf(Leaf {
            code: Code::of("text", [utf8.into()]),
            bits: None,
            first_octets: first_octets(layout),
            domain: Domain::text(layout, lower, upper, alphabet),
            trim: None,
            is_tagged: false,
        }),
        Node::Time { rows, settings, .. } => {
            let all = rows.iter().map(|row| u32::from(*row)).chain(layout.numbers(settings).iter().copied());
            Shape::Other(format!("time {:?}", all.collect::<Vec<_>>()))
        }
        Node::List { extent, element, sorted } => Shape::List(List {
            code: Code::of("count", extent_of(extent)),
            lower: extent.lower,
            upper: extent.upper,
            extensible: extent.extensible,
            element,
            sorted,
            packed: false,
            first_octets: ANY_FIRST_OCTETS,
        }),
        Node::Record { extensible, components: _, bitmap: _, padding: _, members, additions } => {
            let unit = if layout.rules.family() == Family::Octet { 8 } else { 1 };
            let mut parts: Vec<Part> = layout.members(members).iter().map(|member| part(member, false)).collect();
            parts.extend(layout.additions(additions).iter().map(addition));
            let header = Vec::new();
            Shape::Record(Record {
                order: Order::Places { unit },
                extensible,
                complete: false,
                parts,
                rearranged: false,
                first_octets: ANY_FIRST_OCTETS,
                header,
            })
        }
        Node::Choice { extensible, width, root, alternatives, tags } => {
            choice(layout, extensible, width, root, alternatives, tags)
        }
        Node::Open => Shape::Table { rows: Vec::new() },
        Node::Table { rows: span, .. } => rows(layout, span),
        Node::Contained { string, content, .. } => Shape::Contained { string, content },
        Node::Key { node, .. } | Node::Fitting { octets: node, .. } => Shape::Inner(node),
        Node::Scope { record, .. } => Shape::Inner(record),
        Node::Tlv(_)
        | Node::Json(_)
        | Node::Xml(_)
        | Node::Events(_)
        | Node::Fields(_)
        | Node::Vectors(_)
        | Node::Cbor(_) => Shape::Other("another family".into()),
    }
}

/// A component that is known by its place.
pub(super) fn part(member: &Member, addition: bool) -> Part {
    Part {
        what: What::Component(member.component),
        keys: Vec::new(),
        node: member.node,
        presence: member.presence,
        addition,
        group: None,
        empty_if_absent: false,
    }
}

/// An addition that is known by its place.
pub(super) fn addition(addition: &Addition) -> Part {
    match addition {
        Addition::Single(member) => part(member, true),
        Addition::Group(node) => Part {
            what: What::Group,
            keys: Vec::new(),
            node: *node,
            presence: Presence::Optional,
            addition: true,
            group: None,
            empty_if_absent: false,
        },
    }
}

/// As what leaves look that Protocol Buffers share; elsewhere they look like anything.
fn first_octets(layout: &Layout) -> u16 {
    if layout.rules.family() == Family::Fields { super::fields::DELIMITED } else { ANY_FIRST_OCTETS }
}

fn fixed<const N: usize>(name: &'static str, parameters: [i128; N], bits: u64, domain: Domain) -> Shape {
    Shape::Leaf(Leaf {
        code: Code::of(name, parameters),
        bits: Some(bits),
        first_octets: ANY_FIRST_OCTETS,
        domain,
        trim: None,
        is_tagged: false,
    })
}

fn word(width: Width, form: Form, base: Option<BigInt>, domain: Domain) -> Shape {
    let mut parameters = width_of(width);
    parameters.extend(form_of(form, base.as_ref()));
    let code = Code::of("word", parameters);
    Shape::Leaf(Leaf {
        code,
        bits: width_bits(width),
        first_octets: ANY_FIRST_OCTETS,
        domain,
        trim: None,
        is_tagged: false,
    })
}

fn integer(form: Form, lower: Option<BigInt>, upper: Option<BigInt>) -> Shape {
    let code = Code::of("integer", form_of(form, lower.as_ref()));
    Shape::Leaf(Leaf {
        code,
        bits: None,
        first_octets: ANY_FIRST_OCTETS,
        domain: Domain::Integers(lower, upper),
        trim: None,
        is_tagged: false,
    })
}

/// The parameters of an integer's bits: an offset also depends on the least value.
fn form_of(form: Form, base: Option<&BigInt>) -> Vec<i128> {
    match form {
        Form::Offset => {
            let octets = base.map_or(Vec::new(), BigInt::to_signed_bytes_be);
            [0].into_iter().chain(octets.into_iter().map(i128::from)).collect()
        }
        Form::Unsigned => vec![1],
        Form::Signed => vec![2],
    }
}

fn width_of(width: Width) -> Vec<i128> {
    match width {
        Width::Anywhere(bits) => vec![0, bits.into()],
        Width::Aligned(bits) => vec![1, bits.into()],
        Width::Counted { bits, aligned } => vec![2, bits.into(), aligned.into()],
    }
}

fn width_bits(width: Width) -> Option<u64> {
    match width {
        Width::Anywhere(bits) => Some(bits.into()),
        Width::Aligned(_) | Width::Counted { .. } => None,
    }
}

fn extent_of(extent: Extent) -> Vec<i128> {
    let mut parameters = match extent.count {
        Count::Fixed => vec![0, extent.lower.into()],
        Count::Field { bits, aligned } => {
            [vec![1, extent.lower.into()], width_of(Width::of_field(bits, aligned))].concat()
        }
        Count::Determinant => vec![2],
        Count::InOctets => vec![3],
        Count::Quantity => vec![4],
    };
    parameters.extend([i128::from(extent.extensible), i128::from(extent.aligned)]);
    parameters
}

fn string(
    name: &'static str,
    parameters: Vec<i128>,
    extent: Extent,
    unit: u64,
    whole: bool,
    alphabet: Vec<(u32, u32)>,
    layout: &Layout,
) -> Leaf {
    let is_fixed = extent.count == Count::Fixed && !extent.extensible && !extent.aligned;
    let bits = is_fixed.then(|| extent.lower.saturating_mul(unit));
    let bits = bits.map(|bits| if whole { bits.next_multiple_of(8) } else { bits });
    let domain = Domain::Strings { lower: extent.lower, upper: extent.upper, alphabet, extensible: extent.extensible };
    Leaf {
        code: Code::of(name, parameters),
        bits,
        first_octets: first_octets(layout),
        domain,
        trim: None,
        is_tagged: false,
    }
}

fn choice(layout: &Layout, extensible: bool, width: Width, root: u32, alternatives: Span, tags: Span) -> Shape {
    let tags = pairs(layout.numbers(tags));
    let keys = |place: u32| -> Vec<Key> {
        if tags.is_empty() {
            return vec![if place < root { Key::Root(place) } else { Key::Addition(place - root) }];
        }
        let own = tags.iter().filter(|(_, alternative)| alternative & !tag::INNER == place);
        own.map(|(tag, _)| if *tag == tag::ANY { Key::Any } else { Key::Number((*tag).into()) }).collect()
    };
    let all = (0..).zip(layout.alternatives(alternatives));
    let alternatives = all.map(|(place, one)| OneOf {
        alternative: one.alternative,
        keys: keys(place),
        node: one.node,
        framed: place >= root,
    });
    let parameters = if tags.is_empty() { [vec![extensible.into()], width_of(width)].concat() } else { Vec::new() };
    let alternatives = alternatives.collect();
    Shape::Choice(Choice {
        code: Code::of("alternative", parameters),
        first_octets: ANY_FIRST_OCTETS,
        extensible,
        alternatives,
    })
}
