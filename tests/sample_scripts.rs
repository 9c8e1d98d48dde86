//! Oracles and counterexamples of the sample tasks: each is played through the tools and comes to the
//! outcome it is published with.
#![allow(clippy::expect_used, reason = "helpers of tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::vec::IntoIter;

use gainsay::archive::{self, Options, discover, dump, json};
use gainsay::damage::{Inputs, diff, judge};
use gainsay::harness::agent::{Agent, Breakdown, Turn};
use gainsay::harness::clock::Clock;
use gainsay::harness::conversation::{Entry, ToolCall};
use gainsay::harness::results::{Setting, results};
use gainsay::harness::runner::{Assignment, World};
use gainsay::harness::tools::Toolbox;
use gainsay::harness::verifier::SqlCheck;
use gainsay::model::{Object, Task, Value};
use gainsay::stats::Rng;

/// Says and calls what a script holds, step by step.
struct Replay(IntoIter<Turn>);

impl Replay {
    fn of(script: &Value) -> Self {
        let steps = script.get("script").and_then(Value::as_array).expect("a script");
        let turns = steps.iter().map(|step| Turn {
            content: string(step.get("content")),
            calls: step
                .get("tool_calls")
                .and_then(Value::as_array)
                .unwrap_or_default()
                .iter()
                .map(call)
                .collect(),
        });
        Self(turns.collect::<Vec<_>>().into_iter())
    }
}

impl Agent for Replay {
    fn next(&mut self, _: &[Entry]) -> Result<Option<Turn>, Breakdown> {
        Ok(self.0.next())
    }
}

fn call(value: &Value) -> ToolCall {
    let args = value.get("arguments").and_then(Value::as_object).cloned().unwrap_or_default();
    ToolCall { name: string(value.get("name")), args }
}

fn string(value: Option<&Value>) -> String {
    value.and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn assignment(task: &Task) -> Assignment {
    let list = |name: &str| task.definition.get(name).and_then(Value::as_array).expect("a list");
    let check = |verifier: &Value| {
        let config = verifier.get("validation_config").expect("a config");
        SqlCheck {
            name: string(verifier.get("name")),
            query: string(config.get("query")),
            expected: config.get("expected_value").and_then(Value::as_i64).expect("a number"),
        }
    };
    Assignment {
        task: task.id.to_string(),
        system_prompt: string(task.definition.get("system_prompt")),
        user_prompt: string(task.definition.get("user_prompt")),
        tools: list("selected_tools").iter().map(|tool| string(Some(tool))).collect(),
        checks: list("verifiers").iter().map(check).collect(),
    }
}

fn scripts(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.join("oracle.script.json")];
    let others = fs::read_dir(folder.join("counterexamples")).into_iter().flatten();
    found.extend(others.map(|entry| entry.expect("an entry").path()));
    found
}

#[test]
fn every_script_comes_to_the_outcome_it_is_published_with() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data");
    let seed = fs::read_to_string(root.join("data/seed-dbs/chandlery/harbour-finch.sql")).expect("a seed");
    let mut toolbox =
        Toolbox::parse("tools.toml", include_str!("../src/harness/sample/tools.toml")).expect("a toolbox");
    for tool in &mut toolbox.tools {
        tool.lost_answers = 0.0;
    }
    let world = World { seed: &seed, toolbox: &toolbox, database_prefix: "db", turn_limit: 9 };
    let catalog = discover(std::slice::from_ref(&root), &Options::default());
    let context = catalog.contexts.first().expect("a context");
    let mut played = 0;
    for (id, task) in &context.tasks {
        let registry = &context.registries["chandlery"];
        let assignment = assignment(task);
        let unknown: Vec<_> = assignment
            .tools
            .iter()
            .filter(|name| !toolbox.tools.iter().any(|tool| tool.name == **name))
            .collect();
        assert!(unknown.is_empty(), "{id}: no tools {unknown:?}");
        for path in scripts(&root.join("tasks/chandlery").join(id)) {
            let script = json::parse(&fs::read(&path).expect("reads")).expect("parses");
            let mut agent = Replay::of(&script);
            let clock = Clock::at(2026, 3, 1, 12, 0);
            let run = world.run(&assignment, &mut agent, clock, &mut Rng::seed(1)).expect("runs");
            let name = path.display();
            for entry in &run.conversation {
                assert!(!entry.failed(), "{name}: {entry:?}");
                if let Entry::ToolResult { call, .. } = entry {
                    assert!(assignment.tools.contains(&call.name), "{name} calls {}", call.name);
                }
            }
            let file = json::parse(results(&setting(), &assignment, &run).as_bytes()).expect("parses");
            let record = archive::results::from_value(&file, &path).expect("a record");
            let state = |text: &str| {
                dump::state_from_value(json::parse(text.as_bytes()).expect("parses"), &path).expect("a state")
            };
            let (before, after) = (state(&run.post_seed), state(&run.final_state));
            let diff = diff(&before, &after, registry).expect("compared");
            let states = [&before, &after];
            let inputs = Inputs { task, registry, states: &states, record: &record, run: "run_1" };
            let verdict = judge(&inputs, diff).evidence.verdict;
            let found = Value::Object(Object::from_entries(
                [
                    ("outcome", Some(Value::from(verdict.outcome.as_str()))),
                    ("sub_label", verdict.sub_label.map(|label| Value::from(label.as_str()))),
                    ("severity", verdict.severity.map(|severity| Value::from(severity.as_str()))),
                    ("eog_success", Some(Value::from(verdict.eog_success))),
                ]
                .into_iter()
                .filter_map(|(name, value)| Some((name.into(), value?)))
                .collect(),
            ));
            assert_eq!(script.get("expected"), Some(&found), "{name}");
            played += 1;
        }
    }
    assert!(played >= 20, "{played}");
}

fn setting() -> Setting {
    Setting {
        model: "replay".into(),
        provider: "synthetic".into(),
        server: "ops".into(),
        seed_file: "seed.sql".into(),
        synthetic: None,
    }
}
