//! Text that is numbers at fixed places: in memory `2024-02-29`, on the wire one number after the other.

use roadwire_layout::{Member, Name, Node, NodeId, Span};
use roadwire_wire::{Data, ErrorKind, Rejected, Shape, Step};

use crate::decode::{Chosen, Decoder};
use crate::encode::Encoder;
use crate::listener::Listener;

const FORM: ErrorKind = ErrorKind::Text("not in the form that its time type has");

/// A stretch of a pattern: digits, or what separates them.
struct Stretch<'p> {
    text: &'p str,
    is_number: bool,
}

/// `0000-00` is a number of four digits, a hyphen, and a number of two.
fn stretches(pattern: &str) -> impl Iterator<Item = Stretch<'_>> {
    pattern
        .split_inclusive(|character| character != '0')
        .flat_map(|piece| {
            let (digits, rest) = piece.split_at(piece.find(|character| character != '0').unwrap_or(piece.len()));
            [Stretch { text: digits, is_number: true }, Stretch { text: rest, is_number: false }]
        })
        .filter(|stretch| !stretch.text.is_empty())
}

impl<'n> Encoder<'n, '_, '_> {
    #[inline(never)]
    pub(crate) fn fields(&mut self, pattern: Name, members: Span, text: &str) -> Result<(), Rejected> {
        let layout = self.layout;
        let mut members = layout.members(members).iter();
        let mut rest = text;
        for stretch in stretches(layout.name(pattern)) {
            let Some((head, tail)) = rest.split_at_checked(stretch.text.len()) else { return Err(self.fail(FORM)) };
            rest = tail;
            if !stretch.is_number {
                if head != stretch.text {
                    return Err(self.fail(FORM));
                }
                continue;
            }
            let digits = head.bytes().all(|octet| octet.is_ascii_digit());
            let (Ok(number), true, Some(member)) = (head.parse(), digits, members.next()) else {
                return Err(self.fail(FORM));
            };
            if self.number(member, number).is_err() {
                return Err(self.within_member(member));
            }
        }
        if rest.is_empty() { Ok(()) } else { Err(self.fail(FORM)) }
    }

    /// A number, or a choice of ranges of numbers.
    fn number(&mut self, member: &Member, number: i64) -> Result<(), Rejected> {
        let Node::Choice { width, alternatives, .. } = *self.layout.node(member.node) else {
            return self.node(member.node, &number);
        };
        let alternatives = self.layout.alternatives(alternatives);
        match alternatives.iter().enumerate().find(|(_, one)| self.admits(one.node, &number)) {
            Some((at, alternative)) => {
                self.put_field(at as u64, width)?;
                self.node(alternative.node, &number)
            }
            None => self.mismatch("a number in one of the ranges"),
        }
    }
}

impl<'n, L: Listener> Decoder<'n, '_, '_, '_, L> {
    #[inline(never)]
    pub(crate) fn fields(&mut self, pattern: Name, members: Span, value: &mut dyn Data) -> Result<(), Rejected> {
        if !value.begin(Shape::Text) {
            return self.mismatch("a place for a character string");
        }
        let layout = self.layout;
        let mut members = layout.members(members).iter();
        for stretch in stretches(layout.name(pattern)) {
            if !stretch.is_number {
                self.push(stretch.text.chars(), value)?;
                continue;
            }
            let Some(member) = members.next() else { return self.misplaced() };
            let mut number = 0i64;
            if L::ACTIVE {
                self.listener.enter(Step::Name(layout.name(member.name)));
            }
            let done = self.number(member.node, &mut number);
            if L::ACTIVE {
                self.listener.leave();
            }
            if done.is_err() {
                return Err(self.within_member(member));
            }
            let mut left = number;
            let mut digits = ['0'; 8];
            let Some(digits) = digits.get_mut(..stretch.text.len()) else { return self.misplaced() };
            for digit in digits.iter_mut().rev() {
                *digit = char::from(b'0' + left.rem_euclid(10) as u8);
                left = left.div_euclid(10);
            }
            if left != 0 {
                self.fail(FORM);
                return Err(self.within_member(member));
            }
            self.push(digits.iter().copied(), value)?;
        }
        Ok(())
    }

    fn push(&mut self, characters: impl Iterator<Item = char>, value: &mut dyn Data) -> Result<(), Rejected> {
        for (at, character) in characters.enumerate() {
            if !value.push_char(character) {
                return self.full(at as u64);
            }
        }
        Ok(())
    }

    fn number(&mut self, id: NodeId, number: &mut i64) -> Result<(), Rejected> {
        let node = self.layout.node(id);
        if !matches!(node, Node::Choice { .. }) {
            return self.node(id, number);
        }
        let Chosen::Root(alternative) = self.open_choice(node)? else { return self.misplaced() };
        self.depth -= 1;
        let at = self.reader.position();
        self.node(alternative.node, number)?;
        // X.691 §32.3: the last alternative is for what the others have no place for.
        let Node::Choice { alternatives, .. } = *node else { return Ok(()) };
        let others = self.layout.alternatives(alternatives).iter().take_while(|one| !core::ptr::eq(*one, alternative));
        let number = i128::from(*number);
        let earlier = others
            .map(|one| self.layout.node(one.node))
            .any(|node| matches!(*node, Node::Word { lower, upper, .. } if lower <= number && number <= upper));
        if earlier {
            return Err(self.fail_at(ErrorKind::Malformed("a number in a form for other ranges"), at));
        }
        Ok(())
    }
}
