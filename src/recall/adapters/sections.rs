//! A note cut into sections: at its headings, at lines of a lone `§`, and where it is long at blank lines. In: the text of
//! a file. Out: sections, each under the headings that stand above it. Pure.

/// A section longer than this is cut at its blank lines, in bytes.
const SECTION_BYTES: usize = 800;
/// The longest heading, in characters.
const LONGEST_TITLE: usize = 200;

/// A piece of a file.
#[derive(Debug, PartialEq)]
pub struct Section {
    /// The nearest heading above it, empty before the first.
    pub heading: String,
    /// Its text, with the heading's line.
    pub text: String,
}

/// Cuts a file at its headings and at lines of a lone `§`, and long sections at blank lines. Each piece begins with
/// the headings above it, so that it says what it is about; a heading that others follow and that has no text of
/// its own is no section.
pub fn sections(text: &str) -> Vec<Section> {
    let mut cutter = Cutter::default();
    for line in without_front_matter(text).lines() {
        cutter.line(line);
    }
    cutter.end_group(0);
    cutter.sections
}

/// A block between `---` lines at the very start is data about the note, not its text.
fn without_front_matter(text: &str) -> &str {
    let Some(inner) = text.strip_prefix("---\n").or_else(|| text.strip_prefix("---\r\n")) else {
        return text;
    };
    let mut at = text.len() - inner.len();
    for line in inner.split_inclusive('\n') {
        at += line.len();
        if line.trim_end() == "---" {
            return &text[at..];
        }
    }
    text
}

#[derive(Default)]
struct Cutter {
    sections: Vec<Section>,
    /// The headings that the text stands under, outermost first.
    path: Vec<Heading>,
    /// The innermost of them has no section yet.
    is_bare: bool,
    text: String,
    fence: Option<Fence>,
}

impl Cutter {
    fn line(&mut self, line: &str) {
        let was_code = self.fence.is_some();
        self.fence = Fence::after(self.fence.take(), line);
        if was_code || self.fence.is_some() {
            return self.push(line);
        }
        if line.trim() == "§" {
            self.end_group(0);
        } else if let Some(heading) = Heading::read(line) {
            self.begin(heading);
        } else if let Some(depth) = underline(line)
            && let Some(words) = self.take_title()
        {
            self.begin(Heading { depth, words });
        } else {
            self.push(line);
        }
    }

    fn push(&mut self, line: &str) {
        let is_full = line.trim().is_empty() && self.text.len() >= SECTION_BYTES && self.fence.is_none();
        if is_full || self.text.len() >= 4 * SECTION_BYTES {
            self.end_section();
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn begin(&mut self, heading: Heading) {
        self.end_group(heading.depth);
        self.path.push(heading);
        self.is_bare = true;
    }

    /// Ends the section and every heading that is not above `depth`.
    fn end_group(&mut self, depth: usize) {
        self.end_section();
        let is_leaf = self.path.last().is_some_and(|last| last.depth >= depth);
        if self.is_bare && is_leaf {
            self.add("");
        }
        self.is_bare = false;
        self.path.retain(|above| above.depth < depth);
    }

    fn end_section(&mut self) {
        let text = std::mem::take(&mut self.text);
        if !text.trim().is_empty() {
            self.add(text.trim());
        }
    }

    fn add(&mut self, body: &str) {
        let mut lines: Vec<String> =
            self.path.iter().map(|above| format!("{} {}", "#".repeat(above.depth), above.words)).collect();
        lines.extend((!body.is_empty()).then(|| body.to_owned()));
        let heading = self.path.last().map(|last| last.words.clone()).unwrap_or_default();
        self.sections.push(Section { heading, text: lines.join("\n") });
        self.is_bare = false;
    }

    /// The last line of the text, where it is a paragraph of its own that an underline makes a heading.
    fn take_title(&mut self) -> Option<String> {
        let text = self.text.trim_end_matches('\n');
        let start = text.rfind('\n').map_or(0, |end| end + 1);
        let (before, title) = text.split_at(start);
        let is_alone = before.is_empty() || before.ends_with("\n\n");
        let is_words = title.trim_start_matches(['*', '_', '`', '"']).starts_with(char::is_alphanumeric);
        let is_direct = self.text.len() == text.len() + 1;
        let is_title = is_alone && is_words && is_direct && title.len() <= LONGEST_TITLE;
        let title = is_title.then(|| title.trim().to_owned())?;
        self.text.truncate(start);
        Some(title)
    }
}

/// A heading and how deep it is, 1 to 6.
struct Heading {
    depth: usize,
    words: String,
}

impl Heading {
    /// The heading that a line of hashes and words is.
    fn read(line: &str) -> Option<Self> {
        let line = unindented(line)?;
        let rest = line.trim_start_matches('#');
        let depth = line.len() - rest.len();
        if !(1..=6).contains(&depth) || !(rest.is_empty() || rest.starts_with([' ', '\t'])) {
            return None;
        }
        let words = rest.trim();
        let bare = words.trim_end_matches('#');
        let words = if bare.is_empty() || bare.ends_with([' ', '\t']) { bare.trim_end() } else { words };
        let words = words.chars().take(LONGEST_TITLE).collect();
        Some(Self { depth, words })
    }
}

/// How deep the heading is that this line underlines.
fn underline(line: &str) -> Option<usize> {
    let marks = unindented(line)?.trim_end();
    let is_all = |mark: char| !marks.is_empty() && marks.chars().all(|c| c == mark);
    is_all('=').then_some(1).or_else(|| (is_all('-') && marks.len() > 1).then_some(2))
}

/// The line without up to three spaces before it; `None` where there are more.
fn unindented(line: &str) -> Option<&str> {
    let bare = line.trim_start_matches(' ');
    (line.len() - bare.len() <= 3).then_some(bare)
}

/// The fence of a block of code that has not ended.
struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    /// The block that is open after `line`.
    fn after(open: Option<Self>, line: &str) -> Option<Self> {
        let bare = line.trim();
        let mark = bare.chars().next().filter(|c| "`~".contains(*c));
        let rest = bare.trim_start_matches(|c| Some(c) == mark);
        let length = bare.len() - rest.len();
        match (open, mark.filter(|_| length >= 3)) {
            (Some(open), Some(mark)) if mark == open.mark && length >= open.length && rest.is_empty() => None,
            (Some(open), _) => Some(open),
            (None, Some(mark)) if mark == '~' || !rest.contains('`') => Some(Self { mark, length }),
            (None, _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        sections(text).into_iter().map(|section| section.text).collect()
    }

    #[test]
    fn a_file_is_cut_at_headings_and_section_signs() {
        let text = "---\ntags: x\n---\nIntro.\n# Water\n## Ice\nIce floats.\n§\nSteam rises.\n";
        assert_eq!(texts(text), ["Intro.", "# Water\n## Ice\nIce floats.", "Steam rises."]);
        assert_eq!(sections(text)[1].heading, "Ice");
    }

    #[test]
    fn every_form_of_heading_is_one() {
        for text in ["Ice\n===\nfloats", "  # Ice #\nfloats", "# Ice\n\nfloats\n---", "\n\nIce\n=\nfloats"] {
            assert_eq!(sections(text)[0].heading, "Ice", "{text}");
        }
        assert_eq!(sections("# C#\nx")[0].heading, "C#");
        assert_eq!(texts("Water\n===\nIce\n---\nfloats"), ["# Water\n## Ice\nfloats"]);
        for text in ["- ice\n---\nfloats", "| ice |\n---\nfloats", "ice\n\n---\nfloats", "    # Ice\nfloats"]
        {
            assert_eq!((texts(text).len(), sections(text)[0].heading.as_str()), (1, ""), "{text}");
        }
    }

    #[test]
    fn a_heading_that_says_it_all_is_a_section() {
        assert_eq!(
            texts("# Facts\n## Ice floats\n## Water boils\n"),
            ["# Facts\n## Ice floats", "# Facts\n## Water boils"]
        );
        assert_eq!(texts("# Facts\n"), ["# Facts"]);
        assert_eq!(texts(""), Vec::<String>::new());
    }

    #[test]
    fn a_hash_in_code_is_no_heading() {
        assert_eq!(texts("# A\n```\n# not one\n```\nend").len(), 1);
        assert_eq!(texts("# A\n~~~~\n```\n# not one\n~~~\n# nor this\n~~~~\nend").len(), 1);
        assert_eq!(texts("# A\nuse ```x``` here\n# B\nend").len(), 2);
        assert_eq!(texts("#tag is no heading\n####### nor seven").len(), 1);
    }

    #[test]
    fn a_long_section_is_cut_at_blank_lines() {
        let paragraph = "Ice floats on water. ".repeat(30);
        let pieces = sections(&format!("# Ice\n{paragraph}\n\n{paragraph}\n\n{paragraph}"));
        assert_eq!(pieces.len(), 2);
        assert!(pieces.iter().all(|piece| piece.heading == "Ice"));
        let line = "ice ".repeat(100);
        assert!(sections(&format!("{line}\n").repeat(100)).len() > 5);
    }
}
