//! The content words of a text, made comparable: folded, without function words, cut to a stem. Scripts without
//! spaces give pairs of characters. In: text. Out: words, each once, in order. What a word means is not known.

use unicode_segmentation::UnicodeSegmentation;

use super::fold::Folded;
use super::language::is_function_word;
use super::words::is_unspaced;

/// Characters of a stem: enough to keep words apart, few enough to join their endings.
const STEM_CHARACTERS: usize = 6;

/// Characters without spaces that are function words, not halves of words.
const PARTICLES: &str = "的了在是和与及或也就都而之其为以于被把の は が を に で と も へ や か";

/// The content words of `text`, each once, in the order they come.
pub fn content_words(text: &str) -> Vec<String> {
    let folded = Folded::plain(text);
    let mut words: Vec<String> = Vec::new();
    for run in folded.text().unicode_words() {
        if !run.contains(is_unspaced) && !is_function_word(run) {
            words.push(stem(run));
        }
    }
    for run in folded.text().split(|c: char| !is_unspaced(c) || PARTICLES.contains(c)) {
        words.extend(pairs(run));
    }
    let mut seen = std::collections::HashSet::new();
    words.retain(|word| seen.insert(word.clone()));
    words
}

/// The beginning of a word, without the ending of a short plural.
fn stem(word: &str) -> String {
    let bare = word.strip_suffix("'s").unwrap_or(word);
    let length = bare.chars().count();
    let bare = if length > 3 { bare.strip_suffix('s').unwrap_or(bare) } else { bare };
    bare.chars().take(STEM_CHARACTERS).collect()
}

/// Neighbouring characters of a run, two by two.
fn pairs(run: &str) -> impl Iterator<Item = String> {
    run.chars().zip(run.chars().skip(1)).map(|(one, two)| String::from_iter([one, two]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_case_and_function_words_make_no_difference() {
        assert_eq!(content_words("The lakes of Finland"), content_words("a LAKE in Finland"));
        assert_eq!(content_words("Floating, floated"), ["floati", "floate"]);
        assert_eq!(content_words("Das Eis und der See"), ["eis", "see"]);
    }

    #[test]
    fn scripts_without_spaces_give_pairs() {
        assert_eq!(content_words("冰的密度低"), ["密度", "度低"]);
    }
}
