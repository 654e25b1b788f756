//! Values: random ones, in which the parts that a file describes are then drawn.

use std::fmt;

use roadwire_model::check;
use roadwire_model::data::equal;
use roadwire_model::random::{Generator, Rng, Settings, as_sent};
use roadwire_model::{Component, Field, Kind, Model, Presence, TypeId, Value};

use crate::draw::{Draw, Length, unit};
use crate::path::inside;
use crate::{Distributions, Node};

/// How often a value is drawn again that breaks a constraint.
const TRIES: usize = 200;

/// The most parts of a value that are made for a file: lists in lists may ask for any number.
const MOST_PARTS: usize = 200_000;

/// Random values of a type.
pub struct Values<'m> {
    model: &'m Model,
    id: TypeId,
    generator: Generator<'m>,
    distributions: Distributions,
}

/// No value was found that has the distributions and keeps all constraints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unmet {
    /// The part, as in errors.
    pub path: String,
    /// The message: the part that could not be drawn.
    pub message: String,
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => f.write_str(&self.message),
            path => write!(f, "{path}: {}", self.message),
        }
    }
}

impl std::error::Error for Unmet {}

impl<'m> Values<'m> {
    /// Values of a type of a model.
    ///
    /// # Panics
    /// On a type id of another model.
    #[must_use]
    pub fn new(model: &'m Model, id: TypeId, distributions: Distributions) -> Self {
        let settings = Settings { open_types: true, ..Settings::default() };
        Values { model, id, generator: Generator::new(model, settings), distributions }
    }

    /// The next value: one that a sender of some version of the type may send. The same seed gives
    /// the same values.
    ///
    /// # Errors
    /// None of many tries keeps all constraints.
    pub fn next(&self, rng: &mut Rng) -> Result<Value, Unmet> {
        self.tried(rng, |values, rng| values.generator.try_value(values.id, rng))
    }

    /// A value in which the described parts are drawn anew.
    ///
    /// # Errors
    /// None of many tries keeps all constraints.
    pub fn fill(&self, value: &Value, rng: &mut Rng) -> Result<Value, Unmet> {
        self.tried(rng, |_, _| Some(value.clone()))
    }

    fn tried(&self, rng: &mut Rng, begin: impl Fn(&Self, &mut Rng) -> Option<Value>) -> Result<Value, Unmet> {
        let mut unmet = Unmet { path: String::new(), message: "no value was found that keeps all constraints".into() };
        for _ in 0..TRIES {
            let Some(mut value) = begin(self, rng) else { continue };
            let mut fill = Fill { values: self, rng, path: Vec::new(), left: MOST_PARTS };
            if let Err(error) = fill.part(self.id, &mut value, &self.distributions.root) {
                unmet = error;
                continue;
            }
            if !as_sent(self.model, self.id, &mut value) {
                continue;
            }
            match check::value(self.model, self.id, &value).into_iter().next() {
                None => return Ok(value),
                Some(broken) => unmet = Unmet { path: broken.path, message: broken.message },
            }
        }
        Err(unmet)
    }
}

/// Draws the described parts of one value.
struct Fill<'f, 'm> {
    values: &'f Values<'m>,
    rng: &'f mut Rng,
    path: Vec<String>,
    /// How many parts may still be made.
    left: usize,
}

impl<'m> Fill<'_, 'm> {
    fn part(&mut self, id: TypeId, value: &mut Value, node: &Node) -> Result<(), Unmet> {
        match &node.draw {
            Some(Draw::Alternative(places)) => {
                let place = *places.draw(self.rng);
                self.alternative(id, value, place)?;
            }
            Some(draw) => *value = self.drawn(id, draw)?,
            None => {}
        }
        if let Some(length) = &node.length {
            self.resize(id, value, length)?;
        }
        if node.parts.is_empty() {
            return Ok(());
        }
        let model = self.values.model;
        // The content of a string has no step of its own; an EXTERNAL is its SEQUENCE.
        if let (Some(content), Value::Choice(0, inner)) = (model.get(id).kind.contained(), &mut *value) {
            return self.part(content, inner, &Node { parts: node.parts.clone(), ..Node::default() });
        }
        match (&model.get(inside(model, id)).kind, value) {
            (Kind::Sequence { components, .. }, Value::Sequence { components: made, .. }) => {
                self.components(components, made, node)
            }
            (Kind::Choice { alternatives, .. }, Value::Choice(at, inner)) => {
                let (Some(part), Some(one)) = (node.parts.get(&(*at as usize)), alternatives.get(*at as usize)) else {
                    return Ok(());
                };
                self.within(one.name.clone(), |fill| fill.part(one.type_id, inner, part))
            }
            (Kind::SequenceOf { element, .. }, Value::List(elements)) => {
                let Some(part) = node.parts.get(&0) else { return Ok(()) };
                for (at, one) in elements.iter_mut().enumerate() {
                    self.within(format!("[{at}]"), |fill| fill.part(*element, one, part))?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// A value that keeps the constraints of its type.
    fn drawn(&mut self, id: TypeId, draw: &Draw) -> Result<Value, Unmet> {
        for _ in 0..TRIES {
            let Some(value) = draw.value(self.rng) else { break };
            if check::value(self.values.model, id, &value).is_empty() {
                return Ok(value);
            }
        }
        Err(self.unmet(format!("none of {TRIES} draws keeps the constraints of the type")))
    }

    fn alternative(&mut self, id: TypeId, value: &mut Value, place: usize) -> Result<(), Unmet> {
        let model = self.values.model;
        if let (Some(content), Value::Choice(0, inner)) = (model.get(id).kind.contained(), &mut *value) {
            return self.alternative(content, inner, place);
        }
        let Kind::Choice { alternatives, .. } = &model.get(inside(model, id)).kind else { return Ok(()) };
        let Some(one) = alternatives.get(place) else { return Ok(()) };
        if !matches!(value, Value::Choice(at, _) if *at as usize == place) {
            let inner = self.made(one.type_id)?;
            *value = Value::Choice(u32::try_from(place).unwrap_or(u32::MAX), Box::new(inner));
        }
        Ok(())
    }

    fn resize(&mut self, id: TypeId, value: &mut Value, length: &Length) -> Result<(), Unmet> {
        let count = usize::try_from(length.draw(self.rng)).unwrap_or(usize::MAX);
        let model = self.values.model;
        match (&model.get(id).kind, value) {
            (Kind::SequenceOf { element, .. }, Value::List(elements)) => {
                elements.truncate(count);
                while elements.len() < count {
                    let one = self.made(*element)?;
                    elements.push(one);
                }
            }
            (Kind::OctetString { .. }, Value::OctetString(octets)) => *octets = self.rng.octets(count as u64),
            _ => {}
        }
        Ok(())
    }

    fn components(&mut self, components: &[Component], made: &mut [Option<Value>], node: &Node) -> Result<(), Unmet> {
        let mut wanted = vec![false; components.len()];
        for (at, part) in &node.parts {
            let (Some(component), Some(place)) = (components.get(*at), made.get_mut(*at)) else { continue };
            if let Some(share) = part.present {
                if unit(self.rng) < share {
                    wanted[*at] = true;
                } else {
                    *place = None;
                }
            }
            if wanted[*at] && place.is_none() {
                *place = Some(self.made(component.type_id)?);
            }
        }
        self.complete(components, made, &wanted)?;
        for (at, part) in &node.parts {
            let (Some(component), Some(place)) = (components.get(*at), made.get_mut(*at)) else { continue };
            let Some(value) = place else { continue };
            self.within(component.name.clone(), |fill| fill.part(component.type_id, value, part))?;
            // A DEFAULT value is not sent: then the component is absent.
            let model = self.values.model;
            if matches!(&component.presence, Presence::Default(default) if equal(model, component.type_id, value, default))
            {
                *place = None;
            }
        }
        Ok(())
    }

    /// Adds the mandatory additions before one that has to be present, and the mandatory components
    /// of groups that are present.
    fn complete(&mut self, components: &[Component], made: &mut [Option<Value>], wanted: &[bool]) -> Result<(), Unmet> {
        let is_addition = |at: usize| components[at].field != Field::Root;
        let last = (0..components.len()).rev().find(|at| wanted[*at] && is_addition(*at));
        for at in 0..components.len() {
            let component = &components[at];
            if made[at].is_some() || component.presence != Presence::Mandatory || !is_addition(at) {
                continue;
            }
            let is_before = last.is_some_and(|last| at < last);
            let of_group = |other: usize| components[other].field == component.field && made[other].is_some();
            let in_group = matches!(component.field, Field::Group(_)) && (0..components.len()).any(of_group);
            if is_before || in_group {
                made[at] = Some(self.made(component.type_id)?);
            }
        }
        Ok(())
    }

    /// A random value of a part.
    fn made(&mut self, id: TypeId) -> Result<Value, Unmet> {
        self.left = match self.left.checked_sub(1) {
            Some(left) => left,
            None => {
                return Err(self.unmet(format!("a value may have at most {MOST_PARTS} parts that the file asks for")));
            }
        };
        let value = self.values.generator.try_value(id, self.rng);
        value.ok_or_else(|| self.unmet("no value was found that keeps all constraints".into()))
    }

    fn within<T>(&mut self, step: String, work: impl FnOnce(&mut Self) -> Result<T, Unmet>) -> Result<T, Unmet> {
        self.path.push(step);
        let done = work(self);
        self.path.pop();
        done
    }

    fn unmet(&self, message: String) -> Unmet {
        Unmet { path: self.path.join(".").replace(".[", "["), message }
    }
}
