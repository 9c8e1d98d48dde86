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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is called.
    pub text: String,
    /// Its keys, or what kind of place it is.
    pub aside: String,
    /// What it leads to.
    pub goal: Goal,
}

fn entry(text: String, aside: impl Into<String>, goal: Goal) -> Entry {
    Entry { text, aside: aside.into(), goal }
}

/// The screen's own actions, those of its menus, and those that work everywhere.
#[must_use]
pub fn actions(context: Context) -> Vec<Entry> {
    let of = |context| keymap::bindings(context).filter(|binding| binding.action != Action::Palette);
    let plain = |context| {
        of(context).map(|binding| entry(binding.help.into(), binding.label(), Goal::Act(binding.action)))
    };
    let mut entries: Vec<Entry> = plain(context).collect();
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
    entries
}

/// A place to go to, in a snapshot: there can be a million.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// a cell, by the indices of its model and task
    Cell(usize, usize),
    /// a run, by its index
    Run(usize),
    /// a problem, by its index
    Problem(usize),
}

/// Visits cells, runs and problems, in the archive's order, each with its text in lower case.
pub fn visit(study: &Study, mut at: impl FnMut(Place, &str)) {
    let models: Vec<String> = study.models.iter().map(|row| row.name.to_lowercase()).collect();
    let tasks: Vec<String> = study.tasks.iter().map(|row| row.id.to_lowercase()).collect();
    let mut text = String::new();
    let mut with = |place, words: &dyn Fn(&mut String)| {
        text.clear();
        words(&mut text);
        at(place, &text);
    };
    for (task, id) in tasks.iter().enumerate() {
        for (model, name) in models.iter().enumerate() {
            if study.cell(model, task).is_some_and(|cell| !cell.is_blank()) {
                with(Place::Cell(model, task), &|text| text.extend([name, " × ", id]));
            }
        }
    }
    for (index, run) in study.runs.iter().enumerate() {
        let (Some(model), Some(task)) = (models.get(run.model), tasks.get(run.task)) else { continue };
        with(Place::Run(index), &|text| {
            text.extend([model, "/", task, "/"]);
            text.extend(run.name.chars().flat_map(char::to_lowercase));
        });
    }
    for (index, problem) in study.problems.iter().enumerate() {
        with(Place::Problem(index), &|text| text.push_str(&named(problem).to_lowercase()));
    }
}

/// The line of a place.
#[must_use]
pub fn line(study: &Study, place: Place) -> Option<Entry> {
    Some(match place {
        Place::Cell(model, task) => {
            let cell = CellId::at(study, model, task)?;
            entry(format!("{} × {}", cell.model, cell.task), "cell", Goal::Cell(cell))
        }
        Place::Run(index) => {
            let run = RunId::at(study, index)?;
            let address = format!("{}/{}/{}", run.cell.model, run.cell.task, run.run);
            entry(address, "run", Goal::Run(run))
        }
        Place::Problem(index) => {
            let problem = study.problems.get(index)?;
            entry(named(problem), "problem", Goal::Problem(Box::new(problem.clone())))
        }
    })
}

fn named(problem: &Problem) -> String {
    let place: Vec<&str> =
        [&problem.place.task, &problem.place.run].into_iter().flatten().map(String::as_str).collect();
    format!("{} {} {}", problem.code.as_str(), place.join("/"), problem.detail)
}
