//! Values of bits as JSON.

use roadwire::Shown;
use serde_json::{Number, Value as Json};

/// A value as JSON.
pub(crate) fn json(value: &Shown) -> Json {
    match value {
        Shown::Nothing => Json::Null,
        Shown::Flag(value) => (*value).into(),
        Shown::Integer(value) => integer(*value),
        Shown::Real(value) => Number::from_f64(*value).map_or_else(|| value.to_string().into(), Json::Number),
        Shown::Text(text) => text.as_str().into(),
    }
}

/// A JSON number if readers keep it exact, otherwise its digits.
fn integer(value: i128) -> Json {
    match (i64::try_from(value), u64::try_from(value)) {
        (Ok(value), _) => value.into(),
        (_, Ok(value)) => value.into(),
        _ => value.to_string().into(),
    }
}
