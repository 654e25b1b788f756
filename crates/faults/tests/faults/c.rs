//! Generated C on the input of each fault, with address and undefined behaviour sanitizers where
//! the compiler has them. The compiler is `cc`, or what `CC` names.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::{env, fs};

use roadwire_codegen::{C_RUNTIME, generate_c};
use roadwire_faults::{Fault, ROOM};
use roadwire_layout::lower_without_contents;
use roadwire_model::Value;

use crate::{Subject, fault};

include!(concat!(env!("OUT_DIR"), "/c_tests.rs"));

/// C takes what the interpreter takes and encodes it alike; it refuses all else.
fn replay(name: &str) {
    let fault = fault(name);
    let subject = Subject::of(&fault).expect("a type and rules");
    let program = program(&fault, &subject);
    let folder = program.parent().expect("a folder");
    let files: Vec<PathBuf> = fault
        .before()
        .into_iter()
        .chain([fault.input()])
        .enumerate()
        .map(|(at, octets)| {
            let file = folder.join(format!("{at}.bin"));
            fs::write(&file, octets).expect("a file");
            file
        })
        .collect();
    for fill in ["0", "85"] {
        let ran = Command::new(&program).arg(fill).args(&files).output().expect("the program runs");
        assert!(ran.status.success(), "{}", said(&ran));
        assert_eq!(said(&ran).trim(), by_interpreter(&fault, &subject), "filled with {fill}");
    }
}

/// The text that the program has to print.
fn by_interpreter(fault: &Fault, subject: &Subject) -> String {
    let layout = lower_without_contents(&subject.model, subject.root, subject.rules).expect("a layout");
    let mut value = Value::Unset;
    match roadwire_engine::decode(&layout, &fault.input(), &mut value) {
        Ok(bits) => {
            let octets = roadwire_engine::encode_to_vec(&layout, &value, ROOM).expect("it can be encoded");
            let digits: String = octets.iter().map(|octet| format!("{octet:02x}")).collect();
            format!("{} {digits}", layout.octets_of(bits))
        }
        Err(_) => "refused".to_owned(),
    }
}

/// Whether a fault's type has C.
pub(crate) fn has_c(subject: &Subject) -> bool {
    generate_c(&subject.model, &[subject.root], &[subject.rules], ("generated", "c")).is_ok()
}

/// The program that replays a fault.
fn program(fault: &Fault, subject: &Subject) -> PathBuf {
    let rules = subject.rules;
    let generated = generate_c(&subject.model, &[subject.root], &[rules], ("generated", "c")).expect("C");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults").join(&fault.name);
    fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
    write("roadwire_rt.h", C_RUNTIME);
    write("generated.h", &generated.header);
    write("generated.c", &generated.source);
    let arguments = match generated.messages.iter().any(|message| message.takes_memory(rules)) {
        true => "_in(&value, all[at - 2], size, &arena, &error)",
        false => "(&value, all[at - 2], size, &error)",
    };
    let main = MAIN.replace("_DECODE", arguments).replace("RULES", &rules.name().replace('-', "_"));
    write("main.c", &main.replace("ROOM", &ROOM.to_string()));
    compile(&folder, &["main.c", "generated.c"], sanitizers());
    folder.join("main")
}

fn compile(folder: &Path, files: &[&str], more: &[&str]) {
    let ran = compiler(folder, files, more);
    assert!(ran.status.success(), "{}", said(&ran));
}

fn compiler(folder: &Path, files: &[&str], more: &[&str]) -> Output {
    let compiler = env::var("CC").unwrap_or_else(|_| "cc".into());
    let mut command = Command::new(compiler);
    command.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-o", "main"]).args(more).args(files).current_dir(folder);
    command.output().expect("a compiler of C, with which Rust links as well")
}

/// The flags for sanitizers; none if a program with them cannot be linked and run.
fn sanitizers() -> &'static [&'static str] {
    const FLAGS: &[&str] = &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    static FOUND: OnceLock<bool> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults").join("sanitizers");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("main.c"), "int main(void) { return 0; }\n").expect("a file");
        let linked = compiler(&folder, &["main.c"], FLAGS).status.success();
        linked && Command::new(folder.join("main")).status().is_ok_and(|status| status.success())
    });
    if *found { FLAGS } else { &[] }
}

fn said(ran: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr))
}

/// Decodes all files into one value that was filled with an octet, and encodes it.
const MAIN: &str = r#"
#include "generated.h"
#include <stdio.h>
#include <stdlib.h>

static uint8_t *read_all(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    uint8_t *octets = NULL;
    long end;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (end = ftell(file)) < 0) {
        exit(2);
    }
    *size = (size_t)end;
    /* Of this size: one octet beyond it is a fault. */
    octets = malloc(*size);
    rewind(file);
    if (octets == NULL || fread(octets, 1, *size, file) != *size) {
        exit(2);
    }
    fclose(file);
    return octets;
}

int main(int argc, char **argv)
{
    static c_a value;
    static uint8_t out[ROOM];
    static uint64_t memory[1 << 16];
    rw_arena arena = rw_arena_of(memory, sizeof memory);
    uint8_t *all[4] = {NULL};
    rw_error error;
    ptrdiff_t count = -1, length;
    int at;
    memset(&value, atoi(argv[1]), sizeof value);
    for (at = 2; at < argc && at < 6; at++) {
        size_t size;
        all[at - 2] = read_all(argv[at], &size);
        /* Not each message has parts that are not in place. */
        (void)arena.used;
        arena.used = 0;
        count = c_a_decode_RULES_DECODE;
    }
    if (count < 0) {
        puts("refused");
    } else {
        length = c_a_encode_RULES(&value, out, sizeof out, &error);
        printf("%ld ", (long)count);
        for (ptrdiff_t octet = 0; octet < length; octet++) {
            printf("%02x", out[octet]);
        }
        puts(length < 0 ? "refused" : "");
    }
    for (at = 0; at < 4; at++) {
        free(all[at]);
    }
    return 0;
}
"#;
