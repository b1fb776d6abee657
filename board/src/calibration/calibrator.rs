use chess::Bitboard;

use super::matrix::{MatrixWiring, file, rank};
use super::{Calibration, Chain, LightLayout, Symmetry};

/// Milliseconds that a single switch must be closed to count as touched.
const REST_MS: u64 = 500;

/// Milliseconds that the board must be empty before. It is longer than a switch bounces, and shorter than a hand needs.
const EMPTY_MS: u64 = 10;

/// Milliseconds without a touch after which the calibration is given up.
const TIMEOUT_MS: u64 = 60_000;

/// Squares that are touched for the switches: the diagonal has every wire once, and h1 distinguishes files from ranks.
const SQUARES: [u8; 9] = [0, 9, 18, 27, 36, 45, 54, 63, 7];

/// How many of them are on the diagonal.
const DIAGONAL: usize = 8;

/// Why no wiring explains the touches.
const NO_WIRING: &str = "calibrate: two squares of the diagonal answer on the same wire, or h1 on a third one: another square was touched, or two wires touch, which `selftest` shows";

/// Positions in the chain of the lights that are lit one after the other: the ends of the first row, and the begin of the second.
const LIGHTS: [usize; 3] = [0, 7, 8];

/// Steps of a whole calibration.
const STEPS: usize = SQUARES.len() + LIGHTS.len();

/// The parts of a calibration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum CalibrationScope {
    SwitchesAndLights,
    Switches,
    Lights,
}

/// The result of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Nothing has changed.
    Waiting,
    /// The next step has begun; [`Calibrator::prompt`] describes it.
    NextStep,
    /// The wiring is known.
    Done(Calibration),
    /// The calibration has ended without a result; the text says why.
    Failed(&'static str),
}

/// The state machine of a calibration. Each step waits for an empty board, and then for one piece on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Calibrator {
    calibration: Calibration,
    scope: CalibrationScope,
    step: usize,
    touched: [u8; STEPS],
    /// The board was empty since the step began.
    is_cleared: bool,
    last: Bitboard,
    last_changed_ms: u64,
    step_began_ms: u64,
}

impl Calibrator {
    /// Starts from the current wiring.
    #[must_use]
    pub(super) const fn new(scope: CalibrationScope, calibration: Calibration, now_ms: u64) -> Self {
        Self {
            calibration,
            scope,
            step: match scope {
                CalibrationScope::SwitchesAndLights | CalibrationScope::Switches => 0,
                CalibrationScope::Lights => SQUARES.len(),
            },
            touched: [0; STEPS],
            is_cleared: false,
            last: Bitboard::EMPTY,
            last_changed_ms: now_ms,
            step_began_ms: now_ms,
        }
    }

    /// The instruction of this step.
    #[must_use]
    pub(super) const fn prompt(&self) -> &'static str {
        match self.step {
            0 => "calibrate: remove all pieces, and put one piece on a1",
            1 => "calibrate: lift the piece, and put it on b2",
            2 => "calibrate: lift the piece, and put it on c3",
            3 => "calibrate: lift the piece, and put it on d4",
            4 => "calibrate: lift the piece, and put it on e5",
            5 => "calibrate: lift the piece, and put it on f6",
            6 => "calibrate: lift the piece, and put it on g7",
            7 => "calibrate: lift the piece, and put it on h8",
            8 => "calibrate: lift the piece, and put it on h1",
            9 => "calibrate: remove all pieces, and put one piece on the square that is lit",
            _ => "calibrate: lift the piece, and put it on the square that is lit now",
        }
    }

    /// The position in the chain of the light that is lit in this step.
    #[must_use]
    pub(super) fn light(&self) -> Option<usize> {
        LIGHTS.get(self.step.checked_sub(SQUARES.len())?).copied()
    }

    /// Processes a scan of the wired positions.
    pub(super) fn scan(&mut self, wired: Bitboard, now_ms: u64) -> Progress {
        if wired != self.last {
            self.last = wired;
            self.last_changed_ms = now_ms;
        }
        if now_ms.saturating_sub(self.step_began_ms) > TIMEOUT_MS {
            return Progress::Failed("calibrate: given up after a minute without a piece; nothing has changed");
        }
        let unchanged_ms = now_ms.saturating_sub(self.last_changed_ms);
        match wired.0.count_ones() {
            0 if unchanged_ms >= EMPTY_MS => self.is_cleared = true,
            1 if self.is_cleared && unchanged_ms >= REST_MS => {
                return self.touch(wired.0.trailing_zeros() as u8, now_ms);
            }
            _ => {}
        }
        Progress::Waiting
    }

    /// One piece is on the board.
    fn touch(&mut self, wired: u8, now_ms: u64) -> Progress {
        let earlier = self.touched.get(..self.step).unwrap_or_default();
        let shares_a_wire = |other: &u8| file(*other) == file(wired) || rank(*other) == rank(wired);
        if self.step < DIAGONAL && earlier.iter().any(shares_a_wire) {
            return Progress::Failed(NO_WIRING);
        }
        if let Some(touched) = self.touched.get_mut(self.step) {
            *touched = wired;
        }
        self.step = self.step.saturating_add(1);
        self.is_cleared = false;
        self.step_began_ms = now_ms;
        if self.step == SQUARES.len() {
            let [a1, b2, c3, d4, e5, f6, g7, h8, h1, ..] = self.touched;
            let Some(switches) = MatrixWiring::find([a1, b2, c3, d4, e5, f6, g7, h8], h1) else {
                return Progress::Failed(NO_WIRING);
            };
            self.calibration.switches = switches;
            if self.scope == CalibrationScope::Switches {
                return Progress::Done(self.calibration);
            }
        }
        if self.step == STEPS {
            let [.., first, end_of_row, next] = self.touched.map(|wired| self.calibration.switches.square(wired));
            return match find_layout(first, end_of_row, next) {
                Some(lights) => Progress::Done(Calibration { lights, ..self.calibration }),
                None => Progress::Failed(
                    "calibrate: the lights are neither a serpentine nor straight rows that begin in a corner",
                ),
            };
        }
        Progress::NextStep
    }
}

/// The layout in which the lights 0, 7 and 8 of the chain are at these squares.
fn find_layout(first: u8, end_of_row: u8, next: u8) -> Option<LightLayout> {
    [Chain::Serpentine, Chain::Straight].into_iter().find_map(|chain| {
        let layouts = Symmetry::ALL.map(|symmetry| LightLayout { chain, symmetry });
        let touched = [first, end_of_row, next].map(usize::from);
        layouts.into_iter().find(|layout| LIGHTS.map(|light| layout.square(light)) == touched)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An owner who follows the instructions on a board with this wiring.
    fn calibrate(scope: CalibrationScope, wiring: Calibration, known: Calibration) -> Progress {
        let mut squares = SQUARES.into_iter();
        touch(Calibrator::new(scope, known, 0), |light| match light {
            Some(light) => wiring.switches.wired(Bitboard(1 << wiring.lights.square(light))),
            None => wiring.switches.wired(Bitboard(1 << squares.next().expect("as many squares as steps"))),
        })
    }

    /// Puts a piece on the wired position that `next` chooses, until the calibration ends.
    fn touch(mut calibrator: Calibrator, mut next: impl FnMut(Option<usize>) -> Bitboard) -> Progress {
        let mut now = 0;
        loop {
            let piece = next(calibrator.light());
            for wired in [Bitboard::EMPTY, piece] {
                for _ in 0..=REST_MS {
                    now += 1;
                    match calibrator.scan(wired, now) {
                        Progress::Waiting | Progress::NextStep => {}
                        end => return end,
                    }
                }
            }
        }
    }

    #[test]
    fn the_prompts_name_the_squares() {
        let mut calibrator = Calibrator::new(CalibrationScope::Switches, Calibration::DEFAULT, 0);
        for square in SQUARES {
            let name = std::format!("on {}", chess::Square::from_index(square));
            assert!(calibrator.prompt().ends_with(&name), "{name}");
            calibrator.step += 1;
        }
    }

    #[test]
    fn finds_every_wiring() {
        for switches in Symmetry::ALL.map(MatrixWiring::from) {
            for symmetry in Symmetry::ALL {
                for chain in [Chain::Straight, Chain::Serpentine] {
                    let wiring = Calibration { switches, lights: LightLayout { chain, symmetry } };
                    let done = calibrate(CalibrationScope::SwitchesAndLights, wiring, Calibration::DEFAULT);
                    assert_eq!(done, Progress::Done(wiring));
                }
            }
        }
    }

    /// File c is in the hole of file d, and ranks 4, 5 and 6 go round: all corners answer as they should.
    #[test]
    fn finds_inner_wires_that_are_exchanged() {
        let place = |wired: u8| {
            let file = [0, 1, 3, 2, 4, 5, 6, 7][usize::from(file(wired))];
            let rank = [0, 1, 2, 4, 5, 3, 6, 7][usize::from(rank(wired))];
            rank << 3 | file
        };
        let mut squares = SQUARES.into_iter();
        let done = touch(Calibrator::new(CalibrationScope::Switches, Calibration::DEFAULT, 0), |_| {
            let square = squares.next().expect("as many squares as steps");
            Bitboard(1 << (0..64).find(|&wired| place(wired) == square).expect("every square has its wires"))
        });
        let Progress::Done(found) = done else { panic!("{done:?}") };
        assert!((0..64).all(|wired| found.switches.square(wired) == place(wired)), "{found:?}");
    }

    #[test]
    fn a_part_keeps_the_other_one() {
        let other = LightLayout { chain: Chain::Straight, symmetry: Symmetry::from_bits(5) };
        let wiring = Calibration { switches: Symmetry::from_bits(3).into(), lights: other };
        let known = Calibration { switches: wiring.switches, ..Calibration::DEFAULT };
        assert_eq!(calibrate(CalibrationScope::Lights, wiring, known), Progress::Done(wiring));
        let known = Calibration { lights: other, ..Calibration::DEFAULT };
        assert_eq!(calibrate(CalibrationScope::Switches, wiring, known), Progress::Done(wiring));
    }

    #[test]
    fn a_piece_that_passes_or_a_second_piece_is_ignored() {
        let mut calibrator = Calibrator::new(CalibrationScope::Switches, Calibration::DEFAULT, 0);
        let mut scan = |squares: u64, milliseconds: std::ops::Range<u64>| {
            milliseconds
                .map(|now| calibrator.scan(Bitboard(squares), now))
                .find(|progress| *progress != Progress::Waiting)
        };
        // A piece that stood there before does not count, nor does one that passes, nor two at once.
        assert_eq!(scan(1, 0..1_000), None);
        assert_eq!(scan(0, 1_000..2_000), None);
        assert_eq!(scan(2, 2_000..2_400), None);
        assert_eq!(scan(3, 2_400..4_000), None);
        assert_eq!(scan(1, 4_000..5_000), Some(Progress::NextStep));
    }

    #[test]
    fn squares_that_no_wiring_explains_are_an_error() {
        // Twice on one file; on the diagonal, but then b1 instead of h1.
        for touched in [&[0_u8, 8][..], &[0, 9, 18, 27, 36, 45, 54, 63, 1]] {
            let mut squares = touched.iter();
            let last = touch(Calibrator::new(CalibrationScope::Switches, Calibration::DEFAULT, 0), |_| {
                Bitboard(1 << squares.next().expect("an error before the end"))
            });
            assert!(matches!(last, Progress::Failed(text) if text.contains("the same wire")), "{last:?}");
        }
    }

    #[test]
    fn gives_up_after_a_minute() {
        let mut calibrator = Calibrator::new(CalibrationScope::Lights, Calibration::DEFAULT, 5);
        assert_eq!(calibrator.scan(Bitboard::EMPTY, TIMEOUT_MS), Progress::Waiting);
        assert!(matches!(calibrator.scan(Bitboard::EMPTY, TIMEOUT_MS + 6), Progress::Failed(_)));
    }
}
