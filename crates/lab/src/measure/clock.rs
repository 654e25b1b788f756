//! The clocks: CPU time of this process, and wall time.

use std::time::Instant;

/// CPU time that this process has used, nanoseconds. Each call is a system call.
#[cfg(unix)]
pub fn cpu_nanoseconds() -> u64 {
    nanoseconds(rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime))
}

/// Resolution of the CPU clock as `clock_getres` tells it, nanoseconds.
#[cfg(unix)]
pub fn resolution_nanoseconds() -> u64 {
    nanoseconds(rustix::time::clock_getres(rustix::time::ClockId::ProcessCPUTime))
}

#[cfg(unix)]
fn nanoseconds(time: rustix::time::Timespec) -> u64 {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let rest = u64::try_from(time.tv_nsec).unwrap_or(0);
    seconds.wrapping_mul(1_000_000_000).wrapping_add(rest)
}

/// Where there is no such clock, wall time since the first call stands in; [`NAME`] says so.
#[cfg(not(unix))]
pub fn cpu_nanoseconds() -> u64 {
    use std::sync::OnceLock;
    static START: OnceLock<Instant> = OnceLock::new();
    u64::try_from(START.get_or_init(Instant::now).elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// Unknown on this system.
#[cfg(not(unix))]
pub fn resolution_nanoseconds() -> u64 {
    0
}

/// What [`cpu_nanoseconds`] reads.
pub const NAME: &str = if cfg!(unix) { "CLOCK_PROCESS_CPUTIME_ID" } else { "wall clock (no process CPU clock here)" };

/// What one reading of the CPU clock costs, nanoseconds: the median of a few hundred pairs.
pub fn cost_nanoseconds() -> f64 {
    let mut samples: Vec<f64> = (0..401)
        .map(|_| {
            let start = cpu_nanoseconds();
            (cpu_nanoseconds().saturating_sub(start)) as f64
        })
        .collect();
    super::stats::median(&mut samples)
}

/// CPU and wall time that `work` takes, nanoseconds.
pub fn time(work: impl FnOnce()) -> (f64, f64) {
    let wall = Instant::now();
    let cpu = cpu_nanoseconds();
    work();
    let cpu = cpu_nanoseconds().saturating_sub(cpu);
    (cpu as f64, wall.elapsed().as_nanos() as f64)
}
