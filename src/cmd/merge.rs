//! `cited merge`: the sources of other ledgers with their quotes and page texts, and the drafts that were
//! written with them, in this ledger's ids.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cited::Error;
use cited::draft::{Citation, Draft, Target};
use cited::evidence::Snapshots;
use cited::evidence::snapshot::NotLoaded;
use cited::identity::Register;
use cited::journal::{self, Journal, Memory, Rewrite};
use cited::ledger::{Ledger, Merged, SourceId, Store};
use cited::register::snapshots_beside;

use super::renumber::{self, Given};
use super::session::Session;
use super::{Done, Outcome, Terminal};
use crate::cli::MergeArgs;

pub fn run(args: MergeArgs, session: &Session, terminal: &mut Terminal) -> Done {
    if args.others.len() > 1 && !args.rewrite.is_empty() {
        let message = "with several ledgers it is not told whose ids the drafts cite";
        return Err(Error::not_judged(message)
            .with_help("merge them one by one, each with its own drafts")
            .into());
    }
    let store = session.store()?;
    let others = args.others.iter().map(|path| other(path, &store)).collect::<cited::Result<Vec<_>>>()?;
    let plan = if args.dry_run {
        renumber::mention(&store, terminal)?;
        plan(&mut store.read()?, &others, &args, session)?
    } else {
        let locked = store.locked()?;
        let mut journal = Journal::open(&locked)?;
        renumber::settle(&mut journal, terminal)?;
        let mut ledger = store.read()?;
        let mut plan = plan(&mut ledger, &others, &args, session)?;
        others.iter().try_for_each(|other| plan.copy_snapshots(other, &session.snapshots()?))?;
        renumber::carry_out(&mut journal, "merge", &ledger, &plan.rewrites, terminal)?;
        plan
    };
    plan.lines.iter().try_for_each(|line| terminal.line(line))?;
    plan.warnings.iter().try_for_each(|warning| terminal.warn(warning))?;
    Ok(Outcome::Fine)
}

/// Another ledger.
struct Other<'a> {
    path: &'a Path,
    ledger: Ledger,
}

fn other<'a>(path: &'a Path, own: &Store) -> cited::Result<Other<'a>> {
    let real = fs::canonicalize(path).map_err(|error| Error::unreadable(path, &error))?;
    if fs::canonicalize(own.path()).is_ok_and(|own| is_same_file(&own, &real)) {
        let message = format!("`{}` is this ledger itself", path.display());
        return Err(Error::not_judged(message).with_help("name another ledger, or this one with `--ledger`"));
    }
    Ok(Other { path, ledger: Store::new(path).read().map_err(of_the_other)? })
}

/// The way out of an unreadable ledger is to reset it, but that would be this one.
fn of_the_other(error: Error) -> Error {
    match error {
        Error::LedgerUnreadable { .. } => Error::no(error.to_string())
            .with_help("name a ledger that `cited` or the Python script wrote; this one is unchanged"),
        other => other,
    }
}

#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |path: &Path| fs::metadata(path).map(|about| (about.dev(), about.ino())).ok();
    one == other || place(one).is_some_and(|one| place(other) == Some(one))
}

#[cfg(not(unix))]
fn is_same_file(one: &Path, other: &Path) -> bool {
    one == other
}

/// What is to be done and said.
#[derive(Default)]
struct Plan {
    rewrites: Vec<Rewrite>,
    lines: Vec<String>,
    warnings: Vec<String>,
}

fn plan(ledger: &mut Ledger, others: &[Other], args: &MergeArgs, session: &Session) -> cited::Result<Plan> {
    let given = renumber::read_drafts(&args.rewrite)?;
    let reading = &session.project()?.draft;
    let mut plan = Plan::default();
    for other in others {
        let drafts: Vec<Draft> =
            given.iter().map(|one| Draft::parse(&one.text, reading, &other.ledger)).collect();
        let taken = drafts.iter().flat_map(|draft| unknown_to(&other.ledger, draft)).collect();
        let merged = ledger.merge(&other.ledger, &taken);
        if others.len() > 1 {
            plan.lines.push(format!("{}:", other.path.display()));
        }
        plan.say(&merged, ledger);
        for (one, draft) in given.iter().zip(&drafts) {
            plan.rewrite(one, draft, other, &merged, ledger, session)?;
        }
    }
    Ok(plan)
}

/// Numbers of a draft that `ledger` never issued.
fn unknown_to(ledger: &Ledger, draft: &Draft) -> BTreeSet<SourceId> {
    let narrow = draft.citations.iter().filter(|one| !matches!(one.target, Target::WideRange(..)));
    let listed = draft.blocks.iter().flat_map(|block| &block.entries).map(|entry| entry.id);
    narrow.flat_map(Citation::ids).chain(listed).filter(|id| ledger.get(*id).is_none()).collect()
}

/// Whose ids a draft's own list shows.
#[derive(PartialEq, Eq)]
enum Numbering {
    Unclear,
    Theirs,
    Ours,
    Both,
}

/// Tells by the pages that the draft lists: an id that stands for the listed page in one ledger only.
fn numbering(draft: &Draft, theirs: &Ledger, ours: &Ledger) -> Numbering {
    let (mut their, mut our) = (false, false);
    for entry in draft.blocks.iter().flat_map(|block| &block.entries) {
        let Some(url) = &entry.url else { continue };
        let is_ours = ours.id_of(&url.url) == Some(entry.id);
        let is_theirs = url.matches || theirs.id_of(&url.url) == Some(entry.id);
        their |= is_theirs && !is_ours;
        our |= is_ours && !is_theirs;
    }
    match (their, our) {
        (false, false) => Numbering::Unclear,
        (true, false) => Numbering::Theirs,
        (false, true) => Numbering::Ours,
        (true, true) => Numbering::Both,
    }
}

impl Plan {
    /// What each id of the other ledger is here.
    fn say(&mut self, merged: &Merged, ledger: &Ledger) {
        for one in &merged.moved {
            let url = ledger.get(one.to).map_or("", |source| &source.url);
            self.lines.push(format!("[{}] -> [{}] {url}", one.from, one.to));
        }
    }

    /// Gives a draft this ledger's ids, where it has the other's.
    fn rewrite(
        &mut self,
        given: &Given,
        draft: &Draft,
        other: &Other,
        merged: &Merged,
        ledger: &mut Ledger,
        session: &Session,
    ) -> cited::Result<()> {
        let path = given.path.display();
        if has_our_ids(given, draft, other, ledger, session)? {
            self.warnings.push(format!("`{path}` has this ledger's ids already"));
            return Ok(());
        }
        refuse_ambiguous(given, draft, other, merged)?;
        let mut numbers = merged.map();
        let aside = renumber::set_aside(&unknown_to(&other.ledger, draft), ledger, &mut numbers);
        self.warnings.extend(aside.iter().map(|(id, aside)| {
            format!(
                "`{path}`: [{id}] is not in `{}`; it is [{aside}] now, which is no source either",
                other.path.display()
            )
        }));
        let reading = &session.project()?.draft;
        self.rewrites.extend(renumber::rewrite(given, draft, numbers, ledger, reading)?);
        Ok(())
    }

    /// Page texts come along; one that is missing or does not fit its hash is said and left out.
    fn copy_snapshots(&mut self, other: &Other, own: &Snapshots) -> cited::Result<()> {
        let theirs = snapshots_beside(other.path);
        for digest in kept_digests(&other.ledger) {
            match theirs.load(digest) {
                Ok(text) => {
                    own.keep(&text).map_err(|error| Error::unwritable(own.folder(), error))?;
                }
                Err(NotLoaded::Broken(why) | NotLoaded::Missing(why)) => {
                    let digest: String = digest.chars().take(16).collect();
                    let path = other.path.display();
                    self.warnings.push(format!("`{path}`: page text {digest}… did not come along: {why}"));
                }
            }
        }
        Ok(())
    }
}

/// The draft goes by this ledger's ids already.
///
/// # Errors
/// It cannot be told, or the draft has ids of both.
fn has_our_ids(
    given: &Given,
    draft: &Draft,
    other: &Other,
    ours: &Ledger,
    session: &Session,
) -> cited::Result<bool> {
    let path = given.path.display();
    let memory = journal::memory(&session.store()?, &given.path, &given.text);
    let (message, help) = match (memory, numbering(draft, &other.ledger, ours)) {
        (Memory::Rewritten, _) | (_, Numbering::Ours) => return Ok(true),
        (_, Numbering::Both) => (
            format!("the list of `{path}` has ids of both ledgers"),
            "write it anew with the ledger that the draft belongs to: `cited --ledger PATH render --replace-in DRAFT`",
        ),
        (Memory::Changed, Numbering::Unclear) => (
            format!(
                "`{path}` got this ledger's ids before and has changed since, so its numbers may be either ledger's"
            ),
            "write its Sources block with the ledger that it belongs to: `cited --ledger PATH render --replace-in DRAFT`",
        ),
        _ => return Ok(false),
    };
    Err(Error::no(message).with_help(help))
}

/// Refuses a draft that cites an id which the other ledger holds for two pages.
fn refuse_ambiguous(given: &Given, draft: &Draft, other: &Other, merged: &Merged) -> cited::Result<()> {
    let cited = draft.cited();
    let Some(id) = merged.ambiguous().into_iter().find(|id| cited.contains(id)) else { return Ok(()) };
    let (path, ledger) = (given.path.display(), other.path.display());
    let message = format!("`{path}` cites [{id}], which `{ledger}` holds for two pages");
    Err(Error::no(message).with_help("give one of them another number there and in the draft"))
}

/// The digests of the page texts that a ledger says are kept.
fn kept_digests(ledger: &Ledger) -> BTreeSet<&str> {
    let anchors =
        ledger.sources().iter().flat_map(|source| &source.quotes).filter_map(|quote| quote.anchor.as_ref());
    let of_quotes = anchors.filter(|anchor| anchor.kept).map(|anchor| anchor.sha256.as_str());
    let snapshots = ledger.sources().iter().flat_map(|source| &source.snapshots);
    of_quotes.chain(snapshots.map(|snapshot| snapshot.sha256.as_str())).collect()
}
