//! Generated C beside the interpreter: random values and mutated messages of several types.
//!
//! The compiler is `cc`, or what `CC` names: Rust links programs with the same.

#[path = "settings.rs"]
mod settings;

use std::collections::HashMap;
use std::fmt::Display;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use roadwire_codegen::{C_RUNTIME, CMessage, COptions, GenerateError, GeneratedC, Integers, generate_c};
use roadwire_layout::{Family, Layout, Rules, lower_without_contents};
use roadwire_model::random::{Generator, Rng, Settings};
use roadwire_model::{Model, TypeId, Value, check};

use crate::support::mutant;
pub(crate) use settings::settings;

const FLAGS: &[&str] =
    &["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wcast-qual", "-Werror"];

const ROOM: usize = 1 << 17;
/// How many values each message has in a round; in a long run, `ROADWIRE_C_VALUES` says of how many
/// values there are rounds.
const VALUES: usize = 45;

fn rounds() -> usize {
    let values = env::var("ROADWIRE_C_VALUES").ok();
    values.map_or(1, |values| values.parse::<usize>().expect("a number of values").div_ceil(VALUES))
}

/// A message with C.
pub(crate) struct Message {
    pub(crate) name: String,
    root: TypeId,
    pub(crate) layout: Layout,
    /// How INTEGERs without a bound are held. If they may have any length, values are also written
    /// into as many octets as they take, and into one less.
    integers: Integers,
}

impl Message {
    /// # Errors
    /// It has no C.
    pub(crate) fn new(model: &Model, name: &str, root: TypeId, rules: Rules) -> Result<Message, GenerateError> {
        Message::with(model, name, (root, rules), Integers::Word)
    }

    fn with(
        model: &Model,
        name: &str,
        (root, rules): (TypeId, Rules),
        integers: Integers,
    ) -> Result<Message, GenerateError> {
        generate_c(model, &[root], &[rules], COptions { integers, ..COptions::from(("one", "c")) })?;
        let layout = lower_without_contents(model, root, rules).expect("a layout");
        Ok(Message { name: name.to_owned(), root, layout, integers })
    }

    /// The same with INTEGERs of any length.
    #[allow(dead_code, reason = "not all tests have them")]
    pub(crate) fn of_any_length(model: &Model, name: &str, rules: Rules) -> Message {
        let root = model.find(&format!("M.{name}")).unwrap();
        let message = Message::with(model, name, (root, rules), Integers::AnyLength);
        message.unwrap_or_else(|error| panic!("{name} under {rules}: {error}"))
    }

    /// The type with this name in the module `M`.
    #[allow(dead_code, reason = "not all tests have modules of their own")]
    pub(crate) fn of(model: &Model, name: &str, rules: Rules) -> Message {
        let root = model.find(&format!("M.{name}")).unwrap();
        Message::new(model, name, root, rules).unwrap_or_else(|error| panic!("{name} under {rules}: {error}"))
    }

    /// Whether it is a limit of C that the interpreter does not have.
    fn may_refuse(&self, rules: Rules, why: &str) -> bool {
        // In JER, bounds of more than 128 bits are none, but say how much room there is.
        let has_words = self.integers == Integers::Word || rules == Rules::Jer;
        OWN_LIMITS.iter().any(|code| why.starts_with(code) && (has_words || *code != "integer.width"))
    }

    /// A value as the interpreter writes it.
    ///
    /// # Errors
    /// The code and the path of its error.
    pub(crate) fn encoded(&self, value: &Value) -> Result<Vec<u8>, String> {
        let written = roadwire_engine::encode_to_vec(&self.layout, value, ROOM);
        written.map_err(|error| why_of(error.kind.code(), &error.path))
    }
}

/// Holds the C of messages against the interpreter.
pub(crate) fn agree(model: &Model, rules: Rules, name: &str, with: &[Message]) {
    let (program, first) = compiled(model, rules, name, with);
    for round in 0..rounds() {
        for (name, [all, by_c]) in
            compare((&program, &first), model, (rules, name), with, |of| messages(model, of, round))
        {
            assert!(by_c * 4 >= all, "{name} under {rules}: {by_c} of {all} by C");
        }
    }
}

/// The same for these octets of each message. Returns how many the interpreter takes, and how many
/// C does.
pub(crate) fn held<'w>(
    model: &Model,
    rules: Rules,
    name: &str,
    with: &'w [Message],
    messages: impl Fn(&Message) -> Vec<Vec<u8>>,
) -> HashMap<&'w str, [usize; 2]> {
    let (program, first) = compiled(model, rules, name, with);
    compare((&program, &first), model, (rules, name), with, messages)
}

/// `first` is the type of the first message that each shares its C with: its constraints are
/// checked.
fn compare<'w>(
    (program, first): (&Path, &[TypeId]),
    model: &Model,
    (rules, name): (Rules, &str),
    with: &'w [Message],
    messages: impl Fn(&Message) -> Vec<Vec<u8>>,
) -> HashMap<&'w str, [usize; 2]> {
    let (mut asked, mut wanted) = (String::new(), Vec::new());
    for (index, message) in with.iter().enumerate() {
        for octets in messages(message) {
            asked += &format!("{index} {}\n", hex(&octets));
            wanted.push((message, first[index], octets));
        }
    }
    let answers = run(program, &asked);
    assert_eq!(answers.len(), wanted.len());
    let mut taken: HashMap<&str, [usize; 2]> = HashMap::new();
    let explains = rules.family() != Family::Xml;
    let (mut refused, mut differences) = ([0, 0], HashMap::new());
    for ((message, first, octets), answer) in wanted.iter().zip(answers) {
        let mut value = Value::Unset;
        let read = roadwire_engine::decode(&message.layout, octets, &mut value);
        if let (Err(error), Some(why)) = (&read, answer.strip_prefix('-')) {
            let wanted = why_of(error.kind.code(), &error.path);
            let own = why != wanted && message.may_refuse(rules, why);
            refused[usize::from(own)] += 1;
            let what = || format!("{} under {rules}: {octets:02x?}: {why}, not {wanted}", message.name);
            // Rust has the last steps of a long path, and C the first ones.
            let same = why == wanted || wanted.contains('…') && why.split(' ').next() == wanted.split(' ').next();
            if explains && !own && !same {
                differences.entry((why.split(' ').next().map(str::to_owned), error.kind.code())).or_insert_with(what);
            }
        }
        let [all, by_c] = taken.entry(&message.name).or_default();
        *all += usize::from(read.is_ok());
        let what = || format!("{} under {rules}: {octets:02x?}, {answer}", message.name);
        let Some((count, again)) = answer.split_once(' ').filter(|(count, _)| !count.starts_with('-')) else {
            continue;
        };
        *by_c += 1;
        let bits = read.unwrap_or_else(|error| panic!("{}: {error}", what()));
        assert_eq!(count, message.layout.octets_of(bits).to_string(), "{}", what());
        // Decoders do not check constraints that encoding rules do not see.
        let written = match check::constraints(model, *first, &value).first() {
            Some(broken) => format!("-{}", why_of(broken.code, &broken.path)),
            None => hex(&message.encoded(&value).unwrap_or_else(|error| panic!("{}: {error}", what()))),
        };
        assert_eq!(again, written, "{}", what());
    }
    assert!(differences.is_empty(), "{differences:#?}");
    if explains {
        println!("{name} under {rules}: {} errors are the interpreter's, {} limits of C", refused[0], refused[1]);
        assert!(refused[0] >= refused[1], "{name} under {rules}: {refused:?}");
    }
    taken
}

/// Codes of errors that C alone has: of rare forms, and of limits.
const OWN_LIMITS: [&str; 5] = ["form.rare", "limit.kept", "limit.memory", "integer.width", "size.capacity"];

/// The code of an error and its path.
fn why_of(code: &str, path: impl Display) -> String {
    format!("{code} {path}")
}

/// Random values, and messages that are almost right.
fn messages(model: &Model, message: &Message, round: usize) -> Vec<Vec<u8>> {
    let seed = message.name.bytes().fold(11, |seed: u64, octet| seed.wrapping_mul(31) + u64::from(octet));
    let mut rng = Rng::new(seed + round as u64);
    let mut all = Vec::new();
    for at in 0..VALUES {
        // Open types are octets, which are not always those of a value, and values of their types.
        let open_types = at % 2 == 1;
        let encoded = [open_types, !open_types].into_iter().find_map(|open_types| {
            let settings = Settings { open_types, ..settings(at) };
            let value = Generator::new(model, settings).value(message.root, &mut rng);
            message.encoded(&value).ok()
        });
        all.extend(encoded);
    }
    let mutants: Vec<Vec<u8>> = (0..VALUES * 2).map(|_| mutant(&all, [0, 0x7f, 0x80, 0xff], &mut rng)).collect();
    all.into_iter().chain(mutants).collect()
}

/// A program that decodes and encodes what it reads: a message's number and a message. Messages
/// that differ only in constraints have the same C: the types of the first ones.
fn compiled(model: &Model, rules: Rules, name: &str, with: &[Message]) -> (PathBuf, Vec<TypeId>) {
    let folder = folder(rules, name);
    let roots: Vec<TypeId> = with.iter().map(|message| message.root).collect();
    let is_any_length = with.iter().any(|message| message.integers == Integers::AnyLength);
    let integers = if is_any_length { Integers::AnyLength } else { Integers::Word };
    let generated = written_with(&folder, model, &roots, &[rules], integers);
    assert_eq!(generated.messages.len(), with.len());
    let rule = rules.name().replace('-', "_");
    let arms: Vec<String> = (0..).zip(&generated.messages).map(|(at, message): (usize, &CMessage)| {
        let name = &message.name;
        // Some take memory for strings in segments alone.
        let takes_memory = generated.header.contains(&format!(" {name}_decode_{rule}_in("));
        let (suffix, arena, filled) =
            if takes_memory { ("_in", "&arena, ", "memset(memory, fill, sizeof memory); ") } else { ("", "", "") };
        // Beyond an extensible root, a value may take more as well.
        let most = format!("{}_{}_MAX_OCTETS", name.to_uppercase(), rule.to_uppercase());
        let bound = match generated.header.contains(&format!("#define {most} ")) {
            true => format!("kept = {name}_kept_octets(&value); if (kept > 0 && length > (ptrdiff_t)({most} + kept)) {{ sprintf(why, \"%ld octets, kept %ld\", (long)length, (long)kept); return -1; }} "),
            false => String::new(),
        };
        let encode = format!("{name}_encode_{rule}");
        let tight = if is_any_length { TIGHT.replace("ENCODE", &encode) } else { String::new() };
        format!(
            "case {at}: {{ static {name} value; {filled}memset(&value, fill, sizeof value); *count = {name}_decode_{rule}{suffix}(&value, in, size, {arena}&error); if (*count < 0) {{ explained(&error); return -1; }} length = {name}_encode_{rule}(&value, out, room, &error); if (length < 0) {{ explained(&error); }} {bound}{tight}return length; }}"
        )
    }).collect();
    let first = |of: &CMessage| generated.messages.iter().position(|one| one.name == of.name).unwrap_or(0);
    let first = generated.messages.iter().map(|of| roots[first(of)]).collect();
    let flags: &[&str] =
        if is_any_length { &["-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"] } else { &[] };
    (linked(&folder, rules, ("main", flags), &MAIN.replace("ARMS", &arms.join("\n"))), first)
}

/// Writes the C of these types into a folder.
#[allow(dead_code, reason = "not all tests write their own")]
pub(crate) fn written(folder: &Path, model: &Model, roots: &[TypeId], rules: &[Rules]) -> GeneratedC {
    written_with(folder, model, roots, rules, Integers::Word)
}

fn written_with(folder: &Path, model: &Model, roots: &[TypeId], rules: &[Rules], integers: Integers) -> GeneratedC {
    fs::create_dir_all(folder).unwrap();
    let options = COptions { integers, ..COptions::from(("generated", "c")) };
    let generated = generate_c(model, roots, rules, options).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("roadwire_rt.h", C_RUNTIME);
    write("generated.h", &generated.header);
    write("generated.c", &generated.source);
    generated
}

/// A program of this source beside the generated one, with these further flags.
pub(crate) fn linked(folder: &Path, rules: Rules, (name, flags): (&str, &[&str]), source: &str) -> PathBuf {
    let (file, program) = (format!("{name}.c"), folder.join(name));
    // The runtime has another form where little room is wanted. A compiler takes five times as long
    // for any optimisation: it is asked for that of one of each family, over all constructs.
    let is_of_constructs = folder.ends_with(format!("c99-constructs-{rules}"));
    let of_family = [Rules::Ber, Rules::Protobuf, Rules::Cbor, Rules::Exi, Rules::Jer];
    let optimisation = if matches!(rules, Rules::Aper | Rules::Coer | Rules::Der) {
        "-Os"
    } else if matches!(rules, Rules::Uper | Rules::Oer) || is_of_constructs && of_family.contains(&rules) {
        "-O1"
    } else {
        "-O0"
    };
    fs::write(folder.join(&file), source).unwrap();
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".into());
    let mut ran = Command::new(compiler);
    ran.args(FLAGS)
        .args(flags)
        .arg(optimisation)
        .arg("-o")
        .arg(&program)
        .args([&file, "generated.c"])
        .current_dir(folder);
    let ran = ran.output().expect("a compiler of C, with which Rust links as well");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    program
}

/// Runs a program of this source with the C that [`held`] generated; it has to succeed.
#[allow(dead_code, reason = "not all tests have programs of their own")]
pub(crate) fn runs(rules: Rules, name: &str, source: &str) {
    runs_with(&[], rules, name, source);
}

/// The same with further flags of the compiler.
#[allow(dead_code, reason = "not all tests have programs of their own")]
pub(crate) fn runs_with(flags: &[&str], rules: Rules, name: &str, source: &str) {
    let ran = Command::new(linked(&folder(rules, name), rules, ("own", flags), source)).status().unwrap();
    assert!(ran.success(), "{name} under {rules}: {ran}");
}

fn folder(rules: Rules, name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("c99-{name}-{rules}"))
}

/// A value is written into as many octets as it takes, and not into one less.
const TIGHT: &str = r#"if (length > 0) {
    static uint8_t tight[200000];
    if (ENCODE(&value, tight, (size_t)length, &error) != length || memcmp(tight, out, (size_t)length) != 0) {
        sprintf(why, "it takes more room than it has octets");
        return -1;
    }
    if (ENCODE(&value, tight, (size_t)length - 1, &error) >= 0 || error.code != RW_OUTPUT_FULL) {
        sprintf(why, "it takes less room than it has octets");
        return -1;
    }
} "#;

const MAIN: &str = r#"
#include "generated.h"
#include <stdio.h>

/* The code of the last error and its path. */
static char why[1000];

static void explained(const rw_error *error)
{
    int used = snprintf(why, 200, "-%s ", rw_code(error->code));
    (void)rw_path(error, why + used, sizeof why - (size_t)used);
}

static ptrdiff_t again(unsigned of, int fill, const uint8_t *in, size_t size, uint8_t *out, size_t room, ptrdiff_t *count)
{
    static uint64_t memory[1 << 16];
    rw_arena arena = rw_arena_of(memory, sizeof memory);
    rw_error error;
    ptrdiff_t length;
    size_t kept = 0;
    (void)arena;
    (void)kept;
    switch (of) {
ARMS
    default: return -1;
    }
}

static unsigned digit(char of)
{
    return (unsigned)(of <= '9' ? of - '0' : of - 'a' + 10);
}

int main(void)
{
    static char line[400000];
    static uint8_t in[200000], out[200000], other[200000];
    while (fgets(line, sizeof line, stdin) != NULL) {
        unsigned of;
        int used;
        size_t size = 0;
        ptrdiff_t count = -1, length, filled;
        if (sscanf(line, "%u %n", &of, &used) != 1) {
            return 1;
        }
        for (; line[used] > ' '; used += 2, size++) {
            in[size] = (uint8_t)(digit(line[used]) << 4 | digit(line[used + 1]));
        }
        /* Whatever a value was before, it is what was read afterwards. */
        length = again(of, 0, in, size, out, sizeof out, &count);
        filled = again(of, 0x55, in, size, other, sizeof other, &count);
        if (filled != length || (length > 0 && memcmp(out, other, (size_t)length) != 0)) {
            puts("differs from itself");
            continue;
        }
        if (count < 0) {
            puts(why);
            continue;
        }
        printf("%ld ", (long)count);
        for (ptrdiff_t at = 0; at < length; at++) {
            putchar("0123456789abcdef"[out[at] >> 4]);
            putchar("0123456789abcdef"[out[at] & 15]);
        }
        puts(length < 0 ? why : "");
    }
    return 0;
}
"#;

pub(crate) fn run(program: &Path, asked: &str) -> Vec<String> {
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut input, asked) = (child.stdin.take().unwrap(), asked.to_owned());
    let writing = std::thread::spawn(move || input.write_all(asked.as_bytes()));
    let ran = child.wait_with_output().unwrap();
    writing.join().unwrap().unwrap();
    assert!(ran.status.success());
    String::from_utf8(ran.stdout).unwrap().lines().map(str::to_owned).collect()
}

pub(crate) fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

/// A test for each set of rules that has C for all types: it calls a function with the rules.
#[allow(unused_macros, reason = "some tests ask for a few rules")]
macro_rules! in_each_rules {
    ($function:ident) => {
        c99::in_each_rules! { $function:
            uper Uper; aper Aper; oer Oer; coer Coer; ber Ber; der Der; cer Cer; protobuf Protobuf; cbor Cbor; exi Exi;
            exi_default ExiDefault; exi_merged ExiMerged; exi_flat ExiFlat; exi_split ExiSplit; jer Jer;
        }
    };
    ($function:ident: $($test:ident $rules:ident;)*) => { $(
        #[test]
        fn $test() {
            $function(Rules::$rules);
        }
    )* };
}

#[allow(unused_imports, reason = "some tests ask for a few rules")]
pub(crate) use in_each_rules;
