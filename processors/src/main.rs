//! Runs each codec on each message of the studies, once under the eyes of a tool that counts
//! instructions between two marks: the plugin for qemu, or Callgrind.
//!
//! Its input has a message on each line: name, type, rules, octets in hexadecimal digits. For each
//! codec of these and each direction it writes a line:
//! `cell ENGINE MESSAGE RULES DIRECTION OCTETS STACK HEAP ALLOCATIONS`; `-` for a stack that is
//! deeper than is measured. Before these, `frame` is the line of a codec that does nothing. Every
//! line but those of faults has two pairs of marks.

use std::hint::black_box;
use std::io::{self, BufRead as _, Write as _};
use std::marker::PhantomData;
use std::process::ExitCode;

use roadwire_measure::bench::{Bench, Codec};
use roadwire_measure::cell::{Absent, Cell, Direction, Watch};
use roadwire_measure::{heap, stack};
use roadwire_processors_codecs as codecs;

#[global_allocator]
static ALLOCATOR: heap::CountingAllocator = heap::CountingAllocator;

/// A message as the input has it.
struct Message {
    name: String,
    ty: String,
    rules: String,
    octets: Vec<u8>,
}

/// Makes a cell from octets.
type Make = fn(&[u8]) -> Result<Box<dyn Cell>, Absent>;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), String> {
    let messages = io::stdin().lock().lines().map(|line| message(&line.map_err(|error| error.to_string())?));
    let messages = messages.collect::<Result<Vec<_>, _>>()?;
    let mut codecs: Vec<(&str, &str, &str, Make)> = Vec::new();
    macro_rules! each {
        ($($engine:literal $type:literal $rules:literal $codec:ty;)*) => {
            $( codecs.push(($engine, $type, $rules, cell::<$codec>)); )*
        };
    }
    codecs::each_codec!(each);
    let mut cells: Vec<(String, Direction, Make, &[u8])> = Vec::new();
    for message in &messages {
        for (engine, _, _, make) in
            codecs.iter().filter(|(_, ty, rules, _)| *ty == message.ty && *rules == message.rules)
        {
            for direction in Direction::ALL {
                let name = format!("{engine} {} {} {}", message.name, message.rules, direction.name());
                cells.push((name, direction, *make, &message.octets));
            }
        }
    }
    // Instructions first, while there is one thread. Each count is taken twice: it must repeat.
    let mut heaps = Vec::new();
    marked(&mut || black_box(()));
    marked(&mut || black_box(()));
    for (name, direction, make, octets) in &cells {
        let told = |why: String| format!("{name}: {why}");
        let mut cell = make(octets).map_err(|absent| told(absent.0))?;
        if cell.bytes().map_err(told)? != *octets {
            return Err(told("other octets than the message's come out".into()));
        }
        cell.batch(*direction, 4);
        let mut used = None;
        cell.probe(*direction, &mut |work| {
            marked(work);
            marked(work);
            used = heap::measure(work);
        })
        .map_err(told)?;
        heaps.push(used.ok_or("the counting allocator is not installed")?);
    }
    let mut out = io::stdout().lock();
    let mut print = |line: String| writeln!(out, "{line}").map_err(|error| error.to_string());
    print("frame".into())?;
    for ((name, direction, make, octets), heap) in cells.iter().zip(heaps) {
        let stack = stack::measure(|watch: Watch<'_>| {
            let mut cell = make(octets).map_err(|absent| absent.0)?;
            cell.probe(*direction, watch)
        })?;
        let stack = stack.map_or("-".into(), |octets| octets.to_string());
        print(format!("cell {name} {} {stack} {} {}", octets.len(), heap.peak, heap.count))?;
    }
    Ok(())
}

/// Does the work between two marks.
#[inline(never)]
fn marked(work: &mut dyn FnMut()) {
    roadwire_probe_begin();
    work();
    roadwire_probe_end();
}

#[inline(never)]
fn roadwire_probe_begin() {
    black_box(1);
}

#[inline(never)]
fn roadwire_probe_end() {
    black_box(2);
}

fn message(line: &str) -> Result<Message, String> {
    let wrong = || format!("not name, type, rules and octets: {line}");
    let fields: Vec<&str> = line.split(' ').collect();
    let [name, ty, rules, digits] = fields[..] else { return Err(wrong()) };
    let octet = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    let octets = (0..digits.len()).step_by(2).map(octet).collect::<Option<Vec<u8>>>().ok_or_else(wrong)?;
    Ok(Message { name: name.into(), ty: ty.into(), rules: rules.into(), octets })
}

fn cell<C: codecs::Codec>(octets: &[u8]) -> Result<Box<dyn Cell>, Absent> {
    // Messages may borrow from them as long as the program runs.
    let octets = Box::leak(octets.to_vec().into_boxed_slice());
    Bench::boxed(Over::<C> { octets, codec: PhantomData }, "")
}

/// A codec, with the octets of the message that it is measured with.
struct Over<C> {
    octets: &'static [u8],
    codec: PhantomData<C>,
}

impl<C: codecs::Codec> Codec for Over<C> {
    type Message<'a> = C::Message<'a>;
    type Buffer = Vec<u8>;
    type Error = C::Error;

    /// Not from text, which takes a front end.
    fn message(&self, _: &str) -> Result<C::Message<'static>, String> {
        let mut place = None;
        C::decode(self.octets, &mut place).map_err(|error| error.to_string())?;
        place.ok_or_else(|| "decoded nothing".into())
    }

    fn buffer(&self) -> Vec<u8> {
        C::buffer()
    }

    #[inline]
    fn encode(&self, message: &C::Message<'_>, buffer: &mut Vec<u8>) -> Result<usize, C::Error> {
        C::encode(message, buffer)
    }

    fn octets<'b>(&self, buffer: &'b Vec<u8>, length: usize) -> &'b [u8] {
        &buffer[..length]
    }

    #[inline]
    fn decode<'a>(&self, octets: &'a [u8], place: &mut Option<C::Message<'a>>) -> Result<(), C::Error> {
        C::decode(octets, place)
    }
}
