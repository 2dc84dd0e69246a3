//! HTML to the text that a reader sees. In: the source. Out: text in which a blank line ends a block, a line
//! feed is a line break, a tab ends a cell, and what no match may cross is a character that no page holds
//! ([`WALL`](crate::text::fold::WALL) and its fellows). Spans of an HTML page point into this text, and it is what
//! the snapshot keeps: a source has no byte for a word that entities and scripts made.
//!
//! The tokens are a tokenizer's, after the WHATWG standard; no tree is built, so depth and size cost no more
//! than their bytes. Style sheets are not evaluated.

mod elements;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, State, Tokenizer};

use elements::Walker;

/// The visible text of `html`.
pub fn visible_text(html: &str) -> String {
    let mut walker = Walker::new(is_xml(html));
    let mut tag: Option<Tag> = None;
    let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| -> Option<EmptyElement> {
        match event {
            CallbackEvent::OpenStartTag { name } => tag = Some(Tag { name: name.to_vec(), ..Tag::default() }),
            CallbackEvent::AttributeName { name } => {
                if let Some(tag) = &mut tag {
                    tag.attribute(name);
                }
            }
            CallbackEvent::AttributeValue { value } => {
                if let Some(tag) = &mut tag {
                    tag.value(value);
                }
            }
            CallbackEvent::CloseStartTag { self_closing } => {
                if let Some(tag) = tag.take() {
                    return walker.open(&Tag { self_closing, ..tag });
                }
            }
            CallbackEvent::EndTag { name } => walker.close(name),
            CallbackEvent::String { value } => walker.text(&String::from_utf8_lossy(value)),
            CallbackEvent::Comment { .. } | CallbackEvent::Doctype { .. } | CallbackEvent::Error(_) => {}
        }
        None
    });
    emitter.naively_switch_states(true);
    let mut tokens = Tokenizer::new_with_emitter(html, emitter);
    // Reading from memory does not fail, and all else is taken by the callback. The tokenizer takes `<title/>` for the
    // beginning of a title, whose text would be the rest of the page.
    while tokens.next().is_some() {
        tokens.set_state(State::Data);
    }
    drop(tokens);
    walker.finish()
}

/// An element that ends with its start tag was read.
pub(super) struct EmptyElement;

/// The page says that it is XML, where `<title/>` is a whole element.
fn is_xml(html: &str) -> bool {
    html.trim_start_matches(|c: char| c == '\u{feff}' || c.is_ascii_whitespace()).starts_with("<?xml")
}

/// A start tag, with what its attributes say about being seen.
#[derive(Debug, Default)]
pub(super) struct Tag {
    /// Lower-case name.
    pub(super) name: Vec<u8>,
    /// `hidden`, or a style that says so.
    pub(super) hidden: bool,
    /// A style strikes it out.
    pub(super) struck: bool,
    /// It ends in `/>`, which counts in drawings, formulas and XML.
    pub(super) self_closing: bool,
    /// A dialog that stands open.
    pub(super) open: bool,
    /// It stands above (`true`) or below the line.
    pub(super) raised: Option<bool>,
    styled: bool,
}

impl Tag {
    fn attribute(&mut self, name: &[u8]) {
        self.styled = name == b"style";
        self.hidden |= name == b"hidden";
        self.open |= name == b"open";
    }

    fn value(&mut self, value: &[u8]) {
        if !std::mem::take(&mut self.styled) {
            return;
        }
        for rule in rules(&String::from_utf8_lossy(value)).split(';') {
            let rule = rule.trim_end_matches("!important");
            self.hidden |= matches!(rule, "display:none" | "visibility:hidden" | "visibility:collapse");
            self.struck |= rule.starts_with("text-decoration") && rule.contains("line-through");
            self.raised = match rule {
                "vertical-align:super" | "font-variant-position:super" => Some(true),
                "vertical-align:sub" | "font-variant-position:sub" => Some(false),
                _ => self.raised,
            };
        }
    }
}

/// The rules of an inline style, without white space and comments.
fn rules(style: &str) -> String {
    let mut plain = String::new();
    let mut rest = style;
    while let Some((before, comment)) = rest.split_once("/*") {
        plain.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    plain.retain(|c| !c.is_whitespace());
    plain.make_ascii_lowercase();
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_seen_is_text() {
        for (html, text) in [
            ("<p>Ice <b>floats</b> on\n water</p>", "Ice floats on water"),
            ("<head><title>No</title></head><body>Ice", "Ice"),
            ("<title>No</title><p>Ice", "Ice"),
            ("<script>no</script><style>no</style><template>no</template><noscript>no</noscript>Ice", "Ice"),
            ("<p hidden>no<p>Ice", "Ice"),
            ("<div style='color:red; display : none'>no <p>no</p></div>Ice", "Ice"),
            ("<i style=visibility:hidden>no</i>Ice", "Ice"),
            ("<span style='display:/**/none'>no</span>Ice", "Ice"),
            ("<div hidden><table><tr><td></div>no</td></tr></table></div>Ice", "Ice"),
            ("<details><summary>Ice</summary>floats</details>", "Ice\n\nfloats"),
            ("<i aria-hidden=true>Ice</i>", "Ice"),
            ("Research &amp; Dev&#39;t&nbsp;&lt;5", "Research & Dev't\u{a0}<5"),
            ("Ice<br>floats<!-- no -->!", "Ice\nfloats!"),
            ("<ul><li>Ice<li>Water</ul>", "Ice\n\nWater"),
            ("<table><tr><td>Ice<td>9</tr><tr><td>Snow</table>", "Ice\t9\n\nSnow"),
            ("<pre>let a\n  = 1;</pre>", "let a\n  = 1;"),
            ("Is <del>not</del> safe", "Is \u{fdd3} safe"),
            ("Is <b style='text-decoration: red line-through'>not</b> safe", "Is \u{fdd3} safe"),
            ("10<sup>2</sup> m", "10\u{fdd0}2\u{fdd0} m"),
            ("<math><msup><mn>10</mn><mn>2</mn></msup></math> m", "\u{fdd0}10\u{fdd0}2\u{fdd0} m"),
            ("<math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> m", "\u{fdd0}1\u{fdd0}2\u{fdd0} m"),
            ("<ruby>漢<rt>かん<rb>字<rp>(</rp><rt>じ</rt></ruby>は", "漢字は"),
            ("<svg hidden/><svg><path hidden/></svg>Ice", "Ice"),
            ("<svg><title/><style/><script/></svg>Ice", "Ice"),
            ("<svg><title>no</title><style>no</style></svg>Ice", "Ice"),
            ("<?xml version='1.0'?><html><head><title/><script src='a'/></head><body><a id='x'/>Ice", "Ice"),
            ("\n<?xml version='1.0'?><html><title>no</title><p hidden='hidden'/><del/>Ice", "Ice"),
            ("<html><head><script/>no</script></head>Ice<p hidden/>no", "Ice"),
            ("10<span style='vertical-align: super'>2</span> m", "10\u{fdd0}2\u{fdd0} m"),
            ("10<i style='font-size:70%;vertical-align:sub!important'>2</i> m", "10\u{fdd0}2\u{fdd0} m"),
            ("H<i style='vertical-align:sub'>2</i>O", "H2O"),
            ("10<sup style='vertical-align:super'>2</sup> m", "10\u{fdd0}2\u{fdd0} m"),
            ("10<b style='vertical-align:top'>2</b> m", "102 m"),
            ("le 1<sup>er</sup> mai", "le 1er mai"),
            ("H<sub>2</sub>O", "H2O"),
            ("ice<sup><a href=#3>[3]</a></sup> is", "ice\u{fdd1}[3]\u{fdd2} is"),
            ("ice<sup>[not]</sup> is", "ice[not] is"),
            ("ice<sup><a href=#3>3</a></sup> is", "ice\u{fdd1}3\u{fdd2} is"),
            ("a\u{fdd0}b", "a\u{fffd}b"),
            ("</div></p>Ice</b>", "Ice"),
        ] {
            assert_eq!(visible_text(html), text, "{html}");
        }
    }

    #[test]
    fn depth_and_attributes_cost_no_more_than_their_bytes() {
        let deep = format!("{}Ice{}", "<div><b>".repeat(30_000), "</b></div>".repeat(30_000));
        assert_eq!(visible_text(&deep), "Ice");
        let crossed = format!("{}{}Ice", "<i>".repeat(50_000), "</u></i>".repeat(50_000));
        assert_eq!(visible_text(&crossed), "Ice");
        let many: String = (0..50_000).map(|n| format!(" a{n}=1")).collect();
        assert_eq!(visible_text(&format!("<p{many}>Ice")), "Ice");
        assert_eq!(visible_text(&"<sup>".repeat(50_000)), "");
        let unclosed = format!("<div hidden>{}no</div>Ice", "<span>".repeat(30_000));
        assert_eq!(visible_text(&unclosed), "Ice");
    }
}
