//! Reading a draft from arbitrary bytes: it ends, and every span lies in the text. Under `cargo fuzz` the bytes are
//! the fuzzer's; as an ordinary program it takes files, such as those that `cargo fuzz` left in `artifacts`.

#![cfg_attr(fuzzing, no_main)]

use cited::draft::rewrite::{Opening, replace_blocks};
use cited::draft::{Draft, Options, Span};
use cited::identity::{self, Key, Register, SourceId};

/// One page.
struct One(Option<Key>);

impl Register for One {
    fn key_of(&self, id: SourceId) -> Option<&Key> {
        self.0.as_ref().filter(|_| id == SourceId(1))
    }

    fn id_of(&self, url: &str) -> Option<SourceId> {
        let key = identity::locate(url, &identity::Options::default()).ok()?.key;
        (Some(&key) == self.0.as_ref()).then_some(SourceId(1))
    }
}

fn read(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let locator = identity::locate("https://a.example/1", &identity::Options::default());
    let register = One(locator.ok().map(|locator| locator.key));
    let draft = Draft::parse(&text, &Options::default(), &register);
    check(&draft);
    let rewritten = replace_blocks(&draft, "[1] https://a.example/1\n", Opening::Heading);
    check(&Draft::parse(&rewritten, &Options::default(), &register));
}

fn check(draft: &Draft<'_>) {
    let fits = |span: &Span| assert!(draft.text.get(span.clone()).is_some(), "{span:?}");
    draft.citations.iter().for_each(|citation| fits(&citation.span));
    draft.markers.iter().for_each(|marker| fits(&marker.span));
    draft.sentences.iter().for_each(|sentence| fits(&sentence.span));
    for block in &draft.blocks {
        fits(&block.span);
        block.entries.iter().for_each(|entry| fits(&entry.span));
    }
    draft.unclosed_fences.iter().for_each(fits);
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| read(bytes));

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    for path in std::env::args_os().skip(1) {
        read(&std::fs::read(&path)?);
        println!("{}: read", path.display());
    }
    Ok(())
}
