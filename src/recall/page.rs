//! A [`Recall`] as one self-contained page.

use super::Recall;

/// The page.
pub fn html(_recall: &Recall, _timestamp: &str) -> String {
    String::new()
}
