//! Parameterised definitions (X.683): scopes with actual parameters, and instances.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::rc::Rc;

use super::Resolver;
use crate::ast::{Assignment, Reference, Tokens, Type};
use crate::lexer::Tok;
use roadwire_source::Outcome;
use roadwire_source::Span;

/// How deep an instance may be inside instances.
const MAX_DEPTH: u32 = 64;
/// How many different instances there may be.
const MAX_INSTANCES: usize = 20_000;

/// Where names are looked up: a module, and the actual parameters of the definition we are in.
#[derive(Debug)]
pub(super) struct Scope {
    pub(super) module: usize,
    pub(super) args: HashMap<Rc<str>, Arg>,
    /// 0 outside of parameterised definitions, else the instance.
    pub(super) instance: u32,
    depth: u32,
}

impl Scope {
    pub(super) fn of_module(module: usize) -> Self {
        Scope { module, args: HashMap::new(), instance: 0, depth: 0 }
    }

    /// Scopes with one identity see the same names in the same way.
    pub(super) fn identity(&self) -> u32 {
        if self.instance == 0 {
            // Instances count up from 1; modules from the top down.
            u32::MAX - self.module as u32
        } else {
            self.instance
        }
    }
}

/// An actual parameter: text, and the scope in which it was written.
#[derive(Debug, Clone)]
pub(super) struct Arg {
    pub(super) tokens: Tokens,
    pub(super) scope: Rc<Scope>,
    /// The dummy's governor, to be read in the scope in which the dummy is known.
    pub(super) governor: Option<Rc<Type>>,
    /// Equal for parameters that mean the same.
    key: u32,
}

impl Arg {
    /// Whether two parameters mean the same.
    pub(super) fn same(&self, other: &Arg) -> bool {
        self.key == other.key
    }
}

#[derive(Default)]
pub(super) struct Instances {
    scopes: HashMap<(usize, Rc<str>, Vec<u32>), Rc<Scope>>,
    keys: HashMap<String, u32>,
}

impl Resolver<'_> {
    /// The scope for the right side of `assignment` as used by `reference`.
    pub(super) fn definition_scope(
        &mut self,
        module: usize,
        assignment: &Rc<Assignment>,
        reference: &Reference,
        scope: &Rc<Scope>,
    ) -> Outcome<Rc<Scope>> {
        let params = assignment.params.as_deref();
        let args = reference.args.as_deref();
        let (params, args) = match (params, args) {
            (None, None) => return Ok(self.modules[module].scope.clone()),
            (Some(params), Some(args)) if params.len() == args.len() => (params, args),
            (params, args) => {
                let wanted = params.map_or(0, <[_]>::len);
                let given = args.map_or(0, Vec::len);
                return Err(self.error(
                    "asn1.parameter.count",
                    reference.span,
                    format!(
                        "`{}` has {wanted} parameter{}, but {given} {} given",
                        assignment.name.name,
                        if wanted == 1 { "" } else { "s" },
                        if given == 1 { "is" } else { "are" },
                    ),
                ));
            }
        };
        if scope.depth >= MAX_DEPTH {
            return Err(self.error(
                "asn1.limit.instance",
                reference.span,
                format!("parameterised definitions are nested more than {MAX_DEPTH} deep here"),
            ));
        }
        let mut resolved = Vec::new();
        for tokens in args {
            resolved.push(self.argument(*tokens, scope));
        }
        let keys: Vec<u32> = resolved.iter().map(|a| a.key).collect();
        let instance_key = (module, assignment.name.name.clone(), keys);
        if let Some(known) = self.instances.scopes.get(&instance_key) {
            return Ok(known.clone());
        }
        if self.instances.scopes.len() >= MAX_INSTANCES {
            return Err(self.too_many_instances(reference.span));
        }
        let mut table = HashMap::new();
        for (param, mut arg) in params.iter().zip(resolved) {
            arg.governor = param.governor.clone();
            if table.insert(param.name.name.clone(), arg).is_some() {
                return Err(self.error(
                    "asn1.name.duplicate",
                    param.name.span,
                    format!("parameter `{}` is there twice", param.name.name),
                ));
            }
        }
        let made = Rc::new(Scope {
            module,
            args: table,
            instance: self.instances.scopes.len() as u32 + 1,
            depth: scope.depth + 1,
        });
        self.instances.scopes.insert(instance_key, made.clone());
        Ok(made)
    }

    /// A scope in which the dummy references are known, but have no value.
    pub(super) fn dummy_scope(&self, module: usize, assignment: &Assignment) -> Rc<Scope> {
        let plain = self.modules[module].scope.clone();
        let nothing = Tokens { file: assignment.name.span.file, start: 0, end: 0, span: assignment.name.span };
        let arg = |governor: &Option<Rc<Type>>| Arg {
            tokens: nothing,
            scope: plain.clone(),
            governor: governor.clone(),
            key: u32::MAX,
        };
        let params = assignment.params.iter().flatten();
        let args = params.map(|p| (p.name.name.clone(), arg(&p.governor))).collect();
        // No instance has this number, and nothing is resolved in this scope: names are only looked
        // up.
        Rc::new(Scope { module, args, instance: u32::MAX / 2, depth: 0 })
    }

    fn too_many_instances(&mut self, span: Span) -> roadwire_source::Reported {
        let first = !std::mem::replace(&mut self.too_many, true);
        if first {
            return self.error(
                "asn1.limit.instance",
                span,
                format!("more than {MAX_INSTANCES} instances of parameterised definitions"),
            );
        }
        roadwire_source::Reported::before()
    }

    /// An actual parameter with its key; a dummy reference passed on is the parameter it stands
    /// for.
    fn argument(&mut self, tokens: Tokens, scope: &Rc<Scope>) -> Arg {
        let mut text = String::new();
        let file = &self.files[tokens.file as usize];
        let range = tokens.start as usize..tokens.end as usize;
        let items = self.lexed[tokens.file as usize].tokens.get(range).unwrap_or_default();
        let mut depends = false;
        for item in items {
            let word = file.slice(item.span);
            let arg = match item.tok {
                Tok::Upper | Tok::Lower => scope.args.get(word),
                _ => None,
            };
            if let Some(arg) = arg {
                if items.len() == 1 {
                    return arg.clone();
                }
                depends = true;
                let _ = write!(text, "#{} ", arg.key);
            } else {
                text.push_str(word);
                text.push(' ');
            }
        }
        // `{T}` for a set parameter T is also that parameter.
        if depends {
            if let [open, name, close] = items {
                if open.tok == Tok::LBrace && close.tok == Tok::RBrace {
                    if let Some(arg) = scope.args.get(file.slice(name.span)) {
                        if name.tok == Tok::Upper {
                            return arg.clone();
                        }
                    }
                }
            }
        }
        let _ = write!(text, "@{}", scope.module);
        let next = self.instances.keys.len() as u32;
        let key = *self.instances.keys.entry(text).or_insert(next);
        Arg { tokens, scope: scope.clone(), governor: None, key }
    }
}
