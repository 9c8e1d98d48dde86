//! The labeler: two states, a spec and a transcript → a verdict with its evidence. Deterministic, no
//! language model anywhere, and it reads no files.
//!
//! The steps, one file each, in the order data takes (DESIGN §5): `diff` → `authorize` → `price` →
//! `label`; beside the verdict `attribution`, `facts` and `contradictions`; `digest` condenses a run for
//! the screens that show many.

mod evidence;

pub use evidence::{
    Attribution, Authorization, Contradiction, Digest, EditLine, Evidence, Facts, Grade, JudgedDelta, Mark,
    Miss, NamesRow, PriceSource, Priced, RefusalLine, RuleCheck, RuleId, Termination,
};
