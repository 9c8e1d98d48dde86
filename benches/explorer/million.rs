//! A million verdicts: opening from the cache, memory, every key.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use gainsay::tui::Key;

use crate::campaign::Plan;
use crate::process::{cpu_of, memory};
use crate::scratch;
use crate::stage::{Stage, session, typed};

/// The word that makes this program open a campaign and tell what it took: memory is that of one opening.
pub const CHILD: &str = "--opened";

/// How often it is opened.
const OPENINGS: usize = 5;

pub fn measure() {
    for plan in [Plan { models: 10, ..Plan::MILLION }, Plan::MILLION] {
        let dir = plan.write(scratch());
        let cache = scratch().join(format!("index-{}.sqlite", plan.verdicts()));
        let _ = fs::remove_file(&cache);
        println!("  {} verdicts, {}", plan.verdicts(), dir.display());
        let start = Instant::now();
        let runs = session(std::slice::from_ref(&dir), Some(&cache)).label_all().runs.len();
        assert_eq!(runs as u64, plan.verdicts());
        println!("  first opening, into the cache: {:.2} s", start.elapsed().as_secs_f64());
        let program = std::env::current_exe().expect("this program");
        for _ in 0..OPENINGS {
            let opened = Command::new(&program).arg(CHILD).args([&dir, &cache]).status();
            assert!(opened.expect("runs").success());
        }
    }
    let dir = Plan::MILLION.write(scratch());
    let mut stage = Stage::new(session(&[dir], Some(&scratch().join("index-1000000.sqlite"))));
    stage.label();
    keys(&mut stage);
}

/// Opens the campaign from the cache, and tells what that took.
pub fn opened(dir: &Path, cache: &Path) {
    let start = Instant::now();
    let mut stage = Stage::new(session(&[dir.to_owned()], Some(cache)));
    let first = start.elapsed();
    stage.label();
    let all = start.elapsed();
    let (user, system) = cpu_of("self");
    println!(
        "  from the cache: first frame {:.2} s, complete map {:.2} s, {user:.2} + {system:.2} s of CPU; {} MB resident, {} MB at most",
        first.as_secs_f64(),
        all.as_secs_f64(),
        memory("VmRSS"),
        memory("VmHWM")
    );
}

/// Every key of every screen.
fn keys(stage: &mut Stage) {
    let moves = [Key::PageDown, Key::PageUp, Key::Ctrl('d'), Key::Ctrl('u'), Key::Char('G'), Key::Char('g')];
    let copies = typed("ysyaysye");
    println!("  Map");
    stage.press("down, right", typed(&"jl".repeat(25)));
    stage.press("pages and ends", moves);
    stage.press("orders", typed("onomoaowologod"));
    stage.press("no groups", typed("o0"));
    stage.press("metric", typed("mmm"));
    stage.press("fold", typed("zz"));
    stage.press("transpose and move", typed("tjljlGgt"));
    stage.press("search, typed", typed("/task-07").into_iter().chain([Key::Enter]));
    stage.press("hits", typed("nnnnNN"));
    stage.press("clear the search", [Key::Esc]);
    stage.press("palette, typed", typed(":model-042").into_iter().chain(vec![Key::Backspace; 4]));
    stage.press("palette, chosen", typed("7").into_iter().chain([Key::Down, Key::Enter]));
    stage.press("back", [Key::Esc]);
    stage.press(
        "help, and search there",
        typed("?jjG/cell").into_iter().chain([Key::Enter, Key::Esc, Key::Esc]),
    );
    stage.press("copy", copies.clone());
    stage.press("provenance", [Key::Char('i'), Key::Esc]);
    println!("  Cell");
    stage.press("a cell, and back", [Key::Enter, Key::Esc].repeat(5));
    stage.press("open", typed("gg").into_iter().chain([Key::Enter]));
    stage.press("move", typed("jjkkJJKK}{").into_iter().chain(moves));
    stage.press("fold, orders", typed("zzononotodop"));
    stage.press("twin", typed("cjjc"));
    stage.press("copy, provenance", copies.clone().into_iter().chain([Key::Char('i'), Key::Esc]));
    println!("  Run");
    stage.press("next contradictions", typed(&"e".repeat(20)));
    stage.press("previous ones", typed(&"E".repeat(5)));
    stage.press("move", typed("jjkkJJKK}{").into_iter().chain(moves));
    stage.press("look", typed("asdvvwzz"));
    stage.press("copy, provenance", copies.clone().into_iter().chain([Key::Char('i'), Key::Esc, Key::Esc]));
    println!("  Stats");
    stage.press("open, figures arrive", typed("3"));
    for section in ["Pools", "Curves", "Decay", "Cells", "Capability", "Criteria"] {
        stage.press(section, typed("jjkk").into_iter().chain(moves));
        stage.press("  what is behind, and back", [Key::Enter, Key::Char('j'), Key::Esc]);
        stage.press("  copy", copies.clone());
        stage.press("  next section", [Key::Tab]);
    }
    stage.press("search", typed("/task-07").into_iter().chain([Key::Enter]).chain(typed("nnN")));
    stage.press("leave", [Key::Esc, Key::Esc]);
    println!("  Problems");
    stage.press("open, move, back", typed("4jjkkGg1"));
    println!("  the dearest key: {:.2} ms", stage.dearest);
}
