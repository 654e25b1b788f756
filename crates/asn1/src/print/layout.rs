//! Where lines end in a definition, and where spaces are.

use super::doc::Doc;
use super::tree::Node;
use crate::lexer::Tok;
use crate::parse::is_reserved;

/// The purpose of brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Outside of any.
    Outside,
    /// Components, alternatives and fields: a line for each.
    Parts,
    /// Items of an enumeration, named numbers, arcs: `name(1)`.
    Numbers,
    /// WITH COMPONENTS, and the words of a class's syntax.
    Inner,
    /// Parameters, and the content of a table constraint: without spaces.
    Tight,
    /// Values, sets and objects.
    Values,
    Parentheses,
    Square,
}

/// `Name ::= ...`
pub(super) fn assignment(nodes: &[Node]) -> Doc {
    run(nodes, Place::Outside)
}

/// `{ iso(1) ... }`
pub(super) fn object_identifier(nodes: &[Node]) -> Doc {
    match nodes {
        [Node::Brackets { inside, .. }] => Doc::All(vec![Doc::text("{ "), arcs(inside).nest(), Doc::text(" }")]),
        _ => run(nodes, Place::Outside),
    }
}

/// Items of which only the words matter.
pub(super) fn words(nodes: &[Node]) -> Doc {
    fill(units(nodes, Place::Square).into_iter().map(|unit| run(unit, Place::Square)).collect())
}

/// As many to a line as there is room for, with commas.
pub(super) fn list(items: Vec<Doc>) -> Doc {
    let last = items.len().saturating_sub(1);
    let comma = |(at, item)| if at == last { item } else { Doc::All(vec![item, Doc::text(",")]) };
    fill(items.into_iter().enumerate().map(comma).collect())
}

/// As many to a line as there is room for.
fn fill(items: Vec<Doc>) -> Doc {
    let mut all = Vec::new();
    for (at, item) in items.into_iter().enumerate() {
        match at {
            0 => all.push(item),
            _ => all.push(Doc::All(vec![Doc::Line, item]).group()),
        }
    }
    Doc::All(all)
}

/// Nodes in a row.
fn run(nodes: &[Node], place: Place) -> Doc {
    let mut all = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        if at > 0 && has_space(nodes, at, place) {
            let after_bar = matches!(nodes[at - 1].word(), "|" | "UNION") && place == Place::Parentheses;
            all.push(if after_bar { Doc::Line.group() } else { Doc::text(" ") });
        }
        match node {
            Node::Word(_, text) => all.push(Doc::text(*text)),
            Node::Brackets { open, close, inside } => all.push(brackets(nodes, at, place, (open, close, inside))),
        }
    }
    Doc::All(all)
}

/// Brackets at a place in a run.
fn brackets(nodes: &[Node], at: usize, place: Place, (open, close, inside): (&str, &str, &[Node])) -> Doc {
    let wrap = |inner: Doc| Doc::All(vec![Doc::text(open), inner, Doc::text(close)]);
    match open {
        // Lines of inner braces are deeper anyway.
        "(" if inside.iter().any(|node| node.tok() == Some(Tok::Bar)) => wrap(run(inside, Place::Parentheses).nest()),
        "(" => wrap(run(inside, Place::Parentheses)),
        "[" => wrap(run(inside, Place::Square)),
        _ if inside.is_empty() => Doc::text(format!("{open}{close}")),
        "[[" => spaced(open, close, Doc::All(items(inside, Place::Parts, Doc::Line))),
        _ => match place_of(nodes, at, place) {
            Place::Parts if inside.len() > 1 => {
                let lines = Doc::All(vec![Doc::HardLine, Doc::All(items(inside, Place::Parts, Doc::HardLine))]);
                Doc::All(vec![Doc::text(open), lines.nest(), Doc::HardLine, Doc::text(close)])
            }
            Place::Numbers => {
                spaced(open, close, fill(parts(inside).into_iter().map(|part| run(part, Place::Numbers)).collect()))
            }
            Place::Tight => wrap(Doc::All(items(inside, Place::Tight, Doc::Line)).nest()).group(),
            Place::Values if is_plain(inside) => spaced(open, close, arcs(inside)),
            inner => spaced(open, close, Doc::All(items(inside, inner, Doc::Line))),
        },
    }
}

fn spaced(open: &str, close: &str, inner: Doc) -> Doc {
    let inner = Doc::All(vec![Doc::Line, inner]).nest();
    Doc::All(vec![Doc::text(open), inner, Doc::Line, Doc::text(close)]).group()
}

/// Words without a comma: an object identifier, or an object.
fn arcs(inside: &[Node]) -> Doc {
    fill(units(inside, Place::Numbers).into_iter().map(|unit| run(unit, Place::Numbers)).collect())
}

fn is_plain(inside: &[Node]) -> bool {
    !inside.iter().any(|node| matches!(node.tok(), Some(Tok::Comma | Tok::Bar)) || node.open() == "{")
}

/// The items of a list, with lines of one kind between.
fn items(inside: &[Node], place: Place, line: Doc) -> Vec<Doc> {
    let mut all = Vec::new();
    for part in parts(inside) {
        if !all.is_empty() {
            all.push(line.clone());
        }
        all.push(run(part, place));
    }
    all
}

/// The parts between commas and bars, with these.
fn parts<'n, 'a>(inside: &'n [Node<'a>]) -> Vec<&'n [Node<'a>]> {
    inside.split_inclusive(|node| matches!(node.tok(), Some(Tok::Comma | Tok::Bar))).collect()
}

/// The longest runs without a space.
fn units<'n, 'a>(nodes: &'n [Node<'a>], place: Place) -> Vec<&'n [Node<'a>]> {
    let starts = (1..nodes.len()).filter(|at| has_space(nodes, *at, place));
    let ends: Vec<usize> = starts.chain([nodes.len()]).collect();
    let begin = |at: usize| at.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
    ends.iter().enumerate().map(|(at, end)| &nodes[begin(at)..*end]).collect()
}

/// The purpose of the braces at a place in a run.
fn place_of(nodes: &[Node], at: usize, place: Place) -> Place {
    let Some(previous) = at.checked_sub(1).map(|before| &nodes[before]) else {
        // The first in parentheses or in parameters.
        return if matches!(place, Place::Parentheses | Place::Tight) { Place::Tight } else { Place::Values };
    };
    match previous {
        Node::Word(_, "SEQUENCE" | "SET" | "CHOICE" | "CLASS") => Place::Parts,
        Node::Word(_, "ENUMERATED" | "INTEGER" | "STRING") => Place::Numbers,
        Node::Word(_, "COMPONENTS" | "SYNTAX") => Place::Inner,
        Node::Word(Tok::Upper, word) if !is_reserved(word) => Place::Tight,
        Node::Word(Tok::Lower | Tok::AmpUpper | Tok::AmpLower | Tok::At, _) => Place::Tight,
        Node::Brackets { open: "{", .. } => Place::Tight,
        Node::Word(..) | Node::Brackets { .. } => Place::Values,
    }
}

/// Whether a space comes before a node of a run.
fn has_space(nodes: &[Node], at: usize, place: Place) -> bool {
    let (previous, node) = (&nodes[at - 1], &nodes[at]);
    let tok = |at: Option<usize>| at.and_then(|at| nodes.get(at)).and_then(Node::tok);
    let joins = |tok: Option<Tok>| matches!(tok, Some(Tok::Dot | Tok::Range));
    if joins(previous.tok()) || joins(node.tok()) || matches!(previous.tok(), Some(Tok::At | Tok::Minus)) {
        return false;
    }
    match node.tok() {
        Some(Tok::Comma | Tok::Semicolon) => return false,
        // `MIN<..<MAX`
        Some(Tok::Less) if tok(Some(at + 1)) == Some(Tok::Range) => return false,
        // The version of an addition group: `[[ 2: ... ]]`.
        Some(Tok::Colon) if place == Place::Parts && at == 1 && previous.tok() == Some(Tok::Number) => return false,
        _ => {}
    }
    if previous.tok() == Some(Tok::Less) && tok(at.checked_sub(2)) == Some(Tok::Range) {
        return false;
    }
    let is_number = node.open() == "(" && previous.tok() == Some(Tok::Lower);
    !(is_number && matches!(place, Place::Numbers | Place::Values | Place::Tight))
}
