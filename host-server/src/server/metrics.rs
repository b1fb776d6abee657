//! Every figure that a relay shows, one function for each thing that happens. Nobody else names a figure.
//!
//! docs/operations.md lists them, and a test compares.

use std::sync::OnceLock;
use std::time::Duration;

use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

use crate::room::Reason;

const ROOMS: &str = "tabiya_rooms";
const CONNECTIONS: &str = "tabiya_connections";
const MOVES: &str = "tabiya_moves_total";
const STORED: &str = "tabiya_move_stored_seconds";
const TOLD: &str = "tabiya_move_told_seconds";
const STORE_ERRORS: &str = "tabiya_store_errors_total";
const DROPS: &str = "tabiya_drops_total";
const REFUSALS: &str = "tabiya_refusals_total";
const JOINS: &str = "tabiya_joins_total";
const GAMES: &str = "tabiya_games_ended_total";
const HANDSHAKES: &str = "tabiya_failed_handshakes_total";

/// For all histograms, which are all seconds: from a tenth of a millisecond to ten seconds: a local file is at one end, a Redis in trouble at the other.
const BUCKETS: &[f64] = &[0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 10.0];

macro_rules! labels {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident $label:literal),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$variant_doc])* $variant),*
        }

        impl $name {
            const fn label(self) -> &'static str {
                match self {
                    $(Self::$variant => $label),*
                }
            }
        }
    )*};
}

labels! {
    /// The tongue that somebody speaks.
    Tongue {
        /// A wooden board's.
        Board "board",
        /// Chessata's.
        Chessata "chessata",
        /// Socket.IO.
        SocketIo "socketio",
        /// Chezz, over HTTP.
        Chezz "chezz",
        /// The builder's.
        Builder "builder",
        /// That of the program from DGT.
        LiveChess "livechess",
        /// That of windows that show a virtual board.
        Panel "panel",
    }

    /// Why a connection was ended by the relay.
    Drop {
        /// It does not read what it is told.
        Slow "slow",
        /// It talks too much.
        Rate "rate",
        /// It sent something too large.
        Size "size",
        /// It is not there any more.
        Dead "dead",
        /// It says what nobody understands.
        Protocol "protocol",
    }

    /// Which limit somebody has met.
    Limit {
        /// Connections in all.
        Connections "connections",
        /// Connections of one address.
        ConnectionsPerAddress "connections_per_address",
        /// New connections of one address.
        ConnectionRate "connection_rate",
        /// Requests of one address.
        RequestRate "request_rate",
        /// Codes that one address has tried.
        JoinRate "join_rate",
        /// A page that is not ours.
        Origin "origin",
    }

    /// What came of trying to join.
    Join {
        /// A seat.
        Player "player",
        /// A seat that was theirs already.
        Return "return",
        /// A place to watch from.
        Spectator "spectator",
        /// Nothing.
        Refused "refused",
    }
}

/// Begins to count. It is done once a process, however many relays there are in it.
pub(super) fn install() -> &'static PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE.get_or_init(|| {
        // It only refuses to have no buckets at all.
        let builder = PrometheusBuilder::new().set_buckets(BUCKETS).unwrap_or_else(|_| PrometheusBuilder::new());
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        // Whoever was here before counts on; then there is nothing to show here.
        if metrics::set_global_recorder(recorder).is_ok() {
            describe();
        }
        handle
    })
}

fn describe() {
    describe_gauge!(ROOMS, "Rooms that this relay has open.");
    describe_gauge!(CONNECTIONS, "Connections, by the tongue that they speak.");
    describe_counter!(MOVES, "Moves that were played through this relay.");
    describe_histogram!(STORED, "From the arrival of a move until it is stored.");
    describe_histogram!(TOLD, "From the storing of a move until a player here was sent it.");
    describe_counter!(STORE_ERRORS, "What the store did not do, by what it was asked for.");
    describe_counter!(DROPS, "Connections that the relay has ended, by reason.");
    describe_counter!(REFUSALS, "What was refused before anybody looked at it, by the limit that it met.");
    describe_counter!(JOINS, "Attempts to join a room, by what came of it.");
    describe_counter!(GAMES, "Games that have ended, by reason.");
    describe_counter!(HANDSHAKES, "Connections that never came to speak TLS.");
}

/// This relay has so many rooms open.
pub fn rooms(number: usize) {
    // There are never more than this.
    gauge!(ROOMS).set(f64::from(u32::try_from(number).unwrap_or(u32::MAX)));
}

/// Somebody has connected. It is so until what is returned is dropped.
#[must_use]
pub fn connected(tongue: Tongue) -> Connected {
    gauge!(CONNECTIONS, "tongue" => tongue.label()).increment(1.0);
    Connected(tongue)
}

/// That somebody is connected.
#[derive(Debug)]
pub struct Connected(Tongue);

impl std::ops::Drop for Connected {
    fn drop(&mut self) {
        gauge!(CONNECTIONS, "tongue" => self.0.label()).decrement(1.0);
    }
}

/// A move that was played here is stored, so long after it came.
pub fn move_stored(after: Duration) {
    counter!(MOVES).increment(1);
    histogram!(STORED).record(after);
}

/// A player here was sent a move, so long after it was stored.
pub fn move_told(after: Duration) {
    histogram!(TOLD).record(after);
}

/// The store did not do what it was asked for.
pub fn store_failed(asked: &'static str) {
    counter!(STORE_ERRORS, "operation" => asked).increment(1);
}

/// The relay has ended a connection.
pub fn dropped(reason: Drop) {
    counter!(DROPS, "reason" => reason.label()).increment(1);
}

/// Somebody has tried to join a room.
pub fn joined(join: Join) {
    counter!(JOINS, "result" => join.label()).increment(1);
}

/// A game is over.
pub fn game_ended(reason: Reason) {
    counter!(GAMES, "reason" => reason_label(reason)).increment(1);
}

pub(super) fn refused(limit: Limit) {
    counter!(REFUSALS, "limit" => limit.label()).increment(1);
}

pub(super) fn handshake_failed() {
    counter!(HANDSHAKES).increment(1);
}

const fn reason_label(reason: Reason) -> &'static str {
    match reason {
        Reason::Checkmate => "checkmate",
        Reason::Resignation => "resignation",
        Reason::Time => "time",
        Reason::Stalemate => "stalemate",
        Reason::InsufficientMaterial => "insufficient_material",
        Reason::FivefoldRepetition => "fivefold_repetition",
        Reason::SeventyFiveMoves => "seventy_five_moves",
        Reason::ThreefoldRepetition => "threefold_repetition",
        Reason::FiftyMoves => "fifty_moves",
        Reason::Agreement => "agreement",
        Reason::TimeAgainstBareKing => "time_against_bare_king",
        Reason::Disconnect => "disconnect",
        Reason::Aborted => "aborted",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One line for each figure, whatever its labels.
    #[test]
    fn every_figure_is_shown_and_documented() {
        let handle = install();
        rooms(2);
        let _connected = connected(Tongue::Board);
        move_stored(Duration::from_millis(3));
        move_told(Duration::from_micros(80));
        store_failed("append");
        dropped(Drop::Slow);
        joined(Join::Player);
        game_ended(Reason::Checkmate);
        refused(Limit::JoinRate);
        handshake_failed();
        let page = handle.render();
        let document = include_str!("../../../docs/operations.md");
        for name in [ROOMS, CONNECTIONS, MOVES, STORED, TOLD, STORE_ERRORS, DROPS, REFUSALS, JOINS, GAMES, HANDSHAKES] {
            assert!(page.contains(&format!("# HELP {name} ")), "{name} is not on the page:\n{page}");
            assert!(document.contains(&format!("| `{name}` |")), "{name} is not in docs/operations.md");
        }
        assert!(page.contains(r#"tabiya_connections{tongue="board"} 1"#), "{page}");
        assert!(page.contains(r#"tabiya_move_stored_seconds_bucket{le="0.005"} 1"#), "{page}");
    }
}
