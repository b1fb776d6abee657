//! Whole games: turns, kings, promotion, freezes and replays.

use chess::{Bitboard, Color, Square};
use rules::genome::{FREEZE_MS, Setup, SetupError};
use rules::{AnyPosition, Freeze, Options, Play, PlayError, Ply, Situation, Start, Verdict, Why};

use super::{built_in, color_at, dna, game, game_with_pawns, is_legal, play_all, squares, targets};

fn default_game() -> Play {
    let mut table = Play::new();
    table.restart(&Start::Genome(Setup::default_preset(9).expect("the built-in pieces fit")));
    table
}

const fn won(winner: Color) -> Verdict {
    Verdict::Won { winner, why: Why::Rules }
}

#[test]
fn the_default_preset_has_the_moves_of_chess_and_own_captures() {
    let mut table = default_game();
    assert_eq!(table.turn().royal, squares("d1 d8"));
    // Single steps of eight pawns, two moves of each knight, and the moves of rooks and queen onto own pieces.
    assert_eq!(targets(&table, "b1"), squares("a3 c3"));
    assert_eq!(targets(&table, "a1"), squares("a2 b1"));
    assert_eq!(targets(&table, "e1"), squares("e2 d1 f1"));
    assert_eq!(targets(&table, "e2"), squares("e3"));
    assert_eq!(table.situation().plies().len(), 8 + 4 + 2 * 2 + 3);
    assert_eq!(table.play("e7e6".parse().expect("a ply")), Err(PlayError::Illegal("e7e6".parse().expect("a ply"))));
}

#[test]
fn losing_a_king_loses_even_to_an_own_piece() {
    let mut table = default_game();
    play_all(&mut table, "e1d1");
    assert_eq!(table.verdict(), Some(won(Color::Black)));
    assert!(table.situation().plies().is_empty());
    let mut table = default_game();
    play_all(&mut table, "f2f3 e7e6 e1h4 a7a6 h4d8");
    assert_eq!(table.verdict(), Some(won(Color::White)));
    assert_eq!(table.take_back(), Some("h4d8".parse().expect("a ply")));
    assert_eq!(table.verdict(), None);
}

#[test]
fn a_game_is_drawn_if_both_sides_lose_a_king() {
    // Leaves nothing on both squares when it takes an enemy.
    let bomb = dna("AHH HSH HAA HHH CHC CHA HHA SAS AAA AAA AAA");
    let mut table = game_with_pawns(&dna("AHH HSH HAA CHA HHH CHA HHA CAA SAS"), &[&bomb], "a");
    play_all(&mut table, "a2b2 a7b7 a1a8");
    assert_eq!(table.verdict(), Some(Verdict::Drawn(Why::Rules)));
    assert_eq!(table.turn().royal, Bitboard::EMPTY);
}

#[test]
fn several_kings_and_copies_of_kings_count() {
    let copying_king = dna("AHH HAC HAA HHH CHA AHA HHA SAS CAS");
    let mut table = game(&[&copying_king, &built_in("rook")], "a");
    play_all(&mut table, "a2a3 h7h6 a1a2");
    assert_eq!(table.turn().royal_of(Color::White), squares("a1 a2"));
    // The own rook takes one of two kings: that is a loss, too.
    play_all(&mut table, "h6h5 b1a1");
    assert_eq!(table.verdict(), Some(won(Color::Black)));
}

#[test]
fn a_freezing_piece_is_reported_with_its_player() {
    let mut table = default_game();
    play_all(&mut table, "f2f3 f7f6");
    assert_eq!(table.situation().freeze(), None);
    play_all(&mut table, "e1g3");
    assert_eq!(table.situation().freeze(), Some(Freeze { mover: Color::White, ms: FREEZE_MS }));
    play_all(&mut table, "e8g6");
    assert_eq!(table.situation().freeze(), Some(Freeze { mover: Color::Black, ms: FREEZE_MS }));
    play_all(&mut table, "a2a3");
    assert_eq!(table.situation().freeze(), None);
}

#[test]
fn a_pawn_on_the_last_rank_waits_for_its_promotion() {
    let runner = dna("AHH HAS HAA HHH CHA CHA HHA CAA CAC SAC CAA AHH HSH HSH HHH CHA CHA HHA SAS");
    let mut table = game_with_pawns(&runner, &[&built_in("king"), &built_in("queen")], "a");
    while !table.situation().plies().iter().any(|ply| ply.choice() != 0) {
        let plies = table.situation().plies();
        let color = table.turn().to_move;
        let forward = |ply: &&Ply| {
            let rank = i16::from(ply.to().rank().index());
            let pawn = table.situation().look(ply.from()).is_some_and(|look| look.drawing == Some(chess::Role::Pawn));
            (pawn, if color == Color::White { rank } else { 7 - rank })
        };
        let ply = *plies.iter().max_by_key(forward).expect("a move");
        table.play(ply).expect("legal");
        assert_eq!(table.verdict(), None, "{table:?}");
    }
    let owner = table.turn().to_move;
    let choices: Vec<Ply> = table.situation().plies().to_vec();
    let square = choices[0].from();
    assert_eq!(choices, [1, 2].map(|choice| Ply::new(square, square).choosing(choice)));
    assert_eq!(table.situation().choices(choices[0]), [1, 2]);
    let unchosen = Ply::new(square, square);
    assert_eq!(table.play(unchosen), Err(PlayError::Illegal(unchosen)));
    let footprint = table.situation().footprint(choices[1]).expect("legal");
    assert_eq!(footprint.after, table.turn().occupied());
    table.play(choices[1]).expect("legal");
    assert_eq!(table.turn().to_move, !owner);
    let look = table.situation().look(square).expect("a piece");
    assert_eq!((look.color, look.name), (owner, "queen"));
    table.take_back();
    assert_eq!((table.turn().to_move, &table.situation().plies()[..]), (owner, choices.as_slice()));
}

#[test]
fn a_pawn_that_the_opponent_brings_to_its_last_rank_is_promoted_by_its_owner() {
    // Swaps places with any piece that it meets, and keeps the owners.
    let swapper = dna("AHH HSH HAA HHH SHA CHA HHA SAS AAA AAA AAA");
    let stepper = dna("AHH HSH HAA CHA CHA CHA HHA CAA SAS CAA CAA");
    let mut table = game_with_pawns(&stepper, &[&swapper, &built_in("king")], "b");
    // A white pawn steps aside. Then the rook-like piece on a1 swaps with the black pawn on a7, which lands on a1.
    play_all(&mut table, "a2b2 h7g7 a1a7");
    assert_eq!((color_at(&table, "a1"), color_at(&table, "a7")), (Some(Color::Black), Some(Color::White)));
    assert_eq!(table.turn().to_move, Color::Black);
    assert!(!is_legal(&table, "b7c7") && is_legal(&table, "a1a1n"));
    play_all(&mut table, "a1a1n");
    // After the promotion it is Black's ordinary turn.
    assert_eq!(table.turn().to_move, Color::Black);
    assert!(is_legal(&table, "c7d7"), "{:?}", table.situation().plies());
}

#[test]
fn a_game_that_is_played_in_parts_is_the_same_in_the_end() {
    play_in_parts(default_game());
    play_in_parts(game_with_pawns(&dna("AHH HAC HAS HHH HHH CHA HHA SAC"), &[&dna("")], "a"));
}

fn play_in_parts(mut table: Play) {
    let mut parts = table.clone();
    for round in 0..80 {
        let plies = table.situation().plies();
        let Some(&ply) = plies.get(round * 13 % plies.len().max(1)) else { break };
        let expected = parts.situation().made(ply);
        assert_eq!(parts.play_in_parts(ply), Ok(expected), "{ply}");
        table.play(ply).expect("legal");
        if parts.is_searching() {
            assert_eq!(parts.verdict(), None);
            // A search that is not over distinguishes two games only by its result.
            assert_eq!(parts == table, table.verdict().is_none());
        }
        // Now and then the next ply comes before the search is over.
        if round % 3 != 0 || table.verdict().is_some() {
            while !parts.search_on(1) {}
            assert_eq!(parts, table);
        }
    }
    assert_eq!(parts, table);
    assert!(table.verdict().is_some() || table.len() == 80);
}

#[test]
fn a_verdict_from_elsewhere_ends_the_search_for_the_end() {
    let mut table = game_with_pawns(&dna("AHH HAC HAS HHH HHH CHA HHA SAC"), &[&dna("")], "a");
    while table.verdict().is_none() {
        let ply = *table.situation().plies().first().expect("not stalemate");
        table.play_in_parts(ply).expect("legal");
        assert_eq!(table.verdict(), None);
        if table.situation().plies().is_empty() {
            assert_eq!(table.end(Verdict::Drawn(Why::Stalemate)), Ok(()));
        }
    }
    assert!(!table.is_searching());
}

#[test]
fn a_side_without_moves_is_stalemated() {
    let still = dna("");
    let mut table = game_with_pawns(&dna("AHH HAC HAS HHH HHH CHA HHA SAC"), &[&still], "a");
    while table.verdict().is_none() {
        let ply = *table.situation().plies().first().expect("not stalemate");
        table.play(ply).expect("legal");
    }
    assert_eq!(table.verdict(), Some(Verdict::Drawn(Why::Stalemate)));
}

#[test]
fn a_replay_of_random_effects_gives_the_same_game() {
    let wild = dna("AHH HCC HSA HHH CHA CHA HHA SAS AAA AAA AAA");
    let mut table = game(&[&built_in("king"), &wild, &wild, &wild], "a");
    let mut plies = Vec::new();
    for round in 0..60 {
        let Some(&ply) = table.situation().plies().iter().rev().cycle().nth(round * 7) else { break };
        table.play(ply).expect("legal");
        plies.push(ply);
    }
    let mut again = Play::new();
    again.restart(&table.start());
    for &ply in &plies {
        again.play(ply).expect("legal");
    }
    assert!(again == table);
    assert_eq!(again.position(), table.position());
    let last = plies.pop().expect("plies");
    let before = table.before_last();
    assert_eq!(table.take_back(), Some(last));
    assert_eq!(before, Some(table.position()));
}

#[test]
fn a_start_is_read_as_it_is_written() {
    let setup = Setup::default_preset(0xfeed).expect("room");
    let start = Start::Genome(setup);
    let details = start.details().expect("a setup").to_string();
    assert!(details.starts_with("000000000000feed 12345321 08 AHHHACHAS"), "{details}");
    assert_eq!(Start::read("genome", Some(&details)), Ok(start));
    for broken in [
        "",
        "0 12345321 08",
        &details.replace("feed", "feedf"),
        &details.replace(" 08", " 00"),
        &details.replace("AHH", "AHS"),
    ] {
        assert!(Start::read("genome", Some(broken)).is_err(), "{broken}");
    }
    assert!(Start::read("genome", None).is_err());
}

#[test]
fn a_setup_needs_a_king_and_a_move() {
    let mut setup = Setup::new(&dna(""), 0).expect("room");
    let knight = setup.add(&built_in("knight")).expect("room");
    setup.place(chess::File::B, knight, false);
    assert_eq!(setup.check(), Err(SetupError::NoKing));
    setup.place(chess::File::B, 0, true);
    assert_eq!(setup.check(), Err(SetupError::NoMoves));
    setup.place(chess::File::B, knight, true);
    assert_eq!(setup.check(), Ok(()));
    for number in 2..16 {
        let steps: String = (0..4).map(|place| if number >> place & 1 == 0 { "SAS" } else { "CAS" }).collect();
        setup.add(&dna(&format!("AHHHSHHSHCHACHACHAHHA{steps}"))).expect("room");
    }
    assert_eq!(setup.add(&built_in("queen")), Err(SetupError::TooMany));
}

#[test]
fn footprints_agree_with_the_position_after_a_ply_without_deviation() {
    let mut table = default_game();
    for round in 0..80 {
        let situation = table.situation();
        let plies = situation.plies();
        for &ply in &plies {
            let footprint = situation.footprint(ply).expect("legal");
            let after = situation.after(ply, |next| next.turn().occupied()).expect("legal");
            assert_eq!(footprint.after, after, "{ply}");
            assert_eq!(footprint.is_capture(), situation.occupied().has(ply.to()) && ply.from() != ply.to());
        }
        let Some(&ply) = plies.get(round * 13 % plies.len().max(1)) else { break };
        table.play(ply).expect("legal");
    }
    assert!(matches!(table.position(), AnyPosition::Genome(_)));
    assert_eq!(table.situation().look(Square::E5).is_some(), table.turn().occupied().has(Square::E5));
}

#[test]
fn plies_that_are_listed_piece_by_piece_are_the_same_and_keep_what_their_moves_do() {
    let mut table = default_game();
    for round in 0..80 {
        let here = table.situation();
        let plies = here.plies();
        let mut listed = here.first_plies();
        while !listed.is_complete() {
            here.list_more(&mut listed);
        }
        assert_eq!(listed[..], plies[..]);
        let touched = Bitboard(0x00ff_f0f0_0f0f_ff00);
        let of_touched: Vec<Ply> = here.starts(touched).flat_map(|start| here.plies_of(start).to_vec()).collect();
        let is_touched = |ply: &&Ply| ply.choice() != 0 || touched.has(ply.from());
        assert_eq!(of_touched, plies.iter().filter(is_touched).copied().collect::<Vec<_>>());
        let options = Options { here, plies: &listed };
        let touching: Vec<_> = options.footprints_touching(touched, Bitboard::ALL, 0).collect();
        assert_eq!(touching.len(), of_touched.len());
        for &ply in &plies {
            assert_eq!(options.footprint(ply), here.footprint(ply), "{ply}");
            let look = |next: Situation<'_>| (next.turn(), next.has_plies(), next.plies().to_vec());
            assert_eq!(options.after(ply, look), here.after(ply, look), "{ply}");
        }
        assert_eq!(here.has_plies(), !plies.is_empty());
        let Some(&ply) = plies.get(round * 13 % plies.len().max(1)) else { break };
        table.play(ply).expect("legal");
    }
    assert!(table.len() > 20, "the game is long enough to have met promotions and captures");
}
