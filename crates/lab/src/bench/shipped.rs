//! The messages whose generated code is in this program: those that roadwire ships, and those that
//! only papers have.

use roadwire_layout::Rules;
use roadwire_measure::cell::{Absent, Cell};

use super::own::Own;
use super::typed;

/// A message's schema and names, and its cells.
pub(super) struct Shipped {
    schema: &'static str,
    /// The full name first.
    names: &'static [&'static str],
    /// The cell under these rules of the message that the octets are.
    pub(super) cell: fn(Rules, Octets<'_>) -> Result<Box<dyn Cell>, Absent>,
}

/// Makes the octets of the message under the rules.
type Octets<'o> = &'o dyn Fn() -> Result<Vec<u8>, Absent>;

/// The generated code for the type of a user's messages.
pub(super) fn find(own: &Own) -> Option<&'static Shipped> {
    let is_it = |one: &&Shipped| one.schema == own.schema && one.names.contains(&own.type_name.as_str());
    MESSAGES.iter().chain(PAPERS).find(is_it).filter(|_| own.is_named)
}

macro_rules! shipped {
    ($($schema:literal [$($name:literal)*] $message:ty [$($read:ident)*] [$($written:ident)*] $keeps:literal;)*) => {
        &[$(Shipped {
            schema: $schema,
            names: &[$($name),*],
            cell: |rules, octets| match rules {
                $(Rules::$written => typed::cell::<$message, roadwire_layout::$written>(&octets()?),)*
                other => Err(Absent(format!("{} has no generated code in {other}: the interpreter alone has it", $schema))),
            },
        }),*]
    };
}

static MESSAGES: &[Shipped] = roadwire_messages::for_each_message!(shipped);
static PAPERS: &[Shipped] = roadwire_papers::for_each_message!(shipped);
