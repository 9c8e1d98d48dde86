//! Two archives compared, as text, CSV and JSON.

use serde::Serialize;

use super::legend::legend;
use super::map_csv::quoted;
use super::numbers;
use super::text::{pad, pad_left, printable, width};
use crate::stats::{Comparison, Method};
use crate::study::Study;
use crate::study::compare::{Compared, ComparedModel, Matched};

/// Counts up when a field changes its meaning or goes; new fields do not count.
const FORMAT: &str = "gainsay.compare/1";

/// One block a model, for people.
#[must_use]
pub fn compare_table(compared: &Compared, before: &Study, after: &Study) -> String {
    let mut out = format!("{} → {}\n", printable(&before.title), printable(&after.title));
    out.push_str("Damage runs by task: Fisher's exact test, two-sided; Holm over all cells compared.\n");
    let models = |side: fn(&ComparedModel) -> usize| compared.models.iter().map(side);
    let mut names = legend(before, models(|of| of.before));
    let others = legend(after, models(|of| of.after));
    names.push_str(if others == names { "" } else { &others });
    out.push_str(&names);
    for of in &compared.models {
        out.push('\n');
        out.push_str(&block(of, before, after));
    }
    for (which, names) in [("first", &compared.only_before), ("second", &compared.only_after)] {
        if !names.is_empty() {
            out.push_str(&format!("\nonly in the {which}: {}\n", printable(&names.join(", "))));
        }
    }
    out
}

fn block(of: &ComparedModel, before: &Study, after: &Study) -> String {
    let (one, two) = (title(before, of.before), title(after, of.after));
    let mut out = match of.matched {
        Matched::SameName if one == two => format!("{one}\n"),
        Matched::SameName => format!("{one} → {two}\n"),
        Matched::SameFullName => format!(
            "{one}\n  one model, its batches apart: {} → {}\n",
            name(before, of.before),
            name(after, of.after)
        ),
        Matched::OnlyModels => format!("comparing different models: {one} → {two}\n"),
    };
    let full = |study: &Study, model: usize| study.models.get(model).map(|row| row.full_name.clone());
    if let (Matched::SameName, Some(one), Some(two)) =
        (of.matched, full(before, of.before), full(after, of.after))
        && one != two
    {
        out.push_str(&format!("  full names differ: {} → {}\n", printable(&one), printable(&two)));
    }
    let task = of.cells.iter().map(|cell| width(&printable(&cell.task))).max().unwrap_or(0).max(4);
    let line = |name: &str, texts: [&str; 5]| {
        let mut line = format!("  {}", pad(name, task));
        for text in texts {
            line.push_str(&pad_left(text, 10));
        }
        line + "\n"
    };
    out.push_str(&line("task", ["before", "after", "change", "p", "Holm"]));
    for cell in &of.cells {
        let count = |count: crate::stats::Count| format!("{}/{}", count.x, count.n);
        let texts = [
            count(cell.damage_before),
            count(cell.damage_after),
            numbers::change3(cell.difference()),
            numbers::rate3(cell.p),
            numbers::rate3(cell.holm),
        ];
        out.push_str(&line(&cell.task, texts.each_ref().map(String::as_str)));
    }
    out.push_str(&match &of.overall {
        Ok(overall) => format!("  {}\n", sentence(overall)),
        Err(reason) => format!("  overall: {}\n", printable(&reason.to_string())),
    });
    for (which, names) in [("first", &of.only_before), ("second", &of.only_after)] {
        if !names.is_empty() {
            out.push_str(&format!("  only in the {which}: {}\n", printable(&names.join(", "))));
        }
    }
    out
}

fn sentence(of: &Comparison) -> String {
    let method = match of.method {
        Method::Exact => "exact".to_owned(),
        Method::Sampled { draws, seed } => format!("{draws} draws, seed {seed}"),
    };
    format!(
        "overall, paired by task: mean change {} over {}, {} fell, {} rose; p {} ({method}), sign test p {}",
        numbers::change3(of.mean_difference),
        numbers::plural(of.tasks as u64, "task"),
        of.fell,
        of.rose,
        numbers::rate3(of.p),
        numbers::rate3(of.sign_p)
    )
}

/// One row a task, unrounded.
#[must_use]
pub fn compare_csv(compared: &Compared, before: &Study, after: &Study) -> String {
    let mut out = String::from("before,after,task,x_before,n_before,x_after,n_after,difference,p,holm\r\n");
    for of in &compared.models {
        for cell in &of.cells {
            let fields = [
                name(before, of.before),
                name(after, of.after),
                cell.task.clone(),
                cell.damage_before.x.to_string(),
                cell.damage_before.n.to_string(),
                cell.damage_after.x.to_string(),
                cell.damage_after.n.to_string(),
                cell.difference().to_string(),
                cell.p.to_string(),
                cell.holm.to_string(),
            ];
            out.push_str(&fields.map(|field| quoted(&field)).join(","));
            out.push_str("\r\n");
        }
    }
    out
}

/// Everything, unrounded.
#[must_use]
pub fn compare_json(compared: &Compared, before: &Study, after: &Study) -> String {
    let models = compared.models.iter().map(|of| ModelOut {
        before: name(before, of.before),
        after: name(after, of.after),
        matched: of.matched.as_str(),
        cells: of
            .cells
            .iter()
            .map(|cell| CellOut {
                task: &cell.task,
                x_before: cell.damage_before.x,
                n_before: cell.damage_before.n,
                x_after: cell.damage_after.x,
                n_after: cell.damage_after.n,
                difference: cell.difference(),
                p: cell.p,
                holm: cell.holm,
            })
            .collect(),
        overall: of.overall.as_ref().ok().map(|overall| OverallOut {
            tasks: overall.tasks,
            fell: overall.fell,
            rose: overall.rose,
            mean_difference: overall.mean_difference,
            p: overall.p,
            exact: overall.method == Method::Exact,
            sign_p: overall.sign_p,
        }),
        undefined: of.overall.as_ref().err().map(ToString::to_string),
        only_before: &of.only_before,
        only_after: &of.only_after,
    });
    let document = Document {
        format: FORMAT,
        before: &before.title,
        after: &after.title,
        models: models.collect(),
        only_before: &compared.only_before,
        only_after: &compared.only_after,
    };
    super::json_text(&document)
}

fn title(study: &Study, model: usize) -> String {
    study.models.get(model).map(|row| printable(row.title()).into_owned()).unwrap_or_default()
}

fn name(study: &Study, model: usize) -> String {
    study.models.get(model).map(|row| printable(&row.name).into_owned()).unwrap_or_default()
}

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    before: &'a str,
    after: &'a str,
    models: Vec<ModelOut<'a>>,
    only_before: &'a [String],
    only_after: &'a [String],
}

#[derive(Serialize)]
struct ModelOut<'a> {
    before: String,
    after: String,
    matched: &'static str,
    cells: Vec<CellOut<'a>>,
    overall: Option<OverallOut>,
    undefined: Option<String>,
    only_before: &'a [String],
    only_after: &'a [String],
}

#[derive(Serialize)]
struct CellOut<'a> {
    task: &'a str,
    x_before: u64,
    n_before: u64,
    x_after: u64,
    n_after: u64,
    difference: f64,
    p: f64,
    holm: f64,
}

#[derive(Serialize)]
struct OverallOut {
    tasks: usize,
    fell: usize,
    rose: usize,
    mean_difference: f64,
    p: f64,
    exact: bool,
    sign_p: f64,
}
