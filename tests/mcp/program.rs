//! `cited mcp` as a client starts it: lines of JSON on its standard input and output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use super::world::World;

/// The server as a process, spoken to by hand.
struct Program {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start(world: &World, options: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cited"));
        command.current_dir(world.work()).env("CITED_LEDGER", world.ledger()).arg("mcp").args(options);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output }
    }

    fn say(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
        input.flush().unwrap();
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    fn ask(&mut self, id: u32, method: &str, params: Value) -> Value {
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer = self.hear();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    fn open(&mut self, version: &str) -> Value {
        let client = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
        let answer = self.ask(0, "initialize", params);
        self.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer["result"].clone()
    }

    /// Hangs up; what it wrote to standard error, and whether it ended well.
    fn close(mut self) -> (String, bool) {
        drop(self.input.take());
        let output = self.child.wait_with_output().unwrap();
        (String::from_utf8(output.stderr).unwrap(), output.status.success())
    }
}

#[test]
fn every_version_with_a_handshake_is_spoken() {
    let world = World::new();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut program = Program::start(&world, &[]);
        let opened = program.open(version);
        assert_eq!(opened["protocolVersion"], version);
        assert_eq!(opened["serverInfo"]["name"], "cited");
        let tools = program.ask(1, "tools/list", json!({}));
        assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 9);
        let call = json!({"name": "ledger_list", "arguments": {}});
        let listed = program.ask(2, "tools/call", call);
        assert_eq!(listed["result"]["structuredContent"], json!({"sources": []}));
        assert_eq!(program.close(), (String::new(), true), "{version}");
    }
}

#[test]
fn a_version_of_tomorrow_is_answered_with_one_of_today() {
    let world = World::new();
    let mut program = Program::start(&world, &[]);
    assert_eq!(program.open("2099-01-01")["protocolVersion"], "2025-11-25");
    assert!(program.close().1);
}

#[test]
fn the_newest_version_needs_no_handshake() {
    let world = World::new();
    let mut program = Program::start(&world, &[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let found = program.ask(1, "server/discover", json!({"_meta": meta}));
    assert!(
        found["result"]["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")),
        "{found}"
    );
    let tools = program.ask(2, "tools/list", json!({"_meta": meta}));
    assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 9, "{tools}");
    let call = json!({"name": "ledger_list", "arguments": {}, "_meta": meta});
    let listed = program.ask(3, "tools/call", call);
    assert_eq!(listed["result"]["structuredContent"], json!({"sources": []}));
    assert!(program.close().1);
}

#[test]
fn nothing_is_opened_before_a_call_needs_it() {
    let world = World::new();
    std::fs::write(world.ledger(), "no ledger").unwrap();
    std::fs::write(world.memory(), "no memory").unwrap();
    world.write("cited.toml", "no = [toml");
    let mut program = Program::start(&world, &["--allow-write-memory"]);
    program.open("2025-06-18");
    assert_eq!(program.ask(1, "tools/list", json!({}))["result"]["tools"].as_array().unwrap().len(), 11);
    let listed = program.ask(2, "tools/call", json!({"name": "ledger_list", "arguments": {}}));
    assert_eq!(listed["result"]["isError"], true);
    assert!(program.close().1);
}

#[test]
fn the_page_about_the_server_names_every_tool_with_every_argument() {
    let page = include_str!("../../docs/mcp.md");
    let world = World::new();
    let mut program = Program::start(&world, &["--allow-write-memory"]);
    program.open("2025-06-18");
    for tool in program.ask(1, "tools/list", json!({}))["result"]["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let row = page.lines().find(|line| line.starts_with(&format!("| `{name}` |"))).expect(name);
        let told = row.split('|').nth(2).unwrap().trim_matches([' ', '`']).split(", ");
        let mut told: Vec<&str> =
            told.map(|name| name.trim_end_matches('?')).filter(|n| !n.is_empty()).collect();
        let taken = tool["inputSchema"]["properties"].as_object().into_iter().flatten();
        let mut taken: Vec<&str> = taken.map(|(name, _)| name.as_str()).collect();
        told.sort_unstable();
        taken.sort_unstable();
        assert_eq!(told, taken, "{name}");
    }
    assert!(program.close().1);
}

#[test]
fn no_query_and_no_text_reaches_standard_error() {
    let world = World::new();
    world.index();
    let mut program = Program::start(&world, &["--profile", "fast"]);
    program.open("2025-06-18");
    for (id, query) in [(1, "Does ice float on water?"), (2, "zanzibar-parrot"), (3, " ")] {
        let arguments = json!({"query": query});
        program.ask(id, "tools/call", json!({"name": "recall_evidence", "arguments": arguments}));
    }
    program.ask(4, "tools/call", json!({"name": "zanzibar-parrot", "arguments": {}}));
    program.ask(5, "zanzibar/parrot", json!({}));
    assert_eq!(program.close(), (String::new(), true));
}

#[test]
fn recall_asks_the_notes_that_the_server_has_indexed() {
    let world = World::new();
    world.index();
    let elsewhere = world.outside().join("notes.sqlite");
    for options in [vec![], vec!["--memory", elsewhere.to_str().unwrap()]] {
        let mut program = Program::start(&world, &options);
        program.open("2025-06-18");
        let arguments = json!({"query": "Does ice float on water?", "sources": ["memory"], "llm": "none"});
        let asked = program.ask(1, "tools/call", json!({"name": "recall", "arguments": arguments}));
        let cited = &asked["result"]["structuredContent"]["citations"][0];
        assert_eq!(cited["metadata"]["note"], "ice.md", "{options:?}: {asked}");
        assert!(program.close().1);
        let _ = std::fs::rename(world.memory(), &elsewhere);
    }
}

#[test]
fn what_was_asked_before_hanging_up_is_still_answered() {
    let world = World::new();
    let mut program = Program::start(&world, &[]);
    program.open("2025-06-18");
    let urls = json!({"urls": ["https://ice.example/density"]});
    let call = json!({"name": "ledger_add", "arguments": urls});
    program.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}));
    drop(program.input.take());
    assert_eq!(program.hear()["result"]["structuredContent"]["sources"][0]["id"], 1);
    assert!(program.child.wait().unwrap().success());
}

#[test]
fn a_call_of_another_form_is_told_from_a_method_that_there_is_not() {
    let world = World::new();
    let mut program = Program::start(&world, &[]);
    program.open("2025-06-18");
    for (id, params) in
        [(1, json!({})), (2, json!({"name": 5})), (3, json!({"name": "ledger_list", "arguments": []}))]
    {
        assert_eq!(program.ask(id, "tools/call", params)["error"]["code"], -32602);
    }
    assert_eq!(program.ask(4, "tools/none", json!({}))["error"]["code"], -32601);
    assert!(program.close().1);
}

#[test]
fn a_request_that_can_not_be_read_or_is_too_large_is_refused_under_its_id() {
    let world = World::new();
    let mut program = Program::start(&world, &[]);
    program.open("2025-06-18");
    let large = "x".repeat(17 << 20);
    for (query, code) in [("\\ud800", -32700), (large.as_str(), -32600)] {
        let call = format!("{{\"name\":\"recall_evidence\",\"arguments\":{{\"query\":\"{query}\"}}}}");
        let request = format!("{{\"method\":\"tools/call\",\"params\":{call},\"jsonrpc\":\"2.0\",\"id\":7}}");
        writeln!(program.input.as_mut().unwrap(), "{request}").unwrap();
        let answer = program.hear();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(7), &json!(code)), "{answer}");
    }
    assert!(program.close().1);
}

#[test]
fn what_is_no_message_ends_nothing_and_a_client_that_says_nothing_is_no_failure() {
    let world = World::new();
    let mut program = Program::start(&world, &[]);
    program.open("2025-06-18");
    for noise in ["", "{", "[]", "null", "{\"jsonrpc\":\"2.0\"}"] {
        writeln!(program.input.as_mut().unwrap(), "{noise}").unwrap();
    }
    program.say(&json!({"jsonrpc": "2.0", "id": 9, "method": "tools/list", "params": {}}));
    let mut answer = program.hear();
    while answer["id"] != 9 {
        answer = program.hear();
    }
    assert!(program.close().1);
    let silent = Program::start(&world, &[]);
    assert_eq!(silent.close(), (String::new(), true));
}
