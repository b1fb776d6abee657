use chess::{Color, Game, Position};
use serde::{Deserialize, Serialize};
use wire::link::{ClockRule, Event, Seat, Table};

use super::form;
use crate::room::{Ending, Room, Sheet};

/// What the board has before it, once it has heard all that was said to it: the game, and who has asked for what.
///
/// What there is to say to a board is never read off a list. It is whatever makes its mirror the same as the room. So it
/// does not matter how often, and when, somebody looks.
#[derive(Clone, Debug)]
pub(super) struct Mirror {
    pub(super) card: Card,
    pub(super) game: Game<Sheet>,
    /// How the game ended, also if that does not follow from its moves.
    pub(super) outcome: Option<chess::Outcome>,
    /// Who offers a draw.
    pub(super) draw: Option<Color>,
    pub(super) takeback: Option<Takeback>,
}

/// What is on the table beside the game, in memory of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Card {
    /// Which game it is; 0 if it is only the board's own.
    pub(super) game: u64,
    #[serde(with = "form::seat")]
    pub(super) seat: Seat,
    pub(super) hints: bool,
    pub(super) clock: Option<ClockRule>,
    pub(super) white: String,
    pub(super) black: String,
}

/// Somebody would like to take moves back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Takeback {
    /// Whether it is the one at the board.
    pub(super) asked_here: bool,
    pub(super) plies: u8,
}

impl Card {
    pub(super) fn local() -> Self {
        Self::of(&Table::LOCAL)
    }

    pub(super) fn of(table: &Table<'_>) -> Self {
        let &Table { game, seat, hints, clock, outcome: _, white, black } = table;
        Self { game, seat, hints, clock, white: white.to_owned(), black: black.to_owned() }
    }
}

impl Mirror {
    /// A new board, with nobody else at it.
    pub(super) fn new() -> Self {
        Self::showing(Card::local(), Game::on(Sheet::default()), None)
    }

    pub(super) fn showing(card: Card, game: Game<Sheet>, outcome: Option<chess::Outcome>) -> Self {
        let outcome = game.outcome().or(outcome);
        Self { card, game, outcome, draw: None, takeback: None }
    }

    /// What a board sees that has been given the game of a room, and plays this side of it.
    pub(super) fn of(room: &Room, us: Color) -> Self {
        let name = |color| room.seat(color).map(|seated| seated.player.name.to_string()).unwrap_or_default();
        let card = Card {
            game: room.game_id().0,
            seat: seat_of(us),
            hints: room.hints(),
            clock: room.terms().clock,
            white: name(Color::White),
            black: name(Color::Black),
        };
        Self::showing(card, room.game().clone(), room.ending().map(Ending::for_board))
    }

    /// For the link.
    pub(super) fn table(&self) -> Table<'_> {
        let Card { game, seat, hints, clock, ref white, ref black } = self.card;
        Table { game, seat, hints, clock, outcome: self.outcome, white, black }
    }

    /// Which side is played at the board, if it is one of them.
    pub(super) const fn color(&self) -> Option<Color> {
        match self.card.seat {
            Seat::White => Some(Color::White),
            Seat::Black => Some(Color::Black),
            Seat::Both | Seat::Nobody => None,
        }
    }

    /// Whether the game is played with somebody elsewhere.
    pub(super) const fn is_shared(&self) -> bool {
        self.card.game != 0
    }

    /// Whether somebody who comes can have a game.
    pub(super) fn is_free(&self) -> bool {
        self.outcome.is_some() || self.is_set_up()
    }

    /// Whether the pieces stand ready for a game that nobody has asked for yet.
    pub(super) fn is_set_up(&self) -> bool {
        !self.is_shared() && self.outcome.is_none() && self.game.moves().is_empty()
    }

    /// Nobody elsewhere plays this game any more. The people at the board may go on with it.
    pub(super) fn keep_for_itself(&mut self) {
        self.card = Card::local();
        self.draw = None;
        self.takeback = None;
    }

    /// The board has said this, or has been told it. Returns whether it makes sense in this game; what is so already does.
    pub(super) fn take(&mut self, event: Event, from_board: bool) -> bool {
        match event {
            Event::Moved { ply, mv, .. } => {
                let ply = usize::from(ply);
                if self.game.moves().get(ply) == Some(&mv) {
                    return true;
                }
                if self.outcome.is_some() || ply != self.game.moves().len() || self.game.play(mv).is_err() {
                    return false;
                }
                self.outcome = self.game.outcome();
                self.draw = None;
                self.takeback = None;
                true
            }
            Event::Resigned { color } => {
                self.end(chess::Outcome::Win { winner: !color, by: chess::WinReason::Resignation })
            }
            Event::Ended { outcome } => self.end(outcome),
            Event::DrawOffered { color } => {
                self.draw = Some(color).filter(|_| self.outcome.is_none());
                true
            }
            Event::DrawAnswered { accepted } => {
                self.draw = None;
                !accepted || self.end(chess::Outcome::Draw(chess::DrawReason::Agreement))
            }
            Event::DrawClaimed { claim, with } => {
                let mut game = self.game.clone();
                let granted = match with {
                    Some(mv) => game.claim_draw_with(mv, claim),
                    None => game.claim_draw(claim),
                };
                granted.is_ok() && self.end(chess::Outcome::Draw(claim.reason()))
            }
            Event::TakebackAsked { plies } => {
                self.takeback = Some(Takeback { asked_here: from_board, plies });
                true
            }
            Event::TakebackAnswered { accepted } => match self.takeback.take() {
                Some(Takeback { asked_here, plies }) if accepted && asked_here != from_board => self.take_back(plies),
                _ => !accepted,
            },
            Event::TakenBack { plies } => self.take_back(plies),
            Event::Hints { on } => {
                // From a board it is a wish, and changes nothing there before both players have it.
                if !from_board {
                    self.card.hints = on;
                }
                true
            }
        }
    }

    fn end(&mut self, outcome: chess::Outcome) -> bool {
        match self.outcome {
            None => {
                self.outcome = Some(outcome);
                true
            }
            Some(earlier) => earlier.winner() == outcome.winner(),
        }
    }

    fn take_back(&mut self, plies: u8) -> bool {
        self.takeback = None;
        self.draw = None;
        if usize::from(plies) > self.game.moves().len() {
            return false;
        }
        for _ in 0..plies {
            self.game.take_back();
        }
        self.outcome = self.game.outcome();
        true
    }
}

/// The hands of this side only.
pub(super) const fn seat_of(color: Color) -> Seat {
    match color {
        Color::White => Seat::White,
        Color::Black => Seat::Black,
    }
}

/// A mirror, as it is written down.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MirrorForm {
    card: Card,
    /// Where the game began, if not where chess begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    /// The moves, as UCI writes them.
    moves: String,
    #[serde(default, with = "form::outcome", skip_serializing_if = "Option::is_none")]
    outcome: Option<chess::Outcome>,
    #[serde(default, with = "form::player", skip_serializing_if = "Option::is_none")]
    draw: Option<Color>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    takeback: Option<Takeback>,
}

impl From<&Mirror> for MirrorForm {
    fn from(mirror: &Mirror) -> Self {
        let start = mirror.game.start();
        let moves: Vec<String> = mirror.game.moves().iter().map(ToString::to_string).collect();
        Self {
            card: mirror.card.clone(),
            start: (*start != Position::start()).then(|| start.fen().to_string()),
            moves: moves.join(" "),
            outcome: mirror.outcome,
            draw: mirror.draw,
            takeback: mirror.takeback,
        }
    }
}

impl MirrorForm {
    /// The mirror, if the moves are ones that can be played.
    pub(super) fn read(self) -> Option<Mirror> {
        let mut game = Game::on(Sheet::default());
        if let Some(start) = self.start {
            game.restart(start.parse().ok()?);
        }
        for mv in self.moves.split_ascii_whitespace() {
            game.play(mv.parse().ok()?).ok()?;
        }
        let mirror = Mirror::showing(self.card, game, self.outcome);
        Some(Mirror { draw: self.draw, takeback: self.takeback, ..mirror })
    }
}
