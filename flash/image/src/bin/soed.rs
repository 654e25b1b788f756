//! The interpreter, over the layout as a table.
#![no_std]
#![no_main]

use roadwire_engine::{Message, decode, encode};
use roadwire_flash_image::cam::{Cam, Rules};
use roadwire_flash_image::{input, report};

#[unsafe(no_mangle)]
extern "C" fn _start() {
    let (mut cam, mut place, mut output) = (Cam::default(), [0; 256], [0; 256]);
    let layout = <Cam as Message<Rules>>::layout();
    report(decode(layout, input(&mut place), &mut cam));
    report(encode(layout, &cam, &mut output));
}
