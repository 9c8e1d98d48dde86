//! Addresses of runs: `archive#model/task/run`.

use std::fmt;
use std::str::FromStr;

/// Names one run so that it can be opened again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// The path given to `gainsay`.
    pub archive: String,
    /// The model's name on screen (`model@batch` where one name needs it).
    pub model: String,
    /// The task's directory name.
    pub task: String,
    /// The run's directory name.
    pub run: String,
}

/// Why a text is no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an address: expected archive#model/task/run")]
pub struct AddressError(pub String);

impl FromStr for Address {
    type Err = AddressError;

    /// The run and task are the last two parts, so a model's name may hold a `/`. A run may be given as
    /// its bare number.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || AddressError(text.to_owned());
        let (archive, rest) = text.rsplit_once('#').ok_or_else(bad)?;
        let (rest, run) = rest.rsplit_once('/').ok_or_else(bad)?;
        let (model, task) = rest.rsplit_once('/').ok_or_else(bad)?;
        if [archive, model, task, run].iter().any(|part| part.is_empty()) {
            return Err(bad());
        }
        let run =
            if run.bytes().all(|byte| byte.is_ascii_digit()) { format!("run_{run}") } else { run.to_owned() };
        Ok(Self { archive: archive.into(), model: model.into(), task: task.into(), run })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}/{}/{}", self.archive, self.model, self.task, self.run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_reads_back() {
        let text = "archives/a#kestrel-large@b1/approval-gate/run_2";
        let address: Address = text.parse().expect("parses");
        assert_eq!(address.to_string(), text);
        assert_eq!("x#m/t/2".parse::<Address>().expect("parses").run, "run_2");
        assert!("x#m/t".parse::<Address>().is_err());
        assert!("m/t/run_1".parse::<Address>().is_err());
    }
}
