//! The levels of a container's slots in a batch.

use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array, ArrayRef};

/// The levels of a container in a batch, one of each for a slot of its columns.
pub(crate) struct Slots {
    pub(crate) definitions: Vec<i16>,
    pub(crate) repetitions: Rc<Vec<i16>>,
    /// Where the container is in its array, for all slots in which it is present.
    pub(crate) places: Vec<Range<usize>>,
    /// The definition of these slots.
    level: i16,
    /// How many lists are around it.
    depth: i16,
    /// The definitions of a nullable column that is present wherever the container is.
    present: OnceCell<Vec<i16>>,
}

impl Slots {
    /// Those of the rows of a batch.
    pub(crate) fn of_rows(rows: usize) -> Slots {
        let places = std::iter::once(0..rows).collect();
        Slots::new(vec![0; rows], Rc::new(vec![0; rows]), places, 0, 0)
    }

    fn new(
        definitions: Vec<i16>,
        repetitions: Rc<Vec<i16>>,
        places: Vec<Range<usize>>,
        level: i16,
        depth: i16,
    ) -> Slots {
        Slots { definitions, repetitions, places, level, depth, present: OnceCell::new() }
    }

    /// Those of a record in it, or of the elements of a list.
    pub(crate) fn inside(&self, array: &ArrayRef, is_nullable: bool) -> Slots {
        match array.as_list_opt::<i32>() {
            Some(lists) => self.elements(lists, lists.value_offsets(), is_nullable),
            None => {
                let (definitions, places) = self.valid(array);
                Slots::new(definitions, Rc::clone(&self.repetitions), places, self.level + 1, self.depth)
            }
        }
    }

    /// The definitions of a nullable column that is present wherever the container is.
    pub(crate) fn present(&self) -> &[i16] {
        let one_more = |level: &i16| level + i16::from(*level == self.level);
        self.present.get_or_init(|| self.definitions.iter().map(one_more).collect())
    }

    /// The definitions of a nullable column, and where it has values.
    pub(crate) fn valid(&self, array: &dyn Array) -> (Vec<i16>, Vec<Range<usize>>) {
        let Some(nulls) = array.nulls().filter(|nulls| nulls.null_count() > 0) else {
            return (self.present().to_vec(), self.places.clone());
        };
        let (octets, offset) = (nulls.validity(), nulls.offset());
        let is_valid = |at: usize| octets.get(at / 8).is_some_and(|octet| octet >> (at % 8) & 1 == 1);
        let (mut definitions, mut valid, mut last) = (self.definitions.clone(), Vec::new(), 0..0);
        let (mut runs, mut run) = (self.places.iter(), 0..0);
        for level in &mut definitions {
            if *level != self.level {
                continue;
            }
            if run.is_empty() {
                let Some(next) = runs.next() else { break };
                run = next.clone();
            }
            let place = run.start;
            run.start += 1;
            if is_valid(place + offset) {
                *level += 1;
                if last.end != place {
                    push(&mut valid, std::mem::replace(&mut last, place..place));
                }
                last.end = place + 1;
            }
        }
        push(&mut valid, last);
        (definitions, valid)
    }

    fn elements(&self, lists: &dyn Array, offsets: &[i32], is_nullable: bool) -> Slots {
        let empty = self.level + i16::from(is_nullable);
        let (level, depth) = (empty + 1, self.depth + 1);
        let count: usize =
            self.places.iter().map(|places| (offsets[places.end] - offsets[places.start]) as usize).sum();
        let mut definitions = Vec::with_capacity(self.definitions.len() + count);
        let (mut repetitions, mut elements) = (Vec::with_capacity(definitions.capacity()), Vec::new());
        let nulls = lists.nulls().filter(|nulls| nulls.null_count() > 0);
        let mut places = self.places.iter().cloned().flatten();
        for (definition, repetition) in self.definitions.iter().zip(self.repetitions.iter()) {
            repetitions.push(*repetition);
            let place = if *definition == self.level { places.next() } else { None };
            let Some(place) = place.filter(|place| nulls.is_none_or(|nulls| nulls.is_valid(*place))) else {
                definitions.push(*definition);
                continue;
            };
            let (start, end) = (offsets[place] as usize, offsets[place + 1] as usize);
            if start == end {
                definitions.push(empty);
                continue;
            }
            definitions.resize(definitions.len() + end - start, level);
            repetitions.resize(definitions.len(), depth);
            push(&mut elements, start..end);
        }
        Slots::new(definitions, Rc::new(repetitions), elements, level, depth)
    }
}

/// Appends places, which follow all others.
fn push(places: &mut Vec<Range<usize>>, next: Range<usize>) {
    match places.last_mut() {
        Some(last) if last.end == next.start => last.end = next.end,
        _ if next.is_empty() => {}
        _ => places.push(next),
    }
}
