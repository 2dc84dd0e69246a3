//! The server for agents: the ledger, the memory and the recall of this program as tools of the Model Context
//! Protocol, over standard input and output. What surrounds it ([`Around`]) is handed in; each call comes to a tool
//! of its table, which asks the library and gives a JSON value or a failure.
//!
//! Nothing is opened before a call needs it. The protocol itself, and the crate that speaks it, are known to
//! `protocol` alone. No search, no check and no rewriting is here.

mod draft;
mod failure;
mod files;
mod ledger;
mod lines;
mod memory;
mod protocol;
mod quote;
mod recall;
mod root;
mod schema;
mod tool;

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use jiff::Timestamp;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::error::Result;
use crate::evidence::CannotCheck;
use crate::memory::admission::Admission;
use crate::memory::{Limits, Memory, Profile};
use crate::recall::Settings;
use crate::register::Desk;

/// How long work that has begun may still take when the client has hung up.
const LAST_WORK: Duration = Duration::from_secs(5);

/// Reads something of the machine when a call needs it.
pub type Lazy<T> = Box<dyn Fn() -> Result<T> + Send + Sync>;

/// What the server is given by the program that runs it.
pub struct Around {
    /// The ledger with what belongs to it.
    pub desk: Lazy<Desk>,
    /// The memory file.
    pub memory: Lazy<PathBuf>,
    /// Where memories and models are.
    pub settings: Lazy<Settings>,
    /// Turns a PDF into text.
    pub pdf: fn(&[u8]) -> std::result::Result<String, CannotCheck>,
    /// This instant.
    pub now: fn() -> Timestamp,
    /// A running clock.
    pub ticks: Box<dyn Fn() -> Duration + Send + Sync>,
    /// Where files may be named when the client names no roots: the working folder.
    pub folder: PathBuf,
    /// The user's home folder, which is never a root by itself.
    pub home: Option<PathBuf>,
    /// What the user allows.
    pub allowed: Allowed,
}

/// What the user allows the server when starting it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Allowed {
    /// What a retrieval may cost.
    pub profile: Profile,
    /// Limits in place of the profile's.
    pub limits: Option<Limits>,
    /// The Sources block of a draft may be replaced.
    pub write: bool,
    /// The memory may be changed.
    pub write_memory: bool,
}

/// A server; one serves one client.
pub struct Server {
    around: Around,
    memory: OnceLock<Memory>,
    recalls: Admission,
}

impl Server {
    /// A server with these surroundings; opens nothing.
    pub fn new(around: Around) -> Self {
        let limits = around.allowed.limits.unwrap_or(around.allowed.profile.limits());
        Self { around, memory: OnceLock::new(), recalls: Admission::new(limits) }
    }

    /// The memory, which is named on the first call that asks it.
    ///
    /// # Errors
    /// Nothing names a place for it.
    pub fn memory(&self) -> Result<&Memory> {
        if self.memory.get().is_none() {
            let Allowed { profile, limits, .. } = self.around.allowed;
            let memory = Memory::with_profile((self.around.memory)()?, profile, limits);
            let _ = self.memory.set(memory);
        }
        Ok(self.memory.get_or_init(|| Memory::open("memory.sqlite")))
    }

    /// Lets everybody who waits for a place see whether his client has lost interest.
    fn look_again(&self) {
        self.recalls.look_again();
        if let Some(memory) = self.memory.get() {
            memory.admission().look_again();
        }
    }
}

/// Serves the client at standard input and output until it hangs up.
///
/// # Errors
/// The runtime does not start; the client does not speak the protocol.
pub fn serve(server: Server) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = runtime.block_on(protocol::serve_stdio(Arc::new(server)));
    runtime.shutdown_timeout(LAST_WORK);
    done
}

/// Serves a client over two streams, in a runtime of the caller.
///
/// # Errors
/// The client does not speak the protocol.
pub async fn serve_over<R, W>(server: Arc<Server>, input: R, output: W) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    protocol::serve(server, input, output).await
}
