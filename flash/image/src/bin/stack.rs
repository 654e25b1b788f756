//! Runs each codec on a CAM, and writes how much stack it takes below its caller:
//! `CODEC DIRECTION OCTETS`.
//!
//! A microcontroller has nowhere to write: this runs on Linux for ARM, as qemu emulates it, on a
//! processor that has the instructions of a Cortex-M4 and more.
#![no_std]
#![no_main]

#[path = "../../../../crates/measure/src/stack/paint.rs"]
mod paint;

use core::arch::asm;
use core::fmt::{self, Write};

use roadwire_engine::{Message, decode, encode};
use roadwire_flash_image::cam::{BasicVehicleContainerHighFrequency, Cam, HighFrequencyContainer, Rules};

/// Octets of stack that are painted.
const PAINTED: usize = 128 * 1024;

#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    let layout = <Cam as Message<Rules>>::layout();
    let (mut cam, mut octets) = (cam(), [0; 4096]);
    let Ok(length) = Message::<Rules>::encode_fast(&cam, &mut octets) else { exit(1) };
    let mut again = [0; 4096];
    let octets = &octets[..length];
    let mut is_right = true;
    let mut encoded = |codec: &str, work: &mut dyn FnMut(&mut [u8]) -> Option<usize>| {
        let mut count = None;
        line(codec, "encode", &mut || count = work(&mut again));
        is_right &= count.is_some_and(|count| again[..count] == *octets);
    };
    encoded("soed", &mut |place| encode(layout, &cam, place).ok());
    encoded("toed", &mut |place| Message::<Rules>::encode(&cam, place).ok());
    encoded("fast", &mut |place| Message::<Rules>::encode_fast(&cam, place).ok());
    let mut decoded = |codec: &str, work: &mut dyn FnMut(&mut Cam) -> Option<usize>| {
        let mut count = None;
        line(codec, "decode", &mut || count = work(&mut cam));
        // It is in bits.
        is_right &= count.map(|bits| bits.div_ceil(8)) == Some(length);
    };
    decoded("soed", &mut |place| decode(layout, octets, place).ok());
    decoded("toed", &mut |place| Message::<Rules>::decode(place, octets).ok());
    decoded("fast", &mut |place| Message::<Rules>::decode_fast(place, octets).ok());
    exit(if is_right { 0 } else { 1 })
}

/// A CAM with its mandatory parts: the least values that are allowed.
fn cam() -> Cam {
    let mut cam = Cam::default();
    let mut high = BasicVehicleContainerHighFrequency::default();
    high.heading.heading_confidence = 1;
    high.speed.speed_confidence = 1;
    high.vehicle_length.vehicle_length_value = 1;
    high.vehicle_width = 1;
    cam.cam.cam_parameters.high_frequency_container = HighFrequencyContainer::BasicVehicleContainerHighFrequency(high);
    cam
}

/// Measures and writes. A depth that was not reached is `-`.
fn line(codec: &str, direction: &str, work: &mut dyn FnMut()) {
    let (empty, used) = (paint::depth(&mut || {}), paint::depth(work));
    let written = match empty.zip(used) {
        Some((empty, used)) => writeln!(Out, "{codec} {direction} {}", used.saturating_sub(empty)),
        None => writeln!(Out, "{codec} {direction} -"),
    };
    if written.is_err() {
        exit(1);
    }
}

/// Standard output.
struct Out;

impl Write for Out {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let written = system(4, [1, text.as_ptr() as usize, text.len()]);
        if written == text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}

fn exit(code: usize) -> ! {
    loop {
        system(1, [code, 0, 0]);
    }
}

/// A call of the system. Its number goes into r7, which the compiler keeps for itself.
fn system(number: usize, [first, second, third]: [usize; 3]) -> usize {
    let result;
    // SAFETY: `write` reads the text that its arguments name, and `exit` touches no memory. r7 is
    // restored.
    unsafe {
        asm!(
            "mov {kept}, r7", "mov r7, {number}", "svc 0", "mov r7, {kept}",
            kept = out(reg) _, number = in(reg) number,
            inlateout("r0") first => result, in("r1") second, in("r2") third,
        );
    }
    result
}
