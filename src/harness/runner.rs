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
        let substrate = Substrate::seeded(self.seed, database_id(clock, rng))?;
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
}

/// A name no other run's database has.
fn database_id(clock: Clock, rng: &mut Rng) -> String {
    const LETTERS: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let letter = |rng: &mut Rng| {
        let place = usize::try_from(rng.below(LETTERS.len() as u64)).unwrap_or(0);
        LETTERS.get(place).map_or('0', |&byte| char::from(byte))
    };
    let tail: String = (0..9).map(|_| letter(rng)).collect();
    format!("db_{}_{tail}", clock.millis())
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
