//! Random games, compared with both reference engines at every ply.

use std::cell::RefCell;
use std::collections::BTreeMap;

use chess::{Position, Role, Setup, Square};

use crate::random_games::{check, positions, random_games};
use crate::reference_engines::{Cozy, Shakmaty};

#[test]
fn cozy_chess_agrees_at_every_ply() {
    check(3000, &random_games(150), |random_game| {
        let Some(mut cozy) = Cozy::from_position(&random_game.start) else { return };
        random_game.play(|game, mv| {
            cozy.agrees(game);
            if let Some(mv) = mv {
                cozy.play(mv);
            }
        });
    });
}

#[test]
fn shakmaty_agrees_at_every_ply() {
    check(3000, &random_games(150), |random_game| {
        let mut shakmaty = Shakmaty::from_position(&random_game.start);
        random_game.play(|game, mv| {
            shakmaty.agrees(game.position());
            if let Some(mv) = mv {
                shakmaty.play(mv);
            }
        });
    });
}

#[test]
fn shakmaty_agrees_on_set_up_positions() {
    check(5000, &positions(), |position| Shakmaty::from_position(&position).agrees(&position));
}

/// Checks the coverage of the random games.
#[test]
fn random_games_cover_all_kinds_of_moves_and_outcomes() {
    let seen = RefCell::new(BTreeMap::new());
    let see = |what: String| *seen.borrow_mut().entry(what).or_insert(0) += 1;
    check(400, &random_games(120), |random_game| {
        let cozy = if Cozy::from_position(&random_game.start).is_some() { "followed" } else { "not followed" };
        see(format!("{cozy} by cozy-chess"));
        let game = random_game.play(|game, mv| {
            let position = game.position();
            see(format!("{} checkers", position.checkers().count()));
            see(format!("{} times", game.repetitions()));
            if let Some(mv) = mv {
                see(format!("becomes {:?}", mv.promotion()));
                see(format!("takes on its square: {:?}", position.victim(mv).map(|victim| victim == mv.to())));
                see(format!("{:?} castles: {:?}", position.turn(), position.castling_rook(mv)));
            }
        });
        see(format!("ends by {:?}", game.outcome()));
    });
    let seen = seen.into_inner();
    for what in [
        "followed by cozy-chess",
        "0 checkers",
        "1 checkers",
        "2 checkers",
        "3 times",
        "4 times",
        "becomes Some(Knight)",
        "becomes Some(Bishop)",
        "becomes Some(Rook)",
        "becomes Some(Queen)",
        "takes on its square: Some(true)",
        "takes on its square: Some(false)",
        "White castles: Some((h1, f1))",
        "White castles: Some((a1, d1))",
        "Black castles: Some((h8, f8))",
        "Black castles: Some((a8, d8))",
        "ends by None",
        "ends by Some(Win { winner: White, by: Checkmate })",
        "ends by Some(Win { winner: Black, by: Checkmate })",
        "ends by Some(Draw(Stalemate))",
        "ends by Some(Draw(InsufficientMaterial))",
        "ends by Some(Draw(FivefoldRepetition))",
    ] {
        assert!(seen.contains_key(what), "never {what}: {seen:#?}");
    }
}

/// Positions are updated incrementally; the result must equal a position that is built anew.
#[test]
fn an_incrementally_updated_position_equals_one_built_from_its_parts() {
    check(1000, &random_games(150), |random_game| {
        random_game.play(|game, _| {
            let position = game.position();
            assert_eq!(position.fen().to_string().parse().as_ref(), Ok(position));
            assert_eq!(Setup::from(position).position().as_ref(), Ok(position));
            board_and_sets_agree(position);
        });
    });
}

fn board_and_sets_agree(position: &Position) {
    for (square, &piece) in Square::all().zip(position.board()) {
        assert_eq!(position.piece_at(square), piece);
        assert_eq!(position.occupied().has(square), piece.is_some(), "{square}");
        for role in Role::ALL {
            let expected = piece.is_some_and(|piece| piece.role() == role);
            assert_eq!(position.of_role(role).has(square), expected, "{square} {role}");
        }
        for color in chess::Color::ALL {
            let expected = piece.is_some_and(|piece| piece.color() == color);
            assert_eq!(position.of_color(color).has(square), expected, "{square} {color}");
        }
    }
}
