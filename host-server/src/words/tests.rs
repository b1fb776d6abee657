use board::{Brain, Settings};
use wire::link::{Event, Seat, Table};

use super::*;

/// A board under somebody's hands, and the time there.
struct Hands {
    brain: Box<Brain>,
    raw: Bitboard,
    now: u64,
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

impl Hands {
    fn at(fen: &str) -> Self {
        Self::with(fen, fen.parse::<Position>().unwrap().occupied(), Seat::Both)
    }

    fn with(fen: &str, raw: Bitboard, seat: Seat) -> Self {
        let mut brain = Box::new(Brain::new(Settings::default(), raw, Instant::at(0)));
        brain.begin(fen.parse().unwrap(), &Table { seat, ..Table::LOCAL }, Instant::at(0));
        let mut hands = Self { brain, raw, now: 0 };
        hands.wait(400);
        hands
    }

    fn wait(&mut self, milliseconds: u64) {
        for _ in 0..milliseconds {
            self.now += 1;
            self.brain.scan(self.raw, Instant::at(self.now));
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

    fn hear(&mut self, event: Event) {
        self.brain.hear(event, Instant::at(self.now));
        self.wait(5);
    }

    fn hear_sentence(&self) -> String {
        sentence(self.brain.game(), self.brain.referee(), Instant::at(self.now))
    }
}

#[test]
fn a_lifted_piece_is_named_with_where_it_may_go() {
    let mut hands = Hands::at(START);
    assert_eq!(hands.hear_sentence(), "All is in order.");
    hands.lift(Square::G1);
    assert_eq!(hands.hear_sentence(), "Lifted White's knight on g1: it may go to f3 or h3.");
    hands.put(Square::G1);
    hands.lift(Square::A1);
    assert_eq!(hands.hear_sentence(), "Lifted White's rook on a1: it cannot go anywhere.");
    hands.lift(Square::A8);
    assert_eq!(hands.hear_sentence(), "Lifted White's rook on a1 and Black's rook on a8.");
}

#[test]
fn a_lifted_victim_is_named_with_who_may_take_it() {
    let mut hands = Hands::at("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1");
    hands.lift(Square::D5);
    assert_eq!(hands.hear_sentence(), "Lifted Black's pawn on d5: it may be taken from c4 or e4.");
    hands.lift(Square::E4);
    let both = "Lifted White's pawn on e4 and Black's pawn on d5; from e4 it may go to d5 or e5.";
    assert_eq!(hands.hear_sentence(), both);
    hands.put(Square::E4);
    hands.put(Square::D5);
    hands.lift(Square::E8);
    assert_eq!(hands.hear_sentence(), "Lifted Black's king on e8.");
}

#[test]
fn an_illegal_move_is_called_so_with_the_way_back() {
    let mut hands = Hands::at(START);
    hands.go(Square::E2, Square::E5);
    hands.wait(300);
    assert_eq!(hands.hear_sentence(), "That is not a legal move: take it back from e5 to e2.");
    hands.wait(3000);
    assert_eq!(hands.hear_sentence(), "That is not a legal move: take it back from e5 to e2.");
    hands.go(Square::E5, Square::E2);
    hands.go(Square::E7, Square::E5);
    hands.wait(300);
    assert_eq!(hands.hear_sentence(), "It is White's turn: the piece on e5 belongs on e7.");
}

#[test]
fn a_promotion_is_asked_for_square_by_square() {
    let mut hands = Hands::at("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    hands.go(Square::A7, Square::A8);
    let asked = "Touch a lit square (lift and put, or put and lift) to say what the pawn becomes: a8 queen, a7 knight, \
        a6 rook, a5 bishop.";
    assert_eq!(hands.hear_sentence(), asked);
    hands.put(Square::A6);
    assert_eq!(hands.hear_sentence(), asked);
    hands.lift(Square::A6);
    assert_eq!(hands.brain.game().moves(), ["a7a8r".parse().unwrap()]);
}

#[test]
fn half_a_castling_is_led_to_its_end() {
    let mut hands = Hands::at("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    hands.go(Square::E1, Square::G1);
    hands.wait(300);
    assert_eq!(hands.hear_sentence(), "The move is half done: now from h1 to f1.");
}

#[test]
fn what_waits_for_a_rest_is_said_before_it_is_believed() {
    let mut hands = Hands::at("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    hands.go(Square::H1, Square::F1);
    assert_eq!(hands.hear_sentence(), "Rf1, if it rests there.");
    hands.wait(2000);
    hands.lift(Square::E1);
    hands.lift(Square::E8);
    hands.put(Square::E4);
    hands.put(Square::D5);
    assert_eq!(hands.hear_sentence(), "White has won, if the pieces rest as they are.");
    hands.wait(1500);
    assert_eq!(headline(hands.brain.game()), "1-0: White wins by resignation");
    assert!(hands.hear_sentence().starts_with("The game is over."));
}

#[test]
fn an_empty_board_is_led_through_its_set_up() {
    let mut hands = Hands::with(START, Bitboard::EMPTY, Seat::Both);
    assert_eq!(hands.hear_sentence(), "32 pieces are missing; begin with White's rook on a1.");
    hands.put(Square::E4);
    hands.wait(400);
    let both = "Nothing belongs on e4. 32 pieces are missing; begin with White's rook on a1.";
    assert_eq!(hands.hear_sentence(), both);
    hands.raw = Position::start().occupied().without(Square::E1.into());
    hands.wait(400);
    assert_eq!(hands.hear_sentence(), "Missing: White's king on e1.");
    hands.put(Square::E1);
    assert_eq!(hands.hear_sentence(), "All is in order.");
}

#[test]
fn a_check_and_the_end_are_said() {
    let mut hands = Hands::at("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    assert_eq!(headline(hands.brain.game()), "White to move");
    hands.go(Square::A1, Square::A8);
    hands.wait(400);
    assert_eq!(hands.hear_sentence(), "Black is in check.");
    assert_eq!(headline(hands.brain.game()), "Black to move");
    let drawn = Hands::at("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(headline(drawn.brain.game()), "1/2-1/2: draw by stalemate");
}

#[test]
fn what_comes_from_afar_is_said() {
    let fen = "4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 1";
    let occupied = fen.parse::<Position>().unwrap().occupied();
    let far = || Hands::with(fen, occupied, Seat::White);
    let mut hands = far();
    hands.hear(Event::Moved { ply: 0, mv: "d5e4".parse().unwrap(), thought_ms: 0 });
    let taken = "Make the move of Black here: from d5 to e4, and take away what stands on e4.";
    assert_eq!(hands.hear_sentence(), taken);
    let mut hands = far();
    hands.hear(Event::Moved { ply: 0, mv: "d5d4".parse().unwrap(), thought_ms: 0 });
    assert_eq!(hands.hear_sentence(), "Make the move of Black here: from d5 to d4.");
    hands.hear(Event::Resigned { color: Color::Black });
    assert_eq!(headline(hands.brain.game()), "1-0: White wins by resignation");
    let mut hands = far();
    hands.hear(Event::DrawOffered { color: Color::Black });
    assert!(hands.hear_sentence().starts_with("The opponent offers a draw"));
}
