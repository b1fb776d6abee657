//! A game that is over, for a client that only looks at it: the same messages as those of a spectator, and then a close.

use axum::extract::ws::Utf8Bytes;
use axum::http::StatusCode;
use chess::Color;

use super::ChessataState;
use super::message::{Chat, Init, InitExtras, Players, Review, ScriptName, Side};
use super::view::{self, Past};
use crate::dialect::frame;
use crate::dialect::json_error::JsonError;
use crate::dialect::played::{self, Played};
use crate::room::{Code, Entry, Name, RoomId};
use crate::server::ClientContext;

/// Which stored game a client is to be shown.
pub(super) struct StoredGameRequest {
    pub(super) code: Code,
    /// Its number; the last one without it.
    pub(super) game: Option<u32>,
    /// The room, if it need not be the one that has the code now.
    pub(super) room: Option<RoomId>,
    pub(super) name: Name,
    /// The token of a seat. A client that had it sees the game from its own side.
    pub(super) token: Option<String>,
}

impl ChessataState {
    /// The messages of a stored game. `None` if the game is not over, or if there is none.
    pub(super) async fn stored(
        &self,
        shown: &StoredGameRequest,
        client: &ClientContext,
    ) -> Result<Option<Vec<Utf8Bytes>>, JsonError> {
        let room = match shown.room {
            Some(room) => Some(room),
            None => self.relay.find(&shown.code).await?,
        };
        let unknown = || JsonError::new(StatusCode::NOT_FOUND, "There is no game with this code.");
        let found = match room {
            Some(room) => self.relay.replay_cost_under(room, &shown.code).await?.map(|cost| (room, cost)),
            None => None,
        };
        let Some((room, cost)) = found else {
            client.try_code()?;
            return Err(unknown());
        };
        client.try_known_code(&shown.code)?;
        client.try_replay(cost)?;
        let (number, name, token) = (shown.game, shown.name.clone(), shown.token.clone());
        let show = move |log: Vec<Entry>| match played::find(&log, number) {
            None if number.is_some() => Err(()),
            found => Ok(found
                .filter(|game| game.room.verdict().is_some())
                .map(|game| messages(&game, &name, token.as_deref()))),
        };
        // It may have expired meanwhile.
        let made = self.relay.replay_log(room, show).await?.ok_or_else(unknown)?;
        made.map_err(|()| JsonError::new(StatusCode::NOT_FOUND, "There is no game with this number under this code."))
    }
}

fn messages(game: &Played, name: &Name, token: Option<&str>) -> Vec<Utf8Bytes> {
    let Played { room, number, games, open, .. } = game;
    let is_own = |color: &Color| {
        let player = room.seat(*color).map(|seated| &seated.player);
        player.zip(token).is_some_and(|(player, token)| player.token.opens_with(token))
    };
    let own = Color::ALL.into_iter().find(is_own);
    let user_id = match own.and_then(|color| room.seat(color)) {
        Some(seated) => seated.player.id.clone(),
        None => crate::random::user_id(),
    };
    let players = || Players::of_stored(room, open.as_deref());
    let init = Init {
        user_id: &user_id,
        role: own.into(),
        extras: Some(InitExtras {
            token: None,
            color: Side(own),
            code: room.code().as_str(),
            name,
            chat: room.chat().map(Chat::from).collect(),
            players: players(),
            clock: room.terms().clock.map(Into::into),
            watching: None,
            grace_ms: None,
            room: room.id().to_string(),
            rules: room.terms().start().name(),
            script: room.script().map(|script| ScriptName { id: script.id, title: &script.name }),
            review: Some(Review { game: *number, games: *games, is_open: open.is_some() }),
        }),
    };
    let at = room.last_at();
    let mut frames = vec![frame(&init), view::start_with(room, own, Some(players()))];
    view::state(room, &Past::Whole, at, true, &mut frames);
    frames.extend(room.verdict().map(|verdict| view::end(room, verdict, at, true)));
    frames
}
