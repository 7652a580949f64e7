//! The engine's own functions as lessons show them: cut out of the source files by name when a lesson is shown.

/// Files of the engine that lessons quote.
const FILES: [(&str, &str); 6] = [
    ("advice", include_str!("../engine/advice.rs")),
    ("latency", include_str!("../engine/latency.rs")),
    ("limits", include_str!("../engine/limits.rs")),
    ("occupancy", include_str!("../engine/occupancy.rs")),
    ("placement", include_str!("../engine/placement.rs")),
    ("waves", include_str!("../engine/waves.rs")),
];

/// The source of `file::function` or `file::Type::function` with its doc comment, as it stands in the engine; none when there is no such one.
pub fn function(path: &str) -> Option<String> {
    let (file, name) = path.split_once("::")?;
    let (_, text) = FILES.iter().find(|(known, _)| *known == file)?;
    let (text, name) = match name.split_once("::") {
        Some((owner, name)) => (&text[text.find(&format!("\nimpl {owner} {{"))?..], name),
        None => (*text, name),
    };
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| {
        line.trim_start().trim_start_matches("pub ").trim_start_matches("pub(super) ").starts_with(&format!("fn {name}("))
    })?;
    let indent = lines[at].len() - lines[at].trim_start().len();
    let is_before = |line: &&&str| line.trim_start().starts_with("///") || line.trim_start().starts_with("#[");
    let start = at - lines[..at].iter().rev().take_while(is_before).count();
    let end = at + lines[at..].iter().position(|line| *line == format!("{}}}", " ".repeat(indent)))?;
    let shown = lines[start..=end].iter().filter(|line| !line.trim_start().starts_with("#["));
    Some(shown.map(|line| line.get(indent..).unwrap_or_default()).collect::<Vec<_>>().join("\n"))
}

/// Where it stands: "src/engine/limits.rs".
pub fn place(path: &str) -> String {
    format!("src/engine/{}.rs", path.split("::").next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_cut_whole() {
        let text = function("limits::registers_per_warp").expect("a function of the engine");
        assert!(text.starts_with("/// Registers set aside for one warp"));
        assert!(text.contains("pub fn registers_per_warp(") && text.ends_with("\n}"));
        assert!(!text.contains("#[inline]"));
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }

    #[test]
    fn a_method_is_found_under_its_type() {
        let registers = function("limits::RegisterSizes::limit").expect("a method");
        let smem = function("limits::SmemSizes::limit").expect("a method");
        assert!(registers.starts_with("fn limit(&self, arch: &Arch"));
        assert!(smem.starts_with("fn limit(&self) -> Limit"));
    }

    #[test]
    fn what_does_not_exist_is_none() {
        assert_eq!(function("limits::limit_by_magic"), None);
        assert_eq!(function("nowhere::evaluate"), None);
    }
}
