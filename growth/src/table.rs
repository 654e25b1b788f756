//! The measurements as the table of `docs/limits.md`.

use crate::growth::Growth;

/// The line before the table.
pub const BEGIN: &str = "<!-- growth: cargo run --release --manifest-path growth/Cargo.toml -->";
/// The line after it.
pub const END: &str = "<!-- end of growth -->";

const HEAD: &str = "\
| what is large | MB | ns an octet, most | time | octets of heap an octet, most | heap | refused |
| --- | ---: | ---: | ---: | ---: | ---: | --- |
";

/// The page with the rows of these families. Other rows are not changed; `families` gives the
/// order.
#[must_use]
pub fn page(page: &str, families: &[&str], all: &[Growth]) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (earlier, after) = rest.split_once(END)?;
    let mut text = HEAD.to_owned();
    for family in families {
        let parts: Vec<&Growth> = all.iter().filter(|growth| growth.family == *family).collect();
        let start = format!("| {family} |");
        match earlier.lines().find(|line| line.starts_with(&start)) {
            _ if !parts.is_empty() => text += &row(family, &parts),
            Some(line) => text += &format!("{line}\n"),
            None => {}
        }
    }
    Some(format!("{before}{BEGIN}\n\n{text}\n{END}{after}"))
}

/// The parts of a family that are the slowest, grow the fastest and take the most memory.
fn row(family: &str, parts: &[&Growth]) -> String {
    let most = |of: &dyn Fn(&Growth) -> f64| {
        let most = parts.iter().max_by(|a, b| of(a).total_cmp(&of(b)));
        most.map_or((0.0, ""), |growth| (of(growth), growth.name.as_str()))
    };
    let megabytes = |growth: &Growth| growth.points[1].octets as f64 / 1e6;
    let (longest, shortest) = (most(&megabytes).0, -most(&|growth| -megabytes(growth)).0);
    let length = if shortest * 1.5 > longest {
        rounded(longest)
    } else {
        format!("{} to {}", rounded(shortest), rounded(longest))
    };
    let an_octet = |number: f64, growth: &Growth| number / growth.points[1].octets as f64;
    let (time, slowest) = most(&|growth| an_octet(growth.points[1].nanoseconds, growth));
    let (heap, largest) = most(&|growth| an_octet(growth.points[1].heap, growth));
    let (time_grows, heap_grows) = (most(&Growth::time).0, most(&Growth::heap).0);
    let mut refused: Vec<String> = parts
        .iter()
        .filter(|growth| growth.outcome != "taken")
        .map(|growth| match growth.outcome {
            "refused" => growth.name.clone(),
            code => format!("`{code}`"),
        })
        .collect();
    refused.sort_unstable();
    refused.dedup();
    let refused = if refused.len() > 3 { format!("{} of {}", refused.len(), parts.len()) } else { refused.join(", ") };
    let (time, heap) = (rounded(time), rounded(heap));
    format!(
        "| {family} | {length} | {time} ({slowest}) | n^{time_grows:.2} | {heap} ({largest}) | n^{heap_grows:.2} | {refused} |\n"
    )
}

fn rounded(number: f64) -> String {
    if number < 10.0 { format!("{number:.1}") } else { format!("{number:.0}") }
}
