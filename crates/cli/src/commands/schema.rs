//! `roadwire schema`: the mapping to another schema language that an encoding uses.

use roadwire_layout::{Rules, cddl_schema, proto_schema, xml_schema};

use crate::args::{Mapping, SchemaArgs};
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::schema::Schema;

pub(crate) fn run(args: &SchemaArgs, json: bool) -> Result<Exit, Failure> {
    let schema = Schema::load(&args.schema, json)?;
    let type_id = schema.type_id(args.type_name.as_deref())?;
    let text = match args.to {
        Mapping::Xsd => xml_schema(schema.model(), type_id, args.rules.unwrap_or(Rules::Exi)),
        Mapping::Proto => only(args, Rules::Protobuf).map(|()| proto_schema(schema.model(), type_id))?,
        Mapping::Cddl => only(args, Rules::Cbor).map(|()| cddl_schema(schema.model(), type_id))?,
    };
    let text = text.map_err(|error| Failure::usage("type.no-schema", format!("the type has no schema: {error}")))?;
    let mut output = Output::stdout()?;
    output.write(text.as_bytes())?;
    Ok(Exit::Done)
}

/// Refuses rules other than those whose mapping the language describes.
fn only(args: &SchemaArgs, its: Rules) -> Result<(), Failure> {
    match args.rules {
        Some(rules) if rules != its => Err(Failure::usage(
            "usage.rules",
            format!("this schema language describes {its}, and {rules} has no schema in it"),
        )
        .advise(format!("leave --rules off, or use --rules {its}"))),
        _ => Ok(()),
    }
}
