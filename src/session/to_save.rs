//! A file that is to be saved, in each kind that it can have.

use std::path::{Path, PathBuf};

use super::Session;
use super::action::Effect;

/// What is to be saved. The end of the name that a person gives it chooses the kind; a name without one gets the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToSave {
    /// What it could be called.
    pub name: String,
    /// Extensions, each with the bytes of the file; at least one.
    pub kinds: Vec<(&'static str, Vec<u8>)>,
}

impl ToSave {
    /// Where to and what to write.
    ///
    /// # Errors
    /// When the name ends as no kind does.
    pub fn at(&self, path: &Path) -> Result<(PathBuf, &[u8]), String> {
        let ends: Vec<String> = self.kinds.iter().map(|(extension, _)| format!(".{extension}")).collect();
        let unknown = || format!("not saved: the name has to end with {}, {}", ends.join(" or "), path.display());
        let Some(extension) = path.extension() else {
            let (extension, bytes) = self.kinds.first().ok_or_else(unknown)?;
            return Ok((path.with_extension(extension), bytes));
        };
        let kind = self.kinds.iter().find(|(kind, _)| extension.eq_ignore_ascii_case(kind));
        kind.map(|(_, bytes)| (path.to_owned(), bytes.as_slice())).ok_or_else(unknown)
    }
}

/// A picture for the clipboard: rows from the top, four bytes for a pixel, not premultiplied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    pub size: [usize; 2],
    pub rgba: Vec<u8>,
}

impl Session {
    pub(super) fn copy_picture(&mut self, pixels: Pixels) -> Vec<Effect> {
        self.say(format!("picture copied, {} \u{d7} {} pixels", pixels.size[0], pixels.size[1]));
        vec![Effect::CopyPicture(pixels)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_name_chooses_the_kind() {
        let file = ToSave { name: "a.svg".to_owned(), kinds: vec![("svg", vec![1]), ("png", vec![2])] };
        assert_eq!(file.at(Path::new("x.PNG")), Ok(("x.PNG".into(), &[2][..])));
        assert_eq!(file.at(Path::new("no-end")), Ok(("no-end.svg".into(), &[1][..])));
        assert_eq!(file.at(Path::new("x.jpg")), Err("not saved: the name has to end with .svg or .png, x.jpg".to_owned()));
    }
}
