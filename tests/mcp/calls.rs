//! Each tool: what it gives, and that its schemas say so.

use std::collections::BTreeMap;

use cited::mcp::Allowed;
use serde_json::{Value, json};

use super::world::{Client, PAGE, World};

const ALL: Allowed =
    Allowed { profile: cited::memory::Profile::Legacy, limits: None, write: true, write_memory: true };

/// Calls that do what is asked, in an order in which they can.
fn good_calls() -> Vec<(&'static str, Value)> {
    let reply =
        json!({"results": [{"url": "https://ice.example/density", "title": "Ice", "raw_content": PAGE}]});
    vec![
        ("ledger_ingest", json!({"reply": reply, "via": "web"})),
        ("ledger_ingest", json!({"files": ["search.json"], "dry_run": true})),
        ("ledger_add", json!({"urls": ["https://lakes.example/winter", "ice.txt"], "via": "web"})),
        ("ledger_quote", json!({"id": 1, "texts": ["9 % less dense than liquid water"]})),
        (
            "ledger_quote",
            json!({"id": 2, "texts": ["less dense than liquid water"], "from": "ice.txt", "as": "text"}),
        ),
        ("ledger_list", json!({})),
        ("ledger_render", json!({"style": "plain", "only": "1"})),
        ("ledger_render", json!({"replace_in": "draft.md"})),
        (
            "ledger_verify",
            json!({"drafts": ["draft.md"], "strict": true, "evidence": "source", "min_coverage": 0.5}),
        ),
        ("memory_index", json!({"paths": ["notes"]})),
        ("recall_evidence", json!({"query": "Does ice float on water?", "k": 3, "max_items": 2})),
        ("recall_evidence", json!({"query": "What is the capital of Mongolia?"})),
        ("recall_search", json!({"query": "Does ice float?", "source": "ice.md"})),
        ("recall", json!({"query": "Does ice float on water?", "llm": "none"})),
        ("memory_forget", json!({"sources": ["ice.md"]})),
    ]
}

/// Calls that can not do what is asked, and what each is called.
fn bad_calls() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        ("ledger_add", json!({"urls": ["no page at all"]}), "NotRegistered"),
        ("ledger_add", json!({"urls": []}), "InvalidArguments"),
        ("ledger_add", json!({"url": "https://ice.example"}), "InvalidArguments"),
        ("ledger_ingest", json!({}), "InvalidArguments"),
        ("ledger_ingest", json!({"reply": {"results": []}}), "NoUrls"),
        ("ledger_ingest", json!({"reply": "{broken"}), "NotRegistered"),
        ("ledger_quote", json!({"id": 99, "texts": ["ice floats on water"]}), "NoSuchSource"),
        (
            "ledger_quote",
            json!({"id": 1, "texts": ["ice is 19 % less dense than liquid water"]}),
            "QuoteRefused",
        ),
        ("ledger_quote", json!({"id": 3, "texts": ["less dense than liquid water"]}), "Refused"),
        ("ledger_quote", json!({"id": 1, "texts": []}), "InvalidArguments"),
        ("ledger_verify", json!({"drafts": []}), "InvalidArguments"),
        ("memory_index", json!({"paths": []}), "InvalidArguments"),
        ("memory_forget", json!({"sources": []}), "InvalidArguments"),
        ("ledger_list", json!({"all": true}), "InvalidArguments"),
        ("ledger_render", json!({"style": "poem"}), "InvalidArguments"),
        ("ledger_render", json!({"only": "3-1"}), "NotJudged"),
        ("ledger_verify", json!({"drafts": ["missing.md"]}), "Unreadable"),
        ("ledger_verify", json!({"drafts": ["draft.md"], "min_coverage": 60}), "NotJudged"),
        ("memory_index", json!({"paths": ["missing"]}), "Unreadable"),
        ("recall_evidence", json!({"query": "  "}), "NotJudged"),
        ("recall_evidence", json!({"query": "ice ".repeat(2000)}), "NotJudged"),
        ("recall_search", json!({}), "InvalidArguments"),
        ("recall", json!({"query": ""}), "NotJudged"),
        ("recall", json!({"query": "ice", "limit": 0}), "InvalidArguments"),
        ("recall", json!({"query": "ice", "llm": "oracle"}), "InvalidArguments"),
        ("memory_forget", json!({"sources": ["never.md"]}), "Refused"),
    ]
}

fn world() -> World {
    let world = World::new();
    world.write("draft.md", "Ice floats.[1]\n\n## Sources\n\n[1] https://ice.example/density — Ice\n");
    world.write("search.json", r#"{"results": [{"url": "https://dry.example/run"}]}"#);
    world
}

#[tokio::test(flavor = "multi_thread")]
async fn every_result_and_every_failure_is_what_the_schema_says() {
    let world = world();
    let client = Client::of(world.server(ALL)).await;
    let mut schemas = BTreeMap::new();
    for tool in client.tools().await {
        let input = jsonschema::validator_for(&Value::Object((*tool.input_schema).clone())).unwrap();
        let output = Value::Object((*tool.output_schema.unwrap()).clone());
        assert_eq!(output["type"], "object");
        schemas.insert(tool.name.to_string(), (input, jsonschema::validator_for(&output).unwrap()));
    }
    for (name, arguments) in good_calls() {
        let (input, output) = &schemas[name];
        assert!(input.is_valid(&arguments), "{name}: {arguments}");
        let found = client.ok(name, arguments).await;
        output.validate(&found).unwrap_or_else(|error| panic!("{name}: {error}\n{found}"));
        for key in found.as_object().unwrap().keys() {
            let mut less = found.clone();
            less.as_object_mut().unwrap().remove(key);
            assert!(!output.is_valid(&less), "{name}: `{key}` is not asked for");
        }
        assert!(!output.is_valid(&json!({"result": "text"})), "{name}");
    }
    world.write("notes/ice.md", "# Ice\n\nIce floats.\n");
    for (name, arguments, code) in bad_calls() {
        let found = client.failure(name, arguments.clone()).await;
        assert_eq!(found["error"], code, "{name} {arguments}: {found}");
        schemas[name].1.validate(&found).unwrap_or_else(|error| panic!("{name}: {error}\n{found}"));
        if code == "InvalidArguments" && name != "recall" && name != "ledger_render" && found["help"] != "" {
            let is_shape = !schemas[name].0.is_valid(&arguments) || arguments == json!({});
            assert!(is_shape, "{name} {arguments}: the schema allows what is refused");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_tool_says_what_it_does_to_the_world() {
    let world = world();
    let tools = Client::of(world.server(ALL)).await.tools().await;
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    let expected = [
        "recall_evidence",
        "recall_search",
        "recall",
        "ledger_add",
        "ledger_ingest",
        "ledger_quote",
        "ledger_list",
        "ledger_render",
        "ledger_verify",
        "memory_index",
        "memory_forget",
    ];
    assert_eq!(names, expected);
    for tool in &tools {
        let hints = tool.annotations.as_ref().unwrap();
        let looks = ["recall_evidence", "recall_search", "recall", "ledger_list", "ledger_verify"];
        assert_eq!(hints.read_only_hint, Some(looks.contains(&tool.name.as_ref())), "{}", tool.name);
        assert_eq!(hints.open_world_hint, Some(tool.name == "recall"), "{}", tool.name);
        assert_eq!(hints.idempotent_hint, Some(true), "{}", tool.name);
        let removes = ["ledger_render", "memory_index", "memory_forget"];
        assert_eq!(hints.destructive_hint, Some(removes.contains(&tool.name.as_ref())), "{}", tool.name);
        assert!(tool.description.as_ref().unwrap().len() > 40);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_user_does_not_allow_is_not_there() {
    let world = world();
    let client = Client::of(world.server(Allowed::default())).await;
    assert!(client.tools().await.iter().all(|tool| !tool.name.starts_with("memory_")));
    let request = rmcp::model::CallToolRequestParams::new("memory_forget");
    assert!(client.0.call_tool(request).await.is_err(), "a tool that is not listed can not be called");
    client.ok("ledger_add", json!({"urls": ["https://ice.example/density"]})).await;
    let before = world.read("draft.md");
    let refused = client.failure("ledger_render", json!({"replace_in": "draft.md"})).await;
    assert_eq!(refused["error"], "NotAllowed");
    assert_eq!(world.read("draft.md"), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_task_goes_through() {
    let world = world();
    world.write("report.md", "Ice is less dense than water.[1]\n");
    let client = Client::of(world.server(ALL)).await;
    let (name, arguments) = good_calls().remove(0);
    let added = client.ok(name, arguments).await;
    assert_eq!(added["sources"][0]["id"], 1);
    assert_eq!(added["sources"][0]["via"], "web");
    let quoted = client.ok("ledger_quote", json!({"id": 1, "texts": ["less dense than liquid water"]})).await;
    assert_eq!((&quoted["quotes"], &quoted["attached"][0]["line"]), (&json!(1), &json!(1)));
    let rendered = client.ok("ledger_render", json!({"replace_in": "report.md"})).await;
    assert_eq!(rendered["rewritten"], "report.md");
    assert!(world.read("report.md").ends_with("## Sources\n\n[1] https://ice.example/density — Ice\n"));
    let verified = client.ok("ledger_verify", json!({"drafts": ["report.md"], "evidence": true})).await;
    assert_eq!(verified["verdict"], "passed", "{verified}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_made_up_number_and_a_made_up_quote_do_not_pass() {
    let world = world();
    world.write("report.md", "Ice sinks.[7]\n\n## Sources\n\n[7] https://made.example/up\n");
    let client = Client::of(world.server(ALL)).await;
    let (name, arguments) = good_calls().remove(0);
    client.ok(name, arguments).await;
    let verified = client.ok("ledger_verify", json!({"drafts": ["report.md"]})).await;
    assert_eq!(verified["verdict"], "failed");
    assert!(verified.to_string().contains("hallucinated or renumbered"));
    let texts = json!(["less dense than liquid water", "ice sinks in every lake"]);
    let refused = client.failure("ledger_quote", json!({"id": 1, "texts": texts})).await;
    assert!(refused["message"].as_str().unwrap().contains("not found verbatim"));
    assert_eq!(refused["attached"].as_array().unwrap().len(), 1, "the good one is attached");
    assert_eq!(refused["quotes"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn evidence_over_the_wire_is_what_the_command_prints() {
    let world = world();
    world.index();
    let client = Client::of(world.server(Allowed::default())).await;
    let answer = client.ok("recall_evidence", json!({"query": "Does ice float on water?"})).await;
    assert_eq!(answer["decision"], "answer");
    assert_eq!(answer["items"][0]["source"], "ice.md");
    assert_eq!(answer.as_object().unwrap().len(), 19, "every key is there");
    let many =
        client.ok("recall_evidence", json!({"query": "Does ice float?", "k": 100_000, "max_items": 0})).await;
    assert_eq!(many["reason_code"], "evidence_budget_exhausted");
    let gone = client.ok("recall_evidence", json!({"query": "Does ice float?", "source": "gone.md"})).await;
    assert_eq!(gone["reason_code"], "corpus_gap");
}
