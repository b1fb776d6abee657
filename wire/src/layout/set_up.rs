use chess::{CastlingRights, Color, Game, Piece, Position, Role, Scoresheet, Setup, SetupError, Square};

use super::army::Armies;
use super::ledger::{Ledger, is_home, rook_side};
use super::man::Man;
use super::refusal::{DecodeError, Reason};
use super::state::State;
use super::{BOARD, CAPTURED};

/// Begins a game from the board of a state without moves. The past that the state tells is taken as far as it can be
/// true: which men have moved, and which are gone.
///
/// Check, mate and rights are not looked at here. They follow from the board and its flags, and whoever compares them
/// with the bytes finds out.
pub(super) fn set_up(state: &State<'_>, game: &mut Game<impl Scoresheet>) -> Result<Ledger, DecodeError> {
    let mut armies = Armies::default();
    let mut setup = Setup { turn: state.turn(), castling: rights_of_unmoved(state), ..Setup::EMPTY };
    for (square, slot) in Square::all().zip(&mut setup.board) {
        if let Some(man) = state.man(square) {
            let possible = check_flag(man, square);
            let enlisted = possible.and_then(|()| armies.of(man.piece.color()).enlist(man, Some(square)));
            enlisted.map_err(|reason| DecodeError { offset: offset_of(square), reason })?;
            *slot = Some(man.piece);
        }
    }
    let position = setup
        .position()
        .map_err(|error| DecodeError { offset: offset_of_error(&setup, error), reason: Reason::SetUp(error) })?;

    let moved = |square: &Square| state.man(*square).is_some_and(|man| man.moved);
    let mut ledger = Ledger::empty(Square::all().filter(moved).collect());
    for (offset, man) in (CAPTURED..).zip(state.captured()) {
        ledger.capture(man);
        let enlisted = armies.of(man.piece.color()).enlist(man, None);
        let possible = enlisted.and_then(|()| check_unmoved(state, &ledger, man.piece));
        possible.map_err(|reason| DecodeError { offset, reason })?;
    }

    game.restart(position);
    // The start position is no set-up. It is the game in which nothing has moved yet, and that has no other bytes.
    Ok(if position == Position::start() { Ledger::of_start(&position) } else { ledger })
}

/// Away from the squares where a game has it at the start, a man must have moved; a pawn that is there never has.
fn check_flag(man: Man, square: Square) -> Result<(), Reason> {
    let Man { piece, moved } = man;
    match (is_home(piece, square), moved) {
        (false, false) => Err(Reason::MustHaveMoved(piece, square)),
        (true, true) if piece.role() == Role::Pawn => Err(Reason::CannotHaveMoved(piece, square)),
        _ => Ok(()),
    }
}

/// A man that was captured before it moved had a home of its own, where no other can still stand unmoved.
fn check_unmoved(state: &State<'_>, ledger: &Ledger, piece: Piece) -> Result<(), Reason> {
    let unmoved = Man { piece, moved: false };
    let homes = Position::start().of(piece);
    let standing = homes.squares().filter(|&home| state.man(home) == Some(unmoved));
    let captured = ledger.captured().filter(|&man| man == unmoved);
    if standing.count().saturating_add(captured.count()) > homes.squares().len() {
        Err(Reason::TooManyUnmoved(piece))
    } else {
        Ok(())
    }
}

/// The castling rights that the flags amount to: a right is there exactly while neither its king nor its rook has moved.
fn rights_of_unmoved(state: &State<'_>) -> CastlingRights {
    let start = Position::start();
    let unmoved = |color, role, home| {
        let piece = Piece::new(color, role);
        state.man(home) == Some(Man { piece, moved: false })
    };
    let mut rights = CastlingRights::NONE;
    for color in Color::ALL {
        for rook in start.of(Piece::new(color, Role::Rook)) {
            if unmoved(color, Role::King, start.king(color)) && unmoved(color, Role::Rook, rook) {
                rights = rights.with(CastlingRights::of(color, rook_side(rook)));
            }
        }
    }
    rights
}

/// The byte of a square.
fn offset_of(square: Square) -> usize {
    BOARD.saturating_add(usize::from(square.index()))
}

/// The byte to blame for a position that cannot be; the first one of the board if it is not one alone.
fn offset_of_error(setup: &Setup, error: SetupError) -> usize {
    let king = |color| {
        let king = Some(Piece::new(color, Role::King));
        Square::all().zip(setup.board).find(|&(_, piece)| piece == king)
    };
    match error {
        SetupError::PawnOnBackRank(square) => offset_of(square),
        SetupError::KingCanBeTaken(color) => king(color).map_or(BOARD, |(square, _)| offset_of(square)),
        SetupError::TooManyCheckers => king(setup.turn).map_or(BOARD, |(square, _)| offset_of(square)),
        _ => BOARD,
    }
}
