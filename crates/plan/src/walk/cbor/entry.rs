//! The entries of a map: components and addition groups after their keys.

use roadwire_layout::{Addition, CborNode, Layout, Member, Node, NodeId, Presence, Span};

/// The content of a key.
#[derive(Clone, Copy)]
pub(super) enum Content<'a> {
    Member(&'a Member),
    Group(&'a [Member]),
}

/// An entry of a map.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    pub(super) key: u64,
    pub(super) content: Content<'a>,
    pub(super) may_be_absent: bool,
}

impl<'a> Entry<'a> {
    pub(super) fn members(&self) -> &'a [Member] {
        match self.content {
            Content::Member(member) => std::slice::from_ref(member),
            Content::Group(members) => members,
        }
    }
}

/// The entries of a map in the order of their keys.
pub(super) fn entries(layout: &Layout, members: Span, additions: Span) -> Vec<Entry<'_>> {
    let members = layout.members(members).iter().map(|member| (Content::Member(member), !is_mandatory(member)));
    let additions = layout.additions(additions).iter().map(|addition| match addition {
        Addition::Single(member) => (Content::Member(member), true),
        Addition::Group(group) => (Content::Group(group_members(layout, *group)), true),
    });
    let all = members.chain(additions);
    (0..).zip(all).map(|(key, (content, may_be_absent))| Entry { key, content, may_be_absent }).collect()
}

/// The entries of an addition group's map.
pub(super) fn group_entries(members: &[Member]) -> Vec<Entry<'_>> {
    let of = |(key, member)| Entry { key, content: Content::Member(member), may_be_absent: !is_mandatory(member) };
    (0..).zip(members).map(of).collect()
}

fn group_members(layout: &Layout, group: NodeId) -> &[Member] {
    match *layout.node(group) {
        Node::Cbor(CborNode::Map { members, .. }) => layout.members(members),
        _ => &[],
    }
}

pub(super) fn is_mandatory(member: &Member) -> bool {
    member.presence == Presence::Mandatory
}
