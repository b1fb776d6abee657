use chess::{Bitboard, Color, Piece, Role, Square};

use super::changes::{self, Entries, Full};
use super::difference::{at, footprint_between};
use crate::chess as chess_rules;
use crate::footprint::Footprint;
use crate::look::Look;
use crate::notation::NotationError;
use crate::plies::Plies;
use crate::ply::Ply;
use crate::turn::Turn;
use crate::verdict::Verdict;

/// The most plies of a turn.
pub const MAX_MOVES: usize = 256;

/// The memory for footprints that are more than one piece that moves and captures what it lands on, in bytes. A footprint takes two bytes and
/// one for every square that it changes; one that does not fit is not told, and the lights guide the pieces after the ply.
pub const MAX_CHANGES: usize = 448;

/// The piece on every square, from a1.
pub type Pieces = [Option<Piece>; 64];

/// A turn as it was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// How many plies were played before.
    number: u16,
    to_move: Color,
    verdict: Option<Verdict>,
    pieces: Pieces,
    white: Bitboard,
    black: Bitboard,
    last: Option<Last>,
    /// How many of the plies count.
    count: u16,
    plies: [Ply; MAX_MOVES],
    /// How many bytes of the changes count.
    used: u16,
    changes: [u8; MAX_CHANGES],
}

/// The ply that led to a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Last {
    pub footprint: Footprint,
    /// The squares of White's pieces before it.
    pub white: Bitboard,
    /// The squares of Black's pieces before it.
    pub black: Bitboard,
}

/// What a position takes of the memory of a device.
const POSITION_BYTES: usize = 1_152;
const _: () = assert!(size_of::<Position>() <= POSITION_BYTES, "it takes no more than a position of GMO chess");

const NO_PLY: Ply = Ply::from_bits(0);

impl Position {
    /// A turn without plies.
    #[must_use]
    pub fn new(number: u16, to_move: Color, pieces: &Pieces) -> Self {
        let of = |color| {
            Square::all()
                .filter(move |&square| at(pieces, square).is_some_and(|piece| piece.color() == color))
                .collect()
        };
        Self {
            number,
            to_move,
            verdict: None,
            pieces: *pieces,
            white: of(Color::White),
            black: of(Color::Black),
            last: None,
            count: 0,
            plies: [NO_PLY; MAX_MOVES],
            used: 0,
            changes: [0; MAX_CHANGES],
        }
    }

    /// The same turn, in which the game is over.
    #[must_use]
    pub const fn ended(self, verdict: Verdict) -> Self {
        Self { verdict: Some(verdict), ..self }
    }

    /// The same turn, to which a ply has led from a position with these pieces.
    #[must_use]
    pub fn reached(self, before: &Self, ply: Ply) -> Self {
        let mut footprint = footprint_between(&before.pieces, &self.pieces, ply);
        if at(&before.pieces, ply.from()) == at(&self.pieces, ply.from()) {
            // Who repeats the ply need not touch a piece that stays.
            footprint.lifts = footprint.lifts.without(ply.from().into());
            footprint.places = footprint.places.without(ply.from().into());
        }
        self.after_last(Last { footprint, white: before.white, black: before.black })
    }

    /// The same turn with the ply that led to it.
    #[must_use]
    pub const fn after_last(self, last: Last) -> Self {
        Self { last: Some(last), ..self }
    }

    /// Adds a ply, without a choice. One that does not start at a piece of the side to move, and one that is there already, changes nothing.
    pub fn add(&mut self, ply: Ply) -> Result<(), Full> {
        let ply = ply.choosing(0);
        if !self.turn_of(self.to_move).has(ply.from()) || self.index(ply).is_some() {
            return Ok(());
        }
        *self.plies.get_mut(usize::from(self.count)).ok_or(Full)? = ply;
        self.count = self.count.saturating_add(1);
        Ok(())
    }

    /// Tells the footprint of a ply of this turn. Without it, one piece moves and captures what it lands on.
    pub fn add_footprint(&mut self, footprint: &Footprint) -> Result<(), Full> {
        let Some(index) = self.index(footprint.ply) else { return Ok(()) };
        if *footprint == self.usual(footprint.ply) || self.told(index, footprint.ply).is_some() {
            return Ok(());
        }
        let used = changes::insert(index, footprint, &mut self.changes, usize::from(self.used))?;
        self.used = u16::try_from(used).map_err(|_| Full)?;
        Ok(())
    }

    /// The same turn with footprints in the form of [`Position::changes`]; nothing if they are not valid.
    #[must_use]
    pub fn with_changes(mut self, bytes: &[u8]) -> Option<Self> {
        if !changes::are_valid(bytes, usize::from(self.count)) {
            return None;
        }
        if bytes.len() > MAX_CHANGES {
            return None;
        }
        for (slot, &byte) in self.changes.iter_mut().zip(bytes) {
            *slot = byte;
        }
        self.used = u16::try_from(bytes.len()).ok()?;
        Some(self)
    }

    /// How many plies were played before.
    #[must_use]
    pub const fn number(&self) -> u16 {
        self.number
    }

    #[expect(missing_docs, reason = "the name says it")]
    #[must_use]
    pub const fn pieces(&self) -> &Pieces {
        &self.pieces
    }

    /// The plies of the turn.
    #[must_use]
    pub fn told_plies(&self) -> &[Ply] {
        self.plies.get(..usize::from(self.count)).unwrap_or_default()
    }

    /// The footprints that were told, in the order of their plies, for each of them the number of its ply, the number of changes, and the changes: the square in six bits,
    /// and in the two highest 0 if a piece leaves it for another square, 1 if a piece comes to it, 2 if a piece leaves the board.
    #[must_use]
    pub fn changes(&self) -> &[u8] {
        self.changes.get(..usize::from(self.used)).unwrap_or_default()
    }

    /// The ply that led to this turn.
    #[must_use]
    pub const fn last(&self) -> Option<&Last> {
        self.last.as_ref()
    }

    /// How the game ended, if it has.
    #[must_use]
    pub const fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }

    #[expect(missing_docs, reason = "the name says it")]
    #[must_use]
    pub const fn to_move(&self) -> Color {
        self.to_move
    }

    pub(crate) const fn occupied(&self) -> Bitboard {
        Bitboard(self.white.0 | self.black.0)
    }

    const fn turn_of(&self, color: Color) -> Bitboard {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    pub(crate) fn turn(&self) -> Turn {
        let Self { to_move, white, black, .. } = *self;
        Turn { to_move, white, black, royal: self.royal(), checked: Bitboard::EMPTY }
    }

    /// The kings, if each side has one, and no ply brings them together: then two kings in the centre can be a sign of the players.
    pub(crate) fn royal(&self) -> Bitboard {
        let kings = |color| {
            let king = Some(Piece::new(color, Role::King));
            Square::all().filter(move |&square| at(&self.pieces, square) == king).collect::<Bitboard>()
        };
        let (white, black) = (kings(Color::White), kings(Color::Black));
        let is_single = |side: Bitboard| side.any() && !side.several();
        if !is_single(white) || !is_single(black) {
            return Bitboard::EMPTY;
        }
        let royal = white | black;
        let meet = |ply: &Ply| {
            royal.has(ply.from()) && royal.without(ply.from().into()).squares().any(|other| is_near(ply.to(), other))
        };
        if self.told_plies().iter().any(meet) { Bitboard::EMPTY } else { royal }
    }

    fn index(&self, ply: Ply) -> Option<u8> {
        let index = self.told_plies().iter().position(|&other| other == ply)?;
        u8::try_from(index).ok()
    }

    /// The footprint of one piece that moves and captures what it lands on.
    fn usual(&self, ply: Ply) -> Footprint {
        let target = if ply.from() == ply.to() { Bitboard::EMPTY } else { Bitboard::of(ply.to()) };
        Footprint::of_one(ply, self.occupied(), self.occupied() & target)
    }

    fn told(&self, index: u8, ply: Ply) -> Option<Footprint> {
        self.entries().footprint(index, ply, self.occupied())
    }

    pub(crate) fn footprint(&self, ply: Ply) -> Option<Footprint> {
        let index = self.index(ply)?;
        Some(self.told(index, ply).unwrap_or_else(|| self.usual(ply)))
    }

    /// The footprints that were told, to be asked for in the order of the plies.
    pub(crate) fn entries(&self) -> Entries<'_> {
        Entries::of(self.changes())
    }

    /// The footprint of the ply with this number.
    pub(crate) fn footprint_of(&self, index: usize, entries: &mut Entries<'_>) -> Option<Footprint> {
        let ply = *self.told_plies().get(index)?;
        let told = entries.footprint(u8::try_from(index).ok()?, ply, self.occupied());
        Some(told.unwrap_or_else(|| self.usual(ply)))
    }

    pub(crate) fn plies(&self) -> Plies {
        self.told_plies().iter().copied().collect()
    }

    /// The position after a ply, until it is told: the pieces stand as the footprint says, and no ply is possible.
    pub(crate) fn after(&self, ply: Ply) -> Option<Self> {
        let footprint = self.footprint(ply).filter(|_| self.verdict.is_none())?;
        let mut pieces = self.pieces;
        let mut put = |square: Square, piece: Option<Piece>| {
            if let Some(slot) = pieces.get_mut(usize::from(square.index())) {
                *slot = piece;
            }
        };
        let mover = at(&self.pieces, ply.from());
        for square in (footprint.lifts | footprint.captured).squares() {
            put(square, None);
        }
        let mut others = footprint.other_lifts().squares().filter_map(|square| at(&self.pieces, square));
        for square in footprint.places.squares() {
            let piece = if square == ply.to() { mover } else { others.next().or(mover) };
            put(square, piece);
        }
        let awaited = Self::new(self.number.saturating_add(1), !self.to_move, &pieces);
        Some(awaited.after_last(Last { footprint, white: self.white, black: self.black }))
    }

    /// The position before the last ply, as far as it is known: with that ply only.
    pub(crate) fn before(&self) -> Option<Self> {
        let Last { footprint, white, black } = self.last?;
        let mut pieces = [None; 64];
        for (slot, square) in pieces.iter_mut().zip(Square::all()) {
            let color = if white.has(square) { Some(Color::White) } else { None };
            let color = color.or(if black.has(square) { Some(Color::Black) } else { None });
            // Which piece it was is not known, and does not matter to the reeds.
            *slot = color.map(|color| Piece::new(color, Role::Pawn));
        }
        let mut before = Self::new(self.number.checked_sub(1)?, !self.to_move, &pieces);
        before.add(footprint.ply).ok()?;
        before.add_footprint(&footprint).ok()?;
        Some(before)
    }
}

/// Whether two squares are the same or touch each other.
fn is_near(one: Square, other: Square) -> bool {
    let files = one.file().index().abs_diff(other.file().index());
    let ranks = one.rank().index().abs_diff(other.rank().index());
    files <= 1 && ranks <= 1
}

/// What people see of a turn.
impl Position {
    pub(crate) fn look(&self, square: Square) -> Option<Look<'static>> {
        Some(chess_rules::look_of(at(&self.pieces, square)?))
    }

    pub(crate) fn read(&self, text: &str) -> Result<Ply, NotationError> {
        let ply: Ply = text.parse().map_err(NotationError::Unexpected)?;
        if self.index(ply).is_some() { Ok(ply) } else { Err(NotationError::Illegal) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Position {
        let mut pieces = [None; 64];
        for (square, piece) in [
            (Square::E1, Piece::WhiteKing),
            (Square::H1, Piece::WhiteRook),
            (Square::E8, Piece::BlackKing),
            (Square::H8, Piece::BlackRook),
        ] {
            pieces[usize::from(square.index())] = Some(piece);
        }
        let mut position = Position::new(0, Color::White, &pieces);
        for text in ["h1h8", "h1h2", "e1g1", "e1e2"] {
            position.add(text.parse().expect(text)).expect("there is room");
        }
        position
    }

    fn castling() -> Footprint {
        let ply = Ply::new(Square::E1, Square::G1);
        Footprint::of_several(ply, start().occupied(), Square::H1.into(), Square::F1.into(), Bitboard::EMPTY)
    }

    #[test]
    fn a_ply_moves_one_piece_unless_a_footprint_is_sent() {
        let mut position = start();
        let captures = position.footprint(Ply::new(Square::H1, Square::H8)).expect("told");
        assert_eq!(captures.captured, Square::H8.into());
        assert_eq!(position.footprint(Ply::new(Square::H1, Square::H7)), None);
        position.add_footprint(&captures).expect("nothing to write");
        assert!(position.changes().is_empty());
        position.add_footprint(&castling()).expect("there is room");
        assert_eq!(position.footprint(castling().ply), Some(castling()));
        let again = start().with_changes(position.changes()).expect("valid");
        assert_eq!(again, position);
        assert_eq!(start().with_changes(&[9, 1, 0]), None);
        assert_eq!(start().with_changes(&[0, 2, 0]), None);
    }

    #[test]
    fn footprints_can_be_added_in_any_order() {
        let several = |text: &str, captured: Square| {
            Footprint::of_one(text.parse().expect(text), start().occupied(), Bitboard::of(captured))
        };
        let footprints =
            [several("h1h2", Square::E8), several("h1h8", Square::E8), castling(), several("e1e2", Square::H8)];
        let tell = |order: [usize; 4]| {
            let mut position = start();
            for index in order {
                position.add_footprint(&footprints[index]).expect("there is room");
            }
            position
        };
        let told = tell([0, 1, 2, 3]);
        for order in [[3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]] {
            assert_eq!(tell(order), told);
        }
        let plies = told.plies();
        let options = crate::Options { here: crate::Situation::Told(&told), plies: &plies };
        let expected = plies.iter().map(|&ply| told.footprint(ply).expect("told"));
        assert!(options.footprints().eq(expected));
        assert!(footprints.iter().all(|footprint| options.footprints().any(|found| found == *footprint)));
        // Two footprints of one ply, and the wrong order.
        assert_eq!(start().with_changes(&[1, 1, 0, 1, 1, 0]), None);
        assert_eq!(start().with_changes(&[1, 1, 0, 0, 1, 0]), None);
    }

    #[test]
    fn the_next_position_is_awaited_until_it_is_told() {
        let mut position = start();
        position.add_footprint(&castling()).expect("there is room");
        let next = position.after(castling().ply).expect("told");
        assert_eq!((next.number(), next.to_move(), next.plies().len()), (1, Color::Black, 0));
        assert_eq!(next.occupied(), castling().after);
        assert_eq!(next.pieces()[5], Some(Piece::WhiteRook));
        let before = next.before().expect("there was a ply");
        assert_eq!((before.occupied(), before.to_move()), (position.occupied(), Color::White));
        assert_eq!(before.footprint(castling().ply), Some(castling()));
        assert_eq!(start().ended(Verdict::Drawn(crate::Why::Rules)).after(castling().ply), None);
    }

    #[test]
    fn a_turn_has_room_for_256_plies() {
        let own = [Square::A1, Square::B1, Square::C1, Square::D1, Square::E1];
        let mut pieces = [None; 64];
        for square in own {
            pieces[usize::from(square.index())] = Some(Piece::WhiteRook);
        }
        let mut position = Position::new(0, Color::White, &pieces);
        let plies = own.into_iter().flat_map(|from| Square::all().map(move |to| Ply::new(from, to)));
        let added = plies.map(|ply| position.add(ply)).take_while(Result::is_ok).count();
        assert_eq!((added, position.told_plies().len()), (MAX_MOVES, MAX_MOVES));
        // It is not White's piece.
        assert_eq!(position.add(Ply::new(Square::H8, Square::A5)), Ok(()));
    }

    #[test]
    fn kings_that_can_meet_are_not_royal() {
        let kings = Bitboard::of(Square::E1) | Square::E8.into();
        assert_eq!(start().royal(), kings);
        let mut position = start();
        position.add(Ply::new(Square::E1, Square::D7)).expect("there is room");
        assert_eq!(position.royal(), Bitboard::EMPTY);
    }
}
