//! `cited list`: one line a source; on a terminal in columns, with URLs that open.

use cited::ledger::{Source, format};
use cited::text::fold::Folded;
use cited::text::printable::{one_line, printable};

use super::hyperlink::hyperlink;
use super::renumber::mention;
use super::session::Session;
use super::{Done, Outcome, Terminal};
use crate::cli::ListArgs;

pub fn run(args: ListArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let store = session.store()?;
    let ledger = store.read()?;
    mention(&store, terminal)?;
    let wanted = Filter::new(&args);
    let sources: Vec<&Source> = ledger.sources().iter().filter(|source| wanted.fits(source)).collect();
    if args.json {
        terminal.raw(format::entries(sources.iter().copied()).as_bytes())?;
        return Ok(Outcome::Fine);
    }
    for id in ledger.ambiguous() {
        terminal.warn(&format!("the ledger holds the id [{id}] more than once; citing it is ambiguous"))?;
    }
    match (ledger.sources().len(), sources.len()) {
        (0, _) => terminal.line(&format!("ledger is empty: {}", store.path().display()))?,
        (held, 0) => terminal.hint(&format!("none of the {held} sources fits"))?,
        _ => {}
    }
    let layout = if terminal.is_terminal() { Layout::of(&sources) } else { Layout::default() };
    sources.iter().try_for_each(|source| terminal.raw(line(source, &layout).as_bytes()))?;
    Ok(Outcome::Fine)
}

/// Which sources are asked for.
struct Filter<'a> {
    unquoted: bool,
    via: Option<&'a str>,
    /// Folded.
    text: Option<String>,
}

impl<'a> Filter<'a> {
    fn new(args: &'a ListArgs) -> Self {
        Self { unquoted: args.unquoted, via: args.via.as_deref(), text: args.grep.as_deref().map(folded) }
    }

    fn fits(&self, source: &Source) -> bool {
        let holds = |text: &str| folded(&source.title).contains(text) || folded(&source.url).contains(text);
        (!self.unquoted || source.quotes.is_empty())
            && self
                .via
                .is_none_or(|via| source.via.as_deref().is_some_and(|own| own.eq_ignore_ascii_case(via)))
            && self.text.as_deref().is_none_or(holds)
    }
}

fn folded(text: &str) -> String {
    Folded::plain(text).text().to_owned()
}

/// How lines are laid out: for a program with one space, for a person in columns.
#[derive(Default)]
struct Layout {
    /// Column widths in characters; zero means no padding.
    id: usize,
    url: usize,
    links: bool,
}

impl Layout {
    /// Long URLs do not push the titles of all others off the screen.
    const URL_MAX: usize = 60;

    fn of(sources: &[&Source]) -> Self {
        let id = sources.iter().map(|source| source.id.to_string().len() + 2).max().unwrap_or(0);
        let url = sources.iter().map(|source| printable(&source.url).chars().count()).max().unwrap_or(0);
        let links = std::env::var_os("TERM").is_none_or(|name| name != "dumb");
        Self { id, url: url.min(Self::URL_MAX), links }
    }
}

/// `[id] url  title  (1 quote)` with a line end; a missing part leaves no gap.
fn line(source: &Source, layout: &Layout) -> String {
    let id = format!("[{}]", source.id);
    let url = printable(&source.url);
    let title = one_line(&source.title);
    let quotes = match source.quotes.len() {
        0 => String::new(),
        1 => "(1 quote)".into(),
        n => format!("({n} quotes)"),
    };
    let withdrawn = if source.withdrawn.is_some() { "(withdrawn)" } else { "" };
    let parts: Vec<&str> =
        [&title, quotes.as_str(), withdrawn].into_iter().filter(|part| !part.is_empty()).collect();
    let gap = if parts.is_empty() { 0 } else { layout.url.saturating_sub(url.chars().count()) };
    let shown = if layout.links { hyperlink(&source.url, &url) } else { url.into_owned() };
    let mut line = format!("{id:<0$} {shown}{1:gap$}", layout.id, "");
    for part in parts {
        line.push_str("  ");
        line.push_str(&printable(part));
    }
    line.push('\n');
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(id: u32, url: &str, title: &str) -> Source {
        Source { id: cited::ledger::SourceId(id), url: url.into(), title: title.into(), ..Source::default() }
    }

    #[test]
    fn titles_of_a_list_for_people_stand_in_one_column() {
        let (short, long) =
            (source(1, "https://a.example", "Ice"), source(12, "https://b.example/water", "冰"));
        let layout = Layout { links: false, ..Layout::of(&[&short, &long]) };
        let (short, long) = (line(&short, &layout), line(&long, &layout));
        assert_eq!(short.chars().position(|c| c == 'I'), long.chars().position(|c| c == '冰'));
        assert_eq!(line(&source(3, "https://c.example", ""), &layout), "[3]  https://c.example\n");
    }

    #[test]
    fn nothing_that_a_page_wrote_steers_the_terminal() {
        let hostile = source(1, "https://a.example/\u{1b}]8;;x\u{7}", "ice\u{1b}[2J\nfloats");
        let layout = Layout { links: true, ..Layout::default() };
        let line = line(&hostile, &layout);
        assert_eq!(line.matches('\u{1b}').count(), 4, "{line:?}");
        assert!(line.contains("https://a.example/%1B]8;;x%07\u{1b}\\"), "{line:?}");
        assert!(!line.contains('\u{7}') && line.ends_with("ice [2J floats\n"), "{line:?}");
    }

    #[test]
    fn filters_narrow_each_other() {
        let args = |grep: &str| ListArgs {
            unquoted: true,
            via: Some("Web".into()),
            grep: Some(grep.into()),
            json: false,
        };
        let ice = Source { via: Some("web".into()), ..source(1, "https://a.example/EIS", "Große Scholle") };
        for (grep, fits) in [("GROSSE", true), ("/eis", true), ("steam", false)] {
            assert_eq!(Filter::new(&args(grep)).fits(&ice), fits, "{grep}");
        }
        let quoted = Source { quotes: vec![cited::ledger::Quote::default()], ..ice.clone() };
        assert!(!Filter::new(&args("scholle")).fits(&quoted));
        assert!(!Filter::new(&args("scholle")).fits(&Source { via: None, ..ice }));
    }
}
