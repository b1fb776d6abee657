//! Piece placement of a virtual board: on squares, in hands and beside the board.

use chess::{Bitboard, Color, Piece, Position, Role, Square};

/// Number of the browser that holds a piece.
pub(super) type Owner = u64;

/// Number of hands of one browser: one per finger on a touch screen.
pub(super) const HANDS: u8 = 10;

/// All pieces. The board's core sees only the occupied squares, as on a wooden board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pieces {
    standing: [Option<Piece>; 64],
    held: Vec<Held>,
}

/// A piece in a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) owner: Owner,
    pub(super) hand: u8,
    pub(super) piece: Piece,
    /// The square that it was lifted from; `None` if it comes from beside the board.
    pub(super) from: Option<Square>,
}

/// Why a command is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum TouchError {
    #[error("{0} is empty")]
    Nothing(Square),
    #[error("{0} is occupied")]
    Taken(Square),
    #[error("hand {0} already holds a piece")]
    Full(u8),
    #[error("hand {0} is empty")]
    Empty(u8),
    #[error("the number of a hand must be below {HANDS}, not {0}")]
    NoHand(u8),
    #[error("no {} {} beside the board", .0.color(), .0.role())]
    NotBeside(Piece),
}

impl Pieces {
    /// The start position.
    pub(super) fn set_up() -> Self {
        Self::of(&Position::start())
    }

    pub(super) fn of(position: &Position) -> Self {
        Self { standing: *position.board(), held: Vec::new() }
    }

    /// All pieces beside the board.
    pub(super) const fn cleared() -> Self {
        Self { standing: [None; 64], held: Vec::new() }
    }

    pub(super) const fn at(&self, square: Square) -> Option<Piece> {
        self.standing[square.index() as usize]
    }

    pub(super) fn occupied(&self) -> Bitboard {
        Square::all().filter(|&square| self.at(square).is_some()).collect()
    }

    pub(super) fn held(&self) -> &[Held] {
        &self.held
    }

    /// The pieces of a set that are neither on the board nor in a hand.
    pub(super) fn beside(&self) -> impl Iterator<Item = Piece> {
        let start = Position::start();
        let all = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| Piece::new(color, role)));
        all.flat_map(move |piece| {
            let whole = start.board().iter().flatten().filter(|&&other| other == piece).count();
            std::iter::repeat_n(piece, whole.saturating_sub(self.count(piece)))
        })
    }

    /// Spare pieces for promotion; there is always another one beside the board.
    pub(super) fn spares() -> impl Iterator<Item = Piece> {
        let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
        Color::ALL.into_iter().flat_map(move |color| roles.map(|role| Piece::new(color, role)))
    }

    fn count(&self, piece: Piece) -> usize {
        let standing = self.standing.iter().flatten().copied();
        standing.chain(self.held.iter().map(|held| held.piece)).filter(|&other| other == piece).count()
    }

    pub(super) fn lift(&mut self, owner: Owner, hand: u8, square: Square) -> Result<(), TouchError> {
        self.free_hand(owner, hand)?;
        let piece = self.at(square).ok_or(TouchError::Nothing(square))?;
        self.set(square, None);
        self.held.push(Held { owner, hand, piece, from: Some(square) });
        Ok(())
    }

    /// Takes a captured or spare piece from beside the board.
    pub(super) fn take(&mut self, owner: Owner, hand: u8, piece: Piece) -> Result<(), TouchError> {
        self.free_hand(owner, hand)?;
        if !Self::spares().chain(self.beside()).any(|other| other == piece) {
            return Err(TouchError::NotBeside(piece));
        }
        self.held.push(Held { owner, hand, piece, from: None });
        Ok(())
    }

    pub(super) fn put(&mut self, owner: Owner, hand: u8, square: Square) -> Result<(), TouchError> {
        let at = self.position(owner, hand)?;
        if self.at(square).is_some() {
            return Err(TouchError::Taken(square));
        }
        let held = self.held.remove(at);
        self.set(square, Some(held.piece));
        Ok(())
    }

    /// Puts the piece of a hand beside the board.
    pub(super) fn put_aside(&mut self, owner: Owner, hand: u8) -> Result<(), TouchError> {
        let at = self.position(owner, hand)?;
        self.held.remove(at);
        Ok(())
    }

    /// Pushes a piece to another square without lifting it.
    pub(super) fn slide(&mut self, from: Square, to: Square) -> Result<(), TouchError> {
        let piece = self.at(from).ok_or(TouchError::Nothing(from))?;
        if self.at(to).is_some() {
            return Err(TouchError::Taken(to));
        }
        self.set(from, None);
        self.set(to, Some(piece));
        Ok(())
    }

    /// Moves a piece that fell over beside the board.
    pub(super) fn remove(&mut self, square: Square) -> Result<(), TouchError> {
        self.at(square).ok_or(TouchError::Nothing(square))?;
        self.set(square, None);
        Ok(())
    }

    /// Puts all pieces of a browser back on their squares; beside the board if the square is occupied.
    pub(super) fn let_go(&mut self, owner: Owner) {
        for held in std::mem::take(&mut self.held) {
            if held.owner != owner {
                self.held.push(held);
            } else if let Some(from) = held.from.filter(|&from| self.at(from).is_none()) {
                self.set(from, Some(held.piece));
            }
        }
    }

    fn free_hand(&self, owner: Owner, hand: u8) -> Result<(), TouchError> {
        if hand >= HANDS {
            return Err(TouchError::NoHand(hand));
        }
        match self.position(owner, hand) {
            Ok(_) => Err(TouchError::Full(hand)),
            Err(_) => Ok(()),
        }
    }

    fn position(&self, owner: Owner, hand: u8) -> Result<usize, TouchError> {
        let is_it = |held: &Held| held.owner == owner && held.hand == hand;
        self.held.iter().position(is_it).ok_or(TouchError::Empty(hand))
    }

    const fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.standing[square.index() as usize] = piece;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: Owner = 1;
    const YOU: Owner = 2;

    #[test]
    fn a_piece_is_lifted_and_put_on_another_square() {
        let mut pieces = Pieces::set_up();
        assert_eq!(pieces.lift(ME, 0, Square::G1), Ok(()));
        assert_eq!(pieces.lift(YOU, 0, Square::G1), Err(TouchError::Nothing(Square::G1)));
        assert_eq!(pieces.lift(ME, 0, Square::B1), Err(TouchError::Full(0)));
        assert_eq!(pieces.lift(ME, HANDS, Square::B1), Err(TouchError::NoHand(HANDS)));
        assert_eq!(pieces.put(YOU, 0, Square::F3), Err(TouchError::Empty(0)));
        assert_eq!(pieces.put(ME, 0, Square::E2), Err(TouchError::Taken(Square::E2)));
        assert_eq!(pieces.put(ME, 0, Square::F3), Ok(()));
        assert_eq!(pieces.at(Square::F3), Some(Piece::WhiteKnight));
        assert_eq!((pieces.occupied().count(), pieces.held().len(), pieces.beside().count()), (32, 0, 0));
    }

    #[test]
    fn a_missing_piece_is_beside_the_board() {
        let mut pieces = Pieces::set_up();
        pieces.lift(ME, 3, Square::D8).unwrap();
        assert_eq!(pieces.beside().count(), 0);
        pieces.put_aside(ME, 3).unwrap();
        assert_eq!(pieces.beside().collect::<Vec<_>>(), [Piece::BlackQueen]);
        pieces.take(ME, 0, Piece::BlackQueen).unwrap();
        assert_eq!(pieces.beside().count(), 0);
        // There is always a spare queen.
        pieces.take(YOU, 0, Piece::BlackQueen).unwrap();
        pieces.put_aside(YOU, 0).unwrap();
        assert_eq!(pieces.beside().count(), 0);
        assert_eq!(pieces.take(YOU, 0, Piece::WhitePawn), Err(TouchError::NotBeside(Piece::WhitePawn)));
        assert_eq!(Pieces::cleared().beside().count(), 32);
    }

    #[test]
    fn a_piece_slides_only_to_a_free_square() {
        let mut pieces = Pieces::set_up();
        assert_eq!(pieces.slide(Square::D1, Square::D2), Err(TouchError::Taken(Square::D2)));
        assert_eq!(pieces.slide(Square::E4, Square::E5), Err(TouchError::Nothing(Square::E4)));
        assert_eq!(pieces.slide(Square::E2, Square::E3), Ok(()));
        assert_eq!((pieces.at(Square::E2), pieces.at(Square::E3)), (None, Some(Piece::WhitePawn)));
    }

    #[test]
    fn pieces_of_a_disconnected_browser_are_put_back() {
        let mut pieces = Pieces::set_up();
        pieces.lift(ME, 0, Square::E2).unwrap();
        pieces.lift(ME, 1, Square::D1).unwrap();
        pieces.lift(YOU, 0, Square::G1).unwrap();
        pieces.put(YOU, 0, Square::D1).unwrap();
        pieces.lift(YOU, 5, Square::H8).unwrap();
        pieces.let_go(ME);
        assert_eq!((pieces.at(Square::E2), pieces.at(Square::D1)), (Some(Piece::WhitePawn), Some(Piece::WhiteKnight)));
        assert_eq!((pieces.held().len(), pieces.beside().collect::<Vec<_>>()), (1, vec![Piece::WhiteQueen]));
    }
}
