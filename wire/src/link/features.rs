//! The bits of [`Hello::features`](super::Hello::features). The bits from 0 on belong to rule sets: see [`rules::Start::feature`].

/// The sender understands a [`Live`](super::Live) that announces a rematch.
pub const REMATCH: u32 = 1 << 8;

/// The sender shows a [`Challenge`](super::Challenge), and its player answers it.
pub const CHALLENGES: u32 = 1 << 9;

/// The sender understands [`ConsoleLine`](super::ConsoleLine) and [`ConsoleOutput`](super::ConsoleOutput).
pub const CONSOLE: u32 = 1 << 10;

/// Everything that this program understands, besides rule sets.
pub const ALL: u32 = REMATCH | CHALLENGES | CONSOLE;
