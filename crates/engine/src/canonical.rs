//! Refuses encodings that are not canonical: signatures are over octets, and two encodings of one
//! value must not both be accepted.
//!
//! Decoders accept every valid form, and encoders write the canonical one; so an encoding is
//! canonical if encoding the decoded value gives it again.

use roadwire_layout::Layout;
use roadwire_wire::{Data, Error, ErrorKind, Path, Step};

use crate::limits::Limits;
use crate::listener::{Item, Listener};

/// Finds the first bit in which the message (the first `bits` bits of `input`) differs from the
/// canonical encoding of `value`, which was decoded from it.
///
/// # Errors
/// [`ErrorKind::NotCanonical`] there, with the field that the bit belongs to.
#[inline]
pub(crate) fn compare<'n>(
    layout: &'n Layout,
    input: &[u8],
    bits: usize,
    canonical: &[u8],
    value: &mut dyn Data,
) -> Result<usize, Error<'n>> {
    let message = input.get(..layout.octets_of(bits)).unwrap_or(input);
    if message == canonical { Ok(bits) } else { Err(difference(layout, message, canonical, value)) }
}

#[cold]
#[inline(never)]
fn difference<'n>(layout: &'n Layout, message: &[u8], canonical: &[u8], value: &mut dyn Data) -> Error<'n> {
    let same = message.iter().zip(canonical).take_while(|(a, b)| a == b).count();
    let within = match (message.get(same), canonical.get(same)) {
        (Some(a), Some(b)) => (a ^ b).leading_zeros() as usize,
        _ => 0,
    };
    // A message that is longer than the canonical one, and otherwise equal, differs in its last
    // bit.
    let bit = (same * 8 + within).min((message.len() * 8).saturating_sub(1));
    let mut field = Field { bit, layout, steps: [Held::Index(0); Path::MAX_STEPS], depth: 0, found: None };
    let _ = crate::decode_with(layout, message, value, &Limits::for_input(message), &mut field);
    Error { kind: ErrorKind::NotCanonical, bit, path: field.found.unwrap_or(Path::root()) }
}

/// Finds the field that a bit belongs to.
struct Field<'n> {
    bit: usize,
    layout: &'n Layout,
    /// The decoder's current path.
    steps: [Held; Path::MAX_STEPS],
    depth: usize,
    found: Option<Path<'n>>,
}

/// A step, with the place of its name in the layout.
#[derive(Clone, Copy)]
enum Held {
    Name(u32),
    Index(u32),
}

impl Listener for Field<'_> {
    fn enter(&mut self, step: Step<'_>) {
        if let Some(place) = self.steps.get_mut(self.depth) {
            *place = match step {
                Step::Name(name) => Held::Name(self.layout.place_of_name(name)),
                Step::Index(index) => Held::Index(index),
            };
        }
        self.depth += 1;
    }

    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn item(&mut self, _: &Layout, item: &Item<'_>) {
        if self.found.is_some() || !(item.bit..item.bit.saturating_add(item.bits)).contains(&self.bit) {
            return;
        }
        let mut path = Path::root();
        for step in self.steps.iter().take(self.depth).rev() {
            match *step {
                Held::Name(place) => path.prepend_name(self.layout, place),
                Held::Index(index) => path.prepend_index(index),
            }
        }
        self.found = Some(path);
    }
}
