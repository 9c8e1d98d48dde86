//! The call strip: one character a call, so that k runs compare at a glance.

use crate::damage::Mark;

/// From this many calls on, runs of reads shrink to `r47`.
const SHRINK_OVER: usize = 30;

/// The strip in groups: each a mark and how often it stands in a row there (always 1 in short strips).
///
/// Only reads shrink: a write or a failed call is evidence and keeps its own character.
#[must_use]
pub fn groups(strip: &[Mark]) -> Vec<(Mark, usize)> {
    let shrinks = strip.len() > SHRINK_OVER + 1;
    let mut groups: Vec<(Mark, usize)> = Vec::new();
    for &mark in strip {
        match groups.last_mut() {
            Some((Mark::Read, count)) if shrinks && mark == Mark::Read => *count += 1,
            _ => groups.push((mark, 1)),
        }
    }
    groups
}

/// One group as text: `r`, `D`, `r47`.
#[must_use]
pub fn label(group: (Mark, usize)) -> String {
    match group {
        (mark, 1) => mark.as_char().to_string(),
        (mark, count) => format!("{}{count}", mark.as_char()),
    }
}

/// The strip as text, `r x D w R`, what tells least left out until it fits `width` columns.
#[must_use]
pub fn text(strip: &[Mark], width: usize) -> String {
    let labels: Vec<String> =
        fit(&groups(strip), width).into_iter().map(|g| g.map_or("⋯".into(), label)).collect();
    labels.join(" ")
}

/// The groups that fit `width` columns with blanks between; `None` stands where groups were left out. What
/// tells most is kept longest: calls that did damage, the end, failures, writes, then reads.
#[must_use]
pub fn fit(groups: &[(Mark, usize)], width: usize) -> Vec<Option<(Mark, usize)>> {
    let all: Vec<usize> = (0..groups.len()).collect();
    if columns(&with_gaps(groups, &all)) <= width {
        return with_gaps(groups, &all);
    }
    let rank = |place: &usize| match groups[*place].0 {
        Mark::Damage => 0,
        Mark::Refusal | Mark::End | Mark::Stalled | Mark::Errored => 1,
        Mark::Failed => 2,
        Mark::Write => 3,
        Mark::Read => 4,
    };
    let mut order = all;
    order.sort_by_key(rank);
    let mut kept: Vec<usize> = Vec::new();
    for place in order {
        let at = kept.partition_point(|other| *other < place);
        kept.insert(at, place);
        if columns(&with_gaps(groups, &kept)) > width {
            kept.remove(at);
        }
    }
    let shown = with_gaps(groups, &kept);
    if columns(&shown) <= width { shown } else { Vec::new() }
}

fn with_gaps(groups: &[(Mark, usize)], kept: &[usize]) -> Vec<Option<(Mark, usize)>> {
    let mut shown = Vec::new();
    let mut next = 0;
    for &place in kept {
        if place > next {
            shown.push(None);
        }
        shown.push(groups.get(place).copied());
        next = place + 1;
    }
    if next < groups.len() {
        shown.push(None);
    }
    shown
}

fn columns(shown: &[Option<(Mark, usize)>]) -> usize {
    let wide: usize = shown.iter().map(|g| g.map_or(1, |g| label(g).chars().count()) + 1).sum();
    wide.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_strips_show_every_call() {
        let strip = [Mark::Read, Mark::Failed, Mark::Damage, Mark::Write, Mark::Refusal];
        assert_eq!(text(&strip, 14), "r x D w R");
        assert_eq!(text(&[Mark::Read; 5], 14), "r r r r r");
        assert_eq!(text(&[], 14), "");
    }

    #[test]
    fn runs_of_reads_shrink_in_long_strips() {
        let mut strip = vec![Mark::Read; 47];
        strip.extend([Mark::Damage, Mark::Write, Mark::Write, Mark::End]);
        assert_eq!(text(&strip, 14), "r47 D w w .");
    }

    #[test]
    fn what_does_not_fit_is_left_out_in_the_middle() {
        let strip = [Mark::Write; 20];
        let shown = text(&strip, 14);
        assert_eq!(shown, "w w w w w w ⋯");
        let mut strip = vec![Mark::Write; 20];
        strip[9] = Mark::Damage;
        strip.push(Mark::Refusal);
        assert_eq!(text(&strip, 9), "w ⋯ D ⋯ R");
        assert!(text(&strip, 1).chars().count() <= 1);
        assert!(text(&strip, 0).chars().count() <= 1);
    }
}
