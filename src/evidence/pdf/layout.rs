//! Characters of a PDF and where they stand, to lines of text: what is smaller and raised or lowered beside its
//! neighbours is a power or a note mark, as in HTML.

use pdf_extract::{Document, MediaBox, OutputDev, OutputError, Transform, output_doc};

use crate::evidence::writer::Writer;

/// Shares of the size of a line's characters.
const LINE: f64 = 0.7;
const BLOCK: f64 = 2.2;
const SPACE: f64 = 0.1;
const SMALLER: f64 = 0.85;
const RAISED: f64 = 0.12;

/// The text of `document`, form feeds between its pages.
///
/// # Errors
/// What the library said.
pub fn text(document: &Document) -> Result<String, String> {
    let mut layout = Layout::default();
    output_doc(document, &mut layout).map_err(|error| error.to_string())?;
    layout.end_page().map_err(|error| error.to_string())?;
    Ok(layout.pages.join("\u{c}"))
}

#[derive(Default)]
struct Layout {
    pages: Vec<String>,
    page: Option<Writer>,
    line: Option<Line>,
    /// Upper border of the page.
    top: f64,
    begins_word: bool,
    in_script: bool,
}

/// The line that is being written.
#[derive(Debug, Clone, Copy)]
struct Line {
    /// Distance of its base from the upper border.
    base: f64,
    size: f64,
    /// Where the last character ends.
    end: f64,
}

impl Layout {
    fn place(&mut self, x: f64, y: f64, size: f64) {
        let writer = self.page.get_or_insert_default();
        let Some(line) = &mut self.line else {
            self.line = Some(Line { base: y, size, end: x });
            return;
        };
        let down = y - line.base;
        let script =
            size < line.size * SMALLER && down.abs() > line.size * RAISED && down.abs() < line.size * LINE;
        if script != self.in_script {
            self.in_script = script;
            if script { writer.open_script(down < 0.0) } else { writer.close_script() }
        }
        if script {
            if x > line.end + size * SPACE {
                writer.space();
            }
            return;
        }
        if down.abs() > line.size.max(size) * LINE {
            let far = down > line.size.max(size) * BLOCK;
            if far {
                writer.block()
            } else {
                writer.line()
            }
            *line = Line { base: y, size, end: x };
        } else if self.begins_word && x > line.end + size * SPACE {
            writer.space();
        }
        if size > line.size {
            (line.size, line.base) = (size, y);
        }
    }
}

impl OutputDev for Layout {
    fn begin_page(
        &mut self,
        page: u32,
        media: &MediaBox,
        _: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        if page > 1 || self.page.is_some() {
            self.end_page()?;
        }
        self.page = Some(Writer::default());
        self.top = media.ury;
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        if let Some(writer) = self.page.take() {
            self.pages.push(writer.finish());
        }
        (self.line, self.in_script) = (None, false);
        Ok(())
    }

    fn output_character(
        &mut self,
        at: &Transform,
        width: f64,
        _: f64,
        size: f64,
        text: &str,
    ) -> Result<(), OutputError> {
        let (across, along) = (size * (at.m11 + at.m21), size * (at.m12 + at.m22));
        let size = (across * along).abs().sqrt();
        let (x, y) = (at.m31, self.top - at.m32);
        self.place(x, y, size);
        self.begins_word = false;
        if let Some(line) = &mut self.line {
            line.end = x + width * size;
        }
        self.page.get_or_insert_default().text(text);
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        self.begins_word = true;
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}
