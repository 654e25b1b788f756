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

/// The least and the most; `None` without values.
pub(crate) fn extremes(values: impl Iterator<Item = f64> + Clone) -> Option<[f64; 2]> {
    let ends = [f64::min, f64::max].map(|of| values.clone().reduce(of));
    Some([ends[0]?, ends[1]?])
}

/// A figure or a dash.
pub(crate) fn or_dash<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| "–".into(), |v| v.to_string())
}
