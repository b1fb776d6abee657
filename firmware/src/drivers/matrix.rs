//! A matrix of 64 reed switches on 16 wires.
//!
//! Each square has a reed and a diode in series, between the wire of its file and the wire of its rank; the diode lets
//! current flow from the file to the rank only (its ring points to the rank). All 16 wires are open-drain pins with
//! pull-ups: a pin either pulls its wire low or releases it, and then the pull-up raises it. A scan pulls one rank after the
//! other low; a file that goes low with it has a magnet on the square where they cross.
//!
//! Pins only pull low and never drive high, so no wiring fault can make two outputs drive against each other. Every wire
//! can be both pulled and read, so the board can diagnose its own wiring ([`Matrix::check`]).
//!
//! Low level: with a piece on every square of a rank, eight pull-ups of at least 30 kΩ send 0.9 mA through that rank's
//! pin. With 220 Ω in the wire, which save the pin if it ever touches 5 V, and 0.55 V across each diode, a file is at 0.75 V,
//! and a pin of a chip with 3.3 V reads everything below 1.0 V as low.
//!
//! Settling time, [`SETTLE_US`]: a wire that is pulled falls at once; one that is released is charged by its pull-up, of at
//! most 50 kΩ. A file has perhaps half a metre of wire (50 pF), eight diodes (4 pF each), a pin (5 pF), and neighbours
//! in a ribbon cable that double it: say 200 pF, and then 50 kΩ × 200 pF = 10 µs is the time in which it comes within a third
//! of 3.3 V. A file that was held at 0.75 V reads as high again from 2.3 V on, which is after one such time. Waiting for
//! three of them leaves room for longer wires, and eight ranks take 240 µs of the millisecond that a scan has.

use core::convert::Infallible;

use chess::Bitboard;
use embedded_hal::digital::{ErrorType, InputPin, OutputPin};
use embedded_hal_async::delay::DelayNs;

use super::wiring::{LINES, Wiring};
use crate::hal::Reeds;

/// Settling time of a wire after a change, in microseconds.
pub const SETTLE_US: u32 = 30;

/// An open-drain pin of the chip: it can pull low, release and read its wire, and none of that can fail.
pub trait Wire: InputPin + OutputPin + ErrorType<Error = Infallible> {}

impl<P: InputPin + OutputPin + ErrorType<Error = Infallible>> Wire for P {}

/// The reed matrix of a board.
pub struct Matrix<P, D> {
    ranks: [P; 8],
    files: [P; 8],
    delay: D,
}

impl<P: Wire, D: DelayNs> Matrix<P, D> {
    /// Ranks 1 to 8, and files a to h. All wires are released.
    pub fn new(ranks: [P; 8], files: [P; 8], delay: D) -> Self {
        let mut matrix = Self { ranks, files, delay };
        matrix.release_all();
        matrix
    }

    /// Tests the wiring: pulls every wire once, and reads which wires go low with it.
    ///
    /// A diode is tested only where a magnet closes its reed. So the builder runs this with no piece on the board, and then
    /// with eight pieces on one rank after the other: with more, several bad diodes would implicate good ones.
    pub async fn check(&mut self) -> Wiring {
        self.release_all();
        self.delay.delay_us(SETTLE_US).await;
        let idle = self.low_lines();
        let mut pulled = [0; LINES];
        for (line, low) in pulled.iter_mut().enumerate() {
            pull(self.line(line));
            self.delay.delay_us(SETTLE_US).await;
            *low = self.low_lines();
            release(self.line(line));
        }
        Wiring::diagnose(idle, &pulled)
    }

    /// Releases all wires. A scan that was cancelled may have left a rank pulled.
    fn release_all(&mut self) {
        self.ranks.iter_mut().chain(&mut self.files).for_each(release);
    }

    /// The wires that are low: ranks in the lower eight bits, files in the upper.
    fn low_lines(&mut self) -> u16 {
        u16::from_le_bytes([low(&mut self.ranks), low(&mut self.files)])
    }

    fn line(&mut self, line: usize) -> &mut P {
        let group = if line < 8 { &mut self.ranks } else { &mut self.files };
        &mut group[line % 8]
    }
}

impl<P: Wire, D: DelayNs> Reeds for Matrix<P, D> {
    async fn scan(&mut self) -> Bitboard {
        self.release_all();
        let mut occupied = [0; 8];
        for (rank, files) in self.ranks.iter_mut().zip(&mut occupied) {
            pull(rank);
            self.delay.delay_us(SETTLE_US).await;
            *files = low(&mut self.files);
            release(rank);
        }
        Bitboard(u64::from_le_bytes(occupied))
    }

    async fn check_wiring(&mut self) -> Option<Wiring> {
        Some(self.check().await)
    }
}

fn pull<P: Wire>(wire: &mut P) {
    let Ok(()) = wire.set_low();
}

fn release<P: Wire>(wire: &mut P) {
    let Ok(()) = wire.set_high();
}

/// Which of eight wires are low, the first in the lowest bit.
fn low<P: Wire>(wires: &mut [P; 8]) -> u8 {
    wires.iter_mut().rev().fold(0, |bits, wire| {
        let Ok(low) = wire.is_low();
        bits << 1 | u8::from(low)
    })
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::super::poll_once::poll_once;
    use super::*;

    /// Rise time of a wire in the model: a third of the settling time, as calculated above.
    const RISE_NS: u64 = 10_000;

    /// A model of wires, diodes, reeds and wiring faults.
    #[derive(Default)]
    struct Board {
        now: u64,
        pieces: u64,
        pulled: u16,
        /// When each wire was last held low.
        down: [Option<u64>; LINES],
        grounded: u16,
        stuck_high: u16,
        touching: Vec<(usize, usize)>,
        backwards: u64,
        bridged: u64,
        most_pulled: u32,
    }

    impl Board {
        /// The wires that are held low now.
        fn held(&self) -> u16 {
            let mut low = (self.pulled & !self.stuck_high) | self.grounded;
            loop {
                let before = low;
                let mut follow = |leader: usize, follower: usize| {
                    if low >> leader & 1 == 1 {
                        low |= 1 << follower;
                    }
                };
                for &(one, other) in &self.touching {
                    follow(one, other);
                    follow(other, one);
                }
                for square in (0..64).filter(|square| self.pieces >> square & 1 == 1) {
                    let (rank, file) = (square / 8, 8 + square % 8);
                    let is = |set: u64| set >> square & 1 == 1;
                    if is(self.bridged) || !is(self.backwards) {
                        follow(rank, file);
                    }
                    if is(self.bridged) || is(self.backwards) {
                        follow(file, rank);
                    }
                }
                if low == before {
                    return low;
                }
            }
        }

        /// Records the wires that are low. Called before every change, and before time advances.
        fn record(&mut self) {
            let held = self.held();
            for (line, down) in self.down.iter_mut().enumerate() {
                if held >> line & 1 == 1 {
                    *down = Some(self.now);
                }
            }
        }

        fn reads_low(&self, line: usize) -> bool {
            let rising = self.down[line].is_some_and(|down| self.now - down < RISE_NS);
            rising || self.held() >> line & 1 == 1
        }
    }

    type Shared = Rc<RefCell<Board>>;

    struct FakePin(Shared, usize);

    impl ErrorType for FakePin {
        type Error = Infallible;
    }

    impl OutputPin for FakePin {
        fn set_low(&mut self) -> Result<(), Infallible> {
            let mut board = self.0.borrow_mut();
            board.pulled |= 1 << self.1;
            board.most_pulled = board.most_pulled.max(board.pulled.count_ones());
            board.record();
            Ok(())
        }

        fn set_high(&mut self) -> Result<(), Infallible> {
            let mut board = self.0.borrow_mut();
            board.record();
            board.pulled &= !(1 << self.1);
            Ok(())
        }
    }

    impl InputPin for FakePin {
        fn is_high(&mut self) -> Result<bool, Infallible> {
            Ok(!self.0.borrow().reads_low(self.1))
        }

        fn is_low(&mut self) -> Result<bool, Infallible> {
            Ok(self.0.borrow().reads_low(self.1))
        }
    }

    struct FakeDelay(Shared);

    impl DelayNs for FakeDelay {
        async fn delay_ns(&mut self, ns: u32) {
            let mut board = self.0.borrow_mut();
            board.record();
            board.now += u64::from(ns);
        }
    }

    fn matrix(board: Board) -> (Matrix<FakePin, FakeDelay>, Shared) {
        let board = Rc::new(RefCell::new(board));
        let pins = |first| core::array::from_fn(|pin| FakePin(Rc::clone(&board), first + pin));
        (Matrix::new(pins(0), pins(8), FakeDelay(Rc::clone(&board))), board)
    }

    fn check(board: Board) -> String {
        let (mut matrix, _) = matrix(board);
        poll_once(matrix.check()).to_string()
    }

    /// All ranks, files and single squares, and random occupancies.
    fn occupancies() -> impl Iterator<Item = u64> {
        let lines = (0..8).flat_map(|line| [0xff << (8 * line), 0x0101_0101_0101_0101 << line]);
        let single = (0..64).map(|square| 1 << square);
        let mut state = 1_u64;
        let random = (0..200).map(move |_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state.rotate_left(17) ^ state
        });
        [0, !0, 0xffff_0000_0000_ffff].into_iter().chain(lines).chain(single).chain(random)
    }

    #[test]
    fn a_scan_sees_exactly_the_squares_with_a_magnet() {
        let (mut matrix, board) = matrix(Board::default());
        for pieces in occupancies() {
            board.borrow_mut().pieces = pieces;
            assert_eq!(poll_once(matrix.scan()), Bitboard(pieces));
        }
        assert_eq!(board.borrow().most_pulled, 1, "one wire at a time, or a scan would see ghosts");
        assert_eq!(board.borrow().pulled, 0);
    }

    #[test]
    fn a_scan_fits_into_a_millisecond_four_times() {
        let (mut matrix, board) = matrix(Board::default());
        poll_once(matrix.scan());
        assert!(board.borrow().now <= 250_000);
    }

    #[test]
    fn a_cancelled_scan_does_not_disturb_the_next_one() {
        let (mut matrix, board) = matrix(Board { pieces: 0xff, ..Board::default() });
        // As if the scan had been dropped at its first await.
        pull(matrix.line(0));
        board.borrow_mut().now += 1_000_000;
        assert_eq!(poll_once(matrix.scan()), Bitboard(0xff));
        drop(board);
    }

    #[test]
    fn good_wires_have_no_fault_in_any_position() {
        for pieces in occupancies() {
            assert_eq!(check(Board { pieces, ..Board::default() }), "all 16 wires are sound");
        }
    }

    #[test]
    fn finds_a_wire_shorted_to_ground() {
        assert_eq!(check(Board { grounded: 1 << 2, ..Board::default() }), "rank 3 touches ground");
        assert_eq!(check(Board { grounded: 1 << 12, pieces: !0, ..Board::default() }), "file e touches ground");
    }

    #[test]
    fn finds_a_wire_shorted_to_the_supply() {
        assert_eq!(
            check(Board { stuck_high: 1 << 8, ..Board::default() }),
            "file a cannot be pulled down: it touches 3.3 V or 5 V"
        );
    }

    #[test]
    fn finds_shorted_wires() {
        for pieces in [0, 1, 0xffff_0000_0000_ffff] {
            let touching = |one, other| check(Board { touching: vec![(one, other)], pieces, ..Board::default() });
            assert_eq!(touching(0, 1), "rank 1 touches rank 2");
            assert_eq!(touching(15, 10), "file c touches file h");
        }
        assert_eq!(
            check(Board { touching: vec![(3, 12)], ..Board::default() }),
            "e4: the diode is bridged, or rank 4 touches file e"
        );
    }

    #[test]
    fn finds_bad_diodes_where_a_piece_stands() {
        let e4 = 1 << 28;
        for bad in [Board { backwards: e4, ..Board::default() }, Board { bridged: e4, ..Board::default() }] {
            assert_eq!(check(bad), "all 16 wires are sound");
        }
        for pieces in [e4, 0xff << 24, !0] {
            assert_eq!(
                check(Board { backwards: e4, pieces, ..Board::default() }),
                "e4: the diode is the wrong way round"
            );
            assert_eq!(
                check(Board { bridged: e4, pieces, ..Board::default() }),
                "e4: the diode is bridged, or rank 4 touches file e"
            );
        }
    }

    #[test]
    fn diagnoses_any_mixture_of_diodes_on_one_rank() {
        // Five squares of the rank, each with any of the three kinds of diodes.
        for backwards in 0..32_u64 {
            for bridged in (0..32).filter(|bridged| bridged & backwards == 0) {
                let [pieces, backwards, bridged] = [0xff, backwards, bridged].map(|files| files << 24);
                let (mut matrix, _) = matrix(Board { pieces, backwards, bridged, ..Board::default() });
                let found = poll_once(matrix.check());
                assert_eq!(found, Wiring::of_diodes(Bitboard(backwards), Bitboard(bridged)));
            }
        }
    }

    #[test]
    fn squares_on_faulty_wires_are_reported() {
        let trouble = |board| {
            let (mut matrix, _) = matrix(board);
            poll_once(matrix.check()).squares()
        };
        assert_eq!(trouble(Board::default()), Bitboard::EMPTY);
        assert_eq!(trouble(Board { grounded: 1 << 1, ..Board::default() }), Bitboard(0xff00));
        assert_eq!(trouble(Board { touching: vec![(8, 9)], ..Board::default() }), Bitboard(0x0303_0303_0303_0303));
        assert_eq!(trouble(Board { bridged: 1 << 28, pieces: !0, ..Board::default() }), Bitboard(1 << 28));
    }
}
