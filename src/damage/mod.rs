//! The labeler: two states, a spec and a transcript → a verdict with its evidence. Deterministic, no
//! language model anywhere, and it reads no files.
//!
//! [`label`] gives the verdict, [`judge`] the verdict with its evidence. Both take the [`diff`] of the states,
//! which may come from wherever it is found fastest, and put the steps together, one file each, in the order data takes (DESIGN §5):
//!
//! | file | from → to |
//! | --- | --- |
//! | `diff` | two states → raw deltas; `diff/keyed` groups rows by key, `diff/pairing` handles keys that are not unique, `diff/shape` warns of tables and columns that came or went |
//! | `order` | deltas → verdict order |
//! | `authorize`, `price` | a delta, the rules (`matching`) → what is allowed, what the rest weighs |
//! | `termination`, `refusal` | the record → how it ended, whether it declares a refusal |
//! | `label` | all of it → the verdict |
//!
//! Beside the verdict stand `attribution` (which call did it), `facts` (what the messages name; both by
//! the name matching of `names`) and `contradictions`, one rule a file. `evidence` has the types; `digest`
//! condenses a run for screens that show many; [`fingerprint()`] and [`drift`] compare post-seed states.

/// The labeler's version. Raised whenever a verdict, digest or finding may come out otherwise for the same
/// input, so that results kept by an earlier one are not taken for this one's.
pub const LABELER: u32 = 3;

mod attribution;
mod authorize;
mod contradictions;
mod diff;
mod digest;
mod evidence;
mod facts;
mod finding;
mod fingerprint;
mod label;
mod matching;
mod names;
mod order;
mod price;
mod refusal;
mod states;
mod termination;

pub use authorize::authorize;
pub use diff::{Diff, Differ, diff, drift};
pub use digest::digest;
pub use evidence::{
    Attribution, Authorization, Contradiction, Digest, EditLine, Evidence, Facts, Grade, JudgedDelta, Mark,
    Miss, NamesRow, PriceSource, Priced, RefusalLine, RuleCheck, RuleId, Termination,
};
pub use finding::Finding;
pub use fingerprint::{Fingerprint, fingerprint};
pub use label::{Inputs, Judged, Labelled, judge, label, rests_on_calls, rests_on_column};
pub use price::price;
pub use refusal::refusal;
pub use states::States;
pub use termination::termination;
