use crate::position::Position;

impl Position {
    /// How many ways there are to play so many plies from here: the standard measure of a move generator.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            // The last ply need not be played: its moves only have to be counted.
            1 => u64::from(self.count_legal_moves()),
            _ => {
                let shallower = depth.wrapping_sub(1);
                self.legal_moves().iter().fold(0, |nodes: u64, &mv| {
                    nodes.saturating_add(self.after(mv).perft(shallower))
                })
            }
        }
    }
}
