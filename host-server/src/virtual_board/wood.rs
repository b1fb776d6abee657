use std::fmt;

use chess::{Bitboard, Color, Piece, Position, Role, Square};

/// Who touches the wood: a number for each window that shows it.
pub(super) type Owner = u64;

/// Nobody has more fingers to hold pieces with.
pub(super) const HANDS: u8 = 10;

/// The pieces themselves: what stands on the board, what is in somebody's hand, and what lies beside it.
///
/// The brain never sees this. It only learns which squares are occupied, as on the real board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wood {
    standing: [Option<Piece>; 64],
    held: Vec<Held>,
}

/// A piece in a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) owner: Owner,
    pub(super) hand: u8,
    pub(super) piece: Piece,
    /// Where it is from, if it is not from beside the board.
    pub(super) from: Option<Square>,
}

/// Why hands cannot do what they try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clumsy {
    /// Nothing stands here.
    Nothing(Square),
    /// Something stands here already.
    Taken(Square),
    /// This hand holds something already.
    Full(u8),
    /// This hand holds nothing.
    Empty(u8),
    /// There is no such hand.
    NoHand(u8),
    /// No such piece lies beside the board, and there is no spare one.
    NotBeside(Piece),
}

impl fmt::Display for Clumsy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing(square) => write!(f, "nothing stands on {square}"),
            Self::Taken(square) => write!(f, "something stands on {square} already"),
            Self::Full(hand) => write!(f, "hand {hand} holds a piece already"),
            Self::Empty(hand) => write!(f, "hand {hand} holds nothing"),
            Self::NoHand(hand) => write!(f, "hands have numbers below {HANDS}, not {hand}"),
            Self::NotBeside(piece) => {
                write!(f, "no {} {} lies beside the board", piece.color(), piece.role())
            }
        }
    }
}

impl std::error::Error for Clumsy {}

impl Wood {
    /// All pieces as at the start of a game.
    pub(super) fn set_up() -> Self {
        Self::of(&Position::start())
    }

    /// The pieces of a position, each in its place.
    pub(super) fn of(position: &Position) -> Self {
        Self { standing: *position.board(), held: Vec::new() }
    }

    /// All pieces beside the board.
    pub(super) const fn cleared() -> Self {
        Self { standing: [None; 64], held: Vec::new() }
    }

    /// What stands on a square.
    pub(super) const fn at(&self, square: Square) -> Option<Piece> {
        self.standing[square.index() as usize]
    }

    /// The squares whose reeds feel a magnet.
    pub(super) fn occupied(&self) -> Bitboard {
        Square::all().filter(|&square| self.at(square).is_some()).collect()
    }

    /// What is in hands.
    pub(super) fn held(&self) -> &[Held] {
        &self.held
    }

    /// What lies beside the board: whatever of a set is neither on it nor in a hand.
    pub(super) fn beside(&self) -> impl Iterator<Item = Piece> {
        let start = Position::start();
        let all = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| Piece::new(color, role)));
        all.flat_map(move |piece| {
            let whole = start.board().iter().flatten().filter(|&&other| other == piece).count();
            std::iter::repeat_n(piece, whole.saturating_sub(self.count(piece)))
        })
    }

    fn count(&self, piece: Piece) -> usize {
        let standing = self.standing.iter().flatten().copied();
        standing.chain(self.held.iter().map(|held| held.piece)).filter(|&other| other == piece).count()
    }

    /// Takes a piece up.
    pub(super) fn lift(&mut self, owner: Owner, hand: u8, square: Square) -> Result<(), Clumsy> {
        self.free_hand(owner, hand)?;
        let piece = self.at(square).ok_or(Clumsy::Nothing(square))?;
        self.set(square, None);
        self.held.push(Held { owner, hand, piece, from: Some(square) });
        Ok(())
    }

    /// Takes a piece that lies beside the board. There are spare ones of those that pawns become.
    pub(super) fn take(&mut self, owner: Owner, hand: u8, piece: Piece) -> Result<(), Clumsy> {
        self.free_hand(owner, hand)?;
        let has_spares = !matches!(piece.role(), Role::Pawn | Role::King);
        if !has_spares && !self.beside().any(|other| other == piece) {
            return Err(Clumsy::NotBeside(piece));
        }
        self.held.push(Held { owner, hand, piece, from: None });
        Ok(())
    }

    /// Puts down what a hand holds.
    pub(super) fn put(&mut self, owner: Owner, hand: u8, square: Square) -> Result<(), Clumsy> {
        let at = self.position(owner, hand)?;
        if self.at(square).is_some() {
            return Err(Clumsy::Taken(square));
        }
        let held = self.held.remove(at);
        self.set(square, Some(held.piece));
        Ok(())
    }

    /// Puts what a hand holds beside the board.
    pub(super) fn put_aside(&mut self, owner: Owner, hand: u8) -> Result<(), Clumsy> {
        let at = self.position(owner, hand)?;
        self.held.remove(at);
        Ok(())
    }

    /// Pushes a piece along the wood to another square.
    pub(super) fn slide(&mut self, from: Square, to: Square) -> Result<(), Clumsy> {
        let piece = self.at(from).ok_or(Clumsy::Nothing(from))?;
        if self.at(to).is_some() {
            return Err(Clumsy::Taken(to));
        }
        self.set(from, None);
        self.set(to, Some(piece));
        Ok(())
    }

    /// Takes what stands on a square beside the board.
    pub(super) fn tip_off(&mut self, square: Square) -> Result<(), Clumsy> {
        self.at(square).ok_or(Clumsy::Nothing(square))?;
        self.set(square, None);
        Ok(())
    }

    /// Somebody goes, and puts everything back to where it was, as far as there is room. The rest lies beside the board.
    pub(super) fn let_go(&mut self, owner: Owner) {
        for held in std::mem::take(&mut self.held) {
            if held.owner != owner {
                self.held.push(held);
            } else if let Some(from) = held.from.filter(|&from| self.at(from).is_none()) {
                self.set(from, Some(held.piece));
            }
        }
    }

    fn free_hand(&self, owner: Owner, hand: u8) -> Result<(), Clumsy> {
        if hand >= HANDS {
            return Err(Clumsy::NoHand(hand));
        }
        match self.position(owner, hand) {
            Ok(_) => Err(Clumsy::Full(hand)),
            Err(_) => Ok(()),
        }
    }

    fn position(&self, owner: Owner, hand: u8) -> Result<usize, Clumsy> {
        let is_it = |held: &Held| held.owner == owner && held.hand == hand;
        self.held.iter().position(is_it).ok_or(Clumsy::Empty(hand))
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
    fn a_piece_is_lifted_and_put_down_elsewhere() {
        let mut wood = Wood::set_up();
        assert_eq!(wood.lift(ME, 0, Square::G1), Ok(()));
        assert_eq!(wood.lift(YOU, 0, Square::G1), Err(Clumsy::Nothing(Square::G1)));
        assert_eq!(wood.lift(ME, 0, Square::B1), Err(Clumsy::Full(0)));
        assert_eq!(wood.lift(ME, HANDS, Square::B1), Err(Clumsy::NoHand(HANDS)));
        assert_eq!(wood.put(YOU, 0, Square::F3), Err(Clumsy::Empty(0)));
        assert_eq!(wood.put(ME, 0, Square::E2), Err(Clumsy::Taken(Square::E2)));
        assert_eq!(wood.put(ME, 0, Square::F3), Ok(()));
        assert_eq!(wood.at(Square::F3), Some(Piece::WhiteKnight));
        assert_eq!((wood.occupied().count(), wood.held().len(), wood.beside().count()), (32, 0, 0));
    }

    #[test]
    fn what_is_nowhere_else_lies_beside_the_board() {
        let mut wood = Wood::set_up();
        wood.lift(ME, 3, Square::D8).unwrap();
        assert_eq!(wood.beside().count(), 0);
        wood.put_aside(ME, 3).unwrap();
        assert_eq!(wood.beside().collect::<Vec<_>>(), [Piece::BlackQueen]);
        wood.take(ME, 0, Piece::BlackQueen).unwrap();
        assert_eq!(wood.beside().count(), 0);
        // There is always another queen, and it goes back to where it is from.
        wood.take(YOU, 0, Piece::BlackQueen).unwrap();
        wood.put_aside(YOU, 0).unwrap();
        assert_eq!(wood.beside().count(), 0);
        assert_eq!(wood.take(YOU, 0, Piece::WhitePawn), Err(Clumsy::NotBeside(Piece::WhitePawn)));
        assert_eq!(Wood::cleared().beside().count(), 32);
    }

    #[test]
    fn a_piece_slides_only_to_where_there_is_room() {
        let mut wood = Wood::set_up();
        assert_eq!(wood.slide(Square::D1, Square::D2), Err(Clumsy::Taken(Square::D2)));
        assert_eq!(wood.slide(Square::E4, Square::E5), Err(Clumsy::Nothing(Square::E4)));
        assert_eq!(wood.slide(Square::E2, Square::E3), Ok(()));
        assert_eq!((wood.at(Square::E2), wood.at(Square::E3)), (None, Some(Piece::WhitePawn)));
    }

    #[test]
    fn who_goes_puts_everything_back() {
        let mut wood = Wood::set_up();
        wood.lift(ME, 0, Square::E2).unwrap();
        wood.lift(ME, 1, Square::D1).unwrap();
        wood.lift(YOU, 0, Square::G1).unwrap();
        wood.put(YOU, 0, Square::D1).unwrap();
        wood.lift(YOU, 5, Square::H8).unwrap();
        wood.let_go(ME);
        assert_eq!((wood.at(Square::E2), wood.at(Square::D1)), (Some(Piece::WhitePawn), Some(Piece::WhiteKnight)));
        assert_eq!((wood.held().len(), wood.beside().collect::<Vec<_>>()), (1, vec![Piece::WhiteQueen]));
    }
}
