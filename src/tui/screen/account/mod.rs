//! What runs said and did, in the words that several screens share.

pub mod brief;
pub mod conversation;
pub mod edits;
pub mod groups;
pub mod patterns;
pub mod said;
