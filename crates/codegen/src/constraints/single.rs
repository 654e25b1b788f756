//! Expressions that test whether a value is a given one, as [`roadwire_model::data::equal`] does.

use roadwire_model::{Kind, Presence, TypeId, Value};

use super::Checks;
use super::expressions::{any_integers, dot, held, integers, joined};
use super::place::referred;
use crate::data::{field_names, word};
use crate::source::Source;
use roadwire_plan::{Repr, Types};

impl Checks<'_, '_> {
    /// An expression: whether a value is this one. A part that cannot be expressed is `at_least`,
    /// as in [`Checks::condition`].
    pub(super) fn is(&mut self, id: TypeId, value: &str, wanted: &Value, at_least: bool, out: &mut Source) -> String {
        if let Some(item) = self.item(id, wanted) {
            return format!("matches!({}, {item})", held(value));
        }
        let scalar = format!("wire::Data::scalar({value})");
        let named = matches!(self.types.kind(id), Kind::BitString { named, .. } if !named.is_empty());
        match (self.types.repr(id), wanted) {
            (Repr::Bool, Value::Boolean(true)) => held(value),
            (Repr::Bool, Value::Boolean(false)) => format!("!{}", held(value)),
            (Repr::Null, _) => "true".into(),
            (Repr::Integer(int), Value::Integer(number)) => {
                let end = Some(number.to_bigint());
                integers(value, *int, &[(end.clone(), end)])
            }
            (Repr::AnyInteger, Value::Integer(number)) => {
                let end = Some(number.to_bigint());
                any_integers(&scalar, &[(end.clone(), end)]).unwrap_or_else(|| at_least.to_string())
            }
            // NOT-A-NUMBER equals itself, and minus zero differs from zero (X.680 §21.5).
            (Repr::Real, Value::Real(number)) if number.is_nan() => format!("{}.is_nan()", dot(value)),
            (Repr::Real, Value::Real(number)) => format!("{}.to_bits() == {}", dot(value), number.to_bits()),
            (Repr::BitFlags { bits: width, .. }, Value::BitString { octets, bits })
                if *bits <= usize::from(*width) && (named || *bits == usize::from(*width)) =>
            {
                format!("{}.0 == {}", dot(value), word(octets, usize::from(*width)))
            }
            (Repr::BitFlags { .. } | Repr::BitWord | Repr::BitString, Value::BitString { octets, bits }) => {
                format!("wire::rt::constraint::is_bits({scalar}, &{octets:?}, {bits}, {named})")
            }
            (_, Value::OctetString(octets)) => format!("matches!({scalar}, wire::Scalar::Octets({octets:?}))"),
            (_, Value::Text(text)) => format!("matches!({scalar}, wire::Scalar::Text({text:?}))"),
            (_, Value::Oid(oid)) => format!("matches!({scalar}, wire::Scalar::Oid({:?}))", oid.contents()),
            (Repr::List { element, .. }, Value::List(values)) => {
                let (element, each) = (*element, out.variable());
                let mut all = Vec::new();
                for wanted in values {
                    let one = out.variable();
                    let condition = self.is(element, &one, wanted, at_least, out);
                    all.push(format!("{each}.next().is_some_and(|{one}| {condition})"));
                }
                all.push(format!("{each}.next().is_none()"));
                format!("{{ let mut {each} = {}.iter(); {} }}", dot(value), joined(all, " && ", "true"))
            }
            (Repr::Choice, Value::Choice(which, wanted)) => {
                let Kind::Choice { alternatives, .. } = self.types.kind(id) else { return at_least.to_string() };
                let (at, one) = (*which as usize, out.variable());
                let inside = alternatives[at].type_id;
                let condition = self.is(inside, &self.chosen(id, inside, &one), wanted, at_least, out);
                format!("match {value} {{ {}({one}) => {condition}, _ => false }}", self.variant(id, at))
            }
            (Repr::Struct, Value::Sequence { components, .. }) => {
                self.is_structure(id, value, components, at_least, out)
            }
            // An open type holds the octets of an encoding.
            _ => at_least.to_string(),
        }
    }

    fn is_structure(
        &mut self,
        id: TypeId,
        value: &str,
        wanted: &[Option<Value>],
        at_least: bool,
        out: &mut Source,
    ) -> String {
        let Kind::Sequence { components, extensible, .. } = self.types.kind(id) else { return at_least.to_string() };
        let mut all = Vec::new();
        for ((component, field), wanted) in components.iter().zip(field_names(components)).zip(wanted) {
            let field = format!("{}.{field}", dot(value));
            let inside = component.type_id;
            let boxed = self.types.is_boxed(id, inside);
            all.push(match (Types::is_option(component), wanted, &component.presence) {
                (true, None, _) => format!("{field}.is_none()"),
                (true, Some(wanted), _) => {
                    let one = out.variable();
                    let condition = self.is(inside, &one, wanted, at_least, out);
                    let access = if boxed { "as_deref" } else { "as_ref" };
                    format!("{field}.{access}().is_some_and(|{one}| {condition})")
                }
                (false, Some(wanted), _) | (false, None, Presence::Default(wanted)) => {
                    self.is(inside, &referred(&field, boxed), wanted, at_least, out)
                }
                (false, None, _) => "false".into(),
            });
        }
        if *extensible {
            all.push(format!("{}.unknown.as_slice().is_empty()", dot(value)));
        }
        all.retain(|condition| condition != "true");
        joined(all, " && ", "true")
    }
}
