//! Constraints (X.680 clauses 49 to 51, X.682) and sets.

use std::rc::Rc;

use super::Parser;
use crate::ast::{
    Bound, Constraint, ConstraintSpec, Element, ElementKind, End, InnerItem, InnerPresence, Inners, Link, Set, Type,
    TypeKind, ValueKind,
};
use crate::lexer::Tok;
use roadwire_source::Outcome;

impl Parser<'_> {
    /// `( ... )` after a type.
    pub(super) fn constraint(&mut self) -> Outcome<Constraint> {
        self.nested(|p| {
            let start = p.expect(Tok::LParen, "`(`")?;
            let spec = p.constraint_spec()?;
            p.exception()?;
            p.expect(Tok::RParen, "`)` at the end of the constraint")?;
            Ok(Constraint { spec, span: p.since(start) })
        })
    }

    fn constraint_spec(&mut self) -> Outcome<ConstraintSpec> {
        if self.is_word("CONSTRAINED") {
            self.advance();
            self.expect_word("BY")?;
            self.braced()?;
            return Ok(ConstraintSpec::User);
        }
        if self.is_word("CONTAINING") || self.is_word("ENCODED") {
            return self.contents();
        }
        if self.is_table() {
            return self.table();
        }
        Ok(ConstraintSpec::Subtype(Rc::new(self.set(Tok::RParen)?)))
    }

    fn contents(&mut self) -> Outcome<ConstraintSpec> {
        let mut containing = None;
        let mut encoded_by = None;
        if self.accept_word("CONTAINING") {
            containing = Some(Rc::new(self.ty()?));
        }
        if self.accept_word("ENCODED") {
            self.expect_word("BY")?;
            encoded_by = Some(self.value()?);
        }
        Ok(ConstraintSpec::Contents { containing, encoded_by })
    }

    /// `{ObjectSet}` at the start of a constraint: no value has this form.
    fn is_table(&self) -> bool {
        if self.peek() != Tok::LBrace || !self.is_type_name(1) {
            return false;
        }
        match self.peek_at(2) {
            Tok::RBrace | Tok::LBrace => true,
            Tok::Dot => self.is_type_name(3),
            _ => false,
        }
    }

    fn table(&mut self) -> Outcome<ConstraintSpec> {
        self.advance();
        let set = self.reference()?;
        self.expect(Tok::RBrace, "`}` after the object set")?;
        let mut links = Vec::new();
        if self.accept(Tok::LBrace) {
            loop {
                links.push(self.link()?);
                if !self.accept(Tok::Comma) {
                    break;
                }
            }
            self.expect(Tok::RBrace, "`,` or `}` after a link")?;
        }
        Ok(ConstraintSpec::Table { set, links })
    }

    /// `@a.b`, `@.a`, `@..a`
    fn link(&mut self) -> Outcome<Link> {
        self.expect(Tok::At, "`@` and the name of a component")?;
        let mut level = 0u32;
        loop {
            level = level.saturating_add(match self.peek() {
                Tok::Dot => 1,
                Tok::Range => 2,
                Tok::Ellipsis => 3,
                _ => break,
            });
            self.advance();
        }
        let mut path = vec![self.lower("the name of a component")?];
        while self.accept(Tok::Dot) {
            path.push(self.lower("the name of a component")?);
        }
        Ok(Link { level, path })
    }

    /// `SIZE(...)` as in `SEQUENCE SIZE(1..4) OF T`.
    pub(super) fn bare_size_constraint(&mut self) -> Outcome<Constraint> {
        let start = self.span();
        let root = self.element()?;
        let span = self.since(start);
        Ok(Constraint {
            spec: ConstraintSpec::Subtype(Rc::new(Set { root: Some(root), extensible: false, additions: None, span })),
            span,
        })
    }

    /// `root, ..., additions`, up to `close`, which is not consumed.
    pub(crate) fn set(&mut self, close: Tok) -> Outcome<Set> {
        let start = self.span();
        let mut set = Set { root: None, extensible: false, additions: None, span: start };
        if self.peek() == Tok::Ellipsis {
            // `{...}` and `{..., a}`: object sets, and sets of a kind not known yet.
            self.advance();
            set.extensible = true;
        } else {
            set.root = Some(self.unions(close)?);
            if self.peek() == Tok::Comma && self.peek_at(1) == Tok::Ellipsis {
                self.advance();
                self.advance();
                set.extensible = true;
            }
        }
        if set.extensible && self.accept(Tok::Comma) {
            set.additions = Some(self.unions(close)?);
        }
        set.span = self.since(start);
        Ok(set)
    }

    fn unions(&mut self, close: Tok) -> Outcome<Element> {
        self.nested(|p| {
            let start = p.span();
            if p.accept_word("ALL") {
                p.expect_word("EXCEPT")?;
                let except = p.element()?;
                return Ok(Element { kind: ElementKind::AllExcept(Rc::new(except)), span: p.since(start) });
            }
            let mut parts = vec![p.intersections()?];
            while p.accept(Tok::Bar) || p.accept_word("UNION") {
                parts.push(p.intersections()?);
            }
            if p.peek() != close && p.peek() != Tok::Comma && p.peek() != Tok::Bang {
                let wanted = if close == Tok::RParen { "`)`, `,` or `|`" } else { "`}`, `,` or `|`" };
                return Err(p.unexpected(wanted));
            }
            Ok(combine(parts, ElementKind::Union, p.since(start)))
        })
    }

    fn intersections(&mut self) -> Outcome<Element> {
        let start = self.span();
        let mut parts = vec![self.exclusions()?];
        while self.accept(Tok::Caret) || self.accept_word("INTERSECTION") {
            parts.push(self.exclusions()?);
        }
        Ok(combine(parts, ElementKind::Intersection, self.since(start)))
    }

    fn exclusions(&mut self) -> Outcome<Element> {
        let start = self.span();
        let element = self.element()?;
        if !self.accept_word("EXCEPT") {
            return Ok(element);
        }
        let except = self.element()?;
        Ok(Element { kind: ElementKind::Except(Rc::new(element), Rc::new(except)), span: self.since(start) })
    }

    fn element(&mut self) -> Outcome<Element> {
        self.nested(|p| {
            let start = p.span();
            let kind = p.element_kind()?;
            Ok(Element { kind, span: p.since(start) })
        })
    }

    fn element_kind(&mut self) -> Outcome<ElementKind> {
        if self.accept(Tok::LParen) {
            let set = self.set(Tok::RParen)?;
            self.expect(Tok::RParen, "`)`")?;
            return Ok(ElementKind::Group(Rc::new(set)));
        }
        if self.peek() == Tok::Upper {
            match self.text() {
                "SIZE" => {
                    self.advance();
                    return Ok(ElementKind::Size(Rc::new(self.constraint()?)));
                }
                "FROM" => {
                    self.advance();
                    return Ok(ElementKind::From(Rc::new(self.constraint()?)));
                }
                "PATTERN" => {
                    self.advance();
                    return Ok(ElementKind::Pattern(self.value()?));
                }
                "SETTINGS" => {
                    self.advance();
                    return Ok(ElementKind::Settings(self.value()?));
                }
                "WITH" => return self.inner(),
                "INCLUDES" => {
                    self.advance();
                    return Ok(ElementKind::Type(Rc::new(self.ty_in_set()?)));
                }
                "MIN" => {
                    self.advance();
                    return self.range(Bound::Min);
                }
                "MAX" => {
                    let span = self.span();
                    return Err(self.fail("asn1.syntax", span, "MAX is an upper end point only"));
                }
                _ => {}
            }
            if !self.capital_begins_value() {
                return self.type_or_open_value();
            }
        }
        let value = self.value()?;
        if matches!(self.peek(), Tok::Less | Tok::Range) {
            return self.range(Bound::Value(value));
        }
        Ok(match value.kind {
            // With a capital on the way it is a set, or a type (X.681 §15).
            ValueKind::Field(field) if field.is_capital() => {
                let (prefixes, constraints, span) = (Vec::new(), Vec::new(), value.span);
                ElementKind::Type(Rc::new(Type { prefixes, kind: TypeKind::Field(field), constraints, span }))
            }
            _ => ElementKind::Value(value),
        })
    }

    /// Whether a capital letter begins a value here, not a type. (NULL is a type, whose only value
    /// it means.)
    fn capital_begins_value(&self) -> bool {
        match self.text() {
            "TRUE" | "FALSE" | "PLUS-INFINITY" | "MINUS-INFINITY" | "NOT-A-NUMBER" | "CONTAINING" => true,
            _ => self.is_type_name(0) && self.peek_at(1) == Tok::Dot && self.peek_at(2) == Tok::Lower,
        }
    }

    fn type_or_open_value(&mut self) -> Outcome<ElementKind> {
        let start = self.span();
        let ty = Rc::new(self.ty_in_set()?);
        if self.accept(Tok::Colon) {
            let value = self.value()?;
            return Ok(ElementKind::Value(crate::ast::Value {
                kind: ValueKind::Open(ty, Rc::new(value)),
                span: self.since(start),
            }));
        }
        Ok(ElementKind::Type(ty))
    }

    fn ty_in_set(&mut self) -> Outcome<crate::ast::Type> {
        self.ty()
    }

    /// From the `..` (or `<..`) on.
    fn range(&mut self, lower: Bound) -> Outcome<ElementKind> {
        let lower = End { bound: lower, open: self.accept(Tok::Less) };
        self.expect(Tok::Range, "`..`")?;
        let open = self.accept(Tok::Less);
        let bound = if self.accept_word("MAX") {
            Bound::Max
        } else if self.accept_word("MIN") {
            Bound::Min
        } else {
            Bound::Value(self.value()?)
        };
        Ok(ElementKind::Range { lower, upper: End { bound, open } })
    }

    /// `WITH COMPONENT (...)` and `WITH COMPONENTS { ... }`
    fn inner(&mut self) -> Outcome<ElementKind> {
        self.advance();
        if self.accept_word("COMPONENT") {
            return Ok(ElementKind::Inner(Rc::new(self.constraint()?)));
        }
        self.expect_word("COMPONENTS")?;
        self.expect(Tok::LBrace, "`{` after WITH COMPONENTS")?;
        let mut inners = Inners { partial: false, items: Vec::new() };
        if self.accept(Tok::Ellipsis) {
            inners.partial = true;
            if self.accept(Tok::RBrace) {
                return Ok(ElementKind::Inners(Rc::new(inners)));
            }
            self.expect(Tok::Comma, "`,` after `...`")?;
        }
        while self.peek() != Tok::RBrace || inners.items.is_empty() && inners.partial {
            let name = self.lower("the name of a component")?;
            let constraint = if self.peek() == Tok::LParen { Some(self.constraint()?) } else { None };
            let presence = if self.accept_word("PRESENT") {
                Some(InnerPresence::Present)
            } else if self.accept_word("ABSENT") {
                Some(InnerPresence::Absent)
            } else if self.accept_word("OPTIONAL") {
                Some(InnerPresence::Optional)
            } else {
                None
            };
            inners.items.push(InnerItem { name, constraint, presence });
            if !self.accept(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace, "`,` or `}`")?;
        Ok(ElementKind::Inners(Rc::new(inners)))
    }
}

fn combine(mut parts: Vec<Element>, kind: fn(Vec<Element>) -> ElementKind, span: roadwire_source::Span) -> Element {
    if parts.len() == 1 {
        return parts.swap_remove(0);
    }
    Element { kind: kind(parts), span }
}
