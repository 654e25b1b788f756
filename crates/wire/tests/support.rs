//! Helpers of several families of tests.

use roadwire_wire::rt::time::Time;
use roadwire_wire::{Rejected, Writer};

/// The octets that are written; an output of one octet less must be refused.
pub(crate) fn written(write: impl Fn(&mut Writer<'_>) -> Result<(), Rejected>) -> Vec<u8> {
    let put = |room: usize| {
        let mut output = vec![0; room];
        let mut writer = Writer::new(&mut output);
        write(&mut writer)?;
        let end = writer.finish_octets()?;
        output.truncate(end);
        Ok(output)
    };
    let output: Vec<u8> = put(64).unwrap();
    assert_eq!(put(output.len() - 1), Err(Rejected));
    assert_eq!(put(output.len()).as_ref(), Ok(&output));
    output
}

/// The text that a time is written as, if there is room for so many characters.
pub(crate) fn text_of(time: &Time, room: usize) -> Option<String> {
    let mut text = String::new();
    let written = time.write(&mut |character| {
        let has_room = text.len() < room;
        if has_room {
            text.push(character);
        }
        has_room
    });
    written.then_some(text)
}

/// Reads a text that is a time.
pub(crate) fn read_time(text: &str) -> Time {
    Time::read(text).unwrap_or_else(|| panic!("{text}"))
}
