//! The module of characters (X.680 §42): made of what modules import from it, because the whole of
//! it has more than 30,000 values.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The name of the module.
pub(crate) const CHARACTER_MODULE: &str = "ASN1-CHARACTER-MODULE";

const NAMES: &str = include_str!("characters.txt");

/// The control characters of ISO/IEC 646, from 0 on; DEL is the last one.
const CONTROLS: &str = "nul soh stx etx eot enq ack bel bs ht lf vt ff cr so si \
    dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc is4 is3 is2 is1";

/// The collections of ISO/IEC 10646 Annex A in the basic multilingual plane, with their ranges in
/// hexadecimal digits.
const COLLECTIONS: &str = "\
C0 0-1F
C1 80-9F
BASIC LATIN 20-7E
LATIN-1 SUPPLEMENT A0-FF
LATIN EXTENDED-A 100-17F
LATIN EXTENDED-B 180-24F
IPA EXTENSIONS 250-2AF
SPACING MODIFIER LETTERS 2B0-2FF
COMBINING DIACRITICAL MARKS 300-36F
BASIC GREEK 370-3CF
GREEK SYMBOLS AND COPTIC 3D0-3FF
CYRILLIC 400-4FF
ARMENIAN 530-58F
BASIC HEBREW 5D0-5EA
HEBREW EXTENDED 590-5CF 5EB-5FF
BASIC ARABIC 600-65F
ARABIC EXTENDED 660-6FF
DEVANAGARI 900-97F 200C-200D
BENGALI 980-9FF 200C-200D
GURMUKHI A00-A7F 200C-200D
GUJARATI A80-AFF 200C-200D
ORIYA B00-B7F 200C-200D
TAMIL B80-BFF 200C-200D
TELUGU C00-C7F 200C-200D
KANNADA C80-CFF 200C-200D
MALAYALAM D00-D7F 200C-200D
THAI E00-E7F
LAO E80-EFF
BASIC GEORGIAN 10D0-10FF
GEORGIAN EXTENDED 10A0-10CF
HANGUL JAMO 1100-11FF
LATIN EXTENDED ADDITIONAL 1E00-1EFF
GREEK EXTENDED 1F00-1FFF
GENERAL PUNCTUATION 2000-206F
SUPERSCRIPTS AND SUBSCRIPTS 2070-209F
CURRENCY SYMBOLS 20A0-20CF
COMBINING DIACRITICAL MARKS FOR SYMBOLS 20D0-20FF
LETTERLIKE SYMBOLS 2100-214F
NUMBER FORMS 2150-218F
ARROWS 2190-21FF
MATHEMATICAL OPERATORS 2200-22FF
MISCELLANEOUS TECHNICAL 2300-23FF
CONTROL PICTURES 2400-243F
OPTICAL CHARACTER RECOGNITION 2440-245F
ENCLOSED ALPHANUMERICS 2460-24FF
BOX DRAWING 2500-257F
BLOCK ELEMENTS 2580-259F
GEOMETRIC SHAPES 25A0-25FF
MISCELLANEOUS SYMBOLS 2600-26FF
DINGBATS 2700-27BF
CJK SYMBOLS AND PUNCTUATION 3000-303F
HIRAGANA 3040-309F
KATAKANA 30A0-30FF
BOPOMOFO 3100-312F 31A0-31BF
HANGUL COMPATIBILITY JAMO 3130-318F
CJK MISCELLANEOUS 3190-319F
ENCLOSED CJK LETTERS AND MONTHS 3200-32FF
CJK COMPATIBILITY 3300-33FF
CJK UNIFIED IDEOGRAPHS 4E00-9FFF
PRIVATE USE AREA E000-F8FF
CJK COMPATIBILITY IDEOGRAPHS F900-FAFF
ALPHABETIC PRESENTATION FORMS FB00-FB4F
ARABIC PRESENTATION FORMS-A FB50-FDFF
COMBINING HALF MARKS FE20-FE2F
CJK COMPATIBILITY FORMS FE30-FE4F
SMALL FORM VARIANTS FE50-FE6F
ARABIC PRESENTATION FORMS-B FE70-FEFE
HALFWIDTH AND FULLWIDTH FORMS FF00-FFEF
SPECIALS FFF0-FFFD
HANGUL SYLLABLES AC00-D7A3
BASIC TIBETAN F00-FBF
ETHIOPIC 1200-137F
UNIFIED CANADIAN ABORIGINAL SYLLABICS 1400-167F
CHEROKEE 13A0-13FF
YI SYLLABLES A000-A48F
YI RADICALS A490-A4CF
KANGXI RADICALS 2F00-2FDF
CJK RADICALS SUPPLEMENT 2E80-2EFF
BRAILLE PATTERNS 2800-28FF
CJK UNIFIED IDEOGRAPHS EXTENSION A 3400-4DBF
OGHAM 1680-169F
RUNIC 16A0-16FF
SINHALA D80-DFF
SYRIAC 700-74F
THAANA 780-7BF
BASIC MYANMAR 1000-104F 200C-200D
KHMER 1780-17FF 200C-200D
MONGOLIAN 1800-18AF
EXTENDED MYANMAR 1050-109F
TIBETAN F00-FFF
BMP 0-D7FF E000-FFFD
LEVEL3 0-D7FF E000-FFFD";

/// Ideographs, whose names end with their number.
const IDEOGRAPHS: [(&str, u32, u32); 3] = [
    ("cjkUnifiedIdeograph-", 0x3400, 0x4dbf),
    ("cjkUnifiedIdeograph-", 0x4e00, 0x9fff),
    ("cjkCompatibilityIdeograph-", 0xf900, 0xfad9),
];

/// The names of the parts of Hangul syllables.
const HANGUL: [&str; 3] = [
    "G GG N D DD R M B BB S SS  J JJ C K T P H",
    "A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I",
    " G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H",
];

/// The text of the module, with those of the names that it has.
pub(crate) fn module(names: &BTreeSet<&str>) -> String {
    let mut text = format!(
        "{CHARACTER_MODULE} {{ joint-iso-itu-t asn1(1) specification(0) modules(0) iso10646(0) }} DEFINITIONS ::= BEGIN\n"
    );
    for (name, code) in CONTROLS.split_whitespace().zip(0..).chain([("del", 127)]) {
        if names.contains(name) {
            let _ = writeln!(text, "{name} IA5String ::= {{ {}, {} }}", code / 16, code % 16);
        }
    }
    let mut define = |name: &str, code: u32| {
        if names.contains(name) {
            let _ = writeln!(text, "{name} BMPString ::= {}", quadruple(code));
        }
    };
    for line in NAMES.lines().filter(|line| !line.starts_with('#')) {
        let (code, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (common, names) = rest.split_once('|').unwrap_or(("", rest));
        let first = u32::from_str_radix(code, 16).unwrap_or(0);
        names.split('|').zip(first..).for_each(|(name, code)| define(&value_name(&format!("{common}{name}")), code));
    }
    for name in names {
        for (start, first, last) in IDEOGRAPHS {
            let code = name.strip_prefix(start).and_then(|digits| u32::from_str_radix(digits, 16).ok());
            if let Some(code) = code.filter(|code| (first..=last).contains(code)) {
                define(&format!("{start}{code:x}"), code);
            }
        }
    }
    if names.iter().any(|name| name.starts_with("hangulSyllable")) {
        let parts = HANGUL.map(|part| part.split(' ').collect::<Vec<_>>());
        let syllables = parts[0].iter().flat_map(|one| parts[1].iter().map(move |two| (one, two)));
        let syllables = syllables.flat_map(|(one, two)| parts[2].iter().map(move |three| format!("{one}{two}{three}")));
        syllables.zip(0xac00..).for_each(|(name, code)| define(&value_name(&format!("HANGUL SYLLABLE {name}")), code));
    }
    for line in COLLECTIONS.lines() {
        // By §42.3 a small letter follows a hyphen; in books it is a capital one.
        let (strict, kept) = type_names(line);
        let ranges = line.split_whitespace().filter_map(range);
        let ranges: Vec<String> = ranges.map(|(from, to)| format!("{}..{}", quadruple(from), quadruple(to))).collect();
        for name in [&strict, &kept].iter().take(if strict == kept { 1 } else { 2 }) {
            if names.contains(name.as_str()) {
                let _ = writeln!(text, "{name} ::= BMPString (FROM ({}))", ranges.join(" | "));
            }
        }
    }
    text + "END\n"
}

/// `2F00-2FDF`; words have no such form.
fn range(word: &str) -> Option<(u32, u32)> {
    let (from, to) = word.split_once('-')?;
    Some((u32::from_str_radix(from, 16).ok()?, u32::from_str_radix(to, 16).ok()?))
}

fn quadruple(code: u32) -> String {
    format!("{{ 0, 0, {}, {} }}", code >> 8, code & 255)
}

/// X.680 §42.2: small letters, but for those after a space; spaces are left out.
fn value_name(name: &str) -> String {
    let mut after_space = false;
    let mut made = String::new();
    for c in name.chars() {
        if c != ' ' {
            made.push(if after_space { c } else { c.to_ascii_lowercase() });
        }
        after_space = c == ' ';
    }
    made
}

/// X.680 §42.3: the same with a capital letter in front; and with those after hyphens kept.
fn type_names(line: &str) -> (String, String) {
    let words: Vec<&str> = line.split_whitespace().filter(|word| range(word).is_none()).collect();
    let mut strict = value_name(&words.join(" "));
    strict[..1].make_ascii_uppercase();
    let mut kept = strict.clone();
    if let Some(at) = kept.find('-') {
        kept[at..].make_ascii_uppercase();
    }
    (strict, kept)
}

#[cfg(test)]
mod tests {
    use super::{COLLECTIONS, module, range, type_names, value_name};

    #[test]
    fn names_are_made_by_the_rules() {
        assert_eq!(value_name("GREEK CAPITAL LETTER SIGMA"), "greekCapitalLetterSigma");
        assert_eq!(value_name("NO-BREAK SPACE"), "no-breakSpace");
        assert_eq!(type_names("BASIC LATIN 20-7E").0, "BasicLatin");
        assert_eq!(type_names("LATIN EXTENDED-A 100-17F"), ("LatinExtended-a".into(), "LatinExtended-A".into()));
        assert_eq!(type_names("LATIN-1 SUPPLEMENT A0-FF").0, "Latin-1Supplement");
    }

    #[test]
    fn every_collection_has_ranges() {
        for line in COLLECTIONS.lines() {
            assert!(line.split_whitespace().filter_map(range).next().is_some(), "{line}");
        }
    }

    #[test]
    fn characters_have_their_numbers() {
        let made = |name: &str| module(&[name].into());
        for (name, number) in [
            ("nul", "nul IA5String ::= { 0, 0 }"),
            ("del", "del IA5String ::= { 7, 15 }"),
            ("cyrillicCapitalLetterEn", "{ 0, 0, 4, 29 }"),
            ("cjkUnifiedIdeograph-4e2a", "{ 0, 0, 78, 42 }"),
            ("latinCapitalLetterAe", "{ 0, 0, 0, 198 }"),
            ("hangulSyllableGa", "{ 0, 0, 172, 0 }"),
            ("hangulSyllableHih", "{ 0, 0, 215, 163 }"),
            ("zeroWidthNo-breakSpace", "{ 0, 0, 254, 255 }"),
        ] {
            assert!(made(name).contains(number), "{name}: {}", made(name));
        }
        assert!(!made("hangulSyllableGA").contains("::= {"), "a letter behind another one is small");
    }
}
