//! XER (X.693), and XML 1.0 as it uses it.

faults! {
    /// The text is UTF-8 (X.693 §8.1.3).
    UTF8 = "xml.utf8", "not UTF-8";
    /// XML 1.0 §2.2.
    CHARACTER = "xml.character", "a character that XML does not allow";
    /// In text, or in an attribute's value (XML 1.0 §2.2).
    CHARACTER_CONTROL = "xml.character.control", "a control character";
    /// XML 1.0 §2.8.
    DECLARATION = "xml.declaration", "an XML declaration that is not well-formed";
    /// Its parts are `version="1.0"`, `encoding` and `standalone`, in this order (XML 1.0 §2.8).
    DECLARATION_VERSION = "xml.declaration.version", "an XML declaration other than of version 1.0 in UTF-8";
    /// The XML declaration is the first of a document (XML 1.0 §2.8).
    DECLARATION_PLACE = "xml.declaration.place", "an XML declaration in the middle";
    /// Refused, and so are all entities but XML's own (XML 1.0 §2.8).
    DOCTYPE = "xml.doctype", "a document type declaration, which encoding rules do not use";
    /// `<!` followed by something other than one of XML's constructs.
    DECLARATION_OTHER = "xml.declaration.other", "a declaration, which encoding rules do not use";
    /// XML 1.0 §2.5.
    COMMENT = "xml.comment", "two hyphens in a comment";
    /// XML 1.0 §2.6.
    INSTRUCTION = "xml.instruction", "a processing instruction that is not well-formed";
    /// `<![CDATA[` between elements (XML 1.0 §2.7).
    CDATA_PLACE = "xml.cdata.place", "a CDATA section where there is no text";
    /// `]]>` in text (XML 1.0 §2.4).
    CDATA_END = "xml.cdata.end", "the end of a CDATA section that has not begun";
    /// XML 1.0 §4.1.
    REFERENCE = "xml.reference", "an `&` without its `;`";
    /// Only `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;` exist (XML 1.0 §4.6).
    REFERENCE_ENTITY = "xml.reference.entity", "a reference to an entity that XML does not have";
    /// `&#0;`, for example (XML 1.0 §4.1).
    REFERENCE_CHARACTER = "xml.reference.character", "a reference to no character that XML allows";
    /// XML 1.0 §2.3.
    NAME = "xml.name", "no name, where there should be one";
    /// XML 1.0 §2.3.
    NAME_CHARACTER = "xml.name.character", "a character that names do not have";
    /// XML 1.0 §3.1.
    TAG = "xml.tag", "a tag that is not well-formed";
    /// XML 1.0 §3.1.
    END_TAG = "xml.end-tag", "an end tag that is not well-formed";
    /// The element that stands for a word, such as `true`, is not empty.
    END_TAG_NONE = "xml.end-tag.none", "no end tag, where there should be one";
    /// An element ends with its own name (XML 1.0 §3).
    END_TAG_OTHER = "xml.end-tag.other", "an end tag of another element";
    /// XML 1.0 §3.1.
    ATTRIBUTE_SPACE = "xml.attribute.space", "no white space in front of an attribute";
    /// XML 1.0 §3.1.
    ATTRIBUTE_VALUE = "xml.attribute.value", "an attribute without a value";
    /// XML 1.0 §2.3.
    ATTRIBUTE_QUOTES = "xml.attribute.quotes", "an attribute's value without quotes";
    /// The character `<` there (XML 1.0 §3.1).
    ATTRIBUTE_TAG = "xml.attribute.tag", "a tag in an attribute's value";
    /// A name may occur only once in a tag (XML 1.0 §3.1).
    ATTRIBUTE_REPEATED = "xml.attribute.repeated", "an attribute that has been there before";
    /// Only `xmlns` and names with the prefix `xmlns`, `xsi` or `xml` are skipped.
    ATTRIBUTE_UNKNOWN = "xml.attribute.unknown", "an attribute that the type does not have";
    /// The value has been read, but the closing quote does not follow.
    ATTRIBUTE_TRAILING = "xml.attribute.trailing", "more in an attribute than its value";
    /// A limit of ours: 200.
    LIMIT_ATTRIBUTES = "xml.limit.attributes", "more attributes than an element may have";
    /// The prefix `xml` or `xmlns`, or a prefix for no namespace (Namespaces in XML 1.0 §3).
    NAMESPACE = "xml.namespace", "a namespace declaration that XML does not allow";
    /// Namespaces in XML 1.0 §5.
    NAMESPACE_PREFIX = "xml.namespace.prefix", "a prefix that no namespace declaration is in scope for";
    /// A limit of ours: 64.
    LIMIT_NAMESPACES = "xml.limit.namespaces", "more namespace declarations than may be in scope";
    /// An element is to be kept whole, but there is none.
    ELEMENT_NONE = "xml.element.none", "no element, where there should be one";
    /// An element has another name than the expected one, or the enclosing element ends.
    ELEMENT_OTHER = "xml.element.other", "an element other than the one that is due, or none";
    /// An element in a SEQUENCE that is not extensible, where its end is expected.
    ELEMENT_PLACE = "xml.element.place", "an element that is not of the type, or not in its place";
    /// An element in a SET that is not extensible.
    ELEMENT_UNKNOWN = "xml.element.unknown", "an element that is not of the type";
    /// A component of a SET.
    ELEMENT_REPEATED = "xml.element.repeated", "an element that has been there before";
    /// Characters between elements, in a type that does not allow any.
    TEXT = "xml.text", "text, where there should be an element";
    /// A CHOICE ends before its alternative.
    CHOICE_NONE = "xml.choice.none", "no element, where there should be that of an alternative";
    /// In a CHOICE that is not extensible.
    CHOICE_UNKNOWN = "xml.choice.unknown", "an element of no alternative";
    /// Only empty elements that stand for control characters may be there (X.680 §12.15.5).
    STRING_ELEMENT = "xml.string.element", "an element in a character string";
    /// The elements of a list are words with white space between them (X.693 §27).
    LIST_ELEMENT = "xml.list.element", "an element in a list of words";
    /// X.680 §12.8, §19.
    INTEGER = "xml.integer", "not a whole number";
    /// X.680 §12.9, §21.
    REAL = "xml.real", "not a real number";
    /// X.680 §32.
    OID = "xml.oid", "not an object identifier";
    /// X.680 §12.13, §22.
    BIT_STRING = "xml.bit-string", "digits other than 0 and 1";
    /// Hexadecimal digits (X.680 §12.14), or base 64 with the encoding instruction BASE64.
    OCTET_STRING = "xml.octet-string", "not the digits of octets";
    /// X.680 §24.
    NULL = "xml.null", "something in NULL";
    /// X.680 §18.
    BOOLEAN = "xml.boolean", "neither true nor false";
    /// X.680 §20.
    ENUMERATED = "xml.enumerated", "none of the enumeration's items";
}
