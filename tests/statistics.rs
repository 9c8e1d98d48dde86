//! The right answers of `../shared/cases`, where they are there.
#![allow(clippy::expect_used, clippy::print_stdout, reason = "helpers of tests")]

use std::path::Path;

use gainsay::stats::{
    Count, Estimator, Resampling, STOCHASTIC_BAND, Undefined, always_fail, beta_binomial, clopper_pearson,
    cluster_bootstrap, damage_mass_share, demonstrably_stochastic, fisher_exact, mean_pass_hat_k,
    mean_safe_hat_k, miss_rates, miss_rates_at, pass_hat_k, prevalence_bound,
};
use serde_json::Value;

/// The parsed file, or none where the shared folder is absent.
fn cases(name: &str) -> Option<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: no {}", path.display());
        return None;
    };
    Some(serde_json::from_str(&text).expect("the cases are JSON"))
}

/// A number, a string of digits, or a fraction in a string.
fn number(value: &Value) -> f64 {
    let parse = |text: &str| text.parse::<f64>().expect("a number");
    match value {
        Value::String(text) => match text.split_once('/') {
            Some((top, bottom)) => parse(top) / parse(bottom),
            None => parse(text),
        },
        other => other.as_f64().expect("a number"),
    }
}

fn count(value: &Value) -> u64 {
    value.as_u64().expect("a count")
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().expect("an object").iter()
}

/// Equal within `tolerance`, relative to the right answer.
#[track_caller]
fn near(got: f64, right: f64, tolerance: f64) {
    assert!((got - right).abs() <= tolerance * right.abs(), "got {got}, right is {right}");
}

#[test]
fn intervals() {
    let Some(cases) = cases("statistics.json") else { return };
    let cases = list(&cases["clopper_pearson"]);
    assert_eq!(cases.len(), 292);
    for case in cases {
        let got = clopper_pearson(count(&case[0]), count(&case[1]), number(&case[2])).expect("an interval");
        // 1e-10 is asked for; this is some tens of units in the last place.
        near(got.low, number(&case[3]), 1e-14);
        near(got.high, number(&case[4]), 1e-14);
    }
}

#[test]
fn pass_k() {
    let Some(cases) = cases("statistics.json") else { return };
    let cases = list(&cases["pass_k"]);
    assert_eq!(cases.len(), 294);
    for case in cases {
        let got = pass_hat_k(count(&case[0]), count(&case[1]), count(&case[2])).expect("k is at most n");
        near(got, number(&case[3]), 1e-12);
    }
}

#[test]
fn fisher() {
    let Some(cases) = cases("statistics.json") else { return };
    let cases = list(&cases["fisher_two_sided"]);
    assert_eq!(cases.len(), 9);
    for case in cases {
        let [a, b, c, d] = [0, 1, 2, 3].map(|i| count(&case[i]));
        let got = fisher_exact(Count::new(a, a + b), Count::new(c, c + d)).expect("two cells");
        near(got, number(&case[4]), 1e-10);
    }
}

/// The cells of one model, in the file's order.
fn cells(released: &Value, model: &str, of: &str) -> Vec<Count> {
    entries(&released["cells"][model])
        .map(|(_, cell)| Count::new(count(&cell[of]), count(&cell["n"])))
        .collect()
}

/// The (model, task) names and cells of a pool.
fn pool_cells(released: &Value, pool: &str) -> Vec<([String; 2], Count)> {
    let models = entries(&released["models"]).filter(|(_, of)| of["pool"] == pool);
    let named = |(model, _): (&String, &Value)| {
        let tasks = entries(&released["cells"][model]).map(|(task, _)| [model.clone(), task.clone()]);
        tasks.zip(cells(released, model, "x")).collect::<Vec<_>>()
    };
    models.flat_map(named).collect()
}

#[test]
fn released_cells() {
    let Some(released) = cases("released.json") else { return };
    let all = entries(&released["cells"]).flat_map(|(_, tasks)| entries(tasks));
    let mut seen = 0;
    for (_, cell) in all {
        let counts = Count::new(count(&cell["x"]), count(&cell["n"]));
        let right = &cell["clopper_pearson_95"];
        let got = clopper_pearson(counts.x, counts.n, 0.05).expect("an interval");
        near(got.low, number(&right["lo_exact"]), 1e-14);
        near(got.high, number(&right["hi_exact"]), 1e-14);
        near(counts.rate().expect("runs"), number(&cell["phat"]), 1e-15);
        seen += 1;
    }
    assert_eq!(seen, 140);
}

#[test]
fn released_models() {
    let Some(released) = cases("released.json") else { return };
    for (model, right) in entries(&released["models"]) {
        let mean = |of: &str, mean: fn(&[Count], u64) -> Result<f64, Undefined>, key: &str| {
            let cells = cells(&released, model, of);
            for (k, value) in entries(&right[key]) {
                let k = k.parse().expect("a number of runs");
                near(mean(&cells, k).expect("k is at most n"), number(&value["exact"]), 1e-14);
            }
            let beyond = mean(&cells, 1_000);
            assert!(matches!(beyond, Err(Undefined::BeyondRuns { index: 0, k: 1_000, .. })), "{beyond:?}");
        };
        mean("s", mean_pass_hat_k, "pass_pow_k");
        mean("x", mean_safe_hat_k, "safe_pow_k");
        mean("x_upper", mean_safe_hat_k, "safe_pow_k_upper");

        let tasks: Vec<_> = entries(&released["cells"][model]).map(|(task, _)| task.as_str()).collect();
        let found = check_figures(&cells(&released, model, "x"), right);
        let found: Vec<_> = found.iter().map(|&index| tasks[index]).collect();
        assert_eq!(serde_json::json!(found), right["demonstrably_stochastic"]["cells"], "{model}");
    }
}

#[test]
fn released_pools() {
    let Some(released) = cases("released.json") else { return };
    for (pool, right) in entries(&released["pools"]) {
        let (names, cells): (Vec<_>, Vec<_>) = pool_cells(&released, pool).into_iter().unzip();
        let mut found: Vec<_> = check_figures(&cells, right).iter().map(|&index| &names[index]).collect();
        found.sort();
        assert_eq!(serde_json::json!(found), right["demonstrably_stochastic"]["cells"], "{pool}");

        let breaching = list(&right["errored_ceiling"]["breaching"]);
        let kept = names.iter().zip(&cells).filter(|(name, _)| !breaching.contains(&serde_json::json!(name)));
        let kept: Vec<Count> = kept.map(|(_, &cell)| cell).collect();
        check_miss_rates(&kept, &right["errored_ceiling"]["miss_rates_excluding_breaching"]);
    }
}

/// What models and pools have in common. Gives the stochastic cells' indices.
fn check_figures(cells: &[Count], right: &Value) -> Vec<usize> {
    assert_eq!(cells.len() as u64, count(&right["cells"]));
    check_miss_rates(cells, &right["audit_miss_rate"]);
    assert_eq!(always_fail(cells).expect("cells").len() as u64, count(&right["traps"]));

    let epsilons: Vec<f64> =
        entries(&right["damage_mass_share"]).map(|(epsilon, _)| epsilon.parse().expect("a number")).collect();
    let shares = damage_mass_share(cells, &epsilons).expect("cells");
    for (got, (_, right)) in shares.into_iter().zip(entries(&right["damage_mass_share"])) {
        near(got, number(right), 1e-15);
    }

    let producing: Vec<Count> = cells.iter().copied().filter(|cell| cell.x > 0).collect();
    assert_eq!(producing.len() as u64, count(&right["damage_producing"]));
    check_beta_binomial(cells, &right["beta_binomial"]["all_cells"]);
    check_beta_binomial(&producing, &right["beta_binomial"]["damage_producing_cells"]);

    let stochastic = demonstrably_stochastic(cells, 0.05, STOCHASTIC_BAND).expect("cells");
    assert_eq!(stochastic.of_events, count(&right["damage_events"]));
    let share = stochastic.damage_share().expect("damage");
    near(share, number(&right["demonstrably_stochastic"]["damage_share"]), 1e-15);
    stochastic.cells
}

fn check_miss_rates(cells: &[Count], right: &Value) {
    for got in [miss_rates(cells), miss_rates_at(cells, 1, Estimator::Unbiased)] {
        let got = got.expect("damage");
        near(got.pair, number(&right["pair_exact"]), 1e-15);
        near(got.event, number(&right["event_exact"]), 1e-15);
        assert_eq!((got.pairs as u64, got.events), (count(&right["pairs"]), count(&right["events"])));
    }
}

fn check_beta_binomial(cells: &[Count], right: &Value) {
    assert_eq!(cells.len() as u64, count(&right["cells"]));
    let got = beta_binomial(cells);
    if right.get("raises").is_some() {
        assert_eq!(got, Err(Undefined::OneCell));
        return;
    }
    let (got, exact) = (got.expect("a fit"), &right["exact"]);
    near(got.icc_raw, number(&exact["icc_raw"]), 1e-13);
    near(got.icc, got.icc_raw.max(0.0), 0.0);
    if got.icc == 0.0 {
        assert_eq!((got.alpha, got.beta, got.p), (f64::INFINITY, f64::INFINITY, 1.0));
        assert_eq!(right["alpha"], "inf");
        return;
    }
    near(got.alpha, number(&exact["alpha"]), 1e-13);
    near(got.beta, number(&exact["beta"]), 1e-13);
    near(got.p, number(&exact["p"]), 1e-12);
}

#[test]
fn released_bounds() {
    let Some(released) = cases("released.json") else { return };
    for (_, right) in entries(&released["trap_upper_bounds"]) {
        near(prevalence_bound(count(&right["n"]), 0.05).expect("cells"), number(&right["exact"]), 1e-14);
    }
}

#[test]
fn released_bootstrap() {
    let Some(released) = cases("released.json") else { return };
    for (pool, right) in entries(&released["pools"]) {
        let cells = pool_cells(&released, pool);
        let right = &right["bootstrap_miss_rate"];
        let ordered = |key: &str| -> Vec<Vec<Count>> {
            let find = |name: &Value| {
                let found = cells.iter().find(|(own, _)| serde_json::json!(own) == *name);
                vec![found.expect("a cell of the pool").1]
            };
            list(&right[key]).iter().map(find).collect()
        };
        let (producing, all) = (ordered("damage_producing_order"), ordered("all_cells_order"));
        let pair = |cells: &[Count]| miss_rates(cells).map(|rates| rates.pair);
        let event = |cells: &[Count]| miss_rates(cells).map(|rates| rates.event);
        check_bootstrap(&producing, pair, &right["damage_producing_pair"], 0);
        check_bootstrap(&producing, event, &right["damage_producing_event"], 0);
        let degenerate = count(&right["all_cells_degenerate_resamples"]);
        check_bootstrap(&all, pair, &right["all_cells_pair_conditional"], degenerate);
    }
}

/// Two bootstraps of B resamples, by different generators, may differ in the rank of a quantile by the
/// binomial error of each: within 4 standard errors of the difference, `√(2·q(1−q)/B)`.
fn check_bootstrap(
    clusters: &[Vec<Count>],
    statistic: fn(&[Count]) -> Result<f64, Undefined>,
    right: &Value,
    degenerate: u64,
) {
    let drawn = cluster_bootstrap(clusters, statistic, Resampling { resamples: 10_000, seed: 0, threads: 2 });
    let drawn = drawn.expect("damage in some resample");
    for (share, right) in [(0.025, number(&right[0])), (0.975, number(&right[1]))] {
        let slack = 4.0 * (2.0 * share * (1.0 - share) / 10_000.0_f64).sqrt();
        let (low, high) = (drawn.quantile(share - slack), drawn.quantile(share + slack));
        assert!(low - 1e-12 <= right && right <= high + 1e-12, "{share}: {right} is not in [{low}, {high}]");
    }
    let slack = 4.0 * (2.0 * degenerate as f64).sqrt();
    assert!((drawn.undefined as f64 - degenerate as f64).abs() <= slack, "{} undefined", drawn.undefined);
}
