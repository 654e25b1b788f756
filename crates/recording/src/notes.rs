//! Notes of frames, of which a report of a whole recording is made.

use roadwire_capture::geonetworking::{Address, LongPosition};
use roadwire_capture::{Dissection, Time};
use roadwire_security::Report;

use crate::lengths::Lengths;
use crate::problem::Problem;
use crate::recognition::Candidate;

/// Makes notes of frames.
#[derive(Default)]
pub(crate) struct Measure(Lengths);

/// The facts that a report needs of a frame.
#[derive(Debug)]
pub struct Note {
    /// How the frame is called: by its message, such as `CAM`, or else by its packet.
    pub name: String,
    /// When it was recorded.
    pub time: Option<Time>,
    /// Octets of the frame.
    pub frame: usize,
    /// Octets of the GeoNetworking packet in it; nothing if it has none.
    pub packet: Option<usize>,
    /// Its sender, and its place: latitude and longitude in 0.1 microdegree.
    pub source: Option<(Address, (i32, i32))>,
    /// Why it has no message that is known; nothing if it has one.
    pub unknown: Option<Unknown>,
    /// Nothing if it is not signed, or was not verified.
    pub verdict: Option<Judged>,
    /// Octets of the message, as it was and in each of the encodings that are
    /// [compared](crate::lengths::COMPARED).
    pub lengths: Option<(usize, Vec<Option<usize>>)>,
    /// Its check sequence is wrong: it counts in no statistics.
    pub is_damaged: bool,
}

/// A frame without a known message.
#[derive(Debug)]
pub struct Unknown {
    /// The code of its problem; empty where nothing is wrong with it.
    pub code: String,
    /// The fault, or the content of the frame in place of a message.
    pub what: String,
}

/// A verdict on a signed message.
#[derive(Debug)]
pub struct Judged {
    /// Its name in records.
    pub verdict: &'static str,
    /// Why it is not valid, or not signed.
    pub reason: Option<String>,
    /// Remarks that do not count.
    pub noted: Vec<String>,
}

impl Measure {
    /// The message in a frame, and the fault of the frame.
    pub(crate) fn note(
        &mut self,
        found: &Dissection<'_>,
        time: Option<Time>,
        message: Option<(&Candidate<'_>, &[u8])>,
        problem: Option<&Problem>,
        report: Option<&Report>,
    ) -> Note {
        let place = |position: &LongPosition| (position.address, (position.latitude, position.longitude));
        Note {
            name: name(found, message.map(|(of, _)| of.name)),
            time,
            frame: found.frame.len(),
            packet: found.packet().map(<[u8]>::len),
            source: found.extended.as_ref().map(|extended| place(extended.source())),
            unknown: message.is_none().then(|| unknown(found, problem)),
            verdict: report.map(Judged::of),
            lengths: message.map(|(of, octets)| (octets.len(), self.0.of(of, octets))),
            is_damaged: found.is_damaged(),
        }
    }
}

impl Judged {
    fn of(report: &Report) -> Judged {
        Judged {
            verdict: report.verdict.name(),
            reason: report.fault.as_ref().map(ToString::to_string),
            noted: report.noted.iter().map(ToString::to_string).collect(),
        }
    }
}

fn unknown(found: &Dissection<'_>, problem: Option<&Problem>) -> Unknown {
    if let Some(Problem { code, message, .. }) = problem {
        return Unknown { code: code.clone(), what: message.clone() };
    }
    let what = match (found.btp, &found.common) {
        (Some(btp), _) => format!("a message of BTP port {} that is not known", btp.port()),
        _ if found.wsmp.is_some() => "a WAVE short message".to_owned(),
        (None, Some(common)) => format!("a packet without a message: {}", common.packet_type.name()),
        _ if found.packet().is_some() => "a GeoNetworking packet whose content is encrypted".to_owned(),
        _ => "no GeoNetworking packet".to_owned(),
    };
    Unknown { code: String::new(), what }
}

fn name(found: &Dissection<'_>, schema: Option<&str>) -> String {
    match (schema, &found.common) {
        (Some(schema), _) => schema.split('-').next().unwrap_or(schema).to_uppercase(),
        (None, Some(common)) if found.btp.is_none() => common.packet_type.name().to_owned(),
        (None, _) => "other".to_owned(),
    }
}
