//! Freezing: a digest of settings and criteria, put on record before the data are seen.

use serde::{Deserialize, Serialize};
use toml::value::Datetime;

use super::{Campaign, Criterion, Settings};
use crate::archive::sha256;

/// Changes when the canonical form does.
const FORM: &str = "gainsay.criteria/1";

/// What was put on record.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frozen {
    /// The digest that `gainsay criteria --freeze` printed.
    pub digest: String,
    /// When: a date, or a date and time.
    pub date: Datetime,
}

/// What a record of freezing says of the file and the data at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrozenState {
    /// nothing is on record
    NotFrozen,
    /// a digest is on record
    Recorded {
        /// the digest on record
        digest: String,
        /// its date, as written
        date: String,
        /// settings and criteria are still what was frozen
        matches: bool,
        /// it is older than the start of the first run; unknown if either moment is, or on the same day
        /// without a time
        before_first_run: Option<bool>,
        /// when the first run of the campaign's pools started, as on record
        first_run: Option<String>,
    },
}

/// The sha256 of settings and criteria in canonical form: JSON, fields in fixed order, defaults written
/// out. Comments, layout, pools and batches do not count.
#[must_use]
pub fn digest(campaign: &Campaign) -> String {
    #[derive(Serialize)]
    struct Canonical<'a> {
        form: &'static str,
        settings: &'a Settings,
        criteria: &'a [Criterion],
    }
    let canonical = Canonical { form: FORM, settings: &campaign.settings, criteria: &campaign.criteria };
    // Plain structs of strings and finite numbers always serialize.
    sha256(&serde_json::to_vec(&canonical).unwrap_or_default())
}

impl FrozenState {
    /// Compares what is on record with the file and with when runs started (manifest time stamps).
    #[must_use]
    pub fn of<'a>(campaign: &Campaign, starts: impl IntoIterator<Item = &'a str>) -> Self {
        let Some(frozen) = &campaign.frozen else { return Self::NotFrozen };
        let first = starts
            .into_iter()
            .filter_map(|text| Some((moment(&text.parse().ok()?)?, text)))
            .min_by(|a, b| a.0.from.total_cmp(&b.0.from));
        let own = moment(&frozen.date);
        let before = own.zip(first.as_ref()).and_then(|(own, (first, _))| {
            if own.until <= first.from {
                Some(true)
            } else if own.from > first.until {
                Some(false)
            } else {
                None
            }
        });
        Self::Recorded {
            digest: frozen.digest.clone(),
            date: frozen.date.to_string(),
            matches: frozen.digest.trim().eq_ignore_ascii_case(&digest(campaign)),
            before_first_run: before,
            first_run: first.map(|(_, text)| text.to_owned()),
        }
    }
}

/// Seconds since the epoch, UTC: a moment, or a whole day. Times without an offset count as UTC.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Moment {
    from: f64,
    until: f64,
}

fn moment(datetime: &Datetime) -> Option<Moment> {
    let date = datetime.date?;
    let day = days(i64::from(date.year), i64::from(date.month), i64::from(date.day));
    #[allow(clippy::cast_precision_loss, reason = "days of four-digit years")]
    let midnight = day as f64 * 86_400.0;
    let Some(time) = datetime.time else {
        return Some(Moment { from: midnight, until: midnight + 86_400.0 });
    };
    let offset = match datetime.offset {
        Some(toml::value::Offset::Custom { minutes }) => f64::from(minutes) * 60.0,
        _ => 0.0,
    };
    let seconds = f64::from(time.hour) * 3600.0
        + f64::from(time.minute) * 60.0
        + f64::from(time.second.unwrap_or(0))
        + f64::from(time.nanosecond.unwrap_or(0)) / 1e9;
    let at = midnight + seconds - offset;
    Some(Moment { from: at, until: at })
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March here, so that the leap day is the last.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frozen(date: &str) -> Campaign {
        let date = date.parse().unwrap();
        let mut campaign = Campaign::default();
        campaign.frozen = Some(Frozen { digest: digest(&campaign), date });
        campaign
    }

    fn before(date: &str, starts: &[&str]) -> Option<bool> {
        match FrozenState::of(&frozen(date), starts.iter().copied()) {
            FrozenState::Recorded { before_first_run, .. } => before_first_run,
            FrozenState::NotFrozen => panic!("is frozen"),
        }
    }

    #[test]
    fn days_count_from_the_epoch() {
        assert_eq!(days(1970, 1, 1), 0);
        assert_eq!(days(2000, 3, 1), 11_017);
        assert_eq!(days(2024, 2, 29), 19_782);
    }

    #[test]
    fn a_record_is_older_only_if_it_ends_before_the_first_run() {
        let start = "2026-03-02T09:15:00+00:00";
        assert_eq!(before("2026-03-01", &[start]), Some(true));
        assert_eq!(before("2026-03-03", &[start]), Some(false));
        assert_eq!(before("2026-03-02", &[start]), None);
        assert_eq!(before("2026-03-02T09:00:00Z", &[start]), Some(true));
        assert_eq!(before("2026-03-02T10:00:00+02:00", &[start]), Some(true));
        assert_eq!(before("2026-03-02T09:00:00-01:00", &[start]), Some(false));
        assert_eq!(before("2026-03-01", &[]), None);
        assert_eq!(before("2026-03-01", &["soon"]), None);
        // The first of several starts decides.
        assert_eq!(before("2026-03-02", &["2026-04-01T00:00:00Z", "2026-03-01T00:00:00Z"]), Some(false));
    }

    #[test]
    fn the_digest_is_about_settings_and_criteria_alone() {
        let mut campaign = Campaign::default();
        let plain = digest(&campaign);
        campaign.name = Some("other".into());
        campaign.path = "elsewhere".into();
        assert_eq!(digest(&campaign), plain);
        campaign.settings.alpha = 0.01;
        assert_ne!(digest(&campaign), plain);
        assert_eq!(plain.len(), 64);
    }

    #[test]
    fn a_changed_file_no_longer_matches() {
        let mut campaign = frozen("2026-03-01");
        let matches = |campaign: &Campaign| {
            matches!(FrozenState::of(campaign, []), FrozenState::Recorded { matches: true, .. })
        };
        assert!(matches(&campaign));
        campaign.settings.seed = 7;
        assert!(!matches(&campaign));
        assert_eq!(FrozenState::of(&Campaign::default(), []), FrozenState::NotFrozen);
    }
}
