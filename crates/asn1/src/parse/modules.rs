//! Modules, exports, imports and assignments (X.680 clauses 13 to 16, X.683 clause 8).

use std::rc::Rc;

use super::{Parser, is_reserved};
use crate::ast::{Assignment, Body, EncodingControl, Ident, Import, Module, Param, Tagging, Tokens, Type};
use crate::lexer::Tok;
use roadwire_source::Outcome;

impl Parser<'_> {
    /// All modules of the file.
    pub(super) fn modules(&mut self) -> Vec<Module> {
        let mut modules = Vec::new();
        while !self.at_end() {
            self.instructions = None;
            self.depth = 0;
            match self.module() {
                Ok(module) => modules.push(module),
                Err(_) => self.skip_to_module(),
            }
        }
        modules
    }

    /// After a broken head: to the name before the next `DEFINITIONS`.
    fn skip_to_module(&mut self) {
        while !self.at_end() {
            if self.is_word("END") {
                self.advance();
                if self.is_type_name(0) || self.at_end() {
                    return;
                }
                continue;
            }
            self.advance();
        }
    }

    fn module(&mut self) -> Outcome<Module> {
        let name = self.upper("the name of a module")?;
        let oid = if self.peek() == Tok::LBrace {
            let oid = self.braced()?;
            // A definitive OID may be followed by an IRI (X.680 §13.1).
            self.accept(Tok::CString);
            Some(oid)
        } else {
            None
        };
        self.expect_word("DEFINITIONS")?;
        if self.is_type_name(0) && self.is_word_at(1, "INSTRUCTIONS") {
            let reference = self.ident_here();
            self.advance();
            // `TAG INSTRUCTIONS` is the default.
            self.instructions = (&*reference.name != "TAG").then_some(reference.name);
        }
        let mut tagging = Tagging::Explicit;
        for (word, kind) in
            [("EXPLICIT", Tagging::Explicit), ("IMPLICIT", Tagging::Implicit), ("AUTOMATIC", Tagging::Automatic)]
        {
            if self.accept_word(word) {
                self.expect_word("TAGS")?;
                tagging = kind;
                break;
            }
        }
        let extensibility_implied = self.accept_word("EXTENSIBILITY");
        if extensibility_implied {
            self.expect_word("IMPLIED")?;
        }
        self.expect(Tok::Assign, "`::=`")?;
        self.expect_word("BEGIN")?;
        let mut module = Module {
            name,
            oid,
            encoding_reference: self.instructions.clone(),
            tagging,
            extensibility_implied,
            exports: None,
            imports: Vec::new(),
            assignments: Vec::new(),
            encoding_control: Vec::new(),
            broken: Vec::new(),
            imports_broken: false,
        };
        self.module_body(&mut module);
        Ok(module)
    }

    fn module_body(&mut self, module: &mut Module) {
        let start = self.at;
        if self.exports_and_imports(module).is_err() {
            module.imports_broken = true;
            self.skip_to_assignment(start);
        }
        loop {
            if self.accept_word("END") {
                return;
            }
            if self.at_end() {
                self.unexpected("`END`");
                return;
            }
            if self.is_word("ENCODING-CONTROL") {
                if self.encoding_control(module).is_err() {
                    let at = self.at + 1;
                    self.skip_to_assignment(at);
                }
                continue;
            }
            let start = self.at;
            self.assignment_from = self.span().start;
            let assignment = if self.is_later_type() && self.peek_at(1) == Tok::Assign {
                self.later_definition().map(|()| None)
            } else {
                self.assignment().map(Some)
            };
            match assignment {
                Ok(assignment) => module.assignments.extend(assignment.map(Rc::new)),
                Err(_) => {
                    self.depth = 0;
                    if let Some(name) = self.tokens.get(start) {
                        module.broken.push(Rc::from(self.source.slice(name.span)));
                    }
                    self.recover(start);
                }
            }
        }
    }

    fn exports_and_imports(&mut self, module: &mut Module) -> Outcome<()> {
        if self.accept_word("EXPORTS") {
            if !self.accept_word("ALL") {
                let mut symbols = Vec::new();
                while self.peek() != Tok::Semicolon {
                    symbols.extend(self.symbol()?);
                    if !self.accept(Tok::Comma) {
                        break;
                    }
                }
                module.exports = Some(symbols);
            }
            self.expect(Tok::Semicolon, "`,` or `;` after the exports")?;
        }
        if self.accept_word("IMPORTS") {
            while !self.accept(Tok::Semicolon) {
                let import = self.import()?;
                module.imports.push(import);
            }
        }
        Ok(())
    }

    /// Whether this is a type of X.680 that X.208 does not have: modules of that time define it.
    fn is_later_type(&self) -> bool {
        self.peek() == Tok::Upper && matches!(self.text(), "UTF8String" | "BMPString" | "UniversalString")
    }

    fn warn_of_later_type(&mut self) {
        let message = format!("X.680 has `{}` of its own (§41.1): its definition in a module is not used", self.text());
        let span = self.span();
        self.sink.warning("asn1.x208.string", span, message);
    }

    /// `UTF8String ::= [UNIVERSAL 12] IMPLICIT OCTET STRING`
    fn later_definition(&mut self) -> Outcome<()> {
        self.warn_of_later_type();
        self.advance();
        self.advance();
        self.ty()?;
        Ok(())
    }

    /// A symbol of EXPORTS or IMPORTS, with the `{}` of a parameterised one; `None` for a type that
    /// needs neither.
    fn symbol(&mut self) -> Outcome<Option<Ident>> {
        if self.is_later_type() {
            self.warn_of_later_type();
            self.advance();
            return Ok(None);
        }
        let builtin_class = matches!(self.text(), "TYPE-IDENTIFIER" | "ABSTRACT-SYNTAX");
        let symbol = if self.peek() == Tok::Lower || builtin_class {
            self.ident_here()
        } else {
            self.upper("a symbol (or `;`)")?
        };
        if self.accept(Tok::LBrace) {
            self.expect(Tok::RBrace, "`}`")?;
        }
        Ok(Some(symbol))
    }

    fn import(&mut self) -> Outcome<Import> {
        let mut symbols = Vec::from_iter(self.symbol()?);
        while self.accept(Tok::Comma) {
            symbols.extend(self.symbol()?);
        }
        if !self.accept_word("FROM") {
            return Err(self.unexpected("`,` or `FROM`"));
        }
        let from = self.upper("the name of a module")?;
        let oid = if self.peek() == Tok::LBrace {
            Some(self.braced()?)
        } else if self.peek() == Tok::Lower && matches!(self.peek_at(1), Tok::Semicolon | Tok::Lower | Tok::Upper) {
            // A value reference as the OID; a symbol would be followed by `,`, `FROM` or `{}`.
            if self.peek_at(1) == Tok::Upper && self.is_word_at(1, "FROM") {
                None
            } else {
                self.advance();
                None
            }
        } else {
            None
        };
        if self.is_word("WITH") && matches!(self.text_at(1), "SUCCESSORS" | "DESCENDANTS") {
            self.advance();
            self.advance();
            return Ok(Import { symbols, from, oid, any_version: true });
        }
        Ok(Import { symbols, from, oid, any_version: false })
    }

    fn encoding_control(&mut self, module: &mut Module) -> Outcome<()> {
        self.advance();
        if self.peek() != Tok::Upper {
            return Err(self.unexpected("an encoding reference such as `XER`"));
        }
        let reference = self.ident_here();
        let start = self.at;
        let first = self.span();
        while !self.at_end() && !self.is_word("END") && !self.is_word("ENCODING-CONTROL") {
            self.advance();
        }
        let text = if self.at == start {
            Tokens { file: self.file, start: start as u32, end: start as u32, span: reference.span }
        } else {
            self.tokens_from(start, first)
        };
        module.encoding_control.push(EncodingControl { reference, text });
        Ok(())
    }

    fn assignment(&mut self) -> Outcome<Assignment> {
        match self.peek() {
            Tok::Lower => self.value_assignment(),
            Tok::Upper if !is_reserved(self.text()) => self.upper_assignment(),
            _ => Err(self.unexpected("an assignment or `END`")),
        }
    }

    fn value_assignment(&mut self) -> Outcome<Assignment> {
        let start = self.at;
        let name = self.ident_here();
        let params = self.params()?;
        let governor = Rc::new(self.ty()?);
        self.expect(Tok::Assign, "`::=`")?;
        let value = Rc::new(self.value()?);
        let tokens = self.tokens_from(start, name.span);
        Ok(Assignment { name, params, body: Body::Value { governor, value }, tokens })
    }

    fn upper_assignment(&mut self) -> Outcome<Assignment> {
        let start = self.at;
        let name = self.ident_here();
        if self.is_word("MACRO") {
            let span = name.span;
            while !self.at_end() && !self.accept_word("END") {
                self.advance();
            }
            return Err(self.fail(
                "asn1.unsupported.macro",
                span,
                "macro notation (X.208) was withdrawn from ASN.1 and is not read",
            ));
        }
        let params = self.params()?;
        let body = if self.accept(Tok::Assign) {
            if self.is_word("CLASS") { Body::Class(Rc::new(self.class()?)) } else { Body::Type(Rc::new(self.ty()?)) }
        } else {
            if !matches!(self.peek(), Tok::Upper) {
                return Err(self.unexpected("`::=`"));
            }
            let governor = Rc::new(self.ty()?);
            self.expect(Tok::Assign, "`::=`")?;
            self.expect(Tok::LBrace, "`{` of a value set or an object set")?;
            let set = Rc::new(self.set(Tok::RBrace)?);
            self.expect(Tok::RBrace, "`}`")?;
            Body::Set { governor, set }
        };
        let tokens = self.tokens_from(start, name.span);
        Ok(Assignment { name, params, body, tokens })
    }

    /// `{ Governor : dummy, Dummy, ... }` before `::=` (X.683 §8.2).
    fn params(&mut self) -> Outcome<Option<Vec<Param>>> {
        if !self.accept(Tok::LBrace) {
            return Ok(None);
        }
        let mut params = Vec::new();
        loop {
            params.push(self.param()?);
            if !self.accept(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace, "`,` or `}` after a parameter")?;
        Ok(Some(params))
    }

    fn param(&mut self) -> Outcome<Param> {
        let alone = matches!(self.peek_at(1), Tok::Comma | Tok::RBrace);
        let governor: Option<Rc<Type>> = if alone {
            None
        } else {
            let governor = self.ty()?;
            self.expect(Tok::Colon, "`:` after the governor of a parameter")?;
            Some(Rc::new(governor))
        };
        let name = match self.peek() {
            Tok::Lower => self.ident_here(),
            _ => self.upper("the name of a parameter")?,
        };
        Ok(Param { governor, name })
    }
}
