//! A recorded frame as an object on one line. Names and units are those of the wire.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use roadwire_capture::geonetworking::{ExtendedHeader, LongPosition, PacketType, Shape};
use roadwire_capture::link::{Link, LinkType};
use roadwire_capture::security::{Content, Envelope, Format, Signer};
use roadwire_capture::{Dissection, Time, btp::Btp};
use roadwire_security::Report;

use crate::octets::push_hex;
use crate::problem::Problem;
use crate::recognition::Candidate;
use crate::violations;

/// Whether RFC 3339 has a date for it: of the years 0000 to 9999.
pub(crate) fn has_date(time: &Time) -> bool {
    (-62_167_219_200..=253_402_300_799).contains(&time.seconds)
}

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
        Format::Dot2 if found.basic.is_some() => "ts103097-1.3.1",
        format => format.name(),
    }
}

/// A value of a member.
#[derive(Clone, Copy)]
pub(crate) enum Cell<'a> {
    Number(i128),
    Flag(bool),
    Time(Time),
    /// Text without characters that JSON escapes.
    Word(&'a str),
    /// The same, which has to be made.
    Shown(&'a dyn fmt::Display),
    /// Any text.
    Text(&'a str),
    /// Octets, shown as hex digits.
    Octets(&'a [u8]),
}

/// Takes the members of a record, in their order: one that writes them, looks at them, or puts them
/// into columns. Absent members are left out.
pub(crate) trait Members: Sized {
    fn member(&mut self, name: &'static str, cell: Cell<'_>);

    /// A member that has members.
    fn object(&mut self, name: &'static str, members: impl FnOnce(&mut Self));

    fn number(&mut self, name: &'static str, value: impl Into<i128>) {
        self.member(name, Cell::Number(value.into()));
    }

    fn word(&mut self, name: &'static str, value: &str) {
        self.member(name, Cell::Word(value));
    }
}

/// The facts of a frame that do not depend on its octets.
pub(crate) struct Heading<'a> {
    pub(crate) file: &'a str,
    /// From 1, in its file.
    pub(crate) frame: u64,
    pub(crate) time: Option<Time>,
    pub(crate) link: Option<&'a str>,
}

/// The members before the layers.
pub(crate) fn heading(members: &mut impl Members, heading: &Heading<'_>) {
    members.member("file", Cell::Text(heading.file));
    members.number("frame", heading.frame);
    if let Some(time) = heading.time {
        members.member("time", Cell::Time(time));
    }
    if let Some(link) = heading.link {
        members.word("link", link);
    }
}

/// The layers of a frame, and what verification says of it.
#[derive(Clone, Copy)]
pub(crate) struct Layers<'a> {
    pub(crate) found: &'a Dissection<'a>,
    /// Nothing where it was not verified.
    pub(crate) report: Option<&'a Report>,
}

/// All layers that were understood.
pub(crate) fn layers(members: &mut impl Members, layers: &Layers<'_>) {
    let Layers { found, report } = *layers;
    if found.basic.is_some() {
        members.object("geonetworking", |inner| geonetworking(inner, found));
    }
    if let Some(wsmp) = &found.wsmp {
        members.object("wsmp", |inner| {
            if let Some(psid) = wsmp.psid() {
                inner.number("psid", psid);
            }
        });
    }
    if let Some(envelope) = &found.envelope {
        members.object("security", |inner| security(inner, envelope, format(envelope, found), report));
    }
    if let Some(btp) = &found.btp {
        members.object("btp", |inner| match *btp {
            Btp::A { destination, source } => {
                inner.word("type", "a");
                inner.number("port", destination);
                inner.number("source", source);
            }
            Btp::B { destination, info } => {
                inner.word("type", "b");
                inner.number("port", destination);
                inner.number("info", info);
            }
        });
    }
}

/// The members for a fault in a frame.
pub(crate) fn problem(members: &mut impl Members, problem: &Problem) {
    members.object("problem", |inner| {
        inner.member("code", Cell::Text(&problem.code));
        inner.member("message", Cell::Text(&problem.message));
        if let Some(at) = problem.at {
            inner.member("at", Cell::Number(at as i128));
            inner.word("unit", problem.unit.name());
        }
        if !problem.path.is_empty() {
            inner.member("path", Cell::Text(&problem.path));
        }
    });
}

/// A JSON object that is being written.
pub(crate) struct Record<'l> {
    line: &'l mut String,
    is_first: bool,
}

impl<'l> Record<'l> {
    /// Opens an object at the end of the line.
    pub(crate) fn open(line: &'l mut String) -> Self {
        line.push('{');
        Record { line, is_first: true }
    }

    pub(crate) fn close(self) {
        self.line.push('}');
    }

    /// The name of a member; its value is written next.
    fn name(&mut self, name: &str) {
        if !std::mem::take(&mut self.is_first) {
            self.line.push(',');
        }
        self.line.push('"');
        self.line.push_str(name);
        self.line.push_str("\":");
    }

    /// The message, and the type that it was taken for, with its value in JER.
    pub(crate) fn message(&mut self, octets: &[u8], known: Option<&Candidate<'_>>) {
        self.object("message", |inner| {
            if let Some(candidate) = known {
                inner.word("schema", candidate.name);
                inner.word("type", candidate.type_name);
                inner.word("rules", "uper");
            }
            inner.member("octets", Cell::Octets(octets));
            if let Some(candidate) = known {
                inner.name("value");
                inner.line.push_str(candidate.json());
                if !candidate.violations.is_empty() {
                    inner.name("violations");
                    let _ = write!(inner.line, "{}", violations::to_json(&candidate.violations));
                }
            }
        });
    }
}

impl Members for Record<'_> {
    fn member(&mut self, name: &'static str, cell: Cell<'_>) {
        self.name(name);
        let _ = match cell {
            Cell::Number(value) => match i64::try_from(value) {
                Ok(value) => {
                    self.line.push_str(itoa::Buffer::new().format(value));
                    Ok(())
                }
                Err(_) => write!(self.line, "{value}"),
            },
            Cell::Flag(value) => {
                self.line.push_str(if value { "true" } else { "false" });
                Ok(())
            }
            Cell::Time(value) => write!(self.line, "\"{value}\""),
            Cell::Word(value) => {
                self.line.push('"');
                self.line.push_str(value);
                self.line.push('"');
                Ok(())
            }
            Cell::Shown(value) => write!(self.line, "\"{value}\""),
            Cell::Text(value) if is_plain(value) => {
                self.line.push('"');
                self.line.push_str(value);
                self.line.push('"');
                Ok(())
            }
            Cell::Text(value) => write!(self.line, "{}", serde_json::Value::from(value)),
            Cell::Octets(octets) => {
                self.line.push('"');
                push_hex(self.line, octets);
                self.line.push('"');
                Ok(())
            }
        };
    }

    fn object(&mut self, name: &'static str, members: impl FnOnce(&mut Self)) {
        self.name(name);
        self.line.push('{');
        self.is_first = true;
        members(self);
        self.line.push('}');
        self.is_first = false;
    }
}

/// Whether JSON has this text between quotes as it is.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|octet| octet >= b' ' && octet != b'"' && octet != b'\\')
}

fn geonetworking(inner: &mut impl Members, found: &Dissection<'_>) {
    let Some(basic) = &found.basic else { return };
    inner.number("version", basic.version);
    if let Some(common) = &found.common {
        inner.word("type", common.packet_type.name());
    }
    if let Some(extended) = &found.extended {
        inner.object("source", |inner| position(inner, extended.source()));
    }
    if let Some(common) = &found.common {
        inner.number("traffic_class", common.traffic_class.id);
    }
    inner.number("lifetime_ms", basic.lifetime.milliseconds());
    inner.number("hops", basic.remaining_hops);
    if let Some(packet) = found.packet() {
        inner.member("length", Cell::Number(packet.len() as i128));
    }
    match (&found.extended, found.common.map(|common| common.packet_type)) {
        (Some(ExtendedHeader::Area { area, .. }), Some(PacketType::Gac(shape) | PacketType::Gbc(shape))) => {
            inner.object("area", |inner| {
                let shape = match shape {
                    Shape::Circle => "circle",
                    Shape::Rectangle => "rectangle",
                    Shape::Ellipse => "ellipse",
                };
                inner.word("shape", shape);
                inner.number("latitude", area.latitude);
                inner.number("longitude", area.longitude);
                inner.number("distance_a", area.distance_a);
                inner.number("distance_b", area.distance_b);
                inner.number("angle", area.angle);
            });
        }
        (Some(ExtendedHeader::Guc { destination, .. }), _) => {
            inner.object("destination", |inner| {
                inner.member("address", Cell::Shown(&destination.address));
                inner.number("timestamp", destination.timestamp);
                inner.number("latitude", destination.latitude);
                inner.number("longitude", destination.longitude);
            });
        }
        (Some(ExtendedHeader::LsRequest { requested, .. }), _) => inner.member("requested", Cell::Shown(&requested)),
        _ => {}
    }
    if let Some(sequence) = found.extended.and_then(|extended| extended.sequence()) {
        inner.number("sequence", sequence.number);
    }
}

fn position(inner: &mut impl Members, source: &LongPosition) {
    inner.member("address", Cell::Shown(&source.address));
    inner.number("timestamp", source.timestamp);
    inner.number("latitude", source.latitude);
    inner.number("longitude", source.longitude);
    inner.number("speed", source.speed);
    inner.number("heading", source.heading);
    inner.member("accurate", Cell::Flag(source.is_accurate));
}

/// The object `security` of a record, of a message without a packet around it.
#[must_use]
pub fn security_of(envelope: &Envelope<'_>, report: &Report) -> String {
    let mut line = String::new();
    let mut record = Record::open(&mut line);
    security(&mut record, envelope, format(envelope, &Dissection::of_geonetworking(&[])), Some(report));
    record.close();
    line
}

/// Of an envelope; without a report, it was not verified.
pub(crate) fn security(inner: &mut impl Members, envelope: &Envelope<'_>, format: &str, report: Option<&Report>) {
    inner.word("format", format);
    match envelope.signer {
        Some(Signer::Digest(digest)) => {
            inner.word("signer", "digest");
            inner.member("certificate", Cell::Octets(&digest));
        }
        Some(Signer::Certificate) => {
            inner.word("signer", "certificate");
            if let Some(digest) = report.and_then(|report| report.signer) {
                inner.member("certificate", Cell::Octets(&digest));
            }
        }
        Some(Signer::Itself) => inner.word("signer", "self"),
        None => {}
    }
    if let Some(psid) = envelope.psid {
        inner.number("psid", psid);
    }
    if let Some(time) = envelope.generation_time().filter(has_date) {
        inner.member("generated", Cell::Time(time));
    }
    if let Some(report) = report {
        return verdict(inner, report);
    }
    match envelope.content {
        Content::Signed | Content::SignedElsewhere => inner.word("verdict", "not-verified"),
        Content::Encrypted => inner.word("verdict", "unsupported"),
        Content::Unsecured | Content::CertificateRequest => {}
    }
}

/// The verdict, what was checked for it, why it is refused, what is noted beside it, and whether
/// the message is a copy of another one in another form.
fn verdict(inner: &mut impl Members, report: &Report) {
    inner.word("verdict", report.verdict.name());
    inner.object("checked", |checked| {
        for (name, check) in report.checked.each() {
            checked.member(name, Cell::Text(&check.to_string()));
        }
    });
    if let Some(fault) = &report.fault {
        inner.member("reason", Cell::Text(&fault.to_string()));
    }
    if !report.noted.is_empty() {
        let noted: Vec<String> = report.noted.iter().map(ToString::to_string).collect();
        inner.member("noted", Cell::Text(&noted.join("; ")));
    }
    if report.is_altered_copy {
        inner.member("altered_copy", Cell::Flag(true));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(cell: Cell<'_>) -> String {
        let mut line = String::new();
        let mut record = Record::open(&mut line);
        record.member("one", cell);
        record.close();
        line
    }

    #[test]
    fn numbers_are_those_that_display_writes() {
        let numbers = [0, 9, 10, -1, -10, 1_560_240_842, i64::MAX, i64::MIN];
        for number in numbers.map(i128::from).into_iter().chain([u64::MAX.into(), i128::MIN]) {
            assert_eq!(line(Cell::Number(number)), format!("{{\"one\":{number}}}"));
        }
    }

    #[test]
    fn text_is_escaped_where_json_asks_for_it() {
        for text in ["", "a b", "\u{7f}\u{e4}", "\"", "\\", "\n", "\0"] {
            assert_eq!(line(Cell::Text(text)), serde_json::json!({ "one": text }).to_string());
        }
    }

    #[test]
    fn octets_are_all_written() {
        for count in [0, 1, 63, 64, 65, 200] {
            let octets: Vec<u8> = (0..count).collect();
            let digits: String = octets.iter().map(|octet| format!("{octet:02x}")).collect();
            assert_eq!(line(Cell::Octets(&octets)), format!("{{\"one\":\"{digits}\"}}"));
        }
    }
}
