//! Scripted stochastic agents: a plan to follow, a temperament to follow it with, dice.
//!
//! They stand in for language models where a campaign must be made without one. A plan is what the agent
//! sets out to do; the temperament decides which plan, which optional steps and which words it takes, how
//! often it forgets an argument, retries, gives up, loses its way or breaks off. The database answers for
//! real, so what comes of it is not scripted.

use super::agent::{Agent, Breakdown, Turn};
use super::conversation::{Entry, ToolCall};
use super::plan::{Plan, Step, Temperament, call_of, spoken};
use crate::stats::Rng;

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
    use crate::model::Value;

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
}
