//! A CPM of a vehicle with its orientation and any number of objects that have the fields of the
//! study's ten (TS 103 324 V2.1.1), UPER, by hand. Anything else is refused.

use super::Refused;
use super::bits::{Bounded, List, Part, Reader, Writer, parts, run};
use super::common::Position;
use serde_json::Value;

parts! {
    /// The message with its objects.
    Cpm {
        head: Head = "";
        position: Position = "/payload/managementContainer/referencePosition";
        orientation: Orientation = "/payload/cpmContainers";
        perceived: Perceived = "/payload/cpmContainers/1/containerData";
    }
}

run! {
    Head {
        8 = 2;
        8 = 14;
        32 station: u32 [0..=4_294_967_295] "/header/stationId";
        // The payload and its management: no additions, neither of two optional fields.
        1 = 0;
        3 = 0b000;
        42 time: u64 [0..=4_398_046_511_103] "/payload/managementContainer/referenceTime";
    }
}

run! {
    Orientation {
        // Two containers, the first of them an OriginatingVehicleContainer of three octets.
        4 = 1;
        4 = 0;
        8 = 3;
        4 = 0b0000;
        12 value: u16 [0..=3601] "/0/containerData/orientationAngle/value";
        7 confidence: u8 [1..=127] "/0/containerData/orientationAngle/confidence";
        1 = 0;
    }
}

run! {
    Fields {
        // No additions; objectId, velocity, angles, two dimensions, age and classification.
        1 = 0;
        14 = 0b11_0100_0111_0010;
        16 id: u16 [0..=65_535] "/objectId";
        12 time: i16 [-2048..=2047] "/measurementDeltaTime";
        1 = 0;
        18 x: i32 [-131_072..=131_071] "/position/xCoordinate/value";
        12 x_confidence: u16 [1..=4096] "/position/xCoordinate/confidence";
        18 y: i32 [-131_072..=131_071] "/position/yCoordinate/value";
        12 y_confidence: u16 [1..=4096] "/position/yCoordinate/confidence";
        // By components, two of them.
        2 = 0b10;
        15 vx: i16 [-16_383..=16_383] "/velocity/cartesianVelocity/xVelocity/value";
        7 vx_confidence: u8 [1..=127] "/velocity/cartesianVelocity/xVelocity/confidence";
        15 vy: i16 [-16_383..=16_383] "/velocity/cartesianVelocity/yVelocity/value";
        7 vy_confidence: u8 [1..=127] "/velocity/cartesianVelocity/yVelocity/confidence";
        2 = 0b00;
        12 angle: u16 [0..=3601] "/angles/zAngle/value";
        7 angle_confidence: u8 [1..=127] "/angles/zAngle/confidence";
        8 width: u16 [1..=256] "/objectDimensionY/value";
        5 width_confidence: u8 [1..=32] "/objectDimensionY/confidence";
        8 length: u16 [1..=256] "/objectDimensionX/value";
        5 length_confidence: u8 [1..=32] "/objectDimensionX/confidence";
        11 age: u16 [0..=2047] "/objectAge";
        // One class, of vehicles.
        3 = 0;
        3 = 0b000;
        4 class: u8 [0..=14] "/classification/0/objectClass/vehicleSubClass";
        7 class_confidence: u8 [1..=101] "/classification/0/confidence";
    }
}

/// Fields whose class is one of vehicles: 0, 5 to 11, or 14.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Object(Fields);

impl Object {
    #[inline(always)]
    fn is_vehicle(&self) -> bool {
        0b100_1111_1110_0001u32.checked_shr(self.0.class.into()).unwrap_or(0) & 1 == 1
    }
}

impl Part for Object {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        out.ok &= self.is_vehicle();
        self.0.write(out);
    }

    #[inline(always)]
    fn decode(&mut self, input: &mut Reader<'_>) -> Result<(), Refused> {
        self.0.decode(input)?;
        input.ok &= self.is_vehicle();
        Ok(())
    }

    fn read(value: &Value) -> Option<Self> {
        Fields::read(value).map(Object)
    }
}

run! {
    Count {
        1 = 0;
        8 count: u8 [0..=255] "/numberOfPerceivedObjects";
    }
}

/// The container of objects, with its number and its length.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Perceived {
    count: Count,
    objects: Bounded<List<Object, 0, 255>>,
}

/// The octets of a container with so many objects.
const fn octets(objects: usize) -> usize {
    (Count::BITS + 9 + objects * Fields::BITS).div_ceil(8)
}

impl Part for Perceived {
    #[inline(always)]
    fn write(&self, out: &mut Writer<'_>) {
        out.put(4, 4);
        write_length(octets(self.objects.0.count), out);
        let start = out.place();
        self.count.write(out);
        self.objects.write(out);
        out.pad(start);
    }

    #[inline(always)]
    fn decode(&mut self, input: &mut Reader<'_>) -> Result<(), Refused> {
        input.ok &= input.get(4)? == 4;
        let length = read_length(input)?;
        let start = input.place();
        self.count.decode(input)?;
        self.objects.decode(input)?;
        input.ok &= length == octets(self.objects.0.count);
        input.pad(start)
    }

    fn read(value: &Value) -> Option<Self> {
        Some(Perceived { count: Count::read(value)?, objects: Part::read(value.get("perceivedObjects")?)? })
    }
}

/// A length of up to 16383 octets (X.691 §11.9.3).
#[inline(always)]
fn write_length(length: usize, out: &mut Writer<'_>) {
    match length {
        0..0x80 => out.put(8, length as u64),
        0x80..0x4000 => out.put(16, 0x8000 | length as u64),
        _ => out.ok = false,
    }
}

#[inline(always)]
fn read_length(input: &mut Reader<'_>) -> Result<usize, Refused> {
    match input.get(8)? as usize {
        short @ 0..0x80 => Ok(short),
        // A length below 128 takes one octet.
        long @ 0x80..0xC0 => {
            Some((long & 0x3F) << 8 | input.get(8)? as usize).filter(|long| *long >= 0x80).ok_or(Refused::Range)
        }
        _ => Err(Refused::Range),
    }
}
