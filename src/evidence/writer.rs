//! Writes visible text for the readers of HTML and PDF: white space as it is shown, separators between blocks,
//! cells and lines, and marks for what no match may cross.

use crate::evidence::script::{Script, judge};
use crate::text::fold::{GAP, REFERENCE_CLOSE, REFERENCE_OPEN, WALL};

/// What stands between two pieces of text, weakest first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Separator {
    #[default]
    None,
    Space,
    Line,
    Cell,
    Block,
}

/// Text as it is being written.
#[derive(Debug, Default)]
pub struct Writer {
    out: String,
    pending: Separator,
    script: Option<Raised>,
}

/// Raised or lowered text that is open.
#[derive(Debug)]
struct Raised {
    raised: bool,
    /// Where its text begins, once it has any.
    start: Option<usize>,
}

impl Writer {
    /// What was written.
    pub fn finish(mut self) -> String {
        self.close_script();
        self.out
    }

    /// Takes text in which white space is one space.
    pub fn text(&mut self, text: &str) {
        let text = without_marks(text);
        let mut words = text.split(|c: char| c.is_ascii_whitespace());
        if let Some(first) = words.next() {
            self.word(first);
        }
        for word in words {
            self.separate(Separator::Space);
            self.word(word);
        }
    }

    /// Takes text whose spaces and lines stay.
    pub fn preformatted(&mut self, text: &str) {
        let text = without_marks(text).replace("\r\n", "\n").replace(['\t', '\r'], " ");
        self.word(&text);
    }

    /// Writes a space, if text follows.
    pub fn space(&mut self) {
        self.separate(Separator::Space);
    }

    /// Breaks the line.
    pub fn line(&mut self) {
        self.separate(Separator::Line);
    }

    /// Ends a cell.
    pub fn cell(&mut self) {
        self.close_script();
        self.separate(Separator::Cell);
    }

    /// Ends a block.
    pub fn block(&mut self) {
        self.close_script();
        self.separate(Separator::Block);
    }

    /// Marks struck-out text.
    pub fn gap(&mut self) {
        self.close_script();
        self.word(GAP.encode_utf8(&mut [0; 4]));
    }

    /// Marks a place that no match crosses.
    pub fn wall(&mut self) {
        if self.pending != Separator::None || !self.out.ends_with(WALL) {
            self.word(WALL.encode_utf8(&mut [0; 4]));
        }
    }

    /// Raised or lowered text begins; one inside another is part of it.
    pub fn open_script(&mut self, raised: bool) {
        self.script.get_or_insert(Raised { raised, start: None });
    }

    /// Judges the raised or lowered text that is open, if any.
    pub fn close_script(&mut self) {
        let Some(Raised { raised, start: Some(start) }) = self.script.take() else { return };
        let (before, content) = self.out.split_at(start);
        let (open, close) = match judge(raised, before.chars(), content) {
            Script::Wall => (WALL, WALL),
            Script::Reference | Script::Marker => (REFERENCE_OPEN, REFERENCE_CLOSE),
            Script::Text => return,
        };
        self.out.insert(start, open);
        self.out.push(close);
    }

    fn word(&mut self, word: &str) {
        if word.is_empty() {
            return;
        }
        let separator = std::mem::take(&mut self.pending);
        if !self.out.is_empty() {
            self.out.push_str(match separator {
                Separator::None => "",
                Separator::Space => " ",
                Separator::Line => "\n",
                Separator::Cell => "\t",
                Separator::Block => "\n\n",
            });
        }
        if let Some(script) = &mut self.script {
            script.start.get_or_insert(self.out.len());
        }
        self.out.push_str(word);
    }

    fn separate(&mut self, separator: Separator) {
        self.pending = self.pending.max(separator);
    }
}

/// `text` without the characters that stand for walls.
fn without_marks(text: &str) -> std::borrow::Cow<'_, str> {
    let marks = [WALL, GAP, REFERENCE_OPEN, REFERENCE_CLOSE];
    if text.is_ascii() || !text.contains(marks) {
        return text.into();
    }
    text.replace(marks, "\u{fffd}").into()
}
