//! EXI (Efficient XML Interchange 1.0).

faults! {
    /// The distinguishing bits (EXI §5.2).
    HEADER_BITS = "events.header", "expected the bits 10 at the start of EXI";
    /// EXI §5.3.
    HEADER_VERSION = "events.header.version", "expected version 1 of EXI";
    /// The event code is not that of the document's element.
    ROOT = "events.root", "expected the element of the type, found another one";
    /// The code is greater than any that an event has here (EXI §6.2).
    CODE = "events.code", "expected an event code";
    /// An element ends where its type needs more. This event and the next six are not in the schema
    /// (EXI §8.5.4.4.1).
    END = "events.end", "expected an event of the type, found the end of an element";
    /// Another type in place of the schema's.
    ATTRIBUTE_TYPE = "events.attribute.type", "expected an event of the type, found an xsi:type attribute";
    /// An element without a value.
    ATTRIBUTE_NIL = "events.attribute.nil", "expected an event of the type, found an xsi:nil attribute";
    /// An attribute that is not in the type's grammar.
    ATTRIBUTE_UNKNOWN = "events.attribute.unknown", "expected an event of the type, found an attribute that the schema does not have";
    /// An attribute whose value is given as characters.
    ATTRIBUTE_VALUE = "events.attribute.value", "expected an event of the type, found an attribute with a value of another type";
    /// An element that is not in the type's grammar.
    ELEMENT_OTHER = "events.element.other", "expected an event of the type, found an element that the schema does not have here";
    /// A value that is given as characters.
    CHARACTERS = "events.characters", "expected an event of the type, found characters that are not a value of the type";
    /// A string given by its index in a string table (EXI §7.3.3).
    STRING_PLACE = "events.string.place", "expected a reference to a string that came before";
    /// The length of a string or of octets, or how many numbers a list has.
    LENGTH = "events.length", "expected a length of at most 64 bits, found a longer one";
    /// EXI §7.1.10.
    CHARACTER = "events.character", "expected the code of a character in at most 64 bits, found a longer one";
    /// The mantissa or the exponent of a float, or the number of an item of an enumeration (EXI
    /// §7.1.4, §7.1.9).
    NUMBER = "events.number", "expected a number of a float or an item in at most 64 bits, found a longer one";
    /// An exponent beyond 16383 or below -16384 (EXI §7.1.4).
    EXPONENT = "events.exponent", "expected an exponent of -16384 to 16383, found one beyond";
    /// A limit of ours.
    LIMIT_ARC = "events.limit.arc", "a number of an object identifier above the limit of 119 bits";
    /// No numbers, or two that an object identifier cannot begin with (X.690 §8.19.4).
    OID = "events.oid", "expected the numbers of an object identifier, found none, or a wrong start";
    /// Options may precede the document (EXI §5.4).
    OPTIONS_DOCUMENT = "events.options.document", "expected the options of EXI, found the document";
    /// The layout is that of strict grammars (EXI §5.4).
    OPTIONS_NOT_STRICT = "events.options.not-strict", "expected the option strict, found none";
    /// The layout is that of grammars that are not strict.
    OPTIONS_STRICT = "events.options.strict", "expected options without strict, found it";
    /// The option `alignment`. The layout does not have it, nor the options below: all are refused
    /// (EXI §5.4).
    OPTIONS_ALIGNMENT = "events.options.alignment", "expected bit-packed EXI, found the option alignment";
    /// The option `selfContained` (EXI §5.4).
    OPTIONS_SELF_CONTAINED = "events.options.self-contained", "expected elements that are not self-contained, found the option selfContained";
    /// The option `valueMaxLength` (EXI §5.4).
    OPTIONS_STRING_LENGTH = "events.options.string-length", "expected string tables without limits, found the option valueMaxLength";
    /// The option `valuePartitionCapacity` (EXI §5.4).
    OPTIONS_TABLE_CAPACITY = "events.options.table-capacity", "expected string tables without limits, found the option valuePartitionCapacity";
    /// The option `datatypeRepresentationMap` (EXI §5.4).
    OPTIONS_DATATYPES = "events.options.datatypes", "expected the representations of EXI, found the option datatypeRepresentationMap";
    /// User-defined meta-data.
    OPTIONS_UNKNOWN = "events.options.unknown", "expected options of EXI, found user-defined meta-data";
    /// The option `preserve` (EXI §5.4).
    OPTIONS_DOCTYPE = "events.options.doctype", "expected the option preserve to be absent, found it for document type declarations";
    /// The option `preserve` (EXI §5.4).
    OPTIONS_PREFIXES = "events.options.prefixes", "expected the option preserve to be absent, found it for prefixes";
    /// The option `preserve` (EXI §5.4).
    OPTIONS_LEXICAL = "events.options.lexical-values", "expected the option preserve to be absent, found it for lexical values";
    /// The option `preserve` (EXI §5.4).
    OPTIONS_COMMENTS = "events.options.comments", "expected the option preserve to be absent, found it for comments";
    /// The option `preserve` (EXI §5.4).
    OPTIONS_INSTRUCTIONS = "events.options.instructions", "expected the option preserve to be absent, found it for processing instructions";
    /// The option `blockSize` (EXI §5.4).
    OPTIONS_BLOCK_SIZE = "events.options.block-size", "expected a block size of at most 64 bits, found a longer one";
    /// The option `compression` (EXI §5.4).
    OPTIONS_COMPRESSION = "events.options.compression", "expected EXI without compression, found the option compression";
    /// The option `fragment` (EXI §5.4).
    OPTIONS_FRAGMENT = "events.options.fragment", "expected a document, found the option fragment";
    /// The option `schemaId` is nil (EXI §5.4).
    OPTIONS_NO_SCHEMA = "events.options.no-schema", "expected a document with a schema, found a schemaId that is nil";
    /// The option `schemaId` refers to a string that has not come before, or has a character of
    /// more than 64 bits (EXI §5.4).
    OPTIONS_SCHEMA = "events.options.schema", "expected a string as schemaId, found something else";
}
