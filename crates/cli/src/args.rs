//! The command line's grammar. Names and meanings here are stable: scripts depend on them.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};

use roadwire_airtime::{Rate, Security};
use roadwire_frontend::Allow;
use roadwire_layout::Rules;
use roadwire_recording::in_order::MOST_JOBS;
use roadwire_recording::octets::OctetFormat;
use roadwire_recording::{VerificationOptions, verification};
use roadwire_security::dot2::ProfileChoice;
use roadwire_security::dot2::schema::ThreeDLocation;
use roadwire_security::{HashedId8, Verdict};

/// ASN.1 to every encoding a road message can travel in, and the laboratory that measures them.
#[derive(Debug, Parser)]
#[command(name = "roadwire", version, max_term_width = 110, after_help = EXIT_CODES, arg_required_else_help = true)]
pub(crate) struct Cli {
    /// Errors (and lists) as JSON objects, one on each line
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "\
Examples:
  roadwire list schemas
  roadwire convert -s cam-1.4.1 --from uper --to jer cam.hex
  roadwire inspect -s denm-1.3.1 --rules uper denm.bin
  roadwire study --quick

Exit codes: 0 done; 1 the input was refused, or a study's gate failed; 2 wrong
usage (an unknown option, schema or type, a file that cannot be read or
written). A closed pipe ends quietly, with 0.

`roadwire COMMAND --help` explains a command, with examples.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run studies and write the report
    #[cfg(feature = "lab")]
    Study(StudyArgs),
    /// Convert values from one encoding to another
    Convert(ConvertArgs),
    /// Show every bit of a message: offset, bits, field, value, and its meaning
    Inspect(InspectArgs),
    /// One value in every encoding: octets, and where the bits go
    Compare(CompareArgs),
    /// The least and the most octets of a type in every encoding, of all its values
    Bounds(BoundsArgs),
    /// Your own message in every encoding: octets, time, memory, air time
    #[cfg(feature = "lab")]
    Bench(BenchArgs),
    /// Random values of a type, drawn as you say
    Random(RandomArgs),
    /// Octets as time on the channel, and how many stations fit
    Airtime(AirtimeArgs),
    /// Recorded traffic, frame by frame
    Capture(CaptureArgs),
    /// Identify octets of unknown origin: schema, type and encoding rules
    Guess(GuessArgs),
    /// Sign a message
    Sign(SignArgs),
    /// The verdict on a signed message
    Verify(VerifyArgs),
    /// Compare two schemas: the changes, and which version still understands the other
    Diff(DiffArgs),
    /// Turn values of one schema into another's, and list parts without a place
    Migrate(MigrateArgs),
    /// Check ASN.1 modules
    Check(CheckArgs),
    /// Write codecs as source code
    Generate(GenerateArgs),
    /// Print the mapping to another schema language that an encoding uses
    Schema(SchemaArgs),
    /// List schemas, types or encoding rules
    List(ListArgs),
    /// One measured call, for Callgrind
    #[command(hide = true)]
    #[cfg(feature = "lab")]
    Probe(ProbeArgs),
}

/// Which types: a shipped schema, or the user's modules.
#[derive(Debug, Args)]
#[group(id = "which_schema", required = true, multiple = false, args = ["schema", "modules"])]
pub(crate) struct SchemaChoice {
    /// A schema that roadwire ships (see `roadwire list schemas`)
    #[arg(short = 's', long = "schema", value_name = "NAME")]
    pub(crate) schema: Option<String>,
    /// A file of ASN.1 modules; repeat it for more, in any order
    #[arg(short = 'm', long = "module", value_name = "FILE")]
    pub(crate) modules: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// How the user's modules are read.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Reading {
    /// Accept modules that deviate from the standard, with a warning: `underscores` (names with
    /// underscores, kept as written). Separated by commas
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(crate) allow: Vec<Allow>,
}

/// Where octets come from, and their format.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// The input file, or `-` for stdin
    #[arg(value_name = "INPUT", default_value = "-")]
    pub(crate) input: PathBuf,
    /// How the input's octets are written [default: hex on stdin, else detected]
    #[arg(long = "in", value_name = "FORMAT", value_parser = octet_format())]
    pub(crate) format: Option<OctetFormat>,
}

/// Where a value is written, and the format of its octets.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// How the output's octets are written [default: hex on stdout, else by the file's ending]
    #[arg(id = "output_format", long = "output-format", value_name = "FORMAT", value_parser = octet_format())]
    pub(crate) format: Option<OctetFormat>,
    /// Write to this file instead of stdout
    #[arg(id = "output", short = 'o', long = "output", value_name = "FILE")]
    pub(crate) path: Option<PathBuf>,
    /// Write over an existing file
    #[arg(long)]
    pub(crate) force: bool,
}

/// How the message of a frame with a wrong frame check sequence is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Checksum {
    /// It is shown as octets
    Refuse,
    /// It is decoded
    Ignore,
}

/// The names of formats of octets, for people and scripts.
fn octet_format() -> impl TypedValueParser<Value = OctetFormat> {
    const FORMATS: [(&str, &str, OctetFormat); 3] = [
        ("hex", "Hexadecimal digits; white space is ignored", OctetFormat::Hex),
        ("bin", "The octets themselves", OctetFormat::Bin),
        ("base64", "Base64 (RFC 4648 §4); white space is ignored", OctetFormat::Base64),
    ];
    let names = PossibleValuesParser::new(FORMATS.map(|(name, help, _)| PossibleValue::new(name).help(help)));
    names.map(|found| FORMATS.iter().find(|(name, ..)| *name == found).map_or(OctetFormat::Hex, |(.., format)| *format))
}

#[derive(Debug, Args)]
#[command(after_help = "\
INPUT is one value. Text forms (jer) are UTF-8; octets are hex on stdin and
stdout, and detected in files.
With --lines each input line is one value and each output line its conversion,
in order, flushed as it goes. A line that fails becomes `error: ...` in its
place (with --json, an object); the others are still converted, and the exit
code is 1.
With --force, an earlier FILE is replaced when the new one is whole: what is
refused, a full disk or an interruption leaves it as it was. With --lines that is
when the input has ended, if any line was converted; a stream without an end goes
to stdout or to a new FILE, which grows line by line.
Messages that roadwire ships (-s, of a PDU) are converted by generated code where
it takes them, and otherwise by the interpreter, which also says what is wrong:
the answer is the same, only faster. --interpreted leaves all to the interpreter,
to compare the two.

Examples:
  echo 02025d55... | roadwire convert -s cam-1.4.1 --from uper --to jer
  roadwire convert -s cam-1.4.1 --from jer --to uper cam.json
  roadwire convert -s denm-1.3.1 --from uper --to jer --lines denms.hex > denms.jsonl
  roadwire convert -s cam-1.4.1 --from uper --to coer --lines --interpreted cams.hex
  roadwire convert -m my.asn -t My-Module.Message --from jer --to uper m.json -o m.bin")]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) schema: SchemaChoice,
    /// The type, as `Type` or `Module.Type` [default: the schema's one PDU]
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub(crate) type_name: Option<String>,
    /// The encoding rules of the input (see `roadwire list rules`)
    #[arg(long, value_name = "RULES")]
    pub(crate) from: Rules,
    /// The encoding rules of the output
    #[arg(long, value_name = "RULES")]
    pub(crate) to: Rules,
    /// Each line is one value
    #[arg(long)]
    pub(crate) lines: bool,
    /// With --lines, work on N of them at once, on as many cores; the output is the same, in the
    /// same order [default: as many as there are cores]
    #[arg(short = 'j', long, value_name = "N", requires = "lines", value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_JOBS)))]
    pub(crate) jobs: Option<u16>,
    /// Write XML with one element on each line, for reading (JSON is always written like this)
    #[arg(long)]
    pub(crate) pretty: bool,
    /// Ignore members of extensible types that the schema does not know, in text input
    #[arg(long)]
    pub(crate) lenient: bool,
    /// Refuse input that is valid but not the canonical encoding of its value, which signatures
    /// require, or whose value breaks any constraint
    #[arg(long, conflicts_with = "lenient")]
    pub(crate) strict: bool,
    /// Which constraints refuse a value: all, those that the encoding needs (the others are listed
    /// on stderr), or those alone without a list [default: all for values that come as text,
    /// encoding for octets]
    #[arg(long, value_name = "WHICH", conflicts_with = "strict")]
    pub(crate) check: Option<Checking>,
    /// Leave all to the interpreter, also where there is faster generated code: the output is the
    /// same
    #[arg(long)]
    pub(crate) interpreted: bool,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Columns: offset in bits; the bits; what they are; their value; the field. A value
of more than 40 characters ends in `…`; --json has all of it. On broken input
everything up to the error is printed, then the error, and the exit code is 1.
The interpreter reads every message: generated code has no hooks for single bits.

Examples:
  roadwire inspect -s cam-1.4.1 --rules uper cam.bin
  echo 02025d55... | roadwire inspect -s cam-1.4.1 --rules uper
  roadwire inspect -s cam-1.4.1 --rules uper --json cam.hex | jq 'select(.what == \"presence\")'")]
pub(crate) struct InspectArgs {
    #[command(flatten)]
    pub(crate) schema: SchemaChoice,
    /// The type, as `Type` or `Module.Type` [default: the schema's one PDU]
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub(crate) type_name: Option<String>,
    /// The encoding rules of the input
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: Rules,
    /// Refuse a message whose value breaks any constraint; all of its bits are shown as far as they
    /// can be read
    #[arg(long)]
    pub(crate) strict: bool,
    /// Which constraints end the list of bits: all, those that the encoding needs (the others are
    /// listed after it), or those alone without a list
    #[arg(long, value_name = "WHICH", default_value = "encoding")]
    pub(crate) check: Checking,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Columns: the least and the most octets of an encoding, of all values that the type has,
also of those outside extensible roots; the most of values in extensible roots; octets of
memory that a value takes at most in generated Rust, on a machine of 64 bits and without
what it has on the heap; and where there is no greatest size, the first component that has
none, or that contains itself. Octets of additions that this version does not know come on
top. Only packed and XML encodings see an extensible root; in others its numbers and sizes
take what any take. With --json numbers are numbers, and null is no end.
With --stack: octets of stack that a call of generated C takes, with all that it calls but
functions of the C library, compiled with -O2: of shipped messages in UPER, OER, COER and DER
from a table of gcc 12 on x86-64, which --json prints in any case; elsewhere by cc, or what CC
names, which has to be gcc (it knows what calls what). Unknown without it, without C, and of a
type that contains itself.
With --instructions: instructions that decoding in generated C takes at most, for values in
extensible roots and for all that is refused, without saying why. They are counted in the plan
of the decoder, with costs that were fitted to messages that were run: a bound for planning,
and no proof. It is that of the longest message, or of 2304 octets, a frame's body, if that has
no end. None in CBOR, JER and XER, for lists without a greatest size, and types that contain
themselves.

Examples:
  roadwire bounds -s cam-1.4.1
  roadwire bounds -s denm-1.3.1 --rules uper,oer,jer
  roadwire bounds -s cam-1.4.1 --rules uper --stack --instructions
  roadwire bounds -m my.asn -t Message --json | jq -r '[.rules, .most] | @tsv'")]
pub(crate) struct BoundsArgs {
    #[command(flatten)]
    pub(crate) schema: SchemaChoice,
    /// The type, as `Type` or `Module.Type`; repeat it for more [default: all PDUs]
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,
    /// The encoding rules, separated by commas [default: all]
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub(crate) rules: Vec<Rules>,
    /// Adds the stack that generated C takes
    #[arg(long)]
    pub(crate) stack: bool,
    /// Adds the instructions that decoding in generated C takes
    #[arg(long)]
    pub(crate) instructions: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Columns: octets in all, and bits by cause: the value itself; presence (which
optional parts and additions there are); lengths and counts; tags (which
alternative, which component); names and the signs around them; padding.
The interpreter knows the cause of each bit, so generated code is not used.

Examples:
  roadwire compare -s cam-1.4.1 cam.json
  echo 02025d55... | roadwire compare -s cam-1.4.1 --from uper
  roadwire compare -m my.asn -t Message --json m.json | jq -r '[.rules, .octets] | @tsv'")]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) schema: SchemaChoice,
    /// The type, as `Type` or `Module.Type` [default: the schema's one PDU]
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub(crate) type_name: Option<String>,
    /// The encoding rules of the input
    #[arg(long, value_name = "RULES", default_value = "jer")]
    pub(crate) from: Rules,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[cfg(feature = "lab")]
#[derive(Debug, Args)]
#[command(after_help = "\
First come answers: the fewest octets, the least time, the least memory, and what
that means on the channel. Then there is a line for each encoding: octets; microseconds
on the air (CAM's headers, signed with the digest of a certificate, IEEE 802.11p at
6 Mbit/s; `roadwire airtime` has others); the share of bits that are the value itself;
nanoseconds to encode and to decode; instructions for both; octets of heap and of
stack. Of several values these are means.

Generated code is measured of messages that roadwire ships, and of your own modules
with --source, which compiles it; the interpreter always is. Other implementations
take part where they have the message: those that are linked always, the others with
--peers. Absent parts are named with the reason. Instructions are counted if valgrind
is installed.

With --json there is an object for each encoding. With --out, DIR has a page (index.html),
records.jsonl, times.csv, sizes.csv, values.jsonl, and files.csv, which says what is in each.

Examples:
  roadwire bench -s cam-1.4.1 cam.json
  roadwire bench -m probe.asn report.json
  roadwire bench -m probe.asn --source ~/roadwire report.json
  roadwire bench -m probe.asn -t Report --rules uper,coer,jer --out report a.json b.json
  roadwire bench -s cam-1.4.1 --from uper --lines recorded.hex
  roadwire bench -s cam-1.4.1 --json cam.json | jq -r '[.rules, .octets] | @tsv'")]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    pub(crate) schema: SchemaChoice,
    /// The type, as `Type` or `Module.Type` [default: the schema's one PDU]
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub(crate) type_name: Option<String>,
    /// Files with a value each, or `-` for stdin
    #[arg(value_name = "VALUE", required = true)]
    pub(crate) values: Vec<PathBuf>,
    /// The encoding rules of the values
    #[arg(long, value_name = "RULES", default_value = "jer")]
    pub(crate) from: Rules,
    /// How octets of values are written [default: hex on stdin, else detected]
    #[arg(long = "in", value_name = "FORMAT", value_parser = octet_format())]
    pub(crate) format: Option<OctetFormat>,
    /// Each line of a file is one value
    #[arg(long)]
    pub(crate) lines: bool,
    /// The encoding rules to compare, separated by commas [default: all in which the type has an
    /// encoding]
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub(crate) rules: Vec<Rules>,
    /// Other implementations to measure in the same run: a folder with one for each, such as
    /// `peers` in roadwire's repository. It builds and runs the programs of that folder, with your
    /// rights
    #[arg(long, value_name = "DIR")]
    pub(crate) peers: Option<PathBuf>,
    /// A checkout of roadwire, to compile generated code for your own modules with. It needs cargo
    #[arg(long, value_name = "DIR")]
    pub(crate) source: Option<PathBuf>,
    /// Fewer samples: figures to look at, not to publish
    #[arg(long)]
    pub(crate) quick: bool,
    /// Seed of all random orders [default: from the time of day]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// A folder for records and tables; files of an earlier run in it are moved to a folder in
    /// `earlier/`
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Each value is on a line, as JER or in the encoding of --to. All keep the constraints
of the type; the same seed gives the same values. Without --distribution, all that
the type allows may come: optional parts half of the time, extension additions in a
fifth, numbers and lengths at their limits more often than elsewhere.

The file of --distribution says how parts are drawn. It is TOML:

  [[component]]
  path = \"header.stationID\"          # as in errors
  uniform = { from = 1, to = 1000 }    # also: normal = { mean = 50, sd = 4.5 }
  [[component]]
  path = \"lane\"
  present = 0.8                        # of OPTIONAL, DEFAULT, additions
  values = [1, 2]                      # JER; or value = 1
  weights = [3, 1]
  [[component]]
  path = \"points\"
  length = { from = 0, to = 40 }       # or 7, or { values = [1, 2], weights = [9, 1] }
  [[component]]
  path = \"points[].kind\"             # of each element
  alternatives = { edge = 1, corner = 3 }

A path that the type does not have, and a value that it does not allow, are errors
with line and column. docs/distributions.md has the whole format.

Examples:
  roadwire random -s cam-1.4.1
  roadwire random -m probe.asn -n 1000 --seed 7 --distribution city.toml
  roadwire random -s denm-1.3.1 -n 20 --to uper | roadwire convert -s denm-1.3.1 --from uper --to coer --lines
  roadwire random -m probe.asn -n 100 --seed 7 | roadwire bench -m probe.asn --lines -")]
pub(crate) struct RandomArgs {
    #[command(flatten)]
    pub(crate) schema: SchemaChoice,
    /// The type, as `Type` or `Module.Type` [default: the schema's one PDU]
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub(crate) type_name: Option<String>,
    /// How many values
    #[arg(short = 'n', long, value_name = "N", default_value = "1")]
    pub(crate) count: u64,
    /// The seed of all draws [default: from the time of day; it is then on stderr]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// The encoding rules of the values
    #[arg(long, value_name = "RULES", default_value = "jer")]
    pub(crate) to: Rules,
    /// A file that says how parts are drawn
    #[arg(long, alias = "distributions", value_name = "FILE")]
    pub(crate) distribution: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
For each line of the input, a message in hex, the answers with the best first:
score, schema, type, rules, and why. A message is read as every PDU of every shipped
schema under all rules. Of those that take all octets, the score says how surely they
are not something else: 1 is certain, and below 0.5 it may as well be. It counts the bits
that agree although they need not (tags, lengths, limits of fields, padding).
Versions of a message that all take the octets are all named. A GeoNetworking packet
is named with what is inside.
With --json there is one array on each output line. The exit code is 1 if there is no
answer for a line. Octets in base64 or as they are (--in) are one message.

Examples:
  echo 02025d55... | roadwire guess
  roadwire guess --rules uper,coer messages.hex
  roadwire guess --json messages.hex | jq -r '.[0] | [.schema, .rules, .score] | @tsv'
  roadwire guess --in bin certificate.oer")]
pub(crate) struct GuessArgs {
    /// Encoding rules to try [default: all]
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub(crate) rules: Vec<Rules>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("what").required(true).args(["schema", "modules", "octets"])), after_help = "\
Columns: octets of the message, of BTP, of GeoNetworking, of the security envelope,
of LLC and MAC, and of the frame; microseconds on the air in IEEE 802.11p at 10 MHz;
how many stations fill the channel up to the limit if no frames overlap; and how
many do with LTE-V2X (five subchannels of ten blocks, MCS 7) and NR-V2X (the same,
15 kHz), both near the 6 Mbit/s of IEEE 802.11p. --json has each layer's clause, and
what DCC allows (TS 102 687) at the limit.

Envelopes: none; v1-digest and v1-certificate (TS 103 097 V1.2.1); 1609.2-digest and
1609.2-certificate (IEEE 1609.2 in the profile of TS 103 097 V1.3.1). A certificate
has one key, permissions for CAM and DENM, and no region.

Examples:
  roadwire airtime -s cam-1.4.1 --from uper cam.hex
  roadwire airtime -s denm-1.3.1 --transport area --rules uper,coer,jer denm.json
  roadwire airtime --octets 200 --octets 400 --rate 12 --hz 5
  roadwire airtime -s cam-1.4.1 --json cam.json | jq -r '[.rules, .security, .us] | @tsv'")]
pub(crate) struct AirtimeArgs {
    /// A schema that roadwire ships (see `roadwire list schemas`)
    #[arg(short = 's', long = "schema", value_name = "NAME", conflicts_with_all = ["modules", "octets"])]
    pub(crate) schema: Option<String>,
    /// A file of ASN.1 modules; repeat it for more, in any order
    #[arg(short = 'm', long = "module", value_name = "FILE", conflicts_with = "octets")]
    pub(crate) modules: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// A message of so many octets, instead of a value; repeat it for more
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["type_name", "from", "rules", "input", "format"])]
    pub(crate) octets: Vec<u32>,
    /// The type, as `Type` or `Module.Type` [default: the schema's one PDU]
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub(crate) type_name: Option<String>,
    /// The encoding rules of the input
    #[arg(long, value_name = "RULES", default_value = "jer")]
    pub(crate) from: Rules,
    /// The encoding rules to compare, separated by commas [default: all in which the type has an
    /// encoding]
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub(crate) rules: Vec<Rules>,
    /// The envelopes to compare, separated by commas
    #[arg(long, value_name = "ENVELOPES", value_delimiter = ',', value_parser = envelope, default_value = "none,1609.2-digest,1609.2-certificate")]
    pub(crate) security: Vec<Security>,
    /// The transport type of GeoNetworking
    #[arg(long, value_name = "HOW", default_value = "single-hop")]
    pub(crate) transport: TransportChoice,
    /// Megabits a second: 3, 4.5, 6, 9, 12, 18, 24 or 27
    #[arg(long, value_name = "RATE", default_value = "6", value_parser = data_rate)]
    pub(crate) rate: Rate,
    /// Messages a second of each station: 0.1 to 100
    #[arg(long, value_name = "NUMBER", default_value = "10", value_parser = hertz)]
    pub(crate) hz: f64,
    /// The channel load to fill: above 0, at most 1
    #[arg(long, value_name = "SHARE", default_value = "0.6", value_parser = share)]
    pub(crate) limit: f64,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

/// A transport type of GeoNetworking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TransportChoice {
    /// To all neighbours (SHB): CAM
    SingleHop,
    /// To all stations within some hops (TSB)
    ManyHops,
    /// To an area (GBC): DENM
    Area,
    /// To one station (GUC)
    One,
}

fn envelope(text: &str) -> Result<Security, String> {
    let names = Security::ALL.map(Security::name).join(", ");
    Security::ALL.into_iter().find(|one| one.name() == text).ok_or_else(|| format!("the envelopes are {names}"))
}

fn data_rate(text: &str) -> Result<Rate, String> {
    let rates = Rate::ALL.map(|rate| rate.to_string()).join(", ");
    text.parse().ok().and_then(Rate::from_megabits).ok_or_else(|| format!("the rates are {rates}"))
}

fn hertz(text: &str) -> Result<f64, String> {
    number(text, 0.1, 100.0)
}

fn share(text: &str) -> Result<f64, String> {
    number(text, 1e-6, 1.0)
}

fn number(text: &str, least: f64, most: f64) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("it is a number from {least} to {most}"))
}

/// Two schemas: the old one and the new one.
#[derive(Debug, Args)]
pub(crate) struct TwoSchemas {
    /// The two schemas as options: shipped schemas, the old one and then the new one
    #[arg(short = 's', long = "schema", value_name = "NAME", conflicts_with = "modules")]
    pub(crate) schemas: Vec<String>,
    /// The two schemas as options: a file of modules each, the old one and then the new one
    #[arg(short = 'm', long = "module", value_name = "FILE")]
    pub(crate) modules: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The type, as `Type` or `Module.Type` [default: each schema's one PDU]
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub(crate) type_name: Option<String>,
    /// The type of the new schema, if it is named differently there
    #[arg(long, value_name = "TYPE", requires = "type_name")]
    pub(crate) to_type: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
A schema is the name of one that roadwire ships, a module file, or several files
joined by commas; write ./NAME for a file that is called as a shipped schema.

First come the changes, by field. Then a row for each encoding: whether values
that both versions have are the same octets, what the new version makes of
messages of the old one, and the old one of those of the new one:
  all          every message is read as it is
  skips        every message is read; what the reader does not know is skipped
  some         some messages are read, the others refused
  none         every message is refused
  astray       the reader loses its place in some messages; those that were tried
               were refused, but others may be taken for something else
  MISREADS     some messages are taken for others, unnoticed
  MISTAKE      proof and trial contradict each other, a mistake of roadwire's;
               the other rows stand
A proven row follows from the layouts: nothing worse can happen; and that it does
happen is shown by an example among the random values that were tried. The rest
is marked `not proven`.

Examples:
  roadwire diff cam-1.3.0 cam-1.4.1
  roadwire diff old.asn new.asn -t Message --rules uper,jer
  roadwire diff old.asn,common.asn new.asn,common.asn --json
  roadwire diff -s denm-1.2.0 -s denm-1.3.1 --exit-code

Exit codes: 0 done; with --exit-code 1 if a value's octets differ or a message is
not read as it is; 1 also if a row is a MISTAKE.")]
pub(crate) struct DiffArgs {
    /// The old schema and the new one
    #[arg(value_name = "SCHEMA", num_args = 0..=2)]
    pub(crate) versions: Vec<String>,
    #[command(flatten)]
    pub(crate) schemas: TwoSchemas,
    /// The encoding rules, separated by commas [default: all in which both types have an encoding]
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub(crate) rules: Vec<Rules>,
    /// How many random values of each version are tried; more, if an example is still missing
    #[arg(long, value_name = "NUMBER", default_value = "300", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) values: u32,
    /// Seed of the random values
    #[arg(long, value_name = "NUMBER", default_value = "1")]
    pub(crate) seed: u64,
    /// Exit with 1 if there is any difference that messages show
    #[arg(long)]
    pub(crate) exit_code: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
FROM and TO are schemas as in `roadwire diff`. A value is carried over by names,
and by place where only a name changed. A part without a place in the other schema is
left out, with the nearest optional component around it, and listed on stderr:
the field, and why. With --strict that is an error. A component that the other
schema requires and the value does not have is an error, unless --set gives it.

FIELD names a component of the other schema as errors do, with `[]` for each
element of a list; VALUE is JER. A component that has a value keeps it.

Examples:
  roadwire migrate cam-1.3.0 cam-1.4.1 --from uper cam.hex
  roadwire migrate old.asn new.asn --from uper --set route.kind='\"fast\"' --set 'stops[].time=0' m.hex
  roadwire migrate old.asn new.asn -t Message --from jer --to uper m.json
  roadwire migrate -s denm-1.3.1 -s denm-1.2.0 --from uper --lines denms.hex")]
pub(crate) struct MigrateArgs {
    /// The value's schema, the other schema, and the input file, or `-` for stdin
    #[arg(value_name = "FROM TO INPUT", num_args = 0..=3)]
    pub(crate) words: Vec<String>,
    #[command(flatten)]
    pub(crate) schemas: TwoSchemas,
    /// The encoding rules of the input (see `roadwire list rules`)
    #[arg(long, value_name = "RULES")]
    pub(crate) from: Rules,
    /// The encoding rules of the output [default: those of the input]
    #[arg(long, value_name = "RULES")]
    pub(crate) to: Option<Rules>,
    /// Each line is one value; a line that fails becomes `error: ...` in its place
    #[arg(long)]
    pub(crate) lines: bool,
    /// With --lines, work on N of them at once, on as many cores; the output is the same, in the
    /// same order [default: as many as there are cores]
    #[arg(short = 'j', long, value_name = "N", requires = "lines", value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_JOBS)))]
    pub(crate) jobs: Option<u16>,
    /// Refuse values with anything that has no place
    #[arg(long)]
    pub(crate) strict: bool,
    /// A value for a component of the other schema, where the value has none; repeat it for more
    #[arg(long, value_name = "FIELD=VALUE")]
    pub(crate) set: Vec<String>,
    /// How the input's octets are written [default: hex on stdin, else detected]
    #[arg(long = "in", value_name = "FORMAT", value_parser = octet_format())]
    pub(crate) format: Option<OctetFormat>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "\
All files are read together, in any order; imports are resolved among them.
Diagnostics go to stderr with file, line, column and the source line; --json
gives each as an object. Exit code 1 on errors; warnings alone leave it at 0.
Notes say which constraints are not checked on values (CONSTRAINED BY and others).

Examples:
  roadwire check my-module.asn
  roadwire check CAM.asn ITS-Container.asn
  roadwire check --allow underscores generated.asn")]
pub(crate) struct CheckArgs {
    /// Files of ASN.1 modules; `-` is stdin
    #[arg(value_name = "MODULE", required = true)]
    pub(crate) modules: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  roadwire generate -s cam-1.4.1 --rules uper,coer --explain
  roadwire generate -s cam-1.4.1 --rules uper --lang rust -o src
  roadwire generate -s denm-1.3.1 --rules uper --profile recorded.jsonl -o src
  roadwire generate -s cam-1.4.1 --rules uper --lang c --with-tests -o src

The last writes src/cam_1_4_1.h, src/cam_1_4_1.c and src/roadwire_rt.h, in C99 without
a library, and src/cam_1_4_1_test.c, which tests them; CMakeLists.txt and
cam_1_4_1.pc.in build and install them with CMake:

  static cam_cam cam;
  ptrdiff_t octets = cam_cam_decode_uper(&cam, in, size, &error);
  octets = cam_cam_encode_uper(&cam, out, sizeof out, &error);

The second writes src/cam_1_4_1.rs, which needs three crates of roadwire's repository, with
one from elsewhere, `arrayvec`: roadwire-wire, roadwire-engine, and roadwire-layout
with `default-features = false`. All are no_std. A comment at the head of the file
says which features of roadwire-engine it needs: on a microcontroller, ask for those
alone.
Unless `alloc` is among them, no allocator is needed. To use it:

  mod cam_1_4_1;
  use {cam_1_4_1::Cam, roadwire_engine::Message, roadwire_layout::Uper};

  let mut cam = Cam::default();
  Message::<Uper>::decode(&mut cam, &octets)?;
  let length = Message::<Uper>::encode(&cam, &mut buffer)?;")]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    pub(crate) schema: SchemaChoice,
    /// The types that are messages, as `Type` or `Module.Type`, separated by commas [default: the
    /// schema's PDUs, or those that no other type contains]
    #[arg(short = 't', long = "type", value_name = "TYPES", value_delimiter = ',')]
    pub(crate) types: Vec<String>,
    /// The encoding rules, separated by commas
    #[arg(long, value_name = "RULES", value_delimiter = ',', required = true)]
    pub(crate) rules: Vec<Rules>,
    /// The language to write
    #[arg(long, value_name = "LANG", default_value = "rust")]
    pub(crate) lang: Language,
    /// The beginning of all names in C [default: the schema's name up to its version]
    #[arg(long, value_name = "NAME")]
    pub(crate) prefix: Option<String>,
    /// A further file in C, `<schema>_test.c`: random messages that have to be read, and written
    /// again as they are, on your own target too
    #[arg(long)]
    pub(crate) with_tests: bool,
    /// Encoders or decoders alone, in C
    #[arg(long, value_name = "WAY")]
    pub(crate) only: Option<Only>,
    /// Types borrow octet strings and UTF-8 text from the input: decode with `Lent::decode_lent`
    #[arg(long)]
    pub(crate) borrowed: bool,
    /// Parts as `Type.component`, separated by commas: `Tapped::encode_tapped` and `decode_tapped`
    /// call the program where these begin and end, to hash signed data in the same pass (uper,
    /// aper, oer, coer, tls)
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    pub(crate) tapped: Vec<String>,
    /// Recorded messages, one on each line: values in JER, or records of `capture`. Messages with
    /// the optional parts that most of them have get straight-line code of their own (uper, aper,
    /// oer, coer); for one message, see -t
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// How many elements of a list without a bound are stored inline; longer lists are on the heap
    #[arg(long, value_name = "COUNT", default_value = "0")]
    pub(crate) elements_in_place: u16,
    /// Parts that take more memory than this many octets are on the heap: SEQUENCEs, SETs and
    /// CHOICEs in a `Box`, elements of lists in a `Vec`
    #[arg(long, value_name = "OCTETS", default_value_t = roadwire_codegen::Options::BOX_ABOVE)]
    pub(crate) box_above: u64,
    /// How an INTEGER without a bound is held: any length takes the heap beyond 64 bits, or in C
    /// memory that the decoder is given, and a word refuses larger numbers [default: any-length;
    /// with --lang c: word]
    #[arg(long, value_name = "HOW")]
    pub(crate) integers: Option<HeldAs>,
    /// How an open type is held whose type another component selects by a table
    #[arg(long, value_name = "HOW", default_value = "typed")]
    pub(crate) open_types: OpenAs,
    /// When messages are checked against constraints that encoding rules do not take into account:
    /// single values, gaps, EXCEPT, patterns, inner subtyping
    #[arg(long = "check-when", alias = "check", value_name = "WHEN", default_value = "encode")]
    pub(crate) check: Checks,
    /// Write nothing; list for each message and rules what generated code leaves to the
    /// interpreter, which is slower, and because of which parts
    #[arg(long)]
    pub(crate) explain: bool,
    /// The folder to write into; it is created if necessary
    #[arg(short = 'o', long = "output", value_name = "DIR", required_unless_present = "explain")]
    pub(crate) output: Option<PathBuf>,
    /// Write over existing files
    #[arg(long)]
    pub(crate) force: bool,
}

/// Which constraints refuse a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Checking {
    /// All of its type
    All,
    /// Those that the encoding needs in order to be read or written; the others are listed
    Encoding,
    /// The same, without a list
    None,
}

impl From<Checking> for roadwire::Check {
    fn from(checking: Checking) -> Self {
        match checking {
            Checking::All => roadwire::Check::All,
            Checking::Encoding => roadwire::Check::Encoding,
            Checking::None => roadwire::Check::None,
        }
    }
}

/// How generated types hold integers without a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HeldAs {
    /// Any number
    AnyLength,
    /// 64 bits
    Word,
}

impl From<HeldAs> for roadwire_codegen::Integers {
    fn from(held: HeldAs) -> Self {
        match held {
            HeldAs::AnyLength => roadwire_codegen::Integers::AnyLength,
            HeldAs::Word => roadwire_codegen::Integers::Word,
        }
    }
}

/// How generated types hold open types that have a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OpenAs {
    /// An enum of the types in the table, and of octets for any other
    Typed,
    /// Octets
    Octets,
}

/// When generated code checks constraints that encoding rules do not take into account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Checks {
    /// When a message is encoded
    Encode,
    /// When a message is encoded, and when it is decoded
    All,
}

/// The one way that generated code has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Only {
    /// From values to octets
    Encode,
    /// From octets to values
    Decode,
}

/// Languages that `generate` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// Rust, edition 2021 or later
    Rust,
    /// C99: a header and a source, and `roadwire_rt.h`, which both need (uper, aper, oer, coer,
    /// ber, der, cer, protobuf, cbor, tls, jer, and EXI's)
    C,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The schema goes to stdout.

Examples:
  roadwire schema -s cam-1.4.1 --to xsd > cam.xsd
  roadwire schema -s cam-1.4.1 --to xsd --rules exi-merged
  roadwire schema -s cam-1.4.1 --to proto > cam.proto
  roadwire schema -s cam-1.4.1 --to proto --choices optional > cam.proto
  roadwire schema -m my.asn -t My-Module.Message --to xsd
  roadwire schema -m my.asn -m dictionary.asn -t Message --to asn1 > message.asn")]
pub(crate) struct SchemaArgs {
    #[command(flatten)]
    pub(crate) schema: SchemaChoice,
    /// The type, as `Type` or `Module.Type`; asn1 takes several, also of other definitions
    /// [default: the schema's one PDU]
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub(crate) type_names: Vec<String>,
    /// The schema language
    #[arg(long, value_name = "LANG")]
    pub(crate) to: Mapping,
    /// Under which rules, where several have a mapping to the language [default: exi]
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: Option<Rules>,
    /// How proto has a CHOICE [default: oneof]
    #[arg(long, value_name = "FORM")]
    pub(crate) choices: Option<ChoicesAs>,
}

/// How a schema of Protocol Buffers has a CHOICE; the octets are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ChoicesAs {
    /// As a oneof, which Protocol Buffers have since 2.6
    Oneof,
    /// Each alternative as an optional field, for earlier versions
    Optional,
}

/// Schema languages that `schema` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mapping {
    /// Protocol Buffers, proto2
    Proto,
    /// XML Schema
    Xsd,
    /// CDDL (RFC 8610), of CBOR
    Cddl,
    /// ASN.1: the modules reduced to the definitions that the type reaches, in one layout and
    /// without comments
    Asn1,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  roadwire list schemas
  roadwire list schemas --json | jq -r .title
  roadwire list types -s cam-1.4.1 --rules uper
  roadwire list types -m my.asn --json
  roadwire list rules")]
pub(crate) struct ListArgs {
    /// The list to print
    #[arg(value_name = "WHAT")]
    pub(crate) what: Listing,
    /// For types: a schema that roadwire ships [default: all of them]
    #[arg(short = 's', long = "schema", value_name = "NAME", conflicts_with = "modules")]
    pub(crate) schema: Option<String>,
    /// For types: a file of ASN.1 modules; repeat it for more
    #[arg(short = 'm', long = "module", value_name = "FILE")]
    pub(crate) modules: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// For types: show the properties of their layouts under these rules: fewest and most bits,
    /// alignment, presence; with --json also octets
    #[arg(long, value_name = "RULES")]
    pub(crate) rules: Option<Rules>,
}

/// How `capture` writes records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Records {
    /// A JSON object on each line
    Jsonl,
    /// A table for each message type: a column for each leaf field, lists as JSON
    #[cfg(feature = "columns")]
    Csv,
    /// The same, nested, as Parquet
    #[cfg(feature = "columns")]
    Parquet,
    /// The same in the file format of Arrow IPC; on stdout in its streaming format
    #[cfg(feature = "columns")]
    Arrow,
}

#[derive(Debug, Args)]
#[command(after_help = "\
FILE is pcap or pcapng, gzipped or not, of Ethernet, IEEE 802.11 (radiotap, PPI),
Linux cooked captures or IP. Each frame becomes one object: link layer,
GeoNetworking, security, BTP, and the message with its value in JER. Units are
those of the wire (0.1 microdegree, 0.01 m/s, 0.1 degree); what is not there is
left out. A frame that is not understood has a `problem`, and all parts up to
there. A summary goes to stderr (with --json, as an object).

With --verify each signed message has a verdict: signed (the holder of its certificate
signed it, trusted or not), invalid (the signature is not that signer's, or the
message breaks a rule, such as a permission that its signer does not have),
unknown-signer (a digest whose certificate was not in an earlier frame), unsupported.
With --trust a message that would be signed is valid if it has a chain of issuers to a
trusted certificate that permits it (otherwise it is untrusted), and was made when all
of them are valid and within ten minutes of the recorder's clock (otherwise it is
expired). `checked` says of each part of a verdict `yes`, or `no` and why. A message
is invalid if a certificate of its chain is revoked, by a list of --crl, whose signer
needs a chain to a trusted certificate as well, or by --revoke. Each of these options,
and --profile, verifies also without --verify.

--to csv, parquet and arrow write tables: a row for each frame, beside it the fields
of its message. Each message type is a table, and so are frames without a message
that is known.

The port and the protocol version say in which order the schemas of a message are
tried; the first that takes all octets, with all constraints, is the one. Where none
does, the octets are guessed, as `roadwire guess` does. A type of your own modules
(-m) comes before all of them, on any port; its messages are also in UPER.

--where takes fields by their paths in a record, such as geonetworking.source.speed
and message.value.cam.generationDeltaTime, numbers, words and 'texts', with ==, !=,
<, <=, >, >=, &&, ||, ! and parentheses. A path alone asks whether the field is
there; a comparison with a field that is not there does not hold, and with a list
it holds if it does with one of its elements (or, with [0], with the first).

Examples:
  roadwire capture drive.pcapng > drive.jsonl
  roadwire capture drive.pcapng --where 'message.type == DENM && btp.port != 2001'
  roadwire capture a.pcap.gz b.pcap.gz -o both.jsonl
  roadwire capture drive.pcapng --trust root.oer --trust authority.oer -o drive.jsonl
  roadwire capture drive.pcapng --trust root.oer --crl revoked.oer -o drive.jsonl
  roadwire capture drive.pcapng --revoke 0011223344556677 -o drive.jsonl
  roadwire capture drive.pcapng --verify --report drive
  roadwire capture drive.pcapng --to parquet -o drive.parquet
  roadwire capture drive.pcapng -m probe.asn -t Probe.Report
  tcpdump -i wlan0 -w - | roadwire capture - | jq .message.schema")]
pub(crate) struct CaptureArgs {
    /// Files of recorded frames, or `-` for stdin
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// How records are written [default: jsonl]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<Records>,
    /// Verify signatures
    #[arg(long)]
    pub(crate) verify: bool,
    #[command(flatten)]
    pub(crate) verification: VerificationArgs,
    /// Modules of your own: messages that are of their type are taken for it first; repeat it for
    /// more files
    #[arg(short = 'm', long = "module", value_name = "MODULE")]
    pub(crate) modules: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The type of messages in these modules, as `Type` or `Module.Type` [default: their one PDU]
    #[arg(short = 't', long = "type", value_name = "TYPE", requires = "modules")]
    pub(crate) type_name: Option<String>,
    /// Only frames of which this is true, such as
    /// `message.type == DENM && geonetworking.source.speed > 1000`
    #[arg(long = "where", value_name = "EXPR", allow_hyphen_values = true)]
    pub(crate) filter: Option<String>,
    /// Work on N frames at once, on as many cores; records are the same, in the same order. From a
    /// pipe it is one [default: as many as there are cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_JOBS)))]
    pub(crate) jobs: Option<u16>,
    /// Frames with a wrong check sequence: `ignore` decodes their messages as well; they count in
    /// no report [default: refuse]
    #[arg(long, value_name = "WHAT", default_value = "refuse", hide_default_value = true)]
    pub(crate) checksum: Checksum,
    /// Make a page of the whole recording in DIR: messages over time, channel load as it was and in
    /// other encodings, stations, verdicts. Records are then written with --output only
    #[arg(long, value_name = "DIR")]
    pub(crate) report: Option<PathBuf>,
    /// Write to FILE instead of stdout. Several tables go to files beside it:
    /// drive.cam-1.4.1.parquet, drive.other.parquet
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write over existing files
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
INPUT is one value of SCHEMA. The output is signed data of IEEE 1609.2 in COER
(TS 103 097 V1.3.1) that has the message in UPER as its payload. A key is a number,
big-endian, of as many octets as its curve has (32 or 48); which curve that is, the
certificate says: P-256, brainpoolP256r1, brainpoolP384r1 or P-384. Signatures need
no random numbers (RFC 6979).

The application is known of CAM, DENM, SPATEM, MAPEM, IVIM, SREM, SSEM, VAM, CPM and
RTCMEM.

Examples:
  roadwire sign -s cam-1.4.1 --key at.key --certificate at.oer cam.json -o cam.signed
  roadwire sign -s cam-1.4.1 --from uper --key at.key --certificate at.oer --signer digest cam.hex
  roadwire sign -m my.asn --psid 4000 --key at.key --certificate at.oer m.json")]
pub(crate) struct SignArgs {
    #[command(flatten)]
    pub(crate) schema: SchemaChoice,
    /// The type, as `Type` or `Module.Type` [default: the schema's one PDU]
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub(crate) type_name: Option<String>,
    /// The encoding rules of the input
    #[arg(long, value_name = "RULES", default_value = "jer")]
    pub(crate) from: Rules,
    /// The encoding rules of the message in the envelope
    #[arg(long, value_name = "RULES", default_value = "uper")]
    pub(crate) rules: Rules,
    /// The signer's key
    #[arg(long, value_name = "FILE")]
    pub(crate) key: PathBuf,
    /// The signer's certificate, in COER
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: PathBuf,
    /// How the message names its signer
    #[arg(long, value_name = "HOW", default_value = "certificate")]
    pub(crate) signer: SignerChoice,
    /// The application that the message is for: PSID, ITS-AID [default: that of the message]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) psid: Option<u64>,
    /// When it was made: microseconds since 2004-01-01T00:00:00 UTC, counting leap seconds (TAI)
    /// [default: now]
    #[arg(long, value_name = "MICROSECONDS")]
    pub(crate) generated: Option<u64>,
    /// Where it was made: latitude and longitude in 0.1 microdegree, and elevation in 0.1 m
    /// above -409.5 m, separated by commas
    #[arg(long, value_name = "LATITUDE,LONGITUDE,ELEVATION", value_parser = location, allow_hyphen_values = true)]
    pub(crate) location: Option<ThreeDLocation>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// How signed messages are verified.
#[derive(Debug, Args)]
pub(crate) struct VerificationArgs {
    /// Certificates that are trusted, in COER, one after the other: a message needs a chain up to
    /// one of them; repeat it for more files
    #[arg(long, value_name = "FILE")]
    trust: Vec<PathBuf>,
    /// Whether messages of IEEE 1609.2 must keep the profile of TS 103 097 [default: in
    /// GeoNetworking and of ETSI's applications]
    #[arg(long, value_name = "PROFILE")]
    profile: Option<ProfileArg>,
    /// A signed list of revoked certificates (IEEE 1609.2): messages with one of them in their
    /// chain are invalid; repeat it for more files
    #[arg(long, value_name = "FILE", requires = "trust")]
    crl: Vec<PathBuf>,
    /// A certificate that is no longer trusted, by its HashedId8 or HashedId10 in hex
    /// (`security.certificate` of a record); repeat it for more
    #[arg(long, value_name = "HASHEDID", value_parser = verification::digest_of_text)]
    revoke: Vec<HashedId8>,
}

impl VerificationArgs {
    /// With `verify`, signed messages have a verdict also where no option asks for one.
    pub(crate) fn options(&self, verify: bool) -> VerificationOptions {
        VerificationOptions {
            verify,
            // The option names a file each time: none is no trust asked for.
            trust: Some(self.trust.clone()).filter(|files| !files.is_empty()),
            profile: self.profile.map(ProfileArg::choice),
            crl: self.crl.clone(),
            revoked: self.revoke.clone(),
        }
    }
}

/// Which messages must keep the profile of TS 103 097.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ProfileArg {
    /// All of them
    Etsi,
    /// None of them
    None,
}

impl ProfileArg {
    fn choice(self) -> ProfileChoice {
        match self {
            ProfileArg::Etsi => ProfileChoice::Etsi,
            ProfileArg::None => ProfileChoice::None,
        }
    }
}

/// How a message names its signer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SignerChoice {
    /// By its certificate
    Certificate,
    /// By the digest of its certificate
    Digest,
}

fn location(text: &str) -> Result<ThreeDLocation, String> {
    let numbers: Vec<i64> = text.split(',').map(str::parse).collect::<Result<_, _>>().map_err(|_| NO_LOCATION)?;
    let [latitude, longitude, elevation] = numbers[..] else { return Err(NO_LOCATION.to_owned()) };
    if latitude.abs() > 900_000_000 || longitude.abs() > 1_800_000_000 {
        return Err("that is not on the Earth".to_owned());
    }
    let elevation = u16::try_from(elevation).map_err(|_| "the elevation is 0 to 65535")?;
    Ok(ThreeDLocation { latitude: latitude as i32, longitude: longitude as i32, elevation })
}

const NO_LOCATION: &str = "three whole numbers separated by commas are expected";

/// The names of verdicts.
fn verdict() -> impl TypedValueParser<Value = Verdict> {
    PossibleValuesParser::new(Verdict::ALL.map(Verdict::name))
        .try_map(|name| Verdict::ALL.into_iter().find(|one| one.name() == name).ok_or("no verdict"))
}

#[derive(Debug, Args)]
#[command(after_help = "\
INPUT is one secured message: IEEE 1609.2 in COER (TS 103 097 V1.3.1 and later), or
TS 103 097 V1.1.1 or V1.2.1. The verdict is the one of `capture`: signed, valid,
invalid, unknown-signer, untrusted, expired or unsupported. Below it is what was not
checked, and why. With --json it is an object. The exit code is 1 unless the message is
valid, or has a verdict that --accept names.

Without --trust a message is signed at best: the holder of the certificate signed it,
trusted or not, and it breaks no rule; times are noted. With it there has to be a chain of issuers to a
trusted certificate, each of which permits the message. The message is invalid if a
certificate of this chain is revoked, by a list of --crl, whose signer needs a chain to
a trusted certificate as well, or by --revoke.

Examples:
  roadwire verify --accept signed cam.signed
  roadwire verify --certificate at.oer --accept signed cam.signed
  roadwire verify --trust root.oer --certificate aa.oer --json cam.signed | jq -r .reason
  roadwire verify --trust root.oer --crl revoked.oer cam.signed
  roadwire verify --trust root.oer --revoke 0011223344556677 cam.signed")]
pub(crate) struct VerifyArgs {
    /// Certificates that the message may name by their digests, in COER, one after the other;
    /// repeat it for more files
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) verification: VerificationArgs,
    /// A verdict besides valid with which the exit code is 0; repeat it for more
    #[arg(long, value_name = "VERDICT", value_parser = verdict())]
    pub(crate) accept: Vec<Verdict>,
    /// When it was received: microseconds since 2004-01-01T00:00:00 UTC, counting leap seconds
    /// (TAI) [default: that does not count]
    #[arg(long, value_name = "MICROSECONDS")]
    pub(crate) at: Option<u64>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[cfg(feature = "lab")]
fn host_and_port(text: &str) -> Result<String, String> {
    let port =
        text.rsplit_once(':').filter(|(host, _)| !host.is_empty()).and_then(|(_, port)| port.parse::<u16>().ok());
    match port {
        Some(1..) => Ok(text.to_owned()),
        _ => Err("a host and a port, such as 192.0.2.1:4711, are expected".to_owned()),
    }
}

/// A list that `list` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Listing {
    /// The schemas that roadwire ships
    Schemas,
    /// The types of a schema
    Types,
    /// The spellings of RULES, and which work today
    Rules,
}

#[cfg(feature = "lab")]
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  roadwire study                        every study, report in ./report
  roadwire study --quick --out trial    a short run, to see that it works
  roadwire study --list
  roadwire study --method paper         timed as the papers did
  roadwire study --with arm/report      beside the times of another machine
  roadwire study --corpus recorded.hex  with recorded messages
  roadwire study encodings --peers peers   beside asn1c and asn1tools' C
  roadwire study certificates --receive 4711 --seed 1           on one computer, then
  roadwire study certificates --send 192.0.2.1:4711 --seed 1    on the other")]
pub(crate) struct StudyArgs {
    /// The studies to run: names, or folders with a study.toml [default: all that have a name]
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// List the studies and end
    #[arg(long)]
    pub(crate) list: bool,
    /// Fewer samples, and no emulated processors: figures to look at, not to publish
    #[arg(long)]
    pub(crate) quick: bool,
    /// The folder for the report; all files of an earlier report in it are moved to a folder in
    /// `earlier/`
    #[arg(long, value_name = "DIR", default_value = "report")]
    pub(crate) out: PathBuf,
    /// Print all tables, not the summary alone
    #[arg(short, long, conflicts_with = "json")]
    pub(crate) verbose: bool,
    /// How time is taken
    #[arg(long, value_name = "METHOD", default_value = "batched")]
    pub(crate) method: TimingMethod,
    /// Recorded messages to decode, encode again and measure: UPER hex lines, or JSON lines with a
    /// `uper` member
    #[arg(long, value_name = "FILE")]
    pub(crate) corpus: Option<PathBuf>,
    /// The folder with the documents of the study json-2022 [default: ../shared/json-2022, if it
    /// exists; without them the lengths on file are shown]
    #[arg(long, value_name = "DIR")]
    pub(crate) material: Option<PathBuf>,
    /// Other implementations to measure in the same run: a folder with one for each, such as
    /// `peers` in roadwire's repository. It builds and runs the programs of that folder, with your
    /// rights
    #[arg(long, value_name = "DIR")]
    pub(crate) peers: Option<PathBuf>,
    /// The report folder of an earlier run, for example on another machine, whose times are shown
    /// next to this run's; repeat it for more
    #[arg(long, value_name = "RECORDS")]
    pub(crate) with: Vec<PathBuf>,
    /// Seed of all random orders and draws [default: from the time of day]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// The most certificates that an experiment of the certificate study exchanges
    /// [default: 1000000, with --quick 10000]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) certificates: Option<u64>,
    /// Draw certificates of your own beside the paper's, in the certificate study: those that fit
    /// the paper, with parts drawn as this file says (see `roadwire random --help`; the schema is
    /// certificate-2017)
    #[arg(long, alias = "distributions", value_name = "FILE", conflicts_with_all = ["send", "receive"])]
    pub(crate) distribution: Option<PathBuf>,
    /// Send the certificate study's certificates to another program, which runs `--receive` with
    /// the same seed and numbers
    #[arg(long, value_name = "HOST:PORT", value_parser = host_and_port, conflicts_with = "receive", requires = "seed")]
    pub(crate) send: Option<String>,
    /// Wait at this port for the certificate study's sender; both programs write the report
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..), requires = "seed")]
    pub(crate) receive: Option<u16>,
}

/// How time is taken.
#[cfg(feature = "lab")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TimingMethod {
    /// Batches sized to the clock, engines interleaved
    Batched,
    /// The papers' own recipe: one call between two readings of the CPU clock, 10000 times
    Paper,
}

#[cfg(feature = "lab")]
#[derive(Debug, Args)]
pub(crate) struct ProbeArgs {
    /// Names of messages [default: all]
    #[arg(value_name = "MESSAGE")]
    pub(crate) messages: Vec<String>,
    /// Times the cells that standard input asks for
    #[arg(long)]
    pub(crate) times: bool,
    /// The file of a user's messages, instead of the studies'
    #[arg(long, value_name = "FILE")]
    pub(crate) own: Option<PathBuf>,
}
