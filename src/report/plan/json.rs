//! Plans as JSON: documented in the README, stable, one format number.

use serde::Serialize;

use super::word;
use crate::study::Study;
use crate::study::figures::Figure;
use crate::study::plan::{Answer, Goal, Plan};

/// Counts up when a field changes its meaning or goes; new fields do not count.
const FORMAT: &str = "gainsay.plan/1";

/// All plans, unrounded. What is undefined is `null` beside its reason.
#[must_use]
pub fn plan_json(study: &Study, plans: &[Plan], goal: Goal, alpha: f64) -> String {
    let document = Document {
        format: FORMAT,
        title: &study.title,
        goal: match goal {
            Goal::Width(width) => GoalOut { width: Some(width), ..GoalOut::default() },
            Goal::Band(band) => GoalOut { band: Some([band.low, band.high]), ..GoalOut::default() },
            Goal::Detect(probability) => GoalOut { detect: Some(probability), ..GoalOut::default() },
        },
        alpha,
        cells: plans
            .iter()
            .map(|plan| CellOut {
                cell: plan.cell.name(study),
                settled: plan.is_settled(),
                seen: answer(&plan.seen),
                upper: plan.upper.as_ref().map(answer),
            })
            .collect(),
    };
    crate::report::json_text(&document)
}

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    title: &'a str,
    goal: GoalOut,
    alpha: f64,
    cells: Vec<CellOut>,
}

/// One of the three; the others are null.
#[derive(Default, Serialize)]
struct GoalOut {
    width: Option<f64>,
    band: Option<[f64; 2]>,
    detect: Option<f64>,
}

#[derive(Serialize)]
struct CellOut {
    cell: String,
    settled: bool,
    seen: AnswerOut,
    upper: Option<AnswerOut>,
}

#[derive(Serialize)]
struct AnswerOut {
    x: u64,
    n: u64,
    low: f64,
    high: f64,
    runs: Option<u64>,
    undefined: Option<String>,
    side: Option<&'static str>,
    runs_at_low: Option<u64>,
    runs_at_high: Option<u64>,
}

fn answer(of: &Answer) -> AnswerOut {
    let known = |runs: &Figure<u64>| runs.as_ref().ok().copied();
    let (low, high) =
        of.runs_at_bounds.as_ref().map_or((None, None), |(low, high)| (known(low), known(high)));
    AnswerOut {
        x: of.damage.x,
        n: of.damage.n,
        low: of.interval.low,
        high: of.interval.high,
        runs: known(&of.runs),
        undefined: of.runs.as_ref().err().map(ToString::to_string),
        side: of.side.map(word),
        runs_at_low: low,
        runs_at_high: high,
    }
}
