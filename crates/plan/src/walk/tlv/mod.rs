//! BER, DER and CER: values after tags and lengths (X.690). Decoders read what encoders write;
//! other forms of the basic encoding rules are left to the interpreter.

mod bits;
mod leaf;
mod set;
mod tags;

use roadwire_layout::{Contents, Member, Node, NodeId, Order, Presence, Rules, Span, TlvNode};
use roadwire_model::TypeId;
use roadwire_wire::rt::tlv::Identifier;

use crate::plan::{Arg, Cond, Draft, Num, Place, Prim, Reason, Stmt, Str, Tlv};
use crate::types::Repr;
use crate::walk::delimited::{Delimited, Later, Record, groups};
use crate::walk::keys::Row;
use crate::walk::walker::Walker;
use leaf::Front;
use tags::Tags;

/// The body of a function.
pub(crate) fn body(draft: &mut Draft<'_, '_>, id: TypeId, node: NodeId) {
    let id = draft.types.canonical(id);
    // A thorough decoder takes both forms of a length, and knows what it has read.
    let is_either = draft.is_thorough && !draft.is_encoder();
    let is_indefinite = draft.layout.rules == Rules::Cer && !is_either;
    // A value with a tag calls the function for its contents.
    if matches!(draft.layout.node(node), Node::Tlv(TlvNode::Choice { .. })) && draft.only_calls(id, node) {
        return;
    }
    Walk { draft, is_indefinite }.structure(id, node, &Place::value());
}

struct Walk<'d, 'a, 'm> {
    draft: &'d mut Draft<'a, 'm>,
    /// Whether constructed values have an indefinite length, so that a decoder does not know their
    /// end.
    is_indefinite: bool,
}

impl<'a, 'm: 'a> Walker<'a, 'm> for Walk<'_, 'a, 'm> {
    fn draft(&mut self) -> &mut Draft<'a, 'm> {
        self.draft
    }
}

impl<'a, 'm: 'a> Delimited<'a, 'm> for Walk<'_, 'a, 'm> {
    fn value(&mut self, id: TypeId, node: NodeId, place: &Place) {
        let id = self.draft.types.canonical(id);
        let is_untagged = matches!(self.draft.layout.node(node), Node::Tlv(TlvNode::Choice { .. }));
        let is_recursive = self.draft.types.is_recursive(id);
        match self.draft.types.has_functions(id) {
            false if is_recursive => self.draft.give_up_part(id),
            true if is_untagged && (is_recursive || self.draft.types.is_shared(id, false)) => {
                self.draft.call(id, node, place);
            }
            _ => self.structure(id, node, place),
        }
    }

    fn comes(&mut self, node: NodeId) -> Option<Cond> {
        Some(self.tags_of(node)?.are_next())
    }

    fn may_come(&mut self) {
        if self.draft.is_thorough {
            let more = self.more();
            self.draft.push(Stmt::RejectIf(Cond::All(vec![more, Cond::NoIdentifier])));
        }
    }

    fn must_come(&mut self, node: NodeId) {
        if !self.draft.is_thorough {
            return;
        }
        self.draft.because(Reason::Component);
        let more = self.more();
        self.draft.push(Stmt::RejectIf(Cond::Not(Box::new(more))));
        self.draft.because(Reason::TagOfComponent);
        if let Some(tags) = self.tags_of(node).filter(|_| !tags::is_open(self.draft.layout, node)) {
            self.draft.push(Stmt::RejectIf(Cond::Not(Box::new(tags.are_next()))));
        }
    }

    fn is_any(&mut self, node: NodeId) -> bool {
        matches!(self.draft.layout.node(node), Node::Tlv(TlvNode::Open { .. }))
    }

    fn has_end(&mut self) -> bool {
        !self.is_indefinite
    }

    fn more(&mut self) -> Cond {
        if self.is_indefinite { Cond::BeforeZero } else { Cond::BeforeEnd }
    }
}

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    /// The tags of a value. Where it is to be said what is wrong, it may have another form.
    fn tags_of(&self, node: NodeId) -> Option<Tags> {
        let tags = Tags::of(self.draft.layout, node)?;
        Some(if self.draft.is_thorough { tags.in_both_forms() } else { tags })
    }

    fn structure(&mut self, id: TypeId, node: NodeId, place: &Place) {
        self.within(id, |walk| walk.content(id, node, place));
    }

    fn content(&mut self, id: TypeId, node: NodeId, place: &Place) {
        match *self.draft.layout.node(node) {
            Node::Tlv(TlvNode::Tagged { identifier, contents, .. }) if self.takes_any_form() => {
                self.within_tag(id, identifier, contents, place);
            }
            Node::Tlv(TlvNode::Tagged { identifier, contents, indefinite }) => {
                let tag = self.tag(identifier);
                self.tagged(id, tag, contents, indefinite, place);
            }
            Node::Tlv(TlvNode::Primitive { identifier, contents, indefinite }) => {
                let front = self.primitive(id, identifier, &contents, indefinite);
                reason(&contents, self.draft.is_encoder()).into_iter().for_each(|reason| self.draft.because(reason));
                self.leaf(id, front, &contents, place);
            }
            Node::Tlv(ref node) => self.level(true, |walk| walk.nested(id, node, place)),
            Node::Scope { record, slots } => {
                self.draft.keys.enter(self.draft.layout, slots);
                self.content(id, record, place);
            }
            Node::Key { node, .. } => self.content(id, node, place),
            _ => self.draft.give_up(),
        }
    }

    /// A value that is a level of nesting.
    fn nested(&mut self, id: TypeId, node: &TlvNode, place: &Place) {
        match *node {
            TlvNode::Record { members, additions, known, groups: spans, order } => {
                let groups = groups(self.draft.layout, members, spans);
                let later = additions.and_then(|additions| self.later(members, additions, (known, order), place));
                let Some(members) = self.in_order(members, order).filter(|all| self.is_clear(all, order)) else {
                    return self.draft.give_up();
                };
                let record = Record { members, groups, is_extensible: additions.is_some(), later };
                match order != Order::Textual && self.in_any_order() {
                    true => self.take_set(id, &record, (known, order), place),
                    false => self.components(id, &record, place),
                }
            }
            TlvNode::Choice { alternatives, root, extensible } => {
                let added = extensible.then(|| alternatives.count.saturating_sub(root));
                self.choice(id, alternatives, added, place);
            }
            TlvNode::List { lower, upper, element, sorted } => self.list(id, element, sorted, (lower, upper), place),
            TlvNode::Open { slot, rows } if self.draft.types.is_open(id) => self.open(id, slot, rows, place),
            TlvNode::Open { .. } if !self.draft.is_encoder() => {
                let octets = self.draft.take_slice(Prim::Tlv(Tlv::Whole), Vec::new());
                self.draft.fill(id, place, Str::Var(octets), (0, u64::MAX));
            }
            TlvNode::Open { .. } if matches!(self.draft.types.repr(id), Repr::OctetString | Repr::LentOctets) => {
                self.write(Tlv::PutElement, vec![Arg::Contents(place.clone())]);
            }
            _ => self.draft.give_up(),
        }
    }

    /// The members of a record in the order in which they are written; `None` if it depends on the
    /// value (X.690 §10.3).
    fn in_order(&self, members: Span, order: Order) -> Option<Vec<&'a Member>> {
        let layout = self.draft.layout;
        let mut members: Vec<&Member> = layout.members(members).iter().collect();
        match order {
            Order::Textual | Order::Any | Order::Sorted => {}
            Order::SortedByPlace(places) => {
                members = layout.numbers(places).iter().filter_map(|at| members.get(*at as usize).copied()).collect();
            }
            Order::SortedByValue => {
                let mut tagged = Vec::new();
                for member in members {
                    tagged.push((Tags::of(layout, member.node)?.bounds()?, member));
                }
                tagged.sort_by_key(|(bounds, _)| *bounds);
                // The tags of an untagged CHOICE may be on both sides of another component's.
                if tagged.windows(2).any(|pair| pair[0].0.1 >= pair[1].0.0) {
                    return None;
                }
                members = tagged.into_iter().map(|(_, member)| member).collect();
            }
        }
        Some(members)
    }

    /// Whether an unknown tag can only be of one component. A CHOICE without a tag takes any that
    /// it does not know, and so does an open type.
    fn is_clear(&self, members: &[&Member], order: Order) -> bool {
        let open = members.iter().filter(|member| tags::is_open(self.draft.layout, member.node));
        match order {
            _ if self.draft.is_encoder() => true,
            Order::Textual => open.count() < 2,
            _ => open.count() == 0,
        }
    }

    /// Codes additions of a later version, after the known ones. No component of the type may then
    /// have any tag.
    fn later(&mut self, members: Span, additions: Span, (known, order): (u32, Order), place: &Place) -> Option<Later> {
        let layout = self.draft.layout;
        // In a thorough plan they come after each component that may be absent. None of these can
        // then be confused with one of the mandatory components before (X.680 §25.6).
        let mut root = layout.members(members).iter().take(additions.range().start);
        let mandatory = root.rposition(|member| member.presence == Presence::Mandatory).map_or(0, |last| last + 1);
        let mut tags = Tags::default();
        for (at, member) in layout.members(members).iter().enumerate() {
            let own = Tags::of(layout, member.node).filter(|_| !tags::is_open(layout, member.node))?;
            let is_told = self.takes_any_form() && at < mandatory && member.presence == Presence::Mandatory;
            tags.extend(if is_told { Tags::default() } else { own });
        }
        if !matches!(order, Order::Textual | Order::Any) {
            return None;
        }
        let (condition, code) = match self.draft.is_encoder() {
            true => {
                let args = vec![Arg::Unknown(place.clone()), Arg::Num(Num::Const(known.into()))];
                (Cond::HasUnknown(place.clone()), Stmt::Write(Prim::Tlv(Tlv::PutUnknown), args))
            }
            false => (self.more(), self.take_unknown(&tags, known, place)),
        };
        let code = vec![Stmt::If { condition, then: vec![code], otherwise: None }];
        let last = additions.range().end;
        let first = if self.takes_any_form() { mandatory } else { last };
        Some(Later { at: first..=last, code })
    }

    /// Keeps additions of a later version, up to one of these tags.
    fn take_unknown(&self, tags: &Tags, known: u32, place: &Place) -> Stmt {
        let mut known_tags = tags.numbers();
        // The end-of-contents octets are not an addition.
        known_tags.extend(self.is_indefinite.then_some(0));
        let known = Arg::Num(Num::Const(known.into()));
        let args = vec![Arg::Exclusive(place.clone()), Arg::End, known, Arg::Ranges(known_tags)];
        Stmt::Skip(Prim::Tlv(Tlv::TakeUnknown), args)
    }

    /// Whether primitives take both forms of a length, and strings in segments.
    fn takes_any_form(&self) -> bool {
        self.draft.is_thorough && !self.draft.is_encoder()
    }

    /// The front of a primitive value. Its identifier is left to what follows if that says whether
    /// a string is in segments.
    fn primitive(&mut self, id: TypeId, identifier: Identifier, contents: &Contents, is_segmented: bool) -> Front {
        let may_be_long = match (contents, self.draft.types.repr(id)) {
            (Contents::Octets { .. }, Repr::FixedOctets(_)) => false,
            (Contents::Bits { .. }, repr) => matches!(repr, Repr::BitString),
            _ => true,
        };
        let is_put_in_segments = self.draft.is_thorough && is_segmented && may_be_long;
        let segment = contents.segments().filter(|_| self.takes_any_form() || is_put_in_segments);
        let tag = match self.takes_any_form() || segment.is_some() {
            true => identifier,
            false => self.tag(identifier).into(),
        };
        Front { tag, is_segmented, segment }
    }

    /// All octets of an identifier but the last; that comes with what follows.
    fn tag(&mut self, identifier: Identifier) -> u8 {
        let octets = tags::octets(identifier);
        let (last, before) = octets.split_last().unwrap_or((&0, &[]));
        for octet in before {
            let bits = u64::from(*octet);
            self.draft.push(match self.draft.is_encoder() {
                true => Stmt::Put { number: Num::Const(bits), octets: 1 },
                false => Stmt::Expect { octets: 1, bits, mask: 0xff, var: None },
            });
        }
        *last
    }

    /// A value after a tag, up to its end.
    fn within_tag(&mut self, id: TypeId, tag: Identifier, contents: NodeId, place: &Place) {
        let inside = self.draft.variable();
        let rest = self.rest(contents);
        self.draft.because(rest);
        let body = self.block(|walk| walk.inner(id, contents, place));
        let args = vec![Arg::Num(Num::Const(tag.into()))];
        self.draft.push(Stmt::Within { inside, by: Prim::Tlv(Tlv::Open), args, body });
    }

    /// The fault of what follows where contents should end.
    fn rest(&self, contents: NodeId) -> Reason {
        match self.draft.layout.node(contents) {
            Node::Tlv(TlvNode::Record { .. }) | Node::Scope { .. } => Reason::TagTrailing,
            _ => Reason::Trailing,
        }
    }

    fn tagged(&mut self, id: TypeId, tag: u8, contents: NodeId, is_indefinite: bool, place: &Place) {
        match (self.draft.is_encoder(), is_indefinite) {
            (true, true) => {
                self.front(tag.into(), 0x80);
                self.inner(id, contents, place);
                self.put(Num::Const(0), 2);
            }
            (true, false) => {
                // The octet before the contents is for their length.
                self.front(tag.into(), 0);
                let start = self.draft.variable();
                self.draft.push(Stmt::Mark(start));
                self.inner(id, contents, place);
                self.draft.push(Stmt::Close(Prim::Tlv(Tlv::Close), start));
            }
            (false, true) => {
                self.draft.push(Stmt::ExpectOctets([tag, 0x80]));
                self.inner(id, contents, place);
                self.draft.push(Stmt::ExpectOctets([0, 0]));
            }
            (false, false) => self.within_tag(id, tag.into(), contents, place),
        }
    }

    /// The content of a constructed value: inline, or by a separate function.
    fn inner(&mut self, id: TypeId, contents: NodeId, place: &Place) {
        let is_value =
            matches!(self.draft.layout.node(contents), Node::Tlv(TlvNode::Tagged { .. } | TlvNode::Primitive { .. }));
        match self.draft.is_function(id) && !is_value {
            true => self.draft.call(id, contents, place),
            false => self.structure(id, contents, place),
        }
    }

    /// `added` is how many extension additions are known, if there may be others.
    fn choice(&mut self, id: TypeId, alternatives: Span, added: Option<u32>, place: &Place) {
        let layout = self.draft.layout;
        // Such an alternative takes tags that are not known.
        let is_open = layout.alternatives(alternatives).iter().any(|one| tags::is_open(layout, one.node));
        let later = added.filter(|_| !is_open).map(|added| Arg::Num(Num::Const(added.into())));
        if self.draft.is_encoder() {
            let inner = self.draft.variable();
            let put = |added| vec![Stmt::Write(Prim::Tlv(Tlv::PutOther), vec![Arg::Octets(Str::Var(inner)), added])];
            let later = later.map(|added| (inner, put(added)));
            return self.put_alternatives(id, alternatives, later, place, |walk, at, one, node, place| {
                let at = layout.alternatives(alternatives)[at].alternative as usize;
                walk.named(at, |walk| walk.value(one.type_id, node, place));
            });
        }
        if !matches!(self.draft.types.repr(id), Repr::Choice) {
            return self.draft.give_up();
        }
        self.draft.push_if(self.draft.is_thorough, Stmt::RejectIf(Cond::NoIdentifier));
        let (mut arms, mut longer) = (Vec::new(), Vec::new());
        for one in layout.alternatives(alternatives) {
            let Some(tags) = self.tags_of(one.node) else { continue };
            let arm = self.block(|walk| walk.take_alternative(id, one.alternative as usize, one.node, place));
            match tags.longer.is_empty() {
                true => arms.push((tags.single, arm)),
                false => longer.push((tags, arm)),
            }
        }
        // Identifiers of several octets have the same few first octets, which no other identifier
        // has.
        let firsts = tags::firsts(longer.iter().map(|(tags, _)| tags));
        if !longer.is_empty() {
            let chain = longer.into_iter().map(|(tags, arm)| (tags.are_next(), arm)).collect();
            arms.push((firsts, vec![Stmt::Chain(chain)]));
        }
        let others = later.zip(Tags::of_all(layout, alternatives)).map(|(added, tags)| {
            let args = vec![Arg::Exclusive(place.clone()), added, Arg::Ranges(tags.numbers())];
            vec![Stmt::Skip(Prim::Tlv(Tlv::TakeOther), args)]
        });
        self.draft.because(Reason::TagOfChoice);
        self.draft.push(Stmt::SelectTag(arms, others));
    }

    fn list(&mut self, id: TypeId, node: NodeId, is_sorted: bool, bounds: (u64, u64), place: &Place) {
        let Repr::List { element, .. } = *self.draft.types.repr(id) else { return self.draft.give_up() };
        if self.draft.is_encoder() {
            self.draft.push(Stmt::Settle);
            self.draft.because(Reason::Size);
            self.draft.reject_if(Cond::size_outside(Num::Elements(place.clone()), bounds));
            let item = self.draft.variable();
            let body = self.block(|walk| walk.value(element, node, &Place::reference(item)));
            if !is_sorted || bounds.1 < 2 {
                return self.draft.push(Stmt::Each { item, list: place.clone(), body });
            }
            let start = self.draft.variable();
            self.draft.push(Stmt::Mark(start));
            self.draft.push(Stmt::Each { item, list: place.clone(), body });
            return self.draft.push(Stmt::Close(Prim::Tlv(Tlv::Sort), start));
        }
        let (item, list) = (self.draft.variable(), self.draft.variable());
        self.draft.because(Reason::Size);
        self.draft.push(Stmt::Refill { list, place: place.clone() });
        let more = match self.draft.is_thorough {
            // The end of contents may be missing.
            true => Cond::All(vec![self.more(), Cond::Not(Box::new(Cond::MoreThanLeft(Num::Const(1))))]),
            false => self.more(),
        };
        self.elements(more, (list, item), id, |walk, id, place| walk.value(id, node, place));
        self.may_come();
        self.size_of(list, bounds);
    }

    /// An open type: a value of the type that its row has, or the octets of one value.
    fn open(&mut self, id: TypeId, slot: u32, rows: Span, place: &Place) {
        let rows: Vec<NodeId> = self.draft.layout.numbers(rows).iter().map(|node| NodeId(*node)).collect();
        let Some(count) = self.draft.types.table(id).map(|table| table.rows.len()) else { return self.draft.give_up() };
        self.draft.push_if(self.draft.is_encoder(), Stmt::Settle);
        // Without rows, nothing selects one.
        let row = match rows.len() {
            0 => Row::Ahead,
            _ => self.draft.row(id, slot),
        };
        match self.draft.is_encoder() {
            true => self.put_open(id, row, &rows, count, place),
            false => {
                let rows = &rows[..rows.len().min(count)];
                let take = |walk: &mut Self, at, node| walk.take_alternative(id, at, node, place);
                self.take_open(row, rows, take, |walk| walk.take_octets(id, count, place));
            }
        }
    }

    fn put_open(&mut self, id: TypeId, row: Row, rows: &[NodeId], count: usize, place: &Place) {
        let mut arms = Vec::new();
        let inner = self.draft.variable();
        let octets = vec![Stmt::Write(Prim::Tlv(Tlv::PutElement), vec![Arg::Contents(Place::reference(inner))])];
        arms.push((count, inner, octets));
        if let Row::Unknown | Row::Ahead = row {
            let others = self.block(|walk| walk.draft.give_up());
            return self.draft.push(Stmt::SwitchOpen { id, place: place.clone(), arms, others: Some(others) });
        }
        for at in 0..count {
            let inner = self.draft.variable();
            let arm = self.block(|walk| {
                walk.draft.reject_if(row.differs(at));
                match rows.get(at) {
                    Some(node) => {
                        let type_id = walk.draft.types.row(id, at);
                        walk.value(type_id, *node, &Place::reference(inner));
                    }
                    None => walk.draft.give_up(),
                }
            });
            arms.push((at, inner, arm));
        }
        self.draft.push(Stmt::SwitchOpen { id, place: place.clone(), arms, others: None });
    }

    /// The octets of one value, as the last alternative of an open type.
    fn take_octets(&mut self, id: TypeId, count: usize, place: &Place) {
        let content = self.draft.take_slice(Prim::Tlv(Tlv::Whole), Vec::new());
        let kept = self.draft.variable();
        self.draft.push(Stmt::ChooseOnly { id, alternative: count, place: place.clone(), inner: kept });
        let octets = self.draft.types.row(id, count);
        self.draft.fill(octets, &Place::reference(kept), Str::Var(content), (0, u64::MAX));
    }

    fn put(&mut self, number: Num, octets: u32) {
        self.draft.push(Stmt::Put { number, octets });
    }

    fn write(&mut self, by: Tlv, args: Vec<Arg>) {
        self.draft.push(Stmt::Write(Prim::Tlv(by), args));
    }

    fn front(&mut self, tag: Identifier, length: u8) {
        self.put(Num::Const(tag.into()), 1);
        self.put(Num::Const(length.into()), 1);
    }
}

/// The fault that a value may have. In memory, an item is an index.
const fn reason(contents: &Contents, is_encoder: bool) -> Option<Reason> {
    Some(match contents {
        Contents::Null => Reason::Null,
        Contents::Boolean => Reason::Truth,
        Contents::Integer { .. } => Reason::Integer,
        Contents::WideInteger { .. } if is_encoder => Reason::Integer,
        Contents::WideInteger { lower: Some(_), upper: Some(_) } => Reason::Integer,
        Contents::WideInteger { .. } => Reason::IntegerWidth,
        Contents::Enumerated { .. } if is_encoder => Reason::Item,
        Contents::Enumerated { .. } => Reason::ItemNumber,
        Contents::Bits { trim: Some(_), .. } => Reason::NamedBits,
        Contents::Bits { .. } | Contents::Octets { .. } | Contents::Utf8 { .. } | Contents::Characters { .. } => {
            Reason::Size
        }
        _ => return None,
    })
}
