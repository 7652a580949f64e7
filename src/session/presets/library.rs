//! The user's own presets as a value: every change keeps names different from one another and leaves the order to the user.

use super::Preset;

/// Presets in the user's order. No two have one name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Library {
    presets: Vec<Preset>,
}

/// Why a change of the library was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LibraryError {
    #[error("there is no preset \"{0}\" of your own")]
    Missing(String),
    #[error("\"{0}\" is the name of another preset")]
    Taken(String),
    #[error("a preset needs a name")]
    NoName,
}

impl Library {
    /// Takes presets as they come; a name that comes twice is numbered.
    pub fn new(presets: impl IntoIterator<Item = Preset>) -> Self {
        let mut library = Self::default();
        for preset in presets {
            library.add(preset);
        }
        library
    }

    pub fn presets(&self) -> &[Preset] {
        &self.presets
    }

    pub fn get(&self, name: &str) -> Option<&Preset> {
        self.presets.iter().find(|preset| preset.name == name)
    }

    fn index(&self, name: &str) -> Result<usize, LibraryError> {
        self.presets.iter().position(|preset| preset.name == name).ok_or_else(|| LibraryError::Missing(name.to_owned()))
    }

    /// The name, or where it is taken the name with the first free number: "Matmul", "Matmul 2", "Matmul 3".
    pub fn free_name(&self, name: &str) -> String {
        let name = one_line(name);
        let name = if name.is_empty() { "Preset".to_owned() } else { name };
        let numbered = (2..).map(|number| format!("{name} {number}"));
        std::iter::once(name.clone()).chain(numbered).find(|name| self.get(name).is_none()).unwrap_or(name)
    }

    /// Adds a preset at the end and tells the name that it has now.
    pub fn add(&mut self, preset: Preset) -> String {
        let name = self.free_name(&preset.name);
        self.presets.push(Preset { name: name.clone(), ..preset });
        name
    }

    /// Puts another preset in the place of one; a new name must be free.
    ///
    /// # Errors
    /// When there is no such preset, or the new name is empty or another one's.
    pub fn replace(&mut self, name: &str, preset: Preset) -> Result<(), LibraryError> {
        let index = self.index(name)?;
        let new = one_line(&preset.name);
        if new.is_empty() {
            return Err(LibraryError::NoName);
        }
        if new != name && self.get(&new).is_some() {
            return Err(LibraryError::Taken(new));
        }
        self.presets[index] = Preset { name: new, ..preset };
        Ok(())
    }

    /// Puts a copy behind a preset and tells its name.
    ///
    /// # Errors
    /// When there is no such preset.
    pub fn duplicate(&mut self, name: &str) -> Result<String, LibraryError> {
        let index = self.index(name)?;
        let copy = Preset { name: self.free_name(&format!("{name} copy")), ..self.presets[index].clone() };
        let name = copy.name.clone();
        self.presets.insert(index + 1, copy);
        Ok(name)
    }

    /// Moves a preset to a position, counted from 0; past the end is the end.
    ///
    /// # Errors
    /// When there is no such preset.
    pub fn move_to(&mut self, name: &str, position: usize) -> Result<(), LibraryError> {
        let preset = self.presets.remove(self.index(name)?);
        self.presets.insert(position.min(self.presets.len()), preset);
        Ok(())
    }

    /// Takes a preset out.
    ///
    /// # Errors
    /// When there is no such preset.
    pub fn delete(&mut self, name: &str) -> Result<(), LibraryError> {
        let index = self.index(name)?;
        self.presets.remove(index);
        Ok(())
    }
}

/// Without line ends and other characters that move the cursor, and without space around.
fn one_line(text: &str) -> String {
    text.split(char::is_control).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
