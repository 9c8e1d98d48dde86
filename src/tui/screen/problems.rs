//! The Problems: what could not be read or is not as it should be, by name, with the count of each.
//!
//! ```text
//! Problems   3 errors · 2 warnings
//! MISSING_DUMP 2   a run directory without both dumps, or without results
//!   b1/berth/run_7      no post_seed_state
//! ── MISSING_DUMP · error ───────────────
//! the selected one in full
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::{Ctx, Effect, Hit, Screen, Seek, Target};
use crate::model::{Level, Place, Problem};
use crate::report::numbers;
use crate::study::Study;
use crate::tui::action::{Action, Copied};
use crate::tui::identity::RunId;
use crate::tui::keymap::Context;
use crate::tui::paint::{Line, put, rule};
use crate::tui::text::{cut_middle, width, wrap};

/// The Problems' state. A problem is its own identity.
#[derive(Debug, Default)]
pub struct ProblemsScreen {
    selected: Option<Problem>,
    first: usize,
}

/// One line of the list.
enum Row<'a> {
    /// a name, with how many there are
    Code(&'a Problem, usize),
    /// one problem
    One(&'a Problem),
}

/// Where everything stands.
struct Layout {
    title: Rect,
    list: Rect,
    detail: Rect,
}

impl Layout {
    fn new(area: Rect) -> Self {
        let detail = if area.height >= 16 { 6 } else { 0 };
        let list = area.height.saturating_sub(2 + detail);
        Self {
            title: Rect { height: 1.min(area.height), ..area },
            list: Rect { y: area.y + 2, height: list, ..area },
            detail: Rect { y: area.y + 2 + list, height: detail, ..area },
        }
    }
}

/// The list: errors first, then by name, then as the study sorts them.
fn rows(study: &Study) -> Vec<Row<'_>> {
    let mut problems: Vec<&Problem> = study.problems.iter().collect();
    problems.sort_by_key(|problem| (problem.level, problem.code));
    let mut rows = Vec::new();
    for group in problems.chunk_by(|a, b| (a.level, a.code) == (b.level, b.code)) {
        if let Some(first) = group.first() {
            rows.push(Row::Code(first, group.len()));
        }
        rows.extend(group.iter().map(|problem| Row::One(problem)));
    }
    rows
}

/// The run a problem is about, if it is about one that is in the study.
fn run_of(study: &Study, problem: &Problem) -> Option<RunId> {
    let Place { batch, task: Some(task), run: Some(run), .. } = &*problem.place else { return None };
    let index = study.runs.iter().position(|entry| {
        entry.name == *run
            && study.tasks.get(entry.task).is_some_and(|row| row.id == *task)
            && batch.as_ref().is_none_or(|id| study.batches.get(entry.batch).is_some_and(|b| b.id == *id))
    })?;
    RunId::at(study, index)
}

/// Where a problem is, in short: its place if that says enough, else the end of its path.
fn where_of(problem: &Problem) -> String {
    let place = &problem.place;
    let parts: Vec<&str> =
        [&place.batch, &place.task, &place.run].into_iter().flatten().map(String::as_str).collect();
    if place.run.is_some() || (place.task.is_some() && place.batch.is_some()) {
        return parts.join("/");
    }
    let path = problem.path.to_string_lossy();
    let tail: Vec<&str> = path.rsplit('/').take(2).collect();
    tail.into_iter().rev().collect::<Vec<_>>().join("/")
}

impl ProblemsScreen {
    /// The Problems with one selected.
    #[must_use]
    pub fn on(problem: Problem) -> Self {
        Self { selected: Some(problem), first: 0 }
    }

    fn at(&self, rows: &[Row]) -> Option<usize> {
        let selected = self.selected.as_ref()?;
        rows.iter().position(|row| matches!(row, Row::One(problem) if *problem == selected))
    }

    fn step(&mut self, ctx: &Ctx, step: isize) {
        let problems: Vec<&Problem> = rows(ctx.study)
            .into_iter()
            .filter_map(|row| if let Row::One(problem) = row { Some(problem) } else { None })
            .collect();
        let at = problems.iter().position(|problem| Some(*problem) == self.selected.as_ref()).unwrap_or(0);
        let to = at.saturating_add_signed(step).min(problems.len().saturating_sub(1));
        self.selected = problems.get(to).map(|problem| (*problem).clone());
    }

    fn open(&self, ctx: &Ctx) -> Effect {
        match self.selected.as_ref().map(|problem| run_of(ctx.study, problem)) {
            Some(Some(run)) => Effect::Open(Target::Run(run)),
            Some(None) => {
                Effect::Status("about a batch or a file, not about one run: nothing to open".into())
            }
            None => Effect::None,
        }
    }

    fn draw_title(ctx: &Ctx, area: Rect, buf: &mut Buffer) {
        let theme = ctx.theme;
        let problems = &ctx.study.problems;
        let errors = problems.iter().filter(|problem| problem.is_error()).count();
        let mut line = Line::of(area, 0);
        line.put_right(buf, &format!("{} ", ctx.study.title), theme.dim);
        line.skip(1).put(buf, "Problems", theme.strong).skip(3);
        let count = |n: usize, word: &str| {
            format!("{} {word}{}", numbers::count(n as u64), if n == 1 { "" } else { "s" })
        };
        line.put(buf, &count(errors, "error"), if errors > 0 { theme.warning } else { theme.dim });
        line.put(buf, &format!(" · {}", count(problems.len() - errors, "warning")), theme.dim);
        if !ctx.study.progress.is_complete() {
            line.put(buf, " · ⋯ still labelling: more may come", theme.dim);
        }
    }

    fn draw_rows(&self, ctx: &Ctx, area: Rect, rows: &[Row], buf: &mut Buffer) {
        let theme = ctx.theme;
        let room = usize::from(area.width);
        let places =
            rows.iter().map(|row| if let Row::One(problem) = row { width(&where_of(problem)) } else { 0 });
        let column = places.max().unwrap_or(0).min(room / 2);
        for (line, row) in rows.iter().skip(self.first).take(usize::from(area.height)).enumerate() {
            let y = line as u16;
            match row {
                Row::Code(problem, count) => {
                    let style =
                        if problem.is_error() { theme.warning.patch(theme.strong) } else { theme.heading };
                    let mut line = Line::of(area, y);
                    line.skip(1).put(buf, problem.code.as_str(), style).skip(1);
                    line.put(buf, &numbers::count(*count as u64), theme.text).skip(3);
                    line.put(buf, problem.code.meaning(), theme.dim);
                }
                Row::One(problem) => {
                    let selected = Some(*problem) == self.selected.as_ref();
                    if selected {
                        put(buf, area, (0, y), &" ".repeat(room), area.width, theme.selected);
                    }
                    let style = if selected { theme.selected } else { theme.text };
                    let found = ctx.query.is_some_and(|query| holds(problem, query));
                    let mark = if found { style.patch(theme.hit) } else { style };
                    put(buf, area, (3, y), &cut_middle(&where_of(problem), column), column as u16, mark);
                    let x = column as u16 + 6;
                    let style = if selected { theme.selected } else { theme.dim };
                    put(buf, area, (x, y), &problem.detail, area.width.saturating_sub(x + 1), style);
                }
            }
        }
    }

    fn draw_detail(&self, ctx: &Ctx, area: Rect, buf: &mut Buffer) {
        let theme = ctx.theme;
        let Some(problem) = self.selected.as_ref().filter(|_| area.height > 0) else { return };
        let grave = if problem.level == Level::Error { "error" } else { "warning" };
        rule(buf, area, 0, &format!("{} · {grave}", problem.code.as_str()), theme.rule, theme.strong);
        let mut row = 1;
        let mut say = |label: &str, text: &str, lines: usize| {
            let room = usize::from(area.width).saturating_sub(10);
            for (place, part) in wrap(text, room).iter().take(lines).enumerate() {
                put(buf, area, (1, row), if place == 0 { label } else { "" }, 8, theme.dim);
                put(buf, area, (9, row), part, area.width.saturating_sub(10), theme.text);
                row += 1;
            }
        };
        say("what", &problem.detail, 2);
        if *problem.place != Place::default() {
            say("place", &problem.place.to_string(), 1);
        }
        say("path", &problem.path.to_string_lossy(), 2);
    }
}

fn holds(problem: &Problem, query: &str) -> bool {
    problem.to_string().to_lowercase().contains(&query.to_lowercase())
}

impl Screen for ProblemsScreen {
    fn context(&self) -> Context {
        Context::Problems
    }

    fn on_action(&mut self, action: Action, ctx: &Ctx) -> Effect {
        let page = isize::try_from(Layout::new(ctx.area).list.height).unwrap_or(1).max(2) - 1;
        match action {
            Action::Up => self.step(ctx, -1),
            Action::Down => self.step(ctx, 1),
            Action::PageUp => self.step(ctx, -page),
            Action::PageDown => self.step(ctx, page),
            Action::HalfUp => self.step(ctx, -(page / 2).max(1)),
            Action::HalfDown => self.step(ctx, (page / 2).max(1)),
            Action::First => self.step(ctx, isize::MIN / 2),
            Action::Last => self.step(ctx, isize::MAX / 2),
            Action::Open => return self.open(ctx),
            Action::Provenance => {
                let Some(problem) = &self.selected else { return Effect::None };
                let lines = vec![
                    ("code".into(), problem.code.as_str().into()),
                    ("meaning".into(), problem.code.meaning().into()),
                    ("what".into(), problem.detail.clone()),
                    ("place".into(), problem.place.to_string()),
                    ("path".into(), problem.path.to_string_lossy().into_owned()),
                ];
                return Effect::Popup(problem.code.as_str().into(), lines);
            }
            _ => return Effect::Pass,
        }
        Effect::None
    }

    fn settle(&mut self, ctx: &Ctx) {
        let rows = rows(ctx.study);
        if self.at(&rows).is_none() {
            self.selected = rows.iter().find_map(|row| match row {
                Row::One(problem) => Some((*problem).clone()),
                Row::Code(..) => None,
            });
        }
        let height = usize::from(Layout::new(ctx.area).list.height).max(1);
        if let Some(at) = self.at(&rows) {
            // The name above the first one of its kind belongs to it.
            let above = usize::from(at > 0 && matches!(rows.get(at - 1), Some(Row::Code(..))));
            self.first = self.first.min(at - above).max((at + 1).saturating_sub(height));
        }
        self.first = self.first.min(rows.len().saturating_sub(height));
    }

    fn draw(&self, ctx: &Ctx, buf: &mut Buffer) {
        let layout = Layout::new(ctx.area);
        Self::draw_title(ctx, layout.title, buf);
        let rows = rows(ctx.study);
        if rows.is_empty() {
            let words =
                "No problems: everything could be read, and what is recorded agrees with what was found.";
            for (row, line) in wrap(words, usize::from(ctx.area.width.saturating_sub(2))).iter().enumerate() {
                put(buf, layout.list, (1, row as u16), line, ctx.area.width, ctx.theme.dim);
            }
            return;
        }
        self.draw_rows(ctx, layout.list, &rows, buf);
        self.draw_detail(ctx, layout.detail, buf);
    }

    fn on_click(&mut self, at: Position, ctx: &Ctx) -> Effect {
        let list = Layout::new(ctx.area).list;
        if !list.contains(at) {
            return Effect::None;
        }
        let rows = rows(ctx.study);
        match rows.get(self.first + usize::from(at.y - list.y)) {
            Some(Row::One(problem)) if Some(*problem) == self.selected.as_ref() => self.open(ctx),
            Some(Row::One(problem)) => {
                self.selected = Some((*problem).clone());
                Effect::None
            }
            _ => Effect::None,
        }
    }

    fn find(&mut self, query: &str, seek: Seek, ctx: &Ctx) -> Hit {
        let rows = rows(ctx.study);
        let hits: Vec<usize> = rows
            .iter()
            .enumerate()
            .filter(|(_, row)| matches!(row, Row::One(problem) if holds(problem, query)))
            .map(|(index, _)| index)
            .collect();
        let (place, row) = super::next_hit(&hits, self.at(&rows).unwrap_or(0), seek)?;
        if let Some(Row::One(problem)) = rows.get(row) {
            self.selected = Some((*problem).clone());
        }
        Some((place + 1, hits.len()))
    }

    fn run(&self, ctx: &Ctx) -> Option<RunId> {
        run_of(ctx.study, self.selected.as_ref()?)
    }

    fn copied(&self, what: Copied, ctx: &Ctx) -> Option<String> {
        let problem = self.selected.as_ref()?;
        match what {
            Copied::Address => {
                let run = run_of(ctx.study, problem)?;
                let entry = run.find(ctx.study)?;
                let root = ctx.study.batches.get(entry.batch)?.root.display().to_string();
                Some(format!("{root}#{}/{}/{}", run.cell.model, run.cell.task, run.run))
            }
            Copied::Selection | Copied::Sentence => Some(problem.to_string()),
            Copied::Evidence => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::tui::fixture::{self, app, frame, press};

    #[test]
    fn every_problem_stands_under_its_name() {
        let mut app = app(fixture::troubled(), 80, 24);
        press(&mut app, "4");
        insta::assert_snapshot!(frame(&app));
    }

    #[test]
    fn the_run_of_a_problem_opens_and_closing_comes_back() {
        let mut app = app(fixture::troubled(), 80, 24);
        press(&mut app, "4");
        let before = frame(&app);
        press(&mut app, "\n");
        assert!(frame(&app).contains("run_8"), "{}", frame(&app));
        press(&mut app, "q");
        assert_eq!(frame(&app), before);
        press(&mut app, "G\n");
        assert!(frame(&app).contains("nothing to open"));
    }

    #[test]
    fn none_is_said_in_words() {
        let mut app = app(fixture::single(), 120, 40);
        press(&mut app, "4");
        assert!(frame(&app).contains("No problems"));
    }
}
