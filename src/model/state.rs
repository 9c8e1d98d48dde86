//! Database states: tables of rows.

use std::collections::BTreeMap;

use super::{Row, Text, Value};

/// What a database held at one moment: table name to rows.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// The dump's `database_id`, which differs between dumps of equal content.
    pub database_id: Option<Text>,
    /// Tables by name. Bookkeeping tables (`sqlite_*`) are left out by the readers.
    pub tables: BTreeMap<Text, Table>,
}

/// The rows of one table.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Rows in dump order.
    pub rows: Vec<Row>,
    /// The key the dump itself declares (SQLite does, JSON does not).
    pub declared_key: Option<Vec<Text>>,
}

/// The primary key of one row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// A key of one column.
    Single(Value),
    /// A key of several columns, in the registry's order.
    Composite(Vec<Value>),
}

impl Key {
    /// The key as it stands in a verdict row: the value, or a list of them.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match self {
            Self::Single(value) => value.clone(),
            Self::Composite(values) => Value::Array(values.clone()),
        }
    }

    /// The inverse of [`Key::to_value`].
    #[must_use]
    pub fn from_value(value: Value) -> Self {
        match value {
            Value::Array(values) => Self::Composite(values),
            value => Self::Single(value),
        }
    }

    /// The key of a row; `None` if there are no key columns, or if the row lacks one.
    #[must_use]
    pub fn of(columns: &[Text], row: &Row) -> Option<Self> {
        match columns {
            [] => None,
            [column] => row.column(column).cloned().map(Self::Single),
            columns => {
                let parts = columns.iter().map(|column| row.column(column).cloned());
                parts.collect::<Option<_>>().map(Self::Composite)
            }
        }
    }

    /// The key's parts, one for a single key.
    #[must_use]
    pub fn parts(&self) -> &[Value] {
        match self {
            Self::Single(value) => std::slice::from_ref(value),
            Self::Composite(values) => values,
        }
    }

    /// As [`Key::parts`], to be changed.
    pub(crate) fn parts_mut(&mut self) -> &mut [Value] {
        match self {
            Self::Single(value) => std::slice::from_mut(value),
            Self::Composite(values) => values,
        }
    }

    /// The key for people: parts joined by `·`.
    #[must_use]
    pub fn display(&self) -> String {
        self.parts().iter().map(super::python::str).collect::<Vec<_>>().join("·")
    }
}
