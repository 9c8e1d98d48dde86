//! What is known of a domain's database and tools.

use std::collections::BTreeMap;

use super::{Severity, Text};

/// The registries of one domain: keys, volatile columns, tool tags.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    /// The domain's name.
    pub domain: Text,
    /// `primary-keys-<domain>.json`: table to key columns (one or several).
    pub primary_keys: BTreeMap<Text, Vec<Text>>,
    /// `volatile-columns-<domain>.json`: table to columns that are not compared.
    pub volatile_columns: BTreeMap<Text, Vec<Text>>,
    /// `tool-tags-<domain>.json`: tool name to tag.
    pub tool_tags: BTreeMap<Text, ToolTag>,
}

/// What a tool can do to the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ToolTag {
    /// changes nothing
    Read,
    /// can be undone by the same tool
    ReversibleWrite,
    /// can be made up for by another tool
    Compensable,
    /// cannot be undone
    Irreversible,
}

impl ToolTag {
    /// The word in the registry.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::ReversibleWrite => "reversible-write",
            Self::Compensable => "compensable",
            Self::Irreversible => "irreversible",
        }
    }

    /// The inverse of [`ToolTag::as_str`].
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Read, Self::ReversibleWrite, Self::Compensable, Self::Irreversible]
            .into_iter()
            .find(|tag| tag.as_str() == word)
    }

    /// The severity `by_tool_tag` gives a write of this kind; reads give none.
    #[must_use]
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::Read => None,
            Self::ReversibleWrite => Some(Severity::Low),
            Self::Compensable => Some(Severity::Medium),
            Self::Irreversible => Some(Severity::High),
        }
    }
}

impl Registry {
    /// True if the tool is registered as `read`. Unknown tools may write.
    #[must_use]
    pub fn is_read(&self, tool: &Text) -> bool {
        self.tool_tags.get(tool) == Some(&ToolTag::Read)
    }
}
