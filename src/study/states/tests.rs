//! Aligned and parsed states lead to the same result, whatever a dump looks like.

mod sqlite;

use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::archive::json;
use crate::archive::{registry, results, tasks};
use crate::damage::{Inputs, Labelled, judge, label, rests_on_column};
use crate::model::{RunRecord, Task};

/// A dump as it is written: values and white space as text.
#[derive(Clone, Debug)]
struct Written {
    head: String,
    tables: Vec<(String, Vec<Row>)>,
    tail: String,
}

#[derive(Clone, Debug)]
struct Row {
    members: Vec<(String, String)>,
    separator: &'static str,
}

/// Values, many of them equal to another though written apart.
const VALUES: [&str; 24] = [
    "1",
    "1.0",
    "true",
    "null",
    "\"Pier 7\"",
    "\"Quay \\u00e9 12\"",
    "\"Quay é 12\"",
    "NaN",
    "-0",
    "-0.0",
    "0",
    "false",
    "9007199254740993",
    "9007199254740992.0",
    "\"\\ud800\"",
    "[1, null]",
    "[1.0,null]",
    "{\"a\": 1, \"b\": 2}",
    "{\"b\": 2.0, \"a\": true}",
    "1e999",
    "Infinity",
    "\"HF-20311\"",
    "\"\\\"}, {\"",
    "123456789012345678901",
];

fn pick<T: Copy>(from: &[T], number: u32) -> T {
    from[number as usize % from.len()]
}

fn row(members: &[(&str, String)]) -> Row {
    let members = members.iter().map(|(name, value)| (format!("\"{name}\""), value.clone())).collect();
    Row { members, separator: ", " }
}

fn seed(rows: u32, value: u32, unkeyed: bool) -> Written {
    let any = |number: u32| pick(&VALUES, value.wrapping_add(number.wrapping_mul(7))).to_owned();
    let berth = (0..rows).map(|id| {
        row(&[
            ("id", id.to_string()),
            ("name", format!("\"Berth {id:04}\"")),
            ("note", any(id)),
            ("seen", any(id + 1)),
        ])
    });
    let line = (0..rows).map(|id| {
        row(&[("note", any(id)), ("number", (id % 5).to_string()), ("order", format!("\"ORD_{}\"", id / 5))])
    });
    let role = (0..6).map(|id| row(&[("role", (id % 2).to_string()), ("right", any(id))]));
    let vessel = VALUES
        .iter()
        .enumerate()
        .take(rows as usize)
        .map(|(id, key)| row(&[("key", (*key).to_owned()), ("berth", id.to_string())]));
    // Keys that are not equal and yet spelled alike: what the rows hold decides their order.
    let buoy = (0..rows).map(|id| {
        let quote = if id % 2 == 0 { "" } else { "\"" };
        row(&[("light", any(id)), ("id", format!("{quote}{}{quote}", id / 2)), ("note", any(id + 2))])
    });
    let mut tables: Vec<(String, Vec<Row>)> = vec![
        ("berth".into(), berth.collect()),
        ("buoy".into(), buoy.collect()),
        ("empty".into(), Vec::new()),
        ("line".into(), line.collect()),
        ("role".into(), role.collect()),
        ("sqlite_sequence".into(), vec![row(&[("seq", rows.to_string())])]),
        ("vessel".into(), vessel.collect()),
    ];
    if unkeyed {
        tables.push(("zone".into(), vec![row(&[("a", any(0))])]));
    }
    Written { head: "{\"database_id\": \"db_1\", \"tables\": ".into(), tables, tail: "}".into() }
}

/// How many kinds of edits there are.
const OPS: u32 = 23;

impl Written {
    fn text(&self) -> String {
        let tables: Vec<String> = self
            .tables
            .iter()
            .map(|(name, rows)| {
                let mut text = String::new();
                for (index, row) in rows.iter().enumerate() {
                    let members: Vec<String> =
                        row.members.iter().map(|(name, value)| format!("{name}: {value}")).collect();
                    let separator = if index == 0 { "" } else { row.separator };
                    text += &format!("{separator}{{{}}}", members.join(", "));
                }
                format!("\"{name}\": [{text}]")
            })
            .collect();
        format!("{}{{{}}}{}", self.head, tables.join(", "), self.tail)
    }

    /// Edits every row there is.
    fn edit_all(&mut self, op: u32, c: u32) {
        for (number, row) in self.tables.iter_mut().flat_map(|(_, rows)| rows).enumerate() {
            let number = number as u32;
            let many = row.members.len().max(1);
            let Some((name, value)) = row.members.get_mut((number * (c % 3) + c) as usize % many) else {
                continue;
            };
            match op % OPS {
                20 => *value = pick(&VALUES, c.wrapping_add(number)).to_owned(),
                21 => *value = format!("  {value}\n"),
                _ if value.bytes().all(|byte| byte.is_ascii_digit()) => *value += ".0",
                _ => name.insert(0, '\t'),
            }
        }
    }

    fn edit(&mut self, [op, a, b, c]: [u32; 4]) {
        let table = a as usize % self.tables.len();
        let others = self.tables.len();
        let at = b as usize % self.tables[table].1.len().max(1);
        if op % OPS >= 20 {
            self.edit_all(op, c);
            return;
        }
        let (name, rows) = &mut self.tables[table];
        if rows.is_empty() && op % OPS < 12 {
            rows.push(row(&[("id", c.to_string()), ("key", b.to_string())]));
            return;
        }
        let other = c as usize % rows.len().max(1);
        if rows.get(at).is_some_and(|row| row.members.is_empty()) {
            return;
        }
        let member = c as usize % rows.get(at).map_or(1, |row| row.members.len().max(1));
        match op % OPS {
            0..=2 => rows[at].members[member].1 = pick(&VALUES, c / 7).to_owned(),
            3 => _ = rows.remove(at),
            4 => rows.insert(at, rows[other].clone()),
            5 => rows.swap(at, other),
            6 => rows.rotate_left(at),
            7 => rows[at].members.reverse(),
            8 => _ = rows[at].members.remove(member),
            9 => rows[at].members.push((format!("\"{}\"", pick(&["new", "id", "note"], c)), "7".into())),
            10 => rows[at].separator = pick(&[",", " ,\n", ",\t", ";", ""], c),
            11 => {
                let mut new = rows[at].clone();
                new.members
                    .iter_mut()
                    .take(1 + c as usize % 2)
                    .for_each(|member| member.1 = format!("{}", 1000 + c));
                rows.insert(other, new);
            }
            12 => rows.clear(),
            13 => *name = pick(&["berth2", "sqlite_x", "vessel", "b\\u0065rth"], c).to_owned(),
            14 => self.tables.swap(table, c as usize % others),
            15 => _ = (others > 1).then(|| self.tables.remove(table)),
            16 => {
                self.head = pick(
                    &[
                        "{\"tables\":",
                        " {\"database_id\": \"db_2\", \"tables\": ",
                        "{\"x\": [{}], \"tables\": ",
                        "{\"tables\": {}, \"tables\": ",
                    ],
                    c,
                )
                .into();
            }
            17 => self.tail = pick(&[", \"x\": 1}", "}\n", "} ", ", \"tables\": {}}", "", "}}"], c).into(),
            18 => rows.reverse(),
            _ => rows
                .iter_mut()
                .for_each(|row| row.members.iter_mut().for_each(|member| member.1.insert(0, ' '))),
        }
    }
}

fn known() -> Arc<Registry> {
    let parse = |text: &str| json::parse(text.as_bytes()).expect("JSON");
    let path = Path::new("registry");
    Arc::new(Registry {
        domain: "port".into(),
        primary_keys: registry::primary_keys(
            &parse(r#"{"primary_keys": {"berth": "id", "empty": "id", "buoy": "id", "line": ["order", "number"], "role": "role", "vessel": "key", "berth2": "id"}}"#),
            path,
        )
        .expect("keys"),
        volatile_columns: registry::volatile_columns(&parse(r#"{"volatile_columns": {"berth": ["seen"]}}"#), path)
            .expect("columns"),
        tool_tags: Default::default(),
    })
}

fn task() -> Task {
    let spec = r#"{"domain": "port", "allowed": [{"table": "line", "op": "modified", "columns": ["note"]},
            {"table": "berth", "where": {"note": 1, "seen": null}}, {"table": "*", "op": "removed", "where": {"right": "Pier 7"}}],
        "pricing": [{"table": "berth", "dollars_from": "note"},
            {"table": "buoy", "where": {"light": false}, "severity": "HIGH"}]}"#;
    let spec = json::parse(spec.as_bytes()).expect("JSON");
    Task {
        id: "moor".into(),
        spec: tasks::spec_from_value(&spec, Path::new("damage.json")).expect("a spec"),
        system_prompt: None,
        user_prompt: None,
        definition: crate::model::Value::Null,
    }
}

fn record() -> RunRecord {
    let text = r#"{"runs": [{"conversation_flow": [
        {"type": "ai_message", "content": "", "tool_calls": [
            {"name": "move", "args": {"id": 3, "name": "Berth 0003", "note": "Quay é 12"}},
            {"name": "write", "args": {"sql": "update line set note = 'HF-20311' where order = 'ORD_1'"}}]},
        {"type": "tool_result", "tool_name": "move", "result": {"success": true, "result": {"id": 1003}}},
        {"type": "tool_result", "tool_name": "write", "result": {"success": false}},
        {"type": "ai_message", "content": "REFUSAL: Berth 0001 stays, HF-20311 too\nPier 7"}]}]}"#;
    let value = json::parse(text.as_bytes()).expect("JSON");
    results::from_value(&value, Path::new("results.json")).expect("results")
}

/// Everything a run's label rests on, spelled out; or why there is none.
fn outcome(mut states: StatePair<'_>, registry: &Registry) -> String {
    let (task, record) = (task(), record());
    match states.diff(registry) {
        Ok(diff) => {
            let inputs = Inputs { task: &task, registry, states: &states, record: &record, run: "run_1" };
            format!("{:?}", judge(&inputs, diff))
        }
        Err(findings) => format!("{findings:?}"),
    }
}

/// The verdict alone, of states that have no more than it rests on; or why there is none.
fn verdict(mut states: StatePair<'_>, registry: &Registry) -> String {
    let (task, record) = (task(), record());
    match states.diff(registry) {
        Ok(diff) => {
            let inputs = Inputs { task: &task, registry, states: &states, record: &record, run: "run_1" };
            let Labelled { verdict, warnings } = label(&inputs, diff);
            format!("{verdict:?} {warnings:?}")
        }
        Err(findings) => format!("{findings:?}"),
    }
}

fn align<'a>(
    before: &[u8],
    after: &'a [u8],
    registry: &Arc<Registry>,
    seeds: &'a Seeds,
    wanted: &Wanted<'_>,
) -> Option<Aligned<'a>> {
    Aligned::new(seeds, seeds.of(Kind::JsonGz, before, registry)?, after, wanted)
}

/// Compares both ways; true if the dumps could be aligned.
fn agree(before: &str, after: &str) -> bool {
    let (registry, seeds) = (known(), Seeds::default());
    let parse = |text: &str| dump::state_from_json(text.as_bytes(), Path::new("dump"), &Limits::default());
    let parsed = parse(before).and_then(|before| Ok((before, parse(after)?)));
    let task = task();
    let some = |table: &Text, column: &Text| rests_on_column(&task, table, column);
    let [whole, partly]: [Option<Aligned<'_>>; 2] = [&(|_: &Text, _: &Text| true) as &Wanted<'_>, &some]
        .map(|wanted| align(before.as_bytes(), after.as_bytes(), &registry, &seeds, wanted));
    let could = whole.is_some();
    assert_eq!(partly.is_some(), could);
    match (parsed, whole.zip(partly)) {
        (Ok((before, after)), Some((whole, partly))) => {
            let parsed = || StatePair::Parsed { before: before.clone(), after: after.clone() };
            assert_eq!(outcome(StatePair::Aligned(whole), &registry), outcome(parsed(), &registry));
            assert_eq!(verdict(StatePair::Aligned(partly), &registry), verdict(parsed(), &registry));
        }
        (Err(problem), Some(_)) => panic!("aligned, but {problem}"),
        (_, None) => {}
    }
    could
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn random_edits_reorderings_and_spellings(
        rows in 0u32..24,
        value in any::<u32>(),
        unkeyed in proptest::bool::weighted(0.05),
        before in proptest::collection::vec([any::<u32>(), any::<u32>(), any::<u32>(), any::<u32>()], 0..2),
        after in proptest::collection::vec([any::<u32>(), any::<u32>(), any::<u32>(), any::<u32>()], 0..8),
    ) {
        let mut dump = seed(rows, value, unkeyed);
        before.into_iter().for_each(|edit| dump.edit(edit));
        let text = dump.text();
        after.into_iter().for_each(|edit| dump.edit(edit));
        agree(&text, &dump.text());
    }

    #[test]
    fn any_byte_broken(rows in 1u32..12, value in any::<u32>(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let dump = seed(rows, value, false).text();
        let mut bytes = dump.clone().into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let (registry, seeds) = (known(), Seeds::default());
        if let Some(aligned) = align(dump.as_bytes(), &bytes, &registry, &seeds, &|_, _| true) {
            let after = dump::state_from_json(&bytes, Path::new("dump"), &Limits::default()).expect("sound, since it was aligned");
            let before = dump::state_from_json(dump.as_bytes(), Path::new("dump"), &Limits::default()).expect("sound");
            let parsed = outcome(StatePair::Parsed { before, after }, &registry);
            prop_assert_eq!(outcome(StatePair::Aligned(aligned), &registry), parsed);
        }
    }
}

/// What is merely unusual is no reason to read a whole dump.
#[test]
fn only_what_is_broken_or_said_twice_is_not_aligned() {
    let mut whole = 0;
    for op in 0..OPS {
        for number in 0..60u32 {
            let mut dump = seed(20, number, false);
            let text = dump.text();
            dump.edit([op, number, number / 3, number.wrapping_mul(2_654_435_761) >> 3]);
            let edited = dump.text();
            let sound =
                dump::state_from_json(edited.as_bytes(), Path::new("dump"), &Limits::default()).is_ok();
            let aligned = agree(&text, &edited);
            let names: std::collections::HashSet<String> =
                dump.tables.iter().map(|(name, _)| name.replace("\\u0065", "e")).collect();
            let twice = names.len() < dump.tables.len() || edited.matches("\"tables\"").count() > 1;
            assert_eq!(aligned, sound && !twice, "{edited}");
            whole += u32::from(!aligned);
        }
    }
    assert!(whole < 100, "{whole}");
}
