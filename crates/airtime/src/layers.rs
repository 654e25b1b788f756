//! Octets of the layers under a message.

use crate::ofdm::{Rate, TooLong};

/// How GeoNetworking takes a packet along: its extended header (EN 302 636-4-1 V1.4.1 §9.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transport {
    /// SHB, to all neighbours: CAM, CPM, VAM.
    SingleHop,
    /// TSB, to all stations within some hops.
    ManyHops,
    /// GBC and GAC, to an area: DENM, IVIM, SPATEM.
    Area,
    /// GUC, to one station.
    One,
}

impl Transport {
    /// Octets of its extended header.
    #[must_use]
    pub const fn octets(self) -> u32 {
        match self {
            // A long position vector (24, §9.5.2), and four octets that depend on the medium
            // (§9.8.4) or are a sequence number and reserved (§9.8.3).
            Transport::SingleHop | Transport::ManyHops => 28,
            // Sequence number and reserved (4), long position vector (24), area (14), reserved (2)
            // (§9.8.5).
            Transport::Area => 44,
            // Sequence number and reserved (4), long (24) and short (20) position vector (§9.8.2).
            Transport::One => 48,
        }
    }
}

/// The security envelope around a GeoNetworking packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Security {
    /// None: not secured.
    None,
    /// TS 103 097 V1.2.1, a CAM (§7.1) with the digest of its signer's certificate.
    VersionOneDigest,
    /// The same, with the certificate.
    VersionOneCertificate,
    /// IEEE 1609.2 in the profile of TS 103 097 V1.3.1, a CAM (§7.1.1) with the digest of its
    /// signer's certificate.
    DotTwoDigest,
    /// The same, with the certificate.
    DotTwoCertificate,
}

impl Security {
    /// All of them.
    pub const ALL: [Security; 5] = [
        Security::None,
        Security::VersionOneDigest,
        Security::VersionOneCertificate,
        Security::DotTwoDigest,
        Security::DotTwoCertificate,
    ];

    /// Octets of a certificate of V1.2.1 as it is counted here: issuer by digest, one compressed
    /// key, assurance level, CAM and DENM with permissions of 3 and 4 octets, start and end, no
    /// region.
    pub const VERSION_ONE_CERTIFICATE: u32 = 1 + 9 + 2 + 1 + (35 + 2 + 13) + 1 + 9 + 66;
    /// Octets of a certificate of IEEE 1609.2 with the same contents; its permissions are bitmaps,
    /// as TS 103 097 V1.3.1 has them.
    pub const DOT_TWO_CERTIFICATE: u32 = 3 + 9 + (1 + 1 + 3 + 2 + 7 + 1 + (2 + 9 + 10) + 35) + 66;

    /// Its name on the command line and in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Security::None => "none",
            Security::VersionOneDigest => "v1-digest",
            Security::VersionOneCertificate => "v1-certificate",
            Security::DotTwoDigest => "1609.2-digest",
            Security::DotTwoCertificate => "1609.2-certificate",
        }
    }

    /// The same envelope with the certificate in it, if it has a digest.
    #[must_use]
    pub const fn with_certificate(self) -> Option<Security> {
        match self {
            Security::VersionOneDigest => Some(Security::VersionOneCertificate),
            Security::DotTwoDigest => Some(Security::DotTwoCertificate),
            _ => None,
        }
    }

    /// Octets that the envelope takes around so many octets, without a place in its header.
    #[must_use]
    pub const fn octets(self, payload: u32) -> u32 {
        self.octets_with(payload, false)
    }

    /// Octets that the envelope takes around so many octets. `place`: whether its header has the
    /// place of generation, as a DENM's has (TS 103 097 V1.2.1 §7.2, V1.3.1 §7.1.2).
    #[must_use]
    pub const fn octets_with(self, payload: u32, place: bool) -> u32 {
        let v1_place = if place { 1 + 10 } else { 0 };
        let place = if place { 10 } else { 0 };
        match self {
            Security::None => 0,
            Security::VersionOneDigest => version_one(10 + v1_place, payload),
            Security::VersionOneCertificate => version_one(2 + Security::VERSION_ONE_CERTIFICATE + v1_place, payload),
            Security::DotTwoDigest => dot_two(1 + 8 + place, payload),
            // A list of one certificate: the octets of its count are two.
            Security::DotTwoCertificate => dot_two(1 + 2 + Security::DOT_TWO_CERTIFICATE + place, payload),
        }
    }
}

/// A message of V1.2.1: version, header fields (signer and place, generation time, ITS-AID),
/// payload after type and length, trailer with signature.
const fn version_one(signer_and_place: u32, payload: u32) -> u32 {
    let fields = signer_and_place + 9 + 2;
    1 + variable_length(fields) + fields + 1 + variable_length(payload) + 1 + 1 + 66
}

/// Octets of a length of the presentation language (TS 103 097 V1.2.1 §4.1): 7 bits in the first
/// octet, 7 more with each.
const fn variable_length(length: u32) -> u32 {
    match length {
        0..0x80 => 1,
        0x80..0x4000 => 2,
        _ => 3,
    }
}

/// A message of IEEE 1609.2 in COER: version and choice, hash, two presence octets around version
/// and choice of the payload, its length, PSID, generation time, place, signer, signature.
const fn dot_two(signer_and_place: u32, payload: u32) -> u32 {
    let length = match payload {
        0..0x80 => 1,
        0x80..0x100 => 2,
        _ => 3,
    };
    2 + 1 + 1 + 2 + length + 1 + 2 + 8 + signer_and_place + 66
}

/// One layer of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Its name.
    pub name: &'static str,
    /// Where it is specified.
    pub clause: &'static str,
    /// Octets that it takes.
    pub octets: u32,
}

/// A message in a frame of IEEE 802.11: octets of each layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The message.
    pub message: u32,
    /// How it is taken along.
    pub transport: Transport,
    /// How it is secured.
    pub security: Security,
    /// Whether the envelope's header has the place of generation: that of a DENM has.
    pub place: bool,
}

/// BTP-A or BTP-B.
const BTP: u32 = 4;
/// The common header of GeoNetworking.
const COMMON: u32 = 8;
/// The basic header of GeoNetworking.
const BASIC: u32 = 4;
/// LLC (3) and SNAP (5).
const LLC_SNAP: u32 = 8;
/// Frame control, duration, three addresses, sequence control, QoS control.
const MAC: u32 = 26;
/// The frame check sequence.
const FCS: u32 = 4;
/// Octets that IEEE 802.11 puts around a packet: LLC with SNAP, the MAC header with QoS control,
/// and the frame check sequence.
pub const AROUND_PACKET: u32 = LLC_SNAP + MAC + FCS;
/// The longest packet that one frame can hold.
pub const LONGEST_PACKET: u32 = LONGEST_MSDU - LLC_SNAP;
/// The longest MSDU, with LLC and SNAP in it (IEEE 802.11-2016 Table 9-19).
const LONGEST_MSDU: u32 = 2304;

impl Frame {
    /// A message of so many octets. [`Frame::fits`] reports a message that no frame can hold.
    #[must_use]
    pub const fn new(message: u32, transport: Transport, security: Security) -> Frame {
        Frame { message, transport, security, place: false }
    }

    /// The frame of a DENM: its envelope has the place of generation.
    #[must_use]
    pub const fn with_place(self) -> Frame {
        Frame { place: true, ..self }
    }

    /// Octets of the envelope.
    const fn envelope(&self) -> u32 {
        self.security.octets_with(self.secured(), self.place)
    }

    /// The layers, from the message outwards.
    #[must_use]
    pub const fn layers(&self) -> [Layer; 8] {
        const fn layer(name: &'static str, clause: &'static str, octets: u32) -> Layer {
            Layer { name, clause, octets }
        }
        let envelope = match self.security {
            Security::None => "no envelope",
            Security::VersionOneDigest | Security::VersionOneCertificate => "TS 103 097 V1.2.1 §5.1",
            Security::DotTwoDigest | Security::DotTwoCertificate => "TS 103 097 V1.3.1 §5.2",
        };
        [
            layer("message", "the encoding rules", self.message),
            layer("btp", "EN 302 636-5-1 V2.2.1 §7.2", BTP),
            layer("geonetworking extended", "EN 302 636-4-1 V1.4.1 §9.8", self.transport.octets()),
            layer("geonetworking common", "EN 302 636-4-1 V1.4.1 §9.7", COMMON),
            layer("security", envelope, self.envelope()),
            layer("geonetworking basic", "EN 302 636-4-1 V1.4.1 §9.6", BASIC),
            layer("llc snap", "ISO/IEC 8802-2; IEEE 802-2014 §9", LLC_SNAP),
            layer("mac", "IEEE 802.11-2016 §9.3.2.1 and §9.2.4.7", MAC + FCS),
        ]
    }

    /// Octets that the envelope is around: from the common header on.
    const fn secured(&self) -> u32 {
        self.message.saturating_add(BTP + self.transport.octets() + COMMON)
    }

    /// Octets of the GeoNetworking packet, its basic header included: what LTE-V2X and NR-V2X get.
    #[must_use]
    pub const fn packet(&self) -> u32 {
        self.secured().saturating_add(self.envelope() + BASIC)
    }

    /// Octets of the PSDU: N in the formula of the air time.
    #[must_use]
    pub const fn psdu(&self) -> u32 {
        self.packet().saturating_add(AROUND_PACKET)
    }

    /// Whether one frame can hold it: an MSDU has at most 2304 octets (IEEE 802.11-2016 Table
    /// 9-19).
    ///
    /// # Errors
    /// The octets of an MSDU that is longer.
    pub const fn fits(&self) -> Result<(), TooLong> {
        let octets = self.packet().saturating_add(LLC_SNAP);
        if octets > LONGEST_MSDU { Err(TooLong { octets }) } else { Ok(()) }
    }

    /// How long it is on the air at this rate, in microseconds.
    ///
    /// # Errors
    /// As for [`Frame::fits`].
    pub fn airtime_us(&self, rate: Rate) -> Result<u32, TooLong> {
        self.fits()?;
        rate.airtime_us(self.psdu())
    }
}
