//! Criteria as text for people.

use super::outline::{outline, verdict};
use super::{Criteria, frozen_sentence};
use crate::report::legend::legend;
use crate::report::text::{pad, printable, width};

/// One line a criterion, then each with what is behind it.
#[must_use]
pub fn criteria_table(criteria: &Criteria<'_>) -> String {
    let study = criteria.study;
    let name = study.campaign.as_ref().and_then(|campaign| campaign.name.clone());
    let mut out = format!("{}\n", printable(name.as_deref().unwrap_or(&study.title)));
    if let Some(notice) = &study.synthetic {
        out.push_str(&format!("{}\n", printable(notice)));
    }
    out.push_str(&format!("{}\n", printable(&frozen_sentence(&criteria.frozen))));
    let instruments = criteria.readings.iter().flat_map(|of| &of.instruments);
    out.push_str(&legend(study, instruments.map(|instrument| instrument.model)));
    out.push('\n');
    let ids = criteria.readings.iter().map(|reading| width(&printable(&reading.id))).max().unwrap_or(0);
    for reading in &criteria.readings {
        out.push_str(&format!("{}  {}\n", pad(&reading.id, ids), verdict(reading)));
    }
    for reading in &criteria.readings {
        out.push_str(&format!("\n{}: {}\n", printable(&reading.id), verdict(reading)));
        out.push_str(&format!("  {}\n", printable(&reading.claim)));
        for item in outline(study, reading) {
            out.push_str(&format!("  {}{}\n", "  ".repeat(item.depth), printable(&item.sentence(study))));
        }
    }
    out
}
