//! A reply that was saved as it was streamed: Server-Sent Events, whose `data:` lines hold the documents. They come out
//! one a line, each on the line where it stood, so that an error names the place in the file.

/// How a line of the protocol begins; a comment begins with a colon.
const FIELDS: [&str; 5] = ["data:", "event:", "id:", "retry:", ":"];

/// What ends the stream of some interfaces, and is no document.
const END: &str = "[DONE]";

/// The documents of a stream, or `None` where `text` is none.
pub fn documents(text: &str) -> Option<String> {
    let start = text.trim_start();
    if !FIELDS.iter().any(|field| start.starts_with(field)) {
        return None;
    }
    let mut documents = String::with_capacity(text.len());
    for line in text.lines() {
        documents.push_str(data(line));
        documents.push('\n');
    }
    Some(documents)
}

/// What a line carries; nothing where it is no `data:` line.
fn data(line: &str) -> &str {
    let data = line.strip_prefix("data:").unwrap_or_default();
    let data = data.strip_prefix(' ').unwrap_or(data);
    if data.trim() == END { "" } else { data }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_stays_on_its_line() {
        let stream = ": wait\r\n\r\nevent: a\r\ndata: {\"a\":1}\r\n\r\ndata:{\"b\":2}\r\nid: 3\r\n";
        assert_eq!(documents(stream).as_deref(), Some("\n\n\n{\"a\":1}\n\n{\"b\":2}\n\n"));
    }

    #[test]
    fn a_document_on_several_lines_stays_whole() {
        let stream = "data: {\ndata:   \"a\": 1\ndata: }\n\ndata: [DONE]\n";
        assert_eq!(documents(stream).as_deref(), Some("{\n  \"a\": 1\n}\n\n\n"));
    }

    #[test]
    fn json_is_no_stream() {
        for text in ["{\"data:\": 1}", "[]", "\"data: {}\"", "", "database: x", "Data: {}"] {
            assert_eq!(documents(text), None, "{text}");
        }
    }
}
