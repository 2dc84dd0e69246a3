//! HTML to the text that a reader sees. In: the source. Out: text in which a blank line ends a block, a line
//! feed is a line break, a tab ends a cell, and what no match may cross is a character that no page holds
//! ([`WALL`](crate::text::fold::WALL) and its fellows). Spans of an HTML page point into this text, and it is what
//! the snapshot keeps: a source has no byte for a word that entities and scripts made.
//!
//! The tokens are a tokenizer's, after the WHATWG standard; no tree is built, so depth and size cost no more
//! than their bytes. Style sheets are not evaluated.

mod elements;

use std::convert::Infallible;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

use elements::Walker;

/// The visible text of `html`.
pub fn visible_text(html: &str) -> String {
    let mut walker = Walker::default();
    let mut tag: Option<Tag> = None;
    let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| -> Option<Infallible> {
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
                    walker.open(&Tag { self_closing, ..tag });
                }
            }
            CallbackEvent::EndTag { name } => walker.close(name),
            CallbackEvent::String { value } => walker.text(&String::from_utf8_lossy(value)),
            CallbackEvent::Comment { .. } | CallbackEvent::Doctype { .. } | CallbackEvent::Error(_) => {}
        }
        None
    });
    emitter.naively_switch_states(true);
    // Reading from memory does not fail, and nothing is yielded: the callback takes it all.
    Tokenizer::new_with_emitter(html, emitter).for_each(drop);
    walker.finish()
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
    /// It ends in `/>`, which counts in drawings and formulas.
    pub(super) self_closing: bool,
    /// A dialog that stands open.
    pub(super) open: bool,
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
