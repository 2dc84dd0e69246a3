//! Figures in a text: where a number begins and ends together with what belongs to it. In: characters. Out:
//! ranges of them. What a figure is worth is not known here.
//!
//! A figure is digits of any script (or Chinese numerals) joined by one of `. , ' ’ · : / -` or by one space
//! before exactly three digits, with its sign, comparison, currency (and percent sign: `%15` in Turkish) before it,
//! and its percent sign, exponent, power and glued unit after it.

use std::ops::Range;

use super::fold::WALL;
use super::words::is_unspaced;

/// Every figure of `text`, in order.
pub fn figures(text: &[char]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if !begins(text, at) {
            at += 1;
            continue;
        }
        let floor = found.last().map_or(0, |last| last.end);
        let start = with_prefix(text, at, floor);
        let end = with_suffix(text, core_end(text, at));
        found.push(start..end);
        at = end;
    }
    found
}

/// A digit of any script, also raised, lowered or a fraction, or a Chinese numeral.
pub fn is_digit(c: char) -> bool {
    c.is_numeric() || is_chinese_numeral(c)
}

/// Currency signs.
pub fn is_currency(c: char) -> bool {
    matches!(c, '$' | '¢'..='¥' | '\u{20a0}'..='\u{20cf}' | '＄' | '￠' | '￡' | '￥' | '￦')
}

/// Signs, comparisons and approximations that stand before a figure.
pub fn is_sign(c: char) -> bool {
    is_minus(c) || is_comparison(c) || matches!(c, '+' | '＋')
}

fn is_chinese_numeral(c: char) -> bool {
    matches!(
        c,
        '〇' | '零'
            | '一'
            | '二'
            | '三'
            | '四'
            | '五'
            | '六'
            | '七'
            | '八'
            | '九'
            | '十'
            | '百'
            | '千'
            | '万'
            | '亿'
            | '兆'
            | '两'
            | '兩'
            | '廿'
            | '卅'
            | '萬'
            | '億'
            | '⼀'
            | '⼆'
            | '⼋'
            | '⼗'
    )
}

fn is_minus(c: char) -> bool {
    matches!(c, '-' | '−' | '–' | '\u{2010}' | '\u{2011}' | '﹣' | '－')
}

fn is_comparison(c: char) -> bool {
    matches!(
        c,
        '~' | '∼'
            | '～'
            | '≈'
            | '≃'
            | '≅'
            | '<'
            | '>'
            | '≤'
            | '≥'
            | '≦'
            | '≧'
            | '⩽'
            | '⩾'
            | '±'
            | '∓'
            | '＜'
            | '＞'
    )
}

fn is_joiner(c: char) -> bool {
    is_minus(c)
        || matches!(
            c,
            '.' | ','
                | '\''
                | '’'
                | '·'
                | '⋅'
                | ':'
                | '/'
                | '⁄'
                | '~'
                | '～'
                | '٫'
                | '٬'
                | '，'
                | '．'
                | '：'
                | '／'
        )
}

/// White space that may stand inside a figure: one character, not the end of a block or a wide gap.
fn is_thin(c: char) -> bool {
    c.is_whitespace() && c != '\t' && c != '\u{2029}'
}

fn get(text: &[char], at: usize) -> char {
    text.get(at).copied().unwrap_or('\0')
}

fn digit_at(text: &[char], at: usize) -> bool {
    is_digit(get(text, at))
}

fn begins(text: &[char], at: usize) -> bool {
    let bare_point = || {
        let before = at.checked_sub(1).map_or(' ', |before| text[before]);
        text[at] == '.' && digit_at(text, at + 1) && !before.is_alphanumeric() && before != '.'
    };
    is_digit(text[at]) || bare_point()
}

/// End of the digits that start at `at`, with what joins them.
fn core_end(text: &[char], mut at: usize) -> usize {
    at += usize::from(text[at] == '.');
    loop {
        while digit_at(text, at) {
            at += 1;
        }
        let Some(next) = joined(text, at) else { return at };
        at = next;
    }
}

/// Where the figure goes on after the digits that end at `at`.
fn joined(text: &[char], at: usize) -> Option<usize> {
    let c = get(text, at);
    if c == WALL {
        return Some(at + 1);
    }
    if c == '分' && get(text, at + 1) == '之' && digit_at(text, at + 2) {
        return Some(at + 2);
    }
    let stars = (at..at + 2).take_while(|at| get(text, *at) == '*').count();
    if stars > 0 && digit_at(text, at + stars) {
        return Some(at + stars);
    }
    let sign = at + usize::from(is_thin(c));
    if get(text, sign) == '±' {
        let next = sign + 1 + usize::from(is_thin(get(text, sign + 1)));
        return digit_at(text, next).then_some(next);
    }
    if is_joiner(c) && digit_at(text, at + 1) {
        return Some(at + 1);
    }
    if is_minus(c) && get(text, at + 1) == '\n' && digit_at(text, at + 2) {
        return Some(at + 2);
    }
    let three = || (1..=3).all(|n| get(text, at + n).is_ascii_digit() || get(text, at + n).is_numeric());
    if is_thin(c) && three() && !digit_at(text, at + 4) {
        return Some(at + 1);
    }
    let fraction = matches!(get(text, at + 1), '¼'..='¾' | '⅐'..='⅞');
    (is_thin(c) && fraction).then_some(at + 1)
}

/// Start of what belongs to the figure before its first digit.
fn with_prefix(text: &[char], first: usize, floor: usize) -> usize {
    let mut start = first;
    while start > floor {
        let c = text[start - 1];
        let spaced = is_thin(c) && c != '\n' && start - 1 > floor && {
            let before = text[start - 2];
            (is_comparison(before) && before != '~') || is_currency(before) || is_percent(before)
        };
        let hyphen = is_minus(c) && start >= 2 && text[start - 2].is_alphanumeric();
        match c {
            _ if spaced => start -= 2,
            c if (is_sign(c) || is_currency(c) || is_percent(c)) && !hyphen => start -= 1,
            _ => break,
        }
    }
    start
}

/// End of what belongs to the figure whose digits end at `at`.
fn with_suffix(text: &[char], mut at: usize) -> usize {
    at = exponent_end(text, at).unwrap_or(at);
    let glued = glued_end(text, at);
    if glued > at {
        return glued;
    }
    let spaced = usize::from(is_thin(get(text, at)) && get(text, at) != '\n');
    let c = get(text, at + spaced);
    if is_percent(c) || (is_currency(c) && !digit_at(text, at + spaced + 1)) {
        return at + spaced + 1;
    }
    if get(text, at) == '+' {
        return at + 1;
    }
    at
}

/// `e-3`, `^2`, ` × 10`: end of a power that follows the digits.
fn exponent_end(text: &[char], at: usize) -> Option<usize> {
    let c = get(text, at);
    let signed = |at: usize| at + usize::from(matches!(get(text, at), '-' | '+' | '−' | '('));
    let from = match c {
        'e' | 'E' | '^' if digit_at(text, signed(at + 1)) => signed(at + 1),
        '^' => return Some(at + 1),
        _ => {
            let sign = at + usize::from(is_thin(c));
            let ten = sign + 1 + usize::from(is_thin(get(text, sign + 1)));
            let times = match get(text, sign) {
                '×' | '⋅' => true,
                'x' | 'X' | '*' | '·' => is_raised(get(text, ten + 2)),
                _ => false,
            };
            let power = times && get(text, ten) == '1' && get(text, ten + 1) == '0';
            if !power {
                return None;
            }
            ten
        }
    };
    Some(with_suffix_of_power(text, core_end(text, from)))
}

/// Something is raised here, which makes a power of the `10` before.
fn is_raised(c: char) -> bool {
    matches!(c, '^' | '⁻' | '⁺' | '²' | '³' | '¹' | '⁰' | '⁴'..='⁹' | WALL)
}

fn with_suffix_of_power(text: &[char], at: usize) -> usize {
    let raised = if get(text, at) == '^' { at + 1 + usize::from(is_minus(get(text, at + 1))) } else { at };
    if digit_at(text, raised) { core_end(text, raised) } else { at }
}

/// End of a unit written without a space: `mg`, `mg/kg`, `m²`.
fn glued_end(text: &[char], mut at: usize) -> usize {
    let unit = |c: char| (c.is_alphanumeric() && !is_unspaced(c)) || c == '°' || c == 'µ';
    loop {
        while unit(get(text, at)) {
            at += 1;
        }
        let ratio = get(text, at) == '/' && at > 0 && text[at - 1].is_alphabetic() && unit(get(text, at + 1));
        if !ratio {
            return at;
        }
        at += 1;
    }
}

fn is_percent(c: char) -> bool {
    matches!(c, '%' | '‰' | '‱' | '°' | '℃' | '℉' | '％' | '٪')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let chars: Vec<char> = text.chars().collect();
        figures(&chars).into_iter().map(|range| chars[range].iter().collect()).collect()
    }

    #[test]
    fn a_figure_is_whole() {
        for figure in [
            "3.14",
            "1,500",
            "1 500",
            "1\u{202f}500",
            "2019-05-12",
            "10:30",
            "1/2",
            "1½",
            "1 ½",
            "-5",
            "−5",
            "~5",
            "≤ 5",
            "$5",
            "€ 5",
            "5 €",
            "15%",
            "9 %",
            "5e-3",
            "10²",
            "2^10",
            "3 × 10⁸",
            "3 x 10^8",
            "%15",
            "15mg",
            "5mg/kg",
            ".5",
            "三十五万",
            "5万",
            "百分之五",
            "２０",
            "٣٫٥",
            "1’000",
            "50+",
        ] {
            assert_eq!(found(&format!("so {figure} it")), [figure], "{figure}");
        }
    }

    #[test]
    fn neighbours_are_not_drawn_in() {
        assert_eq!(found("in 2010, 500 people"), ["2010", "500"]);
        assert_eq!(found("a 5 mg dose"), ["5"]);
        assert_eq!(found("water—5 of"), ["5"]);
        assert_eq!(found("第5章"), ["5"]);
        assert_eq!(found("in 2010. Then 20"), ["2010", "20"]);
        assert_eq!(found("rooms 12 and 1 5000"), ["12", "1", "5000"]);
    }
}
