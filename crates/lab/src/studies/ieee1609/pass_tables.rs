//! Tables of one pass and two.

use super::encoding::Encoding;
use super::encrypted;
use super::measured::Ieee1609;
use super::passes::{Passes, Work};
use super::tables::ORDER;
use crate::number::{number, or_dash};
use crate::report::table::Table;
use roadwire_measure::cell::Direction;

impl Ieee1609 {
    /// Sending and receiving, and both summed up; then encrypted messages.
    pub(super) fn pass_tables(&self) -> [Table; 4] {
        [
            self.passes_summed(),
            self.passes_of(Direction::Encode),
            self.passes_of(Direction::Decode),
            self.encrypted_table(),
        ]
    }

    /// The encrypted messages.
    fn encrypted_table(&self) -> Table {
        let heading = [
            "direction",
            "message",
            "encoding",
            ">ciphertext from bit",
            ">bits moved",
            ">octets kept",
            ">codec, ns",
            ">cipher alone, ns",
            ">one pass, ns",
            ">more than codec and cipher, ns",
            ">with the key, µs",
            ">codec, % of that",
        ];
        let mut table = Table::new("Encrypted messages in one pass", &heading);
        for direction in Direction::ALL {
            for one in &self.encrypted {
                let [codec, cipher, both, key] = encrypted::Work::ALL.map(|work| one.time(direction, work));
                let more = codec.zip(cipher).zip(both).map(|((codec, cipher), both)| both - codec - cipher);
                table.row([
                    if direction == Direction::Encode { "sending" } else { "receiving" }.into(),
                    one.message.clone(),
                    one.encoding.name().into(),
                    one.ciphertext.0.to_string(),
                    one.moved().to_string(),
                    if direction == Direction::Decode { one.kept().to_string() } else { "0".into() },
                    or_dash(codec.map(number)),
                    or_dash(cipher.map(number)),
                    or_dash(both.map(number)),
                    or_dash(more.map(|more| format!("{more:+.0}"))),
                    or_dash(key.map(|key| number(key / 1e3))),
                    or_dash(codec.zip(key).map(|(codec, key)| format!("{:.3}", codec / key * 100.0))),
                ]);
            }
        }
        table.notes.push(
            "roadwire-lent. The keys of all recipients come before the ciphertext, so a receiver keeps nothing, and a sender, who knows the length, holds nothing back. AES-128-CCM takes the content as a whole: one pass reads the ciphertext \
             in its place, or moved to an octet border. With the key: ECIES with P-256 for the first recipient."
                .into(),
        );
        table
    }

    /// Every message, encoding and work, for a file.
    pub fn all_passes(&self) -> Table {
        let heading = [
            "message",
            "encoding",
            "direction",
            "signed_first_bit",
            "signed_end_bit",
            "signature_first_bit",
            "signature_end_bit",
            "moved_bits",
            "waiting_octets",
            "work",
            "time_ns",
            "mad_ns",
        ];
        let mut table = Table::new(
            "Messages of IEEE 1609.2 in one pass: where what is signed and its signature lie, and the time of one message",
            &heading,
        );
        for passes in &self.passes {
            for (direction, work, summary) in &passes.times {
                let summary = summary.as_ref();
                table.row([
                    passes.message.clone(),
                    passes.encoding.name().into(),
                    direction.name().into(),
                    passes.signed.0.to_string(),
                    passes.signed.1.to_string(),
                    passes.signature.0.to_string(),
                    passes.signature.1.to_string(),
                    passes.moved(*direction).to_string(),
                    passes.waiting(*direction).to_string(),
                    work.name().into(),
                    or_dash(summary.map(|summary| format!("{:.1}", summary.median))),
                    or_dash(summary.map(|summary| format!("{:.1}", summary.mad))),
                ]);
            }
        }
        table
    }

    /// The paper's signed messages: their names there, and their passes.
    fn signed_of_ten(&self) -> Vec<(String, Vec<&Passes>)> {
        let of_row = |of: &[super::description::Description]| -> Vec<&Passes> {
            let one = |encoding| of.iter().rev().find_map(|of| self.pass(&of.name, encoding));
            ORDER.into_iter().filter_map(one).collect()
        };
        self.ten().iter().map(|(name, of)| (name.clone(), of_row(of))).filter(|(_, all)| !all.is_empty()).collect()
    }

    /// The passes of an encoding.
    pub(super) fn signed_in(&self, encoding: Encoding) -> Vec<&Passes> {
        self.signed_of_ten().into_iter().flat_map(|(_, all)| all).filter(|one| one.encoding == encoding).collect()
    }

    fn passes_of(&self, direction: Direction) -> Table {
        let [title, waiting, signature] = words(direction);
        let codec = if direction == Direction::Encode { "encoding" } else { "decoding" };
        let mut table = Table {
            title: format!("{title} the paper's signed messages: {codec}, and hashing what is signed"),
            heading: [
                "message",
                "encoding",
                ">signed from bit",
                ">bits moved",
                &format!(">{waiting}"),
                &format!(">{codec}, ns"),
                ">hash alone, ns",
                ">one pass, ns",
                ">two passes, ns",
                &format!(">{signature}, µs"),
                &format!(">{codec}, % of that"),
            ]
            .map(ToString::to_string)
            .into(),
            ..Table::default()
        };
        for (name, all) in self.signed_of_ten() {
            for passes in all {
                let time = |work| passes.time(direction, work);
                table.row([
                    name.clone(),
                    passes.encoding.name().into(),
                    passes.signed.0.to_string(),
                    passes.moved(direction).to_string(),
                    passes.waiting(direction).to_string(),
                    or_dash(time(Work::Codec).map(number)),
                    or_dash(time(Work::Hash).map(number)),
                    or_dash(time(Work::OnePass).map(number)),
                    or_dash(time(Work::TwoPasses).map(number)),
                    or_dash(time(Work::Signature).map(|time| number(time / 1e3))),
                    or_dash(passes.share(direction).map(|share| format!("{:.3}", share * 100.0))),
                ]);
            }
        }
        table
    }

    fn passes_summed(&self) -> Table {
        let mut table = Table::new(
            "One pass and two: sums of the paper's signed messages",
            &[
                "direction",
                "encoding",
                ">messages",
                ">bits moved",
                ">octets held back or kept, at most",
                ">codec, ns",
                ">hash alone, ns",
                ">one pass, ns",
                ">more than codec and hash, ns",
                ">two passes, ns",
                ">two passes against one",
                ">with signature, µs",
                ">codec, % of that",
            ],
        );
        for direction in Direction::ALL {
            for encoding in ORDER {
                let all = self.signed_in(encoding);
                let sum = |work| all.iter().map(|one| one.time(direction, work)).sum::<Option<f64>>();
                let [codec, one, two, hash, signature] = Work::ALL.map(sum);
                let most = all.iter().map(|one| one.waiting(direction)).max();
                table.row([
                    if direction == Direction::Encode { "sending" } else { "receiving" }.into(),
                    encoding.name().into(),
                    all.len().to_string(),
                    all.iter().map(|one| one.moved(direction)).sum::<usize>().to_string(),
                    or_dash(most),
                    or_dash(codec.map(number)),
                    or_dash(hash.map(number)),
                    or_dash(one.map(number)),
                    or_dash(self.beyond(direction, encoding).map(|beyond| format!("{beyond:+.0}"))),
                    or_dash(two.map(number)),
                    or_dash(one.zip(two).map(|(one, two)| format!("{:.2}", two / one))),
                    or_dash(signature.map(|time| number(time / 1e3))),
                    or_dash(codec.zip(signature).map(|(codec, all)| format!("{:.3}", codec / all * 100.0))),
                ]);
            }
        }
        table.notes.push(
            "roadwire-lent. One pass: what is signed is hashed when it has been written or read, in its place, or moved to an octet border block by block. Two passes: it is encoded by itself and hashed, before the message is encoded or after it is decoded. The signature is the message's own; certificates are not verified."
                .into(),
        );
        table.notes.push(
            "Held back or kept: of a signature in front of what it signs, a sender holds back everything from its first octet on until the message is signed, and a receiver keeps its octets until it has read what is signed."
                .into(),
        );
        table
    }

    /// The additional time of one pass over encoding or decoding and hashing, nanoseconds, summed
    /// up.
    pub(super) fn beyond(&self, direction: Direction, encoding: Encoding) -> Option<f64> {
        let beyond = |one: &Passes| {
            let [codec, both, _, hash, _] = Work::ALL.map(|work| one.time(direction, work));
            Some(both? - codec? - hash?)
        };
        self.signed_in(encoding).into_iter().map(beyond).sum()
    }
}

impl Passes {
    /// Octets that wait for the signature.
    fn waiting(&self, direction: Direction) -> usize {
        match direction {
            Direction::Encode => self.held_by_sender(),
            Direction::Decode => self.kept_by_receiver(),
        }
    }

    /// The share of encoding or decoding in signing or verifying a message in one pass.
    fn share(&self, direction: Direction) -> Option<f64> {
        Some(self.time(direction, Work::Codec)? / self.time(direction, Work::Signature)?)
    }
}

fn words(direction: Direction) -> [&'static str; 3] {
    match direction {
        Direction::Encode => ["Sending", "octets held back", "signed and encoded"],
        Direction::Decode => ["Receiving", "octets kept", "decoded and verified"],
    }
}
