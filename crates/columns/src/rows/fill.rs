//! A value that is filled with a row.

use roadwire_model::{BigInt, Oid};
use roadwire_wire::{Data, Scalar, Shape, Unknown, fill_leaf};

use super::{Content, Form, Member, Part, absent};
use crate::ColumnsError;
use crate::plan::OCTETS;
use crate::unknown::Tree;
use crate::values::Values;

/// Small where nothing is wrong: it comes back from each part of a value.
type Filled = Result<(), Box<ColumnsError>>;

impl Part {
    pub(super) fn fill(&self, row: usize, value: &mut dyn Data, unknown: Option<&Tree<'_>>) -> Filled {
        match &self.content {
            Content::Nothing => Err(absent().into()),
            Content::Record(members, components) => {
                begin(value, Shape::Record(*components))?;
                members.iter().try_for_each(|member| member.fill(row, value, unknown))?;
                self.put(unknown, value)
            }
            Content::Choice(alternatives, _, octets) => {
                let mut there = alternatives.iter().filter(|one| !one.part.is_null(row));
                let octets = octets.as_deref().filter(|part| !part.is_null(row));
                match (there.next(), octets, there.next(), self.alternative(unknown)?) {
                    (Some(Member { index, name, part, .. }), None, None, None) => {
                        let place = value.choose(*index).ok_or_else(misfit);
                        let unknown = unknown.and_then(|tree| tree.named(name));
                        place.and_then(|place| part.fill(row, place, unknown)).map_err(|error| within(*error, name))
                    }
                    (None, Some(part), None, None) => {
                        part.fill(row, value, None).map_err(|error| within(*error, OCTETS))
                    }
                    (None, None, None, Some(unknown)) => keep(value, unknown),
                    (None, None, None, None) => Err(wrong("columns.absent", "no alternative has a value")),
                    _ => Err(wrong("columns.choice", "several alternatives have a value")),
                }
            }
            Content::List(lists, element) => {
                begin(value, Shape::List)?;
                let (from, to) = lists.get(row).copied().unwrap_or_default();
                for (at, row) in (from..to).enumerate() {
                    if element.is_null(row) {
                        return Err(absent().at(at).into());
                    }
                    let place = value.push().ok_or_else(misfit);
                    let unknown = unknown.and_then(|tree| tree.element(at));
                    let filled = place.and_then(|place| element.fill(row, place, unknown));
                    filled.map_err(|error| Box::new(error.at(at)))?;
                }
                Ok(())
            }
            Content::Leaf(form, values) => {
                form.fill(values, row, value)?;
                self.put(unknown, value)
            }
            Content::Bits(values, lengths) => {
                let octets = values.octets(row).ok_or_else(misfit)?;
                let bits = lengths.integer(row).and_then(|bits| usize::try_from(bits).ok()).ok_or_else(misfit)?;
                if octets.len() != bits.div_ceil(8) {
                    let what = format!("{bits} bits are not in {} octets", octets.len());
                    return Err(wrong("columns.value", what));
                }
                fill_bits(octets, bits, value)
            }
        }
    }

    /// Puts parts that the type does not know into a SEQUENCE or SET.
    fn put(&self, unknown: Option<&Tree<'_>>, value: &mut dyn Data) -> Filled {
        match (unknown, self.known) {
            (Some(tree), Some(known)) => Ok(tree.put(known, value)?),
            _ => Ok(()),
        }
    }

    /// The alternative of a CHOICE that it does not know, if it has one.
    fn alternative<'u>(&self, unknown: Option<&Tree<'u>>) -> Result<Option<&'u Unknown>, ColumnsError> {
        match (unknown, self.known) {
            (Some(tree), Some(known)) => tree.alternative(known),
            _ => Ok(None),
        }
    }
}

impl Member {
    /// Fills the component of a record.
    fn fill(&self, row: usize, record: &mut dyn Data, unknown: Option<&Tree<'_>>) -> Filled {
        if self.part.is_null(row) {
            return if self.is_mandatory { Err(absent().within(&self.name).into()) } else { Ok(()) };
        }
        let place = record.component_mut(self.index).ok_or_else(misfit);
        let unknown = unknown.and_then(|tree| tree.named(&self.name));
        let filled = place.and_then(|place| self.part.fill(row, place, unknown));
        filled.map_err(|error| within(*error, &self.name))
    }
}

impl Form {
    fn fill(&self, values: &Values, row: usize, value: &mut dyn Data) -> Filled {
        let is_taken = match self {
            Form::Boolean => value.set(Scalar::Boolean(values.boolean(row).ok_or_else(misfit)?)),
            Form::Null | Form::Empty if values.boolean(row) != Some(true) => {
                return Err(wrong("columns.value", "what has no content is true, or null"));
            }
            Form::Null => value.set(Scalar::Null),
            Form::Empty => value.begin(Shape::Record(0)),
            Form::Integer => value.set(Scalar::Integer(values.integer(row).ok_or_else(misfit)?)),
            Form::Digits => match values.text(row) {
                None => value.set(Scalar::Integer(values.integer(row).ok_or_else(misfit)?)),
                Some(digits) => fill_digits(digits, value)?,
            },
            Form::Real => value.set(Scalar::Real(values.real(row).ok_or_else(misfit)?)),
            Form::Enumerated(items) => {
                let ordinal = items.ordinal(row).ok_or_else(|| match values.text(row) {
                    Some(name) => wrong("columns.value", format!("`{name}` is not an item of the enumeration")),
                    None => misfit(),
                })?;
                value.set(Scalar::Enumerated(ordinal))
            }
            Form::Bits(bits) => {
                let octets = values.octets(row).filter(|octets| octets.len() == bits.div_ceil(8));
                return fill_bits(octets.ok_or_else(misfit)?, *bits, value);
            }
            Form::Octets => {
                let octets = values.octets(row).ok_or_else(misfit)?;
                fill_leaf(value, Scalar::Octets(octets)).is_ok()
            }
            Form::Text => {
                let text = values.text(row).ok_or_else(misfit)?;
                value.begin(Shape::Text) && text.chars().all(|one| value.push_char(one))
                    || value.set(Scalar::Text(text))
            }
            Form::Oid { relative } => {
                let text = values.text(row).ok_or_else(misfit)?;
                value.set(Scalar::Oid(oid(text, *relative).ok_or_else(misfit)?.contents()))
            }
        };
        if is_taken { Ok(()) } else { Err(misfit()) }
    }
}

fn fill_digits(digits: &str, value: &mut dyn Data) -> Result<bool, Box<ColumnsError>> {
    // Conversion takes quadratic time.
    let number: BigInt = Some(digits)
        .filter(|digits| digits.len() <= 10_000)
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(misfit)?;
    Ok(match i128::try_from(&number) {
        Ok(small) => value.set(Scalar::Integer(small)),
        Err(_) => value.set(Scalar::WideInteger(&number.to_signed_bytes_be())),
    })
}

fn fill_bits(octets: &[u8], bits: usize, value: &mut dyn Data) -> Filled {
    let last = octets.last().copied().unwrap_or(0);
    if !bits.is_multiple_of(8) && last << (bits % 8) != 0 {
        return Err(wrong("columns.value", "bits after the last one are not zero"));
    }
    fill_leaf(value, Scalar::Bits(octets, bits)).map_err(|_| misfit())
}

fn oid(text: &str, relative: bool) -> Option<Oid> {
    let arcs = text.split('.').map(|arc| arc.parse().ok()).collect::<Option<Vec<BigInt>>>()?;
    if relative { Oid::relative(&arcs) } else { Oid::absolute(&arcs) }
}

fn keep(value: &mut dyn Data, unknown: &Unknown) -> Filled {
    if value.keep(unknown.clone()) { Ok(()) } else { Err(misfit()) }
}

fn begin(value: &mut dyn Data, shape: Shape) -> Filled {
    if value.begin(shape) { Ok(()) } else { Err(misfit()) }
}

#[cold]
fn misfit() -> Box<ColumnsError> {
    wrong("columns.value", "the value is not of the type")
}

#[cold]
fn wrong(code: &'static str, message: impl Into<String>) -> Box<ColumnsError> {
    Box::new(ColumnsError::new(code, message))
}

#[cold]
fn within(error: ColumnsError, name: &str) -> Box<ColumnsError> {
    Box::new(error.within(name))
}
