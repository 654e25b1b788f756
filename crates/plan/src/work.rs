//! How much a decoder does at most, from its plan.

use std::collections::{HashMap, hash_map};

use roadwire_model::{Kind, TypeId};

use crate::pdu::Pdu;
use crate::plan::{Block, Element, Event, Stmt, Stream, Way};
use crate::planner::{Entry, Planner};

/// Work that a decoder does at most for one message of any octets, but for rare forms and for
/// finding out what is wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Statements: of blocks of which one is done, the longest counts, and those of an element as
    /// often as its list has elements.
    pub statements: u64,
    /// Those of them that call a function of the runtime or of a part.
    pub calls: u64,
    /// Functions that read the message from its start: one for plain values, and one for all.
    pub rounds: u64,
}

impl Work {
    /// That of a message's decoder. `None` for a list without a greatest size, for a type that
    /// contains itself, and where all is left to the interpreter.
    #[must_use]
    pub fn of_decoder(pdu: &Pdu<'_, '_>) -> Option<Work> {
        let start = pdu.start()?;
        let mut planner = Planner::new(pdu);
        let mut rounds = Vec::new();
        let mut parts = Parts { pdu, blocks: HashMap::new(), done: HashMap::new() };
        let mut called = Vec::new();
        for entry in pdu.has_plain.then_some(Entry::Plain).into_iter().chain([Entry::General]) {
            let plan = planner.function(Way::Decode, entry, (pdu.root, start));
            rounds.push(plan.block);
            called.extend(plan.called);
        }
        while let Some((id, node)) = called.pop() {
            if let hash_map::Entry::Vacant(place) = parts.blocks.entry(id) {
                let plan = planner.function(Way::Decode, Entry::Part, (id, node));
                called.extend(plan.called);
                place.insert(plan.block);
            }
        }
        let mut work = Work { rounds: rounds.len() as u64, ..Work::default() };
        for block in &rounds {
            work = work.and(parts.of_block(block)?)?;
        }
        Some(work)
    }

    fn and(self, other: Work) -> Option<Work> {
        Some(Work {
            statements: self.statements.checked_add(other.statements)?,
            calls: self.calls.checked_add(other.calls)?,
            rounds: self.rounds + other.rounds,
        })
    }

    fn times(self, count: u64) -> Option<Work> {
        Some(Work {
            statements: self.statements.checked_mul(count)?,
            calls: self.calls.checked_mul(count)?,
            rounds: self.rounds,
        })
    }

    /// At least both.
    fn or(self, other: Work) -> Work {
        Work {
            statements: self.statements.max(other.statements),
            calls: self.calls.max(other.calls),
            rounds: self.rounds.max(other.rounds),
        }
    }
}

/// The functions of a message.
struct Parts<'p, 'a, 'm> {
    pdu: &'p Pdu<'a, 'm>,
    blocks: HashMap<TypeId, Block>,
    /// `None` while a function is looked at: one that calls itself has no end here.
    done: HashMap<TypeId, Option<Work>>,
}

impl Parts<'_, '_, '_> {
    fn of_block(&mut self, block: &Block) -> Option<Work> {
        block.iter().try_fold(Work::default(), |sum, statement| sum.and(self.of(statement)?))
    }

    /// Of a statement, with the blocks in it.
    fn of(&mut self, statement: &Stmt) -> Option<Work> {
        let own = Work { statements: 1, calls: u64::from(calls(statement)), rounds: 0 };
        own.and(match statement {
            Stmt::If { then, otherwise, .. } => self.longest([then].into_iter().chain(otherwise)),
            Stmt::Select { arms, others, .. } => self.longest(arms.iter().map(|(_, block)| block).chain(others)),
            Stmt::SelectTag(arms, others) => self.longest(arms.iter().map(|(_, block)| block).chain(others)),
            Stmt::SelectRow { arms, others, .. } => self.longest(arms.iter().map(|(_, block)| block).chain([others])),
            Stmt::Chain(arms) => self.longest(arms.iter().map(|(_, block)| block)),
            Stmt::Within { body, .. } => self.of_block(body),
            Stmt::While { element, body, .. }
            | Stmt::Separated { element, body }
            | Stmt::Times { element, body, .. }
            | Stmt::Overwrite { element, body, .. }
            | Stmt::Stream(Stream::EachPlace { element, body, .. }) => self.of_elements(element, body),
            Stmt::Stream(Stream::Match { arms, others, .. }) => {
                self.longest(arms.iter().map(|(.., block)| block).chain(others))
            }
            Stmt::Stream(Stream::Event(Event::OrEmpty { full, .. })) => self.of_block(full),
            Stmt::Stream(Stream::Event(Event::Repeat(repeat))) => self.of_elements(&repeat.element, &repeat.body),
            Stmt::Call { id, .. } => self.of_part(*id),
            _ => Some(Work::default()),
        }?)
    }

    fn longest<'b>(&mut self, blocks: impl Iterator<Item = &'b Block>) -> Option<Work> {
        let mut longest = Work::default();
        for block in blocks {
            longest = longest.or(self.of_block(block)?);
        }
        Some(longest)
    }

    /// One more than the list may have is read before it is refused.
    fn of_elements(&mut self, element: &Element, body: &Block) -> Option<Work> {
        let Kind::SequenceOf { size, .. } = self.pdu.types.kind(element.list_id) else { return None };
        self.of_block(body)?.times(size.upper?.checked_add(1)?)
    }

    fn of_part(&mut self, id: TypeId) -> Option<Work> {
        let id = self.pdu.types.canonical(id);
        if let Some(work) = self.done.get(&id) {
            return *work;
        }
        self.done.insert(id, None);
        let block = self.blocks.remove(&id)?;
        let work = self.of_block(&block);
        self.done.insert(id, work);
        work
    }
}

/// Whether a statement calls a function of the runtime, or of a part.
fn calls(statement: &Stmt) -> bool {
    match statement {
        Stmt::Within { .. }
        | Stmt::TakeHead { .. }
        | Stmt::TakeRest { .. }
        | Stmt::Split { .. }
        | Stmt::LetHead { .. }
        | Stmt::Read(..)
        | Stmt::ReadSlice { .. }
        | Stmt::Skip(..)
        | Stmt::Fill { .. }
        | Stmt::Do(..)
        | Stmt::Get(..)
        | Stmt::SetBy(..)
        | Stmt::SetFlagsBy(..)
        | Stmt::SetByLabel { .. }
        | Stmt::TakeCharacters { .. }
        | Stmt::TakeInteger(_)
        | Stmt::Call { .. } => true,
        Stmt::Stream(stream) => !matches!(
            stream,
            Stream::LetPart { .. } | Stream::RejectPart { .. } | Stream::LetMasked { .. } | Stream::LetBits { .. }
        ),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Work;
    use crate::{Options, Pdu, Types};
    use roadwire_frontend::{Source, compile};
    use roadwire_layout::Rules;

    fn work(text: &str, rules: Rules) -> Option<Work> {
        let text = format!("M DEFINITIONS AUTOMATIC TAGS ::= BEGIN {text} END");
        let model = compile(&[Source::new("m.asn", text)]).unwrap().model;
        let root = model.find("M.A").unwrap();
        let types = Types::collect(&model, &model, &[root], Options::default()).unwrap();
        Work::of_decoder(&Pdu::all(&types, &[root], rules).unwrap()[0])
    }

    #[test]
    fn elements_count_as_often_as_a_list_may_have_them() {
        let list = |most| format!("A ::= SEQUENCE {{ a SEQUENCE (SIZE (0..{most})) OF INTEGER (0..255), b BOOLEAN }}");
        for rules in [Rules::Uper, Rules::Coer, Rules::Der, Rules::Protobuf, Rules::Exi] {
            let [two, four, six] = [2, 4, 6].map(|most| work(&list(most), rules).unwrap().statements);
            assert!(two < four && six - four == four - two, "{rules}: {two}, {four}, {six}");
        }
    }

    #[test]
    fn of_two_alternatives_the_longer_one_counts() {
        let choice = |other: &str| format!("A ::= CHOICE {{ a SEQUENCE {{ x INTEGER, y INTEGER }}, b {other} }}");
        let [short, same, long] = ["NULL", "BOOLEAN", "SEQUENCE { x INTEGER, y INTEGER, z UTF8String }"]
            .map(|other| work(&choice(other), Rules::Uper).unwrap());
        assert_eq!(short.calls, same.calls);
        assert!(long.calls > short.calls, "{long:?}, {short:?}");
    }

    #[test]
    fn lists_without_an_end_and_types_inside_themselves_have_none() {
        assert_eq!(work("A ::= SEQUENCE { a SEQUENCE OF BOOLEAN }", Rules::Uper), None);
        assert_eq!(work("A ::= SEQUENCE { a A OPTIONAL, b BOOLEAN }", Rules::Der), None);
    }
}
