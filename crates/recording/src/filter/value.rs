//! Comparisons with fields of a message's value.

use roadwire::Shown;
use roadwire_model::{Kind as TypeKind, Model, Presence, TypeId};
use roadwire_wire::{Data, Part, Scalar};

use super::parse::{Literal, Operator, Segment, Test};

/// The most steps to a field.
const MOST_DEPTH: usize = 64;
/// The most steps of a search, which has a way for each type that an open type may hold.
const MOST_STEPS: usize = 100_000;

/// A field of a type: the ways to it, of which more than one goes through an open type.
#[derive(Debug)]
pub(crate) struct Place(Vec<Way>);

#[derive(Debug)]
struct Way {
    steps: Vec<Step>,
    leaf: TypeId,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// Of the type: a DEFAULT is looked up there.
    Component(TypeId, usize),
    Alternative(usize),
    /// All elements, or one.
    Elements(Option<usize>),
}

/// A comparison that the type of a field does not have.
pub(crate) struct Unfit(pub(crate) String);

impl Place {
    /// The field with this path under `message.value`; nothing if the type has none.
    pub(crate) fn find(model: &Model, root: TypeId, path: &[Segment]) -> Option<Place> {
        let mut search = Search { model, steps: Vec::new(), ways: Vec::new(), left: MOST_STEPS };
        search.follow(root, path);
        (!search.ways.is_empty()).then_some(Place(search.ways))
    }

    /// Whether it can be compared so.
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn check(&self, model: &Model, test: &Test) -> Result<(), Unfit> {
        let mut last = Ok(());
        for way in &self.0 {
            last = fits(&model.get(way.leaf).kind, test);
            if last.is_ok() {
                break;
            }
        }
        last
    }

    /// Whether a message satisfies the comparison. An absent part satisfies none; of a list, one
    /// element is enough.
    pub(crate) fn holds(&self, model: &Model, message: impl Part, test: &Test) -> bool {
        self.0.iter().any(|way| way.reaches(model, &way.steps, message, test))
    }
}

impl Way {
    fn reaches(&self, model: &Model, steps: &[Step], data: impl Part, test: &Test) -> bool {
        let Some((step, rest)) = steps.split_first() else {
            return match test {
                Test::Exists => true,
                Test::Compare(operator, literal) => compare(model, self.leaf, data, *operator, literal),
            };
        };
        match *step {
            Step::Component(ty, index) => match data.component(index) {
                Some(inner) => self.reaches(model, rest, inner, test),
                None => default(model, ty, index).is_some_and(|inner| self.reaches(model, rest, inner, test)),
            },
            Step::Alternative(wanted) => match data.alternative() {
                Some((index, inner)) if index == wanted => self.reaches(model, rest, inner, test),
                _ => false,
            },
            Step::Elements(Some(index)) => {
                data.element(index).is_some_and(|inner| self.reaches(model, rest, inner, test))
            }
            Step::Elements(None) => {
                let elements = (0..data.length().unwrap_or(0)).filter_map(|index| data.element(index));
                elements.into_iter().any(|inner| self.reaches(model, rest, inner, test))
            }
        }
    }
}

/// The paths from the record's root of the fields that the longest known part of a path has: to
/// suggest one instead.
pub(crate) fn names(model: &Model, root: TypeId, path: &[Segment]) -> Vec<String> {
    let known = (0..=path.len()).rev().find_map(|length| {
        let known = path.get(..length)?;
        Place::find(model, root, known).map(|place| (known, place))
    });
    let Some((known, place)) = known else { return Vec::new() };
    let mut prefix = "message.value".to_owned();
    let known_names = known.iter().filter_map(|segment| match segment {
        Segment::Name(name) => Some(name.as_str()),
        Segment::Index(_) => None,
    });
    for name in known_names {
        prefix.extend([".", name]);
    }
    let names = place.0.iter().flat_map(|way| {
        let mut ty = way.leaf;
        // A list of itself has no fields.
        for _ in 0..MOST_DEPTH {
            match &model.get(ty).kind {
                TypeKind::SequenceOf { element, .. } => ty = *element,
                _ => break,
            }
        }
        match &model.get(ty).kind {
            TypeKind::Sequence { components, .. } => components.iter().map(|one| one.name.as_str()).collect(),
            TypeKind::Choice { alternatives, .. } => alternatives.iter().map(|one| one.name.as_str()).collect(),
            _ => Vec::new(),
        }
    });
    names.map(|name| format!("{prefix}.{name}")).collect()
}

fn default(model: &Model, ty: TypeId, index: usize) -> Option<&dyn Data> {
    let TypeKind::Sequence { components, .. } = &model.get(ty).kind else { return None };
    match &components.get(index)?.presence {
        Presence::Default(value) => Some(value),
        _ => None,
    }
}

/// A search for a path in a type.
struct Search<'m> {
    model: &'m Model,
    steps: Vec<Step>,
    ways: Vec<Way>,
    /// How many more steps are taken.
    left: usize,
}

impl Search<'_> {
    fn follow(&mut self, ty: TypeId, path: &[Segment]) {
        if self.left == 0 || self.steps.len() >= MOST_DEPTH {
            return;
        }
        self.left -= 1;
        let model = self.model;
        match (&model.get(ty).kind, path.split_first()) {
            (TypeKind::External(inner), _) if *inner != ty => self.follow(*inner, path),
            // The value of an open type stands in its place.
            (TypeKind::Open { table: Some(table) }, _) => {
                for (index, (_, inner)) in table.rows.iter().enumerate() {
                    self.go(Step::Alternative(index), *inner, path);
                }
            }
            (_, None) => self.ways.push(Way { steps: self.steps.clone(), leaf: ty }),
            (TypeKind::SequenceOf { element, .. }, Some((Segment::Index(index), rest))) => {
                self.go(Step::Elements(Some(*index)), *element, rest);
            }
            (TypeKind::SequenceOf { element, .. }, Some(_)) => self.go(Step::Elements(None), *element, path),
            (TypeKind::Sequence { components, .. }, Some((Segment::Name(name), rest))) => {
                if let Some(index) = components.iter().position(|component| component.name == *name) {
                    self.go(Step::Component(ty, index), components[index].type_id, rest);
                }
            }
            (TypeKind::Choice { alternatives, .. }, Some((Segment::Name(name), rest))) => {
                if let Some(index) = alternatives.iter().position(|alternative| alternative.name == *name) {
                    self.go(Step::Alternative(index), alternatives[index].type_id, rest);
                }
            }
            (kind, Some((Segment::Name(name), rest))) if name == "containing" => {
                if let Some(inner) = kind.contained() {
                    self.go(Step::Alternative(0), inner, rest);
                }
            }
            _ => {}
        }
    }

    fn go(&mut self, step: Step, inner: TypeId, rest: &[Segment]) {
        self.steps.push(step);
        self.follow(inner, rest);
        self.steps.pop();
    }
}

fn fits(kind: &TypeKind, test: &Test) -> Result<(), Unfit> {
    let Test::Compare(operator, literal) = test else { return Ok(()) };
    let unfit = |what: String| Err(Unfit(what));
    let is_item = |names: Vec<&String>| names.contains(&&literal.text);
    match kind {
        TypeKind::Integer { named, .. } => {
            match literal.number.is_some() || is_item(named.iter().map(|(name, _)| name).collect()) {
                true => Ok(()),
                false => unfit(format!("is a number, and `{}` is none, and no name of one", literal.text)),
            }
        }
        TypeKind::Real { .. } if literal.number.is_none() => unfit("is a number".into()),
        TypeKind::Real { .. } => Ok(()),
        TypeKind::Enumerated(items) if !operator.needs_order() => {
            match is_item(items.all().map(|(name, _)| name).collect()) {
                true => Ok(()),
                false => unfit(format!("has no item `{}`", literal.text)),
            }
        }
        TypeKind::Boolean if !operator.needs_order() => match literal.text.as_str() {
            "true" | "false" => Ok(()),
            _ => unfit("is `true` or `false`".into()),
        },
        TypeKind::Enumerated(_) | TypeKind::Boolean => unfit("is not more or less than anything".into()),
        TypeKind::Sequence { .. } | TypeKind::SequenceOf { .. } | TypeKind::Choice { .. } | TypeKind::Null => {
            unfit(format!("is a {}, of which can be asked only whether it is there", kind.name()))
        }
        _ => Ok(()),
    }
}

fn compare(model: &Model, ty: TypeId, data: impl Part, operator: Operator, literal: &Literal) -> bool {
    let kind = &model.get(ty).kind;
    let scalar = data.scalar();
    let order = match (kind, scalar, literal.number) {
        (_, Scalar::Unset | Scalar::Null, _) => return false,
        (_, Scalar::Integer(value), Some(number)) => number.order_of(value),
        (TypeKind::Integer { named, .. }, Scalar::Integer(value), None) => {
            let number = named.iter().find(|(name, _)| *name == literal.text);
            let Some(number) = number.and_then(|(_, number)| i128::try_from(number).ok()) else { return false };
            Some(value.cmp(&number))
        }
        (_, Scalar::Real(value), Some(number)) => value.partial_cmp(&number.as_real()),
        (TypeKind::Enumerated(items), Scalar::Enumerated(ordinal), _) => {
            items.all().nth(ordinal as usize).map(|(name, _)| name.as_str().cmp(&literal.text))
        }
        (_, Scalar::Text(text), _) => Some(text.cmp(&literal.text)),
        // Bits, octets, object identifiers and large integers: as the record has them, whatever the
        // case of digits.
        _ => match Shown::of(model, Some(ty), scalar, "").0 {
            Shown::Text(text) => Some(text.to_ascii_lowercase().cmp(&literal.text.to_ascii_lowercase())),
            Shown::Integer(value) => Some(value.to_string().cmp(&literal.text)),
            Shown::Real(value) => Some(value.to_string().cmp(&literal.text)),
            Shown::Flag(value) => Some(value.to_string().cmp(&literal.text)),
            Shown::Nothing => None,
        },
    };
    operator.holds(order)
}
