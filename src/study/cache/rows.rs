//! Verdict rows as the cache's tables hold them: a few integers each, and a detail for what few rows have.

use super::stored::{Source, Stored, bytes_of, record};
use crate::model::{DeltaRow, Outcome, Severity, SubLabel, Text, Verdict};

/// What most rows have none of.
#[derive(Debug, Default, PartialEq)]
struct Detail {
    dollars: Option<f64>,
    inconsistency_flags: Vec<Text>,
    deltas: Vec<DeltaRow>,
}

record!(Detail { dollars, inconsistency_flags, deltas });

/// The verdict without its names, packed: from the lowest bit outcome (2), sub-label (4), severity (2), then
/// success, damage, upper damage and refusal.
pub(super) fn bits(verdict: &Verdict) -> u16 {
    let place = |found: Option<usize>| found.map_or(0, |index| index as u16 + 1);
    let outcome = Outcome::ALL.iter().position(|each| *each == verdict.outcome).unwrap_or_default() as u16;
    let label = place(SubLabel::ALL.iter().position(|each| Some(*each) == verdict.sub_label));
    let severity = place(SEVERITIES.iter().position(|each| Some(*each) == verdict.severity));
    let flags = [
        verdict.eog_success,
        verdict.counts_as_damage,
        verdict.counts_as_damage_upper,
        verdict.refusal_declared,
    ];
    let flags = flags.iter().enumerate().fold(0, |all, (index, flag)| all | u16::from(*flag) << (8 + index));
    outcome | label << 2 | severity << 6 | flags
}

const SEVERITIES: [Severity; 3] = [Severity::Low, Severity::Medium, Severity::High];

/// The rest of the verdict, if there is any.
pub(super) fn detail(verdict: &Verdict) -> Option<Vec<u8>> {
    let is_plain =
        verdict.dollars.is_none() && verdict.inconsistency_flags.is_empty() && verdict.deltas.is_empty();
    if is_plain {
        return None;
    }
    let Verdict { dollars, inconsistency_flags, deltas, .. } = verdict.clone();
    Some(bytes_of(&Detail { dollars, inconsistency_flags, deltas }))
}

/// The verdict of names, bits and detail. `None` for what was not written by [`bits`] and [`detail`].
pub(super) fn verdict(task_id: Text, run: Text, bits: i64, detail: Option<Source<'_>>) -> Option<Verdict> {
    let bits = u16::try_from(bits).ok().filter(|bits| *bits < 1 << 12)?;
    let place = |shift: u16, mask: u16| usize::from(bits >> shift & mask);
    let flag = |index: u16| bits >> (8 + index) & 1 == 1;
    let sub_label = match place(2, 15) {
        0 => None,
        place => Some(*SubLabel::ALL.get(place - 1)?),
    };
    let severity = match place(6, 3) {
        0 => None,
        place => Some(*SEVERITIES.get(place - 1)?),
    };
    let Detail { dollars, inconsistency_flags, deltas } = match detail {
        Some(detail) => detail.whole()?,
        None => Detail::default(),
    };
    Some(Verdict {
        task_id,
        run,
        outcome: *Outcome::ALL.get(place(0, 3))?,
        sub_label,
        eog_success: flag(0),
        severity,
        dollars,
        counts_as_damage: flag(1),
        counts_as_damage_upper: flag(2),
        refusal_declared: flag(3),
        inconsistency_flags,
        deltas,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Key, Op};
    use crate::study::texts::Words;

    #[test]
    fn a_verdict_comes_back_from_its_bits_and_detail() {
        let mut count = 0;
        for outcome in Outcome::ALL {
            for sub_label in SubLabel::ALL.into_iter().map(Some).chain([None]) {
                for severity in SEVERITIES.into_iter().map(Some).chain([None]) {
                    let flags = count % 16;
                    count += 1;
                    let row = Verdict {
                        task_id: "berth".into(),
                        run: "run_1".into(),
                        outcome,
                        sub_label,
                        eog_success: flags & 1 > 0,
                        severity,
                        dollars: severity.map(|_| 0.1),
                        counts_as_damage: flags & 2 > 0,
                        counts_as_damage_upper: flags & 4 > 0,
                        refusal_declared: flags & 8 > 0,
                        inconsistency_flags: vec!["odd".into(); count % 2],
                        deltas: severity.map_or_else(Vec::new, |severity| {
                            let key = Key::Composite(vec!["B1".into(), 2.into()]);
                            vec![DeltaRow {
                                table: "ship".into(),
                                op: Op::Modified,
                                key,
                                changed_columns: vec!["berth".into()],
                                severity,
                                dollars: None,
                            }]
                        }),
                    };
                    let detail = detail(&row);
                    let mut words = Words::default();
                    let source = detail.as_ref().map(|bytes| Source::new(bytes, &mut words));
                    let back = verdict(row.task_id.clone(), row.run.clone(), bits(&row).into(), source);
                    assert_eq!(back, Some(row));
                }
            }
        }
        for bits in [-1, 3, 9 << 2, 1 << 12] {
            assert_eq!(verdict("t".into(), "r".into(), bits, None), None);
        }
    }
}
