//! Translates between the events of one client and its room, without I/O.
//!
//! A promotion takes two events of the client, and is one move of the room: until the client has chosen a piece, the move is only known here
//! and to the clients that received it as [`Transient::Promoting`].

use chess::{Color, Move, Position, Promotion, Square};
use rules::{Ply, Verdict};

use super::arguments::RoomRequest;
use super::event::ServerEvent;
use crate::dialect::View;
use crate::relay::{RoomUpdate, Transient, Update};
use crate::room::{Act, Fact, Offer, Phase, Presence, Room, reason_of};

/// The state of one client in one room.
#[derive(Default)]
pub(super) struct Translator {
    /// A pawn stands on the last rank, and its player is choosing a piece.
    promotion: Option<Pending>,
    /// The client has chosen, and waits for the result.
    has_chosen: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pending {
    color: Color,
    mv: Move,
}

/// What follows from a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Translated {
    Act(Act),
    /// The move is a promotion: all clients receive that its player is choosing.
    Promoting(Move, Vec<ServerEvent>),
    Reply(ServerEvent),
}

impl Translator {
    /// The events for a client that has entered. `returns` says that it has come back with its token.
    pub(super) fn welcome(view: &View<'_>, token: Option<&str>, returns: bool) -> Vec<ServerEvent> {
        let room = view.room;
        let mut events = vec![ServerEvent::GetGameId(room.code().clone())];
        events.extend(token.map(|token| ServerEvent::SeatToken(token.to_owned())));
        if let (true, Some(color)) = (returns, view.color) {
            events.push(ServerEvent::ReJoinSuccess { color, fen: fen(room) });
        }
        if let (true, Some(verdict)) = (returns, room.verdict()) {
            events.extend(ended(verdict, room.leaver()));
        }
        match room.phase() {
            Phase::Counting { .. } => events.push(ServerEvent::StartCountDown),
            Phase::Playing if !returns => {
                events.extend(view.color.map(ServerEvent::PlayerColor));
                events.push(ServerEvent::StartGame { fen: fen(room) });
            }
            Phase::Waiting | Phase::Playing | Phase::Over | Phase::Closed => {}
        }
        events.extend(room.draw_offer().map(ServerEvent::DrawOffered));
        events
    }

    pub(super) fn request(&mut self, request: RoomRequest, view: &View<'_>) -> Translated {
        let number = view.room.game().len();
        let Some(color) = view.color else { return Translated::Reply(request.refusal("only the players can do that")) };
        match request {
            RoomRequest::Move(_) if self.promotion.is_some() => Translated::Reply(ServerEvent::ErrorPawnPromotion),
            RoomRequest::Move(mv) => {
                let is_on_move = view.room.phase() == Phase::Playing && view.room.game().to_move() == color;
                if is_on_move && let Some((before, queened)) = queened(view.room, mv) {
                    self.promotion = Some(Pending { color, mv });
                    Translated::Promoting(mv, promoting(color, mv.to(), before, &queened))
                } else {
                    Translated::Act(Act::Move { ply: Ply::of_move(mv), number: Some(number) })
                }
            }
            RoomRequest::Promote(piece) => match (self.promotion, Promotion::to(piece.role())) {
                (Some(pending), Some(promotion)) if pending.color == color && piece.color() == color => {
                    self.has_chosen = true;
                    let ply = Ply::of_move(pending.mv.promoting(Some(promotion)));
                    Translated::Act(Act::Move { ply, number: Some(number) })
                }
                _ => Translated::Reply(ServerEvent::ErrorPawnPromotion),
            },
            RoomRequest::OfferDraw => Translated::Act(Act::OfferDraw),
            RoomRequest::AcceptDraw => Translated::Act(Act::AcceptDraw { number }),
            RoomRequest::DeclineDraw => Translated::Act(Act::DeclineDraw),
            RoomRequest::Resign => Translated::Act(Act::Resign),
        }
    }

    /// A request was refused by the room.
    pub(super) fn refused(&mut self, request: RoomRequest, reason: impl std::fmt::Display) -> ServerEvent {
        self.has_chosen = false;
        request.refusal(reason)
    }

    /// The events for an update. `before` is the room before it, `view` after it.
    pub(super) fn update(&mut self, before: &Room, update: &RoomUpdate, view: &View<'_>) -> Vec<ServerEvent> {
        match &update.update {
            Update::Transient(Transient::Promoting { id, ply }) => match (view.room.seat_of(id), ply.to_move()) {
                (Some(color), Some(mv)) => self.promoting(color, mv, view),
                _ => Vec::new(),
            },
            Update::Transient(_) => Vec::new(),
            Update::Entry(entry) => self.entry(before, &entry.fact, view),
        }
    }

    fn promoting(&mut self, color: Color, mv: Move, view: &View<'_>) -> Vec<ServerEvent> {
        let room = view.room;
        let pending = Some(Pending { color, mv });
        // The client that made the move has been answered at once. Another connection of the same player has not.
        if self.promotion == pending || room.phase() != Phase::Playing || room.game().to_move() != color {
            return Vec::new();
        }
        let Some((before, queened)) = queened(room, mv) else { return Vec::new() };
        self.promotion = pending;
        promoting(color, mv.to(), before, &queened)
    }

    fn entry(&mut self, before: &Room, fact: &Fact, view: &View<'_>) -> Vec<ServerEvent> {
        let room = view.room;
        match fact {
            Fact::CountdownStarted { .. } => vec![ServerEvent::StartCountDown],
            Fact::CountdownStopped => vec![ServerEvent::EndCountDownDisconnect],
            Fact::Began { .. } => {
                self.clear();
                let color = view.color.map(ServerEvent::PlayerColor);
                color.into_iter().chain([ServerEvent::StartGame { fen: fen(room) }]).collect()
            }
            Fact::Moved { .. } => {
                let has_chosen = self.has_chosen && view.color == Some(before.game().to_move());
                self.clear();
                let mut events = vec![ServerEvent::BoardUpdated { fen: fen(room) }];
                if has_chosen {
                    events.push(ServerEvent::SuccessPawnPromotion);
                }
                events
            }
            Fact::TakenBack { .. } | Fact::Corrected { .. } => {
                self.clear();
                vec![ServerEvent::BoardUpdated { fen: fen(room) }]
            }
            Fact::Ended(ending) => {
                // A move that was not completed does not count: the pawn is back on its square.
                let back = self.promotion.map(|_| ServerEvent::BoardUpdated { fen: fen(room) });
                self.clear();
                back.into_iter().chain(ended(ending.verdict, ending.leaver())).collect()
            }
            Fact::DrawOffered { color } => vec![ServerEvent::DrawOffered(*color)],
            Fact::DrawDeclined | Fact::Withdrawn { offer: Offer::Draw } => vec![ServerEvent::DrawDeclined],
            Fact::Disconnected { color, .. } if view.color != Some(*color) && is_away(room, *color) => {
                vec![ServerEvent::PlayerDisconnect]
            }
            Fact::Left { color } if view.color != Some(*color) && !is_away(before, *color) => {
                vec![ServerEvent::PlayerDisconnect]
            }
            Fact::Connected { color, .. } if view.color != Some(*color) && is_away(before, *color) => {
                let mut events = vec![ServerEvent::PlayerJoined];
                // The choice of a player who was disconnected is lost: the pawn is back on its square.
                if self.promotion.is_some_and(|pending| pending.color == *color) {
                    self.clear();
                    events.push(ServerEvent::BoardUpdated { fen: fen(room) });
                }
                events
            }
            _ => Vec::new(),
        }
    }

    const fn clear(&mut self) {
        self.promotion = None;
        self.has_chosen = false;
    }
}

fn ended(verdict: Verdict, leaver: Option<Color>) -> Vec<ServerEvent> {
    let event = match verdict {
        _ if leaver.is_some() => ServerEvent::EndGameDisconnect,
        Verdict::Abandoned => ServerEvent::EndGameDisconnect,
        Verdict::Aborted => ServerEvent::Aborted,
        Verdict::Won { winner, .. } => ServerEvent::Victory(winner),
        Verdict::Drawn(_) => ServerEvent::Draw,
    };
    vec![event, ServerEvent::GameOver { result: verdict.result(), reason: reason_of(verdict) }]
}

fn is_away(room: &Room, color: Color) -> bool {
    room.seat(color).is_none_or(|seated| matches!(seated.presence, Presence::Away(_)))
}

fn fen(room: &Room) -> String {
    room.game().chess().map(|game| game.position().fen().to_string()).unwrap_or_default()
}

/// The position before a move, and after it with a queen, if the move is a promotion.
fn queened(room: &Room, mv: Move) -> Option<(&Position, Position)> {
    let before = room.game().chess()?.position();
    Some((before, before.play(mv.promoting(Some(Promotion::Queen))).ok()?))
}

/// The events of a pawn on the last rank whose player is choosing.
fn promoting(color: Color, to: Square, before: &Position, queened: &Position) -> Vec<ServerEvent> {
    vec![ServerEvent::BoardUpdated { fen: with_pawn(to, before, queened) }, ServerEvent::StartPawnPromotion(color)]
}

/// The FEN with the pawn itself on the last rank and the same side to move, as the document has it.
fn with_pawn(to: Square, before: &Position, queened: &Position) -> String {
    let fen = queened.fen().to_string();
    let mut fields = fen.split(' ');
    let placement = fields.next().unwrap_or_default();
    let castling = fields.nth(1).unwrap_or_default();
    let mut ranks: Vec<String> = placement.split('/').map(str::to_owned).collect();
    let (row, column) = (usize::from(to.flip_rank().rank().index()), usize::from(to.file().index()));
    let pawn = if before.turn() == Color::White { 'P' } else { 'p' };
    if let Some(rank) = ranks.get_mut(row) {
        let mut at = 0;
        *rank = rank
            .chars()
            .map(|letter| {
                let is_here = at == column && !letter.is_ascii_digit();
                at += letter.to_digit(10).map_or(1, |count| count as usize);
                if is_here { pawn } else { letter }
            })
            .collect();
    }
    let turn = before.turn().letter();
    format!("{} {turn} {castling} - 0 {}", ranks.join("/"), before.fullmoves())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::test_table::{Change, TestTable};
    use crate::room::Terms;

    /// White's pawn takes on b8 with the next move.
    const BEFORE_PROMOTION: &str = "a2a4 b7b5 a4b5 a7a6 b5a6 g8f6 a6a7 f6g8";

    fn mv(text: &str) -> RoomRequest {
        RoomRequest::Move(text.parse().unwrap())
    }

    fn promote(letter: char) -> RoomRequest {
        RoomRequest::Promote(chess::Piece::from_letter(letter).unwrap())
    }

    /// The names of the events that a player's client gets for changes.
    fn sent(
        translator: &mut Translator,
        table: &TestTable,
        color: Color,
        changes: &[Change],
    ) -> Vec<(&'static str, ServerEvent)> {
        let participant = table.participant(color);
        let translate = |Change { before, update }: &Change| {
            let color = update.room.seat_of(&participant.id);
            let view = View { room: &update.room, participant, color, now: update.room.last_at() };
            translator.update(before, update, &view)
        };
        changes.iter().flat_map(translate).map(|event| (event.name(), event)).collect()
    }

    fn names(events: &[(&'static str, ServerEvent)]) -> Vec<&'static str> {
        events.iter().map(|(name, _)| *name).collect()
    }

    fn welcome(table: &TestTable, color: Color) -> Vec<&'static str> {
        Translator::welcome(&table.view(color), None, true).iter().map(ServerEvent::name).collect()
    }

    #[test]
    fn a_promotion_takes_two_requests_and_is_one_move_of_the_room() {
        let mut table = TestTable::new(Terms::default());
        table.plays(BEFORE_PROMOTION);
        let (mut white, mut black) = (Translator::default(), Translator::default());
        let Translated::Promoting(pushed, events) = white.request(mv("a7b8"), &table.view(Color::White)) else {
            panic!("a promotion")
        };
        let pawn = "rPbqkbnr/2pppppp/8/8/8/8/1PPPPPPP/RNBQKBNR w KQkq - 0 5";
        let expected =
            [ServerEvent::BoardUpdated { fen: pawn.to_owned() }, ServerEvent::StartPawnPromotion(Color::White)];
        assert_eq!((pushed.to_string().as_str(), events.as_slice()), ("a7b8", expected.as_slice()));
        let announced = [table.promoting(Color::White, "a7b8")];
        assert_eq!(names(&sent(&mut white, &table, Color::White, &announced)), [""; 0]);
        assert_eq!(names(&sent(&mut black, &table, Color::Black, &announced)), ["boardUpdated", "startPawnPromotion"]);
        // No other move, no wrong letter, and no choice of the opponent.
        let refused = Translated::Reply(ServerEvent::ErrorPawnPromotion);
        for request in [mv("h2h3"), promote('k'), promote('K'), promote('q')] {
            assert_eq!(white.request(request, &table.view(Color::White)), refused, "{request:?}");
        }
        assert_eq!(black.request(promote('q'), &table.view(Color::Black)), refused);
        assert_eq!(black.request(mv("h7h6"), &table.view(Color::Black)), refused);

        let Translated::Act(act) = white.request(promote('N'), &table.view(Color::White)) else { panic!("an act") };
        let played = table.acts(Color::White, act).unwrap();
        assert_eq!(table.room.last_ply().unwrap().to_string(), "a7b8n");
        assert_eq!(names(&sent(&mut white, &table, Color::White, &played)), ["boardUpdated", "successPawnPromotion"]);
        assert_eq!(names(&sent(&mut black, &table, Color::Black, &played)), ["boardUpdated"]);
    }

    /// The opponent, or the same player on another device, connects while the piece is being chosen. The room task repeats the announcement.
    #[test]
    fn a_client_that_enters_during_a_promotion_receives_it_and_can_make_no_other_move() {
        let mut table = TestTable::new(Terms::default());
        table.plays(BEFORE_PROMOTION);
        let announced = [table.promoting(Color::White, "a7b8")];
        let mut second = Translator::default();
        assert_eq!(names(&sent(&mut second, &table, Color::White, &announced)), ["boardUpdated", "startPawnPromotion"]);
        assert_eq!(names(&sent(&mut second, &table, Color::White, &announced)), [""; 0]);
        let refused = Translated::Reply(ServerEvent::ErrorPawnPromotion);
        assert_eq!(second.request(mv("h2h3"), &table.view(Color::White)), refused);
        assert!(matches!(second.request(promote('Q'), &table.view(Color::White)), Translated::Act(Act::Move { .. })));
    }

    #[test]
    fn a_game_that_ends_during_a_promotion_puts_the_pawn_back() {
        let mut table = TestTable::new(Terms::default());
        table.plays(BEFORE_PROMOTION);
        let mut black = Translator::default();
        sent(&mut black, &table, Color::Black, &[table.promoting(Color::White, "a7b8")]);
        let position = fen(&table.room);
        let ended = table.acts(Color::White, Act::Resign).unwrap();
        let events = sent(&mut black, &table, Color::Black, &ended);
        assert_eq!(names(&events), ["boardUpdated", "victory", "gameOver"]);
        assert_eq!(events[0].1, ServerEvent::BoardUpdated { fen: position });
    }

    #[test]
    fn the_choice_of_a_player_who_was_disconnected_is_lost() {
        let mut table = TestTable::new(Terms::default());
        table.plays(BEFORE_PROMOTION);
        let mut black = Translator::default();
        sent(&mut black, &table, Color::Black, &[table.promoting(Color::White, "a7b8")]);
        let gone = table.disconnects(Color::White);
        assert_eq!(names(&sent(&mut black, &table, Color::Black, &gone)), ["playerDisconnect"]);
        let returned = table.connects(Color::White);
        assert_eq!(names(&sent(&mut black, &table, Color::Black, &returned)), ["playerJoined", "boardUpdated"]);
    }

    #[test]
    fn mate_by_promotion_ends_the_game() {
        let start = rules::Start::Chess("7k/P5pp/8/8/8/8/8/K7 w - - 0 1".parse().unwrap());
        let mut table = TestTable::new(Terms { start: Some(Box::new(start)), ..Terms::default() });
        let mut white = Translator::default();
        white.request(mv("a7a8"), &table.view(Color::White));
        let Translated::Act(act) = white.request(promote('R'), &table.view(Color::White)) else { panic!("an act") };
        let changes = table.acts(Color::White, act).unwrap();
        let events = names(&sent(&mut white, &table, Color::White, &changes));
        assert_eq!(events, ["boardUpdated", "successPawnPromotion", "victory", "gameOver"]);
    }

    #[test]
    fn a_returning_player_receives_the_result_and_an_open_draw_offer() {
        let mut table = TestTable::new(Terms { by_invitation: true, ..Terms::default() });
        table.plays("e2e4 e7e5");
        table.acts(Color::Black, Act::OfferDraw).unwrap();
        table.disconnects(Color::White);
        table.connects(Color::White);
        assert_eq!(welcome(&table, Color::White), ["getGameId", "reJoinSuccess", "drawOffered"]);
        table.disconnects(Color::White);
        table.acts(Color::Black, Act::Resign).unwrap();
        table.connects(Color::White);
        assert_eq!(welcome(&table, Color::White), ["getGameId", "reJoinSuccess", "victory", "gameOver"]);
    }

    #[test]
    fn a_player_who_returns_after_losing_by_absence_receives_the_result() {
        let mut table = TestTable::new(Terms { clock: None, ..Terms::default() });
        table.plays("e2e4 e7e5");
        table.acts(Color::White, Act::Leave).unwrap();
        assert_eq!(welcome(&table, Color::Black), ["getGameId", "reJoinSuccess", "endGameDisconnect", "gameOver"]);
    }
}
