//! A stage for one screen, for tests: the same steps the app takes, without the app.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use super::{Ctx, Effect, Hit, Screen, Seek};
use crate::study::{RunView, Study};
use crate::tui::action::{Action, Copied};
use crate::tui::identity::RunId;
use crate::tui::theme::{Depth, Theme, ThemeChoice};
use crate::tui::views::Views;

/// One screen with all it may look at.
pub struct Stage<S> {
    pub screen: S,
    pub study: Study,
    views: Views,
    theme: Theme,
    size: Size,
    query: Option<String>,
}

impl<S: Screen> Stage<S> {
    pub fn new(screen: S, study: Study, opened: Vec<RunView>, (width, height): (u16, u16)) -> Self {
        let mut views = Views::default();
        for view in opened {
            let index =
                study.runs.iter().position(|run| run.name == view.entry.name).expect("a run of the study");
            views.insert(RunId::at(&study, index).expect("a run"), Some(Box::new(view.into())));
        }
        let theme = Theme::new(ThemeChoice::Mono, Depth::Mono, false);
        let mut stage = Self { screen, study, views, theme, size: Size { width, height }, query: None };
        stage.with(|screen, ctx| screen.settle(ctx));
        stage
    }

    fn with<T>(&mut self, act: impl FnOnce(&mut S, &Ctx) -> T) -> T {
        let ctx = Ctx {
            study: &self.study,
            theme: &self.theme,
            views: &self.views,
            sheet: None,
            area: Rect::new(0, 0, self.size.width, self.size.height.saturating_sub(2)),
            query: self.query.as_deref(),
        };
        act(&mut self.screen, &ctx)
    }

    /// What the screen may look at.
    pub fn ctx(&self) -> Ctx<'_> {
        Ctx {
            study: &self.study,
            theme: &self.theme,
            views: &self.views,
            sheet: None,
            area: Rect::new(0, 0, self.size.width, self.size.height.saturating_sub(2)),
            query: self.query.as_deref(),
        }
    }

    pub fn press(&mut self, action: Action) -> Effect {
        let effect = self.with(|screen, ctx| screen.on_action(action, ctx));
        self.with(|screen, ctx| screen.settle(ctx));
        effect
    }

    pub fn click(&mut self, x: u16, y: u16) -> Effect {
        let effect = self.with(|screen, ctx| screen.on_click(Position { x, y }, ctx));
        self.with(|screen, ctx| screen.settle(ctx));
        effect
    }

    pub fn resize(&mut self, width: u16, height: u16) {
        self.size = Size { width, height };
        self.with(|screen, ctx| screen.settle(ctx));
    }

    pub fn find(&mut self, query: &str, seek: Seek) -> Hit {
        self.query = Some(query.to_owned());
        let hit = self.with(|screen, ctx| screen.find(query, seek, ctx));
        self.with(|screen, ctx| screen.settle(ctx));
        hit
    }

    pub fn copied(&mut self, what: Copied) -> Option<String> {
        self.with(|screen, ctx| screen.copied(what, ctx))
    }

    /// The screen without hint bar and status line, blanks at line ends cut.
    pub fn shown(&mut self) -> String {
        let area = Rect::new(0, 0, self.size.width, self.size.height);
        let mut buf = Buffer::empty(area);
        self.with(|screen, ctx| screen.draw(ctx, &mut buf));
        let lines: Vec<String> = (0..area.height.saturating_sub(2))
            .map(|y| {
                let line: String = (0..area.width).map(|x| buf[(x, y)].symbol()).collect();
                line.trim_end().to_owned()
            })
            .collect();
        lines.join("\n")
    }
}
