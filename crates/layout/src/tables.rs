//! Open types whose content type is selected by another component (X.682 §10), for all encoding
//! rules.

use std::collections::HashSet;

use roadwire_model::data::equal;
use roadwire_model::{Component, Field, Kind, Presence, Table, Type, TypeId};

use crate::build::{Builder, Key};
use crate::cbor::CborNode;
use crate::error::LowerError;
use crate::json::JsonNode;
use crate::{Addition, FieldNode, Member, Node, NodeId, ONLY, Span, TlvNode, XmlNode};

impl<'m> Builder<'m> {
    /// An open type with a table constraint. If nothing selects its row (a simple table constraint,
    /// X.682 §10.6, or a link without a target), its octets are not decoded, unless there is only
    /// one: a type constraint has one (X.680 §51.6).
    pub(crate) fn open_type(
        &mut self,
        table: &'m Table,
        mut lower: impl FnMut(&mut Self, TypeId) -> Result<NodeId, LowerError>,
    ) -> Result<Node, LowerError> {
        if let Some(inner) = table.only() {
            let rows = vec![lower(self, inner)?.0];
            return Ok(Node::Table { slot: ONLY, rows: self.numbers(rows) });
        }
        let Some((scope, path, key)) = self.governor(table) else { return Ok(Node::Open) };
        let absent = match &key.presence {
            Presence::Default(value) if path.len() == 1 && self.has_passed(scope, path[0] as usize) => {
                table.rows.iter().position(|(row, _)| equal(self.model, key.type_id, row, value))
            }
            _ => None,
        };
        let slot = self.slots;
        self.slots += 1;
        let keys: Result<Vec<u32>, _> =
            table.rows.iter().map(|(value, _)| self.default_value(key.type_id, value)).collect();
        let keys = self.numbers(keys?);
        self.scopes[scope].keys.push(Key { slot, path, rows: keys, absent: absent.map(|row| row as u32) });
        self.reach = self.reach.min(scope);
        let rows: Result<Vec<u32>, _> =
            table.rows.iter().map(|(_, inner)| lower(self, *inner).map(|node| node.0)).collect();
        let rows = self.numbers(rows?);
        Ok(Node::Table { slot, rows })
    }

    /// Whether an open type in this type, but in no record of it, has its row selected.
    pub(crate) fn is_selected_outside(&self, id: TypeId) -> bool {
        let (mut inside, mut seen) = (vec![id], HashSet::new());
        while let Some(id) = inside.pop() {
            if !seen.insert(id) {
                continue;
            }
            match &self.model.get(id).kind {
                Kind::Open { table: Some(table) } if table.only().is_none() && !table.link.is_empty() => return true,
                Kind::Choice { alternatives, .. } => inside.extend(alternatives.iter().map(|one| one.type_id)),
                Kind::SequenceOf { element, .. } => inside.push(*element),
                kind => inside.extend(kind.contained()),
            }
        }
        false
    }

    /// The node of a type whose values, without regard to what they contain, have the node `node`
    /// (X.682 §11).
    pub(crate) fn containing(
        &mut self,
        node: Node,
        this: &'m Type,
        lower: impl FnOnce(&mut Self, TypeId) -> Result<NodeId, LowerError>,
    ) -> Result<Node, LowerError> {
        let Some(content) = this.kind.contained().filter(|_| self.contents) else { return Ok(node) };
        let string = self.add(node);
        let bits = matches!(this.kind, Kind::BitString { .. });
        Ok(Node::Contained { string, content: lower(self, content)?, bits })
    }

    /// Notes that component `at` of the innermost record is being lowered.
    pub(crate) fn reached(&mut self, at: usize) {
        self.scopes.last_mut().into_iter().for_each(|scope| scope.at = Some(at));
    }

    /// Whether a key of this scope's record always precedes the component being lowered. Not in a
    /// SET, nor where some rules put additions after the whole root, and others before the second
    /// part of it.
    fn has_passed(&self, scope: usize, key: usize) -> bool {
        let scope = &self.scopes[scope];
        let (Some(at), Kind::Sequence { set, components, .. }) = (scope.at, &self.model.get(scope.id).kind) else {
            return true;
        };
        let is_root = |at: usize| components.get(at).is_none_or(|component| component.field == Field::Root);
        !set && key < at && (is_root(key) || !is_root(at))
    }

    /// The component to which a table's link leads: the scope where the path starts, the component
    /// indexes along it, and the component.
    fn governor(&self, table: &Table) -> Option<(usize, Vec<u32>, &'m Component)> {
        let scope = self.scopes.len().checked_sub(table.level as usize + 1)?;
        let (path, key) = self.follow(self.scopes[scope].id, &table.link)?;
        Some((scope, path, key))
    }

    fn follow(&self, mut id: TypeId, link: &[String]) -> Option<(Vec<u32>, &'m Component)> {
        let mut path = Vec::new();
        let mut last = None;
        for name in link {
            let components = loop {
                match &self.model.get(id).kind {
                    Kind::Sequence { components, .. } => break components,
                    Kind::External(inner) => id = *inner,
                    _ => return None,
                }
            };
            let at = components.iter().position(|component| component.name == *name)?;
            path.push(u32::try_from(at).ok()?);
            id = components[at].type_id;
            last = Some(&components[at]);
        }
        Some((path, last?))
    }

    /// Puts the keys into a record, and the record into a scope.
    pub(crate) fn scope(&mut self, record: Node, keys: &[Key]) -> Node {
        if keys.is_empty() {
            return record;
        }
        let mut record = record;
        for key in keys {
            record = self.with_key(record, &key.path, key).unwrap_or(record);
        }
        let record = self.add(record);
        let slots: Vec<u32> = keys.iter().flat_map(|key| [key.slot, key.absent.unwrap_or(u32::MAX)]).collect();
        let slots = self.numbers(slots);
        Node::Scope { record, slots }
    }

    /// A copy of a record in which the component at the end of `path` is a key; `None` if there is
    /// no such component.
    fn with_key(&mut self, node: Node, path: &[u32], key: &Key) -> Option<Node> {
        match node {
            Node::Scope { record, slots } => {
                let record = self.with_key(self.node(record), path, key)?;
                Some(Node::Scope { record: self.add(record), slots })
            }
            Node::Record { extensible, components, bitmap, padding, members, additions } => {
                let (members, additions) = self.replace(members, additions, path, key)?;
                Some(Node::Record { extensible, components, bitmap, padding, members, additions })
            }
            Node::Tlv(TlvNode::Tagged { identifier, contents, indefinite }) => {
                let inner = self.with_key(self.node(contents), path, key)?;
                Some(Node::Tlv(TlvNode::Tagged { identifier, contents: self.add(inner), indefinite }))
            }
            Node::Tlv(TlvNode::Record { members, additions, known, groups, order }) => {
                let (members, _) = self.replace(members, Span::default(), path, key)?;
                Some(Node::Tlv(TlvNode::Record { members, additions, known, groups, order }))
            }
            Node::Json(JsonNode::Object { components, members, groups, additions, extensible, others, .. }) => {
                let (members, _) = self.replace(members, Span::default(), path, key)?;
                let keyed = true;
                let object = JsonNode::Object { components, members, groups, additions, extensible, others, keyed };
                Some(Node::Json(object))
            }
            Node::Cbor(CborNode::Map { components, extensible, members, additions }) => {
                let (members, additions) = self.replace(members, additions, path, key)?;
                Some(Node::Cbor(CborNode::Map { components, extensible, members, additions }))
            }
            Node::Fields(field) => self.with_key_in_fields(field, path, key),
            Node::Xml(XmlNode::Tags { name, namespace, content }) => {
                let inner = self.with_key(self.node(content), path, key)?;
                Some(Node::Xml(XmlNode::Tags { name, namespace, content: self.add(inner) }))
            }
            Node::Xml(XmlNode::Components { .. }) => self.with_key_in_xml(node, path, key),
            _ => None,
        }
    }

    fn with_key_in_fields(&mut self, node: FieldNode, path: &[u32], key: &Key) -> Option<Node> {
        let mut node = node;
        match &mut node {
            FieldNode::Single { content, .. } | FieldNode::Delimited { content } => {
                let inner = self.with_key(self.node(*content), path, key)?;
                *content = self.add(inner);
            }
            FieldNode::Message { members, .. } => (*members, _) = self.replace(*members, Span::default(), path, key)?,
            _ => return None,
        }
        Some(Node::Fields(node))
    }

    fn with_key_in_xml(&mut self, node: Node, path: &[u32], key: &Key) -> Option<Node> {
        let Node::Xml(mut node) = node else { return None };
        let XmlNode::Components { attributes, members, additions, .. } = &mut node else { return None };
        match self.replace(*attributes, Span::default(), path, key) {
            Some((found, _)) => *attributes = found,
            None => (*members, *additions) = self.replace(*members, *additions, path, key)?,
        }
        Some(Node::Xml(node))
    }

    fn replace(&mut self, members: Span, additions: Span, path: &[u32], key: &Key) -> Option<(Span, Span)> {
        let (first, rest) = path.split_first()?;
        let mut list = self.members_of(members);
        if let Some(member) = list.iter_mut().find(|member| member.component == *first) {
            self.mark(member, rest, key)?;
            return Some((self.members(list), additions));
        }
        let mut list = self.additions_of(additions);
        for addition in &mut list {
            match addition {
                Addition::Single(member) if member.component == *first => self.mark(member, rest, key)?,
                Addition::Group(group) => match self.with_key(self.node(*group), path, key) {
                    Some(node) => *group = self.add(node),
                    None => continue,
                },
                Addition::Single(_) => continue,
            }
            return Some((members, self.additions(list)));
        }
        None
    }

    fn mark(&mut self, member: &mut Member, rest: &[u32], key: &Key) -> Option<()> {
        let node = if rest.is_empty() {
            Node::Key { node: member.node, slot: key.slot, keys: key.rows }
        } else {
            self.with_key(self.node(member.node), rest, key)?
        };
        member.node = self.add(node);
        Some(())
    }
}
