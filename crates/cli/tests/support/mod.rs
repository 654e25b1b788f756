//! Runs the command as a user would.
#![allow(dead_code, unreachable_pub)]

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A mandatory-only CAM V1.4.1; the octets are those of asn1tools 0.167.
pub const CAM_HEX: &str = "020200072a996500005a582ef22e18030c223412c708426f900053c122b69302908a74140b61fda0c0";

/// The same as a value.
pub const CAM_JER: &str = r#"{
  "header": {"protocolVersion": 2, "messageID": 2, "stationID": 469657},
  "cam": {
    "generationDeltaTime": 25856,
    "camParameters": {
      "basicContainer": {
        "stationType": 5,
        "referencePosition": {
          "latitude": 488410769,
          "longitude": 91637345,
          "positionConfidenceEllipse": {
            "semiMajorConfidence": 282, "semiMinorConfidence": 150, "semiMajorOrientation": 900
          },
          "altitude": {"altitudeValue": 36060, "altitudeConfidence": "alt-005-00"}
        }
      },
      "highFrequencyContainer": {
        "basicVehicleContainerHighFrequency": {
          "heading": {"headingValue": 1340, "headingConfidence": 10},
          "speed": {"speedValue": 1389, "speedConfidence": 20},
          "driveDirection": "forward",
          "vehicleLength": {"vehicleLengthValue": 42, "vehicleLengthConfidenceIndication": "noTrailerPresent"},
          "vehicleWidth": 18,
          "longitudinalAcceleration": {
            "longitudinalAccelerationValue": -3, "longitudinalAccelerationConfidence": 2
          },
          "curvature": {"curvatureValue": 12, "curvatureConfidence": "onePerMeter-0-002"},
          "curvatureCalculationMode": "yawRateUsed",
          "yawRate": {"yawRateValue": -150, "yawRateConfidence": "degSec-001-00"}
        }
      }
    }
  }
}"#;

/// A mandatory-only DENM; the octets are those of asn1tools 0.167.
pub const DENM_HEX: &str = "020100072a99000003954c800392e62f5b0404b98bd6c4252c1779170c0186111a0963842137c805";

#[derive(PartialEq)]
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    pub raw: Vec<u8>,
}

/// The command, to be started.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_roadwire"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs it to its end. A panic of the command fails the test, whatever the test looks for.
pub fn run(arguments: &[&str], stdin: impl AsRef<[u8]>) -> Ran {
    let mut child = command(arguments).spawn().expect("the command starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    let input = stdin.as_ref().to_vec();
    let feeder = std::thread::spawn(move || {
        // It may end before it has read all.
        let _ = pipe.write_all(&input);
    });
    let output = child.wait_with_output().expect("it ends");
    feeder.join().expect("fed");
    ran(output)
}

pub fn ran(output: Output) -> Ran {
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!stderr.contains("panicked"), "{stderr}");
    let code = output.status.code().expect("it was not killed");
    Ran { code, stdout: String::from_utf8_lossy(&output.stdout).into_owned(), stderr, raw: output.stdout }
}

/// A new empty folder for one test.
pub fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A file in it, as an argument.
pub fn file(test: &str, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder(&format!("{test}-{name}")).join(name);
    std::fs::write(&path, content).expect("a file");
    path.to_str().expect("UTF-8").to_owned()
}

/// All names in a folder, in order.
pub fn names(folder: &std::path::Path) -> Vec<String> {
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = std::fs::read_dir(folder).expect("a folder").map(name).collect();
    names.sort();
    names
}

/// Octets from hex.
pub fn octets(hex: &str) -> Vec<u8> {
    hex.as_bytes().chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// The signals that end a program, without those that are ignored here: SIGINT in the background of
/// a shell, SIGHUP under `nohup`. Programs inherit that.
pub fn ending_signals() -> Vec<&'static str> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    let (ignored, ending): (Vec<_>, Vec<_>) =
        [("HUP", 1), ("INT", 2), ("TERM", 15)].into_iter().partition(|(_, number)| ignored & 1 << (number - 1) != 0);
    ignored.iter().for_each(|(name, _)| eprintln!("skipped: SIG{name} is ignored here"));
    ending.into_iter().map(|(name, _)| name).collect()
}

/// The frames that another program read in a recording: an object for each, in the folder
/// `extracted` beside it.
pub fn extracted(capture: &std::path::Path) -> Vec<serde_json::Value> {
    use std::io::Read as _;
    let stem = capture.file_stem().expect("a name").to_string_lossy().into_owned();
    let file = capture.with_file_name("extracted").join(format!("{stem}.jsonl.gz"));
    let mut text = String::new();
    let zipped = std::fs::File::open(file).expect("the extracted frames");
    flate2::read::GzDecoder::new(zipped).read_to_string(&mut text).expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}
