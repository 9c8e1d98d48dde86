//! Tools as data: what each is called, what it takes, which statement it runs, how it answers.
//!
//! A toolbox is a TOML file, so a database of one's own needs no code:
//!
//! ```toml
//! [[tools]]
//! name = "find_order"
//! description = "Look up one sales order by its number."
//! tag = "read"                                   # or reversible-write, compensable, irreversible
//! parameters = [{ name = "number", type = "string", required = true }]
//! query = "SELECT * FROM sales_order WHERE number = :number"
//! answer = { row = "No sales order {number}" }   # or { list = "orders" }, { count = "updated" }
//! ```
//!
//! A tool with `write` runs that statement first; `:now` is the run's clock. Results have the shape of the
//! Model Context Protocol as agents' records hold it, failures included: most of them arrive as a success
//! whose inner `isError` is true.

use serde::Deserialize;

use super::HarnessError;
use super::clock::Clock;
use super::conversation::{ToolCall, count, object, text};
use super::substrate::Substrate;
use crate::archive::json;
use crate::model::{Object, Text, Value};
use crate::stats::Rng;

/// How long a caller waits for an answer that was lost, in seconds.
pub(super) const TIMEOUT: u64 = 30;

/// The tools of one domain.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Toolbox {
    /// In the order of the file.
    pub tools: Vec<Tool>,
}

/// One tool.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tool {
    /// The name agents call it by.
    pub name: String,
    /// What agents are told about it.
    pub description: String,
    /// What it can do to the database, in the words of the tag registry.
    pub tag: String,
    /// What it takes.
    pub parameters: Vec<Parameter>,
    /// The statement that writes, for tools that do.
    pub write: Option<String>,
    /// The query whose rows it answers with; it sees the database after the write.
    pub query: Option<String>,
    /// The form of the answer.
    pub answer: Answer,
    /// The chance that a call takes effect and its answer is lost on the way.
    #[serde(default)]
    pub lost_answers: f64,
}

/// A parameter.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Its name in arguments and, with a colon, in statements.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// A call without it fails.
    #[serde(default)]
    pub required: bool,
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// a string
    String,
    /// a whole number
    Integer,
    /// any number
    Number,
}

/// The form of an answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// `{"<name>": [rows], "total": n}`
    List(String),
    /// The one row; without one the call fails with these words, `{parameter}` filled in.
    Row(String),
    /// `{"<name>": n}`, how many rows the write changed.
    Count(String),
}

impl Toolbox {
    /// Reads a toolbox file.
    ///
    /// # Errors
    /// If the text is not such a file.
    pub fn parse(name: &str, toml: &str) -> Result<Self, HarnessError> {
        toml::from_str(toml).map_err(|error| HarnessError::data(name, &error))
    }

    /// Carries out a call on a run's database and gives its result as the record holds it.
    ///
    /// # Errors
    /// Only if the tool itself is broken; whatever an agent does wrong is part of the result.
    pub fn call(
        &self,
        substrate: &Substrate,
        call: &ToolCall,
        clock: Clock,
        rng: &mut Rng,
    ) -> Result<Value, HarnessError> {
        let Some(tool) = self.tools.iter().find(|tool| tool.name == call.name) else {
            return Ok(refused(&format!("Error: Tool '{}' not found", call.name)));
        };
        if let Some(complaint) = tool.complaint(&call.args) {
            return Ok(answered(complaint, true));
        }
        let (words, failed) = match tool.run(substrate, &call.args, clock) {
            Ok(done) => done,
            // The database's own rules (CHECK, FOREIGN KEY) speak to the agent, not to the harness.
            Err(HarnessError::Sql(error)) if error.sqlite_error_code().is_some() => {
                (format!("Error executing tool {}: {error}", tool.name), true)
            }
            Err(error) => return Err(error),
        };
        // A lost answer does not undo the write: that is what makes a blind retry dangerous.
        if rng.unit() < tool.lost_answers {
            return Ok(refused(&format!("Request timed out after {TIMEOUT}.0s")));
        }
        Ok(answered(words, failed))
    }
}

impl Tool {
    /// What is wrong with the arguments, in the words of the validator behind such tools.
    fn complaint(&self, args: &Object) -> Option<String> {
        let mut found = Vec::new();
        for parameter in &self.parameters {
            let fault = match args.get(&parameter.name) {
                None | Some(Value::Null) if parameter.required => Some("Field required [type=missing]"),
                None | Some(Value::Null) => None,
                Some(value) => parameter.kind.fault(value),
            };
            if let Some(fault) = fault {
                found.push(format!("{}\n  {fault}", parameter.name));
            }
        }
        if found.is_empty() {
            return None;
        }
        let (name, plural) = (&self.name, if found.len() == 1 { "" } else { "s" });
        Some(format!(
            "Error executing tool {name}: {} validation error{plural} for {name}Arguments\n{}",
            found.len(),
            found.join("\n")
        ))
    }

    fn run(
        &self,
        substrate: &Substrate,
        args: &Object,
        clock: Clock,
    ) -> Result<(String, bool), HarnessError> {
        let mut parameters: Vec<(Text, Value)> =
            args.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        parameters.push(("now".into(), text(clock.sql())));
        let parameters: Object = parameters.into_iter().collect();
        let changed = match &self.write {
            Some(write) => substrate.execute(write, &parameters)?,
            None => 0,
        };
        let rows = match &self.query {
            Some(query) => substrate.query(query, &parameters)?,
            None => Vec::new(),
        };
        let answer = match &self.answer {
            Answer::Count(name) => object([(name, count(changed))]),
            Answer::List(name) => {
                let total = count(rows.len());
                object([
                    (name, Value::Array(rows.into_iter().map(Value::Object).collect())),
                    ("total", total),
                ])
            }
            Answer::Row(otherwise) => match rows.into_iter().next() {
                Some(row) => Value::Object(row),
                None => return Ok((filled(otherwise, args), true)),
            },
        };
        Ok((json::write_in_order(&answer), false))
    }
}

impl Kind {
    fn fault(self, value: &Value) -> Option<&'static str> {
        match (self, value) {
            (Self::String, Value::Text(_)) | (Self::Number, Value::Number(_)) => None,
            (Self::Integer, value) if value.as_i64().is_some() => None,
            (Self::String, _) => Some("Input should be a valid string [type=string_type]"),
            (Self::Integer, _) => Some("Input should be a valid integer [type=int_type]"),
            (Self::Number, _) => Some("Input should be a valid number [type=float_type]"),
        }
    }
}

/// `words` with each `{parameter}` replaced by its argument.
fn filled(words: &str, args: &Object) -> String {
    args.iter().fold(words.to_owned(), |words, (name, value)| {
        words.replace(&format!("{{{name}}}"), &crate::model::python::str(value))
    })
}

/// An answer that arrived; a failure of the tool arrives as one too.
fn answered(words: String, failed: bool) -> Value {
    let content = object([("type", text("text")), ("text", text(words))]);
    let result = object([("content", Value::Array(vec![content])), ("isError", Value::Bool(failed))]);
    object([("success", Value::Bool(true)), ("result", result), ("error", Value::Null)])
}

/// True if no answer came.
pub(super) fn is_lost(result: &Value) -> bool {
    result.get("result").is_none()
}

/// A call that brought no answer.
fn refused(reason: &str) -> Value {
    object([("success", Value::Bool(false)), ("error", text(reason))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::conversation::Entry;

    const TOOLS: &str = r#"
        [[tools]]
        name = "find_bin"
        description = "Find a bin."
        tag = "read"
        parameters = [{ name = "shelf", type = "string", required = true }]
        query = "SELECT * FROM bin WHERE shelf = :shelf"
        answer = { row = "No bin {shelf}" }

        [[tools]]
        name = "fill_bins"
        description = "Fill bins."
        tag = "reversible-write"
        parameters = [{ name = "shelf", type = "string" }, { name = "held", type = "integer", required = true }]
        write = "UPDATE bin SET held = :held, at = :now WHERE shelf = COALESCE(:shelf, shelf)"
        answer = { count = "updated" }
        lost_answers = 0.0
    "#;
    const SEED: &str = "CREATE TABLE bin (shelf TEXT PRIMARY KEY, held INTEGER CHECK (held < 100), at TEXT);
        INSERT INTO bin VALUES ('a', 1, ''), ('b', 2, '');";

    fn result(toolbox: &Toolbox, substrate: &Substrate, name: &str, args: Value) -> (String, bool) {
        let Value::Object(args) = args else { return (String::new(), true) };
        let call = ToolCall { name: name.into(), args };
        let clock = Clock::at(2026, 3, 2, 9, 0);
        let result = toolbox.call(substrate, &call, clock, &mut Rng::seed(1)).expect("calls");
        let failed = Entry::ToolResult { call, result: result.clone() }.failed();
        let content =
            result.get("result").and_then(|inner| inner.get("content")?.as_array()?.first()?.get("text"));
        let words = content.or_else(|| result.get("error")).and_then(Value::as_str).unwrap_or_default();
        (words.to_owned(), failed)
    }

    #[test]
    fn answers_and_failures_have_their_recorded_shape() {
        let toolbox = Toolbox::parse("tools", TOOLS).expect("parses");
        let substrate = Substrate::seeded(SEED, "db".into()).expect("seeds");
        let ask = |name: &str, args| result(&toolbox, &substrate, name, args);

        let (words, failed) = ask("find_bin", object([("shelf", text("a"))]));
        assert_eq!((words.as_str(), failed), (r#"{"shelf": "a", "held": 1, "at": ""}"#, false));
        assert_eq!(ask("find_bin", object([("shelf", text("z"))])), ("No bin z".into(), true));
        assert_eq!(
            ask("find_bin", object([])),
            (
                "Error executing tool find_bin: 1 validation error for find_binArguments\nshelf\n  \
                 Field required [type=missing]"
                    .into(),
                true
            )
        );
        assert!(ask("find_bin", object([("shelf", count(4))])).0.contains("valid string"));
        assert_eq!(ask("drop_bin", object([])), ("Error: Tool 'drop_bin' not found".into(), true));
    }

    #[test]
    fn a_filter_left_out_reaches_every_row() {
        let toolbox = Toolbox::parse("tools", TOOLS).expect("parses");
        let substrate = Substrate::seeded(SEED, "db".into()).expect("seeds");
        let (words, failed) = result(&toolbox, &substrate, "fill_bins", object([("held", count(9))]));
        assert_eq!((words.as_str(), failed), (r#"{"updated": 2}"#, false));
        assert!(substrate.dump().expect("dumps").contains("2026-03-02 09:00:00.000"));
        // The database's own rule is the agent's failure, not the harness's.
        let (words, failed) = result(&toolbox, &substrate, "fill_bins", object([("held", count(900))]));
        assert!(failed && words.contains("CHECK constraint failed"), "{words}");
    }

    #[test]
    fn a_lost_answer_hides_a_write_that_happened() {
        let toolbox = Toolbox::parse("tools", &TOOLS.replace("lost_answers = 0.0", "lost_answers = 1.0"))
            .expect("parses");
        let substrate = Substrate::seeded(SEED, "db".into()).expect("seeds");
        let (words, failed) = result(&toolbox, &substrate, "fill_bins", object([("held", count(9))]));
        assert!(failed && words.contains("timed out"), "{words}");
        assert!(substrate.dump().expect("dumps").contains("\"held\": 9"));
    }
}
