use board::{Change, Offers, Takeback};
use chess::Color;
use rules::{Play, Verdict};
use serde::{Deserialize, Serialize};
use wire::link::{ClockRule, Event, GameInfo, Seat, clipped_name};

use super::repr;
use crate::room::{Name, Room, Sheet, read_start, verdict_or_none};

/// Whether boards show where a lifted piece can go. The page shows it as well, so it needs no consent.
pub(super) const SHOWS_TARGETS: bool = true;

/// The relay's copy of the board's game, after all events that were sent to the board: plies, verdict and open offers.
///
/// The relay keeps no list of what to send. It compares the replica with the room and sends the difference, so comparing is
/// idempotent and may happen at any time.
#[derive(Clone, Debug)]
pub(super) struct BoardReplica {
    pub(super) info: ReplicaInfo,
    pub(super) game: Play<Sheet>,
    /// How the game ended, also if that does not follow from its moves.
    pub(super) verdict: Option<Verdict>,
    pub(super) offers: Offers,
}

/// The data of a game beside its plies, as `GameInfo`, with names of any length.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReplicaInfo {
    /// Id of the game; 0 for a local game of the board.
    pub(super) game: u64,
    #[serde(with = "repr::seat")]
    pub(super) seat: Seat,
    pub(super) hints: bool,
    pub(super) clock: Option<ClockRule>,
    pub(super) white: String,
    pub(super) black: String,
}

impl ReplicaInfo {
    pub(super) fn local() -> Self {
        Self::of(&GameInfo::LOCAL)
    }

    pub(super) fn of(info: &GameInfo) -> Self {
        let &GameInfo { game, seat, hints, clock, verdict: _, ref white, ref black } = info;
        Self { game, seat, hints, clock, white: white.to_string(), black: black.to_string() }
    }
}

impl BoardReplica {
    /// The replica of a new board: a local game without plies.
    pub(super) fn new() -> Self {
        Self::showing(ReplicaInfo::local(), Play::on(Sheet::default()), None)
    }

    pub(super) fn showing(info: ReplicaInfo, game: Play<Sheet>, verdict: Option<Verdict>) -> Self {
        let verdict = game.verdict().or(verdict);
        Self { info, game, verdict, offers: Offers::NONE }
    }

    /// The replica of a board that plays this side in a room.
    pub(super) fn of(room: &Room, us: Color) -> Self {
        let name = |color| room.seat(color).map(|seated| seated.player.name.to_string()).unwrap_or_default();
        let info = ReplicaInfo {
            game: room.game_id().0,
            seat: seat_of(us),
            hints: SHOWS_TARGETS,
            clock: room.terms().clock,
            white: name(Color::White),
            black: name(Color::Black),
        };
        Self::showing(info, room.game().clone(), room.verdict())
    }

    /// The data of the game as the link sends it.
    pub(super) fn info(&self) -> GameInfo {
        let ReplicaInfo { game, seat, hints, clock, ref white, ref black } = self.info;
        let (white, black) = (clipped_name(white), clipped_name(black));
        GameInfo { game, seat, hints, clock, verdict: self.verdict, white, black }
    }

    /// The names of the players, White first, as far as there are any.
    pub(super) fn names(&self) -> [Option<Name>; 2] {
        [&self.info.white, &self.info.black].map(|name| name.parse().ok())
    }

    /// The side that is played at the board, if it is exactly one.
    pub(super) const fn color(&self) -> Option<Color> {
        match self.info.seat {
            Seat::White => Some(Color::White),
            Seat::Black => Some(Color::Black),
            Seat::Both | Seat::Neither => None,
        }
    }

    /// Whether the game has a remote opponent.
    pub(super) const fn is_shared(&self) -> bool {
        self.info.game != 0
    }

    /// Whether the board can be challenged.
    pub(super) fn is_free(&self) -> bool {
        self.verdict.is_some() || self.is_set_up()
    }

    /// Whether the board shows a local game without plies.
    pub(super) fn is_set_up(&self) -> bool {
        !self.is_shared() && self.verdict.is_none() && self.game.is_empty()
    }

    /// Makes the game a local one, after the remote opponent has gone.
    pub(super) fn keep_for_itself(&mut self) {
        self.info = ReplicaInfo::local();
        self.offers = Offers::NONE;
    }

    /// Applies an event that the board sent or received. Returns false if it is impossible in this game; an event without effect is
    /// possible.
    pub(super) fn take(&mut self, event: Event, from_board: bool) -> bool {
        if let Event::Moved { number, ply, .. } = event
            && self.game.plies_from(usize::from(number)).next() == Some(ply)
        {
            // It is known already.
            return true;
        }
        match self.offers.apply(event, &self.game, from_board) {
            Change::Ply(_) if self.verdict.is_some() => false,
            Change::Ply(ply) => {
                let is_legal = self.game.play(ply).is_ok();
                if is_legal {
                    self.verdict = self.game.verdict();
                    self.offers = Offers::NONE;
                }
                is_legal
            }
            Change::TakeBack(plies) => {
                self.take_back(plies);
                true
            }
            Change::End(verdict) => self.end(verdict),
            Change::Hints(on) => {
                self.info.hints = on;
                true
            }
            Change::Nothing | Change::TakebackDeclined => {
                if self.verdict.is_some() {
                    self.offers.draw = None;
                }
                true
            }
            Change::Impossible => false,
        }
    }

    fn end(&mut self, verdict: Verdict) -> bool {
        match self.verdict {
            None => {
                self.verdict = Some(verdict);
                true
            }
            Some(earlier) => earlier.winner() == verdict.winner(),
        }
    }

    fn take_back(&mut self, plies: u8) {
        self.offers = Offers::NONE;
        self.game.take_back_to(self.game.len().saturating_sub(plies.into()));
        self.verdict = self.game.verdict();
    }
}

/// The seat of one side.
pub(super) const fn seat_of(color: Color) -> Seat {
    match color {
        Color::White => Seat::White,
        Color::Black => Seat::Black,
    }
}

/// The stored form of a replica.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BoardReplicaRepr {
    info: ReplicaInfo,
    /// The name of the rules; chess has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    /// The start position as text: in chess, a FEN unless it is the standard one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    /// The texts of the plies.
    moves: String,
    #[serde(default, rename = "outcome", with = "verdict_or_none", skip_serializing_if = "Option::is_none")]
    verdict: Option<Verdict>,
    #[serde(default, with = "repr::player", skip_serializing_if = "Option::is_none")]
    draw: Option<Color>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    takeback: Option<TakebackRepr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct TakebackRepr {
    asked_here: bool,
    plies: u8,
}

impl From<&BoardReplica> for BoardReplicaRepr {
    fn from(replica: &BoardReplica) -> Self {
        let start = replica.game.start();
        let moves: Vec<String> = replica.game.plies_from(0).map(|ply| ply.to_string()).collect();
        Self {
            info: replica.info.clone(),
            rules: start.chess().is_none().then(|| start.name().to_owned()),
            start: start.details().map(|details| details.to_string()),
            moves: moves.join(" "),
            verdict: replica.verdict,
            draw: replica.offers.draw,
            takeback: replica.offers.takeback.map(|Takeback { asked_here, plies }| TakebackRepr { asked_here, plies }),
        }
    }
}

impl BoardReplicaRepr {
    /// Decodes it. `None` if a ply is illegal.
    pub(super) fn read(self) -> Option<BoardReplica> {
        let mut game = Play::on(Sheet::default());
        game.restart(&read_start(self.rules, self.start).ok()?);
        for ply in self.moves.split_ascii_whitespace() {
            game.play(ply.parse().ok()?).ok()?;
        }
        let replica = BoardReplica::showing(self.info, game, self.verdict);
        let takeback = self.takeback.map(|TakebackRepr { asked_here, plies }| Takeback { asked_here, plies });
        Some(BoardReplica { offers: Offers { draw: self.draw, takeback }, ..replica })
    }
}
