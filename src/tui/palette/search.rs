//! Looking for what is typed among actions and places: at once where there are few, by a worker where there are
//! a million.

use std::sync::Arc;

use super::entries::{self, Entry, Place};
use super::matching;
use crate::study::Study;
use crate::tui::keymap::Context;

/// Up to so many places a search is not felt.
const INSTANT_UP_TO: usize = 20_000;

/// The best that are kept. Who wants another types on.
const BEST: usize = 1000;

/// Something to look for.
#[derive(Clone, Debug)]
pub struct Search {
    /// Whose actions.
    pub(super) context: Context,
    /// Whose places.
    pub(super) study: Arc<Study>,
    /// What is typed.
    pub(super) query: String,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The best matches, the best first.
    pub(super) best: Vec<Entry>,
    /// All matches.
    pub(super) matching: usize,
}

impl Search {
    /// All that is looked through.
    pub(super) fn all(&self) -> usize {
        let cells = self.study.cells.iter().filter(|cell| !cell.is_blank()).count();
        entries::actions(self.context).len() + cells + self.study.runs.len() + self.study.problems.len()
    }

    /// True if it may be done between two keys.
    pub(super) fn is_quick(&self) -> bool {
        self.study.cells.len() + self.study.runs.len() + self.study.problems.len() <= INSTANT_UP_TO
    }

    /// Looks through everything.
    #[must_use]
    pub fn made(&self) -> Found {
        let query = self.query.to_lowercase();
        let actions = entries::actions(self.context);
        let mut hits = Hits::default();
        for (index, action) in actions.iter().enumerate() {
            hits.consider(&query, What::Action(index), &action.text.to_lowercase());
        }
        entries::visit(&self.study, |place, text| hits.consider(&query, What::Place(place), text));
        hits.found(&actions, &self.study)
    }

    /// Looks through the actions only.
    pub(super) fn actions(&self) -> Found {
        let nowhere = Self { study: Arc::default(), ..self.clone() };
        nowhere.made()
    }
}

/// Actions come before places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Action(usize),
    Place(Place),
}

/// The best so far: by cost, then in order.
#[derive(Default)]
struct Hits {
    best: Vec<(usize, What)>,
    matching: usize,
}

impl Hits {
    fn consider(&mut self, query: &str, what: What, text: &str) {
        let Some(cost) = matching::cost(text, query) else { return };
        self.matching += 1;
        self.best.push((cost, what));
        // Now and then what cannot be among the best any more is dropped.
        if self.best.len() > 4 * BEST {
            self.best.select_nth_unstable(BEST);
            self.best.truncate(BEST);
        }
    }

    fn found(mut self, actions: &[Entry], study: &Study) -> Found {
        self.best.sort_unstable();
        self.best.truncate(BEST);
        let line = |(_, what): (usize, What)| match what {
            What::Action(index) => actions.get(index).cloned(),
            What::Place(place) => entries::line(study, place),
        };
        Found { best: self.best.into_iter().filter_map(line).collect(), matching: self.matching }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    #[test]
    fn of_very_many_the_best_are_kept_in_order() {
        let mut hits = Hits::default();
        for index in 0..9 * BEST {
            // Every ninth begins with it, late ones too.
            let text = if index % 9 == 8 { "berth" } else { "a berth" };
            hits.consider("berth", What::Action(index), text);
        }
        assert_eq!(hits.matching, 9 * BEST);
        hits.best.sort_unstable();
        let kept: Vec<(usize, What)> = hits.best.into_iter().take(BEST).collect();
        let best = (0..BEST).map(|place| (0, What::Action(9 * place + 8)));
        assert_eq!(kept, best.collect::<Vec<_>>());
    }

    #[test]
    fn a_run_is_found_by_its_address() {
        let study = Arc::new(fixture::harbour());
        let search =
            |query: &str| Search { context: Context::Map, study: Arc::clone(&study), query: query.into() };
        let found = search("heron3-14b/berth-relink/run_3").made();
        assert_eq!(found.best.first().map(|entry| entry.aside.as_str()), Some("run"));
        let all = search("");
        assert_eq!(all.made().matching, all.all());
        assert_eq!(all.actions().matching, entries::actions(Context::Map).len());
    }
}
