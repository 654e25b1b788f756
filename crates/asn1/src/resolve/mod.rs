//! From syntax trees to the model: names, parameters, tags, constraints, values, objects.
//!
//! Types live in slots that are built on demand: a reference gives a slot's number at once, so
//! recursive types need no special care; only what needs a type's *inside* (a constraint, a value,
//! a copy with another tag) builds it.

pub(crate) mod characters;
mod checks;
mod components;
mod constraints;
mod enumerations;
mod fields;
mod from_objects;
mod imports;
mod instructions;
mod intervals;
mod kinds;
mod late;
mod links;
mod literals;
mod names;
mod object_sets;
mod object_syntax;
mod objects;
mod oids;
mod open_values;
mod parameters;
mod prelude;
mod reach;
mod reals;
mod strings;
mod tags;
mod times;
mod types;
mod underlying;
mod uninstantiated;
mod values;
mod well_known;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use roadwire_model::{Model, QualifiedName, Type, TypeId, Value, ValueSet};

use crate::ast;
use crate::parse::{LexedFile, Parser};
use constraints::{Facts, Given, Marker};
use late::Late;
use names::ModuleInfo;
use objects::Object;
use parameters::Scope;
use roadwire_source::{Outcome, Reported, Sink};
use roadwire_source::{SourceText, Span};

pub(crate) use prelude::PRELUDE;
pub(crate) use reach::{ReachedImport, ReachedModule};

/// How deep references may chain (types through types, values through values, objects through
/// objects).
const MAX_CHAIN: u32 = 500;
/// How many types a model may have, instances and expansions included.
const MAX_TYPES: usize = 400_000;
/// How often the rest of a value or of a set is read after an error in it, to find further ones.
/// Objects' fields are read anew at each use, so that without an end there would be two ways at
/// each step of a circle.
const MAX_GOING_ON: u32 = 200;
/// How many components, values and rows may be copied for references to the types that have them.
const MAX_COPIES: usize = 4_000_000;

/// Resolves all modules; the model is valid only if the sink has no errors.
pub(crate) fn resolve(
    files: &[SourceText],
    lexed: &[LexedFile],
    modules: Vec<ast::Module>,
    prelude: Vec<ast::Module>,
    sink: &mut Sink,
) -> Model {
    Resolver::of(files, lexed, modules, prelude, sink).run()
}

/// The parts of modules without errors that the definitions `names` reach.
///
/// # Errors
/// The first name that is not that of one definition.
pub(crate) fn reach(
    files: &[SourceText],
    lexed: &[LexedFile],
    modules: Vec<ast::Module>,
    prelude: Vec<ast::Module>,
    names: &[&str],
) -> Result<Vec<ReachedModule>, String> {
    Resolver::of(files, lexed, modules, prelude, &mut Sink::default()).reach(names)
}

/// A definition, or one instance of a parameterised one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct DefinitionKey {
    module: usize,
    name: Rc<str>,
    /// 0 for a definition without parameters.
    instance: u32,
}

/// The state of something that is made on demand.
#[derive(Debug, Clone)]
enum Progress<T> {
    Running,
    Done(T),
    Failed(Reported),
}

/// Results that are made on demand, by definition.
type Made<T> = HashMap<DefinitionKey, Progress<T>>;

/// A type being built for the model.
struct Slot {
    state: SlotState,
    ty: Type,
    facts: Facts,
    /// Constraints that may be more than the effective one.
    given: Vec<Given>,
    /// That of the last constraint, if it is extensible.
    marker: Option<Rc<Marker>>,
    /// The slot whose components this one shares (itself unless copied).
    origin: TypeId,
    span: Span,
}

enum SlotState {
    Pending(Job),
    /// `known`: its kind is known, and its constraints are being applied.
    Running {
        known: bool,
    },
    Done,
    Failed,
}

/// The input for building a slot.
#[derive(Clone)]
struct Job {
    ty: Rc<ast::Type>,
    scope: Rc<Scope>,
    /// The tag of automatic tagging (X.680 §25.7).
    auto_tag: Option<u32>,
    /// The textually enclosing structured types, for `@` links.
    enclosing: Option<Rc<components::Enclosing>>,
}

/// A DEFAULT to be resolved once all types are built.
struct PendingDefault {
    owner: TypeId,
    index: usize,
    value: Rc<ast::Value>,
    scope: Rc<Scope>,
}

/// Parsed forms of token ranges, by the kind that they were parsed as.
#[derive(Clone)]
enum ParsedTokens {
    Type(Rc<ast::Type>),
    Value(Rc<ast::Value>),
    Set(Rc<ast::Set>),
}

struct Resolver<'a> {
    files: &'a [SourceText],
    lexed: &'a [LexedFile],
    sink: &'a mut Sink,
    modules: Vec<ModuleInfo>,
    by_name: HashMap<Rc<str>, Vec<usize>>,
    by_oid: HashMap<Vec<String>, usize>,
    /// Modules from here on are the built-in ones.
    prelude_from: usize,
    slots: Vec<Slot>,
    definitions: HashMap<DefinitionKey, TypeId>,
    /// Types of governors and the like, by syntax node and scope (both kept alive by their owners).
    uses: HashMap<(*const ast::Type, u32), (TypeId, Rc<ast::Type>)>,
    instances: parameters::Instances,
    /// The meaning of `Name ::= Other`: a class, or something else.
    classes: HashMap<(usize, Rc<str>), Option<objects::ClassRef>>,
    values: Made<(TypeId, Value)>,
    objects: Made<Rc<Object>>,
    object_sets: Made<Rc<object_sets::ObjectSet>>,
    parsed: HashMap<(ast::Tokens, u8), Outcome<ParsedTokens>>,
    /// Names already reported as unknown, by module.
    unknown: HashSet<(usize, Rc<str>)>,
    /// The words in the definitions of modules, where they were collected.
    words: HashMap<usize, HashSet<&'a str>>,
    late: Vec<Late>,
    /// Objects whose settings have not been checked.
    unchecked_objects: Vec<Rc<Object>>,
    defaults: Vec<PendingDefault>,
    structures: Vec<components::Structure>,
    chain: u32,
    /// Copies made so far, of components, values and rows.
    spent: usize,
    too_many: bool,
    gone_on: u32,
    /// INTEGER (0..MAX), once made.
    size_slot: Option<TypeId>,
    /// The types of REAL's mantissa, base and exponent.
    part_slots: [Option<TypeId>; 3],
    /// Values of types, as used in a constraint of another type; `None` while one is being built.
    contained: HashMap<(TypeId, TypeId, bool), Option<Rc<ValueSet>>>,
    /// How many sets all constraints have so far.
    weights: usize,
}

impl<'a> Resolver<'a> {
    /// With all modules entered.
    fn of(
        files: &'a [SourceText],
        lexed: &'a [LexedFile],
        modules: Vec<ast::Module>,
        prelude: Vec<ast::Module>,
        sink: &'a mut Sink,
    ) -> Self {
        let mut resolver = Resolver {
            files,
            lexed,
            sink,
            modules: Vec::new(),
            by_name: HashMap::new(),
            by_oid: HashMap::new(),
            prelude_from: modules.len(),
            slots: Vec::new(),
            definitions: HashMap::new(),
            uses: HashMap::new(),
            instances: parameters::Instances::default(),
            classes: HashMap::new(),
            values: HashMap::new(),
            objects: HashMap::new(),
            object_sets: HashMap::new(),
            parsed: HashMap::new(),
            unknown: HashSet::new(),
            words: HashMap::new(),
            late: Vec::new(),
            unchecked_objects: Vec::new(),
            defaults: Vec::new(),
            structures: Vec::new(),
            chain: 0,
            spent: 0,
            too_many: false,
            gone_on: 0,
            size_slot: None,
            part_slots: [None; 3],
            contained: HashMap::new(),
            weights: 0,
        };
        resolver.enter_modules(modules, prelude);
        resolver
    }

    fn run(mut self) -> Model {
        self.check_imports();
        let definitions = self.all_definitions();
        self.build_all();
        let values = self.all_values();
        self.build_all();
        self.resolve_late();
        self.resolve_defaults();
        self.resolve_late();
        self.apply_instructions(&definitions);
        self.check_structures();
        self.check_finite(&definitions);
        let constraints = self.constraints();
        let modules = self.modules.iter().take(self.prelude_from).map(|m| m.name.to_string()).collect();
        Model {
            types: self.slots.into_iter().map(|s| s.ty).collect(),
            definitions,
            values,
            modules,
            constraints,
            ..Model::default()
        }
    }

    /// Slots for every type assignment without parameters; parameterised ones are checked as far as
    /// possible without parameters.
    fn all_definitions(&mut self) -> BTreeMap<QualifiedName, TypeId> {
        let mut found = BTreeMap::new();
        for module in 0..self.prelude_from {
            for assignment in self.modules[module].ast.assignments.clone() {
                if assignment.params.is_some() {
                    self.check_parameterised(module, &assignment);
                    continue;
                }
                let scope = self.modules[module].scope.clone();
                let is_type = match &assignment.body {
                    ast::Body::Type(ty) => matches!(self.class_governor(ty, &scope), Ok(None)),
                    ast::Body::Set { governor, .. } => match self.class_governor(governor, &scope) {
                        Ok(Some(_)) => {
                            let _ = self.object_set_definition(module, &assignment, &scope);
                            false
                        }
                        Ok(None) => true,
                        Err(_) => false,
                    },
                    ast::Body::Class(class) => {
                        self.check_class(class, &scope);
                        false
                    }
                    ast::Body::Value { .. } => false,
                };
                if !is_type {
                    continue;
                }
                if let Ok(id) = self.definition_type(module, &assignment, &scope) {
                    let name = QualifiedName {
                        module: self.modules[module].name.to_string(),
                        name: assignment.name.name.to_string(),
                    };
                    found.entry(name).or_insert(id);
                }
            }
        }
        found
    }

    /// Every value assignment without parameters; objects are resolved on the way.
    fn all_values(&mut self) -> BTreeMap<QualifiedName, (TypeId, Value)> {
        let mut found = BTreeMap::new();
        for module in 0..self.prelude_from {
            for assignment in self.modules[module].ast.assignments.clone() {
                let ast::Body::Value { governor, .. } = &assignment.body else {
                    continue;
                };
                if assignment.params.is_some() {
                    continue;
                }
                let scope = self.modules[module].scope.clone();
                match self.class_governor(governor, &scope) {
                    Ok(Some(_)) => {
                        let _ = self.object_definition(module, &assignment, &scope);
                    }
                    Ok(None) => {
                        if let Ok(typed) = self.value_definition(module, &assignment, &scope) {
                            let name = QualifiedName {
                                module: self.modules[module].name.to_string(),
                                name: assignment.name.name.to_string(),
                            };
                            found.entry(name).or_insert(typed);
                        }
                    }
                    Err(_) => {}
                }
            }
        }
        found
    }

    /// Builds every slot, including those added meanwhile.
    fn build_all(&mut self) {
        let mut next = 0;
        while next < self.slots.len() {
            let _ = self.ensure(TypeId(next as u32));
            next += 1;
        }
    }

    fn slot(&self, id: TypeId) -> &Slot {
        &self.slots[id.0 as usize]
    }

    fn slot_mut(&mut self, id: TypeId) -> &mut Slot {
        &mut self.slots[id.0 as usize]
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Reported {
        self.sink.error(code, span, message)
    }

    /// Resolves an assignment when it is first needed; `circular` makes the error, from its name,
    /// if it is needed while being resolved.
    fn once<T: Clone>(
        &mut self,
        made: fn(&mut Self) -> &mut Made<T>,
        (module, assignment, scope): (usize, &ast::Assignment, &Scope),
        circular: (&'static str, fn(&str) -> String),
        make: impl FnOnce(&mut Self) -> Outcome<T>,
    ) -> Outcome<T> {
        let key = DefinitionKey { module, name: assignment.name.name.clone(), instance: scope.instance };
        match made(self).get(&key) {
            Some(Progress::Done(done)) => return Ok(done.clone()),
            Some(Progress::Failed(reported)) => return Err(*reported),
            Some(Progress::Running) => {
                return Err(self.error(circular.0, assignment.name.span, circular.1(&assignment.name.name)));
            }
            None => {}
        }
        made(self).insert(key.clone(), Progress::Running);
        let result = make(self);
        let progress = match &result {
            Ok(done) => Progress::Done(done.clone()),
            Err(reported) => Progress::Failed(*reported),
        };
        made(self).insert(key, progress);
        result
    }

    /// Resolves an assignment with its governing class; without a class it is something else, for
    /// which `other` makes the error.
    fn of_class<T>(
        &mut self,
        (assignment, scope): (&ast::Assignment, &Rc<Scope>),
        governor: &Rc<ast::Type>,
        other: &str,
        make: impl FnOnce(&mut Self, &objects::ClassRef) -> Outcome<T>,
    ) -> Outcome<T> {
        let ast::Ident { name, span } = &assignment.name;
        self.deeper(*span, |r| match r.class_governor(governor, scope)? {
            Some(class) => make(r, &class),
            None => Err(r.error("asn1.name.role", *span, format!("`{name}` is {other}"))),
        })
    }

    /// Accounts for copies: text that names large things many times must not fill the memory.
    fn spend(&mut self, cost: usize, span: Span) -> Outcome<()> {
        self.spent = self.spent.saturating_add(cost);
        if self.spent <= MAX_COPIES {
            return Ok(());
        }
        if std::mem::replace(&mut self.too_many, true) {
            return Err(Reported::before());
        }
        Err(self.error("asn1.limit.copies", span, "these modules repeat large types or values too often"))
    }

    /// Whether to go on after an error, to find further ones.
    fn go_on<T>(&mut self, result: Outcome<T>, failed: &mut Option<Reported>) -> Outcome<Option<T>> {
        match result {
            Ok(found) => Ok(Some(found)),
            Err(reported) => {
                *failed = Some(reported);
                self.gone_on = self.gone_on.saturating_add(1);
                if self.gone_on > MAX_GOING_ON { Err(reported) } else { Ok(None) }
            }
        }
    }

    /// Runs `inner` one reference deeper; a chain without end is cut with an error at `span`.
    fn deeper<T>(&mut self, span: Span, inner: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.chain >= MAX_CHAIN {
            return Err(self.error(
                "asn1.limit.chain",
                span,
                format!("more than {MAX_CHAIN} references follow each other here"),
            ));
        }
        self.chain += 1;
        let result = inner(self);
        self.chain -= 1;
        result
    }

    /// A parser over tokens that were set aside, in the environment of `scope`'s module.
    fn parser(&mut self, tokens: ast::Tokens, scope: &Scope) -> Parser<'_> {
        let instructions = self.modules[scope.module].ast.encoding_reference.clone();
        Parser::on(
            &self.files[tokens.file as usize],
            &self.lexed[tokens.file as usize],
            tokens,
            instructions,
            self.sink,
        )
    }

    fn tokens_as_type(&mut self, tokens: ast::Tokens, scope: &Scope) -> Outcome<Rc<ast::Type>> {
        let parsed = self.parsed_as(tokens, 0, scope, |p| {
            let ty = p.ty()?;
            p.finish("`,` or `}`")?;
            Ok(ParsedTokens::Type(Rc::new(ty)))
        })?;
        match parsed {
            ParsedTokens::Type(ty) => Ok(ty),
            _ => Err(Reported::before()),
        }
    }

    fn tokens_as_value(&mut self, tokens: ast::Tokens, scope: &Scope) -> Outcome<Rc<ast::Value>> {
        let parsed = self.parsed_as(tokens, 1, scope, |p| {
            let value = p.value()?;
            p.finish("`,` or `}`")?;
            Ok(ParsedTokens::Value(Rc::new(value)))
        })?;
        match parsed {
            ParsedTokens::Value(value) => Ok(value),
            _ => Err(Reported::before()),
        }
    }

    /// `{ ... }` as a set, or a reference alone as the set of it.
    fn tokens_as_set(&mut self, tokens: ast::Tokens, scope: &Scope) -> Outcome<Rc<ast::Set>> {
        use crate::lexer::Tok;
        let parsed = self.parsed_as(tokens, 2, scope, |p| {
            let braced = p.accept(Tok::LBrace);
            let set = p.set(if braced { Tok::RBrace } else { Tok::End })?;
            if braced {
                p.expect(Tok::RBrace, "`}`")?;
            }
            p.finish("`,` or `}`")?;
            Ok(ParsedTokens::Set(Rc::new(set)))
        })?;
        match parsed {
            ParsedTokens::Set(set) => Ok(set),
            _ => Err(Reported::before()),
        }
    }

    fn parsed_as(
        &mut self,
        tokens: ast::Tokens,
        role: u8,
        scope: &Scope,
        parse: impl FnOnce(&mut Parser<'_>) -> Outcome<ParsedTokens>,
    ) -> Outcome<ParsedTokens> {
        if let Some(done) = self.parsed.get(&(tokens, role)) {
            return done.clone();
        }
        let result = parse(&mut self.parser(tokens, scope));
        self.parsed.insert((tokens, role), result.clone());
        result
    }
}
