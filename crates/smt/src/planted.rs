//! Faults that are planted in plans: a solver has to find each one.

use std::cell::Cell;

use roadwire_layout::Rules;
use roadwire_plan::{Amount, Block, Cond, Num, Plan, Stmt, Stream, Value, Way};

/// A fault.
pub struct Planted {
    /// The fault.
    pub name: &'static str,
    /// The subject in whose plans it is planted.
    pub subject: &'static str,
    /// Its rules.
    pub rules: Rules,
    way: Way,
    /// Changes a statement if it is such a one.
    change: fn(&mut Stmt) -> bool,
}

/// All faults.
pub const PLANTED: &[Planted] =
    &[
        planted("a part of a word is one bit too wide", "numbers", Rules::Uper, Way::Decode, |one| match one {
            Stmt::Stream(Stream::LetPart { right, .. }) if *right > 0 => add(right, -1),
            _ => false,
        }),
        planted("a word has one bit too few", "numbers", Rules::Uper, Way::Encode, |one| match one {
            Stmt::Stream(Stream::PutChunk { bits, .. }) => add(bits, -1),
            _ => false,
        }),
        planted("a lower bound is one too great", "numbers", Rules::Uper, Way::Encode, |one| match one {
            Stmt::Let(_, Num::Amount(amount)) => match &mut **amount {
                Amount::AboveLower { lower, .. } => {
                    *lower += 1;
                    true
                }
                _ => false,
            },
            _ => false,
        }),
        planted("an upper bound is one too small", "numbers", Rules::Uper, Way::Encode, |one| match one {
            Stmt::RejectIf(Cond::Any(all)) => all.iter_mut().any(|one| match one {
                Cond::Above(_, most) => {
                    *most -= 1;
                    true
                }
                _ => false,
            }),
            _ => false,
        }),
        planted("two parts of a word are in the wrong order", "numbers", Rules::Uper, Way::Encode, |one| match one {
            Stmt::Stream(Stream::PutChunk { parts, .. }) if parts.len() > 1 => {
                let first = parts[0].0.clone();
                parts[0].0 = std::mem::replace(&mut parts[1].0, first);
                true
            }
            _ => false,
        }),
        planted("a part of a fused word is shifted one bit too far", "numbers", Rules::Uper, Way::Encode, |one| {
            match one {
                Stmt::Stream(Stream::PutChunk { parts, .. }) if parts.len() > 1 => add(&mut parts[0].1, 1),
                _ => false,
            }
        }),
        planted("a presence bit says the opposite", "presence", Rules::Uper, Way::Encode, |one| match one {
            Stmt::Stream(Stream::PutChunk { parts, .. }) => parts.iter_mut().any(|(number, _)| match number {
                Num::Amount(amount) => match &mut **amount {
                    Amount::Holds(condition) => {
                        *condition = Cond::Not(Box::new(condition.clone()));
                        true
                    }
                    _ => false,
                },
                _ => false,
            }),
            _ => false,
        }),
        planted("a component that is absent is not cleared", "presence", Rules::Uper, Way::Decode, |one| match one {
            Stmt::Clear(..) => {
                *one = Stmt::Settle;
                true
            }
            _ => false,
        }),
        planted("two items are exchanged", "choices", Rules::Uper, Way::Decode, |one| match one {
            Stmt::Set(_, Value::Indexed { items, .. }) if items.len() > 1 => {
                items.swap(0, 1);
                true
            }
            _ => false,
        }),
        planted("two alternatives are exchanged", "choices", Rules::Coer, Way::Decode, |one| match one {
            Stmt::Stream(Stream::Match { arms, .. }) if arms.len() > 1 => {
                let key = (arms[0].0, arms[0].1);
                (arms[0].0, arms[0].1) = (arms[1].0, arms[1].1);
                (arms[1].0, arms[1].1) = key;
                true
            }
            Stmt::Select { arms, .. } if arms.len() > 1 => {
                let key = arms[0].0;
                arms[0].0 = std::mem::replace(&mut arms[1].0, key);
                true
            }
            _ => false,
        }),
        planted("a number begins one octet too early", "numbers", Rules::Coer, Way::Decode, |one| match one {
            Stmt::Let(_, Num::At { at, .. }) if *at > 0 => {
                *at -= 1;
                true
            }
            _ => false,
        }),
        planted("a tag is another one", "numbers", Rules::Der, Way::Encode, |one| match one {
            Stmt::Write(_, args) => args.iter_mut().any(|arg| match arg {
                roadwire_plan::Arg::Num(Num::Const(tag)) => {
                    *tag ^= 1;
                    true
                }
                _ => false,
            }),
            _ => false,
        }),
        planted("the octets of a fused word are too few", "presence", Rules::Der, Way::Encode, |one| match one {
            Stmt::PutWord { octets: roadwire_plan::Count::Known(octets), .. } if *octets > 2 => add(octets, -1),
            _ => false,
        }),
    ];

const fn planted(
    name: &'static str,
    subject: &'static str,
    rules: Rules,
    way: Way,
    change: fn(&mut Stmt) -> bool,
) -> Planted {
    Planted { name, subject, rules, way, change }
}

fn add(number: &mut u32, more: i32) -> bool {
    *number = number.wrapping_add_signed(more);
    true
}

impl Planted {
    /// The change that plants it: in each plan of its way, in the first statement that fits. `done`
    /// says whether there was one.
    pub fn plant<'d>(&'d self, done: &'d Cell<bool>) -> impl Fn(&mut Plan, Way) + 'd {
        move |plan, way| {
            if way == self.way && changed(&mut plan.block, self.change) {
                done.set(true);
            }
        }
    }
}

/// Changes the first statement that fits, the outer ones first.
fn changed(block: &mut Block, change: fn(&mut Stmt) -> bool) -> bool {
    block.iter_mut().any(|statement| change(statement) || inner(statement).into_iter().any(|one| changed(one, change)))
}

/// The blocks in a statement.
fn inner(statement: &mut Stmt) -> Vec<&mut Block> {
    match statement {
        Stmt::If { then, otherwise, .. } => [then].into_iter().chain(otherwise).collect(),
        Stmt::IfSent { then, .. } => vec![then],
        Stmt::Switch { arms, .. } => arms.iter_mut().map(|(.., block)| block).collect(),
        Stmt::Select { arms, .. } => arms.iter_mut().map(|(_, block)| block).collect(),
        Stmt::SelectTag(arms, others) => arms.iter_mut().map(|(_, block)| block).chain(others).collect(),
        Stmt::Chain(arms) => arms.iter_mut().map(|(_, block)| block).collect(),
        Stmt::Each { body, .. } | Stmt::Times { body, .. } | Stmt::Within { body, .. } => vec![body],
        Stmt::Stream(Stream::IfSentElse { then, otherwise, .. }) => vec![then, otherwise],
        Stmt::Stream(Stream::Match { arms, .. }) => arms.iter_mut().map(|(.., block)| block).collect(),
        Stmt::Stream(Stream::Enumerated { body, .. }) => vec![body],
        _ => Vec::new(),
    }
}
