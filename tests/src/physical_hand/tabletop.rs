//! The pieces on and beside the board, their planned motions, and what the switches read.

use chess::{Bitboard, Color, Piece, Position, Role, Square};

use super::motion::Motion;
use super::physics::{self, Point, Quality, Reeds};
use crate::random::Random;

/// A piece and its magnet.
#[derive(Clone, Debug)]
pub(super) struct SimulatedPiece {
    pub(super) piece: Piece,
    /// What it was made as.
    original: Piece,
    strength: f32,
    at: Point,
    /// Where it will be after all planned motions, and from when on.
    planned: Point,
    free_from: u64,
}

/// Beside the board, out of the reach of any switch.
const BESIDE: f32 = -90.0;

/// The pieces, the motions of hands, and the switches below.
pub(super) struct Tabletop {
    reeds: Reeds,
    pieces: Vec<SimulatedPiece>,
    /// Positions and strengths, in the order of the pieces.
    magnets: Vec<(Point, f32)>,
    motions: Vec<Motion>,
    /// Which piece stands on each square after all planned motions.
    plan: [Option<usize>; 64],
    now: u64,
    random: Random,
}

impl Tabletop {
    /// A board with this position on it, and spare pieces beside it.
    pub(super) fn new(position: &Position, quality: Quality, sigma: f32, mut random: Random) -> Self {
        let mut pieces = Vec::new();
        let mut plan = [None; 64];
        for square in position.occupied() {
            let Some(piece) = position.piece_at(square) else { continue };
            plan[usize::from(square.index())] = Some(pieces.len());
            let (x, y) = (physics::normal(&mut random, sigma), physics::normal(&mut random, sigma));
            pieces.push((piece, Point::middle(square).shifted(x.clamp(-6.0, 6.0), y.clamp(-6.0, 6.0))));
        }
        for color in Color::ALL {
            for role in [Role::Queen, Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                pieces.push((Piece::new(color, role), Point { x: BESIDE, y: 0.0, z: 0.0 }));
            }
        }
        let is_pawn: Vec<bool> = pieces.iter().map(|(piece, _)| piece.role() == Role::Pawn).collect();
        let strengths = physics::magnets(quality, &is_pawn, &mut random);
        let reeds = Reeds::new(quality, &mut random);
        let pieces: Vec<SimulatedPiece> = pieces
            .into_iter()
            .zip(strengths)
            .map(|((piece, at), strength)| SimulatedPiece {
                piece,
                original: piece,
                strength,
                at,
                planned: at,
                free_from: 0,
            })
            .collect();
        let magnets = pieces.iter().map(|piece| (piece.at, piece.strength)).collect();
        let mut tabletop = Self { reeds, pieces, magnets, motions: Vec::new(), plan, now: 1_000, random };
        // Players put straight what the board does not see before they begin.
        for square in position.occupied() {
            tabletop.reeds.feel(square.into(), &tabletop.magnets, 0, &mut tabletop.random);
            if !tabletop.reeds.closed().has(square)
                && let Some(piece) = plan[usize::from(square.index())]
            {
                tabletop.put(piece, Point::middle(square));
                tabletop.reeds.feel(square.into(), &tabletop.magnets, 0, &mut tabletop.random);
            }
        }
        tabletop
    }

    pub(super) const fn now(&self) -> u64 {
        self.now
    }

    /// The switches that are closed, bounce aside.
    pub(super) const fn closed(&self) -> Bitboard {
        self.reeds.closed()
    }

    /// The piece that stands on a square after all planned motions.
    pub(super) const fn piece_on(&self, square: Square) -> Option<usize> {
        self.plan[square.index() as usize]
    }

    pub(super) fn piece(&self, piece: usize) -> &SimulatedPiece {
        &self.pieces[piece]
    }

    /// A piece of this kind beside the board.
    pub(super) fn spare(&self, piece: Piece) -> Option<usize> {
        (0..self.pieces.len()).find(|index| self.pieces[*index].piece == piece && !self.plan.contains(&Some(*index)))
    }

    /// A piece beside the board that was made as this one, also if it stands for another.
    pub(super) fn spare_carved(&self, piece: Piece) -> Option<usize> {
        (0..self.pieces.len()).find(|index| self.pieces[*index].original == piece && !self.plan.contains(&Some(*index)))
    }

    /// Plans that a piece stands on a square, or beside the board.
    pub(super) fn assign(&mut self, piece: usize, square: Option<Square>) {
        for slot in &mut self.plan {
            if *slot == Some(piece) {
                *slot = None;
            }
        }
        if let Some(square) = square {
            self.plan[usize::from(square.index())] = Some(piece);
        }
    }

    /// A motion of a piece from where it will be, not before it is free.
    pub(super) fn motion(&self, piece: usize, start: u64) -> Motion {
        let simulated = &self.pieces[piece];
        Motion::new(piece, simulated.planned, start.max(simulated.free_from).max(self.now + 1))
    }

    /// Plans a motion. Returns its end.
    pub(super) fn perform(&mut self, motion: Motion) -> u64 {
        let end = motion.end();
        let simulated = &mut self.pieces[motion.piece];
        simulated.planned = motion.destination();
        simulated.free_from = end;
        self.motions.push(motion);
        end
    }

    /// The piece stands for another one from now on, as a pawn that was promoted does.
    pub(super) fn relabel(&mut self, piece: usize, stands_for: Piece) {
        self.pieces[piece].piece = stands_for;
    }

    /// Every piece stands for itself again.
    pub(super) fn restore_labels(&mut self) {
        for simulated in &mut self.pieces {
            simulated.piece = simulated.original;
        }
    }

    /// Lets the last planned motion of a piece end at another point.
    pub(super) fn replan_end(&mut self, piece: usize, end: Point) {
        if let Some(motion) = self.motions.iter_mut().rev().find(|motion| motion.piece == piece) {
            motion.end_at(end);
            self.pieces[piece].planned = end;
        }
    }

    /// Whether no piece moves or will move, and no contact bounces.
    pub(super) fn is_still(&self) -> bool {
        self.motions.is_empty() && self.reeds.is_still()
    }

    /// Lets time pass in which nothing moves.
    pub(super) fn skip(&mut self, ms: u64) {
        self.now += ms;
    }

    /// The next millisecond: what a scan reads.
    pub(super) fn tick(&mut self) -> Bitboard {
        self.now += 1;
        let now = self.now;
        if !self.motions.is_empty() {
            let mut motions = std::mem::take(&mut self.motions);
            motions.retain_mut(|motion| {
                if motion.start > now {
                    return true;
                }
                let point = motion.at(now);
                self.put(motion.piece, point.unwrap_or(motion.destination()));
                point.is_some()
            });
            self.motions = motions;
        }
        self.reeds.read(now, &mut self.random)
    }

    fn put(&mut self, piece: usize, point: Point) {
        let simulated = &mut self.pieces[piece];
        if simulated.at == point {
            return;
        }
        let touched = physics::near(simulated.at) | physics::near(point);
        simulated.at = point;
        self.magnets[piece].0 = point;
        if touched.any() {
            self.reeds.feel(touched, &self.magnets, self.now, &mut self.random);
        }
    }

    /// A place beside the board, the nearer side.
    pub(super) fn beside(from: Point) -> Point {
        let x = if from.x < 4.0 * physics::PITCH { BESIDE } else { 8.0 * physics::PITCH - BESIDE };
        Point { x, y: from.y, z: 0.0 }
    }
}
