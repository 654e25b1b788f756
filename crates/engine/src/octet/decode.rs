//! Decoding: alternatives selected by tags (X.696 §20), and additions whose presence is a bit
//! string (§16.4).

use crate::decode::Family;
use roadwire_layout::{Node, tag};
use roadwire_wire::rt::octet;
use roadwire_wire::rt::packed;
use roadwire_wire::{Few, Form, Rejected, Scalar, Unexpected, faults};

use crate::decode::Decoder;
use crate::listener::{Listener, What};
use crate::packed::decode::Chosen;

impl<'n, L: Listener, F: Family> Decoder<'n, '_, '_, '_, L, F> {
    /// Reads the tag, unless it belongs to an untagged CHOICE, which reads it itself.
    #[inline(never)]
    pub(crate) fn open_tagged(&mut self, node: &'n Node) -> Result<Chosen<'n>, Rejected> {
        let Node::Choice { extensible, root, alternatives, tags, .. } = *node else { return Err(Rejected) };
        let start = self.reader;
        let at = start.position();
        let Ok(tag) = octet::take_tag(&mut self.reader) else {
            return Err(self.refuse(at, 8, faults::octet::TAG));
        };
        let pairs = self.layout.numbers(tags).chunks_exact(2);
        let find = |wanted: u32| pairs.clone().find(|pair| pair[0] == wanted).map(|pair| pair[1]);
        let place = find(tag).or_else(|| if extensible { None } else { find(tag::ANY) });
        let alternatives = self.layout.alternatives(alternatives);
        let found = place.and_then(|place| alternatives.get((place & !tag::INNER) as usize).zip(Some(place)));
        match found {
            Some((alternative, place)) if place & tag::INNER != 0 => {
                self.reader = start;
                Ok(Chosen::Root(alternative))
            }
            Some((alternative, place)) => {
                self.show(at, What::Choice(u64::from(place), self.layout.name(alternative.name)), Scalar::Unset);
                Ok(if place < root { Chosen::Root(alternative) } else { Chosen::Addition(alternative) })
            }
            None => {
                self.show(at, What::Choice(alternatives.len() as u64, ""), Scalar::Unset);
                if extensible {
                    return Ok(Chosen::UnknownTag(tag));
                }
                Err(self.no_octet_tag(tag, node, at))
            }
        }
    }

    /// A tag that no alternative has.
    #[cold]
    #[inline(never)]
    fn no_octet_tag(&mut self, found: u32, node: &Node, at: usize) -> Rejected {
        let Node::Choice { alternatives, tags, .. } = *node else { return Rejected };
        self.unexpected(faults::shared::CHOICE_TAG, at, |decoder| {
            let layout = decoder.layout;
            let alternatives = layout.alternatives(alternatives);
            let mut expected = Few::none();
            for pair in layout.numbers(tags).chunks_exact(2).filter(|pair| pair[0] != tag::ANY) {
                let alternative = alternatives.get((pair[1] & !tag::INNER) as usize);
                expected.add(|| (pair[0], alternative.map_or(u32::MAX >> 1, |one| layout.place_of_alternative(one))));
            }
            Unexpected::Number { form: Form::Tag, found: found.into(), expected }
        })
    }

    /// How many additions there are presence bits for, and how many unused bits follow those.
    pub(crate) fn addition_octets(&mut self) -> Result<(usize, usize), Rejected> {
        let at = self.reader.position();
        let octets = self.next_chunk()?.units as usize;
        let at_unused = self.reader.position();
        let unused = if octets == 0 { 8 } else { self.take(8)? as usize };
        match (octets.saturating_sub(1) * 8).checked_sub(unused) {
            Some(count @ 1..packed::FRAGMENT) if unused < 8 => {
                self.show(at_unused, What::AdditionCount(count), Scalar::Unset);
                Ok((count, unused))
            }
            _ => Err(self.found_octets(faults::shared::ADDITIONS_COUNT, at, 2)),
        }
    }
}
