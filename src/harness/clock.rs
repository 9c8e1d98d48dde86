//! A simulated clock: time passes only when the harness says so.
//!
//! Recorded runs must come out the same every time they are made, so nothing here asks the machine for
//! the time. Each run starts its own clock, which is why volatile columns differ from run to run.

/// A moment in UTC, to the millisecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Clock {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    millis: i64,
}

const DAY: i64 = 86_400_000;

impl Clock {
    /// A clock that stands at `hour`:`minute` UTC of a day of the Gregorian calendar.
    #[must_use]
    pub fn at(year: i64, month: i64, day: i64, hour: i64, minute: i64) -> Self {
        Self { millis: days_from_civil(year, month, day) * DAY + (hour * 60 + minute) * 60_000 }
    }

    /// Lets `millis` milliseconds pass.
    pub fn advance(&mut self, millis: u64) {
        self.millis = self.millis.saturating_add_unsigned(millis);
    }

    /// Milliseconds since the epoch.
    #[must_use]
    pub fn millis(self) -> i64 {
        self.millis
    }

    /// As results files and manifests write it: `2026-03-02T09:15:00.250000+00:00`.
    #[must_use]
    pub fn iso(self) -> String {
        let (year, month, day) = civil_from_days(self.millis.div_euclid(DAY));
        let (hour, minute, second, milli) = self.time();
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}000+00:00")
    }

    /// As the database writes it: `2026-03-02 09:15:00.250`.
    #[must_use]
    pub fn sql(self) -> String {
        let (year, month, day) = civil_from_days(self.millis.div_euclid(DAY));
        let (hour, minute, second, milli) = self.time();
        format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{milli:03}")
    }

    /// As batch names begin: `20260302T091500Z`.
    #[must_use]
    pub fn stamp(self) -> String {
        let (year, month, day) = civil_from_days(self.millis.div_euclid(DAY));
        let (hour, minute, second, _) = self.time();
        format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z")
    }

    fn time(self) -> (i64, i64, i64, i64) {
        let rest = self.millis.rem_euclid(DAY);
        (rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60, rest % 1_000)
    }
}

/// Days since 1970-01-01 of a Gregorian date (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The inverse of [`days_from_civil`].
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_the_archive_writes_them() {
        let mut clock = Clock::at(2026, 3, 2, 9, 15);
        clock.advance(1_250);
        assert_eq!(clock.iso(), "2026-03-02T09:15:01.250000+00:00");
        assert_eq!(clock.sql(), "2026-03-02 09:15:01.250");
        assert_eq!(clock.stamp(), "20260302T091501Z");
        assert_eq!(Clock::at(1970, 1, 1, 0, 0).millis(), 0);
        assert_eq!(Clock::at(2000, 3, 1, 0, 0).millis(), 951_868_800_000);
    }

    #[test]
    fn every_day_of_four_centuries_reads_back() {
        for day in days_from_civil(1900, 1, 1)..days_from_civil(2300, 1, 1) {
            let (year, month, date) = civil_from_days(day);
            assert_eq!(days_from_civil(year, month, date), day);
            assert!((1..=12).contains(&month) && (1..=31).contains(&date));
        }
    }
}
