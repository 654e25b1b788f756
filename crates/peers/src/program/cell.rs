//! A message in a program of its own.

use super::running::Running;
use crate::hex;
use roadwire_measure::cell::{Cell, Direction, Done, Reported, Sample, Watch};
use roadwire_measure::clock;
use roadwire_measure::heap::Heap;

pub(super) struct ProgramCell {
    run: Running,
    octets: Vec<u8>,
    size: Option<usize>,
}

impl ProgramCell {
    /// Loads a message. A value has several texts: where the program writes another one, it is
    /// timed with its own, both ways.
    ///
    /// # Errors
    /// Why the program does not have it.
    pub(super) fn new(mut run: Running, octets: &[u8]) -> Result<ProgramCell, String> {
        let mut load = |octets: &[u8]| {
            let again = run.ask(&format!("load {}", hex::encode(octets)))?;
            Ok::<_, String>(hex::decode(&again).unwrap_or_default())
        };
        let mut own = load(octets)?;
        if own != octets {
            // The gate judges octets of its own that it cannot read.
            own = load(&own).unwrap_or(own);
        }
        let size = run.ask("size").ok().and_then(|answer| answer.parse().ok());
        Ok(ProgramCell { octets: own, run, size })
    }
}

impl Cell for ProgramCell {
    fn bytes(&mut self) -> Result<Vec<u8>, String> {
        Ok(self.octets.clone())
    }

    fn recode(&mut self, before: &[u8], octets: &[u8]) -> Result<Vec<u8>, String> {
        // Whether it is refused is not asked.
        _ = self.run.ask(&format!("recode {}", hex::encode(before)));
        let again = self.run.ask(&format!("recode {}", hex::encode(octets)))?;
        hex::decode(&again).ok_or_else(|| "its answer is not octets".into())
    }

    fn batch(&mut self, direction: Direction, count: u64) -> Done {
        self.sample(direction, count).done
    }

    /// By its own clocks: communication between the programs is not included.
    fn sample(&mut self, direction: Direction, count: u64) -> Sample {
        sample(&self.run.ask(&format!("time {} {count}", direction.name())).unwrap_or_default())
    }

    /// Its clock may have steps that are longer than a sample.
    fn clock_step(&mut self, direction: Direction) -> f64 {
        clock::step_of(|count| self.sample(direction, count).cpu)
    }

    fn is_inside(&self) -> bool {
        false
    }

    fn probe(&mut self, _: Direction, _: Watch<'_>) -> Result<(), String> {
        Ok(())
    }

    fn reported(&mut self, direction: Direction) -> Reported {
        let mut ask = |what: &str| self.run.ask(&format!("{what} {}", direction.name()));
        let told = |answer: &str| format!("its answer is not understood: {answer}");
        let heap = ask("heap").and_then(|answer| heap(&answer).ok_or_else(|| told(&answer)));
        let stack = ask("stack").and_then(|answer| answer.parse().map_err(|_| told(&answer)));
        Reported { heap, stack }
    }

    fn message_size(&self) -> Option<usize> {
        self.size
    }
}

/// The answer to `time`. Without counts nothing was done.
pub(super) fn sample(answer: &str) -> Sample {
    let mut words = answer.split(' ');
    let mut time = || words.next().and_then(|word| word.parse().ok()).unwrap_or(f64::NAN);
    let (cpu, wall) = (time(), time());
    let mut count = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
    Sample { cpu, wall, done: Done { calls: count(), octets: count() } }
}

/// The answer to `heap`.
fn heap(answer: &str) -> Option<Heap> {
    let numbers: Vec<i64> = answer.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
    let [requested, peak, retained, count] = numbers[..] else { return None };
    Some(Heap { requested, peak, retained, count })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_tells_times_and_its_calls_and_octets() {
        let done = Done { calls: 3, octets: 123 };
        assert_eq!(sample("1500 1600 3 123"), Sample { cpu: 1500.0, wall: 1600.0, done });
        assert_eq!(sample("1500 1600").done, Done::default());
        assert!(sample("").cpu.is_nan());
    }

    /// The program always writes the text `0a0b0c`. It decodes the text that was loaded last.
    #[cfg(unix)]
    #[test]
    fn what_writes_another_text_is_timed_with_its_own() {
        const SCRIPT: &str = r#"while read -r what octets; do
            case $what in
            load) loaded=$octets; echo "ok 0a0b0c" ;;
            time) echo "ok 1 1 1 $((${#loaded} / 2))" ;;
            *) echo "no" ;;
            esac
        done"#;
        let run = Running::start("/bin/sh".as_ref(), ["-c", SCRIPT, "program"]).unwrap();
        let mut cell = ProgramCell::new(run, &[1, 2]).unwrap();
        assert_eq!(cell.bytes(), Ok(vec![10, 11, 12]));
        assert_eq!(cell.sample(Direction::Decode, 1).done, Done { calls: 1, octets: 3 });
    }

    #[test]
    fn an_answer_to_heap_has_four_numbers() {
        let used = Heap { requested: 936, peak: 696, retained: 680, count: 45 };
        assert_eq!(heap("936 696 680 45"), Some(used));
        assert_eq!([heap("936"), heap("936 696 680 45 1"), heap("a b c d"), heap("")], [None; 4]);
    }
}
