//! Random touches, as of a cat or a broken cable: every move that is read is legal, and when the board is put right
//! it is right.

use board::{Looking, Stance};
use chess::{Bitboard, Square};

use crate::positions;
use crate::table::Touch::{Lift, Place};
use crate::table::{Table, for_this};

struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn square(&mut self, among: Bitboard) -> Option<Square> {
        let squares: Vec<Square> = among.squares().collect();
        let index = self.below(squares.len().max(1) as u64);
        squares.get(usize::try_from(index).expect("a small number")).copied()
    }
}

/// Touches one square, rather one that was touched before: that is where sense could be seen.
fn touch_anything(table: &mut Table, touched: &mut Bitboard, chance: &mut Chance) {
    let among = if touched.any() && chance.below(3) > 0 { *touched } else { Bitboard(u64::MAX) };
    let Some(square) = chance.square(among) else { return };
    *touched |= square.into();
    table.touch(if table.occupied().has(square) { Lift(square) } else { Place(square) });
    let pause = if chance.below(20) == 0 { 2500 } else { 150 };
    table.wait(chance.below(pause));
}

/// Whether the lights say what to do: they name squares to fill, to clear or to tap, unless all is as it should be.
fn says_what_to_do(table: &Table) -> bool {
    match table.stance() {
        Stance::Settled => table.occupied() == table.position().occupied(),
        Stance::InHand { missing } => missing.any(),
        Stance::HalfDone { fill, clear } | Stance::Disorder { fill, clear, .. } => (fill | clear).any(),
        Stance::Asking(squares) => squares.any(),
        Stance::Choosing { .. } | Stance::Chosen { .. } => true,
        // What rests is read, or the board is touched again.
        Stance::Arriving(_) => false,
    }
}

/// Lifts what does not belong, and places what does. What is read on the way may change what that is.
fn put_right(table: &mut Table) {
    for _ in 0..20 {
        let right = table.position().occupied();
        let wrong = table.occupied() ^ right;
        if wrong.is_empty() {
            return;
        }
        for square in wrong {
            table.touch(if right.has(square) { Place(square) } else { Lift(square) });
            table.wait(400);
        }
        table.wait(4000);
    }
}

#[test]
fn random_touches_give_only_legal_moves_and_can_be_corrected() {
    let mut chance = Chance(0x2545_f491_4f6c_dd1d);
    let mut read = 0;
    for position in positions::all() {
        for looking in [Looking::ForMoves, Looking::ForOwnMove, Looking::ForNothing] {
            for _ in 0..20 {
                let mut table = Table::looking(&position, looking);
                let mut touched = Bitboard::EMPTY;
                for _ in 0..80 {
                    touch_anything(&mut table, &mut touched, &mut chance);
                }
                put_right(&mut table);
                table.wait(4000);
                assert_eq!(table.stance(), Stance::Settled, "{} as {looking:?}", position.fen());
                read += table.read().len();
            }
        }
    }
    assert!(read > 0, "some of it must have made sense by chance");
}

#[test]
fn after_a_rest_the_lights_always_say_what_to_do() {
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    for position in positions::all() {
        for looking in [Looking::ForMoves, Looking::ForOwnMove, Looking::ForNothing] {
            let mut table = Table::looking(&position, looking);
            for _ in 0..20 {
                let mut touched = Bitboard::EMPTY;
                for _ in 0..=chance.below(12) {
                    touch_anything(&mut table, &mut touched, &mut chance);
                }
                table.wait(5000);
                let (stance, occupied) = (table.stance(), table.occupied());
                assert!(says_what_to_do(&table), "{} as {looking:?}, {occupied:?}: {stance:?}", table.position().fen());
            }
        }
    }
}

#[test]
fn an_expected_move_is_read_in_any_order_of_touches_once_the_pieces_stand() {
    let mut chance = Chance(0x2545_f491_4f6c_dd1d);
    for position in positions::all() {
        for &mv in &position.legal_moves() {
            let after = position.play(mv).expect("a legal move").occupied();
            let mut table = Table::looking(&position, for_this(mv));
            let mut touched = position.occupied() ^ after;
            for _ in 0..6 {
                touch_anything(&mut table, &mut touched, &mut chance);
            }
            for square in table.occupied() ^ after {
                table.touch(if after.has(square) { Place(square) } else { Lift(square) });
                table.wait(30);
            }
            table.wait(4000);
            let captures = position.is_capture(mv);
            assert!(table.position() != &position || captures, "{} {mv}: {:?}", position.fen(), table.stance());
        }
    }
}
