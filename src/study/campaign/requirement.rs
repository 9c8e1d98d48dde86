//! Two small notations: a comparison with a number (`"> 0.5"`) and a share of runs (`"4/16"`).

use std::fmt;
use std::str::FromStr;

use crate::model::shown;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// How a figure is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `>`
    Above,
    /// `>=`
    AtLeast,
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `=`
    Equal,
}

impl Comparison {
    /// Longer signs first, so that a prefix is not taken for the whole.
    const ALL: [(Self, &str); 5] = [
        (Self::AtLeast, ">="),
        (Self::AtMost, "<="),
        (Self::Above, ">"),
        (Self::Below, "<"),
        (Self::Equal, "="),
    ];

    /// Its sign.
    #[must_use]
    pub fn sign(self) -> &'static str {
        Self::ALL.iter().find(|(comparison, _)| *comparison == self).map_or("", |(_, sign)| sign)
    }
}

/// A comparison with a number: `"> 0.5"`, `">= 2"`, `"= 0"`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Requirement {
    /// How.
    pub comparison: Comparison,
    /// With what.
    pub value: f64,
}

impl Requirement {
    /// The comparison for people: `> .5`.
    #[must_use]
    pub fn shown(self) -> String {
        format!("{} {}", self.comparison.sign(), shown::exact(self.value))
    }

    /// True if a figure is as required.
    #[must_use]
    #[allow(clippy::float_cmp, reason = "`=` is asked of counts")]
    pub fn is_met_by(self, figure: f64) -> bool {
        match self.comparison {
            Comparison::Above => figure > self.value,
            Comparison::AtLeast => figure >= self.value,
            Comparison::Below => figure < self.value,
            Comparison::AtMost => figure <= self.value,
            Comparison::Equal => figure == self.value,
        }
    }
}

impl FromStr for Requirement {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || format!("`{text}` is no comparison: expected one of > >= < <= = and a number");
        let trimmed = text.trim();
        let (comparison, rest) = Comparison::ALL
            .iter()
            .find_map(|(comparison, sign)| Some((*comparison, trimmed.strip_prefix(sign)?)))
            .ok_or_else(bad)?;
        let value: f64 = rest.trim().parse().map_err(|_| bad())?;
        if value.is_finite() { Ok(Self { comparison, value }) } else { Err(bad()) }
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.comparison.sign(), self.value)
    }
}

/// A share of runs, `"4/16"`: of n runs at least `n·4/16`. Whole numbers, so that no rounding decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Share {
    /// So many runs
    pub of: u64,
    /// of so many.
    pub runs: u64,
}

impl Share {
    /// True if `count` of `n` is at least this share.
    #[must_use]
    pub fn is_reached_by(self, count: u64, n: u64) -> bool {
        u128::from(count) * u128::from(self.runs) >= u128::from(n) * u128::from(self.of)
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || format!("`{text}` is no share of runs: expected two counts as in \"4/16\"");
        let (of, runs) = text.split_once('/').ok_or_else(bad)?;
        let number = |digits: &str| digits.trim().parse::<u64>().map_err(|_| bad());
        let (of, runs) = (number(of)?, number(runs)?);
        if runs > 0 && of <= runs { Ok(Self { of, runs }) } else { Err(bad()) }
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.of, self.runs)
    }
}

macro_rules! as_text {
    ($type:ty) => {
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
            }
        }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    };
}

as_text!(Requirement);
as_text!(Share);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_read_back() {
        for (text, met, unmet) in [
            ("> 0.5", 0.51, 0.5),
            (">= 2", 2.0, 1.0),
            ("< 1", 0.9, 1.0),
            ("<= 1", 1.0, 1.1),
            ("= 0", 0.0, 1.0),
        ] {
            let requirement: Requirement = text.parse().unwrap();
            assert_eq!(requirement.to_string(), text);
            assert!(requirement.is_met_by(met) && !requirement.is_met_by(unmet), "{text}");
        }
        assert_eq!(">0.5".parse::<Requirement>().unwrap().shown(), "> .5");
        assert_eq!(">0.5".parse::<Requirement>().unwrap().to_string(), "> 0.5");
        for bad in ["", "0.5", "> ", "> x", "> inf", "> NaN", "=> 2"] {
            assert!(bad.parse::<Requirement>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_share_scales_with_the_runs() {
        let share: Share = "4/16".parse().unwrap();
        assert!(share.is_reached_by(4, 16) && !share.is_reached_by(3, 16));
        assert!(share.is_reached_by(8, 32) && !share.is_reached_by(7, 32));
        assert!(share.is_reached_by(2, 5) && !share.is_reached_by(1, 5));
        for bad in ["", "4", "4/", "/16", "5/4", "1/0", "a/b", "-1/2"] {
            assert!(bad.parse::<Share>().is_err(), "{bad}");
        }
    }
}
