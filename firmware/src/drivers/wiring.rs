//! Wiring faults of a reed matrix: diagnosis from a wire test, and messages for the builder.

use core::fmt;

use chess::Bitboard;

/// Eight ranks and eight files, in this order.
pub(super) const LINES: usize = 16;

/// The result of a wire test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wiring {
    /// Wires that are low though no pin pulls them low.
    grounded: u16,
    /// Wires that stay high though their pin pulls them low.
    stuck_high: u16,
    /// For each wire, the later wires that are shorted to it.
    touching: [u16; LINES],
    /// Squares where current flows only from the rank to the file: the diode is reversed.
    backwards: Bitboard,
    /// Squares where current flows both ways: the diode is bridged.
    bridged: Bitboard,
}

impl Wiring {
    /// Diagnoses faults from the wires that were low with no wire pulled (`idle`), and with each wire pulled (`pulled`).
    pub(super) fn diagnose(idle: u16, pulled: &[u16; LINES]) -> Self {
        let went_down = |line: usize, with: usize| (pulled[with] & !idle) >> line & 1 == 1;
        let mut wiring = Self { grounded: idle, ..Self::default() };
        let mut suspects = 0_u16;
        for square in 0..64 {
            let (rank, file) = (square / 8, 8 + square % 8);
            // A good diode never lets a file pull its rank low.
            if went_down(rank, file) {
                let both_ways = went_down(file, rank);
                let found = if both_ways { &mut wiring.bridged } else { &mut wiring.backwards };
                found.0 |= 1 << square;
                suspects |= 1 << rank | 1 << file;
            }
        }
        for (line, low) in pulled.iter().enumerate() {
            if low >> line & 1 == 0 {
                wiring.stuck_high |= 1 << line;
            }
            // A short: each of the two wires pulls the other low, and no bad diode explains it.
            let others = if line < 8 { line + 1..8 } else { line + 1..LINES };
            for other in others.filter(|&other| went_down(line, other) && went_down(other, line)) {
                if suspects & (1 << line | 1 << other) == 0 {
                    wiring.touching[line] |= 1 << other;
                }
            }
        }
        wiring
    }

    #[cfg(test)]
    pub(super) fn of_diodes(backwards: Bitboard, bridged: Bitboard) -> Self {
        Self { backwards, bridged, ..Self::default() }
    }

    /// Whether there is no fault.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        *self == Self::default()
    }

    /// The squares on faulty wires or with faulty diodes.
    #[must_use]
    pub fn squares(&self) -> Bitboard {
        let touching = (0..LINES).filter(|&line| self.touching[line] != 0);
        let touching = touching.fold(0, |lines, line| lines | 1 << line | self.touching[line]);
        let lines = self.grounded | self.stuck_high | touching;
        let bad = (0..LINES).filter(|line| lines >> line & 1 == 1);
        let squares = bad.fold(0, |squares, line| squares | Line(line).squares());
        Bitboard(squares | self.backwards.0 | self.bridged.0)
    }
}

impl fmt::Display for Wiring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        let mut line = |f: &mut fmt::Formatter<'_>, sentence: fmt::Arguments<'_>| {
            if !first {
                f.write_str("\n")?;
            }
            first = false;
            f.write_fmt(sentence)
        };
        for one in (0..LINES).map(Line) {
            if one.is_in(self.grounded) {
                line(f, format_args!("{one} touches ground"))?;
            }
            if one.is_in(self.stuck_high) {
                line(f, format_args!("{one} cannot be pulled down: it touches 3.3 V or 5 V"))?;
            }
            for other in (0..LINES).map(Line).filter(|other| other.is_in(self.touching[one.0])) {
                line(f, format_args!("{one} touches {other}"))?;
            }
        }
        for square in self.backwards {
            line(f, format_args!("{square}: the diode is the wrong way round"))?;
        }
        for square in self.bridged {
            let [rank, file] = [square.index() / 8, 8 + square.index() % 8].map(|line| Line(line.into()));
            line(f, format_args!("{square}: the diode is bridged, or {rank} touches {file}"))?;
        }
        if first { f.write_str("all 16 wires are sound") } else { Ok(()) }
    }
}

/// A wire: ranks 1 to 8, then files a to h.
#[derive(Clone, Copy)]
struct Line(usize);

impl Line {
    fn is_in(self, lines: u16) -> bool {
        lines >> self.0 & 1 == 1
    }

    fn squares(self) -> u64 {
        if self.0 < 8 { 0xff << (8 * self.0) } else { 0x0101_0101_0101_0101 << (self.0 - 8) }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            rank @ ..8 => write!(f, "rank {}", rank + 1),
            file => write!(f, "file {}", char::from(b'a' + file as u8 - 8)),
        }
    }
}
