//! Reads the table of perft counts. Its format is described where it begins.

use chess::Position;

/// One line of the table.
pub(crate) struct Line {
    pub(crate) name: &'static str,
    pub(crate) fen: &'static str,
    /// Depths in plies, and the number of nodes at each.
    pub(crate) counts: Vec<(u32, u64)>,
}

impl Line {
    pub(crate) fn position(&self) -> Position {
        self.fen.parse().unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// The counts that are not too big to be checked now.
    pub(crate) fn counts_within(&self, nodes: u64) -> impl Iterator<Item = (u32, u64)> {
        self.counts.iter().copied().filter(move |&(_, count)| count <= nodes)
    }
}

pub(crate) fn lines() -> Vec<Line> {
    let text = include_str!("../data/perft.txt");
    text.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| read(line).unwrap_or_else(|| panic!("not a line of the table: {line}")))
        .collect()
}

fn read(line: &'static str) -> Option<Line> {
    let mut fields = line.split("; ");
    let (name, fen) = (fields.next()?, fields.next()?);
    let counts = fields
        .map(|field| {
            let (depth, nodes) = field.split_once(' ')?;
            Some((depth.parse().ok()?, nodes.parse().ok()?))
        })
        .collect::<Option<Vec<_>>>()?;
    (!counts.is_empty()).then_some(Line { name, fen, counts })
}
