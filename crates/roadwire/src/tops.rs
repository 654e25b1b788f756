//! Which types are messages: those that no other type contains.

use roadwire_model::{Kind, Model, QualifiedName, TypeId};

/// Type assignments that no other type contains, by name. Types that contain each other count as
/// one: all of them are included, unless another type contains one of them.
pub(crate) fn tops(model: &Model) -> Vec<(&QualifiedName, TypeId)> {
    let group = groups(model);
    let mut is_contained = vec![false; model.types.len()];
    for (at, own) in group.iter().enumerate() {
        for child in children(model, at) {
            is_contained[group[child]] |= group[child] != *own;
        }
    }
    let tops = model.definitions.iter().filter(|(_, id)| !is_contained[group[id.0 as usize]]);
    tops.map(|(name, id)| (name, *id)).collect()
}

/// The types that a type contains, and the assignment of which it is a use.
fn children(model: &Model, at: usize) -> Vec<usize> {
    let ty = &model.types[at];
    let mut children: Vec<TypeId> = match &ty.kind {
        Kind::Sequence { components, .. } => components.iter().map(|c| c.type_id).collect(),
        Kind::Choice { alternatives, .. } => alternatives.iter().map(|a| a.type_id).collect(),
        Kind::SequenceOf { element, .. } => vec![*element],
        Kind::BitString { contains, .. } | Kind::OctetString { contains, .. } => contains.iter().copied().collect(),
        Kind::Open { table } => table.iter().flat_map(|t| &t.rows).map(|(_, id)| *id).collect(),
        Kind::External(id) => vec![*id],
        _ => Vec::new(),
    };
    children.extend(ty.reference.as_ref().and_then(|name| model.definitions.get(name)));
    children.into_iter().map(|id| id.0 as usize).filter(|child| *child < model.types.len()).collect()
}

/// For each type, its group of types that contain each other, as the index of one of them: Tarjan's
/// strongly connected components, without recursion.
fn groups(model: &Model) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let count = model.types.len();
    let (mut group, mut number, mut lowest) = (vec![NONE; count], vec![NONE; count], vec![NONE; count]);
    let (mut open, mut next) = (Vec::new(), 0);
    // The types on the current search path, each with the contained types that remain to be
    // visited.
    let mut way: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut visit = |at: usize, number: &mut [usize], lowest: &mut [usize], open: &mut Vec<usize>| {
        (number[at], lowest[at]) = (next, next);
        next += 1;
        open.push(at);
        (at, children(model, at))
    };
    for root in 0..count {
        if number[root] == NONE {
            way.push(visit(root, &mut number, &mut lowest, &mut open));
        }
        while let Some((at, left)) = way.last_mut() {
            let at = *at;
            match left.pop() {
                Some(child) if number[child] == NONE => way.push(visit(child, &mut number, &mut lowest, &mut open)),
                Some(child) if group[child] == NONE => lowest[at] = lowest[at].min(number[child]),
                Some(_) => {}
                None => {
                    way.pop();
                    if let Some((outer, _)) = way.last() {
                        lowest[*outer] = lowest[*outer].min(lowest[at]);
                    }
                    if lowest[at] == number[at] {
                        while let Some(member) = open.pop() {
                            group[member] = at;
                            if member == at {
                                break;
                            }
                        }
                    }
                }
            }
        }
    }
    group
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn are_tops(types: &str, wanted: &[&str]) {
        let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {types} END");
        let compiled = roadwire_frontend::compile(&[roadwire_frontend::Source::new("m.asn", text)]).unwrap();
        let found: Vec<&str> = tops(&compiled.model).into_iter().map(|(name, _)| name.name.as_str()).collect();
        assert_eq!(found, wanted, "{types}");
    }

    #[test]
    fn what_another_type_contains_is_no_message() {
        are_tops("A ::= SEQUENCE { b B } B ::= SEQUENCE OF C C ::= INTEGER D ::= CHOICE { c C (0..3) }", &["A", "D"]);
        are_tops("A ::= OCTET STRING (CONTAINING B) B ::= NULL", &["A"]);
        are_tops("A ::= NULL B ::= A (CONSTRAINED BY {})", &["B"]);
    }

    #[test]
    fn a_recursive_type_is_a_message() {
        are_tops("A ::= SEQUENCE { a A OPTIONAL }", &["A"]);
        are_tops("A ::= SEQUENCE { b SEQUENCE OF CHOICE { a A, n NULL } }", &["A"]);
    }

    #[test]
    fn types_that_contain_each_other_are_messages_unless_another_has_them() {
        are_tops("A ::= SEQUENCE { b B OPTIONAL } B ::= CHOICE { a A, c C } C ::= NULL", &["A", "B"]);
        are_tops("A ::= SEQUENCE { b B OPTIONAL } B ::= CHOICE { a A, n NULL } M ::= SEQUENCE { b B }", &["M"]);
    }

    #[test]
    fn a_long_chain_takes_no_stack() {
        let chain: String =
            (0..50_000).map(|at| format!("T{at} ::= SEQUENCE {{ a T{} OPTIONAL }}\n", at + 1)).collect();
        are_tops(&format!("{chain} T50000 ::= NULL"), &["T0"]);
    }
}
