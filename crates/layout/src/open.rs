//! Layouts without the constraints that an encoding does not need in order to be read, made from
//! layouts with them.

use roadwire_wire::ordinal_of_unknown_item;

use crate::contents::{Instead, octets_instead};
use crate::{
    Bound, CborNode, Contents, Count, EventNode, Extent, Family, FieldNode, Form, JsonNode, Layout, Node, NodeId,
    Number, Presence, Sign, Span, TlvNode, VectorNode, Width, XmlNode,
};

impl Layout {
    /// The layout that reads the same encodings, and those of values outside their constraints: in
    /// PER's spare codes, of any size, of any character. Of all that it reads, a value that
    /// satisfies its constraints is the same. An item of an ENUMERATED that has no name is an
    /// [unknown item](roadwire_wire::ordinal_of_unknown_item) with its index or number; a character
    /// without a code is U+FFFD. A content that does not fit its type stays as octets.
    #[must_use]
    pub fn for_open_reading(&self) -> Layout {
        Opening::of(self, true).finish()
    }

    /// The layout that writes values outside their constraints wherever their encoding has room for
    /// them. Values that satisfy their constraints have the same encoding.
    #[must_use]
    pub fn for_open_writing(&self) -> Layout {
        Opening::of(self, false).finish()
    }

    /// The layout under which text may lack any component: of a message whose end cannot be read.
    #[must_use]
    pub fn for_parts(&self) -> Layout {
        let mut layout = self.clone();
        for member in layout.members.to_mut() {
            if member.presence == Presence::Mandatory {
                member.presence = Presence::Optional;
            }
        }
        layout
    }

    /// The layout that reads and writes these strings and open types as octets.
    #[must_use]
    pub fn without_contents(&self) -> Layout {
        let mut layout = self.clone();
        for node in layout.nodes.to_mut() {
            if let Some(octets) = octets_instead(node) {
                *node = match octets {
                    Instead::Node(octets) => octets,
                    Instead::Place(place) => match self.nodes.get(place.0 as usize) {
                        Some(string) => *string,
                        None => *node,
                    },
                };
            }
        }
        layout
    }
}

struct Opening<'a> {
    original: &'a Layout,
    layout: Layout,
    reading: bool,
}

impl<'a> Opening<'a> {
    fn of(original: &'a Layout, reading: bool) -> Self {
        Opening { original, layout: original.clone(), reading }
    }

    fn finish(mut self) -> Layout {
        let times = self.of_times();
        for (at, node) in self.original.nodes.iter().enumerate().filter(|(at, _)| !times[*at]) {
            let open = self.node(*node);
            self.layout.nodes.to_mut()[at] = open;
        }
        self.layout
    }

    /// Nodes of the parts of times, which must stay as they are: text is made of them.
    fn of_times(&self) -> Vec<bool> {
        let mut is_part = vec![false; self.layout.nodes.len()];
        let times = self.layout.nodes.iter().filter_map(|node| match *node {
            Node::Time { node, .. } => Some(node),
            _ => None,
        });
        let mut pending: Vec<NodeId> = times.collect();
        while let Some(id) = pending.pop() {
            let Some(place) = is_part.get_mut(id.0 as usize).filter(|place| !**place) else { continue };
            *place = true;
            match *self.layout.node(id) {
                Node::Record { members, .. } => {
                    pending.extend(self.layout.members(members).iter().map(|member| member.node));
                }
                Node::Choice { alternatives, .. } => {
                    pending.extend(self.layout.alternatives(alternatives).iter().map(|one| one.node));
                }
                Node::Extension { root, beyond } => pending.extend([root, beyond]),
                Node::Time { node, .. } => pending.push(node),
                Node::List { element, .. } => pending.push(element),
                _ => {}
            }
        }
        is_part
    }

    fn push(&mut self, node: Node) -> NodeId {
        let nodes = self.layout.nodes.to_mut();
        nodes.push(node);
        NodeId(nodes.len() as u32 - 1)
    }

    fn node(&mut self, node: Node) -> Node {
        match node {
            Node::Word { width, form, lower, upper } => {
                let (lower, upper) = self.layout.bounds(lower, upper);
                let (lower, upper) = word(width, form, lower, upper);
                let octets = self.layout.octets.to_mut();
                Node::Word { width, form, lower: Bound::new(lower, octets), upper: Bound::new(upper, octets) }
            }
            Node::Integer { form: Form::Offset, lower, .. } => {
                Node::Integer { form: Form::Offset, lower, upper: Bound::NONE }
            }
            Node::Integer { form: Form::Unsigned, .. } => {
                Node::Integer { form: Form::Unsigned, lower: Bound(0), upper: Bound::NONE }
            }
            Node::Integer { form: Form::Signed, .. } => {
                Node::Integer { form: Form::Signed, lower: Bound::NONE, upper: Bound::NONE }
            }
            // An encoder uses the root for what it admits: it must not admit more.
            Node::Extension { root, beyond } if !self.reading => {
                let root = self.push(*self.original.node(root));
                Node::Extension { root, beyond }
            }
            Node::Enumerated { width, root, additions, ordinals, items } => {
                Node::Enumerated { width, root, additions, ordinals: self.spare_items(width, root, ordinals), items }
            }
            Node::Numbered { values, items, .. } => Node::Numbered { values, items, extensible: true },
            Node::BinaryReal { bits, .. } => {
                Node::BinaryReal { bits, mantissa: (-(1 << 53), 1 << 53), exponent: (i16::MIN, i16::MAX) }
            }
            Node::Bits { whole, extent, trim } => Node::Bits { whole, extent: self.extent(extent), trim },
            Node::Octets { extent } => Node::Octets { extent: self.extent(extent) },
            Node::Characters { extent, characters } => {
                let mut characters = self.layout.character_set(characters);
                let all: Vec<u32>;
                let codes = 1u64
                    .checked_shl(characters.bits.into())
                    .map_or(u32::MAX, |codes| u32::try_from(codes - 1).unwrap_or(u32::MAX));
                if !characters.indexed {
                    all = vec![0, codes];
                    characters.alphabet = &all;
                } else if self.reading {
                    all = spare_characters(codes, characters.alphabet);
                    characters.alphabet = &all;
                }
                let numbers: Vec<u32> = characters.numbers().collect();
                let characters = self.numbers(&numbers).start;
                Node::Characters { extent: self.extent(extent), characters }
            }
            Node::Text { utf8, .. } => Node::Text { utf8, lower: 0, upper: u64::MAX, alphabet: Span::default() },
            Node::List { extent, element, sorted } => Node::List { extent: self.extent(extent), element, sorted },
            Node::Tlv(node) => self.tlv(node),
            Node::Fields(node) => Node::Fields(fields(node)),
            Node::Events(node) => Node::Events(self.events(node)),
            Node::Xml(node) => Node::Xml(xml(node)),
            Node::Json(node) => Node::Json(json(node)),
            Node::Vectors(node) => Node::Vectors(vectors(node)),
            Node::Cbor(node) => self.cbor(node),
            Node::Contained { .. } | Node::Table { .. } => self.with_octets(node),
            node => node,
        }
    }

    /// A content, or its octets where it does not fit.
    fn with_octets(&mut self, node: Node) -> Node {
        if !self.reading
            || matches!(self.layout.rules.family(), Family::Xml | Family::Json | Family::Events | Family::Fields)
        {
            return node;
        }
        match octets_instead(&node) {
            Some(Instead::Place(octets)) => Node::Fitting { content: self.push(node), octets },
            Some(Instead::Node(octets)) => {
                let octets = self.push(octets);
                Node::Fitting { content: self.push(node), octets }
            }
            None => node,
        }
    }

    fn numbers(&mut self, numbers: &[u32]) -> Span {
        let pool = self.layout.numbers.to_mut();
        let start = pool.len() as u32;
        pool.extend_from_slice(numbers);
        Span { start, count: numbers.len() as u32 }
    }

    /// Sizes that the length can say. With an extension bit, an encoder has room for all of them.
    fn extent(&self, extent: Extent) -> Extent {
        if extent.extensible && !self.reading {
            return extent;
        }
        let (lower, upper) = match extent.count {
            Count::Fixed => (extent.lower, extent.upper),
            Count::Field { bits, aligned } => {
                (extent.lower, extent.lower.saturating_add(greatest(Width::of_field(bits, aligned))))
            }
            Count::Determinant | Count::InOctets | Count::Quantity => (0, u64::MAX),
        };
        Extent { lower, upper, ..extent }
    }

    /// The ordinals of all indexes: of those that no item has, of the unknown item with this
    /// number.
    fn spare_items(&mut self, width: Width, root: u32, ordinals: Span) -> Span {
        const MOST: u64 = 1 << 16;
        let codes = greatest(width).saturating_add(1);
        if codes <= u64::from(root) || codes > MOST {
            return ordinals;
        }
        let known = self.layout.numbers(ordinals);
        let ordinal = |index: u32| match known.get(index as usize) {
            Some(ordinal) => *ordinal,
            None if index < root => index,
            None => ordinal_of_unknown_item(index.into()).unwrap_or(index),
        };
        let all: Vec<u32> = (0..codes as u32).map(ordinal).collect();
        self.numbers(&all)
    }

    fn tlv(&mut self, node: TlvNode) -> Node {
        let node = match node {
            TlvNode::Primitive { indefinite, identifier, contents } => {
                TlvNode::Primitive { indefinite, identifier, contents: self.contents(contents) }
            }
            TlvNode::List { element, sorted, .. } => TlvNode::List { lower: 0, upper: u64::MAX, element, sorted },
            TlvNode::Open { .. } => return self.with_octets(Node::Tlv(node)),
            node => node,
        };
        Node::Tlv(node)
    }

    fn contents(&mut self, contents: Contents) -> Contents {
        match contents {
            Contents::Integer { .. } | Contents::WideInteger { .. } => {
                Contents::WideInteger { lower: None, upper: None }
            }
            Contents::Enumerated { values, items, .. } => Contents::Enumerated { values, items, extensible: true },
            Contents::Bits { lower, trim, .. } => {
                Contents::Bits { lower: if trim.is_some() { lower } else { 0 }, upper: u64::MAX, trim }
            }
            Contents::Octets { .. } => Contents::Octets { lower: 0, upper: u64::MAX },
            Contents::Characters { width, .. } => {
                let greatest = if width == 1 { 0xff } else { 0x0010_ffff };
                Contents::Characters { lower: 0, upper: u64::MAX, width, alphabet: self.numbers(&[0, greatest]) }
            }
            Contents::Utf8 { .. } => Contents::Utf8 { lower: 0, upper: u64::MAX },
            contents => contents,
        }
    }

    /// The grammar depends on the sizes of lists, and a string's on its alphabet.
    fn events(&mut self, node: EventNode) -> EventNode {
        match node {
            EventNode::Integer { number, .. } => {
                let range = match number {
                    Number::Bits { bits, base } => {
                        let lower = i128::from(base);
                        let upper = lower + (1 << bits.min(64)) - 1;
                        let octets = self.layout.octets.to_mut();
                        let (lower, upper) = (Bound::new(lower, octets), Bound::new(upper, octets));
                        Node::Integer { form: Form::Signed, lower, upper }
                    }
                    Number::Unsigned => Node::Integer { form: Form::Signed, lower: Bound(0), upper: Bound::NONE },
                    Number::Signed => Node::Integer { form: Form::Signed, lower: Bound::NONE, upper: Bound::NONE },
                };
                EventNode::Integer { range: self.push(range), number }
            }
            EventNode::Octets { .. } => EventNode::Octets { lower: 0, upper: u64::MAX },
            EventNode::Bits { lower, upper, trim, code } if lower != upper && !trim => {
                EventNode::Bits { lower: 0, upper: u64::MAX, trim, code }
            }
            EventNode::Text { alphabet, .. } => EventNode::Text { lower: 0, upper: u64::MAX, alphabet },
            node => node,
        }
    }

    fn cbor(&mut self, node: CborNode) -> Node {
        let (lower, upper) = (0, u64::MAX);
        Node::Cbor(match node {
            CborNode::Integer { .. } | CborNode::WideInteger { .. } => {
                CborNode::Integer { lower: i128::MIN, upper: i128::MAX }
            }
            CborNode::Item { values, items, .. } => CborNode::Item { values, items, extensible: true },
            CborNode::Bits { fixed: None, trim: false, .. } => {
                CborNode::Bits { fixed: None, lower, upper, trim: false }
            }
            CborNode::Octets { .. } => CborNode::Octets { lower, upper },
            CborNode::Text { .. } => CborNode::Text { lower, upper, alphabet: Span::default() },
            CborNode::Array { element, sorted, .. } => CborNode::Array { lower, upper, element, sorted },
            CborNode::Embedded { .. } => return self.with_octets(Node::Cbor(node)),
            node => node,
        })
    }
}

/// The greatest number of a field.
fn greatest(width: Width) -> u64 {
    let bits = match width {
        Width::Anywhere(bits) | Width::Aligned(bits) => bits,
        Width::Counted { bits, .. } => 8 << bits.min(3),
    };
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// The numbers that a word of this width can be.
fn word(width: Width, form: Form, lower: i128, upper: i128) -> (i128, i128) {
    let greatest = i128::from(greatest(width));
    match (form, width) {
        (Form::Offset, _) => (lower, lower.saturating_add(greatest)),
        (Form::Signed, Width::Anywhere(1..=64)) => (-(greatest / 2) - 1, greatest / 2),
        (Form::Unsigned, _) => (0, greatest),
        _ => (lower, upper),
    }
}

fn fields(node: FieldNode) -> FieldNode {
    match node {
        FieldNode::Repeated { key, element, packed, .. } => {
            FieldNode::Repeated { key, element, lower: 0, upper: u64::MAX, packed }
        }
        FieldNode::Number { sign: Sign::Unsigned, .. } => {
            FieldNode::Number { sign: Sign::Unsigned, lower: 0, upper: u64::MAX.into() }
        }
        FieldNode::Number { sign, .. } => FieldNode::Number { sign, lower: i64::MIN.into(), upper: i64::MAX.into() },
        FieldNode::Item { values, items, .. } => FieldNode::Item { values, items, extensible: true },
        node => node,
    }
}

fn xml(node: XmlNode) -> XmlNode {
    match node {
        XmlNode::Elements { lower, upper, element, sorted, spaced, .. } => {
            XmlNode::Elements { lower, upper, element, extensible: true, sorted, spaced }
        }
        XmlNode::Decimal { range, names, .. } => XmlNode::Decimal { range, extensible: true, names },
        XmlNode::Binary { lower, upper, trim, .. } => XmlNode::Binary { lower, upper, extensible: true, trim },
        XmlNode::OctetDigits { lower, upper, base64, contains, .. } => {
            XmlNode::OctetDigits { lower, upper, extensible: true, base64, contains }
        }
        XmlNode::CharacterData { lower, upper, pattern, controls, space, .. } if pattern.is_empty() => {
            let alphabet = Span::default();
            XmlNode::CharacterData { lower, upper, alphabet, pattern, extensible: true, controls, space }
        }
        node => node,
    }
}

fn json(node: JsonNode) -> JsonNode {
    let (lower, upper) = (0, u64::MAX);
    match node {
        JsonNode::Number { .. } => JsonNode::Number { lower: i128::MIN, upper: i128::MAX },
        JsonNode::Item { root, additions, items } => {
            JsonNode::Item { root, additions: Some(additions.unwrap_or(0)), items }
        }
        JsonNode::BitDigits { fixed: None, trim: false, .. } => {
            JsonNode::BitDigits { fixed: None, lower, upper, trim: false }
        }
        JsonNode::Digits { .. } => JsonNode::Digits { lower, upper },
        JsonNode::Quoted { .. } => JsonNode::Quoted { lower, upper, alphabet: Span::default() },
        JsonNode::Array { element, .. } => JsonNode::Array { lower, upper, element },
        node => node,
    }
}

/// The alphabet, and U+FFFD for each index that no character has.
fn spare_characters(greatest: u32, alphabet: &[u32]) -> Vec<u32> {
    const MOST: u32 = 1 << 16;
    const REPLACEMENT: u32 = 0xfffd;
    let mut all = alphabet.to_vec();
    let known: u32 = all.chunks_exact(2).map(|range| (range[1] - range[0]).saturating_add(1)).sum();
    if greatest < MOST {
        (known..=greatest).for_each(|_| all.extend([REPLACEMENT; 2]));
    }
    all
}

fn vectors(node: VectorNode) -> VectorNode {
    let greatest = |field| if field == 0 { u64::MAX } else { greatest(Width::Anywhere(u32::from(field))) };
    match node {
        VectorNode::Item { bits, values, items, .. } => VectorNode::Item { bits, extensible: true, values, items },
        VectorNode::Octets { field, .. } => VectorNode::Octets { field, lower: 0, upper: greatest(field) },
        VectorNode::Vector { field, element, .. } => {
            let ceiling = greatest(field);
            VectorNode::Vector { field, floor: 0, ceiling, lower: 0, upper: u32::MAX, element }
        }
        node => node,
    }
}
