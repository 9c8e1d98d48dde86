//! What a run was asked: the prompt, the policy, and what the task allows, over the whole screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Ctx, Effect};
use crate::model::MessageKind;
use crate::report::why::rule_text;
use crate::tui::action::Action;
use crate::tui::open_run::OpenRun;
use crate::tui::widget::rich::{Emphasis, Rich, Role, paint, piece, wrap};

/// The page and how far it is scrolled.
#[derive(Debug)]
pub struct AskedPage {
    title: String,
    parts: Vec<(&'static str, Role, String)>,
    lines: Vec<Rich>,
    width: u16,
    height: u16,
    top: usize,
}

impl AskedPage {
    /// What the run was asked, as its transcript has it, or else its task.
    #[must_use]
    pub fn of(view: &OpenRun, area: Rect) -> Self {
        let messages = view.record.as_ref().and_then(|record| record.transcript.as_ref());
        let messages = messages.map(|transcript| transcript.messages.as_slice()).unwrap_or_default();
        let said = |is: fn(&MessageKind) -> bool| {
            let texts: Vec<String> = messages
                .iter()
                .filter(|message| is(&message.kind))
                .map(|message| message.text().into_owned())
                .collect();
            (!texts.is_empty()).then(|| texts.join("\n\n"))
        };
        let task = view.task.as_ref();
        let asked = said(|kind| matches!(kind, MessageKind::User(_)))
            .or_else(|| task?.user_prompt.as_ref().map(ToString::to_string));
        let policy = said(|kind| matches!(kind, MessageKind::System(_)))
            .or_else(|| task?.system_prompt.as_ref().map(ToString::to_string));
        let allowed = task.map(|task| {
            let rules = task.spec.allowed.iter().enumerate();
            let rules: Vec<String> = rules.map(|(index, rule)| rule_text(index, rule)).collect();
            if rules.is_empty() { "nothing".into() } else { rules.join("\n") + "\nnothing else" }
        });
        let missing = || "not in the archive".to_owned();
        let part = |title, text: Option<String>| match text {
            Some(text) => (title, Role::Plain, text),
            None => (title, Role::Notice, missing()),
        };
        let parts = vec![part("ASKED", asked), part("ALLOWED", allowed), part("POLICY", policy)];
        let address = &view.address;
        let title = format!(" {} × {} · {} · what it was asked", address.model, address.task, address.run);
        let mut page = Self { title, parts, lines: Vec::new(), width: 0, height: 0, top: 0 };
        page.settle(area);
        page
    }

    /// Wraps the text for the screen it is on.
    pub fn settle(&mut self, area: Rect) {
        if self.width != area.width {
            self.width = area.width;
            // Prose is hard to read over the whole width of a wide screen.
            let room = usize::from(area.width).saturating_sub(4).clamp(8, 100);
            self.lines.clear();
            for (title, role, text) in &self.parts {
                self.lines.push(Rich::new());
                self.lines.push(Rich::of(Role::Strong, format!(" {title}")));
                for line in text.split('\n') {
                    for pieces in wrap(&[piece(*role, line.trim_end_matches('\r'))], room) {
                        let mut rich = Rich::new().column(3);
                        rich.left.extend(pieces);
                        self.lines.push(rich);
                    }
                }
            }
        }
        self.height = area.height.saturating_sub(1);
        self.scroll(0);
    }

    fn scroll(&mut self, by: isize) {
        let last = self.lines.len().saturating_sub(usize::from(self.height));
        self.top = self.top.saturating_add_signed(by).min(last);
    }

    /// Scrolls.
    pub fn on_action(&mut self, action: Action) -> Effect {
        let page = self.height.saturating_sub(1).max(1) as isize;
        match action {
            Action::Up => self.scroll(-1),
            Action::Down => self.scroll(1),
            Action::PageUp => self.scroll(-page),
            Action::PageDown => self.scroll(page),
            Action::HalfUp => self.scroll(-page / 2),
            Action::HalfDown => self.scroll(page / 2),
            Action::First => self.top = 0,
            Action::Last => self.scroll(isize::MAX),
            _ => return Effect::Pass,
        }
        Effect::None
    }

    /// Draws it.
    pub fn draw(&self, ctx: &Ctx, buf: &mut Buffer) {
        let emphasis = Emphasis { over: None, query: ctx.query };
        let more = self.lines.len().saturating_sub(self.top + usize::from(self.height));
        let tail = if more > 0 { format!("⋯ {more} lines more ") } else { "a  back ".into() };
        paint(
            buf,
            ctx.area,
            0,
            &Rich::of(Role::Strong, &self.title).tail(Role::Dim, tail),
            ctx.theme,
            emphasis,
        );
        for (row, line) in self.lines.iter().skip(self.top).take(usize::from(self.height)).enumerate() {
            paint(buf, ctx.area, row as u16 + 1, line, ctx.theme, emphasis);
        }
    }
}
