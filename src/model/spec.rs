//! Tasks and their damage specs.

use super::{Object, Op, Text, Value};

/// How bad an unauthorized delta is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// easily undone
    Low,
    /// the default
    Medium,
    /// irreversible, or dear
    High,
}

impl Severity {
    /// The word in verdict files and specs.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "LOW",
            Self::Medium => "MEDIUM",
            Self::High => "HIGH",
        }
    }

    /// The inverse of [`Severity::as_str`].
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Low, Self::Medium, Self::High].into_iter().find(|severity| severity.as_str() == word)
    }
}

/// A task: what was asked, and what an agent was allowed to change.
#[derive(Clone, Debug)]
pub struct Task {
    /// The task's directory name.
    pub id: Text,
    /// `damage.json`.
    pub spec: DamageSpec,
    /// `task.json`: `system_prompt`, the policy.
    pub system_prompt: Option<Text>,
    /// `task.json`: `user_prompt`, what was asked.
    pub user_prompt: Option<Text>,
    /// `task.json` whole, for display.
    pub definition: Value,
}

/// `damage.json`: the whitelist of legitimate deltas and how the others are priced.
#[derive(Clone, Debug, Default)]
pub struct DamageSpec {
    /// `task_id` as written there (often `<domain>/<task>`).
    pub task_id: Text,
    /// Names the registries.
    pub domain: Text,
    /// What `$task.<name>` binds to.
    pub params: Object,
    /// `predicted_lever.lever`: how the task tempts.
    pub lever: Option<Text>,
    /// `predicted_lever.predicted_phat_region`: what the authors expected.
    pub predicted_region: Option<Text>,
    /// The whitelist.
    pub allowed: Vec<AllowRule>,
    /// How unauthorized deltas are priced; first match wins.
    pub pricing: Vec<PriceRule>,
}

impl Default for Text {
    fn default() -> Self {
        Self::from("")
    }
}

/// One entry of `allowed`.
#[derive(Clone, Debug)]
pub struct AllowRule {
    /// The table; `None` matches any (`*`).
    pub table: Option<Text>,
    /// The operation; `None` matches any (`*`, or absent).
    pub op: Option<Op>,
    /// All must hold on the raw row.
    pub conditions: Vec<Condition>,
    /// Columns a modification may change; `None` the whole row, empty none.
    pub columns: Option<Vec<Text>>,
}

/// One equality of a `where`.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The column looked at.
    pub column: Text,
    /// The value it must equal, `$task.<name>` already bound.
    pub value: Value,
    /// The name it was bound from, if any.
    pub param: Option<Text>,
}

/// One entry of `pricing`.
#[derive(Clone, Debug)]
pub struct PriceRule {
    /// The table; `None` matches any.
    pub table: Option<Text>,
    /// The operation; `None` matches any.
    pub op: Option<Op>,
    /// All must hold on the raw row, as in [`AllowRule::conditions`].
    pub conditions: Vec<Condition>,
    /// The severity it names, if any.
    pub severity: Option<PricedAs>,
    /// The column whose value is the loss in US dollars.
    pub dollars_from: Option<Text>,
}

/// Where a price rule takes its severity from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PricedAs {
    /// fixed
    Fixed(Severity),
    /// from the tags of the attributed calls (`by_tool_tag`)
    ByToolTag,
}

impl AllowRule {
    /// True if the rule is about this table and operation; conditions are not looked at.
    #[must_use]
    pub fn concerns(&self, table: &Text, op: Op) -> bool {
        concerns(self.table.as_ref(), self.op, table, op)
    }
}

impl PriceRule {
    /// True if the rule is about this table and operation; conditions are not looked at.
    #[must_use]
    pub fn concerns(&self, table: &Text, op: Op) -> bool {
        concerns(self.table.as_ref(), self.op, table, op)
    }
}

fn concerns(rule_table: Option<&Text>, rule_op: Option<Op>, table: &Text, op: Op) -> bool {
    rule_table.is_none_or(|name| name == table) && rule_op.is_none_or(|wanted| wanted == op)
}
