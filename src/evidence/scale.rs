//! Words that multiply or divide a figure, or say what it is a share of: `3 million`, `5 pour cent`, `yüzde 15`. In:
//! folded characters beside a place. Out: whether such a word stands there. What it is worth is not known here.

use unicode_normalization::char::is_combining_mark;

use crate::text::words::is_unspaced;

/// Characters of a text that are looked at for a word.
const LONGEST_WORD: usize = 24;

/// `text` begins with a word that scales the figure before it.
pub fn begins_with_scale(text: &[char]) -> bool {
    let start = lower(text.iter().take(LONGEST_WORD));
    let ends_at = |len: usize| start[len..].chars().next().is_none_or(|c| !goes_on(c));
    let whole = |word: &str| start.starts_with(word) && ends_at(word.len());
    let stem = |stems: &[&str]| stems.iter().any(|stem| start.starts_with(stem));
    stem(STEMS) || stem(UNSPACED) && !stem(OTHERS) || WORDS.iter().any(|word| whole(word))
}

/// `text` ends with a number in words that a scale may follow: `three`.
pub fn ends_with_number(text: &[char]) -> bool {
    let letters = text.iter().rev().take(LONGEST_WORD).take_while(|c| c.is_alphabetic()).count();
    NUMBERS.contains(&lower(text[text.len() - letters..].iter()).as_str())
}

/// `text` ends with a word that makes a percentage of the figure behind it: `yüzde`, `ร้อยละ`.
pub fn ends_with_percent(text: &[char]) -> bool {
    let text = &text[text.len().saturating_sub(LONGEST_WORD)..];
    let text = lower(text.iter());
    let text = text.strip_suffix(char::is_whitespace).unwrap_or(&text);
    BEFORE.iter().any(|word| {
        let before = text.strip_suffix(word).map(|rest| rest.chars().next_back());
        before.is_some_and(|c| c.is_none_or(|c| is_unspaced(c) || !goes_on(c)))
    })
}

fn lower<'c>(text: impl Iterator<Item = &'c char>) -> String {
    text.flat_map(|c| c.to_lowercase()).collect()
}

fn goes_on(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c)
}

/// Percentages that stand before their figure.
const BEFORE: &[&str] = &["yüzde", "binde", "ร้อยละ"];

/// Beginnings of words, whatever their ending.
#[rustfmt::skip]
const STEMS: &[&str] = &[
    "percent", "hundred", "thousand", "million", "billion", "trillion", "quadrillion", "crore", "lakh",
    "prozent", "milliard", "tausend", "billiard",
    "pourcent", "millier", "millón", "millon", "billón", "billon", "millar",
    "milhão", "milhões", "milhar", "bilhão", "bilhões", "trilhão", "trilhões",
    "miliard", "milion", "bilion", "trilion", "migliai", "procent", "tysiąc", "tysięcy",
    "miljoen", "miljard", "miljon", "duizend", "tusen",
    "milyon", "milyar", "trilyon",
    "процент", "тысяч", "миллион", "миллиард", "триллион", "мільйон", "мільярд", "тисяч",
    "εκατομμ", "δισεκατομμ", "τρισεκατομμ", "χιλιάδ", "δεκάδες χιλιάδ",
    "مليون", "ملايين", "مليار", "بليون", "تريليون", "ألف", "آلاف", "الاف", "مئة", "مائة",
    "प्रतिशत", "फीसदी", "फ़ीसदी", "लाख", "करोड़", "हज़ार", "हजार", "अरब", "खरब",
    "אלף", "אלפי", "מיליון", "מיליארד", "אחוז",
];

/// Whole words.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "per cent", "per mille", "per mil", "per thousand", "pct", "dozen", "bn", "mn", "tn", "mln", "mld", "mlrd",
    "mio", "mrd", "mia", "tsd", "v. h", "vom hundert", "promille",
    "pour cent", "pour mille", "mille", "md", "mds",
    "por ciento", "por cien", "por mil", "mil", "mila", "por cento", "per cento", "mill",
    "bin", "yüz", "tys",
    "млн", "млрд", "трлн", "тыс", "тис",
    "τοις εκατό", "τοις χιλίοις", "εκατ", "δισ", "τρισ", "χιλ",
    "في المئة", "في المائة", "بالمئة", "بالمائة", "في الألف",
    "triệu", "tỷ", "tỉ", "nghìn", "ngàn", "vạn", "phần trăm", "phần nghìn",
];

/// Words of scripts without spaces; some other word may follow at once.
#[rustfmt::skip]
const UNSPACED: &[&str] = &[
    "万", "亿", "千", "百", "萬", "億", "兆", "个百分点", "個百分點", "百分点",
    "억", "조", "만", "천", "백", "십억", "십만", "퍼센트", "프로", "パーセント", "ポイント", "割", "成",
    "ล้าน", "พัน", "หมื่น", "แสน", "เปอร์เซ็นต์",
];

/// Words that begin like one of these and scale nothing: 500成人 are 500 adults, 3 프로젝트 three projects.
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "成人", "成年", "成员", "成員", "成功", "成果", "成分", "成品", "成本", "成立", "成份", "割合", "百合", "千葉",
    "프로젝트", "프로그램", "프로필", "프로세스", "프로토콜", "프로세서",
];

/// Numbers in words that a scale may follow.
#[rustfmt::skip]
const NUMBERS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty",
    "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred", "thousand", "half", "few", "several",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn chars(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    #[test]
    fn scales_of_many_languages_are_known() {
        for text in [
            "million people",
            "bn euros",
            "Mio. Euro",
            "Tausend",
            "mille euros",
            "milliers",
            "mil millones",
            "por ciento",
            "milhões",
            "mila euro",
            "milyon",
            "bin kişi",
            "triệu đồng",
            "tỷ",
            "phần trăm",
            "लाख",
            "प्रतिशत",
            "مليون",
            "آلاف",
            "في المئة",
            "εκατομμύρια",
            "τοις εκατό",
            "χιλιάδες",
            "млн",
            "тыс. рублей",
            "ล้านบาท",
            "万人",
            "億円",
            "백만 원",
            "천",
            "个百分点",
            "割増",
            "成以上",
            "프로가 찬성했다",
        ] {
            assert!(begins_with_scale(&chars(text)), "{text}");
        }
        for text in [
            "成人が参加",
            "프로젝트",
            "per century",
            "milk",
            "mice",
            "bina",
            "binaries",
            "тыкв",
            "metres",
            "mills",
            "人",
            "mildly",
        ] {
            assert!(!begins_with_scale(&chars(text)), "{text}");
        }
    }

    #[test]
    fn a_percentage_may_stand_before_its_figure() {
        assert!(ends_with_percent(&chars("geçen yıl yüzde ")) && ends_with_percent(&chars("เพิ่มขึ้นร้อยละ ")));
        assert!(!ends_with_percent(&chars("bir yüzdeye ")) && !ends_with_percent(&chars("")));
        assert!(ends_with_number(&chars("by Three")) && !ends_with_number(&chars("by tree")));
    }
}
