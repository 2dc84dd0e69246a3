//! An HTTP server on 127.0.0.1 that replies as a test wants it: recorded replies, and every way to misbehave.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A request as it came in.
#[derive(Debug, Clone)]
pub struct Seen {
    pub method: String,
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Seen {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// How the server reacts.
pub enum Act {
    /// A status and a JSON body.
    Reply(u16, String),
    /// These bytes, whatever they are.
    Raw(Vec<u8>),
    /// A redirect to that place.
    Redirect(String),
    /// The same after a while.
    Slow(Duration, Box<Act>),
    /// So many bytes of JSON, with or without a length in the head.
    Huge(usize, bool),
    /// Nothing at all.
    Hang,
    /// The connection is cut.
    Reset,
}

/// A recorded reply of `fixtures/recall/replies`.
pub fn recorded(name: &str) -> Act {
    Act::Reply(200, fixture(name))
}

pub fn fixture(name: &str) -> String {
    let path = format!("{}/fixtures/recall/replies/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

/// A server that runs until the test ends.
pub struct Server {
    pub url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    pub fn new(act: impl Fn(&Seen) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let (log, act) = (Arc::clone(&seen), Arc::new(act));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, act) = (Arc::clone(&log), Arc::clone(&act));
                std::thread::spawn(move || {
                    if let Some(request) = read(&stream) {
                        log.lock().unwrap().push(request.clone());
                        perform(act(&request), stream);
                    }
                });
            }
        });
        Self { url, seen }
    }

    /// A server that always reacts so.
    pub fn always(act: impl Fn() -> Act + Send + Sync + 'static) -> Self {
        Self::new(move |_| act())
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Methods and paths, in the order in which they came.
    pub fn asked(&self) -> Vec<String> {
        self.seen().iter().map(|seen| format!("{} {}", seen.method, seen.path)).collect()
    }
}

fn read(stream: &TcpStream) -> Option<Seen> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next()?, words.next()?);
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_owned(), value.trim().to_owned()));
    }
    let mut seen = Seen { method, path, headers, body: String::new() };
    let length = seen.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    seen.body = String::from_utf8(body).ok()?;
    Some(seen)
}

fn perform(act: Act, mut stream: TcpStream) {
    match act {
        Act::Reply(status, body) => {
            let head = format!(
                "HTTP/1.1 {status} Any\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
        }
        Act::Raw(bytes) => {
            let _ = stream.write_all(&bytes);
        }
        Act::Redirect(to) => {
            let head = format!(
                "HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
            );
            let _ = stream.write_all(head.as_bytes());
        }
        Act::Slow(wait, act) => {
            std::thread::sleep(wait);
            perform(*act, stream);
        }
        Act::Huge(bytes, with_length) => {
            let length = if with_length { format!("content-length: {bytes}\r\n") } else { String::new() };
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n{length}connection: close\r\n\r\n["
            );
            let _ = stream.write_all(head.as_bytes());
            let piece = vec![b' '; 64 * 1024];
            for _ in 0..bytes / piece.len() {
                if stream.write_all(&piece).is_err() {
                    return;
                }
            }
        }
        Act::Hang => std::thread::sleep(Duration::from_secs(600)),
        // Closing with the request unread is a reset; here it was read, so the reply breaks off in its head.
        Act::Reset => {
            let _ = stream.write_all(b"HTTP/1.1 2");
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
    }
}
