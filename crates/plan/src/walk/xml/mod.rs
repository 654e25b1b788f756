//! XML documents: tags are constants, in the one form that is written. Decoders read this form,
//! without white space and attributes.
//!
//! Left to the interpreter, besides what all straight-line code leaves to it: attributes,
//! components and alternatives without tags, times, octet strings in base 64, unknown content of
//! open types that is an element, and insignificant white space.

mod emptiness;

use roadwire_layout::{
    Addition, Items, Layout, Member, Node, NodeId, Presence as MemberPresence, Rules, Span, XmlNode, XmlSpace,
};
use roadwire_model::{Alternative, Field, Kind, Presence, TypeId};

use self::emptiness::{Emptiness, emptiness};
use crate::plan::{Arg, Component, Cond, Draft, Num, Place, Prim, Stmt, Text, Until};
use crate::types::{Repr, Types};
use crate::walk::open::OpenType;
use crate::walk::text::{
    arcs, calls, characters, digits, number, refuse_other_lengths, take_alternatives, take_elements,
};
use crate::walk::walker::Walker;

/// The body of a function.
pub(crate) fn body(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId) {
    let (id, layout, only_calls) = (draft.types.canonical(id), draft.layout, draft.is_recursive_message(id));
    let whole = if only_calls { part } else { structure };
    match tags(layout, node) {
        Some((name, content)) => element(draft, name, content, |draft| whole(draft, id, content, &Place::value())),
        None => whole(draft, id, node, &Place::value()),
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
    if !calls(draft, id, node, place) {
        structure(draft, id, node, place);
    }
}

fn structure(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId, place: &Place) {
    draft.within(id, |draft| inside(draft, id, node, place));
}

fn inside(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId, place: &Place) {
    use XmlNode::{Components, Elements, OneOf, Typed};
    let xml = match *draft.layout.node(node) {
        Node::Xml(xml) => xml,
        Node::Scope { record, slots } => {
            draft.keys.enter(draft.layout, slots);
            return inside(draft, id, record, place);
        }
        Node::Key { node, .. } => return inside(draft, id, node, place),
        _ => return draft.give_up(),
    };
    let is_level = matches!(xml, Components { .. } | OneOf { .. } | Elements { .. } | Typed { .. });
    draft.level(is_level, |draft| content_of(draft, id, xml, place));
}

fn content_of(draft: &mut Draft<'_, '_>, id: TypeId, xml: XmlNode, place: &Place) {
    let layout = draft.layout;
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
        XmlNode::OctetDigits { lower, upper, extensible, base64: false, contains: false } => {
            digits(draft, id, lasting(lower, upper, extensible), place, (Text::PutOctetDigits, Text::TakeWord));
        }
        XmlNode::Typed { slot, rows } if draft.types.is_open(id) => open(draft, id, slot, rows, place),
        // No value selects a row.
        XmlNode::Typed { rows, .. } if rows.count == 0 => open_octets(draft, id, place),
        XmlNode::OctetDigits { contains: true, lower: 0, upper: u64::MAX, .. } => open_octets(draft, id, place),
        XmlNode::Scientific { text, plain } => {
            let (is_text, plain) = (Arg::Flag(text), Arg::Flag(plain));
            draft.push(match draft.is_encoder() {
                true => Stmt::Do(Prim::Text(Text::PutScientific), vec![Arg::Value(place.clone()), is_text, plain]),
                false => Stmt::SetBy(place.clone(), Prim::Text(Text::TakeScientific), vec![is_text, plain]),
            });
        }
        XmlNode::Arcs { relative } => arcs(draft, relative, place, Text::TakeWord),
        XmlNode::CharacterData { controls: true, extensible, space, lower, upper, alphabet, pattern }
            if pattern.is_empty() && (draft.is_encoder() || space == XmlSpace::Preserve) =>
        {
            let is_canonical = layout.rules == Rules::Cxer;
            let put = if is_canonical { Text::PutCanonicalCharacters } else { Text::PutCharacters };
            let bounds = lasting(lower, upper, extensible);
            characters(draft, id, bounds, alphabet, place, (put, Text::TakeCharacters));
        }
        _ => draft.give_up(),
    }
}

fn record(draft: &mut Draft<'_, '_>, id: TypeId, node: XmlNode, place: &Place) {
    let (Some(record), Kind::Sequence { components, .. }) = (components(draft.layout, node), draft.types.kind(id))
    else {
        return draft.give_up();
    };
    if draft.is_encoder() {
        if !record.complete && components.iter().any(|one| draft.types.has_named_bits_default(one)) {
            return draft.give_up();
        }
        let has_default = |member: &&Member| matches!(member.presence, MemberPresence::Default(_));
        // In canonical XER a group that is present has all of its DEFAULT values.
        let complete = record.groups.iter().filter(|group| record.complete && group.iter().any(has_default)).flatten();
        let mut refused: Vec<Cond> =
            complete.map(|member| place.member(id, member)).map(|(one, field)| Cond::Sent(one, field)).collect();
        refused.extend(record.extensible.then(|| Cond::HasUnknown(place.clone())));
        draft.push_if(!refused.is_empty() || !record.groups.is_empty(), Stmt::Settle);
        draft.push_if(!refused.is_empty(), Stmt::RejectIf(Cond::Any(refused)));
        draft.whole_groups(id, &record.groups, place);
    } else {
        // Left over from an earlier message.
        draft.push_if(record.extensible, Stmt::ForgetUnknown(place.clone()));
    }
    for member in &record.members {
        let (one, field) = place.member(id, member);
        member_of(draft, one, member.node, record.complete, &field);
        draft.pass(one, member.node, &field);
    }
    if !draft.is_encoder() {
        draft.whole_groups(id, &record.groups, place);
    }
}

fn member_of(draft: &mut Draft<'_, '_>, one: Component, node: NodeId, is_complete: bool, field: &Place) {
    let (component, layout) = (draft.component(one), draft.layout);
    let id = component.type_id;
    let has_default = matches!(component.presence, Presence::Default(_));
    let in_group = matches!(component.field, Field::Group(_));
    let is_omitted = has_default && (in_group || !(draft.is_encoder() && is_complete));
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
        draft.refuse_default_in_group(one, field);
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
        return draft.put_alternatives(id, alternatives, None, place, |draft, _, alternative, node, place| match tags(
            draft.layout,
            node,
        ) {
            Some(_) => value(draft, alternative.type_id, node, place),
            None => draft.give_up(),
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
    let (&Repr::List { element, storage }, XmlNode::Elements { lower, upper, element: node, extensible, sorted, .. }) =
        (draft.types.repr(id), node)
    else {
        return draft.give_up();
    };
    let bounds = lasting(lower, upper, extensible);
    if !draft.is_encoder() {
        let until = Until::Fails(Cond::InElement);
        return take_elements(draft, id, bounds, place, until, |draft, id, place| value(draft, id, node, place));
    }
    refuse_other_lengths(draft, Num::Elements(place.clone()), bounds, storage);
    let order = (sorted && upper > 1).then(|| draft.begin_order());
    draft.each(place, |draft, place| {
        value(draft, element, node, place);
        order.into_iter().for_each(|order| draft.push(Stmt::SettleOrder(order)));
    });
}

fn truth(draft: &mut Draft<'_, '_>, is_text: bool, place: &Place) {
    let place = place.clone();
    let (yes, no) = if is_text { ("true", "false") } else { ("<true/>", "<false/>") };
    let take = if is_text { Text::TakeTruth } else { Text::TakeTruthElement };
    draft.push(match draft.is_encoder() {
        true => Stmt::PutTruth { place, texts: [yes.into(), no.into()] },
        false => Stmt::SetBy(place, Prim::Text(take), Vec::new()),
    });
}

fn item(draft: &mut Draft<'_, '_>, id: TypeId, items: Items, is_text: bool, place: &Place) {
    let Some(enumerators) = draft.types.items(id) else { return draft.give_up() };
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
    let (repr, place, is_encoder) = (draft.types.repr(id), place.clone(), draft.is_encoder());
    let XmlNode::Binary { lower, upper, extensible, trim } = node else { return draft.give_up() };
    match repr {
        &Repr::BitFlags { bits, .. } if !extensible && lower == upper && upper == u64::from(bits) => {
            let width = Arg::Num(Num::Const(bits.into()));
            if !is_encoder {
                return draft.push(Stmt::SetFlagsBy(id, place, Prim::Text(Text::TakeBitDigits), vec![width]));
            }
            let has_more = Stmt::RejectIf(Cond::FlagsAbove(place.clone(), bits));
            draft.push_if(!matches!(bits, 8 | 16 | 32 | 64), has_more);
            act(draft, Text::PutBitDigits, vec![Arg::Num(Num::Flags(place)), width]);
        }
        Repr::BitWord if !extensible && !trim && is_encoder => {
            draft.push(Stmt::RejectIf(Cond::NotWithin(Num::BitCount(place.clone()).widened(), (lower, upper))));
            act(draft, Text::PutBitDigits, vec![Arg::Word(place)]);
        }
        Repr::BitWord if !extensible && !trim => draft.push(Stmt::FillBits(place, (lower, upper))),
        Repr::BitWord | Repr::BitString => {
            let (by, of) = match is_encoder {
                true => (Text::PutAnyBitDigits, Arg::Scalar(place)),
                false => (Text::TakeAnyBitDigits, Arg::Exclusive(place)),
            };
            let (lower, upper) = if extensible { (if trim { lower } else { 0 }, u64::MAX) } else { (lower, upper) };
            let number = |number: u64| Arg::Num(Num::Const(number));
            act(draft, by, vec![of, number(lower), number(upper), Arg::Flag(trim)]);
        }
        _ => draft.give_up(),
    }
}

/// An open type whose type a component selects: a value of that type in tags, or octets.
fn open<'a, 'm: 'a>(draft: &mut Draft<'a, 'm>, id: TypeId, slot: u32, rows: Span, place: &Place) {
    let Some(open) = OpenType::of(draft, id, slot, rows) else { return };
    let content = |draft: &mut Draft<'a, 'm>, id, node, place: &Place| value(draft, id, node, place);
    open.code(draft, place, content, open_octets);
}

/// The octets of an open type as digits. If they are themselves an element, it is written as it is.
fn open_octets(draft: &mut Draft<'_, '_>, id: TypeId, place: &Place) {
    match (*draft.types.repr(id) == Repr::OctetString, draft.is_encoder()) {
        (true, true) => act(draft, Text::PutOpen, vec![Arg::Contents(place.clone())]),
        (true, false) => act(draft, Text::TakeOpen, vec![Arg::Exclusive(place.clone())]),
        (false, _) => digits(draft, id, (0, u64::MAX), place, (Text::PutOctetDigits, Text::TakeWord)),
    }
}

fn act(draft: &mut Draft<'_, '_>, by: Text, args: Vec<Arg>) {
    draft.push(Stmt::Do(Prim::Text(by), args));
}

/// The name and the content of a node with tags.
fn tags(layout: &Layout, node: NodeId) -> Option<(&str, NodeId)> {
    match *layout.node(node) {
        Node::Key { node, .. } => tags(layout, node),
        Node::Xml(XmlNode::Tags { name, namespace: None, content }) => Some((layout.name(name), content)),
        _ => None,
    }
}

/// A record's components in the order in which they are written.
struct Components<'l> {
    members: Vec<&'l Member>,
    /// Those of addition groups.
    groups: Vec<Vec<&'l Member>>,
    extensible: bool,
    complete: bool,
}

/// The components of a record; `None` if they are left to the interpreter.
fn components(layout: &Layout, node: XmlNode) -> Option<Components<'_>> {
    let XmlNode::Components { attributes, members, before, additions, extensible, complete, embedded: false, .. } =
        node
    else {
        return None;
    };
    let (first, last) = layout.members(members).split_at_checked(before as usize)?;
    let (mut added, mut groups) = (Vec::new(), Vec::new());
    for addition in layout.additions(additions) {
        match addition {
            Addition::Single(member) => added.push(member),
            Addition::Group(group) => {
                let Node::Xml(XmlNode::Components { members, .. }) = *layout.node(*group) else { return None };
                added.extend(layout.members(members));
                groups.push(layout.members(members).iter().collect());
            }
        }
    }
    let members: Vec<&Member> = first.iter().chain(added).chain(last).collect();
    let all_have_tags = members.iter().all(|member| tags(layout, member.node).is_some());
    (attributes.count == 0 && all_have_tags).then_some(Components { members, groups, extensible, complete })
}

/// The bounds of a size, also in later versions.
const fn lasting(lower: u64, upper: u64, is_extensible: bool) -> (u64, u64) {
    if is_extensible { (0, u64::MAX) } else { (lower, upper) }
}

/// The bounds of a number.
fn bounds(layout: &Layout, range: NodeId, extensible: bool) -> Option<(i128, i128)> {
    if extensible {
        return Some((i128::MIN, i128::MAX));
    }
    let [lower, upper] = layout.range(layout.node(range))?;
    Some((lower.unwrap_or(i128::MIN), upper.unwrap_or(i128::MAX)))
}
