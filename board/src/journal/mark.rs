use core::hash::{Hash, Hasher};

use chess::{Game, Move, Outcome, Position};
use wire::journal::Preferences;
use wire::link::Table;

use super::values::{VALUES, Values};
use crate::session::Memory;

/// How many plies can be taken back and still be found to be the same game.
const TRAIL: usize = 8;

/// What the holdings were at some moment, in so few bytes that it can be told what has changed since, though not what it
/// was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    start: u64,
    plies: u16,
    /// The moves up to the last ply and up to the seven before it, each in the place of its number modulo eight.
    trail: [u64; TRAIL],
    pub(super) outcome: Option<Outcome>,
    pub(super) table: u64,
    pub(super) preferences: Preferences,
    pub(super) values: [u64; VALUES],
    pub(super) memory: Memory,
}

/// Where a game has left the one that it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fork {
    /// It has not.
    Same,
    /// So many plies are the same.
    At(u16),
    /// It is another game.
    Elsewhere,
}

impl Mark {
    pub(super) fn of(
        game: &Game,
        table: &Table<'_>,
        preferences: Preferences,
        values: &Values,
        memory: Memory,
    ) -> Self {
        let mut trail = [0; TRAIL];
        for (ply, moves) in prefixes(game.moves()) {
            if let Some(slot) = slot(&mut trail, ply) {
                *slot = moves;
            }
        }
        let mut kept = [0; VALUES];
        for (slot, (_, bytes)) in kept.iter_mut().zip(values.iter()) {
            *slot = fingerprint(&bytes);
        }
        let Table { game: number, seat, hints, clock, outcome: _, white, black } = *table;
        let clock = clock.map(|rule| (rule.base_ms, rule.increment_ms));
        Self {
            start: of_position(game.start()),
            plies: u16::try_from(game.moves().len()).unwrap_or(u16::MAX),
            trail,
            outcome: game.outcome(),
            table: fingerprint(&(number, core::mem::discriminant(&seat), hints, clock, white, black)),
            preferences,
            values: kept,
            memory,
        }
    }

    /// Compares a game with the one that this is of.
    pub(super) fn fork(&self, game: &Game) -> Fork {
        if of_position(game.start()) != self.start {
            return Fork::Elsewhere;
        }
        let oldest = usize::from(self.plies).saturating_sub(TRAIL - 1);
        let known = oldest..=usize::from(self.plies);
        let mut trail = self.trail;
        let same = prefixes(game.moves())
            .filter(|(ply, moves)| known.contains(ply) && slot(&mut trail, *ply).is_some_and(|slot| slot == moves))
            .last();
        match same {
            Some((ply, _)) if ply == usize::from(self.plies) && ply == game.moves().len() => Fork::Same,
            Some((ply, _)) => Fork::At(u16::try_from(ply).unwrap_or(u16::MAX)),
            // Further back than can be told; the start is the same in any case.
            None => Fork::At(0),
        }
    }

    /// Whether nothing has changed, but for what the relay has acknowledged.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let acknowledged = self.memory.acknowledged;
        *self == Self { memory: Memory { acknowledged, ..other.memory }, ..*other }
    }

    /// How many plies the game had.
    pub(super) const fn plies(&self) -> u16 {
        self.plies
    }
}

fn slot(trail: &mut [u64; TRAIL], ply: usize) -> Option<&mut u64> {
    trail.get_mut(ply % TRAIL)
}

/// What the first moves amount to, for each number of them from none on.
fn prefixes(moves: &[Move]) -> impl Iterator<Item = (usize, u64)> + '_ {
    let mut hasher = Fnv::new();
    let first = hasher.finish();
    let rest = moves.iter().map(move |mv| {
        mv.hash(&mut hasher);
        hasher.finish()
    });
    [first].into_iter().chain(rest).enumerate()
}

fn of_position(position: &Position) -> u64 {
    let en_passant = position.en_passant();
    let counters = (position.halfmoves(), position.fullmoves());
    fingerprint(&(position.board(), position.turn(), position.castling(), en_passant, counters))
}

fn fingerprint(thing: &impl Hash) -> u64 {
    let mut hasher = Fnv::new();
    thing.hash(&mut hasher);
    hasher.finish()
}

/// FNV-1a: two different things have the same number once in so many times that nobody will see it.
struct Fnv(u64);

impl Fnv {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
