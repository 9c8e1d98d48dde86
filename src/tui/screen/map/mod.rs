//! The Map: tasks down, models across by pool; counts, exact intervals, marks, and the selected cell's
//! panel.

mod draw;
mod face;
mod layout;
mod panel;
mod plan;
#[cfg(test)]
mod tests;
mod words;

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::{Ctx, Effect, Hit, Screen, Seek, Target};
use crate::study::{Identity, Study, most_telling};
use crate::tui::action::{Action, Copied, Grouping, Order};
use crate::tui::identity::{CellId, RunId};
use crate::tui::keymap::Context;
use crate::tui::text::printable;
use face::Metric;
use layout::Measure;
use plan::{Entry, Plan, Slot, Wish};

/// What is selected along one axis, by identity.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Pick {
    /// a model or a task, by name
    Name(String),
    /// the folded tasks of a group
    Folded(String),
}

/// The Map's state.
#[derive(Debug, Default)]
pub struct MapScreen {
    order: Order,
    grouping: Grouping,
    /// Whether tasks with none seen are folded; until someone decides, they are unless all fits.
    folded: Option<bool>,
    metric: Metric,
    transposed: bool,
    model: Option<Pick>,
    task: Option<Pick>,
    /// Someone has moved the selection: it stays, whatever is found.
    touched: bool,
    /// A place was found for a selection nobody made: a growing archive does not move it.
    placed: bool,
    /// First row and column in view.
    first: (usize, usize),
    /// Where the selection stood in view before the archive was opened again: there it stays.
    held: Option<(usize, usize)>,
    plan: Plan,
    laid: Option<Laid>,
}

/// Where everything stands, kept from key to key: what it was found for.
#[derive(Debug)]
struct Laid {
    study: Identity,
    wish: (Wish, bool),
    area: Rect,
    measure: Measure,
}

impl MapScreen {
    fn wish(&self, folded: bool) -> Wish {
        Wish { order: self.order, grouping: self.grouping, folded, transposed: self.transposed }
    }

    /// The plan for the present state. Tasks with none seen stand open where all of the map fits.
    fn planned(&self, ctx: &Ctx) -> Plan {
        let open = || Plan::new(ctx.study, self.wish(false));
        match self.folded {
            Some(folded) => Plan::new(ctx.study, self.wish(folded)),
            // Open where that costs nothing: all rows in view, and as much in each cell.
            None => {
                let (open, folded) = (open(), Plan::new(ctx.study, self.wish(true)));
                let measure = |plan: &Plan| Measure::new(ctx.study, plan, ctx.area);
                let of_open = measure(&open);
                let fits = of_open.rows(0).len() == open.down.len() && !self.transposed;
                if fits && of_open.density == measure(&folded).density { open } else { folded }
            }
        }
    }

    /// Plans anew if something is not as it was.
    fn lay(&mut self, ctx: &Ctx) {
        let wish = (self.wish(self.folded == Some(true)), self.folded.is_some());
        let still = |laid: &Laid| ctx.study.is(&laid.study) && laid.wish == wish && laid.area == ctx.area;
        if !self.laid.as_ref().is_some_and(still) {
            self.placed &= self.laid.as_ref().is_some_and(|laid| laid.wish == wish);
            self.plan = self.planned(ctx);
            let measure = Measure::new(ctx.study, &self.plan, ctx.area);
            self.laid = Some(Laid { study: ctx.study.identity(), wish, area: ctx.area, measure });
        }
    }

    /// Where everything stands.
    fn measure(&self, ctx: &Ctx) -> Cow<'_, Measure> {
        let laid = self.laid.as_ref().filter(|laid| ctx.study.is(&laid.study) && laid.area == ctx.area);
        match laid {
            Some(laid) => Cow::Borrowed(&laid.measure),
            None => Cow::Owned(Measure::new(ctx.study, &self.plan, ctx.area)),
        }
    }

    /// Row and column of the selection.
    fn cursor(&self, study: &Study) -> Option<(usize, usize)> {
        let (down, across) =
            if self.transposed { (&self.model, &self.task) } else { (&self.task, &self.model) };
        let find = |slots: &[plan::Slot], pick: &Option<Pick>| {
            let pick = pick.as_ref()?;
            slots.iter().position(|slot| pick_of(study, &slot.entry).as_ref() == Some(pick))
        };
        Some((find(&self.plan.down, down)?, find(&self.plan.across, across)?))
    }

    /// Selects what stands at a row and a column.
    fn select(&mut self, ctx: &Ctx, (row, column): (usize, usize)) {
        let down = self.plan.down.get(row).and_then(|slot| pick_of(ctx.study, &slot.entry));
        let across = self.plan.across.get(column).and_then(|slot| pick_of(ctx.study, &slot.entry));
        (self.task, self.model) = if self.transposed { (across, down) } else { (down, across) };
    }

    /// The selected cell, unless folded tasks are selected.
    fn selected(&self) -> Option<CellId> {
        match (&self.model, &self.task) {
            (Some(Pick::Name(model)), Some(Pick::Name(task))) => {
                Some(CellId { model: model.clone(), task: task.clone() })
            }
            _ => None,
        }
    }

    /// Moves the cursor by rows or columns, over lines where it cannot stand.
    fn step(&mut self, ctx: &Ctx, rows: isize, columns: isize) {
        self.touched = true;
        let Some((row, column)) = self.cursor(ctx.study) else { return };
        let column = column.saturating_add_signed(columns).min(self.plan.across.len().saturating_sub(1));
        let stops: Vec<usize> = self.stops();
        let at = stops.iter().position(|stop| *stop == row).unwrap_or(0);
        let at = at.saturating_add_signed(rows).min(stops.len().saturating_sub(1));
        self.select(ctx, (stops.get(at).copied().unwrap_or(row), column));
    }

    /// The rows where the cursor can stand.
    fn stops(&self) -> Vec<usize> {
        let slots = self.plan.down.iter().enumerate();
        slots.filter(|(_, slot)| slot.entry.is_stop()).map(|(index, _)| index).collect()
    }

    fn page(&self, ctx: &Ctx) -> isize {
        let measure = self.measure(ctx);
        (measure.rows(self.first.0).len() as isize - 1).max(1)
    }

    fn open(&mut self, ctx: &Ctx) -> Effect {
        if let Some(Pick::Folded(_)) = self.task {
            return self.fold(ctx);
        }
        let Some(cell) = self.selected() else { return Effect::None };
        match cell.find(ctx.study) {
            Some(found) if !found.is_blank() => {
                // The cell opens on its most telling run.
                let run = most_telling(ctx.study, found).and_then(|run| RunId::at(ctx.study, run));
                Effect::Open(Target::Cell(cell, run))
            }
            _ => Effect::Status("not run: nothing to open".into()),
        }
    }

    /// Folds tasks with none seen, or unfolds them.
    fn fold(&mut self, ctx: &Ctx) -> Effect {
        let folded = self
            .plan
            .down
            .iter()
            .chain(&self.plan.across)
            .any(|slot| matches!(slot.entry, Entry::Folded(..)));
        let first_folded = match &self.task {
            Some(Pick::Folded(group)) => self.first_of(ctx, group),
            _ => None,
        };
        self.folded = Some(!folded);
        self.touched = true;
        if let Some(task) = first_folded {
            self.task = Some(task);
        }
        Effect::None
    }

    /// The first of the folded tasks of a group.
    fn first_of(&self, ctx: &Ctx, group: &str) -> Option<Pick> {
        self.plan.down.iter().chain(&self.plan.across).find_map(|slot| match &slot.entry {
            Entry::Folded(name, tasks) if name == group => pick_of(ctx.study, &Entry::Task(*tasks.first()?)),
            _ => None,
        })
    }

    /// After folding or sorting: a selection that is out of sight goes to the line it is folded into; a
    /// lost one, and one nobody made, to the first cell.
    fn settle_selection(&mut self, ctx: &Ctx) {
        if self.cursor(ctx.study).is_some()
            && (self.touched || self.placed || !ctx.study.progress.is_complete())
        {
            return;
        }
        if self.cursor(ctx.study).is_none() && self.touched {
            if let Some(Pick::Name(name)) = &self.task {
                let task = ctx.study.tasks.iter().position(|row| row.id == *name);
                let into =
                    self.plan.down.iter().chain(&self.plan.across).find_map(|slot| match &slot.entry {
                        Entry::Folded(group, tasks) if task.is_some_and(|task| tasks.contains(&task)) => {
                            Some(Pick::Folded(group.clone()))
                        }
                        _ => None,
                    });
                if into.is_some() {
                    self.task = into;
                }
            } else if self.task.is_some() {
                // Its line was unfolded.
                self.task = None;
            }
        }
        if self.cursor(ctx.study).is_none() || !self.touched {
            self.placed = ctx.study.progress.is_complete();
            let row = self.stops().first().copied().unwrap_or(0);
            self.select(ctx, (row, self.loudest_column(ctx, row)));
        }
    }

    /// The column of a row's cell with the largest lower bound; the first one while labelling goes on.
    fn loudest_column(&self, ctx: &Ctx, row: usize) -> usize {
        let Some(down) = self.plan.down.get(row).filter(|_| ctx.study.progress.is_complete()) else {
            return 0;
        };
        let lower = |across: &plan::Slot| match Plan::crossing(&down.entry, &across.entry) {
            plan::Crossing::Cell(model, task) => ctx
                .study
                .cell(model, task)
                .and_then(|cell| cell.interval)
                .map_or(0.0, |interval| interval.low),
            _ => 0.0,
        };
        let mut best = (0, 0.0);
        for (index, across) in self.plan.across.iter().enumerate() {
            if lower(across) > best.1 {
                best = (index, lower(across));
            }
        }
        best.0
    }

    /// Rows and columns whose name holds the query, as places of the map in reading order.
    fn hits(&self, query: &str, ctx: &Ctx) -> Vec<(usize, usize)> {
        let cursor = self.cursor(ctx.study).unwrap_or_default();
        let holds = |entry: &Entry| {
            name_of(ctx.study, entry).is_some_and(|name| name.to_lowercase().contains(&query.to_lowercase()))
        };
        let rows = self
            .stops()
            .into_iter()
            .filter(|row| self.plan.down.get(*row).is_some_and(|slot| holds(&slot.entry)));
        let mut hits: Vec<(usize, usize)> =
            rows.map(|row| (row, self.nearest_run(ctx, row, cursor.1))).collect();
        let columns = self.plan.across.iter().enumerate().filter(|(_, slot)| holds(&slot.entry));
        hits.extend(columns.map(|(column, _)| (cursor.0, column)));
        hits
    }

    /// The column of a row nearest to `column` whose cell was run: a hit on a blank cell shows nothing.
    fn nearest_run(&self, ctx: &Ctx, row: usize, column: usize) -> usize {
        let entry =
            |slots: &[Slot], at: usize| slots.get(at).and_then(|slot| name_of(ctx.study, &slot.entry));
        let was_run = |column: &usize| {
            let names = (entry(&self.plan.across, *column), entry(&self.plan.down, row));
            let (Some(across), Some(down)) = names else { return false };
            let (model, task) = if self.transposed { (down, across) } else { (across, down) };
            let id = CellId { model: model.to_owned(), task: task.to_owned() };
            id.find(ctx.study).is_some_and(|cell| !cell.is_blank())
        };
        // The nearest first: there may be very many.
        let mut columns: Vec<usize> = (0..self.plan.across.len()).collect();
        columns.sort_by_key(|at| at.abs_diff(column));
        columns.into_iter().find(was_run).unwrap_or(column)
    }
}

/// What selects an entry.
fn pick_of(study: &Study, entry: &Entry) -> Option<Pick> {
    match entry {
        Entry::Folded(group, _) => Some(Pick::Folded(group.clone())),
        entry => name_of(study, entry).map(|name| Pick::Name(name.to_owned())),
    }
}

/// The name of a model or task.
fn name_of<'a>(study: &'a Study, entry: &Entry) -> Option<&'a str> {
    match entry {
        Entry::Model(model) => study.models.get(*model).map(|row| row.name.as_str()),
        Entry::Task(task) => study.tasks.get(*task).map(|row| row.id.as_str()),
        _ => None,
    }
}

impl Screen for MapScreen {
    fn context(&self) -> Context {
        Context::Map
    }

    fn on_action(&mut self, action: Action, ctx: &Ctx) -> Effect {
        match action {
            Action::Up => self.step(ctx, -1, 0),
            Action::Down => self.step(ctx, 1, 0),
            Action::Left => self.step(ctx, 0, -1),
            Action::Right => self.step(ctx, 0, 1),
            Action::First => self.step(ctx, isize::MIN / 2, 0),
            Action::Last => self.step(ctx, isize::MAX / 2, 0),
            Action::PageDown => self.step(ctx, self.page(ctx), 0),
            Action::PageUp => self.step(ctx, -self.page(ctx), 0),
            Action::HalfDown => self.step(ctx, (self.page(ctx) / 2).max(1), 0),
            Action::HalfUp => self.step(ctx, -(self.page(ctx) / 2).max(1), 0),
            Action::Open => return self.open(ctx),
            Action::Metric => self.metric = self.metric.next(),
            Action::OrderMenu => return Effect::Menu(Context::OrderMenu),
            Action::Order(order) => self.order = order,
            Action::Group(grouping) => self.grouping = grouping,
            Action::Fold => return self.fold(ctx),
            Action::Transpose => {
                self.transposed = !self.transposed;
                self.first = (0, 0);
            }
            Action::Provenance => return words::provenance(ctx, self.selected()),
            _ => return Effect::Pass,
        }
        Effect::None
    }

    fn reopened(&mut self, before: &Study, _now: &Study) {
        let on_screen = |at: usize, first: usize| at.saturating_sub(first);
        let (top, left) = self.first;
        self.held = self.cursor(before).map(|(row, column)| (on_screen(row, top), on_screen(column, left)));
    }

    fn settle(&mut self, ctx: &Ctx) {
        self.lay(ctx);
        self.settle_selection(ctx);
        let Some((row, column)) = self.cursor(ctx.study) else { return };
        if let Some((down, across)) = self.held.take() {
            self.first = (row.saturating_sub(down), column.saturating_sub(across));
        }
        let measure = self.measure(ctx).into_owned();
        let (first_row, first_column) = self.first;
        self.first.0 = Measure::scrolled(first_row, row, self.plan.down.len(), |first| measure.rows(first));
        self.first.1 =
            Measure::scrolled(first_column, column, self.plan.across.len(), |first| measure.columns(first));
        // The heading above the first row belongs to it.
        if self.first.0 > 0 && self.plan.down.get(self.first.0 - 1).is_some_and(|slot| !slot.entry.is_stop())
        {
            let higher = self.first.0 - 1;
            if measure.rows(higher).iter().any(|span| span.index == row) {
                self.first.0 = higher;
            }
        }
    }

    fn draw(&self, ctx: &Ctx, buf: &mut Buffer) {
        let measure = self.measure(ctx);
        let scene = draw::Scene {
            ctx,
            plan: &self.plan,
            measure: &measure,
            first: self.first,
            cursor: self.cursor(ctx.study),
            metric: self.metric,
        };
        words::title(ctx, measure.title, buf);
        words::note(ctx, measure.note, buf, self);
        scene.draw(buf);
        if let Some(area) = measure.panel {
            match (&self.task, self.selected()) {
                (Some(Pick::Folded(group)), _) => {
                    let folded =
                        self.plan.down.iter().chain(&self.plan.across).find_map(|slot| match &slot.entry {
                            Entry::Folded(name, tasks) if name == group => Some(tasks.as_slice()),
                            _ => None,
                        });
                    panel::folded(ctx, area, measure.side, folded.unwrap_or_default(), buf);
                }
                (_, Some(cell)) => panel::cell(ctx, area, measure.side, &cell, buf),
                _ => panel::nothing(ctx, area, measure.side, buf),
            }
        }
        words::legend(ctx, measure.legend, buf);
    }

    fn on_click(&mut self, at: Position, ctx: &Ctx) -> Effect {
        let measure = self.measure(ctx);
        let Some((row, column)) = measure.at(self.first, at) else { return Effect::None };
        if !self.plan.down.get(row).is_some_and(|slot| slot.entry.is_stop()) {
            return Effect::None;
        }
        let before = self.cursor(ctx.study);
        let column = if column == usize::MAX { before.map_or(0, |(_, column)| column) } else { column };
        if before == Some((row, column)) {
            return self.open(ctx);
        }
        self.touched = true;
        self.select(ctx, (row, column));
        Effect::None
    }

    fn find(&mut self, query: &str, seek: Seek, ctx: &Ctx) -> Hit {
        let hits = self.hits(query, ctx);
        let cursor = self.cursor(ctx.study)?;
        let at = match seek {
            Seek::Here => hits.iter().position(|hit| *hit >= cursor).unwrap_or(0),
            Seek::Next => match hits.iter().position(|hit| *hit == cursor) {
                Some(at) => (at + 1) % hits.len().max(1),
                None => hits.iter().position(|hit| *hit > cursor).unwrap_or(0),
            },
            Seek::Previous => match hits.iter().position(|hit| *hit == cursor) {
                Some(at) => at.checked_sub(1).unwrap_or(hits.len().saturating_sub(1)),
                None => hits.iter().rposition(|hit| *hit < cursor).unwrap_or(hits.len().saturating_sub(1)),
            },
        };
        let hit = hits.get(at)?;
        self.touched = true;
        self.select(ctx, *hit);
        Some((at + 1, hits.len()))
    }

    fn run(&self, _ctx: &Ctx) -> Option<RunId> {
        None
    }

    fn cell(&self, _ctx: &Ctx) -> Option<CellId> {
        self.selected()
    }

    fn select_cell(&mut self, cell: &CellId, _ctx: &Ctx) {
        self.touched = true;
        self.model = Some(Pick::Name(cell.model.clone()));
        self.task = Some(Pick::Name(cell.task.clone()));
    }

    fn chosen(&self) -> Vec<Action> {
        vec![Action::Order(self.order), Action::Group(self.grouping)]
    }

    fn copied(&self, what: Copied, ctx: &Ctx) -> Option<String> {
        let cell = self.selected()?;
        words::copied(ctx, &cell, what).map(|text| printable(&text).into_owned())
    }
}
