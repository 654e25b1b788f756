//! The clocks: CPU time of this process, and wall time.

use std::time::Instant;

/// CPU time that this process has used, nanoseconds. Each call is a system call.
#[cfg(unix)]
pub fn cpu_nanoseconds() -> u64 {
    nanoseconds(rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime))
}

/// Resolution of the CPU clock from `clock_getres`, nanoseconds.
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

/// Without such a clock, wall time since the first call is used; [`NAME`] says so.
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

/// The smallest step of a clock that can only be observed through measured work: `sample` returns
/// the nanoseconds of a number of operations. The number is doubled until the results differ; the
/// least difference between any two is the step.
pub fn step_of(mut sample: impl FnMut(u64) -> f64) -> f64 {
    for count in (0..24).map(|doubled| 1 << doubled) {
        let mut answers: Vec<f64> = (0..20).map(|_| sample(count)).filter(|answer| answer.is_finite()).collect();
        answers.sort_by(f64::total_cmp);
        let steps = answers.windows(2).map(|pair| pair[1] - pair[0]).filter(|step| *step > 0.0);
        if let Some(least) = steps.min_by(f64::total_cmp) {
            return least;
        }
    }
    0.0
}

/// The clock that [`cpu_nanoseconds`] reads.
pub const NAME: &str = if cfg!(unix) { "CLOCK_PROCESS_CPUTIME_ID" } else { "wall clock (no process CPU clock here)" };

/// The cost of one reading of the CPU clock, nanoseconds: the median of a few hundred pairs.
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
pub fn time(work: &mut dyn FnMut()) -> (f64, f64) {
    let wall = Instant::now();
    let cpu = cpu_nanoseconds();
    work();
    let cpu = cpu_nanoseconds().saturating_sub(cpu);
    (cpu as f64, wall.elapsed().as_nanos() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_of_a_coarse_clock_is_seen_through_its_answers() {
        let (mut now, mut calls) = (0.0_f64, 0);
        let tick = 10e6;
        let step = step_of(|count| {
            calls += 1;
            let before = (now / tick).floor() * tick;
            now += 9_876.5 * count as f64;
            (now / tick).floor() * tick - before
        });
        assert_eq!(step, tick);
        assert!(calls < 20 * 20, "{calls}");
    }

    #[test]
    fn a_fine_clock_shows_its_step_in_the_first_answers() {
        let mut counts = Vec::new();
        let step = step_of(|count| {
            counts.push(count);
            1000.0 + (counts.len() % 3) as f64 * 7.0
        });
        assert_eq!(step, 7.0);
        assert!(counts.iter().all(|count| *count == 1));
    }

    #[test]
    fn a_clock_that_stands_still_has_no_step() {
        assert_eq!(step_of(|_| 0.0), 0.0);
        assert_eq!(step_of(|_| f64::NAN), 0.0);
    }
}
