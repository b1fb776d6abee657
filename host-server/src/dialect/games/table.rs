//! What a code leads to, for a visitor who has not entered yet: who sits there, which seat is free, and on which terms.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use chess::Color;
use serde::Serialize;
use wire::link::ClockRule;

use super::GamesState;
use crate::boards::{ChallengePolicy, Standing};
use crate::dialect::json_error::JsonError;
use crate::dialect::notation::AsText;
use crate::relay::EnterError;
use crate::room::{Code, Entry, Name, Phase, Room, RoomId};
use crate::server::ClientContext;

/// The room with a code.
#[derive(Debug, Serialize)]
struct Table {
    /// The code, if the client has asked for the short one.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<Code>,
    phase: &'static str,
    white: Option<Sitting>,
    black: Option<Sitting>,
    /// The seat that the next player gets.
    #[serde(skip_serializing_if = "Option::is_none")]
    free: Option<AsText<Color>>,
    clock: Option<ClockRule>,
    /// How many games were begun.
    games: u32,
}

/// A player, or one who has left after the last game.
#[derive(Debug, Serialize)]
struct Sitting {
    name: Name,
    here: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    left: bool,
}

/// The board with a code.
#[derive(Debug, Serialize)]
struct BoardTable {
    board: Name,
    state: State,
    /// Whether a challenge in place of entering the room lets the player at the board decide.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    asks: bool,
    /// The code of the game that is played on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    watch: Option<Code>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<Table>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Free,
    Busy,
    Offline,
    /// It accepts no challenges.
    Refuses,
}

impl Table {
    fn of(room: &Room) -> Self {
        let sitting = |color| match (room.seat(color), room.left(color)) {
            (Some(seated), _) => {
                Some(Sitting { name: seated.player.name.clone(), here: seated.is_here(), left: false })
            }
            (None, Some(player)) => Some(Sitting { name: player.name.clone(), here: false, left: true }),
            (None, None) => None,
        };
        Self {
            code: None,
            phase: room.phase().name(),
            white: sitting(Color::White),
            black: sitting(Color::Black),
            free: room.open_seat().map(AsText),
            clock: room.terms().clock,
            games: room.games(),
        }
    }
}

impl GamesState {
    /// Answers what the code leads to.
    pub(super) async fn table(&self, code: &Code, client: &ClientContext) -> Result<Response, JsonError> {
        let mut found = self.relay.find(code).await?;
        let board = self.boards.with_code(code).await?;
        let mut full = None;
        if found.is_none() && board.is_none() {
            // A wrong guess counts, and so does a right one.
            client.try_code()?;
            full = self.relay.find_short_code(code).await?;
            found = match &full {
                Some(full) => self.relay.find(full).await?,
                None => return Err(EnterError::NoRoom.into()),
            };
        }
        client.try_known_code(code)?;
        let table = match found {
            Some(room) => self.table_of(room, client).await?.map(|table| Table { code: full, ..table }),
            None => None,
        };
        let body = match board {
            Some(board) => {
                let standing = self.boards.standing(&board, Some(&self.relay)).await?;
                let local = self.boards.local_game(&board).await?.filter(|local| local.room.is_some());
                // The last room of the board is no game of another link.
                let table = table.filter(|table| table.phase != Phase::Closed.name());
                let local = local.map(|local| local.code);
                let table = BoardTable::new(board.name, board.challenges, code, &standing, table, local);
                // Who is on the relay's own machine is at its virtual board, or its owner.
                let asks = table.state == State::Free && !client.is_local();
                crate::dialect::json(&BoardTable { asks, ..table })
            }
            None => crate::dialect::json(&table.ok_or(EnterError::NoRoom)?),
        };
        Ok(([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], body).into_response())
    }

    async fn table_of(&self, room: RoomId, client: &ClientContext) -> Result<Option<Table>, JsonError> {
        if let Some(room) = self.relay.copy(room).await {
            return Ok(Some(Table::of(&room)));
        }
        client.try_replay(self.relay.replay_cost(room).await?)?;
        let table = |log: Vec<Entry>| Room::from_log(&log).map(|room| Table::of(&room));
        Ok(self.relay.replay_log(room, table).await?.flatten())
    }
}

impl BoardTable {
    /// `local` is the code of the room that follows a game of two people at the board.
    fn new(
        board: Name,
        challenges: ChallengePolicy,
        code: &Code,
        standing: &Standing,
        table: Option<Table>,
        local: Option<Code>,
    ) -> Self {
        let is_elsewhere = standing.seat.as_ref().is_some_and(|seat| seat.code != *code);
        let can_sit = table.as_ref().is_none_or(|table| table.free.is_some());
        let state = match standing {
            Standing { is_online: false, .. } => State::Offline,
            Standing { is_free: true, .. } if can_sit && !is_elsewhere => match challenges {
                ChallengePolicy::Off => State::Refuses,
                ChallengePolicy::Everyone | ChallengePolicy::Link => State::Free,
            },
            _ => State::Busy,
        };
        // The waiting room of a board shows nothing.
        let has_game = is_elsewhere || table.as_ref().is_some_and(|table| table.free.is_none());
        let shared = standing.seat.as_ref().filter(|_| has_game).map(|seat| seat.code.clone());
        // After a local game a new opponent can have the board.
        let watch = shared.or_else(|| local.filter(|_| matches!(state, State::Busy | State::Offline)));
        Self { board, state, asks: false, watch, table }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::StoredSeat;

    fn table(free: Option<Color>) -> Table {
        let clock = None;
        Table { code: None, phase: "waiting", white: None, black: None, free: free.map(AsText), clock, games: 0 }
    }

    fn state_of(standing: &Standing, free: Option<Color>) -> (State, Option<String>) {
        state_with(ChallengePolicy::Link, standing, free)
    }

    fn state_with(challenges: ChallengePolicy, standing: &Standing, free: Option<Color>) -> (State, Option<String>) {
        shown(challenges, standing, free, None)
    }

    fn shown(
        challenges: ChallengePolicy,
        standing: &Standing,
        free: Option<Color>,
        local: Option<&str>,
    ) -> (State, Option<String>) {
        let (name, code) = ("hall".parse().unwrap(), "BOARD".parse().unwrap());
        let local = local.map(|code| code.parse().unwrap());
        let shown = BoardTable::new(name, challenges, &code, standing, Some(table(free)), local);
        (shown.state, shown.watch.map(|code| code.to_string()))
    }

    #[test]
    fn a_game_of_two_people_at_the_board_can_be_watched_while_it_is_played() {
        let busy =
            Standing { is_online: true, is_free: false, is_set_up: false, is_playing: false, seat: None, features: 0 };
        let state_of = |standing: &Standing| shown(ChallengePolicy::Link, standing, Some(Color::Black), Some("LOCAL"));
        assert_eq!(state_of(&busy), (State::Busy, Some("LOCAL".to_owned())));
        let offline = Standing { is_online: false, ..busy.clone() };
        assert_eq!(state_of(&offline), (State::Offline, Some("LOCAL".to_owned())));
        let free = Standing { is_free: true, ..busy.clone() };
        assert_eq!(state_of(&free), (State::Free, None), "it is over");
        let code = "OTHER".parse().unwrap();
        let seat = Some(StoredSeat { code, user: crate::random::user_id(), token: String::new() });
        assert_eq!(state_of(&Standing { seat, ..busy }).1, Some("OTHER".to_owned()), "a remote game goes first");
    }

    #[test]
    fn a_board_is_free_busy_or_offline() {
        let seat = |code: &str| {
            Some(StoredSeat { code: code.parse().unwrap(), user: crate::random::user_id(), token: String::new() })
        };
        let own = seat("BOARD");
        let waiting =
            Standing { is_online: true, is_free: true, is_set_up: true, is_playing: false, seat: own, features: 0 };
        assert_eq!(state_of(&waiting, Some(Color::Black)), (State::Free, None));
        assert_eq!(state_of(&waiting, None), (State::Busy, Some("BOARD".to_owned())), "an opponent is there");
        let elsewhere = Standing { seat: seat("OTHER"), ..waiting.clone() };
        assert_eq!(state_of(&elsewhere, Some(Color::Black)), (State::Busy, Some("OTHER".to_owned())));
        let local = Standing { is_free: false, seat: None, ..waiting.clone() };
        assert_eq!(state_of(&local, Some(Color::Black)), (State::Busy, None), "its game has no link yet");
        let off = |standing: &Standing, free| state_with(ChallengePolicy::Off, standing, free);
        assert_eq!(off(&waiting, Some(Color::Black)), (State::Refuses, None));
        assert_eq!(off(&waiting, None), (State::Busy, Some("BOARD".to_owned())), "its game can be watched");
        assert_eq!(off(&elsewhere, Some(Color::Black)), (State::Busy, Some("OTHER".to_owned())));
        let offline = Standing { is_online: false, ..waiting };
        assert_eq!(state_of(&offline, Some(Color::Black)).0, State::Offline);
    }
}
