//! Types as written, at the end of chains of references; selection types.

use std::rc::Rc;

use roadwire_model::TypeId;

use super::Resolver;
use super::names::Found;
use super::parameters::Scope;
use crate::ast::{self, Body, TypeKind};
use crate::lexer::Tok;
use roadwire_source::Outcome;

impl Resolver<'_> {
    /// The type as written at the end of a chain of references, and its scope.
    pub(super) fn underlying(&mut self, ty: &Rc<ast::Type>, scope: &Rc<Scope>) -> Outcome<(Rc<ast::Type>, Rc<Scope>)> {
        self.chain(ty, scope, |_, _| {})
    }

    /// As [`Self::underlying`]; `each` hears of every type of the chain.
    pub(super) fn chain(
        &mut self,
        ty: &Rc<ast::Type>,
        scope: &Rc<Scope>,
        mut each: impl FnMut(&ast::Type, &Rc<Scope>),
    ) -> Outcome<(Rc<ast::Type>, Rc<Scope>)> {
        let (mut ty, mut scope) = (ty.clone(), scope.clone());
        for _ in 0..super::MAX_CHAIN {
            each(&ty, &scope);
            let next = match &ty.kind {
                TypeKind::Reference(reference) => match self.lookup(reference, &scope)? {
                    Found::Argument(arg) if self.token_kind(arg.tokens) == Tok::LBrace => match &arg.governor {
                        Some(governor) => (governor.clone(), scope.clone()),
                        None => return Err(self.error("asn1.name.role", reference.span, "a type is wanted here")),
                    },
                    Found::Argument(arg) => (self.tokens_as_type(arg.tokens, &arg.scope)?, arg.scope.clone()),
                    Found::Definition { module, assignment } => {
                        let inner = self.definition_scope(module, &assignment, reference, &scope)?;
                        match &assignment.body {
                            Body::Type(ty) => (ty.clone(), inner),
                            Body::Set { governor, .. } => (governor.clone(), inner),
                            _ => {
                                return Err(self.no_type(reference, &assignment));
                            }
                        }
                    }
                },
                TypeKind::Selection(name, of) => {
                    let (of, of_scope) = self.deeper(ty.span, |r| r.underlying(of, &scope))?;
                    self.alternative(name, &of, &of_scope)?
                }
                _ => return Ok((ty, scope)),
            };
            (ty, scope) = next;
        }
        Err(self.error("asn1.type.circular", ty.span, "this type is defined by itself"))
    }

    /// `name < Choice` (X.680 §30): the alternative's type as written.
    pub(super) fn selected_type(
        &mut self,
        name: &ast::Ident,
        of: &Rc<ast::Type>,
        scope: &Rc<Scope>,
    ) -> Outcome<TypeId> {
        let (of, of_scope) = self.underlying(of, scope)?;
        let (ty, scope) = self.alternative(name, &of, &of_scope)?;
        self.shared_type_of(&ty, &scope)
    }

    pub(super) fn alternative(
        &mut self,
        name: &ast::Ident,
        of: &Rc<ast::Type>,
        scope: &Rc<Scope>,
    ) -> Outcome<(Rc<ast::Type>, Rc<Scope>)> {
        let TypeKind::Choice(body) = &of.kind else {
            return Err(self.error("asn1.name.role", name.span, "a selection type selects from a CHOICE"));
        };
        let found = super::components::named(body).find(|(n, _)| n.name == name.name);
        match found {
            Some((_, ty)) => Ok((ty.clone(), scope.clone())),
            None => Err(self.error(
                "asn1.name.component",
                name.span,
                format!("the CHOICE has no alternative `{}`", name.name),
            )),
        }
    }
}
