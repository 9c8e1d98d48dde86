//! A run as `results_<task>.json` has it.

use super::conversation::{Entry, ToolCall, Usage, count, object, text};
use super::runner::{Assignment, Run};
use super::verifier::CheckResult;
use crate::archive::json;
use crate::model::{Text, Value};

/// What results files say of the batch they belong to.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The model as its provider calls it.
    pub model: String,
    /// The provider's name.
    pub provider: String,
    /// The tool server's name.
    pub server: String,
    /// The seed file, relative to the archive.
    pub seed_file: String,
    /// If the batch is synthetic: the sentence that says so.
    pub synthetic: Option<String>,
}

/// The whole file.
#[must_use]
pub fn results(setting: &Setting, assignment: &Assignment, run: &Run) -> String {
    let mut file = vec![
        (Text::from("benchmark_config"), benchmark_config(setting, assignment)),
        ("runs".into(), Value::Array(vec![run_record(setting, run)])),
    ];
    if !crashed(run) {
        file.push(("statistics".into(), statistics(run)));
    }
    json::write_in_order(&Value::Object(file.into_iter().collect()))
}

/// The agent broke off before its first message: such runs leave only a stub.
fn crashed(run: &Run) -> bool {
    run.error.is_some() && !run.conversation.iter().any(|entry| matches!(entry, Entry::Agent { .. }))
}

fn benchmark_config(setting: &Setting, assignment: &Assignment) -> Value {
    let server = object([
        ("name", text(setting.server.as_str())),
        ("url", text("http://localhost:8010")),
        ("seed_database_file", text(setting.seed_file.as_str())),
    ]);
    let mut config = vec![
        (Text::from("model"), text(format!("{}/{}", setting.provider, setting.model))),
        ("number_of_runs".into(), Value::from(1)),
        ("user_prompt".into(), text(assignment.user_prompt.as_str())),
        ("gym_servers".into(), Value::Array(vec![server])),
        ("total_gyms".into(), Value::from(1)),
        ("total_tools_available".into(), count(assignment.tools.len())),
    ];
    if let Some(notice) = &setting.synthetic {
        config.insert(0, ("synthetic".into(), text(notice.as_str())));
    }
    Value::Object(config.into_iter().collect())
}

fn run_record(setting: &Setting, run: &Run) -> Value {
    let success = run.error.is_none() && run.checks.iter().all(CheckResult::passed);
    if let Some(error) = run.error.as_ref().filter(|_| crashed(run)) {
        return object([
            ("run_number", Value::from(1)),
            ("error", text(error.as_str())),
            ("overall_success", Value::Bool(false)),
        ]);
    }
    let conversation = run.conversation.iter().map(|entry| message(setting, entry));
    let mut record = vec![
        (Text::from("run_number"), Value::from(1)),
        ("started_at".into(), text(run.started_at.iso())),
        ("execution_time_ms".into(), Value::from(duration(run))),
        ("model_response".into(), last_words(run)),
        ("conversation_flow".into(), Value::Array(conversation.collect())),
        ("tools_used".into(), tools_used(run)),
        ("tool_results".into(), Value::Array(tool_results(setting, run))),
        (
            "verification_results".into(),
            Value::Object(
                run.checks.iter().map(|found| (found.check.name.as_str().into(), found.record())).collect(),
            ),
        ),
        ("overall_success".into(), Value::Bool(success)),
    ];
    if let Some(error) = &run.error {
        record.push(("error".into(), text(error.as_str())));
    }
    Value::Object(record.into_iter().collect())
}

fn message(setting: &Setting, entry: &Entry) -> Value {
    match entry {
        Entry::System(words) => object([("type", text("system_message")), ("content", text(words.as_str()))]),
        Entry::User(words) => object([("type", text("user_message")), ("content", text(words.as_str()))]),
        Entry::Agent { content, calls, usage } => object([
            ("type", text("ai_message")),
            ("content", text(content.as_str())),
            ("usage_metadata", usage_metadata(*usage)),
            ("response_metadata", response_metadata(setting, calls)),
            ("tool_calls", Value::Array(calls.iter().map(tool_call).collect())),
        ]),
        Entry::ToolResult { call, result } => object([
            ("type", text("tool_result")),
            ("tool_name", text(call.name.as_str())),
            ("result", result.clone()),
            ("gym_server", text(setting.server.as_str())),
        ]),
    }
}

fn tool_call(call: &ToolCall) -> Value {
    object([("name", text(call.name.as_str())), ("args", Value::Object(call.args.clone()))])
}

fn usage_metadata(usage: Usage) -> Value {
    object([
        ("input_tokens", count(usage.input)),
        ("output_tokens", count(usage.output)),
        ("total_tokens", count(usage.input + usage.output)),
    ])
}

fn response_metadata(setting: &Setting, calls: &[ToolCall]) -> Value {
    object([
        ("model_name", text(setting.model.as_str())),
        ("finish_reason", text(if calls.is_empty() { "stop" } else { "tool_calls" })),
    ])
}

fn tool_results(setting: &Setting, run: &Run) -> Vec<Value> {
    let of = |entry: &Entry| match entry {
        Entry::ToolResult { call, result } => Some(object([
            ("tool_name", text(call.name.as_str())),
            ("arguments", Value::Object(call.args.clone())),
            ("result", result.clone()),
            ("gym_server", text(setting.server.as_str())),
        ])),
        _ => None,
    };
    run.conversation.iter().filter_map(of).collect()
}

/// The names of the tools called, each once, in order of first use.
fn tools_used(run: &Run) -> Value {
    let mut names: Vec<Value> = Vec::new();
    for entry in &run.conversation {
        if let Entry::ToolResult { call, .. } = entry {
            let name = text(call.name.as_str());
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Value::Array(names)
}

fn last_words(run: &Run) -> Value {
    let said = run.conversation.iter().rev().find_map(|entry| match entry {
        Entry::Agent { content, .. } => Some(content.as_str()),
        _ => None,
    });
    text(said.unwrap_or_default())
}

fn statistics(run: &Run) -> Value {
    let passed = run.checks.iter().filter(|found| found.passed()).count();
    let success = i64::from(run.status() == "success");
    object([
        ("total_runs", Value::from(1)),
        ("successful_runs", Value::from(success)),
        ("total_verifiers_checked", count(run.checks.len())),
        ("total_verifiers_passed", count(passed)),
    ])
}

fn duration(run: &Run) -> i64 {
    run.finished_at.millis() - run.started_at.millis()
}
