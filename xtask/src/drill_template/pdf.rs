//! A writer of PDF files with lines, circles and text, in millimetres from the lower left corner of a page.

use std::fmt::Write as _;

/// Points of a millimetre.
const POINTS: f64 = 72.0 / 25.4;

/// Distance of the control points of a quarter of a circle, for a radius of 1.
const CURVE: f64 = 0.552_285;

/// The content of a page.
#[derive(Default)]
pub(super) struct Page {
    content: String,
}

impl Page {
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64)) {
        _ = writeln!(self.content, "{:.3} {:.3} m {:.3} {:.3} l S", from.0, from.1, to.0, to.1);
    }

    /// A square with this lower left corner.
    pub(super) fn rectangle(&mut self, corner: (f64, f64), size: f64) {
        _ = writeln!(self.content, "{:.3} {:.3} {size:.3} {size:.3} re S", corner.0, corner.1);
    }

    pub(super) fn circle(&mut self, (x, y): (f64, f64), radius: f64) {
        let bend = radius * CURVE;
        _ = write!(self.content, "{:.3} {y:.3} m", x + radius);
        let quarters = [
            [(radius, bend), (bend, radius), (0.0, radius)],
            [(-bend, radius), (-radius, bend), (-radius, 0.0)],
            [(-radius, -bend), (-bend, -radius), (0.0, -radius)],
            [(bend, -radius), (radius, -bend), (radius, 0.0)],
        ];
        for quarter in quarters {
            for (dx, dy) in quarter {
                _ = write!(self.content, " {:.3} {:.3}", x + dx, y + dy);
            }
            self.content += " c";
        }
        self.content += " S\n";
    }

    /// ASCII text. The size is the height of a line.
    pub(super) fn text(&mut self, (x, y): (f64, f64), size: f64, text: &str) {
        let escaped = text.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
        _ = writeln!(self.content, "BT /F {size:.1} Tf {x:.3} {y:.3} Td ({escaped}) Tj ET");
    }
}

/// A document with pages of equal size.
pub(super) struct Pdf {
    paper: (f64, f64),
    pages: Vec<Page>,
}

impl Pdf {
    /// A document without pages; the size of its paper in millimetres.
    pub(super) const fn new(paper: (f64, f64)) -> Self {
        Self { paper, pages: Vec::new() }
    }

    pub(super) fn add(&mut self, page: Page) {
        self.pages.push(page);
    }

    /// The bytes of the file.
    pub(super) fn finish(self) -> Vec<u8> {
        // Objects: 1 is the catalogue, 2 the list of pages, 3 the font, and then a page and its content in turn.
        let kids: Vec<String> = (0..self.pages.len()).map(|page| format!("{} 0 R", 4 + 2 * page)).collect();
        let mut objects = vec![
            "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
            format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), kids.len()),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
        ];
        let (width, height) = (self.paper.0 * POINTS, self.paper.1 * POINTS);
        for page in self.pages {
            let content = objects.len() + 2;
            objects.push(format!(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width:.2} {height:.2}] \
                 /Resources << /Font << /F 3 0 R >> >> /Contents {content} 0 R >>"
            ));
            let stream = format!("{POINTS:.6} 0 0 {POINTS:.6} 0 0 cm 0.2 w\n{}", page.content);
            objects.push(format!("<< /Length {} >>\nstream\n{stream}endstream", stream.len()));
        }
        let mut file = "%PDF-1.4\n".to_owned();
        let mut offsets = Vec::new();
        for (index, object) in objects.iter().enumerate() {
            offsets.push(file.len());
            _ = write!(file, "{} 0 obj\n{object}\nendobj\n", index + 1);
        }
        let table = file.len();
        _ = write!(file, "xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
        for offset in offsets {
            _ = writeln!(file, "{offset:010} 00000 n ");
        }
        _ = write!(file, "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n", objects.len() + 1);
        file.into_bytes()
    }
}
