//! The messages whose generated code is in this program: those that roadwire ships, those that only
//! papers have, and some under further rules for one study.

use roadwire_engine::Message;
use roadwire_layout::{Layout, Rules};
use roadwire_measure::cell::{Absent, Cell};
use roadwire_program::Program;

use super::{interpreted, programmed, typed};

/// A message's schema and names, and its codecs.
pub struct Shipped {
    schema: &'static str,
    /// The full name first.
    names: &'static [&'static str],
    generated: fn(Rules) -> Option<Make>,
    layout: fn(Rules) -> Option<&'static Layout>,
    interpreted: fn(&'static Layout, &[u8]) -> Made,
    programmed: fn(Program, &'static Layout, &[u8]) -> Made,
}

/// A cell, or why there is none.
pub type Made = Result<Box<dyn Cell>, Absent>;

/// Makes the cell of the message that octets are.
pub type Make = fn(&[u8]) -> Made;

/// The entries of a message.
fn entries<'t>(schema: &'t str, message: &'t str) -> impl Iterator<Item = &'static Shipped> + use<'t> {
    let is_it = move |one: &&Shipped| one.schema == schema && one.names.contains(&message);
    MESSAGES.iter().chain(PAPERS).chain(FURTHER).filter(is_it)
}

/// Whether there is generated code of a message, which a schema has by this name.
#[must_use]
pub fn is_shipped(schema: &str, message: &str) -> bool {
    entries(schema, message).next().is_some()
}

/// Makes the cells of a message's straight-line code under these rules.
///
/// # Errors
/// There is no generated code for them.
pub fn generated(schema: &str, message: &str, rules: Rules) -> Result<Make, Absent> {
    let found = entries(schema, message).find_map(|one| (one.generated)(rules));
    found.ok_or_else(|| no_code(schema, rules))
}

/// The cell of the interpreter over a generated type, with the message that these octets are; or of
/// a program, if there is one.
///
/// # Errors
/// There is no generated type for these rules, or the octets are refused.
pub(super) fn at_run_time(schema: &str, message: &str, rules: Rules, octets: &[u8], program: Option<Program>) -> Made {
    let mut with_layout = entries(schema, message).filter_map(|one| Some((one, (one.layout)(rules)?)));
    let (one, layout) = with_layout.next().ok_or_else(|| no_code(schema, rules))?;
    match program {
        Some(program) => (one.programmed)(program, layout, octets),
        None => (one.interpreted)(layout, octets),
    }
}

fn no_code(schema: &str, rules: Rules) -> Absent {
    Absent(format!("{schema} has no generated code in {rules}: the interpreter alone has it"))
}

macro_rules! shipped {
    ($($schema:literal [$($name:literal)*] $message:ty [$($read:ident)*] [$($written:ident)*] $keeps:literal;)*) => {
        &[$(Shipped {
            schema: $schema,
            names: &[$($name),*],
            generated: |rules| match rules {
                $(Rules::$written => Some(typed::cell::<$message, roadwire_layout::$written>),)*
                _ => None,
            },
            layout: |rules| match rules {
                $(Rules::$written => Some(<$message as Message<roadwire_layout::$written>>::layout()),)*
                _ => None,
            },
            interpreted: interpreted::cell::<$message>,
            programmed: programmed::cell::<$message>,
        }),*]
    };
}

static MESSAGES: &[Shipped] = roadwire_messages::for_each_message!(shipped);
static PAPERS: &[Shipped] = roadwire_papers::for_each_message!(shipped);

#[cfg(not(feature = "full"))]
static FURTHER: &[Shipped] = &[];
/// The messages of release 2 under rules that roadwire does not ship.
#[cfg(feature = "full")]
static FURTHER: &[Shipped] = shipped! {
    "cam-2.3.1" ["CAM-PDU-Descriptions.CAM"] further::cam_2_3_1::Cam [] [Coer Der Protobuf Cbor] true;
    "denm-2.3.1" ["DENM-PDU-Description.DENM"] further::denm_2_3_1::Denm [] [Coer Der Protobuf Cbor] true;
    "cpm-2.1.1" ["CPM-PDU-Descriptions.CollectivePerceptionMessage"] further::cpm_2_1_1::CollectivePerceptionMessage [] [Coer Der Protobuf Cbor] true;
    "vam-2.3.1" ["VAM-PDU-Descriptions.VAM"] further::vam_2_3_1::Vam [] [Coer Der Protobuf Cbor] true;
};

/// The code that the build script of this crate adds.
#[cfg(feature = "full")]
mod further {
    macro_rules! further {
        ($($schema:ident)*) => { $(
            #[allow(warnings, clippy::all, clippy::pedantic, reason = "generated")]
            pub(super) mod $schema {
                include!(concat!(env!("OUT_DIR"), "/further_", stringify!($schema), ".rs"));
            }
        )* };
    }
    further! { cam_2_3_1 denm_2_3_1 cpm_2_1_1 vam_2_3_1 }
}
