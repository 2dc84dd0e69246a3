//! Which files a client may name, and that a refusal tells nothing of what they hold.

// Roots are on their way out of the protocol; clients of today still name them.
#![allow(deprecated)]

use std::fs;
use std::path::PathBuf;

use cited::mcp::Allowed;
use rmcp::ClientHandler;
use rmcp::ErrorData;
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, ListRootsResult, ProtocolVersion, Root};
use rmcp::service::{
    ClientLifecycleMode, RequestContext, RoleClient, serve_client, serve_client_with_lifecycle,
};
use serde_json::{Value, json};

use super::world::{Client, PAGE, World, connect, uri};

/// Words that no answer may repeat.
const SECRET: &str = "zanzibar-parrot";
const WRITE: Allowed =
    Allowed { profile: cited::memory::Profile::Legacy, limits: None, write: true, write_memory: true };

/// A client that names these roots.
#[derive(Clone)]
struct Rooted(Vec<String>);

impl ClientHandler for Rooted {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::builder().enable_roots().build(),
            Implementation::new("test", "1"),
        )
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        Ok(ListRootsResult::new(self.0.iter().map(Root::new).collect()))
    }
}

/// Every way to name a file, for a tool that would read it.
fn readings(path: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("ledger_verify", json!({"drafts": [path]})),
        ("ledger_ingest", json!({"files": [path]})),
        ("ledger_quote", json!({"id": 1, "texts": ["any three words"], "from": path})),
        ("ledger_render", json!({"cited_in": path})),
        ("ledger_render", json!({"replace_in": path})),
        ("memory_index", json!({"paths": [path]})),
        ("ledger_add", json!({"urls": [path]})),
    ]
}

async fn assert_refused<H: ClientHandler>(client: &Client<H>, path: &str) {
    for (tool, arguments) in readings(path) {
        let failure = client.failure(tool, arguments).await;
        assert!(!failure.to_string().contains(SECRET), "{tool} {path}: {failure}");
        let code = failure["error"].as_str().unwrap();
        let expected = ["FileRefused", "Unreadable", "NotRegistered"];
        assert!(expected.contains(&code), "{tool} {path}: {failure}");
    }
}

/// A world with one source, and secrets where no client may look.
async fn world() -> World {
    let world = World::new();
    for name in
        [".env", ".git/config", "credentials.json", "keys/id_rsa", "notes/.hidden.md", ".hidden/page.txt"]
    {
        world.write(name, SECRET);
    }
    fs::write(world.outside().join("page.txt"), SECRET).unwrap();
    let client = Client::of(world.server(WRITE)).await;
    client.ok("ledger_add", json!({"urls": ["https://ice.example/density"]})).await;
    world
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_outside_hidden_or_secret_is_read() {
    let world = world().await;
    let client = Client::of(world.server(WRITE)).await;
    let outside = world.outside().join("page.txt");
    let absolute = world.work().join(".env");
    for path in [
        outside.to_str().unwrap(),
        absolute.to_str().unwrap(),
        "../outside/page.txt",
        "notes/../../outside/page.txt",
        "notes/../.env",
        ".env",
        "./.env",
        ".git/config",
        ".hidden/page.txt",
        "notes/.hidden.md",
        "credentials.json",
        "keys/id_rsa",
        "/etc/passwd",
        "-",
        "/dev/stdin",
        "",
    ] {
        assert_refused(&client, path).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_beneath_the_folder_is_read_by_either_name() {
    let world = world().await;
    let client = Client::of(world.server(WRITE)).await;
    let absolute = world.work().join("ice.txt");
    for path in ["ice.txt", "./ice.txt", absolute.to_str().unwrap()] {
        let texts = ["less dense than liquid water"];
        client.ok("ledger_quote", json!({"id": 1, "texts": texts, "from": path})).await;
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn no_link_is_followed_wherever_it_leads() {
    use std::os::unix::fs::symlink;
    let world = world().await;
    symlink(world.outside().join("page.txt"), world.work().join("file.txt")).unwrap();
    symlink(world.outside(), world.work().join("folder")).unwrap();
    symlink(world.work().join(".env"), world.work().join("env.txt")).unwrap();
    symlink(world.work().join("notes"), world.work().join("inner")).unwrap();
    symlink("loop", world.work().join("loop")).unwrap();
    let client = Client::of(world.server(WRITE)).await;
    for path in ["file.txt", "folder/page.txt", "folder", "env.txt", "inner/ice.md", "loop"] {
        assert_refused(&client, path).await;
    }
    assert_eq!(fs::read_to_string(world.outside().join("page.txt")).unwrap(), SECRET);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_pipe_and_a_folder_are_no_files_and_hold_up_nobody() {
    let world = world().await;
    let made = std::process::Command::new("mkfifo").arg(world.work().join("pipe.txt")).status().unwrap();
    assert!(made.success());
    let client = Client::of(world.server(WRITE)).await;
    for path in ["pipe.txt", "notes"] {
        let failure = client.failure("ledger_verify", json!({"drafts": [path]})).await;
        assert_eq!(failure["error"], "Unreadable");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_working_folder_that_is_everything_serves_no_files() {
    let world = world().await;
    let home = Some(world.work());
    let above = world.work().parent().unwrap().to_owned();
    for (folder, home) in [(PathBuf::from("/"), None), (world.work(), home.clone()), (above, home)] {
        let client = Client::of(world.server_in(folder, home, WRITE)).await;
        for path in ["ice.txt", "etc/passwd", "work/ice.txt"] {
            let failure = client.failure("ledger_verify", json!({"drafts": [path]})).await;
            assert_eq!(failure["error"], "FileRefused", "{failure}");
        }
        client.ok("ledger_list", json!({})).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_is_replaced_in_place_with_its_permissions() {
    let world = world().await;
    world.write("draft.md", "Ice floats.[1]\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(world.work().join("draft.md"), fs::Permissions::from_mode(0o640)).unwrap();
    }
    let client = Client::of(world.server(WRITE)).await;
    client.ok("ledger_render", json!({"replace_in": "draft.md"})).await;
    assert!(world.read("draft.md").contains("[1] https://ice.example/density"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(world.work().join("draft.md")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }
    let left: Vec<_> = fs::read_dir(world.work()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("cited-")), "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_roots_of_the_client_are_the_folders_that_count() {
    let world = world().await;
    fs::write(world.outside().join("page.txt"), PAGE).unwrap();
    let rooted = |roots: Vec<String>| async {
        Client(serve_client(Rooted(roots), connect(world.server(WRITE))).await.unwrap())
    };
    let quote = |path: &str| json!({"id": 1, "texts": ["less dense than liquid water"], "from": path});
    let client = rooted(vec![uri(&world.outside())]).await;
    client.ok("ledger_quote", quote("page.txt")).await;
    client.ok("ledger_quote", quote(world.outside().join("page.txt").to_str().unwrap())).await;
    assert_eq!(client.failure("ledger_quote", quote("ice.txt")).await["error"], "Unreadable");
    let both = rooted(vec![uri(&world.outside()), uri(&world.work())]).await;
    both.ok("ledger_quote", quote("ice.txt")).await;
    let none = rooted(vec![]).await;
    none.ok("ledger_quote", quote("ice.txt")).await;
    for useless in ["https://example.org/", "file:///nowhere/at/all"] {
        let client = rooted(vec![useless.into()]).await;
        assert_eq!(client.failure("ledger_quote", quote("ice.txt")).await["error"], "FileRefused");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_the_newest_protocol_names_its_roots_within_the_call() {
    let world = world().await;
    fs::write(world.outside().join("page.txt"), PAGE).unwrap();
    let newest = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::LATEST] };
    let handler = Rooted(vec![uri(&world.outside())]);
    let client = serve_client_with_lifecycle(handler, connect(world.server(WRITE)), newest).await.unwrap();
    let client = Client(client);
    let quote = |path: &str| json!({"id": 1, "texts": ["less dense than liquid water"], "from": path});
    client.ok("ledger_quote", quote("page.txt")).await;
    assert_eq!(client.failure("ledger_quote", quote("ice.txt")).await["error"], "Unreadable");
}
