//! What the lights should say, as a scene.

use chess::{Bitboard, Color, Position, Role, Square};
use rules::{AnyPosition, Made, Options, Ply, Situation, Turn, Verdict, Why};

use super::Referee;
use crate::hand::{CENTRE, Reading, Stance, choice_squares, in_centre};
use crate::lights::{Meaning, Scene};
use crate::link_state::LinkState;
use crate::offers::Takeback;
use crate::time::Instant;

/// An illegal move is shown as illegal for this long, and then the way back is shown, in milliseconds.
const ALARM: u64 = 1200;

/// The start squares of the kings.
const KINGS_AT_HOME: Bitboard = Position::start().of_role(Role::King);

/// A player with less time than this is warned, in milliseconds.
const LOW_TIME: u64 = 20_000;

impl Referee {
    /// The scene of this moment.
    #[must_use]
    pub fn scene(&self, now: Instant) -> Scene {
        if let Some(menu) = self.show_menu() {
            return menu;
        }
        let mut scene = Scene::EMPTY;
        if let Some((_, last)) = self.before.known().filter(|_| self.to_make.is_none()) {
            let ends = self.made.map_or(last.to().into(), |made| made.footprint.ends());
            scene.mark(Meaning::LastMove, Bitboard::of(last.from()) | ends);
            scene.mark(Meaning::Altered, self.made.map_or(Bitboard::EMPTY, |made| made.altered));
            self.show_promoted(&mut scene);
        }
        self.show_kings(now, &mut scene);
        self.show_offers(&mut scene);
        self.show_thinking(&mut scene);
        if let Some(meaning) = self.link_state.meaning() {
            scene.mark(meaning, LinkState::SQUARE);
        }
        if let (Some(ply), Some((earlier, _))) = (self.to_make, self.before.known())
            && let Some(made) = self.made.filter(|made| made.ply == ply)
        {
            show_opponent(earlier, &made, &mut scene);
        }
        if self.own_side_until().is_some_and(|until| now < until) {
            scene.mark(Meaning::OwnSide, self.own_pieces());
        }
        if let Some(challenge) = self.challenge() {
            scene.mark(Meaning::OwnSide, self.play.turn().of(challenge.color));
            scene.mark(Meaning::Ask, KINGS_AT_HOME & self.hand.occupied());
            if let Some((king, _)) = self.answering_king(now) {
                scene.mark(Meaning::Settling, king);
            }
        }
        if self.play.verdict().is_none() {
            self.show_hands(now, &mut scene);
        } else {
            self.show_next_game(&mut scene);
        }
        scene
    }

    /// After the end of a game: the way to the next one, unless the ply that ended it is being corrected.
    fn show_next_game(&self, scene: &mut Scene) {
        if let Stance::Arriving(reading) = self.hand.stance()
            && self.may_undo_end(self.stance_since)
        {
            return self.show_arriving(reading, scene);
        }
        if self.rematch {
            scene.mark(Meaning::RematchOffered, KINGS_AT_HOME);
        }
        if let Some((fill, clear)) = self.to_set_up() {
            scene.mark(Meaning::Fill, fill);
            scene.mark(Meaning::Clear, clear);
            if (fill | clear).is_empty() {
                scene.mark(Meaning::Settling, KINGS_AT_HOME);
            }
        }
    }

    /// When the scene changes by itself, without any input.
    #[must_use]
    pub fn next_scene(&self, now: Instant) -> Option<Instant> {
        let alarm = match self.stance {
            Stance::Disorder { .. } => Some(self.stance_since.after(ALARM)),
            _ => None,
        };
        let warning = self.clock.as_ref().and_then(|clock| {
            let left = clock.left(clock.running()?, now);
            left.checked_sub(LOW_TIME).map(|until| now.after(until.saturating_add(1)))
        });
        let due = |moment: &Instant| *moment > now && self.play.verdict().is_none();
        [alarm, warning, self.frozen_until, self.own_side_until(), self.answers_at()]
            .into_iter()
            .flatten()
            .filter(due)
            .min()
    }

    fn show_kings(&self, now: Instant, scene: &mut Scene) {
        let turn = self.play.turn();
        // Once the pieces are set up again, the lights show what is missing, and no result.
        if self.to_set_up().is_some() {
            return;
        }
        let representative =
            |turn: &Turn, color| self.king_in_centre(turn, color).unwrap_or(representative(turn, color));
        match self.play.verdict() {
            Some(Verdict::Won { winner, why }) => {
                let lost = match why {
                    Why::Checkmate => Meaning::Mated,
                    Why::Time => Meaning::Flag,
                    _ => Meaning::Loser,
                };
                scene.mark(lost, representative(&turn, !winner));
                scene.mark(Meaning::Winner, representative(&turn, winner));
            }
            Some(Verdict::Drawn(_)) => {
                for color in Color::ALL {
                    scene.mark(Meaning::Draw, representative(&turn, color));
                }
            }
            // No result, so no light.
            Some(Verdict::Aborted | Verdict::Abandoned) => {}
            None => {
                // Until the opponent's ply is made, the check that it gives is not on the board yet.
                if self.to_make.is_none() {
                    scene.mark(Meaning::Check, turn.checked);
                }
                if self.is_frozen(now) {
                    scene.mark(Meaning::Frozen, representative(&turn, turn.to_move));
                }
                let low = |color: &Color| self.clock.as_ref().is_some_and(|clock| clock.left(*color, now) < LOW_TIME);
                for color in Color::ALL.into_iter().filter(low) {
                    scene.mark(Meaning::LowTime, turn.royal_of(color));
                }
            }
        }
    }

    /// Where a king stands to show the result, and not where it came from. Each king is taken to stand in its own half.
    fn king_in_centre(&self, turn: &Turn, color: Color) -> Option<Bitboard> {
        let [white, black] = in_centre(turn.royal, turn.occupied(), self.hand.occupied())?;
        Some(Bitboard::of(if color == Color::White { white } else { black }))
    }

    fn show_offers(&self, scene: &mut Scene) {
        let turn = self.play.turn();
        let waiting = match (self.offers.draw, self.offers.takeback) {
            (Some(by), _) if !self.hands().has(by) => {
                scene.mark(Meaning::DrawOffered, turn.royal);
                false
            }
            (_, Some(Takeback { asked_here: false, .. })) => {
                if let Some((_, last)) = self.before.known() {
                    scene.mark(Meaning::TakebackFrom, last.to());
                    scene.mark(Meaning::TakebackTo, last.from());
                }
                false
            }
            (draw, takeback) => draw.is_some() || takeback.is_some(),
        };
        if waiting {
            for color in Color::ALL.into_iter().filter(|&color| self.hands().has(color)) {
                scene.mark(Meaning::Busy, turn.royal_of(color));
            }
        }
    }

    /// The king of the side for which the engine searches, and the hint that it has found.
    fn show_thinking(&self, scene: &mut Scene) {
        if self.is_computer_thinking() || self.is_hint_awaited() {
            let turn = self.play.turn();
            scene.mark(Meaning::Busy, turn.royal_of(turn.to_move));
        }
        if let Some(hint) = self.hinted() {
            scene.mark(Meaning::HintFrom, hint.from());
            scene.mark(Meaning::HintTo, hint.to());
        }
    }

    fn show_hands(&self, now: Instant, scene: &mut Scene) {
        match self.hand.stance() {
            Stance::InHand { missing } => self.show_in_hand(missing, scene),
            Stance::Arriving(reading) => self.show_arriving(reading, scene),
            Stance::Settled => {}
            Stance::HalfDone { fill, clear } => {
                scene.mark(Meaning::FinishTo, fill);
                scene.mark(Meaning::FinishFrom, clear);
            }
            Stance::Choosing { to } | Stance::Chosen { to, .. } => {
                let situation = self.play.situation();
                let promotes = |ply: &&Ply| ply.to() == to && ply.choice() != 0;
                // No ply has more than 15 choices.
                let count = self.plies.iter().find(promotes).map_or(0, |&ply| situation.choices(ply).len()) as u8;
                let chosen = match self.hand.stance() {
                    Stance::Chosen { square, .. } => Some(square),
                    _ => None,
                };
                for (square, meaning) in choice_squares(to, count).zip(Meaning::choices()) {
                    scene.mark(if chosen == Some(square) { Meaning::Settling } else { meaning }, square);
                }
            }
            Stance::Asking(squares) => scene.mark(Meaning::Ask, squares),
            // The pieces show a request that the opponent has not answered yet.
            Stance::Disorder { .. } if self.awaits_answer() => {}
            // A move that was made too early is read when the freeze is over.
            Stance::Disorder { .. } if self.is_frozen(now) => {}
            Stance::Disorder { fill, clear, illegal } => match (self.not_yours(), illegal) {
                (Some((from, to)), _) if now.since(self.stance_since) < ALARM => {
                    scene.mark(Meaning::NotYours, Bitboard::of(from) | Bitboard::of(to));
                    scene.mark(Meaning::OwnSide, self.own_pieces());
                }
                (None, Some((from, to))) if now.since(self.stance_since) < ALARM => {
                    scene.mark(Meaning::Illegal, Bitboard::of(from) | Bitboard::of(to));
                }
                (Some((from, to)), _) | (None, Some((from, to))) => {
                    scene.mark(Meaning::WayBackFrom, to);
                    scene.mark(Meaning::WayBackTo, from);
                }
                (None, None) => {
                    scene.mark(Meaning::Fill, fill);
                    scene.mark(Meaning::Clear, clear);
                }
            },
        }
    }

    /// What was read counts after a rest.
    fn show_arriving(&self, reading: Reading, scene: &mut Scene) {
        let squares = match reading {
            Reading::Moved(ply) | Reading::Corrected(ply) => ply.to().into(),
            Reading::Kings(_) => CENTRE & self.hand.occupied(),
            Reading::StartPosition => KINGS_AT_HOME,
            Reading::MovedTwice(first, second) => Bitboard::of(first.to()) | second.to().into(),
            Reading::MovedSeveral(moves) | Reading::CorrectedTo(moves) => moves.iter().map(Ply::to).collect(),
            Reading::TakenBack => self.before.known().map_or(Bitboard::EMPTY, |(_, last)| last.from().into()),
            Reading::PutBack | Reading::Withdrawn => Bitboard::EMPTY,
        };
        scene.mark(Meaning::Settling, squares);
    }

    /// A lifted piece: where it was, and its targets, if hints are allowed. A piece that may not move belongs back.
    fn show_in_hand(&self, missing: Bitboard, scene: &mut Scene) {
        if !self.arranged {
            scene.mark(Meaning::Fill, missing);
            return;
        }
        let turn = self.play.turn();
        let own = missing & turn.own();
        let may_move = self.to_make.is_none() && self.hands().has(turn.to_move);
        let shown = own.first().filter(|_| !own.several() && self.hints && may_move);
        let targets = shown.map_or(Bitboard::EMPTY, |square| {
            Options { here: self.play.situation(), plies: &self.plies }.targets(square)
        });
        // Under some rules a piece can capture an own one.
        let taken = (targets & turn.occupied()).without(own);
        let (capture, target) = match self.play.start().chess() {
            Some(_) => (Meaning::CaptureTarget, Meaning::Target),
            None => (Meaning::CaptureTarget, Meaning::VariantTarget),
        };
        scene.mark(capture, taken);
        scene.mark(target, targets.without(taken));
        // A piece that is lifted to be captured leaves a square that the own piece may go to.
        scene.mark(Meaning::Lifted, missing.without(taken));
    }

    /// A piece of the remote opponent that the player has moved: where it came from, and where it is.
    #[must_use]
    pub fn not_yours(&self) -> Option<(Square, Square)> {
        let Stance::Disorder { fill, clear, illegal } = self.hand.stance() else { return None };
        let moved = illegal.or_else(|| {
            let is_single = !fill.several() && !clear.several();
            fill.first().zip(clear.first()).filter(|_| is_single)
        });
        let theirs = self.play.turn().of(!self.own_color()?);
        moved.filter(|(from, _)| self.arranged && self.to_make.is_none() && theirs.has(*from))
    }

    /// What a pawn of the opponent has become, if that was the last ply: no reed sees it.
    fn show_promoted(&self, scene: &mut Scene) {
        if let Some(last) = self.play.last().filter(|last| last.choice() != 0 && last.from() == last.to())
            && let owner = if self.play.turn().white.has(last.to()) { Color::White } else { Color::Black }
            && !self.hands().has(owner)
        {
            show_choice(self.play.situation(), last, scene);
        }
    }

    /// Whether the pieces show what the opponent was asked: the last ply undone, or kings in the centre.
    fn awaits_answer(&self) -> bool {
        let occupied = self.hand.occupied();
        let undone = |(earlier, _): (&AnyPosition, _)| earlier.situation().turn().occupied() == occupied;
        let turn = self.play.turn();
        let misplaced = occupied ^ turn.occupied();
        let shows_kings = misplaced.without(CENTRE | turn.royal).is_empty();
        match (self.offers.draw, self.offers.takeback) {
            (_, Some(Takeback { asked_here: true, .. })) => self.before.known().is_some_and(undone),
            (Some(by), _) => self.hands().has(by) && shows_kings,
            _ => false,
        }
    }
}

/// The squares that stand for a side: its royal pieces, or all of its pieces under rules without royal ones.
fn representative(turn: &Turn, color: Color) -> Bitboard {
    if turn.royal.is_empty() { turn.of(color) } else { turn.royal_of(color) }
}

/// The opponent's ply, until it is made.
fn show_opponent(earlier: &AnyPosition, &Made { ply, footprint, edges, .. }: &Made, scene: &mut Scene) {
    let from = footprint.ply.from();
    if footprint.lifts.has(from) {
        scene.mark(Meaning::OpponentFrom, from);
    }
    scene.mark(Meaning::OpponentTo, footprint.ends());
    scene.mark(Meaning::OpponentEdge, edges);
    scene.mark(Meaning::Remove, footprint.captured);
    scene.mark(Meaning::FinishFrom, footprint.other_lifts());
    scene.mark(Meaning::FinishTo, footprint.other_places().without(footprint.ends()));
    show_choice(earlier.situation(), ply, scene);
}

/// What was chosen with a ply, on its target square.
fn show_choice(situation: Situation<'_>, ply: Ply, scene: &mut Scene) {
    let choices = situation.choices(ply);
    let chosen = choices.iter().zip(Meaning::choices()).find(|(choice, _)| **choice == ply.choice());
    if let Some((_, meaning)) = chosen {
        scene.mark(meaning, ply.to());
    }
}
