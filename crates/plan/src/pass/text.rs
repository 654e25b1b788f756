//! Fuses constant text.

use std::mem::take;

use super::nested;
use crate::plan::{Block, Stmt};

/// Text of more octets than this is written before alternatives, and not in each of them.
const BEFORE_ALTERNATIVES: usize = 1000;

/// Fuses the constant text of a block.
pub(crate) fn fused(block: Block) -> Block {
    continued(String::new(), block)
}

/// The same, after text that is not written yet.
fn continued(mut pending: String, block: Block) -> Block {
    let mut out = Block::new();
    for statement in block {
        match statement {
            Stmt::Text(text) => pending.push_str(&text),
            // These neither write nor read.
            Stmt::ForgetUnknown(_) | Stmt::SetAbsent(..) => out.push(statement),
            Stmt::GiveUp => {
                pending.clear();
                out.push(statement);
            }
            Stmt::Settle => flush(&mut pending, &mut out),
            // Pending text is written at the start of every alternative.
            Stmt::Switch { id, place, arms, has_others } => {
                if pending.len() > BEFORE_ALTERNATIVES {
                    flush(&mut pending, &mut out);
                }
                let before = take(&mut pending);
                let arm = |(at, inner, block)| (at, inner, continued(before.clone(), block));
                out.push(Stmt::Switch { id, place, arms: arms.into_iter().map(arm).collect(), has_others });
            }
            other => {
                flush(&mut pending, &mut out);
                out.push(nested(other, &fused));
            }
        }
    }
    flush(&mut pending, &mut out);
    out
}

fn flush(pending: &mut String, out: &mut Block) {
    if !pending.is_empty() {
        out.push(Stmt::PutText(take(pending)));
    }
}
