//! The evaluation of the occupancy and of the recorded touches: which plies explain them.

use chess::{Bitboard, Role, Square};
use rules::{Footprint, Options, Situation};

use super::budget::Budget;
use super::evidence::{self, Swap};
use super::kings::ShownKings;
use super::reading::{Reading, Stance};
use super::timing::{
    ILLEGAL_CAPTURE_REST, OVERLAP, PROBABLY_MOVED, Rests, SHORT_SWAP, SLIDE_OVERLAP, TILT_REST, UNSEEN_CAPTURE_REST,
};
use super::trail::Trail;
use super::{Hand, Looking, START, View, kings};
use crate::time::Instant;

/// The result of an evaluation.
pub(super) enum Evaluation {
    /// Something was read. It is confirmed once the board has rested for this many milliseconds.
    Read(Reading, u64),
    /// Nothing was read, and this is how the board compares with the game.
    Not(Stance),
}

impl Hand {
    /// The explanations of the board that take little work: nothing has happened, the kings show a result, or a single move was made.
    pub(super) fn evaluate_at_once(&mut self, view: &View<'_>, now: Instant) -> Option<Evaluation> {
        let right = view.here.occupied();
        if self.occupied == right {
            if let Some(evaluation) = self.evaluate_unchanged(view, now) {
                return Some(evaluation);
            }
            // A square may be about to be tapped: for a promotion, maybe with the pawn itself, or where a captured piece stood.
            let is_tapping = self.choosing.is_some() || self.may_be_tapping(view);
            let rest = if is_tapping { self.settings.rook_rest } else { 0 };
            return Some(Evaluation::Read(Reading::PutBack, rest));
        }
        if let Some(shown) =
            kings::shown(view.here.here.royal(), right, self.occupied, self.just_moved(view, now), &self.trail)
            && !self.is_move(view)
        {
            return Some(match shown {
                ShownKings::Result(result) => Evaluation::Read(Reading::Kings(result), self.settings.kings_rest),
                ShownKings::Doubtful(king) => Evaluation::Not(Stance::Asking(king)),
            });
        }
        self.evaluate_single_move(view, now)
    }

    /// The explanations that are left when no move explains the board: the last move is corrected or taken back, the pieces are set up
    /// again, or it is out of order.
    pub(super) fn evaluate_past(&self, view: &View<'_>, now: Instant, budget: &mut Budget) -> Evaluation {
        if let Some(evaluation) = self.evaluate_correction(view, now, budget) {
            return evaluation;
        }
        if self.occupied == START {
            // In a running game the players may only be looking at the start position.
            let rest = match self.looking {
                Looking::ForNothing | Looking::ForCorrection => self.settings.kings_rest,
                _ => self.settings.restart_rest,
            };
            return Evaluation::Read(Reading::StartPosition, rest);
        }
        Evaluation::Not(self.judge(view, now))
    }

    /// The one move that may be made now.
    pub(super) fn evaluate_single_move(&mut self, view: &View<'_>, now: Instant) -> Option<Evaluation> {
        match self.looking {
            Looking::ForNothing | Looking::ForCorrection | Looking::ForWithdrawal => None,
            Looking::ForThis(ply) => {
                let footprint = view.expected(ply)?;
                let complete = footprint.after == self.occupied && self.trail.shows_made(&footprint);
                // The piece to be captured may only have wobbled.
                let doubtful = self.trail.swap(&footprint) == Swap::Doubtful;
                let rest = if doubtful { self.settings.rest } else { 0 };
                let read = complete.then_some(Evaluation::Read(Reading::Moved(ply), rest));
                read.or_else(|| self.evaluate_early_own(&footprint, view, false))
            }
            Looking::ForMoves if self.promotion_due(view).is_some() => None,
            // Several moves may have brought some pieces back to their squares. They are read when the board rests.
            Looking::ForMoves if self.may_be_several(view.here) => None,
            Looking::ForMoves | Looking::ForOwnMove => self.evaluate_single(view, now),
        }
    }

    /// The same where several moves were searched for, and none were found.
    pub(super) fn evaluate_single_at_last(&mut self, view: &View<'_>, now: Instant) -> Option<Evaluation> {
        let is_open = self.may_be_answered(view) && self.may_be_several(view.here);
        if is_open { self.evaluate_single(view, now) } else { None }
    }

    /// Whether several pieces have stood on squares for so long that they have probably moved there, and one of them has come back since to where it
    /// was.
    fn may_be_several(&self, here: Options<'_>) -> bool {
        let Trail { lifted, placed, .. } = self.trail;
        let touched = (lifted & placed).without(here.occupied() | self.occupied);
        let back = lifted & placed & here.occupied() & self.occupied;
        if self.choosing.is_some() || !touched.several() || back.is_empty() {
            return false;
        }
        let begun = lifted & here.turn().own();
        // What one piece slides over is one move.
        let ways = |from: Square| placed.squares().fold(Bitboard::EMPTY, |ways, to| ways | evidence::between(from, to));
        let slid = begun.without(self.occupied).squares().fold(Bitboard::EMPTY, |slid, from| slid | ways(from));
        let stood = |square: &Square| self.touches.longest_stand(*square) >= PROBABLY_MOVED;
        let stops: Bitboard = touched.squares().filter(stood).collect();
        let has_been_on = |from: Square, stop: Square| {
            let (came, left) = (self.trail.place_of(stop), self.trail.lift_of(stop));
            self.trail.first_lift_of(from) < came && left < self.trail.place_of(from)
        };
        // The first of the moves was one that may be made now.
        let moved: Bitboard = begun.squares().fold(Bitboard::EMPTY, |moved, from| moved | here.targets(from)) & stops;
        moved.any()
            && stops
                .without(slid)
                .squares()
                .any(|stop| moved.without(stop.into()).any() && back.squares().any(|from| has_been_on(from, stop)))
    }

    /// Whether two players share the board, and may both have moved.
    pub(super) fn may_be_answered(&self, view: &View<'_>) -> bool {
        self.looking == Looking::ForMoves && self.promotion_due(view).is_none()
    }

    /// The target of the last ply, if that was made so recently that it may have been part of a result that the kings show.
    fn just_moved(&self, view: &View<'_>, now: Instant) -> Bitboard {
        let last = view.before.filter(|_| now.since(self.ply_confirmed) < kings::ON_ITS_WAY);
        last.map_or(Bitboard::EMPTY, |(_, ply)| ply.to().into())
    }

    /// Whether a ply explains the board. Kings in the centre show a result, but not if the rules allow them to stand side by side and one of
    /// them has just moved there.
    fn is_move(&self, view: &View<'_>) -> bool {
        let shows = |footprint: Footprint| footprint.after == self.occupied && self.trail.shows(&footprint);
        match self.looking {
            Looking::ForNothing | Looking::ForCorrection | Looking::ForWithdrawal => false,
            Looking::ForThis(ply) => view.expected(ply).is_some_and(shows),
            Looking::ForMoves | Looking::ForOwnMove => self.shown_footprints(view.here).any(shows),
        }
    }

    /// The footprints that the touches may show.
    pub(super) fn shown_footprints<'a>(&self, here: Options<'a>) -> impl Iterator<Item = Footprint> + use<'a> {
        here.footprints_touching(self.trail.lifted, self.trail.placed, 0).map(|(_, footprint)| footprint)
    }

    /// Whether the touches show this ply. A pawn whose choice is pending has arrived already: its square may flicker while a piece stands on
    /// another one to choose.
    pub(super) fn shows(&self, footprint: &Footprint) -> bool {
        self.trail.shows(footprint) || self.is_chosen_now(footprint.ply)
    }

    fn evaluate_single(&mut self, view: &View<'_>, now: Instant) -> Option<Evaluation> {
        let mut found: Option<(Footprint, Swap)> = None;
        let mut answered: Option<(Footprint, Swap)> = None;
        let (mut certain, mut doubtful) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for footprint in self.shown_footprints(view.here) {
            if footprint.after != self.occupied || !self.shows(&footprint) {
                continue;
            }
            let to = footprint.ply.to();
            if self.paused_until_answered(view.here, &footprint) {
                continue;
            }
            let swap = self.trail.swap(&footprint);
            let elsewhere = || self.was_elsewhere(view.here, &footprint, self.trail.place_of(to));
            let slid = if self.has_answered(to) { Bitboard::EMPTY } else { self.slid_towards(view.here, &footprint) };
            if swap == Swap::Doubtful || slid.any() || (footprint.is_capture() && elsewhere()) {
                doubtful |= footprint.ends() | slid;
                continue;
            }
            // Where a piece may have captured on several squares, the player was asked, and has tapped one of them.
            let is_answer = footprint.is_capture() && self.has_answered(to);
            if answered.is_none() && (is_answer || self.asks_between(to)) {
                answered = Some((footprint, swap));
            }
            certain |= to.into();
            found = Some((footprint, swap));
        }
        let others = if answered.is_some() { Bitboard::EMPTY } else { certain };
        if let Some((footprint, swap)) = answered.or(found) {
            if let Some(evaluation) = self.evaluate_alike(&footprint, others, view, now) {
                return Some(evaluation);
            }
            if answered.is_some() {
                return Some(self.arrive(&footprint, swap, view, now));
            }
        }
        let captures = found.is_some_and(|(footprint, _)| footprint.is_capture());
        let taken = if captures { certain | doubtful } else { certain };
        match found {
            None => doubtful.any().then_some(Evaluation::Not(Stance::Asking(doubtful))),
            Some(_) if taken.several() => Some(Evaluation::Not(Stance::Asking(taken))),
            Some((footprint, swap)) => Some(self.arrive(&footprint, swap, view, now)),
        }
    }

    /// The other pieces that the piece of this capture may have taken instead, because it was seen on its way to them. One that is pushed off
    /// smoothly does not open its switch.
    fn slid_towards(&self, here: Options<'_>, footprint: &Footprint) -> Bitboard {
        let (from, to) = (footprint.ply.from(), footprint.ply.to());
        let seen = (self.trail.lifted & self.trail.placed).without(here.occupied());
        if seen.is_empty() || !footprint.is_capture() {
            return Bitboard::EMPTY;
        }
        let since = self.trail.first_lift_of(from);
        let is_seen = |step: Square| self.trail.touched_since(step, since);
        let others = (here.targets(from) & here.occupied()).without(to.into());
        others.squares().filter(|&other| (evidence::between(from, other) & seen).squares().any(is_seen)).collect()
    }

    /// Whether the player was asked about this square, and has tapped it since.
    pub(super) fn has_answered(&self, square: Square) -> bool {
        self.asked.is_some_and(|(squares, asked)| {
            (squares & self.trail.swapped).has(square) && self.trail.swap_of(square) > asked
        })
    }

    /// Whether the piece stood on another of its target squares when something was placed where the ply ends: then another piece
    /// was placed there.
    pub(super) fn was_elsewhere(&self, here: Options<'_>, footprint: &Footprint, placed: Instant) -> bool {
        let (from, to) = (footprint.ply.from(), footprint.ply.to());
        // Only squares that were touched can have been stood on.
        let touched = (self.trail.lifted & self.trail.placed).without(here.occupied() | to.into());
        touched.any() && (here.targets(from) & touched).squares().any(|other| self.trail.stood_on(other, placed))
    }

    /// Whether the piece of this ply stood on another of its targets until the opponent had replied: then it has moved there, and this is a
    /// further move.
    pub(super) fn paused_until_answered(&self, here: Options<'_>, footprint: &Footprint) -> bool {
        let (from, to) = (footprint.ply.from(), footprint.ply.to());
        let during = (self.trail.first_lift_of(from), self.trail.place_of(to));
        // Another piece may have come to the target while this one stood elsewhere. A capture is asked about.
        let is_another = |&other: &Square| {
            let overlap = if evidence::passes(from, other, to) { SLIDE_OVERLAP } else { OVERLAP };
            self.trail.stood_on(other, during.1) && self.trail.lift_of(other).since(during.1) >= overlap
        };
        let touched = (self.trail.lifted & self.trail.placed).without(here.occupied() | to.into());
        let stood = !footprint.is_capture()
            && touched.any()
            && (here.targets(from) & touched).squares().any(|other| is_another(&other));
        stood || self.was_answered(here, footprint, during)
    }

    /// Whether the opponent had replied to a stop of the piece of this ply on one of its targets, while it was lifted and put down at these
    /// moments.
    pub(super) fn was_answered(&self, here: Options<'_>, footprint: &Footprint, during: (Instant, Instant)) -> bool {
        let (from, to) = (footprint.ply.from(), footprint.ply.to());
        let stops = self.touches.left_between(during).without(here.occupied() | to.into());
        stops.any() && self.was_answered_on(here.targets(from) & stops, here, footprint, during)
    }

    /// The same for a stop on one of these squares.
    pub(super) fn was_answered_on(
        &self,
        stops: Bitboard,
        here: Options<'_>,
        footprint: &Footprint,
        during: (Instant, Instant),
    ) -> bool {
        // The rook of a castling move is no reply.
        let no_reply = here.occupied() | footprint.other_places();
        stops.squares().any(|stop| self.touches.was_answered((footprint.ply.from(), stop), during, no_reply))
    }

    /// The board looks as it does after this ply. Other touches are forgotten: their pieces are back where they were, unless a weak
    /// one may just be lifting off.
    fn arrive(&mut self, footprint: &Footprint, swap: Swap, view: &View<'_>, now: Instant) -> Evaluation {
        let ply = footprint.ply;
        if ply.choice() != 0 {
            return self.evaluate_promotion(ply, view, now);
        }
        // While a promotion is pending its touches are kept: a weak piece that flickers meanwhile may look like a move.
        let choosing = self.choosing.is_some();
        let captures = footprint.is_capture();
        // The same piece seems to have captured just before: the captured piece may be on its way off the board, low over this square.
        let disputed = self.disputes_capture(footprint, view);
        let may_be_tilted = captures && !self.has_answered(ply.to());
        let is_alone = may_be_tilted && self.trail.is_alone(footprint);
        let is_quick = self.trail.place_of(ply.to()).since(self.trail.lift_of(ply.to())) < SHORT_SWAP;
        let is_swap = footprint.captured.has(ply.to()) && footprint.places.has(ply.to());
        let is_sent_later = may_be_tilted && (is_alone || is_quick) && is_swap;
        if !self.flicker.is_unsure() && !choosing && !disputed {
            self.forget(now, evidence::squares(footprint));
        }
        // Until a capture is certain, a touch elsewhere may be the captured piece on its way off the board.
        let unclear = swap == Swap::Pushed || choosing || disputed || (self.asked.is_some() && !captures);
        let rest = match unclear {
            true => self.settings.rest,
            // The piece that seems to be captured may only have been tilted while the other one was in the air. A remote opponent is told once that
            // one would have come down.
            false if is_sent_later && self.looking == Looking::ForOwnMove => self.rests().send_slide,
            false if is_alone => TILT_REST,
            // A piece that seems to capture may have flickered just when the other was put back.
            false if captures => self.flicker.flicker_left(ply.from(), now),
            false => 0,
        };
        Evaluation::Read(Reading::Moved(ply), rest.max(self.rest_of(view.here, footprint)))
    }

    /// Whether a capture by the same piece was read before this ply, and has not been confirmed.
    fn disputes_capture(&self, footprint: &Footprint, view: &View<'_>) -> bool {
        let before = self.waiting.and_then(|waiting| match waiting.reading {
            Reading::Moved(ply) if ply.from() == footprint.ply.from() && ply.to() != footprint.ply.to() => Some(ply),
            _ => None,
        });
        let captured = before.and_then(|ply| view.here.footprint(ply)).is_some_and(|before| before.is_capture());
        captured && !footprint.is_capture()
    }

    /// The rests of the pace that the players have chosen.
    pub(super) const fn rests(&self) -> &'static Rests {
        Rests::of(self.settings.pace)
    }

    /// How long a complete ply must rest before it is confirmed, in milliseconds.
    pub(super) fn rest_of(&self, here: Options<'_>, footprint: &Footprint) -> u64 {
        let (from, to) = (footprint.ply.from(), footprint.ply.to());
        let rests = self.rests();
        let paced = |rest: u64| rest.saturating_mul(rests.percent) / 100;
        // What is sent to a remote opponent rests longer.
        let (any, slide, rook) = match self.looking {
            Looking::ForOwnMove => (rests.send, rests.send_slide, rests.send_rook),
            _ => (rests.any, paced(self.settings.rest), paced(self.settings.rook_rest)),
        };
        let slides_on = |other: Square| evidence::passes(from, to, other);
        // Most of what is put down without letting go, and then elsewhere, are pieces with many squares to choose from.
        let stops = || self.looking == Looking::ForOwnMove && has_many_targets(here.here, from);
        let rest = if here.footprints_beside(footprint.ply).any(|other| footprint.is_part_of(&other)) {
            // It may be the first half of castling.
            rook
        } else if !footprint.is_capture() && (here.targets(from).squares().any(slides_on) || stops()) {
            slide
        } else {
            any
        };
        // In a told game the plies after this one are not known yet.
        let is_told = matches!(here.here, Situation::Told(_));
        let ends = !is_told && here.after(footprint.ply, |next| !next.may_go_on()) == Some(true);
        if ends { rest.max(rests.end) } else { rest }
    }

    /// How the board compares with the game when nothing can be read.
    pub(super) fn judge(&self, view: &View<'_>, now: Instant) -> Stance {
        let right = view.here.occupied();
        let (missing, extra) = (right.without(self.occupied), self.occupied.without(right));
        if (missing | extra).is_empty() {
            return Stance::Settled;
        }
        if let Some(stance) = self.half_done(view, missing, extra) {
            // If nothing is left to do and the ply is not read, the lights say how to put the pieces back.
            let is_stuck = stance == (Stance::HalfDone { fill: Bitboard::EMPTY, clear: Bitboard::EMPTY })
                && !matches!(self.looking, Looking::ForThis(_))
                && now.since(self.touched_at) >= self.settings.rest;
            if !is_stuck {
                return stance;
            }
        }
        if extra.is_empty()
            && let Some(illegal) = self.illegal_capture(view, missing, now)
        {
            return Stance::Disorder { fill: missing, clear: extra, illegal: Some(illegal) };
        }
        if extra.is_empty() || now.since(self.touched_at) < self.settings.rest {
            return Stance::InHand { missing };
        }
        let illegal = match (missing.first(), extra.first()) {
            (Some(from), Some(to)) if !missing.several() && !extra.several() => {
                view.here.turn().own().has(from).then_some((from, to))
            }
            _ => None,
        };
        Stance::Disorder { fill: missing, clear: extra, illegal }
    }

    /// The only missing piece, one of the side to move, stands where it has captured a piece that it may not capture.
    fn illegal_capture(&self, view: &View<'_>, missing: Bitboard, now: Instant) -> Option<(Square, Square)> {
        let turn = view.here.turn();
        let own = |from: &Square| !missing.several() && turn.own().has(*from) && self.trail.lifted.has(*from);
        let from = missing.first().filter(own)?;
        if now.since(self.touched_at) < ILLEGAL_CAPTURE_REST {
            return None;
        }
        let since = self.trail.first_lift_of(from);
        let swapped = self.trail.swapped & turn.occupied() & self.occupied;
        let taken = swapped.without(view.here.targets(from)).squares().filter(|&to| self.trail.swap_of(to) >= since);
        taken.max_by_key(|&to| self.trail.swap_of(to)).map(|to| (from, to))
    }

    /// The expected ply, if the board has looked as after it for long and no touch has shown it: only a capture looks like a piece that is
    /// held in the air.
    pub(super) fn expected_at_last(&self, view: &View<'_>, now: Instant) -> Option<Reading> {
        let Looking::ForThis(ply) = self.looking else { return None };
        let right = view.here.occupied();
        let Footprint { lifts, places, captured, after, .. } = view.here.here.made_footprint(ply)?;
        let is_seen = captured.is_empty() && (lifts & after).is_empty() && (places & right).is_empty() && places.any();
        let stands = after == self.occupied && now.since(self.touched_at) >= UNSEEN_CAPTURE_REST;
        (is_seen && stands).then_some(Reading::Moved(ply))
    }

    /// The only missing piece, one of the side to move, slid up to pieces that it may capture, and was not seen to go elsewhere: the squares on
    /// which it may stand.
    pub(super) fn unseen_capture(&self, view: &View<'_>, now: Instant) -> Option<Bitboard> {
        let Stance::InHand { missing } = self.stance else { return None };
        let looks = matches!(self.looking, Looking::ForMoves | Looking::ForOwnMove);
        let turn = view.here.turn();
        let is_own = |from: &Square| missing == Bitboard::of(*from) && turn.own().has(*from);
        let from = missing.first().filter(is_own)?;
        if !looks || now.since(self.touched_at) < UNSEEN_CAPTURE_REST {
            return None;
        }
        let since = self.trail.first_lift_of(from);
        let slid_to = |to: &Square| {
            let steps = evidence::between(from, *to);
            steps.any() && steps.squares().all(|step| self.trail.touched_since(step, since))
        };
        let reached = (view.here.targets(from) & turn.occupied()).squares().filter(slid_to).collect::<Bitboard>();
        reached.any().then_some(reached)
    }

    /// A ply that moves or removes more than one piece and is not complete yet: castling, en passant, or the expected ply.
    fn half_done(&self, view: &View<'_>, missing: Bitboard, extra: Bitboard) -> Option<Stance> {
        let right = view.here.occupied();
        let on_the_way = |footprint: Footprint| {
            let changes = right ^ footprint.after;
            let rest = self.occupied ^ footprint.after;
            // The piece that moves has left its square, even if another one stands there in the end.
            let moves = changes | footprint.captured | footprint.ply.from().into();
            let explained = (missing | extra).without(moves).is_empty();
            (explained && self.trail.explains(&footprint, extra))
                .then_some(Stance::HalfDone { fill: footprint.after & rest, clear: rest.without(footprint.after) })
        };
        match self.looking {
            Looking::ForThis(ply) => on_the_way(view.expected(ply)?),
            Looking::ForMoves | Looking::ForOwnMove if extra.any() => {
                view.here.footprints().filter(Footprint::takes_two_hands).find_map(on_the_way)
            }
            _ => None,
        }
    }
}

/// Whether a bishop or a queen stands on a square. Longer rests for rooks as well would make the median of all own moves longer.
fn has_many_targets(here: Situation<'_>, from: Square) -> bool {
    let piece = here.chess().and_then(|position| position.piece_at(from));
    piece.is_some_and(|piece| matches!(piece.role(), Role::Bishop | Role::Queen))
}
