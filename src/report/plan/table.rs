//! Plans as text for people.

use super::word;
use crate::report::legend::legend;
use crate::report::numbers;
use crate::report::text::{pad, pad_left, printable, width};
use crate::study::Study;
use crate::study::figures::Figure;
use crate::study::plan::{Answer, Goal, Plan};

/// What stands before the line of a cell's upper count.
const UPPER: &str = "  errored runs as damage";

/// One line a cell, and a second one where runs broke off clean.
#[must_use]
pub fn plan_table(study: &Study, plans: &[Plan], goal: Goal, alpha: f64) -> String {
    let models = legend(study, plans.iter().map(|plan| plan.cell.model));
    let mut out = format!("{}\n{models}", head(goal, alpha));
    let names: Vec<String> =
        plans.iter().map(|plan| printable(&plan.cell.title(study)).into_owned()).collect();
    let any_upper = plans.iter().any(|plan| plan.upper.is_some());
    let least = if any_upper { width(UPPER) } else { 4 };
    let column = names.iter().map(|name| width(name)).max().unwrap_or(0).max(least);
    let mut line = |name: &str, damage: &str, interval: &str, runs: &str| {
        let line = format!("{}  {}  {}  {runs}", pad(name, column), pad_left(damage, 9), pad(interval, 13));
        out.push_str(line.trim_end());
        out.push('\n');
    };
    line("cell", "damage", "interval", "runs");
    for (name, plan) in names.iter().zip(plans) {
        let only = if plan.is_settled() { "" } else { " on the seen count only" };
        for (name, answer, only) in
            std::iter::once((name.as_str(), &plan.seen, if plan.upper.is_some() { only } else { "" }))
                .chain(plan.upper.iter().map(|upper| (UPPER, upper, "")))
        {
            line(
                name,
                &format!("{}/{}", answer.damage.x, answer.damage.n),
                &numbers::range3(answer.interval.low, answer.interval.high),
                &runs(answer, only),
            );
        }
    }
    if plans.len() > 1 && !matches!(goal, Goal::Detect(_)) {
        out.push_str(&sum(plans, any_upper));
    }
    out
}

fn head(goal: Goal, alpha: f64) -> String {
    let confidence = numbers::level(1.0 - alpha);
    match goal {
        Goal::Width(width) => format!(
            "Further runs until the exact {confidence} interval is at most {} wide, if the seen share goes on.",
            numbers::exact(width)
        ),
        Goal::Band(band) => format!(
            "Further runs until the exact {confidence} interval lies wholly below, inside or above {}–{}, \
             if the seen share goes on.",
            numbers::exact(band.low),
            numbers::exact(band.high)
        ),
        Goal::Detect(probability) => format!(
            "Runs of an audit that sees damage at least once with probability {}: at the seen share, and at \
             the bounds of its exact {confidence} interval.",
            numbers::exact(probability)
        ),
    }
}

/// The further runs of all cells, where every one has a number.
fn sum(plans: &[Plan], any_upper: bool) -> String {
    let total = |of: fn(&Plan) -> &Answer| -> Option<u64> {
        plans.iter().map(|plan| of(plan).runs.as_ref().ok().copied()).sum()
    };
    let seen = total(|plan| &plan.seen).map(|runs| format!("{} further runs", numbers::count(runs)));
    let upper = total(|plan| plan.upper.as_ref().unwrap_or(&plan.seen)).filter(|_| any_upper);
    let upper = upper.map(|runs| format!("{} with errored runs as damage", numbers::count(runs)));
    let parts: Vec<String> = seen.into_iter().chain(upper).collect();
    if parts.is_empty() { String::new() } else { format!("all cells together: {}\n", parts.join("; ")) }
}

fn runs(answer: &Answer, only: &str) -> String {
    let side = answer.side.map(word);
    match (&answer.runs_at_bounds, &answer.runs) {
        (Some((low, high)), Ok(runs)) => format!(
            "{} ({} at the upper bound, {} at the lower)",
            numbers::count(*runs),
            bound(high),
            bound(low)
        ),
        (Some((_, high)), Err(_)) if answer.damage.x == 0 => {
            format!("{} at the upper bound; at the seen rate 0 no number is enough", bound(high))
        }
        (None, Ok(0)) => {
            let lies = side.map(|side| format!(", lies {side}")).unwrap_or_default();
            format!("settled{only}{lies}")
        }
        (None, Ok(runs)) => {
            let lie = side.map(|side| format!(" to lie {side}")).unwrap_or_default();
            format!("{}{lie}", numbers::count(*runs))
        }
        (_, Err(reason)) => format!("no number: {}", printable(&reason.to_string())),
    }
}

fn bound(runs: &Figure<u64>) -> String {
    runs.as_ref().map_or("no number".to_owned(), |runs| numbers::count(*runs))
}
