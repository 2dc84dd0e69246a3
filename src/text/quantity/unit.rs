//! Units, currencies and powers by their names in several languages: tables and look-ups.

use crate::text::language::Language;

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unit {
    /// Nothing that is known here: people, lakes.
    None,
    /// Hundredths.
    Percent,
    /// Differences of percentages.
    Point,
    /// Thousandths.
    Permille,
    /// Money, by its code; `$` and `¥` where the country is open.
    Money(&'static str),
    /// A measure: what it measures, its name, and how many of the first of its kind it is.
    Measure(Dimension, &'static str, f64),
    /// A bare `m`, `b` or `k`, which may be a power or a unit.
    Bare(char),
}

/// What a measure measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    /// Metres.
    Length,
    /// Square metres.
    Area,
    /// Litres.
    Volume,
    /// Grams.
    Mass,
    /// Seconds.
    Time,
    /// Metres a second.
    Speed,
    /// Degrees; they do not convert by a factor.
    Temperature,
    /// Joules.
    Energy,
    /// Watts.
    Power,
    /// Bytes.
    Data,
    /// Hertz.
    Frequency,
    /// Pascals.
    Pressure,
    /// Volts, amperes, moles and others that have one name only.
    Other,
}

use Dimension::{
    Area, Data, Energy, Frequency, Length, Mass, Other, Power, Pressure, Speed, Temperature, Time, Volume,
};

/// A bare `m` apart from its number.
pub const METRE: Unit = Unit::Measure(Dimension::Length, "metres", 1.0);

/// The measure that a text begins with, and its length. `text` is in lower case.
pub fn measure(text: &str) -> Option<(Unit, usize)> {
    longest(
        text,
        MEASURES.iter().flat_map(|(names, dimension, factor)| {
            let name = names.split('|').next().unwrap_or_default();
            names.split('|').map(move |alias| (alias, Unit::Measure(*dimension, name, *factor)))
        }),
    )
}

/// The percent word or sign that a text begins with, and its length. `text` is in lower case.
pub fn percent(text: &str) -> Option<(Unit, usize)> {
    longest(text, PERCENTS.iter().flat_map(|(names, unit)| names.split('|').map(move |alias| (alias, *unit))))
}

/// The currency that a text begins with, and its length. `text` is in lower case.
pub fn currency(text: &str) -> Option<(Unit, usize)> {
    longest(
        text,
        CURRENCIES
            .iter()
            .flat_map(|(names, code)| names.split('|').map(move |alias| (alias, Unit::Money(code)))),
    )
}

/// The power of ten that a text begins with, and its length. `text` is in lower case.
pub fn power(text: &str, language: Option<Language>) -> Option<(i32, usize)> {
    let long = matches!(
        language,
        Some(Language::German | Language::French | Language::Spanish | Language::Italian | Language::Dutch)
    );
    let (power, length) = longest(
        text,
        POWERS.iter().flat_map(|(names, power)| names.split('|').map(move |alias| (alias, *power))),
    )?;
    let power = match &text[..length] {
        "billion" | "billions" if long => 12,
        "trillion" | "trillions" if long => 18,
        _ => power,
    };
    Some((power, length))
}

/// The longest alias that `text` begins with as a whole word.
fn longest<T>(text: &str, aliases: impl Iterator<Item = (&'static str, T)>) -> Option<(T, usize)> {
    let ends_here = |alias: &str| {
        let word_like = |c: char| c.is_alphabetic() && c.is_lowercase();
        let lettered = alias.chars().next_back().is_some_and(word_like);
        !lettered || !text[alias.len()..].starts_with(|c: char| word_like(c) || c == '\u{301}')
    };
    aliases
        .filter(|(alias, _)| text.starts_with(alias) && ends_here(alias))
        .max_by_key(|(alias, _)| alias.len())
        .map(|(alias, found)| (found, alias.len()))
}

const PERCENTS: &[(&str, Unit)] = &[
    (
        "%|％|٪|percent|per cent|pct|prozent|pour cent|pour-cent|por ciento|per cento|por cento|procent|процентов|процента|процент|パーセント|퍼센트|프로|phần trăm|τοις εκατό|प्रतिशत|फीसदी|في المئة|في المائة|بالمئة|بالمائة|เปอร์เซ็นต์",
        Unit::Percent,
    ),
    (
        "percentage points|percentage point|percent points|pp|prozentpunkte|prozentpunkten|prozentpunkt|points de pourcentage|point de pourcentage|puntos porcentuales|punti percentuali|pontos percentuais|个百分点|百分点|ポイント",
        Unit::Point,
    ),
    ("‰|per mille|promille|pour mille|por mil", Unit::Permille),
];

const CURRENCIES: &[(&str, &str)] = &[
    ("$|dollars|dollar|dólares|dólar|dollari|＄|美元", "$"),
    ("us$|usd|u.s. dollars|us dollars|us-dollar|米ドル", "USD"),
    ("a$|au$|aud|australian dollars", "AUD"),
    ("c$|ca$|cad|canadian dollars", "CAD"),
    ("r$|brl|reais", "BRL"),
    ("€|eur|euros|euro|欧元", "EUR"),
    ("£|gbp|pounds sterling|英镑", "GBP"),
    ("¥|￥", "¥"),
    ("yen|jpy|円|日元", "JPY"),
    ("yuan|rmb|cny|元人民币|人民币|元", "CNY"),
    ("₹|inr|rupees|rupee|rs", "INR"),
    ("chf|francs|franken|franc", "CHF"),
    ("₽|rub|rubles|roubles|рублей|рубля|рубль", "RUB"),
    ("₩|krw|won|원", "KRW"),
    ("kr|kronor|kroner|sek|nok|dkk", "kr"),
];

const POWERS: &[(&str, i32)] = &[
    ("hundred|cientos|百|백", 2),
    (
        "thousand|tausend|mille|mil|mila|duizend|тысяча|тысячи|тысяч|тыс|千|천|tysięcy|tysiące|tys|nghìn|ngàn|χιλιάδες|χιλιάδων|ألف|آلاف|हज़ार|हजार|พัน",
        3,
    ),
    ("万|萬|만|หมื่น", 4),
    ("lakhs|lakh|लाख|แสน", 5),
    (
        "million|millions|millionen|millón|millones|milione|milioni|milhão|milhões|miljoen|миллион|миллиона|миллионов|mio|mn|mln|млн|百万|milyon|miliony|milionów|milion|triệu|εκατομμύρια|εκατομμύριο|εκατομμυρίων|εκατ|مليون|ملايين|ล้าน",
        6,
    ),
    ("crores|crore|करोड़", 7),
    ("亿|億|억", 8),
    (
        "billion|billions|bn|milliarde|milliarden|milliard|milliards|miliardo|miliardi|bilhão|bilhões|miljard|миллиард|миллиарда|миллиардов|mrd|млрд|milyar|miliardy|miliardów|miliard|tỷ|tỉ|δισεκατομμύρια|δισεκατομμυρίων|δισ|مليار|مليارات|अरब|พันล้าน",
        9,
    ),
    ("trillion|trillions|tn|billionen|billón|billones|triliún|兆|조", 12),
];

#[rustfmt::skip]
const MEASURES: &[(&str, Dimension, f64)] = &[
    ("nm|nanometers|nanometres|nanometer|nanometre|nanometros|纳米", Length, 1e-9),
    ("µm|μm|micrometers|micrometres|micrometer|micrometre|microns|mikrometer|微米", Length, 1e-6),
    ("mm|millimeters|millimetres|millimeter|millimetre|milímetros|millimètres|毫米", Length, 1e-3),
    ("cm|centimeters|centimetres|centimeter|centimetre|zentimeter|centímetros|centimètres|厘米", Length, 1e-2),
    ("metres|meters|metre|meter|metern|metros|metro|mètres|mètre|米", Length, 1.0),
    ("km|kilometers|kilometres|kilometer|kilometre|kilometern|kilómetros|kilómetro|kilomètres|kilomètre|公里|千米", Length, 1e3),
    ("miles|mile|mi|meilen|millas|milles|英里", Length, 1609.344),
    ("feet|foot|ft|fuß|pies|pieds|英尺", Length, 0.3048),
    ("inches|inch|zoll|pulgadas|pouces|英寸", Length, 0.0254),
    ("yards|yard|yd", Length, 0.9144),
    ("light-years|light-year|light years|lichtjahre|années-lumière|años luz|光年", Length, 9.4607e15),
    ("astronomical units|astronomical unit|au|天文单位", Length, 1.495_978_7e11),
    ("m²|m2|square metres|square meters|square metre|square meter|quadratmeter|metros cuadrados|mètres carrés|平方米", Area, 1.0),
    ("km²|km2|square kilometers|square kilometres|square kilometer|square kilometre|quadratkilometer|kilómetros cuadrados|kilomètres carrés|平方公里", Area, 1e6),
    ("hectares|hectare|ha|hektar|hectáreas|公顷", Area, 1e4),
    ("acres|acre", Area, 4046.856),
    ("square miles|square mile|sq mi", Area, 2_589_988.0),
    ("ml|millilitres|milliliters|millilitre|milliliter|mililitros|毫升", Volume, 1e-3),
    ("litres|liters|litre|liter|litern|litros|l|升", Volume, 1.0),
    ("gallons|gallon|gal", Volume, 3.785),
    ("m³|m3|cubic metres|cubic meters|kubikmeter|立方米", Volume, 1e3),
    ("km³|km3|cubic kilometres|cubic kilometers|kubikkilometer|立方公里", Volume, 1e12),
    ("µg|μg|mcg|micrograms|mikrogramm|微克", Mass, 1e-6),
    ("mg|milligrams|milligram|milligramm|miligramos|milligrammes|毫克", Mass, 1e-3),
    ("grams|gram|g|gramm|gramos|grammes|克", Mass, 1.0),
    ("kg|kilograms|kilogram|kilos|kilogramm|kilogramos|kilogrammes|公斤|千克", Mass, 1e3),
    ("tonnes|tonne|tons|ton|metric tons|tonnen|toneladas|t|吨", Mass, 1e6),
    ("lb|lbs|pounds|pound|pfund|libras|磅", Mass, 453.592),
    ("oz|ounces|ounce|unzen", Mass, 28.35),
    ("ms|milliseconds|millisecond|millisekunden|毫秒", Time, 1e-3),
    ("seconds|second|sec|s|sekunden|sekunde|segundos|segundo|secondes|seconde|секунд|秒", Time, 1.0),
    ("minutes|minute|min|mins|minuten|minutos|минут|分钟", Time, 60.0),
    ("hours|hour|h|hr|hrs|stunden|stunde|horas|hora|heures|heure|часов|小时", Time, 3600.0),
    ("days|day|tage|tagen|tag|días|día|jours|jour|дней|天", Time, 86_400.0),
    ("weeks|week|wochen|woche|semanas|semaines|недель|周|星期", Time, 604_800.0),
    ("months|month|monate|monaten|monat|meses|mes|mois|месяцев|个月", Time, 2_629_800.0),
    ("years|year|yr|yrs|jahre|jahren|jahr|años|año|ans|années|лет|年", Time, 31_557_600.0),
    ("centuries|century|jahrhunderte|siècles|siglos|世纪", Time, 3.155_76e9),
    ("decades|decade|jahrzehnte|décennies|décadas", Time, 3.155_76e8),
    ("km/h|kmh|kph|kilometres per hour|kilometers per hour|stundenkilometer|kilómetros por hora|kilomètres par heure|公里每小时", Speed, 0.277_777_8),
    ("m/s|metres per second|meters per second|meter pro sekunde|metros por segundo|mètres par seconde|米每秒", Speed, 1.0),
    ("km/s|kilometres per second|kilometers per second|kilometer pro sekunde|kilómetros por segundo|公里每秒", Speed, 1e3),
    ("mph|miles per hour|miles an hour", Speed, 0.44704),
    ("°c|° c|℃|degrees celsius|degree celsius|grad celsius|degrés celsius|grados celsius|grados centígrados|degrees centigrade|摄氏度", Temperature, 1.0),
    ("°f|° f|℉|degrees fahrenheit|grad fahrenheit|华氏度", Temperature, 2.0),
    ("k|kelvin|kelvins", Temperature, 3.0),
    ("°|degrees|degree|grad|degrés|grados|度", Other, 1.0),
    ("kj|kilojoules", Energy, 1e3),
    ("joules|joule", Energy, 1.0),
    ("kcal|kilocalories|calories|kilokalorien|kalorien|大卡", Energy, 4184.0),
    ("kwh|kilowatt-hours|kilowatt hours|kilowattstunden|千瓦时", Energy, 3.6e6),
    ("mwh|megawatt-hours|megawattstunden", Energy, 3.6e9),
    ("gwh|gigawatt-hours|gigawattstunden", Energy, 3.6e12),
    ("twh|terawatt-hours|terawattstunden", Energy, 3.6e15),
    ("watts|watt|w|瓦", Power, 1.0),
    ("kw|kilowatts|kilowatt|千瓦", Power, 1e3),
    ("mw|megawatts|megawatt|兆瓦", Power, 1e6),
    ("gw|gigawatts|gigawatt|吉瓦", Power, 1e9),
    ("horsepower|hp|ps", Power, 745.7),
    ("bytes|byte", Data, 1.0),
    ("kb|kilobytes", Data, 1e3),
    ("mb|megabytes|megabyte", Data, 1e6),
    ("gb|gigabytes|gigabyte", Data, 1e9),
    ("tb|terabytes|terabyte", Data, 1e12),
    ("hz|hertz|赫兹", Frequency, 1.0),
    ("khz|kilohertz", Frequency, 1e3),
    ("mhz|megahertz", Frequency, 1e6),
    ("ghz|gigahertz", Frequency, 1e9),
    ("pa|pascal|pascals", Pressure, 1.0),
    ("hpa|hectopascal|hectopascals|millibar|mbar", Pressure, 1e2),
    ("kpa|kilopascal|kilopascals", Pressure, 1e3),
    ("bar|bars", Pressure, 1e5),
    ("atm|atmospheres", Pressure, 101_325.0),
    ("v|volts|volt|伏特", Other, 1.0),
    ("db|decibels|dezibel|decibeles|分贝", Other, 1.0),
    ("ppm|parts per million", Other, 1.0),
    ("ppb|parts per billion", Other, 1.0),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_whole_name_is_read() {
        let name = |text: &'static str| measure(text).map(|(unit, length)| (unit, &text[..length]));
        assert!(matches!(name("km/h on"), Some((Unit::Measure(Speed, ..), "km/h"))));
        assert!(matches!(name("kilometers"), Some((Unit::Measure(Length, ..), "kilometers"))));
        assert_eq!(name("kmart"), None);
        assert_eq!(percent("percentage points").map(|found| found.0), Some(Unit::Point));
        assert_eq!(percent("prozentual"), None);
        assert_eq!(currency("us$ 5").map(|found| found.0), Some(Unit::Money("USD")));
    }

    #[test]
    fn a_billion_depends_on_the_language() {
        assert_eq!(power("billion", Some(Language::English)), Some((9, 7)));
        assert_eq!(power("billionen", Some(Language::German)), Some((12, 9)));
        assert_eq!(power("billions", Some(Language::French)), Some((12, 8)));
        assert_eq!(power("milliarden euro", None), Some((9, 10)));
    }
}
