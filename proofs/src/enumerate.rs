//! Every primitive over all short inputs, at each place of a buffer, in Rust and in C.
//!
//! An input is up to 24 bits at a bit (or octet) of a buffer of 24 octets, of which the rest is
//! zeros, ones, or random: readers look up to 64 bits ahead. An input has the same result at each
//! place. At the first eight bits, the value of an input that is taken is written over other
//! octets, and read again.
//!
//! The program in C does the same, and prints a digest of all results of each primitive.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::thread;

use roadwire_wire::{Reader, Writer};

use crate::primitives::{self, Primitive};

const OCTETS: usize = 24;
const BITS: usize = OCTETS * 8;

/// How many numbers of each width above 24 bits.
const WIDE: u64 = 1 << 6;

/// How much is enumerated.
#[derive(Clone, Copy)]
struct Range {
    /// Inputs of up to so many bits are all enumerated.
    all: usize,
    /// Of longer ones, this many.
    some: u64,
}

impl Range {
    /// The inputs of so many bits, at most 63.
    fn inputs(self, bits: usize) -> impl Iterator<Item = u64> {
        let most = 1u64 << bits;
        let (count, step) = match bits {
            _ if bits <= self.all => (most, 1),
            25.. => (WIDE, 0x9e37_79b9_7f4a_7c15),
            _ => (self.some, 0x9e37_79b1),
        };
        (0..count).map(move |at| at.wrapping_mul(step) & (most - 1))
    }
}

/// The digest of results, as in C.
fn mix(digest: &mut u64, value: u64) {
    *digest = (*digest ^ value).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
}

/// The rest of a buffer: zeros, ones, random octets.
fn rests() -> [[u8; OCTETS]; 3] {
    let mut random = [0; OCTETS];
    let mut state = 0x1234_5678_9abc_def0u64;
    for octet in &mut random {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        *octet = (state >> 32) as u8;
    }
    [[0; OCTETS], [0xff; OCTETS], random]
}

/// Sets so many bits at a bit.
fn set(buffer: &mut [u8], at: usize, count: usize, value: u64) {
    for bit in 0..count {
        let (octet, shift) = ((at + bit) / 8, 7 - (at + bit) % 8);
        let one = (value >> (count - 1 - bit) & 1) as u8;
        buffer[octet] = buffer[octet] & !(1 << shift) | one << shift;
    }
}

/// The bits at a bit, as the highest of a word; zeros after the end.
fn get(buffer: &[u8], at: usize) -> u64 {
    let wide =
        (0..9).fold(0u128, |wide, octet| wide << 8 | u128::from(buffer.get(at / 8 + octet).copied().unwrap_or(0)));
    (wide << (at % 8) >> 8) as u64
}

/// How often a primitive took an input, at the first place and before zeros: in all, and in other
/// forms than the one that is written.
#[derive(Default)]
struct Taken {
    all: u64,
    others: BTreeMap<&'static str, u64>,
}

struct Failure(String);

fn enumerate(primitive: &Primitive, range: Range) -> Result<(u64, Taken), Failure> {
    let (mut digest, mut taken) = (0, Taken::default());
    let front = primitive.front.len() * 8;
    // The result of each input of 24 bits at the first place: 0 if it has more bits.
    let mut results = vec![0u32; if range.all >= 24 { 1 << 24 } else { 0 }];
    for (rest, base) in rests().into_iter().enumerate() {
        for at in (0..=BITS - front).step_by(primitive.step) {
            let mut input = base;
            for (number, octet) in primitive.front.iter().enumerate() {
                set(&mut input, at + number * 8, 8, (*octet).into());
            }
            let count = 24.min(BITS - front - at);
            // The place in four octets.
            let first = ((at + front) / 8).min(OCTETS - 4);
            let shift = 32 - (at + front - first * 8) - count;
            set(&mut input, at + front, count, 0);
            let window = u32::from_be_bytes(input[first..first + 4].try_into().unwrap_or_default());
            for value in range.inputs(count) {
                input[first..first + 4].copy_from_slice(&(window | (value as u32) << shift).to_be_bytes());
                let read = one(primitive, &input, at, &mut digest, (rest == 0 && at < 8).then_some(&mut taken))?;
                if let (24, Some(result)) = (count, results.get_mut(value as usize)) {
                    let this = result_of(read, at + front + 24, at);
                    if rest == 0 && at == 0 {
                        *result = this;
                    } else if *result != 0 && *result != this {
                        let name = primitive.name;
                        return Err(Failure(format!(
                            "{name} at bit {at} of {input:02x?}: another result than at the first place"
                        )));
                    }
                }
            }
        }
    }
    Ok((digest, taken))
}

/// A number for a result; 0 if it depends on bits after the input's.
fn result_of(read: primitives::Read, last: usize, at: usize) -> u32 {
    let mut digest = 1;
    match read {
        Some((_, end)) if end > last => return 0,
        Some((value, end)) => {
            mix(&mut digest, value);
            mix(&mut digest, (end - at) as u64);
        }
        // Whether a length is refused depends on what follows.
        None => return 0,
    }
    (digest >> 32) as u32 | 1
}

/// One input. Where its results are counted, its value is written and read again.
fn one(
    primitive: &Primitive,
    input: &[u8; OCTETS],
    at: usize,
    digest: &mut u64,
    taken: Option<&mut Taken>,
) -> Result<primitives::Read, Failure> {
    let fail = |what: String| Failure(format!("{} at bit {at} of {input:02x?}: {what}", primitive.name));
    let read = (primitive.read)(input, at);
    if let Some(again) = primitive.again {
        let other = again(input, at);
        if other != read {
            return Err(fail(format!("{read:x?}, and {other:x?} by another reader")));
        }
    }
    let Some((value, end)) = read else {
        mix(digest, u64::MAX);
        return Ok(None);
    };
    if end > BITS || end < at {
        return Err(fail(format!("it ends at bit {end}")));
    }
    mix(digest, value);
    mix(digest, end as u64);
    let Some(taken) = taken else { return Ok(read) };
    let mut out = [0xa5; OCTETS * 2];
    let (stored, fill) = (at / 8, at % 8);
    let mut writer = Writer::resume(&mut out, stored, 0xa5 >> (8 - fill), fill as u32);
    if (primitive.write)(&mut writer, value).is_err() || writer.flush().is_err() {
        return Err(fail(format!("{value:x} is not written")));
    }
    let written = writer.position();
    if written == at {
        // Sizes of values of any kind are not written.
        taken.all += u64::from(at == 0);
        return Ok(read);
    }
    let used = written.div_ceil(8);
    let before = 0xffu16 << (8 - fill);
    let untouched = out[..stored].iter().chain(&out[used..]).all(|octet| *octet == 0xa5)
        && u16::from(out[stored]) & before & 0xff == 0xa5 & before & 0xff;
    if !untouched {
        return Err(fail(format!("writing {value:x} changes other bits: {out:02x?}")));
    }
    for octet in &out[stored..used] {
        mix(digest, (*octet).into());
    }
    let again = (primitive.read)(&out[..used], at);
    if again != Some((value, written)) {
        return Err(fail(format!("{value:x} is written as {:02x?}, and read again as {again:x?}", &out[stored..used])));
    }
    let is_written =
        written == end && get(input, at) >> (64 - (end - at).min(64)) == get(&out, at) >> (64 - (end - at).min(64));
    let other = if is_written { None } else { (primitive.other)(get(input, at), value) };
    if !is_written && other.is_none() {
        return Err(fail(format!("{value:x} is taken in another form than {:02x?}", &out[stored..used])));
    }
    if at == 0 {
        taken.all += 1;
        if let Some(other) = other {
            *taken.others.entry(other).or_default() += 1;
        }
    }
    Ok(read)
}

/// Numbers of each width, at each bit, and after each number of bits that wait.
fn widths(range: Range) -> Result<u64, Failure> {
    let mut digest = 0;
    for (rest, base) in rests().into_iter().enumerate() {
        // All numbers of more than 16 bits among random octets alone.
        for width in 0..=if rest == 2 { 57 } else { 16 } {
            for at in 0..=BITS - width {
                let mut input = base;
                for value in range.inputs(width) {
                    set_word(&mut input, at, width, value);
                    let mut reader = Reader::new(&input);
                    reader.advance(at);
                    let read = reader.take(width as u32);
                    if read != Ok(value) || reader.position() != at + width {
                        return Err(Failure(format!("{width} bits at {at} of {input:02x?}: {read:x?}")));
                    }
                    if get(&input, at) >> 1 >> (63 - width) != value {
                        return Err(Failure(format!("{width} bits at {at}: the enumeration is wrong")));
                    }
                    mix(&mut digest, value);
                }
                let mut reader = Reader::new(&input);
                reader.advance(at);
                let left = BITS - at;
                if left < 57 && reader.take(left as u32 + 1).is_ok() {
                    return Err(Failure(format!("{} bits are taken at {at} of {BITS}", left + 1)));
                }
            }
        }
    }
    for fill in 0..=63u32 {
        for width in 0..=63u32 {
            for value in range.inputs(width as usize) {
                // Room for all bits, and for one octet less.
                for room in [(fill + width).div_ceil(8), (fill + width).div_ceil(8).saturating_sub(1)] {
                    let mut out = [0xa5; 24];
                    let before = 0x5a5a_a5a5_3c3c_c3c3u64 & ((1 << fill) - 1);
                    let room = room as usize;
                    let mut writer = Writer::resume(&mut out[..4 + room], 4, before, fill);
                    let is_put = writer.put(value, width).is_ok() && writer.flush().is_ok();
                    let fits = room * 8 >= (fill + width) as usize;
                    let position = writer.position();
                    let place = (4..12).fold(0, |word, at| word << 8 | u64::from(out[at]));
                    let all = u128::from(before) << width | u128::from(value);
                    let wide = (u128::from(place) << 64 | u128::from(get(&out, 96)))
                        >> (128 - fill - width).min(127)
                        >> u32::from(fill + width == 0);
                    let beyond = out[..4].iter().chain(&out[4 + room..]).all(|octet| *octet == 0xa5);
                    let is_right = is_put == fits && beyond;
                    if !is_right || is_put && (position != 32 + (fill + width) as usize || wide != all) {
                        return Err(Failure(format!("{value:x} in {width} bits after {fill}: {out:02x?}")));
                    }
                    mix(&mut digest, u64::from(is_put));
                    if is_put {
                        (4..4 + room).for_each(|at| mix(&mut digest, out[at].into()));
                    }
                }
            }
        }
    }
    Ok(digest)
}

/// As [`set`], by words.
fn set_word(buffer: &mut [u8; OCTETS], at: usize, count: usize, value: u64) {
    if count > 24 {
        return set(buffer, at, count, value);
    }
    let first = (at / 8).min(OCTETS - 4);
    let shift = 32 - (at - first * 8) - count;
    let mask = ((1u64 << count) - 1) << shift;
    let window = buffer[first..first + 4].iter().fold(0, |word, octet| word << 8 | u64::from(*octet));
    let window = window & !mask | value << shift;
    buffer[first..first + 4].copy_from_slice(&(window as u32).to_be_bytes());
}

/// Times: what is read is written, and read again.
fn times() -> Result<u64, Failure> {
    use roadwire_wire::rt::time::Time;
    let mut count = 0;
    for value in 0..1u32 << 24 {
        let octets = value.to_be_bytes();
        for from in 1..4 {
            // Of shorter texts, those before which there are zeros.
            if octets[1..from].iter().any(|octet| *octet != 0) {
                continue;
            }
            let Some(time) = core::str::from_utf8(&octets[from..]).ok().and_then(Time::read) else { continue };
            let mut text = String::new();
            let mut push = |character| {
                text.push(character);
                true
            };
            let again = time.write(&mut push).then(|| Time::read(&text)).flatten();
            if format!("{again:?}") != format!("{:?}", Some(&time)) {
                return Err(Failure(format!("the time {:02x?} is written as {text}", &octets[from..])));
            }
            count += 1;
        }
    }
    Ok(count)
}

/// Runs both programs, and compares them: for primitives whose names have a word.
pub(crate) fn run(quick: bool, program: &str, word: &str) -> Result<(), Box<dyn Error>> {
    let range = if quick { Range { all: 16, some: 1 << 14 } } else { Range { all: 24, some: 0 } };
    let numbers = [range.all.to_string(), range.some.to_string()];
    let c = Command::new(program).args(&numbers).arg(word).stdout(Stdio::piped()).spawn()?;
    let c = thread::spawn(move || c.wait_with_output());
    let (mut digests, mut failed) = (BTreeMap::new(), 0);
    let mut say = |failure: Failure| {
        eprintln!("FAILS: {}", failure.0);
        failed += 1;
    };
    let mut out = std::io::stdout();
    if "widths".contains(word) {
        match widths(range) {
            Ok(digest) => _ = digests.insert("widths", digest),
            Err(failure) => say(failure),
        }
    }
    for primitive in primitives::all().into_iter().filter(|primitive| primitive.name.contains(word)) {
        match enumerate(&primitive, range) {
            Ok((digest, taken)) => {
                let others: u64 = taken.others.values().sum();
                let list: Vec<String> = taken.others.iter().map(|(form, count)| format!("{form} {count}")).collect();
                let list = if list.is_empty() { "none".into() } else { list.join("; ") };
                writeln!(
                    out,
                    "{}: {} taken at the first place, {} as written; others: {list}",
                    primitive.name,
                    taken.all,
                    taken.all - others
                )?;
                if primitive.in_c {
                    digests.insert(primitive.name, digest);
                }
            }
            Err(failure) => say(failure),
        }
    }
    match times() {
        Ok(count) => writeln!(out, "times: {count} texts of up to three characters")?,
        Err(failure) => say(failure),
    }
    let c = c.join().map_err(|_| "the thread of the program in C")??;
    if !c.status.success() {
        return Err(format!("the program in C: {}", c.status).into());
    }
    let mut same = 0;
    for line in String::from_utf8(c.stdout)?.lines() {
        let (name, digest) = line.rsplit_once(' ').ok_or("a line of the program in C")?;
        match digests.remove(name) {
            Some(ours) if format!("{ours:016x}") == digest => same += 1,
            Some(ours) => say(Failure(format!("{name}: the digest of Rust is {ours:016x}, of C {digest}"))),
            None => say(Failure(format!("{name}: Rust has no result"))),
        }
    }
    digests.into_keys().for_each(|name| say(Failure(format!("{name}: C has no result"))));
    writeln!(out, "{same} primitives have the same results in C")?;
    if failed == 0 { Ok(()) } else { Err(format!("{failed} failures").into()) }
}
