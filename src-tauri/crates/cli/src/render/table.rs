//! Tables that fit the terminal.

use comfy_table::{ContentArrangement, Table};

/// The width, in columns, where the terminal does not say.
const WIDTH: u16 = 100;
/// Terminals say that they are narrower than this when they do not know.
const WIDTH_MIN: u16 = 20;

/// A table without lines: headings, then rows, cut to the width of the terminal.
pub(crate) fn table(headings: &[&str], rows: Vec<Vec<String>>, width: Option<u16>) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(headings.to_vec());
    for row in rows {
        table.add_row(row);
    }
    if let Some(width) = width {
        table.force_no_tty();
        table.set_width(width);
    } else if table.width().is_none_or(|width| width < WIDTH_MIN) {
        table.set_width(WIDTH);
    }
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table.trim_fmt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_fits_whatever_its_rows_hold() {
        let row = vec![
            "7f3k".to_owned(),
            "A title that is much longer than fits ".repeat(4),
            "paddock-1".to_owned(),
        ];
        for width in [40, 80, 120] {
            let text = table(&["Task", "Title", "Branch"], vec![row.clone()], Some(width));
            for line in text.lines() {
                assert!(
                    line.chars().count() <= usize::from(width),
                    "{width}: {line}"
                );
            }
        }
    }
}
