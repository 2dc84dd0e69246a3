//! Numbers that are one sign or raised: `①`, `❷`, `⑶`, `⒋`, `¹²`. Read only where an entry of a list begins.

/// Runs of signs for numbers: the first, the last and what the first stands for.
const SIGNS: &[(char, char, u32)] = &[
    ('①', '⑳', 1),
    ('⑴', '⒇', 1),
    ('⒈', '⒛', 1),
    ('⓫', '⓴', 11),
    ('⓵', '⓾', 1),
    ('❶', '❿', 1),
    ('➀', '➉', 1),
    ('➊', '➓', 1),
    ('㉑', '㉟', 21),
    ('㊱', '㊿', 36),
];

const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// The number at the start of `text`, with its length in bytes.
pub(super) fn leading(text: &str) -> Option<(u32, usize)> {
    let first = text.chars().next()?;
    if let Some((from, _, value)) = SIGNS.iter().find(|(from, to, _)| (*from..=*to).contains(&first)) {
        return Some((value + (first as u32 - *from as u32), first.len_utf8()));
    }
    let (mut number, mut length) = (0, 0);
    for c in text.chars().take(9) {
        let Some(digit) = RAISED.iter().zip(0..).find(|(raised, _)| **raised == c) else { break };
        number = number * 10 + digit.1;
        length += c.len_utf8();
    }
    (length > 0).then_some((number, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_raised_digits_have_their_value() {
        for (text, number) in [
            ("①", 1),
            ("⑳x", 20),
            ("⑶", 3),
            ("⒋", 4),
            ("❿", 10),
            ("⓫", 11),
            ("㉑", 21),
            ("㊿", 50),
            ("¹²", 12),
        ] {
            assert_eq!(leading(text).map(|found| found.0), Some(number), "{text}");
        }
        assert_eq!(leading("1"), None);
        assert_eq!(leading("一"), None);
    }
}
