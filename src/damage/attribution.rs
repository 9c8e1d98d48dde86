//! Which call introduced a delta (DESIGN §5, beside the verdict). Calls tagged `read` are never looked at;
//! tools without a tag may write.
//!
//! - `exact`: a successful call whose arguments name the row's key and a new value of a column that
//!   changed (one that was not allowed to, where there is one). For an added row any of its values will do;
//!   for a removed row the call must name the key and set nothing.
//! - `inferred`: a call names the key in its arguments, or a value only this row has (a name, or, under its
//!   column's name, a reference), or the key in its result (as a create does).
//!
//! Of several equally good calls the last one is shown: what it wrote is what the state holds. For an added
//! row it is the first successful one, since later calls can only edit what is there.

mod arguments;
mod index;

use std::cell::OnceCell;
use std::collections::HashSet;

use arguments::Arguments;
use index::Index;

use super::names::{Catalog, Haystack, KeyNaming};
use super::{Attribution, Grade, Inputs, States};
use crate::model::{CallStatus, Delta, Op, RunRecord, Text};

/// Attributes the deltas of one run.
pub(super) struct Attributor<'a> {
    writes: Vec<Write<'a>>,
    index: Index<'a>,
    columns: Columns<'a>,
    catalog: Catalog<'a>,
}

/// A call that may have written something.
struct Write<'a> {
    /// Index into the transcript's calls.
    call: usize,
    status: CallStatus,
    arguments: Arguments<'a>,
    result: Option<Haystack>,
}

/// The row a call is asked about.
struct Target<'t> {
    delta: &'t Delta,
    key_columns: &'t [Text],
    naming: KeyNaming,
    /// The changed columns that matter.
    written: &'t [Text],
    /// An argument named like one of these is about that column and no other.
    columns: &'t Columns<'t>,
}

/// How a call names a row, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Naming {
    /// the key in its result
    Result,
    /// a value only this row has, in its arguments
    OwnValue,
    /// the key in its arguments
    Key,
    /// the key and a new value in its arguments, and it succeeded
    KeyAndValue,
}

/// A call that names a row.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    call: usize,
    status: CallStatus,
    naming: Naming,
}

/// The calls a delta is attributed to, the one that is shown first.
#[derive(Debug, Default)]
pub(super) struct Attributed {
    grade: Grade,
    calls: Vec<usize>,
}

impl Attributed {
    /// The one call that is shown.
    pub(super) fn attribution(&self) -> Attribution {
        Attribution { grade: self.grade, call: self.calls.first().copied() }
    }

    /// The tools of all of them.
    pub(super) fn tools<'r>(&self, record: &'r RunRecord) -> Vec<&'r Text> {
        let calls = record.transcript.as_ref().map_or(&[][..], |transcript| &transcript.calls);
        self.calls.iter().filter_map(|call| calls.get(*call)).map(|call| &call.tool).collect()
    }
}

impl<'a> Attributor<'a> {
    /// Prepares the calls of a run. Without a transcript nothing can be attributed.
    pub(super) fn new(inputs: &Inputs<'a>) -> Self {
        let catalog = Catalog::new(inputs.states, inputs.registry);
        let columns = Columns { states: inputs.states, names: OnceCell::new() };
        let Some(transcript) = &inputs.record.transcript else {
            return Self { writes: Vec::new(), index: Index::default(), columns, catalog };
        };
        let calls = transcript.calls.iter().enumerate();
        let writes =
            calls.filter(|(_, call)| !inputs.registry.is_read(&call.tool)).map(|(index, call)| Write {
                call: index,
                status: call.status,
                arguments: Arguments::new(&call.args),
                result: call
                    .result
                    .and_then(|result| transcript.messages.get(result))
                    .map(|message| Haystack::new(&message.text())),
            });
        let writes: Vec<Write<'a>> = writes.collect();
        let index = Index::new(writes.iter().map(|write| (&write.arguments, write.result.as_ref())));
        Self { writes, index, columns, catalog }
    }

    /// The calls that introduced a delta. `written`: the changed columns that matter.
    pub(super) fn attribute(&mut self, delta: &Delta, written: &[Text]) -> Attributed {
        let by_value = self.naming_by_value(delta);
        let key_columns = self.catalog.key_columns(&delta.table);
        let naming = KeyNaming::new(&delta.table, key_columns);
        let target = Target { delta, key_columns, naming, written, columns: &self.columns };
        let mut asked = self.index.naming_all(delta.key.parts());
        asked.extend(&by_value);
        asked.sort_unstable();
        asked.dedup();
        let candidates: Vec<Candidate> = asked
            .into_iter()
            .filter_map(|place| {
                let write = self.writes.get(place)?;
                let naming = how(write, &target, by_value.contains(&place))?;
                Some(Candidate { call: write.call, status: write.status, naming })
            })
            .collect();
        let Some(shown) = shown(&candidates, delta.op) else { return Attributed::default() };
        let alike = |candidate: &&Candidate| {
            candidate.call != shown.call
                && candidate.naming == shown.naming
                && candidate.status == shown.status
        };
        let others = candidates.iter().filter(alike).map(|candidate| candidate.call);
        Attributed {
            grade: if shown.naming == Naming::KeyAndValue { Grade::Exact } else { Grade::Inferred },
            calls: std::iter::once(shown.call).chain(others).collect(),
        }
    }

    /// The places of writes that have a value only this row has. Whether a row has it alone takes both states, so
    /// it is asked only of what some call has.
    fn naming_by_value(&mut self, delta: &Delta) -> HashSet<usize> {
        let mut found = HashSet::new();
        for name in self.catalog.name_like(delta, true) {
            let holds = |place: &usize| {
                self.writes.get(*place).is_some_and(|write| write.arguments.hold(&name.spelled))
            };
            let holding: Vec<usize> = self.index.naming(&name.spelled).into_iter().filter(holds).collect();
            if !holding.is_empty() && self.catalog.is_own_name(&delta.table, &name) {
                found.extend(holding);
            }
        }
        for value in self.catalog.not_key(delta) {
            let having = self.index.having(value.column, value.value);
            if !having.is_empty() && self.catalog.is_own_reference(&delta.table, &value) {
                found.extend(having);
            }
        }
        found
    }
}

/// The candidate that is shown.
fn shown(candidates: &[Candidate], op: Op) -> Option<Candidate> {
    let successes = || candidates.iter().filter(|candidate| candidate.status == CallStatus::Ok);
    let first = successes().next().filter(|_| op == Op::Added);
    // A call without an answer may have gone through, a failed one should not have.
    let sure = |status| match status {
        CallStatus::Ok => 2,
        CallStatus::Unanswered => 1,
        CallStatus::Failed => 0,
    };
    first
        .or_else(|| candidates.iter().max_by_key(|found| (sure(found.status), found.naming, found.call)))
        .copied()
}

/// How a call names the row, if it does. `by_value`: it has a value only this row has.
fn how(write: &Write<'_>, target: &Target<'_>, by_value: bool) -> Option<Naming> {
    let arguments = &write.arguments;
    if write.status == CallStatus::Ok && arguments.give_key(target) && arguments.give_change(target) {
        return Some(Naming::KeyAndValue);
    }
    if arguments.mention_key(target) {
        return Some(Naming::Key);
    }
    if by_value {
        return Some(Naming::OwnValue);
    }
    let in_result = write.result.as_ref().is_some_and(|text| target.naming.is_named(&target.delta.key, text));
    in_result.then_some(Naming::Result)
}

/// The columns of all tables, as their first rows have them, collected when they are asked for.
struct Columns<'a> {
    states: &'a dyn States,
    names: OnceCell<HashSet<Text>>,
}

impl Columns<'_> {
    fn contains(&self, name: &Text) -> bool {
        let names = self.names.get_or_init(|| {
            let states = [self.states.post_seed(), self.states.final_state()];
            let tables = states.into_iter().flat_map(|state| state.tables.values());
            tables.filter_map(|table| table.rows.first()).flat_map(|row| row.names().cloned()).collect()
        });
        names.contains(name)
    }
}
