//! Reading leaves.

use std::borrow::Cow;

use roadwire_wire::{BitWord, Data, Scalar, Shape};

use super::error::Outcome;
use super::lexer::Token;
use super::names::{clip, hint};
use super::read::{Reader, unknown_index};
use super::scalars;
use crate::constraint::Size;
use crate::types::Enumerators;

impl Reader<'_> {
    pub(super) fn integer(&self, node: usize, place: &mut dyn Data) -> Outcome {
        if self.tape.token(node) != Token::Number {
            return Err(self.mismatch(node, "an integer"));
        }
        let raw = self.tape.raw(node);
        let value = scalars::integer(raw).map_err(|message| self.fault(node, "jer.integer", message))?;
        if place.set(value.scalar()) {
            return Ok(());
        }
        let message = format!("{} does not fit into the in-memory type", clip(raw));
        Err(self.fault(node, "integer.width", message))
    }

    pub(super) fn enumerated(&self, items: &Enumerators, node: usize, place: &mut dyn Data) -> Outcome {
        let name = self.characters(node, "the name of an item, as a string")?;
        let known = items.root.iter().chain(&items.additions).map(|(known, _)| known.as_str());
        let ordinal = match known.clone().position(|known| known == name) {
            Some(ordinal) => ordinal,
            None => match unknown_index(&name) {
                Some(index) if items.extensible && index as usize >= items.additions.len() => {
                    items.root.len() + index as usize
                }
                _ => {
                    let message = format!("there is no item `{}`{}", clip(&name), hint(&name, known));
                    return Err(self.fault(node, "jer.enumerated", message));
                }
            },
        };
        match u32::try_from(ordinal) {
            Ok(ordinal) => self.set(node, place, Scalar::Enumerated(ordinal)),
            Err(_) => Err(self.fault(node, "jer.enumerated", "the index is above 2^32")),
        }
    }

    pub(super) fn real(&self, node: usize, place: &mut dyn Data) -> Outcome {
        let number = |node| scalars::real(self.tape.raw(node)).map_err(|message| self.fault(node, "jer.real", message));
        let value = match self.tape.token(node) {
            Token::Number => number(node)?,
            Token::Text(_) => scalars::special_real(&self.tape.characters(node)).ok_or_else(|| {
                self.fault(node, "jer.real", "a REAL as a string is \"-0\", \"INF\", \"-INF\" or \"NaN\"")
            })?,
            Token::Object => {
                let [inner] = self.exact_members(node, ["base10Value"])?;
                match self.tape.token(inner) {
                    Token::Number => number(inner)?,
                    _ => return Err(self.mismatch(inner, "a number")),
                }
            }
            _ => return Err(self.mismatch(node, "a number")),
        };
        self.set(node, place, Scalar::Real(value))
    }

    pub(super) fn bit_string(&self, size: Size, node: usize, place: &mut dyn Data) -> Outcome {
        let fixed = size.fixed().filter(|_| !size.extensible);
        let (digits, bits) = match (self.tape.token(node), fixed) {
            (Token::Text(_), Some(bits)) => (node, bits),
            (Token::Text(_), None) => {
                let message = "a BIT STRING without a fixed size is {\"value\": hexadecimal, \"length\": bits}";
                return Err(self.fault(node, "jer.bits", message));
            }
            (Token::Object, _) => {
                self.refuse_containing(node)?;
                let [value, length] = self.exact_members(node, ["value", "length"])?;
                let bits = match self.tape.token(length) {
                    Token::Number => self.tape.raw(length).parse::<u64>().ok(),
                    _ => None,
                };
                (value, bits.ok_or_else(|| self.mismatch(length, "a number of bits"))?)
            }
            _ => return Err(self.mismatch(node, "a BIT STRING: hexadecimal digits")),
        };
        let octets = self.hexadecimal(digits)?;
        let expected = bits.div_ceil(8);
        if octets.len() as u64 != expected {
            let message =
                format!("{bits} bits are {} hexadecimal digits, not {}", expected.saturating_mul(2), octets.len() * 2);
            return Err(self.fault(digits, "jer.bits", message));
        }
        // No more bits than the text has digits for, so that it fits.
        let bits = bits as usize;
        if let (Some(last), used @ 1..) = (octets.last(), bits % 8) {
            if last & (0xff >> used) != 0 {
                return Err(self.fault(digits, "jer.bits", format!("a bit after the {bits} bits is not zero")));
            }
        }
        let word = BitWord::from_octets(&octets, bits);
        if word.is_some_and(|word| place.set(Scalar::Word(word))) {
            return Ok(());
        }
        if place.begin(Shape::Bits) {
            if let Some(target) = place.extend_bits(bits).filter(|target| target.len() == octets.len()) {
                target.copy_from_slice(&octets);
                return Ok(());
            }
        }
        Err(self.unfit(node))
    }

    pub(super) fn hexadecimal(&self, node: usize) -> Outcome<Vec<u8>> {
        if self.tape.token(node) == Token::Object {
            self.refuse_containing(node)?;
        }
        let digits = self.characters(node, "octets: hexadecimal digits in a string")?;
        scalars::octets(&digits).map_err(|message| self.fault(node, "jer.hex", message))
    }

    pub(super) fn fill_octets(&self, node: usize, place: &mut dyn Data, octets: &[u8]) -> Outcome {
        if place.begin(Shape::Octets) {
            if let Some(target) = place.extend_octets(octets.len()).filter(|target| target.len() == octets.len()) {
                target.copy_from_slice(octets);
                return Ok(());
            }
        }
        let message = format!("the in-memory type has no room for {} octets", octets.len());
        Err(self.fault(node, "size.capacity", message))
    }

    fn refuse_containing(&self, node: usize) -> Outcome {
        match self.tape.members(node).any(|(name, _)| self.tape.characters(name) == "containing") {
            true => Err(self.fault(
                node,
                "jer.containing",
                "contents are given as hexadecimal digits here, not \"containing\"",
            )),
            false => Ok(()),
        }
    }

    pub(super) fn oid(&self, node: usize, place: &mut dyn Data, relative: bool) -> Outcome {
        let text = self.characters(node, "an object identifier, as a string")?;
        let oid = scalars::oid(&text, relative).map_err(|message| self.fault(node, "jer.oid", message))?;
        self.set(node, place, Scalar::Oid(oid.contents()))
    }

    pub(super) fn text(&self, node: usize, place: &mut dyn Data) -> Outcome {
        let text = self.characters(node, "a string")?;
        if !place.begin(Shape::Text) {
            return Err(self.unfit(node));
        }
        match text.chars().all(|character| place.push_char(character)) {
            true => Ok(()),
            false => {
                let message = format!("the in-memory type has no room for {} characters", text.chars().count());
                Err(self.fault(node, "size.capacity", message))
            }
        }
    }

    /// The members of an object that has just these.
    fn exact_members<const N: usize>(&self, node: usize, names: [&str; N]) -> Outcome<[usize; N]> {
        let mut found = [None; N];
        for (name, member) in self.tape.members(node) {
            let characters = self.tape.characters(name);
            let place = names.iter().position(|known| *known == characters);
            let Some(place) = place.and_then(|at| found.get_mut(at)).filter(|place| place.is_none()) else {
                let message = format!("unexpected member `{}`: there is just {names:?}", clip(&characters));
                return Err(self.fault(name, "jer.member.unknown", message));
            };
            *place = Some(member);
        }
        let mut members = [node; N];
        for ((place, found), name) in members.iter_mut().zip(found).zip(names) {
            *place =
                found.ok_or_else(|| self.fault(node, "jer.member.missing", format!("member `{name}` is absent")))?;
        }
        Ok(members)
    }

    fn characters(&self, node: usize, expected: &str) -> Outcome<Cow<'_, str>> {
        match self.tape.token(node) {
            Token::Text(_) => Ok(self.tape.characters(node)),
            _ => Err(self.mismatch(node, expected)),
        }
    }

    pub(super) fn set(&self, node: usize, place: &mut dyn Data, scalar: Scalar<'_>) -> Outcome {
        if place.set(scalar) { Ok(()) } else { Err(self.unfit(node)) }
    }
}
