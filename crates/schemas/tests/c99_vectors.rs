//! Generated C and the interpreter agree on every construct of the presentation language that has
//! a bound.

#[path = "../../constructs/tests/support/c99.rs"]
mod c99;
#[path = "../../constructs/tests/support/mod.rs"]
mod support;

use c99::{Message, agree, held, runs};
use roadwire_frontend::{Source, compile};
use roadwire_layout::Rules;
use roadwire_model::{Model, Value};

/// Structs of numbers, items, flags, vectors, and fields that others announce.
const TEXT: &str = "
enum { a (0), b (3), (2^8-1) } E;
enum { c (1), d (0x1ff) } Wide;
enum { none (0), one (1), two (0x81), (255) } Kind;
flags { start (0), duration (1), key (2) } F;
flags { low (0), high (7) } More;
struct { sint32 latitude; sint32 longitude; } Point;

struct { uint8 a; uint16 b; uint24 c; uint40 d; uint56 e; uint64 f; } Numbers;
struct { sint8 a; sint16 b; sint32 c; sint64 d; } Signed;
struct { IntX number; PSID psid; IntX last; } Growing;
struct { E e; Wide f; F bits; More more; E other; } Items;
struct { opaque a[3]; Point b[16]; opaque last[9]; opaque none[0]; } Fixed;
struct {
    opaque a<var, 0..7>; opaque b<1..300>; opaque c<0..70000>; uint8 between; opaque d<var, 0..200>;
} Strings;
struct { uint8 a<var, 1..2>; IntX b<var, 0..4, ...>; Point c<var, 0..40>; uint8 end; } Lists;
struct { uint16 a<0..6>; Point b<8..24>; opaque c<var, 0..5>; } Sized;
struct { opaque name<0..5>; Point at<var, 0..3>; } Inner;
struct { Inner all<var, 0..3>; Point more<0..40>; E end; } Nested;
struct {
    Kind type;
    select (type) {
    case none: ;
    case one: uint8 x;
    case two: uint8 x; Point y<var, 0..2>;
    }
} Choice;
struct { Choice first; Kind type; select (type) { case one: opaque z[4]; case two: F z; case none: E z; } } Chosen;
struct {
    Kind type;
    uint8 between;
    select (type) { case none: uint8 x; case one: uint16 y; case two: Point z; Choice last; }
} Later;
struct {
    F cf;
    uint8 series;
    if_set (cf, start) {
        if_set (cf, duration) { uint16 lifetime; } else { uint32 start; }
    }
    if_set (cf, key) { opaque key<var, 0..9>; }
    if_any_set (cf, start, key) { uint8 some; } else { uint8 none; }
} Announced;
struct {
    Kind type;
    select (type) { case none: ; case one: opaque x[60]; opaque y[60]; opaque z[60]; case two: opaque x<var, 0..9>; }
} Long;
struct { Long all<var, 0..2>; uint8 end; } Moved;
struct {
    Choice all<var, 0..3>;
    uint8 between;
    select (all) { case one: uint16 x; case two: Point y; }
} Among;
";

const STRUCTS: [&str; 14] = [
    "Numbers",
    "Signed",
    "Growing",
    "Items",
    "Fixed",
    "Strings",
    "Lists",
    "Sized",
    "Nested",
    "Moved",
    "Chosen",
    "Later",
    "Announced",
    "Among",
];

fn model() -> Model {
    compile(&[Source::new("structs.tls", TEXT)]).unwrap_or_else(|errors| panic!("{}", errors.render())).model
}

fn message(model: &Model, name: &str) -> Message {
    under(model, name, Rules::Tls)
}

fn under(model: &Model, name: &str, rules: Rules) -> Message {
    let root = model.find(name).unwrap_or_else(|| panic!("{name}"));
    Message::new(model, name, root, rules).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn structs() {
    let model = model();
    agree(&model, Rules::Tls, "structs", &STRUCTS.map(|name| message(&model, name)));
}

#[test]
fn numbers_begin_where_shorter_ones_end() {
    const NUMBERS: [&[u8]; 9] = [
        &[0x7f, 0x7f, 0],
        &[0x80, 0x80, 0x80, 0x00, 0],
        &[0xbf, 0xff, 0xbf, 0xff, 0],
        &[0xc0, 0x40, 0x00, 0xc0, 0x00, 0x00, 0],
        &[0xdf, 0xff, 0xff, 0xdf, 0xff, 0xff, 0],
        &[0xe0, 0x20, 0x00, 0x00, 0xe0, 0x00, 0x00, 0x00, 0],
        &[0xef, 0xff, 0xff, 0xff, 0xef, 0xff, 0xff, 0xff, 0],
        &[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0],
        &[0xe0, 0, 0, 5, 0, 0],
    ];
    let model = model();
    let with = [message(&model, "Growing")];
    let taken = held(&model, Rules::Tls, "numbers", &with, |_| NUMBERS.map(<[u8]>::to_vec).to_vec());
    assert_eq!(taken["Growing"], [NUMBERS.len(); 2]);
    let wider = |_: &Message| vec![vec![0, 0xf0, 0, 0, 0, 0, 0], vec![0xff; 12], vec![0xc0, 0]];
    assert_eq!(held(&model, Rules::Tls, "numbers", &with, wider)["Growing"], [0, 0]);
}

#[test]
fn a_field_that_is_not_announced_is_refused() {
    let model = model();
    held(&model, Rules::Tls, "announced", &[message(&model, "Later")], |_| Vec::new());
    runs(Rules::Tls, "announced", ANNOUNCED);
}

/// The second field of a selected one is another one's, or it is absent.
const ANNOUNCED: &str = r#"
#include "generated.h"

static bool takes(uint8_t type, bool has_x, bool has_y)
{
    static c_later later;
    static uint8_t out[100];
    rw_error error;
    memset(&later, 0, sizeof later);
    later.type_ = type;
    later.has_x = has_x;
    later.has_y = has_y;
    return c_later_encode_tls(&later, out, sizeof out, &error) >= 0;
}

int main(void)
{
    if (!takes(0, true, false) || !takes(1, false, true)) {
        return 1;
    }
    return takes(0, true, true) || takes(0, false, false) || takes(1, true, false) || takes(2, false, false) ? 2 : 0;
}
"#;

/// In text only the fields themselves say which of them a message has.
#[test]
fn fields_that_others_announce_are_checked_in_json() {
    let model = model();
    let (json, binary) = (under(&model, "Later", Rules::Jer), message(&model, "Later"));
    let texts = |of: &[&str]| of.iter().map(|text| text.as_bytes().to_vec()).collect::<Vec<_>>();
    let right = [
        r#"{"type":"none","between":1,"x":5}"#,
        r#"{"y":5,"between":1,"type":"one"}"#,
        r#"{"type":"two","between":1,"z":{"latitude":1,"longitude":2},"last":{"none":null}}"#,
    ];
    let wrong = [
        r#"{"type":"none","between":1}"#,
        r#"{"type":"none","between":1,"x":5,"y":6}"#,
        r#"{"type":"one","between":1,"x":5}"#,
        r#"{"type":"one","x":5,"between":1,"y":6}"#,
        r#"{"type":"two","between":1,"z":{"latitude":1,"longitude":2}}"#,
    ];
    let with = [json];
    assert_eq!(held(&model, Rules::Jer, "json", &with, |_| texts(&right))["Later"], [right.len(); 2]);
    assert_eq!(held(&model, Rules::Jer, "json", &with, |_| texts(&wrong))["Later"], [0, 0]);
    // Both encodings have the same values.
    let root = model.find("Later").unwrap();
    let layout = roadwire_layout::lower_without_contents(&model, root, Rules::Jer).unwrap();
    for text in texts(&right) {
        let mut value = Value::Unset;
        roadwire_engine::decode(&layout, &text, &mut value).unwrap();
        binary.encoded(&value).unwrap();
    }
    let others = ["Chosen", "Announced", "Among", "Moved"].map(|name| under(&model, name, Rules::Jer));
    agree(&model, Rules::Jer, "json", &others);
}
