//! Extension additions that the type knows: after the root come their number, a presence bit for
//! each, and then each in an open type (X.691 §19.7 to §19.9, X.696 §16.4, §16.5). A message with
//! others is the interpreter's, which keeps them.

use roadwire_layout::{Addition, Layout, LengthForm, Member, Node, NodeId};
use roadwire_model::{Field, Kind, TypeId};

use super::record::{any_sent, clear, sent};
use super::{Walk, amount, phase};
use crate::plan::{Amount, Arg, Bit, Component, Cond, Mover, Num, Place, Prim, Stmt, Var};
use crate::walk::walker::Walker;

/// As many presence bits as a word has; records with more additions are left to the interpreter if
/// one is present.
const MOST: usize = 64;

/// The additions of an extensible record.
pub(super) struct Additions {
    /// In the order of their presence bits; none if they are left to the interpreter.
    known: Vec<Known>,
    /// All their components.
    components: Vec<usize>,
    /// Whether additions that are not known are kept.
    pub(super) keeps: bool,
}

/// An addition.
struct Known {
    /// Its only member, or those of a group.
    members: Vec<Member>,
    /// The zero bits after a group's presence bits; `None` for a single component.
    group: Option<u8>,
}

impl Known {
    fn of(layout: &Layout, addition: &Addition) -> Known {
        match *addition {
            Addition::Single(member) => Known { members: vec![member], group: None },
            Addition::Group(node) => match *layout.node(node) {
                Node::Record { members, padding, .. } => {
                    Known { members: layout.members(members).to_vec(), group: Some(padding) }
                }
                _ => Known { members: Vec::new(), group: None },
            },
        }
    }
}

impl<'a, 'm: 'a> Walk<'_, 'a, 'm> {
    /// The additions of a record; `None` if it is not extensible.
    pub(super) fn additions(&self, id: TypeId, node: NodeId) -> Option<Additions> {
        let layout = self.draft.layout;
        let (Node::Record { extensible: true, additions, .. }, Kind::Sequence { components, .. }) =
            (*layout.node(node), self.draft.types.kind(id))
        else {
            return None;
        };
        let known = Some(layout.additions(additions)).filter(|known| known.len() <= MOST && !self.is_plain);
        let keeps = known.is_some() && self.keeps_later();
        let components = (0..components.len()).filter(|at| components[*at].field != Field::Root).collect();
        let known = known.unwrap_or_default().iter().map(|addition| Known::of(layout, addition)).collect();
        Some(Additions { known, components, keeps })
    }

    /// Writes the extension bit. Returns the condition under which additions follow, if they may.
    pub(super) fn put_extension(&mut self, id: TypeId, additions: Option<&Additions>, place: &Place) -> Option<Cond> {
        let additions = additions?;
        let sent = additions.components.iter().map(|at| sent(id, *at, place));
        if additions.known.is_empty() && !additions.keeps {
            sent.for_each(|sent| self.reject(sent));
            self.in_root(true);
            return None;
        }
        let unknown = additions.keeps.then(|| Cond::HasUnknown(place.clone()));
        let is_extended = Cond::Any(sent.chain(unknown).collect());
        self.put(amount(Amount::Holds(is_extended.clone())), 1);
        Some(is_extended)
    }

    /// Writes the additions, if one is present.
    pub(super) fn put_additions(&mut self, id: TypeId, is_extended: Cond, additions: &Additions, place: &Place) {
        self.settle();
        let root = self.phase;
        let then = self.block(|walk| {
            match additions.keeps {
                true => walk.put_more_presence(id, additions, place),
                false => walk.put_presence(id, additions, place),
            }
            additions.known.iter().for_each(|addition| walk.put_addition(id, addition, place));
            if additions.keeps {
                walk.settle();
                walk.if_unknown(Mover::PutUnknown, Arg::Unknown(place.clone()), place);
                walk.phase = None;
            }
        });
        self.draft.push(Stmt::If { condition: is_extended, then, otherwise: None });
        self.phase = phase::join(root, self.phase);
    }

    /// The presence bits, if some additions may not be known.
    fn put_more_presence(&mut self, id: TypeId, additions: &Additions, place: &Place) {
        self.settle();
        let bits = (0..).zip(&additions.known).map(|(at, addition)| {
            let holds = amount(Amount::Holds(any_sent(id, &addition.members, place)));
            Arg::Num(holds.shl(MOST as u32 - 1 - at))
        });
        let known = Arg::Num(Num::Const(additions.known.len() as u64));
        let args = [Arg::Unknown(place.clone()), known, self.is_aligned()].into_iter().chain(bits).collect();
        let then = vec![Stmt::Do(Prim::Mover(Mover::PutAdditions), args)];
        // Without known additions there are others.
        let otherwise =
            (!additions.known.is_empty()).then(|| self.block(|walk| walk.put_presence(id, additions, place)));
        self.draft.push(Stmt::If { condition: Cond::HasUnknown(place.clone()), then, otherwise });
        self.phase = None;
    }

    /// Writes or reads the octets of additions that are not known, if there are any.
    fn if_unknown(&mut self, by: Mover, kept: Arg, place: &Place) {
        let then = vec![Stmt::Do(Prim::Mover(by), vec![kept, self.is_aligned()])];
        self.draft.push(Stmt::If { condition: Cond::HasUnknown(place.clone()), then, otherwise: None });
    }

    /// Whether length determinants are aligned.
    pub(super) fn is_aligned(&self) -> Arg {
        Arg::Flag(self.draft.layout.length_form == LengthForm::Aligned)
    }

    /// The presence bits.
    fn put_presence(&mut self, id: TypeId, additions: &Additions, place: &Place) {
        let count = additions.known.len() as u64;
        let unused = match self.is_octet {
            true => {
                // The length of a bit string, and how many of its bits are not used.
                let octets = count.div_ceil(8);
                self.put(Num::Const(octets + 1), 8);
                self.put(Num::Const(octets * 8 - count), 8);
                octets * 8 - count
            }
            false => {
                self.put(Num::Const(count - 1), 7);
                0
            }
        };
        for addition in &additions.known {
            self.put(amount(Amount::Holds(any_sent(id, &addition.members, place))), 1);
        }
        self.put(Num::Const(0), unused as u32);
    }

    fn put_addition(&mut self, id: TypeId, addition: &Known, place: &Place) {
        self.settle();
        let absent = self.phase;
        match (addition.group, addition.members.as_slice()) {
            (Some(padding), members) => {
                let group = |walk: &mut Self| walk.put_root(id, members, padding, place);
                let then = self.block(|walk| walk.level(true, |walk| walk.put_open_type(group)));
                self.draft.push(Stmt::If { condition: any_sent(id, members, place), then, otherwise: None });
            }
            (None, members) => members.iter().for_each(|member| {
                let (one, field) = place.member(id, member);
                self.if_sent(one, &field, |walk, content| {
                    walk.put_open_type(|walk| walk.named(one.at, |walk| walk.addition(one, member.node, content)));
                });
            }),
        }
        self.phase = phase::join(absent, self.phase);
    }

    /// The content of an open type. A tap would have to know the length before it.
    fn addition(&mut self, one: Component, node: NodeId, place: &Place) {
        let id = self.draft.component(one).type_id;
        if self.draft.tap(one.record, one.at).is_some() || self.draft.types.leads_to_tap(id) {
            return self.draft.give_up();
        }
        self.content_of(id, node, place);
    }

    /// Reads the extension bit, and returns it. If additions are left to the interpreter, a set bit
    /// is rejected.
    pub(super) fn take_extension(
        &mut self,
        id: TypeId,
        additions: &Additions,
        (bitmap, front): (Option<Var>, u32),
        place: &Place,
    ) -> Option<Bit> {
        let bit = match bitmap {
            Some(word) => Bit { word, mask: Some(1 << (front - 1)) },
            None => Bit { word: self.take(1), mask: None },
        };
        let is_known = !additions.known.is_empty() || additions.keeps;
        if !is_known {
            self.reject(match bitmap {
                Some(bitmap) => Cond::HasBitsAbove(Num::Var(bitmap), front - 1),
                None => Cond::Differs(Num::Var(bit.word), 0),
            });
        }
        self.draft.push(Stmt::ForgetUnknown(place.clone()));
        if !is_known {
            absent(id, &additions.components, place).into_iter().for_each(|absent| self.draft.push(absent));
        }
        is_known.then_some(bit)
    }

    /// Reads the additions, if any may be there.
    pub(super) fn take_additions(&mut self, id: TypeId, is_extended: Bit, additions: &Additions, place: &Place) {
        self.settle();
        let root = self.phase;
        let then = self.block(|walk| {
            let (there, count) = (walk.variable(), Arg::Num(Num::Const(additions.known.len() as u64)));
            let (by, args) = match (additions.keeps, walk.is_octet) {
                (true, _) => (Mover::TakeMoreAdditions, vec![count, walk.is_aligned(), Arg::Exclusive(place.clone())]),
                (false, true) => (Mover::TakeAdditions, vec![count]),
                (false, false) => (Mover::TakeAdditions, vec![count, walk.is_aligned()]),
            };
            walk.draft.push(Stmt::Get(there, Prim::Mover(by), args));
            for (at, addition) in additions.known.iter().enumerate() {
                let condition = Cond::IsSet(Bit { word: there, mask: Some(1 << (MOST - 1 - at)) });
                let members = addition.members.iter();
                let absent = members.map(|member| clear(id, member.component as usize, place)).collect();
                // How many presence bits there were is not known, nor how many additions.
                walk.phase = None;
                let then = walk.block(|walk| walk.take_addition(id, addition, place));
                walk.draft.push(Stmt::If { condition, then, otherwise: Some(absent) });
            }
            if additions.keeps {
                walk.if_unknown(Mover::TakeUnknown, Arg::Exclusive(place.clone()), place);
            }
            walk.phase = None;
        });
        let otherwise = Some(absent(id, &additions.components, place));
        self.draft.push(Stmt::If { condition: Cond::IsSet(is_extended), then, otherwise });
        self.phase = phase::join(root, self.phase);
    }

    fn take_addition(&mut self, id: TypeId, addition: &Known, place: &Place) {
        match (addition.group, addition.members.as_slice()) {
            (Some(padding), members) => {
                let group = |walk: &mut Self| walk.take_record(id, members, None, padding, place);
                self.level(true, |walk| walk.take_open_type(group));
            }
            (None, members) => members.iter().for_each(|member| {
                let (one, field) = place.member(id, member);
                self.take_open_type(|walk| {
                    walk.named(one.at, |walk| {
                        let content = walk.draft.present(one, &field);
                        walk.addition(one, member.node, &content);
                    });
                });
            }),
        }
    }
}

fn absent(record: TypeId, components: &[usize], place: &Place) -> Vec<Stmt> {
    let absent = |at: &usize| Stmt::SetAbsent(Component { record, at: *at }, place.component(record, *at));
    components.iter().map(absent).collect()
}
