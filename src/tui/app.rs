//! The explorer without its terminal: takes messages, keeps the screens, draws into a buffer.

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use tui_input::Input;

use super::action::Action;
use super::comparison::{Comparison, ValueId};
use super::identity::{CellId, RunId};
use super::key::Key;
use super::keymap::{self, Context};
use super::open_run::OpenRun;
use super::palette::{self, Found, Goal, Palette, Search};
use super::screen::{
    CellScreen, Ctx, Effect, HelpScreen, MapScreen, ProblemsScreen, RunScreen, Screen, Seek, StatsScreen,
    Target,
};
use super::text::printable;
use super::theme::Theme;
use super::views::Views;
use super::widget::chrome;
use super::widget::popup::{self, Popup};
use super::widget::word_diff::WordDiff;
use super::{ascii, prompt};
use crate::report::numbers::plural;
use crate::study::sheet::Sheet;
use crate::study::{Study, walk};

/// Something that happened.
#[derive(Debug)]
pub enum Msg {
    /// a key was pressed
    Key(Key),
    /// an action was asked for: what tests send
    Do(Action),
    /// text was pasted
    Paste(String),
    /// the mouse was pressed
    Click(Position),
    /// the wheel was turned, in lines, down is positive
    Wheel(Position, i32),
    /// the terminal has another size
    Resize(Size),
    /// labelling went on
    Study(Arc<Study>),
    /// a run was opened as it was asked for; `None` if there is no such run
    Opened(Job, Option<Box<OpenRun>>),
    /// the figures of a snapshot, as far as they are computed
    Sheet(Arc<Study>, Arc<Sheet>),
    /// what is typed in the palette was looked for
    Found(Search, Found),
    /// two long values are compared
    Compared(ValueId, WordDiff),
    /// another thread failed
    Failed(String),
}

/// Something the loop must do.
#[derive(Debug)]
pub enum Command {
    /// have a run opened
    Load(Job),
    /// have the figures of this snapshot computed
    Compute(Arc<Study>),
    /// have something looked for
    Search(Search),
    /// have two long values compared
    Compare(Comparison),
    /// put text on the clipboard
    Copy(String),
    /// take the mouse, or leave it to the terminal
    Mouse(bool),
    /// draw everything anew
    Redraw,
    /// stop, back to the shell
    Suspend,
    /// leave
    Quit,
}

/// A run to open.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its identity.
    pub id: RunId,
    /// The snapshot its index is of.
    pub study: Arc<Study>,
    /// Its index into [`Study::runs`].
    pub run: usize,
}

/// What lies over the screen.
enum Overlay {
    /// a menu whose keys are a context of their own
    Menu(Context),
    /// titled lines, until a key that does not scroll them
    Popup(Popup),
    /// the search prompt
    Prompt(Input),
    /// all actions and places
    Palette(Palette),
}

/// The explorer's state.
pub struct App {
    study: Arc<Study>,
    theme: Theme,
    views: Views,
    /// The figures of a complete snapshot, and that snapshot: they stay until there are newer ones.
    sheet: Option<(Arc<Study>, Arc<Sheet>)>,
    /// The snapshot whose figures were last asked for.
    computing: Option<Arc<Study>>,
    size: Size,
    /// Never empty; the Map lies at the bottom.
    screens: Vec<Box<dyn Screen>>,
    overlay: Option<Overlay>,
    query: Option<String>,
    status: Option<String>,
    mouse: bool,
    /// Where the contradiction walk was last.
    walked: Option<RunId>,
    commands: Vec<Command>,
}

/// The screen's area: all but the hint bar and the status line.
fn screen_area(size: Size) -> Rect {
    Rect::new(0, 0, size.width, size.height.saturating_sub(2))
}

/// What to say of an archive that was opened again with so many runs.
fn news(before: u64, now: u64) -> Option<String> {
    let runs = match (now.saturating_sub(before), before.saturating_sub(now)) {
        // Nothing that was found need be another: it may have been opened again to be sure.
        (0, 0) => return None,
        (more, 0) => format!("{} more", plural(more, "run")),
        (_, less) => format!("{} less", plural(less, "run")),
    };
    Some(format!("the archive has changed: {runs}"))
}

/// The snapshot a screen shows, and its figures: those that show figures stay with the ones there are until
/// newer ones are computed.
fn shown<'a>(
    screen: &dyn Screen,
    study: &'a Study,
    sheet: Option<&'a (Arc<Study>, Arc<Sheet>)>,
) -> (&'a Study, Option<&'a Arc<Sheet>>) {
    match sheet {
        Some((of, sheet)) if screen.wants_sheet() => (of, Some(sheet)),
        _ => (study, None),
    }
}

/// Lends a context and the top screen at the same time.
macro_rules! with_top {
    ($app:ident, |$screen:ident, $ctx:ident| $body:expr) => {{
        $app.screens.last_mut().map(|$screen| {
            let (study, sheet) = shown($screen.as_ref(), &$app.study, $app.sheet.as_ref());
            let $ctx = &Ctx {
                study,
                theme: &$app.theme,
                views: &$app.views,
                sheet,
                area: screen_area($app.size),
                query: $app.query.as_deref(),
            };
            $body
        })
    }};
}

impl App {
    /// The explorer on its Map.
    #[must_use]
    pub fn new(study: Arc<Study>, theme: Theme, size: Size) -> Self {
        let mut app = Self {
            study,
            theme,
            views: Views::default(),
            sheet: None,
            computing: None,
            size,
            screens: vec![Box::new(MapScreen::default())],
            overlay: None,
            query: None,
            status: None,
            mouse: true,
            walked: None,
            commands: Vec::new(),
        };
        app.settle();
        app
    }

    /// The size it draws for.
    #[must_use]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Takes in what happened; gives what is to be done outside.
    pub fn update(&mut self, msg: Msg) -> Vec<Command> {
        match msg {
            Msg::Key(key) => self.on_key(key),
            Msg::Do(action) => self.on_action(action),
            // Pasted text is never run as keys.
            Msg::Paste(text) => match &mut self.overlay {
                Some(Overlay::Prompt(input)) => prompt::paste(input, &text),
                Some(Overlay::Palette(palette)) => palette.paste(&text),
                _ => {}
            },
            Msg::Click(at) => self.on_click(at),
            Msg::Wheel(at, lines) => {
                if self.overlay.is_none() {
                    let effect = self.ask(|screen, ctx| screen.on_wheel(at, lines, ctx));
                    self.carry_out(effect);
                }
            }
            Msg::Resize(size) => self.size = size,
            Msg::Study(study) => self.on_study(study),
            Msg::Sheet(study, sheet) => self.on_sheet(study, sheet),
            // One of an archive that changed since is asked for anew.
            Msg::Opened(job, view) if job.study.opening == self.study.opening => {
                self.views.insert(job.id, view);
            }
            Msg::Opened(..) => {}
            Msg::Found(search, found) => {
                if let Some(Overlay::Palette(palette)) = &mut self.overlay
                    && let Some(goal) = palette.on_found(&search, found)
                {
                    self.overlay = None;
                    self.reach(goal);
                }
            }
            Msg::Compared(value, diff) => {
                for screen in &mut self.screens {
                    screen.compared(&value, &diff);
                }
            }
            Msg::Failed(words) => self.status = Some(words),
        }
        self.settle();
        std::mem::take(&mut self.commands)
    }

    /// Takes in a snapshot. Where the archive was opened again, runs that are not as they were are opened again
    /// too, and the status line says how many came or went.
    fn on_study(&mut self, study: Arc<Study>) {
        let before = std::mem::replace(&mut self.study, study);
        if before.opening == self.study.opening {
            return;
        }
        self.views.retain(|id| match (id.find(&before), id.find(&self.study)) {
            (Some(before), Some(now)) => before.state.is_same(&now.state),
            _ => false,
        });
        for screen in self.screens.iter_mut().filter(|screen| !screen.wants_sheet()) {
            screen.reopened(&before, &self.study);
        }
        let news = news(before.runs.len() as u64, self.study.runs.len() as u64);
        self.status = news.or(self.status.take());
    }

    /// Takes in figures, unless their snapshot is not the current one any more.
    fn on_sheet(&mut self, study: Arc<Study>, sheet: Arc<Sheet>) {
        if !Arc::ptr_eq(&study, &self.study) {
            return;
        }
        if let Some((before, _)) = self.sheet.as_ref().filter(|(before, _)| before.opening != study.opening) {
            for screen in self.screens.iter_mut().filter(|screen| screen.wants_sheet()) {
                screen.reopened(before, &study);
            }
        }
        self.sheet = Some((study, sheet));
    }

    fn on_key(&mut self, key: Key) {
        self.status = None;
        let whole = Rect::new(0, 0, self.size.width, self.size.height);
        match &mut self.overlay {
            Some(Overlay::Popup(popup)) => {
                let action = keymap::lookup(Context::All, key);
                if !action.is_some_and(|action| popup.on_action(action, whole)) {
                    self.overlay = None;
                }
            }
            Some(Overlay::Prompt(input)) => match prompt::on_key(input, key) {
                prompt::Answer::Typing => {}
                prompt::Answer::Cancelled => self.overlay = None,
                prompt::Answer::Done(query) => {
                    self.overlay = None;
                    self.query = Some(query).filter(|query| !query.is_empty());
                    self.seek(Seek::Here);
                }
            },
            Some(Overlay::Palette(palette)) => match palette.on_key(key) {
                palette::Answer::Open => {}
                palette::Answer::Left => self.overlay = None,
                palette::Answer::Chosen(goal) => {
                    self.overlay = None;
                    self.reach(goal);
                }
            },
            Some(Overlay::Menu(context)) => {
                let action = keymap::lookup(*context, key);
                match (action, key) {
                    (Some(action), _) => {
                        self.overlay = None;
                        self.on_action(action);
                    }
                    (None, Key::Esc | Key::Backspace | Key::Ctrl('c') | Key::Char('q')) => {
                        self.overlay = None;
                    }
                    (None, _) => {}
                }
            }
            None => {
                if let Some(action) = self.context().and_then(|context| keymap::lookup(context, key)) {
                    self.on_action(action);
                }
            }
        }
    }

    fn on_action(&mut self, action: Action) {
        match action {
            Action::Quit => self.commands.push(Command::Quit),
            Action::Redraw => self.commands.push(Command::Redraw),
            Action::Suspend => self.commands.push(Command::Suspend),
            Action::ToggleMouse => {
                self.mouse = !self.mouse;
                self.commands.push(Command::Mouse(self.mouse));
                self.status =
                    Some(if self.mouse { "mouse on" } else { "mouse off: the terminal selects text" }.into());
            }
            Action::Help => match self.context() {
                Some(Context::Help) | None => self.carry_out(Effect::Back),
                Some(context) => self.screens.push(Box::new(HelpScreen::new(context))),
            },
            Action::Map => self.screens.truncate(1),
            Action::Stats => self.go(Target::Stats),
            Action::Problems => self.go(Target::Problems),
            Action::Search => self.overlay = Some(Overlay::Prompt(Input::default())),
            Action::Palette => {
                let context = self.context().unwrap_or(Context::All);
                self.overlay = Some(Overlay::Palette(Palette::new(context, &self.study)));
            }
            Action::NextHit => self.seek(Seek::Next),
            Action::PreviousHit => self.seek(Seek::Previous),
            Action::NextContradiction => self.walk(1),
            Action::PreviousContradiction => self.walk(-1),
            Action::CopyMenu => self.overlay = Some(Overlay::Menu(Context::CopyMenu)),
            Action::Copy(what) => {
                let copied = with_top!(self, |screen, ctx| screen.copied(what, ctx)).flatten();
                self.copy(copied);
            }
            Action::Escape if self.query.is_some() => self.query = None,
            Action::Close => {
                let effect = self.ask(|screen, ctx| screen.on_action(action, ctx));
                match effect {
                    Effect::Pass if self.screens.len() == 1 => self.commands.push(Command::Quit),
                    Effect::Pass => self.carry_out(Effect::Back),
                    effect => self.carry_out(effect),
                }
            }
            Action::Escape => {
                let effect = self.ask(|screen, ctx| screen.on_action(action, ctx));
                self.carry_out(if effect == Effect::Pass { Effect::Back } else { effect });
            }
            action => {
                let effect = self.ask(|screen, ctx| screen.on_action(action, ctx));
                self.carry_out(effect);
            }
        }
    }

    fn on_click(&mut self, at: Position) {
        self.status = None;
        if self.overlay.take().is_none() && screen_area(self.size).contains(at) {
            let effect = self.ask(|screen, ctx| screen.on_click(at, ctx));
            self.carry_out(effect);
        }
    }

    /// Asks the top screen.
    fn ask(&mut self, question: impl FnOnce(&mut dyn Screen, &Ctx) -> Effect) -> Effect {
        with_top!(self, |screen, ctx| question(screen.as_mut(), ctx)).unwrap_or(Effect::None)
    }

    fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::None | Effect::Pass => {}
            // Never closes the Map: Escape does not quit.
            Effect::Back => {
                if self.screens.len() > 1 {
                    self.screens.pop();
                }
            }
            Effect::Open(target) => self.go(target),
            Effect::Replace(target) => {
                if self.screens.len() > 1 {
                    self.screens.pop();
                }
                self.go(target);
            }
            Effect::Status(words) => self.status = Some(words),
            Effect::Menu(context) => self.overlay = Some(Overlay::Menu(context)),
            Effect::Popup(title, lines) => self.overlay = Some(Overlay::Popup(Popup::new(title, lines))),
        }
    }

    fn go(&mut self, target: Target) {
        match target {
            Target::Map => self.screens.truncate(1),
            Target::Stats => {
                self.screens.truncate(1);
                self.screens.push(Box::new(StatsScreen::default()));
            }
            Target::Problems => {
                self.screens.truncate(1);
                self.screens.push(Box::new(ProblemsScreen::default()));
            }
            Target::Problem(problem) => {
                self.screens.truncate(1);
                self.screens.push(Box::new(ProblemsScreen::on(*problem)));
            }
            Target::Cell(cell, run) => self.screens.push(Box::new(CellScreen::new(cell, run))),
            Target::Run(run) => self.screens.push(Box::new(RunScreen::new(run))),
        }
    }

    /// Does what was chosen in the palette.
    fn reach(&mut self, goal: Goal) {
        match goal {
            Goal::Act(action) => self.on_action(action),
            Goal::Cell(cell) => self.go_down_to(cell, None),
            Goal::Run(run) => {
                self.go_down_to(run.cell.clone(), Some(run.clone()));
                self.go(Target::Run(run));
            }
            Goal::Problem(problem) => self.go(Target::Problem(problem)),
        }
    }

    /// From the Map, where the cell is selected, to the Cell: back leads the same way.
    fn go_down_to(&mut self, cell: CellId, run: Option<RunId>) {
        self.screens.truncate(1);
        with_top!(self, |screen, ctx| screen.select_cell(&cell, ctx));
        self.go(Target::Cell(cell, run));
    }

    fn seek(&mut self, seek: Seek) {
        let Some(query) = self.query.clone() else {
            self.status = Some("nothing to search for yet: / asks".into());
            return;
        };
        let hit = with_top!(self, |screen, ctx| screen.find(&query, seek, ctx)).flatten();
        self.status = Some(match hit {
            Some((at, of)) => format!("hit {at} of {of}"),
            None => format!("no hit for {query}"),
        });
    }

    /// Goes to another contradiction: its cell is selected on the Map, its run in the Cell, and the run is
    /// opened unless the walk is taken on the Cell screen.
    fn walk(&mut self, step: isize) {
        let study = Arc::clone(&self.study);
        let order = walk(&study);
        let here = with_top!(self, |screen, ctx| screen.run(ctx)).flatten().or_else(|| self.walked.clone());
        let at = here
            .and_then(|run| run.index(&self.study))
            .and_then(|run| order.iter().position(|index| *index == run));
        let next = match at {
            Some(at) => at.checked_add_signed(step),
            None if step > 0 => Some(0),
            None => order.len().checked_sub(1),
        };
        let Some((next, run)) =
            next.and_then(|next| Some((next, RunId::at(&self.study, *order.get(next)?)?)))
        else {
            self.status = Some(match (order.is_empty(), step > 0) {
                (true, _) if self.study.progress.is_complete() => "no contradiction here".into(),
                (true, _) => "no contradiction found so far: still labelling".into(),
                (_, true) => format!("that was the last of {} contradictions", order.len()),
                (_, false) => format!("that was the first of {} contradictions", order.len()),
            });
            return;
        };
        let in_cell = self.context() == Some(Context::Cell);
        self.go_down_to(run.cell.clone(), Some(run.clone()));
        if !in_cell {
            self.go(Target::Run(run.clone()));
        }
        self.walked = Some(run);
        self.status = Some(format!("contradiction {} of {}", next + 1, order.len()));
    }

    fn copy(&mut self, text: Option<String>) {
        let Some(text) = text else {
            self.status = Some("nothing to copy here".into());
            return;
        };
        // What is pasted elsewhere is as hostile as what is shown here.
        let lines: Vec<_> = text.split('\n').map(printable).collect();
        let text = lines.join("\n");
        self.status = Some(format!("copied: {}", lines.first().map_or("", |line| line)));
        self.commands.push(Command::Copy(text));
    }

    fn context(&self) -> Option<Context> {
        self.screens.last().map(|screen| screen.context())
    }

    /// After every message: the screen finds its footing, and what it wants to show is asked for.
    fn settle(&mut self) {
        with_top!(self, |screen, ctx| screen.settle(ctx));
        if self.study.progress.is_complete()
            && self.screens.last().is_some_and(|screen| screen.wants_sheet())
            && !self.computing.as_ref().is_some_and(|study| Arc::ptr_eq(study, &self.study))
        {
            self.computing = Some(Arc::clone(&self.study));
            self.commands.push(Command::Compute(Arc::clone(&self.study)));
        }
        if let Some(Overlay::Palette(palette)) = &mut self.overlay {
            self.commands.extend(palette.wanted().map(Command::Search));
        }
        if let Some(screen) = self.screens.last_mut() {
            self.commands.extend(screen.comparisons().into_iter().map(Command::Compare));
        }
        let wanted = with_top!(self, |screen, ctx| screen.wants(ctx)).unwrap_or_default();
        for id in wanted {
            if self.views.request(&id) {
                match id.index(&self.study) {
                    Some(run) => {
                        let study = Arc::clone(&self.study);
                        self.commands.push(Command::Load(Job { id, study, run }));
                    }
                    None => self.views.insert(id, None),
                }
            }
        }
    }

    /// Paints the explorer. Changes nothing.
    pub fn draw(&self, buf: &mut Buffer) {
        let whole = Rect::new(0, 0, self.size.width, self.size.height).intersection(buf.area);
        if whole.width < chrome::LEAST.width || whole.height < chrome::LEAST.height {
            chrome::too_small(buf, whole, &self.theme);
        } else if let Some(screen) = self.screens.last() {
            let (study, sheet) = shown(screen.as_ref(), &self.study, self.sheet.as_ref());
            let ctx = Ctx {
                study,
                theme: &self.theme,
                views: &self.views,
                sheet,
                area: screen_area(self.size).intersection(buf.area),
                query: self.query.as_deref(),
            };
            screen.draw(&ctx, buf);
            chrome::hint_bar(buf, whole, &self.theme, screen.context());
            match &self.overlay {
                Some(Overlay::Prompt(input)) => prompt::draw(buf, whole, &self.theme, "/", input),
                Some(Overlay::Menu(context)) => {
                    popup::menu(buf, whole, &self.theme, *context, &screen.chosen());
                }
                Some(Overlay::Palette(palette)) => palette.draw(buf, whole, &self.theme),
                Some(Overlay::Popup(popup)) => popup.draw(buf, whole, &self.theme),
                None => {
                    chrome::status_line(
                        buf,
                        whole,
                        &self.theme,
                        self.status.as_deref(),
                        self.query.as_deref(),
                    );
                }
            }
        }
        if self.theme.ascii {
            ascii::fold(buf);
        }
    }
}
