//! The real program in a real terminal: what an analyst does, and that the terminal is always given back.
#![allow(clippy::expect_used, reason = "a test")]

mod support;

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use support::terminal::{Terminal, program};
use support::{Archive, TASK, shared};

const SAMPLE: &[&str] = &["sample-data", "--theme", "dark"];

/// Waits for the Map of the sample archive, all of it labelled.
fn sample(columns: u16, rows: u16, environment: &[(&str, &str)]) -> Terminal {
    let mut terminal = Terminal::start(columns, rows, SAMPLE, environment);
    terminal.wait_for("po-approval-gate");
    terminal.wait_until("complete map", |text| text.contains("runs ·") && !text.contains('⋯'));
    terminal
}

/// Everything a program can leave behind in a terminal.
fn assert_given_back(terminal: &Terminal, before: &str) {
    assert!(!terminal.screen().alternate_screen(), "the alternate screen is left");
    assert!(!terminal.screen().hide_cursor(), "the cursor is back");
    assert_eq!(terminal.screen().mouse_protocol_mode(), vt100::MouseProtocolMode::None);
    assert!(!terminal.screen().bracketed_paste(), "pasting is plain again");
    assert_eq!(terminal.modes(), before, "line mode and echo are as before");
}

#[test]
fn from_the_map_to_the_run_that_denies_what_it_did() {
    let Some(shared) = shared() else { return };
    let archive = shared.join("archives/cab-gate-llama70b");
    let archive = archive.to_str().expect("UTF-8");
    let mut terminal = Terminal::start(80, 24, &[archive, "--theme", "dark"], &[]);
    let modes = terminal.modes();
    terminal.wait_for("12/16");
    terminal.press("\r");
    terminal.wait_for("all 16 end in a refusal");
    terminal.press("\r");
    for words in [
        "run_2",
        "ALLOWED",
        "incident/INC_017 status",
        "REFUSAL: the 'Customer portal upgrade' change (CHG0000002)",
        "CHG_002",
        "CHG0000002",
        "status",
        "implement",
        "scheduled",
    ] {
        terminal.wait_for(words);
    }
    terminal.press("c");
    terminal.wait_for("run_8");
    terminal.resize(60, 15);
    terminal.wait_for("run_8");
    terminal.press("\x7f");
    terminal.wait_until("the run at 60×15", |text| text.contains("SAID") && text.contains("DID"));
    terminal.resize(80, 24);
    terminal.wait_for("LINK");
    terminal.press("Q");
    assert!(terminal.wait_for_end().success());
    assert_given_back(&terminal, &modes);
}

#[test]
fn quitting_gives_the_terminal_back() {
    let mut terminal = Terminal::start(80, 24, SAMPLE, &[]);
    let modes = terminal.modes();
    terminal.wait_for("po-approval-gate");
    assert!(terminal.screen().alternate_screen());
    terminal.press("\x1b");
    terminal.press("j");
    terminal.press("q");
    assert!(terminal.wait_for_end().success(), "Escape did not quit, q did");
    assert_given_back(&terminal, &modes);
}

#[test]
fn a_panic_gives_the_terminal_back() {
    let mut terminal = Terminal::start(80, 24, SAMPLE, &[("GAINSAY_TEST", "panic-on-key")]);
    let modes = terminal.modes();
    terminal.wait_for("po-approval-gate");
    terminal.press("!");
    assert_eq!(terminal.wait_for_end().exit_code(), 101);
    assert_given_back(&terminal, &modes);
    terminal.wait_for("panicked");
}

#[test]
fn a_signal_gives_the_terminal_back() {
    for signal in ["TERM", "HUP", "INT"] {
        let mut terminal = Terminal::start(80, 24, SAMPLE, &[]);
        let modes = terminal.modes();
        terminal.wait_for("po-approval-gate");
        let sent = Command::new("kill").args(["-s", signal, &terminal.pid().to_string()]).status();
        assert!(sent.expect("kill runs").success());
        assert!(!terminal.wait_for_end().success(), "{signal} is no success");
        assert_given_back(&terminal, &modes);
    }
}

#[test]
fn suspending_gives_the_terminal_back_and_comes_again() {
    let mut terminal = Terminal::start_shell(80, 24);
    terminal.press("PS1='$ '\r");
    terminal.press(&format!("{} sample-data --theme dark\r", program()));
    terminal.wait_for("po-approval-gate");
    terminal.press("\x1a");
    terminal.wait_for("Stopped");
    assert!(!terminal.screen().alternate_screen());
    terminal.press("echo between\r");
    terminal.wait_for("\nbetween");
    terminal.press("fg\r");
    terminal
        .wait_until("the map again", |text| text.contains("po-approval-gate") && !text.contains("between"));
    terminal.press("Q");
    // Typed sooner, the words would still be the explorer's.
    terminal.wait_until("prompt", |text| text.trim_end().ends_with("--theme dark\n$"));
    terminal.press("exit\r");
    terminal.wait_for_end();
    assert!(!terminal.screen().alternate_screen());
}

#[test]
fn while_labelling_is_held_back_the_map_draws_moves_and_quits() {
    let mut terminal = Terminal::start(80, 24, SAMPLE, &[("GAINSAY_TEST", "hold-labelling")]);
    terminal.wait_for("0 of 439 judged");
    terminal.wait_for("kestrel-mini × account-handover");
    terminal.press("jl");
    terminal.wait_for("tern-7b × credit-hold-release");
    terminal.press("q");
    assert!(terminal.wait_for_end().success());
}

#[test]
fn without_colour_the_selection_still_stands_out() {
    let terminal = sample(80, 24, &[("NO_COLOR", "1")]);
    let raw = String::from_utf8_lossy(&terminal.raw).into_owned();
    for colour in ["\x1b[38;", "\x1b[48;", "\x1b[31m", "\x1b[91m"] {
        assert!(!raw.contains(colour), "{colour:?} was sent");
    }
    let screen = terminal.screen();
    let (rows, columns) = screen.size();
    let inverse = (0..rows.get())
        .flat_map(|row| (0..columns.get()).map(move |column| (row, column)))
        .any(|(row, column)| screen.cell(row, column).is_some_and(vt100::Cell::inverse));
    assert!(inverse, "{}", terminal.text());
}

#[test]
fn idle_costs_no_cpu() {
    let mut terminal = sample(80, 24, &[]);
    terminal.press("j");
    let used = || -> u64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", terminal.pid())).expect("Linux");
        let fields = stat.rsplit(") ").next().expect("fields").split(' ').collect::<Vec<_>>();
        [11, 12].iter().filter_map(|&field| fields.get(field)?.parse::<u64>().ok()).sum()
    };
    thread::sleep(Duration::from_millis(300));
    let before = used();
    thread::sleep(Duration::from_millis(2000));
    assert!(used() - before <= 1, "ticks of a hundredth of a second used while idle: {}", used() - before);
}

#[test]
fn hostile_text_never_reaches_the_terminal_raw() {
    let archive = Archive::small();
    let hostile = "\\u001b]52;c;cHduZWQ=\\u0007\\u009b31m\\u202eevil\\r";
    for number in 1..=8 {
        let text = fs::read_to_string(archive.results(number)).expect("reads");
        let said = text.replace("\"content\": \"", &format!("\"content\": \"{hostile}"));
        assert_ne!(said, text);
        fs::write(archive.results(number), said).expect("writes");
    }
    let path = archive.path().to_str().expect("UTF-8").to_owned();
    let mut terminal = Terminal::start(100, 30, &[&path, "--theme", "dark"], &[]);
    terminal.wait_for(TASK);
    terminal.wait_until("labelled", |text| !text.contains('⋯'));
    terminal.press("\r");
    terminal.wait_for("calls");
    terminal.press("\r");
    terminal.wait_for("]52;c;");
    terminal.press("Q");
    terminal.wait_for_end();
    let raw = &terminal.raw;
    let contains = |bytes: &[u8]| raw.windows(bytes.len()).any(|window| window == bytes);
    assert!(!contains(b"\x1b]52"), "a clipboard write got through");
    assert!(!contains("\u{9b}".as_bytes()) && !contains("\u{202e}".as_bytes()) && !contains(b"\x07"));
}
