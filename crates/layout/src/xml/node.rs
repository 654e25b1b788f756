//! The node kinds of XML documents.

use crate::index::{Items, Name, NodeId, Span};

/// An element of an XML document. Decoders accept any equivalent XML: white space and comments
/// between tags, references in text, either kind of quotes, `<a/>` and `<a></a>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XmlNode {
    /// All of the input: one element, and what may precede and follow it.
    Prolog {
        /// The document element.
        element: NodeId,
        /// The namespaces that its tag declares: [`XmlNode::Namespace`]s, in
        /// [`Layout::numbers`](crate::Layout::numbers).
        namespaces: Span,
    },
    /// A namespace, to which names refer. The node itself writes nothing.
    Namespace {
        /// The prefix that is written for it; empty for the default namespace.
        prefix: Name,
        /// Its URI.
        uri: Name,
    },
    /// `<name>content</name>`, or `<name/>` if the content is empty.
    Tags {
        /// Its name.
        name: Name,
        /// The namespace of the name.
        namespace: Option<NodeId>,
        /// Its content.
        content: NodeId,
    },
    /// ` name="content"`, in a start tag.
    Attribute {
        /// Its name.
        name: Name,
        /// The namespace of the name.
        namespace: Option<NodeId>,
        /// Its content.
        content: NodeId,
    },
    /// Attributes, and then components one after the other, each with its own tags.
    Components {
        /// How many components the type has in all; [`GROUP`](crate::GROUP) for an addition group,
        /// whose members are components of its record.
        components: u32,
        /// The attributes.
        attributes: Span,
        /// The other components of the root.
        members: Span,
        /// How many of them come before the additions.
        before: u32,
        /// The known additions.
        additions: Span,
        /// Whether there may be unknown elements.
        extensible: bool,
        /// Whether they are read in any order.
        unordered: bool,
        /// Whether those at their DEFAULT are written.
        complete: bool,
        /// Whether the first component, a list, holds the text before, between and after elements.
        embedded: bool,
    },
    /// A UTCTime or a GeneralizedTime, written in its canonical form (X.693 §9.10, §9.11).
    CanonicalTime {
        /// Its content.
        content: NodeId,
        /// Whether it is a GeneralizedTime.
        generalized: bool,
    },
    /// The content of an element; an empty element stands for a value (X.693 §23).
    OrEmpty {
        /// Its content.
        content: NodeId,
        /// The value, in [`Layout::defaults`](crate::Layout::defaults).
        value: u32,
    },
    /// One alternative, selected by its tag.
    OneOf {
        /// The alternatives.
        alternatives: Span,
        /// How many of them are in the root.
        root: u32,
        /// Whether there may be an unknown alternative.
        extensible: bool,
    },
    /// Elements one after the other.
    Elements {
        /// Fewest.
        lower: u64,
        /// Most.
        upper: u64,
        /// The element.
        element: NodeId,
        /// Whether there may be more or fewer.
        extensible: bool,
        /// Whether they are written in the order of their encodings.
        sorted: bool,
        /// Whether they are separated by white space; otherwise each has its own tags.
        spaced: bool,
    },
    /// A value in tags with the name of its type, which a [`Node::Key`] selects; if it does not,
    /// the text is kept.
    Typed {
        /// The slot with the row.
        slot: u32,
        /// Each row's type: nodes in [`Layout::numbers`](crate::Layout::numbers).
        rows: Span,
    },
    /// Nothing.
    Empty,
    /// `<true/>` or `<false/>`, or as text.
    TrueFalse {
        /// Whether it is text.
        text: bool,
    },
    /// A whole number in decimal.
    Decimal {
        /// A node with the range: [`Node::Word`], [`Node::Integer`] or the wide variants.
        range: NodeId,
        /// Whether the range is extensible.
        extensible: bool,
        /// Numbers that are written by name: pairs in [`Layout::numbers`](crate::Layout::numbers)
        /// of an index in [`Layout::items`](crate::Layout::items) and one in
        /// [`Layout::defaults`](crate::Layout::defaults).
        names: Span,
    },
    /// An item's name as an empty element, or as text.
    ItemName {
        /// How many items there are in the root.
        root: u32,
        /// Names by ordinal, root items first, in [`Layout::items`](crate::Layout::items).
        items: Items,
        /// Whether it is text.
        text: bool,
    },
    /// A real number in decimal.
    Scientific {
        /// Whether infinities and NaN are text; otherwise they are empty elements.
        text: bool,
        /// Whether there are no exponents and no infinities.
        plain: bool,
    },
    /// Bits as digits 0 and 1.
    Binary {
        /// Fewest.
        lower: u64,
        /// Most.
        upper: u64,
        /// Whether there may be another number of bits.
        extensible: bool,
        /// Whether trailing zero bits have no meaning (named bits).
        trim: bool,
    },
    /// Octets as digits.
    OctetDigits {
        /// Fewest.
        lower: u64,
        /// Most.
        upper: u64,
        /// Whether there may be another number of octets.
        extensible: bool,
        /// Whether the digits are those of base 64; otherwise they are hexadecimal.
        base64: bool,
        /// Whether they may also be an element, written as it is: a value of an open type, or of
        /// the type that the string contains.
        contains: bool,
    },
    /// An object identifier: numbers with dots between them.
    Arcs {
        /// Whether it is a relative one.
        relative: bool,
    },
    /// Characters.
    CharacterData {
        /// Fewest.
        lower: u64,
        /// Most.
        upper: u64,
        /// The permitted alphabet: pairs of first and last code in
        /// [`Layout::numbers`](crate::Layout::numbers), ascending; empty if all are permitted.
        alphabet: Span,
        /// The pattern of a time of fixed width, in which zeros stand for digits; empty if there is
        /// none.
        pattern: Name,
        /// Whether there may be another number of characters.
        extensible: bool,
        /// Whether empty elements stand for control characters.
        controls: bool,
        /// How white space is changed on reading.
        space: XmlSpace,
    },
}

/// How white space is changed on reading (X.693 §39).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum XmlSpace {
    /// Nothing.
    Preserve,
    /// Each tab and line end becomes a space.
    Replace,
    /// The same; then several spaces become one, and those at the ends are removed.
    Collapse,
}
