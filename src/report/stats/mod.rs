//! The figures of pools as text, Markdown, CSV and JSON. All four are the same lines.

mod cells;
mod csv;
mod json;
mod lines;
mod markdown;
mod pivot;
mod table;

pub use csv::stats_csv;
pub use json::stats_json;
pub(super) use markdown::escaped;
pub use markdown::stats_markdown;
pub use table::stats_table;

use crate::report::legend::legend;
use crate::report::numbers;
use crate::study::campaign::Settings;
use crate::study::figures::{self, Bootstrap, CellFigures, Figures, PoolFigures, Resample};
use crate::study::{Role, Study};

/// The figures of a study with their bootstrap intervals, ready to be written.
#[derive(Clone, Debug)]
pub struct Stats<'a> {
    study: &'a Study,
    settings: &'a Settings,
    resample: Resample,
    pools: Vec<PoolStats>,
}

#[derive(Clone, Debug)]
struct PoolStats {
    name: String,
    role: Option<Role>,
    /// The pool as a whole, then its models.
    groups: Vec<Group>,
    /// Each cell by itself.
    cells: Vec<CellFigures>,
}

#[derive(Clone, Debug)]
struct Group {
    /// The model, or nothing for the pool as a whole.
    model: Option<usize>,
    figures: Figures,
    /// Nothing where no resamples were asked for.
    bootstrap: Option<Bootstrap>,
}

impl<'a> Stats<'a> {
    /// Computes the figures of every pool, or of the one named. No resamples: no bootstrap intervals.
    #[must_use]
    pub fn of(study: &'a Study, settings: &'a Settings, resample: Resample, pool: Option<&str>) -> Self {
        let group = |model: Option<usize>, figures: Figures| {
            let bootstrap =
                (resample.resamples > 0).then(|| figures::bootstrap(study, &figures, settings, resample));
            Group { model, figures, bootstrap }
        };
        let pools = figures::figures(study, settings)
            .into_iter()
            .filter(|figures| pool.is_none_or(|name| name == figures.name))
            .map(|PoolFigures { name, role, models, pooled, cells }| {
                let of_models = models.into_iter().map(|of| group(of.models.first().copied(), of));
                let groups = std::iter::once(group(None, pooled)).chain(of_models).collect();
                PoolStats { name, role, groups, cells }
            })
            .collect();
        Self { study, settings, resample, pools }
    }

    /// What a group is called.
    fn title(&self, group: &Group) -> &str {
        group.model.and_then(|model| self.study.models.get(model)).map_or("pool", |row| row.title())
    }

    /// The name of a group in exports: the pool as a whole has none.
    fn name(&self, group: &Group) -> Option<&str> {
        Some(self.study.models.get(group.model?)?.name.as_str())
    }

    /// Which names stand for which.
    fn legend(&self) -> String {
        let groups = self.pools.iter().flat_map(|pool| &pool.groups);
        legend(self.study, groups.filter_map(|group| group.model))
    }

    /// What stands over all figures.
    fn head(&self) -> String {
        let confidence = numbers::level(1.0 - self.settings.alpha);
        let [low, high] = self.settings.band.map(numbers::exact);
        let mut head = format!(
            "Intervals are exact (Clopper–Pearson) at {confidence}; stochastic: strictly inside {low}–{high}; \
             over the errored ceiling: more than {} of the runs errored.",
            numbers::exact(self.settings.errored_ceiling)
        );
        if self.resample.resamples > 0 {
            head.push_str(&format!(
                " Bootstrap: {} by {}, seed {}, percentiles.",
                numbers::plural(self.resample.resamples as u64, "resample"),
                self.resample.unit.as_str(),
                self.resample.seed
            ));
        }
        head
    }
}
