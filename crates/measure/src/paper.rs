//! The papers' recipe: one call between two readings of the process CPU clock, each reading between
//! serialising instructions, 10 000 times; mean and standard deviation. The empty region is
//! measured the same way and shown, not subtracted.

use serde::{Deserialize, Serialize};

use super::clock;
use super::stats;
use crate::cell::{Cell, Direction};

/// How often the papers ran it.
pub const RUNS: usize = 10_000;

/// The result of the recipe, nanoseconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Paper {
    /// Mean over the runs, including the empty region.
    pub mean: f64,
    /// Standard deviation.
    pub sd: f64,
    /// Mean of the empty region.
    pub empty_mean: f64,
    /// Standard deviation of the empty region.
    pub empty_sd: f64,
    /// How many runs.
    pub runs: usize,
    /// The serialising instruction.
    pub serialising: String,
}

/// Runs the recipe on one cell.
///
/// # Errors
/// A run that did not do what it should have.
pub fn measure(
    cell: &mut dyn Cell,
    direction: Direction,
    runs: usize,
    instruction: Serialising,
) -> Result<Paper, String> {
    cell.batch(direction, 100);
    let (empty_mean, empty_sd) = series(runs, instruction, || {});
    let (mut mean, mut sd) = (0.0, 0.0);
    cell.probe(direction, &mut |work| (mean, sd) = series(runs, instruction, work))?;
    Ok(Paper { mean, sd, empty_mean, empty_sd, runs, serialising: instruction.name().into() })
}

/// The instruction that keeps work from moving across the clock readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Serialising {
    /// CPUID, as in the papers.
    Cpuid,
    /// LFENCE: on a virtual machine CPUID traps to the hypervisor and costs microseconds.
    Lfence,
    /// A full fence, where the processor is not an x86.
    Fence,
}

impl Serialising {
    /// The papers' instruction, or its substitute on this machine.
    pub fn choose(virtualised: bool) -> Self {
        if !cfg!(target_arch = "x86_64") {
            Serialising::Fence
        } else if virtualised {
            Serialising::Lfence
        } else {
            Serialising::Cpuid
        }
    }

    /// For records and tables, with the reason if it is not the papers' instruction.
    pub fn name(self) -> &'static str {
        match self {
            Serialising::Cpuid => "CPUID",
            Serialising::Lfence => "LFENCE (virtual machine: CPUID would trap)",
            Serialising::Fence => "fence (not an x86)",
        }
    }

    #[inline(always)]
    fn run(self) {
        match self {
            Serialising::Cpuid => instructions::cpuid(),
            Serialising::Lfence => instructions::lfence(),
            Serialising::Fence => {
                std::sync::atomic::fence(std::sync::atomic::Ordering::SeqCst);
            }
        }
    }
}

fn series(runs: usize, instruction: Serialising, mut work: impl FnMut()) -> (f64, f64) {
    let mut samples = Vec::with_capacity(runs);
    for _ in 0..runs {
        instruction.run();
        let start = clock::cpu_nanoseconds();
        instruction.run();
        work();
        instruction.run();
        let end = clock::cpu_nanoseconds();
        instruction.run();
        samples.push(end.saturating_sub(start) as f64);
    }
    stats::summarise(&samples).map_or((0.0, 0.0), |s| (s.mean, s.sd))
}

/// The two instructions. Unsafe only in that the compiler cannot check assembly: neither touches
/// memory, and CPUID's four registers are declared (rbx, which LLVM keeps, by saving it).
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod instructions {
    use std::arch::asm;

    #[inline(always)]
    pub(super) fn cpuid() {
        // SAFETY: CPUID leaf 0 reads no memory; rbx is restored, the other outputs are declared.
        unsafe {
            asm!(
                "mov {saved}, rbx",
                "cpuid",
                "mov rbx, {saved}",
                saved = out(reg) _,
                inout("eax") 0 => _,
                inout("ecx") 0 => _,
                out("edx") _,
                options(nostack),
            );
        }
    }

    #[inline(always)]
    pub(super) fn lfence() {
        // SAFETY: LFENCE has no operands and no effect but waiting.
        unsafe { asm!("lfence", options(nostack)) }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod instructions {
    pub(super) fn cpuid() {}
    pub(super) fn lfence() {}
}
