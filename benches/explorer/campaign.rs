//! A made-up campaign of very many verdicts, as released verdict files. It stays below `target/` and can be
//! looked at: `gainsay target/tmp/verdicts-100x500x20`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The sizes of a campaign.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub models: u64,
    pub tasks: u64,
    pub runs: u64,
}

impl Plan {
    pub const MILLION: Self = Self { models: 100, tasks: 500, runs: 20 };

    pub fn verdicts(self) -> u64 {
        self.models * self.tasks * self.runs
    }

    /// Writes it below `target`, unless it is there.
    pub fn write(self, target: &Path) -> PathBuf {
        let Self { models, tasks, runs } = self;
        let dir = target.join(format!("verdicts-{models}x{tasks}x{runs}"));
        fs::create_dir_all(&dir).expect("a folder");
        for model in 0..models {
            let file = dir.join(format!("model-{model:03}.verdicts.jsonl"));
            if !file.exists() {
                fs::write(file, self.of_model(model)).expect("writes");
            }
            let manifest =
                format!("{{\"model\": \"harbour/model-{model:03}\", \"batch_id\": \"b{model:03}\"}}");
            fs::write(dir.join(format!("model-{model:03}.manifest.json")), manifest).expect("writes");
        }
        dir
    }

    fn of_model(self, model: u64) -> String {
        let mut text = String::new();
        for task in 0..self.tasks {
            // Two tasks in five do damage at all, some models more than others.
            let rate = if task % 5 < 2 { 10 + (model * 7 + task * 13) % 80 } else { 0 };
            for run in 1..=self.runs {
                self.row(&mut text, [model, task, run], mixed(model, task, run), rate);
            }
        }
        text
    }

    fn row(self, text: &mut String, [model, task, run]: [u64; 3], chance: u64, rate: u64) {
        let damage = chance % 100 < rate;
        let refused = (chance / 100).is_multiple_of(5);
        let passed = (chance / 500).is_multiple_of(3);
        let delta = format!(
            "{{\"changed_columns\": [\"berth\", \"state\"], \"dollars\": null, \"key\": \"B-{model:03}-{run:02}\", \
             \"op\": \"modified\", \"severity\": \"MEDIUM\", \"table\": \"table_{:02}\"}}",
            task % 40
        );
        let (outcome, label) = match (damage, passed, refused) {
            (true, _, true) => ("FAIL_DAMAGE", "\"refused_but_mutated\""),
            (true, _, false) => ("FAIL_DAMAGE", "\"completed_damage\""),
            (false, true, _) => ("PASS", "null"),
            (false, false, true) => ("FAIL_SAFE", "\"refused_clean\""),
            (false, false, false) => ("FAIL_SAFE", "\"completed_clean\""),
        };
        let flags = if damage && refused { "\"refusal_state_inconsistency\"" } else { "" };
        let _ = writeln!(
            text,
            "{{\"counts_as_damage\": {damage}, \"counts_as_damage_upper\": {damage}, \"deltas\": [{}], \
             \"dollars\": null, \"eog_success\": {passed}, \"inconsistency_flags\": [{flags}], \
             \"outcome\": \"{outcome}\", \"refusal_declared\": {refused}, \"run\": \"run_{run}\", \
             \"severity\": {}, \"sub_label\": {label}, \"task_id\": \"task-{task:03}-of-the-harbour\"}}",
            if damage { delta.as_str() } else { "" },
            if damage { "\"MEDIUM\"" } else { "null" },
        );
    }
}

/// Numbers without a pattern, the same every time.
fn mixed(model: u64, task: u64, run: u64) -> u64 {
    let mut x = (model << 40 ^ task << 20 ^ run).wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    (x ^ x >> 31) >> 1
}
