//! Passes improve plans. They know no encoding and no target.

mod ends;
pub(crate) mod heads;
pub(crate) mod put;
pub(crate) mod take;
pub(crate) mod text;
pub(crate) mod words;

use crate::plan::{Block, Event, Repeat, Stmt, Stream};

/// A statement whose blocks a pass changes.
fn nested(statement: Stmt, pass: &dyn Fn(Block) -> Block) -> Stmt {
    match statement {
        Stmt::If { condition, then, otherwise } => {
            Stmt::If { condition, then: pass(then), otherwise: otherwise.map(pass) }
        }
        Stmt::IfSent { component, place, inner, then } => Stmt::IfSent { component, place, inner, then: pass(then) },
        Stmt::Switch { id, place, arms, has_others } => {
            let arms = arms.into_iter().map(|(at, inner, block)| (at, inner, pass(block))).collect();
            Stmt::Switch { id, place, arms, has_others }
        }
        Stmt::Select { number, arms, others } => {
            let arms = arms.into_iter().map(|(key, block)| (key, pass(block))).collect();
            Stmt::Select { number, arms, others: others.map(pass) }
        }
        Stmt::Loop { condition, body } => Stmt::Loop { condition, body: pass(body) },
        Stmt::Ahead { body, fails } => Stmt::Ahead { body: pass(body), fails: pass(fails) },
        Stmt::CountTo { at, number, body } => Stmt::CountTo { at, number, body: pass(body) },
        Stmt::SwitchOpen { id, place, arms, others } => {
            let arms = arms.into_iter().map(|(at, inner, block)| (at, inner, pass(block))).collect();
            Stmt::SwitchOpen { id, place, arms, others: others.map(pass) }
        }
        Stmt::Chain(arms) => Stmt::Chain(arms.into_iter().map(|(condition, block)| (condition, pass(block))).collect()),
        Stmt::SelectTag(arms, others) => {
            Stmt::SelectTag(arms.into_iter().map(|(tags, block)| (tags, pass(block))).collect(), others.map(pass))
        }
        Stmt::SelectRow { row, arms, others } => {
            let arms = arms.into_iter().map(|(at, block)| (at, pass(block))).collect();
            Stmt::SelectRow { row, arms, others: pass(others) }
        }
        Stmt::Within { inside, by, args, body } => Stmt::Within { inside, by, args, body: pass(body) },
        Stmt::While { condition, element, body } => Stmt::While { condition, element, body: pass(body) },
        Stmt::Each { item, list, body } => Stmt::Each { item, list, body: pass(body) },
        Stmt::Overwrite { element, at, place, until, body } => {
            Stmt::Overwrite { element, at, place, until, body: pass(body) }
        }
        Stmt::Stream(stream) => Stmt::Stream(nested_stream(stream, pass)),
        Stmt::Named { at, body } => Stmt::Named { at, body: pass(body) },
        Stmt::Separated { element, body } => Stmt::Separated { element, body: pass(body) },
        Stmt::Times { count, element, body } => Stmt::Times { count, element, body: pass(body) },
        other => other,
    }
}

fn nested_stream(statement: Stream, pass: &dyn Fn(Block) -> Block) -> Stream {
    match statement {
        Stream::IfSentElse { component, place, inner, then, otherwise } => {
            Stream::IfSentElse { component, place, inner, then: pass(then), otherwise: pass(otherwise) }
        }
        Stream::Enumerated { at, item, place, body } => Stream::Enumerated { at, item, place, body: pass(body) },
        Stream::Match { number, is_hex, arms, others } => {
            let arms = arms.into_iter().map(|(first, last, block)| (first, last, pass(block))).collect();
            Stream::Match { number, is_hex, arms, others: others.map(pass) }
        }
        Stream::EachPlace { element, at, count, place, body } => {
            Stream::EachPlace { element, at, count, place, body: pass(body) }
        }
        Stream::TakeElements { element, place, size, body } => {
            Stream::TakeElements { element, place, size, body: pass(body) }
        }
        Stream::PutElements { item, list, size, body } => Stream::PutElements { item, list, size, body: pass(body) },
        Stream::Event(event) => Stream::Event(match event {
            Event::OrEmpty { string, code, second, full } => Event::OrEmpty { string, code, second, full: pass(full) },
            Event::Repeat(repeat) => {
                let Repeat { body, .. } = *repeat.clone();
                Event::Repeat(Box::new(Repeat { body: pass(body), ..*repeat }))
            }
            other => other,
        }),
        other => other,
    }
}
