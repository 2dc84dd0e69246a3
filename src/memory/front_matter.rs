//! The block of keys at the head of a note: YAML between `---`, TOML between `+++`. Read here are `supersedes`,
//! `valid_from` and `valid_until`, as they stand; what they mean is decided in `trust`. The YAML that notes use for
//! these keys is small (a word, a quoted word, a list), so it is read by hand: a whole YAML parser would add aliases,
//! tags and an unmaintained crate.

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
/// The most words a key has: `date created`, but not a sentence before a colon.
const KEY_WORDS: usize = 4;

/// Splits a document into its front matter and the rest. A block that is not closed, or that holds a line which
/// is no key, list item, comment or continuation, is text like any other.
pub fn split(document: &str) -> (FrontMatter, &str) {
    let yaml = || fenced(document, "---", &["---", "..."]).filter(|(block, _)| is_mapping(block));
    if let Some((block, body)) = yaml() {
        return (read(block), body);
    }
    let toml = fenced(document, "+++", &["+++"]);
    match toml.and_then(|(block, body)| Some((read_toml(block)?, body))) {
        Some(found) => found,
        None => (FrontMatter::default(), document),
    }
}

/// What stands between a first line and the next one that closes it, and what follows.
fn fenced<'d>(document: &'d str, open: &str, close: &[&str]) -> Option<(&'d str, &'d str)> {
    let inside = document.strip_prefix(open)?;
    let (first, inside) = inside.split_once('\n')?;
    if !first.trim().is_empty() {
        return None;
    }
    let mut at = 0;
    for line in inside.split_inclusive('\n') {
        if close.contains(&line.trim_end()) {
            return Some((&inside[..at], &inside[at + line.len()..]));
        }
        at += line.len();
        if at > MAX_BYTES {
            return None;
        }
    }
    None
}

/// One key of a single word is needed: ours are such, and a lone "Note to self: …" between two rules is prose.
fn is_mapping(block: &str) -> bool {
    let (mut has_key, mut has_word) = (false, false);
    for line in block.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        match key_value(line) {
            Some((key, _)) => {
                has_key = true;
                has_word |= !key.contains(' ');
            }
            None if has_key && continues(line) => {}
            None => return false,
        }
    }
    has_word
}

/// An indented line, a list item, or the end of what stands in brackets.
fn continues(line: &str) -> bool {
    line.starts_with([' ', '\t', ']', '}']) || line.starts_with("- ") || line.trim_end() == "-"
}

/// `key: value` at the start of a line, the key in quotation marks or not.
fn key_value(line: &str) -> Option<(&str, &str)> {
    let (key, value) = match line.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        Some(quote) => {
            let (key, rest) = line[1..].split_once(quote)?;
            (key, rest.trim_start().strip_prefix(':')?)
        }
        None => {
            let ends = |at: &usize| line[at + 1..].chars().next().is_none_or(char::is_whitespace);
            let colon = line.match_indices(':').map(|(at, _)| at).find(ends)?;
            (&line[..colon], &line[colon + 1..])
        }
    };
    let key = key.trim_end_matches([' ', '\t']);
    let apart = value.is_empty() || value.starts_with(char::is_whitespace);
    (apart && is_key(key)).then_some((key, value.trim()))
}

/// A few words without the marks of a sentence, of a list or of Markdown.
fn is_key(key: &str) -> bool {
    let is_word = |word: &str| {
        word.contains(char::is_alphanumeric)
            && !word.ends_with('.')
            && word.chars().all(|c| c.is_alphanumeric() || "_-./:@+&'$()%?!".contains(c))
    };
    key.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '@' | '$'))
        && key.split(' ').all(is_word)
        && key.split(' ').count() <= KEY_WORDS
}

fn read(block: &str) -> FrontMatter {
    let mut found = FrontMatter::default();
    let mut lines = block.lines().filter(|line| !line.starts_with('#')).peekable();
    while let Some(line) = lines.next() {
        let Some((key, first)) = key_value(line) else { continue };
        let mut value = vec![without_comment(first)];
        while let Some(more) = lines.next_if(|line| key_value(line).is_none()) {
            value.push(without_comment(more));
        }
        value.retain(|line| !line.is_empty());
        match key {
            "supersedes" => found.supersedes.extend(names(&value)),
            "valid_from" => add_day(&mut found.valid_from, &value),
            "valid_until" => add_day(&mut found.valid_until, &value),
            _ => {}
        }
    }
    found
}

/// A second value for one key is kept beside the first, so that the pair parses as no date at all.
fn add_day(day: &mut Option<String>, lines: &[&str]) {
    let Some(value) = scalar(&lines.join(" ")) else { return };
    match day {
        Some(first) => *first = format!("{first} {value}"),
        None => *day = Some(value),
    }
}

/// `a`, `"a"`, `[[a]]`, and lists of these: a line each after `- `, or in brackets, over several lines or not.
fn names(lines: &[&str]) -> Vec<String> {
    let is_open = |line: &&str| line.starts_with('[') && !line.ends_with(']');
    if lines.first().is_some_and(is_open) {
        return listed(&lines.join(" "));
    }
    lines.iter().filter(|line| **line != "-").flat_map(|line| listed(without_comment(item(line)))).collect()
}

/// A line without the `- ` of a list.
fn item(line: &str) -> &str {
    line.strip_prefix('-').filter(|rest| rest.starts_with(' ')).unwrap_or(line)
}

fn listed(value: &str) -> Vec<String> {
    let is_link = value.starts_with("[[") && !value.starts_with("[[[");
    let list = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).filter(|_| !is_link);
    match list {
        Some(list) => at_commas(list).into_iter().filter_map(scalar).collect(),
        None if is_link => at_commas(value).into_iter().filter_map(scalar).collect(),
        None => scalar(value).into_iter().collect(),
    }
}

/// The parts between commas that stand in no quotation marks and no brackets.
fn at_commas(list: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0_usize, None);
    for (at, c) in list.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') if list[start..at].trim().is_empty() => quote = Some(c),
            (None, '[') => depth += 1,
            (None, ']') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts
}

/// The value without quotation marks and comment; `None` for nothing and for YAML's words for it.
fn scalar(value: &str) -> Option<String> {
    let value = without_comment(value);
    let within = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    let plain = match (within('"'), within('\'')) {
        (Some(text), _) => text.replace("\\\"", "\"").replace("\\\\", "\\"),
        (None, Some(text)) => text.replace("''", "'"),
        (None, None) => value.to_owned(),
    };
    match plain.trim() {
        "" | "~" | "null" | "Null" | "NULL" | "[]" => None,
        value => Some(value.to_owned()),
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

/// The keys of a TOML block; `None` where it is none or says nothing.
fn read_toml(block: &str) -> Option<FrontMatter> {
    let table: toml::Table = toml::from_str(block).ok().filter(|table: &toml::Table| !table.is_empty())?;
    let text = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let supersedes = match table.get("supersedes") {
        Some(toml::Value::Array(names)) => names.iter().map(text).collect(),
        one => one.map(text).into_iter().collect(),
    };
    let day = |key: &str| table.get(key).map(text);
    Some(FrontMatter { supersedes, valid_from: day("valid_from"), valid_until: day("valid_until") })
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
        for block in [
            "supersedes: [\n  a,\n  b\n]",
            "supersedes:\n  [ a, # first\n    'b' ]",
            "supersedes:\n  - a\n  -  b",
        ] {
            assert_eq!(supersedes(block), ["a", "b"], "{block}");
        }
        assert_eq!(supersedes("supersedes: [[a]]"), ["[[a]]"]);
        assert_eq!(supersedes("supersedes: [[[a]], [[b]]]"), ["[[a]]", "[[b]]"]);
        assert_eq!(supersedes("supersedes: \"[[a|the old one]]\""), ["[[a|the old one]]"]);
    }

    #[test]
    fn a_comma_or_an_apostrophe_in_a_name_is_a_part_of_it() {
        assert_eq!(supersedes("supersedes: [\"a, b\", c]"), ["a, b", "c"]);
        assert_eq!(supersedes("supersedes: [[[a, b]], [[c]]]"), ["[[a, b]]", "[[c]]"]);
        assert_eq!(supersedes("supersedes: 'ann''s plan' # old"), ["ann's plan"]);
        assert_eq!(supersedes("supersedes: [ann's plan, c]"), ["ann's plan", "c"]);
    }

    #[test]
    fn other_keys_of_whatever_form_hide_ours_from_nobody() {
        for other in [
            "date created: 2024-01-01",
            "\"quoted key\": x",
            "dc:title: x",
            "a/b: x",
            "@context: https://ice.example",
            "2024: x",
            "spaced : x",
            "weight (kg): 5",
            "done?: yes",
            "tags: [\n  a,\n  b\n]",
            "author: {\n  name: x\n}",
            "title: Ice: a history",
            "标题: 冰",
            "about: |\n  Some prose.\n\n  valid_until: soon",
        ] {
            let text = format!("---\n{other}\nvalid_until: 2020-01-01\n---\nIce floats.\n");
            let (found, body) = split(&text);
            assert_eq!(found.valid_until.as_deref(), Some("2020-01-01"), "{other}");
            assert_eq!(body, "Ice floats.\n", "{other}");
        }
        for ours in [
            "\"valid_until\": 2020-01-01",
            "'valid_until' : 2020-01-01",
            "valid_until : 2020-01-01",
            "valid_until:\n  2020-01-01",
        ] {
            let (found, _) = split(&format!("---\n{ours}\n---\n"));
            assert_eq!(found.valid_until.as_deref(), Some("2020-01-01"), "{ours}");
        }
    }

    #[test]
    fn toml_between_plus_signs_is_front_matter_where_it_is_toml() {
        let (found, body) = split(
            "+++\ntitle = 'Ice'\nvalid_from = 2024-01-01\nvalid_until = \"2024-12-31\"\nsupersedes = ['a', 'b.md']\n+++\nIce floats.\n",
        );
        assert_eq!(found.valid_from.as_deref(), Some("2024-01-01"));
        assert_eq!(found.valid_until.as_deref(), Some("2024-12-31"));
        assert_eq!((found.supersedes, body), (vec!["a".into(), "b.md".into()], "Ice floats.\n"));
        for text in [
            "+++\nvalid_until: 2020-01-01\n+++\n",
            "+++\n+++\n",
            "+++\nvalid_until = 2020-01-01\n",
            "+++\nIce.\n+++\n",
        ] {
            assert_eq!(split(text), (FrontMatter::default(), text), "{text:?}");
        }
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
            "---\nNote to self: buy ice.\n---\n",
            "---\nvalid_until: 2020-01-01\nIce floats, says Ann.\n---\n",
            "---\n**Ice:** it floats.\n---\n",
            "---\n> Ann: it floats.\n---\n",
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
        fn any_text_is_taken_and_the_body_is_its_end(text in "((---|[+]{3})\n)?(\\PC|\n|: |- |\\[|\"|'|, | = ){0,200}") {
            let (_, body) = split(&text);
            prop_assert!(text.ends_with(body));
        }
    }
}
