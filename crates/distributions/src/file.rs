//! The file: TOML with a `[[component]]` for each part.

use std::collections::BTreeMap;
use std::ops::Range;

use roadwire_model::check;
use roadwire_model::{Integer, Kind, Model, Size, TypeId, Value};
use roadwire_notation::Notation;
use roadwire_wire::names::nearest;
use serde::Deserialize;
use toml::Spanned;

use crate::draw::{Draw, Length, Normal, Weighted};
use crate::path::{self, Part};
use crate::{Distributions, Invalid, Node};

/// The longest file, octets.
const LONGEST: usize = 4 << 20;
/// The most elements or octets of a list or string.
const MOST: u64 = 100_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    component: Vec<Spanned<Entry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    path: Spanned<String>,
    present: Option<Spanned<f64>>,
    value: Option<Spanned<toml::Value>>,
    values: Option<Spanned<Vec<Spanned<toml::Value>>>>,
    uniform: Option<Spanned<FromTo>>,
    normal: Option<Spanned<MeanSd>>,
    alternatives: Option<Spanned<BTreeMap<String, f64>>>,
    length: Option<Spanned<toml::Value>>,
    /// Of `values`.
    weights: Option<Spanned<Vec<f64>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FromTo {
    from: toml::Value,
    to: toml::Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MeanSd {
    mean: f64,
    sd: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lengths {
    values: Vec<u64>,
    #[serde(default)]
    weights: Vec<f64>,
}

/// A fault, and the octets of the file where it is.
struct Fault {
    code: &'static str,
    message: String,
    span: Range<usize>,
}

impl Distributions {
    /// Reads a file for the values of a type.
    ///
    /// # Errors
    /// The first fault: text that is not such a file, a path that leads nowhere, a value that the
    /// type does not have.
    ///
    /// # Panics
    /// On a type id of another model.
    pub fn read(text: &str, model: &Model, id: TypeId) -> Result<Self, Invalid> {
        read(text, model, id).map_err(|Fault { code, message, span }| {
            let before = text.get(..span.start.min(text.len())).unwrap_or(text);
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            Invalid { code, message, line, column }
        })
    }
}

fn read(text: &str, model: &Model, id: TypeId) -> Result<Distributions, Fault> {
    if text.len() > LONGEST {
        let message = format!("expected at most {LONGEST} octets, found {}", text.len());
        return Err(Fault { code: SYNTAX, message, span: 0..0 });
    }
    let file: File = toml::from_str(text).map_err(|error| {
        let (message, span) = (error.message().to_owned(), error.span().unwrap_or_default());
        Fault { code: SYNTAX, message, span }
    })?;
    let mut distributions = Distributions::default();
    for entry in &file.component {
        let path = entry.get_ref().path.as_ref();
        let at_path = |message| Fault { code: PATH, message, span: entry.get_ref().path.span() };
        let part = path::find(model, id, path).map_err(at_path)?;
        let mut node = &mut distributions.root;
        for place in &part.places {
            if node.is_whole() {
                return Err(at_path(format!(
                    "`{path}` is a part of a value that another [[component]] draws as a whole"
                )));
            }
            node = node.parts.entry(*place).or_default();
        }
        if node.is_described() {
            return Err(at_path(format!("`{path}` has a [[component]] before this one: expected one for each path")));
        }
        let described = Reader { model, part: &part, path }.node(entry)?;
        let parts = std::mem::take(&mut node.parts);
        if described.is_whole() && !parts.is_empty() {
            return Err(at_path(format!("a [[component]] before this one draws a part of `{path}`")));
        }
        *node = Node { parts, ..described };
    }
    Ok(distributions)
}

const SYNTAX: &str = "distribution.syntax";
const PATH: &str = "distribution.path";
const VALUE: &str = "distribution.value";
const KIND: &str = "distribution.kind";

impl Node {
    fn is_described(&self) -> bool {
        self.draw.is_some() || self.present.is_some() || self.length.is_some()
    }

    /// Whether its value is drawn with all of its parts.
    fn is_whole(&self) -> bool {
        matches!(self.draw, Some(Draw::Among(_)))
    }
}

/// Reads the entry of one part.
struct Reader<'r> {
    model: &'r Model,
    part: &'r Part,
    path: &'r str,
}

impl Reader<'_> {
    fn node(&self, spanned: &Spanned<Entry>) -> Result<Node, Fault> {
        let entry = spanned.get_ref();
        let mut draws: Vec<(&str, Range<usize>, Draw)> = Vec::new();
        if let Some(value) = &entry.value {
            let weighted = Weighted::new([(self.value(value)?, 1.0)]);
            draws.extend(weighted.map(|one| ("value", value.span(), Draw::Among(one))));
        }
        if let Some(values) = &entry.values {
            draws.push(("values", values.span(), self.values(values, entry.weights.as_ref())?));
        } else if let Some(weights) = &entry.weights {
            return Err(fault(KIND, "`weights` are of `values`, and there are none", weights.span()));
        }
        if let Some(uniform) = &entry.uniform {
            draws.push(("uniform", uniform.span(), self.uniform(uniform)?));
        }
        if let Some(normal) = &entry.normal {
            draws.push(("normal", normal.span(), self.normal(normal)?));
        }
        if let Some(alternatives) = &entry.alternatives {
            draws.push(("alternatives", alternatives.span(), self.alternatives(alternatives)?));
        }
        if let [(one, ..), (other, span, _), ..] = &draws[..] {
            let message = format!("expected one distribution of `{}`, found `{one}` and `{other}`", self.path);
            return Err(fault(KIND, message, span.clone()));
        }
        let length = entry.length.as_ref().map(|length| self.length(length)).transpose()?;
        if let (Some(length), true) = (&entry.length, draws.iter().any(|(.., draw)| matches!(draw, Draw::Among(_)))) {
            return Err(fault(KIND, "a value has its own length: expected `value` or `length`", length.span()));
        }
        let present = entry.present.as_ref().map(|present| self.present(present)).transpose()?;
        let node = Node { draw: draws.pop().map(|(.., draw)| draw), present, length, parts: BTreeMap::new() };
        if !node.is_described() {
            let message =
                "expected `value`, `values`, `uniform`, `normal`, `alternatives`, `length` or `present` with the path";
            return Err(fault(KIND, message, spanned.span()));
        }
        Ok(node)
    }

    fn kind(&self) -> &Kind {
        &self.model.get(self.part.type_id).kind
    }

    fn present(&self, present: &Spanned<f64>) -> Result<f64, Fault> {
        let share = *present.get_ref();
        if !self.part.is_optional {
            let message = format!(
                "`{}` is always present: `present` is for OPTIONAL, DEFAULT and extension additions",
                self.path
            );
            return Err(fault(KIND, message, present.span()));
        }
        if !(0.0..=1.0).contains(&share) {
            let message = format!("expected a probability from 0 to 1, found {share}");
            return Err(fault(VALUE, message, present.span()));
        }
        Ok(share)
    }

    fn values(
        &self,
        values: &Spanned<Vec<Spanned<toml::Value>>>,
        weights: Option<&Spanned<Vec<f64>>>,
    ) -> Result<Draw, Fault> {
        let read: Vec<Value> = values.get_ref().iter().map(|value| self.value(value)).collect::<Result<_, _>>()?;
        if read.is_empty() {
            return Err(fault(VALUE, "expected a value, found an empty list", values.span()));
        }
        let (weights, span) = match weights {
            None => (vec![1.0; read.len()], values.span()),
            Some(weights) => (weights.get_ref().clone(), weights.span()),
        };
        if weights.len() != read.len() {
            let message = format!("expected a weight for each of {} values, found {}", read.len(), weights.len());
            return Err(fault(VALUE, message, span));
        }
        Weighted::new(read.into_iter().zip(weights)).map(Draw::Among).ok_or_else(|| wrong_weights(span))
    }

    /// A value of the type, as JER.
    fn value(&self, value: &Spanned<toml::Value>) -> Result<Value, Fault> {
        let at = |message: String| fault(VALUE, message, value.span());
        let json = json(value.get_ref()).map_err(at)?;
        let notation = Notation::new(self.model, self.part.type_id).map_err(|error| at(error.to_string()))?;
        let read =
            notation.read(&json.to_string()).map_err(|error| at(format!("`{}`: {}", self.path, error.message)))?;
        self.admitted(read, value.span())
    }

    /// Refuses a value that breaks a constraint.
    fn admitted(&self, value: Value, span: Range<usize>) -> Result<Value, Fault> {
        match check::value(self.model, self.part.type_id, &value).first() {
            None => Ok(value),
            Some(broken) => Err(fault(VALUE, format!("`{}`: {broken}", self.path), span)),
        }
    }

    fn uniform(&self, uniform: &Spanned<FromTo>) -> Result<Draw, Fault> {
        let (FromTo { from, to }, span) = (uniform.get_ref(), uniform.span());
        let found = || format!("found {} and {}", shown(from), shown(to));
        let reversed = || fault(VALUE, format!("expected `from` up to `to`, {}", found()), span.clone());
        match self.kind() {
            Kind::Integer { .. } => {
                let (toml::Value::Integer(from), toml::Value::Integer(to)) = (from, to) else {
                    return Err(fault(VALUE, format!("expected two whole numbers, {}", found()), span));
                };
                for end in [from, to] {
                    self.admitted(Value::from(*end), span.clone())?;
                }
                if from > to { Err(reversed()) } else { Ok(Draw::Whole(*from, *to)) }
            }
            Kind::Real { .. } => {
                let number = |value: &toml::Value| value.as_float().or(value.as_integer().map(|whole| whole as f64));
                let (Some(low), Some(high)) = (number(from), number(to)) else {
                    return Err(fault(VALUE, format!("expected two numbers, {}", found()), span));
                };
                if !(low.is_finite() && high.is_finite() && low <= high) {
                    return Err(reversed());
                }
                Ok(Draw::Real(low, high))
            }
            other => Err(self.not_for("uniform", "INTEGER and REAL", other, span)),
        }
    }

    fn normal(&self, normal: &Spanned<MeanSd>) -> Result<Draw, Fault> {
        let (&MeanSd { mean, sd }, span) = (normal.get_ref(), normal.span());
        if !(mean.is_finite() && sd.is_finite() && sd >= 0.0) {
            let message =
                format!("expected a finite mean, and a standard deviation of 0 or more; found {mean} and {sd}");
            return Err(fault(VALUE, message, span));
        }
        match self.kind() {
            Kind::Integer { .. } => {
                // Numbers outside the constraint are drawn again: with the mean inside that ends.
                self.admitted(Value::Integer(Integer::from(mean.round() as i64)), span)?;
                Ok(Draw::NormalWhole(Normal { mean, sd }))
            }
            Kind::Real { .. } => Ok(Draw::NormalReal(Normal { mean, sd })),
            other => Err(self.not_for("normal", "INTEGER and REAL", other, span)),
        }
    }

    fn alternatives(&self, weights: &Spanned<BTreeMap<String, f64>>) -> Result<Draw, Fault> {
        let kind = &self.model.get(path::inside(self.model, self.part.type_id)).kind;
        let Kind::Choice { alternatives, .. } = kind else {
            return Err(self.not_for("alternatives", "CHOICE", kind, weights.span()));
        };
        let place = |name: &String| {
            let found = alternatives.iter().position(|one| one.name == *name);
            found.ok_or_else(|| {
                let names = || alternatives.iter().map(|one| one.name.as_str());
                let alike =
                    nearest(name, names(), 1).first().map_or(String::new(), |one| format!("; did you mean `{one}`?"));
                fault(VALUE, format!("`{}` has no alternative `{name}`{alike}", self.path), weights.span())
            })
        };
        let all = weights.get_ref().iter().map(|(name, weight)| Ok((place(name)?, *weight)));
        let all: Vec<(usize, f64)> = all.collect::<Result<_, Fault>>()?;
        Weighted::new(all).map(Draw::Alternative).ok_or_else(|| wrong_weights(weights.span()))
    }

    fn length(&self, length: &Spanned<toml::Value>) -> Result<Length, Fault> {
        let span = || length.span();
        let size = match self.kind() {
            Kind::SequenceOf { size, .. } | Kind::OctetString { size, contains: None } => size,
            other => return Err(self.not_for("length", "SEQUENCE OF, SET OF and OCTET STRING", other, span())),
        };
        let wrong = || {
            let message = "expected a number, { from = 0, to = 5 } or { values = [1, 2], weights = [3, 1] }";
            fault(VALUE, message, span())
        };
        let whole =
            |value: &toml::Value| value.as_integer().and_then(|number| u64::try_from(number).ok()).ok_or_else(wrong);
        let drawn = match length.get_ref() {
            toml::Value::Table(table) if table.contains_key("values") => {
                let Lengths { values, weights } = table.clone().try_into().map_err(|_| wrong())?;
                let weights = if weights.is_empty() { vec![1.0; values.len()] } else { weights };
                if weights.len() != values.len() {
                    return Err(wrong());
                }
                Length::Among(Weighted::new(values.into_iter().zip(weights)).ok_or_else(|| wrong_weights(span()))?)
            }
            toml::Value::Table(table) => {
                let FromTo { from, to } = table.clone().try_into().map_err(|_| wrong())?;
                let (from, to) = (whole(&from)?, whole(&to)?);
                if from > to {
                    return Err(fault(VALUE, format!("expected `from` up to `to`, found {from} and {to}"), span()));
                }
                Length::Between(from, to)
            }
            number => {
                let number = whole(number)?;
                Length::Between(number, number)
            }
        };
        let ends: Vec<u64> = match &drawn {
            Length::Between(from, to) => vec![*from, *to],
            Length::Among(lengths) => lengths.items().copied().collect(),
        };
        for end in ends {
            self.fits(*size, end).map_err(|message| fault(VALUE, message, span()))?;
        }
        Ok(drawn)
    }

    fn fits(&self, size: Size, length: u64) -> Result<(), String> {
        let (least, most) = size.lasting();
        if length < least || length > most {
            return Err(format!("`{}` has {least} to {most} of them: found {length}", self.path));
        }
        if length > MOST {
            return Err(format!("expected at most {MOST}, found {length}"));
        }
        Ok(())
    }

    fn not_for(&self, key: &str, kinds: &str, found: &Kind, span: Range<usize>) -> Fault {
        let path = if self.path.is_empty() { "the value".to_owned() } else { format!("`{}`", self.path) };
        fault(KIND, format!("`{key}` is for {kinds}, and {path} is of type {}", found.name()), span)
    }
}

fn fault(code: &'static str, message: impl Into<String>, span: Range<usize>) -> Fault {
    Fault { code, message: message.into(), span }
}

fn wrong_weights(span: Range<usize>) -> Fault {
    fault(VALUE, "expected weights of 0 or more, one of them above 0", span)
}

/// A value in a message.
fn shown(value: &toml::Value) -> String {
    json(value).map_or_else(|_| value.type_str().to_owned(), |json| json.to_string())
}

/// The same value as JSON.
fn json(value: &toml::Value) -> Result<serde_json::Value, String> {
    use serde_json::Value as Json;
    Ok(match value {
        toml::Value::String(text) => Json::from(text.as_str()),
        toml::Value::Integer(number) => Json::from(*number),
        toml::Value::Float(number) => serde_json::Number::from_f64(*number)
            .map(Json::Number)
            .ok_or_else(|| format!("expected a finite number, found {number}"))?,
        toml::Value::Boolean(truth) => Json::from(*truth),
        toml::Value::Datetime(time) => return Err(format!("expected a text in quotes, found the time {time}")),
        toml::Value::Array(list) => Json::Array(list.iter().map(json).collect::<Result<_, _>>()?),
        toml::Value::Table(table) => {
            let member = |(name, value): (&String, &toml::Value)| Ok((name.clone(), json(value)?));
            Json::Object(table.iter().map(member).collect::<Result<_, String>>()?)
        }
    })
}
