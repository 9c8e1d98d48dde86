//! The twin of a run: the run of the same cell that says the same and left another database.

use std::collections::BTreeMap;

use crate::study::RunEntry;

/// How alike two runs' final messages are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// the same, word for word
    SameWords,
    /// the closest there is, with the share of words they have in common, in percent
    Closest(u32),
    /// one of the two has no final message: the first run there is
    NoMessage,
}

/// A run's twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twin {
    /// Place in the cell's runs.
    pub place: usize,
    /// How alike they are.
    pub likeness: Likeness,
}

/// The twin of the run at `place`: of a run with damage the clean run whose final message is most alike,
/// of a clean run the run with damage. `None` for runs without verdict and where the cell has no other
/// kind. Of equals the lowest number.
#[must_use]
pub fn twin(runs: &[RunEntry], place: usize) -> Option<Twin> {
    let run = runs.get(place)?;
    let damaged = run.verdict()?.counts_as_damage;
    let message = run.digest().and_then(|digest| digest.final_message.as_deref());
    let said = message.map(bag);
    let mut best: Option<(u32, Twin)> = None;
    for (other_place, other) in runs.iter().enumerate() {
        if other.verdict().is_none_or(|verdict| verdict.counts_as_damage == damaged) {
            continue;
        }
        let other_message = other.digest().and_then(|digest| digest.final_message.as_deref());
        let (score, likeness) = match (message, &said, other_message) {
            (Some(a), _, Some(b)) if a == b => (101, Likeness::SameWords),
            (_, Some(said), Some(b)) => {
                let share = alike(said, &bag(b));
                (share, Likeness::Closest(share))
            }
            _ => (0, Likeness::NoMessage),
        };
        if best.is_none_or(|(highest, _)| score > highest) {
            best = Some((score, Twin { place: other_place, likeness }));
        }
    }
    best.map(|(_, twin)| twin)
}

/// Words and how often each occurs.
fn bag(text: &str) -> BTreeMap<&str, u32> {
    let mut bag = BTreeMap::new();
    for word in text.split_whitespace() {
        *bag.entry(word).or_default() += 1;
    }
    bag
}

/// Share of words two texts have in common, in percent (Dice's coefficient on their words, rounded down, so
/// that 100 means all).
fn alike(a: &BTreeMap<&str, u32>, b: &BTreeMap<&str, u32>) -> u32 {
    let total: u32 = a.values().chain(b.values()).sum();
    let common: u32 = a.iter().map(|(word, count)| (*count).min(b.get(word).copied().unwrap_or(0))).sum();
    (200 * common).checked_div(total).unwrap_or(100)
}

/// The twin in a sentence.
#[must_use]
pub fn sentence(runs: &[RunEntry], place: usize) -> String {
    let Some(run) = runs.get(place) else { return String::new() };
    let Some(verdict) = run.verdict() else { return format!("{} has no verdict, so no twin", run.name) };
    let kind = if verdict.counts_as_damage { "clean twin" } else { "twin with damage" };
    let Some(found) = twin(runs, place) else {
        return if verdict.counts_as_damage {
            format!("no clean twin of {}: every judged run of the cell did damage", run.name)
        } else {
            "no run of this cell did damage".into()
        };
    };
    let other = runs.get(found.place).map_or("", |other| &*other.name);
    let how = match found.likeness {
        Likeness::SameWords => "same final message word for word".into(),
        Likeness::Closest(share) => format!("closest final message, {share} % of words"),
        Likeness::NoMessage => "no final message to compare".into(),
    };
    format!("{kind} of {}: {other}, {how}", run.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screen::fixture;

    #[test]
    fn the_same_words_win_over_alike_ones() {
        let study = fixture::gate_study();
        let found = twin(study.runs_of(&study.cells[0]), 1).expect("run_2 has a clean twin");
        assert_eq!((study.runs[found.place].number, found.likeness), (8, Likeness::SameWords));
        assert_eq!(
            sentence(study.runs_of(&study.cells[0]), 1),
            "clean twin of run_2: run_8, same final message word for word"
        );
        let back = twin(study.runs_of(&study.cells[0]), found.place).expect("and run_8 a twin with damage");
        assert_eq!(back, Twin { place: 1, likeness: Likeness::SameWords });
    }

    #[test]
    fn else_the_closest_message_is_taken_and_said_so() {
        let study = fixture::gate_study();
        let found = twin(study.runs_of(&study.cells[0]), 0).expect("run_1 has a clean run to stand beside");
        assert!(matches!(found.likeness, Likeness::Closest(1..=99)), "{found:?}");
        assert!(sentence(study.runs_of(&study.cells[0]), 0).contains("closest final message"));
    }

    #[test]
    fn a_cell_of_one_kind_has_no_twins() {
        let study = fixture::gate_study();
        let damaged: Vec<_> =
            study.runs.iter().filter(|r| r.verdict().is_some_and(|v| v.counts_as_damage)).cloned().collect();
        assert_eq!(twin(&damaged, 0), None);
        assert!(sentence(&damaged, 0).starts_with("no clean twin"));
        assert_eq!(twin(&[], 0), None);
    }

    #[test]
    fn likeness_counts_words() {
        assert_eq!(alike(&bag("a b c d"), &bag("a b c d")), 100);
        assert_eq!(alike(&bag("a b c d"), &bag("a b x y")), 50);
        assert_eq!(alike(&bag("a"), &bag("b")), 0);
    }
}
