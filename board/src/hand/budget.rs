/// The work that one scan may still do, in instructions of a Cortex-M, estimated.
///
/// The budget is spent after the work, so that a scan exceeds it by at most one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    left: u32,
}

/// What the evaluation may take of a scan. With what a scan does besides it is less than 208,000 instructions, a millisecond at 208 MHz.
const OF_A_SCAN: u32 = 70_000;

/// Making a ply and generating the plies after it, apart from what each of them takes.
const POSITION: u32 = 4_000;

/// Generating a ply and comparing its footprint with the touches.
const PLY: u32 = 150;

/// Comparing a ply whose squares were all touched with the times of the touches.
const CANDIDATE: u32 = 1_000;

impl Budget {
    pub(super) const fn of_a_scan() -> Self {
        Self { left: OF_A_SCAN }
    }

    pub(super) const fn is_spent(self) -> bool {
        self.left == 0
    }

    /// All plies of a position were looked at.
    pub(super) fn look_at(&mut self, plies: usize) {
        let plies = u32::try_from(plies).unwrap_or(u32::MAX);
        self.left = self.left.saturating_sub(plies.saturating_mul(PLY));
    }

    /// A ply whose squares were all touched was compared with the touches.
    pub(super) fn compare(&mut self) {
        self.left = self.left.saturating_sub(CANDIDATE);
    }

    /// A ply was made, and those after it were generated and looked at.
    pub(super) fn enter(&mut self, plies: usize) {
        self.left = self.left.saturating_sub(POSITION);
        self.look_at(plies);
    }
}
