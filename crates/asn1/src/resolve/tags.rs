//! Tags: universal, written, automatic (X.680 §8, §25.7, §31).

use std::rc::Rc;

use num_traits::ToPrimitive;
use roadwire_model::{Kind, StringKind, Tag, TagClass, TimeKind, TypeId};

use super::Resolver;
use super::parameters::Scope;
use crate::ast::{self, Prefix, TagMode, Tagging, TypeKind};
use roadwire_source::Outcome;

/// The universal tag of a kind (X.680 Table 1); none for CHOICE and open types.
pub(super) fn universal(kind: &Kind) -> Vec<Tag> {
    let number = match kind {
        Kind::Boolean => 1,
        Kind::Integer { .. } => 2,
        Kind::BitString { .. } => 3,
        Kind::OctetString { .. } => 4,
        Kind::Null => 5,
        Kind::ObjectIdentifier => 6,
        Kind::Real { .. } => 9,
        Kind::Enumerated(_) => 10,
        Kind::RelativeOid => 13,
        Kind::Iri { relative: false } => 35,
        Kind::Iri { relative: true } => 36,
        Kind::Sequence { set: false, .. } | Kind::SequenceOf { set: false, .. } => 16,
        Kind::Sequence { set: true, .. } | Kind::SequenceOf { set: true, .. } => 17,
        Kind::String { kind, .. } => match kind {
            StringKind::ObjectDescriptor => 7,
            StringKind::Utf8 => 12,
            StringKind::Numeric => 18,
            StringKind::Printable => 19,
            StringKind::Teletex => 20,
            StringKind::Videotex => 21,
            StringKind::Ia5 => 22,
            StringKind::Graphic => 25,
            StringKind::Visible => 26,
            StringKind::General => 27,
            StringKind::Universal => 28,
            StringKind::Bmp => 30,
        },
        Kind::Time { kind, .. } => match kind {
            TimeKind::Time => 14,
            TimeKind::Utc => 23,
            TimeKind::Generalized => 24,
            TimeKind::Date => 31,
            TimeKind::TimeOfDay => 32,
            TimeKind::DateTime => 33,
            TimeKind::Duration => 34,
        },
        Kind::Choice { .. } | Kind::Open { .. } | Kind::External(_) => return Vec::new(),
    };
    vec![Tag { class: TagClass::Universal, number }]
}

impl Resolver<'_> {
    /// Tags and encoding instructions as written, innermost first.
    pub(super) fn apply_prefixes(&mut self, id: TypeId, ty: &ast::Type, scope: &Rc<Scope>) -> Outcome<()> {
        if let Kind::External(inner) = self.slot(id).ty.kind {
            if self.slot(id).ty.tags.is_empty() {
                // The built-in definitions carry the universal tag themselves.
                self.slot_mut(id).ty.tags = self.slot(inner).ty.tags.clone();
            }
        }
        let mut instructions = Vec::new();
        for (index, prefix) in ty.prefixes.iter().enumerate().rev() {
            let tag = match prefix {
                Prefix::Tag(tag) => tag,
                Prefix::Instruction { reference, text } => {
                    if &**reference == "XER" {
                        instructions.insert(0, text.to_string());
                    }
                    continue;
                }
            };
            let number = self.integer_value(&tag.number, scope)?;
            let Some(number) = number.to_u32() else {
                return Err(self.error("asn1.tag.number", tag.span, format!("{number} is not a tag number")));
            };
            let class = match tag.class {
                ast::TagClass::Universal => TagClass::Universal,
                ast::TagClass::Application => TagClass::Application,
                ast::TagClass::Context => TagClass::Context,
                ast::TagClass::Private => TagClass::Private,
            };
            if class == TagClass::Universal && scope.module < self.prelude_from {
                self.sink.warning(
                    "asn1.tag.universal",
                    tag.span,
                    "universal tags belong to the standard (X.680 §31.2.2)",
                );
            }
            let innermost = !ty.prefixes[index + 1..].iter().any(|p| matches!(p, Prefix::Tag(_)));
            let untagged = self.slot(id).ty.tags.is_empty() || innermost && self.is_dummy(ty, scope);
            let environment = self.modules[scope.module].ast.tagging;
            let explicit = match tag.mode {
                Some(TagMode::Explicit) => true,
                Some(TagMode::Implicit) if untagged => {
                    return Err(self.error(
                        "asn1.tag.implicit",
                        tag.span,
                        "a CHOICE, an open type or a dummy reference without a tag cannot be tagged IMPLICIT (X.680 §31.2.9)",
                    ));
                }
                Some(TagMode::Implicit) => false,
                None => untagged || environment == Tagging::Explicit,
            };
            self.put_tag(id, Tag { class, number }, explicit);
        }
        let slot = self.slot_mut(id);
        instructions.append(&mut slot.ty.instructions);
        slot.ty.instructions = instructions;
        Ok(())
    }

    /// X.680 §25.7 and §31.2.7: implicit, except on a type without a tag to replace.
    pub(super) fn apply_auto_tag(&mut self, id: TypeId, ty: &ast::Type, scope: &Rc<Scope>, number: u32) {
        let explicit = self.slot(id).ty.tags.is_empty() || self.is_dummy(ty, scope);
        let tag = Tag { class: TagClass::Context, number };
        self.put_tag(id, tag, explicit);
    }

    fn put_tag(&mut self, id: TypeId, tag: Tag, explicit: bool) {
        let tags = &mut self.slot_mut(id).ty.tags;
        match tags.first_mut() {
            Some(first) if !explicit => *first = tag,
            _ => tags.insert(0, tag),
        }
    }

    /// Whether the type, without its own tags, is a dummy reference (X.680 §31.2.7 c).
    fn is_dummy(&self, ty: &ast::Type, scope: &Scope) -> bool {
        match &ty.kind {
            TypeKind::Reference(r) => r.module.is_none() && scope.args.contains_key(&r.name.name),
            _ => false,
        }
    }
}

/// Whether a type has a textual tag (not only encoding instructions).
pub(super) fn has_tag(ty: &ast::Type) -> bool {
    ty.prefixes.iter().any(|p| matches!(p, Prefix::Tag(_)))
}
