//! Plans of further runs, as text.

use super::numbers;
use super::text::{pad, pad_left, printable, width};
use crate::stats::Side;
use crate::study::Study;
use crate::study::figures::Figure;
use crate::study::plan::{Goal, Plan};

/// One line a cell, for people.
#[must_use]
pub fn plan_table(study: &Study, plans: &[Plan], goal: Goal, alpha: f64) -> String {
    let mut out = format!("{}\n", head(goal, alpha));
    let names: Vec<String> =
        plans.iter().map(|plan| printable(&plan.cell.name(study)).into_owned()).collect();
    let column = names.iter().map(|name| width(name)).max().unwrap_or(0).max(4);
    out.push_str(&format!(
        "{}  {}  {}  runs\n",
        pad("cell", column),
        pad_left("damage", 9),
        pad("interval", 13)
    ));
    for (name, plan) in names.iter().zip(plans) {
        let line = format!(
            "{}  {}  {}  {}",
            pad(name, column),
            pad_left(&format!("{}/{}", plan.damage.x, plan.damage.n), 9),
            pad(&numbers::range3(plan.interval.low, plan.interval.high), 13),
            runs(plan)
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
    let further: Option<u64> = plans.iter().map(|plan| plan.runs.as_ref().ok().copied()).sum();
    if let (Some(sum), false, true) = (further, matches!(goal, Goal::Detect(_)), plans.len() > 1) {
        out.push_str(&format!("all cells together: {} further runs\n", numbers::count(sum)));
    }
    out
}

fn head(goal: Goal, alpha: f64) -> String {
    let confidence = 100.0 * (1.0 - alpha);
    match goal {
        Goal::Width(width) => {
            format!(
                "Further runs until the exact {confidence} % interval is at most {width} wide, if the seen share goes on."
            )
        }
        Goal::Band(band) => format!(
            "Further runs until the exact {confidence} % interval lies wholly below, inside or above {}–{}, if the seen share goes on.",
            band.low, band.high
        ),
        Goal::Detect(probability) => format!(
            "Runs of an audit that sees damage at least once with probability {probability}: at the seen share, and at the bounds of its exact {confidence} % interval."
        ),
    }
}

fn runs(plan: &Plan) -> String {
    let side = match plan.side {
        Some(Side::Below) => " to lie below",
        Some(Side::Inside) => " to lie inside",
        Some(Side::Above) => " to lie above",
        None => "",
    };
    match &plan.runs_at_bounds {
        None => match &plan.runs {
            Ok(0) => format!("settled{}", side.replace(" to lie", ", lies")),
            runs => format!("{}{side}", shown(runs)),
        },
        Some((low, high)) => {
            let bound =
                |runs: &Figure<u64>| runs.as_ref().map_or("–".to_owned(), |runs| numbers::count(*runs));
            format!("{} ({} at the upper bound, {} at the lower)", shown(&plan.runs), bound(high), bound(low))
        }
    }
}

fn shown(runs: &Figure<u64>) -> String {
    match runs {
        Ok(runs) => numbers::count(*runs),
        Err(reason) => format!("– ({})", printable(&reason.to_string())),
    }
}
