//! The client that most agents are built on: the Python package `mcp`. The script and the Python that runs it are
//! apart: `CITED_TEST_PYTHON` names one that has the package.

use std::process::Command;

use super::world::World;

#[test]
fn the_python_client_lists_calls_and_validates() {
    let Some(python) = python_with_mcp() else {
        assert!(std::env::var_os("CITED_REQUIRE_PROGRAMS").is_none(), "no Python with the package `mcp`");
        println!("SKIPPED: no Python with the package `mcp`; name one with CITED_TEST_PYTHON");
        eprintln!("SKIPPED: no Python with the package `mcp`; name one with CITED_TEST_PYTHON");
        return;
    };
    let world = World::new();
    world.index();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/mcp/client.py");
    let mut command = Command::new(python);
    command.arg(script).arg(env!("CARGO_BIN_EXE_cited")).current_dir(world.work());
    let output = command.env("CITED_LEDGER", world.ledger()).output().unwrap();
    let said =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.contains("client OK"), "{said}");
}

fn python_with_mcp() -> Option<String> {
    let named = std::env::var("CITED_TEST_PYTHON").ok().filter(|name| !name.is_empty());
    let candidates = named.into_iter().chain(["python3".into(), "python".into()]);
    let has_mcp = |python: &String| {
        let found = Command::new(python).args(["-c", "import mcp"]).output();
        found.is_ok_and(|output| output.status.success())
    };
    candidates.into_iter().find(has_mcp)
}
