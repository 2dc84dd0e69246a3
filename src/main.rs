//! Parse the arguments, run, print the error, exit.

fn main() {}
