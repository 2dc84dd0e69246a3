//! A folder to serve, a server over it, and clients.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use cited::evidence::CannotCheck;
use cited::ledger::Store;
use cited::mcp::{Allowed, Around, Server, serve_over};
use cited::memory::index::Request;
use cited::recall::Settings;
use cited::register::Desk;
use rmcp::model::{CallToolRequestParams, CallToolResult, Tool};
use rmcp::service::{RoleClient, RunningService, serve_client};
use rmcp::{ClientHandler, Service};
use serde_json::Value;

/// A page, and a reply that holds it.
pub const PAGE: &str = "Ice is about 9 % less dense than liquid water, so it floats.\n";

/// A folder that is served, and one beside it that is not.
pub struct World {
    folder: tempfile::TempDir,
}

impl World {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["work", "outside", "state"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let world = Self { folder };
        world.write("ice.txt", PAGE);
        world.write("notes/ice.md", "# Ice\n\nIce floats on water.\n");
        world
    }

    /// The folder that is served.
    pub fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// The folder beside it.
    pub fn outside(&self) -> PathBuf {
        self.folder.path().join("outside")
    }

    pub fn ledger(&self) -> PathBuf {
        self.folder.path().join("state/citations.json")
    }

    pub fn memory(&self) -> PathBuf {
        self.folder.path().join("state/memory.sqlite")
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.work().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.work().join(name)).unwrap()
    }

    /// Takes the notes into memory.
    pub fn index(&self) {
        let memory = cited::memory::Memory::open(self.memory());
        let request =
            Request { paths: &[self.work().join("notes")], now: "2025-06-15T12:00:00Z", prune: false };
        memory.index(&request, &mut |_| {}).unwrap();
    }

    pub fn server(&self, allowed: Allowed) -> Arc<Server> {
        self.server_in(self.work(), None, allowed)
    }

    pub fn server_in(&self, folder: PathBuf, home: Option<PathBuf>, allowed: Allowed) -> Arc<Server> {
        let (ledger, memory, nowhere) = (self.ledger(), self.memory(), self.folder.path().join("nowhere"));
        let start = Instant::now();
        Arc::new(Server::new(Around {
            desk: Box::new(move || {
                Ok(Desk::new(Store::new(&ledger), Default::default(), "2025-06-15".into()))
            }),
            memory: Box::new(move || Ok(memory.clone())),
            settings: Box::new(move || {
                Ok(Settings { hermes_home: nowhere.clone(), folder: nowhere.clone(), ..Settings::default() })
            }),
            pdf: |_| Err(CannotCheck::Pdf("no reader here".into())),
            now: || "2025-06-15T12:00:00Z".parse().unwrap(),
            ticks: Box::new(move || -> Duration { start.elapsed() }),
            folder,
            home,
            allowed,
        }))
    }
}

/// A client of a server.
pub struct Client<H: Service<RoleClient> = ()>(pub RunningService<RoleClient, H>);

impl Client {
    /// A client that names no roots.
    pub async fn of(server: Arc<Server>) -> Self {
        Self(serve_client((), connect(server)).await.unwrap())
    }
}

impl<H: ClientHandler> Client<H> {
    pub async fn tools(&self) -> Vec<Tool> {
        self.0.list_all_tools().await.unwrap()
    }

    pub async fn call(&self, name: &'static str, arguments: Value) -> CallToolResult {
        let mut request = CallToolRequestParams::new(name);
        request.arguments = arguments.as_object().cloned();
        self.0.call_tool(request).await.unwrap()
    }

    /// What a call gives that does what was asked.
    pub async fn ok(&self, name: &'static str, arguments: Value) -> Value {
        let result = self.call(name, arguments).await;
        assert_eq!(result.is_error, Some(false), "{name}: {:?}", result.structured_content);
        consistent(&result)
    }

    /// What a call gives that does not.
    pub async fn failure(&self, name: &'static str, arguments: Value) -> Value {
        let result = self.call(name, arguments).await;
        assert_eq!(result.is_error, Some(true), "{name}: {:?}", result.structured_content);
        consistent(&result)
    }
}

/// A pipe at whose other end the server is.
pub fn connect(server: Arc<Server>) -> (tokio::io::DuplexStream, tokio::io::DuplexStream) {
    let (mine_in, theirs_out) = tokio::io::duplex(1 << 16);
    let (theirs_in, mine_out) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move { serve_over(server, theirs_in, theirs_out).await });
    (mine_in, mine_out)
}

/// The structured content, which the only text block repeats.
pub fn consistent(result: &CallToolResult) -> Value {
    let structured = result.structured_content.clone().unwrap();
    assert_eq!(result.content.len(), 1);
    let text = &result.content[0].as_text().unwrap().text;
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), structured);
    structured
}

/// A path as a root of a client.
pub fn uri(path: &Path) -> String {
    url::Url::from_directory_path(path).unwrap().to_string()
}
