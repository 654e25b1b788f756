//! Rust expressions as text.

use num_traits::ToPrimitive;
use roadwire_model::{BigInt, Bound};

use roadwire_plan::Int;

pub(super) fn breaks(text: &str, number: &str) -> String {
    format!("trail.breaks({text:?}, {number})")
}

/// The expression for what a reference expression refers to.
pub(super) fn held(value: &str) -> String {
    value.strip_prefix('&').map_or_else(|| format!("*{value}"), str::to_owned)
}

/// The expression without leading `&` and `*`, to be followed by a field or method.
pub(super) fn dot(value: &str) -> &str {
    value.trim_start_matches(['&', '*'])
}

pub(super) fn negated(condition: &str) -> String {
    match condition.strip_prefix('!') {
        _ if condition == "true" => "false".into(),
        _ if condition == "false" => "true".into(),
        Some(rest) if is_one(rest) => rest.into(),
        _ if is_one(condition) => format!("!{condition}"),
        _ => format!("!({condition})"),
    }
}

/// Joins conditions with the operator `by`, which none of them has outside of brackets.
pub(super) fn joined(all: Vec<String>, by: &str, none: &str) -> String {
    match &all[..] {
        [] => none.into(),
        [one] => one.clone(),
        _ => {
            let one = |one: &String| if is_one(one) { one.clone() } else { format!("({one})") };
            all.iter().map(one).collect::<Vec<_>>().join(by)
        }
    }
}

/// Whether an expression is a name or a call, to which operators can be added without brackets.
fn is_one(expression: &str) -> bool {
    let (mut depth, mut quoted, mut escaped) = (0_i32, false, false);
    for (at, character) in expression.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '{' if depth == 0 => return false,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth -= 1;
                if depth == 0 && at + 1 < expression.len() {
                    return false;
                }
            }
            ' ' if depth == 0 => return false,
            _ => {}
        }
    }
    true
}

/// Whether a real number is in a range, whose ends may belong to it.
pub(super) fn reals(value: &str, lower: Option<(f64, bool)>, upper: Option<(f64, bool)>) -> String {
    let value = held(value);
    let lower = lower.map(|(end, closed)| format!("{value} {} {}", if closed { ">=" } else { ">" }, real(end)));
    let upper = upper.map(|(end, closed)| format!("{value} {} {}", if closed { "<=" } else { "<" }, real(end)));
    joined(lower.into_iter().chain(upper).collect(), " && ", "true")
}

fn real(number: f64) -> String {
    match number {
        f64::INFINITY => "f64::INFINITY".into(),
        f64::NEG_INFINITY => "f64::NEG_INFINITY".into(),
        _ if number.is_nan() => "f64::NAN".into(),
        _ => format!("{number:?}"),
    }
}

/// Whether an integer in memory is in one of the ranges, as far as its Rust type holds them.
pub(super) fn integers(value: &str, int: Int, ranges: &[(Bound, Bound)]) -> String {
    let (least, most) = int.bounds();
    let within = |end: &BigInt| end.to_i128().unwrap_or(if *end < BigInt::from(0) { i128::MIN } else { i128::MAX });
    let mut arms = Vec::new();
    for (lower, upper) in ranges {
        let (lower, upper) = (lower.as_ref().map_or(least, within), upper.as_ref().map_or(most, within));
        if lower > most || upper < least {
            continue;
        }
        arms.push(arm(lower.max(least), upper.min(most)));
    }
    if arms.is_empty() { "false".into() } else { format!("matches!({}, {})", held(value), arms.join(" | ")) }
}

/// Whether an integer of any length is in one of these ranges; `None` if a bound has more than 127
/// bits.
pub(super) fn any_integers(scalar: &str, ranges: &[(Bound, Bound)]) -> Option<String> {
    let end = |bound: &Bound| bound.as_ref().map_or(Some(None), |end| end.to_i128().map(Some));
    let ends = ranges.iter().map(|(lower, upper)| Some((end(lower)?, end(upper)?)));
    let ends = ends.collect::<Option<Vec<_>>>()?;
    Some(format!("wire::rt::constraint::is_in_ranges({scalar}, &{ends:?})"))
}

fn arm(lower: i128, upper: i128) -> String {
    if lower == upper { lower.to_string() } else { format!("{lower}..={upper}") }
}

/// Whether a list has one of these sizes.
pub(super) fn lengths(value: &str, sizes: &[(u64, u64)]) -> String {
    let arms: Vec<String> = sizes
        .iter()
        .map(|(least, most)| match (least == most, *most) {
            (true, _) => least.to_string(),
            (false, u64::MAX) => format!("{least}.."),
            (false, most) => format!("{least}..={most}"),
        })
        .collect();
    if arms.is_empty() {
        "false".into()
    } else {
        format!("matches!({}.len() as u64, {})", dot(value), arms.join(" | "))
    }
}
