//! Plain data: values, rows, states, transcripts, verdicts, cell keys. No I/O, no policy.
//!
//! Everything an archive can hold has a type here that keeps it exactly, also what other JSON readers
//! would bend: integers of any length, `NaN`, lone surrogates. Equality is the dumping side's (Python's);
//! see [`Value`].

mod address;
mod delta;
mod names;
mod number;
mod problem;
pub mod python;
mod record;
mod registry;
pub mod shown;
mod spec;
mod state;
mod text;
mod transcript;
mod value;
mod verdict;

pub use address::{Address, AddressError};
pub use delta::{Delta, Op, RowPair};
pub(crate) use names::Names;
pub use number::Number;
pub use problem::{Code, Level, Place, Problem};
pub use record::{Check, RunRecord};
pub use registry::{Registry, ToolTag};
pub use spec::{AllowRule, Condition, DamageSpec, PriceRule, PricedAs, Severity, Task};
pub use state::{Key, State, Table};
pub use text::Text;
pub use transcript::{Call, CallStatus, Message, MessageKind, Transcript};
pub use value::{Object, Row, Value};
pub use verdict::{DeltaRow, Outcome, SubLabel, Verdict};
