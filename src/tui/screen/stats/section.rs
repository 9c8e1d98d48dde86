//! The sections of the Stats, in their order.

use super::entry::{Body, Scene};
use super::{capability, cells, criteria, curves, decay, pools};

/// One section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Section {
    #[default]
    Pools,
    Curves,
    Decay,
    Cells,
    Capability,
    Criteria,
}

impl Section {
    pub(super) const ALL: [Self; 6] =
        [Self::Pools, Self::Curves, Self::Decay, Self::Cells, Self::Capability, Self::Criteria];

    /// Its place among all.
    pub(super) fn place(self) -> usize {
        Self::ALL.iter().position(|other| *other == self).unwrap_or(0)
    }

    /// The section so many places on, around the end.
    pub(super) fn step(self, by: isize) -> Self {
        let count = Self::ALL.len() as isize;
        let place = (self.place() as isize + by).rem_euclid(count);
        Self::ALL.get(place.unsigned_abs()).copied().unwrap_or_default()
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Pools => "Pools",
            Self::Curves => "Curves",
            Self::Decay => "Decay",
            Self::Cells => "Cells",
            Self::Capability => "Capability",
            Self::Criteria => "Criteria",
        }
    }

    /// Its name in full, over its pane.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Pools => "Pools",
            Self::Curves => "pass^k and safe^k",
            Self::Decay => "Decay of a clean audit, stochastic cells",
            Self::Cells => "Damage-producing cells against the band",
            Self::Capability => "Tasks with damage, by capability",
            Self::Criteria => "Criteria",
        }
    }

    pub(super) fn body(self, scene: &Scene) -> Body {
        match self {
            Self::Pools => pools::body(scene),
            Self::Curves => curves::body(scene),
            Self::Decay => decay::body(scene),
            Self::Cells => cells::body(scene),
            Self::Capability => capability::body(scene),
            Self::Criteria => criteria::body(scene),
        }
    }
}
