//! Lexical items as a tree of brackets.

use roadwire_source::SourceText;

use crate::lexer::{Tok, Token};

/// An item, or brackets with their content.
pub(super) enum Node<'a> {
    Word(Tok, &'a str),
    Brackets { open: &'static str, close: &'static str, inside: Vec<Node<'a>> },
}

impl<'a> Node<'a> {
    pub(super) fn tok(&self) -> Option<Tok> {
        match self {
            Node::Word(tok, _) => Some(*tok),
            Node::Brackets { .. } => None,
        }
    }

    pub(super) fn word(&self) -> &'a str {
        match self {
            Node::Word(_, text) => text,
            Node::Brackets { .. } => "",
        }
    }

    /// The opening bracket.
    pub(super) fn open(&self) -> &'static str {
        match self {
            Node::Word(..) => "",
            Node::Brackets { open, .. } => open,
        }
    }
}

/// The tree of items whose brackets match, as those of everything that was parsed do.
pub(super) fn tree<'a>(source: &'a SourceText, tokens: &'a [Token]) -> Vec<Node<'a>> {
    Builder { source, tokens, at: 0 }.nodes(false)
}

struct Builder<'a> {
    source: &'a SourceText,
    tokens: &'a [Token],
    at: usize,
}

impl<'a> Builder<'a> {
    /// Up to a closing bracket, which is taken.
    fn nodes(&mut self, is_syntax: bool) -> Vec<Node<'a>> {
        let mut nodes: Vec<Node<'a>> = Vec::new();
        while let Some(token) = self.tokens.get(self.at) {
            let is_double = self.is_double(token.tok);
            self.at += 1;
            let (open, close) = match token.tok {
                Tok::RBrace | Tok::RParen | Tok::RBracket => break,
                Tok::LBrace => ("{", "}"),
                Tok::LParen => ("(", ")"),
                Tok::LBracket if is_double => {
                    self.at += 1;
                    ("[[", "]]")
                }
                Tok::LBracket => ("[", "]"),
                tok => {
                    nodes.push(Node::Word(tok, self.source.slice(token.span)));
                    continue;
                }
            };
            let instruction = if open == "[" && !is_syntax { self.instruction() } else { None };
            let inside = match instruction {
                Some(text) => vec![text],
                None => self.nodes(open == "{" && nodes.last().is_some_and(|node| node.word() == "SYNTAX")),
            };
            self.at += usize::from(open == "[[");
            nodes.push(Node::Brackets { open, close, inside });
        }
        nodes
    }

    /// Whether two of these brackets stand without a space between.
    fn is_double(&self, tok: Tok) -> bool {
        match self.tokens.get(self.at..self.at + 2) {
            Some([one, two]) => one.tok == tok && two.tok == tok && one.span.end == two.span.start,
            _ => false,
        }
    }

    /// An encoding instruction as it is written, after its bracket: its text is passed to encoding
    /// rules. Takes the closing bracket.
    fn instruction(&mut self) -> Option<Node<'a>> {
        let first = self.tokens.get(self.at)?;
        let word = self.source.slice(first.span);
        if first.tok != Tok::Upper || matches!(word, "UNIVERSAL" | "APPLICATION" | "PRIVATE" | "TAG") {
            return None;
        }
        let mut depth = 0usize;
        let rest = self.tokens.get(self.at..)?;
        let length = rest.iter().position(|token| {
            let ends = token.tok == Tok::RBracket && depth == 0;
            match token.tok {
                Tok::LBracket => depth += 1,
                Tok::RBracket => depth = depth.saturating_sub(1),
                _ => {}
            }
            ends
        })?;
        let last = rest.get(length.checked_sub(1)?)?;
        self.at += length + 1;
        Some(Node::Word(Tok::Upper, self.source.slice(first.span.to(last.span))))
    }
}
