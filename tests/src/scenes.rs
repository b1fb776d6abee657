//! An independent oracle for the lights: the scene that docs/lights.md and the rules of chess require, without the board's code.

use board::{Meaning, Scene, promotion_squares};
use chess::{Bitboard, Color, Game, Move, Outcome, Position, Promotion, Square, WinReason};

/// No piece is lifted: the last move, a check, or the result.
#[must_use]
pub fn still(game: &Game) -> Scene {
    still_with_kings(game, |color| game.position().king(color).into())
}

/// The same with the kings on these centre squares, where they show the result.
#[must_use]
pub fn kings_in_centre(game: &Game, white: Square, black: Square) -> Scene {
    still_with_kings(game, |color| Bitboard::of(if color == Color::White { white } else { black }))
}

fn still_with_kings(game: &Game, kings: impl Fn(Color) -> Bitboard) -> Scene {
    let position = game.position();
    let mut scene = Scene::EMPTY;
    if let Some(last) = game.moves().last() {
        scene.mark(Meaning::LastMove, squares(&[last.from(), last.to()]));
    }
    mark_result(game, kings, &mut scene);
    if game.outcome().is_none() && position.is_check() {
        scene.mark(Meaning::Check, position.king(position.turn()));
    }
    scene
}

fn mark_result(game: &Game, kings: impl Fn(Color) -> Bitboard, scene: &mut Scene) {
    match game.outcome() {
        None | Some(Outcome::Aborted) => {}
        Some(Outcome::Draw(_)) => scene.mark(Meaning::Draw, kings(Color::White) | kings(Color::Black)),
        Some(Outcome::Win { winner, by }) => {
            let lost = match by {
                WinReason::Checkmate => Meaning::Mated,
                WinReason::Resignation | WinReason::Abandonment => Meaning::Loser,
                WinReason::Time => Meaning::Flag,
            };
            scene.mark(Meaning::Winner, kings(winner));
            scene.mark(lost, kings(!winner));
        }
    }
}

/// These pieces are lifted, and hints are on.
#[must_use]
pub fn in_hand(game: &Game, lifted: &[Square]) -> Scene {
    let position = game.position();
    let mut scene = still(game);
    let own: Vec<Square> =
        lifted.iter().copied().filter(|&square| position.of_color(position.turn()).has(square)).collect();
    let mut taken = Bitboard::EMPTY;
    if let [own] = own[..] {
        for mv in position.legal_moves().iter().filter(|mv| mv.from() == own) {
            if position.occupied().has(mv.to()) {
                scene.mark(Meaning::CaptureTarget, mv.to());
                taken |= mv.to().into();
            } else {
                scene.mark(Meaning::Target, mv.to());
            }
        }
    }
    scene.mark(Meaning::Lifted, squares(lifted).without(taken));
    scene
}

/// A move of the opponent that is not yet made on the board.
#[must_use]
pub fn opponents(before: &Position, mv: Move, after: &Game) -> Scene {
    let mut scene = Scene::EMPTY.with(Meaning::OpponentFrom, mv.from()).with(Meaning::OpponentTo, mv.to());
    if let Some(victim) = before.victim(mv) {
        scene.mark(Meaning::Remove, victim);
    }
    if let Some((from, to)) = before.castling_rook(mv) {
        scene.mark(Meaning::FinishFrom, from);
        scene.mark(Meaning::FinishTo, to);
    }
    if let Some(promotion) = mv.promotion() {
        scene.mark(promoting(promotion), mv.to());
    }
    mark_result(after, |color| after.position().king(color).into(), &mut scene);
    scene
}

/// Half of a move is made: the squares to clear and to fill.
#[must_use]
pub fn half_done(game: &Game, leave: &[Square], come: &[Square]) -> Scene {
    still(game).with(Meaning::FinishFrom, squares(leave)).with(Meaning::FinishTo, squares(come))
}

/// The choices of a promotion.
#[must_use]
pub fn choosing(game: &Game, to: Square) -> Scene {
    let mark = |scene: Scene, (square, promotion)| scene.with(promoting(promotion), Bitboard::of(square));
    promotion_squares(to).zip(OFFERED).fold(still(game), mark)
}

/// The promotions, in the order in which the squares offer them.
const OFFERED: [Promotion; 4] = [Promotion::Queen, Promotion::Knight, Promotion::Rook, Promotion::Bishop];

/// The square to tap for a pawn on its last square to become this.
#[must_use]
pub fn promotion_square(to: Square, wanted: Promotion) -> Option<Square> {
    promotion_squares(to).zip(OFFERED).find(|&(_, promotion)| promotion == wanted).map(|(square, _)| square)
}

const fn promoting(promotion: Promotion) -> Meaning {
    match promotion {
        Promotion::Queen => Meaning::PromoteQueen,
        Promotion::Knight => Meaning::PromoteKnight,
        Promotion::Rook => Meaning::PromoteRook,
        Promotion::Bishop => Meaning::PromoteBishop,
    }
}

fn squares(squares: &[Square]) -> Bitboard {
    squares.iter().copied().collect()
}
