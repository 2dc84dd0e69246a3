//! Bytes of a page to text. In: bytes, and whether they are HTML (which may name its encoding). Out: UTF-8, the
//! very bytes where they were, or why there is no text in them.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::verdict::CannotCheck;

/// Bytes of the beginning that are looked at.
const HEAD: usize = 1_024;
/// Bytes that are shown to the detector of encodings.
const SAMPLE: usize = 256 * 1_024;

/// The text of `bytes`.
///
/// # Errors
/// They are not text, or decode to nothing sensible.
pub fn decode(bytes: Vec<u8>, is_html: bool) -> Result<String, CannotCheck> {
    let wide = wide_encoding(&bytes);
    if wide.is_none() && bytes[..bytes.len().min(SAMPLE)].contains(&0) {
        return Err(CannotCheck::Binary);
    }
    let text = match wide {
        Some(encoding) => encoding.decode(&bytes).0.into_owned(),
        None if is_escaped_japanese(&bytes) => ISO_2022_JP.decode(&bytes).0.into_owned(),
        None => match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => decode_narrow(error.as_bytes(), is_html),
        },
    };
    if is_nonsense(&text) {
        return Err(CannotCheck::Undecodable);
    }
    Ok(text)
}

/// UTF-16, by its byte order mark or by where its zeros stand.
pub fn wide_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    match Encoding::for_bom(bytes) {
        Some((encoding, _)) if encoding != UTF_8 => return Some(encoding),
        Some(_) => return None,
        None => {}
    }
    let head = &bytes[..bytes.len().min(HEAD) & !1];
    let zeros = |from: usize| head.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    // Latin letters have a zero each. A page of Han has few, and some in the other half (U+4E00), but many high bytes.
    let high = head.iter().filter(|byte| !byte.is_ascii()).count();
    let least = if high > head.len() / 16 { 4.max(head.len() / 64) } else { head.len() / 5 + 1 };
    match () {
        () if head.len() < 4 => None,
        () if odd >= least && odd > 4 * even => Some(UTF_16LE),
        () if even >= least && even > 4 * odd => Some(UTF_16BE),
        () => None,
    }
}

fn decode_narrow(bytes: &[u8], is_html: bool) -> String {
    if is_nearly_utf8(bytes) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let named = if is_html { named_encoding(&bytes[..bytes.len().min(HEAD)]) } else { None };
    named.unwrap_or_else(|| guessed_encoding(bytes)).decode(bytes).0.into_owned()
}

/// Cut off inside a character, or with a few bad bytes among many good characters.
fn is_nearly_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().bytes().filter(|byte| *byte >= 0xc0).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    good >= 10 * bad
}

/// The encoding that a `meta` element names; one that its own bytes contradict is none.
fn named_encoding(head: &[u8]) -> Option<&'static Encoding> {
    let head = head.to_ascii_lowercase();
    let at = memchr::memmem::find(&head, b"charset")? + b"charset".len();
    let rest = head[at..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
    let end = rest.iter().position(|byte| b"\"'>; /".contains(byte)).unwrap_or(rest.len());
    let encoding = Encoding::for_label(&rest[..end])?;
    (encoding != UTF_8 && encoding != UTF_16LE && encoding != UTF_16BE).then_some(encoding)
}

/// ISO-2022-JP: seven bits, with an escape sequence before its two-byte characters. It is valid UTF-8 too.
fn is_escaped_japanese(bytes: &[u8]) -> bool {
    let escapes = |set: &[u8]| memchr::memmem::find(bytes, set).is_some();
    (escapes(b"\x1b$B") || escapes(b"\x1b$@")) && bytes.is_ascii()
}

fn guessed_encoding(bytes: &[u8]) -> &'static Encoding {
    if holds_only_signs(bytes) {
        return WINDOWS_1252;
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(&bytes[..bytes.len().min(SAMPLE)], bytes.len() <= SAMPLE);
    detector.guess(None, Utf8Detection::Deny)
}

/// All that is not ASCII are signs of Windows-1252 (`£ ± µ ° ½`, quotation marks, dashes), which are too few for the
/// detector to tell from letters of other encodings.
fn holds_only_signs(bytes: &[u8]) -> bool {
    let undefined = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
    let sign = |byte: &u8| byte.is_ascii() || (0x80..=0xbf).contains(byte) && !undefined.contains(byte);
    bytes.iter().all(sign)
}

/// More than one character in fifty (and more than one in all) is a control or stands for bytes that could not be decoded.
fn is_nonsense(text: &str) -> bool {
    let (mut all, mut odd) = (0_usize, 0_usize);
    for c in text.chars().take(SAMPLE) {
        all += 1;
        let control =
            c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1b}' | '\u{85}');
        odd += usize::from(control || c == '\u{fffd}');
    }
    odd * 50 > all + 50
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> Result<String, CannotCheck> {
        decode(bytes.to_vec(), false)
    }

    #[test]
    fn encodings_are_told_apart() {
        assert_eq!(text("Eis schwimmt, Öl auch".as_bytes()).unwrap(), "Eis schwimmt, Öl auch");
        let wide: Vec<u8> = "Ice floats".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(text(&wide).unwrap(), "Ice floats");
        let marked: Vec<u8> = "\u{feff}Ice 冰".encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(text(&marked).unwrap(), "Ice 冰");
        let han: Vec<u8> =
            "<html>一块冰会浮在水面上，因为它比水轻。".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(text(&han).unwrap(), "<html>一块冰会浮在水面上，因为它比水轻。");
        let latin = b"Le caf\xe9 \xe9tait ferm\xe9 ce jour-l\xe0, dit-il";
        assert_eq!(text(latin).unwrap(), "Le café était fermé ce jour-là, dit-il");
        for (signs, shown) in [
            (&b"It costs \xa35 or 5 \xb1 2 \xb5g"[..], "It costs £5 or 5 ± 2 µg"),
            (b"The \x93ice\x94 isn\x92t at 5\xb0", "The “ice” isn’t at 5°"),
        ] {
            assert_eq!(text(signs).unwrap(), shown);
        }
        assert_eq!(text(b"\x1b$BI9$O?e$KIb$/\x1b(B 9%").unwrap(), "氷は水に浮く 9%");
        let chinese =
            encoding_rs::GB18030.encode("水结冰以后会浮在水面上，因为冰的密度比水小。").0.into_owned();
        assert_eq!(text(&chinese).unwrap(), "水结冰以后会浮在水面上，因为冰的密度比水小。");
    }

    #[test]
    fn a_page_names_its_encoding() {
        let page = b"<meta charset='iso-8859-2'><p>\xb1\xe6";
        assert!(decode(page.to_vec(), true).unwrap().ends_with("ąć"));
        let wrong = "<meta charset=latin1><p>é".as_bytes().to_vec();
        assert!(decode(wrong, true).unwrap().ends_with("é"), "bytes that are UTF-8 are read as UTF-8");
    }

    #[test]
    fn what_is_no_text_is_told() {
        assert_eq!(text(b"Ice floats\0 on water"), Err(CannotCheck::Binary));
        assert_eq!(text(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), Err(CannotCheck::Binary));
        let noise: Vec<u8> =
            (0..4_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8 | 1).collect();
        assert!(text(&noise).is_err());
    }

    #[test]
    fn a_page_cut_inside_a_character_is_still_read() {
        let cut = &"冰浮在水面上冰浮在水面上".as_bytes()[..35];
        assert!(text(cut).unwrap().starts_with("冰浮在水面上冰浮在水面"));
    }
}
