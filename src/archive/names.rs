//! Model names for the screen.

use std::collections::BTreeMap;

/// Words that say how a model was tuned, not which one it is.
const TUNING: [&str; 4] = ["-instruct", "-it", "-chat", "-hf"];

/// Short names for full model names, in the same order. A name is cut to its last path segment and loses
/// tails that say how it was tuned or when it was released, as far as different models keep different
/// names.
#[must_use]
pub fn model_names(fulls: &[String]) -> Vec<String> {
    let forms: [fn(&str) -> &str; 3] = [trimmed, segment, |full| full];
    let mut names: BTreeMap<&str, &str> = BTreeMap::new();
    let mut open: Vec<&str> = fulls.iter().map(String::as_str).collect();
    for form in forms {
        open.sort_unstable();
        open.dedup();
        // A form counts against every model, also those that have found a name already.
        let clashes = |full: &str| {
            let name = form(full);
            let same_form = open.iter().any(|other| *other != full && form(other) == name);
            same_form || names.values().any(|taken| *taken == name)
        };
        let (settled, clashing): (Vec<&str>, Vec<&str>) = open.iter().partition(|full| !clashes(full));
        names.extend(settled.into_iter().map(|full| (full, form(full))));
        open = clashing;
    }
    fulls
        .iter()
        .map(|full| names.get(full.as_str()).map_or_else(|| full.clone(), ToString::to_string))
        .collect()
}

fn segment(full: &str) -> &str {
    full.rsplit('/').find(|segment| !segment.is_empty()).unwrap_or(full)
}

fn trimmed(full: &str) -> &str {
    let mut name = segment(full);
    loop {
        let tuning = TUNING.iter().find_map(|tail| strip_tail(name, tail));
        match tuning.or_else(|| strip_date(name)) {
            Some(shorter) if !shorter.is_empty() => name = shorter,
            _ => return name,
        }
    }
}

/// Without a tail, whatever its case.
fn strip_tail<'a>(name: &'a str, tail: &str) -> Option<&'a str> {
    let (start, end) = name.split_at_checked(name.len().checked_sub(tail.len())?)?;
    end.eq_ignore_ascii_case(tail).then_some(start)
}

/// Without a date: `-20310115`, `-2031-01-15`, or year and month or month and day as `-3101`, `-0115`.
fn strip_date(name: &str) -> Option<&str> {
    let (start, tail) = name.rsplit_once('-')?;
    let number = |text: &str, length: usize| {
        let all_digits = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
        if all_digits { text.parse::<u32>().ok() } else { None }
    };
    if let Some(date) = number(tail, 8) {
        return (is_year(date / 10_000) && is_month(date / 100 % 100) && is_day(date % 100)).then_some(start);
    }
    if let Some(pair) = number(tail, 4) {
        let (first, second) = (pair / 100, pair % 100);
        let dated = (is_year(2000 + first) && is_month(second)) || (is_month(first) && is_day(second));
        return dated.then_some(start);
    }
    let day = number(tail, 2)?;
    let (start, month) = start.rsplit_once('-')?;
    let (start, year) = start.rsplit_once('-')?;
    (is_year(number(year, 4)?) && is_month(number(month, 2)?) && is_day(day)).then_some(start)
}

fn is_year(year: u32) -> bool {
    (2018..2100).contains(&year)
}

fn is_month(month: u32) -> bool {
    (1..=12).contains(&month)
}

fn is_day(day: u32) -> bool {
    (1..=31).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(fulls: &[&str]) -> Vec<String> {
        model_names(&fulls.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn tails_that_do_not_tell_models_apart_go() {
        for (full, short) in [
            ("harbour/pilot-3.1-8b-instruct", "pilot-3.1-8b"),
            ("finch/wren-2-9B-It", "wren-2-9B"),
            ("gateway/harbour/pilot-20310115", "pilot"),
            ("pilot-2031-01-15", "pilot"),
            ("pilot-instruct-3107", "pilot"),
            ("pilot-0613", "pilot"),
            ("pilot-4096", "pilot-4096"),
            ("pilot-120b", "pilot-120b"),
            ("pilot-v3.2", "pilot-v3.2"),
            ("-instruct", "-instruct"),
            ("pilot/", "pilot"),
            ("", ""),
            ("Größe-it", "Größe"),
        ] {
            assert_eq!(names(&[full]), [short]);
        }
    }

    #[test]
    fn different_models_keep_different_names() {
        assert_eq!(names(&["a/pilot-it", "a/pilot", "a/wren-it"]), ["pilot-it", "pilot", "wren"]);
        assert_eq!(names(&["a/pilot", "b/pilot"]), ["a/pilot", "b/pilot"]);
        assert_eq!(names(&["a/pilot-3101", "a/pilot-3102"]), ["pilot-3101", "pilot-3102"]);
        assert_eq!(names(&["a/pilot", "a/pilot", "b/wren"]), ["pilot", "pilot", "wren"]);
        // The short name of one is the full name of another.
        assert_eq!(names(&["a/pilot-it", "pilot", "b/pilot"]), ["pilot-it", "pilot", "b/pilot"]);
    }
}
