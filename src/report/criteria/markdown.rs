//! Criteria as Markdown, for reports.

use super::outline::{outline, verdict};
use super::{Criteria, frozen_sentence};
use crate::report::stats::escaped;
use crate::report::text::printable;

/// A table of readings, then each criterion with what is behind it.
#[must_use]
pub fn criteria_markdown(criteria: &Criteria<'_>) -> String {
    let text = |text: &str| escaped(&printable(text));
    let study = criteria.study;
    let name = study.campaign.as_ref().and_then(|campaign| campaign.name.clone());
    let mut out = format!("# {}\n\n", text(name.as_deref().unwrap_or(&study.title)));
    if let Some(notice) = &study.synthetic {
        out.push_str(&format!("*{}*\n\n", text(notice)));
    }
    out.push_str(&format!(
        "{}\n\n| criterion | claim | reading |\n| --- | --- | --- |\n",
        text(&frozen_sentence(&criteria.frozen))
    ));
    for reading in &criteria.readings {
        let cells = [&reading.id, &reading.claim, &verdict(reading)].map(|cell| text(cell));
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    for reading in &criteria.readings {
        out.push_str(&format!(
            "\n## {}: {}\n\n{}\n\n",
            text(&reading.id),
            text(&verdict(reading)),
            text(&reading.claim)
        ));
        for item in outline(study, reading) {
            out.push_str(&format!("{}- {}\n", "  ".repeat(item.depth), text(&item.sentence(study))));
        }
    }
    out
}
