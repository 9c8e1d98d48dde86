//! The invented company: its database, its tools, what all of its tasks share.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::harness::HarnessError;
use crate::harness::conversation::{object, text};
use crate::harness::recorder::Files;
use crate::harness::tools::Toolbox;
use crate::model::Value;

/// `company.toml`, with the files it goes with.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Company {
    /// The domain's name: the folder of its tasks, the end of its registries' names.
    pub(super) domain: String,
    /// The sentence that says that all this is synthetic.
    pub(super) notice: String,
    /// Where the seed file lies in the archive.
    pub(super) seed_database_file: String,
    /// The tool server's name.
    pub(super) server: String,
    desk: Desk,
    /// The policy every task begins with.
    pub(super) system_prompt: String,
    /// Table to columns the database fills with the clock.
    pub(super) volatile: BTreeMap<String, Vec<String>>,
    /// The seed file.
    #[serde(skip)]
    pub(super) seed: &'static str,
    /// `tools.toml`.
    #[serde(skip, default = "no_tools")]
    pub(super) toolbox: Toolbox,
}

/// Whom the agent works for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Desk {
    user_id: String,
    name: String,
    email: String,
}

fn no_tools() -> Toolbox {
    Toolbox { tools: Vec::new() }
}

impl Company {
    pub(super) fn load() -> Result<Self, HarnessError> {
        let company: Self = toml::from_str(include_str!("company.toml"))
            .map_err(|error| HarnessError::data("company.toml", &error))?;
        let toolbox = Toolbox::parse("tools.toml", include_str!("tools.toml"))?;
        Ok(Self { seed: include_str!("seed.sql"), toolbox, ..company })
    }

    /// Puts what belongs to the company as a whole into the archive.
    pub(super) fn put(&self, files: &mut Files) {
        files.put(self.seed_database_file.as_str(), self.seed);
    }

    /// The entry tasks have for the server their tools live on.
    pub(super) fn server_config(&self) -> Value {
        let desk = object([
            ("user_id", text(self.desk.user_id.as_str())),
            ("name", text(self.desk.name.as_str())),
            ("email", text(self.desk.email.as_str())),
        ]);
        object([
            ("mcp_server_name", text(self.server.as_str())),
            ("seed_database_file", text(self.seed_database_file.as_str())),
            ("user_info", desk),
        ])
    }
}
