use core::error::Error;
use core::fmt;

use chess::{Color, DrawClaim, FixedSheet, Game, Scoresheet, SheetFull};

use crate::genome::MoverSearch;
use crate::made::Made;
use crate::plies::Plies;
use crate::ply::Ply;
use crate::position::AnyPosition;
use crate::replay::Replay;
use crate::situation::Situation;
use crate::start::Start;
use crate::told;
use crate::turn::Turn;
use crate::verdict::{Verdict, Why};

/// A game under some rules: where it started, every ply, and how it ended.
///
/// A device has memory for one game, and a game of chess takes most of it for its scoresheet. So the sheet is always that of a
/// [`chess::Game`], and a game under other rules keeps its plies on it.
#[derive(Clone)]
pub struct Play<S = FixedSheet> {
    chess: Game<S>,
    other: Option<Other>,
}

/// The position of a game that is not chess, and how it ended.
#[derive(Clone, Copy, Debug)]
struct Other {
    start: Start,
    position: AnyPosition,
    verdict: Option<Verdict>,
    /// The search that shows whether the last ply has ended the game, if it is not over.
    search: Option<MoverSearch>,
}

/// How far a search has come makes no difference: its result follows from the position.
impl PartialEq for Other {
    fn eq(&self, other: &Self) -> bool {
        (self.start, self.position, self.verdict) == (other.start, other.position, other.verdict)
    }
}

impl Eq for Other {}

impl Other {
    /// The state before the first ply; nothing for chess.
    fn at(start: &Start) -> Option<Self> {
        if start.chess().is_some() {
            None
        } else {
            let position = AnyPosition::at(start);
            Some(Self { start: *start, position, verdict: position.verdict(), search: None })
        }
    }

    /// The state after a ply; nothing if the ply is not legal.
    fn after(&self, ply: Ply) -> Option<Self> {
        let position = self.position.after(ply)?;
        Some(Self { position, verdict: position.verdict(), search: None, ..*self })
    }

    /// Goes on with the search for about as many instructions. Returns whether it is over.
    fn search_on(&mut self, instructions: u32) -> bool {
        if let (Some(search), AnyPosition::Genome(position)) = (&mut self.search, &mut self.position) {
            if !position.judge(search, instructions) {
                return false;
            }
            self.verdict = position.verdict();
        }
        self.search = None;
        true
    }
}

/// Why a ply was not played. The game is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// The game is over.
    Over(Verdict),
    /// The rules do not allow it.
    Illegal(Ply),
    /// The scoresheet is full.
    Full,
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over(verdict) => write_over(f, *verdict),
            Self::Illegal(ply) => write!(f, "{ply} is not a legal move"),
            Self::Full => SheetFull.fmt(f),
        }
    }
}

impl Error for PlayError {}

/// Why a draw was not granted. The game is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimError {
    /// The game is over.
    Over(Verdict),
    /// The ply with which it was claimed is not legal.
    Illegal(Ply),
    /// The position does not entitle the player to this claim.
    Unfounded(DrawClaim),
}

impl fmt::Display for ClaimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over(verdict) => write_over(f, *verdict),
            Self::Illegal(ply) => PlayError::Illegal(*ply).fmt(f),
            Self::Unfounded(claim) => write!(f, "there is no draw by {claim}"),
        }
    }
}

impl Error for ClaimError {}

/// Why a game was not ended. It is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndError {
    /// The game is over already.
    Over(Verdict),
    /// The plies of this game do not allow this verdict.
    Unfounded(Verdict),
}

impl fmt::Display for EndError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over(verdict) => write_over(f, *verdict),
            Self::Unfounded(verdict) => write!(f, "the moves do not allow this: {verdict}"),
        }
    }
}

impl Error for EndError {}

fn write_over(f: &mut fmt::Formatter<'_>, verdict: Verdict) -> fmt::Result {
    write!(f, "the game is over: {verdict}")
}

impl From<chess::EndError> for EndError {
    fn from(error: chess::EndError) -> Self {
        match error {
            chess::EndError::Over(outcome) => Self::Over(outcome.into()),
            chess::EndError::Unfounded(outcome) => Self::Unfounded(outcome.into()),
        }
    }
}

impl Default for Play {
    fn default() -> Self {
        Self::new()
    }
}

impl Play {
    /// A game of chess in fixed memory. It is `const`, so that a small machine can have it in a static and never on its stack.
    #[must_use]
    pub const fn new() -> Self {
        Self { chess: Game::new(), other: None }
    }
}

impl<S: Scoresheet> Play<S> {
    /// A game of chess whose moves are written on this sheet.
    #[must_use]
    pub fn on(sheet: S) -> Self {
        Self { chess: Game::on(sheet), other: None }
    }

    /// Starts another game in the same memory, maybe under other rules.
    pub fn restart(&mut self, start: &Start) {
        self.chess.restart(start.chess().copied().unwrap_or(chess::Position::start()));
        self.other = Other::at(start);
    }

    /// Under which rules it is played, and from where it started.
    #[must_use]
    pub const fn start(&self) -> Start {
        match &self.other {
            None => Start::Chess(*self.chess.start()),
            Some(other) => other.start,
        }
    }

    /// The game of chess, if that is what is played.
    #[must_use]
    pub const fn chess(&self) -> Option<&Game<S>> {
        match self.other {
            None => Some(&self.chess),
            Some(_) => None,
        }
    }

    /// The game of chess, for a decoder that writes one into this memory. It is chess from then on.
    pub fn chess_mut(&mut self) -> &mut Game<S> {
        if self.other.take().is_some() {
            self.chess.restart(chess::Position::start());
        }
        &mut self.chess
    }

    /// The position now.
    #[must_use]
    pub const fn situation(&self) -> Situation<'_> {
        match &self.other {
            None => Situation::Chess(self.chess.position()),
            Some(other) => other.position.situation(),
        }
    }

    /// The position now, by value.
    #[must_use]
    pub const fn position(&self) -> AnyPosition {
        match &self.other {
            None => AnyPosition::Chess(*self.chess.position()),
            Some(other) => other.position,
        }
    }

    /// The position before the last ply; nothing if no ply was played.
    #[must_use]
    pub fn before_last(&self) -> Option<AnyPosition> {
        if let Some(game) = self.chess() {
            return game.before_last().map(AnyPosition::Chess);
        }
        let earlier = self.len().checked_sub(1)?;
        if earlier < self.told_before()
            && let Situation::Told(turn) = self.situation()
        {
            return turn.before().map(AnyPosition::Told);
        }
        let mut replay = Replay::of(self);
        replay.go_on(self, earlier, usize::MAX).is_some().then_some(*replay.position())
    }

    /// Whether only a replay finds an earlier position, which takes a device longer than a scan.
    #[must_use]
    pub const fn is_replayed(&self) -> bool {
        self.other.is_some() && !self.is_told()
    }

    #[expect(missing_docs, reason = "`Turn` says what it is")]
    #[must_use]
    pub fn turn(&self) -> Turn {
        self.situation().turn()
    }

    /// The side to move.
    #[must_use]
    pub const fn to_move(&self) -> Color {
        self.situation().to_move()
    }

    /// How many plies were played.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chess.sheet().moves().len()
    }

    /// Whether no ply was played yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The plies from this number on, the first one being number 0.
    pub fn plies_from(&self, number: usize) -> impl DoubleEndedIterator<Item = Ply> + ExactSizeIterator + '_ {
        self.sheet().get(number..).unwrap_or_default().iter().map(|&mv| Ply::of_move(mv))
    }

    /// The plies as they stand on the scoresheet.
    #[must_use]
    pub fn sheet(&self) -> &[chess::Move] {
        self.chess.sheet().moves()
    }

    /// The last ply.
    #[must_use]
    pub fn last(&self) -> Option<Ply> {
        self.plies_from(0).next_back()
    }

    /// How it ended, if it has.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        match &self.other {
            None => self.chess.outcome().map(Verdict::from),
            Some(other) => other.verdict,
        }
    }

    /// Plays a ply. If it ends the game, [`Play::verdict`] says so.
    pub fn play(&mut self, ply: Ply) -> Result<(), PlayError> {
        let is_record = self.len() < self.told_before();
        match &mut self.other {
            None => {
                let mv = ply.to_move().ok_or(PlayError::Illegal(ply))?;
                self.chess.play(mv).map_err(|error| match error {
                    chess::PlayError::Over(outcome) => PlayError::Over(outcome.into()),
                    chess::PlayError::Illegal(_) => PlayError::Illegal(ply),
                    chess::PlayError::Full => PlayError::Full,
                })
            }
            // The plies before the turn that was told are only a record.
            Some(_) if is_record => self.chess.sheet_mut().write(ply.on_sheet()).map_err(|SheetFull| PlayError::Full),
            Some(other) => {
                if let Some(verdict) = other.verdict {
                    return Err(PlayError::Over(verdict));
                }
                let next = other.after(ply).ok_or(PlayError::Illegal(ply))?;
                self.chess.sheet_mut().write(ply.on_sheet()).map_err(|SheetFull| PlayError::Full)?;
                *other = next;
                Ok(())
            }
        }
    }

    /// Plays a ply on a device, which has little time, and returns what it does, if that is known. Whether it ends the game may have to be searched
    /// for: until [`Play::search_on`] says that the search is over, there is no verdict.
    pub fn play_in_parts(&mut self, ply: Ply) -> Result<Option<Made>, PlayError> {
        self.play_as_listed(ply, &Plies::new())
    }

    /// The same with plies of this position that are listed already. In GMO chess the edges that a listed ply crosses are not worked out.
    pub fn play_as_listed(&mut self, ply: Ply, listed: &Plies) -> Result<Option<Made>, PlayError> {
        if let Some(other) = self.other.as_mut().filter(|other| other.verdict.is_none())
            && let AnyPosition::Genome(position) = &other.position
        {
            let played = match listed.trace_of(ply) {
                Some(trace) => position.played_as_listed(ply, trace),
                None => position.played(ply),
            };
            let (next, made) = played.ok_or(PlayError::Illegal(ply))?;
            self.chess.sheet_mut().write(ply.on_sheet()).map_err(|SheetFull| PlayError::Full)?;
            let (verdict, search) = (next.verdict(), next.search());
            *other = Other { start: other.start, position: AnyPosition::Genome(next), verdict, search };
            return Ok(Some(made));
        }
        let made = self.situation().made(ply);
        self.play(ply)?;
        Ok(made)
    }

    /// Goes on with the search for the end of the game after [`Play::play_in_parts`], for about as many instructions. Returns whether it is over.
    pub fn search_on(&mut self, instructions: u32) -> bool {
        self.other.as_mut().is_none_or(|other| other.search_on(instructions))
    }

    /// Whether a search for the end of the game is not over.
    #[must_use]
    pub const fn is_searching(&self) -> bool {
        matches!(&self.other, Some(Other { search: Some(_), .. }))
    }

    /// Takes back the last ply, and with it the end of the game. Returns the ply, if there was one.
    pub fn take_back(&mut self) -> Option<Ply> {
        let (last, len) = (self.last()?, self.len());
        self.take_back_to(len.saturating_sub(1));
        (self.len() < len).then_some(last)
    }

    /// Takes back all plies after the first `plies`, and with them the end of the game. Nothing changes if there are no more
    /// plies than that. In a told game nothing changes either if the turn was told after that ply: only the rules themselves can
    /// [tell](Play::tell) an earlier one.
    pub fn take_back_to(&mut self, plies: usize) {
        if plies >= self.len() || plies < self.told_before() {
            return;
        }
        if self.other.is_none() {
            while self.len() > plies && self.chess.take_back().is_some() {}
            return;
        }
        // The position is large, so there is only one of them on the stack.
        let mut replay = Replay::of(self);
        if replay.go_on(self, plies, usize::MAX).is_some() {
            self.rewind(plies, replay.position());
        }
    }

    /// Takes back all plies after the first `plies`, after which the position was this one. A caller that keeps positions saves the
    /// replay of [`Play::take_back_to`]. Nothing changes in a game of chess, which undoes its moves.
    pub fn rewind(&mut self, plies: usize, position: &AnyPosition) {
        if plies < self.len() && self.other.is_some() {
            self.strike(plies);
            self.place(position);
        }
    }

    /// Strikes all plies after the first `plies` from the record of a game that is not chess, and with them its end. Until [`Play::place`] follows, the
    /// position is the one before: a device finds the other one by a [`Replay`] in parts, and meanwhile nothing may be played.
    pub fn strike(&mut self, plies: usize) {
        if let Some(other) = &mut self.other {
            self.chess.sheet_mut().truncate(plies);
            (other.verdict, other.search) = (None, None);
        }
    }

    /// Sets the position to which the plies on the record have led.
    pub fn place(&mut self, position: &AnyPosition) {
        if let Some(other) = &mut self.other {
            *other = Other { start: other.start, position: *position, verdict: position.verdict(), search: None };
        }
    }

    /// How many plies were played before the turn from which the game can be replayed: 0, except in a told game.
    pub(crate) fn told_before(&self) -> usize {
        match &self.other {
            Some(Other { start: Start::Told(turn), .. }) => usize::from(turn.number()),
            _ => 0,
        }
    }

    /// Whether the game is told: every turn is received, because the rules are in a script.
    #[must_use]
    pub const fn is_told(&self) -> bool {
        matches!(&self.other, Some(Other { start: Start::Told(_), .. }))
    }

    /// Tells the turn of a told game: after the last ply, or an earlier one, to which the game is taken back. Returns whether it belongs to
    /// this game.
    pub fn tell(&mut self, turn: &told::Position) -> bool {
        let number = usize::from(turn.number());
        if !self.is_told() || number > self.len() {
            return false;
        }
        self.chess.sheet_mut().truncate(number);
        self.other = Other::at(&Start::Told(*turn));
        true
    }

    /// Loads the turn of a told game whose first plies are known, at most this many of them. The other plies before the turn, and those
    /// after it, have to be [played](Play::play). A game under other rules starts again with this turn, without plies.
    pub fn load_turn(&mut self, turn: &told::Position, known: usize) {
        let start = Start::Told(*turn);
        if !self.is_told() {
            return self.restart(&start);
        }
        self.chess.sheet_mut().truncate(known.min(turn.number().into()));
        self.other = Other::at(&start);
    }

    /// Ends the game with a verdict that was reached elsewhere: by a relay, or in a log that is replayed. Stating the verdict
    /// that the game already has is allowed and changes nothing.
    pub fn end(&mut self, verdict: Verdict) -> Result<(), EndError> {
        self.search_on(u32::MAX);
        match &mut self.other {
            None => Ok(self.chess.end(verdict.outcome().ok_or(EndError::Unfounded(verdict))?)?),
            Some(other) if other.verdict == Some(verdict) => Ok(()),
            Some(other) => match other.verdict {
                Some(earlier) => Err(EndError::Over(earlier)),
                // What follows from the plies would have happened already.
                None if verdict.is_automatic() => Err(EndError::Unfounded(verdict)),
                None => {
                    other.verdict = Some(verdict);
                    Ok(())
                }
            },
        }
    }

    /// A player resigns.
    pub fn resign(&mut self, loser: Color) -> Result<(), EndError> {
        self.conclude(Verdict::Won { winner: !loser, why: Why::Resignation })
    }

    /// Both players agree on a draw.
    pub fn agree_draw(&mut self) -> Result<(), EndError> {
        self.conclude(Verdict::Drawn(Why::Agreement))
    }

    /// A player's time has run out. That loses, unless the other side could never have won.
    pub fn flag(&mut self, fallen: Color) -> Result<(), EndError> {
        self.conclude(self.verdict_on_time(fallen))
    }

    /// How the game ends if a player's time has run out now.
    #[must_use]
    pub fn verdict_on_time(&self, fallen: Color) -> Verdict {
        match self.chess() {
            Some(game) if !game.position().can_mate(!fallen) => Verdict::Drawn(Why::TimeAgainstBareKing),
            _ => Verdict::Won { winner: !fallen, why: Why::Time },
        }
    }

    /// Ends a game that is not over.
    fn conclude(&mut self, verdict: Verdict) -> Result<(), EndError> {
        match self.verdict() {
            Some(earlier) => Err(EndError::Over(earlier)),
            None => self.end(verdict),
        }
    }

    /// Whether the side to move may claim a draw for this now.
    #[must_use]
    pub fn can_claim(&self, claim: DrawClaim) -> bool {
        self.chess().is_some_and(|game| game.can_claim(claim))
    }

    /// The side to move claims a draw: in the position on the board, or in the one after a ply that it announces and does not play.
    pub fn claim_draw(&mut self, claim: DrawClaim, with: Option<Ply>) -> Result<(), ClaimError> {
        let verdict = self.check_claim(claim, with)?;
        self.end(verdict).map_err(|_| ClaimError::Unfounded(claim))
    }

    /// The verdict that a claim would have, see [`Play::claim_draw`].
    pub fn check_claim(&self, claim: DrawClaim, with: Option<Ply>) -> Result<Verdict, ClaimError> {
        if let Some(verdict) = self.verdict() {
            return Err(ClaimError::Over(verdict));
        }
        if self.other.is_some() {
            return Err(ClaimError::Unfounded(claim));
        }
        let announced = with.map(|ply| ply.to_move().ok_or(ClaimError::Illegal(ply))).transpose()?;
        self.chess.check_claim(claim, announced).map(Verdict::from).map_err(|error| match (error, with) {
            (chess::ClaimError::Over(outcome), _) => ClaimError::Over(outcome.into()),
            (chess::ClaimError::Illegal(_), Some(ply)) => ClaimError::Illegal(ply),
            _ => ClaimError::Unfounded(claim),
        })
    }
}

impl<S: Scoresheet> fmt::Debug for Play<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.other {
            None => self.chess.fmt(f),
            Some(other) => {
                f.debug_struct("Play").field("other", other).field("plies", &self.chess.sheet().moves()).finish()
            }
        }
    }
}

/// Two games are equal if nothing that the rules can see distinguishes them, on any kind of sheet.
impl<S: Scoresheet, T: Scoresheet> PartialEq<Play<T>> for Play<S> {
    fn eq(&self, other: &Play<T>) -> bool {
        match (&self.other, &other.other) {
            (None, None) => self.chess == other.chess,
            (Some(here), Some(there)) => here == there && self.plies_from(0).eq(other.plies_from(0)),
            _ => false,
        }
    }
}

impl<S: Scoresheet> Eq for Play<S> {}

#[cfg(test)]
mod tests {
    use chess::{Bitboard, Square};

    use super::*;

    fn ply(text: &str) -> Ply {
        Ply::of_move(text.parse().expect(text))
    }

    #[test]
    fn plays_and_takes_back_under_both_rule_sets() {
        let mut play = Play::new();
        for start in [Start::CHESS, Start::Breakthrough] {
            play.restart(&start);
            let fresh = play.clone();
            assert_eq!((play.start(), play.len(), play.verdict()), (start, 0, None));
            play.play(ply("e2e3")).expect("legal under both");
            play.play(ply("d7d6")).expect("legal under both");
            assert_eq!(play.play(ply("a1a5")), Err(PlayError::Illegal(ply("a1a5"))));
            assert_eq!(play.last(), Some(ply("d7d6")));
            assert_eq!(play.take_back(), Some(ply("d7d6")));
            assert_eq!(play.take_back(), Some(ply("e2e3")));
            assert_eq!(play.take_back(), None);
            assert_eq!(play, fresh);
            for text in ["e2e3", "d7d6", "a2a3"] {
                play.play(ply(text)).expect("legal under both");
            }
            play.take_back_to(3);
            assert_eq!(play.len(), 3);
            play.take_back_to(1);
            assert_eq!((play.len(), play.last()), (1, Some(ply("e2e3"))));
            play.take_back_to(0);
            assert_eq!(play, fresh);
        }
    }

    #[test]
    fn another_rule_set_ends_by_its_own_rules_or_by_the_players() {
        let mut play = Play::new();
        play.restart(&Start::Breakthrough);
        let rules = Verdict::Won { winner: Color::White, why: Why::Rules };
        assert_eq!(play.end(rules), Err(EndError::Unfounded(rules)));
        assert_eq!(play.claim_draw(DrawClaim::FiftyMoves, None), Err(ClaimError::Unfounded(DrawClaim::FiftyMoves)));
        let mut resigned = play.clone();
        resigned.resign(Color::White).expect("the game is running");
        assert_eq!(resigned.verdict(), Some(Verdict::Won { winner: Color::Black, why: Why::Resignation }));
        for text in ["a2a3", "h7h6", "a3a4", "h6h5", "a4a5", "h5h4", "a5a6", "h4h3", "a6b7", "h3g2", "b7a8"] {
            play.play(ply(text)).expect(text);
        }
        assert_eq!(play.verdict(), Some(rules));
        assert_eq!(play.end(rules), Ok(()));
        assert_eq!(play.play(ply("g2h1")), Err(PlayError::Over(rules)));
    }

    /// A turn in which both sides have a rook and may go to any square of its file.
    fn turn(number: u16, white: Square, black: Square) -> told::Position {
        let mut pieces = [None; 64];
        pieces[usize::from(white.index())] = Some(chess::Piece::WhiteRook);
        pieces[usize::from(black.index())] = Some(chess::Piece::BlackRook);
        let (to_move, own) = if number.is_multiple_of(2) { (Color::White, white) } else { (Color::Black, black) };
        let mut turn = told::Position::new(number, to_move, &pieces);
        for to in Square::all().filter(|to| to.file() == own.file() && *to != own) {
            turn.add(Ply::new(own, to)).expect("there is room");
        }
        turn
    }

    #[test]
    fn a_told_game_goes_on_when_the_next_turn_is_told() {
        let mut play = Play::new();
        let start = turn(0, Square::A1, Square::H8);
        play.restart(&Start::Told(start));
        assert_eq!(play.play(ply("a1b2")), Err(PlayError::Illegal(ply("a1b2"))));
        play.play(ply("a1a4")).expect("told");
        assert_eq!((play.len(), play.to_move(), play.situation().plies().len()), (1, Color::Black, 0));
        assert_eq!(play.before_last(), Some(AnyPosition::Told(start)));
        assert!(play.play(ply("h8h7")).is_err(), "the turn was not told yet");
        let next = turn(1, Square::A4, Square::H8).reached(&start, ply("a1a4"));
        assert!(play.tell(&next) && !play.tell(&turn(2, Square::A4, Square::H7)));
        play.play(ply("h8h7")).expect("told");
        assert_eq!(play.take_back(), Some(ply("h8h7")));
        let before = play.before_last().expect("there was a ply");
        assert_eq!(before.situation().occupied(), start.occupied());
        // Only a told turn can take back more.
        assert_eq!((play.take_back(), play.len()), (None, 1));
        assert!(play.tell(&start));
        assert!(play.is_empty());
    }

    #[test]
    fn a_told_game_is_resumed_from_the_last_turn_and_the_plies_before_it() {
        let mut play = Play::new();
        let turn = turn(2, Square::A4, Square::H7);
        play.restart(&Start::Told(turn));
        for text in ["a1a4", "h8h7", "a4a5"] {
            play.play(ply(text)).expect(text);
        }
        assert_eq!((play.len(), play.to_move(), play.start()), (3, Color::Black, Start::Told(turn)));
        let over = turn.ended(Verdict::Drawn(Why::Rules));
        play.restart(&Start::Told(over));
        for text in ["a1a4", "h8h7"] {
            play.play(ply(text)).expect(text);
        }
        assert_eq!(play.verdict(), Some(Verdict::Drawn(Why::Rules)));
        assert_eq!(play.play(ply("a4a5")), Err(PlayError::Over(Verdict::Drawn(Why::Rules))));
    }

    #[test]
    fn a_told_game_is_loaded_from_a_turn_that_is_ahead_of_its_plies() {
        let mut play = Play::new();
        play.play(ply("e2e4")).expect("legal");
        play.load_turn(&turn(2, Square::A4, Square::H7), 1);
        assert_eq!((play.len(), play.is_told()), (0, true));
        for text in ["a1a4", "h8h7"] {
            play.play(ply(text)).expect(text);
        }
        let next = turn(4, Square::A5, Square::H6);
        play.load_turn(&next, 1);
        assert_eq!((play.len(), play.last()), (1, Some(ply("a1a4"))));
        for text in ["h8h7", "a4a5", "h7h6", "a5a6"] {
            play.play(ply(text)).expect(text);
        }
        assert_eq!((play.len(), play.start()), (5, Start::Told(next)));
    }

    #[test]
    fn a_decoder_of_chess_states_gets_a_game_of_chess() {
        let mut play = Play::new();
        play.restart(&Start::Breakthrough);
        play.play(ply("e2e3")).expect("legal");
        assert!(play.chess().is_none());
        assert!(play.chess_mut().moves().is_empty());
        assert_eq!(play.turn().royal, Bitboard::of(Square::E1) | Square::E8.into());
    }
}
