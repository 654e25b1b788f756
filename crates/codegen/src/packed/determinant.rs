//! Values with a general length determinant (X.691 §11.9.3.5 to §11.9.3.7) of less than 16K units: integers without two bounds, and the number of units of unbounded strings and lists.

use roadwire_layout::{Extent, Form, LengthForm};
use roadwire_model::TypeId;

use crate::packed::decode::DecodeWriter;
use crate::packed::encode::EncodeWriter;
use crate::packed::run::Place;

/// The bounds of an integer, if it has any.
type Bounds = (Option<i128>, Option<i128>);

impl EncodeWriter<'_, '_> {
    /// An integer in as few octets as hold it.
    pub(crate) fn determined_integer(&mut self, id: TypeId, form: Form, (lower, upper): Bounds, place: &Place) {
        let is_definite = self.layout.length_form == LengthForm::Definite;
        let Some(held) = self.types.word(id).and_then(|rust| held(rust, form, lower, upper)).filter(|_| !is_definite)
        else {
            return self.leave_to_interpreter();
        };
        let number = self.variable();
        self.run.before(format!("let {number} = ({}) as {held};", self.types.number(id, place)));
        if let Some(outside) = outside(&number, held, lower, upper) {
            self.run.refuse_if(outside);
        }
        self.begin_determinant();
        self.flush(false);
        self.apart(match form {
            Form::Signed => format!("wire::rt::octet::put_signed(&mut w, {number})?;"),
            Form::Unsigned => format!("wire::rt::octet::put_unsigned(&mut w, {number} as u64)?;"),
            Form::Offset => {
                format!(
                    "wire::rt::octet::put_unsigned(&mut w, ({number} as u64).wrapping_sub({}i128 as u64))?;",
                    lower.unwrap_or(0)
                )
            }
        });
    }

    /// How many units follow.
    pub(crate) fn determinant(&mut self, extent: &Extent, count: &str) {
        if self.layout.length_form == LengthForm::Definite {
            return self.leave_to_interpreter();
        }
        if let Some(outside) = outside(count, "u64", Some(extent.lower.into()), Some(extent.upper.into())) {
            self.run.refuse_if(outside);
        }
        self.begin_determinant();
        self.flush(false);
        self.apart(format!("wire::rt::packed::put_count(&mut w, {count} as usize)?;"));
    }
}

impl DecodeWriter<'_, '_> {
    /// An integer in as few octets as hold it, or more.
    pub(crate) fn determined_integer(&mut self, id: TypeId, form: Form, (lower, upper): Bounds, place: &Place) {
        let is_definite = self.layout.length_form == LengthForm::Definite;
        let word = self.types.word(id).filter(|_| !is_definite);
        let Some((rust, held)) = word.and_then(|rust| Some((rust, held(rust, form, lower, upper)?))) else {
            return self.leave_to_interpreter();
        };
        self.begin_determinant();
        self.settle();
        let number = self.variable();
        self.out.line(match form {
            Form::Signed => format!("let {number} = wire::rt::packed::take_signed(&mut r)?;"),
            Form::Unsigned => format!("let {number} = wire::rt::packed::take_unsigned(&mut r)?;"),
            Form::Offset => {
                format!("let {number} = wire::rt::packed::take_unsigned(&mut r)? as i128 + {}i128;", lower.unwrap_or(0))
            }
        });
        // A number outside the Rust type's range is outside the integer's range too, or does not fit into memory.
        let wide = self.variable();
        self.out.line("#[allow(irrefutable_let_patterns)]");
        self.out.line(format!("let Ok({wide}) = {held}::try_from({number}) else {{ return Err(wire::Rejected) }};"));
        if let Some(outside) = outside(&wide, held, lower, upper) {
            self.run.refuse_if(outside);
        }
        self.run.then(self.types.set_number(id, place, &format!("{wide} as {rust}")));
    }

    /// Reads how many units follow.
    pub(crate) fn determinant(&mut self, extent: &Extent) -> String {
        if self.layout.length_form == LengthForm::Definite {
            self.leave_to_interpreter();
            return "0u64".into();
        }
        self.begin_determinant();
        self.settle();
        let count = self.variable();
        self.out.line(format!("let {count} = wire::rt::packed::take_count(&mut r)? as u64;"));
        if let Some(outside) = outside(&count, "u64", Some(extent.lower.into()), Some(extent.upper.into())) {
            self.run.refuse_if(outside);
        }
        count
    }
}

/// The widest primitive for the integer in memory: `i64` or `u64`. `None` if it has more bits, or the form does not match.
fn held(rust: &str, form: Form, lower: Option<i128>, upper: Option<i128>) -> Option<&'static str> {
    let held = match rust {
        "i128" => return None,
        "u64" => "u64",
        _ => "i64",
    };
    let fits = |bound: i128| if held == "u64" { u64::try_from(bound).is_ok() } else { i64::try_from(bound).is_ok() };
    let goes = form != Form::Signed || held == "i64";
    (goes && lower.is_none_or(fits) && upper.is_none_or(fits)).then_some(held)
}

/// The condition under which a number is outside its bounds; `None` if no number of its type is.
pub(crate) fn outside(number: &str, held: &str, lower: Option<i128>, upper: Option<i128>) -> Option<String> {
    let (least, most) = if held == "u64" { (0, u64::MAX.into()) } else { (i64::MIN.into(), i64::MAX.into()) };
    let below = lower.filter(|bound| *bound > least).map(|bound| format!("({number} < {bound}{held})"));
    let above = upper.filter(|bound: &i128| *bound < most).map(|bound| format!("({number} > {bound}{held})"));
    let both: Vec<String> = below.into_iter().chain(above).collect();
    (!both.is_empty()).then(|| both.join(" || "))
}
