//! XER and EXER as the paper's encoder wrote them, judging by its lengths: our text with white
//! space in it.
//!
//! Each element has a line of its own, indented by two spaces for each level. An element whose only
//! content is an empty element, such as an item of ENUMERATED, shares its line. In XER a space
//! stands between each four octets of an OCTET STRING. `studies/certificates/analysis.md` says what
//! of this was fitted, and to which figures.

use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use roadwire_engine::Message;
use roadwire_layout::{Exer, RuleSet, Rules, Xer};
use roadwire_model::{Kind, Model, TypeId};
use roadwire_papers::certificate_2017::Certificate;

use super::codec::{Batch, Codec, clocked, is_straight};
use roadwire_measure::cell::Done;
use roadwire_peers::content::Schema;

/// The end of their names in quantities and records.
pub(super) const THEIRS: &str = "-theirs";

/// The name in tables.
pub(super) fn title(name: &str) -> String {
    name.strip_suffix(THEIRS).map_or_else(|| name.into(), |rules| format!("{rules}, as theirs"))
}

/// Both, named as quantities name them.
///
/// # Errors
/// The schema has no model.
pub(super) fn all() -> Result<[Box<dyn Codec>; 2], String> {
    let (model, _) = Schema::Certificate2017.model()?;
    Ok([
        Box::new(Spaced::<Xer>::new("xer-theirs", WhiteSpace { grouped: octet_strings(&model) })),
        Box::new(Spaced::<Exer>::new("exer-theirs", WhiteSpace { grouped: Vec::new() })),
    ])
}

/// The names of elements whose type is OCTET STRING.
fn octet_strings(model: &Model) -> Vec<Vec<u8>> {
    let is_one = |of: TypeId| matches!(model.types[of.0 as usize].kind, Kind::OctetString { .. });
    let mut names: Vec<Vec<u8>> = Vec::new();
    for one in &model.types {
        let elements: Vec<(&str, TypeId)> = match &one.kind {
            Kind::Sequence { components, .. } => components.iter().map(|c| (c.name.as_str(), c.type_id)).collect(),
            Kind::Choice { alternatives, .. } => alternatives.iter().map(|a| (a.name.as_str(), a.type_id)).collect(),
            _ => continue,
        };
        names.extend(elements.into_iter().filter(|(_, of)| is_one(*of)).map(|(name, _)| name.as_bytes().to_vec()));
    }
    names.sort();
    names.dedup();
    names
}

/// Our codec for the rules `E`, and the white space.
struct Spaced<E> {
    name: &'static str,
    form: WhiteSpace,
    /// The text without white space, while it is decoded.
    bare: Mutex<Vec<u8>>,
    rules: PhantomData<fn() -> E>,
}

impl<E> Spaced<E> {
    fn new(name: &'static str, form: WhiteSpace) -> Self {
        Spaced { name, form, bare: Mutex::default(), rules: PhantomData }
    }
}

impl<E: RuleSet + 'static> Codec for Spaced<E>
where
    Certificate: Message<E>,
{
    fn rules(&self) -> Rules {
        E::RULES
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn encode(&self, certificate: &Certificate, output: &mut [u8]) -> Result<(usize, u64), String> {
        clocked(|| self.form.encode::<E>(certificate, output))
    }

    fn decode(&self, octets: &[u8], into: &mut Certificate) -> Result<u64, String> {
        let mut bare = self.bare.lock().unwrap_or_else(PoisonError::into_inner);
        clocked(|| self.form.decode::<E>(octets, &mut bare, into)).map(|((), time)| time)
    }

    fn batch<'c>(&'c self, certificates: &'c [Certificate]) -> Box<dyn Batch + 'c> {
        let (place, bare) = (Box::default(), Vec::new());
        Box::new(Texts { form: &self.form, certificates, place, bare, rules: PhantomData::<fn() -> E> })
    }

    fn is_straight(&self, certificate: &Certificate, output: &mut [u8]) -> (bool, bool) {
        is_straight::<E, _>(certificate, output)
    }
}

/// Certificates that are written and read with white space.
struct Texts<'c, E> {
    form: &'c WhiteSpace,
    certificates: &'c [Certificate],
    place: Box<Certificate>,
    bare: Vec<u8>,
    rules: PhantomData<fn() -> E>,
}

impl<E> Batch for Texts<'_, E>
where
    Certificate: Message<E>,
{
    #[inline(never)]
    fn encode_all(&self, output: &mut [u8]) -> Done {
        let mut done = Done::default();
        for certificate in self.certificates {
            done.count(self.form.encode::<E>(std::hint::black_box(certificate), output).ok());
            std::hint::black_box(&mut *output);
        }
        done
    }

    #[inline(never)]
    fn decode_all(&mut self, encodings: &[Vec<u8>]) -> Done {
        let mut done = Done::default();
        for octets in encodings {
            let given = std::hint::black_box(octets);
            let read = self.form.decode::<E>(given, &mut self.bare, &mut self.place);
            done.count(read.is_ok().then_some(given.len()));
            std::hint::black_box(&mut *self.place);
        }
        done
    }
}

/// Which white space a text has.
struct WhiteSpace {
    /// The elements whose digits stand in groups of four octets.
    grouped: Vec<Vec<u8>>,
}

/// The digits of four octets.
const GROUP: usize = 8;
/// Spaces for each level.
const INDENT: usize = 2;

impl WhiteSpace {
    /// Encodes into the rear half of `output`, and from there with white space to its front.
    fn encode<E>(&self, certificate: &Certificate, output: &mut [u8]) -> Result<usize, String>
    where
        Certificate: Message<E>,
    {
        let (front, rear) = output.split_at_mut(output.len() / 2);
        let length = certificate.encode(rear).map_err(|error| error.to_string())?;
        let mut spaced = Output { octets: front, used: 0 };
        let bare = rear.get(..length).unwrap_or_default();
        self.add(bare, &mut spaced).ok_or("white space has no place in the text or in the output")?;
        Ok(spaced.used)
    }

    /// Decodes the text without its white space, which it leaves in `bare`.
    fn decode<E>(&self, octets: &[u8], bare: &mut Vec<u8>, into: &mut Certificate) -> Result<(), String>
    where
        Certificate: Message<E>,
    {
        bare.clear();
        self.remove(octets, bare);
        into.decode(bare).map(|_| ()).map_err(|error| error.to_string())
    }

    /// Writes a text that has no white space between elements, no attributes, and no mixed content.
    /// `None` if it has, or if the output is full.
    fn add(&self, text: &[u8], output: &mut Output) -> Option<()> {
        let (mut rest, mut level) = (text, 0_usize);
        while !rest.is_empty() {
            let (tag, after) = Tag::split(rest)?;
            rest = after;
            match tag.kind() {
                TagKind::End => {
                    level = level.checked_sub(1)?;
                    output.indent(level)?;
                    output.put(tag.text)?;
                }
                TagKind::Empty => {
                    output.indent(level)?;
                    output.put(tag.text)?;
                }
                TagKind::Start => {
                    output.indent(level)?;
                    output.put(tag.text)?;
                    let (characters, after) = after.split_at(find(after, b'<')?);
                    let (next, after) = Tag::split(after)?;
                    match next.kind() {
                        TagKind::End => {
                            self.characters(&tag, characters, output)?;
                            output.put(next.text)?;
                            rest = after;
                        }
                        TagKind::Empty if characters.is_empty() && after.starts_with(b"</") => {
                            let (end, after) = Tag::split(after)?;
                            output.put(next.text)?;
                            output.put(end.text)?;
                            rest = after;
                        }
                        _ => level += usize::from(characters.is_empty().then_some(true)?),
                    }
                }
            }
            output.put(b"\n")?;
        }
        Some(())
    }

    /// An element's characters, in groups where this element has them.
    fn characters(&self, tag: &Tag, characters: &[u8], output: &mut Output) -> Option<()> {
        if characters.len() <= GROUP || !self.is_grouped(tag) {
            return output.put(characters);
        }
        for (at, group) in characters.chunks(GROUP).enumerate() {
            if at > 0 {
                output.put(b" ")?;
            }
            output.put(group)?;
        }
        Some(())
    }

    /// Copies a text without its white space. Any octets have a result; whether they are a
    /// certificate is for the decoder to say.
    fn remove(&self, text: &[u8], bare: &mut Vec<u8>) {
        let mut rest = text.trim_ascii();
        while let Some((tag, after)) = Tag::split(rest) {
            bare.extend_from_slice(tag.text);
            rest = after;
            let (characters, after) = rest.split_at(find(rest, b'<').unwrap_or(rest.len()));
            let is_content = tag.kind() == TagKind::Start && after.starts_with(b"</");
            if is_content && !(characters.len() > GROUP && self.is_grouped(&tag)) {
                bare.extend_from_slice(characters);
            } else {
                // Digits in groups, or what stands between elements.
                for word in characters.split(u8::is_ascii_whitespace) {
                    bare.extend_from_slice(word);
                }
            }
            rest = after;
        }
        bare.extend_from_slice(rest);
    }

    fn is_grouped(&self, tag: &Tag) -> bool {
        let name = tag.text.get(1..tag.text.len() - 1).unwrap_or_default();
        self.grouped.iter().any(|one| one == name)
    }
}

/// A tag, with its angle brackets.
struct Tag<'t> {
    text: &'t [u8],
}

#[derive(PartialEq, Eq)]
enum TagKind {
    Start,
    End,
    Empty,
}

impl<'t> Tag<'t> {
    /// The tag that a text starts with, and the rest.
    fn split(text: &'t [u8]) -> Option<(Self, &'t [u8])> {
        let (tag, rest) = text.split_at(find(text, b'>').filter(|_| text.starts_with(b"<"))? + 1);
        Some((Tag { text: tag }, rest))
    }

    fn kind(&self) -> TagKind {
        match self.text {
            [b'<', b'/', ..] => TagKind::End,
            [.., b'/', b'>'] => TagKind::Empty,
            _ => TagKind::Start,
        }
    }
}

/// The text with white space, as far as it is written.
struct Output<'o> {
    octets: &'o mut [u8],
    used: usize,
}

impl Output<'_> {
    #[inline]
    fn put(&mut self, octets: &[u8]) -> Option<()> {
        let end = self.used + octets.len();
        self.octets.get_mut(self.used..end)?.copy_from_slice(octets);
        self.used = end;
        Some(())
    }

    fn indent(&mut self, level: usize) -> Option<()> {
        let end = self.used + INDENT * level;
        self.octets.get_mut(self.used..end)?.fill(b' ');
        self.used = end;
        Some(())
    }
}

/// Where an octet occurs first.
#[inline]
fn find(text: &[u8], octet: u8) -> Option<usize> {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    let words = text.chunks_exact(8);
    let from = text.len() - words.remainder().len();
    for (at, word) in words.enumerate() {
        // An octet that is equal becomes zero, and the lowest zero has the lowest high bit of all
        // that are set.
        let differs = u64::from_le_bytes(word.try_into().unwrap_or_default()) ^ (ONES * u64::from(octet));
        let zeros = differs.wrapping_sub(ONES) & !differs & (ONES << 7);
        if zeros != 0 {
            return Some(8 * at + zeros.trailing_zeros() as usize / 8);
        }
    }
    text[from..].iter().position(|one| *one == octet).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::studies::certificates::exchange::ROOM;
    use crate::studies::certificates::generator::Generator;
    use roadwire_measure::random::Random;

    fn encoded(codec: &dyn Codec, certificate: &Certificate) -> Vec<u8> {
        let mut output = vec![0; ROOM];
        let (length, _) = codec.encode(certificate, &mut output).unwrap();
        output.truncate(length);
        output
    }

    fn certificates(generator: Generator, count: usize) -> impl Iterator<Item = Certificate> {
        let mut random = Random::new(11);
        (0..count).map(move |_| generator.certificate(&mut random))
    }

    #[test]
    fn lines_are_indented_by_two_and_digits_of_xer_stand_in_fours() {
        let certificate = certificates(Generator::Fitted, 1).next().unwrap();
        let [xer, exer] = all().unwrap();
        let lines = |codec: &dyn Codec| {
            let text = String::from_utf8(encoded(codec, &certificate)).unwrap();
            text.lines().map(String::from).collect::<Vec<_>>()
        };
        let (xer, exer) = (lines(xer.as_ref()), lines(exer.as_ref()));
        assert_eq!(xer[..3], ["<Certificate>", "  <version>2</version>", "  <signerInfo>"]);
        assert!(exer[3].starts_with("    <certificateDigestSHA256>") && !exer[3].trim().contains(' '), "{}", exer[3]);
        assert_eq!(xer[3].trim().find(' '), Some("<certificateDigestSHA256>".len() + 8), "{}", xer[3]);
        assert_eq!(xer[6], "    <subjectType><authorization-ticket/></subjectType>");
        let time = xer.iter().find(|line| line.contains("<startValidity>")).unwrap();
        assert!(!time.trim().contains(' '), "nine digits of a number are no octets: {time}");
        assert_eq!((xer.last(), xer.len()), (Some(&"</Certificate>".to_owned()), exer.len()));
    }

    #[test]
    fn variances_are_those_of_the_printed_lengths() {
        let sizes = |codec: &dyn Codec| {
            let sizes: Vec<f64> =
                certificates(Generator::Fitted, 40_000).map(|one| encoded(codec, &one).len() as f64).collect();
            let mean = sizes.iter().sum::<f64>() / sizes.len() as f64;
            (mean, sizes.iter().map(|size| (size - mean).powi(2)).sum::<f64>() / (sizes.len() - 1) as f64)
        };
        let [xer, exer] = all().unwrap().map(|codec| sizes(codec.as_ref()));
        // Of a million: 5959.503 and 5251.959. The standard error of 40 000 is 37.
        assert!((xer.1 - 5956.4).abs() < 110.0 && (exer.1 - 5249.3).abs() < 110.0, "{xer:?} {exer:?}");
        // The fit does not reach the printed 1924.137 and 1880.13 (analysis.md).
        assert!((1924.1 - xer.0 - 18.0).abs() < 2.0 && (1880.1 - exer.0 - 9.0).abs() < 2.0, "{xer:?} {exer:?}");
    }

    #[test]
    fn text_between_elements_is_dropped_and_text_inside_is_kept() {
        let form = WhiteSpace { grouped: vec![b"s".to_vec()] };
        let bare = |text: &str| {
            let mut bare = Vec::new();
            form.remove(text.as_bytes(), &mut bare);
            String::from_utf8(bare).unwrap()
        };
        assert_eq!(
            bare("<a>\n  <n> two  words </n>\n  <s>01020304 05</s>\n</a>\n"),
            "<a><n> two  words </n><s>0102030405</s></a>"
        );
        assert_eq!(bare("<a>\n  <n>          </n>\n</a>"), "<a><n>          </n></a>");
        for odd in ["", " ", "<", ">", "<>", "</", "</>", "<a", "a<b", "<a></", "<a>\n<", "<a/> x <b"] {
            bare(odd);
            let mut room = [0; 64];
            let _ = form.add(odd.as_bytes(), &mut Output { octets: &mut room, used: 0 });
        }
    }

    #[test]
    fn cut_texts_and_small_outputs_are_refused() {
        let certificate = certificates(Generator::Uniform, 1).next().unwrap();
        for codec in all().unwrap() {
            let text = encoded(codec.as_ref(), &certificate);
            for length in 0..text.trim_ascii_end().len() {
                assert!(codec.decode(&text[..length], &mut Certificate::default()).is_err(), "{length}");
            }
            for room in [0, 1, text.len(), 2 * text.len() - 2] {
                assert!(codec.encode(&certificate, &mut vec![0; room]).is_err(), "{room}");
            }
        }
    }

    #[test]
    fn an_octet_is_found_where_it_occurs_first() {
        for length in 0..40 {
            for at in 0..length {
                let mut text = vec![b'='; length];
                (text[at], text[length - 1]) = (b'<', b'<');
                assert_eq!(find(&text, b'<'), Some(at.min(length - 1)));
            }
            assert_eq!(find(&vec![b'='; length], b'<'), None);
        }
    }
}
