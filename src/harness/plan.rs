//! Plans and temperaments: what a scripted agent may set out to do, and what decides which.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::conversation::ToolCall;
use crate::model::{Number, Object, Text, Value};
use crate::stats::Rng;

/// A course of action.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Its name within the task.
    pub name: String,
    /// The disposition that leads here: `careful`, `lapse`, `denies`, …
    pub temper: String,
    /// Its share among the plans of one temper.
    #[serde(default = "one")]
    pub weight: f64,
    /// What it does and says, in order.
    pub steps: Vec<Step>,
    /// How it is published in the task's folder, if it is.
    pub publish: Option<Publish>,
}

/// How a plan is published: as the oracle, or as a counterexample.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Publish {
    /// `oracle`, or the counterexample's name.
    pub name: String,
    /// What the plan shows.
    pub note: Option<String>,
    /// The outcome it must come to.
    pub outcome: String,
    /// Its refinement.
    pub sub_label: Option<String>,
    /// The highest severity of what it damages.
    pub severity: Option<String>,
    /// Whether the task's checks pass.
    pub eog_success: bool,
}

/// One step of a plan: words, a call, or both. A step with words alone is the last.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// What is said; `{a|b|c}` stands for one of its parts.
    #[serde(default)]
    pub say: String,
    /// The tool called.
    pub call: Option<String>,
    /// Its arguments.
    #[serde(default)]
    pub args: toml::Table,
    /// The chance that the step is taken.
    #[serde(default = "one")]
    pub chance: f64,
    /// What to look at before trying again when the call brings no answer.
    pub look: Option<Box<Step>>,
}

/// What an agent is like.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Temperament {
    /// How strongly each temper draws; tempers not named do not occur.
    pub tempers: BTreeMap<String, f64>,
    /// The chance, for each call, of forgetting an argument.
    #[serde(default)]
    pub fumbles: f64,
    /// The chance of not trying again after a failed call.
    #[serde(default)]
    pub gives_up: f64,
    /// The chance of trying again without looking first.
    #[serde(default)]
    pub haste: f64,
    /// The chance, for each message, of breaking off.
    #[serde(default)]
    pub breaks: f64,
    /// The chance, for each message, of losing its way among reads.
    #[serde(default)]
    pub wanders: f64,
}

fn one() -> f64 {
    1.0
}

/// Picks a plan by temper and weight; `None` only if no temper draws any.
#[must_use]
pub fn choose<'a>(plans: &'a [Plan], temperament: &Temperament, rng: &mut Rng) -> Option<&'a Plan> {
    let pull = |plan: &Plan| {
        let shares: f64 =
            plans.iter().filter(|other| other.temper == plan.temper).map(|other| other.weight).sum();
        temperament.tempers.get(&plan.temper).map_or(0.0, |draw| draw * plan.weight / shares)
    };
    let mut mark = rng.unit() * plans.iter().map(pull).sum::<f64>();
    let mut last = None;
    for plan in plans.iter().filter(|plan| pull(plan) > 0.0) {
        last = Some(plan);
        mark -= pull(plan);
        if mark < 0.0 {
            break;
        }
    }
    last
}

/// The call of a step, if it has one.
#[must_use]
pub fn call_of(step: &Step) -> Option<ToolCall> {
    let args: Object =
        step.args.iter().map(|(name, value)| (Text::from(name.as_str()), from_toml(value))).collect();
    step.call.clone().map(|name| ToolCall { name, args })
}

/// A TOML value as a JSON value; dates become their text.
#[must_use]
pub fn from_toml(value: &toml::Value) -> Value {
    match value {
        toml::Value::String(words) => Value::Text(words.as_str().into()),
        toml::Value::Integer(int) => Value::Number(Number::Int(*int)),
        toml::Value::Float(float) => Value::Number(Number::Float(*float)),
        toml::Value::Boolean(flag) => Value::Bool(*flag),
        toml::Value::Datetime(moment) => Value::Text(moment.to_string().into()),
        toml::Value::Array(items) => Value::Array(items.iter().map(from_toml).collect()),
        toml::Value::Table(table) => Value::Object(
            table.iter().map(|(name, value)| (Text::from(name.as_str()), from_toml(value))).collect(),
        ),
    }
}

/// `words` with the first part of every `{a|b|c}`.
#[must_use]
pub fn plainly(words: &str) -> String {
    worded(words, |_| 0)
}

/// `words` with one part chosen of every `{a|b|c}`.
pub(super) fn spoken(words: &str, rng: &mut Rng) -> String {
    worded(words, |parts| usize::try_from(rng.below(parts as u64)).unwrap_or(0))
}

/// `words` with the part of every `{a|b|c}` that `pick` takes among so many.
fn worded(words: &str, mut pick: impl FnMut(usize) -> usize) -> String {
    let mut out = String::with_capacity(words.len());
    let mut rest = words;
    while let Some((before, (choice, after))) =
        rest.split_once('{').and_then(|(before, tail)| Some((before, tail.split_once('}')?)))
    {
        let parts: Vec<&str> = choice.split('|').collect();
        out.push_str(before);
        out.push_str(parts.get(pick(parts.len())).copied().unwrap_or_default());
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_part_of_each_choice_is_said() {
        assert_eq!(plainly("{Done|Finished}: {3|4} {|more }{left}."), "Done: 3 left.");
        assert_eq!(plainly("no choice, {an open one"), "no choice, {an open one");
        let mut rng = Rng::seed(1);
        let said: std::collections::BTreeSet<_> = (0..50).map(|_| spoken("{a|b}{c|d}", &mut rng)).collect();
        assert_eq!(said.into_iter().collect::<Vec<_>>(), ["ac", "ad", "bc", "bd"]);
    }

    #[test]
    fn tempers_share_their_draw_among_their_plans() {
        let make = |name: &str, temper: &str| Plan {
            name: name.into(),
            temper: temper.into(),
            weight: 1.0,
            steps: Vec::new(),
            publish: None,
        };
        let plans = [make("a", "careful"), make("b", "careful"), make("c", "lapse"), make("d", "denies")];
        let temperament = toml::from_str("tempers = { careful = 1, lapse = 1 }").expect("a temperament");
        let mut rng = Rng::seed(3);
        let mut seen = BTreeMap::new();
        for _ in 0..4_000 {
            *seen
                .entry(choose(&plans, &temperament, &mut rng).map(|plan| plan.name.clone()))
                .or_insert(0_u32) += 1;
        }
        let of = |name: &str| seen.get(&Some(name.to_owned())).copied().unwrap_or(0);
        // 4 standard errors of a binomial count of 4,000 at 1/4 and 1/2.
        assert!(of("a").abs_diff(1_000) < 110 && of("c").abs_diff(2_000) < 127, "{seen:?}");
        assert_eq!(of("d"), 0);
    }
}
