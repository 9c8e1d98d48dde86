//! Which tasks and models stand where: order, groups, folding. Pure: a study in, two axes out.

use std::cmp::Reverse;

use crate::study::{Cell, Study};
use crate::tui::action::{Grouping, Order};

/// One row or column of the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// a model, by index
    Model(usize),
    /// a task, by index
    Task(usize),
    /// tasks with none seen, as one line, of this group
    Folded(String, Vec<usize>),
    /// the line above tasks with none seen that stand open
    Opened(Vec<usize>),
    /// the line above a group
    Heading(String),
}

/// One place of an axis, with the name of its group (a pool, a lever, a domain; may be empty).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub entry: Entry,
    pub group: String,
}

/// The two axes. Headings stand in `down` only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    pub down: Vec<Slot>,
    pub across: Vec<Slot>,
}

/// What a plan depends on beside the study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wish {
    pub order: Order,
    pub grouping: Grouping,
    pub folded: bool,
    pub transposed: bool,
}

impl Entry {
    /// True for lines a cursor can stand on.
    pub(super) fn is_stop(&self) -> bool {
        !matches!(self, Self::Heading(_) | Self::Opened(_))
    }
}

impl Plan {
    pub(super) fn new(study: &Study, wish: Wish) -> Self {
        let tasks = tasks(study, wish);
        let models = models(study);
        if wish.transposed {
            // Lines above open tasks have no meaning as columns.
            let across = tasks.into_iter().filter(|slot| slot.entry.is_stop()).collect();
            Self { down: with_headings(models), across }
        } else {
            Self { down: with_headings(tasks), across: models }
        }
    }

    /// The task and model where a row and a column cross.
    pub(super) fn crossing<'a>(down: &'a Entry, across: &'a Entry) -> Crossing<'a> {
        match (down, across) {
            (Entry::Task(task), Entry::Model(model)) | (Entry::Model(model), Entry::Task(task)) => {
                Crossing::Cell(*model, *task)
            }
            (Entry::Folded(_, tasks), Entry::Model(model))
            | (Entry::Model(model), Entry::Folded(_, tasks)) => Crossing::Zeros(*model, tasks),
            _ => Crossing::Nothing,
        }
    }
}

/// What stands where a row and a column cross.
pub(super) enum Crossing<'a> {
    /// the cell of a model and a task
    Cell(usize, usize),
    /// a model's cells on tasks with none seen
    Zeros(usize, &'a [usize]),
    /// nothing
    Nothing,
}

/// The cells of a task, over all models.
pub(super) fn cells_of_task(study: &Study, task: usize) -> impl Iterator<Item = &Cell> {
    (0..study.models.len()).filter_map(move |model| study.cell(model, task))
}

/// True if every judged run of a task was without damage, nothing is left to judge anywhere, and no mark
/// asks to be seen: then the task may be folded away. Until labelling is done no task is, so that rows
/// neither vanish nor change their height on the way.
pub(super) fn is_quiet(study: &Study, task: usize) -> bool {
    study.progress.is_complete() && study.task_sum(task).quiet
}

fn models(study: &Study) -> Vec<Slot> {
    let slot = |(index, row): (usize, &crate::study::ModelRow)| Slot {
        entry: Entry::Model(index),
        group: row.pool.clone().unwrap_or_default(),
    };
    study.models.iter().enumerate().map(slot).collect()
}

fn tasks(study: &Study, wish: Wish) -> Vec<Slot> {
    let group_of = |task: usize| {
        let row = study.tasks.get(task);
        let text = match wish.grouping {
            Grouping::None => return String::new(),
            Grouping::Lever => row.and_then(|row| row.lever()),
            Grouping::Domain => row.and_then(|row| row.domain()),
        };
        text.map_or_else(|| "not stated".to_owned(), ToString::to_string)
    };
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    for task in ordered(study, wish.order) {
        let group = group_of(task);
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, members)) => members.push(task),
            None => groups.push((group, vec![task])),
        }
    }
    let mut slots = Vec::new();
    for (group, members) in groups {
        let (quiet, loud): (Vec<usize>, Vec<usize>) =
            if wish.order == Order::Archive || wish.order == Order::Name {
                // These orders are for looking a task up: only folding takes the quiet ones out.
                members.into_iter().partition(|task| wish.folded && is_quiet(study, *task))
            } else {
                members.into_iter().partition(|task| is_quiet(study, *task))
            };
        let slot = |entry| Slot { entry, group: group.clone() };
        slots.extend(loud.into_iter().map(Entry::Task).map(slot));
        // One line that hides one name gains nothing.
        if wish.folded && quiet.len() > 1 {
            slots.push(slot(Entry::Folded(group.clone(), quiet)));
        } else {
            if quiet.len() > 1 {
                slots.push(slot(Entry::Opened(quiet.clone())));
            }
            slots.extend(quiet.into_iter().map(Entry::Task).map(slot));
        }
    }
    slots
}

/// All tasks in the order asked for. While labelling goes on the figures still move, and nothing may sort
/// itself anew under the hand: until it is done tasks stand as in the archive.
fn ordered(study: &Study, order: Order) -> Vec<usize> {
    let mut tasks: Vec<usize> = (0..study.tasks.len()).collect();
    let name = |task: usize| study.tasks.get(task).map(|row| row.id.clone());
    let worst = |task: usize| {
        // Bounds are never NaN and at least 0, so their bits order as they do.
        Reverse(study.task_sum(task).worst.to_bits())
    };
    match order {
        Order::Archive => {}
        Order::Name => tasks.sort_by_cached_key(|task| name(*task)),
        _ if !study.progress.is_complete() => {}
        Order::WorstFirst => tasks.sort_by_cached_key(|task| (worst(*task), name(*task))),
        Order::MostModels => {
            tasks.sort_by_cached_key(|task| (Reverse(study.task_sum(*task).hit), worst(*task), name(*task)));
        }
    }
    tasks
}

/// The same slots with a line above each named group.
fn with_headings(slots: Vec<Slot>) -> Vec<Slot> {
    let mut all: Vec<Slot> = Vec::with_capacity(slots.len());
    for slot in slots {
        let new = all.last().is_none_or(|last| last.group != slot.group);
        if new && !slot.group.is_empty() {
            all.push(Slot { entry: Entry::Heading(slot.group.clone()), group: slot.group.clone() });
        }
        all.push(slot);
    }
    all
}
