//! Fields' types: one value, or many.

use roadwire_model::{Coding, Kind, Length, Order, Size, TypeId, Vector};
use roadwire_source::{Outcome, Span};

use super::{Env, Known, Resolver, bound};
use crate::ast::{Amount, Bounds, Extent, FieldType, Ordered};

/// More octets than any vector has, and few enough that their number of bits does not overflow.
const MOST_OCTETS: u64 = 1 << 48;

impl Resolver<'_, '_> {
    pub(super) fn field_type(&mut self, ty: &FieldType, env: &Env) -> Outcome<TypeId> {
        let opaque = ty.base.text == "opaque";
        if let (true, Extent::One) = (opaque, &ty.extent) {
            return self.error("tls.opaque", ty.base.span, "opaque is a type with a length: `[n]`, `<var>`");
        }
        let base = if opaque { None } else { Some(self.named_type(&ty.base, env)?) };
        let order = match &ty.order {
            Some(ordered) => Some(self.order(base, ordered)?),
            None => None,
        };
        let (length, size) = match (&ty.extent, base) {
            (Extent::One, Some(base)) => {
                return match &ty.order {
                    Some(ordered) => self.error("tls.order", ordered.span, "only vectors can be ordered"),
                    None => Ok(base),
                };
            }
            (Extent::One, None) => (None, Size::default()),
            (Extent::Fixed(amount), base) => {
                let octets = self.amount(amount, env)?;
                let count = match base {
                    Some(base) => self.elements(base, octets, amount.span())?,
                    None => octets,
                };
                (None, Size { lower: count, upper: Some(count), extensible: false })
            }
            (Extent::Variable(bounds), _) => {
                let size = bounds.as_ref().map_or(Ok(Size::default()), |bounds| self.bounds(bounds))?;
                (Some(Length::Variable), size)
            }
            (Extent::Field(floor, ceiling), base) => {
                let (lower, upper) = (self.amount(floor, env)?, self.amount(ceiling, env)?);
                if upper < lower {
                    return self.error("tls.number.range", ceiling.span(), "less than the fewest octets");
                }
                let size = match base {
                    None => Size { lower, upper: Some(upper), extensible: false },
                    Some(base) => match self.width(base, &mut Vec::new()).filter(|width| *width > 0) {
                        Some(width) => {
                            Size { lower: lower.div_ceil(width), upper: Some(upper / width), extensible: false }
                        }
                        None => Size::default(),
                    },
                };
                (Some(Length::Field { floor: lower, ceiling: upper }), size)
            }
        };
        let kind = match base {
            None => Kind::OctetString { size, contains: None },
            Some(element) => Kind::SequenceOf { set: false, element, element_name: None, size },
        };
        Ok(self.add(kind, length.map(|length| Coding::Vector(Vector { length, order }))))
    }

    fn bounds(&mut self, bounds: &Bounds) -> Outcome<Size> {
        let (lower, upper) = (bounds.lower.value, bounds.upper.map(|upper| upper.value));
        if let Some(given) = bounds.upper.filter(|upper| upper.value < lower) {
            return self.error("tls.number.range", given.span, "less than the fewest elements");
        }
        if upper.unwrap_or(lower).max(lower) > u32::MAX.into() {
            return self.error("tls.number.range", bounds.lower.span, "more elements than fit");
        }
        Ok(Size { lower, upper, extensible: bounds.extensible })
    }

    /// How many elements `octets` octets hold.
    fn elements(&mut self, element: TypeId, octets: u64, span: Span) -> Outcome<u64> {
        match self.width(element, &mut Vec::new()) {
            Some(width @ 1..) if octets % width == 0 => Ok(octets / width),
            Some(width) => self.error(
                "tls.vector.border",
                span,
                format!("{octets} octets do not hold whole elements of {width} octets"),
            ),
            None => self.error("tls.vector.width", span, "its elements have no one length: `<var>` is for such"),
        }
    }

    /// The size of a type in octets, if all its values have the same size.
    fn width(&self, id: TypeId, open: &mut Vec<TypeId>) -> Option<u64> {
        if open.contains(&id) || open.len() > 100 {
            return None;
        }
        open.push(id);
        let width = match (&self.model.get(id).kind, self.model.codings.get(&id)) {
            (Kind::Integer { range, .. }, None) => {
                let (lower, upper) = (bound(&range.lower)?, bound(&range.upper)?);
                Some(u64::from(128 - (upper - lower).leading_zeros()) / 8)
            }
            (_, Some(Coding::Item(octets))) => Some(u64::from(*octets)),
            (Kind::BitString { size, .. }, Some(Coding::Flags)) => Some(size.lower / 7),
            (Kind::OctetString { size, .. }, None) => size.fixed(),
            (Kind::Null, None) => Some(0),
            (Kind::SequenceOf { size, element, .. }, None) => self.width(*element, open)?.checked_mul(size.fixed()?),
            (Kind::Sequence { components, .. }, None) => {
                components.iter().try_fold(0u64, |sum, one| sum.checked_add(self.width(one.type_id, open)?))
            }
            _ => None,
        };
        open.pop();
        width
    }

    fn amount(&mut self, amount: &Amount, env: &Env) -> Outcome<u64> {
        let (value, span) = match amount {
            Amount::Number(number) => (number.value, number.span),
            Amount::Name(name) => match self.lookup(&name.text, env) {
                Some(Known::Number(value)) => (value, name.span),
                Some(_) => {
                    let what = format!("`{}` is known only when a message is read", name.text);
                    return self.error("tls.extern.later", name.span, what);
                }
                None => {
                    return self.error("tls.name.unknown", name.span, format!("there is no number `{}`", name.text));
                }
            },
        };
        if value > MOST_OCTETS {
            return self.error("tls.number.range", span, "more octets than fit");
        }
        Ok(value)
    }

    /// The order of a vector's elements.
    fn order(&mut self, element: Option<TypeId>, ordered: &Ordered) -> Outcome<Order> {
        let Some(Kind::Choice { alternatives, .. }) = element.map(|id| &self.model.get(id).kind) else {
            return self.error(
                "tls.order",
                ordered.span,
                "only elements that begin with an enum's item can be ordered",
            );
        };
        let Some(first) = &ordered.first else { return Ok(Order::default()) };
        match alternatives.iter().position(|one| one.name == first.text) {
            Some(at) => Ok(Order { first: Some(at as u32) }),
            None => self.error("tls.name.unknown", first.span, format!("no element is of a type `{}`", first.text)),
        }
    }
}

impl Amount {
    fn span(&self) -> Span {
        match self {
            Amount::Number(number) => number.span,
            Amount::Name(name) => name.span,
        }
    }
}
