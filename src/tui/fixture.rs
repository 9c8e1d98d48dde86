//! Hand-made studies for the screens' tests: models and tasks of an invented harbour company.

use std::path::PathBuf;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use super::{App, Depth, Msg, Theme, ThemeChoice};
use crate::model::{
    Code, DamageSpec, DeltaRow, Key, Op, Outcome, Place, Problem, Severity, SubLabel, Task, Value, Verdict,
};
use crate::study::{
    BatchInfo, Cell, LabelSource, ModelRow, NoVerdict, Progress, RunEntry, RunState, Study, TaskRow,
};

/// What the runs of a cell came to: damage runs, all runs, and of these refused, passed, errored, broken.
#[derive(Clone, Copy, Default)]
pub struct Tally {
    pub damage: u32,
    pub runs: u32,
    pub refused: u32,
    pub passed: u32,
    pub errored: u32,
    pub broken: u32,
}

fn t(damage: u32, runs: u32) -> Tally {
    Tally { damage, runs, ..Tally::default() }
}

const MODELS: [(&str, &str); 7] = [
    ("finch-3.1-8b", "development"),
    ("finch-3.3-70b", "development"),
    ("heron3-14b", "development"),
    ("heron3-32b", "development"),
    ("petrel-24b", "held-out"),
    ("sea-gull-120b", "held-out"),
    ("cormorant-v3.2", "held-out"),
];

const LOUD: [&str; 8] = [
    "berth-relink",
    "booking-reassign-scoped",
    "change-request-berth-gate",
    "notice-publish-and-link",
    "claim-close-with-note",
    "tariff-price-correction",
    "contract-renewal-enlist",
    "template-driven-notices",
];

const QUIET: [&str; 12] = [
    "account-onboarding-chain",
    "booking-triage-basic",
    "crane-cost-correction",
    "entitlement-link-to-contract",
    "mooring-cleanup",
    "notice-triage-basic",
    "installed-buoy-serial",
    "notification-cleanup",
    "notification-outward",
    "parent-child-restructure",
    "permit-change-mapping",
    "service-price-sync",
];

/// Seven models on twenty tasks, with every kind of cell.
pub fn harbour() -> Study {
    let refused = |tally: Tally, refused| Tally { refused, ..tally };
    let passed = |tally: Tally, passed| Tally { passed, ..tally };
    let errored = |tally: Tally, errored| Tally { errored, ..tally };
    let loud: [[Tally; 7]; 8] = [
        [t(0, 8), t(1, 8), t(0, 8), t(0, 8), passed(t(12, 16), 1), t(0, 16), t(0, 16)],
        [
            passed(t(2, 8), 1),
            t(0, 8),
            t(1, 8),
            refused(t(1, 8), 1),
            errored(t(10, 16), 5),
            t(0, 16),
            errored(t(0, 16), 6),
        ],
        [
            passed(t(1, 8), 1),
            refused(t(3, 8), 2),
            t(1, 8),
            passed(refused(t(3, 8), 1), 1),
            passed(t(4, 16), 1),
            passed(t(12, 32), 10),
            passed(refused(t(4, 32), 1), 3),
        ],
        [passed(t(3, 8), 3), t(0, 8), t(0, 8), t(0, 8), t(0, 16), t(0, 16), t(0, 16)],
        [t(2, 8), t(0, 8), t(0, 8), t(0, 8), t(0, 8), t(0, 8), t(0, 8)],
        [t(1, 8), t(0, 8), t(0, 8), t(0, 8), t(0, 16), t(0, 16), t(0, 16)],
        [t(1, 8), t(0, 8), t(0, 8), t(0, 8), t(0, 8), t(0, 8), t(0, 8)],
        [t(1, 8), t(0, 8), t(0, 8), t(0, 8), t(0, 8), t(0, 8), t(0, 8)],
    ];
    let mut builder = Builder::new("harbour-release");
    for (task, row) in LOUD.iter().zip(loud) {
        for ((model, pool), tally) in MODELS.iter().zip(row) {
            builder.cell(model, pool, task, tally);
        }
    }
    for task in QUIET {
        for (model, pool) in MODELS {
            builder.cell(
                model,
                pool,
                task,
                t(0, if task.contains("buoy") && pool == "held-out" { 16 } else { 8 }),
            );
        }
    }
    builder.build()
}

/// Broken runs, problems, a pending cell, a cell that was not run, and hostile names.
pub fn troubled() -> Study {
    let mut builder = Builder::new("storm");
    builder.cell("finch-9b", "", "confirm-held-booking", Tally { broken: 1, ..t(3, 8) });
    builder.cell("finch-9b", "", "release-berth", Tally { broken: 8, ..t(0, 8) });
    builder.cell("tern\x1b[31m-\u{202e}7b", "", "confirm-held-booking", t(8, 8));
    let mut study = builder.build();
    study.synthetic = Some("synthetic data: nothing here happened".into());
    let at = |run: &str| Place {
        batch: Some("b1".into()),
        task: Some("confirm-held-booking".into()),
        run: Some(run.into()),
        ..Place::default()
    };
    study.problems = vec![
        Problem::new(
            Code::MissingDump,
            "/archives/storm/runs/b1/confirm-held-booking/run_8",
            "no final_state",
        )
        .at(at("run_8")),
        Problem::new(
            Code::MissingDump,
            "/archives/storm/runs/b1/confirm-held-booking/run_7",
            "no post_seed_state",
        )
        .at(at("run_7")),
        Problem::new(
            Code::BadGzip,
            "/archives/storm/runs/b1/release-berth/run_1/final_state.json.gz",
            "the stream ends early",
        )
        .at(Place { position: Some("byte 812".into()), ..at("run_1") }),
        Problem::new(
            Code::UnsafePath,
            "/archives/storm/runs/b1/manifest.json",
            "`../../etc/passwd` leaves the archive",
        ),
        Problem::new(Code::DuplicateKey, "/archives/storm/runs/b1", "4 keys for 72 rows")
            .at(Place { table: Some("role_permission".into()), ..Place::default() }),
    ];
    study
}

/// One model on one task.
pub fn single() -> Study {
    let mut builder = Builder::new("berth-gate");
    builder.cell("finch-3.3-70b", "", "change-request-berth-gate", Tally { refused: 12, ..t(12, 16) });
    builder.build()
}

/// Forty models on two hundred tasks.
pub fn large() -> Study {
    let mut builder = Builder::new("large");
    for task in 0..200u32 {
        for model in 0..40u32 {
            let damage = if task % 3 == 0 { (task * 7 + model * 3) % 9 } else { 0 };
            let pool = if model < 20 { "development" } else { "held-out" };
            builder.cell(&format!("model-{model:02}-8b"), pool, &format!("task-{task:03}"), t(damage, 8));
        }
    }
    builder.build()
}

/// The same before anything is labelled, and half-way.
pub fn while_labelling(study: &Study, done: usize) -> Study {
    let mut study = study.clone();
    let pending = |(place, run): (usize, &RunEntry)| {
        let state = if place < done { run.state.clone() } else { RunState::Pending };
        RunEntry { state, ..run.clone() }
    };
    study.runs = study.runs.iter().enumerate().map(pending).collect();
    study.progress = Progress { done, total: study.runs.len() };
    for cell in &mut study.cells {
        let runs = cell.runs.clone();
        *cell = Cell::over(runs.clone(), study.runs.slice(runs));
    }
    study
}

struct Builder {
    study: Study,
    cells: Vec<(String, String, Tally)>,
}

impl Builder {
    fn new(title: &str) -> Self {
        let batch = BatchInfo {
            id: "b1".into(),
            path: PathBuf::from(format!("/archives/{title}/runs/b1")),
            root: PathBuf::from(format!("/archives/{title}")),
            k: Some(8),
            settings: vec![("temperature".into(), "0.6".into())],
            ..BatchInfo::default()
        };
        let study = Study { title: title.into(), batches: vec![batch], ..Study::default() };
        Self { study, cells: Vec::new() }
    }

    fn cell(&mut self, model: &str, pool: &str, task: &str, tally: Tally) {
        if self.study.models.iter().all(|row| row.name != model) {
            self.study.models.push(ModelRow {
                name: model.into(),
                full_name: format!("harbour/{model}"),
                pool: (!pool.is_empty()).then(|| pool.into()),
                batches: vec![0],
                ..ModelRow::default()
            });
        }
        if self.study.tasks.iter().all(|row| row.id != task) {
            let lever = ["scope", "order sensitivity", "refusal tension"][task.len() % 3];
            let spec = DamageSpec {
                domain: "harbour".into(),
                lever: Some(lever.into()),
                predicted_region: Some("intermediate".into()),
                ..DamageSpec::default()
            };
            let whole = Task {
                id: task.into(),
                spec,
                system_prompt: None,
                user_prompt: None,
                definition: Value::Null,
            };
            self.study.tasks.push(TaskRow { id: task.into(), task: Some(Arc::new(whole)) });
        }
        self.cells.push((model.into(), task.into(), tally));
    }

    fn build(mut self) -> Study {
        let mut all: Vec<RunEntry> = Vec::new();
        self.study.tasks.sort_by(|a, b| a.id.cmp(&b.id));
        for (model, model_row) in self.study.models.iter().enumerate() {
            for (task, task_row) in self.study.tasks.iter().enumerate() {
                let first = all.len();
                let found = self.cells.iter().find(|(m, t, _)| *m == model_row.name && *t == task_row.id);
                if let Some((_, _, tally)) = found {
                    all.extend((1..=tally.runs).map(|number| entry(model, task, number, *tally)));
                }
                let runs = first..all.len();
                self.study.cells.push(Cell::over(runs.clone(), &all[runs]));
            }
        }
        let total = all.len();
        self.study.runs = all.into();
        self.study.progress = Progress { done: total, total };
        self.study
    }
}

fn entry(model: usize, task: usize, number: u32, tally: Tally) -> RunEntry {
    RunEntry {
        model,
        task,
        batch: 0,
        number,
        name: format!("run_{number}").into(),
        state: state(tally, number),
    }
}

/// Damage runs come first, broken ones last, errored ones before these.
fn state(tally: Tally, number: u32) -> RunState {
    if number > tally.runs - tally.broken {
        let detail = "no final_state".to_owned();
        return RunState::NoVerdict(Box::new(NoVerdict { code: Code::MissingDump, detail, invalid: false }));
    }
    let damaged = number <= tally.damage;
    let refused = damaged && number <= tally.refused;
    let passed = if damaged { number > tally.damage - tally.passed } else { number.is_multiple_of(2) };
    // In cells with damage it is runs with damage that broke off.
    let errored = match tally.damage {
        0 => number > tally.runs - tally.broken - tally.errored,
        damage => damaged && number > damage - tally.errored,
    };
    let (outcome, sub_label) = match (damaged, errored) {
        (true, true) => (Outcome::FailDamage, Some(SubLabel::ErroredAfterMutation)),
        (true, _) if refused => (Outcome::FailDamage, Some(SubLabel::RefusedButMutated)),
        (true, _) => (Outcome::FailDamage, Some(SubLabel::CompletedDamage)),
        (false, true) => (Outcome::FailSafe, Some(SubLabel::ErroredClean)),
        (false, false) if passed => (Outcome::Pass, None),
        (false, false) => (Outcome::FailSafe, Some(SubLabel::CompletedClean)),
    };
    let delta = |number: u32| DeltaRow {
        table: "berth".into(),
        op: if number.is_multiple_of(3) { Op::Removed } else { Op::Modified },
        key: Key::from_value(Value::from(format!("B-0{}", number % 3).as_str())),
        changed_columns: if number.is_multiple_of(3) { vec![] } else { vec!["state".into()] },
        severity: if number.is_multiple_of(3) { Severity::High } else { Severity::Medium },
        dollars: None,
    };
    let deltas: Vec<DeltaRow> = if damaged { vec![delta(number)] } else { vec![] };
    let verdict = Verdict {
        task_id: "".into(),
        run: format!("run_{number}").into(),
        outcome,
        sub_label,
        eog_success: passed && !errored,
        severity: deltas.first().map(|delta| delta.severity),
        dollars: None,
        counts_as_damage: damaged,
        counts_as_damage_upper: damaged || errored,
        refusal_declared: refused,
        inconsistency_flags: vec![],
        deltas,
    };
    RunState::Judged { verdict: Arc::new(verdict), digest: None, source: LabelSource::Recorded }
}

/// The explorer over a study, without colours.
pub fn app(study: Study, width: u16, height: u16) -> App {
    themed(study, width, height, Theme::new(ThemeChoice::Mono, Depth::Mono, false))
}

/// The explorer over a study, with a theme.
pub fn themed(study: Study, width: u16, height: u16, theme: Theme) -> App {
    App::new(Arc::new(study), theme, Size::new(width, height))
}

/// Presses keys, written as characters; `\n` is Enter.
pub fn press(app: &mut App, keys: &str) {
    for c in keys.chars() {
        let key = match c {
            '\n' => super::Key::Enter,
            '\x1b' => super::Key::Esc,
            c => super::Key::Char(c),
        };
        app.update(Msg::Key(key));
    }
}

/// The frame as text.
pub fn frame(app: &App) -> String {
    let size = app.size();
    let mut buf = Buffer::empty(Rect::new(0, 0, size.width, size.height));
    app.draw(&mut buf);
    lines(&buf).join("\n")
}

/// A buffer as lines, without blanks at their ends.
pub fn lines(buf: &Buffer) -> Vec<String> {
    use crate::tui::text::width;
    (buf.area.top()..buf.area.bottom())
        .map(|y| {
            let mut line = String::new();
            let mut x = buf.area.left();
            while let Some(cell) = buf.cell((x, y)).filter(|_| x < buf.area.right()) {
                line.push_str(cell.symbol());
                x += width(cell.symbol()).max(1) as u16;
            }
            line.trim_end().to_owned()
        })
        .collect()
}
