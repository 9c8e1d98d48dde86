//! Archives for measuring, made up on the spot: the sizes of a real one, invented content.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use libdeflater::{CompressionLvl, Compressor};

/// A table to make up.
#[derive(Clone, Debug)]
pub struct Shape {
    pub name: String,
    pub rows: usize,
    pub columns: usize,
}

/// One table.
pub fn one(rows: usize) -> Vec<Shape> {
    shapes(&[(rows, 6)])
}

pub fn shapes(sizes: &[(usize, usize)]) -> Vec<Shape> {
    let shape = |(index, (rows, columns)): (usize, &(usize, usize))| Shape {
        name: format!("table_{index:02}"),
        rows: *rows,
        columns: *columns,
    };
    sizes.iter().enumerate().map(shape).collect()
}

/// An archive to make up.
#[derive(Clone, Debug)]
pub struct Plan {
    pub shapes: Vec<Shape>,
    pub runs: usize,
    /// Runs of one task; they share a seed.
    pub per_task: usize,
    /// How many rows of a final dump differ.
    pub changed: usize,
}

const WORDS: [&str; 16] = [
    "quay",
    "harbour",
    "pilot",
    "cargo",
    "vessel",
    "is not working as expected",
    "berth",
    "crane",
    "manifest",
    "tide",
    "anchor",
    "signal",
    "delayed by weather",
    "inspected",
    "cleared",
    "held",
];

/// A dump: every row has an id and text, numbers, dates and nulls in turn. `changed` rows, evenly spread, hold
/// another text than in the seed; `run` makes it differ between runs.
fn dump(shapes: &[Shape], database: usize, changed: usize, run: usize) -> String {
    let total: usize = shapes.iter().map(|shape| shape.rows).sum();
    let mut text = format!("{{\"database_id\": \"db_{database:013}\", \"tables\": {{");
    let mut seen = 0;
    for (index, shape) in shapes.iter().enumerate() {
        let comma = if index == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}\"{}\": [", shape.name);
        for row in 0..shape.rows {
            let is_changed = (seen + 1) * changed / total > seen * changed / total;
            seen += 1;
            let comma = if row == 0 { "" } else { ", " };
            let _ = write!(text, "{comma}{{\"id\": {}, ", row + 1);
            for column in 1..shape.columns - 1 {
                let mixed = row.wrapping_mul(2_654_435_761).wrapping_add(column * 40_503) >> 7;
                let _ = match column % 4 {
                    0 => write!(text, "\"owner_{column}_id\": {}, ", mixed % 900),
                    1 => write!(
                        text,
                        "\"state_{column}\": \"{} {}\", ",
                        WORDS[mixed % 16],
                        WORDS[mixed / 16 % 16]
                    ),
                    2 => write!(
                        text,
                        "\"opened_{column}\": \"2031-{:02}-{:02} 08:15:00\", ",
                        mixed % 12 + 1,
                        mixed % 28 + 1
                    ),
                    _ => write!(text, "\"closed_{column}\": null, "),
                };
            }
            let note = WORDS[row % 16];
            let _ = match is_changed {
                true => write!(text, "\"title\": \"{note} {row}, changed by {run}\"}}"),
                false => write!(text, "\"title\": \"{note} {row}\"}}"),
            };
        }
        text.push(']');
    }
    text + "}}"
}

fn results() -> String {
    let talk = "The pilot boards at the outer buoy and the tug follows. ".repeat(40);
    let mut flow = format!("{{\"type\": \"system_message\", \"content\": \"{talk}\"}}");
    for call in 0..6 {
        let _ = write!(
            flow,
            ", {{\"type\": \"ai_message\", \"content\": \"\", \"tool_calls\": [{{\"name\": \"find_berth\", \"args\": {{\"id\": {call}}}}}]}}, \
             {{\"type\": \"tool_result\", \"tool_name\": \"find_berth\", \"result\": {{\"success\": true, \"result\": {{\"content\": \
             [{{\"type\": \"text\", \"text\": \"{talk}\"}}]}}}}}}"
        );
    }
    format!(
        "{{\"runs\": [{{\"run_number\": 1, \"conversation_flow\": [{flow}, {{\"type\": \"ai_message\", \"content\": \"Done.\"}}], \
         \"verification_results\": {{\"berth\": {{\"passed\": true}}}}, \"overall_success\": true}}]}}"
    )
}

/// Writes the archive. Files of equal content are one file under several names, which changes nothing for who
/// reads them: no two runs in a row have the same dumps.
pub fn write(dir: &Path, plan: &Plan) -> PathBuf {
    let root = dir.join("archive");
    let put = |place: &str, bytes: &[u8]| {
        let path = root.join(place);
        fs::create_dir_all(path.parent().expect("a folder")).expect("makes folders");
        fs::write(&path, bytes).expect("writes");
        path
    };
    let keys: Vec<String> = plan.shapes.iter().map(|shape| format!("\"{}\": \"id\"", shape.name)).collect();
    put(
        "data/port/primary-keys-port.json",
        format!("{{\"primary_keys\": {{{}}}}}", keys.join(", ")).as_bytes(),
    );
    let masked = "{\"volatile_columns\": {\"table_00\": [\"opened_2\"]}}";
    put("data/port/volatile-columns-port.json", masked.as_bytes());
    put("data/port/tool-tags-port.json", b"{\"tags\": []}");
    let variants = plan.runs.min(4);
    // File systems allow some 65,000 names a file.
    let files: Vec<[PathBuf; 3]> = (0..variants)
        .map(|run| {
            let before = pack(&dump(&plan.shapes, 2 * run, 0, run));
            let after = pack(&dump(&plan.shapes, 2 * run, plan.changed, run));
            [
                put(&format!("parts/{run}.before"), &before),
                put(&format!("parts/{run}.after"), &after),
                put(&format!("parts/{run}.results"), results().as_bytes()),
            ]
        })
        .collect();
    for run in 0..plan.runs {
        let (task, number) = (run / plan.per_task, run % plan.per_task + 1);
        if number == 1 {
            let spec = "{\"domain\": \"port\", \"allowed\": [{\"table\": \"table_00\"}], \"pricing\": []}";
            put(&format!("tasks/port/task_{task:05}/damage.json"), spec.as_bytes());
        }
        let place = root.join(format!("runs/20310101T000000Z_aaaaaa/task_{task:05}/run_{number}"));
        fs::create_dir_all(&place).expect("makes folders");
        let [before, after, record] = &files[run % variants];
        fs::hard_link(before, place.join("post_seed_state.json.gz")).expect("links");
        fs::hard_link(after, place.join("final_state.json.gz")).expect("links");
        fs::hard_link(record, place.join(format!("results_task_{task:05}.json"))).expect("links");
    }
    root
}

fn pack(text: &str) -> Vec<u8> {
    let level = if text.len() > 20 << 20 { 1 } else { 9 };
    let mut compressor = Compressor::new(CompressionLvl::new(level).expect("a level"));
    let mut packed = vec![0; compressor.gzip_compress_bound(text.len())];
    let size = compressor.gzip_compress(text.as_bytes(), &mut packed).expect("packs");
    packed.truncate(size);
    packed
}
