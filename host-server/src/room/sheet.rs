use chess::{MAX_PLIES, Move, Scoresheet, SheetFull};

/// The moves of a game on the heap, so that the memory of a room grows with its game: most games are short.
#[derive(Debug, Default)]
pub struct Sheet(Vec<Move>);

/// A copy has space for up to this many further moves: a game is copied to add one.
const SPARE: usize = 16;

impl Clone for Sheet {
    fn clone(&self) -> Self {
        let mut moves = Vec::with_capacity((self.0.len() + 1).next_multiple_of(SPARE));
        moves.extend_from_slice(&self.0);
        Self(moves)
    }
}

impl Scoresheet for Sheet {
    fn moves(&self) -> &[Move] {
        &self.0
    }

    fn write(&mut self, mv: Move) -> Result<(), SheetFull> {
        if self.0.len() == MAX_PLIES {
            return Err(SheetFull);
        }
        self.0.push(mv);
        Ok(())
    }

    fn truncate(&mut self, plies: usize) {
        self.0.truncate(plies);
    }
}
