use chess::{Move, Scoresheet, SheetFull};

/// A growing scoresheet, as a relay uses it.
#[derive(Clone, Debug, Default)]
pub(crate) struct GrowingSheet(Vec<Move>);

impl Scoresheet for GrowingSheet {
    fn moves(&self) -> &[Move] {
        &self.0
    }

    fn write(&mut self, mv: Move) -> Result<(), SheetFull> {
        self.0.push(mv);
        Ok(())
    }

    fn truncate(&mut self, plies: usize) {
        self.0.truncate(plies);
    }
}
