//! Strings, and other values of any number of octets.

use roadwire_wire::Rejected;
use roadwire_wire::rt::{RealContents, is_oid, tlv};

use super::code::{Text, Units};
use super::decode;
use crate::tape::span;

impl decode::Machine<'_> {
    pub(super) fn text(&mut self, text: &Text) -> Result<u64, Rejected> {
        if let Units::Element = text.units {
            return self.element();
        }
        let end = self.contents(text.tag, None)?;
        let octets = self.input.get(self.at..end).ok_or(Rejected)?;
        self.at = end;
        let start = self.tape.octets.len();
        let size = match &text.units {
            Units::Bits(trim) => {
                let count = self.bits(octets, trim.is_some().then_some(text.lower))?;
                return if text.admits(count) { span(start, count) } else { Err(Rejected) };
            }
            Units::Octets => octets.len(),
            Units::Oid if is_oid(octets) => octets.len(),
            Units::Oid | Units::Element => return Err(Rejected),
            Units::Characters(permitted) => {
                self.budget.units(octets.len())?;
                if !octets.iter().all(|octet| is_permitted(**permitted, *octet)) {
                    return Err(Rejected);
                }
                octets.len()
            }
            Units::Utf8 => {
                self.budget.units(octets.len())?;
                core::str::from_utf8(octets).map_err(|_| Rejected)?.chars().count()
            }
            Units::Real => return Ok(RealContents::read(octets).map_err(|_| Rejected)?.to_bits()),
        };
        if !text.admits(size) {
            return Err(Rejected);
        }
        self.tape.string(octets, octets.len())
    }

    /// A value of any type.
    fn element(&mut self) -> Result<u64, Rejected> {
        let left = self.input.get(self.at..self.end).ok_or(Rejected)?;
        let octets = tlv::element(left).ok().and_then(|length| left.get(..length)).ok_or(Rejected)?;
        self.at += octets.len();
        self.tape.string(octets, octets.len())
    }

    /// Bits after an octet that says how many of the last one are unused (X.690 §8.6): these are
    /// zero on the tape. Those that are missing at the end, if they have no meaning, are added.
    fn bits(&mut self, octets: &[u8], least: Option<u64>) -> Result<usize, Rejected> {
        let (unused @ 0..=7, octets) = octets.split_first().ok_or(Rejected)? else { return Err(Rejected) };
        let count = (octets.len() * 8).checked_sub(usize::from(*unused)).ok_or(Rejected)?;
        self.tape.octets.extend_from_slice(octets);
        if let (Some(last), 1..) = (self.tape.octets.last_mut(), *unused) {
            *last &= 0xff << unused;
        }
        let added = least.map_or(0, |least| (least as usize).saturating_sub(count));
        if added > 0 {
            self.budget.units(added)?;
            let more = (count + added).div_ceil(8) - octets.len();
            self.tape.octets.resize(self.tape.octets.len() + more, 0);
        }
        Ok(count + added)
    }
}

impl Text {
    /// Whether there may be so many units.
    pub(super) fn admits(&self, units: usize) -> bool {
        (self.lower..=self.upper).contains(&(units as u64))
    }
}

/// Whether a character is in an alphabet.
pub(super) fn is_permitted(alphabet: u128, character: u8) -> bool {
    character.is_ascii() && alphabet >> character & 1 == 1
}
