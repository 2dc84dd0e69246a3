//! JSON as it stands in the input: text borrowed wherever it holds no escape, fields in their order, a name
//! that comes twice kept twice. One value takes 24 bytes, so a document stays small beside its input.
//!
//! Nesting is limited to [`DEPTH_LIMIT`]; nothing here, reading or dropping, recurses deeper than that.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

/// Lists and objects may be nested this deep.
pub const DEPTH_LIMIT: u16 = 256;

/// What the error of a document that is nested deeper says.
pub const TOO_DEEP: &str = "nested more than 256 deep";

/// A field of an object.
pub type Field<'a> = (Cow<'a, str>, Json<'a>);

/// A JSON value that borrows from its input.
#[derive(Debug, Clone, PartialEq)]
pub enum Json<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, whole ones kept exactly.
    Number(Number),
    /// A string, its escapes decoded.
    Text(Cow<'a, str>),
    /// A list.
    List(Box<[Json<'a>]>),
    /// An object, fields in the order of the input.
    Object(Box<[Field<'a>]>),
}

impl<'a> Json<'a> {
    /// The fields of an object; none for anything else.
    pub fn fields(&self) -> &[Field<'a>] {
        match self {
            Self::Object(fields) => fields,
            _ => &[],
        }
    }

    /// The fields of an object, to take text out of.
    pub fn fields_mut(&mut self) -> &mut [Field<'a>] {
        match self {
            Self::Object(fields) => fields,
            _ => &mut [],
        }
    }

    /// The items of a list; none for anything else.
    pub fn items(&self) -> &[Json<'a>] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The items of a list, to take text out of.
    pub fn items_mut(&mut self) -> &mut [Json<'a>] {
        match self {
            Self::List(items) => items,
            _ => &mut [],
        }
    }

    /// The field of this name; the last one where it comes twice.
    pub fn get(&self, name: &str) -> Option<&Json<'a>> {
        self.fields().iter().rev().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The field of this name, to take text out of.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Json<'a>> {
        self.fields_mut().iter_mut().rev().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Is there a field of this name, and not null?
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some_and(|value| *value != Json::Null)
    }

    /// The string itself.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The string in the field of this name.
    pub fn str(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }

    /// The string, borrowed from the input where it can be.
    pub fn text(&self) -> Option<Cow<'a, str>> {
        match self {
            Self::Text(text) => Some(text.clone()),
            _ => None,
        }
    }

    /// Moves the string out, leaving an empty one: for long text, which is never held twice.
    pub fn take_text(&mut self) -> Option<Cow<'a, str>> {
        match self {
            Self::Text(text) => Some(std::mem::take(text)),
            _ => None,
        }
    }

    /// A whole number that is not negative.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Self::Number(number) => number.as_u64(),
            _ => None,
        }
    }

    /// A list or an object.
    pub fn is_composite(&self) -> bool {
        matches!(self, Self::List(_) | Self::Object(_))
    }
}

/// Reads one value from `input`; the bytes used are the second part of the answer.
///
/// # Errors
/// What `serde_json` found wrong, or [`TOO_DEEP`]; line and column count from the start of `input`.
pub fn read_one(input: &str) -> Result<(Json<'_>, usize), serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(input);
    deserializer.disable_recursion_limit();
    let value = Nesting(0).deserialize(&mut deserializer)?;
    Ok((value, deserializer.into_iter::<de::IgnoredAny>().byte_offset()))
}

/// How deep the value to be read lies.
#[derive(Clone, Copy)]
struct Nesting(u16);

impl Nesting {
    fn deeper<E: de::Error>(self) -> Result<Self, E> {
        if self.0 < DEPTH_LIMIT { Ok(Self(self.0 + 1)) } else { Err(E::custom(TOO_DEEP)) }
    }
}

impl<'de> DeserializeSeed<'de> for Nesting {
    type Value = Json<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json<'de>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Nesting {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json<'de>, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json<'de>, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json<'de>, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Json<'de>, E> {
        Ok(Number::from_f64(value).map_or(Json::Null, Json::Number))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json<'de>, A::Error> {
        let inner = self.deeper()?;
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(inner)? {
            items.push(item);
        }
        Ok(Json::List(items.into_boxed_slice()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Json<'de>, A::Error> {
        let inner = self.deeper()?;
        let mut fields = Vec::new();
        while let Some(name) = object.next_key_seed(Name)? {
            fields.push((name, object.next_value_seed(inner)?));
        }
        Ok(Json::Object(fields.into_boxed_slice()))
    }
}

/// The name of a field.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cow<'de, str>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name in quotes")
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(value.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &str) -> Json<'_> {
        read_one(input).unwrap().0
    }

    #[test]
    fn a_value_takes_24_bytes() {
        assert_eq!(size_of::<Json<'_>>(), 24);
    }

    #[test]
    fn text_without_escapes_is_borrowed() {
        let Json::Text(plain) = read(r#""ice floats""#) else { panic!("no text") };
        assert!(matches!(plain, Cow::Borrowed(_)));
        assert_eq!(read(r#""ice\nfloats""#).as_str(), Some("ice\nfloats"));
    }

    #[test]
    fn a_name_that_comes_twice_is_kept_twice_and_the_last_one_counts() {
        let json = read(r#"{"a":1,"b":2,"a":3}"#);
        assert_eq!(json.fields().len(), 3);
        assert_eq!(json.get("a").and_then(Json::as_u64), Some(3));
    }

    #[test]
    fn nesting_ends_at_256() {
        let deep = |n: usize| "[".repeat(n) + &"]".repeat(n);
        assert!(read_one(&deep(256)).is_ok());
        let error = read_one(&deep(257)).unwrap_err().to_string();
        assert!(error.starts_with(TOO_DEEP), "{error}");
        assert!(read_one(&"[".repeat(1_000_000)).is_err());
        assert!(read_one(&r#"{"a":"#.repeat(1_000_000)).is_err());
    }

    #[test]
    fn the_end_of_a_value_is_known() {
        assert_eq!(read_one("  {\"a\":1} {\"b\":2}").unwrap().1, 9);
    }
}
