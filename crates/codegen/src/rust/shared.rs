//! Functions that are equal to the letter are printed once: those of several sets of encoding rules
//! often are, because they share most of their code (BER and DER, streams of events).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::source::Source;

/// The functions of the modules printed so far.
#[derive(Default)]
pub(crate) struct Printed(Vec<HashMap<String, Function>>);

/// A function that a module has or uses.
struct Function {
    text: String,
    /// The module that has it.
    home: String,
}

impl Printed {
    /// Removes from the module `name` all functions that an earlier one has, and uses them from
    /// there.
    pub(crate) fn share(&mut self, name: &str, out: &mut Source) {
        let mut homes: HashMap<String, String> = HashMap::new();
        for module in &self.0 {
            for function in equal(module, out) {
                homes.entry(function.clone()).or_insert_with(|| module[&function].home.clone());
            }
        }
        keep_inlined(&mut homes, out);
        let home = |of: &String| homes.get(of).map_or(name, String::as_str).to_owned();
        let functions = out
            .functions()
            .map(|(one, text)| (one.name.clone(), Function { text: text.to_owned(), home: home(&one.name) }));
        self.0.push(functions.collect());
        let is_own = |function: &String| !homes.contains_key(function);
        let calls = out.functions().filter(|(one, _)| is_own(&one.name)).flat_map(|(one, _)| &one.calls);
        let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for function in calls.chain(&out.entries).filter(|function| !is_own(function)) {
            used.entry(home(function)).or_default().insert(function.clone());
        }
        out.retain_functions(|function| is_own(&function.name));
        for (module, functions) in used {
            out.line("");
            out.line(format!("use super::{module}::{{{}}};", Vec::from_iter(functions).join(", ")));
        }
    }
}

/// Leaves functions in their module that one place there calls: the compiler inlines such a
/// function, and would not if another module called it as well.
fn keep_inlined(homes: &mut HashMap<String, String>, out: &Source) {
    let mut places: HashMap<&String, usize> = HashMap::new();
    out.functions().flat_map(|(one, _)| &one.calls).for_each(|call| *places.entry(call).or_default() += 1);
    loop {
        let own = out.functions().filter(|(one, _)| !homes.contains_key(&one.name));
        let inlined = own.flat_map(|(one, _)| &one.calls).filter(|call| places[call] == 1);
        let kept: Vec<&String> = inlined.filter(|call| homes.contains_key(*call)).collect();
        if kept.is_empty() {
            return;
        }
        kept.into_iter().for_each(|name| drop(homes.remove(name)));
    }
}

/// The functions that a module also has: those with the same text that call only such functions.
fn equal(module: &HashMap<String, Function>, out: &Source) -> HashSet<String> {
    let has = |name: &String, text: &str| module.get(name).is_some_and(|other| other.text == text);
    let same = out.functions().filter(|(one, text)| has(&one.name, text)).map(|(one, _)| one.name.clone());
    let mut equal: HashSet<String> = same.collect();
    loop {
        let is_other = |calls: &[String]| calls.iter().any(|call| !equal.contains(call));
        let other = out.functions().filter(|(one, _)| equal.contains(&one.name) && is_other(&one.calls));
        let other: Vec<String> = other.map(|(one, _)| one.name.clone()).collect();
        if other.is_empty() {
            return equal;
        }
        equal.retain(|name| !other.contains(name));
    }
}
