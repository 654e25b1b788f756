//! The unknown members of an object in which a mandatory one is absent: a misspelt name explains
//! both.

use roadwire_layout::{JsonNode, Layout, Member, Node, NodeId};
use roadwire_wire::Step;
use roadwire_wire::names::nearest;
use roadwire_wire::rt::json;

use crate::names::clip;

/// The most members that are named.
const SHOWN: usize = 3;

/// The unknown members of the object at `at`, of which the last step of `path` names an absent one:
/// the one most like this, or the first few.
pub(crate) fn unknown_members<'n>(
    layout: &'n Layout,
    text: &[u8],
    at: usize,
    path: impl Iterator<Item = Step<'n>>,
) -> Vec<String> {
    let Some((absent, members)) = object(layout, path) else { return Vec::new() };
    let is_known = |name: &str| members.iter().any(|member| layout.name(member.name) == name);
    let unknown: Vec<String> = Members { text, at, first: true }.filter(|name| !is_known(name)).collect();
    let near = nearest(absent, unknown.iter().map(String::as_str), 1);
    match near[..] {
        [name] => vec![clip(name)],
        _ => unknown.iter().take(SHOWN).map(|name| clip(name)).collect(),
    }
}

/// The absent member's name, and the members of its type.
fn object<'n>(layout: &'n Layout, path: impl Iterator<Item = Step<'n>>) -> Option<(&'n str, &'n [Member])> {
    let mut node = layout.root;
    let mut found = None;
    for step in path {
        (node, found) = match (inside(layout, node)?, step) {
            (JsonNode::Object { members, .. }, Step::Name(name)) => {
                let members = layout.members(*members);
                let member = members.iter().find(|member| layout.name(member.name) == name)?;
                (member.node, Some((name, members)))
            }
            (JsonNode::Single { alternatives, .. }, Step::Name(name)) => {
                let all = layout.alternatives(*alternatives);
                (all.iter().find(|one| layout.name(one.name) == name)?.node, None)
            }
            (JsonNode::Array { element, .. }, Step::Index(_)) => (*element, None),
            _ => return None,
        };
    }
    found
}

fn inside(layout: &Layout, node: NodeId) -> Option<&JsonNode> {
    match layout.nodes.get(node.0 as usize)? {
        Node::Json(JsonNode::Document { content } | JsonNode::Conditional { object: content, .. }) => {
            inside(layout, *content)
        }
        Node::Json(node) => Some(node),
        _ => None,
    }
}

/// The names of an object's members; it ends where the text is not JSON.
struct Members<'t> {
    text: &'t [u8],
    at: usize,
    first: bool,
}

impl Iterator for Members<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let text = self.text;
        let open = json::space(text, self.at);
        let wanted = if std::mem::take(&mut self.first) { b'{' } else { b',' };
        if text.get(open) != Some(&wanted) {
            return None;
        }
        let (name, end) = json::string(text, json::space(text, open + 1)).ok()?;
        let colon = json::space(text, end);
        if text.get(colon) != Some(&b':') {
            return None;
        }
        self.at = json::skip(text, json::space(text, colon + 1)).ok()?;
        Some(name.characters().collect())
    }
}
