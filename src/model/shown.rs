//! How numbers look, on every screen and in every report.
//!
//! A rate never loses its meaning to rounding: `0` and `1` stand only where exact, a positive bound is
//! never `.00` and a bound below one never `1.00`.

/// A proportion with two digits: `.48`, `<.01`, `>.99`, `0`, `1`.
#[must_use]
pub fn rate(p: f64) -> String {
    proportion(p, 2)
}

/// A proportion with three digits: `.476`, `<.001`, `>.999`, `0`, `1`.
#[must_use]
pub fn rate3(p: f64) -> String {
    proportion(p, 3)
}

/// An interval with two digits: `.48–.93`, `≤.37` from an exact zero, `≥.63` up to an exact one.
#[must_use]
pub fn range(lower: f64, upper: f64) -> String {
    between(lower, upper, 2)
}

/// An interval with three digits: `.476–.927`.
#[must_use]
pub fn range3(lower: f64, upper: f64) -> String {
    between(lower, upper, 3)
}

/// A number that was set rather than found, with all its digits: `.05`, `.575`, `1`.
#[must_use]
pub fn exact(number: f64) -> String {
    let shown = number.to_string();
    match shown.strip_prefix("0.") {
        Some(tail) => format!(".{tail}"),
        None => shown,
    }
}

/// A change of a proportion with its sign: `+.125`, `−.875`, `0`, `+1`.
#[must_use]
pub fn change3(difference: f64) -> String {
    let sign = if difference < 0.0 { "−" } else { "+" };
    if difference == 0.0 { "0".into() } else { format!("{sign}{}", rate3(difference.abs())) }
}

/// A number that may lie anywhere, with three digits: `.123`, `−.041`, `12.500`, `∞`.
#[must_use]
pub fn plain3(number: f64) -> String {
    if number.is_infinite() {
        return if number > 0.0 { "∞".into() } else { "−∞".into() };
    }
    let shown = format!("{:.3}", number.abs());
    let sign = if number < 0.0 && shown != "0.000" { "−" } else { "" };
    format!("{sign}{}", shown.strip_prefix('0').unwrap_or(&shown))
}

/// A chance for people: `25 %`, `1.6 %`, `<.1 %`, `>99 %`, `0 %` and `100 %` only where exact.
#[must_use]
pub fn percent(p: f64) -> String {
    format!("{} %", percent_digits(p))
}

/// A level that was chosen, not measured: `95 %`, `5 %`, `99.5 %`.
#[must_use]
pub fn level(p: f64) -> String {
    // `1 − alpha` is not exact in binary: far behind the point it says so.
    format!("{} %", (p * 1e8).round() / 1e6)
}

/// Two chances: `7–52 %`, `<.1–14 %`.
#[must_use]
pub fn percent_range(lower: f64, upper: f64) -> String {
    format!("{}–{} %", percent_digits(lower), percent_digits(upper))
}

/// A count with thousands apart: `1,296`.
#[must_use]
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// A count with its noun: `1 run`, `1,296 runs`.
#[must_use]
pub fn plural(n: u64, noun: &str) -> String {
    let number = count(n);
    if n == 1 { format!("{number} {noun}") } else { format!("{number} {noun}s") }
}

fn proportion(p: f64, digits: usize) -> String {
    if p == 0.0 {
        return "0".into();
    }
    if p == 1.0 {
        return "1".into();
    }
    let shown = format!("{p:.digits$}");
    match shown.strip_prefix("0.") {
        Some(tail) if tail.bytes().all(|digit| digit == b'0') => format!("<.{:0>digits$}", 1),
        Some(tail) => format!(".{tail}"),
        None => format!(">.{}", "9".repeat(digits)),
    }
}

fn between(lower: f64, upper: f64, digits: usize) -> String {
    match (lower == 0.0, upper == 1.0) {
        (true, true) => "0–1".into(),
        (true, false) => format!("≤{}", proportion(upper, digits)),
        (false, true) => format!("≥{}", proportion(lower, digits)),
        (false, false) => format!("{}–{}", proportion(lower, digits), proportion(upper, digits)),
    }
}

/// An amount of US dollars: `$1,250`, `$1,250.50`.
#[must_use]
pub fn dollars(amount: f64) -> String {
    let cents = (amount.abs() * 100.0).round();
    let sign = if amount < 0.0 { "-" } else { "" };
    if !cents.is_finite() || cents >= 1e15 {
        return format!("{sign}${}", amount.abs());
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 1e15 and not negative")]
    let cents = cents as u64;
    let whole = count(cents / 100);
    if cents.is_multiple_of(100) {
        format!("{sign}${whole}")
    } else {
        format!("{sign}${whole}.{:02}", cents % 100)
    }
}

fn percent_digits(p: f64) -> String {
    let percent = p * 100.0;
    if p == 0.0 {
        "0".into()
    } else if p == 1.0 {
        "100".into()
    } else if percent < 0.05 {
        "<.1".into()
    } else if percent < 9.95 {
        let shown = format!("{percent:.1}");
        shown.strip_prefix('0').unwrap_or(&shown).to_owned()
    } else if percent < 99.5 {
        format!("{percent:.0}")
    } else {
        ">99".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_never_rounds_to_what_it_is_not() {
        assert_eq!(rate(0.476), ".48");
        assert_eq!(rate(0.0), "0");
        assert_eq!(rate(1.0), "1");
        assert_eq!(rate(0.0003), "<.01");
        assert_eq!(rate(0.9997), ">.99");
        assert_eq!(rate3(0.0003), "<.001");
        assert_eq!(rate3(0.9997), ">.999");
        assert_eq!(rate3(0.9271), ".927");
    }

    #[test]
    fn every_rate_between_zero_and_one_reads_as_neither() {
        for step in 1..10_000 {
            let shown = rate(f64::from(step) / 10_000.0);
            assert!(!["0", "1", ".00", "1.00"].contains(&shown.as_str()), "{step}: {shown}");
        }
    }

    #[test]
    fn ranges_say_which_end_is_pinned() {
        assert_eq!(range(0.476, 0.927), ".48–.93");
        assert_eq!(range(0.0, 0.369), "≤.37");
        assert_eq!(range(0.631, 1.0), "≥.63");
        assert_eq!(range(0.003, 0.527), "<.01–.53");
        assert_eq!(range3(0.476, 0.927), ".476–.927");
    }

    #[test]
    fn no_number_has_a_zero_before_its_point() {
        assert_eq!([0.05, 0.575, 1.0, 0.0].map(exact), [".05", ".575", "1", "0"]);
        assert_eq!([0.125, -0.875, 0.0, -1.0].map(change3), ["+.125", "−.875", "0", "−1"]);
        assert_eq!(change3(-0.000_2), "−<.001");
        assert_eq!([0.1234, -0.0412, 12.5, -0.000_1].map(plain3), [".123", "−.041", "12.500", ".000"]);
        assert_eq!(plain3(f64::INFINITY), "∞");
    }

    #[test]
    fn percents_and_counts() {
        assert_eq!(percent(0.015_625), "1.6 %");
        assert_eq!(percent(0.25), "25 %");
        assert_eq!((level(0.05), level(0.95), level(0.995)), ("5 %".into(), "95 %".into(), "99.5 %".into()));
        assert_eq!((level(1.0 - 0.000_1), level(1.0 - 0.1)), ("99.99 %".into(), "90 %".into()));
        assert_eq!(percent(0.000_1), "<.1 %");
        assert_eq!(percent(0.000_98), ".1 %");
        assert_eq!(percent(0.996), ">99 %");
        assert_eq!(percent_range(0.0004, 0.14), "<.1–14 %");
        assert_eq!(count(1296), "1,296");
        assert_eq!(count(7), "7");
        assert_eq!(count(1_234_567), "1,234,567");
    }
}
