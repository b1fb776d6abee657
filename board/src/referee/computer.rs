//! The computer as the opponent of a local game. For the link and the journal such a game is played at one board; only which side hands
//! may move is another matter ([`Referee::hands`]).

use chess::{Color, DrawClaim, Position};
use engine::{Intent, Level, Limits, OfferPolicy, Score, Time};
use rules::{AnyPosition, Ply, Situation};
use wire::link::{Event, Seat};

use super::menu::Menu;
use super::{Effects, Referee};
use crate::computer::Computer;
use crate::hand::KingsResult;
use crate::thinking::{Purpose, SearchResult, WantedSearch};
use crate::time::Instant;

/// Time for a move without a clock, in milliseconds. Most levels need less.
const MOVE_MS: u32 = 5_000;
/// Time for a hint, in milliseconds.
const HINT_MS: u32 = 3_000;
/// The computer's move is shown no sooner than this many milliseconds after the player's, which may still be corrected by hand.
const SHORTEST_REPLY: u64 = 1_000;
/// With a clock, the reply waits for at most this share of the time that is left.
const REPLY_SHARE: u64 = 100;

/// What the referee keeps of the computer.
#[derive(Clone, Debug)]
pub(super) struct Opponent {
    pub(super) settings: Computer,
    policy: OfferPolicy,
    /// The move that it will make, once the player's move has rested.
    reply: Option<PlannedReply>,
    /// The position before the player's last ply, and the ply: it may be taken back before the computer's reply to it is made.
    before_reply: Option<(Position, Ply)>,
    hint: Option<Hint>,
}

#[derive(Clone, Copy, Debug)]
struct PlannedReply {
    wanted: WantedSearch,
    result: SearchResult,
}

/// A hint, asked for in one position.
#[derive(Clone, Copy, Debug)]
struct Hint {
    plies: usize,
    last: Option<Ply>,
    /// The move to show, once it is known.
    shown: Option<Ply>,
}

impl Opponent {
    pub(super) const NONE: Self = Self {
        settings: Computer::DEFAULT,
        policy: OfferPolicy::new(Level::FULL),
        reply: None,
        before_reply: None,
        hint: None,
    };

    /// Forgets the game before.
    pub(super) fn reset(&mut self) {
        self.policy = OfferPolicy::new(self.settings.level);
        self.reply = None;
        self.before_reply = None;
        self.hint = None;
    }

    pub(super) fn before_reply(&self) -> Option<(Situation<'_>, Ply)> {
        self.before_reply.as_ref().map(|(position, ply)| (Situation::Chess(position), *ply))
    }
}

impl Referee {
    /// The computer opponent, as it was chosen, on or off.
    #[must_use]
    pub const fn computer(&self) -> &Computer {
        &self.opponent.settings
    }

    pub(crate) fn set_computer(&mut self, computer: Computer, now: Instant) {
        self.opponent.settings = computer;
        self.opponent.reset();
        self.settle(now);
    }

    /// The side that the computer plays in this game, if it plays.
    #[must_use]
    pub fn computer_side(&self) -> Option<Color> {
        let is_local = self.seat == Seat::Both && self.play.chess().is_some();
        self.opponent.settings.side().filter(|_| is_local)
    }

    /// Which side hands move at this board, if it is not the opponent's move that they make.
    pub(super) fn hands(&self) -> Seat {
        match self.computer_side() {
            None => self.seat,
            Some(Color::White) => Seat::Black,
            Some(Color::Black) => Seat::White,
        }
    }

    /// What the referee would like the engine to find out.
    #[must_use]
    pub fn wanted_search(&self) -> Option<WantedSearch> {
        let game = self.play.chess()?;
        let is_ready = self.arranged && self.to_make.is_none() && self.menu == Menu::Closed;
        if game.outcome().is_some() || !is_ready || self.seat != Seat::Both {
            return None;
        }
        let (key, plies) = (game.position().key(), game.moves().len());
        let Computer { level, seed, .. } = self.opponent.settings;
        if self.computer_side() == Some(game.position().turn()) {
            Some(WantedSearch { purpose: Purpose::Move, key, plies, level, seed })
        } else {
            let hint = self.hint().filter(|hint| hint.shown.is_none());
            hint.map(|_| WantedSearch { purpose: Purpose::Hint, key, plies, level: Level::FULL, seed })
        }
    }

    /// Whether the engine searches for the computer's move.
    pub(super) fn is_computer_thinking(&self) -> bool {
        self.wanted_search().is_some_and(|wanted| wanted.purpose == Purpose::Move)
    }

    /// When a wanted search ends.
    pub(crate) fn limits(&self, wanted: &WantedSearch, now: Instant) -> Limits {
        let clock = self.clock.as_ref().filter(|_| wanted.purpose == Purpose::Move);
        let time = match (wanted.purpose, clock) {
            (Purpose::Hint, _) => Time::Move(HINT_MS),
            (Purpose::Move, None) => Time::Move(MOVE_MS),
            (Purpose::Move, Some(clock)) => Time::Clock {
                remaining_ms: u32::try_from(clock.left(self.play.to_move(), now)).unwrap_or(u32::MAX),
                increment_ms: clock.rule().increment_ms,
                moves_to_go: None,
            },
        };
        Limits { time: Some(time), ..Limits::default() }
    }

    /// Takes the result of a wanted search.
    pub(crate) fn receive_search_result(
        &mut self,
        wanted: WantedSearch,
        result: SearchResult,
        now: Instant,
    ) -> Effects {
        let mut effects = Effects::default();
        match wanted.purpose {
            Purpose::Move => {
                self.opponent.reply = Some(PlannedReply { wanted, result });
                self.reply(now, &mut effects);
            }
            Purpose::Hint => {
                if let Some(hint) = &mut self.opponent.hint {
                    hint.shown = Some(Ply::of_move(result.mv));
                }
            }
        }
        effects
    }

    /// Makes the computer's move, if it is known and due.
    pub(super) fn reply(&mut self, now: Instant, effects: &mut Effects) {
        let Some(PlannedReply { wanted, result }) = self.opponent.reply else { return };
        if self.wanted_search() != Some(wanted) {
            self.opponent.reply = None;
            return;
        }
        let left = self.clock.as_ref().map(|clock| clock.left(self.play.to_move(), now));
        let rest = left.map_or(SHORTEST_REPLY, |left| SHORTEST_REPLY.min(left / REPLY_SHARE));
        if now >= self.moved_at.after(rest) {
            self.opponent.reply = None;
            self.act_for_computer(result, now, effects);
        }
    }

    fn act_for_computer(&mut self, SearchResult { mv, score, .. }: SearchResult, now: Instant, effects: &mut Effects) {
        let Some(position) = self.play.chess().map(|game| *game.position()) else { return };
        let side = position.turn();
        let policy = &mut self.opponent.policy;
        let intent = score.map_or(Intent::Play, |score| policy.after_score(&position, score));
        if intent == Intent::Resign && self.play.resign(side).is_ok() {
            return self.announce_end(now, effects);
        }
        let is_worse = score.is_some_and(|score| match score {
            Score::Centipawns(centipawns) => centipawns < 0,
            Score::Mate(moves) => moves <= 0,
        });
        let can_claim = |claim: &DrawClaim| self.play.can_claim(*claim);
        if is_worse
            && let Some(claim) = DrawClaim::ALL.into_iter().find(can_claim)
            && self.play.claim_draw(claim, None).is_ok()
        {
            return self.announce_end(now, effects);
        }
        self.opponent.before_reply = match self.before.known() {
            Some((AnyPosition::Chess(position), ply)) => Some((*position, ply)),
            _ => None,
        };
        let (number, ply) = (u16::try_from(self.play.len()).unwrap_or(u16::MAX), Ply::of_move(mv));
        if !self.apply_ply(ply, now) {
            return;
        }
        let thought_ms = u32::try_from(now.since(self.moved_at)).unwrap_or(u32::MAX);
        effects.send(Event::Moved { number, ply, thought_ms });
        if self.play.verdict().is_some() {
            self.stop_clock(now);
        } else if intent == Intent::OfferDraw {
            self.offers.draw = Some(side);
        }
    }

    /// The player has undone a ply by hand: the computer always agrees.
    pub(super) fn take_back_from_computer(&mut self, now: Instant, effects: &mut Effects) {
        // The last ply of the player is one or two plies back.
        let plies = if self.hands().has(self.play.to_move()) { 2 } else { 1 };
        if self.play.len() >= usize::from(plies) {
            self.take_back(plies, now);
            effects.send(Event::TakenBack { plies });
        }
    }

    /// The player shows a result with the kings: resigns, or offers a draw. A declined offer is answered by the lights that guide the kings
    /// back.
    pub(super) fn kings_against_computer(
        &mut self,
        computer: Color,
        result: KingsResult,
        now: Instant,
        effects: &mut Effects,
    ) {
        if self.was_king_on_its_way(now) && !self.hands().has(self.play.to_move()) {
            self.take_back(1, now);
            effects.send(Event::TakenBack { plies: 1 });
        }
        let accepts = || {
            let is_offered = self.offers.draw == Some(computer);
            let position = self.play.chess().map(chess::Game::position);
            is_offered || position.is_some_and(|position| self.opponent.policy.accepts_draw(position))
        };
        let is_own_turn = self.play.to_move() != computer;
        let ended = match result.winner() {
            // A player cannot claim the win.
            Some(winner) if winner != computer => false,
            Some(_) => self.play.resign(!computer).is_ok(),
            None => match self.claimable().filter(|_| is_own_turn) {
                Some(claim) => self.play.claim_draw(claim, None).is_ok(),
                None => accepts() && self.play.agree_draw().is_ok(),
            },
        };
        if ended {
            self.announce_end(now, effects);
        }
    }

    /// The player wants to see a good move.
    pub(super) fn ask_for_hint(&mut self) {
        let may_ask = self.seat == Seat::Both && self.hints && self.hands().has(self.play.to_move());
        if may_ask && self.hint().is_none() {
            self.opponent.hint = Some(Hint { plies: self.play.len(), last: self.play.last(), shown: None });
        }
    }

    /// The hint of this position.
    fn hint(&self) -> Option<Hint> {
        self.opponent.hint.filter(|hint| hint.plies == self.play.len() && hint.last == self.play.last())
    }

    /// Whether the engine searches for a hint.
    pub(super) fn is_hint_awaited(&self) -> bool {
        self.hint().is_some_and(|hint| hint.shown.is_none())
    }

    /// The move that the player was advised to make.
    pub(super) fn hinted(&self) -> Option<Ply> {
        self.hint().and_then(|hint| hint.shown).filter(|_| self.play.verdict().is_none())
    }
}

#[cfg(test)]
mod tests {
    use rules::Start;
    use wire::link::{ClockRule, GameInfo};

    use super::*;
    use crate::settings::HandSettings;

    fn time(clock: Option<ClockRule>, purpose: Purpose) -> Option<Time> {
        let now = Instant::at(0);
        let mut referee = Referee::new(HandSettings::DEFAULT, Position::start().occupied(), now);
        referee.begin(&Start::CHESS, &GameInfo { clock, ..GameInfo::LOCAL }, now);
        referee.set_computer(Computer { is_on: true, color: Color::White, ..Computer::DEFAULT }, now);
        let wanted = WantedSearch { purpose, ..referee.wanted_search().expect("the computer moves first") };
        referee.limits(&wanted, now).time
    }

    /// Also if both players agree to suggested moves: that is for programs.
    #[test]
    fn there_are_hints_at_the_board_and_none_against_a_remote_opponent() {
        let now = Instant::at(0);
        for (seat, is_awaited) in [(Seat::Both, true), (Seat::White, false)] {
            let mut referee = Referee::new(HandSettings::DEFAULT, Position::start().occupied(), now);
            referee.begin(&Start::CHESS, &GameInfo { seat, hints: true, ..GameInfo::LOCAL }, now);
            referee.ask_for_hint();
            assert_eq!(referee.is_hint_awaited(), is_awaited, "{seat:?}");
        }
    }

    #[test]
    fn a_move_has_the_time_of_the_clock_or_else_a_fixed_one() {
        let rule = ClockRule { base_ms: 60_000, increment_ms: 2_000 };
        let clock = Time::Clock { remaining_ms: 60_000, increment_ms: 2_000, moves_to_go: None };
        assert_eq!(time(Some(rule), Purpose::Move), Some(clock));
        assert_eq!(time(None, Purpose::Move), Some(Time::Move(MOVE_MS)));
        assert_eq!(time(Some(rule), Purpose::Hint), Some(Time::Move(HINT_MS)));
    }
}
