//! Printing: styles only on a terminal, and a reader that goes away is no failure.

use std::io::{self, BufWriter, Write};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use crate::fmt::is_harmful;

/// The answer's first words.
pub(super) const STRONG: Style = Style::new().bold();
/// Headings and what is less important.
pub(super) const QUIET: Style = Style::new().dimmed();

const ERROR: Style = AnsiColor::Red.on_default().bold();

/// The standard output, buffered; styles are taken out where it is no terminal.
pub(super) fn stdout() -> BufWriter<anstream::Stdout> {
    BufWriter::new(anstream::stdout())
}

/// One object, indented, with a line end. What a terminal would obey is escaped, as JSON may have any character.
pub(super) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(value)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut rest = text.as_str();
    while let Some((at, c)) = rest.char_indices().find(|(_, c)| *c != '\n' && is_harmful(*c)) {
        write!(out, "{}\\u{:04x}", &rest[..at], u32::from(c))?;
        rest = &rest[at + c.len_utf8()..];
    }
    writeln!(out, "{rest}")?;
    out.flush()?;
    Ok(())
}

/// A text that is ready.
pub(super) fn print_text(text: &str) -> anyhow::Result<()> {
    let mut out = stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// "error: …" on the error output.
pub fn print_error(message: &str) {
    // Nowhere is left to say that the error output is gone.
    let _ = writeln!(anstream::stderr(), "{ERROR}error:{ERROR:#} {message}");
}

/// "note: …" on the error output: something worth knowing that is not wrong.
pub(super) fn print_note(message: &str) {
    // Nowhere is left to say that the error output is gone.
    let _ = writeln!(anstream::stderr(), "{STRONG}note:{STRONG:#} {message}");
}

/// Whether the reader of the output has closed it.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let kind = if let Some(io) = cause.downcast_ref::<io::Error>() {
            Some(io.kind())
        } else if let Some(json) = cause.downcast_ref::<serde_json::Error>() {
            json.io_error_kind()
        } else {
            match cause.downcast_ref::<csv::Error>().map(csv::Error::kind) {
                Some(csv::ErrorKind::Io(io)) => Some(io.kind()),
                _ => None,
            }
        };
        kind == Some(io::ErrorKind::BrokenPipe)
    })
}
