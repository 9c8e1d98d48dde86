//! A criterion as an outline: sentences with their depth, for text and Markdown alike.

use super::Criteria;
use crate::report::numbers;
use crate::study::campaign::ErroredCells;
use crate::study::figures::CellId;
use crate::study::readings::{ConditionReading, CriterionReading, Instrument, Measured};

/// A sentence, and how deep it stands.
pub(super) struct Item {
    pub(super) depth: usize,
    pub(super) text: String,
}

/// `replicated`, or `replicated; as a whole underpowered`.
pub(super) fn verdict(reading: &CriterionReading) -> String {
    if reading.reading == reading.whole {
        reading.reading.as_str().to_owned()
    } else {
        format!("{}; as a whole {}", reading.reading.as_str(), reading.whole.as_str())
    }
}

/// Everything below a criterion's claim.
pub(super) fn outline(criteria: &Criteria<'_>, reading: &CriterionReading) -> Vec<Item> {
    let mut outline = Outline { criteria, items: Vec::new() };
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
        outline.say(0, format!("over the errored ceiling, {what}: {}", outline.names(&reading.over_ceiling)));
    }
    if let Some(falsifier) = &reading.falsifier {
        let asked = falsifier.asked;
        let what = format!(
            "falsifier, {} with {} runs or more on {} models",
            asked.cell.as_str(),
            asked.runs,
            asked.models
        );
        let found = if falsifier.cells.is_empty() {
            "silent, no such cell".to_owned()
        } else {
            let fired = if falsifier.fired() { "fired" } else { "silent, not reproduced" };
            format!("{fired}: {}", outline.names(&falsifier.cells))
        };
        outline.say(0, format!("{what}: {found}"));
    }
    outline.items
}

struct Outline<'a> {
    criteria: &'a Criteria<'a>,
    items: Vec<Item>,
}

impl Outline<'_> {
    fn say(&mut self, depth: usize, text: String) {
        self.items.push(Item { depth, text });
    }

    fn names(&self, cells: &[CellId]) -> String {
        cells.iter().map(|cell| cell.name(self.criteria.study)).collect::<Vec<_>>().join(", ")
    }

    fn model(&self, model: usize) -> String {
        self.criteria.study.models.get(model).map(|row| row.title().to_owned()).unwrap_or_default()
    }

    fn instrument(&mut self, of: &Instrument) {
        let n = of.success.n;
        let valid = match (of.valid, of.engaged) {
            (true, _) => "",
            (false, false) => ": below the engagement floor, no instrument",
            (false, true) => ": too many runs errored, no instrument",
        };
        let text = format!(
            "{}: {}/{n} passed, {}/{n} damaged, {}/{n} errored{valid}",
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
            self.say(1, format!("cells: {}", self.names(&of.cells)));
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
    format!("{cells} cells over the errored ceiling: {figure}{by} {met} {}", of.require)
}
