//! `cargo xtask drill-template`: the 1:1 template of the holes of a board, as a PDF of A4 pages that are glued together.
//!
//! The first pages show the top, where the holes are drilled. The others show the underside, mirrored, where reeds, diodes and lights
//! are glued.

mod pdf;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args;

use self::pdf::{Page, Pdf};
use crate::process;

/// The template of the documents.
const FILE: &str = "docs/hardware/drill-template.pdf";

/// Size of A4 in millimetres.
const PAPER: (f64, f64) = (210.0, 297.0);
/// Unprinted margin of a page in millimetres.
const MARGIN: f64 = 12.0;

/// Distances in a square of 55 mm, in millimetres, from its middle: of the middle of the reed, towards the corner of a1, and of the
/// light, towards the opposite corner. docs/hardware.md explains them.
const REED_OFFSET: f64 = 8.0;
const LIGHT_OFFSET: f64 = 24.0;
const DESIGN_SQUARE: f64 = 55.0;

/// Length of the glass of a reed, and diameter of the hole of a light, in millimetres.
const REED_LENGTH: f64 = 14.0;
const LIGHT_HOLE: f64 = 4.0;

#[derive(Args)]
pub(crate) struct Options {
    /// Size of a square in millimetres.
    #[arg(long, default_value_t = DESIGN_SQUARE)]
    square: f64,
    /// The file to write.
    #[arg(long, default_value = FILE)]
    output: PathBuf,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    ensure!((40.0..=60.0).contains(&options.square), "a square has 40 to 60 mm");
    let file = process::root().join(&options.output);
    fs::write(&file, template(options.square)).with_context(|| format!("cannot write {}", file.display()))?;
    println!("{}: print it at 100 %, and measure the ruler on each page", file.display());
    Ok(())
}

/// The side of the board that a page shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Top,
    Underside,
}

fn template(square: f64) -> Vec<u8> {
    let fits = |length: f64| (1..=8).rev().find(|n| f64::from(*n) * square <= length - 2.0 * MARGIN).unwrap_or(1);
    let (columns, rows) = (fits(PAPER.0), fits(PAPER.1 - 14.0));
    let mut pdf = Pdf::new(PAPER);
    for side in [Side::Top, Side::Underside] {
        for first_row in (0..8).step_by(rows as usize) {
            for first_column in (0..8).step_by(columns as usize) {
                let column_count = columns.min(8 - first_column);
                let row_count = rows.min(8 - first_row);
                pdf.add(page(side, square, (first_column, column_count), (first_row, row_count)));
            }
        }
    }
    pdf.finish()
}

/// A page with some columns, counted from the left, and some ranks, counted from rank 1.
fn page(side: Side, square: f64, (column, columns): (u32, u32), (row, rows): (u32, u32)) -> Page {
    let mut page = Page::default();
    let title = match side {
        Side::Top => "TOP, White below. Drill the holes of the lights (4 mm) here.",
        Side::Underside => "UNDERSIDE, mirrored: file a is on the right. Glue reeds and lights here.",
    };
    page.text((MARGIN, PAPER.1 - 9.0), 4.0, title);
    page.text((MARGIN, PAPER.1 - 14.0), 3.0, "The squares begin 10 mm from the edge of the field.");
    for y in 0..rows {
        for x in 0..columns {
            let file = match side {
                Side::Top => column + x,
                Side::Underside => 7 - (column + x),
            };
            let corner = (MARGIN + f64::from(x) * square, MARGIN + 8.0 + f64::from(y) * square);
            let name = format!("{}{}", char::from(b'a' + file as u8), row + y + 1);
            draw_square(&mut page, side, square, corner, &name);
        }
    }
    // A ruler shows whether the printer has scaled the page.
    page.line((MARGIN, MARGIN), (MARGIN + 100.0, MARGIN));
    for end in [0.0, 50.0, 100.0] {
        page.line((MARGIN + end, MARGIN - 2.0), (MARGIN + end, MARGIN + 2.0));
    }
    page.text((MARGIN + 103.0, MARGIN - 1.0), 3.0, "100 mm. If not, print again at 100 % (\"actual size\").");
    page
}

/// A square with its outline, middle, reed and light.
fn draw_square(page: &mut Page, side: Side, square: f64, corner: (f64, f64), name: &str) {
    let scale = square / DESIGN_SQUARE;
    let middle = (corner.0 + square / 2.0, corner.1 + square / 2.0);
    let mirror = if side == Side::Top { 1.0 } else { -1.0 };
    // A distance along the diagonal, positive towards the corner of the light.
    let along = |distance: f64| {
        let step = distance * std::f64::consts::FRAC_1_SQRT_2;
        (middle.0 + mirror * step, middle.1 + step)
    };
    page.rectangle(corner, square);
    for (dx, dy) in [(2.0, 0.0), (0.0, 2.0)] {
        page.line((middle.0 - dx, middle.1 - dy), (middle.0 + dx, middle.1 + dy));
    }
    let light = along(LIGHT_OFFSET * scale);
    page.circle(light, LIGHT_HOLE / 2.0);
    for (dx, dy) in [(3.5, 0.0), (0.0, 3.5)] {
        page.line((light.0 - dx, light.1 - dy), (light.0 + dx, light.1 + dy));
    }
    // The reed lies on the diagonal, and its middle is beside that of the square.
    let ends = [-REED_LENGTH / 2.0, REED_LENGTH / 2.0].map(|end| along(-REED_OFFSET + end));
    page.line(ends[0], ends[1]);
    if side == Side::Underside {
        for end in ends {
            page.circle(end, 1.0);
        }
    }
    page.text((corner.0 + 1.5, corner.1 + square - 5.0), 4.0, name);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_of_the_documents_is_up_to_date() {
        let stored = fs::read(process::root().join(FILE)).expect("the template is in the documents");
        assert!(stored == template(DESIGN_SQUARE), "run `cargo xtask drill-template`");
    }

    #[test]
    fn every_square_is_on_one_page_of_each_side() {
        for square in [40.0, 50.0, DESIGN_SQUARE, 60.0] {
            let text = String::from_utf8_lossy(&template(square)).into_owned();
            for file in 'a'..='h' {
                for rank in 1..=8 {
                    let label = format!("({file}{rank}) Tj");
                    assert_eq!(text.matches(&label).count(), 2, "{label} with {square} mm");
                }
            }
        }
    }
}
