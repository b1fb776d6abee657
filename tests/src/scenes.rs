//! What the lights should say, by docs/lights.md and the rules of chess alone.

use board::{Meaning, Scene, promotion_choices};
use chess::{Bitboard, Game, Move, Outcome, Position, Role, Square, WinReason};

/// Nothing is touched: the last move glows, and kings say how they are.
#[must_use]
pub fn still(game: &Game) -> Scene {
    let position = game.position();
    let mut scene = Scene::EMPTY;
    if let Some(last) = game.moves().last() {
        scene.mark(Meaning::LastMove, squares(&[last.from(), last.to()]));
    }
    mark_result(game, &mut scene);
    if game.outcome().is_none() && position.is_check() {
        scene.mark(Meaning::Check, position.king(position.turn()));
    }
    scene
}

fn mark_result(game: &Game, scene: &mut Scene) {
    let position = game.position();
    match game.outcome() {
        None => {}
        Some(Outcome::Draw(_)) => scene.mark(Meaning::Draw, position.of_role(Role::King)),
        Some(Outcome::Win { winner, by }) => {
            let lost = match by {
                WinReason::Checkmate => Meaning::Mated,
                WinReason::Resignation => Meaning::Loser,
                WinReason::Time => Meaning::Flag,
            };
            scene.mark(Meaning::Winner, position.king(winner));
            scene.mark(lost, position.king(!winner));
        }
    }
}

/// These pieces are in the air, and hints are agreed on.
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

/// A move of the other player that is not on the wood yet.
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
        scene.mark(Meaning::promote(promotion), mv.to());
    }
    mark_result(after, &mut scene);
    scene
}

/// The other half of a move: pieces must leave here, and come here.
#[must_use]
pub fn half_done(game: &Game, leave: &[Square], come: &[Square]) -> Scene {
    still(game).with(Meaning::FinishFrom, squares(leave)).with(Meaning::FinishTo, squares(come))
}

/// What a pawn is to become.
#[must_use]
pub fn choosing(game: &Game, to: Square) -> Scene {
    let mark = |scene: Scene, (square, promotion)| scene.with(Meaning::promote(promotion), Bitboard::of(square));
    promotion_choices(to).into_iter().fold(still(game), mark)
}

fn squares(squares: &[Square]) -> Bitboard {
    squares.iter().copied().collect()
}
