//! The most stack that generated C takes: the deepest way through a compiler's call graph.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use roadwire_codegen::{C_RUNTIME, Way, generate_c};
use roadwire_files::PrivateFolder;
use roadwire_layout::Rules;
use roadwire_model::{Model, TypeId};

use crate::stacks::Stack;

/// Compiled for this machine by `cc`, or what `CC` names, with `-O2`.
pub(super) fn compiled(model: &Model, id: TypeId, rules: Rules) -> Stack {
    let graph = generate_c(model, &[id], &[rules], ("codec", "codec")).ok().and_then(|generated| {
        let folder = PrivateFolder::new_in(&std::env::temp_dir(), "roadwire-stack-").ok()?;
        let files = [("codec.h", &*generated.header), ("codec.c", &generated.source), ("roadwire_rt.h", C_RUNTIME)];
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).ok()?;
        }
        let name = generated.messages.into_iter().next()?.name;
        Some((graph_of(folder.path())?, name))
    });
    let of = |way| {
        let (graph, name) = graph.as_ref()?;
        let verb = if way == Way::Encode { "encode" } else { "decode" };
        let function = format!("{name}_{verb}_{}", rules.name().replace('-', "_"));
        // With memory of the caller.
        graph.deepest(&format!("{function}_in")).or_else(|| graph.deepest(&function))
    };
    Stack { encode: of(Way::Encode), decode: of(Way::Decode) }
}

/// Functions with the stack of each, and what they call.
#[derive(Default)]
struct Graph {
    own: HashMap<String, Option<u64>>,
    calls: HashMap<String, Vec<String>>,
}

fn graph_of(folder: &Path) -> Option<Graph> {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let flags = ["-std=c99", "-O2", "-w", "-fcallgraph-info=su", "-c", "codec.c"];
    let ran = Command::new(compiler).args(flags).current_dir(folder).output().ok()?;
    let text = std::fs::read_to_string(folder.join("codec.ci")).ok().filter(|_| ran.status.success())?;
    Some(Graph::read(&text))
}

impl Graph {
    /// A graph as gcc writes it: lines with values between quotes.
    fn read(text: &str) -> Graph {
        let mut graph = Graph::default();
        for line in text.lines() {
            let quoted: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
            match quoted.as_slice() {
                [title, label, ..] if line.starts_with("node:") => {
                    // Functions of the C library have no size.
                    if let Some((octets, kind)) = label.split("\\n").find_map(|part| part.split_once(" bytes (")) {
                        // Octets that a call pushes for its arguments have a bound.
                        let is_known = ["static", "dynamic,bounded"].iter().any(|known| kind.starts_with(known));
                        let octets = octets.parse().ok().filter(|_| is_known);
                        graph.own.insert((*title).to_owned(), octets);
                    }
                }
                [source, target, ..] if line.starts_with("edge:") => {
                    graph.calls.entry((*source).to_owned()).or_default().push((*target).to_owned());
                }
                _ => {}
            }
        }
        graph
    }

    /// That of the function with this name.
    fn deepest(&self, name: &str) -> Option<u64> {
        let title = self.own.keys().find(|title| title.rsplit(':').next() == Some(name))?;
        self.below(title, &mut HashMap::new())
    }

    /// `known` has `None` for a function while it is being looked at: one that calls itself has no
    /// bound here.
    fn below<'g>(&'g self, title: &'g str, known: &mut HashMap<&'g str, Option<u64>>) -> Option<u64> {
        if let Some(known) = known.get(title) {
            return *known;
        }
        known.insert(title, None);
        let mut most = 0;
        for called in self.calls.get(title).into_iter().flatten().filter(|called| self.own.contains_key(*called)) {
            most = most.max(self.below(called, known)?);
        }
        let octets = self.own.get(title).copied().flatten()?.checked_add(most);
        known.insert(title, octets);
        octets
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;

    const GRAPH: &str = r#"graph: { title: "codec.c"
node: { title: "codec.c:inner" label: "inner\ncodec.c:1:1\n32 bytes (static)\n0 dynamic objects" }
node: { title: "codec.c:again" label: "again\ncodec.c:2:1\n16 bytes (static)\n0 dynamic objects" }
node: { title: "codec.c:large" label: "large\ncodec.c:3:1\n16 bytes (dynamic)\n1 dynamic objects" }
node: { title: "outer" label: "outer\ncodec.c:4:1\n48 bytes (dynamic,bounded)\n0 dynamic objects" }
node: { title: "memcpy" label: "memcpy\n<built-in>" shape : ellipse }
edge: { sourcename: "outer" targetname: "codec.c:inner" label: "codec.c:5:1" }
edge: { sourcename: "codec.c:inner" targetname: "memcpy" label: "codec.c:6:1" }
edge: { sourcename: "codec.c:again" targetname: "codec.c:again" label: "codec.c:7:1" }
}"#;

    #[test]
    fn the_deepest_way_has_an_end_or_is_unknown() {
        let graph = Graph::read(GRAPH);
        let deepest = ["outer", "inner", "again", "large", "memcpy"].map(|name| graph.deepest(name));
        assert_eq!(deepest, [Some(80), Some(32), None, None, None]);
    }
}
