//! Prints tables of times as numbers, and what functions do with them.

use roadwire_layout::Family;
use roadwire_plan::{Arg, Mover, NumberForm, Slot, TimeForm};

use super::numbers::signed_constant;
use super::statements::Printer;
use crate::source::Source;

/// The tables of a file, each of which comes once.
#[derive(Default)]
pub(super) struct Times {
    /// The row of names in which theirs begin.
    pub(super) first_row: u32,
    names: Vec<String>,
    /// With their settings, and with whether all is in whole octets.
    forms: Vec<(TimeForm, String, bool)>,
    settings: Vec<Vec<u32>>,
}

impl Times {
    /// The row of the first name; 0 if there is none.
    pub(super) fn row(&self) -> u32 {
        if self.names.is_empty() { 0 } else { self.first_row }
    }

    /// Prints the names. Any part may be in any other one.
    pub(super) fn write_rows(&self, source: &mut Source) {
        self.names.iter().for_each(|name| source.line(format!("{{\"{name}\", {}}},", self.first_row)));
    }

    /// The number of a table.
    fn of(&mut self, form: &TimeForm, is_whole: bool) -> usize {
        for part in &form.parts {
            if !self.names.contains(&part.name) {
                self.names.push(part.name.clone());
            }
        }
        let settings = self.settings(&form.settings);
        let known = self.forms.iter().position(|(other, _, whole)| other == form && *whole == is_whole);
        known.unwrap_or_else(|| {
            self.forms.push((form.clone(), settings, is_whole));
            self.forms.len() - 1
        })
    }

    /// Settings, and how many numbers these are.
    pub(super) fn settings(&mut self, settings: &[u32]) -> String {
        if settings.is_empty() {
            return "NULL, 0".into();
        }
        let at = self.settings.iter().position(|other| other == settings).unwrap_or_else(|| {
            self.settings.push(settings.to_vec());
            self.settings.len() - 1
        });
        format!("time_settings{at}, {}", settings.len())
    }

    /// Prints the tables.
    pub(super) fn write(&self, source: &mut Source) {
        for (at, settings) in self.settings.iter().enumerate() {
            let numbers: Vec<String> = settings.iter().map(|number| format!("{number:#x}u")).collect();
            source.line("");
            source.line(format!("static const uint32_t time_settings{at}[] = {{{}}};", numbers.join(", ")));
        }
        for (at, (form, settings, is_whole)) in self.forms.iter().enumerate() {
            source.line("");
            source.line(format!("static const rw_form time_forms{at}[] = {{"));
            form.forms.iter().for_each(|one| source.line(format!("{{{}}},", fields(one))));
            source.line("};");
            source.line(format!("static const rw_form_part time_parts{at}[] = {{"));
            for part in &form.parts {
                let step = self.names.iter().position(|name| *name == part.name).unwrap_or(0);
                let presence = part.presence.map_or("RW_ALWAYS".into(), slot);
                let point = match part.point {
                    None => "RW_SAME_POINT",
                    Some(false) => "0",
                    Some(true) => "RW_POINT",
                };
                source.line(format!("{{{step}, {}, {}, {presence}, {point}}},", part.form, part.number));
            }
            source.line("};");
            let (is_aligned, [row, date, clock]) = (form.is_aligned, form.rows);
            source.line(format!("static const rw_time_form time{at} = {{time_forms{at}, time_parts{at}, {settings}, {row}, {date}, {clock}, {is_whole}, {is_aligned}}};"));
        }
    }
}

/// The members of a form.
fn fields(form: &NumberForm) -> String {
    let range = |parts: &std::ops::Range<usize>| format!("{}, {}", parts.start, parts.len());
    match form {
        NumberForm::Word { slot: of, bits, is_aligned, is_signed, offset, bounds } => {
            let [offset, lower, upper] = [*offset, bounds.0, bounds.1].map(signed_constant);
            format!(
                "RW_FORM_WORD, {}, {bits}, 0, {is_aligned}, {is_signed}, 0, 0, {offset}, {lower}, {upper}",
                slot(*of)
            )
        }
        NumberForm::Integer { slot: of, is_signed, offset, bounds } => {
            let [offset, lower, upper] = [*offset, bounds.0, bounds.1].map(signed_constant);
            format!("RW_FORM_INTEGER, {}, 0, 0, false, {is_signed}, 0, 0, {offset}, {lower}, {upper}", slot(*of))
        }
        NumberForm::Extension { slot: of, root, beyond } => {
            format!("RW_FORM_EXTENSION, {}, 0, 0, false, false, {root}, {beyond}, 0, 0, 0", slot(*of))
        }
        NumberForm::Record { bitmap, padding, parts } => {
            format!("RW_FORM_RECORD, 0, {bitmap}, {padding}, false, false, {}, 0, 0, 0", range(parts))
        }
        NumberForm::Choice { slot: of, bits, is_aligned, parts } => {
            format!("RW_FORM_CHOICE, {}, {bits}, 0, {is_aligned}, false, {}, 0, 0, 0", slot(*of), range(parts))
        }
    }
}

/// The place of a number, as the runtime names it.
fn slot(slot: Slot) -> String {
    let name = match slot {
        Slot::Century => "CENTURY",
        Slot::Year => "YEAR",
        Slot::Month => "MONTH",
        Slot::Week => "WEEK",
        Slot::Day => "DAY",
        Slot::Hours => "HOURS",
        Slot::Minutes => "MINUTES",
        Slot::Seconds => "SECONDS",
        Slot::Fraction => "FRACTION",
        Slot::Digits => "DIGITS",
        Slot::Sign => "IS_BEHIND",
        Slot::HoursAhead => "HOURS_AHEAD",
        Slot::MinutesAhead => "MINUTES_AHEAD",
        Slot::Difference => "DIFFERENCE",
        Slot::DateRow => "DATE_ROW",
        Slot::ClockRow => "CLOCK_ROW",
        Slot::Years => "YEARS",
        Slot::Row => "ROW",
        Slot::Recurrence => "RECURRENCE",
        Slot::Duration(at) => return format!("RW_AT_DURATION + {at}"),
        Slot::DurationDigits => "DURATION_DIGITS",
        Slot::DurationFraction => "DURATION_FRACTION",
    };
    format!("RW_AT_{name}")
}

impl Printer<'_, '_> {
    /// Writes or reads a time.
    pub(super) fn time(&mut self, by: Mover, args: &[Arg]) {
        let error = if self.is_thorough { "error" } else { "NULL" };
        let call = match (by, args) {
            (Mover::PutTime, [text, Arg::Time(form)]) => {
                let (text, form) = (self.argument(text), self.time_form(form));
                format!("rw_put_moment(&w, {text}, &{form}, {error})")
            }
            (Mover::TakeTime, [Arg::Exclusive(place), Arg::Time(form)]) => {
                let (text, form) = (self.place(place).address(), self.time_form(form));
                format!("rw_take_moment(&r, &{form}, arena, {text}, {error})")
            }
            (Mover::PutTimeText, [text, Arg::Ranges(settings)]) => {
                let (text, settings) = (self.argument(text), self.settings(settings));
                format!("rw_put_moment_text(&w, {text}, {settings})")
            }
            (Mover::CheckTime, [text, Arg::Ranges(settings)]) => {
                let (text, settings) = (self.argument(text), self.settings(settings));
                format!("rw_check_moment({text}, {settings})")
            }
            other => return drop(self.lacks(&other)),
        };
        self.try_call(call);
    }

    fn time_form(&self, form: &TimeForm) -> String {
        let at = self.types.times.borrow_mut().of(form, self.family == Family::Octet);
        format!("time{at}")
    }

    pub(super) fn settings(&self, settings: &[u32]) -> String {
        self.types.times.borrow_mut().settings(settings)
    }
}
