//! The parts of an ELF file (32 bits, little endian) that are needed to measure a linked program:
//! sections, functions, and references between them (`--emit-relocs`).

use std::collections::BTreeMap;

/// A linked program.
pub struct Program {
    /// Octets of code and constants, of variables with a value, and of those without.
    pub sizes: [u64; 3],
    /// Functions by address: end and symbol.
    functions: BTreeMap<u32, (u32, String)>,
    /// References: address, and symbol.
    references: Vec<(u32, String)>,
}

/// The used part of a section's header.
#[derive(Clone, Copy)]
struct Section {
    kind: u32,
    flags: u32,
    offset: u32,
    size: u32,
    link: u32,
    info: u32,
}

const SYMBOLS: u32 = 2;
const NO_CONTENTS: u32 = 8;
const REFERENCES: u32 = 9;
const WRITTEN: u32 = 1;
const LOADED: u32 = 2;
const FUNCTION: u8 = 2;

impl Program {
    /// Reads a file's octets. `None` if they are not such a program.
    pub fn read(octets: &[u8]) -> Option<Self> {
        if octets.get(..6)? != [0x7f, b'E', b'L', b'F', 1, 1] {
            return None;
        }
        let (start, width, count) = (word(octets, 32)?, half(octets, 46)?, half(octets, 48)?);
        let section = |at: usize| {
            let header = start as usize + at * usize::from(width);
            let field = |index: usize| word(octets, header + 4 * index);
            Some(Section {
                kind: field(1)?,
                flags: field(2)?,
                offset: field(4)?,
                size: field(5)?,
                link: field(6)?,
                info: field(7)?,
            })
        };
        let sections: Vec<Section> = (0..count.into()).map(section).collect::<Option<_>>()?;
        let mut program = Program { sizes: [0; 3], functions: BTreeMap::new(), references: Vec::new() };
        for section in sections.iter().filter(|section| section.flags & LOADED != 0) {
            let sort = match section {
                Section { kind: NO_CONTENTS, .. } => 2,
                Section { flags, .. } if flags & WRITTEN != 0 => 1,
                _ => 0,
            };
            program.sizes[sort] += u64::from(section.size);
        }
        for section in &sections {
            match section.kind {
                SYMBOLS => program.symbols(octets, section, sections.get(section.link as usize)?)?,
                REFERENCES if sections.get(section.info as usize)?.flags & LOADED != 0 => {
                    let symbols = sections.get(section.link as usize)?;
                    program.references(octets, section, symbols, sections.get(symbols.link as usize)?)?;
                }
                _ => {}
            }
        }
        Some(program)
    }

    fn symbols(&mut self, octets: &[u8], symbols: &Section, names: &Section) -> Option<()> {
        for at in (symbols.offset..symbols.offset + symbols.size).step_by(16) {
            let at = at as usize;
            let (address, size) = (word(octets, at + 4)? & !1, word(octets, at + 8)?);
            if octets.get(at + 12)? & 15 == FUNCTION && size > 0 {
                self.functions.insert(address, (address + size, name(octets, names, word(octets, at)?)?));
            }
        }
        Some(())
    }

    fn references(&mut self, octets: &[u8], section: &Section, symbols: &Section, names: &Section) -> Option<()> {
        for at in (section.offset..section.offset + section.size).step_by(8) {
            let (from, info) = (word(octets, at as usize)?, word(octets, at as usize + 4)?);
            let symbol = (symbols.offset + (info >> 8) * 16) as usize;
            let of = name(octets, names, word(octets, symbol)?)?;
            if !of.is_empty() {
                self.references.push((from, of));
            }
        }
        Some(())
    }

    /// Which functions refer to symbols that `is_one` picks: function (empty for a constant),
    /// symbol, and how often.
    pub fn callers(&self, is_one: impl Fn(&str) -> bool) -> BTreeMap<(String, String), usize> {
        let mut callers = BTreeMap::new();
        for (from, symbol) in self.references.iter().filter(|(_, symbol)| is_one(symbol)) {
            let function = self.functions.range(..=from).next_back().filter(|(_, (end, _))| from < end);
            let function = function.map_or("", |(_, (_, name))| name);
            *callers.entry((readable(function), readable(symbol))).or_insert(0) += 1;
        }
        callers
    }

    /// The largest functions, with their sizes.
    pub fn largest(&self) -> Vec<(u32, String)> {
        let mut functions: Vec<(u32, String)> =
            self.functions.iter().map(|(start, (end, name))| (end - start, readable(name))).collect();
        functions.sort_unstable_by(|one, other| other.cmp(one));
        functions
    }
}

/// The names in a symbol (v0 mangling), without lifetimes, types and hashes.
pub fn readable(symbol: &str) -> String {
    let Some(mut rest) = symbol.strip_prefix("_R") else { return symbol.to_owned() };
    let mut names = Vec::new();
    while let Some(first) = rest.chars().next() {
        rest = match first {
            '1'..='9' => {
                let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                let (count, name) = rest.split_at(digits);
                let name = name.strip_prefix('_').unwrap_or(name);
                let Some((name, rest)) = name.split_at_checked(count.parse().unwrap_or(usize::MAX)) else { break };
                names.push(name);
                rest
            }
            // A hash, or a reference to an earlier part.
            's' | 'B' => rest.split_once('_').map_or("", |(_, rest)| rest),
            _ => &rest[first.len_utf8()..],
        };
    }
    names.join("::")
}

fn word(octets: &[u8], at: usize) -> Option<u32> {
    octets.get(at..)?.first_chunk().map(|four| u32::from_le_bytes(*four))
}

fn half(octets: &[u8], at: usize) -> Option<u16> {
    octets.get(at..)?.first_chunk().map(|two| u16::from_le_bytes(*two))
}

fn name(octets: &[u8], names: &Section, at: u32) -> Option<String> {
    let from = octets.get((names.offset + at) as usize..)?;
    let end = from.iter().position(|octet| *octet == 0)?;
    Some(String::from_utf8_lossy(&from[..end]).into_owned())
}
