//! The input of each fault: in Rust, in C, and on the page.

mod c;
mod page;
mod rust;

use roadwire_faults::{Fault, table};
use roadwire_layout::Rules;
use roadwire_measure::heap::CountingAllocator;
use roadwire_model::{Model, TypeId};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// The fault with this name.
fn fault(name: &str) -> Fault {
    table().fault.into_iter().find(|fault| fault.name == name).expect("the table has it")
}

/// A fault's type and its rules.
struct Subject {
    model: Model,
    root: TypeId,
    rules: Rules,
}

impl Subject {
    /// `None` of a fault without encoding rules.
    fn of(fault: &Fault) -> Option<Subject> {
        let rules = fault.rules.as_ref()?.parse().expect("encoding rules");
        let source = roadwire_asn1::Source::new("fault.asn", fault.module().as_str());
        let model = roadwire_asn1::compile(&[source]).unwrap_or_else(|errors| panic!("{}", errors.render())).model;
        let root = model.find("A").expect("a type A");
        Some(Subject { model, root, rules })
    }
}
