//! Fields of magnets, and reed switches with tolerances, hysteresis and bounce.

use chess::{Bitboard, Square};

use crate::random::Random;

/// The side of a square, in millimetres.
pub(super) const PITCH: f32 = 50.0;

/// The distance from a magnet to the plane of the reeds when its piece stands on the wood: wood, felt and half the magnet, in
/// millimetres.
const DEPTH: f32 = 8.0;

/// The field in which an average reed closes, where 1 is the field of an average magnet right above it.
const CLOSES: f32 = 0.12;

/// Magnets farther away than this do not count: their field is below a thirtieth of what any reed needs.
const REACH: f32 = 45.0;

/// A point in space, in millimetres: along the ranks, along the files, and above the wood.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Point {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) z: f32,
}

impl Point {
    /// The middle of a square, on the wood.
    pub(super) fn middle(square: Square) -> Self {
        let at = |index: u8| (f32::from(index) + 0.5) * PITCH;
        Self { x: at(square.file().index()), y: at(square.rank().index()), z: 0.0 }
    }

    /// The point above or below this one.
    pub(super) const fn at_height(self, z: f32) -> Self {
        Self { z, ..self }
    }

    /// The point so far away along the board.
    pub(super) fn shifted(self, x: f32, y: f32) -> Self {
        Self { x: self.x + x, y: self.y + y, z: self.z }
    }

    /// The distance along the board.
    pub(super) fn distance(self, other: Self) -> f32 {
        ((self.x - other.x).powi(2) + (self.y - other.y).powi(2)).sqrt()
    }
}

/// How well the parts of a board are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quality {
    /// Every part is as its data sheet says, and in its place.
    Nominal,
    /// Parts have the tolerances of parts that are bought.
    Realistic,
}

/// A reed switch.
#[derive(Clone, Copy, Debug)]
struct Reed {
    at: Point,
    closes: f32,
    opens: f32,
}

/// The reed switches of a board.
#[derive(Clone, Debug)]
pub(super) struct Reeds {
    switches: [Reed; 64],
    closed: Bitboard,
    /// Contacts that bounce, and until when.
    bouncing: Vec<(Square, u64)>,
}

impl Reeds {
    pub(super) fn new(quality: Quality, random: &mut Random) -> Self {
        let mut reeds = [Reed { at: Point::default(), closes: CLOSES, opens: CLOSES * 0.6 }; 64];
        for square in Square::all() {
            let middle = Point::middle(square);
            reeds[usize::from(square.index())] = match quality {
                Quality::Nominal => Reed { at: middle, closes: CLOSES, opens: CLOSES * 0.6 },
                Quality::Realistic => {
                    let closes = CLOSES * between(random, 0.7, 1.4);
                    let (off, angle) = (between(random, 0.0, 4.0), between(random, 0.0, std::f32::consts::TAU));
                    let at = middle.shifted(off * angle.cos(), off * angle.sin());
                    Reed { at, closes, opens: closes * between(random, 0.5, 0.75) }
                }
            };
        }
        Self { switches: reeds, closed: Bitboard::EMPTY, bouncing: Vec::new() }
    }

    /// Whether every contact is at rest.
    pub(super) fn is_still(&self) -> bool {
        self.bouncing.is_empty()
    }

    /// Evaluates the fields at these squares again, for magnets at these points with these strengths.
    pub(super) fn feel(&mut self, squares: Bitboard, magnets: &[(Point, f32)], now: u64, random: &mut Random) {
        for square in squares {
            let reed = &self.switches[usize::from(square.index())];
            let field: f32 = magnets.iter().map(|&(at, strength)| strength * field(reed.at, at)).sum();
            let was = self.closed.has(square);
            let is = field >= if was { reed.opens } else { reed.closes };
            if is != was {
                self.closed ^= Bitboard::of(square);
                self.bouncing.retain(|&(other, _)| other != square);
                self.bouncing.push((square, now + random.within(0..=3)));
            }
        }
    }

    /// What a scan reads.
    pub(super) fn read(&mut self, now: u64, random: &mut Random) -> Bitboard {
        let mut read = self.closed;
        if !self.bouncing.is_empty() {
            self.bouncing.retain(|&(_, until)| until > now);
            for &(square, _) in &self.bouncing {
                if random.happens(500) {
                    read ^= Bitboard::of(square);
                }
            }
        }
        read
    }

    /// The contacts as they are without bounce.
    pub(super) const fn closed(&self) -> Bitboard {
        self.closed
    }
}

/// The field of an average magnet: it falls with the third power of the distance.
fn field(reed: Point, magnet: Point) -> f32 {
    let (x, y) = (magnet.x - reed.x, magnet.y - reed.y);
    if x.abs() > REACH || y.abs() > REACH {
        return 0.0;
    }
    let height = magnet.z + DEPTH;
    let nearness = DEPTH * DEPTH / (x * x + y * y + height * height);
    nearness * nearness.sqrt()
}

/// The squares whose reeds may feel a magnet here.
pub(super) fn near(point: Point) -> Bitboard {
    const FELT: f32 = 24.9;
    let mut squares = Bitboard::EMPTY;
    if point.z > 40.0 {
        return squares;
    }
    let cell = |low: f32| (low / PITCH).floor();
    let (first_file, last_file) = (cell(point.x - FELT).max(0.0), cell(point.x + FELT).min(7.0));
    let (first_rank, last_rank) = (cell(point.y - FELT).max(0.0), cell(point.y + FELT).min(7.0));
    let mut file = first_file;
    while file <= last_file {
        let mut rank = first_rank;
        while rank <= last_rank {
            squares |= Bitboard::of(square_at(file, rank));
            rank += 1.0;
        }
        file += 1.0;
    }
    squares
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "both are from 0 to 7")]
fn square_at(file: f32, rank: f32) -> Square {
    Square::from_index(rank as u8 * 8 + file as u8)
}

/// The strengths of the magnets of a set of pieces: pawns have smaller ones, and in some sets one is too weak.
pub(super) fn magnets(quality: Quality, is_pawn: &[bool], random: &mut Random) -> Vec<f32> {
    let mut strengths: Vec<f32> = is_pawn.iter().map(|pawn| if *pawn { 0.85 } else { 1.0 }).collect();
    if quality == Quality::Realistic {
        for strength in &mut strengths {
            *strength *= between(random, 0.88, 1.12);
        }
        if random.happens(150) {
            let weak = usize::try_from(random.number()).unwrap_or(0) % strengths.len();
            strengths[weak] = between(random, 0.35, 0.55);
        }
    }
    strengths
}

/// A number between two others, evenly spread.
pub(super) fn between(random: &mut Random, low: f32, high: f32) -> f32 {
    #[expect(clippy::cast_possible_truncation, reason = "a fraction needs no more digits")]
    let fraction = random.fraction() as f32;
    low + (high - low) * fraction
}

/// A normally distributed number around 0.
pub(super) fn normal(random: &mut Random, sigma: f32) -> f32 {
    let sum: f32 = (0..12).map(|_| between(random, 0.0, 1.0)).sum();
    (sum - 6.0) * sigma
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest height and the largest offset at which a single magnet of this strength is seen when it comes near.
    fn reach(strength: f32) -> (f32, f32) {
        let mut random = Random::new(1);
        let reeds = Reeds::new(Quality::Nominal, &mut random);
        let middle = Point::middle(Square::E4);
        let seen = |at: Point| {
            let mut reeds = reeds.clone();
            reeds.feel(Square::E4.into(), &[(at, strength)], 0, &mut Random::new(1));
            reeds.closed().any()
        };
        let far = |place: &dyn Fn(f32) -> Point| {
            (0..400_u16).map(|step| f32::from(step) / 10.0).take_while(|&step| seen(place(step))).last()
        };
        (far(&|z| middle.at_height(z)).unwrap_or(-1.0), far(&|x| middle.shifted(x, 0.0)).unwrap_or(-1.0))
    }

    #[test]
    fn a_magnet_is_seen_ten_millimetres_off_and_not_on_the_next_square() {
        let (height, offset) = reach(1.0);
        assert!((7.0..10.0).contains(&height), "seen {height} mm above the wood");
        assert!((10.0..18.0).contains(&offset), "seen {offset} mm off the middle");
        let (weak_height, weak_offset) = reach(0.4);
        assert!(weak_height < height && weak_offset < offset && weak_offset > 0.0, "{weak_height}, {weak_offset}");
    }

    #[test]
    fn a_reed_lets_go_later_than_it_closes() {
        let mut random = Random::new(1);
        let mut reeds = Reeds::new(Quality::Nominal, &mut random);
        let middle = Point::middle(Square::E4);
        let mut closed_at = |z: f32, reeds: &mut Reeds| {
            reeds.feel(Square::E4.into(), &[(middle.at_height(z), 1.0)], 0, &mut random);
            reeds.closed().any()
        };
        assert!(!closed_at(9.5, &mut reeds), "too high to close");
        assert!(closed_at(7.0, &mut reeds), "low enough to close");
        assert!(closed_at(9.5, &mut reeds), "the same height holds it closed");
        assert!(!closed_at(14.0, &mut reeds), "too high to hold it");
    }

    #[test]
    fn only_reeds_that_can_feel_a_magnet_are_evaluated() {
        assert_eq!(near(Point::middle(Square::E4)), Square::E4.into());
        assert_eq!(near(Point::middle(Square::E4).at_height(50.0)), Bitboard::EMPTY);
        assert_eq!(near(Point::middle(Square::E4).shifted(20.0, 20.0)).count(), 4);
        assert_eq!(near(Point::middle(Square::A1).shifted(-60.0, 0.0)), Bitboard::EMPTY);
    }
}
