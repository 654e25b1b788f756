//! Types (X.680 clauses 17 to 48).

use std::rc::Rc;

use super::Parser;
use crate::ast::{
    Addition, Component, Components, ElementType, EnumItem, Enumeration, FieldReference, Ident, NamedNumber, Prefix,
    Presence, Reference, Tag, TagClass, TagMode, Type, TypeKind,
};
use crate::lexer::Tok;
use roadwire_source::Outcome;

impl Parser<'_> {
    /// A type with its prefixes and constraints.
    pub(crate) fn ty(&mut self) -> Outcome<Type> {
        self.nested(|p| {
            let start = p.span();
            let mut prefixes = Vec::new();
            while p.peek() == Tok::LBracket {
                prefixes.push(p.prefix()?);
            }
            let mut constraints = Vec::new();
            let kind = p.type_kind(&mut constraints)?;
            while p.peek() == Tok::LParen {
                constraints.push(p.constraint()?);
            }
            Ok(Type { prefixes, kind, constraints, span: p.since(start) })
        })
    }

    /// `[APPLICATION 3] IMPLICIT`, or an encoding instruction (X.680 §31).
    fn prefix(&mut self) -> Outcome<Prefix> {
        let start = self.expect(Tok::LBracket, "`[`")?;
        let named = self.peek() == Tok::Upper && self.peek_at(1) == Tok::Colon;
        let reference: Option<Rc<str>> = if named {
            let reference = self.ident_here();
            self.advance();
            (&*reference.name != "TAG").then_some(reference.name)
        } else {
            self.instructions.clone()
        };
        if let Some(reference) = reference {
            return self.instruction(reference);
        }
        let class = match self.text() {
            "UNIVERSAL" => TagClass::Universal,
            "APPLICATION" => TagClass::Application,
            "PRIVATE" => TagClass::Private,
            _ => TagClass::Context,
        };
        if class != TagClass::Context {
            self.advance();
        }
        let number = self.value()?;
        self.expect(Tok::RBracket, "`]` after a tag")?;
        let span = self.since(start);
        let mode = if self.accept_word("IMPLICIT") {
            Some(TagMode::Implicit)
        } else if self.accept_word("EXPLICIT") {
            Some(TagMode::Explicit)
        } else {
            None
        };
        Ok(Prefix::Tag(Tag { class, number, mode, span }))
    }

    fn instruction(&mut self, reference: Rc<str>) -> Outcome<Prefix> {
        let first = self.span();
        let mut depth = 0u32;
        loop {
            match self.peek() {
                Tok::LBracket => depth += 1,
                Tok::RBracket if depth == 0 => break,
                Tok::RBracket => depth -= 1,
                Tok::End | Tok::Assign => {
                    return Err(self.unexpected("`]` after an encoding instruction"));
                }
                _ => {}
            }
            self.advance();
        }
        let text = Rc::from(self.source.slice(self.since(first)));
        self.advance();
        Ok(Prefix::Instruction { reference, text })
    }

    fn type_kind(&mut self, constraints: &mut Vec<crate::ast::Constraint>) -> Outcome<TypeKind> {
        match self.peek() {
            Tok::Upper => {}
            Tok::Lower if self.peek_at(1) == Tok::Less => {
                let name = self.ident_here();
                self.advance();
                return Ok(TypeKind::Selection(name, Rc::new(self.ty()?)));
            }
            // TypeFromObject (X.681 §15) of an object.
            Tok::Lower if self.peek_at(1) == Tok::Dot => {
                let reference = self.reference()?;
                return self.field_reference(reference).map(TypeKind::Field);
            }
            _ => return Err(self.unexpected("a type")),
        }
        let simple = match self.text() {
            "BOOLEAN" => Some(TypeKind::Boolean),
            "NULL" => Some(TypeKind::Null),
            "REAL" => Some(TypeKind::Real),
            "RELATIVE-OID" => Some(TypeKind::RelativeOid),
            "OID-IRI" => Some(TypeKind::Iri),
            "RELATIVE-OID-IRI" => Some(TypeKind::RelativeIri),
            "EXTERNAL" => Some(TypeKind::External),
            "ObjectDescriptor" => Some(TypeKind::ObjectDescriptor),
            _ => chars_or_time(self.text()),
        };
        if let Some(kind) = simple {
            self.advance();
            return Ok(kind);
        }
        match self.text() {
            "INTEGER" => {
                self.advance();
                Ok(TypeKind::Integer(self.named_numbers()?))
            }
            "BIT" => {
                self.advance();
                self.expect_word("STRING")?;
                Ok(TypeKind::BitString(self.named_numbers()?))
            }
            "OCTET" => self.two_words("STRING", TypeKind::OctetString),
            "OBJECT" => self.two_words("IDENTIFIER", TypeKind::ObjectIdentifier),
            "CHARACTER" => self.two_words("STRING", TypeKind::CharacterString),
            "EMBEDDED" => self.two_words("PDV", TypeKind::EmbeddedPdv),
            "INSTANCE" => {
                self.advance();
                self.expect_word("OF")?;
                Ok(TypeKind::InstanceOf(self.reference()?))
            }
            "ENUMERATED" => self.enumerated(),
            "SEQUENCE" | "SET" => self.sequence(constraints),
            "CHOICE" => {
                self.advance();
                let body = self.components()?;
                Ok(TypeKind::Choice(Rc::new(body)))
            }
            "ANY" => {
                self.advance();
                let mut defined_by = None;
                if self.accept_word("DEFINED") {
                    self.expect_word("BY")?;
                    defined_by = Some(self.lower("the name of a component")?);
                }
                Ok(TypeKind::Any { defined_by })
            }
            _ => {
                let reference = self.reference()?;
                if self.peek() == Tok::Dot {
                    return self.field_reference(reference).map(TypeKind::Field);
                }
                Ok(TypeKind::Reference(reference))
            }
        }
    }

    fn two_words(&mut self, second: &str, kind: TypeKind) -> Outcome<TypeKind> {
        self.advance();
        self.expect_word(second)?;
        Ok(kind)
    }

    /// `Name`, `name`, `Module.Name` or `Module.name`, with actual parameters if there is a `{`.
    pub(crate) fn reference(&mut self) -> Outcome<Reference> {
        let start = self.span();
        let first = if self.peek() == Tok::Lower { self.ident_here() } else { self.upper("a type")? };
        let qualified = first.name.starts_with(|c: char| c.is_ascii_uppercase())
            && self.peek() == Tok::Dot
            && matches!(self.peek_at(1), Tok::Upper | Tok::Lower);
        let (module, name) = if qualified {
            self.advance();
            let name = if self.peek() == Tok::Lower { self.ident_here() } else { self.upper("a type")? };
            (Some(first), name)
        } else {
            (None, first)
        };
        let mut args = None;
        if self.peek() == Tok::LBrace {
            args = Some(Rc::new(self.actual_parameters()?));
        }
        Ok(Reference { module, name, args, span: self.since(start) })
    }

    /// `{ a, B, {c} }` as ranges of items, split at the commas (X.683 §9.5).
    fn actual_parameters(&mut self) -> Outcome<Vec<crate::ast::Tokens>> {
        self.expect(Tok::LBrace, "`{`")?;
        let mut args = Vec::new();
        loop {
            args.push(self.until_comma()?);
            if !self.accept(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace, "`}`")?;
        Ok(args)
    }

    /// `.&field.&Field` after the reference that it is a field of.
    pub(crate) fn field_reference(&mut self, of: Reference) -> Outcome<FieldReference> {
        let mut path = Vec::new();
        while self.accept(Tok::Dot) {
            path.push(self.field_name()?);
        }
        if path.is_empty() {
            return Err(self.unexpected("`.` and the name of a field"));
        }
        Ok(FieldReference { of, path })
    }

    /// `{ name(number), ... }` of INTEGER or BIT STRING, if present.
    fn named_numbers(&mut self) -> Outcome<Vec<NamedNumber>> {
        let mut list = Vec::new();
        if !self.accept(Tok::LBrace) {
            return Ok(list);
        }
        loop {
            let name = self.lower("a name for a number")?;
            self.expect(Tok::LParen, "`(` and the number")?;
            let value = self.value()?;
            self.expect(Tok::RParen, "`)`")?;
            list.push(NamedNumber { name, value });
            if !self.accept(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace, "`,` or `}`")?;
        Ok(list)
    }

    fn enumerated(&mut self) -> Outcome<TypeKind> {
        self.advance();
        self.expect(Tok::LBrace, "`{` of ENUMERATED")?;
        let mut body = Enumeration { root: Vec::new(), extensible: false, additions: Vec::new() };
        loop {
            if self.peek() == Tok::Ellipsis {
                let span = self.advance().span;
                if body.extensible {
                    return Err(self.fail("asn1.syntax", span, "ENUMERATED has one extension marker only"));
                }
                body.extensible = true;
                self.exception()?;
            } else {
                let name = self.lower("an enumeration item")?;
                let mut value = None;
                if self.accept(Tok::LParen) {
                    value = Some(self.value()?);
                    self.expect(Tok::RParen, "`)`")?;
                }
                let list = if body.extensible { &mut body.additions } else { &mut body.root };
                list.push(EnumItem { name, value });
            }
            if !self.accept(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace, "`,` or `}`")?;
        Ok(TypeKind::Enumerated(Rc::new(body)))
    }

    /// SEQUENCE or SET, with components or OF.
    fn sequence(&mut self, constraints: &mut Vec<crate::ast::Constraint>) -> Outcome<TypeKind> {
        let set = self.is_word("SET");
        self.advance();
        if self.peek() == Tok::LBrace {
            let body = Rc::new(self.components()?);
            return Ok(if set { TypeKind::Set(body) } else { TypeKind::Sequence(body) });
        }
        if self.is_word("SIZE") {
            // `SEQUENCE SIZE(1..4) OF T` (X.680 §49.5).
            constraints.push(self.bare_size_constraint()?);
        } else if self.peek() == Tok::LParen {
            constraints.push(self.constraint()?);
        }
        if !self.accept_word("OF") {
            return Err(self.unexpected("`{` or `OF`"));
        }
        let name = if self.peek() == Tok::Lower && !matches!(self.peek_at(1), Tok::Less | Tok::Dot) {
            Some(self.ident_here())
        } else {
            None
        };
        let ty = Rc::new(self.ty()?);
        let element = Rc::new(ElementType { name, ty });
        Ok(if set { TypeKind::SetOf(element) } else { TypeKind::SequenceOf(element) })
    }

    /// `! 1`, `! Type : value` after an extension marker or in a constraint (X.680 §53).
    pub(super) fn exception(&mut self) -> Outcome<()> {
        if !self.accept(Tok::Bang) {
            return Ok(());
        }
        let typed = self.peek() == Tok::Upper && !(self.peek_at(1) == Tok::Dot && self.peek_at(2) == Tok::Lower);
        if typed {
            self.ty()?;
            self.expect(Tok::Colon, "`:` and the exception's value")?;
        }
        self.value()?;
        Ok(())
    }

    /// The braces of SEQUENCE, SET and CHOICE.
    fn components(&mut self) -> Outcome<Components> {
        self.expect(Tok::LBrace, "`{`")?;
        let mut body = Components::default();
        if self.accept(Tok::RBrace) {
            return Ok(body);
        }
        let mut marks = 0;
        loop {
            if self.peek() == Tok::Ellipsis {
                let span = self.advance().span;
                marks += 1;
                if marks > 2 {
                    return Err(self.fail("asn1.syntax", span, "there are at most two extension markers"));
                }
                body.extensible = true;
                self.exception()?;
            } else if self.is_double(Tok::LBracket) {
                let group = self.group(marks)?;
                body.additions.push(group);
            } else {
                let component = self.component()?;
                match marks {
                    0 => body.root1.push(component),
                    1 => body.additions.push(Addition::Single(component)),
                    _ => body.root2.push(component),
                }
            }
            if !self.accept(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace, "`,` or `}`")?;
        Ok(body)
    }

    /// `[[ 2: a A, b B ]]` (X.680 §25.1).
    fn group(&mut self, marks: u32) -> Outcome<Addition> {
        let start = self.advance().span;
        self.advance();
        if marks != 1 {
            return Err(self.fail(
                "asn1.syntax",
                start,
                "an extension addition group stands after the (first) extension marker",
            ));
        }
        let mut version = None;
        if self.peek() == Tok::Number && self.peek_at(1) == Tok::Colon {
            version = Some(self.ident_here());
            self.advance();
        }
        let mut members = Vec::new();
        loop {
            members.push(self.component()?);
            if !self.accept(Tok::Comma) {
                break;
            }
        }
        if !self.is_double(Tok::RBracket) {
            return Err(self.unexpected("`,` or `]]`"));
        }
        self.advance();
        self.advance();
        Ok(Addition::Group { version, members })
    }

    fn component(&mut self) -> Outcome<Component> {
        if self.is_word("COMPONENTS") {
            self.advance();
            self.expect_word("OF")?;
            return Ok(Component::Of(Rc::new(self.ty()?)));
        }
        let name: Ident = self.lower("the name of a component")?;
        let ty = Rc::new(self.ty()?);
        let presence = if self.accept_word("OPTIONAL") {
            Presence::Optional
        } else if self.accept_word("DEFAULT") {
            Presence::Default(Rc::new(self.value()?))
        } else {
            Presence::Mandatory
        };
        Ok(Component::Named { name, ty, presence })
    }
}

fn chars_or_time(word: &str) -> Option<TypeKind> {
    const CHARS: &[&str] = &[
        "UTF8String",
        "NumericString",
        "PrintableString",
        "IA5String",
        "VisibleString",
        "ISO646String",
        "TeletexString",
        "T61String",
        "VideotexString",
        "GraphicString",
        "GeneralString",
        "UniversalString",
        "BMPString",
    ];
    const TIMES: &[&str] = &["UTCTime", "GeneralizedTime", "TIME", "DATE", "TIME-OF-DAY", "DATE-TIME", "DURATION"];
    if let Some(name) = CHARS.iter().find(|n| **n == word) {
        return Some(TypeKind::Chars(name));
    }
    TIMES.iter().find(|n| **n == word).map(|n| TypeKind::Time(n))
}
