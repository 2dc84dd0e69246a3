//! The protocol: what the crate that speaks it asks, answered from the table of tools. A call runs on a thread of its
//! own, so that a slow one holds up nobody; one that the client cancels gives up its place in a queue, and work that
//! has begun ends by itself. Nobody else in this program knows that crate.

// Roots are on their way out of the protocol; clients of today still name them.
#![allow(deprecated)]

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult,
    ErrorCode, ErrorData, Implementation, InputRequest, InputRequiredResult, InputResponses,
    ListRootsRequest, ListRootsResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion, Root,
    ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{NotificationContext, RequestContext, ServerInitializeError};
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncWrite};

use super::failure::Failure;
use super::files::Files;
use super::tool::{self, Call};
use super::{Server, lines, schema};

/// How long the client may take to name its roots.
const ROOTS_TIMEOUT: Duration = Duration::from_secs(10);
/// What we call the question for roots where it is part of an answer.
const ROOTS: &str = "roots";

const CALL_FORM: &str = "a call has a `name` and, where the tool takes any, `arguments` as an object";

const INSTRUCTIONS: &str = "A citation ledger. Register every page at the moment you retrieve it (ledger_add, \
ledger_ingest) and cite it in the draft by the id you get, as [id]; mark what has no source [unverified]. Attach \
verbatim quotes for what matters (ledger_quote). Before delivering, write the Sources block with ledger_render and \
check with ledger_verify. For what the user knows or decided, ask recall_evidence first and abstain where it abstains.";

/// Serves the client at standard input and output.
pub async fn serve_stdio(server: Arc<Server>) -> io::Result<()> {
    let (input, output) = rmcp::transport::io::stdio_pipes();
    serve(server, input, output).await
}

/// Serves the client at two streams until it hangs up.
pub async fn serve<R, W>(server: Arc<Server>, input: R, output: W) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let handler = Handler { server, roots: Mutex::default() };
    match handler.serve((lines::answerable(input), output)).await {
        Ok(running) => running.waiting().await.map(drop).map_err(io::Error::other),
        // A client that hangs up before it has said anything is no failure.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        // What it said instead is not repeated: it may hold anything.
        Err(_) => Err(io::Error::other("the client does not open the session as the protocol asks")),
    }
}

struct Handler {
    server: Arc<Server>,
    /// The roots that the client named, until it says that they have changed.
    roots: Mutex<Option<Vec<PathBuf>>>,
}

/// Where a call may name files, or the question that the client has to answer first.
enum Roots {
    Known(Files),
    Asked(InputRequiredResult),
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let own =
            Implementation::new("cited", env!("CARGO_PKG_VERSION")).with_title("Citation ledger and memory");
        ServerConfig::new(capabilities).with_server_info(own).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = tool::allowed(self.server.around.allowed).map(listed).collect();
        Ok(ListToolsResult { tools, ..ListToolsResult::default() })
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tool::allowed(self.server.around.allowed).find(|tool| tool.name == name).map(listed)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let named = |tool: &&tool::Tool| tool.name == request.name;
        let Some(tool) = tool::allowed(self.server.around.allowed).find(named) else {
            return Err(ErrorData::invalid_params("there is no tool of that name", None));
        };
        let arguments = request.arguments.unwrap_or_default();
        let files = match (tool.names_files)(&arguments) {
            false => Files::default(),
            true => match self.roots(request.input_responses, &context).await {
                Ok(Roots::Known(files)) => files,
                Ok(Roots::Asked(question)) => return Ok(question.into()),
                Err(failure) => return Ok(answer(Err(failure)).into()),
            },
        };
        Ok(answer(self.run(tool, arguments, files, &context).await).into())
    }

    /// What the crate can not read: a method of the protocol with parameters of another form, or no such method.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(match request.method.as_str() {
            "tools/call" => ErrorData::invalid_params(CALL_FORM, None),
            lines::UNREADABLE => ErrorData::parse_error("the request is no JSON", None),
            lines::TOO_LARGE => {
                let most = lines::MOST_BYTES >> 20;
                let message =
                    format!("the request is larger than {most} MiB; name a file that holds its texts");
                ErrorData::invalid_request(message, None)
            }
            "tools/list" | "initialize" | "ping" => ErrorData::invalid_params(
                "the parameters are not of the form that the protocol asks for",
                None,
            ),
            _ => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None),
        })
    }

    async fn on_roots_list_changed(&self, _context: NotificationContext<RoleServer>) {
        *self.known_roots() = None;
    }
}

impl Handler {
    /// Runs a call on a thread of its own; ends early where the client cancels it.
    async fn run(
        &self,
        tool: &'static tool::Tool,
        arguments: Map<String, Value>,
        files: Files,
        context: &RequestContext<RoleServer>,
    ) -> Result<Value, Failure> {
        let gone = Arc::new(AtomicBool::new(false));
        let (server, flag) = (Arc::clone(&self.server), Arc::clone(&gone));
        let work = tokio::task::spawn_blocking(move || {
            (tool.call)(&Call { server: &server, arguments, files, gone: &flag })
        });
        match context.ct.run_until_cancelled(work).await {
            Some(Ok(done)) => done,
            // The call has panicked; what it said may hold text of a file.
            Some(Err(_)) => {
                Err(Failure::new("Internal", "the call failed inside", "report it with the tool's name"))
            }
            None => {
                gone.store(true, Ordering::Relaxed);
                self.server.look_again();
                Err(Failure::new("Cancelled", "the client has cancelled the call", "call again"))
            }
        }
    }

    /// The client's roots; the working folder where it names none.
    async fn roots(
        &self,
        answers: Option<InputResponses>,
        context: &RequestContext<RoleServer>,
    ) -> Result<Roots, Failure> {
        let names_roots = context.client_capabilities().is_some_and(|client| client.roots.is_some());
        if !names_roots {
            return Ok(Roots::Known(self.files(&[])));
        }
        if context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28) {
            return self.roots_in(answers);
        }
        if let Some(known) = &*self.known_roots() {
            return Ok(Roots::Known(self.files(known)));
        }
        let asked = tokio::time::timeout(ROOTS_TIMEOUT, context.peer.list_roots()).await;
        let Ok(Ok(ListRootsResult { roots, .. })) = asked else { return Err(no_roots()) };
        let roots = folders(&roots);
        let files = self.files(&roots);
        *self.known_roots() = Some(roots);
        Ok(Roots::Known(files))
    }

    /// In later protocols a server asks within its answer, and the call comes again with what was asked.
    fn roots_in(&self, answers: Option<InputResponses>) -> Result<Roots, Failure> {
        let Some(answers) = answers else {
            let question = InputRequest::ListRoots(ListRootsRequest::default());
            let questions = BTreeMap::from([(ROOTS.to_owned(), question)]);
            return Ok(Roots::Asked(InputRequiredResult::from_input_requests(questions)));
        };
        let given = answers.get(ROOTS).cloned().and_then(|given| serde_json::from_value(given).ok());
        let ListRootsResult { roots, .. } = given.ok_or_else(no_roots)?;
        Ok(Roots::Known(self.files(&folders(&roots))))
    }

    fn files(&self, roots: &[PathBuf]) -> Files {
        let around = &self.server.around;
        match roots {
            [] => Files::beneath_folder(&around.folder, around.home.as_deref()),
            roots => Files::beneath(roots.to_vec()),
        }
    }

    fn known_roots(&self) -> std::sync::MutexGuard<'_, Option<Vec<PathBuf>>> {
        self.roots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn no_roots() -> Failure {
    Failure::new("NoRoots", "the client did not say in which folders files may be named", "call again")
}

/// The folders of roots; one that is no folder of this machine stays, and names nothing.
fn folders(roots: &[Root]) -> Vec<PathBuf> {
    let folder = |root: &Root| url::Url::parse(&root.uri).ok()?.to_file_path().ok();
    roots.iter().map(|root| folder(root).unwrap_or_default()).collect()
}

/// A result has structured content and the same JSON as text; so has a failure, and it is marked as one.
fn answer(done: Result<Value, Failure>) -> CallToolResult {
    let is_error = done.is_err();
    let json = done.unwrap_or_else(|failure| failure.to_json());
    let text = crate::memory::bundle::json_line(&json);
    let mut result = CallToolResult::success(vec![ContentBlock::text(text.trim_end())]);
    result.structured_content = Some(json);
    result.is_error = Some(is_error);
    result
}

/// A tool as the client sees it.
fn listed(tool: &tool::Tool) -> Tool {
    let hints = ToolAnnotations::with_title(tool.title)
        .read_only(tool.hints.read_only)
        .destructive(tool.hints.destructive)
        .idempotent(tool.hints.idempotent)
        .open_world(tool.hints.open_world);
    Tool::new(tool.name, tool.about, (tool.input)())
        .with_title(tool.title)
        .with_raw_output_schema(Arc::new(schema::output(tool.output)))
        .with_annotations(hints)
}
