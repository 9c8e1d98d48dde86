//! Of a results file, what a verdict rests on: the rest, nearly all of it, is passed over.

use std::path::Path;

use super::super::json::Reader;
use super::{checks, flow};
use crate::model::{RunRecord, Text, Value};

/// How many containers are open around a member of the run: the document, `runs`, the run.
const IN_RUN: usize = 3;

/// The outcome of the first run. `None` if the file is not sound, not of the usual shape, or names something
/// twice: it has to be read as a whole.
pub(super) fn outcome(bytes: &[u8], path: &Path) -> Option<RunRecord> {
    std::str::from_utf8(bytes).ok()?;
    let mut reader = Reader::new(bytes);
    let mut record = None;
    members(&mut reader, |reader, name| {
        if name != "runs" {
            return reader.skip(1).ok();
        }
        if record.is_some() || reader.peek() != Some(b'[') || reader.is_empty(b']') {
            return None;
        }
        reader.skip_space();
        record = Some(run(reader, path)?);
        while reader.more(b']').ok()? {
            reader.skip(2).ok()?;
        }
        Some(())
    })?;
    reader.end().ok()?;
    record
}

fn run(reader: &mut Reader<'_>, path: &Path) -> Option<RunRecord> {
    let mut record = RunRecord::default();
    let mut met = [false; 3];
    members(reader, |reader, name| {
        let wanted = ["conversation_flow", "verification_results", "error"];
        let Some(place) = wanted.iter().position(|wanted| name == *wanted) else {
            return reader.skip(IN_RUN).ok();
        };
        if std::mem::replace(met.get_mut(place)?, true) {
            return None;
        }
        match place {
            0 => record.transcript = conversation(reader)?.map(|entries| flow::transcript(&entries)),
            1 => record.checks = checks(&reader.read(IN_RUN).ok()?, path).ok()?,
            _ => record.error = Some(reader.read(IN_RUN).ok()?).filter(|error| !error.is_null()),
        }
        Some(())
    })?;
    Some(record)
}

/// The last entry of a conversation and the last one of the agent before it, in their order; `Some(None)` if
/// there is no conversation.
fn conversation(reader: &mut Reader<'_>) -> Option<Option<Vec<Value>>> {
    if reader.peek() == Some(b'n') {
        reader.skip(IN_RUN).ok()?;
        return Some(None);
    }
    if reader.peek() != Some(b'[') {
        return None;
    }
    let mut starts = Vec::new();
    let mut more = !reader.is_empty(b']');
    while more {
        starts.push(reader.at);
        reader.skip(IN_RUN + 1).ok()?;
        more = reader.more(b']').ok()?;
    }
    let end = reader.at;
    let mut entries = Vec::new();
    for start in starts.into_iter().rev() {
        reader.at = start;
        let entry = reader.read(IN_RUN + 1).ok()?;
        let by_agent = entry.get("type").and_then(Value::as_str) == Some("ai_message");
        if by_agent || entries.is_empty() {
            entries.insert(0, entry);
        }
        if by_agent {
            break;
        }
    }
    reader.at = end;
    Some(Some(entries))
}

/// Passes an object; each member's value is passed by `member`, which stands on its first byte.
fn members<'a>(
    reader: &mut Reader<'a>,
    mut member: impl FnMut(&mut Reader<'a>, Text) -> Option<()>,
) -> Option<()> {
    reader.skip_space();
    if reader.peek() != Some(b'{') {
        return None;
    }
    let mut more = !reader.is_empty(b'}');
    while more {
        let name = reader.name().ok()?;
        reader.skip_space();
        member(reader, name)?;
        more = reader.more(b'}').ok()?;
    }
    Some(())
}
