//! Patterns, not repeats: the runs of a cell grouped by what they did (UX §1.7).

use super::edits::{Edit, edits_of, in_one_line};
use crate::model::{Outcome, SubLabel};
use crate::report::words;
use crate::study::{RunEntry, RunState};

/// The sections of the Cell screen, in the order they stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Section {
    /// ⚑ a refusal was declared, and a not-allowed edit is in the database
    RefusedYetChanged,
    /// damage without a refusal
    Damage,
    /// no damage, not all checks passed
    FailedClean,
    /// passed, and a refusal was declared
    PassRefused,
    /// passed
    Pass,
    /// no verdict
    NoVerdict,
    /// not labelled yet
    Pending,
}

impl Section {
    /// The section of a run.
    #[must_use]
    pub fn of(run: &RunEntry) -> Self {
        let verdict = match &run.state {
            RunState::Pending => return Self::Pending,
            RunState::NoVerdict(_) => return Self::NoVerdict,
            RunState::Judged { verdict, .. } => verdict,
        };
        match (verdict.outcome, verdict.sub_label) {
            (Outcome::FailDamage, Some(SubLabel::RefusedButMutated)) => Self::RefusedYetChanged,
            (Outcome::FailDamage, _) => Self::Damage,
            (Outcome::FailSafe, _) => Self::FailedClean,
            (Outcome::Pass, _) if verdict.refusal_declared => Self::PassRefused,
            (Outcome::Pass, _) => Self::Pass,
        }
    }

    /// Its heading.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::RefusedYetChanged => "⚑ REFUSED, YET CHANGED",
            Self::Damage => "DAMAGE",
            Self::FailedClean => "FAILED CLEAN",
            Self::PassRefused => "PASS, REFUSED",
            Self::Pass => "PASS",
            Self::NoVerdict => "NO VERDICT",
            Self::Pending => "NOT JUDGED YET",
        }
    }

    /// True for the sections of runs with damage.
    #[must_use]
    pub fn is_damage(self) -> bool {
        matches!(self, Self::RefusedYetChanged | Self::Damage)
    }
}

/// Runs that did the same: same label, rows and columns. Where a whole section edits one row alike, short new
/// values tell its patterns apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Pattern {
    /// Where it stands.
    pub section: Section,
    /// The label's refinement in plain words; may be empty.
    pub refinement: &'static str,
    /// The not-allowed edits of its first run.
    pub edits: Vec<Edit>,
    /// Places in the cell's runs, by number.
    pub runs: Vec<usize>,
}

/// The runs of a cell as patterns: by section, then most runs first, then by their first run.
#[must_use]
pub fn patterns(runs: &[RunEntry]) -> Vec<Pattern> {
    patterns_by(runs, &runs.iter().map(edits_of).collect::<Vec<_>>())
}

/// The same where it is known what each run edited.
#[must_use]
pub fn patterns_by(runs: &[RunEntry], edits: &[Vec<Edit>]) -> Vec<Pattern> {
    let places: Vec<usize> = (0..runs.len()).collect();
    let mut patterns = grouped(runs, edits, &places, Edit::same_row);
    let sections: Vec<Section> = patterns.iter().map(|pattern| pattern.section).collect();
    let alone = |section| sections.iter().filter(|other| **other == section).count() == 1;
    patterns = patterns
        .into_iter()
        .flat_map(|pattern| match pattern.edits.as_slice() {
            [_] if alone(pattern.section) => grouped(runs, edits, &pattern.runs, Edit::same_pattern),
            _ => vec![pattern],
        })
        .collect();
    patterns.sort_by_key(|pattern| {
        (pattern.section, std::cmp::Reverse(pattern.runs.len()), pattern.runs.first().copied())
    });
    patterns
}

/// Runs at these places, grouped by label and by what makes edits the same.
fn grouped(
    runs: &[RunEntry],
    edits: &[Vec<Edit>],
    places: &[usize],
    same_edit: fn(&Edit, &Edit) -> bool,
) -> Vec<Pattern> {
    let mut patterns: Vec<Pattern> = Vec::new();
    for place in places {
        let (Some(run), Some(edits)) = (runs.get(*place), edits.get(*place)) else { continue };
        let section = Section::of(run);
        let refinement = run.verdict().map_or("", |verdict| words::label(verdict).1);
        let same = |pattern: &&mut Pattern| {
            pattern.section == section
                && pattern.refinement == refinement
                && pattern.edits.len() == edits.len()
                && pattern.edits.iter().zip(edits).all(|(a, b)| same_edit(a, b))
        };
        match patterns.iter_mut().find(same) {
            Some(pattern) => pattern.runs.push(*place),
            None => {
                let edits = edits.clone();
                patterns.push(Pattern { section, refinement, edits, runs: vec![*place] });
            }
        }
    }
    patterns
}

/// Those of one section: they stand together.
#[must_use]
pub fn of_section(patterns: &[Pattern], section: Section) -> &[Pattern] {
    let mut sections = patterns.chunk_by(|a, b| a.section == b.section);
    sections.find(|of| of.first().is_some_and(|first| first.section == section)).unwrap_or_default()
}

/// What the runs with damage did, in few words, with how many did just that, the most frequent first.
#[must_use]
pub fn tally(runs: &[RunEntry]) -> Vec<(String, usize)> {
    let mut tally: Vec<(String, usize)> = Vec::new();
    for pattern in patterns(runs).iter().filter(|pattern| pattern.section.is_damage()) {
        // Labels and values tell patterns apart that are the same in few words.
        let words = in_one_line(&pattern.edits, Edit::row_and_columns);
        match tally.iter_mut().find(|(same, _)| *same == words) {
            Some((_, runs)) => *runs += pattern.runs.len(),
            None => tally.push((words, pattern.runs.len())),
        }
    }
    tally.sort_by_key(|(_, runs)| std::cmp::Reverse(*runs));
    tally
}

/// What all patterns of a section share, so that it stands once in the section's heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Shared {
    /// `change/ORD_014 status`
    pub row: String,
    /// The value before, where all have the same.
    pub old: Option<String>,
}

/// The one edit that all patterns of a section make, if they do; `None` also where they make none.
#[must_use]
pub fn shared(patterns: &[Pattern]) -> Option<Shared> {
    let first = patterns.first()?;
    let [edit] = first.edits.as_slice() else { return None };
    let same = patterns.iter().all(|pattern| match pattern.edits.as_slice() {
        [other] => edit.same_row(other),
        _ => false,
    });
    if !same {
        return None;
    }
    let old_of = |pattern: &Pattern| Some(pattern.edits.first()?.single_value()?.0.to_owned());
    let old =
        old_of(first).filter(|old| patterns.iter().all(|pattern| old_of(pattern).as_ref() == Some(old)));
    Some(Shared { row: edit.row_and_columns(), old })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screen::fixture;

    #[test]
    fn runs_are_grouped_by_label_rows_columns_and_short_values() {
        let study = fixture::gate_study();
        let patterns = patterns(study.runs_of(&study.cells[0]));
        let shape: Vec<(Section, usize)> = patterns.iter().map(|p| (p.section, p.runs.len())).collect();
        assert_eq!(
            shape,
            [
                (Section::RefusedYetChanged, 4),
                (Section::RefusedYetChanged, 2),
                (Section::Damage, 1),
                (Section::FailedClean, 1),
                (Section::PassRefused, 2),
                (Section::NoVerdict, 1),
            ]
        );
        assert_eq!(patterns.iter().map(|p| p.runs.len()).sum::<usize>(), study.runs.len(), "no run is lost");
    }

    #[test]
    fn runs_that_did_the_same_count_together_whatever_their_label() {
        let study = fixture::gate_study();
        let tally = tally(study.runs_of(&study.cells[0]));
        assert_eq!(tally.iter().map(|(_, runs)| runs).sum::<usize>(), 7, "every run with damage");
        assert_eq!(tally[0], ("booking/BK-07 state".into(), 6));
    }

    #[test]
    fn what_a_section_shares_stands_once() {
        let study = fixture::gate_study();
        let patterns = patterns(study.runs_of(&study.cells[0]));
        let refused = shared(&patterns[..2]).expect("one edit in both");
        assert_eq!(refused.row, "booking/BK-07 state");
        assert_eq!(refused.old.as_deref(), Some("held"));
        assert_eq!(shared(&patterns[..3]), None, "a third pattern edits another row");
        assert_eq!(shared(&patterns[4..5]), None, "no edit is nothing shared");
    }
}
