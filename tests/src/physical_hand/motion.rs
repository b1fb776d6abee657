//! Trajectories: legs with minimum jerk, as arms move.

use super::physics::Point;

/// A part of a motion: to a point, in a number of milliseconds, with minimum jerk. A leg to where the piece is already is a pause.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    to: Point,
    ms: u64,
}

/// The planned motion of one piece.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    pub(super) piece: usize,
    pub(super) start: u64,
    from: Point,
    legs: Vec<Leg>,
    /// The leg in progress, and when it began.
    current: usize,
    leg_start: u64,
    leg_from: Point,
}

impl Motion {
    /// A motion of a piece that will be here at the start.
    pub(super) const fn new(piece: usize, from: Point, start: u64) -> Self {
        Self { piece, start, from, legs: Vec::new(), current: 0, leg_start: start, leg_from: from }
    }

    /// Goes on to a point.
    pub(super) fn go(&mut self, to: Point, ms: u64) -> &mut Self {
        self.legs.push(Leg { to, ms: ms.max(1) });
        self
    }

    /// Stays where it is.
    pub(super) fn pause(&mut self, ms: u64) -> &mut Self {
        let here = self.destination();
        self.go(here, ms)
    }

    /// Where it ends.
    pub(super) fn destination(&self) -> Point {
        self.legs.last().map_or(self.from, |leg| leg.to)
    }

    /// When it ends.
    pub(super) fn end(&self) -> u64 {
        self.start + self.legs.iter().map(|leg| leg.ms).sum::<u64>()
    }

    /// Ends at another point than planned.
    pub(super) fn end_at(&mut self, end: Point) {
        if let Some(leg) = self.legs.last_mut() {
            leg.to = end;
        }
    }

    /// Where the piece is at this moment; `None` after the end. Moments must not go back.
    pub(super) fn at(&mut self, now: u64) -> Option<Point> {
        while let Some(leg) = self.legs.get(self.current) {
            let passed = now.saturating_sub(self.leg_start);
            if passed < leg.ms {
                return Some(minimum_jerk(self.leg_from, leg.to, passed, leg.ms));
            }
            self.leg_start += leg.ms;
            self.leg_from = leg.to;
            self.current += 1;
        }
        None
    }
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of a motion fit")]
fn minimum_jerk(from: Point, to: Point, passed: u64, whole: u64) -> Point {
    let t = passed as f32 / whole as f32;
    let s = t * t * t * (10.0 + t * (6.0 * t - 15.0));
    Point { x: from.x + (to.x - from.x) * s, y: from.y + (to.y - from.y) * s, z: from.z + (to.z - from.z) * s }
}

#[cfg(test)]
mod tests {
    use chess::Square;

    use super::*;

    #[test]
    fn a_motion_starts_and_ends_at_rest() {
        let (from, to) = (Point::middle(Square::A1), Point::middle(Square::A3));
        let mut motion = Motion::new(0, from, 100);
        motion.go(to, 200).pause(50);
        assert_eq!((motion.end(), motion.destination()), (350, to));
        let speeds: Vec<f32> = (100..300)
            .map(|now| motion.at(now).expect("it moves").y)
            .collect::<Vec<_>>()
            .windows(2)
            .map(|pair| pair[1] - pair[0])
            .collect();
        let fastest = speeds.iter().copied().fold(0.0, f32::max);
        assert!(speeds[0] < fastest / 50.0 && speeds[198] < fastest / 50.0, "it speeds up and slows down");
        assert!(speeds.iter().all(|&speed| speed >= -0.001), "it never goes back");
        assert_eq!(motion.at(320), Some(to));
        assert_eq!(motion.at(350), None);
    }
}
