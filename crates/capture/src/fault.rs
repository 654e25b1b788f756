//! Errors of headers: the fault, and its octet. `docs/errors.md` lists the codes.

use core::fmt;

/// A fault in a header, and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// The fault.
    pub fault: Fault,
    /// Octets from the start of what was decoded, or written, to the field at fault.
    pub octet: usize,
}

impl Error {
    pub(crate) const fn new(fault: Fault, octet: usize) -> Error {
        Error { fault, octet }
    }

    /// The same error, seen from `octets` further in front.
    #[must_use]
    pub const fn after(self, octets: usize) -> Error {
        Error { fault: self.fault, octet: self.octet + octets }
    }

    /// Its identity, such as `geonetworking.version`: stable.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.fault.code()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at octet {}", self.fault, self.octet)
    }
}

impl core::error::Error for Error {}

/// A fault: one of the constants of [`faults`](crate::faults). It takes one word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fault(&'static Entry);

#[derive(PartialEq, Eq)]
struct Entry {
    code: &'static str,
    text: &'static str,
}

impl Fault {
    /// Its identity, such as `geonetworking.version`: stable.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.0.code
    }

    /// The fault in words.
    #[must_use]
    pub const fn text(self) -> &'static str {
        self.0.text
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fault({})", self.code())
    }
}

macro_rules! faults {
    ($($(#[$doc:meta])+ $name:ident = $code:literal, $text:literal;)+) => {
        /// All faults. Each is defined once, with a code that never changes.
        pub mod faults {
            use super::{Entry, Fault};

            $($(#[$doc])+ pub const $name: Fault = Fault(&Entry { code: $code, text: $text });)+

            /// All of them.
            pub const ALL: &[Fault] = &[$($name),+];
        }
    };
}

faults! {
    /// The octets end within a header, or a field that counts octets counts more than there are.
    TRUNCATED = "frame.truncated", "the frame ends before its header does";
    /// A link layer other than those of [`LinkType`](crate::LinkType).
    LINK_TYPE = "frame.link-type", "unsupported link layer";
    /// After the link layer's header comes something other than GeoNetworking, WSMP, IPv4 or IPv6.
    PROTOCOL = "frame.protocol", "unsupported network protocol";
    /// The CRC-32 of the frame is different (IEEE 802.3 §3.2.9, IEEE 802.11 §9.2.4.8), or the
    /// receiver says so.
    CHECKSUM = "frame.checksum", "frame check sequence mismatch";

    /// More than two tags of IEEE 802.1Q.
    TAGS = "ethernet.tags", "more than two VLAN tags";

    /// The version of a radiotap header is 0.
    RADIOTAP_VERSION = "radiotap.version", "unsupported radiotap version; expected 0";
    /// The length of a radiotap header is less than the fields that it announces.
    RADIOTAP_LENGTH = "radiotap.length", "radiotap length too small for its fields";
    /// The version of a PPI header is 0.
    PPI_VERSION = "ppi.version", "unsupported PPI version; expected 0";
    /// The length of a PPI header, or of one of its fields, does not match the octets.
    PPI_LENGTH = "ppi.length", "PPI length does not match its fields";

    /// Bits 0 and 1 of the frame control field (IEEE 802.11 §9.2.4.1.2).
    WLAN_VERSION = "ieee80211.version", "unsupported IEEE 802.11 protocol version; expected 0";
    /// A management, control or extension frame, or a data frame without a body (IEEE 802.11
    /// §9.2.4.1.3).
    WLAN_TYPE = "ieee80211.type", "a frame without data";
    /// The bit Protected Frame: the body is encrypted (IEEE 802.11 §9.2.4.1.9).
    WLAN_PROTECTED = "ieee80211.protected", "a frame whose body is encrypted";
    /// A fragment of a larger frame (IEEE 802.11 §9.2.4.4.3).
    WLAN_FRAGMENT = "ieee80211.fragment", "a fragment of a frame";
    /// Several frames in one: A-MSDU (IEEE 802.11 §9.3.2.2).
    WLAN_AGGREGATE = "ieee80211.aggregate", "several frames in one";
    /// The octets before the EtherType are not AA AA 03 (RFC 1042).
    LLC = "llc.snap", "no EtherType after the link layer's header";

    /// The first four bits of an IP packet are 4 or 6.
    IP_VERSION = "ip.version", "unsupported IP version; expected 4 or 6";
    /// The header length or the total length of an IP packet (RFC 791 §3.1, RFC 8200 §3).
    IP_LENGTH = "ip.length", "IP length does not match the packet";
    /// A part of a larger IP packet.
    IP_FRAGMENT = "ip.fragment", "a fragment of an IP packet";
    /// A protocol other than UDP.
    IP_PROTOCOL = "ip.protocol", "a transport protocol other than UDP";
    /// The length of a UDP datagram is less than its header or more than the IP packet has (RFC
    /// 768).
    UDP_LENGTH = "udp.length", "UDP length does not match the datagram";
    /// A datagram with neither a GeoNetworking packet, a security envelope nor a facility message.
    UDP_CONTENT = "udp.content", "no known message in the datagram";

    /// The version in the basic header is 0 or 1 (EN 302 636-4-1 §9.6.2).
    GEONETWORKING_VERSION = "geonetworking.version", "unsupported GeoNetworking version; expected 0 or 1";
    /// The next header in the basic or common header (EN 302 636-4-1 §9.6.3, §9.7.3).
    GEONETWORKING_NEXT = "geonetworking.next-header", "unknown next header";
    /// Header type and subtype in the common header (EN 302 636-4-1 §9.7.4).
    GEONETWORKING_TYPE = "geonetworking.header-type", "unknown header type";
    /// The length of the payload in the common header (EN 302 636-4-1 §9.7.2).
    GEONETWORKING_LENGTH = "geonetworking.length", "payload length exceeds the packet";

    /// The first octet of a security envelope is 1 or 2 (TS 103 097 V1.1.1, V1.2.1) or 3 (IEEE
    /// 1609.2).
    SECURITY_VERSION = "security.version", "unsupported protocol version; expected 1, 2 or 3";
    /// The content of Ieee1609Dot2Data (IEEE 1609.2 §6.3.4), or the type of a payload (TS 103 097
    /// V1.2.1 §5.2).
    SECURITY_CONTENT = "security.content", "unknown kind of secured data";
    /// Signed data that holds signed data.
    SECURITY_NESTED = "security.nested", "a secured packet in a secured packet";
    /// A length of more than four octets (X.696 §8.6), or an IntX of more than four (TS 103 097
    /// V1.2.1 §4.1).
    SECURITY_LENGTH = "security.length", "a length of more than four octets";

    /// Bits 2 to 0 of the first octet are 3 (IEEE 1609.3 §8.3.2).
    WSMP_VERSION = "wsmp.version", "unsupported WSMP version; expected 3";
    /// The TPID is 0 to 3 (IEEE 1609.3 §8.3.3).
    WSMP_TPID = "wsmp.tpid", "unsupported TPID; expected 0 to 3";
    /// A PSID of more than four octets (IEEE 1609.12 §4.1.2).
    WSMP_PSID = "wsmp.psid", "a PSID of more than four octets";
    /// A length or count of more than two octets, or above what the packet has (IEEE 1609.3
    /// §8.1.3).
    WSMP_LENGTH = "wsmp.length", "WSMP length does not match the packet";

    /// The file has the first octets of neither format, or is empty.
    FILE_FORMAT = "capture.format", "neither pcap nor pcapng";
    /// The version of pcap is 2, that of pcapng 1.
    FILE_VERSION = "capture.version", "unsupported version of the file format";
    /// The file ends within its header, a record or a block.
    FILE_TRUNCATED = "capture.truncated", "the file ends within a record";
    /// The length of a block or of a packet in it is impossible, or differs from the
    /// length at the block's end.
    FILE_LENGTH = "capture.length", "length does not match the record";
    /// A limit of ours ([`MAX_RECORD`](crate::file::MAX_RECORD)).
    FILE_LIMIT = "capture.limit.length", "a record that is longer than the limit";
    /// A block of a packet names an interface that no block before it describes.
    FILE_INTERFACE = "capture.interface", "a packet of an interface that is not described";
    /// A limit of ours: 65536 in a section.
    FILE_INTERFACES = "capture.limit.interfaces", "more interfaces than the limit";
    /// The operating system reports an error, or the compressed data is damaged.
    FILE_READ = "capture.read", "the file cannot be read";

    /// On encoding: a number that is wider than its field.
    FIELD_RANGE = "field.range", "a number that is wider than its field";
    /// On encoding.
    OUTPUT_FULL = "output.full", "the output buffer is too small";
}
