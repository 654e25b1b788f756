//! Times whose encoding is a record of numbers (X.691 §32, X.696 §29), or text in its canonical
//! form: in memory they are text.

use alloc::string::String;

use roadwire_layout::{Layout, Node, NodeId, Span};
use roadwire_wire::rt::time::{Settings, Time, row};
use roadwire_wire::{Data, ErrorKind, Rejected, Scalar, Shape, faults};

use crate::decode::{self, Decoder};
use crate::encode::{self, Encoder};
use crate::listener::Listener;
use crate::times::FORM;

/// Whether a value has one of the sets of settings, if there are any.
fn admits(layout: &Layout, settings: Span, time: &Time) -> bool {
    let mut sets = layout.numbers(settings).chunks_exact(3);
    let admits = |numbers: &[u32]| {
        <[u32; 3]>::try_from(numbers).is_ok_and(|numbers| Settings::from_numbers(numbers).admits(time))
    };
    settings.count == 0 || sets.any(admits)
}

/// Whether a text is a time that has one of the sets of settings.
pub(crate) fn time_of(layout: &Layout, settings: Span, text: &str) -> Option<Time> {
    Time::read(text).filter(|time| time.is_whole() && admits(layout, settings, time))
}

impl<F: encode::Family> Encoder<'_, '_, '_, F> {
    #[inline(never)]
    pub(crate) fn time(&mut self, node: &Node, value: &dyn Data) -> Result<(), Rejected> {
        let Node::Time { node, rows, settings } = *node else { return self.misplaced() };
        let Scalar::Text(text) = value.scalar() else { return self.mismatch("a character string") };
        if rows[0] == row::TEXT {
            return self.time_text(node, settings, text);
        }
        let Some(time) = Time::read(text) else { return Err(self.fail(FORM)) };
        let is_mixed = rows[0] == row::NONE;
        if !is_mixed && time.rows() != rows || !admits(self.layout, settings, &time) {
            return Err(self.fail(FORM));
        }
        self.node(node, if is_mixed { &time } else { time.part() })?;
        // Numbers that are each in range may still not be a valid time.
        if time.is_whole() { Ok(()) } else { Err(self.fail(FORM)) }
    }

    fn time_text(&mut self, node: NodeId, settings: Span, text: &str) -> Result<(), Rejected> {
        let Some(time) = time_of(self.layout, settings, text) else { return Err(self.fail(FORM)) };
        let mut canonical = String::new();
        time.write(&mut |character| {
            canonical.push(character);
            true
        });
        self.node(node, &canonical)
    }
}

impl<L: Listener, F: decode::Family> Decoder<'_, '_, '_, '_, L, F> {
    #[inline(never)]
    pub(crate) fn time(&mut self, node: &Node, value: &mut dyn Data) -> Result<(), Rejected> {
        let Node::Time { node, rows, settings } = *node else { return self.misplaced() };
        if !value.begin(Shape::Text) {
            return self.mismatch("a place for a character string");
        }
        let at = self.reader.position();
        if rows[0] == row::TEXT {
            self.node(node, value)?;
            let is_one = matches!(value.scalar(), Scalar::Text(text) if time_of(self.layout, settings, text).is_some());
            return if is_one { Ok(()) } else { Err(self.fail_at(FORM, at)) };
        }
        let mut time = Time::of_rows(rows);
        self.node(node, if rows[0] == row::NONE { &mut time } else { time.part_mut() })?;
        if !time.is_whole() || !admits(self.layout, settings, &time) {
            return Err(self.fail_at(ErrorKind::Malformed(faults::shared::TIME), at));
        }
        let mut count = 0;
        let room = time.write(&mut |character| {
            count += 1;
            value.push_char(character)
        });
        if room { Ok(()) } else { self.full(count) }
    }
}
