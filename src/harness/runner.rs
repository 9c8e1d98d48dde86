//! One run: seed, dump, let the agent act, dump, check. Whatever the agent does is recorded; nothing here
//! judges it.

use super::HarnessError;
use super::agent::{Agent, Turn};
use super::clock::Clock;
use super::conversation::{Entry, Usage};
use super::substrate::Substrate;
use super::tools::{TIMEOUT, Toolbox, is_lost};
use super::verifier::{CheckResult, SqlCheck, verify};
use crate::stats::Rng;

/// What every run of one task shares.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The task's directory name.
    pub task: String,
    /// The policy.
    pub system_prompt: String,
    /// What is asked.
    pub user_prompt: String,
    /// The names of the tools on offer.
    pub tools: Vec<String>,
    /// The task's own checks.
    pub checks: Vec<SqlCheck>,
}

/// Where runs take place.
#[derive(Clone, Copy, Debug)]
pub struct World<'a> {
    /// The seed file's statements.
    pub seed: &'a str,
    /// The domain's tools.
    pub toolbox: &'a Toolbox,
    /// What the names of its databases begin with.
    pub database_prefix: &'a str,
    /// After so many messages of the agent the run is cut off.
    pub turn_limit: usize,
}

/// All that is known of one run that took place.
#[derive(Clone, Debug)]
pub struct Run {
    /// The database's name.
    pub database_id: String,
    /// The state before the agent acted, as JSON.
    pub post_seed: String,
    /// The state before the database was given up, as JSON.
    pub final_state: String,
    /// When it began.
    pub started_at: Clock,
    /// When it ended.
    pub finished_at: Clock,
    /// What was said.
    pub conversation: Vec<Entry>,
    /// What the checks found; empty if the agent broke off.
    pub checks: Vec<CheckResult>,
    /// Why the agent broke off.
    pub error: Option<String>,
}

impl Run {
    /// Tokens read and written over the whole run.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        let of = |entry: &Entry| match entry {
            Entry::Agent { usage, .. } => usage.input + usage.output,
            _ => 0,
        };
        self.conversation.iter().map(of).sum()
    }

    /// The word manifests have for how it went.
    #[must_use]
    pub fn status(&self) -> &'static str {
        match (&self.error, self.checks.iter().all(CheckResult::passed)) {
            (Some(_), _) => "error",
            (None, true) => "success",
            (None, false) => "verifier_failure",
        }
    }
}

impl World<'_> {
    /// Lets an agent try a task once, on a database of its own. The randomness is the environment's (how
    /// long things take, which answers are lost), not the agent's.
    ///
    /// # Errors
    /// If seed, tools or checks are broken.
    pub fn run(
        &self,
        assignment: &Assignment,
        agent: &mut dyn Agent,
        mut clock: Clock,
        rng: &mut Rng,
    ) -> Result<Run, HarnessError> {
        let substrate = Substrate::seeded(self.seed, self.database_id(clock, rng))?;
        let post_seed = substrate.dump()?;
        clock.advance(900 + rng.below(1_400));
        let started_at = clock;
        let mut conversation = vec![
            Entry::System(assignment.system_prompt.clone()),
            Entry::User(assignment.user_prompt.clone()),
        ];
        let mut error = None;
        for _ in 0..self.turn_limit {
            clock.advance(1_100 + rng.below(4_200));
            let turn = match agent.next(&conversation) {
                Ok(Some(turn)) => turn,
                Ok(None) => break,
                Err(breakdown) => {
                    error = Some(breakdown.to_string());
                    break;
                }
            };
            let usage = guess(&conversation, &turn, self.toolbox, assignment);
            let calls = turn.calls;
            conversation.push(Entry::Agent { content: turn.content, calls: calls.clone(), usage });
            if calls.is_empty() {
                break;
            }
            for call in calls {
                clock.advance(35 + rng.below(240));
                let result = self.toolbox.call(&substrate, &call, clock, rng)?;
                if is_lost(&result) {
                    clock.advance(TIMEOUT.saturating_mul(1_000));
                }
                conversation.push(Entry::ToolResult { call, result });
            }
        }
        let final_state = substrate.dump()?;
        let checks = if error.is_none() { verify(&substrate, &assignment.checks)? } else { Vec::new() };
        let database_id = substrate.database_id().to_owned();
        let finished_at = clock;
        Ok(Run { database_id, post_seed, final_state, started_at, finished_at, conversation, checks, error })
    }

    /// A name no other run's database has.
    fn database_id(&self, clock: Clock, rng: &mut Rng) -> String {
        const LETTERS: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyz";
        let letter = |rng: &mut Rng| {
            let place = usize::try_from(rng.below(LETTERS.len() as u64)).unwrap_or(0);
            LETTERS.get(place).map_or('0', |&byte| char::from(byte))
        };
        let tail: String = (0..9).map(|_| letter(rng)).collect();
        format!("{}_{}_{tail}", self.database_prefix, clock.millis())
    }
}

/// Token counts as a provider would bill them, at four characters a token: all that was said so far and
/// the tools' descriptions are read again for every message.
fn guess(conversation: &[Entry], turn: &Turn, toolbox: &Toolbox, assignment: &Assignment) -> Usage {
    let offered = toolbox.tools.iter().filter(|tool| assignment.tools.contains(&tool.name));
    let tools: usize = offered.map(|tool| tool.description.len() + 90 * (1 + tool.parameters.len())).sum();
    let said: usize = conversation.iter().map(Entry::length).sum();
    let written = turn.content.len() + turn.calls.iter().map(|call| 40 + 24 * call.args.len()).sum::<usize>();
    let tokens = |characters: usize| u64::try_from(characters / 4).unwrap_or(u64::MAX);
    Usage { input: tokens(tools + said), output: tokens(written).max(1) }
}

#[cfg(test)]
mod tests {
    use std::vec::IntoIter;

    use super::*;
    use crate::archive::json;
    use crate::harness::agent::Breakdown;
    use crate::harness::conversation::{ToolCall, count, object, text};
    use crate::harness::results::{Setting, results};
    use crate::model::Value;

    const SEED: &str =
        "CREATE TABLE bin (shelf TEXT PRIMARY KEY, held INTEGER); INSERT INTO bin VALUES ('a', 1);";
    const TOOLS: &str = r#"
        [[tools]]
        name = "fill"
        description = "Fill a bin."
        tag = "reversible-write"
        parameters = [{ name = "shelf", type = "string", required = true }, { name = "held", type = "integer" }]
        write = "UPDATE bin SET held = :held WHERE shelf = :shelf"
        answer = { count = "updated" }
    "#;

    struct Lines(IntoIter<Result<Turn, Breakdown>>);

    impl Agent for Lines {
        fn next(&mut self, _: &[Entry]) -> Result<Option<Turn>, Breakdown> {
            self.0.next().transpose()
        }
    }

    fn fill(held: i64) -> Result<Turn, Breakdown> {
        let Value::Object(args) = object([("shelf", text("a")), ("held", count(held))]) else {
            return Ok(Turn::default());
        };
        Ok(Turn { content: String::new(), calls: vec![ToolCall { name: "fill".into(), args }] })
    }

    fn say(content: &str) -> Result<Turn, Breakdown> {
        Ok(Turn { content: content.into(), calls: Vec::new() })
    }

    fn played(lines: Vec<Result<Turn, Breakdown>>) -> (Run, Value) {
        let toolbox = Toolbox::parse("tools", TOOLS).expect("parses");
        let world = World { seed: SEED, toolbox: &toolbox, database_prefix: "db", turn_limit: 3 };
        let check = SqlCheck { name: "full".into(), query: "SELECT held FROM bin".into(), expected: 5 };
        let assignment = Assignment {
            task: "fill-up".into(),
            system_prompt: "Be exact.".into(),
            user_prompt: "Fill bin a to 5.".into(),
            tools: vec!["fill".into()],
            checks: vec![check],
        };
        let mut agent = Lines(lines.into_iter());
        let run =
            world.run(&assignment, &mut agent, Clock::at(2026, 3, 2, 9, 0), &mut Rng::seed(1)).expect("runs");
        let setting = Setting {
            model: "pilot".into(),
            provider: "none".into(),
            server: "ops".into(),
            seed_file: "seed.sql".into(),
            synthetic: Some("synthetic".into()),
        };
        let file = json::parse(results(&setting, &assignment, &run).as_bytes()).expect("parses");
        let record = file.get("runs").and_then(|runs| runs.as_array()?.first().cloned()).expect("a run");
        (run, record)
    }

    #[test]
    fn a_run_is_dumped_before_and_after_and_checked() {
        let (run, record) = played(vec![fill(5), say("Filled.")]);
        assert!(run.post_seed.contains("\"held\": 1") && run.final_state.contains("\"held\": 5"));
        assert_eq!((run.status(), run.conversation.len()), ("success", 5));
        assert!(run.tokens() > 0 && run.finished_at > run.started_at);
        assert_eq!(record.get("overall_success"), Some(&Value::Bool(true)));
        assert_eq!(record.get("model_response"), Some(&text("Filled.")));
        assert_eq!(record.get("error"), None);
        assert_eq!(played(vec![fill(4), say("Filled.")]).0.status(), "verifier_failure");
    }

    #[test]
    fn a_run_that_never_ends_is_cut_off_after_a_result() {
        let (run, record) = played(vec![fill(2), fill(3), fill(5), say("Too late.")]);
        assert!(matches!(run.conversation.last(), Some(Entry::ToolResult { .. })));
        assert_eq!(run.conversation.len(), 8);
        assert_eq!(record.get("model_response"), Some(&text("")));
    }

    #[test]
    fn a_breakdown_keeps_what_was_said_before_it() {
        let (run, record) = played(vec![fill(5), Err(Breakdown("Connection error.".into()))]);
        assert_eq!((run.status(), run.checks.len()), ("error", 0));
        assert_eq!(record.get("error"), Some(&text("Connection error.")));
        assert_eq!(record.get("overall_success"), Some(&Value::Bool(false)));
        assert!(record.get("conversation_flow").is_some());
        assert!(run.final_state.contains("\"held\": 5"));
    }

    #[test]
    fn a_breakdown_before_the_first_message_leaves_a_stub() {
        let (_, record) = played(vec![Err(Breakdown("Connection error.".into()))]);
        let names: Vec<_> = record.as_object().expect("a record").names().map(ToString::to_string).collect();
        assert_eq!(names, ["run_number", "error", "overall_success"]);
    }
}
