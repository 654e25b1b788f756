//! A program that goes through a set of messages of one type.

use roadwire_measure::cell::{Absent, Direction, Done, Sample, Transcode};
use roadwire_measure::clock;

use super::Program;
use super::cell::sample;
use super::running::Running;
use crate::Engine;
use crate::content::Schema;
use crate::hex;
use roadwire_layout::Rules;

/// The message's name in the arguments of a program that gets its messages later.
pub(super) const SET: &str = "set";

/// Starts the program for messages of a schema.
pub(super) fn transcoder(program: &Program, schema: Schema, rules: Rules) -> Result<Box<dyn Transcode>, Absent> {
    let (path, _) = program.built.as_ref().map_err(|why| Absent(why.clone()))?;
    let mut run = Running::start(path, [rules.name(), SET, schema.name()])
        .map_err(|error| Absent(format!("{}: {error}", path.display())))?;
    // An empty message may be refused. A program that does not know the schema ends without an
    // answer.
    match run.answer("recode ") {
        Ok(_) => Ok(Box::new(Set { run, loaded: Vec::new() })),
        Err(_) => Err(Absent(format!("{} has no {schema} in {rules}", program.name()))),
    }
}

struct Set {
    run: Running,
    /// The messages that the program has.
    loaded: Vec<Vec<u8>>,
}

impl Set {
    /// Gives the program all messages, if it has others. Those that it refuses are left out.
    fn load(&mut self, messages: &[Vec<u8>]) {
        if self.loaded == messages {
            return;
        }
        for (at, octets) in messages.iter().enumerate() {
            _ = self.run.ask(&format!("{} {}", if at == 0 { "load" } else { "add" }, hex::encode(octets)));
        }
        self.loaded = messages.to_vec();
    }
}

impl Transcode for Set {
    fn recode(&mut self, before: &[u8], octets: &[u8]) -> Result<Vec<u8>, String> {
        // It may be refused.
        _ = self.run.ask(&format!("recode {}", hex::encode(before)));
        let again = self.run.ask(&format!("recode {}", hex::encode(octets)))?;
        hex::decode(&again).ok_or_else(|| "its answer is not octets".into())
    }

    /// By its own clocks: communication between the programs is not included.
    fn time(&mut self, messages: &[Vec<u8>], direction: Direction, repeats: u64) -> Sample {
        self.load(messages);
        match self.run.ask(&format!("time {} {repeats}", direction.name())) {
            Ok(answer) => sample(&answer),
            Err(_) => Sample { cpu: f64::NAN, wall: f64::NAN, done: Done::default() },
        }
    }

    fn clock_step(&mut self, messages: &[Vec<u8>], direction: Direction) -> f64 {
        clock::step_of(|count| self.time(messages, direction, count).cpu)
    }

    fn is_inside(&self) -> bool {
        false
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A program of a shell: it has certificates in COER, which it writes as they came, and counts
    /// them.
    const SCRIPT: &str = r#"[ "$1 $2 $3" = "coer set certificate-2017" ] || exit 3
        all=0
        while read -r what octets; do
            case $what in
            load) all=1; echo "ok $octets" ;;
            add) all=$((all + 1)); echo "ok $octets" ;;
            recode) [ "$octets" ] && echo "ok $octets" || echo "no octets" ;;
            time) echo "ok 100 100 $all 7" ;;
            esac
        done"#;

    fn of(rules: Rules) -> Result<Box<dyn Transcode>, Absent> {
        let folder = tempfile(SCRIPT);
        let region = crate::TimedRegion {
            allocation: String::new(),
            presizing: String::new(),
            population: String::new(),
            validation: String::new(),
        };
        let path = folder.path().join("program");
        let program = Program {
            name: "shell".into(),
            origin: "shell".into(),
            timed_region: region,
            built: Ok((path, "1".into())),
            _folder: std::sync::Arc::new(folder),
        };
        transcoder(&program, Schema::Certificate2017, rules)
    }

    fn tempfile(script: &str) -> roadwire_files::PrivateFolder {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = roadwire_files::PrivateFolder::new_in(&std::env::temp_dir(), "roadwire-set-").unwrap();
        let path = folder.path().join("program");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        folder
    }

    #[test]
    fn program_without_the_schema_or_the_rules_is_absent() {
        let Err(Absent(why)) = of(Rules::Uper) else { panic!("it has no UPER") };
        assert_eq!(why, "shell has no certificate-2017 in uper");
    }

    #[test]
    fn all_messages_are_loaded_before_they_are_timed_and_only_then() {
        let mut set = of(Rules::Coer).ok().unwrap();
        assert_eq!(set.recode(&[], &[0xab, 1]), Ok(vec![0xab, 1]));
        assert!(set.recode(&[], &[]).unwrap_err().contains("octets"));
        let three = [vec![1], vec![2, 3], vec![4]];
        for _ in 0..2 {
            assert_eq!(set.time(&three, Direction::Encode, 1).done, Done { calls: 3, octets: 7 });
        }
        assert_eq!(set.time(&three[..1], Direction::Decode, 1).done.calls, 1);
        assert!(!set.is_inside());
    }
}
