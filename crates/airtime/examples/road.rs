//! The road of Sepulcre et al., and how long it takes:
//! `cargo run --release -p roadwire-airtime --example road`.

use roadwire_airtime::Rate;
use roadwire_airtime::road::{Road, Unusable};

fn main() -> Result<(), Unusable> {
    for (per_km, hertz, octets) in [(60, 10.0, 190), (60, 10.0, 500), (120, 10.0, 500), (120, 25.0, 190)] {
        // Their frames have 30 octets of headers.
        let frame = Rate::Mbps6.airtime_us(octets + 30).unwrap_or(0);
        let begin = std::time::Instant::now();
        let outcome = Road::sepulcre(per_km, hertz, frame).run()?;
        let rate = outcome.frames as f64 / begin.elapsed().as_secs_f64();
        println!("{per_km} a km, {hertz} Hz, {octets} octets: load {:.3}, {rate:.0} frames a second", outcome.load);
        for distance in &outcome.distances {
            println!("{:4} m: {:.4} received", distance.metres, distance.reception().unwrap_or(0.0));
        }
    }
    Ok(())
}
