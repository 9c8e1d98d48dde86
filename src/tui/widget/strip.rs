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

/// The strip as text, `r x D w R`, cut in its middle to `width` columns: the end is what tells.
#[must_use]
pub fn text(strip: &[Mark], width: usize) -> String {
    let labels: Vec<String> = fit(&groups(strip), width).into_iter().map(|g| g.map_or("⋯".into(), label)).collect();
    labels.join(" ")
}

/// The groups that fit `width` columns with blanks between; `None` stands where groups were left out.
#[must_use]
pub fn fit(groups: &[(Mark, usize)], width: usize) -> Vec<Option<(Mark, usize)>> {
    let wide = |part: &[(Mark, usize)]| part.iter().map(|g| label(*g).chars().count() + 1).sum::<usize>();
    if wide(groups) <= width + 1 {
        return groups.iter().copied().map(Some).collect();
    }
    // The end tells how it went, the start how it began: take from both in turn, the end first.
    let mut head = 0;
    let mut tail = groups.len();
    let mut room = width.saturating_sub(1);
    let mut from_head = false;
    while head < tail {
        let next = if from_head { groups[head] } else { groups[tail - 1] };
        let cost = label(next).chars().count() + 1;
        if cost > room {
            break;
        }
        room -= cost;
        if from_head {
            head += 1;
        } else {
            tail -= 1;
        }
        from_head = !from_head;
    }
    let mut kept: Vec<Option<(Mark, usize)>> = groups[..head].iter().copied().map(Some).collect();
    kept.push(None);
    kept.extend(groups[tail..].iter().copied().map(Some));
    kept
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
        assert_eq!(shown, "w w w ⋯ w w w");
        assert!(text(&strip, 1).chars().count() <= 1);
        assert!(text(&strip, 0).chars().count() <= 1);
    }
}
