//! Link layers: the headers and trailers around a packet in a recorded frame.

mod cooked;
mod ethernet;
mod ieee80211;
mod ppi;
mod radiotap;

pub use cooked::{Cooked, CookedV2};
pub use ethernet::{Ethernet, Tag};
pub use ieee80211::{Addresses, Ieee80211, Snap};
pub use ppi::Ppi;
pub use radiotap::Radiotap;

/// The kind of recorded frames, by the numbers of pcap's and pcapng's header (LINKTYPE_).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LinkType(pub u16);

impl LinkType {
    /// Ethernet.
    pub const ETHERNET: LinkType = LinkType(1);
    /// IPv4 or IPv6 without a link layer; 12 and 14 are the numbers that some systems had for it.
    pub const RAW: LinkType = LinkType(101);
    /// IEEE 802.11.
    pub const IEEE80211: LinkType = LinkType(105);
    /// Linux "cooked" capture.
    pub const COOKED: LinkType = LinkType(113);
    /// IEEE 802.11 after a radiotap header.
    pub const RADIOTAP: LinkType = LinkType(127);
    /// A frame of another link type after a header with per-packet information.
    pub const PPI: LinkType = LinkType(192);
    /// IPv4 without a link layer.
    pub const IPV4: LinkType = LinkType(228);
    /// IPv6 without a link layer.
    pub const IPV6: LinkType = LinkType(229);
    /// Linux "cooked" capture, version 2.
    pub const COOKED_V2: LinkType = LinkType(276);
}

/// Protocols by EtherType.
pub mod ether_type {
    /// IPv4.
    pub const IPV4: u16 = 0x0800;
    /// IPv6.
    pub const IPV6: u16 = 0x86dd;
    /// GeoNetworking (TS 102 636-4-2).
    pub const GEONETWORKING: u16 = 0x8947;
    /// WAVE Short Message Protocol (IEEE 1609.3).
    pub const WSMP: u16 = 0x88dc;
    /// A tag of a VLAN (IEEE 802.1Q).
    pub const VLAN: u16 = 0x8100;
    /// The outer one of two tags (IEEE 802.1ad).
    pub const SERVICE_VLAN: u16 = 0x88a8;
}

/// The header of a link layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link<'a> {
    /// Ethernet.
    Ethernet(Ethernet),
    /// IEEE 802.11, and LLC with SNAP.
    Ieee80211 {
        /// The header.
        header: Ieee80211,
        /// Octets between the header and the body that some drivers leave there: 0 to 3.
        padding: &'a [u8],
        /// The header before the body.
        snap: Snap,
    },
    /// Linux "cooked" capture.
    Cooked(Cooked),
    /// Linux "cooked" capture, version 2.
    CookedV2(CookedV2),
}

/// The receiver's header before a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver<'a> {
    /// Radiotap.
    Radiotap(Radiotap<'a>),
    /// Per-packet information.
    Ppi(Ppi<'a>),
}
