//! Text from the web, made safe for one line of each kind of file.

use std::borrow::Cow;

use crate::text::printable::one_line;

/// For a plain entry: one line, and no `[` that a digit follows stands unescaped, so that no title can pose as
/// the next entry. A backslash before punctuation is doubled: a reader that unescapes gets the text back.
pub fn plain(text: &str) -> String {
    escape(text, |c, next| c == '[' && next.is_some_and(char::is_numeric))
}

/// For Markdown: as [`plain`], and no code span, HTML or link begins in it.
pub fn markdown(text: &str) -> String {
    let mut before = None;
    escape(text, |c, next| {
        let link = c == '(' && before == Some(']');
        before = Some(c);
        link || matches!(c, '`' | '<') || (c == '[' && next.is_some_and(char::is_numeric))
    })
}

/// For a web address in Markdown: no HTML begins in it. Locators of other kinds stay as they are.
pub fn markdown_url(url: &str) -> Cow<'_, str> {
    let web = url.starts_with("https://") || url.starts_with("http://");
    if !web || !url.contains(['<', '>']) {
        return Cow::Borrowed(url);
    }
    Cow::Owned(url.replace('<', "%3C").replace('>', "%3E"))
}

fn escape(text: &str, mut special: impl FnMut(char, Option<char>) -> bool) -> String {
    let line = one_line(text);
    let mut escaped = String::with_capacity(line.len() + 8);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        let ambiguous = c == '\\' && next.is_none_or(|n| n.is_ascii_punctuation());
        if special(c, next) || ambiguous {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// For TeX text: the ten characters that TeX gives a meaning, and pairs such as `--` that it sets as one sign.
pub fn tex(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    for c in one_line(text).chars() {
        let pair = before == c && matches!(c, '-' | '\'' | '`' | ',' | '<' | '>');
        if pair || (c == '`' && matches!(before, '?' | '!')) {
            escaped.push_str("{}");
        }
        before = c;
        match c {
            '{' | '}' | '%' | '&' | '_' | '#' | '$' => escaped.extend(['\\', c]),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '\\' => escaped.push_str("\\textbackslash{}"),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// For the argument of `\url`: braces and backslashes would end it and are percent-encoded, and so is white space.
/// A backslash in the path of a web address is the slash that every browser takes it for. `%` and `#` stay:
/// `\url` takes them as they are wherever it is not inside another macro's argument.
pub fn tex_url(url: &str) -> String {
    let line = one_line(url);
    let web = line.starts_with("https://") || line.starts_with("http://");
    let path = if web { line.find(['?', '#']).unwrap_or(line.len()) } else { 0 };
    let (path, rest) = line.split_at(path);
    let slashed = path.replace('\\', "/");
    format!("{slashed}{rest}")
        .replace('\\', "%5C")
        .replace('{', "%7B")
        .replace('}', "%7D")
        .replace(' ', "%20")
}

/// For HTML text and double-quoted attributes.
pub fn html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for c in one_line(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}
