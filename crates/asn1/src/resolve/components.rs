//! SEQUENCE, SET and CHOICE: COMPONENTS OF, extension marks, automatic tagging (X.680 §25, §27,
//! §29).

use std::collections::HashMap;
use std::rc::Rc;

use roadwire_model::{Alternative, Component, Field, Kind, Presence, TypeId};

use super::parameters::Scope;
use super::tags::has_tag;
use super::{Job, PendingDefault, Resolver};
use crate::ast::{self, Addition, Components, Ident, Tagging, TypeKind};
use roadwire_source::Outcome;
use roadwire_source::Span;

/// How many components a type may have after COMPONENTS OF is replaced.
const MAX_COMPONENTS: usize = 20_000;

/// A structured type and the types around it, for `@` links (X.682 §10.7).
pub(super) struct Enclosing {
    /// Components by name, with their types as written.
    pub(super) members: HashMap<Rc<str>, (Rc<ast::Type>, Rc<Scope>)>,
    /// Whether it is a CHOICE.
    pub(super) is_choice: bool,
    pub(super) outer: Option<Rc<Enclosing>>,
}

/// A structured type's components in the text, for the checks on tags.
pub(super) struct Structure {
    pub(super) id: TypeId,
    pub(super) names: Vec<Ident>,
    /// In front of which component further ones may be inserted (X.680 §52), in an extensible type.
    pub(super) insertion: Option<usize>,
}

/// A component after COMPONENTS OF has been replaced.
struct Expanded {
    name: Ident,
    ty: Rc<ast::Type>,
    scope: Rc<Scope>,
    presence: Given,
    field: Field,
}

/// Components so far, and where COMPONENTS OF has led.
#[derive(Default)]
struct Expansion {
    members: Vec<Expanded>,
    /// How many come before the extension insertion point.
    insertion: usize,
    steps: usize,
    path: Vec<(*const Components, u32)>,
}

enum Given {
    Mandatory,
    Optional,
    Default(Rc<ast::Value>),
}

/// The named components of a body, additions included, COMPONENTS OF not.
pub(super) fn named(body: &Components) -> impl Iterator<Item = (&Ident, &Rc<ast::Type>)> {
    let additions = body.additions.iter().flat_map(|a| match a {
        Addition::Single(c) => std::slice::from_ref(c),
        Addition::Group { members, .. } => members.as_slice(),
    });
    body.root1.iter().chain(additions).chain(&body.root2).filter_map(|c| match c {
        ast::Component::Named { name, ty, .. } => Some((name, ty)),
        ast::Component::Of(_) => None,
    })
}

impl Resolver<'_> {
    /// SEQUENCE or SET with components.
    pub(super) fn structure(&mut self, id: TypeId, body: &Rc<Components>, set: bool, job: &Job) -> Outcome<Kind> {
        let Expansion { members: list, insertion, .. } = self.expand(body, set, &job.scope)?;
        let extensible = self.is_extensible(body, &job.scope);
        let tags = self.automatic_tags(body, &list, &job.scope);
        let enclosing = enclosing(&list, false, job);
        let mut components = Vec::new();
        let mut names = Vec::new();
        let mut failed = None;
        for (index, member) in list.into_iter().enumerate() {
            let auto_tag = tags.as_ref().and_then(|t| t.get(index).copied());
            let type_id = match self.member_type(&member, auto_tag, &enclosing) {
                Ok(type_id) => type_id,
                // The others are still checked, to find their errors.
                Err(reported) => {
                    failed = Some(reported);
                    continue;
                }
            };
            let presence = match member.presence {
                Given::Mandatory => Presence::Mandatory,
                Given::Optional => Presence::Optional,
                Given::Default(value) => {
                    self.defaults.push(PendingDefault { owner: id, index, value, scope: member.scope.clone() });
                    // Until the value is known; it is not used before.
                    Presence::Optional
                }
            };
            components.push(Component { name: member.name.name.to_string(), type_id, presence, field: member.field });
            names.push(member.name);
        }
        if let Some(reported) = failed {
            return Err(reported);
        }
        self.structures.push(Structure { id, names, insertion: extensible.then_some(insertion) });
        Ok(Kind::Sequence { set, components, extensible })
    }

    pub(super) fn choice(&mut self, id: TypeId, body: &Rc<Components>, job: &Job) -> Outcome<Kind> {
        if let Some(ast::Component::Named { name, .. }) = body.root2.first() {
            return Err(self.error(
                "asn1.syntax",
                name.span,
                "nothing follows the second extension marker of a CHOICE",
            ));
        }
        let Expansion { members: list, insertion, .. } = self.expand(body, false, &job.scope)?;
        let extensible = self.is_extensible(body, &job.scope);
        if list.is_empty() {
            return Err(self.error(
                "asn1.type.empty",
                job.ty.span,
                "a CHOICE has at least one alternative (X.680 §29.1)",
            ));
        }
        let tags = self.automatic_tags(body, &list, &job.scope);
        let enclosing = enclosing(&list, true, job);
        let mut alternatives = Vec::new();
        let mut names = Vec::new();
        let mut failed = None;
        for (index, member) in list.into_iter().enumerate() {
            if !matches!(member.presence, Given::Mandatory) {
                return Err(self.error(
                    "asn1.syntax",
                    member.name.span,
                    "alternatives of a CHOICE are neither OPTIONAL nor DEFAULT",
                ));
            }
            let auto_tag = tags.as_ref().and_then(|t| t.get(index).copied());
            let type_id = match self.member_type(&member, auto_tag, &enclosing) {
                Ok(type_id) => type_id,
                Err(reported) => {
                    failed = Some(reported);
                    continue;
                }
            };
            alternatives.push(Alternative {
                name: member.name.name.to_string(),
                type_id,
                addition: member.field != Field::Root,
            });
            names.push(member.name);
        }
        if let Some(reported) = failed {
            return Err(reported);
        }
        self.structures.push(Structure { id, names, insertion: extensible.then_some(insertion) });
        Ok(Kind::Choice { alternatives, extensible })
    }

    fn is_extensible(&self, body: &Components, scope: &Scope) -> bool {
        body.extensible || self.modules[scope.module].ast.extensibility_implied
    }

    fn member_type(&mut self, member: &Expanded, auto_tag: Option<u32>, enclosing: &Rc<Enclosing>) -> Outcome<TypeId> {
        if auto_tag.is_none() {
            return self.type_of(&member.ty, &member.scope, Some(enclosing));
        }
        self.new_slot(
            Job { ty: member.ty.clone(), scope: member.scope.clone(), auto_tag, enclosing: Some(enclosing.clone()) },
            None,
        )
    }

    /// All components in textual order; names checked.
    fn expand(&mut self, body: &Components, set: bool, scope: &Rc<Scope>) -> Outcome<Expansion> {
        let mut list = Expansion::default();
        let mut groups = 0;
        self.expand_into(&mut list, &body.root1, set, scope, Field::Root)?;
        for addition in &body.additions {
            match addition {
                Addition::Single(component) => {
                    let one = std::slice::from_ref(component);
                    self.expand_into(&mut list, one, set, scope, Field::Addition)?;
                }
                Addition::Group { members, .. } => {
                    self.expand_into(&mut list, members, set, scope, Field::Group(groups))?;
                    groups += 1;
                }
            }
        }
        self.check_versions(body)?;
        list.insertion = list.members.len();
        self.expand_into(&mut list, &body.root2, set, scope, Field::Root)?;
        let mut names = HashMap::new();
        for member in &list.members {
            let key = member.name.name.clone();
            self.no_duplicate(&mut names, &key, &member.name, "this component")?;
        }
        Ok(list)
    }

    /// X.680 §25.1: version numbers ascend, and are present for all groups or for none.
    fn check_versions(&mut self, body: &Components) -> Outcome<()> {
        let mut last: Option<num_bigint::BigInt> = None;
        for addition in &body.additions {
            let Addition::Group { version: Some(version), .. } = addition else {
                continue;
            };
            let number: num_bigint::BigInt = version.name.parse().unwrap_or_default();
            let least = last.clone().map_or(2.into(), |l| l + 1);
            if number < least {
                return Err(self.error(
                    "asn1.version.order",
                    version.span,
                    "version numbers of extension addition groups start at 2 and ascend (X.680 §25.13)",
                ));
            }
            last = Some(number);
        }
        Ok(())
    }

    fn expand_into(
        &mut self,
        list: &mut Expansion,
        components: &[ast::Component],
        set: bool,
        scope: &Rc<Scope>,
        field: Field,
    ) -> Outcome<()> {
        for component in components {
            match component {
                ast::Component::Named { name, ty, presence } => {
                    self.count_step(list, name.span)?;
                    list.members.push(Expanded {
                        name: name.clone(),
                        ty: ty.clone(),
                        scope: scope.clone(),
                        presence: match presence {
                            ast::Presence::Mandatory => Given::Mandatory,
                            ast::Presence::Optional => Given::Optional,
                            ast::Presence::Default(v) => Given::Default(v.clone()),
                        },
                        field,
                    });
                }
                // X.680 §25.5: the root components of the other type, without marker and additions.
                ast::Component::Of(ty) => {
                    self.count_step(list, ty.span)?;
                    let (other, other_scope) = self.underlying(ty, scope)?;
                    let body = match &other.kind {
                        TypeKind::Sequence(body) if !set => body.clone(),
                        TypeKind::Set(body) if set => body.clone(),
                        _ => {
                            return Err(self.error(
                                "asn1.components-of",
                                ty.span,
                                if set {
                                    "COMPONENTS OF in a SET names a SET (X.680 §27.2)"
                                } else {
                                    "COMPONENTS OF in a SEQUENCE names a SEQUENCE (X.680 §25.5)"
                                },
                            ));
                        }
                    };
                    let here = (Rc::as_ptr(&body), other_scope.identity());
                    if list.path.contains(&here) {
                        return Err(self.error(
                            "asn1.type.circular",
                            ty.span,
                            "this type has the components of itself",
                        ));
                    }
                    list.path.push(here);
                    self.deeper(ty.span, |r| {
                        r.expand_into(list, &body.root1, set, &other_scope, field)?;
                        r.expand_into(list, &body.root2, set, &other_scope, field)
                    })?;
                    list.path.pop();
                }
            }
        }
        Ok(())
    }

    /// COMPONENTS OF can double with every type that names another twice, so steps are also
    /// counted.
    fn count_step(&mut self, list: &mut Expansion, span: Span) -> Outcome<()> {
        list.steps += 1;
        if list.steps > MAX_COMPONENTS {
            return Err(self.error(
                "asn1.limit.components",
                span,
                format!("more than {MAX_COMPONENTS} components in one type"),
            ));
        }
        Ok(())
    }

    /// X.680 §25.3, §25.7, §29.3: numbers for all components when the environment is automatic and
    /// no component has a tag in the text; root components first, then additions.
    fn automatic_tags(&self, body: &Components, list: &[Expanded], scope: &Scope) -> Option<Vec<u32>> {
        if self.modules[scope.module].ast.tagging != Tagging::Automatic {
            return None;
        }
        // Checked before COMPONENTS OF is replaced; tags from it do not count.
        if named(body).any(|(_, ty)| has_tag(ty)) {
            return None;
        }
        let roots = list.iter().filter(|m| m.field == Field::Root).count() as u32;
        let (mut root, mut addition) = (0, roots);
        Some(
            list.iter()
                .map(|m| {
                    let next = if m.field == Field::Root { &mut root } else { &mut addition };
                    *next += 1;
                    *next - 1
                })
                .collect(),
        )
    }
}

fn enclosing(list: &[Expanded], is_choice: bool, job: &Job) -> Rc<Enclosing> {
    Rc::new(Enclosing {
        members: list.iter().map(|m| (m.name.name.clone(), (m.ty.clone(), m.scope.clone()))).collect(),
        is_choice,
        outer: job.enclosing.clone(),
    })
}
