//! Pages made to hurt: deep, crossed, unclosed and repeated markup. Each is read and searched in a moment.

use cited::evidence::{CannotCheck, Page, Reader};

const WORDS: &str = "Ice floats on water. ";

fn search(page: String, reader: Option<Reader>) {
    match Page::read(page.into_bytes(), reader) {
        Ok(page) => {
            page.find("Ice sinks in the cold water of the sea");
            page.find("Ice floats on water");
        }
        Err(cause) => assert_eq!(cause, CannotCheck::Empty),
    }
}

#[test]
fn deep_and_repeated_markup_costs_no_more_than_its_bytes() {
    let count = 30_000;
    for unit in [
        "<div>",
        "<b>",
        "</b>",
        "<table><tr><td>",
        "<sup>",
        "<sup>2",
        "<p hidden>",
        "<!--",
        "<a",
        "<a href='",
        "&",
        "&amp;",
        "<svg><title>",
        "> ",
        "- ",
        "* ",
        "*a ",
        "**",
        "_a_",
        "~~a",
        "`",
        "``a`",
        "[",
        "[a](",
        "[a][",
        "![",
        "](",
        "<",
        "\\",
        "|a",
        "#",
        "1. ",
        "[3]",
        "a-\n",
        "ice-\nfloats ",
        "floats[3] ",
        "Ice floats ",
        "- floats — ",
        "[^1]: ",
        "[a]: b\n",
        "\n\n",
        "\t",
        "é",
        "e\u{301}",
        "\u{301}",
        "冰\n",
        "…",
        "1,",
        "1 000 ",
    ] {
        let page = format!("{WORDS}\n\n{}\n\n{WORDS}", unit.repeat(count));
        search(page.clone(), None);
        search(page, Some(Reader::Html));
    }
}

#[test]
fn a_quote_may_be_hostile_too() {
    let page = Page::read(WORDS.repeat(200).into_bytes(), None).unwrap();
    for unit in ["[", "*", "ice ", "ice floats ", "—", "\u{301}", "&amp;", "<b>", "ice-", "冰", "> ", "1,"]
    {
        page.find(&unit.repeat(20_000));
    }
}

#[test]
fn wide_and_binary_pages_are_told_apart() {
    let wide: Vec<u8> = "Ice floats on water.".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(Page::read(wide, None).unwrap().find("Ice floats on water").found().is_some());
    assert_eq!(Page::read(b"\x7fELF\0\0\x01\0\0".to_vec(), None).unwrap_err(), CannotCheck::Binary);
    assert_eq!(Page::read(Vec::new(), None).unwrap_err(), CannotCheck::Empty);
    assert!(matches!(
        Page::read(vec![b'a'; (64 << 20) + 1], Some(Reader::Html)),
        Err(CannotCheck::TooLarge { .. })
    ));
}
