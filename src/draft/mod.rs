//! A draft, read once: sentences, citations, provenance markers and Sources blocks, each with its bytes.
//!
//! [`Draft::parse`] is total: odd text gives a draft with less in it, never an error. Every fact that a rule
//! or a rewrite needs is computed here, once; nothing later looks at the raw text again. No IO, and no ledger
//! beyond the [`Register`] that tells ids and URLs apart from look-alikes.

mod allow;
mod asides;
mod assemble;
mod bibtex;
mod block_lines;
mod bracket;
mod citation;
mod entry;
mod entry_url;
mod foreign;
mod html;
mod line_looks;
mod math;
mod notes;
mod numerals;
mod outline;
pub mod own_list;
mod prose;
pub mod renumber;
pub mod rewrite;
mod section;
mod source;
mod sources_block;
mod statement;
mod title;
mod worded;
mod written;

use std::ops::Range;

use self::outline::Outline;
use self::prose::Prose;
use self::source::Source;
use crate::identity::{Register, SourceId};
use crate::text::lines::LineIndex;

pub(crate) use self::outline::extensions;
pub use self::statement::Statement;

/// How often fences that never close are taken as closed before the rest is left as code.
const MAX_REREADINGS: usize = 4;

/// Bytes of the draft as it was given (a byte order mark counts).
pub type Span = Range<usize>;

/// What a draft says about where its statements come from.
#[derive(Debug, Clone)]
pub struct Draft<'t> {
    /// The text as it was given.
    pub text: &'t str,
    /// Line and column of an offset.
    pub lines: LineIndex,
    /// Citations outside Sources blocks (prose, tables, headings alike), in text order.
    pub citations: Vec<Citation>,
    /// Numbers inside Sources blocks that nothing backs and that no entry has. They cite nothing.
    pub asides: Vec<Aside>,
    /// Declared provenance other than citations: `[unverified]` and the markers of cited.toml.
    pub markers: Vec<Marker>,
    /// Prose sentences of four words or more.
    pub sentences: Vec<Sentence>,
    /// Sources blocks, in text order.
    pub blocks: Vec<SourcesBlock>,
    /// Markers of other systems, such as `【4:0†source】`.
    pub foreign: Vec<Span>,
    /// `[2024]` where no such id is known.
    pub years: Vec<Span>,
    /// Escaped pairs such as `\[14\]` that cite nothing.
    pub escaped: Vec<Span>,
    /// Fences that never close, with the lines they would hide.
    pub unclosed_fences: Vec<Span>,
    /// What closes the fence, the comment or the raw HTML that the end of the text leaves open, as `-->`.
    pub left_open: Option<String>,
    /// `<!-- cited: allow RULE -->` comments.
    pub allows: Vec<Allow>,
    /// What a reader sees, and the way back.
    prose: Prose,
}

/// One written marker, which may cite several sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// The whole marker, brackets and link destination included.
    pub span: Span,
    /// What it cites.
    pub target: Target,
    /// How it is written.
    pub form: Form,
    /// White space stands between the statement and the marker.
    pub spaced: bool,
    /// Index into [`Draft::sentences`]; `None` outside counted prose.
    pub sentence: Option<usize>,
}

/// Numbers in brackets in a Sources block beside the entries' own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aside {
    /// What is written.
    pub marker: Citation,
    /// The entry that it stands in or below.
    pub entry: Option<SourceId>,
}

/// What a marker cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// One id or, in a list or range, several.
    Ids(Vec<SourceId>),
    /// A range over 100 wide, by its ends.
    WideRange(SourceId, SourceId),
    /// One id together with the URL it was written with.
    Linked(SourceId, String),
    /// A footnote with a word for a label whose definition is a URL that no source has.
    Url(String),
}

/// How a marker is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `[12]`
    Canonical,
    /// `[1, 2]`, `[1 and 2]`, `[see 1]`
    List,
    /// `[1-3]`
    Range,
    /// `【1】`, `［1］` or `〔1〕`
    FullWidth,
    /// `[1, p. 5]`
    Pinpoint,
    /// `over the range [1, 2]` where the draft lists both, though it could be an interval.
    Doubtful,
    /// `[1](https://…)` or `[[1]](https://…)`
    Link,
    /// `[1]` with a definition `[1]: https://…`
    Definition,
    /// `[^1]`
    Footnote,
    /// `\[1\]`
    Escaped,
}

/// Declared provenance that is no citation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    /// The marker with its brackets.
    pub span: Span,
    /// `unverified`, or the kind's name in cited.toml.
    pub kind: String,
    /// Index into [`Draft::sentences`].
    pub sentence: Option<usize>,
}

/// A prose sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// From its first to its last character, its citations and markers included.
    pub span: Span,
    /// Which paragraph, list item, quote or footnote holds it; sentences of one share the number.
    pub paragraph: usize,
    /// Words, as [`crate::text::words::count`] counts them, without citations and markers.
    pub words: usize,
    /// Indexes into [`Draft::citations`].
    pub citations: Vec<usize>,
    /// Indexes into [`Draft::markers`].
    pub markers: Vec<usize>,
    /// Bytes of the visible text.
    plain: Span,
}

/// A list of sources in the draft.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcesBlock {
    /// What a rewrite replaces: from its heading (or first entry) to its last entry's line end.
    pub span: Span,
    /// Its heading, where it has one.
    pub heading: Option<Heading>,
    /// What its entries are written as.
    pub kind: BlockKind,
    /// Its entries, in text order.
    pub entries: Vec<Entry>,
    /// A rewrite may replace it: it stands under a title, or holds ids of the register.
    pub generated: bool,
}

/// The heading of a Sources block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// The whole line or lines, without the line end.
    pub span: Span,
    /// 1 to 6 for a Markdown heading, 0 for a bold or stand-alone line.
    pub level: u8,
    /// Its words as written, without number, `#` or emphasis.
    pub title: String,
}

/// What the entries of a block are written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// `[1] url — title` and its relatives.
    List,
    /// `[^1]: url — title`
    Footnotes,
    /// `@misc{source1, …}`
    Bibtex,
}

/// One line, row or record of a Sources block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The whole entry.
    pub span: Span,
    /// Its number.
    pub id: SourceId,
    /// Its URL: the register's for that id where the entry can be read so, else the longest reading.
    pub url: Option<EntryUrl>,
    /// Its title as written, unescaped; `None` where it has none.
    pub title: Option<String>,
    /// Evidence quotes that stand below it, unescaped and without quotation marks around them.
    pub quotes: Vec<(Span, String)>,
}

/// The URL of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryUrl {
    /// Where it stands.
    pub span: Span,
    /// The URL.
    pub url: String,
    /// The register's key for the entry's id is this URL's.
    pub matches: bool,
}

/// A comment that silences a rule for the block that follows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allow {
    /// The comment.
    pub span: Span,
    /// The rule's id.
    pub rule: String,
    /// The bytes it speaks for.
    pub covers: Span,
}

/// What a reader may add to the fixed tables.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Further headings that open a Sources block.
    pub headings: Vec<String>,
    /// Further provenance markers: kind and pattern, as `("tool", "[tool:NAME]")`.
    pub markers: Vec<(String, String)>,
}

impl<'t> Draft<'t> {
    /// Reads `text`. Never fails.
    pub fn parse(text: &'t str, options: &Options, register: &dyn Register) -> Self {
        Self::read(text, &Source::new(text), Vec::new(), options, register)
    }

    /// Reads the body of `source`, again where a fence that never closes hides its rest.
    fn read(
        text: &'t str,
        source: &Source<'t>,
        mut unclosed: Vec<Span>,
        options: &Options,
        register: &dyn Register,
    ) -> Self {
        let outline = Outline::read(text, source);
        if let Some(open) = outline.open_fence {
            unclosed.push(open..text.len());
            if unclosed.len() <= MAX_REREADINGS
                && let Some(closed) = source.closing_fence(text, open)
            {
                return Self::read(text, &closed, unclosed, options, register);
            }
        }
        let mut draft = assemble::draft(text, &outline, options, register);
        let fence = outline.open_fence.filter(|_| outline.open_at_top);
        let fence = fence.map(|open| source::fence_marker(&text[open..]).to_owned());
        draft.left_open = fence.or(outline.open_html);
        draft.unclosed_fences = unclosed;
        draft
    }

    /// The ids that the draft cites, in ascending order, each once.
    pub fn cited(&self) -> Vec<SourceId> {
        let mut ids: Vec<SourceId> = self.citations.iter().flat_map(Citation::ids).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

impl Citation {
    /// The ids it names; a range that is too wide names its ends.
    pub fn ids(&self) -> Vec<SourceId> {
        match &self.target {
            Target::Ids(ids) => ids.clone(),
            Target::WideRange(first, last) => vec![*first, *last],
            Target::Linked(id, _) => vec![*id],
            Target::Url(_) => Vec::new(),
        }
    }
}
