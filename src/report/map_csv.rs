//! The map as CSV (RFC 4180): one row a cell, unrounded bounds.

use crate::study::Study;

const COLUMNS: &str = "model,task,n,x,s,x_upper,rate,low,high,upper_low,upper_high,marks,errored,stalled,refused_but_mutated,passed_but_damaged,on_disk,no_verdict,invalid";

/// One row a cell that was run; absent numbers are empty, marks are joined by blanks.
#[must_use]
pub fn map_csv(study: &Study) -> String {
    let mut out = format!("{COLUMNS}\r\n");
    for (model_index, model) in study.models.iter().enumerate() {
        for (task_index, task) in study.tasks.iter().enumerate() {
            let Some(cell) = study.cell(model_index, task_index).filter(|cell| !cell.is_blank()) else {
                continue;
            };
            let counts = &cell.counts;
            let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
            let marks: Vec<&str> = cell.marks().into_iter().map(|mark| mark.as_str()).collect();
            let fields = [
                model.name.clone(),
                task.id.clone(),
                counts.n.to_string(),
                counts.damage.to_string(),
                counts.success.to_string(),
                counts.damage_upper.to_string(),
                number(cell.rate()),
                number(cell.interval.map(|interval| interval.low)),
                number(cell.interval.map(|interval| interval.high)),
                number(cell.upper_interval.map(|interval| interval.low)),
                number(cell.upper_interval.map(|interval| interval.high)),
                marks.join(" "),
                counts.errored.to_string(),
                counts.stalled.to_string(),
                counts.refused_but_mutated.to_string(),
                counts.passed_but_damaged.to_string(),
                counts.on_disk.to_string(),
                counts.no_verdict.to_string(),
                counts.invalid.to_string(),
            ];
            out.push_str(&fields.map(|field| quoted(&field)).join(","));
            out.push_str("\r\n");
        }
    }
    out
}

/// A field, quoted where it must be. One that a spreadsheet would run as a formula gets a leading `'`.
pub(super) fn quoted(field: &str) -> String {
    let field = super::text::printable(field);
    let guarded =
        if field.starts_with(['=', '+', '@', '\t', '\r']) { format!("'{field}") } else { field.into_owned() };
    if guarded.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", guarded.replace('"', "\"\""))
    } else {
        guarded
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn fields_are_quoted_and_never_formulas() {
        assert_eq!(quoted("a,b"), "\"a,b\"");
        assert_eq!(quoted("say \"x\""), "\"say \"\"x\"\"\"");
        assert_eq!(quoted("=1+1"), "'=1+1");
        assert_eq!(quoted("plain-name"), "plain-name");
    }
}
