//! Outcomes of games.

use chess::{ClaimError, Color, DrawClaim, DrawReason, EndError, Game, Outcome, PlayError, Position, WinReason};

use crate::script::{game, game_from, mv, play};

fn win(winner: Color, by: WinReason) -> Outcome {
    Outcome::Win { winner, by }
}

#[test]
fn mate_wins_for_the_side_that_gives_it() {
    let mut fools = game();
    play(&mut fools, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(fools.outcome(), Some(win(Color::Black, WinReason::Checkmate)));

    let mut scholars = game();
    play(&mut scholars, "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");
    assert_eq!(scholars.outcome(), Some(win(Color::White, WinReason::Checkmate)));
}

#[test]
fn mate_by_every_kind_of_move() {
    for (fen, text) in [
        // The rook that castles, either way.
        ("4R1R1/8/8/8/8/5k2/8/4K2R w K - 0 1", "e1g1"),
        ("2R1R3/8/8/8/8/3k4/8/R3K3 w Q - 0 1", "e1c1"),
        // A pawn, as the queen or the knight that it becomes.
        ("k7/7P/1K6/8/8/8/8/8 w - - 0 1", "h7h8q"),
        ("6br/5Ppk/7p/8/8/8/8/4K3 w - - 0 1", "f7f8n"),
        // A pawn that takes in passing.
        ("3brr2/4kp2/8/3pP3/4N3/7B/8/4K3 w - d6 0 1", "e5d6"),
    ] {
        let mut game = game_from(fen);
        play(&mut game, text);
        assert_eq!(game.outcome(), Some(win(Color::White, WinReason::Checkmate)), "{fen}");
    }
}

#[test]
fn stalemate_draws() {
    let mut game = game_from("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1");
    play(&mut game, "f1f7");
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::Stalemate)));
}

#[test]
fn a_capture_that_leaves_insufficient_material_draws() {
    for (fen, text, drawn) in [
        ("8/8/8/3k4/4P3/8/8/4K3 b - - 0 1", "d5e4", true),
        ("8/8/8/3k4/4P3/8/8/4KN2 b - - 0 1", "d5e4", true),
        ("8/8/8/3k4/4P3/8/8/4KB2 b - - 0 1", "d5e4", true),
        ("8/8/8/3k4/4P3/8/8/4KNN1 b - - 0 1", "d5e4", false),
        ("8/8/8/3k4/4P3/8/8/4KBN1 b - - 0 1", "d5e4", false),
        // f1 and e6 are light squares, f8 is a dark one.
        ("8/8/4b3/3k4/4P3/8/8/4KB2 b - - 0 1", "d5e4", true),
        ("5b2/8/8/3k4/4P3/8/8/4KB2 b - - 0 1", "d5e4", false),
        ("8/8/4n3/3k4/4P3/8/8/4KB2 b - - 0 1", "d5e4", false),
        ("8/8/4n3/3k4/4P3/8/8/4KN2 b - - 0 1", "d5e4", false),
    ] {
        let mut game = game_from(fen);
        assert_eq!(game.outcome(), None, "{fen}");
        play(&mut game, text);
        let insufficient = Some(Outcome::Draw(DrawReason::InsufficientMaterial));
        assert_eq!(game.outcome(), if drawn { insufficient } else { None }, "{fen}");
    }
}

#[test]
fn a_promotion_to_a_piece_that_cannot_mate_draws() {
    let mut game = game_from("8/P7/8/3k4/8/8/8/4K3 w - - 0 1");
    play(&mut game, "a7a8b");
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::InsufficientMaterial)));
}

#[test]
fn either_player_may_resign_at_any_time() {
    for loser in Color::ALL {
        let mut game = game();
        play(&mut game, "e2e4");
        assert_eq!(game.resign(loser), Ok(()));
        assert_eq!(game.outcome(), Some(win(!loser, WinReason::Resignation)));
    }
}

#[test]
fn both_players_may_agree_on_a_draw() {
    let mut game = game();
    assert_eq!(game.agree_draw(), Ok(()));
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::Agreement)));
}

#[test]
fn a_fallen_flag_loses_unless_the_other_side_cannot_mate() {
    let drawn = Outcome::Draw(DrawReason::TimeAgainstBareKing);
    for (fen, white_falls, black_falls) in [
        ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", drawn, win(Color::White, WinReason::Time)),
        ("4k3/p7/8/8/8/8/8/4K3 w - - 0 1", win(Color::Black, WinReason::Time), drawn),
        // A knight mates a king that its own rook hems in, but not one that has a queen.
        ("4kr2/8/8/8/8/8/8/4KN2 w - - 0 1", win(Color::Black, WinReason::Time), win(Color::White, WinReason::Time)),
        ("3qk3/8/8/8/8/8/8/4KN2 w - - 0 1", win(Color::Black, WinReason::Time), drawn),
        // A bishop needs something that can stand on squares of the other colour.
        ("4kr2/8/8/8/8/8/8/4KB2 w - - 0 1", win(Color::Black, WinReason::Time), drawn),
        ("4kb2/8/8/8/8/8/p7/4KB2 w - - 0 1", win(Color::Black, WinReason::Time), win(Color::White, WinReason::Time)),
    ] {
        for (fallen, expected) in [(Color::White, white_falls), (Color::Black, black_falls)] {
            let mut game = game_from(fen);
            assert_eq!(game.flag(fallen), Ok(()));
            assert_eq!(game.outcome(), Some(expected), "{fen}, {fallen}");
        }
    }
}

/// Every way in which a game can be over.
fn ended_games() -> Vec<Box<Game>> {
    let mut games = vec![game(), game(), game(), game(), game(), game(), game()];
    let [resigned, agreed, flagged, mated, claimed, fivefold, announced] = &mut games[..] else {
        panic!("seven games");
    };
    resigned.resign(Color::White).expect("it goes on");
    play(agreed, "e2e4");
    agreed.agree_draw().expect("it goes on");
    play(flagged, "e2e4 e7e5");
    flagged.flag(Color::Black).expect("it goes on");
    play(mated, "f2f3 e7e5 g2g4 d8h4");
    play(claimed, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    **fivefold = (**claimed).clone();
    claimed.claim_draw(DrawClaim::ThreefoldRepetition).expect("it is the third time");
    play(fivefold, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    play(announced, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
    announced.claim_draw_with(mv("f6g8"), DrawClaim::ThreefoldRepetition).expect("it is the third time");
    for fen in [
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
        "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
        "r3k3/8/8/8/8/8/8/R3K3 w - - 150 100",
    ] {
        games.push(game_from(fen));
    }
    let mut fifty = game_from("r3k3/8/8/8/8/8/8/R3K3 w - - 100 100");
    fifty.claim_draw(DrawClaim::FiftyMoves).expect("there were fifty");
    games.push(fifty);
    games
}

#[test]
fn a_finished_game_rejects_all_changes() {
    for mut game in ended_games() {
        let before = game.clone();
        let outcome = game.outcome().expect("it is over");
        for text in ["e2e4", "e7e5", "a1a8", "a1a1"] {
            assert_eq!(game.play(mv(text)), Err(PlayError::Over(outcome)), "{before:?}");
        }
        for claim in DrawClaim::ALL {
            assert!(!game.can_claim(claim), "{before:?}");
            assert_eq!(game.claim_draw(claim), Err(ClaimError::Over(outcome)), "{before:?}");
            assert_eq!(game.claim_draw_with(mv("f6g8"), claim), Err(ClaimError::Over(outcome)), "{before:?}");
        }
        for color in Color::ALL {
            assert_eq!(game.resign(color), Err(EndError::Over(outcome)), "{before:?}");
            assert_eq!(game.flag(color), Err(EndError::Over(outcome)), "{before:?}");
        }
        assert_eq!(game.agree_draw(), Err(EndError::Over(outcome)), "{before:?}");
        assert_eq!(game, before);
    }
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut game = game();
    play(&mut game, "e2e4");
    let before = game.clone();
    for text in ["e4e5", "e7e4", "e8e7", "a1a2", "e7e8q", "e7e5q"] {
        let refused = game.play(mv(text));
        assert!(matches!(refused, Err(PlayError::Illegal(error)) if error.0 == mv(text)), "{text}: {refused:?}");
    }
    assert_eq!(game, before);
}

#[test]
fn restart_clears_the_previous_game() {
    for mut game in ended_games() {
        game.restart(Position::start());
        assert_eq!(*game, Game::new());
        // Nor does it remember positions: the count of repetitions starts again.
        play(&mut game, "g1f3 g8f6 f3g1 f6g8");
        assert_eq!((game.repetitions(), game.moves().len(), game.outcome()), (2, 4, None));
    }
}

#[test]
fn outcomes_are_readable_text() {
    for (outcome, winner, result, text) in [
        (win(Color::White, WinReason::Checkmate), Some(Color::White), "1-0", "white wins by checkmate"),
        (win(Color::Black, WinReason::Resignation), Some(Color::Black), "0-1", "black wins by resignation"),
        (win(Color::Black, WinReason::Time), Some(Color::Black), "0-1", "black wins on time"),
        (Outcome::Draw(DrawReason::Stalemate), None, "1/2-1/2", "draw by stalemate"),
        (Outcome::Draw(DrawReason::SeventyFiveMoves), None, "1/2-1/2", "draw by the seventy-five-move rule"),
    ] {
        assert_eq!((outcome.winner(), outcome.result(), outcome.to_string().as_str()), (winner, result, text));
    }
}

/// Every outcome that can be stated, for both winners.
fn stated() -> impl Iterator<Item = Outcome> {
    use DrawReason as D;
    let wins = [WinReason::Checkmate, WinReason::Resignation, WinReason::Time, WinReason::Abandonment];
    let draws = [
        D::Stalemate,
        D::InsufficientMaterial,
        D::FivefoldRepetition,
        D::SeventyFiveMoves,
        D::ThreefoldRepetition,
        D::FiftyMoves,
        D::Agreement,
        D::TimeAgainstBareKing,
    ];
    let wins = Color::ALL.into_iter().flat_map(move |winner| wins.map(|by| Outcome::Win { winner, by }));
    wins.chain(draws.map(Outcome::Draw)).chain([Outcome::Aborted])
}

fn endable_as(game: &Game, expected: impl Fn(Outcome) -> bool) {
    for outcome in stated() {
        let mut game = game.clone();
        let result = if expected(outcome) { Ok(()) } else { Err(EndError::Unfounded(outcome)) };
        assert_eq!(game.end(outcome), result, "{outcome}");
        assert_eq!(game.outcome(), expected(outcome).then_some(outcome), "{outcome}");
        if expected(outcome) {
            assert_eq!(game.end(outcome), Ok(()), "stating {outcome} again changes nothing");
            let other = Outcome::Win { winner: Color::White, by: WinReason::Checkmate };
            assert_eq!(game.end(other), Err(EndError::Over(outcome)));
        }
    }
}

#[test]
fn ends_with_a_stated_outcome_that_the_moves_allow() {
    let by_players = |outcome: Outcome| {
        matches!(
            outcome,
            Outcome::Win { by: WinReason::Resignation | WinReason::Abandonment, .. }
                | Outcome::Draw(DrawReason::Agreement)
                | Outcome::Aborted
        )
    };
    let on_time = |outcome| matches!(outcome, Outcome::Win { by: WinReason::Time, .. });
    let mut game = Game::new();
    endable_as(&game, |outcome| by_players(outcome) || on_time(outcome));

    // One knight move short of the third repetition, with the last move to be announced.
    for mv in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
        game.play(mv.parse().unwrap()).unwrap();
    }
    let threefold = Outcome::Draw(DrawReason::ThreefoldRepetition);
    endable_as(&game, |outcome| by_players(outcome) || on_time(outcome) || outcome == threefold);

    let mut fifty = Game::new();
    fifty.restart("7k/8/8/8/8/8/8/R6K w - - 99 80".parse().unwrap());
    let allowed = [
        Outcome::Draw(DrawReason::FiftyMoves),
        Outcome::Win { winner: Color::White, by: WinReason::Time },
        Outcome::Draw(DrawReason::TimeAgainstBareKing),
    ];
    endable_as(&fifty, |outcome| by_players(outcome) || allowed.contains(&outcome));
}

#[test]
fn aborted_games_have_no_result() {
    assert_eq!((Outcome::Aborted.result(), Outcome::Aborted.winner()), ("*", None));
    assert_eq!(Outcome::Aborted.to_string(), "game aborted");
    let on_time = Outcome::Win { winner: Color::Black, by: WinReason::Time };
    assert_eq!((on_time.result(), on_time.to_string().as_str()), ("0-1", "black wins on time"));
}
