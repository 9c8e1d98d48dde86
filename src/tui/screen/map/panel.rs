//! The selected cell's ledger: below the map on narrow screens, at its right on wide ones.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::face::bounds;
use super::plan::cells_of_task;
use crate::model::Severity;
use crate::report::numbers::{self, percent, percent_range, range3};
use crate::study::{AuditMiss, Cell, Study};
use crate::tui::identity::CellId;
use crate::tui::paint::{Line, put, rule};
use crate::tui::screen::Ctx;
use crate::tui::screen::account::patterns::tally;
use crate::tui::text::wrap;
use crate::tui::widget::bar::bar;

/// Lines of a ledger, written from top to bottom until there is no more room.
struct Ledger<'a> {
    ctx: &'a Ctx<'a>,
    buf: &'a mut Buffer,
    area: Rect,
    row: u16,
}

impl Ledger<'_> {
    fn line(&mut self) -> Line {
        let line = Line::of(self.area, self.row);
        self.row = self.row.saturating_add(1);
        line
    }

    fn say(&mut self, text: &str, style: Style) {
        for part in wrap(text, usize::from(self.area.width)) {
            self.line().put(self.buf, &part, style);
        }
    }

    fn blank(&mut self) {
        self.row = self.row.saturating_add(1);
    }

    /// Room for so many lines and what belongs to them.
    fn has_room(&self, lines: u16) -> bool {
        self.row + lines <= self.area.height
    }
}

/// The rule or frame, the title in it, and what is left.
fn frame(ctx: &Ctx, area: Rect, side: bool, title: &str, buf: &mut Buffer) -> Rect {
    let theme = ctx.theme;
    if side {
        for row in 0..area.height {
            put(buf, area, (0, row), "│", 1, theme.rule);
        }
        let inner = Rect { x: area.x + 2, width: area.width.saturating_sub(3), ..area };
        let lines = wrap(title, usize::from(inner.width));
        for (row, line) in lines.iter().enumerate() {
            put(buf, inner, (0, row as u16), line, inner.width, theme.strong);
        }
        let taken = (lines.len() as u16).min(inner.height);
        Rect { y: inner.y + taken, height: inner.height - taken, ..inner }
    } else {
        rule(buf, area, 0, title, theme.rule, theme.strong);
        let taken = 1.min(area.height);
        Rect {
            x: area.x + 1,
            width: area.width.saturating_sub(2),
            y: area.y + taken,
            height: area.height - taken,
        }
    }
}

/// The ledger of a cell.
pub(super) fn cell(ctx: &Ctx, area: Rect, side: bool, id: &CellId, buf: &mut Buffer) {
    let inner = frame(ctx, area, side, &format!("{} × {}", id.model, id.task), buf);
    let Some(cell) = id.find(ctx.study) else { return };
    let mut ledger = Ledger { ctx, buf, area: inner, row: 0 };
    if cell.is_blank() {
        ledger.say("not run: no runs of this model on this task", ctx.theme.dim);
    } else if side {
        ledger.tall(id, cell);
    } else {
        ledger.flat(cell);
    }
}

/// The ledger of folded tasks.
pub(super) fn folded(ctx: &Ctx, area: Rect, side: bool, tasks: &[usize], buf: &mut Buffer) {
    let title = format!("{} tasks, none seen", tasks.len());
    let inner = frame(ctx, area, side, &title, buf);
    let cells = tasks.iter().flat_map(|task| cells_of_task(ctx.study, *task));
    let runs: u64 = cells.map(|cell| cell.counts.n).sum();
    let mut ledger = Ledger { ctx, buf, area: inner, row: 0 };
    ledger.say(&format!("No damage was seen in {} runs.", numbers::count(runs)), ctx.theme.text);
    ledger.say(
        "Not the same as safe: each cell could still be at its bound. The column shows the widest one.",
        ctx.theme.dim,
    );
    ledger.say("z or Enter unfolds.", ctx.theme.dim);
}

/// No cell at all.
pub(super) fn nothing(ctx: &Ctx, area: Rect, side: bool, buf: &mut Buffer) {
    let inner = frame(ctx, area, side, "nothing to show", buf);
    let words = match ctx.study.problems.len() {
        0 => "no runs were found".to_owned(),
        1 => "no runs were found; 4 shows the problem".to_owned(),
        more => format!("no runs were found; 4 shows {more} problems"),
    };
    Ledger { ctx, buf, area: inner, row: 0 }.say(&words, ctx.theme.dim);
}

impl Ledger<'_> {
    /// Five lines, the most needed first.
    fn flat(&mut self, cell: &Cell) {
        let theme = self.ctx.theme;
        self.headline(cell, 3);
        self.bar(cell);
        if cell.counts.damage > 0 {
            let edits = tally(self.ctx.study.runs_of(cell));
            let shown: Vec<String> =
                edits.iter().take(3).map(|(words, runs)| format!("{runs}× {words}")).collect();
            let more = edits.len().saturating_sub(3);
            let mut line = self.line();
            line.put_right(self.buf, &contradictions(cell), theme.text);
            let tail = if more > 0 { format!(" · {more} more") } else { String::new() };
            line.put(self.buf, &format!("{}{tail}", shown.join(" · ")), theme.did);
            let mut line = self.line();
            if let (Some(one), Some(three)) = (cell.audit_miss(1), cell.audit_miss(3)) {
                line.put(
                    self.buf,
                    &format!("one audit run sees nothing {}; three {}", chance(one), chance(three)),
                    theme.text,
                );
            }
        } else {
            self.line().put(self.buf, &not_ruled_out(cell), theme.text);
            self.line().put(self.buf, &clean_runs(cell), theme.dim);
        }
        let counts = &cell.counts;
        let mut line = self.line();
        line.put_right(
            self.buf,
            &format!("errored {}   no verdict {}", counts.errored, counts.no_verdict),
            if counts.errored + counts.no_verdict > 0 { theme.warning } else { theme.dim },
        );
        line.put(self.buf, &on_disk(cell), theme.dim);
    }

    /// As many lines as there is room for.
    fn tall(&mut self, id: &CellId, cell: &Cell) {
        let theme = self.ctx.theme;
        let study = self.ctx.study;
        let counts = &cell.counts;
        let row = id
            .indices(study)
            .and_then(|(model, task)| Some((study.models.get(model)?, study.tasks.get(task)?)));
        let mut about: Vec<String> = Vec::new();
        if let Some((model, task)) = row {
            about.extend(task.domain().map(ToString::to_string));
            about.extend(task.lever().map(ToString::to_string));
            about.extend(model.pool.clone());
        }
        if !about.is_empty() {
            self.say(&about.join(" · "), theme.dim);
        }
        self.blank();
        self.headline(cell, 1);
        self.blank();
        self.bar(cell);
        self.blank();
        if counts.damage > 0 {
            self.did(cell);
            self.heading("Said against did");
            self.pair("⚑ refused, yet changed", &format!("{}/{}", counts.refused_but_mutated, counts.damage));
            if let Some(admitted) = admitted(self.ctx.study, cell) {
                let of = format!("{admitted}/{}", counts.refused_but_mutated);
                self.pair("  admitted in the same words", &of);
            }
            self.pair("≠ passed, yet damage", &format!("{}/{}", counts.passed_but_damaged, counts.damage));
            self.blank();
            if self.has_room(4) {
                self.heading("Audit of k runs sees nothing");
                for k in [1, 3, 5] {
                    if let Some(miss) = cell.audit_miss(k) {
                        let mut line = self.line();
                        line.skip(1).put(self.buf, &format!("k = {k}"), theme.dim);
                        line.tab(self.area, 9).put(self.buf, &percent(miss.seen), theme.text);
                        line.tab(self.area, 17).put(
                            self.buf,
                            &format!("({})", percent_range(miss.least, miss.most)),
                            theme.dim,
                        );
                    }
                }
                self.blank();
            }
        } else {
            self.say(&not_ruled_out(cell), theme.text);
            self.say(&clean_runs(cell), theme.dim);
            self.blank();
        }
        self.heading(&format!(
            "{} on disk = {} judged",
            numbers::plural(counts.on_disk, "run"),
            numbers::count(counts.n)
        ));
        self.pair("damage", &numbers::count(counts.damage));
        self.pair("failed clean", &numbers::count(counts.failed_clean));
        self.pair("pass", &numbers::count(counts.passed));
        for (label, count) in [
            ("not judged yet", counts.pending),
            ("no verdict", counts.no_verdict),
            ("  of them invalid", counts.invalid),
            ("errored", counts.errored),
            ("stalled", counts.stalled),
            ("declared a refusal", counts.refused),
        ] {
            if count > 0 {
                self.pair(label, &numbers::count(count));
            }
        }
        if let Some(region) = row.and_then(|(_, task)| task.predicted_region()) {
            self.pair("authors predicted", &region.display());
        }
    }

    fn heading(&mut self, text: &str) {
        let style = self.ctx.theme.heading;
        self.line().put(self.buf, text, style);
    }

    /// A label and a number flush right, not further apart than the eye can follow.
    fn pair(&mut self, label: &str, number: &str) {
        let area = Rect { width: self.area.width.min(36), ..self.area };
        let mut line = Line::of(area, self.row);
        self.row = self.row.saturating_add(1);
        let theme = self.ctx.theme;
        line.skip(1);
        line.put_right(self.buf, number, theme.text);
        line.put(self.buf, label, theme.dim);
    }

    /// What was seen, within which bounds, and whether that is some but not all.
    fn headline(&mut self, cell: &Cell, gap: u16) {
        let theme = self.ctx.theme;
        let counts = &cell.counts;
        if counts.pending > 0 {
            self.say(
                &format!(
                    "⋯ {} of {} runs judged so far, {} with damage",
                    counts.n, counts.on_disk, counts.damage
                ),
                theme.dim,
            );
            return;
        }
        let Some(bounds) = bounds(cell) else {
            let words =
                format!("? none of {} has a verdict: 4 shows why", numbers::plural(counts.no_verdict, "run"));
            self.say(&words, theme.warning);
            return;
        };
        let (words, style) = if counts.damage > 0 {
            (
                format!("{} of {} did damage", counts.damage, numbers::plural(counts.n, "run")),
                theme.did.patch(theme.strong),
            )
        } else {
            (format!("none seen in {}", numbers::plural(counts.n, "run")), theme.strong)
        };
        let interval = format!("95 % exact {}", range3(bounds.low, bounds.high));
        let mark = if cell.is_always() {
            "▲ every run"
        } else if cell.is_stochastic() {
            "◆ stochastic"
        } else if cell.is_errored() {
            "! errored runs counted as damage"
        } else {
            ""
        };
        if gap > 1 {
            let mut line = self.line();
            line.put(self.buf, &words, style).skip(gap * 2).put(self.buf, &interval, theme.text);
            if !mark.is_empty() {
                line.skip(gap * 2).put_whole(self.buf, mark, theme.text);
            }
        } else {
            self.say(&words, style);
            self.say(&interval, theme.text);
            if !mark.is_empty() {
                let more = if cell.is_stochastic() { ": some, not all" } else { "" };
                self.say(&format!("{mark}{more}"), theme.text);
            }
        }
    }

    /// The interval on a line from 0 to 1, and how grave the damage was.
    fn bar(&mut self, cell: &Cell) {
        let theme = self.ctx.theme;
        let (Some(bounds), Some(seen), 0) = (bounds(cell), cell.rate(), cell.counts.pending) else {
            self.blank();
            return;
        };
        let grave = severities(self.ctx.study, cell);
        let columns = usize::from(self.area.width).saturating_sub(8).min(36);
        let shown = bar((seen, bounds.low, bounds.high), columns);
        let style = if cell.counts.damage > 0 { theme.did } else { theme.dim };
        let mut line = self.line();
        line.put(self.buf, "0 ┊", theme.dim)
            .put(self.buf, &format!("{shown:<columns$}"), style)
            .put(self.buf, "┊ 1", theme.dim);
        if usize::from(line.room()) > crate::tui::text::width(&grave) + 4 {
            line.put_right(self.buf, &grave, theme.text);
        }
    }

    /// The edits that damage runs made, the most frequent first.
    fn did(&mut self, cell: &Cell) {
        let theme = self.ctx.theme;
        let edits = tally(self.ctx.study.runs_of(cell));
        self.heading(&format!("What the {} did", numbers::plural(cell.counts.damage, "run")));
        let most = usize::from(self.area.height.saturating_sub(self.row + 14)).clamp(2, 8);
        let shown = if edits.len() > most { most - 1 } else { most };
        for (words, runs) in edits.iter().take(shown) {
            let mut line = self.line();
            line.skip(1);
            line.put_right(self.buf, &format!("{runs}×"), theme.text);
            line.put(self.buf, words, theme.did);
        }
        if edits.len() > shown {
            let rest: usize = edits.iter().skip(shown).map(|(_, runs)| runs).sum();
            let mut line = self.line();
            line.skip(1);
            line.put_right(self.buf, &format!("{rest}×"), theme.dim);
            line.put(self.buf, &format!("{} more patterns", edits.len() - shown), theme.dim);
        }
        let grave = severities(self.ctx.study, cell);
        self.line().skip(1).put(self.buf, &grave, theme.dim);
        self.blank();
    }
}

/// How many refused-yet-changed runs admit the edit in the same message; `None` where there is no such run,
/// or the messages are not at hand.
fn admitted(study: &Study, cell: &Cell) -> Option<usize> {
    let runs = study.runs_of(cell).iter();
    let flagged = runs.filter(|run| run.verdict().is_some_and(|verdict| verdict.refused_but_mutated()));
    let admits: Option<Vec<bool>> =
        flagged.map(|run| run.digest()?.facts.as_ref()?.admits).collect::<Option<Vec<bool>>>();
    let admits = admits.filter(|admits| !admits.is_empty())?;
    Some(admits.into_iter().filter(|admits| *admits).count())
}

fn chance(miss: AuditMiss) -> String {
    format!("{} ({})", percent(miss.seen), percent_range(miss.least, miss.most))
}

fn contradictions(cell: &Cell) -> String {
    format!("⚑ {}   ≠ {}", cell.counts.refused_but_mutated, cell.counts.passed_but_damaged)
}

/// What a zero does not say.
fn not_ruled_out(cell: &Cell) -> String {
    match bounds(cell) {
        Some(bounds) if cell.counts.pending == 0 => {
            format!("a true rate up to {} is not ruled out", numbers::rate3(bounds.high))
        }
        _ => String::new(),
    }
}

/// How many more clean runs would say more.
fn clean_runs(cell: &Cell) -> String {
    if cell.counts.pending > 0 {
        return String::new();
    }
    match (cell.clean_runs_until(0.10), cell.clean_runs_until(0.05)) {
        (Some(0), Some(0)) => "under .05 already".into(),
        (Some(0), Some(five)) => format!("{five} more clean runs bring it under .05"),
        (Some(ten), Some(five)) => format!("{ten} more clean runs bring it under .10, {five} under .05"),
        _ => String::new(),
    }
}

/// How the runs on disk add up.
fn on_disk(cell: &Cell) -> String {
    let counts = &cell.counts;
    let mut sum = format!(
        "{} on disk = {} damage + {} failed clean + {} pass",
        counts.on_disk, counts.damage, counts.failed_clean, counts.passed
    );
    if counts.pending > 0 {
        sum.push_str(&format!(" + {} not judged yet", counts.pending));
    }
    if counts.no_verdict > 0 {
        sum.push_str(&format!(" + {} no verdict", counts.no_verdict));
    }
    sum
}

/// `HIGH 9  MEDIUM 3 · no price`.
fn severities(study: &Study, cell: &Cell) -> String {
    let verdicts: Vec<_> =
        study.runs_of(cell).iter().filter_map(|run| run.verdict()).filter(|v| v.counts_as_damage).collect();
    if verdicts.is_empty() {
        return String::new();
    }
    let parts: Vec<String> = [Severity::High, Severity::Medium, Severity::Low]
        .into_iter()
        .filter_map(|severity| {
            let runs = verdicts.iter().filter(|verdict| verdict.severity == Some(severity)).count();
            (runs > 0).then(|| format!("{} {runs}", severity.as_str()))
        })
        .collect();
    let priced: Vec<f64> = verdicts.iter().filter_map(|verdict| verdict.dollars).collect();
    let price = match priced.len() {
        0 => "no price".to_owned(),
        runs => {
            format!("{} in {}", numbers::dollars(priced.iter().sum()), numbers::plural(runs as u64, "run"))
        }
    };
    format!("{} · {price}", parts.join("  "))
}
