//! What the palette offers: the actions of a screen, and places to go to.

use crate::model::Problem;
use crate::study::Study;
use crate::tui::action::Action;
use crate::tui::identity::{CellId, RunId};
use crate::tui::keymap::{self, Context};

/// What an entry leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// an action
    Act(Action),
    /// a cell
    Cell(CellId),
    /// a run
    Run(RunId),
    /// a problem
    Problem(Box<Problem>),
}

/// One line of the palette.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What it is called.
    pub text: String,
    /// Its keys, or what kind of place it is.
    pub aside: String,
    /// What it leads to.
    pub goal: Goal,
    /// The text in lower case, to match.
    pub folded: String,
}

fn entry(text: String, aside: impl Into<String>, goal: Goal) -> Entry {
    let folded = text.to_lowercase();
    Entry { text, aside: aside.into(), goal, folded }
}

/// Everything that can be done on a screen, then everywhere to go from there.
#[must_use]
pub fn entries(context: Context, study: &Study) -> Vec<Entry> {
    let mut entries = Vec::new();
    actions(context, &mut entries);
    places(study, &mut entries);
    entries
}

/// The screen's own actions, those of its menus, and those that work everywhere.
fn actions(context: Context, entries: &mut Vec<Entry>) {
    let of = |context| keymap::bindings(context).filter(|binding| binding.action != Action::Palette);
    let plain = |context| {
        of(context).map(|binding| entry(binding.help.into(), binding.label(), Goal::Act(binding.action)))
    };
    entries.extend(plain(context));
    for (menu, key) in keymap::menus(context) {
        let name = menu.name().to_lowercase();
        entries.extend(of(menu).map(|binding| {
            let keys = format!("{} {}", key.label(), binding.label());
            entry(format!("{name}: {}", binding.help), keys, Goal::Act(binding.action))
        }));
    }
    if context != Context::All {
        entries.extend(plain(Context::All));
    }
}

/// Cells, runs and problems, in the archive's order.
fn places(study: &Study, entries: &mut Vec<Entry>) {
    for (task, row) in study.tasks.iter().enumerate() {
        for (model, column) in study.models.iter().enumerate() {
            if study.cell(model, task).is_some_and(|cell| !cell.is_blank()) {
                let cell = CellId { model: column.name.clone(), task: row.id.clone() };
                entries.push(entry(format!("{} × {}", cell.model, cell.task), "cell", Goal::Cell(cell)));
            }
        }
    }
    for run in (0..study.runs.len()).filter_map(|run| RunId::at(study, run)) {
        let address = format!("{}/{}/{}", run.cell.model, run.cell.task, run.run);
        entries.push(entry(address, "run", Goal::Run(run)));
    }
    for problem in &study.problems {
        let place: Vec<&str> =
            [&problem.place.task, &problem.place.run].into_iter().flatten().map(String::as_str).collect();
        let text = format!("{} {} {}", problem.code.as_str(), place.join("/"), problem.detail);
        entries.push(entry(text, "problem", Goal::Problem(Box::new(problem.clone()))));
    }
}
