//! Field paths.

use core::fmt;

/// One step of a field path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'n> {
    /// A component or alternative, by name.
    Name(&'n str),
    /// An element of a list, counted from 0; a component or alternative where names are left out
    /// (the feature `names` of `roadwire-layout`).
    Index(u32),
}

/// The names of a path's steps, which are a layout's.
pub trait Names: Sync {
    /// The step to the component or alternative with its name at this place, or to the item: its
    /// name, "" if there is none; its number where names are left out.
    fn step(&self, place: u32) -> Step<'_>;
}

/// The name at this place, or "" if there is none.
pub(crate) fn name_at(names: Option<&dyn Names>, place: u32) -> &str {
    match names.map(|names| names.step(place)) {
        Some(Step::Name(name)) => name,
        _ => "",
    }
}

impl<const N: usize> Names for [&'static str; N] {
    fn step(&self, place: u32) -> Step<'_> {
        Step::Name(self.get(place as usize).copied().unwrap_or(""))
    }
}

/// A field path such as `cam.camParameters.lowFrequencyContainer[3].pathDeltaTime`. It is built
/// from the inside out while an error is returned through the levels; beyond [`Path::MAX_STEPS`]
/// steps, the outermost are left out.
///
/// Errors are returned on the stack, which is small in a space-optimised codec. So a step is one
/// word, and its name is looked up only when it is read.
#[derive(Clone)]
pub struct Path<'n> {
    names: Option<&'n dyn Names>,
    /// Innermost first: the place of a name, or an index with the highest bit set.
    steps: [u32; Path::MAX_STEPS],
    len: u8,
    cut: bool,
}

const INDEX: u32 = 1 << 31;

impl<'n> Path<'n> {
    /// How many steps a path holds.
    pub const MAX_STEPS: usize = 12;

    /// The message itself.
    #[must_use]
    pub const fn root() -> Self {
        Path { names: None, steps: [0; Path::MAX_STEPS], len: 0, cut: false }
    }

    /// The message itself, of a layout with these names: an error may name components that the path
    /// does not have.
    #[must_use]
    pub const fn root_of(names: &'n dyn Names) -> Self {
        Path { names: Some(names), ..Path::root() }
    }

    /// The names of its steps.
    pub(crate) fn names(&self) -> Option<&'n dyn Names> {
        self.names
    }

    /// Whether it is the message itself.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Puts a component or alternative in front. Its name is at `place` (below 2^31) of `names`,
    /// which must be the same for all steps.
    pub fn prepend_name(&mut self, names: &'n dyn Names, place: u32) {
        self.names = Some(names);
        self.prepend(place & !INDEX);
    }

    /// Puts an element of a list in front. (Past 2^31 elements the index is wrong.)
    pub fn prepend_index(&mut self, index: u32) {
        self.prepend(index | INDEX);
    }

    fn prepend(&mut self, step: u32) {
        match self.steps.get_mut(usize::from(self.len)) {
            Some(place) => {
                *place = step;
                self.len += 1;
            }
            None => self.cut = true,
        }
    }

    /// The steps, outermost first.
    pub fn steps(&self) -> impl Iterator<Item = Step<'n>> + '_ {
        self.steps.iter().take(usize::from(self.len)).rev().map(|step| match step & INDEX {
            0 => self.names.map_or(Step::Name(""), |names| names.step(*step)),
            _ => Step::Index(step & !INDEX),
        })
    }
}

impl PartialEq for Path<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cut == other.cut && self.steps().eq(other.steps())
    }
}

impl Eq for Path<'_> {}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.cut {
            f.write_str("…")?;
        }
        for (at, step) in self.steps().enumerate() {
            match step {
                Step::Name(name) if at == 0 && !self.cut => f.write_str(name)?,
                Step::Name(name) => write!(f, ".{name}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Path({self})")
    }
}
