//! The machine on which figures were measured.

use std::fs;

use serde::{Deserialize, Serialize};

use super::clock;

/// Facts of the machine and of the build.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The processor's own name.
    pub cpu: String,
    /// Clock speed reported by the system, MHz; 0 if unknown.
    pub mhz: f64,
    /// Processors that this process may use.
    pub cores: usize,
    /// Operating system and kernel.
    pub kernel: String,
    /// Whether there is a hypervisor, from the processor flags.
    pub virtualised: bool,
    /// The clock for CPU time.
    pub clock: String,
    /// Its resolution by `clock_getres`, nanoseconds.
    pub clock_resolution: u64,
    /// The cost of one reading of it, nanoseconds.
    pub clock_cost: f64,
    /// The compiler.
    pub rustc: String,
    /// Profile, optimisation level, target and flags.
    pub flags: String,
}

impl Machine {
    /// The facts of this machine.
    pub fn here() -> Self {
        let cpuinfo = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let field = |name: &str| {
            cpuinfo.lines().find_map(|line| {
                let (key, value) = line.split_once(':')?;
                (key.trim() == name).then(|| value.trim().to_string())
            })
        };
        let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        Machine {
            cpu: field("model name").unwrap_or_else(|| std::env::consts::ARCH.into()),
            mhz: field("cpu MHz").and_then(|mhz| mhz.parse().ok()).unwrap_or(0.0),
            cores: std::thread::available_parallelism().map_or(1, Into::into),
            kernel: format!("{} {}", std::env::consts::OS, release.trim()).trim().into(),
            virtualised: field("flags").is_some_and(|f| f.split(' ').any(|w| w == "hypervisor")),
            clock: clock::NAME.into(),
            clock_resolution: clock::resolution_nanoseconds(),
            clock_cost: clock::cost_nanoseconds(),
            rustc: env!("MEASURE_RUSTC").into(),
            flags: env!("MEASURE_FLAGS").into(),
        }
    }

    /// One line for human readers.
    pub fn line(&self) -> String {
        format!(
            "{}{}, {} cores, {}; {}, {}; {}: resolution {} ns, {:.0} ns a reading",
            self.cpu,
            if self.virtualised { " (virtual)" } else { "" },
            self.cores,
            self.kernel,
            self.rustc,
            self.flags,
            self.clock,
            self.clock_resolution,
            self.clock_cost,
        )
    }
}
