//! `roadwire airtime`: octets as time on the channel, and how many stations fit.

use roadwire::Rules;
use roadwire_airtime::{Frame, Security, TooLong, Transport, dcc, load, lte, nr};
use roadwire_model::{Model, TypeId, Value};
use serde_json::{Value as Json, json};

use crate::args::{AirtimeArgs, SchemaChoice, TransportChoice};
use crate::codec::{self, layout};
use crate::failure::{Exit, Failure};
use crate::input;
use crate::schema::Schema;
use crate::table::{self, Row};

pub(crate) fn run(args: &AirtimeArgs, json: bool) -> Result<Exit, Failure> {
    let messages = if args.octets.is_empty() { encodings(args, json)? } else { sizes(args)? };
    let mut rows = Vec::new();
    for Message { rules, octets } in messages {
        for &security in &args.security {
            let mut row: Row = rules.map(|rules| ("rules", json!(rules.name()))).into_iter().collect();
            row.push(("security", json!(security.name())));
            match &octets {
                Ok(octets) => row.extend(columns(args, *octets, security, json)),
                Err(why) => row.push(("why", json!(why))),
            }
            rows.push(row);
        }
    }
    table::print(&rows, true, json)
}

/// A message in an encoding, or of octets that the user gave.
struct Message {
    rules: Option<Rules>,
    /// Or why there is no encoding.
    octets: Result<u32, String>,
}

/// The user's octets.
fn sizes(args: &AirtimeArgs) -> Result<Vec<Message>, Failure> {
    let frames =
        args.octets.iter().flat_map(|octets| args.security.iter().map(|security| frame(args, *octets, *security)));
    for frame in frames {
        frame.fits().map_err(|error| {
            Failure::refused("airtime.length", why_not(frame, error)).advise("a frame carries at most 2304 octets")
        })?;
    }
    Ok(args.octets.iter().map(|octets| Message { rules: None, octets: Ok(*octets) }).collect())
}

/// The value's octets in each encoding.
fn encodings(args: &AirtimeArgs, json: bool) -> Result<Vec<Message>, Failure> {
    let choice =
        SchemaChoice { schema: args.schema.clone(), modules: args.modules.clone(), reading: args.reading.clone() };
    let schema = Schema::load(&choice, json)?;
    let type_id = schema.type_id(args.type_name.as_deref())?;
    let value = codec::read_value(&schema, type_id, args.from, &args.input)?;
    let rules = if args.rules.is_empty() { Rules::ALL.to_vec() } else { args.rules.clone() };
    let mut messages = Vec::new();
    for rules in rules {
        match layout(schema.model(), type_id, rules) {
            Ok(_) => {
                messages.push(Message { rules: Some(rules), octets: octets(schema.model(), type_id, &value, rules) })
            }
            // Without `--rules`, those in which the type has no encoding are left out.
            Err(_) if args.rules.is_empty() => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(messages)
}

fn octets(model: &Model, type_id: TypeId, value: &Value, rules: Rules) -> Result<u32, String> {
    let layout = layout(model, type_id, rules).map_err(|failure| failure.line())?;
    let octets = roadwire_engine::encode_to_vec(&layout, value, input::MAX_INPUT).map_err(|error| error.to_string())?;
    u32::try_from(octets.len()).map_err(|error| error.to_string())
}

fn frame(args: &AirtimeArgs, octets: u32, security: Security) -> Frame {
    let transport = match args.transport {
        TransportChoice::SingleHop => Transport::SingleHop,
        TransportChoice::ManyHops => Transport::ManyHops,
        TransportChoice::Area => Transport::Area,
        TransportChoice::One => Transport::One,
    };
    Frame::new(octets, transport, security)
}

fn why_not(frame: Frame, error: TooLong) -> String {
    format!("{} octets do not fit into one frame: with all headers they are {}", frame.message, error.octets)
}

/// The columns of a message in an envelope.
fn columns(args: &AirtimeArgs, octets: u32, security: Security, json: bool) -> Row {
    let frame = frame(args, octets, security);
    let time = match frame.airtime_us(args.rate) {
        Ok(time) => time,
        Err(error) => return vec![("why", json!(why_not(frame, error)))],
    };
    let layers = frame.layers();
    let sum = |names: &[&str]| -> u32 {
        layers.iter().filter(|layer| names.contains(&layer.name)).map(|layer| layer.octets).sum()
    };
    let stations = load::stations(args.limit, args.hz, f64::from(time));
    // A fleet of which each takes a share of the channel.
    let fleet = |share: Result<f64, TooLong>| share.ok().map(|share| load::stations(args.limit, 1.0, share * 1e6));
    let (lte, nr) = (lte::DEFAULT.load(frame.packet(), args.hz), nr::DEFAULT.load(frame.packet(), args.hz));
    if !json {
        let fits = |stations: Option<u64>| stations.map_or(json!("–"), |stations| json!(stations));
        return vec![
            ("message", json!(octets)),
            ("btp", json!(sum(&["btp"]))),
            ("gn", json!(sum(&["geonetworking basic", "geonetworking common", "geonetworking extended"]))),
            ("envelope", json!(sum(&["security"]))),
            ("llc mac", json!(sum(&["llc snap", "mac"]))),
            ("frame", json!(frame.psdu())),
            ("µs", json!(time)),
            ("stations", json!(stations)),
            ("lte", fits(fleet(lte))),
            ("nr", fits(fleet(nr))),
        ];
    }
    let mut row = vec![
        ("message", json!(octets)),
        ("layers", layers.iter().map(layer).collect()),
        ("frame", json!(frame.psdu())),
        ("rate_mbps", json!(f64::from(args.rate.kilobits()) / 1000.0)),
        ("us", json!(time)),
        ("hz", json!(args.hz)),
        ("limit", json!(args.limit)),
        ("stations", json!(stations)),
    ];
    if let (Some(stations), Ok(taken)) = (fleet(lte), lte::DEFAULT.occupied(frame.packet())) {
        let pool =
            json!({"subchannels": taken.subchannels, "blocks": taken.blocks, "bits": taken.bits, "stations": stations});
        row.push(("lte", pool));
    }
    if let (Some(stations), Ok(taken)) = (fleet(nr), nr::DEFAULT.occupied(frame.packet())) {
        row.push(("nr", json!({"subchannels": taken.subchannels, "bits": taken.bits, "stations": stations})));
    }
    if let Some(state) = dcc::reactive(args.limit, time) {
        let crowd = u32::try_from(stations).unwrap_or(u32::MAX);
        let adaptive = dcc::Adaptive::at_rest(crowd).hertz(time);
        row.push(("dcc", json!({"state": state.name, "reactive_hz": state.hertz, "adaptive_hz": adaptive})));
    }
    row
}

fn layer(layer: &roadwire_airtime::Layer) -> Json {
    json!({"layer": layer.name, "octets": layer.octets, "clause": layer.clause})
}
