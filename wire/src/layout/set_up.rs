use chess::{CastlingRights, Color, Game, Piece, Position, Role, Scoresheet, Setup, SetupError, Square};

use super::decode_error::{DecodeError, DecodeErrorKind};
use super::piece_count::PieceCounts;
use super::piece_tracker::{PieceTracker, is_home, rook_side};
use super::state_view::StateView;
use super::tracked_piece::TrackedPiece;
use super::{BOARD, CAPTURED};

/// Begins a game from a state without moves, and checks its moved flags and captured pieces for plausibility.
///
/// Check, mate and castling rights are not checked here: the caller compares the whole header afterwards.
pub(super) fn set_up(state: &StateView<'_>, game: &mut Game<impl Scoresheet>) -> Result<PieceTracker, DecodeError> {
    let mut counts = PieceCounts::default();
    let mut setup = Setup { turn: state.turn(), castling: rights_of_unmoved(state), ..Setup::EMPTY };
    for (square, slot) in Square::all().zip(&mut setup.board) {
        if let Some(tracked) = state.piece(square) {
            let piece = tracked.piece;
            check_flag(tracked, square)
                .and_then(|()| counts.of(piece.color()).add(piece, Some(square)))
                .map_err(|kind| DecodeError { offset: offset_of(square), kind })?;
            *slot = Some(piece);
        }
    }
    let position = setup
        .position()
        .map_err(|error| DecodeError { offset: offset_of_error(&setup, error), kind: DecodeErrorKind::SetUp(error) })?;

    let moved = |square: &Square| state.piece(*square).is_some_and(|tracked| tracked.moved);
    let mut tracker = PieceTracker::without_captures(Square::all().filter(moved).collect());
    for (offset, captured) in (CAPTURED..).zip(state.captured()) {
        let piece = captured.piece;
        tracker.capture(captured);
        counts
            .of(piece.color())
            .add(piece, None)
            .and_then(|()| check_unmoved(state, &tracker, piece))
            .map_err(|kind| DecodeError { offset, kind })?;
    }

    game.restart(position);
    // The start position of chess has one encoding only: no piece has moved and none is captured.
    Ok(if position == Position::start() { PieceTracker::of_start(&position) } else { tracker })
}

/// A piece away from its start squares must have moved; a pawn on its start square cannot have moved.
fn check_flag(tracked: TrackedPiece, square: Square) -> Result<(), DecodeErrorKind> {
    let TrackedPiece { piece, moved } = tracked;
    match (is_home(piece, square), moved) {
        (false, false) => Err(DecodeErrorKind::MustHaveMoved(piece, square)),
        (true, true) if piece.role() == Role::Pawn => Err(DecodeErrorKind::CannotHaveMoved(piece, square)),
        _ => Ok(()),
    }
}

/// A piece that was captured unmoved had a start square of its own, so no other piece can be unmoved there.
fn check_unmoved(state: &StateView<'_>, tracker: &PieceTracker, piece: Piece) -> Result<(), DecodeErrorKind> {
    let unmoved = TrackedPiece { piece, moved: false };
    let homes = Position::start().of(piece);
    let standing = homes.squares().filter(|&home| state.piece(home) == Some(unmoved));
    let captured = tracker.captured().filter(|&captured| captured == unmoved);
    if standing.count().saturating_add(captured.count()) > homes.squares().len() {
        Err(DecodeErrorKind::TooManyUnmoved(piece))
    } else {
        Ok(())
    }
}

/// The castling rights that follow from the moved flags: a right exists while neither its king nor its rook has moved.
fn rights_of_unmoved(state: &StateView<'_>) -> CastlingRights {
    let start = Position::start();
    let unmoved = |color, role, home| {
        let piece = Piece::new(color, role);
        state.piece(home) == Some(TrackedPiece { piece, moved: false })
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

fn offset_of(square: Square) -> usize {
    BOARD.saturating_add(usize::from(square.index()))
}

/// The offset to report for an impossible position: that of one piece, or the first byte of the board.
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
