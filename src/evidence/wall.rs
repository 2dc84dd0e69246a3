//! Is a page only a door? A bot check, a log-in form or an error page holds a few words and none of the text
//! that was looked for, so nothing can be said against a quote by it.

use crate::text::words;

/// Words of a page that may still be a door.
const MAX_WORDS: usize = 80;
/// Bytes of a page that may still be a door.
const MAX_BYTES: usize = 4_096;

/// The text is a few words that ask for a log-in or for proof that the reader is human.
pub fn is_wall(text: &str) -> bool {
    if text.len() > MAX_BYTES || words::count(text) > MAX_WORDS {
        return false;
    }
    let text = text.to_lowercase().replace('’', "'");
    SIGNS.iter().any(|sign| text.contains(sign))
}

const SIGNS: &[&str] = &[
    "enable javascript",
    "javascript is disabled",
    "javascript is required",
    "enable cookies",
    "verify you are human",
    "verify that you are human",
    "you are human",
    "are you a robot",
    "not a robot",
    "checking your browser",
    "just a moment",
    "captcha",
    "access denied",
    "access to this page has been denied",
    "403 forbidden",
    "401 unauthorized",
    "404 not found",
    "page not found",
    "429 too many requests",
    "too many requests",
    "502 bad gateway",
    "503 service",
    "unusual traffic",
    "ddos",
    "log in to continue",
    "login to continue",
    "sign in to continue",
    "please log in",
    "please sign in",
    "forgot password",
    "forgot your password",
    "subscribe to continue",
    "subscribe to read",
    "create an account to",
    "security check",
    "bitte anmelden",
    "connectez-vous",
    "inicia sesión",
    "请登录",
    "安全验证",
    "로그인",
    "ログイン",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_door_is_no_page() {
        assert!(is_wall("Just a moment... Please enable JavaScript and cookies to continue"));
        assert!(is_wall("Sign in to continue\nEmail\nPassword\nForgot password?"));
        assert!(!is_wall("Ice floats on water."));
        assert!(!is_wall(&format!("Please log in. {}", "Ice floats on water. ".repeat(60))));
    }
}
