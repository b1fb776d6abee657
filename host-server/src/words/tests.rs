use board::{Settings, Surface};
use rules::Start;
use wire::link::{Event, GameInfo, Seat};

use super::*;

/// A board with simulated hands and time.
struct Hands {
    surface: Box<Surface>,
    raw: Bitboard,
    now: u64,
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl Hands {
    fn at(fen: &str) -> Self {
        Self::with(fen, fen.parse::<Position>().unwrap().occupied(), Seat::Both)
    }

    fn with(fen: &str, raw: Bitboard, seat: Seat) -> Self {
        let mut surface = Box::new(Surface::new(Settings::default(), raw, Instant::at(0)));
        surface.begin(&Start::Chess(fen.parse().unwrap()), &GameInfo { seat, ..GameInfo::LOCAL }, Instant::at(0));
        let mut hands = Self { surface, raw, now: 0 };
        hands.wait(400);
        hands
    }

    fn wait(&mut self, milliseconds: u64) {
        for _ in 0..milliseconds {
            self.now += 1;
            self.surface.scan(self.raw, Instant::at(self.now));
        }
    }

    fn lift(&mut self, square: Square) {
        self.raw = self.raw.without(square.into());
        self.wait(150);
    }

    fn put(&mut self, square: Square) {
        self.raw |= square.into();
        self.wait(150);
    }

    fn go(&mut self, from: Square, to: Square) {
        self.lift(from);
        self.put(to);
    }

    fn receive(&mut self, event: Event) {
        self.surface.apply(event, Instant::at(self.now));
        self.wait(5);
    }

    fn sentence(&self) -> String {
        sentence(self.game(), self.surface.referee(), Instant::at(self.now))
    }

    fn game(&self) -> &Game {
        self.surface.play().chess().unwrap()
    }
}

#[test]
fn a_lifted_piece_is_named_with_its_targets() {
    let mut hands = Hands::at(START);
    assert_eq!(hands.sentence(), "The pieces match the game.");
    hands.lift(Square::G1);
    assert_eq!(hands.sentence(), "Lifted White's knight on g1: it may go to f3 or h3.");
    hands.put(Square::G1);
    hands.lift(Square::A1);
    assert_eq!(hands.sentence(), "Lifted White's rook on a1: it has no legal move.");
    hands.lift(Square::A8);
    assert_eq!(hands.sentence(), "Lifted White's rook on a1 and Black's rook on a8.");
}

#[test]
fn a_lifted_opponents_piece_is_named_with_its_captors() {
    let mut hands = Hands::at("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1");
    hands.lift(Square::D5);
    assert_eq!(hands.sentence(), "Lifted Black's pawn on d5: it can be captured from c4 or e4.");
    hands.lift(Square::E4);
    let both = "Lifted White's pawn on e4 and Black's pawn on d5; from e4 it may go to d5 or e5.";
    assert_eq!(hands.sentence(), both);
    hands.put(Square::E4);
    hands.put(Square::D5);
    hands.lift(Square::E8);
    assert_eq!(hands.sentence(), "Lifted Black's king on e8.");
}

#[test]
fn an_illegal_move_is_named_with_the_way_back() {
    let mut hands = Hands::at(START);
    hands.go(Square::E2, Square::E5);
    hands.wait(300);
    assert_eq!(hands.sentence(), "That is not a legal move: take it back from e5 to e2.");
    hands.wait(3000);
    assert_eq!(hands.sentence(), "That is not a legal move: take it back from e5 to e2.");
    hands.go(Square::E5, Square::E2);
    hands.go(Square::E7, Square::E5);
    hands.wait(300);
    assert_eq!(hands.sentence(), "It is White's turn: the piece on e5 belongs on e7.");
}

#[test]
fn a_promotion_lists_its_squares() {
    let mut hands = Hands::at("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    hands.go(Square::A7, Square::A8);
    let asked = "Choose the promotion: touch a lit square (lift and put, or put and lift): a8 queen, a7 knight, a6 rook, \
        a5 bishop.";
    assert_eq!(hands.sentence(), asked);
    hands.put(Square::A6);
    assert_eq!(hands.sentence(), asked);
    hands.lift(Square::A6);
    let chosen = "The promotion is chosen on a6, and counts after a rest: touch another lit square to change it.";
    assert_eq!(hands.sentence(), chosen);
    // Another square may be tapped until the choice has rested.
    hands.wait(2000);
    assert_eq!(hands.game().moves(), ["a7a8r".parse().unwrap()]);
}

#[test]
fn half_a_castling_is_completed_step_by_step() {
    let mut hands = Hands::at("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    hands.go(Square::E1, Square::G1);
    hands.wait(300);
    assert_eq!(hands.sentence(), "The move is incomplete: now from h1 to f1.");
}

#[test]
fn a_reading_is_announced_before_it_is_accepted() {
    let mut hands = Hands::at("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    hands.go(Square::H1, Square::F1);
    assert_eq!(hands.sentence(), "Rf1 counts when the piece has rested.");
    hands.wait(2000);
    hands.lift(Square::E1);
    hands.lift(Square::E8);
    hands.put(Square::E4);
    hands.put(Square::D5);
    assert_eq!(hands.sentence(), "White has won, if the pieces rest as they are.");
    hands.wait(1500);
    assert_eq!(headline(hands.game()), "1-0: White wins by resignation");
    assert!(hands.sentence().starts_with("The game is over."));
    hands.lift(Square::E4);
    let missing = hands.sentence();
    assert!(missing.starts_with("Remove the piece on d5. 31 pieces are missing"), "{missing}");
}

#[test]
fn many_lifted_pieces_are_counted() {
    let mut hands = Hands::at(START);
    hands.raw = Square::E1.into();
    hands.wait(400);
    assert_eq!(hands.sentence(), "31 pieces are off the board.");
}

#[test]
fn the_player_is_shown_the_own_side() {
    let start = Position::start().occupied();
    let mut hands = Hands::with(START, start, Seat::Black);
    hands.surface.announce_game(Instant::at(hands.now));
    assert_eq!(hands.sentence(), "A new game: you play Black.");
    hands.go(Square::E2, Square::E4);
    hands.wait(300);
    assert_eq!(hands.sentence(), "You play Black: put the piece on e4 back on e2.");
}

#[test]
fn an_empty_board_is_set_up_step_by_step() {
    let mut hands = Hands::with(START, Bitboard::EMPTY, Seat::Both);
    assert_eq!(hands.sentence(), "32 pieces are missing; begin with White's rook on a1.");
    hands.put(Square::E4);
    hands.wait(400);
    let both = "Remove the piece on e4. 32 pieces are missing; begin with White's rook on a1.";
    assert_eq!(hands.sentence(), both);
    hands.raw = Position::start().occupied().without(Square::E1.into());
    hands.wait(400);
    assert_eq!(hands.sentence(), "Missing: White's king on e1.");
    hands.put(Square::E1);
    assert_eq!(hands.sentence(), "The pieces match the game.");
}

#[test]
fn check_and_result_are_announced() {
    let mut hands = Hands::at("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    assert_eq!(headline(hands.game()), "White to move");
    hands.go(Square::A1, Square::A8);
    hands.wait(400);
    assert_eq!(hands.sentence(), "Black is in check.");
    assert_eq!(headline(hands.game()), "Black to move");
    let drawn = Hands::at("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(headline(drawn.game()), "1/2-1/2: draw by stalemate");
    let mut on_time = Game::new();
    on_time.restart("k7/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap());
    on_time.flag(Color::White).unwrap();
    assert_eq!(headline(&on_time), "1/2-1/2: draw on time: insufficient material");
}

#[test]
fn events_of_the_opponent_are_announced() {
    let fen = "4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 1";
    let occupied = fen.parse::<Position>().unwrap().occupied();
    let far = || Hands::with(fen, occupied, Seat::White);
    let mut hands = far();
    hands.receive(Event::Moved { number: 0, ply: Ply::of_move("d5e4".parse().unwrap()), thought_ms: 0 });
    let taken = "Make the move of Black here: from d5 to e4, and remove the piece on e4.";
    assert_eq!(hands.sentence(), taken);
    let mut hands = far();
    hands.receive(Event::Moved { number: 0, ply: Ply::of_move("d5d4".parse().unwrap()), thought_ms: 0 });
    assert_eq!(hands.sentence(), "Make the move of Black here: from d5 to d4.");
    hands.receive(Event::Resigned { color: Color::Black });
    assert_eq!(headline(hands.game()), "1-0: White wins by resignation");
    hands.go(Square::D5, Square::D4);
    hands.wait(400);
    hands.surface.set_rematch(true);
    assert_eq!(hands.sentence(), "The opponent offers a rematch: set up all pieces to accept.");
    let mut hands = far();
    hands.receive(Event::DrawOffered { color: Color::Black });
    assert!(hands.sentence().starts_with("The opponent offers a draw"));
}

#[test]
fn a_challenge_is_announced_with_its_clock_and_its_gesture() {
    let mut hands = Hands::at(START);
    let clock = Some(ClockRule { base_ms: 300_000, increment_ms: 3_000 });
    let name = wire::link::clipped_name("Ben");
    hands.surface.set_challenge(Some(Challenge { number: 1, color: Color::Black, clock, name }));
    let words = "Ben challenges you, 5+3: you would play Black. Lift the king on e8 for a second to accept, the king on e1 to decline.";
    assert_eq!(hands.sentence(), words);
    hands.lift(Square::E1);
    hands.wait(1_000);
    assert_eq!(hands.sentence(), "Put the king back on e1 to decline the challenge.");
    hands.surface.set_challenge(None);
    hands.put(Square::E1);
    hands.wait(400);
    hands.surface.set_challenge(Some(Challenge { number: 1, color: Color::White, clock: None, name }));
    assert!(hands.sentence().starts_with("Ben challenges you, without a clock: you would play White."));
}
