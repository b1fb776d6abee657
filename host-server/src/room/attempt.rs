//! Decides what a command adds to the log of a room.

use std::sync::Arc;

use chess::{Color, DrawClaim, MAX_PLIES};
use rules::{ClaimError, Play, Ply, Verdict, Why};

use super::act::Act;
use super::command::{Command, EventId, EventOrigin, Participant, SideChoice, Speaker};
use super::fact::{Ending, Entry, Fact, Offer};
use super::name::{GameId, RelayId, is_misleading};
use super::refusal::Refusal;
use super::seat::{Ability, Presence, Seated, index};
use super::time::Time;
use super::told::{Answered, ScriptQuestion};
use super::{Phase, Room, TakebackRequest};

/// Maximum length of a chat message, in characters.
const MAX_TEXT: usize = 500;

/// Maximum number of chat messages of a room, which bounds its log.
const MAX_LINES: u32 = 2_000;

/// Maximum number of chat messages before spectators are refused. The rest is reserved for the players.
const MAX_LINES_OF_SPECTATORS: u32 = 1_500;

/// Maximum size of all chat messages of a room, in bytes, and of those before spectators are refused.
const MAX_CHAT_BYTES: usize = 64 << 10;
pub(crate) const MAX_CHAT_BYTES_OF_SPECTATORS: usize = 48 << 10;

/// Length of a log, in entries, after which only acts that a game needs to reach its end are accepted. No game is that long,
/// but a player could toggle hints for days, and a board could correct its move again and again.
const MAX_LOG: u64 = 20_000;

/// Maximum number of takebacks in a game, which bounds its part of the log: all plies that are taken back stay in it.
const MAX_TAKEBACKS: u32 = 50;

/// A ply that a board has sent can be corrected for this long, in milliseconds. The board allows three seconds; the rest is for the way.
const CORRECTION_MS: u64 = 6_000;

/// A game can be aborted while fewer plies than this have been played.
const ABORT_BEFORE: usize = 2;

/// The result of [`Room::attempt`]: entries to append to the log, and the room after them.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The entries to append. There may be none.
    pub entries: Vec<Entry>,
    /// The room after the entries. It is shared with all listeners without another copy.
    pub after: Arc<Room>,
    /// Why the command was refused, if it was. The entries then hold only what became due by time.
    pub refused: Option<Refusal>,
    /// What a script has to be asked first. The command is then to be attempted again with the answer, and nothing is to be appended before.
    pub question: Option<Box<ScriptQuestion>>,
}

/// When a command was received and is executed, and by which write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// When the relay received the command. Clocks and timeouts are judged by it: a player who has moved in time does not
    /// lose on time because the store was slow. It may be earlier than the last entry of the log, if that entry had to wait.
    pub received: Time,
    /// When the entries are written. The opponent's clock runs from then on.
    pub now: Time,
    /// A random number that marks the entries of this write. It also decides random sides and is the id of a game that begins.
    pub write_id: u64,
}

impl Room {
    /// Decides what a command adds to the log: first what is due by time, then what the command leads to.
    #[must_use]
    pub fn attempt(&self, command: &Command, stamp: Stamp) -> Draft {
        self.attempt_with(command, stamp, None)
    }

    /// The same, with the answer to the question of an earlier attempt. If the room has changed since, the question may be another one now.
    #[must_use]
    pub fn attempt_with(&self, command: &Command, stamp: Stamp, answered: Option<&Answered>) -> Draft {
        // The clocks of relays agree well but not perfectly, and the times in a log never decrease.
        let stamp = Stamp { now: stamp.now.max(stamp.received).max(self.last_at), ..stamp };
        let mut draft = Draft { entries: Vec::new(), after: Arc::new(self.clone()), refused: None, question: None };
        draft.follow(stamp);
        let from = match command {
            Command::Act { by, event: Some(event), .. } => {
                self.seat_of(&by.id).map(|color| EventOrigin::new(color, *event))
            }
            _ => None,
        };
        if from.is_some_and(|origin| self.has_applied(origin.color, origin.id())) {
            return draft;
        }
        match draft.after.decide(command, stamp, self.current_game()) {
            Ok(mut facts) => {
                if let Err(question) = draft.after.rule(&mut facts, answered) {
                    draft.question = Some(question);
                    return draft;
                }
                for fact in facts {
                    draft.add(Entry { at: stamp.now, write_id: stamp.write_id, from, fact });
                }
                draft.follow(stamp);
            }
            Err(refusal) => draft.refused = Some(refusal),
        }
        draft
    }

    /// Whether the event of the board at this seat, or a later event of the same stream, is in the log already.
    #[must_use]
    pub fn has_applied(&self, color: Color, event: EventId) -> bool {
        let last = self.seat(color).and_then(|seated| seated.last_event);
        last.is_some_and(|last| last.stream == event.stream && last.number >= event.number)
    }

    /// The facts that a command leads to.
    fn decide(&self, command: &Command, stamp: Stamp, current: Option<GameId>) -> Result<Vec<Fact>, Refusal> {
        if self.phase == Phase::Closed && !matches!(command, Command::Tick | Command::LiveRelays(_)) {
            return Err(Refusal::Closed);
        }
        if self.version >= MAX_LOG && command.is_dispensable() {
            return Err(Refusal::TooLong);
        }
        match command {
            Command::Act { by, act, game, .. } => {
                if act.is_about_game() && game.is_some() && *game != current {
                    return Err(Refusal::Stale);
                }
                self.decide_act(by, act, stamp)
            }
            Command::Sit { player, side } => {
                if self.seat_of(&player.id).is_some() || self.terms.board.is_some() {
                    // With two seats it would be unclear for which side a player acts.
                    return Err(Refusal::Taken);
                }
                if self.phase == Phase::Over {
                    // The seat of a player who has left stays empty.
                    return Err(Refusal::Taken);
                }
                let color = self.free_seat(*side, stamp.write_id).ok_or(Refusal::Taken)?;
                Ok(vec![Fact::Sat { color, player: player.clone() }])
            }
            Command::Connect { user, relay } => {
                let (color, relay) = (self.seat_of(user).ok_or(Refusal::NoSeat)?, *relay);
                let is_known = self.is_connected_through(color, relay);
                Ok(if is_known { vec![] } else { vec![Fact::Connected { color, relay }] })
            }
            Command::Disconnect { user, relay } => {
                let (color, relay) = (self.seat_of(user).ok_or(Refusal::NoSeat)?, *relay);
                let is_known = self.is_connected_through(color, relay);
                Ok(if is_known { vec![Fact::Disconnected { color, relay }] } else { vec![] })
            }
            Command::LiveRelays(live_relays) => Ok(self.lost_with(live_relays)),
            Command::FollowBoard(game) => self.follow_board(game, stamp),
            Command::LeaveBoard => self.leave_board(),
            // What was played meanwhile is not lost.
            Command::CloseInvitation if self.phase == Phase::Waiting && self.games == 0 => Ok(vec![Fact::Closed]),
            Command::CloseInvitation => Err(Refusal::Stale),
            Command::Tick => Ok(vec![]),
        }
    }

    /// The facts that an act of a participant leads to, for the seat that the participant has now.
    fn decide_act(&self, by: &Participant, act: &Act, stamp: Stamp) -> Result<Vec<Fact>, Refusal> {
        let seat = self.seat_of(&by.id);
        match act {
            Act::CheckTime => return Ok(vec![]),
            Act::Chat { text } => return self.chat_message(by, seat, text),
            _ => {}
        }
        let color = seat.ok_or(Refusal::NoSeat)?;
        match *act {
            Act::CheckTime | Act::Chat { .. } => Ok(vec![]),
            Act::Leave => Ok(self.leave(color)),
            Act::Move { ply, number } => self.make_move(color, ply, number, stamp.received),
            Act::Correct { number } => self.correct(color, number, stamp.received),
            Act::Resign => {
                self.playing()?;
                Ok(vec![ended(Verdict::Won { winner: !color, why: Why::Resignation })])
            }
            Act::Abort => {
                self.playing()?;
                if self.is_early() { Ok(vec![ended(Verdict::Aborted)]) } else { Err(Refusal::TooLateToAbort) }
            }
            Act::OfferDraw => self.offer_draw(color),
            Act::AcceptDraw { number } => {
                self.playing()?;
                match self.draw_offer {
                    Some(by) if by != color && number == self.game.len() => self.offer_draw(color),
                    Some(by) if by != color => Err(Refusal::Stale),
                    _ => Err(Refusal::NoOffer),
                }
            }
            Act::DeclineDraw => {
                self.playing()?;
                if self.draw_offer == Some(!color) { Ok(vec![Fact::DrawDeclined]) } else { Err(Refusal::NoOffer) }
            }
            Act::ClaimDraw { claim, with } => self.claim_draw(color, claim, with),
            Act::ClaimWin => self.claim_win(color, stamp.received),
            Act::AskTakeback { plies } => self.ask_takeback(color, plies, stamp.received),
            Act::AcceptTakeback { plies } => {
                self.playing()?;
                let is_asked = self.takeback == Some(TakebackRequest { by: !color, plies });
                if is_asked { Ok(vec![self.taken_back(plies, stamp.received)]) } else { Err(Refusal::NoOffer) }
            }
            Act::DeclineTakeback => {
                self.playing()?;
                let is_asked = self.takeback.is_some_and(|request| request.by != color);
                if is_asked { Ok(vec![Fact::TakebackDeclined]) } else { Err(Refusal::NoOffer) }
            }
            Act::OfferRematch => self.offer_rematch(color, stamp.write_id),
            Act::AcceptRematch => {
                let is_offered = self.rematch == Some(!color);
                if is_offered { self.offer_rematch(color, stamp.write_id) } else { Err(Refusal::NoOffer) }
            }
            Act::DeclineRematch => {
                if self.rematch == Some(!color) {
                    Ok(vec![Fact::RematchDeclined])
                } else {
                    Err(Refusal::NoOffer)
                }
            }
            Act::RequestFootprints { number } => self.request_footprints(number),
            Act::Withdraw { offer } => {
                let is_own = match offer {
                    Offer::Draw => self.draw_offer == Some(color),
                    Offer::Takeback => self.takeback.is_some_and(|request| request.by == color),
                    Offer::Rematch => self.rematch == Some(color),
                };
                if is_own { Ok(vec![Fact::Withdrawn { offer }]) } else { Err(Refusal::NoOffer) }
            }
            Act::Hints { on } => {
                Ok(if self.hints[index(color)] == on { vec![] } else { vec![Fact::Hints { color, on }] })
            }
        }
    }

    fn chat_message(&self, by: &Participant, color: Option<Color>, text: &str) -> Result<Vec<Fact>, Refusal> {
        let (lines, bytes) = if color.is_some() {
            (MAX_LINES, MAX_CHAT_BYTES)
        } else {
            (MAX_LINES_OF_SPECTATORS, MAX_CHAT_BYTES_OF_SPECTATORS)
        };
        let text = sanitize(text).ok_or(Refusal::BadText)?;
        if self.lines >= lines || self.chat_bytes.saturating_add(text.len()) > bytes {
            return Err(Refusal::ChatFull);
        }
        Ok(vec![Fact::Said { speaker: Speaker { id: by.id.clone(), name: by.name.clone(), color }, text }])
    }

    fn free_seat(&self, side: SideChoice, random: u64) -> Option<Color> {
        let free = |color| self.seat(color).is_none();
        let first = match side {
            SideChoice::White => return Some(Color::White).filter(|&color| free(color)),
            SideChoice::Black => return Some(Color::Black).filter(|&color| free(color)),
            SideChoice::First => Color::White,
            SideChoice::Random => Color::ALL[usize::from(random % 2 == 1)],
        };
        [first, !first].into_iter().find(|&color| free(color))
    }

    fn is_connected_through(&self, color: Color, relay: RelayId) -> bool {
        self.seat(color).is_some_and(|seated| seated.is_here_through(relay))
    }

    fn lost_with(&self, live_relays: &[RelayId]) -> Vec<Fact> {
        let mut facts = Vec::new();
        for color in Color::ALL {
            if let Some(Presence::Here(relays)) = self.seat(color).map(|seated| &seated.presence) {
                let lost = relays.iter().filter(|relay| !live_relays.contains(relay));
                facts.extend(lost.map(|&relay| Fact::Disconnected { color, relay }));
            }
        }
        facts
    }

    fn leave(&self, color: Color) -> Vec<Fact> {
        match self.phase {
            Phase::Playing => {
                // A client that follows only the document of its protocol has no abort, and that document says who wins.
                let can_abort = self.seat(color).is_some_and(|seated| seated.player.ability == Ability::Claims);
                let ending = match self.seat(!color) {
                    Some(_) if can_abort && self.is_early() => Ending::aborted_by(color),
                    Some(_) => Verdict::Won { winner: !color, why: Why::Abandonment }.into(),
                    None => Verdict::Abandoned.into(),
                };
                vec![Fact::Ended(ending), Fact::Left { color }]
            }
            _ => vec![Fact::Left { color }],
        }
    }

    /// Refuses unless a game is in progress.
    const fn playing(&self) -> Result<(), Refusal> {
        match (self.phase, self.verdict) {
            (Phase::Playing, _) => Ok(()),
            (Phase::Over, Some(verdict)) => Err(Refusal::Over(verdict)),
            (Phase::Closed, _) => Err(Refusal::Closed),
            _ => Err(Refusal::NotBegun),
        }
    }

    fn make_move(&self, color: Color, ply: Ply, number: Option<usize>, received: Time) -> Result<Vec<Fact>, Refusal> {
        self.playing()?;
        if number.is_some_and(|number| number != self.game.len()) {
            return Err(Refusal::Stale);
        }
        let here = self.game.situation();
        let turn = here.turn();
        if turn.to_move != color {
            return Err(Refusal::NotYourTurn);
        }
        if !turn.own().has(ply.from()) {
            let is_empty = !turn.occupied().has(ply.from());
            return Err(if is_empty { Refusal::NoPiece } else { Refusal::NotYourPiece });
        }
        if here.footprint(ply).is_none() {
            let lacks_choice = ply.choice() == 0 && here.plies().iter().any(|other| other.is_same_way(ply));
            return Err(if lacks_choice { Refusal::NoPromotion(ply) } else { Refusal::Illegal(ply) });
        }
        if self.frozen_until.is_some_and(|until| received < until) {
            return Err(Refusal::Frozen);
        }
        if self.game.len() >= MAX_PLIES {
            return Err(Refusal::TooLong);
        }
        self.check_rulings()?;
        let mut facts = Vec::with_capacity(1);
        // Moving declines what the opponent has offered and asked for.
        if self.draw_offer == Some(!color) {
            facts.push(Fact::DrawDeclined);
        }
        if self.takeback.is_some_and(|request| request.by != color) {
            facts.push(Fact::TakebackDeclined);
        }
        facts.push(Fact::Moved { ply, took: self.thought(received), ruling: None });
        Ok(facts)
    }

    /// The own last ply, which was sent too early, is undone. It does not count as a takeback.
    fn correct(&self, color: Color, number: usize, received: Time) -> Result<Vec<Fact>, Refusal> {
        self.playing()?;
        let is_last = self.game.len().checked_sub(1) == Some(number) && self.game.to_move() != color;
        if !is_last || received.since(self.moved_at) > CORRECTION_MS {
            return Err(Refusal::Stale);
        }
        self.check_taking_back(1)?;
        Ok(vec![Fact::Corrected { took: self.thought(received) }])
    }

    /// How long the side to move has thought, in milliseconds; with a clock, how long it has run.
    pub(super) fn thought(&self, received: Time) -> u64 {
        self.clock.as_ref().map_or_else(|| received.since(self.moved_at), |clock| clock.thought(received))
    }

    fn claim_draw(&self, color: Color, claim: DrawClaim, with: Option<Ply>) -> Result<Vec<Fact>, Refusal> {
        self.playing()?;
        if self.game.to_move() != color {
            return Err(Refusal::NotYourTurn);
        }
        let mut game = Play::clone(&self.game);
        match game.claim_draw(claim, with) {
            Ok(()) => Ok(game.verdict().map(ended).into_iter().collect()),
            Err(ClaimError::Over(verdict)) => Err(Refusal::Over(verdict)),
            Err(ClaimError::Illegal(ply)) => Err(Refusal::Illegal(ply)),
            Err(ClaimError::Unfounded(claim)) => Err(Refusal::NoClaim(claim)),
        }
    }

    fn claim_win(&self, color: Color, received: Time) -> Result<Vec<Fact>, Refusal> {
        self.playing()?;
        if self.seat(!color).is_some_and(Seated::is_here) {
            return Err(Refusal::OpponentIsHere);
        }
        let from = self.absence_ends(!color).ok_or(Refusal::NoClaimWithoutClock)?;
        if received < from {
            return Err(Refusal::TooEarlyToClaim);
        }
        Ok(vec![Fact::Ended(if self.is_early() {
            Ending::aborted_by(!color)
        } else {
            Verdict::Won { winner: color, why: Why::Abandonment }.into()
        })])
    }

    /// Whether the game can still be aborted.
    pub(super) fn is_early(&self) -> bool {
        self.game.len() < ABORT_BEFORE
    }

    fn offer_draw(&self, color: Color) -> Result<Vec<Fact>, Refusal> {
        self.playing()?;
        if self.draw_offer == Some(!color) {
            return Ok(vec![ended(Verdict::Drawn(Why::Agreement))]);
        }
        let plies = self.game.len();
        // Another offer needs another move of one's own.
        let is_again = self.draw_asked[index(color)].is_some_and(|asked| plies < asked.saturating_add(2));
        if self.draw_offer.is_some() || is_again {
            return Err(Refusal::OfferedAlready);
        }
        // Each ply could have an offer of its own, and with its refusal that would be three entries for each.
        if self.version >= MAX_LOG {
            return Err(Refusal::TooLong);
        }
        Ok(vec![Fact::DrawOffered { color }])
    }

    fn ask_takeback(&self, color: Color, plies: u8, received: Time) -> Result<Vec<Fact>, Refusal> {
        self.playing()?;
        if usize::from(plies) > self.game.len() || plies == 0 {
            return Err(Refusal::NothingToTakeBack);
        }
        if self.takebacks >= MAX_TAKEBACKS {
            return Err(Refusal::TooManyTakebacks);
        }
        self.check_taking_back(plies)?;
        match self.takeback {
            Some(request) if request == TakebackRequest { by: !color, plies } => {
                Ok(vec![self.taken_back(plies, received)])
            }
            Some(request) if request == TakebackRequest { by: color, plies } => Ok(vec![]),
            _ => Ok(vec![Fact::TakebackAsked { color, plies }]),
        }
    }

    fn taken_back(&self, plies: u8, received: Time) -> Fact {
        Fact::TakenBack { plies, took: self.thought(received) }
    }

    fn offer_rematch(&self, color: Color, random: u64) -> Result<Vec<Fact>, Refusal> {
        self.check_another_game()?;
        match (self.phase, self.rematch) {
            (Phase::Over, Some(other)) if other != color => {
                Ok(vec![Fact::Began { game: GameId(random.max(1)), swapped: true, start: None }])
            }
            (Phase::Over, Some(_)) => Ok(vec![]),
            (Phase::Over, None) if self.seat(!color).is_some() => Ok(vec![Fact::RematchOffered { color }]),
            (Phase::Over, None) => Err(Refusal::NoOffer),
            _ => Err(Refusal::NotOver),
        }
    }
}

impl Draft {
    fn add(&mut self, entry: Entry) {
        Arc::make_mut(&mut self.after).apply(&entry);
        self.entries.push(entry);
    }

    /// Adds what is due by the rules or by time, until nothing is.
    fn follow(&mut self, stamp: Stamp) {
        while let Some(fact) = self.after.consequence(stamp) {
            self.add(Entry { at: stamp.now, write_id: stamp.write_id, from: None, fact });
        }
    }
}

fn ended(verdict: Verdict) -> Fact {
    Fact::Ended(verdict.into())
}

/// Strips control and bidirectional formatting characters from a chat message. `None` if it is empty or too long.
fn sanitize(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|&c| c == '\n' || !is_misleading(c)).collect();
    let text = text.trim();
    (1..=MAX_TEXT).contains(&text.chars().count()).then(|| text.to_owned())
}
