//! The memory services over HTTP, from recorded replies on this machine, and every way in which a service misbehaves.
#![cfg(feature = "recall")]

mod loopback;
mod memories;

use std::time::{Duration, Instant};

use cited::recall::Settings;
use cited::recall::settings::Embedding;
use loopback::{Act, Seen, Server, fixture, recorded};
use memories::{Home, ask, contents, errors, ids};
use serde_json::json;

const QUESTION: &str = "What colour is the harbour crane?";

fn settings(variables: &[(&str, &str)]) -> Settings {
    Home::new().settings_with(variables)
}

fn ob1(server: &Server, key: &str) -> Settings {
    settings(&[("CITED_OB1_URL", &server.url), ("OB1_API_KEY", key)])
}

fn embedding(server: &Server) -> Option<Embedding> {
    Some(Embedding { url: format!("{}/v1/embeddings", server.url), model: "small".into(), api_key: None })
}

fn scores(found: &cited::recall::Recall) -> Vec<(f64, &'static str)> {
    let citations = found.findings.citations.iter();
    citations.filter_map(|cited| cited.fused.chunk.score.map(|s| (s.value, s.kind.name()))).collect()
}

#[test]
fn ob1_text_sends_its_four_arguments_and_takes_ranks_for_what_they_are() {
    let server = Server::always(|| recorded("ob1_text.json"));
    let found = ask(ob1(&server, "eyJ.a.b"), "ob1", QUESTION);
    assert_eq!(contents(&found), ["The harbour crane is green.", "The harbour crane was painted in May."]);
    assert_eq!(scores(&found)[0], (0.0607927, "text_rank"));
    let seen = server.seen().remove(0);
    assert_eq!(server.asked(), ["POST /rest/v1/rpc/search_thoughts_text"]);
    assert_eq!(seen.json(), json!({"p_query": QUESTION, "p_limit": 5, "p_filter": {}, "p_offset": 0}));
}

#[test]
fn ob1_sends_old_keys_twice_and_new_keys_once() {
    let server = Server::always(|| recorded("ob1_text.json"));
    ask(ob1(&server, "eyJ.a.b"), "ob1", QUESTION);
    ask(ob1(&server, "sb_secret_1"), "ob1", QUESTION);
    let keys: Vec<(Option<String>, Option<String>)> = server
        .seen()
        .iter()
        .map(|seen| {
            (seen.header("apikey").map(str::to_owned), seen.header("authorization").map(str::to_owned))
        })
        .collect();
    let old = (Some("eyJ.a.b".into()), Some("Bearer eyJ.a.b".into()));
    assert_eq!(keys, [old, (Some("sb_secret_1".into()), None)]);
}

#[test]
fn ob1_match_sends_the_querys_vector_and_drops_what_is_too_unlike() {
    let vectors = Server::always(|| recorded("embedding.json"));
    let server = Server::always(|| recorded("ob1_match.json"));
    let mut settings = ob1(&server, "k");
    settings.ob1.preset = "match".into();
    settings.ob1.embedding = embedding(&vectors);
    let found = ask(settings, "ob1", QUESTION);
    assert_eq!(contents(&found), ["The harbour crane is green."]);
    assert_eq!(scores(&found), [(0.83, "similarity")]);
    assert_eq!(found.findings.citations[0].evidence, 0.83);
    assert_eq!(found.findings.citations[0].fused.chunk.uri.as_deref(), Some("https://port.example/crane"));
    assert_eq!(vectors.seen()[0].json(), json!({"model": "small", "input": QUESTION}));
    let body = server.seen()[0].json();
    assert_eq!(
        body,
        json!({"query_embedding": [0.6, 0.8, 0.0], "match_threshold": 0.5, "match_count": 5, "filter": {}})
    );
}

#[test]
fn ob1_tries_the_next_function_once_where_one_is_unknown() {
    let by_path = |seen: &Seen| match seen.path.as_str() {
        "/rest/v1/rpc/search_thoughts" => recorded("ob1_match.json"),
        _ => Act::Reply(404, fixture("pgrst202.json")),
    };
    let server = Server::new(by_path);
    let found = ask(ob1(&server, "k"), "ob1", QUESTION);
    assert_eq!(contents(&found), ["The harbour crane is green."]);
    let asked = ["POST /rest/v1/rpc/search_thoughts_text", "POST /rest/v1/rpc/search_thoughts"];
    assert_eq!(server.asked(), asked);

    let never = Server::always(|| Act::Reply(404, fixture("pgrst202.json")));
    let found = ask(ob1(&never, "k"), "ob1", QUESTION);
    assert_eq!(errors(&found), ["ob1: HTTP Error 404: Not Found"]);
    assert_eq!(never.asked(), asked);

    let other = Server::always(|| Act::Reply(404, r#"{"code":"42P01"}"#.into()));
    assert_eq!(errors(&ask(ob1(&other, "k"), "ob1", QUESTION)), ["ob1: HTTP Error 404: Not Found"]);
    assert_eq!(other.asked().len(), 1, "another 404 is no unknown function");
}

#[test]
fn ob1_without_a_key_says_so_and_asks_nobody() {
    assert_eq!(errors(&ask(settings(&[]), "ob1", QUESTION)), ["ob1: no API key available"]);
    let server = Server::always(|| recorded("ob1_text.json"));
    let found = ask(settings(&[("CITED_OB1_URL", &server.url)]), "ob1", QUESTION);
    assert_eq!(errors(&found), ["ob1: no API key available"]);
    assert_eq!(server.asked(), Vec::<String>::new());
    let found = ask(settings(&[("OB1_API_KEY", "k")]), "ob1", QUESTION);
    assert_eq!(errors(&found), ["ob1: no URL configured (CITED_OB1_URL)"]);
}

#[cfg(unix)]
mod token_helper {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn home(script: &str, mode: u32) -> Home {
        let home = Home::new();
        home.write("bin/ob1-token.sh", script);
        std::fs::set_permissions(home.path("bin/ob1-token.sh"), PermissionsExt::from_mode(mode)).unwrap();
        home
    }

    fn error(home: &Home, server: &Server) -> String {
        errors(&ask(home.settings_with(&[("CITED_OB1_URL", &server.url)]), "ob1", QUESTION)).concat()
    }

    #[test]
    fn a_helper_of_the_users_own_gives_the_key() {
        let server = Server::always(|| recorded("ob1_text.json"));
        let script = "#!/bin/sh\n[ \"$1\" = export ] && [ -z \"$OTHER\" ] && echo \"export OB1_API_KEY='helper.key-1'\"\n";
        assert_eq!(error(&home(script, 0o700), &server), "");
        assert_eq!(server.seen()[0].header("apikey"), Some("helper.key-1"));
    }

    #[test]
    fn a_helper_that_others_can_write_is_not_run() {
        let server = Server::always(|| recorded("ob1_text.json"));
        for mode in [0o720, 0o702, 0o777] {
            let home = home("#!/bin/sh\ntouch \"$(dirname \"$0\")/was-run\"\necho key\n", mode);
            assert!(error(&home, &server).ends_with("can be written by others; it was not run"));
            assert!(!home.path("bin/was-run").exists());
        }
        assert_eq!(server.asked(), Vec::<String>::new());
    }

    #[test]
    fn a_helper_that_fails_or_prints_no_key_is_an_error_without_what_it_printed() {
        let server = Server::always(|| recorded("ob1_text.json"));
        for (script, says) in [
            ("#!/bin/sh\necho 'not a key: s3cr3t!'\n", "printed no key"),
            ("#!/bin/sh\necho s3cr3t\nexit 3\n", "ended with an error"),
            ("#!/bin/sh\nyes s3cr3t\n", "ended with an error"),
        ] {
            let said = error(&home(script, 0o700), &server);
            assert!(
                said.starts_with("ob1: no API key available: the token helper ") && said.ends_with(says),
                "{said}"
            );
            assert!(!said.contains("s3cr3t"));
        }
    }

    #[test]
    fn a_helper_that_hangs_is_given_up() {
        let server = Server::always(|| recorded("ob1_text.json"));
        let begun = Instant::now();
        let said = error(&home("#!/bin/sh\nsleep 60\n", 0o700), &server);
        assert!(said.ends_with("did not end within 5 s"), "{said}");
        assert!(begun.elapsed() < Duration::from_secs(8));
    }
}

#[test]
fn obn_asks_the_bridge_first() {
    let server = Server::always(|| recorded("obn_bridge.json"));
    let found = ask(settings(&[("CITED_OBN_URL", &server.url)]), "obn", QUESTION);
    assert_eq!(ids(&found), ["c-1", "c-2"]);
    assert_eq!(scores(&found), [(0.77, "similarity"), (0.5, "similarity")]);
    assert_eq!(server.asked(), ["POST /api/v1/search"]);
    assert_eq!(server.seen()[0].json(), json!({"query": QUESTION, "limit": 5}));
}

/// Chroma 2 with two collections.
fn chroma(status: u16) -> Server {
    Server::new(move |seen| match seen.path.as_str() {
        "/api/v1/search" => Act::Reply(status, r#"{"error":"NotFound","message":"?"}"#.into()),
        "/api/v2/heartbeat" => Act::Reply(200, r#"{"nanosecond heartbeat":1767323045000000000}"#.into()),
        "/api/v2/tenants/default_tenant/databases/default_database/collections" => {
            recorded("chroma_collections.json")
        }
        path if path.ends_with("01/query") => recorded("chroma_query_notes.json"),
        path if path.ends_with("02/query") => recorded("chroma_query_letters.json"),
        path if path.ends_with("01/get") => recorded("chroma_get.json"),
        path if path.ends_with("02/get") => {
            Act::Reply(200, r#"{"ids":[],"documents":[],"metadatas":[]}"#.into())
        }
        _ => Act::Reply(404, "{}".into()),
    })
}

#[test]
fn chroma_is_queried_by_vector_and_distances_are_read_by_the_space() {
    let vectors = Server::always(|| recorded("embedding.json"));
    for status in [404, 405, 410] {
        let server = chroma(status);
        let mut settings = settings(&[("CITED_OBN_URL", &server.url)]);
        settings.obn.embedding = embedding(&vectors);
        let found = ask(settings, "obn", QUESTION);
        assert_eq!(ids(&found), ["n1", "l1", "n2"], "{status} {:?}", errors(&found));
        let expected = [0.9, 0.75, 0.1];
        assert!(scores(&found).iter().zip(expected).all(|((score, _), is)| (score - is).abs() < 1e-9));
        let first = &found.findings.citations[0].fused.chunk;
        assert_eq!(first.uri.as_deref(), Some("https://port.example/crane"));
        assert_eq!(first.store_id.as_deref(), Some("notes"));
    }
}

#[test]
fn chroma_without_a_vector_is_searched_by_word_and_ranked_here() {
    let server = chroma(404);
    let mut settings = settings(&[("CITED_OBN_URL", &server.url)]);
    settings.obn.api_key = Some("chroma-key".to_owned().into());
    let found = ask(settings, "obn", QUESTION);
    assert_eq!(ids(&found), ["n1", "n2"]);
    assert_eq!(scores(&found)[0].1, "word_share");
    let gets: Vec<Seen> = server.seen().into_iter().filter(|seen| seen.path.ends_with("/get")).collect();
    assert_eq!(gets.len(), 2);
    assert_eq!(gets[0].header("x-chroma-token"), Some("chroma-key"));
    let words = gets[0].json()["where_document"]["$or"].to_string();
    assert!(
        words.contains(r#"{"$contains":"crane"}"#) || words.contains(r#"{"$contains":"cran"}"#),
        "{words}"
    );
}

#[test]
fn a_server_that_knows_neither_path_is_no_chroma() {
    let server = Server::always(|| Act::Reply(404, "{}".into()));
    let found = ask(settings(&[("CITED_OBN_URL", &server.url)]), "obn", QUESTION);
    assert_eq!(errors(&found), ["obn: HTTP Error 404: Not Found"]);
}

#[test]
fn hindsight_scores_are_optional_and_the_reranker_wins() {
    let server = Server::always(|| recorded("hindsight.json"));
    let variables = [("CITED_HINDSIGHT_URL", server.url.as_str()), ("CITED_HINDSIGHT_BANK", "my bank")];
    let found = ask(settings(&variables), "hindsight", QUESTION);
    assert_eq!(ids(&found), ["h-1", "h-2", "h-3"]);
    assert_eq!(scores(&found), [(0.91, "reranker"), (0.64, "similarity")]);
    let first = &found.findings.citations[0].fused.chunk;
    assert_eq!(first.created_at.as_deref(), Some("2026-01-02T03:04:05Z"));
    assert_eq!(first.metadata["document_id"], "d-9");
    assert_eq!(server.asked(), ["POST /v1/default/banks/my%20bank/memories/recall"]);
    let body = server.seen()[0].json();
    let expected =
        json!({"query": QUESTION, "budget": "mid", "max_tokens": 4096, "types": ["world", "experience"]});
    assert_eq!(body, expected);
}

#[test]
fn an_old_hindsight_is_asked_the_old_way() {
    let server = Server::new(|seen| match seen.path.split('?').next().unwrap() {
        "/search" => recorded("hindsight_old.json"),
        _ => Act::Reply(404, "{}".into()),
    });
    let found = ask(settings(&[("CITED_HINDSIGHT_URL", &server.url)]), "hindsight", QUESTION);
    assert_eq!(ids(&found), ["o-1"]);
    let last = server.asked().pop().unwrap();
    assert_eq!(last, "GET /search?q=What+colour+is+the+harbour+crane%3F&limit=5");
}

#[test]
fn a_new_hindsight_without_the_bank_is_an_error() {
    let server = Server::new(|seen| match seen.path.as_str() {
        "/version" => Act::Reply(200, r#"{"version":"0.5.0"}"#.into()),
        _ => Act::Reply(404, r#"{"detail":"no such bank"}"#.into()),
    });
    let found = ask(settings(&[("CITED_HINDSIGHT_URL", &server.url)]), "hindsight", QUESTION);
    assert_eq!(errors(&found), ["hindsight: HTTP Error 404: Not Found"]);
}

#[test]
fn honcho_is_off_until_configured_and_labels_what_it_concluded() {
    let off = ask(settings(&[]), "honcho", QUESTION);
    assert_eq!(errors(&off), Vec::<String>::new());
    let server = Server::always(|| recorded("honcho.json"));
    let variables = [("CITED_HONCHO_URL", server.url.as_str()), ("CITED_HONCHO_WORKSPACE", "port")];
    let found = ask(settings(&variables), "honcho", QUESTION);
    assert_eq!(ids(&found), ["m-1", "k-1"]);
    assert_eq!(scores(&found), Vec::new());
    let derived: Vec<bool> = found
        .findings
        .citations
        .iter()
        .map(|cited| cited.fused.chunk.metadata.contains_key("derived"))
        .collect();
    assert_eq!(derived, [false, true]);
    assert_eq!(server.asked(), ["POST /v3/workspaces/port/search"]);
    assert_eq!(server.seen()[0].json(), json!({"query": QUESTION, "limit": 5}));
}

/// Hindsight misbehaves, the notes do not: what both say.
fn beside(act: impl Fn() -> Act + Send + Sync + 'static) -> (Vec<String>, String, Duration) {
    let home = Home::new();
    home.write("MEMORY.md", "The harbour crane is green.");
    let server = Server::always(act);
    let mut settings = home.settings_with(&[("CITED_HINDSIGHT_URL", &server.url)]);
    settings.timeouts.insert("hindsight".into(), 1.0);
    let begun = Instant::now();
    let found = ask(settings, "context,hindsight", QUESTION);
    let report: serde_json::Value = serde_json::from_str(&cited::recall::report::json(&found, "")).unwrap();
    (errors(&found), report["citations"].to_string(), begun.elapsed())
}

#[test]
fn a_service_that_misbehaves_is_one_error_and_changes_nothing_for_the_others() {
    let (_, alone, _) = beside(|| Act::Reply(200, "[]".into()));
    assert!(alone.contains("The harbour crane is green."));
    type Misbehaves = Box<dyn Fn() -> Act + Send + Sync>;
    let cases: Vec<(Misbehaves, &str)> = vec![
        (Box::new(|| Act::Reply(401, r#"{"detail":"who are you"}"#.into())), "HTTP Error 401: Unauthorized"),
        (Box::new(|| Act::Reply(500, "oops".into())), "HTTP Error 500: Internal Server Error"),
        (Box::new(|| Act::Reply(200, "<html>".into())), "the reply is no JSON"),
        (Box::new(|| Act::Reply(200, "[".repeat(100_000))), "the reply is no JSON"),
        (Box::new(|| Act::Reply(200, "{}".into())), "the reply holds no list of results"),
        (Box::new(|| Act::Raw(b"\x00\xff garbage, no HTTP\r\n\r\n".to_vec())), "the reply is no HTTP"),
        (Box::new(|| Act::Huge(50_000_000, true)), "the reply is larger than 8 MB"),
        (Box::new(|| Act::Huge(50_000_000, false)), "the reply is larger than 8 MB"),
        (Box::new(|| Act::Hang), "timed out after 1 s"),
        (Box::new(|| Act::Reset), "connection"),
    ];
    for (act, says) in cases {
        let (errors, citations, took) = beside(act);
        assert!(
            errors.len() == 1 && errors[0].starts_with(&format!("hindsight: {says}")),
            "{says}: {errors:?}"
        );
        assert_eq!(citations, alone, "{says}");
        assert!(took < Duration::from_secs(3), "{says}: {took:?}");
    }
}

#[test]
fn a_service_that_does_not_run_is_connection_refused() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let found = ask(settings(&[("CITED_OBN_URL", &url)]), "obn", QUESTION);
    assert_eq!(errors(&found), ["obn: connection refused"]);
}

#[test]
fn a_redirect_is_not_followed_and_the_key_does_not_travel() {
    let thief = Server::always(|| recorded("ob1_text.json"));
    let to = format!("{}/rest", thief.url);
    let server = Server::always(move || Act::Redirect(to.clone()));
    let found = ask(ob1(&server, "eyJ.a.b"), "ob1", QUESTION);
    assert_eq!(errors(&found), ["ob1: HTTP Error 302: Found (redirects are not followed)"]);
    assert_eq!(thief.asked(), Vec::<String>::new());
}

#[test]
fn hanging_services_cost_the_longest_time_out_not_the_sum() {
    let servers = [Server::always(|| Act::Hang), Server::always(|| Act::Hang), Server::always(|| Act::Hang)];
    let settings = settings(&[
        ("CITED_OBN_URL", &servers[0].url),
        ("CITED_HINDSIGHT_URL", &servers[1].url),
        ("CITED_HONCHO_URL", &servers[2].url),
        ("CITED_RECALL_TIMEOUT", "0.7"),
    ]);
    let begun = Instant::now();
    let found = ask(settings, "obn,hindsight,honcho", QUESTION);
    assert!(begun.elapsed() < Duration::from_millis(1_800), "{:?}", begun.elapsed());
    let all = ["obn", "hindsight", "honcho"].map(|name| format!("{name}: timed out after 0.7 s"));
    assert_eq!(errors(&found), all);
}

#[test]
fn secrets_appear_nowhere() {
    let echo = |seen: &Seen| {
        let heads: Vec<String> =
            seen.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        Act::Reply(401, json!({"error": {"message": heads.join(" ")}}).to_string())
    };
    let server = Server::new(echo);
    let home = Home::new();
    home.write("MEMORY.md", "The harbour crane is green.");
    let secrets = ["sb_secret_ob1key", "hermes-secret-key", "openai-secret-key", "user-secret-pass"];
    let with_password = server.url.replace("http://", "http://ada:user-secret-pass@");
    let fresh = |arguments: &[&str]| {
        let mut command = assert_cmd::Command::cargo_bin("cited").unwrap();
        command.current_dir(home.folder.path()).env_clear().env("HOME", home.folder.path());
        command.env("CITED_OB1_URL", &server.url).env("OB1_API_KEY", secrets[0]);
        command.env("CITED_HERMES_URL", &server.url).env("API_SERVER_KEY", secrets[1]);
        command.env("CITED_LLM_URL", &server.url).env("CITED_LLM_API_KEY", secrets[2]);
        command.env("CITED_OBN_URL", &with_password).env("CITED_HINDSIGHT_URL", &with_password);
        command.env("OLLAMA_HOST", &server.url);
        command.args(arguments).output().unwrap()
    };
    for arguments in [vec!["recall", "-q", QUESTION, "--json", "--html"], vec!["recall", "--check"]] {
        let output = fresh(&arguments);
        let page = std::fs::read_to_string(home.path("cited_recall_output.html")).unwrap_or_default();
        let said = format!(
            "{}{}{page}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(said.contains("401"), "{said}");
        for secret in secrets {
            assert!(!said.contains(secret), "{secret} in {said}");
        }
    }
}
