//! A quote made ready to be searched for: folded as it stands, and as Markdown where that says something else.

use super::markdown::Markup;
use super::view::View;
use crate::text::figures::{is_currency, is_digit, is_sign};
use crate::text::fold::{GAP, REFERENCE_CLOSE, REFERENCE_OPEN, WALL};
use crate::text::words;

use std::ops::Range;

/// Fewer words are no evidence.
const MIN_WORDS: usize = 3;

/// One reading of a quote.
#[derive(Debug)]
pub struct Form {
    /// The reading.
    pub view: View,
    /// The folded bytes that are searched for: without white space at the ends.
    pub range: Range<usize>,
}

impl Form {
    fn new(view: View) -> Self {
        let text = view.folded.text();
        let start = text.len() - text.trim_start().len();
        let range = start..start.max(text.trim_end().len());
        Self { view, range }
    }

    /// The folded words.
    pub fn needle(&self) -> &str {
        &self.view.folded.text()[self.range.clone()]
    }
}

/// A quote made ready.
#[derive(Debug)]
pub struct Quote<'a> {
    /// The words as given, without white space at the ends.
    pub raw: &'a str,
    /// As it stands.
    pub plain: Form,
    /// As Markdown, where that differs.
    pub markup: Option<Form>,
    /// What the quote has that no reader sees (link destinations); it must be the page's own.
    pub unseen: Vec<&'a str>,
    /// The whole quote is in upper case.
    pub shouting: bool,
}

impl<'a> Quote<'a> {
    /// Makes `quote` ready.
    pub fn new(quote: &'a str) -> Self {
        let raw = quote.trim();
        let plain = Form::new(View::plain(raw));
        let shouting = raw.chars().any(char::is_uppercase) && !raw.chars().any(char::is_lowercase);
        let mut quote = Self { raw, plain, markup: None, unseen: Vec::new(), shouting };
        let markup = ['*', '_', '`', '[', '<', '&', '\\', '#', '>', '|', '~'];
        if raw.contains(markup) && !raw.lines().any(begins_with_comparison) {
            quote.read_as_markdown();
        }
        quote
    }

    fn read_as_markdown(&mut self) {
        let markup = Markup::read(self.raw);
        let form = Form::new(markup.view);
        let walls = form.needle().contains([WALL, GAP, REFERENCE_OPEN, REFERENCE_CLOSE]);
        if !walls && form.needle() != self.plain.needle() && words::count(form.needle()) >= MIN_WORDS {
            self.unseen = markup.hidden.iter().filter_map(|range| self.raw.get(range.clone())).collect();
            self.markup = Some(form);
        }
    }

    /// How many words it has, citation markers not counted; `None` where that is enough.
    pub fn too_short(&self) -> Option<usize> {
        let words = words::count(&without_markers(self.raw));
        (words < MIN_WORDS).then_some(words)
    }

    /// It holds a character that stands for something in folded pages and in no text.
    pub fn is_forged(&self) -> bool {
        self.raw.contains([WALL, GAP, REFERENCE_OPEN, REFERENCE_CLOSE])
    }
}

/// `> 5 mg` compares; it is no passage in a block quote.
fn begins_with_comparison(line: &str) -> bool {
    let rest = line.trim_start().strip_prefix('>').map(str::trim_start);
    let first = rest.and_then(|rest| rest.chars().next());
    first.is_some_and(|c| is_digit(c) || is_currency(c) || is_sign(c) || matches!(c, '.' | '='))
}

/// `text` without `[3]`, `[1, 2]` and the like.
fn without_markers(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let inside = &rest[open + 1..];
        let label =
            inside.bytes().take(26).take_while(|b| b.is_ascii_digit() || b", -;^".contains(b)).count();
        let marker = label > 0 && inside[label..].starts_with(']');
        let end = if marker { open + label + 2 } else { open + 1 };
        kept.push_str(&rest[..if marker { open } else { end }]);
        rest = &rest[end..];
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_words_of_any_script_are_enough() {
        for quote in ["ice floats here", "本症例は先天", "본증례는선천성용혈성", "น้ำแข็งลอย"]
        {
            assert_eq!(Quote::new(quote).too_short(), None, "{quote}");
        }
        for (quote, words) in [("ice floats", 2), ("", 0), ("ice floats [3] [4]", 2), ("— — —", 0)] {
            assert_eq!(Quote::new(quote).too_short(), Some(words), "{quote}");
        }
    }
}
