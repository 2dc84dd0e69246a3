//! The block of keys at the head of a note. Read here are `supersedes`, `valid_from` and `valid_until`, as they
//! stand; what they mean is decided in `trust`. The YAML that notes use for these keys is small (a word, a quoted
//! word, a list), so it is read by hand: a whole YAML parser would add aliases, tags and an unmaintained crate.

/// What a note says about its own standing. Dates are raw text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrontMatter {
    /// Names of the notes that this one replaces.
    pub supersedes: Vec<String>,
    /// The first day it holds.
    pub valid_from: Option<String>,
    /// The last day it holds.
    pub valid_until: Option<String>,
}

/// The most bytes a block may have.
const MAX_BYTES: usize = 64 * 1024;

/// Splits a document into its front matter and the rest. A block that is not closed, or that holds a line which
/// is no key, list item, comment or continuation, is text like any other.
pub fn split(document: &str) -> (FrontMatter, &str) {
    match block(document) {
        Some((block, body)) => (read(block), body),
        None => (FrontMatter::default(), document),
    }
}

fn block(document: &str) -> Option<(&str, &str)> {
    let inside = document.strip_prefix("---")?;
    let (first, inside) = inside.split_once('\n')?;
    if !first.trim().is_empty() {
        return None;
    }
    let mut at = 0;
    for line in inside.split_inclusive('\n') {
        if matches!(line.trim_end(), "---" | "...") {
            let (block, body) = (&inside[..at], &inside[at + line.len()..]);
            return is_mapping(block).then_some((block, body));
        }
        at += line.len();
        if at > MAX_BYTES {
            return None;
        }
    }
    None
}

fn is_mapping(block: &str) -> bool {
    let mut keys = 0;
    for line in block.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let continues = line.starts_with([' ', '\t']) || line.starts_with("- ") || line.trim_end() == "-";
        if key_value(line).is_some() {
            keys += 1;
        } else if !(continues && keys > 0) {
            return false;
        }
    }
    keys > 0
}

/// `key: value` at the start of a line; a key is a word, so that prose with a colon in it is none.
fn key_value(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let is_word = key.starts_with(char::is_alphabetic)
        && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let apart = value.is_empty() || value.starts_with([' ', '\t']);
    (is_word && apart).then_some((key, value.trim()))
}

fn read(block: &str) -> FrontMatter {
    let mut found = FrontMatter::default();
    let mut key = "";
    for line in block.lines().filter(|line| !line.starts_with('#')) {
        let value = match key_value(line) {
            Some((new, value)) => {
                key = new;
                value
            }
            None => line.trim(),
        };
        match key {
            "supersedes" => found.supersedes.extend(names(value)),
            "valid_from" => add_day(&mut found.valid_from, value),
            "valid_until" => add_day(&mut found.valid_until, value),
            _ => {}
        }
    }
    found
}

/// A second value for one key is kept beside the first, so that the pair parses as no date at all.
fn add_day(day: &mut Option<String>, value: &str) {
    let Some(value) = scalar(value) else { return };
    match day {
        Some(first) => *first = format!("{first} {value}"),
        None => *day = Some(value.to_owned()),
    }
}

/// `a`, `"a"`, `- a`, `[a, b]`, `[[a]]` and lists of these.
fn names(value: &str) -> Vec<String> {
    let value = without_comment(value);
    let value = value.strip_prefix('-').filter(|rest| rest.starts_with(' ')).unwrap_or(value).trim();
    let is_link = value.starts_with("[[") && !value.starts_with("[[[");
    let list = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).filter(|_| !is_link);
    let parts: Vec<&str> = match list {
        Some(list) => list.split(',').collect(),
        None if is_link => value.split(',').collect(),
        None => vec![value],
    };
    parts.into_iter().filter_map(scalar).map(str::to_owned).collect()
}

/// The value without quotation marks and comment; `None` for nothing and for YAML's words for it.
fn scalar(value: &str) -> Option<&str> {
    let value = without_comment(value);
    let quoted = ['"', '\''].into_iter().find_map(|q| value.strip_prefix(q)?.strip_suffix(q));
    match quoted.unwrap_or(value).trim() {
        "" | "~" | "null" | "Null" | "NULL" | "[]" => None,
        value => Some(value),
    }
}

/// A `#` after a space begins a comment, outside quotation marks.
fn without_comment(value: &str) -> &str {
    let value = value.trim();
    let quoted = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    let from = match quoted {
        Some(quote) => value[1..].find(quote).map_or(0, |end| end + 2),
        None => 0,
    };
    if value.starts_with('#') {
        return "";
    }
    let end = value[from..].find(" #").map_or(value.len(), |at| from + at);
    value[..end].trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn supersedes(block: &str) -> Vec<String> {
        split(&format!("---\n{block}\n---\ntext\n")).0.supersedes
    }

    #[test]
    fn the_three_keys_are_read_and_the_block_is_no_text() {
        let (found, body) = split(
            "---\ntitle: Rule\nsupersedes: old.md\nvalid_from: 2024-01-01 # a day\nvalid_until: '2024-12-31'\n---\nIce floats.\n",
        );
        assert_eq!(found.supersedes, ["old.md"]);
        assert_eq!(found.valid_from.as_deref(), Some("2024-01-01"));
        assert_eq!(found.valid_until.as_deref(), Some("2024-12-31"));
        assert_eq!(body, "Ice floats.\n");
    }

    #[test]
    fn a_list_of_names_is_read_in_every_way_it_is_written() {
        for block in [
            "supersedes: [a, b]",
            "supersedes:\n  - a\n  - b",
            "supersedes:\n- 'a'\n- \"b\" # second",
            "supersedes: [\"a\", 'b']",
        ] {
            assert_eq!(supersedes(block), ["a", "b"], "{block}");
        }
        assert_eq!(supersedes("supersedes: [[a]]"), ["[[a]]"]);
        assert_eq!(supersedes("supersedes: [[[a]], [[b]]]"), ["[[a]]", "[[b]]"]);
        assert_eq!(supersedes("supersedes: \"[[a|the old one]]\""), ["[[a|the old one]]"]);
    }

    #[test]
    fn an_empty_value_says_nothing() {
        for empty in ["", " ~", " null", " \"\"", " []", " # none"] {
            let (found, _) = split(&format!("---\nvalid_until:{empty}\nsupersedes:{empty}\n---\n"));
            assert_eq!(found, FrontMatter::default(), "{empty:?}");
        }
    }

    #[test]
    fn a_rule_between_paragraphs_is_no_front_matter() {
        for text in [
            "---\nIce floats.\n---\nvalid_until: 2020-01-01\n",
            "---\nvalid_until: 2020-01-01\n",
            "\n---\nvalid_until: 2020-01-01\n---\n",
            "--- x\nvalid_until: 2020-01-01\n---\n",
            "---\nNote this: ice floats: always\nIt does.\n---\n",
            "---\n\n---\ntext",
            "----\nvalid_until: 2020-01-01\n----\n",
        ] {
            assert_eq!(split(text), (FrontMatter::default(), text), "{text:?}");
        }
    }

    #[test]
    fn a_key_given_twice_is_no_date() {
        let (found, _) = split("---\nvalid_until: 2020-01-01\nvalid_until: 2030-01-01\n---\n");
        assert_eq!(found.valid_until.as_deref(), Some("2020-01-01 2030-01-01"));
    }

    #[test]
    fn a_key_inside_another_one_is_not_ours() {
        let (found, _) = split("---\nmeta:\n  valid_until: 2020-01-01\n---\n");
        assert_eq!(found, FrontMatter::default());
    }

    proptest! {
        #[test]
        fn any_text_is_taken_and_the_body_is_its_end(text in "(---\n)?(\\PC|\n|: |- |\\[){0,200}") {
            let (_, body) = split(&text);
            prop_assert!(text.ends_with(body));
        }
    }
}
