//! What the referee wants to say, as light.

use chess::{Bitboard, Color, Game, Move, Outcome, Piece, Position, Role, Square, WinReason};

use super::{Referee, Takeback};
use crate::hand::{Reading, Stance, promotion_choices};
use crate::lights::{Meaning, Scene};
use crate::time::Instant;

/// An illegal move is first called illegal, and then the way back is shown.
const ALARM: u64 = 1200;

/// Where kings show a result.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// A player with less time than this is warned.
const LOW_TIME: u64 = 20_000;

impl Referee {
    /// What is to be said at this moment.
    #[must_use]
    pub fn scene(&self, game: &Game, now: Instant) -> Scene {
        let mut scene = Scene::EMPTY;
        if let Some((_, last)) = self.before.filter(|_| self.to_make.is_none()) {
            scene.mark(Meaning::LastMove, Bitboard::of(last.from()) | Bitboard::of(last.to()));
        }
        self.show_kings(game, now, &mut scene);
        self.show_offers(game, &mut scene);
        if !self.online {
            scene.mark(Meaning::Offline, Square::H8);
        }
        if let (Some(mv), Some((earlier, _))) = (self.to_make, self.before) {
            show_opponent(&earlier, mv, &mut scene);
        }
        // When a game is over, the pieces may lie about as they like: what counts is the result.
        if game.outcome().is_none() {
            self.show_hands(game, now, &mut scene);
        }
        scene
    }

    /// When the scene changes by itself, although nothing happens.
    #[must_use]
    pub fn next_scene(&self, game: &Game, now: Instant) -> Option<Instant> {
        let alarm = match self.stance {
            Stance::Disorder { illegal: Some(_), .. } => Some(self.stance_since.after(ALARM)),
            _ => None,
        };
        let warning = self.clock.as_ref().and_then(|clock| {
            let left = clock.left(clock.running()?, now);
            left.checked_sub(LOW_TIME).map(|until| now.after(until.saturating_add(1)))
        });
        let due = |moment: &Instant| *moment > now && game.outcome().is_none();
        [alarm, warning].into_iter().flatten().filter(due).min()
    }

    fn show_kings(&self, game: &Game, now: Instant, scene: &mut Scene) {
        let position = game.position();
        let king = |color| position.of(Piece::new(color, Role::King));
        match game.outcome() {
            Some(Outcome::Win { winner, by }) => {
                let lost = match by {
                    WinReason::Checkmate => Meaning::Mated,
                    WinReason::Time => Meaning::Flag,
                    WinReason::Resignation => Meaning::Loser,
                };
                scene.mark(lost, king(!winner));
                scene.mark(Meaning::Winner, king(winner));
            }
            Some(Outcome::Draw(_)) => scene.mark(Meaning::Draw, position.of_role(Role::King)),
            None => {
                // While the opponent's move is still to be made, the check it gives is not on the wood yet.
                if position.is_check() && self.to_make.is_none() {
                    scene.mark(Meaning::Check, king(position.turn()));
                }
                let low = |color: &Color| self.clock.as_ref().is_some_and(|clock| clock.left(*color, now) < LOW_TIME);
                for color in Color::ALL.into_iter().filter(low) {
                    scene.mark(Meaning::LowTime, king(color));
                }
            }
        }
    }

    fn show_offers(&self, game: &Game, scene: &mut Scene) {
        let position = game.position();
        let ours = |color: &Color| self.seat.has(*color);
        let busy = match (self.draw_offer, self.takeback) {
            (Some(by), _) if !self.seat.has(by) => {
                scene.mark(Meaning::DrawOffered, position.of_role(Role::King));
                false
            }
            (_, Some(Takeback { asked_here: false, .. })) => {
                if let Some((_, last)) = self.before {
                    scene.mark(Meaning::TakebackFrom, last.to());
                    scene.mark(Meaning::TakebackTo, last.from());
                }
                false
            }
            (draw, takeback) => draw.is_some() || takeback.is_some(),
        };
        if busy {
            for color in Color::ALL.into_iter().filter(ours) {
                scene.mark(Meaning::Busy, position.of(Piece::new(color, Role::King)));
            }
        }
    }

    fn show_hands(&self, game: &Game, now: Instant, scene: &mut Scene) {
        match self.hand.stance() {
            Stance::InHand { missing } => self.show_in_hand(game, missing, scene),
            Stance::Arriving(Reading::Moved(mv)) => scene.mark(Meaning::Settling, mv.to()),
            Stance::Arriving(Reading::Kings(_)) => scene.mark(Meaning::Settling, CENTRE & self.hand.occupied()),
            Stance::Arriving(Reading::StartPosition) => {
                scene.mark(Meaning::Settling, Position::start().of_role(Role::King));
            }
            Stance::Settled | Stance::Arriving(_) => {}
            Stance::HalfDone { fill, clear } => {
                scene.mark(Meaning::FinishTo, fill);
                scene.mark(Meaning::FinishFrom, clear);
            }
            Stance::Choosing { to } => {
                for (square, promotion) in promotion_choices(to) {
                    scene.mark(Meaning::promote(promotion), square);
                }
            }
            Stance::Asking(squares) => scene.mark(Meaning::Ask, squares),
            // The wood is where the player wants it, and the opponent has not said yet whether it may be.
            Stance::Disorder { .. } if self.awaits_answer(game) => {}
            Stance::Disorder { illegal: Some((from, to)), .. } if now.since(self.stance_since) < ALARM => {
                scene.mark(Meaning::Illegal, Bitboard::of(from) | Bitboard::of(to));
            }
            Stance::Disorder { illegal: Some((from, to)), .. } => {
                scene.mark(Meaning::WayBackFrom, to);
                scene.mark(Meaning::WayBackTo, from);
            }
            Stance::Disorder { fill, clear, illegal: None } => {
                scene.mark(Meaning::Fill, fill);
                scene.mark(Meaning::Clear, clear);
            }
        }
    }

    /// A piece in the air: where it was, and where it may go, if hints are allowed. What is in the air without reason
    /// belongs back.
    fn show_in_hand(&self, game: &Game, missing: Bitboard, scene: &mut Scene) {
        if !self.arranged {
            scene.mark(Meaning::Fill, missing);
            return;
        }
        let position = game.position();
        let own = missing & position.of_color(position.turn());
        let to_move = self.to_make.is_none() && self.seat.has(position.turn());
        let shown = own.first().filter(|_| !own.several() && self.hints && to_move);
        let targets = shown.map_or(Bitboard::EMPTY, |square| position.legal().from(square));
        let taken = targets & position.of_color(!position.turn());
        scene.mark(Meaning::CaptureTarget, taken);
        scene.mark(Meaning::Target, targets.without(taken));
        // A piece that is lifted to be taken leaves a square where the own one may go.
        scene.mark(Meaning::Lifted, missing.without(taken));
    }

    /// Whether the wood says what the opponent was asked: the last move taken back, or kings in the centre.
    fn awaits_answer(&self, game: &Game) -> bool {
        let wood = self.hand.occupied();
        let undone = |(earlier, _): (Position, Move)| earlier.occupied() == wood;
        let astray = wood ^ game.position().occupied();
        let shows_kings = astray.without(CENTRE | game.position().of_role(Role::King)).is_empty();
        match (self.draw_offer, self.takeback) {
            (_, Some(Takeback { asked_here: true, .. })) => self.before.is_some_and(undone),
            (Some(by), _) => self.seat.has(by) && shows_kings,
            _ => false,
        }
    }
}

/// The opponent's move, until it is made.
fn show_opponent(earlier: &Position, mv: Move, scene: &mut Scene) {
    scene.mark(Meaning::OpponentFrom, mv.from());
    scene.mark(Meaning::OpponentTo, mv.to());
    if let Some(victim) = earlier.victim(mv) {
        scene.mark(Meaning::Remove, victim);
    }
    if let Some((from, to)) = earlier.castling_rook(mv) {
        scene.mark(Meaning::FinishFrom, from);
        scene.mark(Meaning::FinishTo, to);
    }
    if let Some(promotion) = mv.promotion() {
        scene.mark(Meaning::promote(promotion), mv.to());
    }
}
