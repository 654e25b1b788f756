//! Structs: components, and their conditions.

use roadwire_model::{Among, Coding, Component, Enumerators, Field, Kind, Presence, Test, TypeId};
use roadwire_source::Outcome;

use super::{Building, Env, Known, Resolver};
use crate::ast::{Case, FieldType, Item, Name};

impl<'a> Resolver<'a, '_> {
    /// A struct; a struct with only an enum and a select on it is a CHOICE.
    pub(super) fn structure(&mut self, items: &'a [Item], env: Env) -> Outcome<(Kind, Option<Coding>)> {
        let mut building = Building { components: Vec::new(), tests: Vec::new(), env };
        let mut parts = items.iter().filter(|item| !matches!(item, Item::Extern(_) | Item::Constant(..)));
        if let (Some(Item::Field { name: Some(name), ty }), Some(Item::Select { on, cases }), None) =
            (parts.next(), parts.next(), parts.next())
        {
            self.constants(items, &mut building);
            if let Some((id, _)) = self.discriminant(name, ty, on, &building.env)? {
                return self.choice(name, id, cases, &building.env);
            }
        }
        self.items(items, &[], &mut building)?;
        let kind = Kind::Sequence { set: false, components: building.components, extensible: false };
        let conditional = building.tests.iter().any(|tests| !tests.is_empty());
        Ok((kind, conditional.then_some(Coding::Struct(building.tests))))
    }

    fn constants(&mut self, items: &[Item], building: &mut Building) {
        for item in items {
            if let Item::Constant(name, number) = item {
                building.env.0.insert(name.text.clone(), Known::Number(number.value));
            }
        }
    }

    /// The enum of a field, if the select after the field is on it.
    fn discriminant(
        &mut self,
        name: &Name,
        ty: &'a FieldType,
        on: &Name,
        env: &Env,
    ) -> Outcome<Option<(TypeId, Enumerators)>> {
        if name.text != on.text || !matches!(ty.extent, crate::ast::Extent::One) || ty.base.text == "opaque" {
            return Ok(None);
        }
        let id = self.named_type(&ty.base, env)?;
        Ok(match &self.model.get(id).kind {
            Kind::Enumerated(enumerators) => Some((id, enumerators.clone())),
            _ => None,
        })
    }

    /// Items that are all present if the `tests` hold.
    pub(super) fn items(&mut self, items: &'a [Item], tests: &[Test], building: &mut Building) -> Outcome<()> {
        let mut at = 0;
        let mut result = Ok(());
        while let Some(item) = items.get(at) {
            let mut taken = 1;
            let done = match (item, items.get(at + 1)) {
                (Item::Extern(_), _) => Ok(()),
                (Item::Constant(name, number), _) => {
                    building.env.0.insert(name.text.clone(), Known::Number(number.value));
                    Ok(())
                }
                (Item::Field { name, ty }, next) => match (name, next) {
                    (Some(name), Some(Item::Select { on, cases })) => self
                        .field_and_select(name, ty, (on, cases), tests, building)
                        .map(|fused| taken += usize::from(fused)),
                    _ => self.field(name.as_ref(), ty, tests, building),
                },
                (Item::Select { on, cases }, _) => self.select(on, cases, tests, building),
                (Item::IfSet { flags, among, then, otherwise }, _) => {
                    self.if_set((flags, among), then, otherwise, tests, building)
                }
            };
            // One error does not hide another.
            result = result.and(done);
            at += taken;
        }
        result
    }

    /// A field and the select after it: one component, if the select is on this field.
    fn field_and_select(
        &mut self,
        name: &Name,
        ty: &'a FieldType,
        (on, cases): (&Name, &'a [Case]),
        tests: &[Test],
        building: &mut Building,
    ) -> Outcome<bool> {
        let Some((id, _)) = self.discriminant(name, ty, on, &building.env)? else {
            self.field(Some(name), ty, tests, building)?;
            return Ok(false);
        };
        let (kind, coding) = self.choice(name, id, cases, &building.env)?;
        let id = self.add(kind, coding);
        self.component(name, id, tests, building)?;
        Ok(true)
    }

    fn field(
        &mut self,
        name: Option<&Name>,
        ty: &'a FieldType,
        tests: &[Test],
        building: &mut Building,
    ) -> Outcome<()> {
        let id = self.field_type(ty, &building.env)?;
        self.component(name.unwrap_or(&ty.base), id, tests, building)
    }

    fn component(&mut self, name: &Name, type_id: TypeId, tests: &[Test], building: &mut Building) -> Outcome<()> {
        if building.components.iter().any(|other| other.name == name.text) {
            return self.error("tls.name.duplicate", name.span, format!("there is a field `{}` before", name.text));
        }
        let presence = if tests.is_empty() { Presence::Mandatory } else { Presence::Optional };
        building.components.push(Component { name: name.text.clone(), type_id, presence, field: Field::Root });
        building.tests.push(tests.to_vec());
        building.env.0.insert(name.text.clone(), Known::Later);
        Ok(())
    }

    /// `if_set (flags, flag) { } else { }`, or `if_any_set`
    fn if_set(
        &mut self,
        (flags, among): (&Name, &[Name]),
        then: &'a [Item],
        otherwise: &'a [Item],
        tests: &[Test],
        building: &mut Building,
    ) -> Outcome<()> {
        let component = building.components.iter().position(|component| component.name == flags.text);
        let kind = component.map(|at| &self.model.get(building.components[at].type_id).kind);
        let (Some(component), Some(Kind::BitString { named, .. })) = (component, kind) else {
            return self.error(
                "tls.select.on",
                flags.span,
                format!("`{}` is not a flags field before this", flags.text),
            );
        };
        let mut bits = Vec::new();
        for flag in among {
            let Some((_, bit)) = named.iter().find(|(name, _)| *name == flag.text) else {
                let note = self.sink.suggestion(&flag.text, named.iter().map(|(name, _)| name.as_str()));
                let what = format!("`{}` has no flag `{}`", flags.text, flag.text);
                return Err(self.sink.error_note("tls.name.unknown", flag.span, what, note));
            };
            bits.push(*bit as u32);
        }
        for (items, negated) in [(then, false), (otherwise, true)] {
            let test = Test { component: component as u32, among: Among::Bits(bits.clone()), negated };
            self.items(items, &[tests, &[test]].concat(), building)?;
        }
        Ok(())
    }
}
