//! What befalls single runs after they were recorded, so that the Problems screen has something to show.

use serde::Deserialize;

use crate::harness::HarnessError;
use crate::harness::recorder::Files;

/// One mishap.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mishap {
    model: String,
    task: String,
    run: usize,
    what: What,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum What {
    FinalDumpLost,
    FinalDumpCutShort,
    ResultsEmptied,
    DirectoryLost,
}

impl Mishap {
    /// Lets it happen to the files of the model's batch.
    pub(super) fn befall(&self, files: &mut Files, batches: &[(String, String)]) -> Result<(), HarnessError> {
        let nothing =
            || HarnessError::data("models.toml", &format!("a mishap of {} meets no run", self.model));
        let (_, batch) = batches.iter().find(|(model, _)| *model == self.model).ok_or_else(nothing)?;
        let run = format!("runs/{batch}/{}/run_{}/", self.task, self.run);
        let dump = format!("{run}final_state.json.gz");
        match self.what {
            What::FinalDumpLost => files.remove(|path| path == dump),
            What::FinalDumpCutShort => {
                let bytes = files.get_mut(&dump).ok_or_else(nothing)?;
                bytes.truncate(bytes.len() / 2);
            }
            What::ResultsEmptied => {
                let results = format!("{run}results_{}.json", self.task);
                files.get_mut(&results).ok_or_else(nothing)?.clear();
            }
            What::DirectoryLost => files.remove(|path| path.starts_with(&run)),
        }
        Ok(())
    }
}
