//! Whether the debounced signals are sufficient: all sequences of legal moves that they allow are searched.
//!
//! It knows all signals, also the later ones, and takes all the time that it wants: so it says what can be known in hindsight. It ignores
//! what a pawn becomes.

use std::collections::BTreeSet;

use chess::{Bitboard, Move, Position, Square};

/// A debounced change of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) at: u64,
    pub(super) square: Square,
    pub(super) closed: bool,
}

/// What the signals allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Signals {
    /// Only the moves that were made.
    Sufficient,
    /// Others as well.
    Ambiguous,
    /// The moves that were made do not show.
    Invisible,
}

/// Sequences beyond this number are not searched: it is ambiguous anyway.
const ENOUGH: usize = 4;

/// Judges the signals of these moves, which were made from this position.
pub(super) fn judge(before: &Position, changes: &[Change], occupied: Bitboard, made: &[Move]) -> Signals {
    let mut search = Search { changes, occupied, longest: made.len() + 1, found: BTreeSet::new() };
    search.follow(before, &mut Vec::new(), &[0; 64], (0, 0));
    let way = |moves: &[Move]| -> Vec<u16> { moves.iter().map(|mv| mv.promoting(None).bits()).collect() };
    let wanted = way(made);
    match search.found.len() {
        _ if !search.found.contains(&wanted) => Signals::Invisible,
        1 => Signals::Sufficient,
        _ => Signals::Ambiguous,
    }
}

struct Search<'a> {
    changes: &'a [Change],
    occupied: Bitboard,
    longest: usize,
    found: BTreeSet<Vec<u16>>,
}

impl Search<'_> {
    /// Follows the moves so far. `came` says when the piece on each square came there, `last` when the last move was lifted and when it
    /// came down.
    fn follow(&mut self, position: &Position, moves: &mut Vec<u16>, came: &[u64; 64], last: (u64, u64)) {
        if !moves.is_empty() && position.occupied() == self.occupied {
            self.found.insert(moves.clone());
        }
        if moves.len() == self.longest || self.found.len() > ENOUGH {
            return;
        }
        let mut ways = BTreeSet::new();
        for &mv in &position.legal_moves() {
            if !ways.insert(mv.promoting(None).bits()) {
                continue;
            }
            let Some(lifted) = self.first(mv.from(), false, came[usize::from(mv.from().index())]) else { continue };
            for landed in self.times(mv.to(), true, lifted) {
                let in_order = landed >= last.1 || lifted >= last.0;
                if !in_order || !self.shows(position, mv, landed, came) {
                    continue;
                }
                let mut next = *came;
                next[usize::from(mv.to().index())] = landed;
                if let Some((_, rook_to)) = position.castling_rook(mv) {
                    next[usize::from(rook_to.index())] = landed;
                }
                moves.push(mv.promoting(None).bits());
                self.follow(&position.after(mv), moves, &next, (lifted, landed));
                moves.pop();
            }
        }
    }

    /// Whether the captured piece and the castling rook show.
    fn shows(&self, position: &Position, mv: Move, landed: u64, came: &[u64; 64]) -> bool {
        let since = |square: Square| came[usize::from(square.index())];
        let taken = match position.victim(mv) {
            None => true,
            Some(victim) if victim == mv.to() => {
                self.first(victim, false, since(victim)).is_some_and(|lifted| lifted < landed)
            }
            Some(victim) => self.first(victim, false, since(victim)).is_some(),
        };
        let castled = position.castling_rook(mv).is_none_or(|(from, to)| {
            self.first(from, false, since(from)).is_some_and(|lifted| self.first(to, true, lifted).is_some())
        });
        taken && castled
    }

    fn times(&self, square: Square, closed: bool, since: u64) -> Vec<u64> {
        let matches = |change: &&Change| change.square == square && change.closed == closed && change.at > since;
        self.changes.iter().filter(matches).map(|change| change.at).collect()
    }

    fn first(&self, square: Square, closed: bool, since: u64) -> Option<u64> {
        self.times(square, closed, since).first().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(text: &str) -> Vec<Change> {
        let change = |(at, word): (usize, &str)| {
            let (square, sign) = word.split_at(2);
            Change { at: at as u64 + 1, square: square.parse().expect("a square"), closed: sign == "+" }
        };
        text.split_whitespace().enumerate().map(change).collect()
    }

    fn judged(fen: &str, signals: &str, moves: &str) -> Signals {
        let before: Position = fen.parse().expect("a position");
        let changes = changes(signals);
        let mut occupied = before.occupied();
        for change in &changes {
            let square = Bitboard::of(change.square);
            occupied = if change.closed { occupied | square } else { occupied.without(square) };
        }
        let moves: Vec<Move> = moves.split_whitespace().map(|mv| mv.parse().expect("a move")).collect();
        judge(&before, &changes, occupied, &moves)
    }

    const KNIGHTS: &str = "4k3/8/8/8/8/8/3N4/4K3 w - - 0 1";

    #[test]
    fn a_touch_on_the_way_is_no_move() {
        assert_eq!(judged(KNIGHTS, "d2- b1+ b1- f1+", "d2f1"), Signals::Sufficient);
    }

    #[test]
    fn a_capture_without_a_gap_is_invisible() {
        let fen = "4k3/8/8/8/2p5/8/3N4/4K3 w - - 0 1";
        assert_eq!(judged(fen, "d2- c4- c4+", "d2c4"), Signals::Sufficient);
        assert_eq!(judged(fen, "d2-", "d2c4"), Signals::Invisible);
    }

    #[test]
    fn two_pieces_that_may_have_been_taken_are_ambiguous() {
        let fen = "4k3/8/8/8/2p1p3/8/3N4/4K3 w - - 0 1";
        assert_eq!(judged(fen, "d2- c4- c4+ e4- e4+", "d2e4"), Signals::Ambiguous);
    }

    #[test]
    fn a_move_and_its_reply_are_distinguished() {
        let start = Position::start().fen().to_string();
        assert_eq!(judged(&start, "e2- e4+ e7- e5+", "e2e4 e7e5"), Signals::Sufficient);
        assert_eq!(judged(&start, "e2- e7- e5+ e4+", "e2e4 e7e5"), Signals::Sufficient, "the first is seen late");
    }
}
