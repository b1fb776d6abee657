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
                let mut nodes = 0_u64;
                for &mv in &self.legal_moves() {
                    nodes = nodes.saturating_add(self.after(mv).perft(depth.wrapping_sub(1)));
                }
                nodes
            }
        }
    }
}
