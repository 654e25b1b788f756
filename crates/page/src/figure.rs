//! A figure: the chart's data, which a script draws, and a link to the static file.

use roadwire_measure::plot::{Plot, escape};
use serde_json::{Number, Value};

/// Significant digits of numbers in charts.
const DIGITS: i32 = 6;

/// The figure of a plot; `file` is the name of its SVG file, which is in the page's folder.
#[must_use]
pub fn figure(plot: &Plot, file: &str) -> String {
    let mut data = serde_json::to_value(plot).unwrap_or(Value::Null);
    shorten(&mut data);
    let (title, file) = (escape(plot.title()), escape(file));
    // In a script nothing is escaped, and `</script` would end it.
    let data = data.to_string().replace('<', "\\u003c");
    format!(
        "<figure>\n<figcaption>{title} <a href=\"{file}\">{file}</a></figcaption>\n<div class=\"chart\"></div>\n\
         <script type=\"application/json\">{data}</script>\n</figure>\n"
    )
}

/// Rounds all numbers to the digits that a chart can show.
fn shorten(data: &mut Value) {
    match data {
        Value::Array(all) => all.iter_mut().for_each(shorten),
        Value::Object(all) => all.values_mut().for_each(shorten),
        Value::Number(number) => {
            if let Some(short) = number.as_f64().and_then(rounded) {
                *number = short;
            }
        }
        _ => {}
    }
}

fn rounded(value: f64) -> Option<Number> {
    if value == 0.0 {
        return Some(0.into());
    }
    let decimals = DIGITS - 1 - value.abs().log10().floor() as i32;
    let short: f64 = format!("{value:.*}", usize::try_from(decimals).unwrap_or(0)).parse().ok()?;
    if short.fract() == 0.0 && short.abs() < 1e15 { Some((short as i64).into()) } else { Number::from_f64(short) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use roadwire_measure::plot::{Strip, Timeline};

    #[test]
    fn data_is_short_and_cannot_end_its_script() {
        let strips = vec![Strip { name: "</script><b>".into(), values: vec![1.0 / 3.0, 41.0, 0.0, 1e-9, 2e6 / 3.0] }];
        let timeline = Timeline {
            title: "loads & more".into(),
            x: "seconds".into(),
            step: 1.0,
            common: true,
            strips,
            notes: Vec::new(),
        };
        let html = figure(&timeline.into(), "load.svg");
        assert!(html.contains("[0.333333,41,0,1e-9,666667]") && html.contains("\"kind\":\"timeline\""), "{html}");
        assert!(html.contains("\\u003c/script>\\u003cb>") && html.matches("</script>").count() == 1, "{html}");
        assert!(html.contains("loads &amp; more <a href=\"load.svg\">"), "{html}");
    }
}
