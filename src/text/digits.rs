//! Decimal digits of every script, read to their value. Not here: Roman, Han and other numerals that are no
//! positional digits.

/// The zeros of the decimal digit sets of Unicode (general category Nd); the nine code points after each are 1 to 9.
const ZEROS: [u32; 64] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50,
    0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40,
    0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x11066,
    0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950,
    0x11c50, 0x11d50, 0x11da0, 0x11f50, 0x16a60, 0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec,
    0x1d7f6, 0x1e950,
];

/// The value of a decimal digit, 0 to 9.
pub fn value(c: char) -> Option<u32> {
    if c.is_ascii() {
        return c.to_digit(10);
    }
    let code = c as u32;
    let set = ZEROS.partition_point(|zero| *zero <= code).checked_sub(1)?;
    let value = code - ZEROS[set];
    (value < 10).then_some(value)
}

/// The number at the start of `text`, with its length in bytes; `None` without a digit or above nine digits.
pub fn leading_number(text: &str) -> Option<(u32, usize)> {
    let (mut number, mut length, mut digits) = (0u32, 0, 0);
    for c in text.chars() {
        let Some(digit) = value(c) else { break };
        digits += 1;
        if digits > 9 {
            return None;
        }
        number = number * 10 + digit;
        length += c.len_utf8();
    }
    (digits > 0).then_some((number, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_any_script_have_their_value() {
        for (text, number) in [("12]", 12), ("٩]", 9), ("１２", 12), ("१४", 14), ("𝟏𝟮", 12), ("007", 7)]
        {
            assert_eq!(leading_number(text).map(|found| found.0), Some(number), "{text}");
        }
    }

    #[test]
    fn ten_digits_are_no_id() {
        assert_eq!(leading_number("1234567890"), None);
        assert_eq!(leading_number("123456789"), Some((123_456_789, 9)));
        assert_eq!(leading_number("²"), None);
        assert_eq!(leading_number("五"), None);
    }

    #[test]
    fn every_set_holds_ten_numeric_characters() {
        for zero in ZEROS {
            let set: Vec<char> = (zero..zero + 10).filter_map(char::from_u32).collect();
            assert!(set.iter().all(|c| c.is_numeric()), "{zero:x}");
        }
    }
}
