//! Straight-line code in Rust, and messages to run it on.

use roadwire_engine::Message;
use roadwire_layout::Uper;
#[cfg(feature = "all")]
use roadwire_layout::{Der, Oer, Protobuf};
use roadwire_measure::cell::Direction;

/// Generated types.
#[allow(
    clippy::all,
    dead_code,
    missing_docs,
    non_camel_case_types,
    reason = "generated types have the standards' names"
)]
mod types {
    pub mod cam_1_4_1 {
        include!(concat!(env!("OUT_DIR"), "/cam_1_4_1.rs"));
    }
    #[cfg(feature = "all")]
    pub mod denm_1_3_1 {
        include!(concat!(env!("OUT_DIR"), "/denm_1_3_1.rs"));
    }
}

/// More octets than any of the messages.
const ROOM: usize = 1 << 16;

/// A codec with messages.
pub trait Codec {
    /// Adds a message, if the codec reads all of it and writes the same octets.
    fn add(&mut self, octets: &[u8]) -> bool;

    /// Encodes or decodes each message once.
    fn all(&mut self, direction: Direction);
}

/// The codec of a schema under some rules.
pub fn codec(schema: &str, rules: &str) -> Result<Box<dyn Codec>, String> {
    type Cam = types::cam_1_4_1::Cam;
    #[cfg(feature = "all")]
    type Denm = types::denm_1_3_1::Denm;
    Ok(match (schema, rules) {
        ("cam-1.4.1", "uper") => boxed::<Cam, Uper>(),
        #[cfg(feature = "all")]
        ("cam-1.4.1", "oer") => boxed::<Cam, Oer>(),
        #[cfg(feature = "all")]
        ("cam-1.4.1", "der") => boxed::<Cam, Der>(),
        #[cfg(feature = "all")]
        ("cam-1.4.1", "protobuf") => boxed::<Cam, Protobuf>(),
        #[cfg(feature = "all")]
        ("denm-1.3.1", "uper") => boxed::<Denm, Uper>(),
        #[cfg(feature = "all")]
        ("denm-1.3.1", "oer") => boxed::<Denm, Oer>(),
        #[cfg(feature = "all")]
        ("denm-1.3.1", "der") => boxed::<Denm, Der>(),
        #[cfg(feature = "all")]
        ("denm-1.3.1", "protobuf") => boxed::<Denm, Protobuf>(),
        _ => return Err(format!("there is no codec of {schema} in {rules}")),
    })
}

fn boxed<M: Message<E> + Clone + 'static, E: 'static>() -> Box<dyn Codec> {
    Box::new(Messages::<M, E> {
        octets: Vec::new(),
        values: Vec::new(),
        place: M::default(),
        buffer: vec![0; ROOM],
        failed: false,
        rules: std::marker::PhantomData,
    })
}

struct Messages<M, E> {
    octets: Vec<Vec<u8>>,
    values: Vec<M>,
    /// The place that all messages are decoded into.
    place: M,
    buffer: Vec<u8>,
    failed: bool,
    rules: std::marker::PhantomData<E>,
}

impl<M: Message<E> + Clone, E> Codec for Messages<M, E> {
    fn add(&mut self, octets: &[u8]) -> bool {
        let mut value = M::default();
        let is_read = value.decode_fast(octets).is_ok();
        let written = value.encode_fast(&mut self.buffer);
        let is_same = is_read && written.is_ok_and(|length| self.buffer.get(..length) == Some(octets));
        if is_same {
            self.octets.push(octets.to_vec());
            self.values.push(value);
        }
        is_same
    }

    fn all(&mut self, direction: Direction) {
        match direction {
            Direction::Encode => {
                for value in &self.values {
                    self.failed |= value.encode_fast(&mut self.buffer).is_err();
                }
            }
            Direction::Decode => {
                for octets in &self.octets {
                    self.failed |= self.place.decode_fast(octets).is_err();
                }
            }
        }
        assert!(!self.failed, "a message that was read and written is refused");
    }
}
