//! The language of `--where`: comparisons of fields, joined by `&&`, `||`, `!` and parentheses.
//!
//! ```text
//! any        = all *("||" all)
//! all        = one *("&&" one)
//! one        = "!" one / "(" any ")" / path [operator value]
//! operator   = "==" / "!=" / "<" / "<=" / ">" / ">="
//! path       = name *("." name / "[" number "]")
//! value      = number / "text" / 'text' / a word
//! ```

use std::cmp::Ordering;

use crate::{Error, Place};

/// Parentheses and `!` that contain each other.
const MOST_DEPTH: usize = 64;
/// The most octets of an expression, and so a limit of all that is made of it.
const MOST_OCTETS: usize = 16 << 10;

/// An expression over comparisons, which are numbered in their order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expression {
    Comparison(usize),
    Not(Box<Expression>),
    /// `&&`
    All(Vec<Expression>),
    /// `||`
    Any(Vec<Expression>),
}

/// A field, and the condition on it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Comparison {
    pub(crate) path: Vec<Segment>,
    pub(crate) test: Test,
    /// Where it begins, from 1.
    pub(crate) column: usize,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Segment {
    Name(String),
    /// An element of a list, from 0.
    Index(usize),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Test {
    /// The path alone: whether the member exists.
    Exists,
    Compare(Operator, Literal),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Operator {
    const ALL: [(&'static str, Operator); 6] = [
        ("==", Operator::Equal),
        ("!=", Operator::NotEqual),
        ("<=", Operator::LessOrEqual),
        (">=", Operator::GreaterOrEqual),
        ("<", Operator::Less),
        (">", Operator::Greater),
    ];

    /// Whether it asks for less or more.
    pub(crate) fn needs_order(self) -> bool {
        !matches!(self, Operator::Equal | Operator::NotEqual)
    }

    /// Whether values in this order satisfy it. Values without an order (NaN) are not equal.
    pub(crate) fn holds(self, order: Option<Ordering>) -> bool {
        match self {
            Operator::Equal => order.is_some_and(|order| order.is_eq()),
            Operator::NotEqual => order.is_none_or(|order| order.is_ne()),
            Operator::Less => order.is_some_and(|order| order.is_lt()),
            Operator::LessOrEqual => order.is_some_and(|order| order.is_le()),
            Operator::Greater => order.is_some_and(|order| order.is_gt()),
            Operator::GreaterOrEqual => order.is_some_and(|order| order.is_ge()),
        }
    }
}

/// A value to compare with, as written, and as a number if it is one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Literal {
    pub(crate) text: String,
    pub(crate) number: Option<Number>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Integer(i128),
    Real(f64),
}

impl Number {
    /// How a value stands to this number.
    pub(crate) fn order_of(self, value: i128) -> Option<Ordering> {
        match self {
            Number::Integer(number) => Some(value.cmp(&number)),
            Number::Real(number) => (value as f64).partial_cmp(&number),
        }
    }

    pub(crate) fn as_real(self) -> f64 {
        match self {
            Number::Integer(number) => number as f64,
            Number::Real(number) => number,
        }
    }
}

/// Reads an expression.
///
/// # Errors
/// `where.syntax`, `where.limit`, with the column.
pub(crate) fn parse(text: &str) -> Result<(Expression, Vec<Comparison>), Error> {
    if text.len() > MOST_OCTETS {
        return Err(Error::usage("where.limit", format!("the expression is longer than {MOST_OCTETS} octets")));
    }
    let mut parser = Parser { text, at: 0, depth: 0, comparisons: Vec::new() };
    let expression = parser.any()?;
    parser.skip_space();
    if parser.at < text.len() {
        return Err(parser.unexpected("`&&`, `||` or the end"));
    }
    Ok((expression, parser.comparisons))
}

struct Parser<'t> {
    text: &'t str,
    /// In octets.
    at: usize,
    depth: usize,
    comparisons: Vec<Comparison>,
}

impl<'t> Parser<'t> {
    fn any(&mut self) -> Result<Expression, Error> {
        self.joined("||", Parser::all, Expression::Any)
    }

    fn all(&mut self) -> Result<Expression, Error> {
        self.joined("&&", Parser::one, Expression::All)
    }

    fn joined(
        &mut self,
        operator: &str,
        part: fn(&mut Self) -> Result<Expression, Error>,
        join: fn(Vec<Expression>) -> Expression,
    ) -> Result<Expression, Error> {
        let first = part(self)?;
        let mut others = Vec::new();
        while self.take(operator) {
            others.push(part(self)?);
        }
        if others.is_empty() {
            return Ok(first);
        }
        others.insert(0, first);
        Ok(join(others))
    }

    fn one(&mut self) -> Result<Expression, Error> {
        if !self.rest().starts_with("!=") && self.take("!") {
            return Ok(Expression::Not(Box::new(self.nested(Parser::one)?)));
        }
        if self.take("(") {
            let inner = self.nested(Parser::any)?;
            return if self.take(")") { Ok(inner) } else { Err(self.unexpected("`)`")) };
        }
        self.comparison()
    }

    fn nested(&mut self, part: fn(&mut Self) -> Result<Expression, Error>) -> Result<Expression, Error> {
        if self.depth == MOST_DEPTH {
            let what = format!("`!` and parentheses nest deeper than {MOST_DEPTH}");
            return Err(fail("where.limit", what, self.column()));
        }
        self.depth += 1;
        let inner = part(self);
        self.depth -= 1;
        inner
    }

    fn comparison(&mut self) -> Result<Expression, Error> {
        self.skip_space();
        let column = self.column();
        let path = self.path()?;
        let operator = Operator::ALL.into_iter().find(|(written, _)| self.take(written));
        let test = match operator {
            Some((_, operator)) => Test::Compare(operator, self.value()?),
            None if self.take("=") => {
                return Err(fail("where.syntax", "`=` is not a comparison", self.column() - 1).advise("write `==`"));
            }
            None => Test::Exists,
        };
        self.comparisons.push(Comparison { path, test, column });
        Ok(Expression::Comparison(self.comparisons.len() - 1))
    }

    fn path(&mut self) -> Result<Vec<Segment>, Error> {
        let mut path = vec![self.name()?];
        loop {
            if self.rest().starts_with('.') {
                self.at += 1;
                path.push(self.name()?);
            } else if self.rest().starts_with('[') {
                self.at += 1;
                let digits = self.word(|c| c.is_ascii_digit());
                let index = digits.parse().map_err(|_| self.unexpected("the number of an element, from 0"))?;
                if !self.rest().starts_with(']') {
                    return Err(self.unexpected("`]`"));
                }
                self.at += 1;
                path.push(Segment::Index(index));
            } else {
                return Ok(path);
            }
        }
    }

    fn name(&mut self) -> Result<Segment, Error> {
        let starts = self.rest().starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !starts {
            return Err(self.unexpected("a field, such as `geonetworking.source.speed`"));
        }
        Ok(Segment::Name(self.word(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')).to_owned()))
    }

    fn value(&mut self) -> Result<Literal, Error> {
        self.skip_space();
        if let Some(quote @ ('"' | '\'')) = self.rest().chars().next() {
            return self.quoted(quote);
        }
        let text = self.word(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '.' | ':'));
        if text.is_empty() {
            return Err(self.unexpected("a number, a word or a text in quotes"));
        }
        let integer = text.parse().ok().map(Number::Integer);
        let is_digits = text.contains(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E'));
        let number = integer.or_else(|| text.parse().ok().filter(|_| is_digits).map(Number::Real));
        Ok(Literal { text: text.to_owned(), number })
    }

    /// A text in quotes, in which `\` takes the next character as it is.
    fn quoted(&mut self, quote: char) -> Result<Literal, Error> {
        let column = self.column();
        let mut text = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((at, character)) = characters.next() {
            match character {
                '\\' => text.extend(characters.next().map(|(_, next)| next)),
                _ if character == quote => {
                    self.at += at + 1;
                    return Ok(Literal { text, number: None });
                }
                _ => text.push(character),
            }
        }
        Err(fail("where.syntax", "the text has no end", column).advise(format!("close it with {quote}")))
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let word = &rest[..rest.find(|c| !belongs(c)).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    fn take(&mut self, symbol: &str) -> bool {
        self.skip_space();
        let is_there = self.rest().starts_with(symbol);
        self.at += if is_there { symbol.len() } else { 0 };
        is_there
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// From 1, in characters.
    fn column(&self) -> usize {
        self.text[..self.at].chars().count() + 1
    }

    fn unexpected(&self, wanted: &str) -> Error {
        let found = match self.rest().chars().next() {
            Some(found) => format!("`{found}`"),
            None => "the end".to_owned(),
        };
        fail("where.syntax", format!("expected {wanted}, found {found}"), self.column())
    }
}

/// A failure at a column of the expression.
pub(crate) fn fail(code: &'static str, what: impl Into<String>, column: usize) -> Error {
    let place = Place { file: Some("--where".into()), column: Some(column as u64), ..Place::default() };
    Error::usage(code, what).at(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        parse(text).expect_err(text).to_string()
    }

    /// The expression with its comparisons, in parentheses.
    fn told(text: &str) -> String {
        fn tell(one: &Expression, comparisons: &[Comparison]) -> String {
            let joined = |parts: &[Expression], by: &str| {
                let parts: Vec<String> = parts.iter().map(|part| tell(part, comparisons)).collect();
                format!("({})", parts.join(by))
            };
            match one {
                Expression::Comparison(at) => format!("{}", comparisons[*at].column),
                Expression::Not(inner) => format!("!{}", tell(inner, comparisons)),
                Expression::All(parts) => joined(parts, "&"),
                Expression::Any(parts) => joined(parts, "|"),
            }
        }
        let (expression, comparisons) = parse(text).unwrap_or_else(|failure| panic!("{text}: {failure}"));
        tell(&expression, &comparisons)
    }

    #[test]
    fn and_binds_closer_than_or_and_not_closest() {
        assert_eq!(told("a || b && !c"), "(1|(6&!12))");
        assert_eq!(told("(a||b)&&c"), "((2|5)&9)");
        assert_eq!(told("!(a && b) || !!c"), "(!(3&8)|!!16)");
    }

    #[test]
    fn values_are_numbers_words_or_texts() {
        let value = |text: &str| match &parse(text).expect(text).1[0].test {
            Test::Compare(_, literal) => literal.clone(),
            Test::Exists => panic!("{text}"),
        };
        assert_eq!(value("a == -12").number, Some(Number::Integer(-12)));
        assert_eq!(value("a<1.5").number, Some(Number::Real(1.5)));
        // Words that a float parser takes, an address, a time, and digits in quotes.
        for text in ["inf", "nan", "1400a1b2c3d4e5f6", "2019-06-11T08:14:02", "ts103097-1.3.1", "\"12\""] {
            assert_eq!(value(&format!("a == {text}")).number, None, "{text}");
        }
        assert_eq!(value("a == 'it\\'s \"x\"'").text, "it's \"x\"");
        assert_eq!(value("a == größe").text, "größe");
    }

    #[test]
    fn paths_have_names_and_indexes() {
        let name = |name: &str| Segment::Name(name.into());
        let (_, comparisons) = parse("message.value.a-b[3].c").expect("a path");
        assert_eq!(comparisons[0].path, [name("message"), name("value"), name("a-b"), Segment::Index(3), name("c")]);
        assert_eq!(comparisons[0].test, Test::Exists);
    }

    #[test]
    fn what_is_wrong_has_its_column() {
        for (text, line) in [
            ("", "--where:1: expected a field, such as `geonetworking.source.speed`, found the end"),
            ("a ==", "--where:5: expected a number, a word or a text in quotes, found the end"),
            ("a = 1", "--where:3: `=` is not a comparison"),
            ("a == 1 b", "--where:8: expected `&&`, `||` or the end, found `b`"),
            ("(a == 1", "--where:8: expected `)`, found the end"),
            ("ä == 1", "--where:1: expected a field, such as `geonetworking.source.speed`, found `ä`"),
            ("a[x]", "--where:3: expected the number of an element, from 0, found `x`"),
            ("a[99999999999999999999]", "--where:23: expected the number of an element, from 0, found `]`"),
            ("a == 'x", "--where:6: the text has no end"),
            ("a && || b", "--where:6: expected a field, such as `geonetworking.source.speed`, found `|`"),
        ] {
            assert_eq!(refused(text), line, "{text}");
        }
    }

    #[test]
    fn depth_and_length_are_limited() {
        assert!(refused(&"(".repeat(10_000)).contains("nest deeper than 64"));
        assert!(refused(&"!".repeat(10_000)).contains("nest deeper than 64"));
        assert!(refused(&"a".repeat(MOST_OCTETS + 1)).contains("longer than"));
        assert_eq!(parse(&format!("a{}", "||a".repeat(5000))).expect("long, and flat").1.len(), 5001);
    }

    /// Random tokens and characters: an expression or an error, and no panic.
    #[test]
    fn no_text_makes_it_panic() {
        const PARTS: [&str; 24] = [
            "a",
            "b.c",
            "[1]",
            "==",
            "!=",
            "<",
            "<=",
            "&&",
            "||",
            "!",
            "(",
            ")",
            "\"",
            "'",
            "\\",
            " ",
            "12",
            "-",
            "é",
            "\u{1f600}",
            "=",
            "&",
            ".",
            "[",
        ];
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        let mut taken = 0;
        for _ in 0..20_000 {
            let text: String = (0..next(12)).map(|_| PARTS[next(PARTS.len())]).collect();
            taken += usize::from(parse(&text).is_ok());
        }
        assert!(taken > 100, "{taken}");
    }
}
