//! Runs that are very large in one way each: four times as much must take about four times as long.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use libdeflater::{CompressionLvl, Compressor};

use crate::clock::Sample;
use crate::places::target;
use crate::ratio::wall_ms;

/// A run's table before and afterwards, and its conversation, all as JSON.
struct Run {
    before: String,
    after: String,
    conversation: String,
}

/// What is many, how many of it, and such a run.
type Case = (&'static str, usize, fn(usize) -> Run);

const CASES: [Case; 5] = [
    ("columns of a row", 25_000, columns),
    ("rows of one key", 5000, one_key),
    ("edits, each by a call of its own", 2500, calls),
    ("edits by one call", 5000, one_call),
    ("calls of one message", 12_500, one_message),
];

/// By the program as a whole: reads, judges and shows a run.
pub fn scaling() {
    for (what, few, run) in CASES {
        let [small, large] = [few, 4 * few].map(|many| {
            let scratch = tempfile::tempdir_in(target()).expect("a folder");
            write(scratch.path(), &run(many));
            Sample::new((0..3).map(|_| show(scratch.path())).collect())
        });
        let grown = large.median() / small.median();
        println!("  {few} {what}: shown in {small} ms; 4 times as many take {grown:.1} × as long");
    }
}

fn show(archive: &Path) -> f64 {
    let address = format!("{}#{BATCH}/moor/run_1", archive.display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_gainsay"));
    command.args(["show", &address]).stdout(Stdio::null()).stderr(Stdio::null());
    wall_ms(|| assert!(command.status().expect("runs").success()))
}

const BATCH: &str = "20310101T000000Z_aaaaaa";

fn write(root: &Path, run: &Run) {
    let put = |place: &str, bytes: &[u8]| {
        let path = root.join(place);
        fs::create_dir_all(path.parent().expect("a folder")).expect("makes folders");
        fs::write(path, bytes).expect("writes");
    };
    put("data/port/primary-keys-port.json", b"{\"primary_keys\": {\"berth\": \"id\"}}");
    put("data/port/volatile-columns-port.json", b"{\"volatile_columns\": {}}");
    put("data/port/tool-tags-port.json", b"{\"tags\": []}");
    put("tasks/port/moor/damage.json", b"{\"domain\": \"port\", \"allowed\": [], \"pricing\": []}");
    let place = |file: &str| format!("runs/{BATCH}/moor/run_1/{file}");
    for (file, rows) in [("post_seed_state.json.gz", &run.before), ("final_state.json.gz", &run.after)] {
        put(
            &place(file),
            &pack(&format!("{{\"database_id\": \"db\", \"tables\": {{\"berth\": [{rows}]}}}}")),
        );
    }
    let results = format!("{{\"runs\": [{{\"conversation_flow\": [{}]}}]}}", run.conversation);
    put(&place("results_moor.json"), results.as_bytes());
}

fn pack(text: &str) -> Vec<u8> {
    let mut compressor = Compressor::new(CompressionLvl::fastest());
    let mut packed = vec![0; compressor.gzip_compress_bound(text.len())];
    let size = compressor.gzip_compress(text.as_bytes(), &mut packed).expect("packs");
    packed.truncate(size);
    packed
}

/// Many of something, between commas.
fn list(many: usize, one: impl Fn(usize) -> String) -> String {
    (0..many).map(one).collect::<Vec<String>>().join(", ")
}

/// A message with calls, answered one by one, and a last one that refuses.
fn talk(calls: &[String]) -> String {
    let calls: Vec<String> =
        calls.iter().map(|args| format!("{{\"name\": \"move\", \"args\": {{{args}}}}}")).collect();
    let answer = "{\"type\": \"tool_result\", \"tool_name\": \"move\", \"result\": {\"success\": true}}";
    format!(
        "{{\"type\": \"ai_message\", \"content\": \"\", \"tool_calls\": [{}]}}, {}, \
         {{\"type\": \"ai_message\", \"content\": \"REFUSAL: Quay 7 stays\\nQuay 12 is moved\"}}",
        calls.join(", "),
        vec![answer; calls.len()].join(", ")
    )
}

fn rows(many: usize, note: &str) -> String {
    list(many, |row| {
        format!("{{\"id\": \"BER_{row}\", \"name\": \"Quay {row}\", \"note\": \"{note} {row}\"}}")
    })
}

fn columns(many: usize) -> Run {
    let members = |note: &str| list(many, |column| format!("\"Column {column}\": \"{note} {column}\""));
    let row = |note: &str| format!("{{\"id\": \"BER_1\", {}}}", members(note));
    // The other way round, so that no column is where it was.
    let back = list(many, |column| format!("\"Column {0}\": \"left {0}\"", many - 1 - column));
    Run {
        before: row("held"),
        after: format!("{{\"id\": \"BER_1\", {back}}}"),
        conversation: talk(&[members("left")]),
    }
}

fn one_key(many: usize) -> Run {
    let row = |note: &str| list(many, |row| format!("{{\"id\": 7, \"note\": \"{note} {row}\"}}"));
    Run { before: row("held"), after: row("left"), conversation: talk(&["\"id\": 7".to_owned()]) }
}

fn calls(many: usize) -> Run {
    let calls: Vec<String> =
        (0..many).map(|row| format!("\"id\": \"BER_{row}\", \"say\": \"left {row}\"")).collect();
    Run { before: rows(many, "held"), after: rows(many, "left"), conversation: talk(&calls) }
}

fn one_call(many: usize) -> Run {
    let ids = list(many, |row| format!("{{\"id\": \"BER_{row}\", \"note\": \"left {row}\"}}"));
    let conversation = talk(&[format!("\"berths\": [{ids}]")]);
    Run { before: rows(many, "held"), after: rows(many, "left"), conversation }
}

fn one_message(many: usize) -> Run {
    let calls: Vec<String> = (0..many).map(|call| format!("\"id\": \"BER_{}\"", call % 10)).collect();
    Run { before: rows(10, "held"), after: rows(10, "left"), conversation: talk(&calls) }
}
