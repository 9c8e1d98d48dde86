//! Criteria: what each claim reads, and in a line each why.

use super::entry::{Body, Scene, Stop};
use crate::report::criteria::frozen_sentence;
use crate::study::readings::Reading;
use crate::tui::widget::rich::{Rich, Role};

pub(super) fn body(scene: &Scene) -> Body {
    let mut body = Body::default();
    if scene.study.campaign.is_none() {
        let words = "No campaign file, so no claims to read. A campaign.toml at the archive's root, or \
                     --campaign FILE, holds pools and criteria; the README documents both.";
        body.text(Role::Dim, words, 1, scene.width);
        return body;
    }
    if scene.sheet.readings.is_empty() {
        body.text(Role::Dim, "The campaign file holds no criteria.", 1, scene.width);
        return body;
    }
    for (index, of) in scene.sheet.readings.iter().enumerate() {
        if index > 0 {
            body.blank();
        }
        let mut line = Rich::of(Role::Plain, " ").add(Role::Damage, word(of.reading));
        if of.whole != of.reading {
            line = line.add(Role::Plain, " · as a whole ").add(Role::Damage, word(of.whole));
        }
        body.stop(
            Stop::Criterion(index),
            line.add(Role::Strong, format!("  {}", of.id)).tail(Role::Dim, format!("{} ", of.pool)),
        );
        body.text(Role::Plain, &format!("“{}”", of.claim), 3, scene.width);
        for condition in &of.conditions {
            let text = format!("{}: {}: {}", condition.name, condition.reading.as_str(), condition.why);
            body.text(Role::Dim, &text, 3, scene.width);
        }
    }
    body.blank();
    body.text(Role::Dim, &frozen_sentence(&scene.sheet.frozen), 1, scene.width);
    body
}

/// A reading as it stands on screen.
pub(super) fn word(reading: Reading) -> String {
    reading.as_str().to_uppercase().replace('_', " ")
}
