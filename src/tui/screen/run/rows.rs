//! The left pane of the Run screen: edits with old and new value, checks, problems.
//!
//! ```text
//!  NOT ALLOWED 1
//! ▌▾ change/ORD_014 modified
//! ▌    status
//! ▌    − implement
//! ▌    + scheduled
//!      cab_required true
//!      why: no rule covers
//!      table change
//!  ALLOWED 1
//!  ▸ incident/ORD_008 status
//!  CHECKS 1/2
//!  ✗ cab_gated_change_not_…
//! ```

use std::collections::HashSet;

use super::row_detail;
use super::values::Values;
use crate::damage::Evidence;
use crate::model::{Check, DeltaRow, Op};
use crate::report::words;
use crate::tui::open_run::OpenRun;
use crate::tui::screen::account::groups::{self, Group};
use crate::tui::widget::rich::{Rich, Role, piece, wrap};

/// Beyond so many edits they come folded: a list that is read by its heads, and laid out by them.
const MOST_OPEN: usize = 1000;

/// What a line of the pane belongs to, and what the cursor can stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// a heading, or a remark: no stop
    None,
    /// equal edits, by the first one's index
    Group(usize),
    /// an edit, an index into the evidence's deltas
    Delta(usize),
    /// an edit of a recorded verdict, an index into its deltas
    Recorded(usize),
    /// a check
    Check(usize),
    /// a problem
    Problem(usize),
}

/// One line of the pane.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it belongs to.
    pub owner: Owner,
    /// The cursor can stand here: the first line of what it belongs to.
    pub is_stop: bool,
    /// What it says.
    pub text: LineText,
}

/// What a line says; lines that can come by the thousand are worded when they are drawn.
#[derive(Clone, Debug)]
pub enum LineText {
    /// ready
    Ready(Rich),
    /// the heading of an edit: index, open, indent
    Delta(usize, bool, usize),
}

/// What is open and how much of it is shown.
#[derive(Clone, Debug, Default)]
pub struct Folds {
    /// Stops that are not as they come: an edit that is not allowed comes open unless there are
    /// very many, all else comes folded.
    pub turned: HashSet<Owner>,
    /// Whole rows instead of what changed.
    pub whole: bool,
    /// There is room to have failed checks come open.
    pub roomy: bool,
}

impl Folds {
    /// True if a stop is unfolded.
    #[must_use]
    pub fn is_open(&self, view: &OpenRun, owner: Owner) -> bool {
        let comes_open = match owner {
            Owner::Delta(index) => view.evidence.as_ref().is_some_and(|evidence| {
                evidence.deltas.len() <= MOST_OPEN
                    && evidence.deltas.get(index).is_some_and(|judged| judged.is_damage())
            }),
            Owner::Check(index) => {
                let check = view.record.as_ref().and_then(|record| record.checks.get(index));
                self.roomy && check.is_some_and(|check| !check.passed)
            }
            Owner::Group(_) | Owner::None => false,
            Owner::Recorded(_) | Owner::Problem(_) => true,
        };
        comes_open != self.turned.contains(&owner)
    }
}

/// All lines of the pane for a width, open ones with their details.
#[must_use]
pub fn lines(view: &OpenRun, folds: &Folds, values: &mut Values, width: usize) -> Vec<Line> {
    let mut pane = Pane { view, folds, width, lines: Vec::new() };
    match (&view.evidence, view.verdict()) {
        (Some(evidence), _) => {
            pane.section(evidence, true, values);
            pane.section(evidence, false, values);
        }
        (None, Some(verdict)) => pane.recorded(&verdict.deltas),
        (None, None) => {
            pane.remark("rows not known: no verdict");
        }
    }
    pane.checks();
    pane.problems();
    pane.lines
}

/// The words of a line.
#[must_use]
pub fn worded(view: &OpenRun, line: &Line) -> Rich {
    match &line.text {
        LineText::Ready(rich) => rich.clone(),
        LineText::Delta(index, open, indent) => {
            let Some(judged) = view.evidence.as_ref().and_then(|evidence| evidence.deltas.get(*index)) else {
                return Rich::new();
            };
            let role = if judged.is_damage() { Role::Damage } else { Role::Plain };
            let sign = if *open { '▾' } else { '▸' };
            let row = words::row_name(&judged.delta.table, &judged.delta.key);
            let what = if *open || judged.delta.op != Op::Modified {
                judged.delta.op.to_string()
            } else {
                words::list(groups::shown_columns(judged))
            };
            Rich::of(Role::Dim, format!("{}{sign} ", " ".repeat(1 + indent)))
                .add(role, row)
                .add(Role::Plain, format!(" {what}"))
        }
    }
}

struct Pane<'a> {
    view: &'a OpenRun,
    folds: &'a Folds,
    width: usize,
    lines: Vec<Line>,
}

impl Pane<'_> {
    fn push(&mut self, owner: Owner, is_stop: bool, rich: Rich) {
        self.lines.push(Line { owner, is_stop, text: LineText::Ready(rich) });
    }

    fn heading(&mut self, title: &str, count: Option<String>) {
        let rich = Rich::of(Role::Strong, format!(" {title}"));
        let rich = match count {
            Some(count) => rich.add(Role::Dim, format!(" {count}")),
            None => rich,
        };
        self.push(Owner::None, false, rich);
    }

    fn remark(&mut self, text: &str) {
        self.wrapped(Owner::None, 3, Role::Notice, text);
    }

    fn wrapped(&mut self, owner: Owner, indent: usize, role: Role, text: &str) {
        for pieces in wrap(&[piece(role, text)], self.width.saturating_sub(indent).max(4)) {
            let mut rich = Rich::new().column(indent);
            rich.left.extend(pieces);
            self.push(owner, false, rich);
        }
    }

    fn section(&mut self, evidence: &Evidence, damage: bool, values: &mut Values) {
        let found = self.view.groups(damage);
        let rows: usize = found.iter().map(|group| group.deltas.len()).sum();
        if rows == 0 && !damage {
            return;
        }
        self.heading(if damage { "NOT ALLOWED" } else { "ALLOWED" }, Some(rows.to_string()));
        if rows == 0 {
            self.wrapped(Owner::None, 3, Role::Dim, "nothing outside the rules");
        }
        for group in found {
            match group.deltas.as_slice() {
                [only] => self.delta(evidence, *only, 0, values),
                _ => self.group(evidence, group, values),
            }
        }
    }

    fn group(&mut self, evidence: &Evidence, group: &Group, values: &mut Values) {
        let Some(first) = group.deltas.first() else { return };
        let owner = Owner::Group(*first);
        let open = self.folds.is_open(self.view, owner);
        let judged = evidence.deltas.get(*first);
        let damage = judged.is_some_and(|judged| judged.is_damage());
        let role = if damage { Role::Damage } else { Role::Plain };
        let line = groups::line(evidence, group);
        let sign = if open { '▾' } else { '▸' };
        for (index, pieces) in
            wrap(&[piece(role, line)], self.width.saturating_sub(3).max(4)).into_iter().enumerate()
        {
            let mark = if index == 0 { format!(" {sign} ") } else { "   ".into() };
            let mut rich = Rich::of(Role::Dim, mark);
            rich.left.extend(pieces);
            self.push(owner, index == 0, rich);
        }
        if open {
            for index in &group.deltas {
                self.delta(evidence, *index, 2, values);
            }
        } else if damage && let Some(judged) = judged {
            // One reason stands for all: they are equal.
            for line in row_detail::why(self.view, judged, self.width) {
                self.push(owner, false, line);
            }
        }
    }

    fn delta(&mut self, evidence: &Evidence, index: usize, indent: usize, values: &mut Values) {
        let owner = Owner::Delta(index);
        // Inside an open group rows come folded: their group says what they share.
        let open = if indent > 0 {
            self.folds.turned.contains(&owner)
        } else {
            self.folds.is_open(self.view, owner)
        };
        self.lines.push(Line { owner, is_stop: true, text: LineText::Delta(index, open, indent) });
        let Some(judged) = evidence.deltas.get(index).filter(|_| open) else { return };
        for line in row_detail::detail(self.view, index, judged, self.folds.whole, values, self.width) {
            self.push(owner, false, line);
        }
    }

    fn recorded(&mut self, deltas: &[DeltaRow]) {
        self.heading("NOT ALLOWED", Some(deltas.len().to_string()));
        if deltas.is_empty() {
            self.wrapped(Owner::None, 3, Role::Dim, "nothing outside the rules");
        }
        for (index, delta) in deltas.iter().enumerate() {
            let owner = Owner::Recorded(index);
            let row = words::row_name(&delta.table, &delta.key);
            let what = match delta.op {
                Op::Modified => words::list(&delta.changed_columns),
                op => op.to_string(),
            };
            let rich = Rich::of(Role::Dim, " · ").add(Role::Damage, row).add(Role::Plain, format!(" {what}"));
            self.push(owner, true, rich);
        }
        if !deltas.is_empty() {
            self.remark("old and new value not in the archive");
        }
    }

    fn checks(&mut self) {
        let Some(record) = &self.view.record else {
            self.heading("CHECKS", None);
            self.remark("not in the archive");
            return;
        };
        if record.checks.is_empty() {
            self.heading("CHECKS", None);
            self.remark("none on record");
            return;
        }
        self.heading("CHECKS", Some(format!("{}/{}", record.checks_passed(), record.checks.len())));
        // What failed is what is looked for.
        let order = (0..record.checks.len()).filter(|i| !record.checks[*i].passed);
        let order = order.chain((0..record.checks.len()).filter(|i| record.checks[*i].passed));
        for index in order {
            self.check(index, &record.checks[index]);
        }
    }

    fn check(&mut self, index: usize, check: &Check) {
        let owner = Owner::Check(index);
        let (sign, role) = if check.passed { ("✓", Role::Dim) } else { ("✗", Role::Strong) };
        let rich = Rich::of(role, format!(" {sign} ")).add(role, check.name.display());
        self.push(owner, true, rich);
        if !self.folds.is_open(self.view, owner) {
            return;
        }
        let value = |value: &Option<crate::model::Value>| {
            value.as_ref().map_or("not on record".into(), |value| words::value(Some(value)))
        };
        self.wrapped(owner, 5, Role::Plain, &format!("expected {}", value(&check.expected)));
        self.wrapped(owner, 5, Role::Plain, &format!("actual {}", value(&check.actual)));
        if let Some(query) = &check.query {
            self.wrapped(owner, 5, Role::Dim, &query.display());
        }
    }

    fn problems(&mut self) {
        if self.view.problems.is_empty() {
            return;
        }
        self.heading("PROBLEMS", Some(self.view.problems.len().to_string()));
        for (index, problem) in self.view.problems.iter().enumerate() {
            let owner = Owner::Problem(index);
            self.push(owner, true, Rich::of(Role::Notice, format!(" {}", problem.code.as_str())));
            self.wrapped(owner, 3, Role::Plain, &problem.detail);
            let place = problem.place.to_string();
            if !place.is_empty() {
                self.wrapped(owner, 3, Role::Dim, &place);
            }
        }
    }
}
