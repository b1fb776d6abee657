//! The indices of the features in the table of weights.

/// By role and square, see `mirrored`. The material is part of it.
pub(crate) const SQUARE: usize = 0;
/// By the number of squares that a knight, bishop, rook or queen attacks.
pub(crate) const MOBILITY: [usize; 4] = [192, 192 + 9, 192 + 9 + 14, 192 + 9 + 14 + 15];
pub(crate) const ISOLATED: usize = 258;
pub(crate) const DOUBLED: usize = ISOLATED + 1;
pub(crate) const BACKWARD: usize = DOUBLED + 1;
/// By rank: a pawn beside another, or protected by one.
pub(crate) const CONNECTED: usize = BACKWARD + 1;
/// By rank: no enemy pawn on its way or beside it.
pub(crate) const PASSED: usize = CONNECTED + 8;
/// By rank: a passed pawn whose next square is occupied by an enemy piece.
pub(crate) const PASSED_BLOCKED: usize = PASSED + 8;
/// By rank: a passed pawn with no piece and no enemy attack on its way.
pub(crate) const PASSED_FREE: usize = PASSED_BLOCKED + 8;
/// By the distance from its own king to the square before a passed pawn on the upper half of the board.
pub(crate) const PASSED_OWN_KING: usize = PASSED_FREE + 8;
/// By the distance from the enemy king to that square.
pub(crate) const PASSED_THEIR_KING: usize = PASSED_OWN_KING + 8;
pub(crate) const PASSED_PROTECTED: usize = PASSED_THEIR_KING + 8;
pub(crate) const BISHOP_PAIR: usize = PASSED_PROTECTED + 1;
pub(crate) const ROOK_OPEN: usize = BISHOP_PAIR + 1;
pub(crate) const ROOK_HALF_OPEN: usize = ROOK_OPEN + 1;
/// A knight or a bishop that a pawn protects and that no enemy pawn can attack.
pub(crate) const OUTPOST: [usize; 2] = [ROOK_HALF_OPEN + 1, ROOK_HALF_OPEN + 2];
/// By the rank of the own pawn nearest to the king, 0 if there is none: on the king's file, and on the files beside it.
pub(crate) const SHELTER: [usize; 2] = [OUTPOST[1] + 1, OUTPOST[1] + 9];
/// By the rank of the enemy pawn nearest to the king on the three files, 0 if there is none.
pub(crate) const STORM: usize = SHELTER[1] + 8;
/// By the number of attack units against the enemy king.
pub(crate) const DANGER: usize = STORM + 8;
pub(crate) const DANGER_UNITS: usize = 48;
/// By the role of the attacked piece: a pawn attacks it.
pub(crate) const PAWN_THREAT: usize = DANGER + DANGER_UNITS;
/// A knight or a bishop attacks it.
pub(crate) const MINOR_THREAT: usize = PAWN_THREAT + 6;
/// A rook attacks it.
pub(crate) const ROOK_THREAT: usize = MINOR_THREAT + 6;
/// An enemy piece other than a pawn that is attacked and not protected.
pub(crate) const HANGING: usize = ROOK_THREAT + 6;
/// The right to move.
pub(crate) const TEMPO: usize = HANGING + 1;
pub(crate) const COUNT: usize = TEMPO + 1;
