//! Cutting text at a byte that may fall inside a character.

/// The last character boundary of `text` at or before byte `at`.
pub fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
