//! Selects: merged with the enum before them, on a name known at the use of a type, or on an
//! earlier field.

use std::collections::HashMap;

use roadwire_model::{Alternative, Among, Coding, Enumerators, Kind, Test, TypeId};
use roadwire_source::Outcome;

use super::{Building, Env, Known, Resolver};
use crate::ast::{Case, Extent, Item, Label, Name};

/// The value that a select depends on.
enum Discriminant {
    Items(Enumerators),
    Numbers,
    Alternatives(Vec<String>),
    Elements(Vec<String>),
}

impl<'a> Resolver<'a, '_> {
    /// An enum and the select after it: a CHOICE of the enum's items.
    pub(super) fn choice(
        &mut self,
        name: &Name,
        on: TypeId,
        cases: &'a [Case],
        env: &Env,
    ) -> Outcome<(Kind, Option<Coding>)> {
        let (Kind::Enumerated(enumerators), Some(Coding::Item(octets))) =
            (self.model.get(on).kind.clone(), self.model.codings.get(&on).cloned())
        else {
            return self.error("tls.select.on", name.span, format!("`{}` is not an enum", name.text));
        };
        let names: Vec<String> = enumerators.root.iter().map(|(name, _)| name.clone()).collect();
        let chosen = self.cases_of(cases, &names)?;
        let (mut alternatives, mut numbers) = (Vec::new(), Vec::new());
        for (at, (item, number)) in enumerators.root.iter().enumerate() {
            let Some(case) = chosen.get(&(at as u32)).copied().or_else(|| default_of(cases)) else { continue };
            let mut inner = env.clone();
            inner.0.insert(name.text.clone(), Known::Item(on, at as u32));
            let type_id = self.content(&case.items, inner)?;
            alternatives.push(Alternative { name: item.clone(), type_id, addition: false });
            numbers.push(*number as u64);
        }
        let unknown = cases.iter().find(|case| case.labels.iter().any(|label| matches!(label, Label::Unknown(_))));
        if let Some(unknown) = unknown {
            self.check_unknown(unknown)?;
        }
        if alternatives.is_empty() {
            return self.error("tls.select.empty", name.span, "no item has a case");
        }
        let kind = Kind::Choice { alternatives, extensible: unknown.is_some() };
        Ok((kind, Some(Coding::Choice { octets, numbers })))
    }

    /// The content of a case: nothing, the type of its only field, or a SEQUENCE of the fields.
    fn content(&mut self, items: &'a [Item], mut env: Env) -> Outcome<TypeId> {
        for item in items {
            if let Item::Constant(name, number) = item {
                env.0.insert(name.text.clone(), Known::Number(number.value));
            }
        }
        let mut parts = items.iter().filter(|item| !matches!(item, Item::Extern(_) | Item::Constant(..)));
        match (parts.next(), parts.next()) {
            (None, _) => Ok(self.add(Kind::Null, None)),
            (Some(Item::Field { ty, .. }), None) => self.field_type(ty, &env),
            _ => {
                let (kind, coding) = self.structure(items, env)?;
                Ok(self.add(kind, coding))
            }
        }
    }

    /// Content of an unknown type that is kept must have its own length.
    fn check_unknown(&mut self, case: &Case) -> Outcome<()> {
        let opaque = |item: &Item| match item {
            Item::Field { ty, .. } => ty.base.text == "opaque" && matches!(ty.extent, Extent::Variable(None)),
            _ => false,
        };
        match case.items.as_slice() {
            [only] if opaque(only) => Ok(()),
            _ => {
                let span = case.labels.first().map_or(roadwire_source::Span::default(), Label::span);
                self.error("tls.select.unknown", span, "an unknown case can only be kept as `opaque name<var>`")
            }
        }
    }

    /// The case of each item that has one, by index.
    fn cases_of(&mut self, cases: &'a [Case], names: &[String]) -> Outcome<HashMap<u32, &'a Case>> {
        let mut found = HashMap::new();
        for case in cases {
            for label in &case.labels {
                let Label::Item(name) = label else {
                    if let Label::Number(number) = label {
                        return self.error(
                            "tls.select.label",
                            number.span,
                            "a number where the items of an enum are meant",
                        );
                    }
                    continue;
                };
                let Some(at) = names.iter().position(|item| *item == name.text) else {
                    let note = self.sink.suggestion(&name.text, names.iter().map(String::as_str));
                    let what = format!("there is no item `{}`", name.text);
                    return Err(self.sink.error_note("tls.name.unknown", name.span, what, note));
                };
                if found.insert(at as u32, case).is_some() {
                    return self.error(
                        "tls.name.duplicate",
                        name.span,
                        format!("there is a case `{}` before", name.text),
                    );
                }
            }
        }
        Ok(found)
    }

    /// A select that does not immediately follow its discriminant.
    pub(super) fn select(
        &mut self,
        on: &Name,
        cases: &'a [Case],
        tests: &[Test],
        building: &mut Building,
    ) -> Outcome<()> {
        if let Some(at) = building.components.iter().position(|component| component.name == on.text) {
            return self.select_on_field(on, at, cases, tests, building);
        }
        match self.lookup(&on.text, &building.env) {
            Some(Known::Item(id, item)) => {
                let Kind::Enumerated(enumerators) = self.model.get(id).kind.clone() else { return Ok(()) };
                let names: Vec<String> = enumerators.root.iter().map(|(name, _)| name.clone()).collect();
                let chosen = self.cases_of(cases, &names)?;
                match chosen.get(&item).copied().or_else(|| default_of(cases)) {
                    Some(case) => self.items(&case.items, tests, building),
                    None => Ok(()),
                }
            }
            Some(Known::Number(number)) => {
                let is_it = |label: &Label| matches!(label, Label::Number(one) if one.value == number);
                let case = cases.iter().find(|case| case.labels.iter().any(is_it)).or_else(|| default_of(cases));
                case.map_or(Ok(()), |case| self.items(&case.items, tests, building))
            }
            Some(Known::Later) => {
                let what = format!("`{}` is known only when a message is read, and not in this struct", on.text);
                let note = "a select is on a field of the same struct, or on an enclosing case".to_owned();
                Err(self.sink.error_note("tls.extern.later", on.span, what, Some(note)))
            }
            None => {
                let known = building.components.iter().map(|component| component.name.as_str());
                let note = self.sink.suggestion(&on.text, known);
                let what = format!("there is no field `{}` before this", on.text);
                Err(self.sink.error_note("tls.name.unknown", on.span, what, note))
            }
        }
    }

    fn select_on_field(
        &mut self,
        on: &Name,
        at: usize,
        cases: &'a [Case],
        tests: &[Test],
        building: &mut Building,
    ) -> Outcome<()> {
        let has_default = default_of(cases).is_some();
        let unknown = cases.iter().find(|case| case.labels.iter().any(|label| matches!(label, Label::Unknown(_))));
        let kind = &self.model.get(building.components[at].type_id).kind;
        let names = |alternatives: &[Alternative]| alternatives.iter().map(|one| one.name.clone()).collect();
        let discriminant = match kind {
            Kind::Enumerated(enumerators) => Discriminant::Items(enumerators.clone()),
            Kind::Integer { .. } if has_default => Discriminant::Numbers,
            Kind::Choice { alternatives, .. } => Discriminant::Alternatives(names(alternatives)),
            Kind::SequenceOf { element, .. } => match &self.model.get(*element).kind {
                Kind::Choice { alternatives, .. } => Discriminant::Elements(names(alternatives)),
                _ => return self.error("tls.select.on", on.span, "elements of this vector have no types to select on"),
            },
            Kind::Integer { .. } => {
                return self.error("tls.select.default", on.span, "a select on a number has to have a default");
            }
            _ => return self.error("tls.select.on", on.span, format!("`{}` cannot be selected on", on.text)),
        };
        if let (Discriminant::Items(enumerators), None, false) = (&discriminant, unknown, has_default) {
            // Only the numbers of items are admitted.
            let closed = Enumerators { extensible: false, ..enumerators.clone() };
            let coding = self.model.codings.get(&building.components[at].type_id).cloned();
            building.components[at].type_id = self.add(Kind::Enumerated(closed), coding);
        }
        let mut taken = Vec::new();
        for case in cases {
            taken.extend(self.places(case, &discriminant)?);
        }
        for case in cases {
            let mut among = self.places(case, &discriminant)?;
            let mut negated = false;
            for label in &case.labels {
                match (label, &discriminant) {
                    (Label::Default(_), _) => {
                        among = taken.iter().copied().filter(|place| !among.contains(place)).collect();
                        negated = true;
                    }
                    (Label::Unknown(_), Discriminant::Items(enumerators)) if !negated => {
                        let all = 0..enumerators.root.len() as u32;
                        among = all.filter(|place| !among.contains(place)).collect();
                        negated = true;
                    }
                    _ => {}
                }
            }
            let among = match discriminant {
                Discriminant::Items(_) => Among::Items(among),
                Discriminant::Numbers => Among::Numbers(among),
                Discriminant::Alternatives(_) => Among::Alternatives(among),
                Discriminant::Elements(_) => Among::Elements(among),
            };
            let test = Test { component: at as u32, among, negated };
            self.items(&case.items, &[tests, &[test]].concat(), building)?;
        }
        Ok(())
    }

    /// The values of a case: indexes, or numbers.
    fn places(&mut self, case: &'a Case, discriminant: &Discriminant) -> Outcome<Vec<u32>> {
        let names: Vec<String> = match discriminant {
            Discriminant::Items(enumerators) => enumerators.root.iter().map(|(name, _)| name.clone()).collect(),
            Discriminant::Alternatives(names) | Discriminant::Elements(names) => names.clone(),
            Discriminant::Numbers => {
                let mut numbers = Vec::new();
                for label in &case.labels {
                    match label {
                        Label::Number(number) => match u32::try_from(number.value) {
                            Ok(value) => numbers.push(value),
                            Err(_) => {
                                return self.error("tls.number.range", number.span, "a case of more than 32 bits");
                            }
                        },
                        Label::Item(name) => {
                            return self.error("tls.select.label", name.span, "a name where a number is selected on");
                        }
                        Label::Default(_) | Label::Unknown(_) => {}
                    }
                }
                return Ok(numbers);
            }
        };
        let mut places: Vec<u32> = self.cases_of(std::slice::from_ref(case), &names)?.into_keys().collect();
        places.sort_unstable();
        Ok(places)
    }
}

fn default_of(cases: &[Case]) -> Option<&Case> {
    cases.iter().find(|case| case.labels.iter().any(|label| matches!(label, Label::Default(_))))
}
