use chess::{Bitboard, Piece, Position, Square};

/// The pieces themselves: what stands on the board, what is in the hand, and what lies beside it.
///
/// The brain never sees this. It only learns which squares are occupied, as on the real board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wood {
    standing: [Option<Piece>; 64],
    /// What is in the hand; the last goes down first.
    hand: Vec<Held>,
    /// The box beside the board.
    aside: Vec<Piece>,
    /// The square that the last piece in the hand still rests on, while it is pushed and not carried.
    pushed: Option<Square>,
}

/// A piece in the hand, and where it is from, if it is not from the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held {
    piece: Piece,
    from: Option<Square>,
}

impl Wood {
    /// No pieces at all.
    const EMPTY: Self = Self { standing: [None; 64], hand: Vec::new(), aside: Vec::new(), pushed: None };

    /// All pieces of a position, each in its place.
    pub(super) fn of(position: &Position) -> Self {
        Self { standing: *position.board(), ..Self::EMPTY }
    }

    /// The same set with all pieces in the box.
    pub(super) fn packed(&self) -> Self {
        let standing = self.standing.iter().flatten().copied();
        Self { aside: standing.chain(self.in_hand()).chain(self.aside.iter().copied()).collect(), ..Self::EMPTY }
    }

    /// What stands on a square, or is being pushed across it.
    pub(super) fn at(&self, square: Square) -> Option<Piece> {
        if self.pushed == Some(square) { self.in_hand().last() } else { self.standing(square) }
    }

    /// The squares whose reeds feel a magnet.
    pub(super) fn occupied(&self) -> Bitboard {
        Square::all().filter(|&square| self.at(square).is_some()).collect()
    }

    /// What is in the hand; the last goes down first.
    pub(super) fn in_hand(&self) -> impl DoubleEndedIterator<Item = Piece> {
        self.hand.iter().map(|held| held.piece)
    }

    /// The piece that would go down next, unless it is being pushed and on the board already.
    pub(super) fn in_the_air(&self) -> Option<Piece> {
        self.in_hand().next_back().filter(|_| self.pushed.is_none())
    }

    /// What lies in the box.
    pub(super) fn aside(&self) -> &[Piece] {
        &self.aside
    }

    /// Takes a piece up into the hand. False if there is none.
    pub(super) fn lift(&mut self, square: Square) -> bool {
        let Some(piece) = self.standing(square) else { return false };
        self.set(square, None);
        self.hand.push(Held { piece, from: Some(square) });
        self.pushed = None;
        true
    }

    /// Takes hold of a piece without lifting it, to push it. False if there is none.
    pub(super) fn grip(&mut self, square: Square) -> bool {
        let lifted = self.lift(square);
        if lifted {
            self.pushed = Some(square);
        }
        lifted
    }

    /// Pushes the last piece in the hand to a square. False if it does not come to stand there: over a square that is
    /// taken it is carried.
    pub(super) fn push(&mut self, to: Square) -> bool {
        self.pushed = Some(to).filter(|&to| !self.hand.is_empty() && self.standing(to).is_none());
        self.pushed.is_some()
    }

    /// Takes a piece that was pushed off the board.
    pub(super) const fn raise(&mut self) {
        self.pushed = None;
    }

    /// Puts the last piece in the hand down. False if there is none, or something stands there.
    pub(super) fn put(&mut self, square: Square) -> bool {
        if self.standing(square).is_some() {
            return false;
        }
        let Some(held) = self.hand.pop() else { return false };
        self.set(square, Some(held.piece));
        self.pushed = None;
        true
    }

    /// Puts the last piece in the hand back to where it is from. False if that cannot be done.
    pub(super) fn put_back(&mut self) -> bool {
        match self.hand.last() {
            Some(Held { from: Some(square), .. }) => self.put(*square),
            _ => self.lay_down(),
        }
    }

    /// Takes what stands on a square off the board and into the box; if nothing does, what was lifted last. False if
    /// there is nothing at all.
    pub(super) fn lay_aside(&mut self, square: Square) -> bool {
        let Some(piece) = self.standing(square) else { return self.lay_down() };
        self.set(square, None);
        self.aside.push(piece);
        true
    }

    /// Takes a piece out of the box; if it is not there, out of that of another set.
    pub(super) fn take(&mut self, piece: Piece) {
        if let Some(index) = self.aside.iter().rposition(|&other| other == piece) {
            self.aside.remove(index);
        }
        self.hand.push(Held { piece, from: None });
        self.pushed = None;
    }

    /// Another of the pieces in the hand is the next to go down.
    pub(super) fn shuffle(&mut self) {
        self.pushed = None;
        if !self.hand.is_empty() {
            self.hand.rotate_right(1);
        }
    }

    /// Puts what was lifted last into the box. False if the hand is empty.
    pub(super) fn lay_down(&mut self) -> bool {
        let Some(held) = self.hand.pop() else { return false };
        self.aside.push(held.piece);
        self.pushed = None;
        true
    }

    fn standing(&self, square: Square) -> Option<Piece> {
        self.standing[usize::from(square.index())]
    }

    fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.standing[usize::from(square.index())] = piece;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Wood {
        Wood::of(&Position::start())
    }

    #[test]
    fn a_piece_is_lifted_and_put_down_elsewhere() {
        let mut wood = start();
        assert!(wood.lift(Square::G1) && !wood.lift(Square::G1));
        assert_eq!(wood.at(Square::G1), None);
        assert_eq!(wood.in_hand().collect::<Vec<_>>(), [Piece::WhiteKnight]);
        assert!(!wood.put(Square::E2), "something stands there");
        assert!(wood.put(Square::F3) && !wood.put(Square::F4));
        assert_eq!(wood.at(Square::F3), Some(Piece::WhiteKnight));
        assert_eq!(wood.occupied().count(), 32);
    }

    #[test]
    fn several_pieces_are_in_the_hand_and_any_may_go_down_first() {
        let mut wood = start();
        wood.lift(Square::E1);
        wood.lift(Square::H1);
        wood.lift(Square::G1);
        assert!(wood.put_back(), "the knight was lifted last");
        assert_eq!(wood.at(Square::G1), Some(Piece::WhiteKnight));
        wood.shuffle();
        assert!(wood.put(Square::E3));
        assert_eq!(wood.at(Square::E3), Some(Piece::WhiteKing));
        assert!(wood.put_back() && !wood.put_back());
        assert_eq!(wood.at(Square::H1), Some(Piece::WhiteRook));
    }

    #[test]
    fn what_is_taken_lies_in_the_box_and_comes_out_again() {
        let mut wood = start();
        assert!(wood.lay_aside(Square::D8) && !wood.lay_aside(Square::D8));
        wood.lift(Square::A7);
        assert!(wood.lay_aside(Square::D8), "what is in the hand goes into the box as well");
        assert_eq!(wood.aside(), [Piece::BlackQueen, Piece::BlackPawn]);
        wood.take(Piece::BlackQueen);
        assert_eq!(wood.aside(), [Piece::BlackPawn]);
        wood.take(Piece::BlackQueen);
        assert_eq!(wood.in_hand().count(), 2, "there is always another set");
        assert!(wood.put_back() && wood.put(Square::D8));
        assert_eq!(wood.at(Square::D8), Some(Piece::BlackQueen));
        assert_eq!(wood.aside(), [Piece::BlackPawn, Piece::BlackQueen]);
    }

    #[test]
    fn a_set_is_packed_into_its_box_whole() {
        let mut wood = start();
        wood.lift(Square::E1);
        wood.lay_aside(Square::E8);
        let packed = wood.packed();
        assert_eq!((packed.aside().len(), packed.occupied().count(), packed.in_hand().count()), (32, 0, 0));
    }

    #[test]
    fn a_pushed_piece_is_felt_by_every_free_square_on_its_way() {
        let mut wood = start();
        assert!(!wood.push(Square::E4), "there is nothing to push");
        assert!(wood.grip(Square::D1));
        assert_eq!(wood.occupied(), start().occupied());
        assert!(!wood.push(Square::D2));
        assert_eq!(wood.occupied(), start().occupied().without(Square::D1.into()), "over the pawn it is carried");
        assert_eq!(wood.at(Square::D2), Some(Piece::WhitePawn));
        assert!(wood.push(Square::D3));
        assert_eq!(wood.at(Square::D3), Some(Piece::WhiteQueen));
        assert_eq!(wood.in_the_air(), None);
        wood.raise();
        assert_eq!(wood.in_the_air(), Some(Piece::WhiteQueen));
        assert_eq!(wood.at(Square::D3), None);
        wood.push(Square::D4);
        assert!(wood.put(Square::D4));
        assert_eq!(wood.at(Square::D4), Some(Piece::WhiteQueen));
        assert_eq!(wood.in_hand().count(), 0);
    }
}
