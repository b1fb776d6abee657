//! GMO chess at a board: the device evaluates the genomes, and shows in light what reeds cannot see.

use board::{Meaning, Stance};
use chess::{Color, File, Square};
use rules::genome::{PIECES, Setup};
use rules::{AnyPosition, Play, Ply, Start, Verdict, Why};
use wire::link::{Event, Seat};

use crate::script::{Board, moved};

/// Goes two squares ahead, and captures there.
const JUMPING_PAWN: &str = "AHH HAC HAS HHH CHA CHA HHA CAC SAA";
const KING: &str = PIECES[3].dna;

/// Pawns that jump, a king on the h-file, and this piece on the b-file.
fn setup(piece: &str, seed: u64) -> Setup {
    let mut setup = Setup::new(&JUMPING_PAWN.parse().expect("valid"), seed).expect("room");
    for (file, dna, is_king) in [(File::B, piece, false), (File::H, KING, true)] {
        let genome = setup.add(&dna.parse().expect(dna)).expect("room");
        setup.place(file, genome, is_king);
    }
    setup
}

fn board(seat: Seat, setup: &Setup) -> Board {
    Board::by_other_rules(seat, &Start::Genome(*setup))
}

fn default_preset() -> Setup {
    Setup::default_preset(1).expect("valid")
}

fn square(text: &str) -> Square {
    text.parse().expect(text)
}

#[test]
fn targets_are_blue_and_own_pieces_can_be_captured() {
    let mut board = board(Seat::White, &default_preset());
    board.lift(Square::B1);
    assert_eq!(board.shows(Meaning::VariantTarget), [Square::A3, Square::C3]);
    assert!(board.shows(Meaning::CaptureTarget).is_empty() && board.shows(Meaning::Target).is_empty());
    board.place(Square::B1);
    board.lift(Square::A1);
    assert_eq!(board.shows(Meaning::CaptureTarget), [Square::B1, Square::A2]);
    board.lift(Square::B1);
    board.place(Square::B1);
    // Until then it may only have been tilted.
    board.wait(1000);
    assert_eq!(board.sent_events(), [moved(0, "a1b1")]);
    assert_eq!(board.turn(), Color::Black);
}

/// A piece whose DNA is as long as possible, so that the plies of a position are listed in more than one scan.
fn long_setup() -> Setup {
    let block = "AHHHSHHSHCHACHACHAHHAAAASASSAASAA";
    let mut setup = Setup::new(&block.repeat(15).parse().expect("valid"), 1).expect("room");
    for file in File::ALL {
        setup.place(file, 0, file == File::H);
    }
    setup
}

#[test]
fn touches_before_all_plies_are_listed_are_read_when_they_are() {
    let setup = long_setup();
    let mut game = Play::new();
    game.restart(&Start::Genome(setup));
    let ply = |play: &Play, from: Square| {
        let occupied = play.situation().occupied();
        let plies = play.situation().plies();
        *plies.iter().find(|ply| ply.from() == from && !occupied.has(ply.to())).expect("a quiet move")
    };
    let first = ply(&game, Square::B2);
    game.play(first).expect("legal");
    let answer = ply(&game, Square::G7);
    let mut board = board(Seat::Both, &setup);
    board.go(first.from(), first.to());
    while board.surface.play().is_empty() {
        board.wait(1);
        assert!(board.now < 60_000, "the first move is not read");
    }
    // The answer is made while the plies are listed, which takes more than ten scans.
    board.raw ^= answer.from().into();
    board.wait(8);
    board.raw ^= answer.to().into();
    board.wait(1_000);
    assert_eq!(board.sent_events(), [moved(0, &first.to_string()), moved(1, &answer.to_string())]);
    let second = ply(board.surface.play(), Square::C2);
    board.lift(second.from());
    assert!(board.shows(Meaning::VariantTarget).contains(&second.to()));
}

#[test]
fn a_promotion_is_chosen_after_the_move_and_among_all_genomes() {
    let mut setup = setup(PIECES[0].dna, 1);
    for piece in [1, 2, 4] {
        setup.add(&PIECES[piece].dna.parse().expect("valid")).expect("room");
    }
    let mut board = board(Seat::White, &setup);
    for (own, theirs) in [("a2a4", "g7g5"), ("a4a6", "g5g3")] {
        board.go(square(&own[..2]), square(&own[2..]));
        board.wait(400);
        board.receive_move(theirs);
        board.go(square(&theirs[..2]), square(&theirs[2..]));
    }
    board.go(Square::A6, Square::A8);
    board.wait(400);
    assert_eq!(board.surface.referee().stance(), Stance::Choosing { to: Square::A8 });
    assert_eq!(board.shows(Meaning::PromoteQueen), [Square::A8]);
    assert_eq!(board.shows(Meaning::PromoteBishop), [Square::A5]);
    assert_eq!(board.shows(Meaning::PromoteOther), [Square::A4]);
    assert_eq!(board.sent_events().last(), Some(&moved(4, "a6a8")));
    // The clock of the pawn's owner runs until the choice is made.
    assert_eq!(board.surface.referee().clock().and_then(board::Clock::running), Some(Color::White));
    board.touch(Square::A4);
    board.wait(2000);
    assert_eq!(board.sent_events(), [moved(5, "a8a8=5")]);
    assert_eq!(board.surface.referee().clock().and_then(board::Clock::running), Some(Color::Black));
    assert_eq!(board.surface.referee().stance(), Stance::Settled);
}

#[test]
fn the_pawn_itself_can_touch_the_square_of_a_genome() {
    for hold in [0, 300, 1_000, 2_500] {
        let mut setup = setup(PIECES[0].dna, 1);
        for piece in [1, 2, 4] {
            setup.add(&PIECES[piece].dna.parse().expect("valid")).expect("room");
        }
        let mut board = board(Seat::White, &setup);
        for (own, theirs) in [("a2a4", "g7g5"), ("a4a6", "g5g3")] {
            board.go(square(&own[..2]), square(&own[2..]));
            board.wait(400);
            board.receive_move(theirs);
            board.go(square(&theirs[..2]), square(&theirs[2..]));
        }
        board.go(Square::A6, Square::A8);
        board.wait(400);
        assert_eq!(board.sent_events().last(), Some(&moved(4, "a6a8")));
        // The power is cut before the choice.
        let now = board::Instant::at(board.now);
        let table = wire::link::GameInfo { seat: Seat::White, ..wire::link::GameInfo::LOCAL };
        board.surface.resume(&table, now);
        let raw = board.raw;
        board.surface.reset_reeds(raw, now);
        board.wait(100);
        assert_eq!(board.shows(Meaning::PromoteOther), [Square::A4]);
        board.lift(Square::A8);
        board.place(Square::A4);
        board.wait(hold);
        board.lift(Square::A4);
        board.place(Square::A8);
        board.wait(2_000);
        assert_eq!(board.sent_events(), [moved(5, "a8a8=5")], "held for {hold} ms");
    }
}

#[test]
fn a_promotion_of_the_opponent_is_shown_until_the_next_move() {
    let mut board = board(Seat::Black, &setup(PIECES[0].dna, 1));
    for (theirs, own) in [("a2a4", "g7g5"), ("a4a6", "g5g3")] {
        board.receive_move(theirs);
        board.go(square(&theirs[..2]), square(&theirs[2..]));
        board.go(square(&own[..2]), square(&own[2..]));
        board.wait(400);
    }
    // The choice arrives before the move was made here.
    board.receive_move("a6a8");
    board.receive_move("a8a8n");
    assert_eq!(board.shows(Meaning::OpponentFrom), [Square::A6]);
    assert_eq!(board.shows(Meaning::OpponentTo), [Square::A8]);
    board.go(Square::A6, Square::A8);
    assert_eq!(board.shows(Meaning::PromoteKnight), [Square::A8]);
    board.go(Square::C7, Square::C5);
    board.wait(400);
    assert_eq!(board.moves(), "a2a4 g7g5 a4a6 g5g3 a6a8 a8a8n c7c5");
    assert!(board.shows(Meaning::PromoteKnight).is_empty());
}

#[test]
fn a_freeze_is_shown_and_a_move_made_during_it_counts_afterwards() {
    let mut board = board(Seat::Black, &default_preset());
    board.receive_move("f2f3");
    board.go(Square::F2, Square::F3);
    board.go(Square::F7, Square::F6);
    board.wait(400);
    board.receive_move("e1g3");
    let clock = |board: &Board| {
        let clock = board.surface.referee().clock().expect("a clock");
        (clock.left(Color::White, board::Instant::at(board.now)), board.now)
    };
    let (white_ms, frozen_at) = clock(&board);
    assert!(white_ms < 595_000, "the mover loses 5 seconds");
    board.go(Square::E1, Square::G3);
    assert_eq!(board.shows(Meaning::Frozen), [Square::D8]);
    assert_eq!(board.sent_events(), [moved(1, "f7f6")]);
    board.go(Square::A7, Square::A6);
    board.wait(frozen_at + 4_900 - board.now);
    assert_eq!((board.sent_events(), board.shows(Meaning::Frozen)), (vec![], vec![Square::D8]));
    assert!(board.shows(Meaning::Illegal).is_empty() && board.shows(Meaning::WayBackFrom).is_empty());
    board.wait(700);
    assert!(board.shows(Meaning::Frozen).is_empty());
    assert_eq!(board.sent_events(), [moved(3, "a7a6")]);
}

#[test]
fn a_deviated_move_of_the_opponent_is_shown_where_it_ends() {
    // A pawn that may end beside its target.
    let pawn = "AHH HAS HSA HHH CHA CHA HHA CAC SAA";
    let (setup, to) = (1..100)
        .find_map(|seed| {
            let mut setup = Setup::new(&pawn.parse().expect("valid"), seed).expect("room");
            let king = setup.add(&KING.parse().expect("valid")).expect("room");
            setup.place(File::H, king, true);
            let start = AnyPosition::at(&Start::Genome(setup));
            let made = start.situation().made_footprint("c2c4".parse().expect("a ply"))?;
            // Not on the square where it would have gone, and not on another piece.
            (made.ply.to() != Square::C4 && !made.is_capture()).then_some((setup, made.ply.to()))
        })
        .expect("some seed");
    let mut far = board(Seat::Black, &setup);
    far.receive_move("c2c4");
    assert_eq!(far.shows(Meaning::OpponentTo), [to]);
    far.go(Square::C2, to);
    assert_eq!((far.shows(Meaning::OpponentTo), far.surface.referee().stance()), (vec![], Stance::Settled));

    // The board of the player who makes the move shows where the piece really goes.
    let mut here = board(Seat::White, &setup);
    here.go(Square::C2, Square::C4);
    here.wait(600);
    assert_eq!(here.sent_events(), [moved(0, "c2c4")]);
    assert_eq!((here.shows(Meaning::Fill), here.shows(Meaning::Clear)), (vec![to], vec![Square::C4]));
    here.go(Square::C4, to);
    assert_eq!(here.surface.referee().stance(), Stance::Settled);
    assert_eq!(here.surface.play(), far.surface.play(), "both have drawn the same numbers");
}

#[test]
fn two_pieces_that_change_places_are_asked_about() {
    // Steps to a neighbour, and changes places with what stands there.
    let swapper = setup("AHH HAA HSS SHA SHA CHA HHA SAS AAA AAA AAA", 1);
    let mut here = board(Seat::White, &swapper);
    here.lift(Square::B1);
    assert_eq!(here.shows(Meaning::CaptureTarget), [Square::B2]);
    here.lift(Square::B2);
    here.place(Square::B2);
    here.place(Square::B1);
    here.wait(1_000);
    assert_eq!((here.shows(Meaning::Ask), here.sent_events()), (vec![Square::B2], vec![]));
    here.touch(Square::B2);
    here.wait(400);
    assert_eq!(here.sent_events(), [moved(0, "b1b2")]);

    let mut far = board(Seat::Black, &swapper);
    far.receive_move("b1b2");
    far.lift(Square::B2);
    far.lift(Square::B1);
    far.place(Square::B2);
    far.place(Square::B1);
    assert!(far.shows(Meaning::OpponentTo).is_empty() && far.shows(Meaning::Remove).is_empty());
    far.go(Square::A7, Square::A5);
    far.wait(400);
    assert_eq!(far.moves(), "b1b2 a7a5");
}

#[test]
fn a_piece_that_is_only_straightened_is_no_move() {
    let mut board = board(Seat::White, &setup("AHH HAA HSS SHA SHA CHA HHA SAS AAA AAA AAA", 1));
    board.touch(Square::B1);
    board.touch(Square::B2);
    board.wait(1_000);
    assert_eq!((board.sent_events(), board.surface.referee().stance()), (vec![], Stance::Settled));
}

#[test]
fn a_copy_needs_another_piece_where_the_first_one_stood() {
    let copier = setup("AHH HAA HSS HHH CHA AHA HHA SAS AAA AAA AAA", 1);
    let mut here = board(Seat::White, &copier);
    here.lift(Square::B1);
    here.place(Square::C1);
    here.wait(600);
    assert_eq!(here.shows(Meaning::FinishTo), [Square::B1]);
    here.place(Square::B1);
    here.wait(600);
    assert_eq!(here.sent_events(), [moved(0, "b1c1")]);

    // The opponent's piece stays, and another one is placed.
    let mut far = board(Seat::Black, &copier);
    far.receive_move("b1c1");
    assert_eq!((far.shows(Meaning::OpponentFrom), far.shows(Meaning::OpponentTo)), (vec![], vec![Square::C1]));
    far.place(Square::C1);
    far.wait(400);
    assert_eq!(far.surface.referee().stance(), Stance::Settled);
    far.go(Square::A7, Square::A5);
    far.wait(400);
    assert_eq!(far.moves(), "b1c1 a7a5");
}

#[test]
fn a_piece_that_removes_another_from_afar_needs_a_tap() {
    // Removes an own neighbour, and stays where it is.
    let remover = setup("AHH HAA HSS AHC AHC CHA HHA SAS AAA AAA AAA", 1);
    let mut here = board(Seat::White, &remover);
    here.touch(Square::B1);
    here.lift(Square::B2);
    here.wait(1_000);
    // It may be the beginning of another move.
    assert_eq!(here.sent_events(), []);
    here.place(Square::B2);
    here.lift(Square::B1);
    here.lift(Square::B2);
    here.place(Square::B1);
    here.touch(Square::B2);
    here.wait(600);
    assert_eq!(here.sent_events(), [moved(0, "b1b2")]);

    let mut far = board(Seat::Black, &remover);
    far.receive_move("b1b2");
    assert_eq!((far.shows(Meaning::Remove), far.shows(Meaning::OpponentFrom)), (vec![Square::B2], vec![]));
    far.lift(Square::B2);
    far.wait(400);
    assert_eq!(far.surface.referee().stance(), Stance::Settled);
}

#[test]
fn a_piece_that_comes_home_is_tapped_again() {
    // Walks round a small square, back to where it stood.
    let mut board = board(Seat::White, &setup("AHH HAA HSS CHA CHA CHA HHA SAS SAS SAS SAS", 1));
    for (own, theirs) in [("b2b4", "g7g5"), ("a2a4", "g5g3")] {
        board.go(square(&own[..2]), square(&own[2..]));
        board.wait(400);
        board.receive_move(theirs);
        board.go(square(&theirs[..2]), square(&theirs[2..]));
        board.wait(400);
    }
    board.sent_events();
    board.touch(Square::B1);
    board.wait(1_000);
    assert_eq!((board.shows(Meaning::Ask), board.sent_events()), (vec![Square::B1], vec![]));
    board.touch(Square::B1);
    board.wait(400);
    assert_eq!(board.sent_events(), [moved(4, "b1b1")]);
}

#[test]
fn a_move_round_the_board_is_shown_from_edge_to_edge() {
    // Goes exactly two squares straight.
    let mut board = board(Seat::Black, &setup("AHH HSH HAC HHH CHA CHA HHA SAC", 1));
    board.receive_move("b1b3");
    assert!(board.shows(Meaning::OpponentEdge).is_empty());
    board.go(Square::B1, Square::B3);
    board.go(Square::A7, Square::A5);
    board.wait(400);
    board.receive_move("b3h3");
    assert_eq!(board.shows(Meaning::OpponentFrom), [Square::B3]);
    assert_eq!(board.shows(Meaning::OpponentTo), [Square::H3]);
    assert_eq!(board.shows(Meaning::OpponentEdge), [Square::A3]);
}

#[test]
fn a_piece_that_changes_its_owner_or_its_dna_is_marked() {
    // Captures, and leaves itself to the opponent.
    let mut board = board(Seat::Black, &setup("AHH HCC HSH HHH CHA CHA HHA SAS", 1));
    board.receive_move("b1c1");
    board.go(Square::B1, Square::C1);
    assert_eq!(board.shows(Meaning::Altered), [Square::C1]);
    assert!(board.surface.play().turn().black.has(Square::C1));
}

#[test]
fn kings_side_by_side_are_a_move_where_the_rules_allow_it() {
    let mut setup = Setup::new(&JUMPING_PAWN.parse().expect("valid"), 1).expect("room");
    // Kings that go two squares up or down.
    let king = setup.add(&"AHH HSH HAC HHH CHA CHA HHA SAC".parse().expect("valid")).expect("room");
    setup.place(File::E, king, true);
    let mut board = board(Seat::White, &setup);
    for (own, theirs) in [("e2e4", "a7a5"), ("e4e6", "a5a3")] {
        board.go(square(&own[..2]), square(&own[2..]));
        board.wait(400);
        board.receive_move(theirs);
        board.go(square(&theirs[..2]), square(&theirs[2..]));
        board.wait(400);
    }
    board.go(Square::E1, Square::E3);
    board.wait(4_000);
    assert_eq!(board.moves(), "e2e4 a7a5 e4e6 a5a3 e1e3");
    board.receive(Event::Resigned { color: Color::Black });
    assert_eq!(board.surface.play().verdict(), Some(Verdict::Won { winner: Color::White, why: Why::Resignation }));
    assert_eq!(board.shows(Meaning::Winner), [Square::E3]);
}

#[test]
fn every_ply_of_random_games_can_be_repeated_on_another_board() {
    let genomes = [
        "AHH HSH HAA CHA CHA CHA HHA SAS AAA AAA AAA",
        "AHH HCC HSA SHA AHS AHA HHA SAS SAS CAS",
        "AHH HAC HAA HHH CHA CHA HHA SAS SAS ACS AAC",
        "AHH HSS HSH SHC CHS CHA HHA SAC CAC SAS SSS",
    ];
    for seed in 0..6 {
        let mut setup = Setup::new(&JUMPING_PAWN.parse().expect("valid"), seed).expect("room");
        for (file, dna) in File::ALL.into_iter().zip(genomes.iter().cycle()) {
            let genome = setup.add(&dna.parse().expect(dna)).expect("room");
            setup.place(file, genome, file == File::H || file == File::C);
        }
        let mut board = board(Seat::Neither, &setup);
        for number in 0..40_u64 {
            let game = board.surface.play();
            if game.verdict().is_some() {
                break;
            }
            let possible = game.situation().plies();
            let pick = (seed + 1).wrapping_mul(number + 7).wrapping_mul(2_654_435_761) >> 7;
            let ply = possible[usize::try_from(pick).expect("fits") % possible.len()];
            let before = game.position();
            board.receive_move(&ply.to_string());
            assert_eq!(board.surface.play().len() as u64, number + 1, "{ply} was not accepted");
            repeat(&mut board, &before, ply);
            let stance = board.surface.referee().stance();
            assert!(stance == Stance::Settled, "{ply} is not complete: {stance:?}");
            assert!(board.shows(Meaning::OpponentTo).is_empty(), "{ply} is still shown");
        }
    }
}

/// Does what the lights ask for.
fn repeat(board: &mut Board, before: &AnyPosition, ply: Ply) {
    let made = before.situation().made_footprint(ply).expect("legal");
    for lifted in (made.captured | made.lifts).squares() {
        board.lift(lifted);
    }
    for placed in made.places.squares() {
        board.place(placed);
    }
    for rest in (made.after.without(board.raw)).squares() {
        board.place(rest);
    }
    board.wait(800);
}

/// The start of a shuffle that leads back to where it began.
const SHUFFLE: [&str; 4] = ["b1c3", "b8c6", "c3b1", "c6b8"];

/// A game of 62 plies, the last of them `b1c3` and `b8c6`, at a board that plays these sides.
fn shuffled(seat: Seat) -> Board {
    let mut board = board(seat, &default_preset());
    for (number, text) in SHUFFLE.into_iter().cycle().take(62).enumerate() {
        let color = if number % 2 == 0 { Color::White } else { Color::Black };
        if !seat.has(color) {
            board.receive_move(text);
        }
        board.go(square(&text[..2]), square(&text[2..]));
        board.wait(400);
    }
    assert_eq!(board.surface.play().len(), 62);
    board.sent_events();
    board
}

/// The game after the first plies, without any takeback.
fn shuffled_to(plies: usize) -> Play {
    let mut play = Play::new();
    play.restart(&Start::Genome(default_preset()));
    for text in SHUFFLE.into_iter().cycle().take(plies) {
        play.play(text.parse().expect(text)).expect("legal");
    }
    play
}

/// Scans until the game is replayed, and returns how many scans that took.
fn scans_to_replay(board: &mut Board) -> u32 {
    let mut scans = 0;
    while board.surface.referee().is_working() {
        board.wait(1);
        scans += 1;
        assert!(scans < 1_000, "the replay does not end");
    }
    scans
}

#[test]
fn several_plies_are_taken_back_in_several_scans_and_touches_meanwhile_count() {
    let mut board = shuffled(Seat::White);
    board.surface.apply(Event::TakenBack { plies: 2 }, board::Instant::at(board.now));
    assert_eq!((board.surface.play().len(), board.surface.referee().is_rewinding()), (60, true));
    // The players put the pieces back while the board replays the game.
    board.raw ^= Square::C6.into();
    board.wait(8);
    board.raw ^= Square::C3.into();
    let scans = 8 + scans_to_replay(&mut board);
    assert!((15..=30).contains(&scans), "{scans} scans for 60 plies");
    assert_eq!(board.surface.play(), &shuffled_to(60));
    assert_eq!(board.surface.play().position(), shuffled_to(60).position());
    assert_eq!(board.surface.referee().clock().and_then(board::Clock::running), Some(Color::White));
    board.wait(200);
    board.place(Square::B8);
    board.place(Square::B1);
    board.wait(400);
    assert_eq!((board.surface.referee().stance(), board.sent_events()), (Stance::Settled, vec![]));
    board.go(Square::B1, Square::A3);
    board.wait(400);
    assert_eq!(board.sent_events(), [moved(60, "b1a3")]);
}

#[test]
fn a_ply_that_arrives_during_a_replay_is_played_after_it() {
    let mut board = shuffled(Seat::Black);
    let now = board::Instant::at(board.now);
    board.surface.apply(Event::TakenBack { plies: 2 }, now);
    board.surface.apply(moved(60, "b1a3"), now);
    let mut expected = shuffled_to(60);
    expected.play("b1a3".parse().expect("a ply")).expect("legal");
    assert_eq!(board.surface.play(), &expected);
    board.wait(5);
    assert!(!board.surface.referee().is_rewinding());
}

#[test]
fn a_ply_is_taken_back_at_once_and_the_one_before_it_after_a_replay() {
    let mut board = shuffled(Seat::Both);
    board.go(Square::C6, Square::B8);
    board.wait(400);
    assert_eq!(board.sent_events(), [Event::TakenBack { plies: 1 }]);
    assert_eq!((board.surface.play(), board.surface.referee().is_rewinding()), (&shuffled_to(61), false));
    let mut again = shuffled(Seat::Both);
    again.lift(Square::C6);
    again.raw ^= Square::B8.into();
    while again.surface.play().len() == 62 {
        again.wait(1);
    }
    assert!((15..=30).contains(&scans_to_replay(&mut again)));
    again.wait(200);
    assert_eq!(again.shows(Meaning::LastMove), [Square::B1, Square::C3]);
    again.go(Square::C3, Square::B1);
    again.wait(400);
    assert_eq!(again.sent_events(), [Event::TakenBack { plies: 1 }; 2]);
    assert_eq!(again.surface.play(), &shuffled_to(60));
}

#[test]
fn a_ply_is_corrected_without_a_replay() {
    let mut board = shuffled(Seat::Both);
    // The last ply was meant to go elsewhere.
    board.go(Square::C6, Square::A6);
    board.wait(2_000);
    let sent = board.sent_events();
    assert_eq!(sent, [Event::TakenBack { plies: 1 }, moved(61, "b8a6")]);
    assert!(!board.surface.referee().is_working());
}
