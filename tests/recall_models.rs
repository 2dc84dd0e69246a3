//! The models that word an answer: who is asked, what is sent, and what becomes of what they write.
#![cfg(feature = "recall")]

mod loopback;
mod memories;

use std::time::{Duration, Instant};

use cited::recall::models::Choice;
use cited::recall::{Params, Recall, Settings, page, prompt, recall, report};
use loopback::{Act, Seen, Server, recorded};
use memories::Home;
use serde_json::{Value, json};

const QUESTION: &str = "What colour is the harbour crane?";

fn home() -> Home {
    let home = Home::new();
    home.write(
        "MEMORY.md",
        "# Crane\nThe harbour crane is green.\n\n# Motor\nThe harbour crane has a new motor.",
    );
    home
}

/// Settings where only what is named can be reached.
fn settings(variables: &[(&str, &str)]) -> Settings {
    let nobody = "http://127.0.0.1:1";
    let mut all = vec![("CITED_HERMES_URL", nobody), ("OLLAMA_HOST", nobody)];
    all.retain(|(name, _)| !variables.iter().any(|(own, _)| own == name));
    all.extend(variables);
    home().settings_with(&all)
}

fn ask_with(settings: Settings, llm: Choice, folder: &Home) -> Recall {
    let mut settings = settings;
    settings.folder = folder.folder.path().to_owned();
    let params = Params { sources: vec!["context".into()], llm, ..Params::default() };
    recall(QUESTION, params, settings).unwrap()
}

fn ask(settings: Settings, llm: &str) -> Recall {
    ask_with(settings, Choice::named(llm).unwrap(), &home())
}

/// A model server of either kind that answers so.
fn says(answer: &'static str) -> Server {
    Server::new(move |seen| match seen.path.as_str() {
        "/api/generate" => Act::Reply(200, json!({"response": answer, "model": "m"}).to_string()),
        "/v1/chat/completions" => {
            Act::Reply(200, json!({"choices": [{"message": {"content": answer}}], "model": "m"}).to_string())
        }
        _ => Act::Reply(200, "{}".into()),
    })
}

fn json_of(found: &Recall) -> Value {
    serde_json::from_str(&report::json(found, "2026-01-02T03:04:05Z")).unwrap()
}

#[test]
fn hermes_is_asked_with_the_key_and_its_answer_is_cited() {
    let server = Server::new(|seen| match seen.path.as_str() {
        "/health" => Act::Reply(200, r#"{"status":"ok"}"#.into()),
        _ => recorded("chat.json"),
    });
    let variables = [("CITED_HERMES_URL", server.url.as_str()), ("API_SERVER_KEY", "hermes-key")];
    let report = json_of(&ask(settings(&variables), "auto"));
    assert_eq!(report["synthesized_answer"], "The harbour crane is green [1].");
    assert_eq!(report["llm"], json!({"provider": "hermes", "model": "hermes-agent"}));
    assert_eq!(report["used_citation_ids"], json!([1]));
    assert_eq!(report["extractive_answer"], Value::Null);
    assert_eq!(server.asked(), ["GET /health", "POST /v1/chat/completions"]);
    let seen = server.seen().pop().unwrap();
    assert_eq!(seen.header("authorization"), Some("Bearer hermes-key"));
    let roles: Vec<Value> =
        seen.json()["messages"].as_array().unwrap().iter().map(|m| m["role"].clone()).collect();
    assert_eq!(roles, ["system", "user"]);
    assert_eq!(seen.json()["messages"][0]["content"], prompt::SYSTEM);
}

#[test]
fn ollama_gets_the_prompt_and_its_thinking_is_left_out() {
    let server = Server::new(|seen| match seen.path.as_str() {
        "/api/generate" => recorded("generate.json"),
        _ => Act::Reply(200, r#"{"version":"0.9"}"#.into()),
    });
    let report = json_of(&ask(settings(&[("OLLAMA_HOST", &server.url)]), "auto"));
    assert_eq!(report["synthesized_answer"], "The harbour crane is green [1].");
    assert_eq!(report["llm"]["provider"], "ollama");
    assert_eq!(report["notes"], json!(["hermes not used: connection refused"]));
    let body = server.seen().pop().unwrap().json();
    assert_eq!((&body["model"], &body["stream"]), (&json!("qwen2.5:7b"), &json!(false)));
    assert_eq!(body["options"], json!({"temperature": 0, "num_ctx": 2048}));
}

#[test]
fn any_server_with_the_chat_interface_can_be_configured() {
    let server = Server::new(|seen| match seen.path.as_str() {
        "/v1/models" => Act::Reply(200, r#"{"data":[{"id":"small-model"}]}"#.into()),
        _ => recorded("chat.json"),
    });
    let variables = [("CITED_LLM_URL", server.url.as_str()), ("CITED_LLM_API_KEY", "llm-key")];
    let report = json_of(&ask(settings(&variables), "auto"));
    assert_eq!(report["llm"]["provider"], "openai");
    let seen = server.seen().pop().unwrap();
    assert_eq!((seen.path.as_str(), &seen.json()["model"]), ("/v1/chat/completions", &json!("small-model")));
    assert_eq!(seen.header("authorization"), Some("Bearer llm-key"));
}

#[test]
fn a_model_that_fails_is_followed_by_the_next_and_named_in_a_note() {
    let ollama = says("The harbour crane is green [1].");
    for (act, note) in [
        (401, "hermes not used: HTTP Error 401: Unauthorized"),
        (503, "hermes not used: HTTP Error 503: Service Unavailable"),
    ] {
        let hermes = Server::new(move |seen: &Seen| match seen.path.as_str() {
            "/health" => Act::Reply(200, "{}".into()),
            _ => Act::Reply(act, "{}".into()),
        });
        let variables = [("CITED_HERMES_URL", hermes.url.as_str()), ("OLLAMA_HOST", ollama.url.as_str())];
        let report = json_of(&ask(settings(&variables), "auto"));
        assert_eq!(report["llm"]["provider"], "ollama");
        assert_eq!(report["notes"], json!([note]));
    }
}

#[test]
fn a_model_that_ollama_does_not_have_is_said_in_its_words() {
    let server = Server::new(|seen| match seen.path.as_str() {
        "/api/generate" => Act::Reply(404, r#"{"error":"model 'qwen2.5:7b' not found"}"#.into()),
        _ => Act::Reply(200, "{}".into()),
    });
    let report = json_of(&ask(settings(&[("OLLAMA_HOST", &server.url)]), "ollama"));
    assert_eq!(report["abstained"], false);
    assert_eq!(
        report["notes"][0],
        "ollama not used: HTTP Error 404: Not Found (model 'qwen2.5:7b' not found)"
    );
    assert!(report["extractive_answer"].as_str().unwrap().contains("green"));
}

#[test]
fn a_slow_first_word_is_waited_for_and_a_hanging_model_is_not() {
    let slow = Server::new(|seen| match seen.path.as_str() {
        "/api/generate" => Act::Slow(Duration::from_millis(1500), Box::new(recorded("generate.json"))),
        _ => Act::Reply(200, "{}".into()),
    });
    let mut patient = settings(&[("OLLAMA_HOST", &slow.url)]);
    assert_eq!(json_of(&ask(patient.clone(), "ollama"))["llm"]["provider"], "ollama");
    patient.timeouts.insert("ollama".into(), 0.3);
    let report = json_of(&ask(patient, "ollama"));
    assert_eq!(report["notes"][0], "ollama not used: timed out after 0.3 s");

    let hanging = Server::always(|| Act::Hang);
    let begun = Instant::now();
    let report = json_of(&ask(settings(&[("OLLAMA_HOST", &hanging.url)]), "ollama"));
    assert_eq!(report["notes"][0], "ollama not used: timed out after 1 s");
    assert!(begun.elapsed() < Duration::from_secs(3));
}

#[test]
fn without_a_model_there_is_an_extract_and_a_note_and_no_abstention() {
    let report = json_of(&ask(settings(&[]), "auto"));
    assert_eq!((&report["synthesized_answer"], &report["abstained"]), (&Value::Null, &json!(false)));
    assert_eq!(report["llm"], Value::Null);
    assert_eq!(report["notes"][2], "no model was reachable; the extractive answer quotes the citations");
    assert!(report["extractive_answer"].as_str().unwrap().starts_with("The harbour crane is green.["));
}

#[test]
fn none_and_ollama_keep_memory_text_away_from_hermes() {
    let hermes = says("The harbour crane is green [1].");
    let variables = [("CITED_HERMES_URL", hermes.url.as_str()), ("CITED_LLM_URL", hermes.url.as_str())];
    for llm in ["none", "ollama"] {
        assert_eq!(json_of(&ask(settings(&variables), llm))["llm"], Value::Null);
    }
    assert_eq!(hermes.asked(), Vec::<String>::new());
}

#[test]
fn no_model_is_asked_where_the_evidence_is_not_enough() {
    let server = says("Anything [1].");
    let empty = Home::new();
    let settings = settings(&[("OLLAMA_HOST", &server.url)]);
    let found = ask_with(settings, Choice::Auto, &empty);
    assert!(found.abstention().is_some());
    assert_eq!(server.asked(), Vec::<String>::new());
}

#[test]
fn what_the_model_cites_is_checked() {
    let server = says("The harbour crane is green [1][9]. It has a motor [2].");
    let report = json_of(&ask(settings(&[("OLLAMA_HOST", &server.url)]), "ollama"));
    assert_eq!(report["synthesized_answer"], "The harbour crane is green [1]. It has a motor [2].");
    assert_eq!(report["used_citation_ids"], json!([1, 2]));
    assert_eq!(report["invalid_citation_ids"], json!([9]));

    let server = says("The harbour crane is green [9].");
    let report = json_of(&ask(settings(&[("OLLAMA_HOST", &server.url)]), "ollama"));
    assert_eq!(report["abstention_reason"], "Answer carried no valid citations.");
    assert_eq!((&report["synthesized_answer"], &report["invalid_citation_ids"]), (&Value::Null, &json!([9])));

    let server = says("NO_ANSWER_AVAILABLE: the chunks do not say it");
    let report = json_of(&ask(settings(&[("OLLAMA_HOST", &server.url)]), "ollama"));
    assert_eq!((&report["abstained"], &report["synthesized_answer"]), (&json!(true), &Value::Null));
    assert_eq!(report["abstention_reason"], "the chunks do not say it");
    assert_eq!(report["citations"].as_array().unwrap().len(), 2);
}

#[test]
fn the_page_links_each_citation_to_its_card_and_runs_nothing() {
    let home = home();
    home.write(
        "MEMORY.md",
        "The harbour crane </p><script>alert(1)</script> is \u{202e}green\u{1b}[2J. <img src=x>",
    );
    let server = says("It is <b>green</b> [1] [0] [x] [2].");
    let found = ask_with(settings(&[("OLLAMA_HOST", &server.url)]), Choice::Auto, &home);
    let page = page::html(&found, "2026-01-02T03:04:05Z");
    assert!(page.contains("It is &lt;b&gt;green&lt;/b&gt; <a class=\"cite\" href=\"#c1\">[1]</a>"), "{page}");
    assert!(page.contains("<article id=\"c1\">"));
    for forbidden in
        ["<script", "<img", "<b>", "\u{202e}", "\u{1b}", "javascript:", " src=\"", "@import", "url("]
    {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    assert!(page.contains("name=\"viewport\"") && page.contains("default-src 'none'"));
    assert!(page.contains("Taken out of the answer"));
}

#[test]
fn the_page_says_why_there_is_no_answer() {
    let found = ask_with(settings(&[]), Choice::None, &Home::new());
    let page = page::html(&found, "now");
    assert!(page.contains("No answer") && page.contains("No results from any memory store."));
    assert!(page.contains("context: no file at"));
}
