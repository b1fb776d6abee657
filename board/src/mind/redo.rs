use chess::{DrawClaim, DrawReason, Game, Outcome, WinReason};
use wire::link::Event;

/// Does to a game what an event says, if it can be done. What only concerns people, like an offer, does nothing.
pub(super) fn redo(game: &mut Game, event: Event) {
    let _: Option<()> = match event {
        Event::Moved { ply, mv, .. } if usize::from(ply) == game.moves().len() => game.play(mv).ok(),
        Event::TakenBack { plies } => {
            for _ in 0..plies {
                game.take_back();
            }
            None
        }
        Event::Resigned { color } => game.resign(color).ok(),
        Event::DrawAnswered { accepted: true } => game.agree_draw().ok(),
        Event::DrawClaimed { claim, with: Some(mv) } => game.claim_draw_with(mv, claim).ok(),
        Event::DrawClaimed { claim, with: None } => game.claim_draw(claim).ok(),
        Event::Ended { outcome } => end(game, outcome),
        _ => None,
    };
}

/// Ends a game as somebody says it has. What follows from the moves has happened already.
fn end(game: &mut Game, outcome: Outcome) -> Option<()> {
    match outcome {
        Outcome::Win { winner, by: WinReason::Resignation } => game.resign(!winner).ok(),
        Outcome::Win { winner, by: WinReason::Time } => game.flag(!winner).ok(),
        Outcome::Draw(DrawReason::TimeAgainstBareKing) => {
            let position = game.position();
            let fallen = if position.can_mate(position.turn()) { position.turn() } else { !position.turn() };
            game.flag(fallen).ok()
        }
        Outcome::Draw(DrawReason::ThreefoldRepetition) => claim(game, DrawClaim::ThreefoldRepetition),
        Outcome::Draw(DrawReason::FiftyMoves) => claim(game, DrawClaim::FiftyMoves),
        Outcome::Draw(DrawReason::Agreement) => game.agree_draw().ok(),
        Outcome::Win { by: WinReason::Checkmate, .. } | Outcome::Draw(_) => None,
    }
}

/// Claims a draw that was granted, maybe for a move that was announced and not played; which one makes no difference.
fn claim(game: &mut Game, claim: DrawClaim) -> Option<()> {
    if game.claim_draw(claim).is_ok() {
        return Some(());
    }
    let moves = game.position().legal_moves();
    moves.iter().find_map(|&mv| game.claim_draw_with(mv, claim).ok())
}
