//! Formulas over quantities: numbers, names of quantities, `+ - * /` with blanks around them,
//! parentheses, and a few functions.

use std::collections::BTreeMap;

use roadwire_airtime::{Frame, Rate, Security, Transport};
use roadwire_layout::Rules;

use crate::owner::Owner;
use crate::quantity::Quantity;

/// Named lists: `{name}` in a formula stands for one element of the list.
pub type Sets = BTreeMap<String, Vec<String>>;

/// A formula without open names.
#[derive(Debug, Clone, PartialEq)]
pub enum Formula {
    /// A number.
    Number(f64),
    /// A quantity.
    Quantity(Quantity),
    /// Two formulas and an operator.
    Two(Operator, Box<(Formula, Formula)>),
    /// A function of any number of formulas.
    Of(Function, Vec<Formula>),
}

/// An operator for two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    By,
}

/// A function of many values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    /// `sum(SET, f)`
    Sum,
    /// `mean(SET, f)`
    Mean,
    /// `least(SET, f)`
    Least,
    /// `greatest(SET, f)`
    Greatest,
    /// `airtime(f)`: the time of a packet of `f` octets in microseconds.
    Airtime,
}

/// Why a formula has no value: what is missing.
pub type Missing = String;

impl Formula {
    /// Parses a formula.
    ///
    /// # Errors
    /// The first fault in the text.
    pub fn parse(text: &str, sets: &Sets) -> Result<Formula, String> {
        let tokens = tokens(text);
        let mut parser = Parser { tokens: &tokens, sets };
        let formula = parser.sum()?;
        match parser.tokens.first() {
            None => Ok(formula),
            Some(rest) => Err(format!("`{rest}` in `{text}`: an operator needs blanks around it")),
        }
    }

    /// Its value.
    ///
    /// # Errors
    /// The first quantity that has none.
    pub fn value(&self, of: &dyn Fn(&Quantity) -> Result<f64, Missing>) -> Result<f64, Missing> {
        match self {
            Formula::Number(number) => Ok(*number),
            Formula::Quantity(quantity) => of(quantity),
            Formula::Two(operator, sides) => {
                let (a, b) = (sides.0.value(of)?, sides.1.value(of)?);
                Ok(match operator {
                    Operator::Plus => a + b,
                    Operator::Minus => a - b,
                    Operator::Times => a * b,
                    Operator::By if b == 0.0 => return Err("a division by 0".into()),
                    Operator::By => a / b,
                })
            }
            Formula::Of(function, formulas) => {
                let values = formulas.iter().map(|formula| formula.value(of)).collect::<Result<Vec<f64>, _>>()?;
                Ok(function.of(&values))
            }
        }
    }

    /// All quantities in it.
    pub fn quantities(&self) -> Vec<&Quantity> {
        match self {
            Formula::Number(_) => Vec::new(),
            Formula::Quantity(quantity) => vec![quantity],
            Formula::Two(_, sides) => [&sides.0, &sides.1].into_iter().flat_map(Formula::quantities).collect(),
            Formula::Of(_, formulas) => formulas.iter().flat_map(Formula::quantities).collect(),
        }
    }

    /// Whose property its value is: the machine's if any part of it is.
    pub fn owner(&self) -> Owner {
        let owners: Vec<Owner> = self.quantities().into_iter().map(Quantity::owner).collect();
        [Owner::Machine, Owner::Implementation].into_iter().find(|one| owners.contains(one)).unwrap_or(Owner::Encoding)
    }
}

impl Function {
    fn of(self, values: &[f64]) -> f64 {
        match self {
            Function::Sum => values.iter().sum(),
            Function::Mean => values.iter().sum::<f64>() / values.len() as f64,
            Function::Least => values.iter().copied().fold(f64::INFINITY, f64::min),
            Function::Greatest => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            Function::Airtime => values.iter().map(|octets| airtime(*octets)).sum(),
        }
    }
}

/// Microseconds that a packet with this many octets above BTP takes on a 10 MHz channel at 6
/// Mbit/s.
///
/// It is a single-hop broadcast without security. NaN for an invalid number of octets, or too many
/// for a frame.
#[must_use]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "looked at before")]
pub fn airtime(octets: f64) -> f64 {
    if octets.fract() != 0.0 || !(0.0..65_536.0).contains(&octets) {
        return f64::NAN;
    }
    let frame = Frame::new(octets as u32, Transport::SingleHop, Security::None);
    Rate::Mbps6.airtime_us(frame.psdu()).map_or(f64::NAN, f64::from)
}

/// `text` with each `{set}` replaced by its element.
pub fn fill(text: &str, elements: &[(&str, &str)]) -> String {
    elements.iter().fold(text.to_string(), |text, (set, element)| text.replace(&format!("{{{set}}}"), element))
}

fn tokens(text: &str) -> Vec<String> {
    let spaced: String = text
        .chars()
        .flat_map(|c| match c {
            '(' | ')' | ',' => vec![' ', c, ' '],
            c => vec![c],
        })
        .collect();
    spaced.split_whitespace().map(str::to_string).collect()
}

struct Parser<'t> {
    tokens: &'t [String],
    sets: &'t Sets,
}

impl<'t> Parser<'t> {
    fn next(&mut self) -> Option<&'t str> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(first)
    }

    fn is_next(&self, token: &str) -> bool {
        self.tokens.first().is_some_and(|next| next == token)
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        match self.next() {
            Some(next) if next == token => Ok(()),
            other => Err(format!("`{}` where `{token}` is expected", other.unwrap_or("the end"))),
        }
    }

    fn sum(&mut self) -> Result<Formula, String> {
        self.chain(&[("+", Operator::Plus), ("-", Operator::Minus)], Self::product)
    }

    fn product(&mut self) -> Result<Formula, String> {
        self.chain(&[("*", Operator::Times), ("/", Operator::By)], Self::term)
    }

    /// Parts with operators between them, from the left.
    fn chain(
        &mut self,
        operators: &[(&str, Operator)],
        part: fn(&mut Self) -> Result<Formula, String>,
    ) -> Result<Formula, String> {
        let mut formula = part(self)?;
        while let Some((_, operator)) = operators.iter().find(|(token, _)| self.is_next(token)) {
            self.next();
            formula = Formula::Two(*operator, Box::new((formula, part(self)?)));
        }
        Ok(formula)
    }

    fn term(&mut self) -> Result<Formula, String> {
        let token = self.next().ok_or("a formula ends too early")?;
        if token == "(" {
            let formula = self.sum()?;
            self.expect(")")?;
            return Ok(formula);
        }
        if let Ok(number) = token.parse() {
            return Ok(Formula::Number(number));
        }
        if self.is_next("(") {
            return self.function(token);
        }
        let quantity = Quantity::parse(token).ok_or_else(|| {
            let rules = token.split_once('/').and_then(|(rules, _)| rules.parse::<Rules>().err());
            let why = rules.map_or_else(String::new, |why| format!(" ({why})"));
            format!("there is no quantity `{token}`{why}")
        })?;
        Ok(Formula::Quantity(quantity))
    }

    fn function(&mut self, name: &str) -> Result<Formula, String> {
        self.expect("(")?;
        let function = match name {
            "sum" => Function::Sum,
            "mean" => Function::Mean,
            "least" => Function::Least,
            "greatest" => Function::Greatest,
            "airtime" => Function::Airtime,
            _ => return Err(format!("there is no function `{name}`")),
        };
        if function == Function::Airtime {
            let formula = self.sum()?;
            self.expect(")")?;
            return Ok(Formula::Of(function, vec![formula]));
        }
        let set = self.next().ok_or("a function needs a set")?;
        let elements = self.sets.get(set).ok_or_else(|| format!("there is no set `{set}`"))?;
        self.expect(",")?;
        let (end, mut depth) = (self.tokens.iter(), 0usize);
        let length = end
            .take_while(|token| {
                match token.as_str() {
                    "(" => depth += 1,
                    ")" if depth == 0 => return false,
                    ")" => depth -= 1,
                    _ => {}
                }
                true
            })
            .count();
        let (inner, rest) = self.tokens.split_at(length);
        let inner = inner.join(" ");
        self.tokens = rest;
        self.expect(")")?;
        let formulas = elements.iter().map(|element| Formula::parse(&fill(&inner, &[(set, element)]), self.sets));
        Ok(Formula::Of(function, formulas.collect::<Result<_, _>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<f64, String> {
        let list = |names: &[&str]| names.iter().map(ToString::to_string).collect();
        let sets =
            Sets::from([("m".to_string(), list(&["cam-full", "denm-full"])), ("n".to_string(), list(&["1", "2"]))]);
        let of = |quantity: &Quantity| match quantity.of_messages().first() {
            Some((message, Rules::Uper)) => Ok(message.len() as f64),
            other => Err(format!("{other:?}")),
        };
        Formula::parse(text, &sets)?.value(&of)
    }

    #[test]
    fn formulas_have_the_usual_order() {
        for (text, wanted) in [
            ("7", 7.0),
            ("1 + 2 * 3 - 4 / 2", 5.0),
            ("( 1 + 2 ) * 3", 9.0),
            ("8 / 2 / 2", 2.0),
            ("8 - 2 - 2", 4.0),
            ("octets:cam-full * 2", 16.0),
            ("sum(m, octets:{m})", 17.0),
            ("mean(m, octets:{m} + 1) * 2", 19.0),
            ("least(m, octets:{m}) / greatest(m, (octets:{m}))", 8.0 / 9.0),
            ("sum(n, {n} * sum(m, octets:{m} - {n}))", 15.0 + 26.0),
        ] {
            assert_eq!(value(text), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn what_is_no_formula_is_an_error() {
        for text in
            ["", "1 +", "octets:a+1", "(1", "1 2", "sum(k, 1)", "sum(m 1)", "root(m, 1)", "octets", "sum(m, 1", "{m}"]
        {
            assert!(value(text).is_err(), "{text}");
        }
        assert!(value("1 / 0").is_err() && value("tls/octets:cam-full").is_err());
        assert!(value("binary/octets:cam-full").is_err_and(|why| why.contains("known are uper")));
    }

    #[test]
    fn the_machine_has_a_part_in_what_its_time_is_in() {
        let owner = |text| Formula::parse(text, &Sets::new()).unwrap().owner();
        assert_eq!(owner("octets:a + 1"), Owner::Encoding);
        assert_eq!(owner("octets:a + heap:a:encode:toed"), Owner::Implementation);
        assert_eq!(owner("heap:a:encode:toed / time:a:encode:toed"), Owner::Machine);
    }

    #[test]
    fn a_packet_is_on_the_air_for_whole_symbols() {
        // 22 + 8 * 82 = 678 bits: 15 symbols.
        assert_eq!(airtime(0.0), 40.0 + 15.0 * 8.0);
        assert_eq!(airtime(5.0), airtime(0.0));
        assert_eq!(airtime(6.0), airtime(0.0) + 8.0);
    }
}
