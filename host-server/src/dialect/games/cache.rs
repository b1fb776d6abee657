//! Cache of games in closed rooms, which never change: without it every request would replay the log.

use std::collections::{HashMap, VecDeque};

use parking_lot::Mutex;

use super::{Kind, RenderedGame};
use crate::room::{Code, RoomId};

/// Maximum size of all cached bodies, in bytes.
const MAX_BYTES: usize = 32 << 20;

/// Which game, in which format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) room: RoomId,
    /// The number of the game in the room; `None` for the last.
    pub(super) number: Option<u32>,
    pub(super) kind: Kind,
}

/// Games of closed rooms. The oldest are removed first.
#[derive(Default)]
pub(super) struct FinishedGames {
    cached: Mutex<Cached>,
}

#[derive(Default)]
struct Cached {
    games: HashMap<Key, (Code, RenderedGame)>,
    order: VecDeque<Key>,
    bytes: usize,
}

impl FinishedGames {
    /// A game in the room with this id, if that had this code.
    pub(super) fn get(&self, code: &Code, key: Key) -> Option<RenderedGame> {
        self.cached.lock().games.get(&key).filter(|(opened, _)| opened == code).map(|(_, shown)| shown.clone())
    }

    pub(super) fn put(&self, code: Code, key: Key, shown: RenderedGame) {
        let mut cached = self.cached.lock();
        let bytes = shown.body.len();
        if bytes > MAX_BYTES / 4 || cached.games.contains_key(&key) {
            return;
        }
        while cached.bytes + bytes > MAX_BYTES
            && let Some(oldest) = cached.order.pop_front()
        {
            let removed = cached.games.remove(&oldest).map_or(0, |(_, shown)| shown.body.len());
            cached.bytes -= removed;
        }
        cached.bytes += bytes;
        cached.order.push_back(key);
        cached.games.insert(key, (code, shown));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_newest_games_within_its_size() {
        let games = FinishedGames::default();
        let code: Code = "abc".parse().unwrap();
        let key = |room| Key { room: RoomId(room), number: None, kind: Kind::Json };
        let shown = |bytes: usize| RenderedGame { number: 1, body: vec![0; bytes].into() };
        for room in 0..100 {
            games.put(code.clone(), key(room), shown(1 << 20));
        }
        assert!(games.get(&code, key(0)).is_none());
        assert!(games.get(&code, key(99)).is_some() && games.get(&code, key(70)).is_some());
        assert!(games.get(&"other".parse().unwrap(), key(99)).is_none());
        assert!(games.cached.lock().bytes <= MAX_BYTES);
        games.put(code.clone(), key(200), shown(MAX_BYTES));
        assert!(games.get(&code, key(200)).is_none(), "one game does not remove all others");
    }
}
