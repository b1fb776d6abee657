//! The referee owns the game: it turns readings of the hand and events of the link into plies and verdicts, and decides what the hand
//! looks for next. **Invariant:** nothing else changes the game.
//!
//! The pieces on the board and the game may differ: a remote opponent's ply is in the game when it arrives, and on the board when the player
//! has made it. Until they agree, the lights guide the player.

mod before;
mod challenge;
mod computer;
mod effects;
mod freeze;
mod menu;
mod next_game;
mod own_side;
mod readings;
mod remote;
mod scene;
mod taps;
mod told;

use chess::{Bitboard, Color};
use rules::{AnyPosition, Made, Options, Play, Plies, Ply, Situation, Start};
use wire::link::{ClockRule, Clocks, Event, GameInfo, Seat};

use crate::clock::Clock;
use crate::debounce::Scan;
use crate::hand::{Hand, Looking, Stance, View};
use crate::link_state::LinkState;
use crate::offers::Offers;
use crate::settings::HandSettings;
use crate::time::Instant;

use before::{Before, REPLAYED};
use challenge::Challenged;
use computer::Opponent;
pub use effects::{Effect, Effects};
use menu::Menu;
use next_game::Ended;
use own_side::OwnSide;
use taps::Taps;
pub(crate) use told::Known;

/// Keeps the game, the pieces on the board and the remote opponent in step.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are facts that have nothing to do with each other")]
pub struct Referee {
    play: Play,
    /// The legal plies of the position that the pieces on the board should show.
    plies: Plies,
    /// The hand was never settled.
    is_new: bool,
    seat: Seat,
    hints: bool,
    clock: Option<Clock>,
    /// The time control of games that begin at this board.
    local_clock: Option<ClockRule>,
    opponent: Opponent,
    menu: Menu,
    taps: Taps,
    hand: Hand,
    /// Whether the pieces have been brought to the position in which the game started or was loaded.
    arranged: bool,
    /// A ply of the remote opponent that is in the game and not yet on the board.
    to_make: Option<Ply>,
    before: Before,
    /// What that ply does.
    made: Option<Made>,
    offers: Offers,
    /// The game is over, and what has happened on the board since.
    ended: Option<Ended>,
    /// Whether the remote opponent offers a rematch.
    rematch: bool,
    own_side: OwnSide,
    /// A game that is offered.
    challenge: Option<Challenged>,
    /// Until when no ply counts.
    frozen_until: Option<Instant>,
    /// When the last ply was made, to measure the time that the next one takes.
    moved_at: Instant,
    /// When the stance of the hand last changed, for lights that show one thing first and then another.
    stance_since: Instant,
    stance: Stance,
    link_state: LinkState,
    /// Whether the connected relay has not acknowledged all events of this board.
    unacknowledged: bool,
    /// Whether the relay lets a ply be withdrawn.
    withdraws: bool,
    /// The last ply was read here, and sent.
    sent: bool,
}

/// A ply that was sent can be withdrawn for this long, in milliseconds, if the opponent has not replied. The relay allows a little more.
const WITHDRAWAL: u64 = 3_000;

/// What listing plies, or searching for a move of the next player, may take of a scan, in instructions of a Cortex-M. It exceeds this by at most one
/// piece.
const LISTING: u32 = 15_000;

impl Referee {
    /// A local game of chess on a board with these squares occupied.
    ///
    /// It is nothing but one literal, so that it is constructed in its place: the game takes more than half of a device's stack. The hand
    /// is settled by the first scan.
    #[inline]
    #[must_use]
    pub const fn new(settings: HandSettings, occupied: Bitboard, now: Instant) -> Self {
        Self {
            play: Play::new(),
            plies: Plies::new(),
            is_new: true,
            seat: Seat::Both,
            hints: true,
            clock: None,
            local_clock: None,
            opponent: Opponent::NONE,
            menu: Menu::Closed,
            taps: Taps::NONE,
            hand: Hand::new(settings, occupied),
            arranged: false,
            to_make: None,
            before: Before::None,
            made: None,
            offers: Offers::NONE,
            ended: None,
            rematch: false,
            own_side: OwnSide::NotShown,
            challenge: None,
            frozen_until: None,
            moved_at: now,
            stance_since: now,
            stance: Stance::Settled,
            link_state: LinkState::Quiet,
            unacknowledged: false,
            withdraws: false,
            sent: false,
        }
    }

    /// Starts a game in place of the one before. The lights guide the pieces to its start position first.
    pub fn begin(&mut self, start: &Start, info: &GameInfo, now: Instant) {
        self.play.restart(start);
        self.resume(info, now);
    }

    /// The memory of the game, for a decoder that loads one. [`Referee::resume`] must follow.
    pub(crate) const fn loading(&mut self) -> &mut Play {
        &mut self.play
    }

    /// A game was loaded into [`Referee::loading`]. The lights guide the pieces to its position first.
    pub(crate) fn resume(&mut self, info: &GameInfo, now: Instant) {
        self.seat = info.seat;
        self.hints = info.hints;
        self.clock = info.clock.map(Clock::new);
        self.offers = Offers::NONE;
        self.to_make = None;
        self.ended = None;
        self.own_side = OwnSide::NotShown;
        self.opponent.reset();
        self.sent = false;
        self.moved_at = now;
        self.arranged = false;
        self.look_back();
        self.freeze_again(now);
        self.settle(now);
    }

    /// Forgets all touches and takes the occupied squares anew, after the board was turned round or its debounce changed.
    pub(crate) fn reset_hand(&mut self, settings: HandSettings, occupied: Bitboard, now: Instant) {
        self.hand = Hand::new(settings, occupied);
        self.arranged = false;
        self.settle(now);
    }

    pub(crate) fn set(&mut self, settings: HandSettings) {
        self.hand.set(settings);
    }

    pub(crate) fn set_link_state(&mut self, link_state: LinkState) {
        self.link_state = link_state;
    }

    pub(crate) fn set_unacknowledged(&mut self, unacknowledged: bool) {
        self.unacknowledged = unacknowledged;
    }

    pub(crate) fn set_rematch(&mut self, rematch: bool) {
        self.rematch = rematch;
    }

    /// Whether the relay lets a ply be withdrawn that was just sent.
    pub fn set_withdraws(&mut self, withdraws: bool) {
        self.withdraws = withdraws;
    }

    /// Corrects the clocks to those of the relay.
    pub(crate) fn set_clocks(&mut self, clocks: Clocks, now: Instant) {
        if let Some(clock) = &mut self.clock {
            clock.set(clocks, now);
        }
    }

    /// Sets the time control of games that begin at this board from now on.
    pub(crate) fn set_local_clock(&mut self, rule: Option<ClockRule>) {
        self.local_clock = rule;
    }

    /// Gives the time control also to the game in progress, if that is a local one without a ply. Returns whether it is.
    pub(crate) fn use_local_clock(&mut self) -> bool {
        let has_not_begun = self.seat == Seat::Both && self.play.is_empty() && self.play.verdict().is_none();
        if has_not_begun {
            self.clock = self.local_clock.map(Clock::new);
        }
        has_not_begun
    }

    #[expect(missing_docs, reason = "a plain getter")]
    #[must_use]
    pub const fn play(&self) -> &Play {
        &self.play
    }

    /// The clock, if the game has one.
    #[must_use]
    pub const fn clock(&self) -> Option<&Clock> {
        self.clock.as_ref()
    }

    /// Which side is played at this board.
    #[must_use]
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// How the pieces on the board compare with the game.
    #[must_use]
    pub const fn stance(&self) -> Stance {
        self.hand.stance()
    }

    /// The occupied squares.
    #[must_use]
    pub const fn occupied(&self) -> Bitboard {
        self.hand.occupied()
    }

    /// Squares whose magnet or switch is too weak.
    #[must_use]
    pub const fn weak(&self) -> Bitboard {
        self.hand.weak()
    }

    /// Takes in a debounced scan.
    pub fn scan(&mut self, scan: &Scan, now: Instant) -> Effects {
        let mut effects = Effects::default();
        if self.is_new {
            self.settle(now);
        }
        self.thaw(now);
        // The rules of chess leave nothing to be continued.
        let is_rewinding = self.play.chess().is_none() && self.continue_work(now);
        let Self { play, plies, before, made, to_make, arranged, hand, opponent, .. } = self;
        let shown = || shown(play, before.known(), *to_make, *arranged, opponent.before_reply());
        let mut is_idle = true;
        let look = || {
            is_idle = false;
            view(shown(), plies, *made)
        };
        let reading = hand.scan(scan, look, now);
        if is_rewinding {
            return Effects::default();
        }
        let is_menu = self.watch_menu(now, &mut effects);
        if let Some(reading) = reading.filter(|_| !is_menu) {
            self.read(reading, now, &mut effects);
        }
        self.find_told_ply(now);
        self.start_next_game(now, &mut effects);
        self.watch_taps(now);
        self.reply(now, &mut effects);
        self.answer_challenge(now, &mut effects);
        if !is_idle {
            self.note_stance(now);
        }
        self.check_clock(now, &mut effects);
        // Copying the memory of eight effects would be half of an idle scan.
        if effects.is_empty() { Effects::default() } else { effects }
    }

    /// Goes on with what takes longer than a scan under other rules than chess. Returns whether the position of the game is still unknown.
    #[inline(never)]
    fn continue_work(&mut self, now: Instant) -> bool {
        if self.play.is_searching() {
            self.search_end(now);
        } else if matches!(self.before, Before::Replayed { .. }) {
            self.replay_on(REPLAYED, now);
        } else if !self.plies.is_complete() {
            self.list_plies(now);
        }
        self.is_rewinding()
    }

    fn note_stance(&mut self, now: Instant) {
        if self.hand.stance() != self.stance {
            self.stance = self.hand.stance();
            self.stance_since = now;
        }
    }

    /// Ends a local game whose clock has run out. In a remote game the relay decides.
    fn check_clock(&mut self, now: Instant, effects: &mut Effects) {
        if self.seat == Seat::Both
            && let Some(color) = self.clock.as_ref().and_then(|clock| clock.flag(now))
            && self.play.flag(color).is_ok()
        {
            self.announce_end(now, effects);
        }
    }

    fn stop_clock(&mut self, now: Instant) {
        if let Some(clock) = &mut self.clock {
            clock.stop(now);
        }
    }

    fn announce_end(&mut self, now: Instant, effects: &mut Effects) {
        self.stop_clock(now);
        if let Some(verdict) = self.play.verdict() {
            effects.send(Event::Ended { verdict });
        }
        self.settle(now);
    }

    /// Plays a ply that was made on this board.
    fn play_here(&mut self, ply: Ply, now: Instant, effects: &mut Effects) {
        self.play_all_here([ply], now, effects);
    }

    /// Plays plies that were made on this board, and settles the hand only after the last of them: that takes as long as one ply.
    fn play_all_here(&mut self, plies: impl IntoIterator<Item = Ply>, now: Instant, effects: &mut Effects) {
        for ply in plies {
            if !self.add_ply(ply, now, effects) {
                break;
            }
        }
        self.settle(now);
    }

    /// Adds a ply that was made on this board to the game. Returns whether it was legal.
    fn add_ply(&mut self, ply: Ply, now: Instant, effects: &mut Effects) -> bool {
        let (earlier, number) = (self.play.position(), self.play.len());
        let is_listed = self.to_make.is_none() && self.arranged;
        let played = if is_listed { self.play.play_as_listed(ply, &self.plies) } else { self.play.play_in_parts(ply) };
        let Ok(made) = played else { return false };
        // They were those of the position before. The hand is settled with those of the next one.
        self.plies.clear();
        self.decline_challenge(effects);
        // Playing on declines what the opponent has offered.
        if self.offers.draw.take().is_some_and(|by| !self.seat.has(by)) {
            effects.send(Event::DrawAnswered { accepted: false });
        }
        if self.offers.takeback.take().is_some_and(|takeback| !takeback.asked_here) {
            effects.send(Event::TakebackAnswered { accepted: false });
        }
        let thought_ms = u32::try_from(now.since(self.moved_at)).unwrap_or(u32::MAX);
        effects.send(Event::Moved { number: u16::try_from(number).unwrap_or(u16::MAX), ply, thought_ms });
        self.moved_at = now;
        self.sent = true;
        self.press_clock(earlier.situation().to_move(), now);
        self.before = Before::Known(earlier, ply, number);
        self.made = made;
        if self.play.verdict().is_some() {
            self.stop_clock(now);
        }
        true
    }

    /// Goes on with the search that shows whether the last ply has ended the game.
    #[inline(never)]
    fn search_end(&mut self, now: Instant) {
        if self.play.search_on(LISTING) && self.play.verdict().is_some() {
            self.frozen_until = None;
            self.stop_clock(now);
            self.settle(now);
        }
    }

    /// A player has made a ply, and the turn goes to the other one. It does not if the same player goes on, with a promotion.
    fn press_clock(&mut self, mover: Color, now: Instant) {
        let next = self.play.to_move();
        if let Some(clock) = self.clock.as_mut().filter(|_| next != mover) {
            clock.press(mover, now);
        }
        self.freeze(now);
    }

    fn take_back(&mut self, plies: u8, now: Instant) {
        self.remove_plies(plies, now);
        self.settle(now);
    }

    /// Takes back plies. [`Referee::settle`] must follow.
    fn remove_plies(&mut self, plies: u8, now: Instant) {
        self.plies.clear();
        self.offers = Offers::NONE;
        self.to_make = None;
        self.sent = false;
        self.frozen_until = None;
        self.shorten(plies, now);
        if !self.is_rewinding() {
            self.note_takeback(now);
        }
    }

    /// The game has come to the position before some plies.
    fn note_takeback(&mut self, now: Instant) {
        let to_move = self.play.turn().to_move;
        if let Some(clock) = &mut self.clock {
            clock.hand_over(to_move, now);
            if self.play.is_empty() {
                // No clock runs before the first ply.
                clock.stop(now);
            }
        }
        self.note_end();
    }

    /// Tells the hand where the game stands and what to look for.
    fn settle(&mut self, now: Instant) {
        self.is_new = false;
        if self.is_rewinding() {
            return;
        }
        let turn = self.play.turn();
        self.arrange(turn.occupied());
        let ended = self.play.verdict().is_some();
        self.note_end();
        self.show_own_side(now);
        let looking = match self.to_make {
            _ if !self.arranged => Looking::ForNothing,
            Some(ply) => Looking::ForThis(ply),
            None if self.may_withdraw(now) => Looking::ForWithdrawal,
            None if ended && self.seat == Seat::Both && self.ended_by_a_ply() => Looking::ForCorrection,
            None if ended || self.is_frozen(now) => Looking::ForNothing,
            None if self.hands() == Seat::Both => Looking::ForMoves,
            None if self.hands().has(turn.to_move) => Looking::ForOwnMove,
            None => Looking::ForNothing,
        };
        let before_reply = self.opponent.before_reply();
        let shown = shown(&self.play, self.before.known(), self.to_make, self.arranged, before_reply);
        self.plies = shown.0.first_plies();
        self.hand.settle(&view(shown, &self.plies, self.made), looking, now);
        self.note_stance(now);
    }

    /// Lists as many of the plies as a scan has time for, where they are generated piece by piece.
    #[inline(never)]
    fn list_plies(&mut self, now: Instant) {
        let Self { play, plies, before, made, to_make, arranged, hand, opponent, .. } = self;
        let shown = shown(play, before.known(), *to_make, *arranged, opponent.before_reply());
        let before = plies.work();
        while !plies.is_complete() && plies.work().saturating_sub(before) < LISTING {
            shown.0.list_more(plies);
        }
        if plies.is_complete() {
            hand.plies_are_listed(&view(shown, plies, *made), now);
            self.note_stance(now);
        }
    }

    /// Notices when the pieces have come to the position of the game, or to the one before the ply that is still to be made.
    fn arrange(&mut self, wanted: Bitboard) {
        if self.arranged {
            return;
        }
        self.show_told_ply();
        let occupied = self.hand.occupied();
        if occupied == wanted {
            self.arranged = true;
            // The player has made the opponent's ply before it arrived.
            self.to_make = None;
        } else if let (Some(_), Some((earlier, _))) = (self.to_make, self.before.known()) {
            self.arranged = occupied == earlier.situation().occupied();
        }
    }

    /// Whether the last ply was made here and sent to the remote opponent so recently that it may be withdrawn.
    fn may_withdraw(&self, now: Instant) -> bool {
        let is_own = self.before.known().is_some_and(|(earlier, _)| self.seat.has(earlier.situation().to_move()));
        self.withdraws
            && self.sent
            && !self.play.is_told()
            && is_own
            && self.seat != Seat::Both
            && self.to_make.is_none()
            && !self.seat.has(self.play.to_move())
            && self.play.verdict().is_none()
            && now.since(self.moved_at) < WITHDRAWAL
    }

    /// Whether a ply ended the game, and not the players, a clock or a claim.
    fn ended_by_a_ply(&self) -> bool {
        ended_by_a_ply(&self.play)
    }
}

/// The position that the pieces on the board should show, and the ply that led to it if it may be taken back or corrected by hand.
type ExpectedPosition<'a> = (Situation<'a>, Option<(Situation<'a>, Ply)>);

fn shown<'a>(
    play: &'a Play,
    before: Option<(&'a AnyPosition, Ply)>,
    to_make: Option<Ply>,
    arranged: bool,
    before_reply: Option<(Situation<'a>, Ply)>,
) -> ExpectedPosition<'a> {
    let before = before.map(|(earlier, ply)| (earlier.situation(), ply));
    match (to_make, before) {
        // Until the opponent's ply is made, the pieces stand as before it.
        (Some(_), Some((earlier, _))) if arranged => (earlier, before_reply),
        // After the players have ended a game the pieces are set up again, and no ply is taken back.
        _ if play.verdict().is_some() && !ended_by_a_ply(play) => (play.situation(), None),
        (_, before) => (play.situation(), before),
    }
}

fn view<'a>((here, before): ExpectedPosition<'a>, plies: &'a Plies, made: Option<Made>) -> View<'a> {
    View { here: Options { here, plies }, before, made }
}

fn ended_by_a_ply(play: &Play) -> bool {
    play.verdict().is_some_and(rules::Verdict::is_automatic)
}
