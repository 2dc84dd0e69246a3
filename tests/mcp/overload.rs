//! Too many at once: who finds no place is turned away at once, the store unread; a place comes back however a call
//! ended.

use std::sync::Arc;
use std::time::Duration;

use cited::mcp::{Allowed, Server};
use cited::memory::{Limits, Profile};
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest};
use rmcp::service::{PeerRequestOptions, RequestHandle, RoleClient};
use serde_json::json;

use super::world::{Client, World};

fn limited(running: usize, queued: usize, budget: Option<Duration>) -> Allowed {
    let limits = Some(Limits { running, queued, budget });
    Allowed { profile: Profile::Legacy, limits, ..Allowed::default() }
}

/// A call that is sent and not waited for.
async fn send(client: &Client) -> RequestHandle<RoleClient> {
    let mut params = CallToolRequestParams::new("recall_evidence");
    params.arguments = json!({"query": "Does ice float on water?"}).as_object().cloned();
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
    client.0.send_cancellable_request(request, PeerRequestOptions::no_options()).await.unwrap()
}

/// Waits until so many run and so many wait.
async fn load(server: &Arc<Server>, expected: (usize, usize)) {
    let memory = server.memory().unwrap();
    for _ in 0..1000 {
        if memory.admission().load() == expected {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("{:?} instead of {expected:?}", memory.admission().load());
}

#[tokio::test(flavor = "multi_thread")]
async fn who_finds_the_queue_full_is_turned_away_and_nothing_is_read() {
    let world = World::new();
    world.index();
    let server = world.server(limited(1, 1, None));
    let client = Client::of(Arc::clone(&server)).await;
    let held = server.memory().unwrap().admission().enter().unwrap();
    let waiting = send(&client).await;
    load(&server, (1, 1)).await;
    for tool in ["recall_evidence", "recall_search"] {
        let refused = client.failure(tool, json!({"query": "Does ice float?"})).await;
        assert_eq!(refused["error"], "RetrievalOverloaded");
        assert_eq!(refused["reason"], "queue_full");
        assert_eq!(refused["retryable"], true);
        assert!((1..=5).contains(&refused["retry_after_seconds"].as_u64().unwrap()));
    }
    assert_eq!(server.memory().unwrap().reads(), 0);
    drop(held);
    assert!(waiting.await_response().await.is_ok());
    assert_eq!(server.memory().unwrap().reads(), 1);
    load(&server, (0, 0)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_longer_than_the_budget_is_turned_away() {
    let world = World::new();
    world.index();
    let server = world.server(limited(1, 4, Some(Duration::from_millis(20))));
    let client = Client::of(Arc::clone(&server)).await;
    let held = server.memory().unwrap().admission().enter().unwrap();
    let refused = client.failure("recall_evidence", json!({"query": "Does ice float?"})).await;
    assert_eq!(refused["reason"], "budget_exhausted");
    assert_eq!(server.memory().unwrap().reads(), 0);
    drop(held);
    client.ok("recall_evidence", json!({"query": "Does ice float?"})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_call_gives_up_its_place_in_the_queue() {
    let world = World::new();
    world.index();
    let server = world.server(limited(1, 2, None));
    let client = Client::of(Arc::clone(&server)).await;
    let held = server.memory().unwrap().admission().enter().unwrap();
    let first = send(&client).await;
    let second = send(&client).await;
    load(&server, (1, 2)).await;
    first.cancel(Some("no more".into())).await.unwrap();
    load(&server, (1, 1)).await;
    let third = send(&client).await;
    load(&server, (1, 2)).await;
    drop(held);
    assert!(second.await_response().await.is_ok());
    assert!(third.await_response().await.is_ok());
    load(&server, (0, 0)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_place_comes_back_after_an_error() {
    let world = World::new();
    std::fs::write(world.memory(), "no database at all").unwrap();
    let server = world.server(limited(1, 0, None));
    let client = Client::of(Arc::clone(&server)).await;
    for _ in 0..3 {
        let failure = client.failure("recall_evidence", json!({"query": "Does ice float?"})).await;
        assert_eq!(failure["error"], "MemoryUnusable");
    }
    load(&server, (0, 0)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_hangs_up_leaves_no_place_taken() {
    let world = World::new();
    world.index();
    let server = world.server(limited(1, 2, None));
    let held = server.memory().unwrap().admission().enter().unwrap();
    let client = Client::of(Arc::clone(&server)).await;
    let _lost = send(&client).await;
    load(&server, (1, 1)).await;
    client.0.cancel().await.unwrap();
    drop(held);
    load(&server, (0, 0)).await;
    let next = Client::of(Arc::clone(&server)).await;
    next.ok("recall_evidence", json!({"query": "Does ice float?"})).await;
}
