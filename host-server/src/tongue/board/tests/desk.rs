use board::session::{BoardEnd, Broken, Conversation, End, Memory, News};
use board::{Brain, Deed, Instant, Settings};
use chess::{Bitboard, Color, Move, Outcome, Position, Square, WinReason};
use wire::link::{ClockRule, Ephemeral, MAX_FRAME, PairingKey, Said, Seat, Table};

/// So small that it is full now and then.
const QUEUE: usize = 6;

/// What a table says, in memory of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Card {
    pub(super) game: u64,
    pub(super) seat: Seat,
    hints: bool,
    clock: Option<ClockRule>,
    pub(super) names: [String; 2],
}

impl Card {
    fn of(table: &Table<'_>) -> Self {
        let names = [table.white.to_owned(), table.black.to_owned()];
        Self { game: table.game, seat: table.seat, hints: table.hints, clock: table.clock, names }
    }

    fn table(&self, outcome: Option<Outcome>) -> Table<'_> {
        let [white, black] = &self.names;
        Table { game: self.game, seat: self.seat, hints: self.hints, clock: self.clock, outcome, white, black }
    }
}

/// What a board has written down. A restart begins with this and nothing else, but for the wood.
#[derive(Clone)]
struct Journal {
    memory: Memory,
    events: Vec<Said>,
    card: Card,
    start: Position,
    moves: Vec<Move>,
    outcome: Option<Outcome>,
}

/// A board with pieces on it: the brain and the link of a real one, and careful hands.
pub(super) struct Desk {
    key: [u8; 32],
    pub(super) brain: Box<Brain>,
    pub(super) end: BoardEnd<QUEUE>,
    pub(super) card: Card,
    coming: Option<(Card, Option<Outcome>)>,
    journal: Journal,
    writing: Option<Journal>,
    pub(super) raw: Bitboard,
    /// The moves that the wood has.
    made: Vec<Move>,
    pub(super) now: u64,
    random: u64,
    pub(super) broken: Vec<Broken>,
    pub(super) goodbyes: Vec<wire::link::Goodbye>,
    pub(super) live: Option<wire::link::Live>,
}

impl Desk {
    /// A new board that is set up for a game.
    pub(super) fn new(key: [u8; 32], random: u64) -> Self {
        let card = Card::of(&Table::LOCAL);
        let memory = Memory::blank(random);
        let journal = Journal { memory, events: vec![], card, start: Position::start(), moves: vec![], outcome: None };
        Self::wake(key, random, journal, Position::start().occupied(), 0)
    }

    fn wake(key: [u8; 32], random: u64, journal: Journal, raw: Bitboard, now: u64) -> Self {
        let conversation = Conversation::new(End::Board, "test", &journal.memory, journal.events.iter().copied());
        let mut brain = Box::new(Brain::new(Settings::default(), raw, Instant::at(now)));
        let game = brain.game_mut();
        game.restart(journal.start);
        for &mv in &journal.moves {
            game.play(mv).expect("a journal has legal moves");
        }
        finish(game, journal.outcome);
        brain.sit_down(&journal.card.table(None), Instant::at(now));
        Self {
            key,
            brain,
            end: BoardEnd::new(PairingKey::new(key), conversation),
            card: journal.card.clone(),
            coming: None,
            made: journal.moves.clone(),
            journal,
            writing: None,
            raw,
            now,
            random,
            broken: Vec::new(),
            goodbyes: Vec::new(),
            live: None,
        }
    }

    pub(super) fn random(&mut self) -> u64 {
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.random >> 16
    }

    fn instant(&self) -> Instant {
        Instant::at(self.now)
    }

    /// There is a connection.
    pub(super) fn connect(&mut self) {
        self.mend();
        let mut bytes = [0; 32];
        bytes.chunks_mut(4).for_each(|chunk| chunk.copy_from_slice(&(self.random() as u32).to_le_bytes()));
        self.end.connected(Ephemeral::new(bytes), self.instant());
    }

    /// The connection is gone.
    pub(super) fn cut(&mut self) {
        let random = self.random() as u32;
        self.end.disconnected(random, self.instant());
        self.mend();
    }

    /// A board has memory for one game. If it is left with half of one, it does as after a restart.
    fn mend(&mut self) {
        if self.end.conversation().is_torn() {
            self.restart(false);
        }
    }

    /// Somebody pulls the plug. What was being written may be there or not.
    pub(super) fn restart(&mut self, is_written: bool) {
        let journal = self.writing.take().filter(|_| is_written).unwrap_or(self.journal.clone());
        let (made, broken) = (std::mem::take(&mut self.made), std::mem::take(&mut self.broken));
        let random = self.random();
        *self = Self::wake(self.key, random, journal, self.raw, self.now);
        self.made = made;
        self.broken = broken;
    }

    /// Everything that was written down is gone.
    pub(super) fn forget(&mut self) {
        let random = self.random();
        *self = Self { now: self.now, raw: self.raw, ..Self::new(self.key, random) };
        let (raw, now) = (self.raw, self.now);
        *self.brain = Brain::new(Settings::default(), raw, Instant::at(now));
    }

    pub(super) fn keep(&mut self) {
        self.begin_to_write();
        self.have_written();
    }

    pub(super) fn begin_to_write(&mut self) {
        let conversation = self.end.conversation();
        if self.coming.is_some() || conversation.is_torn() {
            return;
        }
        let game = self.brain.game();
        self.writing = Some(Journal {
            memory: conversation.memory(),
            events: conversation.pending().collect(),
            card: self.card.clone(),
            start: *game.start(),
            moves: game.moves().to_vec(),
            outcome: game.outcome(),
        });
    }

    pub(super) fn have_written(&mut self) {
        if let Some(journal) = self.writing.take() {
            self.end.conversation_mut().kept(&journal.memory);
            self.journal = journal;
        }
    }

    /// The moves that are written down.
    pub(super) fn written(&self) -> (u64, &[Move]) {
        (self.journal.card.game, &self.journal.moves)
    }

    /// The next frame to send, if there is one.
    pub(super) fn transmit(&mut self) -> Result<Option<Vec<u8>>, Broken> {
        let mut buffer = [0; MAX_FRAME];
        let game = self.brain.game();
        let table = self.card.table(game.outcome());
        let now = Instant::at(self.now);
        let len = self.end.transmit(&table, game, &mut buffer, now)?;
        Ok(len.map(|len| buffer[..len].to_vec()))
    }

    pub(super) fn receive(&mut self, mut frame: Vec<u8>) -> Result<(), Broken> {
        let now = self.instant();
        match self.end.receive(&mut frame, self.brain.game_mut(), now)? {
            None | Some(News::Online(_) | News::Wood(_)) => {}
            Some(News::Event(event)) => {
                let deeds = self.brain.hear(event, now);
                self.carry_out(deeds);
            }
            Some(News::Loading(table)) => self.coming = Some((Card::of(&table), table.outcome)),
            Some(News::Loaded(basis)) => {
                let (card, outcome) = self.coming.take().expect("a table came first");
                self.card = card;
                finish(self.brain.game_mut(), outcome);
                self.brain.sit_down(&self.card.table(None), now);
                for event in self.end.conversation().standing(basis).collect::<Vec<_>>() {
                    let deeds = self.brain.hear(event, now);
                    self.carry_out(deeds);
                }
            }
            Some(News::Live(live)) => self.live = Some(live),
            Some(News::Goodbye(reason)) => self.goodbyes.push(reason),
        }
        Ok(())
    }

    fn carry_out(&mut self, deeds: board::Deeds) {
        for deed in deeds {
            let conversation = self.end.conversation_mut();
            match deed {
                Deed::Say(event) => {
                    if conversation.say(event).is_err() {
                        conversation.condense();
                    }
                }
                Deed::Begin => {
                    self.card = Card::of(&Table::LOCAL);
                    self.made.clear();
                    conversation.renew();
                }
            }
        }
    }

    /// Scans, a few times over so many milliseconds.
    pub(super) fn wait(&mut self, milliseconds: u64) {
        for _ in 0..8 {
            self.now += milliseconds / 8;
            if self.is_busy() {
                continue;
            }
            let deeds = self.brain.scan(self.raw, Instant::at(self.now));
            self.carry_out(deeds);
        }
    }

    fn lift(&mut self, square: Square) {
        self.raw = self.raw.without(square.into());
        self.wait(200);
    }

    fn place(&mut self, square: Square) {
        self.raw |= square.into();
        self.wait(200);
    }

    fn go(&mut self, from: Square, to: Square) {
        self.lift(from);
        self.place(to);
    }

    /// Makes a move as careful hands do.
    fn make(&mut self, position: &Position, mv: Move) {
        if let Some(victim) = position.victim(mv) {
            self.lift(victim);
        }
        self.go(mv.from(), mv.to());
        if let Some((from, to)) = position.castling_rook(mv) {
            self.go(from, to);
        }
        if let Some(promotion) = mv.promotion()
            && let Some((square, _)) =
                board::promotion_choices(mv.to()).into_iter().find(|choice| choice.1 == promotion)
        {
            let before = self.raw;
            self.raw ^= square.into();
            self.wait(200);
            self.raw = before;
            self.wait(200);
        }
        self.wait(1600);
    }

    /// Whether a game is half here. Hands wait for the rest of it.
    pub(super) fn is_busy(&self) -> bool {
        self.coming.is_some() || self.end.conversation().is_torn()
    }

    /// Makes the wood look like the game, as the lights say.
    pub(super) fn follow(&mut self) {
        if self.is_busy() {
            return;
        }
        let moves = self.brain.game().moves().to_vec();
        let target = self.brain.game().position().occupied();
        match moves.split_last() {
            _ if moves == self.made && self.raw == target => {}
            Some((&last, earlier)) if earlier == self.made => {
                let start = *self.brain.game().start();
                let before = earlier.iter().fold(start, |position, &mv| position.play(mv).expect("it was played"));
                self.made.clone_from(&moves);
                if self.raw == before.occupied() {
                    // Whose promotion it is has been decided elsewhere.
                    self.make(&before, last.promoting(None));
                }
            }
            _ => {}
        }
        for _ in 0..2 {
            if self.raw != target && !self.is_busy() {
                for square in self.raw.without(target) {
                    self.lift(square);
                }
                for square in target.without(self.raw) {
                    self.place(square);
                }
                self.wait(1600);
            }
        }
        self.made = self.brain.game().moves().to_vec();
    }

    /// Whose move it is at this board.
    pub(super) fn turn(&self) -> Option<Color> {
        let game = self.brain.game();
        let turn = game.position().turn();
        (!self.is_busy() && game.outcome().is_none() && self.card.seat.has(turn)).then_some(turn)
    }

    /// Makes some move, if it is this board's turn.
    pub(super) fn play_any(&mut self, choice: u16) {
        self.follow();
        if self.turn().is_some() {
            let position = *self.brain.game().position();
            let legal = position.legal_moves();
            let moves: Vec<Move> = legal.iter().copied().filter(|mv| mv.promotion().is_none()).collect();
            if let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) {
                self.play(mv);
            }
        }
    }

    /// Makes this move.
    pub(super) fn play(&mut self, mv: Move) {
        let position = *self.brain.game().position();
        self.make(&position, mv);
        self.made = self.brain.game().moves().to_vec();
    }

    /// Puts the last move back by hand, as if it had not been.
    pub(super) fn undo(&mut self) {
        let Some((&last, earlier)) = self.made.split_last() else { return };
        let start = *self.brain.game().start();
        let before = earlier.iter().fold(start, |position, &mv| position.play(mv).expect("it was played"));
        if self.is_busy() || self.raw != before.play(last).expect("it was played").occupied() {
            return;
        }
        let earlier = earlier.to_vec();
        if let Some((from, to)) = before.castling_rook(last) {
            self.go(to, from);
        }
        self.go(last.to(), last.from());
        if let Some(victim) = before.victim(last) {
            self.place(victim);
        }
        self.wait(1600);
        self.made = earlier;
    }

    /// Puts both kings into the centre: a draw, or that this side has lost.
    pub(super) fn show_kings(&mut self, resigns: bool) {
        let Some(us) = [Color::White, Color::Black].into_iter().find(|&color| self.card.seat == seat(color)) else {
            return;
        };
        self.follow();
        let position = *self.brain.game().position();
        let kings = [Color::White, Color::Black].map(|color| position.king(color));
        let centre = match (resigns, us) {
            (false, _) => [Square::E4, Square::E5],
            (true, Color::Black) => [Square::E4, Square::D5],
            (true, Color::White) => [Square::D4, Square::E5],
        };
        if self.is_busy() || centre.iter().any(|&square| self.raw.has(square)) {
            return;
        }
        for square in kings {
            self.lift(square);
        }
        for square in centre {
            self.place(square);
        }
        self.wait(4000);
        for square in centre {
            self.lift(square);
        }
        for square in kings {
            self.place(square);
        }
        self.wait(1600);
    }

    /// Sets the pieces up for a new game.
    pub(super) fn set_up(&mut self) {
        if self.is_busy() {
            return;
        }
        let target = Position::start().occupied();
        for square in self.raw.without(target) {
            self.lift(square);
        }
        for square in target.without(self.raw) {
            self.place(square);
        }
        self.wait(8000);
        self.wait(8000);
    }

    /// The board's own program is broken, and says something that has not happened.
    pub(super) fn lie(&mut self, event: wire::link::Event) {
        let _ = self.end.conversation_mut().say(event);
    }
}

fn seat(color: Color) -> Seat {
    if color == Color::White { Seat::White } else { Seat::Black }
}

/// Ends a game as it had ended.
fn finish(game: &mut chess::Game, outcome: Option<Outcome>) {
    let _ = match outcome {
        None | Some(Outcome::Win { by: WinReason::Checkmate, .. }) => Ok(()),
        Some(Outcome::Win { winner, by: WinReason::Resignation }) => game.resign(!winner),
        Some(Outcome::Win { winner, by: WinReason::Time }) => game.flag(!winner),
        Some(Outcome::Draw(_)) => game.agree_draw(),
    };
}
