//! Words that are shares or signs, names that digits belong to, and words that join two figures: tables.

/// A share or a multiple in a word.
pub fn is_share(word: &str) -> bool {
    SHARES.contains(&word)
}

/// Digits behind this word name something: `Figure 3`, `Windows 11`, `Article 5`.
pub fn is_designator(word: &str) -> bool {
    DESIGNATORS.contains(&word)
}

/// A prefix of a year or a number, not a name: `mid-2010`.
pub fn is_prefix(word: &str) -> bool {
    PREFIXES.contains(&word)
}

/// Some word of `text` says that something rose or fell.
pub fn turns(text: &str) -> bool {
    let lower = text.to_lowercase();
    let begins = |word: &str| TURNS.iter().any(|turn| word.starts_with(turn));
    lower.split(|c: char| !c.is_alphabetic()).any(begins)
        || TURNS_UNSPACED.iter().any(|turn| lower.contains(turn))
}

/// What stands between the two ends of a range.
pub fn joins_range(words: &[&str]) -> bool {
    matches!(
        words,
        [one] if ["-", "–", "—", "‑", "~", "～", "to", "bis", "à", "a", "至", "到", "or", "oder", "ou", "o", "and", "und", "et", "y", "до", "и"].contains(one)
    )
}

/// What stands between the two numbers of a share: `3 out of 4`, `zwei von drei`.
pub fn joins_ratio(words: &[&str]) -> bool {
    matches!(
        words,
        ["in" | "von" | "sur" | ":" | "/" | "из"]
            | ["out", "of"]
            | ["in", "every"]
            | ["of", "every"]
            | ["de", "cada"]
    )
}

#[rustfmt::skip]
const SHARES: &[&str] = &[
    "half", "halves", "third", "thirds", "quarter", "quarters", "fifth", "fifths", "tenth", "tenths", "double", "doubled",
    "doubles", "twice", "triple", "tripled", "twofold", "threefold", "tenfold", "fold", "times", "dozen", "dozens", "percentile",
    "hälfte", "drittel", "viertel", "fünftel", "zehntel", "doppelt", "doppelte", "verdoppelt", "dreifach", "dutzend", "mal",
    "moitié", "demi", "tiers", "quart", "quarts", "cinquième", "dixième", "double", "triple", "fois", "douzaine",
    "mitad", "tercio", "tercios", "cuarto", "cuartos", "quinto", "décimo", "doble", "triple", "veces", "docena",
    "половина", "треть", "четверть",
];

#[rustfmt::skip]
const DESIGNATORS: &[&str] = &[
    "version", "v", "figure", "fig", "table", "chapter", "section", "article", "art", "page", "p", "pp", "no", "nr", "num", "number",
    "step", "part", "volume", "vol", "issue", "level", "grade", "stage", "phase", "type", "class", "model", "group", "route",
    "highway", "room", "windows", "android", "ios", "python", "java", "iphone", "appendix", "equation", "eq", "line", "channel",
    "rule", "note", "annex", "protocol", "apollo", "boeing", "airbus", "abbildung", "abb", "tabelle", "kapitel", "abschnitt",
    "artikel", "seite", "teil", "band", "stufe", "typ", "klasse", "paragraph", "§", "chapitre", "section", "tableau", "étape",
    "niveau", "capítulo", "sección", "tabla", "figura", "página", "artículo", "nivel", "fase", "tipo", "top", "cat", "size",
];

const PREFIXES: &[&str] = &[
    "mid", "pre", "post", "early", "late", "non", "mitte", "anfang", "ende", "fin", "début", "mediados",
    "sub",
];

/// Beginnings of words.
#[rustfmt::skip]
const TURNS: &[&str] = &[
    "fell", "fall", "drop", "declin", "decreas", "reduc", "lower", "below", "minus", "loss", "lost", "lose", "losing", "down", "shrank",
    "shrink", "shrunk", "cut", "negative", "contract", "plung", "slump", "subzero", "fiel", "fällt", "sank", "sinkt", "gesunken", "rückgang", "verlor", "verlust",
    "unter", "baiss", "diminu", "perdu", "recul", "chut", "moins", "cayó", "baj", "disminu", "perdi", "pérdida", "menos", "cal",
    "снизи", "упал", "сократ", "минус",
];

const TURNS_UNSPACED: &[&str] = &["下降", "减少", "下跌", "零下", "降低", "亏损", "減少", "低下", "負"];
