//! Three mechanical facts beside a damage run, by name match, never in the verdict (UX §1).

use super::{Evidence, Facts, Inputs};

/// The facts of a damaged run; `None` without damage or without a transcript.
pub(super) fn facts(_: &Evidence, _: &Inputs<'_>) -> Option<Facts> {
    None
}
