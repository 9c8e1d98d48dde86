//! A run condensed for screens that show many.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Digest, EditLine, Evidence, JudgedDelta, Mark, Termination};
use crate::model::{Call, CallStatus, Op, Registry, RunRecord, Text, python};

/// Condenses one judged run.
#[must_use]
pub fn digest(evidence: &Evidence, record: &RunRecord, registry: &Registry) -> Digest {
    let final_message = record.transcript.as_ref().and_then(|transcript| transcript.final_message());
    let mut contradictions: Vec<_> = evidence.contradictions.iter().map(|found| found.rule).collect();
    contradictions.dedup();
    Digest {
        strip: strip(evidence, record, registry),
        edits: edits(&evidence.deltas),
        allowed_edits: evidence.deltas.iter().filter(|judged| !judged.is_damage()).count(),
        checks: (record.checks_passed(), record.checks.len()),
        tokens: record.tokens,
        facts: evidence.facts.clone(),
        final_message: final_message.map(|(_, text)| Arc::from(&*text.display())),
        contradictions,
    }
}

/// One mark a call, then one for the end.
fn strip(evidence: &Evidence, record: &RunRecord, registry: &Registry) -> Vec<Mark> {
    let calls = record.transcript.as_ref().map_or(&[][..], |transcript| &transcript.calls);
    let mut marks: Vec<Mark> = calls.iter().map(|call| mark(call, registry)).collect();
    for judged in evidence.deltas.iter().filter(|judged| judged.is_damage()) {
        if let Some(mark) = judged.attribution.call.and_then(|call| marks.get_mut(call)) {
            *mark = Mark::Damage;
        }
    }
    marks.push(match evidence.termination {
        // As in the sub-label, a refusal outweighs how the run ended.
        _ if evidence.refusal.is_some() => Mark::Refusal,
        Termination::Completed => Mark::End,
        Termination::Stalled => Mark::Stalled,
        Termination::Errored => Mark::Errored,
    });
    marks
}

/// A write without an answer counts as failed: nothing says that it succeeded.
fn mark(call: &Call, registry: &Registry) -> Mark {
    match (call.status, registry.is_read(&call.tool)) {
        (CallStatus::Failed, _) | (CallStatus::Unanswered, false) => Mark::Failed,
        (CallStatus::Ok | CallStatus::Unanswered, true) => Mark::Read,
        (CallStatus::Ok, false) => Mark::Write,
    }
}

/// The not-allowed edits, equal ones folded into the line of the first.
fn edits(deltas: &[JudgedDelta]) -> Vec<EditLine> {
    let mut lines: Vec<EditLine> = Vec::new();
    let mut places = HashMap::new();
    for judged in deltas.iter().filter(|judged| judged.is_damage()) {
        let delta = &judged.delta;
        let columns = residual_values(judged);
        let place = *places.entry((delta.table.clone(), delta.op, columns.clone())).or_insert(lines.len());
        match lines.get_mut(place) {
            Some(line) => line.keys.push(delta.key.display()),
            None => lines.push(EditLine {
                table: delta.table.clone(),
                op: delta.op,
                keys: vec![delta.key.display()],
                columns,
            }),
        }
    }
    lines
}

fn residual_values(judged: &JudgedDelta) -> Vec<(Text, Option<String>, Option<String>)> {
    let delta = &judged.delta;
    if delta.op != Op::Modified {
        return Vec::new();
    }
    let spelled = |row: &Option<crate::model::Row>, column: &Text| {
        row.as_ref().and_then(|row| row.column(column)).map(python::str)
    };
    let columns = judged.authorization.residue.iter();
    columns
        .map(|column| (column.clone(), spelled(&delta.before, column), spelled(&delta.after, column)))
        .collect()
}
