//! Regular expressions of PATTERN (X.680 §51.9 and Annex A), compiled to steps.

use roadwire_wire::rt::{Pattern, PatternStep};

/// A compiled expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// As written.
    pub text: String,
    /// Its steps.
    pub steps: Vec<PatternStep>,
    /// Ranges of code points that they refer to.
    pub ranges: Vec<(u32, u32)>,
}

/// How deep groups may be nested.
const MAX_DEPTH: usize = 60;

impl Expression {
    /// Compiles an expression.
    ///
    /// # Errors
    /// Why it is not valid, or not supported.
    pub fn compile(text: &str) -> Result<Self, String> {
        let characters: Vec<char> = text.chars().collect();
        let mut compiler = Compiler { text: &characters, at: 0, depth: 0, steps: Vec::new(), ranges: Vec::new() };
        compiler.alternatives()?;
        if compiler.peek().is_some() {
            return Err("a `)` without a `(`".into());
        }
        compiler.add(PatternStep::Match)?;
        Ok(Expression { text: text.to_owned(), steps: compiler.steps, ranges: compiler.ranges })
    }

    /// Whether the whole text matches.
    #[must_use]
    pub fn matches(&self, text: &str) -> bool {
        Pattern { steps: &self.steps, ranges: &self.ranges }.matches(text)
    }
}

struct Compiler<'t> {
    text: &'t [char],
    at: usize,
    depth: usize,
    steps: Vec<PatternStep>,
    ranges: Vec<(u32, u32)>,
}

/// X.680 §12.1.6: line feed, vertical tabulation, form feed, carriage return.
const NEW_LINE: (u32, u32) = (0x0a, 0x0d);
const WHITE_SPACE: [(u32, u32); 2] = [(0x09, 0x0d), (0x20, 0x20)];
const DIGIT: (u32, u32) = (0x30, 0x39);
const ALPHANUMERIC: [(u32, u32); 3] = [DIGIT, (0x41, 0x5a), (0x61, 0x7a)];

impl Compiler<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Result<char, String> {
        let character = self.peek().ok_or("it ends too soon")?;
        self.at += 1;
        Ok(character)
    }

    fn accept(&mut self, character: char) -> bool {
        let found = self.peek() == Some(character);
        self.at += usize::from(found);
        found
    }

    fn add(&mut self, step: PatternStep) -> Result<(), String> {
        if self.steps.len() >= Pattern::MAX_STEPS {
            return Err(format!("it takes more than {} steps", Pattern::MAX_STEPS));
        }
        self.steps.push(step);
        Ok(())
    }

    fn here(&self) -> u16 {
        self.steps.len() as u16
    }

    /// `a|b`
    fn alternatives(&mut self) -> Result<(), String> {
        let start = self.steps.len();
        self.sequence()?;
        let mut ends = Vec::new();
        let mut begin = start;
        while self.accept('|') {
            // One step before the previous alternative, and one after it.
            self.insert(begin, 1)?;
            ends.push(self.steps.len());
            self.add(PatternStep::Go(0))?;
            self.steps[begin] = PatternStep::Either(begin as u16 + 1, self.here());
            begin = self.steps.len();
            self.sequence()?;
        }
        let end = self.here();
        ends.into_iter().for_each(|at| self.steps[at] = PatternStep::Go(end));
        Ok(())
    }

    fn sequence(&mut self) -> Result<(), String> {
        while self.peek().is_some_and(|next| !matches!(next, '|' | ')')) {
            let start = self.steps.len();
            self.item()?;
            self.repetition(start)?;
        }
        Ok(())
    }

    /// Makes room for steps before those from `at` on.
    fn insert(&mut self, at: usize, count: usize) -> Result<(), String> {
        let moved = |step: u16| if usize::from(step) >= at { step + count as u16 } else { step };
        for step in &mut self.steps[at..] {
            *step = match *step {
                PatternStep::Either(one, other) => PatternStep::Either(moved(one), moved(other)),
                PatternStep::Go(to) => PatternStep::Go(moved(to)),
                other => other,
            };
        }
        (0..count).for_each(|_| self.steps.insert(at, PatternStep::Go(0)));
        if self.steps.len() > Pattern::MAX_STEPS {
            return Err(format!("it takes more than {} steps", Pattern::MAX_STEPS));
        }
        Ok(())
    }

    /// `*`, `+`, `?`, `#n`, `#(n,m)` after the item from `start` on.
    fn repetition(&mut self, start: usize) -> Result<(), String> {
        let (least, most) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('#') => {
                self.at += 1;
                return self.counted(start);
            }
            _ => return Ok(()),
        };
        self.at += 1;
        self.repeat(start, least, most)
    }

    fn counted(&mut self, start: usize) -> Result<(), String> {
        if !self.accept('(') {
            // X.680 Annex A: without brackets it is one digit.
            let digit = self.next()?.to_digit(10).ok_or("a digit or `(` follows `#`")?;
            return self.repeat(start, digit, Some(digit));
        }
        let least = self.number()?;
        let (least, most) = if self.accept(',') {
            (least.unwrap_or(0), self.number()?)
        } else {
            let count = least.ok_or("a number follows `#(`")?;
            (count, Some(count))
        };
        if !self.accept(')') {
            return Err("a `#(` without its `)`".into());
        }
        if most.is_some_and(|most| most < least) {
            return Err("the numbers after `#` are in the wrong order".into());
        }
        self.repeat(start, least, most)
    }

    fn number(&mut self) -> Result<Option<u32>, String> {
        let mut number = None;
        while let Some(digit) = self.peek().and_then(|next| next.to_digit(10)) {
            self.at += 1;
            number = Some(number.unwrap_or(0_u32).saturating_mul(10).saturating_add(digit));
        }
        Ok(number)
    }

    /// The steps from `start` on, `least` to `most` times.
    fn repeat(&mut self, start: usize, least: u32, most: Option<u32>) -> Result<(), String> {
        let body = self.steps.split_off(start);
        let copies = most.unwrap_or_else(|| least.max(1)).max(least);
        if copies as usize > Pattern::MAX_STEPS || (copies as usize).saturating_mul(body.len()) > Pattern::MAX_STEPS {
            return Err(format!("it takes more than {} steps", Pattern::MAX_STEPS));
        }
        let mut exits = Vec::new();
        for copy in 0..copies {
            let optional = copy >= least;
            let before = self.steps.len();
            if optional {
                exits.push(before);
                self.add(PatternStep::Go(0))?;
            }
            let shift = self.steps.len() as i32 - start as i32;
            let moved = |step: u16| (i32::from(step) + shift) as u16;
            for step in &body {
                self.add(match *step {
                    PatternStep::Either(one, other) => PatternStep::Either(moved(one), moved(other)),
                    PatternStep::Go(to) => PatternStep::Go(moved(to)),
                    other => other,
                })?;
            }
            if most.is_none() && copy + 1 == copies {
                // The last copy may occur any number of times.
                if optional {
                    self.add(PatternStep::Go(before as u16))?;
                } else {
                    let next = self.here() + 1;
                    self.add(PatternStep::Either(self.here() - body.len() as u16, next))?;
                }
            }
        }
        let end = self.here();
        exits.into_iter().for_each(|at| self.steps[at] = PatternStep::Either(at as u16 + 1, end));
        Ok(())
    }

    fn item(&mut self) -> Result<(), String> {
        match self.next()? {
            '(' => {
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return Err("its groups are nested too deep".into());
                }
                self.alternatives()?;
                self.depth -= 1;
                if self.accept(')') { Ok(()) } else { Err("a `(` without its `)`".into()) }
            }
            '[' => {
                let negated = self.accept('^');
                let ranges = self.set()?;
                self.one(&ranges, negated)
            }
            // Any character but those that end a line.
            '.' => self.one(&[NEW_LINE], true),
            '\\' => match self.next()? {
                'b' => self.add(PatternStep::Border),
                escaped => {
                    let ranges = self.escaped(escaped)?;
                    self.one(&ranges, false)
                }
            },
            '{' => {
                let code = self.quadruple()?;
                self.one(&[(code, code)], false)
            }
            '"' => {
                // A quotation mark may still be written twice.
                self.accept('"');
                self.one(&[(0x22, 0x22)], false)
            }
            character @ (']' | '}' | '*' | '+' | '?' | '#') => {
                Err(format!("`{character}` where a character is expected"))
            }
            character => self.one(&[(character.into(), character.into())], false),
        }
    }

    fn one(&mut self, ranges: &[(u32, u32)], negated: bool) -> Result<(), String> {
        let start = u16::try_from(self.ranges.len()).map_err(|_| "it has too many characters")?;
        let count = u16::try_from(ranges.len()).map_err(|_| "it has too many characters")?;
        self.ranges.extend_from_slice(ranges);
        self.add(PatternStep::One { start, count, negated })
    }

    /// The characters for an escape, as ranges.
    fn escaped(&mut self, character: char) -> Result<Vec<(u32, u32)>, String> {
        Ok(match character {
            't' => vec![(0x09, 0x09)],
            'n' => vec![NEW_LINE],
            'r' => vec![(0x0d, 0x0d)],
            's' => WHITE_SPACE.to_vec(),
            'd' => vec![DIGIT],
            'w' => ALPHANUMERIC.to_vec(),
            'N' => return Err("`\\N{...}` is not supported".into()),
            'q' | 'p' => return Err(format!("`\\{character}` is not supported")),
            other if other.is_ascii_alphanumeric() => return Err(format!("`\\{other}` means nothing")),
            other => vec![(other.into(), other.into())],
        })
    }

    /// `{group, plane, row, cell}`, after its opening brace.
    fn quadruple(&mut self) -> Result<u32, String> {
        let mut code = 0_u32;
        for at in 0..4 {
            while self.accept(' ') {}
            let number = self.number()?.filter(|number| *number < 256).ok_or("`{` begins four numbers below 256")?;
            while self.accept(' ') {}
            code = code << 8 | number;
            if !self.accept(if at < 3 { ',' } else { '}' }) {
                return Err("`{` begins four numbers with commas between them".into());
            }
        }
        Ok(code)
    }

    /// The rest of a set, after `[` or `[^`.
    fn set(&mut self) -> Result<Vec<(u32, u32)>, String> {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        loop {
            let (first, single) = match self.next()? {
                ']' => return Ok(ranges),
                '\\' => {
                    let escaped = self.next()?;
                    if escaped == 'b' {
                        return Err("`\\b` is not a character".into());
                    }
                    let found = self.escaped(escaped)?;
                    match found[..] {
                        [(first, last)] if first == last => (first, true),
                        _ => {
                            ranges.extend(found);
                            (0, false)
                        }
                    }
                }
                '{' => (self.quadruple()?, true),
                '"' => {
                    self.accept('"');
                    (0x22, true)
                }
                character => (character.into(), true),
            };
            if !single {
                continue;
            }
            let is_range = self.peek() == Some('-') && self.text.get(self.at + 1).is_some_and(|next| *next != ']');
            if !is_range {
                ranges.push((first, first));
                continue;
            }
            self.at += 1;
            let last = match self.next()? {
                '\\' => {
                    let escaped = self.next()?;
                    match self.escaped(escaped)?[..] {
                        [(one, other)] if one == other => one,
                        _ => return Err("an end of a range is one character".into()),
                    }
                }
                '{' => self.quadruple()?,
                character => character.into(),
            };
            if last < first {
                return Err("the ends of a range are the wrong way round".into());
            }
            ranges.push((first, last));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_match_whole_texts() {
        for (expression, yes, no) in [
            ("a*", &["", "a", "aaa"][..], &["b", "ab"][..]),
            ("a+b?", &["a", "aab"], &["", "b", "abb"]),
            ("ab|cd|", &["ab", "cd", ""], &["abcd", "a"]),
            ("(a|b)#3", &["aba", "bbb"], &["ab", "abab"]),
            ("a#(2,3)", &["aa", "aaa"], &["a", "aaaa"]),
            ("a#(2,)", &["aa", "aaaaa"], &["a", ""]),
            ("a#(,2)", &["", "a", "aa"], &["aaa"]),
            ("a#(0)b", &["b"], &["ab"]),
            ("(a#(1,2)b)*", &["", "ab", "aabab"], &["b", "aaab"]),
            ("((a|b)+c)+", &["ac", "abcbac"], &["c", "ab"]),
            ("[a-cx\\-]", &["a", "c", "x", "-"], &["d", "ab", ""]),
            ("[^a-c]", &["d", "ä"], &["a", ""]),
            (".", &["x", "\t"], &["\n", "\r", "xy"]),
            ("\\d#4-\\d#2", &["2024-02"], &["2024-2", "202-02"]),
            ("\\w+\\s\\w+", &["ab c9"], &["ab", "a-b c"]),
            ("\\*\\(\\\\", &["*(\\"], &["*("]),
            ("{0,0,0,65}", &["A"], &["B"]),
            ("[{0,0,3,177}-{0,0,3,201}]", &["λ"], &["l"]),
            ("a.*\\bb.*", &["a b", "a-bc"], &["ab", "acb"]),
            ("say \"\"hi\"\"", &["say \"hi\""], &["say hi"]),
            // The examples of X.680 Annex A.
            ("\\d#2:\\d#2", &["12:59"], &["1:59"]),
            ("[A-Za-z][A-Za-z0-9]#(0,7)", &["a", "abc12345"], &["1a", "abc123456"]),
        ] {
            let compiled = Expression::compile(expression).unwrap_or_else(|why| panic!("{expression}: {why}"));
            yes.iter().for_each(|text| assert!(compiled.matches(text), "{expression} matches {text:?}"));
            no.iter().for_each(|text| assert!(!compiled.matches(text), "{expression} does not match {text:?}"));
        }
    }

    #[test]
    fn what_is_no_expression_is_said() {
        for expression in
            ["(a", "a)", "[a", "a#", "a#(3,2)", "*a", "\\N{x}", "\\z", "{1,2}", "a#(999)", "\\", "(a#(400))#9"]
        {
            assert!(Expression::compile(expression).is_err(), "{expression}");
        }
        assert!(Expression::compile(&"(".repeat(1000)).is_err());
    }

    /// Backtracking would take 2^40 steps.
    #[test]
    fn time_is_linear_in_the_text() {
        let compiled = Expression::compile("(a*)*b").unwrap();
        assert!(!compiled.matches(&"a".repeat(40)));
        assert!(compiled.matches(&("a".repeat(40) + "b")));
    }
}
