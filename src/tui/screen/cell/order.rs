//! Orders of a cell's runs other than by pattern: one plain list.

use super::list::Item;
use crate::study::RunEntry;
use crate::tui::action::RunOrder;

/// All runs in an order; those it knows nothing of come last.
#[must_use]
pub fn listed(runs: &[RunEntry], order: RunOrder) -> Vec<Item> {
    let mut places: Vec<usize> = (0..runs.len()).collect();
    let digest = |place: usize| runs.get(place).and_then(RunEntry::digest);
    match order {
        RunOrder::Pattern | RunOrder::Number => {}
        RunOrder::Calls => {
            places.sort_by_key(|place| std::cmp::Reverse(digest(*place).map(|digest| digest.strip.len())));
        }
        RunOrder::Tokens => {
            places.sort_by_key(|place| std::cmp::Reverse(digest(*place).and_then(|digest| digest.tokens)));
        }
    }
    places.into_iter().map(Item::Run).collect()
}

/// The order in words, where it is not the one that is seen anyway.
#[must_use]
pub fn words(order: RunOrder) -> &'static str {
    match order {
        RunOrder::Pattern => "",
        RunOrder::Number => "by run number",
        RunOrder::Calls => "most calls first",
        RunOrder::Tokens => "most tokens first",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screen::fixture;

    #[test]
    fn every_run_is_listed_once_and_what_is_not_known_comes_last() {
        let study = fixture::gate_study();
        let runs = study.runs_of(&study.cells[0]);
        let number = |item: &Item| match item {
            Item::Run(place) => runs[*place].number,
            _ => 0,
        };
        let numbers = |order| listed(runs, order).iter().map(number).collect::<Vec<_>>();
        assert_eq!(numbers(RunOrder::Number), (1..=11).collect::<Vec<_>>());
        let calls = numbers(RunOrder::Calls);
        assert_eq!((calls[0], calls[10]), (10, 11), "51 calls first, no digest last");
        for order in [RunOrder::Calls, RunOrder::Tokens] {
            let mut all = numbers(order);
            all.sort_unstable();
            assert_eq!(all, (1..=11).collect::<Vec<_>>());
        }
    }
}
