//! Numbers as text.

/// A figure without needless decimals.
pub(crate) fn number(value: f64) -> String {
    let digits = match value.abs() {
        v if v.fract() == 0.0 && v < 1e15 => 0,
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 0.1 => 2,
        _ => 4,
    };
    format!("{value:.digits$}")
}

/// A figure with `digits` significant digits.
pub(crate) fn significant(value: f64, digits: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return "0".into();
    }
    let decimals = (digits - 1 - value.abs().log10().floor() as i32).clamp(0, 15) as usize;
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// As [`significant`]; what is below a thousandth as a power of ten.
pub(crate) fn readable(value: f64, digits: i32) -> String {
    const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    // Rounded first: 0.00099999 is 1×10⁻³, and shown as 0.001.
    let rounded: f64 = significant(value, digits).parse().unwrap_or(value);
    if rounded == 0.0 || rounded.abs() >= 1e-3 {
        return significant(value, digits);
    }
    let power = -rounded.abs().log10().floor() as usize;
    let exponent: String = power.to_string().bytes().map(|digit| SUPERSCRIPTS[usize::from(digit - b'0')]).collect();
    format!("{}×10⁻{exponent}", significant(rounded * 10_f64.powi(power as i32), digits))
}

/// The least and the most; `None` without values.
pub(crate) fn extremes(values: impl Iterator<Item = f64> + Clone) -> Option<[f64; 2]> {
    let ends = [f64::min, f64::max].map(|of| values.clone().reduce(of));
    Some([ends[0]?, ends[1]?])
}

/// A figure or a dash.
pub(crate) fn or_dash<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "–".into(), |v| v.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_below_a_thousandth_is_a_power_of_ten() {
        let shown = [0.00006997, 0.00000005023, 0.0016, 0.00099999, 0.001, 0.0].map(|value| readable(value, 4));
        assert_eq!(shown, ["6.997×10⁻⁵", "5.023×10⁻⁸", "0.0016", "0.001", "0.001", "0"]);
        assert_eq!(readable(1e-15, 4), "1×10⁻¹⁵");
    }
}
