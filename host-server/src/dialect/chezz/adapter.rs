//! Translates between the texts of chezz and the room.

use axum::extract::ws;
use chess::Color;

use super::message::{ConnectedPlayers, Message, board, player, relation};
use super::request;
use crate::dialect::connection::End;
use crate::dialect::{Dialect, Refused, Request, View};
use crate::relay::{RoomUpdate, Update};
use crate::room::{Fact, Offer, Room, Seated};

/// Longest text of a client, in bytes.
const LONGEST: usize = 64;

/// The state of one connection.
#[derive(Default)]
pub(super) struct Chezz {
    /// The presence that was sent to the client last.
    presence: Option<ConnectedPlayers>,
    /// The side that the client had in the game that is over, if its seat is free again.
    past: Option<Color>,
}

impl Chezz {
    pub(super) fn of_past_player(past: Option<Color>) -> Self {
        Self { past, ..Self::default() }
    }

    /// The answer to an act in a game that is over.
    pub(super) fn over() -> ws::Message {
        error("GAME_OVER", "The game is over")
    }

    /// The presence of the players, if it has changed. The client's own seat counts as connected.
    fn presence(&mut self, view: &View<'_>) -> Option<Message<'static>> {
        let is_here = |color| view.color == Some(color) || view.room.seat(color).is_some_and(Seated::is_here);
        let presence = ConnectedPlayers { white: is_here(Color::White), black: is_here(Color::Black) };
        (self.presence.replace(presence) != Some(presence)).then_some(Message::Presence(presence))
    }
}

impl Dialect for Chezz {
    const NAME: &'static str = "chezz";

    fn welcome(&mut self, view: &View<'_>, _spectators: usize) -> Vec<ws::Message> {
        let room = view.room;
        let is_over = room.verdict().is_some();
        let init = Message::Init { relation: relation(view.color.or(self.past.filter(|_| is_over))) };
        let offer = room.draw_offer().map(|color| Message::DrawOffer { player: player(Some(color)) });
        let end = room.verdict().map(Message::end);
        let clock = Message::clock(room, view.now);
        let messages = [Some(init), self.presence(view), clock, offer, end];
        messages.into_iter().flatten().map(|message| text(&message)).collect()
    }

    fn decode(&mut self, message: &ws::Message, view: &View<'_>) -> Result<Request, ws::Message> {
        let unreadable = || error("UNPARSEABLE_MOVE", "A message is one move as text");
        let ws::Message::Text(content) = message else { return Err(unreadable()) };
        if content.len() > LONGEST {
            return Err(unreadable());
        }
        match request::decode(content, view.room, view.color) {
            Ok(act) => Ok(Request::Act(act)),
            Err(refused) => Err(error(refused.code, &refused.error)),
        }
    }

    fn encode(&mut self, before: &Room, update: &RoomUpdate, view: &View<'_>) -> Vec<ws::Message> {
        let Update::Entry(entry) = &update.update else { return Vec::new() };
        let room = view.room;
        let clock = || Message::clock(room, view.now);
        let messages = match &entry.fact {
            Fact::Moved { ply, .. } => vec![Message::moved(before, *ply, room), clock()],
            Fact::Began { .. } => {
                vec![Some(Message::Start { relation: relation(view.color), board: board(room) }), clock()]
            }
            Fact::TakenBack { plies, .. } => {
                vec![Some(Message::Takeback { plies: *plies, board: board(room) }), clock()]
            }
            Fact::Corrected { .. } => vec![Some(Message::Takeback { plies: 1, board: board(room) }), clock()],
            Fact::DrawOffered { color } => vec![Some(Message::DrawOffer { player: player(Some(*color)) })],
            Fact::DrawDeclined | Fact::Withdrawn { offer: Offer::Draw } => vec![Some(Message::DrawDeclined)],
            Fact::Ended(ending) => vec![Some(Message::end(ending.verdict)), clock()],
            Fact::Sat { .. } | Fact::Connected { .. } | Fact::Disconnected { .. } | Fact::Left { .. } => {
                vec![self.presence(view)]
            }
            _ => Vec::new(),
        };
        messages.into_iter().flatten().map(|message| text(&message)).collect()
    }

    fn refuse(&mut self, refused: Refused) -> ws::Message {
        match refused {
            Refused::Act(reason) => error("REFUSED", &reason.to_string()),
            Refused::Rate(wait) => error("TOO_MANY_MESSAGES", &wait.to_string()),
        }
    }

    fn last_message(&mut self, _end: &End) -> Option<ws::Message> {
        None
    }
}

fn text(message: &Message<'_>) -> ws::Message {
    ws::Message::Text(message.frame())
}

fn error(code: &'static str, error: &str) -> ws::Message {
    text(&Message::Error { error: error.to_owned(), code })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::test_table::{Change, TestTable};
    use crate::room::{Act, Terms};

    /// The messages that White's client gets for changes.
    fn sent(table: &TestTable, changes: &[Change]) -> Vec<serde_json::Value> {
        let mut chezz = Chezz::default();
        let translate = |Change { before, update }: &Change| {
            let view = View { room: &update.room, ..table.view(Color::White) };
            chezz.encode(before, update, &view)
        };
        json(changes.iter().flat_map(translate))
    }

    fn json(messages: impl IntoIterator<Item = ws::Message>) -> Vec<serde_json::Value> {
        messages.into_iter().map(|message| serde_json::from_str(message.to_text().unwrap()).unwrap()).collect()
    }

    fn types(messages: &[serde_json::Value]) -> Vec<&str> {
        messages.iter().map(|message| message["type"].as_str().unwrap()).collect()
    }

    #[test]
    fn moves_that_are_taken_back_are_sent_with_the_state_after_it() {
        let mut table = TestTable::new(Terms::default());
        table.plays("e2e4");
        let after_e4 = board(&table.room);
        table.plays("e7e5 g1f3");
        table.acts(Color::Black, Act::AskTakeback { plies: 2 }).unwrap();
        let changes = table.acts(Color::White, Act::AcceptTakeback { plies: 2 }).unwrap();
        let expected = serde_json::json!({ "type": "takeback", "plies": 2, "board": after_e4 });
        assert_eq!(sent(&table, &changes), [expected]);
    }

    #[test]
    fn a_returning_player_receives_an_open_draw_offer_and_the_result() {
        let mut table = TestTable::new(Terms { by_invitation: true, ..Terms::default() });
        table.plays("e2e4 e7e5");
        table.acts(Color::Black, Act::OfferDraw).unwrap();
        let welcome = json(Chezz::default().welcome(&table.view(Color::White), 0));
        assert_eq!(types(&welcome), ["init", "presence", "draw_offer"]);
        table.acts(Color::Black, Act::Resign).unwrap();
        let welcome = json(Chezz::default().welcome(&table.view(Color::White), 0));
        assert_eq!(types(&welcome), ["init", "presence", "end"]);
        assert_eq!((&welcome[0]["relation"], &welcome[2]["reason"]), (&"white".into(), &"resignation".into()));
    }

    #[test]
    fn a_player_whose_seat_is_free_after_the_game_keeps_the_relation() {
        let mut table = TestTable::new(Terms { by_invitation: true, ..Terms::default() });
        table.plays("e2e4");
        table.acts(Color::White, Act::Leave).unwrap();
        let welcome = json(Chezz::of_past_player(Some(Color::White)).welcome(&table.view(Color::White), 0));
        assert_eq!((&welcome[0]["relation"], types(&welcome).last()), (&"white".into(), Some(&"end")));
    }
}
