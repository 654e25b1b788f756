//! XML documents: tags are constants, in the one form that is written. Decoders read this form, without white space and attributes.
//!
//! Left to the interpreter, besides what all straight-line code leaves to it: attributes, components and alternatives without tags, real numbers, object
//! identifiers, open types, times, bit strings that are long or have named bits, octet strings in base 64 or with an extension marker, and insignificant white space.

use roadwire_layout::{Layout, Member, Node, NodeId, Rules, Span, XmlNode, XmlSpace};
use roadwire_model::{Alternative, Field, Kind, Presence, TypeId};

use super::text::{leaves, number, put_alternatives, refuse_other_lengths, take_alternatives};
use crate::plan::{Arg, Component, Cond, Draft, Element, Num, Place, Prim, Stmt, Str, Text};
use crate::types::{Repr, Storage, Types};

/// The body of a function.
pub(crate) fn body(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId) {
    let (id, layout) = (draft.types.canonical(id), draft.layout);
    match tags(layout, node) {
        Some((name, content)) => element(draft, name, content, |draft| structure(draft, id, content, &Place::value())),
        None => structure(draft, id, node, &Place::value()),
    }
}

fn value(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId, place: &Place) {
    let layout = draft.layout;
    match tags(layout, node) {
        Some((name, content)) => element(draft, name, content, |draft| part(draft, id, content, place)),
        None => part(draft, id, node, place),
    }
}

fn element<'a, 'm>(draft: &mut Draft<'a, 'm>, name: &str, content: NodeId, inside: impl FnOnce(&mut Draft<'a, 'm>)) {
    let tag = start_tag(draft, name, content);
    draft.push(Stmt::Text(tag));
    element_content(draft, name, content, inside);
}

/// A start tag, up to the part that depends on the value.
fn start_tag(draft: &Draft<'_, '_>, name: &str, content: NodeId) -> String {
    match emptiness(draft.layout, content) {
        Emptiness::Always => format!("<{name}/>"),
        Emptiness::Sometimes if !draft.is_encoder() => format!("<{name}"),
        Emptiness::Never | Emptiness::Sometimes => format!("<{name}>"),
    }
}

/// An element, from after the constant part of its start tag.
fn element_content<'a, 'm>(
    draft: &mut Draft<'a, 'm>,
    name: &str,
    content: NodeId,
    inside: impl FnOnce(&mut Draft<'a, 'm>),
) {
    let end_tag = format!("</{name}>");
    match emptiness(draft.layout, content) {
        Emptiness::Always => {}
        Emptiness::Never => {
            inside(draft);
            draft.push(Stmt::Text(end_tag));
        }
        Emptiness::Sometimes => {
            draft.push(Stmt::Settle);
            let (entered, is_encoder) = (draft.variable(), draft.is_encoder());
            draft.push(match is_encoder {
                true => Stmt::Position(entered),
                false => Stmt::Get(entered, Prim::Text(Text::Enter), Vec::new()),
            });
            inside(draft);
            let leave = if is_encoder { Text::CloseElement } else { Text::Leave };
            act(draft, leave, vec![Arg::Num(Num::Var(entered)), Arg::Text(end_tag)]);
        }
    }
}

/// A part: by its separate function, if it has one.
fn part(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId, place: &Place) {
    let id = draft.types.canonical(id);
    if !leaves(draft, id, node, place) {
        structure(draft, id, node, place);
    }
}

fn structure(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId, place: &Place) {
    draft.within(id, |draft| inside(draft, id, node, place));
}

fn inside(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId, place: &Place) {
    let layout = draft.layout;
    let Node::Xml(xml) = *layout.node(node) else { return draft.give_up() };
    match xml {
        XmlNode::Components { .. } => record(draft, id, xml, place),
        XmlNode::OneOf { alternatives, .. } => choice(draft, id, alternatives, place),
        XmlNode::Elements { spaced: false, .. } => list(draft, id, xml, place),
        XmlNode::Empty => {}
        XmlNode::TrueFalse { text } => truth(draft, text, place),
        XmlNode::Decimal { range, extensible, names } if names.count == 0 => match bounds(layout, range, extensible) {
            Some(bounds) => number(draft, id, bounds, place),
            None => draft.give_up(),
        },
        XmlNode::ItemName { items, text, .. } => item(draft, id, items, text, place),
        XmlNode::Binary { .. } => bits(draft, id, xml, place),
        XmlNode::OctetDigits { lower, upper, extensible: false, base64: false, contains: false } => {
            digits(draft, id, (lower, upper), place);
        }
        XmlNode::CharacterData { controls: true, .. } => characters(draft, id, xml, place),
        _ => draft.give_up(),
    }
}

fn record(draft: &mut Draft<'_, '_>, id: TypeId, node: XmlNode, place: &Place) {
    let (Some(record), Kind::Sequence { components, .. }) = (components(draft.layout, node), draft.types.kind(id))
    else {
        return draft.give_up();
    };
    let groups = (0..components.len()).filter(|at| matches!(components[*at].field, Field::Group(_)));
    let groups = groups.map(|at| (Component { record: id, at }, place.component(id, at)));
    if draft.is_encoder() {
        if !record.complete && components.iter().any(|one| draft.types.has_named_bits_default(one)) {
            return draft.give_up();
        }
        let mut refused: Vec<Cond> = groups.map(|(one, field)| Cond::Sent(one, field)).collect();
        refused.extend(record.extensible.then(|| Cond::HasUnknown(place.clone())));
        if !refused.is_empty() {
            draft.push(Stmt::Settle);
            draft.push(Stmt::RejectIf(Cond::Any(refused)));
        }
    } else {
        // Left over from an earlier message.
        draft.push_if(record.extensible, Stmt::ForgetUnknown(place.clone()));
        groups.for_each(|(one, field)| draft.push(Stmt::SetAbsent(one, field)));
    }
    for member in &record.members {
        let at = member.component as usize;
        member_of(draft, Component { record: id, at }, member.node, record.complete, &place.component(id, at));
    }
}

fn member_of(draft: &mut Draft<'_, '_>, one: Component, node: NodeId, is_complete: bool, field: &Place) {
    let (component, layout) = (draft.component(one), draft.layout);
    let id = component.type_id;
    let has_default = matches!(component.presence, Presence::Default(_));
    let is_omitted = has_default && !(draft.is_encoder() && is_complete);
    if !is_omitted && !Types::is_option(component) {
        return value(draft, id, node, field);
    }
    if draft.is_encoder() {
        return draft.if_sent(one, field, |draft, content| value(draft, id, node, content));
    }
    let Some((name, content)) = tags(layout, node) else { return };
    let condition = is_start_tag(draft, name, content);
    let then = draft.block(|draft| {
        let inner = draft.present(one, field);
        element_content(draft, name, content, |draft| part(draft, id, content, &inner));
    });
    let otherwise = Some(vec![Stmt::SetAbsent(one, field.clone())]);
    draft.push(Stmt::If { condition, then, otherwise });
}

/// The condition under which a start tag comes next.
fn is_start_tag(draft: &Draft<'_, '_>, name: &str, content: NodeId) -> Cond {
    let tag = start_tag(draft, name, content);
    if emptiness(draft.layout, content) == Emptiness::Sometimes { Cond::AcceptTag(tag) } else { Cond::Accept(tag) }
}

fn choice<'a, 'm: 'a>(draft: &mut Draft<'a, 'm>, id: TypeId, alternatives: Span, place: &Place) {
    if draft.is_encoder() {
        return put_alternatives(draft, id, alternatives, place, |draft, alternative, node, place| {
            match tags(draft.layout, node) {
                Some(_) => value(draft, alternative.type_id, node, place),
                None => draft.give_up(),
            }
        });
    }
    let comes = |draft: &Draft<'a, 'm>, _: &Alternative, node| {
        let (name, content) = tags(draft.layout, node)?;
        Some(is_start_tag(draft, name, content))
    };
    take_alternatives(draft, id, alternatives, place, comes, |draft, alternative, node, place| {
        let layout = draft.layout;
        let Some((name, content)) = tags(layout, node) else { return };
        element_content(draft, name, content, |draft| part(draft, alternative.type_id, content, place));
    });
}

fn list(draft: &mut Draft<'_, '_>, id: TypeId, node: XmlNode, place: &Place) {
    let (Repr::List { element, storage }, XmlNode::Elements { lower, upper, element: node, extensible, sorted, .. }) =
        (draft.types.repr(id).clone(), node)
    else {
        return draft.give_up();
    };
    draft.push(Stmt::Settle);
    let bounds = (!extensible).then_some((lower, upper));
    let refuse = |draft: &mut Draft<'_, '_>, list: Place| {
        bounds.into_iter().for_each(|bounds| refuse_other_lengths(draft, Num::Elements(list.clone()), bounds, storage));
    };
    if draft.is_encoder() {
        draft.push_if(sorted, Stmt::RejectIf(Cond::Above(Num::Elements(place.clone()), 1)));
        refuse(draft, place.clone());
        let item = draft.variable();
        let body = draft.block(|draft| value(draft, element, node, &Place::reference(item)));
        return draft.push(Stmt::Each { item, list: place.clone(), body });
    }
    let (list, item) = (draft.variable(), draft.variable());
    let element = draft.types.canonical(element);
    draft.push(Stmt::Refill { list, place: place.clone() });
    let to = draft.element(element, item);
    let body = draft.block(|draft| value(draft, element, node, &to));
    let new = Element { list, list_id: id, id: element, item };
    draft.push(Stmt::While { condition: Cond::InElement, most: None, element: new, body });
    refuse(draft, Place::variable(list));
}

fn truth(draft: &mut Draft<'_, '_>, is_text: bool, place: &Place) {
    let place = place.clone();
    let (yes, no) = if is_text { ("true", "false") } else { ("<true/>", "<false/>") };
    let take = if is_text { Text::TakeTruth } else { Text::TakeTruthElement };
    draft.push(match draft.is_encoder() {
        true => Stmt::PutTruth { place, texts: [yes.into(), no.into()] },
        false => Stmt::SetBy(place, Prim::Text(take)),
    });
}

fn item(draft: &mut Draft<'_, '_>, id: TypeId, items: Span, is_text: bool, place: &Place) {
    let Some((_, enumerators)) = draft.types.enumeration(id) else { return draft.give_up() };
    let (layout, place, count) = (draft.layout, place.clone(), enumerators.all().count());
    let labels = layout.items[items.range()].iter().take(count).map(|label| layout.name(*label).to_owned());
    if draft.is_encoder() {
        let labels = labels.map(|label| if is_text { label } else { format!("<{label}/>") }).collect();
        return draft.push(Stmt::PutLabel { id, place, labels });
    }
    let by = Prim::Text(if is_text { Text::TakeWord } else { Text::TakeEmpty });
    draft.push(Stmt::SetByLabel { id, place, by, labels: labels.zip(0..).collect() });
}

fn bits(draft: &mut Draft<'_, '_>, id: TypeId, node: XmlNode, place: &Place) {
    let place = place.clone();
    match (draft.types.repr(id), node, draft.is_encoder()) {
        (&Repr::BitFlags { bits, .. }, XmlNode::Binary { lower, upper, extensible: false, .. }, is_encoder)
            if lower == upper && upper == u64::from(bits) =>
        {
            let width = Arg::Num(Num::Const(bits.into()));
            if !is_encoder {
                return draft.push(Stmt::SetFlagsBy(id, place, Prim::Text(Text::TakeBitDigits), vec![width]));
            }
            draft.push(Stmt::Settle);
            let has_more = Stmt::RejectIf(Cond::FlagsAbove(place.clone(), bits));
            draft.push_if(!matches!(bits, 8 | 16 | 32 | 64), has_more);
            act(draft, Text::PutBitDigits, vec![Arg::Plain(Num::Flags(place)), width]);
        }
        (Repr::BitWord, XmlNode::Binary { lower, upper, extensible: false, trim: false }, true) => {
            draft.push(Stmt::Settle);
            draft.push(Stmt::RejectIf(Cond::WideBitCountOutside(place.clone(), (lower, upper))));
            act(draft, Text::PutBitDigits, vec![Arg::Word(place)]);
        }
        (Repr::BitWord, XmlNode::Binary { lower, upper, extensible: false, trim: false }, false) => {
            draft.push(Stmt::FillBits(place, (lower, upper)));
        }
        _ => draft.give_up(),
    }
}

fn digits(draft: &mut Draft<'_, '_>, id: TypeId, bounds: (u64, u64), place: &Place) {
    match (draft.types.repr(id), draft.is_encoder()) {
        (Repr::FixedOctets(_), true) => act(draft, Text::PutOctetDigits, vec![Arg::Shared(place.clone())]),
        (Repr::FixedOctets(_), false) => draft.push(Stmt::FillArray(place.clone())),
        (Repr::Octets(_) | Repr::OctetString, true) => {
            draft.push(Stmt::Settle);
            refuse_other_lengths(draft, Num::Length(Str::Octets(place.clone())), bounds, Storage::Heap);
            act(draft, Text::PutOctetDigits, vec![Arg::Contents(place.clone())]);
        }
        (kind @ (Repr::Octets(_) | Repr::OctetString), false) => {
            let is_inline = matches!(kind, Repr::Octets(_));
            draft.push(Stmt::Settle);
            let (digits, octets, count) = (draft.variable(), draft.variable(), draft.variable());
            draft.push(Stmt::Get(digits, Prim::Text(Text::TakeWord), Vec::new()));
            draft.push(Stmt::Let(count, Num::Half(digits)));
            let is_bounded = is_inline || bounds != (0, u64::MAX);
            draft.push_if(is_bounded, Stmt::RejectIf(Cond::SizeOutside(Num::Var(count), bounds)));
            let (place, count) = (Some(place.clone()), Num::Var(count));
            draft.push(Stmt::FillDigits { octets, place, digits, count, is_inline });
        }
        (_, true) => draft.give_up(),
        (_, false) => {
            draft.push(Stmt::Settle);
            draft.give_up();
        }
    }
}

fn characters(draft: &mut Draft<'_, '_>, id: TypeId, node: XmlNode, place: &Place) {
    let (
        Repr::Text(_) | Repr::String,
        XmlNode::CharacterData { space, lower, upper, alphabet, pattern, extensible: false, .. },
    ) = (draft.types.repr(id), node)
    else {
        return draft.give_up();
    };
    if pattern.count > 0 || !draft.is_encoder() && space != XmlSpace::Preserve {
        return draft.give_up();
    }
    let (layout, bounds) = (draft.layout, (lower, upper));
    let ranges = layout.numbers(alphabet).to_vec();
    draft.push(Stmt::Settle);
    if draft.is_encoder() {
        draft.push(Stmt::RejectIf(Cond::NotFit(Str::Characters(place.clone()), bounds, ranges)));
        let is_canonical = layout.rules == Rules::Cxer;
        let put = if is_canonical { Text::PutCanonicalCharacters } else { Text::PutCharacters };
        return draft.push(Stmt::Apart(Prim::Text(put), vec![Arg::Object(place.clone())]));
    }
    let bound = draft.variable();
    draft.push(Stmt::TakeCharacters { id, place: place.clone(), bound, bounds, ranges });
}

fn act(draft: &mut Draft<'_, '_>, by: Text, args: Vec<Arg>) {
    draft.push(Stmt::Do(Prim::Text(by), args));
}

/// Whether an element with this content can be empty.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Emptiness {
    Never,
    Always,
    Sometimes,
}

/// The most nodes to visit: the content of an element may contain the same merged parts many times. Beyond it, nothing is known.
const NODES: u32 = 10_000;

/// Whether an element with this content can be empty.
fn emptiness(layout: &Layout, content: NodeId) -> Emptiness {
    emptiness_of(layout, content, &mut { NODES })
}

fn emptiness_of(layout: &Layout, content: NodeId, left: &mut u32) -> Emptiness {
    let (Node::Xml(node), Some(fewer)) = (*layout.node(content), left.checked_sub(1)) else {
        return Emptiness::Sometimes;
    };
    *left = fewer;
    let mut is_never_empty = |node: NodeId| emptiness_of(layout, node, left) == Emptiness::Never;
    let is_never = match node {
        XmlNode::Empty => return Emptiness::Always,
        XmlNode::Binary { lower, extensible, .. }
        | XmlNode::OctetDigits { lower, extensible, .. }
        | XmlNode::CharacterData { lower, extensible, .. } => lower > 0 && !extensible,
        XmlNode::Elements { lower, extensible, element, .. } => lower > 0 && !extensible && is_never_empty(element),
        XmlNode::Components { members, .. } => layout
            .members(members)
            .iter()
            .any(|member| member.presence == roadwire_layout::Presence::Mandatory && is_never_empty(member.node)),
        XmlNode::OneOf { alternatives, .. } => {
            layout.alternatives(alternatives).iter().all(|one| is_never_empty(one.node))
        }
        XmlNode::Tags { .. }
        | XmlNode::TrueFalse { .. }
        | XmlNode::Decimal { .. }
        | XmlNode::ItemName { .. }
        | XmlNode::Scientific { .. }
        | XmlNode::Arcs { .. } => true,
        XmlNode::Prolog { .. }
        | XmlNode::Namespace { .. }
        | XmlNode::Attribute { .. }
        | XmlNode::OrEmpty { .. }
        | XmlNode::CanonicalTime { .. }
        | XmlNode::Typed { .. } => false,
    };
    if is_never { Emptiness::Never } else { Emptiness::Sometimes }
}

/// The name and the content of a node with tags.
fn tags(layout: &Layout, node: NodeId) -> Option<(&str, NodeId)> {
    match *layout.node(node) {
        Node::Xml(XmlNode::Tags { name, namespace: None, content }) => Some((layout.name(name), content)),
        _ => None,
    }
}

/// A record's components in the order in which they are written.
struct Components {
    members: Vec<Member>,
    extensible: bool,
    complete: bool,
}

/// The components of a record, without addition groups; `None` if they are left to the interpreter.
fn components(layout: &Layout, node: XmlNode) -> Option<Components> {
    let XmlNode::Components { attributes, members, before, additions, extensible, complete, embedded: false, .. } =
        node
    else {
        return None;
    };
    let (first, last) = layout.members(members).split_at_checked(before as usize)?;
    let singles = layout.additions(additions).iter().filter_map(|addition| match addition {
        roadwire_layout::Addition::Single(member) => Some(member),
        roadwire_layout::Addition::Group(_) => None,
    });
    let members: Vec<Member> = first.iter().chain(singles).chain(last).copied().collect();
    let all_have_tags = members.iter().all(|member| tags(layout, member.node).is_some());
    (attributes.count == 0 && all_have_tags).then_some(Components { members, extensible, complete })
}

/// The bounds of a number.
fn bounds(layout: &Layout, range: NodeId, extensible: bool) -> Option<(i128, i128)> {
    match *layout.node(range) {
        _ if extensible => Some((i128::MIN, i128::MAX)),
        Node::Word { lower, upper, .. } => Some((lower, upper)),
        Node::Integer { lower, upper, .. } => Some((lower.unwrap_or(i128::MIN), upper.unwrap_or(i128::MAX))),
        _ => None,
    }
}
