//! Names of functions as their source has them.

use std::fmt;

use cpp_demangle::{BorrowedSymbol, DemangleOptions, DemangleWrite};

/// Names beyond this length are left as they are. Those of large template libraries have some thousand letters.
const MAX_MANGLED_BYTES: usize = 64 * 1024;

/// The name as the source has it, "void reduce<float, 256>(float const*, int)"; any other text as it is.
///
/// A few letters of a mangled name can stand for others many times over, so a name that grows beyond all measure is left too.
pub(super) fn demangled(mangled: &str) -> String {
    if !mangled.starts_with("_Z") || mangled.len() > MAX_MANGLED_BYTES {
        return mangled.to_owned();
    }
    let Ok((symbol, rest)) = BorrowedSymbol::with_tail(mangled.as_bytes()) else { return mangled.to_owned() };
    let mut name = Bounded { text: String::new(), max_bytes: 4096 + 16 * mangled.len() };
    let is_whole = rest.is_empty() && symbol.structured_demangle(&mut name, &DemangleOptions::new()).is_ok();
    if is_whole && !name.text.is_empty() { name.text } else { mangled.to_owned() }
}

/// A text that refuses to grow beyond a length.
#[derive(Debug)]
struct Bounded {
    text: String,
    max_bytes: usize,
}

impl DemangleWrite for Bounded {
    fn write_string(&mut self, part: &str) -> fmt::Result {
        if self.text.len() + part.len() > self.max_bytes {
            return Err(fmt::Error);
        }
        self.text.push_str(part);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangled_names_are_demangled_and_others_kept() {
        assert_eq!(demangled("_ZN3lab9sum_tilesIfLi256EEEvPKT_PS1_i"), "void lab::sum_tiles<float, 256>(float const*, float*, int)");
        assert_eq!(demangled("_Z7too_bigPi"), "too_big(int*)");
        assert_eq!(demangled("plain_name"), "plain_name");
        assert_eq!(demangled("_Znot a name"), "_Znot a name");
        // The copy that a compiler made of a function keeps its mangled name when not all of it is understood.
        assert_eq!(demangled("_Z7too_bigPi$odd"), "_Z7too_bigPi$odd");
    }

    #[test]
    fn a_name_that_explodes_is_left_as_it_is() {
        // Each pair doubles what the one before stands for.
        let bomb = format!("_Z1fI1aIS_S_E{}E", (0..20).map(|_| "1aIS0_S0_E").collect::<String>());
        assert!(demangled(&bomb).len() <= 4096 + 16 * bomb.len());
    }
}
