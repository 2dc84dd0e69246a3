//! Keys stay out of everything that is shown, also where a server says them back.
#![cfg(feature = "recall")]

mod loopback;
mod memories;

use cited::recall::models::Choice;
use cited::recall::{Params, page, recall, report};
use loopback::{Act, Server};
use memories::Home;
use serde_json::json;

const QUESTION: &str = "What colour is the harbour crane?";
const KEY: &str = "sb_secret_0123456789";
const NOW: &str = "2026-06-01T12:00:00Z";

/// Everything that is shown of a recall.
fn shown(home: &Home, variables: &[(&str, &str)], sources: &str, llm: Choice) -> String {
    let sources = sources.split(',').map(str::to_owned).collect();
    let params = Params { sources, min_sources: 1, llm, ..Params::default() };
    let found = recall(QUESTION, params, home.settings_with(variables)).unwrap();
    report::json(&found, NOW) + &page::html(&found, NOW)
}

#[test]
fn a_store_that_says_its_key_back_does_not_make_us_show_it() {
    let server = Server::new(|seen| {
        let key = seen.header("apikey").or(seen.header("authorization")).unwrap_or_default();
        let row = json!({"id": key, "content": format!("The harbour crane's key is {key}, what a colour."),
            "title": key, "metadata": {key: [key]}, "rank": 0.1});
        Act::Reply(200, json!([row, {"id": 2, "content": "The crane is green.", "rank": 0.1}]).to_string())
    });
    for key in [KEY, "eyJhbGci.eyJyb2xl.c2ln"] {
        let variables = [("CITED_OB1_URL", server.url.as_str()), ("OB1_API_KEY", key)];
        let text = shown(&Home::new(), &variables, "ob1", Choice::None);
        assert!(text.contains("key is ***, what") || text.contains("key is Bearer ***"), "{text}");
        assert!(!text.contains(key));
    }
}

#[test]
fn a_model_that_says_its_key_back_does_not_make_us_show_it() {
    let server = Server::new(|seen| {
        let said = format!("{} is the key [1].", seen.header("authorization").unwrap_or_default());
        Act::Reply(200, json!({"model": said, "choices": [{"message": {"content": said}}]}).to_string())
    });
    let home = Home::new();
    home.write("MEMORY.md", "The harbour crane is of a green colour.");
    for (url, key, model) in
        [("CITED_LLM_URL", "CITED_LLM_API_KEY", "openai"), ("CITED_HERMES_URL", "API_SERVER_KEY", "hermes")]
    {
        let variables = [(url, server.url.as_str()), (key, KEY)];
        let text = shown(&home, &variables, "context", Choice::Only(model));
        assert!(text.contains("Bearer *** is the key [1]."), "{text}");
        assert!(!text.contains(KEY));
    }
}

#[cfg(unix)]
#[test]
fn the_key_of_the_token_helper_is_kept_as_well() {
    use std::os::unix::fs::PermissionsExt;
    let server = Server::new(|seen| {
        let key = seen.header("apikey").unwrap_or_default();
        Act::Reply(200, json!([{"id": 1, "content": format!("The crane's colour: {key}")}]).to_string())
    });
    let home = Home::new();
    home.write(
        "bin/ob1-token.sh",
        "#!/bin/sh\necho 'export OB1_TOKEN=helper.key-1'\necho 'export OB1_TTL=60'\n",
    );
    let helper = home.path("bin/ob1-token.sh");
    std::fs::set_permissions(helper, std::fs::Permissions::from_mode(0o700)).unwrap();
    let text = shown(&home, &[("CITED_OB1_URL", &server.url)], "ob1", Choice::None);
    assert!(text.contains("The crane's colour: ***"), "{text}");
    assert!(!text.contains("helper.key-1"));
}
