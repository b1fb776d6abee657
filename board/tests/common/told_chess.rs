//! Chess as a told game: the test knows the rules, and the board is told every turn. A pawn becomes a queen without a choice.

use chess::Position;
use rules::{AnyPosition, Options, Ply, Situation, Verdict, Why, told};

/// The turn after these plies, from the start position of chess.
pub(crate) fn turn_after(plies: impl IntoIterator<Item = Ply>) -> told::Position {
    turn_from(Position::start(), plies)
}

/// The turn after these plies, from this position.
pub(crate) fn turn_from(start: Position, plies: impl IntoIterator<Item = Ply>) -> told::Position {
    let mut position = AnyPosition::Chess(start);
    let mut turn = turn_of(&position, 0);
    for (ply, number) in plies.into_iter().zip(1..) {
        let chosen = position.situation().with_choice(ply, None);
        position = position.after(chosen).expect("a legal ply");
        turn = turn_of(&position, number).reached(&turn, ply);
    }
    turn
}

fn turn_of(position: &AnyPosition, number: u16) -> told::Position {
    let here = position.situation();
    let chess = here.chess().expect("chess");
    let mut turn = told::Position::new(number, here.to_move(), chess.board());
    let plies = here.plies();
    for footprint in (Options { here, plies: &plies }).footprints() {
        let ply = footprint.ply.choosing(0);
        turn.add(ply).expect("chess has fewer plies");
        turn.add_footprint(&rules::Footprint { ply, ..footprint }).expect("few plies of chess move several pieces");
    }
    if plies.is_empty() { turn.ended(verdict(here)) } else { turn }
}

fn verdict(here: Situation<'_>) -> Verdict {
    let is_mate = here.turn().checked.any();
    if is_mate { Verdict::Won { winner: !here.to_move(), why: Why::Rules } } else { Verdict::Drawn(Why::Rules) }
}
