//! Words that carry no content in a question, in the languages notes are mostly written in. Folded as terms are
//! (`terms::fold`), not stemmed, sorted: a table, no logic.

use crate::text::words::pieces_between;

/// Is this folded word without content?
pub fn is_stop_word(folded: &str) -> bool {
    WORDS.binary_search(&folded).is_ok()
}

/// The pieces of a run of an unspaced script between its function words.
pub fn split_unspaced(run: &str) -> Vec<&str> {
    pieces_between(run, UNSPACED)
}

/// Longest first, so that a word is not cut by a shorter one.
const UNSPACED: &[&str] = &[
    "为什么",
    "是什么",
    "有没有",
    "有多",
    "多长",
    "多高",
    "多大",
    "多远",
    "多重",
    "是不是",
    "多少",
    "什么",
    "怎么",
    "怎样",
    "如何",
    "哪里",
    "哪个",
    "哪些",
    "何时",
    "多久",
    "是否",
    "可以",
    "请问",
    "我们",
    "你们",
    "他们",
    "ですか",
    "ますか",
    "どこ",
    "いつ",
    "なぜ",
    "どう",
    "何の",
    "です",
    "ます",
    "から",
    "まで",
    "の",
    "は",
    "が",
    "を",
    "に",
    "で",
    "と",
    "も",
    "か",
    "的",
    "了",
    "吗",
    "呢",
    "吧",
    "在",
    "是",
    "和",
    "与",
    "就",
    "都",
    "请",
];

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "a", "aan", "aber", "about", "above", "actually", "after", "again", "against", "ai", "al", "algo",
    "all", "alla", "als", "also", "although", "am", "among", "an", "and", "any", "anybody", "anyone",
    "anything", "ao", "aos", "are", "around", "as", "ask", "asked", "at", "au", "auch", "auf", "aus", "aux",
    "avec", "be", "because", "been", "before", "bei", "beim", "being", "below", "between", "bij", "bin",
    "bis", "bist", "both", "but", "by", "c", "can", "cannot", "ce", "cela", "ces", "cet", "cette", "che",
    "chi", "ci", "com", "combien", "come", "comme", "comment", "como", "con", "cosa", "could", "couldn",
    "cual", "cuales", "cuando", "cuanto", "cuantos", "cui", "d", "da", "dal", "dalla", "damit", "dan",
    "dann", "dans", "das", "dass", "dat", "de", "dei", "dein", "del", "della", "delle", "dem", "den",
    "denn", "der", "des", "describe", "desde", "di", "dich", "did", "didn", "dies", "diese", "diesem",
    "diesen", "dieser", "dieses", "dir", "dit", "do", "doch", "does", "doesn", "doing", "don", "donc",
    "donde", "done", "dos", "dove", "down", "du", "due", "durch", "during", "e", "each", "een", "ein",
    "eine", "einem", "einen", "einer", "eines", "either", "el", "ela", "ele", "ella", "ellas", "elle",
    "elles", "ellos", "else", "em", "en", "entre", "er", "era", "es", "esa", "ese", "eso", "essa", "esse",
    "est", "esta", "estan", "este", "esto", "et", "etwas", "eu", "ever", "every", "everyone", "everything",
    "explain", "few", "find", "foi", "for", "from", "fue", "fur", "further", "get", "gets", "getting",
    "give", "given", "gives", "gli", "go", "goes", "going", "got", "ha", "haben", "had", "han", "hanno",
    "has", "hasn", "hasta", "hatte", "hatten", "have", "haven", "having", "hay", "he", "her", "here",
    "hers", "herself", "het", "hij", "him", "himself", "his", "hoe", "how", "however", "i", "ich", "if",
    "ihm", "ihn", "ihr", "ik", "il", "ils", "im", "in", "ins", "into", "io", "is", "isn", "ist", "it",
    "its", "itself", "j", "ja", "je", "just", "kan", "kann", "kannst", "kein", "keine", "kind", "know",
    "known", "konnen", "l", "la", "las", "le", "les", "leur", "ll", "lo", "los", "lui", "m", "ma", "maar",
    "made", "mais", "make", "makes", "many", "mas", "may", "me", "mean", "means", "mein", "mes", "met",
    "mi", "mich", "might", "mir", "mit", "moi", "mon", "more", "most", "much", "muss", "must", "muy", "my",
    "myself", "n", "na", "naar", "nach", "nao", "nas", "ne", "need", "needs", "neither", "nel", "nella",
    "nicht", "niet", "no", "noch", "nog", "nor", "nos", "not", "notre", "nous", "nun", "nur", "o", "ob",
    "oder", "of", "off", "ohne", "om", "on", "once", "onde", "one", "only", "ont", "onto", "ook", "op",
    "or", "os", "other", "ou", "our", "ours", "ourselves", "out", "over", "own", "par", "para", "pas",
    "pela", "pelo", "per", "perche", "pero", "please", "por", "porque", "pour", "pourquoi", "qu", "qual",
    "quale", "quand", "quando", "quanto", "que", "quel", "quelle", "quelles", "quels", "quem", "qui",
    "quien", "quite", "quoi", "rather", "re", "really", "s", "sa", "said", "same", "sans", "say", "says",
    "se", "see", "sein", "seine", "sem", "ser", "ses", "seu", "shall", "she", "should", "shouldn", "si",
    "sich", "sie", "sin", "since", "sind", "so", "sobre", "soll", "some", "somebody", "someone",
    "something", "sono", "sont", "still", "su", "sua", "such", "sul", "sur", "sus", "t", "ta", "take", "te",
    "tell", "tes", "than", "that", "the", "their", "theirs", "them", "themselves", "then", "there", "these",
    "they", "thing", "things", "this", "those", "though", "through", "thus", "tiene", "to", "toi", "ton",
    "too", "tra", "tu", "uber", "uit", "um", "uma", "un", "una", "und", "under", "une", "uno", "uns",
    "unser", "until", "up", "upon", "us", "use", "used", "uses", "using", "van", "ve", "very", "via", "vom",
    "von", "voor", "vor", "vos", "votre", "vous", "waar", "waarom", "wann", "want", "waren", "warum", "was",
    "wasn", "wat", "we", "weil", "welche", "welchem", "welchen", "welcher", "welches", "welke", "well",
    "wem", "wen", "wenn", "wer", "werd", "werden", "were", "weren", "what", "whatever", "when", "where",
    "whether", "which", "while", "who", "whom", "whose", "why", "wie", "wieso", "wij", "will", "wir",
    "wird", "with", "within", "without", "wo", "woher", "wohin", "won", "worden", "would", "wouldn", "y",
    "ya", "yet", "yo", "you", "your", "yours", "yourself", "zij", "zijn", "zu", "zum", "zur", "а", "бы",
    "был", "была", "были", "было", "быть", "в", "во", "вот", "все", "вы", "где", "да", "для", "до", "его",
    "ее", "ему", "есть", "еще", "же", "за", "зачем", "и", "из", "или", "их", "к", "как", "какая", "какие",
    "каков", "какои", "когда", "кто", "ли", "меня", "мне", "мы", "на", "над", "не", "нет", "но", "о", "об",
    "он", "она", "они", "от", "по", "под", "почему", "при", "с", "сколько", "со", "так", "то", "только",
    "ты", "у", "чем", "что", "эта", "эти", "это", "этот", "я",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_without_doubles() {
        assert!(WORDS.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn the_longer_function_word_wins() {
        assert_eq!(split_unspaced("天空为什么是蓝色的"), ["天空", "蓝色"]);
        assert_eq!(split_unspaced("什么"), Vec::<&str>::new());
    }
}
