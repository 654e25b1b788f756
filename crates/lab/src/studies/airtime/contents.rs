//! The study's messages.

use roadwire_airtime::Transport;
use roadwire_peers::content::today::Content as Today;
use roadwire_peers::content::{Message, Schema};

/// A message of the study, and how GeoNetworking takes it along.
pub(super) struct Content {
    /// Its name in tables.
    pub(super) name: &'static str,
    /// Where its value is.
    source: Source,
    /// Its extended header.
    pub(super) transport: Transport,
}

enum Source {
    /// A message of the papers, by its name there.
    Papers(&'static str),
    /// A content of the study `today`, with the same name.
    Today,
}

const fn today(name: &'static str, transport: Transport) -> Content {
    Content { name, source: Source::Today, transport }
}

/// All of them, in the order of the tables. CAM, CPM and VAM go to all neighbours, a DENM to an
/// area.
pub(super) const CONTENTS: [Content; 10] = [
    Content { name: "cam-2014", source: Source::Papers("cam-mandatory"), transport: Transport::SingleHop },
    Content { name: "denm-2014", source: Source::Papers("denm-mandatory"), transport: Transport::Area },
    today(CAM, Transport::SingleHop),
    today("cam-typical", Transport::SingleHop),
    today("denm-typical", Transport::Area),
    today("cpm-1", Transport::SingleHop),
    today("cpm-10", Transport::SingleHop),
    today("cpm-40", Transport::SingleHop),
    today("vam-mandatory", Transport::SingleHop),
    today("vam-typical", Transport::SingleHop),
];

/// The message that is compared in detail, and sent on the simulated road: a CAM of release 2 with
/// its mandatory components.
pub(super) const CAM: &str = "cam-mandatory";

impl Content {
    /// Whether it is a DENM, whose envelope always has the certificate and a place (TS 103 097
    /// V1.3.1 §7.1.2).
    pub(super) fn is_denm(&self) -> bool {
        self.name.starts_with("denm")
    }

    /// The content called `name`.
    pub(super) fn find(name: &str) -> Option<&'static Content> {
        CONTENTS.iter().find(|content| content.name == name)
    }

    /// Its schema, and its value as JER text.
    pub(super) fn value(&self) -> Result<(Schema, String), String> {
        let found = match self.source {
            Source::Papers(name) => Message::find(name).map(|message| (message.schema, message.jer())),
            Source::Today => Today::find(self.name).map(|content| (content.schema, content.jer())),
        };
        found.ok_or_else(|| format!("there is no message {}", self.name))
    }
}
