//! From a study to text, JSON and CSV: one file per format. Pure; `cli` prints and writes.

pub mod compare;
pub mod criteria;
pub mod evidence;
mod legend;
mod map_csv;
mod map_json;
mod map_table;
pub mod plan;
pub mod reasons;
mod run_json;
mod run_text;
pub mod stats;
mod summary;
pub mod text;
mod totals;
pub mod why;
pub mod words;

use serde::Serialize;

/// How numbers look: `study` writes sentences with them too.
pub use crate::model::shown as numbers;

pub use map_csv::map_csv;
pub use map_json::map_json;
pub use map_table::{map_table, problem_line, problem_lines};
pub use run_json::run_json;
pub use run_text::run_text;
pub use summary::summary_json;
pub use totals::Totals;

/// A document as indented JSON, one line feed at its end, nothing in it that a terminal would obey.
fn json_text(document: &impl Serialize) -> String {
    // Plain structs of strings and numbers always serialize.
    let json = serde_json::to_string_pretty(document).unwrap_or_default();
    text::escaped_json(&json).into_owned() + "\n"
}
