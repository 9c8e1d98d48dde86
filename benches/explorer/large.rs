//! Runs far larger than any screen: very many edits, a very long conversation, very long values.

use std::fs;

use gainsay::tui::{Key, Msg};

use crate::clock::cpu_ms;
use crate::stage::{Stage, session, typed};
use crate::synthetic;

pub fn measure() {
    run(100_000, 1 << 20);
    run(100, 50 << 20);
}

/// One run whose edits or conversation are far larger than any screen.
fn run(rows: usize, said: usize) {
    let dir = tempfile::tempdir().expect("a folder");
    let plan = synthetic::Plan { shapes: synthetic::one(rows), runs: 1, per_task: 1, changed: rows };
    let root = synthetic::write(dir.path(), &plan);
    let spec = "{\"domain\": \"port\", \"allowed\": [], \"pricing\": []}";
    fs::write(root.join("tasks/port/task_00000/damage.json"), spec).expect("writes");
    let results = root.join("runs/20310101T000000Z_aaaaaa/task_00000/run_1/results_task_00000.json");
    fs::remove_file(&results).expect("removes");
    let text = conversation(said);
    fs::write(&results, &text).expect("writes");
    println!("  {rows} rows changed, a conversation of {} MB", text.len() >> 20);
    let session = session(&[root], None);
    let study = session.label_all();
    println!("  opened on a worker: {:.0} ms", cpu_ms(|| drop(session.view(&study, 0))));
    let mut stage = Stage::new(session);
    stage.send(Msg::Study(study));
    stage.press("open the cell", [Key::Enter]);
    stage.press("open the run", [Key::Enter]);
    let moves = [Key::PageDown, Key::PageDown, Key::PageUp, Key::Char('G'), Key::PageUp, Key::Char('g')];
    for pane in ["rows", "transcript"] {
        stage.press(pane, typed("jjkk").into_iter().chain(moves));
        stage.press("  unfold, fold", [Key::Enter, Key::Enter]);
        stage.press("  last, unfold, fold", [Key::Char('G'), Key::Enter, Key::Enter]);
        stage.press("  other pane", [Key::Tab]);
    }
    stage.press("all messages", typed("zz"));
    stage.press("whole rows", typed("vv"));
    stage.press("said, did, why", typed("sdw").into_iter().chain([Key::Esc]));
    stage.press("asked", typed("ajja"));
    stage.press("search", typed("/buoy 7").into_iter().chain([Key::Enter]).chain(typed("nnN")));
    stage.press("copy", typed("ysyaysye"));
    println!("  the dearest key: {:.2} ms", stage.dearest);
}

/// The results of a run that said and read so many bytes.
fn conversation(bytes: usize) -> String {
    let talk = "The pilot boards at the outer buoy and the tug follows. ".repeat(180);
    let mut flow = String::from("{\"type\": \"user_message\", \"content\": \"Move the ship.\"}");
    let mut call = 0;
    while flow.len() < bytes {
        flow += &format!(
            ", {{\"type\": \"ai_message\", \"content\": \"\", \"tool_calls\": [{{\"name\": \"find_berth\", \"args\": \
             {{\"id\": {call}}}}}]}}, {{\"type\": \"tool_result\", \"tool_name\": \"find_berth\", \"result\": \
             {{\"success\": true, \"result\": {{\"content\": [{{\"type\": \"text\", \"text\": \"{talk}\"}}]}}}}}}"
        );
        call += 1;
    }
    format!(
        "{{\"runs\": [{{\"run_number\": 1, \"conversation_flow\": [{flow}, {{\"type\": \"ai_message\", \"content\": \
         \"Done.\"}}], \"verification_results\": {{\"berth\": {{\"passed\": true}}}}, \"overall_success\": true}}]}}"
    )
}
