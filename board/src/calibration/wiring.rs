use chess::{Bitboard, Square};

use super::calibrator::{Calibrator, Progress};
use super::{Calibration, CalibrationScope, LightLayout};
use crate::lights::{Frame, LightSettings, Meaning, Scene};
use crate::time::Instant;

/// How wires map to squares, and the calibration that is running.
#[derive(Clone, Debug)]
pub(crate) struct Wiring {
    calibration: Calibration,
    calibrator: Option<Calibrator>,
    /// Wired positions at which the test of the wires found a fault.
    faulty: Bitboard,
    /// The last prompt or result of a calibration, for `calibrate status`.
    status: &'static str,
    /// The next scan replaces the state of the switches, instead of being read as a change.
    takes_next_scan: bool,
    /// The lights must be shown again: a step has begun, or the calibration has ended.
    is_relit: bool,
}

/// What a scan of the wires means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WiredScan {
    /// The squares whose switches are closed.
    Squares(Bitboard),
    /// The same, as the state of all switches: what was touched before was no move.
    Reset(Bitboard),
    /// The calibration goes on.
    Calibrating,
    /// The calibration has reached its next step, or has ended without a result.
    NextStep(&'static str),
    /// The calibration has ended with a result, which must be stored.
    Done(&'static str),
}

impl Wiring {
    pub(crate) const fn new(calibration: Calibration) -> Self {
        Self {
            calibration,
            calibrator: None,
            faulty: Bitboard::EMPTY,
            status: "calibrate: not running",
            takes_next_scan: false,
            is_relit: false,
        }
    }

    pub(crate) const fn calibration(&self) -> Calibration {
        self.calibration
    }

    pub(crate) const fn set_faulty_positions(&mut self, wired: Bitboard) {
        self.faulty = wired;
    }

    /// The squares of the faulty positions.
    pub(crate) fn faulty_squares(&self) -> Bitboard {
        self.calibration.switches.squares(self.faulty)
    }

    /// Whether scans are no moves now, because a calibration runs.
    pub(crate) const fn is_calibrating(&self) -> bool {
        self.calibrator.is_some()
    }

    pub(crate) const fn status(&self) -> &'static str {
        self.status
    }

    /// Starts a calibration, and returns its first prompt.
    pub(crate) fn start(&mut self, scope: CalibrationScope, now: Instant) -> &'static str {
        let calibrator = Calibrator::new(scope, self.calibration, now.milliseconds());
        self.status = calibrator.prompt();
        self.calibrator = Some(calibrator);
        self.is_relit = true;
        self.status
    }

    /// Ends a running calibration with this result.
    pub(crate) const fn end(&mut self, calibration: Calibration, status: &'static str) {
        self.calibrator = None;
        self.calibration = calibration;
        self.status = status;
        self.takes_next_scan = true;
        self.is_relit = true;
    }

    /// Takes a scan of the wires.
    pub(crate) fn scan(&mut self, wired: Bitboard, now: Instant) -> WiredScan {
        let Some(calibrator) = &mut self.calibrator else {
            let squares = self.calibration.switches.squares(wired);
            let is_reset = core::mem::take(&mut self.takes_next_scan);
            return if is_reset { WiredScan::Reset(squares) } else { WiredScan::Squares(squares) };
        };
        match calibrator.scan(wired, now.milliseconds()) {
            Progress::Waiting => WiredScan::Calibrating,
            Progress::NextStep => {
                self.status = calibrator.prompt();
                self.is_relit = true;
                WiredScan::NextStep(self.status)
            }
            Progress::Done(calibration) => {
                self.end(calibration, "calibrate: done, and stored");
                WiredScan::Done(self.status)
            }
            Progress::Failed(reason) => {
                self.end(self.calibration, reason);
                WiredScan::NextStep(reason)
            }
        }
    }

    /// The frame to show, given what the game shows and whether that has changed. A running calibration shows its own light.
    pub(crate) fn frame(&mut self, shown: &Frame, is_new: bool, settings: LightSettings) -> Option<Frame> {
        let is_relit = core::mem::take(&mut self.is_relit);
        match &self.calibrator {
            None => (is_relit || is_new).then_some(*shown),
            Some(calibrator) => is_relit.then(|| {
                let position = calibrator.light().and_then(|light| u8::try_from(light).ok());
                let lit = position.map_or(Bitboard::EMPTY, |position| Bitboard::of(Square::from_index(position)));
                Scene::EMPTY.with(Meaning::Lifted, lit).frame(0, settings)
            }),
        }
    }

    /// How the lights are wired that show the frame.
    pub(crate) const fn layout(&self) -> LightLayout {
        if self.calibrator.is_some() { LightLayout::BY_POSITION } else { self.calibration.lights }
    }
}
