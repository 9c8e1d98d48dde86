//! A study as text, JSON, CSV. [`numbers`] says how every number looks, on screens too.

pub mod numbers;
