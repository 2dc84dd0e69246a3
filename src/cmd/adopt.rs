//! `cited adopt`: drafts that came with lists of their own. Their pages are registered, and their numbers become
//! the ledger's, all at once.

use std::collections::BTreeSet;
use std::path::Path;

use cited::Error;
use cited::draft::Draft;
use cited::draft::own_list::{self, Own, OwnList};
use cited::draft::renumber::Numbers;
use cited::identity::Unknown;
use cited::journal::{self, Journal, Memory, Rewrite};
use cited::ledger::{Ledger, SourceId};
use cited::text::printable::one_line;

use super::renumber::{self, Given};
use super::session::{Session, today};
use super::{Done, Outcome, Terminal};
use crate::cli::AdoptArgs;

/// How sources that only a draft named are marked.
const VIA: &str = "draft";

pub fn run(args: AdoptArgs, session: &Session, terminal: &mut Terminal) -> Done {
    let store = session.store()?;
    let plan = if args.dry_run {
        renumber::mention(&store, terminal)?;
        plan(&mut store.read()?, &args, session)?
    } else {
        let locked = store.locked()?;
        let mut journal = Journal::open(&locked)?;
        renumber::settle(&mut journal, terminal)?;
        let mut ledger = store.read()?;
        let plan = plan(&mut ledger, &args, session)?;
        renumber::carry_out(&mut journal, "adopt", &ledger, &plan.rewrites, terminal)?;
        plan
    };
    plan.lines.iter().try_for_each(|line| terminal.line(line))?;
    plan.warnings.iter().try_for_each(|warning| terminal.warn(warning))?;
    if plan.lists_nothing {
        let names: Vec<_> = args.drafts.iter().map(|path| format!("`{}`", path.display())).collect();
        terminal.error(
            &format!("no numbered list of pages in {}", names.join(", ")),
            Some(
                "a list stands below a heading such as `## Sources`, an entry is `[1] https://example.org/page`; \
                 links in the text are registered with `cited add URL`",
            ),
        )?;
        return Ok(Outcome::No);
    }
    Ok(Outcome::Fine)
}

/// What is to be done and said.
#[derive(Default)]
struct Plan {
    rewrites: Vec<Rewrite>,
    lines: Vec<String>,
    warnings: Vec<String>,
    lists_nothing: bool,
    /// With several drafts each is named above its lines.
    names_drafts: bool,
}

/// A draft with what it says about its numbers.
struct Adoptee<'g> {
    given: &'g Given,
    draft: Draft<'g>,
    list: OwnList,
    /// It was adopted before and has been worked on: every page of its list that the ledger holds goes by the
    /// ledger's number there.
    is_at_home: bool,
}

impl Adoptee<'_> {
    /// Numbers that stand for no page.
    fn without_page(&self) -> BTreeSet<SourceId> {
        self.list.without_url.keys().chain(&self.list.unlisted).copied().collect()
    }
}

fn plan(ledger: &mut Ledger, args: &AdoptArgs, session: &Session) -> cited::Result<Plan> {
    let given = renumber::read_drafts(&args.drafts)?;
    let store = session.store()?;
    let mut plan = Plan { names_drafts: given.len() > 1, ..Plan::default() };
    let mut adoptees = Vec::new();
    for one in &given {
        match journal::memory(&store, &one.path, &one.text) {
            Memory::Rewritten => {
                plan.warnings.push(format!("`{}` has this ledger's ids already", one.path.display()));
            }
            memory => adoptees.push(read(one, memory, ledger, session)?),
        }
    }
    let taken = adoptees.iter().flat_map(Adoptee::without_page).collect();
    let maps: Vec<Numbers> = adoptees.iter().map(|one| register(&one.list.pages, &taken, ledger)).collect();
    for (adoptee, numbers) in adoptees.iter().zip(maps) {
        plan.rewrite(adoptee, numbers, ledger, session)?;
    }
    let lists = adoptees.iter().any(|one| !one.list.pages.is_empty());
    plan.lists_nothing = !lists && adoptees.len() == given.len();
    Ok(plan)
}

fn read<'g>(
    given: &'g Given,
    memory: Memory,
    ledger: &Ledger,
    session: &Session,
) -> cited::Result<Adoptee<'g>> {
    let project = session.project()?;
    let draft = Draft::parse(&given.text, &project.draft, &Unknown);
    let list = own_list::read(&draft, &project.identity).map_err(|conflict| {
        let (first, second) = (one_line(&conflict.first), one_line(&conflict.second));
        Error::no(format!(
            "`{}` gives [{}] to two pages: `{first}` and `{second}`",
            given.path.display(),
            conflict.id
        ))
        .with_help("give each page a number of its own, in the list and where it is cited")
    })?;
    let held = |page: &Own| Some((page.id?, ledger.find(&page.locator, &page.url)?.id));
    let is_at_home =
        memory == Memory::Changed && list.pages.iter().filter_map(held).all(|(own, id)| own == id);
    Ok(Adoptee { given, draft, list, is_at_home })
}

/// Registers the pages; what their numbers become. Numbers without a page are `taken`: no page gets them.
fn register(pages: &[Own], taken: &BTreeSet<SourceId>, ledger: &mut Ledger) -> Numbers {
    let day = today();
    let mut numbers = Numbers::new();
    for page in pages {
        if ledger.find(&page.locator, &page.url).is_none() {
            ledger.pass_over(taken);
        }
        let id = ledger.add(&page.locator, &page.url, &page.title, &day, Some(VIA)).id;
        numbers.extend(page.id.map(|own| (own, id)));
    }
    numbers
}

impl Plan {
    /// Gives a draft the ledger's numbers.
    fn rewrite(
        &mut self,
        adoptee: &Adoptee,
        mut numbers: Numbers,
        ledger: &mut Ledger,
        session: &Session,
    ) -> cited::Result<()> {
        let path = &adoptee.given.path;
        if self.names_drafts {
            self.lines.push(format!("{}:", path.display()));
        }
        self.lines.extend(numbers.iter().map(|(own, id)| {
            let url = ledger.get(*id).map_or("", |source| &source.url);
            format!("[{own}] -> [{id}] {url}")
        }));
        // Where the listed numbers are the ledger's already, so are those that the list lacks.
        let aside = match adoptee.is_at_home || numbers.iter().all(|(own, id)| own == id) {
            true => Vec::new(),
            false => renumber::set_aside(&adoptee.without_page(), ledger, &mut numbers),
        };
        self.warn(path, &adoptee.list, &aside);
        let reading = &session.project()?.draft;
        self.rewrites.extend(renumber::rewrite(adoptee.given, &adoptee.draft, numbers, ledger, reading)?);
        Ok(())
    }

    fn warn(&mut self, path: &Path, list: &OwnList, aside: &[(SourceId, SourceId)]) {
        let path = path.display();
        for (id, says) in &list.without_url {
            let says = one_line(says);
            self.warnings.push(format!("`{path}`: [{id}] has no URL and is left alone: `{says}`"));
        }
        let unlisted: Vec<String> = list.unlisted.iter().take(12).map(|id| format!("[{id}]")).collect();
        if !unlisted.is_empty() {
            let unlisted = unlisted.join(", ");
            self.warnings
                .push(format!("`{path}`: cited but not listed, and left without a page: {unlisted}"));
        }
        for (id, aside) in aside {
            self.warnings.push(format!(
                "`{path}`: [{id}] is another page in the ledger, so it is [{aside}] now, which is none"
            ));
        }
    }
}
