//! Whether a component is present, depending on earlier ones.

use roadwire_layout::vectors::{Sort, Test};
use roadwire_layout::{JsonNode, Layout, Member, Node, NodeId, Span};
use roadwire_wire::{BitWord, Data, ErrorKind, Scalar};

use crate::bits::is_one;

/// Whether all tests hold for a record, which may be incomplete.
pub(crate) fn hold<'l>(mut tests: impl Iterator<Item = Test<'l>>, record: &dyn Data) -> bool {
    tests.all(|test| {
        let is_one = record.component(test.component as usize).is_some_and(|value| is_among(&test, value));
        is_one != test.negated
    })
}

/// The first member of a JSON object that is present and must be absent, or the other way round.
#[cold]
#[inline(never)]
pub(crate) fn broken<'l>(
    layout: &'l Layout,
    object: NodeId,
    tests: Span,
    record: &dyn Data,
) -> Option<(&'l Member, ErrorKind)> {
    let Node::Json(JsonNode::Object { components, members, .. }) = *layout.node(object) else { return None };
    let mut tests = layout.numbers(tests);
    for component in 0..components {
        let mut of_component = Layout::next_tests(&mut tests).peekable();
        let depends = of_component.peek().is_some();
        let (wanted, has) = (hold(of_component, record), record.component(component as usize).is_some());
        if depends && wanted != has {
            let member = layout.members(members).iter().find(|member| member.component == component)?;
            let expected = "absent, as an earlier component says";
            return Some((member, if wanted { ErrorKind::Missing } else { ErrorKind::Mismatch { expected } }));
        }
    }
    None
}

fn is_among(test: &Test<'_>, value: &dyn Data) -> bool {
    let is = |found: Option<(usize, &dyn Data)>| found.is_some_and(|(at, _)| test.values.contains(&(at as u32)));
    match test.sort {
        Sort::Items => matches!(value.scalar(), Scalar::Enumerated(ordinal) if test.values.contains(&ordinal)),
        Sort::Numbers => value.integer().is_some_and(|number| test.values.iter().any(|one| i64::from(*one) == number)),
        Sort::Bits => test.values.iter().any(|bit| bit_of(value.scalar(), *bit)),
        Sort::Alternatives => is(value.alternative()),
        Sort::Elements => {
            (0..value.length().unwrap_or(0)).any(|at| is(value.element(at).and_then(|element| element.alternative())))
        }
    }
}

/// The bit at index `at`, first bit most significant; 0 past the end.
fn bit_of(bits: Scalar<'_>, at: u32) -> bool {
    let word;
    let (octets, count): (&[u8], usize) = match bits {
        Scalar::Word(of) => {
            word = BitWord::to_octets(of);
            (&word, usize::from(of.bits))
        }
        Scalar::Bits(octets, count) => (octets, count),
        _ => return false,
    };
    let at = at as usize;
    at < count && is_one(octets, at)
}
