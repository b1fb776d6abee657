use chess::{MAX_PLIES, Move, Scoresheet, SheetFull};

/// The moves of a game on the heap, so that the memory of a room grows with its game: most games are short.
#[derive(Clone, Debug, Default)]
pub struct Sheet(Vec<Move>);

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
