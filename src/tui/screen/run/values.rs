//! Old and new values of changed columns, compared word by word: short ones at once, long ones by a worker.
//! Until it answers they stand there plain.

use std::collections::HashMap;

use crate::damage::JudgedDelta;
use crate::model::Text;
use crate::tui::screen::account::groups;
use crate::tui::widget::rich::Rich;
use crate::tui::widget::word_diff::{INSTANT_UP_TO, WordDiff, compare};

/// A value of a run: index of its edit, and its column.
pub type Place = (usize, Text);

/// One changed value.
#[derive(Debug)]
pub struct Changed {
    /// Both sides.
    diff: WordDiff,
    /// A worker still compares them: no word is marked yet.
    pub comparing: bool,
    /// Its lines and the width they were wrapped for.
    wrapped: Option<(usize, Vec<Rich>)>,
}

impl Changed {
    fn new(diff: WordDiff, comparing: bool) -> Self {
        Self { diff, comparing, wrapped: None }
    }

    /// Its lines for a width, wrapped once.
    pub fn lines(&mut self, width: usize, wrap: impl FnOnce(&WordDiff) -> Vec<Rich>) -> &[Rich] {
        if self.wrapped.as_ref().is_some_and(|(for_width, _)| *for_width != width) {
            self.wrapped = None;
        }
        &self.wrapped.get_or_insert_with(|| (width, wrap(&self.diff))).1
    }
}

/// The changed values of one run, as far as they were shown. Each is worded and compared once.
#[derive(Debug, Default)]
pub struct Values {
    changed: HashMap<Place, Changed>,
    wanted: Vec<(Place, String, String)>,
}

impl Values {
    /// A column's old and new value.
    pub fn of(&mut self, index: usize, judged: &JudgedDelta, column: &Text) -> &mut Changed {
        self.changed.entry((index, column.clone())).or_insert_with_key(|place| {
            let (old, new) = groups::values(judged, column);
            if old.len() + new.len() <= INSTANT_UP_TO {
                return Changed::new(compare(&old, &new), false);
            }
            let diff = WordDiff::plain(&old, &new);
            self.wanted.push((place.clone(), old, new));
            Changed::new(diff, true)
        })
    }

    /// What a worker is to compare, each value once.
    pub fn wanted(&mut self) -> Vec<(Place, String, String)> {
        std::mem::take(&mut self.wanted)
    }

    /// Takes in what a worker has compared.
    pub fn insert(&mut self, place: Place, diff: WordDiff) {
        self.changed.insert(place, Changed::new(diff, false));
    }
}
