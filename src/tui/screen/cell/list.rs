//! The lines of the Cell screen's list: sections, patterns, runs; and where their columns stand.

use std::collections::HashSet;

use crate::damage::{Digest, Mark, NamesRow};
use crate::report::words;
use crate::study::{RunEntry, RunState};
use crate::tui::screen::account::edits::{Edit, in_one_line};
use crate::tui::screen::account::patterns::{Pattern, Section, Shared, of_section, shared};
use crate::tui::text;
use crate::tui::widget::rich::{Rich, Role};
use crate::tui::widget::strip;

/// A section whose runs all did the same is listed without a line for its one pattern up to this many runs.
const LISTED: usize = 8;
/// Patterns of more runs than this come folded.
const OPEN: usize = 2;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// a section's heading
    Section(Section),
    /// a pattern, by its first run's place in the cell
    Pattern(usize),
    /// a run, by its place in the cell
    Run(usize),
}

impl Item {
    /// True if the cursor can stand on it.
    #[must_use]
    pub fn is_stop(self) -> bool {
        !matches!(self, Self::Section(_))
    }
}

/// Which patterns are open.
#[derive(Clone, Debug, Default)]
pub struct Folds {
    /// Patterns that are not as they come, by their first run's place.
    pub turned: HashSet<usize>,
    /// The run the screen was opened on: its pattern comes open.
    pub start: Option<usize>,
}

impl Folds {
    /// True if the pattern's runs are listed.
    #[must_use]
    pub fn is_open(&self, pattern: &Pattern) -> bool {
        let comes_open =
            pattern.runs.len() <= OPEN || self.start.is_some_and(|run| pattern.runs.contains(&run));
        pattern.runs.first().is_some_and(|first| comes_open != self.turned.contains(first))
    }
}

/// All lines, in order.
#[must_use]
pub fn items(patterns: &[Pattern], folds: &Folds) -> Vec<Item> {
    let mut items = Vec::new();
    for group in patterns.chunk_by(|a, b| a.section == b.section) {
        let Some(first) = group.first() else { continue };
        items.push(Item::Section(first.section));
        for pattern in group {
            let Some(run) = pattern.runs.first() else { continue };
            let has_line = has_line(group);
            if has_line {
                items.push(Item::Pattern(*run));
            }
            if !has_line || folds.is_open(pattern) {
                items.extend(pattern.runs.iter().map(|run| Item::Run(*run)));
            }
        }
    }
    items
}

/// True if a section's patterns have lines of their own: several, of which one sums up several runs, or one
/// that is long. Else the runs say it themselves.
fn has_line(section: &[Pattern]) -> bool {
    let most = section.iter().map(|pattern| pattern.runs.len()).max().unwrap_or(0);
    (section.len() > 1 && most > 1) || most > LISTED
}

/// Where columns begin; one that has no room is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns {
    calls: usize,
    edits: usize,
    edits_width: usize,
    names: Option<usize>,
    admits: Option<usize>,
    checks: usize,
    tokens: Option<usize>,
    order: Option<usize>,
}

impl Columns {
    /// The columns for a width.
    #[must_use]
    pub fn for_width(width: usize) -> Self {
        let calls = 9;
        if width < 70 {
            let checks = width.saturating_sub(9).max(26);
            let edits_width = checks.saturating_sub(25);
            return Self {
                calls,
                edits: 24,
                edits_width,
                names: None,
                admits: None,
                checks,
                tokens: None,
                order: None,
            };
        }
        let spare = width.saturating_sub(80);
        let order = (spare >= 30).then(|| width.saturating_sub(14));
        let right = if order.is_some() { width.saturating_sub(17) } else { width };
        let edits = 24 + (spare / 4).min(20);
        let names = right.saturating_sub(33);
        Self {
            calls,
            edits,
            edits_width: names.saturating_sub(edits + 1),
            names: Some(names),
            admits: Some(right.saturating_sub(22)),
            checks: right.saturating_sub(13),
            tokens: Some(right.saturating_sub(5)),
            order,
        }
    }

    /// The heading over the list.
    #[must_use]
    pub fn heading(self) -> Rich {
        let add = |line: Rich, column: Option<usize>, title: &str| match column {
            Some(column) => line.column(column).add(Role::Dim, title),
            None => line,
        };
        let line = Rich::of(Role::Dim, "   run").column(self.calls).add(Role::Dim, "calls");
        let line = add(line, Some(self.edits), "not allowed");
        let line = add(line, self.names, "names row");
        let line = add(line, self.admits, "admits");
        let line = add(line, Some(self.checks.saturating_sub(1)), "checks");
        let line = add(line, self.tokens.map(|tokens| tokens - 1), "tokens");
        add(line, self.order, "order")
    }
}

/// A section's heading: its count, and what all its patterns share.
#[must_use]
pub fn section_line(section: Section, patterns: &[Pattern], columns: Columns) -> Rich {
    let group = of_section(patterns, section);
    let runs: usize = group.iter().map(|pattern| pattern.runs.len()).sum();
    let role = if section.is_damage() { Role::Damage } else { Role::Strong };
    let line = Rich::of(role, format!(" {}", section.title())).add(Role::Dim, format!(" {runs}"));
    if matches!(section, Section::PassRefused | Section::Pass | Section::FailedClean) {
        return line.column(columns.edits).add(Role::Dim, "nothing outside the rules");
    }
    match shared(group) {
        Some(Shared { row, old }) => {
            let line = line.column(columns.edits + 9).add(Role::Plain, row);
            match (old, group) {
                (Some(old), [only]) => {
                    let new = only.edits.first().and_then(Edit::single_value).map(|(_, new)| new.to_owned());
                    line.add(Role::Plain, format!("  {old} → {}", new.unwrap_or_default()))
                }
                (Some(old), _) => line.add(Role::Plain, format!("  {old} →")),
                (None, _) => line,
            }
        }
        None => line,
    }
}

/// A pattern: how often, what, and its runs' facts added up while it is folded.
#[must_use]
pub fn pattern_line(
    pattern: &Pattern,
    patterns: &[Pattern],
    runs: &[RunEntry],
    open: bool,
    columns: Columns,
) -> Rich {
    let group = of_section(patterns, pattern.section);
    let sign = if open { '▾' } else { '▸' };
    let line = Rich::of(Role::Dim, format!("   {sign} "))
        .add(Role::Strong, format!("{}×", pattern.runs.len()))
        .column(columns.calls);
    let shared = shared(group).is_some();
    let new = pattern.edits.first().and_then(Edit::single_value).map(|(_, new)| new);
    let what = match (shared, new) {
        (true, Some(new)) => format!("… {new}"),
        (true, None) => String::new(),
        (false, _) if pattern.edits.is_empty() => pattern.refinement.to_owned(),
        (false, _) => in_one_line(&pattern.edits, Edit::row_and_columns),
    };
    // Sub-labels tell patterns of one section apart.
    let several = group.iter().any(|other| other.refinement != pattern.refinement);
    let what =
        if several && !pattern.edits.is_empty() { format!("{what} · {}", pattern.refinement) } else { what };
    let fits = text::width(&what) < columns.edits.saturating_sub(columns.calls);
    let room = columns.names.unwrap_or(columns.checks).saturating_sub(columns.calls + 1);
    let mut line = line.add(Role::Plain, text::cut(&what, room));
    if open {
        return line;
    }
    let digests: Vec<&Digest> =
        pattern.runs.iter().filter_map(|run| runs.get(*run)?.digest().map(AsRef::as_ref)).collect();
    if digests.is_empty() {
        return line;
    }
    if fits {
        line = line.column(columns.edits).add(Role::Dim, typical(&digests));
    }
    let of = |count: usize| format!("{count} of {}", pattern.runs.len());
    let facts = || digests.iter().filter_map(|digest| digest.facts.as_ref());
    if let (Some(column), true) = (columns.names, pattern.section == Section::RefusedYetChanged) {
        let named = facts().filter(|facts| facts.refusal_names == Some(NamesRow::This)).count();
        line = line.column(column).add(Role::Plain, of(named));
    }
    if let (Some(column), true) = (columns.admits, pattern.section.is_damage()) {
        line = line
            .column(column)
            .add(Role::Plain, of(facts().filter(|facts| facts.admits == Some(true)).count()));
    }
    let (passed, all) = digests
        .iter()
        .fold((0, 0), |(passed, all), digest| (passed + digest.checks.0, all + digest.checks.1));
    line.column(columns.checks).add(Role::Plain, format!("{passed}/{all}"))
}

/// The median number of calls.
fn typical(digests: &[&Digest]) -> String {
    let mut calls: Vec<usize> = digests.iter().map(|digest| digest.strip.len().saturating_sub(1)).collect();
    calls.sort_unstable();
    match calls.get(calls.len() / 2).copied().unwrap_or(0) {
        1 => "1 call typical".into(),
        calls => format!("{calls} calls typical"),
    }
}

/// What is said of a run by the section it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// nothing: it stands in no section
    Nothing,
    /// its label
    Label,
    /// its label, and the row it edits
    Row,
}

/// A run; it says itself what no section says of it.
#[must_use]
pub fn run_line(run: &RunEntry, edits: &[Edit], said: Said, columns: Columns) -> Rich {
    let passed = run.verdict().is_some_and(|verdict| verdict.passed_but_damaged());
    let section = Section::of(run);
    let refused = said == Said::Nothing && section == Section::RefusedYetChanged;
    let mark = match (refused, passed) {
        (true, _) => " ⚑",
        (false, true) => " ≠",
        (false, false) => "",
    };
    let line =
        Rich::of(Role::Plain, format!("{:>6}", run.number)).add(Role::Damage, mark).column(columns.calls);
    match &run.state {
        RunState::Pending => return line.add(Role::Dim, "⋯"),
        RunState::NoVerdict(why) => {
            return line.add(Role::Notice, format!("{} {}", why.code.as_str(), why.detail));
        }
        RunState::Judged { .. } => {}
    }
    let mut line = line;
    let digest = run.digest();
    match digest {
        Some(digest) => {
            let room = columns.edits.saturating_sub(columns.calls + 1);
            for group in strip::fit(&strip::groups(&digest.strip), room) {
                line = match group {
                    Some(group) => line.add(mark_role(group.0), strip::label(group)),
                    None => line.add(Role::Dim, "⋯"),
                }
                .add(Role::Plain, " ");
            }
        }
        None => line = line.add(Role::Dim, "not on record"),
    }
    let word = |edit: &Edit| {
        let fits = |text: &String| text::width(text) <= columns.edits_width;
        let by_room = [edit.in_full(), edit.row_and_columns()].into_iter().find(fits);
        by_room.filter(|_| said != Said::Row).unwrap_or_else(|| edit.key_and_columns())
    };
    let what = if edits.is_empty() && said == Said::Nothing {
        section.title().to_lowercase()
    } else {
        in_one_line(edits, word)
    };
    let role = if edits.is_empty() { Role::Dim } else { Role::Damage };
    line = line.column(columns.edits).add(role, text::cut(&what, columns.edits_width));
    let Some(digest) = digest else { return line };
    let facts = digest.facts.as_ref();
    if let Some(column) = columns.names {
        let names = match facts.and_then(|facts| facts.refusal_names) {
            Some(NamesRow::This) => "yes",
            Some(NamesRow::Another) => "another",
            Some(NamesRow::None) | None => "–",
        };
        line = line.column(column).add(Role::Plain, names);
    }
    if let Some(column) = columns.admits {
        let admits =
            facts.and_then(|facts| facts.admits).map_or("–", |admits| if admits { "yes" } else { "no" });
        line = line.column(column).add(Role::Plain, admits);
    }
    line = line.column(columns.checks).add(Role::Plain, format!("{}/{}", digest.checks.0, digest.checks.1));
    if let (Some(column), Some(tokens)) = (columns.tokens, digest.tokens) {
        line = line.column(column).add(Role::Dim, format!("{:>4}", thousands(tokens)));
    }
    if let (Some(column), Some(order)) = (columns.order, facts.and_then(words::order)) {
        line = line.column(column).add(Role::Dim, order);
    }
    line
}

/// The role of a mark in a strip.
fn mark_role(mark: Mark) -> Role {
    match mark {
        Mark::Read | Mark::End => Role::Dim,
        Mark::Write => Role::Plain,
        Mark::Failed | Mark::Stalled | Mark::Errored => Role::Notice,
        Mark::Damage => Role::Damage,
        Mark::Refusal => Role::Said,
    }
}

/// Tokens in short: `830`, `8.2k`, `1.4M`.
fn thousands(tokens: u64) -> String {
    match tokens {
        0..1_000 => tokens.to_string(),
        1_000..99_950 => format!("{}.{}k", tokens / 1_000, tokens % 1_000 / 100),
        99_950..999_500 => format!("{}k", (tokens + 500) / 1_000),
        _ => format!("{}.{}M", tokens / 1_000_000, tokens % 1_000_000 / 100_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_short() {
        assert_eq!(thousands(830), "830");
        assert_eq!(thousands(8_240), "8.2k");
        assert_eq!(thousands(123_400), "123k");
        assert_eq!(thousands(1_450_000), "1.4M");
    }

    #[test]
    fn columns_never_overlap() {
        for width in 0..260 {
            let columns = Columns::for_width(width);
            let line: String = columns.heading().left.iter().map(|piece| piece.text.clone()).collect();
            assert!(!line.contains("callsnot") && !line.contains("allowednames"), "{width}: {line}");
        }
        assert_eq!(
            Columns::for_width(80).heading().plain(80),
            "   run   calls          not allowed            names row  admits  checks  tokens"
        );
    }
}
