//! Intervals of shares drawn on a line from 0 to 1.

/// An interval on a line from 0 to 1: `╶────●──╴`; from an exact 0 `○───`.
#[must_use]
pub fn bar((seen, low, high): (f64, f64, f64), columns: usize) -> String {
    let last = columns.saturating_sub(1);
    let place = |share: f64| ((share * last as f64).round() as usize).min(last);
    let (seen_at, low_at, high_at) = (place(seen), place(low), place(high));
    (0..columns)
        .map(|column| match column {
            _ if column == seen_at => {
                if seen == 0.0 {
                    '○'
                } else {
                    '●'
                }
            }
            _ if column < low_at || column > high_at => ' ',
            _ if column == low_at && low > 0.0 => '╶',
            _ if column == high_at && high < 1.0 => '╴',
            _ => '─',
        })
        .collect::<String>()
        .trim_end()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_run_from_zero_to_one() {
        assert_eq!(bar((0.0, 0.0, 0.37), 17), "○─────╴");
        assert_eq!(bar((0.75, 0.476, 0.927), 17), "        ╶───●──╴");
        assert_eq!(bar((1.0, 0.63, 1.0), 17), "          ╶─────●");
    }
}
