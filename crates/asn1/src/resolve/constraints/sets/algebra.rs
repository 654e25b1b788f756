//! Unions, intersections and complements of value sets, with numbers and sizes put together.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use roadwire_model::ValueSet;

use super::super::super::intervals::Intervals;
use super::super::super::strings::complement;

pub(super) fn nothing() -> ValueSet {
    ValueSet::Union(Vec::new())
}

pub(super) fn integers(of: &Intervals) -> ValueSet {
    ValueSet::Integers(of.iter().cloned().collect())
}

pub(super) fn intervals(ranges: Vec<(Option<BigInt>, Option<BigInt>)>) -> Intervals {
    Intervals::union(ranges.into_iter().map(|(lower, upper)| Intervals::range(lower, upper)).collect())
}

pub(super) fn codes(of: &Intervals) -> Vec<(u32, u32)> {
    let end = |end: &Option<BigInt>, open: u32| end.as_ref().map_or(open, |end| end.to_u32().unwrap_or(open));
    of.iter().map(|(first, last)| (end(first, 0), end(last, 0x10_ffff))).collect()
}

/// A set of numbers as the set of strings and lists with these sizes.
pub(super) fn sizes(of: ValueSet) -> ValueSet {
    match of {
        ValueSet::Integers(ranges) => {
            let known = intervals(ranges).intersect(&Intervals::range(Some(0.into()), None));
            let end = |end: &Option<BigInt>| end.as_ref().and_then(BigInt::to_u64).unwrap_or(u64::MAX);
            let ranges = known.iter().map(|(least, most)| (least.as_ref().map_or(0, |_| end(least)), end(most)));
            ValueSet::Sizes(ranges.collect())
        }
        ValueSet::Union(sets) => ValueSet::Union(sets.into_iter().map(sizes).collect()),
        ValueSet::Intersection(sets) => ValueSet::Intersection(sets.into_iter().map(sizes).collect()),
        ValueSet::Not(set) => ValueSet::Not(Box::new(sizes(*set))),
        other => other,
    }
}

pub(super) fn union(sets: Vec<ValueSet>) -> ValueSet {
    let (mut numbers, mut lengths, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for set in sets {
        match set {
            ValueSet::All => return ValueSet::All,
            ValueSet::Integers(ranges) => numbers.extend(ranges),
            ValueSet::Sizes(ranges) => {
                lengths.extend(ranges.into_iter().map(|(least, most)| (Some(BigInt::from(least)), size_end(most))));
            }
            ValueSet::Union(sets) => others.extend(sets),
            other => others.push(other),
        }
    }
    if !numbers.is_empty() {
        others.push(integers(&intervals(numbers)));
    }
    if !lengths.is_empty() {
        others.push(sizes(integers(&intervals(lengths))));
    }
    one_or(others, ValueSet::Union)
}

fn size_end(most: u64) -> Option<BigInt> {
    (most < u64::MAX).then(|| most.into())
}

pub(super) fn intersection(sets: Vec<ValueSet>) -> ValueSet {
    let mut flat = Vec::new();
    for set in sets {
        match set {
            ValueSet::All => {}
            ValueSet::Intersection(sets) => flat.extend(sets),
            other => flat.push(other),
        }
    }
    let mut numbers: Option<Intervals> = None;
    let mut others = Vec::new();
    for set in flat {
        match set {
            ValueSet::Integers(ranges) => {
                let these = intervals(ranges);
                numbers = Some(numbers.map_or(these.clone(), |numbers| numbers.intersect(&these)));
            }
            other => others.push(other),
        }
    }
    others.extend(numbers.as_ref().map(integers));
    if others.is_empty() { ValueSet::All } else { one_or(others, ValueSet::Intersection) }
}

fn one_or(mut sets: Vec<ValueSet>, many: fn(Vec<ValueSet>) -> ValueSet) -> ValueSet {
    if sets.len() == 1 { sets.swap_remove(0) } else { many(sets) }
}

pub(super) fn not(set: ValueSet) -> ValueSet {
    match set {
        ValueSet::All => nothing(),
        ValueSet::Union(sets) if sets.is_empty() => ValueSet::All,
        ValueSet::Not(set) => *set,
        ValueSet::Integers(ranges) => integers(&complement(&intervals(ranges))),
        other => ValueSet::Not(Box::new(other)),
    }
}
