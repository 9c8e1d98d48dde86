//! Pieces of screens: they paint what they are given.

pub mod bar;
pub mod chrome;
pub mod plot;
pub mod popup;
pub mod rich;
pub mod scroll;
pub mod strip;
pub mod word_diff;
