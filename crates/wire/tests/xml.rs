//! XML 1.0 as the XML encoding rules use it: tokens, and what is refused where.

use roadwire_wire::Fault as Words;
use roadwire_wire::faults::xml as faults;
use roadwire_wire::rt::xml::{
    Attribute, Characters, Fault, What, attribute, element, end_of_tag, end_tag, is_character, is_repeated, misc, name,
    prolog, space,
};

const fn malformed(at: usize, what: Words) -> Fault {
    Fault { at, what: What::Malformed(what) }
}

const fn truncated(at: usize) -> Fault {
    Fault { at, what: What::Truncated }
}

#[test]
fn white_space_is_of_four_kinds() {
    assert_eq!((space(b" \t\n\rx ", 0), space(b"x ", 0), space(b"x ", 2), space(b"x", 9)), (4, 0, 2, 9));
    assert_eq!((space(b"\x0b", 0), space("\u{a0}".as_bytes(), 0)), (0, 0));
}

#[test]
fn characters_are_those_of_xml() {
    for (character, is_one) in [
        ('\0', false),
        ('\u{8}', false),
        ('\t', true),
        ('\n', true),
        ('\u{b}', false),
        ('\r', true),
        ('\u{1f}', false),
        (' ', true),
        ('\u{7f}', true),
        ('\u{d7ff}', true),
        ('\u{e000}', true),
        ('\u{fffd}', true),
        ('\u{fffe}', false),
        ('\u{ffff}', false),
        ('\u{10000}', true),
        ('\u{10ffff}', true),
    ] {
        assert_eq!(is_character(character), is_one, "{character:?}");
    }
}

#[test]
fn names_end_with_their_last_character() {
    for text in ["a", "_", ":", "a-b.c:d_e9", "Z0", "größe", "été.x-1", "道路", "a\u{b7}", "a\u{203f}b", "𠀀", "éa道-b"]
    {
        for tail in [" ", "=", ">", "/"] {
            let all = format!("</{text}{tail}");
            assert_eq!(name(all.as_bytes(), 2), Ok((text.as_bytes(), text.len() + 2)), "{all}");
        }
        let at = text.len();
        assert_eq!(name(text.as_bytes(), 0), Err(truncated(at)), "{text} may go on");
    }
    for (text, wanted) in [
        (&b""[..], truncated(0)),
        (b">", malformed(0, faults::NAME)),
        (b" a", malformed(0, faults::NAME)),
        (b"-a ", malformed(0, faults::NAME)),
        (b".a ", malformed(0, faults::NAME)),
        (b"0a ", malformed(0, faults::NAME)),
        (b"9 ", malformed(0, faults::NAME)),
        (b"a\xc3\x97 ", malformed(1, faults::NAME_CHARACTER)),
        (b"\xc3\xb7 ", malformed(0, faults::NAME_CHARACTER)),
        // Only after the first character: U+00B7, U+0300, U+036F, U+203F.
        (b"\xc2\xb7a ", malformed(0, faults::NAME)),
        (b"\xcc\x80a ", malformed(0, faults::NAME)),
        (b"\xcd\xafa ", malformed(0, faults::NAME)),
        (b"\xe2\x80\xbfa ", malformed(0, faults::NAME)),
        (b"ab\xc2\xa0", malformed(2, faults::NAME_CHARACTER)),
        (b"a\xcd\xbe ", malformed(1, faults::NAME_CHARACTER)),
        (b"a\xe2\x86\x90 ", malformed(1, faults::NAME_CHARACTER)),
        (b"a\xff ", malformed(1, faults::UTF8)),
        (b"ab\xc3", truncated(2)),
    ] {
        assert_eq!(name(text, 0), Err(wanted), "{}", text.escape_ascii());
    }
}

#[test]
fn what_may_be_between_tags_is_skipped() {
    for text in [
        "",
        " \n",
        "<!---->",
        "<!-- a - b -->",
        "<!-- < & ü -->\n<?pi?>",
        "<?pi x?y>z?>",
        "<?pi \n?> <!--a--><!--b-->",
        "<?xml-stylesheet href='x'?>",
        "<?xmlx?>",
    ] {
        for tail in ["<a/>", "</a>", "x"] {
            assert_eq!(misc(format!("a>{text}{tail}").as_bytes(), 2), Ok(text.len() + 2), "{text}{tail}");
        }
    }
    for (text, wanted) in [
        (&b"<!-- a -- b -->"[..], malformed(7, faults::COMMENT)),
        (b" <!--a--->", malformed(6, faults::COMMENT)),
        (b"<!-", truncated(3)),
        (b"<!-a", malformed(0, faults::DECLARATION_OTHER)),
        (b"<![CDAT", truncated(7)),
        (b"<!--a--", truncated(5)),
        (b"<!--a-", truncated(6)),
        (b"<!-->", truncated(5)),
        (b"<!--a\x01-->", malformed(5, faults::CHARACTER)),
        (b"<!--a\xef\xbf\xbe-->", malformed(5, faults::CHARACTER)),
        (b"<!--ab\xff-->", malformed(6, faults::UTF8)),
        (b"<?", truncated(2)),
        (b"<?pi", truncated(4)),
        (b"<?pi?", truncated(5)),
        (b"<?pi x", truncated(6)),
        (b"<?pi x?", truncated(7)),
        (b"<?pi>", malformed(4, faults::INSTRUCTION)),
        (b"<?pi?x", malformed(4, faults::INSTRUCTION)),
        (b"<?1?>", malformed(2, faults::NAME)),
        (b"<?pi \x02?>", malformed(5, faults::CHARACTER)),
        (b" <?xml version='1.0'?>", malformed(1, faults::DECLARATION_PLACE)),
        (b"<?XmL ?>", malformed(0, faults::DECLARATION_PLACE)),
        (b" <!DOCTYPE a>", malformed(1, faults::DOCTYPE)),
        (b"<!DOCTYP", truncated(8)),
        (b"<!", truncated(2)),
        (b"<![CDATA[x]]>", malformed(0, faults::CDATA_PLACE)),
        (b"<!ELEMENT a>", malformed(0, faults::DECLARATION_OTHER)),
    ] {
        assert_eq!(misc(text, 0), Err(wanted), "{}", text.escape_ascii());
    }
}

#[test]
fn the_prolog_ends_with_the_first_tag() {
    for text in [
        "",
        "\u{feff}",
        " \n<!-- x -->",
        "<?xml version=\"1.0\"?>",
        "<?xml version='1.0'?>\n",
        "\u{feff}<?xml version=\"1.0\" ?><!-- x --> ",
        "<?xml\tversion=\"1.0\" encoding=\"utf-8\"?>",
        "<?xml version = \"1.0\"\nencoding=\"UTF-8\"\rstandalone='yes'?><?pi?>",
        "<?xml\nversion=\"1.0\" standalone=\"no\" ?>",
        "<?xml\rversion=\"1.0\"?>",
    ] {
        let all = format!("{text}<a/>");
        assert_eq!(prolog(all.as_bytes()), Ok(text.len()), "{all}");
    }
    for (text, wanted) in [
        ("<?xml ?>", malformed(6, faults::DECLARATION)),
        ("<?xml encoding=\"UTF-8\"?>", malformed(22, faults::DECLARATION)),
        ("<?xml version=\"1.1\"?>", malformed(6, faults::DECLARATION_VERSION)),
        ("<?xml version=\"1.0\" version=\"1.0\"?>", malformed(20, faults::DECLARATION_VERSION)),
        ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>", malformed(20, faults::DECLARATION_VERSION)),
        ("<?xml version=\"1.0\" standalone=\"maybe\"?>", malformed(20, faults::DECLARATION_VERSION)),
        ("<?xml version=\"1.0\" other=\"yes\"?>", malformed(20, faults::DECLARATION_VERSION)),
        ("<?xml version=\"1.0\" standalone=\"no\" encoding=\"UTF-8\"?>", malformed(36, faults::DECLARATION_VERSION)),
        ("<?xml encoding=\"UTF-8\" version=\"1.0\"?>", malformed(23, faults::DECLARATION_VERSION)),
        ("<?xml version=\"1.0\">", malformed(19, faults::DECLARATION)),
        ("<?xml version=\"1.0\" ?x", malformed(20, faults::DECLARATION)),
        ("<?xml version=\"1.0\"?", truncated(20)),
        ("<?xml version=\"1.0\"encoding=\"UTF-8\"?>", malformed(19, faults::ATTRIBUTE_SPACE)),
        ("<?xml version=\"1.0\"", truncated(19)),
        ("<?xml?>", malformed(0, faults::DECLARATION_PLACE)),
        ("\u{feff} <?xml version=\"1.0\"?>", malformed(4, faults::DECLARATION_PLACE)),
        ("<?xml version=\"1.0\"?><!DOCTYPE a>", malformed(21, faults::DOCTYPE)),
    ] {
        assert_eq!(prolog(text.as_bytes()), Err(wanted), "{text}");
    }
}

/// The characters of a text up to its end, and where that is.
fn read_all(mut characters: Characters<'_>) -> Result<(String, usize), Fault> {
    let mut text = String::new();
    while let Some(character) = characters.read()? {
        text.push(character);
    }
    Ok((text, characters.position()))
}

#[test]
fn text_is_read_with_its_references_and_sections() {
    for (text, wanted) in [
        ("", ""),
        ("abc ü道𠀀\t\r\n", "abc ü道𠀀\t\r\n"),
        ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"),
        ("&#65;&#x42;&#x1f697;&#x10FFFF;&#9;", "AB\u{1f697}\u{10ffff}\t"),
        ("&#x00000000000000000000000000041;", "A"),
        ("a>b]>c]]&gt;", "a>b]>c]]>"),
        ("a<!-- x -->b<?pi?>c", "abc"),
        ("<![CDATA[]]>", ""),
        ("a<![CDATA[<b>&amp;]]]>c", "a<b>&amp;]c"),
        ("<![CDATA[a]]><![CDATA[>]]>>", "a>>"),
        ("\"'", "\"'"),
    ] {
        for tail in ["<b>", "</b>", "<"] {
            let all = format!("<a>{text}{tail}");
            let wanted = (wanted.to_owned(), text.len() + 3);
            assert_eq!(read_all(Characters::of_text(all.as_bytes(), 3)), Ok(wanted), "{all}");
        }
    }
}

#[test]
fn other_text_is_refused_where_it_is_wrong() {
    let long = format!("&{}", "a".repeat(31));
    let longer = format!("&{}", "a".repeat(32));
    let zeros = format!("&#x{}41;", "0".repeat(28));
    for (text, wanted) in [
        (&b""[..], truncated(0)),
        (b"ab", truncated(2)),
        (b"<![CDATA[ab]]", truncated(13)),
        (b"a]]>", malformed(3, faults::CDATA_END)),
        (b"]]>", malformed(2, faults::CDATA_END)),
        (b"a\x01", malformed(1, faults::CHARACTER_CONTROL)),
        (b"<![CDATA[\x1f", malformed(9, faults::CHARACTER_CONTROL)),
        (b"a\xef\xbf\xbf<", malformed(1, faults::CHARACTER)),
        (b"\x80<", malformed(0, faults::UTF8)),
        (b"\xc1\x81<", malformed(0, faults::UTF8)),
        (b"\xf5\x80\x80\x80<", malformed(0, faults::UTF8)),
        (b"\xc3<", malformed(0, faults::UTF8)),
        (b"\xed\xa0\x80<", malformed(0, faults::UTF8)),
        (b"a\xc3", truncated(1)),
        (b"\xe2\x82", truncated(0)),
        (b"\xf0\x9f\x9a", truncated(0)),
        (b"&amp", truncated(0)),
        (b"ab&", truncated(2)),
        (long.as_bytes(), truncated(0)),
        (longer.as_bytes(), malformed(0, faults::REFERENCE)),
        (zeros.as_bytes(), malformed(0, faults::REFERENCE)),
        (b"a&foo;", malformed(1, faults::REFERENCE_ENTITY)),
        (b"&;", malformed(0, faults::REFERENCE_ENTITY)),
        (b"&AMP;", malformed(0, faults::REFERENCE_ENTITY)),
        (b"a&#0;", malformed(1, faults::REFERENCE_CHARACTER)),
        (b"&#8;", malformed(0, faults::REFERENCE_CHARACTER)),
        (b"&#;", malformed(0, faults::REFERENCE_CHARACTER)),
        (b"&#x;", malformed(0, faults::REFERENCE_CHARACTER)),
        (b"&#1a;", malformed(0, faults::REFERENCE_CHARACTER)),
        (b"&#xg;", malformed(0, faults::REFERENCE_CHARACTER)),
        (b"&#X41;", malformed(0, faults::REFERENCE_CHARACTER)),
        (b"&#xD800;", malformed(0, faults::REFERENCE_CHARACTER)),
        (b"&#xFFFE;", malformed(0, faults::REFERENCE_CHARACTER)),
        (b"&#x110000;", malformed(0, faults::REFERENCE_CHARACTER)),
        (b"&#4294967361;", malformed(0, faults::REFERENCE_CHARACTER)),
        (b"<!-- a", truncated(6)),
        (b"<!DOCTYPE", malformed(0, faults::DOCTYPE)),
        (b"<?xml ?>", malformed(0, faults::DECLARATION_PLACE)),
    ] {
        assert_eq!(read_all(Characters::of_text(text, 0)), Err(wanted), "{}", text.escape_ascii());
    }
}

#[test]
fn attributes_have_a_name_and_a_value_in_quotes() {
    for (text, name, value) in [
        (" a=\"b\"", "a", "b"),
        ("\n\ta='b c'", "a", "b c"),
        (" x:y = \"\"", "x:y", ""),
        (" a\t=\n'\"&amp;]]>'", "a", "\"&amp;]]>"),
        (" größe=\"é'\"", "größe", "é'"),
    ] {
        for tail in ["", ">", "/>", " b='c'"] {
            let all = format!("<e{text}{tail}");
            let found = attribute(all.as_bytes(), 2).unwrap().unwrap();
            assert_eq!((&all[found.name..found.name_end], &all[found.value..found.value_end]), (name, value), "{all}");
            assert_eq!(found.value_end + 1, text.len() + 2);
        }
        for cut in 0..text.len() {
            let wanted = Err(What::Truncated);
            assert_eq!(attribute(&text.as_bytes()[..cut], 0).map_err(|fault| fault.what), wanted, "{cut} of {text}");
        }
    }
    let found = Attribute { name: 1, name_end: 2, value: 4, value_end: 5 };
    assert_eq!(attribute(b" a='b'", 0), Ok(Some(found)));
    for text in [">", "/", "?", "  >", " />", "\n?>"] {
        assert_eq!(attribute(text.as_bytes(), 0), Ok(None), "{text}");
    }
    for (text, wanted) in [
        (&b"a='b'"[..], malformed(0, faults::ATTRIBUTE_SPACE)),
        (b" a>", malformed(2, faults::ATTRIBUTE_VALUE)),
        (b" a b='c'", malformed(3, faults::ATTRIBUTE_VALUE)),
        (b" a=b", malformed(3, faults::ATTRIBUTE_QUOTES)),
        (b" a= >", malformed(4, faults::ATTRIBUTE_QUOTES)),
        (b" a='<'", malformed(4, faults::ATTRIBUTE_TAG)),
        (b" a='b\x01'", malformed(5, faults::CHARACTER_CONTROL)),
        (b" a='&b;'", malformed(4, faults::REFERENCE_ENTITY)),
        (b" 1='b'", malformed(1, faults::NAME)),
        (b" =", malformed(1, faults::NAME)),
    ] {
        assert_eq!(attribute(text, 0), Err(wanted), "{}", text.escape_ascii());
    }
    assert_eq!(read_all(Characters::of_attribute(b"x'a\"&lt;b'", 2, b'\'')), Ok(("a\"<b".into(), 9)));
}

#[test]
fn tags_end_with_their_bracket() {
    for (text, wanted) in [
        (">", Ok((1, false))),
        (" \n>x", Ok((3, false))),
        ("/>", Ok((2, true))),
        ("  />>", Ok((4, true))),
        ("", Err(truncated(0))),
        (" ", Err(truncated(1))),
        ("/", Err(truncated(1))),
        ("x", Err(malformed(0, faults::TAG))),
        (" / >", Err(malformed(1, faults::TAG))),
    ] {
        assert_eq!(end_of_tag(text.as_bytes(), 0), wanted, "{text}");
    }
    for (text, wanted) in [
        ("</a>", Ok((&b"a"[..], 4))),
        ("</ab:c \n>x", Ok((&b"ab:c"[..], 9))),
        ("", Err(truncated(0))),
        ("<", Err(truncated(1))),
        ("</", Err(truncated(2))),
        ("</ab", Err(truncated(4))),
        ("</a  ", Err(truncated(5))),
        ("<a>", Err(malformed(0, faults::END_TAG_NONE))),
        ("x", Err(malformed(0, faults::END_TAG_NONE))),
        ("</a x>", Err(malformed(4, faults::END_TAG))),
        ("</a/>", Err(malformed(3, faults::END_TAG))),
        ("</ a>", Err(malformed(2, faults::NAME))),
    ] {
        assert_eq!(end_tag(text.as_bytes(), 0), wanted, "{text}");
        let behind = format!("xyz{text}");
        let wanted = wanted.map(|(name, end)| (name, end + 3)).map_err(|fault| Fault { at: fault.at + 3, ..fault });
        assert_eq!(end_tag(behind.as_bytes(), 3), wanted, "{behind}");
    }
}

#[test]
fn elements_are_skipped_to_their_end() {
    for text in [
        "<a/>",
        "<a ></a >",
        "<a>x</a>",
        "<a b='c' d=\"e\"/>",
        "<a><b/><b>1</b>&lt;<a><a/></a></a>",
        "<x:a><x:b/></x:a>",
        "<a>x<b y='>'/>z</a>",
    ] {
        for tail in ["", "</b>", " x", "<c/>"] {
            let all = format!("  {text}{tail}");
            assert_eq!(element(all.as_bytes(), 2), Ok(text.len() + 2), "{all}");
        }
        for cut in 0..text.len() {
            let wanted = Err(What::Truncated);
            assert_eq!(element(&text.as_bytes()[..cut], 0).map_err(|fault| fault.what), wanted, "{cut} of {text}");
        }
    }
    let text = "<a><!-- </a> --><![CDATA[</a>]]><?pi </a>?></a>";
    assert_eq!(element(text.as_bytes(), 0), Ok(text.len()));
    for (text, wanted) in [
        ("x", malformed(0, faults::ELEMENT_NONE)),
        ("</a>", malformed(0, faults::END_TAG_OTHER)),
        ("<a></b>", malformed(3, faults::END_TAG_OTHER)),
        ("<a><b></a></b>", malformed(6, faults::END_TAG_OTHER)),
        ("<ab></a>", malformed(4, faults::END_TAG_OTHER)),
        ("<a b='1' b='2'/>", malformed(9, faults::ATTRIBUTE_REPEATED)),
        ("<a b='1' c='2' b='3'/>", malformed(15, faults::ATTRIBUTE_REPEATED)),
        ("<a><b c='1' c='2'/></a>", malformed(12, faults::ATTRIBUTE_REPEATED)),
        ("<a b='1'c='2'/>", malformed(8, faults::ATTRIBUTE_SPACE)),
        ("<a/ >", malformed(2, faults::TAG)),
        ("<a>]]></a>", malformed(5, faults::CDATA_END)),
        ("< a/>", malformed(1, faults::NAME)),
    ] {
        assert_eq!(element(text.as_bytes(), 0), Err(wanted), "{text}");
    }
}

#[test]
fn elements_and_attributes_have_limits() {
    let nested = |depth: usize| "<a>".repeat(depth) + &"</a>".repeat(depth);
    assert_eq!(element(nested(100).as_bytes(), 0), Ok(700));
    assert_eq!(element(nested(101).as_bytes(), 0), Err(Fault { at: 300, what: What::TooDeep }));
    let deepest = "<a>".repeat(100) + "<b/>" + &"</a>".repeat(100);
    assert_eq!(element(deepest.as_bytes(), 0), Ok(704), "an empty element is no level");
    let many = |count: usize| format!("<a{}/>", (0..count).map(|at| format!(" a{at:03}=''")).collect::<String>());
    assert_eq!(element(many(200).as_bytes(), 0), Ok(200 * 8 + 4));
    assert_eq!(element(many(201).as_bytes(), 0), Err(malformed(2 + 200 * 8 + 1, faults::LIMIT_ATTRIBUTES)));
}

#[test]
fn an_attribute_is_compared_with_those_in_front_of_it() {
    let tag = b"<e a='1' b='2' ab='3' b='4'>";
    let mut at = 2;
    let mut found = Vec::new();
    while let Some(one) = attribute(tag, at).unwrap() {
        found.push(is_repeated(tag, 2, &one));
        at = one.value_end + 1;
    }
    assert_eq!(found, [Ok(false), Ok(false), Ok(false), Ok(true)]);
}
