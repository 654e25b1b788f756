//! The steps for the columns of a type, which follow from its frames.

use roadwire_wire::column::{Bitmap, Source, SourceCells};

use crate::frame::{Form, FrameId, Frames, Opaque, Slot};

/// A column, and where its values go.
#[derive(Clone, Debug)]
pub(super) struct Step<'a> {
    pub(super) kind: Kind<'a>,
    /// Which rows have a value; `None` if all do.
    pub(super) valid: Option<Bitmap<'a>>,
    /// The word with the presence bit, and the one with the value: from the start of the frame.
    pub(super) flags: u32,
    pub(super) at: u32,
    /// The presence bit; `None` if a row without a value is refused.
    pub(super) bit: Option<u8>,
    /// The word of its DEFAULT.
    pub(super) default: Option<u64>,
    /// Whether the word says where the frame of its parts is.
    pub(super) is_outside: bool,
}

/// The values of a column.
#[derive(Clone, Debug)]
pub(super) enum Kind<'a> {
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    Items(&'a [u32]),
    Flags(Bitmap<'a>),
    /// True where there is a value, which has no content of its own.
    True(Bitmap<'a>),
    /// A record whose parts are steps of the same rows.
    Present,
    /// Any other leaf.
    Leaf(&'a Form, &'a Source<'a>),
    /// The octets of a content that is not known.
    Content(&'a Form, &'a Source<'a>),
    /// A record with steps of its own, and how many words it has.
    Group(u32, Vec<Step<'a>>),
    /// The steps of each alternative.
    Choice(&'a [u32], Vec<Vec<Step<'a>>>),
    /// Where each list is, how many words an element has, and its steps.
    List(&'a [(usize, usize)], u32, Vec<Step<'a>>),
}

impl Step<'_> {
    const ROOT: Step<'static> =
        Step { kind: Kind::Present, valid: None, flags: 0, at: 0, bit: None, default: None, is_outside: false };
}

pub(super) struct Builder<'a> {
    frames: &'a Frames,
    columns: &'a [Source<'a>],
    next: usize,
}

impl<'a> Builder<'a> {
    /// The steps of all columns.
    pub(super) fn steps(frames: &'a Frames, columns: &'a [Source<'a>]) -> Option<Vec<Step<'a>>> {
        let mut builder = Builder { frames, columns, next: 0 };
        let mut steps = Vec::new();
        builder.add(frames.root, Step::ROOT, &mut steps)?;
        (builder.next == columns.len()).then_some(steps)
    }

    /// Adds the steps of a frame at a place.
    fn add(&mut self, id: FrameId, step: Step<'a>, steps: &mut Vec<Step<'a>>) -> Option<()> {
        if self.frames.get(id).is_recursive {
            return None;
        }
        let (source, before) = (self.column()?, steps.len());
        let step = Step { valid: source.valid, ..step };
        self.add_form(&self.frames.get(id).form, id, source, step.clone(), steps)?;
        if source.is_absent() {
            // The columns of its parts are absent as well.
            steps.truncate(before);
            steps.extend(step.bit.is_none().then_some(step));
        }
        Some(())
    }

    /// The next column.
    fn column(&mut self) -> Option<&'a Source<'a>> {
        let source = self.columns.get(self.next)?;
        self.next += 1;
        Some(source)
    }

    fn add_form(
        &mut self,
        form: &'a Form,
        id: FrameId,
        source: &'a Source<'a>,
        step: Step<'a>,
        steps: &mut Vec<Step<'a>>,
    ) -> Option<()> {
        let kind = match (form, &source.cells) {
            (Form::Record(slots), cells) if !slots.is_empty() => {
                if !matches!(cells, SourceCells::Parts | SourceCells::None) {
                    return None;
                }
                if step.bit.is_none() && !step.is_outside {
                    steps.extend(step.valid.map(|_| step.clone()));
                    return self.components(id, slots, step.at, steps);
                }
                let mut parts = Vec::new();
                self.components(id, slots, 0, &mut parts)?;
                Kind::Group(self.frames.words(id), parts)
            }
            (Form::Choice(slots), cells) if !slots.is_empty() => {
                let alternatives = slots.iter().map(|slot| self.alternative(slot)).collect::<Option<_>>()?;
                chosen(cells, alternatives)?
            }
            (Form::Opaque(opaque), cells) => {
                let known = opaque.slots.iter().map(|slot| self.alternative(slot));
                let mut alternatives = known.collect::<Option<Vec<_>>>()?;
                let kind = Kind::Content(opaque.octets(), self.column()?);
                alternatives.push(vec![Step { kind, at: Opaque::AT as u32, ..Step::ROOT }]);
                chosen(cells, alternatives)?
            }
            (Form::List(element), cells) => {
                let mut parts = Vec::new();
                self.add(*element, Step::ROOT, &mut parts)?;
                match cells {
                    SourceCells::Lists(lists) => Kind::List(lists, self.frames.words(*element), parts),
                    SourceCells::None => Kind::List(&[], 0, parts),
                    _ => return None,
                }
            }
            (form, cells) => leaf(form, cells).unwrap_or(Kind::Leaf(form, source)),
        };
        steps.push(Step { kind, ..step });
        Some(())
    }

    /// Adds the components of a record that begins at `of`.
    fn components(&mut self, id: FrameId, slots: &[Slot], of: u32, steps: &mut Vec<Step<'a>>) -> Option<()> {
        slots.iter().enumerate().try_for_each(|(index, slot)| {
            let (at, default) = (of.checked_add(slot.at)?, self.frames.default_word(id, index));
            let Slot { frame, bit, is_outside, .. } = *slot;
            self.add(frame, Step { flags: of, at, bit, default, is_outside, ..Step::ROOT }, steps)
        })
    }

    fn alternative(&mut self, slot: &Slot) -> Option<Vec<Step<'a>>> {
        let mut steps = Vec::new();
        self.add(slot.frame, Step { at: slot.at, is_outside: slot.is_outside, ..Step::ROOT }, &mut steps)?;
        Some(steps)
    }
}

/// Of a CHOICE, or of content.
fn chosen<'a>(cells: &'a SourceCells<'a>, alternatives: Vec<Vec<Step<'a>>>) -> Option<Kind<'a>> {
    match cells {
        SourceCells::Chosen(chosen) => Some(Kind::Choice(chosen, alternatives)),
        SourceCells::None => Some(Kind::Choice(&[], alternatives)),
        _ => None,
    }
}

/// The values of a common leaf.
fn leaf<'a>(form: &Form, cells: &'a SourceCells<'a>) -> Option<Kind<'a>> {
    Some(match (form, cells) {
        (Form::Integer, SourceCells::U8(cells)) => Kind::U8(cells),
        (Form::Integer, SourceCells::U16(cells)) => Kind::U16(cells),
        (Form::Integer, SourceCells::U32(cells)) => Kind::U32(cells),
        (Form::Integer, SourceCells::U64(cells)) => Kind::U64(cells),
        (Form::Integer, SourceCells::I8(cells)) => Kind::I8(cells),
        (Form::Integer, SourceCells::I16(cells)) => Kind::I16(cells),
        (Form::Integer, SourceCells::I32(cells)) => Kind::I32(cells),
        (Form::Integer, SourceCells::I64(cells)) => Kind::I64(cells),
        (Form::Enumerated, SourceCells::Items(cells)) => Kind::Items(cells),
        (Form::Boolean, SourceCells::Flags(flags)) => Kind::Flags(*flags),
        (Form::Null | Form::Record(_), SourceCells::True(flags)) => Kind::True(*flags),
        _ => return None,
    })
}
