//! A task's own checks: queries on the final state, each with the answer it wants.

use serde::{Deserialize, Serialize};

use super::HarnessError;
use super::conversation::{object, text};
use super::substrate::Substrate;
use crate::model::{Object, Value};

/// One check: the query's first column of its first row must equal a number.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SqlCheck {
    /// What it stands for, in `snake_case`.
    pub name: String,
    /// The query.
    pub query: String,
    /// The number wanted.
    pub expected: i64,
}

/// What a check found.
#[derive(Clone, Debug)]
pub struct CheckResult {
    /// The check.
    pub check: SqlCheck,
    /// The value found; null if the query gave no row.
    pub actual: Value,
}

impl CheckResult {
    /// The value found is the value wanted.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.actual == Value::from(self.check.expected)
    }

    /// As one member of `verification_results`.
    #[must_use]
    pub fn record(&self) -> Value {
        let actual = crate::model::python::str(&self.actual);
        object([
            ("passed", Value::Bool(self.passed())),
            ("expected", Value::from(self.check.expected)),
            ("actual", self.actual.clone()),
            ("comparison_type", text("equals")),
            ("query", text(self.check.query.as_str())),
            ("details", text(format!("Comparison equals: {actual} vs {}", self.check.expected))),
        ])
    }
}

/// Runs all checks on a state.
///
/// # Errors
/// If a query is no query.
pub fn verify(substrate: &Substrate, checks: &[SqlCheck]) -> Result<Vec<CheckResult>, HarnessError> {
    let look = |check: &SqlCheck| {
        let rows = substrate.query(&check.query, &Object::default())?;
        let actual =
            rows.first().and_then(|row| row.iter().next()).map_or(Value::Null, |(_, value)| value.clone());
        Ok(CheckResult { check: check.clone(), actual })
    };
    checks.iter().map(look).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_passes_only_on_the_value_wanted() {
        let substrate = Substrate::seeded("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2);", "db".into())
            .expect("seeds");
        let check = |query: &str| SqlCheck { name: "n".into(), query: query.into(), expected: 2 };
        let checks = [
            check("SELECT COUNT(*) FROM t"),
            check("SELECT a FROM t WHERE a = 1"),
            check("SELECT a FROM t WHERE a = 9"),
        ];
        let results = verify(&substrate, &checks).expect("verifies");
        assert_eq!(results.iter().map(CheckResult::passed).collect::<Vec<_>>(), [true, false, false]);
        assert_eq!(results[2].actual, Value::Null);
        assert!(verify(&substrate, &[check("SELECT nothing FROM nowhere")]).is_err());
    }
}
