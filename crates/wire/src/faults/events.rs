//! EXI (Efficient XML Interchange 1.0).

faults! {
    /// The distinguishing bits (EXI §5.2).
    HEADER_BITS = "events.header", "no EXI: it begins with other bits than 10";
    /// EXI §5.3.
    HEADER_VERSION = "events.header.version", "another version of EXI than 1";
    /// The event code is not that of the document's element.
    ROOT = "events.root", "an element that is not that of the type";
    /// The code is greater than any that an event has here (EXI §6.2).
    CODE = "events.code", "an event code that stands for nothing";
    /// An element ends where its type needs more. This event and the next six are not in the schema (EXI §8.5.4.4.1).
    END = "events.end", "an element that ends too soon";
    /// Another type in place of the schema's.
    ATTRIBUTE_TYPE = "events.attribute.type", "an xsi:type attribute, which is not read";
    /// An element without a value.
    ATTRIBUTE_NIL = "events.attribute.nil", "an xsi:nil attribute, which is not read";
    /// An attribute that is not in the type's grammar.
    ATTRIBUTE_UNKNOWN = "events.attribute.unknown", "an attribute that the schema does not have";
    /// An attribute whose value is given as characters.
    ATTRIBUTE_VALUE = "events.attribute.value", "an attribute with a value that is not of its type";
    /// An element that is not in the type's grammar.
    ELEMENT_OTHER = "events.element.other", "an element that the schema does not have in this place";
    /// A value that is given as characters.
    CHARACTERS = "events.characters", "characters that are no value of the type";
    /// A string given by its index in a string table (EXI §7.3.3).
    STRING_PLACE = "events.string.place", "a reference to a string that has not come before";
    /// The length of a string or of octets, or how many numbers a list has.
    LENGTH = "events.length", "a length of more than 64 bits";
    /// EXI §7.1.10.
    CHARACTER = "events.character", "a character's code of more than 64 bits";
    /// The mantissa or the exponent of a float, or the number of an item of an enumeration (EXI §7.1.4, §7.1.9).
    NUMBER = "events.number", "a number of more than 64 bits";
    /// An exponent beyond 16383 or below -16384 (EXI §7.1.4).
    EXPONENT = "events.exponent", "an exponent that no float has";
    /// A limit of ours.
    LIMIT_ARC = "events.limit.arc", "a number of an object identifier of more than 119 bits";
    /// No numbers, or two that an object identifier cannot begin with (X.690 §8.19.4).
    OID = "events.oid", "no object identifier";
    /// Options may come in front of the document (EXI §5.4).
    OPTIONS_DOCUMENT = "events.options.document", "a document in place of options";
    /// The layout is that of strict grammars (EXI §5.4).
    OPTIONS_NOT_STRICT = "events.options.not-strict", "options that are not strict";
    /// The layout is that of grammars that are not strict.
    OPTIONS_STRICT = "events.options.strict", "strict options";
    /// The option `alignment`. The layout does not have it, nor the options below: all are refused (EXI §5.4).
    OPTIONS_ALIGNMENT = "events.options.alignment", "another alignment than bit-packed";
    /// The option `selfContained` (EXI §5.4).
    OPTIONS_SELF_CONTAINED = "events.options.self-contained", "self-contained elements";
    /// The option `valueMaxLength` (EXI §5.4).
    OPTIONS_STRING_LENGTH = "events.options.string-length", "a limit of the strings in tables";
    /// The option `valuePartitionCapacity` (EXI §5.4).
    OPTIONS_TABLE_CAPACITY = "events.options.table-capacity", "a limit of string tables";
    /// The option `datatypeRepresentationMap` (EXI §5.4).
    OPTIONS_DATATYPES = "events.options.datatypes", "another representation of datatypes";
    /// User-defined meta-data.
    OPTIONS_UNKNOWN = "events.options.unknown", "options that EXI does not have";
    /// The option `preserve` (EXI §5.4).
    OPTIONS_DOCTYPE = "events.options.doctype", "preserved document type declarations";
    /// The option `preserve` (EXI §5.4).
    OPTIONS_PREFIXES = "events.options.prefixes", "preserved prefixes";
    /// The option `preserve` (EXI §5.4).
    OPTIONS_LEXICAL = "events.options.lexical-values", "preserved lexical values";
    /// The option `preserve` (EXI §5.4).
    OPTIONS_COMMENTS = "events.options.comments", "preserved comments";
    /// The option `preserve` (EXI §5.4).
    OPTIONS_INSTRUCTIONS = "events.options.instructions", "preserved processing instructions";
    /// The option `blockSize` (EXI §5.4).
    OPTIONS_BLOCK_SIZE = "events.options.block-size", "a size of more than 64 bits";
    /// The option `compression` (EXI §5.4).
    OPTIONS_COMPRESSION = "events.options.compression", "compression, which is not read";
    /// The option `fragment` (EXI §5.4).
    OPTIONS_FRAGMENT = "events.options.fragment", "a fragment, which is not read";
    /// The option `schemaId` is nil (EXI §5.4).
    OPTIONS_NO_SCHEMA = "events.options.no-schema", "a document without a schema";
    /// The option `schemaId` refers to a string that has not come before, or has a character of more than 64 bits (EXI §5.4).
    OPTIONS_SCHEMA = "events.options.schema", "a schema's name that is not a string";
}
