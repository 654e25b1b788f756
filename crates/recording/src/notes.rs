//! Notes of frames, of which a report of a whole recording is made.

use roadwire_capture::geonetworking::{Address, LongPosition};
use roadwire_capture::{Dissection, Time};

use crate::lengths::Lengths;
use crate::recognition::Candidate;

/// Makes notes of frames.
#[derive(Default)]
pub(crate) struct Measure(Lengths);

/// What a report needs of a frame.
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
    /// Nothing if it is not signed, or was not verified.
    pub verdict: Option<&'static str>,
    /// Octets of the message, as it was and in each of the encodings that are [compared](crate::lengths::COMPARED).
    pub lengths: Option<(usize, Vec<Option<usize>>)>,
    /// Its check sequence is wrong: it counts in no statistics.
    pub is_damaged: bool,
}

impl Measure {
    /// Of a frame, and the message that is in it.
    pub(crate) fn note(
        &mut self,
        found: &Dissection<'_>,
        time: Option<Time>,
        message: Option<(&Candidate<'_>, &[u8])>,
        verdict: Option<&'static str>,
    ) -> Note {
        let place = |position: &LongPosition| (position.address, (position.latitude, position.longitude));
        Note {
            name: name(found, message.map(|(of, _)| of.name)),
            time,
            frame: found.frame.len(),
            packet: found.packet().map(<[u8]>::len),
            source: found.extended.as_ref().map(|extended| place(extended.source())),
            verdict,
            lengths: message.map(|(of, octets)| (octets.len(), self.0.of(of, octets))),
            is_damaged: found.is_damaged(),
        }
    }
}

fn name(found: &Dissection<'_>, schema: Option<&str>) -> String {
    match (schema, &found.common) {
        (Some(schema), _) => schema.split('-').next().unwrap_or(schema).to_uppercase(),
        (None, Some(common)) if found.btp.is_none() => common.packet_type.name().to_owned(),
        (None, _) => "other".to_owned(),
    }
}
