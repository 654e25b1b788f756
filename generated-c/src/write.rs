//! Writes C, schemas and messages.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use roadwire_codegen::{C_RUNTIME, generate_c};
use roadwire_frontend::{Source, compile};
use roadwire_layout::fields::{Choices, proto_schema};
use roadwire_layout::{Rules, lower_without_contents};
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Model, TypeId, Value};

use crate::{SCHEMAS, octets};

const RULES: [Rules; 4] = [Rules::Uper, Rules::Oer, Rules::Der, Rules::Protobuf];
const RANDOM: usize = 300;
const ROOM: usize = 1 << 16;

/// The messages of the studies in UPER, as pycrate has encoded them.
const STUDIES: &str = include_str!("../../crates/peers/src/content/vectors.txt");

/// All files.
pub fn all(folder: &Path) -> Result<(), String> {
    put(folder, "roadwire_rt.h", C_RUNTIME)?;
    for (schema, ty, prefix) in SCHEMAS {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../crates/messages/schemas/etsi/{schema}.asn"));
        let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let model = compile(&[Source::new(schema, text.as_str())]).map_err(|errors| errors.render())?.model;
        let root = model.find(ty).ok_or("no such type")?;
        let of_schema = folder.join(schema);
        put(&of_schema, "module.asn", &text)?;
        let proto = proto_schema(&model, root, Choices::OneOf).map_err(|error| error.to_string())?;
        put(&of_schema, "message.proto", &proto)?;
        let values = [
            vec![of_study(&model, root, prefix, "mandatory")?],
            vec![of_study(&model, root, prefix, "full")?],
            random(&model, root),
            vec![longest(&model, root)?],
        ];
        for rules in RULES {
            let of_rules = of_schema.join(rules.name());
            let generated =
                generate_c(&model, &[root], &[rules], ("generated", prefix)).map_err(|error| error.to_string())?;
            put(&of_rules, "generated.h", &generated.header)?;
            put(&of_rules, "generated.c", &generated.source)?;
            let message = generated.messages.first().ok_or("no message")?;
            put(&of_rules, "flags", &format!("-DMESSAGE={} -DRULES={}\n", message.name, rules.name()))?;
            let layout = lower_without_contents(&model, root, rules).map_err(|error| error.to_string())?;
            for (set, values) in crate::SETS.into_iter().zip(&values) {
                let encoded =
                    values.iter().filter_map(|value| roadwire_engine::encode_to_vec(&layout, value, ROOM).ok());
                put(&of_rules, set, &encoded.map(|octets| line(&octets)).collect::<String>())?;
            }
        }
    }
    Ok(())
}

/// A message of the studies. The DENM with what is mandatory is of V1.2.0, which has the same
/// encoding.
fn of_study(model: &Model, root: TypeId, prefix: &str, which: &str) -> Result<Value, String> {
    let id = if (prefix, which) == ("cam", "mandatory") {
        "cam-mandatory-1.4.1".into()
    } else {
        format!("{prefix}-{which}")
    };
    let failed = || format!("{id}: it cannot be read");
    let found = STUDIES.lines().find_map(|line| line.strip_prefix(&id)?.strip_prefix(" uper ")).ok_or_else(failed)?;
    let octets = octets(found.split(' ').next().unwrap_or(found)).ok_or_else(failed)?;
    let layout = lower_without_contents(model, root, Rules::Uper).map_err(|error| error.to_string())?;
    let mut value = Value::Unset;
    roadwire_engine::decode(&layout, &octets, &mut value).map_err(|error| format!("{id}: {error}"))?;
    Ok(value)
}

/// As in the tests of generated C, without values of a later version: of every three values, one
/// has no optional parts, one has all, and one has half.
fn random(model: &Model, root: TypeId) -> Vec<Value> {
    let mut rng = Rng::new(11);
    let settings = |round: usize| Settings {
        contents: false,
        integer_bits: 62,
        boundary: 60,
        max_elements: 5,
        max_length: 70,
        extensions: 0,
        optional: [0, 100, 50][round % 3],
        ..Settings::default()
    };
    (0..RANDOM).map(|round| Generator::new(model, settings(round)).value(root, &mut rng)).collect()
}

/// The longest in UPER of 300 random values with all optional parts and lists of up to 40 elements.
fn longest(model: &Model, root: TypeId) -> Result<Value, String> {
    let layout = lower_without_contents(model, root, Rules::Uper).map_err(|error| error.to_string())?;
    let mut rng = Rng::new(12);
    let settings = Settings {
        contents: false,
        integer_bits: 62,
        boundary: 60,
        max_elements: 40,
        max_length: 128,
        extensions: 0,
        optional: 100,
        ..Settings::default()
    };
    let generator = Generator::new(model, settings);
    let values = (0..RANDOM).map(|_| generator.value(root, &mut rng));
    let with_size = |value: Value| {
        let octets = roadwire_engine::encode_to_vec(&layout, &value, ROOM).ok()?;
        Some((octets.len(), value))
    };
    values.filter_map(with_size).max_by_key(|(size, _)| *size).map(|(_, value)| value).ok_or("no value".into())
}

fn line(octets: &[u8]) -> String {
    let mut line = octets.iter().fold(String::new(), |mut line, octet| {
        let _ = write!(line, "{octet:02x}");
        line
    });
    line.push('\n');
    line
}

fn put(folder: &Path, name: &str, text: &str) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.join(name).display());
    fs::create_dir_all(folder).map_err(failed)?;
    // Files that have not changed keep their time.
    if fs::read_to_string(folder.join(name)).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(folder.join(name), text).map_err(failed)
}
