//! `roadwire generate`.

#[path = "../../source/tests/support/shared.rs"]
mod shared;
mod support;

use std::path::Path;
use std::process::Command;

use support::{CAM_HEX, file, folder, octets, run};

#[test]
fn codecs_are_written_as_one_module_and_not_over_another() {
    let folder = folder("generate").join("new/folder");
    let arguments =
        ["generate", "-s", "cam-1.4.1", "--rules", "uper", "--lang", "rust", "-o", folder.to_str().unwrap()];
    let ran = run(&arguments, "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let path = folder.join("cam_1_4_1.rs");
    assert!(ran.stderr.contains("cam_1_4_1.rs"), "{}", ran.stderr);
    let source = std::fs::read_to_string(&path).unwrap();
    assert!(source.contains("pub struct BasicVehicleContainerHighFrequency"));

    std::fs::write(&path, "mine").unwrap();
    let again = run(&arguments, "");
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("--force"), "{}", again.stderr);
    assert_eq!(std::fs::read(&path).unwrap(), b"mine");
    assert_eq!(run(&[&arguments[..], &["--force"]].concat(), "").code, 0);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), source);
}

/// A CAM that a road-side unit sent.
const STATION: &str = "020284db8a1042a600fa5e7aa18ea5ceac81901900003b791280";

/// A program in C, as its author would write it.
const POSITION: &str = r#"
#include "cam_1_4_1.h"
#include <stdio.h>

int main(void)
{
    static cam_cam cam;
    static uint8_t in[CAM_CAM_UPER_MAX_OCTETS], out[CAM_CAM_UPER_MAX_OCTETS];
    rw_error error;
    unsigned octet;
    size_t size = 0;
    for (; scanf("%2x", &octet) == 1; size++) {
        in[size] = (uint8_t)octet;
    }
    if (cam_cam_decode_uper(&cam, in, size, &error) < 0) {
        puts("refused");
        return 1;
    }
    printf("%ld\n", (long)cam_cam_encode_uper(&cam, out, sizeof out, &error));
    printf("%d\n", memcmp(in, out, size));
    printf("%d\n", cam.cam.cam_parameters.basic_container.reference_position.latitude);
    return cam.cam.cam_parameters.basic_container.station_type != 15 ? 64 : takes_any(&cam, out, sizeof out);
}
"#;

/// Values that no place of a type may hold: an encoder looks before it reads a list, or writes.
const HOSTILE: &str = r#"
static int takes(const cam_cam *cam, uint8_t *out, size_t size)
{
    rw_error error;
    return cam_cam_encode_uper(cam, out, size, &error) >= 0;
}

static int takes_any(const cam_cam *valid, uint8_t *out, size_t size)
{
    static cam_cam cam;
    int taken = 0;
    cam = *valid;
    cam.cam.cam_parameters.high_frequency_container.choice = 7;
    taken |= takes(&cam, out, size);
    cam = *valid;
    cam.cam.cam_parameters.basic_container.reference_position.altitude.altitude_confidence = 99;
    taken |= takes(&cam, out, size) << 1;
    cam = *valid;
    cam.cam.cam_parameters.high_frequency_container.as.rsu_container_high_frequency.has_protected_communication_zones_rsu = true;
    cam.cam.cam_parameters.high_frequency_container.as.rsu_container_high_frequency.protected_communication_zones_rsu.count = 4000000000u;
    taken |= takes(&cam, out, size) << 2;
    cam = *valid;
    cam.cam.cam_parameters.basic_container.reference_position.latitude = 900000002;
    taken |= takes(&cam, out, size) << 3;
    taken |= takes(valid, out, 25) << 4;
    return taken;
}
"#;

#[test]
fn a_program_in_c_decodes_a_recorded_cam() {
    let folder = folder("generate-c");
    let output = folder.to_str().unwrap();
    let rules = "uper,aper,coer,der,protobuf,cbor,exi,exi-merged,jer";
    let arguments = ["generate", "-s", "cam-1.4.1", "--rules", rules, "--lang", "c", "-o", output];
    let ran = run(&arguments, "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    std::fs::write(folder.join("main.c"), POSITION.replacen("\nint main", &[HOSTILE, "\nint main"].concat(), 1))
        .unwrap();
    // Rust links programs with the same compiler.
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let files = ["main.c", "cam_1_4_1.c", "-o", "position"];
    let built = Command::new(compiler).arg("-std=c99").args(files).current_dir(&folder).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let mut child = Command::new(folder.join("position"));
    let mut child = child.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), STATION.as_bytes()).unwrap();
    let ran = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "26\n0\n491711500\n");
    assert!(ran.status.success(), "hostile values that were taken: {:?}", ran.status.code());

    assert_eq!(run(&arguments, "").code, 2, "files are there");
    for (more, said) in [
        (&["--force", "--tapped", "CAM.header"][..], "is for Rust"),
        (&["--force", "--prefix", "1"], "does not begin a name"),
        (&["--force", "--rules", "xer"], "there is no C for xer"),
    ] {
        let ran = run(&[&arguments[..], more].concat(), "");
        assert_ne!(ran.code, 0, "{more:?}");
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}

/// The text between two marks of a document.
fn between<'t>(text: &'t str, begin: &str, end: &str) -> &'t str {
    text.split_once(begin).unwrap().1.split_once(end).unwrap().0
}

/// A program in C, compiled in a folder.
fn compiled(folder: &Path, files: &[&str]) -> Command {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let warnings = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wcast-qual", "-Werror"];
    let built = Command::new(compiler).args(warnings).args(files).args(["-o", "program"]).current_dir(folder).output();
    let built = built.unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    Command::new(folder.join("program"))
}

#[test]
fn the_first_hour_with_c_is_as_its_page_says() {
    let folder = folder("generate-first-hour");
    let page = include_str!("../../../docs/generated-c.md");
    let command: Vec<&str> = between(page, "    roadwire ", "\n").split(' ').collect();
    let (command, _) = command.split_at(command.len() - 1);
    let ran = run(&[command, &[folder.to_str().unwrap()]].concat(), "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let ran = compiled(&folder, &["cam_1_4_1_test.c", "cam_1_4_1.c"]).status().unwrap();
    assert!(ran.success());
    std::fs::write(folder.join("main.c"), between(page, "```c\n", "```")).unwrap();
    let ran = compiled(&folder, &["main.c", "cam_1_4_1.c"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ran.stdout).trim_end(), between(page, "prints `", "`"));
    let cut = between(page, "```c\n", "```").replace("sizeof octets, &error", "sizeof octets - 2, &error");
    std::fs::write(folder.join("main.c"), cut).unwrap();
    let ran = compiled(&folder, &["main.c", "cam_1_4_1.c"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ran.stdout).trim_end(), between(page, "this program prints\n  `", "`"));
}

/// Runs a command, which has to succeed; returns its output.
fn done(command: &mut Command) -> String {
    let ran = command.output().unwrap();
    let all = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(ran.status.success(), "{command:?}: {}", all.concat());
    all[0].clone()
}

#[test]
fn generated_c_is_built_tested_and_installed_by_cmake() {
    // All three are noted, also where the first one is missing.
    if !["cmake", "ctest", "pkg-config"].map(shared::installed).into_iter().all(|is_there| is_there) {
        return;
    }
    let folder = folder("generate-cmake");
    let page = include_str!("../../../docs/generated-c.md");
    let generate = |more: &[&str]| {
        let output = ["--lang", "c", "-o", folder.to_str().unwrap()];
        run(&[&["generate", "-s", "cam-1.4.1", "--rules", "uper"][..], &output, more].concat(), "")
    };
    let ran = generate(&["--with-tests"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let [build, installed, moved] = ["build", "installed", "moved"].map(|name| folder.join(name));
    done(
        Command::new("cmake").arg("-S").arg(&folder).arg("-B").arg(&build).arg("-DCMAKE_C_FLAGS=-Wall -Wextra -Werror"),
    );
    done(Command::new("cmake").arg("--build").arg(&build));
    let tested = done(Command::new("ctest").current_dir(&build));
    assert!(tested.contains("100% tests passed, 0 tests failed out of 1"), "{tested}");
    done(Command::new("cmake").arg("--install").arg(&build).arg("--prefix").arg(&installed));

    // An installation may be moved.
    std::fs::rename(&installed, &moved).unwrap();
    let find = |name: &str| done(Command::new("find").arg(&moved).args(["-name", name])).trim().to_owned();
    let place = find("cam_1_4_1.pc");
    let flags = |kind: &str| {
        let mut command = Command::new("pkg-config");
        let place = Path::new(&place).parent().unwrap();
        let flags = done(command.args([kind, "cam_1_4_1"]).env("PKG_CONFIG_PATH", place));
        flags.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    let program = between(page, "```c\n", "```");
    std::fs::write(moved.join("main.c"), program).unwrap();
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let mut command = Command::new(compiler);
    command.arg("-std=c99").args(flags("--cflags")).arg("main.c").args(flags("--libs")).args(["-o", "program"]);
    done(command.current_dir(&moved));
    let printed = between(page, "prints `", "`");
    assert_eq!(done(&mut Command::new(moved.join("program"))).trim_end(), printed);

    // Another project finds it, or has it in a folder.
    let lines = [
        ("found", "find_package(cam_1_4_1 REQUIRED)".to_owned()),
        ("inside", format!("enable_testing()\nadd_subdirectory({} codec)", folder.display())),
    ];
    for (name, line) in lines {
        let project = folder.join(name);
        std::fs::create_dir(&project).unwrap();
        std::fs::write(project.join("main.c"), program).unwrap();
        let text = format!(
            "cmake_minimum_required(VERSION 3.14)\nproject(mine C)\n{line}\nadd_executable(mine main.c)\n\
             target_link_libraries(mine roadwire::cam_1_4_1)\n"
        );
        std::fs::write(project.join("CMakeLists.txt"), text).unwrap();
        let mut command = Command::new("cmake");
        command.arg("-S").arg(&project).arg("-B").arg(project.join("build"));
        done(command.arg(format!("-DCMAKE_PREFIX_PATH={}", moved.display())));
        done(Command::new("cmake").arg("--build").arg(project.join("build")));
        assert_eq!(done(&mut Command::new(project.join("build/mine"))).trim_end(), printed, "{name}");
        // It has no tests of its own, so the self-test of the codec is not built.
        assert!(!project.join("build/codec/cam_1_4_1_test").exists());
    }
}

#[test]
fn files_for_cmake_are_not_written_over_those_of_others() {
    let folder = folder("generate-lists");
    let generate = |schema: &str, more: &[&str]| {
        let output = ["--lang", "c", "-o", folder.to_str().unwrap()];
        let ran = run(&[&["generate", "-s", schema, "--rules", "uper"][..], &output, more].concat(), "");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stderr
    };
    let lists = || std::fs::read_to_string(folder.join("CMakeLists.txt")).unwrap();
    std::fs::write(folder.join("CMakeLists.txt"), "project(mine)\n").unwrap();
    assert!(generate("cam-1.4.1", &[]).contains("CMakeLists.txt, which is not of cam_1_4_1"));
    generate("cam-1.4.1", &["--force"]);
    assert_eq!(lists(), "project(mine)\n");
    std::fs::remove_file(folder.join("CMakeLists.txt")).unwrap();
    generate("cam-1.4.1", &["--force"]);
    assert!(!lists().contains("add_test"));
    generate("cam-1.4.1", &["--force", "--with-tests"]);
    assert!(lists().contains("add_test(NAME cam_1_4_1_test"));
    let told: serde_json::Value = serde_json::from_str(&generate("denm-1.3.1", &["--json"])).unwrap();
    assert!(told["kept"][0].as_str().unwrap().ends_with("CMakeLists.txt"), "{told}");
    assert!(lists().contains("project(cam_1_4_1 "));
}

#[test]
fn a_self_test_in_c_takes_all_of_its_messages_and_notices_others() {
    let rules = "uper,aper,oer,coer,ber,der,cer,protobuf,cbor,exi,exi-merged,jer";
    for (schema, rules, stem) in [
        ("cam-1.4.1", rules, "cam_1_4_1"),
        ("denm-1.3.1", rules, "denm_1_3_1"),
        ("cpm-2.1.1", "uper,coer,der,jer", "cpm_2_1_1"),
        ("ieee1609dot2-2022", "uper,coer,der,protobuf", "ieee1609dot2_2022"),
    ] {
        let folder = folder(&format!("generate-self-test-{stem}"));
        let output = folder.to_str().unwrap();
        let ran = run(&["generate", "-s", schema, "--rules", rules, "--lang", "c", "--with-tests", "-o", output], "");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let [test, codec] = [format!("{stem}_test.c"), format!("{stem}.c")];
        let ran = compiled(&folder, &[&test, &codec]).status().unwrap();
        assert!(ran.success(), "{schema}");
        // A message that is not one of the type.
        let text = std::fs::read_to_string(folder.join(&test)).unwrap();
        let first = text.find("[] = {\n").unwrap() + "[] = {\n".len();
        std::fs::write(folder.join(&test), [&text[..first], "    255, 255, 255, 255,\n", &text[first..]].concat())
            .unwrap();
        assert_eq!(compiled(&folder, &[&test, &codec]).status().unwrap().code(), Some(1), "{schema}");
    }
}

#[test]
fn c_has_encoders_or_decoders_alone() {
    let folder = folder("generate-only");
    let output = folder.to_str().unwrap();
    for (only, has, has_not) in [("decode", "_decode_", "_encode_"), ("encode", "_encode_", "_decode_")] {
        let rules = "uper,coer,der,protobuf";
        let arguments =
            ["generate", "-s", "cam-1.4.1", "--rules", rules, "--lang", "c", "--only", only, "--force", "-o", output];
        let ran = run(&[&arguments[..], &["--json"]].concat(), "");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let written: serde_json::Value = serde_json::from_str(&ran.stderr).unwrap();
        let name = "CAM-PDU-Descriptions.CAM";
        assert!(written["octets_in_memory"][name].as_u64() > Some(100), "{written}");
        assert!(written["octets"][name]["uper"]["most_in_roots"].as_u64() > Some(100), "{written}");
        for file in ["cam_1_4_1.h", "cam_1_4_1.c"] {
            let text = std::fs::read_to_string(folder.join(file)).unwrap();
            assert!(text.contains(has) && !text.contains(has_not), "{only}: {file}");
        }
        let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
        let flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-c", "cam_1_4_1.c"];
        let built = Command::new(compiler).args(flags).current_dir(&folder).output().unwrap();
        assert!(built.status.success(), "{only}: {}", String::from_utf8_lossy(&built.stderr));
        let ran = run(&[&arguments[..], &["--with-tests"]].concat(), "");
        assert_eq!(ran.code, 2, "{}", ran.stderr);
    }
}

/// Returns how many octets a 2 takes, and what an error of a decoder says of it.
const CONSTRAINED: &str = r#"
#include "m.h"
#include <stdio.h>

int main(void)
{
    static const uint8_t octets[] = {0x80};
    m_pair pair;
    rw_error error;
    char path[20];
    ptrdiff_t read = m_pair_decode_uper(&pair, octets, sizeof octets, &error);
    if (read < 0) {
        rw_path(&error, path, sizeof path);
        printf("%s %s\n", path, rw_code(error.code));
    } else {
        printf("%d\n", (int)read);
    }
    return m_pair_encode_uper(&pair, (uint8_t *)path, sizeof path, NULL) < 0 ? 0 : 1;
}
"#;

#[test]
fn decoders_in_c_check_constraints_where_they_are_asked_to() {
    let folder = folder("generate-check");
    let module = folder.join("m.asn");
    let text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN Pair ::= SEQUENCE { a INTEGER (0..3 EXCEPT 2), b BOOLEAN } END";
    std::fs::write(&module, text).unwrap();
    std::fs::write(folder.join("main.c"), CONSTRAINED).unwrap();
    let (module, output) = (module.to_str().unwrap(), folder.to_str().unwrap());
    for (check, said) in [("encode", "1\n"), ("all", "a constraint.value\n")] {
        let rules = ["--rules", "uper", "--lang", "c", "--force", "--check", check, "-o", output];
        let ran = run(&[&["generate", "-m", module][..], &rules].concat(), "");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let ran = compiled(&folder, &["main.c", "m.c"]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&ran.stdout), said);
        assert!(ran.status.success(), "an encoder takes a 2");
    }
}

#[test]
fn names_that_would_be_the_same_in_c_differ() {
    let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        Foo ::= ENUMERATED { bar-baz }
        FooBar ::= ENUMERATED { baz }
        Either ::= CHOICE { unknown NULL, unknown-addition BOOLEAN, ... }
        Flags ::= BIT STRING { bits(0), b(1) } (SIZE (2))
        All ::= SEQUENCE { x INTEGER (0..7) OPTIONAL, has-x BOOLEAN, int BOOLEAN, foo Foo, foo-bar FooBar,
            either Either, flags Flags, items SEQUENCE (SIZE (0..3)) OF Foo } END";
    let module = file("generate-c", "names.asn", module);
    let folder = folder("generate-c-names");
    let ran = run(&["generate", "-m", &module, "--rules", "uper", "--lang", "c", "-o", folder.to_str().unwrap()], "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let built = Command::new(compiler).args(["-std=c99", "-c", "m.c"]).current_dir(&folder).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let header = std::fs::read_to_string(folder.join("m.h")).unwrap();
    for name in ["M_FOO_BAR_BAZ = 0", "M_FOO_BAR_BAZ2 = 0", "M_EITHER_UNKNOWN = 0", "bool has_x_;", "bool int_;"] {
        assert!(header.contains(name), "{name}");
    }
}

#[test]
fn types_that_borrow_have_a_lifetime() {
    let folder = folder("generate-borrowed");
    let output = folder.to_str().unwrap();
    let ran = run(
        &[
            "generate",
            "-s",
            "ieee1609dot2-2017",
            "--rules",
            "oer",
            "--borrowed",
            "--elements-in-place",
            "3",
            "-o",
            output,
        ],
        "",
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let source = std::fs::read_to_string(folder.join("ieee1609dot2_2017.rs")).unwrap();
    assert!(source.contains("pub struct Ieee1609Dot2Data<'a> {"));
    assert!(source.contains("impl<'a> engine::Lent<'a, Rules> for Ieee1609Dot2Data<'a> {"));
    assert!(source.contains("wire::ExtensibleList<PsidSsp<'a>, 3>"));
}

#[test]
fn constraints_are_checked_on_decoding_where_asked() {
    let folder = folder("generate-check");
    let output = folder.to_str().unwrap();
    let run_with = |more: &[&str]| {
        let arguments = ["generate", "-s", "ieee1609dot2-2017", "--rules", "coer", "--force", "-o", output];
        run(&[&arguments[..], more].concat(), "")
    };
    for (more, on_decoding) in [(&[][..], false), (&["--check", "encode"], false), (&["--check", "all"], true)] {
        let ran = run_with(more);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let source = std::fs::read_to_string(folder.join("ieee1609dot2_2017.rs")).unwrap();
        assert!(source.contains("trail.breaks(\"(ImplicitCertificate | ExplicitCertificate)\", None);"));
        assert_eq!(source.contains("const CHECKS_DECODED: bool = true;"), on_decoding, "{more:?}");
    }
    let ran = run_with(&["--check", "never"]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
}

#[test]
fn parts_are_tapped_by_name() {
    let folder = folder("generate-tapped");
    let output = folder.to_str().unwrap();
    let run_with = |parts: &str| {
        run(&["generate", "-s", "cam-1.4.1", "--rules", "uper", "--tapped", parts, "--force", "-o", output], "")
    };
    let ran = run_with("CAM.header,CamParameters.lowFrequencyContainer");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let source = std::fs::read_to_string(folder.join("cam_1_4_1.rs")).unwrap();
    assert!(source.contains("impl<'a> engine::Tapped<'a, Rules> for Cam {"));
    assert!(source.contains(r#"(&["cam", "camParameters", "lowFrequencyContainer"], 1),"#));
    assert!(
        source.contains("tap.begins(1, w.position());") && source.contains("tap.ends(0, r.octets(), r.position());")
    );
    for (parts, why) in [
        ("CAM.nothing", "`CAM.nothing` is no component"),
        ("header", "`header` is no component"),
        ("PathPoint.pathPosition", "there are lists of PathPoint"),
    ] {
        let ran = run_with(parts);
        assert_eq!(ran.code, 1);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
    }
    let others =
        run(&["generate", "-s", "cam-1.4.1", "--rules", "jer,der", "--tapped", "CAM.header", "-o", output], "");
    assert_eq!(others.code, 2);
    assert!(others.stderr.contains("--rules has none of them"), "{}", others.stderr);
}

#[test]
fn rules_that_the_types_do_not_have_write_nothing() {
    let folder = folder("generate-rules");
    let ran = run(&["generate", "-s", "cam-1.4.1", "--rules", "uper,tls", "-o", folder.to_str().unwrap()], "");
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("presentation language"), "{}", ran.stderr);
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0);
}

#[test]
fn modules_with_errors_write_nothing() {
    let path = file("generate-errors", "m.asn", "M DEFINITIONS ::= BEGIN A ::= Bee END");
    let folder = folder("generate-nothing");
    let ran = run(&["generate", "-m", &path, "--rules", "uper", "-o", folder.to_str().unwrap()], "");
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("Bee"), "{}", ran.stderr);
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0);
}

#[test]
fn a_recursive_type_is_a_message() {
    let path = file(
        "generate-recursive",
        "m.asn",
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { a A OPTIONAL } END",
    );
    let folder = folder("generate-recursive");
    let ran = run(&["generate", "-m", &path, "--rules", "uper", "-o", folder.to_str().unwrap()], "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(std::fs::read_to_string(folder.join("m.rs")).unwrap().contains("impl engine::Message<Rules> for A {"));
    let ran = run(&["convert", "-m", &path, "--from", "jer", "--to", "uper"], r#"{"a":{}}"#);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "80\n"), "{}", ran.stderr);
}

#[test]
fn a_refused_type_is_named_with_its_place() {
    let text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\nA ::= SEQUENCE { n NULL }\nB ::= SEQUENCE { i INTEGER (0..170141183460469231731687303715884105728) }\nEND";
    let path = file("generate-refused", "m.asn", text);
    let folder = folder("generate-refused");
    let arguments = ["generate", "-m", &path, "--rules", "uper", "--integers", "word", "-o", folder.to_str().unwrap()];
    let ran = run(&arguments, "");
    assert_eq!(ran.code, 1);
    assert!(ran.stderr.contains("m.asn:3:1"), "{}", ran.stderr);
    let told: serde_json::Value =
        serde_json::from_str(&run(&[&arguments[..], &["--json"]].concat(), "").stderr).unwrap();
    assert_eq!((&told["error"]["code"], &told["error"]["line"]), (&"generate.type".into(), &3.into()));
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn integers_without_a_bound_have_any_length_or_a_word() {
    let text =
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { i INTEGER, n INTEGER (0..MAX), b INTEGER (0..9) } END";
    let path = file("generate-integers", "m.asn", text);
    let folder = folder("generate-integers");
    let fields = |more: &[&str]| {
        let arguments = ["generate", "-m", &path, "--rules", "uper", "--force", "-o", folder.to_str().unwrap()];
        let ran = run(&[&arguments[..], more].concat(), "");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let source = std::fs::read_to_string(folder.join("m.rs")).unwrap();
        ["i", "n", "b"].map(|field| {
            let line = source.lines().find(|line| line.trim().starts_with(&format!("pub {field}: "))).unwrap();
            line.trim().trim_end_matches(',').to_owned()
        })
    };
    assert_eq!(fields(&[]), ["pub i: wire::Integer", "pub n: wire::Integer", "pub b: u8"]);
    assert_eq!(fields(&["--integers", "word"]), ["pub i: i64", "pub n: u64", "pub b: u8"]);
}

/// In C, a word is the default; a number whose bounds are beyond 64 bits has its octets in any
/// case.
#[test]
fn integers_in_c_have_a_word_or_any_length() {
    let text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        A ::= SEQUENCE { i INTEGER, n INTEGER (0..MAX), b INTEGER (0..9), w INTEGER (0..18446744073709551616) }
    END";
    let path = file("generate-integers-c", "m.asn", text);
    let folder = folder("generate-integers-c");
    let fields = |more: &[&str]| {
        let rules = "uper,aper,oer,ber,der,protobuf,cbor,exi,jer";
        let arguments = ["generate", "-m", &path, "--rules", rules, "--lang", "c", "--with-tests", "--force", "-o"];
        let ran = run(&[&arguments[..], &[folder.to_str().unwrap()], more].concat(), "");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        for more in [&[][..], &["-DRW_NO_REASONS"], &["-DRW_NO_NAMES", "-Os"]] {
            let ran = compiled(&folder, &[&["m.c", "m_test.c"], more].concat()).status();
            assert!(ran.unwrap().success(), "{more:?}");
        }
        let header = std::fs::read_to_string(folder.join("m.h")).unwrap();
        ["i", "n", "b", "w"].map(|field| {
            let line = header.lines().find(|line| line.contains(&format!("; /* {field}, "))).unwrap();
            line.trim().split(';').next().unwrap().to_owned()
        })
    };
    assert_eq!(fields(&[]), ["int64_t i", "uint64_t n", "uint8_t b", "uint8_t w[9]"]);
    assert_eq!(fields(&["--integers", "any-length"]), ["rw_integer i", "rw_integer n", "uint8_t b", "uint8_t w[9]"]);
}

#[test]
fn large_parts_are_on_the_heap_and_sizes_are_told() {
    let text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        A ::= SEQUENCE { small B OPTIONAL, large C OPTIONAL, list SEQUENCE (SIZE (0..200)) OF C }
        B ::= SEQUENCE { s OCTET STRING (SIZE (0..20)) }
        C ::= CHOICE { n NULL, s OCTET STRING (SIZE (0..200)) }
    END";
    let path = file("generate-boxes", "m.asn", text);
    let folder = folder("generate-boxes");
    let generate = |more: &[&str]| {
        let arguments = ["generate", "-m", &path, "--rules", "uper", "--force", "-o", folder.to_str().unwrap()];
        let ran = run(&[&arguments[..], more].concat(), "");
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        (std::fs::read_to_string(folder.join("m.rs")).unwrap(), ran.stderr)
    };
    let (source, told) = generate(&["--box-above", "1000000"]);
    assert!(source.contains("pub large: Option<C>,") && source.contains("wire::List<C, 200>"), "{source}");
    assert!(told.contains("octets in memory, at most: M.A 41840"), "{told}");
    let (source, told) = generate(&["--box-above", "100"]);
    assert!(source.contains("pub small: Option<B>,") && source.contains("pub large: Option<Box<C>>,"), "{source}");
    assert!(source.contains("Vec<C>"), "{source}");
    assert!(told.contains("octets in memory, at most: M.A 64"), "{told}");
    let (_, told) = generate(&["--json"]);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["octets_in_memory"]["M.A"], 264, "{told}");
    let wide = text.replace("OCTET STRING (SIZE (0..20))", "SEQUENCE (SIZE (0..250)) OF OCTET STRING (SIZE (0..1024))");
    std::fs::write(&path, wide).unwrap();
    let (_, told) = generate(&["--box-above", "1000000"]);
    assert!(told.contains("roadwire: warning: M.A takes up to"), "{told}");
}

#[test]
fn messages_are_named_and_any_type_is_one() {
    let text = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN\nA ::= SEQUENCE { b B }\nB ::= SEQUENCE { n NULL }\nUnused ::= INTEGER\nEND";
    let path = file("generate-messages", "m.asn", text);
    let folder = folder("generate-messages");
    let generate = |rest: &[&str]| {
        let arguments = ["generate", "-m", &path, "--rules", "uper", "--force", "-o", folder.to_str().unwrap()];
        run(&[&arguments[..], rest].concat(), "")
    };
    // Any type is a message where it is asked for.
    let ran = generate(&["-t", "Unused"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let source = std::fs::read_to_string(folder.join("m.rs")).unwrap();
    assert!(source.contains("pub struct UnusedMessage(pub Unused);"), "{source}");
    // Without -t, it is left out beside others.
    let ran = generate(&[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("left out, as they are not a SEQUENCE, SET or CHOICE (-t takes them): M.Unused (INTEGER)"),
        "{}",
        ran.stderr
    );
    let told: serde_json::Value = serde_json::from_str(&generate(&["--json"]).stderr).unwrap();
    assert_eq!(told["left_out"], serde_json::json!(["M.Unused (INTEGER)"]));
    for (types, messages) in [("A", &["A"][..]), ("M.B", &["B"]), ("A,B", &["A", "B"])] {
        let ran = generate(&["-t", types]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let source = std::fs::read_to_string(folder.join("m.rs")).unwrap();
        for name in ["A", "B", "Unused"] {
            let is_message = source.contains(&format!("impl engine::Message<Rules> for {name} {{"));
            assert_eq!(is_message, messages.contains(&name), "{name} of {types}");
        }
    }
    assert_eq!(generate(&["-t", "Nothing"]).code, 2);
}

/// The external dependencies of generated code are those of the three crates without their default
/// features.
#[test]
fn the_help_names_the_dependencies_from_elsewhere() {
    let help = run(&["generate", "--help"], "").stdout;
    for name in ["wire", "engine", "layout"] {
        let text = std::fs::read_to_string(format!("{}/../{name}/Cargo.toml", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let lines =
            text.lines().skip_while(|line| *line != "[dependencies]").skip(1).take_while(|line| !line.starts_with('['));
        let others = lines.filter(|line| {
            !line.starts_with(['#', ' ']) && !line.starts_with("roadwire-") && !line.contains("optional")
        });
        for dependency in others.filter_map(|line| line.split_once(" =")) {
            assert!(help.contains(&format!("`{}`", dependency.0)), "{name} needs {}: {help}", dependency.0);
        }
    }
}

/// The lines of the example that `generate --help` ends with.
fn example() -> Vec<String> {
    let help = run(&["generate", "--help"], "").stdout;
    let lines: Vec<String> =
        help.lines().skip_while(|line| line.trim() != "mod cam_1_4_1;").map(|line| line.trim().to_owned()).collect();
    assert!(lines.len() > 4, "{help}");
    lines
}

#[test]
fn the_readme_has_the_example_of_the_help() {
    let readme = include_str!("../../../README.md");
    assert!(readme.contains(&format!("```rust\n{}\n```", example().join("\n").trim_end())), "{:#?}", example());
}

/// A new crate with only the dependencies that the help names; warnings are errors in it.
#[test]
fn the_example_of_the_help_compiles_in_a_new_crate_and_runs() {
    let folder = folder("generate-new-crate");
    let source = folder.join("src");
    let ran = run(&["generate", "-s", "cam-1.4.1", "--rules", "uper", "-o", source.to_str().unwrap()], "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);

    let (head, body): (Vec<_>, Vec<_>) =
        example().into_iter().partition(|line| line.starts_with("mod ") || line.starts_with("use "));
    let program = format!(
        "#![deny(warnings)]\n{}\nfn main() -> Result<(), Box<dyn std::error::Error>> {{\n\
         let octets = {:?};\nlet mut buffer = [0; 64];\n{}\n\
         assert_eq!(buffer[..length], octets);\nprintln!(\"{{}}\", cam.header.station_id);\nOk(())\n}}\n",
        head.join("\n"),
        octets(CAM_HEX),
        body.join("\n")
    );
    std::fs::write(source.join("main.rs"), program).unwrap();

    let crates = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let manifest = format!(
        "[package]\nname = \"new-crate\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n[dependencies]\n\
         roadwire-wire = {{ path = \"{crates}/wire\" }}\nroadwire-engine = {{ path = \"{crates}/engine\" }}\n\
         roadwire-layout = {{ path = \"{crates}/layout\", default-features = false }}\n"
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    // The workspace's versions, which are already on this machine.
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let built = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--offline"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    assert_eq!(String::from_utf8_lossy(&built.stdout).trim(), "469657");
}

#[test]
fn what_is_left_to_the_interpreter_is_explained() {
    let module = "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN
        A ::= SEQUENCE { a INTEGER (0..7), b REAL OPTIONAL, c B OPTIONAL }
        B ::= SEQUENCE { inner B OPTIONAL }
    END";
    let path = file("generate-explain", "explain.asn", module);
    let ran = run(&["generate", "-m", &path, "--rules", "uper,jer", "--explain"], "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let rows: Vec<Vec<&str>> = ran.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0][..2], ["message", "rules"], "{}", ran.stdout);
    assert!(rows.iter().any(|row| row[..2] == ["A", "uper"] && row.contains(&"A.b")), "{}", ran.stdout);
    assert!(rows.iter().any(|row| row[..2] == ["A", "jer"] && row.contains(&"rare")), "{}", ran.stdout);
    let shipped = run(&["generate", "-s", "cam-1.4.1", "--rules", "uper", "--explain"], "");
    assert!(shipped.stdout.contains("rare forms alone"), "{}", shipped.stdout);
    let nowhere = run(&["generate", "-s", "cam-1.4.1", "--rules", "uper"], "");
    assert!(nowhere.code == 2 && nowhere.stderr.contains("--output"), "{}", nowhere.stderr);
}

/// Values in JER and records of `capture`, of which those of other messages are left out.
#[test]
fn recorded_messages_say_which_parts_are_usual() {
    let folder = folder("generate-profile");
    let module = file(
        "profile",
        "m.asn",
        "M DEFINITIONS AUTOMATIC TAGS ::= BEGIN A ::= SEQUENCE { a INTEGER (0..9) OPTIONAL, b BOOLEAN OPTIONAL } END",
    );
    let with = r#"{"a":1}"#;
    let record = |of: &str| format!(r#"{{"frame":1,"message":{{"type":"M.{of}","value":{with}}}}}"#);
    let recorded = file("profile", "recorded.jsonl", [with, &record("A"), &record("B"), r#"{"b":true}"#].join("\n"));
    let generate = |profile: &str, json: bool| {
        let output = folder.to_str().unwrap();
        let mut arguments = vec!["generate", "-m", &module, "--rules", "uper", "--force", "-o", output];
        arguments.extend(["--profile", profile]);
        arguments.extend(json.then_some("--json"));
        run(&arguments, "")
    };
    let ran = generate(&recorded, false);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("usual: 2 of 3 messages have A.a"), "{}", ran.stderr);
    assert!(std::fs::read_to_string(folder.join("m.rs")).unwrap().contains("fn a_decode_usual("));
    let json: serde_json::Value = serde_json::from_str(&generate(&recorded, true).stderr).unwrap();
    assert_eq!(json["usual"], serde_json::json!({ "parts": ["A.a"], "messages": 2, "of": 3 }));

    let wrong = file("profile", "wrong.jsonl", "{\"a\":1}\n{\"a\":10}\n");
    let refused = generate(&wrong, false);
    assert!(refused.code != 0 && refused.stderr.contains("wrong.jsonl:2"), "{}", refused.stderr);
    let none = generate(&file("profile", "none.jsonl", record("B")), false);
    assert!(none.code != 0 && none.stderr.contains("no message of type M.A"), "{}", none.stderr);
}
