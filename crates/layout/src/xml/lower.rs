//! XML encoding rules (X.693): basic, canonical and extended.
//!
//! Basic XER leaves much to the encoder. Ours writes no white space between tags, no components at
//! their DEFAULT, and `<a/>` for an element without content. Canonical XER (§9) has the components
//! at their DEFAULT, those of a SET in the order of their tags, and a SET OF sorted. Extended XER
//! (§10) is basic XER modified by encoding instructions.

mod instructions;
pub(crate) mod leaves;
pub(crate) mod names;

use std::cell::RefCell;

use roadwire_model::{
    Alternative as ModelAlternative, Component, Field, Kind, Model, Presence as ModelPresence, StringKind, Type, TypeId,
};

use self::instructions::Instructions;
use crate::build::{Builder, Scope};
use crate::error::LowerError;
use crate::names::Names;
use crate::{Addition, Alternative, GROUP, Layout, Member, Node, NodeId, Presence, Rules, Span, XmlNode};

pub(crate) fn lower(mut builder: Builder<'_>, root: TypeId, rules: Rules) -> Result<Layout, LowerError> {
    builder.names = Names::of_xml();
    let namespaces = RefCell::default();
    let node = Lowering { rules, namespaces: &namespaces }.document(&mut builder, root)?;
    let name = builder.type_name(root);
    Ok(builder.finish(rules, name, node))
}

#[derive(Clone, Copy)]
struct Lowering<'s> {
    rules: Rules,
    /// The namespaces of the names found so far.
    namespaces: &'s RefCell<Vec<Declared>>,
}

/// A namespace that the document declares.
struct Declared {
    uri: String,
    prefix: String,
    node: NodeId,
}

impl Lowering<'_> {
    fn is_canonical(self) -> bool {
        self.rules == Rules::Cxer
    }

    /// §9.5: canonical XER includes components at their DEFAULT.
    fn is_complete(self, components: &[Component]) -> bool {
        self.is_canonical() && components.iter().any(|one| matches!(one.presence, ModelPresence::Default(_)))
    }

    /// The instructions of a type, which only extended XER follows.
    fn instructions(self, builder: &Builder<'_>, id: TypeId) -> Result<Instructions, LowerError> {
        if self.rules == Rules::Exer { Instructions::of(builder.model, id) } else { Ok(Instructions::default()) }
    }

    /// §8.1.1: a prolog, and one element with the type's name.
    fn document(self, builder: &mut Builder<'_>, root: TypeId) -> Result<NodeId, LowerError> {
        let element = self.typed(builder, root)?;
        let declared: Vec<u32> = self.namespaces.borrow().iter().map(|one| one.node.0).collect();
        let namespaces = builder.numbers(declared);
        Ok(builder.add(Node::Xml(XmlNode::Prolog { element, namespaces })))
    }

    /// §29: the namespace of a name, with the prefix from NAMESPACE unless another namespace has
    /// it.
    fn namespace(self, builder: &mut Builder<'_>, instructions: &Instructions) -> Option<NodeId> {
        let (uri, wanted) = instructions.namespace.as_ref()?;
        let mut declared = self.namespaces.borrow_mut();
        if let Some(known) = declared.iter().find(|one| one.uri == *uri) {
            return Some(known.node);
        }
        let is_free = |prefix: &String| declared.iter().all(|one| one.prefix != *prefix);
        let made_up = (1..).map(|number| format!("ns{number}"));
        let prefix = wanted.clone().into_iter().chain(made_up).find(is_free)?;
        let names = (builder.name(&prefix), builder.name(uri));
        let node = builder.add(Node::Xml(XmlNode::Namespace { prefix: names.0, uri: names.1 }));
        declared.push(Declared { uri: uri.clone(), prefix, node });
        Some(node)
    }

    /// A value in tags with the name of its type (X.680 §16.2).
    fn typed(self, builder: &mut Builder<'_>, id: TypeId) -> Result<NodeId, LowerError> {
        let is_extended = self.rules == Rules::Exer;
        let instructions =
            if is_extended { Instructions::of_name(builder.model, id)? } else { Instructions::default() };
        let name = names::of_type(builder.model, id);
        let name = instructions.name.as_ref().map_or(name.clone(), |naming| naming.of(&name));
        self.tags(builder, &name, &instructions, id)
    }

    fn tags(
        self,
        builder: &mut Builder<'_>,
        name: &str,
        instructions: &Instructions,
        id: TypeId,
    ) -> Result<NodeId, LowerError> {
        let (name, namespace) = (builder.name(name), self.namespace(builder, instructions));
        let mut content = self.content(builder, id)?;
        if let Some(text) = &instructions.default_for_empty {
            let value = leaves::default_for_empty(builder, id, text)?;
            content = builder.add(Node::Xml(XmlNode::OrEmpty { content, value }));
        }
        Ok(builder.add(Node::Xml(XmlNode::Tags { name, namespace, content })))
    }

    /// A value without tags around it.
    fn content(self, builder: &mut Builder<'_>, id: TypeId) -> Result<NodeId, LowerError> {
        // Each use of a type may have its own encoding instructions.
        let (model, plain) = (builder.model, builder.model.untagged(id));
        let is_plain = self.rules != Rules::Exer || model.get(id).instructions == model.get(plain).instructions;
        let id = if is_plain { plain } else { id };
        builder.node_of(id, |builder, this| {
            let node = self.kind(builder, id, this)?;
            builder.containing(node, this, |builder, id| self.typed(builder, id))
        })
    }

    fn kind<'m>(self, builder: &mut Builder<'m>, id: TypeId, this: &'m Type) -> Result<Node, LowerError> {
        Ok(Node::Xml(match &this.kind {
            Kind::Sequence { set, components, extensible } => {
                return self.record(builder, id, *set, components, *extensible);
            }
            Kind::SequenceOf { set, element, element_name, size } => {
                let Instructions { list: spaced, modified, .. } = self.instructions(builder, id)?;
                XmlNode::Elements {
                    lower: size.lower,
                    upper: size.upper.unwrap_or(u64::MAX),
                    element: match spaced {
                        true => self.word(builder, *element)?,
                        false => self.item(builder, *element, element_name.as_deref(), modified)?,
                    },
                    extensible: size.extensible,
                    sorted: *set && self.is_canonical(),
                    spaced,
                }
            }
            Kind::Choice { alternatives, extensible } => self.choice(builder, alternatives, *extensible)?,
            Kind::Open { table: Some(table) } => {
                match builder.open_type(table, |builder, row| self.typed(builder, row))? {
                    Node::Table { slot, rows } => XmlNode::Typed { slot, rows },
                    _ => leaves::open(),
                }
            }
            Kind::Open { table: None } => leaves::open(),
            Kind::External(sequence) => {
                let inner = builder.model.get(*sequence);
                return self.kind(builder, *sequence, inner);
            }
            _ => leaves::leaf(builder, this, &self.instructions(builder, id)?, self.is_canonical()),
        }))
    }

    /// §27: an element of a list with white space between its elements.
    fn word(self, builder: &mut Builder<'_>, id: TypeId) -> Result<NodeId, LowerError> {
        let node = self.as_text(builder, id)?;
        match builder.node(node) {
            Node::Xml(XmlNode::CharacterData { .. } | XmlNode::OctetDigits { contains: true, .. } | XmlNode::Empty) => {
                Err(LowerError { message: "no lowering yet of LIST on strings".into() })
            }
            _ => Ok(node),
        }
    }

    /// A value that is always text, never an empty element.
    fn as_text(self, builder: &mut Builder<'_>, id: TypeId) -> Result<NodeId, LowerError> {
        let content = self.content(builder, id)?;
        let mut node = builder.node(content);
        if let Node::Contained { string, .. } = node {
            return Ok(string);
        }
        match &mut node {
            Node::Xml(
                XmlNode::TrueFalse { text } | XmlNode::ItemName { text, .. } | XmlNode::Scientific { text, .. },
            ) => {
                *text = true;
            }
            Node::Xml(XmlNode::CharacterData { controls, .. }) => *controls = false,
            Node::Xml(
                XmlNode::Components { .. }
                | XmlNode::OneOf { .. }
                | XmlNode::Typed { .. }
                | XmlNode::Elements { spaced: false, .. },
            ) => {
                return Err(LowerError {
                    message: "ATTRIBUTE or LIST on a type that is not text (X.693 §20, §27)".into(),
                });
            }
            _ => return Ok(content),
        }
        Ok(builder.add(node))
    }

    /// An element of a list (X.680 §26.5, Table 5): a value that already has tags gets no others,
    /// unless it has a name. A value of an open type may be digits without tags (X.681 §14.6), so
    /// each one gets them. With modified encodings all values get them (§26).
    fn item(
        self,
        builder: &mut Builder<'_>,
        id: TypeId,
        name: Option<&str>,
        modified: bool,
    ) -> Result<NodeId, LowerError> {
        let has_tags = !modified
            && matches!(builder.model.get(id).kind, Kind::Boolean | Kind::Enumerated(_) | Kind::Choice { .. });
        match name {
            Some(name) => self.named(builder, name, id),
            None if has_tags => self.content(builder, id),
            None => self.typed(builder, id),
        }
    }

    /// §9.6: in canonical XER the root components of a SET are in the order of their tags, and the
    /// additions follow them.
    fn record<'m>(
        self,
        builder: &mut Builder<'m>,
        id: TypeId,
        set: bool,
        components: &'m [Component],
        extensible: bool,
    ) -> Result<Node, LowerError> {
        builder.scopes.push(Scope { id, at: None, keys: Vec::new() });
        let mut root = Vec::new();
        let mut attributes = Vec::new();
        let mut additions = Vec::new();
        let mut before = None;
        // §25: the first component holds the text between the elements.
        let embedded = self.instructions(builder, id)?.embed_values;
        if embedded && !components.first().is_some_and(|first| is_list_of_texts(builder.model, first)) {
            return Err(LowerError {
                message: "EMBED-VALUES without a SEQUENCE OF UTF8String as first component (X.693 §25.2)".into(),
            });
        }
        let mut at = usize::from(embedded);
        while let Some(component) = components.get(at) {
            let mut end = at + 1;
            if component.field != Field::Root {
                before.get_or_insert(root.len());
            }
            if self.instructions(builder, component.type_id)?.attribute {
                attributes.push(self.attribute(builder, at, component)?);
                at += 1;
                continue;
            }
            match component.field {
                Field::Root => {
                    let tag = builder.smallest_tag(component.type_id, false);
                    root.push((tag, self.member(builder, at, component)?));
                }
                Field::Addition => additions.push(Addition::Single(self.member(builder, at, component)?)),
                Field::Group(group) => {
                    while components.get(end).is_some_and(|next| next.field == Field::Group(group)) {
                        end += 1;
                    }
                    additions.push(Addition::Group(self.group(builder, at, &components[at..end])?));
                }
            }
            at = end;
        }
        let mut before = before.unwrap_or(root.len());
        if set && self.is_canonical() {
            root.sort_by_key(|(tag, _)| *tag);
            before = root.len();
        }
        let record = XmlNode::Components {
            components: index(components.len()),
            attributes: builder.members(attributes),
            members: builder.members(root.into_iter().map(|(_, member)| member).collect()),
            before: index(before),
            additions: builder.additions(additions),
            extensible,
            unordered: set,
            complete: self.is_complete(components),
            embedded,
        };
        let keys = builder.scopes.pop().map_or(Vec::new(), |scope| scope.keys);
        Ok(builder.scope(Node::Xml(record), &keys))
    }

    fn group<'m>(
        self,
        builder: &mut Builder<'m>,
        first: usize,
        components: &'m [Component],
    ) -> Result<NodeId, LowerError> {
        let mut members = Vec::new();
        for (at, component) in components.iter().enumerate() {
            members.push(self.member(builder, first + at, component)?);
        }
        let group = XmlNode::Components {
            components: GROUP,
            attributes: Span::default(),
            before: index(members.len()),
            members: builder.members(members),
            additions: Span::default(),
            extensible: false,
            unordered: false,
            complete: self.is_complete(components),
            embedded: false,
        };
        Ok(builder.add(Node::Xml(group)))
    }

    fn member<'m>(self, builder: &mut Builder<'m>, at: usize, component: &'m Component) -> Result<Member, LowerError> {
        let node = self.named(builder, &component.name, component.type_id)?;
        self.member_of(builder, at, component, node)
    }

    /// §20: a component that is an attribute of the element around it.
    fn attribute<'m>(
        self,
        builder: &mut Builder<'m>,
        at: usize,
        component: &'m Component,
    ) -> Result<Member, LowerError> {
        let instructions = self.instructions(builder, component.type_id)?;
        let name = instructions.name.as_ref().map_or(component.name.clone(), |naming| naming.of(&component.name));
        let content = self.as_text(builder, component.type_id)?;
        let (name, namespace) = (builder.name(&name), self.namespace(builder, &instructions));
        let node = builder.add(Node::Xml(XmlNode::Attribute { name, namespace, content }));
        self.member_of(builder, at, component, node)
    }

    fn member_of<'m>(
        self,
        builder: &mut Builder<'m>,
        at: usize,
        component: &'m Component,
        node: NodeId,
    ) -> Result<Member, LowerError> {
        let presence = match &component.presence {
            ModelPresence::Mandatory => Presence::Mandatory,
            ModelPresence::Optional => Presence::Optional,
            ModelPresence::Default(value) => Presence::Default(builder.default_of(component, value)?),
        };
        Ok(Member { name: builder.name(&component.name), node, component: index(at), presence })
    }

    /// A component or an alternative: in tags with its name, unless it is UNTAGGED (§32).
    fn named(self, builder: &mut Builder<'_>, name: &str, id: TypeId) -> Result<NodeId, LowerError> {
        let instructions = self.instructions(builder, id)?;
        if instructions.untagged {
            return self.content(builder, id);
        }
        match &instructions.name {
            Some(naming) => self.tags(builder, &naming.of(name), &instructions, id),
            None => self.tags(builder, &names::safe(name), &instructions, id),
        }
    }

    /// Alternatives in textual order, additions after the root.
    fn choice<'m>(
        self,
        builder: &mut Builder<'m>,
        all: &'m [ModelAlternative],
        extensible: bool,
    ) -> Result<XmlNode, LowerError> {
        let root = (0..all.len()).filter(|at| !all[*at].addition);
        let count = root.clone().count();
        let mut alternatives = Vec::new();
        for at in root.chain((0..all.len()).filter(|at| all[*at].addition)) {
            let name = builder.name(&all[at].name);
            let node = self.named(builder, &all[at].name, all[at].type_id)?;
            alternatives.push(Alternative { name, node, alternative: index(at) });
        }
        Ok(XmlNode::OneOf { alternatives: builder.alternatives(alternatives), root: index(count), extensible })
    }
}

/// Whether it is the first component that EMBED-VALUES requires.
fn is_list_of_texts(model: &Model, component: &Component) -> bool {
    let is_text = |id: TypeId| matches!(model.get(id).kind, Kind::String { kind: StringKind::Utf8, .. });
    let is_list =
        matches!(model.get(component.type_id).kind, Kind::SequenceOf { set: false, element, .. } if is_text(element));
    is_list && component.presence == ModelPresence::Mandatory && component.field == Field::Root
}

fn index(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32 components")
}
