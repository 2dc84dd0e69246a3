//! Words that a question has and its answer need not: no search looks for them. English, German, French and
//! Spanish function words that mean nothing else in the other languages, and those of Chinese and Japanese.

use crate::text::words::pieces_between;

/// Sorted, folded.
const SPACED: &[&str] = &[
    "a", "about", "als", "am", "an", "and", "any", "are", "as", "at", "au", "auf", "aus", "aux", "avec",
    "avons", "be", "been", "bei", "being", "but", "by", "can", "ce", "could", "cual", "cuando", "dans",
    "das", "de", "del", "dem", "den", "der", "des", "did", "do", "does", "doing", "donde", "du", "ein",
    "eine", "einen", "einer", "el", "en", "es", "est", "et", "few", "for", "from", "fur", "haben", "had",
    "has", "hat", "have", "having", "he", "her", "hers", "him", "his", "how", "i", "ich", "if", "im", "in",
    "into", "is", "ist", "it", "its", "la", "le", "les", "los", "may", "me", "might", "mit", "my", "nach",
    "not", "nous", "of", "on", "or", "our", "ours", "para", "please", "por", "pour", "quand", "que", "quel",
    "quelle", "qui", "quoi", "s", "shall", "she", "should", "sich", "sind", "so", "some", "sur", "t", "tell",
    "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "tu",
    "uber", "um", "un", "und", "une", "us", "vom", "von", "vous", "wann", "was", "we", "were", "what",
    "when", "where", "which", "who", "whom", "whose", "why", "wie", "will", "wir", "wo", "would", "wurde",
    "y", "you", "your", "yours", "zu", "zum", "zur",
];

/// What a question to a memory is framed with: "what did we decide about …", "do you remember …". Sorted, folded.
const FRAME: &[&str] = &[
    "agree",
    "agreed",
    "agreement",
    "beschlossen",
    "choose",
    "chose",
    "chosen",
    "conclude",
    "concluded",
    "decide",
    "decided",
    "decision",
    "discuss",
    "discussed",
    "entschieden",
    "know",
    "mention",
    "mentioned",
    "recall",
    "remember",
    "said",
    "say",
    "settle",
    "settled",
    "talk",
    "talked",
    "think",
    "thought",
    "told",
    "use",
    "used",
    "uses",
    "using",
];

/// Longest first, so that a word is cut before its parts.
const UNSPACED: &[&str] = &[
    "について",
    "でしょうか",
    "ましたか",
    "でしたか",
    "ですか",
    "ますか",
    "为什么",
    "為什麼",
    "什么时候",
    "怎么样",
    "我们",
    "我們",
    "你们",
    "他们",
    "什么",
    "什麼",
    "怎么",
    "怎麼",
    "哪里",
    "哪個",
    "哪个",
    "哪些",
    "多少",
    "关于",
    "關於",
    "如何",
    "是否",
    "这个",
    "那个",
    "どの",
    "どう",
    "なに",
    "いつ",
    "だれ",
    "どこ",
    "した",
    "する",
    "です",
    "ます",
    "から",
    "まで",
    "的",
    "了",
    "吗",
    "嗎",
    "呢",
    "是",
    "在",
    "和",
    "与",
    "把",
    "被",
    "就",
    "都",
    "也",
    "の",
    "は",
    "が",
    "を",
    "に",
    "へ",
    "と",
    "で",
    "も",
    "か",
    "何",
    "谁",
    "誰",
];

/// `word` (folded) is a function word of a language that writes with spaces.
pub fn is_one(word: &str) -> bool {
    SPACED.binary_search(&word).is_ok()
}

/// `word` (folded) belongs to the question's frame: it says that something is asked of a memory, not what.
pub fn is_frame(word: &str) -> bool {
    FRAME.binary_search(&word).is_ok()
}

/// The pieces of a run that remain when its function words are cut out.
pub fn cut_unspaced(run: &str) -> Vec<&str> {
    pieces_between(run, UNSPACED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_for_the_search_in_it() {
        assert!(SPACED.is_sorted() && FRAME.is_sorted());
        assert!(is_one("the") && !is_one("ice"));
    }

    #[test]
    fn function_words_cut_a_run() {
        assert_eq!(cut_unspaced("冰的密度是什么"), ["冰", "密度"]);
        assert_eq!(cut_unspaced("什么"), Vec::<&str>::new());
    }
}
