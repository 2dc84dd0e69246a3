//! The list of sources that a draft came with: which page each of its numbers stands for, by its own word.
//! Read without a ledger; registering the pages and rewriting the numbers is done elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use super::{Citation, Draft, SourceId, Target};
use crate::identity::{self, Locator};

/// A page that the draft lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Own {
    /// The number it goes by; `None` for a footnote with a word for a label.
    pub id: Option<SourceId>,
    /// Its URL as written.
    pub url: String,
    /// The page that it names.
    pub locator: Locator,
    /// Its title, may be empty.
    pub title: String,
}

/// What a draft says about its numbers.
#[derive(Debug, Clone, Default)]
pub struct OwnList {
    /// Pages in text order; one page may come under several numbers.
    pub pages: Vec<Own>,
    /// Listed numbers without a page, each with what its entry says instead.
    pub without_url: BTreeMap<SourceId, String>,
    /// Numbers that the draft cites and does not list.
    pub unlisted: BTreeSet<SourceId>,
}

/// One number with two pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The number.
    pub id: SourceId,
    /// The URL that it stands for first.
    pub first: String,
    /// The other one.
    pub second: String,
}

/// Reads what `draft`, parsed without a register, says about its numbers: its Sources blocks, and the URLs that
/// stand in links with a number for a text.
///
/// # Errors
/// A number stands for two pages.
pub fn read(draft: &Draft<'_>, options: &identity::Options) -> Result<OwnList, Conflict> {
    let mut reader = Reader { options, list: OwnList::default(), by_id: BTreeMap::new() };
    for entry in draft.blocks.iter().flat_map(|block| &block.entries) {
        let title = entry.title.as_deref().unwrap_or_default();
        match &entry.url {
            Some(url) => reader.page(entry.id, &url.url, title)?,
            None => reader.without_url(entry.id, title),
        }
    }
    for citation in &draft.citations {
        reader.cited(citation)?;
    }
    Ok(reader.finish(draft))
}

struct Reader<'a> {
    options: &'a identity::Options,
    list: OwnList,
    /// Where the page of a number stands in the list.
    by_id: BTreeMap<SourceId, usize>,
}

impl Reader<'_> {
    fn page(&mut self, id: SourceId, url: &str, title: &str) -> Result<(), Conflict> {
        let locator = match identity::locate(url, self.options) {
            Ok(locator) => locator,
            Err(reason) => {
                self.without_url(id, &reason.found);
                return Ok(());
            }
        };
        match self.by_id.get(&id).map(|at| &self.list.pages[*at]) {
            Some(known) if known.locator.key != locator.key => {
                Err(Conflict { id, first: known.url.clone(), second: url.to_owned() })
            }
            Some(_) => Ok(()),
            None => {
                self.by_id.insert(id, self.list.pages.len());
                self.push(Some(id), url, locator, title);
                Ok(())
            }
        }
    }

    fn push(&mut self, id: Option<SourceId>, url: &str, locator: Locator, title: &str) {
        self.list.pages.push(Own { id, url: url.to_owned(), locator, title: title.to_owned() });
    }

    fn without_url(&mut self, id: SourceId, says: &str) {
        self.list.without_url.entry(id).or_insert_with(|| says.to_owned());
    }

    /// A number with a URL of its own is a listing, and must agree with the others.
    fn cited(&mut self, citation: &Citation) -> Result<(), Conflict> {
        match &citation.target {
            Target::Linked(id, url) => self.page(*id, url, ""),
            Target::Url(url) => {
                if let Ok(locator) = identity::locate(url, self.options) {
                    self.push(None, url, locator, "");
                }
                Ok(())
            }
            Target::Ids(_) | Target::WideRange(..) => Ok(()),
        }
    }

    fn finish(mut self, draft: &Draft<'_>) -> OwnList {
        self.list.without_url.retain(|id, _| !self.by_id.contains_key(id));
        let narrow = draft.citations.iter().filter(|one| !matches!(one.target, Target::WideRange(..)));
        let cited = narrow.flat_map(Citation::ids);
        self.list.unlisted = cited
            .filter(|id| !self.by_id.contains_key(id) && !self.list.without_url.contains_key(id))
            .collect();
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::Options;
    use crate::identity::Unknown;

    fn list(text: &str) -> Result<OwnList, Conflict> {
        read(&Draft::parse(text, &Options::default(), &Unknown), &identity::Options::default())
    }

    fn pages(list: &OwnList) -> Vec<(u32, &str)> {
        list.pages.iter().map(|page| (page.id.map_or(0, |id| id.0), page.url.as_str())).collect()
    }

    #[test]
    fn blocks_links_and_labels_all_list() {
        let text = "Ice floats.[1] Water boils [2](https://b.example). Steam rises.[^word] Salt melts.[7]\n\n[^word]: https://c.example\n\n## Sources\n\n[1] https://a.example — A\n[3] A book without a page\n";
        let list = list(text).unwrap();
        assert_eq!(
            pages(&list),
            [(1, "https://a.example"), (2, "https://b.example"), (0, "https://c.example")]
        );
        assert_eq!(list.without_url.keys().collect::<Vec<_>>(), [&SourceId(3)]);
        assert_eq!(list.unlisted, BTreeSet::from([SourceId(7)]));
    }

    #[test]
    fn a_number_for_two_pages_is_refused_and_for_one_page_twice_is_not() {
        let text = |second: &str| {
            format!(
                "Ice.[1]\n\n## Sources\n\n[1] https://a.example/x\n\n# More\n\n## Sources\n\n[1] {second}\n"
            )
        };
        assert_eq!(list(&text("https://b.example")).unwrap_err().id, SourceId(1));
        assert_eq!(list(&text("https://A.example/x/#ice")).unwrap().pages.len(), 1);
    }

    #[test]
    fn an_address_that_names_no_page_is_no_url() {
        let list = list("Ice.[1]\n\n## Sources\n\n[1] www.a.example — A\n").unwrap();
        assert!(list.pages.is_empty());
        assert!(list.without_url[&SourceId(1)].contains("www.a.example"));
    }
}
