//! Options for how octets are written, of the commands that read values under one set of rules and
//! write them under another.

use roadwire::Rules;
use roadwire_recording::octets::OctetFormat;

use crate::args::OutputArgs;
use crate::failure::Failure;

/// Combinations of options without a meaning are wrong usage; they are not ignored. `format` is
/// that of the input.
pub(crate) fn check(
    (from, format): (Rules, Option<OctetFormat>),
    (to, output): (Rules, &OutputArgs),
    lines: bool,
) -> Result<(), Failure> {
    if format.is_some() && from.is_text() {
        return wrong(format!("--in says how octets are written, but {from} is text"), "leave --in off");
    }
    if output.format.is_some() && to.is_text() {
        let what = format!("--output-format says how octets are written, but {to} is text");
        return wrong(what, "leave --output-format off");
    }
    if lines && [format, output.format].contains(&Some(OctetFormat::Bin)) {
        return wrong("octets as they are have no lines".into(), "with --lines use hex or base64");
    }
    Ok(())
}

/// Wrong usage of these options.
pub(crate) fn wrong(what: String, advice: &str) -> Result<(), Failure> {
    Err(Failure::usage("usage.format", what).advise(advice))
}
