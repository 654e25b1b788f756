//! Tables have what JSON lines have: leaf by leaf, in CSV, Parquet and Arrow, with and without
//! verification.
#![cfg(feature = "columns")]

#[path = "../../source/tests/support/shared.rs"]
mod shared;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use roadwire::{Check, Rules, Schema};
use roadwire_capture::Time;
use roadwire_columns::arrays::cast::AsArray as _;
use roadwire_columns::arrays::types::{
    Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, TimestampMicrosecondType, TimestampNanosecondType,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use roadwire_columns::arrays::{Array, ArrayRef, RecordBatch};
use roadwire_columns::fields::{DataType, TimeUnit};
use roadwire_recording::{
    Builders, Error, Format, Lines, Made, Pieces, Records, Schemas, Tables, Verification, VerificationOptions, Walk,
    read,
};
use serde_json::{Value as Json, json};

/// The leaves of a record by their paths. A list is a leaf.
type Leaves = BTreeMap<String, String>;

/// The schemas that messages may be of, and whether messages are verified.
type Reading<'a> = (&'a Schemas, bool);

/// The most octets of a recording that are taken; the frame at the cut is left out.
const MOST: usize = 200_000;

#[test]
fn tables_have_every_leaf_that_lines_have() {
    let Some(captures) = shared::shared("captures") else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recording-tables");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let schemas = Schemas::new();
    let recorded = ["karloss_testmon4.pcap", "pmacoutinho_etsi-its-cam-secured.pcapng"].map(|name| {
        let octets = fs::read(captures.join(name)).expect(name);
        (name, octets[..octets.len().min(MOST)].to_vec())
    });
    for (name, octets) in recorded.into_iter().chain([("broken.pcap", broken())]) {
        let input = folder.join(name);
        fs::write(&input, octets).expect("a file");
        for verify in [false, true] {
            let lines = lines(&input, (&schemas, verify));
            assert!(lines.len() > 30, "{name}: {}", lines.len());
            let broken = lines.values().filter(|of| of.contains_key("message.violations")).count();
            assert_eq!(broken, if name == "broken.pcap" { 30 } else { 0 }, "{name}");
            // Damaged frames are not verified.
            let with_certificate = |of: &&Leaves| {
                of.get("security.signer").is_some_and(|signer| signer == "certificate")
                    && of.get("problem.code").is_none_or(|code| code != "frame.checksum")
            };
            let certificates = lines.values().filter(with_certificate).count();
            let named = lines.values().filter(with_certificate).filter(|of| of.contains_key("security.certificate"));
            assert_eq!(named.count(), if verify { certificates } else { 0 }, "{name}");
            for (format, ending) in [(Format::Csv, "csv"), (Format::Parquet, "parquet"), (Format::Arrow, "arrow")] {
                let rows = rows(&input, (&schemas, verify), format, &folder.join(format!("{verify}.{ending}")));
                assert_eq!(rows.len(), lines.len(), "{name} {ending}");
                for (frame, expected) in &lines {
                    compare(&format!("{name} {ending} frame {frame}"), format, expected, &rows[frame]);
                }
            }
        }
    }
}

#[test]
fn messages_of_own_modules_have_the_leaves_of_shipped_ones() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recording-own");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let input = folder.join("a.pcap");
    fs::write(&input, broken()).expect("a file");
    let own = Schema::shipped("cam-1.4.1").expect("a schema");
    let schemas = [Schemas::new(), Schemas::new().with_own(own, Some("CAM")).expect("a type")];
    let [shipped, own] = schemas.each_ref().map(|schemas| {
        let mut read =
            [lines(&input, (schemas, false)), rows(&input, (schemas, false), Format::Arrow, &folder.join("a.arrow"))];
        let mut names = read.iter_mut().flat_map(BTreeMap::values_mut).map(|leaves| leaves.remove("message.schema"));
        let own = names.by_ref().flatten().filter(|name| name == "CAM-PDU-Descriptions").count();
        drop(names);
        (read, own)
    });
    assert_eq!(own.0, shipped.0);
    assert_eq!((shipped.1, own.1), (0, 80));
}

/// A recording of CAMs: of every four, one keeps its constraints, one has a number out of its
/// range, one a spare item, and one too many elements in a list.
fn broken() -> Vec<u8> {
    let schema = Schema::shipped("cam-1.4.1").expect("a schema");
    let codec = |rules| schema.codec(schema.find(None).expect("a type"), rules).expect("a codec");
    let (jer, uper) = (codec(Rules::Jer), codec(Rules::Uper));
    let valid = uper.convert_checked(&jer, &hex(CAM), Check::All).expect("a CAM").value;
    let valid: Json = serde_json::from_slice(&valid).expect("JSON");
    let cam = |at: usize| {
        let mut cam = valid.clone();
        let parameters = &mut cam["cam"]["camParameters"];
        let vehicle = &mut parameters["highFrequencyContainer"]["basicVehicleContainerHighFrequency"];
        match at % 4 {
            1 => vehicle["longitudinalAcceleration"]["longitudinalAccelerationValue"] = 196.into(),
            2 => vehicle["driveDirection"] = "...(3)".into(),
            3 => {
                let point = json!({"pathPosition": {"deltaLatitude": 1, "deltaLongitude": 2, "deltaAltitude": 3}});
                let path = vec![point; 41];
                let low = json!({"vehicleRole": "default", "exteriorLights": "00", "pathHistory": path});
                parameters["lowFrequencyContainer"] = json!({"basicVehicleContainerLowFrequency": low});
            }
            _ => {}
        }
        let text = cam.to_string();
        jer.convert_checked(&uper, text.as_bytes(), Check::Encoding).expect("octets").value
    };
    let mut file = hex("d4c3b2a1 02000400 00000000 00000000 00000100 01000000");
    for at in 0..40 {
        let cam = cam(at);
        let mut frame = hex("ffffffffffff 000102030405 8947 11005001 20500200");
        frame.extend((cam.len() as u16 + 4).to_be_bytes());
        frame.extend(hex("0100 1400a1b2c3d4e5f6 84db8a10 1d4eecbc 09e4a254 800c 0384 00000000 07d1 0000"));
        frame.extend(cam);
        let length = (frame.len() as u32).to_le_bytes();
        file.extend([1_560_240_842u32.to_le_bytes(), 123_456u32.to_le_bytes(), length, length].concat());
        file.extend(frame);
    }
    file
}

const CAM: &str = "020200072a996500005a582ef22e18030c223412c708426f900053c122b69302908a74140b61fda0c0";

fn hex(digits: &str) -> Vec<u8> {
    let digits = digits.replace(' ', "");
    let octet = |at| u8::from_str_radix(&digits[at..at + 2], 16).expect("two digits");
    (0..digits.len()).step_by(2).map(octet).collect()
}

/// Leaves of the frame are equal. A leaf of the message's value has a cell that is equal, or some
/// cells below it (a bit string's octets and length).
fn compare(what: &str, format: Format, expected: &Leaves, found: &Leaves) {
    for (path, text) in expected {
        let is_value = path.starts_with("message.value.");
        match found.get(path) {
            // JSON in a cell.
            Some(cell) if path == "message.violations" && format == Format::Csv => {
                let mut leaves = Leaves::new();
                add(&serde_json::from_str(cell).expect("a list"), path, &mut leaves);
                assert_eq!(leaves[path], *text, "{what}");
            }
            Some(cell) if is_value && text.parse::<f64>().is_err() => assert!(!cell.is_empty(), "{what}: {path}"),
            Some(cell) if format == Format::Parquet && matches!(path.as_str(), "time" | "security.generated") => {
                assert_eq!(microseconds(cell), microseconds(text), "{what}: {path}");
            }
            Some(cell) => assert_eq!(cell.to_lowercase(), text.to_lowercase(), "{what}: {path}"),
            // A spare item, which a column of items cannot hold.
            None if is_value && text.starts_with("...(") => {
                let path = &path["message.value.".len()..];
                assert!(expected["message.violations"].contains(path), "{what}: {path}");
            }
            None => {
                let below = format!("{path}.");
                assert!(is_value && found.keys().any(|one| one.starts_with(&below)), "{what}: {path} is missing");
            }
        }
    }
    for path in found.keys().filter(|path| !path.starts_with("message.value")) {
        assert!(expected.contains_key(path), "{what}: {path} is in no line");
    }
}

/// A time to the microsecond, which is what Parquet keeps.
fn microseconds(time: &str) -> String {
    let time = time.trim_end_matches('Z');
    let (seconds, fraction) = time.split_once('.').unwrap_or((time, ""));
    format!("{seconds}.{:.6}", format!("{fraction:0<6}"))
}

/// Reads a recording; what its frames become is taken by `done`. An error at its end is that of the
/// cut.
fn walk(input: &Path, (schemas, verify): Reading<'_>, records: impl Fn() -> Records, mut done: impl FnMut(Made)) {
    let options = VerificationOptions { verify, ..Default::default() };
    let verification = Verification::new(&options, schemas).expect("no files");
    let walks = vec![Walk::new(schemas, records())];
    let pieces = Pieces::new(vec![input.to_owned()], records().blocks(1));
    let read = read(pieces, verification, walks, |_, walked| {
        done(walked.records);
        Ok::<_, Error>(())
    });
    read.expect("records");
}

fn lines(input: &Path, reading: Reading<'_>) -> BTreeMap<String, Leaves> {
    let mut all = BTreeMap::new();
    walk(
        input,
        reading,
        || Records::Lines(Lines::default()),
        |made| {
            let Made::Lines(lines) = made else { return };
            let written = lines.write(|text| {
                for line in text.lines() {
                    let mut leaves = Leaves::new();
                    add(&serde_json::from_str(line)?, "", &mut leaves);
                    all.insert(leaves["frame"].clone(), leaves);
                }
                Ok::<_, serde_json::Error>(())
            });
            written.expect("objects");
        },
    );
    all
}

fn add(json: &Json, path: &str, leaves: &mut Leaves) {
    let text = match json {
        Json::Object(members) => {
            for (name, inner) in members {
                add(inner, &join(path, name), leaves);
            }
            return;
        }
        Json::Array(all) if path == "message.violations" => all.iter().map(violation).collect(),
        Json::Array(_) => "list".to_owned(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    leaves.insert(path.to_owned(), text);
}

/// All members of a violation, in one text.
fn violation(of: &Json) -> String {
    let text = |member| match &of[member] {
        Json::Null => "-".to_owned(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    let members = ["path", "at", "value", "constraint", "code", "message"].map(text);
    format!("{}\n", members.join("|"))
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// All rows of all tables, by frame.
fn rows(input: &Path, reading: Reading<'_>, format: Format, path: &Path) -> BTreeMap<String, Leaves> {
    let mut tables = Tables::new(format, Some(path), true, &[]);
    walk(
        input,
        reading,
        || Records::Tables(Builders::default()),
        |made| {
            let Made::Tables(rows) = made else { return };
            rows.into_iter().for_each(|rows| tables.push(rows).expect("a table"));
        },
    );
    tables.finish().expect("tables");
    let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
    let ending = path.extension().and_then(|ending| ending.to_str()).expect("an ending");
    let folder = path.parent().expect("a folder");
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let is_table = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with(&format!("{stem}.")) && name.ends_with(&format!(".{ending}"))
    };
    let mut all = BTreeMap::new();
    for file in files.filter(is_table).collect::<Vec<_>>() {
        for leaves in match format {
            Format::Csv => csv(&file),
            Format::Parquet => {
                let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&file).expect("a file"));
                let reader = reader.and_then(|builder| builder.build()).expect("Parquet");
                reader.flat_map(|batch| of_batch(&batch.expect("a batch"))).collect()
            }
            Format::Arrow | Format::ArrowStream => {
                let reader = arrow_ipc::reader::FileReader::try_new(File::open(&file).expect("a file"), None);
                reader.expect("Arrow").flat_map(|batch| of_batch(&batch.expect("a batch"))).collect()
            }
        } {
            all.insert(leaves["frame"].clone(), leaves);
        }
        fs::remove_file(file).expect("a file");
    }
    all
}

fn csv(file: &Path) -> Vec<Leaves> {
    let text = fs::read_to_string(file).expect("text");
    let mut lines = text.lines().map(cells);
    let head = lines.next().expect("a head");
    let leaves = |line: Vec<String>| head.iter().cloned().zip(line).filter(|(_, cell)| !cell.is_empty()).collect();
    lines.map(leaves).collect()
}

fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.next_if_eq(&'"').is_some() => cells.last_mut().expect("a cell").push('"'),
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => cells.last_mut().expect("a cell").push(character),
        }
    }
    cells
}

fn of_batch(batch: &RecordBatch) -> Vec<Leaves> {
    let row = |row: usize| {
        let mut leaves = Leaves::new();
        for (field, array) in batch.schema().fields().iter().zip(batch.columns()) {
            of_array(array, row, field.name(), &mut leaves);
        }
        leaves
    };
    (0..batch.num_rows()).map(row).collect()
}

fn of_array(array: &ArrayRef, row: usize, path: &str, leaves: &mut Leaves) {
    if array.is_null(row) {
        return;
    }
    let hex = |octets: &[u8]| octets.iter().map(|octet| format!("{octet:02x}")).collect::<String>();
    let time = |nanoseconds: i64| {
        let (seconds, nanoseconds) = (nanoseconds.div_euclid(1_000_000_000), nanoseconds.rem_euclid(1_000_000_000));
        Time { seconds, nanoseconds: nanoseconds as u32 }.to_string()
    };
    macro_rules! number {
        ($of:ty) => {
            array.as_primitive::<$of>().value(row).to_string()
        };
    }
    let text = match array.data_type() {
        DataType::Struct(fields) => {
            for (field, inner) in fields.iter().zip(array.as_struct().columns()) {
                of_array(inner, row, &join(path, field.name()), leaves);
            }
            return;
        }
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let key = dictionary.normalized_keys()[row];
            return of_array(dictionary.values(), key, path, leaves);
        }
        DataType::Int8 => number!(Int8Type),
        DataType::Int16 => number!(Int16Type),
        DataType::Int32 => number!(Int32Type),
        DataType::Int64 => number!(Int64Type),
        DataType::UInt8 => number!(UInt8Type),
        DataType::UInt16 => number!(UInt16Type),
        DataType::UInt32 => number!(UInt32Type),
        DataType::UInt64 => number!(UInt64Type),
        DataType::Float64 => number!(Float64Type),
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::Utf8 => array.as_string::<i32>().value(row).to_owned(),
        DataType::Binary => hex(array.as_binary::<i32>().value(row)),
        DataType::FixedSizeBinary(_) => hex(array.as_fixed_size_binary().value(row)),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            time(array.as_primitive::<TimestampNanosecondType>().value(row))
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            time(array.as_primitive::<TimestampMicrosecondType>().value(row) * 1000)
        }
        DataType::List(_) if path == "message.violations" => {
            let objects = array.as_list::<i32>().value(row);
            let object = |at: usize| {
                let mut members = Leaves::new();
                of_array(&objects, at, "", &mut members);
                violation(&json!(members))
            };
            (0..objects.len()).map(object).collect()
        }
        _ => "list".to_owned(),
    };
    leaves.insert(path.to_owned(), text);
}
