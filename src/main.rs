//! The `gainsay` program: see [`gainsay`] for the map of the house.

fn main() {}
