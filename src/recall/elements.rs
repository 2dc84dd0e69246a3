//! Elements that models and harnesses write around what is not said to a person: `<think>…</think>`, `<tool_call>…`.
//! In: a text and names of elements. Out: the text without them. Names are read in any case. Pure, one pass a name.

use std::ops::Range;

/// What a model thinks before it answers.
pub const THOUGHT: &[&str] = &["think", "thinking", "reasoning", "reasoning_scratchpad", "scratch_pad"];
/// Calls of tools and what they gave back.
pub const TOOLS: &[&str] = &[
    "tool_call",
    "tool_calls",
    "tool_response",
    "tool_result",
    "tool_use",
    "function_call",
    "function_calls",
];

/// `text` without the whole elements of these names. One that never closes stays, unless the text begins with it.
pub fn without_whole(text: &str, names: &[&str]) -> String {
    names.iter().fold(text.to_owned(), |text, name| match without(&text, name) {
        (kept, Some(open)) if kept[..open].trim().is_empty() => String::new(),
        (kept, _) => kept,
    })
}

/// `text` without what was thought: what never closes is all thought, and what only closes was thought before.
pub fn without_thought(text: &str) -> String {
    THOUGHT.iter().fold(text.to_owned(), |text, name| {
        let said = match (tag(&text, 0, "</", name), tag(&text, 0, "<", name)) {
            (Some(close), None) => close.end,
            (Some(close), Some(open)) if open.start > close.start => close.end,
            _ => 0,
        };
        let (mut kept, open) = without(&text[said..], name);
        kept.truncate(open.unwrap_or(kept.len()));
        kept
    })
}

/// Takes out the whole elements; also says where in the rest one opens that never closes.
fn without(text: &str, name: &str) -> (String, Option<usize>) {
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    let mut unclosed = None;
    while let Some(open) = tag(text, at, "<", name) {
        let Some(close) = tag(text, open.end, "</", name) else {
            unclosed = Some(kept.len() + open.start - at);
            break;
        };
        kept.push_str(&text[at..open.start]);
        at = close.end;
    }
    kept.push_str(&text[at..]);
    (kept, unclosed)
}

/// Where the next tag of that name stands, from `from` on; `lead` opens or closes.
fn tag(text: &str, from: usize, lead: &str, name: &str) -> Option<Range<usize>> {
    text[from..].match_indices(lead).find_map(|(at, _)| {
        let start = from + at;
        let rest = &text[start + lead.len()..];
        let named = rest.get(..name.len()).filter(|found| found.eq_ignore_ascii_case(name))?;
        let length = end_of_tag(&rest[named.len()..])?;
        Some(start..start + lead.len() + named.len() + length)
    })
}

/// The longest rest of a tag that is read, in bytes.
const LONGEST_REST: usize = 200;

/// How far it is to the end of the tag whose name has just been read; `None` where the name goes on.
fn end_of_tag(rest: &str) -> Option<usize> {
    if !rest.starts_with(|c: char| c == '>' || c.is_ascii_whitespace()) {
        return None;
    }
    rest.bytes().take(LONGEST_REST).position(|b| b == b'>').map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_is_not_part_of_the_answer() {
        assert_eq!(without_thought("<think>a</think>b<think>c</think>d"), "bd");
        assert_eq!(without_thought("a</think>b"), "b");
        assert_eq!(without_thought("b<think>never closed"), "b");
        assert_eq!(without_thought("<Think>a</THINK>b"), "b");
        assert_eq!(without_thought("<thinking>a [2]</thinking>b"), "b");
        assert_eq!(without_thought("<thinker>a</thinker> b < c"), "<thinker>a</thinker> b < c");
    }

    #[test]
    fn calls_of_tools_are_taken_out_and_what_is_said_around_them_stays() {
        let text = "Ice floats.\n<tool_call>\n{\"name\": \"x\"}\n</tool_call>\nWater boils.";
        assert_eq!(without_whole(text, TOOLS), "Ice floats.\n\nWater boils.");
        assert_eq!(without_whole("<tool_response id=\"1\">cut off", TOOLS), "");
        assert_eq!(without_whole("Write it in <tool_call> tags.", TOOLS), "Write it in <tool_call> tags.");
    }

    #[test]
    fn many_tags_take_no_long_time() {
        for piece in ["<think>", "</think>", "<think", "<think></think>", "<"] {
            let begun = std::time::Instant::now();
            let text = piece.repeat(100_000);
            without_thought(&text);
            without_whole(&text, THOUGHT);
            assert!(begun.elapsed().as_secs() < 5, "{piece}");
        }
    }
}
