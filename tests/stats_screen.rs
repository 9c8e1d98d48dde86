//! The Stats screen on the sample archive, through the library as the program does it.
#![allow(clippy::expect_used, reason = "a test")]

mod support;

use std::path::Path;

use support::explorer::Labelled;

#[test]
fn the_sample_campaign_at_every_size() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data");
    let mut explorer = Labelled::open(&sample).explore(80, 24);
    explorer.press("3");
    for section in ["pools", "curves", "decay", "cells", "capability", "criteria"] {
        insta::assert_snapshot!(format!("sample_{section}_80x24"), explorer.text());
        explorer.press("<Tab>");
    }
    explorer.resize(200, 60);
    insta::assert_snapshot!("sample_200x60", explorer.text());
    explorer.resize(120, 40);
    for place in 1..=3 {
        insta::assert_snapshot!(format!("sample_{place}_120x40"), explorer.text());
        explorer.press("<Tab><Tab>");
    }
    for (columns, rows) in [(20, 5), (1, 1)] {
        explorer.resize(columns, rows);
        insta::assert_snapshot!(format!("sample_{columns}x{rows}"), explorer.text());
    }
}
