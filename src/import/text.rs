//! Bytes of a file as UTF-8 text: byte order marks and UTF-16 out of the way.
//!
//! PowerShell's `>` writes UTF-16 with a mark, and Windows programs begin UTF-8 with one.
//! Line ends stay as they are: the readers take LF and CRLF.

use std::borrow::Cow;

const UTF8_MARK: &[u8] = b"\xEF\xBB\xBF";
const UTF16_LE_MARK: &[u8] = b"\xFF\xFE";
const UTF16_BE_MARK: &[u8] = b"\xFE\xFF";

/// The text without its byte order mark. UTF-16 is recoded; anything else is passed on as it is, valid UTF-8 or not.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, [u8]> {
    if let Some(rest) = bytes.strip_prefix(UTF8_MARK) {
        return Cow::Borrowed(rest);
    }
    if let Some(rest) = bytes.strip_prefix(UTF16_LE_MARK) {
        return Cow::Owned(utf8_from_utf16(rest, u16::from_le_bytes));
    }
    if let Some(rest) = bytes.strip_prefix(UTF16_BE_MARK) {
        return Cow::Owned(utf8_from_utf16(rest, u16::from_be_bytes));
    }
    Cow::Borrowed(bytes)
}

/// Unpaired surrogates become U+FFFD; an odd last byte is dropped.
fn utf8_from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Vec<u8> {
    let units = bytes.as_chunks::<2>().0.iter().map(|pair| unit(*pair));
    let mut text = String::with_capacity(bytes.len() / 2);
    text.extend(char::decode_utf16(units).map(|decoded| decoded.unwrap_or(char::REPLACEMENT_CHARACTER)));
    text.into_bytes()
}

/// A cell or line for people to read: valid UTF-8, without the line end, cut to `max_chars`.
pub(super) fn excerpt(bytes: &[u8], max_chars: usize) -> String {
    // A character has at most four bytes; no need to look further into a line of megabytes.
    let head = &bytes[..bytes.len().min(max_chars.saturating_mul(4).saturating_add(4))];
    let text = String::from_utf8_lossy(head.trim_ascii());
    let mut short: String = text.chars().take(max_chars).collect();
    if short.len() < text.len() || head.len() < bytes.trim_ascii_end().len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_order_marks_are_dropped() {
        assert_eq!(decode(b"\xEF\xBB\xBFID").as_ref(), b"ID");
        assert_eq!(decode(b"ID").as_ref(), b"ID");
    }

    #[test]
    fn utf16_of_either_order_is_recoded() {
        assert_eq!(decode(b"\xFF\xFEI\0D\0\n\0").as_ref(), b"ID\n");
        assert_eq!(decode(b"\xFE\xFF\0I\0D\0\n").as_ref(), b"ID\n");
        assert_eq!(decode(b"\xFF\xFE\xB5\x03").as_ref(), "ε".as_bytes());
        // Half a pair, and half a character.
        assert_eq!(decode(b"\xFF\xFE\x00\xD8I\0D").as_ref(), "\u{FFFD}I".as_bytes());
    }

    #[test]
    fn excerpts_are_short_and_on_one_line() {
        assert_eq!(excerpt(b"==ERROR== no\r\n", 40), "==ERROR== no");
        assert_eq!(excerpt("ééééé".as_bytes(), 3), "ééé…");
        assert_eq!(excerpt(&[b'x'; 500], 4), "xxxx…");
    }
}
