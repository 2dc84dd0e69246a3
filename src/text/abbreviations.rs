//! Words that a period belongs to, and words that begin sentences: data for [`super::sentences`]. One table serves
//! all languages; entries are lower case, without their last period. Not here: how a boundary is decided.

use std::collections::HashSet;
use std::sync::LazyLock;

/// `Dr.`, `e.g.`: never the end of a sentence, something always follows.
#[rustfmt::skip]
pub(super) static TITLES: Table = Table(LazyLock::new(|| {
    HashSet::from([
        "adm", "approx", "av.j.-c", "bijv", "bzw", "ca", "capt", "cf", "cfr", "cmdr", "cols", "d.h",
        "d.w.z", "dhr", "dott", "dott.ssa", "dr", "dra", "drs", "e.g", "eds", "eg", "egr", "evtl", "excl",
        "exmo", "fr", "gen", "ggf", "gov", "hon", "hrsg", "i.e", "i.h.v", "i.v.m", "incl", "inkl", "insb",
        "lt", "m.b.t", "maj", "messrs", "mevr", "mgr", "mlle", "mme", "mmes", "mr", "mrs", "ms", "msgr",
        "mt", "n.b", "o.a", "o.ä", "p.e", "p.ej", "p.ex", "pres", "prof", "profa", "q.v", "rep", "rev",
        "sen", "sgt", "sig.ra", "sogen", "sr", "sra", "srta", "st", "supt", "u.u", "verf", "vgl", "viz",
        "vs", "z.b", "z.t", "zb", "zzgl", "акад", "д-р", "им", "напр", "проф", "см", "ср", "т.е", "т.к",
        "т.н", "ул", "डॉ", "पं", "प्रो", "श्री",
    ])
}));

/// `Fig.`, `p.`: no end before a number.
#[rustfmt::skip]
pub(super) static BEFORE_NUMBERS: Table = Table(LazyLock::new(|| {
    HashSet::from([
        "abb", "abschn", "anm", "appx", "apr", "art", "arts", "aug", "blz", "ca", "cap", "ch", "chap",
        "chaps", "circa", "col", "dec", "dept", "eq", "eqn", "eqs", "feb", "fig", "figs", "fn", "hfst",
        "jan", "jg", "jul", "jun", "kap", "mar", "n", "nn", "no", "nos", "nov", "nr", "núm", "núms", "oct",
        "op", "p", "pag", "pars", "pp", "pág", "págs", "rn", "rz", "s", "sec", "secs", "sect", "sep",
        "sept", "suppl", "tab", "tabl", "v", "vol", "vols", "ziff", "§", "гл", "п", "пп", "рис", "ст",
        "стр", "т", "табл", "№",
    ])
}));

/// `Inc.`, `U.S.`: an end only before a word that begins sentences.
#[rustfmt::skip]
pub(super) static EITHER: Table = Table(LazyLock::new(|| {
    HashSet::from([
        "a.c", "a.d", "a.k.a", "a.m", "abs", "acc", "ag", "al", "art", "assn", "av", "avg", "b.a", "b.c",
        "b.sc", "b.v", "bd", "bros", "bv", "c.e", "cap", "cie", "co", "col", "corp", "cu", "d.c", "d.i.y",
        "doc", "e.e.u.u", "e.u", "e.v", "ed", "ee.uu", "ee", "uu", "tsd", "env", "esp", "est", "ex", "ft",
        "geb", "gest", "gmbh", "govt", "gr", "hr", "hrs", "ibid", "ie", "inc", "ing", "intl", "ir", "j.-c",
        "jh", "jhd", "jr", "l.p", "lb", "lbs", "lic", "lit", "llc", "ltd", "ltda", "m.a", "m.d", "m.e",
        "m.sc", "mins", "mio", "mrd", "mw", "n.chr", "n.v", "n.y", "natl", "nb", "oz", "p.m", "ph", "ph.d",
        "phd", "plc", "pty", "qtd", "r.i.p", "resp", "s.a", "s.l", "s.p.a", "s.r.l", "sig", "sog", "sq",
        "sr", "std", "ste", "u.a", "u.k", "u.n", "u.s", "u.s.a", "u.s.c", "u.s.s.r", "ud", "uds", "univ",
        "v", "v.chr", "г", "гг", "гр", "долл", "др", "млн", "млрд", "н.э", "пр", "руб", "тел", "тыс",
        "тыс.руб",
    ])
}));

/// Words that begin a sentence where they follow a period with a capital letter.
#[rustfmt::skip]
pub(super) static STARTERS: Table = Table(LazyLock::new(|| {
    HashSet::from([
        "a", "aber", "according", "after", "al", "all", "als", "although", "am", "an", "anche", "and",
        "another", "ante", "ao", "après", "as", "así", "at", "au", "auch", "auf", "aunque", "aus", "aussi",
        "außerdem", "avec", "because", "before", "bei", "beim", "bis", "both", "but", "by", "cada", "car",
        "ce", "cela", "ces", "cet", "cette", "che", "ci", "com", "como", "con", "così", "cuando", "da",
        "dabei", "dadurch", "daher", "dal", "dalla", "damit", "danach", "dans", "das", "dat", "de", "del",
        "dem", "den", "depuis", "der", "des", "desde", "deshalb", "despite", "deze", "die", "dies", "diese",
        "dieser", "dieses", "dit", "do", "doch", "door", "dopo", "durch", "during", "each", "een", "ein",
        "eine", "einen", "einer", "el", "ela", "ele", "ella", "elle", "elles", "ellos", "em", "en", "entre",
        "er", "es", "essa", "esse", "esta", "estas", "este", "esto", "et", "even", "every", "few",
        "finally", "for", "from", "furthermore", "für", "given", "gli", "hay", "he", "her", "here", "het",
        "hier", "hij", "his", "how", "however", "i", "if", "ihr", "ihre", "ik", "il", "ils", "im", "in",
        "instead", "isso", "it", "its", "je", "jedoch", "la", "las", "le", "les", "leur", "lo", "los", "ma",
        "maar", "mais", "man", "many", "mas", "meanwhile", "met", "mit", "more", "moreover", "most",
        "muchos", "muitos", "my", "na", "naar", "nach", "nel", "nella", "nevertheless", "nicht", "niet",
        "no", "non", "nos", "not", "nous", "não", "o", "ob", "ohne", "on", "once", "one", "only", "ook",
        "op", "or", "os", "other", "our", "over", "par", "para", "per", "pero", "più", "por", "pour",
        "puis", "quand", "quando", "quella", "quello", "questa", "questo", "sans", "se", "secondo",
        "segundo", "según", "sein", "seine", "seit", "selon", "she", "si", "sie", "sin", "since", "sind",
        "sinds", "so", "sobre", "some", "son", "sono", "sous", "still", "su", "such", "sur", "sus",
        "también", "that", "the", "their", "then", "there", "therefore", "these", "they", "this", "those",
        "though", "through", "thus", "to", "today", "tous", "tout", "tras", "two", "uma", "un", "una",
        "und", "under", "une", "unlike", "uno", "unter", "until", "van", "viele", "volgens", "von", "voor",
        "vor", "vous", "we", "weil", "wenn", "wer", "what", "when", "where", "whether", "which", "while",
        "who", "why", "wie", "wij", "wir", "with", "während", "y", "ya", "yet", "you", "your", "zij", "zo",
        "zu", "zudem", "zum", "zur", "zwar", "à", "über", "а", "без", "в", "во", "вода", "все", "для", "до",
        "его", "ее", "если", "ещё", "за", "и", "из", "их", "к", "как", "когда", "многие", "мы", "на", "не",
        "но", "о", "он", "она", "они", "оно", "от", "по", "поэтому", "при", "с", "так", "также", "там",
        "тем", "то", "у", "что", "эта", "эти", "это", "этот", "я",
    ])
}));

/// Words that follow a German ordinal such as `3.` inside a sentence.
#[rustfmt::skip]
pub(super) static AFTER_ORDINALS: Table = Table(LazyLock::new(|| {
    HashSet::from([
        "absatz", "april", "armee", "auflage", "august", "bundestag", "dezember", "etage", "februar",
        "generation", "grades", "halbjahr", "jahr", "jahrestag", "jahrhundert", "jahrhunderten",
        "jahrhunderts", "jahrtausend", "januar", "juli", "juni", "jänner", "kapitel", "klasse",
        "lebensjahr", "legislaturperiode", "mai", "mal", "monat", "märz", "november", "oktober", "ordnung",
        "platz", "quartal", "september", "stock", "tag", "weltkrieg", "weltkrieges", "weltkriegs", "woche",
    ])
}));

/// A set of lower-case words.
pub(super) struct Table(LazyLock<HashSet<&'static str>>);

/// The longest entry of any table, in bytes.
const LONGEST: usize = 32;

impl Table {
    /// Whether `word`, in any case, is in the table.
    pub fn holds(&self, word: &str) -> bool {
        if word.is_empty() || word.len() > LONGEST {
            return false;
        }
        if word.bytes().all(|b| b.is_ascii_lowercase() || b == b'.') {
            return self.0.contains(word);
        }
        self.0.contains(word.to_lowercase().as_str())
    }
}
