//! Whole frames of the Map.

use crate::tui::fixture::{self, app, frame, press};

#[test]
fn look() {
    for (w, h) in [(80, 24), (120, 40)] {
        println!("{w}x{h}\n{}", frame(&app(fixture::harbour(), w, h)));
    }
    let mut t = app(fixture::harbour(), 80, 24);
    press(&mut t, "t");
    println!("{}", frame(&t));
    let mut t = app(fixture::harbour(), 80, 24);
    press(&mut t, "olmm");
    println!("{}", frame(&t));
    for (w, h) in [(80, 24), (120, 40)] {
        println!("{}", frame(&app(fixture::single(), w, h)));
        println!("{}", frame(&app(fixture::troubled(), w, h)));
        println!("{}", frame(&app(fixture::large(), w, h)));
    }
    println!("{}", frame(&app(fixture::while_labelling(&fixture::harbour(), 700), 80, 24)));
    println!("{}", frame(&app(fixture::harbour(), 60, 15)));
    println!("{}", frame(&app(fixture::harbour(), 40, 10)));
    println!("{}", frame(&app(fixture::harbour(), 20, 5)));
    println!("{}", frame(&app(fixture::harbour(), 1, 1)));
}
