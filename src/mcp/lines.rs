//! The client's lines on their way to the protocol, which drops in silence what it can not read. A request that is no
//! JSON (half a surrogate pair, nested too deep) or larger than a line may be would never be answered, so that its
//! client waits for ever. Such a line is exchanged for a request of our own with the same id, which is then refused.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWriteExt, BufReader, DuplexStream};

/// The method in place of a request that no JSON reader takes.
pub const UNREADABLE: &str = "cited/unreadable";
/// The method in place of a request that is too large.
pub const TOO_LARGE: &str = "cited/too-large";
/// Bytes: that of the protocol's reader.
pub const MOST_BYTES: usize = 16 << 20;

/// Bytes on their way at once.
const PIPE_BYTES: usize = 64 << 10;
/// Bytes: no client has longer ids.
const ID_BYTES: usize = 256;
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The same lines, requests that can not be read exchanged. Runs in the runtime of the caller until either end closes.
pub fn answerable<R: AsyncRead + Send + Unpin + 'static>(input: R) -> DuplexStream {
    let (inner, outer) = tokio::io::duplex(PIPE_BYTES);
    tokio::spawn(pass(input, inner));
    outer
}

async fn pass<R: AsyncRead + Unpin>(input: R, mut output: DuplexStream) -> io::Result<()> {
    let mut input = BufReader::new(input);
    let mut line = Line::default();
    loop {
        let bytes = input.fill_buf().await?;
        let end = memchr::memchr(b'\n', bytes).map(|at| at + 1);
        let taken = end.unwrap_or(bytes.len());
        if taken == 0 {
            return Ok(());
        }
        line.take_in(&bytes[..taken]);
        input.consume(taken);
        if end.is_some() {
            output.write_all(&std::mem::take(&mut line).finished()).await?;
        }
    }
}

/// A line as far as it has come; of one that is too large only what was looked for.
#[derive(Default)]
struct Line {
    bytes: Vec<u8>,
    seen: Option<Head>,
}

impl Line {
    fn take_in(&mut self, bytes: &[u8]) {
        match &mut self.seen {
            Some(head) => head.read(bytes),
            None => self.bytes.extend_from_slice(bytes),
        }
        if self.bytes.len() > MOST_BYTES {
            self.seen = Some(Head::of(&std::mem::take(&mut self.bytes)));
        }
    }

    fn finished(self) -> Vec<u8> {
        let exchanged = match &self.seen {
            Some(head) => head.request(TOO_LARGE),
            None if is_json(&self.bytes) => None,
            None => Head::of(&self.bytes).request(UNREADABLE),
        };
        exchanged.map_or(self.bytes, String::into_bytes)
    }
}

fn is_json(line: &[u8]) -> bool {
    let line = line.strip_prefix(BOM).unwrap_or(line);
    serde_json::from_slice::<serde_json::Value>(line).is_ok()
}

/// What is read of an object without reading it: the value of its own `id`, and whether it has a `method`.
#[derive(Default)]
struct Head {
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// The key or value at hand, in the object itself.
    token: Vec<u8>,
    is_id: bool,
    id: Vec<u8>,
    has_method: bool,
}

impl Head {
    fn of(bytes: &[u8]) -> Self {
        let mut head = Self::default();
        head.read(bytes);
        head
    }

    fn read(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if self.in_string {
                self.read_in_string(*byte);
            } else {
                self.read_outside(*byte);
            }
        }
    }

    fn read_in_string(&mut self, byte: u8) {
        self.keep(byte);
        self.in_string = self.escaped || byte != b'"';
        self.escaped = !self.escaped && byte == b'\\';
    }

    fn read_outside(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.in_string = true;
                self.keep(byte);
            }
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.end_value();
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 => {
                self.is_id = self.token == b"\"id\"";
                self.has_method |= self.token == b"\"method\"";
                self.token.clear();
            }
            b',' => self.end_value(),
            byte if byte.is_ascii_whitespace() => {}
            byte => self.keep(byte),
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.token.len() < ID_BYTES {
            self.token.push(byte);
        }
    }

    fn end_value(&mut self) {
        if self.depth == 1 {
            if std::mem::take(&mut self.is_id) {
                self.id.clone_from(&self.token);
            }
            self.token.clear();
        }
    }

    /// A request of this id, where the line was one.
    fn request(&self, method: &str) -> Option<String> {
        let id: serde_json::Value = serde_json::from_slice(&self.id).ok()?;
        let is_request = self.has_method && (id.is_string() || id.is_i64());
        is_request.then(|| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\"}}\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(line: &str) -> String {
        let mut whole = Line::default();
        whole.take_in(line.as_bytes());
        String::from_utf8(whole.finished()).unwrap()
    }

    fn refused(id: &str) -> String {
        format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{UNREADABLE}\"}}\n")
    }

    #[test]
    fn what_is_json_passes_as_it_is() {
        for line in ["{\"id\":1,\"method\":\"x\"}\r\n", "\u{feff}{\"id\":1,\"method\":\"x\"}\n", "[]\n", "\n"]
        {
            assert_eq!(passed(line), line);
        }
    }

    #[test]
    fn a_request_that_is_no_json_is_exchanged_wherever_its_id_stands() {
        let deep = "[".repeat(5000);
        for broken in ["\"\\ud800\"", "{\"id\":8,\"a\":\"\\ud800 \\\" ,}\"}", "\"\\x\"", "01", &deep] {
            assert_eq!(
                passed(&format!("{{\"id\":7,\"method\":\"x\",\"params\":{broken}}}\n")),
                refused("7"),
                "{broken}"
            );
        }
        assert_eq!(
            passed("{\"method\":\"x\",\"params\":{\"id\":8,\"q\":\"\\ud800\"}, \"id\" : \"a7\" }\n"),
            refused("\"a7\"")
        );
    }

    #[test]
    fn what_is_no_request_is_left_to_the_protocol() {
        for line in [
            "{broken\n",
            "{\"id\":7,\"result\":\"\\ud800\"}\n",
            "{\"method\":\"x\",\"q\":\"\\ud800\"}\n",
            "{\"id\":[7],\"method\":01}\n",
            "}}}\"id\":7\n",
        ] {
            assert_eq!(passed(line), line);
        }
    }

    #[test]
    fn of_a_line_that_is_too_large_the_id_is_all_that_is_kept() {
        let mut line = Line::default();
        line.take_in(b"{\"method\":\"x\",\"params\":\"");
        for _ in 0..=(MOST_BYTES >> 16) {
            line.take_in(&[b'x'; 1 << 16]);
        }
        assert!(line.bytes.len() <= 1 << 16);
        line.take_in(b"\",\"id\":7}\n");
        assert_eq!(line.finished(), refused("7").replace(UNREADABLE, TOO_LARGE).into_bytes());
    }
}
