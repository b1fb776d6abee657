//! Whole games by simulated hands on the playing surface of a board; compares what was meant with the board's game.

mod checking;
mod ending;
mod help;
mod illegal;
mod requests;

use board::{Debounce, Effect, Instant, Settings, Stance, Surface};
use chess::{Color, Game, Move, Position};
use rules::{Ply, Start};
use wire::link::{Event, GameInfo, Seat};

use super::gesture::{Hands, Made, Manner, Promoting};
use super::oracle::Change;
use super::style::Style;
use super::tabletop::Tabletop;
use super::tally::{Deed, Deeds, FaultClass, Kind, Tally};
use crate::hand::games::Source;
use crate::random::Random;
use requests::Request;

/// Length after which a game is ended, in plies.
const LONGEST: usize = 160;

/// The players at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Players {
    /// Both.
    Shared,
    /// One; moves of the remote opponent are repeated on the board.
    Alone(Color),
}

impl Players {
    const ALL: [Self; 3] = [Self::Shared, Self::Alone(Color::White), Self::Alone(Color::Black)];

    /// The name in a report.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Alone(Color::White) => "white",
            Self::Alone(Color::Black) => "black",
        }
    }

    /// The players with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|players| players.name() == name)
    }
}

/// The game cannot go on; the reason is in the tally.
struct GivenUp;

/// A move that the board has and the player did not make.
#[derive(Clone, Copy, Debug)]
struct Divergence {
    ply: Ply,
    index: usize,
    ended: bool,
}

/// What the board has shown or sent.
#[derive(Clone, Copy, Debug)]
enum Response {
    Shows(Stance),
    Sends(Event),
}

/// A game in progress.
#[expect(clippy::struct_excessive_bools, reason = "they have nothing to do with each other")]
struct SimulatedGame {
    number: u64,
    style: Style,
    players: Players,
    table: Tabletop,
    hands: Hands,
    surface: Box<Surface>,
    debounce: Debounce,
    random: Random,
    /// The game as it is meant.
    meant: Box<Game>,
    /// The position before the moves that are not known to be read, and how many plies led to it.
    before: (Position, usize),
    changes: Vec<Change>,
    /// What the board showed and sent since then, and when.
    responses: Vec<(u64, Response)>,
    deeds: Deeds,
    /// When each of the moves since `before` has landed.
    landed: Vec<u64>,
    /// How many plies of the board's game were right when it was compared last.
    right: usize,
    diverged: Option<Divergence>,
    has_diverged: bool,
    asked: bool,
    /// The player has put the pawn straight, or has chosen another piece first.
    is_hesitant: bool,
    /// A promotion whose choice is to be made.
    choosing: Option<Promoting>,
    /// A pawn to be exchanged for a real piece while the other player moves.
    exchange: Option<Promoting>,
    /// When the remote opponent replies.
    reply_at: Option<u64>,
    /// The remote opponent's move that is not made on the board yet.
    to_repeat: Option<Move>,
    /// The remote opponent has replied to a move that was not meant.
    is_lost: bool,
    has_begun: bool,
    /// What the board has sent to the opponent beside moves.
    requested: Option<Request>,
    /// Whether the board's game is compared with the meant one.
    compares: bool,
    source: Source,
    tally: Tally,
}

/// Plays the game with this number, which seeds everything.
#[must_use]
pub fn play(number: u64, style: Style, players: Players, settings: Settings) -> Tally {
    let mut random = Random::new(number);
    let source = if random.happens(500) { Source::Rich } else { Source::Random };
    let start = Position::start();
    let table =
        Tabletop::new(&start, Hands::quality(style), style.habits().sigma.min(3.0), Random::new(random.number()));
    let seat = match players {
        Players::Shared => Seat::Both,
        Players::Alone(Color::White) => Seat::White,
        Players::Alone(Color::Black) => Seat::Black,
    };
    let now = Instant::at(table.now());
    let mut surface = Box::new(Surface::new(settings, start.occupied(), now));
    let game = u64::from(seat != Seat::Both);
    surface.set_withdraws(true);
    surface.begin(&Start::CHESS, &GameInfo { game, seat, ..GameInfo::LOCAL }, now);
    let mut session = SimulatedGame {
        number,
        style,
        players,
        table,
        hands: Hands::new(style, Random::new(random.number())),
        surface,
        debounce: Debounce::new(settings.debounce, start.occupied()),
        random,
        meant: Box::new(Game::new()),
        before: (start, 0),
        changes: Vec::new(),
        responses: Vec::new(),
        deeds: Deeds::NONE,
        landed: Vec::new(),
        right: 0,
        diverged: None,
        has_diverged: false,
        asked: false,
        is_hesitant: false,
        choosing: None,
        exchange: None,
        reply_at: None,
        to_repeat: None,
        is_lost: false,
        has_begun: false,
        requested: None,
        compares: true,
        source,
        tally: Tally { games: 1, ..Tally::default() },
    };
    let _given_up = match players {
        Players::Shared => session.play_shared(),
        Players::Alone(us) => session.play_remote(us),
    };
    session.tally
}

impl SimulatedGame {
    fn play_shared(&mut self) -> Result<(), GivenUp> {
        self.finish()?;
        let restarts = self.random.happens(self.hands.habits.restart);
        let mut restart_at = if restarts { usize::try_from(self.random.within(6..=40)).unwrap_or(6) } else { LONGEST };
        while self.meant.moves().len() < LONGEST && self.meant.outcome().is_none() {
            self.think();
            if !self.meant.moves().is_empty() && self.random.happens(self.hands.habits.take_back) {
                self.take_back()?;
                continue;
            }
            if self.random.happens(self.hands.habits.illegal) {
                self.make_illegal_move()?;
                continue;
            }
            if self.meant.moves().len() == restart_at {
                self.start_anew()?;
                restart_at = LONGEST;
                continue;
            }
            self.open_burst();
            let size = self.burst_size();
            let mut start = self.table.now() + 20;
            if let Some(Promoting { to, piece, .. }) = self.exchange.take() {
                let at = start + self.random.within(0..=1500);
                let done = self.hands.exchange(&mut self.table, to, piece, at);
                self.deeds.add(Deed::Exchanged);
                if self.style == Style::Ideal {
                    start = done + 500;
                }
            }
            for _ in 0..size {
                let Some(mv) = self.source.next(&self.meant, &mut self.random) else { break };
                let made = self.make(mv, start);
                self.tally.local += 1;
                let gap = self.hands.habits.gap.clone();
                let gap = self.random.within(0..=gap.end().abs_diff(*gap.start())).cast_signed() + gap.start();
                start = made.landed.saturating_add_signed(gap);
                if made.promotion.is_some() {
                    break;
                }
            }
            self.finish()?;
        }
        self.end()
    }

    fn play_remote(&mut self, us: Color) -> Result<(), GivenUp> {
        self.finish()?;
        if us == Color::Black {
            self.expect_reply();
        }
        while self.meant.moves().len() < LONGEST && self.meant.outcome().is_none() {
            self.open_burst();
            let mut start = self.table.now() + self.random.within(300..=2500);
            if self.meant.position().turn() != us || self.to_repeat.is_some() {
                self.wait_for_reply()?;
                let Some(theirs) = self.to_repeat.take() else { break };
                self.open_repeat();
                let before = self.before.0;
                let react = self.hands.habits.react.clone();
                let at = self.table.now() + self.hands.ms(&react);
                let made = self.hands.make(&mut self.table, &before, theirs, at);
                self.note(&made);
                // What the pawn becomes is known already.
                self.choosing = None;
                self.tally.repeated += 1;
                if self.meant.outcome().is_some() || !self.random.happens(self.hands.habits.early_own) {
                    self.finish()?;
                    continue;
                }
                self.deeds.add(Deed::EarlyOwn);
                start = (made.landed + self.random.within(0..=600)).saturating_sub(100);
            } else if let Some(Promoting { to, piece, .. }) = self.exchange.take() {
                let at = start + self.random.within(0..=300);
                let done = self.hands.exchange(&mut self.table, to, piece, at);
                self.deeds.add(Deed::Exchanged);
                if self.style == Style::Ideal {
                    start = done + 500;
                }
            }
            if !self.deeds.has(&[Deed::EarlyOwn, Deed::Exchanged]) {
                if self.random.happens(self.hands.habits.illegal) {
                    self.make_illegal_move()?;
                    continue;
                }
                if self.meant.moves().len() > 2 && self.random.happens(self.hands.habits.take_back) {
                    self.ask_for_takeback()?;
                    continue;
                }
            }
            let Some(mv) = self.source.next(&self.meant, &mut self.random) else { break };
            self.make(mv, start);
            self.tally.own += 1;
            self.finish()?;
        }
        self.finish()?;
        self.end_remote(us)
    }

    /// Plans a move by hand.
    fn make(&mut self, mv: Move, start: u64) -> Made {
        let position = *self.meant.position();
        let made = self.hands.make(&mut self.table, &position, mv, start);
        self.meant.play(mv).expect("hands make legal moves");
        self.note(&made);
        made
    }

    fn note(&mut self, made: &Made) {
        self.tally.moves += 1;
        self.deeds.join(made.deeds);
        self.landed.push(made.landed);
        if let Some(promotion) = made.promotion {
            self.choosing = Some(promotion);
            if promotion.manner == Manner::ExchangedLater {
                self.exchange = Some(promotion);
            }
        }
    }

    fn open_burst(&mut self) {
        self.before = (*self.meant.position(), self.meant.moves().len());
        self.right = self.meant.moves().len();
        self.changes.clear();
        self.responses.clear();
        self.landed.clear();
        self.deeds = Deeds::NONE;
        self.has_diverged = false;
        self.asked = false;
        self.is_hesitant = false;
        self.choosing = None;
    }

    /// The opponent's move is in the game, and is made on the board now.
    fn open_repeat(&mut self) {
        let before = self.meant.before_last().zip(self.meant.moves().len().checked_sub(1));
        self.open_burst();
        self.before = before.unwrap_or(self.before);
    }

    fn burst_size(&mut self) -> usize {
        if self.random.happens(self.hands.habits.burst) {
            return usize::try_from(self.random.within(2..=5)).unwrap_or(2);
        }
        if self.random.happens(self.hands.habits.quick_reply) { 2 } else { 1 }
    }

    /// Lets time pass in which nothing is touched.
    fn think(&mut self) {
        let ms = self.random.within(300..=2500);
        self.table.skip(ms);
    }

    /// The remote opponent has a move to reply to.
    fn expect_reply(&mut self) {
        let ms = match self.style {
            Style::Blitz if self.random.happens(50) => self.random.within(50..=300),
            Style::Blitz => self.random.within(600..=4000),
            _ => self.random.within(900..=8000),
        };
        self.reply_at = Some(self.table.now() + ms);
    }

    fn wait_for_reply(&mut self) -> Result<(), GivenUp> {
        if let Some(due) = self.reply_at {
            self.table.skip(due.saturating_sub(self.table.now() + 2));
        }
        while self.reply_at.is_some() {
            self.tick();
        }
        if self.is_lost { Err(GivenUp) } else { Ok(()) }
    }

    /// The next millisecond.
    fn tick(&mut self) {
        let raw = self.table.tick();
        let now = self.table.now();
        let scan = self.debounce.scan(raw);
        for (squares, closed) in [(scan.lifted, false), (scan.placed, true)] {
            for square in squares {
                self.changes.push(Change { at: now, square, closed });
            }
        }
        let stance = self.stance();
        let effects = self.surface.scan(raw, Instant::at(now));
        if self.stance() != stance {
            self.responses.push((now, Response::Shows(self.stance())));
        }
        if !effects.is_empty() {
            for effect in effects {
                self.notice(effect);
            }
            self.compare();
        }
        if self.reply_at.is_some_and(|due| now >= due) {
            self.reply_at = None;
            self.reply();
        }
    }

    fn notice(&mut self, effect: Effect) {
        if let Effect::Send(event) = effect {
            self.responses.push((self.table.now(), Response::Sends(event)));
        }
        match effect {
            Effect::Begin => self.has_begun = true,
            Effect::Send(Event::Moved { .. }) if self.players != Players::Shared => self.expect_reply(),
            Effect::Send(Event::TakenBack { .. } | Event::Corrected { .. }) => self.reply_at = None,
            Effect::Send(Event::TakebackAsked { plies }) => self.requested = Some(Request::Takeback(plies)),
            Effect::Send(Event::Resigned { color }) => self.requested = Some(Request::Resigned(color)),
            Effect::Send(Event::DrawOffered { .. } | Event::DrawClaimed { .. }) => self.requested = Some(Request::Draw),
            Effect::Computer(computer) => {
                // The hands never ask for the menu of the computer.
                let text = format!("the computer was chosen by accident: {computer:?}");
                self.fault(FaultClass::Menu, Kind::Misread, &text, 1);
            }
            Effect::Send(_) => {}
        }
    }

    /// The remote opponent replies.
    fn reply(&mut self) {
        if self.diverged.is_some() {
            self.record_divergence();
            self.is_lost = true;
            return;
        }
        if self.surface.play().len() != self.meant.moves().len() {
            // The move is being corrected.
            self.reply_at = Some(self.table.now() + 200);
            return;
        }
        let Some(mv) = self.source.next(&self.meant, &mut self.random) else { return };
        let number = u16::try_from(self.meant.moves().len()).expect("games are shorter");
        self.before = (*self.meant.position(), self.meant.moves().len());
        self.meant.play(mv).expect("a legal move");
        let event = Event::Moved { number, ply: Ply::of_move(mv), thought_ms: 1000 };
        self.surface.apply(event, Instant::at(self.table.now()));
        self.right = self.meant.moves().len();
        self.to_repeat = Some(mv);
        self.changes.clear();
        self.landed.clear();
    }

    fn stance(&self) -> Stance {
        self.surface.referee().stance()
    }
}
