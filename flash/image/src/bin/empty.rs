//! No codec: only code that is always linked.
#![no_std]
#![no_main]

use roadwire_flash_image::{input, report};

#[unsafe(no_mangle)]
extern "C" fn _start() {
    report(Ok(input(&mut [0; 256]).len()));
}
