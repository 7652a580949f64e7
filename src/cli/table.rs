//! Columns of text that line up.

/// On which side a column is flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// Rows as lines, two spaces between columns and none at the end of a line.
pub(super) fn lines(aligns: &[Align], rows: &[Vec<String>]) -> Vec<String> {
    let widths: Vec<usize> = (0..aligns.len()).map(|column| rows.iter().map(|row| width(row, column)).max().unwrap_or(0)).collect();
    rows.iter().map(|row| line(aligns, &widths, row)).collect()
}

fn width(row: &[String], column: usize) -> usize {
    row.get(column).map_or(0, |cell| cell.chars().count())
}

fn line(aligns: &[Align], widths: &[usize], row: &[String]) -> String {
    let cells = row.iter().zip(aligns.iter().zip(widths)).map(|(cell, (align, width))| match align {
        Align::Left => format!("{cell:<width$}"),
        Align::Right => format!("{cell:>width$}"),
    });
    cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [vec!["Warp slots".to_owned(), "8".to_owned()], vec!["×".to_owned(), "16".to_owned()]];
        assert_eq!(lines(&[Align::Left, Align::Right], &rows), ["Warp slots   8", "×           16"]);
    }
}
