//! The server as a client sees it: over a pipe in this process, and as the program that a client starts.

#![cfg(feature = "mcp")]

mod calls;
mod confinement;
mod overload;
mod program;
mod python;
mod world;
