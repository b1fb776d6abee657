//! Detects what has changed since the last write, without a copy of the persistent state.

use core::hash::{Hash, Hasher};

use chess::Move;
use rules::{Play, Verdict};
use wire::journal::{SessionMemory, SettingsRecord};
use wire::link::GameInfo;

use super::persistent_state::{PersistentState, to_record};
use super::values::{VALUES, Values};

/// Number of positions at the end of a game whose moves are hashed, so that a takeback of up to seven plies is detected
/// as a change of the same game.
const PREFIXES: usize = 8;

/// Fingerprint of the persistent state: small parts by value, large parts as 64-bit hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint {
    start: u64,
    /// Whether the game is told.
    told: bool,
    plies: u16,
    /// Hashes of all moves up to the last ply and up to each of the seven plies before it. The hash of the first n moves
    /// is at index n modulo eight.
    prefixes: [u64; PREFIXES],
    pub(super) verdict: Option<Verdict>,
    pub(super) info: u64,
    pub(super) settings: SettingsRecord,
    pub(super) values: [u64; VALUES],
    pub(super) session: SessionMemory,
}

/// How a game differs from the fingerprinted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameDiff {
    Same,
    /// The first plies are equal; their number.
    AfterPly(u16),
    /// Another turn of a told game. The first plies are equal; their number.
    OtherTurn(u16),
    /// It has another start position.
    OtherStart,
}

impl Fingerprint {
    pub(super) fn of_state<const N: usize>(state: &PersistentState<'_, N>) -> Self {
        Self::new(state.play, &state.info(), to_record(state.settings), state.values, state.session.memory())
    }

    pub(super) fn new(
        play: &Play,
        info: &GameInfo,
        settings: SettingsRecord,
        values: &Values,
        session: SessionMemory,
    ) -> Self {
        let mut prefixes = [0; PREFIXES];
        for (plies, hash) in move_hashes(play.sheet()) {
            if let Some(slot) = slot(&mut prefixes, plies) {
                *slot = hash;
            }
        }
        let mut value_hashes = [0; VALUES];
        for (slot, (_, bytes)) in value_hashes.iter_mut().zip(values.iter()) {
            *slot = hash(&bytes);
        }
        let GameInfo { game, seat, hints, clock, verdict: _, white, black } = info;
        let clock = clock.map(|rule| (rule.base_ms, rule.increment_ms));
        Self {
            start: hash(&play.start()),
            told: play.is_told(),
            plies: u16::try_from(play.len()).unwrap_or(u16::MAX),
            prefixes,
            verdict: play.verdict(),
            info: hash(&(game, core::mem::discriminant(seat), hints, clock, white.as_str(), black.as_str())),
            settings,
            values: value_hashes,
            session,
        }
    }

    /// Compares a game with the fingerprinted one.
    pub(super) fn diff(&self, play: &Play) -> GameDiff {
        let same_start = hash(&play.start()) == self.start;
        let are_told = self.told && play.is_told();
        if !same_start && !are_told {
            return GameDiff::OtherStart;
        }
        let oldest = usize::from(self.plies).saturating_sub(PREFIXES - 1);
        let known = oldest..=usize::from(self.plies);
        let mut prefixes = self.prefixes;
        let equal = move_hashes(play.sheet())
            .filter(|(plies, hash)| {
                known.contains(plies) && slot(&mut prefixes, *plies).is_some_and(|slot| slot == hash)
            })
            .last();
        match equal {
            _ if !same_start => {
                GameDiff::OtherTurn(equal.map_or(0, |(plies, _)| u16::try_from(plies).unwrap_or(u16::MAX)))
            }
            Some((plies, _)) if plies == usize::from(self.plies) && plies == play.len() => GameDiff::Same,
            Some((plies, _)) => GameDiff::AfterPly(u16::try_from(plies).unwrap_or(u16::MAX)),
            // The games differ further back than the hashes reach, but start from the same position.
            None => GameDiff::AfterPly(0),
        }
    }

    /// Whether nothing has changed except what the relay has acknowledged.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let acknowledged = self.session.acknowledged;
        *self == Self { session: SessionMemory { acknowledged, ..other.session }, ..*other }
    }

    pub(super) const fn plies(&self) -> u16 {
        self.plies
    }
}

fn slot(prefixes: &mut [u64; PREFIXES], plies: usize) -> Option<&mut u64> {
    prefixes.get_mut(plies % PREFIXES)
}

/// The hash of the first n moves, for each n from 0.
fn move_hashes(moves: &[Move]) -> impl Iterator<Item = (usize, u64)> + '_ {
    let mut hasher = Fnv::new();
    let first = hasher.finish();
    let rest = moves.iter().map(move |mv| {
        mv.hash(&mut hasher);
        hasher.finish()
    });
    [first].into_iter().chain(rest).enumerate()
}

fn hash(thing: &impl Hash) -> u64 {
    let mut hasher = Fnv::new();
    thing.hash(&mut hasher);
    hasher.finish()
}

/// FNV-1a with 64 bits. A collision means that a change is not stored. With 32 bits, as in the crate `hash32`, that would
/// happen once in four billion changes; with 64 bits it is negligible.
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
