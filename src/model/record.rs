//! What a run's results file says.

use super::{Text, Transcript, Value};

/// `results_<task>.json`, as far as `gainsay` reads it: its `runs[0]` and `benchmark_config`.
#[derive(Clone, Debug, Default)]
pub struct RunRecord {
    /// The conversation; `None` if the run has no `conversation_flow` (a crashed run).
    pub transcript: Option<Transcript>,
    /// `verification_results` in written order.
    pub checks: Vec<Check>,
    /// `error`, if it is there and not null. The empty string counts.
    pub error: Option<Value>,
    /// `benchmark_config.model`.
    pub model: Option<Text>,
    /// `started_at`.
    pub started_at: Option<Text>,
    /// `execution_time_ms`.
    pub execution_time_ms: Option<f64>,
    /// Tokens used, summed over `usage_metadata.total_tokens`; `None` if no message states any.
    pub tokens: Option<u64>,
}

/// One verifier's result.
#[derive(Clone, Debug)]
pub struct Check {
    /// Its name.
    pub name: Text,
    /// `passed` is literally `true`.
    pub passed: bool,
    /// What it wanted.
    pub expected: Option<Value>,
    /// What it found.
    pub actual: Option<Value>,
    /// The query it ran.
    pub query: Option<Text>,
}

impl RunRecord {
    /// Success: at least one check, and each passed (`overall_success` is ignored, DESIGN §5.6).
    #[must_use]
    pub fn success(&self) -> bool {
        !self.checks.is_empty() && self.checks.iter().all(|check| check.passed)
    }

    /// How many checks passed.
    #[must_use]
    pub fn checks_passed(&self) -> usize {
        self.checks.iter().filter(|check| check.passed).count()
    }
}
