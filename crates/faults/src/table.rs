//! The table of faults: `faults.toml`.

use serde::Deserialize;

/// The file's text.
pub const TEXT: &str = include_str!("../faults.toml");

/// A fault of another implementation, and an input with the same cause.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// The name of its tests.
    pub name: String,
    /// Identifiers under which it, or a fault with the same cause, was published: of CVE, or
    /// `owner/repository#issue`.
    pub ids: Vec<String>,
    /// The programs that had it.
    pub product: String,
    /// The kind of fault.
    pub class: String,
    /// The fault itself.
    pub there: String,
    /// Definitions with automatic tags, or a whole module. The first type is that of the message.
    /// A secured message has none.
    #[serde(default)]
    pub asn1: String,
    /// The encoding rules; without them the module's text is the input.
    pub rules: Option<String>,
    /// The input in hexadecimal digits; `‹text›×N` is the text N times.
    pub octets: Option<String>,
    /// The input as text.
    pub text: Option<String>,
    /// Puts the input into values of definite length, one in the other.
    pub inside: Option<Inside>,
    /// Digits of the genuine signed message, and those in their place.
    pub change: Option<[String; 2]>,
    /// A message that is decoded into the same value before.
    pub first: Option<String>,
    /// The limit by which it is refused.
    pub limit: Option<String>,
    /// The result of decoding the input here.
    pub here: Here,
}

/// An identifier octet, and how many values with it are around the input.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inside {
    /// In hexadecimal digits.
    pub tag: String,
    /// How many.
    pub times: usize,
}

/// The result of decoding: an error, or a value.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(untagged, deny_unknown_fields)]
pub enum Here {
    /// An error.
    Refused {
        /// The error's code.
        code: String,
        /// The place in bits from the start of the input.
        bit: usize,
        /// The field, if it is not the whole.
        #[serde(default)]
        path: String,
    },
    /// A value.
    Taken {
        /// In JER, as [`shortened`]; or the code by which JER refuses it.
        value: String,
        /// The code and the field of the constraint that it breaks.
        #[serde(default)]
        breaks: String,
        /// The first bit in which the canonical encoding differs.
        canonical: Option<usize>,
    },
    /// A module is refused with these codes.
    Module {
        /// In the order of the text.
        codes: Vec<String>,
    },
    /// A verdict on a signed message.
    Verdict {
        /// Its name.
        verdict: String,
        /// The reason.
        reason: String,
    },
}

/// A signed message, and the root of its signer's chain.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signed {
    /// The root's certificate in hexadecimal digits.
    pub root: String,
    /// The message in hexadecimal digits.
    pub message: String,
}

/// The file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The signed message that some faults change.
    pub signed: Signed,
    /// All faults.
    pub fault: Vec<Fault>,
}

/// The table.
///
/// # Panics
/// The file is not a table of faults.
#[must_use]
pub fn table() -> Table {
    toml::from_str(TEXT).unwrap_or_else(|error| panic!("faults.toml: {error}"))
}

/// A text, or of a long one both ends.
#[must_use]
pub fn shortened(text: &str) -> String {
    let (count, ends) = (text.chars().count(), 30);
    let end = |from: usize, to: usize| text.chars().skip(from).take(to - from).collect::<String>();
    if count <= 4 * ends { text.to_owned() } else { format!("{}...{}", end(0, ends), end(count - ends, count)) }
}

impl Fault {
    /// The module's text.
    #[must_use]
    pub fn module(&self) -> String {
        match self.asn1.contains("DEFINITIONS") {
            true => self.asn1.clone(),
            false => format!("Fault DEFINITIONS AUTOMATIC TAGS ::= BEGIN\n{}\nEND\n", self.asn1),
        }
    }

    /// The input.
    ///
    /// # Panics
    /// There is none, or it has other characters than hexadecimal digits.
    #[must_use]
    pub fn input(&self) -> Vec<u8> {
        let innermost = match (&self.octets, &self.text, &self.change) {
            (Some(octets), None, None) => hexadecimal(octets),
            (None, Some(text), None) => repeated(text).into_bytes(),
            (None, None, Some([genuine, other])) => {
                let message = table().signed.message;
                assert_eq!(message.matches(genuine.as_str()).count(), 1, "{}: in one place", self.name);
                hexadecimal(&message.replace(genuine.as_str(), other))
            }
            _ => panic!("{}: octets, text or a change", self.name),
        };
        let Some(Inside { tag, times }) = &self.inside else { return innermost };
        (0..*times).fold(innermost, |inner, _| [hexadecimal(tag), length(inner.len()), inner].concat())
    }

    /// The message before, if there is one.
    #[must_use]
    pub fn before(&self) -> Option<Vec<u8>> {
        self.first.as_deref().map(hexadecimal)
    }
}

/// A definite length (X.690 §8.1.3), in its shortest form.
fn length(octets: usize) -> Vec<u8> {
    let all = octets.to_be_bytes();
    let digits = &all[all.iter().take_while(|octet| **octet == 0).count()..];
    match octets {
        0..128 => vec![octets as u8],
        _ => [&[0x80 | digits.len() as u8], digits].concat(),
    }
}

/// Octets of hexadecimal digits with spaces, in which `‹text›×N` is the text N times.
///
/// # Panics
/// Other characters, or half an octet.
#[must_use]
pub fn hexadecimal(text: &str) -> Vec<u8> {
    let digits: Vec<u32> =
        repeated(text).chars().filter(|one| *one != ' ').map(|one| one.to_digit(16).expect("a digit")).collect();
    assert!(digits.len() % 2 == 0, "half an octet: {text}");
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}

fn repeated(text: &str) -> String {
    let (mut all, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once('‹') {
        let (piece, after) = after.split_once("›×").expect("‹text›×N");
        let digits = after.find(|one: char| !one.is_ascii_digit()).unwrap_or(after.len());
        all.push_str(before);
        all.push_str(&piece.repeat(after[..digits].parse().expect("a count")));
        rest = &after[digits..];
    }
    all + rest
}
