//! How time and memory grow with the input: families of inputs, each measured at two sizes with a
//! ratio of 64.
//!
//! External input must take time and memory in proportion to its length, or be refused. A family is
//! one way in which an input can be large (one number, many elements, many names); its growth
//! between two sizes is an exponent: 1 is linear, 2 quadratic. Processor time and heap are counted,
//! so a busy machine changes little, and the limit leaves a wide margin ([`MOST`]).

use roadwire_measure::heap;

use crate::part::Part;
use crate::{codecs, modules};

/// The greatest exponent that passes: n log n, lists that double, and cache effects are below;
/// quadratic growth is far above.
pub const MOST: f64 = 1.3;

/// Runs that would take longer, in seconds, are not made: smaller sizes already show that the
/// growth is too fast.
const PATIENCE: f64 = 200.0;

/// The factor between the two sizes.
pub const STEP: usize = 64;

/// All families.
#[must_use]
pub fn parts() -> Vec<Part> {
    let mut parts = codecs::parts();
    parts.extend(modules::parts());
    parts
}

/// The measurement for one size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// How long the input was.
    pub octets: usize,
    /// Processor time, nanoseconds.
    pub nanoseconds: f64,
    /// The most heap at one time, octets.
    pub heap: f64,
}

/// The measurements of a part at two sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct Growth {
    /// The family.
    pub family: &'static str,
    /// The part.
    pub name: String,
    /// The smaller size and the larger one.
    pub points: [Point; 2],
    /// The outcome of the larger one.
    pub outcome: &'static str,
}

impl Growth {
    /// The power of the size with which time grows.
    #[must_use]
    pub fn time(&self) -> f64 {
        // Below 5 ns for an octet, memory speed dominates, which depends on the caches.
        self.exponent(|point| point.nanoseconds.max(5.0 * point.octets as f64))
    }

    /// The power of the size with which heap grows.
    #[must_use]
    pub fn heap(&self) -> f64 {
        // Less than a page does not count as growth.
        self.exponent(|point| point.heap.max(4096.0))
    }

    fn exponent(&self, of: impl Fn(&Point) -> f64) -> f64 {
        let [small, large] = &self.points;
        (of(large) / of(small)).ln() / (large.octets as f64 / small.octets as f64).ln()
    }

    /// Whether both stay below [`MOST`].
    #[must_use]
    pub fn passes(&self) -> bool {
        self.time() <= MOST && self.heap() <= MOST
    }
}

/// Measures a part at `size` octets and at a 64th of it. If the growth seems too fast, it is
/// measured twice more: other programs can only slow it down.
#[must_use]
pub fn measure(part: &Part, size: usize) -> Growth {
    let mut growth = once(part, size);
    for _ in 0..2 {
        if growth.passes() {
            break;
        }
        let again = once(part, size);
        for (point, other) in growth.points.iter_mut().zip(again.points) {
            point.nanoseconds = point.nanoseconds.min(other.nanoseconds);
            point.heap = point.heap.min(other.heap);
        }
    }
    growth
}

fn once(part: &Part, size: usize) -> Growth {
    let mut outcome = "";
    let mut point = |size| {
        let work = (part.make)(size);
        let start = cpu_nanoseconds();
        let heap = heap::measure_process(|| outcome = (work.run)()).unwrap_or(0) as f64;
        let counted = cpu_nanoseconds().saturating_sub(start);
        // Counting costs little compared with a run of this length.
        let nanoseconds = if counted > 10 * LONG { counted as f64 } else { time(&work.run) };
        Point { octets: work.octets, nanoseconds, heap }
    };
    let middle = size / STEP * 8;
    let points = [point(size / STEP), point(middle)];
    let mut growth = Growth { family: part.family, name: part.name.clone(), points, outcome: "" };
    let expected = points[1].nanoseconds * (size as f64 / middle as f64).powf(growth.time());
    if expected < PATIENCE * 1e9 {
        growth.points[1] = point(size);
    }
    growth.outcome = outcome;
    growth
}

/// Nanoseconds that a coarse clock measures well.
const LONG: u64 = 20_000_000;

/// The time of one run: the least of some batches, each long enough for a coarse clock.
fn time(run: &dyn Fn() -> &'static str) -> f64 {
    let mut runs = 1;
    let batch = |runs: u64| {
        let start = cpu_nanoseconds();
        for _ in 0..runs {
            run();
        }
        cpu_nanoseconds().saturating_sub(start)
    };
    let mut took = batch(runs);
    while took < LONG {
        runs *= 2;
        took = batch(runs);
    }
    took = took.min(batch(runs)).min(batch(runs));
    took as f64 / runs as f64
}

/// Processor time of this process.
fn cpu_nanoseconds() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
