use crate::position::Position;

impl Position {
    /// Number of move sequences of `depth` plies: the standard test of a move generator.
    #[must_use]
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            // The moves of the last ply are counted and not played.
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
