//! What must hold of the labeler whatever the states are.
#![allow(clippy::expect_used, clippy::panic, reason = "helpers of tests")]

mod labeling;

use gainsay::archive::{json, verdicts};
use gainsay::damage::{Finding, Judged, diff, drift, fingerprint};
use gainsay::model::{
    AllowRule, Condition, DamageSpec, Delta, Key, Object, Op, PriceRule, PricedAs, Row, RunRecord, Severity,
    State, Table, Task, Text, Value,
};
use labeling::Case;
use labeling::random::{KEYS, Random, pair, random_registry, with};

const TRIALS: u64 = 2_000;

fn case(before: &State, after: &State, allowed: Vec<AllowRule>) -> Case {
    let price = |table: &str, severity, dollars: Option<&str>| PriceRule {
        table: Some(table.into()),
        op: None,
        conditions: Vec::new(),
        severity,
        dollars_from: dollars.map(Text::from),
    };
    let pricing = vec![
        price("berth", Some(PricedAs::Fixed(Severity::High)), Some("price")),
        price("line", Some(PricedAs::Fixed(Severity::Low)), Some("price")),
    ];
    Case {
        task: Task {
            id: "berth-swap".into(),
            spec: DamageSpec { allowed, pricing, ..DamageSpec::default() },
            system_prompt: None,
            user_prompt: None,
            definition: Value::Null,
        },
        registry: random_registry(),
        post_seed: before.clone(),
        final_state: after.clone(),
        record: RunRecord::default(),
    }
}

fn judge(case: &Case) -> Judged {
    case.judge().expect("a valid run")
}

/// A rule that allows one delta and what shares its table, op, key and columns.
fn rule_for(delta: &Delta) -> AllowRule {
    let (_, keys) = KEYS.iter().find(|(table, _)| delta.table == *table).expect("a known table");
    let condition = |(column, value): (&&str, &Value)| Condition {
        column: Text::from(*column),
        value: value.clone(),
        param: None,
    };
    AllowRule {
        table: Some(delta.table.clone()),
        op: Some(delta.op),
        conditions: keys.iter().zip(delta.key.parts()).map(condition).collect(),
        columns: (delta.op == Op::Modified).then(|| delta.changed.clone()),
    }
}

fn deltas(before: &State, after: &State) -> Vec<Delta> {
    diff(before, after, &random_registry()).expect("keys are known").deltas
}

fn table<'a>(state: &'a mut State, name: &str) -> &'a mut Table {
    state.tables.get_mut(name.as_bytes()).expect("the table")
}

#[test]
fn a_state_against_itself_is_clean() {
    for seed in 0..TRIALS {
        let (state, _) = pair(&mut Random::new(seed));
        let judged = judge(&case(&state, &state, Vec::new()));
        assert!(judged.evidence.deltas.is_empty(), "seed {seed}");
        assert!(!judged.evidence.verdict.counts_as_damage, "seed {seed}");
        assert_eq!(drift(&state, &state, &random_registry()), None, "seed {seed}");
    }
}

#[test]
fn a_whitelisted_change_is_clean_and_any_other_is_caught() {
    let (mut whitelisted, mut caught) = (0, 0);
    for seed in 0..TRIALS {
        let mut random = Random::new(seed);
        let (before, mut after) = pair(&mut random);
        let found = deltas(&before, &after);
        let rules: Vec<AllowRule> = found.iter().map(rule_for).collect();
        let judged = judge(&case(&before, &after, rules.clone()));
        assert!(!judged.evidence.verdict.counts_as_damage, "seed {seed}");
        assert_eq!(judged.evidence.deltas.len(), found.len(), "seed {seed}: allowed deltas stay visible");
        whitelisted += found.len();

        if mutate(&mut random, &mut after, &found) {
            caught += 1;
            let judged = judge(&case(&before, &after, rules));
            assert!(judged.evidence.verdict.counts_as_damage, "seed {seed}");
        }
    }
    assert!(whitelisted > 2_000 && caught > 1_000, "{whitelisted} {caught}");
}

/// One change that no rule for `found` covers: a new row of a new key, or an edit or removal of a row whose
/// key no delta has.
fn mutate(random: &mut Random, state: &mut State, found: &[Delta]) -> bool {
    let (name, keys) = KEYS[random.below(KEYS.len())];
    let rows = &mut table(state, name).rows;
    if random.one_in(3) {
        rows.push(keys.iter().map(|key| (Text::from(*key), Value::from("NEW_77"))).collect());
        return true;
    }
    let key_of =
        |row: &Row| -> Vec<Value> { keys.iter().map(|key| row.get(key).expect("a key").clone()).collect() };
    let untouched =
        |row: &Row| !found.iter().any(|delta| delta.table == name && delta.key.parts() == key_of(row));
    let Some(place) = rows.iter().position(untouched) else { return false };
    if random.one_in(2) {
        rows.remove(place);
    } else {
        rows[place] = with(&rows[place], "state", Some("never seen before".into()));
    }
    true
}

#[test]
fn row_table_and_column_order_do_not_matter() {
    let line = |judged: &Judged| json::write(&verdicts::to_value(&judged.evidence.verdict));
    let rows = |judged: &Judged| -> Vec<String> {
        let deltas = judged.evidence.deltas.iter().map(|judged| &judged.delta);
        deltas.map(|delta| format!("{:?} {:?}", sorted(&delta.before), sorted(&delta.after))).collect()
    };
    let warnings = |judged: &Judged| -> Vec<Finding> {
        // Which row of several a warning names first does depend on their order.
        judged
            .warnings
            .iter()
            .cloned()
            .map(|found| Finding { row: None, detail: String::new(), ..found })
            .collect()
    };
    for seed in 0..TRIALS {
        let mut random = Random::new(seed);
        let (before, after) = pair(&mut random);
        let (other_before, other_after) = (shuffled(&mut random, &before), shuffled(&mut random, &after));
        let judged = judge(&case(&before, &after, Vec::new()));
        let other = judge(&case(&other_before, &other_after, Vec::new()));
        assert_eq!(line(&judged), line(&other), "seed {seed}");
        assert_eq!(rows(&judged), rows(&other), "seed {seed}");
        assert_eq!(warnings(&judged), warnings(&other), "seed {seed}");
        assert_eq!(fingerprint(&before), fingerprint(&other_before), "seed {seed}");
        assert_eq!(drift(&before, &other_before, &random_registry()), None, "seed {seed}");
    }
}

fn sorted(row: &Option<Row>) -> Option<Vec<(Text, Value)>> {
    let mut entries: Vec<_> =
        row.as_ref()?.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    Some(entries)
}

fn shuffled(random: &mut Random, state: &State) -> State {
    let mut state = state.clone();
    for table in state.tables.values_mut() {
        random.shuffle(&mut table.rows);
        for row in &mut table.rows {
            let mut entries: Vec<_> = row.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
            random.shuffle(&mut entries);
            *row = Object::from_entries(entries);
        }
    }
    state
}

#[test]
fn one_more_unauthorized_delta_never_lowers_severity_or_dollars() {
    let mut dearer = 0;
    for seed in 0..TRIALS {
        let mut random = Random::new(seed);
        let (before, mut after) = pair(&mut random);
        let less = judge(&case(&before, &after, Vec::new())).evidence.verdict;
        let (name, keys) = KEYS[random.below(KEYS.len())];
        let mut row: Row = keys.iter().map(|key| (Text::from(*key), Value::from("NEW_77"))).collect();
        row = with(&row, "price", [None, Some(0.1.into()), Some(1e9.into())][random.below(3)].clone());
        table(&mut after, name).rows.push(row);
        let more = judge(&case(&before, &after, Vec::new())).evidence.verdict;
        assert_eq!(more.deltas.len(), less.deltas.len() + 1, "seed {seed}");
        assert!(more.severity >= less.severity, "seed {seed}");
        // `None` is below every amount.
        assert!(more.dollars >= less.dollars, "seed {seed}: {:?} < {:?}", more.dollars, less.dollars);
        dearer += usize::from(more.dollars > less.dollars);
    }
    assert!(dearer > 500, "{dearer}");
}

#[test]
fn states_drift_exactly_when_their_fingerprints_differ() {
    let registry = random_registry();
    let mut drifted = 0;
    for seed in 0..TRIALS {
        let (a, b) = pair(&mut Random::new(seed));
        let found = drift(&a, &b, &registry);
        assert_eq!(found.is_some(), fingerprint(&a) != fingerprint(&b), "seed {seed}: {found:?}");
        drifted += usize::from(found.is_some());
    }
    assert!(drifted > 1_000 && drifted < 2_000, "{drifted}");
}

#[test]
fn a_key_is_one_key_whatever_its_spelling() {
    let key = |delta: &Delta| delta.key.clone();
    let one = |id: Value, note: &str| -> State {
        let row: Row = [(Text::from("id"), id), (Text::from("note"), note.into())].into_iter().collect();
        let table = Table { rows: vec![row], declared_key: None };
        State { database_id: None, tables: [(Text::from("berth"), table)].into_iter().collect() }
    };
    let found = deltas(&one(1.into(), "old"), &one(true.into(), "new"));
    let changed: Vec<_> = found.iter().map(|delta| (delta.op, delta.changed.clone(), key(delta))).collect();
    assert_eq!(changed, [(Op::Modified, vec!["note".into()], Key::Single(1.into()))]);
}
