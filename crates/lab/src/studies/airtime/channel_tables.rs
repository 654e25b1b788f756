//! Tables of what follows from octets alone: time on the channel, stations, message rates.

use roadwire_airtime::dcc::{self, Adaptive};
use roadwire_airtime::{Access, Frame, Rate, Security, load};
use roadwire_layout::Rules;

use super::contents::{CAM, CONTENTS};
use super::measured::{Airtime, HERTZ, RATE, rules};
use crate::number::{number, or_dash};
use crate::report::table::Table;

/// Channel loads inside each state of congestion control.
const LOADS: [f64; 5] = [0.2, 0.35, 0.45, 0.55, 0.65];
/// Stations that all hear each other, for the adaptive rule.
const CROWDS: [u32; 3] = [50, 100, 200];

impl Airtime {
    pub(super) fn channel_tables(&self) -> Vec<Table> {
        vec![
            self.cam(),
            self.octets_of_all(),
            self.times_of_all(),
            self.rates(),
            self.access(),
            self.hertz(),
            self.other_technologies(),
            self.congestion(),
            self.octet_less(),
            self.beside_uper(),
            self.certificate(),
        ]
    }

    /// The CAM in all encodings and envelopes.
    pub(super) fn cam(&self) -> Table {
        let mut table = Table::new(
            "A CAM on the channel: µs at 6 Mbit/s / stations at 10 Hz up to a load of 0.6",
            &["encoding", ">octets"],
        );
        table.heading.extend(Security::ALL.map(|security| format!(">{}", security.name())));
        for rules in rules() {
            let cells = Security::ALL.map(|security| self.us_and_stations(CAM, rules, security));
            table.rows.push([vec![rules.to_string(), or_dash(self.octets(CAM, rules))], cells.into()].concat());
        }
        table.notes.push(
            "The mandatory components of release 2. Stations all hear each other, and no two frames overlap.".into(),
        );
        table
    }

    fn us_and_stations(&self, message: &str, rules: Rules, security: Security) -> String {
        let both = self.us(message, rules, security).zip(self.stations(message, rules, security));
        or_dash(both.map(|(us, stations)| format!("{us} / {stations}")))
    }

    /// One column for each encoding.
    fn over(title: &str, heading: &[&str]) -> Table {
        let mut table = Table::new(title, heading);
        table.heading.extend(rules().map(|rules| format!(">{rules}")));
        table
    }

    fn octets_of_all(&self) -> Table {
        let mut table = Airtime::over("Octets of each message", &["message"]);
        for content in &CONTENTS {
            let cells = rules().map(|rules| or_dash(self.octets(content.name, rules)));
            table.rows.push([content.name.into()].into_iter().chain(cells).collect());
        }
        table
    }

    fn times_of_all(&self) -> Table {
        let title = "Each message, encoding and envelope: µs at 6 Mbit/s / stations at 10 Hz up to a load of 0.6";
        let mut table = Airtime::over(title, &["message", "envelope"]);
        for content in &CONTENTS {
            for security in Security::ALL {
                let cells = rules().map(|rules| self.us_and_stations(content.name, rules, security));
                let first = [content.name.to_string(), security.name().into()];
                table.rows.push(first.into_iter().chain(cells).collect());
            }
        }
        table.notes.push(
            "–: no frame holds it (an MSDU has at most 2304 octets). A DENM goes to an area (GBC), the others to all neighbours (SHB). The envelope of a DENM has its place, ten octets more in 1609.2 and eleven in V1, \
             and always the certificate: its rows with digest are not sent."
                .into(),
        );
        table
    }

    /// The CAM in UPER at all rates.
    fn rates(&self) -> Table {
        let mut table =
            Table::new("A CAM in UPER at all eight rates: µs / stations at 10 Hz up to a load of 0.6", &["envelope"]);
        table.heading.extend(Rate::ALL.map(|rate| format!(">{rate} Mbit/s")));
        for security in Security::ALL {
            let Some(frame) = self.frame(CAM, Rules::Uper, security) else { continue };
            let cell = |rate| {
                let us = frame.airtime_us(rate).ok()?;
                Some(format!("{us} / {}", load::stations(load::LIMIT, HERTZ, us.into())))
            };
            let cells = Rate::ALL.map(|rate| or_dash(cell(rate)));
            table.rows.push([security.name().to_string()].into_iter().chain(cells).collect());
        }
        table.notes.push("The preamble and SIGNAL take 40 µs at every rate.".into());
        table
    }

    /// The delays of a frame beside its own time.
    fn access(&self) -> Table {
        let mut table = Table::new(
            "What a CAM in UPER with digest takes with the silence in front of it, by access category",
            &[
                "category",
                ">AIFS, µs",
                ">backoff on average, µs",
                ">frame, µs",
                ">AIFS and frame, µs",
                ">stations at 10 Hz, whole channel",
            ],
        );
        let Some(us) = self.us(CAM, Rules::Uper, Security::DotTwoDigest) else { return table };
        for access in Access::ALL {
            let backoff = f64::from(access.contention_window() * roadwire_airtime::SLOT_US) / 2.0;
            let both = us + access.aifs_us();
            table.row([
                access.name().into(),
                access.aifs_us().to_string(),
                number(backoff),
                us.to_string(),
                both.to_string(),
                load::stations(1.0, HERTZ, both.into()).to_string(),
            ]);
        }
        table.notes.push("Silence is no load. The last column is the most that fits if frames follow each other as closely as AIFS lets them.".into());
        table
    }

    /// Stations at several message rates.
    fn hertz(&self) -> Table {
        const RATES: [f64; 4] = [1.0, 2.0, 5.0, 10.0];
        let mut table =
            Table::new("Stations up to a load of 0.6, by messages a second: a CAM in 1609.2", &["encoding"]);
        table.heading.extend(RATES.map(|hertz| format!(">{hertz} Hz")));
        for rules in rules() {
            let cell = |hertz: f64| {
                let [digest, certificate] = self.cam_us(rules)?;
                let average = load::average(digest.into(), certificate.into(), hertz);
                Some(load::stations(load::LIMIT, hertz, average))
            };
            table.rows.push([rules.to_string()].into_iter().chain(RATES.map(|hertz| or_dash(cell(hertz)))).collect());
        }
        table.notes.push("The certificate is sent once a second: at 1 Hz, in every message.".into());
        table
    }

    /// IEEE 802.11p, LTE-V2X, NR-V2X.
    fn other_technologies(&self) -> Table {
        let mut table = Table::new(
            "Three access technologies in 10 MHz: what a message takes / stations at 10 Hz up to a load of 0.6",
            &["message", "encoding", "envelope", ">IEEE 802.11p, µs", ">LTE-V2X, subchannels", ">NR-V2X, subchannels"],
        );
        let cams = rules().flat_map(|rules| {
            [Security::DotTwoDigest, Security::DotTwoCertificate].map(|security| (CAM, rules, security))
        });
        let others = CONTENTS.iter().filter(|content| content.name != CAM);
        let others = others.map(|content| (content.name, Rules::Uper, Security::DotTwoDigest));
        for (message, rules, security) in cams.chain(others) {
            let pair = |(taken, stations)| format!("{taken} / {stations}");
            table.row([
                message.into(),
                rules.to_string(),
                security.name().into(),
                self.us_and_stations(message, rules, security),
                or_dash(self.lte(message, rules, security).map(pair)),
                or_dash(self.nr(message, rules, security).map(pair)),
            ]);
        }
        table.notes.push(
            "LTE-V2X and NR-V2X: five subchannels of ten resource blocks in each millisecond, MCS 7, each message sent once; with the blind retransmission that both allow a message takes twice as much, and half as many stations fit. The load is the share of subchannels. –: one transmission does not hold it.".into(),
        );
        table
    }

    /// Message rates of TS 102 687.
    fn congestion(&self) -> Table {
        let mut table = Table::new(
            "Messages a second that TS 102 687 leaves to a CAM with digest",
            &["message", "encoding", ">µs"],
        );
        table.heading.extend(LOADS.map(|load| format!(">reactive, load {load}")));
        table.heading.extend(CROWDS.map(|stations| format!(">adaptive, {stations} stations")));
        for (message, rules) in
            [CAM, "cam-typical"].into_iter().flat_map(|message| rules().map(move |rules| (message, rules)))
        {
            let us = self.us(message, rules, Security::DotTwoDigest);
            let reactive = |load| Some(number(dcc::reactive(load, us?)?.hertz));
            let adaptive = |stations| Some(format!("{:.1}", Adaptive::at_rest(stations).hertz(us?)));
            let cells = LOADS.map(|load| or_dash(reactive(load)));
            let more = CROWDS.map(|stations| or_dash(adaptive(stations)));
            table.rows.push([vec![message.into(), rules.to_string(), or_dash(us)], cells.into(), more.into()].concat());
        }
        table.notes.push("The reactive rule has one table for frames of at most 0.5 ms, and another for those of at most 1 ms (Annex A); of longer ones it says nothing (–). The adaptive rule gives shares of time, between 1 and 40 Hz.".into());
        table
    }

    /// The CAM in UPER with fewer octets.
    fn octet_less(&self) -> Table {
        let mut table = Table::new(
            "What one octet less buys: the CAM in UPER with digest",
            &[
                "octets less",
                ">octets of the frame",
                ">bits",
                ">symbols",
                ">bits of padding",
                ">µs",
                ">stations",
                ">more stations",
            ],
        );
        let Some(frame) = self.frame(CAM, Rules::Uper, Security::DotTwoDigest) else { return table };
        let stations = |us: u32| load::stations(load::LIMIT, HERTZ, us.into());
        let whole = RATE.airtime_us(frame.psdu()).map(stations).unwrap_or(0);
        for less in 0..=12 {
            let octets = Frame { message: frame.message.saturating_sub(less), ..frame }.psdu();
            let Ok(us) = RATE.airtime_us(octets) else { continue };
            let (bits, symbols) = (22 + 8 * octets, (us - 40) / 8);
            let padding = symbols * RATE.bits_per_symbol() - bits;
            let of = [less, octets, bits, symbols, padding, us].map(|value| value.to_string());
            let more = [stations(us), stations(us) - whole].map(|value| value.to_string());
            table.rows.push([of.to_vec(), more.to_vec()].concat());
        }
        table.notes.push("A symbol at 6 Mbit/s has 48 bits, which are 6 octets, and takes 8 µs.".into());
        table
    }

    /// The costs of the other encodings, compared with UPER.
    fn beside_uper(&self) -> Table {
        let mut table = Table::new(
            "Each encoding of the CAM beside UPER, with digest",
            &["encoding", ">octets more", ">µs more", ">µs an octet", ">stations fewer", ">stations fewer, %"],
        );
        let of = |rules| {
            let octets = f64::from(self.octets(CAM, rules)?);
            let us = f64::from(self.us(CAM, rules, Security::DotTwoDigest)?);
            Some((octets, us, self.stations(CAM, rules, Security::DotTwoDigest)? as f64))
        };
        let Some((least, shortest, most)) = of(Rules::Uper) else { return table };
        for rules in rules() {
            let Some((octets, us, stations)) = of(rules) else { continue };
            let (octets, us, fewer) = (octets - least, us - shortest, most - stations);
            let each = if octets == 0.0 { None } else { Some(format!("{:.2}", us / octets)) };
            let share = format!("{:.0}", 100.0 * fewer / most);
            table.row([rules.to_string(), number(octets), number(us), or_dash(each), number(fewer), share]);
        }
        table
    }

    /// Who pays for the certificate.
    fn certificate(&self) -> Table {
        let mut table = Table::new(
            "The certificate once a second, in a CAM at 10 Hz: its share of the time on the channel",
            &[
                "encoding",
                ">V1: µs on average",
                ">V1: certificate, %",
                ">1609.2: µs on average",
                ">1609.2: certificate, %",
                ">1609.2: envelope, %",
                ">message, %",
            ],
        );
        for rules in rules() {
            let Some((first, in_first)) = self.certificate_share(rules, Security::VersionOneDigest) else { continue };
            let Some((today, in_today)) = self.certificate_share(rules, Security::DotTwoDigest) else { continue };
            let Some(bare) = self.us(CAM, rules, Security::None) else { continue };
            let message = f64::from(8 * self.octets(CAM, rules).unwrap_or(0)) / 48.0 * 8.0;
            let percent = |share: f64| format!("{:.1}", 100.0 * share);
            table.row([
                rules.to_string(),
                format!("{first:.1}"),
                percent(in_first),
                format!("{today:.1}"),
                percent(in_today),
                percent((today - f64::from(bare)) / today),
                percent(message / today),
            ]);
        }
        table.notes.push("Of the average time: what the certificate adds to the digest; the whole envelope, certificate included; and the message's own bits. The rest is preamble and headers.".into());
        table
    }

    pub(super) fn data(&self) -> Table {
        let heading = [
            "message",
            "rules",
            "security",
            "octets",
            "frame_octets",
            "airtime_us",
            "stations",
            "lte_subchannels",
            "lte_stations",
            "nr_subchannels",
            "nr_stations",
        ];
        let mut table =
            Table::new("Messages on the air at 6 Mbit/s, and how many stations at 10 Hz make a load of 0.6", &heading);
        for length in &self.lengths {
            for security in Security::ALL {
                let (message, rules) = (length.message.as_str(), length.rules);
                let text = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
                let frame = self.frame(message, rules, security).map(|frame| frame.psdu().into());
                let [lte, nr] = [self.lte(message, rules, security), self.nr(message, rules, security)];
                table.row([
                    message.into(),
                    rules.to_string(),
                    security.name().into(),
                    length.octets.to_string(),
                    text(frame),
                    text(self.us(message, rules, security).map(u64::from)),
                    text(self.stations(message, rules, security)),
                    text(lte.map(|(taken, _)| taken.into())),
                    text(lte.map(|(_, stations)| stations)),
                    text(nr.map(|(taken, _)| taken.into())),
                    text(nr.map(|(_, stations)| stations)),
                ]);
            }
        }
        table
    }
}
