//! `roadwire sign`: a message in a signed envelope of IEEE 1609.2.

use std::time::{SystemTime, UNIX_EPOCH};

use roadwire::Rules;
use roadwire_capture::Time;
use roadwire_recording::verification;
use roadwire_security::dot2::{self, Certificate, SecretKey, Signed, SignerFault, SignerForm, schema};

use crate::args::{SignArgs, SignerChoice};
use crate::codec::{self, codec};
use crate::failure::{Exit, Failure};
use crate::input;
use crate::schema::Schema;

/// The applications of messages (ETSI TS 102 965), by the first part of a shipped schema's name.
const APPLICATIONS: [(&str, u64); 9] = [
    ("cam", 36),
    ("denm", 37),
    ("spatem", 137),
    ("mapem", 138),
    ("ivim", 139),
    ("srem", 140),
    ("ssem", 637),
    ("vam", 638),
    ("cpm", 639),
];

pub(crate) fn run(args: &SignArgs, json: bool) -> Result<Exit, Failure> {
    let (certificate, key) = signer(args)?;
    let message = message(args, json)?;
    let header = schema::HeaderInfo {
        psid: application(args)?,
        generation_time: Some(args.generated.map_or_else(now, Ok)?),
        generation_location: args.location.clone(),
        ..Default::default()
    };
    let form = match args.signer {
        SignerChoice::Certificate => SignerForm::Certificate,
        SignerChoice::Digest => SignerForm::Digest,
    };
    let signed = Signed::sign(&message, header, &certificate, form, &key);
    let signed = signed.map_err(|fault| Failure::refused("sign", fault.to_string()))?;
    args.output.write_one(signed.octets().to_vec(), args.output.format_of(Rules::Coer, false))?;
    Ok(Exit::Done)
}

/// The signer's certificate, and the key that belongs to it.
fn signer(args: &SignArgs) -> Result<(Certificate, SecretKey), Failure> {
    let (certificate, key) = (verification::file(&args.certificate)?, verification::file(&args.key)?);
    dot2::signer(&certificate, &key).map_err(|fault| {
        let (code, file) = if fault.is_of_key() { ("key", &args.key) } else { ("certificate", &args.certificate) };
        let failure = Failure::refused(code, fault.to_string()).in_file(&input::display_name(file));
        match fault {
            SignerFault::Certificate(_) => {
                failure.advise("--certificate takes an explicit certificate of IEEE 1609.2 in COER")
            }
            SignerFault::Implicit | SignerFault::Key(_) | SignerFault::OtherKey => failure,
        }
    })
}

/// The message's octets.
fn message(args: &SignArgs, json: bool) -> Result<Vec<u8>, Failure> {
    let loaded = Schema::load(&args.schema, json)?;
    let type_id = loaded.type_id(args.type_name.as_deref())?;
    let from = codec(&loaded, type_id, args.from, false, false)?;
    let to = codec(&loaded, type_id, args.rules, false, false)?;
    let value = codec::decode_input(&from, &args.input)?;
    codec::can_carry(&loaded.schema, type_id, &value, &from, &to)?;
    codec::encode(&to, &value, false).map_err(|failure| failure.in_file(&input::display_name(&args.input.input)))
}

fn application(args: &SignArgs) -> Result<u64, Failure> {
    let by_name = || {
        let name = args.schema.schema.as_deref()?;
        let (_, psid) = APPLICATIONS.iter().find(|(first, _)| name.split('-').next() == Some(first))?;
        Some(*psid)
    };
    args.psid.or_else(by_name).ok_or_else(|| {
        Failure::usage("usage.psid", "which application the message is for is not known")
            .advise("give its PSID (ITS-AID) with --psid")
    })
}

/// The system's clock.
fn now() -> Result<u64, Failure> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let time = Time { seconds: i64::try_from(since.as_secs()).unwrap_or(i64::MAX), nanoseconds: since.subsec_nanos() };
    time.microseconds().ok_or_else(|| {
        Failure::usage("usage.clock", "the system's clock is before 2004").advise("give a time with --generated")
    })
}
