//! Frames through the backend, into a sink that counts.

use std::cell::Cell;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::rc::Rc;

use gainsay::tui::{App, Backend, Key, Msg};
use ratatui::layout::Rect;
use ratatui::style::Color;
use ratatui::{Terminal, TerminalOptions, Viewport};

use crate::clock::{Sample, cpu_ms};
use crate::stage::{SCREEN, Stage, session};

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

/// The sample archive's Map at 200×60.
pub fn measure() {
    let mut stage = Stage::new(session(&[Path::new("sample-data").to_owned()], None));
    stage.label();
    let app = &mut stage.app;
    let sink = Sink::default();
    let writer = BufWriter::with_capacity(256 * 1024, sink.clone());
    let options = TerminalOptions { viewport: Viewport::Fixed(Rect::new(0, 0, SCREEN.width, SCREEN.height)) };
    let mut terminal = Terminal::with_options(Backend::new(writer), options).expect("a sink");
    let mut draw = |app: &App| {
        terminal.draw(|frame| app.draw(frame.buffer_mut())).expect("draws");
        sink.bytes.take() as f64
    };
    draw(app);
    let mut bytes = Vec::new();
    let still: Vec<f64> = (0..200).map(|_| cpu_ms(|| bytes.push(draw(app)))).collect();
    println!(
        "  nothing changed: {} ms, {} bytes",
        Sample::new(still),
        Sample::new(std::mem::take(&mut bytes))
    );
    for (what, keys) in [("down, up", ['j', 'k']), ("right, left", ['l', 'h']), ("metric", ['m', 'm'])] {
        let moved: Vec<f64> = (0..100)
            .map(|turn| {
                cpu_ms(|| {
                    app.update(Msg::Key(Key::Char(keys[turn % 2])));
                    bytes.push(draw(app));
                })
            })
            .collect();
        println!("  {what}: {} ms, {} bytes", Sample::new(moved), Sample::new(std::mem::take(&mut bytes)));
    }
    let mut turn = 0;
    let whole: Vec<f64> = (0..200)
        .map(|_| {
            turn += 1;
            let (symbol, color) = if turn % 2 == 0 { ("a", 17) } else { ("b", 91) };
            cpu_ms(|| {
                let frame = |frame: &mut ratatui::Frame| {
                    app.draw(frame.buffer_mut());
                    for (place, cell) in frame.buffer_mut().content.iter_mut().enumerate() {
                        // Colours change from cell to cell, as on a heatmap.
                        cell.set_symbol(symbol).set_fg(Color::Indexed(color + (place % 7) as u8));
                    }
                };
                terminal.draw(frame).expect("draws");
                bytes.push(sink.bytes.take() as f64);
            })
        })
        .collect();
    println!("  every cell changed: {} ms, {} bytes", Sample::new(whole), Sample::new(bytes));
}
