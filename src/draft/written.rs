//! Where numbers are written: between the brackets of a marker, at the head of an entry, in the key of a record.

use super::{SourceId, Span, worded};
use crate::text::digits;

/// From the first to the last digit between the brackets that `marker` begins with.
pub(super) fn numbers_in(marker: &str) -> Option<Span> {
    let close = marker.find([']', '】', '］', '〕', '〗'])?;
    let digit = |c: char| digits::value(c).is_some();
    let inside = &marker[..close];
    if inside.contains(char::is_alphabetic) && worded::read(marker, 0).is_none() {
        return None;
    }
    let start = inside.find(digit)?;
    let (last, c) = inside.char_indices().rfind(|(_, c)| digit(*c))?;
    Some(start..last + c.len_utf8())
}

/// The last place in `head` where `id` is written.
pub(super) fn last_number(head: &str, id: SourceId) -> Option<Span> {
    let mut found = None;
    let mut at = 0;
    while let Some(step) = head[at..].find(|c| digits::value(c).is_some()) {
        let start = at + step;
        let run = head[start..].find(|c| digits::value(c).is_none()).unwrap_or(head.len() - start);
        if digits::leading_number(&head[start..]).is_some_and(|(number, _)| number == id.0) {
            found = Some(start..start + run);
        }
        at = start + run;
    }
    found
}

/// The number in `@misc{source12,`.
pub(super) fn record_number(record: &str) -> Option<Span> {
    let open = record.find('{')?;
    let start = open + record[open..].find(|c| digits::value(c).is_some())?;
    let (_, length) = digits::leading_number(&record[start..])?;
    Some(start..start + length)
}

/// The id that the whole of a label is.
pub(super) fn whole_number(label: &str) -> Option<SourceId> {
    let (number, length) = digits::leading_number(label)?;
    (length == label.len()).then_some(SourceId(number))
}
