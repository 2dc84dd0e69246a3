//! Passages in quotation marks: „…“, “…”, "…", «…», ‹…›, 「…」, 『…』, 〝…〞 and ‘…’. Straight
//! single marks are none: most of them are apostrophes. In: the text of a sentence. Out: what
//! stands between outermost marks, in order. Whether somebody said it is not known here.

use std::ops::Range;

/// What stands between the quotation marks of `text`, marks and white space at the ends left out.
pub fn quotations(text: &str) -> Vec<Range<usize>> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        match closing(&chars, at) {
            Some(end) => {
                let inner = chars[at].0 + chars[at].1.len_utf8()..chars[end].0;
                found.extend(trimmed(text, inner));
                at = end + 1;
            }
            None => at += 1,
        }
    }
    found
}

/// The longest quotation that is looked for, in characters.
const LONGEST: usize = 1_000;

/// How many marks of one kind may open inside a quotation.
const DEPTH: usize = 4;

/// Where the passage that opens at character `at` closes.
fn closing(chars: &[(usize, char)], at: usize) -> Option<usize> {
    let open = chars[at].1;
    let closers = closers_of(open)?;
    let before = at.checked_sub(1).map_or(' ', |at| chars[at].1);
    let behind = chars.get(at + 1).map_or(' ', |(_, c)| *c);
    let either = matches!(open, '"' | '‘' | '”' | '»' | '›');
    if either && (before.is_alphanumeric() || behind.is_whitespace()) {
        return None;
    }
    let mut depth = 0usize;
    for end in at + 1..chars.len().min(at + LONGEST) {
        let c = chars[end].1;
        let next = chars.get(end + 1).map_or(' ', |(_, c)| *c);
        let closes = closers.contains(c) && !(matches!(c, '’' | '"') && next.is_alphanumeric());
        if closes && depth == 0 {
            return Some(end);
        }
        if closes {
            depth -= 1;
        } else if c == open && open != '"' {
            depth += 1;
        }
        if depth > DEPTH {
            return None;
        }
    }
    None
}

/// What closes a passage that `open` opens.
fn closers_of(open: char) -> Option<&'static str> {
    Some(match open {
        '"' => "\"",
        '“' => "”",
        '„' => "“”",
        '”' => "”",
        '«' => "»",
        '»' => "«",
        '‹' => "›",
        '›' => "‹",
        '「' => "」",
        '『' => "』",
        '‘' => "’",
        '＂' => "＂",
        '〝' => "〞〟",
        '｢' => "｣",
        _ => return None,
    })
}

fn trimmed(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let inner = text.get(range.clone())?;
    let start = range.start + (inner.len() - inner.trim_start().len());
    let end = range.start + inner.trim_end().len();
    (start < end).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        quotations(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn marks_of_every_kind_hold_a_quotation() {
        for text in [
            "it says “ice floats” here",
            "it says \"ice floats\" here",
            "es sagt „ice floats“ hier",
            "es sagt »ice floats« hier",
            "il dit « ice floats » ici",
            "「ice floats」と",
            "『ice floats』と",
            "｢ice floats｣と",
            "〝ice floats〟と",
            "it says ‘ice floats’ here",
            "han säger ”ice floats” här",
        ] {
            assert_eq!(found(text), ["ice floats"], "{text}");
        }
    }

    #[test]
    fn the_outermost_marks_count_and_apostrophes_do_not() {
        assert_eq!(found("“ice ‘really’ floats” and “it’s cold”"), ["ice ‘really’ floats", "it’s cold"]);
        assert_eq!(found("a 5\" pipe and a 6\" pipe, the dogs’ bowl, rock ’n’ roll"), Vec::<&str>::new());
        assert_eq!(found("“never closed"), Vec::<&str>::new());
        assert_eq!(found("„“ and \"\""), Vec::<&str>::new());
    }
}
