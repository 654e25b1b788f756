//! The order of components in SEQUENCE, SET and CHOICE, for all encoding rules whose components
//! have no tags.

use roadwire_model::{
    Alphabet, Alternative as ModelAlternative, Component, Field, Kind, Presence as ModelPresence, StringKind, Tag,
    TypeId,
};

use crate::build::{Builder, Scope};
use crate::error::LowerError;
use crate::{Addition, Alternative, GROUP, Member, Node, NodeId, Presence};

/// Lowers a type under the current rules.
pub(crate) type TypeNode<'m> = fn(&mut Builder<'m>, TypeId) -> Result<NodeId, LowerError>;

impl<'m> Builder<'m> {
    /// A SEQUENCE, or a SET, whose root components are in the canonical order of their tags (X.691
    /// §21, X.696 §18).
    pub(crate) fn record(
        &mut self,
        id: TypeId,
        set: bool,
        components: &'m [Component],
        extensible: bool,
        type_node: TypeNode<'m>,
    ) -> Result<Node, LowerError> {
        self.scopes.push(Scope { id, at: None, keys: Vec::new() });
        let (mut members, additions) = self.parts(components, type_node, Self::group)?;
        if set {
            members
                .sort_by_cached_key(|member| self.smallest_tag(components[member.component as usize].type_id, false));
        }
        let (bitmap, padding) = self.bitmap(&members, extensible)?;
        let members = self.members(members);
        let additions = self.additions(additions);
        let components = to_u32(components.len());
        let record = Node::Record { extensible, components, bitmap, padding, members, additions };
        let keys = self.scopes.pop().map_or(Vec::new(), |scope| scope.keys);
        Ok(self.scope(record, &keys))
    }

    /// The components of the root, and the additions, in textual order. Of the members of a group,
    /// `group` makes a node.
    pub(crate) fn parts(
        &mut self,
        components: &'m [Component],
        type_node: TypeNode<'m>,
        group: fn(&mut Self, Vec<Member>) -> Result<NodeId, LowerError>,
    ) -> Result<(Vec<Member>, Vec<Addition>), LowerError> {
        let (mut root, mut additions) = (Vec::new(), Vec::new());
        let mut at = 0;
        while let Some(component) = components.get(at) {
            let mut end = at + 1;
            match component.field {
                Field::Root => root.push(self.member(at, component, type_node)?),
                Field::Addition => additions.push(Addition::Single(self.member(at, component, type_node)?)),
                Field::Group(number) => {
                    while components.get(end).is_some_and(|next| next.field == Field::Group(number)) {
                        end += 1;
                    }
                    let each = (at..end).map(|at| self.member(at, &components[at], type_node));
                    let members = each.collect::<Result<_, _>>()?;
                    additions.push(Addition::Group(group(self, members)?));
                }
            }
            at = end;
        }
        Ok((root, additions))
    }

    /// A group is encoded as a SEQUENCE (X.691 §19.9, X.696 §16.5).
    fn group(&mut self, members: Vec<Member>) -> Result<NodeId, LowerError> {
        let (bitmap, padding) = self.bitmap(&members, false)?;
        let members = self.members(members);
        let additions = self.additions(Vec::new());
        Ok(self.add(Node::Record { extensible: false, components: GROUP, bitmap, padding, members, additions }))
    }

    /// How many presence bits there are, and how many zero bits pad them.
    pub(crate) fn bitmap(&self, members: &[Member], extensible: bool) -> Result<(u16, u8), LowerError> {
        let optional = members.iter().filter(|member| member.presence != Presence::Mandatory).count();
        // X.691 §19.3: above 64K the bitmap would be fragmented.
        let bitmap = u16::try_from(optional)
            .map_err(|_| LowerError { message: "a type with 64K optional components or more".into() })?;
        let bits = optional + usize::from(extensible);
        Ok((bitmap, (bits.next_multiple_of(self.bitmap_unit) - bits) as u8))
    }

    fn member(&mut self, at: usize, component: &'m Component, type_node: TypeNode<'m>) -> Result<Member, LowerError> {
        let presence = match &component.presence {
            ModelPresence::Mandatory => Presence::Mandatory,
            ModelPresence::Optional => Presence::Optional,
            ModelPresence::Default(value) => Presence::Default(self.default_of(component, value)?),
        };
        let name = self.name(&component.name);
        self.reached(at);
        Ok(Member { name, node: type_node(self, component.type_id)?, component: to_u32(at), presence })
    }

    /// A CHOICE's alternatives: those of the root in the canonical order of their tags, how many
    /// those are, and then the additions.
    pub(crate) fn ordered(&self, all: &'m [ModelAlternative]) -> (Vec<usize>, u32) {
        let mut order: Vec<usize> = (0..all.len()).filter(|at| !all[*at].addition).collect();
        order.sort_by_key(|at| self.smallest_tag(all[*at].type_id, false));
        let root = to_u32(order.len());
        order.extend((0..all.len()).filter(|at| all[*at].addition));
        (order, root)
    }

    /// Alternative `at` in textual order.
    pub(crate) fn alternative(
        &mut self,
        all: &'m [ModelAlternative],
        at: usize,
        type_node: TypeNode<'m>,
    ) -> Result<Alternative, LowerError> {
        let name = self.name(&all[at].name);
        Ok(Alternative { name, node: type_node(self, all[at].type_id)?, alternative: to_u32(at) })
    }

    /// The tag that orders a type among others (X.680 §8.6): an untagged CHOICE has the smallest of
    /// its root alternatives' (X.691 §23.3, X.693 §9.6), or of all of them (X.690 §9.3).
    pub(crate) fn smallest_tag(&self, id: TypeId, additions: bool) -> Option<Tag> {
        // All types except untagged CHOICEs and open types: no need to track visited types.
        if let Some(tag) = self.model.get(id).tags.first() {
            return Some(*tag);
        }
        let mut open = vec![id];
        let mut seen = std::collections::HashSet::new();
        let mut smallest: Option<Tag> = None;
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let this = self.model.get(id);
            match (this.tags.first(), &this.kind) {
                (Some(tag), _) => smallest = Some(smallest.map_or(*tag, |other| other.min(*tag))),
                (None, Kind::Choice { alternatives, .. }) => {
                    open.extend(alternatives.iter().filter(|a| additions || !a.addition).map(|a| a.type_id));
                }
                (None, _) => {}
            }
        }
        smallest
    }
}

/// The characters that a string type permits; `None` for all. Types of no known repertoire have a
/// character for each octet, but for UTF8String.
pub(crate) fn permitted(kind: StringKind, alphabet: Option<&Alphabet>) -> Option<Vec<(u32, u32)>> {
    let own = || repertoire(kind).map(|alphabet| alphabet.ranges);
    let latin = || (kind != StringKind::Utf8).then(|| vec![(0, 0xff)]);
    alphabet.map(|alphabet| alphabet.ranges.clone()).or_else(own).or_else(latin)
}

/// The characters of the known-multiplier types; `None` for the others.
pub(crate) fn repertoire(kind: StringKind) -> Option<Alphabet> {
    let ranges: &[(u8, u8)] = match kind {
        StringKind::Numeric => &[(b' ', b' '), (b'0', b'9')],
        StringKind::Printable => {
            &[(b' ', b' '), (b'\'', b')'), (b'+', b':'), (b'=', b'='), (b'?', b'?'), (b'A', b'Z'), (b'a', b'z')]
        }
        StringKind::Ia5 => &[(0, 127)],
        StringKind::Visible => &[(b' ', b'~')],
        StringKind::Bmp => return Some(Alphabet { ranges: vec![(0, 0xffff)] }),
        // §30.5.3: the full repertoire counts as 2^32 characters.
        StringKind::Universal => return Some(Alphabet { ranges: vec![(0, u32::MAX)] }),
        _ => return None,
    };
    Some(Alphabet { ranges: ranges.iter().map(|(first, last)| (u32::from(*first), u32::from(*last))).collect() })
}

pub(crate) fn to_u32(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32 components")
}
