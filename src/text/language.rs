//! Function words of the languages that drafts are mostly written in: which words carry no content, and which
//! language a sentence is in. A table and two look-ups; no grammar.

use super::words::is_unspaced;

/// A language whose function words are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
    /// French.
    French,
    /// Spanish.
    Spanish,
    /// Italian.
    Italian,
    /// Portuguese.
    Portuguese,
    /// Dutch.
    Dutch,
    /// Russian.
    Russian,
    /// Chinese or Japanese: scripts without spaces.
    Unspaced,
}

/// The language that most of the function words of `text` belong to; `None` where none leads.
pub fn language(text: &str) -> Option<Language> {
    let unspaced = text.chars().filter(|c| is_unspaced(*c)).count();
    if unspaced * 3 > text.chars().filter(|c| c.is_alphabetic()).count() {
        return Some(Language::Unspaced);
    }
    let mut hits = [0usize; TABLE.len()];
    for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
        let word = word.to_lowercase();
        for (count, (_, words)) in hits.iter_mut().zip(TABLE) {
            *count += usize::from(words.contains(&word.as_str()));
        }
    }
    let most = hits.iter().copied().max().filter(|most| *most > 0)?;
    let mut leaders = hits.iter().zip(TABLE).filter(|(count, _)| **count == most);
    match (leaders.next(), leaders.next()) {
        (Some((_, (language, _))), None) => Some(language),
        _ => None,
    }
}

/// A word, in lower case, that has no content in any of the languages.
pub fn is_function_word(word: &str) -> bool {
    TABLE.iter().any(|(_, words)| words.contains(&word))
}

#[rustfmt::skip]
const TABLE: [(Language, &[&str]); 8] = [
    (Language::English, &[
        "the", "of", "and", "to", "in", "is", "are", "was", "were", "a", "an", "that", "it", "its", "for", "on", "with", "as",
        "by", "at", "from", "be", "been", "this", "these", "those", "or", "not", "has", "have", "had", "but", "they", "their",
        "which", "than", "then", "also", "can", "will", "would", "about", "into", "when", "while", "who", "there", "between",
        "more", "most", "such", "only", "does", "did", "do", "may", "could", "should", "no", "he", "she", "his", "her", "we",
        "our", "you", "your", "if", "so", "because", "however", "over", "under", "after", "before", "during", "both", "all",
        "some", "other", "each", "per", "up", "out", "any", "very", "much", "many",
    ]),
    (Language::German, &[
        "der", "die", "das", "und", "ist", "sind", "war", "waren", "ein", "eine", "einen", "einem", "einer", "eines", "den", "dem",
        "des", "im", "in", "zu", "zum", "zur", "mit", "von", "vom", "auf", "für", "als", "auch", "nicht", "sich", "bei", "aus", "nach",
        "wie", "wird", "werden", "wurde", "wurden", "hat", "haben", "hatte", "an", "am", "es", "dass", "oder", "um", "über", "nur",
        "noch", "sie", "er", "kann", "können", "durch", "bis", "unter", "vor", "etwa", "rund", "pro", "so", "aber", "wenn", "weil",
        "mehr", "diese", "dieser", "dieses", "seit", "ihre", "seine", "kein", "keine", "sehr",
    ]),
    (Language::French, &[
        "le", "la", "les", "l", "de", "des", "du", "d", "et", "est", "sont", "un", "une", "en", "dans", "que", "qui", "pour", "par",
        "sur", "au", "aux", "avec", "plus", "ne", "pas", "se", "sa", "son", "ses", "ce", "cette", "ces", "ou", "mais", "était",
        "été", "ont", "a", "à", "il", "elle", "ils", "elles", "leur", "entre", "comme", "sous", "environ", "qu", "n", "s", "y",
        "selon", "très", "être", "chez", "sans",
    ]),
    (Language::Spanish, &[
        "el", "la", "los", "las", "de", "del", "y", "en", "es", "son", "un", "una", "unos", "unas", "que", "se", "por", "para", "con",
        "no", "su", "sus", "al", "lo", "como", "más", "pero", "fue", "ha", "han", "o", "este", "esta", "entre", "sobre", "sin", "hasta",
        "desde", "era", "muy", "también", "cada", "según", "está", "están", "a", "e", "unos",
    ]),
    (Language::Italian, &[
        "il", "lo", "la", "i", "gli", "le", "di", "del", "della", "dei", "delle", "e", "è", "sono", "un", "una", "che", "in", "per",
        "con", "su", "da", "dal", "dalla", "non", "si", "al", "alla", "nel", "nella", "più", "ma", "come", "ha", "hanno", "anche", "tra",
    ]),
    (Language::Portuguese, &[
        "o", "os", "a", "as", "de", "do", "da", "dos", "das", "e", "é", "são", "um", "uma", "que", "em", "no", "na", "nos", "nas",
        "por", "para", "com", "não", "se", "ao", "mais", "mas", "como", "foi", "pelo", "pela", "também", "entre", "sua", "seu",
    ]),
    (Language::Dutch, &[
        "de", "het", "een", "en", "van", "is", "zijn", "was", "waren", "in", "op", "te", "dat", "die", "met", "voor", "niet", "aan",
        "er", "om", "ook", "als", "bij", "of", "uit", "naar", "wordt", "worden", "door", "over", "heeft", "hebben", "maar", "dan",
    ]),
    (Language::Russian, &[
        "и", "в", "во", "не", "на", "с", "со", "что", "по", "из", "за", "к", "ко", "от", "до", "для", "о", "об", "это", "как", "но", "или",
        "его", "её", "их", "был", "была", "было", "были", "при", "у", "а", "он", "она", "они", "также", "более", "около", "под", "над",
    ]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_in_the_language_of_its_function_words() {
        for (text, found) in [
            ("Ice floats on the water of a lake.", Some(Language::English)),
            ("Das Eis schwimmt auf dem Wasser und ist kalt.", Some(Language::German)),
            ("La glace flotte sur l’eau, car elle est plus légère.", Some(Language::French)),
            ("El hielo flota en el agua porque es menos denso que ella.", Some(Language::Spanish)),
            ("Лёд плавает на воде, и это не чудо.", Some(Language::Russian)),
            ("冰的密度低于水。", Some(Language::Unspaced)),
            ("Ice floats.", None),
            ("", None),
        ] {
            assert_eq!(language(text), found, "{text}");
        }
    }
}
