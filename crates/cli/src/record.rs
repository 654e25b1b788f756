//! A recorded frame as an object on one line. Names and units are those of the wire.

use std::borrow::Cow;
use std::fmt::Write as _;

use roadwire_capture::geonetworking::{ExtendedHeader, LongPosition, PacketType, Shape};
use roadwire_capture::link::{Link, LinkType};
use roadwire_capture::security::{Content, Envelope, Format, Signer};
use roadwire_capture::{Dissection, btp::Btp};
use roadwire_security::Report;

use crate::recognition::Recognized;
use crate::verification;

/// The name of a frame's link layer.
pub(crate) fn link(link_type: LinkType, found: &Dissection<'_>) -> Cow<'static, str> {
    let name = match (&found.link, link_type) {
        (Some(Link::Ethernet(_)), _) | (None, LinkType::ETHERNET) => "ethernet",
        (Some(Link::Ieee80211 { .. }), _) | (None, LinkType::IEEE80211 | LinkType::RADIOTAP | LinkType::PPI) => {
            "ieee80211"
        }
        (Some(Link::Cooked(_) | Link::CookedV2(_)), _) | (None, LinkType::COOKED | LinkType::COOKED_V2) => "cooked",
        (None, LinkType::RAW | LinkType::IPV4 | LinkType::IPV6 | LinkType(12 | 14)) => "ip",
        (None, LinkType(number)) => return format!("link-type-{number}").into(),
    };
    name.into()
}

/// The name of the format of a security envelope. In GeoNetworking, IEEE 1609.2 is a profile of it.
pub(crate) fn format(envelope: &Envelope<'_>, found: &Dissection<'_>) -> &'static str {
    match envelope.format {
        Format::V1_1 => "ts103097-1.1.1",
        Format::V1_2 => "ts103097-1.2.1",
        Format::Dot2 if found.basic.is_some() => "ts103097-1.3.1",
        Format::Dot2 => "ieee1609.2",
    }
}

/// What is wrong with a frame.
pub(crate) struct Problem {
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) at: String,
}

/// An object that is being written: what is not there is left out.
pub(crate) struct Record<'l> {
    line: &'l mut String,
    is_first: bool,
}

impl<'l> Record<'l> {
    /// Opens an object behind what is in the line.
    pub(crate) fn open(line: &'l mut String) -> Self {
        line.push('{');
        Record { line, is_first: true }
    }

    pub(crate) fn close(self) {
        self.line.push('}');
    }

    /// The name of a member; its value is written next.
    fn name(&mut self, name: &str) -> &mut String {
        if !std::mem::take(&mut self.is_first) {
            self.line.push(',');
        }
        let _ = write!(self.line, "\"{name}\":");
        self.line
    }

    pub(crate) fn number(&mut self, name: &str, value: impl std::fmt::Display) {
        let _ = write!(self.name(name), "{value}");
    }

    /// Text without characters that JSON escapes.
    pub(crate) fn plain(&mut self, name: &str, value: impl std::fmt::Display) {
        let _ = write!(self.name(name), "\"{value}\"");
    }

    /// Any text.
    pub(crate) fn text(&mut self, name: &str, value: &str) {
        let _ = write!(self.name(name), "{}", serde_json::Value::from(value));
    }

    pub(crate) fn hex(&mut self, name: &str, octets: &[u8]) {
        const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
        let line = self.name(name);
        line.push('"');
        for octet in octets {
            line.extend([DIGITS[usize::from(octet >> 4)], DIGITS[usize::from(octet & 0xf)]]);
        }
        line.push('"');
    }

    pub(crate) fn object(&mut self, name: &str, write: impl FnOnce(&mut Record<'_>)) {
        let mut inner = Record::open(self.name(name));
        write(&mut inner);
        inner.close();
    }

    /// All layers that were understood; the report is of the verification, if there was one.
    pub(crate) fn layers(&mut self, found: &Dissection<'_>, report: Option<&Report>) {
        if found.basic.is_some() {
            self.object("geonetworking", |inner| geonetworking(inner, found));
        }
        if let Some(wsmp) = &found.wsmp {
            self.object("wsmp", |inner| {
                if let Some(psid) = wsmp.psid() {
                    inner.number("psid", psid);
                }
            });
        }
        if let Some(envelope) = &found.envelope {
            self.object("security", |inner| security(inner, envelope, format(envelope, found), report));
        }
        if let Some(btp) = &found.btp {
            self.object("btp", |inner| match *btp {
                Btp::A { destination, source } => {
                    inner.plain("type", "a");
                    inner.number("port", destination);
                    inner.number("source", source);
                }
                Btp::B { destination, info } => {
                    inner.plain("type", "b");
                    inner.number("port", destination);
                    inner.number("info", info);
                }
            });
        }
    }

    /// The message, and what it was taken for.
    pub(crate) fn message(&mut self, octets: &[u8], recognized: Option<&Recognized<'_>>) {
        self.object("message", |inner| {
            if let Some(known) = recognized {
                inner.plain("schema", known.schema);
                inner.plain("type", known.type_name);
                inner.plain("rules", "uper");
            }
            inner.hex("octets", octets);
            if let Some(value) = recognized.and_then(|known| std::str::from_utf8(known.value).ok()) {
                inner.name("value").push_str(value);
            }
        });
    }

    pub(crate) fn problem(&mut self, problem: &Problem) {
        self.object("problem", |inner| {
            inner.text("code", &problem.code);
            inner.text("message", &problem.message);
            inner.text("at", &problem.at);
        });
    }
}

fn geonetworking(inner: &mut Record<'_>, found: &Dissection<'_>) {
    let Some(basic) = &found.basic else { return };
    inner.number("version", basic.version);
    if let Some(common) = &found.common {
        inner.plain("type", common.packet_type.name());
    }
    if let Some(extended) = &found.extended {
        inner.object("source", |inner| position(inner, extended.source()));
    }
    if let Some(common) = &found.common {
        inner.number("traffic_class", common.traffic_class.id);
    }
    inner.number("lifetime_ms", basic.lifetime.milliseconds());
    inner.number("hops", basic.remaining_hops);
    match (&found.extended, found.common.map(|common| common.packet_type)) {
        (Some(ExtendedHeader::Area { area, .. }), Some(PacketType::Gac(shape) | PacketType::Gbc(shape))) => {
            inner.object("area", |inner| {
                let shape = match shape {
                    Shape::Circle => "circle",
                    Shape::Rectangle => "rectangle",
                    Shape::Ellipse => "ellipse",
                };
                inner.plain("shape", shape);
                inner.number("latitude", area.latitude);
                inner.number("longitude", area.longitude);
                inner.number("distance_a", area.distance_a);
                inner.number("distance_b", area.distance_b);
                inner.number("angle", area.angle);
            });
        }
        (Some(ExtendedHeader::Guc { destination, .. }), _) => {
            inner.object("destination", |inner| {
                inner.plain("address", destination.address);
                inner.number("timestamp", destination.timestamp);
                inner.number("latitude", destination.latitude);
                inner.number("longitude", destination.longitude);
            });
        }
        (Some(ExtendedHeader::LsRequest { requested, .. }), _) => inner.plain("requested", requested),
        _ => {}
    }
    if let Some(sequence) = found.extended.and_then(|extended| extended.sequence()) {
        inner.number("sequence", sequence.number);
    }
}

fn position(inner: &mut Record<'_>, source: &LongPosition) {
    inner.plain("address", source.address);
    inner.number("timestamp", source.timestamp);
    inner.number("latitude", source.latitude);
    inner.number("longitude", source.longitude);
    inner.number("speed", source.speed);
    inner.number("heading", source.heading);
    inner.number("accurate", source.is_accurate);
}

/// Of an envelope; without a report, it was not verified.
pub(crate) fn security(inner: &mut Record<'_>, envelope: &Envelope<'_>, format: &str, report: Option<&Report>) {
    inner.plain("format", format);
    match envelope.signer {
        Some(Signer::Digest(digest)) => {
            inner.plain("signer", "digest");
            inner.hex("certificate", &digest);
        }
        Some(Signer::Certificate) => inner.plain("signer", "certificate"),
        Some(Signer::Itself) => inner.plain("signer", "self"),
        None => {}
    }
    if let Some(psid) = envelope.psid {
        inner.number("psid", psid);
    }
    if let Some(time) = envelope.generation_time() {
        inner.plain("generated", time);
    }
    if let Some(report) = report {
        return verification::record(inner, envelope, report);
    }
    match envelope.content {
        Content::Signed | Content::SignedElsewhere => inner.plain("verdict", "not-verified"),
        Content::Encrypted => inner.plain("verdict", "unsupported"),
        Content::Unsecured | Content::CertificateRequest => {}
    }
}
