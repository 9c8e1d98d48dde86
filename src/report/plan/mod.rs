//! Plans of further runs, as text and JSON.

mod json;
mod table;

pub use json::plan_json;
pub use table::plan_table;

use crate::stats::Side;

/// The word for a side, in text and JSON.
fn word(side: Side) -> &'static str {
    match side {
        Side::Below => "below",
        Side::Inside => "inside",
        Side::Above => "above",
    }
}
