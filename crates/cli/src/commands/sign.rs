//! `roadwire sign`: a message in a signed envelope of IEEE 1609.2.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use roadwire::{Rules, SCHEMAS};
use roadwire_capture::Time;
use roadwire_recording::verification;
use roadwire_security::application_of_type;
use roadwire_security::dot2::{self, Certificate, ProfileChoice, SecretKey, Signed, SignerFault, SignerForm, schema};
use serde_json::json;
use zeroize::Zeroizing;

use crate::args::{SignArgs, SignerChoice};
use crate::codec::{self, codec};
use crate::failure::{Exit, Failure, tell_line};
use crate::input;
use crate::schema::Schema;

pub(crate) fn run(args: &SignArgs, json: bool) -> Result<Exit, Failure> {
    let (certificate, key) = signer(args, json)?;
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
    let contents = roadwire_recording::contents_of_signed(signed.octets(), &message);
    for violation in dot2::check_signed(&signed, &certificate, &contents, ProfileChoice::default()) {
        let text = format!("receivers may refuse the message: {violation}");
        warn("sign.not-permitted", &args.certificate, &text, json);
    }
    args.output.write_one(signed.octets().to_vec(), args.output.format_of(Rules::Coer, false))?;
    Ok(Exit::Done)
}

/// Prints a warning on stderr, about a file.
fn warn(code: &str, file: &Path, text: &str, json: bool) {
    let file = input::display_name(file);
    tell_line(&match json {
        true => json!({ "warning": { "code": code, "message": text, "file": file } }).to_string(),
        false => format!("roadwire: warning: {file}: {text}"),
    });
}

/// Warns of a key file that others than its owner may read.
#[cfg(unix)]
fn warn_of_readers(key: &Path, json: bool) {
    use std::os::unix::fs::PermissionsExt as _;
    let Ok(found) = key.metadata() else { return };
    let mode = found.permissions().mode() & 0o777;
    if found.is_file() && mode & 0o077 != 0 {
        warn("key.readable", key, &format!("others may read or write this key (mode {mode:o}): use `chmod 600`"), json);
    }
}

#[cfg(not(unix))]
fn warn_of_readers(_: &Path, _: bool) {}

/// The signer's certificate, and the key that belongs to it.
fn signer(args: &SignArgs, json: bool) -> Result<(Certificate, SecretKey), Failure> {
    let certificate = verification::file(&args.certificate)?;
    let key = Zeroizing::new(verification::file(&args.key)?);
    warn_of_readers(&args.key, json);
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
        let schema = SCHEMAS.iter().find(|schema| schema.name == name)?;
        application_of_type(schema.pdu().rsplit('.').next()?)
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
