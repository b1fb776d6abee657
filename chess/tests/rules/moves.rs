//! Legality checks, move counts, captures and UCI notation.

use chess::{Bitboard, IllegalMove, Move, Position, Promotion, Square, Unexpected};
use proptest::prelude::any;

use crate::random_games::{check, positions, random_games};
use crate::reference_engines::{Shakmaty, sorted};

/// Every move that can be written at all, from squares where something stands and from a few where nothing does.
fn writable_moves(position: &Position) -> impl Iterator<Item = Move> {
    let from = Square::all().filter(|&from| position.piece_at(from).is_some() || from.index() % 16 == 3);
    from.flat_map(|from| Square::all().map(move |to| Move::new(from, to))).flat_map(|mv| {
        // A promotion can only be a mistake of the caller where no last rank is near; there it is tried as well.
        let tried = if mv.from().index() % 8 == mv.to().index() % 8 { 4 } else { 1 };
        [None].into_iter().chain(Promotion::ALL.into_iter().take(tried).map(Some)).map(move |tag| mv.promoting(tag))
    })
}

#[test]
fn is_legal_agrees_with_the_list() {
    check(150, &positions(), |position| {
        let legal: Vec<Move> = writable_moves(&position).filter(|&mv| position.is_legal(mv)).collect();
        let listed = position.legal_moves();
        assert!(legal.iter().all(|mv| listed.contains(mv)), "{legal:?} are legal, {listed:?} are listed");
        assert!(listed.iter().all(|&mv| position.is_legal(mv)), "{legal:?} are legal, {listed:?} are listed");
        for mv in writable_moves(&position).filter(|mv| !listed.contains(mv)).step_by(37) {
            assert_eq!(position.play(mv), Err(IllegalMove(mv)));
            assert_eq!(position.san(mv).map(|san| san.to_string()), Err(IllegalMove(mv)));
        }
    });
}

#[test]
fn the_count_agrees_with_the_list_without_duplicates() {
    check(100, &random_games(120), |random_game| {
        random_game.play(|game, _| counts_and_sets_fit_the_list(game.position()));
    });
    check(1000, &positions(), |position| counts_and_sets_fit_the_list(&position));
}

fn counts_and_sets_fit_the_list(position: &Position) {
    let legal = position.legal();
    let listed = sorted(&position.legal_moves());
    assert_eq!((position.count_legal_moves() as usize, legal.count() as usize), (listed.len(), listed.len()));
    assert_eq!((position.has_legal_move(), legal.is_empty()), (!listed.is_empty(), listed.is_empty()));
    assert!(listed.windows(2).all(|pair| pair[0] != pair[1]), "{listed:?}");
    for square in Square::all() {
        let targets: Bitboard = listed.iter().filter(|mv| mv.from() == square).map(|mv| mv.to()).collect();
        assert_eq!(legal.from(square), targets, "{square}");
    }
}

#[test]
fn captures_and_promotions_are_those_of_the_list() {
    check(100, &random_games(120), |random_game| {
        random_game.play(|game, _| captures_fit_the_list(game.position()));
    });
    check(1000, &positions(), |position| captures_fit_the_list(&position));
}

fn captures_fit_the_list(position: &Position) {
    let mut listed = sorted(&position.legal_moves());
    listed.retain(|&mv| position.is_capture(mv) || mv.promotion().is_some());
    let mut visited = Vec::new();
    position.legal_captures().for_each(|mv| visited.push(mv));
    assert_eq!(sorted(&visited), listed);
}

#[test]
fn a_null_move_only_changes_the_side_to_move() {
    check(100, &positions(), |position| {
        let next = position.pass();
        assert_eq!((next.turn(), next.en_passant(), next.board()), (!position.turn(), None, position.board()));
        assert_eq!((next.castling(), next.occupied()), (position.castling(), position.occupied()));
    });
}

#[test]
fn victims_and_castling_rooks() {
    check(60, &random_games(120), |random_game| {
        let mut shakmaty = Shakmaty::from_position(&random_game.start);
        random_game.play(|game, mv| {
            let position = game.position();
            for (ours, theirs) in shakmaty.moves() {
                assert_eq!(position.is_capture(ours), theirs.is_capture(), "{ours}");
                let passed = Square::new(ours.to().file(), ours.from().rank());
                let victim = if theirs.is_en_passant() { passed } else { ours.to() };
                assert_eq!(position.victim(ours), theirs.is_capture().then_some(victim), "{ours}");

                assert_eq!(position.castling_rook(ours).is_some(), theirs.is_castle(), "{ours}");
                if let Some((rook_from, rook_to)) = position.castling_rook(ours) {
                    let next = position.play(ours).expect("it is legal");
                    assert_eq!(next.piece_at(rook_to), position.piece_at(rook_from), "{ours}");
                    assert_eq!(next.piece_at(rook_from), None, "{ours}");
                    assert!(shakmaty::Square::new(rook_from.index().into()) == theirs.to(), "{ours}");
                }
            }
            if let Some(mv) = mv {
                shakmaty.play(mv);
            }
        });
    });
}

#[test]
fn uci_round_trips() {
    check(20, &random_games(120), |random_game| {
        random_game.play(|game, _| {
            for &mv in &game.position().legal_moves() {
                assert_eq!(mv.to_string().parse(), Ok(mv));
            }
        });
    });
}

#[test]
fn errors_name_a_character() {
    let almost = "[a-i][0-9x][a-i][0-9]?[qkn]?[é ]?";
    check(2000, &almost, |text| read_refused_inside(&text));
    check(500, &any::<String>(), |text| read_refused_inside(&text));
}

fn read_refused_inside(text: &str) {
    match text.parse::<Move>() {
        Ok(mv) => assert_eq!(mv.to_string(), text),
        Err(Unexpected { at, found }) => {
            assert!(at <= text.chars().count(), "{text:?} at {at}");
            assert_eq!(found, text.chars().nth(at), "{text:?} at {at}");
        }
    }
}
