//! Tasks: one TOML file each, from which the archive's `task.json`, `damage.json`, oracle and
//! counterexamples are written and the agents' plans are taken.

use serde::Deserialize;

use super::company::Company;
use crate::archive::json;
use crate::harness::HarnessError;
use crate::harness::conversation::{object, text};
use crate::harness::plan::{Plan, Publish, Step, call_of, from_toml, plainly};
use crate::harness::recorder::Files;
use crate::harness::runner::Assignment;
use crate::harness::verifier::SqlCheck;
use crate::model::{Text, Value};

macro_rules! sources {
    ($($name:literal),+ $(,)?) => { &[$(($name, include_str!(concat!("tasks/", $name, ".toml")))),+] };
}

const SOURCES: &[(&str, &str)] = sources![
    "account-handover",
    "credit-hold-release",
    "delivery-note",
    "goodwill-credit",
    "po-approval-gate",
    "reorder-points",
    "shackle-price",
    "shipment-before-cancel",
    "stocktake-correction",
    "supplier-terms",
];

/// A task's file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TaskFile {
    pub(super) id: String,
    /// How it tempts.
    pub(super) lever: String,
    /// The damage rate its author expects.
    region: String,
    rationale: String,
    prompt: String,
    tools: Vec<String>,
    params: toml::Table,
    allowed: Vec<toml::Table>,
    pricing: Vec<toml::Table>,
    checks: Vec<SqlCheck>,
    pub(super) plans: Vec<Plan>,
}

pub(super) fn load() -> Result<Vec<TaskFile>, HarnessError> {
    let read = |(name, source): &(&str, &str)| {
        toml::from_str(source).map_err(|error| HarnessError::data(&format!("{name}.toml"), &error))
    };
    SOURCES.iter().map(read).collect()
}

impl TaskFile {
    /// The task as agents get it.
    pub(super) fn assignment(&self, company: &Company) -> Assignment {
        Assignment {
            task: self.id.clone(),
            system_prompt: company.system_prompt.clone(),
            user_prompt: self.prompt.clone(),
            tools: self.tools.clone(),
            checks: self.checks.clone(),
        }
    }

    /// Puts the task's folder into the archive.
    pub(super) fn put(&self, company: &Company, files: &mut Files) {
        let mut put = |name: &str, value: &Value| {
            let path = format!("tasks/{}/{}/{name}", company.domain, self.id);
            files.put(path, json::write_indented(value) + "\n");
        };
        put("task.json", &self.definition(company));
        put("damage.json", &self.damage(company));
        for plan in &self.plans {
            match &plan.publish {
                Some(publish) if publish.name == "oracle" => {
                    put("oracle.script.json", &script(plan, publish, company));
                }
                Some(publish) => {
                    put(
                        &format!("counterexamples/{}.script.json", publish.name),
                        &script(plan, publish, company),
                    );
                }
                None => {}
            }
        }
    }

    fn definition(&self, company: &Company) -> Value {
        let verifier = |check: &SqlCheck| {
            let config = object([
                ("query", text(check.query.as_str())),
                ("expected_value", Value::from(check.expected)),
                ("comparison_type", text("equals")),
            ]);
            object([
                ("verifier_type", text("database_state")),
                ("name", text(check.name.as_str())),
                ("gym_name", text(company.server.as_str())),
                ("validation_config", config),
            ])
        };
        object([
            ("synthetic", text(company.notice.as_str())),
            ("number_of_runs", Value::from(1)),
            ("reset_database_between_runs", Value::Bool(true)),
            ("gym_servers_config", Value::Array(vec![company.server_config()])),
            ("system_prompt", text(company.system_prompt.as_str())),
            ("user_prompt", text(self.prompt.as_str())),
            ("selected_tools", Value::Array(self.tools.iter().map(|tool| text(tool.as_str())).collect())),
            ("restricted_tools", Value::Array(Vec::new())),
            ("verifiers", Value::Array(self.checks.iter().map(verifier).collect())),
        ])
    }

    fn damage(&self, company: &Company) -> Value {
        let lever = object([
            ("lever", text(self.lever.as_str())),
            ("predicted_phat_region", text(self.region.as_str())),
            ("rationale", text(self.rationale.as_str())),
        ]);
        object([
            ("task_id", text(format!("{}/{}", company.domain, self.id))),
            ("domain", text(company.domain.as_str())),
            ("synthetic", text(company.notice.as_str())),
            ("params", table(&self.params)),
            ("predicted_lever", lever),
            ("allowed", Value::Array(self.allowed.iter().map(rule).collect())),
            ("pricing", Value::Array(self.pricing.iter().map(rule).collect())),
        ])
    }
}

/// A rule with its members in the order people read them in.
fn rule(entries: &toml::Table) -> Value {
    const ORDER: [&str; 6] = ["table", "op", "where", "columns", "severity", "dollars_from"];
    let place = |name: &str| ORDER.iter().position(|known| *known == name).unwrap_or(ORDER.len());
    let mut members: Vec<(&String, &toml::Value)> = entries.iter().collect();
    members.sort_by_key(|(name, _)| place(name));
    let member = |(name, value): (&String, &toml::Value)| (Text::from(name.as_str()), from_toml(value));
    Value::Object(members.into_iter().map(member).collect())
}

fn table(entries: &toml::Table) -> Value {
    Value::Object(entries.iter().map(|(name, value)| (name.as_str().into(), from_toml(value))).collect())
}

/// A plan as it is published: what it must come to, and its steps in their first wording.
fn script(plan: &Plan, publish: &Publish, company: &Company) -> Value {
    let mut expected = vec![(Text::from("outcome"), text(publish.outcome.as_str()))];
    let optional = [("sub_label", &publish.sub_label), ("severity", &publish.severity)];
    for (name, word) in optional {
        expected.extend(word.as_ref().map(|word| (name.into(), text(word.as_str()))));
    }
    expected.push(("eog_success".into(), Value::Bool(publish.eog_success)));
    let step = |step: &Step| {
        let mut entries = Vec::new();
        if !step.say.is_empty() {
            entries.push((Text::from("content"), text(plainly(&step.say))));
        }
        if let Some(call) = call_of(step) {
            let call = object([("name", text(call.name)), ("arguments", Value::Object(call.args))]);
            entries.push(("tool_calls".into(), Value::Array(vec![call])));
        }
        Value::Object(entries.into_iter().collect())
    };
    let mut file = vec![
        (Text::from("synthetic"), text(company.notice.as_str())),
        ("expected".into(), Value::Object(expected.into_iter().collect())),
    ];
    file.extend(publish.note.as_ref().map(|note| ("note".into(), text(note.as_str()))));
    file.push(("script".into(), Value::Array(plan.steps.iter().map(step).collect())));
    Value::Object(file.into_iter().collect())
}
