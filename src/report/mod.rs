//! A study as text, JSON, CSV. [`numbers`] says how every number looks, [`text`] makes text from archives fit to
//! print, on screens too.

pub mod numbers;
pub mod text;
