//! `roadwire verify`: the verdict on a signed message.

use roadwire_capture::security::{Content, Envelope};
use roadwire_recording as recording;
use roadwire_security::{Contents, Verdict};

use crate::args::VerifyArgs;
use crate::failure::{Exit, Failure};
use crate::input;
use crate::output::Output;

pub(crate) fn run(args: &VerifyArgs, json: bool) -> Result<Exit, Failure> {
    let mut verifier = args.verification.options(true).verifier(&args.certificate)?;
    let name = input::display_name(&args.input.input);
    let octets = input::octets(&args.input)?;
    let (envelope, behind) = Envelope::decode(&octets).map_err(|error| {
        Failure::refused(error.code(), format!("{} at octet {}", error.fault.text(), error.octet))
            .in_file(&name)
            .advise("INPUT is a signed message, without the packet around it; `roadwire guess` says what octets are")
    })?;
    let message = &octets[..octets.len() - behind.len()];
    let contents = match envelope.content {
        Content::Signed => recording::contents_of_signed(message, envelope.payload),
        _ => Contents::unread(),
    };
    let report = verifier.verify_contents(message, &contents, args.at);
    let mut line = String::new();
    if json {
        line.push_str(&recording::security_of(&envelope, &report));
    } else {
        line.push_str(report.verdict.name());
        if let Some(fault) = &report.fault {
            line.push_str(&format!(": {fault}"));
        }
        for (name, check) in report.checked.each().into_iter().filter(|(_, check)| !check.is_yes()) {
            line.push_str(&format!("\n  {name}: {check}"));
        }
        for violation in &report.noted {
            line.push_str(&format!("\n  noted: {violation}"));
        }
    }
    line.push('\n');
    let mut output = Output::stdout()?;
    output.write(line.as_bytes())?;
    output.finish()?;
    let is_accepted = report.verdict == Verdict::Valid || args.accept.contains(&report.verdict);
    Ok(if is_accepted { Exit::Done } else { Exit::Refused })
}
