//! Tables of the simulated road.

use roadwire_layout::Rules;

use super::measured::{Airtime, rules};
use super::road::Simulated;
use crate::number::or_dash;
use crate::report::table::Table;

/// The distances of the tables, in metres; `airtime-reception.csv` has all.
const METRES: [u32; 5] = [50, 100, 150, 200, 300];

impl Airtime {
    pub(super) fn road_tables(&self) -> Vec<Table> {
        vec![self.reception(), self.differences(), self.beside_published(), self.closed_form()]
    }

    /// The road that a CAM in this encoding makes.
    #[must_use]
    pub fn road(&self, rules: Rules, per_km: u32) -> Option<&Simulated> {
        let frames_us = self.cam_us(rules)?;
        self.roads.iter().find(|road| road.per_km == per_km && road.frames_us == frames_us)
    }

    /// Encodings that take the same time, joined.
    pub(super) fn encodings_of(&self, road: &Simulated) -> Vec<Rules> {
        rules().filter(|rules| self.cam_us(*rules) == Some(road.frames_us)).collect()
    }

    /// Simulations that are too far from the published ones.
    pub(super) fn failures(&self) -> Vec<String> {
        let held = self.held.iter().filter_map(|held| held.fault());
        held.chain(self.saturated.iter().filter_map(|saturated| saturated.fault())).collect()
    }

    /// Reception over distance.
    pub(super) fn reception(&self) -> Table {
        let mut table = Table::new(
            "Reception of a CAM in 1609.2 on a simulated road, by distance",
            &["stations a km", "encodings", ">µs, digest / certificate", ">load", ">90 % up to, m"],
        );
        table.heading.extend(METRES.map(|metres| format!(">{metres} m")));
        for road in &self.roads {
            let names: Vec<String> = self.encodings_of(road).iter().map(ToString::to_string).collect();
            let first = vec![
                road.per_km.to_string(),
                names.join(" "),
                format!("{} / {}", road.frames_us[0], road.frames_us[1]),
                format!("{:.3}", road.load),
                or_dash(road.range().map(|metres| format!("{metres:.0}"))),
            ];
            table.rows.push([first, shares(&road.reception)].concat());
        }
        table.notes.push("All stations send 10 Hz at 6 Mbit/s and 23 dBm in AC_BE, one message of ten with the certificate; a ring of 5 km. Share of the frames that receivers at this distance get.".into());
        table
    }

    /// Ours and a published simulation, in short.
    fn differences(&self) -> Table {
        let mut table = Table::new(
            "Our simulation beside a published one (Sepulcre et al. 2021): difference of the reception, 0 to 500 m",
            &["road", ">mean", ">largest", ">our load"],
        );
        for held in &self.held {
            let [mean, largest] = held.differences().map(|share| format!("{share:.3}"));
            table.row([held.name(), mean, largest, format!("{:.3}", held.load)]);
        }
        table
            .notes
            .push("Over 21 points; octets as they count them, without MAC header and frame check sequence.".into());
        table
    }

    fn beside_published(&self) -> Table {
        let mut table = Table::new("The same by distance", &["road", "whose"]);
        table.heading.extend(METRES.map(|metres| format!(">{metres} m")));
        for held in &self.held {
            for (whose, shown) in [("ours", &held.reception), ("published", &held.published)] {
                table.rows.push([vec![held.name(), whose.into()], shares(shown)].concat());
            }
        }
        table
    }

    /// Ours and Bianchi's closed form.
    fn closed_form(&self) -> Table {
        let mut table = Table::new(
            "Our simulation beside the closed form (Bianchi 2000): stations that always have something to send",
            &[
                "stations",
                "category",
                ">frame, µs",
                ">collide, closed form",
                ">simulated",
                ">alone on the air, closed form",
                ">simulated",
                ">difference",
            ],
        );
        for one in &self.saturated {
            let share = |value: f64| format!("{value:.4}");
            table.row([
                one.stations.to_string(),
                one.access.clone(),
                one.frame_us.to_string(),
                share(one.collides[0]),
                share(one.collides[1]),
                share(one.throughput[0]),
                share(one.throughput[1]),
                share(one.difference()),
            ]);
        }
        table.notes.push("All hear each other. The difference is the greater one of the two shares.".into());
        table
    }

    pub(super) fn data_reception(&self) -> Table {
        let heading = [
            "whose",
            "stations_per_km",
            "rate_hz",
            "digest_us",
            "certificate_us",
            "encodings",
            "load_share",
            "distance_m",
            "reception_share",
        ];
        let mut table = Table::new("Reception of a CAM on a simulated road, by distance", &heading);
        let mut add = |first: [String; 7], reception: &[f64]| {
            for (at, share) in reception.iter().enumerate() {
                let last = [(25 * at).to_string(), format!("{share:.4}")];
                table.rows.push([first.to_vec(), last.to_vec()].concat());
            }
        };
        for road in &self.roads {
            let names: Vec<String> = self.encodings_of(road).iter().map(ToString::to_string).collect();
            let [digest, certificate] = road.frames_us.map(|us| us.to_string());
            let load = format!("{:.4}", road.load);
            add(
                ["ours".into(), road.per_km.to_string(), "10".into(), digest, certificate, names.join(" "), load],
                &road.reception,
            );
        }
        for held in &self.held {
            let first = |whose: &str, load: String| {
                [
                    whose.into(),
                    held.per_km.to_string(),
                    held.hertz.to_string(),
                    String::new(),
                    String::new(),
                    held.name(),
                    load,
                ]
            };
            add(first("ours", format!("{:.4}", held.load)), &held.reception);
            add(first("published", String::new()), &held.published);
        }
        table
    }
}

/// The reception at the distances of the tables.
fn shares(reception: &[f64]) -> Vec<String> {
    let at = |metres: u32| reception.get(metres as usize / 25).map(|share| format!("{share:.3}"));
    METRES.map(|metres| or_dash(at(metres))).into()
}
