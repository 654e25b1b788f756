//! `roadwire random`: values of a type.

use std::time::{SystemTime, UNIX_EPOCH};

use roadwire::Rules;
use roadwire_distributions::{Distributions, Values};
use roadwire_model::random::Rng;
use roadwire_recording::octets::{self, OctetFormat};

use crate::args::RandomArgs;
use crate::codec::{self, codec};
use crate::distribution;
use crate::failure::{Exit, Failure, Place, tell_line};
use crate::formats;
use crate::schema::Schema;

/// How many values in a row may have no encoding.
const TRIES: usize = 1000;

pub(crate) fn run(args: &RandomArgs, json: bool) -> Result<Exit, Failure> {
    formats::check((Rules::Jer, None), (args.to, &args.output), args.count != 1)?;
    let schema = Schema::load(&args.schema, json)?;
    let type_id = schema.type_id(args.type_name.as_deref())?;
    let codec = codec(&schema, type_id, args.to, false, false)?;
    let distributions = match &args.distribution {
        Some(path) => distribution::read(path, &schema, type_id)?.1,
        None => Distributions::default(),
    };
    let values = Values::new(schema.model(), type_id, distributions);
    let seed = args.seed.unwrap_or_else(|| seed(json));
    let format = args.output.format_of(args.to, args.count != 1);

    let mut output = args.output.open()?;
    let mut rng = Rng::new(seed);
    for _ in 0..args.count {
        let mut written = octets::written(next(&codec, &values, &mut rng, format)?, format);
        if format != Some(OctetFormat::Bin) {
            written.push(b'\n');
        }
        output.write(&written)?;
    }
    output.finish()?;
    Ok(Exit::Done)
}

/// The next value that has an encoding: some have none, such as a text with characters that XML
/// does not have.
fn next(
    codec: &roadwire::Codec<'_>,
    values: &Values<'_>,
    rng: &mut Rng,
    format: Option<OctetFormat>,
) -> Result<Vec<u8>, Failure> {
    let mut refused = None;
    for _ in 0..TRIES {
        let value = values.next(rng).map_err(|unmet| {
            let place = Place { path: Some(unmet.path).filter(|path| !path.is_empty()), ..Place::default() };
            Failure::refused("distribution.unmet", unmet.message).at(place)
        })?;
        match codec::encode(codec, &value, false) {
            // A text with ends of lines is more than a line.
            Ok(encoded) if format.is_none() && encoded.contains(&b'\n') => {
                let failure = Failure::refused("lines.value", "every value has an end of line in a string");
                refused = Some(failure.advise("use --to jer"));
            }
            Ok(encoded) => return Ok(encoded),
            Err(failure) => refused = Some(failure),
        }
    }
    Err(refused.unwrap_or_else(Failure::told))
}

/// A seed from the time of day, which is reported: with it the values can be had again.
fn seed(json: bool) -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seed = now.as_secs() ^ u64::from(now.subsec_nanos()) << 32;
    // A number that other programs read without loss.
    let seed = seed & ((1 << 53) - 1);
    tell_line(&if json { format!("{{\"seed\":{seed}}}") } else { format!("roadwire: seed {seed}") });
    seed
}
