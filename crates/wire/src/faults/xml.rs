//! XER (X.693), and XML 1.0 as it uses it.

faults! {
    /// The text is UTF-8 (X.693 §8.1.3).
    UTF8 = "xml.utf8", "expected UTF-8, found other octets";
    /// XML 1.0 §2.2.
    CHARACTER = "xml.character", "expected a character that XML allows";
    /// In text, or in an attribute's value (XML 1.0 §2.2).
    CHARACTER_CONTROL = "xml.character.control", "expected text without control characters";
    /// XML 1.0 §2.8.
    DECLARATION = "xml.declaration", "expected a well-formed XML declaration";
    /// Its parts are `version="1.0"`, `encoding` and `standalone`, in this order (XML 1.0 §2.8).
    DECLARATION_VERSION = "xml.declaration.version", "expected an XML declaration of version 1.0 in UTF-8";
    /// The XML declaration is the first of a document (XML 1.0 §2.8).
    DECLARATION_PLACE = "xml.declaration.place", "expected the XML declaration at the start of the text, found it elsewhere";
    /// It is refused, as are all entities but XML's own (XML 1.0 §2.8).
    DOCTYPE = "xml.doctype", "expected an element, found a document type declaration";
    /// `<!` followed by something other than one of XML's constructs.
    DECLARATION_OTHER = "xml.declaration.other", "expected an element, found a declaration";
    /// XML 1.0 §2.5.
    COMMENT = "xml.comment", "expected the end of a comment after two hyphens";
    /// XML 1.0 §2.6.
    INSTRUCTION = "xml.instruction", "expected a well-formed processing instruction";
    /// `<![CDATA[` between elements (XML 1.0 §2.7).
    CDATA_PLACE = "xml.cdata.place", "expected an element, found a CDATA section";
    /// `]]>` in text (XML 1.0 §2.4).
    CDATA_END = "xml.cdata.end", "expected text, found the end of a CDATA section that has not begun";
    /// XML 1.0 §4.1.
    REFERENCE = "xml.reference", "expected a reference that ends with a semicolon";
    /// Only `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;` exist (XML 1.0 §4.6).
    REFERENCE_ENTITY = "xml.reference.entity", "expected one of the entities of XML";
    /// `&#0;`, for example (XML 1.0 §4.1).
    REFERENCE_CHARACTER = "xml.reference.character", "expected a reference to a character that XML allows";
    /// XML 1.0 §2.3.
    NAME = "xml.name", "expected a name";
    /// XML 1.0 §2.3.
    NAME_CHARACTER = "xml.name.character", "expected a character that names may have";
    /// XML 1.0 §3.1.
    TAG = "xml.tag", "expected the end of a tag";
    /// XML 1.0 §3.1.
    END_TAG = "xml.end-tag", "expected the end of an end tag";
    /// The element that stands for a word, such as `true`, is not empty.
    END_TAG_NONE = "xml.end-tag.none", "expected an end tag";
    /// An element ends with its own name (XML 1.0 §3).
    END_TAG_OTHER = "xml.end-tag.other", "expected the end tag of the element";
    /// XML 1.0 §3.1.
    ATTRIBUTE_SPACE = "xml.attribute.space", "expected white space before an attribute";
    /// XML 1.0 §3.1.
    ATTRIBUTE_VALUE = "xml.attribute.value", "expected = and a value after the name of an attribute";
    /// XML 1.0 §2.3.
    ATTRIBUTE_QUOTES = "xml.attribute.quotes", "expected the value of an attribute in quotes";
    /// The character `<` there (XML 1.0 §3.1).
    ATTRIBUTE_TAG = "xml.attribute.tag", "expected the value of an attribute without <";
    /// A name may occur only once in a tag (XML 1.0 §3.1).
    ATTRIBUTE_REPEATED = "xml.attribute.repeated", "expected an attribute once, found it again";
    /// Only `xmlns` and names with the prefix `xmlns`, `xsi` or `xml` are skipped.
    ATTRIBUTE_UNKNOWN = "xml.attribute.unknown", "expected an attribute of the type";
    /// The value has been read, but the closing quote does not follow.
    ATTRIBUTE_TRAILING = "xml.attribute.trailing", "expected the end of an attribute's value";
    /// A limit of ours: 200.
    LIMIT_ATTRIBUTES = "xml.limit.attributes", "attributes of an element above the limit of 200";
    /// The prefix `xml` or `xmlns`, or a prefix for no namespace (Namespaces in XML 1.0 §3).
    NAMESPACE = "xml.namespace", "expected a namespace declaration that XML allows";
    /// Namespaces in XML 1.0 §5.
    NAMESPACE_PREFIX = "xml.namespace.prefix", "expected a prefix with a namespace declaration in scope";
    /// A limit of ours: 64.
    LIMIT_NAMESPACES = "xml.limit.namespaces", "namespace declarations in scope above the limit of 64";
    /// An element is to be kept whole, but there is none.
    ELEMENT_NONE = "xml.element.none", "expected an element";
    /// An element has an unexpected name, or the enclosing element ends.
    ELEMENT_OTHER = "xml.element.other", "expected another element";
    /// An element in a SEQUENCE that is not extensible, where its end is expected.
    ELEMENT_PLACE = "xml.element.place", "expected the end of an element";
    /// An element in a SET that is not extensible.
    ELEMENT_UNKNOWN = "xml.element.unknown", "expected an element of the type";
    /// A component of a SET.
    ELEMENT_REPEATED = "xml.element.repeated", "expected each component of a SET once";
    /// Characters between elements, in a type that does not allow any.
    TEXT = "xml.text", "expected a tag";
    /// A CHOICE ends before its alternative.
    CHOICE_NONE = "xml.choice.none", "expected the element of an alternative";
    /// In a CHOICE that is not extensible.
    CHOICE_UNKNOWN = "xml.choice.unknown", "expected the element of another alternative";
    /// Only empty elements that stand for control characters may be there (X.680 §12.15.5).
    STRING_ELEMENT = "xml.string.element", "expected text, or an element for a control character";
    /// The elements of a list are words with white space between them (X.693 §27).
    LIST_ELEMENT = "xml.list.element", "expected a word of a list";
    /// X.680 §12.8, §19.
    INTEGER = "xml.integer", "expected a whole number";
    /// X.680 §12.9, §21.
    REAL = "xml.real", "expected a real number";
    /// X.680 §32.
    OID = "xml.oid", "expected an object identifier";
    /// X.680 §12.13, §22.
    BIT_STRING = "xml.bit-string", "expected the digits 0 and 1";
    /// Hexadecimal digits (X.680 §12.14), or base 64 with the encoding instruction BASE64.
    OCTET_STRING = "xml.octet-string", "expected the digits of whole octets";
    /// X.680 §24.
    NULL = "xml.null", "expected an empty element";
    /// X.680 §18.
    BOOLEAN = "xml.boolean", "expected true or false";
    /// X.680 §20.
    ENUMERATED = "xml.enumerated", "expected the name of an item of the enumeration";
}
