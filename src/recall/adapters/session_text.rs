//! What a stored message says to a person: multimodal parts joined, serialized tool output reduced to its human
//! strings, and what is no conversation at all (compaction summaries, harness prompts, our own earlier prompts) left
//! out. In: the bytes of the column. Out: text, or nothing. Pure.

use serde_json::Value;

use crate::recall::elements;
use crate::recall::prompt;
use crate::text::words;

/// Content that begins so is a list of parts.
const PARTS: &[u8] = b"\0json:";

/// Messages that begin so were written by the harness, not by a person or for one.
const HARNESS: &[&str] = &[
    "[context compaction",
    "[context summary]",
    "[compacted context",
    "[your active task list was preserved",
    "[system:",
    "[system note:",
    "[system]",
    "[important:",
    "[note: model was",
    "[async delegation",
    "[background process",
    "[background task",
    "[session resumed",
    "[tool output",
    "review the conversation above",
    "you've reached the maximum number of tool",
    "you have reached the maximum number of tool",
    "this session is being continued from a previous conversation",
    "caveat: the messages below were generated",
    "<system-reminder>",
    "<command-name>",
    "<command-message>",
    "<local-command",
    "<memory-context>",
    "<task-notification>",
    "<compaction",
    "<conversation_summary>",
];

/// Names under which tool output holds text for people.
const HUMAN_KEYS: &[&str] = &[
    "answer",
    "body",
    "comment",
    "content",
    "description",
    "fact",
    "message",
    "note",
    "notes",
    "question",
    "reply",
    "response",
    "result",
    "snippet",
    "summary",
    "text",
    "thought",
    "title",
];

/// A string of fewer words under such a name is a label.
const LEAST_WORDS: usize = 3;

/// Words that open a question which tells nothing; "could you note that…?" tells something.
const ASKING: &[&str] = &[
    "are", "did", "do", "does", "has", "have", "how", "is", "was", "were", "what", "what's", "when", "where",
    "which", "who", "who's", "whose", "why", "wann", "warum", "was", "welche", "welcher", "welches", "wer",
    "wie", "wo", "comment", "pourquoi", "quand", "quel", "quelle", "qui", "como", "cuál", "cuándo", "dónde",
    "qué", "quién", "cómo",
];

/// The message is one question and nothing else: somebody wanted to know, nobody said.
pub fn only_asks(text: &str) -> bool {
    let text = text.trim();
    let Some(inside) = text.strip_suffix(['?', '？']) else { return false };
    let one_sentence = !inside.contains(['?', '？', '!', '。', '\n']) && !inside.contains(". ");
    let mut words = inside.trim_start_matches(['¿', '"', '\'']).split_whitespace().map(str::to_lowercase);
    let opens = words.next().is_some_and(|word| ASKING.contains(&word.trim_end_matches(',')));
    let unspaced = inside.chars().all(|c| words::is_unspaced(c) || c.is_ascii_alphanumeric());
    one_sentence && (opens || unspaced)
}

/// The text of a stored message, or `None` where it holds none for people.
pub fn readable(content: &[u8]) -> Option<String> {
    let text = match content.strip_prefix(PARTS) {
        Some(json) => parts(&serde_json::from_slice(json).ok()?),
        None => String::from_utf8_lossy(content).into_owned(),
    };
    let text = text.replace('\0', " ");
    let text = elements::without_whole(&text, elements::THOUGHT);
    let text = elements::without_whole(&text, elements::TOOLS);
    let text = text.trim();
    let text = match serialized(text) {
        Serialized::Whole(values) => human_strings(&values)?,
        Serialized::CutOff => return None,
        Serialized::Not => text.to_owned(),
    };
    (!text.is_empty() && !is_harness(&text) && !is_ours(&text)).then_some(text)
}

/// The message is a prompt of `cited recall`.
pub fn is_ours(text: &str) -> bool {
    text.contains(prompt::MARK)
}

fn is_harness(text: &str) -> bool {
    HARNESS.iter().any(|start| text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start)))
}

/// The text parts of a multimodal message; images and files have none.
fn parts(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let texts: Vec<String> = items.iter().map(parts).filter(|text| !text.is_empty()).collect();
            texts.join("\n")
        }
        Value::Object(part) => match part.get("text").or_else(|| part.get("content")) {
            Some(inner) => parts(inner),
            None => String::new(),
        },
        _ => String::new(),
    }
}

/// Whether a text is JSON.
enum Serialized {
    /// Objects and lists one after the other, and nothing else.
    Whole(Vec<Value>),
    /// The beginning of that.
    CutOff,
    /// It is a text.
    Not,
}

fn serialized(text: &str) -> Serialized {
    let text = without_fence(text);
    if !text.starts_with(['{', '[']) {
        return Serialized::Not;
    }
    let mut values = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        match value {
            Ok(value) if value.is_object() || value.is_array() => values.push(value),
            Err(error) if error.is_eof() => return Serialized::CutOff,
            _ => return Serialized::Not,
        }
    }
    Serialized::Whole(values)
}

/// What a text holds that is one block of code, marked as JSON or as nothing.
fn without_fence(text: &str) -> &str {
    let inside = || {
        let (opening, rest) = text.strip_prefix("```")?.split_once('\n')?;
        let is_json = ["", "json", "jsonl"].iter().any(|kind| opening.trim().eq_ignore_ascii_case(kind));
        rest.strip_suffix("```").filter(|_| is_json).map(str::trim)
    };
    inside().unwrap_or(text)
}

/// The strings for people in tool output, one a line.
fn human_strings(values: &[Value]) -> Option<String> {
    let mut lines = Vec::new();
    values.iter().for_each(|value| gather(value, false, &mut lines));
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn gather<'a>(value: &'a Value, human: bool, lines: &mut Vec<&'a str>) {
    match value {
        Value::String(text) if human && words::count(text) >= LEAST_WORDS && !is_serialized(text) => {
            lines.push(text.trim());
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, human, lines)),
        Value::Object(fields) => fields.iter().for_each(|(name, field)| {
            gather(field, HUMAN_KEYS.contains(&name.to_ascii_lowercase().as_str()), lines);
        }),
        _ => {}
    }
}

fn is_serialized(text: &str) -> bool {
    !matches!(serialized(text.trim()), Serialized::Not)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(content: &str) -> Option<String> {
        readable(content.as_bytes())
    }

    #[test]
    fn multimodal_parts_are_joined() {
        let stored =
            "\0json:[{\"type\":\"text\",\"text\":\"Ice floats.\"},{\"type\":\"image_url\",\"image_url\":{}}]";
        assert_eq!(text(stored).unwrap(), "Ice floats.");
        assert_eq!(text("\0json:[broken"), None);
        assert_eq!(text("\0json:[{\"type\":\"image_url\"}]"), None);
    }

    #[test]
    fn tool_json_is_reduced_or_dropped() {
        let output = r#"{"exit_code":0,"result":{"message":"Ice floats on water."},"id":"a b c d"}"#;
        assert_eq!(text(output).unwrap(), "Ice floats on water.");
        assert_eq!(text(r#"{"exit_code":0,"path":"/tmp/ice floats here"}"#), None);
        assert_eq!(text(r#"[{"todo":"x"}]"#), None);
        assert_eq!(text("[see the note] Ice floats.").unwrap(), "[see the note] Ice floats.");
        assert_eq!(text("{\"path\":\"ice\"}\n{\"path\":\"ice floats here now\"}"), None);
        assert_eq!(
            text("```json\n{\"path\":\"ice\",\"note\":\"Ice floats on water.\"}\n```").unwrap(),
            "Ice floats on water."
        );
        assert_eq!(text("{\"output\":\"ice floats on water, and then the log en"), None);
        assert_eq!(text("{ice} floats {on} water").unwrap(), "{ice} floats {on} water");
        assert_eq!(text("```rust\nlet ice = 1;\n```").unwrap(), "```rust\nlet ice = 1;\n```");
    }

    #[test]
    fn what_was_thought_or_called_is_not_said() {
        assert_eq!(text("<think>Ice sinks?</think>\nIce floats.").unwrap(), "Ice floats.");
        assert_eq!(text("<think>Ice sinks?</think>"), None);
        assert_eq!(text("<tool_call>\n{\"name\":\"ice\"}\n</tool_call>"), None);
        assert_eq!(text("<tool_response>ice floats</tool_response>"), None);
    }

    #[test]
    fn harness_messages_and_our_own_prompts_are_no_conversation() {
        assert_eq!(text("[CONTEXT COMPACTION — REFERENCE ONLY] Ice floats."), None);
        assert_eq!(text("[System note: ice floats]"), None);
        assert_eq!(text(&format!("Ice floats. {}", prompt::MARK)), None);
        assert!(text("Important: ice floats.").is_some());
    }

    #[test]
    fn a_bare_question_tells_nothing() {
        for asks in ["Which colour has the crane?", "¿Dónde está?", "起重机是什么颜色？", "What's new?"]
        {
            assert!(only_asks(asks), "{asks}");
        }
        for tells in [
            "Could you note that ice floats?",
            "Ice floats. Why is that?",
            "Ice floats.",
            "Ice floats, does it?",
        ] {
            assert!(!only_asks(tells), "{tells}");
        }
    }

    #[test]
    fn bytes_that_are_no_utf8_are_still_read() {
        assert_eq!(readable(b"Ice \xff floats").unwrap(), "Ice \u{fffd} floats");
    }
}
