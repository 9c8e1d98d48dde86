//! A run beside its twin: the same words, two databases. Calls are aligned to the first one that differs.
//!
//! ```text
//!  kestrel-large × purchase-approval-gates      same final message word for word
//!  run_2  DAMAGE refused, yet changed     │ run_8  PASS refused
//! ────────────────────────────────────────┼───────────────────────────────────────
//!  CALLS  r x D w R                       │ r w R
//!  = m3  find_change_by_number PO-0010448 │ m3  find_change_by_number PO-0010448
//!  ≠ m5  update_incident  ERROR           │ m5  update_incident ORD_008
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::account::brief::{did_lines, said_words};
use super::account::conversation::{arguments, transcript};
use super::twin::{Likeness, twin};
use super::{Ctx, Effect, Target};
use crate::model::{Call, CallStatus};
use crate::report::words;
use crate::study::Study;
use crate::tui::action::Action;
use crate::tui::identity::RunId;
use crate::tui::open_run::OpenRun;
use crate::tui::paint::put;
use crate::tui::views::Opened;
use crate::tui::widget::rich::{Emphasis, Piece, Rich, Role, paint, piece, wrap};
use crate::tui::widget::strip;

/// Equal calls shown before the first one that differs; earlier ones are counted.
const SHOWN_EQUAL: usize = 3;

/// Two runs side by side.
#[derive(Debug)]
pub struct Compare {
    runs: [RunId; 2],
    likeness: Likeness,
    lines: Vec<[Rich; 2]>,
    /// What the lines were worded for: the area, and how many of the two runs were open.
    worded: Option<(Rect, usize)>,
    top: usize,
    height: usize,
}

impl Compare {
    /// A run beside its twin.
    ///
    /// # Errors
    /// Why the run has none, in words.
    pub fn with_twin(run: &RunId, study: &Study) -> Result<Self, String> {
        let none = || "this run is gone".to_owned();
        let cell = run.cell.find(study).ok_or_else(none)?;
        let index = run.index(study).ok_or_else(none)?;
        let runs = study.runs_of(cell);
        let place = index - cell.runs.start;
        let found = twin(runs, place).ok_or_else(|| super::twin::sentence(runs, place))?;
        let other = RunId::at(study, cell.runs.start + found.place).ok_or_else(none)?;
        Ok(Self {
            runs: [run.clone(), other],
            likeness: found.likeness,
            lines: Vec::new(),
            worded: None,
            top: 0,
            height: 0,
        })
    }

    /// Both runs.
    #[must_use]
    pub fn runs(&self) -> Vec<RunId> {
        self.runs.to_vec()
    }

    fn views<'a>(&self, ctx: &Ctx<'a>) -> [Option<&'a OpenRun>; 2] {
        self.runs.each_ref().map(|run| match ctx.views.get(run) {
            Opened::Ready(view) => Some(view),
            _ => None,
        })
    }

    /// The archive was opened again: the runs may be others.
    pub fn reopened(&mut self) {
        self.worded = None;
    }

    /// Words the two columns for the screen they are on.
    pub fn settle(&mut self, ctx: &Ctx) {
        let views = self.views(ctx);
        let state = (ctx.area, views.iter().flatten().count());
        if self.worded != Some(state) {
            let width = usize::from(ctx.area.width.saturating_sub(1) / 2);
            self.lines = match views {
                [Some(left), Some(right)] => columns(left, right, width),
                _ => vec![[Rich::of(Role::Dim, " opening …"), Rich::of(Role::Dim, " opening …")]],
            };
            self.worded = Some(state);
        }
        self.height = usize::from(ctx.area.height.saturating_sub(3));
        self.scroll(0);
    }

    fn scroll(&mut self, by: isize) {
        let last = self.lines.len().saturating_sub(self.height);
        self.top = self.top.saturating_add_signed(by).min(last);
    }

    /// Scrolls; Enter opens the other run.
    pub fn on_action(&mut self, action: Action, _ctx: &Ctx) -> Effect {
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
            Action::Open => return Effect::Open(Target::Run(self.runs[1].clone())),
            _ => return Effect::Pass,
        }
        Effect::None
    }

    /// Draws both columns.
    pub fn draw(&self, ctx: &Ctx, buf: &mut Buffer) {
        let area = ctx.area;
        let theme = ctx.theme;
        let emphasis = Emphasis { over: None, query: ctx.query };
        let like = match self.likeness {
            Likeness::SameWords => "same final message word for word ".to_owned(),
            Likeness::Closest(share) => format!("closest final message, {share} % of words "),
            Likeness::NoMessage => "no final message to compare ".into(),
        };
        let cell = &self.runs[0].cell;
        let title = Rich::of(Role::Strong, format!(" {} × {}", cell.model, cell.task)).tail(Role::Said, like);
        paint(buf, area, 0, &title, theme, emphasis);
        let left_width = area.width.saturating_sub(1) / 2;
        let sides = [
            Rect { width: left_width, ..area },
            Rect {
                x: area.x + (left_width + 1).min(area.width),
                width: area.width.saturating_sub(left_width + 1),
                ..area
            },
        ];
        for (side, run) in self.runs.iter().enumerate() {
            let label = run.find(ctx.study).and_then(|entry| entry.verdict().cloned());
            let mut line = Rich::of(Role::Strong, format!(" {}  ", run.run));
            if let Some(verdict) = label {
                let (headline, refinement) = words::label(&verdict);
                let role = if verdict.counts_as_damage { Role::Damage } else { Role::Plain };
                line = line.add(role, format!("{headline} {refinement}"));
            }
            paint(buf, sides[side], 1, &line, theme, emphasis);
        }
        put(buf, area, (0, 2), &"─".repeat(usize::from(area.width)), area.width, theme.rule);
        for (row, pair) in self.lines.iter().skip(self.top).take(self.height).enumerate() {
            for (side, line) in pair.iter().enumerate() {
                paint(buf, sides[side], row as u16 + 3, line, theme, emphasis);
            }
        }
        for row in 1..area.height {
            put(buf, area, (left_width, row), if row == 2 { "┼" } else { "│" }, 1, theme.rule);
        }
    }
}

/// Both columns, aligned by section.
fn columns(left: &OpenRun, right: &OpenRun, width: usize) -> Vec<[Rich; 2]> {
    let views = [left, right];
    let mut lines = vec![views.map(|view| {
        let text = view.entry.digest().map(|digest| strip::text(&digest.strip, width.saturating_sub(9)));
        Rich::of(Role::Strong, " CALLS  ").add(Role::Plain, text.unwrap_or_default())
    })];
    calls(left, right, &mut lines);
    lines.push([Rich::new(), Rich::new()]);
    lines.push([heading("SAID"), heading("SAID")]);
    pair_up(views.map(|view| wrapped(&said_words(view), Role::Said, width)), &mut lines);
    lines.push([Rich::new(), Rich::new()]);
    lines.push([heading("DATABASE"), heading("DATABASE")]);
    pair_up(views.map(|view| did_lines(view, width)), &mut lines);
    lines
}

fn heading(title: &str) -> Rich {
    Rich::of(Role::Strong, format!(" {title}"))
}

fn wrapped(text: &str, role: Role, width: usize) -> Vec<Rich> {
    text.split('\n')
        .flat_map(|line| wrap(&[piece(role, line.trim_end_matches('\r'))], width.saturating_sub(4).max(4)))
        .map(|pieces: Vec<Piece>| {
            let mut rich = Rich::new().column(3);
            rich.left.extend(pieces);
            rich
        })
        .collect()
}

/// Two columns of unlike length, side by side.
fn pair_up([left, right]: [Vec<Rich>; 2], lines: &mut Vec<[Rich; 2]>) {
    let length = left.len().max(right.len());
    let mut sides = [left.into_iter(), right.into_iter()];
    for _ in 0..length {
        lines.push(sides.each_mut().map(|side| side.next().unwrap_or_default()));
    }
}

fn calls(left: &OpenRun, right: &OpenRun, lines: &mut Vec<[Rich; 2]>) {
    let views = [left, right];
    let of = views.map(|view| transcript(view).map(|transcript| transcript.calls.as_slice()));
    let [Some(a), Some(b)] = of else {
        lines.push(of.map(|calls| match calls {
            Some(_) => Rich::new(),
            None => Rich::of(Role::Notice, "   conversation not in the archive"),
        }));
        return;
    };
    let equal = a.iter().zip(b).take_while(|(a, b)| same_call(a, b)).count();
    let skipped = equal.saturating_sub(SHOWN_EQUAL);
    if skipped > 0 {
        let text = format!("   ⋯ {skipped} calls the same");
        lines.push([Rich::of(Role::Dim, &text), Rich::of(Role::Dim, &text)]);
    }
    for index in skipped..a.len().max(b.len()) {
        let sides = [(a, left), (b, right)];
        lines.push(sides.map(|(calls, view)| match calls.get(index) {
            Some(call) => call_line(view, call, index, index < equal, index == equal),
            None if index == equal || index == calls.len() => Rich::of(Role::Dim, "   no more calls"),
            None => Rich::new(),
        }));
    }
    if equal == a.len() && equal == b.len() {
        let text = "   the same calls to the end";
        lines.push([Rich::of(Role::Dim, text), Rich::of(Role::Dim, text)]);
    }
}

fn same_call(a: &Call, b: &Call) -> bool {
    a.tool == b.tool && a.args == b.args && a.status == b.status
}

fn call_line(view: &OpenRun, call: &Call, index: usize, same: bool, first_other: bool) -> Rich {
    let damage = view.evidence.as_ref().is_some_and(|evidence| {
        evidence.deltas.iter().any(|judged| judged.is_damage() && judged.attribution.call == Some(index))
    });
    let sign = match (same, first_other) {
        (true, _) => " = ",
        (_, true) => " ≠ ",
        _ => "   ",
    };
    let role = match (damage, same) {
        (true, _) => Role::Damage,
        (false, true) => Role::Dim,
        (false, false) => Role::Plain,
    };
    let line = Rich::of(if first_other { Role::Strong } else { Role::Dim }, sign)
        .add(Role::Dim, format!("m{} ", call.message + 1))
        .add(role, call.tool.display())
        .add(if same { Role::Dim } else { Role::Plain }, format!(" {}", arguments(call)));
    match call.status {
        CallStatus::Ok if damage => line.tail(Role::Damage, "‹ DID "),
        CallStatus::Ok => line,
        CallStatus::Failed => line.tail(Role::Notice, "ERROR "),
        CallStatus::Unanswered => line.tail(Role::Notice, "no answer "),
    }
}
