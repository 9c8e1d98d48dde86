//! Pieces of screens: they paint what they are given.

pub mod chrome;
pub mod popup;
