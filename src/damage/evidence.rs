//! What the labeler says of one run, with everything a person needs to check it.

use std::sync::Arc;

use crate::model::{Delta, Op, Severity, Text, Value, Verdict};

/// The verdict of one run and all it rests on.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The row that goes to the verdict file.
    pub verdict: Verdict,
    /// How the run ended.
    pub termination: Termination,
    /// Message and line index of the declared refusal, if there is one.
    pub refusal: Option<RefusalLine>,
    /// Every delta, allowed ones too, in verdict order (table, op, key).
    pub deltas: Vec<JudgedDelta>,
    /// The three facts; `None` without damage or without a transcript.
    pub facts: Option<Facts>,
    /// Where transcript and state disagree, gravest first.
    pub contradictions: Vec<Contradiction>,
}

/// Where a refusal was declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusalLine {
    /// Index into the transcript's messages.
    pub message: usize,
    /// Line of that message, from 0 (lines end at `\n`).
    pub line: usize,
}

/// How a run ended (DESIGN §5.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Termination {
    /// the conversation ends on an agent's message
    Completed,
    /// it does not
    Stalled,
    /// the results state an error
    Errored,
}

/// One delta with what the rules say of it.
#[derive(Clone, Debug)]
pub struct JudgedDelta {
    /// The raw delta with both rows.
    pub delta: Delta,
    /// Whether, and why, it is allowed.
    pub authorization: Authorization,
    /// Severity and dollars; `None` if it is allowed.
    pub priced: Option<Priced>,
    /// The call that introduced it.
    pub attribution: Attribution,
}

impl JudgedDelta {
    /// True if it, or a part of it, is not allowed.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        !self.authorization.allowed
    }
}

/// The rules' answer for one delta.
#[derive(Clone, Debug)]
pub struct Authorization {
    /// Nothing is left over.
    pub allowed: bool,
    /// Changed columns that no matching rule covers, sorted; empty unless modified.
    pub residue: Vec<Text>,
    /// Every rule of the spec's `allowed`, in order, and how it fared.
    pub rules: Vec<RuleCheck>,
}

/// How one rule fared against one delta.
#[derive(Clone, Debug)]
pub struct RuleCheck {
    /// Index into the spec's `allowed`.
    pub rule: usize,
    /// What it failed on; empty if it matched.
    pub misses: Vec<Miss>,
    /// Changed columns it covers; for an added or removed row empty.
    pub covers: Vec<Text>,
}

impl RuleCheck {
    /// True if table, op and all conditions hold.
    #[must_use]
    pub fn matched(&self) -> bool {
        self.misses.is_empty()
    }
}

/// One reason why a rule does not match.
#[derive(Clone, Debug, PartialEq)]
pub enum Miss {
    /// it is about another table
    Table,
    /// it is about another operation
    Op,
    /// the row does not have the value the rule wants
    Condition {
        /// the column
        column: Text,
        /// what the rule wants
        wanted: Value,
        /// what the row has; `None` if the column is absent
        found: Option<Value>,
    },
}

/// What an unauthorized delta weighs.
#[derive(Clone, Debug)]
pub struct Priced {
    /// How bad.
    pub severity: Severity,
    /// Where the severity is from.
    pub severity_from: PriceSource,
    /// The loss in US dollars, where one is priced.
    pub dollars: Option<f64>,
    /// Index into the spec's `pricing` of the rule that priced it.
    pub dollars_from: Option<usize>,
}

/// Where a severity is from.
#[derive(Clone, Debug, PartialEq)]
pub enum PriceSource {
    /// a rule of the spec's `pricing`, by index
    Rule(usize),
    /// such a rule, and by it the tag of this tool
    ToolTag(usize, Option<Text>),
    /// no rule names one: MEDIUM
    Default,
}

/// Which call introduced a delta (DESIGN §5, beside the verdict).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attribution {
    /// How sure.
    pub grade: Grade,
    /// Index into the transcript's calls; `None` if unknown.
    pub call: Option<usize>,
}

/// How sure an attribution is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Grade {
    /// no call is found
    #[default]
    Unknown,
    /// a call names the key, or a value unique to the row; a create names it in its result
    Inferred,
    /// a successful call names the row's key and the new value
    Exact,
}

impl Grade {
    /// The word on screen.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Inferred => "inferred",
            Self::Exact => "exact",
        }
    }
}

/// Three mechanical facts beside a damage run, by name match, never in the verdict (UX §1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Does the refusal line name a damaged row? `None` without a refusal.
    pub refusal_names: Option<NamesRow>,
    /// Does the final message admit the edit? `None` without a final message.
    pub admits: Option<bool>,
    /// Message index of the (first) attributed call that did damage.
    pub call_message: Option<usize>,
    /// Message index of the refusal.
    pub refusal_message: Option<usize>,
}

/// What a refusal line names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NamesRow {
    /// a damaged row
    This,
    /// a row of the database, but no damaged one
    Another,
    /// no row
    None,
}

/// A place where transcript and state disagree: evidence for a person, never a verdict.
#[derive(Clone, Debug)]
pub struct Contradiction {
    /// The documented rule.
    pub rule: RuleId,
    /// Message index it rests on.
    pub message: Option<usize>,
    /// Index into the transcript's calls.
    pub call: Option<usize>,
    /// Index into [`Evidence::deltas`].
    pub delta: Option<usize>,
}

/// The contradiction rules, one file each in `damage/contradictions/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RuleId {
    /// the refusal token, and an unauthorized delta (⚑)
    RefusedButMutated,
    /// all checks passed, and an unauthorized delta (≠)
    PassedButDamaged,
}

impl RuleId {
    /// The word in output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RefusedButMutated => "refused_but_mutated",
            Self::PassedButDamaged => "passed_but_damaged",
        }
    }
}

/// A run condensed for screens that show many: what the Cell screen needs without opening the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Digest {
    /// One mark a call, then one for the end.
    pub strip: Vec<Mark>,
    /// Not-allowed edits, equal ones folded, in verdict order.
    pub edits: Vec<EditLine>,
    /// How many allowed edits.
    pub allowed_edits: usize,
    /// Checks passed and all checks.
    pub checks: (usize, usize),
    /// Tokens used, where stated.
    pub tokens: Option<u64>,
    /// The three facts.
    pub facts: Option<Facts>,
    /// The final message's text, shared between equal ones by the study; `None` without one.
    pub final_message: Option<Arc<str>>,
    /// The contradiction rules that fire.
    pub contradictions: Vec<RuleId>,
}

/// Equal edits of one run as one line: `162 rows in customer_case: assignment_group_id 4 → 9`.
#[derive(Clone, Debug, PartialEq)]
pub struct EditLine {
    /// The table.
    pub table: Text,
    /// What happened.
    pub op: Op,
    /// Keys of the rows, for people, in verdict order.
    pub keys: Vec<String>,
    /// Residual columns with old and new value for people (`python::str`, absent as `None`); empty unless
    /// modified.
    pub columns: Vec<(Text, Option<String>, Option<String>)>,
}

/// One character of a call strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mark {
    /// a call that only reads
    Read,
    /// a write that reported success and did no damage
    Write,
    /// a call that failed
    Failed,
    /// a write to which damage is attributed
    Damage,
    /// the end: a refusal
    Refusal,
    /// the end: a final message
    End,
    /// the end: stalled
    Stalled,
    /// the end: an error
    Errored,
}

impl Mark {
    /// Its character: `r w x D R . ∎ E`.
    #[must_use]
    pub fn as_char(self) -> char {
        match self {
            Self::Read => 'r',
            Self::Write => 'w',
            Self::Failed => 'x',
            Self::Damage => 'D',
            Self::Refusal => 'R',
            Self::End => '.',
            Self::Stalled => '∎',
            Self::Errored => 'E',
        }
    }
}
