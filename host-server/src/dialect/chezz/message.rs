//! The messages of chezz. `init`, `move` and `error` are the original's; the other types are additional, and its client ignores them.

use axum::extract::ws::Utf8Bytes;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use chess::Color;
use rules::{Ply, Verdict};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::dialect::frame;
use crate::room::{Code, Player, Room, Time, reason_of};

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Message<'a> {
    Init {
        relation: &'static str,
    },
    #[serde(rename_all = "camelCase")]
    Move {
        uci: String,
        mate_status: &'static str,
        is_mate: bool,
        en_passant_capture: String,
        checked_player: u8,
    },
    Error {
        error: String,
        code: &'a str,
    },

    /// Which players are connected.
    Presence(ConnectedPlayers),
    /// Remaining times in milliseconds, and whose clock runs; 2 for none.
    Clock {
        white: u64,
        black: u64,
        running: u8,
    },
    /// A game begins. The colours may have changed.
    Start {
        relation: &'static str,
        board: String,
    },
    /// Plies were taken back.
    Takeback {
        plies: u8,
        board: String,
    },
    DrawOffer {
        player: u8,
    },
    DrawDeclined,
    End {
        result: &'static str,
        reason: &'static str,
    },
}

/// Which players are connected.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
pub(super) struct ConnectedPlayers {
    pub(super) white: bool,
    pub(super) black: bool,
}

impl Message<'_> {
    pub(super) fn frame(&self) -> Utf8Bytes {
        frame(self)
    }

    /// The last move of a game of chess.
    pub(super) fn moved(before: &Room, ply: Ply, room: &Room) -> Option<Self> {
        let after = room.game().chess()?.position();
        let is_mate = after.is_checkmate();
        let mate_status = match (is_mate, after.is_stalemate()) {
            (true, _) => "#",
            (_, true) => "-",
            _ => "",
        };
        let captured = before.game().situation().footprint(ply).map(|footprint| footprint.captured);
        let victim = captured.and_then(chess::Bitboard::first).filter(|&square| square != ply.to());
        Some(Self::Move {
            uci: uci(ply),
            mate_status,
            is_mate,
            en_passant_capture: victim.map_or_else(String::new, |square| square.to_string()),
            checked_player: if after.is_check() { player(Some(after.turn())) } else { player(None) },
        })
    }

    pub(super) fn clock(room: &Room, now: Time) -> Option<Self> {
        let clock = room.clock()?;
        let [white, black] = Color::ALL.map(|color| clock.left(color, now));
        Some(Self::Clock { white, black, running: player(clock.running()) })
    }

    pub(super) const fn end(verdict: Verdict) -> Self {
        Self::End { result: verdict.result(), reason: reason_of(verdict) }
    }
}

/// The body of `GET /game/{id}`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GameBody {
    relation: &'static str,
    black_player: String,
    white_player: String,
    game_id: Code,
    board: String,
}

impl GameBody {
    pub(super) fn of(room: &Room, color: Option<Color>) -> Self {
        Self {
            relation: relation(color),
            black_player: player_id(room, Color::Black),
            white_player: player_id(room, Color::White),
            game_id: room.code().clone(),
            board: board(room),
        }
    }
}

pub(super) const fn relation(color: Option<Color>) -> &'static str {
    match color {
        Some(Color::White) => "white",
        Some(Color::Black) => "black",
        None => "observer",
    }
}

/// The original's number of a player; 2 for none.
pub(super) const fn player(color: Option<Color>) -> u8 {
    match color {
        Some(Color::White) => 0,
        Some(Color::Black) => 1,
        None => 2,
    }
}

/// An id as the original has them: a positive number of 63 bits, in decimal digits.
pub(super) fn decimal_id(random: u64) -> Code {
    (random >> 1).max(1).to_string().parse().expect("at most 19 digits are a valid code")
}

/// The player of a side, also if the seat is free again after the game.
fn player_of(room: &Room, color: Color) -> Option<&Player> {
    room.seat(color).map(|seated| &seated.player).or_else(|| room.left(color))
}

/// The side of the player who has this token, or had it in the last game.
pub(super) fn side_by_token(room: &Room, token: &str) -> Option<Color> {
    Color::ALL.into_iter().find(|&color| player_of(room, color).is_some_and(|player| player.token.opens_with(token)))
}

/// A player's id as a number; 0 if there was none yet.
fn player_id(room: &Room, color: Color) -> String {
    let Some(player) = player_of(room, color) else { return "0".to_owned() };
    let digest: [u8; 32] = Sha256::digest(player.id.as_str()).into();
    let number = digest.first_chunk().map_or(0, |&bytes| u64::from_le_bytes(bytes));
    decimal_id(number).to_string()
}

/// The documented state in base64; empty for a game that it cannot express, which is one from a set-up position with moves.
pub(super) fn board(room: &Room) -> String {
    let mut bytes = vec![0; wire::layout::MAX_LEN];
    let len = room.game().chess().and_then(|game| wire::layout::encode(game, &mut bytes).ok()).unwrap_or(0);
    BASE64_STANDARD.encode(&bytes[..len])
}

/// UCI with the promotion in upper case, as the document writes it.
fn uci(ply: Ply) -> String {
    let text = ply.to_string();
    let (squares, promotion) = text.split_at(4);
    squares.to_owned() + &promotion.to_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::test_table::TestTable;
    use crate::room::{Act, Phase, Terms};

    #[test]
    fn the_players_of_a_finished_game_stay_known_when_their_seats_are_free() {
        let mut table = TestTable::new(Terms { by_invitation: true, ..Terms::default() });
        table.plays("f2f3 e7e5 g2g4 d8h4");
        let shown = |table: &TestTable| {
            let ids = Color::ALL.map(|color| player_id(&table.room, color));
            (side_by_token(&table.room, "white"), side_by_token(&table.room, "black"), ids, board(&table.room))
        };
        let before = shown(&table);
        assert_eq!((before.0, before.1), (Some(Color::White), Some(Color::Black)));
        for (leaver, phase) in [(Color::White, Phase::Over), (Color::Black, Phase::Closed)] {
            table.acts(leaver, Act::Leave).unwrap();
            assert_eq!((table.room.phase(), table.room.seat(leaver).is_none()), (phase, true));
            assert_eq!(shown(&table), before);
        }
    }
}
