//! Whole games by simulated hands on the board's move detection; compares intended and read moves.

mod action;
mod checking;

use std::ops::RangeInclusive;

use board::Looking;
use chess::{Color, Game, Move, Position, Role, Square};

use super::behaviour::Behaviour;
use super::counters::{DelayClass, HandCounters};
use super::games::{FAMOUS, FamousGame, Source};
use super::geometry;
use super::gesture::{self, Gesture, HandView};
use super::reeds::{self, Magnet};
use super::scanned_board::ScannedBoard;
use crate::random::Random;
use action::{Intent, PendingAction};

/// Length after which a game is ended, in plies.
const LONGEST: usize = 200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlayersAtBoard {
    /// Both players.
    Shared,
    /// One player; moves of the remote opponent are repeated on the board.
    Alone(Color),
}

/// A game in progress.
struct HandSimulation {
    number: u64,
    board: ScannedBoard,
    at_board: PlayersAtBoard,
    random: Random,
    /// The game as the hands intend it.
    meant: Box<Game>,
    /// The game as the board has read it.
    read: Box<Game>,
    /// Actions that the board has not read yet.
    unread: Vec<PendingAction>,
    /// The square of the piece with the weak magnet after all scheduled touches.
    weak: Option<Square>,
    /// Whether the game began with a weak magnet.
    magnets: Magnet,
    asked: u32,
    counters: HandCounters,
}

/// The game is given up; the reason is in the counters.
struct Stuck;

/// Plays the game with this number, which seeds moves, players and behaviours.
#[must_use]
pub fn play(number: u64) -> HandCounters {
    let mut random = Random::new(number);
    let source = match random.within(0..=9) {
        0 => Source::Famous(&FAMOUS[random.number() as usize % FAMOUS.len()]),
        1..=5 => Source::Rich,
        _ => Source::Random,
    };
    sit_down(number, source, random)
}

/// Replays a famous game; the number seeds players and behaviours.
#[must_use]
pub fn replay(famous: &'static FamousGame, number: u64) -> HandCounters {
    sit_down(number, Source::Famous(famous), Random::new(number))
}

fn sit_down(number: u64, source: Source, mut random: Random) -> HandCounters {
    let at_board = match random.within(0..=3) {
        0 => PlayersAtBoard::Alone(Color::White),
        1 => PlayersAtBoard::Alone(Color::Black),
        _ => PlayersAtBoard::Shared,
    };
    let start = Position::start();
    let weak = random.happens(100).then(|| {
        let squares: Vec<Square> = start.occupied().squares().collect();
        random.one_of(&squares)
    });
    let mut simulation = HandSimulation {
        number,
        board: ScannedBoard::new(&start, weak),
        at_board,
        random,
        meant: Box::new(Game::new()),
        read: Box::new(Game::new()),
        unread: Vec::new(),
        weak,
        magnets: if weak.is_some() { Magnet::Weak } else { Magnet::Strong },
        asked: 0,
        counters: HandCounters { games: 1, ..HandCounters::default() },
    };
    simulation.settle(None);
    simulation.counters.stuck = u64::from(simulation.play(source).is_err());
    simulation.counters.flickers = simulation.board.flickers();
    simulation.counters
}

impl HandSimulation {
    fn play(&mut self, source: Source) -> Result<(), Stuck> {
        let mut early: Option<u64> = None;
        while self.meant.moves().len() < LONGEST
            && let Some(mv) = source.next(&self.meant, &mut self.random)
        {
            let shared = self.at_board == PlayersAtBoard::Shared;
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
                && self.random.happens(150)
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

    /// Makes some moves in a way that the board reads differently first: a takeback, or a correction after a rest.
    fn take_another_way(&mut self, mv: Move) -> Result<bool, Stuck> {
        if !self.meant.moves().is_empty() && self.random.happens(10) {
            self.take_back()?;
            return Ok(true);
        }
        // A rook that castles is put down in any case before the king follows.
        let castles = self.meant.position().castling_rook(mv).is_some();
        Ok(self.random.happens(if castles { 150 } else { 20 }) && self.rest_on_the_way(mv)?)
    }

    /// The start of the next gesture: at a normal or a hurried pace.
    fn next_start(&mut self) -> u64 {
        let pause = if self.random.happens(200) { 20..=250 } else { 400..=1500 };
        self.board.now().max(self.board.last_touch()) + self.random.within(pause)
    }

    /// Makes a move by hand. Returns when it landed, if the opponent may answer early.
    fn make(&mut self, mv: Move, early: Option<u64>) -> Result<Option<u64>, Stuck> {
        let position = *self.meant.position();
        if let PlayersAtBoard::Alone(color) = self.at_board
            && position.turn() != color
        {
            self.see_the_move(mv)?;
        }
        let fresh = early.and(self.meant.moves().last()).map(|last| last.to());
        let start = match early {
            // The other player's fingers have to be off a piece before it can be taken.
            Some(landed) => landed + self.random.within(if fresh == Some(mv.to()) { 80 } else { 0 }..=280),
            None => self.next_start(),
        };
        let view = HandView { fresh, ..self.view(&position) };
        let mut gesture = gesture::make(view, mv, start, &mut self.random);
        if let Some(landed) = early {
            gesture.behaviours.push(Behaviour::EarlyAnswer);
            self.lift_sooner(&mut gesture, mv, landed);
            if let Some(action) = self.unread.last_mut() {
                action.delay_class = DelayClass::Answered;
            }
        }
        let delay_class = self.delay_class_of(mv, &gesture);
        self.meant.play(mv).expect("hands make legal moves");
        self.counters.moves += 1;
        self.does(&gesture, Intent::Move(mv), if early.is_some() { DelayClass::Answered } else { delay_class });
        Ok(gesture.answerable.then_some(gesture.landed))
    }

    /// Sometimes lifts the answering piece before the opponent's move has landed.
    fn lift_sooner(&mut self, gesture: &mut Gesture, mv: Move, landed: u64) {
        let touched = gesture.touches.iter().filter(|touch| touch.square == mv.from()).count();
        let Some(first) = gesture.touches.first_mut() else { return };
        if first.square == mv.from() && touched == 1 && self.random.happens(300) {
            first.at = landed - self.random.within(10..=120);
            gesture.behaviours.push(Behaviour::LiftedBeforeLanding);
        }
    }

    /// Shows a remote move. The hand sometimes makes another move first, and undoes it.
    fn see_the_move(&mut self, mv: Move) -> Result<(), Stuck> {
        self.wait(200..=1500)?;
        self.settle(Some(mv));
        let legal = self.meant.position().legal_moves();
        let other = self.random.one_of(&legal);
        let same = (other.from(), other.to()) == (mv.from(), mv.to());
        // When a castling is undone, its rook may be where it was expected to go.
        let castles = self.meant.position().castling_rook(other).is_some();
        if self.random.happens(30) && !same && !castles {
            let position = *self.meant.position();
            let start = self.next_start();
            let gesture = gesture::wrong_repeat(self.view(&position), other, start, &mut self.random);
            self.count(&gesture.behaviours);
            self.touch(&gesture);
        }
        Ok(())
    }

    /// A slide that rests on its way, or a rook that moves first and rests, is read as it stands, and corrected when
    /// it goes on.
    fn rest_on_the_way(&mut self, mv: Move) -> Result<bool, Stuck> {
        let position = *self.meant.position();
        let (first, then, behaviour) = if let Some((from, to)) = position.castling_rook(mv) {
            (Move::new(from, to), (mv.from(), mv.to()), Behaviour::LateKing)
        } else {
            let path = geometry::between(mv.from(), mv.to());
            if path.is_empty() || mv.promotion().is_some() {
                return Ok(false);
            }
            let stop = self.random.one_of(&path);
            (Move::new(mv.from(), stop), (stop, mv.to()), Behaviour::RestedOnTheWay)
        };
        if !position.is_legal(first) {
            return Ok(false);
        }
        let start = self.next_start();
        let mut gesture = gesture::slide_to(self.view(&position), first, start, &mut self.random);
        gesture.behaviours.push(behaviour);
        let delay_class = self.delay_class_of(first, &gesture);
        self.meant.play(first).expect("hands make legal moves");
        self.does(&gesture, Intent::Move(first), delay_class);
        self.finish()?;
        if self.meant.outcome().is_some() {
            return Ok(true);
        }

        let start = self.next_start();
        let rested = *self.meant.position();
        let gesture = gesture::go_on(self.view(&rested), then.0, then.1, start, &mut self.random);
        self.meant.take_back();
        self.meant.play(mv).expect("hands make legal moves");
        self.counters.moves += 1;
        let delay_class = if position.is_capture(mv) { DelayClass::RookRest } else { DelayClass::Rest };
        self.does(&gesture, Intent::Correction(mv), delay_class);
        self.finish()?;
        Ok(true)
    }

    fn take_back(&mut self) -> Result<(), Stuck> {
        let Some((earlier, last)) = before(&self.meant) else { return Ok(()) };
        let position = *self.meant.position();
        let start = self.next_start();
        let gesture = gesture::take_back(self.view(&position), &earlier, last, start, &mut self.random);
        self.meant.take_back();
        self.does(&gesture, Intent::TakeBack, DelayClass::TakenBack);
        self.finish()
    }

    /// Ends the game, sometimes with the kings, and sets the pieces up again.
    fn end(&mut self) -> Result<(), Stuck> {
        let position = *self.meant.position();
        let start = self.next_start();
        if self.meant.outcome().is_none()
            && self.random.happens(500)
            && let Some((gesture, result)) = gesture::kings(self.view(&position), start, &mut self.random)
        {
            self.does(&gesture, Intent::Kings(result), DelayClass::Sign);
            self.finish()?;
            return Ok(());
        }
        self.board.settle(&position, before(&self.read), Looking::ForNothing);
        let start = self.next_start();
        if let Some(gesture) = gesture::set_up(self.view(&position), start, &mut self.random) {
            self.does(&gesture, Intent::Start, DelayClass::Sign);
            self.finish()?;
        }
        Ok(())
    }

    fn view<'a>(&self, position: &'a Position) -> HandView<'a> {
        let last = self.meant.moves().last().copied();
        HandView { position, last, weak: self.weak, shared: self.at_board == PlayersAtBoard::Shared, fresh: None }
    }

    fn count(&mut self, behaviours: &[Behaviour]) {
        for &behaviour in behaviours {
            *self.counters.behaviours.entry(behaviour).or_default() += 1;
        }
    }

    fn touch(&mut self, gesture: &Gesture) {
        self.weak = reeds::weak_after(self.weak, &gesture.touches);
        self.board.expect(&gesture.touches);
    }

    /// Schedules a gesture with its intent.
    fn does(&mut self, gesture: &Gesture, meant: Intent, delay_class: DelayClass) {
        self.count(&gesture.behaviours);
        self.touch(gesture);
        let last_touch = gesture.last_touch();
        let takes = match meant {
            Intent::Move(mv) | Intent::Correction(mv) => {
                before(&self.meant).is_some_and(|(earlier, _)| earlier.victim(mv) == Some(mv.to()))
            }
            Intent::TakeBack | Intent::Kings(_) | Intent::Start => false,
        };
        self.unread.push(PendingAction {
            meant,
            delay_class,
            last_touch,
            takes,
            behaviours: gesture.behaviours.clone(),
        });
        self.asked = 0;
    }

    fn delay_class_of(&self, mv: Move, gesture: &Gesture) -> DelayClass {
        let position = self.meant.position();
        let is_sent = matches!(self.at_board, PlayersAtBoard::Alone(color) if color == position.turn());
        if !is_sent && (gesture.has(Behaviour::PushedOff) || gesture.has(Behaviour::PushedUnseen)) {
            return DelayClass::Pushed;
        }
        if matches!(self.at_board, PlayersAtBoard::Alone(color) if color != position.turn()) {
            return DelayClass::AtOnce;
        }
        let legal = position.legal_moves();
        let sent = self.at_board != PlayersAtBoard::Shared;
        let castles = |other: &Move| position.castling_rook(*other) == Some((mv.from(), mv.to()));
        let ends = position.play(mv).is_ok_and(|next| next.legal_moves().is_empty());
        let slides_on =
            |other: &Move| other.from() == mv.from() && geometry::between(other.from(), other.to()).contains(&mv.to());
        let role = position.piece_at(mv.from()).map(chess::Piece::role);
        let stops_anywhere = matches!(role, Some(Role::Bishop | Role::Queen)) && !position.is_capture(mv);
        let captures_alone = position.victim(mv) == Some(mv.to());
        if legal.iter().any(castles) {
            if sent { DelayClass::SentRook } else { DelayClass::RookRest }
        } else if ends {
            DelayClass::Ends
        } else if !position.is_capture(mv) && legal.iter().any(slides_on) {
            if sent { DelayClass::SentSlide } else { DelayClass::Rest }
        } else if sent && (captures_alone || stops_anywhere) {
            DelayClass::SentSlide
        } else if sent {
            DelayClass::Sent
        } else if captures_alone {
            DelayClass::Captures
        } else {
            DelayClass::AtOnce
        }
    }

    /// Lets time pass without touches.
    fn wait(&mut self, milliseconds: RangeInclusive<u64>) -> Result<(), Stuck> {
        let until = self.board.now() + self.random.within(milliseconds);
        while self.board.now() < until {
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
