//! Reading at positions that are not known in advance: from a word with the next bits, fields, constants and short numbers in groups are taken one after the other.

use crate::packed::read_item::{Content, ReadItem, TAKE_BITS};
use crate::source::Source;

/// Reads from the reader's position. If `there` is not 0, the variable `word` begins with this many of the next bits.
pub(crate) fn read(items: &[ReadItem], mut there: u32, out: &mut Source) {
    // The bits of the word by which the reader has not been advanced yet.
    let mut taken = 0;
    let mut rest = items;
    while let [first, others @ ..] = rest {
        if first.bits > TAKE_BITS {
            advance(taken, out);
            (taken, there) = (0, 0);
            out.line("r.within()?;");
            out.line(format!("let {} = r.take_wide({})?;", first.variable, first.bits));
            first.use_variable(out);
            rest = others;
            continue;
        }
        if taken + first.bits > there {
            advance(taken, out);
            out.line("let word = r.window();");
            (taken, there) = (0, TAKE_BITS);
        }
        if first.is_groups() {
            // `peel` shifts the word as if the number had one group.
            let (variable, most) = (&first.variable, first.bits / 8);
            out.line(format!("let ({variable}, word, more) = wire::rt::varint::peel::<{most}>(word, {taken})?;"));
            out.line("r.advance(more);");
            taken += 8;
            there -= first.bits - 8;
            first.use_variable(out);
            rest = others;
            continue;
        }
        let mut end = taken;
        let fitting = rest.iter().take_while(|item| {
            end += item.bits;
            !item.is_groups() && end <= there
        });
        let (fitting, others) = rest.split_at(fitting.count());
        refuse_other_constants(fitting, taken, out);
        for item in fitting {
            match item.bits {
                _ if item.variable.is_empty() => {}
                0 => out.line(format!("let {} = 0u64;", item.variable)),
                bits => out.line(format!("let {} = word << {taken} >> {};", item.variable, 64 - bits)),
            }
            item.use_variable(out);
            taken += item.bits;
        }
        rest = others;
    }
    advance(taken, out);
    out.line("r.within()?;");
}

/// Checks all constants among items from bit `at` of the word on in one comparison.
fn refuse_other_constants(items: &[ReadItem], mut at: u32, out: &mut Source) {
    let (mut mask, mut wanted) = (0u64, 0u64);
    for item in items {
        at += item.bits;
        if let Content::Constant(constant) = item.content {
            mask |= ((1 << item.bits) - 1) << (64 - at);
            wanted |= constant << (64 - at);
        }
    }
    if mask != 0 {
        out.refuse_if(&format!("word & {mask:#x} != {wanted:#x}"));
    }
}

fn advance(bits: u32, out: &mut Source) {
    if bits > 0 {
        out.line(format!("r.advance({bits});"));
    }
}
