//! `roadwire schema`: the mapping to another schema language that an encoding uses, and the modules
//! of one type.

use roadwire_layout::{Choices, Family, LowerError, Rules, cddl_schema, proto_schema, xml_schema};
use roadwire_model::{Model, TypeId};

use crate::args::{ChoicesAs, Mapping, SchemaArgs};
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::schema::Schema;

pub(crate) fn run(args: &SchemaArgs, json: bool) -> Result<Exit, Failure> {
    if args.choices.is_some() && args.to != Mapping::Proto {
        let what = "only Protocol Buffers have two forms of a CHOICE";
        return Err(Failure::usage("usage.choices", what).advise("use --to proto, or leave --choices off"));
    }
    let schema = Schema::load(&args.schema, json)?;
    let text = match args.to {
        Mapping::Asn1 => reduced(args, &schema)?,
        Mapping::Xsd => {
            let rules = of_exi(args)?;
            mapped(args, &schema, |model, id| xml_schema(model, id, rules))?
        }
        Mapping::Proto => {
            only(args, Rules::Protobuf)?;
            let choices = match args.choices.unwrap_or(ChoicesAs::Oneof) {
                ChoicesAs::Oneof => Choices::OneOf,
                ChoicesAs::Optional => Choices::Optional,
            };
            mapped(args, &schema, |model, id| proto_schema(model, id, choices))?
        }
        Mapping::Cddl => only(args, Rules::Cbor).and_then(|()| mapped(args, &schema, cddl_schema))?,
    };
    let mut output = Output::stdout()?;
    output.write(text.as_bytes())?;
    Ok(Exit::Done)
}

/// The schema of one type in another language.
fn mapped(
    args: &SchemaArgs,
    schema: &Schema,
    map: impl Fn(&Model, TypeId) -> Result<String, LowerError>,
) -> Result<String, Failure> {
    let name = match args.type_names.as_slice() {
        [] => None,
        [name] => Some(name.as_str()),
        [..] => {
            return Err(
                Failure::usage("usage.type", "this schema language has the schema of one type").advise("give -t once")
            );
        }
    };
    let text = map(schema.model(), schema.type_id(name)?);
    text.map_err(|error| Failure::usage("type.no-schema", format!("the type has no schema: {error}")))
}

/// The modules reduced to what some definitions reach.
fn reduced(args: &SchemaArgs, schema: &Schema) -> Result<String, Failure> {
    if let Some(rules) = args.rules {
        let what = format!("modules hold under all encoding rules, and are not those of {rules}");
        return Err(Failure::usage("usage.rules", what).advise("leave --rules off"));
    }
    if schema.is_presentation_language() {
        let what = "the schema is in the presentation language, and has no modules in ASN.1";
        return Err(Failure::usage("type.no-schema", what));
    }
    let mut names = args.type_names.clone();
    if names.is_empty() {
        names = schema.default_types()?;
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    schema.reduce(&names)
}

/// The rules whose documents the XML Schema describes: of XER there is none.
fn of_exi(args: &SchemaArgs) -> Result<Rules, Failure> {
    let rules = args.rules.unwrap_or(Rules::Exi);
    if rules.family() == Family::Events {
        return Ok(rules);
    }
    let names: Vec<&str> = Family::Events.rules().map(Rules::name).collect();
    let what = format!(
        "{rules} has no XML schema: XSD describes the documents that EXI encodes, whose elements XER does not have"
    );
    Err(Failure::usage("usage.rules", what).advise(format!("leave --rules off, or use one of {}", names.join(", "))))
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
