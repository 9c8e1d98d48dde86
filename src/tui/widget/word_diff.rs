//! Old and new value word by word: which words are gone, which are new.

use std::time::{Duration, Instant};

use similar::{Algorithm, ChangeTag, TextDiff};

/// Above this many bytes (old and new together) values are compared by lines.
pub const WORDS_UP_TO: usize = 200 * 1024;

/// How long a comparison may take before the rest counts as changed.
const DEADLINE: Duration = Duration::from_millis(200);

/// Up to this many bytes (old and new together) values are compared at once, longer ones by a worker.
pub const INSTANT_UP_TO: usize = 4 * 1024;

/// A stretch of text and whether it differs from the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The text as it stands in the value, line ends excluded.
    pub text: String,
    /// True if the other side does not have it.
    pub differs: bool,
}

/// A line of a value as stretches.
pub type DiffLine = Vec<Stretch>;

/// Both sides of a change, by lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordDiff {
    /// The value before.
    pub old: Vec<DiffLine>,
    /// The value after.
    pub new: Vec<DiffLine>,
}

impl WordDiff {
    /// Both values with nothing marked.
    #[must_use]
    pub fn plain(old: &str, new: &str) -> Self {
        let mut sides = Self { old: vec![Vec::new()], new: vec![Vec::new()] };
        push(&mut sides.old, old, false);
        push(&mut sides.new, new, false);
        sides
    }
}

/// Compares two values by words, or by lines where they are long. Takes at most some 200 ms.
#[must_use]
pub fn compare(old: &str, new: &str) -> WordDiff {
    let mut config = TextDiff::configure();
    config.algorithm(Algorithm::Myers).deadline(Instant::now() + DEADLINE);
    let diff = if old.len() + new.len() > WORDS_UP_TO {
        config.diff_lines(old, new)
    } else {
        config.diff_unicode_words(old, new)
    };
    let mut sides = WordDiff { old: vec![Vec::new()], new: vec![Vec::new()] };
    let mut common = 0;
    for change in diff.iter_all_changes() {
        let text = change.value();
        match change.tag() {
            ChangeTag::Equal => {
                common += text.trim().len();
                push(&mut sides.old, text, false);
                push(&mut sides.new, text, false);
            }
            ChangeTag::Delete => push(&mut sides.old, text, true),
            ChangeTag::Insert => push(&mut sides.new, text, true),
        }
    }
    // Nothing in common: marking every word says nothing that the signs do not say.
    if common == 0 {
        for line in sides.old.iter_mut().chain(&mut sides.new) {
            line.iter_mut().for_each(|stretch| stretch.differs = false);
        }
    }
    sides
}

/// Appends text to the last line, opening new lines at `\n`.
fn push(lines: &mut Vec<DiffLine>, text: &str, differs: bool) {
    for (index, part) in text.split('\n').enumerate() {
        if index > 0 {
            lines.push(Vec::new());
        }
        let Some(line) = lines.last_mut() else { continue };
        if part.is_empty() {
            continue;
        }
        match line.last_mut() {
            Some(last) if last.differs == differs => last.text.push_str(part),
            _ => line.push(Stretch { text: part.to_owned(), differs }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(lines: &[DiffLine]) -> Vec<String> {
        let show = |s: &Stretch| if s.differs { format!("[{}]", s.text) } else { s.text.clone() };
        lines.iter().map(|line| line.iter().map(show).collect()).collect()
    }

    #[test]
    fn words_that_differ_are_marked_on_both_sides() {
        let diff = compare("Keyboard replaced with new unit", "Keyboard replaced with old unit, reopened");
        assert_eq!(marked(&diff.old), ["Keyboard replaced with [new] unit"]);
        assert_eq!(marked(&diff.new), ["Keyboard replaced with [old] unit[, reopened]"]);
    }

    #[test]
    fn lines_are_kept() {
        let diff = compare("one\ntwo\n", "one\nthree\n");
        assert_eq!(marked(&diff.old), ["one", "[two]", ""]);
        assert_eq!(marked(&diff.new), ["one", "[three]", ""]);
    }

    #[test]
    fn values_with_nothing_in_common_are_not_painted_all_over() {
        let diff = compare("implement", "scheduled");
        assert_eq!(
            (marked(&diff.old), marked(&diff.new)),
            (vec!["implement".into()], vec!["scheduled".into()])
        );
    }

    #[test]
    fn large_values_are_done_in_time() {
        let old: String = (0..20_000).map(|i| format!("w{} ", i * 7 % 1000)).collect();
        let new: String = (0..20_000).map(|i| format!("w{} ", i * 11 % 1000)).collect();
        let start = Instant::now();
        let diff = compare(&old, &new);
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        let text = |lines: &[DiffLine]| lines[0].iter().map(|s| s.text.as_str()).collect::<String>();
        assert_eq!(text(&diff.old), old);
        assert_eq!(text(&diff.new), new);
        let long = "line\n".repeat(60_000);
        assert_eq!(compare(&long, &format!("{long}more\n")).new.len(), 60_002);
    }
}
