//! Whole games, played by simulated hands on the brain of a board: what they meant beside what it read.

mod deed;
mod watching;

use std::ops::RangeInclusive;

use board::Looking;
use chess::{Color, Game, Move, Position, Square};

use super::chance::Chance;
use super::games::{FAMOUS, Famous, Source};
use super::gesture::{self, Gesture, View};
use super::habit::Habit;
use super::reeds::{self, Magnet};
use super::table::Table;
use super::tally::{Pace, Tally};
use super::way;
use deed::{Deed, Meant};

/// Games by chance end after so many moves, if they have not ended before.
const LONGEST: usize = 200;

/// Who sits at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// Both players.
    Shared,
    /// One player; the other's moves come from elsewhere, and are repeated on the wood.
    Alone(Color),
}

/// A game under way.
struct Sitting {
    number: u64,
    table: Table,
    manner: Manner,
    chance: Chance,
    /// The game that the hands play.
    meant: Box<Game>,
    /// The game that the board has read.
    read: Box<Game>,
    /// What the hands have done and the board has not read yet.
    unread: Vec<Deed>,
    /// Where the piece with the weak magnet stands when all is done that is under way.
    weak: Option<Square>,
    /// Whether there was one when the game began.
    magnets: Magnet,
    asked: u32,
    tally: Tally,
}

/// The game cannot go on; why is in the tally.
struct Stuck;

/// Plays the game of this number: which moves, who sits there, and every clumsiness follow from it.
#[must_use]
pub fn play(number: u64) -> Tally {
    let mut chance = Chance::new(number);
    let source = match chance.within(0..=9) {
        0 => Source::Famous(&FAMOUS[chance.number() as usize % FAMOUS.len()]),
        1..=5 => Source::Rich,
        _ => Source::Random,
    };
    sit_down(number, source, chance)
}

/// Plays a famous game again; who sits there, and every clumsiness follow from the number.
#[must_use]
pub fn replay(famous: &'static Famous, number: u64) -> Tally {
    sit_down(number, Source::Famous(famous), Chance::new(number))
}

fn sit_down(number: u64, source: Source, mut chance: Chance) -> Tally {
    let manner = match chance.within(0..=3) {
        0 => Manner::Alone(Color::White),
        1 => Manner::Alone(Color::Black),
        _ => Manner::Shared,
    };
    let start = Position::start();
    let weak = chance.happens(100).then(|| {
        let squares: Vec<Square> = start.occupied().squares().collect();
        chance.one_of(&squares)
    });
    let mut sitting = Sitting {
        number,
        table: Table::new(&start, weak),
        manner,
        chance,
        meant: Box::new(Game::new()),
        read: Box::new(Game::new()),
        unread: Vec::new(),
        weak,
        magnets: if weak.is_some() { Magnet::Weak } else { Magnet::Sound },
        asked: 0,
        tally: Tally { games: 1, ..Tally::default() },
    };
    sitting.settle(None);
    sitting.tally.wedged = u64::from(sitting.play(source).is_err());
    sitting.tally.flickers = sitting.table.flickers();
    sitting.tally
}

impl Sitting {
    fn play(&mut self, source: Source) -> Result<(), Stuck> {
        let mut early: Option<u64> = None;
        while self.meant.moves().len() < LONGEST
            && let Some(mv) = source.next(&self.meant, &mut self.chance)
        {
            let shared = self.manner == Manner::Shared;
            // A pawn that slid over the square where it is taken in passing may as well have been taken there.
            if self.meant.position().victim(mv).is_some_and(|victim| victim != mv.to()) && early.take().is_some() {
                self.finish()?;
            }
            if shared && early.is_none() && self.take_another_way(mv)? {
                continue;
            }
            let landed = self.make(mv, early.take())?;
            if let Some(landed) = landed
                && shared
                && self.unread.len() < 2
                && self.meant.outcome().is_none()
                && self.chance.happens(150)
            {
                // More than two moves that are not read yet are quicker than hands can be.
                early = Some(landed);
            } else {
                self.finish()?;
            }
        }
        self.finish()?;
        self.end()
    }

    /// Some moves are made by way of another reading: taken back and made again, or put right after a rest.
    fn take_another_way(&mut self, mv: Move) -> Result<bool, Stuck> {
        if !self.meant.moves().is_empty() && self.chance.happens(10) {
            self.take_back()?;
            return Ok(true);
        }
        // A rook that castles is put down in any case before the king follows.
        let castles = self.meant.position().castling_rook(mv).is_some();
        Ok(self.chance.happens(if castles { 150 } else { 20 }) && self.rest_on_the_way(mv)?)
    }

    /// When the next gesture begins: as people play, or in a hurry.
    fn next_start(&mut self) -> u64 {
        let pause = if self.chance.happens(200) { 20..=250 } else { 400..=1500 };
        self.table.now().max(self.table.last_touch()) + self.chance.within(pause)
    }

    /// Makes a move with a hand. Says when it landed, if the other player can see what it was.
    fn make(&mut self, mv: Move, early: Option<u64>) -> Result<Option<u64>, Stuck> {
        let position = *self.meant.position();
        if let Manner::Alone(color) = self.manner
            && position.turn() != color
        {
            self.see_the_move(mv)?;
        }
        let fresh = early.and(self.meant.moves().last()).map(|last| last.to());
        let start = match early {
            // The other player's fingers have to be off a piece before it can be taken.
            Some(landed) => landed + self.chance.within(if fresh == Some(mv.to()) { 80 } else { 0 }..=280),
            None => self.next_start(),
        };
        let view = View { fresh, ..self.view(&position) };
        let mut gesture = gesture::make(view, mv, start, &mut self.chance);
        if let Some(landed) = early {
            gesture.habits.push(Habit::EarlyAnswer);
            self.lift_sooner(&mut gesture, mv, landed);
            if let Some(deed) = self.unread.last_mut() {
                deed.pace = Pace::Answered;
            }
        }
        let pace = self.pace_of(mv, &gesture);
        self.meant.play(mv).expect("hands make legal moves");
        self.tally.moves += 1;
        self.does(&gesture, Meant::Move(mv), if early.is_some() { Pace::Answered } else { pace });
        Ok(gesture.answerable.then_some(gesture.landed))
    }

    /// An eager hand has the piece in the air before the other's move has landed.
    fn lift_sooner(&mut self, gesture: &mut Gesture, mv: Move, landed: u64) {
        let touched = gesture.touches.iter().filter(|touch| touch.square == mv.from()).count();
        let Some(first) = gesture.touches.first_mut() else { return };
        if first.square == mv.from() && touched == 1 && self.chance.happens(300) {
            first.at = landed - self.chance.within(10..=120);
            gesture.habits.push(Habit::LiftedBeforeLanding);
        }
    }

    /// A move has come from elsewhere, and is shown. A hand may make another one first, and undo it.
    fn see_the_move(&mut self, mv: Move) -> Result<(), Stuck> {
        self.wait(200..=1500)?;
        self.settle(Some(mv));
        let legal = self.meant.position().legal_moves();
        let other = self.chance.one_of(&legal);
        let same = (other.from(), other.to()) == (mv.from(), mv.to());
        // When a castling is undone, its rook may be where it was expected to go.
        let castles = self.meant.position().castling_rook(other).is_some();
        if self.chance.happens(30) && !same && !castles {
            let position = *self.meant.position();
            let start = self.next_start();
            let gesture = gesture::wrong_repeat(self.view(&position), other, start, &mut self.chance);
            self.count(&gesture.habits);
            self.touch(&gesture);
        }
        Ok(())
    }

    /// A slide that comes to rest on the way, or a rook that goes first and rests, is read as it lies, and put right when
    /// it goes on.
    fn rest_on_the_way(&mut self, mv: Move) -> Result<bool, Stuck> {
        let position = *self.meant.position();
        let (first, then, habit) = if let Some((from, to)) = position.castling_rook(mv) {
            (Move::new(from, to), (mv.from(), mv.to()), Habit::LateKing)
        } else {
            let path = way::between(mv.from(), mv.to());
            if path.is_empty() || mv.promotion().is_some() {
                return Ok(false);
            }
            let stop = self.chance.one_of(&path);
            (Move::new(mv.from(), stop), (stop, mv.to()), Habit::RestedOnTheWay)
        };
        if !position.is_legal(first) {
            return Ok(false);
        }
        let start = self.next_start();
        let mut gesture = gesture::slide_to(self.view(&position), first, start, &mut self.chance);
        gesture.habits.push(habit);
        let pace = self.pace_of(first, &gesture);
        self.meant.play(first).expect("hands make legal moves");
        self.does(&gesture, Meant::Move(first), pace);
        self.finish()?;
        if self.meant.outcome().is_some() {
            return Ok(true);
        }

        let start = self.next_start();
        let rested = *self.meant.position();
        let gesture = gesture::go_on(self.view(&rested), then.0, then.1, start, &mut self.chance);
        self.meant.take_back();
        self.meant.play(mv).expect("hands make legal moves");
        self.tally.moves += 1;
        let pace = if position.is_capture(mv) { Pace::RookRest } else { Pace::Rest };
        self.does(&gesture, Meant::Correction(mv), pace);
        self.finish()?;
        Ok(true)
    }

    fn take_back(&mut self) -> Result<(), Stuck> {
        let Some((earlier, last)) = before(&self.meant) else { return Ok(()) };
        let position = *self.meant.position();
        let start = self.next_start();
        let gesture = gesture::take_back(self.view(&position), &earlier, last, start, &mut self.chance);
        self.meant.take_back();
        self.does(&gesture, Meant::TakeBack, Pace::TakenBack);
        self.finish()
    }

    /// The game is over: sometimes the kings say so, and the pieces are set up again.
    fn end(&mut self) -> Result<(), Stuck> {
        let position = *self.meant.position();
        let start = self.next_start();
        if self.meant.outcome().is_none()
            && self.chance.happens(500)
            && let Some((gesture, result)) = gesture::kings(self.view(&position), start, &mut self.chance)
        {
            self.does(&gesture, Meant::Kings(result), Pace::Sign);
            self.finish()?;
            return Ok(());
        }
        self.table.settle(&position, before(&self.read), Looking::ForNothing);
        let start = self.next_start();
        if let Some(gesture) = gesture::set_up(self.view(&position), start, &mut self.chance) {
            self.does(&gesture, Meant::Start, Pace::Sign);
            self.finish()?;
        }
        Ok(())
    }

    fn view<'a>(&self, position: &'a Position) -> View<'a> {
        let last = self.meant.moves().last().copied();
        View { position, last, weak: self.weak, shared: self.manner == Manner::Shared, fresh: None }
    }

    fn count(&mut self, habits: &[Habit]) {
        for &habit in habits {
            *self.tally.habits.entry(habit).or_default() += 1;
        }
    }

    fn touch(&mut self, gesture: &Gesture) {
        self.weak = reeds::weak_after(self.weak, &gesture.touches);
        self.table.expect(&gesture.touches);
    }

    /// Hands do this, and mean that.
    fn does(&mut self, gesture: &Gesture, meant: Meant, pace: Pace) {
        self.count(&gesture.habits);
        self.touch(gesture);
        let last_touch = gesture.last_touch();
        let takes = match meant {
            Meant::Move(mv) | Meant::Correction(mv) => {
                before(&self.meant).is_some_and(|(earlier, _)| earlier.victim(mv) == Some(mv.to()))
            }
            Meant::TakeBack | Meant::Kings(_) | Meant::Start => false,
        };
        self.unread.push(Deed { meant, pace, last_touch, takes, habits: gesture.habits.clone() });
        self.asked = 0;
    }

    /// What the move that hands are about to make has to wait for.
    fn pace_of(&self, mv: Move, gesture: &Gesture) -> Pace {
        let position = self.meant.position();
        if gesture.has(Habit::PushedOff) || gesture.has(Habit::PushedUnseen) {
            return Pace::Pushed;
        }
        if matches!(self.manner, Manner::Alone(color) if color != position.turn()) {
            return Pace::AtOnce;
        }
        let legal = position.legal_moves();
        let castles = |other: &Move| position.castling_rook(*other) == Some((mv.from(), mv.to()));
        let slides_on =
            |other: &Move| other.from() == mv.from() && way::between(other.from(), other.to()).contains(&mv.to());
        if legal.iter().any(castles) {
            Pace::RookRest
        } else if !position.is_capture(mv) && legal.iter().any(slides_on) {
            Pace::Rest
        } else {
            Pace::AtOnce
        }
    }

    /// Time passes in which nobody moves anything.
    fn wait(&mut self, milliseconds: RangeInclusive<u64>) -> Result<(), Stuck> {
        let until = self.table.now() + self.chance.within(milliseconds);
        while self.table.now() < until {
            self.tick()?;
        }
        Ok(())
    }
}

/// The position before the last move, and the move.
fn before(game: &Game) -> Option<(Position, Move)> {
    let (&last, earlier) = game.moves().split_last()?;
    let position = earlier.iter().try_fold(*game.start(), |position, &mv| position.play(mv)).ok()?;
    Some((position, last))
}
