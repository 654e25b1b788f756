//! The fields that all messages of a station share, whatever the message and its version.

#[cfg(feature = "vam")]
use crate::vam_2_3_1;
#[cfg(feature = "cam")]
use crate::{cam_1_3_0, cam_1_4_1, cam_2_3_1};
#[cfg(feature = "cpm")]
use crate::{cpm_2_1_1, cpm_tr_103562};
#[cfg(feature = "denm")]
use crate::{denm_1_3_1, denm_2_3_1};

/// A message of a station, CAM, DENM, CPM or VAM of any version: who sent it, and where and when
/// that was.
///
/// `denm_1_2_0::Denm` is the type of V1.3.1, and so also has it.
///
/// ```
/// # #[cfg(all(feature = "cam", feature = "vam"))] {
/// use roadwire::{Position, Station, Time, cam_1_4_1, cam_2_3_1, vam_2_3_1};
///
/// fn line(message: &dyn Station) -> String {
///     let Position { latitude, longitude, .. } = message.position();
///     format!("{} at {latitude:?}, {longitude:?}", message.station_id())
/// }
///
/// let (mut old, mut new) = (cam_1_4_1::Cam::default(), cam_2_3_1::Cam::default());
/// old.header.station_id = 1001;
/// new.header.station_id = 1002;
/// let place = &mut new.cam.cam_parameters.basic_container.reference_position;
/// (place.latitude, place.longitude) = (491_711_500, 165_978_980);
/// assert_eq!(line(&new), "1002 at Some(491711500), Some(165978980)");
///
/// let messages: [&dyn Station; 3] = [&old, &new, &vam_2_3_1::Vam::default()];
/// assert_eq!(messages.map(|message| message.station_id()), [1001, 1002, 0]);
/// assert_eq!(new.time(), Time::Generation(0));
/// # }
/// ```
pub trait Station {
    /// The station that sent the message (`stationID`, and `stationId` of release 2).
    fn station_id(&self) -> u32;

    /// The reference position: the station's, and in a DENM the event's.
    fn position(&self) -> Position;

    /// When the message was made; in a DENM and a CPM the reference time.
    fn time(&self) -> Time;
}

/// A place (WGS 84). What the station does not know is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    /// In 0.1 microdegrees, north is positive.
    pub latitude: Option<i32>,
    /// In 0.1 microdegrees, east is positive.
    pub longitude: Option<i32>,
    /// In centimetres above the ellipsoid.
    pub altitude: Option<i32>,
}

impl Position {
    /// From the numbers in a message, of which some say that the value is unavailable: for an
    /// implementation of [`Station`] of your own.
    #[must_use]
    pub fn of(latitude: i32, longitude: i32, altitude: i32) -> Self {
        let known = |value: i32, unavailable: i32| Some(value).filter(|value| *value != unavailable);
        Position {
            latitude: known(latitude, 900_000_001),
            longitude: known(longitude, 1_800_000_001),
            altitude: known(altitude, 800_001),
        }
    }
}

/// A time, as messages have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Time {
    /// `generationDeltaTime` of a CAM and a VAM: milliseconds as in [`Time::Timestamp`],
    /// modulo 65536.
    Generation(u16),
    /// `TimestampIts`, the `referenceTime` of a DENM and a CPM: milliseconds of TAI since
    /// 2004-01-01T00:00:00Z.
    Timestamp(u64),
}

impl Time {
    /// The part that all messages have: milliseconds modulo 65536.
    #[must_use]
    pub fn modulo(self) -> u16 {
        match self {
            Time::Generation(time) => time,
            Time::Timestamp(time) => (time % 65536) as u16,
        }
    }
}

/// Implements it by the paths of the sender, the position, and the time.
macro_rules! stations {
    ($($feature:literal $message:ty: $($position:ident).+, $kind:ident $($time:ident).+;)*) => { $(
        #[cfg(feature = $feature)]
        impl Station for $message {
            fn station_id(&self) -> u32 {
                self.header.station_id
            }

            fn position(&self) -> Position {
                let position = &self.$($position).+;
                Position::of(position.latitude, position.longitude, position.altitude.altitude_value)
            }

            fn time(&self) -> Time {
                Time::$kind(self.$($time).+)
            }
        }
    )* };
}

stations! {
    "cam" cam_1_3_0::Cam: cam.cam_parameters.basic_container.reference_position, Generation cam.generation_delta_time;
    "cam" cam_1_4_1::Cam: cam.cam_parameters.basic_container.reference_position, Generation cam.generation_delta_time;
    "cam" cam_2_3_1::Cam: cam.cam_parameters.basic_container.reference_position, Generation cam.generation_delta_time;
    "denm" denm_1_3_1::Denm: denm.management.event_position, Timestamp denm.management.reference_time;
    "denm" denm_2_3_1::Denm: denm.management.event_position, Timestamp denm.management.reference_time;
    "cpm" cpm_tr_103562::Cpm:
        cpm.cpm_parameters.management_container.reference_position, Generation cpm.generation_delta_time;
    "cpm" cpm_2_1_1::CollectivePerceptionMessage:
        payload.management_container.reference_position, Timestamp payload.management_container.reference_time;
    "vam" vam_2_3_1::Vam: vam.vam_parameters.basic_container.reference_position, Generation vam.generation_delta_time;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unavailable_is_no_place() {
        assert_eq!(Position::of(900_000_001, 1_800_000_001, 800_001), Position::default());
        let known = Position { latitude: Some(1), longitude: Some(-2), altitude: Some(0) };
        assert_eq!(Position::of(1, -2, 0), known);
    }

    #[test]
    fn times_are_compared_by_what_all_have() {
        assert_eq!(Time::Timestamp(65536 * 3 + 7).modulo(), Time::Generation(7).modulo());
    }
}
