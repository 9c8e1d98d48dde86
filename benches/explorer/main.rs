//! What the explorer costs with a million verdicts: opening from the cache, memory, keys, frames.
//!
//! `cargo bench --bench explorer`. The campaign is made up below `target/`. Opening is measured in processes of
//! their own, so that the figure of memory is that of one opening; keys and frames as CPU time of one thread.

#[allow(dead_code, reason = "shared with another bench")]
#[path = "../labelling/clock.rs"]
mod clock;
mod million;
#[allow(dead_code, reason = "shared with another bench")]
#[path = "../labelling/synthetic.rs"]
mod synthetic;

use std::cell::Cell;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use clock::{Sample, cpu, cpu_ms};
use gainsay::study::cache::CacheFile;
use gainsay::study::{Options, Session, Study};
use gainsay::tui::{App, Depth, Key, Msg, RunId, Theme, ThemeChoice};
use million::Plan;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};
use ratatui::{TerminalOptions, Viewport};

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SCREEN: Size = Size { width: 200, height: 60 };

fn main() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, dir, cache] = arguments.as_slice()
        && word == "--opened"
    {
        opened(Path::new(dir), Path::new(cache));
        return;
    }
    for plan in [Plan { models: 10, ..Plan::MILLION }, Plan::MILLION] {
        let dir = plan.write(target);
        let cache = target.join(format!("index-{}.sqlite", plan.verdicts()));
        let _ = fs::remove_file(&cache);
        println!("\n{} verdicts", plan.verdicts());
        let start = Instant::now();
        open(&dir, &cache);
        println!("  first opening, into the cache: {:.2} s", start.elapsed().as_secs_f64());
        let child = Command::new(std::env::current_exe().expect("this program"))
            .arg("--opened")
            .args([&dir, &cache])
            .status()
            .expect("runs");
        assert!(child.success());
    }
    frames();
    large_run(100_000, 1 << 20);
    large_run(100, 50 << 20);
}

fn open(dir: &Path, cache: &Path) -> Arc<Study> {
    let cache = Some(CacheFile { path: cache.to_owned(), verify: false });
    Session::open(&[dir.to_owned()], &Options { cache, ..Options::default() }).label_all()
}

/// Opens the campaign from the cache and presses keys.
fn opened(dir: &Path, cache: &Path) {
    let mut times = Vec::new();
    let (start, cpu) = (Instant::now(), cpu());
    let cache = Some(CacheFile { path: cache.to_owned(), verify: false });
    let session = Session::open(&[dir.to_owned()], &Options { cache, ..Options::default() });
    let mut app = App::new(session.study(), theme(), SCREEN);
    let mut buffer = Buffer::empty(Rect::new(0, 0, SCREEN.width, SCREEN.height));
    app.draw(&mut buffer);
    let first = start.elapsed();
    let study = session.label_all();
    app.update(Msg::Study(study));
    app.draw(&mut buffer);
    println!(
        "  from the cache: first frame {:.2} s, complete map {:.2} s ({:.2} s of CPU); {} MB resident, {} MB at most",
        first.as_secs_f64(),
        start.elapsed().as_secs_f64(),
        (clock::cpu() - cpu).as_secs_f64(),
        memory("VmRSS"),
        memory("VmHWM")
    );
    for (what, keys) in [
        ("down", vec![Key::Char('j'); 50]),
        ("right", vec![Key::Char('l'); 50]),
        ("page down", vec![Key::PageDown; 8]),
        ("last, first", [Key::Char('G'), Key::Char('g')].repeat(4)),
        ("sort", ['o', 'n', 'o', 'w', 'o', 'm', 'o', 'w'].map(Key::Char).to_vec()),
        ("fold", vec![Key::Char('z'); 6]),
        ("transpose", vec![Key::Char('t'); 6]),
        ("metric", vec![Key::Char('m'); 6]),
        (
            "search",
            ['/', 't', 'a', 's', 'k', '-', '0', '7'].map(Key::Char).into_iter().chain([Key::Enter]).collect(),
        ),
        ("next hit", vec![Key::Char('n'); 10]),
        ("open a cell, back", [Key::Enter, Key::Esc].repeat(6)),
        ("next contradiction", vec![Key::Char('e'); 10]),
        ("back", vec![Key::Esc; 2]),
        ("problems, map", [Key::Char('4'), Key::Char('1')].repeat(3)),
    ] {
        let each: Vec<f64> = keys
            .into_iter()
            .map(|key| {
                cpu_ms(|| {
                    app.update(Msg::Key(key));
                    app.draw(&mut buffer);
                })
            })
            .collect();
        let most = each.iter().copied().fold(0.0, f64::max);
        times.push(most);
        println!("  {what}: {} ms", Sample::new(each));
    }
    println!("  the dearest key: {:.2} ms", times.into_iter().fold(0.0, f64::max));
}

fn theme() -> Theme {
    Theme::new(ThemeChoice::Dark, Depth::True, false)
}

fn memory(what: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(what)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// Counts what is written and drops it.
#[derive(Clone, Default)]
struct Sink {
    bytes: Rc<Cell<usize>>,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.set(self.bytes.get() + bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Frames of the sample archive at 200×60, through the backend.
fn frames() {
    let study = Session::open(&[Path::new("sample-data").to_owned()], &Options::default()).label_all();
    println!("\nframes at 200×60, backend included");
    let mut app = App::new(study, theme(), SCREEN);
    let area = Rect::new(0, 0, SCREEN.width, SCREEN.height);
    let sink = Sink::default();
    let writer = BufWriter::with_capacity(256 * 1024, sink.clone());
    let options = TerminalOptions { viewport: Viewport::Fixed(area) };
    let mut terminal = Terminal::with_options(CrosstermBackend::new(writer), options).expect("a sink");
    let mut draw = |app: &App| {
        terminal.draw(|frame| app.draw(frame.buffer_mut())).expect("draws");
        sink.bytes.take()
    };
    draw(&app);
    let mut bytes = Vec::new();
    let still: Vec<f64> = (0..200).map(|_| cpu_ms(|| bytes.push(draw(&app) as f64))).collect();
    println!(
        "  nothing changed: {} ms, {} bytes",
        Sample::new(still),
        Sample::new(std::mem::take(&mut bytes))
    );
    let moved: Vec<f64> = (0..100)
        .map(|turn| {
            cpu_ms(|| {
                app.update(Msg::Key(Key::Char(if turn % 2 == 0 { 'j' } else { 'k' })));
                bytes.push(draw(&app) as f64);
            })
        })
        .collect();
    println!("  moved selection: {} ms, {} bytes", Sample::new(moved), Sample::new(bytes));
    let mut turn = 0;
    let mut all = |terminal: &mut Terminal<CrosstermBackend<BufWriter<Sink>>>| {
        turn += 1;
        let (symbol, color) = if turn % 2 == 0 { ("a", 17) } else { ("b", 91) };
        terminal
            .draw(|frame| {
                app.draw(frame.buffer_mut());
                for (place, cell) in frame.buffer_mut().content.iter_mut().enumerate() {
                    cell.set_symbol(symbol);
                    // Colours change from cell to cell, as on a heatmap.
                    cell.fg = ratatui::style::Color::Indexed(color + (place % 7) as u8);
                }
            })
            .expect("draws");
    };
    let whole: Vec<f64> = (0..200).map(|_| cpu_ms(|| all(&mut terminal))).collect();
    println!("  every cell changed: {} ms", Sample::new(whole));
}

/// One run whose edits or conversation are far larger than any screen.
fn large_run(rows: usize, said: usize) {
    let dir = tempfile::tempdir().expect("a folder");
    let plan = synthetic::Plan { shapes: synthetic::one(rows), runs: 1, per_task: 1, changed: rows };
    let root = synthetic::write(dir.path(), &plan);
    let spec = "{\"domain\": \"port\", \"allowed\": [], \"pricing\": []}";
    fs::write(root.join("tasks/port/task_00000/damage.json"), spec).expect("writes");
    let results = root.join("runs/20310101T000000Z_aaaaaa/task_00000/run_1/results_task_00000.json");
    fs::remove_file(&results).expect("removes");
    let text = conversation(said);
    fs::write(&results, &text).expect("writes");
    println!("\n{rows} rows changed, a conversation of {} MB", text.len() >> 20);
    let session = Session::open(&[root], &Options::default());
    let study = session.label_all();
    let mut view = None;
    println!("  read on a worker: {:.0} ms", cpu_ms(|| view = session.view(&study, 0)));
    let mut app = App::new(Arc::clone(&study), theme(), SCREEN);
    let mut buffer = Buffer::empty(Rect::new(0, 0, SCREEN.width, SCREEN.height));
    app.update(Msg::Key(Key::Enter));
    app.update(Msg::Key(Key::Enter));
    let id = RunId::at(&study, 0).expect("the run");
    let opened = cpu_ms(|| {
        app.update(Msg::Opened(id, view.map(Box::new)));
        app.draw(&mut buffer);
    });
    println!("  laid out: {opened:.1} ms");
    for (what, key) in [
        ("down", Key::Char('j')),
        ("page down", Key::PageDown),
        ("last", Key::Char('G')),
        ("page up", Key::PageUp),
        ("other pane", Key::Tab),
        ("page down there", Key::PageDown),
        ("unfold", Key::Enter),
        ("all messages", Key::Char('z')),
    ] {
        let each = (0..10).map(|_| {
            cpu_ms(|| {
                app.update(Msg::Key(key));
                app.draw(&mut buffer);
            })
        });
        println!("  {what}: {} ms", Sample::new(each.collect()));
    }
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
