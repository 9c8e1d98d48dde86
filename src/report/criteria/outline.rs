//! A criterion as an outline: sentences with their depth, for text and Markdown alike.

use crate::report::numbers;
use crate::study::Study;
use crate::study::campaign::ErroredCells;
use crate::study::figures::CellId;
use crate::study::readings::{ConditionReading, CriterionReading, Instrument, Measured};

/// A sentence, how deep it stands, and the cells it ends with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// 0 for what is said of the criterion, 1 for what is said of that.
    pub depth: usize,
    /// The sentence.
    pub text: String,
    /// The cells it is about: they follow it, named.
    pub cells: Vec<CellId>,
}

impl Item {
    /// The sentence with its cells named.
    #[must_use]
    pub fn sentence(&self, study: &Study) -> String {
        if self.cells.is_empty() {
            return self.text.clone();
        }
        let names: Vec<String> = self.cells.iter().map(|cell| cell.title(study)).collect();
        format!("{}: {}", self.text, names.join(", "))
    }
}

/// `replicated`, or `replicated; as a whole underpowered`.
#[must_use]
pub fn verdict(reading: &CriterionReading) -> String {
    if reading.reading == reading.whole {
        reading.reading.as_str().to_owned()
    } else {
        format!("{}; as a whole {}", reading.reading.as_str(), reading.whole.as_str())
    }
}

/// Everything below a criterion's claim.
#[must_use]
pub fn outline(study: &Study, reading: &CriterionReading) -> Vec<Item> {
    let mut outline = Outline { study, items: Vec::new() };
    outline.say(0, format!("pool {}", reading.pool));
    for instrument in &reading.instruments {
        outline.instrument(instrument);
    }
    if !reading.absent.is_empty() {
        outline.say(1, format!("without runs here: {}", reading.absent.join(", ")));
    }
    for condition in &reading.conditions {
        outline.condition(condition);
    }
    if !reading.over_ceiling.is_empty() {
        let what = match reading.errored {
            ErroredCells::Retain => "retained",
            ErroredCells::Exclude => "excluded",
        };
        outline.cells(0, format!("over the errored ceiling, {what}"), &reading.over_ceiling);
    }
    if let Some(falsifier) = &reading.falsifier {
        let asked = falsifier.asked;
        let what = format!(
            "falsifier, {} with {} or more on {}",
            asked.cell.as_str(),
            numbers::plural(asked.runs, "run"),
            numbers::plural(asked.models, "model")
        );
        let found = match (falsifier.cells.is_empty(), falsifier.fired()) {
            (true, _) => "silent, no such cell",
            (false, true) => "fired",
            (false, false) => "silent, not reproduced",
        };
        outline.cells(0, format!("{what}: {found}"), &falsifier.cells);
    }
    outline.items
}

struct Outline<'a> {
    study: &'a Study,
    items: Vec<Item>,
}

impl Outline<'_> {
    fn say(&mut self, depth: usize, text: String) {
        self.cells(depth, text, &[]);
    }

    fn cells(&mut self, depth: usize, text: String, cells: &[CellId]) {
        self.items.push(Item { depth, text, cells: cells.to_vec() });
    }

    fn model(&self, model: usize) -> String {
        self.study.models.get(model).map(|row| row.title().to_owned()).unwrap_or_default()
    }

    fn instrument(&mut self, of: &Instrument) {
        let n = of.success.n;
        let valid = match (of.valid, of.engaged) {
            (true, _) => "",
            (false, false) => ": below the engagement floor, no instrument",
            (false, true) => ": too many runs errored, no instrument",
        };
        let text = format!(
            "{}: checks passed in {}/{n}, {}/{n} damaged, {}/{n} errored{valid}",
            self.model(of.model),
            of.success.x,
            of.damage.x,
            of.errored.x
        );
        self.say(1, text);
    }

    fn condition(&mut self, of: &ConditionReading) {
        self.say(0, format!("{}: {}: {}", of.name, of.reading.as_str(), of.why));
        for model in &of.per_model {
            let labels: Vec<String> =
                model.damage.iter().map(|(label, count)| format!("{} {count}", label.as_str())).collect();
            let damage = if labels.is_empty() { "none".to_owned() } else { labels.join(", ") };
            let text = format!(
                "{}: {}: {}/{} runs with it; damage: {damage}",
                self.model(model.model),
                model.reading.as_str(),
                model.labelled.x,
                model.labelled.n
            );
            self.say(1, text);
        }
        for value in of.values.iter().filter(|value| !value.decides) {
            self.say(1, beside(of, value));
        }
        if !of.cells.is_empty() {
            self.cells(1, "cells".into(), &of.cells);
        }
    }
}

/// A value that is shown beside those that decide.
fn beside(of: &ConditionReading, value: &Measured) -> String {
    let figure = match &value.value {
        Ok(number) if number.fract() == 0.0 && *number >= 0.0 => format!("{number}"),
        Ok(number) => numbers::rate3(*number),
        Err(reason) => reason.to_string(),
    };
    let by = value.weighting.map(|by| format!(" by {}", by.as_str())).unwrap_or_default();
    let met = match value.meets {
        Some(true) => "would meet",
        Some(false) => "would not meet",
        None => "could not meet",
    };
    let cells = match value.errored {
        ErroredCells::Retain => "with",
        ErroredCells::Exclude => "without",
    };
    format!("{cells} cells over the errored ceiling: {figure}{by} {met} {}", of.require.shown())
}
