//! Only straight-line code: rare forms are refused, and errors have no details.
#![no_std]
#![no_main]

use roadwire_engine::Message;
use roadwire_flash_image::cam::{Cam, Rules};
use roadwire_flash_image::{input, report};

#[unsafe(no_mangle)]
extern "C" fn _start() {
    let (mut cam, mut place, mut output) = (Cam::default(), [0; 256], [0; 256]);
    report(Message::<Rules>::decode_fast(&mut cam, input(&mut place)).or(Ok(0)));
    report(Message::<Rules>::encode_fast(&cam, &mut output).or(Ok(0)));
}
