//! Makes a long recording of a short one, to measure with: its frames again and again, as pcap on
//! stdout.
//!
//! `cargo run --release -p roadwire-capture --example repeat -- 1000000 drive.pcap > long.pcap`

use std::io::{self, BufWriter, Write};

use roadwire_capture::file::Reader;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(count), Some(path)) = (arguments.next(), arguments.next()) else {
        return Err("usage: repeat FRAMES FILE".into());
    };
    let count: usize = count.parse()?;
    let mut reader = Reader::open(path)?;
    let (mut link_type, mut records) = (None, Vec::new());
    while let Some(Ok(frame)) = reader.next_frame() {
        // A file in pcap has one link layer.
        if *link_type.get_or_insert(frame.link_type) == frame.link_type {
            let time = frame.time.map_or((0, 0), |time| (time.seconds as u32, time.nanoseconds / 1000));
            let length = frame.octets.len() as u32;
            let mut record = [time.0, time.1, length, frame.original_length].map(u32::to_le_bytes).concat();
            record.extend_from_slice(frame.octets);
            records.push(record);
        }
    }
    let link_type = link_type.ok_or("no frames")?;
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let head = [0xa1b2_c3d4, 0x0004_0002, 0, 0, 0x0004_0000, u32::from(link_type.0)];
    out.write_all(&head.map(u32::to_le_bytes).concat())?;
    for record in records.iter().cycle().take(count) {
        out.write_all(record)?;
    }
    Ok(out.flush()?)
}
