//! Straight-line code, and the interpreter for rare forms and for errors.
#![no_std]
#![no_main]

use roadwire_engine::Message;
use roadwire_flash_image::cam::{Cam, Rules};
use roadwire_flash_image::{input, report};

#[unsafe(no_mangle)]
extern "C" fn _start() {
    let (mut cam, mut place, mut output) = (Cam::default(), [0; 256], [0; 256]);
    report(Message::<Rules>::decode(&mut cam, input(&mut place)));
    report(Message::<Rules>::encode(&cam, &mut output));
}
