//! A running program, and its answers.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Octets that are kept of what a program writes to its standard error: the last ones.
const KEPT: usize = 4096;

/// Characters of it that are shown.
const SHOWN: usize = 200;

/// How long the end of a program's standard error is waited for after its end: a program that it
/// started may hold it open.
const PATIENCE: Duration = Duration::from_secs(1);

/// The exit status of a program that does not have the message under these rules.
const HAS_NOT: i32 = 3;

/// A running program, which is stopped when this is dropped.
pub(super) struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    errors: Errors,
}

impl Running {
    pub(super) fn start(program: &Path, arguments: [&str; 3]) -> io::Result<Running> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
            (Some(input), Some(output), Some(errors)) => {
                Ok(Running { child, input, output: BufReader::new(output), errors: Errors::of(errors)? })
            }
            _ => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// The line that it answers with; an error if it has ended.
    pub(super) fn answer(&mut self, line: &str) -> io::Result<String> {
        let mut answer = String::new();
        writeln!(self.input, "{line}")?;
        match self.output.read_line(&mut answer)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(answer),
        }
    }

    /// The text after `ok`.
    ///
    /// # Errors
    /// The text after `no`; or how the program ended, with the last line of its standard error.
    pub(super) fn ask(&mut self, line: &str) -> Result<String, String> {
        let Ok(answer) = self.answer(line) else { return Err(self.ended()) };
        match answer.trim_end().split_once(' ') {
            Some(("ok", rest)) => Ok(rest.into()),
            Some(("no", why)) => Err(why.into()),
            _ => Err(self.errors.after("its answer is neither ok nor no".into())),
        }
    }

    /// How it ended. It has closed its output, or no longer reads.
    fn ended(&mut self) -> String {
        let deadline = std::time::Instant::now() + PATIENCE;
        while matches!(self.child.try_wait(), Ok(None)) && std::time::Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        match self.child.try_wait() {
            Ok(Some(status)) if status.code() == Some(HAS_NOT) => {
                self.errors.line_at_end().unwrap_or_else(|| "it does not have it".into())
            }
            Ok(Some(status)) => self.errors.at_end(format!("it ended with {status}")),
            Ok(None) => self.errors.after("it closed its output".into()),
            Err(error) => error.to_string(),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The last octets of a program's standard error, which a thread reads.
struct Errors {
    last: Arc<Mutex<Vec<u8>>>,
    /// Closed at the end.
    end: Receiver<()>,
}

impl Errors {
    fn of(mut errors: ChildStderr) -> io::Result<Errors> {
        let last = Arc::new(Mutex::new(Vec::new()));
        let (sender, end) = channel();
        let kept = last.clone();
        thread::Builder::new().spawn(move || {
            let _end: std::sync::mpsc::Sender<()> = sender;
            let mut octets = [0; KEPT];
            while let Ok(count @ 1..) = errors.read(&mut octets) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(&octets[..count]);
                let surplus = kept.len().saturating_sub(KEPT);
                kept.drain(..surplus);
            }
        })?;
        Ok(Errors { last, end })
    }

    /// A reason, with the last line of standard error when that has ended.
    fn at_end(&self, why: String) -> String {
        match self.line_at_end() {
            None => why,
            Some(line) => format!("{why}: {line}"),
        }
    }

    /// The last line of standard error when that has ended.
    fn line_at_end(&self) -> Option<String> {
        let _ = self.end.recv_timeout(PATIENCE);
        self.line()
    }

    /// A reason, with the last line of standard error so far.
    fn after(&self, why: String) -> String {
        match self.line() {
            None => why,
            Some(line) => format!("{why}: {line}"),
        }
    }

    fn line(&self) -> Option<String> {
        last_line(&self.last.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The last line that is not empty, as far as it is shown, without control characters.
fn last_line(octets: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(octets);
    let line = text.lines().rev().find(|line| !line.trim().is_empty())?;
    Some(line.trim().chars().filter(|one| !one.is_control()).take(SHOWN).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_shown_without_control_characters_and_cut() {
        assert_eq!(last_line(b"first\nlast\x1b[31m \n\n").unwrap(), "last[31m");
        assert_eq!(last_line(b"\n \n"), None);
        assert_eq!(last_line(&[b'a'; 1000]).unwrap().len(), SHOWN);
    }
}
