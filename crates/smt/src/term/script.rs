//! Terms as text.

use std::fmt::Write as _;

use super::{Id, Op, Terms, mask};

impl Terms {
    /// A script that asks whether a truth value can be 1.
    pub(crate) fn script(&self, asked: Id) -> String {
        let mut needed = vec![false; self.nodes.len()];
        needed[asked.0 as usize] = true;
        for at in (0..self.nodes.len()).rev().filter(|at| *at <= asked.0 as usize) {
            if needed[at] {
                self.parts(&self.nodes[at].op).into_iter().for_each(|part| needed[part.0 as usize] = true);
            }
        }
        let mut text = String::from("(set-logic QF_BV)\n");
        for (at, node) in self.nodes.iter().enumerate().filter(|(at, _)| needed[*at]) {
            let width = node.width;
            match &node.op {
                Op::Const(_) => {}
                Op::Sym(name) => {
                    let _ = writeln!(text, "(declare-const |{name}| (_ BitVec {width}))");
                    if width <= 64 && node.most < mask(width) {
                        let _ = writeln!(text, "(assert (bvule |{name}| (_ bv{} {width})))", node.most);
                    }
                }
                Op::Extract(of, low) => {
                    let (of, high) = (self.name(*of), low + width - 1);
                    let _ = writeln!(text, "(define-fun t{at} () (_ BitVec {width}) ((_ extract {high} {low}) {of}))");
                }
                op => {
                    let body = self.text(op);
                    let _ = writeln!(text, "(define-fun t{at} () (_ BitVec {width}) {body})");
                }
            }
        }
        let _ = writeln!(text, "(assert (= {} #b1))\n(check-sat)", self.name(asked));
        text
    }

    fn parts(&self, op: &Op) -> Vec<Id> {
        match op {
            Op::Const(_) | Op::Sym(_) => Vec::new(),
            Op::Extract(of, _) | Op::Not(of) => vec![*of],
            Op::Concat(parts) => parts.clone(),
            Op::Linear(parts, _) => parts.iter().map(|(id, _)| *id).collect(),
            Op::And(a, b) | Op::Or(a, b) | Op::Xor(a, b) | Op::Equal(a, b) => vec![*a, *b],
            Op::Below(a, b) | Op::BelowSigned(a, b) | Op::Shl(a, b) | Op::Shr(a, b) => vec![*a, *b],
            Op::Ite(a, b, c) => vec![*a, *b, *c],
        }
    }

    fn name(&self, id: Id) -> String {
        match self.op(id) {
            Op::Const(number) => format!("(_ bv{number} {})", self.width(id)),
            Op::Sym(name) => format!("|{name}|"),
            _ => format!("t{}", id.0),
        }
    }

    fn text(&self, op: &Op) -> String {
        let two = |by: &str, a: &Id, b: &Id| format!("({by} {} {})", self.name(*a), self.name(*b));
        let truth = |by: &str, a: &Id, b: &Id| format!("(ite {} #b1 #b0)", two(by, a, b));
        match op {
            Op::Const(_) | Op::Sym(_) | Op::Extract(..) => String::new(),
            Op::Concat(parts) => {
                format!("(concat {})", parts.iter().map(|part| self.name(*part)).collect::<Vec<_>>().join(" "))
            }
            Op::Not(of) => format!("(bvnot {})", self.name(*of)),
            Op::And(a, b) => two("bvand", a, b),
            Op::Or(a, b) => two("bvor", a, b),
            Op::Xor(a, b) => two("bvxor", a, b),
            Op::Equal(a, b) => truth("=", a, b),
            Op::Below(a, b) => truth("bvult", a, b),
            Op::BelowSigned(a, b) => truth("bvslt", a, b),
            Op::Shl(a, b) => two("bvshl", a, b),
            Op::Shr(a, b) => two("bvlshr", a, b),
            Op::Ite(a, b, c) => format!("(ite (= {} #b1) {} {})", self.name(*a), self.name(*b), self.name(*c)),
            Op::Linear(parts, more) => {
                let width = parts.first().map_or(64, |(id, _)| self.width(*id));
                let part = |(id, count): &(Id, u64)| match *count {
                    1 => self.name(*id),
                    count if count == mask(width) => format!("(bvneg {})", self.name(*id)),
                    count => format!("(bvmul {} (_ bv{count} {width}))", self.name(*id)),
                };
                let mut all: Vec<String> = parts.iter().map(part).collect();
                if *more != 0 || all.len() == 1 {
                    all.push(format!("(_ bv{more} {width})"));
                }
                format!("(bvadd {})", all.join(" "))
            }
        }
    }
}
