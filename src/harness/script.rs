//! Scripted stochastic agents: a plan to follow, a temperament to follow it with, dice.
//!
//! They stand in for language models where a campaign must be made without one. A plan is what the agent
//! sets out to do; the temperament decides which plan, which optional steps and which words it takes, how
//! often it forgets an argument, retries, gives up, loses its way or breaks off. The database answers for
//! real, so what comes of it is not scripted.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::agent::{Agent, Breakdown, Turn};
use super::conversation::{Entry, ToolCall};
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

/// A plan being followed.
#[derive(Debug)]
pub struct ScriptedAgent<'a> {
    steps: std::slice::Iter<'a, Step>,
    temperament: &'a Temperament,
    rng: Rng,
    /// The step whose call was made last.
    current: Option<&'a Step>,
    /// The call as it should have been, if an argument was forgotten.
    fumbled: Option<ToolCall>,
    retried: bool,
    first_read: Option<ToolCall>,
    wandering: bool,
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

impl<'a> ScriptedAgent<'a> {
    /// An agent about to follow `plan`.
    #[must_use]
    pub fn new(plan: &'a Plan, temperament: &'a Temperament, rng: Rng) -> Self {
        Self {
            steps: plan.steps.iter(),
            temperament,
            rng,
            current: None,
            fumbled: None,
            retried: false,
            first_read: None,
            wandering: false,
        }
    }

    fn chance(&mut self, chance: f64) -> bool {
        self.rng.unit() < chance
    }

    /// What to do about a call that failed: mend it, look, try again, or let it be.
    fn recover(&mut self) -> Option<Turn> {
        let mended = self.fumbled.take();
        if self.chance(self.temperament.gives_up) {
            return None;
        }
        if mended.is_some() {
            return mended.map(calling);
        }
        let step = self.current.filter(|_| !self.retried)?;
        self.retried = true;
        match step.look.as_deref() {
            // Having looked, it goes on with the plan: what it sees is that the write did happen.
            Some(look) if !self.chance(self.temperament.haste) => call_of(look).map(calling),
            _ => call_of(step).map(calling),
        }
    }

    fn follow(&mut self, step: &'a Step) -> Turn {
        let content = spoken(&step.say, &mut self.rng);
        let Some(mut call) = call_of(step) else { return Turn { content, calls: Vec::new() } };
        (self.current, self.retried) = (Some(step), false);
        self.first_read.get_or_insert_with(|| call.clone());
        if call.args.len() > 1 && self.chance(self.temperament.fumbles) {
            let proper = call.clone();
            let forgotten = self.rng.below(call.args.len() as u64);
            let kept = (0..).zip(proper.args.iter()).filter(|(place, _)| *place != forgotten);
            call.args = kept.map(|(_, (name, value))| (name.clone(), value.clone())).collect();
            self.fumbled = Some(proper);
        }
        Turn { content, calls: vec![call] }
    }
}

impl Agent for ScriptedAgent<'_> {
    fn next(&mut self, conversation: &[Entry]) -> Result<Option<Turn>, Breakdown> {
        if self.chance(self.temperament.breaks) {
            return Err(Breakdown(breakdown(&mut self.rng).into()));
        }
        if self.wandering || (self.first_read.is_some() && self.chance(self.temperament.wanders)) {
            self.wandering = true;
            return Ok(self.first_read.clone().map(calling));
        }
        let failed = conversation.last().is_some_and(Entry::failed);
        if failed && let Some(turn) = self.recover() {
            return Ok(Some(turn));
        }
        self.fumbled = None;
        while let Some(step) = self.steps.next() {
            if self.chance(step.chance) {
                return Ok(Some(self.follow(step)));
            }
        }
        Ok(None)
    }
}

fn calling(call: ToolCall) -> Turn {
    Turn { content: String::new(), calls: vec![call] }
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
fn spoken(words: &str, rng: &mut Rng) -> String {
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

/// What providers say when they give up.
fn breakdown(rng: &mut Rng) -> &'static str {
    match rng.below(3) {
        0 => "Error code: 502 - upstream provider returned an invalid response",
        1 => "Connection error.",
        _ => "Rate limit reached: too many tokens, please wait before trying again.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(toml: &str) -> Plan {
        toml::from_str(toml).expect("a plan")
    }

    fn calm() -> Temperament {
        toml::from_str("tempers = { careful = 1 }").expect("a temperament")
    }

    const TWO_STEPS: &str = r#"
        name = "p"
        temper = "careful"
        steps = [
            { call = "write", args = { key = "k", value = 1 }, look = { call = "read", args = { key = "k" } } },
            { say = "{Done|Finished}." },
        ]
    "#;

    fn result(call: ToolCall, success: bool) -> Entry {
        let result = crate::harness::conversation::object([("success", Value::Bool(success))]);
        Entry::ToolResult { call, result }
    }

    #[test]
    fn a_plan_is_followed_to_its_last_word() {
        let (plan, calm) = (plan(TWO_STEPS), calm());
        let mut agent = ScriptedAgent::new(&plan, &calm, Rng::seed(1));
        let first = agent.next(&[]).expect("goes on").expect("a turn");
        assert_eq!(first.calls[0].name, "write");
        let last = agent.next(&[result(first.calls[0].clone(), true)]).expect("goes on").expect("a turn");
        assert!(["Done.", "Finished."].contains(&last.content.as_str()) && last.calls.is_empty());
        assert_eq!(agent.next(&[]), Ok(None));
    }

    #[test]
    fn after_a_failure_the_careful_look_and_the_hasty_repeat() {
        let plan = plan(TWO_STEPS);
        for (haste, expected) in [(0.0, "read"), (1.0, "write")] {
            let temperament = Temperament { haste, ..calm() };
            let mut agent = ScriptedAgent::new(&plan, &temperament, Rng::seed(1));
            let first = agent.next(&[]).expect("goes on").expect("a turn");
            let second =
                agent.next(&[result(first.calls[0].clone(), false)]).expect("goes on").expect("a turn");
            assert_eq!(second.calls[0].name, expected);
        }
    }

    #[test]
    fn a_forgotten_argument_is_mended_after_the_failure() {
        let plan = plan(TWO_STEPS);
        let temperament = Temperament { fumbles: 1.0, ..calm() };
        let mut agent = ScriptedAgent::new(&plan, &temperament, Rng::seed(1));
        let first = agent.next(&[]).expect("goes on").expect("a turn");
        assert_eq!(first.calls[0].args.len(), 1);
        let second = agent.next(&[result(first.calls[0].clone(), false)]).expect("goes on").expect("a turn");
        assert_eq!(second.calls[0].args.len(), 2);
    }

    #[test]
    fn wanderers_never_finish_and_the_broken_break() {
        let plan = plan(TWO_STEPS);
        let lost = Temperament { wanders: 1.0, ..calm() };
        let mut agent = ScriptedAgent::new(&plan, &lost, Rng::seed(1));
        assert!((0..9).all(|_| matches!(agent.next(&[]), Ok(Some(turn)) if turn.calls.len() == 1)));
        let broken = Temperament { breaks: 1.0, ..calm() };
        assert!(ScriptedAgent::new(&plan, &broken, Rng::seed(1)).next(&[]).is_err());
    }

    #[test]
    fn tempers_share_their_draw_among_their_plans() {
        let make =
            |name: &str, temper: &str| Plan { name: name.into(), temper: temper.into(), ..plan(TWO_STEPS) };
        let plans = [make("a", "careful"), make("b", "careful"), make("c", "lapse"), make("d", "denies")];
        let temperament =
            Temperament { tempers: [("careful".into(), 1.0), ("lapse".into(), 1.0)].into(), ..calm() };
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
