use std::sync::Arc;

use chess::{ClaimError, Color, DrawReason, MAX_PLIES, Outcome, Role, WinReason};

use super::command::{Command, Origin, Refusal, Wish};
use super::ending::Ending;
use super::fact::{Entry, Fact};
use super::name::{GameId, RelayId, is_misleading};
use super::seat::{Presence, index};
use super::time::Time;
use super::{Phase, Room};

/// So many characters can be said at once.
const MAX_TEXT: usize = 500;

/// So many lines can be said in a room. Logs are kept, and nobody plays for the sake of talking.
const MAX_LINES: u32 = 2_000;

/// So many of them before only the players can: nobody who watches can silence them by talking.
const MAX_LINES_OF_WATCHERS: u32 = 1_500;

/// So long can a log get. No game is that long, but a player could agree to hints and no longer for days. After it, games
/// can be played to their end, and nothing else.
const MAX_LOG: u64 = 60_000;

/// How many plies may have been played for a game to be called off.
const ABORT_BEFORE: usize = 2;

/// What would come of a command: lines for the log, and the room after them.
#[derive(Clone, Debug)]
pub struct Draft {
    /// What is to be added. There may be nothing.
    pub entries: Vec<Entry>,
    /// The room with that. It is big, and goes from here to everybody who hears of it without being copied again.
    pub after: Arc<Room>,
    /// Why the command itself came to nothing, if it did. What time has brought in the meantime is in the draft all the
    /// same.
    pub refused: Option<Refusal>,
}

impl Room {
    /// What would come of this command. `pen` marks the lines of whoever asks; `from` is what a board said.
    ///
    /// It is judged by when it was received: a player who has moved in time does not lose on time because the store was
    /// slow. What it leads to happens now: nor does the other one, whose clock runs from then on. So it may have been
    /// received before the last line of the log was written, if that line was received before it and had to wait.
    #[must_use]
    pub fn attempt(&self, command: &Command, from: Option<Origin>, received: Time, now: Time, pen: u64) -> Draft {
        // Relays' clocks agree well but not perfectly, and a log never goes back.
        let now = now.max(received).max(self.last_at);
        let mut draft = Draft { entries: Vec::new(), after: Arc::new(self.clone()), refused: None };
        let dice = match command {
            Command::Tick { dice }
            | Command::OfferRematch { dice, .. }
            | Command::AcceptRematch { dice, .. }
            | Command::Sit { dice, .. } => *dice,
            _ => pen,
        };
        draft.follow(received, now, dice, pen);
        if from.is_some_and(|origin| self.has_heard(origin)) {
            return draft;
        }
        match draft.after.decide(command, received) {
            Ok(facts) => {
                for fact in facts {
                    draft.add(Entry { at: now, pen, from, fact });
                }
                draft.follow(received, now, dice, pen);
            }
            Err(refusal) => draft.refused = Some(refusal),
        }
        draft
    }

    /// Whether this is something that a board says again because it has not heard that it was heard.
    #[must_use]
    pub fn has_heard(&self, origin: Origin) -> bool {
        let heard = self.seat(origin.color).and_then(|seated| seated.heard);
        heard.is_some_and(|heard| heard.stream == origin.stream && heard.number >= origin.number)
    }

    /// The facts that a command leads to by itself.
    fn decide(&self, command: &Command, received: Time) -> Result<Vec<Fact>, Refusal> {
        if self.phase == Phase::Closed && !matches!(command, Command::Tick { .. } | Command::Relays(_)) {
            return Err(Refusal::Closed);
        }
        if self.version >= MAX_LOG && command.is_dispensable() {
            return Err(Refusal::TooLong);
        }
        match command {
            Command::Sit { player, wish, dice } => {
                if self.seat_of(&player.id).is_some() {
                    // Nobody could tell at which side they mean to do something.
                    return Err(Refusal::Taken);
                }
                let color = self.free_seat(*wish, *dice).ok_or(Refusal::Taken)?;
                Ok(vec![Fact::Sat { color, player: player.clone() }])
            }
            &Command::Come { color, relay } => {
                let seated = self.seat(color).ok_or(Refusal::NoSeat)?;
                Ok(if seated.is_here_through(relay) { vec![] } else { vec![Fact::Came { color, relay }] })
            }
            &Command::Go { color, relay } => {
                let seated = self.seat(color).ok_or(Refusal::NoSeat)?;
                Ok(if seated.is_here_through(relay) { vec![Fact::Went { color, relay }] } else { vec![] })
            }
            Command::Relays(living) => Ok(self.lost_with(living)),
            &Command::Leave(color) => self.leave(color),
            &Command::Move { color, mv, ply } => self.make_move(color, mv, ply, received),
            &Command::Resign(color) => {
                self.playing(color)?;
                Ok(vec![Fact::Ended(Outcome::Win { winner: !color, by: WinReason::Resignation }.into())])
            }
            &Command::Abort(color) => {
                self.playing(color)?;
                let is_early = self.game.moves().len() < ABORT_BEFORE;
                if is_early { Ok(vec![Fact::Ended(Ending::ABORTED)]) } else { Err(Refusal::TooLateToAbort) }
            }
            &Command::OfferDraw(color) => self.offer_draw(color),
            &Command::AcceptDraw { color, ply } => {
                self.playing(color)?;
                match self.draw_offer {
                    Some(by) if by != color && ply == self.game.moves().len() => self.offer_draw(color),
                    Some(by) if by != color => Err(Refusal::Stale),
                    _ => Err(Refusal::NoOffer),
                }
            }
            &Command::DeclineDraw(color) => {
                self.playing(color)?;
                if self.draw_offer == Some(!color) { Ok(vec![Fact::DrawDeclined]) } else { Err(Refusal::NoOffer) }
            }
            &Command::ClaimDraw { color, claim, with } => self.claim_draw(color, claim, with),
            &Command::AskTakeback { color, plies } => self.ask_takeback(color, plies, received),
            &Command::AllowTakeback { color, plies } => {
                self.playing(color)?;
                let is_asked = self.takeback == Some((!color, plies));
                if is_asked { Ok(vec![self.taken_back(plies, received)]) } else { Err(Refusal::NoOffer) }
            }
            &Command::DeclineTakeback(color) => {
                self.playing(color)?;
                let is_asked = self.takeback.is_some_and(|(asker, _)| asker != color);
                if is_asked { Ok(vec![Fact::TakebackDeclined]) } else { Err(Refusal::NoOffer) }
            }
            &Command::OfferRematch { color, dice } => self.offer_rematch(color, dice),
            &Command::AcceptRematch { color, dice } => {
                self.seat(color).ok_or(Refusal::NoSeat)?;
                if self.rematch == Some(!color) { self.offer_rematch(color, dice) } else { Err(Refusal::NoOffer) }
            }
            &Command::DeclineRematch(color) => {
                self.seat(color).ok_or(Refusal::NoSeat)?;
                if self.rematch == Some(!color) { Ok(vec![Fact::RematchDeclined]) } else { Err(Refusal::NoOffer) }
            }
            &Command::Hints { color, on } => {
                self.seat(color).ok_or(Refusal::NoSeat)?;
                Ok(if self.hints[index(color)] == on { vec![] } else { vec![Fact::Hints { color, on }] })
            }
            Command::Say { speaker, text } => {
                let limit = if speaker.color.is_some() { MAX_LINES } else { MAX_LINES_OF_WATCHERS };
                if self.lines >= limit {
                    return Err(Refusal::TooMuchSaid);
                }
                let text = said(text).ok_or(Refusal::BadText)?;
                Ok(vec![Fact::Said { speaker: speaker.clone(), text }])
            }
            Command::Tick { .. } => Ok(vec![]),
        }
    }

    /// Where somebody who wishes so sits down.
    fn free_seat(&self, wish: Wish, dice: u64) -> Option<Color> {
        let free = |color| self.seat(color).is_none();
        let first = match wish {
            Wish::White => return Some(Color::White).filter(|&color| free(color)),
            Wish::Black => return Some(Color::Black).filter(|&color| free(color)),
            Wish::First => Color::White,
            Wish::Random => Color::ALL[usize::from(dice % 2 == 1)],
        };
        [first, !first].into_iter().find(|&color| free(color))
    }

    fn lost_with(&self, living: &[RelayId]) -> Vec<Fact> {
        let mut facts = Vec::new();
        for color in Color::ALL {
            if let Some(Presence::Here(relays)) = self.seat(color).map(|seated| &seated.presence) {
                let lost = relays.iter().filter(|relay| !living.contains(relay));
                facts.extend(lost.map(|&relay| Fact::Went { color, relay }));
            }
        }
        facts
    }

    fn leave(&self, color: Color) -> Result<Vec<Fact>, Refusal> {
        self.seat(color).ok_or(Refusal::NoSeat)?;
        Ok(match self.phase {
            Phase::Playing => {
                let winner = self.seat(!color).map(|_| !color);
                vec![Fact::Ended(Ending::disconnect(winner)), Fact::Left { color }]
            }
            _ => vec![Fact::Left { color }],
        })
    }

    /// Whether a game goes on in which this player plays.
    fn playing(&self, color: Color) -> Result<(), Refusal> {
        self.seat(color).ok_or(Refusal::NoSeat)?;
        match (self.phase, self.ending) {
            (Phase::Playing, _) => Ok(()),
            (Phase::Over, Some(ending)) => Err(Refusal::Over(ending)),
            (Phase::Closed, _) => Err(Refusal::Closed),
            _ => Err(Refusal::NotBegun),
        }
    }

    fn make_move(
        &self,
        color: Color,
        mv: chess::Move,
        ply: Option<usize>,
        received: Time,
    ) -> Result<Vec<Fact>, Refusal> {
        self.playing(color)?;
        if ply.is_some_and(|ply| ply != self.game.moves().len()) {
            return Err(Refusal::Stale);
        }
        let position = self.game.position();
        if position.turn() != color {
            return Err(Refusal::NotYourTurn);
        }
        let piece = position.piece_at(mv.from()).filter(|piece| piece.color() == color).ok_or(Refusal::NotYourPiece)?;
        if !position.is_legal(mv) {
            let could_promote = mv.promotion().is_none() && piece.role() == Role::Pawn;
            let promoted = mv.promoting(Some(chess::Promotion::Queen));
            let lacks = could_promote && position.is_legal(promoted);
            return Err(if lacks { Refusal::NoPromotion(mv) } else { Refusal::Illegal(mv) });
        }
        if self.game.moves().len() >= MAX_PLIES {
            return Err(Refusal::TooLong);
        }
        let mut facts = Vec::with_capacity(1);
        if self.draw_offer == Some(!color) {
            // Who moves has not taken the offer.
            facts.push(Fact::DrawDeclined);
        }
        facts.push(Fact::Moved { mv, took: self.thought(received) });
        Ok(facts)
    }

    /// How long whoever has the turn has had it; where there is a clock, as long as that ran.
    fn thought(&self, received: Time) -> u64 {
        self.clock.as_ref().map_or_else(|| received.since(self.moved_at), |clock| clock.thought(received))
    }

    fn claim_draw(
        &self,
        color: Color,
        claim: chess::DrawClaim,
        with: Option<chess::Move>,
    ) -> Result<Vec<Fact>, Refusal> {
        self.playing(color)?;
        if self.game.position().turn() != color {
            return Err(Refusal::NotYourTurn);
        }
        let mut game = self.game.clone();
        let granted = match with {
            Some(mv) => game.claim_draw_with(mv, claim),
            None => game.claim_draw(claim),
        };
        match granted {
            Ok(()) => Ok(game.outcome().map(|outcome| Fact::Ended(outcome.into())).into_iter().collect()),
            Err(ClaimError::Over(outcome)) => Err(Refusal::Over(outcome.into())),
            Err(ClaimError::Illegal(illegal)) => Err(Refusal::Illegal(illegal.0)),
            Err(ClaimError::Unfounded(claim)) => Err(Refusal::NoClaim(claim)),
        }
    }

    fn offer_draw(&self, color: Color) -> Result<Vec<Fact>, Refusal> {
        self.playing(color)?;
        if self.draw_offer == Some(!color) {
            return Ok(vec![Fact::Ended(Outcome::Draw(DrawReason::Agreement).into())]);
        }
        let plies = self.game.moves().len();
        // Again only after another move of one's own.
        let again = self.draw_asked[index(color)].is_some_and(|asked| plies < asked.saturating_add(2));
        if self.draw_offer.is_some() || again {
            return Err(Refusal::OfferedAlready);
        }
        Ok(vec![Fact::DrawOffered { color }])
    }

    fn ask_takeback(&self, color: Color, plies: u8, received: Time) -> Result<Vec<Fact>, Refusal> {
        self.playing(color)?;
        if usize::from(plies) > self.game.moves().len() || plies == 0 {
            return Err(Refusal::NothingToTakeBack);
        }
        match self.takeback {
            Some((asker, same)) if asker != color && same == plies => Ok(vec![self.taken_back(plies, received)]),
            Some((asker, same)) if asker == color && same == plies => Ok(vec![]),
            _ => Ok(vec![Fact::TakebackAsked { color, plies }]),
        }
    }

    fn taken_back(&self, plies: u8, received: Time) -> Fact {
        Fact::TakenBack { plies, took: self.thought(received) }
    }

    fn offer_rematch(&self, color: Color, dice: u64) -> Result<Vec<Fact>, Refusal> {
        self.seat(color).ok_or(Refusal::NoSeat)?;
        match (self.phase, self.rematch) {
            (Phase::Over, Some(other)) if other != color => {
                Ok(vec![Fact::Began { game: GameId(dice.max(1)), swapped: true }])
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

    /// Adds whatever follows by itself, until nothing does.
    fn follow(&mut self, judged: Time, now: Time, dice: u64, pen: u64) {
        while let Some(fact) = self.after.consequence(judged, now, dice) {
            self.add(Entry { at: now, pen, from: None, fact });
        }
    }
}

/// A text as it is said: without what does not show, or would turn what stands around it. Nothing, if it is too long or
/// nothing is left.
fn said(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|&c| c == '\n' || !is_misleading(c)).collect();
    let text = text.trim();
    (1..=MAX_TEXT).contains(&text.chars().count()).then(|| text.to_owned())
}
