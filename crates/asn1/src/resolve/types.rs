//! Types: slots, references followed, kinds made.

use std::rc::Rc;

use num_bigint::BigInt;
use roadwire_model::{IntegerRange, Kind, QualifiedName, Size, StringKind, TimeKind, Type, TypeId, Value};

use super::components::Enclosing;
use super::constraints::Facts;
use super::intervals::Intervals;
use super::names::Found;
use super::parameters::{Arg, Scope};
use super::{DefinitionKey, Job, MAX_TYPES, Resolver, Slot, SlotState};
use crate::ast::{self, Assignment, Body, Reference, TypeKind};
use crate::lexer::Tok;
use roadwire_source::Span;
use roadwire_source::{Outcome, Reported};

impl Resolver<'_> {
    /// The slot of a type as written: that of the definition when it is a plain reference, else a
    /// new one.
    pub(super) fn type_of(
        &mut self,
        ty: &Rc<ast::Type>,
        scope: &Rc<Scope>,
        enclosing: Option<&Rc<Enclosing>>,
    ) -> Outcome<TypeId> {
        if let (TypeKind::Reference(reference), true, true) =
            (&ty.kind, ty.prefixes.is_empty(), ty.constraints.is_empty())
        {
            return self.referenced_type(reference, scope);
        }
        self.new_slot(Job { ty: ty.clone(), scope: scope.clone(), auto_tag: None, enclosing: enclosing.cloned() }, None)
    }

    /// As [`Self::type_of`], but always the same slot for one syntax node in one scope.
    pub(super) fn shared_type_of(&mut self, ty: &Rc<ast::Type>, scope: &Rc<Scope>) -> Outcome<TypeId> {
        let key = (Rc::as_ptr(ty), scope.identity());
        if let Some((id, _)) = self.uses.get(&key) {
            return Ok(*id);
        }
        let id = self.type_of(ty, scope, None)?;
        self.uses.insert(key, (id, ty.clone()));
        Ok(id)
    }

    pub(super) fn new_slot(&mut self, job: Job, name: Option<QualifiedName>) -> Outcome<TypeId> {
        let span = job.ty.span;
        if self.slots.len() >= MAX_TYPES {
            if !std::mem::replace(&mut self.too_many, true) {
                return Err(self.error(
                    "asn1.limit.types",
                    span,
                    format!("these modules make more than {MAX_TYPES} types"),
                ));
            }
            return Err(Reported::before());
        }
        let id = TypeId(self.slots.len() as u32);
        self.slots.push(Slot {
            state: SlotState::Pending(job),
            ty: Type { name, reference: None, tags: Vec::new(), kind: Kind::Null, instructions: Vec::new() },
            facts: Facts::default(),
            given: Vec::new(),
            marker: None,
            origin: id,
            span,
        });
        Ok(id)
    }

    /// A slot for a type that is not in the text.
    pub(super) fn made_slot(&mut self, ty: Type, span: Span) -> TypeId {
        let id = TypeId(self.slots.len() as u32);
        self.slots.push(Slot {
            state: SlotState::Done,
            ty,
            facts: Facts::default(),
            given: Vec::new(),
            marker: None,
            origin: id,
            span,
        });
        id
    }

    /// The slot of an INTEGER with these values.
    pub(super) fn integer_type(&mut self, values: Intervals, span: Span) -> TypeId {
        let kind = Kind::Integer { range: values.ends(), named: Vec::new() };
        let ty = Type { name: None, reference: None, tags: Vec::new(), kind, instructions: Vec::new() };
        let id = self.made_slot(ty, span);
        self.slot_mut(id).facts.ints = Some(values);
        id
    }

    /// The slot of a reference that is used as a type.
    pub(super) fn referenced_type(&mut self, reference: &Reference, scope: &Rc<Scope>) -> Outcome<TypeId> {
        match self.lookup(reference, scope)? {
            Found::Argument(arg) if self.token_kind(arg.tokens) == Tok::LBrace => {
                self.value_set(&arg, reference, scope)
            }
            Found::Argument(arg) => self.deeper(reference.span, |r| {
                let ty = r.tokens_as_type(arg.tokens, &arg.scope)?;
                r.shared_type_of(&ty, &arg.scope)
            }),
            Found::Definition { module, assignment } => {
                let inner = self.definition_scope(module, &assignment, reference, scope)?;
                let is_type = match &assignment.body {
                    Body::Type(ty) => self.class_governor(ty, &inner)?.is_none(),
                    Body::Set { governor, .. } => self.class_governor(governor, &inner)?.is_none(),
                    _ => false,
                };
                if !is_type {
                    return Err(self.no_type(reference, &assignment));
                }
                self.definition_type(module, &assignment, &inner)
            }
        }
    }

    /// `{ ... }` given for a dummy value set: the dummy's governor, constrained.
    fn value_set(&mut self, arg: &Arg, reference: &Reference, scope: &Rc<Scope>) -> Outcome<TypeId> {
        let Some(governor) = &arg.governor else {
            return Err(self.error(
                "asn1.name.role",
                reference.span,
                format!("`{}` is a set, but a type is wanted here", reference.name.name),
            ));
        };
        let set = self.tokens_as_set(arg.tokens, &arg.scope)?;
        let job = Job { ty: governor.clone(), scope: scope.clone(), auto_tag: None, enclosing: None };
        let id = self.new_slot(job, None)?;
        self.ensure(id)?;
        self.deeper(reference.span, |r| r.constrain_by_set(id, &set, &arg.scope))?;
        Ok(id)
    }

    /// The slot of a type assignment (or value set assignment) in a scope of its parameters.
    pub(super) fn definition_type(
        &mut self,
        module: usize,
        assignment: &Rc<Assignment>,
        scope: &Rc<Scope>,
    ) -> Outcome<TypeId> {
        let key = DefinitionKey { module, name: assignment.name.name.clone(), instance: scope.instance };
        if let Some(id) = self.definitions.get(&key) {
            return Ok(*id);
        }
        let ty = match &assignment.body {
            Body::Type(ty) => ty.clone(),
            Body::Set { governor, set } => {
                // X.680 §16.6: a value set is its governor, constrained.
                let mut ty = (**governor).clone();
                ty.constraints
                    .push(ast::Constraint { spec: ast::ConstraintSpec::Subtype(set.clone()), span: set.span });
                Rc::new(ty)
            }
            _ => return Err(Reported::before()),
        };
        let named = scope.instance == 0 && module < self.prelude_from;
        let name = named.then(|| QualifiedName {
            module: self.modules[module].name.to_string(),
            name: assignment.name.name.to_string(),
        });
        let id = self.new_slot(Job { ty, scope: scope.clone(), auto_tag: None, enclosing: None }, name)?;
        self.slot_mut(id).span = assignment.name.span;
        self.definitions.insert(key, id);
        Ok(id)
    }

    /// Builds the slot if it is not built yet.
    pub(super) fn ensure(&mut self, id: TypeId) -> Outcome<()> {
        match &self.slot(id).state {
            SlotState::Done => return Ok(()),
            SlotState::Failed => return Err(Reported::before()),
            SlotState::Running { .. } => {
                let span = self.slot(id).span;
                return Err(self.error("asn1.type.circular", span, "this type is defined by itself"));
            }
            SlotState::Pending(_) => {}
        }
        let state = std::mem::replace(&mut self.slot_mut(id).state, SlotState::Running { known: false });
        let SlotState::Pending(job) = state else {
            return Err(Reported::before());
        };
        let span = job.ty.span;
        let result = self.deeper(span, |r| r.build(id, &job));
        self.slot_mut(id).state = match result {
            Ok(()) => SlotState::Done,
            Err(_) => SlotState::Failed,
        };
        result
    }

    /// As [`Self::ensure`], but only up to the type's own constraints, which may refer to its
    /// values.
    pub(super) fn ensure_base(&mut self, id: TypeId) -> Outcome<()> {
        match self.slot(id).state {
            SlotState::Running { known: true } => Ok(()),
            _ => self.ensure(id),
        }
    }

    fn build(&mut self, id: TypeId, job: &Job) -> Outcome<()> {
        let ty = &job.ty;
        let scope = &job.scope;
        match self.base_type(id, job)? {
            Base::Copy(from) => self.copy_of(id, from)?,
            Base::New(kind) => {
                self.slot_mut(id).ty.tags = super::tags::universal(&kind);
                self.slot_mut(id).ty.kind = kind;
            }
        }
        self.apply_prefixes(id, ty, scope)?;
        if let Some(number) = job.auto_tag {
            self.apply_auto_tag(id, ty, scope, number);
        }
        self.slot_mut(id).state = SlotState::Running { known: true };
        match &ty.kind {
            TypeKind::Field(field) if field.is_capital() => self.apply_value_set(id, field, ty, scope)?,
            _ => {}
        }
        for constraint in &ty.constraints {
            self.apply_constraint(id, constraint, job)?;
        }
        Ok(())
    }

    /// A value set from objects as a type (X.681 §15): its governor, constrained as by that set.
    /// More values may come from a set that is extensible.
    fn apply_value_set(
        &mut self,
        id: TypeId,
        field: &ast::FieldReference,
        ty: &ast::Type,
        scope: &Rc<Scope>,
    ) -> Outcome<()> {
        let Some((_, false)) = self.values_from_objects(field, scope)? else {
            return Ok(());
        };
        let span = ty.span;
        let kind = ast::TypeKind::Field(field.clone());
        let alone = Rc::new(ast::Type { prefixes: Vec::new(), kind, constraints: Vec::new(), span });
        let root = ast::Element { kind: ast::ElementKind::Type(alone), span };
        let set = Rc::new(ast::Set { root: Some(root), extensible: false, additions: None, span });
        self.constrain_by_set(id, &set, scope)
    }

    /// Copies the type of another slot.
    fn copy_of(&mut self, id: TypeId, from: TypeId) -> Outcome<()> {
        self.ensure(from)?;
        let cost = super::kinds::weight(&self.slot(from).ty.kind);
        self.spend(cost, self.slot(id).span)?;
        let source = self.slot(from);
        let (kind, tags, facts, given, origin) =
            (source.ty.kind.clone(), source.ty.tags.clone(), source.facts.clone(), source.given.clone(), source.origin);
        let (instructions, marker) = (source.ty.instructions.clone(), source.marker.clone());
        let reference = source.ty.name.clone().or_else(|| source.ty.reference.clone());
        let slot = self.slot_mut(id);
        slot.ty.kind = kind;
        slot.ty.tags = tags;
        slot.ty.reference = reference;
        slot.ty.instructions = instructions;
        slot.facts = facts;
        slot.given = given;
        slot.marker = marker;
        slot.origin = origin;
        Ok(())
    }

    fn base_type(&mut self, id: TypeId, job: &Job) -> Outcome<Base> {
        let scope = &job.scope;
        let kind = match &job.ty.kind {
            TypeKind::Reference(reference) => {
                return self.referenced_type(reference, scope).map(Base::Copy);
            }
            TypeKind::Field(field) => {
                return self.field_type(field, job);
            }
            TypeKind::Selection(name, of) => {
                return self.selected_type(name, of, scope).map(Base::Copy);
            }
            TypeKind::Boolean => Kind::Boolean,
            TypeKind::Null => Kind::Null,
            TypeKind::Real => Kind::Real { parts: None },
            TypeKind::Integer(named) => {
                Kind::Integer { range: IntegerRange::default(), named: self.named_numbers(named, scope)? }
            }
            TypeKind::BitString(named) => {
                Kind::BitString { size: Size::default(), named: self.named_bits(named, scope)?, contains: None }
            }
            TypeKind::Enumerated(body) => {
                let implied = self.modules[scope.module].ast.extensibility_implied;
                Kind::Enumerated(self.enumerators(body, implied, scope)?)
            }
            TypeKind::OctetString => Kind::OctetString { size: Size::default(), contains: None },
            TypeKind::ObjectIdentifier => Kind::ObjectIdentifier,
            TypeKind::RelativeOid => Kind::RelativeOid,
            TypeKind::Iri => Kind::Iri { relative: false },
            TypeKind::RelativeIri => Kind::Iri { relative: true },
            TypeKind::ObjectDescriptor => string(StringKind::ObjectDescriptor),
            TypeKind::Chars(name) => string(string_kind(name)),
            TypeKind::Time(name) => Kind::Time { kind: time_kind(name), settings: Vec::new() },
            TypeKind::EmbeddedPdv => return self.builtin_type("EmbeddedPdv"),
            TypeKind::External => return self.builtin_type("External"),
            TypeKind::CharacterString => return self.builtin_type("CharacterString"),
            TypeKind::InstanceOf(class) => return self.instance_of(class, job),
            TypeKind::Sequence(body) => self.structure(id, body, false, job)?,
            TypeKind::Set(body) => self.structure(id, body, true, job)?,
            TypeKind::Choice(body) => self.choice(id, body, job)?,
            TypeKind::SequenceOf(element) | TypeKind::SetOf(element) => Kind::SequenceOf {
                set: matches!(job.ty.kind, TypeKind::SetOf(_)),
                element: self.type_of(&element.ty, scope, job.enclosing.as_ref())?,
                element_name: element.name.as_ref().map(|n| n.name.to_string()),
                size: Size::default(),
            },
            TypeKind::Any { defined_by } => {
                self.sink.warning(
                    "asn1.x208.any",
                    job.ty.span,
                    "ANY (X.208 §27) is withdrawn, X.680 does not have it: read as an open type of which nothing is known",
                );
                if let (Some(name), Some(around)) = (defined_by, &job.enclosing) {
                    self.check_defined_by(name, around)?;
                }
                Kind::Open { table: None }
            }
        };
        Ok(Base::New(kind))
    }

    /// X.208 §27: what ANY is DEFINED BY is another component of the type around it.
    fn check_defined_by(&mut self, name: &ast::Ident, around: &Enclosing) -> Outcome<()> {
        let mut levels = std::iter::successors(Some(around), |level| level.outer.as_deref());
        if levels.any(|level| level.members.contains_key(&name.name)) {
            return Ok(());
        }
        Err(self.no_component(name, around.members.keys().map(|known| &**known)))
    }

    fn builtin_type(&mut self, name: &str) -> Outcome<Base> {
        let id = self.builtin_slot(name)?;
        Ok(Base::New(Kind::External(id)))
    }

    /// The slot of a type of the built-in module.
    pub(super) fn builtin_slot(&mut self, name: &str) -> Outcome<TypeId> {
        let Some(assignment) = self.builtin(name) else {
            return Err(Reported::before());
        };
        let scope = self.modules[self.prelude_from].scope.clone();
        let id = self.definition_type(self.prelude_from, &assignment, &scope)?;
        self.ensure(id)?;
        Ok(id)
    }

    /// Checks that a value is in a type's integer range or size; reports an error if not.
    pub(super) fn check_value_range(&mut self, id: TypeId, value: &Value, span: Span) -> Outcome<()> {
        if let Value::Text(text) = value {
            self.check_repertoire(id, text, span)?;
            self.check_alphabet(id, text, span)?;
        }
        let slot = self.slot(id);
        let (number, allowed, extensible, what) = match (&slot.ty.kind, value) {
            (Kind::Integer { range, .. }, Value::Integer(n)) => {
                (n.to_bigint(), &slot.facts.ints, range.extensible, "value")
            }
            (Kind::OctetString { size, .. }, Value::OctetString(o)) => {
                (o.len().into(), &slot.facts.size, size.extensible, "size")
            }
            // Trailing zero bits are added or removed to meet the size (X.680 §22.7).
            (Kind::BitString { size, named, .. }, Value::BitString { bits, .. }) if named.is_empty() => {
                ((*bits).into(), &slot.facts.size, size.extensible, "size")
            }
            (Kind::SequenceOf { size, .. }, Value::List(list)) => {
                (list.len().into(), &slot.facts.size, size.extensible, "size")
            }
            (Kind::String { size, .. }, Value::Text(text)) => {
                let count: BigInt = text.chars().count().into();
                (count, &slot.facts.size, size.extensible, "size")
            }
            _ => return Ok(()),
        };
        let outside = allowed.as_ref().is_some_and(|a| !a.contains(&number));
        if outside && !extensible {
            return Err(self.error(
                "asn1.value.range",
                span,
                format!("the {what} {number} is outside of what the type allows"),
            ));
        }
        Ok(())
    }
}

/// The basis of a type, before its own tags and constraints.
pub(super) enum Base {
    Copy(TypeId),
    New(Kind),
}

fn string(kind: StringKind) -> Kind {
    Kind::String { kind, size: Size::default(), alphabet: None, alphabet_extensible: false }
}

fn string_kind(name: &str) -> StringKind {
    match name {
        "NumericString" => StringKind::Numeric,
        "PrintableString" => StringKind::Printable,
        "IA5String" => StringKind::Ia5,
        "VisibleString" | "ISO646String" => StringKind::Visible,
        "TeletexString" | "T61String" => StringKind::Teletex,
        "VideotexString" => StringKind::Videotex,
        "GraphicString" => StringKind::Graphic,
        "GeneralString" => StringKind::General,
        "UniversalString" => StringKind::Universal,
        "BMPString" => StringKind::Bmp,
        _ => StringKind::Utf8,
    }
}

fn time_kind(name: &str) -> TimeKind {
    match name {
        "UTCTime" => TimeKind::Utc,
        "GeneralizedTime" => TimeKind::Generalized,
        "DATE" => TimeKind::Date,
        "TIME-OF-DAY" => TimeKind::TimeOfDay,
        "DATE-TIME" => TimeKind::DateTime,
        "DURATION" => TimeKind::Duration,
        _ => TimeKind::Time,
    }
}
