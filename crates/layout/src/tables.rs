//! Open types whose content another component tells (X.682 §10): the same under all encoding rules.

use roadwire_model::data::equal;
use roadwire_model::{Component, Field, Kind, Presence, Table, TypeId};

use crate::build::{Builder, Key, Scope};
use crate::json::JsonNode;
use crate::lower::LowerError;
use crate::{Addition, FieldNode, Member, Node, NodeId, Span, XmlNode};

impl<'m> Builder<'m> {
    /// An open type with a table constraint. Where nothing tells its row (a simple table constraint, X.682 §10.6, or a link that leads nowhere), its octets stay as they are.
    pub(crate) fn open_type(
        &mut self,
        table: &'m Table,
        mut lower: impl FnMut(&mut Self, TypeId) -> Result<NodeId, LowerError>,
    ) -> Result<Node, LowerError> {
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

    /// Lowering has come to this component of the innermost record.
    pub(crate) fn reached(&mut self, at: usize) {
        self.scopes.last_mut().into_iter().for_each(|scope| scope.at = Some(at));
    }

    /// Whether it is known whether a component of this scope's record is absent when the component being lowered is met. Not in a SET, nor where additions lie
    /// behind the root under some rules and before the rest of it under others.
    fn has_passed(&self, scope: usize, key: usize) -> bool {
        let scope = &self.scopes[scope];
        let (Some(at), Kind::Sequence { set, components, .. }) = (scope.at, &self.model.get(scope.id).kind) else {
            return true;
        };
        let is_root = |at: usize| components.get(at).is_none_or(|component| component.field == Field::Root);
        !set && key < at && (is_root(key) || !is_root(at))
    }

    /// The component that a table's link leads to: the scope where it starts, and the places of components from there.
    fn governor(&self, table: &Table) -> Option<(usize, Vec<u32>, &'m Component)> {
        let from = |scope: usize| {
            let (path, key) = self.follow(self.scopes.get(scope)?.id, &table.link)?;
            Some((scope, path, key))
        };
        match table.level {
            Some(level) => from(self.scopes.len().checked_sub(level as usize + 1)?),
            None => (self.definition()..self.scopes.len()).chain(0..self.scopes.len()).find_map(from),
        }
    }

    /// The outermost scope of the type definition that is being lowered.
    fn definition(&self) -> usize {
        let named = |scope: &Scope| {
            let this = self.model.get(scope.id);
            this.name.is_some() || this.reference.is_some()
        };
        self.scopes.iter().rposition(named).unwrap_or(0)
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

    /// A copy of a record in which the component at the end of `path` is a key; `None` where there is no such component.
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
            Node::Tagged { identifier, contents, indefinite } => {
                let inner = self.with_key(self.node(contents), path, key)?;
                Some(Node::Tagged { identifier, contents: self.add(inner), indefinite })
            }
            Node::TaggedRecord { members, additions, known, groups, order } => {
                let (members, _) = self.replace(members, Span::default(), path, key)?;
                Some(Node::TaggedRecord { members, additions, known, groups, order })
            }
            Node::Json(JsonNode::Object { components, members, groups, additions, extensible, others, .. }) => {
                let (members, _) = self.replace(members, Span::default(), path, key)?;
                let keyed = true;
                let object = JsonNode::Object { components, members, groups, additions, extensible, others, keyed };
                Some(Node::Json(object))
            }
            Node::Keyed(field) => self.with_key_in_fields(field, path, key),
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
        Some(Node::Keyed(node))
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
