//! The bits of [`Hello::features`](super::Hello::features). The bits from 0 on belong to rule sets: see [`rules::Start::feature`].

/// The sender understands a [`Live`](super::Live) that announces a rematch.
pub const REMATCH: u32 = 1 << 8;

/// The sender understands [`Event::Corrected`](super::Event::Corrected).
pub const CORRECTIONS: u32 = 1 << 16;
